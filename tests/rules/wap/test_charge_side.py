"""Which side of the target is charged: where the charger stands when it declares."""

from __future__ import annotations

from math import pi

import pytest
from charging import HOLD, charge, over, react
from placing import charged

from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.charge.reach import side_charged, sides_of_charge
from wh_env.rulesets.wap.codes import FRONT, LEFT, QUARTERS, REAR, RIGHT
from wh_env.testing import choose, dice_left, kind, told
from wh_env.testing.wap import EAST, NORTH, SOUTH, WEST, RegimentScene, pose, square

# target facing north, x 21.5 .. 26.5, y 20 .. 24


@pytest.mark.rule("wap.charge.side.position")
@pytest.mark.parametrize(
    ("at", "facing", "side", "end"),
    [
        ((36.0, 22.0), WEST, RIGHT, (0, 26.5, WEST)),
        ((12.0, 22.0), EAST, LEFT, (0, 21.5, EAST)),
        ((24.0, 36.0), SOUTH, FRONT, (1, 24.0, SOUTH)),
        ((24.0, 10.0), NORTH, REAR, (1, 20.0, NORTH)),
    ],
)
def test_the_quarter_decides_the_side(
    at: tuple[float, float], facing: float, side: int, end: tuple[int, float, float]
) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, at, models=3, files=3, facing=facing)
    target = scene.unit(1, None, (24, 24), models=20, files=5, facing=NORTH)
    battle = scene.battle("movement")
    assert side_charged(battle, unit.row, target.row) == side
    charged(battle, unit, target)
    assert side_towards(battle, target.row, unit.row) == side
    axis, line, turned = end
    assert pose(battle, unit)[axis] == pytest.approx(line)
    assert pose(battle, unit)[2] % (2 * pi) == pytest.approx(turned % (2 * pi))


@pytest.mark.rule("wap.charge.side.timing")
def test_a_flank_charge_stays_one() -> None:
    """The side is what is handed on from the declaration: the same unit in the front arc by then comes to the flank."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (30.0, 32.0), models=3, files=3, facing=SOUTH)
    target = scene.unit(1, None, (24, 24), models=20, files=5, facing=NORTH)
    battle = scene.battle("movement")
    assert sides_of_charge(battle, unit.row, target.row) == (FRONT,)
    charged(battle, unit, target, RIGHT)
    assert side_towards(battle, target.row, unit.row) == RIGHT
    assert pose(battle, unit)[0] == pytest.approx(26.5)


@pytest.mark.rule("wap.charge.side.straddle")
@pytest.mark.parametrize(
    ("files", "x", "dice", "side"),
    [
        (5, 31.0, [], FRONT),  # centres 29 .. 33: three up to 31.5 ahead of the ray through (31.5, 29)
        (5, 32.0, [], RIGHT),  # two of them
        (4, 31.5, [3], FRONT),
        (4, 31.5, [4], RIGHT),
    ],
)
def test_most_of_the_front_rank_decides(files: int, x: float, dice: list[int], side: int) -> None:
    """The ray from the corner (26.5, 24) passes the centres of the front rank, at y = 29, between x = 31 and 32."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (x, 28.5), models=files, files=files, facing=SOUTH)
    target = scene.unit(1, None, (24, 24), models=20, files=5, facing=NORTH)
    battle = scene.battle("movement", run=False, dice=dice)
    assert side_charged(battle, unit.row, target.row) == side
    assert dice_left(battle) == 0
    assert bool(told(battle, "wap.charge.side.straddle")) is bool(dice)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.rule("wap.charge.side.timing")
def test_a_declared_charge_in_the_flank_stays_one_though_the_charger_is_in_front_by_then(turned: bool) -> None:
    """Declared from the right; then something turns the target, so that the charger is in its front quarter when the dice are rolled: it goes round to the flank."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=8), (32.0, 22.0), models=3, files=3, facing=WEST)
    other = scene.unit(0, None, (6, 6), models=5)
    target = scene.unit(1, None, (24, 24), models=20, files=5, facing=NORTH)
    decoy = scene.unit(1, None, (6, 12), models=5)
    battle = scene.battle("movement", detail="full", dice=[6, 6, 6, 6])
    charge(battle, unit, target)
    react(battle, HOLD)
    if kind(battle) == "declare-charge":
        charge(battle, other, decoy)
        react(battle, HOLD)
    over(battle)
    assert kind(battle) == "charge-order"  # everything is declared, nothing is moved
    if turned:
        set_block(battle, target.row, 24.0, 22.0, NORTH - pi / 3, 5)
        assert sides_of_charge(battle, unit.row, target.row) == (FRONT,)
    else:
        assert sides_of_charge(battle, unit.row, target.row) == (RIGHT,)
    choose(battle, "own", unit.number)
    while kind(battle) == "charge-place":
        choose(battle, "number", 0)
    assert foes_of(battle, unit.row) == [target.row]
    assert side_towards(battle, target.row, unit.row) == RIGHT


@pytest.mark.parametrize(("x", "side"), [(32.2, FRONT), (33.5, RIGHT)])
@pytest.mark.rule("wap.charge.side.timing")
def test_the_side_is_told_when_the_charge_is_declared(x: float, side: int) -> None:
    """Before the reaction, and whatever that is: most of the front rank on either side of the ray."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (x, 30.0), models=5, files=5, facing=SOUTH - pi / 5)
    target = scene.unit(1, None, (24, 24), models=20, files=5, facing=NORTH)
    battle = scene.battle("movement")
    charge(battle, unit, target)
    assert kind(battle) == "charge-reaction"
    assert [note["name"] for note in told(battle, "wap.charge.declare")] == [QUARTERS[side]]
    [row] = [k for k in range(len(battle.charges.unit)) if battle.charges.unit[k] == unit.row]
    assert battle.charges.side[row] == side
