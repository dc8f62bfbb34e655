"""Charges whose targets answer before the Charge roll, and which unit charged which this turn (charge.overwatch, fight.targets.charged).

The table is state of the editions that play this.
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
    """``charges``: which unit has declared a charge against which this turn, as flags."""
    return (TableSpec("charges", BYTE, units, flag(), units),)


def forget(g: BattleCore) -> None:
    """A turn begins."""
    g.charges[:] = 0


def barred(g: BattleCore, unit: int) -> Array:
    """Enemy units that the unit may not target in melee (int32 by unit, not 0): one that charged fights those it charged."""
    if not g.units.charged[unit]:
        none: Array = g.work.no_targets
        return none
    return np.where(g.charges[unit] != 0, 0, 1).astype(np.int32)


class Charge(phase.Charge):
    """A charge that is answered before the roll. ``MARK``: the moment for it has come."""

    MARK = integer(flag())

    def declared(self, g: BattleCore, f: int) -> bool:
        if g.stack[f + Charge.MARK]:
            return False
        unit = g.stack[f + Charge.UNIT]
        g.stack[f + Charge.MARK] = 1
        g.charges[unit] = g.charge_targets_array
        return self.answered(g, unit)

    def answered(self, g: BattleCore, unit: int) -> bool:
        """The moment has come: whether something was pushed for it."""
        raise NotImplementedError
