"""Many battles at once: the same as one after the other, in one process and in several."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import wh_env
from wh_env import ContentError, IllegalAction, Reward
from wh_env.envs.processes import ProcessVectorEnv
from wh_env.envs.rewards import survivors
from wh_env.envs.vector import BattleVectorEnv

SKIRMISH = "w10/only-war-skirmish"
COUNT = 4


def choices(infos, chance) -> np.ndarray:
    """A random legal action for each battle."""
    return np.array([chance.choice(mask.nonzero()[0]) for mask in infos["action_mask"]])


def same(a, b) -> bool:
    """Whether two results of a step are equal, arrays and dicts of arrays alike."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, np.ndarray) and a.dtype == object:
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if a is None or b is None:
        return a is b
    return np.asarray(a).dtype == np.asarray(b).dtype and np.array_equal(a, b)


@pytest.mark.parametrize(
    "how",
    [
        {"max_decisions": 90},
        {"observation": "entities", "opponent": "greedy", "max_decisions": 60},
        {"opponent": None, "max_decisions": 50, "reward": Reward(potential=survivors, gamma=0.9)},
        {"illegal": "forfeit", "rules": {"rounds": 1}, "seat": 1},
    ],
)
def test_a_batch_is_what_gymnasium_makes_of_single_environments(how):
    """Observations, rewards, ends, final observations and infos: those of SyncVectorEnv with SAME_STEP autoreset."""
    batch = BattleVectorEnv(COUNT, "w10", SKIRMISH, **how)
    single = [lambda: wh_env.single_env("w10", SKIRMISH, **how)] * COUNT
    model = SyncVectorEnv(single, autoreset_mode=AutoresetMode.SAME_STEP)
    assert batch.observation_space == model.observation_space
    assert batch.action_space == model.action_space
    chance = np.random.default_rng(0)
    told, expected = batch.reset(seed=3), model.reset(seed=3)
    assert same(told, expected)
    ends = 0
    for number in range(150):
        actions = choices(told[-1], chance)
        if number % 40 == 39 and how.get("illegal") == "forfeit":
            actions[number % COUNT] = -1
        told, expected = batch.step(actions), model.step(actions)
        assert same(told, expected)
        ends += int((told[2] | told[3]).sum())
        if (told[2] | told[3]).any():
            assert {"final_obs", "final_info", "_final_obs", "_final_info"} <= told[-1].keys()
    assert ends > COUNT


def test_processes_play_what_one_process_plays():
    """One batch of processes for all of it, as they take their time to start."""
    how = {"opponent": "random", "max_decisions": 80, "illegal": "raise"}
    batch = BattleVectorEnv(COUNT, "w10", SKIRMISH, **how)
    spread = wh_env.vector_env(COUNT, "w10", processes=3, parts=COUNT, battle=SKIRMISH, **how)
    assert isinstance(spread, ProcessVectorEnv)
    try:
        chance = np.random.default_rng(0)
        told = batch.reset(seed=[5, 9, 2, 7])
        assert same(told, spread.reset(seed=[5, 9, 2, 7]))
        ends = 0
        for _ in range(60):
            actions = choices(told[-1], chance)
            told = batch.step(actions)
            with pytest.raises(RuntimeError, match="no step was begun"):
                spread.step_wait()
            spread.step_async(actions)
            assert same(told, spread.step_wait())
            assert (spread.action_masks() == batch.action_masks()).all()
            ends += int((told[2] | told[3]).sum())
        assert ends

        # part by part, as they finish; a process has two of them
        with pytest.raises(RuntimeError, match="no step of a part was begun"):
            spread.recv()
        ends = 0
        for _ in range(60):
            actions = choices(told[-1], chance)
            told = batch.step(actions)
            for part, where in enumerate(spread.parts):
                spread.send(part, actions[where])
            left = set(range(COUNT))
            with pytest.raises(RuntimeError, match="call recv"):
                spread.send(0, actions[spread.parts[0]])
            with pytest.raises(RuntimeError, match="call recv"):
                spread.step(actions)
            with pytest.raises(RuntimeError, match="call recv"):
                spread.reset()
            for _ in range(COUNT):
                part, *got = spread.recv()
                left.remove(part)
                where = spread.parts[part]
                assert all(same(a[where], b) for a, b in zip(told[:4], got[:4], strict=True))
                assert same(told[4]["action_mask"][where], got[4]["action_mask"])
                for at in np.flatnonzero(got[2] | got[3]).tolist():
                    assert same(told[4]["final_obs"][where][at], got[4]["final_obs"][at])
                    ends += 1
            assert not left
        assert ends
        with pytest.raises(ValueError, match=r"shape \(2,\); expected \(1,\), one for each battle of part 0"):
            spread.send(0, [0, 0])
        mask = np.array([True, False, False, True])
        options = {"reset_mask": mask, "seat": 0}
        assert same(batch.reset(seed=1, options=options), spread.reset(seed=1, options=options))
        assert (spread.players == batch.players).all()

        # a fault arrives and leaves the batch usable
        with pytest.raises(IllegalAction, match="action 100000 is not legal"):
            spread.step([100_000] * COUNT)
        *_, infos = spread.reset(seed=1)
        *_, infos = spread.step(infos["action_mask"].argmax(axis=1))

        # a process that dies does not
        spread._players[2].process.kill()
        spread._players[2].process.join()
        with pytest.raises(RuntimeError, match="a process of the batch has ended"):
            spread.step(infos["action_mask"].argmax(axis=1))
    finally:
        spread.close()
        spread.close()
    assert not any(player.process.is_alive() for player in spread._players[1:])


def test_faults_in_parameters_are_found_before_a_process_starts():
    with pytest.raises(ContentError, match="seat: 5"):
        wh_env.vector_env(2, "w10", processes=2, battle=SKIRMISH, seat=5)
    with pytest.raises(ContentError, match=r"processes: 9 .* expected a number from 1 to num_envs, 2"):
        wh_env.vector_env(2, "w10", processes=9, battle=SKIRMISH)
    with pytest.raises(ContentError, match=r"parts: 1 .* expected a number from processes, 2, to num_envs, 4"):
        wh_env.vector_env(4, "w10", processes=2, parts=1, battle=SKIRMISH)


def test_an_illegal_action_changes_no_battle():
    batch = BattleVectorEnv(COUNT, "w10", SKIRMISH, illegal="raise")
    _, infos = batch.reset(seed=1)
    state = [battle.state_bytes() for battle in batch.battles]
    actions = infos["action_mask"].argmax(axis=1)
    actions[2] = int((infos["action_mask"][2] == 0).argmax())
    with pytest.raises(IllegalAction, match=f"battle 2: action {actions[2]} is not legal"):
        batch.step(actions)
    with pytest.raises(ValueError, match=r"shape \(3,\); expected \(4,\)"):
        batch.step(actions[:3])
    assert [battle.state_bytes() for battle in batch.battles] == state


def test_copies_are_the_callers_and_views_are_not():
    for copy in (True, False):
        batch = BattleVectorEnv(2, "w10", SKIRMISH, copy=copy)
        kept, infos = batch.reset(seed=1)
        mask = infos["action_mask"]
        before = kept.copy(), mask.copy()
        for _ in range(8):
            _, _, _, _, infos = batch.step(infos["action_mask"].argmax(axis=1))
        assert np.array_equal(kept, before[0]) is copy
        assert np.array_equal(mask, before[1]) is copy


def test_only_some_battles_are_reset():
    batch = BattleVectorEnv(3, "w10", SKIRMISH)
    batch.reset(seed=1)
    state = [battle.state_bytes() for battle in batch.battles]
    batch.reset(seed=8, options={"reset_mask": np.array([False, True, False])})
    after = [battle.state_bytes() for battle in batch.battles]
    assert [a == b for a, b in zip(state, after, strict=True)] == [True, False, True]


def test_battles_are_drawn_anew():
    batch = BattleVectorEnv(2, "w10", [SKIRMISH, "w10/only-war-incursion"], max_decisions=20, opponent="random")
    chance = np.random.default_rng(0)
    _, infos = batch.reset(seed=4)
    widths, seats = set(), set()
    for _ in range(120):
        widths |= {battle.setup.width for battle in batch.battles}
        seats |= set(batch.players.tolist())
        *_, infos = batch.step(choices(infos, chance))
    assert widths == {30, 44}
    assert seats == {0, 1}


def test_gymnasium_has_nothing_to_warn_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch = gymnasium.make_vec("wh_env/w10-v0", num_envs=2, battle=SKIRMISH)
        wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(batch)
        _, infos = wrapped.reset(seed=1)
        for _ in range(5):
            *_, infos = wrapped.step(infos["action_mask"].argmax(axis=1))
        wrapped.close()
        wrapped.close()
