"""Environments of PettingZoo, played at random in the same way, for comparison."""

from __future__ import annotations

import importlib
import warnings

from .play import Round, asked

PEERS = {"chess_v6": 2, "connect_four_v3": 100}  # with how many games of each a round has


def peers() -> dict[str, Round]:
    """Chess and Connect Four through ``env`` and ``raw_env``, decision by decision, the same games in every round.

    Raises:
        ImportError: PettingZoo's classic games cannot be imported; the extra ``bench`` installs what they need.
    """
    games = {}
    for game, count in PEERS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of how these games are found, which all versions know
            module = importlib.import_module(f"pettingzoo.classic.{game}")
            for maker in ("env", "raw_env"):
                games[f"{game} {maker}"] = asked(getattr(module, maker)(), count)
    return games
