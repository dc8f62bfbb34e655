"""Deployment: table sides, the order of formations, places in the zone (epic.deploy.*)."""

from __future__ import annotations

from math import pi

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.features import Pending, Region
from wh_env.core.geometry.shapes import EPS, SLACK
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.procedures import GO, STEP, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import DEPLOYING, DESTROYED, ON_TABLE, Array
from wh_env.rulesets.epic.basics.formation import listed
from wh_env.rulesets.epic.codes import IMPASSABLE, PLANNED
from wh_env.rulesets.epic.move.cells import EVERYBODY
from wh_env.rulesets.epic.move.coherency import groups
from wh_env.rulesets.epic.move.paths import on_the_table
from wh_env.rulesets.epic.move.plans import remember, take_back
from wh_env.rulesets.epic.terrain.ground import inside, passage

ALTERNATE, ONE_ARMY_FIRST, SECRET = "alternate", "one-army-first", "secret"
SHAPES = 4  # arrangements that are tried in turn: five abreast, two abreast, in line, in column
GAP = 1.0  # cm between bases of a formation that is set up
BESIDE = 5.0  # cm beyond a zone in which units can be in the way
EVERY = 1 << 20


# ---------------------------------------------------------------- places


@inner_kernel
def offset(shape: int, units: int, n: int, spacing: float) -> tuple[float, float]:
    """(dx, dy): the place of the n-th of ``units`` units in arrangement ``shape``, from its middle, cm. A negative
    spacing turns the arrangement by half a turn.
    """
    if shape == 0:
        abreast = min(units, 5)
    elif shape == 1:
        abreast = min(units, 2)
    elif shape == 2:
        abreast = units
    else:
        abreast = 1
    ranks = (units + abreast - 1) // abreast
    rank = n // abreast
    here = min(abreast, units - rank * abreast)
    return (n % abreast - 0.5 * (here - 1)) * spacing, (rank - 0.5 * (ranks - 1)) * spacing


@inner_kernel
def spacing_of(models: Array, first: int, count: int, low: float) -> float:
    """Distance between neighbours of a formation that is set up, cm; negative if its zone is the northern one (``low``
    > 0).
    """
    widest = 0.0
    for k in range(first, first + count):
        widest = max(widest, models[k]["radius"])
    spacing = 2.0 * widest + GAP
    return spacing if low <= 0.0 else -spacing


@inner_kernel
def in_the_way(models: Array, ground: Array, u: int, low: float, high: float, marks: Array) -> tuple[int, int]:
    """Write into ``marks`` what may be in the way in the zone ``low <= y <= high``: rows of units first, and from
    ``len(models)`` on pieces of terrain impassable to formation ``u``. Returns how many of each.
    """
    n = 0
    rank = 0
    for k in range(len(models)):
        m = models[k]
        if m["unit"] == u:
            rank = m["rank"]
        if m["on_table"] == 1 and low - BESIDE < m["y"] < high + BESIDE:
            marks[n] = k
            n += 1
    w = 0
    for b in range(len(ground)):
        if passage(ground, b, rank) == IMPASSABLE and ground[b]["min_y"] < high and ground[b]["max_y"] > low:
            marks[len(models) + w] = b
            w += 1
    return n, w


@inner_kernel
def spot_free(
    models: Array, ground: Array, corners: Array, numbers: Array, k: int, x: float, y: float, low: float, high: float,
    marks: Array, n: int, w: int,
) -> bool:  # fmt: skip
    """Whether unit ``k`` may be set up at (x, y): in the zone ``low <= y <= high``, on the table, off impassable
    terrain and other bases.
    """
    if y < low - EPS or y > high + EPS or not on_the_table(models, numbers, k, x, y):
        return False
    for i in range(n):
        j = marks[i]
        dx = models[j]["x"] - x
        dy = models[j]["y"] - y
        far = models[j]["radius"] + models[k]["radius"] - SLACK
        if dx * dx + dy * dy < far * far and j != k:
            return False
    for i in range(len(models), len(models) + w):
        if inside(ground, corners, marks[i], x, y):
            return False
    return True


@inner_kernel
def arrangement(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, x: float, y: float, low: float,
    high: float, marks: Array, n: int, w: int,
) -> int:  # fmt: skip
    """The first arrangement in which formation ``u`` can be set up around (x, y); -1 if there is none."""
    first = units[u]["first"]
    count = units[u]["count"]
    spacing = spacing_of(models, first, count, low)
    for shape in range(SHAPES if count > 1 else 1):
        good = True
        for i in range(count):
            dx, dy = offset(shape, count, i, spacing)
            if not spot_free(
                models, ground, corners, numbers, first + i, x + dx, y + dy, low, high, marks, n, w
            ):  # fmt: skip
                good = False
                break
        if good:
            return shape
    return -1


@kernel
def zone_mask(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, only: int, x0: float, y0: float,
    step_x: float, step_y: float, grid: int, low: float, high: float, most: int, marks: Array, mask: Array,
) -> int:  # fmt: skip
    """Mark the first ``most`` cells (``x0 + column * step_x``, ``y0 + row * step_y``) around which formation ``u`` can
    be set up; returns how many.

    ``only``: if not -1, the cells where this unit alone can be set up.
    """
    n, w = in_the_way(models, ground, u, low, high, marks)
    found = 0
    for cell in range(grid * grid):
        x = x0 + (cell % grid) * step_x
        y = y0 + (cell // grid) * step_y
        if found == most:
            mask[cell] = False
        elif only >= 0:
            mask[cell] = spot_free(models, ground, corners, numbers, only, x, y, low, high, marks, n, w)
        else:
            mask[cell] = arrangement(models, units, ground, corners, numbers, u, x, y, low, high, marks, n, w) >= 0
        found += mask[cell]
    return found


@kernel
def set_up(
    models: Array,
    units: Array,
    ground: Array,
    corners: Array,
    numbers: Array,
    u: int,
    x: float,
    y: float,
    facing: float,
    low: float,
    high: float,
    marks: Array,
) -> None:
    """Set formation ``u`` up around the legal place (x, y), in the first arrangement that fits."""
    first = units[u]["first"]
    count = units[u]["count"]
    n, w = in_the_way(models, ground, u, low, high, marks)
    shape = arrangement(models, units, ground, corners, numbers, u, x, y, low, high, marks, n, w)
    spacing = spacing_of(models, first, count, low)
    for i in range(count):
        dx, dy = offset(shape, count, i, spacing)
        models[first + i]["x"] = x + dx
        models[first + i]["y"] = y + dy
        models[first + i]["facing"] = facing
        models[first + i]["on_table"] = 1
    units[u]["place"] = ON_TABLE


def zone(g: BattleCore, player: int) -> tuple[float, float]:
    """(low, high): the range of y of the player's deployment zone, cm. ``clock.attacker`` has the south edge
    (epic.deploy.zone).
    """
    depth = float(g.setup.rules["deployment_depth_cm"])
    return (0.0, depth) if player == g.clock.attacker[0] else (g.setup.width - depth, g.setup.width)


def window(g: BattleCore, unit: int, cell: int = -1) -> tuple[float, float, float, float]:
    """(x0, y0, step_x, step_y): first cell and steps, cm, of the grid over the zone, or of the second grid over
    ``cell`` of it.
    """
    low, high = zone(g, g.units.owner[unit])
    grid = g.setup.space.grid
    step_x, step_y = g.setup.length / grid, (high - low) / grid
    x0, y0 = 0.5 * step_x, low + 0.5 * step_y
    if cell < 0:
        return x0, y0, step_x, step_y
    fine_x, fine_y = step_x / (grid - 1), step_y / (grid - 1)
    x, y = x0 + (cell % grid) * step_x, y0 + (cell // grid) * step_y
    return x - grid // 2 * fine_x, y - grid // 2 * fine_y, fine_x, fine_y


def region(g: BattleCore, unit: int, cell: int = -1) -> Region:
    """The ``Region`` that the grid of ``window`` covers."""
    side = g.setup.space.grid - 1
    x, y, dx, dy = window(g, unit, cell)
    half_x, half_y = side * dx / 2, side * dy / 2
    return Region(x + half_x, y + half_y, half_x, half_y, x, y, x + side * dx, y + side * dy)


def place_of(g: BattleCore, unit: int, cell: int, fine: int = -1) -> tuple[float, float]:
    """(x, y) in cm of a cell, or of cell ``fine`` of the second grid over it."""
    x0, y0, step_x, step_y = window(g, unit, cell if fine >= 0 else -1)
    at, grid = fine if fine >= 0 else cell, g.setup.space.grid
    return x0 + (at % grid) * step_x, y0 + (at // grid) * step_y


def cells_for(g: BattleCore, unit: int, cells: Array, coarse: int = -1, only: int = -1, most: int = EVERY) -> int:
    """Mark up to ``most`` cells where the formation, or only its unit ``only``, can be set up; returns how many.
    ``coarse``: use the second grid over this cell.
    """
    statics = g.setup.statics
    return int(
        g.work.call(
            zone_mask,
            g.models.rows, g.units.rows, statics["ground"], g.setup.corners, statics["numbers"], unit, only,
            *window(g, unit, coarse), g.setup.space.grid, *zone(g, g.units.owner[unit]), most, g.work.marks, cells,
        )
    )  # fmt: skip


def deploy_at(g: BattleCore, unit: int, x: float, y: float) -> None:
    """Set the formation up around the legal place (x, y), facing the other side."""
    player, statics = g.units.owner[unit], g.setup.statics
    facing = pi / 2 if player == g.clock.attacker[0] else -pi / 2
    g.work.call(
        set_up,
        g.models.rows, g.units.rows, statics["ground"], g.setup.corners, statics["numbers"], unit, x, y, facing,
        *zone(g, player), g.work.marks,
    )  # fmt: skip
    g.work.call(remember, g.models.rows, g.units.rows, g.origin.rows, unit)
    if g.recorder is not None:
        g.note("epic.deploy.zone", "deployed", unit=unit, place=(round(x, 2), round(y, 2)))


# ---------------------------------------------------------------- the sequence


def to_deploy(g: BattleCore, player: int) -> list[int]:
    """Formations of a player that are not deployed yet."""
    return [unit for unit in g.units_of(player) if g.units.place[unit] == DEPLOYING]


class Deployment(OfPlayer):
    """Draw sides by lot, then deploy the formations of both armies in the agreed order (epic.deploy.sides, .order)."""

    class Step(Steps):
        SIDES, BEGIN, NEXT = range(3)

    asks = ("select-to-deploy",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Deployment.Step
        stack, rules = g.stack, g.setup.rules
        order = rules["deployment"]
        if stack[f + STEP] == Step.SIDES:
            south = rules["attacker"] if rules["attacker"] >= 0 else g.draw(2)
            g.clock.attacker[0] = south
            g.note("epic.deploy.sides", "table sides", south=south)
            stack[f + STEP] = Step.BEGIN
            return GO
        if stack[f + STEP] == Step.BEGIN:
            stack[f + Deployment.PLAYER] = g.clock.first_player[0] = first_to_deploy(g, order)
            g.clock.unseen[0] = int(order == SECRET)
            stack[f + STEP] = Step.NEXT
        player = stack[f + Deployment.PLAYER]
        if not to_deploy(g, player):
            player = 1 - player
        if not to_deploy(g, player):
            g.clock.unseen[0] = 0
            return g.pop()
        # alternately one formation each, else one whole army after the other
        stack[f + Deployment.PLAYER] = 1 - player if order == ALTERNATE else player
        g.clock.turn[0] = player
        return g.ask(SelectToDeploy, player)


def first_to_deploy(g: BattleCore, order: str) -> int:
    """The player who deploys first: by lot. If one army deploys first, it is the one of lower Strategic Value, by lot
    if equal. In secret the order does not matter: the player with the south edge.
    """
    value = g.players.strategic
    south: int = g.clock.attacker[0]
    if order == SECRET:
        return south
    if order == ONE_ARMY_FIRST and value[0] != value[1]:
        return 0 if value[0] < value[1] else 1
    begins = south ^ g.draw(2)
    g.note("epic.deploy.order", "deploys first", player=begins)
    return begins


class SelectToDeploy(DecisionKind):
    name = "select-to-deploy"
    what = "Which formation is deployed next."
    keys = ("epic.deploy.order",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.clock.turn[0]
        first, own = g.players.first_unit[player], g.setup.space.own
        for unit in to_deploy(g, player):
            mask[own + unit - first] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.players.first_unit[g.clock.turn[0]] + action - g.setup.space.own
        g.push(DeployFormation, unit)


class DeployFormation(Procedure):
    """Deploy one formation; at full detail its units may then be placed one by one."""

    class Step(Steps):
        WHERE, REFINE, ADJUST, SPOT, SPOT_REFINE, READY = range(6)

    UNIT = integer(row_of("units"))
    CELL = integer(row_of("cells"))
    SLOT = integer(row_of("slots"))
    AGAIN = integer(row_of("cells"))
    asks = ("deploy-to", "deploy-refine", "deploy-unit", "deploy-unit-to", "deploy-unit-refine")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether slot ``SLOT`` is a unit of the formation."""
        return bool(g.stack[f + DeployFormation.SLOT] < g.units.count[g.stack[f + DeployFormation.UNIT]])

    def advance(self, g: BattleCore, f: int) -> int:
        Step = DeployFormation.Step
        stack = g.stack
        unit, step = stack[f + DeployFormation.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.WHERE:
            if not cells_for(g, unit, g.work.cells, most=1):
                g.units.place[unit] = DESTROYED  # no room in the zone: the formation takes no part in the battle
                g.units.alive[unit] = 0
                return g.pop()
            return g.ask(DeployTo, owner, unit)
        if step == Step.REFINE:
            return g.ask(DeployRefine, owner, unit)
        if g.setup.rules["detail"] == "full" and g.units.count[unit] > 1:
            if step == Step.ADJUST:
                return g.ask(DeployUnit, owner, unit)
            if step == Step.SPOT:
                return g.ask(DeployUnitTo, owner, unit)
            if step == Step.SPOT_REFINE:
                return g.ask(DeployUnitRefine, owner, unit)
        return g.pop()


class DeployTo(DecisionKind):
    name = "deploy-to"
    what = "Where the formation is set up: a cell of a grid over the deployment zone."
    keys = ("epic.deploy.zone", "epic.deploy.order")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        cells_for(g, g.stack[f + DeployFormation.UNIT], g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, cell = g.stack, action - g.setup.space.cell
        if g.setup.rules["detail"] == "full":
            stack[f + DeployFormation.CELL], stack[f + STEP] = cell, DeployFormation.Step.REFINE
            return
        deploy_at(g, stack[f + DeployFormation.UNIT], *place_of(g, stack[f + DeployFormation.UNIT], cell))
        stack[f + STEP] = DeployFormation.Step.READY

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + DeployFormation.UNIT]
        x, y = place_of(g, unit, action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} near {x:.1f}, {y:.1f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        unit = g.stack[f + DeployFormation.UNIT]
        return Pending(region(g, unit), slots=listed(g, unit))


class DeployRefine(DecisionKind):
    name = "deploy-refine"
    what = "Where exactly: a cell of a second grid over the chosen one."
    instead = "The formation is set up in the middle of the chosen cell."
    keys = ("epic.deploy.zone", "epic.deploy.order")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        cells_for(
            g, g.stack[f + DeployFormation.UNIT], g.mask[space.cell : space.angle], g.stack[f + DeployFormation.CELL]
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        deploy_at(
            g,
            stack[f + DeployFormation.UNIT],
            *place_of(g, stack[f + DeployFormation.UNIT], stack[f + DeployFormation.CELL], action - g.setup.space.cell),
        )
        stack[f + STEP] = DeployFormation.Step.ADJUST

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + DeployFormation.UNIT]
        x, y = place_of(g, unit, g.stack[f + DeployFormation.CELL], action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} at {x:.2f}, {y:.2f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        unit = g.stack[f + DeployFormation.UNIT]
        return Pending(region(g, unit, g.stack[f + DeployFormation.CELL]), slots=listed(g, unit))


def model_of(g: BattleCore, f: int) -> int:
    """Row of the unit that is put elsewhere."""
    return int(g.units.first[g.stack[f + DeployFormation.UNIT]] + g.stack[f + DeployFormation.SLOT])


class DeployUnit(DecisionKind):
    name = "deploy-unit"
    what = (
        "Which unit is put elsewhere (each once); done where the formation is coherent; option 0 sets it up as it was."
    )
    instead = "No unit is put elsewhere."
    keys = ("epic.deploy.order", "epic.deploy.zone")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + DeployFormation.UNIT], g.setup.space
        together = g.work.call(
            groups, g.models.rows, g.units.rows, unit, g.setup.rules["coherency_cm"], EVERYBODY, g.work.labels
        )
        first = g.units.first[unit]
        for slot in range(g.units.count[unit]):
            if not g.models.moved[first + slot] and not g.stack[f + DeployFormation.AGAIN]:
                mask[space.model + slot] = True
        mask[0] = together == 1
        mask[space.option] = together > 1

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, space = g.stack, g.setup.space
        unit = stack[f + DeployFormation.UNIT]
        if action == 0:
            stack[f + STEP] = DeployFormation.Step.READY
        elif action == space.option:
            take_back(g.models.rows, g.units.rows, g.origin.rows, unit)
            stack[f + DeployFormation.AGAIN] = 1
        else:
            stack[f + DeployFormation.SLOT], stack[f + STEP] = action - space.model, DeployFormation.Step.SPOT

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "done"
        if action == g.setup.space.option:
            return "set up as it was"
        return str(
            g.setup.names["models"][g.units.first[g.stack[f + DeployFormation.UNIT]] + action - g.setup.space.model]
        )

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(slots=listed(g, g.stack[f + DeployFormation.UNIT]))


class DeployUnitTo(DecisionKind):
    name = "deploy-unit-to"
    what = "Where the unit is put: a cell of the grid over the zone."
    instead = "No unit is put elsewhere."
    keys = ("epic.deploy.order", "epic.deploy.zone")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        cells = g.mask[space.cell : space.angle]
        mask[0] = not cells_for(g, g.stack[f + DeployFormation.UNIT], cells, only=model_of(g, f))

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        if action == 0:  # no cell of the grid is free: it stays
            g.models.moved[model_of(g, f)] = PLANNED
            stack[f + STEP] = DeployFormation.Step.ADJUST
            return
        stack[f + DeployFormation.CELL], stack[f + STEP] = action - g.setup.space.cell, DeployFormation.Step.SPOT_REFINE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "stays"
        x, y = place_of(g, g.stack[f + DeployFormation.UNIT], action - g.setup.space.cell)
        return f"{g.setup.names['models'][model_of(g, f)]} near {x:.1f}, {y:.1f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        unit = g.stack[f + DeployFormation.UNIT]
        return Pending(region(g, unit), model=model_of(g, f), slots=listed(g, unit))


class DeployUnitRefine(DecisionKind):
    name = "deploy-unit-refine"
    what = "Where exactly the unit is put: a cell of the second grid over the chosen one."
    instead = "No unit is put elsewhere."
    keys = ("epic.deploy.zone", "epic.deploy.order")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack, space = g.stack, g.setup.space
        cells_for(
            g,
            stack[f + DeployFormation.UNIT],
            g.mask[space.cell : space.angle],
            stack[f + DeployFormation.CELL],
            model_of(g, f),
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, m = g.stack, g.models
        model = model_of(g, f)
        m.x[model], m.y[model] = place_of(
            g, stack[f + DeployFormation.UNIT], stack[f + DeployFormation.CELL], action - g.setup.space.cell
        )
        m.moved[model] = PLANNED
        stack[f + STEP] = DeployFormation.Step.ADJUST

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = place_of(
            g, g.stack[f + DeployFormation.UNIT], g.stack[f + DeployFormation.CELL], action - g.setup.space.cell
        )
        return f"{g.setup.names['models'][model_of(g, f)]} at {x:.2f}, {y:.2f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        unit = g.stack[f + DeployFormation.UNIT]
        return Pending(region(g, unit, g.stack[f + DeployFormation.CELL]), model=model_of(g, f), slots=listed(g, unit))
