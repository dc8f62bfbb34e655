"""Attacks that are declared alike: the changes are worked out once for each kind, and attacks still alike afterwards
are rolled together.
"""

from __future__ import annotations

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def gather_alike(models: Array, jobs: Array, count: int, damaged: Array, apart: Array, single: bool, out: Array) -> int:
    """Write into ``group`` of each job the first job with the same unit, profile, target and circumstances. Lists these
    first jobs in ``out`` and returns how many there are.

    Only the first ``count`` rows of ``jobs`` count. Jobs of these models stay on their own: models damaged to
    ``damaged`` wounds or less (by model), models with abilities for them alone (``apart``: 1, by model), and all models
    if ``single``.
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
    """Copy weapon and circumstances of each first job (``gather_alike``) to the jobs alike. Then set ``group`` to the
    first job with the same profile, target and circumstances.
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
