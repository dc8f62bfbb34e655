"""Monte-Carlo tree search: legal, repeatable, within its budget, and it finds what wins."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.testing import Scene, melee, sheet

SKIRMISH = "w10/only-war-skirmish"
QUICK = "search,simulations=12,prior=greedy,turns=1,samples=1,confirm=2"
CLUBS = sheet("Clubs", W=2, weapons={"club": melee(A=2, WS=4, S=4)})
FIRST = f"{__name__}:First"


class First:
    """Takes the first legal action."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, battle, mask) -> int:
        return int(mask.argmax())

    def reset(self, seed: int) -> None:
        self.seed = seed


def kind_of(battle) -> str:
    return battle.setup.ruleset.kinds[battle.clock.kind[0]].name


def asked_for(kind: str, seed: int) -> Battle:
    """A skirmish in which the greedy policy is asked for this kind of decision."""
    battle, guide = Battle.load(SKIRMISH, seed), make("greedy")
    while kind_of(battle) != kind or battle.clock.round[0] == 0:
        battle.apply(guide.act(battle, battle.legal()))
    return battle


def last_turn() -> Battle:
    """Level on points and one turn left: standing on the free marker wins, anything else is a draw."""
    scene = Scene()
    scene.unit(0, CLUBS, at=[(20, 20), (21.5, 20)])
    scene.unit(1, CLUBS, at=[(50, 40), (51.5, 40)])
    scene.marker(28, 20)
    return scene.battle("movement", round=4, active=0, first_player=1, vp=(3, 3))


def play_the_move(battle: Battle, policy) -> None:
    while battle.clock.phase[0] == 2 and battle.clock.turn[0] == 0:
        battle.apply(policy.act(battle, battle.legal()))


@pytest.mark.parametrize(
    ("name", "detail", "steps"),
    [(SKIRMISH, "squad", 80), (SKIRMISH, "full", 120), ("epic/river-crossing", "squad", 60)],
)
def test_plays_both_seats_of_any_ruleset_legally(name, detail, steps):
    battle = Battle.load(name, 6, detail=detail)
    policies, searched = [make(QUICK, 1), make(QUICK, 2)], 0
    for _ in range(steps):
        mask, before = battle.legal().copy(), battle.state_bytes()
        policy = policies[battle.clock.player[0]]
        action = policy.act(battle, mask)
        searched += bool(policy.walks)
        assert mask[action]
        assert battle.state_bytes() == before
        battle.apply(action)
    assert searched


def test_same_seed_same_search():
    battle = asked_for("move-to", 7)
    other = battle.clone(31337)  # other dice to come, which it must not see
    policy = make(QUICK, 5)
    action, walks = policy.act(battle, battle.legal()), policy.walks
    policy.reset(5)
    assert policy.act(other, other.legal()) == action
    assert policy.walks == walks


def test_finds_the_move_that_wins():
    """With no help: the favourite is the first legal action, and walks are played on at random."""
    battle = last_turn()
    play_the_move(battle, make(f"search,simulations=150,turns=3,rollout=random,prior={FIRST}", 1))
    assert battle.marker_distance(0, 0) <= 3.0


@pytest.mark.parametrize(("depth", "wins"), [(1, False), (2, True)])
def test_a_plan_of_two_decisions_is_worth_more_than_its_first(depth, wins):
    """To stand on the marker is to move at all and then to go there; the rollout policy would move away from it."""
    battle = last_turn()
    policy = make(f"search,turns=3,depth={depth},rollout={FIRST},prior={FIRST}", 1)
    action = policy.act(battle, battle.legal())
    assert (battle.describe(action) == "Clubs: Normal move") is wins
    assert max(map(len, policy.walks)) == depth
    play_the_move(battle, policy)
    assert (battle.marker_distance(0, 0) <= 3.0) is wins


def test_the_favourite_stays_where_nothing_is_surely_better():
    battle = last_turn()
    policy = make(f"search,turns=3,rollout={FIRST},prior={__name__}:Winner", 1)
    battle.apply(policy.act(battle, battle.legal()))
    policy.act(battle, battle.legal())
    play_the_move(battle, policy)
    assert battle.marker_distance(0, 0) <= 3.0


class Winner(First):
    """Goes to the marker."""

    def act(self, battle, mask) -> int:
        space = battle.setup.space
        if kind_of(battle) == "move-kind":
            return int(mask.nonzero()[0][1])
        if not mask[space.cell : space.angle].any():
            return int(mask.argmax())

        def left(action: int) -> float:
            copy = battle.clone(0)
            copy.apply(action)
            return copy.marker_distance(0, 0)

        return min(mask.nonzero()[0].tolist(), key=left)


def test_walks_are_a_budget_that_is_not_used_up_once_all_is_settled():
    battle = asked_for("move-to", 8)
    policy = make("search,simulations=20,prior=greedy,turns=1", 1)
    policy.act(battle, battle.legal())
    assert policy.walks.total() == 20
    assert len({plan[0] for plan in policy.walks}) < battle.legal().sum()  # not everything is tried
    settled = make(f"search,simulations=2000,turns=3,rollout={FIRST},prior={FIRST}", 1)
    battle = last_turn()
    settled.act(battle, battle.legal())
    assert 0 < settled.walks.total() < 400


def test_time_is_a_budget(monkeypatch):
    """A clock on which every look takes a tenth of a second."""
    ticks = iter(range(10_000))
    monkeypatch.setattr("wh_env.agents.policies.search.perf_counter", lambda: next(ticks) / 10)
    battle = asked_for("move-to", 8)
    policy = make("search,seconds=0.95,simulations=1,prior=greedy,turns=1", 1)
    assert battle.legal()[policy.act(battle, battle.legal())]
    assert policy.walks.total() == 9


def test_before_the_battle_and_where_a_secret_would_show_the_prior_answers():
    battle = Battle.load("epic/river-crossing", 3)
    policy, guide = make(QUICK, 1), make("greedy")
    hidden = 0
    for _ in range(150):
        mask = battle.legal()
        secret = battle.setup.ruleset.hidden(battle, battle.clock.player[0])
        if battle.clock.round[0] == 0 or secret:
            hidden += bool(secret)
            assert policy.act(battle, mask) == guide.act(battle, mask)
            assert not policy.walks
        battle.apply(guide.act(battle, mask))
    assert hidden


OPTIONS = ["simulations=0", "turns=0", "horizon=0", "places=0", "depth=0", "width=0", "samples=0", "confirm=1"]


@pytest.mark.parametrize("option", [*OPTIONS, "seconds=-1", "firm=-1"])
def test_options_are_checked(option):
    with pytest.raises(ValueError, match=f"search: {option}; expected"):
        make(f"search,{option}")
