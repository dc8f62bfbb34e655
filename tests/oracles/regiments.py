"""Blocks of bases, by plain Python: places counted out base by base, polygons sampled, matchings by scipy. Shares no code with the kernels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching


def bases(count, files, a, b, spacing, x, y, facing):
    """Centres of the bases, rank by rank from the front, each rank from its right end."""
    ahead = np.array([np.cos(facing), np.sin(facing)])
    left = np.array([-ahead[1], ahead[0]])
    found = []
    back = 0.0
    while count > 0:
        rank = min(files, count)
        count -= rank
        wide = rank * 2 * b + (rank - 1) * spacing
        at = -wide / 2
        for _ in range(rank):
            found.append(np.array([x, y]) - ahead * (back + a) + left * (at + b))
            at += 2 * b + spacing
        back += 2 * a + spacing
    return np.array(found)


def corners(centre, facing, a, b):
    """The corners of a rectangle, counter-clockwise."""
    ahead = np.array([np.cos(facing), np.sin(facing)])
    left = np.array([-ahead[1], ahead[0]])
    return np.array([centre + i * a * ahead + j * b * left for i, j in ((1, -1), (1, 1), (-1, 1), (-1, -1))])


def least_displacement(old, new):
    """The smallest that the longest way can be when each of ``old`` goes to one of ``new``."""
    away = np.hypot(*(old[:, None, :] - new[None, :, :]).transpose(2, 0, 1))
    lengths = np.unique(away)
    low, high = 0, len(lengths) - 1
    while low < high:
        middle = (low + high) // 2
        matched = maximum_bipartite_matching(csr_array(away <= lengths[middle]), perm_type="column")
        if (matched >= 0).all():
            high = middle
        else:
            low = middle + 1
    return float(lengths[low])


def segments(polygon):
    """The edges of a polygon."""
    return pairwise([*polygon, polygon[0]])
