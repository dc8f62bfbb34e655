"""What the tactician goes by in each ruleset: every one has its numbers, and positions of regiments are judged as they are scored."""

from __future__ import annotations

from math import pi

import pytest

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.agents.policies.tactician import TacticianPolicy, kind_of
from wh_env.agents.policies.tactician_reading import Reader
from wh_env.agents.policies.tactician_value import prospects, terms, value
from wh_env.agents.policies.tactician_weights import MARKERS, REGIMENTS, WEIGHTS, weights_of
from wh_env.core.tables import DESTROYED
from wh_env.envs.registry import environment, rulesets
from wh_env.rulesets.wap.battle.victory import points_due, score
from wh_env.testing.wap import RegimentScene, UnitHandle


def test_every_ruleset_has_its_numbers():
    assert set(WEIGHTS) == set(rulesets())
    assert weights_of("a game of somebody else's") is MARKERS


@pytest.mark.parametrize("ruleset", sorted(WEIGHTS))
def test_the_decisions_that_the_numbers_name_are_asked(ruleset):
    kinds = Battle.load(environment(ruleset).skirmish, 1).setup.ruleset.kind_by_name
    weights = WEIGHTS[ruleset]
    assert (weights.tried | weights.passed) <= set(kinds)


def test_only_games_of_regiments_leave_the_numbers_of_markers():
    assert {ruleset for ruleset, weights in WEIGHTS.items() if weights is not MARKERS} == {"wap"}
    assert (MARKERS.victory_point, MARKERS.turns, MARKERS.confirm) == (55.0, 2, 8)
    assert not MARKERS.tried and not MARKERS.passed  # everything is tried, nothing passed over


def regiments(**theirs) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A regiment of either side, out of reach of each other."""
    scene = RegimentScene((72.0, 48.0))
    mine = scene.unit(0, None, (36, 6), models=20, points=150)
    foe = scene.unit(1, None, (36, 42), models=20, points=150, **theirs)
    return scene.battle("movement", run=False), mine, foe


def judged(battle: Battle, seat: int = 0) -> float:
    return value(Reader(battle.setup), battle, seat)


def test_the_value_rises_when_an_enemy_regiment_breaks_and_again_when_it_is_gone():
    battle, _, foe = regiments()
    whole = judged(battle)
    assert whole == pytest.approx(0.0)
    battle.units.fleeing[foe.row] = 1
    broken = judged(battle)
    assert broken > whole + REGIMENTS.flight * 75 - 1e-9  # half its cost is due unless it rallies
    assert judged(battle, 1) == pytest.approx(-broken)
    battle.units.fleeing[foe.row] = 0
    battle.units.place[foe.row] = DESTROYED
    assert judged(battle) > broken + 75


def test_who_flees_at_the_end_does_not_rally():
    battle, _, foe = regiments()
    battle.units.fleeing[foe.row] = 1
    early = judged(battle)
    battle.clock.round[0], battle.clock.turn[0] = 6, 1 - battle.clock.first_player[0]
    assert 75 <= judged(battle) != early


def test_what_is_due_is_what_would_be_counted_now():
    battle, _, foe = regiments()
    battle.units.fleeing[foe.row] = 1
    assert points_due(battle) == ((75, 0), (0, 0))
    battle.units.fleeing[foe.row], battle.units.alive[foe.row] = 0, 10
    assert points_due(battle) == ((0, 0), (75, 0))
    score(battle)
    assert (battle.players.vp[0], battle.players.vp[1]) == (75, 0)


def test_a_regiment_that_can_charge_a_flank_is_worth_more_than_one_that_looks_away():
    worth = []
    for facing in (0.5 * pi, 1.5 * pi):
        scene = RegimentScene((72.0, 48.0))
        scene.unit(0, None, (36, 19), models=20, points=150, facing=facing)
        scene.unit(1, None, (38, 27), models=20, points=150, facing=0.0)
        battle = scene.battle("movement", run=False)
        worth.append(terms(Reader(battle.setup), battle, 0).soon)
    assert worth[0] > worth[1]


def test_a_lead_in_points_is_a_chance_to_win():
    battle, _, _ = regiments()
    reader, seen = Reader(battle.setup), []
    for lead in (-300, 0, 100, 300):
        battle.players.vp[0], battle.players.vp[1] = max(0, lead), max(0, -lead)
        seen.append(prospects(reader, battle, 0))
    assert seen == sorted(seen)
    assert seen[1] == pytest.approx(0.0)
    assert -1.2 < seen[0] < -0.1 and 0.1 < seen[3] < 1.2


def test_only_decisions_of_the_list_are_tried():
    """Everything else is answered at once as the appraisal does."""

    class Counted(TacticianPolicy):
        def best(self, battle, preferred, rivals):
            asked.add(battle.setup.ruleset.kinds[battle.clock.kind[0]].name)
            return preferred

    asked: set[str] = set()
    battle, policy, other = Battle.load("wap/open-field", 3), Counted(seed=1), make("greedy")
    while not battle.over:
        mask = battle.legal()
        action = policy.act(battle, mask)
        assert action == other.act(battle, mask)
        battle.apply(action)
    assert "declare-charge" in asked
    assert asked <= REGIMENTS.tried


def test_manoeuvres_are_tried_and_nobody_moves_in_their_trials():
    """A march is tried on copies in which later manoeuvres are passed over."""

    class Tried(TacticianPolicy):
        def trial(self, battle, seat, action, seed):
            if kind_of(battle) == "manoeuvre":
                tried.add(action)
            return super().trial(battle, seat, action, seed)

        def answer(self, copy, mask):
            action = super().answer(copy, mask)
            if kind_of(copy) in REGIMENTS.passed:
                assert action == int(mask.argmax())
                passed.add(kind_of(copy))
            return action

    tried: set[int] = set()
    passed: set[str] = set()
    scene = RegimentScene((72.0, 48.0))
    scene.unit(0, None, (36, 16), models=20, points=150)
    scene.unit(0, None, (16, 6), models=20, points=150)
    scene.unit(1, None, (36, 34), models=20, points=150)
    battle, policy = scene.battle("movement"), Tried(seed=1)
    while kind_of(battle) != "manoeuvre":
        battle.apply(policy.act(battle, battle.legal()))
    mask = battle.legal()
    policy.act(battle, mask)
    assert tried == set(mask.nonzero()[0].tolist())
    assert "select-to-move" in passed
