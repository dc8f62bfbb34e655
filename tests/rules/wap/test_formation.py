"""The formation of a unit: ranks, files, facing, who is lost; what follows from a block."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.rulesets.wap.basics.blocks import derive, set_block
from wh_env.rulesets.wap.validity import underived
from wh_env.testing import slots
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, corners, places, ranks, square


def block(models: int, files: int, at: tuple[float, float] = (20.0, 20.0), **more: object) -> tuple[Battle, UnitHandle]:
    """A unit on bases of one inch that faces north."""
    scene = RegimentScene()
    unit = scene.unit(0, None, at, models=models, files=files, facing=NORTH, **more)  # type: ignore[arg-type]
    scene.unit(1, None, (40, 46))
    return scene.battle("movement"), unit


def footprint(battle: Battle, unit: UnitHandle) -> tuple[float, float, float, float]:
    """Least x, greatest x, least y, greatest y of a block."""
    x, y = np.array(corners(battle, unit)).T
    return tuple(round(float(v), 6) + 0.0 for v in (x.min(), x.max(), y.min(), y.max()))  # type: ignore[return-value]


@pytest.mark.rule("wap.core.unit.formation")
def test_models_stand_base_to_base_in_ranks_and_files() -> None:
    battle, unit = block(20, 5, (2.5, 4.0))
    assert footprint(battle, unit) == (0.0, 5.0, 0.0, 4.0)
    assert ranks(battle, unit) == [5, 5, 5, 5]
    assert {battle.models.facing[k] for k in battle.members(unit.row)} == {NORTH}
    expected = [(4.5 - file, 3.5 - rank) for rank in range(4) for file in range(5)]
    np.testing.assert_allclose(places(battle, unit), expected, atol=1e-9)
    assert not list(underived(battle))
    battle.models.x[unit.model(3)] += 0.1
    assert [fault.where for fault in underived(battle)] == ["models[3].x"]


@pytest.mark.rule("wap.core.unit.even-ranks")
def test_a_short_rear_rank_stands_in_the_middle() -> None:
    battle, unit = block(17, 5)
    assert ranks(battle, unit) == [5, 5, 5, 2]
    rear = places(battle, unit)[-2:]
    np.testing.assert_allclose(sorted(x for x, _ in rear), [19.5, 20.5], atol=1e-9)
    np.testing.assert_allclose([y for _, y in rear], [16.5, 16.5], atol=1e-9)


@pytest.mark.parametrize(("models", "files", "fine"), [(26, 5, False), (26, 6, True), (25, 5, True)])
@pytest.mark.rule("wap.core.unit.rank-limit")
def test_no_more_ranks_than_files(models: int, files: int, fine: bool) -> None:
    scene = RegimentScene(mission="battleline")
    scene.unit(0, None, models=models)
    scene.unit(1, None)
    battle = scene.battle("deployment", dice=[6, 1], detail="full")
    battle.apply(battle.setup.space.option)
    assert battle.decision is not None and battle.decision.kind == "deploy-files"
    assert (files - 1 in slots(battle, "number")) is fine
    if not fine:
        with pytest.raises(ContentError, match="no more ranks than files"):
            Battle.load("wap/open-skirmish", overrides={"armies": [army(models, files), "hills-patrol"]})


def army(models: int, files: int) -> dict[str, object]:
    return {
        "name": "one",
        "sheet": {"name": "one", "cards": {"men": square()}},
        "units": [{"card": "men", "models": models, "files": files}],
    }


@pytest.mark.rule("wap.core.unit.single-entity")
def test_a_unit_moves_as_one() -> None:
    """No decision moves fewer models than the unit has: who moves is a unit, and all its places go with its block."""
    battle, unit = block(10, 5)
    assert battle.decision is not None
    assert slots(battle, "own") == [0] and slots(battle, "model") == []
    before = np.array(places(battle, unit))
    battle.apply(battle.setup.space.own)
    battle.apply(battle.setup.space.option + 3)  # back
    assert slots(battle, "model") == []
    battle.apply(battle.setup.space.number + 5)
    np.testing.assert_allclose(np.array(places(battle, unit)) - before, np.tile([0.0, -1.5], (10, 1)), atol=1e-9)


def test_places_follow_whatever_the_pose() -> None:
    """What is derived is a rigid image of the block facing east at the origin."""
    chance = np.random.default_rng(1)
    for _ in range(50):
        models, files = int(chance.integers(1, 40)), int(chance.integers(1, 12))
        battle, unit = (
            block(models, max(1, min(files, models)), (24.0, 24.0), command=("champion",))
            if models > 1
            else block(1, 1)
        )
        set_block(battle, unit.row, 24.0, 24.0, 0.0, battle.units.files[unit.row])
        flat = np.array(places(battle, unit)) - 24.0
        turn = float(chance.uniform(-pi, pi))
        set_block(battle, unit.row, 20.0, 26.0, turn, battle.units.files[unit.row])
        c, s = np.cos(turn), np.sin(turn)
        np.testing.assert_allclose(places(battle, unit), flat @ np.array([[c, s], [-s, c]]) + (20.0, 26.0), atol=1e-9)
        derive(battle, unit.row)
        assert not list(underived(battle))
