"""Where rules of the game of regiments are found in the code that no module names, chapter by chapter.

They are carried out where another one is named, or by what a table or class says. Each is a module below ``wh_env`` and what stands in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CARRIED_OUT_BY: Mapping[str, str] = MappingProxyType(
    {
        "wap.battle.turn.exceptions": "core.battle.BattleCore.push",
        "wap.battle.table-size": "content.wap.schema_battle.Rules",
        "wap.core.dice.modifier": "core.dice.roll_sum",
        "wap.core.dice.sum": "core.dice.roll_sum",
        "wap.core.facing.arcs": "rulesets.wap.basics.quarters.quarter_at",
        "wap.core.facing.unit": "rulesets.wap.basics.quarters.quarter_of",
        "wap.core.measure.base-to-base": "rulesets.wap.basics.blocks.part_gap",
        "wap.core.measure.within": "rulesets.wap.basics.blocks.block_distance",
        "wap.core.unit.definition": "rulesets.wap.tables.REGIMENT",
        "wap.core.unit.even-ranks": "core.geometry.ranks.place_in",
        "wap.profile.ld": "rulesets.wap.basics.leadership.leadership_test",
        "wap.profile.t": "rulesets.wap.basics.needed.to_wound",
        "wap.profile.weapons-exempt": "rulesets.wap.basics.characteristic_tests.characteristic_test",
        "wap.terrain.open": "rulesets.wap.codes.GROUND",
        "wap.combat.attacks.support.front-only": "rulesets.wap.combat.fighters.find_reach",
        "wap.combat.casualties.excess": "rulesets.wap.combat.wounds.remove_losses",
        "wap.combat.casualties.from-rear": "rulesets.wap.combat.wounds.remove_losses",
        "wap.combat.first-round.new-enemy": "rulesets.wap.weapons.blows.is_first_round",
        "wap.combat.hit.table": "rulesets.wap.basics.needed.to_hit",
        "wap.combat.order.mixed-profile": "rulesets.wap.combat.fighters.find_groups",
        "wap.combat.order.mixed-profile-killed": "rulesets.wap.combat.strikes.next_strikers",
        "wap.combat.order.no-target": "rulesets.wap.combat.strikes.next_strikers",
        "wap.combat.phase.both-sides": "rulesets.wap.combat.strikes.fighting",
        "wap.combat.phase.definition": "rulesets.wap.combat.wounds.strike",
        "wap.combat.phase.must-fight": "rulesets.wap.combat.close_combat.CloseCombat",
        "wap.combat.phase.timeline": "rulesets.wap.combat.close_combat.FightCombat",
        "wap.combat.save.roll": "rulesets.wap.weapons.saves.unsaved",
        "wap.combat.save.strength-modifier": "rulesets.wap.weapons.saves.strength_modifier",
        "wap.combat.who.flank-rear": "rulesets.wap.combat.fighters.is_along",
        "wap.combat.who.target-in-contact": "rulesets.wap.combat.aiming.StrikeTarget",
        "wap.combat.wound.natural": "rulesets.wap.combat.dice.throw_dice",
        "wap.combat.wound.strength-source": "rulesets.wap.weapons.blows.strength_of",
        "wap.combat.wound.table": "rulesets.wap.basics.needed.to_wound",
        "wap.special.impact-hits.no-other-rules": "rulesets.wap.combat.impact_hits.impact_of",
        "wap.troop.cavalry.leadership": "rulesets.wap.basics.leadership.leadership_of",
        "wap.troop.cavalry.profile": "rulesets.wap.basics.strength.unit_strength",
        "wap.troop.cavalry.ranks": "rulesets.wap.basics.strength.rank_bonus",
        "wap.troop.cavalry.support": "rulesets.wap.weapons.blows.supports_of",
    }
)
