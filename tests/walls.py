"""Scenes with an obstacle between two units that face each other: what several test modules share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.charging import HOLD, charge, over, react
from wh_env import Battle
from wh_env.rulesets.wap.basics.contacts import row_between
from wh_env.testing import choose, kind
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, other_combats, square

NEAR, FAR = 21.0, 22.0  # the edges of the obstacle, inches up the table


def across(
    example: str | None = "wall",
    mine: Mapping[str, Any] | None = None,
    theirs: Mapping[str, Any] | None = None,
    *,
    player: int = 0,
    gap: float = 8.0,
    behind: float = 0.0,
    models: tuple[int, int] = (10, 10),
    files: tuple[int, int] = (5, 5),
    wide: tuple[float, float] = (14.0, 34.0),
    columns: Mapping[str, Any] | None = None,
    **fields: Any,
) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A unit of ``player`` that looks north at an obstacle (None: there is none) ``gap`` inches ahead, and an enemy that
    stands ``behind`` inches behind it.

    Player 1 has the first row of his own side only; rows follow from the scene.
    """
    scene = RegimentScene()
    if example is not None:
        scene.area("obstacle", wide[0], NEAR, wide[1], FAR, example=example)
    units: list[UnitHandle] = []
    for side in (player, 1 - player):
        here = side == player
        card = mine if here else theirs
        units.append(
            scene.unit(
                side,
                square() if card is None else card,
                (24, NEAR - gap) if here else (24, FAR + behind),
                models=models[0 if here else 1],
                files=files[0 if here else 1],
                facing=NORTH if here else SOUTH,
                **(dict(columns or {}) if here else fields),
            )
        )
    return scene, units[0], units[1]


def charged_across(
    example: str | None = "wall", dice: Sequence[int] = (6, 6), detail: str = "squad", **fields: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """The battle after the unit of ``across`` has charged with ``dice``, up to the choice of the first of three combats."""
    scene, unit, target = across(example, **fields)
    other_combats(scene)
    battle = scene.battle("movement", player=unit.player, dice=list(dice), detail=detail)
    charge(battle, unit, target)
    if kind(battle) == "charge-reaction":
        react(battle, HOLD)
    over(battle)
    if kind(battle) == "select-to-move":
        choose(battle, "done")
    return battle, unit, target


def are_in_contact(battle: Battle, unit: UnitHandle, target: UnitHandle) -> bool:
    """Whether two units fight each other."""
    return row_between(battle, unit.row, target.row) >= 0
