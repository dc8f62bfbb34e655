"""Who may shoot at whom: models of two ranks that see a target and reach it (wap.shoot.target, .two-ranks, .range, .some-cannot)."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.attacks import shots_of
from wh_env.rulesets.wap.basics.blocks import distance, part_gap
from wh_env.rulesets.wap.basics.contacts import sides_engaged
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.quarters import quarter_of
from wh_env.rulesets.wap.basics.sight import fill_within, find_who_see
from wh_env.rulesets.wap.basics.special_rules import units_within
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.codes import CHARIOT, MONSTER, SHOT
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting
from wh_env.rulesets.wap.movement.going import middle_of
from wh_env.rulesets.wap.special.light_troops import is_skirmishing
from wh_env.rulesets.wap.tables import PARTS
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


@kernel
def find_gaps(models: Array, units: Array, parts: Array, rows: Array, target: int, base: Array, gaps: Array) -> None:
    """Write the distance of each of the models ``rows`` from the nearest base of unit ``target`` to ``gaps``."""
    for n in range(len(rows)):
        m = models[rows[n]]
        base[0]["x"] = m["x"]
        base[0]["y"] = m["y"]
        base[0]["facing"] = m["facing"]
        base[0]["half_a"] = m["half_a"]
        base[0]["half_b"] = m["half_b"]
        gaps[n] = base_gap(parts, units, base[0], target)


def gaps_to(g: BattleCore, target: int, rows: list[int]) -> list[float]:
    """Inches from the base of each of some models of a unit to the nearest base of a target (wap.shoot.range)."""
    gaps, base = np.zeros(len(rows)), np.zeros(1, g.parts.rows.dtype)
    g.work.call(find_gaps, g.models.rows, g.units.rows, g.parts.rows, np.array(rows, np.int64), target, base, gaps)
    return [float(gap) for gap in gaps]


def own_row(g: BattleCore, model: int) -> int:
    """The row of the unit that a model belongs to in the army list, whichever it stands in."""
    u, unit = g.units, g.models.unit[model]
    return next(row for row in units_within(g, unit) if u.first[row] <= model < u.first[row] + u.count[row])


def bears(g: BattleCore, model: int, weapon: Weapon) -> bool:
    """Whether a model can shoot with a missile weapon."""
    return shots_of(g, model) > 0 and weapon in outfit_of(g, own_row(g, model)).missiles


@inner_kernel
def in_front_of(models: Array, unit: Array, rows: Array, n: int, model: int, seeing: Array) -> int:
    """Which of the front rank, of the first ``n`` of ``rows``, stands before one of the second, -1: none; where it overlaps two alike, the one that sees the
    target."""
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
    """Write to ``rows`` the models of unit ``u`` and of the characters in it and to ``eyes`` through whose eyes each sees, -1: it does not: its own, behind the
    front rank, as far as so many ranks, those of who stands before it, or if ``others`` any of the front rank. Returns how many."""
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


def fires_all_round(g: BattleCore, unit: int, weapon: Weapon) -> bool:
    """Whether riders or crew shoot to all sides with a weapon; what is fixed to a monster or a chariot only shoots ahead (wap.troop.monster.shooting,
    wap.troop.chariot.shooting)."""
    return g.units.kind[unit] in (MONSTER, CHARIOT) and outfit_of(g, unit).ridden and not weapon.attached


def eyes_of(g: BattleCore, unit: int, target: int, *, all_round: bool = False) -> dict[int, int]:
    """The models of the first two ranks that may shoot at a target as far as sight and front arc go, each with the model through whose eyes it sees:
    its own, or of the second rank those of the model before it (wap.shoot.two-ranks); skirmishers do not hide one another, so all ranks of them do where
    the front rank sees it (wap.special.skirmishers.line-of-sight)."""
    work = g.work.sights
    if not find_who_see(g, unit, target, all_round=all_round, joined=True):
        return {}
    loose = is_skirmishing(g, unit)
    n = g.work.call(
        find_eyes, g.models.rows, g.units.rows, unit, EVERY if loose else 1, loose, work.seeing, work.rows, work.eyes
    )
    eyes = [(k, eye) for k, eye in zip(work.rows[:n].tolist(), work.eyes[:n].tolist(), strict=True) if eye >= 0]
    found = {k: eye for k, eye in eyes if eye == k}  # the front rank first
    found.update((k, eye) for k, eye in eyes if eye != k)
    return found


def shooters_at(g: BattleCore, unit: int, target: int, far: float, weapon: Weapon) -> dict[int, int]:
    """Those of them who have a missile weapon and the target within so many inches (wap.shoot.some-cannot)."""
    found = eyes_of(g, unit, target, all_round=fires_all_round(g, unit, weapon))
    eyes = {k: eye for k, eye in found.items() if bears(g, k, weapon)}
    rows = list(eyes)
    if not rows:
        return {}
    return {k: eyes[k] for k, gap in zip(rows, gaps_to(g, target, rows), strict=True) if gap <= far + EPS}


def may_shoot(g: BattleCore, unit: int) -> bool:
    """Whether a unit can shoot at anybody in this Shooting phase (wap.shoot.who, .one-attack)."""
    u = g.units
    return bool(
        u.place[unit] == ON_TABLE
        and g.setup.statics["missiles"][unit]
        and not u.fleeing[unit]
        and not engaged(g, unit)
        and not u.did[unit] & SHOT
        and not barred_from_shooting(g, unit)
    )


def quarters_of_models(g: BattleCore, unit: int, target: int) -> dict[int, int]:
    """How many models of a unit stand in each quarter of a target."""
    m, found = g.models, dict[int, int]()
    for k in g.members(unit):
        side = quarter_of(g, target, m.x[k], m.y[k])
        found[side] = found.get(side, 0) + 1
    return found


def may_be_shot(g: BattleCore, unit: int, target: int) -> bool:
    """Whether an enemy may be aimed at at all: it is not in close combat (wap.shoot.into-combat.barred), or the unit stands so close to a side of it at
    which nobody fights that it may try (wap.shoot.into-combat.close)."""
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
