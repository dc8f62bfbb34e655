"""Places of charges against a search that tries the ways one by one: it never finds more models in contact."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.outlines import SCENES, body_gaps
from oracles.outlines import placed as outlines
from oracles.wap_charges import Charge

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.charge.places import best_place, move_into_contact
from wh_env.rulesets.wap.charge.reach import sides_of_charge
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, pose

LOOKED_AT = max(6, SCENES // 20)  # a scene takes seconds
TABLE = (36.0, 36.0)


def random_scene(number: int) -> tuple[Battle, UnitHandle, UnitHandle, int, Charge] | None:
    """A charger, a target, up to three other units and a rock; None: they overlap."""
    rng = np.random.default_rng(number)
    scene = RegimentScene(TABLE, rules={"small_target": 0})

    def block(player: int, x: float, y: float, facing: float) -> tuple[UnitHandle, int, int]:
        files = int(rng.integers(1, 7))
        ranks = int(rng.integers(1, files + 1))
        return scene.unit(player, None, (x, y), facing=facing, models=files * ranks, files=files), files, ranks

    unit, files, ranks = block(0, 18 + rng.uniform(-3, 3), 6 + rng.uniform(0, 4), NORTH + rng.uniform(-0.5, 0.5))
    facing = SOUTH if rng.random() < 0.5 else float(rng.uniform(-6, 6))
    target, wide, deep = block(1, 18 + rng.uniform(-6, 6), 17 + rng.uniform(0, 6), facing)
    others = [
        block(int(rng.integers(0, 2)), 18 + rng.uniform(-9, 9), 8 + rng.uniform(0, 16), float(rng.uniform(-6, 6)))
        for _ in range(rng.integers(0, 4))
    ]
    obstacles = []
    if rng.random() < 0.4:
        x, y = rng.uniform(10, 26), rng.uniform(10, 20)
        w, h = rng.uniform(0.5, 3, 2)
        scene.area("impassable", x, y, x + w, y + h)
        obstacles.append((np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)]), 0.0))
    try:
        battle = scene.battle("movement", run=False)
    except ContentError:
        return None
    for other, f, r in others:
        polygon = outlines([[-r / 2, 0.0, r / 2, f / 2]], *pose(battle, other))[0, 0]
        obstacles.append((polygon, 0.01 if other.player else 0.0))
    body = np.array([[-ranks / 2, 0.0, ranks / 2, files / 2]])
    here = pose(battle, unit)
    obstacles = [(p, min(margin, float(body_gaps(body, *here, p)[0]))) for p, margin in obstacles]
    side = sides_of_charge(battle, unit.row, target.row)[0]
    return (
        battle,
        unit,
        target,
        side,
        Charge(here, files, ranks, pose(battle, target), wide, deep, side, obstacles, TABLE),
    )


@pytest.mark.rule("wap.charge.move.maximise", "wap.charge.unusual.avoid")
@pytest.mark.parametrize("number", range(LOOKED_AT))
def test_no_way_brings_more_models_into_contact(number: int) -> None:
    found = random_scene(number)
    if found is None:
        return
    battle, unit, target, side, charge = found
    place = best_place(battle, unit.row, [(target.row, side)])
    most = charge.most(0.8, 0.13)
    assert (0 if place is None or place.aligns else place.contacts) >= most
    if place is not None:
        move_into_contact(battle, unit.row, place, "wap.charge.move.contact")
        assert foes_of(battle, unit.row) == [target.row]
        if place.aligns is None:
            end = np.array([pose(battle, unit)])
            assert charge.free(end) == 1 and abs(place.way[1]) <= np.pi / 2 + 1e-6
