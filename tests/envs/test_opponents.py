"""Who plays inside."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest

import wh_env
from wh_env.envs.spaces import fill_mask
from wh_env.envs.vector import BattleVectorEnv

SKIRMISH = "w10/only-war-skirmish"


class Last:
    """Takes the last legal action and remembers what it was told."""

    def __init__(self, seed: int = 0) -> None:
        self.seeds: list[int] = []
        self.acts = 0

    def act(self, battle, mask) -> int:
        assert (mask == battle.legal()).all()
        self.acts += 1
        return int(mask.nonzero()[0][-1])

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)


class LastOfAll(Last):
    """The same for a batch."""

    batches: tuple = ()

    def act_batch(self, battles, masks):
        self.batches = (*self.batches, len(battles))
        assert masks.shape == (len(battles), battles[0].setup.space.size)
        for battle, mask in zip(battles, masks, strict=True):
            assert (battle.legal() == mask).all()
        return [int(mask.nonzero()[0][-1]) for mask in masks]


class Seer:
    """What a trained model of SB3 looks like; checks that it sees its own seat."""

    def __init__(self) -> None:
        self.batch = None
        self.calls: list[int] = []

    def predict(self, observations, action_masks, deterministic):
        self.calls.append(len(observations))
        assert action_masks.any(axis=1).all()
        return np.array([mask.nonzero()[0][-1] for mask in action_masks]), None


def run(opponent, count: int = 4, steps: int = 120, **how):
    """Observations and rewards of a batch whose learners play at random."""
    batch = BattleVectorEnv(count, "w10", SKIRMISH, opponent=opponent, **how)
    chance, told = np.random.default_rng(0), []
    _, infos = batch.reset(seed=9)
    for _ in range(steps):
        actions = [int(chance.choice(mask.nonzero()[0])) for mask in infos["action_mask"]]
        observations, rewards, _, _, infos = batch.step(actions)
        told.append((observations.tobytes(), rewards.tobytes()))
    return told


def test_all_forms_of_one_opponent_play_the_same(monkeypatch):
    bots = ModuleType("my_bots")
    bots.Last = Last
    monkeypatch.setitem(sys.modules, "my_bots", bots)
    told = run(Last())
    assert run(LastOfAll()) == told
    assert run(lambda battle, mask: int(mask.nonzero()[0][-1])) == told
    assert run("my_bots:Last") == told


def test_each_battle_has_a_policy_of_its_own():
    policy = Last()
    batch = BattleVectorEnv(3, "w10", SKIRMISH, opponent=policy)
    batch.reset(seed=1)
    policies = batch.duels.opponents.policies
    assert policies[0] is policy
    assert len({id(each) for each in policies}) == 3
    assert len({id(each.seeds) for each in policies}) == 3
    seeds = [each.seeds for each in policies]
    batch.reset(seed=1)
    assert [each.seeds for each in policies] == [2 * seed[:1] for seed in seeds]
    assert len({each.seeds[0] for each in policies}) == 3


def test_batched_policies_are_asked_for_many_battles_at_once():
    policy = LastOfAll()
    run(policy, count=8)
    assert policy.acts == 0
    assert max(policy.batches) > 4


def test_a_model_gets_stacked_observations_of_its_own_seat():
    model = Seer()
    batch = BattleVectorEnv(6, "w10", SKIRMISH, opponent=model, seat="random")
    size = batch.duels.space.size
    seen: list[tuple] = []
    inner = model.predict

    def predict(observations, action_masks, deterministic):
        for battle in batch.battles:
            seat = battle.clock.player[0]
            mask, own = np.zeros(size, np.bool_), batch.duels._observer.empty()
            if battle.clock.asking[0]:
                fill_mask(battle, seat, mask)
                batch.duels._observer.write(battle, seat, own)
                seen.append((mask.tobytes(), own.tobytes()))
        got = {(m.tobytes(), o.tobytes()) for m, o in zip(action_masks, observations, strict=True)}
        assert got <= set(seen)
        seen.clear()
        return inner(observations, action_masks, deterministic)

    model.predict = predict
    chance = np.random.default_rng(0)
    _, infos = batch.reset(seed=2)
    for _ in range(60):
        actions = [int(chance.choice(mask.nonzero()[0])) for mask in infos["action_mask"]]
        *_, infos = batch.step(actions)
    assert max(model.calls) > 2


def test_actions_of_a_model_are_those_of_its_seat():
    """The last action of the seat is another than the last of the battle where the table is turned."""

    class Turned:
        def predict(self, observations, action_masks, deterministic):
            return [int(mask.argmax()) for mask in action_masks], None

    def by_hand(battle, mask):
        own = np.zeros(mask.shape, np.bool_)
        fill_mask(battle, battle.clock.player[0], own)
        action, space = int(own.argmax()), battle.setup.space
        turned = battle.clock.attacker[0] != battle.clock.player[0]
        if turned and space.cell <= action < space.angle:
            return space.cell + space.angle - 1 - action
        return action

    assert run(Turned()) == run(by_hand)
    assert run(Turned()) != run(lambda battle, mask: int(mask.argmax()))


def test_greedy_is_known_by_name_and_better_than_chance():
    environment = wh_env.single_env(battle=SKIRMISH, opponent="greedy")
    chance, outcomes = np.random.default_rng(0), []
    for seed in range(8):
        _, info = environment.reset(seed=seed)
        done = False
        while not done:
            _, _, done, _, info = environment.step(int(chance.choice(info["action_mask"].nonzero()[0])))
        outcomes.append(info["outcome"])
    assert np.mean(outcomes) < 0


def test_an_opponent_that_breaks_the_rules_is_told():
    environment = wh_env.single_env(battle=SKIRMISH, opponent=lambda battle, mask: int((~mask).argmax()), seat=0)

    def play():
        for seed in range(5):
            _, info = environment.reset(seed=seed)
            for _ in range(200):
                *_, info = environment.step(int(info["action_mask"].argmax()))

    with pytest.raises(wh_env.IllegalAction):
        play()
