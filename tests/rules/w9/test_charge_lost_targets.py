"""Targets of a charge that are destroyed before the Charge move, by their own weapons in Overwatch (w9.charge.success)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.testing import UnitHandle, dice_left, kind, pick, place, ranged, sheet, told

OVERHEATS = ranged(24, A=1, BS=3, S=4, abilities=["Assault", "Overheats"])
ONE_DIES = [1]  # the hit roll that slays the bearer


def charged(player: int, detail: str, targets: tuple[str, ...], dice: list[int]) -> tuple[Battle, UnitHandle]:
    """A unit charges Hot, whose weapon destroys it in Overwatch, and perhaps Cold, 5" away."""
    scene = NinthScene()
    charger = scene.unit(player, sheet("Charger"), at=[(10, 10), (11.5, 10)], models=2)
    scene.unit(1 - player, sheet("Hot", weapons={"gun": OVERHEATS}), at=(4, 12), models=1)
    scene.unit(1 - player, sheet("Cold"), at=(10, 16), models=1)
    points = (0, 1) if player == 0 else (1, 0)
    battle = scene.battle("charge", active=player, detail=detail, cp=points, dice=[*ONE_DIES, *dice])
    pick(battle, "Charger", kind="select-to-charge")
    for name in targets:
        pick(battle, f"charge {name}")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    pick(battle, "Fire Overwatch: Hot")
    while kind(battle) in ("weapon-target", "close-order"):
        pick(battle, "at Charger" if kind(battle) == "weapon-target" else "leave the move to the engine")
    assert dice_left(battle) == 0
    return battle, charger


@pytest.mark.rule("w9.charge.success", "w9.charge.overwatch")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("dice", "made"), [([2, 2], True), ([1, 2], False)])
def test_the_targets_that_are_left_have_to_be_reached(dice: list[int], made: bool, detail: str, player: int) -> None:
    """Cold is 5" away: 4" bring a model within 1" of it, 3" do not."""
    battle, charger = charged(player, detail, ("Hot", "Cold"), dice)
    assert bool(battle.units.charged[charger]) is made
    assert bool(told(battle, "w9.charge.fail")) is not made
    assert (place(battle, charger.first)[1] > 13.9) is made


@pytest.mark.rule("w9.charge.success", "w9.charge.fail")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_charge_at_nobody_fails(detail: str, player: int) -> None:
    """The only target is gone: whatever is rolled, the unit stays and has not charged."""
    battle, charger = charged(player, detail, ("Hot",), [6, 6])
    assert not battle.units.charged[charger]
    assert len(told(battle, "w9.charge.fail")) == 1
    assert place(battle, charger.first) == (10, 10)
