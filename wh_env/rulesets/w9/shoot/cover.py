"""What terrain does to attacks: the benefits of cover and Dense Cover (w9.terrain.*).

Dense Cover is settled for each firing model when targets are selected (w9.terrain.dense-cover.timing), the benefits of cover for
each model of the target before a group of alike attacks is made. Models from which Obstacles differ make their attacks apart.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.w9.shoot.sheltering import behind_dense, in_shelter, obstacles_before, on_or_behind
from wh_env.rulesets.w40k.attack.rolls import COVERED, Near
from wh_env.rulesets.w40k.profiles import Keyword, WeaponAbility
from wh_env.rulesets.w40k.terrain.cover import Trait

TAKES_COVER = int(Keyword.INFANTRY | Keyword.BEASTS | Keyword.SWARM)  # w9.terrain.cover-keywords
DENSE_HEIGHT = 3.0  # w9.terrain.dense-cover
LARGE = 18  # Wounds (w9.terrain.dense-cover.large)
IGNORES_COVER = int(WeaponAbility.IGNORES_COVER)
AIRCRAFT = int(Keyword.AIRCRAFT)
DENSE = int(Near.STEALTH)
AREA, OBSTACLE, EXPOSED = int(Trait.AREA_TERRAIN), int(Trait.OBSTACLE), int(Trait.EXPOSED_POSITION)
DENSE_COVER = int(Trait.DENSE_COVER)


def having(g: BattleCore, trait: Trait) -> list[int]:
    """Rows of the terrain features with a trait."""
    return np.flatnonzero(g.setup.features["traits"] & np.uint64(trait)).tolist()


def stands_on_or_within(g: BattleCore, model: int, feature: int) -> bool:
    """Whether any part of the model's base is over the footprint of an Area Terrain feature, or near enough to another."""
    return bool(on_or_behind(g.models.rows, g.setup.features, g.setup.corners, model, feature, AREA))


def scratch(g: BattleCore) -> tuple[Array, Array]:
    """Room for two marks of each feature."""
    rows: Array = np.zeros((2, len(g.setup.features)), np.uint8)
    return rows[0], rows[1]


# ---------------------------------------------------------------- Dense Cover


def dense(g: BattleCore, model: int, weapon: int, target: int) -> bool:
    """Whether attacks of the model with a weapon at the target suffer from Dense Cover (w9.terrain.dense-cover,
    .own-feature, .large, w9.terrain.cover-ignored)."""
    if g.setup.statics["weapon_abilities"][weapon] & IGNORES_COVER or g.units.keywords[target] & AIRCRAFT:
        return False
    if any(g.models.on_table[k] and g.models.max_wounds[k] >= LARGE for k in g.members(target)):
        return False
    setup, tables = g.setup, (g.models.rows, g.units.rows)
    return bool(
        g.work.call(
            behind_dense, *tables, setup.features, setup.corners, DENSE_COVER, AREA, DENSE_HEIGHT, model, target, *scratch(g),
        )
    )  # fmt: skip


# ---------------------------------------------------------------- the benefits of cover


def obstacles_between(g: BattleCore, trait: Trait, model: int, target: int) -> tuple[int, ...]:
    """Obstacles with a trait that give cover from attacks of the model at the target (w9.terrain.obstacles)."""
    setup, found, traits = g.setup, g.work.marks, int(trait) | OBSTACLE
    tables = g.models.rows, g.units.rows, setup.features, setup.corners
    count = g.work.call(obstacles_before, *tables, traits, model, target, *scratch(g), found)
    return tuple(found[:count].tolist())


def in_cover(g: BattleCore, trait: Trait, model: int, target: int) -> list[int]:
    """Models of the target with the benefits of cover from features with a trait (``LIGHT_COVER``, ``HEAVY_COVER``) against attacks of a
    model (w9.terrain.cover-keywords, w9.terrain.area, w9.terrain.exposed-position)."""
    setup, found = g.setup, g.work.marks
    tables = g.models.rows, g.units.rows, setup.features, setup.corners
    obstacles: Array = np.array(obstacles_between(g, trait, model, target), np.int32)
    count = g.work.call(in_shelter, *tables, target, TAKES_COVER, int(trait), AREA, EXPOSED, obstacles, found)
    models: list[int] = found[:count].tolist()
    return models


def settle_cover(g: BattleCore, melee: bool) -> None:
    """Attacks were declared: which of them Dense Cover lies before, and which models make theirs apart."""
    jobs = g.jobs
    seen: dict[tuple[int, int, int], bool] = {}
    behind: dict[tuple[int, int], tuple[int, ...]] = {}
    alike: dict[tuple[int, int, int, tuple[int, ...]], int] = {}
    trait = Trait.HEAVY_COVER if melee else Trait.LIGHT_COVER
    for job in range(len(jobs.attacks)):
        if not jobs.attacks[job]:
            continue
        model, weapon, target = jobs.model[job], jobs.weapon[job], jobs.target[job]
        if not melee:
            key = (model, weapon, target)
            if key not in seen:
                seen[key] = dense(g, model, weapon, target)
            if seen[key]:
                jobs.near[job] |= DENSE
                if g.recorder is not None:
                    g.note("w9.terrain.dense-cover", "Dense Cover", model=model, target=target)
        if (model, target) not in behind:
            behind[model, target] = obstacles_between(g, trait, model, target)
        jobs.group[job] = alike.setdefault((weapon, target, jobs.near[job], behind[model, target]), job)


def take_cover(g: BattleCore, job: int, melee: bool) -> None:
    """Flag the models of the target that have the benefits of cover against a group of alike attacks (w9.terrain.light-cover,
    w9.terrain.heavy-cover)."""
    target = g.jobs.target[job]
    if g.setup.statics["weapon_abilities"][g.jobs.weapon[job]] & IGNORES_COVER:
        return  # w9.terrain.cover-ignored
    if melee and g.units.charged[target]:
        return  # w9.terrain.heavy-cover: models that made a charge move have none
    trait = Trait.HEAVY_COVER if melee else Trait.LIGHT_COVER
    models = in_cover(g, trait, g.jobs.model[job], target)
    for k in models:
        g.models.flags[k] |= COVERED
    if models and g.recorder is not None:
        rule = "w9.terrain.heavy-cover" if melee else "w9.terrain.light-cover"
        g.note(rule, "benefits of cover", target=target, models=models)
