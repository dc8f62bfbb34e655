"""Agents that misbehave in every way lose their own games, and nobody else's."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.agents.processes import descendants, memory_of, thread_count
from wh_env.agents.tournament import schedule
from wh_env.agents.tournament.agent import Table
from wh_env.agents.tournament.config import load_config
from wh_env.agents.tournament.game import FORFEIT, PLAYED, Job, Outcome, play, printable
from wh_env.agents.tournament.referee import Referee
from wh_env.agents.tournament.results import Results, row_of
from wh_env.agents.tournament.run import check
from wh_env.agents.tournament.seats import Agents

SKIRMISH = "w10/only-war-skirmish"
BOTS = '''
import ctypes, os, signal, subprocess, sys, threading, time
import numpy as np

class Base:
    """Random for some decisions, then something else."""
    def __init__(self, seed=0, after=4, file=""):
        self.after, self.file = after, file
        self.reset(seed)
    def reset(self, seed):
        self.rng, self.count = np.random.default_rng(seed), 0
    def act(self, battle, mask):
        self.count += 1
        answer = int(self.rng.choice(np.flatnonzero(mask)))
        if self.count > self.after:
            other = self.then(battle, mask)
            return answer if other is None else other
        return answer
    def then(self, battle, mask):
        return None

class Unspeakable(Exception):
    def __str__(self): raise SystemExit(3)
    __repr__ = __str__

class Named(type):
    @property
    def __name__(cls): raise KeyError("no name")

class Odd:
    def __init__(self, what): self.what = what
    def __index__(self):
        if isinstance(self.what, BaseException): raise self.what
        return self.what

class Silent(Base):
    def then(self, battle, mask): raise Unspeakable()

class Chained(Base):
    def then(self, battle, mask):
        try:
            raise Unspeakable()
        except Unspeakable as error:
            raise ValueError("and now") from error

class Surrogate(Base):
    def then(self, battle, mask): raise ValueError("lone \\ud800 and \\x1b[31m and \\x00")

class Huge(Base):
    def then(self, battle, mask): raise ValueError("x" * 200_000_000)

class EndlessWords(Exception):
    def __str__(self):
        while True: pass

class Endless(Base):
    def then(self, battle, mask): raise EndlessWords()

class BadIndex(Base):
    def then(self, battle, mask): return Odd(RuntimeError("no index"))

class QuitIndex(Base):
    def then(self, battle, mask): return Odd(SystemExit(0))

class NoIndex(Base):
    def then(self, battle, mask): return Odd("three")

class Giant(Base):
    def then(self, battle, mask): return 10 ** 100_000

class Text(Base):
    def then(self, battle, mask): return "7"

class NoClass(metaclass=Named):
    pass

class Nameless(Base):
    def then(self, battle, mask): return NoClass()

class Interrupt(Base):
    def then(self, battle, mask): raise KeyboardInterrupt

class Recursion(Base):
    def then(self, battle, mask): return self.then(battle, mask)

class Memory(Base):
    def then(self, battle, mask): raise MemoryError

class Exit(Base):
    def then(self, battle, mask): os._exit(0)

class Killed(Base):
    def then(self, battle, mask): os.kill(os.getpid(), signal.SIGKILL)

class Crashed(Base):
    def then(self, battle, mask): ctypes.string_at(0)

class ExitLater(Base):
    """Ends its process while the other agent thinks."""
    def then(self, battle, mask):
        threading.Timer(0.01, os._exit, (7,)).start()

class Group(Base):
    """Ends all processes that it can name as its own."""
    def then(self, battle, mask): os.killpg(0, signal.SIGKILL)

class Closed(Base):
    def then(self, battle, mask): os.closerange(0, 1000)

class Liar(Base):
    """Writes to its line itself."""
    def then(self, battle, mask):
        for number in range(3, 64):
            try: os.write(number, b"\\x10\\x00\\x00\\x00" + b"[" * 16)
            except OSError: pass

class Stuck(Base):
    """Begins an answer and does not end it."""
    def then(self, battle, mask):
        for number in range(3, 64):
            try: os.write(number, b"\\x10\\x00\\x00\\x00[")
            except OSError: pass
        time.sleep(60)

class Printer(Base):
    def then(self, battle, mask):
        print("\\ud800", "x" * 100)
        sys.stderr.write("y" * 100)
        os.write(1, b"z" * 100)

class Signals(Base):
    """Changes what signals do, to itself only."""
    def then(self, battle, mask):
        for number in range(1, 32):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass

class Patch(Base):
    """Changes the engine, as far as it can reach it."""
    def then(self, battle, mask):
        from wh_env.core.battle import BattleCore
        from wh_env.rulesets.w10.ruleset import TenthEdition
        TenthEdition.winner = lambda self, g: 1
        BattleCore.apply = BattleCore.clone = BattleCore.run = None
        for name in ("weapons", "arsenal"):
            try: battle.setup.statics[name][:] = 0
            except (ValueError, KeyError): pass
        battle.setup.layout.offsets.clear()

class Leaver(Base):
    """Leaves threads and processes behind, also such as are no children of its any more."""
    def then(self, battle, mask):
        if self.count != self.after + 1:
            return None
        def spin():
            while True: time.sleep(0.001)
        threading.Thread(target=spin, daemon=True).start()
        pids = [subprocess.Popen(["sleep", "300"]).pid, subprocess.Popen(["sleep", "300"], start_new_session=True).pid]
        if os.fork() == 0:
            os.setsid()
            pid = os.fork()
            if pid:
                with open(self.file, "a") as out: out.write(f"{pid} ")
                os._exit(0)
            time.sleep(300)
            os._exit(0)
        os.wait()
        with open(self.file, "a") as out: out.write(" ".join(map(str, [os.getpid(), *pids])) + " ")

class Eater(Base):
    def then(self, battle, mask):
        if not hasattr(self, "kept"): self.kept = []
        self.kept.append(np.ones(40_000_000, np.uint8))

class Glutton(Base):
    def then(self, battle, mask):
        parts = []
        while True: parts.append(np.ones(10_000_000, np.uint8))
'''


@pytest.fixture(autouse=True)
def bots(tmp_path_factory, monkeypatch) -> Path:
    """A folder on the path with a module of agents."""
    folder = tmp_path_factory.getbasetemp() / "hostile"
    folder.mkdir(exist_ok=True)
    (folder / "hostile_bots.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{os.environ.get('PYTHONPATH', '')}")
    return folder


@pytest.fixture(scope="module")
def setup():
    return Battle.load(SKIRMISH, 0).setup


def job(one: str, other: str = "random", seed: int = 0, options=None, **fields) -> Job:
    limits = {"decision_seconds": 30.0, "game_seconds": 60.0, **fields}
    return Job("game", SKIRMISH, {}, None, seed, (11, 12), (one, other), ((one, options or {}), (other, {})), **limits)


def played(setup, task: Job) -> Outcome:
    agents = Agents()
    try:
        return play(task, Battle(setup, task.seed), agents)
    finally:
        agents.close()


@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        ("Silent", "raised Unspeakable, which cannot be put into words"),
        ("Chained", "raised ValueError: and now"),
        ("Surrogate", r"raised ValueError: lone \ud800 and \x1b[31m and \x00"),
        ("Huge", "raised ValueError: xxxxxxxx"),
        ("Endless", "thought longer than 2 s about a decision"),
        ("BadIndex", "raised RuntimeError: no index"),
        ("QuitIndex", "raised SystemExit: 0"),
        ("NoIndex", "answered with Odd, which is no action"),
        ("Giant", "answered with a number of many digits, which is no action"),
        ("Text", "answered with str, which is no action"),
        ("Nameless", "answered with NoClass, which is no action"),
        ("Interrupt", "raised KeyboardInterrupt"),
        ("Recursion", "raised RecursionError: maximum recursion depth exceeded"),
        ("Memory", "raised MemoryError"),
        ("Exit", "the process ended (exit code 0)"),
        ("Killed", "the process was ended by SIGKILL"),
        ("Crashed", "the process was ended by SIGSEGV"),
        ("ExitLater", "the process ended (exit code 7)"),
        ("Group", "the process was ended by SIGKILL"),
        ("Liar", "sent what is no answer"),
        ("Stuck", "thought longer than 2 s about a decision"),
    ],
)
def test_whoever_fails_loses_whatever_it_does(setup, tmp_path, bot, fault):
    """The other agent wins, and the result can be written down."""
    limit, seat = 2.0 if "2 s" in fault else 30.0, len(bot) % 2
    pair = (f"hostile_bots:{bot}", "random") if seat == 0 else ("random", f"hostile_bots:{bot}")
    outcome = played(setup, job(*pair, decision_seconds=limit))
    assert (outcome.how, outcome.winner, outcome.at_fault) == (FORFEIT, 1 - seat, seat), outcome.fault
    assert outcome.fault.startswith(fault) and len(outcome.fault) <= 300
    assert len(outcome.trace) < 50_000
    (outcome.fault + outcome.trace).encode()
    row = row_of(schedule.Game(0, schedule.Table(SKIRMISH, None, None), pair, 0, 0), outcome, "")
    with Results(tmp_path / "results.sqlite") as results:
        results.add(row, outcome)
        assert list(results.rows().values()) == [row]


def test_whoever_closes_its_files_loses(setup):
    outcome = played(setup, job("hostile_bots:Closed"))
    assert (outcome.how, outcome.at_fault) == (FORFEIT, 0)
    assert outcome.fault.startswith(("closed the line", "the process"))


@pytest.mark.parametrize("bot", ["Printer", "Signals", "Patch"])
def test_what_an_agent_does_to_its_process_changes_no_game(setup, bot, capfd):
    """The same game as with the agent that gives the same answers, and the next games of the other agent too."""
    honest, agents = played(setup, job("hostile_bots:Base", seed=4)), Agents()
    plain = [played(setup, job("random", "greedy", seed=5)).final]
    capfd.readouterr()
    try:
        spoiled = play(job(f"hostile_bots:{bot}", seed=4), Battle(setup, 4), agents)
        after = [play(job("random", "greedy", seed=5), Battle(setup, 5), agents).final]
    finally:
        agents.close()
    if bot == "Patch":  # which broke what it plays with
        assert spoiled.how in (PLAYED, FORFEIT) and spoiled.at_fault in (None, 0)
    else:
        assert (spoiled.how, spoiled.final) == (PLAYED, honest.final)
    assert after == plain
    assert Battle(setup, 5).decision is not None
    assert "x" not in capfd.readouterr().out


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")
def test_what_an_agent_leaves_behind_is_ended_after_its_game(tmp_path):
    """Threads with their process, children, grandchildren that belong to nobody; what another process plays meanwhile goes on."""
    file = tmp_path / "pids"
    referee, other = Referee(), Referee()
    try:
        other.start(job("random", "hostile_bots:Base"))
        outcome = referee.play(job("hostile_bots:Leaver", options={"file": str(file)}))
        assert outcome.how == PLAYED
        left = [int(pid) for pid in file.read_text().split()]
        assert len(left) == 4
        end = time.monotonic() + 10
        while any(map(alive, left)) and time.monotonic() < end:
            time.sleep(0.01)
        assert not [pid for pid in left if alive(pid)]
        while (beside := other.outcome()) is None:
            time.sleep(0.01)
        assert beside.how == PLAYED
        assert referee.play(job("random", "hostile_bots:Base")).final == beside.final
    finally:
        referee.close()
        other.close()


def test_agents_end_with_the_process_that_plays(setup):
    """Also where that is killed and cannot say so."""
    referee = Referee()
    try:
        referee.start(job("hostile_bots:Base", "hostile_bots:Stuck", decision_seconds=50.0))
        end = time.monotonic() + 60
        while len(started := descendants(referee._process.pid)) < 4 and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.2)
        os.kill(referee._process.pid, signal.SIGKILL)
        while (outcome := referee.outcome()) is None:
            time.sleep(0.01)
        assert (outcome.how, outcome.at_fault) == ("void", None)
        assert outcome.fault == "the engine's process ended (exit code -9)"
        end = time.monotonic() + 10
        while any(map(alive, started)) and time.monotonic() < end:
            time.sleep(0.01)
        assert len(started) == 4 and not [pid for pid in started if alive(pid)]
    finally:
        referee.close()


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")
@pytest.mark.parametrize("bot", ["Eater", "Glutton"])
def test_who_holds_too_much_memory_forfeits(setup, bot):
    """Bit by bit between decisions, or all at once within one."""
    limit = memory_of([os.getpid()]) // (1 << 20) + 400
    outcome = played(setup, job("random", f"hostile_bots:{bot}", memory=limit))
    assert (outcome.how, outcome.at_fault, outcome.winner) == (FORFEIT, 1, 0)
    assert outcome.fault == f"used more than {limit} MiB of memory"
    fine = played(setup, job("random", "hostile_bots:Base", memory=limit))
    assert fine.how == PLAYED


def test_an_agent_that_plays_leaves_nothing_running(setup):
    """So that its process is kept for the next game."""
    agents = Agents()
    try:
        play(job("random", "greedy"), Battle(setup, 0), agents)
        assert len(agents.pids) == 2
        assert [thread_count(pid) for pid in agents.pids] == [2, 2]
    finally:
        agents.close()
    assert not descendants(os.getpid()) or all(pid not in agents.pids for pid in descendants(os.getpid()))


def test_terrain_that_the_players_placed_stands_on_the_agents_table_until_the_game_ends():
    chance = np.random.default_rng(0)
    battle = Battle.load(SKIRMISH, 3, rules={"terrain": "players"})
    first = battle.setup
    table = Table(first)
    while battle.setup is first:
        battle.apply(int(chance.choice(battle.legal().nonzero()[0])))
    body = battle.legal().tobytes() + battle.state_bytes()
    shown, mask = table.show(body, placed=True)
    assert (shown.setup.corners == battle.setup.corners).all() and len(shown.setup.features) > len(first.features)
    assert (shown.legal() == mask).all() and shown.clone().decision == battle.decision
    assert table.show(body, placed=False)[0].setup is shown.setup
    table.clear()
    assert table.show(body, placed=False)[0].setup is first


def test_words_that_cannot_be_written_are_escaped():
    assert printable("plain ünd 漢") == "plain ünd 漢"
    assert printable("a\ud800b\x1b[0m\nc", "\n") == "a\\ud800b\\x1b[0m\nc"
    assert printable("a\nb") == "a\\nb"


def test_a_memory_limit_is_refused_where_it_cannot_be_kept(monkeypatch):
    given = {"agents": ["random", "greedy"], "battles": [SKIRMISH], "games": 2, "memory": 500}
    assert load_config(None, given).memory == 500
    with pytest.raises(ContentError, match=r"memory: 0 is not valid"):
        load_config(None, {**given, "memory": 0})
    monkeypatch.setattr("wh_env.agents.tournament.run.can_look", lambda: False)
    with pytest.raises(ContentError, match=r"memory: 500 cannot be looked at; expected none: only Linux says it"):
        check(load_config(None, given))
