"""Match-ups between army lists: when they stop, and that they say the truth."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from wh_env import Battle, ContentError
from wh_env.agents.breakdown import Accounts
from wh_env.agents.intervals import clustered
from wh_env.agents.ledger import Side
from wh_env.agents.matchup import FEWEST, MatchUp, PilotFailed, Question, Tally, estimate
from wh_env.agents.matchup_page import MissingExtra, matchup_page
from wh_env.agents.tournament.game import FORFEIT, Outcome

SKIRMISH = "w10/only-war-skirmish"


class Coin:
    """A backend in which the first list wins with a given chance; games of a pair end alike with another."""

    def __init__(self, win: float, seed: int, alike: float = 0.0, late: int = 1) -> None:
        self.win, self.alike, self.late = win, alike, late
        self.generator = np.random.default_rng(seed)
        self.played = 0

    def play(self, jobs):
        waiting: list[Outcome] = []
        for job in jobs:
            turned = int(job.key.split("|")[1])
            if turned == 0 or self.generator.random() >= self.alike:
                self.wins = self.generator.random() < self.win
            self.played += 1
            winner = turned if self.wins else 1 - turned
            names = ("one", "other") if turned == 0 else ("other", "one")
            waiting.append(Outcome(job.key, winner=winner, vp=(winner == 0, winner == 1), armies=names, first_player=0))
            if len(waiting) == self.late:
                yield from reversed(waiting)
                waiting = []
        yield from reversed(waiting)


def test_it_ends_when_the_interval_is_narrow_enough():
    question = Question(SKIRMISH, width=0.2, seed=1)
    backend = Coin(0.6, 3)
    found = estimate(question, backend)
    assert found.enough and found.high - found.low <= 0.2
    assert FEWEST <= found.games <= backend.played <= found.games + 2
    assert found.wins + found.losses == found.games
    assert found.share == found.wins / found.games == found.vp[0]
    assert found.armies == ("one", "other")
    assert found.low < 0.6 < found.high
    before = estimate(replace(question, most=found.games - 2), Coin(0.6, 3))
    assert not before.enough and before.high - before.low > 0.2 and before.games == found.games - 2


def test_the_order_in_which_games_end_does_not_matter():
    """Games in flight when it is enough are not counted."""
    question = Question(SKIRMISH, width=0.25)
    one, many = estimate(question, Coin(0.7, 5)), estimate(question, Coin(0.7, 5, late=6))
    assert one == many


def test_intervals_hold_the_truth_although_they_say_when_to_stop():
    hits = []
    for seed in range(120):
        found = estimate(Question(SKIRMISH, width=0.3), Coin(0.65, seed, alike=0.5))
        hits.append(found.low <= 0.65 <= found.high)
    assert np.mean(hits) >= 0.9


def test_pairs_that_end_alike_need_more_games():
    question = Question(SKIRMISH, width=0.2)
    assert estimate(question, Coin(0.5, 1, alike=1.0)).games > 1.6 * estimate(question, Coin(0.5, 1)).games


def test_nothing_is_said_before_a_pair_is_complete():
    tally = Tally(Question(SKIRMISH))
    tally.add(Outcome("1|0", winner=0))
    tally.add(Outcome("1|1", winner=0))
    tally.add(Outcome("0|1", winner=None))
    assert tally.result == MatchUp(("", ""))
    tally.add(Outcome("0|0", winner=0, first_player=1))
    assert (tally.result.wins, tally.result.draws, tally.result.losses) == (2, 1, 1)
    assert tally.result.share == 0.625 == clustered([1.5, 1.0], [2, 2])[0]
    assert tally.result.first_turn == 0.0


def test_a_pilot_that_fails_ends_it():
    tally = Tally(Question(SKIRMISH))
    with pytest.raises(PilotFailed, match="no idea"):
        tally.add(Outcome("0|0", how=FORFEIT, fault="no idea"))


def test_a_random_battlefield_is_drawn_anew_for_each_pair():
    lists = ("astartes-skirmish", "tyranids-skirmish")
    jobs = list(Question("w10/random-skirmish", lists, most=6).jobs(lambda: True))
    draws = [job.overrides["random"]["seed"] for job in jobs]
    assert draws[::2] == draws[1::2] and len(set(draws)) == 3
    assert [job.overrides["armies"] for job in jobs[:2]] == [list(lists), list(reversed(lists))]
    fixed = Question("w10/random-skirmish?seed=7", lists, most=2)
    assert all("random" not in job.overrides for job in fixed.jobs(lambda: True))


def test_lists_change_seats():
    question = Question(SKIRMISH, ("tyranids-skirmish", "astartes-skirmish"), seed=9, most=4)
    jobs = list(question.jobs(lambda: True))
    assert [job.overrides["armies"] for job in jobs] == [
        ["tyranids-skirmish", "astartes-skirmish"],
        ["astartes-skirmish", "tyranids-skirmish"],
    ] * 2
    assert jobs[0].seed == jobs[1].seed != jobs[2].seed
    assert jobs[0].seeds == jobs[1].seeds
    own = list(Question(SKIRMISH, most=2).jobs(lambda: True))
    assert own[0].overrides["armies"] == ["astartes-skirmish", "tyranids-skirmish"]
    with pytest.raises(ContentError, match=r"armies\[1\]: 'tyranid' is not known"):
        Question(SKIRMISH, ("astartes-skirmish", "tyranid")).overrides()


@pytest.fixture(scope="module")
def program(load_script):
    return load_script("matchup.py")


def test_the_program(program, tmp_path):
    options = ["--pilot", "random", "--max-games", "8", "--processes", "1", "--seed", "2"]
    done = CliRunner().invoke(program, [*options, "--json", "--out", str(tmp_path / "a" / "found.json")])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["games"] == 8 == told["wins"] + told["draws"] + told["losses"]
    assert told["armies"] == ["Astartes Skirmish", "Tyranids Skirmish"]
    assert told["low"] < told["share"] < told["high"] and not told["enough"]
    assert json.loads((tmp_path / "a" / "found.json").read_text()) == told
    why = told["why"]
    assert why["pairs"] == 4
    assert [part["army"] for part in why["lists"]] == told["armies"]
    for mine, theirs, kills in zip(why["lists"], why["lists"][::-1], why["kills"], strict=True):
        assert sum(map(sum, kills)) == pytest.approx(mine["killed"]["mean"])
        assert mine["killed"]["mean"] + theirs["otherwise"]["mean"] == pytest.approx(theirs["lost"]["mean"])
        assert sum(unit["lost"]["mean"] for unit in mine["units"]) == pytest.approx(mine["lost"]["mean"])
        assert all(0 <= unit["lost"]["mean"] <= unit["points"] for unit in mine["units"])
        assert mine["killed"]["low"] < mine["killed"]["mean"] < mine["killed"]["high"]
    assert why["trade"]["mean"] == pytest.approx(why["lists"][0]["killed"]["mean"] - why["lists"][1]["killed"]["mean"])
    for seat in (0, 1):
        assert sum(part["vp"][seat]["mean"] for part in why["rounds"]) == pytest.approx(told["vp"][seat])


def test_the_units_of_a_list_are_its_own_whichever_seat_it_had(program, played_beside):
    """The lists in the other order: the same games, told of the other side."""
    options = ["--pilot", "random", "--max-games", "2", "--processes", "1", "--seed", "3", "--json", "--armies"]
    orders = ["astartes-skirmish", "tyranids-skirmish"], ["tyranids-skirmish", "astartes-skirmish"]
    one, other = (
        json.loads(CliRunner().invoke(program, [*options, order[0], "--armies", order[1]]).stdout)["why"]
        for order in orders
    )
    assert [part["army"] for part in one["lists"]] == [part["army"] for part in other["lists"][::-1]]
    assert [unit["name"] for unit in one["lists"][0]["units"]] == [unit["name"] for unit in other["lists"][1]["units"]]
    assert [sum(unit["points"] for unit in part["units"]) for part in one["lists"]] == [475, 490]


def test_the_page_and_the_tables(program, played_beside, tmp_path):
    pytest.importorskip("matplotlib")
    page = tmp_path / "a" / "why.html"
    options = ["--battle", "wap/open-skirmish", "--pilot", "greedy", "--max-games", "4", "--processes", "1", "--quiet"]
    done = CliRunner(env={"COLUMNS": "160"}).invoke(program, [*options, "--page", str(page)])
    assert done.exit_code == 0, done.output
    text = page.read_text(encoding="utf-8")
    setup = Battle.load("wap/open-skirmish", 0).setup
    for unit in setup.names["units"]:
        assert f"<td class='name'>{unit}</td>" in text
        assert f"│ {unit} " in done.stdout
    assert text.count("<svg ") == 3 and text.count("</svg>") == 3
    # nothing is fetched, and the same match-up gives the same page
    assert not re.search(r"""(src|(?<!<a )href)=["'](?!#|data:)|url\((?!#)|@import""", text)
    again = tmp_path / "again.html"
    assert CliRunner().invoke(program, [*options, "--page", str(again)]).exit_code == 0
    assert again.read_text(encoding="utf-8").replace("again-games", "why-games") == text


def test_names_stand_in_the_page_as_they_are_written():
    pytest.importorskip("matplotlib")
    side = Side(
        ("$x$ <b>", "b & c"), (100.0, 50.0), (10.0, 0.0), (0.0, 0.0), ((10.0, 0.0), (0.0, 0.0)), (1.0, 2.0), (1.0, 1.0)
    )
    accounts = Accounts()
    accounts.add([(side, side)] * 2)
    armies = ("<i>One</i>", "Other")
    page = matchup_page(["It wins."], MatchUp(armies, why=accounts.found(armies)), 0.95, "Not played (1): x.")
    assert "$x$ &lt;b&gt;" in page and "<b>" not in page and "<i>" not in page
    assert "It wins." in page and "Not played (1): x." in page
    with pytest.raises(ValueError, match="were not accounted for"):
        matchup_page([], MatchUp(armies), 0.95)


def test_a_page_says_what_it_needs(monkeypatch, program, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = CliRunner().invoke(program, ["--page", str(tmp_path / "x.html")])  # before any game is played
    assert done.exit_code == 2 and "--page: matplotlib is not installed: pip install" in done.output
    accounts = Accounts()
    accounts.add([(Side(("a",), (1.0,), (0.0,), (0.0,), ((0.0,),), (0.0,), (0.0,)),) * 2] * 2)
    with pytest.raises(MissingExtra, match="matplotlib is not installed: pip install"):
        matchup_page([], MatchUp(("a", "b"), why=accounts.found(("a", "b"))), 0.95)


def test_the_program_refuses_what_it_does_not_know(program):
    for options, message in (
        (["--armies", "one"], "--armies: one: expected two army lists"),
        (["--pilot", "clever"], "policy 'clever' is not known"),
        (["--battle", "w10/none"], "'w10/none' is not known"),
        (["--backend", "cloud"], "--backend: 'cloud' is not known; expected one of local, ray"),
    ):
        done = CliRunner().invoke(program, options)
        assert done.exit_code == 2
        assert message in done.output


def test_lists_that_are_drawn_anew_are_not_accounted_for() -> None:
    """Each pair of games has other units; the win rate of the seats' lists is measured all the same."""
    jobs = list(Question("epic/random-patrol", most=4).jobs(lambda: True))
    assert [job.account for job in jobs] == [False] * 4
    assert len({job.overrides["random"]["seed"] for job in jobs}) == 2
    assert all(job.account for job in Question("epic/random-patrol?seed=7", most=4).jobs(lambda: True))
    assert all(job.account for job in Question("wap/wild-field", most=4).jobs(lambda: True))
