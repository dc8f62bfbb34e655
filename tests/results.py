"""Rounds of close combat as they stand after the last blow, and the steps that follow one by one: what tests of results and break tests share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wh_env import Battle
from wh_env.core.procedures import Procedure
from wh_env.rulesets.wap.basics.contacts import tally
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.combat.close_combat import begin_combat
from wh_env.rulesets.wap.result.scoring import score_combat
from wh_env.testing import told
from wh_env.testing.play import script
from wh_env.testing.wap import RegimentScene, UnitHandle

Wounds = Mapping[tuple[UnitHandle, UnitHandle], int]


def scored(
    scene: RegimentScene,
    unit: UnitHandle,
    wounds: Wounds | None = None,
    charging: Sequence[UnitHandle] = (),
    **options: Any,
) -> Battle:
    """The battle after the combat of a unit was scored: ``wounds`` by who struck and who was struck, which are suffered too; the game ends there."""
    battle = scene.battle("combat", run=False, **options)
    while battle.clock.depth[0]:
        battle.pop()
    begin_combat(battle, unit.row)
    for charger in charging:
        battle.units.charging[charger] = 1
    for (by, on), lost in (wounds or {}).items():
        tally(battle, by.row, on.row, lost)
        suffer(battle, on.row, lost)
    score_combat(battle)
    return battle


def rescored(battle: Battle, wounds: Wounds) -> Battle:
    """The same with further wounds on the tally that nobody has suffered; only the last score is told."""
    assert battle.recorder is not None
    battle.recorder.clear()
    for (by, on), lost in wounds.items():
        tally(battle, by.row, on.row, lost)
    score_combat(battle)
    return battle


def play(battle: Battle, procedure: type[Procedure], *values: int, dice: Sequence[int] = ()) -> Battle:
    """Let one step of the combat run, to its first decision or to its end."""
    script(battle, dice)
    battle.push(procedure, *values)
    battle.run()
    return battle


def side(battle: Battle, player: int) -> dict[str, Any]:
    """The score of a player's side, part by part."""
    return next(data for data in told(battle, "wap.result.sum") if data["player"] == player)


def state(battle: Battle, unit: UnitHandle) -> dict[str, Any]:
    """What the scorer was told of a unit, and what it made of it."""
    return next(data for data in told(battle, "wap.result.state") if data["unit"] == unit.row)
