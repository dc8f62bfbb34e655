"""Policies that try to change the game: it comes out as with those that give the same answers and do nothing else."""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import wh_env
from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import RandomPolicy
from wh_env.agents.policies.search import SearchPolicy
from wh_env.agents.tactics.play import Opponent, play_policy
from wh_env.agents.tactics.themes import load_positions
from wh_env.agents.training.opponents import PooledOpponents
from wh_env.core.setup import Setup
from wh_env.envs import registry
from wh_env.envs.vector import BattleVectorEnv

SKIRMISH = "w10/only-war-skirmish"
EPIC = registry.environment("epic").skirmish
CODE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def reachable(start: object, stop: Callable[[object], bool]) -> Iterator[object]:
    """Every object that attributes, items, arrays' bases and buffers lead to, code apart."""
    queue, seen = [start], {}
    while queue:
        one = queue.pop()
        if id(one) in seen or isinstance(one, (*CODE, str, bytes, int, float)) or stop(one):
            continue
        seen[id(one)] = one
        yield one
        if isinstance(one, np.ndarray):
            queue.append(one.base)
        elif isinstance(one, memoryview):
            queue.append(one.obj)
        elif isinstance(one, Mapping):
            queue += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple, set, frozenset)):
            queue += list(one)
        queue += list(getattr(one, "__dict__", {}).values())
        queue += [getattr(one, name) for name in getattr(type(one), "__slots__", ()) if hasattr(one, name)]
        if isinstance(one, Battle):  # what is bound on first use
            queue += [getattr(one, name) for name in (*one.setup.layout.offsets, "mask", "bits")]


def spoil(things: list[object]) -> None:
    """Write to everything that can be written to."""
    for one in things:
        if isinstance(one, np.ndarray):
            try:
                one.setflags(write=True)
            except ValueError:
                continue
            one.view(np.uint8).fill(255) if one.dtype.isnative and one.flags.c_contiguous else one.fill(1)
        elif isinstance(one, bytearray):
            one[:] = b"\x07" * len(one)
        elif isinstance(one, memoryview) and not one.readonly and one.c_contiguous:
            one.cast("B")[:] = b"\x05" * one.nbytes
        elif isinstance(one, (dict, list, set)):
            one.clear()


def not_shared(one: object) -> bool:
    """Where the walk over what belongs to the copy ends."""
    return isinstance(one, Setup)


def never(_one: object) -> bool:
    return False


class Vandal(RandomPolicy):
    """Answers as the random policy does, and spoils what it is given: arrays, buffers, methods, by other ways each time."""

    def __init__(self, seed: int = 0, stop: Callable[[object], bool] = not_shared) -> None:
        super().__init__(seed)
        self.stop = stop
        self.count = 0
        self.kept: list[Any] = []

    def __deepcopy__(self, memo: Any) -> Vandal:
        return type(self)(0, self.stop)

    def act(self, battle, mask) -> int:
        answer = super().act(battle, mask)
        self.do_harm(battle, mask)
        return answer

    def do_harm(self, battle, mask) -> None:
        self.count += 1
        things: list[object] = []
        for how in (self.play_on, self.push, self.enter, lambda battle: things.extend(self.reach(battle, mask))):
            with contextlib.suppress(Exception):  # what was done to this copy before
                how(battle)
        self.kept += [one for one in things if isinstance(one, (np.ndarray, memoryview, bytearray))]
        spoil([*things, *self.kept])  # and what was given before
        with contextlib.suppress(Exception):
            self.replace(battle)

    def reach(self, battle, mask) -> list[object]:
        return list(reachable((battle, mask), self.stop)) if self.count < 40 else []

    def replace(self, battle) -> None:
        """Methods now and then, then attributes, then all there is."""
        if self.count % 5 == 0:
            battle.apply = battle.run = battle.legal = battle.copy_from = battle.push = None
        if self.count > 20 and self.count % 3 == 0:
            battle.clock = battle.units = battle.buffer = battle.setup = battle._options = None
        if self.count > 30 and self.count % 7 == 0:
            battle.__dict__ = {}
        if self.count > 40 and self.count % 11 == 0:
            battle.__class__ = type("Other", (Battle,), {"__setattr__": None, "buffer": property(lambda self: 1 / 0)})

    @staticmethod
    def play_on(battle) -> None:
        for _ in range(3):
            battle.apply(battle.first_legal())

    @staticmethod
    def push(battle) -> None:
        battle.push(type(battle.setup.ruleset.procedures[0]), 1, 2, 3)
        battle.run()

    @staticmethod
    def enter(battle) -> None:
        battle.players.vp[0] = battle.players.vp[1] = 90
        battle.finish()


def result(battle: Battle, policies) -> tuple[list[int], bytes]:
    return play_battle(battle, policies).actions, battle.state_bytes()


@pytest.mark.parametrize("name", [SKIRMISH, EPIC])
def test_play_battle(name):
    setup = Battle.load(name, 0).setup
    for seed in range(3):
        honest = result(Battle(setup, seed), [RandomPolicy(1), RandomPolicy(2)])
        vandal = Vandal(1)
        assert result(Battle(setup, seed), [vandal, RandomPolicy(2)]) == honest
        assert vandal.count > 20
        assert result(Battle(setup, seed), [Vandal(1), Vandal(2)]) == honest


def shared_games(name: str) -> None:
    """Exits with 1 if a game on a Setup comes out otherwise because of a policy that spoils all that it can reach from it."""
    setup = Battle.load(name, 0).setup
    honest = result(Battle(setup, 3), [RandomPolicy(1), RandomPolicy(2)])
    found = result(Battle(setup, 3), [Vandal(1, never), RandomPolicy(2)])
    again = result(Battle(setup, 3), [RandomPolicy(1), RandomPolicy(2)])
    sys.exit(int(not honest == found == again))


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("name", [SKIRMISH, EPIC])
def test_nothing_that_battles_share_can_be_written_to(name):
    """The Setup, its layout and its ruleset too: games on it come out as before, those of others and those that come later.

    In a process of its own, as a Setup that was written to brings down more than one test.
    """
    process = multiprocessing.get_context("fork").Process(target=shared_games, args=(name,))
    process.start()
    process.join(120)
    code = process.exitcode
    process.kill()
    assert code == 0


def test_one_policy_for_both_seats():
    """It sees what its own seats see: of two policies neither finds the other's view."""
    setup = Battle.load(SKIRMISH, 0).setup
    found: list[set[int]] = [set(), set()]

    class Keeper(RandomPolicy):
        def act(self, battle, mask) -> int:
            found[battle.clock.player[0]].add(id(battle))
            return super().act(battle, mask)

    policy = Keeper(1)
    battle = Battle(setup, 1)
    play_battle(battle, [policy, policy])
    assert len(found[0]) == len(found[1]) == 1 and not found[0] & found[1] and id(battle) not in found[0] | found[1]


def test_what_is_changed_later_from_another_thread():
    """References that a policy kept are written to all the time while the other plays."""
    setup = Battle.load(SKIRMISH, 0).setup
    honest = result(Battle(setup, 2), [RandomPolicy(1), RandomPolicy(2)])
    kept: list[Any] = []
    over = threading.Event()

    class Keeper(RandomPolicy):
        def act(self, battle, mask) -> int:
            answer = super().act(battle, mask)
            kept.append((battle, battle.buffer, mask))
            return answer

    def scribble() -> None:
        chance = np.random.default_rng(0)
        while not over.is_set():
            for battle, buffer, _mask in kept[-3:]:
                buffer[:] = chance.integers(256, size=len(buffer), dtype=np.uint8)
                battle._options = b"\x01" * 10

    thread = threading.Thread(target=scribble)
    thread.start()
    try:
        found = result(Battle(setup, 2), [Keeper(1), RandomPolicy(2)])
    finally:
        over.set()
        thread.join()
    assert found == honest and kept


class Spy(RandomPolicy):
    """Looks for the other seat's orders and for the dice, and plays by them if it finds any."""

    def act(self, battle, mask) -> int:
        answer = super().act(battle, mask)
        seat = battle.clock.player[0]
        enemy = battle.units_of(1 - seat)
        orders = [battle.units.order[unit] for unit in enemy]
        dice = (battle.dice.seed_low[0], battle.dice.seed_high[0])
        if battle.clock.phase[0] == 1 and not battle.clock.revealed[0] and len(set(orders) - {0}) > 1:
            raise AssertionError(f"orders {orders}")
        if dice[0] == 12345:
            raise AssertionError(f"dice {dice}")
        return answer


def test_secrets_and_dice_cannot_be_read():
    battle = Battle.load(EPIC, 12345)
    honest = result(Battle(battle.setup, 12345), [RandomPolicy(1), RandomPolicy(2)])
    assert result(battle, [Spy(1), Spy(2)]) == honest


# ---------------------------------------------------------------- environments


class Batched(Vandal):
    """Answers a batch, and then spoils it."""

    def act_batch(self, battles, masks):
        answers = [RandomPolicy.act(self, battle, mask) for battle, mask in zip(battles, masks, strict=True)]
        for battle in battles:
            self.do_harm(battle, masks)
        return answers


class Honest(RandomPolicy):
    """Answers a batch and does no harm."""

    def act_batch(self, battles, masks):
        return [self.act(battle, mask) for battle, mask in zip(battles, masks, strict=True)]


def told(opponent, steps: int = 80) -> list[bytes]:
    """What learners of a batch see and get against an opponent."""
    batch, chance, seen = BattleVectorEnv(3, "w10", SKIRMISH, opponent=opponent), np.random.default_rng(0), []
    _, infos = batch.reset(seed=9)
    for _ in range(steps):
        actions = [int(chance.choice(mask.nonzero()[0])) for mask in infos["action_mask"]]
        observations, rewards, _, _, infos = batch.step(actions)
        seen += [observations.tobytes(), rewards.tobytes(), infos["action_mask"].tobytes()]
    return seen


def test_opponents_of_vectors():
    """Each alone, all at once, and as a function."""
    assert told(Vandal()) == told(RandomPolicy())
    assert told(Batched()) == told(Honest())
    one, other = Vandal(4), RandomPolicy(4)
    assert told(lambda battle, mask: one.act(battle, mask)) == told(lambda battle, mask: other.act(battle, mask))


def test_the_opponent_of_a_single_learner():
    def play(opponent) -> list[float]:
        environment = wh_env.single_env(battle=SKIRMISH, opponent=opponent)
        chance, seen = np.random.default_rng(1), []
        for seed in (4, 5):
            _, info = environment.reset(seed=seed)
            done = False
            while not done:
                action = int(chance.choice(info["action_mask"].nonzero()[0]))
                observation, reward, terminated, truncated, info = environment.step(action)
                done = terminated or truncated
                seen += [float(reward), float(observation.sum())]
        return seen

    assert play(Vandal()) == play(RandomPolicy())


def test_policies_that_play_an_aec_environment_by_the_mask():
    """The masks and observations that agents get are their own: writing to them changes nothing."""

    def play(spoils: bool) -> bytes:
        environment = wh_env.raw_env(battle=SKIRMISH)
        environment.reset(seed=8)
        chance, kept = np.random.default_rng(2), []
        while environment.agents and not any(environment.terminations.values()):
            seen = environment.observe(environment.agent_selection)
            action = int(chance.choice(seen["action_mask"].nonzero()[0]))
            if spoils:
                kept += [seen["action_mask"], seen["observation"]]
                spoil(kept[-20:])
            environment.step(action)
        return environment.battle.state_bytes()

    assert play(True) == play(False)


# ---------------------------------------------------------------- whoever else asks policies


class Pool:
    """A pool of one member."""

    anchors = (f"{__name__}:Vandal",)

    def __init__(self, member: str) -> None:
        self.anchors = (member,)

    def draw(self, _random) -> str:
        return self.anchors[0]


def test_members_of_a_training_pool(monkeypatch):
    def told_of(member: str, kind: type) -> list[bytes]:
        monkeypatch.setattr("wh_env.agents.training.opponents.make", lambda spec, seed: kind(seed))
        opponents = PooledOpponents(1, Pool(member), lambda name: None)
        battle, chance = Battle.load(SKIRMISH, 6), np.random.default_rng(3)
        opponents.reset(0, 5)
        seen = []
        while not battle.over:
            mask = battle.legal()
            other = battle.clock.player[0] == 1
            action = opponents.act([0], [battle], [mask], None)[0] if other else int(chance.choice(mask.nonzero()[0]))
            battle.apply(action)
            seen.append(battle.state_bytes())
        return seen

    assert told_of("vandal", Vandal) == told_of("random", RandomPolicy)


def test_agents_of_tactics():
    position = load_positions()[0]
    values = [play_policy(position, Opponent(position), 3, policy, 4) for policy in (RandomPolicy(), Vandal())]
    assert values[0] == values[1]


def test_foreign_policies_inside_a_search(monkeypatch):
    """A rollout policy of somebody else cannot spoil the copies that the search plays on."""
    monkeypatch.setattr(
        "wh_env.agents.policies.make", lambda spec, seed: {"rnd": RandomPolicy, "vnd": Vandal}[spec](seed)
    )
    battle = Battle.load(SKIRMISH, 2)
    chance = np.random.default_rng(2)
    while battle.clock.round[0] < 1 or len(battle.decision.options) < 4:
        battle.apply(int(chance.choice(battle.legal().nonzero()[0])))
    answers = []
    for spec in ("rnd", "vnd"):
        search = SearchPolicy(1, simulations=30, rollout=spec, prior=spec, horizon=30)
        answers.append((search.act(battle, battle.legal()), search.walks))
    assert answers[0] == answers[1]
