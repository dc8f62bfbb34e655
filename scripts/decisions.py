"""Every decision of a ruleset: who is asked what, at which detail and how often."""

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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from wh_env import Battle, ContentError
from wh_env.agents.programs import BAD_INPUT, fail, run, writable
from wh_env.content.game import Choice
from wh_env.content.games import GAMES, game_named
from wh_env.content.load import names, rulesets
from wh_env.content.reading import read_yaml
from wh_env.content.rulebook import catalogue, catalogue_root
from wh_env.core.files import replacing
from wh_env.core.procedures import DecisionKind, Ruleset
from wh_env.envs.registry import DEFAULT_RULESET, environment

PROJECT = Path(__file__).resolve().parents[1]
WAIVERS = catalogue_root() / "waivers.yaml"
RULINGS = catalogue_root() / "rulings.md"
NOBODY = "nobody is asked"  # what a ruling says where one answer is never worse for who would decide
FIRST_LEGAL = "first legal"
WIDE = 125
Rules = dict[str, dict[str, Any]]


def page_of(ruleset: Ruleset) -> Path:
    """Where the page of a ruleset is kept."""
    name = "decisions.md" if ruleset.id == DEFAULT_RULESET else f"decisions-{ruleset.id}.md"
    return PROJECT / "docs" / name


def head(ruleset: Ruleset) -> str:
    """What the page is and what its columns mean."""
    off = f' "off": {ruleset.off}.' if ruleset.off else ""
    delegated = f" or, {ruleset.delegated_by}" if ruleset.delegated_by else ""
    made = (
        f"Made by `scripts/decisions.py` from the ruleset `{ruleset.id}`, the choices of its `Game` and "
        f"`docs/rules/{ruleset.id}.yaml`; edit those, then run it again."
    )
    columns = (
        "*who*: as the catalogue says it, for each rule with a `decision` that the kind serves.",
        '*squad*: whether it is asked at `detail="squad"`. "yes". "delegated": its default delegate answers. "full only": the squad '
        'procedure takes another road and never comes to it. "squad only": it is that road, and the full detail asks model by model '
        f"or weapon by weapon.{off}",
        "*default delegate*: what answers where the kind is delegated, by the level of detail, by `delegates={name: policy}`"
        f'{delegated or " in a battle"}; of a kind that is "full only", what the squad procedure does instead. A decision with one '
        "option is never asked and needs none.",
    )  # fmt: skip
    return f"# The decisions of {environment(ruleset.id).game}\n\n{wrapped(made)}\n\n" + "".join(
        f"{wrapped(f'- {text}')}\n" for text in columns
    )


def wrapped(text: str) -> str:
    """A paragraph, or an item of a list, in lines."""
    indent = "  " if text.startswith("- ") else ""
    return textwrap.fill(text, WIDE, subsequent_indent=indent, break_on_hyphens=False)


# ---------------------------------------------------------------- what the code and the catalogue say


def waivers() -> dict[str, str]:
    """Reasons of the waived rules by id."""
    return {entry["id"]: entry["reason"] for entry in read_yaml(WAIVERS)}


def decided(rules: Rules) -> list[str]:
    """The rules that give a player a decision."""
    return [rule for rule, entry in rules.items() if "decision" in entry]


def kinds_of(ruleset: Ruleset, rule: str) -> list[str]:
    """Names of the decision kinds that serve a rule."""
    return [kind.name for kind in ruleset.kinds if rule in kind.rules]


def choices_in(ruleset: Ruleset) -> list[Choice]:
    """The choices in files of a ruleset."""
    return list(GAMES[ruleset.id].choices)


def choices_of(rule: str) -> list[Choice]:
    """The choices in files that serve a rule."""
    return [choice for game in GAMES.values() for choice in game.choices if rule in choice.rules]


def nowhere(ruleset: Ruleset) -> list[str]:
    """The rules with a decision that neither a battle asks nor a file carries, and that no ruling settles."""
    ids, known = decided(catalogue(ruleset.id)), settled()
    return [rule for rule in ids if not kinds_of(ruleset, rule) and not choices_of(rule) and rule not in known]


def settled() -> dict[str, str]:
    """Rulings by id of the rule where they say that nobody is asked."""
    rows = [line.split(" | ") for line in RULINGS.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return {row[0].removeprefix("| "): row[1] for row in rows if NOBODY in row[1]}


def words(text: str | None) -> str:
    """A text on one line."""
    return " ".join((text or "").split())


def who(served: tuple[str, ...], rules: Rules) -> str:
    """Who decides by the catalogue: the words of its entries up to "when"."""
    found = []
    for rule in served:
        text = words(rules.get(rule, {}).get("decision"))
        match = re.match(r"(?:\([^)]*\)|[^,:(])+", text)
        if match and match.group().strip() not in found:
            found.append(match.group().strip())
    return "; ".join(found)


def asked_at_squad(ruleset: Ruleset, kind: DecisionKind) -> str:
    """The column *squad*."""
    if not ruleset.in_play(kind, "squad"):
        return "off"
    if not kind.full:
        return "squad only"
    if kind.squad:
        return "yes"
    return "full only" if kind.instead else "delegated"


def delegate(kind: DecisionKind) -> str:
    """The column *default delegate*."""
    return kind.instead or kind.policy or FIRST_LEGAL


# ---------------------------------------------------------------- how often


@dataclass
class Sample:
    """How often each kind (and ``all`` of them) is asked in a battle, as the page shows it, by level of detail;
    ``sentence``: in which battles."""

    sentence: str = ""
    shown: dict[str, dict[str, str]] = field(default_factory=lambda: {"squad": {}, "full": {}})


def play(battle: str, seed: int, detail: str, rules: Mapping[str, Any]) -> Counter[str]:
    """How often each kind is asked in one battle of random play."""
    count: Counter[str] = Counter()
    game, chance = Battle.load(battle, seed, detail=detail, rules=dict(rules)), random.Random(seed)
    while (decision := game.decision) is not None:
        count[decision.kind] += 1
        game.apply(chance.choice(decision.options))
    return count


def measure(ruleset: Ruleset, battles: int, seed: int) -> Sample:
    """Averages over so many plays of every battle that the project ships, at each detail."""
    shipped = names("battles", ruleset.id)
    switches = ticked(f"{name}: {how}" for name, how in ruleset.by_players.items())
    asked = f", where the players choose what is otherwise in files (`rules`: {switches})" if switches else ""
    text = (
        f"- *per battle*: how often it is asked in random play, on average of {battles} plays of each of "
        f"{ticked(shipped)} (seeds from {seed} on){asked}. `-`: never."
    )
    sample = Sample(wrapped(text))
    plays = battles * len(shipped)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(ruleset.id, total=2 * plays)
        for detail, shown in sample.shown.items():
            count: Counter[str] = Counter()
            for number in range(plays):
                battle = shipped[number % len(shipped)]
                count += play(battle, seed + number // len(shipped), detail, ruleset.by_players)
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


def render(ruleset: Ruleset, sample: Sample) -> str:
    """The page."""
    rules = catalogue(ruleset.id)
    squad, full = sample.shown["squad"], sample.shown["full"]
    text = head(ruleset) + f"{sample.sentence}\n\n## Decision kinds\n\n"
    text += row("kind", "rules", "who", "options", "squad", "default delegate", "per battle, squad", "per battle, full")
    text += "|" + " --- |" * 6 + " ---: |" * 2 + "\n"
    for kind in ruleset.kinds:
        text += row(
            f"`{kind.name}`",
            ticked(kind.rules),
            who(kind.rules, rules),
            kind.what,
            asked_at_squad(ruleset, kind),
            delegate(kind),
            squad.get(kind.name, "-"),
            full.get(kind.name, "-"),
        )
    text += row("all", "", "", "", "", "", squad.get("all", "-"), full.get("all", "-"))
    text += "\n## Rules whose decisions a battle asks\n\n" + row("rule", "title", "kinds") + "|" + " --- |" * 3 + "\n"
    for rule in decided(rules):
        if kinds_of(ruleset, rule):
            text += row(f"`{rule}`", rules[rule]["title"], ticked(kinds_of(ruleset, rule)))
    text += in_files(ruleset, rules)
    by_ruling = [(rule, reading) for rule, reading in settled().items() if rule in decided(rules)]
    if by_ruling:
        text += "\n## Settled by a ruling\n\n"
        text += "".join(f"- `{rule}`: {rules[rule]['title']}. {reading}\n" for rule, reading in by_ruling)
    text += "\n## Waived\n\n"
    reasons = waivers()
    waived = [f"- `{rule}`: {rules[rule]['title']}. {reasons.get(rule, 'Missing.')}\n" for rule in nowhere(ruleset)]
    return text + ("".join(waived) or "None: every decision of the catalogue is in one of the tables.\n")


def in_files(ruleset: Ruleset, rules: Rules) -> str:
    """The table of the choices that files carry."""
    choices = choices_in(ruleset)
    if not choices:
        return ""
    text = (
        "\n## Rules whose decisions stand in files\n\n"
        "Army lists, maps and battle configs carry what is chosen before there is a battle. *asked*: the switch of\n"
        "`rules` with which the players are asked in the battle instead.\n\n"
    )
    text += row("field", "rules", "who", "options", "asked") + "|" + " --- |" * 5 + "\n"
    for choice in choices:
        text += row(
            f"`{choice.schema.__name__}.{choice.field}`",
            ticked(choice.rules),
            who(choice.rules, rules),
            choice.options,
            f"`{choice.asked}`" if choice.asked else "no",
        )
    return text


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


def differences(ruleset: Ruleset, path: Path) -> list[str]:
    """How the page at ``path`` differs from the code and the catalogue, its averages aside (they move with the engine):
    lines to take out (-) and to put in (+)."""
    there = path.read_text(encoding="utf-8", errors="replace")  # what cannot be read differs
    due = render(ruleset, sample_of(there))
    changes = difflib.unified_diff(there.splitlines(), due.splitlines(), lineterm="", n=0)
    return [line for line in changes if not line.startswith(("@@", "---", "+++"))]


# ---------------------------------------------------------------- whether tests come to every kind

Asked = dict[str, dict[str, list[str]]]  # detail, or "delegated" -> kind -> tests


def run_tests(ruleset: Ruleset, workers: int) -> Asked:
    """Run the rule tests and note which kinds they ask, and which are answered by their default delegates."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "asked.json"
        command = [sys.executable, "-m", "pytest", f"tests/rules/{ruleset.id}", "-q", "--asked-kinds", str(path)]
        if workers and importlib.util.find_spec("xdist"):
            command += ["-n", str(workers)]
        code = subprocess.run(command, cwd=PROJECT, stdout=sys.stderr, check=False).returncode
        if code not in (0, 1) or not path.is_file():
            typer.echo(f"error: the tests could not be run (pytest exit status {code})", err=True)
            raise typer.Exit(BAD_INPUT)
        return read_asked(ruleset, path)


def read_asked(ruleset: Ruleset, path: Path) -> Asked:
    """What ``pytest --asked-kinds`` has written, of a ruleset."""
    try:
        found = json.loads(path.read_text(encoding="utf-8")).get(ruleset.id, {})
        asked: Asked = {str(kind): dict(how) for kind, how in found.items()}
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        fail(f"{path}: {type(error).__name__}: {error}; expected what pytest --asked-kinds has written")
    return asked


def unreached(ruleset: Ruleset, asked: Asked) -> list[str]:
    """What the page says of asking that no test shows, and what tests show against it."""
    found = []
    for kind in ruleset.kinds:
        how = asked_at_squad(ruleset, kind)
        due = {
            "squad": how in ("yes", "squad only", "off"),
            "full": how != "squad only",
            "delegated": how == "delegated",
        }
        for where, expected in due.items():
            tests = asked.get(where, {}).get(kind.name, [])
            # a kind can be delegated or switched on by a test, whatever the default
            if expected and not tests:
                found.append(f"{kind.name} ({how}): no test where it is {said(where)}")
            elif tests and not expected and where != "delegated":
                found.append(f"{kind.name} ({how}): is {said(where)} in {tests[0]}")
    return found


def said(where: str) -> str:
    return "answered by its default delegate" if where == "delegated" else f"asked at {where} detail"


def reached_table(ruleset: Ruleset, asked: Asked) -> Table:
    table = Table(title=f"{ruleset.id}: tests that come to each kind of decision")
    table.add_column("kind", no_wrap=True)
    for name in ("page says", "squad", "full", "delegated"):
        table.add_column(name, justify="right" if name != "page says" else "left")
    for kind in ruleset.kinds:
        counts = [str(len(asked.get(where, {}).get(kind.name, []))) for where in ("squad", "full", "delegated")]
        table.add_row(kind.name, asked_at_squad(ruleset, kind), *counts)
    return table


# ---------------------------------------------------------------- the program


def main(
    ruleset: Annotated[str | None, typer.Option(help="Whose decisions. Default: a page for each ruleset.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The page; with --ruleset. Default: docs/decisions.md or docs/decisions-<id>.md."),
    ] = None,
    battles: Annotated[int, typer.Option(min=1, help="Plays of each shipped battle at each level of detail.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first play of each; the next has the next one.")] = 0,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a page differs, its averages aside.")
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
    """Write the pages of all decisions, or check them.

    Exits 1 where a check fails, 2 where a page or the results of the tests cannot be read.
    """
    if out is not None and ruleset is None:
        fail("--out: expected with --ruleset, whose page it is")
    try:
        chosen = [game_named(name).ruleset for name in ([ruleset] if ruleset is not None else rulesets())]
    except ContentError as error:
        fail(str(error))
    pages = {game.id: out or page_of(game) for game in chosen}
    if check_asked:
        if asked is not None and not asked.is_file():
            fail(f"{asked}: no such file")
        faults: list[str] = []
        tables = []
        for game in chosen:
            results = read_asked(game, asked) if asked is not None else run_tests(game, workers)
            faults += [f"{game.id}: {fault}" for fault in unreached(game, results)]
            tables.append(reached_table(game, results))
        tell(faults, json_, tables)
    elif check:
        for path in pages.values():
            if not path.is_file():
                fail(f"{path}: no such page")
        tell([line for game in chosen for line in differences(game, pages[game.id])], json_)
    else:
        write(chosen, pages, battles, seed, json_)


def write(chosen: list[Ruleset], pages: Mapping[str, Path], battles: int, seed: int, as_json: bool) -> None:
    """Write the pages of some rulesets."""
    for path in pages.values():
        writable(path, "--out")
    told = []
    for game in chosen:
        sample, path = measure(game, battles, seed), pages[game.id]
        with replacing(path) as draft:
            draft.write_text(render(game, sample), encoding="utf-8")
        told.append({"ruleset": game.id, "page": str(path), "per_battle": sample.shown})
        if not as_json:
            typer.echo(f"{path}: {len(game.kinds)} kinds, {len(choices_in(game))} choices in files")
    if as_json:
        typer.echo(json.dumps(told, indent=1, sort_keys=True))


def tell(faults: list[str], as_json: bool, tables: Iterable[Table] = ()) -> None:
    """Print the faults of a check; exit 1 if there are any."""
    if as_json:
        typer.echo(json.dumps({"faults": faults}, indent=1))
    else:
        for table in tables:
            Console().print(table)
        for line in faults:
            typer.echo(line)
    if faults:
        typer.echo(f"check: {len(faults)} faults", err=True)
        raise typer.Exit(1)


if __name__ == "__main__":
    run(main)
