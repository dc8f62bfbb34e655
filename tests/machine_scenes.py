"""A war machine of either player that fires along a table, and where its shots come down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi
from typing import Any

from tests.machines import machine
from wh_env import Battle
from wh_env.rulesets.wap.shooting.shooting import FireMachine
from wh_env.rulesets.wap.shooting.spots import window_over
from wh_env.testing import kind, pick, slots, told, words
from wh_env.testing.wap import EAST, WEST, RegimentScene, UnitHandle

LENGTH, WIDTH = 96.0, 48.0
MUZZLE = (10.0, 24.0)  # of the machine, in the middle of its front edge
HIT, ARROW, MISFIRE = 5, 1, 6  # faces of dice
NORTH, WEST_LOT, SOUTH_LOT = 60, 120, 180  # lots of the scatter die, as its player sees the table; 0: the way he fires


class Range:
    """A machine of ``player`` that looks east from ``MUZZLE``. For player 1 the whole table is turned by half a turn,
    so all places are as he sees them.
    """

    def __init__(self, player: int = 0, weapon: str = "cannon", card: Mapping[str, Any] | None = None, **fields: Any):
        self.player = player
        self.scene = RegimentScene(size=(LENGTH, WIDTH))
        columns = fields.pop("columns", {})
        self.machine = self.unit(True, card or machine(weapon, **fields), MUZZLE, models=1, facing=EAST, **columns)

    def there(self, x: float, y: float) -> tuple[float, float]:
        """A place as player 0 sees the table."""
        return (x, y) if self.player == 0 else (LENGTH - x, WIDTH - y)

    def unit(
        self, own: bool, card: Any, at: tuple[float, float], *, models: int = 1, facing: float = WEST, **fields: Any
    ) -> UnitHandle:
        """Add a unit of the machine's player or of the enemy."""
        side = self.player if own else 1 - self.player
        turned = facing if self.player == 0 else facing + pi
        return self.scene.unit(side, card, self.there(*at), models=models, facing=turned, **fields)

    def hero(self, own: bool, card: Any, inside: UnitHandle, post: int) -> UnitHandle:
        """Add a character in a unit."""
        side = self.player if own else 1 - self.player
        return self.scene.unit(side, card, None, models=1, inside=inside, post=post)

    def enemy(self, card: Any, at: tuple[float, float], **fields: Any) -> UnitHandle:
        """Add an enemy unit; it looks west."""
        return self.unit(False, card, at, **fields)

    def garrison(self, own: bool, card: Any = None, *, models: int = 20, building: int = 0) -> UnitHandle:
        """Add a unit in a building, given by its number among the features."""
        return self.scene.unit(self.player if own else 1 - self.player, card, models=models, garrison=building)

    def area(self, kind_of: str, x0: float, y0: float, x1: float, y1: float, **fields: Any) -> None:
        """Add ground on a rectangle."""
        (ax, ay), (bx, by) = self.there(x0, y0), self.there(x1, y1)
        self.scene.area(kind_of, min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), **fields)

    def battle(self, dice: Sequence[int] = (), *, detail: str = "full", **fields: Any) -> Battle:
        """The battle in the Shooting phase of the machine's player."""
        return self.scene.battle("shooting", player=self.player, dice=dice, detail=detail, **fields)

    def fire(self, battle: Battle, target: UnitHandle, x: float, y: float, way: str = "") -> None:
        """Let the machine fire at the spot (x, y) on an enemy."""
        pick(battle, f"{self.machine.regiment.name} shoots")
        if kind(battle) == "machine-way":
            pick(battle, way)
        self.choose(battle, target)
        battle.apply(battle.setup.space.cell + self.cell(battle, target, x, y))

    def choose(self, battle: Battle, target: UnitHandle) -> None:
        """Aim at an enemy; if it is the only one nothing is asked."""
        if kind(battle) == "machine-target":
            pick(battle, f"at {target.regiment.name}")
        assert kind(battle) == "machine-aim"

    def targets(self, battle: Battle, way: str = "") -> set[int]:
        """The rows of the enemies that the machine may fire at; empty: it may not fire."""
        if not any(text == f"{self.machine.regiment.name} shoots" for text in words(battle).values()):
            return set()
        pick(battle, f"{self.machine.regiment.name} shoots")
        if kind(battle) == "machine-way":
            pick(battle, way)
        first = battle.players.first_unit[1 - self.player]
        if kind(battle) == "machine-target":
            return {first + slot for slot in slots(battle, "enemy")}
        assert kind(battle) == "machine-aim"
        return {battle.stack[battle.frame + FireMachine.TARGET] - 1}

    def cell(self, battle: Battle, target: UnitHandle, x: float, y: float) -> int:
        """The cell of the grid over a unit that is nearest to (x, y)."""
        x0, y0, step = window_over(battle, target.row)
        px, py = self.there(x, y)
        column, row = round((px - x0) / step), round((py - y0) / step)
        return row * battle.setup.space.grid + column

    def place(self, battle: Battle, rule: str) -> tuple[float, float]:
        """Where the last shot came down."""
        x, y = self.there(*told(battle, rule)[-1]["place"])
        return x, y


def struck(battle: Battle) -> list[int]:
    """The models that a ball has struck, in order."""
    return [event["model"] for event in told(battle, "wap.machine.cannon.damage")]


def losses(battle: Battle) -> dict[int, int]:
    """Wounds lost to shots, by unit row."""
    found = dict[int, int]()
    for event in told(battle, "wap.shoot.sequence"):
        found[event["target"]] = found.get(event["target"], 0) + event["amount"]
    return found
