"""The result of a round of close combat: what is counted, when, for whom."""

from __future__ import annotations

import pytest
from results import play, scored, side, state

from wh_env.core.procedures import STEP
from wh_env.rulesets.wap.basics.contacts import tally
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import CHARGED, DREW, FRONT, HELD, LEFT, REAR, RIGHT, WON
from wh_env.rulesets.wap.combat.close_combat import FightCombat
from wh_env.rulesets.wap.result.scoring import score_combat
from wh_env.testing import kind, slots, told
from wh_env.testing.play import dice_left, script
from wh_env.testing.wap import RegimentScene, UnitHandle, square

HORSE = {"type": "cavalry", "base_mm": (25.4, 50.8), "points": 20, "profile": square()["profile"]}
OGRE = {"type": "monstrous infantry", "base_mm": (40, 40), "points": 30, "profile": {**square()["profile"], "w": 3}}


def facing(
    models: int = 10, others: int = 10, files: int = 5, **fields
) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """Two units front to front."""
    scene = RegimentScene()
    mine = scene.unit(0, None, (24, 24), models=models, files=files, **fields)
    return scene, mine, scene.beside(mine, 1, models=others, files=5)


@pytest.mark.rule("wap.result.state")
def test_bonuses_are_judged_after_casualties() -> None:
    for lost, other_lost, better in ((3, 3, 0), (4, 2, 1)):
        scene, a, b = facing(10, 9)
        battle = scored(scene, a, {(b, a): lost, (a, b): other_lost})
        assert [side(battle, player)["outnumber"] for player in (0, 1)] == [int(better == 0), int(better == 1)]
        assert state(battle, a)["strength"] == 10 - lost


@pytest.mark.rule("wap.result.sum")
@pytest.mark.rule("wap.result.winner")
def test_a_result_is_the_sum_of_wounds_and_bonuses() -> None:
    scene, a, b = facing(17, 25, command=("standard",))
    battle = scored(scene, a, {(a, b): 3, (b, a): 2}, charging=[a])
    battle_ranks = side(battle, 1).pop("ranks")
    mine = side(battle, 0)
    # 15 men in three ranks: 3 + 1 + 2 + 1; 22 men in 4 ranks and 2: 2 + 1 and their ranks
    assert (mine["wounds"], mine["charge"], mine["ranks"], mine["standards"], mine["totals"]) == (3, 1, 2, 1, 7)
    assert side(battle, 1)["totals"] - battle_ranks == 3
    assert [data["amount"] for data in told(battle, "wap.result.winner")] == [1]
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=17, files=5, command=("standard",))
    b = scene.beside(a, 1, models=22, files=4)  # too narrow for ranks
    battle = scored(scene, a, {(a, b): 3, (b, a): 2}, charging=[a])
    assert [side(battle, player)["totals"] for player in (0, 1)] == [7, 3]
    assert told(battle, "wap.result.winner")[0] == {"winner": 0, "totals": (7, 3), "amount": 4}
    assert (battle.units.outcome[a], battle.units.outcome[b], battle.units.penalty[b]) == (WON, HELD, 4)


@pytest.mark.rule("wap.result.wounds")
def test_wounds_count_not_models() -> None:
    scene = RegimentScene()
    ogres = scene.unit(0, OGRE, (24, 24), models=3, files=3)
    men = scene.beside(ogres, 1, models=10)
    battle = scored(scene, ogres, {(men, ogres): 4})
    assert battle.units.alive[ogres] == 2 and side(battle, 1)["wounds"] == 4


@pytest.mark.rule("wap.result.wounds.friendly")
def test_what_a_friend_does_counts_for_nobody() -> None:
    scene, a, b = facing(10, 10)
    battle = scored(scene, a, {(a, b): 2})
    battle.recorder.clear()
    suffer(battle, b.row, 1)
    score_combat(battle)
    assert battle.units.alive[b] == 7 and side(battle, 0)["wounds"] == 2


@pytest.mark.rule("wap.result.charge")
def test_who_charged_this_turn_has_a_bonus() -> None:
    scene, a, b = facing(10, 10)
    battle = scored(scene, a, {(a, b): 2, (b, a): 2}, charging=[a])
    assert [side(battle, player)["totals"] - 1 for player in (0, 1)] == [
        2 + 0,
        2 - 1,
    ]  # ranks of 8: one and 3 men, no bonus
    assert told(battle, "wap.result.winner")[0]["amount"] == 1
    scene, a, b = facing(10, 10)
    battle = scored(scene, a, {(a, b): 2, (b, a): 2})
    assert side(battle, 0)["charge"] == 0 and told(battle, "wap.result.draw")


@pytest.mark.rule("wap.result.charge.multiple")
def test_each_charging_unit_adds_its_own() -> None:
    scene = RegimentScene()
    b = scene.unit(1, None, (24, 24), models=20, files=10)
    one = scene.beside(b, 0, along=-2.5, models=5)
    two = scene.beside(b, 0, along=2.5, models=5)
    battle = scored(scene, b, charging=[one, two])
    assert side(battle, 0)["charge"] == 2 and side(battle, 0)["totals"] == 2
    assert [state(battle, unit)["own"] for unit in (one, two)] == [1, 1]


@pytest.mark.rule("wap.result.ranks")
def test_ranks_are_counted_after_losses_up_to_three() -> None:
    for lost, bonus in ((6, 2), (0, 3)):
        scene, a, b = facing(25, 10)
        battle = scored(scene, a, {(b, a): lost})
        assert side(battle, 0)["ranks"] == bonus, lost


@pytest.mark.rule("wap.result.ranks.incomplete")
@pytest.mark.parametrize(("models", "bonus"), [(19, 2), (18, 1)])
def test_a_short_rank_of_five_counts(models: int, bonus: int) -> None:
    scene, a, _ = facing(models, 10, files=7)
    assert side(scored(scene, a), 0)["ranks"] == bonus


@pytest.mark.rule("wap.result.ranks.width")
def test_narrow_units_have_no_rank_bonus() -> None:
    scene, a, _ = facing(16, 10, files=4)
    assert side(scored(scene, a), 0)["ranks"] == 0
    scene = RegimentScene()
    ogres = scene.unit(0, OGRE, (24, 24), models=9, files=3)
    scene.beside(ogres, 1)
    assert side(scored(scene, ogres), 0)["ranks"] == 2


@pytest.mark.rule("wap.result.ranks.several-units")
@pytest.mark.parametrize(("arc", "bonus"), [(FRONT, 3), (LEFT, 5)])
def test_ranks_of_several_units_add_up_on_different_sides(arc: int, bonus: int) -> None:
    scene = RegimentScene()
    c = scene.unit(1, None, (24, 24), models=20, files=10)
    a = scene.beside(c, 0, along=-2.5, models=20, files=5)
    scene.beside(c, 0, side=arc, along=2.5 if arc == FRONT else 0, models=15, files=5)
    assert side(scored(scene, a), 0)["ranks"] == bonus


def flanked(strength: int, models: int = 20) -> tuple[RegimentScene, UnitHandle, UnitHandle, UnitHandle]:
    """A unit in ranks of five with an enemy at its front and one of so many men in its right flank."""
    scene = RegimentScene()
    c = scene.unit(0, None, (24, 24), models=models, files=5)
    front = scene.beside(c, 1, models=5)
    return scene, c, front, scene.beside(c, 1, side=RIGHT, models=strength, files=min(5, strength))


@pytest.mark.rule("wap.result.disorganised")
@pytest.mark.parametrize("arc", [RIGHT, REAR, LEFT])
def test_a_strong_enemy_in_flank_or_rear_disorganises(arc: int) -> None:
    for strength, ranks in ((10, 0), (9, 3)):
        scene = RegimentScene()
        c = scene.unit(0, None, (24, 24), models=28, files=5)
        front = scene.beside(c, 1, models=5)
        scene.beside(c, 1, side=arc, models=strength, files=5)
        battle = scored(scene, c, {(front, c): 8})
        assert side(battle, 0)["ranks"] == ranks and battle.units.outcome[c] == HELD
        assert state(battle, c)["disorganised"] == (strength == 10)
        assert state(battle, c)["steadfast"] == (strength == 9)  # 20 against 5 + 9


def test_no_enemy_at_the_front_disorganises() -> None:
    scene, a, _ = facing(20, 30)
    assert not state(scored(scene, a), a)["disorganised"]


@pytest.mark.rule("wap.result.disorganised.recovered")
def test_a_flanker_that_shrinks_disorganises_no_more() -> None:
    scene, c, _, flank = flanked(12)
    battle = scored(scene, c, {(c, flank): 3})
    assert side(battle, 0)["ranks"] == 3 and not state(battle, c)["disorganised"]
    scene, c, _, flank = flanked(12)
    assert side(scored(scene, c, {(c, flank): 2}), 0)["ranks"] == 0


@pytest.mark.rule("wap.result.outnumber")
def test_the_stronger_side_has_one_point() -> None:
    for men, expected in ((15, 1), (14, 0)):
        scene = RegimentScene()
        foot = scene.unit(0, None, (24, 24), models=men, files=4)
        scene.beside(foot, 1, HORSE, models=7, files=7)
        battle = scored(scene, foot)
        assert [side(battle, player)["outnumber"] for player in (0, 1)] == [expected, 0]
    scene = RegimentScene()
    riders = scene.unit(1, HORSE, (24, 24), models=7, files=7)
    scene.beside(riders, 0, along=-2.5, models=10, files=5)
    scene.beside(riders, 0, along=2.5, models=5, files=5)
    assert side(scored(scene, riders), 0)["outnumber"] == 1


@pytest.mark.rule("wap.result.standard")
def test_every_unit_with_a_standard_adds_one() -> None:
    scene = RegimentScene()
    b = scene.unit(1, None, (24, 24), models=20, files=10, command=("standard",))
    scene.beside(b, 0, along=-2.5, models=5, command=("standard",))
    scene.beside(b, 0, along=2.5, models=5, command=("champion", "standard", "musician"))
    battle = scored(scene, b)
    assert [side(battle, player)["standards"] for player in (0, 1)] == [2, 1]


@pytest.mark.rule("wap.command.standard.combat-result")
def test_a_standard_decides_between_equals() -> None:
    scene, a, b = facing(10, 10, command=("standard",))
    battle = scored(scene, a, {(a, b): 2, (b, a): 2})
    assert [side(battle, player)["totals"] for player in (0, 1)] == [3, 2]
    assert told(battle, "wap.result.winner")[0]["amount"] == 1
    # the bearer is the last to fall
    scene, a, b = facing(10, 10, command=("standard",))
    battle = scored(scene, a, {(b, a): 9})
    assert side(battle, 0)["standards"] == 1


@pytest.mark.rule("wap.result.flank")
@pytest.mark.parametrize(("lost", "bonus"), [(0, 1), (1, 0)])
def test_a_flank_attack_needs_a_strength_of_five(lost: int, bonus: int) -> None:
    scene = RegimentScene()
    c = scene.unit(0, None, (24, 24), models=20, files=5)
    flank = scene.beside(c, 1, side=LEFT, models=5)
    assert side(scored(scene, c, {(c, flank): lost}), 1)["arcs"] == bonus


@pytest.mark.rule("wap.result.flank.both")
@pytest.mark.parametrize(("right", "bonus"), [(8, 2), (5, 2), (4, 1)])
def test_both_flanks_give_two(right: int, bonus: int) -> None:
    scene = RegimentScene()
    c = scene.unit(0, None, (24, 24), models=30, files=5)
    scene.beside(c, 1, side=LEFT, models=6, files=6)
    scene.beside(c, 1, side=RIGHT, models=right, files=4)
    assert side(scored(scene, c), 1)["arcs"] == bonus


@pytest.mark.rule("wap.result.rear")
@pytest.mark.parametrize(("riders", "bonus"), [(3, 2), (2, 0)])
def test_a_rear_attack_gives_two(riders: int, bonus: int) -> None:
    scene = RegimentScene()
    c = scene.unit(0, None, (24, 24), models=20, files=5)
    scene.beside(c, 1, HORSE, side=REAR, models=riders, files=riders)
    assert side(scored(scene, c), 1)["arcs"] == bonus


@pytest.mark.rule("wap.result.flank-rear.together")
def test_each_side_gives_its_bonus_once() -> None:
    def bonus(*places: tuple[int, float, int]) -> int:
        scene = RegimentScene()
        c = scene.unit(0, None, (24, 24), models=50, files=5)
        for arc, along, models in places:
            scene.beside(c, 1, side=arc, along=along, models=models, files=5)
        return int(side(scored(scene, c), 1)["arcs"])

    assert bonus((LEFT, 0, 5), (REAR, 0, 10)) == 3
    assert bonus((LEFT, -2.5, 5), (LEFT, 2.5, 5)) == 1
    assert bonus((LEFT, 0, 5), (RIGHT, 0, 5), (REAR, 0, 5)) == 4
    assert bonus((FRONT, 0, 10)) == 0


@pytest.mark.rule("wap.result.draw")
def test_equal_results_are_a_draw() -> None:
    scene, a, b = facing(10, 10)
    battle = scored(scene, a, {(a, b): 4, (b, a): 4})
    assert [side(battle, player)["totals"] for player in (0, 1)] == [4, 4]
    assert told(battle, "wap.result.draw")[0]["winner"] == -1
    assert battle.units.outcome[a] == battle.units.outcome[b] == DREW
    assert battle.units.penalty[a] == battle.units.penalty[b] == 0


@pytest.mark.rule("wap.result.annihilation")
def test_who_wipes_the_others_out_has_won() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=5)
    b = scene.beside(a, 1, models=5, command=("standard",))
    battle = scored(scene, a, {(a, b): 5, (b, a): 4})
    battle.recorder.clear()
    tally(battle, b.row, a.row, 20)  # whatever the score
    score_combat(battle)
    assert told(battle, "wap.result.annihilation")[0]["winner"] == 0
    assert battle.units.outcome[a] == WON and battle.units.penalty[a] == 0
    assert not told(battle, "wap.result.winner")


@pytest.mark.rule("wap.result.annihilation")
@pytest.mark.parametrize("charged", [True, False])
def test_who_has_nobody_left_to_fight_overruns_or_reforms(charged: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=10)
    b = scene.beside(a, 1, models=5, command=("standard",))
    battle = scored(scene, a, {(a, b): 5})
    battle.units.did[a] = CHARGED if charged else 0
    battle.push(FightCombat, a.row)
    battle.stack[battle.frame + STEP] = FightCombat.Step.BREAK
    script(battle, [6, 6])
    battle.run()
    assert kind(battle) == "after-victory" and dice_left(battle) == 2
    overrun, reform, stay = range(3)
    assert slots(battle, "option") == [overrun, reform, stay][0 if charged else 1 :]


@pytest.mark.rule("wap.result.when")
def test_the_result_comes_after_the_last_blow() -> None:
    """Initiative 5 and 3, then great weapons, which strike last: their wounds are in the result."""
    scene = RegimentScene()
    men = scene.unit(0, None, (24, 24), models=20, files=10, name="men")
    scene.beside(men, 1, square(i=5), along=2.5, models=5, files=5, name="elves")
    orcs = scene.beside(men, 1, square(equipment=["great weapon"]), along=-2.5, models=5, files=5, name="orcs")
    battle = scored(scene, men)
    battle.recorder.clear()
    dice = [1] * 5 + [1] * 20 + [6] * 5 + [6] * 5  # elves miss, men and their second rank miss, orcs hit and wound
    play(battle, FightCombat, men.row, dice=dice)
    while kind(battle) in ("strike-target", "strike-share"):
        battle.apply(battle.first_legal())
    rules = [event.rule for event in battle.events]
    first = rules.index("wap.result.state")
    blows = [n for n, rule in enumerate(rules) if rule == "wap.combat.hit.roll"]
    steps = [event.data["initiative"] for event in battle.events if event.rule == "wap.combat.order.initiative"]
    assert steps[:2] == [5, 3] and len(steps) == 3
    assert max(blows) < first and rules.count("wap.result.sum") == 2
    assert side(battle, 1)["wounds"] == 5 == state(battle, orcs)["wounds"] and state(battle, men)["strength"] == 15


@pytest.mark.rule("wap.result.wounds.no-more-than-left")
@pytest.mark.parametrize("left", [1, 2, 3])
def test_a_model_yields_no_more_than_the_wounds_it_has(left: int) -> None:
    scene = RegimentScene()
    ogre = scene.unit(0, {**OGRE, "profile": {**OGRE["profile"], "i": 1}}, (24, 24), models=1, files=1)
    scene.beside(ogre, 1, models=3, files=3)
    battle = scored(scene, ogre)
    battle.recorder.clear()
    battle.models.wounds[ogre.model()] = left
    play(battle, FightCombat, ogre.row, dice=[6, 6, 6, 6, 6, 6, 1, 1, 1, 1])
    assert side(battle, 1)["wounds"] == left
    assert (battle.units.alive[ogre] == 0) == (left <= 3)


@pytest.mark.rule("wap.result.wounds")
def test_saved_wounds_do_not_count() -> None:
    scene = RegimentScene()
    knight = scene.unit(0, square(i=1, w=3, equipment=["hand weapon", "heavy armour"]), (24, 24), models=5, files=5)
    scene.beside(knight, 1, models=3, files=3)
    battle = scored(scene, knight)
    battle.recorder.clear()
    play(battle, FightCombat, knight.row, dice=[6, 6, 6, 6, 6, 6, 6, 1, 1] + [1] * 20)  # three wounds, one saved
    assert side(battle, 1)["wounds"] == 2 and battle.units.alive[knight] == 5


# ---------------------------------------------------------------- musicians


@pytest.mark.rule("wap.command.musician.tie")
def test_a_musician_breaks_a_draw() -> None:
    def fight(mine: int, theirs: int) -> dict:
        scene = RegimentScene()
        c = scene.unit(1, None, (24, 24), models=10, files=10, command=("musician",) * theirs)
        a = scene.beside(c, 0, along=-2.5, models=5, command=("musician",) * (mine > 0))
        b = scene.beside(c, 0, along=2.5, models=5, command=("musician",) * (mine > 1))
        battle = scored(scene, c, {(a, c): 3, (b, c): 2, (c, a): 3, (c, b): 2})
        return {
            "winner": [data["winner"] for data in told(battle, "wap.command.musician.tie")],
            "penalty": [battle.units.penalty[unit] for unit in (a, b, c)],
            "draw": bool(told(battle, "wap.result.draw")),
        }

    assert fight(1, 0) == {"winner": [0], "penalty": [0, 0, 1], "draw": False}
    assert fight(0, 1)["winner"] == [1]
    assert fight(2, 1) == {"winner": [], "penalty": [0, 0, 0], "draw": True}
    assert fight(0, 0)["draw"]


@pytest.mark.rule("wap.command.musician.tie")
def test_a_musician_in_the_second_rank_is_not_heard() -> None:
    for files, heard in ((3, True), (2, False)):
        scene = RegimentScene()
        a = scene.unit(0, None, (24, 24), models=6, files=files, command=("champion", "standard", "musician"))
        scene.beside(a, 1, models=6, files=6, command=("standard",))
        battle = scored(scene, a)
        assert battle.models.rank[a.model(2)] == (0 if heard else 1)
        assert bool(told(battle, "wap.command.musician.tie")) == heard
        assert bool(told(battle, "wap.result.draw")) != heard


def test_a_musician_changes_nothing_but_draws() -> None:
    scene, a, b = facing(10, 10, command=("musician",))
    battle = scored(scene, a, {(b, a): 1})
    assert not told(battle, "wap.command.musician.tie") and battle.units.outcome[a] == HELD


# ---------------------------------------------------------------- fear

MEN = square()
SCARY = square(rules=["Fear"])
HERO = square(champion_rules=["Fear"])


def fear(mine: dict, models: int, theirs: dict, others: int, **fields) -> tuple[int, int]:
    """The Fear bonuses of two units front to front."""
    scene = RegimentScene()
    a = scene.unit(0, mine, (24, 24), models=models, files=min(models, 7), **fields)
    scene.beside(a, 1, theirs, models=others, files=min(others, 10))
    battle = scored(scene, a)
    return side(battle, 0)["fear"], side(battle, 1)["fear"]


@pytest.mark.rule("wap.special.fear.result")
def test_one_fearsome_model_is_enough() -> None:
    assert fear(HERO, 10, MEN, 10, command=("champion",)) == (1, 0)
    assert fear(HERO, 10, MEN, 10) == (0, 0)  # it has no champion
    assert fear(MEN, 10, SCARY, 10) == (0, 1)


@pytest.mark.rule("wap.special.fear.double")
@pytest.mark.parametrize(("men", "bonus"), [(10, 2), (11, 1)])
def test_twice_the_strength_doubles_the_bonus(men: int, bonus: int) -> None:
    assert fear(OGRE, 7, MEN, men) == (bonus, 0)


def test_only_those_who_cause_fear_count_for_doubling() -> None:
    assert fear(HERO, 21, MEN, 10, command=("champion",)) == (1, 0)
    assert fear(HERO, 10, MEN, 1, command=("champion",)) == (1, 0)


@pytest.mark.rule("wap.special.fear.once")
@pytest.mark.parametrize(("men", "bonus"), [(10, 2), (11, 1)])
def test_the_bonus_of_several_units_is_one(men: int, bonus: int) -> None:
    scene = RegimentScene()
    b = scene.unit(1, MEN, (24, 24), models=men, files=men)
    scene.beside(b, 0, OGRE, along=-3.0, models=3, files=3)  # 9
    scene.beside(b, 0, OGRE, along=3.5, models=4, files=4)  # 12
    assert side(scored(scene, b), 0)["fear"] == bonus


@pytest.mark.rule("wap.special.fear.immunity")
def test_who_causes_fear_fears_nothing() -> None:
    assert fear(OGRE, 3, OGRE, 6) == (0, 0)
    assert fear(OGRE, 3, HERO, 20, command=()) == (1, 0)
    scene = RegimentScene()
    ogres = scene.unit(0, OGRE, (24, 24), models=3, files=3)
    scene.beside(ogres, 1, HERO, models=20, files=5, command=("champion",))
    battle = scored(scene, ogres)
    assert (side(battle, 0)["fear"], side(battle, 1)["fear"]) == (1, 0)
    for rule in ("Immunity (Fear)", "Immunity (Psychology)", "Unbreakable"):
        assert fear(OGRE, 3, square(rules=[rule]), 20) == (0, 0), rule
    assert fear(OGRE, 3, square(rules=["Immunity (Panic)"]), 20) == (1, 0)
