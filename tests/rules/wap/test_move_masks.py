"""What moves offer, in random scenes at both details, against ways that are sampled: every legal end, and no illegal one."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from marching import ADVANCE, BACK, FORWARD, LEFT, MARCH, MOST, REFORM, RIGHT, WHEEL_LEFT, WHEEL_RIGHT, finish, select
from oracles.outlines import SCENES, placed
from oracles.regiments import bases, least_displacement
from oracles.wap_moves import Table, comes_to, rectangles, straight, wheel_limit, wheel_poses

from wh_env import Battle, ContentError
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import RegimentScene, UnitHandle, corners, pose, square

LENGTH, WIDTH = 30.0, 26.0
FEW = max(4, SCENES // 20)
# in these a wheel comes nearer by some ten thousandths of an inch, between two looks or for less than what was once let pass
DIPS_ON_WHEELS, DIPS_TO_CELLS = (168, 366, 374, 505, 1109, 1323), (189, 1095)
Found = tuple[Battle, UnitHandle, Table, float, float]


def scene(seed: int, detail: str, slow: bool = False) -> Found:
    """A unit of random files, facing and Movement among three others and a rock, sometimes at the edge of the table or within an inch of somebody:
    battle, unit, table, front width, Movement; ``slow``: of a wide unit with little of it."""
    chance = np.random.default_rng(seed)
    while True:
        models, files = int(chance.integers(2, 21)), int(chance.integers(2, 9))
        movement = int(chance.integers(2, 4) if slow else chance.integers(3, 10))
        files = int(chance.integers((models + 1) // 2, models + 1)) if slow else min(files, models)
        at = (float(chance.uniform(4, LENGTH - 4)), float(chance.uniform(4, WIDTH - 4)))
        facing = float(chance.choice([chance.uniform(-pi, pi), pi / 2, 0.0]))
        others, blocks = [], []
        for player in (0, 1, 1):
            place = np.array(at) + chance.uniform(-9, 9, 2)
            few, turned = int(chance.integers(2, 12)), float(chance.uniform(-pi, pi))
            others.append((player, (float(place[0]), float(place[1])), few, turned))
            blocks.append(placed(rectangles(few, 3), *place, turned)[0])
        low = np.array(at) + chance.uniform(-8, 6, 2)
        low = low.clip(0.1, (LENGTH - 4, WIDTH - 4))
        rock = np.array([low, low + (3, 0), low + (2.5, 2.5), low + (0.5, 2)])
        polygons = [rock, *(polygon for block in blocks for polygon in block)]
        table = Table(rectangles(models, files), (*at, facing), polygons, LENGTH, WIDTH)
        if min(table.gaps) < 0.02 or table.inside(*at, facing)[0] < 0.0:
            continue
        plan = RegimentScene((LENGTH, WIDTH))
        unit = plan.unit(0, square(m=movement), at, models=models, files=files, facing=facing)
        for player, spot, few, turned in others:
            plan.unit(player, None, spot, models=few, files=3, facing=turned)
        plan.feature("impassable", [(float(x), float(y)) for x, y in rock])
        try:
            battle = plan.battle("movement", detail=detail)
        except ContentError:
            continue
        if kind(battle) != "select-to-move":
            continue
        select(battle, unit)
        if ADVANCE not in slots(battle, "option") or MARCH not in slots(battle, "option"):
            continue
        return battle, unit, table, 1.0 * min(files, models), float(movement)


def test_the_table_is_looked_at_as_it_is() -> None:
    """The oracle's own rectangles are those of the blocks."""
    battle, unit, table, width, _ = scene(3, "full")
    assert width == pytest.approx(2 * table.body[:, 3].max())
    mine = [placed(table.body, *pose(battle, unit))[0].reshape(-1, 2), *table.polygons[1:]]
    theirs = [corner for row in range(4) for corner in corners(battle, row)]
    np.testing.assert_allclose(sorted(np.concatenate(mine).tolist()), sorted(map(list, theirs)), atol=1e-9)


@pytest.mark.parametrize("seed", range(FEW))
@pytest.mark.rule(
    "wap.move.one-inch",
    "wap.move.basic.distance",
    "wap.move.other.backward",
    "wap.move.other.sideways",
    "wap.move.table.stay",
)
def test_straight_moves_against_samples(seed: int) -> None:
    battle, unit, table, _, movement = scene(seed, "full")
    x, y, f = pose(battle, unit)
    ahead, aside = np.array([np.cos(f), np.sin(f)]), np.array([-np.sin(f), np.cos(f)])
    for option, direction, most, step in (
        (ADVANCE, ahead, movement, 0.5), (BACK, -ahead, movement / 2, 0.25), (LEFT, aside, movement / 2, 0.25), (RIGHT, -aside, movement / 2, 0.25),
    ):  # fmt: skip
        sure, past = straight(table, (x, y, f), direction, most)
        offered = option in slots(battle, "option")
        if not offered:
            assert sure < 0.02, (option, sure)
            continue
        copy = battle.clone()
        choose(copy, "option", option)
        if option == ADVANCE:
            if FORWARD not in slots(copy, "option"):
                assert sure < 0.02
                continue
            choose(copy, "option", FORWARD)
        if kind(copy) != "leg-length":
            assert sure <= step + 0.02
            continue
        fine = set(slots(copy, "number"))
        for slot in range(MOST):
            far = (slot + 1) * step
            if far <= sure:
                assert slot in fine, (option, far, sure)
            if far > past + 0.02:
                assert slot not in fine, (option, far, past)
        choose(copy, "number", MOST)
        finish(copy)
        end = np.array(pose(copy, unit)[:2])
        assert sure - 0.02 <= (end - (x, y)) @ direction <= past + 0.02


@pytest.mark.parametrize("seed", sorted({*range(FEW), *DIPS_ON_WHEELS}))
@pytest.mark.rule("wap.move.one-inch", "wap.move.wheel.cost", "wap.move.manoeuvre.one-inch", "wap.move.table.overhang")
def test_wheels_against_samples(seed: int) -> None:
    battle, unit, table, width, movement = scene(seed, "full")
    start = pose(battle, unit)
    choose(battle, "option", MARCH if seed % 2 else ADVANCE)
    if kind(battle) != "leg":
        return  # the test to march was failed
    allowance = 2 * movement if seed % 2 else movement
    for leg, side in ((WHEEL_LEFT, 1), (WHEEL_RIGHT, -1)):
        sure, past = wheel_limit(table, start, width, side, min(2 * pi, allowance / width))
        fine: set[int] = set()
        if leg in slots(battle, "option"):
            copy = battle.clone()
            choose(copy, "option", leg)
            fine = set(slots(copy, "number")) or {MOST}
        for slot in range(MOST):
            angle = (slot + 1) * pi / 36
            if angle > past + 1e-8:
                assert slot not in fine, (side, angle, past)
            if angle < sure - 1e-8 and table.inside(*wheel_poses(start, width, side, np.array([angle])))[0] > 0.0:
                assert slot in fine, (side, angle, sure)
        for slot in fine - {MOST}:
            # who hangs over the edge comes back on to the table by going straight on
            x, y, f = (float(v[0]) for v in wheel_poses(start, width, side, np.array([(slot + 1) * pi / 36])))
            if table.inside(x, y, f)[0] < -0.01:
                rest = np.linspace(0.0, allowance - width * (slot + 1) * pi / 36, 400)
                way = (x + rest * np.cos(f), y + rest * np.sin(f), np.full(400, f))
                assert table.inside(*way).max() > -0.02


@pytest.mark.parametrize("seed", sorted({*range(FEW), *DIPS_TO_CELLS}))
@pytest.mark.rule("wap.move.one-inch", "wap.move.wheel.remaining", "wap.move.table.stay")
def test_cells_against_samples(seed: int) -> None:
    battle, unit, table, width, movement = scene(seed, "squad")
    start = pose(battle, unit)
    march = seed % 2 == 1
    choose(battle, "option", MARCH if march else ADVANCE)
    if kind(battle) != "move-to":
        return  # the test to march was failed
    allowance = 2 * movement if march else movement
    pending = battle.pending()
    xs, ys = pending.cells(battle.setup.space.grid)
    fine = set(slots(battle, "cell"))
    judged = 0
    for cell in np.random.default_rng(seed).permutation(len(xs))[:90].tolist():
        verdict = comes_to(table, start, width, allowance, (xs[cell], ys[cell]))
        if verdict is not None:
            judged += 1
            assert (cell in fine) is verdict, (cell, xs[cell], ys[cell])
    assert judged > 40
    cells = sorted(fine)
    for cell in cells[:: max(1, len(cells) // 5)]:
        copy = battle.clone()
        choose(copy, "cell", cell)
        if kind(copy) == "move-refine":
            choose(copy, "cell", len(xs) // 2)
        for k in slots(copy, "number")[-1:]:
            if kind(copy) == "end-wheel":
                choose(copy, "number", k)
        end = pose(copy, unit)
        assert table.spare(*(np.array([v]) for v in end))[0] > -1e-3 and table.inside(*end)[0] > -1e-3
        assert copy.units.spent[unit] <= allowance + 1e-6


@pytest.mark.parametrize("seed", range(FEW))
@pytest.mark.rule("wap.move.reform", "wap.move.manoeuvre.cap", "wap.move.manoeuvre.one-inch")
def test_reforms_against_every_formation(seed: int) -> None:
    """All files and facings: on the table, clear, no model too far. More ranks than files are left to the tests of narrow places."""
    battle, unit, table, _, movement = scene(seed, "squad", slow=True)
    x, y, f = pose(battle, unit)
    models, files = battle.units.alive[unit], battle.units.files[unit]
    old = bases(models, files, 0.5, 0.5, 0.0, x, y, f)
    middle = np.array([x, y]) - np.array([np.cos(f), np.sin(f)]) * -(-models // files) / 2
    if REFORM not in slots(battle, "option"):
        return  # the formation of the scene is not lawful, and no lawful one has room
    choose(battle, "option", REFORM)
    if kind(battle) != "reform-files":
        return
    offered = {number + 1 for number in slots(battle, "number")}
    for number in range(1, models + 1):
        ranks = -(-models // number)
        if ranks > number:
            continue
        table.body, fine = rectangles(models, number), {}
        for slot in range(25):
            turned = f if slot == 24 else slot * pi / 12
            front = middle + np.array([np.cos(turned), np.sin(turned)]) * ranks / 2
            far = 2 * movement - least_displacement(old, bases(models, number, 0.5, 0.5, 0.0, *front, turned))
            end = (np.array([front[0]]), np.array([front[1]]), np.array([turned]))
            fine[slot] = min(far, float(table.spare(*end)[0]), float(table.inside(*end)[0]))
        sure = [slot for slot, room in fine.items() if room > 1e-3]
        if not [slot for slot, room in fine.items() if room > -1e-3]:
            assert number not in offered, number
            continue
        if not sure:
            continue
        assert number in offered, (number, sure)
        copy = battle.clone()
        choose(copy, "number", number - 1)
        if kind(copy) != "reform-facing":
            assert len(sure) <= 2
            continue
        found = set(slots(copy, "angle")) | ({24} if slots(copy, "done") else set())
        for slot, room in fine.items():
            if abs(room) > 1e-3 and (slot < 24 or not any(abs(f - s * pi / 12) % (2 * pi) < 1e-6 for s in found)):
                assert (slot in found) is (room > 0), (number, slot, room)
