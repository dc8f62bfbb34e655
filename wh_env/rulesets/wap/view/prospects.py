"""What a unit can expect of an enemy, in words: the chance that a charge reaches it, and a round of close combat with
it.
"""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.codes import FRONT, REAR
from wh_env.rulesets.wap.view.appraise_charges import chance_to_reach
from wh_env.rulesets.wap.view.appraise_combat import lead_of, odds_to_break, wounds_on_average
from wh_env.rulesets.wap.ways.poses import depth_of, front_width

NEVER = 0.005  # a chance that is not told


def prospects(g: BattleCore, unit: int, enemy: int) -> Iterator[str]:
    """Lines about a unit and an enemy on the table: as they stand if they fight, else for a charge front to front."""
    fights = enemy in foes_of(g, unit)
    mine, side = (side_towards(g, unit, enemy), side_towards(g, enemy, unit)) if fights else (FRONT, FRONT)
    if not fights:
        far = distance(g, unit, enemy)
        reaches = chance_to_reach(g, unit, far)
        if reaches < NEVER:
            return
        yield f'{100 * reaches:.0f} %: a charge over {far:.1f}" reaches the enemy'
    along = front_width(g, enemy) if side in (FRONT, REAR) else depth_of(g, enemy)
    room = min(along, front_width(g, unit) if mine in (FRONT, REAR) else depth_of(g, unit))
    deals = wounds_on_average(g, unit, mine, enemy, side, room, not fights)
    takes = wounds_on_average(g, enemy, side, unit, mine, room, charges=False)
    which = "the next" if fights else "its first"
    yield f"{deals:.1f} wounds dealt and {takes:.1f} taken in {which} round of close combat, on average"
    lead, spread = lead_of(g, unit, enemy, side, mine, (deals, takes), charges=not fights)
    yield f"{100 * odds_to_break(g, enemy, unit, lead, spread):.0f} %: the enemy breaks then, about"
    yield f"{100 * odds_to_break(g, unit, enemy, -lead, spread):.0f} %: the own unit breaks then, about"
