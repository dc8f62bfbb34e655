"""Crusade missions: units that have not arrived in time count as destroyed (w9.mission.crusade.reserves-lost)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.tables import DESTROYED, RESERVE, TableSpec
from wh_env.rulesets.w40k.questions.hulls import embarked_in
from wh_env.rulesets.w40k.questions.strength import living


def tables(units: int) -> tuple[TableSpec, ...]:
    """``waiting``: 1 for units that have been in Reserves since before the first battle round."""
    return (TableSpec("waiting", np.dtype("i4"), units, flag()),)


def note_waiting(g: BattleCore) -> None:
    """The first battle round begins: mark the units that are in Reserves."""
    for unit, place in enumerate(g.units.place):
        g.waiting[unit] = place == RESERVE


def round_over(g: BattleCore) -> None:
    """A battle round ends: units that have arrived are no longer marked. After round ``reserves_lost_after`` those
    still marked count as destroyed, and so do the units embarked in them.
    """
    u, last = g.units, g.setup.rules["reserves_lost_after"]
    for unit, place in enumerate(u.place):
        if place != RESERVE:
            g.waiting[unit] = 0
        elif g.waiting[unit] and g.clock.round[0] == last:
            for row in (*embarked_in(g, unit), unit):
                for model in living(g, row):
                    g.models.alive[model] = g.models.wounds[model] = 0
                u.place[row], u.alive[row] = DESTROYED, 0
                g.note("w9.mission.crusade.reserves-lost", "counts as destroyed", unit=row)
