"""Allocation, saves, damage and wounds that are ignored (w8.attack.allocate*, .save*, .damage*, .invulnerable*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene
from eighth_shooting import SAVE, declare, gunners, rolls, shoot, waits, wounds

from wh_env.rulesets.w40k.morale.toll import slain_this_turn
from wh_env.testing import choose, dice_left, pick, ranged, sheet, slots, told, words

SURE = ranged(24, BS=2, S=8)
DAMAGE = "w8.attack.damage"


# ---------------------------------------------------------------- allocation


@pytest.mark.rule("w8.attack.allocate")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("slot", range(5))
def test_any_model_of_an_unhurt_unit_may_take_a_wound_seen_or_not(player, slot):
    scene = EighthScene()
    scene.unit(player, gunners(weapon=SURE), at=(10, 5))
    unit = scene.unit(1 - player, sheet("X", W=2, Sv=6), at=[(10 + 1.5 * n, 20) for n in range(5)])
    scene.wall(10.8, 18.5, 30, 18.5, 9)
    battle = scene.battle("shooting", active=player, detail="full", dice=[2, 2, 1])
    pick(battle, "Guns")
    declare(battle, "at X")
    assert waits(battle, "allocate")
    assert battle.decision.player == 1 - player
    assert slots(battle, "model") == [0, 1, 2, 3, 4]
    choose(battle, "model", slot)
    assert wounds(battle, unit) == [2 - (k == slot) for k in range(5)]


@pytest.mark.rule("w8.attack.allocate.wounded-first")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_hurt_model_is_slain_and_nobody_is_asked(player, detail):
    battle, unit = shoot(
        SURE, [2, 2, 1], detail=detail, player=player, enemy=sheet("X", W=2, Sv=6), models=5, wounds={2: 1}
    )
    assert not waits(battle, "allocate")
    assert wounds(battle, unit) == [2, 2, 0, 2, 2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.attack.allocate.wounded-first")
def test_a_model_that_was_not_hurt_need_not_take_the_next_wound():
    """Its save succeeded: so any model may take the next wound, of the same unit and of another one."""
    scene = EighthScene()
    for x in (6, 14):
        scene.unit(0, gunners(weapon=ranged(24, A=2, BS=2, S=8)), at=(x, 10), name=f"Guns at {x}")
    scene.unit(1, sheet("X", W=2, Sv=4), at=(8, 20), models=3)
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 2, 2, 4, 4, 2, 2, 2, 2])
    pick(battle, "Guns at 6")
    for _ in range(2):
        assert slots(battle, "model") == [0, 1, 2]
        choose(battle, "model", 1)
    if waits(battle, "select-to-shoot"):
        pick(battle, "Guns at 14")
    assert slots(battle, "model") == [0, 1, 2]


@pytest.mark.rule("w8.attack.allocate.several-wounded")
@pytest.mark.parametrize("player", [0, 1])
def test_several_hurt_models_are_the_choice(player):
    battle, unit = shoot(
        SURE, [2, 2, 1], detail="full", player=player, enemy=sheet("X", W=3, Sv=6), models=3, wounds=[1, 2, 3]
    )
    assert slots(battle, "model") == [0, 1]
    choose(battle, "model", 1)
    assert wounds(battle, unit) == [1, 1, 3]


# ---------------------------------------------------------------- saves


@pytest.mark.rule("w8.attack.save")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("ap", "die", "needed"), [(-1, 3, 4), (-1, 4, 4), (0, 2, 3), (0, 3, 3), (-3, 5, 6), (-3, 6, 6), (-4, 6, 7)]
)
def test_armour_penetration_modifies_the_die(player, ap, die, needed):
    battle, unit = shoot(ranged(24, BS=2, S=8, AP=ap), [2, 2, die], player=player, enemy=sheet("X", Sv=3, W=9))
    assert rolls(battle, SAVE) == [(die, needed, int(die >= needed))]
    assert wounds(battle, unit) == [9 - (die < needed)]


@pytest.mark.rule("w8.attack.save")
def test_four_wounds_four_saves():
    battle, unit = shoot(ranged(24, A=4, BS=2, S=8), 8 * [2] + [2, 3, 4, 6], enemy=sheet("X", Sv=3, W=9))
    assert [result for *_, result in rolls(battle, SAVE)] == [0, 1, 1, 1]
    assert wounds(battle, unit) == [8]


@pytest.mark.rule("w8.attack.save.one-fails")
def test_a_one_fails_by_armour_in_cover_and_by_an_invulnerable_save():
    battle, unit = shoot(SURE, [2, 2, 1], enemy=sheet("X", Sv=2, W=9), terrain=[(8, 19, 14, 25)])
    assert rolls(battle, SAVE) == [(1, 2, 0)]
    assert wounds(battle, unit) == [8]
    battle, unit = shoot(ranged(24, BS=2, S=8, AP=-5), [2, 2, 1], enemy=sheet("X", Sv=6, W=9, invuln=2))
    assert rolls(battle, SAVE) == [(1, 2, 0)]
    assert wounds(battle, unit) == [8]


@pytest.mark.rule("w8.attack.invulnerable", "w8.attack.invulnerable.no-ap")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("choice", "needed", "left"), [("armour", 5, 5), ("invulnerable", 4, 6)])
def test_one_save_or_the_other_and_no_second_roll(player, choice, needed, left):
    """Sv 2+ and 4+ against AP -3 with a die of 4."""
    battle, unit = shoot(
        ranged(24, BS=2, S=8, AP=-3), [2, 2, 4], detail="full", player=player, enemy=sheet("X", Sv=2, W=6, invuln=4)
    )
    assert waits(battle, "save")
    assert battle.decision.player == 1 - player
    pick(battle, choice)
    assert rolls(battle, SAVE) == [(4, needed, int(needed == 4))]
    assert wounds(battle, unit) == [left]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.attack.invulnerable.no-ap")
@pytest.mark.parametrize("ap", [0, -1, -4, -6])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_no_armour_penetration_counts_against_it(ap, detail):
    battle, unit = shoot(ranged(24, BS=2, S=8, AP=ap), [2, 2, 4], detail=detail, enemy=sheet("X", Sv=6, W=6, invuln=4))
    if waits(battle, "save"):
        pick(battle, "invulnerable")
    assert rolls(battle, SAVE) == [(4, 4, 1)]
    assert wounds(battle, unit) == [6]


@pytest.mark.rule("w8.attack.invulnerable.one")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("choice", "needed"), [("invulnerable save", 5), ("second invulnerable save", 4)])
def test_of_several_one_is_used(player, choice, needed):
    enemy = sheet("X", Sv=6, W=6, invuln=5, invuln2=4)
    battle, unit = shoot(ranged(24, BS=2, S=8, AP=-3), [2, 2, 4], detail="full", player=player, enemy=enemy)
    assert sorted(words(battle).values()) == ["armour save", "invulnerable save", "second invulnerable save"]
    pick(battle, choice)
    assert rolls(battle, SAVE) == [(4, needed, int(needed == 4))]
    assert wounds(battle, unit) == [6 - (needed == 5)]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- damage


@pytest.mark.rule("w8.attack.damage")
@pytest.mark.parametrize("player", [0, 1])
def test_a_wound_for_each_point(player):
    battle, unit = shoot(ranged(24, BS=2, S=8, D=3), [2, 2, 1], player=player, enemy=sheet("X", Sv=6, W=6))
    assert wounds(battle, unit) == [3]


@pytest.mark.rule("w8.attack.damage.slain")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_slain_model_is_removed_before_the_next_attack(player, detail):
    """Two wounding attacks at two models of 1 wound: each slays one; they count as slain in this turn."""
    enemy = sheet("X", Sv=6, models=(1, 3))
    battle, unit = shoot(
        ranged(24, A=2, BS=2, S=8), [2, 2, 2, 2, 1, 1], player=player, detail=detail, enemy=enemy, models=3
    )
    for _ in range(2):
        if waits(battle, "allocate"):
            battle.apply(battle.first_legal())
    order = [e.rule for e in battle.events if e.rule in (SAVE, "w8.attack.damage.slain")]
    assert order == [SAVE, "w8.attack.damage.slain"] * 2
    assert battle.units.alive[unit.row] == 1
    assert sum(battle.models.on_table[unit.first + k] for k in range(3)) == 1
    assert slain_this_turn(battle, unit.row) == 2


@pytest.mark.rule("w8.attack.damage.excess-lost")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_damage_beyond_the_model_is_lost(detail):
    """D3 of 3 at models of 2 wounds."""
    battle, unit = shoot(
        ranged(24, BS=2, S=8, D="D3"), [2, 2, 1, 6], detail=detail, enemy=sheet("X", W=2, Sv=6), models=3
    )
    if waits(battle, "allocate"):
        choose(battle, "model", 0)
    assert sorted(wounds(battle, unit)) == [0, 2, 2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.attack.damage.random", "w8.attack.damage.excess-lost")
def test_random_damage_is_rolled_for_each_unsaved_attack():
    """Two unsaved attacks and one that was saved: dice of 6 and 1."""
    gun = ranged(24, A=3, BS=2, S=8, D="D3")
    battle, unit = shoot(gun, 6 * [2] + [1, 6, 6, 1, 1], enemy=sheet("X", W=2, Sv=6), models=3)
    assert [e["result"] for e in told(battle, DAMAGE) if e["die"]] == [3, 1]
    assert sorted(wounds(battle, unit)) == [0, 1, 2]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- abilities that ignore wounds


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("dice", "left"), [([4, 6], 6), ([4, 5], 5), ([5], 6)])
def test_two_abilities_that_ignore_wounds_both_roll(detail, dice, left):
    """5+ first, then 6+, for the same wound; no choice between them is asked."""

    def second(battle):
        battle.models.feel_no_pain2[1] = 6

    scene = EighthScene()
    scene.unit(0, gunners(weapon=SURE), at=(10, 10))
    unit = scene.unit(1, sheet("X", Sv=6, W=6, fnp=5), at=(10, 20))
    battle = scene.battle("shooting", detail=detail, dice=[2, 2, 1, *dice], set_state=second)
    pick(battle, "Guns")
    assert not waits(battle, "feel-no-pain")
    assert wounds(battle, unit) == [left]
    assert dice_left(battle) == 0


def test_a_single_ability_rolls_once():
    battle, unit = shoot(SURE, [2, 2, 1, 4], enemy=sheet("X", Sv=6, W=6, fnp=5))
    assert wounds(battle, unit) == [5]
    assert dice_left(battle) == 0
