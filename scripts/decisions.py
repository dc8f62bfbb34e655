"""Every decision of the 10th edition: who is asked what, at which detail and how often."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from wh_env import Battle
from wh_env.core.procedures import DecisionKind
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w10.stratagems import OFF, mode

PROJECT = Path(__file__).resolve().parents[1]
CATALOGUE = PROJECT / "docs" / "rules" / "w10.yaml"
BATTLE = "w10/only-war-skirmish"
BAD_INPUT = 2
# The C parser reads the catalogue about ten times faster; not every platform has it.
Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FIRST_LEGAL = "first legal"
UNNAMED = "Not named by a decision kind"

HEAD = """\
# The decisions of the 10th edition

Made by `scripts/decisions.py` from the ruleset `w10` and `docs/rules/w10.yaml`; edit those, then run it again.

- *who*: as the catalogue says it, for the first named rule with a `decision`; a kind that serves several rules may ask
  another player for another of them. "asked player": no named rule has a `decision`.
- *squad*: whether it is asked at `detail="squad"`. "delegated": its default delegate answers, where the squad
  procedure comes to it at all. "full only": the squad procedure takes another road. "squad only": it is that road, and
  the full detail asks model by model or weapon by weapon. "off": its Stratagem is not in play at squad detail
  unless the battle's `stratagems` say so.
- *default delegate*: what answers where the kind is delegated, by the level of detail or, for a Stratagem, by
  `stratagems: {name: delegate}`. A decision with one option is never asked and needs none.
"""

Rows = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Page:
    """What of a page is compared: the rules of every kind, the kinds of every rule, the rules of none."""

    kinds: Rows
    rules: Rows
    unnamed: tuple[str, ...]


def catalogue() -> dict[str, dict[str, Any]]:
    """The rules of the catalogue by id."""
    return {rule["id"]: rule for rule in yaml.load(CATALOGUE.read_text(encoding="utf-8"), Loader=Loader)["rules"]}


def expected(rules: dict[str, dict[str, Any]]) -> Page:
    """The page as the code and the catalogue have it."""
    kinds = {kind.name: tuple(kind.rules) for kind in TENTH_EDITION.kinds}
    decided = [rule for rule, entry in rules.items() if "decision" in entry]
    named = {rule: tuple(name for name, ids in kinds.items() if rule in ids) for rule in decided}
    return Page(
        kinds, {rule: names for rule, names in named.items() if names}, tuple(r for r in decided if not named[r])
    )


def words(text: str | None) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join((text or "").split("\n\n")[0].split())


def who(kind: DecisionKind, rules: dict[str, dict[str, Any]]) -> str:
    """Who decides by the catalogue: its entry's words up to "when"."""
    for rule in kind.rules:
        if "decision" in rules.get(rule, {}):
            found = re.match(r"(?:\([^)]*\)|[^,:(])+", words(rules[rule]["decision"]))
            return found.group().strip() if found else "asked player"
    return "asked player"


def asked_at_squad(kind: DecisionKind) -> str:
    text, stratagem = words(type(kind).__doc__), getattr(kind, "stratagem", None)
    if stratagem is not None and mode({"detail": "squad", "stratagems": {}}, stratagem) == OFF:
        return "off"
    if text.startswith("Full detail:"):
        return "full only"
    if kind.id in TENTH_EDITION.delegates("squad"):
        return "delegated"
    return "squad only" if text.startswith("Squad detail:") else "yes"


def delegate(kind: DecisionKind) -> str:
    """The default delegate in words: its docstring, else what the kind's docstring says of it."""
    answer = type(kind).delegate
    if answer is DecisionKind.delegate:
        return FIRST_LEGAL
    if answer.__doc__:
        return words(answer.__doc__)
    told = [part for part in re.split(r"(?<=\.) ", words(type(kind).__doc__)) if part.startswith("Its policy")]
    return " ".join(told) or f"see `{answer.__module__.rpartition('.')[2]}.{answer.__qualname__}`"


def averages(detail: str, battles: int) -> dict[str, float]:
    """How often each kind is asked in a battle of random play; seeds 0, 1, 2, ..."""
    count: Counter[str] = Counter()
    for seed in range(battles):
        battle, choice = Battle.load(BATTLE, seed, detail=detail), random.Random(seed)
        while (decision := battle.decision) is not None:
            count[decision.kind] += 1
            battle.apply(choice.choice(decision.options))
    return {name: number / battles for name, number in count.items()}


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def ticked(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def often(number: float | None) -> str:
    return "-" if number is None else f"{number:.1f}"


def render(rules: dict[str, dict[str, Any]], battles: int) -> str:
    """The page; its averages are of ``battles`` at squad detail and half as many at full detail."""
    full = (battles + 1) // 2
    at_squad, at_full = averages("squad", battles), averages("full", full)
    page = expected(rules)
    text = HEAD + (
        f"- *per battle*: how often it is asked in random play of `{BATTLE}`, on average of {battles} battles at squad\n"
        f"  and {full} at full detail, seeds from 0 on; `-`: never.\n\n## Decision kinds\n\n"
    )
    text += row("kind", "rules", "who", "options", "squad", "default delegate", "per battle, squad", "per battle, full")
    text += "|" + " --- |" * 6 + " ---: |" * 2 + "\n"
    for kind in TENTH_EDITION.kinds:
        text += row(
            f"`{kind.name}`",
            ticked(kind.rules),
            who(kind, rules),
            words(type(kind).__doc__),
            asked_at_squad(kind),
            delegate(kind),
            often(at_squad.get(kind.name)),
            often(at_full.get(kind.name)),
        )
    text += row("all", "", "", "", "", "", often(sum(at_squad.values())), often(sum(at_full.values())))
    text += "\n## Rules with a decision\n\n" + row("rule", "title", "kinds") + "|" + " --- |" * 3 + "\n"
    for rule, names in page.rules.items():
        text += row(f"`{rule}`", rules[rule]["title"], ticked(names))
    text += f"\n## {UNNAMED}\n\n"
    text += "Settled before the battle begins, decided through the kinds of another rule, or not asked.\n\n"
    for rule in page.unnamed:
        text += f"- `{rule}`: {rules[rule]['title']} ({words(rules[rule]['decision'])})\n"
    return text


def parse(text: str) -> Page:
    """What a written page says, as far as it is compared."""
    parts = dict.fromkeys(("Decision kinds", "Rules with a decision", UNNAMED), "")
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        parts[title] = body

    def table(body: str, column: int) -> Rows:
        cells = [re.split(r"(?<!\\)\|", line) for line in body.splitlines() if line.startswith("| `")]
        return {line[1].strip(" `"): tuple(re.findall(r"`([^`]+)`", line[column])) for line in cells}

    unnamed = re.findall(r"^- `([^`]+)`", parts[UNNAMED], re.MULTILINE)
    return Page(table(parts["Decision kinds"], 2), table(parts["Rules with a decision"], 3), tuple(unnamed))


def differences(path: Path) -> list[str]:
    """How the page at ``path`` differs from the code and the catalogue in its kinds and rules."""
    there, due = parse(path.read_text(encoding="utf-8")), expected(catalogue())
    found = []
    for what, old, new in (("kind", there.kinds, due.kinds), ("rule", there.rules, due.rules)):
        found += [f"{what} {name} is missing" for name in new if name not in old]
        found += [f"{what} {name} is no more" for name in old if name not in new]
        for name in new:
            if name in old and old[name] != new[name]:
                found.append(f"{what} {name}: the page has {', '.join(old[name])}; due is {', '.join(new[name])}")
        if list(old) != list(new) and set(old) == set(new):
            found.append(f"the {what}s are in another order")
    if there.unnamed != due.unnamed:
        changed = ", ".join(sorted(set(there.unnamed) ^ set(due.unnamed))) or "another order"
        found.append(f"{UNNAMED.lower()}: {changed}")
    return found


def main(
    out: Annotated[Path, typer.Option(help="The page.")] = PROJECT / "docs" / "decisions.md",
    battles: Annotated[int, typer.Option(min=1, help="Battles at squad detail; half as many at full detail.")] = 6,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if its kinds or rules differ.")] = False,
) -> None:
    """Write the page of all decisions of the 10th edition, or check it.

    The check compares kinds and rules, not the averages: these move with the engine.
    """
    if not check:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(render(catalogue(), battles), encoding="utf-8")
        typer.echo(f"{out}: {len(TENTH_EDITION.kinds)} kinds")
        return
    if not out.is_file():
        typer.echo(f"error: {out}: no such page", err=True)
        raise typer.Exit(BAD_INPUT)
    found = differences(out)
    for line in found:
        typer.echo(line)
    if found:
        typer.echo(f"{out} is out of date: run scripts/decisions.py", err=True)
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
