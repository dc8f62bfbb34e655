"""A character charges out of his unit (wap.character.leave.charge): he stands for himself from his declaration on, the unit closes up at once and declares no
charge in this turn. Who has not come out of it when his charge is over stays in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import blocks_overlap, distance, set_block
from wh_env.rulesets.wap.basics.leaving_by_charge import leaving
from wh_env.rulesets.wap.characters.joined import host_of
from wh_env.rulesets.wap.characters.joining import files_with, stand_in
from wh_env.rulesets.wap.characters.leaving import stand_apart, take_bearings
from wh_env.rulesets.wap.movement.going import Pose

RULE = "wap.character.leave.charge"


def is_being_left(g: BattleCore, unit: int) -> bool:
    """Whether a character has declared a charge out of a unit in this turn: nobody else does, nor does the unit."""
    return unit in g.units.out_of.tolist()


def charge_out(g: BattleCore, character: int) -> None:
    """A character leaves his unit to charge: he stands where he stood in it, and is no part of it any more."""
    host = leave_to_charge(g, character)
    if g.recorder is not None:
        g.note(RULE, "charges out of", unit=character, target=host)


def leave_to_charge(g: BattleCore, character: int) -> int:
    """The same without telling; returns the unit that he leaves."""
    u, host, k = g.units, host_of(g, character), g.units.first[character]
    file = g.models.file[k]
    take_bearings(g, character)
    stand_apart(g, character)
    u.out_of[character], g.models.post[k] = host, file
    return host


@contextmanager
def as_if_out(g: BattleCore, character: int) -> Iterator[None]:
    """The battle as it would be if a character in a unit had declared a charge out of it; of anybody else as it is."""
    if host_of(g, character) < 0:
        yield
        return
    tables = [table.rows for table in (g.units, g.models, g.parts)]
    before = [rows.copy() for rows in tables]
    leave_to_charge(g, character)
    try:
        yield
    finally:
        for rows, was in zip(tables, before, strict=True):
            rows[:] = was


def far_from(g: BattleCore, unit: int, target: int) -> float:
    """Inches from a unit, or from a character in one, to another unit."""
    with as_if_out(g, unit):
        return distance(g, unit, target)


def is_clear_at(g: BattleCore, character: int, pose: Pose) -> bool:
    """Whether a character who charges out of a unit does not stand on it at a pose, the middle of his front edge and his facing; true of all others."""
    host, u = leaving(g, character), g.units
    if host < 0:
        return True
    before = (u.x[character], u.y[character], u.facing[character])
    try:
        set_block(g, character, *pose, 1)
        return not blocks_overlap(g.parts.rows, u.rows, character, host)
    finally:
        set_block(g, character, *before, 1)


def come_back_in(g: BattleCore, character: int) -> None:
    """A character whose charge has not carried him out of his unit stays in it, where he stood."""
    host, post = g.units.out_of[character], g.models.post[g.units.first[character]]
    post = min(max(0, post), files_with(g, character, host) - 1)
    stand_in(g, character, host, post, RULE)


def end_charges_out(g: BattleCore, player: int) -> None:
    """The charges of a player are over: whoever has charged out of a unit has left it, or is in it again."""
    u = g.units
    for unit in g.units_of(player):
        if u.out_of[unit] < 0:
            continue
        if leaving(g, unit) >= 0:  # whom he has charged is gone
            come_back_in(g, unit)
        if u.place[unit] == ON_TABLE:
            g.models.post[u.first[unit]] = -1
        u.out_of[unit] = -1
