"""Charge moves of small units that the kernel's greedy way does not find (charge.condition.*, charge.failed).

``core.geometry.charge_moves`` sets the models of a unit down one after the other, each at the first place that will do.
For units of few models (``Charging.sought``) all places together are looked through afterwards. What is looked through,
of each model:

- the place where it stands;
- places all round every model of a target, ``RING`` directions at each of ``SHORT`` of Engagement Range (across an
  area: of the reach across it);
- the points at which two of these lines cross, and those at which they are nearest to each other: as far as it may
  move, Engagement Range of enemies and the bases of whoever stands there (exact for round bases, of the circles round
  all others);
- for a model that only keeps the unit together a grid of ``STEP`` inches of all that it may move;
- for the model that is set down last, the crossings with its coherency with the others where they end then.

Heights are that of where it stands and those of the models of the targets, facings stay. Every set of places with which
all targets are engaged and the unit is in coherency is tried in every order of the models, each on a straight way or
with one bend, and judged as if the player had made the move, ``JUDGED`` sets at most: those with the shortest ways. So
an end is denied only where each is narrower than all these, or is engaged through a barrier alone, or needs a turn or a
way with two bends.
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
from wh_env.core.geometry.paths import SAME_FOR_ALL, set_pose
from wh_env.core.geometry.shapes import EPS, units_engaged
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
FITTED = 200  # sets of all but one, to which the last is fitted
THIRDS = 8  # places of a third model that stands by two others
TOUCH = 0.002  # inches between bases that are set down side by side
CLEAR = 3e-4  # inches beyond a reach that must not be entered
ALLOWED = 5.0 * EPS  # inches that the tolerances of a move and of a reach add up to at most
ANY_HEIGHT = 1e6  # inches
POINTS = 2  # of a path
Circles = Array  # (lines, 3): x and y of the middle, radius
Wanted = Callable[[Array], Array]  # (places, targets): whether they might be engaged, to (places,)
Judge = Callable[[Array, Array, Array], bool]  # of the order of the models, their paths, how many points these have


class Charge(NamedTuple):
    """A charge that is looked for."""

    g: BattleCore
    unit: int
    way: Way
    limits: Array
    models: list[int]  # rows of those that may move
    inches: float
    targets: list[int]  # units


class Places(NamedTuple):
    """Places of one model, those that engage somebody first, each group by the length of its way."""

    pose: Array  # (places, 3): x, y, z
    away: Array  # inches from where it stands
    covers: Array  # (places, targets): whom it engages


# ---------------------------------------------------------------- lines and points


def circles(x: Array, y: Array, radius: Array) -> Circles:
    """Lines in plan."""
    lines: Circles = np.stack((x, y, radius), axis=1)
    return lines


def round_models(charge: Charge, model: int, others: Array, wider: float) -> Circles:
    """Where the middle of the model is so many inches from the others."""
    m = charge.g.models.rows
    return circles(m["x"][others], m["y"][others], m["radius"][others] + m["radius"][model] + wider)


def crossings(charge: Charge, model: int, one: Circles, two: Circles) -> Array:
    """(points, 2): where a line of the first crosses one of the second, and on both sides where the two are nearest to
    each other; those that the model may reach.
    """
    g = charge.g
    points = np.empty((4 * len(one) * len(two), 2))
    x, y = g.models.x[model], g.models.y[model]
    count = g.work.call(cross_lines, one, two, x, y, charge.inches, points)
    return points[:count]


def near_enough(charge: Charge, model: int, others: Array, reach: float) -> Array:
    """Those of the other models that moves of the model can come so near to."""
    rows, m = charge.g.models.rows, charge.g.models
    far = charge.inches + reach + m.radius[model] + rows["radius"][others] + EPS
    near: Array = others[np.hypot(rows["x"][others] - m.x[model], rows["y"][others] - m.y[model]) <= far]
    return near


def lines_for(charge: Charge, model: int) -> tuple[Circles, Circles]:
    """Lines on which ends of the model may lie whatever the rest of the unit does; and those of them that engage a
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
    """(points, 2): places all round the models of the targets, those that the model may reach."""
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
    """(points, 2): places all over where the model may move."""
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
    """Those of the points, which it may reach, at which the model may stand and to which it has a way past all but its
    own unit, and at which ``wanted`` is content with the targets that it is near enough to engage.

    ``alone``: of a unit of one model, which has to engage enough of them by itself.
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
    """Each point once, sorted, with what is said of it."""
    order = np.lexsort((points[:, 1], points[:, 0]))
    points = points[order]
    new = np.ones(len(points), bool)
    new[1:] = (points[1:] != points[:-1]).any(1)
    return points[new], near[order][new]


def anywhere(covers: Array) -> Array:
    """Wants nothing."""
    return np.ones(len(covers), bool)


def engaged_there(covers: Array) -> Array:
    """Wants some target to be engaged."""
    some: Array = np.asarray(covers.any(1))
    return some


def enough(charge: Charge, covers: Array) -> Array:
    """Whether those engaged (last axis: targets) are enough."""
    done: Array = np.asarray(covers.all(-1) if charge.limits[0]["need_all"] else covers.any(-1))
    return done


def any_of(covers: Sequence[Array]) -> Array:
    """Whom any of these places engages."""
    engaged: Array = np.asarray(np.concatenate(covers).any(0))
    return engaged


def roughly(charge: Charge, model: int, points: Array) -> Array:
    """(points, targets): which targets the model might engage there, as far as the circles round bases say."""
    g, row = charge.g, charge.limits[0]
    reach = float(max(row["engage"], row["engage_across"])) + g.models.radius[model] + EPS
    covers = np.empty((len(points), len(charge.targets)), bool)
    aims = np.array(charge.targets, np.int32)
    g.work.call(find_covers, g.models.rows, g.units.rows, aims, reach, points, covers)
    return covers


def sorted_places(found: Mapping[tuple[float, ...], Array], start: tuple[float, float], targets: int) -> Places:
    """Places in their order."""
    pose = np.array(list(found), float).reshape(-1, 3)
    covers = np.array(list(found.values()), bool).reshape(-1, targets)
    away = np.hypot(pose[:, 0] - start[0], pose[:, 1] - start[1])
    order = np.lexsort((away, ~covers.any(1)))
    return Places(pose[order], away[order], covers[order])


def engaging_ones(found: Places) -> Places:
    """Those that engage somebody."""
    count = int(found.covers.any(1).sum())
    return Places(*(column[:count] for column in found))


# ---------------------------------------------------------------- places of all models


class Sets:
    """Sets of places, one for each model, that hold together as far as circles say."""

    def __init__(self, charge: Charge, found: list[Places]) -> None:
        self.charge, self.found = charge, found
        rows = charge.g.models.rows[charge.models]
        self.within = np.minimum(rows["half_a"], rows["half_b"])
        self.round = rows["radius"]
        self.heights = rows["height"]
        self.need_all = bool(charge.limits[0]["need_all"])

    def beside(self, i: int, j: int) -> tuple[float, ...]:
        """What two models keep to beside each other, in the order of ``stand_beside``."""
        row = self.charge.limits[0]
        apart, near = self.within[i] + self.within[j], self.round[i] + self.round[j] + row["coherency"] + 2.0 * EPS
        return apart, self.heights[i] - EPS, self.heights[j] - EPS, near, row["coherency_z"] + EPS

    def between(self, i: int, j: int, a: Array, b: Array) -> tuple[Array, Array]:
        """Whether two models can stand at their places ``a`` and ``b`` together, and are in coherency there."""
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
        """The ``most`` pairs of places of two models that engage enough and at which both can stand together, those
        with the least sum of ``one`` and ``two`` (inches, by place) first; and these sums.

        ``given``: what is engaged besides. ``near``: they are in coherency. ``apart``: inches in plan that the two are
        apart at most.
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
        """Whether one model may keep the unit together at these points, with the others at these of their places, as
        far as the plan says.
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
        """Sets of indices of places, and how far all move together."""
        if not all(len(each.pose) for each in self.found):
            return []
        alone, two, three = self.of_one, self.of_two, self.of_three
        return sorted((alone, two, three)[len(self.found) - 1](), key=lambda item: item[1])

    def of_one(self) -> list[tuple[tuple[int, ...], float]]:
        """The sets of a lone model."""
        good = self.found[0]
        return [((int(a),), float(good.away[a])) for a in np.flatnonzero(enough(self.charge, good.covers))]

    def of_two(self) -> list[tuple[tuple[int, ...], float]]:
        """The sets of two models."""
        one, two = self.found
        a, b, length = self.shortest(0, 1, one.away, two.away, JUDGED, near=True)
        return list(zip(zip(a.tolist(), b.tolist(), strict=True), length.tolist(), strict=True))

    def of_three(self) -> list[tuple[tuple[int, ...], float]]:
        """The sets of three models: two that engage enough and one that stands by them, or three that each engage
        somebody else.
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
        """(3, sets): places of two models that engage enough, the shortest ways first, and of a third that stands by
        them.
        """
        one, two, rest = self.found[i], self.found[j], self.found[k]
        keep = np.array([self.beside(i, j), self.beside(i, k), self.beside(j, k)])
        thirds = np.empty((JUDGED * THIRDS, 3), np.int64)
        apart = (
            float(max(keep[0, NEAR], keep[1, NEAR] + keep[2, NEAR])) + EPS
        )  # farther apart nobody keeps them together
        for most in (4 * JUDGED, len(one.pose) * len(two.pose)):  # seldom more than the first few are needed
            a, b, _ = self.shortest(i, j, one.away, two.away, most, apart=apart)
            pairs, count = self.charge.g.work.call(
                find_thirds, one.pose, two.pose, rest.pose, a, b, keep, JUDGED, THIRDS, thirds
            )
            if pairs == JUDGED or len(a) < most:
                break
        return thirds[:count].T

    def each_another(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """The sets of three models none of which can be spared: none where two engage enough and the third stands by
        them.
        """
        one, two, three = self.found
        if not enough(self.charge, any_of([each.covers for each in self.found])):
            return
        every_b, every_c = np.arange(len(two.pose)), np.arange(len(three.pose))
        pairs: dict[bytes, tuple[Array, ...]] = {}  # of the others by whom the first engages, the shortest first
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
    """Whether the unit has so few models that all places of all of them are looked through."""
    return 0 < sum(1 for _ in g.members(unit)) <= min(MOST, edition(g).charging.sought)


def seek(g: BattleCore, unit: int, way: Way, limits: Array, inches: float, judge: Judge) -> bool:
    """Look for a Charge move of a small unit of so many inches on one of its ways; ``judge`` makes the moves that are
    found until it says that one was legal. Else nobody has moved.

    ``limits``: of the move on that way.
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
    """Whether each target, or where that is enough some, is near enough to some model."""
    g, row = charge.g, charge.limits[0]
    far = charge.inches + float(max(row["engage"], row["engage_across"])) + ALLOWED
    tables = g.models.rows, g.units.rows, charge.unit
    near = (g.work.call(units_engaged, *tables, target, far, ANY_HEIGHT) for target in charge.targets)
    return all(near) if row["need_all"] else any(near)


def engaging_places(charge: Charge, model: int) -> Places:
    """Places at which the model engages a target, whatever the rest of its unit does."""
    g = charge.g
    if g.work.call(is_stuck_in_block, g.models.rows, charge.way.blocks, g.setup.corners, charge.limits, model):
        return sorted_places({}, (g.models.x[model], g.models.y[model]), len(charge.targets))
    lines, engaging = lines_for(charge, model)
    points = np.concatenate([ring(charge, model), crossings(charge, model, engaging, lines)])
    alone = len(charge.models) == 1
    return places(charge, model, points, partial(enough, charge) if alone else engaged_there, alone)


def with_more(charge: Charge, model: int, own: Places) -> Places:
    """These places and others at which the model keeps the unit together."""
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
    """Ends of all models of which the last fits to where the others end, up to so many."""
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
    """Wants enough targets to be engaged together with these."""
    return enough(charge, covers | engaged)


def partial_sets(sets: Sets, rest: Sequence[int], last: int) -> list[tuple[int, ...]]:
    """Places of the models ``rest`` to which the last one could be fitted, those nearest to what it has to reach
    first.
    """
    covers, final = [sets.found[k].covers for k in rest], sets.found[last]
    wanted = any_of([final.covers])  # whom the last could engage
    goal = final.pose[final.covers.any(1)] if wanted.any() else final.pose
    if not len(goal):  # it stands in what this way goes round
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
    """Whether the models can go there one after the other; then they have."""
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
