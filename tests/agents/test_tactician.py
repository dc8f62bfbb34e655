"""The tactician: legal and repeatable everywhere, and sensible in set pieces."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.agents.policies.tactician import TacticianPolicy
from wh_env.agents.policies.tactician_doctrine import Doctrine
from wh_env.agents.policies.tactician_reading import Reader
from wh_env.agents.policies.tactician_value import prospects, value
from wh_env.agents.tactics import load_positions
from wh_env.agents.tactics.play import Opponent, play_policy, seeds_of
from wh_env.testing import Scene, melee, pick, ranged, sheet

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


def test_prospects_go_from_lost_to_won_and_look_the_same_from_both_seats():
    scene = Scene()
    scene.unit(0, CLUBS, at=[(20, 20), (21.5, 20)])
    scene.unit(1, CLUBS, at=[(40, 24), (38.5, 24)])
    battle = scene.battle("movement", round=4)
    reader = Reader(battle.setup)
    seen = []
    for lead in (-9, -1, 0, 1, 9):
        battle.players.vp[0], battle.players.vp[1] = max(0, lead), max(0, -lead)
        seen.append(prospects(reader, battle, 0))
        assert seen[-1] == pytest.approx(-prospects(reader, battle, 1), abs=1e-5)
    assert seen == sorted(seen)
    assert seen[2] == pytest.approx(0.0, abs=1e-5)
    assert seen[-1] > 1.0 > seen[-2] > seen[2]
    battle.players.vp[0], battle.players.vp[1] = 1, 0
    early = Scene()
    early.unit(0, CLUBS, at=[(20, 20), (21.5, 20)])
    early.unit(1, CLUBS, at=[(40, 24), (38.5, 24)])
    begun = early.battle("movement", round=1, vp=(1, 0))
    assert prospects(reader, battle, 0) > prospects(Reader(begun.setup), begun, 0) > 0.0  # a late lead is worth more


class Scripted(TacticianPolicy):
    """A tactician that is told what comes of its trials."""

    def __init__(self, outcomes, **options):
        super().__init__(**options)
        self.outcomes, self.tried = outcomes, {}

    def trial(self, battle, seat, action, seed):
        dice = self.tried.setdefault(action, [])
        dice.append(seed)
        return self.outcomes[action](len(dice), np.random.default_rng([seed, action]))


def chosen(outcomes, seed=0, **options):
    """What it chooses of these actions, the preferred one first, and the dice that it tried each with."""
    preferred, *rivals = outcomes
    policy = Scripted(outcomes, seed=seed, **options)
    return policy.best(last_turn((28, 20)), preferred, rivals), policy.tried


def test_the_plan_is_changed_only_for_what_is_surely_better():
    better, worse = (lambda n, rng: 1.0 + 0.1 * rng.normal()), (lambda n, rng: -1.0)
    choice, tried = chosen({5: lambda n, rng: 0.0, 6: worse, 7: better, 8: worse, 9: worse}, confirm=8)
    assert choice == 7
    assert tried[5] == tried[7] and len(tried[7]) == 8  # all on the same dice
    assert all(tried[a] == tried[5][: len(tried[a])] and len(tried[a]) == 1 for a in (6, 8, 9))
    assert chosen({5: worse, 6: worse})[0] == 5
    # good on the first dice, ruinous on others
    assert chosen({5: lambda n, rng: 0.0, 6: lambda n, rng: 1.0 if n <= 2 else -9.0}, confirm=8)[0] == 5
    # what never costs anything and now and then pays, though not at once
    assert chosen({5: lambda n, rng: 0.0, 6: lambda n, rng: float(n == 2)}, confirm=8)[0] == 6


def test_firmness_keeps_chance_from_changing_the_plan():
    """Of rivals that are no better on average fewer are taken the firmer it is."""
    noise = dict.fromkeys(range(5, 10), lambda n, rng: rng.normal())
    changed = [sum(chosen(noise, seed, firm=firm)[0] != 5 for seed in range(60)) for firm in (0.0, 3.0)]
    assert changed[0] > 2 * changed[1]


@pytest.mark.parametrize("name", ["plug-the-gap", "keep-them-off-the-marker", "stay-out-of-reach", "run-for-it"])
def test_sees_what_the_enemy_does_next(name):
    """Positions that the best choice of the moment loses: screens, out of reach, a run to the last marker."""
    position = next(p for p in load_positions() if p.name == name)
    opponent = Opponent(position)
    seeds = seeds_of(position, 1, "test", 3)
    worth = {
        agent: np.mean([play_policy(position, opponent, seed, make(agent), n) for n, seed in enumerate(seeds)])
        for agent in ("greedy", "tactician")
    }
    assert worth["tactician"] > worth["greedy"]


def test_places_differ_and_serve_a_purpose():
    """They do not crowd; that of the screen lies between an enemy that strikes and a unit that cannot."""
    scene = Scene()
    scene.unit(0, sheet("Screen", M=6, points=40), at=[(20, 20)])
    scene.unit(0, sheet("Guns", M=0, points=220), at=[(20, 14)])
    foe = sheet("Ravagers", M=7, points=150, weapons={"claw": melee(A=8, WS=2, S=8, AP=-3, D=3)})
    scene.unit(1, foe, at=[(28, 14), (29.5, 14)])
    battle = scene.battle("movement", round=3)
    pick(battle, "Screen")
    pick(battle, "Normal move")
    mask, space = battle.legal(), battle.setup.space
    first = space.cell + int(mask[space.cell : space.angle].argmax())
    places = Doctrine(battle.setup).places(battle, mask, 5, first)
    assert len(set(places)) == 5 and all(mask[a] for a in places)
    cells = np.array([divmod(a - space.cell, space.grid) for a in (first, *places)])
    gaps = np.hypot(*(cells[:, None] - cells[None, :]).transpose(2, 0, 1)) + 9 * np.eye(6)
    assert gaps.min() >= 2.0
    cells, gains = Doctrine(battle.setup).cells(battle, mask)
    battle.apply(int(cells[gains[4].argmax()]))  # the last purpose: to shield others
    assert 20.3 < battle.models.x[0] < 27.7 and abs(battle.models.y[0] - 14) < 1.5


@pytest.mark.parametrize(
    ("option", "least"),
    [("samples=0", 1), ("places=0", 1), ("horizon=0", 1), ("turns=0", 1), ("confirm=1", 2), ("firm=-1", 0)],
)
def test_options_are_checked(option, least):
    with pytest.raises(ValueError, match=f"tactician: {option}; expected at least {least}"):
        make(f"tactician,{option}")
