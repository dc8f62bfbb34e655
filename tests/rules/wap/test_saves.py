"""Saving throws: armour and ward, what they combine to, what they leave; who is removed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from tests.arming import blow, man, pair, rider
from wh_env import ContentError
from wh_env.content.battle import Battle
from wh_env.content.rulebook import catalogue
from wh_env.content.wap import load_sheet
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.combat.ward_choice import ChooseWard, may_choose_ward
from wh_env.rulesets.wap.weapons.blows import Blow, blow_at
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC
from wh_env.rulesets.wap.weapons.saves import (
    Ward,
    armour_needed,
    armour_save,
    combined,
    points_of,
    save_of,
    strength_modifier,
    unsaved,
    ward_choices,
    ward_save,
)
from wh_env.testing import dice_left, pick, script, told, words
from wh_env.testing.wap import PLAIN, RegimentScene, UnitHandle, fight, fight_again, ranks


def left_of(
    card: dict[str, Any], wounds: int, strength: int, dice: Sequence[int], side: int = FRONT, **known: Any
) -> tuple[int, int]:
    """Wounds that are left of so many, and dice."""
    nature = AUTOMATIC if known.pop("automatic", False) else 0
    battle, a, _ = pair(card, man(), dice=dice)
    left = unsaved(battle, a.row, wounds, blow_at(strength, nature)._replace(**known), side)
    return left, dice_left(battle)


@pytest.mark.rule("wap.shoot.save.roll")
def test_a_die_for_every_wound() -> None:
    assert left_of(man("medium armour"), 4, 3, [5, 6, 4, 1]) == (2, 0)
    assert left_of(man(), 4, 3, [5, 6]) == (4, 2)
    assert left_of(man("medium armour"), 0, 3, [5]) == (0, 1)


@pytest.mark.rule("wap.shoot.save.combine")
def test_points_and_saves_are_the_table_s() -> None:
    table = catalogue("wap")["wap.shoot.save.combine"]["table"]
    assert {f"+{points}": f"{save_of(points)}+" for points in range(1, 7)} == table
    assert all(points_of(save_of(points)) == points for points in range(7))


@pytest.mark.rule("wap.shoot.save.combine")
def test_a_save_of_six_and_one_of_five_are_one_of_four() -> None:
    battle, a, _ = pair(man("medium armour", "shield"), man())
    assert armour_save(battle, a.row) == 4
    assert left_of(man("medium armour", "shield"), 2, 3, [4, 3], REAR) == (1, 0)


@pytest.mark.parametrize(
    ("strength", "dice", "left"), [(3, [1], 1), (3, [2], 0), (5, [2], 1), (5, [3], 0), (4, [2], 0), (4, [1], 1)]
)
@pytest.mark.rule("wap.shoot.save.best")
def test_no_save_is_better_than_one(strength: int, dice: list[int], left: int) -> None:
    """Eight points of armour are six."""
    card = man("full plate armour", "heavy armour", "barding")
    assert left_of(card, 1, strength, dice) == (left, 0)
    assert armour_needed(8, 3) == 1 and armour_needed(8, 5) == 3


@pytest.mark.rule("wap.shoot.save.best")
def test_no_ward_save_is_better_than_one_and_a_one_fails() -> None:
    """Whatever its rule says, a die of 1 fails."""
    assert left_of(man(rules=["Ward Save (2+)"]), 2, 10, [1, 2]) == (1, 0)
    assert save_of(40) == 1


@pytest.mark.rule("wap.shoot.save.modifier")
def test_strength_against_armour_is_the_table_s() -> None:
    table = catalogue("wap")["wap.shoot.save.modifier"]["table"]
    assert {f"S{strength}": -strength_modifier(strength) for strength in range(1, 11)} == table


@pytest.mark.parametrize(("die", "left"), [(4, 1), (5, 0)])
@pytest.mark.rule("wap.shoot.save.modifier")
def test_a_hit_of_strength_five_on_plate(die: int, left: int) -> None:
    assert left_of(man("full plate armour"), 1, 5, [die]) == (left, 0)


@pytest.mark.parametrize(("strength", "dice"), [(4, 1), (5, 0), (8, 0)])
@pytest.mark.rule("wap.shoot.save.impossible")
def test_no_die_where_no_save_is_possible(strength: int, dice: int) -> None:
    assert left_of(man("medium armour"), 1, strength, [6, 6]) == (0 if dice else 1, 2 - dice)
    assert left_of(man("medium armour", rules=["Ward Save (5+)"]), 1, strength, [6, 6]) == (0, 1)


# ---------------------------------------------------------------- ward saves


@pytest.mark.parametrize(("die", "left"), [(4, 1), (5, 0)])
@pytest.mark.rule("wap.shoot.ward")
def test_strength_does_not_touch_a_ward_save(die: int, left: int) -> None:
    for strength in (3, 10):
        assert left_of(man(rules=["Ward Save (5+)"]), 1, strength, [die]) == (left, 0)


@pytest.mark.parametrize(
    ("saves", "expected"),
    [
        ([6, 6, 5], 4),
        ([3], 3),
        ([2], 2),
        ([6, 6], 5),
        ([6, 5], 4),
        ([5, 5], 4),
        ([3, 3], 4),
        ([2, 6], 4),
        ([6], 6),
        ([4], 4),
    ],
)
@pytest.mark.rule("wap.shoot.ward.combine")
def test_ward_saves_combine_to_four_at_best(saves: list[int], expected: int) -> None:
    assert combined([Ward(save) for save in saves]).save == expected


@pytest.mark.rule("wap.shoot.ward.combine")
def test_ward_saves_of_a_unit_combine() -> None:
    rules = ["Ward Save (6+)", "Ward Save (6+)", "Ward Save (5+)"]
    assert left_of(man(rules=rules), 2, 3, [4, 3]) == (1, 0)
    assert left_of(man(rules=["Ward Save (6+)", "Ward Save (6+)"]), 2, 3, [4, 5]) == (1, 0)
    parrying = man("shield", rules=["Ward Save (5+)"])  # 5+ and Parry 6+
    assert left_of(parrying, 2, 4, [4, 3]) == (1, 0)


def chosen(card: dict[str, Any], words_: str, dice: Sequence[int]) -> tuple[Battle, UnitHandle, list[str]]:
    """A unit whose owner has chosen a ward save at full detail, and what he could choose."""
    battle, a, _ = pair(card, man(), detail="full")
    script(battle, dice)
    battle.push(ChooseWard, a.row, 3, FRONT, False)
    battle.run()
    offered = list(words(battle).values())
    decision = battle.decision
    assert decision is not None and (decision.kind, decision.player, decision.subject) == ("ward-choice", 0, a.row)
    picked = next(action for action, told_ in words(battle).items() if told_ == words_)
    battle.setup.ruleset.kind_by_name["ward-choice"].answer(battle, battle.frame, picked)
    return battle, a, offered


@pytest.mark.parametrize(("choice", "die", "left"), [("3+", 3, 0), ("4+", 3, 1), ("4+", 4, 0), ("6+", 5, 1)])
@pytest.mark.rule("wap.shoot.ward.choice")
def test_the_owner_chooses_what_he_combines(choice: str, die: int, left: int) -> None:
    battle, a, offered = chosen(man(rules=["Ward Save (3+)", "Ward Save (6+)"]), choice, [die])
    assert offered == ["3+", "4+", "6+"]
    assert unsaved(battle, a.row, 1, blow_at(3), FRONT) == left
    assert battle.units.ward[a] == 0  # for this time


@pytest.mark.parametrize(("choice", "fallen"), [("3+", 1), ("4+", 2), ("6+", 3)])
@pytest.mark.rule("wap.shoot.ward.choice")
def test_the_owner_is_asked_in_a_fight(choice: str, fallen: int) -> None:
    """Three hits, three wounds, ward dice of 2, 3 and 5; of other attacks he is asked again."""
    card = man(i=1, rules=["Ward Save (3+)", "Ward Save (6+)"])
    dice = [6, 6, 6, 6, 6, 6, 2, 3, 5]
    battle, a, b = pair(card, man(), detail="full", models=(10, 3), dice=[*dice, *[1] * 20])
    fight(battle, a)
    assert battle.decision is not None and battle.decision.player == 0
    assert list(words(battle).values()) == ["3+", "4+", "6+"]
    pick(battle, choice, kind="ward-choice")
    assert battle.units.alive[a] == 10 - fallen
    assert battle.units.ward[a] == 0
    fight_again(battle, b, [6] * 20)
    assert battle.decision is not None and battle.decision.kind == "ward-choice"


@pytest.mark.rule("wap.shoot.ward.choice")
def test_where_nobody_is_asked_the_likeliest_is_taken() -> None:
    for many in (["3+", "6+"], ["6+", "5+"], ["2+", "3+", "6+"]):
        wards = [Ward(int(text[0])) for text in many]
        every = [combined(some).save for n in range(1, len(wards) + 1) for some in combinations(wards, n)]
        assert ward_save(wards).save == min(every)
    assert left_of(man(rules=["Ward Save (3+)", "Ward Save (6+)"]), 1, 3, [3]) == (0, 0)


@pytest.mark.rule("wap.shoot.ward.choice")
def test_who_has_one_ward_save_is_not_asked() -> None:
    for rules, asked in ((["Ward Save (5+)"], False), (["Ward Save (5+)", "Ward Save (5+)"], True), ([], False)):
        for detail in ("full", "squad"):
            battle, a, _ = pair(man(rules=rules), man(), detail=detail)
            assert may_choose_ward(battle, a.row, 3, FRONT) == (asked and detail == "full")


@pytest.mark.parametrize(
    ("die", "strength", "left", "over"), [([3, 5], 3, 0, 0), ([4, 5], 3, 0, 1), ([5, 4], 7, 0, 1), ([3, 4], 3, 1, 0)]
)
@pytest.mark.rule("wap.shoot.ward.after-armour")
def test_armour_first_then_the_ward(die: list[int], strength: int, left: int, over: int) -> None:
    card = man("heavy armour", rules=["Ward Save (5+)"])
    assert left_of(card, 1, strength, die) == (left, over)


@pytest.mark.rule("wap.shoot.ward.after-armour")
def test_wards_are_for_the_wounds_that_armour_leaves() -> None:
    """Three armour dice, then two ward dice."""
    assert left_of(man("heavy armour", rules=["Ward Save (5+)"]), 3, 3, [3, 4, 1, 5, 2]) == (1, 0)


@pytest.mark.parametrize(
    ("choice", "dice", "left", "over"),
    [("4+", [3, 6], 1, 1), ("6+ re-rolled", [3, 6], 0, 0), ("6+ re-rolled", [3, 5], 1, 0), ("5+", [3, 6], 1, 1)],
)
@pytest.mark.rule("wap.shoot.ward.reroll")
def test_only_the_ward_that_may_be_is_rolled_again(choice: str, dice: list[int], left: int, over: int) -> None:
    card = man(rules=["Ward Save (6+ re-rolled)", "Ward Save (5+)"])
    battle, a, offered = chosen(card, choice, dice)
    assert sorted(offered) == ["4+", "5+", "6+ re-rolled"]
    assert unsaved(battle, a.row, 1, blow_at(3), FRONT) == left
    assert dice_left(battle) == over


@pytest.mark.rule("wap.shoot.ward.reroll")
def test_a_ward_that_is_rolled_again_may_be_likelier_than_the_combination() -> None:
    """5+ rolled again cancels 20 of 36, two together on 4+ half of them."""
    wards = [Ward(5, again=True), Ward(6)]
    assert ward_choices(wards) == [Ward(5, again=True), Ward(4), Ward(6)]


@pytest.mark.parametrize("rule", ["Ward Save", "Ward Save (1+)", "Parry (6)", "Strength Bonus (x)", "Armour Piercing"])
def test_a_rule_without_its_number_is_told(rule: str) -> None:
    card = {"type": "infantry", "base_mm": [25, 25], "points": 5, "profile": dict(PLAIN), "rules": ["Stubborn", rule]}
    with pytest.raises(ContentError, match="says no number") as fault:
        load_sheet({"name": "one", "cards": {"men": card}})
    assert fault.value.field == "cards.men.rules[1]"


# ---------------------------------------------------------------- special rules


@pytest.mark.rule("wap.special.ignores-armour")
def test_what_ignores_armour_leaves_the_ward() -> None:
    card = man("full plate armour", "shield", "barding", rules=["Ward Save (6+)"])
    assert left_of(card, 2, 3, [5, 6], REAR, ignores_armour=True) == (1, 0)
    assert left_of(card, 2, 3, [2, 2], REAR) == (0, 0)
    assert left_of(man("heavy armour"), 1, 3, [6], ignores_armour=True) == (1, 1)


@pytest.mark.rule("wap.special.ignores-armour")
def test_models_and_weapons_that_ignore_armour() -> None:
    acid = {"weapon": "acid", "strength": "user", "rules": ["Ignores Armour Saves"]}
    for card in (man(rules=["Ignores Armour Saves"]), man("acid", weapons=[acid])):
        battle, a, b = pair(card, man("heavy armour"), dice=[6])
        assert blow(battle, a, b).ignores_armour
        assert unsaved(battle, b.row, 1, blow(battle, a, b), FRONT) == 1 and dice_left(battle) == 1
    battle, a, b = pair(man(), man("heavy armour"))
    assert not blow(battle, a, b).ignores_armour


@pytest.mark.parametrize(("dice", "left", "over"), [([6, 6], 0, 1), ([5, 6], 0, 0), ([5, 5], 1, 0)])
@pytest.mark.rule("wap.special.parry")
def test_sword_and_shield_parry(dice: list[int], left: int, over: int) -> None:
    """Against Strength 4: armour of 5+ at -1 needs 6, then the ward of 6+."""
    card = man("hand weapon", "shield", "light armour")
    battle, a, _ = pair(card, man())
    assert armour_save(battle, a.row) == 5
    assert left_of(card, 1, 4, dice) == (left, over)


PARRIES = man(rules=["Parry (6+)"])


@pytest.mark.parametrize(
    ("strength", "side", "automatic", "parried"),
    [
        (3, FRONT, False, True),
        (5, FRONT, False, True),
        (6, FRONT, False, False),
        (7, FRONT, False, False),
        (3, LEFT, False, False),
        (3, RIGHT, False, False),
        (3, REAR, False, False),
        (3, FRONT, True, False),
    ],
)
@pytest.mark.rule("wap.special.parry.limits")
def test_what_cannot_be_parried(strength: int, side: int, automatic: bool, parried: bool) -> None:
    expected = (0, 1) if parried else (1, 2)
    assert left_of(PARRIES, 1, strength, [6, 6], side, automatic=automatic) == expected
    assert left_of(man("shield", "hand weapon"), 1, max(4, strength), [6, 6], side, automatic=automatic) == expected


@pytest.mark.rule("wap.special.parry.limits")
def test_twice_the_strength_is_that_of_who_parries() -> None:
    """His own, without his weapon's."""
    for own, strength, parried in ((4, 7, True), (4, 8, False), (2, 4, False), (2, 3, True)):
        assert left_of(man(s=own, rules=["Parry (6+)"]), 1, strength, [6]) == ((0, 0) if parried else (1, 1))


@pytest.mark.rule("wap.special.parry.limits", "wap.armour.shield")
def test_riders_do_not_parry() -> None:
    """One who is one with his mount does."""
    for mount, left in (({"mount": None}, 0), ({}, 1)):
        battle, a, _ = pair(rider("hand weapon", "shield", **mount), man(), models=(5, 20), dice=[6])
        assert unsaved(battle, a.row, 1, blow_at(5), FRONT) == left


@pytest.mark.parametrize(("needed", "strength", "piercing"), [(6, 4, 1), (5, 4, 0), (5, 3, 1), (7, 4, 2), (4, 3, 0)])
@pytest.mark.rule("wap.special.armour-piercing")
def test_armour_piercing(needed: int, strength: int, piercing: int) -> None:
    known = {"piercing": piercing}
    assert left_of(man("heavy armour"), 1, strength, [needed - 1], **known) == (1, 0 if needed < 7 else 1)
    if needed < 7:
        assert left_of(man("heavy armour"), 1, strength, [needed], **known) == (0, 0)


@pytest.mark.rule("wap.shoot.save.roll")
def test_saves_are_told() -> None:
    battle, a, _ = pair(man("medium armour", rules=["Ward Save (6+)"]), man(), dice=[2, 6, 6])
    unsaved(battle, a.row, 2, Blow(1, 1, 3, 4, 3), FRONT)
    assert told(battle, "wap.shoot.save.roll") == [{"unit": a.row, "amount": 2, "needed": (6, 6), "result": 0}]


# ---------------------------------------------------------------- who is removed


def noted(battle: Battle, unit: UnitHandle) -> int:
    """Wounds that a unit has lost and no model for."""
    m = battle.models
    return sum(m.max_wounds[k] - m.wounds[k] for k in battle.members(unit.row))


def unit_of(models: int, files: int, worn: Sequence[str] = (), **values: Any) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, man(*worn, **values), (24, 12), models=models, files=files)
    scene.unit(1, man(), (24, 40))
    return scene.battle("shooting", run=False), unit


@pytest.mark.rule("wap.shoot.casualties")
def test_losses_come_off_the_rear_rank() -> None:
    battle, unit = unit_of(20, 5)
    assert suffer(battle, unit.row, 4) == 4
    assert ranks(battle, unit) == [5, 5, 5, 1] and battle.units.alive[unit] == 16


@pytest.mark.rule("wap.shoot.casualties")
def test_a_single_rank_is_shortened_at_both_ends() -> None:
    battle, unit = unit_of(9, 9)
    before = battle.units.x[unit]
    assert suffer(battle, unit.row, 4) == 4
    assert ranks(battle, unit) == [5] and battle.units.x[unit] == before


@pytest.mark.rule("wap.shoot.casualties", "wap.shoot.save.impossible")
def test_a_save_that_is_impossible_has_failed() -> None:
    battle, unit = unit_of(20, 5, worn=["light armour"])
    script(battle, [6, 6])
    lost = unsaved(battle, unit.row, 2, blow_at(4), FRONT)
    assert (lost, suffer(battle, unit.row, lost), dice_left(battle)) == (2, 2, 2)


@pytest.mark.parametrize(
    ("wounds", "models", "lost", "left_over"), [(2, 4, 5, 1), (2, 4, 4, 0), (2, 4, 1, 1), (3, 6, 8, 2), (2, 4, 8, 0)]
)
@pytest.mark.rule("wap.shoot.casualties.multi-wound")
def test_whole_models_fall_first(wounds: int, models: int, lost: int, left_over: int) -> None:
    battle, unit = unit_of(models, models, w=wounds)
    assert suffer(battle, unit.row, lost) == lost // wounds
    assert (battle.units.alive[unit], noted(battle, unit)) == (models - lost // wounds, left_over)


@pytest.mark.rule("wap.shoot.casualties.multi-wound")
def test_wounds_of_several_volleys_gather_on_one_model() -> None:
    """Never spread: four times one wound are two models of two."""
    battle, unit = unit_of(4, 4, w=2)
    assert [suffer(battle, unit.row, 1) for _ in range(4)] == [0, 1, 0, 1]
    assert noted(battle, unit) == 0


@pytest.mark.rule("wap.shoot.casualties.multi-wound.example")
def test_ogres_under_fire() -> None:
    battle, unit = unit_of(6, 3, w=3)
    assert suffer(battle, unit.row, 5) == 1 and noted(battle, unit) == 2
    assert suffer(battle, unit.row, 1) == 1 and noted(battle, unit) == 0
    assert battle.units.alive[unit] == 4
