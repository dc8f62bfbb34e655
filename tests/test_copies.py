"""Copies and pickles of battles, Setups and environments play on like the original, and are independent of it."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys

import cloudpickle
import numpy as np
import pytest

import wh_env
from wh_env import Battle, ContentError
from wh_env.envs.rewards import Reward, survivors
from wh_env.testing import Scene, script

SKIRMISH = "w10/only-war-skirmish"
BATTLES = [("w10/only-war-incursion", "squad", {}), (SKIRMISH, "full", {}), (SKIRMISH, "squad", {"terrain": "players"})]
BATTLES += [("epic/bridgehead", "squad", {}), ("epic/broken-country", "full", {})]
BATTLES += [("wap/open-field", "squad", {}), ("wap/open-skirmish", "full", {})]
WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "cloudpickle": lambda thing: pickle.loads(cloudpickle.dumps(thing)),
}
EVERY_WAY = pytest.mark.parametrize("way", WAYS)


def play(battle: Battle, seed: int, decisions: int) -> Battle:
    chance = random.Random(seed)
    for _ in range(decisions):
        if not battle.over:
            legal = np.flatnonzero(battle.legal())
            battle.apply(int(legal[chance.randrange(len(legal))]))
    return battle


def last_legal(battle: Battle, mask) -> int:
    return int(np.flatnonzero(mask)[-1])


# ---- battles


@EVERY_WAY
@pytest.mark.parametrize(("name", "detail", "rules"), BATTLES)
def test_a_battle_in_the_middle_plays_on(name, detail, rules, way):
    battle = play(Battle.load(name, 5, detail=detail, rules=rules or None, record=True), 5, 40)
    before, told = battle.state_bytes(), len(battle.events)
    twin = WAYS[way](battle)
    assert type(twin) is Battle and twin.state_bytes() == before and (twin.legal() == battle.legal()).all()
    play(twin, 6, 60)
    assert battle.state_bytes() == before and len(battle.events) == told  # independent
    play(battle, 6, 60)
    assert twin.state_bytes() == battle.state_bytes()
    assert twin.events == battle.events and len(twin.events) > told


@EVERY_WAY
def test_delegates_of_the_user_travel_with_the_setup(way):
    battle = play(Battle.load(SKIRMISH, 5, delegates={"select-to-move": last_legal}), 5, 20)
    twin = WAYS[way](battle)
    assert list(twin.setup.policies) == ["select-to-move"]
    play(battle, 6, 60), play(twin, 6, 60)
    assert twin.state_bytes() == battle.state_bytes() != play(Battle.load(SKIRMISH, 5), 6, 60).state_bytes()


def test_delegates_that_are_lambdas_need_cloudpickle():
    battle = Battle.load(SKIRMISH, 5, delegates={"select-to-move": lambda battle, mask: int(mask.argmax())})
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(battle)
    twin = WAYS["cloudpickle"](battle)
    assert play(twin, 6, 60).state_bytes() == play(battle, 6, 60).state_bytes()


@EVERY_WAY
def test_scripted_dice_are_copied(way):
    battle = Battle.load(SKIRMISH, 5)
    script(battle, [6])
    twin = WAYS[way](battle)
    assert [twin.d6(), battle.d6()] == [6, 6]
    assert twin.d6() == battle.d6() and twin.state_bytes() == battle.state_bytes()


def test_copies_share_the_setup_and_a_process_shares_what_it_unpickles():
    battle = Battle.load(SKIRMISH, 5)
    assert copy.deepcopy(battle).setup is copy.copy(battle).setup is battle.setup
    assert copy.deepcopy(battle.setup) is copy.copy(battle.setup) is battle.setup
    one, two = WAYS["pickle"](battle), WAYS["cloudpickle"](battle.clone(9))
    assert one.setup is two.setup is WAYS["pickle"](battle.setup)
    assert Battle.from_bytes(battle.to_bytes()).setup is Battle.from_bytes(battle.to_bytes()).setup
    assert one.setup.digest == battle.setup.digest
    one.copy_from(two)
    assert one.state_bytes() == two.state_bytes()
    assert len(pickle.dumps([battle.clone(seed) for seed in range(8)])) < 2 * len(pickle.dumps(battle)) + 8 * len(
        battle.buffer
    )


def test_a_setup_is_rebuilt_as_it_was():
    battle = Battle.load(SKIRMISH, 5, rules={"terrain": "players", "rounds": 3}, detail="full")
    while not battle.setup.placed:
        battle.apply(battle.first_legal())
    setup, again = battle.setup, WAYS["pickle"](battle.setup)
    assert again.placed and again.source == setup.source and again.names == setup.names
    assert dict(again.rules) == dict(setup.rules) and again.rules["rounds"] == 3
    for name in ("template", "blocks", "corners", "features"):
        assert getattr(again, name).tobytes() == getattr(setup, name).tobytes(), name
    assert again.statics["weapons"].tobytes() == setup.statics["weapons"].tobytes()


def test_a_setup_without_a_source_is_copied_but_not_pickled():
    scene = Scene()
    scene.unit(0, "Termagants", at=(10, 10)), scene.unit(1, "Termagants", at=(30, 30))
    battle = scene.battle("movement")
    assert copy.deepcopy(battle).state_bytes() == battle.state_bytes()
    with pytest.raises(TypeError, match="of no battle config"):
        pickle.dumps(battle)


def test_another_process_plays_on_the_same(tmp_path):
    battle = play(Battle.load("epic/bridgehead", 5), 5, 30)
    (tmp_path / "battle.pickle").write_bytes(pickle.dumps(battle))
    program = (
        "import pickle, sys\n"
        "battle = pickle.load(open(sys.argv[1], 'rb'))\n"
        "for _ in range(20):\n    battle.apply(battle.first_legal())\n"
        "sys.stdout.buffer.write(battle.state_bytes())\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "battle.pickle")]
    told = subprocess.run(command, capture_output=True, check=True).stdout
    for _ in range(20):
        battle.apply(battle.first_legal())
    assert told == battle.state_bytes()


# ---- environments


def same(a, b) -> bool:
    """Whether observations, infos or rewards are equal."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray) and a.dtype == object:
        return same(list(a), list(b))
    return np.array_equal(a, b)


def look(environment):
    """All that an AEC environment says."""
    agents = environment.possible_agents
    return (
        environment.agent_selection, list(environment.agents), environment.rewards, environment._cumulative_rewards,
        environment.terminations, environment.truncations, [environment.observe(agent) for agent in agents],
        [environment.infos[agent].copy() for agent in environment.agents],
    )  # fmt: skip


def step(environment, seed: int, count: int):
    """So many random steps; all that was said on the way."""
    chance, said = np.random.default_rng(seed), []
    for _ in range(count):
        if not environment.agents:
            break
        agent = environment.agent_selection
        if environment.terminations[agent] or environment.truncations[agent]:
            environment.step(None)
        else:
            environment.step(int(chance.choice(environment.observe(agent)["action_mask"].nonzero()[0])))
        said.append(look(environment))
    return said


SHAPED = Reward(potential=survivors, gamma=0.9)
AEC = [
    ("w10", {"battle": SKIRMISH, "reward": SHAPED, "render_mode": "ansi"}),
    ("w10", {"battle": SKIRMISH, "observation": "entities", "reward": "margin", "rules": {"terrain": "players"}}),
    ("epic", {"battle": "epic/broken-country", "detail": "full", "max_decisions": 60}),
]


@EVERY_WAY
@pytest.mark.parametrize("make", [wh_env.raw_env, wh_env.env], ids=["raw_env", "env"])
@pytest.mark.parametrize(("ruleset", "how"), AEC)
def test_an_aec_environment_in_the_middle_plays_on(ruleset, how, make, way):
    environment = make(ruleset, **how)
    environment.reset(seed=3)
    step(environment, 3, 30)
    before = environment.unwrapped.battle.state_bytes()
    twin = WAYS[way](environment)
    assert same(look(twin), look(environment))
    assert twin.infos[twin.agent_selection]["words"] == environment.infos[environment.agent_selection]["words"]
    said = step(twin, 4, 40)
    assert environment.unwrapped.battle.state_bytes() == before
    assert same(step(environment, 4, 40), said)
    twin.reset(), environment.reset()  # the next battle too
    assert same(look(twin), look(environment))


@EVERY_WAY
def test_an_environment_before_its_first_reset_is_copied(way):
    for environment in (wh_env.raw_env("w10", SKIRMISH), wh_env.single_env("w10", SKIRMISH)):
        WAYS[way](environment).reset(seed=1)


def run(environment, seed: int, count: int):
    """So many random steps of a single-agent environment, or of many at once; all that was said."""
    chance, said = np.random.default_rng(seed), []
    for _ in range(count):
        masks = environment.action_masks()
        choices = [int(chance.choice(mask.nonzero()[0])) for mask in np.atleast_2d(masks)]
        said.append(environment.step(np.array(choices) if masks.ndim == 2 else choices[0]))
        if masks.ndim == 1 and (said[-1][2] or said[-1][3]):
            break
    return said


SINGLE = [
    ("w10", {"battle": SKIRMISH, "opponent": "random", "reward": SHAPED}),
    ("w10", {"battle": SKIRMISH, "opponent": "greedy", "observation": "entities", "reward": "margin"}),
    ("w10", {"battle": SKIRMISH, "opponent": last_legal, "render_mode": "ansi", "seat": 1}),
    ("epic", {"battle": "epic/broken-country", "opponent": "greedy"}),
]


@EVERY_WAY
@pytest.mark.parametrize(("ruleset", "how"), SINGLE)
def test_a_gymnasium_environment_in_the_middle_plays_on(ruleset, how, way):
    environment = wh_env.single_env(ruleset, **how)
    environment.reset(seed=3)
    run(environment, 3, 12)
    before = environment.battle.state_bytes()
    twin = WAYS[way](environment)
    said = run(twin, 4, 15)
    assert environment.battle.state_bytes() == before
    assert same(run(environment, 4, 15), said)
    assert same(twin.reset(), environment.reset())


@EVERY_WAY
@pytest.mark.parametrize("observation", ["vector", "entities"])
def test_a_batch_in_the_middle_plays_on(observation, way):
    batch = wh_env.vector_env(3, "w10", battle=SKIRMISH, opponent="greedy", observation=observation, max_decisions=60)
    batch.reset(seed=3)
    run(batch, 3, 12)
    before = [battle.state_bytes() for battle in batch.battles]
    twin = WAYS[way](batch)
    said = run(twin, 4, 25)
    assert [battle.state_bytes() for battle in batch.battles] == before
    assert same(run(batch, 4, 25), said)


@EVERY_WAY
def test_a_batch_of_sb3_plays_on_in_one_process_only(way):
    sb3 = pytest.importorskip("wh_env.envs.sb3")
    batch = sb3.BattleVecEnv(2, "w10", battle=SKIRMISH)
    batch.seed(3), batch.reset()
    run(batch, 3, 12)
    twin = WAYS[way](batch)
    assert same(run(twin, 4, 15), run(batch, 4, 15))
    spread = sb3.BattleVecEnv(2, "w10", battle=SKIRMISH, processes=2)
    try:
        with pytest.raises(TypeError, match="live in other processes"):
            WAYS[way](spread)
    finally:
        spread.close()


# ---- resuming in an environment


@pytest.mark.parametrize("form", [lambda battle: battle, Battle.to_bytes], ids=["battle", "bytes"])
@pytest.mark.parametrize(("name", "ruleset"), [(SKIRMISH, "w10"), ("epic/broken-country", "epic")])
@pytest.mark.parametrize("make", [wh_env.raw_env, wh_env.env], ids=["raw_env", "env"])
def test_an_aec_environment_resumes_a_saved_battle(make, name, ruleset, form):
    first = make(ruleset, name, reward=SHAPED)
    first.reset(seed=3)
    step(first, 3, 30)
    saved = first.unwrapped.battle.clone()
    state = saved.state_bytes()
    second = make(ruleset, reward=SHAPED)
    second.reset(options={"battle": form(saved)})
    # as it stood, but that nothing was paid yet
    assert second.unwrapped.battle.state_bytes() == state and second.agent_selection == first.agent_selection
    assert second.unwrapped.answered == [0, 0]  # counted from the reset on
    second.unwrapped.answered[:] = first.unwrapped.answered
    assert same([second.observe(a) for a in second.agents], [first.observe(a) for a in first.agents])
    assert [second.infos[a].copy() for a in second.agents] == [first.infos[a].copy() for a in first.agents]
    assert set(second.rewards.values()) == set(second._cumulative_rewards.values()) == {0.0}
    said, expected = step(second, 4, 40), step(first, 4, 40)
    assert same([look[:3] + look[4:] for look in said[1:]], [look[:3] + look[4:] for look in expected[1:]])
    assert saved.state_bytes() == state
    second.reset(seed=8, options={"battle": form(saved)})
    third = make(ruleset)
    third.reset(seed=8, options={"battle": form(saved)})
    assert third.unwrapped.battle.state_bytes() == second.unwrapped.battle.state_bytes() != state


def test_an_aec_environment_resumes_a_battle_that_has_ended():
    saved = play(Battle.load(SKIRMISH, 5), 5, 10_000)
    environment = wh_env.raw_env("w10", SKIRMISH)
    environment.reset(options={"battle": saved})
    assert all(environment.terminations.values())
    winner = saved.result.winner
    expected = [0.0, 0.0] if winner is None else [1.0 - 2.0 * (winner != seat) for seat in (0, 1)]
    assert list(environment.rewards.values()) == expected
    with pytest.raises(ContentError, match=r"options.battle.*a battle that goes on"):
        wh_env.single_env("w10", SKIRMISH).reset(options={"battle": saved})


@pytest.mark.parametrize("form", [lambda battle: battle, Battle.to_bytes], ids=["battle", "bytes"])
@pytest.mark.parametrize(("name", "ruleset"), [(SKIRMISH, "w10"), ("epic/broken-country", "epic")])
def test_a_gymnasium_environment_resumes_a_saved_battle(name, ruleset, form):
    saved = play(Battle.load(name, 5), 5, 30)
    state, seat = saved.state_bytes(), saved.decision.player
    environment = wh_env.single_env(ruleset, opponent=last_legal)
    for seed in (None, 4):
        observation, info = environment.reset(seed=seed, options={"battle": form(saved), "seat": seat})
        now = environment.battle
        assert info["seat"] == seat and now.decision.player == seat
        assert (now.models.rows == saved.models.rows).all() and now.clock.decisions[0] == saved.clock.decisions[0]
        assert (now.state_bytes() == state) is (seed is None)
        assert observation.any() and info["action_mask"].sum() == len(saved.decision.options)
    environment.step(int(info["action_mask"].argmax()))
    environment.reset(options={"battle": form(saved), "seat": 1 - seat})  # the opponent plays first
    assert environment.battle.decision.player == 1 - seat and environment.battle.clock.decisions[0] > 30
    batch = wh_env.vector_env(2, ruleset, opponent=last_legal)
    batch.reset(options={"battle": form(saved), "seat": seat})
    assert [battle.state_bytes() for battle in batch.battles] == [state, state]
    assert saved.state_bytes() == state


ENVIRONMENTS = [
    wh_env.raw_env,
    wh_env.env,
    wh_env.single_env,
    lambda ruleset, battle: wh_env.vector_env(2, ruleset, battle=battle),
]


@pytest.mark.parametrize("make", ENVIRONMENTS, ids=["raw_env", "env", "single_env", "vector_env"])
def test_options_that_cannot_be_are_refused(make):
    environment = make("w10", SKIRMISH)
    saved = Battle.load(SKIRMISH, 5)
    with pytest.raises(ContentError, match=r"options.*'batle'.*did you mean 'battle'"):
        environment.reset(options={"batle": SKIRMISH})
    with pytest.raises(ContentError, match=r"options.battle.*a battle of ruleset w10"):
        environment.reset(options={"battle": Battle.load("epic/broken-country", 5)})
    with pytest.raises(ContentError, match=r"options.rules.*a saved battle"):
        environment.reset(options={"battle": saved, "rules": {"rounds": 2}})
    with pytest.raises(ContentError, match="<bytes>"):
        environment.reset(options={"battle": saved.to_bytes()[:-7]})
    environment.reset(seed=1)
