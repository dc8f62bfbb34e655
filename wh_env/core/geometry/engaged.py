"""Which models and units are engaged, and whether a unit is in coherency."""

from __future__ import annotations

from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in, within_reach, within_reach_at
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def model_engaged_at(
    models: Array, i: int, x: float, y: float, z: float, f: float, horizontal: float, vertical: float
) -> bool:
    """Whether model ``i`` at this pose is within Engagement Range (``horizontal``, ``vertical`` as in
    ``within_reach_at``) of any enemy model on the table.
    """
    owner = models[i]["owner"]
    reach = models[i]["radius"] + horizontal + EPS
    for j in range(len(models)):
        q = models[j]
        dx = q["x"] - x
        dy = q["y"] - y
        far = reach + q["radius"]
        # distance first: it rules out most rows with one predictable branch
        if dx * dx + dy * dy <= far * far and q["on_table"] == 1 and q["owner"] != owner:
            if within_reach_at(models, i, x, y, z, f, j, horizontal, vertical):
                return True
    return False


@kernel
def unit_engaged(models: Array, units: Array, u: int, horizontal: float, vertical: float) -> bool:
    """Whether any model of unit ``u`` is within Engagement Range of any enemy model on the table."""
    for n in range(member_count(units, u)):
        i = member(units, u, n)
        if stands_in(models, i, u):
            p = models[i]
            if model_engaged_at(models, i, p["x"], p["y"], p["z"], p["facing"], horizontal, vertical):
                return True
    return False


@kernel
def units_engaged(models: Array, units: Array, a: int, b: int, horizontal: float, vertical: float) -> bool:
    """Whether any model of unit ``a`` is within Engagement Range of any model of unit ``b``."""
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if not stands_in(models, i, a):
            continue
        for o in range(member_count(units, b)):
            j = member(units, b, o)
            if stands_in(models, j, b) and within_reach(models, i, j, horizontal, vertical):
                return True
    return False


@kernel
def coherent(models: Array, units: Array, u: int, horizontal: float, vertical: float, big: int, labels: Array) -> bool:
    """Whether unit ``u`` is in coherency: its models form one group, each within reach of at least one other model of
    it, or of two if ``big`` or more models are on the table.

    ``labels`` (int32, as long as ``models``) becomes, for each model of the unit, the number 0, 1, ... of its connected
    group, and -1 for every other row.
    """
    labels[:] = -1
    rows = member_count(units, u)
    standing = 0
    for n in range(rows):
        i = member(units, u, n)
        if stands_in(models, i, u):
            labels[i] = standing
            standing += 1
    needed = 0 if standing < 2 else (1 if standing < big else 2)
    all_have_neighbours = True
    for n in range(rows):
        i = member(units, u, n)
        if labels[i] < 0:
            continue
        neighbours = 0
        for o in range(rows):
            j = member(units, u, o)
            if j == i or labels[j] < 0 or (neighbours >= needed and labels[j] == labels[i]):
                continue  # it has its neighbours and is in the same group, so the pair adds nothing
            if not within_reach(models, i, j, horizontal, vertical):
                continue
            neighbours += 1
            if labels[j] != labels[i]:
                lower_label = min(labels[i], labels[j])
                higher_label = max(labels[i], labels[j])
                for o2 in range(rows):
                    k = member(units, u, o2)
                    if labels[k] == higher_label:
                        labels[k] = lower_label
        if neighbours < needed:
            all_have_neighbours = False
    # renumber the groups without gaps, in the order of their numbers
    groups = 0
    left = standing
    number = 0
    while left > 0:
        found = False
        for n in range(rows):
            k = member(units, u, n)
            if labels[k] == number:
                labels[k] = groups
                found = True
                left -= 1
        if found:
            groups += 1
        number += 1
    return all_have_neighbours and groups <= 1
