"""Some 350 battles of random play, of which only digests are kept: wide where the golden battles are deep.

``python tests/golden_sweep.py`` plays them all and writes ``tests/golden/sweep.jsonl``, a line for each battle, and
``tests/golden/sweep-columns.txt``, digests of the columns of the state by group of battles, and says which procedures and kinds never
came up; with ``--ruleset ID`` it plays those of one game anew and leaves the others. With ``--trace NAME`` it writes one battle in words
instead, with its digests where the sweep has marks.

Players choose by a generator of this module, so that a change of a policy changes no battle.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
from golden_battles import (
    LONG,
    SHORT,
    Outcome,
    Running,
    Trace,
    column_digests,
    folded,
    read_lines,
    sweep_difference,
    write_lines,
)
from golden_scenes import SCENES
from rich.progress import track

from wh_env import Battle
from wh_env.content.games import GAMES
from wh_env.core.actions import ActionSpace
from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array

GOLDEN = Path(__file__).parent / "golden"
SWEEP, COLUMNS = GOLDEN / "sweep.jsonl", GOLDEN / "sweep-columns.txt"
GROUPS = {"w10": 7, "epic": 3, "w9": 2, "w8": 2, "wap": 2}  # of battles, each played by one test
EVERY = {"squad": 40, "full": 160}  # decisions between two marks
KEEN = 0.8  # how often a keen player does something where he need not
NEVER = "-"  # in the table of columns: it was zero throughout
TO_THE_END = 5000  # decisions; few battles have more
MODIFIERS = [
    {"effect": "+1 to hit", "keyword": "INFANTRY"},
    {"effect": "-1 to wound", "keyword": "MONSTER", "of": "model"},
    {"effect": "+1 Attacks", "keyword": "CHARACTER", "player": 0},
]
ROLLS = ("charge", "advance", "hit", "wound", "save", "damage")
UNUSUAL, UNUSUAL_OF_OLD = (
    {"rerolls": [{"player": player, "roll": roll} for player in (0, 1) for roll in rolls], "modifiers": MODIFIERS}
    for rolls in ((*ROLLS, "battle-shock"), (*ROLLS, "morale", "psychic", "deny"))
)


@dataclass(frozen=True)
class Played:
    """One battle of the sweep.

    Attributes:
        name: of the battle in the sweep; its number is part of it. ruleset: its game.
        source: name of the battle, or of a scene (``golden_scenes``). detail: its level. seed: of dice and players.
        rules: that override those of the battle. most: decisions after which it is cut.
        enter: phase, player and battle round that it goes on from when deployment is over.
        keen: players rather act than pass.
    """

    name: str
    ruleset: str
    source: str
    detail: str
    seed: int
    rules: Mapping[str, Any]
    most: int
    enter: tuple[str, int, int] | None = None
    keen: bool = False

    @property
    def every(self) -> int:
        """Decisions between two marks."""
        return EVERY[self.detail]

    def start(self) -> Battle:
        """The battle before its first decision."""
        if self.source in SCENES:
            return SCENES[self.source](self.seed, self.detail)
        return Battle.load(self.source, self.seed, detail=self.detail, record=True, rules=self.rules)


class Drawn:
    """Makes the battles of the sweep, each with the next number of its game."""

    def __init__(self) -> None:
        self.number = Counter[str]()

    def __call__(self, source: str, detail: str, most: int = TO_THE_END, tag: str = "", **more: Any) -> Played:
        game = source.partition("/")[0] if "/" in source else "epic" if source.startswith("epic") else "w10"
        n = self.number[game] = self.number[game] + 1
        name = "-".join([game, f"{n:03}", source.split("/")[-1].split("?")[0], detail, *([tag] if tag else [])])
        rules = more.pop("rules", {})
        return Played(
            name, game, source.format(n), detail, 1000 + n, rules, most, keen=Random(n).random() < 0.6, **more
        )


def described() -> Iterator[Played]:
    """All battles of the sweep."""
    battle = Drawn()
    yield from tenth(battle)
    yield from epic(battle)
    yield from ninth(battle)
    yield from eighth(battle)
    yield from regiments(battle)


def tenth(battle: Drawn) -> Iterator[Played]:
    """The 10th edition: shipped and drawn armies, its switches, positions of ``golden_scenes``."""
    shipped = [f"w10/only-war-{size}" for size in ("skirmish", "incursion", "incursion-2", "strike-force")]
    drawn = [
        f"w10/random-{size}?seed={{}}&layout={layout}&markers={markers}"
        for size in ("skirmish", "incursion", "strike-force")
        for layout, markers in (("turned", "battlefield"), ("even", "players"))
    ]
    everything = {"stratagems": {"command-re-roll": "ask"}}
    by_policy = {"stratagems": {"command-re-roll": "delegate", "fire-overwatch": "off", "grenade": "delegate"}}
    for turn in range(4):
        cut = TO_THE_END if turn % 2 == 0 else 150 + 60 * turn
        for source in (*shipped, *drawn):
            yield battle(source, "squad", cut)
    for turn in range(3):
        for source in (shipped[turn], drawn[2 * turn]):
            yield battle(source, "squad", tag="choose", rules={"formations": "choose"})
            yield battle(source, "squad", tag="terrain", rules={"terrain": "players"})
            yield battle(source, "squad", tag="re-roll", rules=everything)
            yield battle(source, "squad", tag="delegated", rules=by_policy)
            yield battle(source, "squad", tag="rerolls", rules=UNUSUAL)
    for turn in range(2):
        for at, source in enumerate((*shipped[:3], *drawn[:4])):
            yield battle(source, "full", 700 + 300 * at if turn else TO_THE_END)
    for turn, source in enumerate((shipped[0], drawn[0], drawn[1])):
        for tag, rules in (
            ("choose", {"formations": "choose"}),
            ("terrain", {"terrain": "players"}),
            ("re-roll", everything),
            ("rerolls", UNUSUAL),
        ):
            yield battle(source, "full", 1500 - 200 * turn, tag=tag, rules=rules)
    for at, phase in enumerate(("command", "movement", "shooting", "charge", "fight", "end")):
        yield battle(shipped[at % 2], "squad", 200, tag=f"from-{phase}", enter=(phase, at % 2, 2 + at % 3))
    for scene in (name for name in SCENES if not name.startswith("epic")):
        for turn in range(3):
            yield battle(scene, "squad", TO_THE_END)
            yield battle(scene, "full", 900 - 250 * turn)


def epic(battle: Drawn) -> Iterator[Played]:
    """The Epic-scale game."""
    fields = [f"epic/{name}" for name in ("bridgehead", "river-crossing", "broken-country")]
    for turn in range(3):
        for how in ("alternate", "one-army-first", "secret"):
            for source in fields:
                yield battle(source, "squad", TO_THE_END if turn else 90, tag=how, rules={"deployment": how})
                yield battle(source, "full", (TO_THE_END, 300, 500)[turn], tag=how, rules={"deployment": how})
    for scene in (name for name in SCENES if name.startswith("epic")):
        for _ in range(5):
            yield battle(scene, "squad")
            yield battle(scene, "full")
    for at, phase in enumerate(("orders", "movement", "fire", "assault", "rally", "end")):
        yield battle(fields[at % 3], "squad", tag=f"from-{phase}", enter=(phase, at % 2, 2))


def ninth(battle: Drawn) -> Iterator[Played]:
    """The 9th edition, with what it has beyond the 10th: powers, actions, Detachments, Strategic Reserves."""
    shipped = ["w9/only-war-patrol", "w9/only-war-incursion"]
    drawn = ["w9/random-patrol?seed={}", "w9/random-incursion?seed={}"]
    switches = (
        ("choose", {"formations": "choose"}),
        ("terrain", {"terrain": "players"}),
        ("re-roll", {"stratagems": {"command-re-roll": "ask"}}),
        ("rerolls", UNUSUAL_OF_OLD),
    )
    yield from classic(battle, shipped, drawn, switches)
    for at, phase in enumerate(("command", "movement", "psychic", "shooting", "charge", "fight", "morale", "end")):
        yield battle(shipped[at % 2], "squad", 200, tag=f"from-{phase}", enter=(phase, at % 2, 2 + at % 3))


def eighth(battle: Drawn) -> Iterator[Played]:
    """The 8th edition: armies by Power, Warlords, halves of the table."""
    shipped = ["w8/only-war-skirmish", "w8/only-war"]
    drawn = ["w8/random-skirmish?seed={}", "w8/random-war?seed={}"]
    switches = (
        ("choose", {"formations": "choose", "warlords": "choose"}),
        ("terrain", {"terrain": "players", "markers": "players"}),
        ("rerolls", UNUSUAL_OF_OLD),
    )
    yield from classic(battle, shipped, drawn, switches)
    for at, phase in enumerate(("movement", "psychic", "shooting", "charge", "fight", "morale", "end")):
        yield battle(shipped[at % 2], "squad", 200, tag=f"from-{phase}", enter=(phase, at % 2, 2 + at % 3))


def classic(
    battle: Drawn, shipped: Sequence[str], drawn: Sequence[str], switches: Sequence[tuple[str, Mapping[str, Any]]]
) -> Iterator[Played]:
    """Battles of an edition with shipped and drawn armies, and with its switches."""
    for turn in range(4):
        for source in (*shipped, *drawn):
            yield battle(source, "squad", (TO_THE_END, 150, 330, TO_THE_END)[turn])
    for turn, source in enumerate((*shipped, *drawn)):
        yield battle(source, "full", TO_THE_END if turn % 2 == 0 else 1200)
        for tag, rules in switches:
            yield battle(source, "squad", tag=tag, rules=rules)
            yield battle(source, "full", 900, tag=tag, rules=rules)


LED = ("wap/open-heroes", "wap/open-menagerie")  # regiments with characters, monsters, chariots


def regiments(battle: Drawn) -> Iterator[Played]:
    """Regiments in ranks."""
    for turn in range(6):
        for source in ("wap/open-skirmish", "wap/open-field", *LED[: 2 * (turn < 2)]):
            yield battle(source, "squad", TO_THE_END if turn % 3 else 90)
            yield battle(source, "full", (TO_THE_END, 150, 250)[turn % 3])


BATTLES = {battle.name: battle for battle in described()}


def group(ruleset: str, number: int) -> list[Played]:
    """The battles of a group."""
    return [battle for battle in BATTLES.values() if battle.ruleset == ruleset][number :: GROUPS[ruleset]]


# ---------------------------------------------------------------- playing


class Chooser:
    """A random player: every legal action with the same probability; a keen one seldom passes (``done``), and chooses first among the
    segments of the action space, so that he rather acts on an enemy than goes anywhere."""

    def __init__(self, space: ActionSpace, seed: int, keen: bool) -> None:
        self.chance, self.keen = Random(seed), keen
        self.starts = [1, space.own, space.enemy, space.cell, space.angle, space.number, space.model, space.size]

    def act(self, mask: Array) -> int:
        """A legal action."""
        options = np.flatnonzero(mask)
        if self.keen and (options[0] or self.chance.random() < KEEN):
            at = np.searchsorted(options, self.starts).tolist()
            parts = [(low, high) for low, high in pairwise(at) if low < high]
            if parts:
                low, high = self.chance.choice(parts)
                options = options[low:high]
        return int(options[int(self.chance.random() * len(options))])


def play(described: Played, trace: Trace | None = None) -> tuple[Outcome, dict[str, str]]:
    """What is kept of a battle, and the running digests of its columns; ``trace`` is told all of it."""
    game = described.start()
    players, running = Chooser(game.setup.space, described.seed, described.keen), Running()
    clock, enter = game.clock, described.enter
    marks: list[str] = []
    folds: dict[str, str] = {}
    if trace is not None:
        trace.after(game)

    def mark(size: int) -> list[str]:
        columns = column_digests(game)
        folded(columns, f"{described.name} {clock.decisions[0]}", folds)
        running.catch_up(game)
        return running.digests(columns, size)

    while not game.over and clock.decisions[0] < described.most:
        if enter is not None and clock.round[0] > 0:
            clock.depth[0] = clock.asking[0] = 0
            game.setup.ruleset.enter(game, *enter)
            game.run()
            enter = None
            continue
        mask = game.legal()
        action = players.act(mask)
        running.choice(game, mask, action)
        if trace is not None:
            trace.before(game, action)
        game.apply(action)
        if trace is not None:
            trace.after(game)
        if clock.decisions[0] % described.every == 0:
            marks.append(" ".join(mark(SHORT)))
            if trace is not None:
                trace.lines.append(f"---- choices, events, state: {marks[-1]}")
    points = ":".join(str(points) for points in game.players.vp)
    end = f"{'over' if game.over else 'cut'} in round {clock.round[0]} at {points}"
    return Outcome(described.name, clock.decisions[0], end, described.every, marks, mark(LONG)), folds


def play_group(ruleset: str, number: int) -> tuple[list[Outcome], dict[str, str]]:
    """What is kept of the battles of a group, and digests of the columns of the state in all of them."""
    outcomes, columns = [], {}
    for described in group(ruleset, number):
        outcome, folds = play(described)
        outcomes.append(outcome)
        folded(folds, described.name, columns)
    return outcomes, columns


# ---------------------------------------------------------------- what is kept


def kept_outcomes() -> list[Outcome]:
    """What is kept of all battles."""
    return [Outcome.parse(line) for line in read_lines(SWEEP)]


def kept_columns(ruleset: str, number: int) -> dict[str, str]:
    """What is kept of the columns in a group."""
    rows = [line.split() for line in read_lines(COLUMNS)]
    return {name: told[number] for rules, name, *told in rows if rules == ruleset and told[number] != NEVER}


def difference(ruleset: str, number: int) -> str | None:
    """What differs in the battles of a group as they are played now, in words; ``None`` if nothing does."""
    now, columns = play_group(ruleset, number)
    names = {described.name for described in group(ruleset, number)}
    mine = [outcome for outcome in kept_outcomes() if outcome.name in names]
    how = "python tests/golden_sweep.py --trace {}"
    return sweep_difference(mine, now, kept_columns(ruleset, number), columns, how)


class Occurring:
    """Counts, while it is entered, which procedures are pushed and which kinds asked, of a player or of a delegate, by ruleset."""

    def __init__(self) -> None:
        self.procedures: Counter[tuple[str, str]] = Counter()
        self.kinds: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> Occurring:
        push, ask = BattleCore.push, BattleCore.ask

        def pushing(battle: BattleCore, procedure: type, *values: int) -> None:
            self.procedures[
                battle.setup.ruleset.id,
                type(battle.setup.ruleset.procedures[battle.setup.ruleset.number[procedure]]).__name__,
            ] += 1
            push(battle, procedure, *values)

        def asking(battle: BattleCore, kind: Any, player: int, subject: int = -1) -> int:
            self.kinds[battle.setup.ruleset.id, kind.name] += 1
            return ask(battle, kind, player, subject)

        self._patch = patch.multiple(BattleCore, push=pushing, ask=asking)
        self._patch.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._patch.stop()

    def never(self) -> list[str]:
        """A line for each ruleset and sort of what never came up."""
        lines = []
        for name, game in GAMES.items():
            procedures = [
                type(p).__name__ for p in game.ruleset.procedures if not self.procedures[name, type(p).__name__]
            ]
            kinds = [kind.name for kind in game.ruleset.kinds if not self.kinds[name, kind.name]]
            lines.append(f"{name}, procedures never pushed: {', '.join(procedures) or 'none'}")
            lines.append(f"{name}, kinds never asked: {', '.join(kinds) or 'none'}")
        return lines


def write(rulesets: Sequence[str]) -> None:
    """Play the battles of these rulesets and write what is kept of them; what is kept of others stays."""
    table: dict[str, list[str]] = {}
    lines: dict[str, str] = {}
    for outcome in kept_outcomes():
        lines[outcome.name] = outcome.line()
    for game, name, *told in (line.split() for line in read_lines(COLUMNS)):
        if game in GROUPS and game not in rulesets:
            table[f"{game} {name}"] = told
    groups = [(ruleset, number) for ruleset in rulesets for number in range(GROUPS[ruleset])]
    with Occurring() as occurring:
        for ruleset, number in track(groups, "sweep"):
            outcomes, columns = play_group(ruleset, number)
            lines.update((outcome.name, outcome.line()) for outcome in outcomes)
            for name, told in columns.items():
                row = table.setdefault(f"{ruleset} {name}", [NEVER] * GROUPS[ruleset])
                row[number] = told
    write_lines(SWEEP, [lines[name] for name in BATTLES])
    write_lines(COLUMNS, [" ".join([name, *told]) for name, told in sorted(table.items())])
    print("\n".join(line for line in occurring.never() if line.split(",")[0] in rulesets))


def main(arguments: Sequence[str] | None = None) -> int:
    """The program; returns its exit status."""
    parser = argparse.ArgumentParser(
        description="Play the sweep anew and keep its digests, or write one battle of it in words."
    )
    parser.add_argument("--ruleset", action="append", choices=list(GROUPS), help="only its battles; may be repeated")
    parser.add_argument("--trace", metavar="NAME", help="write this battle in words to standard output")
    asked = parser.parse_args(arguments)
    if asked.trace is None:
        write(asked.ruleset or list(GROUPS))
    elif asked.trace in BATTLES:
        trace = Trace()
        play(BATTLES[asked.trace], trace)
        print("\n".join(trace.lines))
    else:
        print(
            f"error: --trace: {asked.trace!r} is no battle of the sweep; their names stand in {SWEEP.name}",
            file=sys.stderr,
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
