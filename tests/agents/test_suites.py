"""Suites: which draws they take, what their files say, and that they are drawn like any battle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.agents.test_matchup import Coin
from wh_env import Battle, ContentError, vector_env
from wh_env.agents import programs
from wh_env.agents.matchup import MatchUp, Question
from wh_env.agents.suites import Draw, refused, screen, screen_draws, written
from wh_env.agents.tournament.config import load_config
from wh_env.agents.tournament.schedule import round_robin
from wh_env.agents.training import config as training
from wh_env.content.load import SUITE, is_drawn_anew, names, raw_battle, rulesets
from wh_env.envs.registry import environment
from wh_env.envs.sources import BattleSource
from wh_env.scripts import suite

PATROL = "epic/random-patrol"
FILE = """name: Two draws
ruleset: epic
battlefield: random
armies: [random, random]
random: {size: patrol, among: [7, 12]}
"""


@pytest.fixture
def two_draws(tmp_path: Path) -> str:
    file = tmp_path / "two.yaml"
    file.write_text(FILE, encoding="utf-8")
    return str(file)


def start(battle: str, **how: Any) -> bytes:
    """The state in which a battle begins, whatever its name is: units, points, characteristics."""
    return Battle.load(battle, 0, **how).state_bytes()


@pytest.mark.parametrize("ruleset", rulesets())
def test_a_seed_picks_one_of_the_draws(ruleset: str) -> None:
    """In every game, counting round; the battle is that of the draw's own seed."""
    battle = next(name for name in names("battles", ruleset) if "/random-" in name)
    picked = [start(battle, overrides={"random": {"among": [41, 5], "seed": seed}}) for seed in range(3)]
    assert picked == [start(f"{battle}?seed={seed}") for seed in (41, 5, 41)]
    assert picked[0] != picked[1]


@pytest.mark.parametrize("ruleset", rulesets())
def test_random_armies_change_seats_within_a_pair(ruleset: str) -> None:
    """Otherwise both games of a pair would be the same game, and every draw would seem fair."""
    battle = next(name for name in names("battles", ruleset) if "/random-" in name)
    for source in (battle, f"{battle}?seed=6"):
        one, other = (
            Battle.load(job.battle, 0, overrides=job.overrides) for job in Question(source, most=2).jobs(lambda: True)
        )
        assert sheets(one, 0) == sheets(other, 1) and sheets(one, 1) == sheets(other, 0)
        assert sheets(one, 0) != sheets(one, 1)


@pytest.mark.parametrize("ruleset", rulesets())
def test_a_random_army_against_a_named_one_changes_seats_too(ruleset: str) -> None:
    battle = environment(ruleset).skirmish
    named = raw_battle(battle)[0]["armies"][0]
    one = Battle.load(battle, 0, overrides={"armies": ["random", named], "random": {"seed": 6}})
    other = Battle.load(battle, 0, overrides={"armies": [named, "random"], "random": {"seed": 6, "swapped": True}})
    assert sheets(one, 0) == sheets(other, 1) and sheets(one, 1) == sheets(other, 0)


def sheets(battle: Battle, player: int) -> list[str]:
    """What the units of an army are, and what they cost."""
    return [json.dumps(row, default=str, sort_keys=True) for row in battle.roster(player)]


def test_a_suite_is_drawn_anew_from_its_draws_only(two_draws: str) -> None:
    wanted = {start(f"{PATROL}?seed={seed}") for seed in (7, 12)}
    assert is_drawn_anew(two_draws)
    config = load_config(None, {"agents": ["random", "greedy"], "battles": [two_draws], "games": 16})
    games = round_robin(config)
    drawn = {start(two_draws, overrides=game.table.overrides(False, game.draw)) for game in games}
    assert drawn == wanted
    jobs = list(Question(two_draws, most=16).jobs(lambda: True))
    assert {start(job.battle, overrides=job.overrides) for job in jobs[::2]} == wanted
    many = vector_env(6, "epic", battle=two_draws, opponent="random")
    many.reset(seed=3)
    armies = {tuple(row["name"] for row in battle.roster(0)) for battle in many.battles}
    drawn_armies = (Battle.load(f"{PATROL}?seed={seed}", 0).roster(0) for seed in (7, 12))
    assert armies <= {tuple(row["name"] for row in army) for army in drawn_armies}


def test_environments_compile_each_draw_of_a_suite_once(two_draws: str) -> None:
    source, chance = BattleSource("epic", two_draws), np.random.default_rng(1)
    grounds = [source.draw(chance) for _ in range(20)]
    assert len({id(ground) for ground in grounds}) == 2


def test_suites_are_named_in_tournaments_and_trainings() -> None:
    for name in names("suites"):
        ruleset = name.partition("/")[0]
        assert is_drawn_anew(SUITE + name)
        fields = {"agents": ["random", "greedy"], "battles": [SUITE + name], "games": 2}
        assert load_config(None, fields).battles == (SUITE + name,)
        changed = {"ruleset": ruleset, "curriculum": [{"battles": [SUITE + name]}]}
        assert training.load_config("demo", changed).curriculum[0].battles == (SUITE + name,)
    with pytest.raises(ContentError, match="'w10/nowhere' is not known"):
        Battle.load("suite:w10/nowhere", 0)
    with pytest.raises(ContentError, match=r"battles\[0\]"):
        load_config(None, {"agents": ["random", "greedy"], "battles": ["suite:w10/nowhere"], "games": 2})


def test_suites_of_claims_and_of_training_share_no_draw() -> None:
    """What claims are measured on is never learnt from."""
    included = names("suites")
    assert {"epic/claims", "epic/training", "w10/claims"} <= {*included}
    for ruleset in {name.partition("/")[0] for name in included}:
        drawn = {name: [start(f"{SUITE}{name}?seed={n}") for n in range(len(among(name)))] for name in included
                 if name.startswith(f"{ruleset}/")}  # fmt: skip
        assert all(len({*states}) == len(states) >= 12 for states in drawn.values())
        states = [state for one in drawn.values() for state in one]
        assert len({*states}) == len(states)


def among(name: str) -> list[int]:
    """The seeds of a suite."""
    found: list[int] = raw_battle(SUITE + name)[0]["random"]["among"]
    return found


@pytest.mark.parametrize(("chance", "taken"), [(0.5, True), (1.0, False), (0.0, False), (0.85, False)])
def test_draws_that_are_not_fair_are_refused_early(chance: float, taken: bool) -> None:
    found = screen(PATROL, 4, 40, "greedy", Coin(chance, 2))
    assert found.taken is taken and (found.games == 40) is taken
    assert found == screen(PATROL, 4, 40, "greedy", Coin(chance, 2, late=5))  # games in flight do not count


def test_a_draw_is_refused_as_soon_as_its_share_cannot_become_fair() -> None:
    def found(games: int, share: float) -> MatchUp:
        return MatchUp(("", ""), games=games, share=share)

    assert not refused(found(38, 26 / 38), 40) and refused(found(38, 26.5 / 38), 40)
    assert not refused(found(38, 12 / 38), 40) and refused(found(38, 11.5 / 38), 40)


def test_results_of_draws_are_kept(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    first = list(screen_draws(PATROL, 3, 8, "greedy", 20, log, Coin(0.5, 1)))
    assert sum(draw.taken for draw in first) == 3 and [draw.seed for draw in first] == list(range(20, 20 + len(first)))
    with log.open("a", encoding="utf-8") as file:
        file.write('{"seed": 3')
    again = Coin(0.5, 1)
    assert list(screen_draws(PATROL, 3, 8, "greedy", 20, log, again)) == first and again.played == 0
    list(screen_draws(PATROL, 3, 10, "greedy", 20, log, again))
    assert again.played


def test_the_file_of_a_suite_is_a_battle(tmp_path: Path) -> None:
    draws = [Draw(7, 8, 0.5, 0.3, 0.7, True), Draw(8, 8, 0.9, 0.8, 1.0, False), Draw(12, 8, 0.4, 0.3, 0.6, True)]
    for battle in (PATROL, "w10/random-skirmish", "wap/random-patrol"):
        file = tmp_path / "made.yaml"
        file.write_text(written(battle, "Made", draws, "suite.py"), encoding="utf-8")
        for place, seed in enumerate((7, 12)):
            assert start(f"{file}?seed={place}") == start(f"{battle}?seed={seed}")


def test_the_program_makes_a_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = suite.typer.Typer()
    app.command()(suite.main)
    out = tmp_path / "made.yaml"
    arguments = ["--out", str(out), "--processes", "1", "--pilot", "random", "--draws", "1", "--games", "8", "--quiet"]
    assert CliRunner().invoke(app, ["--battle", PATROL, *arguments]).exit_code == 0
    assert is_drawn_anew(str(out)) and "--pilot random" in out.read_text(encoding="utf-8")
    assert CliRunner().invoke(app, ["--battle", f"{PATROL}?seed=3", *arguments]).exit_code == programs.BAD_INPUT

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(suite, "play", stopped)
    assert CliRunner().invoke(app, ["--battle", PATROL, *arguments]).exit_code == programs.INTERRUPTED
