"""Formations that are out of coherency close up: who joins whom, how far, past what (epic.move.coherency), and units that find the
place taken at which they must stop (epic.move.path)."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

import pytest

from wh_env import Battle
from wh_env.rulesets.epic.move.plans import group_count, scattered
from wh_env.testing import choose, pick, slots, told
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, move_by, place_of

Place = tuple[float, float]
RUNNER = {"class": "infantry", "move_cm": 10, "save": 4, "assault_factor": 0}
GRID = 17


def asked(scene: EpicScene, formation: FormationHandle) -> Battle:
    """The battle in which this formation is asked where it moves to."""
    battle = scene.battle("movement", dice=[A if formation.player == 0 else B])
    pick(battle, "own side first")
    if battle.decision is not None and battle.decision.kind == "select-to-move":
        choose(battle, "own", formation.number)
    return battle


def ends(battle: Battle, formation: FormationHandle, cell: int) -> list[Place]:
    """Where the units stand after the move to a cell."""
    probe = battle.clone()
    choose(probe, "cell", cell)
    return [place_of(probe, formation.model(n)) for n in range(len(formation.spots))]


def cells() -> list[tuple[int, float, float]]:
    """The cells of a window of 10 cm and their displacements."""
    return [(cell, (cell % GRID - 8) * 1.25, (cell // GRID - 8) * 1.25) for cell in range(GRID * GRID)]


def straggler(player: int, at: Place, *others: tuple[int, Place], **columns: int) -> tuple[Battle, FormationHandle]:
    """Three that are coherent, and one of their formation elsewhere; ``others``: single Boyz of a player."""
    scene = EpicScene()
    scene.formation(player, "Boy", at=(5, 100), order="overwatch")
    places = [(60.0, 60.0), (62.0, 60.0), (64.0, 60.0), at]
    order = {} if columns else {"order": "advance"}
    formation = scene.formation(player, RUNNER, at=places, **order, **columns)  # type: ignore[arg-type]
    scene.formation(1 - player, "Boy", at=(110, 5), order="overwatch", fired=1)
    for owner, place in others:
        scene.formation(owner, "Boy", at=place, order="overwatch", fired=1)
    return asked(scene, formation), formation


@pytest.mark.rule("epic.move.coherency", "epic.move.distance")
@pytest.mark.parametrize("player", [0, 1])
def test_the_straggler_comes_within_3_cm_of_the_nearest_by_the_shortest_way(player: int) -> None:
    """Wherever the three go, the fourth goes straight towards the nearest of them and stops 3 cm from it, or stays where it is
    near enough; cells from which it cannot do so within its 10 cm are not legal."""
    at = (71.3, 63.1)
    battle, formation = straggler(player, at)
    legal, seen = set(slots(battle, "cell")), 0
    for cell, dx, dy in cells():
        three = [(60 + 2 * n + dx, 60 + dy) for n in range(3)]
        apart, (x, y) = min((hypot(x - at[0], y - at[1]), (x, y)) for x, y in three)
        if hypot(dx, dy) > 10.001 or apart > 13.001:
            assert cell not in legal
            continue
        if apart < 1 or abs(apart - 13) < 2e-3:
            continue
        assert cell in legal
        if cell % 4:
            continue
        seen += 1
        found = ends(battle, formation, cell)
        assert found[:3] == [pytest.approx(place) for place in three]
        if apart <= 3:
            assert found[3] == pytest.approx(at)
        else:
            assert found[3] == pytest.approx((x + 3 * (at[0] - x) / apart, y + 3 * (at[1] - y) / apart), abs=1e-4)
    assert seen > 20


@pytest.mark.rule("epic.move.coherency", "epic.move.path", "epic.move.no-contact")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("enemy", [(69.0, 60.8), (68.2, 60.9), (66.9, 58.3)])
def test_a_straggler_joins_past_an_enemy_by_a_way_that_is_hardly_longer_than_it_must_be(
    player: int, enemy: Place
) -> None:
    """The three stay. The shortest straight way that passes no enemy and ends 1 cm clear of him, within 3 cm of the last of them."""
    at = (71.0, 60.0)
    battle, formation = straggler(player, at, (1 - player, enemy))
    assert 144 in slots(battle, "cell")
    x, y = ends(battle, formation, 144)[3]
    assert hypot(x - 64, y - 60) <= 3 + 1e-3

    def length(px: float, py: float, slack: float) -> float:
        long = hypot(px - at[0], py - at[1])
        t = ((enemy[0] - at[0]) * (px - at[0]) + (enemy[1] - at[1]) * (py - at[1])) / long**2
        t = min(1.0, max(0.0, t))
        past = hypot(at[0] + t * (px - at[0]) - enemy[0], at[1] + t * (py - at[1]) - enemy[1])
        clear = hypot(px - enemy[0], py - enemy[1])
        own = hypot(px - 64, py - 60)
        return long if past >= 1 - slack and clear >= 2 - slack and own >= 1 - slack and long <= 10 + slack else inf

    best = min(
        length(64 + r * cos(turn * pi / 180), 60 + r * sin(turn * pi / 180), 0.0)
        for turn in range(360)
        for r in (1.0, 1.5, 2.0, 2.5, 2.9, 3.0)
    )
    assert best < inf
    assert best - 0.1 <= length(x, y, 1e-3) <= best + 0.6


@pytest.mark.rule("epic.move.coherency", "epic.move.distance", "epic.move.path")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("two", [False, True])
def test_one_too_far_away_comes_as_near_as_it_can(player: int, side: int, two: bool) -> None:
    """28 cm to the right or left. Legal are the cells where least is missing; the fourth goes straight towards the nearest of the
    three by 10 cm, or by as many quarters of a centimetre less as somebody stands at the end of its way."""
    far = 92.0 if side else 32.0
    block = far - 10 if side else far + 10
    others = [(player, (block, 60.0)), (1 - player, (block, 63.6))]
    if two:
        others.append((player, (block + (1 if side else -1), 60.0)))
    battle, formation = straggler(player, (far, 60.0), *others)
    space = {}
    for cell, dx, dy in cells():
        if hypot(dx, dy) > 10.0001:
            continue
        three = [(60 + 2 * n + dx, 60 + dy) for n in range(3)]
        apart, (x, y) = min((hypot(x - far, y - 60), (x, y)) for x, y in three)
        along = min(10.0, apart)
        while along > 0:
            px, py = far + along * (x - far) / apart, 60 + along * (y - 60) / apart
            room = min(hypot(px - ox, py - oy) - (1 if owner == player else 2) for owner, (ox, oy) in others)
            if room > -5e-5:
                break
            along -= 0.25
        space[cell] = (apart - along - 3, (px, py), three)
    least = min(missing for missing, *_ in space.values())
    wanted = {cell for cell, (missing, *_) in space.items() if missing <= least + 1e-4}
    assert len(wanted) == 1 + two
    if two:
        assert set(slots(battle, "cell")) == wanted
    for cell in wanted:  # what is legal alone is not asked
        found = ends(battle, formation, cell) if two else [place_of(battle, formation.model(n)) for n in range(4)]
        assert found[:3] == [pytest.approx(place) for place in space[cell][2]]
        assert found[3] == pytest.approx(space[cell][1], abs=1e-4)


@pytest.mark.rule("epic.move.coherency")
@pytest.mark.parametrize("player", [0, 1])
def test_the_nearest_straggler_joins_first_and_the_next_joins_it(player: int) -> None:
    """Two in a row beyond the three, 4 cm and 8 cm from the last: they end 3 cm and 6 cm from it; the three stay."""
    scene = EpicScene()
    at = [(72.0, 60.0), (60.0, 60.0), (62.0, 60.0), (68.0, 60.0), (64.0, 60.0)]
    formation = scene.formation(player, RUNNER, at=at, order="advance")
    scene.formation(1 - player, "Boy", at=(110, 5), order="overwatch", fired=1)
    battle = asked(scene, formation)
    found = ends(battle, formation, 144)
    expected = [(70, 60), (60, 60), (62, 60), (67, 60), (64, 60)]
    assert found == [pytest.approx(place, abs=1e-4) for place in expected]


@pytest.mark.rule("epic.move.coherency", "epic.pin.pinned")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("pinned", [0, 3])
def test_of_equal_groups_the_first_leads_and_pinned_units_do_not_count(player: int, pinned: int) -> None:
    """Two pairs that are 10 cm apart: the first leads, the second joins. A unit that is held elsewhere belongs to no group and stays."""
    scene = EpicScene()
    at = [(60.0, 60.0), (62.0, 60.0), (72.0, 60.0), (74.0, 60.0), (40.0, 40.0)]
    formation = scene.formation(player, RUNNER, at=at, order="advance")
    scene.formation(1 - player, "Boy", at=(40, 41), order="overwatch", fired=1)
    if pinned:
        scene.formation(1 - player, "Boy", at=(74, 61), order="overwatch", fired=1)
    battle = asked(scene, formation)
    assert scattered(battle, formation.row)
    assert group_count(battle, formation.row) == 2
    found = ends(battle, formation, 143)
    assert found[:3] == [pytest.approx((x, 60), abs=1e-4) for x in (58.75, 60.75, 63.75)]
    assert found[3] == (pytest.approx((66.75, 60), abs=1e-4) if not pinned else (74, 60))
    assert found[4] == (40, 40)


@pytest.mark.rule("epic.move.retreating", "epic.move.coherency")
@pytest.mark.parametrize("player", [0, 1])
def test_in_retreat_every_unit_that_closes_up_ends_farther_from_the_enemy(player: int) -> None:
    """Double move of 20 cm. Legal are the cells where all four end farther from their nearest enemy, and nothing else."""
    at = (71.0, 52.0)
    enemy = (68.0, 80.0)
    battle, _ = straggler(player, at, (1 - player, enemy), retreating=1)
    enemies = [enemy, (110.0, 5.0)]
    places = [(60.0, 60.0), (62.0, 60.0), (64.0, 60.0), at]
    legal = set(slots(battle, "cell"))
    assert legal

    def nearest(place: Place) -> float:
        return min(hypot(place[0] - x, place[1] - y) for x, y in enemies)

    seen = {True: 0, False: 0}
    for cell, dx, dy in cells():
        dx, dy = 2 * dx, 2 * dy
        three = [(60 + 2 * n + dx, 60 + dy) for n in range(3)]
        apart, (x, y) = min((hypot(x - at[0], y - at[1]), (x, y)) for x, y in three)
        if abs(apart - 3) < 1e-2 or min(hypot(px - ex, py - ey) for px, py in three for ex, ey in enemies) < 2:
            continue
        fourth = at if apart < 3 else (x + 3 * (at[0] - x) / apart, y + 3 * (at[1] - y) / apart)
        rooms = [nearest(end) - nearest(start) for end, start in zip([*three, fourth], places, strict=True)]
        rooms += [20.0001 - hypot(dx, dy), 23 - apart]
        if apart < 1:
            continue
        if abs(min(rooms)) < 2e-3 and min(rooms) != 0:
            continue
        assert (cell in legal) is (min(rooms) > 0), (dx, dy)
        seen[cell in legal] += 1
    assert seen[True] > 20
    assert seen[False] > 20


# ---------------------------------------------------------------- stopping where somebody stands


@pytest.mark.rule("epic.move.path", "epic.terrain.dangerous-test")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("stop", "aside"), [(61.25, 0.25), (61.0, 0.25), (60.625, 0.0)])
def test_a_unit_that_is_stuck_where_another_has_stopped_stands_beside_it(
    player: int, stop: float, aside: float
) -> None:
    """Full detail: the one in the marsh is to go, the other takes part of its place and goes first. It sticks, and stands as near
    to where it was as there is room."""
    scene = EpicScene()
    scene.area("marsh", 61.6, 50, 80, 70)
    pair = scene.formation(player, RUNNER, at=[(60, 60), (61.8, 60)], order="advance")
    scene.formation(1 - player, "Boy", at=(110, 5), order="overwatch", fired=1)
    battle = scene.battle("movement", dice=[A if player == 0 else B, 1, 4], detail="full")
    pick(battle, "own side first")
    if battle.decision is not None and battle.decision.kind == "select-to-move":
        choose(battle, "own", 0)
    choose(battle, "model", 1)
    move_by(battle, -2.5, -1.25, pair.model(1))
    where = move_by_unit(battle, pair.model(0), stop - 60)
    assert told(battle, "epic.terrain.dangerous-test")[0]["model"] == pair.model(1)
    assert place_of(battle, pair.model(0)) == pytest.approx((60 + where, 60))
    x, y = place_of(battle, pair.model(1))
    gap = hypot(x - 60 - where, y - 60)
    assert gap >= 1 - 1e-2
    assert hypot(x - 61.8, y - 60) <= max(0.0, 1 - (61.8 - 60 - where)) + 0.26
    if aside == 0.0:
        assert (x, y) == (61.8, 60)


def move_by_unit(battle: Battle, model: int, dx: float) -> float:
    """Place the other unit so far to the right; how far that is."""
    if battle.decision is not None and battle.decision.kind == "select-unit":
        choose(battle, "model", 0)
    return move_by(battle, dx, 0, model)[0]


@pytest.mark.rule("epic.move.coherency", "epic.move.path", "epic.move.no-contact")
@pytest.mark.parametrize("player", [0, 1])
def test_the_group_that_leads_goes_where_all_of_it_can_go_straight(player: int) -> None:
    """Not through the cliff above, nor to or through the enemy below, who stands so near that only to stay is free of him."""
    enemy = (60.0, 58.4)
    cliff = (50.0, 62.0, 61.0, 63.0)
    scene = EpicScene()
    scene.area("cliff", *cliff)
    places = [(60.0, 60.0), (62.0, 60.0), (64.0, 60.0), (68.0, 60.0)]
    formation = scene.formation(player, RUNNER, at=places, order="advance")
    scene.formation(1 - player, "Boy", at=enemy, order="overwatch", fired=1)
    battle = asked(scene, formation)
    legal = set(slots(battle, "cell"))
    assert 144 in legal
    seen = {True: 0, False: 0}

    def past(place: Place, end: Place, other: Place) -> float:
        long = hypot(end[0] - place[0], end[1] - place[1])
        t = ((other[0] - place[0]) * (end[0] - place[0]) + (other[1] - place[1]) * (end[1] - place[1])) / long**2
        t = min(1.0, max(0.0, t))
        return hypot(place[0] + t * (end[0] - place[0]) - other[0], place[1] + t * (end[1] - place[1]) - other[1])

    for cell, dx, dy in cells():
        if cell == 144 or hypot(dx, dy) > 9.99:
            continue
        rooms = []
        for place in places[:3]:
            end = (place[0] + dx, place[1] + dy)
            rooms += [past(place, end, enemy) - 1, hypot(end[0] - enemy[0], end[1] - enemy[1]) - 2]
            if end[1] > 62.0:  # where it comes to the cliff's near side, far side, and where it ends
                at = [place[0] + dx * (y - place[1]) / dy for y in (62.0, min(63.0, end[1]))]
                rooms.append(min(at) - 61.0 if max(at) > 50.0 else 1.0)
        apart, (x, y) = min((hypot(x + dx - 68, y + dy - 60), (x + dx, y + dy)) for x, y in places[:3])
        if not 3.01 < apart < 12.9 or past((68.0, 60.0), (x, y), enemy) < 2.1 or min(map(abs, rooms)) < 2e-3:
            continue
        if y > 61.9 and x < 62.5:  # the way of the fourth may meet the cliff
            continue
        assert (cell in legal) is (min(rooms) > 0), (dx, dy)
        seen[cell in legal] += 1
    assert seen[True] > 20
    assert seen[False] > 20
