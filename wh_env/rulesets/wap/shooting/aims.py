"""Who may shoot at whom: models of two ranks that see a target and reach it (wap.shoot.target, .two-ranks, .range,
.some-cannot).
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, Array
from wh_env.rulesets.wap.basics.attacks import shots_of
from wh_env.rulesets.wap.basics.blocks import distance, part_gap
from wh_env.rulesets.wap.basics.combined_unit import units_within
from wh_env.rulesets.wap.basics.contacts import sides_engaged
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.quarters import find_quarters, quarter_of
from wh_env.rulesets.wap.basics.sight import fill_within, find_who_see
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.codes import CHARIOT, MONSTER, SHOT
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting
from wh_env.rulesets.wap.special.light_troops import is_skirmishing
from wh_env.rulesets.wap.tables import PARTS
from wh_env.rulesets.wap.ways.poses import middle_of
from wh_env.rulesets.wap.weapons.arms import Weapon, outfit_of

EVERY = 1 << 20  # ranks: all of them
ENDLESS = 1e9  # inches: range does not matter


@inner_kernel
def base_gap(parts: Array, units: Array, base: Array, target: int) -> float:
    """Inches between one base and the nearest of a unit's."""
    best = ENDLESS
    for k in range(units[target]["first_part"], units[target]["first_part"] + PARTS):
        if parts[k]["on_table"] == 1:
            best = min(best, part_gap(base, parts[k]))
    return best


@inner_kernel
def put_base(model: Array, base: Array) -> None:
    """Write the rectangle on which a model stands."""
    base["x"] = model["x"]
    base["y"] = model["y"]
    base["facing"] = model["facing"]
    base["half_a"] = model["half_a"]
    base["half_b"] = model["half_b"]


@kernel
def find_gaps(models: Array, units: Array, parts: Array, rows: Array, target: int, base: Array, gaps: Array) -> None:
    """Write the distance of each of the models ``rows`` from the nearest base of unit ``target`` to ``gaps``."""
    for n in range(len(rows)):
        m = models[rows[n]]
        put_base(m, base[0])
        gaps[n] = base_gap(parts, units, base[0], target)


def gaps_to(g: BattleCore, target: int, rows: list[int]) -> list[float]:
    """Inches from the base of each of some models of a unit to the nearest base of a target (wap.shoot.range)."""
    gaps, base = np.zeros(len(rows)), np.zeros(1, g.parts.rows.dtype)
    g.work.call(find_gaps, g.models.rows, g.units.rows, g.parts.rows, np.array(rows, np.int64), target, base, gaps)
    return [float(gap) for gap in gaps]


def block_of(g: BattleCore, unit: int) -> int:
    """The unit in whose block a unit shoots: its own, a character's host."""
    return g.units.bodyguard[unit] if g.units.place[unit] == ATTACHED else unit


def shooters_in(g: BattleCore, unit: int) -> list[int]:
    """Rows of those in a block who have missile weapons: the unit itself, the characters in it
    (wap.shoot.one-attack).
    """
    armed = g.setup.statics["missiles"]
    return [row for row in units_within(g, unit) if armed[row]]


def own_row(g: BattleCore, model: int) -> int:
    """The row of the unit that a model belongs to in the army list, whichever it stands in."""
    row: int = g.models.unit[model]
    return row


def who_bears(g: BattleCore, unit: int, weapon: Weapon) -> Array:
    """By unit, whether its models have a missile weapon that a unit, or a character in it, has (bool)."""
    whose = next(row for row in units_within(g, unit) if weapon in outfit_of(g, row).missiles)
    found: Array = g.setup.statics["bearers"][whose][outfit_of(g, whose).missiles.index(weapon)]
    return found


def bears(g: BattleCore, model: int, weapon: Weapon) -> bool:
    """Whether a model can shoot with a missile weapon."""
    return shots_of(g, model) > 0 and weapon in outfit_of(g, own_row(g, model)).missiles


@inner_kernel
def in_front_of(models: Array, unit: Array, rows: Array, n: int, model: int, seeing: Array) -> int:
    """Which of the front rank, of the first ``n`` of ``rows``, stands before one of the second, -1: none; where it
    overlaps two alike, the one that sees the target.
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
    """Write to ``rows`` the models of unit ``u`` and of the characters in it and to ``eyes`` through whose eyes each
    sees, -1: it does not: its own, behind the front rank, as far as so many ranks, those of who stands before it, or if
    ``others`` any of the front rank. Returns how many.
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
    """Of the first ``n`` of ``rows`` and ``eyes`` keep those who see, have the weapon (``armed``: by unit, who has),
    can shoot, and have a base of the target within so many inches. Returns how many.
    """
    kept = 0
    for at in range(n):
        m = models[rows[at]]
        if eyes[at] < 0 or not armed[m["unit"]] or lines[m["line"]]["bs"] == 0:
            continue
        put_base(m, base[0])
        if base_gap(parts, units, base[0], target) <= far:
            rows[kept] = rows[at]
            eyes[kept] = eyes[at]
            kept += 1
    return kept


def fires_all_round(g: BattleCore, unit: int, weapon: Weapon) -> bool:
    """Whether riders or crew shoot to all sides with a weapon; what is fixed to a monster or a chariot only shoots
    ahead (wap.troop.monster.shooting, wap.troop.chariot.shooting).
    """
    return g.units.kind[unit] in (MONSTER, CHARIOT) and outfit_of(g, unit).ridden and not weapon.attached


def look(g: BattleCore, unit: int, target: int, all_round: bool) -> int:
    """``eyes_of``, written to ``work.sights``: ``rows`` and ``eyes``, -1 in the one where the other sees nothing.
    Returns how many models were asked.
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
    """What stands in the first ``n`` of these rows: the models that see, each with the one through whose eyes, the
    front rank first.
    """
    work = g.work.sights
    eyes = [(k, eye) for k, eye in zip(work.rows[:n].tolist(), work.eyes[:n].tolist(), strict=True) if eye >= 0]
    found = {k: eye for k, eye in eyes if eye == k}
    found.update((k, eye) for k, eye in eyes if eye != k)
    return found


def eyes_of(g: BattleCore, unit: int, target: int, *, all_round: bool = False) -> dict[int, int]:
    """The models of the first two ranks that may shoot at a target as far as sight and front arc go, each with the
    model through whose eyes it sees: its own, or of the second rank those of the model before it (wap.shoot.two-ranks);
    skirmishers do not hide one another, so all ranks of them do where the front rank sees it
    (wap.special.skirmishers.line-of-sight).
    """
    return told(g, look(g, unit, target, all_round))


def count_shooters(g: BattleCore, unit: int, target: int, far: float, weapon: Weapon) -> int:
    """Those of them who have a missile weapon and the target within so many inches, written as by ``look``; returns how
    many.
    """
    work, n = g.work, look(g, unit, target, fires_all_round(g, unit, weapon))
    if not n:
        return 0
    return int(
        g.work.call(
            keep_shooters,
            g.models.rows,
            g.units.rows,
            g.parts.rows,
            g.lines.rows,
            target,
            who_bears(g, unit, weapon),
            far + EPS,
            n,
            work.sights.rows,
            work.sights.eyes,
            work.block,
        )
    )


def shooters_at(g: BattleCore, unit: int, target: int, far: float, weapon: Weapon) -> dict[int, int]:
    """Those of them who have a missile weapon and the target within so many inches (wap.shoot.some-cannot)."""
    return told(g, count_shooters(g, unit, target, far, weapon))


def may_shoot(g: BattleCore, unit: int) -> bool:
    """Whether a unit can shoot at anybody in this Shooting phase (wap.shoot.who, .one-attack)."""
    u = g.units
    return bool(
        u.place[unit] == ON_TABLE
        and not u.fleeing[unit]
        and not u.did[unit] & SHOT
        and shooters_in(g, unit)
        and not engaged(g, unit)
        and not barred_from_shooting(g, unit)
    )


def quarters_of_models(g: BattleCore, unit: int, target: int) -> dict[int, int]:
    """How many models of a unit stand in each quarter of a target."""
    rows = g.work.sights.rows
    n = find_quarters(g.models.rows, g.units.rows, unit, target, rows)
    sides = rows[:n].tolist()
    return {side: sides.count(side) for side in dict.fromkeys(sides)}


def may_be_shot(g: BattleCore, unit: int, target: int) -> bool:
    """Whether an enemy may be aimed at at all: it is not in close combat (wap.shoot.into-combat.barred), or the unit
    stands so close to a side of it at which nobody fights that it may try (wap.shoot.into-combat.close).
    """
    if g.units.place[target] != ON_TABLE:
        return False
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
