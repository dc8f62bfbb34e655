"""Limits of a move on one of its ways (``ways``). A kernel, because other kernels compare several ways."""

from __future__ import annotations

import numpy as np

from wh_env.core.geometry.paths import ON_FOOT
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def limits_on(limits: Array, less: float, on_foot: bool) -> Array:
    """A copy of ``limits`` in which the extra distance is ``less`` inches shorter; ``on_foot``: no model moves through
    the air.
    """
    own = np.empty_like(limits)
    for k in range(len(limits)):
        own[k] = limits[k]
        own[k]["extra"] -= less
        if on_foot:
            own[k]["through_air"] = ON_FOOT
    return own
