"""The table ``contacts``: a row for each pair of enemy units that touch and of which neither flees
(wap.multi.definition).

Only ``meet`` writes its units and sides. Call it after blocks have moved into or out of contact, or a unit has begun to
flee.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import meeting_sides
from wh_env.core.geometry.ranks import on_table_at, rank_count, span_of
from wh_env.core.geometry.shapes import SLACK
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import block_distance, front_span, part_gap
from wh_env.rulesets.wap.basics.garrisons import in_assault, opponent_in_assault
from wh_env.rulesets.wap.basics.quarters import quarter_at
from wh_env.rulesets.wap.basics.rows import rows_with
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.tables import PARTS

TOUCH = 2.0 * SLACK  # inches between blocks that count as touching


@inner_kernel
def block_hull(units: Array, u: int) -> tuple[float, float, float, float]:
    """The rectangle around a block, its short rank counted as a whole one, with a model at an end of the front
    included: x and y of the centre, half the depth, half the width, inches.
    """
    unit = units[u]
    files = max(1, min(unit["files"], unit["block"]))
    half_a = max(0.5 * span_of(rank_count(unit["block"], files), unit["base_a"], unit["spacing"]), unit["beside_a"])
    x, y = on_table_at(unit["x"], unit["y"], unit["facing"], -half_a, 0.0)
    return x, y, half_a, 0.5 * front_span(unit, files)


@inner_kernel
def blocks_touch(parts: Array, units: Array, u: int, o: int, apart: float) -> bool:
    """Whether two blocks on the table touch: base to base, or at the gap beside a short rank
    (wap.combat.incomplete-rank.rear). ``apart``: inches that an obstacle keeps between them.
    """
    slack = TOUCH + apart
    for i in range(units[u]["first_part"], units[u]["first_part"] + PARTS):
        p = parts[i]
        if p["on_table"] == 0:
            continue
        for j in range(units[o]["first_part"], units[o]["first_part"] + PARTS):
            q = parts[j]
            if q["on_table"] == 0 or hypot(p["x"] - q["x"], p["y"] - q["y"]) > p["radius"] + q["radius"] + slack:
                continue
            if part_gap(p, q) <= slack:
                return True
    side, _, low, high = sides_of(units, u, o, apart)
    return side >= 0 and high - low > TOUCH


@inner_kernel
def are_in_contact(parts: Array, units: Array, u: int, o: int, apart: float) -> bool:
    """Whether two units on the table fight: their blocks touch, or one assaults the building that the other is in.
    ``apart``: inches that an obstacle keeps between them.
    """
    if units[u]["garrison"] >= 0 or units[o]["garrison"] >= 0:
        return in_assault(units, u, o)
    return blocks_touch(parts, units, u, o, apart)


@inner_kernel
def sides_of(units: Array, u: int, o: int, apart: float) -> tuple[int, int, float, float]:
    """The sides of blocks ``u`` and ``o`` that lie along each other, ``apart`` inches away at most, and the first and
    last inch of that stretch along the side of ``u``; (-1, -1, 0, -1): none do.
    """
    x, y, a, b = block_hull(units, u)
    ox, oy, oa, ob = block_hull(units, o)
    return meeting_sides(x, y, units[u]["facing"], a, b, ox, oy, units[o]["facing"], oa, ob, TOUCH + apart)


@kernel
def meet_pair(units: Array, contacts: Array, u: int, o: int, across: int, apart: float) -> None:
    """Write the contact of units ``u`` and ``o`` to the first free row; without one it is not written. ``across``,
    ``apart``: as the row tells them.
    """
    for k in range(len(contacts)):
        row = contacts[k]
        if row["a"] >= 0:
            continue
        side, other, _, _ = sides_of(units, u, o, apart)
        if side < 0:  # they touch by a corner: the quarters of their centres decide
            x, y, a, b = block_hull(units, u)
            ox, oy, oa, ob = block_hull(units, o)
            side = quarter_at(x, y, units[u]["facing"], a, b, ox, oy)
            other = quarter_at(ox, oy, units[o]["facing"], oa, ob, x, y)
        row["a"] = u
        row["b"] = o
        row["side_a"] = side
        row["side_b"] = other
        row["wounds_a"] = 0
        row["wounds_b"] = 0
        row["across"] = across
        row["apart"] = apart
        row["group"] = 0
        row["led"] = 0
        return


@inner_kernel
def part_ways(contacts: Array, k: int) -> None:
    """Free row ``k`` of the contacts."""
    row = contacts[k]
    row["a"] = -1
    row["b"] = -1
    row["side_a"] = 0
    row["side_b"] = 0
    row["wounds_a"] = 0
    row["wounds_b"] = 0
    row["across"] = 0
    row["apart"] = 0.0
    row["group"] = 0
    row["led"] = 0


@kernel
def meet_all(parts: Array, units: Array, contacts: Array) -> None:
    """Remove contacts that have ended, enter new ones, and count the contacts of every unit (``fights``). Pairs that
    stay in contact keep their row, with the sides at which they met and the wounds of this round. Only ``meet_across``
    enters units that an obstacle keeps apart.
    """
    for u in range(len(units)):
        units[u]["fights"] = 0
    for k in range(len(contacts)):
        a = contacts[k]["a"]
        b = contacts[k]["b"]
        if a < 0:
            continue
        gone = units[a]["files"] == 0 or units[b]["files"] == 0
        if (
            gone
            or units[a]["fleeing"] == 1
            or units[b]["fleeing"] == 1
            or not are_in_contact(parts, units, a, b, contacts[k]["apart"])
        ):
            part_ways(contacts, k)
    for u in range(len(units)):
        if units[u]["owner"] != 0 or units[u]["files"] == 0 or units[u]["fleeing"] == 1:
            continue
        for o in range(len(units)):
            if units[o]["owner"] != 1 or units[o]["files"] == 0 or units[o]["fleeing"] == 1:
                continue
            known = False
            for k in range(len(contacts)):
                if contacts[k]["a"] == u and contacts[k]["b"] == o:
                    known = True
            if not known:
                if not are_in_contact(parts, units, u, o, 0.0):
                    continue
                meet_pair(units, contacts, u, o, 0, 0.0)
            units[u]["fights"] += 1
            units[o]["fights"] += 1
    for u in range(len(units)):
        if units[u]["fights"] == 0:
            units[u]["rounds"] = 0


@kernel
def gap_to_enemies(parts: Array, units: Array, u: int) -> float:
    """Inches between a unit and the nearest enemy on the table; inf: there is none."""
    best = float("inf")
    for other in range(len(units)):
        if units[other]["owner"] != units[u]["owner"] and units[other]["place"] == ON_TABLE:
            best = min(best, block_distance(parts, units, u, other))
    return best


# ---------------------------------------------------------------- for procedures


def meet(g: BattleCore) -> None:
    """Bring ``contacts`` and ``units.fights`` up to date after blocks have moved."""
    meet_all(g.parts.rows, g.units.rows, g.contacts.rows)


def meet_across(g: BattleCore, unit: int, foe: int, across: int, apart: float) -> None:
    """Enter the contact of two units that an obstacle keeps ``apart`` inches from each other; ``across``: the number of
    the defended obstacle, counted from 1, 0: none (wap.terrain.obstacle.defended.contact). ``meet`` must follow.
    """
    one, other = (unit, foe) if g.units.owner[unit] == 0 else (foe, unit)
    meet_pair(g.units.rows, g.contacts.rows, one, other, across, apart)


def forget(g: BattleCore, unit: int) -> None:
    """Remove the contacts of a unit, with their sides. ``meet`` must follow."""
    rows = g.contacts.rows
    mine = (rows["a"] == unit) | (rows["b"] == unit)
    for column in rows.dtype.names or ():
        rows[column][mine] = -1 if column in ("a", "b") else 0


def rows_of(g: BattleCore, unit: int) -> list[int]:
    """Rows of the contacts of a unit."""
    c = g.contacts
    return rows_with(c.a, unit) or rows_with(c.b, unit)  # all rows of a unit have it in the same column


def block_of(g: BattleCore, unit: int) -> int:
    """The unit in whose block a unit stands: the one that it has joined, or itself."""
    return g.units.bodyguard[unit] if g.units.place[unit] == ATTACHED else unit


def is_one_model(g: BattleCore, unit: int) -> bool:
    """Whether a block is a single model: also nobody stands beside it whose base does not fit
    (wap.character.base.misfit).
    """
    return g.units.block[unit] == 1 and g.units.wider[unit] == 0.0


def row_between(g: BattleCore, unit: int, other: int) -> int:
    """The row of the contact of two units, or of the units that they have joined; -1: they are not in contact."""
    c, unit, other = g.contacts, block_of(g, unit), block_of(g, other)
    for one, two in ((unit, other), (other, unit)):
        for k in rows_with(c.a, one):
            if c.b[k] == two:
                return k
    return -1


def apart_from(g: BattleCore, unit: int, other: int) -> float:
    """Inches that an obstacle keeps between two units in contact; 0: they touch."""
    k = row_between(g, unit, other)
    return float(g.contacts.apart[k]) if k >= 0 else 0.0


def foes_of(g: BattleCore, unit: int) -> list[int]:
    """The enemy units in contact with a unit, in the order of their rows."""
    c = g.contacts
    return sorted(c.b[k] if c.a[k] == unit else c.a[k] for k in rows_of(g, unit))


def side_towards(g: BattleCore, unit: int, other: int) -> int:
    """The side of a unit's block at which an enemy in contact with it stands; a building has no flanks and no rear.

    Raises:
        LookupError: they are not in contact.
    """
    k, c, unit = row_between(g, unit, other), g.contacts, block_of(g, unit)
    if k < 0:
        raise LookupError(f"units {unit} and {other} are not in contact")
    if g.units.garrison[unit] >= 0:
        return FRONT
    return c.side_a[k] if c.a[k] == unit else c.side_b[k]


def sides_engaged(g: BattleCore, unit: int) -> set[int]:
    """The sides of a unit's block at which enemies stand."""
    return {side_towards(g, unit, foe) for foe in foes_of(g, unit)}


def combat_of(g: BattleCore, unit: int) -> list[int]:
    """All units linked with a unit through contact, itself included, in the order of their rows
    (wap.multi.definition). An assault of a building is a combat of its own.
    """
    opponent = opponent_in_assault(g, unit)
    if opponent >= 0:
        return sorted((unit, opponent))
    found, left = {unit}, [unit]
    while left:
        for foe in foes_of(g, left.pop()):
            if foe not in found and g.units.garrison[foe] < 0:
                found.add(foe)
                left.append(foe)
    return sorted(found)


def wounds_by(g: BattleCore, unit: int, target: int) -> int:
    """Wounds that a unit has caused to an enemy in this round (wap.combat.casualties.tally)."""
    k, c = row_between(g, unit, target), g.contacts
    if k < 0:
        return 0
    return c.wounds_a[k] if c.a[k] == unit else c.wounds_b[k]


def tally(g: BattleCore, unit: int, target: int, wounds: int) -> None:
    """Add wounds that a unit has caused to an enemy in this round to the unit's count and, while they are in contact,
    to the pair's.
    """
    g.units.dealt[unit] += wounds
    k, c = row_between(g, unit, target), g.contacts
    if k >= 0 and c.a[k] == unit:
        c.wounds_a[k] += wounds
    elif k >= 0:
        c.wounds_b[k] += wounds


def forget_wounds(g: BattleCore, units: Sequence[int]) -> None:
    """Set the wounds that these units have caused to 0, as a round of close combat begins."""
    for unit in units:
        g.units.dealt[unit] = 0
        for k in rows_of(g, unit):
            g.contacts.wounds_a[k] = g.contacts.wounds_b[k] = 0


@kernel
def touches_block(models: Array, parts: Array, units: Array, k: int, o: int, apart: float) -> bool:
    """Whether model ``k`` touches the block of unit ``o``, or is ``apart`` inches from it at an obstacle."""
    for j in range(units[o]["first_part"], units[o]["first_part"] + PARTS):
        if parts[j]["on_table"] == 1 and part_gap(models[k], parts[j]) <= TOUCH + apart:
            return True
    return False


@kernel
def touches_model(models: Array, k: int, n: int, apart: float) -> bool:
    """Whether two models on the table touch, or are ``apart`` inches from each other at an obstacle."""
    there = models[k]["on_table"] == 1 and models[n]["on_table"] == 1
    return bool(there and part_gap(models[k], models[n]) <= TOUCH + apart)
