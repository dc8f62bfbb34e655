"""How wide the front of a unit can be whose characters have bases that reach back from it."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import derive, places_under, stands_in


@kernel
def count_behind(units: Array, u: int) -> int:
    """``behind_front`` as a kernel."""
    found = 0
    for c in range(len(units)):
        if units[c]["beside"] == 0 and stands_in(units, c, u):
            wide, deep = places_under(units, c, u)
            found += wide * (deep - 1)
    return found


def behind_front(g: BattleCore, unit: int) -> int:
    """Places behind the front rank of a unit that the bases of its characters take (wap.character.base.multiple)."""
    found: int = g.work.call(count_behind, g.units.rows, unit)
    return found


def front_now(g: BattleCore, unit: int) -> int:
    """The number of files that a unit can fill now. Bases that reach back from the front rank fill none."""
    derive(g, unit)
    return g.units.block[unit] - (behind_front(g, unit) if g.units.garrison[unit] < 0 else 0)
