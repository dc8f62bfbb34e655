"""What terrain shelters from attacks, as kernels: it is asked for each model that shoots and for each that is shot at."""

from __future__ import annotations

import numpy as np

from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w9.shoot.lines import gap_to_feature, sees_all_of_one, within

BEHIND = 3.0  # inches from an Obstacle (w9.terrain.obstacles)


@kernel
def on_or_behind(models: Array, features: Array, corners: Array, i: int, f: int, area: int) -> bool:
    """Whether any part of the base is over the footprint of an Area Terrain feature (trait ``area``), or near enough to another."""
    if features[f]["traits"] & np.uint64(area) != np.uint64(0):
        return within(models, features, corners, i, f)
    return gap_to_feature(models, features, corners, i, f) <= BEHIND + EPS


@kernel
def behind_dense(
    models: Array, units: Array, features: Array, corners: Array, trait: int, area: int, height: float, model: int, target: int,
    marked: Array, near: Array,
) -> bool:  # fmt: skip
    """Whether from every point of the base of a model some line to every model of the target passes over a feature with the ``trait``, of at
    least this height, that is not the model's own. ``marked``, ``near``: scratch, uint8 by feature."""
    some = False
    for f in range(len(features)):
        feature = features[f]
        marked[f] = 0
        if feature["traits"] & np.uint64(trait) != np.uint64(0) and feature["height"] >= height - EPS:
            if not on_or_behind(models, features, corners, model, f, area):
                marked[f] = 1
                some = True
    return some and not sees_all_of_one(models, units, features, corners, marked, model, target, near)


@kernel
def obstacles_before(
    models: Array, units: Array, features: Array, corners: Array, traits: int, model: int, target: int,
    marked: Array, near: Array, found: Array,
) -> int:  # fmt: skip
    """How many features with all these ``traits`` lie before the target, as the model sees it; their rows, rising, in ``found`` (int32).

    ``marked``, ``near``: scratch, uint8 by feature.
    """
    number = 0
    marked[:] = 0
    for f in range(len(features)):
        if features[f]["traits"] & np.uint64(traits) != np.uint64(traits):
            continue
        marked[f] = 1
        if not sees_all_of_one(models, units, features, corners, marked, model, target, near):
            found[number] = f
            number += 1
        marked[f] = 0
    return number


@inner_kernel
def _shelters(models: Array, features: Array, corners: Array, k: int, f: int, area: int, exposed: int) -> bool:
    if not on_or_behind(models, features, corners, k, f, area):
        return False
    bare = features[f]["traits"] & np.uint64(exposed) != np.uint64(0) and models[k]["z"] > EPS
    return not (bare and within(models, features, corners, k, f))


@kernel
def in_shelter(
    models: Array, units: Array, features: Array, corners: Array, target: int, takes: int, trait: int, area: int, exposed: int,
    obstacles: Array, found: Array,
) -> int:  # fmt: skip
    """How many models of the target with one of the keywords ``takes`` have cover; their rows, rising, in ``found`` (int32).

    From Area Terrain with the ``trait`` or one of the ``obstacles`` (int32, rows), but not on top of what has the trait ``exposed``.
    """
    number = 0
    for n in range(member_count(units, target)):
        k = member(units, target, n)
        if not stands_in(models, k, target) or models[k]["keywords"] & np.uint64(takes) == np.uint64(0):
            continue
        covered = False
        both = np.uint64(trait | area)
        for f in range(len(features)):
            if features[f]["traits"] & both == both and _shelters(models, features, corners, k, f, area, exposed):
                covered = True
                break
        for o in range(len(obstacles)):
            if not covered and _shelters(models, features, corners, k, obstacles[o], area, exposed):
                covered = True
        if covered:
            found[number] = k
            number += 1
    return number
