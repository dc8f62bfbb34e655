"""Tabletop battles, by the book, as reinforcement-learning environments."""

from __future__ import annotations

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError
from wh_env.core.battle import Decision, IllegalAction, Result
from wh_env.core.events import Event

__version__ = "0.1.0"

__all__ = ["Battle", "ContentError", "Decision", "Event", "IllegalAction", "Result", "__version__"]
