"""Tests on a characteristic: a model's and a unit's best value counts (``test_unit_tests.py`` has the rest)."""

from __future__ import annotations

import pytest
from heroes import HORSE, hero, horse

from wh_env.rulesets.wap.basics.characteristic_tests import characteristic_test, unit_characteristic_test
from wh_env.testing import dice_left, told
from wh_env.testing.wap import RegimentScene, square

RULE = "wap.core.chartest.roll"
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])


@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("rider", "mount", "die", "passes"),
    [(3, 4, 4, True), (4, 3, 4, True), (3, 4, 5, False), (8, 8, 6, False), (0, 1, 1, True)],
)
def test_rider_and_mount_test_on_the_higher_value(player: int, rider: int, mount: int, die: int, passes: bool) -> None:
    scene = RegimentScene()
    unit = scene.unit(player, horse(i=rider, mount={**HORSE, "i": mount}), (24, 20), models=5)
    scene.unit(1 - player, None, (4, 40))
    battle = scene.battle("movement", run=False, dice=[die, die])
    line = battle.models.line[unit.model()]
    assert characteristic_test(battle, line, "i", RULE) is passes
    assert unit_characteristic_test(battle, unit.row, "i", RULE) is passes


@BOTH_PLAYERS
def test_a_unit_tests_once_on_the_best_value_in_it(player: int) -> None:
    """Ten men of Strength 3 and a character of 5: the unit passes on a 5, a man by himself does not, nor does the unit
    without the character."""
    scene = RegimentScene()
    unit = scene.unit(player, square(), (24, 20), models=10, files=5)
    lord = scene.unit(player, hero(s=5), inside=unit, models=1, post=2)
    alone = scene.unit(player, square(), (36, 20), models=10, files=5)
    scene.unit(1 - player, None, (4, 40))
    battle = scene.battle("movement", run=False, dice=[5] * 4)
    assert unit_characteristic_test(battle, unit.row, "s", RULE)
    assert not unit_characteristic_test(battle, alone.row, "s", RULE)
    assert not characteristic_test(battle, battle.models.line[unit.model()], "s", RULE)
    assert characteristic_test(battle, battle.models.line[lord.model()], "s", RULE)
    assert dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.core.chartest.each-model")
def test_where_each_model_tests_each_has_its_own_value(player: int) -> None:
    """Strength 3 and dice of 4, 4 and 2; a character of Strength 5 in the unit, and a 5."""
    scene = RegimentScene()
    unit = scene.unit(player, square(s=3), (24, 20), models=3, files=3)
    lord = scene.unit(player, hero(s=5), inside=unit, models=1, post=1)
    scene.unit(1 - player, None, (4, 40))
    battle = scene.battle("movement", run=False, dice=[4, 4, 2, 5])
    lines = [battle.models.line[k] for k in (*(unit.model(n) for n in range(3)), lord.model())]
    assert [characteristic_test(battle, line, "s", RULE) for line in lines] == [False, False, True, True]
    assert dice_left(battle) == 0
    tests = told(battle, RULE)
    assert [(test["unit"], test["die"]) for test in tests] == [
        (unit.row, 4),
        (unit.row, 4),
        (unit.row, 2),
        (lord.row, 5),
    ]


@BOTH_PLAYERS
def test_beasts_do_not_test_on_their_masters(player: int) -> None:
    scene = RegimentScene()
    master = square(s=5)
    masters = {name: master[name] for name in ("base_mm", "profile")} | {"number": 1}
    beasts = square(type="war beast", s=3, rules=["Mixed Unit"], masters=masters)
    pack = scene.unit(player, beasts, (24, 20), models=5, files=5)
    scene.unit(player, master, inside=pack, models=1, drives=True)
    scene.unit(1 - player, None, (4, 40))
    battle = scene.battle("movement", run=False, dice=[5, 3])
    assert not unit_characteristic_test(battle, pack.row, "s", RULE)
    assert unit_characteristic_test(battle, pack.row, "s", RULE)


@BOTH_PLAYERS
def test_who_has_none_of_it_fails_without_a_die(player: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(player, square(i=0), (24, 20), models=5)
    scene.unit(1 - player, None, (4, 40))
    battle = scene.battle("movement", run=False, dice=[1])
    assert not characteristic_test(battle, battle.models.line[unit.model()], "i", RULE)
    assert not unit_characteristic_test(battle, unit.row, "i", RULE) and dice_left(battle) == 1
