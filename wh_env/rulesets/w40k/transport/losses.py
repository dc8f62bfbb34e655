"""Destroyed TRANSPORTS: their passengers get out before the wreck is removed (transport.destroyed.*, .emergency.*)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import code, flag, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import FRAME_SIZE, GO, STEP, DecisionKind, Steps, integer
from wh_env.rulesets.w40k.attack.casualties import Wrecked, begin_suffering, drop_keywords
from wh_env.rulesets.w40k.attack.decisions import MACHINE_ASKS, ask_machine, run_machine
from wh_env.rulesets.w40k.attack_row import DONE, LOSS
from wh_env.rulesets.w40k.codes import FROM_WRECK
from wh_env.rulesets.w40k.deploy.beside import DISEMBARK, EMERGENCY, cells_beside
from wh_env.rulesets.w40k.deploy.setting_up import start_set_up
from wh_env.rulesets.w40k.deploy.zones import facing_of
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.hulls import passengers_of
from wh_env.rulesets.w40k.questions.strength import living
from wh_env.rulesets.w40k.reaction.windows import open_window
from wh_env.rulesets.w40k.transport.transports import DisembarkAt, leave


class Wreck(Wrecked):
    """A TRANSPORT model is destroyed: every unit embarked in it disembarks, then the model is removed.

    Pushed with its unit and the model, which stays on the table until then. A unit without room makes an emergency
    disembarkation, which reaches farther. If models find no room even so, they are destroyed one by one until the rest
    fits.
    """

    class Step(Steps):
        BEGIN, NEXT, ROOM, ROLL, WOUNDS = range(5)

    CARRIER = integer(row_of("units"))
    UNIT = integer(row_of("units"))
    HULL = integer(row_of("models"))
    WAY = integer(code(0, DISEMBARK, EMERGENCY))
    MACHINE = integer(flag())
    MARK = integer(flag(), at=FRAME_SIZE - 2)  # a Stratagem lets all units disembark as in an emergency
    asks = (*MACHINE_ASKS, "wreck-order", "disembark-at", "left-in-wreck")

    emergency: ClassVar[bool] = True  # a unit without room is set up farther away

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Wreck.Step
        stack, u = g.stack, g.units
        carrier, unit, step = stack[f + Wreck.CARRIER], stack[f + Wreck.UNIT], stack[f + STEP]
        owner = u.owner[carrier]
        if step == Step.BEGIN:
            stack[f + Wreck.MACHINE] = 1
            step = stack[f + STEP] = Step.NEXT
            if open_window(g, Moment.WRECKED, carrier):
                return GO
        if step == Step.NEXT:
            if passengers_of(g, stack[f + Wreck.HULL]):
                return g.ask(WreckOrder, owner, carrier)
            return g.pop()
        if step == Step.ROOM:
            if room(g, unit, stack[f + Wreck.WAY]):
                stack[f + STEP] = Step.ROLL
                u.reserve[unit] = stack[f + Wreck.WAY]
                return start_set_up(g, unit, DisembarkAt)
            if self.emergency and stack[f + Wreck.WAY] == DISEMBARK:
                stack[f + Wreck.WAY] = EMERGENCY
            elif u.alive[unit] > 0:
                return g.ask(LeftInWreck, owner, unit)
            else:
                stack[f + STEP] = Step.ROLL
            return GO
        if step == Step.ROLL:
            leave(g, unit, FROM_WRECK)
            self.shaken(g, unit)
            if not passengers_of(g, stack[f + Wreck.HULL]):
                g.models.on_table[stack[f + Wreck.HULL]] = 0
                forget_targets(g)
            stack[f + STEP] = Step.WOUNDS
            self.roll(g, f)
            return GO
        return self.lose(g, f)

    def shaken(self, g: BattleCore, unit: int) -> None:
        """The unit has disembarked and is Battle-shocked."""
        g.units.shocked[unit] = 1

    def lose(self, g: BattleCore, f: int) -> int:
        """Resolve the mortal wounds that were rolled. The next unit follows."""
        code = run_machine(g, 1)
        if code == DONE:
            g.stack[f + STEP] = Wreck.Step.NEXT
        elif code != LOSS:  # a passenger's Deadly Demise waits until the TRANSPORT is dealt with
            return ask_machine(g, code, 1)
        return GO

    def roll(self, g: BattleCore, f: int) -> None:
        """Roll a D6 for each model that disembarked; each roll that is too low is a mortal wound
        (transport.destroyed.rolls).
        """
        unit, way, transports = g.stack[f + Wreck.UNIT], g.stack[f + Wreck.WAY], edition(g).transports
        hurt = transports.hurt if way == DISEMBARK else transports.emergency_hurt
        rolls = [g.d6() for _ in g.members(unit)]
        wounds = sum(roll <= hurt for roll in rolls)
        if g.recorder is not None:
            rule = "transport.destroyed.rolls" if way == DISEMBARK else "transport.emergency.rolls"
            g.tell(rule, "leaves a destroyed TRANSPORT", unit=unit, rolls=rolls, mortal_wounds=wounds)
        begin_suffering(g, g.attack2, unit, wounds)


def room(g: BattleCore, unit: int, way: int) -> bool:
    """Whether all models that are left in the unit find room when they are set up in this way."""
    return cells_beside(g, unit, way, facing_of(g, g.units.owner[unit]), g.work.cells, any_will_do=True) > 0


class WreckOrder(DecisionKind):
    name = "wreck-order"
    what = "Which unit gets out of the destroyed TRANSPORT next."
    keys = ("transport.destroyed.disembark",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        carrier = g.stack[f + Wreck.CARRIER]
        at = g.setup.space.own - g.players.first_unit[g.units.owner[carrier]]
        for unit in passengers_of(g, g.stack[f + Wreck.HULL]):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        first = g.players.first_unit[g.units.owner[g.stack[f + Wreck.CARRIER]]]
        g.stack[f + Wreck.UNIT] = first + action - g.setup.space.own
        g.stack[f + Wreck.WAY] = EMERGENCY if g.stack[f + Wreck.MARK] else DISEMBARK
        g.stack[f + STEP] = Wreck.Step.ROOM


class LeftInWreck(DecisionKind):
    name = "left-in-wreck"
    what = "Which model is destroyed because not all of the unit can be set up."
    policy = (
        "The last model of the Bodyguard (special weapons usually come first), its Leader only when nobody else is "
        "left."
    )
    keys = ("transport.emergency.destroyed", "transport.destroyed.positions")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(living(g, g.stack[f + Wreck.UNIT])):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Wreck.UNIT]
        model = list(living(g, unit))[action - g.setup.space.model]
        g.models.alive[model] = g.models.wounds[model] = 0
        g.units.alive[unit] -= 1
        drop_keywords(g, (model,))
        edition(g).slain(g, np.array([model]))
        g.tell("transport.emergency.destroyed", "cannot be set up and is destroyed", unit=unit, model=model)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        model = list(living(g, g.stack[f + Wreck.UNIT]))[action - g.setup.space.model]
        return f"{g.setup.names['models'][model]} is destroyed"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(slots=list(living(g, g.stack[f + Wreck.UNIT])))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        unit, datasheet = g.stack[f + Wreck.UNIT], g.models.datasheet
        rows = list(living(g, unit))
        slots = [slot for slot, k in enumerate(rows) if datasheet[k] == unit]
        return g.setup.space.model + (slots or range(len(rows)))[-1]
