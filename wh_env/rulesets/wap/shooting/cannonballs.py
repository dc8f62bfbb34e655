"""The flight of a cannonball: where it comes down, whom it strikes while it bounces, and who stops it
(wap.machine.cannon.*, wap.core.template.line).
"""

from __future__ import annotations

from math import atan2, inf

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.corridor import clip_model, clip_polygon
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.stamps import base_at_point, keep_one_of_each_key, line_stamp
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.quarters import quarter_of
from wh_env.rulesets.wap.basics.scatter import MISFIRE, Throw, artillery_die
from wh_env.rulesets.wap.casualties.harm import UNHARMED, Harm
from wh_env.rulesets.wap.casualties.losses import losses_of
from wh_env.rulesets.wap.codes import IMPASSABLE, LEFT, RIGHT, TROOP_TYPES
from wh_env.rulesets.wap.shooting.aims import block_of
from wh_env.rulesets.wap.shooting.firing_points import engine_of, muzzle_of
from wh_env.rulesets.wap.shooting.hits import harm_to, hit_of_machine, lose, side_shot, wounds_from
from wh_env.rulesets.wap.shooting.misfires import misfire
from wh_env.rulesets.wap.shooting.templates import takers
from wh_env.rulesets.wap.shooting.templates_on_buildings import as_templates_meet
from wh_env.rulesets.wap.weapons.hit import Hit

# models whose mass stops a ball that does not slay them (wap.machine.cannon.stopped-by-big)
BIG = tuple(map(TROOP_TYPES.index, ("monstrous infantry", "monstrous cavalry", "monstrous beast", "monster")))
KEYS = 1 << 6  # more than the ranks or files of any unit


@kernel
def model_at(models: Array, x: float, y: float) -> int:
    """The model whose base contains (x, y), the nearest by its middle; -1: none."""
    return int(base_at_point(models, 0, len(models), x, y))


@kernel
def find_under_line(models: Array, x: float, y: float, f: float, length: float, points: Array, marks: Array) -> int:
    """Mark in ``marks`` (int8) the models under a thin line from (x, y) in direction ``f``; returns how many."""
    return int(line_stamp(models, 0, len(models), x, y, f, length, 0.0, points, marks))


@kernel
def keep_and_order(
    models: Array, x: float, y: float, f: float, length: float, keys: Array, best: Array, marks: Array, entered: Array
) -> int:
    """Keep one of the marked models for each of ``keys``, and write to ``entered`` the share of the line, from (x, y),
    after which it comes to each model (``inf``: it is not marked). Returns how many are kept.
    """
    found = int(keep_one_of_each_key(models, 0, len(models), x, y, f, length, keys, best, marks))
    bx, by = on_table_at(x, y, f, length, 0.0)
    for k in range(len(models)):
        entered[k] = inf
        if marks[k] != 0:
            entered[k] = clip_model(models, k, x, y, bx, by)[0]
    return found


@kernel
def free_way(ground: Array, corners: Array, x: float, y: float, f: float, length: float) -> float:
    """Inches that a ball bounces from (x, y) in direction ``f`` until impassable ground that hides what is behind it
    stops it, ``length`` at most (wap.machine.cannon.bounce.impassable).
    """
    bx, by = on_table_at(x, y, f, length, 0.0)
    free = 1.0
    for b in range(len(ground)):
        piece = ground[b]
        if piece["passage"] == IMPASSABLE and piece["sight"] > 0:
            t0, t1 = clip_polygon(corners, piece["first"], piece["count"], x, y, bx, by)
            if t0 <= t1:
                free = min(free, t0)
    return free * length


def fire_ball(g: BattleCore, unit: int, x: float, y: float, throw: Throw) -> None:
    """A cannon that points at (x, y) fires a ball at that spot (wap.machine.cannon.deviation, .misfire, .no-bs)."""
    die, number = throw
    if number == MISFIRE:
        misfire(g, unit)
        return
    x, y = die.scattered(x, y, number / 2)
    if g.recorder is not None:
        told = {"place": (x, y), "passed": die.hit, "far": 0.0 if die.hit else number / 2}
        g.note("wap.machine.cannon.deviation", "ball comes down", unit=unit, **told)
    mx, my = muzzle_of(g, unit)
    roll_on(g, unit, x, y, atan2(y - my, x - mx))


def roll_on(g: BattleCore, unit: int, x: float, y: float, f: float) -> None:
    """The ball has come down at (x, y) and bounces in direction ``f`` (wap.machine.cannon.bounce, .path)."""
    bounce = artillery_die(g)
    direct = struck_at(g, x, y)
    far = 0.0
    if bounce != MISFIRE:
        far = float(g.work.call(free_way, g.setup.statics["ground"], g.setup.corners, x, y, f, float(bounce)))
    if g.recorder is not None:
        g.note("wap.machine.cannon.bounce", "bounces", unit=unit, far=far, die=bounce)
    if bounce == MISFIRE:
        struck = [direct] if direct >= 0 else []
    else:
        struck = on_the_way(g, unit, x, y, f, far, direct)
    strike(g, unit, struck, direct)


def struck_at(g: BattleCore, x: float, y: float) -> int:
    """The model that a shot strikes where it comes down, in a building the first of its garrison; -1: none."""
    return int(g.work.call(model_at, as_templates_meet(g), x, y))


def on_the_way(g: BattleCore, unit: int, x: float, y: float, f: float, far: float, direct: int) -> list[int]:
    """The models that a ball strikes on its bounce, in order: one of each rank, or of each file of a unit in whose
    flank the cannon stands (wap.machine.cannon.one-per-rank). Of its rank, the model ``direct`` is the one.
    """
    m, count, models = g.models, len(g.models.x), as_templates_meet(g)
    marks, points = np.zeros(count, np.int8), np.zeros((4, 2))
    g.work.call(find_under_line, models, x, y, f, far, points, marks)
    if direct >= 0:
        marks[direct] = 1
    touched = np.flatnonzero(marks).tolist()
    keys = np.zeros(count, np.int64)
    flank = {block: is_in_flank(g, unit, block) for block in {block_of(g, m.unit[k]) for k in touched}}
    for k in touched:
        block = block_of(g, m.unit[k])
        keys[k] = block * KEYS + 1 + (m.file[k] if flank[block] else m.rank[k])
    for k in touched:
        if direct >= 0 and k != direct and keys[k] == keys[direct]:
            marks[k] = 0
    entered = np.zeros(count)
    best = np.zeros(len(g.units.owner) * KEYS + 1)
    g.work.call(keep_and_order, models, x, y, f, far, keys, best, marks, entered)
    return sorted(np.flatnonzero(marks).tolist(), key=lambda k: (k != direct, entered[k]))


def is_in_flank(g: BattleCore, unit: int, target: int) -> bool:
    """Whether a machine stands in a flank arc of a unit."""
    k = g.units.first[unit]
    return quarter_of(g, target, g.models.x[k], g.models.y[k]) in (LEFT, RIGHT)


def strike(g: BattleCore, unit: int, struck: list[int], direct: int) -> None:
    """Models take the hits of a ball, one after the other, until one stops it: a big model that is not slain, be it
    struck directly or by the bounce (wap.machine.cannon.damage, .stopped-by-big). A model of a unit is slain if the
    unit loses one by its hit.
    """
    machine = engine_of(g, unit)
    lost, sides = dict[int, Harm](), dict[int, int]()
    for k in struck:
        slain, taken = False, takers(g, k)
        for row, hits in taken.items():
            if row not in sides:
                sides[row] = side_shot(g, unit, block_of(g, row))
                lost[row] = UNHARMED
            hit = hit_of_machine(g, unit, row)._replace(takes=machine.direct if k == direct else machine.bounce)
            if g.recorder is not None:
                told = {"unit": unit, "target": row, "model": k, "amount": hits, "passed": k == direct}
                g.note("wap.machine.cannon.damage", "ball strikes", **told)
            slain |= is_slain_by(g, row, hits, hit, sides[row], unit, lost)
        if not slain and g.units.kind[g.models.unit[k]] in BIG:
            g.note("wap.machine.cannon.stopped-by-big", "stops the ball", unit=next(iter(taken)), model=k)
            break
    for row in sorted(lost, key=lambda other: (block_of(g, other) != other, other)):
        lose(g, row, lost[row], unit)


def is_slain_by(
    g: BattleCore, row: int, hits: int, hit: Hit, side: int, by: int, lost: dict[int, Harm]
) -> bool:  # fmt: skip
    """Roll ``hits`` hits on a unit and add what they cost it to ``lost[row]``, which it has not suffered yet.
    Returns whether a model falls to them.
    """
    before = lost[row].lost
    lost[row] = lost[row].and_then(harm_to(g, row, wounds_from(g, row, hits, hit, by), hit, side, before))
    return losses_of(g, row, lost[row].lost) > losses_of(g, row, before)
