"""The attack sequence: hit and wound rolls (w8.attack.sequence, .hit*, .wound*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene
from eighth_shooting import HIT, SAVE, WOUND, gunners, house, rolls, shoot, wounds

from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import dice_left, pick, ranged, sheet, told


@pytest.mark.rule("w8.attack.sequence")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("dice", "made", "left"),
    [
        ([2], [HIT], 9),
        ([3, 3], [HIT, WOUND], 9),
        ([3, 4, 3], [HIT, WOUND, SAVE], 9),
        ([3, 4, 2], [HIT, WOUND, SAVE], 8),
    ],
)
def test_an_attack_goes_as_far_as_it_succeeds(player, detail, dice, made, left):
    battle, unit = shoot(ranged(24, BS=3), dice, player=player, detail=detail, enemy=sheet("X", Sv=3, W=9))
    assert [e.rule for e in battle.events if e.rule in (HIT, WOUND, SAVE)] == made
    assert wounds(battle, unit) == [left]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.attack.hit")
@pytest.mark.parametrize("player", [0, 1])
def test_a_die_for_each_attack_against_the_ballistic_skill(player):
    """Eight shots of bolters, BS 3+: six hit."""
    gun = ranged(24, BS=3, abilities=["Rapid Fire 1"])
    battle, _ = shoot(gun, [1, 2, 3, 3, 4, 5, 6, 6] + 6 * [1], count=4, gap=6.0, player=player)
    assert [result for *_, result in rolls(battle, HIT)] == [0, 0, 1, 1, 1, 1, 1, 1]
    assert len(rolls(battle, WOUND)) == 6
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.attack.hit.one-fails")
def test_a_one_misses_whatever_is_added():
    better = house("+1 to hit")
    assert rolls(shoot(ranged(24, BS=2), [1], rules=better)[0], HIT) == [(1, 2, 0)]
    assert rolls(shoot(ranged(24, BS=2), [2, 1], rules=better)[0], HIT) == [(2, 2, 1)]
    two = house("+1 to hit", "+1 to hit")
    assert rolls(shoot(ranged(24, BS=2), [1], rules=two)[0], HIT) == [(1, 2, 0)]
    assert rolls(shoot(ranged(24, BS=4), [2, 1], rules=two)[0], HIT) == [(2, 2, 1)]  # no cap


@pytest.mark.rule("w8.attack.hit.six-not-automatic")
def test_a_six_is_no_success_by_itself():
    """To hit, to wound and to save."""
    assert rolls(shoot(ranged(24, BS=6), [6], rules=house("-1 to hit"))[0], HIT) == [(6, 7, 0)]
    assert rolls(shoot(ranged(24, BS=6), [6, 1])[0], HIT) == [(6, 6, 1)]
    weak = ranged(24, BS=2, S=2)
    assert rolls(shoot(weak, [2, 6], rules=house("-1 to wound"))[0], WOUND) == [(6, 7, 0)]
    battle, unit = shoot(ranged(24, BS=2, S=8, AP=-1), [2, 2, 6], enemy=sheet("X", Sv=6, W=9))
    assert rolls(battle, SAVE) == [(6, 7, 0)]
    assert wounds(battle, unit) == [8]


@pytest.mark.rule("w8.attack.hit.six-not-automatic", "w8.shoot.heavy", "w8.shoot.assault.penalty")
def test_modifiers_add_up_without_a_limit():
    scene = EighthScene()
    gun = ranged(36, BS=3, abilities=["Heavy"])
    scene.unit(0, gunners(weapon=gun), at=(10, 10), moved=Moved.NORMAL)
    scene.unit(1, sheet("X", W=9), at=(10, 30))
    battle = scene.battle("shooting", dice=[5], rules=house("-1 to hit", "-1 to hit"))
    pick(battle, "Guns")
    assert rolls(battle, HIT) == [(5, 6, 0)]


@pytest.mark.rule("w8.attack.wound", "w8.attack.wound.odd-toughness")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("toughness", "needs"),
    [
        (4, {8: 2, 7: 3, 6: 3, 5: 3, 4: 4, 3: 5, 2: 6, 1: 6}),
        (5, {10: 2, 9: 3, 3: 5, 2: 6}),
        (7, {4: 5, 3: 6, 14: 2, 13: 3}),
    ],
)
def test_strength_against_toughness(player, toughness, needs):
    for strength, needed in needs.items():
        gun, enemy = ranged(24, BS=2, S=strength), sheet("X", T=toughness, W=9)
        battle, _ = shoot(gun, [2, needed - 1], enemy=enemy, player=player)
        assert rolls(battle, WOUND) == [(needed - 1, needed, 0)], strength
        battle, _ = shoot(gun, [2, needed, 6], enemy=enemy, player=player)
        assert rolls(battle, WOUND) == [(needed, needed, 1)], strength
        assert dice_left(battle) == 0


@pytest.mark.rule("w8.attack.wound.one-fails")
def test_a_one_does_not_wound_whatever_is_added():
    gun, better = ranged(24, BS=2, S=8), house("+1 to wound")
    assert rolls(shoot(gun, [2, 1], rules=better)[0], WOUND) == [(1, 2, 0)]
    assert rolls(shoot(gun, [2, 2, 6], rules=better)[0], WOUND) == [(2, 2, 1)]


def needed_against(toughness, lost=()):
    """The die with which S 4 wounds a unit whose models have these Toughness characteristics."""
    data = sheet("X")
    kind = data["models"][0]
    data["models"] = [{**kind, "name": f"M{n}", "min": 1, "max": 1, "T": t} for n, t in enumerate(toughness)]
    data["points"] = [{"models": len(toughness), "points": 100}]
    battle, _ = shoot(ranged(24, BS=2, S=4), [2, 1], enemy=data, models=len(toughness), lost=lost)
    return told(battle, WOUND)[0]["needed"]


@pytest.mark.rule("w8.attack.wound.mixed-toughness")
def test_the_toughness_of_most_models_counts_on_a_tie_the_highest():
    assert needed_against((4, 4, 4, 5, 5)) == 4
    assert needed_against((4, 4, 5, 5)) == 5
    assert needed_against((5, 5, 4, 4)) == 5
    assert needed_against((4, 4, 4, 5, 5), lost=(0, 1)) == 5  # at the time of the attack
    assert needed_against((3, 4, 5)) == 5


@pytest.mark.rule("w8.attack.wound.mixed-toughness")
def test_it_is_that_of_the_moment_of_the_attack():
    """Two groups of shots: the first slays two of three models with T 4."""
    data = sheet("X", Sv=6)
    kind = data["models"][0]
    data["models"] = [
        {**kind, "name": "Soft", "min": 3, "max": 3, "T": 4},
        {**kind, "name": "Hard", "min": 2, "max": 2, "T": 5},
    ]
    data["points"] = [{"models": 5, "points": 100}]
    scene = EighthScene()
    weapons = {"first": ranged(24, A=2, BS=2, S=4), "second": ranged(24, BS=3, S=4)}
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    scene.unit(1, data, at=(10, 20), models=5)
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 4, 4, 1, 1, 3, 4])
    pick(battle, "Guns")
    pick(battle, "resolve first")
    for _ in range(2):
        battle.apply(battle.first_legal())  # the first models are the soft ones
    assert [needed for _, needed, _ in rolls(battle, WOUND)] == [4, 4, 5]
    assert dice_left(battle) == 0
