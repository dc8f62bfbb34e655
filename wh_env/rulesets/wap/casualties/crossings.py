"""Which models of a unit that moves, and of the characters in it, cross terrain that is dangerous to them, or of which
the rules ask whether it was crossed (wap.terrain.dangerous.test): one test for each model and each feature on its way.

Each leg sets in ``models.crossed`` the bits of the features that the bases touch: the noted features of the table
(``field.dangerous``), in order. A straight leg is judged by the rectangle that a base sweeps, a wheel by its pose
every tenth of an inch.
"""

from __future__ import annotations

from math import ceil, cos, hypot, sin
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.rects import rect_gap
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.by_magic import functions_of
from wh_env.rulesets.wap.basics.carried import show_givers
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.effects import begin_again
from wh_env.rulesets.wap.basics.ground import Ground, features_of, is_partly_in, pieces_for, with_trait
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.casualties.casualties import suffer_together
from wh_env.rulesets.wap.casualties.dangerous_ground import dangerous_wounds
from wh_env.rulesets.wap.casualties.losses import losses_of, order_of_loss
from wh_env.rulesets.wap.codes import DANGEROUS, MARCHED
from wh_env.rulesets.wap.field.dangerous import How, is_at_home, is_endangered, must_test, noted_features
from wh_env.rulesets.wap.morale.panic_causes import blame, ground_source
from wh_env.rulesets.wap.rule_book import STRIDER
from wh_env.rulesets.wap.ways.poses import Pose

FEATURES = 31  # bits of the column; a battlefield has no more noted features
FINE = 0.1  # inches that a base travels between two checks of a wheel


class Leg(NamedTuple):
    """One leg of a move: ``far`` inches straight on if ``side`` is 0, else a wheel by ``angle`` radians about the left
    (+1) or right (-1) corner of a front edge of ``front`` inches.
    """

    far: float
    side: float = 0.0
    angle: float = 0.0
    front: float = 0.0


@kernel
def cross(
    models: Array,
    first: int,
    last: int,
    unit: Array,
    x: float,
    y: float,
    f: float,
    leg: Leg,
    ground: Array,
    corners: Array,
) -> None:
    """Set, in column ``crossed`` of the models ``first`` .. ``last`` - 1, the bit of every noted feature that the
    model touches during one leg from the pose (x, y, f). ``unit``: the row of the unit whose block the models stand in.
    """
    far, side, angle, front = leg
    c = cos(f)
    s = sin(f)
    cx, cy = on_table_at(x, y, f, 0.0, 0.5 * side * front)
    bit = -1
    before = -1
    for b in range(len(ground)):
        piece = ground[b]
        if piece["passage"] != DANGEROUS:
            continue
        if piece["feature"] != before:
            before = piece["feature"]
            bit += 1
        if bit >= FEATURES:
            return
        for k in range(first, last):
            m = models[k]
            if m["on_table"] == 0 or (m["crossed"] >> bit) & 1:
                continue
            # the model in the frame of the block where it stands now
            px = m["x"] - unit["x"]
            py = m["y"] - unit["y"]
            u = cos(unit["facing"]) * px + sin(unit["facing"]) * py
            v = cos(unit["facing"]) * py - sin(unit["facing"]) * px
            a = m["half_a"]
            w = m["half_b"]
            if side == 0.0:
                qx = x + c * (u + 0.5 * far) - s * v
                qy = y + s * (u + 0.5 * far) + c * v
                if rect_gap(qx, qy, f, a + 0.5 * far, w, corners, piece["first"], piece["count"]) <= 0.0:
                    m["crossed"] |= 1 << bit
                continue
            qx = x + c * u - s * v - cx
            qy = y + s * u + c * v - cy
            steps = ceil(angle * hypot(qx, qy) / FINE) + 1
            for n in range(steps + 1):
                t = side * angle * n / steps
                rx = cx + cos(t) * qx - sin(t) * qy
                ry = cy + sin(t) * qx + cos(t) * qy
                if rect_gap(rx, ry, f + t, a, w, corners, piece["first"], piece["count"]) <= 0.0:
                    m["crossed"] |= 1 << bit
                    break


def forget(g: BattleCore, unit: int) -> None:
    """Clear ``crossed`` of all models of a unit, at the start of its move."""
    casting = with_trait(g, "casts")
    if casting:
        g.wizards.in_light[unit] = any(is_partly_in(g, unit, ground) for ground in casting)
    if g.work.ways.dangerous:
        for first, last in models_of(g, unit):
            g.models.rows["crossed"][first:last] = 0


def sets_out(g: BattleCore, unit: int) -> None:
    """A unit sets out on a move or a charge: an item by which the ground that it stands in does not slow it comes to
    light (wap.army.list.hidden).
    """
    slow = with_trait(g, "slows") if g.setup.statics["secrets"] else ()
    if any(is_partly_in(g, block_of(g, unit), ground) and is_at_home(g, unit, ground) for ground in slow):
        show_givers(g, unit, STRIDER)


def goes_freely(g: BattleCore, row: int, ground: Ground, how: How) -> None:
    """A unit has gone through a feature and takes no test: an item by which it needs none, or by which it has marched
    there, comes to light (wap.army.list.hidden).
    """
    marched = how is How.FAST and g.units.did[block_of(g, row)] & MARCHED
    if is_endangered(g, row, ground, how) or (marched and ground.traits.no_march):
        show_givers(g, row, STRIDER)


def models_of(g: BattleCore, unit: int) -> list[tuple[int, int]]:
    """The models of a unit, and of each character in it: the first row and one past the last, for each of them."""
    u = g.units
    return [(u.first[row], (u.first[row] + u.count[row])) for row in wholly(g, unit)]


def goes_straight(g: BattleCore, unit: int, pose: Pose, far: float) -> None:
    """Mark the features that the unit's models cross on a planned leg straight ahead, ``far`` inches from a pose."""
    if g.work.ways.dangerous:
        ground = ground_on_way(g, unit)
        for models in models_of(g, unit):
            cross(g.models.rows, *models, g.units.rows[unit], *pose, Leg(far), ground, g.setup.corners)


def wheels(g: BattleCore, unit: int, pose: Pose, side: float, angle: float, front: float) -> None:
    """Mark the features that the unit's models cross in a planned wheel by ``angle`` radians to ``side``."""
    if g.work.ways.dangerous and angle > 0.0:
        ground, leg = ground_on_way(g, unit), Leg(0.0, side, angle, front)
        for models in models_of(g, unit):
            cross(g.models.rows, *models, g.units.rows[unit], *pose, leg, ground, g.setup.corners)


def stands_here(g: BattleCore, unit: int) -> None:
    """Mark the features that the unit's models stand on: where it lands, and where any other move than those above has
    led.
    """
    u = g.units
    if g.work.ways.dangerous and u.place[unit] == ON_TABLE:
        goes_straight(g, unit, (u.x[unit], u.y[unit], u.facing[unit]), 0.0)


def comes_across(g: BattleCore, unit: int, feature: int) -> None:
    """Mark a feature for all models of a unit that charges an enemy on its other side
    (wap.terrain.obstacle.dangerous).
    """
    for bit, ground in enumerate(noted_features(g)):
        if ground.row == feature:
            for first, last in models_of(g, unit):
                g.models.rows["crossed"][first:last] |= 1 << bit


def ground_on_way(g: BattleCore, unit: int) -> Array:
    """The pieces of terrain that ``cross`` is given for a unit. A unit that is narrow enough for a bridge does not
    cross the river below it (wap.terrain.river.crossing).
    """
    statics = g.setup.statics
    ground: Array = statics["ground"]
    if not any(item.fords for item in noted_features(g)):
        return ground
    return np.concatenate([pieces_for(g, unit, item) for item in features_of(g)])


def gain_from_crossing(g: BattleCore, unit: int) -> None:
    """A unit that has moved through ground has what that gives until the next player's turn ends, counted from the
    last time; ground that it has entered may cast a spell on it (wap.terrain.river.necrotic-ooze.poison, .blood,
    .light).
    """
    for bit, ground in enumerate(noted_features(g)):
        comes_in = ground.traits.casts and not g.wizards.in_light[unit]
        if comes_in or ground.traits.gives_crossing:
            crossed = (g.models.crossed[k] for first, last in models_of(g, unit) for k in range(first, last))
            if not any(bits >> bit & 1 for bits in crossed):
                continue
            if ground.traits.gives_crossing:
                begin_again(g, g.setup.statics["crossing_effects"][ground.row], unit, g.clock.turn[0])
            if comes_in:
                functions_of(g).has_entered(g, unit, ground)


def test_for_all(g: BattleCore, unit: int, how: How) -> None:
    """After a move, each model that has crossed a feature which is dangerous to it tests, feature by feature. A model
    that an earlier feature has removed does not test again. Characters in the unit test after its own models.
    """
    if not g.work.ways.dangerous:
        return
    gain_from_crossing(g, unit)
    rows, crossed = wholly(g, unit), g.models.crossed
    wounds = dict.fromkeys(rows, 0)
    for bit, ground in enumerate(noted_features(g)):
        for row in rows:
            before = losses_of(g, row, wounds[row])
            testing = sum(crossed[k] >> bit & 1 for k in order_of_loss(g, row)[before:])
            if testing and must_test(g, row, ground, how):
                wounds[row] += dangerous_wounds(g, row, testing, feature=ground.row, before=wounds[row])
                blame(g, row, ground_source(g, ground.row), losses_of(g, row, wounds[row]) - before)
            elif testing and g.setup.statics["secrets"]:
                goes_freely(g, row, ground, how)
    suffer_together(g, wounds)
