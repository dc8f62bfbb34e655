"""Smite: whom it strikes, how hard, and how it becomes harder (w9.psychic.smite*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import dice_left, kind, pick, sheet, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")


def smite(dice, *enemies, active=0, walls=(), psykers=1):
    """A psyker at (30, 10) (as player 1: seen from the other edge) attempts Smite; the battle and the units of the enemy."""
    scene = NinthScene()
    for number in range(psykers):
        scene.unit(
            active, sheet(f"P{number + 1}", W=5, keywords=PSYKER), at=turned(active, 30 + 2 * number, 10),
            psychic=PsychicProfile(1, 1),
        )  # fmt: skip
    units = [scene.unit(1 - active, datasheet, at=turned(active, *at), **more) for datasheet, at, more in enemies]
    for wall in walls:
        scene.wall(*turned(active, *wall[:2]), *turned(active, *wall[2:4]), 9.0)
    battle = scene.battle("psychic", active=active, dice=dice)
    for number in range(psykers):
        pick(battle, f"P{number + 1}")
        pick(battle, f"P{number + 1}: Smite (")
    return battle, units


def turned(active, x, y):
    return (x, y) if active == 0 else (60 - x, 44 - y)


def lost(battle, unit):
    first, count = battle.units.first[unit], battle.units.count[unit]
    return sum(battle.models.max_wounds[k] - battle.models.wounds[k] for k in range(first, first + count))


@pytest.mark.rule("w9.psychic.smite")
@pytest.mark.parametrize("active", [0, 1])
def test_the_closest_visible_enemy_within_eighteen_inches_suffers_d3(active):
    """Visible at 10" and 12", hidden at 6"; a D3 die of 3 is 2."""
    battle, (ten, twelve, hidden) = smite(
        [3, 4, 3],
        (sheet("Ten", W=9), (30, 21), {}),
        (sheet("Twelve", W=9), (43, 10), {}),
        (sheet("Hidden", W=9), (23, 10), {}),
        walls=[(25, 7, 25, 13)],
        active=active,
    )
    assert [lost(battle, unit) for unit in (ten, twelve, hidden)] == [2, 0, 0]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.psychic.smite")
@pytest.mark.parametrize(("x", "wounds"), [(49.0, 2), (49.1, 0)])
def test_beyond_eighteen_inches_nobody_does(x, wounds):
    battle, (enemy,) = smite([3, 4, 3], (sheet("Enemy", W=9), (x, 10), {}))
    assert lost(battle, enemy) == wounds


@pytest.mark.rule("w9.psychic.smite")
def test_its_warp_charge_value_is_five():
    assert lost(*unpack(smite([2, 2, 3], (sheet("Enemy", W=9), (30, 20), {})))) == 0
    assert lost(*unpack(smite([2, 3, 3], (sheet("Enemy", W=9), (30, 20), {})))) == 2


def unpack(found):
    battle, (enemy,) = found
    return battle, enemy


@pytest.mark.rule("w9.psychic.smite.eleven")
@pytest.mark.parametrize(("dice", "wounds"), [([5, 6, 4], 4), ([5, 5, 4], 2)])
def test_eleven_or_more_make_it_a_d6(dice, wounds):
    battle, (enemy,) = smite(dice, (sheet("Enemy", W=9), (30, 20), {}))
    assert lost(battle, enemy) == wounds
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.psychic.smite.rising")
@pytest.mark.parametrize(("third", "wounds"), [([2, 4, 3], 0), ([3, 4, 3], 2)])
def test_each_earlier_attempt_of_the_army_raises_it_by_one(third, wounds):
    """The first attempt succeeds, the second fails; the third needs 7."""
    battle, (enemy,) = smite([2, 3, 1, 2, 3, *third], (sheet("Enemy", W=20), (30, 20), {}), psykers=3)
    assert lost(battle, enemy) == 1 + wounds


@pytest.mark.rule("w9.psychic.smite.rising")
def test_attempts_of_an_earlier_phase_and_of_the_other_army_do_not_count():
    scene = NinthScene()
    for player, y in ((0, 10), (1, 34)):
        for number in (1, 2):
            scene.unit(
                player, sheet(f"P{player}{number}", W=9, keywords=PSYKER), at=(10 * number, y),
                psychic=PsychicProfile(1, 0),
            )  # fmt: skip
    battle = scene.battle("psychic", dice=[1, 2])
    pick(battle, "P01")
    pick(battle, "P01: Smite (5+)")
    pick(battle, "P02")
    assert "P02: Smite (6+)" in words(battle).values()
    pick(battle, "no further")
    for _ in range(200):
        if kind(battle) == "select-psyker":
            break
        battle.apply(battle.first_legal())
    pick(battle, "P11")
    assert "P11: Smite (5+)" in words(battle).values()


@pytest.mark.rule("w9.psychic.smite.not-targeted")
def test_a_character_behind_others_is_struck_if_it_is_closest():
    battle, (character, mob) = smite(
        [3, 4, 3],
        (sheet("Hero", W=5, keywords=("INFANTRY", "CHARACTER")), (30, 18), {}),
        (sheet("Mob"), (31, 19.5), {"models": 10}),
    )
    assert battle.distance(character, mob) < 2
    assert [lost(battle, unit) for unit in (character, mob)] == [2, 0]


@pytest.mark.rule("w9.psychic.smite.not-targeted")
def test_an_enemy_within_engagement_range_of_others_is_struck_too_and_the_psyker_may_be_engaged():
    battle, (near, far) = smite([3, 4, 3], (sheet("Near", W=9), (30, 11.9), {}), (sheet("Far", W=9), (30, 20), {}))
    assert [lost(battle, unit) for unit in (near, far)] == [2, 0]


@pytest.mark.rule("w9.psychic.smite.not-targeted", "w9.concepts.measure.tied-closest")
@pytest.mark.parametrize("active", [0, 1])
def test_the_manifesting_player_breaks_a_tie(active):
    battle, (left, right, far) = smite(
        [3, 4, 3],
        (sheet("Left", W=9), (20, 10), {}),
        (sheet("Right", W=9), (40, 10), {}),
        (sheet("Farther", W=9), (30, 21), {}),
        active=active,
    )
    assert kind(battle) == "closest-unit"
    assert battle.decision is not None
    assert battle.decision.player == active
    assert sorted(words(battle).values()) == ["Left", "Right"]
    pick(battle, "Right")
    assert [lost(battle, unit) for unit in (left, right, far)] == [0, 2, 0]
