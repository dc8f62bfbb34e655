"""Lists of the kernels that games need are right, and used where that is safe."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import threading
from pathlib import Path

import numba
import pytest

from wh_env.content import warming
from wh_env.content.warming import BATTLE, USES, Warmed, listed, marked, may_start, prepare, telling, warm
from wh_env.core.kernel_plan import Plan, Wanted, called_by, dispatcher_of
from wh_env.core.kernel_words import type_of
from wh_env.envs.registry import environment, rulesets

compiling = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")
ROOT = Path(__file__).resolve().parents[2]
RENEW = "renew the list with scripts/kernels.py"
PROGRAM = """
import json, sys
from wh_env import Battle
from wh_env.agents.policies import RandomPolicy
from wh_env.core.kernel_plan import needed
from wh_env.core.kernel_words import words_of
battle, policy = Battle.load(sys.argv[1], 0), RandomPolicy(0)
while not battle.over:
    battle.apply(policy.act(battle, battle.legal()))
print(json.dumps([[name, words_of(kinds)] for name, kinds in needed()]))
"""


@compiling
@pytest.mark.parametrize("ruleset", rulesets())
def test_what_is_listed_is_there_and_takes_what_is_listed(ruleset: str) -> None:
    rows = listed(ruleset)
    assert {w.use for w in rows} <= set(USES) and len(listed(ruleset, (BATTLE,))) > 50
    assert len({(w.kernel, w.takes) for w in rows}) == len(rows)
    for w in rows:
        dispatcher = dispatcher_of(w.kernel)
        assert dispatcher is not None, f"{w.kernel} is gone: {RENEW}"
        assert dispatcher.py_func.__code__.co_argcount == len(w.takes), f"{w.kernel} takes other arguments: {RENEW}"
        for word in w.takes:
            type_of(word)


@compiling
@pytest.mark.parametrize("ruleset", rulesets())
def test_whom_listed_kernels_call_is_listed(ruleset: str) -> None:
    names = {w.kernel for w in listed(ruleset)}
    for name in sorted(names):
        assert called_by(dispatcher_of(name)) <= names, f"{name}: {RENEW}"


@compiling
@pytest.mark.parametrize("ruleset", rulesets())
def test_a_battle_needs_no_kernel_that_is_not_listed(ruleset: str) -> None:
    """The cheap part of ``scripts/kernels.py --check``: a skirmish, whose kernels are kept as a rule."""
    command = [sys.executable, "-c", PROGRAM, environment(ruleset).skirmish]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=900)
    known = {(w.kernel, w.takes) for w in listed(ruleset, (BATTLE,))}
    missing = [name for name, takes in json.loads(done.stdout) if (name, tuple(takes)) not in known]
    assert not missing, RENEW


@compiling
def test_a_chain_of_calls_is_no_longer_than_a_first_minute_allows() -> None:
    """With eight cores a first battle of the 10th edition takes at most 25 s; processes start and the battle itself is played within it too."""
    plan = Plan(listed("w10", (BATTLE,)))
    assert plan.longest <= plan.lasts(8) < 20
    assert plan.lasts(2) < 70


# ---------------------------------------------------------------- where it is done


@pytest.fixture
def crews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the crews that are called, which compile nothing; on two cores, with a cache that is empty and a game whose one kernel takes long."""
    called: list[int] = []

    class Idle:
        def __init__(self, plan: Plan, processes: int, progress: object = None) -> None:
            called.append(processes)

        def run(self) -> dict[int, float]:
            return {0: 9.0}

    monkeypatch.setattr(warming, "Crew", Idle)
    monkeypatch.setattr(warming, "cores", lambda: 2)
    monkeypatch.setattr(warming, "folder_for_kernels", lambda: tmp_path)
    monkeypatch.setattr(
        warming, "listed", lambda *_: [Wanted("wh_env.core.dice.scramble.inner", ("int64",), BATTLE, 9.0)]
    )
    monkeypatch.setattr(warming, "not_kept", list)
    monkeypatch.delenv(warming.OFF, raising=False)
    warming._prepare.cache_clear()
    yield called
    warming._prepare.cache_clear()


@compiling
def test_it_is_done_once_and_a_mark_says_so(crews, tmp_path, capsys) -> None:
    prepare("w10", BATTLE)
    prepare("w10", BATTLE)
    warming._prepare.cache_clear()  # as another process
    prepare("w10", BATTLE)
    assert crews == [1], "one kernel keeps one process busy"
    assert capsys.readouterr().err == "compiling 1 kernels of w10 (first time only)\n"
    assert [w.seconds for w in marked(tmp_path)] == [9.0]


def full_disk(**_: object) -> None:
    raise OSError(28, "No space left on device")


@compiling
@pytest.mark.parametrize("why", ["off", "thread", "one of several", "one core", "no folder", "no room", "little to do"])
def test_it_is_not_done_where_it_is_not_safe_or_not_worth_it(crews, monkeypatch, why) -> None:
    if why == "off":
        monkeypatch.setenv(warming.OFF, "0")
    if why == "one of several":
        monkeypatch.setattr(multiprocessing, "parent_process", lambda: object())
    if why == "one core":
        monkeypatch.setattr(warming, "cores", lambda: 1)
    if why == "no folder":
        monkeypatch.setattr(warming, "folder_for_kernels", lambda: None)
    if why == "no room":
        monkeypatch.setattr(warming.tempfile, "TemporaryFile", full_disk)
    if why == "little to do":
        monkeypatch.setattr(warming, "not_kept", lambda _: [])
    if why == "thread":
        thread = threading.Thread(target=prepare, args=("w10", BATTLE))
        thread.start()
        thread.join()
    else:
        prepare("w10", BATTLE)
    assert crews == []


@compiling
def test_without_processes_kernels_are_compiled_as_they_are_called(crews, monkeypatch, tmp_path) -> None:
    def fails(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(warming, "Crew", fails)
    prepare("w10", BATTLE)
    assert marked(tmp_path) == []


def test_plain_python_compiles_nothing(monkeypatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert not may_start()


@compiling
def test_a_game_whose_kernels_are_kept_has_nothing_to_do(crews, monkeypatch) -> None:
    assert isinstance(warm("w10"), Warmed) and crews == [1]
    monkeypatch.setattr(warming, "not_kept", lambda _: [])
    assert warm("w10").plan.wanted == [] and crews == [1]


def test_a_terminal_is_shown_a_bar(monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with telling("w10", Plan([])) as progress:
        assert progress is not None
        progress(0.0, 0)
    assert "compiling" in capsys.readouterr().err
