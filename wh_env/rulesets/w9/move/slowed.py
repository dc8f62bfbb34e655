"""Which features of the battlefield slow a unit down: a kernel, as every move asks it."""

from __future__ import annotations

import numpy as np

from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

LOW = 3.0  # inches: features of at most this height do not slow down TITANIC units
BY_NOTHING, BY_ALL, BY_HIGH = 0, 1, 2


@kernel
def slowing(
    models: Array,
    units: Array,
    features: Array,
    corners: Array,
    unit: int,
    reach: float,
    trait: int,
    fly: int,
    titanic: int,
) -> int:
    """Whether features with the bit ``trait`` may slow down a unit that moves up to ``reach`` inches.

    Returns ``BY_NOTHING`` if no such feature is near, else ``BY_HIGH`` if only features higher than ``LOW`` slow it
    down, else ``BY_ALL``. It compares bounding boxes: a feature that it counts may still be out of reach.

    No feature slows a unit whose models all have the keyword ``fly`` (w9.terrain.difficult-ground.fly). No low feature
    slows a unit whose models all have ``titanic`` (w9.terrain.difficult-ground.titanic).
    """
    flies = towers = True
    low_x = low_y = float("inf")
    high_x = high_y = -float("inf")
    radius = 0.0
    for n in range(member_count(units, unit)):
        k = member(units, unit, n)
        if not stands_in(models, k, unit):
            continue
        m = models[k]
        if m["keywords"] & np.uint64(fly) == np.uint64(0):
            flies = False
        if m["keywords"] & np.uint64(titanic) == np.uint64(0):
            towers = False
        low_x, high_x = min(low_x, m["x"]), max(high_x, m["x"])
        low_y, high_y = min(low_y, m["y"]), max(high_y, m["y"])
        radius = max(radius, m["radius"])
    if flies:  # also if no model stands on the table
        return BY_NOTHING
    far = reach + radius + EPS
    for f in range(len(features)):
        feature = features[f]
        if feature["traits"] & np.uint64(trait) == np.uint64(0) or (towers and feature["height"] <= LOW + EPS):
            continue
        first, count = feature["first"], feature["count"]
        min_x = max_x = corners[first, 0]
        min_y = max_y = corners[first, 1]
        for c in range(first + 1, first + count):
            min_x, max_x = min(min_x, corners[c, 0]), max(max_x, corners[c, 0])
            min_y, max_y = min(min_y, corners[c, 1]), max(max_y, corners[c, 1])
        if min_x <= high_x + far and max_x >= low_x - far and min_y <= high_y + far and max_y >= low_y - far:
            return BY_HIGH if towers else BY_ALL
    return BY_NOTHING
