"""Terrain that shelters from attacks: kernels, as each pair of firing model and target asks them."""

from __future__ import annotations

import numpy as np

from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w9.shoot.lines import gap_to_feature, nothing_between, sees_all_of_one, within
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.profiles import Keyword, WeaponAbility
from wh_env.rulesets.w40k.terrain.cover import Trait

BEHIND = 3.0  # inches from an Obstacle (w9.terrain.obstacles)
DENSE_HEIGHT = 3.0  # w9.terrain.dense-cover
LARGE = 18  # Wounds (w9.terrain.dense-cover.large)
TAKES_COVER = int(Keyword.INFANTRY | Keyword.BEASTS | Keyword.SWARM)  # w9.terrain.cover-keywords
AIRCRAFT = int(Keyword.AIRCRAFT)
IGNORES_COVER = int(WeaponAbility.IGNORES_COVER)
DENSE = int(Near.STEALTH)
AREA, OBSTACLE, EXPOSED = int(Trait.AREA_TERRAIN), int(Trait.OBSTACLE), int(Trait.EXPOSED_POSITION)
DENSE_COVER = int(Trait.DENSE_COVER)
NOT_ASKED = 2  # in place of a flag
WORD = 63  # features that have a bit in one word


@kernel
def on_or_behind(models: Array, features: Array, corners: Array, i: int, f: int) -> bool:
    """Whether base ``i`` overlaps the footprint of feature ``f`` (Area Terrain), or is within ``BEHIND`` inches of it
    (Obstacles).
    """
    if features[f]["traits"] & np.uint64(AREA) != np.uint64(0):
        return within(models, features, corners, i, f)
    return gap_to_feature(models, features, corners, i, f) <= BEHIND + EPS


# ---------------------------------------------------------------- attacks that were declared


@inner_kernel
def behind_dense(
    models: Array, units: Array, features: Array, corners: Array, model: int, target: int, room: Array
) -> bool:
    """Whether a target suffers from Dense Cover against a model: from every point of the model's base, some line to
    every model of the target passes over a high feature with Dense Cover that the model is not on or behind
    (w9.terrain.dense-cover, .own-feature). ``room``: scratch, uint8, 3 x features.
    """
    marked = room[0]
    some = False
    for f in range(len(features)):
        feature = features[f]
        high = feature["height"] >= DENSE_HEIGHT - EPS
        marked[f] = 1 if high and feature["traits"] & np.uint64(DENSE_COVER) != np.uint64(0) else 0
    if nothing_between(models, units, features, corners, marked, model, target):
        return False  # the model's own features do not matter then
    for f in range(len(features)):
        if marked[f] != 0:
            if on_or_behind(models, features, corners, model, f):
                marked[f] = 0
            else:
                some = True
    return some and not sees_all_of_one(models, units, features, corners, marked, model, target, room[1])


@inner_kernel
def _suffers(models: Array, units: Array, weapons: Array, weapon: int, target: int) -> bool:
    """Whether Dense Cover can affect attacks with the weapon at the target at all (w9.terrain.cover-ignored,
    w9.terrain.dense-cover.large).
    """
    if weapons[weapon]["abilities"] & np.uint64(IGNORES_COVER) != np.uint64(0):
        return False
    if units[target]["keywords"] & np.uint64(AIRCRAFT) != np.uint64(0):
        return False
    for n in range(member_count(units, target)):
        k = member(units, target, n)
        if stands_in(models, k, target) and models[k]["max_wounds"] >= LARGE:
            return False
    return True


@inner_kernel
def _mark_obstacles(
    models: Array,
    units: Array,
    features: Array,
    corners: Array,
    traits: int,
    model: int,
    target: int,
    room: Array,
    word: Array,
) -> None:
    """Set in ``word`` the bits of the features that have all of ``traits`` and lie between the model and every model of
    the target (w9.terrain.obstacles). ``room``: scratch, uint8, 3 x features.
    """
    marked, obstacle = room[0], room[2]
    for f in range(len(features)):
        obstacle[f] = 1 if features[f]["traits"] & np.uint64(traits) == np.uint64(traits) else 0
    if nothing_between(models, units, features, corners, obstacle, model, target):
        return  # nor any of them alone
    marked[:] = 0
    for f in range(len(features)):
        if obstacle[f] == 0:
            continue
        marked[f] = 1
        if not sees_all_of_one(models, units, features, corners, marked, model, target, room[1]):
            word[f // WORD] |= 1 << (f % WORD)
        marked[f] = 0


@inner_kernel
def _job_alike(jobs: Array, before: Array, job: int) -> int:
    """The first job that ``job`` is resolved together with: same weapon, target, circumstances and obstacles. ``job``
    itself if no earlier job matches.
    """
    this = jobs[job]
    for k in range(job):
        other = jobs[k]
        if other["attacks"] == 0 or other["weapon"] != this["weapon"] or other["target"] != this["target"]:
            continue
        same = other["near"] == this["near"]
        for word in range(before.shape[1]):
            same = same and before[k, word] == before[job, word]
        if same:
            return k
    return job


@kernel
def settle_jobs(
    models: Array, units: Array, weapons: Array, jobs: Array, features: Array, corners: Array, melee: bool, traits: int,
    room: Array, dense: Array, before: Array,
) -> None:  # fmt: skip
    """For all declared attacks: settle whether Dense Cover affects them, and which jobs are resolved together (column
    ``group``).

    ``traits``: what an Obstacle must have to set attacks apart. Written: ``dense`` (int32 by job; 1: Dense Cover, 0:
    none, -1: cannot apply) and ``before`` (int64, jobs x words, zeros at first; bits of the Obstacles before the
    target). ``room``: scratch, uint8, 3 x features. In ``melee`` there is no Dense Cover.
    """
    for job in range(len(jobs)):
        dense[job] = 0
        if jobs[job]["attacks"] == 0:
            continue
        model, weapon, target = jobs[job]["model"], jobs[job]["weapon"], jobs[job]["target"]
        # earlier jobs of the same model at the same target: the last, and the last judged for Dense Cover
        pair = judged = -1
        for k in range(job):
            if jobs[k]["attacks"] != 0 and jobs[k]["model"] == model and jobs[k]["target"] == target:
                pair = k
                if dense[k] >= 0:
                    judged = k
        if not melee:
            if not _suffers(models, units, weapons, weapon, target):
                dense[job] = -1
            elif judged >= 0:
                dense[job] = dense[judged]
            elif behind_dense(models, units, features, corners, model, target, room):
                dense[job] = 1
            if dense[job] > 0:
                jobs[job]["near"] |= DENSE
        if pair >= 0:
            for word in range(before.shape[1]):
                before[job, word] = before[pair, word]
        else:
            _mark_obstacles(models, units, features, corners, traits, model, target, room, before[job])
        jobs[job]["group"] = _job_alike(jobs, before, job)


# ---------------------------------------------------------------- the benefits of cover


@inner_kernel
def _shelters(models: Array, features: Array, corners: Array, k: int, f: int) -> bool:
    """Whether model ``k`` stands where feature ``f`` can give it cover (w9.terrain.exposed-position)."""
    if not on_or_behind(models, features, corners, k, f):
        return False
    bare = features[f]["traits"] & np.uint64(EXPOSED) != np.uint64(0) and models[k]["z"] > EPS
    return not (bare and within(models, features, corners, k, f))


@kernel
def in_shelter(
    models: Array,
    units: Array,
    features: Array,
    corners: Array,
    model: int,
    target: int,
    trait: int,
    room: Array,
    found: Array,
) -> int:
    """Write into ``found`` (int32) the rows, rising, of the target's models that have cover from attacks of a model;
    returns how many.

    A model has cover from Area Terrain with the ``trait``, or from an Obstacle with it that lies before the target.
    ``room``: scratch, uint8, 3 x features.
    """
    marked, before = room[0], room[2]
    area, obstacle = np.uint64(trait | AREA), np.uint64(trait | OBSTACLE)
    marked[:] = 0
    before[:] = NOT_ASKED
    number = 0
    for n in range(member_count(units, target)):
        k = member(units, target, n)
        if not stands_in(models, k, target) or models[k]["keywords"] & np.uint64(TAKES_COVER) == np.uint64(0):
            continue
        for f in range(len(features)):
            on_area = features[f]["traits"] & area == area
            if not on_area and features[f]["traits"] & obstacle != obstacle:
                continue
            if not _shelters(models, features, corners, k, f):
                continue
            if not on_area and before[f] == NOT_ASKED:
                marked[f] = 1
                clear = sees_all_of_one(models, units, features, corners, marked, model, target, room[1])
                before[f] = 0 if clear else 1
                marked[f] = 0
            if on_area or before[f] == 1:
                found[number] = k
                number += 1
                break
    return number
