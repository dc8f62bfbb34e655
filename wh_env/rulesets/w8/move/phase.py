"""The Movement phase: which unit may make which move (w8.move.fall-back, .fall-back.at-start, .minimum.must-move)."""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import declared, flag
from wh_env.core.procedures import GO, STEP
from wh_env.core.tables import TableSpec
from wh_env.rulesets.w8.move.minimum import least_move
from wh_env.rulesets.w40k.move import phase
from wh_env.rulesets.w40k.move.fall_back import can_fall_back
from wh_env.rulesets.w40k.move.unit_moves import has_any_move
from wh_env.rulesets.w40k.questions.engaging import mark_engaged
from wh_env.rulesets.w40k.questions.move_limits import immobile

# by unit: whether it was within 1" of an enemy when its player's Movement phase began
HELD, HELD_BOUNDS = declared([("held", "i4", flag())])

STATIONARY, NORMAL, ADVANCE, FALL_BACK = range(4)


def tables(units: int) -> Sequence[TableSpec]:
    """``held``: see ``HELD``."""
    return (TableSpec("held", HELD, units, HELD_BOUNDS),)


class MovementPhase(phase.MovementPhase):
    """A unit within 1" of an enemy as the phase begins may not make a Normal move or Advance, whatever becomes of the
    enemy (w8.move.fall-back.at-start).
    """

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] != MovementPhase.Step.BEGIN:
            return super().advance(g, f)
        player = g.stack[f + MovementPhase.PLAYER]
        self.begin(g, player)
        setup, players = g.setup, g.players
        tables = g.models.rows, g.units.rows, setup.blocks, setup.corners, setup.statics["fire_rules"]
        own = players.first_unit[player], players.units[player]
        held = g.held.rows["held"]
        held[:] = 0
        g.work.call(mark_engaged, *tables, *own, held)
        g.stack[f + STEP] = MovementPhase.Step.MOVE_UNITS
        return GO


class MoveKind(phase.MoveKind):
    what = (
        'Remain Stationary, Normal move or Advance; for a unit that began the phase within 1" of an enemy Remain '
        "Stationary or Fall Back. Models with a minimum Move do not stay."
    )
    keys = ("move.options.free", "move.options.engaged", "w8.move.minimum.must-move")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, option = g.clock.subject[0], g.setup.space.option
        moves = least_move(g, unit) > 0.0
        mask[option + STATIONARY] = not moves
        if immobile(g, unit):
            return
        if g.held.held[unit]:
            mask[option + FALL_BACK] = moves or can_fall_back(g, unit)
            return
        mask[option + NORMAL] = moves or has_any_move(g, unit)
        mask[option + ADVANCE] = True
