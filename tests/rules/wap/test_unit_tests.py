"""Tests on a characteristic that a unit takes together, what counts as its characteristic then, and special rules that
it gains while it fights.
"""

from __future__ import annotations

from typing import Any

import pytest
from heroes import HORSE, hero, horse

from wh_env import Battle
from wh_env.rulesets.wap.basics.characteristic_tests import unit_characteristic_test
from wh_env.rulesets.wap.basics.effects import Effect, On, begin_effect, end_effect, rows_in_use
from wh_env.rulesets.wap.morale.leadership import leadership_test
from wh_env.rulesets.wap.rule_book import HATRED
from wh_env.testing import dice_left, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, fight_again, square

RULE = "wap.core.chartest.roll"
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])


def scene_of(
    player: int, card: dict[str, Any], *, models: int = 5, effects: Any = ()
) -> tuple[RegimentScene, UnitHandle]:
    """A unit, and an enemy far away."""
    scene = RegimentScene(effects=effects)
    unit = scene.unit(player, card, (24, 20), models=models, files=min(5, models))
    scene.unit(1 - player, None, (4, 40))
    return scene, unit


def passes(battle: Battle, unit: UnitHandle, name: str, die: int, modifier: int = 0) -> bool:
    """Whether the unit passes with this die, which is used up."""
    script(battle, [die])
    passed = unit_characteristic_test(battle, unit.row, name, RULE, modifier)
    assert dice_left(battle) == 0
    return passed


@BOTH_PLAYERS
@pytest.mark.rule("wap.core.chartest.roll")
def test_the_characteristic_or_less(player: int) -> None:
    scene, unit = scene_of(player, square(i=3))
    battle = scene.battle("movement", run=False)
    assert [passes(battle, unit, "i", die) for die in (1, 2, 3, 4, 5, 6)] == [True] * 3 + [False] * 3
    assert told(battle, RULE)[3] == {"unit": unit.row, "die": 4, "passed": False}


@BOTH_PLAYERS
@pytest.mark.rule("wap.core.chartest.scope")
def test_the_rule_names_the_characteristic(player: int) -> None:
    """A Toughness test of Toughness 3 and Initiative 5 fails on a 4; on Leadership two dice are rolled."""
    scene, unit = scene_of(player, square(t=3, i=5, ld=7))
    battle = scene.battle("movement", run=False)
    assert not passes(battle, unit, "t", 4) and passes(battle, unit, "i", 4)
    with pytest.raises(ValueError, match="'ld'; expected a characteristic other than Leadership"):
        unit_characteristic_test(battle, unit.row, "ld", RULE)
    script(battle, [3, 4])
    assert leadership_test(battle, unit.row, "wap.break.test") and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.parametrize(("rider", "mount"), [(3, 4), (4, 3)])
@pytest.mark.rule("wap.core.chartest.multiple-values")
def test_rider_and_mount_test_on_the_higher(player: int, rider: int, mount: int) -> None:
    scene, unit = scene_of(player, horse(i=rider, mount={**HORSE, "i": mount}))
    battle = scene.battle("movement", run=False)
    assert passes(battle, unit, "i", 4) and not passes(battle, unit, "i", 5)


@BOTH_PLAYERS
@pytest.mark.rule("wap.core.chartest.unit")
def test_one_die_against_the_best_value(player: int) -> None:
    scene, unit = scene_of(player, square(s=3), models=10)
    scene.unit(player, hero(s=5), inside=unit, models=1, post=2)
    battle = scene.battle("movement", run=False)
    assert passes(battle, unit, "s", 5)
    scene, unit = scene_of(player, square(s=3), models=10)
    assert not passes(scene.battle("movement", run=False), unit, "s", 5)


@BOTH_PLAYERS
@pytest.mark.rule("wap.core.chartest.natural")
def test_a_six_fails_and_a_one_passes_whatever_the_modifier(player: int) -> None:
    scene, unit = scene_of(player, square(t=8, i=1))
    battle = scene.battle("movement", run=False)
    assert not passes(battle, unit, "t", 6) and not passes(battle, unit, "t", 6, -3) and passes(battle, unit, "t", 5)
    assert passes(battle, unit, "i", 1, 3) and not passes(battle, unit, "i", 2, 3) and passes(battle, unit, "i", 3, -2)


@BOTH_PLAYERS
@pytest.mark.rule("wap.core.chartest.zero")
def test_a_unit_that_has_none_of_it_fails_without_a_die(player: int) -> None:
    scene, unit = scene_of(player, square(i=0))
    battle = scene.battle("movement", run=False)
    script(battle, [1])
    assert not unit_characteristic_test(battle, unit.row, "i", RULE) and dice_left(battle) == 1


# ---------------------------------------------------------------- what counts


@BOTH_PLAYERS
@pytest.mark.rule("wap.profile.modified")
def test_a_changed_characteristic_counts_while_the_change_lasts(player: int) -> None:
    quick = Effect("Quick", On.UNIT, changes=(("i", 1),))
    scene, unit = scene_of(player, square(i=3), effects=(quick,))
    battle = scene.battle("movement", run=False)
    assert not passes(battle, unit, "i", 4)
    assert begin_effect(battle, 0, unit.row, player)
    assert passes(battle, unit, "i", 4) and not passes(battle, unit, "i", 5)
    for k in list(rows_in_use(battle)):
        end_effect(battle, k)
    assert not passes(battle, unit, "i", 4) and passes(battle, unit, "i", 3)


def needed_to_wound(battle: Battle, unit: UnitHandle) -> set[int]:
    """What the unit's blows have needed to wound."""
    notes = [event.data for event in battle.events if event.kind == "to wound"]
    return {note["needed"] for note in notes if note["unit"] == unit.row}


@BOTH_PLAYERS
@pytest.mark.rule("wap.profile.weapons-exempt")
def test_a_weapon_makes_hits_stronger_but_nobody_passes_a_test_by_it(player: int) -> None:
    """A great weapon adds 2 to Strength 3 in the first round: it wounds Toughness 5 on a 4, as Strength 5 does; a
    Strength test fails on a 4."""
    scene = RegimentScene()
    unit = scene.unit(player, square(s=3, i=9, equipment=["great weapon"]), (24, 24), models=5, files=5)
    scene.beside(unit, 1 - player, square(t=5), models=5, files=5)
    battle = scene.battle("combat", run=False)
    assert not passes(battle, unit, "s", 4) and passes(battle, unit, "s", 3)
    script(battle, [6] * 5 + [1] * 25)
    fight(battle, unit)
    assert needed_to_wound(battle, unit) == {4}


@BOTH_PLAYERS
@pytest.mark.rule("wap.weapon.general.only-when-used")
def test_halberdiers_test_on_their_own_strength(player: int) -> None:
    """Their halberds wound Toughness 4 on a 4, as Strength 4 does; with hand weapons they would need a 5."""
    scene = RegimentScene()
    unit = scene.unit(player, square(s=3, i=9, equipment=["halberd (polearm)"]), (24, 24), models=5, files=5)
    scene.beside(unit, 1 - player, square(t=4), models=5, files=5)
    battle = scene.battle("combat", run=False)
    assert passes(battle, unit, "s", 3) and not passes(battle, unit, "s", 4)
    script(battle, [6] * 5 + [1] * 25)
    fight(battle, unit)
    assert needed_to_wound(battle, unit) == {4}


# ---------------------------------------------------------------- gained in a combat


@BOTH_PLAYERS
@pytest.mark.rule("wap.special.hatred.gained-late")
def test_hatred_that_comes_late_has_its_first_round_then(player: int) -> None:
    """Five attacks that need a 4. In the third round the unit has come to hate: 1, 1 and 3 are rolled again. In the
    fourth nothing is.
    """
    spite = Effect("Spite", On.UNIT, grants=(HATRED.of(),))
    scene = RegimentScene(effects=(spite,))
    unit = scene.unit(player, square(i=9), (24, 24), models=5, files=5, rounds=2)
    scene.beside(unit, 1 - player, square(t=9, a=0), models=5, files=5, rounds=2)
    battle = scene.battle("combat", run=False)
    assert begin_effect(battle, 0, unit.row, player)
    script(battle, [1, 1, 3, 4, 6, 6, 6, 2])
    fight(battle, unit)
    first = [event.data for event in battle.events if event.kind == "to hit" and event.data["unit"] == unit.row]
    assert len(first) == 1 and first[0]["result"] == 4  # two of the three dice that were rolled again hit
    known = len(battle.events)
    fight_again(battle, unit, [1, 1, 3, 4, 6, 6, 6, 6])
    again = [event.data for event in battle.events[known:] if event.kind == "to hit" and event.data["unit"] == unit.row]
    assert again[0]["result"] == 2
