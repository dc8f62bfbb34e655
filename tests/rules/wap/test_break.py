"""Break tests: who takes one, on what, in which order; steadfast, stubborn, unbreakable, unstable; losing frenzy."""

from __future__ import annotations

from typing import Any

import pytest
from charging import FLEE, HOLD, SHOOT, charge, facing_off
from results import play, rescored, scored, state

from wh_env import Battle
from wh_env.core.procedures import STEP
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.charge.reactions import is_frenzied, reactions_of
from wh_env.rulesets.wap.codes import BROKEN, DREW, FRONT, HELD, RIGHT, WON
from wh_env.rulesets.wap.combat.close_combat import FightCombat
from wh_env.rulesets.wap.rule_book import FRENZY, PANIC
from wh_env.rulesets.wap.special.psychology import immune_to
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.play import dice_left, script
from wh_env.testing.wap import RegimentScene, UnitHandle, square

SAVED = square(equipment=["heavy armour", "shield"])


def beaten(
    penalty: int, *, ld: int = 8, dice: tuple[int, ...] = (), models: int = 5, others: int = 5, **fields: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit in one rank that has lost to another by so much, after its break test; it is a player's unit and stands to the north."""
    scene = RegimentScene()
    winner = scene.unit(0, None, (24, 24), models=others, files=min(others, 10))
    loser = scene.beside(winner, 1, square(ld=ld, **fields), models=models, files=min(models, 10))
    battle = scored(scene, winner)
    battle.units.outcome[winner], battle.units.outcome[loser] = WON, HELD
    battle.units.penalty[loser] = penalty
    play(battle, BreakTests, dice=dice)
    return battle, winner, loser


@pytest.mark.rule("wap.break.who")
def test_only_the_beaten_side_tests() -> None:
    scene = RegimentScene()
    b = scene.unit(1, None, (24, 24), models=10, files=10)
    a = scene.beside(b, 0, along=-2.5, models=5)
    c = scene.beside(b, 0, along=2.5, models=5)
    battle = play(scored(scene, b, {(a, b): 2, (c, b): 1}), BreakTests, dice=[1, 1, 6, 6])
    tests = told(battle, "wap.break.test")
    assert [data["unit"] for data in tests] == [b.row] and dice_left(battle) == 2
    assert (battle.units.outcome[a], battle.units.outcome[c], battle.units.outcome[b]) == (WON, WON, HELD)


@pytest.mark.rule("wap.result.draw")
def test_nobody_tests_after_a_draw() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=10)
    b = scene.beside(a, 1, models=10)
    battle = play(scored(scene, a, {(a, b): 4, (b, a): 4}), BreakTests, dice=[6, 6])
    assert dice_left(battle) == 2 and battle.units.outcome[a] == battle.units.outcome[b] == DREW
    assert battle.units.fights[a] == 1 and not battle.units.fleeing[b]


@pytest.mark.rule("wap.break.test")
@pytest.mark.parametrize(("dice", "outcome"), [((3, 4), BROKEN), ((3, 3), BROKEN), ((2, 3), HELD), ((1, 1), HELD)])
def test_two_dice_against_leadership_less_the_difference(dice: tuple[int, int], outcome: int) -> None:
    battle, _, loser = beaten(3, dice=dice)
    assert battle.units.outcome[loser] == outcome and dice_left(battle) == 0
    assert told(battle, "wap.break.test")[0]["leadership"] == 5


@pytest.mark.rule("wap.break.automatic")
def test_without_leadership_left_no_dice_are_rolled() -> None:
    battle, _, loser = beaten(5, ld=5, dice=(1, 1))
    assert battle.units.outcome[loser] == BROKEN and dice_left(battle) == 2
    assert told(battle, "wap.break.automatic")
    battle, _, loser = beaten(4, ld=5, dice=(1, 1))
    assert battle.units.outcome[loser] == BROKEN and dice_left(battle) == 0
    assert not told(battle, "wap.break.automatic")
    battle, _, loser = beaten(3, ld=5, dice=(1, 1))
    assert battle.units.outcome[loser] == HELD


# ---------------------------------------------------------------- steadfast


def losing(mine: int, theirs: int, files: int = 5, card: Any = None, **fields: Any) -> tuple[Battle, UnitHandle]:
    """A unit with so many men left that has lost to one of so many, as it was scored."""
    scene = RegimentScene()
    a = scene.unit(0, card, (24, 24), models=mine + 1, files=files, **fields)
    b = scene.beside(a, 1, models=theirs, files=min(theirs, 5))
    battle = rescored(scored(scene, a, {(b, a): 1}), {(b, a): 8})
    assert battle.units.outcome[a] == HELD
    return battle, a


@pytest.mark.rule("wap.break.steadfast.conditions")
@pytest.mark.parametrize(
    ("mine", "theirs", "files", "firm"),
    [(12, 9, 5, True), (12, 12, 5, False), (12, 11, 5, True), (9, 6, 5, False), (10, 6, 5, True), (12, 9, 4, False)],
)
def test_a_stronger_unit_of_ten_with_a_rank_of_five_is_steadfast(
    mine: int, theirs: int, files: int, firm: bool
) -> None:
    battle, a = losing(mine, theirs, files)
    assert battle.units.alive[a] == mine and battle.units.steadfast[a] == firm


@pytest.mark.rule("wap.break.steadfast.conditions")
def test_monstrous_troops_need_a_rank_of_three() -> None:
    ogre = {"type": "monstrous infantry", "base_mm": (40, 40), "points": 30, "profile": square()["profile"]}
    for files, firm in ((3, True), (2, False)):
        battle, a = losing(4, 9, files, ogre)  # 12 against 9
        assert battle.units.steadfast[a] == firm


@pytest.mark.rule("wap.break.steadfast.effect")
@pytest.mark.parametrize(("dice", "outcome"), [((3, 4), HELD), ((4, 4), BROKEN)])
def test_a_steadfast_unit_tests_on_its_full_leadership(dice: tuple[int, int], outcome: int) -> None:
    battle, a = losing(20, 5, card=square(ld=7))
    assert battle.units.penalty[a] >= 4
    battle.units.penalty[a] = 9
    play(battle, BreakTests, dice=dice)
    assert battle.units.outcome[a] == outcome and dice_left(battle) == 0
    assert told(battle, "wap.break.steadfast.effect")[0]["leadership"] == 7
    assert not told(battle, "wap.break.automatic")


def between(front: int, flank: int, card: Any = None) -> tuple[Battle, UnitHandle]:
    """25 men that lose by 4 to enemies of so many at their front and in their flank."""
    scene = RegimentScene()
    c = scene.unit(0, card or square(ld=7), (24, 24), models=29, files=5)
    a = scene.beside(c, 1, models=front, files=4)
    scene.beside(c, 1, side=RIGHT, models=flank, files=3)
    battle = scored(scene, c, {(a, c): 4})
    return battle, c


@pytest.mark.rule("wap.break.steadfast.exclusions")
def test_the_disorganised_are_not_steadfast() -> None:
    battle, c = between(8, 10)
    assert battle.units.us[c] == 25 and not battle.units.steadfast[c]
    assert (
        battle.units.penalty[c] == 4 and state(battle, c)["disorganised"]
    )  # 4 wounds and a flank against their number
    play(battle, BreakTests, dice=[1, 2])
    assert told(battle, "wap.break.test")[0]["leadership"] == 3 and battle.units.outcome[c] == HELD
    battle, c = between(8, 9)
    battle.units.outcome[c] = HELD
    assert not state(battle, c)["disorganised"]


@pytest.mark.rule("wap.break.steadfast.exclusions")
def test_with_a_weaker_flanker_they_test_on_their_leadership() -> None:
    scene = RegimentScene()
    c = scene.unit(0, square(ld=7), (24, 24), models=33, files=5)
    a = scene.beside(c, 1, models=8, files=4)
    scene.beside(c, 1, side=RIGHT, models=9, files=3)
    battle = scored(scene, c, {(a, c): 8})  # 8 and a flank against 3 ranks and their number
    assert battle.units.us[c] == 25 and battle.units.steadfast[c] and battle.units.penalty[c] == 5
    play(battle, BreakTests, dice=[3, 4])
    assert battle.units.outcome[c] == HELD


@pytest.mark.rule("wap.break.steadfast.exclusions")
def test_skirmishers_are_not_steadfast() -> None:
    battle, a = losing(20, 5, card=square(rules=["Skirmishers"]))
    assert not battle.units.steadfast[a]
    battle, a = losing(20, 5)
    assert battle.units.steadfast[a]


@pytest.mark.rule("wap.special.stubborn")
def test_the_stubborn_are_always_steadfast() -> None:
    def flanked(card: dict[str, Any], models: int, command: tuple[str, ...] = ()) -> tuple[Battle, UnitHandle]:
        scene = RegimentScene()
        c = scene.unit(0, card, (24, 24), models=models, files=3, command=command)
        a = scene.beside(c, 1, models=10, files=1)
        scene.beside(c, 1, side=RIGHT, models=10, files=1)
        battle = rescored(scored(scene, c), {(a, c): 1})
        battle.units.penalty[c] = 5
        return play(battle, BreakTests, dice=[4, 5]), c

    battle, c = flanked(square(ld=9, rules=["Stubborn"]), 6)
    assert battle.units.steadfast[c] and battle.units.outcome[c] == HELD
    assert told(battle, "wap.break.steadfast.effect")[0]["leadership"] == 9
    battle, c = flanked(square(ld=9), 6)
    assert not battle.units.steadfast[c] and told(battle, "wap.break.test")[0]["leadership"] == 4
    # one of two is no majority, one of one is
    for models, firm in ((2, False), (1, True)):
        battle, c = flanked(square(ld=9, champion_rules=["Stubborn"]), models, ("champion",))
        assert battle.units.steadfast[c] == firm


@pytest.mark.rule("wap.special.stubborn")
@pytest.mark.parametrize(("firm", "leadership"), [(4, 9), (3, 4)])
def test_half_of_a_unit_is_no_majority_of_the_stubborn(firm: int, leadership: int) -> None:
    """Six of Leadership 9 have lost by 5 to 20, of whom 10 stand in their flank; so many of them have the stubborn one's profile."""
    scene = RegimentScene()
    c = scene.unit(0, square(ld=9, champion_rules=["Stubborn"]), (24, 24), models=6, files=3, command=("champion",))
    a = scene.beside(c, 1, models=10, files=1)
    scene.beside(c, 1, side=RIGHT, models=10, files=1)

    def mixed(battle: Battle) -> None:
        for n in range(firm):
            battle.models.line[c.model(n)] = battle.models.line[c.model(0)]

    battle = rescored(scored(scene, c, set_state=mixed), {(a, c): 1})
    assert state(battle, c)["disorganised"] and battle.units.us[c] == 6
    battle.units.penalty[c] = 5
    play(battle, BreakTests, dice=[2, 3])
    rule = "wap.break.steadfast.effect" if firm == 4 else "wap.break.test"
    assert told(battle, rule)[0]["leadership"] == leadership
    assert battle.units.outcome[c] == (HELD if firm == 4 else BROKEN)


# ---------------------------------------------------------------- without a test


@pytest.mark.rule("wap.special.unbreakable")
def test_the_unbreakable_hold_without_dice() -> None:
    battle, _, loser = beaten(12, dice=(6, 6), rules=["Unbreakable"])
    assert battle.units.outcome[loser] == HELD and dice_left(battle) == 2
    assert told(battle, "wap.special.unbreakable")[0]["unit"] == loser.row
    assert battle.units.alive[loser] == 5


@pytest.mark.rule("wap.special.unstable")
def test_the_unstable_crumble() -> None:
    battle, _, loser = beaten(
        4, dice=(6, 6), models=20, others=30, rules=["Unstable"], equipment=["heavy armour", "shield"]
    )
    assert not battle.units.steadfast[loser]
    assert battle.units.alive[loser] == 16 and dice_left(battle) == 2  # no test, no saves
    assert battle.units.outcome[loser] == HELD and not told(battle, "wap.break.test")


@pytest.mark.rule("wap.special.unstable")
def test_the_unstable_can_crumble_to_nothing() -> None:
    battle, winner, loser = beaten(9, rules=["Unstable"])
    assert battle.units.alive[loser] == 0 and battle.units.fights[winner] == 0


@pytest.mark.rule("wap.special.unstable.steadfast")
@pytest.mark.parametrize(("penalty", "lost"), [(4, 3), (1, 0)])
def test_steadfast_ones_lose_one_less(penalty: int, lost: int) -> None:
    scene = RegimentScene()
    winner = scene.unit(0, None, (24, 24), models=5)
    loser = scene.beside(winner, 1, square(rules=["Unstable"]), models=20, files=5)
    battle = scored(scene, winner)
    battle.units.outcome[loser], battle.units.penalty[loser], battle.units.steadfast[loser] = HELD, penalty, 1
    play(battle, BreakTests)
    assert battle.units.alive[loser] == 20 - lost


# ---------------------------------------------------------------- frenzy


@pytest.mark.rule("wap.special.frenzy.loss")
@pytest.mark.parametrize(("hurt", "keeps"), [(1, False), (0, True)])
def test_who_is_beaten_loses_his_frenzy(hurt: int, keeps: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(rules=["Frenzy"]), (24, 24), models=10 + hurt, files=10)
    b = scene.beside(a, 1, square(rules=["Frenzy"]), models=10, files=10)
    battle = play(scored(scene, a, {(b, a): hurt}), BreakTests, dice=[1, 1])
    assert battle.units.outcome[a] == (DREW if keeps else HELD)
    assert models_have(battle, a.row, FRENZY) == keeps and models_have(battle, b.row, FRENZY)
    assert bool(told(battle, "wap.special.frenzy.loss")) != keeps


# ---------------------------------------------------------------- several units


def three(detail: str = "full", player: int = 0, **fields: Any) -> tuple[Battle, list[UnitHandle]]:
    """Two units of player 1 that have lost to one of player 0."""
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=20, files=10)
    b = scene.beside(a, 1, square(ld=8, **fields), along=2.5, models=5, name="b")
    c = scene.beside(a, 1, square(ld=8), along=-2.5, models=5, name="c")
    battle = scored(scene, a, {(a, b): 1, (a, c): 1}, detail=detail, player=player)
    return battle, [a, b, c]


@pytest.mark.rule("wap.multi.break.order")
@pytest.mark.parametrize("player", [0, 1])
def test_the_player_whose_turn_it_is_orders_the_tests(player: int) -> None:
    battle, (_, b, c) = three(player=player)
    play(battle, BreakTests, dice=[1, 1, 6, 6])
    assert kind(battle) == "break-order" and battle.decision is not None and battle.decision.player == player
    segment = "enemy" if player == 0 else "own"
    assert slots(battle, segment) == [0, 1]
    choose(battle, segment, 1)
    assert [data["unit"] for data in told(battle, "wap.break.test") if "roll" in data] == [c.row, b.row]
    assert (battle.units.outcome[c], battle.units.outcome[b]) == (HELD, BROKEN)
    assert not battle.units.fleeing[b]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.rule("wap.multi.break.order")
def test_each_rolls_its_own_dice_before_anybody_pursues_or_flees(first: int) -> None:
    """Two tests in the order said: what the dice are meant for changes with it, and only then the winner is asked, with no flee die rolled."""
    battle, (a, b, c) = three()
    battle.push(FightCombat, a.row)
    battle.stack[battle.frame + STEP] = FightCombat.Step.BREAK
    script(battle, [6, 5, 5, 6, 3, 3])
    battle.run()
    assert kind(battle) == "break-order" and not told(battle, "wap.break.test")
    choose(battle, "enemy", first)
    rolled = [(data["unit"], data["roll"]) for data in told(battle, "wap.break.test") if "roll" in data]
    assert rolled == [((b, c)[first].row, 11), ((b, c)[1 - first].row, 11)]
    assert kind(battle) == "pursue" and dice_left(battle) == 2
    assert not told(battle, "wap.pursuit.flee-roll") and not told(battle, "wap.pursuit.restrain-test")
    assert not battle.units.fleeing[b] and not battle.units.fleeing[c]


def test_at_squad_detail_the_order_is_not_asked() -> None:
    battle, (_, b, c) = three("squad")
    play(battle, BreakTests, dice=[6, 6, 1, 1])
    assert kind(battle) is None
    assert (battle.units.outcome[b], battle.units.outcome[c]) == (BROKEN, HELD)


@pytest.mark.rule("wap.multi.break.order")
def test_who_needs_no_dice_is_not_ordered() -> None:
    battle, (_, b, c) = three(rules=["Unbreakable"])
    play(battle, BreakTests, dice=[6, 6])
    assert kind(battle) is None
    assert (battle.units.outcome[b], battle.units.outcome[c]) == (HELD, BROKEN)


def example(ld: int = 7) -> tuple[Battle, list[UnitHandle]]:
    """Halberdiers against orcs at their front and goblins in their flank (the source's example), as they stand after casualties."""
    scene = RegimentScene(size=(72, 48))
    halberds = scene.unit(0, None, (36, 24), models=25, files=5, command=("standard",), name="halberdiers")
    orcs = scene.beside(halberds, 1, models=17, files=5, command=("standard",), name="orcs")
    goblins = scene.beside(halberds, 1, square(ld=ld), side=RIGHT, models=9, files=5, name="goblins")
    wounds = {(halberds, orcs): 2, (halberds, goblins): 4, (orcs, halberds): 4, (goblins, halberds): 1}
    return scored(scene, halberds, wounds), [halberds, orcs, goblins]


@pytest.mark.rule("wap.multi.example")
@pytest.mark.rule("wap.multi.side-score")
@pytest.mark.rule("wap.multi.break.individual")
@pytest.mark.rule("wap.multi.break.draw")
@pytest.mark.rule("wap.multi.break.cap")
def test_the_worked_example() -> None:
    battle, (halberds, orcs, goblins) = example()
    u = battle.units
    # 20, 15 and 5 are left: the greenskins do not outnumber, nor do the halberdiers ...
    assert [u.us[unit] for unit in (halberds, orcs, goblins)] == [20, 15, 5]
    assert [data["totals"] for data in told(battle, "wap.result.sum")] == [10, 9]
    # ... with one goblin less they do, and goblins of 4 would have no flank: so the halberdiers are one more
    scene = RegimentScene(size=(72, 48))
    halberds = scene.unit(0, None, (36, 24), models=26, files=5, command=("standard",))
    orcs = scene.beside(halberds, 1, models=17, files=5, command=("standard",))
    goblins = scene.beside(halberds, 1, square(ld=7), side=RIGHT, models=9, files=5)
    wounds = {(halberds, orcs): 2, (halberds, goblins): 4, (orcs, halberds): 4, (goblins, halberds): 1}
    battle = scored(scene, halberds, wounds)
    u = battle.units
    assert [data["totals"] for data in told(battle, "wap.result.sum")] == [11, 9]
    assert told(battle, "wap.result.winner")[0]["amount"] == 2
    assert (state(battle, orcs)["own"], state(battle, orcs)["against"]) == (7, 7)
    assert (state(battle, goblins)["own"], state(battle, goblins)["against"]) == (2, 9)
    assert (u.outcome[orcs], u.penalty[orcs]) == (DREW, 0)
    assert (u.outcome[goblins], u.penalty[goblins]) == (HELD, 2)
    play(battle, BreakTests, dice=[1, 4])
    assert [(data["unit"], data["leadership"]) for data in told(battle, "wap.break.test")] == [(goblins.row, 5)]
    assert u.outcome[goblins] == HELD


@pytest.mark.rule("wap.special.unstable.multiple-combat")
def test_unstable_units_crumble_by_their_own_capped_difference() -> None:
    def fight(orcs_rules: list[str], goblin_rules: list[str]) -> list[int]:
        scene = RegimentScene(size=(72, 48))
        halberds = scene.unit(0, None, (36, 24), models=26, files=5, command=("standard",))
        orcs = scene.beside(halberds, 1, square(rules=orcs_rules), models=17, files=5, command=("standard",))
        goblins = scene.beside(halberds, 1, square(rules=goblin_rules), side=RIGHT, models=9, files=5)
        wounds = {(halberds, orcs): 2, (halberds, goblins): 4, (orcs, halberds): 4, (goblins, halberds): 1}
        battle = play(scored(scene, halberds, wounds), BreakTests, dice=[1, 1])
        return [battle.units.alive[orcs], battle.units.alive[goblins]]

    assert fight([], ["Unstable"]) == [15, 3]  # lost by 7 on a side that lost by 2
    assert fight(["Unstable"], []) == [15, 5]  # it drew its own fight


@pytest.mark.rule("wap.multi.disorganised")
def test_the_disorganised_have_ranks_against_nobody() -> None:
    for models, ranks in ((10, 0), (9, 3)):
        scene = RegimentScene()
        c = scene.unit(0, None, (24, 24), models=20, files=5)
        a = scene.beside(c, 1, models=5)
        b = scene.beside(c, 1, side=RIGHT, models=models, files=5)
        battle = scored(scene, c)
        outnumber = 5 + models < 20
        assert [state(battle, unit)["against"] for unit in (a, b)] == [ranks + outnumber] * 2


@pytest.mark.rule("wap.multi.steadfast")
def test_strengths_of_a_side_are_added_up() -> None:
    def fight(x: int, y: int, disorganises: int = 0) -> tuple[list[int], list[int]]:
        scene = RegimentScene(size=(72, 72))
        winner = scene.unit(0, None, (36, 36), models=20 - disorganises, files=10)
        one = scene.beside(winner, 1, along=-2.5, models=x, files=5)
        two = scene.beside(winner, 1, along=2.5, models=y, files=3)
        if disorganises:
            scene.beside(two, 0, side=RIGHT, models=disorganises, files=2)
        battle = rescored(scored(scene, winner), {(winner, one): 9, (winner, two): 9})
        assert battle.units.outcome[one] == battle.units.outcome[two] == HELD
        return [battle.units.steadfast[unit] for unit in (one, two)], [battle.units.us[unit] for unit in (one, two)]

    assert fight(12, 9) == ([1, 0], [12, 9])  # 21 against 20; nine are too few
    assert fight(11, 9) == ([0, 0], [11, 9])
    assert fight(12, 9, 10)[0] == [0, 0]  # y is disorganised: 12 against 20


@pytest.mark.rule("wap.multi.definition")
def test_four_units_linked_by_contact_have_one_result() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=20, files=5)
    b = scene.beside(a, 1, along=-2.5, models=20, files=5)
    c = scene.unit(0, None, (29.5, 24), models=20, files=5)
    d = scene.beside(c, 1, along=-3, models=20, files=5)
    battle = scored(scene, a, {(c, d): 3})
    assert [data["unit"] for data in told(battle, "wap.result.state")] == sorted([a.row, b.row, c.row, d.row])
    assert len(told(battle, "wap.result.sum")) == 2 and len(told(battle, "wap.result.winner")) == 1
    assert battle.units.outcome[a] == battle.units.outcome[c] == WON
    assert FRONT in state(battle, d)["sides"]


@pytest.mark.rule("wap.special.unbreakable")
@pytest.mark.parametrize(
    ("rules", "options"), [(["Unbreakable"], [HOLD, SHOOT]), (["Unstable"], [HOLD, SHOOT]), ([], [HOLD, SHOOT, FLEE])]
)
def test_the_unbreakable_never_choose_to_flee(rules: list[str], options: list[int]) -> None:
    scene, a, b = facing_off(7.0, foe=square(rules=rules, equipment=["hand weapon", "short bow"]))
    battle = scene.battle("movement")
    charge(battle, a, b)
    assert kind(battle) == "charge-reaction" and slots(battle, "option") == options
    scene, a, b = facing_off(7.0, foe=square(rules=rules))
    assert FLEE in reactions_of(scene.battle("movement"), b.row, a.row) or rules


@pytest.mark.rule("wap.special.frenzy.loss")
def test_all_that_frenzy_gives_is_lost_with_it() -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(rules=["Frenzy"]), (24, 24), models=11, files=11)
    b = scene.beside(a, 1, models=10, files=10)
    battle = scored(scene, a)
    line = battle.units.first_line[a]

    def effects() -> tuple[int, bool, bool]:
        return (
            blow_of(battle, a.row, line, b.row).attacks,
            immune_to(battle, a.row, PANIC),
            is_frenzied(battle, a.row),
        )

    assert effects() == (2, True, True)
    rescored(battle, {(b, a): 5})
    assert battle.units.outcome[a] == HELD and effects() == (1, False, False)


@pytest.mark.rule("wap.special.frenzy.loss")
def test_a_champion_alone_loses_his_frenzy() -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(champion_rules=["Frenzy"]), (24, 24), models=10, files=10, command=("champion",))
    b = scene.beside(a, 1, models=10, files=10)
    battle = scored(scene, a)
    assert is_frenzied(battle, a.row)
    rescored(battle, {(b, a): 5})
    assert told(battle, "wap.special.frenzy.loss") and not is_frenzied(battle, a.row)
