"""Which spells a unit may try to cast, on which targets, with how many dice and which bonus (wap.magic.cast.*)."""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.arcane import aid_of, show_aids
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.magic.in_play import in_play
from wh_env.rulesets.wap.magic.places import has_place, may_be_version, targets_at_spots, versions_for
from wh_env.rulesets.wap.magic.scrolls import dice_given
from wh_env.rulesets.wap.magic.shares import dice_for_unit
from wh_env.rulesets.wap.magic.spells import AT_PLACES, Aim, Casting, Kind, Spell, lore_of
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


def who_casts(g: BattleCore, player: int, limit: int = 0) -> Iterator[int]:
    """The units of a player that can try to cast any spell now (wap.magic.phase.end); ``limit``: as for
    ``castable``.
    """
    return (unit for unit in g.units_of(player) if is_caster(g, unit, limit))


def is_caster(g: BattleCore, unit: int, limit: int = 0) -> bool:
    """Whether a unit can try to cast any spell now, with dice unless there is a ``limit``, which is as for
    ``castable``.
    """
    has_means = g.wizards.spells[unit] and (limit or dice_for_unit(g, unit))
    return bool(has_means) and next(each_castable(g, unit, limit), -1) >= 0


def each_castable(g: BattleCore, unit: int, limit: int) -> Iterator[int]:
    """``castable``, one after the other."""
    if not g.wizards.spells[unit] or not may_cast_at_all(g, unit):
        return
    for row in known_rows(g, unit):
        if not is_free_for(g, unit, row, limit):
            continue
        spell = spell_at(g, row)
        if can_be_aimed(g, unit, spell, boosted=not limit) and not (spell.may_be_kept and row in in_play(g)):
            yield row


def can_be_aimed(g: BattleCore, unit: int, spell: Spell, *, boosted: bool) -> bool:
    """Whether there is a target for a spell of a unit, or a place; ``boosted``: as for ``targets_of``."""
    if spell.kind is Kind.VORTEX:
        return has_room(g, unit, spell.versions[0])
    if spell.aim is Aim.SPOT:
        return any(True for _ in targets_at_spots(g, unit, versions_for(spell, boosted=boosted)))
    if not has_target(g, unit, spell, boosted=boosted):
        return False
    return spell.aim not in AT_PLACES or has_place(g, unit, spell, boosted=boosted)


def targets_for(g: BattleCore, unit: int, spell: Spell, *, boosted: bool = True) -> Iterator[int]:
    """The units that a wizard may name as the target of a spell, or over which he may place its template; see
    ``targets_of``.
    """
    if spell.aim is Aim.SPOT:
        return targets_at_spots(g, unit, versions_for(spell, boosted=boosted))
    return targets_of(g, unit, spell, boosted=boosted)


def is_free_for(g: BattleCore, unit: int, row: int, limit: int) -> bool:
    """Whether a unit may try one of its spells, target aside."""
    if g.spellbook.tried[row]:
        return False
    if is_bound(g, row):
        return not (limit or g.wizards.cannot_cast_bound[unit])
    return not (g.wizards.cannot_cast[unit] or (limit and spell_at(g, row).value >= limit))


def dice_for(g: BattleCore, unit: int, row: int, free: int) -> int:
    """The most dice of the pool for a spell (wap.magic.cast.dice, wap.magic.bound.max-dice)."""
    return min(most_of(g, unit, row, free) - dice_given(g, unit), dice_for_unit(g, unit))


def most_of(g: BattleCore, unit: int, row: int, free: int) -> int:
    """The most dice for a spell, besides the free die of a bound one."""
    if is_bound(g, row):
        return MOST_BOUND - free
    return level_of(g, unit) + MORE_DICE + aid_of(g, unit, "casting_dice")


def own_bonus_for(g: BattleCore, unit: int, row: int) -> int:
    """Half the level of a unit and what its items give, unless it is a bound spell (wap.magic.bound.no-bonus)."""
    return 0 if is_bound(g, row) else bonus_of(g, unit) + aid_of(g, unit, "casting")


def bonus_for(g: BattleCore, unit: int, row: int) -> int:
    """What a unit adds to the dice for a spell, with what the lore gives (wap.magic.cast.bonus, .bonus-cap,
    .attribute).
    """
    return min(MOST_BONUS, own_bonus_for(g, unit, row) + lore_of(g, spell_at(g, row)).attribute.adds(g, unit))


def bonus_used(g: BattleCore, unit: int, row: int, dice: int) -> int:
    """``bonus_for`` a spell for which so many dice were rolled. Items that have helped come to light."""
    if not is_bound(g, row):
        show_aids(g, unit, "casting")
        if dice > level_of(g, unit) + MORE_DICE:
            show_aids(g, unit, "casting_dice")
    return bonus_for(g, unit, row)


def lowered(g: BattleCore, spell: Spell, target: int) -> int:
    """By how much the attribute of its lore lowers the casting values of a spell."""
    return lore_of(g, spell).attribute.lowers(g, spell, target)


def reached_by(g: BattleCore, casting: Casting, *, plain: bool) -> list[int]:
    """The versions for the spell's target whose casting values its result reaches. ``plain``: no boosted ones."""
    spell, less = casting.spell, lowered(g, casting.spell, casting.target)
    is_own = casting.target == block_of(g, casting.caster)
    return [
        n
        for n, version in enumerate(spell.versions)
        if version.value - less <= casting.result
        and not (plain and version.value > spell.value)
        and version.own in (None, is_own)
        and (version.value == spell.value or has_room_for(g, casting, n))
    ]


def has_room_for(g: BattleCore, casting: Casting, version: int) -> bool:
    """Whether there is room for the template of a version where the spell was aimed, or for its vortex."""
    spell = casting.spell
    if spell.kind is Kind.VORTEX:
        return has_room(g, casting.caster, spell.versions[version])
    return may_be_version(g, casting.caster, spell, version, casting.target, casting.place)
