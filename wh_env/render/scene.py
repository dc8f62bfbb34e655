"""The drawing of a battle as plain data: shapes on the table, to scale, by key. Painters draw these shapes and know
nothing else.

Coordinates are those of the tables (+x along the length, +y up in the picture). A *grain* is 1/60 of the longer side of
the table, the unit of letters and lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import cos, hypot, inf, pi, sin
from typing import Any

import numpy as np

from wh_env.core.actions import Segment
from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import ATTACHED, RECT
from wh_env.render.backdrop import backdrop, backdrop_key
from wh_env.render.labels import Labels
from wh_env.render.last import Last, Story, longest_range, tell, telling
from wh_env.render.lettering import Name, write
from wh_env.render.shapes import Point, Shape, disc, line, polygon, text

# layers, from the bottom up; models on floors are drawn above those below
MARKERS, BODIES, REACH, GHOSTS, LINES, MODELS, WORDS = 30, 33, 35, 40, 45, 50, 80
LONGEST_NAME = 26  # letters of a unit's name on the table
WOUNDS_FIT = 0.55  # grains: the smallest half width of a base that its wounds are written on
MARKER = 0.75  # grains: the smallest radius that an objective is drawn with
NEAR, CLOSE = 0.5, 1.5  # grains: shorter distances are not written; at shorter ones ranges are not drawn
STAR = 0.8  # radius of the star on a character that has joined a unit, as a share of its base
TIP = 0.5  # grains: half width of an arrow's tip
RAY = 6.0  # grains: how far the rays of a formation are drawn


@dataclass(frozen=True)
class Scene:
    """Everything that is drawn on the table.

    Attributes:
        length, width: of the table. grain: 1/60 of its longer side. unit: of lengths, ``in`` or ``cm``.
        shapes: by key; painted by layer, and in their order within a layer.
    """

    length: float
    width: float
    grain: float
    unit: str
    shapes: Mapping[str, Shape] = field(default_factory=dict)

    def ordered(self) -> list[Shape]:
        """The shapes in the order of painting."""
        return sorted(self.shapes.values(), key=lambda shape: shape.layer)


class Artist:
    """Draws scenes of a battle; it keeps the parts that do not change from one scene to the next."""

    def __init__(self) -> None:
        """Start with nothing kept."""
        self._setup: Setup | None = None
        self._key: Any = None
        self._backdrop: dict[str, Shape] = {}
        self._standing: Any = None
        self._labels: dict[str, Shape] = {}

    def draw(self, battle: BattleCore, last: Last | None = None) -> Scene:
        """The battle as it stands, with what the last action did."""
        setup = battle.setup
        grain = max(setup.length, setup.width) / 60.0
        if setup is not self._setup:
            self._setup, self._key, self._standing = setup, None, None
        key = backdrop_key(battle)
        if key != self._key:
            self._key, self._backdrop = key, backdrop(battle, grain)
        pen = _Pen(battle, grain, tell(battle, last) if last is not None else Story())
        rows, placed = battle.models.rows, battle.objectives.rows["placed"]
        standing = (*(rows[name].tobytes() for name in ("x", "y", "on_table", "unit")), placed.tobytes())
        if standing != self._standing:
            self._standing, self._labels = standing, dict(pen.labels())
        shapes = self._backdrop | self._labels
        for part in (pen.markers, pen.formations, pen.emphasis, pen.models, pen.trails, pen.shots, pen.fallen):
            shapes.update(part())
        return Scene(setup.length, setup.width, grain, setup.ruleset.length_unit, shapes)


def build_scene(battle: BattleCore, last: Last | None = None) -> Scene:
    """The battle as it stands. ``last``: what the last action did; ``None``: what the events that the battle records
    say.
    """
    return Artist().draw(battle, last if last is not None else telling(battle, Last(battle.events)))


def choices(battle: BattleCore) -> list[int]:
    """Rows of the units that the waiting decision may name."""
    decision = battle.decision
    if decision is None:
        return []
    space, first = battle.setup.space, battle.players.first_unit
    found = []
    for action in decision.options:
        segment, slot = space.split(action)
        if segment in (Segment.OWN, Segment.ENEMY):
            found.append(first[decision.player if segment == Segment.OWN else 1 - decision.player] + slot)
    return [unit for unit in found if unit < len(battle.units.owner)]


class _Pen:
    """Draws the parts of one scene."""

    def __init__(self, battle: BattleCore, grain: float, story: Story) -> None:
        """``story``: what is drawn of the last action."""
        self.battle = battle
        self.grain = grain
        self.story = story
        self.names = Labels(battle)
        self.members: dict[int, list[int]] = {}  # models on the table by unit
        m = battle.models
        for k, standing in enumerate(m.on_table):
            if standing:
                self.members.setdefault(m.unit[k], []).append(k)

    # ---- what stands there

    def markers(self) -> Iterator[tuple[str, Shape]]:
        """Objective markers, which player holds them, and their range."""
        o, grain, reach = self.battle.objectives, self.grain, float(self.battle.setup.rules.get("marker_range", 0.0))
        for k, placed in enumerate(o.placed):
            if not placed:
                continue
            x, y, holder, radius = o.x[k], o.y[k], o.holder[k], o.radius[k]
            held = f"-{holder}" if holder >= 0 else ""
            title = f"objective {k + 1}: held by {self.names.player(holder)}, control {o.level0[k]} to {o.level1[k]}"
            if reach:
                yield f"r{k}", disc(f"marker-range{held}", x, y, radius + reach, MARKERS)
            yield f"o{k}", disc(f"marker{held or '-none'}", x, y, max(radius, MARKER * grain), MARKERS + 1, title=title)
            word = "marker-word-held" if held else "marker-word"
            yield f"ot{k}", text(word, x, y, 0.95 * grain, str(k + 1), MARKERS + 2)

    def models(self) -> Iterator[tuple[str, Shape]]:
        """Bases with their facing, the wounds left, and the height at which they stand."""
        m, grain = self.battle.models, self.grain
        columns = ("x", "y", "z", "facing", "half_a", "half_b", "shape", "owner", "wounds", "max_wounds")
        rows = list(zip(*(m.rows[name].tolist() for name in columns), strict=True))
        joined = self._joined()
        for unit, members in self.members.items():
            name = self.names.unit(unit)
            for k in members:
                x, y, z, facing, a, b, shape, owner, left, most = rows[k]
                wounds = str(left) if most > 1 and b >= WOUNDS_FIT * grain else ""
                title = f"{name}: {self.names.model(k)}" + (f", {left} of {most} wounds" if most > 1 else "")
                up = z > 0.05 * grain
                title += f", {self.names.length(z)} up" if up else ""
                kind, layer = "box" if shape == RECT else "oval", MODELS + min(9, int(z / grain))
                style = f"model-{owner}"
                yield f"m{k}", Shape(kind, style, x, y, a, b, facing, (), wounds, layer, unit, title, True)
                if k in joined:
                    yield f"star{k}", polygon("star", _star(x, y, STAR * min(a, b)), MODELS + 10)
                if up:
                    at = (x, y - b - 0.25 * grain)
                    yield f"z{k}", text("storey", *at, 0.55 * grain, f"▲{z:.3g}", MODELS + 10, unit=unit)

    def _joined(self) -> set[int]:
        """Rows of the models of units that are attached to another unit, such as characters in a regiment."""
        u = self.battle.units
        return {
            k
            for unit, place in enumerate(u.place)
            if place == ATTACHED
            for k in range(u.first[unit], u.first[unit] + u.count[unit])
        }

    def formations(self) -> Iterator[tuple[str, Shape]]:
        """Units that stand as one body: their outlines and front edges; for the unit that the decision is about also
        the rays between its quarters.
        """
        battle = self.battle
        owner, subject = battle.units.owner, battle.clock.subject[0] if battle.clock.asking[0] else -1
        for unit, outlines, front, rays, goes in battle.setup.ruleset.formations(battle):
            title = ", ".join([self.names.unit(unit), *battle.setup.ruleset.states(battle, unit)])
            for n, corners in enumerate(outlines):
                yield f"body{unit}.{n}", polygon(f"body-{owner[unit]}", corners, BODIES, title=title)
            yield f"front{unit}", line(f"front-{owner[unit]}", front, MODELS + 11, unit=unit)
            if goes:
                yield (
                    f"goes{unit}",
                    polygon(f"goes-{owner[unit]}", goes, GHOSTS, title=f"{title}, where its move has led"),
                )
                yield f"goes-front{unit}", line(f"front-{owner[unit]}", goes[:2], GHOSTS, unit=unit)
            for n, ((x, y), (dx, dy)) in enumerate(rays if unit == subject else ()):
                end = (x + RAY * self.grain * dx, y + RAY * self.grain * dy)
                yield f"quarter{unit}.{n}", line("quarter", [(x, y), end], BODIES + 1, unit=unit)

    def labels(self) -> Iterator[tuple[str, Shape]]:
        """The name of each unit on the table and how many models it has left."""
        m, size, battle = self.battle.models.rows, 0.85 * self.grain, self.battle
        boxes = np.column_stack([m[axis] + sign * m["radius"] for sign in (-1, 1) for axis in ("x", "y")])
        o = battle.objectives.rows[battle.objectives.rows["placed"] != 0]
        markers = np.column_stack([o[axis] + sign * MARKER * self.grain for sign in (-1, 1) for axis in ("x", "y")])
        names = []
        for unit, members in self.members.items():
            words = self.names.unit(unit)
            words = words if len(words) <= LONGEST_NAME else f"{words[: LONGEST_NAME - 1]}…"
            count = f" ×{len(members)}" if len(members) > 1 else ""
            names.append(Name(words + count, boxes[members]))
        bases = np.vstack([boxes[m["on_table"] == 1], markers])
        places = write(names, size, bases, (battle.setup.length, battle.setup.width))
        for unit, name, (x, y) in zip(self.members, names, places, strict=True):
            yield f"u{unit}", text(f"label-{battle.units.owner[unit]}", x, y, size, name.words, WORDS, unit=unit)

    # ---- what is asked

    def emphasis(self) -> Iterator[tuple[str, Shape]]:
        """The unit that the waiting decision is about, and the units that it may name."""
        clock = self.battle.clock
        if not clock.asking[0]:
            return
        subject = clock.subject[0]
        for unit in choices(self.battle):
            if unit != subject:
                yield from self._around(unit, "choice", f"c{unit}", 0.2)
        yield from self._around(subject, "halo", f"h{subject}", 0.3)

    def _around(self, unit: int, style: str, key: str, gap: float) -> Iterator[tuple[str, Shape]]:
        """An outline of this style round each model of a unit."""
        m = self.battle.models
        for k in self.members.get(unit, ()):
            a, b = m.half_a[k] + gap * self.grain, m.half_b[k] + gap * self.grain
            kind = "box" if m.shape[k] == RECT else "oval"
            yield f"{key}.{k}", Shape(kind, style, m.x[k], m.y[k], a, b, m.facing[k], layer=GHOSTS)

    # ---- what happened

    def trails(self) -> Iterator[tuple[str, Shape]]:
        """Where models of the acting unit stood, an arrow to where they stand, and the length of the longest move."""
        m, grain = self.battle.models, self.grain
        longest, place = 0.0, (0.0, 0.0)
        for k, x, y, facing in self.story.moved:
            owner, kind = m.owner[k], "box" if m.shape[k] == RECT else "oval"
            ghost = Shape(kind, f"ghost-{owner}", x, y, m.half_a[k], m.half_b[k], facing, layer=GHOSTS, nose=True)
            yield f"w{k}", ghost
            yield f"v{k}", line(f"trail-{owner}", _arrow((x, y), self._edge(k, (x, y)), TIP * grain), LINES)
            way = hypot(m.x[k] - x, m.y[k] - y)
            if way > longest:
                longest, place = way, ((m.x[k] + x) / 2, (m.y[k] + y) / 2)
        if longest:
            yield "way", text("note", *place, 0.85 * grain, self.names.length(longest), WORDS + 1)

    def shots(self) -> Iterator[tuple[str, Shape]]:
        """Lines from the attackers (or the unit) to their targets, with the distance and the range."""
        story, m, grain = self.story, self.battle.models, self.grain
        if story.unit < 0 or not story.aims:
            return
        owner = self.battle.units.owner[story.unit]
        own = self.members.get(story.unit, [])
        for target in story.targets:
            theirs = self.members.get(target) or self._lost(target)
            aimed = [story.model] if m.unit[story.model] == target and story.model >= 0 else theirs
            if not aimed:
                continue
            for k in story.attackers or own:
                to = min(aimed, key=partial(self._apart, k))
                points = _arrow(self._edge(k, self._at(to)), self._edge(to, self._at(k)), TIP * grain)
                yield f"s{k}.{target}", line(f"shot-{owner}", points, LINES, unit=story.unit)
            yield from self._distance(target, story.attackers or own, aimed)
        yield from self._reach(owner)

    def _edge(self, model: int, towards: Point) -> Point:
        """The point of a model's edge in the direction of a place; the model's middle if the place lies on its base."""
        m, (x, y) = self.battle.models, self._at(model)
        dx, dy = towards[0] - x, towards[1] - y
        way = hypot(dx, dy)
        c, s = cos(m.facing[model]), sin(m.facing[model])
        along, across = abs(c * dx + s * dy) / m.half_a[model], abs(c * dy - s * dx) / m.half_b[model]
        steps = max(along, across) if m.shape[model] == RECT else hypot(along, across)
        if steps <= 1.0 or way < 1e-9:
            return x, y
        return x + dx / steps, y + dy / steps

    def _at(self, model: int) -> Point:
        """Where a model stands, or stood before it fell."""
        m = self.battle.models
        return self.story.fallen.get(model) or (m.x[model], m.y[model])

    def _apart(self, one: int, other: int) -> float:
        """The distance between the middles of two models."""
        (x0, y0), (x1, y1) = self._at(one), self._at(other)
        return hypot(x1 - x0, y1 - y0)

    def _lost(self, unit: int) -> list[int]:
        """Rows of the models of a unit that fell in the last action."""
        return [k for k in self.story.fallen if self.battle.models.unit[k] == unit]

    def _distance(self, target: int, attackers: list[int], aimed: list[int]) -> Iterator[tuple[str, Shape]]:
        """The distance between the unit and a target, written beside the shortest line."""
        battle, m = self.battle, self.battle.models
        if not attackers or self.story.unit not in self.members or target not in self.members:
            return
        apart = battle.distance(self.story.unit, target)
        if not NEAR * self.grain < apart < inf:
            return
        ways = ((k, t, hypot(m.x[k] - m.x[t], m.y[k] - m.y[t])) for k in attackers for t in aimed)
        k, t, _ = min(ways, key=lambda way: way[2])
        place = ((m.x[k] + m.x[t]) / 2, (m.y[k] + m.y[t]) / 2)
        yield f"d{target}", text("note", *place, 0.85 * self.grain, self.names.length(apart), WORDS + 1)

    def _reach(self, owner: int) -> Iterator[tuple[str, Shape]]:
        """The rolled length round the unit; or, for an attack, the longest range of the attacker nearest to a target,
        if it reaches the first target.
        """
        story, m = self.story, self.battle.models
        own = self.members.get(story.unit, [])
        around = [k for k in story.attackers if m.on_table[k]] or own
        targets = [k for target in story.targets for k in self.members.get(target, ())]
        if not around or not targets:
            return
        nearest = min(around, key=lambda k: min(hypot(m.x[k] - m.x[t], m.y[k] - m.y[t]) for t in targets))
        reach, word = story.reach, ""
        if story.attackers:
            reach, word = longest_range(self.battle, nearest), "range "
            if not CLOSE * self.grain < self.battle.distance(story.unit, story.targets[0]) <= reach:
                return
        if reach:
            radius = reach + m.radius[nearest]
            x, y = m.x[nearest], m.y[nearest]
            yield "reach", disc(f"reach-{owner}", x, y, radius, REACH, unit=story.unit)
            at = y + radius if y + radius < self.battle.setup.width else y - radius
            if at > 0:
                yield "reach-word", text("note", x, at, 0.75 * self.grain, word + self.names.length(reach), WORDS + 1)

    def fallen(self) -> Iterator[tuple[str, Shape]]:
        """A cross where each model fell."""
        m = self.battle.models
        for k, (x, y) in self.story.fallen.items():
            half, style = max(0.35 * self.grain, 0.6 * m.half_b[k]), f"fallen-{m.owner[k]}"
            yield f"x{k}", line(style, ((x - half, y - half), (x + half, y + half)), MODELS - 1)
            yield f"y{k}", line(style, ((x - half, y + half), (x + half, y - half)), MODELS - 1)


def _star(x: float, y: float, radius: float) -> list[Point]:
    """The outline of a star with five points."""
    found = []
    for k in range(10):
        reach, turn = radius * (1.0 if k % 2 == 0 else 0.45), pi * (0.5 + 0.2 * k)
        found.append((x + reach * cos(turn), y + reach * sin(turn)))
    return found


def _arrow(start: Point, end: Point, tip: float) -> list[Point]:
    """A line with a tip at its end, drawn in one go."""
    x, y = end
    way = hypot(x - start[0], y - start[1])
    if way < 1e-9:
        return [start, end]
    ux, uy = (x - start[0]) / way, (y - start[1]) / way
    tip = min(tip, 0.5 * way)
    left = (x - tip * ux - 0.5 * tip * uy, y - tip * uy + 0.5 * tip * ux)
    right = (x - tip * ux + 0.5 * tip * uy, y - tip * uy - 0.5 * tip * ux)
    return [start, end, left, end, right]
