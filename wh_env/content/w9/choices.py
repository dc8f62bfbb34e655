"""Choices of players of the 9th edition that are made in files before a battle; see ``Choice``."""

from __future__ import annotations

from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.game import Choice
from wh_env.content.w9.schema import Army, ArmyUnit
from wh_env.content.w40k.battles import Battle
from wh_env.content.w40k.schema import Battlefield

FORMATIONS = "formations: choose"

CHOICES: tuple[Choice, ...] = (
    Choice(("w9.army.battle-size",), Battle, "size", "a size of the mission"),
    Choice(
        ("w9.army.detachments",),
        Army,
        "detachments",
        "Detachments that the size of the battle allows and its Command points pay for, with their units",
    ),
    Choice(("w9.army.warlord",), ArmyUnit, "warlord", "true for one CHARACTER unit"),
    Choice(
        ("w9.concepts.keywords",),
        ClassicDatasheet,
        "keywords",
        "what a bracketed keyword stands for, written out in the datasheet of the unit",
    ),
    Choice(
        ("w9.mission.only-war.setup",),
        Battlefield,
        "features",
        "features that stand apart on the table",
        "terrain: players",
    ),
    Choice(
        ("w9.mission.only-war.setup",),
        Battlefield,
        "objectives",
        "places by the mission's distances",
        "markers: players",
    ),
    Choice(
        ("w9.transport.start-embarked",),
        ArmyUnit,
        "embarked_in",
        "a TRANSPORT that has room for the unit, or none",
        FORMATIONS,
    ),
    Choice(
        ("w9.reserves.strategic", "w9.deploy.during"),
        ArmyUnit,
        "reserves",
        "by a rule of the unit's own, in Strategic Reserves as far as Command points pay for them, or neither",
        FORMATIONS,
    ),
)
