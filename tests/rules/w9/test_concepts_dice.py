"""Dice: D3, re-rolls, unmodified rolls, roll-offs, random characteristics (w9.concepts.dice.*, .characteristic.random)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.testing import choose, dice_left, kind, pick, ranged, sheet, told, words

MINUS_1 = {"effect": "-1 to hit", "keyword": "INFANTRY", "player": 0}
ONES = {"effect": "re-roll hit rolls of 1", "keyword": "INFANTRY", "player": 0}
HITS = {"player": 0, "roll": "hit"}


def shooting(dice, *, gun=None, rerolls=(), modifiers=(), detail="full", cp=(0, 0), W=9, stratagems=None):
    """A model with a gun of BS 3+, S 4 has declared its shooting at a unit of Toughness 4; what happens next are its dice."""
    scene = NinthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": gun or ranged(24, BS=3, S=4)}), at=(10, 10))
    scene.unit(1, sheet("Target", W=W, Sv=6), at=(10, 20))
    rules = {"rerolls": rerolls, "modifiers": modifiers, "stratagems": stratagems or {}}
    battle = scene.battle("shooting", dice=dice, detail=detail, cp=cp, rules=rules)
    pick(battle, "Guns", kind="select-to-shoot")
    if kind(battle) == "weapon-target":
        choose(battle, "enemy", 0)
    return battle


# ---------------------------------------------------------------- D3 and sums


@pytest.mark.rule("w9.concepts.dice.d3")
@pytest.mark.parametrize(("die", "attacks"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_a_d3_is_half_a_d6_rounded_up(die, attacks):
    battle = shooting([die, *[1] * attacks], gun=ranged(24, A="D3", BS=3), detail="squad")
    assert len(told(battle, "w9.attack.hit")) == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.concepts.dice.d3")
@pytest.mark.parametrize(("amount", "dice", "attacks"), [("2D6", [3, 5], 8), ("2D3", [1, 1], 2), ("2D3", [5, 2], 4)])
def test_several_dice_are_read_one_by_one_and_added(amount, dice, attacks):
    battle = shooting([*dice, *[1] * attacks], gun=ranged(24, A=amount, BS=3), detail="squad")
    assert len(told(battle, "w9.attack.hit")) == attacks
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- re-rolls


@pytest.mark.rule("w9.concepts.dice.reroll")
def test_a_3_that_misses_by_a_modifier_is_not_re_rolled_by_a_rule_for_1s():
    """BS 3+ and -1 to hit: the 3 is a miss, and no further die is rolled."""
    battle = shooting([3, 6], modifiers=[MINUS_1, ONES])
    (hit,) = told(battle, "w9.attack.hit")
    assert (hit["die"], hit["result"] > 0) == (3, False)
    assert dice_left(battle) == 1


@pytest.mark.rule("w9.concepts.dice.reroll")
def test_a_die_is_re_rolled_once_only_whatever_the_source():
    """1, rolled again to 1: a further rule for hit rolls finds no die that it may touch."""
    battle = shooting([1, 1, 6, 6], modifiers=[ONES], rerolls=[HITS])
    assert kind(battle) != "reroll-die"
    assert told(battle, "w9.attack.wound") == []
    assert dice_left(battle) == 2
    # where the rule for 1s has not touched the die the other one may
    battle = shooting([2, 6, 1], modifiers=[ONES], rerolls=[HITS])
    assert (kind(battle), battle.decision.player) == ("reroll-die", 0)
    pick(battle, "re-roll a hit roll of 2")
    assert len(told(battle, "w9.attack.wound")) == 1


@pytest.mark.rule("w9.concepts.dice.reroll")
@pytest.mark.parametrize(("die", "hits"), [(4, True), (3, False)])
def test_it_comes_before_modifiers(die, hits):
    """The 1 is rolled again; a 4 less 1 hits on 3+, a 3 less 1 does not."""
    battle = shooting([1, die, *([1] if hits else [])], modifiers=[MINUS_1, ONES])
    assert bool(told(battle, "w9.attack.wound")) is hits
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.concepts.dice.reroll")
@pytest.mark.parametrize(("answer", "dice", "roll"), [("re-roll", [6, 1, 2, 3], 5), ("keep", [6, 1], 7)])
def test_a_sum_is_rolled_again_with_all_its_dice_or_kept(answer, dice, roll):
    scene = NinthScene()
    scene.unit(0, sheet("Charger"), at=(10, 10))
    scene.unit(1, sheet("Target"), at=(10, 19))
    rerolls = [{"player": 0, "roll": "charge"}]
    battle = scene.battle("charge", dice=dice, detail="full", rules={"rerolls": rerolls})
    pick(battle, "Charger", kind="select-to-charge")
    while kind(battle) == "charge-target":
        choose(battle, "done" if battle.legal()[0] else "enemy")
    assert kind(battle) == "reroll"
    assert len(words(battle)) == 2
    pick(battle, answer)
    assert told(battle, "w9.charge.roll")[-1]["roll"] == roll
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.concepts.dice.unmodified")
@pytest.mark.parametrize(("die", "hits"), [(6, True), (5, False)])
def test_the_die_after_a_re_roll_and_before_modifiers_counts(die, hits):
    """BS 6+, -1 to hit: a 2 rolled again to 6 is an unmodified 6, which hits although it is modified to 5."""
    gun = ranged(24, BS=6, S=4)
    battle = shooting([2, die, *([1] if hits else [])], gun=gun, modifiers=[MINUS_1], rerolls=[HITS])
    pick(battle, "re-roll a hit roll of 2")
    assert bool(told(battle, "w9.attack.wound")) is hits
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- roll-offs

EVERY_REROLL = [
    {"player": player, "roll": roll}
    for player in (0, 1)
    for roll in ("charge", "advance", "attacks", "hit", "wound", "damage", "save")
]


def first_turn(dice, **options):
    scene = NinthScene()
    for player in (0, 1):
        scene.unit(player, sheet(f"Line {player}"))
    battle = scene.battle("mission", dice=dice, **options)
    while battle.clock.round[0] == 0:
        battle.apply(battle.first_legal())
    return battle


@pytest.mark.rule("w9.concepts.dice.roll-off", "w9.deploy.first-turn")
@pytest.mark.parametrize(("dice", "first"), [([4, 4, 2, 5], 1), ([2, 6], 1), ([5, 3], 0), ([1, 1, 6, 6, 3, 2], 0)])
def test_the_higher_die_wins_and_a_tie_is_rolled_again(dice, first):
    """The winner of this roll-off takes the first turn, in every battle round."""
    battle = first_turn(dice)
    assert [event["rolls"] for event in told(battle, "w9.deploy.first-turn")] == [
        tuple(dice[k : k + 2]) for k in range(0, len(dice), 2)
    ]
    assert (battle.clock.first_player[0], battle.clock.turn[0]) == (first, first)
    assert dice_left(battle) == 0
    while not battle.over:
        stay = [action for action, text in words(battle).items() if "Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())
    assert [event["player"] for event in told(battle, "w9.round.structure")] == [first, 1 - first] * 5


@pytest.mark.rule("w9.concepts.dice.roll-off")
def test_nothing_re_rolls_or_modifies_a_roll_off():
    rows = [{"effect": effect, "keyword": "INFANTRY", "player": 0} for effect in ("+1 to hit", "+1 to wound")]
    battle = first_turn([4, 5], detail="full", cp=(3, 3), rules={"rerolls": EVERY_REROLL, "modifiers": rows})
    assert battle.clock.first_player[0] == 1
    assert told(battle, "w9.deploy.first-turn") == [{"rolls": (4, 5)}]


# ---------------------------------------------------------------- random characteristics


@pytest.mark.rule("w9.concepts.characteristic.random")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_random_move_is_rolled_once_for_the_unit(detail):
    """Three models with M 2D6, dice 4 and 3: each may move 7"."""
    data = sheet("Spinners")
    data["models"][0]["M"] = "2D6"
    scene = NinthScene()
    scene.unit(0, data, at=[(10, 10), (11.5, 10), (13, 10)])
    scene.unit(1, sheet("Far"), at=(50, 40))
    battle = scene.battle("movement", dice=[4, 3, 6, 6], detail=detail)
    if kind(battle) == "select-to-move":
        pick(battle, "Spinners")
    pick(battle, "Normal move")
    assert dice_left(battle) == 2
    assert [battle.models.move[k] for k in range(3)] == [7.0] * 3


@pytest.mark.rule("w9.concepts.characteristic.random")
def test_a_random_damage_is_rolled_for_each_attack():
    """Two attacks of Damage D3, dice 1 and 6: 1 and 3."""
    gun = ranged(24, A=2, BS=2, S=8, AP=-6, D="D3")
    battle = shooting([6, 6, 6, 6, 1, 1, 1, 6], gun=gun, detail="squad")
    assert battle.models.wounds[1] == 9 - 1 - 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.concepts.characteristic.random")
def test_a_random_number_of_attacks_is_rolled_for_each_model():
    scene = NinthScene()
    guns = sheet("Guns", weapons={"gun": ranged(24, A="D3", BS=3)})
    scene.unit(0, guns, at=[(10, 10), (12, 10)])
    scene.unit(1, sheet("Target", W=9), at=(10, 20))
    battle = scene.battle("shooting", dice=[1, 6, *[1] * 4])
    pick(battle, "Guns")
    assert len(told(battle, "w9.attack.hit")) == 1 + 3
    assert dice_left(battle) == 0
