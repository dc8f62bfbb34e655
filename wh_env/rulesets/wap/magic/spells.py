"""Spells and lores as a battle has them; ``content.wap.spells`` makes them from the files of lores
(wap.lore.general.eight-lores).

A spell has one or more versions (wap.magic.cast.boost). A version is a list of deeds: what it does to each unit that it
acts on. The kinds of deeds are in ``magic.deeds``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import Unchanging
from wh_env.rulesets.wap.basics.effects import Effect
from wh_env.rulesets.wap.weapons.hit import Hit, Number

SIGNATURE = 0  # the number of a lore's signature spell (wap.magic.signature)
NUMBERS = 7  # spells of a lore, the signature spell included


class Kind(Enum):
    """Types of spells (wap.magic.type.list)."""

    MISSILE = "magic missile"
    DAMAGE = "direct damage"
    AUGMENT = "augment"
    HEX = "hex"
    VORTEX = "vortex"
    NONE = "none"


AHEAD = (Kind.MISSILE, Kind.DAMAGE)  # types whose target is in the wizard's front arc


class Aim(Enum):
    """What the caster names as a spell's target."""

    ENEMY = "an enemy unit"
    FRIEND = "a friendly unit"
    CASTER = "the wizard, with the unit that he is in"
    NOBODY = "nothing"
    FLYERS = "all units with flyers"
    SPOT = "a spot on an enemy unit"
    WAY = "a direction"
    POINT = "a point of the table"


AT_PLACES = (Aim.SPOT, Aim.WAY, Aim.POINT)  # a place or a direction is chosen (``magic.places``)
AT_NO_UNIT = (Aim.CASTER, Aim.NOBODY, Aim.FLYERS, Aim.WAY, Aim.POINT)  # no unit is chosen


class Picks(Enum):
    """Which models of a unit a spell that acts on a single model may name (``magic.naming``)."""

    MODEL = "any model"
    CHARACTER = "a character"
    ON_FOOT = "the wizard himself, or a character who is infantry"


class Casting(NamedTuple):
    """A spell that was cast and not dispelled.

    Attributes:
        player: whose spell it is. caster: the unit row of its wizard, -1: ground casts it.
        row: of the table ``spellbook``, -1: none.
        spell: what was cast. version: its number among the versions of the spell.
        target: the unit row of its target, -1: none.
        result: the casting result.
        model: the row of the single model that it is cast on, -1: it is cast on no single model.
        place: the cell or the direction that was chosen (``magic.places``), -1: none.
        ground: the row of the feature that casts it, -1: a wizard does.
    """

    player: int
    caster: int
    row: int
    spell: Spell
    version: int
    target: int
    result: int
    model: int = -1
    place: int = -1
    ground: int = -1


class Judge(ABC):
    """What deeds ask to say what they are worth (``view.judge_magic``). All values are points by which the worth of a
    unit to its own side changes on average; below 0: it is harmed.
    """

    @abstractmethod
    def of_hits(self, g: BattleCore, unit: int, number: Number, hit: Hit, side: int, share: float = 1.0) -> float:
        """What ``number`` hits that come from a side of its block cost a unit; at most 0. ``share``: the chance of each
        to fall on it.
        """

    @abstractmethod
    def of_bolt(self, g: BattleCore, unit: int, hits: Sequence[Hit], side: int) -> float:
        """What a bolt costs a unit, given its hit on each rank; it goes on only past a model that it slays."""

    @abstractmethod
    def of_number(self, number: Number) -> Mapping[int, float]:
        """The chance of each value of a rolled number."""

    @abstractmethod
    def of_model(self, g: BattleCore, model: int, number: Mapping[int, float], hit: Hit, toughness: int) -> float:
        """What hits on a single model cost its unit, given the chance of each number of hits; at most 0."""

    @abstractmethod
    def of_effect(self, g: BattleCore, unit: int, effect: Effect, *, helps: bool) -> float:
        """What an effect on a unit is worth. ``helps``: it was cast by a friend; so rules that it gives do good."""

    @abstractmethod
    def of_rally(self, g: BattleCore, unit: int) -> float:
        """What it is worth that a unit rallies, if it flees."""

    @abstractmethod
    def of_other(self, g: BattleCore, unit: int, kind: Kind) -> float:
        """A rough guess at what a spell of a type does to a unit."""


@dataclass(frozen=True)
class Deed:
    """Something that a spell does to a unit, at once (wap.magic.duration.instant) or by an effect that begins. Each
    kind of deed is a subclass.

    Attributes:
        once: it is done once for the whole spell, not to each unit that the spell acts on.
        leaves_mark: it leaves something on the table (``basics.marks``).
    """

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        """Do it to ``unit`` (the target if it is done once)."""
        raise NotImplementedError

    def touched(self, g: BattleCore, k: int, models: Sequence[int]) -> None:
        """Do it to models that have come into the vortex of row ``k`` of ``omens``."""

    def land(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        """Let so many hits fall on ``unit``, whose number was rolled before a player was asked (``magic.fate``)."""
        raise NotImplementedError

    def fall(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        """Let hits of a missile on a lone character fall on him, or on a unit that looked out for him
        (``magic.lookouts``).
        """
        raise NotImplementedError

    def effects(self) -> tuple[Effect, ...]:
        """The effects that it can begin; a battle knows all its effects from the start."""
        return ()

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        """By how many points it changes what a unit is worth to its own side, on average; below 0: it does harm."""
        return judge.of_other(g, unit, casting.spell.kind)

    @property
    def once(self) -> bool:
        """Whether it is done once, and not to each unit."""
        return False

    @property
    def leaves_mark(self) -> bool:
        """Whether it leaves something on the table."""
        return False


@dataclass(frozen=True)
class Template:
    """The template of a spell: a round one of a radius, or a line of a length, in inches."""

    radius: float = 0.0
    length: float = 0.0


@dataclass(frozen=True)
class Version:
    """A spell as it stands, or boosted.

    Attributes:
        value: the casting value, at least 3 (wap.magic.cast.minimum-value).
        range: inches. everyone: it acts on all units in range that could be its target.
        deeds: what it does, in order. empowered: ... if an effect on its wizard empowers it; empty: the same.
        words: that tell it from other versions of its value. own: whether it can be cast only on the unit that the
            wizard is in (True), or only on others (False); None: on any.
        template: that it uses.
    """

    value: int
    range: float
    deeds: tuple[Deed, ...] = ()
    everyone: bool = False
    empowered: tuple[Deed, ...] = ()
    words: str = ""
    own: bool | None = None
    template: Template | None = None

    @property
    def all_deeds(self) -> tuple[Deed, ...]:
        """The deeds of both kinds."""
        return (*self.deeds, *self.empowered)


@dataclass(frozen=True)
class Spell:
    """A spell.

    Attributes:
        name: as players call it. rule: its id in the catalogue. lore: the number of its lore in ``statics["lores"]``.
        number: in its lore, 0 for the signature spell.
        kind, aim: its type and target. versions: the base version first; each choice of the caster is one.
        remains: it remains in play (wap.magic.rip.lasting).
        picks: the models of the target that it may name; None: it is cast on the whole unit.
        strikes_once: it strikes a unit only once in a phase, whoever casts it.
        reshapes: it gives the wizard another form.
    """

    name: str
    rule: str
    lore: int
    number: int
    kind: Kind
    aim: Aim
    versions: tuple[Version, ...]
    remains: bool = False
    picks: Picks | None = None
    strikes_once: bool = False
    reshapes: bool = False

    @property
    def value(self) -> int:
        """The casting value of the base version."""
        return self.versions[0].value

    @cached_property
    def may_be_kept(self) -> bool:
        """Whether it may be in play for a time."""
        return self.remains or self.kind is Kind.VORTEX

    @property
    def base_versions(self) -> tuple[Version, ...]:
        """The versions that are not boosted."""
        return tuple(version for version in self.versions if version.value == self.value)

    @property
    def leaves_mark(self) -> bool:
        """Whether it leaves something on the table."""
        return any(deed.leaves_mark for version in self.versions for deed in version.deeds)

    @cached_property
    def range(self) -> float:
        """The longest range of its versions: a target may be named up to it (wap.lore.general.boosted-version)."""
        return max(version.range for version in self.versions)


class Attribute(Unchanging):
    """The attribute of a lore: how it changes the spells of that lore (wap.magic.attribute).

    Attributes:
        nature: of all hits of its spells, besides what these say themselves (bits of ``weapons.hit``).
    """

    nature: int = 0

    def declared(self, g: BattleCore, casting: Casting) -> None:
        """Called when a spell of the lore and its target were named, before dice are chosen. It may push a procedure
        that asks the player.
        """

    def adds(self, g: BattleCore, unit: int) -> int:
        """What is added to the casting roll for a spell that a unit has declared."""
        return 0

    def hits_on(self, g: BattleCore, casting: Casting, unit: int, number: int) -> int:
        """Called when a spell hits a unit ``number`` times: how often it hits it in all. It may roll dice."""
        return number

    def has_wounded(self, g: BattleCore, casting: Casting, number: int) -> None:
        """Called when a spell has cost models so many Wounds."""

    def lowers(self, g: BattleCore, spell: Spell, target: int) -> int:
        """By how much the casting values of a spell are lowered if it is cast on a unit."""
        return 0

    def has_cast(self, g: BattleCore, casting: Casting) -> None:
        """Called when a spell of the lore was cast, was not dispelled and has been resolved; a bound one too, whoever
        cast it (wap.magic.bound.attribute).
        """


@dataclass(frozen=True)
class Lore:
    """A lore of magic: its name, and its attribute."""

    name: str
    attribute: Attribute


def spells_of(g: BattleCore) -> tuple[Spell, ...]:
    """All spells of the battle; the index is a spell's number."""
    found: tuple[Spell, ...] = g.setup.statics["spells"]
    return found


def lore_of(g: BattleCore, spell: Spell) -> Lore:
    """The lore of a spell."""
    found: Lore = g.setup.statics["lores"][spell.lore]
    return found


def has_magic(g: BattleCore) -> bool:
    """Whether anybody in the battle knows a spell."""
    return bool(g.setup.statics["spells"])
