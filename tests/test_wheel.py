"""The wheel, installed into a fresh environment, beside a folder of the user's that is called ``agents``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MINE = 'raise RuntimeError("the folder of the user was imported")\n'
EXPLAIN = """
import wh_env
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
battle = wh_env.Battle.load("epic/bridgehead", 3, record=True)
play_battle(battle, [make("greedy", 1), make("random", 2)], max_decisions=40)
print(wh_env.__file__)
print(battle.explain(battle.events[-1]))
made = wh_env.single_env("epic", battle="epic/bridgehead", opponent="greedy")
made.reset(seed=1)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of this checkout."""
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    out = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        str(ROOT),
        "--no-deps",
        "--no-build-isolation",
        "-q",
        "-w",
        str(out),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def elsewhere(wheel, tmp_path_factory) -> Path:
    """A folder with an environment in which the wheel is installed, and packages of the user's with common names."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        str(wheel),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # what it depends on lies here already; paths that the editable install added are not taken over
    packages = next((folder / "env" / "lib").glob("python*/site-packages"))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    for name in ("agents", "scripts", "configs"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(MINE, encoding="utf-8")
    return folder


def call(folder: Path, program: str, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment in ``folder``, with nothing of this checkout on its path."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [str(folder / "env" / "bin" / program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_the_wheel_puts_one_package_on_the_path(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"wh_env"}
    wanted = (
        "py.typed",
        "_configs/rules/w10.yaml",
        "_configs/rules/epic.yaml",
        "_configs/w10/environment.yaml",
        "_configs/w9/environment.yaml",
        "_configs/w8/environment.yaml",
    )
    modules = (
        "agents/policies/weights/w10.pt",
        "scripts/play.py",
        "render/html/page.html",
        "render/html/board.js",
        "agents/serving/page/play.html",
        "agents/serving/page/play.js",
        "agents/serving/page/play.css",
        "agents/serving/page/lobby.html",
        "agents/serving/page/lobby.js",
        "render/html/charts.js",
        "rulesets/w10/kernels.json",
        "testing/scene.py",
    )
    for name in (*wanted, *modules):
        assert f"wh_env/{name}" in names
    assert not [name for name in names if "test" in Path(name).stem.split("_")]


def test_it_plays_and_explains_elsewhere(elsewhere):
    told = call(elsewhere, "python", "-c", EXPLAIN).stdout
    assert told.startswith(str(elsewhere / "env"))
    assert "[epic." in told and "lines" in told and len(told.splitlines()) > 2


def test_the_programs_are_one_command(elsewhere):
    assert "tournament" in call(elsewhere, "wh-env", "--help").stdout
    assert "did you mean 'play'?" in call(elsewhere, "wh-env", "plya", code=2).stderr
    assert "wh-env odds" in call(elsewhere, "wh-env", "odds", "--help").stdout
    battle = ("--battle", "epic/bridgehead", "--agents", "greedy", "random", "--seed", "3", "--quiet")
    told = json.loads(call(elsewhere, "wh-env", "play", *battle, "--json", "--replay", "out/battle.replay").stdout)
    assert told["result"] is not None
    assert "verified" in call(elsewhere, "wh-env", "replay", "verify", "out/battle.replay").stdout
    games = (
        "--agents",
        "random",
        "greedy",
        "--battles",
        "epic/bridgehead",
        "--games",
        "2",
        "--processes",
        "1",
        "--quiet",
    )
    assert call(elsewhere, "wh-env", "tournament", *games, "--out", "out/tournament").stdout
    assert (elsewhere / "out" / "tournament" / "report.html").is_file()


def test_the_page_is_served_elsewhere(elsewhere):
    """The program of the installed wheel has its pages, scripts and styles."""
    for needed in ("starlette", "uvicorn", "websockets"):
        pytest.importorskip(needed, reason=f"{needed} (extra serve) is not installed")
    command = [
        str(elsewhere / "env" / "bin" / "wh-env"),
        "serve",
        "--battle",
        "epic/bridgehead",
        "--port",
        "0",
        "--quiet",
    ]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
        "PYTHONUNBUFFERED": "1"
    }
    folders = ROOT / "wh_env" / "render" / "html", ROOT / "agents" / "serving" / "page"
    assets = {file.name: file for folder in folders for file in folder.iterdir()}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=elsewhere, env=environment) as running:
        try:
            assert running.stdout is not None
            here, seat = running.stdout.readline().strip(), running.stdout.readline().split()[0]
            for address in (here, seat):
                page = read(address)
                for asset in re.findall(r'(?:src|href)="/(assets/[^"]+)"', page):
                    file = assets.get(Path(asset).name)  # none if it is made, as the colours are
                    served = read(here + asset)
                    assert served == file.read_text(encoding="utf-8") if file else len(served) > 1000, asset
        finally:
            running.terminate()


def read(address: str) -> str:
    """What lies at an address, once somebody answers there."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return answer.read().decode()
        except urllib.error.URLError as error:
            if isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.1)
    raise AssertionError(f"nobody answers at {address}")


def test_it_trains_elsewhere(elsewhere):
    pytest.importorskip("sb3_contrib", reason="sb3-contrib (extra train) is not installed")
    battles = ("ruleset=epic", "curriculum=[{battles: [epic/bridgehead]}]", "clone=[]", "evaluation.games=2")
    small = ("envs=2", "steps=128", "ppo.rollout=64", "ppo.batch=64", *battles)
    call(elsewhere, "wh-env", "train", "--config", "demo", "--quiet", "--out", "out/run", *small)
    assert list((elsewhere / "out" / "run").iterdir())


def test_a_faction_of_one_s_own_is_played_by_the_guide_alone(elsewhere):
    """Its files beside the installed wheel, its first command."""
    guide = (ROOT / "docs" / "own-content.md").read_text(encoding="utf-8")
    for name, text in re.findall(r"`(mine/[\w/.-]+)`:\n\n```yaml\n(.*?)```", guide, re.DOTALL):
        path = elsewhere / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    command = re.findall(r"^wh-env (play --content mine .*)$", guide, re.MULTILINE)[0]
    told = json.loads(call(elsewhere, "wh-env", *command.split(), "--json").stdout)
    assert told["battle"] == "w10/at-the-river" and told["decisions"] > 20
