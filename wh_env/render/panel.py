"""What stands beside the table, as plain data: score, round, the waiting decision, the last roll, the state of every
unit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ATTACHED, DESTROYED, ON_TABLE
from wh_env.render.labels import Labels, column
from wh_env.render.last import LOOK_BACK, Last
from wh_env.render.words import Die, last_dice, sentence, volley


class UnitRow(NamedTuple):
    """The state of a unit.

    Attributes:
        unit: its row. name: with that of the unit attached to it. player: its owner.
        alive: models that are left. strength: models that it began with. wounds: left on all of them. most: wounds with
            no losses.
        place: in words. states: what else can be said of it. standing: whether it is on the table.
    """

    unit: int
    name: str
    player: int
    alive: int
    strength: int
    wounds: int
    most: int
    place: str
    states: tuple[str, ...]
    standing: bool


class Seat(NamedTuple):
    """A player: the name of the army, victory points, command points (-1 if nobody has any)."""

    name: str
    score: int
    command: int


class Panel(NamedTuple):
    """Everything that stands beside the table.

    Attributes:
        seats: both players. moment: round, player and phase. asked: the waiting decision. words: the last event.
        roll: name of the last roll. dice: its dice. units: the state of every unit. rule: id of the rule of the last
            event.
    """

    seats: tuple[Seat, Seat]
    moment: str
    asked: str
    words: str
    roll: str
    dice: tuple[Die, ...]
    units: tuple[UnitRow, ...]
    rule: str = ""


def panel(battle: BattleCore, last: Last | None = None) -> Panel:
    """Score, clock, decision and units of a battle, and what the last action's events tell."""
    names = Labels(battle)
    events = last.events if last is not None else ()
    roll, dice = last_dice(events[-LOOK_BACK:])
    final = events[-1] if events else None
    words = volley(names, events[-LOOK_BACK:]) or (sentence(names, final) if final else "")
    return Panel(
        seats=(seat(battle, names, 0), seat(battle, names, 1)),
        moment=names.moment(),
        asked=names.asked(),
        words=words,
        roll=roll,
        dice=tuple(dice),
        units=tuple(unit_rows(battle, names)),
        rule=final.rule if final else "",
    )


def seat(battle: BattleCore, names: Labels, player: int) -> Seat:
    """The score of a player; command points are shown once somebody has some."""
    command = column(battle.players, "cp")
    known = command is not None and any(command)
    return Seat(names.player(player), battle.players.vp[player], command[player] if known else -1)


def unit_rows(battle: BattleCore, names: Labels) -> Iterable[UnitRow]:
    """The state of every unit; a unit that is attached to another is part of that one's row."""
    u, m = battle.units, battle.models
    unit_of, wounds, most = m.rows["unit"].tolist(), m.rows["wounds"].tolist(), m.rows["max_wounds"].tolist()
    remaining_wounds, starting_wounds, alive, strength = ([0] * len(u.owner) for _ in range(4))
    living, place = m.rows["alive"].tolist(), u.rows["place"].tolist()
    for k, unit in enumerate(unit_of):
        starting_wounds[unit] += most[k]
        strength[unit] += 1
        if living[k] and place[unit] != DESTROYED:  # models that never arrived count as destroyed
            remaining_wounds[unit] += wounds[k]
            alive[unit] += 1
    for unit, owner in enumerate(u.rows["owner"].tolist()):
        if u.place[unit] == ATTACHED:
            continue
        yield UnitRow(
            unit,
            names.unit(unit),
            owner,
            alive[unit],
            strength[unit],
            remaining_wounds[unit],
            starting_wounds[unit],
            names.place(unit),
            tuple(names.states(unit)) if alive[unit] else (),
            u.place[unit] == ON_TABLE,
        )
