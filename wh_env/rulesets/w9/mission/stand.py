"""The secondary objective While We Stand, We Fight (w9.mission.while-we-stand.*)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer
from wh_env.core.tables import ON_TABLE, TableSpec
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.parts import parts

STANDING = "while-we-stand"  # its name in ``rules["secondaries"]``
CHOSEN = 3  # units
FORTIFICATION = int(Keyword.FORTIFICATION)


def tables(units: int) -> tuple[TableSpec, ...]:
    """``standing``: 1 for units that were identified."""
    return (TableSpec("standing", np.dtype("i4"), units, flag()),)


def identified(g: BattleCore, player: int) -> list[int]:
    """Units that the player has identified."""
    return [unit for unit in g.units_of(player) if g.standing[unit]]


def candidates(g: BattleCore, player: int) -> list[int]:
    """Units that can be identified next: the most expensive of those left, weapons and wargear included
    (w9.mission.while-we-stand.value); none once three are identified.
    """
    if len(identified(g, player)) == CHOSEN:
        return []
    u = g.units
    mustered = [unit for unit in g.units_of(player) if u.strength[unit]]
    left = [unit for unit in mustered if not g.standing[unit] and not u.keywords[unit] & FORTIFICATION]
    most = max((u.points[unit] for unit in left), default=0)
    return [unit for unit in left if u.points[unit] == most]


def identify(g: BattleCore, unit: int) -> None:
    """Mark the unit as identified."""
    g.standing[unit] = 1
    g.note("w9.mission.while-we-stand.choose", "unit identified", unit=unit)


class WhileWeStand(OfPlayer):
    """The player identifies the three units that cost most (w9.mission.while-we-stand.choose), or all units of an army
    of three or fewer (w9.mission.while-we-stand.small-army). It chooses only between units of equal cost.
    """

    asks = ("stand-and-fight",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + WhileWeStand.PLAYER]
        found = candidates(g, player)
        if len(found) > CHOSEN - len(identified(g, player)):
            return g.ask(StandAndFight, player)
        for unit in found:
            identify(g, unit)
        return GO if found else g.pop()


class StandAndFight(ChooseUnit):
    name = "stand-and-fight"
    what = "Which of several units that cost the same is one of the three of While We Stand, We Fight."
    keys = ("w9.mission.while-we-stand.choose",)

    def may(self, g: BattleCore, unit: int) -> bool:
        return unit in candidates(g, g.units.owner[unit])

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        identify(g, unit)


def score_standing(g: BattleCore, player: int) -> int:
    """Victory points for the identified units on the battlefield. Of a unit that has split, one part on the battlefield
    is enough (w9.mission.while-we-stand.split).
    """
    place = g.units.place
    standing = [unit for unit in identified(g, player) if any(place[row] == ON_TABLE for row in parts(g, unit))]
    return len(standing) * int(g.setup.rules["vp_each_standing"])
