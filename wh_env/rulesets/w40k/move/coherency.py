"""Unit coherency of a unit as it stands (concepts.coherency.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.engaged import coherent
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.edition import edition


def in_coherency(g: BattleCore, unit: int) -> bool:
    """Whether the models of the unit on the battlefield are in coherency. Writes the groups of models to ``labels``."""
    near = edition(g).measures
    return bool(
        g.work.call(
            coherent,
            g.models.rows,
            g.units.rows,
            unit,
            near.coherency,
            near.coherency_vertical,
            near.large_unit,
            g.work.labels,
        )
    )


@kernel
def _first_scattered(
    models: Array, units: Array, owner: int, horizontal: float, vertical: float, big: int, labels: Array
) -> int:
    for unit in range(len(units)):
        if units[unit]["owner"] == owner and units[unit]["place"] == ON_TABLE:
            if not coherent(models, units, unit, horizontal, vertical, big, labels):
                return unit
    return -1


def first_scattered(g: BattleCore, player: int) -> int:
    """The first unit of the player on the battlefield that is out of coherency, -1 if none is."""
    near = edition(g).measures
    return int(
        g.work.call(
            _first_scattered,
            g.models.rows,
            g.units.rows,
            player,
            near.coherency,
            near.coherency_vertical,
            near.large_unit,
            g.work.labels,
        )
    )
