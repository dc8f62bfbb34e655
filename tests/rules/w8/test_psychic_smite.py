"""Smite: whom it strikes and how hard (w8.psychic.smite*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import dice_left, kind, pick, sheet, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")


def turned(active, x, y):
    return (x, y) if active == 0 else (60 - x, 44 - y)


def smite(dice, *enemies, active=0, walls=(), friends=()):
    """A psyker at (30, 10) (as player 1: seen from the other edge) attempts Smite; the battle and the units of the enemy."""
    scene = EighthScene()
    scene.unit(active, sheet("P", W=5, keywords=PSYKER), at=turned(active, 30, 10), psychic=PsychicProfile(1, 1))
    units = [scene.unit(1 - active, data, at=turned(active, *at), models=models) for data, at, models in enemies]
    for at in friends:
        scene.unit(active, sheet("Friend"), at=turned(active, *at))
    for wall in walls:
        scene.wall(*turned(active, *wall[:2]), *turned(active, *wall[2:4]), 9.0)
    battle = scene.battle("psychic", active=active, dice=dice)
    pick(battle, "P")
    return battle, units


def lost(battle, unit):
    first, count = battle.units.first[unit], battle.units.count[unit]
    return [battle.models.max_wounds[k] - battle.models.wounds[k] for k in range(first, first + count)]


@pytest.mark.rule("w8.psychic.smite")
@pytest.mark.parametrize("active", [0, 1])
def test_the_closest_visible_enemy_suffers_d3(active):
    """Five models of 2 wounds; 3 mortal wounds slay one and hurt another."""
    enemy = sheet("Enemy", W=2)
    battle, (near, far) = smite([2, 4, 5], (enemy, (30, 20), 5), (sheet("Far", W=9), (30, 26), 1), active=active)
    assert sorted(lost(battle, near)) == [0, 0, 0, 1, 2]
    assert battle.units.alive[near.row] == 4
    assert lost(battle, far) == [0]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.psychic.smite", "w8.psychic.smite.target")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(("x", "left", "wounds"), [(49.0, 0, 2), (49.1, 1, 0)])
def test_beyond_eighteen_inches_it_has_no_effect_and_no_die_is_rolled(active, x, left, wounds):
    battle, (enemy,) = smite([3, 4, 3], (sheet("Enemy", W=9), (x, 10), 1), active=active)
    assert lost(battle, enemy) == [wounds]
    assert dice_left(battle) == left


@pytest.mark.rule("w8.psychic.smite.over-10")
@pytest.mark.parametrize(("dice", "wounds"), [([5, 6, 4], 4), ([6, 4, 4], 2), ([5, 5, 4], 2)])
def test_more_than_ten_makes_it_a_d6(dice, wounds):
    battle, (enemy,) = smite(dice, (sheet("Enemy", W=9), (30, 20), 1))
    assert lost(battle, enemy) == [wounds]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.psychic.smite.target")
@pytest.mark.parametrize("active", [0, 1])
def test_hidden_units_are_passed_over_characters_and_units_in_combat_are_not(active):
    """5" away behind a wall, 8" a CHARACTER within 1" of a friend of the psyker, 10"."""
    hero = sheet("Hero", W=5, keywords=("INFANTRY", "CHARACTER"))
    battle, (hidden, character, other) = smite(
        [3, 4, 3],
        (sheet("Hidden", W=9), (24, 10), 1),
        (hero, (39, 10), 1),
        (sheet("Other", W=9), (30, 21), 1),
        walls=[(26, 6, 26, 14)],
        friends=[(40.5, 10)],
        active=active,
    )
    assert [lost(battle, unit) for unit in (hidden, character, other)] == [[0], [2], [0]]


@pytest.mark.rule("w8.psychic.smite.target")
def test_a_unit_is_as_near_as_its_nearest_model_seen_or_not():
    """The nearest model of A stands behind a wall 6" away, another is seen at 12"; B is seen at 9"."""
    battle, (a, b) = smite(
        [3, 4, 3],
        (sheet("A", W=9), (23, 10), 1),
        (sheet("B", W=9), (30, 20), 1),
        walls=[(25, 7, 25, 13)],
    )
    assert [lost(battle, unit) for unit in (a, b)] == [[0], [2]]
    scene = EighthScene()
    scene.unit(0, sheet("P", W=5, keywords=PSYKER), at=(30, 10), psychic=PsychicProfile(1, 1))
    a = scene.unit(1, sheet("A", W=9), at=[(23, 10), (23, 20)])
    b = scene.unit(1, sheet("B", W=9), at=(30, 20))
    scene.wall(25, 7, 25, 13, 9.0)
    battle = scene.battle("psychic", dice=[3, 4, 3])
    pick(battle, "P")
    assert sum(lost(battle, a)) == 2
    assert lost(battle, b) == [0]


@pytest.mark.rule("w8.psychic.smite.target")
def test_the_unit_that_the_psyker_fights_is_struck():
    battle, (near, far) = smite([3, 4, 3], (sheet("Near", W=9), (30, 11.5), 1), (sheet("Far", W=9), (30, 20), 1))
    assert [lost(battle, unit) for unit in (near, far)] == [[2], [0]]


@pytest.mark.rule("w8.psychic.smite.tie")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("chosen", ["Left", "Right"])
def test_the_active_player_breaks_a_tie(active, chosen):
    battle, (left, right, far) = smite(
        [3, 4, 3],
        (sheet("Left", W=9), (22, 10), 1),
        (sheet("Right", W=9), (38, 10), 1),
        (sheet("Farther", W=9), (30, 21), 1),
        active=active,
    )
    assert kind(battle) == "closest-unit"
    assert battle.decision.player == active
    assert sorted(words(battle).values()) == ["Left", "Right"]
    pick(battle, chosen)
    assert [lost(battle, unit) for unit in (left, right, far)] == [
        [2 * (chosen == "Left")],
        [2 * (chosen == "Right")],
        [0],
    ]
