"""Titles and questions of decisions for players, where the names of the kinds and what they ask are no player's words
(``core/questions.py``); an empty one stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXACTLY = "Where exactly, near the place that was chosen?"
QUESTIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "select-to-deploy": ("Choose a formation to deploy", ""),
        "deploy-to": ("Deploy the formation", "Where in the deployment zone is the formation set up?"),
        "deploy-refine": ("Deploy the formation exactly", EXACTLY),
        "deploy-unit": ("Choose a unit to move over", "Which unit of the formation is put elsewhere?"),
        "deploy-unit-to": ("Deploy the unit", "Where in the deployment zone is the unit put?"),
        "deploy-unit-refine": ("Deploy the unit exactly", EXACTLY),
        "give-order": ("Give an order", ""),
        "select-to-move": ("Choose a formation to move", ""),
        "move-to": (
            "Move the formation",
            "Where does the formation go? One that is out of coherency closes up on the way.",
        ),
        "move-refine": ("Move the formation exactly", EXACTLY),
        "select-unit": ("Choose a unit to move", "Which unit is placed next?"),
        "place-unit": ("Move the unit", "Where does the unit go, or which enemy formation does it engage?"),
        "refine-unit": ("Move the unit exactly", EXACTLY),
        "engage-unit": ("Engage an enemy", ""),
        "way-round": ("Through or round", "Does the unit go through the dangerous terrain on its way, or round it?"),
        "facing": ("Facing of the vehicle", ""),
        "overwatch": ("Fire on overwatch", ""),
        "select-to-fire": ("Choose a formation to fire", ""),
        "fire-at": ("Choose a target", ""),
        "fire-at-unit": ("Target of a weapon", ""),
        "re-roll-ones": ("Support fire", ""),
        "select-to-assault": ("Choose a formation to assault", ""),
        "assault-to": (
            "Assault",
            "Which enemy formation is engaged, by as many units as can? Or where do the others go?",
        ),
        "assault-refine": ("Assault move exactly", EXACTLY),
        "pair-off": ("Pair off in combat", "With which enemy in contact is the unit paired off?"),
        "join-combat": ("Join a combat", "Which combat does the surplus unit join?"),
        "next-combat": ("Choose a combat", "Which combat is fought next?"),
        "next-opponent": ("Choose the next opponent", "Which of the units fights the one enemy next?"),
        "select-to-test": ("Choose a break test", ""),
        "select-to-rally": ("Choose a formation to rally", ""),
    }
)
