"""What a round of close combat is worth: wounds on average, the result that they make with ranks and standards, and who breaks.

Averages stand for distributions: the result of a round is taken to spread about its mean as a normal one does, with the wounds' own variance.
"""

from __future__ import annotations

from math import erf, sqrt

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.leadership import leadership_of
from wh_env.rulesets.wap.basics.needed import AUTOMATIC, to_hit, to_wound
from wh_env.rulesets.wap.basics.profiles import characteristic, lines_of
from wh_env.rulesets.wap.basics.special_rules import has
from wh_env.rulesets.wap.basics.strength import rank_bonus, unit_strength
from wh_env.rulesets.wap.codes import CHAMPION, FRONT, LEADERS, MOUNTS, REAR, STANDARD
from wh_env.rulesets.wap.weapons.blows import Blow, blow_of, extra_ranks
from wh_env.rulesets.wap.weapons.saves import armour_save, ward_save

TESTS = [sum(1 for a in range(1, 7) for b in range(1, 7) if a + b <= n) / 36 for n in range(13)]
CAUGHT = 0.7  # share of a broken unit's cost that is as good as taken
BONUS = {FRONT: 0, REAR: 2}  # for standing at a side; a flank is 1
NARROW = 5  # Unit Strength without which a flank or a rear counts nothing


def chance(needed: int) -> float:
    """Of a D6 that needs so much."""
    return max(0.0, min(5.0, 7.0 - needed)) / 6.0


def hits(blow: Blow, weapon_skill: int) -> float:
    """The share of blows that hit."""
    needed = to_hit(blow.weapon_skill, weapon_skill)
    if needed == AUTOMATIC:
        return 1.0
    p = chance(needed)
    failed, passed = blow.rerolls.again
    return p + failed * (1.0 - p) * p - passed * p * (1.0 - p)


def share_of_wounds(g: BattleCore, blow: Blow, target: int, side: int) -> float:
    """Wounds that one blow costs a unit on average."""
    line = g.units.first_line[target]
    wounds = hits(blow, characteristic(g, line, "ws")) * chance(to_wound(blow.strength, characteristic(g, line, "t")))
    armour = 0.0 if blow.ignores_armour else chance(armour_save(g, target, blow.strength, blow.piercing))
    return wounds * (1.0 - armour) * (1.0 - chance(ward_save(g, target, blow, side)))
