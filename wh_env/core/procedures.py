"""Procedures, decision kinds and rulesets: the vocabulary in which a game is written.

A ``Procedure`` plays a sequence of the rules step by step. Its code has no state of its own. Its state is a frame, a
slice of the stack: the number of the procedure, the step, and ``FRAME_SIZE - 2`` integers. A procedure declares its
steps and its integers by name::

    class Charge(Procedure):
        class Step(Steps):
            BEGIN, TARGETS, ROLL, END = range(4)

        UNIT = integer(row_of("units"))
        COUNT = integer(count_of("units"))

``Charge.COUNT`` is the offset of that integer in a frame (``g.stack[f + Charge.COUNT]``), and ``Charge.Step.ROLL`` is a
number. Only a procedure and the decision kinds that it asks use them; other code calls methods of the procedure.
``advance`` does one step and returns ``GO``; to ask a player, it returns ``g.ask(...)``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wh_env.core.bounds import Bounds, between, code, player, zero
from wh_env.core.chances import Chances
from wh_env.core.events import FIELDS, NONE, WOUNDS_LOST, Event, Field, Harm, Tally
from wh_env.core.features import PLAIN, Features, Formation, Pending
from wh_env.core.frozen import Unchanging
from wh_env.core.numbering import Numbers
from wh_env.core.rule_ids import RuleIds

if TYPE_CHECKING:
    from wh_env.core.battle import BattleCore
    from wh_env.core.setup import Delegate, Setup
    from wh_env.core.tables import Array
    from wh_env.core.validation import Fault

GO = 0
ASK = 1
FRAME_SIZE = 16
STEP = 1  # offset of the step in a frame
V = 2  # offset of the first integer that a procedure may declare


def beneath(f: int) -> int:
    """The offset of the frame beneath the one at ``f``: the frame of the procedure that goes on when this one ends."""
    return f - FRAME_SIZE


def above(f: int) -> int:
    """The offset at which the frame at ``f`` ends."""
    return f + FRAME_SIZE


class Steps(Unchanging):
    """Base class for the steps of a procedure by name. A derived procedure has the steps of its base too.

    The steps are plain numbers, because members of an ``IntEnum`` take several times as long to compare. A procedure
    class has an object with the names in place of the nested class, because Python 3.11 looks names up in a class
    several times as slowly.
    """


def step_names(steps: Steps | type[Steps]) -> dict[str, int]:
    """The number of each step by name."""
    return {name: number for name, number in vars(steps).items() if name.isupper()}


def named_steps(names: Mapping[str, int]) -> Steps:
    """An object with these steps as attributes. It has a type of its own, because the interpreter caches attributes by
    type.
    """
    steps: Steps = type("Step", (Steps,), {})()
    for name, number in names.items():
        object.__setattr__(steps, name, number)
    return steps


@dataclass(frozen=True, eq=False)
class Integer:
    """An integer of a frame as a class body declares it. ``Procedure.__init_subclass__`` replaces it in the class by
    its offset.

    Attributes:
        bounds: what it may hold while a decision waits.
        at: its offset; -1: the first free one.
        width: how many integers in a row it stands for; the name is the offset of the first.
    """

    bounds: Bounds
    at: int
    width: int


def integer(bounds: Bounds, *, at: int = -1, width: int = 1) -> int:
    """Declare an integer of a procedure's frame; in the finished class its name is its offset. See ``Integer`` for the
    arguments.

    ``at=STEP`` gives a name to the step itself, for a procedure that counts instead of going through named steps.
    ``OTHER = NAME`` in a class body gives one integer two names. A subclass that declares an inherited name again gives
    it other bounds.
    """
    declared: Any = Integer(bounds, at, width)
    return declared  # type: ignore[no-any-return]


class Procedure(Unchanging):
    """A sequence of the rules, played step by step; rulesets register subclasses and number them (``Ruleset.number``).

    A class declares what its frame may hold while a decision waits, so that states from files can be checked.

    Attributes:
        Step: its steps by name.
        asks: names of the decision kinds that it may ask.
        steps: bounds of the step. They follow from the names; a class sets them itself if a decision can wait only in
            some of its steps.
        offsets: offsets of its integers by name.
        slots: bounds of its integers by offset; an integer without a name is always 0.
    """

    Step: ClassVar[type[Steps]] = Steps
    steps: ClassVar[Bounds] = zero()
    offsets: ClassVar[Mapping[str, int]] = MappingProxyType({})
    slots: ClassVar[Mapping[int, Bounds]] = MappingProxyType({})
    asks: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Give every declared integer its offset, and work out the bounds of the step.

        Raises:
            TypeError: two integers have one offset, or an integer lies outside the frame.
        """
        super().__init_subclass__(**options)
        bases = [base for base in reversed(cls.__mro__[1:]) if issubclass(base, Procedure)]
        offsets = {name: at for base in bases for name, at in base.offsets.items()}
        bounds = {at: limit for base in bases for at, limit in base.slots.items()}
        placed: dict[Integer, int] = {}
        for name, value in list(vars(cls).items()):
            if not isinstance(value, Integer):
                continue
            if value not in placed:
                placed[value] = offsets.get(name, value.at)
                if name not in offsets:
                    placed[value] = _place(f"{cls.__name__}.{name}", value, bounds)
            at = offsets[name] = placed[value]
            bounds.update(dict.fromkeys(range(at, at + value.width), value.bounds))
            setattr(cls, name, at)
        cls.offsets, cls.slots = MappingProxyType(offsets), MappingProxyType(bounds)
        if STEP in bounds:
            cls.steps = bounds[STEP]
        elif "Step" in vars(cls):
            names = {name: number for base in (*bases, cls) for name, number in step_names(base.Step).items()}
            numbers = sorted(names.values())
            cls.Step = named_steps(names)  # type: ignore[assignment]
            if "steps" not in vars(cls):
                consecutive = numbers == list(range(len(numbers)))
                cls.steps = between(0, numbers[-1]) if consecutive else code(*numbers)

    def advance(self, g: BattleCore, f: int) -> int:
        """Do the next step of the frame at offset ``f`` of ``g.stack``. Returns ``GO``, or ``ASK`` from ``g.ask``."""
        raise NotImplementedError

    def may_ask(self, ruleset: Ruleset) -> Iterable[str]:
        """Names of the decision kinds that it may ask in battles of ``ruleset``. Of the kinds of a shared procedure, a
        ruleset may register only some.
        """
        return (name for name in self.asks if name in ruleset.kind_by_name)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the integers of the frame at ``f`` agree with each other and with the tables. Each is already known
        to be within its bounds.

        Called for states from files, before any code reads a table with these integers.
        """
        return True


def _place(name: str, declared: Integer, taken: Mapping[int, Bounds]) -> int:
    """The offset for a declared integer.

    Args:
        name: for the error message. declared: the integer. taken: the offsets that are in use.

    Raises:
        TypeError: its offset is in use or outside the frame, or there is no room for its width.
    """
    wanted = range(V, FRAME_SIZE) if declared.at < 0 else (declared.at,)
    for at in wanted:
        end = at + declared.width
        if at >= STEP and end <= FRAME_SIZE and not any(k in taken for k in range(at, end)):
            return at
    raise TypeError(
        f"{name}: offset {declared.at} is taken or outside the frame; expected {declared.width} free in a row"
    )


class OfPlayer(Procedure):
    """Base class for a sequence that one player plays; the player is the first integer that is pushed."""

    PLAYER = integer(player())


class DecisionKind(Unchanging):
    """A kind of decision: which actions are legal, what an answer does, and how to put it in words.

    Attributes:
        name: unique among the kinds of a ruleset.
        what: what the player chooses, in words; it takes the place of a docstring.
        squad, full: whether it is asked at ``detail="squad"`` and at ``detail="full"``.
        instead: what happens at the squad detail if procedures never come to this decision there; empty: the default
            answer is taken.
        policy: the answer of ``delegate`` in words; empty: the first legal action.
        midway: whether it is asked in the middle of its subject's move, where the subject's models may overlap others.
        keys: the rules that it carries out, as keys of ``Ruleset.rule_ids`` or ids of the catalogue.
        rules: the catalogue ids of these rules, which the ruleset works out when it registers the kind.
    """

    name: ClassVar[str]
    what: ClassVar[str] = ""
    squad: ClassVar[bool] = True
    full: ClassVar[bool] = True
    instead: ClassVar[str] = ""
    policy: ClassVar[str] = ""
    midway: ClassVar[bool] = False
    keys: ClassVar[tuple[str, ...]] = ()
    rules: tuple[str, ...] = ()

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        """Set the legal actions in ``mask`` (one bool for each action, all False before); at least one must be set.
        ``f``: offset of the frame that asks.
        """
        raise NotImplementedError

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        """Carry out the legal ``action``. ``f``: offset of the frame that asked."""
        raise NotImplementedError

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        """Words for ``action`` as an answer to this decision."""
        return g.default_words(action)

    def pending(self, g: BattleCore, f: int) -> Pending:
        """What the decision is about besides its subject: where its cells lie, which model, which weapon."""
        return PLAIN

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        """The default answer, for a detail at which the decision is not asked: the first legal action, unless the kind
        has a better one.
        """
        return g.first_legal()


class ChooseUnit(DecisionKind):
    """Base class for decisions in which a player chooses one of the own units; a procedure ``OfPlayer`` asks them."""

    declines: ClassVar[bool] = False  # whether ``done`` (no further unit) is legal too

    def among(self, g: BattleCore, player: int) -> Iterable[int]:
        """Rows of the units that ``may`` is asked about; no other unit can be chosen."""
        return g.units_of(player)

    def may(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit may be chosen."""
        raise NotImplementedError

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        """Carry out the choice of ``unit``."""
        raise NotImplementedError

    def declined(self, g: BattleCore, f: int) -> None:
        """Carry out ``done``: the player chooses no further unit."""
        raise NotImplementedError

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        """The units that may be chosen, and ``done`` if the kind ``declines``."""
        player = g.stack[f + OfPlayer.PLAYER]
        at = g.setup.space.own - g.players.first_unit[player]
        mask[0] = self.declines
        for unit in self.among(g, player):
            if self.may(g, unit):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        """Call ``chosen`` with the row of the unit, or ``declined`` for ``done``."""
        if action == 0:
            self.declined(g, f)
        else:
            self.chosen(g, f, g.players.first_unit[g.stack[f + OfPlayer.PLAYER]] + action - g.setup.space.own)


class Outlook(NamedTuple):
    """What the armies of a position are worth besides the points already scored: the value for one seat minus that for
    the other, in victory points.

    Attributes:
        due: points that would still be counted if the battle ended now, without those for fleeing units.
        flights: points that would be counted for fleeing units, which may still rally.
        army: value of the units that are left and do not flee.
        soon: expected value of the charges of the next turns and of combats under way.
    """

    due: float
    flights: float
    army: float
    soon: float


class Appraiser:
    """Estimates what the options of decisions are worth, without playing them; made for one Setup. It reads only what
    the deciding player may know, and changes nothing.

    The base class makes no estimate and gives the engine's default answers.
    """

    def best(self, battle: BattleCore, mask: Array) -> int:
        """The legal action of the waiting decision with the highest expected value. ``mask``: ``battle.legal()``."""
        kind = battle.setup.ruleset.kinds[battle.clock.kind[0]]
        action = kind.delegate(battle, battle.frame, memoryview(mask))  # type: ignore[arg-type]
        return int(action) if mask[action] else int(mask.argmax())

    def outlook(self, g: BattleCore, seat: int) -> Outlook | None:
        """What the armies are worth as ``seat`` sees them; ``None`` if observations say everything that there is to
        say. It rolls no dice.
        """
        return None

    def prospects(self, g: BattleCore, unit: int, enemy: int) -> Sequence[str]:
        """What ``unit`` can expect of ``enemy`` (rows), as lines of text for people, besides what observations say of
        the pair.

        It rolls no dice and reads only what both players see.
        """
        return ()


class Audit:
    """Checks, for one battle, what must hold after every action in battles of a ruleset, besides what always must."""

    def before(self) -> None:
        """Called before an action is applied."""

    def after(self) -> list[str]:
        """Called after an action was applied; returns in words what does not hold."""
        return []


def can_be_played(cls: type) -> bool:
    """Whether a class is complete: a procedure with a method ``advance`` of its own, or a decision kind with a name."""
    return hasattr(cls, "name") if issubclass(cls, DecisionKind) else "advance" in vars(cls)


@dataclass(frozen=True)
class Hidden:
    """Rows ``first`` to ``last - 1`` of some columns of a table that a seat cannot see; no columns: all of them."""

    table: str
    columns: tuple[str, ...]
    first: int
    last: int


class Ruleset(Unchanging):
    """A game: its procedures, its decision kinds, how a battle starts and how its result is found.

    One object serves all battles and does not change.
    """

    id: str = ""
    phases: tuple[str, ...] = ()  # a name for each value of ``clock.phase``
    length_unit: str = "in"  # of all lengths in the tables: ``in`` or ``cm``
    features: Features = Features()  # what it adds to observations
    bundles: Mapping[str, type[tuple[Any, ...]]] = MappingProxyType({})  # of tables: named tuples, by attribute of g
    joins = False  # whether any number of units may be attached to one unit and keep models of their own
    procedures: tuple[Procedure, ...]
    advances: tuple[Callable[[BattleCore, int], int], ...]
    kinds: tuple[DecisionKind, ...]
    kind_by_name: Mapping[str, DecisionKind]
    number: Mapping[type, int]  # of a procedure or kind, by class (``Numbers``)
    # catalogue ids by the keys that shared code uses for rules; unless a class says otherwise, a key stands for
    # ``<id>.<key>``
    rule_ids: RuleIds
    _prefixes: tuple[str, ...]  # with which the ids of its own rules begin
    digest: str  # a hash of the names of its procedures and kinds, in the order of their numbers
    event_fields: Mapping[str, Field] = FIELDS  # the declarations of the keys of its events
    untold: frozenset[str] = frozenset()  # kinds of events that reports leave out
    turn_events: frozenset[str] = frozenset({"turn", "game turn"})  # kinds of events with which a turn begins
    unaimed: frozenset[str] = frozenset()  # kinds of events that name a target to which pictures draw no line
    # rules with which players decide in the battle what files would otherwise say
    by_players: Mapping[str, Any] = MappingProxyType({})
    questions: Mapping[str, tuple[str, str]] = MappingProxyType({})  # by kind, see ``core/questions.py``
    # for reference pages, if kinds can be out of play (``in_play``): why, and how else policies answer them
    off: str = ""
    delegated_by: str = ""

    def __init__(self, procedures: Sequence[type[Procedure]], kinds: Sequence[type[DecisionKind]]) -> None:
        """Register classes in the order of their numbers.

        Raises:
            TypeError: two classes stand for one base that could be played itself, a class is registered twice, or two
                kinds have one name.
            LookupError: a kind carries out none of the rules that it names.
        """
        own = vars(self)
        if not hasattr(self, "rule_ids"):
            own["rule_ids"] = RuleIds(self.id)
        own["_prefixes"] = tuple({f"{cls.id}." for cls in type(self).__mro__ if issubclass(cls, Ruleset) and cls.id})
        own["procedures"] = tuple(procedure() for procedure in procedures)
        own["advances"] = tuple(procedure.advance for procedure in self.procedures)
        own["kinds"] = tuple(kind() for kind in kinds)
        own["number"] = MappingProxyType(Numbers(self.id, {Procedure: procedures, DecisionKind: kinds}, can_be_played))
        for kind in self.kinds:
            found = (self.rule(key) for key in kind.keys if self.has_rule(key))
            vars(kind)["rules"] = tuple(dict.fromkeys(found))  # several keys can be one rule of an edition
            if kind.keys and not kind.rules:
                raise LookupError(f"{self.id}: {kind.name} carries out none of its rules: {', '.join(kind.keys)}")
        own["kind_by_name"] = MappingProxyType({kind.name: kind for kind in self.kinds})
        if len(self.kind_by_name) < len(self.kinds):
            names = [kind.name for kind in self.kinds]
            raise TypeError(f"{self.id}: two kinds are named {next(name for name in names if names.count(name) > 1)!r}")
        registered_names = [
            *(type(procedure).__name__ for procedure in self.procedures),
            *(kind.name for kind in self.kinds),
        ]
        own["digest"] = hashlib.blake2b("\n".join(registered_names).encode(), digest_size=8).hexdigest()

    def rule(self, key: str) -> str:
        """The catalogue id of the rule that shared code calls ``key``. An id of this ruleset, or of one that it is
        derived from, stays as it is.

        Raises:
            KeyError: it has no such rule.
        """
        return key if key.startswith(self._prefixes) else self.rule_ids[key]

    def has_rule(self, key: str) -> bool:
        """Whether it has the rule that shared code calls ``key``."""
        return key.startswith(self._prefixes) or key in self.rule_ids

    def delegates(self, detail: str, overrides: dict[str, Delegate] | None = None) -> dict[int, Delegate]:
        """The policy that answers each decision kind that is not asked at ``detail``, by number of the kind.

        Args:
            detail: "squad" or "full". overrides: policies of the user by name of the kind, which come first.

        Raises:
            KeyError: ``overrides`` names no kind of this ruleset.
        """
        chosen: dict[int, Delegate] = {}
        for number, kind in enumerate(self.kinds):
            if detail == "squad" and not kind.squad:
                chosen[number] = Default(kind)
        for name, policy in (overrides or {}).items():
            chosen[self.kind_number(name)] = policy
        return chosen

    def kind_number(self, name: str) -> int:
        """The number of the decision kind of this name.

        Raises:
            KeyError: there is none.
        """
        return self.number[type(self.kind_by_name[name])]

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """Further sizes, by name, that bounds of its columns and frames use (``core.bounds``)."""
        return {}

    def contradictions(self, g: BattleCore) -> Iterator[Fault]:
        """The faults of a state whose tables contradict each other, besides those of every game; bounds are kept."""
        return iter(())

    def most_wounds(self, g: BattleCore) -> Array:
        """The most Wounds that each model may have left now."""
        return g.models.rows["max_wounds"]

    def statics(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """Arrays and other values that are worked out once from the ``rules`` of a battle and stored in
        ``Setup.statics``.
        """
        return {}

    def workspace(self, setup: Setup) -> Any:
        """A new workspace: scratch memory for the kernels of one battle of this Setup, or of a Setup that differs from
        it only in terrain or delegates.

        A battle has one for itself (``BattleCore.work``). Nothing in it has a meaning from one call to the next.
        """
        return None

    def policies(self, rules: Mapping[str, Any]) -> dict[str, Delegate]:
        """Policies for decision kinds, by name, that the ``rules`` of a battle leave to policies."""
        return {}

    def in_play(self, kind: DecisionKind, detail: str) -> bool:
        """Whether battles at ``detail`` can come to a decision of this kind if their rules do not mention it."""
        return True

    def start(self, g: BattleCore) -> None:
        """Push the first procedure of a battle."""
        raise NotImplementedError

    def resume(self, g: BattleCore) -> None:
        """Derive from the state what it says about the Setup; called whenever bytes become the state of a battle."""

    def states(self, g: BattleCore, unit: int) -> Sequence[str]:
        """What everybody at the table can see of a unit besides its place and losses, in a word or two each, for
        reports and pictures.
        """
        return ()

    def tally(self, g: BattleCore, event: Event) -> Tally | None:
        """What an event that has just happened adds to the line of a report that sums up attacks; ``None``: the event
        is told by itself.
        """
        return None

    def harm(self, g: BattleCore, event: Event) -> Sequence[Harm]:
        """Which unit hurt which, by an event that has just happened. The base class takes what ``tally`` counts as
        wounds lost.
        """
        tally = self.tally(g, event)
        lost = tally.counts.get(WOUNDS_LOST, 0) if tally is not None else 0
        return (Harm(tally.attacker, tally.target, NONE, lost),) if tally is not None and lost else ()

    def sentence(self, g: BattleCore, event: Event) -> str | None:
        """An event that has just happened in the words of this game, without a full stop; ``None``: its kind and its
        fields are told as they are.
        """
        return None

    def enter(self, g: BattleCore, phase: str, player: int, battle_round: int) -> None:
        """Push the procedures of a battle that begins with the phase of this name of ``player``; tests and set pieces
        start so.
        """
        raise NotImplementedError

    def winner(self, g: BattleCore) -> int:
        """The winning player, -1 for a draw; called when the stack is empty."""
        raise NotImplementedError

    def last_rolls(self, g: BattleCore) -> None:
        """Push what must still be rolled after the end of the battle; called when the stack is empty."""

    def stacked(self, g: BattleCore) -> Sequence[int]:
        """Rows of units on the table whose models have no places of their own, so that they stand at one place."""
        return ()

    def wiped_out(self, g: BattleCore, player: int) -> bool:
        """Whether nothing is left of an army. If something is left of the other army, that decides the battle whatever
        the points.
        """
        return False

    def appraiser(self, setup: Setup) -> Appraiser:
        """A new appraiser for battles of this Setup; the greedy policy plays by it."""
        return Appraiser()

    def chances(self, setup: Setup) -> Chances | None:
        """The numbers that plans count on in battles of this Setup; ``None``: the ruleset does not say."""
        return None

    def audit(self, g: BattleCore) -> Audit:
        """The checks of this battle for programs that play at random."""
        return Audit()

    def deployment_zones(self, g: BattleCore) -> Sequence[Array]:
        """Convex polygons (float64, corners x 2) of the Attacker's and Defender's zone, once settled; for pictures."""
        return ()

    def formations(self, g: BattleCore) -> Sequence[Formation]:
        """The units on the table that stand and move as one body, for pictures. In most games models move one by one
        and there are none.
        """
        return ()

    def hidden(self, g: BattleCore, seat: int) -> Sequence[Hidden]:
        """What ``seat`` cannot see now. Observations and policies must not read it. Most games have no secrets."""
        return ()

    def complete(self, g: BattleCore, seat: int) -> None:
        """Replace, in a copy from which the secrets were removed, what ``seat`` cannot see by something legal, if the
        game could not be played on without it.

        The replacement must follow from what the seat can see. Most games can be played on, and need none.
        """


@dataclass(frozen=True)
class Default:
    """The policy that gives a kind's own default answer."""

    kind: DecisionKind

    def __call__(self, g: BattleCore, _mask: object) -> int:
        """The default answer to the waiting decision of ``g``."""
        return self.kind.delegate(g, g.frame, g.bits)
