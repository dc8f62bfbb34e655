"""Who strikes in a round of close combat, how often, at whom."""

from __future__ import annotations

from math import cos, sin
from typing import Any

import pytest

from wh_env.content.battle import Battle
from wh_env.rulesets.wap.codes import LEFT, REAR, RIGHT
from wh_env.testing import choose, kind, pick, slots, told, words
from wh_env.testing.wap import SOUTH, RegimentScene, fight, pose, square

NUMBER, SUPPORT = "wap.combat.attacks.number", "wap.combat.attacks.support.who"
MISSES = [1] * 80


def attacks(battle: Battle, unit: Any, rule: str = NUMBER) -> int:
    """Attacks that a unit makes, in contact or (``SUPPORT``) behind it."""
    return sum(event["amount"] for event in told(battle, rule) if event["unit"] == int(unit))


def rolled_at(battle: Battle, unit: Any, target: Any) -> list[int]:
    """Attacks that were rolled for, roll by roll."""
    rolls = told(battle, "wap.combat.hit.roll")
    return [event["amount"] for event in rolls if (event["unit"], event["target"]) == (int(unit), int(target))]


def fought(scene: RegimentScene, unit: Any, dice: list[int] | None = None, **fields: Any) -> Battle:
    """One round of the combat of a unit; nobody hits unless dice are given."""
    return fight(scene.battle("combat", dice=MISSES if dice is None else dice, run=False, **fields), unit)


@pytest.mark.parametrize(("along", "touching"), [(0, 5), (1, 5), (2, 4), (4, 2), (5, 1), (-5, 1), (0.5, 5), (2.5, 3)])
@pytest.mark.rule("wap.combat.who.base-contact")
def test_contact_by_a_corner_is_contact(along: float, touching: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=5, files=5)
    b = scene.beside(a, 1, along=along, models=5, files=5)
    battle = fought(scene, a)
    assert attacks(battle, a) == attacks(battle, b) == touching
    assert rolled_at(battle, a, b) == [touching]


@pytest.mark.rule("wap.combat.who.base-contact")
def test_contact_is_looked_at_when_the_time_to_strike_comes() -> None:
    """Five quick men slay four of six in one rank; the two who are left stand in the middle and both strike, four of five touch them."""
    scene = RegimentScene()
    a = scene.unit(0, square(i=5), (24, 24), models=5, files=5)
    b = scene.beside(a, 1, models=6, files=6)
    battle = fought(scene, a, [6, 6, 6, 6, 1, 6, 6, 6, 6, 1, 1])
    assert rolled_at(battle, b, a) == [2]


@pytest.mark.rule("wap.combat.who.flank-rear", "wap.combat.attacks.support.front-only")
@pytest.mark.parametrize("side", [RIGHT, LEFT])
def test_a_unit_hit_in_the_flank_strikes_with_its_end_models(side: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=20, files=5, facing=0.4)
    b = scene.beside(a, 1, side=side, models=5, files=5)
    battle = fought(scene, a)
    assert attacks(battle, a) == 4 and attacks(battle, a, SUPPORT) == 0
    assert attacks(battle, b) == 5
    assert pose(battle, a)[2] == 0.4


@pytest.mark.rule("wap.combat.who.flank-rear", "wap.combat.attacks.support.front-only")
def test_a_unit_hit_in_the_rear_strikes_with_its_rear_rank_alone() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=15, files=5)
    b = scene.beside(a, 1, side=REAR, models=10, files=5)
    battle = fought(scene, a)
    assert attacks(battle, a) == 5 and attacks(battle, a, SUPPORT) == 0
    assert attacks(battle, b) == 5 and attacks(battle, b, SUPPORT) == 5


@pytest.mark.rule("wap.combat.attacks.support.front-only")
def test_who_touches_an_enemy_at_the_side_does_not_support() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=20, files=5)
    front = scene.beside(a, 1, along=-0.5, models=6, files=6, name="front")
    flank = scene.beside(a, 1, side=RIGHT, models=4, files=4, name="flank")
    battle = fought(scene, a)
    while kind(battle) == "strike-target":
        pick(battle, "front")
    # 5 in front, the corner model among them, strike at the front; 3 behind him at the flank; 4 of the second rank support
    assert rolled_at(battle, a, front) == [9] and rolled_at(battle, a, flank) == [3]
    assert attacks(battle, a, SUPPORT) == 4
    assert all(event["targets"] == (int(front),) for event in told(battle, SUPPORT))


@pytest.mark.rule("wap.combat.who.target-in-contact")
def test_both_attacks_go_to_the_only_enemy_in_contact() -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(a=2), (24, 24), models=8, files=8)
    x = scene.beside(a, 1, along=3, models=2, files=2)
    y = scene.beside(a, 1, along=-3, models=2, files=2)
    battle = fought(scene, a)
    for enemy in (x, y):  # two before it and the one beside them, who touches a corner
        assert rolled_at(battle, a, enemy) == [6]
    assert kind(battle) is None
    assert sorted(event["targets"] for event in told(battle, NUMBER) if event["unit"] == int(a)) == [
        (int(x),),
        (int(y),),
    ]


@pytest.mark.rule("wap.combat.who.rank-and-file")
def test_who_touches_the_champion_strikes_the_rank_and_file() -> None:
    """One model before the champion alone: it strikes at WS 3 and T 3, and a trooper falls."""
    scene = RegimentScene()
    card = square(champion={"m": 4, "ws": 6, "bs": 3, "s": 3, "t": 6, "w": 1, "i": 3, "a": 2, "ld": 7})
    a = scene.unit(0, card, (24, 24), models=10, files=5, command=["champion"])
    b = scene.beside(a, 1, square(base_mm=[20, 20], i=9), models=1, files=1)
    battle = fought(scene, a, [4, 4, *MISSES])
    assert [event["amount"] for event in told(battle, NUMBER) if event["unit"] == int(a)] == [2]  # the champion alone
    assert told(battle, "wap.combat.hit.roll")[0]["needed"] == 4
    assert told(battle, "wap.combat.wound.roll")[0]["needed"] == 4
    assert battle.models.alive[a.model(0)] == 1 and battle.units.alive[a] == 9
    assert rolled_at(battle, b, a) == [1]


def between(detail: str = "squad", strikes: int = 2) -> tuple[RegimentScene, Any, Any, Any]:
    """One model before two enemies, infantry on its left and cavalry on its right."""
    scene = RegimentScene()
    a = scene.unit(0, square(a=strikes, i=9), (24, 24), models=1, files=1, name="one")
    men = scene.beside(a, 1, square(t=3), along=0.5, models=1, files=1, name="men")
    riders = scene.beside(a, 1, square(type="cavalry", ws=4, t=4), along=-0.5, models=1, files=1, name="riders")
    return scene, a, men, riders


@pytest.mark.rule("wap.combat.who.choose-target")
@pytest.mark.parametrize(("target", "shares"), [("men", (2, 0)), ("men", (1, 1)), ("riders", (0, 2))])
def test_attacks_are_divided_between_profiles_before_dice(target: str, shares: tuple[int, int]) -> None:
    scene, a, men, riders = between()
    battle = fought(scene, a, detail="full")
    assert kind(battle) == "strike-target" and sorted(slots(battle, "enemy")) == [0, 1]
    assert not told(battle, "wap.combat.hit.roll")
    pick(battle, f"at {target}")
    assert kind(battle) == "strike-share" and slots(battle, "number") == [1, 2]
    assert len(set(words(battle).values())) == 2
    choose(battle, "number", shares[0] or shares[1])
    assert (sum(rolled_at(battle, a, men)), sum(rolled_at(battle, a, riders))) == shares
    first = next(n for n, event in enumerate(battle.events) if event.rule == "wap.combat.hit.roll")
    assert all(event.rule != "wap.combat.who.choose-target" for event in battle.events[first:])


@pytest.mark.rule("wap.combat.who.choose-target")
def test_at_squad_detail_all_attacks_go_to_the_one_chosen() -> None:
    scene, a, men, riders = between()
    battle = fought(scene, a)
    pick(battle, "at riders")
    assert rolled_at(battle, a, riders) == [2] and rolled_at(battle, a, men) == []
    assert kind(battle) is None


@pytest.mark.rule("wap.combat.attacks.number")
def test_another_hand_weapon_is_another_attack() -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(equipment=["hand weapon", "additional hand weapon"]), (24, 24), models=5, files=5)
    b = scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a)
    assert rolled_at(battle, a, b) == [10] and rolled_at(battle, b, a) == [5]


@pytest.mark.rule("wap.combat.attacks.support.who")
@pytest.mark.parametrize(("models", "supports"), [(15, 5), (10, 5), (8, 3), (5, 0)])
def test_the_second_rank_supports(models: int, supports: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=models, files=5)
    b = scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a)
    assert (attacks(battle, a), attacks(battle, a, SUPPORT)) == (5, supports)
    assert rolled_at(battle, a, b) == [5 + supports]


@pytest.mark.rule("wap.combat.attacks.support.who")
def test_who_stands_behind_a_model_out_of_contact_does_not_support() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=20, files=10)
    scene.beside(a, 1, models=4, files=4)
    battle = fought(scene, a)
    assert (attacks(battle, a), attacks(battle, a, SUPPORT)) == (6, 6)


@pytest.mark.rule("wap.combat.attacks.support.one")
def test_a_supporting_model_makes_one_attack() -> None:
    scene = RegimentScene()
    card = square(a=2, rules=["Frenzy"], equipment=["hand weapon", "additional hand weapon"])
    a = scene.unit(0, card, (24, 24), models=10, files=5)
    b = scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a)
    assert (attacks(battle, a), attacks(battle, a, SUPPORT)) == (20, 5)
    assert rolled_at(battle, a, b) == [25]


@pytest.mark.rule("wap.combat.attacks.support.target")
@pytest.mark.parametrize(("target", "needed"), [("men", (4, 4)), ("riders", (4, 5))])
def test_a_supporter_chooses_for_itself(target: str, needed: tuple[int, int]) -> None:
    """Against the cavalry it needs 4+ to hit and 5+ to wound; the model before it strikes at the infantry."""
    scene = RegimentScene()
    a = scene.unit(0, square(i=9), (24, 24), models=2, files=1, shape=3, name="one")
    men = scene.beside(a, 1, square(t=3), along=0.5, models=1, files=1, name="men")
    riders = scene.beside(a, 1, square(type="cavalry", ws=4, t=4), along=-0.5, models=1, files=1, name="riders")
    battle = fought(scene, a, [4, 4] * 2 + MISSES)
    pick(battle, "one at men")
    assert not told(battle, "wap.combat.hit.roll") and kind(battle) == "strike-target"
    pick(battle, f"one from behind at {target}")
    hits = [e for e in told(battle, "wap.combat.hit.roll") if e["unit"] == int(a)]
    wounds = [e for e in told(battle, "wap.combat.wound.roll") if e["unit"] == int(a)]
    enemy = int(men if target == "men" else riders)
    assert [e["amount"] for e in hits if e["target"] == enemy] == [2 if target == "men" else 1]
    assert (hits[-1]["target"], hits[-1]["needed"], wounds[-1]["needed"]) == (enemy, *needed)


@pytest.mark.rule("wap.combat.incomplete-rank.flank")
@pytest.mark.parametrize("side", [RIGHT, LEFT])
@pytest.mark.parametrize(
    ("models", "wide", "ahead", "strike"),
    [(13, 3, 0, 3), (11, 3, 0, 3), (10, 3, 0, 2), (13, 1, 1.5, 1), (13, 1, 0.9, 2), (13, 1, -0.9, 2)],
)
def test_a_short_rank_moves_over_to_the_flank(side: int, models: int, wide: int, ahead: float, strike: int) -> None:
    """Ranks of 5, 5 and 3: one of the three is in contact with an enemy deep enough."""
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=models, files=5)
    b = scene.beside(a, 1, side=side, models=wide, files=wide, along=ahead if side == RIGHT else -ahead)
    battle = fought(scene, a)
    assert attacks(battle, a) == strike and attacks(battle, b) == wide
    assert attacks(battle, a, SUPPORT) == 0


@pytest.mark.rule("wap.combat.incomplete-rank.rear")
@pytest.mark.parametrize(("models", "strike"), [(13, 5), (15, 5), (11, 5), (12, 6)])
def test_who_faces_the_gap_of_a_short_rank_fights_across_it(models: int, strike: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=models, files=5)
    b = scene.beside(a, 1, side=REAR, models=5, files=5)
    battle = fought(scene, a)
    assert attacks(battle, b) == 5
    assert attacks(battle, a) == strike


@pytest.mark.rule("wap.combat.incomplete-rank.rear")
def test_both_flanks_reach_the_short_rank() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=13, files=5)
    right = scene.beside(a, 1, side=RIGHT, models=3, files=3)
    left = scene.beside(a, 1, side=LEFT, models=3, files=3)
    battle = fought(scene, a)
    assert rolled_at(battle, a, right) == [3] and rolled_at(battle, a, left) == [3]
    assert attacks(battle, right) == attacks(battle, left) == 3


@pytest.mark.rule("wap.special.extra-ranks")
@pytest.mark.parametrize(
    ("weapon", "models", "supports"),
    [("spear (infantry)", 20, 10), ("pike", 25, 20), ("pike", 15, 10), ("hand weapon", 25, 5)],
)
def test_spears_and_pikes_fight_in_more_ranks(weapon: str, models: int, supports: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(equipment=["hand weapon", weapon]), (24, 24), models=models, files=5)
    b = scene.beside(a, 1, models=5, files=5)
    battle = fought(scene, a)
    assert (attacks(battle, a), attacks(battle, a, SUPPORT)) == (5, supports)
    assert rolled_at(battle, a, b) == [5 + supports]


@pytest.mark.rule("wap.special.extra-ranks")
def test_the_number_in_brackets_counts() -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(rules=["Fight in Extra Ranks (2)"]), (24, 24), models=25, files=5)
    scene.beside(a, 1, models=5, files=5)
    assert attacks(fought(scene, a), a, SUPPORT) == 15


@pytest.mark.rule("wap.combat.who.base-contact")
def test_blocks_at_an_angle_touch_with_one_corner() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=10, files=5)
    turn = 0.3
    x, y = 24.25 + 2.5 * cos(turn), 24 + 2.5 * sin(turn)
    b = scene.unit(1, None, (x, y), models=10, files=5, facing=SOUTH + turn)
    battle = fought(scene, a)
    assert (attacks(battle, a), attacks(battle, a, SUPPORT)) == (1, 1)
    assert (attacks(battle, b), attacks(battle, b, SUPPORT)) == (1, 1)
