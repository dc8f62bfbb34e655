"""Normal moves that abilities allow in addition to those of the Movement phase."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag, row_of
from wh_env.core.features import Pending
from wh_env.core.geometry.paths import SAME_FOR_ALL
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.codes import Freedom
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.move.unit_moves import fill_cells, move_to_cell, moving, path_of
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import NORMAL, limits_for
from wh_env.rulesets.w40k.reaction.windows import open_window

MOST_INCHES = 24


def extra_limits(g: BattleCore, unit: int, inches: int) -> Array:
    """The limits of a Normal move of ``inches`` inches."""
    limits: Array = np.copy(limits_for(g, unit, NORMAL, 0.0))
    limits["mode"], limits["extra"] = SAME_FOR_ALL, float(inches)
    return limits


class ExtraMove(Procedure):
    """The unit makes a Normal move of ``INCHES``, all models alike, or stays. If ``NO_CHARGE``, a unit that moves
    cannot charge this turn.
    """

    class Step(Steps):
        BEGIN, MOVED = range(2)

    UNIT = integer(row_of("units"))
    INCHES = integer(between(0, MOST_INCHES))
    NO_CHARGE = integer(flag())
    asks = ("extra-move",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit, step = g.stack[f + ExtraMove.UNIT], g.stack[f + STEP]
        g.stack[f + STEP] = ExtraMove.Step.MOVED
        if step == ExtraMove.Step.BEGIN and g.units.place[unit] == ON_TABLE:
            return g.ask(ExtraMoveTo, g.units.owner[unit], unit)
        return g.pop()


class ExtraMoveTo(DecisionKind):
    name = "extra-move"
    what = "Where a unit moves by an ability, all its models together (done: it does not move)."
    policy = "It stays where it is."
    keys = ("datasheet.abilities", "move.models.any-and-order")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space, unit = g.setup.space, g.stack[f + ExtraMove.UNIT]
        mask[0] = True
        limits = extra_limits(g, unit, g.stack[f + ExtraMove.INCHES])
        fill_cells(g, unit, limits, g.mask[space.cell : space.angle], stay=False)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            return
        unit = g.stack[f + ExtraMove.UNIT]
        points = move_to_cell(
            g, unit, extra_limits(g, unit, g.stack[f + ExtraMove.INCHES]), action - g.setup.space.cell
        )
        forget_targets(g)
        if g.stack[f + ExtraMove.NO_CHARGE]:
            g.units.marks[unit] |= Freedom.NO_CHARGE
        if g.recorder is not None:
            g.tell("datasheet.abilities", "moves by an ability", unit=unit, path=path_of(g, points))
        open_window(g, Moment.ENDS_MOVE, unit)

    def pending(self, g: BattleCore, f: int) -> Pending:
        return moving(g, extra_limits(g, g.stack[f + ExtraMove.UNIT], g.stack[f + ExtraMove.INCHES]))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0


def move_by_ability(g: BattleCore, unit: int, inches: int, no_charge: bool = False) -> None:
    """Let the unit make a move of ``inches`` inches now; if ``no_charge``, it then cannot charge this turn."""
    g.push(ExtraMove, unit, inches, int(no_charge))
