"""Names under which environments are found: registries, versioned modules, the package."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import pettingzoo  # type: ignore[import-untyped]
import pytest

import wh_env
from wh_env import ContentError, w10_v0
from wh_env.envs import registry
from wh_env.envs.aec import RawEnv
from wh_env.envs.single import BattleEnv
from wh_env.envs.vector import BattleVectorEnv

SKIRMISH = "w10/only-war-skirmish"


@pytest.mark.parametrize("ruleset", registry.rulesets())
def test_every_ruleset_with_an_environment_is_found_everywhere(ruleset):
    known = registry.environment(ruleset)
    name = registry.environment_id(ruleset)
    assert name == f"wh_env/{ruleset}-v{known.version}"
    assert pettingzoo.spec("aec", name).kwargs == {"ruleset": ruleset}
    environment = wh_env.env(ruleset, battle=known.skirmish)
    assert str(environment.unwrapped) == f"{ruleset}_v{known.version}"
    module = __import__(f"wh_env.{ruleset}_v{known.version}", fromlist=["env"])
    assert module.raw_env(battle=known.skirmish).observation_space("player_0") == environment.observation_space(
        "player_0"
    )


def test_gymnasium_makes_the_single_agent_view():
    environment = gymnasium.make("wh_env/w10-v0", battle=SKIRMISH, opponent="greedy", seat=1)
    assert isinstance(environment.unwrapped, BattleEnv)
    _, info = environment.reset(seed=1)
    assert info["seat"] == 1
    environment.close()


def test_gymnasium_makes_the_batch():
    batch = gymnasium.make_vec("wh_env/w10-v0", num_envs=3, battle=SKIRMISH)
    assert isinstance(batch.unwrapped, BattleVectorEnv)
    assert batch.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    assert batch.spec.id == "wh_env/w10-v0"
    assert batch.reset(seed=1)[0].shape[0] == 3
    batch.close()


def test_pettingzoo_makes_the_aec_environment():
    environment = pettingzoo.make("aec", "wh_env/w10_v0", battle=SKIRMISH, max_decisions=4)
    assert isinstance(environment.unwrapped, RawEnv)
    assert environment.unwrapped.max_decisions == 4


def test_the_versioned_module():
    assert isinstance(w10_v0.raw_env(battle=SKIRMISH), RawEnv)
    assert isinstance(w10_v0.env(battle=SKIRMISH).unwrapped, RawEnv)
    assert isinstance(w10_v0.single_env(battle=SKIRMISH), BattleEnv)
    assert w10_v0.vector_env(2, battle=SKIRMISH).num_envs == 2
    with pytest.raises(ContentError, match=r"version: 'w10_v7' is not known; expected one of w10_v0"):
        registry.versioned("w10", 7)


def test_playing_battles_imports_no_environment():
    code = "import sys, wh_env; sys.exit(any(name in sys.modules for name in ('wh_env.envs.aec', 'torch', 'pygame')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_registering_twice_changes_nothing(recwarn):
    before = dict(gymnasium.registry), dict(pettingzoo.aec_registry)
    registry.register()
    assert (dict(gymnasium.registry), dict(pettingzoo.aec_registry)) == before
    assert not list(recwarn)
