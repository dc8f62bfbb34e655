"""The Curse of Anraheir: terrain that is dangerous to a unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from charging import HOLD, charge, over, react
from enchanting import Rite, cast, end_magic, until

from wh_env import Battle
from wh_env.rulesets.wap.casualties.dangerous_ground import dangerous_wounds
from wh_env.testing import kind, told
from wh_env.testing.play import script
from wh_env.testing.wap import UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
RULE = "wap.terrain.dangerous.test"
CALM = "Immunity (Psychology)"
MAN = square(rules=[CALM])
TEN = [1, 1, 2, 3, 4, 5, 6, 3, 4, 5]


def charged(
    ground: str,
    rolls: Sequence[int],
    *,
    owner: int = 0,
    cursed: bool = True,
    card: dict[str, Any] | None = None,
    **fields: Any,
) -> tuple[Battle, UnitHandle]:
    """Ten cursed infantry charge through ground in their turn; ``rolls``: the dice of their tests."""
    rite = Rite("beasts", owner)
    target = rite.own(square(rules=[CALM]), (24, 15), models=20, files=5)
    unit = rite.enemy(card or MAN, (24, 21), models=10, files=5)
    rite.enemy(None, (44, 44), models=5)  # it keeps the phase from going on
    low, high = sorted(rite.there((0, y))[1] for y in ((3, 22) if ground == "hill" else (16.5, 19.5)))
    rite.scene.area(ground, 0, low, 48, high, **fields)
    battle = rite.battle()
    if cursed:
        cast(battle, "Anraheir", unit, 9)
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] != owner and kind(b) == "declare-charge")
    battle.events.clear()
    script(battle, [6, 6, *rolls])
    charge(battle, unit, target)
    react(battle, HOLD)
    over(battle)
    return battle, unit


def dice_of(battle: Battle, unit: UnitHandle) -> list[tuple[int, ...]]:
    """The dice of the unit's tests, feature by feature."""
    return [event["dice"] for event in told(battle, RULE) if event["unit"] == unit.row]


@OWNERS
@pytest.mark.rule("wap.lore.beasts.curse-of-anraheir.terrain")
@pytest.mark.parametrize("ground", ["forest", "marsh", "river"])
def test_the_cursed_test_in_all_terrain_and_fail_on_a_two(owner: int, ground: str) -> None:
    """Two 1s and a 2 among ten dice: three models are lost, without armour saves."""
    battle, unit = charged(ground, TEN, owner=owner, card=square(rules=[CALM], equipment=["full plate armour"]))
    assert dice_of(battle, unit) == [tuple(TEN)] and battle.units.alive[unit] == 7


@pytest.mark.rule("wap.lore.beasts.curse-of-anraheir.terrain")
@pytest.mark.parametrize(("ground", "cursed"), [("hill", True), ("forest", False)])
def test_open_ground_stays_open_and_the_others_go_through_forests(ground: str, cursed: bool) -> None:
    battle, unit = charged(ground, [], cursed=cursed)
    assert dice_of(battle, unit) == [] and battle.units.alive[unit] == 10


@pytest.mark.rule("wap.lore.beasts.curse-of-anraheir.terrain")
def test_ground_at_which_a_unit_is_at_home_is_open_ground() -> None:
    battle, unit = charged("forest", [], card=square(rules=[CALM, "Strider (Forest)"]))
    assert dice_of(battle, unit) == []


@OWNERS
@pytest.mark.rule("wap.lore.beasts.curse-of-anraheir.terrain")
def test_all_dangerous_terrain_tests_fail_on_a_two(owner: int) -> None:
    """Also those of units that flee through enemies. After the spell only 1s do."""
    rite = Rite("beasts", owner)
    unit = rite.enemy(MAN, (24, 21), models=10)
    battle = rite.battle()
    script(battle, [1, 2, 3])
    assert dangerous_wounds(battle, unit.row, 3) == 1
    cast(battle, "Anraheir", unit, 9)
    script(battle, [1, 2, 3])
    assert dangerous_wounds(battle, unit.row, 3) == 2
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] != owner)
    until(battle, lambda b: b.clock.turn[0] == owner and kind(b) == "cast-by")
    script(battle, [1, 2, 3])
    assert dangerous_wounds(battle, unit.row, 3) == 1
