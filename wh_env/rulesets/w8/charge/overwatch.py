"""Overwatch: each target of a charge may fire at the charging unit before the charge roll, each time that it is
charged.

It is a normal shooting attack (w8.charge.overwatch.normal-rules). What the target did in its own turn does not matter
(w8.charge.overwatch.own-turn-state). A charging unit that is destroyed makes no charge roll
(w8.charge.overwatch.destroys).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.core.tables import ON_TABLE, TableSpec
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.rulesets.w40k.shoot.overwatch import mark_shooters
from wh_env.rulesets.w40k.shoot.snap import Overwatch, promise
from wh_env.rulesets.w40k.tables import INT

ANYWHERE = 1e6  # inches: only the range of the weapons counts


def tables(units: int) -> Sequence[TableSpec]:
    """``answered``: 1 for targets of the declared charge that cannot fire Overwatch (again) before its roll."""
    return (TableSpec("answered", INT, units, flag()),)


def may_fire(g: BattleCore, charger: int) -> list[int]:
    """Targets of the charge that may fire Overwatch now."""
    asked = [e for e in range(len(g.charge_targets)) if g.charge_targets[e] and not g.answered[e]]
    if not asked:
        return []
    u, setup, statics = g.units, g.setup, g.setup.statics
    marks = np.zeros(len(u.rows), np.uint8)
    mark_shooters(
        g.models.rows, u.rows, setup.blocks, setup.corners, statics["weapons"], statics["arsenal"], g.engaged,
        statics["fire_rules"], charger, ANYWHERE, int(Moved.ADVANCE), int(Moved.FELL_BACK), marks, g.work.reaches,
    )  # fmt: skip
    return [target for target in asked if marks[target] and not engaged(g, target)]


class Answers(Procedure):
    """A charge was declared: its targets fire one after the other; each attack is resolved before the next target is
    chosen.
    """

    UNIT = integer(row_of("units"))  # that charges
    asks = ("overwatch",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + Answers.UNIT]
        if g.units.place[unit] == ON_TABLE and may_fire(g, unit):
            return g.ask(FireNext, 1 - g.units.owner[unit], unit)
        return g.pop()


class FireNext(DecisionKind):
    name = "overwatch"
    what = "Which target of the charge fires Overwatch next, before the charge roll (done: no further one)."
    policy = "The unit whose weapons are expected to do most."
    keys = (
        "w8.charge.overwatch",
        "w8.charge.overwatch.order",
        "w8.charge.overwatch.repeat",
        "w8.charge.overwatch.not-engaged",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Answers.UNIT]
        at = g.setup.space.own - g.players.first_unit[1 - g.units.owner[unit]]
        mask[0] = True
        for target in may_fire(g, unit):
            mask[at + target] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Answers.UNIT]
        if action == 0:
            g.answered_array[:] = 1
            return
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.own
        g.answered[target] = 1
        g.note("w8.charge.overwatch", "fires Overwatch", unit=target, target=unit)
        Overwatch.at(g, target, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"Overwatch: {g.default_words(action)}" if action else "no Overwatch"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        unit, own = g.stack[f + Answers.UNIT], g.setup.space.own
        first = g.players.first_unit[1 - g.units.owner[unit]]
        slots = [slot for slot in range(g.setup.space.units) if mask[own + slot]]
        return own + max(slots, key=lambda slot: promise(g, first + slot, unit))
