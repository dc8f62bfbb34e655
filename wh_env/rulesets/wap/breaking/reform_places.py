"""The places where a combat reform can end (wap.break.reform.how, .keep-contact, .no-new-arc, .front-in-contact).

The front must lie along a side of an enemy unit at which the unit stands already. Along each such side the search tries
poses that keep files in line, or lay ends on ends or middle on middle. Each pose is judged in copies of the battle's
tables, where the unit is put to it and its contacts are worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, tau
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import flush_front, side_halves, side_out
from wh_env.core.geometry.near import Way
from wh_env.core.geometry.ranks import can_rearrange_keeping, centre_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import front_span, lay_out_ranks, lay_out_unit, stands_in, unit_body
from wh_env.rulesets.wap.basics.contacts import (
    block_hull,
    blocks_touch,
    foes_of,
    meet_pair,
    side_towards,
    touches_block,
)
from wh_env.rulesets.wap.basics.joined import holds_bases, joined_to
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.rows import copied
from wh_env.rulesets.wap.basics.touching import TOUCHES, find_reach
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.movement.distances import FARTHEST
from wh_env.rulesets.wap.movement.reform_choices import lawful, way_for
from wh_env.rulesets.wap.ways.ways import may_end

BEFORE, KEPT, HELD = (
    2,
    3,
    4,
)  # columns of ``reach`` after those of ``find_reach``: in contact before; by place of the block, before and after
FOE, SIDE = 0, 1  # columns of ``pairs``: an enemy, and its side at which the unit stands
MOST, LENGTH, WIDTH, FIRST, HERE = range(
    5
)  # indices of ``limits``; ``HERE`` is written: where along the enemy's side the unit stands, inches
TRIED = 64  # poses along one side
SAME = 1e-6


class Place(NamedTuple):
    """A formation that a unit may reform into: its files and pose, the models of both sides in contact then, and inches
    along the enemy's side from where the unit stands now.
    """

    files: int
    x: float
    y: float
    facing: float
    contacts: int
    aside: float


@kernel
def bases_at(units: Array, u: int, places: Array) -> None:
    """Write to ``places`` where the bases of a unit stand, one row for each place of the block."""
    unit = units[u]
    lay_out_ranks(unit, unit["block"], unit["files"], unit["x"], unit["y"], unit["facing"], places)


@kernel
def note_contact(models: Array, parts: Array, units: Array, contacts: Array, u: int, reach: Array) -> None:
    """Mark, in column ``BEFORE`` of ``reach``, the models of a unit that are in contact with an enemy."""
    find_reach(models, parts, units, contacts, u, 0, reach)
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        reach[k, BEFORE] = reach[k, TOUCHES]


@kernel
def stand_at(units: Array, foe: int, side: int, along: float) -> tuple[float, float, float]:
    """The pose (x, y, facing) of a block with its front along a side of an enemy, ``along`` inches from its middle."""
    x, y, half_a, half_b = block_hull(units, foe)
    return flush_front(x, y, units[foe]["facing"], half_a, half_b, side, along)


@inner_kernel
def places_along(
    units: Array, u: int, files: int, x: float, y: float, f: float, now: int, foe: int, side: int, alongs: Array
) -> tuple[int, float]:
    """List the places along a side of an enemy to try for unit ``u`` in ``files`` files; it stands in ``now`` files at
    (x, y, f).

    First places that keep its files in line with where they are, nearest first, then ends on ends and middle on middle.
    Its present formation is left out.

    Returns:
        The number of places written to ``alongs``, and where along the side it stands now, inches.
    """
    unit = units[u]
    cx, cy, half_a, half_b = block_hull(units, foe)
    out = side_out(units[foe]["facing"], side)
    mx, my = centre_at(unit["block"], now, unit["base_a"], unit["spacing"], x, y, f)
    here = cos(out) * (my - cy) - sin(out) * (mx - cx)
    half = 0.5 * front_span(unit, min(files, unit["block"]))
    _, long = side_halves(half_a, half_b, side)
    step = unit["base_b"] + 0.5 * unit["spacing"]  # half the width that a file takes
    turned = cos(f - out) > SAME - 1.0  # its front does not face that side yet
    odd = 0 if turned else (files - now) % 2
    count = 0
    for n in range(2 * TRIED + 3):
        if n < 2 * TRIED:
            away = (n + 1) // 2 if n % 2 == 1 else -(n // 2)
            along = here + (2 * away + odd) * step
        else:
            n -= 2 * TRIED
            along = 0.0 if n == 0 else (long - half if n == 1 else half - long)
        if abs(along) > long + half + SAME or count == len(alongs):
            continue
        new = True
        for i in range(count):
            if abs(alongs[i] - along) < SAME:
                new = False
        if not new or (files == now and not turned and abs(along - here) < 1e-3):
            continue
        alongs[count] = along
        count += 1
    return count, here


class Trial(NamedTuple):
    """What a search for the combat reforms of one unit reads and writes.

    Attributes:
        models, parts, units, contacts: copies of the battle's tables; the unit is put to each pose in turn.
        pairs: enemies, and their sides at which the unit stands (FOE, SIDE). pose: its present x, y, facing, files.
        alongs, worth: places along a side, and the models of both sides that are in contact there; -1: it may not stand
            there.
        way: the obstacles. limits: MOST .. HERE. body: room for the rectangles of the unit.
        places: where its bases stand now, and in the pose that is tried. links, work: room to exchange models.
        reach: by model, whether it is in contact (``note_contact``); in the rows behind those of the models, by place
            of the block, whose contact must be kept (``KEPT``) and is kept (``HELD``).
    """

    models: Array
    parts: Array
    units: Array
    contacts: Array
    pairs: Array
    pose: Array
    alongs: Array
    worth: Array
    way: Way
    limits: Array
    body: Array
    places: Array
    links: Array
    work: Array
    reach: Array


@kernel
def judge_places(t: Trial, u: int, files: int, target: int) -> int:
    """Judge poses of unit ``u`` in so many files with its front along the side of row ``target`` of ``pairs``. Writes
    to ``worth[i]`` the models of both sides in contact at ``alongs[i]``; -1: it may not stand there.

    Returns:
        The number of poses that it may take; at most 1 if ``limits[FIRST]`` is set.
    """
    unit, pose, limits, body = t.units[u], t.pose, t.limits, t.body
    count = unit["block"]
    foe = t.pairs[target, FOE]
    side = t.pairs[target, SIDE]
    stood = int(pose[3])
    tried, limits[HERE] = places_along(t.units, u, files, pose[0], pose[1], pose[2], stood, foe, side, t.alongs)
    t.worth[:] = -1
    rows = unit_body(unit, count, files, body)
    there = Way(t.way.near, t.way.points, t.way.n, body, rows)
    base = len(t.models)
    kept, held = t.reach[base : base + count, KEPT], t.reach[base : base + count, HELD]
    found = 0
    for i in range(tried):
        px, py, pf = stand_at(t.units, foe, side, t.alongs[i])
        if not may_end(there, px, py, pf, limits[LENGTH], limits[WIDTH]):
            continue
        unit["x"] = px
        unit["y"] = py
        unit["facing"] = pf
        unit["files"] = files
        worth = _contacts_there(t, u, files)
        if worth < 0:
            continue
        lay_out_ranks(unit, count, files, px, py, pf, t.places[1])
        if not can_rearrange_keeping(t.places[0], t.places[1], count, limits[MOST], kept, held, t.links, t.work):
            continue
        t.worth[i] = worth
        found += 1
        if limits[FIRST] != 0.0:
            return found
    return found


@inner_kernel
def _contacts_there(t: Trial, u: int, files: int) -> int:
    """The number of models of both sides that are in contact in the pose where unit ``u`` was put; -1: it may not stand
    there, because it touches nobody or an enemy at another side, or because a model has lost contact. Marks places of
    the block with contact (``HELD``).
    """
    lay_out_unit(t.models, t.units, t.parts, u)
    if not _meets_alone(t.parts, t.units, t.contacts, u, t.pairs):
        return -1
    unit, models, reach = t.units[u], t.models, t.reach
    find_reach(models, t.parts, t.units, t.contacts, u, 0, reach)
    base = len(models)
    for k in range(unit["block"]):
        reach[base + k, HELD] = 0
    touching = 0
    for k in range(unit["first"], unit["first"] + unit["count"]):
        if models[k]["on_table"] == 1 and reach[k, TOUCHES] != 0:
            reach[base + models[k]["rank"] * files + models[k]["file"], HELD] = 1
            touching += 1
    heroes = _heroes_in_contact(models, t.parts, t.units, u, t.pairs, reach)
    others = _foes_in_contact(models, t.parts, t.units, t.contacts, t.pairs, reach)
    if touching + heroes <= 0 or heroes < 0 or others < 0:
        return -1
    return touching + heroes + others


@inner_kernel
def _heroes_in_contact(models: Array, parts: Array, units: Array, u: int, pairs: Array, reach: Array) -> int:
    """The number of characters in a unit that are in contact; -1: a character has lost contact."""
    found = 0
    for c in range(len(units)):
        if not stands_in(units, c, u):
            continue
        k = units[c]["first"]
        touches = False
        for t in range(len(pairs)):
            touches = touches or touches_block(models, parts, units, k, pairs[t, FOE], 0.0)
        if touches:
            found += 1
        elif reach[k, BEFORE] != 0:
            return -1
    return found


@inner_kernel
def _meets_alone(parts: Array, units: Array, contacts: Array, u: int, pairs: Array) -> bool:
    """Write the contacts of a unit in the pose where it was put. Returns False if it touches an enemy at another side
    than before, or not with its own front.
    """
    for k in range(len(contacts)):
        if contacts[k]["a"] == u or contacts[k]["b"] == u:
            contacts[k]["a"] = -1
            contacts[k]["b"] = -1
    for t in range(len(pairs)):
        o = pairs[t, FOE]
        if not blocks_touch(parts, units, u, o, 0.0):
            continue
        one = u if units[u]["owner"] == 0 else o
        meet_pair(units, contacts, one, o if one == u else u, 0, 0.0)
        for k in range(len(contacts)):
            row = contacts[k]
            if row["a"] != one or row["b"] != (o if one == u else u):
                continue
            mine = row["side_a"] if one == u else row["side_b"]
            theirs = row["side_b"] if one == u else row["side_a"]
            if mine != FRONT or theirs != pairs[t, SIDE]:
                return False
    return True


@inner_kernel
def _foes_in_contact(models: Array, parts: Array, units: Array, contacts: Array, pairs: Array, reach: Array) -> int:
    """The number of enemy models that are in contact; -1: an enemy model has lost contact."""
    found = 0
    for t in range(len(pairs)):
        o = pairs[t, FOE]
        find_reach(models, parts, units, contacts, o, 0, reach)
        for k in range(units[o]["first"], units[o]["first"] + units[o]["count"]):
            if models[k]["on_table"] == 0:
                continue
            if reach[k, TOUCHES] != 0:
                found += 1
            elif reach[k, BEFORE] != 0:
                return -1
    return found


class Reforming:
    """The search for the combat reforms of one unit, set up once for all formations."""

    def __init__(self, g: BattleCore, unit: int) -> None:
        room, u = g.work.ways, g.units
        self.g, self.unit = g, unit
        self.foes = foes_of(g, unit)
        way = way_for(g, unit)
        for row in way.near[: way.n]:  # enemies in contact may stay in contact
            if row["mark"] in self.foes:
                row["margin"] = min(row["margin"], 0.0)
        tables = (copied(g.models.rows), copied(g.parts.rows), copied(u.rows), copied(g.contacts.rows))
        self.pairs = np.array([(foe, side_towards(g, foe, unit)) for foe in self.foes], np.int64)
        count, files = u.block[unit], u.files[unit]
        self.reach = np.zeros((len(g.models.alive) + count, 5), np.int64)
        places = np.zeros((2, count, 2))
        models, parts, units, contacts = tables
        for member in (unit, *self.foes):
            note_contact(models, parts, units, contacts, member, self.reach)
        base = len(g.models.alive)
        for k in g.members(unit):
            if self.reach[k, BEFORE]:
                self.reach[base + g.models.rank[k] * files + g.models.file[k], KEPT] = 1
        for joined in joined_to(g, unit):
            k = u.first[joined]
            self.reach[k, BEFORE] = any(touches_block(models, parts, units, k, foe, 0.0) for foe in self.foes)
        pose = np.array((u.x[unit], u.y[unit], u.facing[unit], files))
        bases_at(u.rows, unit, places[0])
        self.alongs, self.worth = np.zeros(TRIED), np.zeros(TRIED, np.int64)
        self.limits = np.array([FARTHEST * movement_of(g, unit), g.setup.length, g.setup.width, 0.0, 0.0])
        self.trial = Trial(
            *tables,
            self.pairs,
            pose,
            self.alongs,
            self.worth,
            way,
            self.limits,
            room.other,
            places,
            room.links,
            room.work,
            self.reach,
        )

    def facing(self, target: int) -> float:
        """The facing of the unit with its front along the side of row ``target`` of ``pairs``, radians."""
        foe, side = self.pairs[target]
        return float(side_out(self.g.units.facing[foe], side) + pi)

    def slot(self, target: int) -> int:
        """The angle slot of the action space nearest to that facing."""
        angles = self.g.setup.space.angles
        return round(self.facing(target) / tau * angles) % angles

    def places_in(self, files: int, slot: int = -1, *, first: bool = False) -> list[Place]:
        """The places where the unit can stand in so many files, most models in contact first, then the nearest.

        Args:
            slot: only places with the facing of this slot; -1: all. first: stop at the first place.
        """
        found: list[Place] = []
        if not lawful(self.g.units.block[self.unit], files) or not holds_bases(self.g, self.unit, files):
            return found
        self.limits[FIRST] = first
        for target in range(len(self.pairs)):
            if slot not in (-1, self.slot(target)):
                continue
            fine = self.g.work.call(judge_places, self.trial, self.unit, files, target)
            if fine:
                found += self._read(target, files)
            if found and first:
                break
        return sorted(found, key=lambda place: (-place.contacts, abs(place.aside), place.aside))

    def _read(self, target: int, files: int) -> Iterator[Place]:
        foe, side = (int(value) for value in self.pairs[target])
        here = float(self.limits[HERE])
        for along, contacts in zip(self.alongs.tolist(), self.worth.tolist(), strict=True):
            if contacts > 0:
                yield Place(files, *stand_at(self.g.units.rows, foe, side, along), contacts, along - here)

    def any(self) -> bool:
        """Whether any reform is possible."""
        u, unit = self.g.units, self.unit
        now = u.files[unit]
        return any(
            self.places_in(files, first=True) for files in sorted(self.files(), key=lambda n: (n <= now, abs(n - now)))
        )

    def files(self) -> range:
        """The numbers of files that can be named."""
        return range(1, min(self.g.setup.space.numbers, self.g.units.block[self.unit]) + 1)

    def choices(self) -> list[int]:
        """The numbers of files into which the unit can reform."""
        return [files for files in self.files() if self.places_in(files, first=True)]

    def slots(self, files: int) -> list[int]:
        """The angle slots of facings with which it can stand in so many files."""
        found = {self.slot(target) for target in range(len(self.pairs))}
        return sorted(slot for slot in found if self.places_in(files, slot, first=True))
