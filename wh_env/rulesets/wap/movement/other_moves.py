"""Remaining moves: which unit moves next, and its move from the first choice to the last (wap.move.other.*,
wap.move.phase.order).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.basics.by_magic import is_held
from wh_env.rulesets.wap.basics.garrisons import buildings_of, is_inside
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.traps import moves
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.casualties.crossings import forget, stands_here, test_for_all
from wh_env.rulesets.wap.characters.stepping_out import step_out, take_bearings
from wh_env.rulesets.wap.codes import MOVED, WAR_MACHINE
from wh_env.rulesets.wap.field.dangerous import How
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.movement.entering import Enter, buildings_open
from wh_env.rulesets.wap.movement.going import LAST_REFORM, NO_REFORM, MoveFrame, carry_out
from wh_env.rulesets.wap.movement.leaving_buildings import Leave
from wh_env.rulesets.wap.movement.legs import Leg, LegLength
from wh_env.rulesets.wap.movement.lingering import Lingers, ask_to_linger, is_asked_to_linger, is_let_out, lingers
from wh_env.rulesets.wap.movement.manoeuvre import Manoeuvre, goes_ahead, may_reform_after, stays
from wh_env.rulesets.wap.movement.march import fails_to_march
from wh_env.rulesets.wap.movement.move_to import EndWheel, MoveRefine, MoveTo
from wh_env.rulesets.wap.movement.movers import has_mover, mark_movers
from wh_env.rulesets.wap.movement.pivots import PivotPush, PivotTo
from wh_env.rulesets.wap.movement.plans import begin, remember_origin, set_out
from wh_env.rulesets.wap.movement.reform import ReformFacing, ReformFiles
from wh_env.rulesets.wap.movement.turning_inside import TurnInside
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.special.light_troops import is_loose
from wh_env.rulesets.wap.ways.poses import lone


class OtherMoves(OfPlayer):
    """The remaining moves of a player, one unit after the other; no unit has to move (wap.battle.turn.all-units,
    wap.move.other.one-by-one).
    """

    OVER = integer(flag())
    asks = ("select-to-move",)

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        player = g.stack[f + OtherMoves.PLAYER]
        if not g.stack[f + OtherMoves.OVER] and has_mover(g, player):
            return g.ask(SelectToMove, player)
        return g.pop()


class SelectToMove(ChooseUnit):
    name = "select-to-move"
    what = "Which unit moves next; done: the rest stay where they are."
    keys = (
        "wap.battle.turn.all-units",
        "wap.move.phase.order",
        "wap.move.other.one-by-one",
        "wap.move.other.eligible",
        "wap.lore.fire.flame-cage.trap",
        "wap.character.leave.remaining-moves",
        "wap.building.leave.when",
    )
    declines = True

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        mask[0] = True
        mark_movers(g, g.stack[f + OtherMoves.PLAYER], g.mask[space.own : space.enemy])

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + OtherMoves.OVER] = 1
        g.note("wap.battle.turn.all-units", "the rest stay", player=g.stack[f + OtherMoves.PLAYER])

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        if is_held(g, unit):
            stays(g, unit)
        elif is_asked_to_linger(g, unit):
            g.push(LingersToMove, unit)
        else:
            begin_move(g, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "the rest stay" if action == 0 else g.default_words(action)


def begin_move(g: BattleCore, unit: int) -> None:
    """A unit that was chosen begins its move. One that lingers enters no building, and no character who does leaves his
    unit.
    """
    if not is_let_out(g, unit):
        stays(g, unit)
        return
    if host_of(g, unit) >= 0:
        take_bearings(g, unit)
    # shooting rules ask later whether the unit has only turned
    g.work.call(remember_origin, g.units.rows, g.origin.rows, unit)
    set_out(g, unit)
    forget(g, unit)
    g.push(MoveUnit, unit)
    if is_inside(g, unit):
        g.push(TurnInside if g.units.kind[unit] == WAR_MACHINE else Leave, unit)
    elif not lingers(g, unit) and buildings_of(g) and buildings_open(g, unit):
        g.push(Enter, unit)


class LingersToMove(Lingers):
    """A unit near ground that keeps it is chosen to move."""

    advance = ask_to_linger

    def goes_on(self, g: BattleCore, unit: int, leaves: bool) -> None:
        begin_move(g, unit)


STEPS: dict[int, type[DecisionKind]] = {
    MoveFrame.Step.HOW: Manoeuvre,
    MoveFrame.Step.WHERE: MoveTo,
    MoveFrame.Step.REFINE: MoveRefine,
    MoveFrame.Step.TURN: EndWheel,
    MoveFrame.Step.LEG: Leg,
    MoveFrame.Step.LENGTH: LegLength,
    MoveFrame.Step.PIVOT: PivotTo,
    MoveFrame.Step.PUSH: PivotPush,
    MoveFrame.Step.FILES: ReformFiles,
    MoveFrame.Step.FACING: ReformFacing,
}


class MoveUnit(MoveFrame):
    """The move of one unit: its player chooses how it moves, then where; then the move is carried out
    (wap.core.unit.single-entity: all its models together).
    """

    asks = (
        "manoeuvre",
        "move-to",
        "move-refine",
        "end-wheel",
        "leg",
        "leg-length",
        "pivot-to",
        "pivot-push",
        "reform-files",
        "reform-facing",
    )

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = MoveUnit.Step, g.stack
        step = stack[f + STEP]
        unit = stack[f + MoveUnit.UNIT]
        if step == Step.OVER:
            tested = stack[f + MoveUnit.FREE] == LAST_REFORM  # at the end of the move before that
            how = MoveUnit.how(g, f)
            g.pop()
            if not tested:
                test_for_all(g, unit, how)
            if g.units.did[unit] & MOVED:
                moves(g, unit)
            return GO
        if step == Step.TURN and lone(g, unit):
            step = stack[f + STEP] = Step.PIVOT
        elif step == Step.HOW and stack[f + MoveUnit.MARCH] and stack[f + MoveUnit.FREE] == NO_REFORM:
            if MoveUnit.failed(g, f):
                fails_to_march(g, f)
            else:
                goes_ahead(g, f)
            return GO
        kind = STEPS.get(step)
        if kind is not None:
            return g.ask(kind, g.units.owner[unit], unit)
        if step == Step.END:
            flies = MoveUnit.flies(g, f)
            if flies:
                stands_here(g, unit)
            if host_of(g, unit) >= 0:
                step_out(g, unit)
            carry_out(g, f)
            stands_here(g, unit)
            if stack[f + MoveUnit.TURNED] == 1:  # a swift reform, after which it may move
                stack[f + MoveUnit.TURNED] = 2
                begin(g, unit)
                stack[f + STEP] = Step.HOW
                return GO
            how, loose = MoveUnit.how(g, f), is_loose(g, unit)
            if loose:  # light troops may reform once more, after the losses of a march are known
                stack[f + STEP] = Step.AFTER
            else:
                g.pop()
            test_for_all(g, unit, how)
            if not loose:
                moves(g, unit)
            return GO
        stack[f + MoveUnit.FREE] = LAST_REFORM
        stack[f + STEP] = Step.HOW if may_reform_after(g, f) else Step.OVER
        return GO

    @staticmethod
    def how(g: BattleCore, f: int) -> How:
        """How the unit goes through ground."""
        if MoveUnit.flies(g, f):
            return How.ALOFT
        return How.FAST if g.stack[f + MoveUnit.MARCH] else How.SLOW
