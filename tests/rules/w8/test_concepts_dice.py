"""Dice, re-rolls, modifiers, roll-offs (w8.concepts.*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import UnitHandle, choose, dice_left, kind, pick, ranged, sheet, told, words

MINUS_1 = {"effect": "-1 to hit", "keyword": "INFANTRY", "player": 0}
ONES = {"effect": "re-roll hit rolls of 1", "keyword": "INFANTRY", "player": 0}
HITS = {"player": 0, "roll": "hit"}
BY_TURN, BY_ROLL_OFF = "w8.concepts.sequencing.in-turn", "w8.concepts.sequencing.out-of-turn"


def shooting(
    dice: Sequence[int],
    gun: Any = None,
    rerolls: Sequence[Any] = (),
    modifiers: Sequence[Any] = (),
    detail: str = "full",
) -> Battle:
    """A model with a gun of BS 3+, S 4 has declared its shooting at a unit of Toughness 4; what happens next are its dice."""
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": gun or ranged(24, BS=3, S=4)}), at=(10, 10))
    scene.unit(1, sheet("Target", W=30, Sv=6), at=(10, 20))
    battle = scene.battle("shooting", dice=dice, detail=detail, rules={"rerolls": rerolls, "modifiers": modifiers})
    if kind(battle) == "select-to-shoot":
        pick(battle, "Guns", kind="select-to-shoot")
    if kind(battle) == "weapon-target":
        choose(battle, "enemy", 0)
    return battle


@pytest.mark.rule("w8.concepts.d3", "w8.concepts.halved-roll")
@pytest.mark.parametrize(("die", "attacks"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
@pytest.mark.parametrize("plus", [0, 1])
def test_a_d3_is_half_a_d6_rounded_up_before_anything_is_added(die: int, attacks: int, plus: int) -> None:
    """3 + 1: half of 3, rounded up, and 1 is 3, not half of 4."""
    amount = "D3+1" if plus else "D3"
    battle = shooting([die, *[1] * (attacks + plus)], gun=ranged(24, A=amount, BS=3), detail="squad")
    assert len(told(battle, "w8.attack.hit")) == attacks + plus
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.concepts.d6")
@pytest.mark.parametrize(("amount", "dice", "attacks"), [("2D6", [3, 5], 8), ("3D6", [2, 4, 6], 12), ("D6", [6], 6)])
def test_dice_are_added(amount: str, dice: list[int], attacks: int) -> None:
    battle = shooting([*dice, *[1] * attacks], gun=ranged(24, A=amount, BS=3), detail="squad")
    assert len(told(battle, "w8.attack.hit")) == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.concepts.roll-modifiers", "w8.concepts.n-plus")
@pytest.mark.parametrize(
    ("die", "count", "hits"),
    [(5, 2, True), (4, 2, False), (4, 1, True), (3, 1, False), (3, 0, True), (2, 0, False), (6, 3, True)],
)
def test_modifiers_are_added_together(die: int, count: int, hits: bool) -> None:
    """BS 3+ and so many modifiers of -1: there is no limit to what they come to."""
    battle = shooting([die, *([1] if hits else [])], modifiers=[MINUS_1] * count)
    assert (told(battle, "w8.attack.hit")[0]["result"] > 0) is hits
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.concepts.reroll")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("answer", "damage"), [("re-roll", 1), ("keep", 5)])
def test_the_new_result_counts_even_if_it_is_worse(answer: str, damage: int, player: int) -> None:
    scene = EighthScene()
    gun = {"gun": ranged(24, BS=2, S=8, AP=-6, D="D6")}
    scene.unit(player, sheet("Guns", weapons=gun), at=(10, 10))
    target = scene.unit(1 - player, sheet("Target", W=30, Sv=6), at=(10, 20))
    rules = {"rerolls": [{"player": player, "roll": "damage"}]}
    battle = scene.battle("shooting", active=player, dice=[6, 6, 1, 5, 1], detail="full", rules=rules)
    while kind(battle) in ("select-to-shoot", "weapon-target"):
        pick(battle, "Guns") if kind(battle) == "select-to-shoot" else choose(battle, "enemy", 0)
    assert battle.decision is not None
    assert battle.decision.player == player
    assert len(words(battle)) == 2
    pick(battle, answer)
    assert battle.models.wounds[target.first] == 30 - damage


@pytest.mark.rule("w8.concepts.reroll.once")
def test_a_die_is_re_rolled_once_only_whatever_the_source() -> None:
    """1, rolled again to 1: a further rule for hit rolls finds no die that it may touch; a 2 that was not touched it may."""
    battle = shooting([1, 1, 6, 6], modifiers=[ONES], rerolls=[HITS])
    assert kind(battle) != "reroll-die"
    assert told(battle, "w8.attack.wound") == []
    assert dice_left(battle) == 2
    battle = shooting([2, 6, 1], modifiers=[ONES], rerolls=[HITS])
    assert kind(battle) == "reroll-die"


@pytest.mark.rule("w8.concepts.reroll.before-modifiers")
@pytest.mark.parametrize(("dice", "again", "hits"), [([3, 6], 0, False), ([1, 4, 1], 1, True), ([1, 3], 1, False)])
def test_re_rolls_come_before_modifiers(dice: list[int], again: int, hits: bool) -> None:
    """-1 to hit and a re-roll of 1s: a 2 that was a 3 is no 1 and stays a miss; a 1 is rolled again, then modified."""
    battle = shooting(dice, modifiers=[MINUS_1, ONES])
    assert bool(told(battle, "w8.attack.wound")) is hits
    assert dice_left(battle) == (0 if again else 1)


# ---------------------------------------------------------------- at the same moment


def hurt(phase: str, when: str, dice: Sequence[int], active: int, **options: Any) -> tuple[Battle, UnitHandle]:
    """A model with 1 of 2 wounds left; a rule of player 0 that wounds it and one of player 1 that heals it are due at once."""
    scene = EighthScene()
    unit = scene.unit(0, sheet("Hurt", W=2), at=(10, 10), wounds=[1])
    scene.unit(0, sheet("Friend"), at=(20, 5), models=1)
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    scene.rule(TimedRule("wound", when, 0, "mortal", unit.row, 1, own_turn_only=False))
    scene.rule(TimedRule("heal", when, 1, "heal", unit.row, 1, own_turn_only=False))
    return scene.battle(phase, active=active, dice=dice, detail="full", **options), unit


@pytest.mark.rule("w8.concepts.roll-off", "w8.concepts.roll-off.tie", "w8.concepts.sequencing.out-of-turn")
@pytest.mark.parametrize(
    ("dice", "winner"), [([5, 3], 0), ([2, 5], 1), ([4, 4, 2, 2, 1, 6], 1), ([1, 1, 6, 6, 3, 2], 0)]
)
@pytest.mark.parametrize(("first", "alive"), [("wound", 0), ("heal", 1)])
def test_the_winner_of_a_roll_off_orders_rules_between_battle_rounds(
    dice: list[int], winner: int, first: str, alive: int
) -> None:
    """Ties are rolled again until one is higher; whoever wins chooses what is resolved first."""
    battle, unit = hurt("morale", "round-start", dice, 1)
    assert battle.decision is not None
    assert (kind(battle), battle.decision.player) == ("due-order", winner)
    assert dice_left(battle) == 0
    pick(battle, first)
    assert battle.units.alive[unit] == alive


@pytest.mark.rule("w8.concepts.sequencing.out-of-turn")
@pytest.mark.parametrize(("when", "number"), [("round-end", 1), ("after-battle", 5)])
def test_and_at_the_end_of_a_round_and_after_the_battle(when: str, number: int) -> None:
    battle, _ = hurt("morale", when, [2, 6], 1, round=number)
    assert battle.decision is not None
    assert (kind(battle), battle.decision.player) == ("due-order", 1)


@pytest.mark.rule("w8.concepts.sequencing.in-turn")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("order", ["PQR", "RQP", "QPR"])
def test_the_player_whose_turn_it_is_orders_the_rules_of_both(active: int, order: str) -> None:
    """Two rules of the active player and one of the other, due as the Movement phase begins."""
    scene = EighthScene()
    scene.unit(active, sheet("A"), at=(10, 10), models=1)
    scene.unit(1 - active, sheet("B"), at=(50, 40), models=1)
    for name, owner in zip("PQR", (active, active, 1 - active), strict=True):
        scene.rule(TimedRule(name, "command", owner, "none", -1, 0, own_turn_only=False))
    battle = scene.battle("movement", active=active, detail="full")
    asked = []
    for name in order[:-1]:
        assert battle.decision is not None
        asked.append((kind(battle), battle.decision.player))
        pick(battle, name)
    assert asked == [("due-order", active)] * 2
    assert [e["name"] for e in told(battle, BY_TURN) if "name" in e] == list(order)
