"""Units in Defensible terrain that an enemy charges: Hold Steady or Set to Defend (w9.terrain.defensible*)."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.shapes import EPS, straight_distance
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import CIRCLE, Array
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.shoot.cover import having, stands_on_or_within
from wh_env.rulesets.w9.shoot.lines import POINTS, outline_point, triangle_meets
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.rulesets.w40k.shoot import snap
from wh_env.rulesets.w40k.terrain.cover import Trait

INFANTRY = int(Keyword.INFANTRY)
SNAP, STEADY = int(Near.SNAP), int(Near.STEADY)
TO_HIT = (int(Near.HIT_PLUS), int(Near.HIT_PLUS_2ND))
AREA_TERRAIN = int(Trait.AREA_TERRAIN)
HOLD_STEADY, SET_TO_DEFEND = range(2)  # options
WORDS = ("Hold Steady", "Set to Defend")


# ---------------------------------------------------------------- which units may


def outline(g: BattleCore, model: int) -> Array:
    """Points of the outline of a base, shape (n, 2), inches."""
    return np.array([outline_point(g.models.rows, model, k, POINTS) for k in range(POINTS)])


def closest_parts(g: BattleCore, i: int, j: int) -> tuple[float, float, float, float]:
    """(x, y, u, v): the points (x, y) of base ``i`` and (u, v) of base ``j`` that are closest to each other, inches.
    Exact for two circles, else the closest of ``POINTS`` outline points each.
    """
    row = g.models.rows
    if row["shape"][i] == CIRCLE and row["shape"][j] == CIRCLE:
        (xi, yi), (xj, yj) = ((float(row["x"][k]), float(row["y"][k])) for k in (i, j))
        towards = float(np.arctan2(yj - yi, xj - xi))
        ri, rj = float(row["half_a"][i]), float(row["half_a"][j])
        return xi + ri * cos(towards), yi + ri * sin(towards), xj - rj * cos(towards), yj - rj * sin(towards)
    one, other = outline(g, i), outline(g, j)
    apart = ((one[:, None] - other[None]) ** 2).sum(axis=2)
    a, b = divmod(int(apart.argmin()), POINTS)
    return float(one[a, 0]), float(one[a, 1]), float(other[b, 0]), float(other[b, 1])


def behind(g: BattleCore, charger: int, target: int, obstacle: int) -> bool:
    """Whether the line between the closest models of charger and target passes over feature ``obstacle``. If several
    pairs of models are equally close, one such line is enough.
    """
    pairs = [
        (straight_distance(g.models.rows, i, j), i, j)
        for i in g.members(charger)
        for j in g.members(target)
        if g.models.on_table[i] and g.models.on_table[j]
    ]
    nearest = min((away for away, _, _ in pairs), default=0.0)
    setup = g.setup
    first, count = setup.features["first"][obstacle], setup.features["count"][obstacle]
    for away, i, j in pairs:
        if away <= nearest + EPS:
            x, y, u, v = closest_parts(g, i, j)
            if triangle_meets(x, y, u, v, u, v, setup.corners, first, count):
                return True
    return False


def may_defend(g: BattleCore, charger: int, target: int) -> bool:
    """Whether the charged unit can Hold Steady or Set to Defend (w9.terrain.defensible): unengaged INFANTRY, all of
    whose models are in or behind one Defensible feature; an Obstacle must lie between it and the charger.
    """
    features = having(g, Trait.DEFENSIBLE)
    if not features or not g.units.keywords[target] & INFANTRY or engaged(g, target):
        return False
    models = [k for k in g.members(target) if g.models.on_table[k]]
    return bool(models) and any(
        all(stands_on_or_within(g, k, f) for k in models)
        and (g.setup.features["traits"][f] & AREA_TERRAIN or behind(g, charger, target, f))
        for f in features
    )


# ---------------------------------------------------------------- the decision


class Defend(Procedure):
    """After a charge is declared: each target that can Hold Steady or Set to Defend makes its choice."""

    class Step(Steps):
        LOOK, DECIDED = range(2)

    UNIT = integer(row_of("units"))  # that charges
    TARGET = integer(row_of("units"))  # row of the next target to look at, or of the one that has decided
    asks = ("defend",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit = stack[f + Defend.UNIT]
        first = stack[f + Defend.TARGET] + (stack[f + STEP] == Defend.Step.DECIDED)
        for target in range(first, len(g.charge_targets)):
            if g.charge_targets[target] and may_defend(g, unit, target):
                stack[f + STEP], stack[f + Defend.TARGET] = Defend.Step.LOOK, target
                return g.ask(HowToDefend, g.units.owner[target], target)
        return g.pop()


class HowToDefend(DecisionKind):
    name = "defend"
    what = (
        "Whether the unit in Defensible terrain that is charged Holds Steady (option 0: Overwatch hits on 5+) or "
        "Sets to Defend (option 1: +1 to hit in melee, no Overwatch); done: neither."
    )
    policy = "It Sets to Defend."
    keys = ("w9.terrain.defensible", "w9.terrain.defensible.hold-steady", "w9.terrain.defensible.set-to-defend")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for option in (HOLD_STEADY, SET_TO_DEFEND):
            mask[g.setup.space.option + option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + STEP] = Defend.Step.DECIDED
        if action == 0:
            return
        target = g.stack[f + Defend.TARGET]
        if action - g.setup.space.option == HOLD_STEADY:
            g.combat.steady[target] = 1
            rule = "w9.terrain.defensible.hold-steady"
        else:
            g.combat.set_to_defend[target] = 1
            rule = "w9.terrain.defensible.set-to-defend"
        if g.recorder is not None:
            g.note(rule, self.describe(g, f, action), unit=target)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return WORDS[action - g.setup.space.option] if action else "neither"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.option + SET_TO_DEFEND


# ---------------------------------------------------------------- effects


def snapping(g: BattleCore, unit: int) -> int:
    """The circumstances (bits of ``Near``) in which the unit fires Overwatch (w9.terrain.defensible.hold-steady)."""
    return SNAP | STEADY if g.combat.steady[unit] else SNAP


class Overwatch(snap.Overwatch):
    """Overwatch, with the better hit rolls of units that Hold Steady (w9.terrain.defensible.hold-steady)."""

    def selected(self, g: BattleCore) -> None:
        super().selected(g)
        jobs = g.jobs
        for job, attacks in enumerate(jobs.attacks):
            if attacks and g.combat.steady[g.models.unit[jobs.model[job]]]:
                jobs.near[job] |= STEADY


def strike_back(g: BattleCore, unit: int) -> None:
    """Add 1 to the hit rolls of the melee attacks that the unit has declared, if it Set to Defend
    (w9.terrain.defensible.set-to-defend).
    """
    if not g.combat.set_to_defend[unit]:
        return
    jobs = g.jobs
    for job in range(g.attack.jobs[0]):
        if jobs.attacks[job]:
            first, second = TO_HIT
            jobs.near[job] |= second if jobs.near[job] & first else first


def stand_down(g: BattleCore, phase: int) -> None:
    """A phase ends: units Hold Steady until the Charge phase ends, and are Set to Defend until the Fight phase ends."""
    if phase == Phase.CHARGE:
        g.combat.rows["steady"] = 0
    elif phase == Phase.FIGHT:
        g.combat.rows["set_to_defend"] = 0
