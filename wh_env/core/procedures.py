"""Procedures, decision kinds and rulesets: the vocabulary in which a game is written.

A ``Procedure`` is a rule sequence. Its code is stateless; its frame is a slice of the stack: procedure id, step, and
``FRAME_SIZE - 2`` integers. It declares its steps and its integers by name::

    class Charge(Procedure):
        class Step(Steps):
            BEGIN, TARGETS, ROLL, END = range(4)

        UNIT = integer(row_of("units"))
        COUNT = integer(count_of("units"))

``Charge.COUNT`` is the offset of that integer in a frame (``g.stack[f + Charge.COUNT]``), ``Charge.Step.ROLL`` a number. Only a
procedure and the decision kinds that it asks use them; other code calls its methods. ``advance`` does one step and returns ``GO``;
to ask a player it returns ``g.ask(...)``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wh_env.core.bounds import Bounds, between, code, player, zero
from wh_env.core.events import FIELDS, NONE, WOUNDS_LOST, Event, Field, Harm, Tally
from wh_env.core.features import PLAIN, Features, Formation, Pending
from wh_env.core.frozen import Unchanging
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
V = 2  # offset of the first integer of its own


def beneath(f: int) -> int:
    """The frame beneath the one at ``f``: that of the procedure which goes on when this one ends."""
    return f - FRAME_SIZE


class Steps(Unchanging):
    """Steps of a procedure by name, beside those of the procedure that it is derived from.

    They are plain numbers, since members of an ``IntEnum`` take several times as long to compare; and a procedure class has in place of
    the nested class an object with the names, since Python 3.11 looks them up in a class several times as slowly.
    """


def step_names(steps: Steps | type[Steps]) -> dict[str, int]:
    """The steps by name."""
    return {name: number for name, number in vars(steps).items() if name.isupper()}


def named_steps(names: Mapping[str, int]) -> Steps:
    """An object with these steps, of a type of its own, as the interpreter caches attributes by type."""
    steps: Steps = type("Step", (Steps,), {})()
    for name, number in names.items():
        object.__setattr__(steps, name, number)
    return steps


@dataclass(frozen=True, eq=False)
class Integer:
    """An integer of a frame as a class body declares it, until the class has its offset in its place.

    Attributes:
        bounds: what may stand there while a decision waits. at: its offset, -1: the first that is free.
        width: of how many integers in a row the first is named.
    """

    bounds: Bounds
    at: int
    width: int


def integer(bounds: Bounds, *, at: int = -1, width: int = 1) -> int:
    """Declare an integer of a procedure's frame; see ``Integer``. In the class its name stands for its offset.

    ``at=STEP`` names the step of a procedure that counts instead of going through named steps. ``OTHER = NAME`` in a class body gives
    one integer two names. A subclass that declares an inherited name again gives it other bounds.
    """
    declared: Any = Integer(bounds, at, width)
    return declared  # type: ignore[no-any-return]


class Procedure(Unchanging):
    """A rule sequence; rulesets register subclasses and number them (``Ruleset.number``).

    What its frame may hold while a decision waits is declared beside the code, for states that come from elsewhere.

    Attributes:
        Step: its steps by name. asks: names of the decision kinds that it may ask.
        steps: bounds of the step, worked out from the names; a class says itself in which of them alone a decision can wait.
        offsets: of its integers by name. slots: their bounds by offset; integers that are not named are 0.
    """

    Step: ClassVar[type[Steps]] = Steps
    steps: ClassVar[Bounds] = zero()
    offsets: ClassVar[Mapping[str, int]] = MappingProxyType({})
    slots: ClassVar[Mapping[int, Bounds]] = MappingProxyType({})
    asks: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Give every declared integer its offset, and work out the bounds of the step.

        Raises:
            TypeError: two integers stand at one offset, or one stands outside the frame.
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
                whole = numbers == list(range(len(numbers)))
                cls.steps = between(0, numbers[-1]) if whole else code(*numbers)

    def advance(self, g: BattleCore, f: int) -> int:
        """Do the next step of the frame at ``f`` (an offset into ``g.stack``); return ``GO`` or the result of ``g.ask``."""
        raise NotImplementedError

    def may_ask(self, ruleset: Ruleset) -> Iterable[str]:
        """Names of the decision kinds that it may ask in battles of this ruleset: of those that games share only some register all."""
        return (name for name in self.asks if name in ruleset.kind_by_name)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the integers of the frame, each within its bounds, fit each other and the tables; asked of states that come from
        elsewhere, before anything reads a table with them."""
        return True


def _place(name: str, declared: Integer, taken: Mapping[int, Bounds]) -> int:
    """The offset of an integer.

    Raises:
        TypeError: there is none.
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
    """What one player does: it is pushed with the player."""

    PLAYER = integer(player())


class DecisionKind(Unchanging):
    """One kind of decision: what is legal, what an answer does, and how to say it.

    Attributes:
        name: of the kind, one for each kind of a ruleset.
        what: what is chosen, in words; it stands in place of a docstring.
        squad, full: whether it is asked at ``detail="squad"`` and at ``detail="full"``.
        instead: what happens at the squad detail, if procedures never come to it there; empty: its default answers.
        policy: the answer of ``delegate`` in words; empty: the first legal slot.
        keys: the rules that it carries out, as keys of ``Ruleset.rule_ids`` or ids of the catalogue.
        rules: their ids in the catalogue; the ruleset that registers the kind works them out.
    """

    name: ClassVar[str]
    what: ClassVar[str] = ""
    squad: ClassVar[bool] = True
    full: ClassVar[bool] = True
    instead: ClassVar[str] = ""
    policy: ClassVar[str] = ""
    keys: ClassVar[tuple[str, ...]] = ()
    rules: tuple[str, ...] = ()

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        """Set the legal slots of ``mask`` (cleared before). At least one must be set."""
        raise NotImplementedError

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        """Carry out a legal ``action``; ``f`` is the frame that asked."""
        raise NotImplementedError

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        """Words for an action of this decision."""
        return g.default_words(action)

    def pending(self, g: BattleCore, f: int) -> Pending:
        """What the decision is about besides its subject: where its cells lie, which model, which weapon."""
        return PLAIN

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        """The default answer at a detail that does not ask: the first legal slot unless the kind knows better."""
        return g.first_legal()


class ChooseUnit(DecisionKind):
    """Which unit of a player is next; asked by a procedure ``OfPlayer``."""

    declines: ClassVar[bool] = False  # ``done`` is legal too: none of those that are left

    def among(self, g: BattleCore, player: int) -> Iterable[int]:
        """Units of the player outside of which none may be chosen."""
        return g.units_of(player)

    def may(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit may be chosen."""
        raise NotImplementedError

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        """The unit was chosen."""
        raise NotImplementedError

    def declined(self, g: BattleCore, f: int) -> None:
        """The player has chosen ``done``: no further unit."""
        raise NotImplementedError

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + OfPlayer.PLAYER]
        at = g.setup.space.own - g.players.first_unit[player]
        mask[0] = self.declines
        for unit in self.among(g, player):
            if self.may(g, unit):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            self.declined(g, f)
        else:
            self.chosen(g, f, g.players.first_unit[g.stack[f + OfPlayer.PLAYER]] + action - g.setup.space.own)


class Outlook(NamedTuple):
    """What armies hold in a position besides what was scored, for a seat less the same of the other, in victory points.

    Attributes:
        due: what would still be counted if the battle ended now, whatever becomes of units that flee.
        flights: what would be counted for those, who may still rally.
        army: what units that are left and do not flee stand for.
        soon: what charges in the next turns and combats under way can be expected to take.
    """

    due: float
    flights: float
    army: float
    soon: float


class Appraiser:
    """What the options of decisions are worth, looking no further than them; made for one Setup. It reads only what lies open to
    the deciding player, and changes nothing.

    The base class knows nothing of worth: it answers as the engine would by default.
    """

    def best(self, battle: BattleCore, mask: Array) -> int:
        """The legal action of the waiting decision with the best expected value; ``mask`` is ``battle.legal()``."""
        kind = battle.setup.ruleset.kinds[battle.clock.kind[0]]
        action = kind.delegate(battle, battle.frame, memoryview(mask))  # type: ignore[arg-type]
        return int(action) if mask[action] else int(mask.argmax())

    def outlook(self, g: BattleCore, seat: int) -> Outlook | None:
        """What the armies hold as ``seat`` sees them; ``None``: observations tell all there is to say. It rolls nothing."""
        return None

    def prospects(self, g: BattleCore, unit: int, enemy: int) -> Sequence[str]:
        """What a unit can expect of an enemy, a line each, beside what observations say of the two; for people. It rolls nothing and
        reads what both players see."""
        return ()


class Audit:
    """What must hold in battles of a ruleset after every action, besides what holds in every game; made for one battle."""

    def before(self) -> None:
        """An action will be applied now."""

    def after(self) -> list[str]:
        """What does not hold after the action, in words."""
        return []


class Numbers(dict[type, int]):
    """Numbers of the procedures and of the kinds of a ruleset by class, in the order in which they are registered.

    A base class that is not registered itself stands for the one registered class that is derived from it, so that code which several
    rulesets share pushes and asks the base, and each ruleset carries out its own. Looking up any other class is an error that says why.
    """

    def __init__(
        self, ruleset: str, procedures: Sequence[type[Procedure]], kinds: Sequence[type[DecisionKind]]
    ) -> None:
        super().__init__()
        self.ruleset = ruleset
        self.stands_for: dict[type, list[str]] = {}
        self._register(procedures, Procedure)
        self._register(kinds, DecisionKind)

    def _register(self, classes: Sequence[type], root: type) -> None:
        for number, cls in enumerate(classes):
            if cls in self:
                raise TypeError(f"{self.ruleset}: {cls.__name__} is registered twice")
            self[cls] = number
        for number, cls in enumerate(classes):
            for base in cls.__mro__[1:]:
                if base is not root and issubclass(base, root) and base not in classes:
                    self.stands_for.setdefault(base, []).append(cls.__name__)
                    self[base] = number
        for base, names in self.stands_for.items():
            if len(names) > 1 and self.pop(base, None) is not None and can_be_played(base):
                raise TypeError(
                    f"{self.ruleset}: {base.__name__} stands for both {' and '.join(names)}; expected one of them"
                )

    def __missing__(self, cls: type) -> int:
        names = self.stands_for.get(cls)
        why = f"stands for {' and '.join(names)}" if names else "is not registered, nor is a class derived from it"
        raise LookupError(f"{self.ruleset}: {cls.__name__} {why}")


def can_be_played(cls: type) -> bool:
    """Whether a class is whole: a procedure that advances, a decision kind with a name."""
    return hasattr(cls, "name") if issubclass(cls, DecisionKind) else "advance" in vars(cls)


@dataclass(frozen=True)
class Hidden:
    """Rows ``first .. last - 1`` of some columns of a table (of all: no columns) that a seat cannot see."""

    table: str
    columns: tuple[str, ...]
    first: int
    last: int


class Ruleset(Unchanging):
    """A game: its procedures, its decision kinds, how a battle starts and what its result is.

    One object serves all battles; once made it does not change.
    """

    id: str = ""
    phases: tuple[str, ...] = ()  # names of ``clock.phase``, for people
    length_unit: str = "in"  # of all lengths in the tables: ``in`` or ``cm``
    features: Features = Features()  # what it adds to observations
    joins = False  # whether units attached to another keep their models, any number to one
    procedures: tuple[Procedure, ...]
    advances: tuple[Callable[[BattleCore, int], int], ...]
    kinds: tuple[DecisionKind, ...]
    kind_by_name: Mapping[str, DecisionKind]
    number: Mapping[type, int]  # of a procedure or kind, by class (``Numbers``)
    # ids of its catalogue by the keys that shared code names them by; unless a class says so, a key stands for ``<id>.<key>``
    rule_ids: RuleIds
    _prefixes: tuple[str, ...]  # of its rules' ids
    digest: str  # of what the numbers of procedures and kinds in a state mean
    event_fields: Mapping[str, Field] = FIELDS  # what the keys of its events' data are
    untold: frozenset[str] = frozenset()  # kinds of events that say nothing a reader of a report misses
    # rules with which a battle asks its players all that files would say otherwise
    by_players: Mapping[str, Any] = MappingProxyType({})
    # for people, where kinds can be out of play (``in_play``): what keeps them out, and how else they are left to policies
    off: str = ""
    delegated_by: str = ""

    def __init__(self, procedures: Sequence[type[Procedure]], kinds: Sequence[type[DecisionKind]]) -> None:
        """Register classes in the order of their numbers.

        Raises:
            TypeError: two of them stand for one base that could be played itself, or two kinds have one name.
            LookupError: a kind carries out rules, and the ruleset has none of them.
        """
        own = vars(self)
        if not hasattr(self, "rule_ids"):
            own["rule_ids"] = RuleIds(self.id)
        own["_prefixes"] = tuple({f"{cls.id}." for cls in type(self).__mro__ if issubclass(cls, Ruleset) and cls.id})
        own["procedures"] = tuple(procedure() for procedure in procedures)
        own["advances"] = tuple(procedure.advance for procedure in self.procedures)
        own["kinds"] = tuple(kind() for kind in kinds)
        own["number"] = MappingProxyType(Numbers(self.id, procedures, kinds))
        for kind in self.kinds:
            found = (self.rule(key) for key in kind.keys if self.has_rule(key))
            vars(kind)["rules"] = tuple(dict.fromkeys(found))  # several keys can be one rule of an edition
            if kind.keys and not kind.rules:
                raise LookupError(f"{self.id}: {kind.name} carries out none of its rules: {', '.join(kind.keys)}")
        own["kind_by_name"] = MappingProxyType({kind.name: kind for kind in self.kinds})
        if len(self.kind_by_name) < len(self.kinds):
            names = [kind.name for kind in self.kinds]
            raise TypeError(f"{self.id}: two kinds are named {next(name for name in names if names.count(name) > 1)!r}")
        told = [*(type(procedure).__name__ for procedure in self.procedures), *(kind.name for kind in self.kinds)]
        own["digest"] = hashlib.blake2b("\n".join(told).encode(), digest_size=8).hexdigest()

    def rule(self, key: str) -> str:
        """The id in the catalogue of a rule that code shared by several rulesets names by a key.

        An id of this ruleset, or of one that it is derived from, stays what it is.

        Raises:
            KeyError: the ruleset has no rule for this key.
        """
        return key if key.startswith(self._prefixes) else self.rule_ids[key]

    def has_rule(self, key: str) -> bool:
        """Whether it has the rule that shared code names by this key."""
        return key.startswith(self._prefixes) or key in self.rule_ids

    def delegates(self, detail: str, overrides: dict[str, Delegate] | None = None) -> dict[int, Delegate]:
        """Which kinds are answered by whom at ``detail``; ``overrides`` maps kind names to policies of the user."""
        chosen: dict[int, Delegate] = {}
        for number, kind in enumerate(self.kinds):
            if detail == "squad" and not kind.squad:
                chosen[number] = Default(kind)
        for name, policy in (overrides or {}).items():
            chosen[self.kind_number(name)] = policy
        return chosen

    def kind_number(self, name: str) -> int:
        """The number of the decision kind of this name."""
        return self.number[type(self.kind_by_name[name])]

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """Further sizes that bounds of its columns and frames name (``core.bounds``)."""
        return {}

    def contradictions(self, g: BattleCore) -> Iterator[Fault]:
        """What tables of a state say of each other that cannot be, besides what holds in every game; all bounds hold."""
        return iter(())

    def statics(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """What is worked out once from the rules of a battle and kept with its frozen arrays."""
        return {}

    def workspace(self, setup: Setup) -> Any:
        """Scratch memory for the kernels of one battle of this Setup, and of those that differ from it in terrain or delegates.

        A battle has one for itself (``BattleCore.work``). What stands in it means nothing from one call to the next.
        """
        return None

    def policies(self, rules: Mapping[str, Any]) -> dict[str, Delegate]:
        """Decision kinds, by name, that the rules of a battle leave to policies."""
        return {}

    def in_play(self, kind: DecisionKind, detail: str) -> bool:
        """Whether battles at this detail can come to a decision, as long as their rules say nothing of it."""
        return True

    def start(self, g: BattleCore) -> None:
        """Push the first procedure."""
        raise NotImplementedError

    def resume(self, g: BattleCore) -> None:
        """A battle was resumed from its bytes: derive what the state says about its Setup."""

    def states(self, g: BattleCore, unit: int) -> Sequence[str]:
        """What everybody at the table can see of a unit besides its place and losses, in a word or two each; for people."""
        return ()

    def tally(self, g: BattleCore, event: Event) -> Tally | None:
        """What an event that has just happened adds to a line of a report that sums up attacks; ``None``: it is told by itself."""
        return None

    def harm(self, g: BattleCore, event: Event) -> Sequence[Harm]:
        """Who has hurt whom, by an event that has just happened; without this, what ``tally`` counts as wounds lost."""
        tally = self.tally(g, event)
        lost = tally.counts.get(WOUNDS_LOST, 0) if tally is not None else 0
        return (Harm(tally.attacker, tally.target, NONE, lost),) if tally is not None and lost else ()

    def sentence(self, g: BattleCore, event: Event) -> str | None:
        """An event that has just happened in this game's own words, without a full stop; ``None``: its kind and its fields are told as they are."""
        return None

    def enter(self, g: BattleCore, phase: str, player: int, battle_round: int) -> None:
        """Push what a battle needs that begins with this phase of ``player``; how tests and set pieces start."""
        raise NotImplementedError

    def winner(self, g: BattleCore) -> int:
        """The winning player, -1 for a draw; called when the stack is empty."""
        raise NotImplementedError

    def last_rolls(self, g: BattleCore) -> None:
        """Push what is still rolled for once the battle has ended; the stack is empty."""

    def wiped_out(self, g: BattleCore, player: int) -> bool:
        """Whether nothing is left of an army; if something is left of the other, that decides the battle, whatever the points."""
        return False

    def appraiser(self, setup: Setup) -> Appraiser:
        """What options are worth in battles of this Setup; what the greedy policy plays by."""
        return Appraiser()

    def audit(self, g: BattleCore) -> Audit:
        """Checks of this battle for programs that play at random."""
        return Audit()

    def deployment_zones(self, g: BattleCore) -> Sequence[Array]:
        """The Attacker's zone and the Defender's, convex polygons, as far as they are settled; for pictures."""
        return ()

    def formations(self, g: BattleCore) -> Sequence[Formation]:
        """The units on the table that stand and move as one body; for pictures. In most games models move one by one."""
        return ()

    def hidden(self, g: BattleCore, seat: int) -> Sequence[Hidden]:
        """What ``seat`` cannot see now; observations and policies must not read it. Most games have no secrets."""
        return ()

    def complete(self, g: BattleCore, seat: int) -> None:
        """Put something legal in place of what ``seat`` cannot see, in a copy of which that was taken out, where the game could not be
        played on without it. It must follow from what the seat can see. Most games can."""


@dataclass(frozen=True)
class Default:
    """The kind's own default answer as a policy."""

    kind: DecisionKind

    def __call__(self, g: BattleCore, _mask: object) -> int:
        return self.kind.delegate(g, g.frame, g.bits)
