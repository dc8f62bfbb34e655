"""Agents that end or stop the processes above their own lose their games, and nothing of theirs goes on."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.test_tournament_hostile import SKIRMISH, alive, job, played
from wh_env import Battle
from wh_env.agents.processes import can_restrict_signals, descendants, is_stopped, left_running, thread_count
from wh_env.agents.tournament.game import FORFEIT, PLAYED, VOID
from wh_env.agents.tournament.referee import Referee
from wh_env.agents.tournament.seats import AgentProcess, Agents, Failed

BOTS = '''
import os, signal, threading, time
import numpy as np

class Base:
    """Random for some decisions, then something else."""
    def __init__(self, seed=0, file="", after=4):
        self.file, self.after = file, after
        self.reset(seed)
    def reset(self, seed):
        self.rng, self.count = np.random.default_rng(seed), 0
    def act(self, battle, mask):
        self.count += 1
        if self.count == self.after + 1:
            self.write(os.getpid())
            self.then()
        return int(self.rng.choice(np.flatnonzero(mask)))
    def write(self, pid):
        if self.file:
            with open(self.file, "a") as out: out.write(f"{pid} ")
    def daemon(self, after=lambda: time.sleep(300)):
        """A process in a session of its own, whose parent is gone."""
        if os.fork() == 0:
            os.setsid()
            pid = os.fork()
            if pid == 0:
                after()
                os._exit(0)
            self.write(pid)
            os._exit(0)
        os.wait()
    def then(self): pass

class KillParent(Base):
    def then(self): os.kill(os.getppid(), signal.SIGKILL)

class StopParent(Base):
    def then(self): os.kill(os.getppid(), signal.SIGSTOP)

class KillParentAndHang(Base):
    def then(self):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(300)

class KillParentAndExit(Base):
    def then(self):
        os.kill(os.getppid(), signal.SIGKILL)
        os._exit(0)

class StopParentAndHang(Base):
    def then(self):
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep(300)

class StopParentAndExit(Base):
    def then(self):
        os.kill(os.getppid(), signal.SIGSTOP)
        os._exit(0)

class DaemonKillsParent(Base):
    def then(self):
        keeper = os.getppid()
        self.daemon(lambda: (os.kill(keeper, signal.SIGKILL), time.sleep(300)))
        time.sleep(300)

class StopItself(Base):
    def then(self): os.kill(os.getpid(), signal.SIGSTOP)

class DeafAndStopped(Base):
    """Lets go of every file and cannot be told anything any more."""
    def then(self):
        self.daemon()
        for number in range(1, 32):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        os.closerange(0, 1000)
        os.kill(os.getpid(), signal.SIGSTOP)

class Brood(Base):
    """Leaves processes that start others, each in a session of its own."""
    def then(self):
        def breed():
            for _ in range(5):
                if os.fork() == 0: time.sleep(300)
            time.sleep(300)
        for _ in range(3): self.daemon(breed)
        os._exit(3)

class Above(Base):
    """Signals to its keeper and to the process that plays; says how each came out and plays on."""
    number = signal.SIGKILL
    def then(self):
        keeper = os.getppid()
        parent = int(open(f"/proc/{keeper}/stat").read().rpartition(")")[2].split()[1])
        for pid in (keeper, parent):
            for call in (os.kill, os.killpg):
                try: call(pid, self.number)
                except PermissionError: self.write("refused")

class StopAbove(Above):
    number = signal.SIGSTOP

class OwnChild(Base):
    """Ends what it started itself, and sends itself a signal."""
    def then(self):
        pid = os.fork()
        if pid == 0: time.sleep(300)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        signal.signal(signal.SIGUSR1, lambda *_: self.write("heard"))
        os.kill(os.getpid(), signal.SIGUSR1)
'''
MODULE = "harmful_bots"
HARM = "ended or stopped the process that keeps it"
linux = pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")
confining = pytest.mark.skipif(not can_restrict_signals(), reason="needs Landlock that knows signals (Linux 6.12)")


@pytest.fixture(autouse=True)
def bots(tmp_path_factory, monkeypatch) -> None:
    """A folder on the path with a module of agents."""
    folder = tmp_path_factory.getbasetemp() / "harmful"
    folder.mkdir(exist_ok=True)
    (folder / f"{MODULE}.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{os.environ.get('PYTHONPATH', '')}")


@pytest.fixture(scope="module")
def setup():
    return Battle.load(SKIRMISH, 0).setup


@pytest.fixture
def referee(monkeypatch) -> Iterator[Referee]:
    """One whose process is forked, so that it has what a test has changed."""
    fork = multiprocessing.get_context("fork")
    with monkeypatch.context() as patch:
        patch.setattr(multiprocessing, "get_context", lambda _how: fork)
        made = Referee()
    yield made
    made.close()


@pytest.fixture
def file(tmp_path) -> Path:
    """Where bots write what they have to say."""
    return tmp_path / "told"


def against_random(bot: str, seat: int, file: Path, **limits: float):
    """The job of a game in which a bot has this seat."""
    pair, options = [f"{MODULE}:{bot}", "random"], {"file": str(file)}
    task = job(*(pair if seat == 0 else pair[::-1]), **limits)
    given = (pair[0], options)
    task.__dict__["policies"] = (given, ("random", {})) if seat == 0 else (("random", {}), given)
    return task


def gone(pids: list[int]) -> bool:
    """Whether processes have ended, or end within some seconds."""
    end = time.monotonic() + 10
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.01)
    return not any(map(alive, pids))


def written(file: Path) -> list[int]:
    return [int(pid) for pid in file.read_text().split()]


@linux
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        ("KillParent", HARM),
        ("StopParent", HARM),
        ("KillParentAndHang", HARM),
        ("KillParentAndExit", HARM),
        ("StopParentAndHang", HARM),
        ("StopParentAndExit", HARM),
        ("DaemonKillsParent", HARM),
        ("StopItself", "thought longer than 2 s about a decision"),
        ("DeafAndStopped", "thought longer than 2 s about a decision"),
        ("Brood", "the process ended (exit code 3)"),
    ],
)
def test_whoever_harms_the_process_above_loses_where_the_system_lets_it(
    setup, referee, monkeypatch, file, bot, fault, seat
):
    """At once, not when some limit has passed; and all that it started has ended after the game."""
    monkeypatch.setattr("wh_env.agents.tournament.agent.signal_nobody_else", lambda: None)
    began = time.monotonic()
    outcome = referee.play(against_random(bot, seat, file, decision_seconds=2.0 if "2 s" in fault else 30.0))
    assert (outcome.how, outcome.winner, outcome.at_fault) == (FORFEIT, 1 - seat, seat)
    assert outcome.fault == fault
    assert time.monotonic() - began < 20
    assert gone(written(file))


@linux
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_signal_that_has_not_reached_the_keeper_yet_is_waited_for(number):
    """Under load a game can be over sooner than a process that was killed has ended."""
    agent = AgentProcess("random", {})
    try:
        for _ in range(3):
            agent.see_keeper(20.0)
        os.kill(agent.keeper, number)
        with pytest.raises(Failed, match=HARM):
            agent.see_keeper(20.0)
    finally:
        agent.close()
    assert gone([agent.pid, agent.keeper])


@confining
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("bot", ["KillParent", "StopParent"])
def test_a_signal_to_the_process_above_is_refused(setup, file, bot, seat):
    outcome = played(setup, against_random(bot, seat, file))
    assert (outcome.how, outcome.at_fault) == (FORFEIT, seat)
    assert outcome.fault == "raised PermissionError: [Errno 1] Operation not permitted"
    assert gone(written(file))


@confining
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("bot", ["Above", "StopAbove"])
def test_who_is_refused_and_plays_on_changes_nothing(file, bot, seat):
    """In a process of its own, as in a tournament, which plays the next game too."""
    referee = Referee()
    try:
        outcome = referee.play(against_random(bot, seat, file))
        assert outcome.how == PLAYED
        assert file.read_text().split()[1:] == ["refused"] * 4
        assert referee.play(against_random("Base", seat, file)).final == outcome.final
    finally:
        referee.close()


@pytest.mark.parametrize("seat", [0, 1])
def test_what_an_agent_starts_it_may_end(setup, file, seat):
    assert played(setup, against_random("OwnChild", seat, file)).how == PLAYED
    assert file.read_text().split()[1:] == ["heard"]


@linux
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize("kept", [False, True])
def test_a_process_that_plays_and_is_harmed_while_an_agent_thinks(monkeypatch, file, kept, number, seat):
    """It is that agent's doing, unless it could not have done it; whoever stops it from outside may let it go on."""
    monkeypatch.setattr("wh_env.agents.tournament.referee.can_restrict_signals", lambda: kept)
    referee = Referee()
    try:
        referee.start(against_random("StopItself", seat, file, decision_seconds=4.0))
        end = time.monotonic() + 60
        while not (file.exists() and file.read_text()) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.2)
        pid = referee._process.pid
        started = descendants(pid)
        os.kill(pid, number)
        began = time.monotonic()
        while (outcome := referee.outcome()) is None and time.monotonic() - began < 2.0:
            time.sleep(0.01)
        if kept and number == signal.SIGSTOP:
            assert outcome is None
            os.kill(pid, signal.SIGCONT)
            while (outcome := referee.outcome()) is None:
                time.sleep(0.01)
            assert (outcome.how, outcome.at_fault) == (FORFEIT, seat)
            assert outcome.fault == "thought longer than 4 s about a decision"
        elif kept:
            assert (outcome.how, outcome.fault) == (VOID, "the engine's process ended (exit code -9)")
        else:
            how = "stopped" if number == signal.SIGSTOP else "ended"
            assert (outcome.how, outcome.winner, outcome.at_fault) == (FORFEIT, 1 - seat, seat)
            assert outcome.fault == f"{how} the process that plays the game"
        referee.close()
        assert len(started) == 4 and gone(started)
    finally:
        referee.close()


@linux
def test_whoever_ends_the_keeper_between_its_games_is_started_anew(setup):
    agents = Agents()
    try:
        from wh_env.agents.tournament.game import play

        first = play(job("random", "greedy", seed=3), Battle(setup, 3), agents)
        assert [thread_count(pid) for pid in agents.pids] == [2, 2] and all(map(left_running, agents.keepers))
        os.kill(agents.keepers[0], signal.SIGSTOP)
        while not is_stopped(agents.keepers[0]):
            time.sleep(0.001)
        again = play(job("random", "greedy", seed=3), Battle(setup, 3), agents)
        assert (again.how, again.at_fault) == (FORFEIT, 0) and len(agents.keepers) == 1
        assert play(job("random", "greedy", seed=3), Battle(setup, 3), agents).final == first.final
    finally:
        agents.close()
