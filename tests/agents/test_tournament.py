"""Tournaments: schedules, games under a clock, results that survive anything, standings."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.agents.match import play_battle
from wh_env.agents.options import spread
from wh_env.agents.policies import UnknownPolicy, make
from wh_env.agents.tournament import RESULTS, NoBackend, Results, Tournament, TournamentConfig, backend_of, load_config
from wh_env.agents.tournament.game import FORFEIT, PLAYED, VOID, Job, Outcome, play
from wh_env.agents.tournament.referee import Referee, outcome_of
from wh_env.agents.tournament.report import html
from wh_env.agents.tournament.results import Row, csv_of
from wh_env.agents.tournament.schedule import pair_up, round_robin, swiss_round, tables
from wh_env.agents.tournament.seats import Agents
from wh_env.agents.tournament.standings import summarise
from wh_env.content.replay import parse_replay

SKIRMISH = "w10/only-war-skirmish"
POLICIES = '''
import os, time
import numpy as np

class Base:
    """Random for some decisions, then something else."""
    def __init__(self, seed=0, after=10):
        self.after = after
        self.reset(seed)
    def reset(self, seed):
        self.rng, self.count = np.random.default_rng(seed), 0
    def act(self, battle, mask):
        self.count += 1
        if self.count > self.after:
            return self.then(battle, mask)
        return int(self.rng.choice(np.flatnonzero(mask)))

class Crash(Base):
    def then(self, battle, mask):
        raise RuntimeError("no idea")

class Quit(Base):
    def then(self, battle, mask):
        raise SystemExit(2)

class Illegal(Base):
    def then(self, battle, mask):
        return int((~mask).argmax())

class Mute(Base):
    def then(self, battle, mask):
        return None

class Slow(Base):
    def then(self, battle, mask):
        time.sleep(0.4)
        return int(mask.argmax())

class Cheat(Base):
    """Helps itself to victory points, and looks at the dice."""
    def then(self, battle, mask):
        if battle.dice.seed_low[0] == 3:
            raise RuntimeError("these are the dice")
        battle.players.vp[battle.clock.player[0]] = 99
        battle.dice.counter[0] += 7
        return int(self.rng.choice(np.flatnonzero(mask)))

class Loop(Base):
    def then(self, battle, mask):
        while True:
            pass

class Exit(Base):
    def then(self, battle, mask):
        os._exit(3)

class Unmade(Base):
    def __init__(self, seed=0):
        raise OSError("no such checkpoint")
'''


@pytest.fixture(autouse=True)
def own_policies(tmp_path_factory, monkeypatch) -> Path:
    """A folder on the path with a module of policies."""
    folder = tmp_path_factory.getbasetemp() / "policies"
    folder.mkdir(exist_ok=True)
    (folder / "test_bots.py").write_text(POLICIES, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    return folder


class Here:
    """A backend in this process; agents have their own."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def play(self, jobs):
        agents = Agents()
        try:
            for job in jobs:
                self.played.append(job.key)
                yield outcome_of(job, agents)
        finally:
            agents.close()


def job(one: str, other: str = "random", seed: int = 0, **fields) -> Job:
    limits = {"decision_seconds": 20.0, "game_seconds": 60.0, **fields}
    return Job("game", SKIRMISH, {}, None, seed, (11, 12), (one, other), ((one, {}), (other, {})), **limits)


@pytest.fixture(scope="module")
def setup():
    return Battle.load(SKIRMISH, 0).setup


def played(setup, *arguments, **fields) -> Outcome:
    task = job(*arguments, **fields)
    agents = Agents()
    try:
        return play(task, Battle(setup, task.seed), agents)
    finally:
        agents.close()


def config(**fields) -> TournamentConfig:
    given = {"agents": ["random", "greedy"], "battles": [SKIRMISH], "games": 4, "resamples": 50, **fields}
    return load_config(None, given)


def held(folder: Path, wanted: TournamentConfig, backend=None, resume: bool = False, retry: bool = False):
    """A tournament played here; its summary, rows and files."""
    with Results(folder / RESULTS) as results:
        tournament = Tournament(wanted, folder, results, resume, retry)
        tournament.play(backend or Here())
        summary = tournament.write()
        page = html(wanted, summary, tournament.ordered(), results.timings(), results.traces())
        return summary, tournament.ordered(), page


# ---------------------------------------------------------------- schedule


def test_every_pair_meets_mirrored():
    wanted = config(agents=["a", "b", "c"], battles=[SKIRMISH, "w10/only-war-incursion"], games=6)
    games = round_robin(wanted)
    assert len(games) == len({game.key for game in games}) == 3 * 2 * 6
    pairs = Counter((game.seed, game.table, frozenset(game.agents), game.pair) for game in games)
    assert set(pairs.values()) == {2} and len({game.seed for game in games}) == len(pairs)
    for one, other in zip(games[::2], games[1::2]):
        assert one.agents == other.agents[::-1]
        assert (one.seed, one.table, one.pair) == (other.seed, other.table, other.pair)
    # every part of the schedule is balanced: the first games are one mirrored pair of each meeting
    assert Counter(game.agents for game in games[: 3 * 2 * 2]) == Counter({game.agents: 2 for game in games})


def test_seeds_do_not_depend_on_who_else_takes_part():
    few = {game.key: game.seed for game in round_robin(config(agents=["a", "b"]))}
    many = {game.key: game.seed for game in round_robin(config(agents=["c", "b", "a"], games=8))}
    shared = few.keys() & many.keys()
    assert len(shared) == 4
    assert all(few[key] == many[key] for key in shared)
    other = {game.key: game.seed for game in round_robin(config(agents=["a", "b"], seed=1))}
    assert not set(other.values()) & set(few.values())


def test_tables_are_battles_by_fields_by_armies():
    wanted = config(
        battles=["w10/only-war-incursion"],
        battlefields=["incursion-1", "incursion-2"],
        armies=["astartes-incursion", "tyranids-incursion"],
    )
    labels = [table.label for table in tables(wanted)]
    assert labels == [
        f"w10/only-war-incursion / incursion-{n} / astartes-incursion v tyranids-incursion" for n in (1, 2)
    ]
    both = config(armies=["x", "y"], same_army=True)
    assert [table.armies for table in tables(both)] == [("x", "x"), ("x", "y"), ("y", "y")]
    # the armies change seats from pair to pair, so that agents play either army from either seat
    seats = {(game.agents, tuple(game.table.overrides(game.turned)["armies"])) for game in round_robin(wanted)}
    assert len(seats) == 4


def test_random_battles_are_drawn_anew_for_each_mirrored_pair():
    """All agents meet on the same draws; both games of a mirrored pair are played on one."""
    wanted = config(agents=["a", "b", "c"], battles=["w10/random-skirmish", SKIRMISH], games=6)
    games = round_robin(wanted)
    drawn = [game for game in games if game.table.battle == "w10/random-skirmish"]
    draws = {game.pair: game.draw for game in drawn}
    assert len(drawn) == 18 and len(set(draws.values())) == 3
    assert all(draws[game.pair] == game.draw for game in drawn)
    assert all(game.table.overrides(game.turned, game.draw) == {"random": {"seed": game.draw}} for game in drawn)
    assert {game.draw for game in games if game.table.battle == SKIRMISH} == {None}
    other = round_robin(config(agents=["a", "b", "c"], battles=["w10/random-skirmish"], games=6, seed=1))
    assert not {game.draw for game in other} & set(draws.values())
    fixed = ("w10/random-skirmish?seed=7", {"battlefields": ["skirmish-1"], "armies": ["astartes-skirmish"]})
    for battle, fields in ((fixed[0], {}), ("w10/random-skirmish", fixed[1])):
        assert {game.draw for game in round_robin(config(battles=[battle], **fields))} == {None}


def test_the_results_name_each_draw(tmp_path):
    wanted = config(agents=["random", {"name": "other", "policy": "random"}], battles=["epic/random-patrol"], games=4)
    _, rows, _ = held(tmp_path, wanted)
    assert [row.draw for row in rows] == [game.draw for game in round_robin(wanted)]
    assert len({row.draw for row in rows}) == len({row.setup for row in rows}) == 2
    assert all(one.setup == two.setup for one, two in zip(rows[::2], rows[1::2], strict=True))


def test_swiss_rounds_pair_neighbours_once():
    pytest.importorskip("networkx")
    names = [f"agent {n}" for n in range(7)]
    wanted = config(agents=[{"name": name, "policy": "random"} for name in names], format="swiss", rounds=7, games=2)
    strength = {name: n / 10 for n, name in enumerate(names)}
    scores: dict[str, float] = {}
    met: set[frozenset[str]] = set()
    byes: set[str] = set()
    for number in range(7):
        games, bye = swiss_round(wanted, number, scores, met, byes)
        pairs = {frozenset(game.agents) for game in games}
        assert bye is not None and bye not in byes
        assert sorted(name for pair in pairs for name in pair) == sorted(set(names) - {bye})
        assert not pairs & met
        if number == 1:
            gaps = [abs(scores.get(a, 0) - scores.get(b, 0)) for a, b in pairs]
            assert max(gaps) <= 0.31
        met |= pairs
        byes.add(bye)
        for name in names:
            scores[name] = scores.get(name, 0.0) + (0.5 if name == bye else strength[name])
    assert met == {frozenset(pair) for pair in combinations(names, 2)}


def test_the_nearest_scores_meet():
    pytest.importorskip("networkx")
    scores = {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0}
    assert pair_up(["a", "b", "c", "d"], scores, set()) in ([("a", "b"), ("c", "d")], [("a", "c"), ("b", "d")])
    assert pair_up(["a", "b", "c", "d"], scores, {frozenset("ab"), frozenset("cd")}) == [("a", "c"), ("b", "d")]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"games": 3}, "games: 3 is not valid; expected a multiple of 2"),
        ({"agents": ["random"]}, "agents: .* has too few items|at least 2 items"),
        ({"agents": ["random", "random"]}, "agents: .*'random'.* stands twice; expected each once"),
        ({"agents": ["random", "greedy,deep"]}, "expected name, module:Class, or either with ,key=value options"),
        ({"battles": ["w10/no-such"]}, r"battles\[0\]: 'w10/no-such' is not known; expected one of"),
        ({"anchor": "best"}, "anchor: 'best' is no agent of this tournament; expected one of random, greedy"),
        ({"rounds": 2}, "rounds: 2 rounds are given; expected no rounds, or format: swiss"),
        ({"format": "swiss", "rounds": 2}, "rounds: 2 rounds are too many; expected at most 1"),
        ({"gmaes": 2}, "gmaes: .* is not known; .*did you mean 'games'"),
        ({"decision_seconds": 0.0}, "decision_seconds: 0.0 is not valid; expected more than 0"),
    ],
)
def test_what_is_wrong_in_a_config_is_named(fields, message):
    with pytest.raises(ContentError, match=message):
        config(**fields)


def test_shipped_tournaments_are_sound():
    for name, anchor in (("demo", "random"), ("anchors", "random"), ("search", "tactician")):
        wanted = load_config(name)
        assert wanted.anchor == anchor and wanted.games % 2 == 0
    assert load_config("anchors", {"games": 2}).games == 2
    with pytest.raises(ContentError, match=r"'nothing' is not known; expected one of .*demo"):
        load_config("nothing")


def test_options_with_several_values():
    told = spread(
        ["--agents", "a", "b", "--games", "4", "--battles", "x", "--quiet", "--agents", "c"], ["--agents", "--battles"]
    )
    assert told == ["--agents", "a", "--agents", "b", "--games", "4", "--battles", "x", "--quiet", "--agents", "c"]


# ---------------------------------------------------------------- one game


def test_a_game_is_the_battle_that_the_policies_play(setup):
    outcome = played(setup, "greedy", "random", seed=5)
    battle = Battle(setup, 5)
    match = play_battle(battle, [make("greedy", 11), make("random", 12)])
    assert match.result is not None
    assert (outcome.how, outcome.winner, outcome.vp) == (PLAYED, match.result.winner, match.result.victory_points)
    assert outcome.decisions == len(match.actions)
    assert outcome.first_player == battle.clock.first_player[0]
    assert outcome.setup == setup.digest and len(outcome.final) == 32
    assert outcome.armies == ("Astartes Skirmish", "Tyranids Skirmish")
    assert 0 < sum(outcome.thinking) < outcome.seconds


@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        ("test_bots:Crash", "raised RuntimeError: no idea"),
        ("test_bots:Quit", "raised SystemExit: 2"),
        ("test_bots:Illegal", "answered .* with action .*, which is not legal"),
        ("test_bots:Mute", "answered with NoneType, which is no action"),
        ("test_bots:Slow", "thought longer than 0.3 s about a decision"),
        ("test_bots:Unmade", "raised OSError: no such checkpoint"),
        ("test_bots:Nobody", "raised UnknownPolicy: policy 'test_bots:Nobody' cannot be imported"),
        ("test_bots:Crash,before=3", "raised UnknownPolicy: policy 'test_bots:Crash' cannot be made"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_an_agent_that_fails_forfeits(setup, bot, fault, seat):
    pair = ("random", bot) if seat else (bot, "random")
    limit = 0.3 if "Slow" in bot else 20.0
    outcome = played(setup, *pair, decision_seconds=limit, replays="faults")
    assert (outcome.how, outcome.winner, outcome.at_fault) == (FORFEIT, 1 - seat, seat)
    assert re.match(fault, outcome.fault)
    if outcome.decisions:
        assert outcome.replay is not None
        replay = parse_replay(outcome.replay)
        assert not replay.complete and len(replay.actions) == outcome.decisions
        replay.verify()


def test_the_clock_of_a_game_runs_over_all_decisions(setup):
    outcome = played(setup, "test_bots:Slow,after=3", decision_seconds=5.0, game_seconds=2.0)
    assert (outcome.how, outcome.at_fault) == (FORFEIT, 0)
    assert outcome.fault == "thought longer than 2 s in all"
    assert 2.0 < outcome.thinking[0] < 4


def test_agents_cannot_touch_the_battle_or_see_its_dice(setup):
    honest = played(setup, "test_bots:Base,after=1000", seed=3)
    cheating = played(setup, "test_bots:Cheat", seed=3)
    assert (cheating.how, cheating.vp, cheating.final) == (honest.how, honest.vp, honest.final)


def test_an_engine_that_fails_makes_a_game_void(setup, monkeypatch):
    battle = Battle(setup, 0)
    monkeypatch.setattr(battle, "apply", lambda action: 1 / 0)
    agents = Agents()
    outcome = play(job("random"), battle, agents)
    assert (outcome.how, outcome.winner, outcome.at_fault) == (VOID, None, None)
    assert outcome.fault == "the engine raised ZeroDivisionError: division by zero"
    assert not agents.pids


def test_agents_are_kept_between_games(setup):
    agents = Agents()
    try:
        play(job("random", seed=1), Battle(setup, 1), agents)
        pids = agents.pids
        assert len(pids) == 2
        again = play(job("random", seed=2), Battle(setup, 2), agents)
        assert agents.pids == pids
    finally:
        agents.close()
    assert again.final == played(setup, "random", seed=2).final


# ---------------------------------------------------------------- processes


def test_what_does_not_come_back_is_stopped_and_play_goes_on():
    """An endless loop and a process that ends itself cost those games; the next game is played."""
    referee = Referee()
    try:
        fine = referee.play(job("random"))
        assert (fine.how, fine.decisions > 50) == (PLAYED, True)
        first = referee._process
        loop = referee.play(job("random", "test_bots:Loop", decision_seconds=2.0))
        assert (loop.how, loop.at_fault) == (FORFEIT, 1)
        assert loop.fault == "thought longer than 2 s about a decision"
        assert first.is_alive()
        exit_ = referee.play(job("test_bots:Exit"))
        assert (exit_.how, exit_.at_fault, exit_.fault) == (FORFEIT, 0, "the process ended (exit code 3)")
    finally:
        referee.close()


def database(folder: Path) -> list:
    with closing(sqlite3.connect(folder / RESULTS)) as file:
        return file.execute("SELECT * FROM games").fetchall()


MIXED = {"agents": ["random", "greedy", "test_bots:Crash"], "games": 2, "replays": "all"}


@pytest.fixture(scope="module")
def in_this_process(tmp_path_factory):
    """The tournament that all backends must reproduce."""
    folder = tmp_path_factory.mktemp("here")
    sys.path.insert(0, str(tmp_path_factory.getbasetemp() / "policies"))
    try:
        yield folder, *held(folder, config(**MIXED))
    finally:
        sys.path.pop(0)


@pytest.mark.parametrize(("backend", "processes"), [("local", 1), ("local", 2), ("ray", 2)])
def test_results_are_the_same_wherever_they_are_played(backend, processes, in_this_process, tmp_path):
    if backend == "ray":
        pytest.importorskip("ray")
    folder = in_this_process[0]
    with backend_of(backend, processes) as there:
        held(tmp_path, config(**MIXED), there)
    for name in ("results.csv", "results.json"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    assert database(tmp_path) == database(folder)
    replays = sorted(path.name for path in (folder / "replays").iterdir())
    assert sorted(path.name for path in (tmp_path / "replays").iterdir()) == replays
    assert len(replays) == 6
    for name in replays:
        assert (tmp_path / "replays" / name).read_bytes() == (folder / "replays" / name).read_bytes()


# ---------------------------------------------------------------- results


def test_a_tournament_goes_on_where_it_stopped(tmp_path):
    wanted = config(agents=["random", "test_bots:Crash", "test_bots:Mute"], games=4)

    class Stops(Here):
        def play(self, jobs):
            for number, outcome in enumerate(super().play(jobs)):
                yield outcome
                if number == 4:
                    raise KeyboardInterrupt

    whole = tmp_path / "whole"
    summary, rows, _ = held(whole, wanted)
    assert summary.games == len(rows) == 12 and summary.missing == 0
    part = tmp_path / "part"
    with pytest.raises(KeyboardInterrupt):
        held(part, wanted, Stops())
    with Results(part / RESULTS) as results:
        assert len(results.rows()) == 5
    with pytest.raises(ContentError, match="games: 5 are there already; expected none, or --resume"):
        held(part, wanted)
    rest = Here()
    held(part, wanted, rest, resume=True)
    assert len(rest.played) == 1 + 12 - 5  # one to warm up
    assert database(part) == database(whole)
    assert (part / "results.json").read_bytes() == (whole / "results.json").read_bytes()
    again = Here()
    held(part, wanted, again, resume=True)
    assert again.played == []


def test_forfeited_games_can_be_played_again(tmp_path, monkeypatch):
    """What an agent lost by failing is gone with its traces and replays; what was played stays as it is."""
    wanted = config(agents=["random", "greedy", "test_bots:Crash"], games=2)
    _, first, _ = held(tmp_path, wanted)
    forfeited = [row.key for row in first if row.how == FORFEIT]
    assert len(forfeited) == 4 and len(list((tmp_path / "replays").iterdir())) == 4
    bots = sys.modules["test_bots"]
    monkeypatch.setattr(bots.Crash, "then", lambda self, battle, mask: int(np.flatnonzero(mask)[0]))
    again = Here()
    _, rows, _ = held(tmp_path, wanted, again, retry=True)
    assert sorted(again.played[1:]) == sorted(forfeited)
    assert all(row.how == PLAYED for row in rows)
    assert [row for row in rows if row.key not in forfeited] == [row for row in first if row.how == PLAYED]
    assert not list((tmp_path / "replays").iterdir())
    with Results(tmp_path / RESULTS) as results:
        assert len(results.rows()) == len(results.timings()) == 6 and not results.traces()
    with pytest.raises(ContentError, match="format: 'swiss' cannot be retried"):
        held(tmp_path / "swiss", config(agents=["random", "greedy"], games=2, format="swiss", rounds=1), retry=True)
    with Results(tmp_path / "swiss" / RESULTS) as results:
        assert not results.meta()  # nothing was begun


def test_only_the_same_tournament_is_continued(tmp_path):
    bots = ["random", "test_bots:Mute"]
    held(tmp_path, config(agents=bots, games=2))
    with pytest.raises(ContentError, match=r"config\.seed: 0 is not as in this tournament; expected 4"):
        held(tmp_path, config(agents=bots, games=2, seed=4), resume=True)
    more = Here()
    summary, rows, _ = held(tmp_path, config(agents=bots, games=4), more, resume=True)
    assert len(rows) == summary.games == 4 and len(more.played) == 3
    with pytest.raises(ContentError, match=r"config\.games: 4 is not as in this tournament; expected 2"):
        held(tmp_path, config(agents=bots, games=2), resume=True)
    with Results(tmp_path / RESULTS) as results:
        results.tell({"tables": {SKIRMISH: "other"}})
    with pytest.raises(ContentError, match=f"tables.{SKIRMISH}: 'other' has changed since"):
        held(tmp_path, config(agents=bots, games=4), resume=True)
    for bot, message in (
        ("nobody", "policy 'nobody' is not known"),
        ("random,depth=1", "cannot be made with seed and"),
    ):
        with pytest.raises(UnknownPolicy, match=message):
            held(tmp_path / "other", config(agents=["greedy", bot]))


def test_a_game_is_not_counted_twice_and_the_file_is_ours_alone(tmp_path):
    _, rows, _ = held(tmp_path, config(agents=["random", "test_bots:Mute"], games=2))
    with Results(tmp_path / RESULTS) as results:
        with pytest.raises(sqlite3.IntegrityError):
            results.add(rows[0], Outcome(rows[0].key))
        assert len(results.rows()) == 2
        with pytest.raises(ContentError, match="is in use; expected no other program"):
            Results(tmp_path / RESULTS)
    (tmp_path / "text.sqlite").write_text("no database" * 200)
    with pytest.raises(ContentError, match="expected a results file of a tournament"):
        Results(tmp_path / "text.sqlite")
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as other:
        other.execute("CREATE TABLE things (name)")
    with pytest.raises(ContentError, match=r"format: .* cannot be continued"):
        Results(tmp_path / "other.sqlite")


# ---------------------------------------------------------------- what the results say


def test_standings_count_what_was_played(in_this_process):
    _, summary, rows, page = in_this_process
    assert [line.agent for line in summary.standings][2] == "test_bots:Crash"
    assert all(line.games == 4 == line.wins + line.draws + line.losses for line in summary.standings)
    crash = summary.standings[2]
    assert crash.forfeits == crash.losses == 4 and crash.share == 0.0
    assert sum(line.share for line in summary.standings) == pytest.approx(1.5)
    assert len(summary.faults) == 4 and not summary.void
    first = summary.first_turns[0]
    assert (first.name, first.games) == (SKIRMISH, 2)  # forfeits say nothing about it
    assert summary.armies is not None and summary.armies.players == ("Astartes Skirmish", "Tyranids Skirmish")
    assert summary.armies.games.sum() == 2 * 2
    data = json.loads(json.dumps(summary.data()))
    assert data["played"] == 6 and len(data["standings"]) == 3
    for text in ("Who beats whom", "First turn", "Army against army", "raised RuntimeError: no idea", rows[0].replay):
        assert text in page
    assert "http://" not in page and "https://" not in page and "<script src" not in page
    assert csv_of(rows).decode().count("\n") == 7


def row(one: str, other: str, winner: int | None, number: int, how: str = PLAYED, **fields) -> Row:
    values = {
        "key": f"{one}{other}{number}", "round": 0, "battle": "b", "battlefield": "", "army0": "x", "army1": "y",
        "agent0": one, "agent1": other, "pair": number, "seed": number, "draw": None, "how": how, "winner": winner, "vp0": 0, "vp1": 0,
        "rounds": 5, "first_player": 0, "decisions": 1, "at_fault": None, "fault": "", "final": "", "setup": "", "replay": "",
    }  # fmt: skip
    return Row(**{**values, **fields})


def test_games_that_nobody_is_to_blame_for_do_not_count():
    wanted = config(agents=["random", "greedy"])
    rows = [row("random", "greedy", 0, 1), row("greedy", "random", None, 1), row("random", "greedy", None, 2, VOID)]
    summary = summarise(wanted, rows, missing=1)
    assert (summary.games, summary.missing, len(summary.void)) == (2, 1, 1)
    best = summary.standings[0]
    assert (best.agent, best.wins, best.draws, best.losses, best.share) == ("random", 1, 1, 0, 0.75)
    assert summary.first_turns[0].share == 0.75
    assert summary.armies is not None and summary.armies.share[0, 1] == 0.75


def test_without_results_there_is_a_report_too():
    wanted = config()
    summary = summarise(wanted, [], missing=4)
    assert [line.rating for line in summary.standings] == [0.0, 0.0]
    assert "Not finished: 4 games are missing" in html(wanted, summary, [], {}, {})


def test_names_cannot_break_the_report():
    wanted = config(agents=[{"name": "<b>&\"'", "policy": "random"}, "greedy"])
    rows = [row("<b>&\"'", "greedy", 0, 1, fault="<i>", how=FORFEIT, at_fault=1)]
    page = html(wanted, summarise(wanted, rows), rows, {}, {rows[0].key: "</pre><script>"})
    assert "<b>" not in page and "<i>" not in page
    assert page.count("<script>") == 1  # that of the page itself, for light and dark
    assert "&lt;b&gt;&amp;" in page


def test_what_is_not_installed_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NoBackend, match=r"pip install 'wh-env\[ray\]'"):
        backend_of("ray", 1)
    monkeypatch.setattr("wh_env.agents.tournament.run.find_spec", lambda name: None)
    with pytest.raises(ContentError, match=r"format: 'swiss' needs networkx; expected .*'wh-env\[rate\]'"):
        held(tmp_path, config(format="swiss"))


def test_a_swiss_tournament(tmp_path):
    pytest.importorskip("networkx")
    wanted = config(
        agents=[{"name": f"bot {n}", "policy": f"test_bots:Mute,after={n}"} for n in range(5)],
        format="swiss",
        games=2,
    )
    assert wanted.swiss_rounds == 3
    summary, rows, _ = held(tmp_path, wanted)
    assert summary.games == len(rows) == 3 * 2 * 2
    assert Counter(r.round for r in rows) == {0: 4, 1: 4, 2: 4}
    pairs = Counter(frozenset((r.agent0, r.agent1)) for r in rows)
    assert len(pairs) == 6 and set(pairs.values()) == {2}
    assert np.isnan(summary.payoffs.share).sum() > 5  # those who did not meet, and the diagonal
    _, again, _ = held(tmp_path, wanted, resume=True)
    assert again == rows


def test_timings_stand_beside_the_results(tmp_path):
    held(tmp_path, config(agents=["random", "test_bots:Mute"], games=2))
    with Results(tmp_path / RESULTS) as results:
        timings = results.timings()
        assert timings.keys() == results.rows().keys()
    assert all(seconds > max(one, other) >= 0 for seconds, one, other in timings.values())
