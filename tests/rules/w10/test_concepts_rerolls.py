"""Re-rolls: optional, whole sums, once, before modifiers, unmodified results (w10.concepts.reroll.*).

``rules={"rerolls": ...}`` says who may re-roll what, ``rules={"modifiers": ...}`` what changes attacks.
"""

from __future__ import annotations

import pytest

from wh_env.core.reports import IllegalAction
from wh_env.testing import Scene, choose, dice_left, pick, play_until, ranged, sheet, slots, told, words

MINUS_1 = {"effect": "-1 to hit", "keyword": "INFANTRY", "player": 0}
PLUS_1 = {"effect": "+1 to hit", "keyword": "INFANTRY", "player": 0}
ONES = {"effect": "re-roll hit rolls of 1", "keyword": "INFANTRY", "player": 0}


def shooting(dice, *, A=1, abilities=(), rerolls=(), modifiers=(), detail="full", T=4, Sv=4, W=3, models=1):
    """A model with a gun of BS 4+, S 4, AP 0, D 1 has declared its shooting at a unit of Toughness 4."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A=A, BS=4, S=4, abilities=abilities)}), at=(10, 10))
    scene.unit(1, sheet("Target", T=T, Sv=Sv, W=W), at=[(10 + 2 * n, 20) for n in range(models)])
    rules = {"rerolls": rerolls, "modifiers": modifiers}
    battle = scene.battle("shooting", dice=dice, detail=detail, rules=rules)
    pick(battle, "Guns", kind="select-to-shoot")
    if battle.decision is not None and battle.decision.kind == "weapon-target":
        choose(battle, "enemy", 0)
    return battle


def last(battle, rule):
    return told(battle, rule)[-1]


def charging(dice, *, rerolls=(), detail="full", away=7.5):
    """A charge of a lone model at a target ``away`` inches off, declared; what happens next is the Charge roll."""
    scene = Scene()
    scene.unit(0, sheet("Charger"), at=(10, 10))
    scene.unit(1, sheet("Target"), at=(10, 11 + away))
    battle = scene.battle("charge", dice=dice, detail=detail, rules={"rerolls": rerolls})
    pick(battle, "Charger", kind="select-to-charge")
    while battle.decision is not None and battle.decision.kind == "charge-target":
        choose(battle, "done" if battle.legal()[0] else "enemy")
    return battle


CHARGE = {"player": 0, "roll": "charge"}

# ---------------------------------------------------------------- optional


@pytest.mark.rule("w10.concepts.reroll.optional")
@pytest.mark.parametrize(
    ("answer", "dice", "wounds"), [("re-roll", [4, 2, 5, 3], 1), ("keep", [4, 2], 0), ("re-roll", [4, 2, 1], 0)]
)
def test_a_twin_linked_wound_roll_of_2_may_be_kept_or_rolled_again(answer, dice, wounds):
    """4+ is needed: 5 wounds (and the save of 3 fails), keeping the 2 does not, and 1 stays 1."""
    battle = shooting(dice, abilities=["Twin-linked"])
    assert battle.decision.kind == "reroll-wound"
    assert battle.decision.player == 0
    assert sorted(words(battle).values()) == ["keep", "re-roll"]
    pick(battle, answer)
    assert battle.models.wounds[1] == 3 - wounds
    assert battle.decision is None or battle.decision.kind != "reroll-wound"
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.optional")
def test_the_new_result_stands_even_where_it_is_worse():
    """A wound roll of 5 would have succeeded; rolled again it is a 1."""
    battle = shooting([4, 5, 1], abilities=["Twin-linked"])
    pick(battle, "re-roll")
    assert battle.models.wounds[1] == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.optional")
def test_of_several_separate_dice_the_player_chooses_which():
    """Three hit rolls 4, 2, 1, one of which may be rolled again: the 2 becomes a 6; two hits are wounded and saved."""
    battle = shooting([4, 2, 1, 6, 1, 1], A=3, rerolls=[{"player": 0, "roll": "hit"}])
    assert battle.decision.kind == "reroll-die"
    assert slots(battle, "number") == [1, 2, 4]
    assert slots(battle, "option") == [0]
    choose(battle, "number", 2)
    assert len(told(battle, "w10.attack.wound.roll")) == 2
    assert told(battle, "w10.concepts.reroll.optional")[0]["die"] == 6
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.optional")
def test_only_the_player_who_is_entitled_is_asked_about_a_save():
    """A save of 2 on 4+ is rolled again to 4 by the player of the target; the attacker's rows do not open it."""
    battle = shooting([4, 4, 2, 4], rerolls=[{"player": 1, "roll": "save"}])
    assert battle.decision.kind == "reroll-die"
    assert battle.decision.player == 1
    pick(battle, "re-roll a save roll of 2")
    assert battle.models.wounds[1] == 3
    assert dice_left(battle) == 0
    other = shooting([4, 4, 2], rerolls=[{"player": 0, "roll": "save"}])
    assert other.decision is None or other.decision.kind != "reroll-die"
    assert other.models.wounds[1] == 2


@pytest.mark.rule("w10.concepts.reroll.optional")
def test_squad_detail_re_rolls_exactly_what_fails():
    battle = shooting([4, 2, 5, 3], abilities=["Twin-linked"], detail="squad")
    assert battle.models.wounds[1] == 2
    assert dice_left(battle) == 0
    kept = shooting([4, 5, 3], abilities=["Twin-linked"], detail="squad")
    assert kept.models.wounds[1] == 2
    assert dice_left(kept) == 0


# ---------------------------------------------------------------- sums


@pytest.mark.rule("w10.concepts.reroll.sum-all-dice")
def test_a_charge_roll_is_re_rolled_with_both_dice():
    """6 and 1 become 2 and 4: 6. One decision with two answers, neither of which keeps a single die."""
    battle = charging([6, 1, 2, 4], rerolls=[CHARGE])
    assert battle.decision.kind == "reroll"
    assert sorted(words(battle).values()) == ["keep the charge roll of 7", "re-roll the charge roll of 7"]
    pick(battle, "re-roll")
    assert last(battle, "w10.charge.roll")["roll"] == 6
    assert told(battle, "w10.concepts.reroll.sum-all-dice") == [{"name": "charge", "unit": 0, "before": 7, "after": 6}]
    # 6.5" were needed for Engagement Range: the roll of 7 would have made the charge, the 6 does not
    assert told(battle, "w10.charge.failed")
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.sum-all-dice", "w10.concepts.reroll.optional")
def test_a_charge_roll_may_be_kept():
    battle = charging([6, 1], rerolls=[CHARGE])
    pick(battle, "keep")
    assert last(battle, "w10.charge.roll")["roll"] == 7
    assert told(battle, "w10.charge.move")
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.sum-all-dice")
def test_a_single_die_of_the_sum_cannot_be_named():
    """The numbers of the action space, by which single dice are named elsewhere, are all closed."""
    battle = charging([6, 1, 2, 4], rerolls=[CHARGE])
    before = battle.state_bytes()
    for face in range(1, 7):
        with pytest.raises(IllegalAction):
            battle.apply(battle.setup.space.number + face)
    assert battle.state_bytes() == before


@pytest.mark.rule("w10.concepts.reroll.sum-all-dice")
def test_a_random_number_of_attacks_is_re_rolled_as_a_whole():
    """2D6 attacks: 1 and 2 become 1 and 1."""
    battle = shooting([1, 2, 1, 1, 1, 1], A="2D6", rerolls=[{"player": 0, "roll": "attacks"}])
    assert slots(battle, "number") == [3]
    choose(battle, "number", 3)
    assert len(told(battle, "w10.attack.hit.roll")) == 2
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- once


@pytest.mark.rule("w10.concepts.reroll.once")
def test_a_twin_linked_die_is_not_re_rolled_again_by_another_rule():
    """1 is rolled again to 2 by Twin-linked; a rule that re-rolls wound rolls finds no die that it may touch."""
    battle = shooting([4, 1, 2], abilities=["Twin-linked"], rerolls=[{"player": 0, "roll": "wound"}])
    assert battle.decision.kind == "reroll-wound"
    pick(battle, "re-roll")
    assert battle.decision is None or battle.decision.kind not in ("reroll-wound", "reroll-die")
    assert battle.models.wounds[1] == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.once")
def test_a_die_kept_by_one_rule_is_still_open_to_another():
    battle = shooting([4, 2, 5, 3], abilities=["Twin-linked"], rerolls=[{"player": 0, "roll": "wound"}])
    pick(battle, "keep")
    assert battle.decision.kind == "reroll-die"
    pick(battle, "re-roll a wound roll of 2")
    assert battle.models.wounds[1] == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.once")
def test_two_rules_for_one_charge_roll_give_one_re_roll():
    battle = charging([1, 1, 1, 2], rerolls=[{**CHARGE, "name": "First"}, {**CHARGE, "name": "Second"}])
    assert len(words(battle)) == 3
    pick(battle, "Second")
    assert battle.decision is None or battle.decision.kind != "reroll"
    assert last(battle, "w10.charge.roll")["roll"] == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.once")
def test_in_a_batch_the_die_that_was_re_rolled_is_closed():
    """Two wound dice, 1 and 1: one is rolled again by each rule, and no third time."""
    battle = shooting([4, 4, 1, 1, 2, 3], A=2, abilities=["Twin-linked"], rerolls=[{"player": 0, "roll": "wound"}])
    pick(battle, "re-roll", kind="reroll-wound")
    pick(battle, "keep", kind="reroll-wound")
    assert battle.decision.kind == "reroll-die"
    assert slots(battle, "number") == [1]
    choose(battle, "number", 1)
    assert battle.decision is None or battle.decision.kind != "reroll-die"
    assert battle.models.wounds[1] == 3
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- before modifiers


@pytest.mark.rule("w10.concepts.reroll.before-modifiers")
def test_a_2_is_no_1_although_it_is_modified_to_1():
    """BS 4+ and -1 to hit, hit rolls of 1 are re-rolled: the 2 stays as it is, no further die is rolled."""
    battle = shooting([2, 6], modifiers=[MINUS_1, ONES])
    assert told(battle, "w10.concepts.reroll.optional") == []
    assert told(battle, "w10.attack.wound.roll") == []
    assert dice_left(battle) == 1


@pytest.mark.rule("w10.concepts.reroll.before-modifiers")
@pytest.mark.parametrize(("die", "hits"), [(5, True), (4, False)])
def test_a_1_is_re_rolled_and_then_modified(die, hits):
    """5 is modified to 4 and hits on 4+; 4 is modified to 3 and does not."""
    battle = shooting([1, die, *([1] if hits else [])], modifiers=[MINUS_1, ONES])
    (reroll,) = told(battle, "w10.concepts.reroll.optional")
    assert (reroll["extra"], reroll["die"]) == (1, die)
    assert bool(told(battle, "w10.attack.wound.roll")) is hits
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.before-modifiers")
def test_the_player_is_asked_about_the_die_as_it_fell():
    """An Advance roll is offered right after the die, before it is added to the Move of the unit."""
    scene = Scene()
    unit = scene.unit(0, sheet("Runner"), at=(10, 10))
    scene.unit(1, sheet("Far"), at=(50, 40))
    rerolls = [{"player": 0, "roll": "advance", "results": [1]}]
    battle = scene.battle("movement", dice=[1, 6], detail="full", rules={"rerolls": rerolls})
    pick(battle, "Advance", kind="move-kind")
    assert battle.decision.kind == "reroll"
    assert battle.units.advance[unit] == 0
    pick(battle, "re-roll the advance roll of 1")
    assert battle.units.advance[unit] == 6
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.before-modifiers")
def test_a_rule_for_1s_does_not_offer_a_2():
    scene = Scene()
    unit = scene.unit(0, sheet("Runner"), at=(10, 10))
    scene.unit(1, sheet("Far"), at=(50, 40))
    rerolls = [{"player": 0, "roll": "advance", "results": [1]}]
    battle = scene.battle("movement", dice=[2], detail="full", rules={"rerolls": rerolls})
    pick(battle, "Advance", kind="move-kind")
    assert battle.decision.kind != "reroll"
    assert battle.units.advance[unit] == 2


# ---------------------------------------------------------------- unmodified


@pytest.mark.rule("w10.concepts.reroll.unmodified")
def test_a_3_re_rolled_to_6_is_a_critical_hit_in_spite_of_minus_1():
    """Lethal Hits makes the Critical Hit visible: it wounds without a wound roll; then the save of 1 fails."""
    battle = shooting([3, 6, 1], abilities=["Lethal Hits"], modifiers=[MINUS_1], rerolls=[{"player": 0, "roll": "hit"}])
    pick(battle, "re-roll a hit roll of 3")
    assert len(told(battle, "w10.weapon.lethal-hits")) == 1
    assert told(battle, "w10.attack.wound.roll") == []
    assert battle.models.wounds[1] == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.unmodified")
def test_a_5_with_plus_1_is_no_critical_hit():
    battle = shooting([5, 4, 1], abilities=["Lethal Hits"], modifiers=[PLUS_1])
    assert told(battle, "w10.weapon.lethal-hits") == []
    assert len(told(battle, "w10.attack.wound.roll")) == 1
    assert battle.models.wounds[1] == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.reroll.unmodified")
def test_the_die_before_the_re_roll_does_not_count():
    """A 6 rolled again to 4 is no Critical Hit any more: it must be wounded."""
    battle = shooting([6, 4, 4, 1], abilities=["Lethal Hits"], rerolls=[{"player": 0, "roll": "hit"}])
    pick(battle, "re-roll a hit roll of 6")
    assert told(battle, "w10.weapon.lethal-hits") == []
    assert len(told(battle, "w10.attack.wound.roll")) == 1
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Battle-shock


@pytest.mark.rule("w10.concepts.reroll.optional", "w10.concepts.reroll.sum-all-dice")
@pytest.mark.parametrize(("answer", "dice", "shocked"), [("re-roll", [2, 2, 3, 4], 0), ("keep", [2, 2], 1)])
def test_a_battle_shock_test_may_be_re_rolled_where_a_rule_says_so(answer, dice, shocked):
    scene = Scene()
    unit = scene.unit(0, sheet("Few", Ld=7), at=[(10, 10), (12, 10), (14, 10), (16, 10)], lost=(1, 2, 3))
    scene.unit(1, sheet("Far"), at=(50, 40))
    battle = scene.battle(
        "command", dice=dice, detail="full", rules={"rerolls": [{"player": 0, "roll": "battle-shock"}]}
    )
    assert battle.decision.kind == "reroll"
    assert battle.units.shocked[unit] == 0
    pick(battle, answer)
    assert battle.units.shocked[unit] == shocked
    assert dice_left(battle) == 0


def test_a_re_roll_of_one_unit_is_not_offered_to_another():
    scene = Scene()
    scene.unit(0, sheet("First"), at=(10, 10))
    scene.unit(0, sheet("Second"), at=(20, 10))
    scene.unit(1, sheet("Far"), at=(50, 40))
    rules = {"rerolls": [{"player": 0, "roll": "advance", "unit": 1}]}
    battle = scene.battle("movement", dice=[1, 1], detail="full", rules=rules)
    pick(battle, "First", kind="select-to-move")
    pick(battle, "Advance")
    assert battle.decision.kind == "select-model"
    choose(battle, "done")
    pick(battle, "Advance")
    assert battle.decision.kind == "reroll"


def test_squad_detail_answers_re_rolls_by_the_average():
    """A Charge roll of 6 is rolled again, one of 7 is not."""
    battle = charging([3, 3, 5, 5], rerolls=[CHARGE], detail="squad")
    assert last(battle, "w10.charge.roll")["roll"] == 10
    battle = charging([3, 4], rerolls=[CHARGE], detail="squad")
    assert last(battle, "w10.charge.roll")["roll"] == 7
    play_until(battle, None, limit=200)


@pytest.mark.rule("w10.concepts.reroll.optional")
def test_a_rule_for_one_unit_does_not_help_another():
    """A row lets unit 1 re-roll hits. Unit 0 misses: with a CP Command Re-roll is all that it is offered."""
    scene = Scene()
    for x in (10, 14):
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=4)}), at=(x, 10))
    scene.unit(1, sheet("Target"), at=(12, 20))
    rules = {"rerolls": [{"player": 0, "roll": "hit", "unit": 1}], "stratagems": {"command-re-roll": "ask"}}
    battle = scene.battle("shooting", detail="full", cp=(1, 0), dice=[2, 2], rules=rules)
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    assert battle.decision.kind == "command-re-roll-die"
    pick(battle, "keep")
    choose(battle, "own", 1)
    choose(battle, "enemy", 0)
    assert battle.decision.kind == "reroll-die"
