"""The book of special rules: the name of each rule, the parameter behind its name, the models it covers, the rules it
includes (wap.special.general.none-by-default).

A rule is one object here, and code names it by that object: ``has(g, unit, FRENZY)``. The chapter that carries a rule
out asks for the rule or registers a handler for it at a named point (``turns.handlers``); the book knows no chapter.
``docs/adding-a-special-rule.md`` says how to add a rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from wh_env.core.frozen import Unchanging

WRITTEN = re.compile(r"([^()]+?)(?: \(([^()]*)\))?")  # a rule as cards write it: its name, and a parameter in brackets
Act = TypeVar("Act", bound=Callable[..., Any] | Unchanging)


@dataclass(frozen=True)
class Form:
    """The parameter that may stand in brackets behind the name of a rule.

    Attributes:
        pattern: a regular expression that the whole parameter matches. example: a parameter that fits.
        problem: the words that report a rule whose parameter is missing or does not fit. needed: the rule has no effect
            without a parameter.
    """

    pattern: str
    example: str
    problem: str = "says no number"
    needed: bool = True

    def fits(self, parameter: str | None) -> bool:
        """Whether ``parameter`` may stand in the brackets; None: there are no brackets."""
        return not self.needed if parameter is None else re.fullmatch(self.pattern, parameter) is not None


NUMBER = Form("[1-9]", "1")
DICE = Form(r"([2-9]?D[36](\+[1-9])?|[1-9])", "D6")
SCORE = Form(r"[2-6]\+( re-rolled)?", "5+")
PANIC_OR_SUCH = Form("[^()]+", "Panic", "names nothing")
SAVE_AGAINST = Form(rf"{SCORE.pattern}( against (shooting|war machines))?", "5+")
FLYERS = Form("Fly", "Fly", "names no models")
LORE = Form("[^()]+", "Lore of Fire", "names nothing")
GROUND = Form("[^()]+", "Forest", "names nothing")
ALL_GROUND = "All"  # of Strider: every kind of terrain
ENEMY = Form("[^()]+", "Orcs", needed=False)  # the enemies that it is directed at; none: all
MAYBE_NUMBER = Form("[0-9]+", "3", needed=False)
MAYBE_DICE = Form(DICE.pattern, "D3", needed=False)
NEVER_LOST = "never lost"  # who has a rule so, which can be lost, keeps it
MAYBE_LASTING = Form(NEVER_LOST, NEVER_LOST, "is not written so", needed=False)
# the Strength of a breath, and other properties of its hits
BREATH = Form(
    r"S([1-9]|10)(, (Flaming Attacks|Ice Attacks|Lightning Attacks|Magical Attacks|Ignores Armour Saves))*",
    "S4",
    "says no Strength",
)


KEPT_FROM = (
    16  # ``units.lost_rules`` has the rules that effects take from a unit now behind those that it has lost for good
)


class Within(Enum):
    """The profiles of a model that share a rule which stands on the card of its rider or of its mount
    (wap.troop.cavalry.rules-scope).
    """

    PROFILE = "the profile that the card gives it to"
    UNIT = "that profile; of a mount's the unit too"  # wap.troop.cavalry.saves
    MODEL = "rider and mount"


class Covers(Enum):
    """When a unit counts as having a rule, given the characters that have joined it
    (wap.character.combined.one-unit).
    """

    OWN = "its own models have it, whoever has joined it"
    ANY = "at least one model of all has it"
    MOST = "more than half of all models have it"
    EVERY = "all models have it"


class Grant(NamedTuple):
    """A special rule with its parameter; an empty parameter means none."""

    rule: SpecialRule
    parameter: str = ""


@dataclass(frozen=True, eq=False)
class SpecialRule(Unchanging):
    """A special rule.

    Attributes:
        name: as cards write it.
        form: of the parameter in brackets behind the name; None: it takes none.
        within: the profiles of a model that share it. covers: when a unit has it.
        includes: rules that a bearer of this rule has with it.
        can_be_gained, can_be_lost: during a battle, by a spell, an item or another rule.
        is_shown: observations show it, in the order of the book.
        carries: beginnings of the catalogue ids that it carries out; if empty, the id made from its name.
    """

    name: str
    form: Form | None = None
    within: Within = Within.PROFILE
    covers: Covers = Covers.OWN
    includes: tuple[Grant, ...] = ()
    can_be_gained: bool = False
    can_be_lost: bool = False
    is_shown: bool = False
    carries: tuple[str, ...] = ()

    def of(self, parameter: str = "") -> Grant:
        """This rule with ``parameter`` in its brackets."""
        return Grant(self, parameter)

    @property
    def catalogue(self) -> tuple[str, ...]:
        """The beginnings of the catalogue ids that the rule carries out."""
        return self.carries or (f"wap.special.{self.name.lower().replace(' ', '-')}",)

    def __repr__(self) -> str:
        return f"<{self.name}>"


@dataclass(frozen=True, eq=False)
class Feeling(Unchanging):
    """A thing that Immunity may name besides special rules (wap.special.immunity.psychology-kinds)."""

    name: str


class Point(Unchanging, Generic[Act]):
    """A moment at which special rules act. The module that reaches the moment defines the point, and says which
    arguments its handlers take and what they return.
    """

    name: str

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "name", name)

    def does(self, rule: SpecialRule, act: Act) -> Handler[Act]:
        """A handler: ``rule`` does ``act`` at this point."""
        return Handler(rule, self, act)


@dataclass(frozen=True, eq=False)
class Handler(Generic[Act]):
    """The function that carries out a special rule at a point."""

    rule: SpecialRule
    point: Point[Act]
    act: Act


def by_point(handlers: Iterable[Handler[Any]]) -> Mapping[Point[Any], tuple[Handler[Any], ...]]:
    """Handlers grouped by their points; those of one point keep the order given."""
    found: dict[Point[Any], tuple[Handler[Any], ...]] = {}
    for handler in handlers:
        found[handler.point] = (*found.get(handler.point, ()), handler)
    return MappingProxyType(found)


@dataclass(frozen=True, eq=False)
class Book(Unchanging):
    """All special rules of a game, and tables derived from their entries.

    Attributes:
        rules: in an order that observations and bits of the state follow, so a new rule goes to the end.
        by_name: the rules by name. includers: by rule, those that include it, with the parameter that they give it.
        lost_bits, gained_bits: the bit of a rule in ``units.lost_rules`` and ``units.gained_rules``; a rule that needs
            a parameter has no gained bit.
    """

    rules: tuple[SpecialRule, ...]
    by_name: Mapping[str, SpecialRule] = field(init=False)
    includers: Mapping[SpecialRule, tuple[Grant, ...]] = field(init=False)
    lost_bits: Mapping[SpecialRule, int] = field(init=False)
    gained_bits: Mapping[SpecialRule, int] = field(init=False)

    def __post_init__(self) -> None:
        includers: dict[SpecialRule, tuple[Grant, ...]] = {}
        for rule in self.rules:
            for included, parameter in rule.includes:
                includers[included] = (*includers.get(included, ()), rule.of(parameter))
        lost = [rule for rule in self.rules if rule.can_be_lost]
        gained = [rule for rule in self.rules if rule.can_be_gained and not (rule.form and rule.form.needed)]
        self._derive("by_name", {rule.name: rule for rule in self.rules})
        self._derive("includers", includers)
        self._derive("lost_bits", {rule: 1 << bit for bit, rule in enumerate(lost)})
        self._derive("gained_bits", {rule: 1 << bit for bit, rule in enumerate(gained)})

    def _derive(self, name: str, values: Mapping[Any, Any]) -> None:
        object.__setattr__(self, name, MappingProxyType(values))

    def lost_mask(self, rule: SpecialRule) -> int:
        """The two bits of ``units.lost_rules`` of a rule; a unit with either of them has lost the rule."""
        return self.lost_bits[rule] * (1 | 1 << KEPT_FROM)

    def __iter__(self) -> Iterator[SpecialRule]:
        return iter(self.rules)

    def with_rules(self, *rules: SpecialRule) -> Book:
        """This book with further rules at its end."""
        return Book((*self.rules, *rules))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rules."""
        return tuple(self.by_name)

    @property
    def shown(self) -> tuple[SpecialRule, ...]:
        """The rules that observations show."""
        return tuple(rule for rule in self.rules if rule.is_shown)

    def read(self, words: str) -> Grant | None:
        """The rule that ``words`` of a card name, with its parameter; None if the book has no rule of that name."""
        match = WRITTEN.fullmatch(words)
        rule = self.by_name.get(match[1]) if match else None
        return rule.of(match[2] or "") if match and rule is not None else None

    def with_included(self, rules: Iterable[SpecialRule]) -> frozenset[SpecialRule]:
        """The rules and all rules that they include, directly or not."""
        found: set[SpecialRule] = set()
        waiting = list(rules)
        while waiting:
            rule = waiting.pop()
            if rule not in found:
                found.add(rule)
                waiting += [included for included, _ in rule.includes]
        return frozenset(found)


PANIC, PSYCHOLOGY = FEELINGS = (Feeling("Panic"), Feeling("Psychology"))

IMMUNITY = SpecialRule("Immunity", PANIC_OR_SUCH, Within.MODEL, Covers.MOST, can_be_gained=True)
UNSHAKEN = (IMMUNITY.of(PSYCHOLOGY.name),)  # wap.special.immunity.psychology

STUBBORN = SpecialRule("Stubborn", None, Within.MODEL, Covers.MOST, can_be_gained=True, is_shown=True)
FEAR = SpecialRule("Fear", None, Within.MODEL, Covers.ANY, can_be_gained=True, is_shown=True)
# wap.special.terror.grants
TERROR = SpecialRule("Terror", None, Within.MODEL, Covers.ANY, (FEAR.of(),), can_be_gained=True, is_shown=True)
# wap.special.frenzy.grants; a rider cannot withstand the frenzy of the mount
FRENZY = SpecialRule(
    "Frenzy", MAYBE_LASTING, Within.UNIT, Covers.ANY, UNSHAKEN, can_be_gained=True, can_be_lost=True, is_shown=True
)
HATRED = SpecialRule("Hatred", ENEMY, covers=Covers.ANY, can_be_gained=True, is_shown=True)
UNBREAKABLE = SpecialRule("Unbreakable", includes=UNSHAKEN, can_be_gained=True, is_shown=True)
UNSTABLE = SpecialRule("Unstable", includes=UNSHAKEN, is_shown=True)
ALWAYS_STRIKES_FIRST = SpecialRule("Always Strikes First", can_be_gained=True, is_shown=True)
ALWAYS_STRIKES_LAST = SpecialRule("Always Strikes Last", None, Within.MODEL, can_be_gained=True, is_shown=True)

FLAMING_ATTACKS = SpecialRule("Flaming Attacks", covers=Covers.ANY, can_be_gained=True)
POISONED_ATTACKS = SpecialRule("Poisoned Attacks", can_be_gained=True)
MAGICAL_ATTACKS = SpecialRule("Magical Attacks", can_be_gained=True)
ICE_ATTACKS = SpecialRule("Ice Attacks", covers=Covers.ANY, includes=(IMMUNITY.of("Ice Attacks"),))
LIGHTNING_ATTACKS = SpecialRule("Lightning Attacks")
KILLING_BLOW = SpecialRule("Killing Blow", can_be_gained=True)
HEROIC_KILLING_BLOW = SpecialRule("Heroic Killing Blow", carries=("wap.special.killing-blow.heroic",))
DEVASTATING_CHARGE = SpecialRule("Devastating Charge", can_be_gained=True)
RANDOM_ATTACKS = SpecialRule("Random Attacks", DICE)
STRENGTH_BONUS = SpecialRule("Strength Bonus", NUMBER, can_be_gained=True)
ARMOUR_PIERCING = SpecialRule("Armour Piercing", NUMBER, can_be_gained=True)
IGNORES_ARMOUR_SAVES = SpecialRule("Ignores Armour Saves", can_be_gained=True, carries=("wap.special.ignores-armour",))
MULTIPLE_WOUNDS = SpecialRule("Multiple Wounds", Form(DICE.pattern, "D3"), can_be_gained=True)
FIGHT_IN_EXTRA_RANKS = SpecialRule(
    "Fight in Extra Ranks", NUMBER, can_be_gained=True, carries=("wap.special.extra-ranks",)
)
IMPACT_HITS = SpecialRule("Impact Hits", DICE)
STOMP = SpecialRule("Stomp", MAYBE_DICE)
THUNDERSTOMP = SpecialRule("Thunderstomp", carries=("wap.special.stomp",))
BREATH_ATTACK = SpecialRule("Breath Attack", BREATH, carries=("wap.special.breath.use",))

WARD_SAVE = SpecialRule(
    "Ward Save", SAVE_AGAINST, Within.UNIT, can_be_gained=True, carries=("wap.troop.cavalry.saves",)
)
REGENERATION = SpecialRule("Regeneration", SCORE, Within.UNIT, can_be_gained=True)
NATURAL_ARMOUR = SpecialRule("Natural Armour", Form(r"[1-6]\+?", "5+"), Within.UNIT, can_be_gained=True)
PARRY = SpecialRule("Parry", SCORE, can_be_gained=True)
DODGE = SpecialRule("Dodge", SCORE)
FLAMMABLE = SpecialRule("Flammable")
MAGIC_RESISTANCE = SpecialRule("Magic Resistance", NUMBER, covers=Covers.ANY, can_be_gained=True)

STUPIDITY = SpecialRule("Stupidity", None, Within.MODEL, Covers.ANY, can_be_gained=True)
# wap.special.ethereal.grants
ETHEREAL = SpecialRule(
    "Ethereal", None, Within.MODEL, Covers.EVERY, (UNSTABLE.of(), MAGICAL_ATTACKS.of()), can_be_gained=True
)
ANIMATED_CONSTRUCT = SpecialRule(
    "Animated Construct", None, covers=Covers.ANY, includes=(UNBREAKABLE.of(), IMMUNITY.of(POISONED_ATTACKS.name))
)
EXPENDABLE = SpecialRule("Expendable")
MIXED_UNIT = SpecialRule("Mixed Unit")

SKIRMISHERS = SpecialRule("Skirmishers")
FLY = SpecialRule("Fly", Form(r"[1-9]|1[0-9]|20", "10"), Within.MODEL, Covers.EVERY, can_be_lost=True)
FAST_CAVALRY = SpecialRule("Fast Cavalry", None, Within.MODEL)
SWIFTSTRIDE = SpecialRule("Swiftstride", covers=Covers.EVERY)
RANDOM_MOVEMENT = SpecialRule("Random Movement", Form("[23]?D6", "2D6", "has no such dice"), covers=Covers.ANY)
STRIDER = SpecialRule("Strider", GROUND)
AQUATIC = SpecialRule("Aquatic")
LARGE_TARGET = SpecialRule("Large Target", MAYBE_NUMBER)

VANGUARD = SpecialRule("Vanguard", None, Within.MODEL)
SCOUTS = SpecialRule("Scouts", None, Within.MODEL)
AMBUSHERS = SpecialRule("Ambushers", None, Within.MODEL)
HIDDEN = SpecialRule("Hidden")

MOVE_OR_FIRE = SpecialRule("Move or Fire")
QUICK_TO_FIRE = SpecialRule("Quick to Fire")
SLOW_TO_FIRE = SpecialRule("Slow to Fire")
VOLLEY_FIRE = SpecialRule("Volley Fire")
MULTIPLE_SHOTS = SpecialRule("Multiple Shots", Form(DICE.pattern, "2"))
IGNORES_COVER = SpecialRule("Ignores Cover")
SNIPER = SpecialRule("Sniper")
LOREMASTER = SpecialRule("Loremaster", LORE)
# what some spells of Light and some ground ask; army books say the rest
DAEMONIC, UNDEAD, VAMPIRIC = (
    SpecialRule(
        name,
        None,
        Within.MODEL,
        Covers.MOST,
        carries=(
            "wap.lore.light.shems-burning-gaze",
            "wap.lore.light.banishment",
            "wap.lore.light.net-of-amyntok",
            "wap.building.arcane.haunted-mansion",
        ),
    )
    for name in ("Daemonic", "Undead", "Vampiric")
)

# it causes Fear in models that have the rule in brackets
FRIGHTENING = SpecialRule(
    "Frightening", FLYERS, Within.MODEL, Covers.ANY, can_be_gained=True, carries=("wap.item.banner.scarecrow-banner",)
)
# a character who may join war machines; "unless stated otherwise" none does
SERVES_WAR_MACHINES = SpecialRule(
    "Serves War Machines", carries=("wap.character.join.types", "wap.machine.shot-at.mixed-crew")
)
# a machine's artillery die may be rolled again, which no rule allows that does not name it
ARTILLERY_AGAIN = SpecialRule("Artillery Die Again", covers=Covers.ANY, carries=("wap.core.dice.special-no-reroll",))
BOOK = Book(tuple(rule for rule in tuple(globals().values()) if isinstance(rule, SpecialRule)))


def is_open_ground(kind: str, strides: Iterable[str]) -> bool:
    """Whether terrain of a kind is open ground to a model whose Strider rules have these words in brackets
    (wap.special.strider).
    """
    return any(words == ALL_GROUND or words.lower() == kind for words in strides)
