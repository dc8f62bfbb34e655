"""Effects that act on units for a time: what a spell, an item or a piece of ground gives to a unit, takes from it or
changes.

An effect is an ``Effect`` of ``statics["effects"]``. Each row of the table ``effects`` is one effect that acts on one
unit. Which units are under it follows from where they stand now: characters who join a unit or leave it come under it
or are free of it at once. Special rules are looked up in the table (``special_rules``); ``renew`` works out
characteristics and rules that are taken away. Battles without effects have no rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import TypeVar

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.kernel import kernel
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.auras import lent
from wh_env.rulesets.wap.basics.dice_changes import UNCHANGED, DiceChanges
from wh_env.rulesets.wap.basics.ground import given_by_ground
from wh_env.rulesets.wap.basics.marks import take_vortices_of
from wh_env.rulesets.wap.basics.profiles import bounded, lines_of
from wh_env.rulesets.wap.basics.standing import settle_all
from wh_env.rulesets.wap.basics.unit_changes import AS_EVER, UnitChanges
from wh_env.rulesets.wap.codes import BEASTS, CHARACTERISTICS, CHASSIS, CREW, LEADERS, MOUNTS, TROOPERS, Phase
from wh_env.rulesets.wap.rule_book import BOOK, ETHEREAL, KEPT_FROM, Book, Grant, SpecialRule
from wh_env.rulesets.wap.tables import FREE_ROW, MOST

Power = TypeVar("Power")

UNDER_RIDERS = (MOUNTS, BEASTS, CREW, CHASSIS)  # fighting profiles of a model that are not the rider's
ARMED = (TROOPERS, LEADERS)  # ... that are, and fight with the unit's weapon
CHANGING = ("takes", "changes", "lowers_by", "raises_by", "multiplies", "sets")  # fields that ``renew`` heeds
PROFILES = "profiles"  # as a name of ``is_any_with``: any of these fields, of an effect or one of the same name
LEAST = 1  # least value that augments and hexes leave (wap.magic.type.cumulative)


class On(Enum):
    """Which models an effect acts on, given the unit that it is on."""

    MODELS = "the unit's own models, wherever they stand"
    UNIT = "the unit and whoever stands in it"  # wap.character.combined.one-unit
    BESIDES = "a character, and the unit that he stands in with all in it"  # wap.magic.type.augment.leaving


class Until(Enum):
    """When an effect ends."""

    NEXT_MAGIC_PHASE = "the next Magic phase of the player begins"  # wap.lore.general.until-next-magic-phase
    PHASE = "the next phase begins"
    TURN = "the next turn begins"
    NEXT_TURN = "the next turn of the player whose effect it is begins"
    BATTLE = "the battle is over"


class Consequence:
    """What happens while an effect acts."""

    def happen(self, g: BattleCore, k: int, unit: int) -> None:
        """It happens to ``unit`` by the effect of row ``k``."""
        raise NotImplementedError


class Bares:
    """A power of an effect: the models that it is on have no equipment, magic or mundane, and neither channel nor cast
    spells (wap.item.arcane.sivejirs-hex-scroll).
    """


@dataclass(frozen=True)
class Effect:
    """What acts on a unit for a time.

    Attributes:
        name: as events name it. on: which models it acts on. until: when it ends.
        grants: special rules that it gives. takes: special rules that it takes; only rules that can be lost.
        changes: (characteristic, what is added); the result stays within 1 and 10.
        deadly: what it lowers is not held at 1: at 0 Strength, Toughness or Wounds models are slain
            (wap.profile.zero.stw).
        lowers_by, raises_by: characteristics from which a number is taken, or to which it is added, that was rolled
            when the effect began.
        multiplies: (characteristic, by what), before anything is added. sets: (characteristic, to what).
        while_caster_lives: it ends when its caster is destroyed (wap.magic.rip.lasting).
        while_standard_flies: it ends when the unit that it is on has lost its standard bearer.
        counts_rivals: the number of ``raises_by`` is that of the enemy characters in contact with the unit's block,
            counted in each round of close combat (``combat.rivals``). Only profiles that fight with the unit's weapon
            have it.
        adds_up: it may act on a unit several times at once; the column ``amount`` counts the further times.
        dice: what it does to dice. whole: what it does to the unit as a whole.
        spares_mounts: mounts, beasts, crew and chassis have nothing of it: no rules, characteristics, bonuses of dice.
        passes_tests: the unit passes all Leadership tests without dice.
        dazes: the models cannot attack, and blows at them hit without dice; mounts, beasts and crew go on.
        treacherous: the highest die with which Dangerous Terrain tests fail; all terrain but open ground and impassable
            ground is dangerous. 0: terrain is as it is.
        powers: what else it does; the module that carries one out asks ``powers_on`` for its class.
        trap: what happens to the unit if that moves, flees or pursues; the effect is then over (``basics.traps``).
        thorns: what happens at the end of each Magic phase to every enemy unit in contact with the unit.
    """

    name: str
    on: On = On.UNIT
    until: Until = Until.NEXT_MAGIC_PHASE
    grants: tuple[Grant, ...] = ()
    takes: tuple[SpecialRule, ...] = ()
    changes: tuple[tuple[str, int], ...] = ()
    deadly: bool = False
    lowers_by: tuple[str, ...] = ()
    raises_by: tuple[str, ...] = ()
    multiplies: tuple[tuple[str, int], ...] = ()
    sets: tuple[tuple[str, int], ...] = ()
    while_caster_lives: bool = False
    while_standard_flies: bool = False
    counts_rivals: bool = False
    adds_up: bool = False
    dice: DiceChanges = UNCHANGED
    whole: UnitChanges = AS_EVER
    spares_mounts: bool = False
    passes_tests: bool = False
    dazes: bool = False
    treacherous: int = 0
    powers: tuple[object, ...] = ()
    trap: Consequence | None = None
    thorns: Consequence | None = None


def effects_of(g: BattleCore) -> tuple[Effect, ...]:
    """All effects that the battle can have; the index is the effect's number."""
    found: tuple[Effect, ...] = g.setup.statics["effects"]
    return found


def by_rule(effects: Sequence[Effect], *, included: bool = False) -> dict[SpecialRule, Array | None]:
    """``statics["of_effects"]``: for each special rule that effects give the marks of these effects; with the rules
    that it includes if ``included``.
    """
    given = [[rule for rule, _ in effect.grants] for effect in effects]
    listed = [BOOK.with_included(rules) if included else rules for rules in given]
    return {
        rule: marked(len(effects), [n for n, others in enumerate(listed) if rule in others])
        for rules in listed
        for rule in rules
    }


def number_of(g: BattleCore, effect: Effect) -> int:
    """The number of an effect of the battle. Effects are compared only with those of their name."""
    return next(n for n, other in enumerate(effects_of(g)) if other.name == effect.name and other == effect)


@kernel
def is_one_marked(effects: Array, marks: Array) -> bool:
    """Whether an effect acts whose number is marked in ``marks`` (bool, by number)."""
    for k in range(len(effects)):
        if effects[k]["effect"] >= 0 and marks[effects[k]["effect"]]:
            return True
    return False


def marked(count: int, numbers: Iterable[int]) -> Array | None:
    """Marks for these numbers of ``count`` effects, as ``is_one_marked`` takes them; None: there are no numbers."""
    marks = np.zeros(count, np.bool_)
    marks[list(numbers)] = True
    return frozen(marks) if marks.any() else None


def is_one_acting(g: BattleCore, marks: Array | None) -> bool:
    """Whether a marked effect acts now, on any unit: what to ask first."""
    return marks is not None and g.work.call(is_one_marked, g.effects.rows, marks)


def by_field(effects: Sequence[Effect]) -> dict[str, Array | None]:
    """``statics["effects_with"]``: for each field of ``Effect`` with a default the marks of the effects that differ
    from it; under ``PROFILES`` those whose name is that of an effect that changes profiles or takes rules, and those
    under which nothing lowers Movement (``is_never_slowed``).
    """
    plain = Effect("")
    found = {
        field.name: [n for n, effect in enumerate(effects) if getattr(effect, field.name) != getattr(plain, field.name)]
        for field in fields(Effect)
    }
    names = {effects[n].name for name in CHANGING for n in found[name]}
    frees = {effect.name for effect in effects if any(rule is ETHEREAL for rule, _ in effect.grants)}
    found[PROFILES] = [n for n, effect in enumerate(effects) if effect.name in (names | frees if names else names)]
    return {name: marked(len(effects), numbers) for name, numbers in found.items()}


def by_power(effects: Sequence[Effect]) -> dict[type, Array | None]:
    """``statics["effects_with_power"]``: for each class the marks of the effects that have a power of it."""
    powers = [(kind, n) for n, effect in enumerate(effects) for power in effect.powers for kind in type(power).__mro__]
    return {kind: marked(len(effects), [n for other, n in powers if other is kind]) for kind, _ in powers}


def is_any_with(g: BattleCore, field: str) -> bool:
    """Whether an effect acts now, on any unit, that differs in a field from the default (``by_field``)."""
    return is_one_acting(g, g.setup.statics["effects_with"][field])


def effect_of(g: BattleCore, k: int) -> Effect:
    """The effect of a row of the table."""
    number: int = g.effects.effect[k]
    return effects_of(g)[number]


def rows_in_use(g: BattleCore) -> Iterator[int]:
    """Rows of the effects that act now. They are in the order of their beginning unless one has ended."""
    if not effects_of(g):
        return
    numbers = g.effects.effect.tolist()
    left = len(numbers) - numbers.count(FREE_ROW["effect"])  # the used rows are among the first
    for k, number in enumerate(numbers):
        if not left:
            return
        if number >= 0:
            left -= 1
            yield k


def acting_on(g: BattleCore, unit: int) -> Iterator[int]:
    """Rows of the effects that act on a unit's own models now. Of effects of one name only one acts, unless they add up
    (wap.magic.same-spell).
    """
    met = set[str]()
    for k in rows_in_use(g):
        effect = effect_of(g, k)
        if (effect.adds_up or effect.name not in met) and is_under(g, unit, k):
            met.add(effect.name)
            yield k


def powers_on(g: BattleCore, unit: int, kind: type[Power]) -> Iterator[Power]:
    """The powers of a kind of the effects that act on a unit's own models now."""
    if is_one_acting(g, g.setup.statics["effects_with_power"].get(kind)):
        yield from (power for k in acting_on(g, unit) for power in effect_of(g, k).powers if isinstance(power, kind))


def rows_with_power(g: BattleCore, kind: type) -> list[int]:
    """Rows of the effects with a power of a kind that act now, on whatever unit."""
    marks, e = g.setup.statics["effects_with_power"].get(kind), g.effects
    return [] if marks is None else [k for k in rows_in_use(g) if marks[e.effect[k]] and is_under(g, e.unit[k], k)]


def times_of(g: BattleCore, k: int) -> int:
    """How many times the effect of row ``k`` acts at once."""
    return 1 + g.effects.amount[k] if effect_of(g, k).adds_up else 1


def is_under(g: BattleCore, unit: int, k: int) -> bool:
    """Whether the effect of row ``k`` acts on a unit's own models now (wap.character.spells.unit-affected,
    wap.character.special-rules.spells-and-items).
    """
    target, on = g.effects.unit[k], effect_of(g, k).on
    if g.setup.statics["bare"] and is_equipment(g, k) and is_bare(g, target):
        return False
    if unit == target or on is On.MODELS:
        return unit == target
    where = stands_where(g, unit)
    return where == (target if on is On.UNIT else stands_where(g, target))


def is_equipment(g: BattleCore, k: int) -> bool:
    """Whether the effect of row ``k`` is what a magic item does to its own bearer all the time."""
    e = g.effects
    return e.caster[k] == e.unit[k] and not e.cast[k] and effect_of(g, k).until is Until.BATTLE


def is_bare(g: BattleCore, unit: int) -> bool:
    """Whether an effect takes all equipment from the models of a unit."""
    if not g.setup.statics["bare"]:
        return False
    powers = (power for k in rows_in_use(g) if g.effects.unit[k] == unit for power in effect_of(g, k).powers)
    return any(isinstance(power, Bares) for power in powers)


def stands_where(g: BattleCore, unit: int) -> int:
    """The unit in whose block a unit stands: the one that it has joined, or itself."""
    return g.units.bodyguard[unit] if g.units.place[unit] == ATTACHED else unit


def granted(g: BattleCore, unit: int, rule: SpecialRule, *, mounts: bool = False) -> tuple[str, ...]:
    """For each effect, each piece of ground and each aura of ground that gives a unit's own models a special rule now:
    what stands in the rule's brackets, "" for nothing. ``mounts``: that gives it to their mounts too.
    """
    found: tuple[str, ...] = ()
    if is_one_acting(g, g.setup.statics["of_effects"].get(rule)):
        effects = (effect_of(g, k) for k in acting_on(g, unit))
        grants = (grant for effect in effects if not (mounts and effect.spares_mounts) for grant in effect.grants)
        found = tuple(parameter for given, parameter in grants if given is rule)
    return found + given_by_ground(g, unit, rule) + lent(g, unit, rule)


# ---------------------------------------------------------------- beginning and ending


def begin_effect(
    g: BattleCore, number: int, unit: int, player: int, caster: int = -1, cast: int = 0, amount: int = 0
) -> bool:
    """Let an effect begin to act on a unit. Returns False if an effect of that name already acts on that unit: it does
    so once at a time, unless it adds up (wap.magic.same-spell). Then it acts once more.

    Args:
        number: of the effect. player: whose effect it is.
        caster: the unit that brought it about, -1: none.
        cast: the row of ``spellbook`` of the spell that keeps it up, counted from 1; 0: none does.
        amount: that was rolled for it (``Effect.lowers_by``, ``raises_by``).

    Raises:
        LookupError: no row is free.
    """
    e = g.effects
    effect = effects_of(g)[number]
    already = next((k for k in rows_in_use(g) if effect_of(g, k).name == effect.name and e.unit[k] == unit), -1)
    if already >= 0:
        if effect.adds_up:
            e.amount[already] += 1
            renew(g, changed=e.effect[already])
            g.note("wap.magic.resolve", "is under an effect", unit=unit, name=effect.name)
        return effect.adds_up
    k = free_row(g)
    before = had_already(g, number)
    e.effect[k], e.unit[k], e.player[k], e.caster[k] = number, unit, player, caster
    e.cast[k], e.amount[k] = cast, amount
    book: Book = g.setup.statics["book"]
    under = [row for row in range(len(g.units.owner)) if is_under(g, row, k)]
    for row in under:
        for rule, _ in effect_of(g, k).grants:
            if (row, rule) not in before:  # wap.special.hatred.gained-late
                g.units.fresh_rules[row] |= book.gained_bits.get(rule, 0)
    renew(g, under, changed=number)
    opens_ground(g, number)
    if g.recorder is not None:
        g.note("wap.magic.resolve", "is under an effect", unit=unit, name=effect_of(g, k).name)
    return True


def free_row(g: BattleCore) -> int:
    """The first free row of the table.

    Raises:
        LookupError: no row is free.
    """
    used = g.effects.effect.tolist()
    k = next((k for k, number in enumerate(used) if number < 0), -1)
    if k < 0:
        raise LookupError(f"there is no room for another effect; the table has {len(used)} rows")
    return k


def copied(g: BattleCore, k: int) -> int:
    """A new row with the same effect as row ``k``, on the same unit.

    Raises:
        LookupError: no row is free.
    """
    row, rows = free_row(g), g.effects.rows
    rows[row] = rows[k]
    return row


def begin_again(g: BattleCore, number: int, unit: int, player: int) -> None:
    """``begin_effect``, or let the same effect that acts on the unit already last as if it began now."""
    if not begin_effect(g, number, unit, player):
        for k in rows_in_use(g):
            if g.effects.effect[k] == number and g.effects.unit[k] == unit:
                g.effects.player[k] = player


def had_already(g: BattleCore, number: int) -> set[tuple[int, SpecialRule]]:
    """(unit, rule) for each rule of effect ``number`` that a unit has from effects now."""
    rules = [rule for rule, _ in effects_of(g)[number].grants]
    return {(row, rule) for row in range(len(g.units.owner)) for rule in rules if granted(g, row, rule)}


def end_effect(g: BattleCore, k: int) -> None:
    """End the effect of row ``k``; the units that it acted on are as before it, those too that are not under it any
    more.
    """
    e, effect, unit, number = g.effects, effect_of(g, k), g.effects.unit[k], g.effects.effect[k]
    for column in ("effect", "unit", "caster", "player", "cast", "amount", "late"):
        getattr(e, column)[k] = FREE_ROW[column]
    book: Book = g.setup.statics["book"]
    for rule, _ in effect.grants:
        bit = book.gained_bits.get(rule, 0)
        for row, fresh in enumerate(g.units.fresh_rules.tolist()):
            if fresh & bit and not g.units.gained_rules[row] & bit and not granted(g, row, rule):
                g.units.fresh_rules[row] &= ~bit
    renew(g, changed=number)
    opens_ground(g, number)
    g.note("wap.lore.general.until-next-magic-phase", "is free of an effect", unit=unit, name=effect.name)


def end_effects(g: BattleCore, phase: Phase) -> None:
    """End the effects that last until a phase of the player whose turn it is begins."""
    for k in rows_in_use(g):
        if is_over(g, k, phase):
            end_effect(g, k)


def opens_ground(g: BattleCore, number: int) -> None:
    """An effect has begun or ended: if it makes ground open to units, or takes what does, what slows them changes."""
    if number in g.setup.statics["open_ground"] or number in g.setup.statics["baring"]:
        settle_all(g)


def act_elsewhere(g: BattleCore) -> None:
    """Effects have come to act on other units than before."""
    renew(g)
    if g.setup.statics["open_ground"] or g.setup.statics["baring"]:
        settle_all(g)


def is_over(g: BattleCore, k: int, phase: Phase) -> bool:
    """Whether the effect of row ``k`` ends as a phase of the player whose turn it is begins."""
    until = effect_of(g, k).until
    if until is Until.PHASE:
        return True
    if until is Until.TURN:
        return phase == Phase.MOVEMENT
    if until is Until.NEXT_TURN:
        return phase == Phase.MOVEMENT and bool(g.effects.player[k] == g.clock.turn[0])
    return until is Until.NEXT_MAGIC_PHASE and phase == Phase.MAGIC and (g.effects.player[k] == g.clock.turn[0])


def caster_is_gone(g: BattleCore, unit: int) -> None:
    """End the effects and vortices that a unit keeps up which is destroyed or leaves the battlefield
    (wap.magic.rip.lasting, wap.magic.type.vortex.rip).
    """
    take_vortices_of(g, unit)
    for k in rows_in_use(g):
        if g.effects.caster[k] == unit and effect_of(g, k).while_caster_lives:
            end_effect(g, k)


def standard_is_lost(g: BattleCore, unit: int) -> None:
    """End what the magic banner of a unit does, whose standard bearer has fallen (wap.item.general.banner-access)."""
    for k in rows_in_use(g):
        if g.effects.unit[k] == unit and effect_of(g, k).while_standard_flies:
            end_effect(g, k)


def target_is_gone(g: BattleCore, unit: int) -> None:
    """End the effects on a destroyed unit (wap.magic.rip.lasting)."""
    for k in rows_in_use(g):
        if g.effects.unit[k] == unit:
            end_effect(g, k)


# ---------------------------------------------------------------- what follows


def renew(g: BattleCore, units: Iterable[int] | None = None, *, changed: int | None = None) -> None:
    """Work out the characteristics of units and the rules taken from them: of those that an effect acts on that begins,
    or of all (None), as when an effect ends and when a character joins a unit or leaves it. ``changed``: the number of
    that effect; most have nothing to do with characteristics.
    """
    changing: Array | None = g.setup.statics["effects_with"][PROFILES]
    if changing is None or (changed is not None and not changing[changed]):
        return
    if units is None:
        forget_changes(g)
        acting = [k for k in rows_in_use(g) if changing[g.effects.effect[k]]]
        units = [unit for unit in range(len(g.units.owner)) if any(is_under(g, unit, k) for k in acting)]
    for unit in units:
        for line, values in changed_lines(g, unit):
            for name, value in zip(CHARACTERISTICS, values, strict=True):
                getattr(g.lines, name)[line] = value
        g.units.lost_rules[unit] = kept_from(g, unit)


def forget_changes(g: BattleCore) -> None:
    """Give all units the characteristics and rules that they have without effects."""
    profiles, lines = g.setup.statics["profiles"], g.lines.rows
    for name in CHARACTERISTICS:
        lines[name] = np.minimum(MOST, np.maximum(0, profiles[name] + lines[f"more_{name}"]))
    g.units.rows["lost_rules"] &= (1 << KEPT_FROM) - 1


def kept_from(g: BattleCore, unit: int) -> int:
    """``units.lost_rules`` of a unit: rules that it has lost for good, and rules that effects take from it now."""
    book: Book = g.setup.statics["book"]
    found = g.units.lost_rules[unit] & ((1 << KEPT_FROM) - 1)
    for k in acting_on(g, unit):
        for rule in effect_of(g, k).takes:
            found |= book.lost_bits[rule] << KEPT_FROM
    return int(found)


def changed_lines(g: BattleCore, unit: int) -> Iterator[tuple[int, list[int]]]:
    """The fighting profiles of a unit, each with its characteristics as effects change those of the army sheet."""
    rows = list(acting_on(g, unit))
    for line in lines_of(g, unit):
        yield line, list(changed_by(g, line, rows).values())


def changed_by(g: BattleCore, line: int, rows: list[int]) -> dict[str, int]:
    """The characteristics of a fighting profile as the effects of these rows change those of the army sheet."""
    base = {name: unchanged(g, line, name) for name in CHARACTERISTICS}
    acting = [k for k in rows if reaches(g, line, k)]
    return dict(zip(CHARACTERISTICS, changed_values(g, g.lines.unit[line], acting, base), strict=True))


def reaches(g: BattleCore, line: int, k: int) -> bool:
    """Whether the effect of row ``k``, which acts on a unit, changes a fighting profile of it."""
    kind, effect = g.lines.kind[line], effect_of(g, k)
    if effect.counts_rivals and kind not in ARMED:
        return False
    return not (kind in UNDER_RIDERS and effect.spares_mounts)


def changed_values(g: BattleCore, unit: int, rows: list[int], base: dict[str, int]) -> list[int]:
    """Characteristics of a profile of a unit (``base``) as the effects of these rows change them."""
    changes, factors, values, shared = dict[str, int](), dict[str, int](), dict[str, int](), 1
    for k in rows:
        effect = effect_of(g, k)
        for name, amount in changes_by(g, k):
            if name == "m" and amount < 0 and is_never_slowed(g, unit):
                continue
            # a change of the unit's Movement reaches its characters through the unit
            # (wap.character.combined.move-modifier)
            if name != "m" or effect.on is On.MODELS or g.units.place[unit] != ATTACHED:
                changes[name] = changes.get(name, 0) + amount
        factors.update(effect.multiplies)
        values.update(effect.sets)
        if effect.on is not On.MODELS:
            shared = dict(effect.multiplies).get("m", shared)
    for name, factor in factors.items():
        base[name] = bounded(factor * base[name])
    if shared > 1 and g.units.place[unit] == ATTACHED:  # the unit's own gain reaches the character too
        base["m"] = max(0, base["m"] - gain_of_pace(g, g.units.bodyguard[unit], shared))
    base.update((name, value) for name, value in values.items() if base[name])
    deadly = {name for k in rows if effect_of(g, k).deadly for name, _ in changes_by(g, k)}
    return [with_change(base[name], changes.get(name, 0), 0 if name in deadly else LEAST) for name in CHARACTERISTICS]


def is_never_slowed(g: BattleCore, unit: int) -> bool:
    """Whether nothing lowers the Movement of a unit's own models or keeps them from moving: they are Ethereal
    (wap.special.ethereal.movement). It is ``special_rules.models_have``, for what stands below that.
    """
    if ETHEREAL in g.setup.statics["abilities"][unit] or granted(g, unit, ETHEREAL):
        return True
    book: Book = g.setup.statics["book"]
    return bool(g.units.gained_rules[unit] & book.gained_bits[ETHEREAL])


def gain_of_pace(g: BattleCore, unit: int, factor: int) -> int:
    """Inches that a unit's own models gain if their Movement is multiplied."""
    own = int(g.setup.statics["profiles"][lines_of(g, unit)[-1]]["m"])
    return bounded(factor * own) - own


def changes_by(g: BattleCore, k: int) -> Iterator[tuple[str, int]]:
    """(characteristic, what is added to it) for each that the effect of row ``k`` raises or lowers."""
    effect = effect_of(g, k)
    for _ in range(times_of(g, k)):
        yield from effect.changes
    yield from ((name, -g.effects.amount[k]) for name in effect.lowers_by)
    yield from ((name, g.effects.amount[k]) for name in effect.raises_by)


def change_under_effects(g: BattleCore, unit: int, name: str, *, besides: int) -> int:
    """What effects on a unit add to a characteristic, those left out that act on unit ``besides`` too."""
    if not effects_of(g):
        return 0
    rows = set(acting_on(g, unit)) - set(acting_on(g, besides))
    return sum(amount for k in rows for changed, amount in changes_by(g, k) if changed == name)


def grown(g: BattleCore, line: int, name: str) -> int:
    """By how much a characteristic of a fighting profile has grown for good."""
    found: int = getattr(g.lines, f"more_{name}")[line]
    return found


def unchanged(g: BattleCore, line: int, name: str) -> int:
    """A characteristic of a fighting profile as effects find it: that of the army sheet, grown for good."""
    return bounded(int(g.setup.statics["profiles"][line][name]) + grown(g, line, name))


def grow(g: BattleCore, line: int, name: str, amount: int) -> int:
    """A characteristic of a fighting profile grows for good, up to the highest there is (wap.profile.range). Returns by
    how much.
    """
    more, value, before = getattr(g.lines, f"more_{name}"), getattr(g.lines, name), unchanged(g, line, name)
    more[line] = bounded(more[line] + amount)
    value[line] = bounded(value[line] + amount)
    renew(g)
    return unchanged(g, line, name) - before


def with_change(base: int, change: int, least: int = LEAST) -> int:
    """A characteristic plus a change: a change leaves at least ``least``, and 0 stays 0 (wap.magic.type.cumulative)."""
    return max(min(base, least), bounded(base + change)) if base else base
