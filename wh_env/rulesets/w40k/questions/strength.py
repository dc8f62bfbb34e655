"""Living models, Starting Strength and Half-strength of units."""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import member, member_count, stands_in
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def below_half(models: Array, units: Array, u: int) -> bool:
    """``below_half_strength`` of unit ``u``."""
    if units[u]["strength"] != 1:
        return bool(2 * units[u]["alive"] < units[u]["strength"])
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if stands_in(models, k, u):
            return bool(2 * models[k]["wounds"] < models[k]["max_wounds"])
    return False


def below_half_strength(g: BattleCore, unit: int) -> bool:
    """Whether the unit has fewer than half its Starting Strength. A unit that started with one model: fewer than half
    its wounds.
    """
    return bool(g.work.call(below_half, g.models.rows, g.units.rows, unit))


def living(g: BattleCore, unit: int) -> Iterator[int]:
    """Rows of the living models of the unit, its attached Leader included, on the battlefield or not."""
    u, m = g.units, g.models
    for row in (unit, u.leader[unit]):
        if row >= 0:
            for k in range(u.first[row], u.first[row] + u.count[row]):
                if m.alive[k] and m.unit[k] == unit:
                    yield k
