"""What a ruleset tells of its battles: the fields that it adds to an observation, and what is hidden from whom.

Observations themselves are made in ``wh_env.envs``, which knows no ruleset. It knows what stands in the core tables (places,
wounds, markers, the pending decision); everything else comes from the ``Features`` of the ruleset, and is described there,
once, by ``Field``s: their order is the order of the columns that the ruleset's kernel writes.
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

NOTHING: Mapping[str, Any] = MappingProxyType({})


Spot = tuple[float, float]  # x, y


@dataclass(frozen=True)
class Field:
    """One number of an observation.

    Attributes:
        name: an identifier, unique within its part.
        meaning: in words.
        unit: what is counted and by what it is divided (``in / 48``); ``0/1`` for a flag, ``share`` for a part of a whole.
        low, high: the range, which holds in every battle; within -1..1.
    """

    name: str
    meaning: str
    unit: str = "0/1"
    low: float = 0.0
    high: float = 1.0


# planes of the terrain that every game with deployment zones has; `Features.planes` gives the Attacker's view
ZONES = (
    Field("own_zone", "part of the cell in the own deployment zone", "share"),
    Field("enemy_zone", "part of the cell in the other seat's deployment zone", "share"),
)


def columns(fields: Iterable[Field]) -> Any:
    """The columns of fields by name, as a tuple that kernels can read: ``COLUMN = columns(FIELDS)``, ``row + COLUMN.toughness``.

    Raises:
        ValueError: two fields of one name, or a name that is no identifier.
    """
    names = [field.name for field in fields]
    return namedtuple("Columns", names)(*range(len(names)))


@kernel
def share(value: float, whole: float) -> float:
    """``value`` as a part of ``whole``, from 0 to 1."""
    return min(1.0, max(0.0, value / whole)) if whole > 0.0 else 0.0


@inner_kernel
def signed(value: float, whole: float) -> float:
    """``value`` as a part of ``whole``, from -1 to 1."""
    return min(1.0, max(-1.0, value / whole)) if whole > 0.0 else 0.0


class Region(NamedTuple):
    """Where the grid of cells of a decision lies on the table, by the centres of its outermost cells, in the unit of length of the tables.

    Middle and corners both stand in it: to work out one from the other would round, and of equal places policies take one by its last bit.

    Attributes:
        x, y: its middle. half_x, half_y: half its extent. x0, y0: the first cell. x1, y1: the last one.
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
        """Of a window round a place."""
        return cls(x, y, reach, reach, x - reach, y - reach, x + reach, y + reach)

    @classmethod
    def between(cls, x0: float, y0: float, x1: float, y1: float) -> Region:
        """From the centre of the first cell to that of the last one."""
        return cls((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2, x0, y0, x1, y1)

    @classmethod
    def of_grid(cls, x0: float, y0: float, dx: float, dy: float, grid: int) -> Region:
        """Of a grid of so many rows, by the centre of its first cell and its steps."""
        side = grid - 1
        return cls.between(x0, y0, x0 + side * dx, y0 + side * dy)


class Formation(NamedTuple):
    """A unit that stands and moves as one body; for pictures.

    Attributes:
        unit: its row. outlines: corners of the rectangles that it is made of. front: left and right end of its front edge.
        rays: unit directions with the corners that they start from, which part what is before, beside and behind it.
    """

    unit: int
    outlines: tuple[tuple[Spot, ...], ...]
    front: tuple[Spot, Spot]
    rays: tuple[tuple[Spot, Spot], ...]


class Pending(NamedTuple):
    """What the waiting decision is about besides its kind and subject.

    Attributes:
        region: of the cell grid, as it lies on the table; ``None``: no cells are asked for.
        moves: the cells are displacements of the whole subject, not places: the region lies round (0, 0).
        model: row of the model that the decision is about, -1: none in particular.
        slots: rows of the models that the model slots of the action space stand for; ``None``: those of the subject that
            stand on the table, in their order.
        weapon: row of the weapon that it is about in the ruleset's table of them, -1: none in particular.
        values: further numbers that it is about, by the names of the ruleset's fields of the part ``decision``, undivided.
    """

    region: Region | None = None
    moves: bool = False
    model: int = -1
    slots: Sequence[int] | None = None
    weapon: int = -1
    values: Mapping[str, float] = NOTHING

    def cells(self, grid: int, centre: tuple[float, float] = (0.0, 0.0)) -> tuple[Array, Array]:
        """x and y of every cell of a grid of so many rows: where the model, or a unit whose middle is now at ``centre``, would stand.

        Raises:
            ValueError: no cells are asked for.
        """
        if self.region is None:
            raise ValueError("the decision has no cells")
        x, y = centre if self.moves else (0.0, 0.0)
        xs = np.linspace(x + self.region.x0, x + self.region.x1, grid)
        ys = np.linspace(y + self.region.y0, y + self.region.y1, grid)
        return np.tile(xs, grid), np.repeat(ys, grid)


PLAIN = Pending()


UNITS, MODELS = 32, 32  # slots of the action space that observations have rows for

# Where the ruleset writes its columns, in one flat float32 array that was cleared before; one row, which kernels read whole.
# Offsets are those of the ruleset's first field.
VIEW = np.dtype(
    [
        ("globals", "i8"),
        ("own", "i8"),  # in the row of own slot 0
        ("enemy", "i8"),  # in the row of enemy slot 0
        ("unit_stride", "i8"),  # from one row of units to the next
        ("models", "i8"),  # in row 0 of the models
        ("model_stride", "i8"),
        # the relations that are wanted: own slots own_from .. own_to - 1 with enemy slots enemy_from .. enemy_to - 1; those of
        # slots i and j stand at relations + (i - own_from) * own_stride + (j - enemy_from) * enemy_stride
        ("own_from", "i8"),
        ("own_to", "i8"),
        ("enemy_from", "i8"),
        ("enemy_to", "i8"),
        ("relations", "i8"),
        ("own_stride", "i8"),
        ("enemy_stride", "i8"),
        ("rows", "i4", (MODELS,)),  # row of `models` that each row of the models stands for, -1: none
        # of the closest models of own slot i and enemy slot j, in the unit of length of the tables, valid for the wanted pairs;
        # negative: one of the two units does not stand on the table
        ("distances", "f8", (UNITS, UNITS)),
        (
            "nearest",
            "f8",
            (2 * UNITS,),
        ),  # of the closest enemy unit, by own slot, then by enemy slot; inf: there is none
    ],
    align=True,
)


class Features(Unchanging):
    """What a ruleset adds to observations; the base class adds nothing.

    ``fields`` maps parts of the observation (``globals``, ``decision``, ``units``, ``models``, ``relations``, ``terrain``) to
    the ruleset's fields there. How many fit says ``wh_env.envs.observation_fields.ROOM``. All values are as ``seat`` sees them:
    places turned by half a turn for a player who is not the Attacker.
    """

    fields: Mapping[str, tuple[Field, ...]] = NOTHING
    notes: tuple[tuple[str, str], ...] = ()  # for people: fields, and how exact they are

    def prepare(self, setup: Setup) -> Any:
        """What ``fill`` needs: what follows from the Setup alone, and scratch that every call overwrites. Asked for once."""
        return None

    def fill(self, g: BattleCore, seat: int, tables: Any, view: Array, out: Array) -> None:
        """Write the ruleset's fields of the globals, the units, the models and the relations; those of the decision: ``decision``.

        ``tables`` is what ``prepare`` returned; ``view`` is one row of ``VIEW`` and says where in ``out``. Nothing may be kept of
        ``g``: it may be a copy with the other seat's secrets taken out.
        """

    def decision(self, g: BattleCore, pending: Pending) -> Mapping[str, float]:
        """The ruleset's fields of the part ``decision`` by name, where they are not 0; called only while a decision waits."""
        return NOTHING

    def pieces(self, g: BattleCore) -> tuple[Array, Array, Array] | None:
        """Blocks, corners and features that stand on the table, where those of the Setup are not all; else ``None``."""
        return None

    def sight(self, g: BattleCore, seat: int, distances: Array, out: Array) -> bool:
        """Write which units see each other ([own slot, enemy slot], 0 or 1, cleared before) and return True, where the core's
        estimate from the blocks on the table will not do; ``distances`` as in ``VIEW``, of all pairs."""
        return False

    def division(self, g: BattleCore) -> int:
        """Which of several divisions of the table into zones was chosen, where players choose one (``planes``)."""
        return 0

    def planes(self, setup: Setup, division: int, features: Array, corners: Array, x: Array, y: Array) -> Array:
        """The ruleset's terrain planes as the Attacker sees them: bool, (planes, points), for the points (x, y) of the table.

        Planes whose names differ by ``own_`` and ``enemy_`` are exchanged for the Defender.
        """
        return np.zeros((0, len(x)), np.bool_)


# ---------------------------------------------------------------- secrets


class Veil:
    """Takes the secrets of the other seat out of battles: what ``Ruleset.hidden`` names is as it was before the battle began.

    It keeps one copy of a battle as scratch, which every use overwrites as a whole.
    """

    def __init__(self) -> None:
        self._copy: BattleCore | None = None
        self._parts: dict[Hidden, list[tuple[Array, Array]]] = {}

    def over(self, battle: BattleCore, seat: int) -> BattleCore:
        """The battle as far as ``seat`` knows it: itself while nothing is hidden, else a copy, valid until the next call."""
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
    """Views of what is hidden in a state buffer of the Setup, one for each column."""
    rows = setup.layout.view(buffer, hidden.table)[hidden.first : hidden.last]
    return [rows[column] for column in hidden.columns] if hidden.columns else [rows]
