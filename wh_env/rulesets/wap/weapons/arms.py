"""Weapons and armour as a battle knows them, compiled from their tables (wap.weapon.general.profile,
wap.armour.general.values).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.effects import Effect, is_bare
from wh_env.rulesets.wap.basics.special_rules import Abilities
from wh_env.rulesets.wap.rule_book import SpecialRule

ALWAYS, CHARGED_IN_FRONT, CHARGES = 0, 1, 2  # when the starred values of a weapon hold
MOST_POINTS = 6  # of armour: no save is better than 1+ (wap.shoot.save.best)
NO_SAVE = MOST_POINTS + 1


@dataclass(frozen=True)
class Weapon:
    """The profile of a weapon; ``when`` says in which turns its starred values hold.

    Attributes:
        range: inches; 0: close combat only.
        fixed: Strength in place of the user's, 0: none. strength: added to the user's.
        attacks, initiative: added to the user's. hitting: added to dice to hit.
        hits: that each hit in close combat counts as. at_worst: the score that wounds whatever Toughness is, 0: none.
        curses: effects that begin on those that suffer an unsaved wound by it: on a character, on any other monster;
            empty: none.
        bonus: Strength Bonus. ranks: Fight in Extra Ranks. piercing: Armour Piercing.
        parry: the ward save that it gives, ``NO_SAVE``: none.
        two_hands: a shield cannot be used beside it. mounted: only riders use it.
        attached: it belongs to what the model rides, which shoots with it.
        magic: its attacks are magical, and some rules do not apply to them.
        hand: it counts as a hand weapon (wap.item.general.weapon-is-hand-weapon).
        paired: a mundane weapon is used beside it, with one Attack of its own (``OFF_HAND``).
        first, last: Always Strikes First, Last. ignores_armour: no armour save against it.
        starred: names of the attributes that hold only ``when``.
        against: troop types (codes) that the Strength Bonus counts against; empty: all.
        rules: other special rules, by name.
    """

    name: str
    range: int = 0
    fixed: int = 0
    strength: int = 0
    attacks: int = 0
    initiative: int = 0
    hitting: int = 0
    hits: int = 1
    at_worst: int = 0
    curses: tuple[Effect, ...] = ()
    bonus: int = 0
    ranks: int = 0
    piercing: int = 0
    parry: int = NO_SAVE
    two_hands: bool = False
    mounted: bool = False
    attached: bool = False
    magic: bool = False
    hand: bool = False
    paired: bool = False
    first: bool = False
    last: bool = False
    ignores_armour: bool = False
    when: int = ALWAYS
    starred: frozenset[str] = frozenset()
    against: frozenset[int] = frozenset()
    rules: tuple[str, ...] = ()

    def strength_of(self, user: int) -> int:
        """Strength of its hits: fixed, or the ``user``'s Strength with the modifier (wap.weapon.general.profile)."""
        return self.fixed or user + self.strength

    @property
    def is_hand_weapon(self) -> bool:
        """Whether it is a hand weapon or counts as one."""
        return self.hand or self.name == HAND_WEAPON

    def has(self, rule: SpecialRule) -> bool:
        """Whether the weapon has a special rule that is written without brackets and has no attribute here."""
        return rule.name in self.rules


@dataclass(frozen=True)
class Piece:
    """A piece of armour: the points it adds in close combat and against shooting (wap.armour.general.values).

    Attributes:
        guards: it is held in a hand; in close combat it counts only beside a one-handed weapon.
        parry: the ward save that it gives beside a hand weapon, ``NO_SAVE``: none.
        faced: extra points of infantry against shooting from the front.
        slower: inches of Movement that it costs.
        fixed: points of all armour of its wearer together, which nothing improves; 0: his armour adds up.
        fixed_shooting: ... against shooting.
    """

    name: str
    combat: int = 0
    shooting: int = 0
    guards: bool = False
    parry: int = NO_SAVE
    faced: int = 0
    slower: int = 0
    fixed: int = 0
    fixed_shooting: int = 0


@dataclass(frozen=True)
class Outfit:
    """What every model of a unit carries (wap.weapon.general.unit-equipment).

    Attributes:
        weapons: for close combat; one of them is chosen. missiles: missile weapons. worn: armour.
        mounted: it uses weapons as riders do. ridden: it has a mount with a profile of its own.
        names: what hatred and ground can name: army book, alignment, troop type, card, and whether the models are
            Daemonic, Undead or Vampiric; in lower case.
        champion: the weapon that only the champion fights with, None: that of the others
            (wap.command.champion.equipment).
    """

    weapons: tuple[Weapon, ...]
    missiles: tuple[Weapon, ...] = ()
    worn: tuple[Piece, ...] = ()
    mounted: bool = False
    ridden: bool = False
    names: frozenset[str] = frozenset()
    champion: Weapon | None = None

    @cached_property
    def fixed(self) -> int:
        """Points of armour against blows to which nothing is added; 0: what is worn adds up."""
        return max((piece.fixed for piece in self.worn), default=0)

    @cached_property
    def fixed_shooting(self) -> int:
        """... against shooting."""
        return max((max(piece.fixed, piece.fixed_shooting) for piece in self.worn), default=0)


class Bared(NamedTuple):
    """Models without equipment: what they carry then, the special rules of the unit and of its fighting profiles."""

    outfit: Outfit
    rules: Abilities
    line_rules: tuple[Abilities, ...]


HAND_WEAPON = "hand weapon"


def usable(weapons: tuple[Weapon, ...]) -> tuple[Weapon, ...]:
    """The close combat weapons to choose from: with a special weapon the plain hand weapon is left out
    (wap.weapon.melee.hand-weapon).
    """
    special = dict.fromkeys(weapon for weapon in weapons if weapon.name != HAND_WEAPON)
    return tuple(special) or weapons[:1] or (Weapon(HAND_WEAPON),)


def beside_hand_weapon(missiles: tuple[Weapon, ...]) -> tuple[Weapon, ...]:
    """The hand weapon of a model that fights with pistols beside it: with their extra Attacks, at the user's Strength,
    and no hand left for a shield if they take two (wap.weapon.missile.pistol, .brace-of-pistols).
    """
    return tuple(
        Weapon(f"{HAND_WEAPON} and {missile.name}", attacks=missile.attacks, two_hands=missile.two_hands)
        for missile in missiles
        if missile.attacks
    )


def beside_magic(weapon: Weapon, other: Weapon | None) -> Weapon:
    """A magic weapon as its bearer uses it together with a mundane one, if it is one-handed
    (wap.item.general.weapon-is-hand-weapon). None: he has no other one.
    """
    if other is None or not weapon.hand or weapon.two_hands:
        return weapon
    both = f"{weapon.name} and {other.name}"
    return replace(
        weapon, name=both, hand=False, paired=True, two_hands=other.two_hands, parry=min(weapon.parry, other.parry)
    )


def outfit_of(g: BattleCore, unit: int) -> Outfit:
    """What the models of a unit carry."""
    statics = g.setup.statics
    outfit: Outfit = statics["bare"][unit].outfit if is_bare(g, unit) else statics["outfits"][unit]
    return outfit


def weapon_of(g: BattleCore, unit: int) -> Weapon:
    """The weapon that a unit fights with: the chosen one, or the first if none was chosen (wap.weapon.general.keep)."""
    chosen, weapons = g.units.weapon[unit], outfit_of(g, unit).weapons
    return weapons[chosen - 1 if 0 < chosen <= len(weapons) else 0]
