"""Where rules of the game of regiments are found in the code that no module names, chapter by chapter.

They are carried out where another one is named, or by what a table or class says. Each is a module below ``wh_env`` and what stands in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CARRIED_OUT_BY: Mapping[str, str] = MappingProxyType(
    {
        "wap.armour.buckler": "rulesets.wap.weapons.saves.parries_of",
        "wap.armour.full-plate": "rulesets.wap.weapons.arms.Piece",
        "wap.armour.heavy": "rulesets.wap.weapons.arms.Piece",
        "wap.armour.light": "rulesets.wap.weapons.arms.Piece",
        "wap.armour.medium": "rulesets.wap.weapons.arms.Piece",
        "wap.battle.table-size": "content.wap.schema_battle.Rules",
        "wap.battle.turn.exceptions": "core.battle.BattleCore.push",
        "wap.break.reform.several-sides": "rulesets.wap.breaking.combat_reform.may_reform",
        "wap.break.steadfast.exclusions": "rulesets.wap.result.scores.steadfast",
        "wap.break.who": "rulesets.wap.breaking.break_tests.is_beaten",
        "wap.command.standard.combat-result": "rulesets.wap.result.scores.score",
        "wap.core.dice.modifier": "core.dice.roll_sum",
        "wap.core.dice.sum": "core.dice.roll_sum",
        "wap.core.facing.arcs": "rulesets.wap.basics.quarters.quarter_at",
        "wap.core.facing.unit": "rulesets.wap.basics.quarters.quarter_of",
        "wap.core.measure.base-to-base": "rulesets.wap.basics.blocks.part_gap",
        "wap.core.measure.within": "rulesets.wap.basics.blocks.block_distance",
        "wap.core.unit.definition": "rulesets.wap.tables.REGIMENT",
        "wap.core.unit.even-ranks": "core.geometry.ranks.place_in",
        "wap.multi.break.cap": "rulesets.wap.result.scores.standing",
        "wap.multi.example": "rulesets.wap.result.scores.resolve",
        "wap.profile.ld": "rulesets.wap.basics.leadership.leadership_test",
        "wap.profile.t": "rulesets.wap.basics.needed.to_wound",
        "wap.profile.weapons-exempt": "rulesets.wap.basics.characteristic_tests.characteristic_test",
        "wap.result.charge": "rulesets.wap.result.scores.score",
        "wap.result.charge.multiple": "rulesets.wap.result.scores.score",
        "wap.result.disorganised.recovered": "rulesets.wap.result.scores.disorganised",
        "wap.result.flank.both": "rulesets.wap.result.scores.arcs_of",
        "wap.result.ranks": "rulesets.wap.basics.strength.rank_bonus",
        "wap.result.ranks.incomplete": "rulesets.wap.basics.strength.rank_bonus",
        "wap.result.ranks.width": "rulesets.wap.basics.strength.rank_bonus",
        "wap.result.rear": "rulesets.wap.result.scores.ARC_BONUS",
        "wap.result.standard": "rulesets.wap.result.scores.score",
        "wap.result.wounds.friendly": "rulesets.wap.result.scoring.fighter",
        "wap.result.wounds.no-more-than-left": "rulesets.wap.combat.wounds.strike",
        "wap.shoot.casualties": "rulesets.wap.basics.casualties.suffer",
        "wap.shoot.casualties.multi-wound": "rulesets.wap.basics.casualties.suffer",
        "wap.shoot.casualties.multi-wound.example": "rulesets.wap.basics.casualties.suffer",
        "wap.shoot.ward.reroll": "rulesets.wap.weapons.saves.combined",
        "wap.special.always-strikes-first.both": "rulesets.wap.weapons.blows.tier_of",
        "wap.special.always-strikes-first.order": "rulesets.wap.weapons.blows.tier_of",
        "wap.special.always-strikes-first.reroll": "rulesets.wap.weapons.blows.rerolls_of",
        "wap.special.always-strikes-last.both": "rulesets.wap.weapons.blows.tier_of",
        "wap.special.always-strikes-last.order": "rulesets.wap.weapons.blows.tier_of",
        "wap.special.always-strikes-last.reroll": "rulesets.wap.weapons.blows.rerolls_of",
        "wap.special.fear.once": "rulesets.wap.result.scores.fear_of",
        "wap.special.ignores-armour": "rulesets.wap.weapons.blows.blow_of",
        "wap.special.unstable.multiple-combat": "rulesets.wap.breaking.break_tests.instability",
        "wap.terrain.open": "rulesets.wap.codes.GROUND",
        "wap.weapon.general.only-when-used": "rulesets.wap.weapons.blows.arm_of",
        "wap.weapon.melee.flail": "rulesets.wap.weapons.arms.Weapon",
        "wap.weapon.melee.great-weapon": "rulesets.wap.weapons.arms.Weapon",
        "wap.weapon.melee.halberd": "rulesets.wap.weapons.arms.Weapon",
        "wap.weapon.melee.pike": "rulesets.wap.weapons.charged.charged_in_front",
        "wap.weapon.melee.spear-cavalry": "rulesets.wap.weapons.charged.has_charged",
        "wap.weapon.melee.spear-infantry": "rulesets.wap.weapons.charged.charged_in_front",
    }
)
