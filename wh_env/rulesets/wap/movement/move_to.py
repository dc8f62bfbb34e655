"""Where a unit moves to at squad detail: a wheel, a straight part, a wheel (wap.move.wheel.several).

Squad detail allows fewer moves than the rules. There is at most one wheel before the straight part and one after it, in
steps of 7.5 degrees or as far as possible. A cell that wheels to both sides lead to is reached by the cheaper one. The
straight part ends on the table. A single model pivots, goes straight and pivots again, and must be clear of obstacles
when it sets off.

Full detail plays legs (``legs``). Where cells are wider than 1.25" a second grid refines the chosen cell.
"""

from __future__ import annotations

from math import hypot, radians, tau

from wh_env.core.battle import BattleCore
from wh_env.core.features import Pending, Region
from wh_env.core.geometry.near import Way
from wh_env.core.geometry.wheels import Cells
from wh_env.core.procedures import DecisionKind
from wh_env.core.sentences import counted
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.casualties.crossings import goes_straight, wheels
from wh_env.rulesets.wap.characters.joins import MOVING, Join
from wh_env.rulesets.wap.movement.going import MoveFrame, allowance, left_of, survey_rest
from wh_env.rulesets.wap.movement.leaving import can_be_joined, goes_back, keep_those_outside, way_to_join
from wh_env.rulesets.wap.movement.lingering import keep_cells_near, lingers, may_join_near, wheels_near
from wh_env.rulesets.wap.movement.loose_ways import add_detours, goes_round
from wh_env.rulesets.wap.movement.plans import plan, planned
from wh_env.rulesets.wap.ways.aloft import keep_landings
from wh_env.rulesets.wap.ways.poses import block_at, degrees, depth_of, front_width, lone, middle_of, wheeled_to
from wh_env.rulesets.wap.ways.through import mark_wheels, on_the_way
from wh_env.rulesets.wap.ways.ways import cells_to, lone_cells

WIDEST = 1.25  # the widest cell, in inches, that needs no second grid
TURN = radians(7.5)
NONE, LEFT, RIGHT = 0, 1, 16  # slots of the last wheel: none, the first to the left, the first to the right


def aim_of(g: BattleCore, f: int) -> tuple[float, float, float]:
    """(x, y) of the point that goes to a cell, and the facing: the middle of the unit's front edge, or of a single
    model's base.
    """
    unit = MoveFrame.unit(g, f)
    x, y, facing = planned(g, unit)
    return (*middle_of(g, unit, x, y, facing), facing) if lone(g, unit) else (x, y, facing)


def window(g: BattleCore, f: int, cell: int = -1) -> tuple[float, float, float]:
    """(x, y) of the first cell and the step of a grid, in inches. Without ``cell``: the grid over all that the unit
    could reach, with the unit in its middle cell. With ``cell``: the second grid, over that cell of the first.
    """
    x, y, _ = aim_of(g, f)
    grid = g.setup.space.grid
    half = grid // 2
    step = left_of(g, f) / half
    if cell < 0:
        return x - half * step, y - half * step, step
    fine = step / grid
    return x + (cell % grid - half) * step - half * fine, y + (cell // grid - half) * step - half * fine, fine


def place_of(g: BattleCore, f: int, at: int, cell: int = -1) -> tuple[float, float]:
    """(x, y) of cell ``at``, of the second grid if ``cell`` is a cell of the first."""
    return cell_spot(window(g, f, cell), g.setup.space.grid, at)


def cell_spot(first: tuple[float, float, float], grid: int, at: int) -> tuple[float, float]:
    """(x, y) of cell ``at`` of a grid. ``first``: (x, y) of its first cell, and the step."""
    x0, y0, step = first
    return x0 + at % grid * step, y0 + at // grid * step


def reach(g: BattleCore, f: int, x0: float, y0: float, step: float, grid: int, mask: Array) -> int:
    """Mark in ``mask`` (bool) the cells of a grid that the unit can reach, and return how many. Their costs (inches)
    and wheels or pivots (radians) go to ``work.ways.costs`` and ``.turns``.
    """
    unit, setup, room = MoveFrame.unit(g, f), g.setup, g.work.ways
    room.window[:] = x0, y0, step, step
    left, way = survey_rest(g, f)
    pose = aim_of(g, f)
    bars = on_the_way(way, aloft=MoveFrame.flies(g, f))
    size, cells = (setup.length, setup.width), Cells(room.window, grid, mask, room.costs, room.turns)
    if lone(g, unit):
        found = g.work.call(lone_cells, bars, *pose, left, *size, cells)
    else:
        found = g.work.call(cells_to, bars, *pose, front_width(g, unit), left, *size, cells)
    if bars.n < way.n:
        half = g.units.base_a[unit] if lone(g, unit) else 0.0
        found = g.work.call(keep_landings, way, pose[2], half, cells)
    if bars.n > 0 and goes_round(g, f):
        free = Cells(room.window, grid, *(part[: grid * grid] for part in room.free))
        empty = Way(way.near, way.points, 0, way.body, way.rows)
        g.work.call(cells_to, empty, *pose, front_width(g, unit), left, *size, free)
        found = add_detours(g, f, way, grid, (free.mask, free.costs, free.turns), mask)
    if g.units.place[unit] == ATTACHED:
        return keep_those_outside(g, f, x0, y0, step, grid, mask)
    return int(found)


def keep_near(g: BattleCore, f: int, cell: int = -1) -> None:
    """If the unit lingers near ground, take the cells outside its area out of the mask. ``cell``: as for ``window``."""
    unit, space = MoveFrame.unit(g, f), g.setup.space
    if lingers(g, unit):
        cells = g.mask[space.cell : space.angle]
        keep_cells_near(g, unit, window(g, f, cell), space.grid, aim_of(g, f)[2], g.work.ways.turns, cells)


def offer_joins(g: BattleCore, f: int, mask: memoryview) -> None:
    """Mark the units that the character of the frame can join by this move."""
    at = g.setup.space.own - g.players.first_unit[g.units.owner[MoveFrame.unit(g, f)]]
    mover = MoveFrame.unit(g, f)
    for unit in can_be_joined(g, f):
        mask[at + unit] = not lingers(g, mover) or may_join_near(g, mover, unit)


def goes_to_join(g: BattleCore, f: int, action: int) -> None:
    """The character of the frame goes straight to the unit that the action names, and joins it."""
    unit, space = MoveFrame.unit(g, f), g.setup.space
    target = g.players.first_unit[g.units.owner[unit]] + action - space.own
    way = way_to_join(g, f, target)
    assert way is not None  # it was offered
    far, pose = way
    if not MoveFrame.flies(g, f):
        goes_straight(g, unit, pose, far)
    if g.recorder is not None:
        g.note(
            "wap.character.join.procedure",
            "goes to join",
            unit=unit,
            target=target,
            far=round(g.units.spent[unit] + far, 2),
        )
    MoveFrame.go_to(g, f, MoveFrame.Step.OVER)
    g.push(Join, unit, target, MOVING)


def is_unit(g: BattleCore, action: int) -> bool:
    """Whether an action names a unit of the player."""
    return g.setup.space.own <= action < g.setup.space.enemy


def go_to(g: BattleCore, f: int, x: float, y: float) -> None:
    """Plan the unit's way to (x, y), which it must be able to reach."""
    unit, room = MoveFrame.unit(g, f), g.work.ways
    pose = aim_of(g, f)
    reach(g, f, x, y, 1.0, 1, room.cells[:1])
    turn, far = float(room.turns[0]), float(room.costs[0])
    facing = pose[2] + turn
    if lone(g, unit):
        if not MoveFrame.flies(g, f):
            goes_straight(g, unit, block_at(pose[0], pose[1], facing, depth_of(g, unit)), far)
        x, y, _ = block_at(x, y, facing, depth_of(g, unit))
    elif not MoveFrame.flies(g, f):
        side, front = (1.0 if turn > 0.0 else -1.0), front_width(g, unit)
        wheels(g, unit, pose, side, abs(turn), front)
        turned = wheeled_to(pose, front, side, abs(turn))
        goes_straight(g, unit, turned, hypot(x - turned[0], y - turned[1]))
    spent = min(allowance(g, f), g.units.spent[unit] + far)
    plan(g, unit, x, y, facing, spent)
    if g.recorder is not None:
        told = {"far": round(far, 2), "facing": degrees(facing)}
        g.note("wap.move.wheel.several", "goes to", unit=unit, place=(round(x, 2), round(y, 2)), **told)


def words_of(g: BattleCore, f: int, action: int) -> str:
    """Words for the options of a character other than going to a place: joining a unit, or staying in his own."""
    name = g.setup.names["units"][MoveFrame.unit(g, f)]
    if action:
        return f"{name} joins {g.default_words(action)}"
    attached = g.units.place[MoveFrame.unit(g, f)] == ATTACHED
    return f"{name} stays in its unit" if attached else f"{name} goes no farther"


class MoveTo(DecisionKind):
    name = "move-to"
    what = (
        "Where the unit goes by a wheel and a straight move: a cell for the middle of its front edge; of a single "
        "model for the middle of its base. "
        "A character may go to a unit that he joins; done: he stays in his unit."
    )
    keys = (
        "wap.move.basic.distance",
        "wap.move.basic.one-unit",
        "wap.move.one-inch",
        "wap.move.manoeuvre.one-inch",
        "wap.move.wheel.pivot",
        "wap.move.wheel.cost",
        "wap.move.wheel.remaining",
        "wap.move.single",
        "wap.move.table.stay",
        "wap.character.join.types",
        "wap.character.join.procedure",
        "wap.character.leave.join-another",
        "wap.character.leave.remaining-moves",
        "wap.troop.shrine.join",
        "wap.special.fly.move",
        "wap.special.skirmishers.movement",
    )
    full = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        reach(g, f, *window(g, f), space.grid, g.mask[space.cell : space.angle])
        keep_near(g, f)
        unit = MoveFrame.unit(g, f)
        mask[0] = g.units.place[unit] == ATTACHED or lingers(g, unit)
        offer_joins(g, f, mask)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0 and g.units.place[MoveFrame.unit(g, f)] != ATTACHED:
            MoveFrame.go_to(g, f, MoveFrame.Step.TURN)
            return
        if action == 0:
            goes_back(g, f)
            return
        if is_unit(g, action):
            goes_to_join(g, f, action)
            return
        cell, first = action - g.setup.space.cell, window(g, f)
        if first[2] > WIDEST:
            MoveFrame.note(g, f, MoveFrame.CELL, cell)
            MoveFrame.go_to(g, f, MoveFrame.Step.REFINE)
            return
        go_to(g, f, *cell_spot(first, g.setup.space.grid, cell))
        MoveFrame.go_to(g, f, MoveFrame.Step.TURN)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0 or is_unit(g, action):
            return words_of(g, f, action)
        x, y = place_of(g, f, action - g.setup.space.cell)
        return f'{g.setup.names["units"][MoveFrame.unit(g, f)]} to {x:.2f}, {y:.2f}"'

    def pending(self, g: BattleCore, f: int) -> Pending:
        x0, y0, step = window(g, f)
        return Pending(Region.of_grid(x0, y0, step, step, g.setup.space.grid))


class MoveRefine(DecisionKind):
    name = "move-refine"
    what = "Where exactly within a wide cell: a cell of a second grid over it."
    keys = MoveTo.keys[:9]
    full = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        reach(g, f, *window(g, f, MoveFrame.cell(g, f)), space.grid, g.mask[space.cell : space.angle])
        keep_near(g, f, MoveFrame.cell(g, f))

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        go_to(g, f, *place_of(g, f, action - g.setup.space.cell, MoveFrame.cell(g, f)))
        MoveFrame.go_to(g, f, MoveFrame.Step.TURN)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = place_of(g, f, action - g.setup.space.cell, MoveFrame.cell(g, f))
        return f'{g.setup.names["units"][MoveFrame.unit(g, f)]} to {x:.2f}, {y:.2f}" exactly'

    def pending(self, g: BattleCore, f: int) -> Pending:
        x0, y0, step = window(g, f, MoveFrame.cell(g, f))
        return Pending(Region.of_grid(x0, y0, step, step, g.setup.space.grid))


class EndWheel(DecisionKind):
    name = "end-wheel"
    what = (
        "The wheel that ends the unit's move: none, so many steps of 7.5 degrees to the left or to the right, or as "
        "far as it can."
    )
    keys = (
        "wap.move.wheel.several",
        "wap.move.wheel.pivot",
        "wap.move.wheel.cost",
        "wap.move.one-inch",
        "wap.move.table.overhang",
    )
    full = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        number = g.setup.space.number
        mask[number + NONE] = True
        left, way = survey_rest(g, f)
        for first, side in ((LEFT, 1.0), (RIGHT, -1.0)):
            most, unit = self.wheels(g, f, side, left, way), MoveFrame.unit(g, f)
            for k in g.work.ways.ends.nonzero()[0].tolist():
                angle = most if k == len(g.work.ways.ends) - 1 else (k + 1) * TURN
                mask[number + first + k] = not lingers(g, unit) or wheels_near(
                    g, unit, front_width(g, unit), side, angle
                )

    @staticmethod
    def wheels(g: BattleCore, f: int, side: float, left: float, way: Way) -> float:
        """Mark in ``work.ways.ends`` the wheels to one side that are possible with ``left`` inches. Returns the
        greatest angle, radians.
        """
        unit, ends = MoveFrame.unit(g, f), g.work.ways.ends
        pose, width, flies = planned(g, unit), front_width(g, unit), MoveFrame.flies(g, f)
        return mark_wheels(g, way, pose, width, side, left, TURN, False, ends, aloft=flies)

    @staticmethod
    def turn_of(g: BattleCore, f: int, slot: int) -> tuple[float, float]:
        """The side (1 left, -1 right) and the angle in radians that a slot stands for."""
        side, k = (1.0, slot - LEFT) if slot < RIGHT else (-1.0, slot - RIGHT)
        greatest = k == len(g.work.ways.ends) - 1
        return side, EndWheel.wheels(g, f, side, *survey_rest(g, f)) if greatest else (k + 1) * TURN

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, slot = MoveFrame.unit(g, f), action - g.setup.space.number
        MoveFrame.go_to(g, f, MoveFrame.Step.END)
        if slot == NONE:
            return
        side, angle = self.turn_of(g, f, slot)
        width = front_width(g, unit)
        if not MoveFrame.flies(g, f):
            wheels(g, unit, planned(g, unit), side, angle, width)
        pose = wheeled_to(planned(g, unit), width, side, angle)
        plan(g, unit, *pose, min(allowance(g, f), g.units.spent[unit] + width * angle))
        if g.recorder is not None:
            told = {"far": round(width * angle, 2), "facing": degrees(pose[2])}
            g.note("wap.move.wheel.cost", "leg", unit=unit, place=(round(pose[0], 2), round(pose[1], 2)), **told)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name, slot = g.setup.names["units"][MoveFrame.unit(g, f)], action - g.setup.space.number
        if slot == NONE:
            return f"{name} ends its move so"
        side, angle = self.turn_of(g, f, slot)
        at = slot - (LEFT if side > 0.0 else RIGHT)
        most = ", as far as it can" if at == len(g.work.ways.ends) - 1 else ""
        far, way = counted(f"{angle * 360.0 / tau:.4g}", "degree"), "left" if side > 0.0 else "right"
        return f"{name} wheels {far} to the {way}{most}"
