"""Pairs of regiments in contact, and what they strike each other with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wh_env.content.battle import Battle
from wh_env.rulesets.wap.basics.needed import to_hit
from wh_env.rulesets.wap.codes import FRONT, LEADERS, MOUNTS, TROOPERS
from wh_env.rulesets.wap.weapons.blows import Blow, blow_of
from wh_env.testing.wap import RegimentScene, UnitHandle, square

HORSE = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}
LINES = {"troopers": TROOPERS, "champion": LEADERS, "mount": MOUNTS}


def man(*equipment: str, **values: Any) -> dict[str, Any]:
    """A card of infantry on bases of one inch with this equipment."""
    return square(equipment=list(equipment), **values)


def rider(*equipment: str, mount: Mapping[str, Any] | None = HORSE, **values: Any) -> dict[str, Any]:
    """A card of cavalry on bases of one inch by two."""
    fields: dict[str, Any] = {"type": "cavalry", "base_mm": [25.4, 50.8], **values}
    if mount is not None:
        fields["mount"] = dict(mount)
    return square(equipment=list(equipment), **fields)


def beast(kind: str, **values: Any) -> dict[str, Any]:
    """A card of a troop type on bases that are large enough for all."""
    return square(type=kind, base_mm=[60, 100], **values)


def pair(
    mine: str | Mapping[str, Any],
    theirs: str | Mapping[str, Any],
    *,
    side: int = FRONT,
    dice: Sequence[int] = (),
    detail: str = "squad",
    models: tuple[int, int] = (20, 20),
    columns: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {}),
    command: Sequence[str] = (),
    others: str | Mapping[str, Any] | None = None,
    run: bool = False,
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A battle with a unit of player 0 and an enemy before ``side`` of it; neither has fought yet. Not run on, unless ``run``;
    ``others``: a card of two that fight elsewhere."""
    scene = RegimentScene()
    a = scene.unit(0, mine, (24, 24), models=models[0], files=min(5, models[0]), command=command, **columns[0])
    files = min(5, models[1])
    b = scene.beside(a, 1, theirs, side=side, models=models[1], files=files, **columns[1])
    if others is not None:
        elsewhere = scene.unit(0, others, (6, 40), models=5)
        scene.beside(elsewhere, 1, others, models=5)
    return scene.battle("combat", dice=dice, detail=detail, run=run), a, b


def line_of(battle: Battle, unit: UnitHandle, which: str = "troopers") -> int:
    """The row of a fighting profile of a unit."""
    first = battle.units.first_line[unit]
    rows = range(first, first + battle.units.lines[unit])
    return next(row for row in rows if battle.lines.kind[row] == LINES[which])


def blow(battle: Battle, unit: UnitHandle, foe: UnitHandle, which: str = "troopers") -> Blow:
    """What a profile of a unit strikes an enemy with now."""
    return blow_of(battle, unit.row, line_of(battle, unit, which), foe.row)


def needed(battle: Battle, unit: UnitHandle, foe: UnitHandle) -> int:
    """What its dice to hit need against the enemy's rank and file."""
    return to_hit(blow(battle, unit, foe).weapon_skill, battle.lines.ws[line_of(battle, foe)])
