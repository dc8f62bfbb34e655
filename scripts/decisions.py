"""Every decision of the 10th edition: who is asked what, at which detail and how often."""

from __future__ import annotations

import difflib
import importlib.util
import json
import random
import re
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from wh_env import Battle
from wh_env.agents.programs import BAD_INPUT, fail, run, writable
from wh_env.content.load import names
from wh_env.content.reading import read_yaml
from wh_env.content.w10.choices import CHOICES, Choice
from wh_env.core.procedures import DecisionKind
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.reaction.book import OFF

PROJECT = Path(__file__).resolve().parents[1]
CATALOGUE = PROJECT / "docs" / "rules" / "w10.yaml"
WAIVERS = PROJECT / "docs" / "rules" / "waivers.yaml"
PAGE = PROJECT / "docs" / "decisions.md"
# what a battle can ask its players instead of taking it from army lists and maps
BY_PLAYERS = {"formations": "choose", "terrain": "players", "markers": "players"}
FIRST_LEGAL = "first legal"
OTHER_ROAD = "At squad detail"
Rules = dict[str, dict[str, Any]]

HEAD = """\
# The decisions of the 10th edition

Made by `scripts/decisions.py` from the ruleset `w10`, `wh_env/content/w10/choices.py` and `docs/rules/w10.yaml`; edit those,
then run it again.

- *who*: as the catalogue says it, for each rule with a `decision` that the kind serves.
- *squad*: whether it is asked at `detail="squad"`. "yes". "delegated": its default delegate answers. "full only": the squad
  procedure takes another road and never comes to it. "squad only": it is that road, and the full detail asks model by model
  or weapon by weapon. "off": its Stratagem is not in play at squad detail unless the battle's `stratagems` say so.
- *default delegate*: what answers where the kind is delegated, by the level of detail, by `delegates={name: policy}` or, for
  a Stratagem, by `stratagems: {name: delegate}`; of a kind that is "full only", what the squad procedure does instead. A
  decision with one option is never asked and needs none.
"""


# ---------------------------------------------------------------- what the code and the catalogue say


@cache
def catalogue() -> Rules:
    """The rules of the catalogue by id."""
    return {rule["id"]: rule for rule in read_yaml(CATALOGUE)["rules"]}


def waivers() -> dict[str, str]:
    """Reasons of the waived rules by id."""
    return {entry["id"]: entry["reason"] for entry in read_yaml(WAIVERS)}


def decided(rules: Rules) -> list[str]:
    """The rules that give a player a decision."""
    return [rule for rule, entry in rules.items() if "decision" in entry]


def kinds_of(rule: str) -> list[str]:
    """Names of the decision kinds that serve a rule."""
    return [kind.name for kind in TENTH_EDITION.kinds if rule in kind.rules]


def choices_of(rule: str) -> list[Choice]:
    """The choices in files that serve a rule."""
    return [choice for choice in CHOICES if rule in choice.rules]


def nowhere(rules: Rules) -> list[str]:
    """The rules with a decision that neither a battle asks nor a file carries."""
    return [rule for rule in decided(rules) if not kinds_of(rule) and not choices_of(rule)]


def words(text: str | None) -> str:
    """A text on one line."""
    return " ".join((text or "").split())


def first_paragraph(kind: DecisionKind) -> str:
    """What the kind's docstring says of its options."""
    return words((type(kind).__doc__ or "").split("\n\n")[0])


def sentences(kind: DecisionKind, start: str) -> str:
    """The sentences of the kind's docstring that begin like this."""
    return " ".join(part for part in re.split(r"(?<=\.) ", words(type(kind).__doc__)) if part.startswith(start))


def who(served: tuple[str, ...], rules: Rules) -> str:
    """Who decides by the catalogue: the words of its entries up to "when"."""
    found = []
    for rule in served:
        text = words(rules.get(rule, {}).get("decision"))
        match = re.match(r"(?:\([^)]*\)|[^,:(])+", text)
        if match and match.group().strip() not in found:
            found.append(match.group().strip())
    return "; ".join(found)


def asked_at_squad(kind: DecisionKind) -> str:
    """The column *squad*."""
    stratagem = TENTH_EDITION.stratagem_of(kind)
    if stratagem is not None and TENTH_EDITION.stratagems.mode({"detail": "squad", "stratagems": {}}, stratagem) == OFF:
        return "off"
    if first_paragraph(kind).startswith("Squad detail:"):
        return "squad only"
    if TENTH_EDITION.number[type(kind)] in TENTH_EDITION.delegates("squad"):
        return "full only" if sentences(kind, OTHER_ROAD) else "delegated"
    return "yes"


def delegate(kind: DecisionKind) -> str:
    """The column *default delegate*: the docstring of the delegate, else what the kind's docstring says of it."""
    told = sentences(kind, OTHER_ROAD)
    if told:
        told = told[len(OTHER_ROAD) + 1 :]
        return told[:1].upper() + told[1:]
    told = sentences(kind, "Its policy")
    answer = type(kind).delegate
    if answer is DecisionKind.delegate and not told:
        return FIRST_LEGAL
    return told or words((answer.__doc__ or "").split("\n\n")[0])


# ---------------------------------------------------------------- how often


@dataclass
class Sample:
    """How often each kind (and ``all`` of them) is asked in a battle, as the page shows it, by level of detail;
    ``sentence``: in which battles."""

    sentence: str = ""
    shown: dict[str, dict[str, str]] = field(default_factory=lambda: {"squad": {}, "full": {}})


def play(battle: str, seed: int, detail: str) -> Counter[str]:
    """How often each kind is asked in one battle of random play."""
    count: Counter[str] = Counter()
    game, chance = Battle.load(battle, seed, detail=detail, rules=BY_PLAYERS), random.Random(seed)
    while (decision := game.decision) is not None:
        count[decision.kind] += 1
        game.apply(chance.choice(decision.options))
    return count


def measure(battles: int, seed: int) -> Sample:
    """Averages over so many plays of every battle that the project ships, at each detail."""
    shipped = names("battles", TENTH_EDITION.id)
    text = (
        f"- *per battle*: how often it is asked in random play, on average of {battles} plays of each of "
        f"{ticked(shipped)} (seeds from {seed} on), where the players choose formations, terrain and objective markers "
        f"(`rules`: {ticked([f'{name}: {how}' for name, how in BY_PLAYERS.items()])}). `-`: never."
    )
    sample = Sample(textwrap.fill(text, 120, subsequent_indent="  ", break_on_hyphens=False))
    plays = battles * len(shipped)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("playing", total=2 * plays)
        for detail, shown in sample.shown.items():
            count: Counter[str] = Counter()
            for number in range(plays):
                count += play(shipped[number % len(shipped)], seed + number // len(shipped), detail)
                bar.advance(task)
            shown |= {name: often(number / plays) for name, number in count.items()}
            shown["all"] = often(count.total() / plays)
    return sample


# ---------------------------------------------------------------- the page


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def ticked(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts)


def often(number: float) -> str:
    return f"{number:.1f}" if number >= 0.1 else f"{number:.2f}"


def render(rules: Rules, sample: Sample) -> str:
    """The page."""
    squad, full = sample.shown["squad"], sample.shown["full"]
    text = HEAD + f"{sample.sentence}\n\n## Decision kinds\n\n"
    text += row("kind", "rules", "who", "options", "squad", "default delegate", "per battle, squad", "per battle, full")
    text += "|" + " --- |" * 6 + " ---: |" * 2 + "\n"
    for kind in TENTH_EDITION.kinds:
        text += row(
            f"`{kind.name}`",
            ticked(kind.rules),
            who(kind.rules, rules),
            first_paragraph(kind),
            asked_at_squad(kind),
            delegate(kind),
            squad.get(kind.name, "-"),
            full.get(kind.name, "-"),
        )
    text += row("all", "", "", "", "", "", squad.get("all", "-"), full.get("all", "-"))
    text += "\n## Rules whose decisions a battle asks\n\n" + row("rule", "title", "kinds") + "|" + " --- |" * 3 + "\n"
    for rule in decided(rules):
        if kinds_of(rule):
            text += row(f"`{rule}`", rules[rule]["title"], ticked(kinds_of(rule)))
    text += "\n## Rules whose decisions stand in files\n\n"
    text += (
        "Army lists, maps and battle configs carry what is chosen before there is a battle. *asked*: the switch of\n"
    )
    text += "`rules` with which the players are asked in the battle instead.\n\n"
    text += row("field", "rules", "who", "options", "asked") + "|" + " --- |" * 5 + "\n"
    for choice in CHOICES:
        text += row(
            f"`{choice.schema.__name__}.{choice.field}`",
            ticked(choice.rules),
            who(choice.rules, rules),
            choice.options,
            f"`{choice.asked}`" if choice.asked else "no",
        )
    text += "\n## Waived\n\n"
    reasons = waivers()
    waived = [f"- `{rule}`: {rules[rule]['title']}. {reasons.get(rule, 'Missing.')}\n" for rule in nowhere(rules)]
    return text + ("".join(waived) or "None: every decision of the catalogue is in one of the tables.\n")


def sample_of(text: str) -> Sample:
    """The averages that a written page has."""
    sentence = re.search(r"^- \*per battle\*: .*?(?=\n\n)", text, re.MULTILINE | re.DOTALL)
    sample = Sample(sentence.group() if sentence else "")
    part = text.partition("## Decision kinds")[2].partition("\n## ")[0]
    for line in part.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
        if len(cells) == 10:
            for detail, cell in (("squad", cells[7]), ("full", cells[8])):
                if re.fullmatch(r"[0-9.]+", cell):
                    sample.shown[detail][cells[1].strip("`")] = cell
    return sample


def differences(path: Path) -> list[str]:
    """How the page at ``path`` differs from the code and the catalogue, its averages aside (they move with the engine):
    lines to take out (-) and to put in (+)."""
    there = path.read_text(encoding="utf-8", errors="replace")  # what cannot be read differs
    due = render(catalogue(), sample_of(there))
    changes = difflib.unified_diff(there.splitlines(), due.splitlines(), lineterm="", n=0)
    return [line for line in changes if not line.startswith(("@@", "---", "+++"))]


# ---------------------------------------------------------------- whether tests come to every kind

Asked = dict[str, dict[str, list[str]]]  # detail, or "delegated" -> kind -> tests


def run_tests(workers: int) -> Asked:
    """Run the rule tests and note which kinds they ask, and which are answered by their default delegates."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "asked.json"
        command = [sys.executable, "-m", "pytest", f"tests/rules/{TENTH_EDITION.id}", "-q", "--asked-kinds", str(path)]
        if workers and importlib.util.find_spec("xdist"):
            command += ["-n", str(workers)]
        code = subprocess.run(command, cwd=PROJECT, stdout=sys.stderr, check=False).returncode
        if code not in (0, 1) or not path.is_file():
            typer.echo(f"error: the tests could not be run (pytest exit status {code})", err=True)
            raise typer.Exit(BAD_INPUT)
        return read_asked(path)


def read_asked(path: Path) -> Asked:
    """What ``pytest --asked-kinds`` has written, of this ruleset."""
    try:
        found = json.loads(path.read_text(encoding="utf-8")).get(TENTH_EDITION.id, {})
        asked: Asked = {str(kind): dict(how) for kind, how in found.items()}
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        fail(f"{path}: {type(error).__name__}: {error}; expected what pytest --asked-kinds has written")
    return asked


def unreached(asked: Asked) -> list[str]:
    """What the page says of asking that no test shows, and what tests show against it."""
    found = []
    for kind in TENTH_EDITION.kinds:
        how = asked_at_squad(kind)
        due = {
            "squad": how in ("yes", "squad only", "off"),
            "full": how != "squad only",
            "delegated": how == "delegated",
        }
        for where, expected in due.items():
            tests = asked.get(where, {}).get(kind.name, [])
            # a Stratagem can be delegated or switched on by a test, whatever the default
            if expected and not tests:
                found.append(f"{kind.name} ({how}): no test where it is {said(where)}")
            elif tests and not expected and where != "delegated":
                found.append(f"{kind.name} ({how}): is {said(where)} in {tests[0]}")
    return found


def said(where: str) -> str:
    return "answered by its default delegate" if where == "delegated" else f"asked at {where} detail"


def reached_table(asked: Asked) -> Table:
    table = Table(title="Tests that come to each kind of decision")
    table.add_column("kind", no_wrap=True)
    for name in ("page says", "squad", "full", "delegated"):
        table.add_column(name, justify="right" if name != "page says" else "left")
    for kind in TENTH_EDITION.kinds:
        counts = [str(len(asked.get(where, {}).get(kind.name, []))) for where in ("squad", "full", "delegated")]
        table.add_row(kind.name, asked_at_squad(kind), *counts)
    return table


# ---------------------------------------------------------------- the program


def main(
    out: Annotated[Path, typer.Option(help="The page.", show_default="docs/decisions.md")] = PAGE,
    battles: Annotated[int, typer.Option(min=1, help="Plays of each shipped battle at each level of detail.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first play of each; the next has the next one.")] = 0,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if the page differs, its averages aside.")
    ] = False,
    check_asked: Annotated[
        bool,
        typer.Option(
            "--check-asked", help="Write nothing; run the rule tests and exit 1 unless they come to every kind."
        ),
    ] = False,
    asked: Annotated[
        Path | None, typer.Option(help="With --check-asked: use this file, written by pytest --asked-kinds.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes that run the tests; 0 runs them in one.")] = 2,
    json_: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Write the page of all decisions of the 10th edition, or check it.

    Exits 1 where a check fails, 2 where the page or the results of the tests cannot be read.
    """
    if check_asked:
        if asked is not None and not asked.is_file():
            typer.echo(f"error: {asked}: no such file", err=True)
            raise typer.Exit(BAD_INPUT)
        results = read_asked(asked) if asked is not None else run_tests(workers)
        tell(unreached(results), json_, reached_table(results))
    elif check:
        if not out.is_file():
            typer.echo(f"error: {out}: no such page", err=True)
            raise typer.Exit(BAD_INPUT)
        tell(differences(out), json_)
    else:
        writable(out, "--out")
        sample = measure(battles, seed)
        out.write_text(render(catalogue(), sample), encoding="utf-8")
        if json_:
            typer.echo(json.dumps({"page": str(out), "per_battle": sample.shown}, indent=1, sort_keys=True))
        else:
            typer.echo(f"{out}: {len(TENTH_EDITION.kinds)} kinds, {len(CHOICES)} choices in files")


def tell(faults: list[str], as_json: bool, table: Table | None = None) -> None:
    """Print the faults of a check; exit 1 if there are any."""
    if as_json:
        typer.echo(json.dumps({"faults": faults}, indent=1))
    else:
        if table is not None:
            Console().print(table)
        for line in faults:
            typer.echo(line)
    if faults:
        typer.echo(f"check: {len(faults)} faults", err=True)
        raise typer.Exit(1)


if __name__ == "__main__":
    run(main)
