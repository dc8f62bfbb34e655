"""The programs, as they are called."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from programs_in_place import in_place

from wh_env import Battle, ContentError
from wh_env.content.load import names
from wh_env.content.replay import Recorder, parse_replay, read_replay
from wh_env.scripts import benchmark
from wh_env.scripts.soak import random_name

ROOT = Path(__file__).resolve().parent.parent
SKIRMISH = "w10/only-war-skirmish"


def call(script: str, *arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a program and look at its exit code."""
    command = [sys.executable, str(ROOT / "scripts" / script), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def here(script: str, *arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    """The same in this process."""
    done = in_place(script, *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A replay and the report that was printed with it."""
    file = tmp_path_factory.mktemp("replays") / "battle.replay"
    arguments = [
        "--battle",
        SKIRMISH,
        "--agents",
        "greedy",
        "random",
        "--seed",
        7,
        "--replay",
        file,
        "--report",
        "--rules",
    ]
    return file, call("play.py", *arguments).stdout


def test_play_reports(replay):
    _, report = replay
    assert "== Round 1, " in report
    assert "-- Movement phase --" in report
    assert "[w10.mission.only-war.deploy]" in report
    assert "attacks" in report
    assert "victory points." in report.splitlines()[-1]


def test_play_as_json():
    arguments = ["--battle", SKIRMISH, "--agents", "random", "--agents", "random", "--seed", 3, "--json"]
    first, second = (json.loads(run("play.py", *arguments).stdout) for run in (call, here))
    assert first["result"] == second["result"]
    assert first["agents"] == ["random", "random"]
    assert first["decisions"] > 50


def test_play_refuses_what_it_does_not_know():
    assert "policy 'clever' is not known" in here("play.py", "--agents", "clever", "random", code=2).stderr
    assert "expected two policies" in here("play.py", "--agents", "random", code=2).stderr
    assert "no-such-battle" in here("play.py", "--battle", "w10/no-such-battle", code=2).stderr


def test_interrupted_play_writes_what_there_is(tmp_path):
    slow = tmp_path / "slow_policy.py"
    slow.write_text(
        "import time\n"
        "class Slow:\n"
        "    def __init__(self, seed=0): pass\n"
        "    def reset(self, seed): pass\n"
        "    def act(self, battle, mask):\n"
        "        print('.', flush=True)\n"
        "        time.sleep(0.05)\n"
        "        return int(mask.argmax())\n",
        encoding="utf-8",
    )
    file = tmp_path / "part.replay"
    command = [
        sys.executable,
        str(ROOT / "scripts/play.py"),
        "--battle",
        SKIRMISH,
        "--agents",
        "slow_policy:Slow",
        "slow_policy:Slow",
    ]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    process = subprocess.Popen(
        [*command, "--replay", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert process.stdout is not None
    for _ in range(4):
        process.stdout.readline()
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    part = read_replay(file)
    assert not part.complete
    assert len(part.actions) >= 3
    part.verify()


def test_replay_verifies_and_shows(replay):
    file, report = replay
    assert "verified" in call("replay.py", "verify", file).stdout
    assert json.loads(here("replay.py", "verify", file, "--json").stdout)["verified"]
    shown = here("replay.py", "show", file, "--rules").stdout.splitlines()
    assert shown[1:] == report.splitlines()
    decisions = here("replay.py", "show", file, "--decisions").stdout.splitlines()
    assert len(decisions) == 1 + len(read_replay(file).actions)


@pytest.mark.parametrize(
    ("battle", "detail"), [("epic/river-crossing", "squad"), ("epic/bridgehead", "full"), (SKIRMISH, "full")]
)
def test_battles_of_every_game_are_reported_and_shown(battle, detail, tmp_path):
    """The report names whom an event is about, in every game and at both levels of detail."""
    file = tmp_path / "battle.replay"
    arguments = ["--battle", battle, "--detail", detail, "--agents", "random", "random", "--seed", 7, "--quiet"]
    report = here("play.py", *arguments, "--report", "--rules", "--replay", file).stdout.splitlines()
    assert here("replay.py", "show", file, "--rules").stdout.splitlines()[1:] == report
    names = Battle.load(battle).setup.names["units"]
    aimed = [name for line in report for name in re.findall(r" → (.+?)(?: with .+?)?: ", line)]
    assert aimed and all(name in names for name in aimed)
    assert any("phase, round 2 --" in line or "== Round 2, " in line for line in report)


def test_damaged_replays_are_refused(replay, tmp_path):
    file, _ = replay
    data = file.read_bytes()
    broken = tmp_path / "broken.replay"
    broken.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
    told = here("replay.py", "verify", broken, code=1).stderr
    assert str(broken) in told
    assert "the file is damaged" in told
    for content, field in (
        (b"none", "length"),
        (b"X" + data[1:], "magic"),
        (data[:4] + b"\x09\x00" + data[6:], "format"),
    ):
        with pytest.raises(ContentError) as error:
            parse_replay(content, "file")
        assert error.value.field == field
    assert "cannot be read" in here("replay.py", "verify", tmp_path / "missing.replay", code=1).stderr


def test_a_replay_of_another_version_is_refused(replay):
    changed = read_replay(replay[0])
    changed.version = "0.0.1"
    with pytest.raises(ContentError, match=r"header.version: '0.0.1' is another version of wh_env; expected"):
        parse_replay(changed.to_bytes())


def test_a_replay_that_differs_says_where(replay):
    changed = read_replay(replay[0])
    battle = changed.new_battle()
    battle.apply(changed.actions[0])
    illegal = int((~battle.legal()).argmax())
    original = changed.actions[1]
    changed.actions[1] = illegal
    with pytest.raises(ContentError, match=r"actions\[1\].*cannot be replayed"):
        changed.verify()
    changed.actions[1] = original
    state = bytearray(changed.final)
    state[battle.setup.layout.offsets["players"] + battle.players.rows.dtype.fields["vp"][1]] ^= 1
    changed.final = bytes(state)
    with pytest.raises(ContentError, match=r"final state: players\[0\].vp"):
        changed.verify()
    changed.marks[0] = bytes(8)
    with pytest.raises(ContentError, match=r"checkpoints\[0\] \(after 64 actions\)"):
        changed.verify()


def test_a_replay_survives_writing(tmp_path):
    battle = Battle.load(SKIRMISH, 9)
    recorder = Recorder(battle, 9, interval=4)
    for _ in range(11):
        action = battle.first_legal()
        battle.apply(action)
        recorder.add(action)
    made = recorder.replay(("a", "b"), (1, 2))
    made.write(tmp_path / "some" / "replay")
    read = read_replay(tmp_path / "some" / "replay")
    assert read.to_bytes() == made.to_bytes()
    assert len(read.marks) == 2
    assert read.verify().state_bytes() == battle.state_bytes()


def test_benchmark():
    told = json.loads(
        call("benchmark.py", "--json", "--seconds", "0.05", "--battles", "1", "--profile", "--battle", SKIRMISH).stdout
    )
    names = [row["name"] for row in told["rows"]]
    assert names[:4] == ["core API, masks included", "+ observation", "+ observation as entities", "AEC raw_env"]
    assert {"chess_v6 env", "chess_v6 raw_env", "connect_four_v3 env", "connect_four_v3 raw_env"} <= told[
        "peers"
    ].keys()
    assert all(row["measured"] > 0 for row in told["rows"])
    assert told["machine"]["cpu"]
    assert abs(sum(entry["share"] for entry in told["profile"]) - 1) < 1e-6


def test_loading_is_measured_for_each_random_battle_of_a_ruleset():
    rows = benchmark.loading_rows("epic")
    assert [row.name.partition(",")[0] for row in rows] == ["epic/random-company", "epic/random-patrol"]
    assert all(row.measured > 0.0 and row.unit == "ms" and row.passed for row in rows)


def test_goals_are_those_of_the_battle():
    """One table for all battles failed those that are meant to reach less."""
    heroes = benchmark.row("wap/open-heroes", benchmark.CORE, 16_000.0)
    assert (heroes.floor, heroes.passed) == (15_000, True)
    assert benchmark.row("wap/open-heroes", benchmark.RAW, 1.0).passed  # nothing is said of it
    general = benchmark.row(SKIRMISH, benchmark.CORE, 16_000.0)
    assert (general.floor, general.passed) == (20_000, False)
    assert {*benchmark.GOALS_OF} <= {*names("battles")}


def test_soak_names_the_ways_of_drawing_that_a_battle_knows():
    """The battles of regiments are drawn by their seed alone."""
    assert random_name("wap", 1, 5, ["field"]) == "wap/random-field?seed=5"
    assert (
        random_name("w9", 3, 6, ["patrol", "incursion"]) == "w9/random-incursion?seed=6&layout=even&markers=battlefield"
    )
    with pytest.raises(ContentError, match="random-huge"):
        random_name("w9", 0, 5, ["huge"])


def test_soak():
    told = json.loads(here("soak.py", "--battles", "2", "--battle", SKIRMISH, "--json").stdout)
    assert told["violations"] == []
    assert told["battles"] == 2
