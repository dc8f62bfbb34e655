"""Which models of a unit may shoot at a target: those of the first two ranks that see and reach it (wap.shoot.target,
.two-ranks, .range, .some-cannot).
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, Array
from wh_env.rulesets.wap.basics.attacks import shots_of
from wh_env.rulesets.wap.basics.blocks import distance, part_gap
from wh_env.rulesets.wap.basics.combined_unit import has, units_within
from wh_env.rulesets.wap.basics.contacts import sides_engaged
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import is_inside, windows_of
from wh_env.rulesets.wap.basics.quarters import find_quarters, quarter_of
from wh_env.rulesets.wap.basics.sight import fill_within, find_who_see
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.codes import CHARIOT, MONSTER, SHOT
from wh_env.rulesets.wap.movement.aftermath import barred_by_deeds, barred_from_shooting, counts_as_moved
from wh_env.rulesets.wap.rule_book import MOVE_OR_FIRE
from wh_env.rulesets.wap.special.light_troops import is_skirmishing
from wh_env.rulesets.wap.tables import PARTS
from wh_env.rulesets.wap.ways.poses import middle_of
from wh_env.rulesets.wap.weapons.arms import Weapon, outfit_of

EVERY = 1 << 20  # a number of ranks: all of them
ENDLESS = 1e9  # inches of an unlimited range


@inner_kernel
def base_gap(parts: Array, units: Array, base: Array, target: int) -> float:
    """Inches between a rectangle ``base`` and the nearest rectangle of unit ``target``."""
    best = ENDLESS
    for k in range(units[target]["first_part"], units[target]["first_part"] + PARTS):
        if parts[k]["on_table"] == 1:
            best = min(best, part_gap(base, parts[k]))
    return best


@inner_kernel
def target_gap(models: Array, parts: Array, units: Array, base: Array, target: int) -> float:
    """``base_gap`` to a target: a unit, or a character in one, who is where his own base is
    (wap.character.shooting.different-type).
    """
    if units[target]["place"] == ATTACHED:
        return part_gap(base, models[units[target]["first"]])
    return base_gap(parts, units, base, target)


@inner_kernel
def put_base(model: Array, base: Array) -> None:
    """Write the rectangle of a model's base to ``base``."""
    base["x"] = model["x"]
    base["y"] = model["y"]
    base["facing"] = model["facing"]
    base["half_a"] = model["half_a"]
    base["half_b"] = model["half_b"]


@kernel
def find_gaps(models: Array, units: Array, parts: Array, rows: Array, target: int, base: Array, gaps: Array) -> None:
    """Write to ``gaps`` the inches from each of the models ``rows`` to the nearest base of a target."""
    for n in range(len(rows)):
        m = models[rows[n]]
        put_base(m, base[0])
        gaps[n] = target_gap(models, parts, units, base[0], target)


def gaps_to(g: BattleCore, target: int, rows: list[int]) -> list[float]:
    """Inches from each of the models ``rows`` to the nearest base of a target (wap.shoot.range)."""
    gaps, base = np.zeros(len(rows)), np.zeros(1, g.parts.rows.dtype)
    g.work.call(find_gaps, g.models.rows, g.units.rows, g.parts.rows, np.array(rows, np.int64), target, base, gaps)
    return [float(gap) for gap in gaps]


def distance_to(g: BattleCore, unit: int, target: int) -> float:
    """Inches from the block of a unit to a target: a unit, or a character in one, whose own base counts."""
    if g.units.place[target] == ATTACHED:
        return gaps_to(g, unit, [g.units.first[target]])[0]
    return float(distance(g, unit, target))


def block_of(g: BattleCore, unit: int) -> int:
    """The unit in whose block a unit stands: its own, or for a character in a unit the latter."""
    return g.units.bodyguard[unit] if g.units.place[unit] == ATTACHED else unit


def shooters_in(g: BattleCore, unit: int) -> list[int]:
    """The unit itself and the characters in it, as far as they have missile weapons (wap.shoot.one-attack)."""
    armed = g.setup.statics["missiles"]
    return [row for row in units_within(g, unit) if armed[row]]


def own_row(g: BattleCore, model: int) -> int:
    """The row of the unit that a model belongs to in the army list, even if it stands in another."""
    row: int = g.models.unit[model]
    return row


def who_bears(g: BattleCore, unit: int, weapon: Weapon) -> Array:
    """By unit (bool), whether its models have the missile weapon and may use it. A unit, or a character in it, must
    have it.
    """
    within = units_within(g, unit)
    whose = next(row for row in within if weapon in outfit_of(g, row).missiles)
    found: Array = g.setup.statics["bearers"][whose][outfit_of(g, whose).missiles.index(weapon)]
    spent = [row for row in within if found[row] and has_spent_himself(g, row, weapon)]
    if not spent:
        return found
    able = found.copy()
    able[spent] = False
    return frozen(able)


def has_spent_himself(g: BattleCore, character: int, weapon: Weapon) -> bool:
    """Whether a character's own move, before he joined the unit that he is in, keeps him from shooting with a weapon: a
    march, or any move with a weapon that is moved or fired (wap.move.march.no-shooting, wap.special.move-or-fire).
    """
    if g.units.place[character] != ATTACHED:
        return False
    heavy = weapon.has(MOVE_OR_FIRE) or has(g, character, MOVE_OR_FIRE)
    stuck = heavy and counts_as_moved(g, character) and not outfit_of(g, character).mounted
    return stuck or bool(barred_by_deeds(g, character))


def bears(g: BattleCore, model: int, weapon: Weapon) -> bool:
    """Whether a model has the missile weapon and can shoot."""
    row = own_row(g, model)
    return shots_of(g, model) > 0 and weapon in outfit_of(g, row).missiles and not has_spent_himself(g, row, weapon)


@inner_kernel
def in_front_of(models: Array, unit: Array, rows: Array, n: int, model: int, seeing: Array) -> int:
    """The model of the front rank, among the first ``n`` of ``rows``, that stands before model ``model``; -1: none. If
    it overlaps two equally, the one that sees the target.
    """
    c = cos(unit["facing"])
    s = sin(unit["facing"])
    wide = 2.0 * unit["base_b"]
    m = models[model]
    best = EPS
    found = -1
    for at in range(n):
        other = rows[at]
        o = models[other]
        if o["rank"] != 0:
            continue
        shared = wide - abs(c * (o["y"] - m["y"]) - s * (o["x"] - m["x"]))
        if shared > best + EPS or (found >= 0 and abs(shared - best) <= EPS and seeing[other] and not seeing[found]):
            best = shared
            found = other
    return found


@kernel
def find_eyes(
    models: Array, units: Array, u: int, ranks: int, others: bool, seeing: Array, rows: Array, eyes: Array
) -> int:  # fmt: skip
    """Write to ``rows`` the models of unit ``u`` and of the characters in it, and to ``eyes`` the model through whose
    eyes each sees; -1: it does not see. Returns how many models there are.

    A model of the front rank uses its own eyes. One of the next ``ranks`` ranks uses those of the model before it; if
    that sees nothing and ``others`` is set, those of any model of the front rank. ``seeing``: whether each model sees
    the target.
    """
    n = fill_within(units, models, u, True, rows)
    some = -1
    for at in range(n - 1, -1, -1):
        k = rows[at]
        eyes[at] = -1
        if models[k]["rank"] == 0 and seeing[k]:
            eyes[at] = k
            some = k
    for at in range(n):
        rank = models[rows[at]]["rank"]
        if rank < 1 or rank > ranks or some < 0:
            continue
        ahead = in_front_of(models, units[u], rows, n, rows[at], seeing)
        if ahead >= 0 and seeing[ahead]:
            eyes[at] = ahead
        elif others:
            eyes[at] = some
    return n


@kernel
def keep_shooters(
    models: Array,
    units: Array,
    parts: Array,
    lines: Array,
    target: int,
    armed: Array,
    far: float,
    n: int,
    rows: Array,
    eyes: Array,
    base: Array,
) -> int:
    """Of the first ``n`` rows of ``rows`` and ``eyes``, keep the models that see, have the weapon, can shoot, and have
    the target within ``far`` inches. Returns how many. ``armed``: by unit (bool), whether its models have the
    weapon.
    """
    kept = 0
    for at in range(n):
        m = models[rows[at]]
        if eyes[at] < 0 or not armed[m["unit"]] or lines[m["line"]]["bs"] == 0:
            continue
        put_base(m, base[0])
        if target_gap(models, parts, units, base[0], target) <= far:
            rows[kept] = rows[at]
            eyes[kept] = eyes[at]
            kept += 1
    return kept


def fires_all_round(g: BattleCore, unit: int, weapon: Weapon) -> bool:
    """Whether a weapon can be fired to all sides: by riders or crew of a monster or a chariot, or out of a building. A
    weapon fixed to these only shoots ahead (wap.troop.monster.shooting, wap.troop.chariot.shooting,
    wap.building.shooting.from).
    """
    if is_inside(g, unit):
        return True
    return g.units.kind[unit] in (MONSTER, CHARIOT) and outfit_of(g, unit).ridden and not weapon.attached


def look(g: BattleCore, unit: int, target: int, all_round: bool) -> int:
    """Write ``eyes_of`` to ``work.sights``: ``rows``, and ``eyes`` with -1 for models that see nothing. Returns the
    number of rows.
    """
    work = g.work.sights
    if not find_who_see(g, unit, target, all_round=all_round, joined=True):
        return 0
    loose = is_skirmishing(g, unit)
    return int(
        g.work.call(
            find_eyes,
            g.models.rows,
            g.units.rows,
            unit,
            EVERY if loose else 1,
            loose,
            work.seeing,
            work.rows,
            work.eyes,
        )
    )


def told(g: BattleCore, n: int) -> dict[int, int]:
    """The first ``n`` rows that ``look`` has written, as a mapping from each model that sees to the model through whose
    eyes it does. Models that use their own eyes come first.
    """
    work = g.work.sights
    eyes = [(k, eye) for k, eye in zip(work.rows[:n].tolist(), work.eyes[:n].tolist(), strict=True) if eye >= 0]
    found = {k: eye for k, eye in eyes if eye == k}
    found.update((k, eye) for k, eye in eyes if eye != k)
    return found


def eyes_of(g: BattleCore, unit: int, target: int, *, all_round: bool = False) -> dict[int, int]:
    """The models that may shoot at a target, a unit or a character in one, by sight and front arc, each with the model
    through whose eyes it sees.

    A model of the second rank sees through the eyes of the one before it (wap.shoot.two-ranks). Skirmishers do not hide
    one another: all their ranks may shoot if the front rank sees the target (wap.special.skirmishers.line-of-sight).
    """
    return told(g, look(g, unit, target, all_round))


def count_shooters(g: BattleCore, unit: int, target: int, far: float, weapon: Weapon) -> int:
    """Write to ``work.sights`` the models of ``eyes_of`` that have the weapon and the target within ``far`` inches.
    Returns how many. A garrison shoots from the point of its building that is nearest to the target, with as many
    models as its windows have room for (wap.building.shooting.from, .five-per-storey).
    """
    inside = is_inside(g, unit)
    if inside and distance_to(g, unit, target) > far + EPS:
        return 0
    work, n = g.work, look(g, unit, target, fires_all_round(g, unit, weapon))
    if not n:
        return 0
    kept = int(
        g.work.call(
            keep_shooters,
            g.models.rows,
            g.units.rows,
            g.parts.rows,
            g.lines.rows,
            target,
            who_bears(g, unit, weapon),
            ENDLESS if inside else far + EPS,
            n,
            work.sights.rows,
            work.sights.eyes,
            work.block,
        )
    )
    return min(kept, windows_left(g, unit, target, far, weapon)) if inside else kept


def windows_left(g: BattleCore, unit: int, target: int, far: float, weapon: Weapon) -> int:
    """How many models of a garrison may shoot with a weapon that reaches ``far``: characters in it who shoot at the
    target with other weapons take places at its windows (wap.building.shooting.five-per-storey).
    """
    left = windows_of(g, unit)
    for row in shooters_in(g, unit):
        missiles = outfit_of(g, row).missiles
        if row == unit or weapon in missiles:
            continue
        reach = far if far == ENDLESS else max(other.range for other in missiles)
        left -= distance_to(g, unit, target) <= reach + EPS
    return max(0, left)


def shooters_at(g: BattleCore, unit: int, target: int, far: float, weapon: Weapon) -> dict[int, int]:
    """The models of ``eyes_of`` that have the weapon and the target within ``far`` inches (wap.shoot.some-cannot)."""
    return told(g, count_shooters(g, unit, target, far, weapon))


def may_shoot(g: BattleCore, unit: int) -> bool:
    """Whether a unit can still shoot in this Shooting phase (wap.shoot.who, .one-attack)."""
    u = g.units
    return bool(
        u.place[unit] == ON_TABLE
        and not u.fleeing[unit]
        and not u.did[unit] & SHOT
        and shooters_in(g, unit)
        and not engaged(g, unit)
        and not u.jammed[unit]
        and not u.ducks[unit]
        and not barred_from_shooting(g, unit)
    )


def quarters_of_models(g: BattleCore, unit: int, target: int) -> dict[int, int]:
    """The number of models of a unit in each quarter of a target."""
    rows = g.work.sights.rows
    n = find_quarters(g.models.rows, g.units.rows, unit, target, rows)
    sides = rows[:n].tolist()
    return {side: sides.count(side) for side in dict.fromkeys(sides)}


def may_be_singled_out(g: BattleCore, character: int, host: int) -> bool:
    """Whether shooters may aim at a character in a unit: he is of another troop type and has more Unit Strength than
    its models (wap.character.shooting.different-type).
    """
    u = g.units
    return u.kind[character] != u.kind[host] and u.each[character] > u.each[host]


def may_be_shot(g: BattleCore, unit: int, target: int) -> bool:
    """Whether a unit may aim at an enemy, or at a character in one, range and sight aside. An enemy in close
    combat may not be aimed at (wap.shoot.into-combat.barred), unless it is big enough and the unit is close to a side
    of it that is not in combat (wap.shoot.into-combat.close).
    """
    host = block_of(g, target)
    if g.units.place[host] != ON_TABLE or (host != target and not may_be_singled_out(g, target, host)):
        return False
    target = host
    if not engaged(g, target):
        return True
    rules = g.setup.rules
    if (
        unit_strength(g, target) < rules["close_quarters_strength"]
        or distance(g, unit, target) > rules["close_quarters"] + EPS
    ):
        return False
    u = g.units
    side = quarter_of(g, target, *middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit]))
    return side not in sides_engaged(g, target)
