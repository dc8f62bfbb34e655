"""Hit rolls and wound rolls as a player meets them (w9.attack.hit.*, w9.attack.wound.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import dice_left, melee, pick, ranged, sheet, told

HIT, WOUND, SAVE = "w9.attack.hit", "w9.attack.wound", "w9.attack.save"


def volley(
    weapon, dice, detail="squad", *, enemy=None, count=1, rules=None, player=0, keywords=("INFANTRY",), **columns
):
    """A unit of ``player`` shoots another; returns the battle after it, whatever was asked answered by the first option."""
    scene = NinthScene()
    scene.unit(player, sheet("Guns", weapons={"gun": weapon}, keywords=keywords), at=(10, 10), models=count, **columns)
    scene.unit(1 - player, enemy or sheet("X", W=9), at=(24, 21))
    scene.unit(1 - player, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", active=player, detail=detail, dice=list(dice), rules=rules)
    pick(battle, "Guns")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    while battle.decision is not None and battle.decision.kind in ("allocate", "profile-order", "target-order"):
        battle.apply(battle.decision.options[0])
    return battle


def brawl(weapon, dice, player=0):
    """One unit fights another."""
    scene = NinthScene()
    scene.unit(player, sheet("Fists", weapons={"gun": ranged(12, BS=6), "fist": weapon}), at=(10, 10), charged=1)
    scene.unit(1 - player, sheet("X", W=9), at=(11.5, 10))
    battle = scene.battle("fight", active=player, dice=list(dice))
    while not told(battle, HIT):
        battle.apply(battle.decision.options[0])
    return battle


def rolls(battle, rule):
    """(die, needed, result) of the rolls of one kind."""
    return [(e["die"], e["needed"], e["result"]) for e in told(battle, rule)]


def house(*effects, player=0):
    """House rules that change attacks of INFANTRY of a player."""
    return {"modifiers": [{"effect": effect, "keyword": "INFANTRY", "player": player} for effect in effects]}


@pytest.mark.rule("w9.attack.sequence")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
def test_each_attack_goes_as_far_as_it_succeeds(detail, player):
    """Two attacks, hit dice 4 and 1: the first wounds on 5, the save of 2 fails; the second ends at its hit roll."""
    battle = volley(ranged(24, A=2, BS=3), [4, 1, 5, 2], detail, enemy=sheet("X", Sv=3, W=9), player=player)
    assert rolls(battle, HIT) == [(4, 3, 1), (1, 3, 0)]
    assert rolls(battle, WOUND) == [(5, 4, 1)]
    assert rolls(battle, SAVE) == [(2, 3, 0)]
    steps = [e.rule for e in battle.events if e.rule in (HIT, WOUND, "w9.attack.allocate", SAVE, "w9.attack.damage")]
    assert steps[:5] == [HIT, HIT, WOUND, "w9.attack.allocate", SAVE]
    assert steps[5:] and set(steps[5:]) == {"w9.attack.damage"}
    assert battle.models.wounds[0 if player else 1] == 8
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.sequence")
@pytest.mark.parametrize(("dice", "made"), [([2], [HIT]), ([3, 3], [HIT, WOUND]), ([3, 4, 4], [HIT, WOUND, SAVE])])
def test_a_step_that_fails_ends_the_attack(dice, made):
    battle = volley(ranged(24, BS=3), dice)
    assert [e.rule for e in battle.events if e.rule in (HIT, WOUND, SAVE)] == made
    assert battle.models.wounds[1] == 9
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.hit")
@pytest.mark.parametrize("player", [0, 1])
def test_ballistic_skill_in_shooting_weapon_skill_in_melee(player):
    assert rolls(volley(ranged(24, BS=4), [4, 1], player=player), HIT) == [(4, 4, 1)]
    assert rolls(volley(ranged(24, BS=4), [3], player=player), HIT) == [(3, 4, 0)]
    battle = brawl(melee(WS=3), [3, 1], player)  # its gun has BS 6+
    assert rolls(battle, HIT)[:1] == [(3, 3, 1)]
    assert dice_left(battle) == 0
    assert rolls(brawl(melee(WS=3), [2], player), HIT)[:1] == [(2, 3, 0)]


@pytest.mark.rule("w9.attack.hit.natural")
def test_an_unmodified_six_hits_an_unmodified_one_misses():
    worse, better = house("-1 to hit"), house("+1 to hit")
    assert rolls(volley(ranged(24, BS=6), [6, 1], rules=worse), HIT) == [(6, 6, 1)]
    assert rolls(volley(ranged(24, BS=6), [5], rules=worse), HIT) == [(5, 6, 0)]
    assert rolls(volley(ranged(24, BS=2), [1], rules=better), HIT) == [(1, 2, 0)]
    assert rolls(volley(ranged(24, BS=2), [2, 1], rules=better), HIT) == [(2, 2, 1)]


@pytest.mark.rule("w9.attack.hit.cap")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("heavy", "wood", "abilities", "needed"),
    [
        (True, True, ["-1 to hit"], 4),  # -3, limited to -1
        (True, False, [], 4),
        (False, True, [], 4),
        (False, False, [], 3),
        (True, True, ["+1 to hit"], 4),  # +1, -1, -1: the sum is -1
        (True, False, ["+1 to hit"], 3),
        (False, False, ["+1 to hit", "+1 to hit"], 2),
    ],
)
def test_hit_modifiers_are_added_up_and_limited(player, heavy, wood, abilities, needed):
    scene = NinthScene()
    gun = ranged(36, BS=3, abilities=["Heavy"] if heavy else [])
    scene.unit(player, sheet("Guns", weapons={"gun": gun}), at=(10, 10), moved=Moved.NORMAL)
    scene.unit(1 - player, sheet("X", W=9), at=(10, 30))
    if wood:
        scene.woods(0, 18, 20, 22)
    battle = scene.battle("shooting", active=player, dice=[needed - 1], rules=house(*abilities, player=player))
    pick(battle, "Guns")
    assert rolls(battle, HIT) == [(needed - 1, needed, 0)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.wound")
@pytest.mark.parametrize(
    ("toughness", "needs"),
    [(4, {8: 2, 9: 2, 7: 3, 5: 3, 4: 4, 3: 5, 2: 6, 1: 6}), (5, {10: 2, 9: 3, 6: 3, 5: 4, 3: 5, 2: 6})],
)
def test_strength_against_toughness(toughness, needs):
    for strength, needed in needs.items():
        enemy = sheet("X", T=toughness, W=9)
        battle = volley(ranged(24, BS=2, S=strength), [2, needed - 1], enemy=enemy)
        assert rolls(battle, WOUND) == [(needed - 1, needed, 0)], strength
        battle = volley(ranged(24, BS=2, S=strength), [2, needed, 6], enemy=enemy, player=1)
        assert rolls(battle, WOUND) == [(needed, needed, 1)], strength
        assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.wound.natural")
def test_an_unmodified_six_wounds_an_unmodified_one_does_not():
    worse, better = house("-1 to wound"), house("+1 to wound")
    hard, soft = sheet("X", T=8, W=9), sheet("X", T=4, W=9)
    assert rolls(volley(ranged(24, BS=2, S=3), [2, 6, 1], enemy=hard, rules=worse), WOUND) == [(6, 6, 1)]
    assert rolls(volley(ranged(24, BS=2, S=3), [2, 5], enemy=hard, rules=worse), WOUND) == [(5, 6, 0)]
    assert rolls(volley(ranged(24, BS=2, S=8), [2, 1], enemy=soft, rules=better), WOUND) == [(1, 2, 0)]
    assert rolls(volley(ranged(24, BS=2, S=8), [2, 2, 6], enemy=soft, rules=better), WOUND) == [(2, 2, 1)]


@pytest.mark.rule("w9.attack.wound.cap")
def test_wound_modifiers_are_added_up_and_limited():
    two = house("+1 to wound", "+1 to wound")
    assert rolls(volley(ranged(24, BS=2), [2, 3, 6], rules=two), WOUND) == [(3, 3, 1)]
    assert rolls(volley(ranged(24, BS=2), [2, 2], rules=two), WOUND) == [(2, 3, 0)]
    assert rolls(volley(ranged(24, BS=2), [2, 3]), WOUND) == [(3, 4, 0)]
    mixed = house("+1 to wound", "+1 to wound", "-1 to wound")
    assert rolls(volley(ranged(24, BS=2), [2, 2], rules=mixed), WOUND) == [(2, 3, 0)]
    worse = house("-1 to wound", "-1 to wound")
    assert rolls(volley(ranged(24, BS=2), [2, 5, 6], rules=worse), WOUND) == [(5, 5, 1)]
    assert rolls(volley(ranged(24, BS=2), [2, 4], rules=worse), WOUND) == [(4, 5, 0)]


def needed_against(toughness, strength=4, lost=()):
    """The die that wounds a unit whose models have these Toughness characteristics."""
    data = sheet("X")
    kind = data["models"][0]
    data["models"] = [{**kind, "name": f"M{n}", "min": 1, "max": 1, "T": t} for n, t in enumerate(toughness)]
    data["points"] = [{"models": len(toughness), "points": 100}]
    scene = NinthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=strength)}), at=(10, 10))
    scene.unit(1, data, at=(10, 20), models=len(toughness), lost=lost)
    battle = scene.battle("shooting", dice=[2, 1])
    pick(battle, "Guns")
    assert dice_left(battle) == 0
    return told(battle, WOUND)[0]["needed"]


@pytest.mark.rule("w9.attack.wound.mixed-toughness")
def test_the_toughness_of_most_models_counts():
    assert needed_against((4, 4, 4, 5, 5)) == 4
    assert needed_against((4, 4, 5, 5, 5)) == 5
    assert needed_against((4, 4, 4, 5, 5), lost=(0, 1)) == 5  # of the models that are left
    # as many of each: of two values the higher is never the worse one for the player who chooses
    assert needed_against((4, 5)) == 5
    assert needed_against((5, 4)) == 5


@pytest.mark.rule("w9.attack.fast-dice")
def test_equal_attacks_are_rolled_together_and_saved_one_after_the_other():
    """Four equal attacks at two models of W 2: three wound, the first two failed saves fall on the same model."""
    gun = ranged(24, BS=3)
    battle = volley(gun, [3, 4, 5, 2, 4, 5, 6, 4, 4, 5], count=4, enemy=pair())
    assert [e.rule for e in battle.events if e.rule in (HIT, WOUND, SAVE)] == 4 * [HIT] + 3 * [WOUND] + 3 * [SAVE]
    assert [e["model"] for e in told(battle, SAVE)] == [5, 5, 4]
    assert [battle.models.wounds[4], battle.models.wounds[5]] == [2, 0]
    assert dice_left(battle) == 0


def pair():
    """Two models of W 2 and Sv 5+."""
    return sheet("X", W=2, Sv=5, models=(2, 2))


@pytest.mark.rule("w9.attack.fast-dice")
def test_rolled_together_they_come_out_as_one_at_a_time():
    """The same dice for the same attack, whichever way: as many models fall and wounds are lost."""
    hits, wounds, saves = [3, 2, 6, 4], [5, 4, 3], [4, 1]
    together = volley(ranged(24, BS=3), [*hits, *wounds, *saves], count=4, enemy=pair())
    left = [together.models.wounds[4], together.models.wounds[5]]
    single = [[3, 5, 4], [2], [6, 4, 1], [4, 3]]  # each attack with its own dice
    alone = [2, 2]
    for dice in single:
        scene = NinthScene()
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=3)}), at=(10, 10))
        scene.unit(1, pair(), at=(24, 21), wounds=[max(1, w) for w in alone], lost=[k for k in (0, 1) if alone[k] == 0])
        battle = scene.battle("shooting", dice=dice)
        pick(battle, "Guns")
        assert dice_left(battle) == 0
        alone = [battle.models.wounds[1], battle.models.wounds[2]]
    assert left == alone == [2, 0]
    assert dice_left(together) == 0


@pytest.mark.rule("w9.attack.fast-dice")
def test_different_profiles_are_rolled_apart():
    weapons = {"gun": ranged(24, BS=3, S=4), "long": ranged(24, BS=3, S=5)}
    scene = NinthScene()
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
