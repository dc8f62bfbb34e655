"""Other moves: which unit moves next, and how (wap.battle.turn.all-units, wap.move.*)."""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.room import may_advance
from wh_env.rulesets.wap.codes import CHARGED, FAILED, FLED, MOVED, RALLIED

SPENT = CHARGED | FAILED | MOVED | RALLIED | FLED  # who did one of these has moved for this turn
STAY, ADVANCE = 0, 1
MANOEUVRES = ("stays", "advances")
LENGTH = 0.5  # inches from one slot of a length to the next


def may_move(g: BattleCore, unit: int) -> bool:
    """Whether the unit may be chosen to move (wap.profile.zero.m: not with Movement 0)."""
    u = g.units
    return bool(
        u.place[unit] == ON_TABLE and not u.fleeing[unit] and not u.did[unit] & SPENT and movement_of(g, unit) > 0
    )


def clear_ahead(g: BattleCore, unit: int, ahead: float) -> bool:
    """Whether the unit can go straight ahead so far."""
    setup, work = g.setup, g.work
    return bool(
        may_advance(
            g.parts.rows, g.units.rows, setup.statics["ground"], setup.corners, setup.length, setup.width, unit, ahead,
            setup.rules["one_inch"], work.block, work.swept,
        )
    )  # fmt: skip


class OtherMoves(OfPlayer):
    """All other moves of a player, one unit after the other, each if he wants (wap.battle.turn.all-units)."""

    OVER = integer(flag())
    asks = ("select-to-move",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + OtherMoves.PLAYER]
        if not g.stack[f + OtherMoves.OVER] and any(may_move(g, unit) for unit in g.units_of(player)):
            return g.ask(SelectToMove, player)
        return g.pop()


class SelectToMove(ChooseUnit):
    name = "select-to-move"
    what = "Which unit moves next; done: the rest stay where they are."
    keys = ("wap.battle.turn.all-units",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_move(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + OtherMoves.OVER] = 1
        if g.recorder is not None:
            g.note("wap.battle.turn.all-units", "the rest stay", player=g.stack[f + OtherMoves.PLAYER])

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.did[unit] |= MOVED
        g.push(MoveUnit, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "the rest stay" if action == 0 else g.default_words(action)


class MoveUnit(Procedure):
    """The move of one unit: how it moves, then how far (wap.core.unit.single-entity: all its models together)."""

    class Step(Steps):
        HOW, FAR, END = range(3)

    UNIT = integer(row_of("units"))
    asks = ("manoeuvre", "leg-length")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MoveUnit.Step
        unit, step = g.stack[f + MoveUnit.UNIT], g.stack[f + STEP]
        if step == Step.HOW:
            return g.ask(Manoeuvre, g.units.owner[unit], unit)
        if step == Step.FAR:
            return g.ask(LegLength, g.units.owner[unit], unit)
        g.pop()
        return GO


class Manoeuvre(DecisionKind):
    name = "manoeuvre"
    what = "How the unit moves: it stays, or goes straight ahead."
    keys = ("wap.move.basic.straight", "wap.battle.turn.all-units")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option + STAY] = True
        mask[option + ADVANCE] = clear_ahead(g, g.stack[f + MoveUnit.UNIT], LENGTH)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        chosen = action - g.setup.space.option
        g.stack[f + STEP] = MoveUnit.Step.FAR if chosen == ADVANCE else MoveUnit.Step.END

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.setup.names['units'][g.stack[f + MoveUnit.UNIT]]} {MANOEUVRES[action - g.setup.space.option]}"


class LegLength(DecisionKind):
    name = "leg-length"
    what = "How far the unit goes, in half inches."
    keys = ("wap.move.basic.straight", "wap.profile.m", "wap.move.one-inch")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + MoveUnit.UNIT], g.setup.space
        most = min(space.numbers, int(movement_of(g, unit) / LENGTH))
        for slot in range(most):  # what is clear is always a stretch from 0
            if not clear_ahead(g, unit, (slot + 1) * LENGTH):
                break
            mask[space.number + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, u = g.stack[f + MoveUnit.UNIT], g.units
        far = (action - g.setup.space.number + 1) * LENGTH
        x, y, facing = u.x[unit], u.y[unit], u.facing[unit]
        set_block(g, unit, x + far * cos(facing), y + far * sin(facing), facing, u.files[unit])
        g.stack[f + STEP] = MoveUnit.Step.END
        if g.recorder is not None:
            g.note(
                "wap.move.basic.straight",
                "advances",
                unit=unit,
                far=far,
                place=(round(u.x[unit], 2), round(u.y[unit], 2)),
            )

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        far = (action - g.setup.space.number + 1) * LENGTH
        return f'{g.setup.names["units"][g.stack[f + MoveUnit.UNIT]]} goes {far:g}" straight ahead'
