"""Spells that remain in play (wap.magic.rip.*): which there are, and their end."""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.effects import end_effect, rows_in_use
from wh_env.rulesets.wap.basics.forms import whose_form
from wh_env.rulesets.wap.basics.marks import take_mark, vortices, vortices_of_spell
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.magic.shapes import end_of_form
from wh_env.rulesets.wap.magic.wizards import forget, lose_level, spell_at


@kernel
def is_one_kept(effects: Array, omens: Array) -> bool:
    """Whether a spell keeps up an effect or a vortex."""
    for k in range(len(effects)):
        if effects[k]["cast"] > 0:
            return True
    for k in range(len(omens)):
        if omens[k]["row"] > 0 and omens[k]["radius"] > 0.0:
            return True
    return False


def in_play(g: BattleCore) -> list[int]:
    """Rows of ``spellbook`` of the spells that are kept in play now."""
    if not g.work.call(is_one_kept, g.effects.rows, g.omens.rows):  # as a rule
        return []
    kept = set(g.effects.cast.tolist())
    kept.update([g.omens.row[k] for k in vortices(g)])
    kept.discard(0)
    return [row - 1 for row in sorted(kept)]


def in_play_of(g: BattleCore, player: int) -> list[int]:
    """... of a player's wizards."""
    return [row for row in in_play(g) if g.units.owner[g.spellbook.unit[row]] == player]


def under(g: BattleCore, row: int) -> Iterator[int]:
    """The units that a spell in play is on."""
    return (g.effects.unit[k] for k in rows_in_use(g) if g.effects.cast[k] == row + 1)


def end_spell(g: BattleCore, row: int, rule: str) -> None:
    """A spell in play ends. ``rule``: why."""
    if g.recorder is not None:
        g.note(rule, "spell ends", unit=g.spellbook.unit[row], name=spell_at(g, row).name)
    for k in list(rows_in_use(g)):
        if g.effects.cast[k] == row + 1:
            end_effect(g, k)
    for k in vortices_of_spell(g, row):
        take_mark(g, k)
    if spell_at(g, row).reshapes:
        end_of_form(g, g.spellbook.unit[row])


def forget_spell(g: BattleCore, row: int, rule: str) -> None:
    """A unit no longer knows a spell; it ends if it is in play (wap.magic.rip.lasting)."""
    forget(g, row, rule)
    if row in in_play(g):
        end_spell(g, row, "wap.magic.rip.lasting")


def reduce_level(g: BattleCore, unit: int, rule: str, *, highest: bool = False) -> None:
    """A wizard loses a level and a spell; see ``wizards.lose_level``."""
    for row in lose_level(g, unit, rule, highest=highest):
        forget_spell(g, row, rule)


def take_own_forms(g: BattleCore, unit: int) -> int:
    """The characters of a unit that leaves the table get their own forms back: the spells that they kept up are over
    (wap.magic.rip.lasting). Returns the unit, which may be one of them.
    """
    for form in wholly(g, unit):
        kept = [g.effects.cast[k] - 1 for k in rows_in_use(g) if g.effects.unit[k] == form and g.effects.cast[k]]
        for row in kept if whose_form(g, form) >= 0 else ():
            if spell_at(g, row).reshapes:
                end_spell(g, row, "wap.magic.rip.lasting")
                unit = whose_form(g, form) if form == unit else unit
    return unit
