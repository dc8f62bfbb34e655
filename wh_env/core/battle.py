"""The battle: state, the loop that runs procedures, and the façade that players use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from math import inf
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn, Self, SupportsIndex

import numpy as np
from numpy import ndarray

from wh_env.core.actions import Segment
from wh_env.core.columns import columns_of
from wh_env.core.dice import draw_lot, roll_d6, roll_sum
from wh_env.core.events import Event
from wh_env.core.features import Pending
from wh_env.core.geometry.shapes import disc_gap_at, unit_distance
from wh_env.core.procedures import ASK, FRAME_SIZE, GO, DecisionKind, Default, V
from wh_env.core.sealed import sealed
from wh_env.core.setup import COMMON, Delegate, Lease, Setup
from wh_env.core.tables import ENDED, ENDING, OVER, Array
from wh_env.core.views import SeatView

if TYPE_CHECKING:
    from wh_env.core.typed_tables import Tables
else:
    Tables = object

MAGIC = b"WHEN"
FORMAT = 2
MOST_STEPS = 200_000  # of procedures until a decision waits or the battle is over
EVERYWHERE = frozenset((*COMMON, "stack"))  # tables that stand in every battle from the start
new = object.__new__
EMPTY_FRAME = memoryview(bytes(4 * FRAME_SIZE)).cast("i")
BOOL = np.dtype(np.bool_)
SAID = 1 << 64  # greater numbers are not written out in errors


def shown(number: int) -> int | str:
    """A number as errors say it."""
    return number if -SAID < number < SAID else "of many digits"


class IllegalAction(ValueError):
    """The action is not legal now; whoever gave it is asked still, and the battle was not changed by it."""


class BrokenState(RuntimeError):
    """The battle cannot go on from its state: a decision has no option, procedures do not come to an end, or what the state says
    contradicts itself. Play does not lead there; a state that was written by hand can."""


@dataclass(frozen=True)
class Decision:
    """A choice that waits for a player.

    Attributes:
        player: who decides (0 or 1). kind: its name. subject: unit row it is about, -1 if none.
        options: the legal actions.
    """

    player: int
    kind: str
    subject: int
    options: list[int]


@dataclass(frozen=True)
class Result:
    """How a battle ended: the winning player (``None`` for a draw), victory points by player, battle rounds played."""

    winner: int | None
    victory_points: tuple[int, int]
    rounds: int


class Lazy:
    """An attribute that is found when it is first asked for and then stands in the object itself.

    In place of ``__getattr__``: a class that has that one has all its attributes looked up by it, several times as slowly.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, _cls: type) -> Any:
        if owner is None:
            return self
        value = owner._find(self.name)
        setattr(owner, self.name, value)
        return value


def restored(cls: type[BattleCore], setup: Setup, state: bytes, recorder: list[Event] | None) -> BattleCore:
    """A battle as it was pickled.

    Raises:
        ValueError: the state has another size than those of the Setup: another version of the engine wrote it.
    """
    if len(state) != setup.layout.size:
        raise ValueError(
            f"a pickled battle has {len(state)} bytes of state; expected {setup.layout.size}, as this version writes"
        )
    battle = object.__new__(cls)
    battle._bind(setup, np.frombuffer(state, np.uint8).copy(), record=False)
    battle.recorder = recorder
    return battle


class BattleCore(Tables):
    """A running battle.

    Everything that changes stands in ``buffer``; attributes are views of it, the recorder of events, what can be computed again
    (``mask``, in which decisions mark their options, and ``_options``, these as bytes, which nobody can change), and ``work``, the scratch
    memory that the ruleset's kernels write (``Ruleset.workspace``), which no other battle uses while this one lives.

    ``copy.copy`` and ``copy.deepcopy`` make independent copies that share the Setup; pickles hold the Setup as its source.
    """

    _options: bytes | None  # legal slots of the waiting decision, one byte a slot; None: not worked out

    def __init__(self, setup: Setup, seed: int = 0, *, record: bool = False) -> None:
        self._bind(setup, setup.template.copy(), record)
        self._seed(seed)
        setup.ruleset.start(self)
        self.run()

    # ---- state

    def _bind(self, setup: Setup, buffer: Array, record: bool) -> None:
        self._name(setup.layout.offsets)
        self.setup = setup
        self.buffer = buffer
        self.recorder: list[Event] | None = [] if record else None
        self._options = None
        self._lay_out()

    mask: Any = Lazy("mask")
    bits: Any = Lazy("bits")
    marks: Any = Lazy("marks")
    blank: Any = Lazy("blank")
    work: Any = Lazy("work")

    @staticmethod
    def _name(tables: Iterable[str]) -> None:
        """Let battles have attributes of these names: their tables, but for those that stand in every battle."""
        for table in tables:
            for name in (table, f"{table}_array"):
                if name not in EVERYWHERE and not hasattr(BattleCore, name):
                    setattr(BattleCore, name, Lazy(name))

    def _lay_out(self) -> None:
        """Bind the tables that everything asks for."""
        setup, buffer = self.setup, self.buffer
        layout, memory = setup.layout, memoryview(buffer)  # type: ignore[arg-type]
        for name, columns in setup.common:
            table = new(columns)
            table.origin = layout, name, memory
            setattr(self, name, table)
        first, end = setup.stack
        self.stack: Any = memory[first:end].cast("i")

    def _find(self, name: str) -> Any:
        # Tables, the mask and the workspace are bound on first use, so that a clone that only waits costs one copy. A structured
        # table is bound as Columns, a list of numbers as a memoryview (NAME) or an array (NAME_array), a matrix as an array.
        if name == "work":
            self._lease = Lease(self.setup)
            return self._lease.work
        if name == "mask":
            return np.zeros(self.setup.space.size, np.bool_)
        if name == "bits":
            mask: Any = self.mask
            return memoryview(mask)
        if name == "marks":
            return self.bits.cast("B")
        if name == "blank":
            return bytes(self.setup.space.size)
        plain = name.removesuffix("_array")
        if plain not in self.setup.layout.offsets:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        table: Any = self.setup.layout.view(self.buffer, plain)
        if plain == name and table.dtype.names:
            found = new(columns_of(table.dtype))
            found.origin = self.setup.layout, name, memoryview(self.buffer)  # type: ignore[arg-type]
            return found
        return memoryview(table) if plain == name and table.ndim == 1 else table

    def _seed(self, seed: int) -> None:
        self.dice.seed_low[0] = seed & 0xFFFFFFFF
        self.dice.seed_high[0] = seed >> 32 & 0xFFFFFFFF
        self.dice.counter[0] = 0

    def clone(self, seed: int | None = None) -> Self:
        """An independent copy. With ``seed`` its future dice are its own (scripted dice, if any, are kept)."""
        copy = object.__new__(type(self))
        copy.setup = self.setup
        copy.buffer = self.buffer.copy()
        copy.recorder = None
        copy._options = None
        copy._lay_out()
        if seed is not None:
            copy._seed(seed)
        return copy

    def __copy__(self) -> Self:
        """An independent copy that goes on recording, if this battle does, behind the same events."""
        copy = self.clone()
        copy.recorder = None if self.recorder is None else self.recorder.copy()
        return copy

    def __deepcopy__(self, _memo: Any) -> Self:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), self.setup, self.buffer.tobytes(), self.recorder)

    def copy_from(self, other: BattleCore, seed: int | None = None) -> None:
        """Become a copy of ``other`` (of the same setup) without allocating anything; ``seed`` as for ``clone``."""
        if other.setup.layout is not self.setup.layout:
            raise ValueError("copy_from: both battles must share one setup")
        self.setup = other.setup  # another one where the players place the terrain
        self.buffer[:] = other.buffer
        self._options = None
        if seed is not None:
            self._seed(seed)

    def state_bytes(self) -> bytes:
        """The bare state. Two battles of one setup with equal bytes have the same future."""
        return self.buffer.tobytes()

    def to_bytes(self) -> bytes:
        """Setup and state, to be resumed exactly by ``from_bytes``."""
        header = {"layout": self.setup.layout_digest}
        return sealed(MAGIC, FORMAT, header, [self.setup.source.encode(), self.buffer.tobytes()])

    # ---- dice and events

    def d6(self) -> int:
        """Roll one D6."""
        return roll_d6(self.dice.rows, self.script_array)

    def roll(self, count: int, sides: int = 6, plus: int = 0) -> int:
        """Roll ``count`` dice of ``sides`` (3 or 6) and add ``plus``."""
        return roll_sum(self.dice.rows, self.script_array, count, sides, plus)

    def draw(self, count: int) -> int:
        """Draw one of ``count`` lots, 0 .. count - 1."""
        return draw_lot(self.dice.rows, self.script_array, count)

    @property
    def recording(self) -> bool:
        """Whether events are recorded."""
        return self.recorder is not None

    def note(self, rule: str, kind: str, **data: Any) -> None:
        """Record an event; callers check ``recorder`` first, so that nothing is paid when it is off."""
        if self.recorder is not None:
            self.recorder.append(Event(rule, kind, data))

    def tell(self, key: str, kind: str, **data: Any) -> None:
        """``note`` for code that several rulesets share: ``key`` names the rule, and each ruleset says which of its own that is
        (``Ruleset.rule_ids``)."""
        if self.recorder is not None:
            self.recorder.append(Event(self.setup.ruleset.rule(key), kind, data))

    @property
    def events(self) -> list[Event]:
        """Events so far, if the battle records them."""
        return self.recorder if self.recorder is not None else []

    # ---- control flow

    def push(self, procedure: type, *values: int) -> None:
        """Start a procedure on top of the stack with ``values`` as its first integers."""
        clock, stack = self.clock, self.stack
        depth = clock.depth[0]
        f = depth * FRAME_SIZE
        stack[f : f + FRAME_SIZE] = EMPTY_FRAME
        stack[f] = self.setup.ruleset.number[procedure]
        f += V
        for value in values:
            stack[f] = value
            f += 1
        clock.depth[0] = depth + 1

    def pop(self) -> int:
        """End the top procedure."""
        self.clock.depth[0] -= 1
        return GO

    @property
    def frame(self) -> int:
        """Offset of the top frame."""
        return int((self.clock.depth[0] - 1) * FRAME_SIZE)

    def ask(self, kind: type[DecisionKind], player: int, subject: int = -1) -> int:
        """Ask ``player`` a decision; returned by ``Procedure.advance``."""
        clock = self.clock
        clock.kind[0] = self.setup.ruleset.number[kind]
        clock.player[0] = player
        clock.subject[0] = subject
        return ASK

    def defaulted(self, kind: type[DecisionKind]) -> bool:
        """Whether decisions of this kind go to the kind's own default answer; a procedure may then take it at once."""
        return isinstance(self.setup.delegates.get(self.setup.ruleset.number[kind]), Default)

    def finish(self) -> None:
        """The battle is over. ``run`` clears the stack once the running step returns; nothing that the step started begins."""
        if not self.clock.over[0]:
            self.clock.over[0] = ENDED

    def run(self) -> None:
        """Run procedures until a decision must be asked or the battle is over.

        Raises:
            BrokenState: a decision has no option, or none comes.
            IllegalAction: a delegate of the user's answered with what is not legal; its decision waits now, for ``apply``.
        """
        setup, clock, stack = self.setup, self.clock, self.stack
        ruleset, depth, over = setup.ruleset, clock.depth, clock.over
        advances = ruleset.advances
        for _ in repeat(None, MOST_STEPS):
            if over[0] == ENDED:
                depth[0], over[0] = 0, ENDING
                ruleset.last_rolls(self)
            height = depth[0]
            if not height:
                break
            f = (height - 1) * FRAME_SIZE
            if not advances[stack[f]](self, f) or over[0] == ENDED:  # GO, or what it asked comes too late
                continue
            number, bits, marks = clock.kind[0], self.bits, self.marks
            kind = ruleset.kinds[number]
            marks[:] = self.blank
            kind.options(self, f, bits)
            options = marks.tobytes()  # looking through bytes beats numpy's reductions at this size
            first = options.find(1)
            if first < 0:
                raise BrokenState(f"decision {kind.name} has no option")
            if options.find(1, first + 1) < 0:
                kind.answer(self, f, first)
                continue
            self._options = options
            delegate = setup.delegates.get(number)
            if delegate is None:
                clock.asking[0] = 1
                return
            own = type(delegate) is Default
            kind.answer(self, f, kind.delegate(self, f, bits) if own else self._delegated(delegate))
        else:
            raise BrokenState(f"no decision came in {MOST_STEPS} steps")
        clock.asking[0] = 0
        over[0] = OVER
        clock.winner[0] = self.setup.ruleset.winner(self)
        self._options = None

    def _delegated(self, delegate: Delegate) -> int:
        """What a delegate of the user's answers to the decision that was worked out, which waits while it thinks.

        Raises:
            IllegalAction: it is not legal.
        """
        clock = self.clock
        clock.asking[0] = 1
        if "_views" not in self.__dict__:
            self._views = (SeatView(), SeatView())
        seat = clock.player[0]
        answer = delegate(self._views[seat].of(self, seat), self.legal())
        try:
            action = self._legal_action(answer)
        except (TypeError, IllegalAction) as error:
            kind = self.setup.ruleset.kinds[clock.kind[0]].name
            name = getattr(delegate, "__qualname__", type(delegate).__qualname__)
            raise IllegalAction(f"delegate {name} of {kind}: {error}") from None
        clock.asking[0] = 0
        return action

    def _find_options(self) -> bytes:
        """Work out the legal slots of the waiting decision; none where none waits."""
        bits, clock = self.bits, self.clock
        self.marks[:] = self.blank
        if clock.asking[0]:
            try:
                self.setup.ruleset.kinds[clock.kind[0]].options(self, self.frame, bits)
            except Exception as error:
                self._fail(error)
        options: bytes = bits.tobytes()
        self._options = options
        return options

    def _legal_action(self, action: SupportsIndex) -> int:
        """The action as a number.

        Raises:
            TypeError: it is none. IllegalAction: it is not legal.
        """
        chosen, options = self._in_space(action), self.legal_bytes()
        if not options[chosen]:
            kind = self.setup.ruleset.kinds[self.clock.kind[0]]
            raise IllegalAction(f"action {chosen} ({self.default_words(chosen)}) is not legal for decision {kind.name}")
        return chosen

    def _in_space(self, action: SupportsIndex) -> int:
        """The action as a number.

        Raises:
            TypeError: it is none. IllegalAction: it is outside the action space.
        """
        chosen, size = index(action), self.setup.space.size
        if not 0 <= chosen < size:
            raise IllegalAction(f"action {shown(chosen)} is outside the action space 0..{size - 1}")
        return chosen

    def _row(self, table: str, row: SupportsIndex) -> int:
        """A row of ``units`` or ``objectives`` as a number.

        Raises:
            TypeError: it is none. IndexError: there is no such row.
        """
        chosen, rows = index(row), len(getattr(self, table).rows)
        if not 0 <= chosen < rows:
            raise IndexError(f"row {shown(chosen)} of {table}: expected 0..{rows - 1}")
        return chosen

    def _fail(self, error: Exception) -> NoReturn:
        """An error arose in play: the engine's own, unless the state came from elsewhere and led to it."""
        if self.setup.outside and not isinstance(error, BrokenState | IllegalAction):
            raise BrokenState(f"the state contradicts itself ({type(error).__name__}: {error})") from error
        raise error

    # ---- what players use

    @property
    def over(self) -> bool:
        """Whether the battle has ended."""
        return bool(self.clock.over[0] == OVER)

    def legal(self) -> Array:
        """The mask over the action space (bool, shape ``(space.size,)``); read-only, and the same as long as it is kept."""
        options = self._options
        if options is None:
            options = self._find_options()
        return ndarray(len(options), BOOL, options)  # four fifths of the time of ``np.frombuffer``

    def legal_bytes(self) -> bytes:
        """``legal`` as bytes, 1 for each legal action; quicker to look through than an array."""
        options = self._options
        return self._find_options() if options is None else options

    def first_legal(self) -> int:
        """The lowest legal action, 0 if there is none."""
        return max(0, self.legal_bytes().find(1))

    @property
    def decision(self) -> Decision | None:
        """The decision that waits, or ``None`` when the battle is over."""
        clock = self.clock
        if not clock.asking[0]:
            return None
        kind = self.setup.ruleset.kinds[clock.kind[0]]
        options = np.flatnonzero(self.legal()).tolist()
        return Decision(clock.player[0], kind.name, clock.subject[0], options)

    def apply(self, action: SupportsIndex) -> None:
        """Answer the waiting decision.

        Raises:
            IllegalAction: the action is not legal (the state is untouched), or the battle is over; or a delegate of the user's
                answered a later decision with what is not legal (see ``run``).
            TypeError: the action is no whole number (the state is untouched).
            BrokenState: the battle cannot go on; only from a state that came from elsewhere (``from_bytes``).
        """
        clock = self.clock
        if not clock.asking[0]:
            raise IllegalAction("the battle is over, no decision waits")
        options = self._options
        if options is None or type(action) is not int or not 0 <= action < len(options) or not options[action]:
            action = self._legal_action(action)  # what is no int, or not legal
        clock.asking[0] = 0
        clock.decisions[0] += 1
        self._options = None
        try:
            self.setup.ruleset.kinds[clock.kind[0]].answer(self, (clock.depth[0] - 1) * FRAME_SIZE, action)
            self.run()
        except Exception as error:
            self._fail(error)

    def apply_on(self, table: BattleCore, action: int) -> None:
        """``apply``, played on ``table``, a battle of the same layout, which is an exact copy afterwards, its mask included.

        Of many battles played in turn each finds its own views cold. Those of one table for all of them stay warm, which saves more
        than copying costs. Events are not recorded.

        Raises:
            IllegalAction: as ``apply``; this battle is untouched.
        """
        self.legal_bytes()
        table._become(self)
        table.apply(action)
        self._become(table)

    def _become(self, other: BattleCore) -> None:
        """``copy_from``, with the options, which need not be worked out again."""
        self.copy_from(other)
        self._options = other._options

    def pending(self) -> Pending:
        """What the waiting decision is about besides its kind and subject; to be called only while one waits."""
        kind: DecisionKind = self.setup.ruleset.kinds[self.clock.kind[0]]
        return kind.pending(self, self.frame)

    def describe(self, action: SupportsIndex) -> str:
        """Words for an action of the waiting decision; for one that is not legal what its slot stands for.

        Raises:
            TypeError: the action is no whole number. IllegalAction: it is outside the action space.
        """
        chosen = self._in_space(action)
        if not self.legal_bytes()[chosen]:
            return self.default_words(chosen)
        return str(self.setup.ruleset.kinds[self.clock.kind[0]].describe(self, self.frame, chosen))

    def default_words(self, action: int) -> str:
        """Words for an action by its segment alone."""
        segment, slot = self.setup.space.split(action)
        player = self.clock.player[0]
        if segment in (Segment.OWN, Segment.ENEMY):
            side = player if segment == Segment.OWN else 1 - player
            row = self.players.first_unit[side] + slot
            if slot < self.players.units[side]:
                return str(self.setup.names["units"][row])
        if segment == Segment.DONE:
            return "done"
        if segment == Segment.CELL:
            return f"cell column {slot % self.setup.space.grid}, row {slot // self.setup.space.grid}"
        return f"{segment.name.lower()} {slot}"

    def explain(self, event: Event) -> str:
        """The rule that an event applied: id; the content layer adds title and place in the source."""
        return event.rule

    @property
    def result(self) -> Result | None:
        """The result, or ``None`` while the battle goes on."""
        if not self.over:
            return None
        winner = self.clock.winner[0]
        vp = self.players.vp
        return Result(winner if winner >= 0 else None, (vp[0], vp[1]), self.clock.round[0])

    def distance(self, unit: SupportsIndex, other: SupportsIndex) -> float:
        """Inches between the closest models of two units on the table; may be asked at any time, changes nothing.

        Raises:
            TypeError: a row is no whole number. IndexError: there is no such unit.
        """
        one, two = self._row("units", unit), self._row("units", other)
        return float(unit_distance(self.models.rows, self.units.rows, one, two))

    def marker_distance(self, unit: SupportsIndex, marker: SupportsIndex) -> float:
        """Horizontal inches from the closest model of a unit to the edge of an objective marker.

        Raises:
            TypeError: a row is no whole number. IndexError: there is no such unit or marker.
        """
        m, o, marker = self.models, self.objectives, self._row("objectives", marker)
        x, y, r = o.x[marker], o.y[marker], o.radius[marker]
        gaps = (
            disc_gap_at(m.rows, k, m.x[k], m.y[k], m.facing[k], x, y, r) for k in self.members(self._row("units", unit))
        )
        return float(min(gaps, default=inf))

    # ---- walks over tables

    def units_of(self, player: int) -> range:
        """Rows of the units of ``player``."""
        return self.setup.sides[player]

    def members(self, unit: int) -> Iterator[int]:
        """Rows of the models that fight in ``unit`` now (those of the unit attached to it included) and stand on the table."""
        u, m = self.units, self.models
        for row in (unit, u.leader[unit]):
            if row >= 0:
                for k in range(u.first[row], u.first[row] + u.count[row]):
                    if m.on_table[k] and m.unit[k] == unit:
                        yield k
