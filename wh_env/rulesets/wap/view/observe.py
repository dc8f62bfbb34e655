"""What the game of regiments adds to observations (``core.features``): its fields and the kernel that writes them."""

from __future__ import annotations

from math import cos, sin
from types import MappingProxyType

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.features import ZONES, Features, Field, columns, share, signed
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.wap.codes import IMPASSABLE, TROOP_TYPES

GLOBALS = (
    Field("start_of_turn", "step of the Movement phase: start of the turn"),
    Field("charges", "step of the Movement phase: charges"),
    Field("compulsory", "step of the Movement phase: compulsory moves"),
    Field("other_moves", "step of the Movement phase: other moves"),
)
LINE = {
    "Movement": "m", "Weapon Skill": "ws", "Ballistic Skill": "bs", "Strength": "s", "Toughness": "t", "Initiative": "i",
    "Attacks": "a", "Leadership": "ld",
}  # fmt: skip
UNIT = (
    Field("front_x", "middle of its front edge, from the middle of the table", "half table length", low=-1.0),
    Field("front_y", "middle of its front edge, from the middle of the table", "half table width", low=-1.0),
    Field("files", "its files", "/ 20"),
    Field("ranks", "its ranks, a short one included", "/ 10"),
    Field("frontage", "width of its front", "in / 24"),
    Field("us", "Unit Strength", "/ 50"),
    Field("us_lost", "Unit Strength lost since the battle began", "share"),
    Field("sight", "Line of Sight value", "/ 10"),
    Field("fleeing", "it flees"),
    *(Field(f"profile_{at}", f"{name} of its troopers", "/ 10") for name, at in LINE.items()),
    *(Field(f"is_{name.replace(' ', '_')}", f"its troop type is {name}") for name in TROOP_TYPES),
    Field("charged", "charged this turn"),
    Field("failed", "failed a charge this turn"),
    Field("marched", "marched this turn"),
    Field("moved_now", "was moved this turn"),
    Field("reformed", "reformed this turn"),
    Field("rallied", "rallied this turn"),
    Field("fled", "fled this turn"),
    Field("joined", "was joined this turn"),
    Field("shot", "has shot this turn"),
    Field("arrived", "came on to the table this turn"),
    Field("stayed", "will not move any more this turn"),
)
MODEL = (
    Field("rank", "its rank, 0 in front", "/ 10"),
    Field("champion", "it is the champion"),
    Field("standard", "it carries the standard"),
    Field("musician", "it is the musician"),
)
RELATION = (
    Field("ahead", "the enemy's front edge is ahead of the own unit (1) or behind it (-1)", "cosine", low=-1.0),
    Field("enemy_ahead", "the own front edge is ahead of the enemy (1) or behind it (-1)", "cosine", low=-1.0),
)
TERRAIN = (*ZONES, Field("impassable", "part of the cell that nobody can enter", "share"))
GLOBAL_AT, UNIT_AT, MODEL_AT, RELATION_AT = columns(GLOBALS), columns(UNIT), columns(MODEL), columns(RELATION)


@inner_kernel
def fill_unit(
    units: Array, lines: Array, u: int, turned: bool, length: float, width: float, row: int, out: Array
) -> None:
    """Write the columns of one unit."""
    U = UNIT_AT
    unit = units[u]
    sign = -1.0 if turned else 1.0
    if unit["files"] > 0:
        out[row + U.front_x] = signed(sign * (unit["x"] - 0.5 * length), 0.5 * length)
        out[row + U.front_y] = signed(sign * (unit["y"] - 0.5 * width), 0.5 * width)
        ranks = (unit["alive"] + unit["files"] - 1) // unit["files"]
        out[row + U.files] = share(unit["files"], 20.0)
        out[row + U.ranks] = share(ranks, 10.0)
        out[row + U.frontage] = share(2.0 * unit["base_b"] * unit["files"], 24.0)
    out[row + U.us] = share(unit["us"], 50.0)
    out[row + U.us_lost] = share(unit["us_start"] - unit["us"], max(1, unit["us_start"]))
    out[row + U.sight] = share(unit["sight"], 10.0)
    out[row + U.fleeing] = 1.0 if unit["fleeing"] != 0 else 0.0
    line = lines[unit["first_line"]]
    at = row + U.profile_m
    out[at] = share(line["m"], 10.0)
    out[at + 1] = share(line["ws"], 10.0)
    out[at + 2] = share(line["bs"], 10.0)
    out[at + 3] = share(line["s"], 10.0)
    out[at + 4] = share(line["t"], 10.0)
    out[at + 5] = share(line["i"], 10.0)
    out[at + 6] = share(line["a"], 10.0)
    out[at + 7] = share(line["ld"], 10.0)
    out[row + U.is_infantry + unit["kind"]] = 1.0
    for bit in range(11):
        if unit["did"] >> bit & 1:
            out[row + U.charged + bit] = 1.0


@inner_kernel
def bearing(unit: Array, other: Array) -> float:
    """Cosine of the angle between a unit's facing and the direction to another's front edge."""
    dx = other["x"] - unit["x"]
    dy = other["y"] - unit["y"]
    far = (dx * dx + dy * dy) ** 0.5
    if far <= 0.0:
        return 0.0
    return float(max(-1.0, min(1.0, (dx * cos(unit["facing"]) + dy * sin(unit["facing"])) / far)))


@kernel
def fill(
    models: Array, units: Array, lines: Array, players: Array, clock: Array, length: float, width: float, seat: int,
    view: Array, out: Array,
) -> None:  # fmt: skip
    """Write the columns of the game of regiments; see ``core.features.VIEW``."""
    v = view[0]
    at = v["globals"]
    rows = v["rows"]
    distances = v["distances"]
    c = clock[0]
    me = players[seat]
    other = players[1 - seat]
    turned = c["attacker"] != seat
    G = GLOBAL_AT
    if c["phase"] == 1:
        out[at + G.start_of_turn + min(3, c["step"])] = 1.0
    for slot in range(me["units"]):
        row = v["own"] + slot * v["unit_stride"]
        fill_unit(units, lines, me["first_unit"] + slot, turned, length, width, row, out)
    for slot in range(other["units"]):
        row = v["enemy"] + slot * v["unit_stride"]
        fill_unit(units, lines, other["first_unit"] + slot, turned, length, width, row, out)

    M = MODEL_AT
    for slot in range(len(rows)):
        if rows[slot] < 0:
            break
        m = models[rows[slot]]
        row = v["models"] + slot * v["model_stride"]
        out[row + M.rank] = share(m["rank"], 10.0)
        if m["role"] > 0:
            out[row + M.champion + m["role"] - 1] = 1.0

    R = RELATION_AT
    for i in range(v["own_from"], v["own_to"]):
        a = me["first_unit"] + i
        for j in range(v["enemy_from"], v["enemy_to"]):
            if distances[i, j] < 0.0:
                continue
            e = other["first_unit"] + j
            cell = v["relations"] + (i - v["own_from"]) * v["own_stride"] + (j - v["enemy_from"]) * v["enemy_stride"]
            out[cell + R.ahead] = bearing(units[a], units[e])
            out[cell + R.enemy_ahead] = bearing(units[e], units[a])


@kernel
def rock_at(ground: Array, corners: Array, x: float, y: float) -> bool:
    """Whether nobody can enter the point."""
    for b in range(len(ground)):
        piece = ground[b]
        if piece["passage"] != IMPASSABLE or not (piece["min_x"] <= x <= piece["max_x"]):
            continue
        inside = True
        first = piece["first"]
        count = piece["count"]
        for k in range(first, first + count):
            n = first + (k - first + 1) % count
            ex = corners[n, 0] - corners[k, 0]
            ey = corners[n, 1] - corners[k, 1]
            if ex * (y - corners[k, 1]) - ey * (x - corners[k, 0]) < 0.0:
                inside = False
                break
        if inside:
            return True
    return False


class RegimentFeatures(Features):
    """Fields of the game of regiments."""

    fields = MappingProxyType(
        {"globals": GLOBALS, "units": UNIT, "models": MODEL, "relations": RELATION, "terrain": TERRAIN}
    )

    def fill(self, g: BattleCore, seat: int, tables: None, view: Array, out: Array) -> None:
        fill(
            g.models.rows, g.units.rows, g.lines.rows, g.players.rows, g.clock.rows, g.setup.length, g.setup.width, seat,
            view, out,
        )  # fmt: skip

    def planes(self, setup: Setup, division: int, features: Array, corners: Array, x: Array, y: Array) -> Array:
        south, north = setup.statics["zones"]
        ground = setup.statics["ground"]
        rock = [rock_at(ground, setup.corners, float(px), float(py)) for px, py in zip(x, y, strict=True)]
        return np.stack([within(south, x, y), within(north, x, y), np.array(rock, np.bool_)])


def within(zone: Array, x: Array, y: Array) -> Array:
    """Which points lie in a convex polygon, its corners counter-clockwise."""
    inside = np.ones(len(x), np.bool_)
    for (px, py), (qx, qy) in zip(zone, np.roll(zone, -1, axis=0), strict=True):
        inside &= (qx - px) * (y - py) - (qy - py) * (x - px) >= 0.0
    return inside
