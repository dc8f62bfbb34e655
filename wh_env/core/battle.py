"""The battle: its state, the loop that runs procedures, and the methods that players and policies use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
from wh_env.core.lazy import Lazy
from wh_env.core.procedures import ASK, FRAME_SIZE, GO, DecisionKind, Default, V
from wh_env.core.reports import BrokenState, Decision, IllegalAction, Result, shown
from wh_env.core.restoring import restored
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


class BattleCore(Tables):
    """A running battle.

    The whole state stands in ``buffer`` (uint8). The other attributes are views of it, or the list of recorded events
    (``recorder``), or values that can be computed again: ``mask`` (bool, one for each action), in which a decision kind
    marks its options, and ``_options``, the same options as immutable bytes. ``work`` is the scratch memory that the
    ruleset's kernels write (``Ruleset.workspace``); no other battle uses it while this battle lives.

    ``copy.copy`` and ``copy.deepcopy`` make independent copies that share the Setup. A pickle holds the Setup as its
    source text.
    """

    _options: bytes | None  # legal slots of the waiting decision, one byte a slot; None: not worked out

    def __init__(self, setup: Setup, seed: int = 0, *, record: bool = False) -> None:
        """Start a battle and run it up to its first decision.

        Args:
            setup: everything that does not change during the battle. seed: of the dice; its lowest 64 bits count.
                record: whether to record events.

        Raises:
            BrokenState: as ``run``. IllegalAction: as ``run``.
        """
        self._bind(setup, setup.template.copy(), record)
        self._seed(seed)
        setup.ruleset.start(self)
        self.run()

    # ---- state

    def _bind(self, setup: Setup, buffer: Array, record: bool) -> None:
        """Attach the battle to ``setup`` and to ``buffer`` (uint8, ``layout.size`` bytes), which it uses without
        copying.
        """
        self._name((*setup.layout.offsets, *setup.ruleset.bundles))
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
        """Give the class a ``Lazy`` attribute ``NAME`` and ``NAME_array`` for each of these tables, unless it has one
        or every battle binds the table at once.
        """
        for table in tables:
            for name in (table, f"{table}_array"):
                if name not in EVERYWHERE and not hasattr(BattleCore, name):
                    setattr(BattleCore, name, Lazy(name))

    def _lay_out(self) -> None:
        """Bind the tables that every battle uses (``COMMON`` and ``stack``) to the buffer."""
        setup, buffer = self.setup, self.buffer
        layout, memory = setup.layout, memoryview(buffer)  # type: ignore[arg-type]
        for name, columns in setup.common:
            table = new(columns)
            table.origin = layout, name, memory
            setattr(self, name, table)
        first, end = setup.stack
        self.stack: Any = memory[first:end].cast("i")

    def _find(self, name: str) -> Any:
        """The value of a ``Lazy`` attribute: a table of the buffer, the mask, a view of the mask, the workspace, or a
        bundle of tables of the ruleset.

        A table with columns is bound as ``Columns``. A list of plain numbers is bound as a memoryview under NAME and as
        an array under NAME_array; a matrix is bound as an array.

        Raises:
            AttributeError: the layout has no table of this name.
        """
        # bound on first use, so that a clone on which nobody plays costs one copy of the buffer and no more
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
        bundle = self.setup.ruleset.bundles.get(name)
        if bundle is not None:
            view = self.setup.layout.view
            return bundle(*(view(self.buffer, table) for table in bundle._fields))  # type: ignore[attr-defined]
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
        """Start the dice generator anew with the lowest 64 bits of ``seed``."""
        self.dice.seed_low[0] = seed & 0xFFFFFFFF
        self.dice.seed_high[0] = seed >> 32 & 0xFFFFFFFF
        self.dice.counter[0] = 0

    def clone(self, seed: int | None = None) -> Self:
        """An independent copy that records no events.

        Args:
            seed: seed for the copy's future dice; ``None``: it rolls the same dice as this battle. Scripted dice stay
                in both cases.
        """
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
        """An independent copy. If this battle records events, the copy holds the events so far and records on."""
        copy = self.clone()
        copy.recorder = None if self.recorder is None else self.recorder.copy()
        return copy

    def __deepcopy__(self, _memo: Any) -> Self:
        """The same as ``__copy__``: the Setup is shared."""
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the Setup, the bytes of the state and the recorded events; ``restored`` reads them."""
        return restored, (type(self), self.setup, self.buffer.tobytes(), self.recorder)

    def copy_from(self, other: BattleCore, seed: int | None = None) -> None:
        """Become a copy of ``other`` without allocating memory; ``seed`` as for ``clone``. The recorder of this battle
        stays as it is.

        Raises:
            ValueError: the two battles do not share one layout.
        """
        if other.setup.layout is not self.setup.layout:
            raise ValueError("copy_from: both battles must share one setup")
        self.setup = other.setup  # another one where the players place the terrain
        self.buffer[:] = other.buffer
        self._options = None
        if seed is not None:
            self._seed(seed)

    def state_bytes(self) -> bytes:
        """The bytes of the state alone. Two battles of one Setup with equal bytes have the same future."""
        return self.buffer.tobytes()

    def to_bytes(self) -> bytes:
        """Setup (as its source text) and state as a sealed file, from which ``from_bytes`` resumes the same battle."""
        header = {"layout": self.setup.layout_digest}
        return sealed(MAGIC, FORMAT, header, [self.setup.source.encode(), self.buffer.tobytes()])

    # ---- dice and events

    def d6(self) -> int:
        """Roll one D6, 1 to 6."""
        return roll_d6(self.dice.rows, self.script_array)

    def roll(self, count: int, sides: int = 6, plus: int = 0) -> int:
        """Roll ``count`` dice with ``sides`` sides (3 or 6) and return their sum plus ``plus``."""
        return roll_sum(self.dice.rows, self.script_array, count, sides, plus)

    def draw(self, count: int) -> int:
        """Draw one of ``count`` equally likely lots, 0 to ``count - 1``."""
        return draw_lot(self.dice.rows, self.script_array, count)

    @property
    def recording(self) -> bool:
        """Whether events are recorded."""
        return self.recorder is not None

    def note(self, rule: str, kind: str, **data: Any) -> None:
        """Record an event, if the battle records any: the catalogue id of its rule, its kind, and its data as keywords.

        Callers test ``recorder`` themselves first, so that they do not collect the data when it is off.
        """
        if self.recorder is not None:
            self.recorder.append(Event(rule, kind, data))

    def tell(self, key: str, kind: str, **data: Any) -> None:
        """``note`` for code that several rulesets share: ``key`` names the rule, and ``Ruleset.rule_ids`` maps it to
        the id of the edition that is played.

        Raises:
            KeyError: the ruleset has no rule for this key (only if the battle records events).
        """
        if self.recorder is not None:
            self.recorder.append(Event(self.setup.ruleset.rule(key), kind, data))

    @property
    def events(self) -> list[Event]:
        """The events so far; an empty list if the battle records none."""
        return self.recorder if self.recorder is not None else []

    # ---- control flow

    def push(self, procedure: type, *values: int) -> None:
        """Put a frame of ``procedure`` on top of the stack. ``values`` are its first integers, from offset ``V`` on;
        all others are 0.
        """
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
        """Remove the top frame from the stack: its procedure ends. Returns ``GO``, for ``advance`` to return."""
        self.clock.depth[0] -= 1
        return GO

    @property
    def frame(self) -> int:
        """Offset of the top frame in ``stack``; negative if the stack is empty."""
        return (self.clock.depth[0] - 1) * FRAME_SIZE

    def ask(self, kind: type[DecisionKind], player: int, subject: int = -1) -> int:
        """Note in the clock that ``player`` must answer a decision of this kind about unit row ``subject`` (-1: no
        unit).

        Returns ``ASK``, for ``Procedure.advance`` to return. ``run`` then looks for the options.
        """
        clock = self.clock
        clock.kind[0] = self.setup.ruleset.number[kind]
        clock.player[0] = player
        clock.subject[0] = subject
        return ASK

    def is_answered_by_default(self, kind: type[DecisionKind]) -> bool:
        """Whether decisions of this kind are answered by the kind's own default at this level of detail. A procedure
        may then take that answer at once, without asking.
        """
        return isinstance(self.setup.delegates.get(self.setup.ruleset.number[kind]), Default)

    def finish(self) -> None:
        """Mark the battle as ended. ``run`` clears the stack as soon as the running step returns, so no procedure that
        the step pushed begins.
        """
        if not self.clock.over[0]:
            self.clock.over[0] = ENDED

    def run(self) -> None:
        """Run procedures until a decision waits for a player or the battle is over.

        A decision with one option is answered with it. A decision that the Setup delegates is answered by its delegate.

        Raises:
            BrokenState: a decision has no option, or after ``MOST_STEPS`` steps no decision has come.
            IllegalAction: a delegate of the user gave an illegal answer. Its decision now waits for ``apply``.
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
            if not advances[stack[f]](self, f) or over[0] == ENDED:  # GO, or it asked after the end of the battle
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
        """The answer of a user's delegate to the decision whose options ``run`` has found. The decision counts as
        waiting while the delegate thinks.

        Raises:
            IllegalAction: the answer is not legal.
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
        """Compute the options of the waiting decision (bytes, one for each action, 1 if legal) and store them; all 0 if
        no decision waits.

        Raises:
            BrokenState: the state is from a file and contradicts itself.
        """
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
        """``action`` as an int, if it is legal now.

        Raises:
            TypeError: it is no whole number. IllegalAction: it is not legal.
        """
        chosen, options = self._in_space(action), self.legal_bytes()
        if not options[chosen]:
            kind = self.setup.ruleset.kinds[self.clock.kind[0]]
            raise IllegalAction(f"action {chosen} ({self.default_words(chosen)}) is not legal for decision {kind.name}")
        return chosen

    def _in_space(self, action: SupportsIndex) -> int:
        """``action`` as an int, if the action space contains it.

        Raises:
            TypeError: it is no whole number. IllegalAction: it is outside the action space.
        """
        chosen, size = index(action), self.setup.space.size
        if not 0 <= chosen < size:
            raise IllegalAction(f"action {shown(chosen)} is outside the action space 0..{size - 1}")
        return chosen

    def _row(self, table: str, row: SupportsIndex) -> int:
        """``row`` as an int, if ``table`` (``units`` or ``objectives``) has such a row.

        Raises:
            TypeError: it is no whole number. IndexError: there is no such row.
        """
        chosen, rows = index(row), len(getattr(self, table).rows)
        if not 0 <= chosen < rows:
            raise IndexError(f"row {shown(chosen)} of {table}: expected 0..{rows - 1}")
        return chosen

    def _fail(self, error: Exception) -> NoReturn:
        """Raise ``error`` again; as ``BrokenState`` if the state came from a file, because then the state and not the
        engine is at fault.
        """
        if self.setup.outside and not isinstance(error, BrokenState | IllegalAction):
            raise BrokenState(f"the state contradicts itself ({type(error).__name__}: {error})") from error
        raise error

    # ---- what players use

    @property
    def over(self) -> bool:
        """Whether the battle is over; its last rolls have been made."""
        return self.clock.over[0] == OVER

    def legal(self) -> Array:
        """The mask of legal actions (bool, shape ``(space.size,)``). It is read-only and does not change when the
        battle goes on.
        """
        options = self._options
        if options is None:
            options = self._find_options()
        return ndarray(len(options), BOOL, options)  # four fifths of the time of ``np.frombuffer``

    def legal_bytes(self) -> bytes:
        """``legal`` as bytes, 1 for each legal action; bytes are searched faster than an array."""
        options = self._options
        return self._find_options() if options is None else options

    def first_legal(self) -> int:
        """The lowest legal action; 0 if there is none."""
        return max(0, self.legal_bytes().find(1))

    @property
    def decision(self) -> Decision | None:
        """The decision that waits; ``None`` if the battle is over."""
        clock = self.clock
        if not clock.asking[0]:
            return None
        kind = self.setup.ruleset.kinds[clock.kind[0]]
        options = np.flatnonzero(self.legal()).tolist()
        return Decision(clock.player[0], kind.name, clock.subject[0], options)

    def apply(self, action: SupportsIndex) -> None:
        """Answer the waiting decision and run the battle up to the next one.

        Raises:
            IllegalAction: the action is not legal (the state is unchanged), or the battle is over; or a user's delegate
                gave an illegal answer to a later decision (see ``run``).
            TypeError: the action is no whole number (the state is unchanged).
            BrokenState: the battle cannot go on; only for a state that came from elsewhere (``from_bytes``).
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
        """The same as ``apply``, but ``table``, another battle of the same layout, plays the action. Afterwards both
        are equal, masks included.

        When many battles take turns, the memory of each is out of the processor's cache. One battle that plays for all
        of them stays in the cache, which saves more time than the two copies cost. No events are recorded.

        Raises:
            IllegalAction: as ``apply``; this battle is unchanged.
            ValueError: the two battles do not share one layout.
        """
        self.legal_bytes()
        table._become(self)
        table.apply(action)
        self._become(table)

    def _become(self, other: BattleCore) -> None:
        """``copy_from`` which also takes over the options, so that they need not be computed again."""
        self.copy_from(other)
        self._options = other._options

    def pending(self) -> Pending:
        """What the waiting decision is about besides its kind and subject. Call it only while a decision waits."""
        kind: DecisionKind = self.setup.ruleset.kinds[self.clock.kind[0]]
        return kind.pending(self, self.frame)

    def describe(self, action: SupportsIndex) -> str:
        """Words for an action of the waiting decision; for an illegal action, words for its slot of the action space.

        Raises:
            TypeError: the action is no whole number. IllegalAction: it is outside the action space.
        """
        chosen = self._in_space(action)
        if not self.legal_bytes()[chosen]:
            return self.default_words(chosen)
        return str(self.setup.ruleset.kinds[self.clock.kind[0]].describe(self, self.frame, chosen))

    def default_words(self, action: int) -> str:
        """Words for an action that say only its segment and slot, or the name of the unit or model in that slot."""
        segment, slot = self.setup.space.split(action)
        player = self.clock.player[0]
        if segment in (Segment.OWN, Segment.ENEMY):
            side = player if segment == Segment.OWN else 1 - player
            row = self.players.first_unit[side] + slot
            if slot < self.players.units[side]:
                return str(self.setup.names["units"][row])
        if segment == Segment.MODEL and self.clock.asking[0]:
            subject = self.clock.subject[0]
            rows = self.pending().slots or (self.members(subject) if 0 <= subject < len(self.units.rows) else ())
            if slot < len(rows := list(rows)):
                return str(self.setup.names["models"][rows[slot]])
        if segment == Segment.DONE:
            return "done"
        if segment == Segment.CELL:
            return f"cell column {slot % self.setup.space.grid}, row {slot // self.setup.space.grid}"
        return f"{segment.name.lower()} {slot}"

    def explain(self, event: Event) -> str:
        """The id of the rule that ``event`` applied. ``content.Battle`` adds the rule's title and its place in the
        source.
        """
        return event.rule

    @property
    def result(self) -> Result | None:
        """The result; ``None`` while the battle goes on."""
        if not self.over:
            return None
        winner = self.clock.winner[0]
        vp = self.players.vp
        return Result(winner if winner >= 0 else None, (vp[0], vp[1]), self.clock.round[0])

    def distance(self, unit: SupportsIndex, other: SupportsIndex) -> float:
        """Inches between the closest models of two units on the table. It may be asked at any time and changes nothing.

        Raises:
            TypeError: a row is no whole number. IndexError: there is no such unit.
        """
        one, two = self._row("units", unit), self._row("units", other)
        return float(unit_distance(self.models.rows, self.units.rows, one, two))

    def marker_distance(self, unit: SupportsIndex, marker: SupportsIndex) -> float:
        """Horizontal inches from the closest model of a unit to the edge of an objective marker; infinite if no model
        is on the table.

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
        """The range of the unit rows of ``player``."""
        return self.setup.sides[player]

    def members(self, unit: int) -> Iterator[int]:
        """Rows of the models on the table that fight in ``unit`` now, including those of the unit attached to it."""
        u, m = self.units, self.models
        for row in (unit, u.leader[unit]):
            if row >= 0:
                for k in range(u.first[row], u.first[row] + u.count[row]):
                    if m.on_table[k] and m.unit[k] == unit:
                        yield k
