"""Marching: which units may march, and the test for a nearby enemy (wap.move.march.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.codes import ARRIVED, MARCHED
from wh_env.rulesets.wap.commands import follow_me
from wh_env.rulesets.wap.commands.follow_me import take_test
from wh_env.rulesets.wap.movement.fording import stands_in_river
from wh_env.rulesets.wap.movement.going import MoveFrame
from wh_env.rulesets.wap.rule_book import ANIMATED_CONSTRUCT
from wh_env.rulesets.wap.troops.war_machines import is_machine
from wh_env.rulesets.wap.ways.survey import before_battle


def may_march(g: BattleCore, f: int) -> bool:
    """Whether the unit may still choose to march. It may not after a failed test to march, after a swift reform, before
    the battle, or in the turn in which it arrives (wap.move.march.failed, wap.special.vanguard.move,
    wap.command.musician.swift-reform.move-after, wap.move.reinforce.limits).
    """
    unit = MoveFrame.unit(g, f)
    if before_battle(g, unit) or MoveFrame.failed(g, f) or MoveFrame.turned(g, f):
        return False
    return not g.units.did[unit] & ARRIVED and not cannot_march(g, unit)


def may_march_on_foot(g: BattleCore, f: int) -> bool:
    """Whether the unit may still choose to march on the ground: it does not stand in a river
    (wap.terrain.river.no-march). In the air all ground is open (wap.special.fly.move).
    """
    wet = with_trait(g, "no_march") and stands_in_river(g, MoveFrame.unit(g, f))
    return may_march(g, f) and not wet


def cannot_march(g: BattleCore, unit: int) -> bool:
    """Whether a model in the unit can never march, which keeps the whole unit from it (wap.special.animated-construct,
    wap.character.combined.restrictions). War machines never march (wap.machine.no-charge-no-march).
    """
    return is_machine(g, unit) or has(g, unit, ANIMATED_CONSTRUCT)


def enemy_in_sight(g: BattleCore, unit: int) -> int:
    """The nearest enemy unit that does not flee and is near enough to call for a test to march; -1: none
    (wap.move.march.test).
    """
    u, near = g.units, g.setup.rules["enemy_sighted"]
    best, found = near + EPS, -1
    for other in g.units_of(1 - u.owner[unit]):
        if u.place[other] == ON_TABLE and not u.fleeing[other]:
            apart = distance(g, block_of(g, unit), other)
            if apart <= best:
                best, found = apart, other
    return found


def test_to_march(g: BattleCore, f: int) -> bool:
    """Start the test to march if an enemy is near enough, and return whether it was started. A champion lets the unit
    re-roll it. The result is in ``MoveFrame.TESTED`` when the frame goes on (wap.move.march.test,
    wap.command.champion.follow-me.march).
    """
    unit = MoveFrame.unit(g, f)
    if enemy_in_sight(g, unit) < 0:
        return False
    take_test(g, unit, follow_me.MARCH, MoveFrame.TESTED, "wap.move.march.test")
    return True


def fails_to_march(g: BattleCore, f: int) -> None:
    """The unit has failed its test: it does not march, but counts as having marched (wap.move.march.failed,
    .counts).
    """
    g.units.did[MoveFrame.unit(g, f)] |= MARCHED
    MoveFrame.note(g, f, MoveFrame.MARCH, 0)
    MoveFrame.note(g, f, MoveFrame.FLIES, 0)
