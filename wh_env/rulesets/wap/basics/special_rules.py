"""Special rules of models and of a unit's own models, as they have them now: from the card, from the troop type, gained
or lost in the battle.

For a unit together with its joined characters use ``combined_unit.has``, which knows how many of them must have a rule
(``rule_book``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.basics.auras import lent
from wh_env.rulesets.wap.basics.blocks import stands_in
from wh_env.rulesets.wap.basics.effects import Bares, granted, is_bare, is_one_acting, rows_with_power
from wh_env.rulesets.wap.basics.secret_items import masked_units, rules_as_known
from wh_env.rulesets.wap.codes import MOUNTS
from wh_env.rulesets.wap.rule_book import RANDOM_MOVEMENT, Act, Book, Handler, Point, SpecialRule, Within

# a rule that gives dice in place of a Movement value (wap.special.random-movement.dice)
RANDOM_DICE = re.compile(rf"{RANDOM_MOVEMENT.name} \(([23]?)D6\)")
STUPID_DICE = 1

Abilities = Mapping[SpecialRule, tuple[str, ...]]  # each rule with what stands in its brackets


def abilities_of(rules: Iterable[str]) -> Abilities:
    """Special rules as cards write them, each with its parameters in the order given: ``{IMPACT_HITS: ("1",), STUBBORN:
    ()}`` for "Impact Hits (1)" and "Stubborn". Words that the book does not know are left out.
    """
    found: dict[SpecialRule, tuple[str, ...]] = {}
    for words in rules:
        read = rule_book.BOOK.read(words)
        if read is not None:
            rule, parameter = read
            found[rule] = found.get(rule, ()) + ((parameter,) if parameter else ())
    return MappingProxyType(found)


def whole_model(rules: Iterable[str]) -> tuple[str, ...]:
    """The rules of ``rules`` that a rider and his mount share."""
    return tuple(words for words in rules if (read := rule_book.BOOK.read(words)) and read.rule.within is Within.MODEL)


def of_the_unit(rules: Iterable[str]) -> tuple[str, ...]:
    """The rules of a mount that its unit has as well."""
    return tuple(
        words for words in rules if (read := rule_book.BOOK.read(words)) and read.rule.within is not Within.PROFILE
    )


def own_rules(g: BattleCore, unit: int) -> Abilities:
    """Special rules of a unit by its card, and by its equipment as long as it has that, as far as the seat knows it
    whose view of the battle this is (wap.army.list.hidden).
    """
    statics = g.setup.statics
    if statics["secrets"] and unit in masked_units(g):
        return rules_as_known(g, unit, statics["secrets"].rules[unit])
    found: Abilities = statics["bare"][unit].rules if is_bare(g, unit) else statics["abilities"][unit]
    return found


def otherwise_ruled(g: BattleCore) -> list[int]:
    """The units of which ``own_rules`` may not be those that they are given at the start (``statics["abilities"]``)."""
    bare = [g.effects.unit[k] for k in rows_with_power(g, Bares)] if g.setup.statics["bare"] else []
    return [*bare, *masked_units(g)]


def own_line_rules(g: BattleCore, line: int) -> Abilities:
    """``own_rules`` of a fighting profile."""
    statics, unit = g.setup.statics, g.lines.unit[line]
    if statics["secrets"] and unit in masked_units(g):
        return rules_as_known(g, unit, statics["secrets"].line_rules[line])
    if is_bare(g, unit):
        bare: Abilities = statics["bare"][unit].line_rules[line - g.units.first_line[unit]]
        return bare
    found: Abilities = statics["line_abilities"][line]
    return found


def book_of(g: BattleCore) -> Book:
    """The special rules of the battle."""
    book: Book = g.setup.statics["book"]
    return book


def handlers_at(g: BattleCore, point: Point[Act]) -> tuple[Handler[Act], ...]:
    """The handlers of the battle's special rules at a point, in the order of ``turns.handlers``."""
    found: tuple[Handler[Act], ...] = g.setup.statics["handlers"].get(point, ())
    return found


def is_lost(g: BattleCore, unit: int, rule: SpecialRule) -> bool:
    """Whether the models of a unit have lost a special rule of their card, for good or while an effect takes it from
    them. The rule must be one that can be lost.
    """
    return bool(g.units.lost_rules[unit] & book_of(g).lost_mask(rule)) and not is_kept(g, unit, rule)


def is_kept(g: BattleCore, unit: int, rule: SpecialRule) -> bool:
    """Whether the models of a unit have a special rule that they can never lose."""
    return rule_book.NEVER_LOST in own_rules(g, unit).get(rule, ())


def models_have(g: BattleCore, unit: int, rule: SpecialRule) -> bool:
    """Whether a unit's own models have a special rule now; joined characters do not count."""
    statics = g.setup.statics
    if rule in own_rules(g, unit) and not (rule.can_be_lost and is_lost(g, unit, rule)):
        return True
    if (g.units.gained_rules[unit] or rule in statics["gives"]) and is_gained(g, unit, rule):
        return True
    includers = statics["includers"]
    return rule in includers and any(models_have(g, unit, other) for other, _ in includers[rule])


def line_has_itself(g: BattleCore, line: int, rule: SpecialRule) -> bool:
    """Whether a fighting profile has a special rule now that no aura gives it."""
    unit = g.lines.unit[line]
    if rule.can_be_lost and is_lost(g, unit, rule):
        return False
    mounts = g.lines.kind[line] == MOUNTS
    if rule in own_line_rules(g, line) or len(granted(g, unit, rule, mounts=mounts)) > len(lent(g, unit, rule)):
        return True
    return bool(g.units.gained_rules[unit] & book_of(g).gained_bits.get(rule, 0))


def is_gained(g: BattleCore, unit: int, rule: SpecialRule, *, mounts: bool = False) -> bool:
    """Whether a unit's own models have gained a special rule in the battle, or an effect gives it to them and they have
    not lost it. ``mounts``: whether their mounts have.
    """
    bits = g.units.gained_rules[unit]
    if bits and bits & book_of(g).gained_bits.get(rule, 0):
        return True
    if rule not in g.setup.statics["gives"] or (rule.can_be_lost and is_lost(g, unit, rule)):
        return False
    return bool(granted(g, unit, rule, mounts=mounts))


def is_gained_without_words(g: BattleCore, unit: int, rule: SpecialRule) -> bool:
    """``is_gained``, but only if the rule has nothing in its brackets."""
    if g.units.gained_rules[unit] & book_of(g).gained_bits.get(rule, 0):
        return True
    return rule in g.setup.statics["gives"] and "" in granted(g, unit, rule)


def words_gained(g: BattleCore, unit: int, rule: SpecialRule, *, mounts: bool = False) -> tuple[str, ...]:
    """What stands in the brackets of a special rule that effects and auras give a unit's own models (``mounts``: also
    their mounts); those without brackets are left out.
    """
    return tuple(words for words in granted(g, unit, rule, mounts=mounts) if words)


def lose(g: BattleCore, unit: int, rule: SpecialRule) -> None:
    """A unit loses a special rule of its card for good (wap.special.frenzy.loss), or until ``find_again``
    (wap.special.fly.mixed).

    Raises:
        ValueError: the rule cannot be lost.
    """
    g.units.lost_rules[unit] |= bit_of(book_of(g).lost_bits, rule, "lose")


def find_again(g: BattleCore, unit: int, rule: SpecialRule) -> None:
    """A unit has a special rule of its card again that it had lost.

    Raises:
        ValueError: the rule cannot be lost.
    """
    g.units.lost_rules[unit] &= ~bit_of(book_of(g).lost_bits, rule, "find_again")


def gain(g: BattleCore, unit: int, rule: SpecialRule) -> None:
    """A unit gains a special rule. The next round of a combat counts as its first for that rule
    (wap.special.hatred.gained-late).

    Raises:
        ValueError: the rule cannot be gained.
    """
    bit = bit_of(book_of(g).gained_bits, rule, "gain")
    if not g.units.gained_rules[unit] & bit:
        g.units.gained_rules[unit] |= bit
        g.units.fresh_rules[unit] |= bit


def lose_gained(g: BattleCore, unit: int, rule: SpecialRule) -> None:
    """A unit no longer has a special rule that it had gained, unless its card gives it
    (wap.special.general.none-by-default).

    Raises:
        ValueError: the rule cannot be gained.
    """
    bit = bit_of(book_of(g).gained_bits, rule, "lose_gained")
    g.units.gained_rules[unit] &= ~bit
    g.units.fresh_rules[unit] &= ~bit


def bit_of(bits: Mapping[SpecialRule, int], rule: SpecialRule, caller: str) -> int:
    """The bit of a rule in ``bits``; ``caller`` is named in the error.

    Raises:
        ValueError: the rule has no bit there.
    """
    if rule not in bits:
        raise ValueError(f"{caller}: {rule.name!r}; expected one of {', '.join(other.name for other in bits)}")
    return bits[rule]


def parameters(g: BattleCore, unit: int, rule: SpecialRule) -> tuple[str, ...]:
    """What stands in the brackets of a special rule of a unit's own models; empty: nothing, or they do not have
    the rule.
    """
    statics = g.setup.statics
    found: tuple[str, ...] = own_rules(g, unit).get(rule, ())
    if found and rule.can_be_lost and is_lost(g, unit, rule):
        found = ()
    if rule in statics["gives"]:
        found += words_gained(g, unit, rule)
    includers = statics["includers"]
    if rule not in includers:
        return found
    return found + tuple(words for other, words in includers[rule] if words and models_have(g, unit, other))


def line_has(g: BattleCore, line: int, rule: SpecialRule) -> bool:
    """Whether a fighting profile has a special rule now; a rider's rules are not the mount's
    (wap.troop.cavalry.rules-scope).
    """
    statics, unit = g.setup.statics, g.lines.unit[line]
    if rule in own_line_rules(g, line) and not (rule.can_be_lost and is_lost(g, unit, rule)):
        return True
    if g.units.gained_rules[unit] or rule in statics["gives"]:
        if is_gained(g, unit, rule, mounts=g.lines.kind[line] == MOUNTS):
            return True
    includers = statics["includers"]
    return rule in includers and any(line_has(g, line, other) for other, _ in includers[rule])


def line_parameters(g: BattleCore, line: int, rule: SpecialRule) -> tuple[str, ...]:
    """What stands in the brackets of a special rule of a fighting profile; empty: nothing, or it does not have
    the rule.
    """
    statics = g.setup.statics
    found: tuple[str, ...] = own_line_rules(g, line).get(rule, ())
    if found and rule.can_be_lost and is_lost(g, g.lines.unit[line], rule):
        found = ()
    if rule in statics["gives"]:
        found += words_gained(g, g.lines.unit[line], rule, mounts=g.lines.kind[line] == MOUNTS)
    includers = statics["includers"]
    if rule not in includers:
        return found
    return found + tuple(words for other, words in includers[rule] if words and line_has(g, line, other))


def model_has(g: BattleCore, model: int, rule: SpecialRule) -> bool:
    """Whether a model has a special rule now, from its unit or from its profile."""
    return models_have(g, g.models.unit[model], rule) or line_has(g, g.models.line[model], rule)


def is_known(g: BattleCore, rule: SpecialRule) -> bool:
    """Whether anything in the battle may have a special rule now: a card or ground names it or a rule that includes it,
    an effect that acts does, or a unit has gained some rule.
    """
    statics = g.setup.statics
    if rule in statics["lasting_rules"]:
        return True
    acts = is_one_acting(g, statics["of_effects_with_included"].get(rule))
    return acts or any(g.units.gained_rules.tolist())


def model_parameters(g: BattleCore, model: int, rule: SpecialRule) -> tuple[str, ...]:
    """What stands in the brackets of a special rule of a model, from its profile or its unit; empty: nothing, or it
    does not have the rule.
    """
    own = line_parameters(g, g.models.line[model], rule)
    return own + tuple(words for words in parameters(g, g.models.unit[model], rule) if words not in own)


def random_dice(rules: tuple[str, ...]) -> int:
    """The number of dice that a unit with these rules rolls in place of a Movement value, the fewest of
    several; 0: none.
    """
    found = (RANDOM_DICE.fullmatch(rule) for rule in rules)
    return min((int(match[1] or 1) for match in found if match), default=0)


@kernel
def find_dice(units: Array, dice: Array, u: int) -> int:
    """``movement_dice`` as a kernel; ``dice``: by unit, those of its card."""
    if units[u]["stupid"] == 1:
        return STUPID_DICE
    found = 0
    for c in range(len(units)):
        if dice[c] > 0 and (c == u or stands_in(units, c, u)) and (found == 0 or dice[c] < found):
            found = dice[c]
    return found


def movement_dice(g: BattleCore, unit: int) -> int:
    """The number of dice that a unit rolls in place of a Movement value, 0: none (wap.special.random-movement.unit). A
    stupid unit rolls one (wap.special.stupidity.until-passed).
    """
    found: int = g.work.call(find_dice, g.units.rows, g.setup.statics["dice"], unit)
    return found
