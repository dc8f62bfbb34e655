"""Perils of the Warp and denying (w9.psychic.perils*, .deny*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.testing import dice_left, kind, pick, script, sheet, told, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
BOLT = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1))


def wounds(battle, unit):
    """Wounds left in a unit."""
    first, count = battle.units.first[unit], battle.units.count[unit]
    return sum(battle.models.wounds[k] for k in range(first, first + count))


def table(W=4, denies=0, deny_at=(30, 30), active=0, manifests=1, powers=(BOLT,), **psyker):
    """A psyker with Smite and Bolt and an enemy 10" away, and a denying enemy; the scene and these units."""
    scene = NinthScene()
    caster = scene.unit(
        active,
        sheet("Caster", W=W, keywords=PSYKER),
        at=(30, 10),
        psychic=PsychicProfile(manifests, 0, powers),
        **psyker,
    )
    enemy = scene.unit(1 - active, sheet("Enemy", W=20), at=(30, 21))
    denier = scene.unit(
        1 - active, sheet("Denier", W=9, keywords=PSYKER), at=deny_at, psychic=PsychicProfile(0, denies)
    )
    return scene, caster, enemy, denier


def cast(battle, power="Smite"):
    pick(battle, "Caster")
    pick(battle, f"Caster: {power} (")


@pytest.mark.rule("w9.psychic.perils")
def test_a_double_six_hurts_the_psyker_and_manifests_the_power():
    scene, caster, enemy, _ = table()
    battle = scene.battle("psychic", dice=[6, 6, 5, 6])
    cast(battle)
    assert wounds(battle, caster) == 1
    assert wounds(battle, enemy) == 14  # 12: a D6 of mortal wounds
    assert told(battle, "w9.psychic.test")[0]["result"] == 12


@pytest.mark.rule("w9.psychic.perils")
@pytest.mark.parametrize(("dice", "left"), [([1, 1, 3], 2), ([2, 2, 3], 4), ([5, 5, 3], 4), ([1, 6, 3], 4)])
def test_a_double_one_does_too_other_doubles_do_not(dice, left):
    scene, caster, enemy, _ = table()
    battle = scene.battle("psychic", dice=dice)
    cast(battle)
    assert wounds(battle, caster) == left
    assert (wounds(battle, enemy) < 20) == (sum(dice[:2]) >= 5)


@pytest.mark.rule("w9.psychic.perils")
def test_they_come_before_denying():
    scene, caster, _, _ = table(denies=1)
    battle = scene.battle("psychic", dice=[6, 6, 1])
    cast(battle)
    assert kind(battle) == "deny"
    assert wounds(battle, caster) == 3


def explosion(dice, active=0, **caster):
    """A psyker with 1 wound; a friend 4", an enemy 6", another 6.5" away."""
    scene = NinthScene()
    psyker = scene.unit(
        active, sheet("Caster", W=1, keywords=PSYKER), at=(30, 10), psychic=PsychicProfile(2, 0), **caster
    )
    friend = scene.unit(active, sheet("Friend", W=9), at=(25, 10))
    near = scene.unit(1 - active, sheet("Near", W=9), at=(30, 17))
    far = scene.unit(1 - active, sheet("Far", W=9), at=(37.5, 10))
    battle = scene.battle("psychic", active=active, dice=dice)
    cast(battle)
    return battle, psyker, friend, near, far


@pytest.mark.rule("w9.psychic.perils.destroyed")
@pytest.mark.parametrize("active", [0, 1])
def test_a_destroyed_psyker_takes_others_with_it_and_manifests_nothing(active):
    battle, psyker, friend, near, far = explosion([6, 6, 2, 3, 5], active)
    assert battle.units.alive[psyker] == 0
    first, second = (friend, near) if active == 0 else (near, friend)
    order = [e["unit"] for e in told(battle, "w9.concepts.destroyed") if "unit" in e and "amount" in e]
    assert sorted(order) == sorted([first.row, second.row])
    amounts = dict(zip(order, (2, 3), strict=True))
    assert wounds(battle, friend) == 9 - amounts[friend.row]
    assert wounds(battle, near) == 9 - amounts[near.row]
    assert wounds(battle, far) == 9
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.psychic.perils.destroyed")
def test_a_psyker_that_survives_does_not_explode():
    scene, caster, _, _ = table(W=3)
    friend = scene.unit(0, sheet("Friend", W=9), at=(25, 10))
    battle = scene.battle("psychic", dice=[1, 1, 3])
    cast(battle)
    assert wounds(battle, caster) == 1
    assert wounds(battle, friend) == 9


@pytest.mark.rule("w9.psychic.perils.destroyed")
def test_of_a_unit_of_psykers_the_last_model_is_where_it_happens():
    """Two models 8" apart, both slain: what is near the first one only is spared (the last row is slain first)."""
    scene = NinthScene()
    caster = scene.unit(0, sheet("Caster", W=1, keywords=PSYKER), at=[(30, 10), (38, 10)], psychic=PsychicProfile(1, 0))
    by_first = scene.unit(0, sheet("By first", W=9), at=(25, 10))
    by_second = scene.unit(0, sheet("By second", W=9), at=(43, 10))
    scene.unit(1, sheet("Enemy", W=9), at=(30, 30))
    battle = scene.battle("psychic", dice=[1, 1, 3, 1])
    cast(battle)
    assert battle.units.alive[caster] == 0
    assert (wounds(battle, by_first), wounds(battle, by_second)) == (8, 9)


@pytest.mark.rule("w9.psychic.deny")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(("dice", "denied"), [([4, 4], False), ([4, 5], True)])
def test_a_greater_total_denies(active, dice, denied):
    scene, _, enemy, _ = table(denies=1, active=active)
    battle = scene.battle("psychic", active=active, dice=[4, 4, *dice, 1])
    cast(battle)
    assert battle.decision is not None
    assert battle.decision.player == 1 - active
    assert sorted(words(battle).values()) == ["Denier denies Smite (8)", "do not deny Smite (8)"]
    pick(battle, "Denier denies")
    assert wounds(battle, enemy) == (20 if denied else 19)
    assert kind(battle) != "deny"


@pytest.mark.rule("w9.psychic.deny")
def test_one_attempt_for_each_power():
    scene, _, enemy, _ = table(denies=1)
    scene.unit(1, sheet("Second", W=9, keywords=PSYKER), at=(33, 30), psychic=PsychicProfile(0, 1))
    battle = scene.battle("psychic", dice=[4, 4, 2, 2, 1])
    cast(battle)
    assert len(words(battle)) == 3
    pick(battle, "Denier denies")
    assert kind(battle) != "deny"
    assert wounds(battle, enemy) == 19


@pytest.mark.rule("w9.psychic.deny")
@pytest.mark.parametrize(("y", "asked"), [(35.0, True), (35.1, False)])
def test_within_twenty_four_inches(y, asked):
    scene, _, _, _ = table(denies=1, deny_at=(30, y))
    battle = scene.battle("psychic", dice=[4, 4])
    cast(battle)
    assert (kind(battle) == "deny") == asked


@pytest.mark.rule("w9.psychic.deny")
@pytest.mark.parametrize(("denies", "asked"), [(0, [False, False]), (1, [True, False]), (2, [True, True])])
def test_so_many_attempts_in_a_phase_as_the_datasheet_says(denies, asked):
    scene, _, _, _ = table(denies=denies, manifests=2)
    battle = scene.battle("psychic", dice=[4, 4, 1, 2, 1, 4, 4, 1, 2])
    if not denies:
        battle = scene.battle("psychic", dice=[4, 4, 1, 4, 4])
    seen = []
    pick(battle, "Caster")
    for power in ("Smite", "Bolt"):
        pick(battle, f"Caster: {power} (")
        if kind(battle) == "power-target":
            pick(battle, "Bolt: Enemy")
        seen.append(kind(battle) == "deny")
        if seen[-1]:
            pick(battle, "Denier denies")
    assert seen == asked


@pytest.mark.rule("w9.psychic.deny")
def test_a_power_that_failed_is_not_denied():
    scene, _, _, _ = table(denies=1)
    battle = scene.battle("psychic", dice=[1, 2])
    cast(battle)
    assert kind(battle) != "deny"


@pytest.mark.rule("w9.psychic.deny.no-perils")
def test_a_double_six_denies_without_perils():
    scene, _, enemy, denier = table(denies=1)
    battle = scene.battle("psychic", dice=[4, 5, 6, 6])
    cast(battle)
    pick(battle, "Denier denies")
    assert wounds(battle, enemy) == 20
    assert wounds(battle, denier) == 9
    assert told(battle, "w9.psychic.perils") == []
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.psychic.perils.destroyed")
@pytest.mark.parametrize(("W", "cp"), [(1, 0), (9, 1)])
def test_a_destroyed_psyker_manifests_nothing_whatever_the_result(W, cp):
    """A power that needs no target, with a double 6."""
    insight = PsychicPower("Insight", 5, "cp", Affects.NOBODY, amount=(0, 0, 1))
    scene, _, _, _ = table(W=W, powers=(insight,))
    scene.unit(0, sheet("Friend", W=9), at=(5, 5))  # else the battle would be over
    battle = scene.battle("psychic", dice=[6, 6, 2])
    cast(battle, "Insight")
    assert battle.players.cp[0] == cp
    assert [e.kind for e in battle.events if e.data.get("name") == "Insight"][1:] == [
        "takes effect" if cp else "the power fails"
    ]


@pytest.mark.rule("w9.psychic.deny")
def test_the_next_phase_brings_new_attempts():
    scene, _, _, _ = table(denies=1)
    battle = scene.battle("psychic", dice=[4, 4, 1, 2, 1])
    cast(battle)
    pick(battle, "Denier denies")
    for _ in range(200):
        if kind(battle) == "select-psyker" and battle.clock.round[0] == 2:
            break
        battle.apply(battle.first_legal())
    script(battle, [4, 4])
    cast(battle)
    assert kind(battle) == "deny"
