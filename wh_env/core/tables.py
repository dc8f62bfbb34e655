"""State tables: what every game stores about models, units, players, objectives, time and dice, as structured arrays
over one buffer.

Characteristics that never change during a battle (base size, Move, ...) stand in the same rows as the columns that
change, because kernels need both. Numbers of rows are known at run time and are not part of a type. Columns that only
one game knows are declared in the ``tables`` of its ruleset. Beside its type, each column declares what it may hold
(``core.bounds``); ``core.validation`` checks states that come from files.

Units: inches; radians (0 = +x, counter-clockwise). The origin is a corner of the table, +x runs along its length.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from wh_env.core.bounds import (
    FARTHEST,
    INT_HIGH,
    MOST,
    OUTSIDE,
    TURNS,
    Bounds,
    amount,
    between,
    bits_in_use,
    count_of,
    declared,
    finite,
    fixed,
    flag,
    player,
    row_of,
)

Array = npt.NDArray[Any]

# ---- shapes of bases and hulls, seen from above
CIRCLE, OVAL, RECT = 0, 1, 2

# ---- where a unit is
DEPLOYING, ON_TABLE, RESERVE, EMBARKED, DESTROYED, ATTACHED = 0, 1, 2, 3, 4, 5
# ---- `clock.over`: the battle is over; only its last rolls are left to play; it ended in the step that runs now
OVER, ENDING, ENDED = 1, 2, 3

# What the core and programs for every game read; a ruleset adds the columns of its own rules (``extended``). In games
# without attached and embarked units ``leader``, ``bodyguard`` and ``carrier`` stay -1 and ``capacity`` stays 0.

# why observations need not show some columns (``Bounds.not_shown``)
BY_LIST = "follows from the army list; the row of its unit shows what rules change"
OF_SUBJECT = "shown for the models of the decision's subject; of others nothing reads it before their unit acts again"

MODEL, MODEL_BOUNDS = declared(
    [
        ("x", "f8", finite(-OUTSIDE, "length", OUTSIDE)),
        ("y", "f8", finite(-OUTSIDE, "width", OUTSIDE)),
        ("z", "f8", finite(0, "ceiling")),  # height of the surface it stands on
        ("facing", "f8", finite(-TURNS, TURNS)),
        ("half_a", "f8", fixed()),  # half length (along the facing); the radius of a round base
        ("half_b", "f8", fixed()),  # half width
        ("radius", "f8", fixed()),  # radius of the circle round the whole base
        ("height", "f8", fixed()),  # of the model, from its base
        ("move", "f8", finite(0, FARTHEST).not_shown(BY_LIST)),  # its Move characteristic
        (
            "keywords",
            "u8",
            bits_in_use().not_shown(BY_LIST),
        ),  # bits of those keywords that rules on moves, barriers and sight name
        ("shape", "i4", fixed()),  # CIRCLE, OVAL or RECT
        ("unit", "i4", row_of("units")),  # unit that it fights in now: the one that its own unit is attached to, if any
        ("owner", "i4", fixed()),  # player
        ("on_table", "i4", flag()),  # 1 while it stands on the battlefield
        ("alive", "i4", flag()),  # 1 until destroyed
        ("wounds", "i4", amount()),  # left
        ("max_wounds", "i4", fixed()),
        (
            "moved",
            "i4",
            count_of("models").not_shown(OF_SUBJECT),
        ),  # not 0: it was moved in the current move of its unit
        ("first_weapon", "i4", fixed()),  # its first row in the ruleset's table of carried weapons
        ("weapons", "i4", fixed()),  # how many rows it has there
    ],
)

UNIT, UNIT_BOUNDS = declared(
    [
        ("owner", "i4", fixed()),
        ("first", "i4", fixed()),  # its mustered rows of `models` are first .. first + count - 1
        ("count", "i4", fixed()),
        ("place", "i4", between(DEPLOYING, ATTACHED)),  # DEPLOYING ... ATTACHED
        ("alive", "i4", count_of("models")),  # models left, those of the unit attached to it included
        # Starting Strength: models it began with, as rules count them now
        (
            "strength",
            "i4",
            count_of("models").not_shown("shown as the share of models left, and never below that number"),
        ),
        ("points", "i4", fixed()),
        ("carrier", "i4", row_of("units", none=True)),  # row of the unit in which it is embarked, -1: none
        ("capacity", "i4", fixed()),  # models that each of its models can carry
        ("leader", "i4", row_of("units", none=True)),  # row of the unit that is attached to it, -1: none
        ("bodyguard", "i4", row_of("units", none=True)),  # row of the unit that it is attached to, -1: none
    ],
)

PLAYER, PLAYER_BOUNDS = declared(
    [
        ("vp", "i4", amount()),
        ("units", "i4", fixed()),  # own rows of `units` are first_unit .. first_unit + units - 1
        ("first_unit", "i4", fixed()),
    ],
)

OBJECTIVE, OBJECTIVE_BOUNDS = declared(
    [
        ("x", "f8", finite(0, "length")),
        ("y", "f8", finite(0, "width")),
        ("z", "f8", finite(0, "ceiling")),
        ("radius", "f8", fixed()),
        ("holder", "i4", player(none=True)),  # the player who controls it, -1: nobody
        ("level0", "i4", amount()),  # player 0's level of control when control was last determined
        ("level1", "i4", amount()),  # that of player 1
        ("placed", "i4", flag()),
    ],
)

CLOCK, CLOCK_BOUNDS = declared(
    [
        ("round", "i4", between(0, "rounds")),
        ("turn", "i4", player()),  # player whose turn it is
        ("phase", "i4", row_of("phases")),
        ("step", "i4", between(0, 15)),  # step of the phase, as the ruleset numbers them
        ("first_player", "i4", player()),
        ("attacker", "i4", player()),  # player who sees the table as it lies; the other sees it turned by half a turn
        (
            "depth",
            "i4",
            count_of("frames").not_shown("the procedures beneath the decision; its kind is shown"),
        ),  # rows of `stack` in use
        ("over", "i4", between(0, ENDING)),  # ``OVER``, ``ENDING``, 0: it goes on
        ("winner", "i4", player(none=True)),  # player, -1 draw or undecided
        ("decisions", "i4", between(0, INT_HIGH - MOST)),
        ("asking", "i4", flag()),  # 1 while a decision waits
        ("kind", "i4", row_of("kinds")),
        ("player", "i4", player()),
        ("subject", "i4", row_of("units", none=True)),
    ],
)

# the random generator (`core.dice`); script[script_at : script_end] are the results that tests have queued
DICE, DICE_BOUNDS = declared(
    [
        ("seed_low", "i8", between(0, 2**32 - 1)),
        ("seed_high", "i8", between(0, 2**32 - 1)),
        ("counter", "i8", between(0, 2**62)),
        ("script_at", "i4", count_of("script")),
        ("script_end", "i4", count_of("script")),
    ],
)

# ---- static tables of a Setup

# convex pieces of terrain: a prism over a convex polygon from z_low to z_high
BLOCK = np.dtype(
    [
        ("min_x", "f8"),
        ("min_y", "f8"),
        ("max_x", "f8"),
        ("max_y", "f8"),
        ("z_low", "f8"),
        ("z_high", "f8"),
        ("first", "i4"),  # its vertices are Setup.corners[first : first + count], counter-clockwise
        ("count", "i4"),
        ("feature", "i4"),  # row of `features`
        ("solid", "i4"),  # 1: it blocks sight and models cannot move through it (walls, hulls, floors)
        ("walkable", "i4"),  # 1: models can stand on its top
        ("kind", "i4"),  # 0 mass (container, hill), 1 wall, 2 floor; further numbers are the ruleset's
        # footprints that rules on sight and melee name are blocks too, neither solid nor walkable
        ("screen", "i4"),  # 1: models seen through or over it are not fully visible, 2: not visible at all
        ("spares", "u8"),  # models with one of these keywords see, and are seen, as if it did not screen
        ("across", "f8"),  # models on opposite sides, at most so many inches apart, may fight; 0: no such rule
        # models with it between them are engaged if at most so many inches apart (footprints); 0: no such rule
        ("engage", "f8"),
    ],
    align=True,
)

FEATURE = np.dtype(
    [
        ("first", "i4"),  # its footprint is the convex polygon Setup.corners[first : first + count]
        ("count", "i4"),
        ("kind", "i4"),  # a number of the ruleset: ruins, woods, ...
        ("traits", "u8"),  # bits of the ruleset
        ("height", "f8"),
        ("first_block", "i4"),  # its rows of `blocks` are first_block .. first_block + blocks - 1
        ("blocks", "i4"),
    ],
    align=True,
)


def extended(
    row: np.dtype[Any], bounds: Mapping[str, Bounds], columns: Sequence[tuple[str, str, Bounds]]
) -> tuple[np.dtype[Any], Mapping[str, Bounds]]:
    """The row type with further columns of a ruleset, and the bounds of all columns.

    The added columns stand behind the others, so that kernels that know only the first columns work on both row types.

    Args:
        row: the row type. bounds: of its columns. columns: the new ones, each ``(name, type, bounds)``.
    """
    fields: Any = row.fields or {}
    return declared([*((name, fields[name][0], bounds[name]) for name in row.names or ()), *columns])


@dataclass(frozen=True)
class TableSpec:
    """One table of the buffer.

    Attributes:
        name: its name. dtype: its row type. rows: how many.
        bounds: by column; or of all its numbers, if it has no columns.
        columns: more than 0 for a matrix of plain numbers: how many numbers a row has.
    """

    name: str
    dtype: np.dtype[Any]
    rows: int
    bounds: Mapping[str, Bounds] | Bounds
    columns: int = 0  # > 0: a matrix of plain numbers

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return self.dtype.itemsize * self.rows * max(1, self.columns)


@dataclass(frozen=True, eq=False)
class Layout:
    """Where each table stands in the buffer; made once for a Setup and shared by all clones.

    Attributes:
        specs: the tables in their order. offsets: the first byte of each, by name. size: bytes of the whole buffer.
    """

    specs: Sequence[TableSpec]
    offsets: Mapping[str, int] = field(init=False)
    size: int = field(init=False)
    _by_name: Mapping[str, TableSpec] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Give each table its first byte, a multiple of 64."""
        offsets: dict[str, int] = {}
        first_byte = 0
        for spec in self.specs:
            offsets[spec.name] = first_byte
            first_byte += (spec.size + 63) // 64 * 64
        by_name = {spec.name: spec for spec in self.specs}
        for name, value in (("specs", tuple(self.specs)), ("offsets", MappingProxyType(offsets)), ("size", first_byte)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_by_name", MappingProxyType(by_name))

    @cached_property
    def digest(self) -> str:
        """A hash of the tables: their names, row types, numbers of rows and columns."""
        described = [f"{spec.name} {spec.dtype.descr} {spec.rows} {spec.columns}" for spec in self.specs]
        return hashlib.blake2b("\n".join(described).encode(), digest_size=8).hexdigest()

    def view(self, buffer: Array | memoryview, name: str) -> Array:
        """The table ``name`` of ``buffer`` as an array that shares its memory, shape (rows,) or, for a matrix, (rows,
        columns).

        Raises:
            KeyError: there is no such table.
        """
        spec = self._by_name[name]
        shape = (spec.rows, spec.columns) if spec.columns else (spec.rows,)
        return np.ndarray(shape, spec.dtype, buffer, self.offsets[name])  # several times as fast as ``buffer.view``
