"""Units that a player may still select: a kernel, because it runs before each selection."""

from __future__ import annotations

from wh_env.core.kernel import kernel
from wh_env.core.tables import EMBARKED, ON_TABLE, Array


@kernel
def mark_unselected(units: Array, first: int, count: int, selected: int, mask: Array, at: int) -> tuple[bool, bool]:
    """Mark the units that stand on the battlefield and have no bit of ``selected``, among ``count`` rows from ``first``
    on.

    The mark of row ``first + n`` is ``mask[at + n]``. Returns whether any unit was marked, and whether any unit is
    embarked.
    """
    some = aboard = False
    for n in range(count):
        u = units[first + n]
        if u["place"] == EMBARKED:
            aboard = True
        elif u["place"] == ON_TABLE and u["selected"] & selected == 0:
            mask[at + n] = True
            some = True
    return some, aboard
