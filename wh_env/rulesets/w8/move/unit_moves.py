"""A unit that moves as one: it must make its minimum move, and stays where it is if it cannot end in coherency."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP
from wh_env.rulesets.w8.move.minimum import destroy, drop_near_cells, has_far_end, least_move
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.move import fall_back, unit_moves
from wh_env.rulesets.w40k.move.model_moves import begin_move
from wh_env.rulesets.w40k.move.unit_moves import fill_cells, limits_of, may_end
from wh_env.rulesets.w40k.questions.move_limits import engaged


def doomed(g: BattleCore, unit: int, kind: int) -> list[int]:
    """Models of the unit that cannot make their minimum move of ``kind``; at squad detail all or none
    (w8.move.minimum.destroyed).
    """
    if not least_move(g, unit):
        return []
    limits, rows = limits_of(g, unit, kind), list(g.members(unit))
    if g.setup.rules["detail"] == "full":
        return [k for k in rows if not has_far_end(g, k, limits)]
    stay = kind != Moved.FELL_BACK or not engaged(g, unit)
    fill_cells(g, unit, limits, g.work.cells, stay)
    return [] if drop_near_cells(g, unit, limits, g.work.cells, stay) else rows


class MoveUnit(unit_moves.MoveUnit):
    """A move of a unit as one. If no end is legal, the unit stays where it is
    (w8.concepts.coherency.cannot-restore).
    """

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit, kind = stack[f + MoveUnit.UNIT], stack[f + MoveUnit.KIND]
        if stack[f + STEP] == MoveUnit.Step.BEGIN:
            if not g.units.alive[unit]:
                return g.pop()
            begin_move(g, unit)
            if lost := doomed(g, unit, kind):
                destroy(g, unit, lost)
                return GO
            full = g.setup.rules["detail"] == "full"
            if not full and not may_end(g, unit, kind):
                g.note("w8.concepts.coherency.cannot-restore", "cannot restore coherency and stays", unit=unit)
                return g.pop()
        return super().advance(g, f)


class MoveTo(unit_moves.MoveTo):
    keys = (*unit_moves.MoveTo.keys, "w8.move.minimum", "w8.concepts.coherency")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        unit, space = g.stack[f + MoveUnit.UNIT], g.setup.space
        if least_move(g, unit):
            limits = limits_of(g, unit, g.stack[f + MoveUnit.KIND])
            drop_near_cells(g, unit, limits, g.mask[space.cell : space.angle])


class FallBack(fall_back.FallBack):
    """Only models with FLY cross other models, and no model is tested for it (w8.move.fall-back.path)."""

    asks = ("fall-back-to",)
    crosses = False

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + FallBack.UNIT]
        if g.stack[f + STEP] == FallBack.Step.BEGIN:
            if not g.units.alive[unit]:
                return g.pop()
            begin_move(g, unit)
            if lost := doomed(g, unit, Moved.FELL_BACK):
                destroy(g, unit, lost)
                return GO
        return super().advance(g, f)


class FallBackTo(fall_back.FallBackTo):
    keys = (*fall_back.FallBackTo.keys, "w8.move.minimum")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        unit, space = g.stack[f + FallBack.UNIT], g.setup.space
        limits = limits_of(g, unit, Moved.FELL_BACK)
        drop_near_cells(g, unit, limits, g.mask[space.cell : space.angle], not engaged(g, unit))
