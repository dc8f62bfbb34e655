"""Targets at full detail and in Overwatch, whichever row of the enemy army they stand in (w10.shoot.*)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, kind, pick, ranged, sheet, slots, words

NO_CP = {"cp_each_command_phase": 0}


@pytest.mark.rule("w10.shoot.targets.range-and-visible", "w10.shoot.targets.declare")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("away", [0, 1, 2])
def test_units_off_the_table_are_no_targets_and_hide_none(player: int, away: int) -> None:
    """Of three enemy units one waits in Reserves, the first, second or third of the list: a weapon may target the two others."""
    scene = Scene()
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(36)}), at=(10, 10), models=1)
    scene.unit(player, sheet("Idle"), at=(50, 22), models=1)
    enemies = [
        scene.unit(1 - player, sheet(f"Foes {n}"), models=1, reserves="strategic")
        if n == away
        else scene.unit(1 - player, sheet(f"Foes {n}"), at=(10 + 5 * n, 22), models=1)
        for n in range(3)
    ]
    battle = scene.battle("shooting", active=player, round=2, detail="full", rules=NO_CP)
    pick(battle, "Guns", kind="select-to-shoot")
    assert kind(battle) == "weapon-target"
    assert slots(battle, "enemy") == [unit.number for unit in enemies if unit.number != away]


@pytest.mark.rule("w10.stratagem.fire-overwatch", "w10.shoot.lone-operative")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "offered"), [(11.9, True), (12.1, False)])
@pytest.mark.parametrize("lob", [False, True])
def test_overwatch_at_a_lone_operative_within_12_inches_only(player: int, gap: float, offered: bool, lob: bool) -> None:
    """It starts its move so far from a gun with a range of 36", direct or indirect."""
    scene = Scene()
    lone = sheet("Lone", abilities={"lone_operative": True})
    near = 10 if player == 0 else 34
    far = near + (1 + gap) * (1 if player == 0 else -1)
    scene.unit(player, lone, at=(30, near), models=1)
    scene.unit(player, sheet("Idle"), at=(55, near), models=1)
    gun = {"gun": ranged(36, abilities=["Indirect Fire"] if lob else [])}
    scene.unit(1 - player, sheet("Guns", weapons=gun), at=(30, far), models=1)
    battle = scene.battle("movement", active=player, cp=(1 - (player == 0), 1 - (player == 1)), rules=NO_CP)
    pick(battle, "Lone", kind="select-to-move")
    pick(battle, "Normal move", kind="move-kind")
    assert (kind(battle) == "fire-overwatch") == offered
    if offered:
        assert "Fire Overwatch: Guns" in words(battle).values()
