"""What datasheets say beyond characteristics, compiled: active abilities, damage that degrades, random Moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wh_env.content.w10.muster import MusteredModel, MusteredUnit
from wh_env.content.w10.schema import Datasheet, ModelType
from wh_env.content.w40k.compile import with_models
from wh_env.content.w40k.schema import Aura, OtherAbility
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.abilities import Power, by_hook, changed_weapons, power_rows

Units = Sequence[tuple[int, MusteredUnit]]  # player and unit, in the order of their rows


def is_psyker(sheet: Datasheet, kind: ModelType) -> bool:
    """Whether a model has the keyword PSYKER, without which it uses no Psychic weapons or abilities (w10.datasheet.psychic)."""
    return sheet.model_has(kind, "PSYKER")


def bears(ability: OtherAbility, sheet: Datasheet, model: MusteredModel) -> bool:
    """Whether a model of the unit has the ability: by its wargear where it is that of an item, Psychic ones as a PSYKER."""
    if ability.psychic and not is_psyker(sheet, model.type):
        return False
    return ability.wargear is None or ability.wargear == model.option or ability.wargear in model.weapons


def powers_of(units: Units, mask: Callable[[Sequence[str]], int]) -> tuple[Power, ...]:
    """The active abilities of the units of a battle; ``mask`` turns keywords into bits."""
    found = []
    for _, player, unit, rows in with_models(units):
        sheet = unit.datasheet
        own = [*sheet.abilities.auras, *sheet.abilities.other, *([unit.enhancement] if unit.enhancement else [])]
        for ability in own:
            models = tuple(k for k, model in zip(rows, unit.models, strict=True) if bears(ability, sheet, model))
            if not ability.active or not models:
                continue
            aura = ability if isinstance(ability, Aura) else None
            found.append(
                Power(
                    name=ability.name,
                    effect=ability.effect,
                    owner=player,
                    models=models,
                    reach=aura.range if aura else 0.0,
                    enemies=aura is not None and aura.affects == "enemy",
                    keyword=mask([ability.keyword]) if ability.keyword else 0,
                )
            )
    return tuple(found)


def ability_statics(
    units: Units, models: Array, weapons: list[Array], names: list[str], mask: Callable[[Sequence[str]], int]
) -> dict[str, Any]:
    """Frozen tables of abilities; profiles that abilities change are appended to ``weapons`` and ``names``.

    ``powers`` by hook, also as ``power_rows``, ``changed_weapons`` by effect and row, ``damaged``: by model row, wounds left from which on it has -1 to hit,
    ``random_move``: dice, sides, plus and models of units with a random Move, ``own_guards``: by model row, second saves and Feel No Pain as mustered, and 1
    in units that a power could give saves or Feel No Pain; ``guarded``: these units.
    """
    powers = powers_of(units, mask)
    hooks = by_hook(powers)
    guarded = guarded_units(units, hooks["guards"])
    damaged, protected = np.zeros(len(models), np.int32), np.zeros(len(models), np.int32)
    random_move: dict[int, tuple[int, int, int, tuple[int, ...]]] = {}
    for row, _, unit, rows in with_models(units):
        protected[rows.start : rows.stop] = guarded[row]
        if unit.datasheet.abilities.damaged:
            damaged[rows.start : rows.stop] = unit.datasheet.abilities.damaged
        rolled = [k for k, model in zip(rows, unit.models, strict=True) if model.type.M_roll is not None]
        roll = next((model.type.M_roll for model in unit.models if model.type.M_roll is not None), None)
        if roll is not None:
            random_move[row] = (roll.dice, roll.sides, roll.plus, tuple(rolled))
    return {
        "powers": hooks,
        "power_rows": {hook: power_rows(found) for hook, found in hooks.items()},
        "changed_weapons": changed_weapons(weapons, names, powers),
        "damaged": damaged,
        "random_move": random_move,
        "own_guards": np.stack([models["invulnerable2"], models["feel_no_pain2"], protected], axis=1),
        "guarded": guarded,
    }


def guarded_units(units: Units, guards: Sequence[Power]) -> Array:
    """By unit row, whether one of these powers could ever be in force on it: an Aura of the right side, its bearer's own unit, or
    one that the bearer can lead."""
    found = np.zeros(len(units), np.uint8)
    for row, player, unit, rows in with_models(units):
        for power in guards:
            if (player == power.owner) == power.enemies:
                continue
            led = [u.datasheet.abilities.leader for _, _, u, models in with_models(units) if power.models[0] in models]
            if power.reach > 0 or power.models[0] in rows or unit.datasheet.name in led[0]:
                found[row] = 1
    return found
