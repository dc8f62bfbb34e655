"""Tabletop battles, by the book, as reinforcement-learning environments."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError
from wh_env.content.rebuild import teach_pickle
from wh_env.core.events import Event
from wh_env.core.reports import BrokenState, Decision, IllegalAction, Result
from wh_env.envs.registry import register

if TYPE_CHECKING:
    from wh_env.envs.aec import env, raw_env
    from wh_env.envs.rewards import Reward
    from wh_env.envs.single import BattleEnv as single_env
    from wh_env.envs.vector import vector_env

__version__ = "0.1.0"

__all__ = [
    "Battle",
    "BrokenState",
    "ContentError",
    "Decision",
    "Event",
    "IllegalAction",
    "Result",
    "Reward",
    "__version__",
    "env",
    "raw_env",
    "single_env",
    "vector_env",
]

# Environments are imported when they are asked for, so that playing battles does not wait for them.
HOMES = {
    "env": "aec:env",
    "raw_env": "aec:raw_env",
    "single_env": "single:BattleEnv",
    "vector_env": "vector:vector_env",
    "Reward": "rewards:Reward",
}

register()
teach_pickle()


def __getattr__(name: str) -> Any:
    if name in HOMES:
        module, _, attribute = HOMES[name].partition(":")
        return getattr(import_module(f"wh_env.envs.{module}"), attribute)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
