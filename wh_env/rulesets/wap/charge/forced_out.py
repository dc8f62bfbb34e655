"""A garrison that its frenzy would make charge: it leaves its building instead, and is set up as near to the enemy as
the limits allow (wap.building.leave.forced-charge).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import SIDES, is_inside
from wh_env.rulesets.wap.basics.sight import find_who_see
from wh_env.rulesets.wap.basics.special_rules import movement_dice
from wh_env.rulesets.wap.casualties.crossings import forget, test_for_all
from wh_env.rulesets.wap.charge.reactions import is_frenzied
from wh_env.rulesets.wap.charge.targets import enemies_of
from wh_env.rulesets.wap.codes import HELD_BACK, MOVED
from wh_env.rulesets.wap.field.dangerous import How
from wh_env.rulesets.wap.field.outside import LOOKS, gap_from, with_own_size
from wh_env.rulesets.wap.movement.leaving_buildings import Exit, files_of, leave, places_at
from wh_env.rulesets.wap.special.stride import farthest_charge
from wh_env.rulesets.wap.troops.war_machines import is_machine

RULE = "wap.building.leave.forced-charge"


def enemies_to_charge(g: BattleCore, unit: int) -> list[int]:
    """The enemies, the nearest first, that a garrison could reach by a charge if it might make one."""
    far = farthest_charge(g, unit) + EPS
    near = [enemy for enemy in enemies_of(g, unit) if distance(g, unit, enemy) <= far]
    seen = [enemy for enemy in near if find_who_see(g, unit, enemy, all_round=True, joined=True)]
    return sorted(seen, key=lambda enemy: distance(g, unit, enemy))


def could_charge(g: BattleCore, unit: int) -> bool:
    """Whether a garrison could declare a charge if it stood in the open: a war machine, and who moves by dice, never
    does (wap.machine.no-charge-no-march, wap.special.random-movement.procedure, wap.special.stupidity.failed).
    """
    return not is_machine(g, unit) and movement_dice(g, unit) == 0


def is_restless_inside(g: BattleCore, unit: int) -> bool:
    """Whether a frenzied garrison must test, or leave its building. This is not of its own will, so it also comes out
    of the watchtower in the first game turn (wap.scenario.watchtower.garrison).
    """
    return (
        is_inside(g, unit)
        and not g.units.did[unit] & (HELD_BACK | MOVED)
        and is_frenzied(g, unit)
        and could_charge(g, unit)
        and not engaged(g, unit)
        and bool(enemies_to_charge(g, unit))
    )


def nearest_exit(g: BattleCore, unit: int, enemy: int) -> Exit | None:
    """The place outside that is nearest to an enemy; of equally near ones that in the usual files. None: there is
    none.
    """
    best: tuple[float, Exit | None] = (float("inf"), None)
    with with_own_size(g, unit) as building:
        for files in files_of(g, unit):
            for at in range(SIDES * len(LOOKS)):
                for place in places_at(g, unit, building, at // len(LOOKS), at % len(LOOKS), files):
                    apart = gap_from(g, unit, enemy, place.pose, files)
                    if apart < best[0] - EPS:
                        best = apart, place
    return best[1]


def rush_out(g: BattleCore, unit: int) -> None:
    """A frenzied garrison that has failed its test is set up outside, as near to the nearest enemy as it can. It does
    not charge.
    """
    g.units.did[unit] |= HELD_BACK
    place = nearest_exit(g, unit, enemies_to_charge(g, unit)[0])
    if place is not None:
        forget(g, unit)
        leave(g, unit, place, RULE)
        test_for_all(g, unit, How.SLOW)
