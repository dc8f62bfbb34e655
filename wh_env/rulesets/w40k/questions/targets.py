"""Which units may target which: ranged weapons and melee (shoot.targets.*, locked in combat, fight.targets.*).

The answers for a whole unit are kept as rows of small tables, so that a phase asks each question once.
"""

from __future__ import annotations

from wh_env.core.geometry.areas import engages_across
from wh_env.core.geometry.shapes import (
    EPS,
    member,
    member_count,
    straight_within,
    within_reach,
)
from wh_env.core.geometry.sight import sees
from wh_env.core.geometry.unit_sight import unit_sees_within
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.codes import BARRED, HIDDEN, UNKNOWN, YES
from wh_env.rulesets.w40k.profiles import Ability, Keyword, WeaponAbility
from wh_env.rulesets.w40k.questions.screens import any_closer, light_character, open_to, protected, straight

ASSAULT = int(WeaponAbility.ASSAULT)
PISTOL = int(WeaponAbility.PISTOL)
BLAST = int(WeaponAbility.BLAST)
INDIRECT = int(WeaponAbility.INDIRECT_FIRE)
ONE_SHOT = int(WeaponAbility.ONE_SHOT)
GRENADE = int(WeaponAbility.GRENADE)
AIRCRAFT = int(Keyword.AIRCRAFT)
FLY = int(Keyword.FLY)
LONE = int(Ability.LONE_OPERATIVE)

AMPLE = 0.01  # inches, more than any tolerance
# the ranged weapons that a unit may fire (argument `mode`)
ALL_WEAPONS, ASSAULT_ONLY, PISTOLS_ONLY, BIG_GUNS = 0, 1, 2, 3


@inner_kernel
def unit_box(models: Array, units: Array, u: int) -> tuple[float, float, float, float]:
    """Bounds of the circles round the unit's models: least x, y, greatest x, y; greatest below least if none is on the
    table.
    """
    x0 = y0 = 1e9
    x1 = y1 = -1e9
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if models[k]["on_table"] != 0 and models[k]["unit"] == u:
            r = models[k]["radius"]
            x0 = min(x0, models[k]["x"] - r)
            x1 = max(x1, models[k]["x"] + r)
            y0 = min(y0, models[k]["y"] - r)
            y1 = max(y1, models[k]["y"] + r)
    return x0, y0, x1, y1


@kernel
def engagement_table(models: Array, units: Array, blocks: Array, corners: Array, fire: Array, table: Array) -> None:
    """Set ``table[a, e]`` to 1 where units of different owners are within Engagement Range of each other, else 0."""
    for a in range(len(units)):
        for e in range(len(units)):
            table[a, e] = 0
    near = fire[0]["engagement"]
    high = fire[0]["engagement_vertical"]
    over = fire[0]["engagement_across"]
    far = max(near, over) + EPS
    for a in range(len(units)):
        if units[a]["owner"] != 0:
            continue
        west, south, east, north = unit_box(models, units, a)
        if east < west:
            continue
        for j in range(len(models)):
            m = models[j]
            reach = far + m["radius"]
            if m["x"] + reach < west or m["x"] - reach > east or m["y"] + reach < south or m["y"] - reach > north:
                continue
            e = m["unit"]
            if m["on_table"] != 0 and m["owner"] != 0 and table[a, e] == 0:
                if model_engaged(models, units, blocks, corners, a, j, near, high, over):
                    table[a, e] = 1
                    table[e, a] = 1


@inner_kernel
def model_engaged(
    models: Array, units: Array, blocks: Array, corners: Array, a: int, j: int, near: float, high: float, over: float
) -> bool:
    """Whether a model of unit ``a`` is within Engagement Range (``near``, ``high``; ``over`` across areas) of model
    ``j``.
    """
    m = models[j]
    far = max(near, over) + EPS
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if models[i]["on_table"] == 0 or models[i]["unit"] != a:
            continue
        x, y = models[i]["x"], models[i]["y"]
        reach = models[i]["radius"] + far + m["radius"]
        if abs(m["x"] - x) <= reach and abs(m["y"] - y) <= reach:
            if within_reach(models, i, j, near, high) or (
                over > 0.0
                and engages_across(models, blocks, corners, i, x, y, models[i]["z"], models[i]["facing"], j, high)
            ):
                return True
    return False


@kernel
def open_target(units: Array, engaged: Array, fire: Array, mode: int, a: int, e: int) -> bool:
    """Whether unit ``a`` may select unit ``e`` as a target, judged by Engagement Range only. ``engaged[u, v]`` is the
    engagement table.

    shoot.locked-in-combat.target, shoot.big-guns.targets, .engaged-target, weapon.pistol.engaged-targets.
    """
    if mode == PISTOLS_ONLY:
        return bool(engaged[a, e] != 0 or fire[0]["pistol_closest"] != 0)
    if units[e]["keywords"] & fire[0]["big_targets"] or engaged[a, e] != 0:
        return True
    for v in range(len(units)):
        if units[v]["owner"] == units[a]["owner"] and engaged[v, e] != 0:
            return False
    return True


@kernel
def fires_at_engaged(units: Array, engaged: Array, a: int, e: int) -> bool:
    """Whether ``e`` is within Engagement Range of any unit of the army of ``a``."""
    for v in range(len(units)):
        if units[v]["owner"] == units[a]["owner"] and engaged[v, e] != 0:
            return True
    return False


@kernel
def usable(weapons: Array, w: int, mode: int, blast_ok: bool, spent: bool) -> bool:
    """Whether a ranged weapon profile may be fired in this mode. ``spent``: the model has used it before (One Shot)."""
    if weapons[w]["melee"] != 0:
        return False
    abilities = weapons[w]["abilities"]
    if mode == ASSAULT_ONLY and not abilities & ASSAULT:
        return False
    if mode == PISTOLS_ONLY and not abilities & PISTOL:
        return False
    if abilities & BLAST and not blast_ok:
        return False
    return not (abilities & ONE_SHOT and spent)


NOT_SEEN = 1e9


@kernel
def look(
    models: Array, units: Array, blocks: Array, corners: Array, fire: Array, i: int, e: int, limit: float
) -> tuple[float, float]:
    """Inches from model ``i`` to the nearest model of unit ``e``, and to the nearest that it sees within ``limit``
    inches.

    The second is ``NOT_SEEN`` if it sees none. Both are if other units screen the unit (shoot.look-out-sir). The search
    starts at the nearest model and stops at the first that is seen.
    """
    nearest = NOT_SEEN
    if protected(models, units, fire, e) and not open_to(models, units, blocks, corners, fire, i, e):
        return NOT_SEEN, NOT_SEEN
    last = -1.0
    last_row = -1
    while True:
        best = NOT_SEEN
        row = -1
        for n in range(member_count(units, e)):
            j = member(units, e, n)
            if models[j]["on_table"] == 0 or models[j]["unit"] != e:
                continue
            away = straight(models, i, j)
            if (away > last or (away == last and j > last_row)) and away < best:
                best = away
                row = j
        if last < 0.0:
            nearest = best
        if row < 0 or best > limit + EPS:
            return nearest, NOT_SEEN
        if sees(models, units, blocks, corners, i, row):
            return nearest, best
        last = best
        last_row = row


@kernel
def may_fire(units: Array, weapons: Array, fire: Array, w: int, e: int, nearest: float, seen: float) -> int:
    """Whether profile ``w`` may be fired at unit ``e``, given the results of ``look``: 0 no, 1 yes, 2 only by Indirect
    Fire.

    A model of the unit must be both within range of the weapon and visible to the shooter
    (shoot.targets.range-and-visible). A Lone Operative on its own must be near (shoot.lone-operative).
    """
    if units[e]["flags"] & LONE and units[e]["leader"] < 0 and nearest > fire[0]["lone_range"] + EPS:
        return 0
    reach = weapons[w]["range"] + EPS
    if seen <= reach:
        return 1
    return 2 if weapons[w]["abilities"] & INDIRECT and nearest <= reach else 0


@inner_kernel
def in_range_at_all(models: Array, units: Array, i: int, e: int, reach: float) -> bool:
    """Whether any model of ``e`` is within ``reach`` of model ``i``."""
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if models[j]["on_table"] != 0 and models[j]["unit"] == e and straight_within(models, i, j, reach + EPS):
            return True
    return False


@kernel
def lone_weapon(models: Array, weapons: Array, arsenal: Array, i: int) -> bool:
    """Whether all ranged weapons of model ``i`` are profiles of one weapon."""
    slot = -1
    first = models[i]["first_weapon"]
    for s in range(first, first + models[i]["weapons"]):
        if weapons[arsenal[s]["weapon"]]["melee"] == 0:
            if slot >= 0 and arsenal[s]["slot"] != slot:
                return False
            slot = arsenal[s]["slot"]
    return True


@kernel
def must_wait(engaged: Array, fire: Array, mode: int, a: int, e: int) -> bool:
    """Whether attacks of unit ``a`` at ``e`` are made only when no enemy is within Engagement Range of ``a``
    (shoot.big-guns.others).
    """
    return bool(mode == BIG_GUNS and fire[0]["others_wait"] != 0 and engaged[a, e] == 0)


@kernel
def bound_elsewhere(
    models: Array, units: Array, blocks: Array, corners: Array, fire: Array, mode: int, i: int, e: int
) -> bool:
    """Whether model ``i`` of an engaged unit must fire its Pistols at a unit that is closer than ``e``
    (weapon.pistol.engaged-targets).
    """
    if mode != PISTOLS_ONLY or fire[0]["pistol_closest"] == 0:
        return False
    return any_closer(models, units, blocks, corners, i, e, False)


# answers of the target table about a pair of units


@inner_kernel
def _usable_ranges(
    models: Array, weapons: Array, arsenal: Array, i: int, mode: int, blast_ok: bool
) -> tuple[float, float]:
    """The longest range in inches of model ``i``'s weapons that may be fired: of those that need sight, of the others.

    -1: it has none.
    """
    reach = -1.0
    lob = -1.0
    first = models[i]["first_weapon"]
    for s in range(first, first + models[i]["weapons"]):
        w = arsenal[s]["weapon"]
        if not usable(weapons, w, mode, blast_ok, int(models[i]["spent"]) >> int(s - first) & 1 != 0):
            continue
        if weapons[w]["abilities"] & INDIRECT:
            lob = max(lob, weapons[w]["range"])
        else:
            reach = max(reach, weapons[w]["range"])
    return reach, lob


@inner_kernel
def pair_target(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    arsenal: Array,
    engaged: Array,
    fire: Array,
    a: int,
    e: int,
    mode: int,
    reaches: Array,
) -> int:
    """Whether some weapon of unit ``a`` may target unit ``e``: YES, HIDDEN (it could if it saw the unit) or BARRED.

    ``mode``: the weapons that may be fired. ``reaches``: scratch (float64, by model row).
    """
    if not open_target(units, engaged, fire, mode, a, e):
        return BARRED
    blast_ok = not fires_at_engaged(units, engaged, a, e)
    lone = units[e]["flags"] & LONE and units[e]["leader"] < 0
    waits = must_wait(engaged, fire, mode, a, e)
    behind = protected(models, units, fire, e)
    some = False
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if models[i]["on_table"] == 0 or models[i]["unit"] != a:
            continue
        reach, lob = _usable_ranges(models, weapons, arsenal, i, mode, blast_ok)
        if waits and lone_weapon(models, weapons, arsenal, i):
            lob = reach = -1.0
        # screening needs a look at every unit, so it is asked only if the unit is within range of the model
        if behind and not (
            in_range_at_all(models, units, i, e, max(lob, reach) + AMPLE)
            and open_to(models, units, blocks, corners, fire, i, e)
        ):
            lob = reach = -1.0
        if bound_elsewhere(models, units, blocks, corners, fire, mode, i, e):
            lob = reach = -1.0
        if lone:
            # a Lone Operative must have a model near by, and one in range that is seen
            if lob >= 0.0 or reach >= 0.0:
                if not in_range_at_all(models, units, i, e, fire[0]["lone_range"]):
                    lob = reach = -1.0
        if lob >= 0.0 and in_range_at_all(models, units, i, e, lob):
            return YES
        reaches[i] = reach
        some = some or reach >= 0.0
    if not some:
        return BARRED
    code = unit_sees_within(models, units, blocks, corners, a, e, reaches)
    if code == 1:
        return YES
    return HIDDEN if code == 2 else BARRED


@kernel
def longest_range(models: Array, weapons: Array, arsenal: Array, i: int) -> float:
    """The longest range among the ranged weapons of model ``i``; 0 if it has none."""
    reach = 0.0
    first = models[i]["first_weapon"]
    for s in range(first, first + models[i]["weapons"]):
        reach = max(reach, weapons[arsenal[s]["weapon"]]["range"])
    return reach


@inner_kernel
def longest_of_unit(models: Array, units: Array, weapons: Array, arsenal: Array, a: int) -> float:
    """``longest_range`` of all models of unit ``a`` on the table."""
    reach = 0.0
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if models[i]["on_table"] != 0 and models[i]["unit"] == a:
            reach = max(reach, longest_range(models, weapons, arsenal, i))
    return reach


@inner_kernel
def plainly_beyond(models: Array, units: Array, box: tuple[float, float, float, float], e: int, reach: float) -> bool:
    """Whether a box with models is certainly farther than ``reach`` inches from unit ``e``. False proves nothing."""
    west, south, east, north = unit_box(models, units, e)
    dx = max(0.0, west - box[2], box[0] - east)
    dy = max(0.0, south - box[3], box[1] - north)
    far = reach + AMPLE
    return east >= west and box[2] >= box[0] and dx * dx + dy * dy > far * far


@kernel
def target_row(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    arsenal: Array,
    engaged: Array,
    fire: Array,
    a: int,
    mode: int,
    row: Array,
    reaches: Array,
    whole: bool,
) -> bool:
    """Settle the unknown entries of ``row``, the target row of unit ``a``. Returns whether any enemy unit is a target.

    Without ``whole`` it stops at the first target that it finds, the nearest first.
    """
    found = False
    for e in range(len(units)):
        if row[e] == YES:
            if not whole:
                return True
            found = True
    x = models[units[a]["first"]]["x"]
    y = models[units[a]["first"]]["y"]
    box = unit_box(models, units, a)
    reach = longest_of_unit(models, units, weapons, arsenal, a)
    while True:
        best = -1
        nearest = 1e18
        for e in range(len(units)):
            if row[e] != UNKNOWN:
                continue
            if units[e]["owner"] == units[a]["owner"] or units[e]["place"] != ON_TABLE or units[e]["alive"] == 0:
                row[e] = BARRED
                continue
            m = models[units[e]["first"]]
            away = (m["x"] - x) * (m["x"] - x) + (m["y"] - y) * (m["y"] - y)
            if away < nearest:
                nearest = away
                best = e
        if best < 0:
            return found
        if plainly_beyond(models, units, box, best, reach):
            row[best] = BARRED
            continue
        row[best] = pair_target(models, units, blocks, corners, weapons, arsenal, engaged, fire, a, best, mode, reaches)
        if row[best] == YES:
            found = True
            if not whole:
                return True


@inner_kernel
def unit_disc(models: Array, units: Array, u: int) -> tuple[float, float, float]:
    """A circle that holds the models of a unit: x, y, radius in inches. The radius is -1 if no model is on the
    table.
    """
    x0, y0, x1, y1 = unit_box(models, units, u)
    if x1 < x0:
        return 0.0, 0.0, -1.0
    return 0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5


@kernel
def units_within(models: Array, units: Array, a: int, e: int, reach: float) -> bool:
    """Whether some model of unit ``a`` is within ``reach`` inches of a model of unit ``e``, in a straight line."""
    ex, ey, er = unit_disc(models, units, e)
    if er < 0.0:
        return False
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if models[i]["on_table"] == 0 or models[i]["unit"] != a:
            continue
        dx = models[i]["x"] - ex
        dy = models[i]["y"] - ey
        far = reach + er + models[i]["radius"] + 2.0 * EPS
        if dx * dx + dy * dy <= far * far and in_range_at_all(models, units, i, e, reach):
            return True
    return False


@kernel
def forget_after_losses(
    models: Array, units: Array, fire: Array, engaged: Array, lost: Array, count: int, table: Array
) -> None:
    """Models (rows ``lost[:count]``) were destroyed: set entries of the target table that may have changed to UNKNOWN.

    These are entries of their units, of units that they may have screened, and hidden pairs that one of them may have
    stood between. If Pistols must target the closest unit, entries of engaged units, too. The others still hold,
    because no model has moved.
    """
    if (fire[0]["lookout"] > 0.0 or fire[0]["closest_only"] != 0) and count > 0:
        for e in range(len(units)):
            if light_character(models, units, fire, e):
                for a in range(len(units)):
                    table[a, e] = UNKNOWN
    if fire[0]["pistol_closest"] != 0:
        for a in range(len(units)):
            for e in range(len(units)):
                if engaged[a, e] != 0:
                    for u in range(len(units)):
                        table[a, u] = UNKNOWN
                    break
    for k in range(count):
        model = lost[k]
        unit = models[model]["unit"]
        for e in range(len(units)):
            table[unit, e] = UNKNOWN
            table[e, unit] = UNKNOWN
    for a in range(len(units)):
        hidden = False
        for e in range(len(units)):
            hidden = hidden or table[a, e] == HIDDEN
        if not hidden:
            continue
        ax, ay, ar = unit_disc(models, units, a)
        for e in range(len(units)):
            if table[a, e] != HIDDEN:
                continue
            ex, ey, er = unit_disc(models, units, e)
            dx = ex - ax
            dy = ey - ay
            length2 = dx * dx + dy * dy
            for k in range(count):
                m = models[lost[k]]
                t = 0.0
                if length2 > 0.0:
                    t = min(1.0, max(0.0, ((m["x"] - ax) * dx + (m["y"] - ay) * dy) / length2))
                gx = m["x"] - ax - t * dx
                gy = m["y"] - ay - t * dy
                wide = max(ar, er) + m["radius"]
                if gx * gx + gy * gy <= wide * wide:
                    table[a, e] = UNKNOWN
                    break


@kernel
def enemies_within(models: Array, units: Array, a: int, reach: float, found: Array) -> int:
    """List in ``found`` the enemy units on the battlefield within ``reach`` inches of unit ``a``. Returns their
    number.
    """
    count = 0
    for e in range(len(units)):
        if units[e]["owner"] == units[a]["owner"] or units[e]["place"] != ON_TABLE:
            continue
        if units_within(models, units, a, e, reach):
            found[count] = e
            count += 1
    return count
