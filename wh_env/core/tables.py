"""State tables: the columns of everything that changes during a battle, as structured arrays over one buffer.

Characteristics that never change during a battle (base size, Toughness, ...) stand beside the changing columns of the
same row, because a kernel that needs a model's wounds needs its Save too. Lengths are run-time sizes, never part of a type.
Beside its type each column says what may stand in it (``core.bounds``); ``core.validation`` checks states that come from elsewhere.

Units: inches, radians (0 = +x, counter-clockwise), the origin at a corner of the table, +x along its length.
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
    MARKS,
    MOST,
    MOST_ATTACKS,
    NEVER,
    OUTSIDE,
    TURNS,
    Bounds,
    amount,
    anything,
    between,
    bits,
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

MODEL, MODEL_BOUNDS = declared(
    [
        ("x", "f8", finite(-OUTSIDE, "length", OUTSIDE)),
        ("y", "f8", finite(-OUTSIDE, "width", OUTSIDE)),
        ("z", "f8", finite(0, "ceiling")),  # height of the surface it stands on
        ("facing", "f8", finite(-TURNS, TURNS)),
        ("half_a", "f8", fixed()),  # half length (along the facing); the radius of a round base
        ("half_b", "f8", fixed()),  # half width
        ("radius", "f8", fixed()),  # of the circle round the whole base
        ("height", "f8", fixed()),  # of the model, from its base
        ("move", "f8", finite(0, FARTHEST)),  # M in inches
        ("shape", "i4", fixed()),  # CIRCLE, OVAL or RECT
        ("unit", "i4", row_of("units")),  # row of `units` that it fights in (changes when a Leader is attached)
        ("owner", "i4", fixed()),  # player
        ("on_table", "i4", flag()),  # 1 while it stands on the battlefield
        ("alive", "i4", flag()),  # 1 until destroyed
        ("wounds", "i4", amount()),  # left
        ("max_wounds", "i4", fixed()),
        ("toughness", "i4", fixed()),
        ("save", "i4", fixed()),  # 3 for 3+
        ("invulnerable", "i4", fixed()),  # 4 for 4+, 0 for none
        ("invulnerable2", "i4", between(0, NEVER)),  # a second one (from an ability or effect), 0 for none
        ("feel_no_pain", "i4", fixed()),  # 5 for 5+, 0 for none
        ("feel_no_pain2", "i4", between(0, NEVER)),  # a second one, 0 for none
        ("leadership", "i4", fixed()),
        ("control", "i4", fixed()),  # OC
        ("keywords", "u8", bits_in_use()),  # bits of the model's own datasheet
        ("flags", "u8", bits_in_use(also=MARKS)),  # ability bits of the model (the ruleset's enumeration)
        ("demise_dice", "i4", fixed()),  # Deadly Demise: dice x D(sides) + plus; all 0 for none
        ("demise_sides", "i4", fixed()),
        ("demise_plus", "i4", fixed()),
        ("first_weapon", "i4", fixed()),  # its rows of `Setup.arsenal`
        ("weapons", "i4", fixed()),
        ("profile", "i4", fixed()),  # index into Setup.model_names
        ("datasheet", "i4", fixed()),  # the unit row it was mustered in (for Attached units)
        ("allocated", "i4", flag()),  # attacks were allocated to it this phase
        ("moved", "i4", count_of("models")),  # it was moved in the current move of its unit
        ("spent", "u8", anything()),  # one bit a weapon of its arsenal: One Shot weapons used
    ],
)

UNIT, UNIT_BOUNDS = declared(
    [
        ("keywords", "u8", bits_in_use("models")),  # union over its models
        ("flags", "u8", bits_in_use("models", MARKS)),  # ability bits of the unit (the ruleset's enumeration)
        ("owner", "i4", fixed()),
        ("first", "i4", fixed()),  # its mustered rows of `models` are first .. first + count - 1
        ("count", "i4", fixed()),
        ("place", "i4", between(DEPLOYING, ATTACHED)),  # DEPLOYING ... ATTACHED
        ("alive", "i4", count_of("models")),  # models left, an attached Leader's included
        ("strength", "i4", count_of("models")),  # Starting Strength, as it counts now
        ("own_strength", "i4", fixed()),  # Starting Strength as mustered
        ("points", "i4", fixed()),
        ("carrier", "i4", row_of("units", none=True)),  # unit row of the TRANSPORT it is embarked in, -1
        ("capacity", "i4", fixed()),  # models that each of its models can carry
        ("leader", "i4", row_of("units", none=True)),  # unit row of the Leader attached to it, -1
        ("bodyguard", "i4", row_of("units", none=True)),  # unit row of the Bodyguard it leads, -1
        ("shocked", "i4", flag()),  # Battle-shocked
        ("moved", "i4", between(0, 15)),  # what it did this turn: the ruleset's MOVE_* codes
        ("advance", "i4", between(0, FARTHEST)),  # Advance roll of this turn
        ("selected", "i4", bits(0xFFFF)),  # bits: selected in this phase / step
        ("charged", "i4", between(0, 3)),  # made a Charge move this turn
        ("can_charge", "i4", flag()),  # was within 12" of an enemy at the start of the Charge phase
        ("fought", "i4", flag()),
        ("fights_first", "i4", flag()),  # eligible in the Fights First step (fixed when the phase starts)
        ("arrived", "i4", flag()),  # set up from Reserves or disembarked this turn
        ("disembarked", "i4", between(0, 3)),  # 0 no, 1 before its TRANSPORT moved, 2 after, 3 from a destroyed one
        ("engaged_before", "i4", flag()),  # was within Engagement Range when it selected its targets
        ("cover", "i4", bits(0xFFFF)),  # effects on it until the end of the phase (bits of the ruleset)
        ("reserve", "i4", between(0, 31)),  # how it is kept in Reserves: the ruleset's codes, 0 not
    ],
)

PLAYER, PLAYER_BOUNDS = declared(
    [
        ("cp", "i4", amount()),
        ("cp_gained", "i4", amount()),  # extra CP gained this battle round
        ("vp", "i4", amount()),
        ("vp_turn", "i4", amount()),
        ("used", "u8", bits(0xFFFF)),  # bits: stratagems used this phase
        ("used_turn", "u8", bits(0xFFFF)),  # bits: stratagems used this turn that are allowed once a turn
        ("used_battle", "u8", bits(0xFFFF)),  # bits: once-per-battle rules used
        ("units", "i4", fixed()),  # own rows of `units` are first_unit .. first_unit + units - 1
        ("first_unit", "i4", fixed()),
        ("ready", "i4", flag()),  # has finished its secret choices; they are revealed when both have
    ],
)

OBJECTIVE, OBJECTIVE_BOUNDS = declared(
    [
        ("x", "f8", finite(0, "length")),
        ("y", "f8", finite(0, "width")),
        ("z", "f8", finite(0, "ceiling")),
        ("radius", "f8", fixed()),
        ("holder", "i4", player(none=True)),  # player, -1 contested
        ("level0", "i4", amount()),  # Level of Control when it was last determined
        ("level1", "i4", amount()),
        ("placed", "i4", flag()),
    ],
)

# where a terrain feature stands that the players place
SITE, SITE_BOUNDS = declared(
    [
        ("x", "f8", finite(0, "length")),
        ("y", "f8", finite(0, "width")),
        ("facing", "f8", finite(-TURNS, TURNS)),
        ("placed", "i4", between(0, 2)),
    ]
)

CLOCK, CLOCK_BOUNDS = declared(
    [
        ("round", "i4", between(0, "rounds")),
        ("turn", "i4", player()),  # player whose turn it is
        ("phase", "i4", row_of("phases")),
        ("step", "i4", between(0, 15)),
        ("first_player", "i4", player()),
        ("attacker", "i4", player()),
        ("depth", "i4", count_of("frames")),  # rows of `stack` in use
        ("over", "i4", flag()),
        ("winner", "i4", player(none=True)),  # player, -1 draw or undecided
        ("decisions", "i4", between(0, INT_HIGH - MOST)),
        ("asking", "i4", flag()),  # 1 while a decision waits
        ("kind", "i4", row_of("kinds")),
        ("player", "i4", player()),
        ("subject", "i4", row_of("units", none=True)),
    ],
)

# where a model stood when its unit began to move
ORIGIN, ORIGIN_BOUNDS = declared(
    [
        ("x", "f8", finite(-OUTSIDE, "length", OUTSIDE)),
        ("y", "f8", finite(-OUTSIDE, "width", OUTSIDE)),
        ("z", "f8", finite(0, FARTHEST)),
        ("facing", "f8", finite(-TURNS, TURNS)),
    ]
)

# counter-based generator; `script` holds the dice that tests queue
DICE, DICE_BOUNDS = declared(
    [
        ("seed_low", "i8", between(0, 2**32 - 1)),
        ("seed_high", "i8", between(0, 2**32 - 1)),
        ("counter", "i8", between(0, 2**62)),
        ("script_at", "i4", count_of("script")),
        ("script_end", "i4", count_of("script")),
    ],
)

# attacks declared but not yet resolved (one row: so many attacks with one weapon profile at one target)
JOB, JOB_BOUNDS = declared(
    [
        ("model", "i4", row_of("models")),  # attacking model
        ("weapon", "i4", row_of("weapons")),  # row of Setup.weapons
        ("target", "i4", row_of("units")),  # unit row
        ("attacks", "i4", between(-1, MOST_ATTACKS)),  # left to make; -1: not yet rolled
        ("near", "i4", anything()),  # bits fixed at declaration (half range, unseen target, engaged, ...)
        ("group", "i4", row_of("jobs")),  # attacks of one group are rolled with fast dice
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


def extended(
    row: np.dtype[Any], bounds: Mapping[str, Bounds], columns: Sequence[tuple[str, str, Bounds]]
) -> tuple[np.dtype[Any], Mapping[str, Bounds]]:
    """The row type with further columns of a ruleset's own, and the bounds of all; kernels that know only the first part work on
    both."""
    fields: Any = row.fields or {}
    return declared([*((name, fields[name][0], bounds[name]) for name in row.names or ()), *columns])


@dataclass(frozen=True)
class TableSpec:
    """One table of the buffer: its name, row type, number of rows, and the bounds of its columns (of all its numbers, where it has
    none)."""

    name: str
    dtype: np.dtype[Any]
    rows: int
    bounds: Mapping[str, Bounds] | Bounds
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

    @cached_property
    def digest(self) -> str:
        """A hash of the tables: their names, row types and lengths."""
        told = [f"{spec.name} {spec.dtype.descr} {spec.rows} {spec.columns}" for spec in self.specs]
        return hashlib.blake2b("\n".join(told).encode(), digest_size=8).hexdigest()

    def view(self, buffer: Array, name: str) -> Array:
        """The table ``name`` of ``buffer`` as a structured array (shape: its rows), sharing memory."""
        spec = self._by_name[name]
        at = self.offsets[name]
        rows = buffer[at : at + spec.size].view(spec.dtype)
        return rows.reshape(spec.rows, spec.columns) if spec.columns else rows
