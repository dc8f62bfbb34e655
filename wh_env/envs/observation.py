"""Observations: what a seat sees of a battle, as numbers from -1 to 1 that mean the same for both seats and in every
battle.

Two forms hold the same fields (``observation_fields``, described in ``docs/observation.md``): ``vector``, one array for
networks without structure, and ``entities``, a dict of arrays that also holds the relations of every own unit to every
enemy unit. Row *i* of the units is slot *i* of the matching segment of the action space. Places are measured from the
middle of the table and seen from the seat's own side (``wh_env.envs.spaces``). What the other seat keeps secret is not
shown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces

from wh_env.content.warming import OBSERVATION, prepare
from wh_env.core.battle import BattleCore
from wh_env.core.features import ABOUT, MARKERS, MODELS, PLAIN, UNITS, VIEW, Veil
from wh_env.core.kernel import compiled_for
from wh_env.core.setup import Setup
from wh_env.core.tables import OBJECTIVE, Array
from wh_env.envs.observation_columns import Column, describe
from wh_env.envs.observation_fields import (
    GLOBALS,
    INCH,
    MARKER,
    MODEL,
    PARTS,
    SIZE,
    UNIT,
    WIDTH,
    Part,
    check_room,
    column_of,
    fields_of,
    split,
)
from wh_env.envs.observation_kernels import NO_CELLS, OF_MOVES, OF_PLACES, SCRATCH, fill
from wh_env.envs.observation_places import FIRST, NOBODY
from wh_env.envs.observation_terrain import fill_sight, pooled, terrain_planes

FORMS = ("vector", "entities")
VECTOR_PARTS = tuple(part for part in PARTS.values() if part.start >= 0)
STRIDE = WIDTH["relations"]
FLOAT = np.dtype(np.float32)
PLANES_KEPT = 256  # Setups whose terrain planes are remembered
NOWHERE = (0.0, 0.0, 0.0, 0.0)  # x, y, half_x, half_y


def box_space(form: str) -> spaces.Space[Any]:
    """The space of observations without the mask: a ``Box``, or a ``Dict`` of boxes. All values are from -1 to 1.

    Raises:
        ValueError: there is no such form.
    """
    if form not in FORMS:
        raise ValueError(f"observation {form!r}: expected one of {', '.join(FORMS)}")
    if form == "vector":
        return spaces.Box(-1.0, 1.0, (SIZE,), np.float32)
    return spaces.Dict({part.name: spaces.Box(-1.0, 1.0, part.shape, np.float32) for part in PARTS.values()})


@dataclass(frozen=True, eq=False)
class Terrain:
    """Terrain planes as a seat sees them.

    Attributes:
        pooled: flat, as they stand in the vector. whole: float32, (planes, rows, columns).
    """

    pooled: Array
    whole: Array


class Memory:
    """Where units stood when a seat last looked, so that nothing is computed again for units that have not moved.

    Its contents are right for any battle of the Setup; if it has seen another battle before, that costs time and
    nothing else.

    Attributes:
        standing, order, scratch: as ``observation_places`` keeps them.
        view: one row of ``VIEW`` with the distances of units. rows: its column of that name.
        arrays: the first four, in the order in which the kernel takes them.
    """

    __slots__ = ("arrays", "order", "rows", "scratch", "standing", "view")

    def __init__(self, models: int, scratch: Array, view: Array) -> None:
        """``models``: how many rows of models. ``scratch``, ``view``: those of the observer, which are copied."""
        self.standing: Array = np.zeros((2 * models, 5))
        self.order: Array = np.zeros(2 * models, np.int32)
        self.scratch, self.view = scratch.copy(), view.copy()
        self.scratch["members"][..., FIRST] = NOBODY
        self.view["distances"], self.view["nearest"] = -1.0, np.inf
        self.rows: Array = self.view["rows"][0]
        self.arrays = self.standing, self.order, self.scratch, self.view


class Observer:
    """Writes observations of the battles of one Setup into buffers of the caller.

    Besides what follows from the Setup it keeps only where units stood (``Memory``), and scratch that every call
    overwrites. One observer may serve any number of battles, one after another; each thread needs its own.
    """

    def __init__(self, setup: Setup, form: str = "vector") -> None:
        """``form``: "vector" or "entities".

        Raises:
            ValueError: there is no such form, or the Setup has more units, slots or kinds of decision than the
                observation has room for.
        """
        prepare(setup.ruleset.id, OBSERVATION)
        self.setup, self.form = setup, form
        self.space: spaces.Space[Any] = box_space(form)
        ruleset = setup.ruleset
        check_room(ruleset)
        players = setup.layout.view(setup.template, "players")
        if players["units"].max() > UNITS or setup.space.units > UNITS or setup.space.models > MODELS:
            most = max(int(players["units"].max()), setup.space.units)
            raise ValueError(f"{most} units a side, {setup.space.models} model slots; at most {UNITS} and {MODELS}")
        if "objectives" in setup.layout.offsets and len(setup.layout.view(setup.template, "objectives")) > MARKERS:
            raise ValueError(f"more than {MARKERS} objective markers")
        self.out = self.empty()
        self._features = ruleset.features
        self._tables = self._features.prepare(setup)
        self._veil = Veil()
        self._terrain: OrderedDict[tuple[int, int], tuple[Setup, list[Terrain]]] = OrderedDict()
        self._no_planes: Array = np.zeros(0, np.float32)
        self._fill: Callable[..., None] | None = None  # the kernel, for the tables of these battles
        self._last: Terrain | None = None  # the terrain that is written in the scratch vector
        self._decision_at = {
            field.name: PARTS["decision"].start + n for n, field in enumerate(fields_of(ruleset, "decision"))
        }
        self._option_at = {field.name: n for n, field in enumerate(fields_of(ruleset, "options"))}
        self._make_room(setup)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is made from Setup and form, because the arrays are views of each other and copies of them would not
        be.
        """
        return type(self), (self.setup, self.form)

    def _make_room(self, setup: Setup) -> None:
        """Make the scratch arrays."""
        # for `entities` the vector is written first, and the relations behind it
        self._flat: Array = np.zeros(SIZE + (UNITS * UNITS * STRIDE if self.form == "entities" else 0), np.float32)
        self._relations = self._flat[SIZE:].reshape(-1, UNITS, STRIDE)
        self._parts = split(self._flat[:SIZE])
        self._no_objectives = np.zeros(0, OBJECTIVE)
        self._has_objectives = "objectives" in setup.layout.offsets
        self._near: Array = np.zeros(0, np.int32)
        self._round_blocks: Array = np.zeros((0, 3))
        self._scratch = np.zeros(1, SCRATCH)
        self._scratch["rounds"] = setup.rules.get("rounds", 5)
        self._scratch["inch"] = INCH[setup.ruleset.length_unit]
        self._scratch["length"], self._scratch["width"] = setup.length, setup.width
        self._scratch["everything"] = self.form == "entities"
        self._view = np.zeros(1, VIEW)
        for name, part, core in (
            ("globals", "globals", GLOBALS),
            ("own", "own", UNIT),
            ("enemy", "enemy", UNIT),
            ("models", "models", MODEL),
            ("markers", "markers", MARKER),
        ):
            self._view[name] = PARTS[part].start + len(core)
        for each in ("unit", "model", "marker"):
            self._view[f"{each}_stride"] = WIDTH[f"{each}s"]
        self._view["marker_rows"] = -1
        self._memories = self.memories()

    def memories(self) -> tuple[Memory, Memory]:
        """Empty memories for both seats, to be passed to ``write``."""
        models = len(self.setup.layout.view(self.setup.template, "models"))
        one, two = (Memory(models, self._scratch, self._view) for _ in range(2))
        return one, two

    def empty(self, n: int | None = None) -> Any:
        """Buffers full of 0: an array (SIZE,), or a dict of arrays; with ``n`` a leading axis of ``n`` rows."""
        lead = () if n is None else (n,)
        if self.form == "vector":
            return np.zeros((*lead, SIZE), np.float32)
        return {part.name: np.zeros((*lead, *part.shape), np.float32) for part in PARTS.values()}

    def write(
        self,
        battle: BattleCore,
        seat: int,
        out: Any,
        last: Terrain | None = None,
        memories: tuple[Memory, Memory] | None = None,
    ) -> Terrain:
        """Write what ``seat`` sees into ``out``. Returns the terrain that was written.

        Args:
            battle: a battle of this Setup. seat: the player who sees.
            out: float32, of the shapes of ``space``; rows of a batch are possible.
            last: what the previous call for these buffers returned, if nothing else has written to them since: then
                only what may have changed is written, which is faster.
            memories: for one of several battles, always the same memories of its own (``memories()``), which is faster;
                without, those of the last battle that was observed.

        Raises:
            ValueError: ``out`` has another shape or type.
        """
        memory = (memories or self._memories)[seat]
        if self.form == "vector":
            if out.shape != (SIZE,) or out.dtype != FLOAT:
                raise ValueError(f"out has shape {out.shape} and type {out.dtype}; expected ({SIZE},) and float32")
            if out.flags.c_contiguous:
                return self._write(battle, seat, out, last, memory)[1]
            _, self._last = self._write(battle, seat, self._flat, self._last, memory)
            out[:] = self._flat
            return self._last
        self._relations[:] = 0.0
        known, self._last = self._write(battle, seat, self._flat, self._last, memory)
        subject = known.clock.subject[0] if known.clock.asking[0] else -1
        if subject >= 0:
            slot = subject - known.players.first_unit[known.units.owner[subject]]
            own = known.units.owner[subject] == seat
            self._parts["subject"][:] = self._relations[slot] if own else self._relations[:, slot]
        for part in VECTOR_PARTS:
            if part.name != "terrain":
                out[part.name][...] = self._parts[part.name]
        if last is not self._last:
            out["terrain"][...] = self._last.whole
        out["relations"][...] = self._relations
        self._write_sight(known, seat, memory, out["sight"])
        return self._last

    def _write_sight(self, g: BattleCore, seat: int, memory: Memory, out: Array) -> None:
        """Write the part ``sight``."""
        out[...] = 0.0
        if self._features.sight(g, seat, memory.view[0]["distances"], out):
            return
        blocks, corners, _ = self._features.pieces(g) or (g.setup.blocks, g.setup.corners, None)
        if 2 * len(blocks) > len(self._near):
            self._near, self._round_blocks = np.zeros(2 * len(blocks), np.int32), np.zeros((len(blocks), 3))
        fill_sight(
            g.models.rows,
            g.players.rows,
            blocks,
            corners,
            seat,
            memory.order,
            memory.scratch,
            memory.view,
            self._near,
            self._round_blocks,
            out,
        )

    def observe(self, battle: BattleCore, seat: int) -> Any:
        """What ``seat`` sees, in buffers of the observer that are valid until the next call."""
        self.write(battle, seat, self.out)
        return self.out

    def _write(
        self, battle: BattleCore, seat: int, out: Array, last: Terrain | None, memory: Memory
    ) -> tuple[BattleCore, Terrain]:
        """Write the vector, and the relations behind it if ``out`` has room. Returns the battle as far as the seat
        knows it, and its terrain.
        """
        g = self._veil.over(battle, seat)
        waits = g.clock.asking[0]
        pending = g.pending() if waits else PLAIN
        region = pending.region
        asked = NO_CELLS if region is None else OF_MOVES if pending.moves else OF_PLACES
        x, y, half_x, half_y = NOWHERE if region is None else region[:4]
        listed, terrain = pending.slots, self._planes(g, seat)
        if listed is not None:
            memory.rows.fill(-1)
            memory.rows[: len(listed)] = listed[:MODELS]
        arguments = (
            g.models.rows,
            g.units.rows,
            g.players.rows,
            g.clock.rows,
            g.objectives.rows if self._has_objectives else self._no_objectives,
            seat,
            asked,
            x,
            y,
            half_x,
            half_y,
            pending.model,
            listed is not None,
            last is not None,
            self._no_planes if last is terrain else terrain.pooled,
            *memory.arrays,
            out,
        )
        if self._fill is None:
            self._fill = compiled_for(fill, arguments)
        self._fill(*arguments)
        self._features.fill(g, seat, self._tables, memory.view, out)
        if waits:
            for name, value in self._features.decision(g, pending).items():
                out[self._decision_at[name]] = value
            if meanings := self._features.meanings(g, pending):
                self._write_options(g, meanings, out)
        return g, terrain

    def _write_options(self, g: BattleCore, meanings: Mapping[int, Any], out: Array) -> None:
        """Write the rows of ``options`` that the decision describes."""
        space = self.setup.space
        for action, what in meanings.items():
            number = 0
            if action != ABOUT:
                number = 1 + (action - space.option if action < space.own else space.options + action - space.number)
            row = PARTS["options"].start + number * WIDTH["options"]
            out[row] = 1.0
            for name, value in self._features.option(g, self._tables, what).items():
                out[row + self._option_at[name]] = value

    def _planes(self, g: BattleCore, seat: int) -> Terrain:
        """The terrain planes as the seat sees them."""
        attacker: bool = g.clock.attacker[0] == seat
        division = self._features.division(g)
        found = self._terrain.get((id(g.setup), division))
        pieces = self._features.pieces(g)
        if pieces is None and found is not None:
            return found[1][attacker]
        setup = g.setup
        standing = pieces or (setup.blocks, setup.corners, setup.features)
        both = [Terrain(pooled(planes), planes) for planes in terrain_planes(setup, division, standing)]
        if pieces is None:
            self._terrain[id(setup), division] = setup, both  # the Setup is kept too, so that no other gets its id
            if len(self._terrain) > PLANES_KEPT:
                self._terrain.popitem(last=False)
        return both[attacker]


__all__ = [
    "FORMS",
    "PARTS",
    "SIZE",
    "Column",
    "Observer",
    "Part",
    "box_space",
    "column_of",
    "describe",
    "fields_of",
    "split",
]
