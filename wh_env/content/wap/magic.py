"""The wizards of a battle and the spells that they may know, as rows of the tables of magic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wh_env.content.errors import ContentError
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.schema_magic import BoundRow
from wh_env.content.wap.spells import Grimoire, bound_version, grimoire_of
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.effects import On, Until
from wh_env.rulesets.wap.codes import FOREIGN, FORGOTTEN, INNATE, KNOWN, OF_ITEM, OWN_SPELL, UNKNOWN
from wh_env.rulesets.wap.magic.spells import SIGNATURE, Spell
from wh_env.rulesets.wap.magic.wizards import MOST_NUMBER
from wh_env.rulesets.wap.rule_book import BOOK, LOREMASTER
from wh_env.rulesets.wap.tables import MARKS, MOST_LORES

MOST_SIGNATURES = 2  # wap.magic.signature.two-lores


class Known(NamedTuple):
    """A spell that a unit may know: the row of the unit, the spell's number, and columns of ``spellbook``."""

    unit: int
    spell: int
    source: int
    known: int


@dataclass(frozen=True)
class Wizardry:
    """The magic of a battle.

    Attributes:
        grimoire: the spells of its lores. spells: these, then bound spells.
        levels: by unit. rows: of ``spellbook``, unit by unit.
        drawn: by row of the units whose lore is drawn: the numbers of the spells of each lore that it may be.
    """

    grimoire: Grimoire
    spells: tuple[Spell, ...]
    levels: tuple[int, ...]
    rows: tuple[Known, ...]
    drawn: Mapping[int, tuple[tuple[int, ...], ...]] = field(default_factory=dict)

    @property
    def marks(self) -> int:
        """Rows of the table ``omens``."""
        return MARKS * sum(any(spell.leaves_mark for spell in spells) for spells in self.may_be())

    def may_be(self) -> Iterator[list[Spell]]:
        """The spells that each row of ``spellbook`` may be: one, or one of each lore that is drawn."""
        before, unit = 0, -1
        for n, row in enumerate(self.rows):
            if row.unit != unit:
                before, unit = n, row.unit
            lores = [lore for lore in self.drawn.get(unit, ()) if n - before < len(lore)]
            yield [self.spells[lore[n - before]] for lore in lores] or [self.spells[row.spell]]

    def most_effects(self, units: int, heroes: int, by_ground: Iterable[Sequence[int]] = ()) -> int:
        """The most effects of spells that may act at once on so many units: each once on a unit (wap.magic.same-spell),
        and each spell that may be known on one unit, or on all characters that are left of it, for each of two
        castings; on all units if it acts on all in range, or lasts for the whole battle.

        Args:
            heroes: characters of a side, at most. by_ground: the spells that features cast, on all units.
        """
        names = len({effect.name for effect in self.grimoire.effects})
        cast = {number for numbers in by_ground for number in numbers}
        castings = units * sum(any(deed.effects() for deed in self.spells[n].versions[0].deeds) for n in cast)
        castings += sum(max(effects_by(spell, units, heroes) for spell in spells) for spells in self.may_be())
        return min(names * units, castings)

    def may_know(self, row: Known) -> bool:
        """Whether the unit of a row may come to know its spell: it does from the start, or its level allows it."""
        if row.source != OWN_SPELL or row.known == KNOWN:
            return True
        return row.known in (UNKNOWN, FOREIGN) and self.spells[row.spell].number <= self.levels[row.unit] + MOST_NUMBER

    def fill(self, wizards: Array, spellbook: Array) -> None:
        """Write the rows of the tables ``wizards`` and ``spellbook``, if the battle has them."""
        for name in Known._fields:
            spellbook[name] = [getattr(row, name) for row in self.rows]
        if len(wizards):
            wizards["level"] = self.levels
            of_unit = [[n for n, row in enumerate(self.rows) if row.unit == unit] for unit in range(len(wizards))]
            wizards["first_spell"] = [rows[0] if rows else 0 for rows in of_unit]
            wizards["spells"] = [len(rows) for rows in of_unit]


def effects_by(spell: Spell, units: int, heroes: int) -> int:
    """The most effects of a spell that one wizard casts, with so many units in the battle and characters on a side
    (``Wizardry.most_effects``).
    """
    versions = [v for v in spell.versions if any(deed.effects() for deed in v.all_deeds)]
    effects = [effect for v in versions for deed in v.all_deeds for effect in deed.effects()]
    stays = any(e.until is Until.BATTLE and not e.while_caster_lives for e in effects)
    many = stays or any(v.everyone for v in versions)
    spreads = any(e.on is not On.MODELS for e in effects)
    return 2 * (units if many else max(1, heroes) if spreads else 1) if versions else 0


def lores_used(unit: Regiment) -> tuple[str, ...]:
    """The lores that a unit uses; none if it is no wizard. A scene may leave the choice to its first ones. Of those of
    which one is drawn, the first stands for all.
    """
    if unit.gear.lores:
        return unit.gear.lores[:1]
    wizard = unit.card.wizard
    return () if wizard is None else tuple(unit.lores) or wizard.lores[: wizard.together]


def bound_of(unit: Regiment) -> tuple[BoundRow, ...]:
    """The bound spells of a unit, those of its magic items last."""
    return (*unit.card.bound, *unit.gear.bound)


def level_of(unit: Regiment) -> int:
    """The wizard level of a unit, 0: it is no wizard."""
    return 0 if unit.card.wizard is None else unit.level or unit.card.wizard.level


def wizardry_of(units: Sequence[Regiment], of_ground: Iterable[str] = (), taught: Sequence[str] = ()) -> Wizardry:
    """The magic of a battle with these units. ``of_ground``: lores of which ground casts spells. ``taught``: lores that
    ground can teach any wizard.

    Raises:
        ContentError: a lore is drawn in a battle with too many.
    """
    lores = [*(lore for unit in units for lore in unit.gear.lores or lores_used(unit)), *of_ground]
    if any(unit.card.wizard for unit in units):
        lores += taught
    own_spells = [spell for unit in units for spell in unit.gear.spells]
    grimoire = grimoire_of(lores, [bound for unit in units for bound in bound_of(unit)], own_spells)
    spells, rows = list(grimoire.spells), list[Known]()
    for at, unit in enumerate(units):
        rows += own_rows(at, unit, grimoire)
        rows += foreign_rows(at, unit, grimoire, taught)
        for bound in bound_of(unit):
            base = next(n for n in grimoire.of_lore(bound.lore) if grimoire.spells[n].name == bound.spell)
            spells.append(bound_version(grimoire.spells[base], bound.power))
            rows.append(Known(at, len(spells) - 1, OF_ITEM if bound.item else INNATE, KNOWN))
        for own in unit.gear.spells:
            number = next(
                n for n, spell in enumerate(spells) if (spell.lore, spell.name) == (len(grimoire.names), own.name)
            )
            rows.append(Known(at, number, OF_ITEM, KNOWN))
    drawn = {at: tuple(map(tuple, map(grimoire.of_lore, u.gear.lores))) for at, u in enumerate(units) if u.gear.lores}
    if drawn and len(grimoire.names) > MOST_LORES:
        raise ContentError(
            "<battle>", "lores", len(grimoire.names), f"at most {MOST_LORES}, as one is drawn of several"
        )
    return Wizardry(grimoire, tuple(spells), tuple(map(level_of, units)), tuple(rows), drawn)


def own_rows(at: int, unit: Regiment, grimoire: Grimoire) -> list[Known]:
    """The rows of the spells of a wizard's lores. Signature spells are known from the start, other spells if they are
    fixed or if he is a Loremaster (wap.magic.signature, .not-if-fixed, .two-lores, wap.special.loremaster). An
    item makes him one of the first of his lores (wap.item.arcane.book-of-ashur).
    """
    wizard, level = unit.card.wizard, level_of(unit)
    if wizard is None:
        return []
    mastered = {read.parameter for words in unit.card.rules if (read := BOOK.read(words)) and read.rule is LOREMASTER}
    found = []
    for n, lore in enumerate(lores_used(unit)):
        for spell in grimoire.of_lore(lore):
            number = grimoire.spells[spell].number
            if wizard.spells:
                is_known = number in wizard.spells
            elif number == SIGNATURE:
                is_known = n < MOST_SIGNATURES
            else:
                is_master = grimoire.lores[grimoire.names.index(lore)].name in mastered or (unit.gear.masters and not n)
                is_known = is_master and number <= level + MOST_NUMBER
            found.append(Known(at, spell, OWN_SPELL, KNOWN if is_known else FORGOTTEN if wizard.spells else UNKNOWN))
    return found


def foreign_rows(at: int, unit: Regiment, grimoire: Grimoire, taught: Sequence[str]) -> list[Known]:
    """The rows of the spells of other lores that a wizard may be taught: all those of lores that ground teaches
    (``taught``), and by an item those that his level allows (wap.item.arcane.gem-of-tarante).
    """
    if unit.card.wizard is None:
        return []
    most, own = level_of(unit) + MOST_NUMBER, () if unit.gear.lores else lores_used(unit)
    return [
        Known(at, spell, OWN_SPELL, FOREIGN)
        for lore in grimoire.names
        for spell in (grimoire.of_lore(lore) if lore not in own else ())
        if lore in taught or (unit.gear.learns and grimoire.spells[spell].number <= most)
    ]
