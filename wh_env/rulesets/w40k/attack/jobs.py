"""The attacks declared (rows of ``jobs``) that are still to be made, in order of declaration."""

from __future__ import annotations

from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array


@inner_kernel
def _left(models: Array, units: Array, jobs: Array, row: int) -> bool:
    """Whether attacks of a row are still to be made. Sets them to 0 if their target is destroyed
    (attack.target-destroyed) or the attacking model is (by a Deadly Demise).
    """
    job = jobs[row]
    if job["attacks"] == 0:
        return False
    if units[job["target"]]["alive"] > 0 and models[job["model"]]["alive"] != 0:
        return True
    jobs[row]["attacks"] = 0
    return False


@kernel
def targets_left(models: Array, units: Array, jobs: Array, count: int, out: Array) -> int:
    """List in ``out`` the targets of attacks still to be made in the first ``count`` rows. Returns how many."""
    found = 0
    for row in range(count):
        if not _left(models, units, jobs, row):
            continue
        known = False
        for k in range(found):
            known = known or out[k] == jobs[row]["target"]
        if not known:
            out[found] = jobs[row]["target"]
            found += 1
    return found


@kernel
def groups_left(models: Array, units: Array, jobs: Array, count: int, target: int, out: Array) -> int:
    """List in ``out`` the groups of alike attacks still to be made against ``target``. Returns how many."""
    found = 0
    for row in range(count):
        if jobs[row]["target"] != target or not _left(models, units, jobs, row):
            continue
        known = False
        for k in range(found):
            known = known or out[k] == jobs[row]["group"]
        if not known:
            out[found] = jobs[row]["group"]
            found += 1
    return found


@kernel
def targeted(units: Array, jobs: Array, player: int, keyword: int, out: Array) -> int:
    """List in ``out`` the units of the player with one of the keyword bits that declared attacks target. Returns how
    many.
    """
    found = 0
    for row in range(len(jobs)):
        u = jobs[row]["target"]
        if jobs[row]["attacks"] == 0 or units[u]["owner"] != player or int(units[u]["keywords"]) & keyword == 0:
            continue
        known = False
        for k in range(found):
            known = known or out[k] == u
        if not known:
            out[found] = u
            found += 1
    return found
