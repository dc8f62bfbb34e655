"""The worth of pursuing beaten enemies and of staying: the chance to catch them, enemies that the unit meets, where it
stands then and what can charge it there.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import cos, inf, pi, sin
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import side_out
from wh_env.core.tables import RESERVE, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.basics.special_rules import movement_dice
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.charge.reach import sides_of_charge
from wh_env.rulesets.wap.codes import CHAMPION
from wh_env.rulesets.wap.commands.roles import leads
from wh_env.rulesets.wap.commands.standards import standards_of
from wh_env.rulesets.wap.morale.leadership import LeadershipTest, as_taken, leadership_of, passes_all_tests
from wh_env.rulesets.wap.pursuit.restrain import must_roll_again, penalty_of
from wh_env.rulesets.wap.pursuit.rolls import WOUNDS
from wh_env.rulesets.wap.pursuit.ways import LEAVES, MEETS, End, straight_on, towards
from wh_env.rulesets.wap.special.stride import is_fast, is_swift
from wh_env.rulesets.wap.view.appraise_charges import SCATTERED
from wh_env.rulesets.wap.view.appraise_combat import worth_left, worth_of_charges
from wh_env.rulesets.wap.view.appraise_places import DANGER, LATER, Key, Standing, place_values, prospects_at
from wh_env.rulesets.wap.ways.poses import Pose, block_at, depth_of, middle_of

FACINGS = 24  # the number of facings tried for a reform
REFORMING = 1.0  # points that a reform is assumed to cost


@cache
def totals(dice: int, best: int) -> tuple[float, ...]:
    """The chances that the ``best`` highest of ``dice`` D6 add up to exactly n, for n from 0 on."""
    found = [0] * (6 * best + 1)
    for rolled in product(range(1, 7), repeat=dice):
        found[sum(sorted(rolled)[-best:])] += 1
    return tuple(count / 6**dice for count in found)


def flight_odds(g: BattleCore, unit: int) -> tuple[float, ...]:
    """The chances that a unit flees or pursues n inches, for n from 0 on (``special.stride.flight_roll``)."""
    plain = movement_dice(g, unit) or g.setup.rules["flight_dice"]
    if movement_dice(g, unit) or not is_swift(g, unit):
        return totals(plain, plain)
    by_table, fast = g.setup.rules["swift_flight"] == "table", is_fast(g, unit)
    if by_table and not fast:
        return totals(plain, plain)
    return totals(3, 3 if fast and not by_table else 2)


def chance_to_catch(g: BattleCore, unit: int, foe: int) -> float:
    """The chance that a pursuit roll is at least the flee roll (wap.pursuit.escaped)."""
    own, other = flight_odds(g, unit), flight_odds(g, foe)
    return sum(p * q for far, p in enumerate(own) for flees, q in enumerate(other) if far >= flees)


def chance_to_restrain(g: BattleCore, unit: int, foes: list[int]) -> float:
    """The chance that a unit passes the test not to pursue. A champion lets it roll a failed test again; hatred makes
    it roll a passed test again (wap.pursuit.restrain-test, wap.special.hatred.restrain,
    wap.command.champion.follow-me.restrain).
    """
    if passes_all_tests(g, unit):
        return 1.0
    odds = as_taken(g, unit, LeadershipTest("wap.pursuit.restrain-test")).chances
    passes = odds[max(0, min(len(odds) - 1, leadership_of(g, unit) - penalty_of(g, unit, foes)))]
    at_once = passes * passes if must_roll_again(g, unit, foes) else passes
    return at_once + (1.0 - passes) * passes * leads(g, unit, CHAMPION)


def way_of_flight(g: BattleCore, foe: int) -> float:
    """The direction (radians) in which a broken unit will flee: away from the strongest enemy in contact, of equal ones
    the first (wap.multi.flee.direction).
    """
    enemy = max(foes_of(g, foe), key=lambda one: unit_strength(g, one))
    return side_out(g.units.facing[foe], side_towards(g, foe, enemy)) + pi


def chance_to_desert(g: BattleCore, foe: int, direction: float) -> float:
    """The chance that a flight brings a broken unit to an edge of the table, whether it is pursued or not
    (wap.compulsory.flee.off-table).
    """
    u = g.units
    x, y = middle_of(g, foe, u.x[foe], u.y[foe], u.facing[foe])
    ahead = [
        (limit - at) / step if step > 0.0 else at / -step
        for at, step, limit in ((x, cos(direction), g.setup.length), (y, sin(direction), g.setup.width))
        if abs(step) > 1e-9
    ]
    room = min(ahead) - 0.5 * depth_of(g, foe)
    return sum(p for far, p in enumerate(flight_odds(g, foe)) if far >= room - 1e-9)


def worth_of_catching(g: BattleCore, unit: int, foe: int, direction: float) -> float:
    """Points that the pursuit of a broken enemy takes: the losses of an enemy that is caught and would otherwise get
    away, beyond those of fleeing, and its standard.
    """
    share = min(1.0, WOUNDS * unit_strength(g, unit) / max(1, wounds_of(g, foe)))
    runs = (1.0 - chance_to_desert(g, foe, direction)) * (1.0 - SCATTERED) * worth_left(g, foe)
    trophies = g.setup.rules["victory"]["standard"] * standards_of(g, foe)
    return float(chance_to_catch(g, unit, foe) * share * (runs + trophies))


class Choice(NamedTuple):
    """The worth of the answers of a unit that has beaten its enemies, in points.

    Attributes:
        pursuits: of pursuing, by enemy. stays: of having restrained itself.
        restrains: of trying to restrain itself, where it pursues if it fails.
    """

    pursuits: dict[int, float]
    stays: float
    restrains: float


class Aftermath:
    """Judges what a unit does after a round.

    Args:
        g: a copy of the battle; it is changed: beaten enemies are taken off the table.
        known: cache of the worth of charges.
    """

    def __init__(self, g: BattleCore, known: dict[Key, list[float]]) -> None:
        self.g, self.known = g, known

    def standing(self) -> Standing:
        """The units that are left, as they stand now."""
        return Standing(self.g, self.known)

    def choice(self, unit: int, foes: list[int]) -> Choice:
        """The worth of pursuing each of the broken enemies, and of restraint."""
        g, pose = self.g, self.pose(unit)
        self.forget_round(unit)
        chance = chance_to_restrain(g, unit, foes)
        ways = {foe: way_of_flight(g, foe) for foe in foes}
        gains = {foe: worth_of_catching(g, unit, foe, way) for foe, way in ways.items()}
        for foe in foes:
            self.take_away(foe)
        now = self.standing()
        for foe, way in ways.items():
            set_block(g, unit, *pose, g.units.files[unit])
            gains[foe] += self.after(now, unit, towards(g, unit, way, len(flight_odds(g, unit)) - 1.0))
        set_block(g, unit, *pose, g.units.files[unit])
        stays = self.staying(now, unit)
        return Choice(gains, stays, chance * stays + (1.0 - chance) * max(gains.values()))

    def overrunning(self, unit: int) -> float:
        """The worth of going straight on after the last enemy is gone (wap.pursuit.overrun.move)."""
        pose = self.pose(unit)
        self.forget_round(unit)
        end = straight_on(self.g, unit, len(flight_odds(self.g, unit)) - 1.0)
        value = self.after(self.standing(), unit, end)
        set_block(self.g, unit, *pose, self.g.units.files[unit])
        return value

    def forget_round(self, unit: int) -> None:
        """Clear what a unit's next combat must not take over from this one."""
        self.g.units.charging[unit] = self.g.units.rounds[unit] = 0

    def pose(self, unit: int) -> Pose:
        """The pose of a unit: x, y, facing."""
        u = self.g.units
        return u.x[unit], u.y[unit], u.facing[unit]

    def take_away(self, unit: int) -> None:
        """Take a unit off the table."""
        self.g.units.place[unit] = RESERVE
        set_block(self.g, unit, *self.pose(unit), 0)

    def staying(self, now: Standing, unit: int) -> float:
        """The worth of staying, in the present facing or reformed (wap.pursuit.reform-stayed)."""
        g, pose = self.g, self.pose(unit)
        deep, middle = depth_of(g, unit), middle_of(g, unit, *pose)
        turns = [block_at(*middle, pose[2] + turn, deep) for turn in np.linspace(-pi, pi, FACINGS, endpoint=False)]
        turned = self.values(now, unit, turns).max() - REFORMING
        return float(max(turned, self.values(now, unit, [pose])[0]))

    def values(self, now: Standing, unit: int, poses: list[Pose]) -> Array:
        """The worth to a unit of each pose (middle of the front edge, facing)."""
        half = 0.5 * depth_of(self.g, unit)
        x, y, f = np.array(poses).T
        return place_values(now, unit, x - half * np.cos(f), y - half * np.sin(f), f)

    def after(self, now: Standing, unit: int, end: End) -> float:
        """The expected worth of a straight move by the dice of a pursuit; ``end``: the end of the farthest one. The
        unit is put to where the move begins.

        A roll that is high enough charges the enemy that the unit meets there. A move over an edge of the table is
        worth 0.
        """
        odds = flight_odds(self.g, unit)
        (x, y, f), last = end.pose, end.far if end.how in (MEETS, LEAVES) else inf
        set_block(self.g, unit, x, y, f, self.g.units.files[unit])
        goes = np.minimum(np.arange(len(odds)), end.far) - 0.5 * depth_of(self.g, unit)
        stands = self.standing_there(now, unit, x + goes * cos(f), y + goes * sin(f), f)
        beyond = self.worth_of_meeting(unit, end.met[0]) if end.how == MEETS else 0.0
        return float(sum(p * (beyond if far >= last else stands[far]) for far, p in enumerate(odds) if p))

    def standing_there(self, now: Standing, unit: int, xs: Array, ys: Array, f: float) -> Array:
        """The worth of a move that ends with the unit's middle at each place. The enemy moves before the unit can turn
        towards targets.
        """
        gain, danger = prospects_at(now, unit, xs, ys, np.full(len(xs), f))
        turns = np.linspace(-pi, pi, FACINGS, endpoint=False)
        turned, _ = prospects_at(now, unit, np.repeat(xs, FACINGS), np.repeat(ys, FACINGS), np.tile(turns, len(xs)))
        best = turned.reshape(len(xs), FACINGS).max(axis=1)
        return np.asarray(np.maximum(gain, LATER * best) - DANGER * danger)

    def worth_of_meeting(self, unit: int, enemy: int) -> float:
        """The worth of the charge on an enemy that the unit runs into (wap.pursuit.new-enemy.must-charge)."""
        sides = sides_of_charge(self.g, unit, enemy)
        return sum(worth_of_charges(self.g, unit, enemy, sides)) / max(1, len(sides))
