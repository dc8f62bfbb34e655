"""How programs end: with a line and an exit code, whatever they are handed."""

from __future__ import annotations

import os
import resource
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from wh_env import ContentError
from wh_env.agents import programs
from wh_env.agents.policies import UnknownPolicy
from wh_env.agents.programs import (
    BAD_INPUT,
    INPUT_OUTPUT,
    INTERNAL,
    INTERRUPTED,
    NO_READER,
    exit_code_of,
    writable,
    writable_folder,
)

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = sorted(path.name for path in (ROOT / "scripts").glob("*.py"))
# Nothing here comes to a kernel but where it says so.
QUICK = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1", "COLUMNS": "200"}


def call(script: str, *arguments: object, limit: int | None = None, **named) -> subprocess.CompletedProcess[str]:
    """Run a program; ``limit``: the bytes that it may write to one file, as if the disk were full then."""

    def full_disk() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [sys.executable, str(ROOT / "scripts" / script), *map(str, arguments)]
    given = {"capture_output": True, "text": True, "env": QUICK, "check": False, "timeout": 300, "cwd": ROOT, **named}
    return subprocess.run(command, preexec_fn=full_disk, **given)


def one_line(done: subprocess.CompletedProcess[str], code: int, *shown: str) -> None:
    assert done.returncode == code, done.stdout + done.stderr
    told = [line for line in done.stderr.splitlines() if line]  # a progress bar leaves an empty one where it stood
    assert len(told) == 1, done.stderr
    assert told[0].startswith("error: ")
    for words in shown:
        assert words in done.stderr


@pytest.fixture
def here(monkeypatch, capsys):
    """Runs a program in this process, which spares starting one."""

    def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.setattr(sys, "argv", [script, *arguments])
        with pytest.raises(SystemExit) as caught:
            runpy.run_path(str(ROOT / "scripts" / script), run_name="__main__")
        told = capsys.readouterr()
        code = caught.value.code
        return subprocess.CompletedProcess(
            [script, *arguments], code if isinstance(code, int) else 0, told.out, told.err
        )

    return run


# ---------------------------------------------------------------- the shared place


class Silent(Exception):
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "code", "shown"),
    [
        (ContentError("f.yaml", "a.b", 3, "4"), BAD_INPUT, "error: f.yaml: a.b: 3 is not valid; expected 4"),
        (UnknownPolicy("policy 'x' is not known"), BAD_INPUT, "error: policy 'x' is not known"),
        (OSError(28, "No space left on device", "out/x"), INPUT_OUTPUT, "error: out/x: No space left on device"),
        (PermissionError(13, "Permission denied"), INPUT_OUTPUT, "error: Permission denied"),
        (KeyboardInterrupt(), INTERRUPTED, "interrupted"),
        (typer.Abort(), INTERRUPTED, "interrupted"),
        (typer.Exit(3), 3, ""),
        (SystemExit(4), 4, ""),
        (typer.BadParameter("bad"), BAD_INPUT, "error: Invalid value: bad (--help lists the options)"),
        (KeyError("missing\nkey"), INTERNAL, "error: KeyError: 'missing\\nkey', test_programs.py line"),
        (Silent(), INTERNAL, "error: Silent: it does not say what, test_programs.py line"),
        (MemoryError(), INTERNAL, "error: MemoryError: "),
        (RecursionError("deep"), INTERNAL, "error: RecursionError: deep"),
        (BrokenPipeError(32, "Broken pipe"), NO_READER, ""),
    ],
)
def test_every_end_has_a_code_and_at_most_a_line(error, code, shown, capsys, monkeypatch):
    monkeypatch.delenv(programs.TRACEBACK, raising=False)

    def work():
        raise error

    assert exit_code_of(work) == code
    told = capsys.readouterr().err
    assert told.startswith(shown)
    assert len(told.splitlines()) == bool(shown)


def test_faults_are_told_in_full_where_that_is_asked_for(capsys, monkeypatch):
    monkeypatch.setenv(programs.TRACEBACK, "1")
    assert exit_code_of(lambda: {}["x"]) == INTERNAL
    assert "Traceback" in capsys.readouterr().err


def test_what_can_be_written(tmp_path):
    writable(None, "--out")
    writable(tmp_path / "a" / "b" / "file", "--out")
    writable_folder(tmp_path / "c", "--out")
    assert not (tmp_path / "a" / "b" / "file").exists()
    assert not list((tmp_path / "c").iterdir()), "nothing is left behind"


def test_what_cannot_be_written(tmp_path, capsys):
    (tmp_path / "file").write_text("kept")
    os.mkfifo(tmp_path / "fifo")
    for path in (
        tmp_path / "file" / "x",
        tmp_path,
        Path("/dev/full"),
        tmp_path / "fifo",
        tmp_path / ("x" * 300) / "y",
        tmp_path / "a\0b",
    ):
        with pytest.raises(typer.Exit):
            writable(path, "--out")
        assert len(capsys.readouterr().err.splitlines()) == 1
    for folder in (tmp_path / "file", tmp_path / "file" / "x", Path("/proc/nothing")):
        with pytest.raises(typer.Exit) as caught:
            writable_folder(folder, "--out")
        assert caught.value.exit_code == INPUT_OUTPUT
    assert (tmp_path / "file").read_text() == "kept"


# ---------------------------------------------------------------- every program


@pytest.mark.parametrize("script", SCRIPTS)
def test_options_that_there_are_not(script, here):
    one_line(here(script, "--nothing-of-the-kind"), BAD_INPUT, "--nothing-of-the-kind")


def test_every_program_goes_through_the_shared_place():
    for script in SCRIPTS:
        text = (ROOT / "scripts" / script).read_text(encoding="utf-8")
        assert "typer.run(" not in text and "app()" not in text, script


@pytest.mark.parametrize(
    ("script", "arguments", "code"),
    [
        ("play.py", ["--battle", "{folder}/bad.yaml"], BAD_INPUT),
        ("play.py", ["--battle", "w10/random-skirmish?seed=x"], BAD_INPUT),
        ("play.py", ["--seed", "9" * 30], BAD_INPUT),
        ("play.py", ["--replay", "{folder}/bad.yaml/x.replay"], INPUT_OUTPUT),
        ("play.py", ["--agents", "random", "json:loads"], BAD_INPUT),
        ("replay.py", ["show", "{folder}/bad.yaml"], 1),
        ("replay.py", ["show", "{folder}"], 1),
        ("matchup.py", ["--battle", "{folder}/bad.yaml"], BAD_INPUT),
        ("matchup.py", ["--out", "{folder}/bad.yaml/x"], INPUT_OUTPUT),
        ("fairness.py", ["--battle", "{folder}/bad.yaml"], BAD_INPUT),
        ("fairness.py", ["--ruleset", "w11"], BAD_INPUT),
        ("fairness.py", ["--log", "{folder}/bad.yaml/x"], INPUT_OUTPUT),
        ("suite.py", ["--battle", "{folder}/bad.yaml", "--out", "{folder}/x"], BAD_INPUT),
        ("suite.py", ["--battle", "epic/random-patrol", "--out", "{folder}/bad.yaml/x"], INPUT_OUTPUT),
        ("tournament.py", ["--config", "{folder}/bad.yaml"], BAD_INPUT),
        ("tournament.py", ["--config", "demo", "--out", "{folder}/bad.yaml"], INPUT_OUTPUT),
        ("train.py", ["--config", "{folder}/bad.yaml"], BAD_INPUT),
        ("train.py", ["--out", "{folder}/bad.yaml/x"], INPUT_OUTPUT),
        ("soak.py", ["--battle", "{folder}/bad.yaml", "--battles", "1"], BAD_INPUT),
        ("soak.py", ["--log", "{folder}/bad.yaml/x"], INPUT_OUTPUT),
        ("serve.py", ["--battle", "{folder}/bad.yaml", "--games", "{folder}/games"], BAD_INPUT),
        (
            "serve.py",
            ["--battle", "epic/bridgehead", "--agents", "human", "nobody", "--games", "{folder}/games"],
            BAD_INPUT,
        ),
        ("serve.py", ["--agents", "human", "greedy", "--games", "{folder}/games"], BAD_INPUT),
        ("serve.py", ["--games", "{folder}/bad.yaml"], INPUT_OUTPUT),
        ("serve.py", ["--host", "999.1.1.1", "--games", "{folder}/games"], INPUT_OUTPUT),
        ("odds.py", ["Captain", "Terminator Squad", "--plot", "{folder}/bad.yaml/x.png"], INPUT_OUTPUT),
        ("tactics.py", ["--folder", "{folder}"], BAD_INPUT),
        ("calibrate.py", ["--battles", "{folder}/bad.yaml", "--games", "1"], BAD_INPUT),
        ("curves.py", ["{folder}/rows.json"], BAD_INPUT),
        ("observation.py", ["--out", "{folder}/bad.yaml/x"], INPUT_OUTPUT),
        ("decisions.py", ["--ruleset", "w10", "--out", "{folder}/bad.yaml/x"], INPUT_OUTPUT),
        ("rule_coverage.py", ["--root", "{folder}"], BAD_INPUT),
        ("benchmark.py", ["--battle", "{folder}/bad.yaml"], BAD_INPUT),
        ("fuzz.py", ["--out", "{folder}/bad.yaml/x"], INPUT_OUTPUT),
    ],
)
def test_what_a_program_is_handed(script, arguments, code, tmp_path, here):
    (tmp_path / "bad.yaml").write_text("name: [1,\n")
    (tmp_path / "rows.json").write_text('[{"kind": "update"}]')
    one_line(here(script, *(argument.replace("{folder}", str(tmp_path)) for argument in arguments)), code)


# ---------------------------------------------------------------- disks, pipes, Ctrl-C


def test_a_full_disk_before_and_in_the_middle_of_the_work(tmp_path):
    file = tmp_path / "battle.replay"
    file.write_bytes(b"what was there")
    play = ["--battle", "epic/bridgehead", "--agents", "random", "--agents", "random", "--quiet", "--replay", file]
    jit = {key: value for key, value in QUICK.items() if key != "NUMBA_DISABLE_JIT"}
    for limit in (100, 5000):  # already the first block, or the file itself
        one_line(call("play.py", *play, limit=limit, env=jit), INPUT_OUTPUT)
        assert file.read_bytes() == b"what was there"
        assert [path.name for path in tmp_path.iterdir()] == ["battle.replay"]


def test_output_that_nobody_takes():
    with open("/dev/full", "w") as full:
        done = call(
            "odds.py",
            "Captain",
            "Terminator Squad",
            "--json",
            stdout=full,
            stderr=subprocess.PIPE,
            capture_output=False,
        )
    one_line(done, INPUT_OUTPUT, "No space left on device")
    reader, writer = os.pipe()
    os.close(reader)
    done = call(
        "odds.py", "Captain", "Terminator Squad", "--json", stdout=writer, stderr=subprocess.PIPE, capture_output=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (NO_READER, "")


# Python imports it as it starts. A file that is opened by a battle's name tells that the program has come to its work.
AT_WORK = """
import os, sys
def told(event, arguments):
    if event == "open" and str(arguments[0]).endswith("only-war-skirmish.yaml"):
        os.close(os.open({sign!r}, os.O_CREAT | os.O_WRONLY))
sys.addaudithook(told)
"""


def test_ctrl_c(tmp_path):
    sign = tmp_path / "at-work"
    (tmp_path / "sitecustomize.py").write_text(AT_WORK.format(sign=str(sign)), encoding="utf-8")
    watched = {**QUICK, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, str(ROOT / "scripts" / "calibrate.py"), "--games", "1000", "--quiet"]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=watched, cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # tests in the background ignore it
    )  # fmt: skip
    end = time.monotonic() + 120.0
    while not sign.exists() and running.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    assert sign.exists()
    time.sleep(1.0)  # into the battle
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=120)
    assert running.returncode == INTERRUPTED, told
    assert "Traceback" not in told
