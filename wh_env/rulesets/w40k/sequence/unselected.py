"""Units that were not selected yet: a kernel, as it is asked before each is."""

from __future__ import annotations

from wh_env.core.kernel import kernel
from wh_env.core.tables import EMBARKED, ON_TABLE, Array


@kernel
def mark_unselected(units: Array, first: int, count: int, selected: int, mask: Array, at: int) -> tuple[bool, bool]:
    """Mark those of ``count`` units from row ``first`` on that stand on the battlefield and have no bit of ``selected`` yet, from slot ``at`` of
    the mask on; whether there are any, and whether any is embarked."""
    some = aboard = False
    for n in range(count):
        u = units[first + n]
        if u["place"] == EMBARKED:
            aboard = True
        elif u["place"] == ON_TABLE and u["selected"] & selected == 0:
            mask[at + n] = True
            some = True
    return some, aboard
