"""Falling Back and Desperate Escape tests (w10.move.fall-back.*, w10.move.desperate-escape.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.paths import leg_blocked
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, V
from wh_env.rulesets.w10.attacking import log
from wh_env.rulesets.w10.casualties import Demises, settle
from wh_env.rulesets.w10.codes import Moved
from wh_env.rulesets.w10.limits import FALL_BACK_AROUND, limits_for
from wh_env.rulesets.w10.machine import LOST, tell
from wh_env.rulesets.w10.model_moves import MoveModels
from wh_env.rulesets.w10.unit_moves import cell_displacement, fill_cells, limits_of, move_to_cell
from wh_env.rulesets.w40k.attacks import destroy_model
from wh_env.rulesets.w40k.profiles import Keyword

UNIT, CELL, FAILED, OVER = V, V + 1, V + 2, V + 3
EXEMPT = int(Keyword.FLY | Keyword.TITANIC)

# steps
CHOOSE, TEST, LOSE, MOVE, END = range(5)


class FallBack(Procedure):
    """Choose the way, take the tests before anything moves, remove the lost models, move the rest."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit, step = stack[f + UNIT], stack[f + STEP]
        full = g.setup.rules["detail"] == "full"
        if step == CHOOSE:
            stack[f + STEP] = TEST
            return g.ask(FallBackOver if full else FallBackTo, g.units.owner[unit], unit)
        if step == TEST:
            stack[f + FAILED] = escape_tests(g, unit, stack[f + OVER])
            stack[f + STEP] = LOSE
        elif step == LOSE:
            if stack[f + FAILED] and g.units.alive[unit] > 0:
                stack[f + FAILED] -= 1
                return g.ask(EscapeLoss, g.units.owner[unit], unit)
            stack[f + STEP] = MOVE
            g.push(Demises)
        elif step == MOVE:
            stack[f + STEP] = END
            if g.units.alive[unit] > 0:
                if full:
                    g.push(MoveModels, unit, Moved.FELL_BACK, stack[f + OVER])
                else:
                    self.leave(g, unit, stack[f + CELL])
        else:
            g.pop()
            settle(g)
        return GO

    @staticmethod
    def leave(g: BattleCore, unit: int, cell: int) -> None:
        """Move to the chosen cell if the models left can still end in coherency there (w10.concepts.coherency.move)."""
        for limits in (around_limits(g, unit), limits_of(g, unit, Moved.FELL_BACK)):
            cells = g.setup.statics["cells"]
            if fill_cells(g, unit, limits, cells) and cells[cell]:
                path = move_to_cell(g, unit, limits, cell)
                if g.recorder is not None:
                    g.note("w10.move.fall-back.move", "unit falls back", unit=unit, path=path)
                return


def around_limits(g: BattleCore, unit: int) -> object:
    """A Fall Back that goes around enemy models, so that nobody takes a test for crossing them."""
    return limits_for(g, unit, FALL_BACK_AROUND, 0.0)


def escape_tests(g: BattleCore, unit: int, over: int) -> int:
    """Roll the Desperate Escape tests; ``over`` has a bit for each model slot that will cross enemy models.

    A Battle-shocked unit tests for every model, once, exempt or not (w10.move.desperate-escape.battle-shock, .once).
    """
    failed = 0
    shocked = g.units.shocked[unit]
    for slot, model in enumerate(g.members(unit)):
        crosses = over >> slot & 1 and not g.models.keywords[model] & EXEMPT
        if shocked or crosses:
            roll = g.d6()
            failed += roll <= 2
            if g.recorder is not None:
                rule = "battle-shock" if shocked else "over-enemies"
                g.note(f"w10.move.desperate-escape.{rule}", "Desperate Escape test", model=model, roll=roll)
    return failed


class FallBackTo(DecisionKind):
    """Squad detail: where the unit falls back to; it goes around enemy models where it can."""

    name = "fall-back-to"
    rules = ("w10.move.fall-back.move", "w10.move.fall-back.over-enemies")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + UNIT], g.setup.space
        fill_cells(g, unit, limits_of(g, unit, Moved.FELL_BACK), g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, cell = g.stack[f + UNIT], action - g.setup.space.cell
        g.stack[f + CELL] = cell
        cells = g.setup.statics["cells"]
        if fill_cells(g, unit, around_limits(g, unit), cells) and cells[cell]:
            return
        dx, dy = cell_displacement(g, unit, limits_of(g, unit, Moved.FELL_BACK), cell)
        g.stack[f + OVER] = crossing_models(g, unit, dx, dy)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + UNIT]
        dx, dy = cell_displacement(g, unit, limits_of(g, unit, Moved.FELL_BACK), action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} falls back {dx:+.1f}, {dy:+.1f} inches"


def crossing_models(g: BattleCore, unit: int, dx: float, dy: float) -> int:
    """A bit for each model slot whose straight way by (dx, dy) leads over enemy models."""
    m = g.models
    limits, over = around_limits(g, unit), 0
    for slot, k in enumerate(g.members(unit)):
        x, y, z, facing = m.x[k], m.y[k], m.z[k], m.facing[k]
        args = (m.rows, limits, g.setup.statics["no_targets"], k, x, y, z, facing, x + dx, y + dy, z, facing)
        if leg_blocked(*args):
            over |= 1 << slot
    return over


class FallBackOver(DecisionKind):
    """Full detail: which models will move over enemy models; one slot after the other, then done."""

    name = "fall-back-over"
    rules = ("w10.move.fall-back.over-enemies",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for slot, _ in enumerate(g.members(g.stack[f + UNIT])):
            if not g.stack[f + OVER] >> slot & 1:
                mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            g.stack[f + OVER] |= 1 << (action - g.setup.space.model)
            g.stack[f + STEP] = CHOOSE


class EscapeLoss(DecisionKind):
    """Which model of the unit is lost to a failed Desperate Escape test."""

    name = "escape-loss"
    rules = ("w10.move.desperate-escape.test",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(g.members(g.stack[f + UNIT])):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + UNIT]
        slot = action - g.setup.space.model
        model = list(g.members(unit))[slot]
        over = g.stack[f + OVER]
        g.stack[f + OVER] = over & ((1 << slot) - 1) | over >> 1 & ~((1 << slot) - 1)
        g.attack.casualties[0] = g.queue[LOST]
        g.attack.target[0] = unit
        destroy_model(g.models.rows, g.units.rows, g.attack.rows, log(g), g.casualties_array, model)
        g.queue[LOST] = g.attack.casualties[0]
        if g.recorder is not None:
            tell(g, g.attack)
            g.note("w10.move.desperate-escape.test", "lost to a Desperate Escape test", model=model)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        """The last model: leaders and special weapons usually come first."""
        return int(g.setup.space.model + g.units.alive[g.stack[f + UNIT]] - 1)
