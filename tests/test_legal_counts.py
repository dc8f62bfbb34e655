"""How many sequences of one and two answers frozen positions allow (perft): a changed number means a changed mask.

Each number stands beside the reason for it, and where it comes from geometry it is worked out a second time in plain Python.
Grids of the action space are 17 x 17. The window of a move reaches as far each way as the unit may go, 8 steps to a side: a
round base in the open can go to the lattice points of a circle of radius 8, of which there are 197, however far that is.
All models here have round bases of 1 inch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise, product
from math import cos, hypot, pi, sin

import pytest

from wh_env import Battle
from wh_env.testing import Scene, melee, pick, play_until, ranged, sheet
from wh_env.testing.counts import count

GRID, HALF = 17, 8
R = 0.5  # of a base
LATTICE = 197  # whole points (i, j) with i * i + j * j <= 64
MARKER = 40 / 25.4 / 2
EPS = 1e-4
GUN = {"gun": ranged(24)}
Point = tuple[float, float]


def window(x: float, y: float, reach: float, fits: Callable[[float, float], bool] = lambda x, y: True) -> int:
    """Places of a move window round (x, y) that are within reach and fit."""
    step = reach / HALF
    steps = range(-HALF, HALF + 1)
    return sum(1 for i, j in product(steps, steps) if i * i + j * j <= HALF * HALF and fits(x + i * step, y + j * step))


def cells(x0: float, y0: float, x1: float, y1: float, fits: Callable[[float, float], bool]) -> int:
    """Middles of the 17 x 17 cells of a rectangle that fit."""
    return sum(
        fits(x0 + (i + 0.5) * (x1 - x0) / GRID, y0 + (j + 0.5) * (y1 - y0) / GRID)
        for i, j in product(range(GRID), range(GRID))
    )


def box_gap(x: float, y: float, box: tuple[float, float, float, float]) -> float:
    """Distance from a point to a rectangle (x0, y0, x1, y1)."""
    return hypot(max(box[0] - x, x - box[2], 0.0), max(box[1] - y, y - box[3], 0.0))


def rim(at: Point) -> list[Point]:
    """Points round a base."""
    return [(at[0] + R * cos(pi * k / 16), at[1] + R * sin(pi * k / 16)) for k in range(32)]


def crosses(p: Point, q: Point, a: Point, b: Point) -> bool:
    """Whether the segments p-q and a-b cross."""

    def side(o: Point, u: Point, v: Point) -> float:
        return (u[0] - o[0]) * (v[1] - o[1]) - (u[1] - o[1]) * (v[0] - o[0])

    return side(p, q, a) * side(p, q, b) < 0 and side(a, b, p) * side(a, b, q) < 0


def sees(a: Point, b: Point, wall: tuple[Point, Point]) -> bool:
    """Whether some line from base to base misses a wall higher than both models."""
    return any(not crosses(p, q, *wall) for p in rim(a) for q in rim(b))


def far(a: Point, b: Point) -> float:
    """Distance between two bases."""
    return hypot(a[0] - b[0], a[1] - b[1]) - 2 * R


def sequences(battle: Battle, depth: int) -> dict[tuple[str, ...], int]:
    """``count`` as a plain mapping; counting changes nothing."""
    before = battle.state_bytes()
    found = dict(count(battle, depth))
    assert battle.state_bytes() == before
    return found


# ---------------------------------------------------------------- counting itself


def test_the_circle_of_a_move_window() -> None:
    """197 = 17 + 2 * (15 + 15 + 15 + 13 + 13 + 11 + 7 + 1): the lattice points of a circle of radius 8, row by row."""
    assert window(0.0, 0.0, 6.0) == LATTICE == 17 + 2 * (15 + 15 + 15 + 13 + 13 + 11 + 7 + 1)


def test_counts_of_nothing() -> None:
    """A battle that is over allows nothing; fewer than one answer cannot be counted."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(10, 10))
    scene.unit(1, sheet("Theirs"), at=(50, 40))
    battle = scene.battle()
    with pytest.raises(ValueError, match="depth 0"):
        count(battle, 0)
    play_until(battle)
    assert sequences(battle, 1) == sequences(battle, 2) == {}


# ---------------------------------------------------------------- deployment


def test_deployment() -> None:
    """Two units to choose from, each with the cells of a zone of 60" by 10" in which it stands wholly inside.

    Rows are 10 / 17 = 0.588" apart, the first middle 0.29" from the rim of the zone; columns 60 / 17 = 3.53", the first
    middle 1.76" from it. A base of 0.5" round its middle fits into all 17 columns and into 15 rows: 255. Five models stand in
    two ranks of 3 and 2 with gaps of 0.25", 3.5" wide and 2.25" deep: 1.75" to either side fit into all 17 columns, 1.125" ahead
    and behind into 13 rows: 221.
    """
    scene = Scene(size=(60, 44), zone_depth=10)
    scene.unit(0, sheet("One"), models=1)
    scene.unit(0, sheet("Five"), models=5)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle("mission")

    def room(wide: float, deep: float) -> int:
        return cells(0, 0, 60, 10, lambda x, y: wide <= x <= 60 - wide and deep <= y <= 10 - deep)

    assert (room(R, R), room(1.75, 1.125)) == (17 * 15, 17 * 13)
    assert sequences(battle, 1) == {("select-to-deploy",): 2}
    assert sequences(battle, 2) == {("select-to-deploy", "deploy-to"): 255 + 221}


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize("roll", [1, 4, 6])
def test_a_move_in_the_open(roll: int) -> None:
    """Remain Stationary, Normal move, Advance. The first leads to the opponent's unit with the same 3; the other two to a
    window each, of 6" and of 6" and the roll, with 197 places whatever the roll: 3 + 2 * 197."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(30, 22))
    scene.unit(1, sheet("Theirs"), at=(30, 42))
    battle = scene.battle("movement", dice=[roll])
    assert sequences(battle, 1) == {("move-kind",): 3}
    assert sequences(battle, 2) == {("move-kind", "move-kind"): 3, ("move-kind", "move-to"): 2 * LATTICE}


def test_a_move_beside_the_corner_of_the_table() -> None:
    """A model at (2, 2) with steps of 0.75": the base must stay on the table, so at most 2 steps left and 2 down
    (1.5" of the 2" less the base). Of the circle that leaves the columns -2 .. 8 and the rows -2 .. 8: 94 places."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(2, 2))
    scene.unit(1, sheet("Theirs"), at=(50, 40))
    battle = scene.battle("movement")
    pick(battle, "Normal move")
    assert window(2, 2, 6, lambda x, y: x >= R and y >= R) == 94
    assert sequences(battle, 1) == {("move-to",): 94}
    assert sequences(battle, 2) == {("move-to", "move-kind"): 94 * 3}  # the opponent's turn


def test_a_move_among_terrain() -> None:
    """A wall 20" high 3" ahead cannot be passed, climbed (40") or walked around; a barricade 1" high behind the model can
    be stepped over, not stood on; no base may end on an objective marker; Woods change nothing.

    Of the 197 places, rows 4 to 8 ahead would touch the wall (0.75" steps, at most 2.45"): 13 + 13 + 11 + 7 + 1 = 45. The
    barricade, 2.6" to 3" behind and 8" wide, takes the rows 3 and 4 behind (2.25" and 3", base 0.5") for all columns within
    its width, and for row 5 none: 11 + 11 = 22. The marker, 4" to the right, takes the 10 places that are nearer than
    1.29" to its middle. 197 - 45 - 22 - 10 = 120, and all of them can be reached in a straight line.
    """
    wall, barricade, marker = (0.0, 24.95, 60.0, 25.05), (16.0, 19.0, 24.0, 19.4), (24.0, 22.0)
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(20, 22))
    scene.unit(1, sheet("Theirs"), at=(50, 42))
    scene.wall(0, 25, 60, 25, 20, thickness=0.1)
    scene.box(*barricade, 1, kind="barricade")
    scene.marker(*marker)
    scene.woods(20, 20, 26, 24)
    battle = scene.battle("movement")
    pick(battle, "Normal move")

    def behind(x: float, y: float) -> bool:
        return y + R > wall[1]

    def on_barricade(x: float, y: float) -> bool:
        return box_gap(x, y, barricade) < R

    def on_marker(x: float, y: float) -> bool:
        return hypot(x - marker[0], y - marker[1]) < R + MARKER

    lost = [window(20, 22, 6, fault) for fault in (behind, on_barricade, on_marker)]
    assert lost == [45, 22, 10]
    free = window(20, 22, 6, lambda x, y: not (behind(x, y) or on_barricade(x, y) or on_marker(x, y)))
    assert free == LATTICE - sum(lost) == 120
    assert sequences(battle, 1) == {("move-to",): 120}
    assert sequences(battle, 2) == {("move-to", "move-kind"): 120 * 3}


def test_a_move_model_by_model() -> None:
    """Full detail, two models 1.5" apart: end the move at once (they are in coherency), or one of the two models. Each has
    its 197 places less the 5 in which its base would overlap the other one's (the other's own and the four 0.75" from it),
    or stays (done): 2 * (197 - 5 + 1) = 386. To end leads to the opponent's unit: 3."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=[(30, 22), (31.5, 22)])
    scene.unit(1, sheet("Theirs"), at=(30, 42))
    battle = scene.battle("movement", detail="full")
    pick(battle, "Normal move")
    free = window(30, 22, 6, lambda x, y: hypot(x - 31.5, y - 22) >= 2 * R)
    assert free == LATTICE - 5
    assert sequences(battle, 1) == {("select-model",): 3}
    assert sequences(battle, 2) == {("select-model", "move-kind"): 3, ("select-model", "model-to"): 2 * (free + 1)}


def test_to_advance_or_to_fall_back() -> None:
    """One unit is engaged, 0.5" from an enemy, the other is not: two units to select. The first may Remain Stationary or Fall
    Back, the second Remain Stationary, make a Normal move or Advance: 2 + 3."""
    scene = Scene()
    scene.unit(0, sheet("Engaged"), at=(30, 22))
    scene.unit(0, sheet("Free"), at=(10, 10))
    scene.unit(1, sheet("Theirs"), at=(30, 23.5))
    battle = scene.battle("movement")
    assert sequences(battle, 1) == {("select-to-move",): 2}
    assert sequences(battle, 2) == {("select-to-move", "move-kind"): 2 + 3}


def test_where_to_fall_back_to() -> None:
    """Remain Stationary leads to the Fight phase and its Pile-in: 2. Fall Back: the window of 197 less the places within
    1" of the enemy base, 2 steps ahead. Those have a centre within 2" of it, 2 2/3 steps: the 21 lattice points of a circle
    of that radius (1 + 4 + 4 + 4 + 8), where it stands among them. 197 - 21 = 176; behind it too, walking around."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(30, 22))
    scene.unit(1, sheet("Theirs"), at=(30, 23.5))
    battle = scene.battle("movement")
    free = window(30, 22, 6, lambda x, y: hypot(x - 30, y - 23.5) > 2 * R + 1 + EPS)
    assert free == LATTICE - 21 == 176
    assert sequences(battle, 1) == {("move-kind",): 2}
    assert sequences(battle, 2) == {("move-kind", "pile-in"): 2, ("move-kind", "fall-back-to"): 176}


# ---------------------------------------------------------------- shooting


def test_targets_behind_a_wall() -> None:
    """Two units with guns of 24", or nobody (done). A wall hides the second target from the left one, which is not asked for
    its only target: the next question is again who shoots, the right one or nobody. The right one has two targets, the
    third is 31" away. Nobody leads to the opponent's three units. All shots miss. 2 + 2 + 3."""
    left, right, targets, wall = (10, 10), (30, 10), ((10, 25), (20, 22), (10, 42)), ((12, 19), (19, 14))
    scene = Scene()
    scene.unit(0, sheet("Left", weapons=GUN), at=left)
    scene.unit(0, sheet("Right", weapons=GUN), at=right)
    for name, at in zip(("Ahead", "Behind", "Far"), targets, strict=True):
        scene.unit(1, sheet(name), at=at)
    scene.wall(*wall[0], *wall[1], 9)
    battle = scene.battle("shooting", dice=[1, 1])
    for gun, expected in ((left, [True, False, False]), (right, [True, True, False])):
        assert [far(gun, at) <= 24 and sees(gun, at, wall) for at in targets] == expected
    assert sequences(battle, 1) == {("select-to-shoot",): 3}
    assert sequences(battle, 2) == {
        ("select-to-shoot", "select-to-move"): 3,
        ("select-to-shoot", "select-to-shoot"): 2,
        ("select-to-shoot", "shoot-target"): 2,
    }


def test_targets_of_each_weapon() -> None:
    """Full detail, three models in a row with a gun each. A wall in front of the first one hides one of two targets from it
    alone: hold fire or shoot at 1, 2 and 2 targets. 2, then 2 * 3, and 2 * 3 * 3 with the third."""
    models, targets, wall = ((10, 10), (12, 10), (14, 10)), ((20, 18), (10, 30)), ((8.5, 12), (11, 12))
    scene = Scene()
    scene.unit(0, sheet("Line", weapons=GUN), at=list(models))
    scene.unit(1, sheet("Open"), at=targets[0])
    scene.unit(1, sheet("Hidden"), at=targets[1])
    scene.wall(*wall[0], *wall[1], 9)
    battle = scene.battle("shooting", detail="full")
    pick(battle, "Line")
    options = [1 + sum(far(model, at) <= 24 and sees(model, at, wall) for at in targets) for model in models]
    assert options == [2, 3, 3]
    assert sequences(battle, 1) == {("weapon-target",): 2}
    assert sequences(battle, 2) == {("weapon-target",) * 2: 2 * 3}
    assert sequences(battle, 3) == {("weapon-target",) * 3: 2 * 3 * 3}


# ---------------------------------------------------------------- charging and fighting


def charge(dice: Iterable[int], detail: str = "squad") -> Battle:
    """A model at (20, 10), enemies 4" ahead and 4.23" ahead and aside, 0.5" apart; another one 13" away cannot be charged."""
    scene = Scene()
    scene.unit(0, sheet("Mine", weapons={"blade": melee(A=1)}), at=(20, 10))
    scene.unit(1, sheet("Ahead", W=3), at=(20, 15))
    scene.unit(1, sheet("Aside", W=3), at=(21.5, 15))
    scene.unit(1, sheet("Far"), at=(20, 24))
    battle = scene.battle("charge", dice=list(dice), detail=detail)
    assert far((20, 10), (20, 24)) > 12 >= far((20, 10), (21.5, 15))
    return battle


def test_targets_of_a_charge() -> None:
    """Charge or not; not leads to the opponent's 3 units, to charge to 2 possible targets: 2, then 3 + 2. Once one target is
    chosen the other one or no more: 2 * 2."""
    battle = charge([1, 1])
    assert sequences(battle, 1) == {("select-to-charge",): 2}
    assert sequences(battle, 2) == {("select-to-charge", "select-to-move"): 3, ("select-to-charge", "charge-target"): 2}
    pick(battle, "Mine")
    assert sequences(battle, 1) == {("charge-target",): 2}
    assert sequences(battle, 2) == {("charge-target", "charge-target"): 4}


@pytest.mark.parametrize(
    ("dice", "then"),
    [
        ([1, 2], {"pile-in": 2, "select-to-move": 3}),
        ([1, 3], {"pile-in": 2, "fight-target": 2}),
        ([3, 3], {"select-to-move": 3, "fight-target": 2}),
    ],
)
def test_after_the_charge_roll(dice: list[int], then: dict[str, int]) -> None:
    """Ahead is a target; no more, or Aside too: 2. What follows depends on the roll.

    3: 3" of the 4" end within 1" of Ahead and 1.5" from Aside. Ahead alone: a success without base contact, so there is a
    Pile-in to make or not. Both: a failure, the opponent's 3 units are next.
    4: Base contact is straight ahead, 0.8" from Aside. Ahead alone: not there but within 1", and again a Pile-in. Both: a
    success in base contact, with 2 units to fight.
    6: Ahead alone: base contact on the side away from Aside, one unit to fight, nothing to ask, and the opponent's 3 units.
    """
    battle = charge(dice)
    pick(battle, "Mine")
    pick(battle, "Ahead")
    assert far((20, 13), (20, 15)) == pytest.approx(1)
    assert far((20, 13), (21.5, 15)) > 1 > far((20, 14), (21.5, 15))
    assert sequences(battle, 1) == {("charge-target",): 2}
    assert sequences(battle, 2) == {("charge-target", kind): number for kind, number in then.items()}


def clear_way(points: Iterable[Point], others: Iterable[Point], gap: float = 0.0) -> bool:
    """Whether a base that goes straight from each of the points to the next passes no nearer than ``gap`` to others."""

    def past(p: Point, q: Point, at: Point) -> float:
        dx, dy = q[0] - p[0], q[1] - p[1]
        along = ((at[0] - p[0]) * dx + (at[1] - p[1]) * dy) / max(dx * dx + dy * dy, 1e-9)
        along = max(0.0, min(1.0, along))
        return hypot(at[0] - p[0] - along * dx, at[1] - p[1] - along * dy)

    return all(past(p, q, at) >= 2 * R + gap - 1e-3 for p, q in pairwise(points) for at in others)


def way(x: float, y: float, reach: float, at: Point) -> bool:
    """Whether a base at (0, 0) gets to (x, y) within reach past another one: straight, or by a bend beside the middle of the
    straight line, 0.6" from it or a multiple of that (which is what the engine looks for)."""
    length = hypot(x, y)
    for aside in (0.6 * k for k in range(-5, 6)):
        bend = (x / 2 - aside * y / length, y / 2 + aside * x / length)
        if 2 * hypot(length / 2, aside) <= reach + EPS and clear_way([(0, 0), bend, (x, y)], [at]):
            return True
    return False


def way_of_a_unit(x: float, y: float, reach: float, *others: Point, gap: float = 0.0) -> bool:
    """The same for a unit that is moved as one, past ``others`` and no nearer than ``gap`` to them: straight, or by a bend at one of 16
    points at half its reach."""
    bends = [(reach / 2 * cos(pi * k / 8), reach / 2 * sin(pi * k / 8)) for k in range(16)]
    near = [bend for bend in bends if hypot(x - bend[0], y - bend[1]) <= reach / 2 + EPS]
    return any(clear_way([(0, 0), *points, (x, y)], others, gap) for points in ([], *([bend] for bend in near)))


def test_places_of_a_charge_move() -> None:
    """Full detail, a roll of 6, one enemy 4" ahead: leave the move to the engine (then the enemy, engaged, has 2 options in
    its turn), or move the model.

    Of the window, 65 places are nearer to the enemy than the start, clear of its base, and within 6" on a way around it. Places
    in base contact (36 round it) stand for 4 cells more, whose middles are not clear of it or too far: 69, and to stay.
    """
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(20, 10))
    scene.unit(1, sheet("Theirs"), at=(20, 15))
    battle = scene.battle("charge", dice=[3, 3], detail="full")
    pick(battle, "Mine")
    step, steps = 6 / HALF, range(-HALF, HALF + 1)
    enemy = (0.0, 5.0)  # from the model
    ends = [(i * step, j * step) for i, j in product(steps, steps)]
    ends = [(x, y) for x, y in ends if 2 * R - 1e-3 <= hypot(x, y - 5) < 5 - EPS and way(x, y, 6, enemy)]
    open_cells = {(round(x / step), round(y / step)) for x, y in ends}
    contacts = [(cos(2 * pi * k / 36), 5 + sin(2 * pi * k / 36)) for k in range(36)]
    contact_cells = {(round(x / step), round(y / step)) for x, y in contacts if way(x, y, 6, enemy)}
    assert (len(open_cells), len(contact_cells - open_cells)) == (65, 4)
    assert sequences(battle, 1) == {("close-order",): 2}
    assert sequences(battle, 2) == {("close-order", "move-kind"): 2, ("close-order", "close-to"): 69 + 1}


def fight(*cp: int) -> Battle:
    """Two pairs of enemies, each 0.5" apart, without weapons."""
    scene = Scene()
    for player, side in enumerate("AB"):
        for number, x in enumerate((20, 40)):
            scene.unit(player, sheet(f"{side}{number}"), at=(x, 20 + 1.5 * player))
    return scene.battle("fight", cp=cp or (0, 0))


def test_units_fight_alternately() -> None:
    """Either of A's units, and it piles in or not: 2, then 2 * 2. One that has piled in stands in base contact and has no
    Consolidation to make, one that has not may consolidate or not: with the third answer 2 * (B selects 1 of 2) and
    2 * (consolidate or not). With the fourth: B's unit piles in or not, 4 * 2; after the Consolidation B selects, 4 * 2."""
    battle = fight()
    assert sequences(battle, 1) == {("select-to-fight",): 2}
    assert sequences(battle, 2) == {("select-to-fight", "pile-in"): 2 * 2}
    third = ("select-to-fight", "pile-in")
    assert sequences(battle, 3) == {(*third, "select-to-fight"): 2 * 2, (*third, "consolidate"): 2 * 2}
    assert sequences(battle, 4) == {
        (*third, "select-to-fight", "pile-in"): 4 * 2,
        (*third, "consolidate", "select-to-fight"): 4 * 2,
    }


# ---------------------------------------------------------------- reactions


def test_counter_offensive() -> None:
    """The position before, but B has 2 CP: once a unit of A has fought (piled in, no Consolidation), B is asked whether
    one of its two units fights next, in place of who fights next: 3 answers for each of A's 2 units. Without it B selects
    one of two, 2 * 2; with it that unit fights, piling in or not, 2 * 2 * 2."""
    battle = fight(0, 2)
    pick(battle, "A0")
    assert sequences(battle, 1) == {("pile-in",): 2}
    assert sequences(battle, 2) == {("pile-in", "counter-offensive"): 3, ("pile-in", "consolidate"): 2}
    pick(battle, "pile in")
    assert sequences(battle, 1) == {("counter-offensive",): 3}
    assert sequences(battle, 2) == {
        ("counter-offensive", "select-to-fight"): 2,
        ("counter-offensive", "pile-in"): 2 * 2,
    }


def test_fire_overwatch() -> None:
    """A unit declares a Normal move; of four enemy units one can shoot at it (one is behind a wall, one 32" away, one
    unarmed), or nobody: 2. Its shot misses; either way the mover has a window of 197: 2 * 197."""
    mover, wall = (30, 20), ((15, 18), (15, 22))
    armed = {"Near": (30, 40), "Hidden": (10, 20), "Remote": (5, 42)}
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=mover)
    for name, at in armed.items():
        scene.unit(1, sheet(name, weapons=GUN), at=at)
    scene.unit(1, sheet("Unarmed"), at=(50, 22))
    scene.wall(*wall[0], *wall[1], 9)
    battle = scene.battle("movement", cp=(0, 1), dice=[1])
    pick(battle, "Normal move")
    assert [name for name, at in armed.items() if far(mover, at) <= 24 and sees(mover, at, wall)] == ["Near"]
    assert sequences(battle, 1) == {("fire-overwatch",): 2}
    assert sequences(battle, 2) == {("fire-overwatch", "move-to"): 2 * LATTICE}


# ---------------------------------------------------------------- coming onto the table


def test_arriving_from_reserves() -> None:
    """Set the unit up, or not (then the opponent has 2 units to move): 2. By Deep Strike it may stand in every cell of the grid
    over the table (60 / 17 = 3.53" by 44 / 17 = 2.59") that is more than 9" from both enemies, 10" from middle to middle: all
    289 but 31 round the one at (30, 22) and 27 round the one at (50, 40), near a corner; the own unit covers none."""
    enemies = ((30, 22), (50, 40))
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(5, 5))
    scene.unit(0, sheet("Divers", abilities={"deep_strike": True}), models=1, reserves="deep-strike")
    for name, at in zip(("Theirs", "Others"), enemies, strict=True):
        scene.unit(1, sheet(name), at=at)
    battle = scene.battle("movement", round=2)
    play_until(battle, "select-reserves")

    near = [cells(0, 0, 60, 44, lambda x, y, e=e: far((x, y), e) <= 9 + EPS) for e in enemies]
    free = cells(0, 0, 60, 44, lambda x, y: all(far((x, y), e) > 9 + EPS for e in enemies) and far((x, y), (5, 5)) >= 0)
    assert (*near, free) == (31, 27, 289 - 31 - 27)
    assert sequences(battle, 1) == {("select-reserves",): 2}
    assert sequences(battle, 2) == {
        ("select-reserves", "select-to-move"): 2,
        ("select-reserves", "arrive-at"): 289 - 31 - 27,
    }


def test_disembarking() -> None:
    """The TRANSPORT moves (3 kinds of move), or its passenger gets out first: 2. The passenger, a base of 1", must stand
    wholly within 3" of the hull of 5" by 3", not on it, and more than 1" from an enemy. The grid lies over the 11" by 9"
    round it; each cell is looked at in 9 points, and is open if one of them is."""
    hull, enemy = (27.5, 20.5, 32.5, 23.5), (30, 28)
    scene = Scene()
    transport = {"capacity": 6, "allowed": ["INFANTRY"]}
    keywords = ("VEHICLE", "TRANSPORT")
    data = sheet("Bus", M=10, hull_in=(5, 3), keywords=keywords, models=(1, 1), abilities={"transport": transport})
    bus = scene.unit(0, data, at=(30, 22, 0, 0))
    scene.unit(0, sheet("Squad"), models=1, embarked_in=bus)
    scene.unit(1, sheet("Theirs"), at=enemy)
    battle = scene.battle("movement")
    fine = 3 * GRID
    found = set()
    for i, j in product(range(fine), range(fine)):
        x, y = 24.5 + (i + 0.5) * 11 / fine, 17.5 + (j + 0.5) * 9 / fine
        if box_gap(x, y, hull) + 1e-3 >= R and box_gap(x, y, hull) + R <= 3 + EPS and far((x, y), enemy) > 1 + EPS:
            found.add((i // 3, j // 3))
    assert len(found) == 176
    assert sequences(battle, 1) == {("select-to-move",): 2}
    assert sequences(battle, 2) == {("select-to-move", "move-kind"): 3, ("select-to-move", "disembark-at"): 176}


# ---------------------------------------------------------------- attacks


def test_allocating_an_attack() -> None:
    """Full detail, two hits that wound four fresh models of 2 wounds with a save of 4+ and an invulnerable one of 5+. Any of the
    four takes the first, by either save: 4, then 4 * 2. Both saves fail. It has lost a wound, so the second attack is its
    own without a question, and only the save is: 4 * 2 * 2."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A=2)}), at=(10, 10))
    scene.unit(1, sheet("Mob", W=2, Sv=4, invuln=5), at=(10, 20), models=4)
    battle = scene.battle("shooting", detail="full", dice=[4, 4, 4, 4, 1, 1])
    pick(battle, "Guns")
    pick(battle, "at Mob")
    assert sequences(battle, 1) == {("allocate",): 4}
    assert sequences(battle, 2) == {("allocate", "save"): 4 * 2}
    assert sequences(battle, 3) == {("allocate", "save", "save"): 4 * 2 * 2}


def test_allocating_to_the_wounded_first() -> None:
    """The same with one of the four wounded: it takes the attack, only the save is asked: 2. The save fails and destroys it; the
    second attack goes to one of the three others: 2 * 3."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A=2)}), at=(10, 10))
    scene.unit(1, sheet("Mob", W=2, Sv=4, invuln=5), at=(10, 20), models=4, wounds={2: 1})
    battle = scene.battle("shooting", detail="full", dice=[4, 4, 4, 4, 1, 1])
    pick(battle, "Guns")
    pick(battle, "at Mob")
    assert sequences(battle, 1) == {("save",): 2}
    assert sequences(battle, 2) == {("save", "allocate"): 2 * 3}
