"""Lines of sight: from the front edges of bases, past models and ground with a lower Line of Sight value
(wap.core.los.*).

Models see nothing through the ranks before them: only the front rank sees unless a rule says otherwise.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import near_polygon, near_rect
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.soft_views import soft_view
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.blocks import stands_in
from wh_env.rulesets.wap.basics.garrisons import is_building_of
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.standing import is_of_block
from wh_env.rulesets.wap.tables import PARTS, Troops

GROUND_MARK = -1
CORNERS = 4


class SightTables(NamedTuple):
    """Scratch memory for one line of sight.

    Attributes:
        near, points: what may hide (``core.geometry.near``). rect: corners of the base that is looked at.
        room: corners of all that may be near. line: start and end of the line that was found, (x, y) each.
    """

    near: Array
    points: Array
    rect: Array
    room: Array
    line: Array


class SightRoom:
    """Scratch memory for lines of sight.

    Attributes:
        rect: corners of the base that is looked at. room: corners of all that may be near.
        line: start and end of the line that was found, (x, y) each. tables: these in one piece.
        seeing: bool, by model: the models of a unit that see another unit.
        rows: int64: the models that were asked. eyes: int64: the model through whose eyes each of them sees.
    """

    __slots__ = ("eyes", "line", "rect", "room", "rows", "seeing", "tables")

    def __init__(self, setup: Setup, near: Array, points: Array) -> None:
        """Make room for all that may be near, besides ``near`` and ``points`` (``ways.way_room``)."""
        parts, ground = len(setup.layout.view(setup.template, "parts")), setup.statics["ground"]
        bases = len(setup.layout.view(setup.template, "models")) if setup.statics["standing"] is not None else 0
        most = CORNERS * (parts + bases + 1) + int(ground["count"].sum()) + 8
        self.rect, self.room, self.line = np.zeros((CORNERS, 2)), np.zeros((3, most, 2)), np.zeros(4)
        self.tables = SightTables(near, points, self.rect, self.room, self.line)
        models = len(setup.layout.view(setup.template, "models"))
        self.seeing, self.eyes, self.rows = (
            np.zeros(models, np.bool_),
            np.zeros(models, np.int64),
            np.zeros(models, np.int64),
        )


@inner_kernel
def is_raised(models: Array) -> bool:
    """Whether any model stands on ground that lifts it."""
    for k in range(len(models)):
        if models[k]["lifted"] > 0 and models[k]["on_table"] == 1:
            return True
    return False


@inner_kernel
def heights_of(models: Array, units: Array, u: int) -> tuple[int, int]:
    """The lowest and the greatest height of the models in the block of unit ``u``."""
    low = 99
    high = 0
    for c in range(len(units)):
        if is_of_block(units, c, u):
            for k in range(units[c]["first"], units[c]["first"] + units[c]["count"]):
                if models[k]["on_table"] == 1:
                    low = min(low, models[k]["lifted"])
                    high = max(high, models[k]["lifted"])
    return min(low, high), high


@inner_kernel
def near_models(models: Array, units: Array, u: int, least: int, near: Array, points: Array, n: int) -> int:
    """Add to ``near`` the bases of the models in the block of unit ``u`` whose Line of Sight value with their height is
    at least ``least``. Returns the number of rows.
    """
    for c in range(len(units)):
        if is_of_block(units, c, u):
            for k in range(units[c]["first"], units[c]["first"] + units[c]["count"]):
                m = models[k]
                if m["on_table"] == 1 and units[u]["sight"] + m["lifted"] >= least:
                    n = near_rect(near, points, n, m["x"], m["y"], m["facing"], m["half_a"], m["half_b"], 0.0, u)
    return n


@inner_kernel
def what_hides(
    troops: Troops,
    ground: Array,
    corners: Array,
    u: int,
    target: int,
    raised: bool,
    least: int,
    near: Array,
    points: Array,
) -> tuple[int, int]:
    """Fill ``near`` and ``points`` with what hides unit ``target`` from unit ``u`` if it lies between them: units and
    ground with a Line of Sight value of at least ``least`` (wap.terrain.impassable.line-of-sight,
    .hill.line-of-sight), then ground that hides what is deep enough in it (.forest.line-of-sight). Units that one of
    both charges out of hide nothing (wap.character.leave.charge). Returns the number of rows of either kind.

    ``raised``: whether models stand on ground that lifts them, which makes their own value greater.
    """
    models, units, parts = troops
    n = 0
    for k in range(len(parts)):
        p = parts[k]
        b = p["unit"]
        if p["on_table"] == 0 or b in (u, target) or b == units[u]["out_of"] or b == units[target]["out_of"]:
            continue
        value = units[b]["sight"]
        if raised:
            low, high = heights_of(models, units, b)
            if low != high:  # its models are added one by one, with its first part
                if k == units[b]["first_part"]:
                    n = near_models(models, units, b, least, near, points, n)
                continue
            value += high
        if value >= least:
            n = near_rect(near, points, n, p["x"], p["y"], p["facing"], p["half_a"], p["half_b"], 0.0, b)
    for b in range(len(ground)):
        piece = ground[b]
        hides = piece["sight"] > 0 and piece["sight"] >= least and piece["depth"] == 0.0
        if hides and not is_building_of(units, piece, u, target):
            n = near_polygon(near, points, n, corners, piece["first"], piece["count"], 0.0, GROUND_MARK)
    hard = n
    for b in range(len(ground)):
        piece = ground[b]
        if piece["depth"] > 0.0 and piece["sight"] >= least:
            n = near_polygon(near, points, n, corners, piece["first"], piece["count"], piece["depth"], GROUND_MARK)
    return hard, n - hard


@inner_kernel
def sees_from(
    troops: Troops, sight: SightTables, n: int, soft: int, x: float, y: float, f: float, half: float, target: int
) -> bool:
    """Whether a free line leads from a front edge (``half`` inches to either side of (x, y), facing ``f``) to a base of
    unit ``target`` (wap.core.los.draw).
    """
    units, parts = troops.units, troops.parts
    near, points, rect, room, line = sight
    first = units[target]["first_part"]
    for k in range(first, first + PARTS):
        p = parts[k]
        if p["on_table"] == 0:
            continue
        for c in range(4):
            a = p["half_a"] if c < 2 else -p["half_a"]
            b = p["half_b"] if c == 1 or c == 2 else -p["half_b"]
            rect[c, 0], rect[c, 1] = on_table_at(p["x"], p["y"], p["facing"], a, b)
        if soft_view(near, points, n, soft, x, y, f, half, rect, 0, 4, room, line):
            return True
    return False


@inner_kernel
def sees_raised(
    troops: Troops,
    ground: Array,
    corners: Array,
    u: int,
    target: int,
    eye: int,
    x: float,
    y: float,
    f: float,
    half: float,
    sight: SightTables,
) -> bool:
    """``sees_from`` where ground lifts models: ``eye`` is the Line of Sight value of the one that looks, with its
    height; each model of the target has its own height (wap.terrain.hill.line-of-sight).
    """
    models, units = troops.models, troops.units
    near, points, rect, room, line = sight
    low, high = heights_of(models, units, target)
    if low == high or units[target]["garrison"] >= 0:  # the whole building is looked at
        least = max(eye, units[target]["sight"] + high)
        n, soft = what_hides(troops, ground, corners, u, target, True, least, near, points)
        return sees_from(troops, sight, n, soft, x, y, f, half, target)
    known = -1
    n = soft = 0
    for c in range(len(units)):
        if not is_of_block(units, c, target):
            continue
        for k in range(units[c]["first"], units[c]["first"] + units[c]["count"]):
            m = models[k]
            if m["on_table"] == 0:
                continue
            least = max(eye, units[target]["sight"] + m["lifted"])
            if least != known:
                n, soft = what_hides(troops, ground, corners, u, target, True, least, near, points)
                known = least
            for e in range(4):
                a = m["half_a"] if e < 2 else -m["half_a"]
                b = m["half_b"] if e == 1 or e == 2 else -m["half_b"]
                rect[e, 0], rect[e, 1] = on_table_at(m["x"], m["y"], m["facing"], a, b)
            if soft_view(near, points, n, soft, x, y, f, half, rect, 0, 4, room, line):
                return True
    return False


@inner_kernel
def anybody_sees(troops: Troops, ground: Array, corners: Array, u: int, target: int, sight: SightTables) -> bool:
    """Whether a model of the front rank of unit ``u``, or a character there, sees a base of unit ``target``, each by
    its own Line of Sight value (wap.character.combined.one-unit).
    """
    models, units = troops.models, troops.units
    raised = is_raised(models)
    known = -1
    n = soft = 0
    for row in range(-1, len(units)):
        own = u if row < 0 else row
        if row >= 0 and not stands_in(units, row, u):
            continue
        least = max(units[own]["sight"], units[target]["sight"])
        if least != known and not raised:
            n, soft = what_hides(troops, ground, corners, u, target, False, least, sight.near, sight.points)
            known = least
        for k in range(units[own]["first"], units[own]["first"] + units[own]["count"]):
            m = models[k]
            if m["on_table"] == 0 or m["unit"] != own or m["rank"] != 0:
                continue
            f = m["facing"]
            x = m["x"] + m["half_a"] * cos(f)
            y = m["y"] + m["half_a"] * sin(f)
            half = m["half_b"]
            if raised:
                eye = units[own]["sight"] + m["lifted"]
                if sees_raised(troops, ground, corners, u, target, eye, x, y, f, half, sight):
                    return True
            elif sees_from(troops, sight, n, soft, x, y, f, half, target):
                return True
    return False


@inner_kernel
def sees_within(
    troops: Troops,
    ground: Array,
    corners: Array,
    u: int,
    c: int,
    eye: int,
    x: float,
    y: float,
    f: float,
    half: float,
    sight: SightTables,
) -> bool:
    """``sees_from`` to the base of character ``c`` in a unit, by his own Line of Sight value and height. ``eye``: as
    for ``sees_raised``.
    """
    near, points, rect, room, line = sight
    m = troops.models[troops.units[c]["first"]]
    host = troops.units[c]["bodyguard"]
    raised = is_raised(troops.models)
    least = max(eye, troops.units[c]["sight"] + (m["lifted"] if raised else 0))
    n, soft = what_hides(troops, ground, corners, u, host, raised, least, near, points)
    for e in range(4):
        a = m["half_a"] if e < 2 else -m["half_a"]
        b = m["half_b"] if e == 1 or e == 2 else -m["half_b"]
        rect[e, 0], rect[e, 1] = on_table_at(m["x"], m["y"], m["facing"], a, b)
    return bool(soft_view(near, points, n, soft, x, y, f, half, rect, 0, 4, room, line))


def within(g: BattleCore, unit: int) -> list[int]:
    """The models on the table of a unit and of the characters in it."""
    return [k for row in wholly(g, unit) for k in g.members(row)]


@inner_kernel
def fill_within(units: Array, models: Array, u: int, joined: bool, rows: Array) -> int:
    """Write to ``rows`` the models on the table in unit ``u``, and, if ``joined``, those of all characters in it.
    Returns how many.
    """
    n = 0
    for other in range(-2, len(units) if joined else 0):
        own = u if other == -2 else units[u]["leader"] if other == -1 else other
        if own < 0 or (other >= 0 and not stands_in(units, other, u)):
            continue
        of = other if other >= 0 else u
        for k in range(units[own]["first"], units[own]["first"] + units[own]["count"]):
            if models[k]["on_table"] == 1 and models[k]["unit"] == of:
                rows[n] = k
                n += 1
    return n


@kernel
def mark_who_see(
    troops: Troops,
    ground: Array,
    corners: Array,
    u: int,
    target: int,
    character: int,
    turns: int,
    joined: bool,
    sight: SightTables,
    rows: Array,
    seeing: Array,
) -> int:
    """Mark in ``seeing`` (bool, by model) the models of the front rank of unit ``u`` that see a base of unit
    ``target``, each by its own Line of Sight value. Returns how many. Units that either of them charges out of hide
    nothing (wap.character.leave.charge).

    Args:
        character: the one in ``target`` at whose base alone they look; -1: at all of the unit.
        turns: sides of each base that see: 1 the front, 4 all.
        joined: whether characters in the unit are asked too.
    """
    models, units = troops.models, troops.units
    raised = is_raised(models)
    known = -1
    n = soft = 0
    seeing[:] = False
    found = 0
    for at in range(fill_within(units, models, u, joined, rows)):
        m = models[rows[at]]
        if m["rank"] != 0:
            continue
        eye = units[m["unit"]]["sight"]
        least = max(eye, units[target]["sight"])
        if least != known and not raised and character < 0:
            n, soft = what_hides(troops, ground, corners, u, target, False, least, sight.near, sight.points)
            known = least
        inside = units[u]["garrison"] >= 0  # it sees from any point of the building's outline
        half_a = units[u]["base_a"] if inside else m["half_a"]
        half_b = units[u]["base_b"] if inside else m["half_b"]
        for turn in range(turns):
            facing = m["facing"] + 0.5 * pi * turn
            ahead = half_a if turn % 2 == 0 else half_b
            aside = half_b if turn % 2 == 0 else half_a
            x = m["x"] + ahead * cos(facing)
            y = m["y"] + ahead * sin(facing)
            high = eye + (m["lifted"] if raised else 0)
            if character >= 0:
                sees = sees_within(troops, ground, corners, u, character, high, x, y, facing, aside, sight)
            elif raised:
                sees = sees_raised(troops, ground, corners, u, target, high, x, y, facing, aside, sight)
            else:
                sees = sees_from(troops, sight, n, soft, x, y, facing, aside, target)
            if sees:
                seeing[rows[at]] = True
                found += 1
                break
    return found


def find_who_see(g: BattleCore, unit: int, target: int, *, all_round: bool = False, joined: bool = False) -> int:
    """Mark in ``work.sights.seeing`` the models of a unit that see a base of another unit, or that of a character in
    one; returns how many. ``all_round``: they see to all sides; ``joined``: characters in the unit are asked too.
    """
    setup, work, attached = g.setup, g.work.sights, g.units.place[target] == ATTACHED
    found: int = g.work.call(
        mark_who_see,
        g.troops,
        setup.statics["ground"],
        setup.corners,
        unit,
        g.units.bodyguard[target] if attached else target,
        target if attached else -1,
        4 if all_round else 1,
        joined,
        work.tables,
        work.rows,
        work.seeing,
    )
    return found
