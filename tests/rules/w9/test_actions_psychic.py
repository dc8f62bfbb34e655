"""Psychic actions (w9.actions.psychic*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w9.actions.data import Action, Near, PsychicAction, When
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.testing import kind, offered, pick, sheet, told, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
BOLT = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1))
RITUAL = PsychicAction("Ritual", 4, "cp", amount=(0, 0, 1))
OTHER = PsychicAction("Interrogation", 5, "cp", amount=(0, 0, 1))


def ritual_scene(*actions, denies=0, active=0, at=(30, 10), abilities=None, profile=None, **columns):
    """A psyker who knows Bolt and an enemy psyker 20" away."""
    scene = NinthScene()
    for action in actions:
        scene.action(action)
    y = at[1] if active == 0 else 44 - at[1]
    unit = scene.unit(
        active, sheet("Caster", W=5, keywords=PSYKER, abilities=abilities), at=(at[0], y),
        psychic=profile or PsychicProfile(2, 0, (BOLT,)), **columns,
    )  # fmt: skip
    scene.unit(
        1 - active, sheet("Denier", W=9, keywords=PSYKER), at=(30, 31 if active == 0 else 13),
        psychic=PsychicProfile(0, denies),
    )  # fmt: skip
    return scene, unit


def powers(battle):
    """Names of what the selected psyker may attempt."""
    assert kind(battle) == "select-power"
    return [text.split(": ")[1].split(" (")[0] for text in words(battle).values() if "(" in text]


@pytest.mark.rule("w9.actions.psychic")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(("dice", "cp"), [([1, 3], 1), ([1, 2], 0)])
def test_it_is_completed_at_once_if_the_test_is_passed(active, dice, cp):
    scene, _ = ritual_scene(RITUAL, active=active)
    battle = scene.battle("psychic", active=active, dice=dice)
    pick(battle, "Caster")
    assert powers(battle) == ["Smite", "Ritual"] if active == 0 else True
    pick(battle, "Ritual (4+)")
    assert battle.players.cp[active] == cp
    assert kind(battle) != "select-power"


@pytest.mark.rule("w9.actions.psychic")
def test_only_those_whose_action_it_is_may_attempt_it_and_only_psykers():
    theirs = PsychicAction("Ritual", 4, "cp", amount=(0, 0, 1), owner=1)
    scene, _ = ritual_scene(theirs)
    scene.unit(0, sheet("Plain"), at=(20, 10))
    battle = scene.battle("psychic")
    assert offered(battle, "select-psyker") == [0]
    pick(battle, "Caster")
    assert "Ritual" not in powers(battle)


@pytest.mark.rule("w9.actions.psychic.as-power")
def test_modifiers_of_psychic_tests_count():
    abilities = {"other": [{"name": "Hood", "effect": "+1 to Psychic tests", "active": True, "psychic": True}]}
    scene, _ = ritual_scene(OTHER, abilities=abilities)
    battle = scene.battle("psychic", dice=[2, 2])
    pick(battle, "Caster")
    pick(battle, "Interrogation (5+)")
    assert told(battle, "w9.psychic.test")[0]["result"] == 5
    assert battle.players.cp[0] == 1


@pytest.mark.rule("w9.actions.psychic.as-power")
def test_it_causes_perils_of_the_warp():
    scene, unit = ritual_scene(RITUAL)
    battle = scene.battle("psychic", dice=[1, 1, 3])
    pick(battle, "Caster")
    pick(battle, "Ritual (4+)")
    assert battle.models.wounds[unit.first] == 3
    assert battle.players.cp[0] == 0


@pytest.mark.rule("w9.actions.psychic.as-power")
def test_a_unit_that_fell_back_cannot_attempt_it():
    scene, _ = ritual_scene(RITUAL, moved=Moved.FELL_BACK)
    assert offered(scene.battle("psychic"), "select-psyker") == []
    scene, _ = ritual_scene(RITUAL, moved=Moved.NORMAL)
    assert offered(scene.battle("psychic"), "select-psyker") == [0]


@pytest.mark.rule("w9.actions.psychic.as-power", "w9.psychic.same-power-once")
def test_nobody_else_attempts_it_in_the_battle_round():
    scene, _ = ritual_scene(RITUAL)
    scene.unit(0, sheet("Second", W=5, keywords=PSYKER), at=(20, 10), psychic=PsychicProfile(1, 0))
    battle = scene.battle("psychic", dice=[1, 2])
    pick(battle, "Caster")
    pick(battle, "Ritual (4+)")
    pick(battle, "Second")
    assert powers(battle) == ["Smite"]


@pytest.mark.rule("w9.actions.psychic.deny")
@pytest.mark.parametrize(("deny", "cp"), [([3, 4], 0), ([3, 3], 1)])
def test_it_can_be_denied(deny, cp):
    scene, _ = ritual_scene(RITUAL, denies=1)
    battle = scene.battle("psychic", dice=[2, 4, *deny])
    pick(battle, "Caster")
    pick(battle, "Ritual (4+)")
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("deny", 1)
    pick(battle, "Denier denies")
    assert battle.players.cp[0] == cp


@pytest.mark.rule("w9.actions.psychic.once")
def test_after_an_action_neither_powers_nor_another_action():
    scene, _ = ritual_scene(RITUAL, OTHER)
    battle = scene.battle("psychic", dice=[1, 2, 4, 4])
    pick(battle, "Caster")
    assert powers(battle) == ["Smite", "Ritual", "Interrogation"]
    pick(battle, "Ritual (4+)")
    assert kind(battle) not in ("select-power", "select-psyker")


@pytest.mark.rule("w9.actions.psychic.once")
def test_after_a_power_no_action():
    near = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 24, amount=(0, 0, 1))
    scene, _ = ritual_scene(RITUAL, profile=PsychicProfile(2, 0, (near,)))
    battle = scene.battle("psychic", dice=[1, 2, 4, 4])
    pick(battle, "Caster")
    assert powers(battle) == ["Smite", "Bolt", "Ritual"]
    pick(battle, "Smite (5+)")
    assert powers(battle) == ["Bolt"]


@pytest.mark.rule("w9.actions.once")
def test_it_is_the_one_action_of_the_battle_round():
    """A unit that performs an action attempts no psychic action; one that attempted that starts no other action."""
    scan = Action("Scan", When(Phase.MOVEMENT))
    late = Action("Watch", When(Phase.PSYCHIC))
    for first in (scan, late):
        scene, _ = ritual_scene(RITUAL)
        scene.action(first)
        scene.unit(0, sheet("Second", W=5, keywords=PSYKER), at=(20, 10), psychic=PsychicProfile(1, 0))
        battle = scene.battle("movement", dice=[1, 2])
        while kind(battle) in ("select-to-move", "move-kind"):
            battle.apply(battle.first_legal())
        if first is scan:
            pick(battle, "Caster starts Scan")
        pick(battle, "Caster", kind="select-psyker")
        assert ("Ritual" in powers(battle)) == (first is late)
        if first is late:
            pick(battle, "Ritual (4+)")
            pick(battle, "done", kind="select-psyker")
            assert sorted(words(battle).values()) == ["Second starts Watch", "nobody starts Watch"]


@pytest.mark.rule("w9.actions.psychic.range")
@pytest.mark.parametrize(("x", "possible"), [(22.5, False), (24.0, True)])
def test_nothing_modifies_its_range(x, possible):
    """+6" to the range of powers: within 6" of the centre (30, 22) it may be attempted, 8" (here 7") away not; Bolt reaches 24"."""
    at_centre = PsychicAction("Ritual", 4, "cp", amount=(0, 0, 1), near=Near.CENTRE, reach=6.0)
    scene, _ = ritual_scene(at_centre, at=(x, 22), profile=PsychicProfile(2, 0, (BOLT,), farther=6.0))
    scene.unit(1, sheet("Far"), at=(x + 24, 21))
    battle = scene.battle("psychic")
    pick(battle, "Caster")
    assert powers(battle) == ["Smite", "Bolt", *(["Ritual"] if possible else [])]
    pick(battle, "Bolt (5+)")
    assert "Bolt: Far" in words(battle).values()


@pytest.mark.rule("w9.actions.psychic.range")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("x", "possible"), [(24.0, True), (22.5, False)])
def test_one_model_near_the_centre_is_enough(x, possible, player):
    """Of two models the nearer one is within 6" of the centre (30, 22), or neither is; the farther one never."""
    scene = NinthScene()
    scene.action(PsychicAction("Ritual", 4, "cp", amount=(0, 0, 1), near=Near.CENTRE, reach=6.0))
    profile = PsychicProfile(1, 0, (BOLT,))
    scene.unit(player, sheet("Caster", keywords=PSYKER), at=[(x, 22), (x - 3, 22)], psychic=profile)
    scene.unit(1 - player, sheet("Far"), at=(x, 38))
    battle = scene.battle("psychic", active=player)
    pick(battle, "Caster")
    assert ("Ritual" in powers(battle)) == possible


@pytest.mark.rule("w9.actions.psychic.range")
def test_near_a_marker():
    at_marker = PsychicAction("Ritual", 4, "cp", amount=(0, 0, 1), near=Near.MARKER, reach=6.0)
    for x, possible in ((30, True), (40, False)):
        scene, _ = ritual_scene(at_marker, profile=PsychicProfile(2, 0, (BOLT,), farther=6.0))
        scene.marker(x, 14)
        battle = scene.battle("psychic")
        pick(battle, "Caster")
        assert ("Ritual" in powers(battle)) == possible
