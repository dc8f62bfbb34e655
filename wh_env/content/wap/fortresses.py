"""Buildings that items bring: features that lie far beside the table until they are placed
(wap.item.enchanted.folding-fortress).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.content.wap.items import equipped
from wh_env.content.wap.load import TOWER, Placed, place_of, traits_of
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.schema_battle import Feature

BESIDE = 500.0  # inches from the table: nothing reaches there
APART = 20.0  # inches between two of them


def fortresses(
    armies: Sequence[Sequence[Regiment]], size: tuple[float, float], first: int
) -> tuple[list[Placed], tuple[tuple[int, ...], ...]]:
    """The buildings that items of the armies bring, and for each player their rows among the features.

    Args:
        size: of the table, inches. first: the row of the first of them.
    """
    found: list[Placed] = []
    rows: list[tuple[int, ...]] = []
    for army in armies:
        items = [item for unit in army if unit.items for item in equipped(unit).gear.items if item.builds]
        rows.append(tuple(range(first + len(found), first + len(found) + len(items))))
        found += [building(size, len(found) + n) for n in range(len(items))]
    return found, tuple(rows)


def building(size: tuple[float, float], number: int) -> Placed:
    """The ``number``-th building, beside the table."""
    (along, across), x, y = TOWER.size, size[0] + BESIDE, APART * number
    corners = ((x, y), (x + along, y), (x + along, y + across), (x, y + across))
    feature = Feature(kind="building", storeys=TOWER.storeys, polygon=corners)
    return place_of(feature, traits_of(feature, "<item>", "building"), size, False, "<item>", "building")
