"""Unit Strength and rank bonus (wap.core.us.*, wap.troop.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.ground import is_mostly_in, is_partly_in, with_trait
from wh_env.rulesets.wap.codes import WAR_MACHINE
from wh_env.rulesets.wap.rule_book import AQUATIC, SKIRMISHERS


def unit_strength(g: BattleCore, unit: int) -> int:
    """Unit Strength of a unit now, all models in it together (wap.core.us.definition, .compute,
    wap.troop.infantry.profile).
    """
    value: int = g.units.us[unit]
    return value


def own_strength(g: BattleCore, unit: int) -> int:
    """Unit Strength of a unit's own models, without the characters in it; of a war machine its crew."""
    if g.units.kind[unit] == WAR_MACHINE:
        return int(g.models.wounds[g.units.first[unit]])
    return int(g.units.alive[unit] * g.units.each[unit])


def breaks_ranks(g: BattleCore, unit: int) -> bool:
    """Whether the ground takes a unit's rank bonus: most of its models are in a forest, or one is partly in a river and
    they are not Aquatic (wap.terrain.forest.no-rank-bonus, .river.no-rank-bonus, wap.special.aquatic.water-combat).
    """
    ground = with_trait(g, "ranks")
    if is_mostly_in(g, unit, *(item for item in ground if item.traits.ranks == "lost inside")):
        return True
    rivers = (item for item in ground if item.traits.ranks != "lost inside")
    return any(is_partly_in(g, unit, item) and not (item.traits.water and has(g, unit, AQUATIC)) for item in rivers)


def rank_bonus(g: BattleCore, unit: int) -> int:
    """Rank bonus: full enough ranks behind the first, if the unit is wide enough (wap.troop.infantry.ranks), up to the
    most that the rules give. Skirmishers have none (wap.special.skirmishers.no-ranks). Places under a large base all
    count (wap.character.base.rank-count).
    """
    u, least = g.units, g.units.full_rank[unit]
    wide, models = u.files[unit], u.block[unit]
    if least == 0 or wide < least or has(g, unit, SKIRMISHERS):
        return 0
    if with_trait(g, "ranks") and breaks_ranks(g, unit):
        return 0
    ranks = models // wide + (models % wide >= least)
    return int(max(0, min(g.setup.rules["best_rank_bonus"], ranks - 1)))
