"""Wounds that a unit suffers, and the choices of its owner: which end of a single rank loses one model more, which
command model falls first (wap.core.casualties.single-rank, wap.command.casualties.order).
"""

from __future__ import annotations

from collections.abc import Mapping

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, count_of, row_of
from wh_env.core.procedures import FRAME_SIZE, GO, DecisionKind, Procedure, integer
from wh_env.rulesets.wap.casualties.losses import is_uneven, losses_of, who_may_fall, wounds_before_command
from wh_env.rulesets.wap.casualties.removing import LEFT, RIGHT, suffer, wound_model
from wh_env.rulesets.wap.codes import ROLES

ENDS = ("left", "right")


class Casualties(Procedure):
    """A unit suffers wounds. Its owner says which end of a single rank loses one model more if the losses are uneven,
    and which command model falls first if only those are left.
    """

    UNIT = integer(row_of("units"))
    WOUNDS = integer(amount())
    BY = integer(count_of("units"))  # the unit that has caused them, counted from 1; 0: none
    asks = ("loss-end", "loss-command")

    def advance(self, g: BattleCore, f: int) -> int:
        unit, wounds = g.stack[f + Casualties.UNIT], g.stack[f + Casualties.WOUNDS]
        if wounds == 0 or g.units.alive[unit] == 0:
            return g.pop()
        now = Casualties.now(g, f)
        if now == 0:
            return g.ask(LossCommand, g.units.owner[unit], unit)
        if is_uneven(g, unit, losses_of(g, unit, now)):
            return g.ask(LossEnd, g.units.owner[unit], unit)
        Casualties.take(g, f, LEFT)
        return GO

    @staticmethod
    def now(g: BattleCore, f: int) -> int:
        """The wounds left that can be suffered before a command model has to be named."""
        unit, wounds = g.stack[f + Casualties.UNIT], g.stack[f + Casualties.WOUNDS]
        return wounds_before_command(g, unit) if who_may_fall(g, unit, wounds) else int(wounds)

    @staticmethod
    def take(g: BattleCore, f: int, end: int) -> None:
        """Let the unit suffer the wounds of ``now``, from ``end`` if they are uneven."""
        now = Casualties.now(g, f)
        g.stack[f + Casualties.WOUNDS] -= now
        suffer(g, g.stack[f + Casualties.UNIT], now, end, g.stack[f + Casualties.BY] - 1)

    @staticmethod
    def fall(g: BattleCore, f: int, model: int) -> None:
        """Let a command model suffer as many of the wounds left as it can."""
        taken = min(g.stack[f + Casualties.WOUNDS], g.models.wounds[model])
        g.stack[f + Casualties.WOUNDS] -= taken
        wound_model(g, model, taken, g.stack[f + Casualties.BY] - 1)


def suffer_together(g: BattleCore, wounds: Mapping[int, int], by: int = -1) -> None:
    """Push the wounds of a unit and of characters in it, by their rows; they are taken when the caller returns, the
    first row's first. ``by``: the unit that has caused them; -1: none.
    """
    for row in reversed(wounds):
        if wounds[row]:
            g.push(Casualties, row, wounds[row], by + 1)


def wounds_still_due(g: BattleCore, unit: int) -> int:
    """Wounds that a unit has been dealt and has not suffered yet: those for which its owner is still to name a model,
    and those of blows that are still being rolled.
    """
    number, depth = g.setup.ruleset.number[Casualties], g.clock.depth[0]
    frames = [f for f in range(0, depth * FRAME_SIZE, FRAME_SIZE) if g.stack[f] == number]
    waiting = sum(g.stack[f + Casualties.WOUNDS] for f in frames if g.stack[f + Casualties.UNIT] == unit)
    b = g.blows
    return int(waiting + sum(b.wounds[k] for k in range(len(b.unit)) if b.unit[k] >= 0 and b.target[k] == unit))


class LossCommand(DecisionKind):
    name = "loss-command"
    what = "Which of the command models that are all that is left of a unit is removed next."
    policy = "The last of them in the army list."
    keys = ("wap.command.casualties.order",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, wounds = g.stack[f + Casualties.UNIT], g.stack[f + Casualties.WOUNDS]
        for k in who_may_fall(g, unit, wounds):
            mask[g.setup.space.option + g.models.role[k] - 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        role = action - g.setup.space.option + 1
        Casualties.fall(g, f, next(k for k in g.members(g.stack[f + Casualties.UNIT]) if g.models.role[k] == role))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        role = action - g.setup.space.option + 1
        return f"the {next(name for name, number in ROLES.items() if number == role)} falls"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        found = who_may_fall(g, g.stack[f + Casualties.UNIT], g.stack[f + Casualties.WOUNDS])
        return g.setup.space.option + g.models.role[found[-1]] - 1


class LossEnd(DecisionKind):
    name = "loss-end"
    what = "Which end of a single rank loses one model more than the other."
    policy = "The left end."
    keys = ("wap.core.casualties.single-rank",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option + LEFT] = mask[option + RIGHT] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Casualties.take(g, f, action - g.setup.space.option)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"one more from the {ENDS[action - g.setup.space.option]} end"
