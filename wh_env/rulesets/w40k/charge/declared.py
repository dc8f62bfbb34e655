"""Charges in which the targets react before the Charge roll, and a table of the units that each unit charged this turn
(charge.overwatch, fight.targets.charged).

Only editions that use this have the table in their state.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import integer
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w40k.charge import phase
from wh_env.rulesets.w40k.tables import BYTE


def tables(units: int) -> Sequence[TableSpec]:
    """Table ``charges``, flags (units x units): whether the row's unit has declared a charge against the column's this
    turn.
    """
    return (TableSpec("charges", BYTE, units, flag(), units),)


def forget(g: BattleCore) -> None:
    """Clear the table when a turn begins."""
    g.charges[:] = 0


def barred(g: BattleCore, unit: int) -> Array:
    """Enemy units that the unit may not target in melee (int32 by unit, not 0): a unit that charged fights only its
    targets.
    """
    if not g.units.charged[unit]:
        none: Array = g.work.no_targets
        return none
    return np.where(g.charges[unit] != 0, 0, 1).astype(np.int32)


class Charge(phase.Charge):
    """A charge with reactions before the Charge roll. ``MARK``: 1 after the moment for them has come."""

    MARK = integer(flag())

    def declared(self, g: BattleCore, f: int) -> bool:
        if g.stack[f + Charge.MARK]:
            return False
        unit = g.stack[f + Charge.UNIT]
        g.stack[f + Charge.MARK] = 1
        g.charges[unit] = g.charge_targets_array
        return self.answered(g, unit)

    def answered(self, g: BattleCore, unit: int) -> bool:
        """Let the targets react to the charge of the unit. Returns whether a procedure was pushed."""
        raise NotImplementedError
