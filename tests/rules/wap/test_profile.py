"""The nine characteristics."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import ContentError
from wh_env.content.wap import load_sheet
from wh_env.rulesets.wap.basics.attacks import attacks_of, hits_of, shooters, shots_of, striking_order
from wh_env.rulesets.wap.basics.casualties import suffer
from wh_env.rulesets.wap.basics.changed_profiles import recompute
from wh_env.rulesets.wap.basics.characteristic_tests import characteristic_test
from wh_env.rulesets.wap.basics.leadership import leadership_test
from wh_env.rulesets.wap.basics.needed import AUTOMATIC, to_hit, to_shoot, to_wound
from wh_env.rulesets.wap.basics.profiles import bounded, characteristic
from wh_env.testing import choose, dice_left, offered, script, slots
from wh_env.testing.wap import PLAIN, RegimentScene, square

NINE = ("m", "ws", "bs", "s", "t", "w", "i", "a", "ld")


def sheet(**profile: Any) -> dict[str, Any]:
    """A sheet of one card with this profile; ``None`` leaves a characteristic out."""
    values = {name: value for name, value in {**PLAIN, **profile}.items() if value is not None}
    return {
        "name": "one",
        "cards": {"men": {"type": "infantry", "category": "core", "base_mm": [20, 20], "points": 5, "profile": values}},
    }


@pytest.mark.parametrize("missing", NINE)
@pytest.mark.rule("wap.profile.nine")
def test_a_profile_has_nine_characteristics(missing: str) -> None:
    with pytest.raises(ContentError, match=rf"profile\.{missing}: is missing"):
        load_sheet(sheet(**{missing: None}))
    assert getattr(load_sheet(sheet(**{missing: "-"})).cards["men"].profile, missing) == 0


@pytest.mark.rule("wap.profile.range")
def test_a_characteristic_lies_between_0_and_10() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(s=9, ws=2), (20, 20))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    recompute(battle, unit.row, [("s", 3), ("ws", -5)])
    line = battle.models.line[unit.model(1)]
    assert (characteristic(battle, line, "s"), characteristic(battle, line, "ws")) == (10, 0)
    assert [bounded(v) for v in (-1, 0, 10, 11)] == [0, 0, 10, 10]
    with pytest.raises(ContentError, match=r"profile\.s: 11"):
        load_sheet(sheet(s=11))


@pytest.mark.rule("wap.profile.m")
def test_movement_is_how_far_a_model_moves() -> None:
    """The man goes 4" and no farther, the rider 8"."""
    scene = RegimentScene()
    scene.unit(0, None, (10, 10))
    scene.unit(0, "outriders", (30, 10), models=5)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    for unit, most in ((0, 4.0), (1, 8.0)):
        choose(battle, "own", unit)
        choose(battle, "option", 1)
        y = battle.pending().cells(battle.setup.space.grid)[1][slots(battle, "cell")]
        assert max(y) == pytest.approx(10.0 + most)
        choose(battle, "cell", slots(battle, "cell")[int(y.argmax())])


@pytest.mark.rule("wap.profile.ws")
def test_a_higher_weapon_skill_hits_at_least_as_well() -> None:
    for target in range(1, 11):
        needed = [to_hit(skill, target) for skill in range(1, 11)]
        assert needed == sorted(needed, reverse=True)
        assert to_hit(6, target) <= to_hit(3, target)
    assert (to_hit(3, 4), to_hit(6, 4)) == (4, 3)


@pytest.mark.rule("wap.profile.bs")
def test_a_higher_ballistic_skill_shoots_better() -> None:
    assert (to_shoot(3), to_shoot(4)) == (4, 3)


@pytest.mark.rule("wap.profile.s")
def test_a_higher_strength_wounds_better() -> None:
    assert (to_wound(3, 4), to_wound(6, 4)) == (5, 2)


@pytest.mark.rule("wap.profile.t")
def test_a_higher_toughness_is_harder_to_wound() -> None:
    assert (to_wound(4, 3), to_wound(4, 6)) == (3, 6)


@pytest.mark.rule("wap.profile.w")
def test_a_model_falls_with_its_last_wound() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(w=3), (20, 20), models=5)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    assert suffer(battle, unit.row, 2) == 0
    assert battle.units.alive[unit] == 5
    assert suffer(battle, unit.row, 1) == 1
    assert battle.units.alive[unit] == 4


@pytest.mark.parametrize(("ld", "passes"), [(7, True), (5, False)])
@pytest.mark.rule("wap.profile.ld")
def test_leadership_is_tested_against(ld: int, passes: bool) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=ld), (20, 20))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    script(battle, [3, 3])
    assert leadership_test(battle, unit.row, "wap.profile.ld") is passes


@pytest.mark.rule("wap.profile.zero.m")
def test_who_has_no_movement_cannot_move() -> None:
    scene = RegimentScene()
    scene.unit(0, square(m=0), (10, 10))
    scene.unit(0, None, (30, 10))
    scene.unit(1, None, (20, 40))
    assert offered(scene.battle("movement"), "select-to-move") == [1]


@pytest.mark.rule("wap.profile.zero.ws")
def test_who_has_no_weapon_skill_is_hit_without_dice() -> None:
    assert {to_hit(skill, 0) for skill in range(11)} == {AUTOMATIC}
    scene = RegimentScene()
    scene.unit(0, None, (20, 20))
    scene.unit(1, square(ws="-"), (20, 40))
    battle = scene.battle("movement")
    script(battle, [1] * 5)
    line = battle.models.line[battle.units.first[1]]
    assert hits_of(battle, 5, 3, characteristic(battle, line, "ws")) == 5
    assert dice_left(battle) == 5
    assert hits_of(battle, 5, 3, 1) == 0
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.profile.i")
def test_the_highest_initiative_strikes_first() -> None:
    """An elf's 5 before an orc's 2, whoever is named first; equals strike together."""
    scene = RegimentScene()
    orc = scene.unit(0, square(i=2), (20, 20))
    elf = scene.unit(1, square(i=5), (20, 40))
    man = scene.unit(1, square(i=2), (40, 40))
    battle = scene.battle("movement")
    lines = [battle.models.line[unit.model(1)] for unit in (orc, elf, man)]
    assert striking_order(battle, lines) == [[lines[1]], [lines[0], lines[2]]]
    recompute(battle, orc.row, [("i", 4)])
    assert striking_order(battle, lines) == [[lines[0]], [lines[1]], [lines[2]]]


@pytest.mark.rule("wap.profile.a")
def test_attacks_are_made_in_close_combat_and_not_with_a_bow() -> None:
    scene = RegimentScene()
    archers = scene.unit(0, square(a=3, equipment=["bow"]), (20, 20))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    assert (attacks_of(battle, archers.model()), shots_of(battle, archers.model())) == (3, 1)
    recompute(battle, archers.row, [("a", 2)])
    assert (attacks_of(battle, archers.model()), shots_of(battle, archers.model())) == (5, 1)


@pytest.mark.parametrize("none", ["-", 0])
@pytest.mark.rule("wap.profile.zero")
def test_a_characteristic_of_0_is_no_ability_at_all(none: int | str) -> None:
    scene = RegimentScene()
    blind = scene.unit(0, square(bs=none, equipment=["bow"]), (10, 20))
    archers = scene.unit(0, square(equipment=["bow"]), (20, 20))
    bare = scene.unit(0, square(), (30, 20))
    harmless = scene.unit(1, square(a=none), (20, 40))
    battle = scene.battle("movement")
    assert shooters(battle, blind.row) == []
    assert shooters(battle, archers.row) == list(battle.members(archers.row))
    assert shooters(battle, bare.row) == []
    assert {attacks_of(battle, k) for k in battle.members(harmless.row)} == {0}


@pytest.mark.rule("wap.core.precedence.army-book")
def test_what_an_army_sheet_says_goes_before_the_rules() -> None:
    """By the rules a champion has one Attack more than the others, by its sheet two."""
    own = {**PLAIN, "a": 5}
    for card, attacks in ((square(a=3), 4), (square(a=3, champion=own), 5)):
        scene = RegimentScene()
        unit = scene.unit(0, card, (20, 20), command=("champion",))
        scene.unit(1, None, (20, 40))
        battle = scene.battle("movement")
        assert attacks_of(battle, unit.model()) == attacks
        assert attacks_of(battle, unit.model(1)) == 3


@pytest.mark.rule("wap.profile.zero.stw")
def test_who_has_no_toughness_left_is_slain() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20), models=10, command=("champion",))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    recompute(battle, unit.row, [("t", -1)])
    assert battle.units.alive[unit] == 10
    script(battle, [1])
    recompute(battle, unit.row, [("t", -1), ("t", -2)])
    assert battle.units.alive[unit] == 0
    assert battle.dice.script_at[0] == 0


@pytest.mark.rule("wap.profile.modified")
def test_a_modified_characteristic_counts_while_it_is_modified() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    line = battle.models.line[unit.model(1)]
    script(battle, [4, 4])
    recompute(battle, unit.row, [("i", 1)])
    assert characteristic_test(battle, line, "i", "wap.profile.modified")
    recompute(battle, unit.row, [])
    assert not characteristic_test(battle, line, "i", "wap.profile.modified")


@pytest.mark.rule("wap.profile.weapons-exempt")
def test_a_weapon_s_bonus_is_no_part_of_the_characteristic() -> None:
    """With a great weapon or without: a man of Strength 3 fails a Strength test on a 4."""
    scene = RegimentScene()
    armed = scene.unit(0, square(equipment=["great weapon"]), (20, 20))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    script(battle, [4, 3])
    line = battle.models.line[armed.model(1)]
    assert not characteristic_test(battle, line, "s", "wap.profile.weapons-exempt")
    assert characteristic_test(battle, line, "s", "wap.profile.weapons-exempt")
