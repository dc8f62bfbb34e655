"""Compiles parts of datasheets beyond characteristics: active abilities, damage that degrades, random Moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wh_env.content.w10.muster import MusteredModel, MusteredUnit, carries
from wh_env.content.w10.schema import Datasheet, ModelType
from wh_env.content.w40k.compile import Plan, with_models
from wh_env.content.w40k.powers import Mask, Powers, ProfilesOf
from wh_env.content.w40k.schema import OtherAbility
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.ability.candidates import choice_rows
from wh_env.rulesets.w40k.ability.data import by_moment, ends_of
from wh_env.rulesets.w40k.attack.abilities import Power, by_hook, changed_weapons, power_rows
from wh_env.rulesets.w40k.codes import FIRST_MARK

Units = Sequence[tuple[int, MusteredUnit]]  # player and unit, in the order of their rows


def is_psyker(sheet: Datasheet, kind: ModelType) -> bool:
    """Whether a model has the keyword PSYKER, which Psychic weapons and abilities need (w10.datasheet.psychic)."""
    return sheet.model_has(kind, "PSYKER")


def bears(ability: OtherAbility, sheet: Datasheet, model: MusteredModel) -> bool:
    """Whether a model has the ability: Psychic abilities need a PSYKER, abilities of a wargear item need the item."""
    if ability.psychic and not is_psyker(sheet, model.type):
        return False
    return ability.wargear is None or carries(model, ability.wargear)


def carried_out(plan: Plan[MusteredUnit], ability: OtherAbility) -> bool:
    """Whether the edition knows the immediate effects of an ability's choice; true without a choice."""
    said = ability.chooses
    if said is None:
        return True
    effects = (said.effect, said.fails, said.instead.effect if said.instead is not None else None)
    return all(effect is None or effect in plan.edition.effects for effect in effects)


def powers_of(plan: Plan[MusteredUnit], units: Units, mask: Mask, profiles: ProfilesOf) -> Powers:
    """The active abilities of the units of a battle, of their Enhancements, armies and Detachments."""
    found = Powers(mask, profiles)
    spread = list(with_models(units))
    for player in range(len(plan.armies)):
        rules = plan.army_rules[player] if plan.army_rules else ()
        own = [
            (k, unit, model)
            for _, p, unit, rows in spread
            if p == player
            for k, model in zip(rows, unit.models, strict=True)
        ]
        everybody = found.armies[player] = tuple(k for k, _, _ in own)

        def having(keyword: str, own: list[tuple[int, MusteredUnit, MusteredModel]] = own) -> tuple[int, ...]:
            return tuple(k for k, unit, model in own if unit.datasheet.model_has(model.type, keyword))

        for rule in rules:
            if rule.active and everybody and carried_out(plan, rule):
                found.add(rule, player, everybody, having)
        for _, p, unit, rows in spread:
            sheet = unit.datasheet
            abilities = [
                *sheet.abilities.auras,
                *sheet.abilities.other,
                *([unit.enhancement] if unit.enhancement else []),
            ]
            for ability in abilities if p == player else ():
                models = tuple(k for k, model in zip(rows, unit.models, strict=True) if bears(ability, sheet, model))
                if ability is unit.enhancement:  # w10.army.enhancements: one model has it
                    models = tuple(k for k in models if sheet.model_has(unit.models[k - rows.start].type, "CHARACTER"))[
                        :1
                    ]
                if ability.active and models and carried_out(plan, ability):
                    found.add(ability, player, models, having)
    return found


def ability_statics(
    plan: Plan[MusteredUnit], units: Units, models: Array, weapons: list[Array], names: list[str], mask: Mask
) -> dict[str, Any]:
    """Frozen tables of abilities; profiles that abilities change are appended to ``weapons`` and ``names``.

    ``powers``: powers by hook; ``power_rows``: the same as rows. ``changed_weapons``: weapon rows by effect and row.
    ``damaged``: by model row, wounds left at which the model gets -1 to hit. ``random_move``: by unit row, dice, sides,
    plus and the models that roll it. ``own_guards``: by model row, second saves and Feel No Pain as mustered, and 1 if
    a power could give the unit saves or Feel No Pain; ``guarded``: these units. ``choices``: choices that abilities
    give players; ``choice_rows``: the same as rows; ``choice_moments``: when players choose; ``mark_ends``: when marks
    end.
    """

    def profiles(wanted: Sequence[str]) -> frozenset[int]:
        return frozenset(row for row, name in enumerate(names) if name in wanted or name.partition(" (")[0] in wanted)

    found = powers_of(plan, units, mask, profiles)
    powers, choices = found.finished()
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
        "choices": choices,
        "choice_rows": choice_rows(choices),
        "mark_ends": ends_of(choices),
        "choice_moments": by_moment(choices),
        "mark_names": {1 << FIRST_MARK + number: option for (_, _, option), number in found.marks.items()},
        "marks_hits": any(choice.when == "shot" for choice in choices),
    }


def guarded_units(units: Units, guards: Sequence[Power]) -> Array:
    """By unit row, 1 if one of the powers ``guards`` could ever be in force on the unit, else 0.

    That is an Aura of the right side, a power of a model in the unit, or a power of a Leader that can lead the unit.
    """
    found = np.zeros(len(units), np.uint8)
    for row, player, unit, rows in with_models(units):
        for power in guards:
            if (player == power.owner) == power.enemies:
                continue
            led = [u.datasheet.abilities.leader for _, _, u, models in with_models(units) if power.models[0] in models]
            among = any(k in rows for k in power.models)
            if power.reach > 0 or among or (led and unit.datasheet.name in led[0]):
                found[row] = 1
    return found
