"""Whether battles are fair: shares, verdicts, and results that are kept."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.agents.test_matchup import SKIRMISH, Coin
from wh_env.agents import programs
from wh_env.agents.fairness import HEAD, NEVER, Fairness, keep, kept, markdown, measure, row_of, settings
from wh_env.agents.matchup import Question
from wh_env.scripts import fairness

FAIR = Fairness(SKIRMISH, ("one", "other"), 100, 0.5, 0.41, 0.59, 0.6, 4)


def asked(games: int = 60, seed: int = 2) -> Question:
    return Question(SKIRMISH, width=NEVER, most=games, seed=seed)


@pytest.mark.parametrize(("chance", "fair"), [(0.5, True), (0.9, False), (0.1, False), (1.0, False)])
def test_all_games_are_played_and_both_sides_are_measured(chance: float, fair: bool) -> None:
    """Also where every game ends alike."""
    result = measure(asked(), Coin(chance, 4))
    assert (result.battle, result.armies, result.games) == (SKIRMISH, ("one", "other"), 60)
    assert result.fair is fair and result.low <= result.share <= result.high + 1e-9
    assert result.share == pytest.approx(chance, abs=0.2)


@pytest.mark.parametrize(
    ("share", "low", "high", "verdict"),
    [
        (0.5, 0.41, 0.59, "fair"),
        (0.4, 0.3, 0.5, "perhaps fair"),
        (0.6, 0.5, 0.7, "perhaps fair"),
        (0.61, 0.5, 0.7, "perhaps unfair"),
        (0.39, 0.3, 0.5, "perhaps unfair"),
        (0.3, 0.2, 0.39, "unfair"),
        (0.8, 0.7, 0.9, "unfair"),
    ],
)
def test_the_verdict_says_whether_the_interval_settles_it(share: float, low: float, high: float, verdict: str) -> None:
    result = replace(FAIR, share=share, low=low, high=high)
    assert result.verdict == verdict and result.fair == (not verdict.endswith("unfair"))


def test_results_are_kept_for_the_same_question_only(tmp_path: Path) -> None:
    log = tmp_path / "fairness.jsonl"
    assert kept(log, settings(asked())) == {}
    keep(log, FAIR, settings(asked()))
    other = replace(FAIR, battle="another")
    keep(log, other, settings(asked()))
    with log.open("a") as file:
        file.write('[1]\n{"battle": "cut sho')
    assert kept(log, settings(asked())) == {SKIRMISH: FAIR, "another": other}
    assert kept(log, settings(asked(games=80))) == kept(log, settings(asked(seed=3))) == {}


def test_the_table_of_the_docs_has_a_row_for_each_battle() -> None:
    lines = markdown([FAIR, replace(FAIR, battle="another", first_turn=None)]).splitlines()
    assert [len(line.split(" | ")) for line in lines] == [len(HEAD)] * 4
    assert row_of(FAIR) == (SKIRMISH, "one", "100", "50 %", "41 – 59", "60 %", "4", "fair")
    assert lines[2] == f"| {' | '.join(row_of(FAIR))} |"


def test_the_program_takes_results_from_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, table = tmp_path / "fairness.jsonl", tmp_path / "table.md"
    question = Question(SKIRMISH, most=100)
    keep(log, FAIR, settings(question))
    app = fairness.typer.Typer()
    app.command()(fairness.main)
    arguments = ["--battle", SKIRMISH, "--log", str(log), "--table", str(table), "--quiet"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0 and "1 of 1 battles are fair" in done.output
    assert table.read_text() == markdown([FAIR])
    keep(log, replace(FAIR, share=0.9, low=0.8, high=0.95), settings(question))
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 1
    changed = {"armies": list(FAIR.armies), "share": 0.9, "low": 0.8, "high": 0.95, "verdict": "unfair"}
    expected = {**asdict(FAIR), **changed}
    assert json.loads(done.stdout)["results"] == [expected]

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fairness, "measure", stopped)
    done = CliRunner().invoke(app, [*arguments, "--battle", "w10/only-war-patrol"])
    assert done.exit_code == programs.INTERRUPTED and "0 of 1 battles" in done.output


def test_a_battle_is_measured(tmp_path: Path) -> None:
    app = fairness.typer.Typer()
    app.command()(fairness.main)
    log = tmp_path / "fairness.jsonl"
    arguments = [
        "--battle",
        "epic/random-patrol",
        "--games",
        "2",
        "--pilot",
        "random",
        "--processes",
        "1",
        "--log",
        str(log),
    ]
    assert CliRunner().invoke(app, arguments).exit_code in (0, 1)
    (row,) = map(json.loads, log.read_text().splitlines())
    assert row["games"] == 2 and row["pilot"] == "random"
