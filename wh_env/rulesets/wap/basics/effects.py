"""Effects that act on units for a time: what a spell, an item or a piece of ground gives them, takes from them or
changes.

An effect is one row of data, an ``Effect`` of ``statics["effects"]``; that it acts on a unit is one row of the table
``effects``. Who is under it follows from where units stand now, so characters who join a unit or leave it come under it
or are free of it at once. Special rules are looked up in the table when they are asked for (``special_rules``);
characteristics, and rules that are taken away, are worked out by ``renew`` whenever something changes. Battles whose
content has no effects have no rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ATTACHED, DESTROYED
from wh_env.rulesets.wap.basics.profiles import bounded, lines_of
from wh_env.rulesets.wap.codes import CHARACTERISTICS, Phase
from wh_env.rulesets.wap.rule_book import KEPT_FROM, Book, Grant, SpecialRule
from wh_env.rulesets.wap.tables import FREE_ROW

LEAST = 1  # what augments and hexes leave of a characteristic (wap.magic.type.cumulative)


class On(Enum):
    """Whom an effect acts on, of those who stand where the unit stands that it is on."""

    MODELS = "the unit's own models, wherever they stand"
    UNIT = "the unit and whoever stands in it"  # wap.character.combined.one-unit
    BESIDES = "a character, and the unit that he stands in with all in it"  # wap.magic.type.augment.leaving


class Until(Enum):
    """When an effect ends."""

    NEXT_MAGIC_PHASE = "the next Magic phase of the player begins"  # wap.lore.general.until-next-magic-phase
    PHASE = "the next phase begins"
    TURN = "the next turn begins"
    BATTLE = "the battle is over"


@dataclass(frozen=True)
class Effect:
    """What acts on a unit for a time.

    Attributes:
        name: as events tell it. on: whom it acts on. until: when it ends.
        grants: special rules that they have. takes: such that they have no more; only rules that can be lost.
        changes: characteristics, and what is added to each; together never below 1 or above 10.
        while_caster_lives: it ends with the unit that brought it about (wap.magic.rip.lasting).
    """

    name: str
    on: On = On.UNIT
    until: Until = Until.NEXT_MAGIC_PHASE
    grants: tuple[Grant, ...] = ()
    takes: tuple[SpecialRule, ...] = ()
    changes: tuple[tuple[str, int], ...] = ()
    while_caster_lives: bool = False


def effects_of(g: BattleCore) -> tuple[Effect, ...]:
    """All effects that there can be in the battle, by their numbers."""
    found: tuple[Effect, ...] = g.setup.statics["effects"]
    return found


def effect_of(g: BattleCore, k: int) -> Effect:
    """The effect of a row of the table."""
    number: int = g.effects.effect[k]
    return effects_of(g)[number]


def rows_in_use(g: BattleCore) -> Iterator[int]:
    """Rows of the effects that act now, in the order in which they began where none has ended."""
    if effects_of(g):
        yield from (k for k, number in enumerate(g.effects.effect.tolist()) if number >= 0)


def acting_on(g: BattleCore, unit: int) -> Iterator[int]:
    """Rows of the effects that a unit's own models are under now."""
    return (k for k in rows_in_use(g) if is_under(g, unit, k))


def is_under(g: BattleCore, unit: int, k: int) -> bool:
    """Whether a unit's own models are under the effect of a row now."""
    target, on = g.effects.unit[k], effect_of(g, k).on
    if unit == target or on is On.MODELS:
        return unit == target
    where = stands_where(g, unit)
    return where == (target if on is On.UNIT else stands_where(g, target))


def stands_where(g: BattleCore, unit: int) -> int:
    """The unit in whose block a unit stands: that which it has joined, or itself."""
    return g.units.bodyguard[unit] if g.units.place[unit] == ATTACHED else unit


def granted(g: BattleCore, unit: int, rule: SpecialRule) -> tuple[str, ...]:
    """A special rule that effects give a unit's own models now: what stands in its brackets, for each effect that gives
    it, empty words for nothing."""
    grants = (grant for k in acting_on(g, unit) for grant in effect_of(g, k).grants)
    return tuple(parameter for given, parameter in grants if given is rule)


# ---------------------------------------------------------------- beginning and ending


def begin_effect(g: BattleCore, number: int, unit: int, player: int, caster: int = -1) -> bool:
    """An effect, by its number, begins to act on a unit. The same effect acts on a unit once at a time
    (wap.magic.same-spell): returns whether it begins.

    Args:
        player: whose effect it is. caster: the unit that brought it about, -1: none.

    Raises:
        LookupError: no row is free.
    """
    e = g.effects
    if any(e.effect[k] == number and e.unit[k] == unit for k in rows_in_use(g)):
        return False
    k = next((k for k, used in enumerate(e.effect.tolist()) if used < 0), -1)
    if k < 0:
        raise LookupError(f"there is no room for another effect; the table has {len(e.effect)} rows")
    before = had_already(g, number)
    e.effect[k], e.unit[k], e.player[k], e.caster[k] = number, unit, player, caster
    book: Book = g.setup.statics["book"]
    for row in range(len(g.units.owner)):
        for rule, _ in effect_of(g, k).grants:
            if is_under(g, row, k) and (row, rule) not in before:  # wap.special.hatred.gained-late
                g.units.fresh_rules[row] |= book.gained_bits.get(rule, 0)
    renew(g)
    if g.recorder is not None:
        g.note("wap.magic.resolve", "is under an effect", unit=unit, name=effect_of(g, k).name)
    return True


def had_already(g: BattleCore, number: int) -> set[tuple[int, SpecialRule]]:
    """Of the rules that an effect gives: which rows have them from other effects now."""
    rules = [rule for rule, _ in effects_of(g)[number].grants]
    return {(row, rule) for row in range(len(g.units.owner)) for rule in rules if granted(g, row, rule)}


def end_effect(g: BattleCore, k: int) -> None:
    """The effect of a row ends: whoever was under it is as without it."""
    e, effect, unit = g.effects, effect_of(g, k), g.effects.unit[k]
    under = [row for row in range(len(g.units.owner)) if is_under(g, row, k)]
    for column in ("effect", "unit", "caster", "player"):
        getattr(e, column)[k] = FREE_ROW[column]
    book: Book = g.setup.statics["book"]
    for row in under:
        for rule, _ in effect.grants:
            bit = book.gained_bits.get(rule, 0)
            if not g.units.gained_rules[row] & bit and not granted(g, row, rule):
                g.units.fresh_rules[row] &= ~bit
    renew(g)
    g.note("wap.lore.general.until-next-magic-phase", "is free of an effect", unit=unit, name=effect.name)


def end_effects(g: BattleCore, phase: Phase) -> None:
    """A phase of the player whose turn it is begins: what lasts until then ends, and what acts on a unit that is
    gone."""
    for k in rows_in_use(g):
        if is_over(g, k, phase):
            end_effect(g, k)


def is_over(g: BattleCore, k: int, phase: Phase) -> bool:
    """Whether the effect of a row ends as a phase of the player whose turn it is begins."""
    until = effect_of(g, k).until
    if until is Until.PHASE or g.units.place[g.effects.unit[k]] == DESTROYED:
        return True
    if until is Until.TURN:
        return phase == Phase.MOVEMENT
    return until is Until.NEXT_MAGIC_PHASE and phase == Phase.MAGIC and (g.effects.player[k] == g.clock.turn[0])


def caster_is_gone(g: BattleCore, unit: int) -> None:
    """Nothing is left of a unit: effects that it keeps up end at once (wap.magic.rip.lasting)."""
    for k in rows_in_use(g):
        if g.effects.caster[k] == unit and effect_of(g, k).while_caster_lives:
            end_effect(g, k)


def hand_on(g: BattleCore, unit: int, heir: int) -> None:
    """Nothing is left of a unit but the characters in it, a unit of their own now: effects on it act on that
    (wap.character.unit-destroyed.new-unit)."""
    for k in rows_in_use(g):
        if g.effects.unit[k] == unit and effect_of(g, k).on is On.UNIT:
            g.effects.unit[k] = heir
    renew(g)


# ---------------------------------------------------------------- what follows


def renew(g: BattleCore) -> None:
    """Work out anew what units are under: their characteristics, and the rules that are taken from them. To be called
    when an effect begins or ends, and when a character joins a unit or leaves it."""
    if not effects_of(g):
        return
    for unit in range(len(g.units.owner)):
        for line, values in changed_lines(g, unit):
            for name, value in zip(CHARACTERISTICS, values, strict=True):
                getattr(g.lines, name)[line] = value
        g.units.lost_rules[unit] = kept_from(g, unit)


def kept_from(g: BattleCore, unit: int) -> int:
    """``units.lost_rules`` of a unit: what it has lost for good, and what effects take from it now."""
    book: Book = g.setup.statics["book"]
    found = g.units.lost_rules[unit] & ((1 << KEPT_FROM) - 1)
    for k in acting_on(g, unit):
        for rule in effect_of(g, k).takes:
            found |= book.lost_bits[rule] << KEPT_FROM
    return int(found)


def changed_lines(g: BattleCore, unit: int) -> Iterator[tuple[int, list[int]]]:
    """The fighting profiles of a unit, each with its characteristics as they are now, those of the army sheet with all
    that changes them."""
    changes: dict[str, int] = {}
    for k in acting_on(g, unit):
        effect = effect_of(g, k)
        for name, amount in effect.changes:
            # Movement that a unit has more or less its characters have too, by that of the unit
            # (wap.character.combined.move-modifier)
            if name != "m" or effect.on is On.MODELS or g.units.place[unit] != ATTACHED:
                changes[name] = changes.get(name, 0) + amount
    profiles = g.setup.statics["profiles"]
    for line in lines_of(g, unit):
        base = {name: int(profiles[line][name]) for name in CHARACTERISTICS}
        yield line, [with_change(base[name], changes.get(name, 0)) for name in CHARACTERISTICS]


def with_change(base: int, change: int) -> int:
    """A characteristic with all that is added to it: no effect leaves less than 1 of it, or makes one of 0
    (wap.magic.type.cumulative)."""
    return max(min(base, LEAST), bounded(base + change)) if base else base
