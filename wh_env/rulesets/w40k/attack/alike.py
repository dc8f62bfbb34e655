"""Attacks that are declared alike: what changes them is worked out for one of them, and those that are alike afterwards
are rolled together.
"""

from __future__ import annotations

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def gather_alike(models: Array, jobs: Array, count: int, damaged: Array, apart: Array, single: bool, out: Array) -> int:
    """Write into ``group`` of the first ``count`` rows the first row with attacks that the same changes: of any model
    of the same unit with the same profile at the same target, in the same circumstances. Lists these first rows in
    ``out`` and returns how many there are.

    Apart stand models that have suffered damage that counts (``damaged``: wounds left), those that bear what is for
    them alone (``apart``: 1, by model), and with ``single`` all of them.
    """
    found = 0
    for row in range(count):
        job = jobs[row]
        if job["attacks"] == 0:
            continue
        k = job["model"]
        jobs[row]["group"] = row
        alone = single or apart[k] != 0 or models[k]["wounds"] <= damaged[k]
        for n in range(0 if alone else found):
            other = out[n]
            first = jobs[other]
            i = first["model"]
            if first["target"] != job["target"]:
                continue
            if (
                first["weapon"] != job["weapon"]
                or first["near"] != job["near"]
                or models[i]["unit"] != models[k]["unit"]
            ):
                continue
            if apart[i] == 0 and models[i]["wounds"] > damaged[i]:
                jobs[row]["group"] = other
                break
        if jobs[row]["group"] == row:
            out[found] = row
            found += 1
    return found


@kernel
def spread_changes(jobs: Array, count: int) -> None:
    """What the first of alike attacks (``gather_alike``) are now, the others are, too; then ``group`` is the first row
    that is the same in profile, target and circumstances.
    """
    for row in range(count):
        job = jobs[row]
        if job["attacks"] == 0:
            continue
        first = job["group"]
        if first != row:
            jobs[row]["weapon"], jobs[row]["near"] = jobs[first]["weapon"], jobs[first]["near"]
            jobs[row]["group"] = jobs[first]["group"]
            continue
        for other in range(row):
            same = jobs[other]
            if same["attacks"] == 0 or same["group"] != other or same["target"] != job["target"]:
                continue
            if same["weapon"] == job["weapon"] and same["near"] == job["near"]:
                jobs[row]["group"] = other
                break
