"""What every registered ruleset must do: sound random battles, honest masks, policies, observations, words, rules that exist."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.invariants import soak
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.content.games import GAMES
from wh_env.content.load import names, rulesets
from wh_env.content.rulebook import catalogue
from wh_env.core.procedures import Ruleset
from wh_env.envs import registry
from wh_env.envs.observation import Observer

DETAILS = ("squad", "full")
EVERY = pytest.mark.parametrize("ruleset", rulesets())


def appraises(ruleset: str) -> bool:
    """Whether a game says what options are worth; for one that does not yet the greedy policy answers as the engine does by default."""
    return type(GAMES[ruleset].ruleset).appraiser is not Ruleset.appraiser


def skirmish(ruleset: str, detail: str = "squad", seed: int = 0) -> Battle:
    return Battle.load(registry.environment(ruleset).skirmish, seed, detail=detail)


def test_every_ruleset_is_registered_everywhere():
    assert rulesets() == registry.rulesets() == sorted(GAMES)


@EVERY
def test_its_battles_load(ruleset):
    """All shipped battles that draw nothing, by name."""
    for name in names("battles", ruleset):
        if "/random-" not in name:
            battle = Battle.load(name, 1)
            assert battle.setup.ruleset.id == ruleset
            assert battle.decision is not None
            assert battle.roster(0) and battle.roster(1)


@EVERY
@pytest.mark.parametrize("detail", DETAILS)
def test_nothing_is_violated_in_random_battles(ruleset, detail):
    """Invariants after every action; every twentieth mask is tried out, action by action, on copies."""
    count, faults = soak(skirmish(ruleset, detail, 300), 300, every=20, legal_sample=6)
    assert faults == []
    assert count > 50


@EVERY
def test_its_decisions_name_rules_of_its_catalogue(ruleset):
    known = catalogue(ruleset)
    kinds = skirmish(ruleset).setup.ruleset.kinds
    assert {kind.name: [rule for rule in kind.rules if rule not in known] for kind in kinds if kind.rules} == {
        kind.name: [] for kind in kinds if kind.rules
    }


@EVERY
def test_its_events_name_rules_of_its_catalogue_and_are_explained(ruleset):
    battle = Battle.load(registry.environment(ruleset).skirmish, 2, record=True)
    play_battle(battle, [make("random", 1), make("random", 2)])
    known = catalogue(ruleset)
    assert {event.rule for event in battle.events} - set(known) == set()
    assert len({event.rule for event in battle.events}) > 10
    for event in battle.events[:50]:
        assert event.rule in battle.explain(event)


@EVERY
@pytest.mark.parametrize("detail", DETAILS)
def test_every_option_has_words_of_its_own(ruleset, detail):
    """At no decision do two legal actions read the same."""
    battle = skirmish(ruleset, detail, 3)
    policy = make("random", 3)
    for step in range(400):
        if battle.over:
            break
        if step % 7 == 0:
            words = [battle.describe(action) for action in battle.decision.options]
            twice = {text for text in words if words.count(text) > 1}
            assert twice == set(), battle.decision.kind
        battle.apply(policy.act(battle, battle.legal()))


@EVERY
@pytest.mark.parametrize("detail", DETAILS)
def test_the_greedy_policy_plays_it_and_changes_nothing(ruleset, detail):
    battle = skirmish(ruleset, detail, 4)
    policies = [make("greedy"), make("greedy")]
    for step in range(3000):
        if battle.over:
            return
        before = battle.state_bytes() if step % 25 == 0 else b""
        action = policies[battle.clock.player[0]].act(battle, battle.legal())
        assert battle.legal()[action]
        assert before in (b"", battle.state_bytes())
        battle.apply(action)
    pytest.fail("the battle does not end")


@pytest.mark.parametrize("ruleset", [name for name in rulesets() if appraises(name)])
def test_the_greedy_policy_beats_random(ruleset):
    """In 6 mirrored pairs of a small battle it wins at least 8 of 12 and leads in points."""
    setup, won, lead = skirmish(ruleset).setup, 0, 0
    for seed in range(6):
        for seat in (0, 1):
            battle = Battle(setup, seed)
            policies = [make("random", 2 * seed + 1), make("random", 2 * seed + 2)]
            policies[seat] = make("greedy", seed)
            result = play_battle(battle, policies).result
            assert result is not None
            won += result.winner == seat
            lead += result.victory_points[seat] - result.victory_points[1 - seat]
    assert won >= 8
    assert lead > 0


@EVERY
@pytest.mark.parametrize("detail", DETAILS)
def test_observations_stay_within_their_fields(ruleset, detail):
    battle = skirmish(ruleset, detail, 5)
    observer, policy = Observer(battle.setup, "entities"), make("random", 5)
    for step in range(600):
        if battle.over:
            break
        if step % 9 == 0:
            for seat in (0, 1):
                for name, part in observer.observe(battle, seat).items():
                    assert np.isfinite(part).all() and part.min() >= -1 and part.max() <= 1, name
        battle.apply(policy.act(battle, battle.legal()))


@EVERY
def test_what_is_hidden_is_in_no_byte_of_an_observation(ruleset):
    """Wherever the ruleset declares something hidden, other values there change nothing of what the seat sees."""
    battle = skirmish(ruleset, seed=6)
    observer, policy, chance = Observer(battle.setup), make("random", 6), np.random.default_rng(1)
    for _ in range(300):
        if battle.over:
            break
        for seat in (0, 1):
            hidden = battle.setup.ruleset.hidden(battle, seat)
            plain = observer.observe(battle, seat).tobytes() if hidden else b""
            for what in hidden:
                other = battle.clone()
                rows = other.setup.layout.view(other.buffer, what.table)[what.first : what.last]
                for column in what.columns or rows.dtype.names:
                    rows[column] = chance.integers(0, 5, rows[column].shape)
                assert observer.observe(other, seat).tobytes() == plain, what
        battle.apply(policy.act(battle, battle.legal()))
