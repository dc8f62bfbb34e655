"""The nine characteristics."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import ContentError
from wh_env.content.wap import load_sheet
from wh_env.rulesets.wap.basics.characteristic_tests import characteristic_test
from wh_env.rulesets.wap.basics.needed import AUTOMATIC, to_hit, to_wound
from wh_env.rulesets.wap.basics.profiles import bounded, characteristic
from wh_env.rulesets.wap.casualties.changed_profiles import recompute
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.morale.leadership import leadership_test
from wh_env.rulesets.wap.shooting.shots import IN_PHASE
from wh_env.rulesets.wap.shooting.volley import shoot
from wh_env.testing import choose, dice_left, offered, script, slots, told
from wh_env.testing.wap import NORTH, PLAIN, SOUTH, RegimentScene, fight, square

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


def test_a_characteristic_that_is_changed_lies_between_0_and_10() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(s=9, ws=2), (20, 20))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    recompute(battle, unit.row, [("s", 3), ("ws", -5)])
    line = battle.models.line[unit.model(1)]
    assert (characteristic(battle, line, "s"), characteristic(battle, line, "ws")) == (10, 0)
    assert [bounded(v) for v in (-1, 0, 10, 11)] == [0, 0, 10, 10]


@pytest.mark.parametrize("value", [-1, 11])
@pytest.mark.parametrize("name", NINE)
@pytest.mark.rule("wap.profile.range")
def test_no_sheet_has_a_characteristic_below_0_or_above_10(name: str, value: int) -> None:
    with pytest.raises(ContentError, match=rf"profile\.{name}: {value}"):
        load_sheet(sheet(**{name: value}))


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.profile.range")
def test_a_blow_has_a_strength_of_10_at_most(player: int) -> None:
    """With 9 and a great weapon, which adds 2, men wound a Toughness of 10 on 4+; with 11 they would on 3+."""
    scene = RegimentScene()
    strong = scene.unit(player, square(s=9, equipment=["great weapon"]), (24, 20), models=5)
    scene.beside(strong, 1 - player, square(t=10, a=0), models=5)
    battle = fight(scene.battle("combat", run=False, dice=[4] * 20), strong)
    assert [note["needed"] for note in told(battle, "wap.combat.wound.roll")] == [4]


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


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("skill", "needed", "hits"), [(3, 4, 2), (4, 3, 3)])
@pytest.mark.rule("wap.profile.bs")
def test_a_higher_ballistic_skill_shoots_better(skill: int, needed: int, hits: int, player: int) -> None:
    """Five bows near by: a man needs 4+, an elf 3+."""
    scene = RegimentScene()
    archers = scene.unit(player, square(bs=skill, equipment=["bow"]), (24, 12), models=5, facing=NORTH)
    target = scene.unit(1 - player, None, (24, 20), models=10, files=5, facing=SOUTH)
    battle = scene.battle("shooting", player=player, run=False, dice=[1, 2, 3, 4, 5])
    shoot(battle, archers.row, target.row, 0, IN_PHASE)
    [note] = told(battle, "wap.shoot.hit.roll")
    assert (note["needed"], note["result"]) == (needed, hits)


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
    """Five men strike five who cannot be wounded; with a Weapon Skill of 1 their dice to hit are rolled first."""
    assert {to_hit(skill, 0) for skill in range(11)} == {AUTOMATIC}
    for skill, hits, left in (("-", 5, 0), (1, 0, 0)):
        scene = RegimentScene()
        men = scene.unit(0, None, (24, 20), models=5)
        scene.beside(men, 1, square(ws=skill, a=0, t=10), models=5)
        battle = fight(scene.battle("combat", run=False, dice=[1] * 5), men)
        assert sum(note["amount"] for note in told(battle, "wap.combat.wound.roll")) == hits
        assert dice_left(battle) == left


@pytest.mark.rule("wap.profile.a")
def test_attacks_are_made_in_close_combat_and_not_with_a_bow() -> None:
    scene = RegimentScene()
    archer = scene.unit(0, square(a=3, equipment=["bow"]), (24, 12), models=1, facing=NORTH)
    target = scene.unit(1, square(a=0, t=10), (24, 20), models=10, files=5, facing=SOUTH)
    battle = scene.battle("shooting", run=False)
    shoot(battle, archer.row, target.row, 0, IN_PHASE)
    assert [note["amount"] for note in told(battle, "wap.shoot.hit.roll")] == [1]
    scene = RegimentScene()
    archer = scene.unit(0, square(a=3, equipment=["bow"]), (24, 12), models=1, facing=NORTH)
    scene.beside(archer, 1, square(a=0, t=10), models=10, files=5)
    battle = fight(scene.battle("combat", run=False), archer)
    assert [note["amount"] for note in told(battle, "wap.combat.hit.roll")] == [3]


@pytest.mark.parametrize("none", ["-", 0])
@pytest.mark.rule("wap.profile.zero")
def test_a_characteristic_of_0_is_no_ability_at_all(none: int | str) -> None:
    """Who has a bow and sees to shoot it is asked for; who strikes, strikes."""
    scene = RegimentScene()
    scene.unit(0, square(bs=none, equipment=["bow"]), (10, 20), models=5)
    archers = [scene.unit(0, square(equipment=["bow"]), (x, 20), models=5) for x in (20, 40)]
    scene.unit(0, square(), (30, 20), models=5)
    scene.unit(1, None, (24, 36), models=20, files=20)
    battle = scene.battle("shooting")
    assert offered(battle, "select-to-shoot") == [unit.number for unit in archers]
    scene = RegimentScene()
    harmless = scene.unit(0, square(a=none), (24, 20), models=5)
    foe = scene.beside(harmless, 1, models=5)
    battle = fight(scene.battle("combat", run=False), harmless)
    assert {note["unit"] for note in told(battle, "wap.combat.hit.roll")} == {foe.row}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.core.precedence.army-book")
def test_what_an_army_sheet_says_goes_before_the_rules(player: int) -> None:
    """By the rules a champion has one Attack more than the others, by its sheet two: five strike 4 + 4 x 3 times, or 5 + 4 x 3."""
    own = {**PLAIN, "a": 5}
    for card, attacks in ((square(a=3), 16), (square(a=3, champion=own), 17)):
        scene = RegimentScene()
        unit = scene.unit(player, card, (24, 20), models=5, command=("champion",))
        scene.beside(unit, 1 - player, square(a=0, t=10), models=10, files=5)
        battle = fight(scene.battle("combat", run=False, dice=[1] * 20), unit)
        assert sum(note["amount"] for note in told(battle, "wap.combat.hit.roll")) == attacks


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
