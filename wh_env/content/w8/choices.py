"""Decisions of players that files of the 8th edition (armies, battles, datasheets) hold."""

from __future__ import annotations

from wh_env.content.game import Choice
from wh_env.content.w8.schema import Army, ArmyUnit
from wh_env.content.w40k.battles import Battle
from wh_env.content.w40k.schema import Battlefield

CHOICES: tuple[Choice, ...] = (
    Choice(
        ("w8.mission.select",),
        Battle,
        "mission",
        "any mission; `Battle.load(missions=...)` takes a proposal of each player and rolls off if they differ",
    ),
    Choice(("w8.mission.armies",), Army, "units", "any units"),
    Choice(("w8.warlord.nominate",), ArmyUnit, "warlord", "true for one unit", "warlords: choose"),
    Choice(
        ("w8.mission.terrain",), Battlefield, "features", "features that stand apart on the table", "terrain: players"
    ),
    Choice(
        ("w8.mission.objectives.place",),
        Battlefield,
        "objectives",
        "places by the mission's distances",
        "markers: players",
    ),
    Choice(
        ("w8.transport.start-embarked",),
        ArmyUnit,
        "embarked_in",
        "a TRANSPORT that has room for the unit, or none",
        "formations: choose",
    ),
    Choice(
        ("w8.mission.deploy.alternate",),
        ArmyUnit,
        "reserves",
        "by a rule of the unit's own, or not",
        "formations: choose",
    ),
)
