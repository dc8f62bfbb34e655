"""Ground that teaches spells: for a Magic phase to one wizard near it (wap.building.arcane.wizards-tower), or to who
answers its riddles (wap.building.arcane.sphinx).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, count_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import one_evenly
from wh_env.rulesets.wap.basics.ground import Ground, distance_to, with_trait
from wh_env.rulesets.wap.codes import FOREIGN, KNOWN, LENT, UNKNOWN
from wh_env.rulesets.wap.magic.in_play import end_spell, in_play
from wh_env.rulesets.wap.magic.spells import lore_of
from wh_env.rulesets.wap.magic.wizards import is_bound, is_there, level_of, may_learn, rows_of, spell_at

RULE = "wap.building.arcane.wizards-tower"
MOST = 128  # features of a table
OF_RIDDLES = "Lore of Death"  # what a wizard who answers a riddle may master (wap.building.arcane.sphinx)


def readers_at(g: BattleCore, ground: Ground) -> list[int]:
    """The wizards near enough to ground that teaches spells."""
    units = (unit for unit in range(len(g.units.owner)) if level_of(g, unit) and is_there(g, unit))
    return [unit for unit in units if distance_to(g, block_of(g, unit), ground) <= ground.traits.library + EPS]


def lores_known(g: BattleCore, unit: int) -> list[int]:
    """The numbers of the lores of a wizard, in the order of his rows."""
    own = (row for row in rows_of(g, unit) if not is_bound(g, row) and g.spellbook.known[row] != FOREIGN)
    return list(dict.fromkeys(spell_at(g, row).lore for row in own))


def teach(g: BattleCore, unit: int, lore: int, known: int, rule: str) -> None:
    """A wizard knows all spells of a lore that his level allows and that he has not lost. ``known``: the code that they
    have then. ``rule``: why.
    """
    taught, teachable = -1, (UNKNOWN, FOREIGN) if known == KNOWN else (UNKNOWN,)
    for row in rows_of(g, unit):
        spell = spell_at(g, row)
        if spell.lore == lore and g.spellbook.known[row] in teachable and may_learn(g, unit, spell):
            g.spellbook.known[row], taught = known, row
    if g.recorder is not None and taught >= 0:
        g.note(rule, "masters a lore", unit=unit, name=lore_of(g, spell_at(g, taught)).name)


def give_back(g: BattleCore) -> None:
    """At the end of the phase nobody knows what the ground has taught for it; such a spell ends if it is in play
    (wap.magic.rip.lasting).
    """
    known = g.spellbook.known
    for row in [row for row, code in enumerate(known) if code == LENT] if with_trait(g, "library") else ():
        if row in in_play(g):
            end_spell(g, row, "wap.magic.rip.lasting")
        known[row], g.spellbook.tried[row] = UNKNOWN, 0


class Libraries(OfPlayer):
    """At the start of a Magic phase each library teaches one wizard near it."""

    AT = integer(between(0, MOST))  # libraries that have done so
    UNIT = integer(count_of("units"))  # the wizard who says for which lore, counted from 1; 0: nobody does
    asks = ("library-lore",)

    def advance(self, g: BattleCore, f: int) -> int:
        libraries, stack = with_trait(g, "library"), g.stack
        if stack[f + Libraries.UNIT]:
            unit = stack[f + Libraries.UNIT] - 1
            return g.ask(LibraryLore, g.units.owner[unit], unit)
        if stack[f + Libraries.AT] == len(libraries):
            return g.pop()
        readers = readers_at(g, libraries[stack[f + Libraries.AT]])
        stack[f + Libraries.AT] += 1
        if not readers:
            return GO
        unit = readers[one_evenly(g, len(readers)) if len(readers) > 1 else 0]
        lores = lores_known(g, unit)
        if len(lores) > 1:
            stack[f + Libraries.UNIT] = unit + 1
        elif lores:
            teach(g, unit, lores[0], LENT, RULE)
        return GO


class LibraryLore(DecisionKind):
    name = "library-lore"
    what = "Which of his lores a wizard masters in this phase."
    policy = "His first one."
    keys = (RULE,)
    squad = False

    @staticmethod
    def lores(g: BattleCore, f: int) -> list[int]:
        """The lores among which the wizard chooses."""
        return lores_known(g, g.stack[f + Libraries.UNIT] - 1)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for at in range(len(self.lores(g, f))):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, lore = g.stack[f + Libraries.UNIT] - 1, self.lores(g, f)[action - g.setup.space.option]
        g.stack[f + Libraries.UNIT] = 0
        teach(g, unit, lore, LENT, RULE)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        lore = self.lores(g, f)[action - g.setup.space.option]
        return str(g.setup.statics["lores"][lore].name)


def learn_all(g: BattleCore, unit: int, name: str, rule: str) -> None:
    """A wizard masters a lore for the rest of the game."""
    for lore, found in enumerate(g.setup.statics["lores"]):
        if found.name == name:
            teach(g, unit, lore, KNOWN, rule)
