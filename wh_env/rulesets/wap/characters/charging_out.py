"""A character charges out of his unit (wap.character.leave.charge). From his declaration on he stands for himself; his
unit closes up when he has moved, and declares no charge in this turn. If his charge does not carry him out of the unit,
he stays in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.rulesets.wap.basics.blocks import blocks_overlap, derive, distance, set_block
from wh_env.rulesets.wap.basics.effects import renew
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.leaving_by_charge import has_left, leaving
from wh_env.rulesets.wap.basics.reshaping import make_room, outline_of, tried_out
from wh_env.rulesets.wap.casualties.removing import narrow
from wh_env.rulesets.wap.characters.joining import clear_parts, keep_leaders
from wh_env.rulesets.wap.characters.stepping_out import take_bearings
from wh_env.rulesets.wap.codes import LONE
from wh_env.rulesets.wap.ways.poses import Pose

RULE = "wap.character.leave.charge"


def charge_out(g: BattleCore, character: int) -> None:
    """A character leaves his unit to charge. He stands where he stood in it, but is no part of it any more."""
    host = leave_to_charge(g, character)
    g.note(RULE, "charges out of", unit=character, target=host)


def leave_to_charge(g: BattleCore, character: int) -> int:
    """``charge_out`` without its event. Returns the unit that he leaves."""
    u, host, k = g.units, host_of(g, character), g.units.first[character]
    keep_leaders(g, host)
    take_bearings(g, character)
    g.models.post[k] = g.models.file[k]
    u.place[character], u.bodyguard[character], u.files[character], u.shape[character] = ON_TABLE, -1, 1, LONE
    u.out_of[character], u.let_out[host], u.cowers[character] = host, 1, 0
    derive(g, host)
    derive(g, character)
    renew(g)
    return host


@contextmanager
def as_if_out(g: BattleCore, character: int) -> Iterator[None]:
    """A context in which a character in a unit has declared a charge out of it. For a unit that is in no other it
    changes nothing.
    """
    if host_of(g, character) < 0:
        yield
        return
    with tried_out(g):
        leave_to_charge(g, character)
        yield


def far_from(g: BattleCore, unit: int, target: int) -> float:
    """Inches from a unit, or from a character as if he had left his unit, to unit ``target``."""
    with as_if_out(g, unit):
        return distance(g, unit, target)


def is_clear_at(g: BattleCore, character: int, pose: Pose) -> bool:
    """Whether a character who charges out of a unit does not overlap it at a pose. True for a unit that charges out of
    none.
    """
    host, u = leaving(g, character), g.units
    if host < 0:
        return True
    before = (u.x[character], u.y[character], u.facing[character])
    try:
        set_block(g, character, *pose, 1)
        return not blocks_overlap(g.parts.rows, u.rows, character, host)
    finally:
        set_block(g, character, *before, 1)


def is_out_at(g: BattleCore, character: int, pose: Pose) -> bool:
    """Whether a character whose charge out of a unit fails has come clear of it at a pose: he must end an inch from the
    unit as it stands without him (wap.charge.failed, wap.move.one-inch). True for a unit that charges out of none.
    """
    host = leaving(g, character)
    if host < 0:
        return True
    with tried_out(g):
        set_block(g, character, *pose, 1)
        comes_out(g, character)
        return bool(distance(g, character, host) >= g.setup.rules["one_inch"] - EPS)


def comes_out(g: BattleCore, character: int) -> None:
    """A character who charges out of a unit has moved out of it: the unit closes up. Nothing happens for others."""
    host = leaving(g, character)
    if host >= 0:
        before = outline_of(g, host)
        has_left(g, character)
        narrow(g, host)
        make_room(g, host, before)


def come_back_in(g: BattleCore, character: int) -> None:
    """A character whose charge has not carried him out of his unit is in it again, where he stood."""
    u, host = g.units, g.units.out_of[character]
    u.place[character], u.bodyguard[character], u.files[character], u.out_of[character] = ATTACHED, host, 0, -1
    clear_parts(g, character)
    derive(g, host)
    renew(g)
    g.note(RULE, "stays in", unit=character, target=host)


def end_charges_out(g: BattleCore, player: int) -> None:
    """At the end of a player's charges, put characters who have not come out back into their units, for example when
    their target is gone.
    """
    u = g.units
    if not any(u.let_out.tolist()) and max(u.out_of.tolist(), default=-1) < 0:  # the usual case, answered quickly
        return
    for unit in g.units_of(player):
        if leaving(g, unit) >= 0:
            come_back_in(g, unit)
        u.let_out[unit] = 0
