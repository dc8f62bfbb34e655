"""Which units could shoot at a unit that moves (reactions in the opponent's turn)."""

from __future__ import annotations

from wh_env.core.geometry.shapes import EPS, unit_distance
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.targets import (
    ALL_WEAPONS,
    ASSAULT_ONLY,
    BIG,
    BIG_GUNS,
    PISTOLS_ONLY,
    YES,
    engagement_table,
    pair_target,
)


@kernel
def mark_shooters(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    arsenal: Array,
    engaged: Array,
    enemy: int,
    reach: float,
    advanced: int,
    fell_back: int,
    marks: Array,
    reaches: Array,
) -> int:
    """Set ``marks[u]`` for each unit of the other side that is within ``reach`` inches of ``enemy``, eligible to shoot and has a
    weapon that can target it; returns how many there are.

    ``advanced`` and ``fell_back`` are the codes of ``units.moved``; ``engaged`` is filled with who is engaged with whom.
    """
    found = 0
    looked = False
    for a in range(len(units)):
        marks[a] = 0
        if units[a]["owner"] == units[enemy]["owner"] or units[a]["place"] != ON_TABLE:
            continue
        if units[a]["moved"] == fell_back or unit_distance(models, units, a, enemy) > reach + EPS:
            continue
        if not looked:
            engagement_table(models, units, engaged)
            looked = True
        in_combat = False
        for e in range(len(units)):
            in_combat = in_combat or engaged[a, e] != 0
        if in_combat and units[a]["moved"] == advanced:
            continue
        mode = ALL_WEAPONS
        if in_combat:
            mode = BIG_GUNS if units[a]["keywords"] & BIG else PISTOLS_ONLY
        elif units[a]["moved"] == advanced:
            mode = ASSAULT_ONLY
        if pair_target(models, units, blocks, corners, weapons, arsenal, engaged, a, enemy, mode, reaches) == YES:
            marks[a] = 1
            found += 1
    return found
