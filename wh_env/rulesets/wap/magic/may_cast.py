"""Which spells a unit may try to cast, on which targets, with how many dice and which bonus (wap.magic.cast.*)."""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.magic.in_play import in_play
from wh_env.rulesets.wap.magic.places import has_place, targets_at_spots
from wh_env.rulesets.wap.magic.shares import dice_for_unit
from wh_env.rulesets.wap.magic.spells import AT_PLACES, Aim, Kind, Spell, lore_of
from wh_env.rulesets.wap.magic.targets import has_target, targets_of
from wh_env.rulesets.wap.magic.vortex_places import has_room
from wh_env.rulesets.wap.magic.wizards import (
    MORE_DICE,
    MOST_BONUS,
    bonus_of,
    is_bound,
    known_rows,
    level_of,
    may_cast_at_all,
    spell_at,
)

MOST_BOUND = 3  # dice for a bound spell, the free one included (wap.magic.bound.max-dice)


def castable(g: BattleCore, unit: int, limit: int = 0) -> list[int]:
    """Rows of the spells that a unit can try to cast now: its own, and the bound ones, of the same name too
    (wap.magic.cast.once, wap.magic.cast.bound-same-spell, wap.magic.rip.other-spells).

    Args:
        limit: the highest base value of a spell that is cast without dice, counted from 1 (``Cast.LIMIT``); 0: dice
            are needed.
    """
    return list(each_castable(g, unit, limit))


def is_caster(g: BattleCore, unit: int, limit: int = 0) -> bool:
    """Whether a unit can try to cast any spell now; ``limit``: as for ``castable``."""
    return any(True for _ in each_castable(g, unit, limit))


def each_castable(g: BattleCore, unit: int, limit: int) -> Iterator[int]:
    """``castable``, one after the other."""
    if not g.wizards.spells[unit] or not may_cast_at_all(g, unit):
        return
    kept = in_play(g)
    for row in known_rows(g, unit):
        if row in kept or not is_free_for(g, unit, row, limit):
            continue
        if can_be_aimed(g, unit, row, boosted=not limit):
            yield row


def can_be_aimed(g: BattleCore, unit: int, row: int, *, boosted: bool) -> bool:
    """Whether there is a target for a spell of a unit, or a place; ``boosted``: as for ``targets_of``."""
    spell = spell_at(g, row)
    if spell.kind is Kind.VORTEX:
        return has_room(g, unit, spell.versions[0])
    if spell.aim is Aim.SPOT:
        return any(True for _ in targets_at_spots(g, unit, spell, boosted=boosted))
    if not has_target(g, unit, spell, boosted=boosted):
        return False
    return spell.aim not in AT_PLACES or has_place(g, unit, spell, boosted=boosted)


def targets_for(g: BattleCore, unit: int, spell: Spell, *, boosted: bool = True) -> Iterator[int]:
    """The units that a wizard may name as the target of a spell, or over which he may place its template; see
    ``targets_of``.
    """
    search = targets_at_spots if spell.aim is Aim.SPOT else targets_of
    return search(g, unit, spell, boosted=boosted)


def is_free_for(g: BattleCore, unit: int, row: int, limit: int) -> bool:
    """Whether a unit may try one of its spells, target aside."""
    if g.spellbook.tried[row] or (limit and (is_bound(g, row) or spell_at(g, row).value >= limit)):
        return False
    barred = g.wizards.cannot_cast_bound[unit] if is_bound(g, row) else g.wizards.cannot_cast[unit]
    return not barred


def dice_for(g: BattleCore, unit: int, row: int, free: int) -> int:
    """The most dice of the pool for a spell (wap.magic.cast.dice, wap.magic.bound.max-dice)."""
    most = MOST_BOUND - free if is_bound(g, row) else level_of(g, unit) + MORE_DICE
    return int(min(most, dice_for_unit(g, unit)))


def bonus_for(g: BattleCore, unit: int, row: int) -> int:
    """What a unit adds to the dice for a spell: half its level, unless it is a bound spell, and what the lore gives
    (wap.magic.cast.bonus, .bonus-cap, wap.magic.bound.no-bonus, .attribute).
    """
    level = 0 if is_bound(g, row) else bonus_of(g, unit)
    return min(MOST_BONUS, level + lore_of(g, spell_at(g, row)).attribute.adds(g, unit))
