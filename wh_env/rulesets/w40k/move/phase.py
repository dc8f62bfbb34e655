"""Movement phase: selecting units, Normal moves, Advances, Falling Back, Reinforcements (move.*)."""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_plus_one
from wh_env.core.procedures import GO, STEP, DecisionKind, OfPlayer, Steps, integer
from wh_env.core.tables import EMBARKED
from wh_env.rulesets.w40k.attack.abilities import FIXED_ADVANCES, in_force, test_result
from wh_env.rulesets.w40k.attack.casualties import what_is_left
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll, summed
from wh_env.rulesets.w40k.codes import Deed, Moved, Selected
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.move.aircraft import AircraftMove
from wh_env.rulesets.w40k.move.characteristic import move_now, settle_moves
from wh_env.rulesets.w40k.move.fall_back import FallBack, can_fall_back
from wh_env.rulesets.w40k.move.reinforcements import Reinforcements
from wh_env.rulesets.w40k.move.unit_moves import MoveUnit, has_any_move
from wh_env.rulesets.w40k.phases.timing import end_phase, start_phase
from wh_env.rulesets.w40k.questions.aircraft import is_aircraft, only_aircraft_near
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import engaged, immobile
from wh_env.rulesets.w40k.reaction.windows import Interruptible, open_window
from wh_env.rulesets.w40k.sequence.unselected import mark_unselected
from wh_env.rulesets.w40k.transport.transports import Disembark, Embark, carriers_beside, mark_aboard, passengers

MOVED = int(Selected.MOVE)
# looking a member of an enumeration up in its class takes ten times as long as a name of the module
STATIONARY, NORMAL, ADVANCE, FELL_BACK = KINDS = (Moved.STATIONARY, Moved.NORMAL, Moved.ADVANCE, Moved.FELL_BACK)
SELECTED_TO_MOVE, STARTS_MOVE, ENDS_MOVE = Moment.SELECTED_TO_MOVE, Moment.STARTS_MOVE, Moment.ENDS_MOVE
NORMAL_MOVES, ADVANCES, FALLS_BACK = Deed.NORMAL_MOVE, Deed.ADVANCE, Deed.FALL_BACK
WORDS = ("Remain Stationary", "Normal move", "Advance", "Fall Back")


class MovementPhase(OfPlayer):
    """move.steps: Move Units, then Reinforcements."""

    class Step(Steps):
        BEGIN, MOVE_UNITS, REINFORCED, END = range(4)

    asks = ("select-to-move",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MovementPhase.Step
        stack = g.stack
        player = stack[f + MovementPhase.PLAYER]
        step = stack[f + STEP]
        if step == Step.BEGIN:
            self.begin(g, player)
            stack[f + STEP] = step = Step.MOVE_UNITS
        if step == Step.MOVE_UNITS:
            return g.ask(SelectToMove, player)
        if step == Step.REINFORCED:
            stack[f + STEP] = Step.END
            open_window(g, Moment.MOVEMENT_ENDS)
            return GO
        end_phase(g)
        return g.pop()

    def begin(self, g: BattleCore, player: int) -> None:
        """Start the phase: units aboard may disembark; units set up earlier in this turn count as moved."""
        start_phase(g, self)
        mark_aboard(g, player)
        for unit in g.units_of(player):
            if g.units.arrived[unit]:
                g.units.selected[unit] |= MOVED


class SelectToMove(DecisionKind):
    name = "select-to-move"
    what = (
        "Which unit moves next, each exactly once, or which embarked unit disembarks; done when all have moved that "
        "must."
    )
    keys = ("move.select-unit", "transport.disembark.when", "transport.disembark.not-after-advance")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player, own = g.stack[f + MovementPhase.PLAYER], g.setup.space.own
        first, count = g.players.first_unit[player], g.players.units[player]
        some, aboard = g.work.call(mark_unselected, g.units.rows, first, count, MOVED, g.mask, own)
        mask[0] = not some
        for unit in passengers(g, player) if aboard else ():
            mask[own - first + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.stack[f + STEP] = MovementPhase.Step.REINFORCED
            g.push(Reinforcements, g.stack[f + MovementPhase.PLAYER])
            return
        unit = g.players.first_unit[g.stack[f + MovementPhase.PLAYER]] + action - g.setup.space.own
        if g.units.place[unit] == EMBARKED:
            g.push(Disembark, unit)
            return
        g.units.selected[unit] |= Selected.MOVE
        g.tell("move.select-unit", "selected to move", unit=unit)
        g.push(ChooseMove, unit)
        open_window(g, SELECTED_TO_MOVE, unit)
        settle_moves(g, unit)
        push_move_rolls(g, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action:
            unit = g.players.first_unit[g.stack[f + MovementPhase.PLAYER]] + action - g.setup.space.own
            if g.units.place[unit] == EMBARKED:
                return f"{g.setup.names['units'][unit]} disembarks"
        return g.default_words(action)


class ChooseMove(Interruptible):
    """Asks for the move of the selected unit and starts it. At the end of the move the unit may embark."""

    class Step(Steps):
        CHOOSE, MOVED, END = range(3)

    LEADER = integer(row_plus_one("units"))  # row + 1 of the Leader in the unit
    asks = ("move-kind", "embark")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = ChooseMove.Step
        stack = g.stack
        unit, step = stack[f + ChooseMove.UNIT], stack[f + STEP]
        if step == Step.CHOOSE:
            stack[f + STEP], stack[f + ChooseMove.LEADER] = Step.MOVED, g.units.leader[unit] + 1
            return g.ask(MoveKind, g.units.owner[unit], unit)
        if leader := stack[f + ChooseMove.LEADER]:
            unit = what_is_left(g, unit, leader - 1)
        if step == Step.MOVED and g.setup.statics["cargo"]:
            stack[f + STEP] = Step.END
            if carriers_beside(g, unit):
                return g.ask(Embark, g.units.owner[unit], unit)
        g.pop()
        if g.units.moved[unit] != STATIONARY:
            edition(g).moved(g, unit)
            open_window(g, ENDS_MOVE, unit)
        return GO


class MoveKind(DecisionKind):
    """The kind of move. A unit engaged only with AIRCRAFT has all four options; an AIRCRAFT makes a Normal move."""

    name = "move-kind"
    what = "Remain Stationary, Normal move or Advance; for an engaged unit Remain Stationary or Fall Back."
    keys: ClassVar[tuple[str, ...]] = (
        "move.options.free",
        "move.options.engaged",
        "aircraft.move.normal-only",
        "aircraft.others.may-move",
        "transport.disembark.no-stationary",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, option = g.stack[f + ChooseMove.UNIT], g.setup.space.option
        if is_aircraft(g, unit):
            self.mark_for_aircraft(g, unit, option, mask)
            return
        mask[option] = True
        if immobile(g, unit):
            return
        near = engaged(g, unit)
        if near and edition(g).may_fall_back(g, unit) and can_fall_back(g, unit):
            mask[option + 3] = True
        if near and not only_aircraft_near(g, unit):
            return
        if has_any_move(g, unit):
            mask[option] = not g.units.disembarked[unit]  # transport.disembark.no-stationary
            mask[option + 1] = True
            mask[option + 2] = True

    def mark_for_aircraft(self, g: BattleCore, unit: int, option: int, mask: memoryview) -> None:
        """``options`` of an AIRCRAFT, in the slots of the mask from ``option`` on."""
        mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + ChooseMove.UNIT]
        kind = KINDS[action - g.setup.space.option]
        g.units.moved[unit] = kind
        forget_targets(g)  # the weapons that the unit may fire depend on the move
        if kind == STATIONARY:
            g.tell("move.remain-stationary", "Remains Stationary", unit=unit)
        elif kind == NORMAL:
            edition(g).acts(g, unit, NORMAL_MOVES)
            g.push(AircraftMove if is_aircraft(g, unit) else MoveUnit, unit, kind)
            open_window(g, STARTS_MOVE, unit)
        elif kind == ADVANCE:
            edition(g).acts(g, unit, ADVANCES)
            g.push(MoveUnit, unit, kind)
            open_window(g, STARTS_MOVE, unit)
            farther = next((FIXED_ADVANCES[power.effect] for power in in_force(g, unit, "fixed advances")), 0)
            if farther:
                advance_by(g, unit, farther)
            else:
                g.push(AdvanceRoll, unit)
        else:
            edition(g).acts(g, unit, FALLS_BACK)
            g.push(FallBack, unit)
            open_window(g, STARTS_MOVE, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.setup.names['units'][g.stack[f + ChooseMove.UNIT]]}: {WORDS[action - g.setup.space.option]}"


def push_move_rolls(g: BattleCore, unit: int) -> None:
    """Push rolls for random Move characteristics in the unit: one roll for all of its models with the same dice."""
    table = g.setup.statics["random_move"]
    if not table:
        return
    leader = g.units.leader[unit]
    if leader in table and not (unit in table and table[unit][:3] == table[leader][:3]):
        g.push(LeaderMoveRoll, unit)
    if unit in table:
        g.push(MoveRoll, unit)


class MoveRoll(DiceRoll):
    """The random Move, this time, of all models with the same dice (datasheet.random.move)."""

    name = "move"

    def row(self, g: BattleCore, unit: int) -> int:
        """The unit row whose datasheet states the dice."""
        return unit

    def dice_of(self, g: BattleCore, unit: int) -> tuple[int, int, int]:
        """Number of dice, their sides, and the number added."""
        dice, sides, plus, _ = g.setup.statics["random_move"][self.row(g, unit)]
        return dice, sides, plus

    def number(self, g: BattleCore, unit: int) -> int:
        return self.dice_of(g, unit)[0]

    def total(self, g: BattleCore, unit: int, faces: list[int]) -> int:
        _, sides, plus = self.dice_of(g, unit)
        return summed(faces, sides) + plus

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        table, result = g.setup.statics["random_move"], move_now(g, unit, result)
        for row in {self.row(g, unit), g.units.leader[unit]}:
            if row in table and table[row][:3] == self.dice_of(g, unit):
                for k in table[row][3]:
                    g.models.move[k] = result
        g.tell("datasheet.random.move", "random Move", unit=unit, inches=result)

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        dice, sides, plus = self.dice_of(g, unit)
        return 2 * (result - plus) >= dice * (sides + 1)


class LeaderMoveRoll(MoveRoll):
    """A ``MoveRoll`` for the Leader of an Attached unit whose datasheet has other dice."""

    def row(self, g: BattleCore, unit: int) -> int:
        return g.units.leader[unit]


def advance_by(g: BattleCore, unit: int, inches: int) -> None:
    """The unit Advances so far beyond its Move."""
    g.units.advance[unit] = inches
    g.tell("move.advance.roll", "Advance roll", unit=unit, roll=inches)


class AdvanceRoll(DiceRoll):
    """The Advance roll of the unit, as abilities modify it, which is added to the Move of its models
    (move.advance.roll).
    """

    name = "advance"
    command = True

    def dice(self, g: BattleCore) -> int:
        return edition(g).dice.advance

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        advance_by(g, unit, test_result(g, unit, "advance", result))
