"""Armies that players bring to a server. Its memory keeps each under a secret id, which only the player who brought it
and those who are given its address know.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from dataclasses import dataclass
from typing import Any

from wh_env.content.games import GAMES
from wh_env.content.rosters import Imported, imported_from

from .messages import Refused

MOST_UPLOAD = 1 << 23  # bytes of a roster
MOST_ARMIES = 32  # that are kept; the oldest makes room
MOST_ARMY = 1 << 20  # characters of an army as JSON
MOST_LINES = 1000  # of each part of a report
FILE = re.compile(r"[^\w .()+-]+")  # what is not shown of the name of a file


@dataclass(frozen=True)
class OwnArmy:
    """An army that a player brought.

    Attributes:
        ruleset: the game that it is of.
        army: a mapping of the game's schema ``Army``.
        report: for the page: ``name``, ``faction``, ``points``, ``form`` of the file, ``ruleset``, and the lines of
            the import (``taken``, ``guessed``, ``not_played``).
    """

    ruleset: str
    army: dict[str, Any]
    report: dict[str, Any]


class OwnArmies:
    """The armies that were brought, at most ``MOST_ARMIES``."""

    def __init__(self) -> None:
        self._armies: dict[str, OwnArmy] = {}
        self._lock = threading.Lock()

    def add(self, data: bytes, file: str) -> tuple[str, OwnArmy]:
        """Import a roster or a list, and keep its army.

        Args:
            data: content of the file.
            file: its name, for messages.

        Returns:
            The secret id of the army, and the army.

        Raises:
            Refused: the file is empty or its army is too large.
            ContentError: it is no roster, of another game, or its army cannot be played.
        """
        shown = FILE.sub("", file)[:80].strip() or "list"
        if not data.strip():
            raise Refused(f"{shown} is empty; expected a roster or a list as text")
        editions = [game.rosters for game in GAMES.values() if game.rosters is not None]
        found = imported_from(editions, data, shown)
        letters = len(json.dumps(found.army))
        if letters > MOST_ARMY:
            raise Refused(f"{shown}: its army has {letters} characters as JSON; expected at most {MOST_ARMY}")
        key, army = secrets.token_urlsafe(16), OwnArmy(found.ruleset, found.army, report_of(found))
        with self._lock:
            self._armies[key] = army
            while len(self._armies) > MOST_ARMIES:
                self._armies.pop(next(iter(self._armies)))
        return key, army

    def get(self, key: str) -> OwnArmy:
        """The army with this id.

        Raises:
            Refused: the server has none.
        """
        army = self._armies.get(key)
        if army is None:
            raise Refused(
                "the server no longer has that army; expected one that was brought since it began: bring it again"
            )
        return army


def report_of(found: Imported) -> dict[str, Any]:
    """The report of an import for the page; see ``OwnArmy``."""
    report = found.report
    parts = {"taken": report.taken, "guessed": report.guessed, "not_played": report.unplayed}
    return {
        "name": found.army["name"],
        "faction": found.army["faction"],
        "points": found.muster.points,
        "form": found.form,
        "ruleset": found.ruleset,
        **{name: cut(lines) for name, lines in parts.items()},
    }


def cut(lines: list[str]) -> list[str]:
    """The first ``MOST_LINES`` lines, and one that counts the others."""
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], f"and {more} more lines, which wh-env import prints"]
