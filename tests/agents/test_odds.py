"""The program that prints the odds of attacks."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from typer.testing import CliRunner


@pytest.fixture(scope="module")
def program(load_script):
    return load_script("odds.py")


def test_the_program_prints_the_distribution(program):
    call = ["Intercessor Squad", "Termagants", "--weapon", "bolt rifle", "--attackers", "2"]
    told = CliRunner().invoke(program, call)
    assert told.exit_code == 0, told.output
    assert "2 × Bolt rifle (Intercessor Squad) → 10 × Termagants" in told.stdout
    assert "target: T3, Sv 5+, W1" in told.stdout
    attack = json.loads(CliRunner().invoke(program, [*call, "--json"]).stdout)[0]
    # 2/3 hit, S4 against T3 wounds on 3+, Sv 5+ at AP -1 is 6+: each of four attacks destroys with p
    p = 2 / 3 * 2 / 3 * 5 / 6
    exact = np.zeros(11)
    for hits in product((0, 1), repeat=4):
        exact[sum(hits)] += np.prod([p if hit else 1 - p for hit in hits])
    assert attack["models_destroyed"] == pytest.approx(exact.tolist())
    assert attack["mean_models_destroyed"] == pytest.approx(4 * p)
    assert f"{100 * exact[2]:.2f} %" in told.stdout
    assert f"{100 * exact[2:].sum():.2f} %" in told.stdout


def test_the_program_lists_every_weapon(program):
    told = CliRunner(env={"COLUMNS": "160"}).invoke(program, ["intercessor squad", "Predator Destructor"])
    assert told.exit_code == 0, told.output
    for name in ("Bolt pistol", "Astartes grenade launcher (krak)", "Power fist"):
        assert name in told.stdout
    assert "Predator autocannon" not in told.stdout


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_program_draws(program, tmp_path, suffix):
    pytest.importorskip("matplotlib")
    file = tmp_path / "new" / f"odds.{suffix}"
    call = ["Hellblaster Squad", "Terminator Squad", "--weapon", "plasma incinerator (standard)", "--plot", str(file)]
    told = CliRunner().invoke(program, call)
    assert told.exit_code == 0, told.output
    assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" if suffix == "png" else b"<svg" in file.read_bytes()


def test_the_program_refuses_what_it_does_not_know(program):
    for call, message in (
        (["Termagnts", "Termagants"], "did you mean 'Termagants'?"),
        (["Termagants", "Termagants", "--plot", "odds.gif"], "--plot: odds.gif: expected a file ending in"),
        (["Termagants", "Termagants", "--reroll-hits", "all"], "expected one of any, failed, none, ones"),
    ):
        done = CliRunner().invoke(program, call)
        assert done.exit_code == 2
        assert message in done.output


def test_the_program_takes_whole_units(program):
    call = [
        "intercessor squad",
        "Intercessor Squad",
        "--whole",
        "shooting",
        "--leader",
        "lieutenant",
        "--target-leader",
        "captain",
    ]
    told = CliRunner(env={"COLUMNS": "200"}).invoke(program, [*call, "--stratagem", "Storm of Fire", "--cover"])
    assert told.exit_code == 0, told.output
    assert "6 × shooting: 5 × Bolt rifle, 1 × Master-crafted bolter" in told.stdout
    assert "(Intercessor Squad with Lieutenant) → 6 × Intercessor Squad with Captain" in told.stdout
    ignored, covered = (
        json.loads(CliRunner().invoke(program, [*call, "--cover", "--json", *more]).stdout)[0]
        for more in (["--stratagem", "Storm of Fire"], [])
    )
    assert ignored["mean_wounds_lost"] > covered["mean_wounds_lost"]
    assert sum(covered["models_destroyed"]) == pytest.approx(1.0) and len(covered["models_destroyed"]) == 7
    for more, message in (
        (["--weapon", "Bolt rifle"], "--weapon: means nothing with --whole"),
        (["--another"], "--another: means nothing with"),
        (["--ruleset", "w9"], "expected one of w10"),
        (["--ruleset", "wap"], "means nothing with --ruleset wap"),
    ):
        done = CliRunner(env={"COLUMNS": "200"}).invoke(program, [*call, *more])
        assert done.exit_code == 2 and message in done.output, done.output


def test_the_program_prints_the_shots_of_a_war_machine(program):
    call = ["cannon", "warriors", "--ruleset", "wap", "--models", "20", "--target-files", "5"]
    told = CliRunner().invoke(program, [*call, "--away", "12"])
    assert told.exit_code == 0, told.output
    assert 'cannon against 20 × warriors in 5 files, 12" away' in told.stdout
    assert "cannon: " in told.stdout and "grapeshot: " in told.stdout and "misfires 16.7 %" in told.stdout
    shots = json.loads(CliRunner().invoke(program, [*call, "--away", "24", "--json"]).stdout)["shots"]
    assert list(shots) == ["cannon"]
    assert sum(shots["cannon"]["models_lost"]) == pytest.approx(1.0) and 1.0 < shots["cannon"]["mean_wounds_lost"] < 2.5
    told = CliRunner().invoke(program, [*call, "--away", "60"])
    assert told.exit_code == 0 and "out of reach" in told.stdout


def test_the_program_prints_the_chances_of_a_spell(program):
    call = ["wizard", "archers", "--ruleset", "wap", "--spell", "Fireball", "--models", "20", "--level", "2"]
    told = CliRunner().invoke(program, [*call, "--against", "4", "--against-level", "2"])
    assert told.exit_code == 0, told.output
    assert "wizard of level 2 casts Fireball on 20 × archers in 5 files" in told.stdout
    assert "dispelled with 4 dice" in told.stdout and "5+: 2.333 wounds on average" in told.stdout
    data = json.loads(CliRunner().invoke(program, [*call, "--json"]).stdout)
    assert data["values"][0] == 5 and [row["dice"] for row in data["attempts"]] == [1, 2, 3, 4]
    assert all(row["dispelled"] == 0.0 for row in data["attempts"])
    for more, message in (
        (["--spell", "Fierball"], "did you mean 'Fireball'"),
        (["--level", "4"], "expected one of 1, 2"),
    ):
        done = CliRunner(env={"COLUMNS": "200"}).invoke(program, [*call, *more])
        assert done.exit_code == 2 and message in done.output, done.output
    done = CliRunner(env={"COLUMNS": "200"}).invoke(program, ["wizard", "archers", "--ruleset", "wap", "--level", "2"])
    assert done.exit_code == 2 and "--level: means nothing without --spell" in done.output
    done = CliRunner(env={"COLUMNS": "200"}).invoke(program, ["Termagants", "Termagants", "--spell", "Fireball"])
    assert done.exit_code == 2 and "--spell: means nothing with --ruleset w10" in done.output
