"""Moves of fleeing units: straight ahead through everything, and the wounds that this costs (wap.compulsory.flee.*).

The unit moves first. What it has passed through is then counted in the order in which it came to it, and its losses are
taken together.
"""

from __future__ import annotations

from math import cos, inf, sin
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.near import Way
from wh_env.core.procedures import GO, STEP, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.allies.relations import bond_between
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.ground import features_of, pieces_for
from wh_env.rulesets.wap.basics.leaving_by_charge import part
from wh_env.rulesets.wap.basics.marks import touch, vortices
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in, is_free_in
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.basics.traps import flees_or_pursues
from wh_env.rulesets.wap.casualties.casualties import suffer_together
from wh_env.rulesets.wap.casualties.crossings import forget, gain_from_crossing, goes_straight
from wh_env.rulesets.wap.casualties.dangerous_ground import dangerous_wounds
from wh_env.rulesets.wap.casualties.losses import losses_of, order_of_loss
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.characters.charging_out import comes_out
from wh_env.rulesets.wap.codes import FLED, FLED_THROUGH
from wh_env.rulesets.wap.field.dangerous import How, must_test, noted_features
from wh_env.rulesets.wap.field.outside import put_outside
from wh_env.rulesets.wap.fleeing.flight_ways import flight_way, surround, touched_models
from wh_env.rulesets.wap.morale.panic_causes import heeds
from wh_env.rulesets.wap.special.stride import flight_roll
from wh_env.rulesets.wap.ways.poses import degrees, depth_of, turned_in, turned_on_centre

BY_CHOICE = "wap.charge.flee.pivot"
OUT = "wap.building.assault.defender-flees"
ROCK = "wap.terrain.impassable.flee"
ENEMY = "wap.compulsory.flee.dangerous"
SHUNNED = "wap.ally.desperate.flee-through"
GROUND = "wap.terrain.dangerous.test"


class Passed(NamedTuple):
    """A unit or terrain feature that a unit has fled through.

    Attributes:
        entered: inches that the unit had gone when it came to it. rule: by which models test.
        enemy: an enemy unit, or -1. models: those that test; empty: all. feature: of dangerous ground, or -1.
    """

    entered: float
    rule: str
    enemy: int
    models: tuple[int, ...]
    feature: int = -1


def start_to_flee(g: BattleCore, unit: int, facing: float, rule: str) -> None:
    """A unit turns on its centre to ``facing`` (radians) and flees from now on; a garrison is put outside its building
    first, and flees straight away from the wall. It takes no rally test in this turn
    (wap.compulsory.rally.fled-this-turn).
    """
    u = g.units
    comes_out(g, unit)
    part(g, unit)
    if is_inside(g, unit):
        pose = put_outside(g, unit, facing, OUT)
        facing = pose[2]
    else:
        pose = turned_on_centre(g, unit, turned_in(facing))
    u.fleeing[unit] = 1
    u.did[unit] |= FLED
    if rule != BY_CHOICE:
        u.feigned[unit] = 0  # made to flee by something else, it feigns no more
    set_block(g, unit, *pose, u.files[unit])
    if u.fights[unit]:
        meet(g)
    if g.recorder is not None:
        g.note(rule, "begins to flee", unit=unit, facing=degrees(facing))


def way_of(g: BattleCore, unit: int, far: float) -> tuple[float, bool, list[Passed], list[int]]:
    """The path of a unit that flees ``far`` inches, or on to where it may stop.

    Returns:
        The inches it goes; whether it leaves the table; the dangerous things it passes through, in that order; the
            friends it passes through.
    """
    setup, room, u = g.setup, g.work.ways, g.units
    ground, entered = ground_to_stand_in(g, unit), g.work.flights.entered
    n, rows = g.work.call(
        surround, g.parts.rows, u.rows, ground, setup.corners, unit, setup.rules["one_inch"], room.empty
    )
    goes, gone = g.work.call(
        flight_way,
        Way(room.near, room.points, n, room.body, rows),
        u.x[unit],
        u.y[unit],
        u.facing[unit],
        far,
        setup.length,
        setup.width,
        g.work.flights.spans,
        entered,
    )
    at: dict[tuple[bool, int], float] = {}
    for mark, when in zip(room.near["mark"][:n].tolist(), entered[:n].tolist(), strict=True):
        if when < inf:
            key = (mark >= 0, mark if mark >= 0 else int(ground[-1 - mark]["feature"]))
            at[key] = min(when, at.get(key, inf))
    owner = u.owner[unit]
    passed = [Passed(when, ENEMY, row, ()) for (is_unit, row), when in at.items() if is_unit and u.owner[row] != owner]
    passed += rocks_passed(g, unit, {row: when for (is_unit, row), when in at.items() if not is_unit})
    friends = sorted(row for is_unit, row in at if is_unit and u.owner[row] == owner)
    shunned = [row for row in friends if bond_between(g, unit, row).dangerous_test_fleeing_through]
    passed += [Passed(at[True, row], SHUNNED, -1, ()) for row in shunned]
    return goes, bool(gone), sorted(passed + ground_passed(g, unit, goes)), friends


def rocks_passed(g: BattleCore, unit: int, at: dict[int, float]) -> list[Passed]:
    """The impassable features that a unit flees through, with the inches after which it comes to each, and the models
    that test: all to which the feature is no open ground (wap.special.ethereal.movement, .aquatic.movement).
    """
    u, rows, found = g.units, wholly(g, unit), list[Passed]()
    for feature, when in at.items():
        testing = [row for row in rows if not is_free_in(g, row, features_of(g)[feature])]
        models = (k for row in testing for k in range(u.first[row], u.first[row] + u.count[row]))
        if testing:
            found.append(Passed(when, ROCK, -1, () if testing == rows else tuple(models)))
    return found


def ground_passed(g: BattleCore, unit: int, far: float) -> list[Passed]:
    """Dangerous ground that models of the unit, or of characters in it, flee over within ``far`` inches."""
    setup, touched, u = g.setup, g.work.flights.touched, g.units
    found: list[Passed] = []
    for item in noted_features(g):
        feature, ground = item.row, pieces_for(g, unit, item)
        begins, models = inf, list[int]()
        for row in wholly(g, unit):
            if not must_test(g, row, item, How.FAST):
                continue
            when = touched_models(
                g.models.rows, u.rows, ground, setup.corners, unit, row, feature, far, touched
            )  # fmt: skip
            if when < inf:
                begins = min(begins, float(when))
                models += [u.first[row] + k for k in range(u.count[row]) if touched[k]]
        if models:
            found.append(Passed(begins, GROUND, -1, tuple(models), feature))
    return found


def toll(g: BattleCore, unit: int, passed: list[Passed]) -> dict[int, int]:
    """Wounds by unit row that a flight costs a unit and the characters in it.

    Each model takes a Dangerous Terrain test for each thing passed through, unless it fell before. An enemy unit that
    does not flee also causes the unit a wound for each point of its Unit Strength (wap.compulsory.flee.dangerous,
    .enemy-wounds).
    """
    wounds = dict.fromkeys(wholly(g, unit), 0)
    for thing in passed:
        for row in wounds:
            left = order_of_loss(g, row)[losses_of(g, row, wounds[row]) :]
            testing = [k for k in left if k in thing.models] if thing.models else left
            if testing:
                wounds[row] += dangerous_wounds(g, row, len(testing), thing.rule, thing.feature, before=wounds[row])
        if thing.enemy >= 0 and not g.units.fleeing[thing.enemy]:
            strength = unit_strength(g, thing.enemy)
            wounds[unit] += strength
            if g.recorder is not None:
                told = {"target": thing.enemy, "amount": strength}
                g.note("wap.compulsory.flee.enemy-wounds", "cut down", unit=unit, **told)
    return wounds


class Flight(Procedure):
    """A fleeing unit flees. The Panic tests that this causes are left to ``Panic``."""

    class Step(Steps):
        ROLL, END = range(2)

    UNIT = integer(row_of("units"))

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == Flight.Step.ROLL:
            g.stack[f + STEP] = Flight.Step.END
            flee(g, g.stack[f + Flight.UNIT])
            return GO
        return g.pop()


def into_vortex(g: BattleCore, unit: int, far: float) -> tuple[int, list[int], float]:
    """The first vortex that a unit comes into when it flees ``far`` inches, the models that come through it, and the
    inches after which the unit stands with its rear an inch beyond it (wap.magic.type.vortex.forced). -1: none.
    """
    u, m, omens = g.units, g.models, g.omens
    c, s = cos(u.facing[unit]), sin(u.facing[unit])
    found: list[tuple[float, int, list[int], float]] = []
    for k in vortices(g):
        dx, dy, radius = omens.x[k] - u.x[unit], omens.y[k] - u.y[unit], omens.radius[k]
        ahead = c * dx + s * dy
        models = [
            n
            for row in wholly(g, unit)
            for n in g.members(row)
            if abs(c * (omens.y[k] - m.y[n]) - s * (omens.x[k] - m.x[n])) <= m.half_b[n] + radius
        ]
        if models and ahead + radius >= 0.0 and ahead - radius <= far:
            rear = ahead + radius + g.setup.rules["one_inch"] + depth_of(g, unit, u.files[unit])
            found.append((ahead, k, models, rear))
    return min(found)[1:] if found else (-1, [], 0.0)


def flee(g: BattleCore, unit: int, far: int = -1, rule: str = "wap.compulsory.flee.distance") -> None:
    """Roll, move, mark the friends that the unit fled through, and push ``Casualties`` for what the flight costs.

    Args:
        far: the roll, if it was made already; -1: roll now.
        rule: that says how far it flees.

    An enemy of the combat that the unit leaves costs nothing if the unit overlaps it only because it has turned
    (wap.multi.flee.overlap). Ground that it flees through gives it what it gives to any unit that moves through it
    (wap.terrain.river.blood, .light, .necrotic-ooze.poison).
    """
    u = g.units
    far = far if far >= 0 else flight_roll(g, unit)
    vortex, caught, ends = into_vortex(g, unit, far) if vortices(g) else (-1, [], 0.0)
    goes, gone, passed, friends = way_of(g, unit, float(far) if vortex < 0 else ends)
    passed = [thing for thing in passed if thing.enemy < 0 or thing.entered > 0.0 or not u.fighting[thing.enemy]]
    u.did[unit] |= FLED
    if unit_strength(g, unit) >= g.setup.rules["panic_strength"] and not u.feigned[unit]:
        for friend in friends:
            if heeds(g, friend, unit):
                u.due[friend] |= FLED_THROUGH
    facing = u.facing[unit]
    x, y = u.x[unit] + goes * cos(facing), u.y[unit] + goes * sin(facing)
    if g.recorder is not None:
        g.note(
            rule if goes <= far else "wap.compulsory.flee.ends-on",
            "flees",
            unit=unit,
            roll=far,
            far=round(goes, 2),
            place=(round(x, 2), round(y, 2)),
        )
    if gone:
        set_block(g, unit, x, y, facing, u.files[unit])  # friends near the place where it leaves the table panic
        remove_unit(g, unit)
        g.note("wap.compulsory.flee.off-table", "deserts", unit=unit)
        return
    forget(g, unit)
    goes_straight(g, unit, (u.x[unit], u.y[unit], facing), goes)
    set_block(g, unit, x, y, facing, u.files[unit])
    gain_from_crossing(g, unit)
    wounds = toll(g, unit, passed)
    if u.place[unit] == ON_TABLE:
        suffer_together(g, wounds)
        flees_or_pursues(g, unit)
    if vortex >= 0:
        touch(g, vortex, caught)
