"""Units that ground keeps near it: they leave its area only if they pass a Leadership test first, which their player is
asked about when they are chosen to charge or to move (wap.building.arcane.brewery.dwarfs).

A unit that stays, or fails, declares no charge in this turn and ends each part of its move within the area. Moves that
nobody chooses are free.
"""

from __future__ import annotations

from math import cos, hypot, sin

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, DecisionKind, Procedure, integer
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.auras import is_of, is_reached
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.ground import Ground, with_trait
from wh_env.rulesets.wap.basics.powers import Aura
from wh_env.rulesets.wap.codes import LEAVES, LINGERS
from wh_env.rulesets.wap.commands.follow_me import FAILED, LEAVE, PASSED, UNTESTED, take_test
from wh_env.rulesets.wap.movement.plans import planned
from wh_env.rulesets.wap.ways.poses import Pose, block_at, depth_of, lone, middle_of, wheeled_to

RULE = "wap.building.arcane.brewery.dwarfs"
Spot = tuple[float, float]


# ---------------------------------------------------------------- the area


def keepers(g: BattleCore, unit: int) -> list[tuple[Ground, Aura]]:
    """The features that keep a unit near them, with these auras."""
    auras = [(item, aura) for item in with_trait(g, "auras") for aura in item.traits.auras if aura.keeps]
    return [(item, aura) for item, aura in auras if is_of(g, unit, aura.only)]


def is_asked_to_linger(g: BattleCore, unit: int) -> bool:
    """Whether a unit stands in such an area, and its player has not said yet in this turn whether it tries to leave."""
    if not with_trait(g, "auras") or g.units.did[unit] & (LEAVES | LINGERS) or is_inside(g, block_of(g, unit)):
        return False
    block = block_of(g, unit)
    return any(is_reached(g, block, item, aura) for item, aura in keepers(g, unit))


def lingers(g: BattleCore, unit: int) -> bool:
    """Whether a unit must end its move within the area."""
    return bool(g.units.did[unit] & LINGERS)


def gap_to_side(x: float, y: float, a: Spot, b: Spot) -> float:
    """Inches from a point to the straight line between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = dx * dx + dy * dy
    t = 0.0 if along == 0.0 else min(1.0, max(0.0, ((x - a[0]) * dx + (y - a[1]) * dy) / along))
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy)


def gap_between(one: list[Spot], other: list[Spot]) -> float:
    """Inches between two outlines that do not overlap."""
    pairs = ((one, other), (other, one))
    return min(gap_to_side(*p, q[k - 1], q[k]) for corners, q in pairs for p in corners for k in range(len(q)))


def full_ranks_at(g: BattleCore, unit: int, pose: Pose) -> list[Spot]:
    """The corners of a unit's full ranks at a pose, inches; of its short rank if it has no other."""
    u = g.units
    files = max(1, min(u.files[unit], u.block[unit]))
    ranks, apart = max(1, u.block[unit] // files), u.spacing[unit]
    deep = ranks * (2.0 * u.base_a[unit] + apart) - apart
    half = 0.5 * (files * (2.0 * u.base_b[unit] + apart) - apart)
    x, y, facing = pose
    c, s = cos(facing), sin(facing)
    corners = ((0.0, half), (0.0, -half), (-deep, -half), (-deep, half))
    return [(x + c * ahead - s * aside, y + s * ahead + c * aside) for ahead, aside in corners]


def ends_near(g: BattleCore, unit: int, pose: Pose) -> bool:
    """Whether a unit is within the area at a pose, with its full ranks at least."""
    corners = full_ranks_at(g, unit, pose)
    return any(gap_between(corners, list(item.outline)) <= aura.inches + EPS for item, aura in keepers(g, unit))


def may_reform_near(g: BattleCore, unit: int) -> bool:
    """Whether a unit that lingers ends within the area however it reforms: its middle lies there."""
    middle = [middle_of(g, unit, *planned(g, unit))]
    return any(gap_between(middle, list(item.outline)) <= aura.inches + EPS for item, aura in keepers(g, unit))


def may_join_near(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a unit that a lingering character may join stands within the area."""
    return any(is_reached(g, unit, item, aura) for item, aura in keepers(g, character))


def keep_cells_near(
    g: BattleCore, unit: int, first: tuple[float, float, float], grid: int, facing: float, turns: Array, mask: Array
) -> None:
    """Take out of ``mask`` the cells of a grid at which a unit would be outside the area. ``first``: (x, y) of the
    first cell, and the step. ``facing``, ``turns``: of the unit before its way, and by how much it turns on the way
    to each cell, radians.
    """
    x0, y0, step = first
    for at in mask.nonzero()[0].tolist():
        x, y, f = x0 + at % grid * step, y0 + at // grid * step, facing + float(turns[at])
        pose = block_at(x, y, f, depth_of(g, unit)) if lone(g, unit) else (x, y, f)
        mask[at] = ends_near(g, unit, pose)


def wheels_near(g: BattleCore, unit: int, width: float, side: float, angle: float) -> bool:
    """Whether a unit ends within the area after a wheel from its planned pose by ``angle`` radians."""
    return ends_near(g, unit, wheeled_to(planned(g, unit), width, side, angle))


# ---------------------------------------------------------------- the question


class Lingers(Procedure):
    """A unit is chosen to charge or to move: its player says whether it tries to leave the area. What it does then is
    said by the classes derived from this one.
    """

    UNIT = integer(row_of("units"))
    TESTED = integer(between(UNTESTED, FAILED))
    asks = ("leave-area",)

    def goes_on(self, g: BattleCore, unit: int, leaves: bool) -> None:
        """The unit goes on with what it was chosen for; the frame is gone. ``leaves``: whether it may leave the
        area.
        """
        raise NotImplementedError

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the unit is near such ground."""
        return bool(g.stack[f + Lingers.TESTED] != UNTESTED or is_asked_to_linger(g, g.stack[f + Lingers.UNIT]))


def ask_to_linger(self: Lingers, g: BattleCore, f: int) -> int:
    """The ``advance`` of the procedures derived from ``Lingers``."""
    unit, tested = g.stack[f + Lingers.UNIT], g.stack[f + Lingers.TESTED]
    if tested == UNTESTED:
        return g.ask(LeaveArea, g.units.owner[unit], unit)
    g.pop()
    leaves = tested == PASSED
    g.units.did[unit] |= LEAVES if leaves else LINGERS
    self.goes_on(g, unit, leaves)
    return GO


class LeaveArea(DecisionKind):
    name = "leave-area"
    what = (
        "Whether a unit that ground keeps near it tries to leave its area, by a Leadership test; done: it stays within."
    )
    policy = "It tries."
    keys = (RULE,)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Lingers.UNIT]
        if not action:
            g.stack[f + Lingers.TESTED] = FAILED
            return
        least = min(aura.keeps for item, aura in keepers(g, unit) if is_reached(g, block_of(g, unit), item, aura))
        take_test(g, unit, LEAVE, Lingers.TESTED, RULE, least)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.stack[f + Lingers.UNIT]]
        return f"{name} tries to leave the area" if action else f"{name} stays within the area"


def is_let_out(g: BattleCore, unit: int) -> bool:
    """Whether a character that was chosen to move may leave his unit: he does not linger."""
    return not (lingers(g, unit) and g.units.place[unit] == ATTACHED)
