"""Templates and shots of war machines against placements that are clipped and sampled (``oracles.wap_templates``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import pi
from typing import Any

import numpy as np
import pytest
from oracles.wap_templates import base, disc, drop, lying_under, overlap, scattered, stripe

from tests.machine_scenes import Range
from wh_env import Battle
from wh_env.content.wap.machine_odds import shelling
from wh_env.rulesets.wap.shooting.cannonballs import on_the_way
from wh_env.rulesets.wap.shooting.machine_ways import DIRECT, INDIRECT, fires, takes_aim, throw_for
from wh_env.rulesets.wap.shooting.templates import FLAME, ROUND, beneath_disc, beneath_flame
from wh_env.testing.wap import RegimentScene, square

SURE = 1e-4  # square inches: less is a matter of rounding
SHOTS = 300
STONES = "wap.machine.stone-thrower.other-hits"


def crowd(seed: int) -> tuple[Battle, list[Any]]:
    """Some units at random, and the outlines of all their bases."""
    rng, scene, taken = np.random.default_rng(seed), RegimentScene(), list[tuple[float, float]]()
    while len(taken) < 6:
        x, y = rng.uniform(8, 40, 2)
        if all(np.hypot(x - a, y - b) > 7 for a, b in taken):
            taken.append((x, y))
            size = float(rng.choice([20, 25, 40]))
            card = square(base_mm=[size, size], type="infantry" if size < 40 else "monstrous infantry")
            models = int(rng.integers(4, 12))
            scene.unit(len(taken) % 2, card, (x, y), models=models, files=min(models, 4), facing=rng.uniform(0, 2 * pi))
    battle = scene.battle("movement", run=False)
    m = battle.models
    rows = range(len(m.x))
    return battle, [base(m.x[k], m.y[k], m.facing[k], m.half_a[k], m.half_b[k]) for k in rows]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.rule("wap.core.template.hit")
def test_bases_under_templates_by_clipping(seed: int) -> None:
    battle, bases = crowd(seed)
    rng = np.random.default_rng(100 + seed)
    checked = 0
    for _ in range(25):
        x, y, f = rng.uniform(8, 40), rng.uniform(8, 40), rng.uniform(0, 2 * pi)
        for found, template in (
            (beneath_disc(battle, x, y, ROUND["small"]), disc(x, y, 1.5)),
            (beneath_disc(battle, x, y, ROUND["large"]), disc(x, y, 2.5)),
            (beneath_flame(battle, x, y, f), drop(x, y, f, 8.0, FLAME.radius)),
        ):
            shared = [overlap(corners, template) for corners in bases]
            assert {k for k, area in enumerate(shared) if area > SURE} <= set(found)
            assert all(near(bases[k], template) for k in found)
            checked += len(found)
    assert checked > 30


def near(corners: Any, template: Any) -> bool:
    """Whether a base that is a trifle larger is touched."""
    middle = np.mean(corners, axis=0)
    return bool(lying_under([middle + (corners - middle) * 1.01], template))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.rule("wap.core.template.line")
def test_a_line_takes_one_of_each_rank_that_it_crosses(seed: int) -> None:
    battle, bases = crowd(seed)
    rng, m = np.random.default_rng(200 + seed), battle.models
    place = Range()
    assert place.machine.row == 0
    crossed = 0
    for _ in range(40):
        x, y, f = rng.uniform(8, 40), rng.uniform(8, 40), rng.uniform(0, 2 * pi)
        under = lying_under(bases, stripe(x, y, f, 10.0))
        direct = -1
        found = on_the_way(battle, 0, x, y, f, 10.0, direct)
        assert set(found) <= set(under)
        for unit in {m.unit[k] for k in under}:
            mine, taken = [k for k in under if m.unit[k] == unit], [k for k in found if m.unit[k] == unit]
            by_rank, by_file = {m.rank[k] for k in mine}, {m.file[k] for k in mine}
            assert len(taken) in (len(by_rank), len(by_file))
            assert len({m.rank[k] for k in taken}) == len(taken) or len({m.file[k] for k in taken}) == len(taken)
            crossed += len(taken)
    assert crossed > 5


# ---------------------------------------------------------------- many shots


def fired(place: Range, way: int, target: int, x: float, y: float) -> Iterator[Callable[[str], list[dict[str, Any]]]]:
    """Fire many times at (x, y) on a unit from the same position; yields for each shot what was told by a rule."""
    battle = place.battle()
    target = battle.players.first_unit[1]
    start = battle.clone()
    for seed in range(SHOTS):
        battle.copy_from(start, seed)
        before = len(battle.events)
        assert takes_aim(battle, place.machine.row, target, x, y)
        fires(battle, place.machine.row, way, x, y, throw_for(battle, place.machine.row))
        told = battle.events[before:]
        yield lambda rule, told=told: [event.data for event in told if event.rule == rule]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("weapon", "way"), [("stone thrower", DIRECT), ("stone thrower", INDIRECT), ("cannon", DIRECT)]
)
@pytest.mark.rule("wap.core.dice.scatter", "wap.core.dice.artillery")
def test_a_third_hits_a_sixth_misfires_and_the_mean_is_that_of_sampled_placements(weapon: str, way: int) -> None:
    place, is_stone = Range(0, weapon), weapon == "stone thrower"
    target = place.enemy(None, (34, 24), models=20, files=5)
    x, y = (36.0, 24.0) if is_stone else (34.5, 24.0)
    struck, hits, misfires = list[int](), 0, 0
    for told in fired(place, way, target.row, x, y):
        landed = told("wap.machine.stone-thrower.scatter" if is_stone else "wap.machine.cannon.deviation")
        misfires += not landed
        hits += sum(event["passed"] for event in landed)
        if is_stone:
            struck += [event["amount"] + (event["model"] >= 0) for event in told(STONES)] or [0]
        else:
            struck.append(len(told("wap.machine.cannon.damage")))
    rng, m = np.random.default_rng(7), place.battle(run=False).models
    rows = range(target.first, target.first + 20)
    bases = [base(m.x[k], m.y[k], m.facing[k], m.half_a[k], m.half_b[k]) for k in rows]
    expected = [sampled(rng, is_stone, way, x, y, bases, [m.rank[k] for k in rows]) for _ in range(1000)]
    deviation = np.std(expected) * (1 / len(struck) + 1 / len(expected)) ** 0.5
    assert abs(np.mean(struck) - np.mean(expected)) < 4 * deviation
    landed_shots = SHOTS - misfires
    assert abs(misfires - SHOTS / 6) < 4 * (SHOTS * 5 / 36) ** 0.5
    assert abs(hits - landed_shots / 3) < 4 * (landed_shots * 2 / 9) ** 0.5


def sampled(
    rng: np.random.Generator, is_stone: bool, way: int, x: float, y: float, bases: list[Any], ranks: list[int]
) -> int:
    """The models that one shot strikes, by clipping."""
    skill = 3 if way == INDIRECT else None
    landed = scattered(rng, x, y, 1.0 if is_stone else 0.5, skill)
    if landed is None:
        return 0
    if is_stone:
        return len(lying_under(bases, disc(*landed, 1.5)))
    bounce = 2.0 * (rng.integers(6) + 1)
    direct = lying_under(bases, disc(*landed, 1e-6))
    if bounce == 12:
        return min(1, len(direct))
    facing = float(np.arctan2(landed[1] - 24.0, landed[0] - 10.0))
    return len({ranks[k] for k in [*direct[:1], *lying_under(bases, stripe(*landed, facing, bounce))]})


@pytest.mark.parametrize(
    ("weapon", "card"), [("stone thrower", "spearmen"), ("cannon", "warriors"), ("cannon", "crag trolls")]
)
@pytest.mark.rule("wap.core.dice.scatter")
def test_the_odds_of_a_shot_are_those_of_many_shots(weapon: str, card: str) -> None:
    """The chances and the mean of ``machine_odds`` against shots of the battle."""
    models, files = (9, 3) if card == "crag trolls" else (20, 5)
    odds = shelling(weapon, card, models=models, files=files).odds[weapon]
    assert odds.lost.sum() == pytest.approx(1.0) and odds.misfire == pytest.approx(1 / 6)
    place, is_stone = Range(0, weapon), weapon == "stone thrower"
    front = 34 - (1.5 if is_stone else 0.0)  # 24 inches from muzzle or arm
    target = place.enemy(card, (front, 24), models=models, files=files)
    half = place.battle(run=False).models.half_a[target.first]
    x = front + half * (-(-models // files) if is_stone else 1)
    lost = [
        sum(event["amount"] for event in told("wap.shoot.sequence") if event["target"] == target.row)
        for told in fired(place, DIRECT, target.row, x, 24.0)
    ]
    numbers = np.arange(len(odds.lost))
    deviation = (float(odds.lost @ numbers**2) - odds.mean**2) ** 0.5 / SHOTS**0.5
    assert abs(np.mean(lost) - odds.mean) < 4 * deviation
    nothing = odds.lost[0]
    assert abs(lost.count(0) / SHOTS - nothing) < 4 * (nothing * (1 - nothing) / SHOTS) ** 0.5
