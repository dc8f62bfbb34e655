"""The choice how a unit moves: it stays, advances, marches, goes back or to a side, reforms or flies
(wap.move.manoeuvre.list, .other.*, .march.*, wap.special.fly.*).

Light troops may reform freely before their move and after it (wap.special.skirmishers.reform,
wap.special.fast-cavalry.reform).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way
from wh_env.core.procedures import DecisionKind
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.passage import is_rooted
from wh_env.rulesets.wap.casualties.crossings import sets_out
from wh_env.rulesets.wap.characters.joins import CHANGING, Join, other_files
from wh_env.rulesets.wap.codes import COLUMN, MUSICIAN, STAYED
from wh_env.rulesets.wap.commands.roles import leads
from wh_env.rulesets.wap.movement.distances import left_after_reform, move_of, wings_by_magic
from wh_env.rulesets.wap.movement.fording import barred_from, with_rivers
from wh_env.rulesets.wap.movement.going import (
    ADVANCE,
    BACK,
    CHANGE_PLACES,
    FINISH,
    FIRST_REFORM,
    FLY,
    FLY_FAR,
    FORWARD,
    FREE_REFORM,
    HALF_SPEED,
    LAST_REFORM,
    MARCH,
    NO_REFORM,
    REFORM,
    SIDE_LEFT,
    SIDE_RIGHT,
    STAY,
    SWIFT_REFORM,
    MoveFrame,
    cap_of,
)
from wh_env.rulesets.wap.movement.legs import lengths, ways_from
from wh_env.rulesets.wap.movement.lingering import lingers, may_reform_near
from wh_env.rulesets.wap.movement.loose_ways import goes_round
from wh_env.rulesets.wap.movement.march import may_march, may_march_on_foot, test_to_march
from wh_env.rulesets.wap.movement.pivots import can_pivot
from wh_env.rulesets.wap.movement.plans import begin
from wh_env.rulesets.wap.movement.reform_choices import (
    can_change,
    can_reform,
    farthest,
    must_widen,
    stays_formed,
    within_reform,
)
from wh_env.rulesets.wap.special.flying import can_fly
from wh_env.rulesets.wap.special.light_troops import is_loose
from wh_env.rulesets.wap.ways.poses import front_width, lone
from wh_env.rulesets.wap.ways.survey import survey
from wh_env.rulesets.wap.ways.ways import SHORTEST

AHEAD = (ADVANCE, MARCH, FLY, FLY_FAR)

WORDS = (
    "stays",
    "advances",
    "marches",
    "goes back",
    "goes to its left",
    "goes to its right",
    "reforms",
    "makes a swift reform",
    "takes another place in its unit",
    "reforms freely",
    "flies",
    "flies as far as a march",
)


def may_reform(g: BattleCore, f: int) -> bool:
    """Whether the unit of the frame may still reform: it has made no swift reform and no free one before its move, and
    has not failed to march, which counts as marching (wap.move.march.limits, .counts).
    """
    return not (MoveFrame.turned(g, f) or MoveFrame.failed(g, f) or MoveFrame.reformed(g, f))


def reforms(g: BattleCore, f: int, far: float, way: Way) -> tuple[bool, bool]:
    """Whether the unit can reform, and whether it can make a swift reform: with a musician, to a new facing in the same
    formation (wap.command.musician.swift-reform).

    ``far``: inches that a model may go in a reform. ``way``: the obstacles near the unit.
    """
    unit = MoveFrame.unit(g, f)
    if not may_reform(g, f):
        return False, False
    swift = g.units.block[unit] > 1 and leads(g, unit, MUSICIAN)
    if not lone(g, unit) and stays_formed(g, unit, far, way):
        return True, swift  # the usual case, answered quickly
    return can_reform(g, unit), swift and can_pivot(g, f)


def may_reform_after(g: BattleCore, f: int) -> bool:
    """Whether the unit is of light troops that may reform freely after their move, and there is such a reform within
    its cap.
    """
    unit, u = MoveFrame.unit(g, f), g.units
    if u.place[unit] != ON_TABLE or u.fleeing[unit] or MoveFrame.turned(g, f) or not is_loose(g, unit):
        return False
    if lingers(g, unit) and not may_reform_near(g, unit):
        return False
    return can_change(g, unit, cap_of(g, f))


class Manoeuvre(DecisionKind):
    name = "manoeuvre"
    what = (
        "How the unit moves: it stays, advances, marches, flies, goes back or to a side at half speed, reforms, or "
        "makes a swift or a free reform and then moves; light troops that have moved: whether they reform once more, "
        "or stay so."
    )
    keys = (
        "wap.move.manoeuvre.list",
        "wap.lore.shadow.attribute-smoke-and-mirrors",
        "wap.move.basic.straight",
        "wap.battle.turn.all-units",
        "wap.move.march.double",
        "wap.move.march.limits",
        "wap.move.march.test",
        "wap.move.march.counts",
        "wap.move.other.no-mixing",
        "wap.move.reform.cost",
        "wap.command.musician.swift-reform",
        "wap.command.musician.swift-reform.move-after",
        "wap.pursuit.off-table.return",
        "wap.character.leave.remaining-moves",
        "wap.character.combined.reposition",
        "wap.special.fly.move",
        "wap.special.skirmishers.reform",
        "wap.special.fast-cavalry.reform",
        "wap.machine.move",
        "wap.machine.terrain",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option, unit, u = g.setup.space.option, MoveFrame.unit(g, f), g.units
        mask[option + STAY] = True
        if MoveFrame.free(g, f) == LAST_REFORM:
            mask[option + FREE_REFORM] = True
            return
        if wings_by_magic(g, unit):
            mask[option + FLY] = True
            return
        if u.place[unit] == ATTACHED:  # a character may leave his unit, or stand elsewhere in it
            mask[option + ADVANCE] = True
            mask[option + MARCH] = may_march_on_foot(g, f)
            mask[option + CHANGE_PLACES] = bool(other_files(g, unit))
            if can_fly(g, unit):
                self.flights(g, f, mask)
            return
        if is_rooted(g, unit):
            mask[option + ADVANCE] = can_pivot(g, f)
            return
        if u.shape[unit] == COLUMN and must_widen(g, unit):
            mask[option + REFORM] = True
            return
        if can_fly(g, unit):
            self.flights(g, f, mask)
        movement = move_of(g, unit)
        if u.strayed[unit] > 0.0:
            movement = min(movement, left_after_reform(g, unit, False))
        far, front = farthest(g, unit), front_width(g, unit)
        way = survey(g, unit, max(movement, within_reform(far, front)))
        ways = ways_from(g, unit, movement, front, way)
        mask[option + REFORM], mask[option + SWIFT_REFORM] = reforms(
            g, f, far, way
        )  # before the next calls overwrite ``way``
        if lingers(g, unit) and not may_reform_near(g, unit):
            mask[option + REFORM] = mask[option + SWIFT_REFORM] = False
        mask[option + FREE_REFORM] = mask[option + REFORM] and is_loose(g, unit)
        mask[option + ADVANCE] = ahead = bool(ways & 1) or (goes_round(g, f) and lengths(g, f, FORWARD) > 0.0)
        mask[option + MARCH] = ahead and may_march_on_foot(g, f) and self.has_way(g, f, movement, front)
        mask[option + BACK], mask[option + SIDE_LEFT], mask[option + SIDE_RIGHT] = (
            ways & 2 > 0,
            ways & 4 > 0,
            ways & 8 > 0,
        )
        if lingers(g, unit):
            for how, leg in HALF_SPEED.items():
                mask[option + how] = mask[option + how] and lengths(g, f, leg) > 0.0

    @staticmethod
    def has_way(g: BattleCore, f: int, movement: float, front: float) -> bool:
        """Whether rivers leave the unit a way for a march of some length (wap.terrain.river.no-march)."""
        unit, u = MoveFrame.unit(g, f), g.units
        if not with_trait(g, "no_march") or not barred_from(g, unit):
            return True
        pose = (u.x[unit], u.y[unit], u.facing[unit])
        return bool(ways_from(g, unit, movement, front, with_rivers(g, unit, survey(g, unit, movement), pose)) & 1)

    @staticmethod
    def flights(g: BattleCore, f: int, mask: memoryview) -> None:
        """Offer a flight to a unit that can fly, and one as far as a march if it may march (wap.special.fly.move,
        .march).
        """
        option, unit = g.setup.space.option, MoveFrame.unit(g, f)
        if min(move_of(g, unit, True), left_after_reform(g, unit, True)) > SHORTEST:
            mask[option + FLY] = True
            mask[option + FLY_FAR] = may_march(g, f)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Step = MoveFrame.Step
        unit, chosen = MoveFrame.unit(g, f), action - g.setup.space.option
        if chosen == STAY:
            if MoveFrame.free(g, f) == NO_REFORM:
                stays(g, unit)
            MoveFrame.go_to(g, f, Step.OVER)
        elif chosen in AHEAD:
            marches = chosen in (MARCH, FLY_FAR)
            MoveFrame.note(g, f, MoveFrame.MARCH, marches)
            MoveFrame.note(g, f, MoveFrame.FLIES, chosen in (FLY, FLY_FAR))
            if marches and test_to_march(g, f):
                return  # ``MoveUnit`` goes on when the test is resolved
            goes_ahead(g, f)
        elif chosen in HALF_SPEED:
            sets_out(g, unit)
            MoveFrame.note(g, f, MoveFrame.LEG, HALF_SPEED[chosen])
            MoveFrame.go_to(g, f, Step.LENGTH)
        elif chosen == CHANGE_PLACES:
            MoveFrame.go_to(g, f, Step.OVER)
            g.push(Join, unit, host_of(g, unit), CHANGING)
        elif chosen in (REFORM, FREE_REFORM):
            if chosen == FREE_REFORM and MoveFrame.free(g, f) == NO_REFORM:
                MoveFrame.note(g, f, MoveFrame.FREE, FIRST_REFORM)
            MoveFrame.go_to(g, f, Step.FILES)
        else:
            MoveFrame.note(g, f, MoveFrame.TURNED, 1)
            MoveFrame.go_to(g, f, Step.PIVOT)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        chosen, unit = action - g.setup.space.option, MoveFrame.unit(g, f)
        words = "turns on the spot" if chosen == ADVANCE and is_rooted(g, unit) else WORDS[chosen]
        return f"{g.setup.names['units'][unit]} {words}"


def goes_ahead(g: BattleCore, f: int) -> None:
    """The unit advances or marches: plan from where it stands, and ask next where it goes; a machine that may only turn
    is asked which way (wap.machine.terrain).
    """
    begin(g, MoveFrame.unit(g, f))
    sets_out(g, MoveFrame.unit(g, f))
    MoveFrame.note(g, f, MoveFrame.LEG, FINISH)
    if is_rooted(g, MoveFrame.unit(g, f)):
        MoveFrame.go_to(g, f, MoveFrame.Step.PIVOT)
        return
    MoveFrame.go_to(g, f, MoveFrame.Step.LEG if g.setup.rules["detail"] == "full" else MoveFrame.Step.WHERE)


def stays(g: BattleCore, unit: int) -> None:
    """Mark the unit as staying where it is for the rest of the turn."""
    g.units.did[unit] |= STAYED
