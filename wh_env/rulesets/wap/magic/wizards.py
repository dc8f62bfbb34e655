"""Wizards: their levels, the spells that they know, and what they can still do in this Magic phase (wap.magic.wizard,
.level, .level.zero).

A row of the table ``spellbook`` is a spell that a unit may know: each spell of its lores that its level allows or may
allow, and each bound spell. ``wizards`` has a row for each unit.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.combined_unit import is_stupid
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import one_at_random, part_of
from wh_env.rulesets.wap.basics.effects import is_bare
from wh_env.rulesets.wap.basics.well_water import is_poisoned
from wh_env.rulesets.wap.codes import FORGOTTEN, KNOWN, LENT, OF_ITEM, OWN_SPELL
from wh_env.rulesets.wap.magic.holders import empty_holder
from wh_env.rulesets.wap.magic.spells import SIGNATURE, Spell, spells_of

MOST_BONUS = 5  # of all bonuses of one attempt (wap.magic.cast.bonus-cap, wap.magic.dispel.bonus)
MOST_NUMBER = 2  # the highest number of a spell that a level allows is this plus the level (wap.magic.spells.by-level)
MORE_DICE = 2  # dice that a wizard may use beyond his level (wap.magic.cast.dice)


def level_of(g: BattleCore, unit: int) -> int:
    """The wizard level of a unit; 0: it is no wizard (wap.magic.level.zero)."""
    level: int = g.wizards.level[unit]
    return level


def bonus_of(g: BattleCore, unit: int) -> int:
    """What a wizard adds to casting and dispel results: half his level, rounded up, and no more than 5 with all other
    bonuses (wap.magic.cast.bonus, .bonus-cap).
    """
    return min(MOST_BONUS, part_of(level_of(g, unit), 2))


def is_there(g: BattleCore, unit: int) -> bool:
    """Whether a unit, alone or in another one, is on the battlefield."""
    return bool(g.units.alive[unit]) and g.units.place[block_of(g, unit)] == ON_TABLE


def is_fleeing(g: BattleCore, unit: int) -> bool:
    """Whether a unit flees, alone or with the unit that it is in."""
    return bool(g.units.fleeing[block_of(g, unit)])


def wizards_of(g: BattleCore, player: int) -> list[int]:
    """The wizards of a player on the battlefield."""
    return [unit for unit in g.units_of(player) if level_of(g, unit) and is_there(g, unit)]


def channellers(g: BattleCore, player: int) -> list[int]:
    """The wizards of a player who can channel: they neither flee nor are stupid (wap.magic.winds.channel-barred,
    wap.special.stupidity.until-passed).
    """
    return [unit for unit in wizards_of(g, player) if may_cast_at_all(g, unit)]


def may_cast_at_all(g: BattleCore, unit: int) -> bool:
    """Whether a unit could use magic now: it is on the battlefield, does not flee, is neither stupid nor poisoned, and
    is no toad (wap.magic.cast.barred, wap.special.stupidity.until-passed, wap.terrain.monument.wyrding-well,
    wap.item.arcane.sivejirs-hex-scroll).
    """
    if is_fleeing(g, unit) or is_stupid(g, unit) or is_poisoned(g, unit):
        return False
    return is_there(g, unit) and not is_bare(g, unit)


def dispellers(g: BattleCore, player: int) -> list[int]:
    """The wizards of a player who can still dispel in this phase, fleeing ones too (wap.magic.dispel.wizard,
    .lost-concentration, wap.terrain.monument.wyrding-well). Who is a wizard by an item that does nothing now is none.
    """
    by_items = g.setup.statics["drawn_lores"]
    wizards = (unit for unit in wizards_of(g, player) if not (unit in by_items and is_bare(g, unit)))
    able = (unit for unit in wizards if not is_poisoned(g, unit))
    return [unit for unit in able if not g.wizards.cannot_dispel[unit]]


# ---------------------------------------------------------------- spells known


def rows_of(g: BattleCore, unit: int) -> range:
    """Rows of ``spellbook`` of a unit."""
    first: int = g.wizards.first_spell[unit]
    return range(first, first + g.wizards.spells[unit])


def spell_at(g: BattleCore, row: int) -> Spell:
    """The spell of a row of ``spellbook``."""
    number: int = g.spellbook.spell[row]
    return spells_of(g)[number]


def is_bound(g: BattleCore, row: int) -> bool:
    """Whether a row of ``spellbook`` is a bound spell (wap.magic.bound.who)."""
    return bool(g.spellbook.source[row] != OWN_SPELL)


def known_rows(g: BattleCore, unit: int) -> list[int]:
    """Rows of the spells that a unit knows now, bound ones included."""
    return [row for row in rows_of(g, unit) if g.spellbook.known[row] in (KNOWN, LENT)]


def spell_slot(g: BattleCore, unit: int, row: int) -> int:
    """The slot, among those for numbers, that stands for a spell which a unit knows: the place of the spell among all
    that the unit may come to know or, if these are more than slots, among those that it knows
    (wap.item.arcane.gem-of-tarante).
    """
    rows = rows_of(g, unit)
    return row - rows.start if len(rows) <= g.setup.space.numbers else known_rows(g, unit).index(row)


def spell_in_slot(g: BattleCore, unit: int, slot: int) -> int:
    """The row of the spell of a ``spell_slot``."""
    rows = rows_of(g, unit)
    return rows.start + slot if len(rows) <= g.setup.space.numbers else known_rows(g, unit)[slot]


def magic_of(g: BattleCore, unit: int) -> list[str]:
    """Words for a unit's level as a wizard and for the spells that it knows, which both players know
    (wap.magic.spells.open).
    """
    told = [f"wizard of level {level_of(g, unit)}"] if level_of(g, unit) else []
    return told + [f"knows {spell_at(g, row).name}" for row in known_rows(g, unit)]


def may_learn(g: BattleCore, unit: int, spell: Spell) -> bool:
    """Whether a wizard's level allows a spell (wap.magic.spells.by-level)."""
    return spell.number <= level_of(g, unit) + MOST_NUMBER


def forget(g: BattleCore, row: int, rule: str) -> None:
    """A unit no longer knows a spell. ``rule``: why."""
    g.spellbook.known[row] = FORGOTTEN
    if g.spellbook.source[row] == OF_ITEM:
        empty_holder(g, row)
    if g.recorder is not None:
        g.note(rule, "forgets a spell", unit=g.spellbook.unit[row], name=spell_at(g, row).name)


def normal_spells(g: BattleCore, unit: int) -> list[int]:
    """Rows of the spells that a wizard has selected: not his signature spells, not bound ones, none that he knows for
    this phase alone.
    """
    rows = (row for row in known_rows(g, unit) if g.spellbook.known[row] == KNOWN)
    return [row for row in rows if not is_bound(g, row) and spell_at(g, row).number != SIGNATURE]


def lose_level(g: BattleCore, unit: int, rule: str, *, highest: bool = False) -> list[int]:
    """A wizard loses a level, and with it one spell at random, bound spells and signature spells apart; at level 0 all
    but the bound ones (wap.magic.level.lost, wap.magic.level.bound-kept). Returns the rows of these spells, which are
    still known; the caller has them forgotten.

    Args:
        rule: why. highest: the spell of the highest number is lost instead (wap.magic.miscast.r10).
    """
    if not level_of(g, unit):
        return []
    g.wizards.level[unit] -= 1
    if g.recorder is not None:
        g.note(rule, "loses a level", unit=unit, amount=level_of(g, unit))
    if not level_of(g, unit):  # he is no wizard any more
        return [row for row in known_rows(g, unit) if not is_bound(g, row)]
    rows = normal_spells(g, unit)
    if highest:
        return sorted(rows, key=lambda row: spell_at(g, row).number)[-1:]
    return [rows[one_at_random(g, len(rows)) if len(rows) > 1 else 0]] if rows else []
