"""State tables: the columns of everything that changes during a battle, as structured arrays over one buffer.

Characteristics that never change during a battle (base size, Toughness, ...) stand beside the changing columns of the
same row, because a kernel that needs a model's wounds needs its Save too. Lengths are run-time sizes, never part of a type.

Units: inches, radians (0 = +x, counter-clockwise), the origin at a corner of the table, +x along its length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# ---- shapes of bases and hulls, seen from above
CIRCLE, OVAL, RECT = 0, 1, 2

# ---- where a unit is
DEPLOYING, ON_TABLE, RESERVE, EMBARKED, DESTROYED, ATTACHED = 0, 1, 2, 3, 4, 5

MODEL = np.dtype(
    [
        ("x", "f8"),
        ("y", "f8"),
        ("z", "f8"),  # height of the surface it stands on
        ("facing", "f8"),
        ("half_a", "f8"),  # half length (along the facing); the radius of a round base
        ("half_b", "f8"),  # half width
        ("radius", "f8"),  # of the circle round the whole base
        ("height", "f8"),  # of the model, from its base
        ("move", "f8"),  # M in inches
        ("shape", "i4"),  # CIRCLE, OVAL or RECT
        ("unit", "i4"),  # row of `units` that it fights in (changes when a Leader is attached)
        ("owner", "i4"),  # player
        ("on_table", "i4"),  # 1 while it stands on the battlefield
        ("alive", "i4"),  # 1 until destroyed
        ("wounds", "i4"),  # left
        ("max_wounds", "i4"),
        ("toughness", "i4"),
        ("save", "i4"),  # 3 for 3+
        ("invulnerable", "i4"),  # 4 for 4+, 0 for none
        ("invulnerable2", "i4"),  # a second one (from an ability or effect), 0 for none
        ("feel_no_pain", "i4"),  # 5 for 5+, 0 for none
        ("feel_no_pain2", "i4"),  # a second one, 0 for none
        ("leadership", "i4"),
        ("control", "i4"),  # OC
        ("keywords", "u8"),  # bits of the model's own datasheet
        ("flags", "u8"),  # ability bits of the model (the ruleset's enumeration)
        ("demise_dice", "i4"),  # Deadly Demise: dice x D(sides) + plus; all 0 for none
        ("demise_sides", "i4"),
        ("demise_plus", "i4"),
        ("first_weapon", "i4"),  # its rows of `Setup.arsenal`
        ("weapons", "i4"),
        ("profile", "i4"),  # index into Setup.model_names
        ("datasheet", "i4"),  # the unit row it was mustered in (for Attached units)
        ("allocated", "i4"),  # attacks were allocated to it this phase
        ("moved", "i4"),  # it was moved in the current move of its unit
        ("spent", "u8"),  # one bit a weapon of its arsenal: One Shot weapons used
    ],
    align=True,
)

UNIT = np.dtype(
    [
        ("keywords", "u8"),  # union over its models
        ("flags", "u8"),  # ability bits of the unit (the ruleset's enumeration)
        ("owner", "i4"),
        ("first", "i4"),  # its mustered rows of `models` are first .. first + count - 1
        ("count", "i4"),
        ("place", "i4"),  # DEPLOYING ... ATTACHED
        ("alive", "i4"),  # models left, an attached Leader's included
        ("strength", "i4"),  # Starting Strength, as it counts now
        ("own_strength", "i4"),  # Starting Strength as mustered
        ("points", "i4"),
        ("carrier", "i4"),  # unit row of the TRANSPORT it is embarked in, -1
        ("capacity", "i4"),  # models that it can carry
        ("leader", "i4"),  # unit row of the Leader attached to it, -1
        ("bodyguard", "i4"),  # unit row of the Bodyguard it leads, -1
        ("shocked", "i4"),  # Battle-shocked
        ("moved", "i4"),  # what it did this turn: the ruleset's MOVE_* codes
        ("advance", "i4"),  # Advance roll of this turn
        ("selected", "i4"),  # bits: selected in this phase / step
        ("charged", "i4"),  # made a Charge move this turn
        ("can_charge", "i4"),  # was within 12" of an enemy at the start of the Charge phase
        ("fought", "i4"),
        ("fights_first", "i4"),  # eligible in the Fights First step (fixed when the phase starts)
        ("arrived", "i4"),  # set up from Reserves or disembarked this turn
        ("disembarked", "i4"),  # 0 no, 1 before its TRANSPORT moved, 2 after, 3 from a destroyed one
        ("engaged_before", "i4"),  # was within Engagement Range when it selected its targets
        ("cover", "i4"),  # effects on it until the end of the phase (bits of the ruleset)
        ("reserve", "i4"),  # how it is kept in Reserves: the ruleset's codes, 0 not
    ],
    align=True,
)

PLAYER = np.dtype(
    [
        ("cp", "i4"),
        ("cp_gained", "i4"),  # extra CP gained this battle round
        ("vp", "i4"),
        ("vp_turn", "i4"),
        ("used", "u8"),  # bits: stratagems used this phase
        ("used_turn", "u8"),  # bits: stratagems used this turn that are allowed once a turn
        ("used_battle", "u8"),  # bits: once-per-battle rules used
        ("units", "i4"),  # own rows of `units` are first_unit .. first_unit + units - 1
        ("first_unit", "i4"),
        ("ready", "i4"),  # has finished its secret choices; they are revealed when both have
    ],
    align=True,
)

OBJECTIVE = np.dtype(
    [
        ("x", "f8"),
        ("y", "f8"),
        ("z", "f8"),
        ("radius", "f8"),
        ("holder", "i4"),  # player, -1 contested
        ("level0", "i4"),  # Level of Control when it was last determined
        ("level1", "i4"),
        ("placed", "i4"),
    ],
    align=True,
)

# where a terrain feature stands that the players place
SITE = np.dtype([("x", "f8"), ("y", "f8"), ("facing", "f8"), ("placed", "i4")], align=True)

CLOCK = np.dtype(
    [
        ("round", "i4"),
        ("turn", "i4"),  # player whose turn it is
        ("phase", "i4"),
        ("step", "i4"),
        ("first_player", "i4"),
        ("attacker", "i4"),
        ("depth", "i4"),  # rows of `stack` in use
        ("over", "i4"),
        ("winner", "i4"),  # player, -1 draw or undecided
        ("decisions", "i4"),
        ("asking", "i4"),  # 1 while a decision waits
        ("kind", "i4"),
        ("player", "i4"),
        ("subject", "i4"),
    ],
    align=True,
)

# where a model stood when its unit began to move
ORIGIN = np.dtype([("x", "f8"), ("y", "f8"), ("z", "f8"), ("facing", "f8")], align=True)

# counter-based generator; `script` holds the dice that tests queue
DICE = np.dtype(
    [("seed_low", "i8"), ("seed_high", "i8"), ("counter", "i8"), ("script_at", "i4"), ("script_end", "i4")], align=True
)

# attacks declared but not yet resolved (one row: so many attacks with one weapon profile at one target)
JOB = np.dtype(
    [
        ("model", "i4"),  # attacking model
        ("weapon", "i4"),  # row of Setup.weapons
        ("target", "i4"),  # unit row
        ("attacks", "i4"),  # left to make; -1: not yet rolled
        ("near", "i4"),  # bits fixed at declaration (half range, unseen target, engaged, ...)
        ("group", "i4"),  # attacks of one group are rolled with fast dice
    ],
    align=True,
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
        ("solid", "i4"),  # 1: blocks sight and cannot be moved through (walls, hulls, floors)
        ("walkable", "i4"),  # 1: models can stand on its top
        ("kind", "i4"),  # 0 mass (container, hill), 1 wall, 2 floor; further numbers are the ruleset's
        # footprints that rules on sight and melee name stand in the table too, neither solid nor walkable
        ("screen", "i4"),  # 1: what is looked at through or over it is not fully visible, 2: not visible at all
        ("spares", "u8"),  # keywords of models to and from which it does not screen
        ("across", "f8"),  # models on opposite sides and within so many inches of each other may fight; 0: no such rule
    ],
    align=True,
)

FEATURE = np.dtype(
    [
        ("first", "i4"),  # corners of its footprint (convex hull kept by the loader)
        ("count", "i4"),
        ("kind", "i4"),  # the ruleset's enumeration: ruins, woods, ...
        ("traits", "u8"),
        ("height", "f8"),
        ("first_block", "i4"),
        ("blocks", "i4"),
    ],
    align=True,
)


def extended(row: np.dtype[Any], columns: list[tuple[str, str]]) -> np.dtype[Any]:
    """The row type with further columns of a ruleset's own; kernels that know only the first part work on both."""
    fields: Any = row.fields or {}
    return np.dtype([*((name, fields[name][0]) for name in row.names or ()), *columns], align=True)


@dataclass(frozen=True)
class TableSpec:
    """One table of the buffer: its name, row type and number of rows."""

    name: str
    dtype: np.dtype[Any]
    rows: int
    columns: int = 0  # > 0: a matrix of plain numbers

    @property
    def size(self) -> int:
        """Bytes."""
        return self.dtype.itemsize * self.rows * max(1, self.columns)


@dataclass(frozen=True, eq=False)
class Layout:
    """Where each table stands in the buffer. Made once for a Setup and shared by every clone.

    Attributes:
        specs: the tables in their order. offsets: the first byte of each, by name. size: bytes of the whole buffer.
    """

    specs: Sequence[TableSpec]
    offsets: Mapping[str, int] = field(init=False)
    size: int = field(init=False)
    _by_name: Mapping[str, TableSpec] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        offsets: dict[str, int] = {}
        at = 0
        for spec in self.specs:
            offsets[spec.name] = at
            at += (spec.size + 63) // 64 * 64
        by_name = {spec.name: spec for spec in self.specs}
        for name, value in (("specs", tuple(self.specs)), ("offsets", MappingProxyType(offsets)), ("size", at)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_by_name", MappingProxyType(by_name))

    def view(self, buffer: Array, name: str) -> Array:
        """The table ``name`` of ``buffer`` as a structured array (shape: its rows), sharing memory."""
        spec = self._by_name[name]
        at = self.offsets[name]
        rows = buffer[at : at + spec.size].view(spec.dtype)
        return rows.reshape(spec.rows, spec.columns) if spec.columns else rows
