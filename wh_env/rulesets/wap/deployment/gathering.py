"""Units that a die sends to an area or that arrive late, and the characters that go along with them. Characters join
before the die is rolled (wap.scenario.dawn-attack.*, wap.scenario.meeting-engagement.reserve-roll).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import GO, STEP, ChooseUnit, OfPlayer, Steps, integer
from wh_env.core.tables import DEPLOYING, ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.characters.waiting import could_stand_in, waits_with
from wh_env.rulesets.wap.codes import LATE, SCOUTS
from wh_env.rulesets.wap.deployment.divisions import division_of, side_of
from wh_env.rulesets.wap.deployment.drops import Drop
from wh_env.rulesets.wap.deployment.setting_up import is_scouting, usual
from wh_env.rulesets.wap.movement.reinforcements import Arrive
from wh_env.rulesets.wap.rule_book import HIDDEN

AREAS = "wap.scenario.dawn-attack.table"


def goes_by_die(g: BattleCore, unit: int) -> bool:
    """Whether a die says where in its zone a unit is deployed; it does not for scouts
    (wap.scenario.dawn-attack.scouts).
    """
    return bool(division_of(g).areas) and not is_scouting(g, unit)


def deploy(g: BattleCore, unit: int) -> None:
    """Begin to deploy a unit."""
    if goes_by_die(g, unit):
        g.push(Gather, g.units.owner[unit], unit)
    else:
        g.push(Drop, unit)


def roll_area(g: BattleCore, unit: int) -> None:
    """Roll the area of its zone that a unit goes to. If the unit has no room there, it goes as near to the area as it
    has room (wap.scenario.dawn-attack.table).
    """
    areas, die, u = g.setup.rules["mission"]["deployment"]["areas"], g.d6(), g.units
    row = next(n for n, area in enumerate(areas) if die in area["dice"])
    u.area[unit] = row + 1
    if not usual(g, unit)[1]:
        u.area[unit] += len(areas)
    g.note(AREAS, "is sent", unit=unit, die=die, where=areas[row]["name"])


def may_go_along(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character can go along with a unit: both wait in the same way (to be deployed, or late), and the
    character may stand in it.
    """
    u = g.units
    if character == unit or not is_character(g, character) or u.place[character] != u.place[unit]:
        return False
    waits = u.place[unit] == DEPLOYING or (u.place[unit] == RESERVE and is_late(g, character))
    alike = (u.deployed[character] ^ u.deployed[unit]) & (LATE | SCOUTS) == 0
    return waits and alike and could_stand_in(g, character, unit)


def is_late(g: BattleCore, unit: int) -> bool:
    """Whether a die has put a unit into reserve and it is still there (wap.scenario.meeting-engagement.reserves)."""
    u = g.units
    return bool(u.place[unit] == RESERVE and u.deployed[unit] & LATE and u.left_edge[unit] < 0)


class Gather(OfPlayer):
    """Characters join a unit; then the unit is deployed or arrives on the table."""

    class Step(Steps):
        CHOOSE, GO_ON, DONE = range(3)

    UNIT = integer(row_of("units"))
    OVER = integer(flag())  # no other character goes along
    asks = ("go-along",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack, u = Gather.Step, g.stack, g.units
        player, unit = stack[f + Gather.PLAYER], stack[f + Gather.UNIT]
        if stack[f + STEP] == Step.CHOOSE:
            ready = [row for row in g.units_of(player) if may_go_along(g, row, unit)]
            listed = [row for row in ready if g.setup.statics["inside"][row] == unit and not has(g, row, HIDDEN)]
            if listed:
                go_along(g, listed[0], unit)
                return GO
            if ready and not stack[f + Gather.OVER]:
                return g.ask(GoAlong, player, unit)
            stack[f + STEP] = Step.GO_ON
        elif stack[f + STEP] == Step.GO_ON:
            stack[f + STEP] = Step.DONE
            if u.place[unit] == RESERVE:
                g.push(Arrive, unit, division_of(g).edges[side_of(g, player)])
            else:
                roll_area(g, unit)
                g.push(Drop, unit)
        else:
            if u.place[unit] == ON_TABLE:
                u.deployed[unit] &= ~LATE
            return g.pop()
        return GO


def go_along(g: BattleCore, character: int, unit: int) -> None:
    """A character becomes part of a unit that waits."""
    late = g.units.place[unit] == RESERVE
    rule = "wap.scenario.meeting-engagement.reserve-roll" if late else "wap.scenario.dawn-attack.characters"
    g.units.deployed[character] &= ~LATE
    waits_with(g, character, unit, rule)


class GoAlong(ChooseUnit):
    name = "go-along"
    what = (
        "Which character goes with a unit before it is known where that is deployed, or when it comes on to the table; "
        "done: nobody else does."
    )
    keys = ("wap.scenario.dawn-attack.characters", "wap.scenario.meeting-engagement.reserve-roll")
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_go_along(g, unit, g.clock.subject[0])

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        go_along(g, unit, g.stack[f + Gather.UNIT])

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + Gather.OVER] = 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "nobody else goes along" if action == 0 else f"{g.default_words(action)} goes along"
