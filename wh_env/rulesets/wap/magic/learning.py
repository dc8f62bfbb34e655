"""Wizards receive their spells before armies are deployed (wap.magic.spells.*)."""

from __future__ import annotations

from collections import Counter

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of
from wh_env.core.procedures import GO, ChooseUnit, DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.allies.relations import is_of_one_army
from wh_env.rulesets.wap.basics.arcane import more_spells_of, show_aids
from wh_env.rulesets.wap.codes import KNOWN, UNKNOWN
from wh_env.rulesets.wap.magic.spells import SIGNATURE
from wh_env.rulesets.wap.magic.wizards import is_bound, level_of, may_learn, normal_spells, rows_of, spell_at


def selects_spells(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a wizard who still has to select a spell: as many as his level, and more by items
    (wap.magic.spells.count, wap.item.arcane.spell-familiar).
    """
    number = level_of(g, unit) + more_spells_of(g, unit)
    return number > 0 and len(normal_spells(g, unit)) < number and bool(allowed_rows(g, unit))


def holders(g: BattleCore, unit: int) -> Counter[int]:
    """How many wizards of a unit's army have selected each spell, by its number. Spells of who has no choice do not
    count (wap.magic.spells.unique-exceptions).
    """
    book, owner = g.spellbook, g.units.owner
    imposed = g.setup.layout.view(g.setup.template, "spellbook")["known"].tolist()
    rows = [row for row, known in enumerate(imposed) if known == UNKNOWN and book.known[row] == KNOWN]
    own = (row for row in rows if owner[book.unit[row]] == owner[unit] and is_of_one_army(g, book.unit[row], unit))
    return Counter(book.spell[row] for row in own)


def allowed_rows(g: BattleCore, unit: int) -> list[int]:
    """Rows of the spells that a wizard does not know and that his level allows (wap.magic.spells.by-level)."""
    unknown = (row for row in rows_of(g, unit) if g.spellbook.known[row] == UNKNOWN and not is_bound(g, row))
    spells = ((row, spell_at(g, row)) for row in unknown)
    return [row for row, spell in spells if spell.number != SIGNATURE and may_learn(g, unit, spell)]


def open_rows(g: BattleCore, unit: int) -> list[int]:
    """Rows of the spells that a wizard may select now: his level allows them, and nobody else in his army knows them.
    If all are known, those that the fewest know (wap.magic.spells.by-level, .unique, .unique-exceptions).
    """
    book, rows = g.spellbook, allowed_rows(g, unit)
    known = holders(g, unit)
    fewest = min((known[book.spell[row]] for row in rows), default=0)
    return [row for row in rows if known[book.spell[row]] == fewest]


def easiest(g: BattleCore, unit: int) -> int:
    """The row of the spell of the lowest casting value that a wizard may select now."""
    return min(open_rows(g, unit), key=lambda row: (spell_at(g, row).value, row))


def learn(g: BattleCore, row: int) -> None:
    """A wizard selects the spell of a row."""
    unit = g.spellbook.unit[row]
    g.spellbook.known[row] = KNOWN
    if len(normal_spells(g, unit)) > level_of(g, unit):
        show_aids(g, unit, "spells")
    if g.recorder is not None:
        g.note("wap.magic.spells.by-level", "learns", unit=unit, name=spell_at(g, row).name)


class LearnSpells(OfPlayer):
    """The wizards of a player receive their spells, one wizard after the other."""

    UNIT = integer(count_of("units"))  # the wizard who is selecting, counted from 1; 0: nobody is
    asks = ("learns-next", "learn-spell")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the wizard who is selecting is one of the player's and has spells to select."""
        own, unit = g.units_of(g.stack[f + LearnSpells.PLAYER]), g.stack[f + LearnSpells.UNIT] - 1
        return unit < 0 or (unit in own and selects_spells(g, unit))

    def advance(self, g: BattleCore, f: int) -> int:
        player, unit = g.stack[f + LearnSpells.PLAYER], g.stack[f + LearnSpells.UNIT] - 1
        if unit >= 0 and selects_spells(g, unit):
            if not g.is_answered_by_default(LearnSpell):
                return g.ask(LearnSpell, player, unit)
            learn(g, easiest(g, unit))
            return GO
        g.stack[f + LearnSpells.UNIT] = 0
        following = next((other for other in g.units_of(player) if selects_spells(g, other)), -1)
        if following < 0:
            return g.pop()
        if not g.is_answered_by_default(LearnsNext):
            return g.ask(LearnsNext, player)
        g.stack[f + LearnSpells.UNIT] = following + 1
        return GO


class LearnsNext(ChooseUnit):
    name = "learns-next"
    what = "Which wizard receives his spells next."
    keys = ("wap.magic.spells.order", "wap.magic.spells.when")
    squad = False

    def may(self, g: BattleCore, unit: int) -> bool:
        return selects_spells(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.stack[f + LearnSpells.UNIT] = unit + 1


class LearnSpell(DecisionKind):
    name = "learn-spell"
    what = "Which spell of its lores a wizard selects."
    policy = "The one of the lowest casting value."
    keys = (
        "wap.magic.spells.by-level",
        "wap.magic.spells.unique",
        "wap.magic.spells.count",
        "wap.item.arcane.spell-familiar",
        "wap.item.enchanted.wizarding-hat",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + LearnSpells.UNIT] - 1
        for row in open_rows(g, unit):
            mask[g.setup.space.number + row - g.wizards.first_spell[unit]] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        learn(g, LearnSpell.row(g, f, action))

    @staticmethod
    def row(g: BattleCore, f: int, action: int) -> int:
        """The row of ``spellbook`` that an action stands for."""
        first: int = g.wizards.first_spell[g.stack[f + LearnSpells.UNIT] - 1]
        return first + action - g.setup.space.number

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        unit = g.stack[f + LearnSpells.UNIT] - 1
        return int(g.setup.space.number + easiest(g, unit) - g.wizards.first_spell[unit])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return spell_at(g, LearnSpell.row(g, f, action)).name
