"""Write the table of environments in README.md and docs/environments.md.

The table comes from the registered environments and from battles played at random.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Annotated

import typer

from wh_env import Battle, ContentError
from wh_env.agents.match import play_battle
from wh_env.agents.policies import RandomPolicy
from wh_env.agents.programs import run
from wh_env.core.files import replacing
from wh_env.envs.observation import SIZE
from wh_env.envs.registry import environment, environment_id, rulesets

PROJECT = Path(__file__).resolve().parents[1]
PAGES = (PROJECT / "README.md", PROJECT / "docs" / "environments.md")
BEGIN, END = "<!-- environments: made by scripts/environments.py -->\n", "<!-- end of environments -->\n"
GAMES = 5  # battles, with seeds from 1 on, over which the number of decisions is averaged


@dataclass(frozen=True)
class Entry:
    """One environment and its size: a row of the table.

    Attributes:
        id: id for Gymnasium and PettingZoo.
        module: module for PettingZoo.
        game: name of the game.
        battle: default battle.
        skirmish: a small battle to start with.
        actions: number of actions.
        observation: numbers in the vector.
        decisions: decisions in a random play of ``battle``, both seats together.
        skirmish_decisions: the same of ``skirmish``.
    """

    id: str
    module: str
    game: str
    battle: str
    skirmish: str
    actions: int
    observation: int
    decisions: int
    skirmish_decisions: int


def decisions_of(battle: str) -> int:
    """Average number of decisions in a battle between random players, rounded to tens."""
    counts = []
    for seed in range(1, GAMES + 1):
        played = Battle.load(battle, seed)
        play_battle(played, [RandomPolicy(seed), RandomPolicy(seed + GAMES)])
        counts.append(int(played.clock.decisions[0]))
    return 10 * round(mean(counts) / 10)


def entries() -> list[Entry]:
    """All environments, ordered by id."""
    rows = []
    for ruleset in rulesets():
        config = environment(ruleset)
        rows.append(
            Entry(
                id=environment_id(ruleset),
                module=f"wh_env.{ruleset}_v{config.version}",
                game=config.game,
                battle=config.battle,
                skirmish=config.skirmish,
                actions=Battle.load(config.battle, 0).setup.space.size,
                observation=SIZE,
                decisions=decisions_of(config.battle),
                skirmish_decisions=decisions_of(config.skirmish),
            )
        )
    return rows


def table(rows: list[Entry]) -> str:
    """The table, in Markdown."""
    lines = [
        "| id (Gymnasium, PettingZoo) | module | game | battle, decisions | for a start, decisions "
        "| actions | observation |",
        "| --- | --- | --- | --- | --- | ---: | ---: |",
        *(
            f"| `{e.id}` | `{e.module}` | {e.game} | `{e.battle}`, {e.decisions} "
            f"| `{e.skirmish}`, {e.skirmish_decisions} | {e.actions} | {e.observation} |"
            for e in rows
        ),
    ]
    return "\n".join(lines) + "\n"


def with_table(page: Path, new_table: str) -> str:
    """The text of a page with the new table between its two marks.

    Raises:
        ContentError: the page lacks a mark.
    """
    head, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        expected = f"the lines {BEGIN.strip()!r} and {END.strip()!r}"
        raise ContentError(page.name, "", "the page", expected, "lacks a mark")
    return head + begin + new_table + end + tail


def main(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 if a page is out of date.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the environments as JSON and change nothing.")] = False,
) -> None:
    """Write the table of environments into README.md and docs/environments.md.

    Example: environments.py --check
    """
    rows = entries()
    if json_:
        typer.echo(json.dumps([asdict(entry) for entry in rows], indent=1))
        return
    new_table, stale = table(rows), False
    for page in PAGES:
        before, after = page.read_text(encoding="utf-8"), with_table(page, new_table)
        if check:
            stale = stale or before != after
            lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), page.name, "as it should be")
            typer.echo("".join(lines))
        else:
            with replacing(page) as draft:
                draft.write_text(after, encoding="utf-8")
            typer.echo(f"{page.name}: {len(rows)} environments")
    raise typer.Exit(int(stale))


if __name__ == "__main__":
    run(main)
