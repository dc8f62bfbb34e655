"""The fields of observations that tell what a spell or a magic item does, in numbers and without its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.features import ABOUT, NOTHING, Field
from wh_env.core.procedures import beneath
from wh_env.rulesets.wap.basics.carried import MOMENTS, Item, item_at
from wh_env.rulesets.wap.basics.dice import Number, times_of
from wh_env.rulesets.wap.basics.effects import Effect
from wh_env.rulesets.wap.codes import CHARACTERISTICS
from wh_env.rulesets.wap.items.windows import UseItems
from wh_env.rulesets.wap.magic.casting import Cast, reached
from wh_env.rulesets.wap.magic.deeds_moves import Flies, Pushes, Restores
from wh_env.rulesets.wap.magic.dispelling import Dispel
from wh_env.rulesets.wap.magic.learning import LearnSpells, open_rows
from wh_env.rulesets.wap.magic.may_cast import castable
from wh_env.rulesets.wap.magic.spells import AT_PLACES, Aim, Deed, Kind, Spell, Version
from wh_env.rulesets.wap.magic.wizards import spell_at, spell_slot
from wh_env.rulesets.wap.weapons.hit import Hit

SIGNED = {"low": -1.0, "high": 1.0}
KINDS = {
    Kind.MISSILE: "is_missile",
    Kind.DAMAGE: "is_damage",
    Kind.AUGMENT: "is_augment",
    Kind.HEX: "is_hex",
    Kind.VORTEX: "is_vortex",
}
AIMS = {Aim.ENEMY: "at_enemy", Aim.FRIEND: "at_friend", Aim.CASTER: "at_caster"}
FAMILIES = ("weapon", "armour", "talisman", "enchanted", "arcane", "banner")
OPTION = (
    Field("is_spell", "a spell"),
    *(Field(name, f"its type is {kind.value}") for kind, name in KINDS.items()),
    Field("at_enemy", "cast on an enemy unit"),
    Field("at_friend", "cast on a friendly unit"),
    Field("at_caster", "cast on the wizard, with the unit that he is in"),
    Field("at_place", "cast at a place or in a direction"),
    Field("value", "casting value", "/ 30"),
    Field("range", "range", "in / 48"),
    Field("everyone", "on all units in range that could be its target"),
    Field("single", "on a single model"),
    Field("remains", "it may remain in play"),
    Field("versions", "versions among which the caster chooses, besides the first", "/ 4"),
    Field("hits", "hits, on average", "/ 12"),
    Field("strength", "Strength of the hits", "/ 10"),
    Field("piercing", "Armour Piercing of the hits; 1: no armour save", "/ 6"),
    Field("tests", "it asks models for tests of a characteristic"),
    *(Field(f"adds_{name}", f"what it adds to {name} of a unit", "/ 5", **SIGNED) for name in CHARACTERISTICS),
    Field("rules_given", "special rules that it gives", "/ 4"),
    Field("rules_taken", "special rules that it takes", "/ 4"),
    Field("moves", "inches that it moves a unit, or lets it fly", "in / 20"),
    Field("restores", "models or Wounds that it restores, on average", "/ 6"),
    Field("is_item", "a magic item"),
    *(Field(f"is_{family}", f"an item of the family {family}") for family in FAMILIES),
    Field("once", "it is used up"),
    Field("moment", "when it is used, by its number among the moments of items", "/ 16"),
)


def meanings_of(g: BattleCore) -> Mapping[int, Any]:
    """What the options of the waiting decision stand for, by action, as far as they are spells and items."""
    name, f, space = g.setup.ruleset.kinds[g.clock.kind[0]].name, g.frame, g.setup.space
    if name == "cast-spell":
        unit = g.stack[f + Cast.UNIT]
        rows = castable(g, unit, g.stack[f + Cast.LIMIT])
        return {space.number + spell_slot(g, unit, row): spell_at(g, row) for row in rows}
    if name in ("spell-target", "bound-die", "spell-dice"):
        return {ABOUT: spell_at(g, g.stack[f + Cast.ROW] - 1)}
    if name == "spell-version":
        spell = Cast.casting(g, f).spell
        return {space.option + version: (spell, version) for version in reached(g, f)}
    if name in ("dispel-by", "dispel-dice"):
        return _of_dispel(g, f, name)
    if name == "learn-spell":
        unit = g.stack[f + LearnSpells.UNIT] - 1
        first = space.number - g.wizards.first_spell[unit]
        return {first + row: spell_at(g, row) for row in open_rows(g, unit)}
    if name == "use-item":
        return {ABOUT: item_at(g, UseItems.next_item(g, f))}
    return NOTHING


def _of_dispel(g: BattleCore, f: int, name: str) -> Mapping[int, Any]:
    """The spell that may be dispelled, and the items that may be used instead."""
    row = g.stack[f + Dispel.ROW] - 1
    spell = spell_at(g, row) if row >= 0 else Cast.casting(g, beneath(f)).spell
    scrolls = Dispel.scrolls(g, f) if name == "dispel-by" else []
    return {ABOUT: spell, **{g.setup.space.number + n: item_at(g, k) for n, k in enumerate(scrolls)}}


def option_values(what: Any) -> dict[str, float]:
    """The values of the fields of ``OPTION`` that are not 0.

    ``what``: a spell in its base version, a spell and the number of a version, or a magic item.
    """
    if isinstance(what, Item):
        return _of_item(what)
    if isinstance(what, Spell):
        return _of_spell(what, what.versions[0])
    spell, version = what
    return _of_spell(spell, spell.versions[version])


def _of_spell(spell: Spell, version: Version) -> dict[str, float]:
    """The values of a version of a spell."""
    values = {
        "is_spell": 1.0,
        "value": version.value / 30,
        "range": min(1.0, version.range / 48),
        "everyone": float(version.everyone),
        "single": float(spell.picks is not None),
        "remains": float(spell.may_be_kept),
        "versions": min(1.0, (len(spell.versions) - 1) / 4),
        "at_place": float(spell.aim in AT_PLACES),
    }
    for name in (KINDS.get(spell.kind), AIMS.get(spell.aim)):
        if name is not None:
            values[name] = 1.0
    for deed in version.deeds:
        _add_deed(values, deed)
    return values


def _of_item(item: Item) -> dict[str, float]:
    """The values of a magic item."""
    values = {"is_item": 1.0, "once": float(item.one_use), "rules_given": min(1.0, len(item.grants) / 4)}
    if item.family in FAMILIES:
        values[f"is_{item.family}"] = 1.0
    if item.uses:
        values["moment"] = MOMENTS.index(item.uses[0].moment) / 16
    for use in item.uses:
        for effect in use.effects():
            _add_effect(values, effect)
    return values


def _add_deed(values: dict[str, float], deed: Deed) -> None:
    """Add what a deed of a spell does."""
    for hit in _hits_of(deed):
        values["strength"] = max(values.get("strength", 0.0), min(1.0, hit.strength / 10))
        pierces = 1.0 if hit.ignores_armour else min(1.0, hit.piercing / 6)
        values["piercing"] = max(values.get("piercing", 0.0), pierces)
        number = getattr(deed, "number", None)
        values["hits"] = min(1.0, values.get("hits", 0.0) + (mean(number) if number is not None else 1.0) / 12)
    if getattr(deed, "test", "") or getattr(getattr(deed, "ordeal", None), "test", ""):
        values["tests"] = 1.0
    if isinstance(deed, Flies):
        values["moves"] = min(1.0, deed.inches / 20)
    elif isinstance(deed, Restores):
        values["restores"] = min(1.0, mean(deed.number) / 6)
    elif isinstance(deed, Pushes):
        values["moves"] = min(1.0, mean(deed.number) / 20)
    for effect in deed.effects():
        _add_effect(values, effect)


def _hits_of(deed: Deed) -> Iterator[Hit]:
    """The hits that a deed inflicts."""
    for owner in (deed, getattr(deed, "ordeal", None)):
        hit = getattr(owner, "hit", None)
        if isinstance(hit, Hit):
            yield hit


def _add_effect(values: dict[str, float], effect: Effect) -> None:
    """Add what an effect changes."""
    steps = [
        *effect.changes,
        *((name, -2) for name in effect.lowers_by),
        *((name, 2) for name in effect.raises_by),
        *((name, 3) for name, _ in effect.multiplies),
        *((name, value - 4) for name, value in effect.sets),
    ]
    for name, by in steps:
        key = f"adds_{name}"
        values[key] = max(-1.0, min(1.0, values.get(key, 0.0) + by / 5))
    values["rules_given"] = min(1.0, values.get("rules_given", 0.0) + len(effect.grants) / 4)
    values["rules_taken"] = min(1.0, values.get("rules_taken", 0.0) + len(effect.takes) / 4)


def mean(number: Number) -> float:
    """The mean of a rolled number."""
    dice, sides, plus = number[:3]
    return (dice * (sides + 1) / 2 + plus) * times_of(number)
