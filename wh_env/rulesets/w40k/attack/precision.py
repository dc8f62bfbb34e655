"""Precision: the CHARACTER models of an Attached unit that an attacking model sees (weapon.precision)."""

from __future__ import annotations

from wh_env.core.geometry.shapes import member, member_count, stands_in
from wh_env.core.geometry.sight import sees
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.profiles import Keyword

CHARACTER = int(Keyword.CHARACTER)


@inner_kernel
def characters_seen(models: Array, units: Array, blocks: Array, corners: Array, i: int, e: int) -> int:
    """Bits of the CHARACTER models of unit ``e`` that model ``i`` sees; bit n is member n of the unit. 0 if the unit is
    not Attached.
    """
    found = 0
    if units[e]["leader"] < 0:
        return found
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if stands_in(models, j, e) and int(models[j]["keywords"]) & CHARACTER != 0:
            if sees(models, units, blocks, corners, i, j):
                found |= 1 << n
    return found


@kernel
def aim(models: Array, units: Array, blocks: Array, corners: Array, jobs: Array, count: int, group: int) -> int:
    """The CHARACTER models that the next attacks of a group with Precision can pick, as bits (``characters_seen``).

    Attackers of the group that see other models are split off: their rows of ``jobs`` (of the first ``count``) become a
    new group, which is rolled on its own.
    """
    seen = -1
    rest = -1
    for row in range(count):
        job = jobs[row]
        if job["group"] != group or job["attacks"] == 0:
            continue
        mine = characters_seen(models, units, blocks, corners, job["model"], job["target"])
        if seen < 0:
            seen = mine
        elif mine != seen:
            if rest < 0:
                rest = row
            jobs[row]["group"] = rest
    return max(seen, 0)
