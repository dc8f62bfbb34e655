"""Failed charges: towards the target by the highest die."""

from __future__ import annotations

from math import atan2, cos, pi, sin

import numpy as np
import pytest
from charging import FLEE, HOLD, charge, facing_off, over, react
from heroes import horse

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.charge.failed import fail_charge
from wh_env.testing import dice_left, kind, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, pose, square


@pytest.mark.rule("wap.charge.failed")
@pytest.mark.parametrize("dice", [[2, 5], [5, 2], [1, 1]])
def test_the_highest_die_without_the_movement(dice: list[int]) -> None:
    scene, unit, target = facing_off(9.8, card=square(m=4))
    battle = scene.battle("movement", dice=dice)
    charge(battle, unit, target)
    if kind(battle) == "charge-reaction":
        react(battle, HOLD)
    over(battle)
    assert told(battle, "wap.charge.failed")[-1]["far"] == max(dice)
    assert pose(battle, unit) == pytest.approx((24.0, 12.0 + max(dice), NORTH))


@pytest.mark.rule("wap.charge.failed.example")
def test_wheel_and_way_are_paid_from_the_die() -> None:
    """Four inches wide; the target stands aside: it wheels until that is straight ahead, and 3" are all there are."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=4), (24, 10), models=8, files=4)
    target = scene.unit(1, None, (28, 18), models=4, files=4)
    battle = scene.battle("movement", run=False)
    fail_charge(battle, unit.row, target.row, 3.0)
    x, y, f = pose(battle, unit)
    turned = NORTH - f
    assert 0.05 < turned < 0.5
    # about its right corner (26, 10)
    after = (26.0 - 2.0 * sin(f), 10.0 + 2.0 * cos(f))
    straight = (x - after[0]) * cos(f) + (y - after[1]) * sin(f)
    assert abs((y - after[1]) * cos(f) - (x - after[0]) * sin(f)) < 1e-6
    assert straight + 4.0 * turned == pytest.approx(3.0)
    assert told(battle, "wap.charge.failed")[-1]["far"] == pytest.approx(3.0, abs=0.01)
    assert atan2(18.0 - y, 26.0 - x) == pytest.approx(f, abs=1e-6)  # its front looks at the corner that was nearest


@pytest.mark.rule("wap.charge.failed.example")
def test_a_wheel_that_the_die_does_not_pay_is_not_finished() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(m=4), (24, 10), models=8, files=4)
    target = scene.unit(1, None, (36, 12), models=4, files=4)
    battle = scene.battle("movement", run=False)
    fail_charge(battle, unit.row, target.row, 2.0)
    assert NORTH - pose(battle, unit)[2] == pytest.approx(0.5)  # 2" by 4"


@pytest.mark.rule("wap.charge.failed")
@pytest.mark.parametrize("rock", [True, False])
def test_it_stops_an_inch_from_what_is_in_the_way(rock: bool) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(m=4), (24, 10), models=10, files=5)
    target = scene.unit(1, None, (24, 24), models=10, files=5)
    if rock:
        scene.area("impassable", 10.0, 14.0, 38.0, 15.0)
    else:
        scene.unit(0, None, (24, 15), models=30, files=30)
    battle = scene.battle("movement", run=False)
    fail_charge(battle, unit.row, target.row, 6.0)
    assert pose(battle, unit)[1] == pytest.approx(13.0, abs=1e-4)


@pytest.mark.rule("wap.charge.failed")
def test_it_wheels_round_what_is_in_the_way() -> None:
    """A rock straight ahead that a wheel avoids: it comes nearer than it would straight on."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=4), (24, 10), models=4, files=2)
    target = scene.unit(1, None, (24, 24), models=10, files=5)
    scene.area("impassable", 24.5, 13.5, 26.0, 14.5)
    battle = scene.battle("movement", run=False)
    fail_charge(battle, unit.row, target.row, 6.0)
    x, y, f = pose(battle, unit)
    assert y > 12.6 and 0.0 < f - NORTH < 0.5 * pi
    assert x < 24.0


@pytest.mark.rule("wap.charge.failed", "wap.terrain.dangerous.test")
@pytest.mark.parametrize("player", [0, 1])
def test_whose_target_is_gone_tests_for_the_ground_that_it_crosses(player: int) -> None:
    """The enemy flees over the edge of the table; five knights go 6 and 1 inches straight on, through a wood."""
    scene, forth = RegimentScene(), 1.0 if player == 0 else -1.0
    at = 33.0 if player == 0 else 15.0
    unit = scene.unit(player, horse(), (24, at), models=5, files=5)
    foe = scene.unit(1 - player, None, (24, at + 10 * forth), models=10, files=5)
    scene.unit(1 - player, None, (4, 24), models=5)
    low, high = sorted((at + 2 * forth, at + 4 * forth))
    scene.area("forest", 0, low, 48, high)
    battle = scene.battle("movement", player=player, dice=[6, 6, 6, 1, 1, 1, 2, 2, 2, 2])
    charge(battle, unit, foe)
    react(battle, FLEE)
    over(battle)
    assert battle.units.place[foe] == DESTROYED and dice_left(battle) == 0
    assert pose(battle, unit)[1] == pytest.approx(at + 7 * forth)
    tests = [row["dice"] for row in told(battle, "wap.terrain.dangerous.test") if row["unit"] == unit.row]
    assert tests == [(1, 2, 2, 2, 2)] and battle.units.alive[unit] == 4


# ---------------------------------------------------------------- towards the middle of something

AWRY = atan2(8.0, 6.0)  # the direction from (0, 0) to (6, 8)


def towards(player: int, building: bool) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A block of 4 models with its middle at (10, 10), and enemies, in the open or in a building, with the middle of
    what they stand in 6 inches farther along the table and 8 across it. For player 1 the table is turned by half a turn.
    """
    scene, turned = RegimentScene(), pi * player

    def there(x: float, y: float) -> tuple[float, float]:
        return (x, y) if player == 0 else (48.0 - x, 48.0 - y)

    c, s = cos(AWRY), sin(AWRY)
    unit = scene.unit(player, square(m=3), there(10.0 + c, 10.0 + s), models=4, files=2, facing=AWRY + turned)
    if building:
        house = [(16.0 + a * c - b * s, 18.0 + a * s + b * c) for a, b in ((-0.5, -1), (0.5, -1), (0.5, 1), (-0.5, 1))]
        scene.feature("building", [there(*corner) for corner in house], storeys=2)
        foe = scene.unit(1 - player, None, models=10, garrison=0)
    else:
        foe = scene.unit(
            1 - player, None, there(16.0 - 0.5 * c, 18.0 - 0.5 * s), models=2, files=2, facing=AWRY + pi + turned
        )
    other = scene.unit(player, None, there(44.0, 3.0), models=5)  # the battle waits for its move
    return scene.battle("movement", player=player, dice=[2, 5]), unit, foe, other


def middle_of(battle: Battle, unit: UnitHandle) -> tuple[float, float]:
    """The mean place of a unit's models, as its player sees the table."""
    m, rows = battle.models, list(battle.members(unit.row))
    x, y = (float(np.mean([column[k] for k in rows])) for column in (m.x, m.y))
    return (x, y) if unit.player == 0 else (48.0 - x, 48.0 - y)


@pytest.mark.rule("wap.core.measure.move-toward")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("building", [True, False])
def test_a_unit_moves_along_the_line_from_its_middle_to_another(player: int, building: bool) -> None:
    """A failed charge of 5 inches: 3 along the table and 4 across it."""
    battle, unit, foe, _ = towards(player, building)
    assert middle_of(battle, unit) == pytest.approx((10.0, 10.0), abs=1e-4)
    charge(battle, unit, foe)
    if kind(battle) == "charge-reaction":
        react(battle, HOLD)
    over(battle)
    assert told(battle, "wap.charge.failed")[-1]["far"] == 5.0
    assert middle_of(battle, unit) == pytest.approx((13.0, 14.0), abs=1e-4)
