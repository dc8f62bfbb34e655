"""Hit rolls and wound rolls as a player meets them: a unit shoots or fights on the table (w10.attack.hit.*, .wound.*)."""

from __future__ import annotations

import pytest

from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import Scene, dice_left, melee, pick, ranged, sheet, told, words

HIT, WOUND, SAVE = "w10.attack.hit.roll", "w10.attack.wound.roll", "w10.attack.save.roll"


def volley(weapon, dice, detail="squad", *, enemy=None, count=1, rules=None, shooter=None, **columns):
    """One unit shoots another; returns the battle after it, whatever was asked answered by the first option."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": weapon}, **(shooter or {})), at=(10, 10), models=count, **columns)
    scene.unit(1, enemy or sheet("X", W=9), at=(24, 21))
    scene.unit(1, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", detail=detail, dice=list(dice), rules=rules)
    pick(battle, "Guns")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    while battle.decision is not None and battle.decision.kind in ("allocate", "profile-order", "target-order"):
        battle.apply(battle.decision.options[0])
    return battle


def brawl(weapon, dice, **columns):
    """One unit fights another."""
    scene = Scene()
    scene.unit(0, sheet("Fists", weapons={"gun": ranged(12, BS=6), "fist": weapon}), at=(10, 10), **columns)
    scene.unit(1, sheet("X", W=9), at=(11.5, 10))
    battle = scene.battle("fight", dice=list(dice))
    while not told(battle, HIT):
        battle.apply(battle.decision.options[0])
    return battle


def rolls(battle, rule):
    """(die, needed, result) of the rolls of one kind."""
    return [(e["die"], e["needed"], e["result"]) for e in told(battle, rule)]


@pytest.mark.rule("w10.attack.sequence")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_hit_wound_save_damage_in_this_order(detail):
    battle = volley(ranged(24, BS=3), [3, 4, 3], detail)
    order = [e.rule for e in battle.events if e.rule in (HIT, WOUND, SAVE)]
    assert order == [HIT, WOUND, SAVE]
    assert rolls(battle, HIT) == [(3, 3, 1)]
    assert rolls(battle, WOUND) == [(4, 4, 1)]
    assert rolls(battle, SAVE) == [(3, 4, 0)]
    assert battle.models.wounds[1] == 8
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.sequence")
@pytest.mark.parametrize(("dice", "made"), [([2], [HIT]), ([3, 3], [HIT, WOUND]), ([3, 4, 4], [HIT, WOUND, SAVE])])
def test_a_step_that_fails_ends_the_sequence(dice, made):
    battle = volley(ranged(24, BS=3), dice)
    assert [e.rule for e in battle.events if e.rule in (HIT, WOUND, SAVE)] == made
    assert battle.models.wounds[1] == 9
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.hit.roll")
def test_ballistic_skill_in_shooting_weapon_skill_in_melee():
    assert rolls(volley(ranged(24, BS=3), [3, 1]), HIT) == [(3, 3, 1)]
    assert rolls(volley(ranged(24, BS=3), [2]), HIT) == [(2, 3, 0)]
    battle = brawl(melee(WS=2), [2, 1])  # its gun has BS 6+
    assert rolls(battle, HIT)[:1] == [(2, 2, 1)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.hit.critical")
def test_an_unmodified_six_hits_and_is_critical():
    stealthy = sheet("X", W=9, abilities={"stealth": True})
    battle = volley(ranged(24, BS=6, abilities=["Lethal Hits"]), [6, 1], enemy=stealthy)
    assert rolls(battle, HIT) == [(6, 6, 2)]
    assert told(battle, WOUND) == []  # the Critical Hit wounds by itself
    assert rolls(battle, SAVE) == [(1, 4, 0)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.hit.one-fails")
def test_a_one_misses_whatever_the_bonus():
    heavy = ranged(24, BS=2, abilities=["Heavy"])
    assert rolls(volley(heavy, [1], moved=Moved.STATIONARY), HIT) == [(1, 2, 0)]
    assert rolls(volley(heavy, [2, 1], moved=Moved.STATIONARY), HIT) == [(2, 2, 1)]


@pytest.mark.rule("w10.attack.hit.cap")
@pytest.mark.parametrize(
    ("stealth", "engaged", "heavy", "needed"),
    [
        (True, True, False, 4),  # -2, limited to -1
        (True, True, True, 4),  # -2 + 1 = -1: the sum is taken first
        (True, False, True, 3),  # 0
        (True, False, False, 4),
        (False, False, True, 2),
        (False, False, False, 3),
    ],
)
def test_hit_modifiers_are_summed_and_limited(stealth, engaged, heavy, needed):
    scene = Scene()
    gun = ranged(24, BS=3, abilities=["Heavy"] if heavy else [])
    scene.unit(0, sheet("Tank", weapons={"gun": gun}, keywords=("VEHICLE",)), at=(10, 10), moved=Moved.STATIONARY)
    scene.unit(1, sheet("X", abilities={"stealth": stealth}), at=(10, 31))
    scene.unit(1, sheet("Close"), at=(11.5, 10) if engaged else (50, 40))
    battle = scene.battle("shooting", dice=[needed - 1])
    pick(battle, "Tank")
    if battle.decision is not None and battle.decision.kind == "shoot-target":
        pick(battle, "X")
    assert rolls(battle, HIT) == [(needed - 1, needed, 0)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.wound.roll")
@pytest.mark.parametrize(
    ("toughness", "needs"),
    [(4, {8: 2, 9: 2, 7: 3, 5: 3, 4: 4, 3: 5, 2: 6, 1: 6}), (5, {10: 2, 9: 3, 5: 4, 3: 5, 2: 6})],
)
def test_strength_against_toughness(toughness, needs):
    for strength, needed in needs.items():
        enemy = sheet("X", T=toughness, W=9)
        battle = volley(ranged(24, BS=2, S=strength), [2, needed - 1], enemy=enemy)
        assert rolls(battle, WOUND) == [(needed - 1, needed, 0)], strength
        assert dice_left(battle) == 0
        battle = volley(ranged(24, BS=2, S=strength), [2, needed, 6], enemy=enemy)
        assert rolls(battle, WOUND)[0][2] >= 1
        assert dice_left(battle) == 0


def wound_rule(*effects):
    """House rules that change wound rolls of INFANTRY."""
    return {"modifiers": [{"effect": effect, "keyword": "INFANTRY", "player": 0} for effect in effects]}


@pytest.mark.rule("w10.attack.wound.critical")
def test_an_unmodified_six_wounds_and_is_critical():
    weapon = ranged(24, BS=2, S=3, abilities=["Devastating Wounds"])
    battle = volley(weapon, [2, 6], enemy=sheet("X", T=8, W=9), rules=wound_rule("-1 to wound"))
    assert rolls(battle, WOUND) == [(6, 6, 2)]
    assert told(battle, SAVE) == []  # the Critical Wound inflicts a mortal wound
    assert battle.models.wounds[1] == 8
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.wound.one-fails")
def test_a_one_does_not_wound_whatever_the_bonus():
    scene = Scene()
    scene.unit(0, sheet("Lances", weapons={"lance": melee(WS=2, S=10, abilities=["Lance"])}), at=(10, 10), charged=1)
    scene.unit(1, sheet("X", T=3, W=9), at=(11.5, 10))
    battle = scene.battle("fight", dice=[2, 1])
    while not told(battle, HIT):
        battle.apply(battle.decision.options[0])
    assert rolls(battle, WOUND) == [(1, 2, 0)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.wound.cap")
def test_wound_modifiers_are_limited_to_one():
    two = wound_rule("+1 to wound", "+1 to wound")
    assert rolls(volley(ranged(24, BS=2), [2, 3, 6], rules=two), WOUND) == [(3, 3, 1)]
    assert rolls(volley(ranged(24, BS=2), [2, 2], rules=two), WOUND) == [(2, 3, 0)]
    assert rolls(volley(ranged(24, BS=2), [2, 3], rules=wound_rule()), WOUND) == [(3, 4, 0)]
    both = wound_rule("+1 to wound", "+1 to wound", "-1 to wound")
    assert rolls(volley(ranged(24, BS=2), [2, 3, 6], rules=both), WOUND) == [(3, 3, 1)]
    worse = wound_rule("-1 to wound", "-1 to wound")
    assert rolls(volley(ranged(24, BS=2), [2, 4], rules=worse), WOUND) == [(4, 5, 0)]


@pytest.mark.rule("w10.attack.wound.mixed-toughness")
def test_the_toughness_of_most_models_counts():
    def needed(*toughness):
        data = sheet("X")
        kind = data["models"][0]
        data["models"] = [{**kind, "name": f"M{n}", "min": 1, "max": 1, "T": t} for n, t in enumerate(toughness)]
        data["points"] = [{"models": len(toughness), "points": 100}]
        scene = Scene()
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2)}), at=(10, 10))
        scene.unit(1, data, at=(10, 20), models=len(toughness))
        battle = scene.battle("shooting", dice=[2, 1])
        pick(battle, "Guns")
        assert dice_left(battle) == 0
        return told(battle, WOUND)[0]["needed"]

    assert needed(4, 4, 5) == 4
    assert needed(4, 5, 5) == 5
    assert needed(4, 5) == 5  # as many of each: the highest


@pytest.mark.rule("w10.weapon.twin-linked")
def test_full_detail_the_attacker_may_re_roll_each_wound_roll():
    gun = ranged(24, A=2, BS=2, abilities=["Twin-linked"])
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": gun}), at=(10, 10))
    scene.unit(1, sheet("X", W=9), at=(10, 20))
    battle = scene.battle("shooting", detail="full", dice=[1, 2, 3, 4, 4])
    pick(battle, "Guns")
    pick(battle, "at X", kind="weapon-target")
    # hit rolls 1 and 2: no re-roll of the miss is offered; the wound roll of 3 is
    assert rolls(battle, HIT) == [(1, 2, 0), (2, 2, 1)]
    assert battle.decision.kind == "reroll-wound"
    assert battle.decision.player == 0
    assert sorted(words(battle).values()) == ["keep", "re-roll"]
    pick(battle, "re-roll")
    assert [(e["extra"], e["die"]) for e in told(battle, "w10.concepts.reroll.optional")] == [(3, 4)]
    assert rolls(battle, SAVE) == [(4, 4, 1)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.twin-linked")
def test_full_detail_a_wound_roll_may_be_kept_or_a_success_re_rolled():
    def wounds(die, answer, more):
        scene = Scene()
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, abilities=["Twin-linked"])}), at=(10, 10))
        scene.unit(1, sheet("X", Sv=6, W=9), at=(10, 20))
        battle = scene.battle("shooting", detail="full", dice=[2, die, *more])
        pick(battle, "Guns")
        pick(battle, "at X", kind="weapon-target")
        pick(battle, answer, kind="reroll-wound")
        assert dice_left(battle) == 0
        return 9 - battle.models.wounds[1]

    assert wounds(3, "keep", []) == 0
    assert wounds(4, "keep", [1]) == 1
    assert wounds(4, "re-roll", [3]) == 0


@pytest.mark.rule("w10.weapon.twin-linked")
def test_squad_detail_failed_wound_rolls_are_re_rolled():
    battle = volley(ranged(24, A=2, BS=2, abilities=["Twin-linked"]), [2, 2, 3, 4, 4, 6, 6])
    assert [(e["extra"], e["die"]) for e in told(battle, "w10.concepts.reroll.optional")] == [(3, 4)]
    assert len(told(battle, SAVE)) == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.fast-dice.similar")
def test_twenty_attacks_are_rolled_together():
    """Batches and single attacks with the same dice at each step give the same wounding attacks."""
    hits = 7 * [4] + 13 * [3]
    wounds = 5 * [4] + 2 * [3]
    battle = volley(ranged(24, BS=4, S=5), hits + wounds + 5 * [6], count=20, enemy=sheet("X", T=5, W=9))
    order = [e.rule for e in battle.events if e.rule in (HIT, WOUND, SAVE)]
    assert order == 20 * [HIT] + 7 * [WOUND] + 5 * [SAVE]
    assert dice_left(battle) == 0
    single = 0
    dice = iter(wounds)
    for hit in hits:
        shot = [hit] + ([next(dice)] if hit == 4 else [])
        shot += [6] if shot[-1] == 4 and len(shot) == 2 else []
        one = volley(ranged(24, BS=4, S=5), shot, enemy=sheet("X", T=5, W=9))
        assert dice_left(one) == 0
        single += len(told(one, SAVE))
    assert single == 5


@pytest.mark.rule("w10.attack.fast-dice.similar")
def test_different_profiles_are_rolled_apart():
    weapons = {"gun": ranged(24, BS=3, S=4), "long": ranged(24, BS=3, S=5)}
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10), models=2)
    scene.unit(1, sheet("X", W=9), at=(10, 20))
    battle = scene.battle("shooting", detail="full", dice=[3, 3, 1, 1, 3, 3, 1, 1])
    pick(battle, "Guns")
    for _ in range(4):
        pick(battle, "at X", kind="weapon-target")
    pick(battle, "resolve gun", kind="profile-order")
    order = [e.rule for e in battle.events if e.rule in (HIT, WOUND, SAVE)]
    assert order == [HIT, HIT, WOUND, WOUND, HIT, HIT, WOUND, WOUND]
    assert [e["needed"] for e in told(battle, WOUND)] == [4, 4, 3, 3]
    assert dice_left(battle) == 0
