"""Models in base contact with a model."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import SLACK, gap


def models_touching(g: BattleCore, model: int) -> list[int]:
    """The models whose bases touch that of a model, never itself (wap.core.unit.self-contact)."""
    rows, m = g.models.rows, g.models
    there = (k for k in range(len(rows)) if k != model and m.on_table[k])
    return [k for k in there if gap(rows, model, k) <= SLACK]
