"""Which units fight each other: units in contact are paired off one against one as far as possible
(epic.assault.pairing).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wh_env.core.geometry.shapes import CONTACT
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

Touching = dict[int, list[int]]  # the enemies that each unit touches, by row


@kernel
def touching_pairs(models: Array, pairs: Array) -> int:
    """Write into ``pairs`` (n, 2) the rows of every two enemies whose bases touch. Returns how many there are, which
    may be more than fit.
    """
    n = 0
    for i in range(len(models)):
        p = models[i]
        if p["on_table"] == 0 or p["contact"] == 0:
            continue
        for j in range(i + 1, len(models)):
            q = models[j]
            if q["on_table"] == 0 or q["contact"] == 0 or q["owner"] == p["owner"]:
                continue
            far = p["radius"] + q["radius"] + CONTACT
            dx = q["x"] - p["x"]
            dy = q["y"] - p["y"]
            if dx * dx + dy * dy <= far * far:
                if n < len(pairs):
                    pairs[n, 0] = i
                    pairs[n, 1] = j
                n += 1
    return n


def touching(models: Array, pairs: Array) -> Touching:
    """The enemies that each unit in contact touches, rows rising. ``pairs``: scratch."""
    found: Touching = {}
    for i, j in pairs[: touching_pairs(models, pairs)].tolist():
        found.setdefault(i, []).append(j)
        found.setdefault(j, []).append(i)
    return {k: sorted(found[k]) for k in sorted(found)}


def group_of(contacts: Touching, start: int) -> set[int]:
    """All units linked to unit ``start`` by a chain of contacts, and itself."""
    group, queue = {start}, [start]
    while queue:
        for other in contacts[queue.pop()]:
            if other not in group:
                group.add(other)
                queue.append(other)
    return group


def most_pairs(contacts: Mapping[int, Iterable[int]], units: Iterable[int], taken: Iterable[int] = ()) -> int:
    """The largest number of ``units`` that can be paired off at once, each with its own enemy that is not ``taken``."""
    partner: dict[int, int] = {}
    blocked = set(taken)

    def find(unit: int, tried: set[int]) -> bool:
        for enemy in contacts[unit]:
            if enemy in blocked or enemy in tried:
                continue
            tried.add(enemy)
            if enemy not in partner or find(partner[enemy], tried):
                partner[enemy] = unit
                return True
        return False

    return sum(find(unit, set()) for unit in units)


def choices(contacts: Touching, unit: int, undecided: list[int], taken: set[int]) -> tuple[list[int], bool]:
    """(enemies, free): the enemies that ``unit``, the first of ``undecided``, can be paired with, and whether it can be
    left over. As many of ``undecided`` as possible must end up paired.
    """
    rest = [k for k in undecided if k != unit]
    most = most_pairs(contacts, undecided, taken)
    with_it = [
        enemy
        for enemy in contacts[unit]
        if enemy not in taken and 1 + most_pairs(contacts, rest, taken | {enemy}) == most
    ]
    return with_it, most_pairs(contacts, rest, taken) == most
