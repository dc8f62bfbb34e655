"""A magic item that is being read, and the words that items of several families have. Readers of one family alone are
in ``item_weapons``, ``item_armour`` and so on; ``items`` puts them together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from wh_env.content.wap.effect_words import WordReading, Words
from wh_env.content.wap.schema_items import BANNER, ItemRow
from wh_env.content.wap.schema_magic import BoundRow, SpellRow, WizardRow
from wh_env.content.wap.schema_units import Profile
from wh_env.rulesets.wap.basics.aids import NO_AIDS, Aids
from wh_env.rulesets.wap.basics.carried import Use
from wh_env.rulesets.wap.basics.effects import Effect, On, Until
from wh_env.rulesets.wap.rule_book import (
    ALL_GROUND,
    ARMOUR_PIERCING,
    BOOK,
    FLAMING_ATTACKS,
    IGNORES_ARMOUR_SAVES,
    IMMUNITY,
    STRIDER,
    SWIFTSTRIDE,
    Grant,
    SpecialRule,
)
from wh_env.rulesets.wap.special.names import fault_of
from wh_env.rulesets.wap.tables import MOST
from wh_env.rulesets.wap.weapons.arms import Piece, Weapon

# words of the catalogue's tables that are no names of special rules in lower case
CALLED: Mapping[str, str] = {
    "swift": SWIFTSTRIDE.name,
    "strider": f"{STRIDER.name} ({ALL_GROUND})",
    "immunity-flaming": f"{IMMUNITY.name} ({FLAMING_ATTACKS.name})",
}
BEARER, WITH_UNIT, WEAPON, UNIT = "bearer", "bearer-and-unit", "weapon-attacks", "unit"
WITH_MOUNTS = "models-and-mounts"


@dataclass
class Reading(WordReading):
    """A magic item that is being read.

    Attributes:
        rules: special rules of its bearer, as cards write them. profile: changes of the bearer's profile.
        weapon, piece: what it is itself, of magic weapons and armour.
        effects: that act from the start of the battle. uses: what can be done with it.
        aids: what it adds to the magic of its bearer. masters: its bearer knows a whole lore.
        learns: it can teach its bearer spells of the enemy. stays_alone: its bearer joins no unit.
        extra: Attacks and Strength of an attack beside those of its bearer, without a weapon; Strength 0: none.
        bound: the bound spell that it holds, of a lore (``BoundRow``) or of none. wizard: its bearer is such a wizard,
            who uses one of the lores at random. builds: it brings a building.
        given: the special rules that it gives.
    """

    row: ItemRow
    rules: list[str] = field(default_factory=list)
    profile: list[Callable[[Profile], Profile]] = field(default_factory=list)
    weapon: Weapon | None = None
    piece: Piece | None = None
    effects: list[Effect] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    aids: Aids = NO_AIDS
    masters: bool = False
    learns: bool = False
    stays_alone: bool = False
    extra: tuple[int, int] = (0, 0)
    bound: BoundRow | SpellRow | None = None
    wizard: WizardRow | None = None
    builds: bool = False
    given: list[Grant] = field(default_factory=list)

    @property
    def lasts(self) -> bool:
        """Whether it does something all the time."""
        return bool(self.rules or self.profile or self.weapon or self.piece or self.effects or any(self.extra))

    @property
    def holds(self) -> str:
        """The name of the bound spell that it holds; "": it holds none."""
        if self.bound is None:
            return ""
        return self.bound.spell if isinstance(self.bound, BoundRow) else self.bound.name

    @property
    def is_banner(self) -> bool:
        """Whether it is a magic banner, which acts on its unit."""
        return self.row.family == BANNER

    def rule(self, words: str) -> Grant:
        """A special rule as the catalogue writes it: ``fear``, ``armour-piercing-1``, ``parry-5``, ``fly-10``."""
        for written in written_in(words):
            if fault_of(written) is None:
                grant = BOOK.read(written)
                assert grant is not None
                return grant
        raise self.refuse("effects", words, "a special rule, as the tables of the catalogue write it")

    def gives(self, grant: Grant, scope: str) -> None:
        """The item gives a special rule to its bearer, to his attacks with it, or to units (``acts``)."""
        self.given.append(grant)
        if scope == WEAPON:
            self.weapon = armed(self.magic_weapon, grant)
        elif scope == BEARER:
            self.rules.append(written_out(grant))
        else:
            mounts = scope == WITH_MOUNTS  # wap.troop.cavalry.rules-scope
            self.acts(UNIT if mounts else scope, grants=(grant,), spares_mounts=not mounts)

    def acts(self, scope: str, **fields: Any) -> None:
        """An effect acts all the time: of a banner on its unit, else on the bearer, and on the unit that he stands in
        if the scope says so. What several words say of one scope is one effect.
        """
        on = self.on(scope)
        at = next((n for n, effect in enumerate(self.effects) if effect.on is on), -1)
        if at < 0:
            flies = on is On.UNIT
            own: dict[str, Any] = {"while_caster_lives": not flies, "while_standard_flies": flies}
            self.effects.append(Effect(self.row.name, on, Until.BATTLE, **own))
        effect = self.effects[at]
        added: dict[str, Any] = {
            name: (*getattr(effect, name), *value) if isinstance(value, tuple) else value
            for name, value in fields.items()
        }
        self.effects[at] = replace(effect, **added)

    def on(self, scope: str) -> On:
        """On which models an effect of a scope acts."""
        known = {UNIT: On.UNIT, WITH_UNIT: On.BESIDES, BEARER: On.MODELS}
        if scope not in known:
            raise self.refuse("effects.scope", scope, "one of " + ", ".join(known))
        return known[scope]

    def scope(self, words: Words) -> str:
        """The scope of an effect: if it names none, the unit of a banner, and the bearer of any other item."""
        return str(words.pop("scope", UNIT if self.is_banner else BEARER))

    @property
    def magic_weapon(self) -> Weapon:
        """The weapon that the item is."""
        if self.weapon is None:
            raise self.refuse("effects", self.row.family, "an item of the family weapon")
        return self.weapon

    @property
    def magic_armour(self) -> Piece:
        """The piece of armour that the item is."""
        if self.piece is None:
            raise self.refuse("effects", self.row.family, "an item of the family armour")
        return self.piece


Reader = Callable[[Reading, Words], None]  # takes its words out of the mapping
Readers = tuple[tuple[frozenset[str], Reader], ...]  # by the words that an effect must have


def written_in(words: str) -> list[str]:
    """How cards may write a special rule that the catalogue writes in ``words``: ``["Parry (5)", "Parry (5+)"]``."""
    found = [CALLED[words]] if words in CALLED else []
    for rule in BOOK:
        called = rule.name.lower().replace(" ", "-")
        if words == called:
            found.append(rule.name)
        elif words.startswith(f"{called}-"):
            parameter = words.removeprefix(f"{called}-")
            found += [
                f"{rule.name} ({told})" for told in (parameter, f"{parameter}+", parameter.replace("-", " ").title())
            ]
    return found


def written_out(grant: Grant) -> str:
    """A special rule as cards write it."""
    return f"{grant.rule.name} ({grant.parameter})" if grant.parameter else grant.rule.name


def armed(weapon: Weapon, grant: Grant) -> Weapon:
    """A weapon whose attacks have one more special rule."""
    rule: SpecialRule = grant.rule
    if rule is IGNORES_ARMOUR_SAVES:
        return replace(weapon, ignores_armour=True)
    if rule is ARMOUR_PIERCING:
        return replace(weapon, piercing=weapon.piercing + int(grant.parameter))
    return replace(weapon, rules=(*weapon.rules, written_out(grant)))


def read_grant(reading: Reading, words: Words) -> None:
    """``grant``, ``scope``: special rules of the bearer, of his attacks with a weapon, or of units."""
    scope = reading.scope(words)
    for rule in words.pop("grant"):
        reading.gives(reading.rule(rule), scope)


def read_ward(reading: Reading, words: Words) -> None:
    """``ward``: a ward save of the bearer, or of the unit of a banner."""
    reading.gives(reading.rule(f"ward-save-{words.pop('ward')}"), reading.scope(words))


def read_regeneration(reading: Reading, words: Words) -> None:
    """``regeneration``: the bearer regenerates with this or more."""
    reading.gives(reading.rule(f"regeneration-{words.pop('regeneration')}"), reading.scope(words))


def read_stat(reading: Reading, words: Words) -> None:
    """``stat``, ``by`` or ``set``: a characteristic of the bearer's own profile, from 0 to 10; of a banner, one of all
    models of its unit as long as it stands.
    """
    names = reading.stats(words)
    reading.take(words, "max", None, MOST)
    fixed = "set" in words
    number = int(words.pop("set" if fixed else "by"))

    if reading.is_banner:
        reading.acts(UNIT, **{"sets" if fixed else "changes": tuple((name, number) for name in names)})
        return

    def changed(profile: Profile) -> Profile:
        new = {name: number if fixed else getattr(profile, name) + number for name in names}
        return profile.model_copy(update={name: max(0, min(MOST, value)) for name, value in new.items()})

    reading.profile.append(changed)


def read_weapon_stat(reading: Reading, words: Words) -> None:
    """``stat: S``, ``by``, ``scope: weapon-attacks``: Strength added to attacks with the weapon."""
    reading.take(words, "stat", "S")
    reading.take(words, "scope", WEAPON)
    reading.take(words, "in", None, "close-combat")
    weapon = reading.magic_weapon
    reading.weapon = replace(weapon, strength=weapon.strength + int(words.pop("by")))


# words of all families; an effect is read by the first reader whose words it has, those of its family before these
SHARED: Readers = (
    (frozenset({"grant"}), read_grant),
    (frozenset({"ward"}), read_ward),
    (frozenset({"regeneration"}), read_regeneration),
    (frozenset({"stat", "scope"}), read_weapon_stat),
    (frozenset({"stat"}), read_stat),
)
