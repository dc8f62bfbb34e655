"""Armour: its table, sums of points, what is of use against what."""

from __future__ import annotations

from typing import Any

import pytest

from tests.arming import HORSE, blow, line_of, man, pair, rider
from wh_env import ContentError
from wh_env.content.load import config_root, validate
from wh_env.content.reading import read_yaml
from wh_env.content.rulebook import catalogue
from wh_env.content.wap.armoury import Armoury
from wh_env.content.wap.load import armour
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.weapons.arms import HAND_WEAPON, NO_SAVE, Piece
from wh_env.rulesets.wap.weapons.blows import blow_at
from wh_env.rulesets.wap.weapons.saves import armour_save, parries_of, unsaved
from wh_env.testing import dice_left
from wh_env.testing.wap import RegimentScene


@pytest.mark.rule("wap.armour.table")
def test_the_table_of_armour_is_the_rule_s() -> None:
    table = catalogue("wap")["wap.armour.table"]["table"]
    assert read_yaml(config_root() / "wap" / "armour.yaml")["armour"] == table
    assert list(armour().values()) == [
        Piece("light armour", 1, 1),
        Piece("medium armour", 2, 2),
        Piece("heavy armour", 3, 3),
        Piece("full plate armour", 4, 4),
        Piece("shield", 1, 1, guards=True, parry=6, faced=1),
        Piece("buckler", 1, 0, guards=True, parry=6),
        Piece("barding", 1, 1, slower=1),
    ]


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"combat": "+1/5+"}, "armour[0].combat", "+1/6+, +2/5+"),
        ({"shooting": "some"}, "armour[0].shooting", "is no armour"),
        ({"rules": ["shiny"]}, "armour[0].rules[0]", "is no rule of armour"),
        ({"rules": ["Parry (7+) with a hand weapon only"]}, "armour[0].rules[0]", "Parry (6+) with a hand weapon only"),
    ],
)
@pytest.mark.rule("wap.armour.general.values")
def test_armour_that_means_nothing_is_told_in_words(changes: dict[str, Any], field: str, words: str) -> None:
    row = {"armour": "thing", "combat": "+1/6+", "shooting": "none"} | changes
    with pytest.raises(ContentError) as fault:
        validate(Armoury, {"armour": [row]}, "armour.yaml")
    assert fault.value.field == field and words in str(fault.value)


def saves(*equipment: str, **values: Any) -> tuple[int, int]:
    """Of infantry with this equipment: the save in close combat, and against shooting from behind."""
    battle, a, _ = pair(man(*equipment, **values), man())
    return armour_save(battle, a.row), armour_save(battle, a.row, shooting=True, side=REAR)


@pytest.mark.parametrize(
    ("piece", "save"), [("light armour", 6), ("medium armour", 5), ("heavy armour", 4), ("full plate armour", 3)]
)
@pytest.mark.rule("wap.armour.light", "wap.armour.medium", "wap.armour.heavy", "wap.armour.full-plate")
def test_armour_alone(piece: str, save: int) -> None:
    """The save in both cases; one less fails, the number itself does not."""
    assert saves(piece) == (save, save)
    battle, a, _ = pair(man(piece), man(), dice=[save - 1, save])
    assert unsaved(battle, a.row, 2, blow_at(3), FRONT) == 1


@pytest.mark.rule("wap.armour.general.values")
def test_a_buckler_is_none_against_arrows() -> None:
    assert saves("light armour", "buckler", HAND_WEAPON) == (5, 6)
    assert saves("buckler") == (6, NO_SAVE)
    assert saves() == (NO_SAVE, NO_SAVE)


@pytest.mark.rule("wap.armour.general.values", "wap.special.two-hands")
def test_templates_are_met_with_what_serves_in_combat_and_free_hands() -> None:
    for weapon, combat in ((HAND_WEAPON, 5), ("halberd (polearm)", 6)):
        battle, a, _ = pair(man("light armour", "buckler", weapon), man())
        assert armour_save(battle, a.row) == combat
        assert armour_save(battle, a.row, template=True) == 5
        for side in (FRONT, LEFT, RIGHT, REAR):
            assert armour_save(battle, a.row, shooting=True, side=side) == 6


@pytest.mark.parametrize(
    ("equipment", "save"),
    [
        (("full plate armour", "shield", "barding"), 1),
        (("full plate armour", "shield", "barding", "buckler"), 1),
        (("full plate armour", "heavy armour", "shield"), 1),
        (("full plate armour", "shield"), 2),
        (("heavy armour", "shield"), 3),
        (("medium armour", "shield"), 4),
        (("light armour", "shield"), 5),
    ],
)
@pytest.mark.rule("wap.armour.general.stacking")
def test_points_of_armour_add_up(equipment: tuple[str, ...], save: int) -> None:
    assert saves(*equipment)[0] == save


@pytest.mark.parametrize(("die", "left"), [(1, 1), (2, 0)])
@pytest.mark.rule("wap.armour.general.stacking")
def test_the_best_armour_fails_on_a_one(die: int, left: int) -> None:
    card = man("full plate armour", "shield", "barding", "buckler")
    battle, a, _ = pair(card, man(), dice=[die, 6, 6])
    assert unsaved(battle, a.row, 1, blow_at(3), REAR) == left
    assert dice_left(battle) == 2


@pytest.mark.parametrize(
    ("equipment", "save", "parries"),
    [
        ((HAND_WEAPON, "shield"), 5, [6]),
        (("shield",), 5, [6]),  # who has no other weapon has one in hand
        ((HAND_WEAPON, "shield", "spear (infantry)"), 5, []),
        ((HAND_WEAPON, "shield", "great weapon"), 6, []),
        ((HAND_WEAPON, "buckler"), 5, [6]),
        ((HAND_WEAPON, "buckler", "halberd (polearm)"), 6, []),
        ((HAND_WEAPON,), 6, []),
    ],
)
@pytest.mark.rule("wap.armour.shield", "wap.armour.buckler")
def test_shield_and_buckler(equipment: tuple[str, ...], save: int, parries: list[int]) -> None:
    battle, a, _ = pair(man("light armour", *equipment), man())
    assert armour_save(battle, a.row) == save
    assert [ward.save for ward in parries_of(battle, a.row)] == parries


@pytest.mark.parametrize(("side", "left"), [(FRONT, 1), (LEFT, 2)])
@pytest.mark.rule("wap.armour.shield", "wap.armour.buckler")
def test_what_is_parried(side: int, left: int) -> None:
    for piece in ("shield", "buckler"):
        battle, a, b = pair(man("light armour", piece), man(s=3), side=side, dice=[4, 4, 5, 6])
        assert unsaved(battle, a.row, 2, blow(battle, b, a), side) == left
        assert dice_left(battle) == (0 if side == FRONT else 2)


@pytest.mark.rule("wap.armour.barding")
def test_barding_slows_the_horse() -> None:
    card = rider("full plate armour", "shield", "barding", mount=HORSE)
    battle, a, _ = pair(card, man(), models=(5, 20))
    assert movement_of(battle, a.row) == 7
    assert battle.lines.m[line_of(battle, a, "mount")] == 7 and battle.lines.m[line_of(battle, a)] == 4
    assert armour_save(battle, a.row) == armour_save(battle, a.row, shooting=True) == 1
    battle, a, _ = pair(rider("full plate armour", "shield", mount=HORSE), man(), models=(5, 20))
    assert movement_of(battle, a.row) == 8 and armour_save(battle, a.row) == 2


@pytest.mark.rule("wap.armour.barding")
def test_barding_slows_who_has_one_profile_for_both() -> None:
    battle, a, _ = pair(rider("barding", mount=None, m=8), man(), models=(5, 20))
    assert movement_of(battle, a.row) == 7 and armour_save(battle, a.row) == 6


@pytest.mark.rule("wap.special.two-hands")
def test_a_weapon_for_two_hands_leaves_the_shield_for_arrows() -> None:
    scene = RegimentScene()
    a = scene.unit(0, man("light armour", "shield", "halberd (polearm)"), (24, 24), models=20)
    scene.beside(a, 1, man())
    riders = scene.unit(0, rider("light armour", "shield"), (6, 6), models=5)
    battle = scene.battle("combat", run=False)
    assert armour_save(battle, a.row) == 6
    for side in (LEFT, RIGHT, REAR):
        assert armour_save(battle, a.row, shooting=True, side=side) == 5
        assert armour_save(battle, riders.row, shooting=True, side=side) == 5
    assert armour_save(battle, a.row, shooting=True, side=FRONT) == 4
    assert armour_save(battle, riders.row, shooting=True, side=FRONT) == 5  # no infantry
