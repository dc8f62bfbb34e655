"""Choices that players make in files before a battle: which field of which schema holds each.

They are ``decision`` entries of the catalogue that no battle can ask (mustering an army, agreeing on a map), and those
that a battle asks only if a switch of its ``rules`` is set. ``docs/decisions.md`` lists them beside the decision kinds.
"""

from __future__ import annotations

from wh_env.content.game import Choice
from wh_env.content.w10.schema import Army, ArmyUnit
from wh_env.content.w40k.battles import Battle
from wh_env.content.w40k.schema import Battlefield, Feature, Shape

FORMATIONS = "formations: choose"

CHOICES: tuple[Choice, ...] = (
    Choice(("w10.army.battle-size",), Battle, "size", "a size of the mission"),
    Choice(("w10.army.faction",), Army, "faction", "a faction of the ruleset, or one with datasheets of its own"),
    Choice(("w10.army.detachment",), Army, "detachment", "a Detachment of the faction"),
    Choice(("w10.army.units",), Army, "units", "units of the faction within the limits of points and copies"),
    Choice(("w10.army.units",), ArmyUnit, "models", "a number of models that the datasheet allows"),
    Choice(
        ("w10.army.units", "w10.datasheet.wargear-options"),
        ArmyUnit,
        "equipment",
        "options of the datasheet, each for as many models as it allows",
    ),
    Choice(("w10.army.units",), ArmyUnit, "enhancement", "an Enhancement of the Detachment, for a CHARACTER"),
    Choice(("w10.army.warlord",), ArmyUnit, "warlord", "true for one CHARACTER unit"),
    Choice(
        ("w10.mission.select",),
        Battle,
        "mission",
        "any mission; `Battle.load(missions=...)` takes a proposal of each player and rolls off if they differ",
    ),
    Choice(
        ("w10.terrain.woods.footprint", "w10.terrain.ruins.footprint"),
        Shape,
        "polygon",
        "any simple polygon: features are mounted on a base, which is their footprint",
    ),
    Choice(
        ("w10.terrain.woods.footprint", "w10.terrain.ruins.footprint"),
        Feature,
        "polygon",
        "the same, for a feature that is no template",
    ),
    Choice(
        ("w10.concepts.terrain-features",),
        Battlefield,
        "features",
        "features that stand apart on the table",
        "terrain: players",
    ),
    Choice(
        ("w10.mission.only-war.markers", "w10.objective.on-terrain"),
        Battlefield,
        "objectives",
        "places by the mission's distances, more than 1 inch from impassable parts of terrain",
        "markers: players",
    ),
    Choice(("w10.aircraft.hover.declare",), ArmyUnit, "hover", "true or false, for an AIRCRAFT with Hover", FORMATIONS),
    Choice(
        ("w10.deploy.leader.attach",), ArmyUnit, "leads", "one of the Leader's Bodyguard units, or none", FORMATIONS
    ),
    Choice(
        ("w10.transport.start-embarked",),
        ArmyUnit,
        "embarked_in",
        "a TRANSPORT that has room for the unit, or none",
        FORMATIONS,
    ),
    Choice(
        (
            "w10.deploy.deep-strike.reserves",
            "w10.reserves.declare",
            "w10.reserves.deep-strike-choice",
            "w10.aircraft.hover.deployment",
        ),
        ArmyUnit,
        "reserves",
        "by Deep Strike, in Strategic Reserves within their points, or neither",
        FORMATIONS,
    ),
)
