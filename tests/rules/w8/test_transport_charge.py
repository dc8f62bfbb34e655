"""Passengers that have to get out in the Charge phase of their own turn (w8.transport.disembark.act, w8.charge.ineligible.*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.testing import choose, kind, pick, ranged, sheet, slots, told, words

CANNON = {"cannon": ranged(60, BS=2, S=18, AP=-3, D=6)}
HOLD = {"transport": {"capacity": 10, "allowed": ["INFANTRY"]}}
BUS = sheet(
    "Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=HOLD, M=12, W=6, T=9, Sv=6, hull_in=(5, 3), height=2.5, models=(1, 1)
)  # fmt: skip
KILL = [6, 6, 1]
SETTING_UP = ("disembark-at", "place-model", "place-exactly", "place-facing", "place-level", "place-together")


def wrecked(player: int, detail: str, away: float) -> Battle:
    """A TRANSPORT charges, and Overwatch destroys it: its passengers are out, with an enemy so far from where the TRANSPORT was."""
    scene = EighthScene()
    carrier = scene.unit(player, BUS, at=(20, 20), facing=0.0)
    scene.unit(player, sheet("Crew"), models=2, embarked_in=carrier)
    scene.unit(player, sheet("Friend"), at=(50, 8), models=1)
    scene.unit(1 - player, sheet("Gun", weapons=CANNON), at=(22.5 + away + 0.5, 20), models=1)
    scene.unit(1 - player, sheet("Far"), at=(50, 18), models=1)
    battle = scene.battle("charge", active=player, detail=detail, dice=[*KILL, 5, 5, 6, 5])
    pick(battle, "Bus", kind="select-to-charge")
    while kind(battle) == "charge-target":
        pick(battle, "charge Gun") if "charge Gun" in words(battle).values() else pick(battle, "no more targets")
    pick(battle, "Overwatch: Gun", kind="overwatch")
    while kind(battle) == "weapon-target":
        choose(battle, "enemy", slots(battle, "enemy")[0])
    while kind(battle) in (*SETTING_UP, "wreck-order"):
        assert battle.decision is not None
        battle.apply(battle.decision.options[-1] if kind(battle) == "disembark-at" else battle.first_legal())
    return battle


@pytest.mark.rule("w8.transport.disembark.act", "w8.charge.ineligible.engaged", "w8.charge.select")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_they_may_charge(detail: str, player: int) -> None:
    """When the phase began they were not within 1" of an enemy, and now one is within 12"."""
    battle = wrecked(player, detail, 3.0)
    assert kind(battle) == "select-to-charge"
    assert "Crew" in words(battle).values()
    pick(battle, "Crew")
    while kind(battle) == "charge-target":
        pick(battle, "charge Gun") if "charge Gun" in words(battle).values() else pick(battle, "no more targets")
    if kind(battle) == "overwatch":
        choose(battle, "done")
    assert [e["roll"] for e in told(battle, "w8.charge.roll")] == [11]
