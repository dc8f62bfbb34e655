"""Desperate Breakout (w9.stratagem.desperate-breakout, w9.rare.breakout.*).

The player is asked when the unit is selected to move. The unit moves as one at both details.
"""

from __future__ import annotations

from collections.abc import Iterable

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of, flag
from wh_env.core.features import Pending
from wh_env.core.geometry.paths import ANYBODY
from wh_env.core.procedures import GO, STEP, DecisionKind, Steps, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w9.move.moved import move_ended
from wh_env.rulesets.w9.stratagems.book import Stratagem
from wh_env.rulesets.w40k.attack.casualties import Demises, settle
from wh_env.rulesets.w40k.codes import Deed, Moved
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.move.fall_back import lose_model
from wh_env.rulesets.w40k.move.model_moves import begin_move
from wh_env.rulesets.w40k.move.unit_moves import cell_displacement, fill_cells, limits_of, move_to_cell, moving, path_of
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import engaged, models_engaged
from wh_env.rulesets.w40k.reaction.windows import Interruptible, UseStratagem, open_window

SLAYS = 1  # a die for each model


class DesperateBreakout(UseStratagem):
    name = "desperate-breakout"
    what = "Whether the engaged unit that was selected to move breaks out (done: it moves as usual)."
    policy = "Its policy never does."
    keys = ("w9.stratagem.desperate-breakout", "w9.stratagem.use")
    stratagem = Stratagem.DESPERATE_BREAKOUT
    waits = True

    @staticmethod
    def occasion(g: BattleCore, unit: int, player: int) -> bool:
        """Whether the unit is the player's own and engaged."""
        return g.units.owner[unit] == player and engaged(g, unit)

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        return (unit,) if self.occasion(g, unit, player) else ()

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        g.pop()  # the window
        g.pop()  # and the choice of a move beneath it
        g.push(Breakout, unit)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0


class Breakout(Interruptible):
    """Dice for the models, losses, then the move out, unless a rule prevents it. ``MARK``: enemies struck at the unit
    as it began to move.
    """

    class Step(Steps):
        ROLL, LOSE, ATTEMPT, MOVE, END = range(5)

    MARK = integer(flag())
    LOSSES = integer(count_of("models"))  # models that are still to be destroyed
    asks = ("breakout-loss", "breakout-to")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Breakout.Step
        stack = g.stack
        unit, step = stack[f + Breakout.UNIT], stack[f + STEP]
        if step == Step.ROLL:
            g.combat.broke_out[unit] = 1
            g.units.moved[unit] = Moved.FELL_BACK
            forget_targets(g)
            dice = [g.d6() for _ in g.members(unit)]
            stack[f + Breakout.LOSSES] = sum(die <= SLAYS for die in dice)
            stack[f + STEP] = Step.LOSE
            g.note("w9.stratagem.desperate-breakout", "breaks out", unit=unit, dice=dice)
        elif step == Step.LOSE:
            if stack[f + Breakout.LOSSES] and g.units.alive[unit] > 0:
                stack[f + Breakout.LOSSES] -= 1
                return g.ask(BreakoutLoss, g.units.owner[unit], unit)
            stack[f + STEP] = Step.ATTEMPT
            g.push(Demises)
        elif step == Step.ATTEMPT:
            stack[f + STEP] = Step.END
            if g.units.alive[unit] > 0:
                if not edition(g).may_fall_back(g, unit):
                    self.prevented(g, unit, "w9.rare.breakout.forbidden")
                elif edition(g).stops_fall_back(g, unit):
                    self.prevented(g, unit, "w9.rare.breakout.test")
                else:
                    stack[f + STEP] = Step.MOVE
                    edition(g).acts(g, unit, Deed.FALL_BACK)
                    open_window(g, Moment.STARTS_MOVE, unit)
        elif step == Step.MOVE:
            stack[f + STEP] = Step.END
            if g.units.place[unit] == ON_TABLE:
                begin_move(g, unit)
                return g.ask(BreakoutTo, g.units.owner[unit], unit)
        else:
            g.pop()
            settle(g)
            if g.units.moved[unit] == Moved.FELL_BACK and g.units.place[unit] == ON_TABLE:
                open_window(g, Moment.ENDS_MOVE, unit)
                move_ended(g, unit)
        return GO

    @staticmethod
    def prevented(g: BattleCore, unit: int, rule: str) -> None:
        """The unit does not move, and loses no further models (w9.rare.breakout.consequences)."""
        g.units.moved[unit] = Moved.STATIONARY
        g.note(rule, "does not get away", unit=unit)


class BreakoutLoss(DecisionKind):
    name = "breakout-loss"
    what = "Which model of the unit that breaks out is destroyed."
    policy = "The last one (special weapons usually come first)."
    keys = ("w9.stratagem.desperate-breakout",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(g.members(g.stack[f + Breakout.UNIT])):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Breakout.UNIT]
        lose_model(g, unit, list(g.members(unit))[action - g.setup.space.model])

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.model + len(list(g.members(g.stack[f + Breakout.UNIT]))) - 1


class BreakoutTo(DecisionKind):
    name = "breakout-to"
    what = (
        "Where the unit breaks out to, across enemy models; who ends engaged is destroyed (done: it stays where it is)."
    )
    keys = ("w9.stratagem.desperate-breakout",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + Breakout.UNIT], g.setup.space
        fill_cells(g, unit, across(g, unit), g.mask[space.cell : space.angle], False)
        mask[0] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Breakout.UNIT]
        if action == 0:
            g.units.moved[unit] = Moved.STATIONARY
            return
        points = move_to_cell(g, unit, across(g, unit), action - g.setup.space.cell, False)
        forget_targets(g)
        if g.recorder is not None:
            g.note("w9.stratagem.desperate-breakout", "falls back", unit=unit, path=path_of(g, points))
        m = g.models
        for k in list(g.members(unit)):
            if any(
                m.on_table[e] and m.owner[e] != m.owner[k] and models_engaged(g, k, e) for e in range(len(m.x))
            ):  # fmt: skip
                lose_model(g, unit, k)
        g.push(Demises)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + Breakout.UNIT]
        if action == 0:
            return "stay"
        dx, dy = cell_displacement(g, unit, across(g, unit), action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} breaks out {dx:+.1f}, {dy:+.1f} inches"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return moving(g, across(g, g.stack[f + Breakout.UNIT]))


def across(g: BattleCore, unit: int) -> Array:
    """Limits of a Fall Back that may cross enemy models and may end within Engagement Range."""
    limits = limits_of(g, unit, Moved.FELL_BACK).copy()
    limits["over_enemies"], limits["engage_end"] = 1, ANYBODY
    return limits
