"""Which models of a unit that marches, and of the characters in it, cross dangerous terrain
(wap.terrain.dangerous.test): one test for each model and each feature on its way.

Each leg sets in ``models.crossed`` the bits of the features that the bases touch: the first 31 dangerous features of
the table, in order. A straight leg is judged by the rectangle that a base sweeps, a wheel by its pose every tenth of an
inch.
"""

from __future__ import annotations

from math import ceil, cos, hypot, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.rects import rect_gap
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.casualties.casualties import suffer_together
from wh_env.rulesets.wap.casualties.losses import losses_of, order_of_loss
from wh_env.rulesets.wap.codes import DANGEROUS
from wh_env.rulesets.wap.field.dangerous import dangerous_wounds
from wh_env.rulesets.wap.morale.panic_causes import blame, ground_source
from wh_env.rulesets.wap.ways.poses import Pose

FEATURES = 31
FINE = 0.1  # inches that a base travels between two checks of a wheel


@kernel
def cross(
    models: Array, first: int, last: int, unit: Array, x: float, y: float, f: float, far: float, side: float,
    angle: float, front: float, ground: Array, corners: Array,
) -> None:  # fmt: skip
    """Set, in column ``crossed`` of the models ``first`` .. ``last`` - 1, the bit of every dangerous feature that the
    model touches during one leg from the pose (x, y, f).

    The leg is ``far`` inches straight on if ``side`` is 0, else a wheel by ``angle`` radians about the left (+1) or
    right (-1) front corner. ``unit``: the row of the unit whose block the models stand in. ``front``: its front edge,
    inches.
    """
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
    if g.work.ways.dangerous:
        for first, last in models_of(g, unit):
            g.models.rows["crossed"][first:last] = 0


def models_of(g: BattleCore, unit: int) -> list[tuple[int, int]]:
    """The models of a unit, and of each character in it: the first row and one past the last, for each of them."""
    u = g.units
    return [(u.first[row], (u.first[row] + u.count[row])) for row in wholly(g, unit)]


def goes_straight(g: BattleCore, unit: int, pose: Pose, far: float) -> None:
    """Mark the dangerous features that the unit's models cross on a planned leg straight ahead, ``far`` inches from a
    pose.
    """
    if g.work.ways.dangerous:
        ground = g.setup.statics["ground"]
        for models in models_of(g, unit):
            cross(g.models.rows, *models, g.units.rows[unit], *pose, far, 0.0, 0.0, 0.0, ground, g.setup.corners)


def wheels(g: BattleCore, unit: int, pose: Pose, side: float, angle: float, front: float) -> None:
    """Mark the dangerous features that the unit's models cross in a planned wheel by ``angle`` radians to ``side``."""
    if g.work.ways.dangerous and angle > 0.0:
        ground = g.setup.statics["ground"]
        for models in models_of(g, unit):
            cross(g.models.rows, *models, g.units.rows[unit], *pose, 0.0, side, angle, front, ground, g.setup.corners)


def dangerous_features(g: BattleCore) -> list[int]:
    """The dangerous features of the table, in the order of their bits in ``models.crossed``."""
    ground = g.setup.statics["ground"]
    return list(dict.fromkeys(ground["feature"][ground["passage"] == DANGEROUS].tolist()))


def test_for_all(g: BattleCore, unit: int) -> None:
    """After a march, each model that has crossed a dangerous feature tests, feature by feature. A model that an earlier
    feature has removed does not test again. Characters in the unit test after its own models.
    """
    if not g.work.ways.dangerous:
        return
    rows, crossed = wholly(g, unit), g.models.crossed
    wounds = dict.fromkeys(rows, 0)
    for bit, feature in enumerate(dangerous_features(g)[:FEATURES]):
        for row in rows:
            before = losses_of(g, row, wounds[row])
            testing = sum(crossed[k] >> bit & 1 for k in order_of_loss(g, row)[before:])
            if testing:
                wounds[row] += dangerous_wounds(g, row, testing)
                blame(g, row, ground_source(g, feature), losses_of(g, row, wounds[row]) - before)
    suffer_together(g, wounds)
