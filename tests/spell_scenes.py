"""A wizard of either player who looks along a table, and the spells that he casts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin, tau
from typing import Any

from wh_env import Battle
from wh_env.core.procedures import FRAME_SIZE
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.wizards import rows_of, spell_at
from wh_env.rulesets.wap.shooting.spots import window_over
from wh_env.testing import choose, kind, pick, script, words
from wh_env.testing.wap import EAST, WEST, RegimentScene, UnitHandle, square

LENGTH, WIDTH = 96.0, 48.0
FRONT = (10.0, 24.0)  # of the wizard: the middle of his front edge
HIT, ARROW = 5, 1  # faces of the scatter die
NORTH, WEST_LOT, SOUTH = 60, 120, 180  # lots of the scatter die, as its player sees the table; 0: the way he looks
WINDS = (6, 5)


def wizard(lore: str, level: int = 4, **values: Any) -> dict[str, Any]:
    """A wizard on foot on a base of one inch."""
    own = {"character": True, "size": [1, 1], "w": 3, "wizard": {"level": level, "lores": [lore]}}
    return square(**{**own, **values})


class Circle:
    """A wizard of ``player`` who looks east from ``FRONT``. For player 1 the whole table is turned by half a turn, so
    all places are as he sees them. He knows all spells of his lore.
    """

    def __init__(
        self,
        lore: str,
        player: int = 0,
        *,
        level: int = 4,
        at: tuple[float, float] = FRONT,
        inside: bool = False,
        effects: Sequence[Any] = (),
        **columns: Any,
    ) -> None:
        self.player, self.level = player, level
        self.scene = RegimentScene(size=(LENGTH, WIDTH), effects=effects)
        self.host = self.unit(True, None, at, models=10, files=5, facing=EAST) if inside else None
        card = wizard(lore, level, **columns.pop("values", {}))
        if self.host is not None:
            self.wizard = self.hero(True, card, self.host, 2)
        else:
            self.wizard = self.unit(True, card, at, models=1, facing=EAST, **columns)

    def there(self, x: float, y: float) -> tuple[float, float]:
        """A place as player 0 sees the table."""
        return (x, y) if self.player == 0 else (LENGTH - x, WIDTH - y)

    def unit(
        self,
        own: bool,
        card: Any,
        at: tuple[float, float] | None,
        *,
        models: int = 1,
        facing: float = WEST,
        **fields: Any,
    ) -> UnitHandle:
        """Add a unit of the wizard's player or of the enemy."""
        side = self.player if own else 1 - self.player
        turned = facing if self.player == 0 else facing + pi
        there = None if at is None else self.there(*at)
        return self.scene.unit(side, card, there, models=models, facing=turned, **fields)

    def hero(self, own: bool, card: Any, inside: UnitHandle, post: int = 0) -> UnitHandle:
        """Add a character in a unit."""
        side = self.player if own else 1 - self.player
        return self.scene.unit(side, card, None, models=1, inside=inside, post=post)

    def enemy(self, card: Any, at: tuple[float, float] | None, **fields: Any) -> UnitHandle:
        """Add an enemy unit; it looks west."""
        return self.unit(False, card, at, **fields)

    def friend(self, card: Any, at: tuple[float, float], **fields: Any) -> UnitHandle:
        """Add a friendly unit; it looks west."""
        return self.unit(True, card, at, **fields)

    def area(self, kind_of: str, x0: float, y0: float, x1: float, y1: float, **fields: Any) -> None:
        """Add ground on a rectangle."""
        (ax, ay), (bx, by) = self.there(x0, y0), self.there(x1, y1)
        self.scene.area(kind_of, min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), **fields)

    def battle(
        self, *, winds: Sequence[int] = WINDS, before: Sequence[int] = (), detail: str = "full", **fields: Any
    ) -> Battle:
        """The battle in the Magic phase of the wizard's player, who channels nothing. ``before``: dice before the winds
        are rolled.
        """
        then = fields.pop("set_state", None)

        def know(battle: Battle) -> None:
            battle.spellbook.rows["known"] = 1
            if then is not None:
                then(battle)

        dice = [*before, *winds, *self.channelling()]
        return self.scene.battle("magic", player=self.player, dice=dice, detail=detail, set_state=know, **fields)

    def channelling(self) -> list[int]:
        """Dice with which all wizards channel nothing."""
        levels = [handle.regiment.card.wizard for side in self.scene.sides for handle in side]
        return [1] * sum(found.level for found in levels if found is not None)

    def begin(self, battle: Battle, spell: str) -> None:
        """Choose to cast a spell."""
        pick(battle, f"{self.wizard.regiment.name} casts", kind="cast-by")
        if kind(battle) == "cast-spell":
            pick(battle, f"{spell} (")

    def can_cast(self, battle: Battle, spell: str) -> bool:
        """Whether the wizard can try to cast a spell now."""
        name = f"{self.wizard.regiment.name} casts a spell"
        if name not in words(battle).values():
            return False
        copy = battle.clone()
        pick(copy, name)
        if kind(copy) == "cast-spell":
            return any(text.startswith(f"{spell} (") for text in words(copy).values())
        number = copy.setup.ruleset.number[Cast]  # it is the only spell that he can cast
        frames = [n * FRAME_SIZE for n in range(copy.clock.depth[0])]
        f = next(f for f in frames if copy.stack[f] == number)
        return spell_at(copy, copy.stack[f + Cast.ROW] - 1).name == spell

    def aim(self, battle: Battle, target: UnitHandle | None = None, at: Any = None) -> None:
        """Name the target, and the place: a spot (x, y), or a direction in degrees as the wizard's player sees it."""
        if kind(battle) == "spell-target" and target is not None:
            pick(battle, target.regiment.name)
        if kind(battle) == "spell-place":
            battle.apply(battle.setup.space.cell + self.cell(battle, target, *at))
        elif kind(battle) == "spell-direction":
            battle.apply(battle.setup.space.angle + self.slot(battle, at))

    def roll(self, battle: Battle, dice: Sequence[int], *, then: Sequence[int] = (), version: str = "") -> None:
        """Cast with these dice, and let nobody dispel it. ``then``: the dice that follow."""
        script(battle, [*dice, *then])
        pick(battle, f"{len(dice)} {'die' if len(dice) == 1 else 'dice'} (", kind="spell-dice")
        if kind(battle) == "spell-version":
            pick(battle, version)
        if kind(battle) == "dispel-by":
            pick(battle, "let it be")

    def cast(
        self,
        battle: Battle,
        spell: str,
        dice: Sequence[int],
        *,
        target: UnitHandle | None = None,
        at: Any = None,
        then: Sequence[int] = (),
        version: str = "",
    ) -> None:
        """Cast a spell from beginning to end."""
        self.begin(battle, spell)
        self.aim(battle, target, at)
        self.roll(battle, dice, then=then, version=version)

    def cell(self, battle: Battle, target: UnitHandle | None, x: float, y: float) -> int:
        """The cell of the grid over a unit, or over the table, that is nearest to (x, y)."""
        grid, (px, py) = battle.setup.space.grid, self.there(x, y)
        if target is None:
            return round(py / WIDTH * (grid - 1)) * grid + round(px / LENGTH * (grid - 1))
        x0, y0, step = window_over(battle, target.row)
        return round((py - y0) / step) * grid + round((px - x0) / step)

    def slot(self, battle: Battle, degrees: float) -> int:
        """The slot of angles for a direction in degrees."""
        angles = battle.setup.space.angles
        turned = degrees * tau / 360 + (pi if self.player else 0.0)
        return round(turned * angles / tau) % angles

    def spot(self, x: float, y: float, away: float, degrees: float) -> tuple[float, float]:
        """The place so many inches from (x, y)."""
        return x + away * cos(degrees * tau / 360), y + away * sin(degrees * tau / 360)


def losses(battle: Battle) -> dict[int, int]:
    """Wounds lost to hits that are no blows, by unit row."""
    found = dict[int, int]()
    for event in battle.events:
        if event.rule == "wap.shoot.sequence":
            found[event.data["target"]] = found.get(event.data["target"], 0) + event.data["amount"]
    return found


def hits(battle: Battle, what: str = "spell hits") -> dict[int, int]:
    """Hits of spells by unit row."""
    found = dict[int, int]()
    for event in battle.events:
        if event.kind == what:
            found[event.data["target"]] = found.get(event.data["target"], 0) + event.data["amount"]
    return found


def spell_rows(battle: Battle, unit: int) -> Mapping[str, int]:
    """Rows of ``spellbook`` of a unit by the names of their spells."""
    return {spell_at(battle, row).name: row for row in rows_of(battle, unit)}


def end_magic(battle: Battle, dice: Sequence[int] = ()) -> None:
    """Play a Magic phase to its end: spells are kept up, nobody casts or dispels anything, and all dice show a 1 but
    ``dice`` at its end.
    """
    while kind(battle) in ("dispel-in-play", "end-spell"):
        script(battle, [1] * 80)
        choose(battle, "done")
    if kind(battle) == "cast-by":
        script(battle, dice)
        choose(battle, "done")


def go_to_magic(battle: Battle, player: int) -> None:
    """Play on to the next Magic phase of a player. Nobody moves or shoots, and all dice show a 1."""
    turn = battle.clock.round[0], battle.clock.turn[0]
    while True:
        now = battle.clock.round[0], battle.clock.turn[0]
        if now != turn and now[1] == player and battle.clock.phase[0] == Phase.MAGIC:
            return
        script(battle, [1] * 80)
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
