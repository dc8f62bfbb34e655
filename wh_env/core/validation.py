"""Checks whether a state can be that of a battle of its Setup: bounds of every column, frames of the stack, and whether
tables agree.

States that come from files are checked (``Battle.from_bytes``), and in tests those of random battles, to show that the
declared bounds are right. With a state that passes, no kernel reads outside its tables. Whether play can lead to the
state is not checked: numbers that are possible each by itself may contradict each other in what only rules know, and
the battle then ends in ``BrokenState``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wh_env.core.bounds import FARTHEST, Bounds, Number
from wh_env.core.procedures import FRAME_SIZE, STEP, V
from wh_env.core.tables import ATTACHED, DEPLOYING, EMBARKED, ON_TABLE, OVER, RESERVE, Array, TableSpec

if TYPE_CHECKING:
    from wh_env.core.battle import BattleCore
    from wh_env.core.procedures import Procedure, Ruleset
    from wh_env.core.setup import Setup

COUNTED = (ON_TABLE, RESERVE, EMBARKED, DEPLOYING)  # places of units whose column `alive` counts their living models
EVERY_BIT = 2**64 - 1


@dataclass(frozen=True)
class Fault:
    """Something wrong in a state.

    Attributes:
        where: the place, as ``models[3].unit``. value: what stands there. expected: what was expected, in words.
    """

    where: str
    value: object
    expected: str

    def __str__(self) -> str:
        """Place, value and expectation in one line."""
        return f"{self.where}: {self.value} where {self.expected} was expected"


def sizes_of(setup: Setup) -> dict[str, Number]:
    """The sizes that bounds name (``core.bounds``), for battles of this Setup."""
    space, ruleset = setup.space, setup.ruleset
    tops = [part["z_high"] for part in (setup.blocks, *setup.statics.get("pieces", ())[:1]) if len(part)]
    sizes: dict[str, Number] = {spec.name: spec.rows for spec in setup.layout.specs}
    sizes.update(
        frames=sizes["stack"] // FRAME_SIZE,
        kinds=len(ruleset.kinds),
        phases=len(ruleset.phases),
        rounds=setup.rules.get("rounds", 0),
        length=setup.length,
        width=setup.width,
        ceiling=min(FARTHEST, max((float(top.max()) for top in tops), default=0.0)),
        cells=space.grid**2,
        numbers=space.numbers,
        options=space.options,
        angles=space.angles,
        slots=space.models,
    )
    return {**sizes, **ruleset.sizes(setup)}


class _Table:
    """The bounds of one table. A lane is one number of a row: the n-th, if the row is seen as numbers of one type."""

    def __init__(self, spec: TableSpec, template: Array, view: Any, sizes: Mapping[str, Number]) -> None:
        """Sort the columns of a table by type.

        Args:
            spec: the table. template: its rows before the battle. view: a function that returns the template's table of
                a name. sizes: as ``sizes_of``.
        """
        self.spec = spec
        self.template = template
        columns: list[tuple[str, np.dtype[Any], int, Bounds]] = []
        if isinstance(spec.bounds, Bounds):
            columns.append(("", spec.dtype, 0, spec.bounds))
        else:
            fields: Any = spec.dtype.fields or {}
            for name, bounds in spec.bounds.items():
                kind, at = fields[name][:2]
                base = kind.subdtype[0] if kind.subdtype else kind
                for k in range(kind.itemsize // base.itemsize):
                    columns.append((name, base, at + k * base.itemsize, bounds))
        self.columns = columns
        self.ranges: list[tuple[np.dtype[Any], Array, Array, Array]] = []  # type, lanes, lowest and highest values
        for base in sorted({base for _, base, _, _ in columns}, key=str):
            self._range(base, [(at, b, name) for name, kind, at, b in columns if kind == base], view, sizes)
        self.codes = [(name, b) for name, _, _, b in columns if b.codes]
        unchanging = np.zeros(spec.dtype.itemsize, np.bool_)
        for _, base, at, bounds in columns:
            if bounds.fixed:
                unchanging[at : at + base.itemsize] = True
        self.still = np.flatnonzero(unchanging)

    def _range(
        self, base: np.dtype[Any], lanes: list[tuple[int, Bounds, str]], view: Any, sizes: Mapping[str, Number]
    ) -> None:
        """Add the lanes of the type ``base`` that may change to ``ranges``; each lane is (offset in bytes, bounds,
        column).
        """
        free = [lane for lane in lanes if not lane[1].fixed]
        if not free:
            return
        at = np.array([place // base.itemsize for place, _, _ in free])
        if base.kind == "u" and base.itemsize == 8:
            allowed = np.array([_mask(bounds, name, view) for _, bounds, name in free], np.uint64)
            self.ranges.append((base, at, np.zeros(len(at), np.uint64), allowed))
            return
        ends = [bounds.resolved(sizes) for _, bounds, _ in free]
        info = None if base.kind == "f" else np.iinfo(base)
        low = [end[0] if info is None else max(end[0], info.min) for end in ends]
        high = [end[1] if info is None else min(end[1], info.max) for end in ends]
        self.ranges.append((base, at, np.array(low, base), np.array(high, base)))

    def sound(self, rows: Array) -> bool:
        """Whether all numbers of ``rows`` are within their bounds; faster than ``faults``."""
        if not len(rows):
            return True
        size = self.spec.dtype.itemsize
        raw = rows.view(np.uint8).reshape(-1, size)
        for base, at, low, high in self.ranges:
            lanes = rows.view(base).reshape(len(raw), -1)
            if len(at) != lanes.shape[1]:
                lanes = lanes[:, at]
            within = (
                (lanes & ~high) == 0 if base.kind == "u" and base.itemsize == 8 else (lanes >= low) & (lanes <= high)
            )
            if not within.all():
                return False
        if len(self.still):
            before = self.template.view(np.uint8).reshape(-1, size)
            if not np.array_equal(raw[:, self.still], before[:, self.still]):
                return False
        return all(np.isin(rows[name] if name else rows, bounds.codes).all() for name, bounds in self.codes)

    def faults(self, rows: Array, view: Any, sizes: Mapping[str, Number]) -> Iterator[Fault]:
        """A fault for each number of ``rows`` that is out of bounds."""
        for name, base, at, bounds in self.columns:
            column = np.ascontiguousarray(rows).view(np.uint8).reshape(-1, self.spec.dtype.itemsize)
            values = np.ascontiguousarray(column[:, at : at + base.itemsize]).view(base)[:, 0]
            wrong, expected = _wrong(values, name, bounds, view, sizes)
            if bounds.fixed:
                own = self.template.view(np.uint8).reshape(-1, self.spec.dtype.itemsize)[:, at : at + base.itemsize]
                before = np.ascontiguousarray(own).view(base)[:, 0]
                wrong = values.view(np.uint8).reshape(len(values), -1) != before.view(np.uint8).reshape(len(values), -1)
                wrong = wrong.any(axis=1)
            for row in np.flatnonzero(wrong).tolist():
                place = f"{self.spec.name}[{_place(self.spec, row)}]" + (f".{name}" if name else "")
                expectation = f"{before[row].item()}, as in the Setup," if bounds.fixed else expected
                yield Fault(place, values[row].item(), expectation)


def _place(spec: TableSpec, row: int) -> str:
    """``row`` of a flattened table in words: the row, or row and column of a matrix."""
    return f"{row // spec.columns}, {row % spec.columns}" if spec.columns else str(row)


def _mask(bounds: Bounds, name: str, view: Any) -> int:
    """The bits that a column of bits may have set."""
    used = int(np.bitwise_or.reduce(view(bounds.in_use)[name])) if bounds.in_use else 0
    return used | (bounds.mask or 0)


def _wrong(values: Array, name: str, bounds: Bounds, view: Any, sizes: Mapping[str, Number]) -> tuple[Array, str]:
    """Which values are out of bounds (bool, one for each value), and what is expected, in words. Does not test
    ``bounds.fixed``.
    """
    if values.dtype.kind == "u" and values.dtype.itemsize == 8:
        allowed = _mask(bounds, name, view)
        return values & np.uint64(~allowed & EVERY_BIT) != 0, f"bits of {allowed:#x}"
    if bounds.codes:
        return ~np.isin(values, bounds.codes), "one of " + ", ".join(map(str, bounds.codes))
    low, high = bounds.resolved(sizes)
    return ~((values >= low) & (values <= high)), f"{low} to {high}"


class Validator:
    """Checks states of one Setup."""

    def __init__(self, setup: Setup) -> None:
        """Prepare the bounds of all tables and frames of ``setup``."""
        self.setup = setup
        self.sizes = sizes_of(setup)
        layout, template = setup.layout, setup.template
        self._view = lambda table: layout.view(template, table)
        self.tables = [
            _Table(spec, layout.view(template, spec.name).reshape(-1), self._view, self.sizes)
            for spec in layout.specs
            if spec.rows
        ]
        self.frames = [_Frame(procedure, setup.ruleset, self.sizes) for procedure in setup.ruleset.procedures]

    def fault(self, g: BattleCore) -> Fault | None:
        """The first fault in the state of a battle; ``None`` if there is none."""
        return next(self.faults(g), None)

    def faults(self, g: BattleCore) -> Iterator[Fault]:
        """All faults in the state of a battle. Frames are checked only if all tables are within bounds, and whether
        numbers agree only if all frames are.
        """
        view, state = self.setup.layout.view, g.buffer
        sound = True
        for table in self.tables:
            rows = view(state, table.spec.name).reshape(-1)
            if not table.sound(rows):
                sound = False
                yield from table.faults(rows, self._view, self.sizes)
        if sound:
            for fault in self._frames(view(state, "stack"), view(state, "clock")[0]):
                sound = False
                yield fault
        if sound:
            for fault in contradictions(g):
                sound = False
                yield fault
        if sound:
            yield from self._misfits(g)

    def _frames(self, stack: Array, clock: Any) -> Iterator[Fault]:
        """The faults of the frames in use: unknown procedures, integers out of bounds, a waiting decision that the top
        procedure never asks.
        """
        depth = int(clock["depth"])
        rows = stack.reshape(-1, FRAME_SIZE)[:depth].tolist()
        for number, frame in enumerate(rows):
            if not 0 <= frame[0] < len(self.frames):
                expected = f"the number of a procedure, 0 to {len(self.frames) - 1},"
                yield Fault(f"stack[{number}].procedure", frame[0], expected)
                return
            yield from self.frames[frame[0]].faults(number, frame)
        if clock["asking"] and depth:
            top = self.frames[rows[-1][0]]
            if int(clock["kind"]) not in top.asks:
                kinds = self.setup.ruleset.kinds
                asked = ", ".join(kinds[k].name for k in sorted(top.asks)) or "none"
                yield Fault("clock.kind", kinds[int(clock["kind"])].name, f"a decision that {top.name} asks ({asked})")

    def _misfits(self, g: BattleCore) -> Iterator[Fault]:
        """The frames whose integers do not fit each other or the tables (``Procedure.fits``)."""
        for number in range(g.clock.depth[0]):
            f = number * FRAME_SIZE
            procedure = self.setup.ruleset.procedures[g.stack[f]]
            if not procedure.fits(g, f):
                name = type(procedure).__name__
                yield Fault(
                    f"stack[{number}], {name}", list(g.stack[f : f + FRAME_SIZE]), "integers that fit the tables"
                )


class _Frame:
    """The bounds of the frames of one procedure."""

    def __init__(self, procedure: Procedure, ruleset: Ruleset, sizes: Mapping[str, Number]) -> None:
        """Work out the bounds of each integer of ``procedure`` for these ``sizes``, and the kinds that it may ask."""
        self.name = type(procedure).__name__
        slots = {STEP: procedure.steps, **procedure.slots}
        self.ends = [slots[k].resolved(sizes) if k in slots else (0, 0) for k in range(STEP, FRAME_SIZE)]
        self.codes = {k: bounds.codes for k, bounds in slots.items() if bounds.codes}
        self.names = {at: name for name, at in procedure.offsets.items()}
        self.asks = {ruleset.kind_number(name) for name in procedure.may_ask(ruleset)}

    def faults(self, number: int, frame: list[int]) -> Iterator[Fault]:
        """The integers of ``frame`` (``FRAME_SIZE`` numbers), the frame of this ``number`` on the stack, that are out
        of bounds.
        """
        for at, (low, high) in enumerate(self.ends, STEP):
            if not low <= frame[at] <= high:
                yield Fault(self._place(number, at), frame[at], f"{low} to {high}")
        for at, codes in self.codes.items():
            if frame[at] not in codes:
                yield Fault(self._place(number, at), frame[at], "one of " + ", ".join(map(str, codes)))

    def _place(self, number: int, at: int) -> str:
        """The integer at offset ``at`` of a frame, in words."""
        return f"stack[{number}], {self.name}, " + self.names.get(at, "step" if at == STEP else f"slot {at - V}")


def contradictions(g: BattleCore) -> Iterator[Fault]:
    """The faults of a state whose tables contradict each other: first what must hold in every game, then what the
    ruleset checks.

    The numbers must be within their bounds.
    """
    setup, clock, dice, models, units = g.setup, g.clock.rows[0], g.dice.rows[0], g.models.rows, g.units.rows
    if clock["over"] == OVER:
        if clock["asking"] or clock["depth"]:
            yield Fault("clock.over", 1, "no decision waiting and nothing left to do at the end of a battle")
    elif not clock["asking"] or not clock["depth"]:
        yield Fault("clock.asking", int(clock["asking"]), "a decision that waits, or a battle that is over,")
    if dice["script_at"] > dice["script_end"]:
        yield Fault("dice.script_at", int(dice["script_at"]), f"at most script_end, {dice['script_end']},")
    wounds = models["wounds"]
    most = setup.ruleset.most_wounds(g)
    yield from row_faults("models", "wounds", wounds, wounds > most, "no more than its Wounds")
    alive = models["alive"]
    yield from row_faults("models", "alive", alive, (alive != 0) != (wounds > 0), "1 with wounds left, 0 without,")
    x, y = models["x"], models["y"]
    outside = (x < 0) | (x > setup.length) | (y < 0) | (y > setup.width)
    yield from row_faults("models", "x", x, (models["on_table"] != 0) & outside, "a place on the table")
    move = models["move"]
    lost_move = (move <= 0.0) & (setup.layout.view(setup.template, "models")["move"] > 0.0)
    yield from row_faults("models", "move", move, lost_move, "more than 0 for a model that can move")
    foreign_unit = units["owner"][models["unit"]] != models["owner"]
    yield from row_faults("models", "unit", models["unit"], foreign_unit, "a unit of its own player")
    living = np.bincount(models["unit"][alive != 0], minlength=len(units))
    counted = np.isin(units["place"], COUNTED)
    yield from row_faults("units", "alive", units["alive"], counted & (living != units["alive"]), "its living models")
    attached = (units["place"] == ATTACHED) & (not setup.ruleset.joins)
    yield from row_faults(
        "units", "alive", units["alive"], attached & (units["alive"] != 0), "0 while it is attached to another"
    )
    if not setup.ruleset.joins:
        yield from _mutual(units)
    yield from _carried(units)
    yield from setup.ruleset.contradictions(g)


def row_faults(table: str, column: str, values: Array, wrong: Array, expected: str) -> Iterator[Fault]:
    """A fault for each row of a column where ``wrong`` (bool, by row) is true."""
    for row in np.flatnonzero(wrong).tolist():
        yield Fault(f"{table}[{row}].{column}", values[row].item(), expected)


def _mutual(units: Array) -> Iterator[Fault]:
    """Faults of attached units: a unit and the unit attached to it must name each other and belong to one player, and
    no unit may be both.
    """
    for column, other in (("leader", "bodyguard"), ("bodyguard", "leader")):
        rows = np.flatnonzero(units[column] >= 0)
        partners = units[column][rows]
        wrong = (units[other][partners] != rows) | (units["owner"][partners] != units["owner"][rows])
        for row in rows[wrong].tolist():
            yield Fault(
                f"units[{row}].{column}", int(units[column][row]), f"a unit of the same player whose {other} is {row}"
            )
    both = (units["leader"] >= 0) & (units["bodyguard"] >= 0)
    yield from row_faults("units", "leader", units["leader"], both, "none of a unit that is attached to another")


def _carried(units: Array) -> Iterator[Fault]:
    """Faults of embarked units: the carrier must be a unit of the same player that can carry models and is not embarked
    itself.
    """
    aboard = np.flatnonzero(units["place"] == EMBARKED)
    carriers = units["carrier"][aboard]
    wrong = (carriers < 0) | (units["capacity"][carriers] == 0) | (units["owner"][carriers] != units["owner"][aboard])
    wrong |= units["place"][carriers] == EMBARKED
    for row in aboard[wrong].tolist():
        yield Fault(f"units[{row}].carrier", int(units["carrier"][row]), "a unit of its player that carries others")
