"""What a ruleset tells about its battles: the fields that it adds to an observation, and what is hidden from which
seat.

``wh_env.envs`` makes the observations and knows no ruleset. It reads the core tables itself (places, wounds, markers,
the waiting decision). Everything else comes from the ruleset's ``Features``, which describe each number once by a
``Field``; the order of the fields is the order of the columns that the ruleset's kernel writes.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wh_env.core.frozen import Unchanging
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

if TYPE_CHECKING:
    from wh_env.core.battle import BattleCore
    from wh_env.core.procedures import Hidden
    from wh_env.core.setup import Setup

NOTHING: Mapping[Any, Any] = MappingProxyType({})


Spot = tuple[float, float]  # x, y


@dataclass(frozen=True)
class Field:
    """One number of an observation.

    Attributes:
        name: an identifier, unique within its part of the observation.
        meaning: in words.
        unit: the unit of the number and the value that it is divided by (``in / 48``); ``0/1`` for a flag, ``share``
            for a part of a whole.
        low, high: the range of the number in every battle; within -1 to 1.
    """

    name: str
    meaning: str
    unit: str = "0/1"
    low: float = 0.0
    high: float = 1.0


# terrain planes of every game with deployment zones; `Features.planes` returns them as the Attacker sees them
ZONES = (
    Field("own_zone", "part of the cell in the own deployment zone", "share"),
    Field("enemy_zone", "part of the cell in the other seat's deployment zone", "share"),
)


def columns(fields: Iterable[Field]) -> Any:
    """A named tuple with the column number of each field, which kernels can read: ``COLUMN = columns(FIELDS)``, ``row +
    COLUMN.toughness``.

    Raises:
        ValueError: two fields have one name, or a name is no identifier.
    """
    names = [field.name for field in fields]
    return namedtuple("Columns", names)(*range(len(names)))


@kernel
def share(value: float, whole: float) -> float:
    """``value / whole``, limited to 0..1; 0 if ``whole`` is not positive."""
    return min(1.0, max(0.0, value / whole)) if whole > 0.0 else 0.0


@inner_kernel
def signed(value: float, whole: float) -> float:
    """``value / whole``, limited to -1..1; 0 if ``whole`` is not positive."""
    return min(1.0, max(-1.0, value / whole)) if whole > 0.0 else 0.0


@inner_kernel
def fill_gone(model: Array, start: Array, turned: bool, whole: float, at: int, out: Array) -> None:
    """Write how far a model has gone in the current move of its unit to ``out[at]`` (x) and ``out[at + 1]`` (y).

    Args:
        model, start: its row of ``models``, and where it stood before the move (with ``x`` and ``y``).
        turned: whether the seat sees the table turned by half a turn. whole: what lengths are divided by.
    """
    if model["moved"] != 0 and model["on_table"] != 0:
        turn = -1.0 if turned else 1.0
        out[at] = signed(turn * (model["x"] - start["x"]), whole)
        out[at + 1] = signed(turn * (model["y"] - start["y"]), whole)


class Region(NamedTuple):
    """Where the grid of cells of a decision lies on the table, given by the centres of its outermost cells (in the unit
    of length of the tables).

    It holds both the middle and the corners: to compute one from the other would round, and policies decide between
    equal places by the last bit.

    Attributes:
        x, y: its middle.
        half_x, half_y: half the distance between the outermost centres.
        x0, y0: centre of the first cell.
        x1, y1: centre of the last cell.
    """

    x: float
    y: float
    half_x: float
    half_y: float
    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def square(cls, x: float, y: float, reach: float) -> Region:
        """The square region round (x, y) whose outermost cell centres are ``reach`` away from it along each axis."""
        return cls(x, y, reach, reach, x - reach, y - reach, x + reach, y + reach)

    @classmethod
    def between(cls, x0: float, y0: float, x1: float, y1: float) -> Region:
        """The region from the centre of the first cell, (x0, y0), to the centre of the last one, (x1, y1)."""
        return cls((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2, x0, y0, x1, y1)

    @classmethod
    def of_grid(cls, x0: float, y0: float, dx: float, dy: float, grid: int) -> Region:
        """The region of a grid of ``grid`` x ``grid`` cells, from the centre of its first cell (x0, y0) and the steps
        (dx, dy) between cells.
        """
        side = grid - 1
        return cls.between(x0, y0, x0 + side * dx, y0 + side * dy)


class Formation(NamedTuple):
    """A unit that stands and moves as one body, for pictures.

    Attributes:
        unit: its row.
        outlines: the corners of each rectangle that it consists of.
        front: left and right end of its front edge.
        rays: pairs of a corner and a unit direction; these rays divide what is before the unit, beside it and behind
            it.
        goes: the corners of the rectangle to which a move that is still being decided has led, front left and front
            right first; none: it is deciding no move, or stands there.
    """

    unit: int
    outlines: tuple[tuple[Spot, ...], ...]
    front: tuple[Spot, Spot]
    rays: tuple[tuple[Spot, Spot], ...]
    goes: tuple[Spot, ...] = ()


class Pending(NamedTuple):
    """What the waiting decision is about besides its kind and subject.

    Attributes:
        region: where the cells lie on the table; ``None`` if the decision has no cells.
        moves: True if the cells are displacements of the whole subject and not places; the region then lies round (0,
            0).
        model: row of the model that the decision is about, -1 if it is about none in particular.
        slots: rows of the models that the model slots of the action space stand for; ``None``: the models of the
            subject on the table, in their order.
        weapon: row, in the ruleset's table of weapons, of the weapon that it is about, -1 if none.
        values: further numbers, by the names of the ruleset's fields of the part ``decision``, not yet divided.
        options: where options are data (abilities, spells, items): by action, among the options and numbers of the
            action space, what it stands for: an object of the ruleset that ``Features.option`` describes. ``ABOUT``:
            what the whole decision is about.
    """

    region: Region | None = None
    moves: bool = False
    model: int = -1
    slots: Sequence[int] | None = None
    weapon: int = -1
    values: Mapping[str, float] = NOTHING
    options: Mapping[int, Any] = NOTHING

    def cells(self, grid: int, centre: tuple[float, float] = (0.0, 0.0)) -> tuple[Array, Array]:
        """x and y of every cell of a grid of ``grid`` rows, as two arrays of ``grid`` * ``grid`` floats, row by row.

        Args:
            grid: rows of the grid. centre: where the middle of the unit is now; it is added if the cells are
                displacements (``moves``).

        Raises:
            ValueError: the decision has no cells.
        """
        if self.region is None:
            raise ValueError("the decision has no cells")
        x, y = centre if self.moves else (0.0, 0.0)
        xs = np.linspace(x + self.region.x0, x + self.region.x1, grid)
        ys = np.linspace(y + self.region.y0, y + self.region.y1, grid)
        return np.tile(xs, grid), np.repeat(ys, grid)


PLAIN = Pending()
ABOUT = -1  # key of ``Pending.options``


UNITS, MODELS = 32, 32  # rows that an observation has for units of one side, and for models
MARKERS = 8  # rows of objective markers

# Where the ruleset writes its numbers in one flat float32 array, all 0 before: one row of offsets.
# Each is the offset of the ruleset's first field in that part of the observation.
VIEW = np.dtype(
    [
        ("globals", "i8"),
        ("own", "i8"),  # in the row of own slot 0
        ("enemy", "i8"),  # in the row of enemy slot 0
        ("unit_stride", "i8"),  # from one row of units to the next
        ("models", "i8"),  # in row 0 of the models
        ("model_stride", "i8"),
        ("markers", "i8"),  # in row 0 of the markers
        ("marker_stride", "i8"),
        ("marker_rows", "i4", (MARKERS,)),  # row of the observation's markers in which each objective stands, -1: none
        # wanted are the relations of own slots own_from .. own_to - 1 and enemy slots enemy_from .. enemy_to - 1;
        # those of i and j begin at relations + (i - own_from) * own_stride + (j - enemy_from) * enemy_stride
        ("own_from", "i8"),
        ("own_to", "i8"),
        ("enemy_from", "i8"),
        ("enemy_to", "i8"),
        ("relations", "i8"),
        ("own_stride", "i8"),
        ("enemy_stride", "i8"),
        ("rows", "i4", (MODELS,)),  # row of `models` that each row of the observation's models shows, -1: none
        # between the closest models of own slot i and enemy slot j (unit of length of the tables), set for wanted
        # pairs; negative: one of the two units is not on the table
        ("distances", "f8", (UNITS, UNITS)),
        # distance to the closest enemy unit, by own slot, then by enemy slot; inf: there is none
        ("nearest", "f8", (2 * UNITS,)),
    ],
    align=True,
)


class Features(Unchanging):
    """What a ruleset adds to observations; the base class adds nothing.

    All values are as ``seat`` sees them: for the player who is not the Attacker, places are turned by half a turn.

    Attributes:
        fields: the ruleset's fields by part of the observation (``globals``, ``decision``, ``units``, ``models``,
            ``markers``, ``options``, ``relations``, ``terrain``). ``wh_env.envs.observation_fields.ROOM`` says how many
            a part can hold.
        notes: for the reference pages, pairs of fields and a remark on how exact they are.
    """

    fields: Mapping[str, tuple[Field, ...]] = NOTHING
    notes: tuple[tuple[str, str], ...] = ()  # for people: fields, and how exact they are

    def prepare(self, setup: Setup) -> Any:
        """What ``fill`` needs besides the battle: values that follow from the Setup alone, and scratch memory that
        every call overwrites. Called once for a Setup.
        """
        return None

    def fill(self, g: BattleCore, seat: int, tables: Any, view: Array, out: Array) -> None:
        """Write the ruleset's fields of the globals, units, models, markers and relations. (``decision`` returns those
        of the decision, ``option`` those of an option.)

        It must not keep a reference to anything of ``g``, which may be a copy without the other seat's secrets.

        Args:
            g: the battle. seat: the player who sees. tables: what ``prepare`` returned.
            view: one row of ``VIEW``, which says where in ``out`` to write.
            out: float32, flat, all 0 before.
        """

    def decision(self, g: BattleCore, pending: Pending) -> Mapping[str, float]:
        """The ruleset's fields of the part ``decision`` by name; fields that are missing are 0. Called only while a
        decision waits.
        """
        return NOTHING

    def meanings(self, g: BattleCore, pending: Pending) -> Mapping[int, Any]:
        """What options stand for, as ``Pending.options``. Called only while a decision waits."""
        return pending.options

    def option(self, g: BattleCore, tables: Any, what: Any) -> Mapping[str, float]:
        """The ruleset's fields of the part ``options`` by name, for something that ``meanings`` names. Fields
        that are missing are 0. ``tables``: what ``prepare`` returned.
        """
        return NOTHING

    def pieces(self, g: BattleCore) -> tuple[Array, Array, Array] | None:
        """Blocks, corners and features that stand on the table; ``None`` if all of those of the Setup do."""
        return None

    def sight(self, g: BattleCore, seat: int, distances: Array, out: Array) -> bool:
        """Write to ``out`` which units see each other and return True; or return False, and the core estimates it from
        the blocks on the table.

        Args:
            g: the battle. seat: the player who sees. distances: as in ``VIEW``, set for all pairs.
            out: 0 or 1 for [own slot, enemy slot], all 0 before.
        """
        return False

    def division(self, g: BattleCore) -> int:
        """Number of the chosen division of the table into zones, for games in which players choose one (see
        ``planes``).
        """
        return 0

    def planes(self, setup: Setup, division: int, features: Array, corners: Array, x: Array, y: Array) -> Array:
        """The ruleset's terrain planes as the Attacker sees them, for the points (x, y) of the table: bool, shape
        (planes, points).

        For the Defender, planes whose names differ by ``own_`` and ``enemy_`` are exchanged.
        """
        return np.zeros((0, len(x)), np.bool_)


# ---------------------------------------------------------------- secrets


class Veil:
    """Hides the secrets of the other seat: whatever ``Ruleset.hidden`` names has, in a copy, the value from before the
    battle began.

    It keeps one copy of a battle, which each use overwrites. Unlike ``SeatView`` it changes nothing else, so the copy
    is for reading only.
    """

    def __init__(self) -> None:
        """Start without a copy; the first use makes it."""
        self._copy: BattleCore | None = None
        self._parts: dict[Hidden, list[tuple[Array, Array]]] = {}

    def over(self, battle: BattleCore, seat: int) -> BattleCore:
        """The battle as far as ``seat`` knows it: ``battle`` itself if nothing is hidden, else a copy that is valid
        until the next call.
        """
        hidden = battle.setup.ruleset.hidden(battle, seat)
        if not hidden:
            return battle
        if self._copy is None or self._copy.setup.layout is not battle.setup.layout:
            self._copy, self._parts = battle.clone(), {}
        copy = self._copy
        copy.copy_from(battle)
        for what in hidden:
            if what not in self._parts:
                both = zip(
                    hidden_parts(copy.setup, copy.buffer, what), hidden_parts(copy.setup, copy.setup.template, what)
                )
                self._parts[what] = list(both)
            for part, before in self._parts[what]:
                part[...] = before
        return copy


def hidden_parts(setup: Setup, buffer: Array, hidden: Hidden) -> list[Array]:
    """Views of what ``hidden`` names in ``buffer``, a state of the Setup: one for each column, or one of whole rows if
    it names no columns.
    """
    rows = setup.layout.view(buffer, hidden.table)[hidden.first : hidden.last]
    return [rows[column] for column in hidden.columns] if hidden.columns else [rows]
