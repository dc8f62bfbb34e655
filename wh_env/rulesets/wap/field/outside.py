"""Where a garrison stands when it leaves its building: with its rear rank at a wall (wap.building.leave.placing,
.assault.defender-flees, .panic.fails).

Blocks are set up square to the walls: they look away from the building, or along the wall to either side.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import cos, hypot, inf, sin

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import block_parts, count_block, derive, part_gap
from wh_env.rulesets.wap.basics.garrisons import QUARTER, SIDES, Building, buildings_of, give_up
from wh_env.rulesets.wap.basics.joined import is_too_wide, joined_to
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.codes import AT_THE_RIGHT, COLUMN, IN_RANKS, RANKS, SKIRMISH
from wh_env.rulesets.wap.tables import PARTS
from wh_env.rulesets.wap.ways.poses import Pose, depth_of, front_width, turned_in

AWAY, TO_THE_LEFT, TO_THE_RIGHT = range(3)  # ways that a block looks, as seen from the wall
LOOKS = {AWAY: 0.0, TO_THE_LEFT: QUARTER, TO_THE_RIGHT: -QUARTER}
ASIDE = tuple(0.5 * n * side for n in range(1, 25) for side in (1.0, -1.0))  # inches along the wall, tried after 0
TOUCHED = 0.01  # inches of a wall that a model must at least touch


@kernel
def count_places(models: Array, units: Array, u: int) -> None:
    """``count_block`` for callers outside kernels."""
    count_block(models, units, u)


def has_own_size(g: BattleCore, unit: int) -> None:
    """A garrison gets the size of its block outside. A character whose base does not fit its ranks stands at the right
    end of its front (wap.character.base.misfit). Pack masters stay in its ranks (wap.special.mixed-unit.formation).
    """
    give_up(g, unit)
    for row in joined_to(g, unit):
        in_ranks = g.units.drives[row] or g.setup.statics["fitting"][row][unit]
        g.units.beside[row] = IN_RANKS if in_ranks else AT_THE_RIGHT
    g.work.call(count_places, g.models.rows, g.units.rows, unit)


@contextmanager
def with_own_size(g: BattleCore, unit: int) -> Iterator[Building]:
    """While it lasts, a garrison has the size of its block outside. Its rectangle stays that of the building."""
    u, building = g.units, buildings_of(g)[g.units.garrison[unit]]
    kept = (u.garrison[unit], u.base_a[unit], u.base_b[unit])
    has_own_size(g, unit)
    try:
        yield building
    finally:
        u.garrison[unit], u.base_a[unit], u.base_b[unit] = kept
        u.wider[unit] = 0.0
        for row in joined_to(g, unit):
            u.beside[row] = IN_RANKS
        derive(g, unit)


def usual_files(g: BattleCore, unit: int) -> int:
    """The files in which a unit is set up if its player does not say: those of its army list, fewer if the bases of its
    characters reach farther back than its full ranks, or more if it would be deeper than wide. Ask it within
    ``with_own_size``.
    """
    models = g.units.block[unit]
    files = max(1, min(g.units.wide[unit], models))
    while files > 1 and is_too_wide(g, unit, files):
        files -= 1
    while -(-models // files) > files:
        files += 1
    return files


def pose_at(g: BattleCore, unit: int, building: Building, side: int, files: int, looks: int, aside: float) -> Pose:
    """The pose with the rear rank at a wall, ``aside`` inches to the left from its middle. Ask it within
    ``with_own_size``.
    """
    x, y, out, _ = building.wall(side)
    deep, wide, facing = depth_of(g, unit, files), front_width(g, unit, files), out + LOOKS[looks]
    x, y = x - aside * sin(out), y + aside * cos(out)
    if looks == AWAY:
        deep = max(deep, 2.0 * g.units.beside_a[unit])  # a base beside its front may reach farther back than its ranks
        return x + deep * cos(out), y + deep * sin(out), turned_in(facing)
    x, y = x + 0.5 * wide * cos(out), y + 0.5 * wide * sin(out)
    return x + 0.5 * deep * cos(facing), y + 0.5 * deep * sin(facing), turned_in(facing)


def reaches_wall(g: BattleCore, unit: int, building: Building, side: int, files: int, looks: int, aside: float) -> bool:
    """Whether a model of the rear rank touches the wall. Ask it within ``with_own_size``."""
    half, u = building.wall(side)[3], g.units
    if looks == AWAY:
        rear = u.block[unit] - (-(-u.block[unit] // files) - 1) * files
        return abs(aside - 0.5 * u.wider[unit]) - rear * u.base_b[unit] < half - TOUCHED
    if looks == TO_THE_RIGHT and u.wider[unit]:
        return False  # the character at its right end keeps its ranks from the wall
    # the rear rank is at the end of the block that looks away from the facing
    back = aside + (-1.0 if looks == TO_THE_LEFT else 1.0) * (0.5 * depth_of(g, unit, files) - u.base_a[unit])
    return abs(back) - u.base_a[unit] < half - TOUCHED


def farthest_model(g: BattleCore, unit: int, building: Building, files: int, pose: Pose) -> float:
    """Inches from the building to the farthest base of a block square to it. Ask it within ``with_own_size``."""
    u, (x, y, facing) = g.units, pose
    a, b = u.base_a[unit], u.base_b[unit]
    deep, wide = depth_of(g, unit, files), front_width(g, unit, files)
    c, s = cos(building.facing), sin(building.facing)
    turned = abs(cos(facing - building.facing)) < 0.5
    half_u, half_v = (b, a) if turned else (a, b)
    most = 0.0
    for ahead in (-a, a - deep):
        for aside in (b - 0.5 * wide, 0.5 * wide - b):
            dx = x + ahead * cos(facing) - aside * sin(facing) - building.x
            dy = y + ahead * sin(facing) + aside * cos(facing) - building.y
            du = abs(c * dx + s * dy) - building.half_a - half_u
            dv = abs(c * dy - s * dx) - building.half_b - half_v
            most = max(most, hypot(max(0.0, du), max(0.0, dv)))
    return most


@kernel
def gap_outside(
    parts: Array, units: Array, u: int, target: int, x: float, y: float, f: float, files: int, block: Array
) -> float:
    """Inches from unit ``u``, if it stood at a pose in ``files`` files, to unit ``target``. Overwrites ``block``."""
    best = inf
    block_parts(units, u, x, y, f, files, block, 0)
    for n in range(PARTS):
        if block[n]["on_table"] == 0:
            continue
        for k in range(units[target]["first_part"], units[target]["first_part"] + PARTS):
            if parts[k]["on_table"] == 1:
                best = min(best, part_gap(block[n], parts[k]))
    return best


def gap_from(g: BattleCore, unit: int, target: int, pose: Pose, files: int) -> float:
    """Inches from a garrison, if it stood at a pose outside, to another unit. Ask it within ``with_own_size``."""
    return float(g.work.call(gap_outside, g.parts.rows, g.units.rows, unit, target, *pose, files, g.work.block))


def has_room(g: BattleCore, unit: int, files: int, pose: Pose, margin: float) -> bool:
    """Whether a garrison has room at a pose outside: ``margin`` inches from all other units, also from those at the
    walls of its building, which itself is not in its way. Ask it within ``with_own_size``.
    """
    setup, x_y_f = g.setup, pose

    def stands(ground: Array, parts: Array) -> bool:
        return bool(
            g.work.call(
                may_stand, g.troops._replace(parts=parts), ground, setup.corners, setup.length, setup.width,
                unit, *x_y_f, files, margin, g.work.block,
            )
        )  # fmt: skip

    ground, first = ground_to_stand_in(g, unit), g.units.first_part[unit]
    if not stands(ground, g.parts.rows):
        return False
    parts = g.parts.rows.copy()  # a unit that moves may stay as near to others as it is; this one is not yet there
    parts["on_table"][first : first + PARTS] = 0
    return stands(ground[:0], parts)


def go_out(g: BattleCore, unit: int, pose: Pose, files: int, rule: str) -> None:
    """A garrison is outside, in so many files. The caller sets its block to ``pose``."""
    u, feature = g.units, g.units.garrison[unit]
    has_own_size(g, unit)
    if u.shape[unit] in (RANKS, SKIRMISH, COLUMN):
        lawful = -(-u.block[unit] // files) <= files
        u.shape[unit] = COLUMN if not lawful else SKIRMISH if u.spacing[unit] else RANKS
    u.files[unit] = files
    if g.recorder is not None:
        told = {"place": (round(pose[0], 2), round(pose[1], 2)), "files": files}
        g.note(rule, "leaves a building", unit=unit, building=feature, **told)


def places_opposite(g: BattleCore, unit: int, building: Building, side: int, files: int) -> list[Pose]:
    """Poses at a wall, looking away from it, the nearest to its middle first. Ask it within ``with_own_size``."""
    return [
        pose_at(g, unit, building, side, files, AWAY, aside)
        for aside in (0.0, *ASIDE)
        if reaches_wall(g, unit, building, side, files, AWAY, aside)
    ]


def places_beside(g: BattleCore, unit: int, building: Building, side: int, files: int) -> list[Pose]:
    """Poses at the walls next to wall ``side``, looking as from that one, the nearest to its middle first. Ask it
    within ``with_own_size``.
    """
    out, (x, y, _) = building.wall(side)[2], pose_at(g, unit, building, side, files, AWAY, 0.0)
    found = [
        pose_at(g, unit, building, wall, files, looks, aside)
        for wall in range(SIDES)
        for looks in (TO_THE_LEFT, TO_THE_RIGHT)
        if cos(building.wall(wall)[2] + LOOKS[looks] - out) > 0.5
        for aside in (0.0, *ASIDE)
        if reaches_wall(g, unit, building, wall, files, looks, aside)
    ]
    return sorted(found, key=lambda pose: (hypot(pose[0] - x, pose[1] - y), pose))


def first_with_room(g: BattleCore, unit: int, files: int, places: list[Pose]) -> Pose | None:
    """The first of some poses at which a garrison has room, an inch from others if there is one. Ask it within
    ``with_own_size``.
    """
    margins = (g.setup.rules["one_inch"], 0.0)
    return next((pose for margin in margins for pose in places if has_room(g, unit, files, pose, margin)), None)


def put_outside(g: BattleCore, unit: int, direction: float, rule: str) -> Pose:
    """A garrison that flees in ``direction`` is put outside, at the wall that looks that way, in the files of its army
    list; as near as possible to the middle of the wall where it has room, else to that place at a wall next to it,
    looking the same way. If it has no room there either it stands in the middle, as it flees through everything.
    Returns its pose, which the caller sets (wap.building.assault.defender-flees, .panic.fails).
    """
    with with_own_size(g, unit) as building:
        side = max(range(SIDES), key=lambda n: cos(building.wall(n)[2] - direction))
        files = usual_files(g, unit)
        opposite = places_opposite(g, unit, building, side, files)
        pose = first_with_room(g, unit, files, opposite)
        if pose is None:
            pose = first_with_room(g, unit, files, places_beside(g, unit, building, side, files)) or opposite[0]
    go_out(g, unit, pose, files, rule)
    return pose
