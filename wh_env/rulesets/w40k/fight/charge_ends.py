"""Charge moves of small units that the kernel's greedy way does not find (charge.condition.*, charge.failed).

``core.geometry.charge_moves`` sets the models of a unit down one after the other, each at the first place that will do. For units of few
models (``Charging.sought``) all places together are looked through afterwards. What is looked through, of each model:

- the place where it stands;
- places all round every model of a target, ``RING`` directions at each of ``SHORT`` of Engagement Range (across an area: of the reach across it);
- the points at which two of these lines cross, and those at which they are nearest to each other: as far as it may move, Engagement Range of
  enemies and the bases of whoever stands there (exact for round bases, of the circles round all others);
- for a model that only keeps the unit together a grid of ``STEP`` inches of all that it may move;
- for the model that is set down last, the crossings with its coherency with the others where they end then.

Heights are that of where it stands and those of the models of the targets, facings stay. Every set of places with which all targets are engaged
and the unit is in coherency is tried in every order of the models, each on a straight way or with one bend, and judged as if the
player had made the move, ``JUDGED`` sets at most: those with the shortest ways. So an end is denied only where each is narrower than all
these, or is engaged through a barrier alone, or needs a turn or a way with two bends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, permutations
from math import pi
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.melee_search import contact_place
from wh_env.core.geometry.paths import SAME_FOR_ALL, set_pose
from wh_env.core.geometry.shapes import EPS
from wh_env.core.geometry.single import find_path
from wh_env.core.tables import CIRCLE, Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.fight.charge_places import find_ends, find_surfaces
from wh_env.rulesets.w40k.move.limits import own_limits
from wh_env.rulesets.w40k.move.ways import Way

MOST = 3  # models of a unit whose places can be looked through
RING = 36  # directions
SHORT = (1.0, 0.5, 0.0)  # of Engagement Range
STEP = 0.5  # inches
JUDGED = 300  # sets of places
FITTED = 200  # sets of all but one, to which the last is fitted
TOUCH = 0.002  # inches between bases that are set down side by side
CLEAR = 3e-4  # inches beyond a reach that must not be entered
POINTS = 2  # of a path
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


class Circles(NamedTuple):
    """Lines in plan."""

    x: Array
    y: Array
    radius: Array


class Places(NamedTuple):
    """Places of one model, those that engage somebody first, each group by the length of its way."""

    pose: Array  # (places, 3): x, y, z
    away: Array  # inches from where it stands
    covers: Array  # (places, targets): whom it engages


# ---------------------------------------------------------------- lines and points


def round_models(charge: Charge, model: int, others: Sequence[int], wider: float) -> Circles:
    """Where the middle of the model is so many inches from the others."""
    rows = charge.g.models.rows
    some = rows[list(others)]
    return Circles(some["x"], some["y"], some["radius"] + rows["radius"][model] + wider)


def joined(lines: Sequence[Circles]) -> Circles:
    """All of them."""
    return Circles(*(np.concatenate(parts) for parts in zip(*lines, strict=True)))


def crossings(one: Circles, two: Circles) -> Array:
    """(points, 2): where a line of the first crosses one of the second, and on both sides where the two are nearest to each other."""
    dx, dy = two.x[None, :] - one.x[:, None], two.y[None, :] - one.y[:, None]
    apart = np.hypot(dx, dy)
    apart = np.where(apart < 1e-9, np.nan, apart)
    a, b = one.radius[:, None], two.radius[None, :]
    along = (apart**2 + a**2 - b**2) / (2.0 * apart)
    across = np.sqrt(np.where(np.abs(along) <= a, a**2 - along**2, np.nan))
    x, y, ux, uy = one.x[:, None], one.y[:, None], dx / apart, dy / apart
    found = [(x + along * ux - side * across * uy, y + along * uy + side * across * ux) for side in (1, -1)]
    found += [(x + side * a * ux, y + side * a * uy) for side in (1, -1)]
    points = np.concatenate([np.stack((px.ravel(), py.ravel()), axis=1) for px, py in found])
    kept: Array = points[np.isfinite(points).all(1)]
    return kept


def near_enough(charge: Charge, model: int, others: Sequence[int], reach: float) -> list[int]:
    """Those of the other models that moves of the model can come so near to."""
    rows = charge.g.models.rows
    m, some = rows[model], rows[list(others)]
    far = charge.inches + reach + m["radius"] + some["radius"] + EPS
    return [k for k, near in zip(others, np.hypot(some["x"] - m["x"], some["y"] - m["y"]) <= far, strict=True) if near]


def lines_for(charge: Charge, model: int) -> tuple[Circles, Circles]:
    """Lines on which ends of the model may lie whatever the rest of the unit does; and those of them that engage a target."""
    g, row, m = charge.g, charge.limits[0], charge.g.models.rows
    engage = float(row["engage"])
    standing = np.flatnonzero((m["on_table"] == 1) & (m["unit"] != charge.unit)).tolist()
    near = near_enough(charge, model, standing, engage)
    aims = [k for k in near if m["unit"][k] in charge.targets]
    kept_off = [k for k in near if m["owner"][k] != g.units.owner[charge.unit] and k not in aims]
    reach = Circles(m["x"][[model]], m["y"][[model]], np.array([charge.inches]))
    engaging = round_models(charge, model, aims, engage)
    across = (
        round_models(charge, model, aims, float(row["engage_across"])) if row["engage_across"] > engage else engaging
    )
    rest = (
        round_models(charge, model, kept_off, engage + CLEAR),
        round_models(charge, model, near, TOUCH),
    )
    return joined((reach, engaging, across, *rest)), joined((engaging, across))


def ring(charge: Charge, model: int) -> Array:
    """(points, 2): places all round the models of the targets."""
    g, m, call = charge.g, charge.g.models, charge.g.work.call
    row = charge.limits[0]
    reach = float(max(row["engage"], row["engage_across"]))
    aims = [k for target in charge.targets for k in g.members(target)]
    parts = [row["engage"] * part for part in SHORT]
    parts += [reach * part for part in SHORT[:2]] if reach > row["engage"] else []
    turns = np.arange(RING) * (2.0 * pi / RING)
    points: list[tuple[float, float]] = []
    for k in near_enough(charge, model, aims, reach):
        ahead = float(np.arctan2(m.y[model] - m.y[k], m.x[model] - m.x[k]))
        for apart in parts:
            if m.shape[model] == m.shape[k] == CIRCLE:
                far = m.radius[model] + m.radius[k] + max(apart, TOUCH)
                points += zip(m.x[k] + far * np.cos(ahead + turns), m.y[k] + far * np.sin(ahead + turns), strict=True)
            else:
                facing = m.facing[model]
                around = (ahead + turns).tolist()
                points += [call(contact_place, m.rows, model, facing, k, at, float(apart)) for at in around]
    return np.array(points, float).reshape(-1, 2)


def grid(charge: Charge, model: int) -> Array:
    """(points, 2): places all over where the model may move."""
    m = charge.g.models
    most = int(charge.inches / STEP)
    steps = np.arange(-most, most + 1) * STEP
    points: Array = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    points[:, 0] += m.x[model]
    points[:, 1] += m.y[model]
    return points


# ---------------------------------------------------------------- places of one model


def places(charge: Charge, model: int, points: Array, wanted: Wanted) -> Places:
    """Those of the points at which the model may stand and to which it has a way past all but its own unit, and at which ``wanted`` is content
    with the targets that it is near enough to engage."""
    g, m, call = charge.g, charge.g.models.rows, charge.g.work.call
    me = m[model]
    x0, y0, z0 = (float(me[column]) for column in ("x", "y", "z"))
    points = np.unique(points.round(9), axis=0)
    points = points[np.hypot(points[:, 0] - x0, points[:, 1] - y0) <= charge.inches + EPS]
    near = roughly(charge, model, points)
    content = wanted(near)
    limits, targets = own_limits(charge.limits, model), g.charge_targets_array
    blocks, corners = charge.way.blocks, g.setup.corners
    heights = np.array(sorted({z0, *(float(m["z"][k]) for target in charge.targets for k in g.members(target))}))
    points, near = points[content], near[content]
    stands = np.empty((len(points), len(heights)))
    call(find_surfaces, m, blocks, corners, limits, model, charge.inches, points, heights, stands)
    spots = [(n, z) for n, found in enumerate(stands.tolist()) for z in set(found) if z >= 0.0]
    rows = [n for n, _ in spots]
    poses, covers, legal = np.empty((len(spots), 3)), near[rows], np.zeros(len(spots), bool)
    poses[:, :2], poses[:, 2] = points[rows], [z for _, z in spots]
    call(
        find_ends, m, g.units.rows, blocks, corners, g.objectives.rows, limits, targets, charge.unit, model,
        charge.inches, np.array(charge.targets, np.int32), poses, np.zeros((POINTS, 4)), g.work.marks, covers, legal,
    )  # fmt: skip
    ends = {tuple(pose): engaged for pose, engaged in zip(poses[legal].tolist(), covers[legal], strict=True)}
    return sorted_places(ends, (x0, y0), len(charge.targets))


def anywhere(covers: Array) -> Array:
    """Wants nothing."""
    return np.ones(len(covers), bool)


def engaged_there(covers: Array) -> Array:
    """Wants some target to be engaged."""
    some: Array = np.asarray(covers.any(1))
    return some


def roughly(charge: Charge, model: int, points: Array) -> Array:
    """(points, targets): which targets the model might engage there, as far as the circles round bases say."""
    g, row, m = charge.g, charge.limits[0], charge.g.models.rows
    reach = float(max(row["engage"], row["engage_across"])) + m["radius"][model] + EPS
    covers = np.zeros((len(points), len(charge.targets)), bool)
    for number, target in enumerate(charge.targets):
        some = m[list(g.members(target))]
        apart = np.hypot(points[:, :1] - some["x"][None, :], points[:, 1:] - some["y"][None, :])
        covers[:, number] = (apart <= reach + some["radius"][None, :]).any(1)
    return covers


def sorted_places(found: Mapping[tuple[float, ...], Array], start: tuple[float, float], targets: int) -> Places:
    """Places in their order."""
    pose = np.array(list(found), float).reshape(-1, 3)
    covers = np.array(list(found.values()), bool).reshape(-1, targets)
    away = np.hypot(pose[:, 0] - start[0], pose[:, 1] - start[1])
    order = np.lexsort((away, ~covers.any(1)))
    return Places(pose[order], away[order], covers[order])


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
        self.pairs = {(i, j): self.between(i, j) for i, j in combinations(range(len(found)), 2)}

    def between(self, i: int, j: int) -> tuple[Array, Array]:
        """By place of both models: whether they can stand there together, and are in coherency."""
        row, one, two = self.charge.limits[0], self.found[i].pose, self.found[j].pose
        apart = np.hypot(one[:, None, 0] - two[None, :, 0], one[:, None, 1] - two[None, :, 1])
        rise = two[None, :, 2] - one[:, None, 2]
        beside = (rise >= self.heights[i] - EPS) | (-rise >= self.heights[j] - EPS)
        free = (apart >= self.within[i] + self.within[j]) | beside
        near = apart <= self.round[i] + self.round[j] + row["coherency"] + 2.0 * EPS
        return free, near & (np.abs(rise) <= row["coherency_z"] + EPS)

    def both(self, i: int, j: int) -> tuple[Array, Array]:
        """``between`` the models in this order."""
        if i < j:
            return self.pairs[i, j]
        free, near = self.pairs[j, i]
        return free.T, near.T

    def enough(self, covers: Array) -> Array:
        """Whether those engaged (last axis: targets) are enough."""
        done: Array = np.asarray(covers.all(-1) if self.need_all else covers.any(-1))
        return done

    def together(self, one: Array, two: Array) -> Array:
        """By place of both models, whether those that they engage are enough."""
        join, whole = (np.logical_and, True) if self.need_all else (np.logical_or, False)
        done: Array = np.full((len(one), len(two)), whole)
        for target in range(one.shape[1]):  # several times as quick as a reduction over so short an axis
            join(done, one[:, None, target] | two[None, :, target], out=done)
        return done

    def every(self) -> list[tuple[tuple[int, ...], float]]:
        """Sets of indices of places, and how far all move together."""
        alone, two, three = self.of_one, self.of_two, self.of_three
        return sorted((alone, two, three)[len(self.found) - 1](), key=lambda item: item[1])

    def of_one(self) -> list[tuple[tuple[int, ...], float]]:
        """The sets of a lone model."""
        good = self.found[0]
        return [((int(a),), float(good.away[a])) for a in np.flatnonzero(self.enough(good.covers))]

    def of_two(self) -> list[tuple[tuple[int, ...], float]]:
        """The sets of two models."""
        one, two = self.found
        free, near = self.pairs[0, 1]
        good = free & near & self.together(one.covers, two.covers)
        length = one.away[:, None] + two.away[None, :]
        return [((int(a), int(b)), float(length[a, b])) for a, b in shortest(good, length)]

    def of_three(self) -> list[tuple[tuple[int, ...], float]]:
        """The sets of three models: two that engage enough and one that stands by them, or three that each engage somebody else."""
        sets: dict[tuple[int, ...], float] = {}
        for i, j in combinations(range(3), 2):
            k = 3 - i - j
            one, two, rest = self.found[i], self.found[j], self.found[k]
            free, near = self.pairs[i, j]
            good = free & self.together(one.covers, two.covers)
            (free_i, near_i), (free_j, near_j) = self.both(i, k), self.both(j, k)
            some = meet(free_i & near_i, free_j & near_j)
            some |= near & (meet(free_i & near_i, free_j) | meet(free_i, free_j & near_j))
            length = one.away[:, None] + two.away[None, :]
            for a, b in shortest(good & some, length):
                close = (near_i[a] & near_j[b]) | ((near_i[a] | near_j[b]) if near[a, b] else False)
                for c in np.flatnonzero(close & free_i[a] & free_j[b])[:8]:
                    at = {i: int(a), j: int(b), k: int(c)}
                    sets[at[0], at[1], at[2]] = float(length[a, b] + rest.away[c])
        if not sets and self.need_all and len(self.charge.targets) > 2:
            sets = dict(self.each_another())
        return list(sets.items())

    def each_another(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """The sets of three models none of which can be spared."""
        one, two, three = self.found
        (free, near), (free_c, near_c), (free_bc, near_bc) = self.pairs[0, 1], self.pairs[0, 2], self.pairs[1, 2]
        length = two.away[:, None] + three.away[None, :]
        pairs: dict[
            bytes, tuple[Array, Array]
        ] = {}  # places of the others by whom the first engages, the shortest first
        for a in np.flatnonzero(one.covers.any(1)):
            engaged = one.covers[a]
            known = engaged.tobytes()
            if known not in pairs:
                pairs[known] = nearest_first(free_bc & self.together(engaged | two.covers, three.covers), length)
            b, c = pairs[known]
            ab, ac, bc = near[a][b], near_c[a][c], near_bc[b, c]
            good = free[a][b] & free_c[a][c] & ((ab & ac) | (ab & bc) | (ac & bc))
            for n in np.flatnonzero(good)[:8]:
                yield (int(a), int(b[n]), int(c[n])), float(one.away[a] + length[b[n], c[n]])


def meet(one: Array, two: Array) -> Array:
    """By rows of both, whether they have a column in common."""
    common: Array = (one.astype(np.float32) @ two.T.astype(np.float32)) > 0.5
    return common


def shortest(good: Array, length: Array) -> list[tuple[int, int]]:
    """Indices of what is good, the shortest first, so many as are judged."""
    rows, columns = nearest_first(good, length)
    return list(zip(rows[:JUDGED].tolist(), columns[:JUDGED].tolist(), strict=True))


def nearest_first(good: Array, length: Array) -> tuple[Array, Array]:
    """Rows and columns of what is good, the shortest first."""
    rows, columns = np.nonzero(good)
    order = np.argsort(length[rows, columns], kind="stable")
    return rows[order], columns[order]


# ---------------------------------------------------------------- the search


def seek(g: BattleCore, unit: int, way: Way, limits: Array, inches: float, judge: Judge) -> bool:
    """Look for a Charge move of a small unit of so many inches on one of its ways; ``judge`` makes the moves that are found until it says
    that one was legal. Else nobody has moved.

    ``limits``: of the move on that way.
    """
    models = list(g.members(unit))
    targets = [target for target, wanted in enumerate(g.charge_targets) if wanted]
    if not 0 < len(models) <= min(MOST, edition(g).charging.sought) or inches <= 0.0:
        return False
    limits = limits.copy()
    limits["mode"], limits["extra"] = SAME_FOR_ALL, inches
    charge = Charge(g, unit, way, limits, models, inches, targets)
    if not in_reach(charge):
        return False
    own = [engaging_places(charge, model) for model in models]
    reached = np.array([each.covers.any(0) for each in own]).any(0)
    if not (reached.all() if limits[0]["need_all"] else reached.any()):
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
    row = charge.limits[0]
    reach = float(max(row["engage"], row["engage_across"]))
    members = charge.g.members
    near = [
        any(near_enough(charge, model, list(members(target)), reach) for model in charge.models)
        for target in charge.targets
    ]
    return all(near) if row["need_all"] else any(near)


def engaging_places(charge: Charge, model: int) -> Places:
    """Places at which the model engages a target, whatever the rest of its unit does."""
    lines, engaging = lines_for(charge, model)
    return places(charge, model, np.concatenate([ring(charge, model), crossings(engaging, lines)]), engaged_there)


def with_more(charge: Charge, model: int, own: Places) -> Places:
    """These places and others at which the model keeps the unit together."""
    m = charge.g.models
    start = m.x[model], m.y[model]
    more = places(charge, model, np.concatenate([[start], grid(charge, model)]), anywhere)
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
        for at in partial_sets(sets, rest, last):
            others = [Places(*(column[[a]] for column in sets.found[k])) for k, a in zip(rest, at, strict=True)]
            x, y = (np.array([each.pose[0, axis] for each in others]) for axis in (0, 1))
            radius = np.array([sets.round[k] + sets.round[last] for k in rest])
            close = joined([Circles(x, y, radius + more) for more in (float(row["coherency"]), TOUCH)])
            points = np.concatenate([crossings(close, lines), crossings(close, close)])
            engaged: Array = np.asarray(np.array([each.covers[0] for each in others]).any(0))
            end = places(charge, charge.models[last], points, partial(with_those, sets, engaged))
            alone = Sets(charge, [end if k == last else others[rest.index(k)] for k in range(count)])
            for found, _ in alone.every()[:8]:
                yield [alone.found[k].pose[a] for k, a in enumerate(found)]
                given += 1
                if given >= most:
                    return


def with_those(sets: Sets, engaged: Array, covers: Array) -> Array:
    """Wants enough targets to be engaged together with these."""
    return sets.enough(covers | engaged)


def partial_sets(sets: Sets, rest: Sequence[int], last: int) -> list[tuple[int, ...]]:
    """Places of the models ``rest`` to which the last one could be fitted, those nearest to what it has to reach first."""
    covers, final = [sets.found[k].covers for k in rest], sets.found[last]
    wanted = final.covers.any(0)  # whom the last could engage
    goal = final.pose[final.covers.any(1)] if wanted.any() else final.pose
    if not len(goal):  # it stands in what this way goes round
        me = sets.charge.g.models.rows[sets.charge.models[last]]
        goal = np.array([[me["x"], me["y"], me["z"]]])
    good, engaging = sets.enough(covers[0] | wanted), engaged_there(covers[0])
    if len(rest) == 2:
        good = sets.together(covers[0] | wanted, covers[1])
        engaging = engaging[:, None] | engaged_there(covers[1])[None, :]
        good &= sets.both(*rest)[0]
    good &= engaging
    ends = [sets.found[k].pose for k in rest]
    far = [np.hypot(goal[:, 0] - end[:, :1], goal[:, 1] - end[:, 1:2]).min(1) for end in ends]
    if len(rest) == 1:
        return [(int(a),) for a in np.argsort(np.where(good, far[0], np.inf), kind="stable")[:FITTED] if good[a]]
    found: list[tuple[int, ...]] = [*shortest(good, far[0][:, None] + far[1][None, :])]
    return found[:FITTED]


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
