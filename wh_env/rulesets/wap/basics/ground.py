"""The ground of the battle, and which of it models stand on (wap.terrain.*).

``statics["features"]`` has one ``Ground`` for each terrain feature, in the order of its rows among
``statics["ground"]``. What ground does is data: its ``Traits``, one set for each kind with what its example changes
(``configs/wap/terrain``). The features do not change during a battle.

To add a behaviour of ground:

1. Add a field to ``Traits`` here, with a default that does nothing, and the same field to ``TraitRow`` in
   ``content/wap/schema_terrain.py``.
2. Set it in the files of ``configs/wap/terrain``, for a kind or for an example.
3. Where the rule acts, loop over ``with_trait(g, "field")`` - empty in most battles, so ask it first - and ask where
   models stand: ``is_partly_in``, ``is_mostly_in``, ``models_in``, ``touching``, ``distance_to``. A rule of one named
   example is a trait too; no code asks for the name of an example.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import polygon_overlap_at
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.room import feature_distance

TOUCHES, INSIDE = 1, 2  # bits of ``mark_on_ground``


@dataclass(frozen=True)
class Traits:
    """What ground does. The defaults are open ground (wap.terrain.open).

    Attributes:
        passage: how it affects a unit that enters it: ``open`` or ``impassable``.
        dangerous: who takes Dangerous Terrain tests in it: ``nobody``, ``riders``, ``unless skirmishers``, ``everybody``.
        sight: its Line of Sight value, 0: it hides nothing; of a hill: of each level.
        sight_depth: inches of it that hide what is in or behind it; 0: it hides from its edge on.
        lifts: models that stand on it add its Line of Sight value to theirs.
        screen: cover for units that it hides in part: ``none``, ``light``, ``heavy``.
    """

    passage: str = "open"
    dangerous: str = "nobody"
    sight: int = 0
    sight_depth: float = 0.0
    lifts: bool = False
    screen: str = "none"


NOTHING = Traits()
TRAITS = tuple(f.name for f in fields(Traits))


@dataclass(frozen=True, eq=False)
class Ground:
    """A terrain feature of the battle.

    Attributes:
        row: of the feature, as in ``statics["ground"]["feature"]``.
        kind: a name of ``codes.GROUND``. example: of its kind, as in ``configs/wap/terrain``; None: no named one.
        name: that missions use; None: it has none.
        traits: what it does.
        levels: of a hill. storeys: of a building; 0: it is none.
        outline: its corners in inches, counter-clockwise; may be concave.
        pieces: its convex pieces, rows of ``tables.PIECE``.
        fords: of a river, its crossings: (width in inches, pieces of the river beside crossings that wide or wider),
            the narrowest first (wap.terrain.river.crossing).
    """

    row: int
    kind: str
    traits: Traits
    outline: tuple[tuple[float, float], ...]
    pieces: Array
    example: str | None = None
    name: str | None = None
    levels: int = 1
    storeys: int = 0
    fords: tuple[tuple[float, Array], ...] = ()

    @property
    def sight(self) -> int:
        """Its Line of Sight value: that of a level, or of a storey, for each."""
        return self.traits.sight * (self.storeys or self.levels)


def by_trait(features: Iterable[Ground]) -> dict[str, tuple[Ground, ...]]:
    """``statics["ground_with"]``: for each trait the features in which it differs from open ground."""
    listed = tuple(features)
    found = {
        name: tuple(item for item in listed if getattr(item.traits, name) != getattr(NOTHING, name)) for name in TRAITS
    }
    return {name: items for name, items in found.items() if items}


def features_of(g: BattleCore) -> tuple[Ground, ...]:
    """All terrain features of the battle, by row."""
    found: tuple[Ground, ...] = g.setup.statics["features"]
    return found


def with_trait(g: BattleCore, name: str) -> tuple[Ground, ...]:
    """The features of the battle that have a trait."""
    found: tuple[Ground, ...] = g.setup.statics["ground_with"].get(name, ())
    return found


@kernel
def mark_on_ground(models: Array, first: int, count: int, pieces: Array, corners: Array, marks: Array) -> None:
    """Write to ``marks`` (u1), for each of ``count`` models from row ``first`` on, ``TOUCHES`` if its base overlaps one
    of the pieces, and ``INSIDE`` if its middle lies in one of them. Models that are not on the table have 0.
    """
    for n in range(count):
        k = first + n
        m = models[k]
        marks[n] = 0
        if m["on_table"] == 0:
            continue
        x = m["x"]
        y = m["y"]
        reach = m["radius"]
        for b in range(len(pieces)):
            piece = pieces[b]
            if x < piece["min_x"] - reach or x > piece["max_x"] + reach:
                continue
            if y < piece["min_y"] - reach or y > piece["max_y"] + reach:
                continue
            if marks[n] == 0 and polygon_overlap_at(
                models, k, x, y, m["facing"], corners, piece["first"], piece["count"]
            ):
                marks[n] = TOUCHES
            inside = True
            last = piece["first"] + piece["count"] - 1
            for c in range(piece["first"], last + 1):
                px = corners[last, 0]
                py = corners[last, 1]
                if (corners[c, 0] - px) * (y - py) - (corners[c, 1] - py) * (x - px) < 0.0:
                    inside = False
                last = c
            if inside:
                marks[n] = TOUCHES | INSIDE
                break


def pieces_for(g: BattleCore, unit: int, ground: Ground) -> Array:
    """The pieces of a feature that count for a unit: of a river those beside its crossings, if the unit is narrow
    enough to pass there (wap.terrain.river.crossing).
    """
    if ground.fords:
        u = g.units
        wide = max(1, u.files[unit]) * (2.0 * u.base_b[unit] + u.spacing[unit]) - u.spacing[unit]
        for most, beside in ground.fords:
            if wide <= most + 1e-4:
                return beside
    return ground.pieces


def marks_of(g: BattleCore, row: int, ground: Ground) -> Array:
    """``mark_on_ground`` of all models of a unit, without joined characters; u1, by model of the unit."""
    u = g.units
    marks = np.zeros(u.count[row], np.uint8)
    pieces = pieces_for(g, block_of(g, row), ground)
    g.work.call(mark_on_ground, g.models.rows, u.first[row], u.count[row], pieces, g.setup.corners, marks)
    return marks


def models_in(g: BattleCore, unit: int, ground: Ground) -> list[int]:
    """The models of a unit and of all characters in it whose base lies in a feature by more than half: its middle
    does.
    """
    return [k for row in wholly(g, unit) for k in _marked(g, row, ground, INSIDE)]


def touching(g: BattleCore, unit: int, ground: Ground) -> list[int]:
    """The models of a unit and of all characters in it that are at least partly in a feature."""
    return [k for row in wholly(g, unit) for k in _marked(g, row, ground, TOUCHES)]


def _marked(g: BattleCore, row: int, ground: Ground, bit: int) -> list[int]:
    """The models of a unit, without joined characters, whose mark has a bit."""
    first = g.units.first[row]
    return [first + n for n, mark in enumerate(marks_of(g, row, ground).tolist()) if mark & bit]


def is_mostly_in(g: BattleCore, unit: int, ground: Ground) -> bool:
    """Whether more than half of the models of a unit and of all characters in it are in a feature."""
    standing = sum(1 for row in wholly(g, unit) for _ in g.members(row))
    return 2 * len(models_in(g, unit, ground)) > standing


def is_partly_in(g: BattleCore, unit: int, ground: Ground) -> bool:
    """Whether a model of a unit or of a character in it is at least partly in a feature."""
    return any(marks_of(g, row, ground).any() for row in wholly(g, unit))


def distance_to(g: BattleCore, unit: int, ground: Ground) -> float:
    """Inches between a unit and a feature; 0: they touch or overlap, inf: the unit is not on the table."""
    statics = g.setup.statics
    found: float = g.work.call(
        feature_distance, g.parts.rows, g.units.rows, statics["ground"], g.setup.corners, unit, ground.row
    )
    return found
