"""Environments of PettingZoo, played at random in the same way, for comparison."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator

from .play import asked

PEERS = ("chess_v6", "connect_four_v3")


def peers() -> dict[str, Iterator[int]]:
    """Chess and Connect Four through ``env`` and ``raw_env``, decision by decision.

    Raises:
        ImportError: PettingZoo's classic games cannot be imported; the extra ``bench`` installs what they need.
    """
    games = {}
    for game in PEERS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of how these games are found, which all versions know
            module = importlib.import_module(f"pettingzoo.classic.{game}")
            for maker in ("env", "raw_env"):
                games[f"{game} {maker}"] = asked(getattr(module, maker)())
    return games
