"""Write or check the pages with every decision of a ruleset: who decides, at which level of detail, and how often."""

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
NOBODY = (
    "nobody is asked"  # a ruling says so if one answer is never worse than the others for the player who would decide
)
FIRST_LEGAL = "first legal"
NOT_BUILT = "Not built yet."
WIDE = 100
Rules = dict[str, dict[str, Any]]


def page_of(ruleset: Ruleset) -> Path:
    """The path of a ruleset's page."""
    name = "decisions.md" if ruleset.id == DEFAULT_RULESET else f"decisions-{ruleset.id}.md"
    return PROJECT / "docs" / name


def head(ruleset: Ruleset) -> str:
    """The first part of a page: where it comes from and what its columns mean."""
    off = f' "off": {ruleset.off}.' if ruleset.off else ""
    delegated = f" or, {ruleset.delegated_by}" if ruleset.delegated_by else ""
    source = (
        f"`scripts/decisions.py` writes this page from the ruleset `{ruleset.id}`, the choices of its `Game` and "
        f"`docs/rules/{ruleset.id}.yaml`. Edit those, then run the program again."
    )
    columns = (
        "*who*: who decides, in the words of the catalogue, for each rule with a `decision` that this kind serves.",
        '*squad*: whether the decision is asked at `detail="squad"`. "yes": it is asked. "delegated": its default '
        'delegate answers it. "full only": it does not occur, because the squad procedure does something else '
        'instead. "squad only": it occurs only in the squad procedure; at full detail, decisions for each model or '
        f"weapon take its place.{off}",
        "*default delegate*: what answers the decision if it is delegated: by the level of detail, by "
        f'`delegates={{name: policy}}`{delegated or " in a battle"}. For a kind that is "full only": what the squad '
        "procedure does instead. A decision with one option is never asked.",
    )
    return f"# The decisions of {environment(ruleset.id).game}\n\n{wrapped(source)}\n\n" + "".join(
        f"{wrapped(f'- {text}')}\n" for text in columns
    )


def wrapped(text: str) -> str:
    """A paragraph, or an item of a list, wrapped into lines."""
    indent = "  " if text.startswith("- ") else ""
    return textwrap.fill(text, WIDE, subsequent_indent=indent, break_on_hyphens=False)


# ---------------------------------------------------------------- what the code and the catalogue say


def waivers() -> dict[str, str]:
    """For each waived rule by id, the reason."""
    return {entry["id"]: entry["reason"] for entry in read_yaml(WAIVERS)}


def decided(rules: Rules) -> list[str]:
    """Ids of the rules that give a player a decision."""
    return [rule for rule, entry in rules.items() if "decision" in entry]


def kinds_of(ruleset: Ruleset, rule: str) -> list[str]:
    """Names of the kinds of decision that serve a rule."""
    return [kind.name for kind in ruleset.kinds if rule in kind.rules]


def choices_in(ruleset: Ruleset) -> list[Choice]:
    """The choices that files of a ruleset contain."""
    return list(GAMES[ruleset.id].choices)


def choices_of(rule: str) -> list[Choice]:
    """The choices in files that serve a rule."""
    return [choice for game in GAMES.values() for choice in game.choices if rule in choice.rules]


def nowhere(ruleset: Ruleset) -> list[str]:
    """Ids of the rules whose decision is neither asked in a battle, nor made in a file, nor settled by a ruling."""
    ids, known = decided(catalogue(ruleset.id)), settled()
    return [rule for rule in ids if not kinds_of(ruleset, rule) and not choices_of(rule) and rule not in known]


def settled() -> dict[str, str]:
    """By id of the rule, the rulings which say that nobody is asked."""
    rows = [line.split(" | ") for line in RULINGS.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return {row[0].removeprefix("| "): row[1] for row in rows if NOBODY in row[1]}


def words(text: str | None) -> str:
    """The words of a text on one line."""
    return " ".join((text or "").split())


def who(served: tuple[str, ...], rules: Rules) -> str:
    """Who decides, from the catalogue: each rule's text up to "when" or to the first comma, colon or long bracket."""
    deciders = []
    for rule in served:
        text = words(rules.get(rule, {}).get("decision"))
        match = re.match(r"(?:\([^)]*\)|[^,:(])+", text)
        if match and match.group().strip() not in deciders:
            deciders.append(match.group().strip())
    return "; ".join(deciders)


def asked_at_squad(ruleset: Ruleset, kind: DecisionKind) -> str:
    """The text of the column *squad*: off, squad only, yes, full only or delegated."""
    if not ruleset.in_play(kind, "squad"):
        return "off"
    if not kind.full:
        return "squad only"
    if kind.squad:
        return "yes"
    return "full only" if kind.instead else "delegated"


def delegate(kind: DecisionKind) -> str:
    """The text of the column *default delegate*."""
    return kind.instead or kind.policy or FIRST_LEGAL


# ---------------------------------------------------------------- how often


@dataclass
class Sample:
    """How often each kind of decision is asked in a battle.

    Attributes:
        sentence: the sentence of the page that names the battles.
        shown: by level of detail and kind, the average as the page shows it; under ``all``, that of all kinds
            together.
    """

    sentence: str = ""
    shown: dict[str, dict[str, str]] = field(default_factory=lambda: {"squad": {}, "full": {}})


def play(battle: str, seed: int, detail: str, rules: Mapping[str, Any]) -> Counter[str]:
    """Play one battle at random and count how often each kind of decision is asked."""
    count: Counter[str] = Counter()
    game, chance = Battle.load(battle, seed, detail=detail, rules=dict(rules)), random.Random(seed)
    while (decision := game.decision) is not None:
        count[decision.kind] += 1
        game.apply(chance.choice(decision.options))
    return count


def measure(ruleset: Ruleset, battles: int, seed: int) -> Sample:
    """Play every battle that the project ships ``battles`` times at each level of detail, and average the counts."""
    shipped = names("battles", ruleset.id)
    switches = ticked(f"{name}: {value}" for name, value in ruleset.by_players.items())
    asked = (
        f" The players are asked for choices that files can make for them (`rules`: {switches})." if switches else ""
    )
    text = (
        f"- *per battle*: how often the decision is asked in random play. This is the average of {battles} plays of "
        f"each of {ticked(shipped)}, with seeds from {seed} on.{asked} `-`: never."
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
    """A row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def ticked(texts: Iterable[str]) -> str:
    """Texts in back quotes, separated by commas."""
    return ", ".join(f"`{text}`" for text in texts)


def often(number: float) -> str:
    """An average with one decimal, or with two if it is below 0.1."""
    return f"{number:.1f}" if number >= 0.1 else f"{number:.2f}"


def render(ruleset: Ruleset, sample: Sample) -> str:
    """The text of the page.

    Args:
        ruleset: whose decisions it lists.
        sample: the averages that it shows.
    """
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
    text += "\n## Left out\n\n"
    reasons = waivers()
    left_out = [f"- `{rule}`: {rules[rule]['title']}. {reasons.get(rule, NOT_BUILT)}\n" for rule in nowhere(ruleset)]
    return text + ("".join(left_out) or "None: every decision of the catalogue is in one of the tables.\n")


def in_files(ruleset: Ruleset, rules: Rules) -> str:
    """The table of the choices that files make; empty if there are none."""
    choices = choices_in(ruleset)
    if not choices:
        return ""
    text = (
        "\n## Rules whose decisions are made in files\n\n"
        "Army lists, maps and battle files contain the choices that are made before a battle begins. *asked*: the\n"
        "entry of `rules` with which the players are asked in the battle instead.\n\n"
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
    """The averages in the text of a page."""
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
    """Compare the page at ``path`` with the code and the catalogue.

    The averages are not compared, because they change with the engine.

    Returns:
        Lines to delete, which begin with -, and lines to add, which begin with +.
    """
    written = path.read_text(encoding="utf-8", errors="replace")  # bytes that are no text count as a difference
    expected = render(ruleset, sample_of(written))
    changes = difflib.unified_diff(written.splitlines(), expected.splitlines(), lineterm="", n=0)
    return [line for line in changes if not line.startswith(("@@", "---", "+++"))]


# ---------------------------------------------------------------- whether tests come to every kind

Asked = dict[str, dict[str, list[str]]]  # by "squad", "full" or "delegated", then by kind: ids of tests


def run_tests(ruleset: Ruleset, workers: int) -> Asked:
    """Run the rule tests of a ruleset and return which tests meet which kinds of decision.

    Args:
        ruleset: whose tests are run.
        workers: number of processes; 0 runs the tests without pytest-xdist.

    Raises:
        typer.Exit: the tests could not be run.
    """
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
    """Read the part about a ruleset from a file that ``pytest --asked-kinds`` has written.

    Raises:
        typer.Exit: the file has another form.
    """
    try:
        report = json.loads(path.read_text(encoding="utf-8")).get(ruleset.id, {})
        asked: Asked = {str(kind): dict(how) for kind, how in report.items()}
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        fail(f"{path}: {type(error).__name__}: {error}; expected what pytest --asked-kinds has written")
    return asked


def unreached(ruleset: Ruleset, asked: Asked) -> list[str]:
    """Compare the column *squad* with what the tests show.

    Returns:
        A sentence for each kind that no test meets where the page says it occurs, or that a test meets where the page
        says it does not.
    """
    faults = []
    for kind in ruleset.kinds:
        how = asked_at_squad(ruleset, kind)
        occurs = {
            "squad": how in ("yes", "squad only", "off"),
            "full": how != "squad only",
            "delegated": how == "delegated",
        }
        for where, expected in occurs.items():
            tests = asked.get(where, {}).get(kind.name, [])
            # a test may delegate a kind or switch it on, whatever its default is
            if expected and not tests:
                faults.append(f"{kind.name} ({how}): no test where it is {in_words(where)}")
            elif tests and not expected and where != "delegated":
                faults.append(f"{kind.name} ({how}): is {in_words(where)} in {tests[0]}")
    return faults


def in_words(where: str) -> str:
    """How a kind was met, for a sentence."""
    return "answered by its default delegate" if where == "delegated" else f"asked at {where} detail"


def reached_table(ruleset: Ruleset, asked: Asked) -> Table:
    """A table with the number of tests that meet each kind."""
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
    ruleset: Annotated[
        str | None, typer.Option(help="Write or check the page of this ruleset. Default: the pages of all.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="File of the page, with --ruleset. Default: docs/decisions.md or docs/decisions-<id>.md."),
    ] = None,
    battles: Annotated[
        int, typer.Option(min=1, help="How often each shipped battle is played at each level of detail.")
    ] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first play of each battle; later plays count on.")] = 0,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a page is out of date, except its averages.")
    ] = False,
    check_asked: Annotated[
        bool,
        typer.Option("--check-asked", help="Write nothing; run the rule tests and exit 1 unless they meet every kind."),
    ] = False,
    asked: Annotated[
        Path | None,
        typer.Option(help="With --check-asked: read this file of pytest --asked-kinds, instead of running tests."),
    ] = None,
    workers: Annotated[int, typer.Option(help="Number of processes that run the tests. 0: only this one.")] = 2,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Write the pages with all decisions, or check them.

    Exits with 1 if a check finds a fault, and with 2 if a page or the results of the tests cannot be read.

    Example: decisions.py --check --ruleset w10
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
    """Write the pages of the rulesets ``chosen`` to the paths in ``pages``, and print what was written."""
    for path in pages.values():
        writable(path, "--out")
    written = []
    for game in chosen:
        sample, path = measure(game, battles, seed), pages[game.id]
        with replacing(path) as draft:
            draft.write_text(render(game, sample), encoding="utf-8")
        written.append({"ruleset": game.id, "page": str(path), "per_battle": sample.shown})
        if not as_json:
            typer.echo(f"{path}: {len(game.kinds)} kinds, {len(choices_in(game))} choices in files")
    if as_json:
        typer.echo(json.dumps(written, indent=1, sort_keys=True))


def tell(faults: list[str], as_json: bool, tables: Iterable[Table] = ()) -> None:
    """Print the faults of a check, after ``tables``.

    Raises:
        typer.Exit: there are faults.
    """
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
