"""A charge: Overwatch before the roll, a move that may be declined (w8.charge.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between
from wh_env.core.procedures import STEP, DecisionKind, integer
from wh_env.core.tables import EMBARKED
from wh_env.rulesets.w8.charge.overwatch import Answers
from wh_env.rulesets.w40k.charge import declared, heroic, phase
from wh_env.rulesets.w40k.fight.close_moves import charge_succeeds

UNDECIDED, MOVES, DECLINES = range(3)


class ChargePhase(heroic.ChargePhase):
    """The Charge phase. A unit that is embarked as it begins is not within 1" of an enemy then, so that it may charge
    if it has to disembark in the phase (w8.charge.ineligible.engaged, w8.transport.disembark.act).
    """

    def begun(self, g: BattleCore, player: int) -> None:
        for unit in g.units_of(player):
            if g.units.place[unit] == EMBARKED:
                g.units.can_charge[unit] = 1


class Charge(declared.Charge):
    """A declared charge, whose targets fire Overwatch before the roll (w8.charge.sequence)."""

    def answered(self, g: BattleCore, unit: int) -> bool:
        g.answered_array[:] = 0
        g.push(Answers, unit)
        return True


class ChargeMove(phase.ChargeMove):
    """A charge move, which the player may decline after a sufficient roll (w8.charge.decline-move). ``MARK``: what the
    player decided.
    """

    MARK = integer(between(UNDECIDED, DECLINES))
    asks = ("charge-or-stay",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit = stack[f + ChargeMove.UNIT]
        if stack[f + ChargeMove.MARK] == DECLINES:
            return self.fail(g, unit)
        if stack[f + STEP] == phase.ChargeMove.Step.BEGIN and g.setup.rules["detail"] == "full":
            if stack[f + ChargeMove.MARK] == UNDECIDED and charge_succeeds(g, unit, stack[f + ChargeMove.RESULT]):
                return g.ask(ChargeOrStay, g.units.owner[unit], unit)
        return super().advance(g, f)


class ChargeOrStay(DecisionKind):
    name = "charge-or-stay"
    what = "After a sufficient charge roll: make the charge move (option 1), or stay where the unit is (option 0)."
    instead = "It makes the charge move."
    keys = ("w8.charge.decline-move",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + ChargeMove.MARK] = DECLINES if action == g.setup.space.option else MOVES

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "stay" if action == g.setup.space.option else "make the charge move"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.option + 1
