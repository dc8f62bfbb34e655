"""What terrain does to attacks: the benefits of cover and Dense Cover (w9.terrain.*).

Dense Cover is settled for each firing model when targets are selected (w9.terrain.dense-cover.timing). The benefits of
cover are settled for each model of the target before a group of attacks is made. Firing models that have different
Obstacles before the target make their attacks in different groups.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.w9.shoot.sheltering import (
    IGNORES_COVER,
    OBSTACLE,
    WORD,
    in_shelter,
    on_or_behind,
    settle_jobs,
)
from wh_env.rulesets.w40k.codes import COVERED
from wh_env.rulesets.w40k.terrain.cover import Trait

LIGHT_COVER, HEAVY_COVER = int(Trait.LIGHT_COVER), int(Trait.HEAVY_COVER)


def having(g: BattleCore, trait: Trait) -> list[int]:
    """Rows of the terrain features that have the trait."""
    return np.flatnonzero(g.setup.features["traits"] & np.uint64(trait)).tolist()


def stands_on_or_within(g: BattleCore, model: int, feature: int) -> bool:
    """Whether the model is on Area Terrain feature ``feature``, or near enough to an Obstacle to be behind it."""
    return bool(on_or_behind(g.models.rows, g.setup.features, g.setup.corners, model, feature))


def scratch(g: BattleCore) -> Array:
    """Scratch for the kernels of ``sheltering``: uint8, shape (3, features)."""
    rows: Array = np.zeros((3, len(g.setup.features)), np.uint8)
    return rows


def settle_cover(g: BattleCore, melee: bool) -> None:
    """Attacks were declared: settle which of them Dense Cover affects and which are made together
    (w9.terrain.dense-cover, .own-feature, .large, w9.terrain.obstacles, w9.terrain.cover-ignored).
    """
    setup, jobs = g.setup, g.jobs
    features, count = setup.features, len(jobs.attacks)
    dense: Array = np.zeros(count, np.int32)
    before: Array = np.zeros((count, len(features) // WORD + 1), np.int64)
    tables = g.models.rows, g.units.rows, setup.statics["weapons"], jobs.rows, features, setup.corners
    traits = OBSTACLE | (HEAVY_COVER if melee else LIGHT_COVER)
    g.work.call(settle_jobs, *tables, melee, traits, scratch(g), dense, before)
    if g.recorder is not None:
        for job in np.flatnonzero(dense > 0).tolist():
            g.note("w9.terrain.dense-cover", "Dense Cover", model=jobs.model[job], target=jobs.target[job])


def in_cover(g: BattleCore, trait: int, model: int, target: int) -> list[int]:
    """Models of the target that have the benefits of cover against attacks of ``model``, from features with ``trait``
    (Light or Heavy Cover) (w9.terrain.cover-keywords, w9.terrain.area, w9.terrain.obstacles,
    w9.terrain.exposed-position).
    """
    setup, found = g.setup, g.work.marks
    tables = g.models.rows, g.units.rows, setup.features, setup.corners
    count = g.work.call(in_shelter, *tables, model, target, trait, scratch(g), found)
    models: list[int] = found[:count].tolist()
    return models


def take_cover(g: BattleCore, job: int, melee: bool) -> None:
    """Flag the models of the target that have the benefits of cover against the attacks of ``job`` and its group
    (w9.terrain.light-cover, w9.terrain.heavy-cover).
    """
    target = g.jobs.target[job]
    if g.setup.statics["weapon_abilities"][g.jobs.weapon[job]] & IGNORES_COVER:
        return  # w9.terrain.cover-ignored
    if melee and g.units.charged[target]:
        return  # w9.terrain.heavy-cover: models that made a charge move have none
    models = in_cover(g, HEAVY_COVER if melee else LIGHT_COVER, g.jobs.model[job], target)
    for k in models:
        g.models.flags[k] |= COVERED
    if models and g.recorder is not None:
        rule = "w9.terrain.heavy-cover" if melee else "w9.terrain.light-cover"
        g.note(rule, "benefits of cover", target=target, models=models)
