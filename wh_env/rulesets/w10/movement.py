"""Movement phase: selecting units, Normal moves, Advances, Falling Back, Reinforcements (w10.move.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import unit_engaged
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, V
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10 import codes
from wh_env.rulesets.w10.codes import Moved, Phase, Selected
from wh_env.rulesets.w10.fall_back import FallBack
from wh_env.rulesets.w10.reinforcements import Reinforcements
from wh_env.rulesets.w10.timing import end_phase, start_phase
from wh_env.rulesets.w10.unit_moves import MoveUnit, can_fall_back, has_any_move

PLAYER = V
UNIT = V
KINDS = (Moved.STATIONARY, Moved.NORMAL, Moved.ADVANCE, Moved.FELL_BACK)
WORDS = ("Remain Stationary", "Normal move", "Advance", "Fall Back")


def engaged(g: BattleCore, unit: int) -> bool:
    """Whether the unit is within Engagement Range of any enemy model (w10.concepts.engagement-range)."""
    return bool(
        unit_engaged(g.models.rows, g.units.rows, unit, codes.ENGAGEMENT_HORIZONTAL, codes.ENGAGEMENT_VERTICAL)
    )


class MovementPhase(Procedure):
    """w10.move.steps: Move Units, then Reinforcements."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        player = stack[f + PLAYER]
        step = stack[f + STEP]
        if step == 0:
            start_phase(g, Phase.MOVEMENT)
            stack[f + STEP] = step = 1
        if step == 1:
            place, selected = g.units.place, g.units.selected
            for unit in g.units_of(player):
                if place[unit] == ON_TABLE and not selected[unit] & Selected.MOVE:
                    return g.ask(SelectToMove, player)
            stack[f + STEP] = 2
            g.push(Reinforcements, player)
            return GO
        end_phase(g)
        return g.pop()


class SelectToMove(DecisionKind):
    """Which unit moves next; each exactly once (w10.move.select-unit)."""

    name = "select-to-move"
    rules = ("w10.move.select-unit",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + PLAYER]
        at = g.setup.space.own - g.players.first_unit[player]
        place, selected = g.units.place, g.units.selected
        for unit in g.units_of(player):
            if place[unit] == ON_TABLE and not selected[unit] & Selected.MOVE:
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.players.first_unit[g.stack[f + PLAYER]] + action - g.setup.space.own
        g.units.selected[unit] |= Selected.MOVE
        if g.recorder is not None:
            g.note("w10.move.select-unit", "selected to move", unit=unit)
        g.push(ChooseMove, unit)


class ChooseMove(Procedure):
    """Asks what the selected unit does and starts it."""

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP]:
            return g.pop()
        g.stack[f + STEP] = 1
        unit = g.stack[f + UNIT]
        return g.ask(MoveKind, g.units.owner[unit], unit)


class MoveKind(DecisionKind):
    """Remain Stationary, Normal move or Advance; for an engaged unit Remain Stationary or Fall Back."""

    name = "move-kind"
    rules = ("w10.move.options.free", "w10.move.options.engaged")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, option = g.stack[f + UNIT], g.setup.space.option
        mask[option] = True
        if engaged(g, unit):
            if can_fall_back(g, unit):
                mask[option + 3] = True
        elif has_any_move(g, unit):
            mask[option + 1] = True
            mask[option + 2] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + UNIT]
        kind = KINDS[action - g.setup.space.option]
        g.units.moved[unit] = kind
        if kind == Moved.STATIONARY:
            if g.recorder is not None:
                g.note("w10.move.remain-stationary", "Remains Stationary", unit=unit)
        elif kind == Moved.NORMAL:
            g.push(MoveUnit, unit, kind)
        elif kind == Moved.ADVANCE:
            roll = g.units.advance[unit] = g.d6()
            if g.recorder is not None:
                g.note("w10.move.advance.roll", "Advance roll", unit=unit, roll=roll)
            g.push(MoveUnit, unit, kind)
        else:
            g.push(FallBack, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.setup.names['units'][g.stack[f + UNIT]]}: {WORDS[action - g.setup.space.option]}"
