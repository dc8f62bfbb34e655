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
        "wap.charge.flee.off-table": "rulesets.wap.compulsory.flight.flee",
        "wap.charge.only-way": "rulesets.wap.movement.ways.gather",
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
        "wap.multi.no-enemy-left": "rulesets.wap.basics.contacts.combat_of",
        "wap.multi.pursuit.friends": "rulesets.wap.pursuit.ways.Ahead",
        "wap.pursuit.caught.destroyed": "rulesets.wap.pursuit.pursuits.way_of_pursuit",
        "wap.pursuit.caught.survivors": "rulesets.wap.pursuit.ways.Ahead",
        "wap.pursuit.move.example": "rulesets.wap.pursuit.pursuits.Pursuits",
        "wap.pursuit.move.full": "rulesets.wap.pursuit.ways.Ahead",
    }
)
