"""Weapon profile rows for kernels, without a datasheet."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wh_env.core.frozen import frozen
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.profiles import WEAPON

Amount = int | tuple[int, int, int]  # a number, or dice, sides and plus

AMOUNTS = ("attacks", "strength", "damage", "rapid_fire", "melta", "sustained")


def gun(
    abilities: int = 0,
    *,
    a: Amount = 1,
    bs: int = 3,
    s: Amount = 4,
    ap: int = 0,
    d: Amount = 1,
    anti: Mapping[int, int] | None = None,
    **columns: Amount,
) -> Array:
    """A row of ``WEAPON``.

    Args:
        abilities: bits of ``WeaponAbility``.
        a, s, d: Attacks, Strength and Damage; bs: the skill; ap: the Armour Penetration.
        anti: keyword bits by the wound roll needed.
        columns: further amounts (``AMOUNTS``) and columns by name.
    """
    row = np.zeros(1, WEAPON)
    row["abilities"], row["skill"], row["ap"] = int(abilities), bs, ap
    for roll, keywords in (anti or {}).items():
        row["anti"][0, roll] = int(keywords)
    for name, amount in {"attacks": a, "strength": s, "damage": d, **columns}.items():
        if name in AMOUNTS:
            row[f"{name}_dice"], row[f"{name}_sides"], row[f"{name}_plus"] = (
                amount if isinstance(amount, tuple) else (0, 0, amount)
            )
        else:
            row[name] = amount
    return frozen(row)
