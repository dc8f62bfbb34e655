"""To hit, to wound, saves in close combat."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env.content.battle import Battle
from wh_env.content.rulebook import catalogue
from wh_env.rulesets.wap.basics.many_dice import throw
from wh_env.rulesets.wap.basics.needed import AUTOMATIC, to_hit, to_wound
from wh_env.rulesets.wap.basics.rerolls import Rerolls
from wh_env.rulesets.wap.weapons.saves import armour_needed, strength_modifier
from wh_env.testing import told
from wh_env.testing.play import dice_left, script
from wh_env.testing.wap import RegimentScene, fight, square

RULES = catalogue("wap")
HIT, WOUND = "wap.combat.hit.roll", "wap.combat.wound.roll"


def fought(scene: RegimentScene, unit: Any, dice: list[int]) -> Battle:
    """One round of the combat of a unit."""
    return fight(scene.battle("combat", dice=dice, run=False), unit)


def facing(first: dict[str, Any], second: dict[str, Any], dice: list[int], models: int = 5) -> tuple[Battle, Any, Any]:
    """Two units of like width, the first quicker."""
    scene = RegimentScene()
    a = scene.unit(0, square(**{"i": 9, **first}), (24, 24), models=models, files=models)
    b = scene.beside(a, 1, square(**second), models=models, files=models)
    return fought(scene, a, dice), a, b


def rolled(battle: Battle, rule: str, unit: Any) -> list[tuple[int, int]]:
    """What a unit needed, and how many dice passed."""
    return [(event["needed"], event["result"]) for event in told(battle, rule) if event["unit"] == int(unit)]


@pytest.mark.rule("wap.combat.hit.roll", "wap.combat.wound.roll")
def test_dice_that_reach_the_number_hit_and_wound() -> None:
    battle, a, b = facing({}, {}, [1, 3, 4, 5, 6, 2, 4, 6])
    assert rolled(battle, HIT, a) == [(4, 3)] and rolled(battle, WOUND, a) == [(4, 2)]
    assert battle.units.alive[b] == 3


@pytest.mark.rule("wap.combat.hit.table")
def test_the_table_to_hit() -> None:
    rows = RULES["wap.combat.hit.table"]["table"]["rows_attacker_ws"]
    for own, needed in rows.items():
        assert [to_hit(int(own), target) for target in range(1, 11)] == needed
    pairs = [(3, 3), (4, 3), (4, 2), (5, 2), (3, 6), (3, 7), (3, 9), (2, 4), (1, 5)]
    assert [to_hit(*pair) for pair in pairs] == [4, 3, 3, 2, 4, 5, 6, 4, 6]
    assert to_hit(3, 0) == AUTOMATIC


@pytest.mark.rule("wap.combat.hit.table")
@pytest.mark.parametrize(("own", "target", "needed"), [(5, 2, 2), (3, 9, 6), (2, 4, 4), (3, 7, 5)])
def test_units_hit_by_the_table(own: int, target: int, needed: int) -> None:
    battle, a, _ = facing({"ws": own}, {"ws": target}, [1] * 10)
    assert rolled(battle, HIT, a) == [(needed, 0)]


@pytest.mark.rule("wap.combat.hit.table")
def test_who_has_no_weapon_skill_is_hit_without_dice() -> None:
    battle, a, b = facing({}, {"ws": 0, "a": 0}, [6, 6, 6, 1, 1, 3])
    assert rolled(battle, HIT, a) == [(AUTOMATIC, 5)] and dice_left(battle) == 1
    assert battle.units.alive[b] == 2


@pytest.fixture
def idle() -> Battle:
    """A battle whose dice may be thrown."""
    scene = RegimentScene()
    scene.unit(0, None, (24, 24))
    scene.unit(1, None, (24, 40))
    return scene.battle("combat", run=False)


@pytest.mark.rule("wap.combat.hit.natural", "wap.combat.wound.natural")
@pytest.mark.parametrize(
    ("needed", "dice", "passed"),
    [(7, [6, 5], 1), (1, [1, 2], 1), (0 + 2 - 1, [1, 1], 0), (6, [5, 6], 1), (2, [1, 2], 1), (12, [6], 1)],
)
def test_a_six_passes_and_a_one_fails_whatever_the_modifiers(
    idle: Battle, needed: int, dice: list[int], passed: int
) -> None:
    script(idle, dice)
    assert throw(idle, len(dice), needed)[0] == passed


@pytest.mark.rule("wap.combat.hit.natural")
def test_modifiers_to_hit_leave_natural_scores_alone(idle: Battle) -> None:
    script(idle, [6, 5, 1, 2])
    assert throw(idle, 2, to_hit(1, 9) + 1)[0] == 1
    assert throw(idle, 2, to_hit(9, 1) - 1)[0] == 1


@pytest.mark.rule("wap.combat.wound.natural")
@pytest.mark.parametrize(("first", "second", "die", "fallen"), [
    ({"s": 10, "rules": ["Poisoned Attacks"]}, {"t": 1}, 1, 0),
    ({"s": 3}, {"t": 10}, 6, 1),
    ({"s": 3}, {"t": 10}, 5, 0),
    ({"s": 10, "rules": ["Poisoned Attacks"]}, {"t": 1}, 2, 1),
])  # fmt: skip
def test_ones_never_wound_and_sixes_do(first: dict[str, Any], second: dict[str, Any], die: int, fallen: int) -> None:
    battle, _, b = facing(first, second, [6, die, 1, 1], models=1)
    assert battle.units.alive[b] == 1 - fallen


def test_failed_dice_are_rolled_again_once(idle: Battle) -> None:
    script(idle, [1, 2, 4, 3, 4])
    assert throw(idle, 3, 4, Rerolls(failed=1))[0] == 2
    script(idle, [4, 5, 1, 3, 3])
    assert throw(idle, 3, 4, Rerolls(passed=1))[0] == 0
    script(idle, [4, 1])
    assert throw(idle, 2, 4, Rerolls(failed=1, passed=1))[0] == 1 and dice_left(idle) == 0


@pytest.mark.rule("wap.combat.wound.table")
def test_the_table_to_wound() -> None:
    rows = RULES["wap.combat.wound.table"]["table"]["rows_strength"]
    for strength, needed in rows.items():
        assert [to_wound(int(strength), toughness) for toughness in range(1, 11)] == needed
    pairs = [(3, 3), (4, 3), (5, 3), (3, 4), (3, 5), (3, 10), (7, 10), (10, 10)]
    assert [to_wound(*pair) for pair in pairs] == [4, 3, 2, 5, 6, 6, 6, 4]


@pytest.mark.rule("wap.combat.wound.table")
@pytest.mark.parametrize(("strength", "toughness", "needed"), [(3, 5, 6), (5, 3, 2), (4, 3, 3), (10, 10, 4)])
def test_units_wound_by_the_table(strength: int, toughness: int, needed: int) -> None:
    battle, a, _ = facing({"s": strength}, {"t": toughness}, [6] * 5 + [1] * 20)
    assert rolled(battle, WOUND, a) == [(needed, 0)]


@pytest.mark.rule("wap.combat.wound.strength-source")
def test_a_champion_s_strength_is_rolled_for_by_itself() -> None:
    champion = {"m": 4, "ws": 3, "bs": 3, "s": 4, "t": 3, "w": 1, "i": 9, "a": 1, "ld": 7}
    scene = RegimentScene()
    card = square(i=9, champion=champion, equipment=["hand weapon", "halberd (polearm)"])
    a = scene.unit(0, card, (24, 24), models=5, files=5, command=["champion"])
    b = scene.beside(a, 1, models=15, files=5)
    battle = fought(scene, a, [4] * 4 + [2, 2, 3, 3] + [4, 2] + [1] * 20)
    assert rolled(battle, HIT, a) == [(4, 4), (4, 1)]
    assert rolled(battle, WOUND, a) == [(3, 2), (2, 1)]
    assert battle.units.alive[b] == 12


@pytest.mark.rule("wap.combat.save.roll")
def test_saves_are_rolled_for_each_wound() -> None:
    """Light armour and shield, with halberds in the owner's other life: a plain 5+ without Parry, since spears are in hand."""
    kit = ["hand weapon", "spear (infantry)", "light armour", "shield"]
    battle, _, b = facing({}, {"equipment": kit}, [6] * 4 + [1] + [6] * 4 + [5, 4, 6, 2] + [1] * 20)
    assert battle.units.alive[b] == 3


@pytest.mark.rule("wap.combat.save.roll")
def test_the_ward_save_follows_the_armour_save() -> None:
    kit = ["hand weapon", "spear (infantry)", "light armour", "shield"]
    dice = [6] * 5 + [6] * 5 + [5, 4, 1, 6, 2] + [5, 4, 6] + [1] * 20
    battle, _, b = facing({}, {"equipment": kit, "rules": ["Ward Save (5+)"]}, dice)
    assert battle.units.alive[b] == 4


@pytest.mark.rule("wap.combat.save.strength-modifier")
def test_strength_worsens_armour_saves() -> None:
    table = RULES["wap.combat.save.strength-modifier"]["table"]
    assert [-strength_modifier(strength) for strength in range(1, 11)] == [table[s] for s in range(1, 11)]
    assert armour_needed(4, 5) == 5 and armour_needed(4, 8) > 6  # of a 3+


@pytest.mark.rule("wap.combat.save.strength-modifier")
@pytest.mark.parametrize(("strength", "dice", "left"), [(5, [5, 4, 5], 4), (8, [], 2), (3, [3, 2, 3], 4)])
def test_a_save_of_three_against_strong_hits(strength: int, dice: list[int], left: int) -> None:
    """Three wounds; against Strength 8 no die is rolled for armour."""
    kit = ["hand weapon", "full plate armour"]
    rolls = [6] * 3 + [1] * 2 + [6] * 3 + dice + [1] * 5
    battle, _, b = facing({"s": strength}, {"equipment": kit}, rolls)
    assert battle.units.alive[b] == left
    assert dice_left(battle) == 5 - left or left == 4
