"""Swiftstride: dice of charges, flights and pursuits."""

from __future__ import annotations

import pytest
from charging import HOLD, charge, chargers, facing_off, react

from wh_env import Battle
from wh_env.core.tables import ATTACHED
from wh_env.rulesets.wap.special.stride import charge_roll, farthest_charge, flight_roll
from wh_env.testing import dice_left, told
from wh_env.testing.play import script
from wh_env.testing.wap import RegimentScene, UnitHandle, pose, square


def runner(movement: int, *, rules: list[str] | None = None, **numbers: object) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene(rules=numbers or None)
    unit = scene.unit(0, square(m=movement, rules=["Swiftstride"] if rules is None else rules), (24, 12), models=3)
    scene.unit(1, None, (24, 40))
    return scene.battle("movement", run=False), unit


def charges(battle: Battle, unit: UnitHandle, dice: list[int]) -> tuple[float, float]:
    """How far it charges with these dice, and how far it goes if that is not enough; all of them are rolled."""
    script(battle, dice)
    roll = charge_roll(battle, unit.row)
    assert roll.dice == tuple(dice) and dice_left(battle) == 0
    return roll.reaches, roll.falls_short


def flees(battle: Battle, unit: UnitHandle, dice: list[int]) -> int:
    script(battle, dice)
    far = flight_roll(battle, unit.row)
    assert dice_left(battle) == 0
    return far


@pytest.mark.parametrize("dice", [[2, 4, 6], [6, 2, 4], [4, 6, 2]])
@pytest.mark.rule("wap.special.swiftstride.fast")
def test_movement_7_or_more(dice: list[int]) -> None:
    battle, unit = runner(8)
    assert charges(battle, unit, dice) == (18.0, 10.0)
    assert flees(battle, unit, dice) == 12
    battle, unit = runner(7)
    assert charges(battle, unit, dice) == (17.0, 10.0)
    assert farthest_charge(battle, unit.row) == 19.0


@pytest.mark.rule("wap.special.swiftstride.slow")
def test_movement_6_or_less() -> None:
    battle, unit = runner(6)
    assert charges(battle, unit, [3, 5]) == (14.0, 8.0)
    assert flees(battle, unit, [2, 3, 5]) == 8
    assert farthest_charge(battle, unit.row) == 18.0
    battle, unit = runner(4)
    assert charges(battle, unit, [3, 5]) == (12.0, 8.0)


@pytest.mark.rule("wap.special.swiftstride.minimum")
def test_below_movement_4_it_is_of_no_use() -> None:
    battle, unit = runner(3)
    assert charges(battle, unit, [3, 5]) == (8.0, 5.0)
    assert flees(battle, unit, [3, 5]) == 8 and farthest_charge(battle, unit.row) == 9.0


@pytest.mark.parametrize(("joins", "dice"), [(True, (11.0, 5.0)), (False, (14.0, 8.0))])
@pytest.mark.rule("wap.special.swiftstride.whole-unit")
def test_every_model_has_it(joins: bool, dice: tuple[float, float]) -> None:
    """Somebody without it who has joined three ogres takes it from them; one who is no longer alive does not."""
    scene = RegimentScene()
    ogres = scene.unit(
        0,
        {"type": "monstrous infantry", "base_mm": [40, 40], "points": 40, "profile": square(m=6)["profile"]},
        (24, 12),
        models=3,
    )
    friend = scene.unit(0, square(m=6), models=1)
    scene.unit(1, None, (24, 40))
    battle = scene.battle("movement", run=False)
    battle.units.place[friend] = ATTACHED
    battle.units.bodyguard[friend] = ogres.row
    if not joins:
        battle.units.alive[friend] = 0
    assert charges(battle, ogres, [3, 5]) == dice


@pytest.mark.parametrize(("movement", "dice", "far"), [(8, [2, 4, 6], 10), (6, [2, 5], 7)])
@pytest.mark.rule("wap.special.swiftstride.fast", "wap.special.swiftstride.slow")
def test_a_group_may_play_by_the_table(movement: int, dice: list[int], far: int) -> None:
    battle, unit = runner(movement, swift_flight="table")
    assert flees(battle, unit, dice) == far


@pytest.mark.rule("wap.special.random-movement.dice")
def test_dice_in_place_of_a_movement_go_before_it() -> None:
    battle, unit = runner(8, rules=["Swiftstride", "Random Movement (3D6)"])
    assert flees(battle, unit, [6, 5, 4]) == 15


def test_who_is_not_swift() -> None:
    battle, unit = runner(8, rules=[])
    assert charges(battle, unit, [2, 5]) == (13.0, 5.0) and flees(battle, unit, [6, 5]) == 11


@pytest.mark.parametrize(("gap", "may"), [(19.9, True), (20.1, False)])
@pytest.mark.rule("wap.special.swiftstride.fast")
def test_cavalry_charges_from_afar(gap: float, may: bool) -> None:
    """M8: 20" at most; a charge that fails goes by the two highest dice."""
    scene, unit, foe = facing_off(gap, card=square(m=8, rules=["Swiftstride"]))
    battle = scene.battle("movement", dice=[1, 4, 2])
    assert chargers(battle) == ([unit.number] if may else [])
    if may:
        charge(battle, unit, foe)
        react(battle, HOLD)
        assert told(battle, "wap.charge.distance")[0]["dice"] == (1, 4, 2)
        assert pose(battle, unit)[1] == pytest.approx(18.0)
