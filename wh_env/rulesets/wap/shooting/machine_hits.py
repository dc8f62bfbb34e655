"""The hits that shots of war machines make (wap.machine.*.profile)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.shooting.firing_points import engine_of
from wh_env.rulesets.wap.shooting.hits import hit_of
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, FROM_AFAR, Hit


def hit_of_machine(g: BattleCore, unit: int, target: int) -> Hit:
    """An automatic hit of a machine's template on a unit: Strength, Wounds and rules of the weapon."""
    hit = hit_of(g, g.units.first_line[unit], engine_of(g, unit).weapon, target)
    return hit._replace(nature=hit.nature | AUTOMATIC | FROM_AFAR["template weapon"])
