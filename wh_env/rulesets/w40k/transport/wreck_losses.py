"""Destroyed TRANSPORTS: models without room are destroyed, then one model for each roll that is too low
(transport.destroyed.rolls).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, DecisionKind, beneath, integer
from wh_env.rulesets.w40k.attack.decisions import tell
from wh_env.rulesets.w40k.attack.machine import begin_volley
from wh_env.rulesets.w40k.attack.making import log
from wh_env.rulesets.w40k.attack.rerolls import Thrown
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.rulesets.w40k.attack.state import destroy_model
from wh_env.rulesets.w40k.deploy.beside import EMERGENCY
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.transport import losses


class Wreck(losses.Wreck):
    """A wreck without emergency disembarkation and Battle-shock. Its rolls destroy models, which their player
    chooses.
    """

    CASUALTIES = integer(count_of("models"))  # still to be chosen
    asks = ("wreck-order", "disembark-at", "left-in-wreck", "wreck-loss")
    emergency = False

    def shaken(self, g: BattleCore, unit: int) -> None:
        """Nothing: the edition has no Battle-shock."""

    def roll(self, g: BattleCore, f: int) -> None:
        """One D6 for each model that disembarked (transport.destroyed.rolls, transport.emergency.rolls)."""
        unit = g.stack[f + Wreck.UNIT]
        WreckRoll.begin(g, g.units.owner[unit], unit, (sum(1 for _ in g.members(unit)), 6, 0))

    @staticmethod
    def lost(g: BattleCore, f: int, rolls: list[int]) -> int:
        """The number of models that these rolls destroy."""
        transports = edition(g).transports
        hurt = transports.emergency_hurt if g.stack[f + Wreck.WAY] == EMERGENCY else transports.hurt
        return sum(roll <= hurt for roll in rolls)

    @classmethod
    def rolled(cls, g: BattleCore, f: int, rolls: list[int]) -> None:
        """Store the number of models that these rolls destroy."""
        unit = g.stack[f + Wreck.UNIT]
        lost = g.stack[f + Wreck.CASUALTIES] = cls.lost(g, f, rolls)
        g.work.call(begin_volley, g.attack2.rows, unit)
        if rolls and g.recorder is not None:
            hasty = g.stack[f + Wreck.WAY] == EMERGENCY
            rule = "transport.emergency.rolls" if hasty else "transport.destroyed.rolls"
            g.tell(rule, "leaves a destroyed TRANSPORT", unit=unit, rolls=rolls, amount=lost)

    def lose(self, g: BattleCore, f: int) -> int:
        """Ask the player for the next model to destroy, until none is left to choose."""
        stack, unit = g.stack, g.stack[f + Wreck.UNIT]
        if stack[f + Wreck.CASUALTIES] and g.units.alive[unit] > 0:
            stack[f + Wreck.CASUALTIES] -= 1
            return g.ask(WreckLoss, g.units.owner[unit], unit)
        stack[f + STEP] = Wreck.Step.NEXT
        return GO


class WreckRoll(Thrown):
    """The dice for the models that leave a wreck; ``Wreck`` begins it. The result is the number of models destroyed."""

    name = "wreck"

    def use(self, g: BattleCore, player: int, unit: int, faces: list[int], sides: int, plus: int) -> None:
        Wreck.rolled(g, g.frame, faces)

    def total(self, g: BattleCore, unit: int, faces: list[int]) -> int:
        return Wreck.lost(g, beneath(g.frame), faces)

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        return result == 0


class WreckLoss(DecisionKind):
    name = "wreck-loss"
    what = "Which model of a unit that got out of a destroyed TRANSPORT is destroyed, for each 1 that was rolled."
    policy = "The last model (special weapons usually come first)."
    keys = ("transport.destroyed.rolls",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(g.members(g.stack[f + Wreck.UNIT])):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = list(g.members(g.stack[f + Wreck.UNIT]))[action - g.setup.space.model]
        machine = g.attack2
        machine.casualties[0] = g.queue[LOST]
        destroy_model(g.models.rows, g.units.rows, machine.rows, log(g), g.casualties_array, model)
        g.queue[LOST] = machine.casualties[0]
        if g.recorder is not None:
            tell(g, machine)
            g.tell("transport.destroyed.rolls", "destroyed as it leaves the wreck", model=model)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        model = list(g.members(g.stack[f + Wreck.UNIT]))[action - g.setup.space.model]
        return f"{g.setup.names['models'][model]} is destroyed"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(slots=list(g.members(g.stack[f + Wreck.UNIT])))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.model + len(list(g.members(g.stack[f + Wreck.UNIT]))) - 1
