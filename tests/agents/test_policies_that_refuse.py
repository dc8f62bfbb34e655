"""A policy that does not play a battle is refused before the first game, and it is told what it plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_programs import QUICK, call
from wh_env import Battle
from wh_env.agents.policies import UnknownPolicy, check_plays, make, refusal
from wh_env.agents.serving.game import PERSON
from wh_env.agents.serving.game_folder import GameFolder, NewGame
from wh_env.agents.tournament import RESULTS, Results, Tournament, load_config

SKIRMISH, EPIC = "w10/only-war-skirmish", "epic/bridgehead"
BOTS = '''
from wh_env.agents.policies import RandomPolicy

class Tenth(RandomPolicy):
    """Plays one edition."""
    def refuses(self, setup):
        return "" if setup.ruleset.id == "w10" else f"plays w10, not {setup.ruleset.id}"

class Unmade(RandomPolicy):
    def __init__(self, seed=0): raise RuntimeError("no weights here")

class Exits(RandomPolicy):
    def __init__(self, seed=0):
        import os
        os._exit(4)

class Odd(RandomPolicy):
    def refuses(self, setup): raise KeyError("w10")
'''


@pytest.fixture(autouse=True)
def bots(tmp_path_factory, monkeypatch) -> None:
    """A folder on the path with a module of agents."""
    folder = tmp_path_factory.getbasetemp() / "choosy"
    folder.mkdir(exist_ok=True)
    (folder / "choosy_bots.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))


def tournament(folder: Path, agents: list[str], battles: list[str]) -> Tournament:
    config = load_config(None, {"agents": agents, "battles": battles, "games": 2})
    with Results(folder / RESULTS) as results:
        return Tournament(config, folder, results)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("bot", "battles", "told"),
    [
        ("Tenth", [EPIC], f"cannot play {EPIC}: plays w10, not epic"),
        ("Tenth", [SKIRMISH, EPIC], f"cannot play {EPIC}: plays w10, not epic"),
        ("Unmade", [SKIRMISH], f"cannot play {SKIRMISH}: raised RuntimeError: no weights here"),
        ("Exits", [SKIRMISH], f"cannot play {SKIRMISH}: the process ended (exit code 4)"),
        ("Odd", [SKIRMISH], f"cannot play {SKIRMISH}: raised KeyError: 'w10'"),
    ],
)
def test_a_tournament_is_refused_before_its_first_game(tmp_path, bot, battles, told, turned):
    agents = [f"choosy_bots:{bot}", "random"]
    with pytest.raises(UnknownPolicy) as caught:
        tournament(tmp_path, agents[::-1] if turned else agents, battles)
    assert str(caught.value) == f"agent 'choosy_bots:{bot}' {told}"


def test_who_plays_everything_or_says_nothing_is_let_in(tmp_path):
    assert tournament(tmp_path, ["choosy_bots:Tenth", "greedy"], [SKIRMISH]).progress.total == 2
    assert tournament(tmp_path / "other", ["random", "greedy"], [SKIRMISH, EPIC]).progress.total == 4


@pytest.mark.parametrize("agents", [("learned,checkpoint=w10", "random"), ("random", "learned,checkpoint=w10")])
def test_programs_that_a_trained_network_cannot_play_end_with_an_error(tmp_path, agents):
    """Not with forfeits and exit code 0; nothing is played."""
    pytest.importorskip("torch", reason="torch (extra train) is not installed")
    jit = {key: value for key, value in QUICK.items() if key != "NUMBA_DISABLE_JIT"}
    wish = ["--agents", *agents, "--battles", EPIC, "--games", "2", "--out", tmp_path, "--quiet"]
    done = call("tournament.py", *wish, env=jit)
    assert done.returncode == 2 and "plays w10, not epic" in done.stderr and not done.stdout
    assert not (tmp_path / "results.json").exists()
    pair = [word for agent in agents for word in ("--agents", agent)]
    done = call("play.py", *pair, "--battle", EPIC, "--quiet", env=jit)
    assert done.returncode == 2 and "plays w10, not epic" in done.stderr and not done.stdout


@pytest.mark.parametrize("agents", [("choosy_bots:Tenth", PERSON), (PERSON, "choosy_bots:Tenth")])
def test_no_game_is_begun_that_a_policy_cannot_play(tmp_path, agents):
    game_folder = GameFolder(tmp_path)
    with pytest.raises(UnknownPolicy, match="plays w10, not epic"):
        game_folder.begin(NewGame(EPIC, agents))
    assert not list(tmp_path.glob("*.replay"))
    assert game_folder.begin(NewGame(SKIRMISH, agents))[1].agents == agents
    with pytest.raises(UnknownPolicy, match="cannot be made: RuntimeError: no weights here"):
        game_folder.begin(NewGame(SKIRMISH, ("choosy_bots:Unmade", PERSON)))


def test_a_training_run_does_not_begin_with_opponents_that_cannot_play(tmp_path):
    pytest.importorskip("torch", reason="torch (extra train) is not installed")
    from wh_env.agents.training.config import load_config as training
    from wh_env.agents.training.run import Run

    fields = {"ruleset": "epic", "curriculum": [{"battles": [EPIC]}], "envs": 2}
    for where in (
        {"opponents": {"anchors": {"choosy_bots:Tenth": 1.0}}},
        {"evaluation": {"opponents": ["choosy_bots:Tenth"]}},
        {"clone": [{"teacher": "choosy_bots:Tenth"}]},
    ):
        with pytest.raises(UnknownPolicy, match="plays w10, not epic"):
            Run(training("demo", {**fields, **where}), tmp_path)


def test_what_a_policy_says_of_a_battle():
    tenth, epic = Battle.load(SKIRMISH, 0).setup, Battle.load(EPIC, 0).setup
    policy = make("choosy_bots:Tenth")
    assert (refusal(policy, tenth), refusal(policy, epic)) == ("", "plays w10, not epic")
    assert refusal(make("greedy"), epic) == ""
    assert refusal(make("search,rollout=choosy_bots:Tenth,simulations=1"), epic) == "plays w10, not epic"
    check_plays("choosy_bots:Tenth", policy, tenth)
    with pytest.raises(UnknownPolicy, match=r"policy 'choosy_bots:Tenth' cannot play epic here: plays w10, not epic"):
        check_plays("choosy_bots:Tenth", policy, epic)
