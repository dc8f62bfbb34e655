"""What obstacles do to those who charge across them, and for those who defend them (wap.terrain.obstacle.types)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.rects import rect_gap
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.auras import is_of
from wh_env.rulesets.wap.basics.contacts import block_of, foes_of
from wh_env.rulesets.wap.basics.ground import Ground, distance_to, features_of, with_trait
from wh_env.rulesets.wap.basics.obstacles import CLOSE
from wh_env.rulesets.wap.basics.powers import Barrier
from wh_env.rulesets.wap.weapons.charged import held_at


@kernel
def find_touching(
    models: Array, first: int, last: int, pieces: Array, corners: Array, near: float, marks: Array
) -> int:  # fmt: skip
    """Mark in ``marks`` (bool) the models ``first`` .. ``last`` - 1 whose base is at most ``near`` inches from one of
    the pieces. Returns how many.
    """
    found = 0
    for k in range(first, last):
        m = models[k]
        marks[k - first] = False
        if m["on_table"] == 0:
            continue
        for b in range(len(pieces)):
            at, count = pieces[b]["first"], pieces[b]["count"]
            if rect_gap(m["x"], m["y"], m["facing"], m["half_a"], m["half_b"], corners, at, count) <= near:
                marks[k - first] = True
        found += marks[k - first]
    return found


def touching_of(g: BattleCore, row: int, ground: Ground) -> list[int]:
    """The models of a unit in base contact with a feature, without joined characters."""
    u = g.units
    first, last = u.first[row], u.first[row] + u.count[row]
    marks = np.zeros(u.count[row], np.bool_)
    g.work.call(find_touching, g.models.rows, first, last, ground.pieces, g.setup.corners, CLOSE, marks)
    return [first + n for n, mark in enumerate(marks.tolist()) if mark]


def barrier_against(g: BattleCore, unit: int, foe: int) -> Barrier | None:
    """The obstacle that ``foe`` defends against the charge of a unit, in the round of the charge; None: there is
    none.
    """
    number = held_at(g, unit, foe) if with_trait(g, "obstacle") else 0
    return features_of(g)[number - 1].traits.obstacle if number else None


def hitting_across(g: BattleCore, unit: int, target: int) -> int:
    """What is added to the dice to hit of a unit against ``target``: the penalty of an obstacle that it charges across,
    also for models that support (wap.terrain.obstacle.defended.penalty).
    """
    barrier = barrier_against(g, unit, target)
    return barrier.hitting if barrier is not None else 0


def frightens_at_obstacle(g: BattleCore, unit: int) -> bool:
    """Whether the block in which a unit stands causes Fear by the obstacle that it defends
    (wap.terrain.obstacle.ghost-fence).
    """
    if not with_trait(g, "obstacle"):
        return False
    block = block_of(g, unit)
    barriers = (barrier_against(g, foe, block) for foe in foes_of(g, block))
    return any(barrier is not None and barrier.frightens for barrier in barriers)


def is_slowed_at_obstacle(g: BattleCore, unit: int) -> bool:
    """Whether the models of a unit have half their Initiative at an obstacle that their block touches
    (wap.terrain.obstacle.blessed-bulwark).
    """
    for ground in with_trait(g, "obstacle"):
        barrier = ground.traits.obstacle
        if barrier is not None and barrier.slows and is_of(g, unit, barrier.slows):
            if distance_to(g, block_of(g, unit), ground) <= CLOSE:
                return True
    return False
