"""Charge phase: eligibility, targets, the Charge roll and the Charge move (charge.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, between, count_of
from wh_env.core.kernel import kernel
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Steps, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.attack.abilities import test_result
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll
from wh_env.rulesets.w40k.codes import WITH_BONUS, WITHOUT_BONUS, Deed, Freedom, Moved, Selected
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.fight.close_moves import TOWARDS_ENEMY, charge_succeeds, charge_unit
from wh_env.rulesets.w40k.fight.close_order import CHARGES, CloseMoves
from wh_env.rulesets.w40k.phases.timing import end_phase, start_phase
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import engaged, immobile
from wh_env.rulesets.w40k.questions.targets import enemies_within, units_within
from wh_env.rulesets.w40k.reaction.windows import Interruptible, may_open, open_window
from wh_env.rulesets.w40k.sequence.sequencing import push_due

AIRCRAFT = int(Keyword.AIRCRAFT)
TOO_BUSY = (int(Moved.ADVANCE), int(Moved.FELL_BACK))
TO_CHARGE = {
    int(Moved.ADVANCE): Freedom.CHARGE_ADVANCED | Freedom.CHARGE_LATER,
    int(Moved.FELL_BACK): Freedom.CHARGE_FELL_BACK,
}
FLY = int(Keyword.FLY)


class ChargePhase(OfPlayer):
    """charge.sequence: one unit after the other declares a charge, rolls and moves."""

    class Step(Steps):
        BEGIN, SELECT, END = range(3)

    asks = ("select-to-charge",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = ChargePhase.Step
        stack = g.stack
        step, player = stack[f + STEP], stack[f + ChargePhase.PLAYER]
        if step == Step.BEGIN:
            start_phase(g, self)
            g.work.call(near_enough, g.models.rows, g.units.rows, player, edition(g).charging.reach)
            stack[f + STEP] = Step.SELECT
            push_due(g, "charge", player)
            return GO
        if step == Step.END:
            end_phase(g)
            return g.pop()
        return g.ask(SelectToCharge, player)


@kernel
def near_enough(models: Array, units: Array, player: int, reach: float) -> None:
    """Write ``can_charge`` of the player's units: whether an enemy unit is within ``reach`` inches at the start of the
    phase (charge.eligible).
    """
    for u in range(len(units)):
        if units[u]["owner"] != player:
            continue
        units[u]["can_charge"] = 0
        if units[u]["place"] != ON_TABLE:
            continue
        for e in range(len(units)):
            if units[e]["owner"] != player and units[e]["place"] == ON_TABLE:
                if units_within(models, units, u, e, reach):
                    units[u]["can_charge"] = 1
                    break


def can_charge(g: BattleCore, unit: int) -> bool:
    """Whether the unit may declare a charge now (charge.eligible.*)."""
    u = g.units
    if not u.can_charge[unit] or u.place[unit] != ON_TABLE or u.selected[unit] & Selected.CHARGE:
        return False
    return free_to_charge(g, unit) and bool(targets_in_reach(g, unit))


def free_to_charge(g: BattleCore, unit: int) -> bool:
    """Whether no state of the unit and no action of it in this turn forbids a charge (charge.eligible.*)."""
    u = g.units
    if u.marks[unit] & Freedom.NO_CHARGE or edition(g).does_nothing_more(g, unit):
        return False
    free = u.marks[unit] & TO_CHARGE.get(u.moved[unit], 0)
    if (u.moved[unit] in TOO_BUSY and not free) or u.keywords[unit] & AIRCRAFT:
        return False
    if immobile(g, unit):
        return False
    out_again = u.disembarked[unit] in edition(g).transports.no_charge
    if out_again and not u.marks[unit] & Freedom.CHARGE_DISEMBARKED:
        return False
    return not engaged(g, unit)


def could_charge(g: BattleCore, unit: int, enemy: int) -> bool:
    """Whether the unit could declare a charge against the enemy unit if it were its player's Charge phase."""
    return free_to_charge(g, unit) and enemy in targets_in_reach(g, unit)


def targets_in_reach(g: BattleCore, unit: int) -> list[int]:
    """Enemy units near enough to charge, visible or not (charge.targets). Only units that FLY can charge AIRCRAFT."""
    u, found = g.units, g.work.found
    count = g.work.call(enemies_within, g.models.rows, u.rows, unit, edition(g).charging.reach, found)
    flies = u.keywords[unit] & FLY
    return [enemy for enemy in found[:count].tolist() if flies or not u.keywords[enemy] & AIRCRAFT]


class SelectToCharge(ChooseUnit):
    name = "select-to-charge"
    what = "Which eligible unit declares a charge next (done: the phase ends)."
    keys = ("charge.select-unit",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return can_charge(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + STEP] = ChargePhase.Step.END

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.selected[unit] |= Selected.CHARGE
        edition(g).acts(g, unit, Deed.CHARGE)
        g.tell("charge.select-unit", "declares a charge", unit=unit)
        g.push(Charge, unit)


class Charge(Interruptible):
    """Targets, Charge roll, and the Charge move or its failure."""

    class Step(Steps):
        BEGIN, TARGETS, ROLL, END = range(4)

    COUNT = integer(count_of("units"))
    asks = ("charge-target",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Charge.Step
        stack = g.stack
        unit, step = stack[f + Charge.UNIT], stack[f + STEP]
        if step == Step.BEGIN:
            g.charge_targets_array[:] = 0
            stack[f + STEP] = Step.TARGETS
        if stack[f + STEP] == Step.TARGETS:
            return g.ask(ChargeTarget, g.units.owner[unit], unit)
        if step == Step.ROLL:
            if self.declared(g, f):
                return GO
            stack[f + STEP] = Step.END
            if g.units.place[unit] == ON_TABLE:
                g.push(ChargeRoll, unit)
            return GO
        return g.pop()

    def declared(self, g: BattleCore, f: int) -> bool:
        """The targets are declared. Returns whether a procedure was pushed before the Charge roll; if so, it is called
        again later.
        """
        return False


class ChargeRoll(DiceRoll):
    """The Charge roll: the inches that the models may charge (charge.roll). ``ChargeMove`` follows.

    A roll is good if the charge succeeds with it.
    """

    name = "charge"
    command = True

    def dice(self, g: BattleCore) -> int:
        return edition(g).dice.charge

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        if g.recorder is not None:
            targets = [e for e in range(len(g.charge_targets)) if g.charge_targets[e]]
            g.tell("charge.roll", "Charge roll", unit=unit, roll=result, targets=targets)
        g.push(ChargeMove, unit, test_result(g, unit, self.name, result))

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        return charge_succeeds(g, unit, test_result(g, unit, self.name, result))


class ChargeMove(Interruptible):
    """Makes the Charge move if the roll is sufficient, and opens the windows for Stratagems before and after it."""

    class Step(Steps):
        BEGIN, MOVE, MADE = range(3)

    RESULT = integer(between(0, MOST_ATTACKS))

    def advance(self, g: BattleCore, f: int) -> int:
        Step = ChargeMove.Step
        stack = g.stack
        unit, result, step = stack[f + ChargeMove.UNIT], stack[f + ChargeMove.RESULT], stack[f + STEP]
        if step == Step.BEGIN:
            stack[f + STEP] = Step.MOVE
            if g.units.owner[unit] == g.clock.turn[0] and may_open(g, Moment.STARTS_CHARGE):
                if not charge_succeeds(g, unit, result):
                    return self.fail(g, unit)
                open_window(g, Moment.STARTS_CHARGE, unit)
                return GO
        if step > Step.MOVE:
            return self.end(g, f)
        stack[f + STEP] = Step.MADE
        if g.setup.rules["detail"] != "full":
            if not charge_unit(g, unit, result):
                return self.fail(g, unit)
        elif charge_succeeds(g, unit, result):
            g.push(CloseMoves, unit, CHARGES, TOWARDS_ENEMY, result)
        else:
            return self.fail(g, unit)
        made(g, unit)
        return GO

    def end(self, g: BattleCore, f: int) -> int:
        """The move was made: leave the frame and open the window after the move."""
        unit = g.stack[f + ChargeMove.UNIT]
        g.pop()
        if g.units.owner[unit] == g.clock.turn[0]:
            open_window(g, Moment.ENDS_CHARGE, unit)
        return GO

    @staticmethod
    def fail(g: BattleCore, unit: int) -> int:
        """The charge fails and no model moves (charge.failed)."""
        g.tell("charge.failed", "charge fails", unit=unit)
        return g.pop()


def made(g: BattleCore, unit: int) -> None:
    """The unit has made its Charge move: it has Fights First until the end of the turn (charge.bonus), unless it
    charged in the opponent's turn (stratagem.heroic-intervention.no-bonus).
    """
    g.units.charged[unit] = WITH_BONUS if g.units.owner[unit] == g.clock.turn[0] else WITHOUT_BONUS
    forget_targets(g)
    g.tell("charge.move", "charges", unit=unit)


class ChargeTarget(DecisionKind):
    name = "charge-target"
    what = "The targets of the charge, one after the other; done when there is at least one."
    keys = ("charge.targets",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Charge.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        mask[0] = g.stack[f + Charge.COUNT] > 0
        for enemy in targets_in_reach(g, unit):
            if not g.charge_targets[enemy]:
                mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.stack[f + STEP] = Charge.Step.ROLL
            return
        unit = g.stack[f + Charge.UNIT]
        enemy = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        g.charge_targets[enemy] = 1
        g.stack[f + Charge.COUNT] += 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "no more targets" if action == 0 else f"charge {g.default_words(action)}"
