"""Scenes with buildings, for the tests of their rules."""

from __future__ import annotations

from typing import Any

from wh_env import Battle
from wh_env.testing import kind, told, words
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, square

OGRES = {"type": "monstrous infantry", "base_mm": (40, 40), "points": 30, "profile": {**square()["profile"], "w": 3}}
HORSE = {
    "type": "cavalry", "base_mm": (25.4, 50.8), "points": 20, "profile": {**square()["profile"], "i": 6},
    "mount": {**square()["profile"], "m": 8},
}  # fmt: skip
BEAST = {"base_mm": (50, 50), "points": 90, "profile": {**square()["profile"], "w": 5, "s": 5, "t": 5, "m": 6}}
Sides = tuple[Battle, UnitHandle, UnitHandle]


def house(scene: RegimentScene, x: float = 20, y: float = 20) -> None:
    """A building of two storeys, 5 inches square."""
    scene.area("building", x, y, x + 5, y + 5, storeys=2)


def against(
    card: Any = None, garrison: Any = None, *, gap: float = 8.0, player: int = 0, models: int = 20, inside: int = 20,
    dice: tuple[int, ...] = (), detail: str = "squad", held: Any = (), **fields: Any,
) -> Sides:  # fmt: skip
    """A unit that faces a held building, ``gap`` inches away, in the charge step of its player."""
    scene = RegimentScene()
    house(scene)
    mine = scene.unit(player, card, (22.5, 20 - gap), facing=NORTH, models=models, **{"files": 5, **fields})
    foe = scene.unit(1 - player, garrison, models=inside, garrison=0, **dict(held))
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)  # the battle waits for its move
    return scene.battle("movement", player=player, dice=dice, detail=detail), mine, foe


def stormed(
    card: Any = None, garrison: Any = None, *, player: int = 0, models: int = 20, inside: int = 20, files: int = 5,
    heroes: tuple[Any, ...] = (), others: tuple[Any, ...] = (), dice: tuple[int, ...] = (), detail: str = "squad",
    command: tuple[str, ...] = (), their_command: tuple[str, ...] = (), **fields: Any,
) -> tuple[Battle, dict[str, UnitHandle]]:  # fmt: skip
    """An assault at the start of the Close Combat phase: ``own`` with heroes ``own0`` ... stands at the southern wall
    of the building that ``foe`` with heroes ``foe0`` ... is in.
    """
    scene = RegimentScene()
    house(scene)
    own = scene.unit(
        player, card, (22.5, 20), facing=NORTH, models=models, files=files, command=command, storms=0, **fields
    )
    at = {"own": own}
    at["foe"] = scene.unit(1 - player, garrison, models=inside, garrison=0, command=their_command)
    for n, each in enumerate(heroes):
        at[f"own{n}"] = scene.unit(player, each, inside=own, models=1, post=n)
    for n, each in enumerate(others):
        at[f"foe{n}"] = scene.unit(1 - player, each, inside=at["foe"], models=1)
    return scene.battle("combat", player=player, dice=dice, detail=detail), at


def attacks_of(battle: Battle, unit: UnitHandle) -> int:
    """The attacks that were made by a unit."""
    return sum(event["amount"] for event in told(battle, "wap.combat.hit.roll") if event["unit"] == unit.row)


def run_to(battle: Battle, rule: str) -> None:
    """Answer with the first option until an event of a rule is told."""
    while kind(battle) and not told(battle, rule):
        battle.apply(min(words(battle)))
