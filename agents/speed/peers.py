"""Environments of PettingZoo, played at random in the same way, for comparison."""

from __future__ import annotations

import importlib
import warnings

from agents.policies import RandomPolicy
from agents.speed.play import agents_rate

PEERS = ("chess_v6", "connect_four_v3")


def peer_rates(seconds: float) -> dict[str, float]:
    """Decisions a second of chess and Connect Four through ``env`` and ``raw_env``.

    Raises:
        ImportError: PettingZoo's classic games cannot be imported; the extra ``bench`` installs what they need.
    """
    rates = {}
    for game in PEERS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of how these games are found, which all versions know
            module = importlib.import_module(f"pettingzoo.classic.{game}")
            for maker in ("env", "raw_env"):
                rates[f"{game} {maker}"] = agents_rate(getattr(module, maker)(), seconds, RandomPolicy(1), 1)
    return rates
