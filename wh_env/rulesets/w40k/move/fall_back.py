"""Falling Back and Desperate Escape tests (move.fall-back.*, move.desperate-escape.*)."""

from __future__ import annotations

from math import hypot
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import INT_HIGH, bits, count_of, flag, row_of
from wh_env.core.features import Pending
from wh_env.core.geometry.legs import leg_blocked
from wh_env.core.geometry.paths import Fault
from wh_env.core.procedures import GO, STEP, DecisionKind, Steps, integer
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.casualties import Demises, settle
from wh_env.rulesets.w40k.attack.decisions import tell
from wh_env.rulesets.w40k.attack.machine import destroy_model
from wh_env.rulesets.w40k.attack.making import log
from wh_env.rulesets.w40k.attack.rerolls import TakesTests, command_reroll
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.move.coherency import in_coherency
from wh_env.rulesets.w40k.move.model_moves import MoveModels, has_end
from wh_env.rulesets.w40k.move.unit_moves import cell_displacement, fill_cells, limits_of, move_to_cell, moving, path_of
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import FALL_BACK, FALL_BACK_AROUND, engaged, limits_for
from wh_env.rulesets.w40k.reaction.windows import Interruptible


class FallBack(TakesTests, Interruptible):
    """Choose the way, take the tests before any model moves, remove the lost models, move the others.

    ``MARK``: enemies shot at the unit first. If no legal move is left then, it stays.
    """

    class Step(Steps):
        BEGIN, CHOOSE, TEST, LOSE, MOVE, LEAVE, END = range(7)

    CELL = integer(row_of("cells"))
    FAILED = integer(count_of("models"))  # tests, each of which costs a model
    OVER = integer(bits(INT_HIGH))  # a bit for each model slot that may cross enemy models
    MARK = integer(flag())
    asks: ClassVar[tuple[str, ...]] = ("fall-back-to", "fall-back-over", "escape-loss")
    crosses: ClassVar[bool] = True  # models may be declared to cross enemies

    def advance(self, g: BattleCore, f: int) -> int:
        Step = FallBack.Step
        stack = g.stack
        unit, step = stack[f + FallBack.UNIT], stack[f + STEP]
        full = g.setup.rules["detail"] == "full"
        if step == Step.BEGIN:
            if edition(g).stops_fall_back(g, unit):
                g.units.moved[unit] = Moved.STATIONARY
                return g.pop()
            stack[f + FallBack.OVER] = untested(g, unit) if full else 0
            step = stack[f + STEP] = Step.CHOOSE
            if stack[f + FallBack.MARK] and not can_fall_back(g, unit):
                step = stack[f + STEP] = Step.END
        if step == Step.CHOOSE:
            stack[f + STEP] = Step.TEST
            if not full:
                return g.ask(FallBackTo, g.units.owner[unit], unit)
            # every model of a Battle-shocked unit is tested, whatever it crosses
            if self.crosses and not g.units.shocked[unit]:
                return g.ask(FallBackOver, g.units.owner[unit], unit)
        elif step == Step.TEST:
            stack[f + FallBack.FAILED] = escape_tests(g, unit, stack[f + FallBack.OVER])
            stack[f + STEP] = Step.LOSE
            if stack[f + FallBack.FAILED] and command_reroll(g, g.units.owner[unit], unit):
                self.offer_reroll(g, unit, edition(g).escape.needed)
        elif step == Step.LOSE:
            if stack[f + FallBack.FAILED] and g.units.alive[unit] > 0:
                stack[f + FallBack.FAILED] -= 1
                return g.ask(EscapeLoss, g.units.owner[unit], unit)
            stack[f + STEP] = Step.MOVE
            g.push(Demises)
        elif step == Step.MOVE:
            stack[f + STEP] = Step.LEAVE
            if full and g.units.alive[unit] > 0:
                g.push(MoveModels, unit, Moved.FELL_BACK, stack[f + FallBack.OVER])
        elif step == Step.LEAVE:
            stack[f + STEP] = Step.END
            if g.units.alive[unit] > 0:
                if not full:
                    leave(g, unit, stack[f + FallBack.CELL], stack[f + FallBack.OVER])
                elif engaged(g, unit) or not in_coherency(g, unit):
                    leave(g, unit, len(g.work.cells) // 2, stack[f + FallBack.OVER])
        else:
            g.pop()
            settle(g)
        return GO


def untested(g: BattleCore, unit: int) -> int:
    """A bit for each model slot that may cross enemy models without a further test: exempt, or tested in any case."""
    shocked, keywords, exempt = g.units.shocked[unit], g.models.keywords, edition(g).escape.exempt
    return sum(1 << slot for slot, k in enumerate(g.members(unit)) if shocked or keywords[k] & exempt)


def around_limits(g: BattleCore, unit: int) -> Array:
    """Limits of a Fall Back that goes around enemy models, so that no model tests for crossing them."""
    return limits_for(g, unit, FALL_BACK_AROUND, 0.0)


def fall_back_cells(g: BattleCore, unit: int, limits: Array, cells: Array) -> int:
    """Mark where the unit can fall back to if its models move alike. It may not stay where it is engaged."""
    return fill_cells(g, unit, limits, cells, not engaged(g, unit))


def can_fall_back(g: BattleCore, unit: int) -> bool:
    """Whether the unit has a legal end for a Fall Back (move.fall-back.end).

    Squad detail: the unit as a whole; full detail: each of its models.
    """
    if fall_back_cells(g, unit, limits_of(g, unit, Moved.FELL_BACK), g.work.cells):
        return True
    if g.setup.rules["detail"] != "full":
        return False
    return all(has_end(g, k, limits_for(g, unit, FALL_BACK, 0.0, k)) for k in g.members(unit))


def leave(g: BattleCore, unit: int, cell: int, over: int) -> None:
    """Fall back, all models alike, to the chosen cell. If the losses made it illegal: to the nearest legal cell.

    The unit goes around enemies if it can, and crosses them only with the declared models. With no legal end it stays.
    """
    cells, grid, stay = g.work.cells, g.setup.space.grid, not engaged(g, unit)
    allowed = over | untested(g, unit)
    ways: list[tuple[float, int, int]] = []
    kinds = (around_limits(g, unit), limits_of(g, unit, Moved.FELL_BACK))
    for number, limits in enumerate(kinds):
        fill_cells(g, unit, limits, cells, stay)
        for c in cells.nonzero()[0].tolist():
            ways.append((hypot(c % grid - cell % grid, c // grid - cell // grid), number, c))
    for _, number, c in sorted(ways):
        if not crossing_models(g, unit, kinds[number], c) & ~allowed:
            points = move_to_cell(g, unit, kinds[number], c, stay)
            forget_targets(g)
            if g.recorder is not None:
                g.tell("move.fall-back.move", "unit falls back", unit=unit, path=path_of(g, points))
            return


def escape_tests(g: BattleCore, unit: int, over: int) -> int:
    """Roll the Desperate Escape tests; ``over`` has a bit for each model slot that will cross enemy models.

    A Battle-shocked unit tests for every model, once, exempt or not
    (move.desperate-escape.battle-shock, move.desperate-escape.once).
    """
    failed = 0
    shocked, escape = g.units.shocked[unit], edition(g).escape
    for slot, model in enumerate(g.members(unit)):
        crosses = over >> slot & 1 and not g.models.keywords[model] & escape.exempt
        if shocked or crosses:
            roll = g.d6()
            failed += roll < escape.needed
            if g.recorder is not None:
                rule = "battle-shock" if shocked else "over-enemies"
                g.tell(f"move.desperate-escape.{rule}", "Desperate Escape test", model=model, roll=roll)
    return failed


def lose_model(g: BattleCore, unit: int, model: int) -> None:
    """A model of the unit is destroyed during its move. The consequences follow after the move (``settle``)."""
    g.attack.casualties[0] = g.queue[LOST]
    g.attack.target[0] = unit
    destroy_model(g.models.rows, g.units.rows, g.attack.rows, log(g), g.casualties_array, model)
    g.queue[LOST] = g.attack.casualties[0]
    if g.recorder is not None:
        tell(g, g.attack)


class FallBackTo(DecisionKind):
    name = "fall-back-to"
    what = "Squad detail: where the unit falls back to; it goes around enemy models where it can."
    full = False
    keys: ClassVar[tuple[str, ...]] = (
        "move.fall-back.move",
        "move.fall-back.over-enemies",
        "move.models.any-and-order",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + FallBack.UNIT], g.setup.space
        fall_back_cells(g, unit, limits_of(g, unit, Moved.FELL_BACK), g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, cell = g.stack[f + FallBack.UNIT], action - g.setup.space.cell
        g.stack[f + FallBack.CELL] = cell
        cells = g.work.cells
        if fall_back_cells(g, unit, around_limits(g, unit), cells) and cells[cell]:
            return
        g.stack[f + FallBack.OVER] = crossing_models(g, unit, limits_of(g, unit, Moved.FELL_BACK), cell)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + FallBack.UNIT]
        dx, dy = cell_displacement(g, unit, limits_of(g, unit, Moved.FELL_BACK), action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} falls back {dx:+.1f}, {dy:+.1f} inches"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return moving(g, limits_of(g, g.stack[f + FallBack.UNIT], Moved.FELL_BACK))


def crossing_models(g: BattleCore, unit: int, limits: Array, cell: int) -> int:
    """A bit for each model slot whose way crosses enemy models if the unit falls back to the (legal) cell."""
    m, targets = g.models, g.work.no_targets
    rows = list(g.members(unit))
    stood = m.rows[rows]
    path = path_of(g, move_to_cell(g, unit, limits, cell, not engaged(g, unit)))
    ends = m.rows[rows]
    m.rows[rows] = stood
    around, over = around_limits(g, unit), 0
    for slot, (k, start, end) in enumerate(zip(rows, stood, ends, strict=True)):
        x, y, z, facing = (float(start[name]) for name in ("x", "y", "z", "facing"))
        ways = [(start["x"] + dx, start["y"] + dy) for dx, dy in path] or [(end["x"], end["y"])]
        for x1, y1 in ways:
            height, turned = float(end["z"]), float(end["facing"])
            leg = (x, y, z, facing, float(x1), float(y1), height, turned)
            over |= (leg_blocked(m.rows, around, targets, k, *leg) == Fault.CROSSES_ENEMY) << slot
            x, y, z, facing = leg[4:]
    return over


class FallBackOver(DecisionKind):
    name = "fall-back-over"
    what = "Which models will move over enemy models; one slot after the other, then done."
    instead = "Only those for which there is no way around to the place chosen by `fall-back-to`."
    keys = ("move.fall-back.over-enemies",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + FallBack.UNIT]
        mask[0] = True
        for slot, k in enumerate(g.members(unit)):
            if not g.stack[f + FallBack.OVER] >> slot & 1:
                mask[g.setup.space.model + slot] = True
                # models that have no legal end without crossing enemies must be declared before ``done`` is legal
                if mask[0] and not has_end(g, k, limits_for(g, unit, FALL_BACK_AROUND, 0.0, k)):
                    mask[0] = False

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            g.stack[f + FallBack.OVER] |= 1 << (action - g.setup.space.model)
            g.stack[f + STEP] = FallBack.Step.CHOOSE


class EscapeLoss(DecisionKind):
    name = "escape-loss"
    what = "Which model of the unit is lost to a failed Desperate Escape test."
    policy = (
        "The last model of the Bodyguard (special weapons usually come first), its Leader only when nobody else is "
        "left."
    )
    keys = ("move.desperate-escape.test",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(g.members(g.stack[f + FallBack.UNIT])):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + FallBack.UNIT]
        slot = action - g.setup.space.model
        model = list(g.members(unit))[slot]
        over = g.stack[f + FallBack.OVER]
        g.stack[f + FallBack.OVER] = over & ((1 << slot) - 1) | over >> 1 & ~((1 << slot) - 1)
        lose_model(g, unit, model)
        g.tell("move.desperate-escape.test", "lost to a Desperate Escape test", model=model)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        unit, datasheet = g.stack[f + FallBack.UNIT], g.models.datasheet
        rows = list(g.members(unit))
        slots = [slot for slot, k in enumerate(rows) if datasheet[k] == unit]
        return g.setup.space.model + (slots or range(len(rows)))[-1]
