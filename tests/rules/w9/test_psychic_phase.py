"""The Psychic phase: who is selected, which powers may be attempted, in which order (w9.psychic.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.testing import dice_left, kind, offered, pick, sheet, told, words

BOLT = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1))
BLAST = PsychicPower("Blast", 6, "mortal", Affects.ENEMY, 18, amount=(0, 0, 2))


def psyker(name="Psyker", W=5, keywords=("INFANTRY", "CHARACTER", "PSYKER"), **fields):
    return sheet(name, W=W, keywords=keywords, **fields)


def profile(manifests=1, denies=1, powers=(), **fields):
    return PsychicProfile(manifests, denies, tuple(powers), **fields)


def powers_offered(battle):
    """Names of the powers that the selected psyker may attempt."""
    assert kind(battle) == "select-power"
    return [text.split(": ")[1].split(" (")[0] for text in words(battle).values() if "(" in text]


def attempt(battle, unit, power):
    """Select the psyker if that is asked, then the power."""
    if kind(battle) == "select-psyker":
        pick(battle, unit)
    pick(battle, f"{unit}: {power} (", kind="select-power")


@pytest.mark.rule("w9.psychic.select")
@pytest.mark.parametrize("active", [0, 1])
def test_psykers_that_advanced_or_are_engaged_are_offered_those_that_fell_back_are_not(active):
    y, other = (10, 20) if active == 0 else (34, 24)
    scene = NinthScene()
    advanced = scene.unit(active, psyker("P1"), at=(10, y), psychic=profile(), moved=Moved.ADVANCE)
    fled = scene.unit(active, psyker("P2"), at=(20, y), psychic=profile(), moved=Moved.FELL_BACK)
    engaged = scene.unit(active, psyker("P3"), at=(30, y), psychic=profile())
    titan = scene.unit(
        active, psyker("P4", keywords=("TITANIC", "PSYKER")), at=(40, y), psychic=profile(), moved=Moved.FELL_BACK
    )
    scene.unit(active, psyker("P5"), place="reserves", reserves="deep-strike", psychic=profile())
    scene.unit(active, sheet("No psyker"), at=(50, y))
    scene.unit(1 - active, sheet("Enemy", W=9), at=(31.9, y))
    scene.unit(1 - active, sheet("Far", W=9), at=(55, other))
    battle = scene.battle("psychic", active=active)
    base = battle.players.first_unit[active]
    assert [base + slot for slot in offered(battle, "select-psyker")] == [advanced, engaged, titan]
    assert battle.units.moved[fled] == Moved.FELL_BACK


@pytest.mark.rule("w9.psychic.select")
def test_no_unit_is_selected_twice_and_the_player_may_stop():
    scene = NinthScene()
    scene.unit(0, psyker("P1"), at=(10, 10), psychic=profile(2, powers=[BOLT]))
    scene.unit(0, psyker("P2"), at=(20, 10), psychic=profile())
    scene.unit(1, sheet("Enemy", W=20), at=(10, 20))
    battle = scene.battle("psychic", dice=[1, 2])
    attempt(battle, "P1", "Smite")
    pick(battle, "P1: no further power")
    assert offered(battle, "select-psyker") == [1]
    pick(battle, "done")
    assert kind(battle) != "select-power"
    assert battle.clock.phase[0] > 3


@pytest.mark.rule("w9.psychic.powers")
def test_a_psyker_knows_smite_and_what_its_datasheet_says_and_attempts_so_many():
    scene = NinthScene()
    scene.unit(0, psyker("P1"), at=(10, 10), psychic=profile(2, powers=[BOLT, BLAST]))
    scene.unit(0, psyker("P2"), at=(20, 10), psychic=profile(1))
    scene.unit(1, sheet("Enemy", W=20), at=(10, 20))
    battle = scene.battle("psychic", dice=[1, 2, 1, 3])
    pick(battle, "P1")
    assert powers_offered(battle) == ["Smite", "Bolt", "Blast"]
    attempt(battle, "P1", "Bolt")
    assert powers_offered(battle) == ["Smite", "Blast"]
    attempt(battle, "P1", "Blast")
    assert offered(battle, "select-psyker") == [1]
    pick(battle, "P2")
    assert powers_offered(battle) == ["Smite"]


@pytest.mark.rule("w9.psychic.manifest", "w9.psychic.test")
def test_each_attempt_is_resolved_before_the_next():
    scene = NinthScene()
    scene.unit(0, psyker("P1"), at=(10, 10), psychic=profile(2, powers=[BOLT, BLAST]))
    enemy = scene.unit(1, sheet("Enemy", W=20), at=(10, 20))
    battle = scene.battle("psychic", dice=[3, 3, 2, 3])
    attempt(battle, "P1", "Bolt")
    assert battle.models.wounds[enemy.first] == 19
    assert dice_left(battle) == 2
    attempt(battle, "P1", "Blast")
    assert battle.models.wounds[enemy.first] == 19
    assert dice_left(battle) == 0
    tests = told(battle, "w9.psychic.test")
    assert [(t["result"], t["needed"], t["passed"]) for t in tests if "result" in t] == [(6, 5, True), (5, 6, False)]


@pytest.mark.rule("w9.psychic.manifest")
def test_a_target_is_selected_before_the_test_among_those_in_range():
    scene = NinthScene()
    scene.unit(0, psyker("P1"), at=(10, 10), psychic=profile(1, powers=[BOLT]))
    near = scene.unit(1, sheet("Near", W=20), at=(10, 20))
    edge = scene.unit(1, sheet("Edge", W=20), at=(10, 29))
    scene.unit(1, sheet("Beyond", W=20), at=(29.1, 10))
    scene.unit(0, sheet("Friend"), at=(14, 10))
    battle = scene.battle("psychic", dice=[3, 3])
    attempt(battle, "P1", "Bolt")
    assert kind(battle) == "power-target"
    assert sorted(words(battle).values()) == ["Bolt: Edge", "Bolt: Near"]
    assert dice_left(battle) == 2
    pick(battle, "Bolt: Edge")
    assert (battle.models.wounds[near.first], battle.models.wounds[edge.first]) == (20, 19)


@pytest.mark.rule("w9.psychic.test")
@pytest.mark.parametrize(("dice", "lost"), [([2, 4], 2), ([2, 3], 0)])
def test_the_total_must_reach_the_warp_charge_value(dice, lost):
    scene = NinthScene()
    scene.unit(0, psyker("P1"), at=(10, 10), psychic=profile(1, powers=[BLAST]))
    enemy = scene.unit(1, sheet("Enemy", W=20), at=(10, 20))
    battle = scene.battle("psychic", dice=dice)
    attempt(battle, "P1", "Blast")
    assert battle.models.wounds[enemy.first] == 20 - lost


@pytest.mark.rule("w9.psychic.same-power-once")
@pytest.mark.parametrize("dice", [[1, 2], [4, 4]])
def test_nobody_attempts_a_power_again_in_the_battle_round(dice):
    scene = NinthScene()
    for player, y in ((0, 10), (1, 20)):
        scene.unit(player, psyker(f"P{player}a", W=90), at=(10, y), psychic=profile(1, 0, powers=[BOLT]))
        scene.unit(player, psyker(f"P{player}b", W=90), at=(20, y), psychic=profile(1, 0, powers=[BOLT, BLAST]))
    battle = scene.battle("psychic", dice=dice)
    attempt(battle, "P0a", "Bolt")
    if kind(battle) == "power-target":
        pick(battle, "Bolt: P1a")
    pick(battle, "P0b")
    assert powers_offered(battle) == ["Smite", "Blast"]
    pick(battle, "no further power")
    until_phase(battle, 1, 1)
    pick(battle, "P1a")
    assert powers_offered(battle) == ["Smite", "Bolt"]  # the other army may in the same battle round
    until_phase(battle, 2, 0)
    pick(battle, "P0b")
    assert powers_offered(battle) == ["Smite", "Bolt", "Blast"]


def until_phase(battle, battle_round, player):
    """Play by first legal actions until that player selects a psyker in that battle round."""
    for _ in range(400):
        clock = battle.clock
        if (clock.round[0], clock.turn[0]) == (battle_round, player) and kind(battle) == "select-psyker":
            return
        battle.apply(battle.first_legal())
    raise LookupError("the phase never came")


@pytest.mark.rule("w9.psychic.smite-once-per-unit")
def test_a_unit_attempts_smite_once_a_battle_round_others_may_too():
    scene = NinthScene()
    scene.unit(0, psyker("P1"), at=(10, 10), psychic=profile(2, powers=[BOLT]))
    scene.unit(0, psyker("P2"), at=(20, 10), psychic=profile(2, powers=[BOLT]))
    scene.unit(1, sheet("Enemy", W=90), at=(10, 20))
    battle = scene.battle("psychic", dice=[1, 2])
    attempt(battle, "P1", "Smite")
    assert powers_offered(battle) == ["Bolt"]
    pick(battle, "no further power")
    pick(battle, "P2")
    assert powers_offered(battle) == ["Smite", "Bolt"]
    pick(battle, "no further power")
    until_phase(battle, 2, 0)
    pick(battle, "P1")
    assert powers_offered(battle) == ["Smite", "Bolt"]
