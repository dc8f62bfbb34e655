"""A character leaves the unit that he is in (wap.character.leave.remaining-moves, .leave.measure)."""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.basics.effects import renew
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.casualties.removing import narrow
from wh_env.rulesets.wap.codes import IN_RANKS, LONE


def step_out(g: BattleCore, character: int) -> None:
    """Take a character out of his unit, which closes up (wap.character.leave.remaining-moves). The caller lays out the
    character's own block.
    """
    u, host = g.units, host_of(g, character)
    u.place[character], u.bodyguard[character], u.files[character], u.shape[character] = ON_TABLE, -1, 1, LONE
    u.cowers[character], u.beside[character], g.models.post[u.first[character]] = 0, IN_RANKS, -1
    derive(g, host)
    u.files[host] = min(u.files[host], u.block[host])
    derive(g, host)
    narrow(g, host)
    derive(g, character)
    renew(g)
    g.note("wap.character.leave.remaining-moves", "leaves", unit=character, target=host)


def take_bearings(g: BattleCore, character: int) -> None:
    """Write the pose of a character in a unit to his own row, as the start of his move
    (wap.character.leave.measure).
    """
    m, u, k = g.models, g.units, g.units.first[character]
    x, y, facing, half = m.x[k], m.y[k], m.facing[k], u.base_a[character]
    u.x[character], u.y[character], u.facing[character] = x + half * cos(facing), y + half * sin(facing), facing
