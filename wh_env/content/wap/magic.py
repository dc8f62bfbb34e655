"""The wizards of a battle and the spells that they may know, as rows of the tables of magic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.spells import Grimoire, bound_version, grimoire_of
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.effects import Until
from wh_env.rulesets.wap.codes import FOREIGN, FORGOTTEN, INNATE, KNOWN, OF_ITEM, OWN_SPELL, UNKNOWN
from wh_env.rulesets.wap.magic.spells import SIGNATURE, Spell
from wh_env.rulesets.wap.magic.wizards import MOST_NUMBER
from wh_env.rulesets.wap.rule_book import BOOK, LOREMASTER

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
    """

    grimoire: Grimoire
    spells: tuple[Spell, ...]
    levels: tuple[int, ...]
    rows: tuple[Known, ...]

    def most_effects(self, units: int) -> int:
        """The most effects of spells that may act at once on so many units: each once on a unit (wap.magic.same-spell),
        and each spell that may be known on one unit for each of two castings; on all units if it acts on all in range,
        or lasts for the whole battle.
        """
        names = len({effect.name for effect in self.grimoire.effects})
        castings = 0
        for row in self.rows:
            versions = [v for v in self.spells[row.spell].versions if any(deed.effects() for deed in v.deeds)]
            effects = [effect for v in versions for deed in v.deeds for effect in deed.effects()]
            stays = any(e.until is Until.BATTLE and not e.while_caster_lives for e in effects)
            many = stays or any(v.everyone for v in versions)
            castings += 2 * (units if many else 1) if versions else 0
        return min(names * units, castings)

    def fill(self, wizards: Array, spellbook: Array) -> None:
        """Write the rows of the tables ``wizards`` and ``spellbook``, if the battle has them."""
        for name in Known._fields:
            spellbook[name] = [getattr(row, name) for row in self.rows]
        if len(wizards):
            wizards["level"] = self.levels
            of_unit = [[n for n, row in enumerate(self.rows) if row.unit == unit] for unit in range(len(wizards))]
            wizards["first_spell"] = [rows[0] if rows else 0 for rows in of_unit]
            wizards["spells"] = [len(rows) for rows in of_unit]


def lores_used(unit: Regiment) -> tuple[str, ...]:
    """The lores that a unit uses; none if it is no wizard. A scene may leave the choice to its first ones."""
    wizard = unit.card.wizard
    return () if wizard is None else tuple(unit.lores) or wizard.lores[: wizard.together]


def level_of(unit: Regiment) -> int:
    """The wizard level of a unit, 0: it is no wizard."""
    return 0 if unit.card.wizard is None else unit.level or unit.card.wizard.level


def wizardry_of(units: Sequence[Regiment]) -> Wizardry:
    """The magic of a battle with these units."""
    lores = [lore for unit in units for lore in lores_used(unit)]
    grimoire = grimoire_of(lores, [bound for unit in units for bound in unit.card.bound])
    spells, rows = list(grimoire.spells), list[Known]()
    for at, unit in enumerate(units):
        rows += own_rows(at, unit, grimoire)
        if unit.gear.learns:
            rows += foreign_rows(at, unit, grimoire)
        for bound in unit.card.bound:
            base = next(n for n in grimoire.of_lore(bound.lore) if grimoire.spells[n].name == bound.spell)
            spells.append(bound_version(grimoire.spells[base], bound.power))
            rows.append(Known(at, len(spells) - 1, OF_ITEM if bound.item else INNATE, KNOWN))
    return Wizardry(grimoire, tuple(spells), tuple(map(level_of, units)), tuple(rows))


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


def foreign_rows(at: int, unit: Regiment, grimoire: Grimoire) -> list[Known]:
    """The rows of the spells of other lores that an item may teach a wizard (wap.item.arcane.gem-of-tarante)."""
    others = (lore for lore in grimoire.names if lore not in lores_used(unit))
    found = (spell for lore in others for spell in grimoire.of_lore(lore))
    most = level_of(unit) + MOST_NUMBER
    return [Known(at, spell, OWN_SPELL, FOREIGN) for spell in found if grimoire.spells[spell].number <= most]
