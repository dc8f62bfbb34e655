"""Late units: a die for each unit before its army is deployed says whether it is late, and its player brings it on in a
later turn (wap.scenario.meeting-engagement.reserve-roll, .reserves).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import ChooseUnit, OfPlayer, integer
from wh_env.core.tables import DEPLOYING, RESERVE
from wh_env.rulesets.wap.codes import LATE
from wh_env.rulesets.wap.deployment.divisions import division_of, side_of
from wh_env.rulesets.wap.deployment.gathering import Gather, is_late
from wh_env.rulesets.wap.movement.edge_places import Edge, formations, places


def roll_who_is_late(g: BattleCore, player: int) -> None:
    """Roll a die for each unit of a player that is to be deployed, in the order of the army list; late units go into
    reserve.
    """
    faces, u = g.setup.rules["mission"]["deployment"]["late"], g.units
    for unit in g.units_of(player):
        if u.place[unit] != DEPLOYING:
            continue
        die = g.d6()
        if die in faces:
            u.place[unit] = RESERVE
            u.deployed[unit] |= LATE
        g.note(
            "wap.scenario.meeting-engagement.reserve-roll",
            "is late" if die in faces else "is there",
            unit=unit,
            die=die,
        )


def can_come(g: BattleCore, unit: int) -> bool:
    """Whether a unit is late and has room at the long edge of its side's half."""
    if not is_late(g, unit):
        return False
    edge = Edge(division_of(g).edges[side_of(g, g.units.owner[unit])])
    return any(places(g, unit, edge, files) for files in formations(g, unit))


def somebody_is_late(g: BattleCore) -> bool:
    """Whether the mission has late units and any unit is in reserve."""
    return bool(g.setup.rules["mission"]["deployment"]["late"]) and RESERVE in g.units.place.tolist()


class LateArrivals(OfPlayer):
    """A player brings on any of the player's late units, before other moves."""

    OVER = integer(flag())
    asks = ("bring-on",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + LateArrivals.PLAYER]
        if not g.stack[f + LateArrivals.OVER] and any(can_come(g, unit) for unit in g.units_of(player)):
            return g.ask(BringOn, player)
        return g.pop()


class BringOn(ChooseUnit):
    name = "bring-on"
    what = "Which unit that was late comes on to the table now; done: the others wait."
    keys = ("wap.scenario.meeting-engagement.reserves",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return can_come(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.push(Gather, g.units.owner[unit], unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + LateArrivals.OVER] = 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "the others wait" if action == 0 else f"{g.default_words(action)} comes on"
