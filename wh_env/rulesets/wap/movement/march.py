"""Marching: who may, and the test that enemies in sight call for (wap.move.march.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.leadership import leadership_test
from wh_env.rulesets.wap.codes import ARRIVED, MARCHED
from wh_env.rulesets.wap.movement.going import MoveFrame


def may_march(g: BattleCore, f: int) -> bool:
    """Whether the unit may still choose to march: it has not failed to, has made no swift reform, and did not arrive this turn
    (wap.move.march.failed, wap.command.musician.swift-reform.move-after, wap.move.reinforce.limits)."""
    if MoveFrame.tested(g, f) or MoveFrame.turned(g, f):
        return False
    return not g.units.did[MoveFrame.unit(g, f)] & ARRIVED


def enemy_in_sight(g: BattleCore, unit: int) -> int:
    """The nearest enemy unit that does not flee and is near enough to call for a test, -1: none (wap.move.march.test)."""
    u, near = g.units, g.setup.rules["enemy_sighted"]
    best, found = near + EPS, -1
    for other in g.units_of(1 - u.owner[unit]):
        if u.place[other] == ON_TABLE and not u.fleeing[other]:
            apart = distance(g, unit, other)
            if apart <= best:
                best, found = apart, other
    return found


def passes(g: BattleCore, unit: int) -> bool:
    """Whether the unit may march now: without a test, or after one that it passes; one that fails counts as having marched
    (wap.move.march.test, .failed, .counts)."""
    if enemy_in_sight(g, unit) < 0 or leadership_test(g, unit, "wap.move.march.test"):
        return True
    g.units.did[unit] |= MARCHED
    return False
