"""Which enemies a model can fight: those that it touches or reaches in melee."""

from __future__ import annotations

from wh_env.core.geometry.areas import model_engages_unit_across, units_engaged_across
from wh_env.core.geometry.barriers import model_reaches_across, units_reach_across, widest
from wh_env.core.geometry.engaged import units_engaged
from wh_env.core.geometry.shapes import CONTACT, EPS, member, member_count, straight_within, within_reach
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.questions.targets import AIRCRAFT, FLY


@kernel
def touches_enemy(models: Array, units: Array, i: int, e: int) -> bool:
    """Whether model ``i`` is in base contact with a model of unit ``e`` (any enemy unit if ``e`` is -1)."""
    for j in range(len(models)):
        if models[j]["on_table"] == 0 or models[j]["owner"] == models[i]["owner"]:
            continue
        if (e < 0 or models[j]["unit"] == e) and within_reach(models, i, j, CONTACT, CONTACT):
            return True
    return False


@inner_kernel
def fights_from_behind(models: Array, units: Array, fire: Array, i: int, k: int, e: int) -> bool:
    """Whether model ``i`` may target unit ``e`` past model ``k`` of its own unit: the gaps from ``i`` to ``k`` and from
    ``k`` to an enemy model are at most ``rank`` of the edition, or, if that is 0, bases touch (fight.which-models).
    """
    rank = fire[0]["rank"]
    if rank == 0.0:
        return within_reach(models, i, k, CONTACT, CONTACT) and touches_enemy(models, units, k, e)
    if not straight_within(models, i, k, rank + EPS):
        return False
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if models[j]["on_table"] != 0 and models[j]["unit"] == e and straight_within(models, k, j, rank + EPS):
            return True
    return False


@kernel
def reaches_in_melee(models: Array, units: Array, blocks: Array, corners: Array, fire: Array, i: int, e: int) -> bool:
    """Whether model ``i`` may target unit ``e`` with melee attacks (fight.targets.eligible).

    It must be within Engagement Range of the unit, fight from behind a model of its own unit, or stand across a
    barricade from the unit (terrain.barricades.fight). AIRCRAFT and models without FLY do not attack each other
    (aircraft.fight.eligible, .against).
    """
    if units[e]["keywords"] & AIRCRAFT and not models[i]["keywords"] & FLY:
        return False
    if models[i]["keywords"] & AIRCRAFT and not units[e]["keywords"] & FLY:
        return False
    near = fire[0]["engagement"]
    high = fire[0]["engagement_vertical"]
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if models[j]["on_table"] != 0 and models[j]["unit"] == e and within_reach(models, i, j, near, high):
            return True
    m = models[i]
    if fire[0]["engagement_across"] > 0.0 and model_engages_unit_across(
        models, units, blocks, corners, i, m["x"], m["y"], m["z"], m["facing"], e, high
    ):  # fmt: skip
        return True
    a = models[i]["unit"]
    for n in range(member_count(units, a)):
        k = member(units, a, n)
        if k == i or models[k]["on_table"] == 0 or models[k]["unit"] != a:
            continue
        if fights_from_behind(models, units, fire, i, k, e):
            return True
    return widest(blocks) > 0.0 and model_reaches_across(models, units, blocks, corners, i, e)


@kernel
def melee_row(
    models: Array, units: Array, blocks: Array, corners: Array, fire: Array, barred: Array, a: int, row: Array
) -> bool:
    """Set ``row[e]`` to the number of models of unit ``a`` that may target enemy unit ``e`` in melee. Returns whether
    any may.

    ``barred`` (int32 by unit): not 0 for units that it may not target.
    """
    found = False
    near = fire[0]["engagement"]
    high = fire[0]["engagement_vertical"]
    for e in range(len(units)):
        row[e] = 0
        if units[e]["owner"] == units[a]["owner"] or units[e]["place"] != ON_TABLE or units[e]["alive"] == 0:
            continue
        if barred[e] != 0:
            continue
        if (
            not units_engaged(models, units, a, e, near, high)
            and not (
                fire[0]["engagement_across"] > 0.0 and units_engaged_across(models, units, blocks, corners, a, e, high)
            )
            and not units_reach_across(models, units, blocks, corners, a, e)
        ):
            continue
        for n in range(member_count(units, a)):
            i = member(units, a, n)
            if models[i]["on_table"] != 0 and models[i]["unit"] == a:
                if reaches_in_melee(models, units, blocks, corners, fire, i, e):
                    row[e] += 1
                    found = True
    return found
