"""The cells of a move: each is legal exactly where the rules, worked out anew and by other means, allow it (epic.move.*)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import acos, hypot, inf, sqrt
from typing import Any

import pytest

from wh_env import Battle
from wh_env.testing import choose, pick, slots
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, may_move

Place = tuple[float, float]
Wall = tuple[float, float, float, float]
GRID = 17
UNSURE = 2e-3  # cm round a border in which nothing is said
RUNNER = {"class": "infantry", "move_cm": 10, "save": 4, "assault_factor": 0}
TRACKED = {"class": "light-vehicle", "move_cm": 16, "save": 4, "assault_factor": 0}


# ---------------------------------------------------------------- the rules, worked out anew


def rim(wall: Wall, x: float, y: float) -> float:
    """How far outside of a rectangle a place is, negative inside."""
    return max(wall[0] - x, x - wall[2], wall[1] - y, y - wall[3])


def depth(wall: Wall, a: Place, b: Place) -> float:
    """The length of the part of a line that lies in a rectangle; negative: by how much it passes it at least, or a little less."""
    t0, t1 = 0.0, 1.0
    length = hypot(b[0] - a[0], b[1] - a[1])
    for low, high, start, way in ((wall[0], wall[2], a[0], b[0] - a[0]), (wall[1], wall[3], a[1], b[1] - a[1])):
        if abs(way) < 1e-12:
            if not low < start < high:
                return -max(low - start, start - high) - 1e-9
            continue
        first, second = sorted(((low - start) / way, (high - start) / way))
        t0, t1 = max(t0, first), min(t1, second)
    return (t1 - t0) * length


def gap_of_line(at: Place, a: Place, b: Place) -> float:
    """Distance of a point from a line."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = dx * dx + dy * dy
    t = 0.0 if long == 0 else min(1.0, max(0.0, ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / long))
    return hypot(a[0] + t * dx - at[0], a[1] + t * dy - at[1])


def end_room(battle: Battle, k: int, x: float, y: float, walls: Sequence[Wall], along: Sequence[int]) -> float:
    """By how much a unit finds room at the end of its move: on the table, off walls and bases, 1 cm from enemies."""
    m = battle.models
    r = m.radius[k]
    rooms = [x - r, y - r, battle.setup.length - r - x, battle.setup.width - r - y]
    rooms = [room + 1e-4 for room in rooms]  # the edge itself is on the table
    rooms += [rim(wall, x, y) for wall in walls]
    for j in range(len(m.x)):
        if m.on_table[j] and j not in along and j != k:
            clear = 1.0 if m.owner[j] != m.owner[k] else 0.0
            rooms.append(hypot(m.x[j] - x, m.y[j] - y) - r - m.radius[j] - clear + 5e-5)
    return float(min(rooms))


def leg_room(battle: Battle, k: int, a: Place, b: Place, walls: Sequence[Wall], flies: bool) -> float:
    """By how much a straight leg is free of walls and enemies."""
    m = battle.models
    rooms = [-depth(wall, a, b) for wall in walls]
    for j in range(len(m.x)):
        if m.on_table[j] and m.owner[j] != m.owner[k] and not flies:
            rooms.append(gap_of_line((m.x[j], m.y[j]), a, b) - m.radius[k] - m.radius[j])
    return min(rooms, default=inf)


def way_round(battle: Battle, k: int, end: Place, walls: Sequence[Wall]) -> float:
    """Length of the shortest way to a place along corners of walls."""
    start = (battle.models.x[k], battle.models.y[k])
    points = [start, *((x, y) for wall in walls for x in (wall[0], wall[2]) for y in (wall[1], wall[3])), end]
    best = {0: 0.0}
    open_ = {0}
    while open_:
        here = min(open_, key=best.__getitem__)
        open_.remove(here)
        for there in range(1, len(points)):
            if leg_room(battle, k, points[here], points[there], [shrunk(wall) for wall in walls], flies=False) < -1e-6:
                continue
            length = best[here] + hypot(points[there][0] - points[here][0], points[there][1] - points[here][1])
            if length < best.get(there, inf) - 1e-12:
                best[there] = length
                open_.add(there)
    return best.get(len(points) - 1, inf)


def shrunk(wall: Wall) -> Wall:
    """A wall whose corners can be turned round."""
    return wall[0] + 1e-5, wall[1] + 1e-5, wall[2] - 1e-5, wall[3] - 1e-5


def compare(battle: Battle, reach: float, sure: Callable[[float, float], float], least: int = 20) -> None:
    """Every cell of the window is legal exactly where ``sure`` (of a displacement) is positive; round 0 nothing is said."""
    cells = set(slots(battle, "cell"))
    step = 2 * reach / (GRID - 1)
    found = {False: 0, True: 0}
    for cell in range(GRID * GRID):
        dx, dy = (cell % GRID - 8) * step, (cell // GRID - 8) * step
        room = sure(dx, dy)
        if abs(room) > UNSURE:
            assert (cell in cells) is (room > 0), (dx, dy, room)
            found[cell in cells] += 1
    assert found[True] >= least
    assert found[False] >= least


def asked(scene: EpicScene, formation: FormationHandle, detail: str = "squad") -> Battle:
    """The battle in which this formation is asked where it moves to."""
    battle = scene.battle("movement", dice=[A if formation.player == 0 else B], detail=detail)
    pick(battle, "own side first")
    if battle.decision is not None and battle.decision.kind == "select-to-move":
        choose(battle, "own", formation.number)
    assert battle.decision is not None
    assert battle.decision.kind == "move-to"
    assert battle.decision.subject == formation.row
    return battle


# ---------------------------------------------------------------- formations that go as they stand


def crowd(player: int, card: Any, at: Sequence[Place], **columns: Any) -> tuple[EpicScene, FormationHandle, list[Wall]]:
    """A formation near a corner of the table, among friends, enemies, a cliff, and one that was lost long ago."""
    scene = EpicScene(size=(100, 60))
    scene.formation(player, "Boy", at=[(29, 21), (31, 13)], order="overwatch", lost=1)
    formation = scene.formation(player, card, at=at, order="charge", **columns)
    scene.formation(1 - player, "Rhino", at=(19.7, 27.1), order="overwatch", fired=1)
    scene.formation(1 - player, "Boy", at=[(26, 8.2), (99, 59)], order="overwatch", fired=1)
    walls = [(10.0, 12.0, 14.0, 20.3), (24.0, 30.0, 40.0, 33.0)]
    for wall in walls:
        scene.area("cliff", *wall)
    return scene, formation, walls


@pytest.mark.rule("epic.move.distance", "epic.move.path", "epic.move.no-contact", "epic.terrain.impassable")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("flies", [False, True])
def test_each_unit_of_a_formation_goes_straight_and_ends_where_there_is_room(player: int, flies: bool) -> None:
    """Double move of 20 cm; friends may be passed, enemies and the cliff not; what hovers passes enemies too."""
    card = {**RUNNER, **({"traits": ["anti-grav"]} if flies else {})}
    at = [(20.3, 17.1), (22.4, 17.6), (21.2, 19.4)]
    scene, formation, walls = crowd(player, card, at)
    battle = asked(scene, formation)
    own = [formation.model(n) for n in range(3)]

    def sure(dx: float, dy: float) -> float:
        if dx == dy == 0:
            return 1.0
        rooms = [20 - hypot(dx, dy) + 1e-4]
        for k, (x, y) in zip(own, at, strict=True):
            rooms.append(end_room(battle, k, x + dx, y + dy, walls, own))
            rooms.append(leg_room(battle, k, (x, y), (x + dx, y + dy), walls, flies))
        return min(rooms)

    compare(battle, 20, sure)


@pytest.mark.rule("epic.move.coherency", "epic.pin.pinned", "epic.move.path")
@pytest.mark.parametrize("player", [0, 1])
def test_a_pinned_unit_stays_and_is_in_the_way_of_the_others(player: int) -> None:
    """Two of three can move; the third is held by an enemy and takes its room like any friend."""
    scene = EpicScene()
    at = [(40.3, 37.1), (42.4, 37.6), (41.2, 39.4)]
    formation = scene.formation(player, RUNNER, at=at, order="advance")
    scene.formation(1 - player, "Boy", at=(41.2, 40.4), order="overwatch", fired=1)
    battle = asked(scene, formation)
    assert battle.models.pinned[formation.model(2)] == 1
    own = [formation.model(0), formation.model(1)]

    def sure(dx: float, dy: float) -> float:
        if dx == dy == 0:
            return 1.0
        rooms = [10 - hypot(dx, dy) + 1e-4]
        for k, (x, y) in zip(own, at, strict=False):
            rooms.append(end_room(battle, k, x + dx, y + dy, [], own))
            rooms.append(leg_room(battle, k, (x, y), (x + dx, y + dy), [], flies=False))
        return min(rooms)

    compare(battle, 10, sure)


@pytest.mark.rule("epic.move.distance")
@pytest.mark.parametrize("player", [0, 1])
def test_the_slowest_that_can_move_sets_the_pace(player: int) -> None:
    """The window of a formation spans its allowance: 5 cm of a Boy, once, twice, three times."""
    for order, reach in (("advance", 5.0), ("charge", 10.0), ("march", 15.0)):
        scene = EpicScene()
        formation = scene.formation(player, "Boy", at=[(60, 60), (62, 60)], order=order)
        scene.formation(1 - player, "Boy", at=(5, 5), order="overwatch", fired=1)
        battle = asked(scene, formation)
        compare(battle, reach, lambda dx, dy, reach=reach: reach + 1e-4 - hypot(dx, dy))  # type: ignore[misc]
        assert may_move(battle, formation, reach * 0.6, reach * 0.8)
        assert not may_move(battle, formation, reach * 0.61, reach * 0.81)


# ---------------------------------------------------------------- ways round


@pytest.mark.rule("epic.move.path", "epic.move.distance", "epic.terrain.impassable")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    "walls",
    [
        [(38.0, 42.0, 52.0, 44.0)],
        [(38.0, 42.0, 52.0, 44.0), (48.0, 45.0, 50.0, 60.0)],
        [(42.0, 35.0, 44.0, 49.0), (30.0, 34.0, 38.0, 36.0)],
        [(34.0, 34.0, 36.0, 45.0), (34.0, 46.0, 46.0, 48.0), (44.0, 36.0, 45.0, 45.3)],
    ],
)
def test_a_single_unit_takes_the_shortest_way_round_cliffs(player: int, walls: list[Wall]) -> None:
    """Its allowance is the length of the path: along the corners of cliffs, to every cell of its window and no farther."""
    scene = EpicScene()
    for wall in walls:
        scene.area("cliff", *wall)
    formation = scene.formation(player, TRACKED, at=(40.3, 40.7), order="advance")
    scene.formation(1 - player, "Boy", at=(110, 110), order="overwatch", fired=1)
    battle = asked(scene, formation)
    k = formation.model()

    def sure(dx: float, dy: float) -> float:
        if dx == dy == 0:
            return 1.0
        end = (40.3 + dx, 40.7 + dy)
        room = end_room(battle, k, *end, walls, [])
        if room < 0:
            return room
        left = 16 + 1e-4 - way_round(battle, k, end, walls)
        return 0.0 if abs(left) < 0.02 else min(room, left)

    compare(battle, 16, sure)


@pytest.mark.rule("epic.move.path", "epic.move.distance", "epic.move.no-contact")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("enemy", [(40.0, 45.0), (45.1, 40.7), (36.2, 38.0), (40.9, 35.0)])
def test_a_single_unit_goes_round_an_enemy_base(player: int, enemy: Place) -> None:
    """Shortest is the way along both tangents and the arc between them; one with a few corners more is hardly longer."""
    scene = EpicScene()
    formation = scene.formation(player, RUNNER, at=(40.3, 40.7), order="advance")
    scene.formation(1 - player, "Rhino", at=enemy, order="overwatch", fired=1)
    battle = asked(scene, formation)
    k = formation.model()
    far = 2.0  # both radii

    def sure(dx: float, dy: float) -> float:
        if dx == dy == 0:
            return 1.0
        end = (40.3 + dx, 40.7 + dy)
        room = end_room(battle, k, *end, [], [])
        if room < 0:
            return room
        straight = hypot(dx, dy)
        if gap_of_line(enemy, (40.3, 40.7), end) >= far:
            return min(room, 10 + 1e-4 - straight)
        near, past = hypot(enemy[0] - 40.3, enemy[1] - 40.7), hypot(enemy[0] - end[0], enemy[1] - end[1])
        cosine = (near * near + past * past - straight * straight) / (2 * near * past)
        arc = acos(max(-1.0, min(1.0, cosine))) - acos(far / near) - acos(far / past)
        way = sqrt(near * near - far * far) + sqrt(past * past - far * far) + far * arc
        if way > 10:
            return 10 - way
        return min(room, 1.0) if way * 1.03 + 0.1 < 10 else 0.0

    compare(battle, 10, sure)


# ---------------------------------------------------------------- away from the enemy


@pytest.mark.rule("epic.move.retreating", "epic.mission.table")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("at", "lost"),
    [
        ([(3.1, 4.2)], 0),
        ([(3.1, 4.2)], 1),
        ([(3.1, 4.2), (5.3, 3.4)], 1),
        ([(30.2, 30.3), (32.4, 30.1), (31.0, 32.2)], 0),
        ([(116.9, 4.2), (114.8, 3.3)], 0),
        ([(3.1, 115.8), (5.2, 116.7)], 0),
    ],
)
def test_in_retreat_every_unit_ends_farther_from_the_nearest_enemy(player: int, at: list[Place], lost: int) -> None:
    """What would leave the table stops at its edge, where it may come no nearer; none ends on another, and somebody moves."""
    scene = EpicScene()
    middle = (60.0, 62.0)
    if at[0] == (30.2, 30.3):
        middle = (40.0, 47.0)
    formation = scene.formation(player, "Boy", at=at, retreating=1, lost=lost)
    scene.formation(1 - player, "Rhino", at=middle, order="overwatch", fired=1)
    scene.formation(1 - player, "Boy", at=(70.0, 30.0), order="overwatch", fired=1, lost=1)
    enemies = [middle, (70.0, 30.0)]
    battle = asked(scene, formation)

    def nearest(place: Place) -> float:
        return min(hypot(place[0] - x, place[1] - y) for x, y in enemies)

    def sure(dx: float, dy: float) -> float:
        ends, rooms = [], [10 + 1e-4 - hypot(dx, dy)]
        for x, y in at:
            end = (min(max(x + dx, 0.5), 119.5), min(max(y + dy, 0.5), 119.5))
            stopped = abs(end[0] - x - dx) + abs(end[1] - y - dy) > 1e-9
            farther = nearest(end) - nearest((x, y))
            rooms.append(1.0 if stopped and abs(farther) < 1e-6 else farther)
            ends.append(end)
        for n, end in enumerate(ends):
            rooms += [hypot(end[0] - x, end[1] - y) - 1.0 + 5e-5 for x, y in ends[n + 1 :]]
        if all(hypot(end[0] - x, end[1] - y) < 1e-4 for end, (x, y) in zip(ends, at, strict=True)):
            return -1.0
        return min(rooms)

    compare(battle, 10, sure, 10)


def test_the_measures_of_this_file() -> None:
    """Lines, rectangles and ways whose lengths are known."""
    assert depth((0, 0, 2, 2), (-1, 1), (3, 1)) == pytest.approx(2)
    assert depth((0, 0, 2, 2), (-1, 3), (3, 3)) == pytest.approx(-1)
    assert depth((0, 0, 2, 2), (1, 1), (1, 5)) == pytest.approx(1)
    assert gap_of_line((0, 3), (-1, 0), (1, 0)) == 3
    assert gap_of_line((5, 4), (-1, 0), (2, 0)) == 5
    assert [round(hypot(b[0] - a[0], b[1] - a[1])) for a, b in pairwise([(0, 0), (3, 4), (3, 10)])] == [5, 6]
