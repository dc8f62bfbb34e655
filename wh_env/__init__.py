"""Tabletop battles, by the book, as reinforcement-learning environments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError
from wh_env.core.battle import Decision, IllegalAction, Result
from wh_env.core.events import Event

if TYPE_CHECKING:
    from wh_env.envs.aec import env, raw_env

__version__ = "0.1.0"

__all__ = ["Battle", "ContentError", "Decision", "Event", "IllegalAction", "Result", "__version__", "env", "raw_env"]


def __getattr__(name: str) -> Any:
    # Environments are imported when they are asked for, so that playing battles needs no PettingZoo.
    if name in ("env", "raw_env"):
        from wh_env.envs import aec

        return getattr(aec, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
