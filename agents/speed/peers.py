"""Environments of PettingZoo, played at random in the same way, for comparison."""

from __future__ import annotations

import importlib
import warnings

from .play import Round, aec_round

PEERS = {"chess_v6": 2, "connect_four_v3": 100}  # number of games in a round


def peers() -> dict[str, Round]:
    """Rounds of Chess and Connect Four through ``env`` and ``raw_env``, with the same games in every round.

    Raises:
        ImportError: PettingZoo's classic games cannot be imported; the extra ``bench`` installs what they need.
    """
    games = {}
    for game, count in PEERS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # about importing games in this way
            module = importlib.import_module(f"pettingzoo.classic.{game}")
            for maker in ("env", "raw_env"):
                games[f"{game} {maker}"] = aec_round(getattr(module, maker)(), count)
    return games
