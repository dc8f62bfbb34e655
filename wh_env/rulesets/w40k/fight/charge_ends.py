"""Charge moves of small units that the greedy search of the kernel does not find (charge.condition.*, charge.failed).

``core.geometry.charge_moves`` places the models of a unit one after the other, each at the first legal place. For units
of few models (``Charging.sought``) this module then searches the places of all models together. The places of a model
are:

- the place where it stands;
- places round every model of a target: ``RING`` directions at each of ``SHORT`` of Engagement Range (across an area: of
  the reach across it);
- points where two of these circles cross or are nearest to each other: the reach of its move, Engagement Range of
  enemies and the bases of other models (exact for round bases, else the circles round them);
- a grid of ``STEP`` inches over all that it may move, for a model that only keeps the unit in coherency;
- for the model placed last, crossings with the circles of coherency round the others.

Heights are those of where it stands and of the target models; facings stay. A set of places must engage the targets and
keep coherency. Every order of the models is tried, each model on a straight path or one with one bend, and the move is
judged as if the player had made it. At most ``JUDGED`` sets are tried, shortest ways first. So an end is missed only if
all ends are narrower than these places, are engaged through a barrier alone, or need a turn or a path with two bends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, permutations
from math import inf
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.charge_moves import is_stuck_in_block
from wh_env.core.geometry.engaged import units_engaged
from wh_env.core.geometry.paths import SAME_FOR_ALL, set_pose
from wh_env.core.geometry.shapes import EPS
from wh_env.core.geometry.single import find_path
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.ways import Way
from wh_env.rulesets.w40k.fight.charge_places import (
    BUCKETS,
    DECIMALS,
    NEAR,
    cross_lines,
    find_covers,
    find_ends,
    find_nearest,
    find_pairs,
    find_surfaces,
    find_thirds,
    ring_round,
)
from wh_env.rulesets.w40k.questions.move_limits import own_limits

MOST = 3  # models of a unit whose places can be looked through
RING = 36  # directions
SHORT = (1.0, 0.5, 0.0)  # of Engagement Range
STEP = 0.5  # inches
JUDGED = 300  # sets of places
FITTED = 200  # sets of places of all models but the last
THIRDS = 8  # places of a third model for each pair of places of two others
TOUCH = 0.002  # inches between bases that are set down side by side
CLEAR = 3e-4  # inches beyond a reach that must not be entered
ALLOWED = 5.0 * EPS  # inches that the tolerances of a move and of a reach add up to at most
ANY_HEIGHT = 1e6  # inches
POINTS = 2  # of a path
Circles = Array  # (lines, 3): x and y of the middle, radius
Wanted = Callable[[Array], Array]  # takes targets engaged (places, targets), returns which places to keep (places,)
Judge = Callable[[Array, Array, Array], bool]  # takes rows of models in order, their paths, the points of each path


class Charge(NamedTuple):
    """The unit, the way and the targets of a charge whose ends are searched."""

    g: BattleCore
    unit: int
    way: Way
    limits: Array
    models: list[int]  # rows of the models of the unit
    inches: float
    targets: list[int]  # units


class Places(NamedTuple):
    """Places of one model: first those that engage a target, each group sorted by its distance from the model."""

    pose: Array  # (places, 3): x, y, z
    away: Array  # inches from where it stands
    covers: Array  # (places, targets): targets engaged there


# ---------------------------------------------------------------- lines and points


def circles(x: Array, y: Array, radius: Array) -> Circles:
    """Circles in plan, (lines, 3), of their middles and radii in inches."""
    lines: Circles = np.stack((x, y, radius), axis=1)
    return lines


def round_models(charge: Charge, model: int, others: Array, wider: float) -> Circles:
    """Circles on which the middle of the model lies if its round base is ``wider`` inches from the base of one of
    ``others``.
    """
    m = charge.g.models.rows
    return circles(m["x"][others], m["y"][others], m["radius"][others] + m["radius"][model] + wider)


def crossings(charge: Charge, model: int, one: Circles, two: Circles) -> Array:
    """(points, 2): points of ``cross_lines`` for two groups of circles that lie within the model's move."""
    g = charge.g
    points = np.empty((4 * len(one) * len(two), 2))
    x, y = g.models.x[model], g.models.y[model]
    count = g.work.call(cross_lines, one, two, x, y, charge.inches, points)
    return points[:count]


def near_enough(charge: Charge, model: int, others: Array, reach: float) -> Array:
    """Rows of those ``others`` to within ``reach`` inches of which a move can bring the model; it measures between
    circles.
    """
    rows, m = charge.g.models.rows, charge.g.models
    far = charge.inches + reach + m.radius[model] + rows["radius"][others] + EPS
    near: Array = others[np.hypot(rows["x"][others] - m.x[model], rows["y"][others] - m.y[model]) <= far]
    return near


def lines_for(charge: Charge, model: int) -> tuple[Circles, Circles]:
    """All circles on which ends of the model may lie, wherever its unit ends; and those of them on which it engages a
    target.
    """
    g, row, m = charge.g, charge.limits[0], charge.g.models.rows
    engage = float(row["engage"])
    standing = np.flatnonzero((m["on_table"] == 1) & (m["unit"] != charge.unit))
    near = near_enough(charge, model, standing, engage)
    wanted = g.charge_targets_array[m["unit"][near]] != 0
    aims, kept_off = near[wanted], near[~wanted & (m["owner"][near] != g.units.owner[charge.unit])]
    reach = np.array([[g.models.x[model], g.models.y[model], charge.inches]])
    engaging = round_models(charge, model, aims, engage)
    across = (
        round_models(charge, model, aims, float(row["engage_across"])) if row["engage_across"] > engage else engaging
    )
    rest = (
        round_models(charge, model, kept_off, engage + CLEAR),
        round_models(charge, model, near, TOUCH),
    )
    return np.concatenate((reach, engaging, across, *rest)), np.concatenate((engaging, across))


def ring(charge: Charge, model: int) -> Array:
    """(points, 2): places round the models of the targets that lie within the model's move."""
    g, row = charge.g, charge.limits[0]
    reach = float(max(row["engage"], row["engage_across"]))
    aims = np.array([k for target in charge.targets for k in g.members(target)], np.int64)
    parts = [float(row["engage"]) * part for part in SHORT]
    parts += [reach * part for part in SHORT[:2]] if reach > row["engage"] else []
    near = near_enough(charge, model, aims, reach)
    points = np.empty((len(near) * len(parts) * RING, 2))
    count = g.work.call(ring_round, g.models.rows, model, near, np.array(parts), RING, TOUCH, charge.inches, points)
    return points[:count]


def grid(charge: Charge, model: int) -> Array:
    """(points, 2): the model's own place and a square grid of ``STEP`` inches within its move."""
    m = charge.g.models
    x, y = m.x[model], m.y[model]
    most = int(charge.inches / STEP)
    steps = np.arange(-most, most + 1) * STEP
    points = np.stack(np.meshgrid(steps + x, steps + y), axis=2).reshape(-1, 2)
    points = np.concatenate([[(x, y)], points]).round(DECIMALS)
    near: Array = points[np.hypot(points[:, 0] - x, points[:, 1] - y) <= charge.inches + EPS]
    return near


# ---------------------------------------------------------------- places of one model


def places(charge: Charge, model: int, points: Array, wanted: Wanted, alone: bool = False) -> Places:
    """Places of the model at ``points`` (n x 2, inches) to which it has a path past all models but those of its own
    unit.

    ``wanted`` picks points by the targets near enough to be engaged. If ``alone``, the model must engage enough targets
    itself.
    """
    g, m, call = charge.g, charge.g.models.rows, charge.g.work.call
    me = m[model]
    x0, y0, z0 = (float(me[column]) for column in ("x", "y", "z"))
    near = roughly(charge, model, points)
    content = wanted(near)
    points, near = once(points[content], near[content])
    if not len(points):
        return sorted_places({}, (x0, y0), len(charge.targets))
    limits, targets = own_limits(charge.limits, model), g.charge_targets_array
    blocks, corners = charge.way.blocks, g.setup.corners
    heights = np.array(sorted({z0, *(float(m["z"][k]) for target in charge.targets for k in g.members(target))}))
    stands = np.empty((len(points), len(heights)))
    call(find_surfaces, m, blocks, corners, limits, model, charge.inches, points, heights, stands)
    spots = [(n, z) for n, found in enumerate(stands.tolist()) for z in set(found) if z >= 0.0]
    rows = [n for n, _ in spots]
    poses, covers, legal = np.empty((len(spots), 3)), near[rows], np.zeros(len(spots), bool)
    poses[:, :2], poses[:, 2] = points[rows], [z for _, z in spots]
    call(
        find_ends,
        m,
        g.units.rows,
        blocks,
        corners,
        g.objectives.rows,
        limits,
        targets,
        charge.unit,
        model,
        charge.inches,
        np.array(charge.targets, np.int32),
        poses,
        np.zeros((POINTS, 4)),
        g.work.marks,
        covers,
        legal,
        alone,
    )
    ends = {tuple(pose): engaged for pose, engaged in zip(poses[legal].tolist(), covers[legal], strict=True)}
    return sorted_places(ends, (x0, y0), len(charge.targets))


def once(points: Array, near: Array) -> tuple[Array, Array]:
    """Remove repeated points: the points sorted by x, then y, and the rows of ``near`` that belong to them."""
    order = np.lexsort((points[:, 1], points[:, 0]))
    points = points[order]
    new = np.ones(len(points), bool)
    new[1:] = (points[1:] != points[:-1]).any(1)
    return points[new], near[order][new]


def anywhere(covers: Array) -> Array:
    """A ``Wanted`` that keeps every place."""
    return np.ones(len(covers), bool)


def engaged_there(covers: Array) -> Array:
    """A ``Wanted`` that keeps places from which at least one target is engaged."""
    some: Array = np.asarray(covers.any(1))
    return some


def enough(charge: Charge, covers: Array) -> Array:
    """Whether the targets engaged (last axis of ``covers``) are enough: all, or one if the limits do not need all."""
    done: Array = np.asarray(covers.all(-1) if charge.limits[0]["need_all"] else covers.any(-1))
    return done


def any_of(covers: Sequence[Array]) -> Array:
    """(targets,): the targets that any of these places engages."""
    engaged: Array = np.asarray(np.concatenate(covers).any(0))
    return engaged


def roughly(charge: Charge, model: int, points: Array) -> Array:
    """(points, targets): targets that the model might engage from each point, measured between circles."""
    g, row = charge.g, charge.limits[0]
    reach = float(max(row["engage"], row["engage_across"])) + g.models.radius[model] + EPS
    covers = np.empty((len(points), len(charge.targets)), bool)
    aims = np.array(charge.targets, np.int32)
    g.work.call(find_covers, g.models.rows, g.units.rows, aims, reach, points, covers)
    return covers


def sorted_places(found: Mapping[tuple[float, ...], Array], start: tuple[float, float], targets: int) -> Places:
    """``Places`` in their order, from targets engaged by (x, y, z); ``start`` is where the model stands."""
    pose = np.array(list(found), float).reshape(-1, 3)
    covers = np.array(list(found.values()), bool).reshape(-1, targets)
    away = np.hypot(pose[:, 0] - start[0], pose[:, 1] - start[1])
    order = np.lexsort((away, ~covers.any(1)))
    return Places(pose[order], away[order], covers[order])


def engaging_ones(found: Places) -> Places:
    """The places from which a target is engaged."""
    count = int(found.covers.any(1).sum())
    return Places(*(column[:count] for column in found))


# ---------------------------------------------------------------- places of all models


class Sets:
    """Sets of places, one place for each model, at which the models can stand together. It measures between circles."""

    def __init__(self, charge: Charge, found: list[Places]) -> None:
        self.charge, self.found = charge, found
        rows = charge.g.models.rows[charge.models]
        self.within = np.minimum(rows["half_a"], rows["half_b"])
        self.round = rows["radius"]
        self.heights = rows["height"]
        self.need_all = bool(charge.limits[0]["need_all"])

    def beside(self, i: int, j: int) -> tuple[float, ...]:
        """The distances in inches that models ``i`` and ``j`` keep, in the order of ``keep`` in ``stand_beside``."""
        row = self.charge.limits[0]
        apart, near = self.within[i] + self.within[j], self.round[i] + self.round[j] + row["coherency"] + 2.0 * EPS
        return apart, self.heights[i] - EPS, self.heights[j] - EPS, near, row["coherency_z"] + EPS

    def between(self, i: int, j: int, a: Array, b: Array) -> tuple[Array, Array]:
        """Whether models ``i`` and ``j`` can stand at their places ``a`` and ``b`` (indices) together, and are in
        coherency there.
        """
        (apart, over, under, near, rise), one, two = self.beside(i, j), self.found[i].pose[a], self.found[j].pose[b]
        away = np.hypot(one[..., 0] - two[..., 0], one[..., 1] - two[..., 1])
        up = two[..., 2] - one[..., 2]
        return (away >= apart) | (up >= over) | (-up >= under), (away <= near) & (np.abs(up) <= rise)

    def shortest(
        self,
        i: int,
        j: int,
        one: Array,
        two: Array,
        most: int,
        given: Array | None = None,
        near: bool = False,
        apart: float = inf,
    ) -> tuple[Array, Array, Array]:
        """Indices of the ``most`` pairs of places of models ``i`` and ``j`` with the least sum of ``one`` and ``two``
        (inches, by place), in rising order, and the sums. See ``find_pairs`` for the tests.

        ``given``: targets engaged by other models. ``near``: the pair must be in coherency. ``apart``: greatest
        distance, inches.
        """
        first, second, call = self.found[i], self.found[j], self.charge.g.work.call
        given = np.zeros(len(self.charge.targets), bool) if given is None else given
        arguments = (
            first.pose,
            second.pose,
            one,
            two,
            first.covers,
            second.covers,
            given,
            np.array(self.beside(i, j)),
            self.need_all,
            near,
            apart,
            most,
        )
        pairs, counts = np.empty((0, 2), np.int64), np.empty(BUCKETS, np.int64)
        pairs = np.empty((call(find_pairs, *arguments, counts, pairs), 2), np.int64)
        if len(pairs):
            call(find_pairs, *arguments, counts, pairs)
        length = one[pairs[:, 0]] + two[pairs[:, 1]]
        order = np.argsort(length, kind="stable")[:most]
        return pairs[order, 0], pairs[order, 1], length[order]

    def stands_by(self, points: Array, last: int, rest: Sequence[int], at: tuple[int, ...]) -> Array:
        """(points,): whether model ``last`` at each point would keep coherency with the models ``rest`` at their places
        ``at``, in plan.
        """
        close = np.zeros(len(points), np.int64)
        for k, a in zip(rest, at, strict=True):
            x, y, _ = self.found[k].pose[a]
            _, _, _, near, _ = self.beside(k, last)
            close += np.hypot(points[:, 0] - x, points[:, 1] - y) <= near
        if len(rest) == 2:
            close += self.between(rest[0], rest[1], *(np.full(1, a) for a in at))[1]
        whole: Array = close >= len(rest)
        return whole

    def every(self) -> list[tuple[tuple[int, ...], float]]:
        """Sets of indices of places with the sum of the ways in inches, the shortest first."""
        if not all(len(each.pose) for each in self.found):
            return []
        alone, two, three = self.of_one, self.of_two, self.of_three
        return sorted((alone, two, three)[len(self.found) - 1](), key=lambda item: item[1])

    def of_one(self) -> list[tuple[tuple[int, ...], float]]:
        """The sets of a single model: places that engage enough targets."""
        good = self.found[0]
        return [((int(a),), float(good.away[a])) for a in np.flatnonzero(enough(self.charge, good.covers))]

    def of_two(self) -> list[tuple[tuple[int, ...], float]]:
        """The sets of two models."""
        one, two = self.found
        a, b, length = self.shortest(0, 1, one.away, two.away, JUDGED, near=True)
        return list(zip(zip(a.tolist(), b.tolist(), strict=True), length.tolist(), strict=True))

    def of_three(self) -> list[tuple[tuple[int, ...], float]]:
        """The sets of three models: two that engage enough and a third in coherency; else three that engage different
        targets.
        """
        sets: dict[tuple[int, ...], float] = {}
        for i, j in combinations(range(3), 2):
            k = 3 - i - j
            a, b, c = self.with_thirds(i, j, k)
            length = self.found[i].away[a] + self.found[j].away[b] + self.found[k].away[c]
            at = {i: a.tolist(), j: b.tolist(), k: c.tolist()}
            sets.update(zip(zip(at[0], at[1], at[2], strict=True), length.tolist(), strict=True))
        if not sets and self.need_all and len(self.charge.targets) > 2:
            sets = dict(Sets(self.charge, [engaging_ones(each) for each in self.found]).each_another())
        return list(sets.items())

    def with_thirds(self, i: int, j: int, k: int) -> Array:
        """(3, sets): indices of places of two models that engage enough, shortest ways first, and of a third beside
        them.
        """
        one, two, rest = self.found[i], self.found[j], self.found[k]
        keep = np.array([self.beside(i, j), self.beside(i, k), self.beside(j, k)])
        thirds = np.empty((JUDGED * THIRDS, 3), np.int64)
        # farther apart no third model keeps the two in coherency
        apart = float(max(keep[0, NEAR], keep[1, NEAR] + keep[2, NEAR])) + EPS
        for most in (4 * JUDGED, len(one.pose) * len(two.pose)):  # the first few pairs are nearly always enough
            a, b, _ = self.shortest(i, j, one.away, two.away, most, apart=apart)
            pairs, count = self.charge.g.work.call(
                find_thirds, one.pose, two.pose, rest.pose, a, b, keep, JUDGED, THIRDS, thirds
            )
            if pairs == JUDGED or len(a) < most:
                break
        return thirds[:count].T

    def each_another(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """The sets of three models that engage enough only together, and their lengths."""
        one, two, three = self.found
        if not enough(self.charge, any_of([each.covers for each in self.found])):
            return
        every_b, every_c = np.arange(len(two.pose)), np.arange(len(three.pose))
        pairs: dict[bytes, tuple[Array, ...]] = {}  # pairs of places of the others by the targets of the first
        for a in range(len(one.pose)):
            engaged = one.covers[a]
            known = engaged.tobytes()
            if known not in pairs:
                most = len(two.pose) * len(three.pose)
                b, c, length = self.shortest(1, 2, two.away, three.away, most, given=engaged)
                pairs[known] = b, c, length, self.between(1, 2, b, c)[1]
            b, c, length, bc = pairs[known]
            at = np.full(1, a)
            (free_b, ab), (free_c, ac) = self.between(0, 1, at, every_b), self.between(0, 2, at, every_c)
            ab, ac = ab[b], ac[c]
            good = free_b[b] & free_c[c] & ((ab & ac) | (ab & bc) | (ac & bc))
            for n in np.flatnonzero(good)[:THIRDS]:
                yield (a, int(b[n]), int(c[n])), float(one.away[a] + length[n])


# ---------------------------------------------------------------- the search


def is_small(g: BattleCore, unit: int) -> bool:
    """Whether the unit has few enough models for this search."""
    return 0 < sum(1 for _ in g.members(unit)) <= min(MOST, edition(g).charging.sought)


def seek(g: BattleCore, unit: int, way: Way, limits: Array, inches: float, judge: Judge) -> bool:
    """Search a Charge move of ``inches`` for a small unit on one way. Returns True once ``judge`` has made a move; else
    no model has moved.

    ``limits``: limits of the move on that way.
    """
    targets = [target for target, wanted in enumerate(g.charge_targets) if wanted]
    limits = limits.copy()
    limits["mode"], limits["extra"] = SAME_FOR_ALL, inches
    models = list(g.members(unit))
    charge = Charge(g, unit, way, limits, models, inches, targets)
    if not in_reach(charge):
        return False
    own = [engaging_places(charge, model) for model in models]
    if not enough(charge, any_of([each.covers for each in own])):
        return False
    found = own
    if len(models) > 1:
        found = [with_more(charge, model, each) for model, each in zip(models, own, strict=True)]
    sets = Sets(charge, found)
    for at, _ in sets.every()[:JUDGED]:
        if made(charge, [each.pose[a] for each, a in zip(found, at, strict=True)], judge):
            return True
    return len(models) > 1 and any(made(charge, ends, judge) for ends in fitted(charge, sets, JUDGED))


def in_reach(charge: Charge) -> bool:
    """Whether each target, or one if that is enough, is near enough to a model to be engaged after the move."""
    g, row = charge.g, charge.limits[0]
    far = charge.inches + float(max(row["engage"], row["engage_across"])) + ALLOWED
    tables = g.models.rows, g.units.rows, charge.unit
    near = (g.work.call(units_engaged, *tables, target, far, ANY_HEIGHT) for target in charge.targets)
    return all(near) if row["need_all"] else any(near)


def engaging_places(charge: Charge, model: int) -> Places:
    """Places from which the model engages a target, wherever its unit ends; none if it is stuck in a block."""
    g = charge.g
    if g.work.call(is_stuck_in_block, g.models.rows, charge.way.blocks, g.setup.corners, charge.limits, model):
        return sorted_places({}, (g.models.x[model], g.models.y[model]), len(charge.targets))
    lines, engaging = lines_for(charge, model)
    points = np.concatenate([ring(charge, model), crossings(charge, model, engaging, lines)])
    alone = len(charge.models) == 1
    return places(charge, model, points, partial(enough, charge) if alone else engaged_there, alone)


def with_more(charge: Charge, model: int, own: Places) -> Places:
    """``own`` and the places of the grid, from which the model keeps the unit in coherency."""
    m = charge.g.models
    start = m.x[model], m.y[model]
    more = places(charge, model, grid(charge, model), anywhere)
    found = {
        tuple(pose): covers
        for both in (own, more)
        for pose, covers in zip(both.pose.tolist(), both.covers, strict=True)
    }
    return sorted_places(found, start, len(charge.targets))


def fitted(charge: Charge, sets: Sets, most: int) -> Iterator[list[Array]]:
    """Yield at most ``most`` lists of ends of all models in which one model is fitted to the ends of the others."""
    count, row = len(charge.models), charge.limits[0]
    given = 0
    for last in range(count):
        rest = [k for k in range(count) if k != last]
        lines, _ = lines_for(charge, charge.models[last])
        others = [sets.found[k] for k in rest]
        radius = np.array([sets.round[k] + sets.round[last] for k in rest])
        for at in partial_sets(sets, rest, last):
            stand = np.array([each.pose[a] for each, a in zip(others, at, strict=True)])
            close = [circles(stand[:, 0], stand[:, 1], radius + more) for more in (float(row["coherency"]), TOUCH)]
            beside = np.concatenate(close)
            points = crossings(charge, charge.models[last], beside, np.concatenate([lines, beside]))
            points = points[sets.stands_by(points, last, rest, at)]
            if not len(points):
                continue
            engaged = any_of([each.covers[a : a + 1] for each, a in zip(others, at, strict=True)])
            end = places(charge, charge.models[last], points, partial(with_those, charge, engaged))
            if not len(end.pose):
                continue
            found = [Places(*(column[a : a + 1] for column in each)) for each, a in zip(others, at, strict=True)]
            found.insert(last, end)
            for index, _ in Sets(charge, found).every()[:8]:
                yield [each.pose[a] for each, a in zip(found, index, strict=True)]
                given += 1
                if given >= most:
                    return


def with_those(charge: Charge, engaged: Array, covers: Array) -> Array:
    """A ``Wanted`` that keeps places that engage enough targets together with ``engaged``."""
    return enough(charge, covers | engaged)


def partial_sets(sets: Sets, rest: Sequence[int], last: int) -> list[tuple[int, ...]]:
    """Sets of places of the models ``rest`` to which ``last`` could be fitted, those nearest to the last one's goals
    first.
    """
    covers, final = [sets.found[k].covers for k in rest], sets.found[last]
    wanted = any_of([final.covers])  # targets that the last could engage
    goal = final.pose[final.covers.any(1)] if wanted.any() else final.pose
    if not len(goal):  # the last model has no place on this way: use where it stands
        me = sets.charge.g.models.rows[sets.charge.models[last]]
        goal = np.array([[me["x"], me["y"], me["z"]]])
    ends = [sets.found[k].pose for k in rest]
    far = [np.empty(len(end)) for end in ends]
    for end, least in zip(ends, far, strict=True):
        sets.charge.g.work.call(find_nearest, end, np.ascontiguousarray(goal), least)
    if len(rest) == 1:
        good = enough(sets.charge, covers[0] | wanted) & engaged_there(covers[0])
        return [(int(a),) for a in np.argsort(np.where(good, far[0], np.inf), kind="stable")[:FITTED] if good[a]]
    a, b, _ = sets.shortest(rest[0], rest[1], far[0], far[1], FITTED, given=wanted)
    return list(zip(a.tolist(), b.tolist(), strict=True))


def made(charge: Charge, ends: Sequence[Array], judge: Judge) -> bool:
    """Whether the models can move to ``ends`` one after the other in some order and ``judge`` makes that move."""
    g, m, models = charge.g, charge.g.models, charge.models
    starts = [(m.x[k], m.y[k], m.z[k], m.facing[k]) for k in models]
    blocks, corners, targets = charge.way.blocks, g.setup.corners, g.charge_targets_array
    for order in permutations(range(len(models))):
        paths, counts = np.zeros((len(models), POINTS, 4)), np.zeros(len(models), np.int32)
        legal = True
        for number, k in enumerate(order):
            x, y, z = ends[k].tolist()
            if (x, y, z) == starts[k][:3]:
                continue
            counts[number] = g.work.call(
                find_path, m.rows, blocks, corners, g.objectives.rows, own_limits(charge.limits, models[k]), targets,
                models[k], x, y, z, starts[k][3], paths[number], g.work.marks, -1, -1, True,
            )  # fmt: skip
            if not counts[number]:
                legal = False
                break
            set_pose(m.rows, models[k], x, y, z, starts[k][3])
        for k, start in zip(models, starts, strict=True):
            set_pose(m.rows, k, *start)
        if legal and judge(np.array([models[k] for k in order], np.int32), paths, counts):
            return True
    return False
