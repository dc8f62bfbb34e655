"""Unit coherency of a unit as it stands (w10.concepts.coherency.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import coherent
from wh_env.rulesets.w10 import codes


def in_coherency(g: BattleCore, unit: int) -> bool:
    """Whether the models of the unit that stand on the battlefield are in coherency; leaves their groups in ``labels``."""
    return bool(
        coherent(
            g.models.rows,
            g.units.rows,
            unit,
            codes.COHERENCY_HORIZONTAL,
            codes.COHERENCY_VERTICAL,
            codes.LARGE_UNIT,
            g.setup.statics["labels"],
        )
    )
