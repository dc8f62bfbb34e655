"""Write docs/example-battle.md: a battle of regiments from deployment to victory points, each line with its rules."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.agents.programs import fail, run
from wh_env.agents.report import Reporter
from wh_env.content.rulebook import catalogue
from wh_env.core.files import replacing

PAGE = Path(__file__).resolve().parents[1] / "docs" / "example-battle.md"
BATTLE, POLICY, SEED = "wap/random-clash?seed=9", "greedy", 9
LINE = re.compile(r"   (?P<words>.*?)(?:  \[(?P<rules>[^\]]+)\])?$")
INTRODUCTION = f"""# A battle, line by line

Two random armies of about 1,000 points meet, and `{POLICY}` plays both sides. Each line below is what
happened, and the ids of the rules by which it happened; [the rules](#the-rules-of-this-battle) stand at
the end of the page. Distances are inches; places are inches from the south-western corner of the table.

Play the same battle, check it byte for byte, and open it as a page with its table, dice and charts:

```sh
python scripts/play.py --battle '{BATTLE}' --agents {POLICY} {POLICY} --seed {SEED} --replay out/example.replay
python scripts/replay.py verify out/example.replay
python scripts/replay.py render out/example.replay --html out/example.html
```

`scripts/example_battle.py` writes this page.
"""


def report() -> list[str]:
    """The battle's report, with the ids of its rules."""
    battle = Battle.load(BATTLE, SEED, record=True)
    reporter = Reporter(battle, rules=True)
    play_battle(battle, [make(POLICY, SEED + player) for player in range(2)], reporter)
    return [*armies(battle), *reporter.finish()]


def armies(battle: Battle) -> Iterator[str]:
    """A table of the units, with their models at first."""
    names, units = battle.setup.names, battle.units
    yield "== The armies =="
    for player, army in enumerate(names["players"]):
        own = [row for row, owner in enumerate(units.owner) if owner == player and units.count[row]]
        listed = ", ".join(f"{names['units'][row]} ({units.count[row]})" for row in own)
        yield f"   player {player}, {army}, with the number of models: {listed}."


def written(lines: list[str]) -> Iterator[str]:
    """The report as Markdown, and then the rules that it names."""
    named = dict[str, None]()
    for line in lines:
        if line.startswith("== "):
            yield f"\n## {line.strip('= ')}\n"
        elif line.startswith("-- "):
            yield f"\n### {line.strip('- ')}\n"
        elif line.strip():
            yield listed(line, named)
    yield "\n## The rules of this battle\n"
    yield "| rule | what it says |"
    yield "| --- | --- |"
    rules = catalogue("wap")
    for rule in sorted(named):
        entry = rules[rule]
        yield f"| **{entry['title']}** `{rule}` | {' '.join(entry['rule'].split()).replace('|', '/')} |"


def listed(line: str, named: dict[str, None]) -> str:
    """A line of the report as an item of a list. Its rules are added to ``named``."""
    match = LINE.match(line)
    if match is None or match["rules"] is None:
        return f"- {line.strip()}"
    rules = [rule for rule in match["rules"].split(", ") if rule in catalogue("wap")]
    named.update(dict.fromkeys(rules))
    return f"- {match['words']} {' '.join(f'`{rule}`' for rule in rules)}".rstrip()


def main(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if the page is out of date.")] = False,
) -> None:
    """Write docs/example-battle.md, or check it.

    Example: example_battle.py --check
    """
    page = re.sub(r"\n{3,}", "\n\n", INTRODUCTION + "\n".join(written(report())) + "\n")
    if not check:
        with replacing(PAGE) as draft:
            draft.write_text(page, encoding="utf-8")
        typer.echo(f"{PAGE.name}: {len(page.splitlines())} lines")
        return
    if not PAGE.is_file():
        fail(f"{PAGE}: no such page")
    before = PAGE.read_text(encoding="utf-8")
    typer.echo("".join(difflib.unified_diff(before.splitlines(True), page.splitlines(True), PAGE.name, "as it plays")))
    raise typer.Exit(int(before != page))


if __name__ == "__main__":
    run(main)
