"""The AEC environment: PettingZoo's tests, and our own over whole battles."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test  # type: ignore[import-untyped]

import wh_env
from wh_env import Battle, ContentError, IllegalAction
from wh_env.envs.observation import SIZE, Observer
from wh_env.envs.spaces import fill_mask, is_turned, turn_action

SKIRMISH = "w10/only-war-skirmish"
WHOLE_BATTLE = """
import hashlib, sys
import numpy as np
import wh_env
environment = wh_env.env("w10", battle="w10/only-war-skirmish")
environment.reset(seed=11)
chance, digest = np.random.default_rng(5), hashlib.sha256()
for agent in environment.agent_iter():
    observation, reward, terminated, truncated, info = environment.last()
    digest.update(observation["observation"].tobytes() + observation["action_mask"].tobytes() + repr((agent, reward)).encode())
    done = terminated or truncated
    environment.step(None if done else int(chance.choice(observation["action_mask"].nonzero()[0])))
print(digest.hexdigest(), environment.unwrapped.battle.result)
"""


def play(environment, seed: int, chance: int = 0, most: int = 10_000):
    """Random legal play; yields (agent, observation, reward, done, action) of every step."""
    generator = np.random.default_rng(chance)
    environment.reset(seed=seed)
    for agent in environment.agent_iter(most):
        observation, reward, terminated, truncated, _ = environment.last()
        done = terminated or truncated
        action = None if done else int(generator.choice(observation["action_mask"].nonzero()[0]))
        yield agent, observation, reward, done, action
        environment.step(action)


def test_pettingzoo_api():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(wh_env.env("w10", battle=SKIRMISH), num_cycles=250)
    told = {str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)}
    # both are about observations being dicts, which is how PettingZoo's own board games do it
    allowed = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
    assert not [message for message in told if not message.startswith(allowed)]


def test_pettingzoo_api_on_the_default_battle():
    environment = wh_env.env("w10")
    environment.reset(seed=1)
    assert environment.unwrapped.battle.setup.width == 44  # inches; the skirmish is smaller
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(environment, num_cycles=60)


def test_pettingzoo_seed():
    seed_test(lambda: wh_env.env("w10", battle=SKIRMISH), num_cycles=200)


def test_whole_battles_are_the_same_in_every_process():
    outputs = []
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", WHOLE_BATTLE], env=environment, capture_output=True, text=True, check=True
        )
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert "Result(" in outputs[0]


def test_seeds_make_battles():
    environment = wh_env.raw_env(battle=SKIRMISH)

    def final(seed):
        for _ in play(environment, seed):
            pass
        return environment.battle.state_bytes()

    assert final(3) == final(3)
    assert final(3) != final(4)
    environment.reset(seed=8)
    first = environment.battle.state_bytes()
    environment.reset()
    assert environment.battle.state_bytes() != first  # another battle without a seed ...
    second = environment.battle.state_bytes()
    environment.reset(seed=8)
    environment.reset()
    assert environment.battle.state_bytes() == second  # ... that follows from the seed before


def test_a_battle_from_start_to_end():
    environment = wh_env.raw_env(battle=SKIRMISH)
    rewards, asked = {}, set()
    for agent, observation, reward, done, _ in play(environment, 2):
        assert observation["observation"].shape == (SIZE,)
        assert environment.observation_space(agent).contains(observation)
        other = "player_1" if agent == "player_0" else "player_0"
        if done:
            rewards[agent] = reward
            assert not observation["action_mask"].any()
        else:
            asked.add(agent)
            assert reward == 0
            assert observation["action_mask"].any()
            assert not environment.observe(other)["action_mask"].any()
    assert asked == {"player_0", "player_1"}
    assert environment.battle.result is not None
    winner = environment.battle.result.winner
    assert rewards == (
        {"player_0": 0, "player_1": 0} if winner is None else {f"player_{winner}": 1, f"player_{1 - winner}": -1}
    )
    assert environment.agents == []


def test_spaces_are_one_object_for_both_seats():
    environment = wh_env.raw_env(battle=SKIRMISH)
    assert environment.observation_space("player_0") is environment.observation_space("player_1")
    assert environment.action_space("player_0") is environment.action_space("player_1")


def test_observations_are_the_callers_to_keep():
    environment = wh_env.raw_env(battle=SKIRMISH)
    environment.reset(seed=1)
    kept = environment.observe("player_0")
    before = kept["observation"].copy()
    for _ in range(12):
        environment.step(int(environment.observe(environment.agent_selection)["action_mask"].argmax()))
    assert (kept["observation"] == before).all()
    assert (environment.observe("player_0")["observation"] != before).any()


def test_raw_env_refuses_illegal_actions_and_changes_nothing():
    environment = wh_env.raw_env(battle=SKIRMISH)
    environment.reset(seed=1)
    mask = environment.observe(environment.agent_selection)["action_mask"]
    illegal = int((mask == 0).argmax())
    state = environment.battle.state_bytes()
    with pytest.raises(IllegalAction):
        environment.step(illegal)
    with pytest.raises(IllegalAction):
        environment.step(len(mask))
    with pytest.raises(ValueError, match="is asked a decision"):
        environment.step(None)
    assert environment.battle.state_bytes() == state
    environment.step(int(mask.argmax()))


def test_env_loses_the_game_for_an_illegal_action():
    environment = wh_env.env(battle=SKIRMISH)
    environment.reset(seed=1)
    agent = environment.agent_selection
    mask = environment.observe(agent)["action_mask"]
    environment.step(int((mask == 0).argmax()))
    rewards = dict(environment.rewards)
    assert rewards[agent] == -1
    assert all(environment.terminations.values())
    for _ in range(2):
        environment.step(None)
    assert environment.agents == []


def test_dead_agents_take_one_step_with_none():
    environment = wh_env.raw_env(battle=SKIRMISH, max_decisions=5)
    environment.reset(seed=1)
    for _ in range(5):
        environment.step(int(environment.observe(environment.agent_selection)["action_mask"].argmax()))
    assert all(environment.truncations.values())
    assert not any(environment.terminations.values())
    with pytest.raises(ValueError, match="only valid action is None"):
        environment.step(0)
    environment.step(None)
    assert len(environment.agents) == 1
    environment.step(None)
    assert environment.agents == []


def test_infos_tell_the_decision_when_they_are_read():
    environment = wh_env.env(battle=SKIRMISH, render_mode="ansi")
    environment.reset(seed=1)
    agent = environment.agent_selection
    info = environment.infos[agent]
    assert isinstance(info, dict)
    assert info["kind"] == environment.unwrapped.battle.decision.kind
    mask = environment.observe(agent)["action_mask"]
    assert sorted(info["words"]) == mask.nonzero()[0].tolist()
    other = next(name for name in environment.agents if name != agent)
    assert environment.infos[other]["words"] == {}
    assert environment.render().count("\n") > 10


def test_options_choose_another_battle():
    environment = wh_env.raw_env(battle=SKIRMISH)
    environment.reset(seed=1, options={"battle": "w10/only-war-incursion"})
    assert environment.battle.setup.width == 44
    environment.reset(seed=1)
    assert environment.battle.setup.width == 30


def test_wrong_names_are_refused():
    with pytest.raises(ContentError, match="ruleset: 'w11'"):
        wh_env.env("w11")
    with pytest.raises(ContentError, match=r"render_mode: 'film'.*expected one of ansi, human, rgb_array"):
        wh_env.env("w10", render_mode="film")
    with pytest.raises(ContentError, match=r"reward: 'glory'.*expected one of margin, outcome"):
        wh_env.env("w10", reward="glory")


def test_reset_in_the_middle_of_a_battle_begins_anew():
    environment = wh_env.env(battle=SKIRMISH)
    environment.reset(seed=4)
    first = environment.unwrapped.battle.state_bytes()
    for _ in range(30):
        environment.step(int(environment.observe(environment.agent_selection)["action_mask"].argmax()))
    assert environment.unwrapped.battle.state_bytes() != first
    environment.reset(seed=4)
    assert environment.unwrapped.battle.state_bytes() == first
    assert environment.agents == environment.possible_agents
    assert not any(environment.terminations.values())
    assert set(environment.rewards.values()) == {0.0}


def test_a_step_after_the_end_is_as_pettingzoo_says(caplog):
    environment = wh_env.env(battle=SKIRMISH, max_decisions=3)
    for _ in play(environment, 1):
        pass
    assert environment.agents == []
    state = environment.unwrapped.battle.state_bytes()
    environment.step(None)  # the order-enforcing wrapper warns; there is nobody left to act
    assert "after all agents are terminated or truncated" in caplog.text
    assert environment.unwrapped.battle.state_bytes() == state
    with pytest.raises(ValueError, match=r"nobody is left to act: call reset\(\) first"):
        environment.unwrapped.step(None)


def test_close_may_be_called_twice_and_in_the_middle():
    environment = wh_env.env(battle=SKIRMISH)
    environment.close()
    environment.reset(seed=1)
    environment.step(int(environment.observe(environment.agent_selection)["action_mask"].argmax()))
    environment.close()
    environment.close()


@pytest.mark.parametrize("limit", [1, 7, 40])
def test_the_decision_limit_truncates_both_at_once(limit):
    """In the style of PettingZoo's max_cycles_test, whose cycles this environment does not have."""
    environment = wh_env.env(battle=SKIRMISH, max_decisions=limit)
    asked, last = 0, []
    for agent, _, reward, done, _ in play(environment, 6):
        if done:
            last.append((agent, reward, environment.truncations[agent], environment.terminations[agent]))
        else:
            asked += 1
            assert not any(environment.truncations.values())
    assert asked == limit
    assert sorted(last) == [("player_0", 0.0, True, False), ("player_1", 0.0, True, False)]


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_render(mode, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    if mode != "ansi":
        pytest.importorskip("pygame")
    environment = wh_env.env(battle=SKIRMISH, render_mode=mode)
    environment.reset(seed=1)
    environment.step(int(environment.observe(environment.agent_selection)["action_mask"].argmax()))
    shown = environment.render()
    if mode == "ansi":
        assert isinstance(shown, str) and "\n" in shown
    elif mode == "rgb_array":
        assert shown.dtype == np.uint8 and shown.ndim == 3 and shown.shape[2] == 3
        assert shown.std() > 0
    else:
        assert shown is None
    environment.close()
    environment.close()


def test_pettingzoo_render(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pytest.importorskip("pygame")
    render_test(lambda **how: wh_env.env(battle=SKIRMISH, **how))


# ---- both seats


def mirrored(seed: int, battle: str, armies: list[str]) -> tuple[Battle, Battle]:
    """A battle and the same with the sides of the players swapped."""
    first = Battle.load(battle, seed, overrides={"armies": armies}, rules={"attacker": 0, "first_player": 0})
    second = Battle.load(battle, seed, overrides={"armies": armies[::-1]}, rules={"attacker": 1, "first_player": 1})
    return first, second


@pytest.mark.parametrize(
    ("battle", "armies", "seed"),
    [
        (SKIRMISH, ["astartes-skirmish", "tyranids-skirmish"], 1),
        (SKIRMISH, ["tyranids-skirmish", "astartes-skirmish"], 2),
        ("w10/only-war-incursion", ["astartes-incursion", "tyranids-incursion"], 3),
    ],
)
def test_swapping_sides_gives_the_same_game(battle, armies, seed):
    """Seen by the seats, a battle and its mirror image are one: same observations, same masks, same result."""
    a, b = mirrored(seed, battle, armies)
    eyes = Observer(a.setup), Observer(b.setup)
    size = a.setup.space.size
    seen = np.zeros((2, SIZE), np.float32)
    masks = np.zeros((2, size), np.int8)
    chance = np.random.default_rng(seed)
    while not a.over:
        player = a.clock.player[0]
        assert b.clock.player[0] == 1 - player
        for seat in (0, 1):
            eyes[0].write(a, seat, seen[0])
            eyes[1].write(b, 1 - seat, seen[1])
            np.testing.assert_allclose(seen[0], seen[1], atol=1e-4)
        fill_mask(a, player, masks[0])
        fill_mask(b, 1 - player, masks[1])
        assert (masks[0] == masks[1]).all()
        action = int(chance.choice(masks[0].nonzero()[0]))
        for game, seat in ((a, player), (b, 1 - player)):
            game.apply(turn_action(game.setup.space, action) if is_turned(game, seat) else action)
    assert a.result is not None
    assert b.result is not None
    assert a.result.victory_points == b.result.victory_points[::-1]
    if a.result.winner is None:
        assert b.result.winner is None
    else:
        assert b.result.winner == 1 - a.result.winner


def test_turning_an_action_twice_gives_it_back():
    space = Battle.load(SKIRMISH, 0).setup.space
    turned = [turn_action(space, action) for action in range(space.size)]
    assert sorted(turned) == list(range(space.size))
    assert [turn_action(space, action) for action in turned] == list(range(space.size))


@pytest.mark.parametrize("limit", [None, 5])
def test_the_last_infos_hold_outcome_and_victory_points(limit):
    environment = wh_env.raw_env("w10", battle=SKIRMISH, max_decisions=limit)
    chance = np.random.default_rng(4)
    environment.reset(seed=4)
    assert environment.infos["player_0"]["outcome"] == 0.0
    while not any((*environment.terminations.values(), *environment.truncations.values())):
        agent = environment.agent_selection
        environment.step(int(chance.choice(environment.observe(agent)["action_mask"].nonzero()[0])))
    vp = list(environment.battle.players.vp)
    result = environment.battle.result
    for seat, agent in enumerate(("player_0", "player_1")):
        info = environment.infos[agent]
        worth = 0 if result is None or result.winner is None else 1 if result.winner == seat else -1
        for told in (info, dict(info.items()), info.copy()):
            assert told["outcome"] == worth
            assert list(told["victory_points"]) == [vp[seat], vp[1 - seat]]
    assert (result is None) == (limit is not None)
