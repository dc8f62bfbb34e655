"""The policy `learned`, shipped and from files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from gymnasium import spaces

from wh_env import Battle
from wh_env.agents.learning.lookahead import Lookahead
from wh_env.agents.learning.player import Player
from wh_env.agents.learning.policies import make_policy
from wh_env.agents.match import play_battle
from wh_env.agents.policies import act_all, learned, make, refusal
from wh_env.agents.policies.base import BatchedPolicy
from wh_env.agents.policies.learned import SHIPPED, SUFFIX, LearnedPolicy, shipped
from wh_env.core.actions import ActionSpace
from wh_env.envs.observation import box_space
from wh_env.envs.registry import rulesets
from wh_env.envs.single import BattleEnv

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = "w10/only-war-skirmish"
MEGABYTE = 1_000_000


def test_what_is_shipped_is_small_and_says_where_it_comes_from():
    assert shipped() == sorted(rulesets())
    for name in shipped():
        assert (SHIPPED / f"{name}{SUFFIX}").stat().st_size < 2 * MEGABYTE
        weights = LearnedPolicy(checkpoint=name).network(name).weights
        assert weights.ruleset == name
        assert weights.about["decisions"] > 0 and '"seed"' in weights.about["config"]


def test_it_is_stronger_than_chance():
    """By far: it wins 95 of 100 games."""
    won = 0
    for number in range(4):
        battle = Battle.load(SKIRMISH, number)
        seat = number % 2
        policies = [make("learned", number), make("random", number)]
        result = play_battle(battle, policies if seat == 0 else policies[::-1]).result
        assert result is not None
        won += result.winner == seat
    assert won >= 3


@pytest.mark.parametrize(("lookahead", "temperature"), [(0, 0.0), (0, 1.0), (2, 0.0)])
def test_alone_and_together_it_answers_the_same(lookahead, temperature):
    policy = LearnedPolicy(5, lookahead=lookahead, temperature=temperature)
    assert isinstance(policy, BatchedPolicy)
    battles, random = [], np.random.default_rng(0)
    for seed in range(6):
        battle = Battle.load(SKIRMISH, seed)
        for _ in range(15 * seed):
            battle.apply(int(random.choice(np.flatnonzero(battle.legal()))))
        battles.append(battle)
    masks = np.stack([battle.legal() for battle in battles])
    states = [battle.state_bytes() for battle in battles]
    together = act_all(policy, battles, masks)
    alone = [policy.act(battle, mask) for battle, mask in zip(battles, masks, strict=True)]
    assert together == alone
    assert masks[np.arange(6), together].all()
    assert [battle.state_bytes() for battle in battles] == states
    assert {battle.clock.player[0] for battle in battles} == {0, 1}


def test_its_play_follows_from_the_seed():
    played = []
    for seed in (1, 1, 2):
        policy = LearnedPolicy(0, lookahead=0, temperature=1.0)
        policy.reset(seed)
        battle = Battle.load(SKIRMISH, 4)
        played.append(play_battle(battle, [policy, policy], max_decisions=40).actions)
    assert played[0] == played[1] != played[2]


def test_it_plays_inside_environments():
    env = BattleEnv("w10", battle=SKIRMISH, opponent="learned")
    _, info = env.reset(seed=1)
    for _ in range(10):
        _, _, ended, _, info = env.step(int(info["action_mask"].argmax()))
        assert not ended


def player() -> Player:
    torch.manual_seed(0)
    size = {"width": 8, "heads": 1, "blocks": 1, "planes": 2, "cell": 4}
    actions = spaces.Discrete(ActionSpace().size)
    return Player(make_policy("entity", box_space("vector"), actions, {"size": size}), "vector")


def test_looking_ahead_takes_what_leads_to_the_best():
    """Of places to move to: the one farthest along the table, where nothing else counts."""

    def along(battle: Battle, _seat: int) -> float:
        return 100.0 * float(battle.models.rows["x"].sum())

    ahead = Lookahead(player(), along, samples=1, candidates=400, prior=0.0, least=0.0)
    seed, chance = 3, np.random.default_rng(3)
    battle = Battle.load(SKIRMISH, seed)
    tried = 0
    while tried < 3:
        if battle.over:
            seed += 1
            battle = Battle.load(SKIRMISH, seed)
        action = ahead.act([battle], [1])[0]
        decision = battle.decision
        assert decision is not None and action in decision.options
        if decision.kind == "move-to":
            found = {}
            for option in decision.options:
                copy = battle.clone()
                copy.apply(option)
                found[option] = along(copy, 0)
            assert found[action] == pytest.approx(max(found.values())) and len(set(found.values())) > 2
            tried += 1
        battle.apply(int(chance.choice(decision.options)))  # by chance units move sooner than by what looks farthest


def test_nothing_is_tried_while_the_other_seat_keeps_a_secret(monkeypatch):
    plain = player()
    ahead = Lookahead(plain, None, samples=1)
    battle = Battle.load("epic/bridgehead", 2)
    asked = []
    monkeypatch.setattr(
        Lookahead, "_try", lambda self, battle, actions, seed: asked.append(battle) or np.zeros(len(actions))
    )
    secrets = 0
    for _ in range(150):
        if battle.setup.ruleset.hidden(battle, battle.clock.player[0]):
            secrets += 1
            assert ahead.act([battle], [0]) == plain.act([battle], [0])
            assert not asked
        battle.apply(int(np.flatnonzero(battle.legal())[-1]))
        if battle.over:
            break
    assert secrets > 5


def test_what_cannot_be_used_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"learned: checkpoint='nothing' is not there; expected one of .*w10"):
        make("learned,checkpoint=nothing")
    (tmp_path / "bad.pt").write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"bad.pt: holds no weights"):
        make("learned", 0, {"checkpoint": str(tmp_path / "bad.pt")})
    with pytest.raises(ValueError, match="temperature=-1; expected 0 or more"):
        make("learned,temperature=-1")
    battle = Battle.load("epic/bridgehead", 1)
    with pytest.raises(ValueError, match="plays w10, not epic"):
        make("learned,checkpoint=w10").act(battle, battle.legal())
    policy = make("learned")
    with pytest.raises(ValueError, match="battles of epic, w10 in one batch"):
        act_all(policy, [battle, Battle.load(SKIRMISH, 1)], np.stack([battle.legal(), battle.legal()]))


def test_a_ruleset_without_a_network_is_refused(monkeypatch):
    monkeypatch.setattr(learned, "shipped", lambda: ["w10"])
    setup = Battle.load("epic/bridgehead", 1).setup
    told = refusal(make("learned"), setup)
    assert told == "learned: no network is included for epic; expected one of w10, or checkpoint=FILE"
    assert refusal(make("learned"), Battle.load(SKIRMISH, 1).setup) == ""


@pytest.mark.parametrize(
    "battle", ["epic/bridgehead", "w10/only-war-incursion", "w8/only-war", "w9/random-patrol", "wap/open-magic"]
)
def test_one_policy_plays_every_ruleset(battle):
    """Also battles that its network was not trained on."""
    policy = make("learned", 3)
    played = play_battle(Battle.load(battle, 2), [policy, make("random", 1)], max_decisions=150)
    assert len(played.actions) == 150


def test_torch_is_imported_only_when_a_learned_policy_is_made():
    code = (
        "import sys; from wh_env.agents.policies import make, resolve; import wh_env.agents.policies.learned; resolve('learned'); "
        "assert 'torch' not in sys.modules; make('greedy'); assert 'torch' not in sys.modules; "
        "sys.modules['sb3_contrib'] = None\n"
        "try: make('learned')\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    assert "the policy 'learned' needs sb3_contrib" in done.stdout and "pip install 'wh-env[train]'" in done.stdout
