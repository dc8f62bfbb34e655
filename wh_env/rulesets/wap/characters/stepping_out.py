"""A character leaves the unit that he is in (wap.character.leave.remaining-moves, .leave.measure)."""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.basics.effects import renew
from wh_env.rulesets.wap.basics.fronts import front_now
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.reshaping import make_room, outline_of
from wh_env.rulesets.wap.casualties.removing import narrow
from wh_env.rulesets.wap.codes import IN_RANKS, LONE


def step_out(g: BattleCore, character: int) -> None:
    """Take a character out of his unit, which closes up (wap.character.leave.remaining-moves). The caller lays out the
    character's own block.
    """
    before = outline_of(g, host_of(g, character))
    fill_place_of(g, let_go(g, character), before)
    derive(g, character)


def let_go(g: BattleCore, character: int) -> int:
    """Take a character out of his unit, which is not in order before ``fill_place_of``. Returns the unit."""
    u, host = g.units, host_of(g, character)
    u.place[character], u.bodyguard[character], u.files[character], u.shape[character] = ON_TABLE, -1, 1, LONE
    u.cowers[character], u.beside[character], g.models.post[u.first[character]] = 0, IN_RANKS, -1
    u.files[host] = min(u.files[host], front_now(g, host))
    derive(g, host)
    renew(g)
    g.note("wap.character.leave.remaining-moves", "leaves", unit=character, target=host)
    return host


def fill_place_of(g: BattleCore, host: int, before: Array) -> None:
    """A unit that a character has left becomes as narrow as the bases still in it need, and keeps an inch from others.
    ``before``: its ``outline_of`` with him.
    """
    narrow(g, host)
    make_room(g, host, before)


def take_bearings(g: BattleCore, character: int) -> None:
    """Write the pose of a character in a unit to his own row, as the start of his move
    (wap.character.leave.measure).
    """
    m, u, k = g.models, g.units, g.units.first[character]
    x, y, facing, half = m.x[k], m.y[k], m.facing[k], u.base_a[character]
    u.x[character], u.y[character], u.facing[character] = x + half * cos(facing), y + half * sin(facing), facing
