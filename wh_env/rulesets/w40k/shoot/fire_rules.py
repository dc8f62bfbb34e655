"""Who may shoot at whom, as numbers of an edition that kernels read."""

from __future__ import annotations

import numpy as np

from wh_env.core.tables import Array
from wh_env.rulesets.w40k.rows import one_row

FIRE_RULES = np.dtype(
    [
        ("big_guns", "u8"),  # keywords of models that shoot and are shot at while engaged
        ("engagement", "f8"),  # inches of Engagement Range
        ("engagement_vertical", "f8"),
        ("lone_range", "f8"),  # inches from which on a Lone Operative on its own is no target
        ("rank", "f8"),  # inches between models that fight from behind each other, 0: their bases touch
    ],
    align=True,
)


def fire_rules(**numbers: float) -> Array:
    """A row of ``FIRE_RULES``; each of its columns has to be named.

    Raises:
        ValueError: a column is missing, or there is no such column.
    """
    return one_row(FIRE_RULES, numbers)
