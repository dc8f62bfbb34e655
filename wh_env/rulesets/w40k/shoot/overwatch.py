"""Units that could shoot: in their own Shooting phase, or at a unit that moves (reactions in the opponent's turn)."""

from __future__ import annotations

from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.codes import YES, Freedom
from wh_env.rulesets.w40k.questions.targets import (
    ALL_WEAPONS,
    ASSAULT_ONLY,
    BIG_GUNS,
    PISTOLS_ONLY,
    engagement_table,
    pair_target,
    target_row,
    units_within,
)

SHOOT_ADVANCED, SHOOT_FELL_BACK = Freedom.SHOOT_ADVANCED, Freedom.SHOOT_FELL_BACK


@inner_kernel
def firing_mode(units: Array, engaged: Array, fire: Array, a: int, advanced: int, fell_back: int) -> int:
    """The ranged weapons that unit ``a`` may fire (a mode of ``targets``), -1 if it is not eligible to shoot.

    ``advanced`` and ``fell_back`` are the codes of ``units.moved`` (shoot.eligible, .locked-in-combat.shooter,
    .big-guns.eligible).
    """
    moved = units[a]["moved"]
    free = int(units[a]["marks"])
    if moved == fell_back and not units[a]["keywords"] & fire[0]["fell_back"] and free & SHOOT_FELL_BACK == 0:
        return -1
    in_combat = False
    for e in range(len(units)):
        in_combat = in_combat or engaged[a, e] != 0
    if not in_combat:
        return ASSAULT_ONLY if moved == advanced and free & SHOOT_ADVANCED == 0 else ALL_WEAPONS
    if moved == advanced:
        return -1
    return BIG_GUNS if units[a]["keywords"] & fire[0]["big_guns"] else PISTOLS_ONLY


@kernel
def mark_ready(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    arsenal: Array,
    engaged: Array,
    fire: Array,
    targets: Array,
    player: int,
    selected: int,
    advanced: int,
    fell_back: int,
    found: Array,
    reaches: Array,
) -> int:
    """List in ``found`` the units of ``player`` on the table without the bit ``selected`` that are eligible to shoot
    and have a target. Returns their number. Stores the answers it computes in the rows of ``targets``.
    """
    count = 0
    for a in range(len(units)):
        if units[a]["owner"] != player or units[a]["place"] != ON_TABLE or units[a]["selected"] & selected != 0:
            continue
        mode = firing_mode(units, engaged, fire, a, advanced, fell_back)
        if mode >= 0 and target_row(
            models, units, blocks, corners, weapons, arsenal, engaged, fire, a, mode, targets[a], reaches, False
        ):
            found[count] = a
            count += 1
    return count


@kernel
def mark_shooters(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    arsenal: Array,
    engaged: Array,
    fire: Array,
    enemy: int,
    reach: float,
    advanced: int,
    fell_back: int,
    marks: Array,
    reaches: Array,
) -> int:
    """Set ``marks[u]`` for each unit of the other side that is within ``reach`` inches of ``enemy``, is eligible to
    shoot and has a weapon that can target it. Returns their number.

    ``advanced`` and ``fell_back`` are the codes of ``units.moved``. ``engaged`` is filled with the engagement table.
    """
    found = 0
    looked = False
    for a in range(len(units)):
        marks[a] = 0
        if units[a]["owner"] == units[enemy]["owner"] or units[a]["place"] != ON_TABLE:
            continue
        if units[a]["moved"] == fell_back and not units[a]["keywords"] & fire[0]["fell_back"]:
            continue
        if not units_within(models, units, a, enemy, reach):
            continue
        if not looked:
            engagement_table(models, units, blocks, corners, fire, engaged)
            looked = True
        mode = firing_mode(units, engaged, fire, a, advanced, fell_back)
        if mode < 0:
            continue
        if pair_target(models, units, blocks, corners, weapons, arsenal, engaged, fire, a, enemy, mode, reaches) == YES:
            marks[a] = 1
            found += 1
    return found
