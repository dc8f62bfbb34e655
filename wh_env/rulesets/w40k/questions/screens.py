"""CHARACTER models that other units screen from shooting (shoot.look-out-sir)."""

from __future__ import annotations

from wh_env.core.geometry.shapes import EPS, gap, member, member_count, stands_in, straight_within
from wh_env.core.geometry.sight import sees
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.profiles import Keyword

CHARACTER = int(Keyword.CHARACTER)
BIG = int(Keyword.MONSTER | Keyword.VEHICLE)
FAR = 1e9


@inner_kernel
def straight(models: Array, i: int, j: int) -> float:
    """Distance in inches between two models in a straight line."""
    flat = gap(models, i, j)
    dz = models[i]["z"] - models[j]["z"]
    return float((flat * flat + dz * dz) ** 0.5) if dz != 0.0 else float(flat)


@inner_kernel
def light_character(models: Array, units: Array, fire: Array, u: int) -> bool:
    """Whether unit ``u`` has a CHARACTER model with few enough Wounds to be screened (shoot.look-out-sir)."""
    if units[u]["keywords"] & CHARACTER == 0:
        return False
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if stands_in(models, k, u) and models[k]["keywords"] & CHARACTER != 0:
            if models[k]["max_wounds"] <= fire[0]["lookout_wounds"]:
                return True
    return False


@inner_kernel
def can_screen(models: Array, units: Array, fire: Array, u: int) -> bool:
    """Whether unit ``u`` can screen CHARACTER models near it (shoot.look-out-sir, .vehicle-character).

    A unit without CHARACTER can if it has enough models or a MONSTER or VEHICLE. A CHARACTER unit can if it has a
    MONSTER or VEHICLE with too many Wounds to be screened itself.
    """
    hero = units[u]["keywords"] & CHARACTER != 0
    count = 0
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if stands_in(models, k, u):
            count += 1
            if models[k]["keywords"] & BIG != 0:
                if not hero or models[k]["max_wounds"] > fire[0]["lookout_wounds"]:
                    return True
    return bool(not hero and count >= fire[0]["lookout_screen"])


@inner_kernel
def screened(models: Array, units: Array, fire: Array, e: int) -> bool:
    """Whether unit ``e`` is screened: only models to which it is the closest unit may target it
    (shoot.look-out-sir).
    """
    reach = fire[0]["lookout"]
    if reach <= 0.0 or not light_character(models, units, fire, e):
        return False
    for u in range(len(units)):
        if u == e or units[u]["owner"] != units[e]["owner"] or units[u]["place"] != ON_TABLE:
            continue
        if can_screen(models, units, fire, u) and any_within(models, units, e, u, reach):
            return True
    return False


@inner_kernel
def any_within(models: Array, units: Array, a: int, e: int, reach: float) -> bool:
    """Whether a model of unit ``a`` and a model of unit ``e`` are within ``reach`` inches of each other."""
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if not stands_in(models, i, a):
            continue
        for o in range(member_count(units, e)):
            j = member(units, e, o)
            if stands_in(models, j, e) and straight_within(models, i, j, reach + EPS):
                return True
    return False


@inner_kernel
def away_from(models: Array, units: Array, i: int, e: int) -> float:
    """Inches from model ``i`` to the nearest model of unit ``e``."""
    best = FAR
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if stands_in(models, j, e):
            best = min(best, straight(models, i, j))
    return best


@inner_kernel
def closest_unit(models: Array, units: Array, fire: Array, i: int, e: int) -> bool:
    """Whether no enemy unit is closer to model ``i`` than unit ``e``, visible or not. Other units with CHARACTER models
    that can be screened do not count (shoot.look-out-sir.closest, .per-model).
    """
    away = away_from(models, units, i, e)
    for u in range(len(units)):
        if u == e or units[u]["owner"] == models[i]["owner"] or units[u]["place"] != ON_TABLE:
            continue
        if light_character(models, units, fire, u):
            continue
        for n in range(member_count(units, u)):
            j = member(units, u, n)
            if stands_in(models, j, u) and straight_within(models, i, j, away - 2.0 * EPS):
                return False
    return True


@inner_kernel
def seen_at_all(models: Array, units: Array, blocks: Array, corners: Array, i: int, e: int) -> bool:
    """Whether model ``i`` sees any model of unit ``e``."""
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if stands_in(models, j, e) and sees(models, units, blocks, corners, i, j):
            return True
    return False


@inner_kernel
def any_closer(models: Array, units: Array, blocks: Array, corners: Array, i: int, e: int, visible: bool) -> bool:
    """Whether some enemy unit is closer to model ``i`` than unit ``e``, by their nearest models. ``visible``: only
    enemies that the model sees.
    """
    away = away_from(models, units, i, e)
    for u in range(len(units)):
        if u == e or units[u]["owner"] == models[i]["owner"] or units[u]["place"] != ON_TABLE:
            continue
        for n in range(member_count(units, u)):
            j = member(units, u, n)
            if stands_in(models, j, u) and straight_within(models, i, j, away - 2.0 * EPS):
                if not visible or seen_at_all(models, units, blocks, corners, i, u):
                    return True
                break
    return False


@kernel
def protected(models: Array, units: Array, fire: Array, e: int) -> bool:
    """Whether only some models may target unit ``e`` (``open_to`` says which)."""
    if fire[0]["closest_only"] != 0:
        return light_character(models, units, fire, e)
    return screened(models, units, fire, e)


@inner_kernel
def open_to(models: Array, units: Array, blocks: Array, corners: Array, fire: Array, i: int, e: int) -> bool:
    """Whether model ``i`` may target the protected unit ``e`` (shoot.look-out-sir.closest)."""
    if fire[0]["closest_only"] != 0:
        return not any_closer(models, units, blocks, corners, i, e, True)
    return closest_unit(models, units, fire, i, e)
