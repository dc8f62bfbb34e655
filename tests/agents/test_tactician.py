"""The tactician: legal and repeatable everywhere, and sensible in set pieces."""

from __future__ import annotations

import pytest

from agents.policies import make
from agents.policies.tactician_reading import Reader
from agents.policies.tactician_value import value
from wh_env import Battle
from wh_env.testing import Scene, melee, ranged, sheet

SKIRMISH = "w10/only-war-skirmish"
GUNS = sheet("Guns", weapons={"gun": ranged(24, A=3, BS=2, S=8, AP=-3, D=2)})
CLUBS = sheet("Clubs", W=2, weapons={"club": melee(A=2, WS=4, S=4)})


def answer(battle, policy="tactician", seed=1):
    """The tactician's action and what it means; it must be legal and leave the battle as it was."""
    mask, before = battle.legal().copy(), battle.state_bytes()
    action = make(policy, seed).act(battle, mask)
    assert mask[action]
    assert battle.state_bytes() == before
    return action, battle.describe(action)


def step(battle, policy):
    action = policy.act(battle, battle.legal())
    battle.apply(action)
    return action


@pytest.mark.parametrize("name", [SKIRMISH, "epic/river-crossing"])
def test_plays_a_battle_of_any_ruleset(name):
    """Legal actions for both seats, from setting up on; ``apply`` refuses any other."""
    battle = Battle.load(name, 2)
    policies = [make("tactician,places=2,horizon=12", 1), make("tactician,places=2,horizon=12", 2)]
    rivals = [policies[0], make("greedy", 2)] if name == SKIRMISH else policies
    for _ in range(60):
        if battle.over:
            break
        step(battle, rivals[battle.clock.player[0]])
    assert battle.over or battle.clock.round[0] >= 1


def test_same_seed_same_actions_and_reset_begins_anew():
    def played(policy):
        battle = Battle.load(SKIRMISH, 4)
        actions = [step(battle, policy if battle.clock.player[0] == 0 else make("greedy")) for _ in range(36)]
        return actions

    policy = make("tactician,places=2,horizon=12", 3)
    first = played(policy)
    policy.reset(3)
    assert played(policy) == first
    assert played(make("tactician,places=2,horizon=12", 3)) == first


def test_does_not_see_the_dice_to_come():
    """Two battles that differ in their future dice alone are answered alike."""
    battle = Battle.load(SKIRMISH, 5)
    guide, policy = make("greedy"), make("tactician,places=2,horizon=12", 1)
    for _ in range(70):
        battle.apply(guide.act(battle, battle.legal()))
    for _ in range(4):
        other = battle.clone(987654321)
        action = policy.act(battle, battle.legal())
        assert policy.act(other, other.legal()) == action
        battle.apply(action)


def last_turn(marker):
    """The last turn, nothing to shoot at: a unit of the active player 4 inches out of range of the marker."""
    scene = Scene()
    scene.unit(0, CLUBS, at=[(20, 20), (21.5, 20)])
    scene.unit(1, CLUBS, at=[(50, 40), (51.5, 40)])
    scene.marker(*marker)
    return scene.battle("movement", round=5, active=0, first_player=1)


@pytest.mark.parametrize("marker", [(28, 20), (20, 28)])
def test_takes_the_free_objective_on_the_last_turn(marker):
    battle = last_turn(marker)
    policy = make("tactician", 1)
    while not battle.over and battle.clock.phase[0] == 2:
        step(battle, policy)
    assert battle.marker_distance(0, 0) <= 3.0


def test_shoots_the_target_it_can_kill():
    scene = Scene()
    scene.unit(0, GUNS, at=[(20, 10), (22, 10), (24, 10)])
    scene.unit(1, sheet("Wall", T=14, Sv=2, W=20, points=100), at=[(20, 28)])
    weak = scene.unit(1, sheet("Weak", T=3, Sv=6, W=2, points=100), at=[(26, 28)])
    battle = scene.battle("shooting", round=3)
    policy = make("tactician", 1)
    space = battle.setup.space
    while not battle.legal()[space.enemy : space.cell].any():
        step(battle, policy)
    assert answer(battle)[0] == space.enemy + weak.row - 1


def test_does_not_charge_against_hopeless_odds():
    scene = Scene()
    scene.unit(0, sheet("Few", T=3, Sv=6, W=1, weapons={"fist": melee(A=1, WS=5, S=3)}), at=[(20, 20)])
    scene.unit(
        1, sheet("Ogres", T=9, Sv=2, W=8, weapons={"axe": melee(A=6, WS=2, S=10, AP=-3, D=3)}), at=[(26, 20), (29, 20)]
    )
    battle = scene.battle("charge", round=3)
    assert answer(battle)[1] == "done"


def test_charges_what_it_will_destroy():
    scene = Scene()
    scene.unit(
        0, sheet("Ogres", T=9, Sv=2, W=8, weapons={"axe": melee(A=6, WS=2, S=10, AP=-3, D=3)}), at=[(20, 20), (23, 20)]
    )
    scene.unit(1, sheet("Few", T=3, Sv=6, W=1, weapons={"fist": melee(A=1, WS=5, S=3)}), at=[(20, 24)])
    battle = scene.battle("charge", round=3)
    assert answer(battle)[1] != "done"


def test_value_is_zero_sum_and_counts_points_and_markers():
    scene = Scene()
    mine = scene.unit(0, CLUBS, at=[(20, 20), (21.5, 20)])
    scene.unit(1, CLUBS, at=[(40, 24), (38.5, 24)])
    scene.marker(20, 22)
    scene.marker(40, 22)
    battle = scene.battle("movement", round=3)
    reader = Reader(battle.setup)
    even = value(reader, battle, 0)
    assert even == pytest.approx(-value(reader, battle, 1), abs=1e-3)
    battle.players.vp[0] = 5
    assert value(reader, battle, 0) > even
    battle.players.vp[0] = 0
    battle.models.x[mine.first] = battle.models.x[mine.first + 1] = 5.0
    assert value(reader, battle, 0) < even


@pytest.mark.parametrize("option", ["samples", "places", "horizon", "turns"])
def test_options_are_checked(option):
    with pytest.raises(ValueError, match=f"tactician: {option}=0; expected at least 1"):
        make(f"tactician,{option}=0")
