"""Battles of the 8th edition with flyers of two Moves, transports that fly and drive, and psykers, played at random with all checks.

``python tests/test_soak_w8_wings.py 300`` plays so many at each detail.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest
from classic import raw_sheet
from eighth_files import duel

from wh_env import Battle
from wh_env.agents.invariants import soak
from wh_env.content import w8
from wh_env.core.setup import Setup

GUN = {"gun": {"range": 24, "type": "Heavy 3", "S": 7, "AP": -2, "D": "D3"}}
BOLT = {"gun": {"range": 24, "type": "Rapid Fire 1", "S": 4, "AP": 0, "D": 1}}
HOLD = {"capacity": 10, "allowed": ["INFANTRY"]}


def flyer(name: str, move: str, **abilities: Any) -> dict[str, Any]:
    """A flyer with two Move values, which on a small table can seldom go on."""
    model = {"name": name, "max": 1, "M": move, "W": 8, "T": 6, "base": {"circle_mm": 60}, "weapons": ["gun"]}
    keywords = ["VEHICLE", "FLY", "AIRCRAFT", *(["TRANSPORT"] if abilities else [])]
    return raw_sheet(name, keywords=keywords, role="Flyers", model=model, weapons=GUN, abilities=abilities)


def host() -> list[dict[str, Any]]:
    """An army of flyers, transports, those who ride in them, and psykers."""
    driver = {"name": "Carrier", "max": 1, "M": 12, "W": 6, "T": 6, "base": {"hull_in": [4, 3]}, "weapons": ["gun"]}
    mage = {"name": "Mage", "max": 1, "W": 4, "weapons": ["gun"]}
    explodes = {"needed": 4, "range": 6, "damage": "D3"}
    return [
        raw_sheet("Mage", keywords=["INFANTRY", "CHARACTER", "PSYKER"], role="HQ", model=mage, weapons=BOLT,
                  abilities={"psyker": {"manifest": 2, "deny": 1}}),
        flyer("Jet", "12-40"),
        flyer("Ferry", "10-36", transport=HOLD, explodes=explodes),
        raw_sheet("Carrier", keywords=["VEHICLE", "TRANSPORT"], role="Dedicated Transport", model=driver, weapons=GUN,
                  abilities={"transport": HOLD, "explodes": explodes}),
        raw_sheet("Riders", model={"name": "Rider", "min": 5, "max": 5, "weapons": ["gun"]}, weapons=BOLT),
        raw_sheet("Walkers", model={"name": "Walker", "min": 5, "max": 5, "weapons": ["gun"]}, weapons=BOLT),
    ]  # fmt: skip


def setup_of(detail: str) -> Setup:
    """The Setup of a battle between two such armies."""
    return w8.GAME.compile(duel(host(), host(), detail=detail), {"formations": "choose"}, None)


def faults(detail: str, seeds: range) -> list[str]:
    """What is wrong in battles of these seeds."""
    setup = setup_of(detail)
    return [f"{detail}, seed {seed}: {fault}" for seed in seeds for fault in soak(Battle(setup, seed), seed, 20, 8)[1]]


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_nothing_is_violated(detail: str) -> None:
    assert faults(detail, range(4)) == []


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    found = [fault for detail in ("squad", "full") for fault in faults(detail, range(count))]
    print("\n".join([*found, f"{count} battles at each detail, {len(found)} violations"]))
    sys.exit(bool(found))
