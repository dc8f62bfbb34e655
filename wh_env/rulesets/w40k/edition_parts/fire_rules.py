"""Which units may shoot at which targets: numbers of an edition, as a row that kernels read."""

from __future__ import annotations

import numpy as np

from wh_env.core.tables import Array
from wh_env.rulesets.w40k.rows import one_row

FIRE_RULES = np.dtype(
    [
        ("big_guns", "u8"),  # keywords of models that shoot while engaged
        # keywords of models that are shot at although units of the shooter's army are engaged with them
        ("big_targets", "u8"),
        ("fell_back", "u8"),  # keywords of units that shoot after they fell back
        # 1: an engaged unit makes its attacks at units that it is not engaged with only when it is no longer engaged
        ("others_wait", "i4"),
        # 1: a model counts as engaged if any model of its unit is (``ATTACK_RULES``, engaged_heavy)
        ("engaged_as_unit", "i4"),
        # 1: a model may shoot at a CHARACTER model only if it sees no other unit that is closer
        ("closest_only", "i4"),
        (
            "pistol_closest",
            "i4",
        ),  # 1: each model of an engaged unit fires its Pistols at the unit closest to it, engaged or not
        ("lookout_wounds", "i4"),  # CHARACTER models of up to so many Wounds are screened by other units
        ("lookout_screen", "i4"),  # models of a unit that screens
        ("lookout", "f8"),  # inches within which such a unit screens; 0: no such rule
        ("engagement", "f8"),  # inches of Engagement Range
        ("engagement_vertical", "f8"),
        ("engagement_across", "f8"),  # the longest reach of Engagement Range across an area; 0: no area has one
        ("lone_range", "f8"),  # inches beyond which a Lone Operative on its own cannot be a target
        ("rank", "f8"),  # inches between models that fight from behind each other, 0: their bases touch
    ],
    align=True,
)


def fire_rules(**numbers: float) -> Array:
    """A row of ``FIRE_RULES``; the caller must give a value for each column.

    Raises:
        ValueError: a column is missing, or there is no such column.
    """
    return one_row(FIRE_RULES, numbers)
