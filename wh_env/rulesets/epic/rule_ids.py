"""Where rules of the Epic-scale game are found in the code that no module names, chapter by chapter.

They are carried out where the code names another rule, or by what a table or class says. Each entry is a module below
``wh_env`` and a name in it. If several places share a rule, it is the place that decides. For numbers of
``configs/epic`` (orders, unit cards, the table) it is the class that holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CARRIED_OUT_BY: Mapping[str, str] = MappingProxyType(
    {
        # assault
        "epic.assault.no-follow-up": "rulesets.epic.assault.combat.Combat.advance",
        # concepts
        "epic.concepts.formation": "rulesets.epic.tables.FORMATION",
        "epic.concepts.measuring": "rulesets.epic.fire.aim.volley",
        "epic.concepts.unit": "rulesets.epic.tables.STAND",
        # fire
        "epic.fire.line-of-sight.woods": "rulesets.epic.terrain.ground.sees",
        "epic.fire.range": "rulesets.epic.fire.aim.volley",
        "epic.fire.simultaneity": "rulesets.epic.fire.phase.Fire",
        # initiative
        "epic.initiative.holder": "rulesets.epic.sequence.initiative.draw_initiative",
        "epic.initiative.strategic-value": "rulesets.epic.sequence.initiative.cup_of",
        "epic.initiative.without-replacement": "rulesets.epic.sequence.initiative.draw_initiative",
        # mission
        "epic.mission.table": "content.epic.schema.Rules",
        # morale
        "epic.morale.retreat-effects": "rulesets.epic.move.plans.allowance",
        # orders
        "epic.orders.charge": "rulesets.epic.orders.orders.Order",
        "epic.orders.march": "rulesets.epic.orders.orders.Order",
        # pin
        "epic.pin.heavy-vehicle": "rulesets.epic.basics.contact.mark_contacts",
        "epic.pin.light-vehicle": "rulesets.epic.basics.contact.mark_contacts",
        "epic.pin.unpinned-fire": "rulesets.epic.fire.aim.can_fire",
        # profile
        "epic.profile.ork-boy": "content.epic.schema.Card",
        "epic.profile.other-infantry": "content.epic.schema.Card",
        "epic.profile.tactical-marine": "content.epic.schema.Card",
        "epic.profile.vehicles": "content.epic.schema.Card",
        # save
        "epic.save.not-in-assault": "rulesets.epic.assault.combat.fight",
    }
)
