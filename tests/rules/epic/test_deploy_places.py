"""Deployment to the centimetre: how a formation stands round its place, which places are free, what the second grid means."""

from __future__ import annotations

from math import hypot, pi

import numpy as np
import pytest

from wh_env import Battle
from wh_env.rulesets.epic.deploy.deployment import cells_for
from wh_env.testing import choose, slots
from wh_env.testing.epic import EpicScene, FormationHandle, place_of

Place = tuple[float, float]
GRID = 17


def places(battle: Battle, formation: FormationHandle) -> list[Place]:
    return [place_of(battle, formation.model(n)) for n in range(len(formation.cards))]


def deployed(
    side: int, units: int, walls: tuple[tuple[float, float, float, float], ...] = (), card: str = "Boy"
) -> list[Place]:
    """Where the units of a formation stand that is deployed in the middle of its zone, seen from its own edge."""
    scene = EpicScene()
    formation = scene.formation(side, card, units=units)
    scene.formation(1 - side, "Boy", units=1)
    for x0, y0, x1, y1 in walls:
        if side == 0:
            scene.area("cliff", x0, y0, x1, y1)
        else:
            scene.area("cliff", 120 - x1, 120 - y1, 120 - x0, 120 - y0)
    battle = scene.battle("deployment", dice=[side])
    choose(battle, "cell", 144)
    assert all(battle.models.on_table[formation.model(n)] for n in range(units))
    assert battle.models.facing[formation.model(units - 1)] == pytest.approx((pi / 2, -pi / 2)[side])
    found = places(battle, formation)
    return found if side == 0 else [(120 - x, 120 - y) for x, y in found]


ABREAST = [(56, 6.5), (58, 6.5), (60, 6.5), (62, 6.5), (64, 6.5), (59, 8.5), (61, 8.5)]
TWO = [(59, 4.5), (61, 4.5), (59, 6.5), (61, 6.5), (59, 8.5), (61, 8.5), (60, 10.5)]
LINE = [(54 + 2 * n, 7.5) for n in range(7)]
COLUMN = [(60, 3.5 + 2 * n) for n in range(5)]


@pytest.mark.rule("epic.deploy.zone", "epic.move.coherency")
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("units", "walls", "expected"),
    [
        (7, (), ABREAST),
        (7, ((55, 8, 57, 9), (63, 8, 65, 9)), ABREAST),
        (7, ((63, 0, 70, 15),), TWO),
        (7, ((50, 0, 57, 15), (63, 0, 70, 15)), TWO),
        (7, ((50, 7.9, 70, 15), (50, 0, 70, 7.1)), LINE),
        (5, ((60.9, 0, 70, 15), (50, 0, 59.1, 15)), COLUMN),
        (5, ((61.9, 0, 70, 15),), [(59, 5.5), (61, 5.5), (59, 7.5), (61, 7.5), (60, 9.5)]),
        (5, (), [(56 + 2 * n, 7.5) for n in range(5)]),
        (6, (), [*[(56 + 2 * n, 6.5) for n in range(5)], (60, 8.5)]),
        (1, (), [(60, 7.5)]),
        (2, ((60.5, 0, 70, 15),), [(60, 6.5), (60, 8.5)]),
    ],
)
def test_a_formation_stands_one_cm_apart_in_the_first_order_there_is_room_for(
    side: int, units: int, walls: tuple[tuple[float, float, float, float], ...], expected: list[Place]
) -> None:
    """Five abreast, else two abreast, in line, in column; round its place, the same from both edges of the table."""
    assert deployed(side, units, walls) == pytest.approx([pytest.approx(place) for place in expected])


@pytest.mark.rule("epic.deploy.zone")
@pytest.mark.parametrize("side", [0, 1])
def test_wide_bases_stand_farther_from_each_other(side: int) -> None:
    """Bases of 3 cm: their centres are 4 cm apart."""
    assert deployed(side, 3, card="Predator") == [pytest.approx((60 + x, 7.5)) for x in (-4, 0, 4)]


@pytest.mark.rule("epic.deploy.zone")
def test_the_northern_zone_is_the_northern_one_however_deep() -> None:
    """Zones of nearly the whole table: the northern side still stands with its first rank towards its own edge."""
    scene = EpicScene(rules={"deployment_depth_cm": 119.5})
    formation = scene.formation(1, "Boy", units=7)
    scene.formation(0, "Boy", units=1)
    battle = scene.battle("deployment", dice=[1])
    choose(battle, "cell", 144)
    middle = 0.5 + 119.5 / 2
    assert places(battle, formation) == [pytest.approx((120 - x, middle + 7.5 - y)) for x, y in ABREAST]


@pytest.mark.rule("epic.deploy.zone")
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("cell", "fine"), [(144, 144), (144, 0), (144, 16), (145, 288), (161, 150), (150, 40)])
def test_a_cell_and_the_cell_of_the_second_grid_over_it_are_a_place(side: int, cell: int, fine: int) -> None:
    """17 columns over the length and 17 rows over the depth of the zone; the second grid divides a cell in 16 both ways."""
    scene = EpicScene()
    formation = scene.formation(side, "Boy", units=1)
    scene.formation(1 - side, "Boy", units=1)
    battle = scene.battle("deployment", dice=[side], detail="full")
    wide, deep = 120 / GRID, 15 / GRID
    x, y = (cell % GRID + 0.5) * wide, (cell // GRID + 0.5) * deep + (0, 105)[side]
    choose(battle, "cell", cell)
    choose(battle, "cell", fine)
    x += (fine % GRID - 8) * wide / 16
    y += (fine // GRID - 8) * deep / 16
    assert place_of(battle, formation.model()) == pytest.approx((x, y))


@pytest.mark.rule("epic.deploy.zone")
@pytest.mark.parametrize("side", [0, 1])
def test_a_single_unit_is_put_exactly_there(side: int) -> None:
    """The second unit of the second formation goes to the middle of a cell and to the place named in the second grid."""
    scene = EpicScene()
    scene.formation(side, "Boy", at=(5, 5 + 110 * side))
    pair = scene.formation(side, "Boy", units=2)
    scene.formation(1 - side, "Boy", units=1)
    battle = scene.battle("deployment", dice=[side], detail="full")
    choose(battle, "cell", 144)
    choose(battle, "cell", 144)
    stood = places(battle, pair)
    choose(battle, "model", 1)
    choose(battle, "cell", 146)
    choose(battle, "cell", 160)
    wide, deep = 120 / GRID, 15 / GRID
    expected = (60 + 2 * wide - wide / 16, 7.5 + 105 * side + deep / 16)
    assert [place_of(battle, pair.model(n)) for n in (0, 1)] == [pytest.approx(stood[0]), pytest.approx(expected)]
    assert slots(battle, "model") == [0]


@pytest.mark.rule("epic.deploy.zone")
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("card", ["Boy", "Predator"])
def test_a_unit_may_stand_where_its_base_finds_room(side: int, card: str) -> None:
    """In the zone and on the table whole, on no other base, inside the zone or just beyond, and not in impassable terrain."""
    scene = EpicScene(size=(120, 32))
    wall = (20.0, 4.0, 40.0, 28.0)
    scene.area("cliff", *wall)
    scene.formation(side, "Predator", units=1)  # not there yet: in nobody's way
    one = scene.formation(side, card, units=1)
    own = [(70, 8), (77, 9), (84, 30), (90, 3), (55.3, 15.2), (105, 15.6), (112, 16.4), (48, 25)]
    scene.formation(side, "Predator", at=own[:4])
    scene.formation(1 - side, "Predator", at=own[4:])
    scene.formation(1 - side, "Boy", units=1)
    battle = scene.battle("deployment", dice=[side])
    low = (0.0, 17.0)[side]
    wide, deep = 120 / GRID, 15 / GRID
    seen = set()
    for coarse in (17, 271, 230, 60, -1):
        cells = np.zeros(GRID * GRID, np.bool_)
        assert cells_for(battle, one.row, cells, coarse) == cells.sum()
        for cell in range(GRID * GRID):
            if coarse < 0:
                x, y = (cell % GRID + 0.5) * wide, low + (cell // GRID + 0.5) * deep
            else:
                x = (coarse % GRID + 0.5) * wide + (cell % GRID - 8) * wide / 16
                y = low + (coarse // GRID + 0.5) * deep + (cell // GRID - 8) * deep / 16
            radius = battle.models.radius[one.model()]
            gaps = [min(x, 120 - x, y, 32 - y) - radius, y - low, low + 15 - y]
            gaps += [hypot(ox - x, oy - y) - radius - 1.5 for ox, oy in own]
            gaps.append(max(wall[0] - x, x - wall[2], wall[1] - y, y - wall[3]))
            if abs(min(gaps)) > 1e-3:
                assert bool(cells[cell]) is (min(gaps) > 0), (x, y)
                seen.add((coarse, bool(cells[cell])))
    assert {(-1, False), (-1, True), (17, False), (17, True)} <= seen
    for most in (1, 5):
        few = np.zeros(GRID * GRID, np.bool_)
        assert cells_for(battle, one.row, few, most=most) == few.sum() == most
        assert few.nonzero()[0].tolist() == cells.nonzero()[0].tolist()[:most]


@pytest.mark.rule("epic.deploy.zone")
@pytest.mark.parametrize("side", [0, 1])
def test_the_cells_of_one_unit_of_a_formation_leave_the_others_their_room(side: int) -> None:
    """The first of two is put elsewhere: not on the second, and where it stands itself it may stay."""
    scene = EpicScene()
    pair = scene.formation(side, "Predator", units=2)
    scene.formation(1 - side, "Boy", units=1)
    battle = scene.battle("deployment", dice=[side], detail="full")
    choose(battle, "cell", 144)
    choose(battle, "cell", 144)
    x, y = place_of(battle, pair.model(1))
    for coarse in (-1, 144):
        cells = np.zeros(GRID * GRID, np.bool_)
        cells_for(battle, pair.row, cells, coarse, only=pair.model(0))
        wide, deep = 120 / GRID, 15 / GRID
        low = 105 * side
        for cell in range(GRID * GRID):
            if coarse < 0:
                cx, cy = (cell % GRID + 0.5) * wide, low + (cell // GRID + 0.5) * deep
            else:
                cx, cy = 60 + (cell % GRID - 8) * wide / 16, low + 7.5 + (cell // GRID - 8) * deep / 16
            room = min(
                hypot(cx - x, cy - y) - 3.0, cy - low, low + 15 - cy, *(v - 1.5 for v in (cx, 120 - cx, cy, 120 - cy))
            )
            if abs(room) > 1e-3:
                assert bool(cells[cell]) is (room > 0), (cx, cy)


@pytest.mark.rule("epic.deploy.zone")
@pytest.mark.parametrize("side", [0, 1])
def test_a_formation_without_room_is_left_at_home(side: int) -> None:
    """Its zone is all cliff: it is not deployed and counts as lost; the other side deploys."""
    scene = EpicScene()
    scene.area("cliff", 0, 105 * side, 120, 15 + 105 * side)
    left = scene.formation(side, "Boy", units=3)
    other = scene.formation(1 - side, "Boy", units=1)
    battle = scene.battle("deployment", dice=[side])
    while battle.decision is not None and battle.clock.phase[0] == 0:
        battle.apply(battle.first_legal())
    assert not battle.models.on_table[left.model(0)]
    assert battle.units.alive[left] == 0
    assert battle.models.on_table[other.model()]


@pytest.mark.rule("epic.deploy.zone")
@pytest.mark.parametrize("side", [0, 1])
def test_bases_may_touch(side: int) -> None:
    """Two bases of 1 cm with their centres 1 cm apart are in nobody's way; a hundredth nearer they are."""
    for x, legal in ((61.0, True), (60.99, False)):
        scene = EpicScene()
        scene.formation(side, "Boy", at=(x, 7.5 + 105 * side))
        one = scene.formation(side, "Boy", units=1)
        scene.formation(1 - side, "Boy", units=1)
        battle = scene.battle("deployment", dice=[side])
        assert (144 in slots(battle, "cell")) is legal
        if legal:
            choose(battle, "cell", 144)
            assert place_of(battle, one.model()) == pytest.approx((60, 7.5 + 105 * side))


@pytest.mark.rule("epic.deploy.zone")
@pytest.mark.parametrize("side", [0, 1])
def test_each_unit_of_a_formation_needs_the_room_of_its_own_base(side: int) -> None:
    """Small bases 1.3 cm from the edge of the table, of a side with large ones: the second row of cells is free for them."""
    scene = EpicScene()
    scene.formation(side, "Predator", at=[(5, 5 + 110 * side), (10, 5 + 110 * side)])
    pair = scene.formation(side, "Boy", units=2)
    scene.formation(side, "Predator", at=[(20, 5 + 110 * side), (24, 5 + 110 * side)])
    scene.formation(1 - side, "Boy", units=1)
    battle = scene.battle("deployment", dice=[side])
    row = 1 if side == 0 else 15
    choose(battle, "cell", row * GRID + 8)
    y = (1.5 * 15 / GRID, 120 - 1.5 * 15 / GRID)[side]
    assert places(battle, pair) == [pytest.approx((59 + side * 2, y)), pytest.approx((61 - side * 2, y))]


@pytest.mark.rule("epic.deploy.zone")
def test_the_first_cell_has_a_second_grid_as_well() -> None:
    """In the northern zone it is the corner to the south-west, far enough from the edges of the table."""
    scene = EpicScene()
    formation = scene.formation(1, "Boy", units=1)
    scene.formation(0, "Boy", units=1)
    battle = scene.battle("deployment", dice=[1], detail="full")
    choose(battle, "cell", 0)
    choose(battle, "cell", 10 * GRID + 3)
    wide, deep = 120 / GRID, 15 / GRID
    expected = (0.5 * wide - 5 * wide / 16, 105 + 0.5 * deep + 2 * deep / 16)
    assert place_of(battle, formation.model()) == pytest.approx(expected)
