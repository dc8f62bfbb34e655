"""Closing the door: the charger lies flush, small targets turn to large chargers."""

from __future__ import annotations

from math import cos, hypot, pi, radians, sin

import pytest
from placing import charged, front_corner

from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.testing import told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, pose, square

TURN = radians(20)


@pytest.mark.rule("wap.charge.align")
@pytest.mark.parametrize(("turned", "corner"), [(TURN, 1.0), (-TURN, -1.0)])
def test_the_charger_turns_about_the_corner_that_touches(turned: float, corner: float) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=20, files=5)
    target = scene.unit(1, None, (24 - 0.5 * corner, 20), models=20, files=5, facing=SOUTH + turned)
    battle = scene.battle("movement")
    before = pose(battle, target)
    place = charged(battle, unit, target)
    straight, wheel, behind, closing = place.way
    assert (wheel, behind) == (0.0, 0.0)  # straight on brings all models into contact
    assert closing == pytest.approx(turned)
    touched = front_corner(battle, unit, corner, (24.0, 10.0 + straight, NORTH))
    assert front_corner(battle, unit, corner, pose(battle, unit)) == pytest.approx(touched)
    assert pose(battle, target) == before
    # both corners of its front lie on the line of the target's
    assert pose(battle, unit)[2] == pytest.approx(NORTH + turned)
    x, y, f = before
    for side in (1.0, -1.0):
        cx, cy = front_corner(battle, unit, side, pose(battle, unit))
        assert abs((cx - x) * cos(f) + (cy - y) * sin(f)) < 1e-6
    assert told(battle, "wap.charge.move.contact")[-1]["far"] == pytest.approx(
        straight, abs=0.006
    )  # the last wheel costs nothing
    assert place.contacts == 10


@pytest.mark.rule("wap.charge.align.small-target")
@pytest.mark.parametrize(
    ("chargers", "files", "targets", "target_turns"),
    [(12, 6, 4, True), (10, 5, 5, True), (9, 5, 4, False), (12, 6, 6, False), (12, 6, 1, True)],
)
def test_a_small_target_turns_to_a_large_charger(chargers: int, files: int, targets: int, target_turns: bool) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=chargers, files=files)
    target = scene.unit(1, None, (24, 20), models=targets, files=min(5, targets), facing=SOUTH + TURN)
    battle = scene.battle("movement")
    assert (unit_strength(battle, unit.row), unit_strength(battle, target.row)) == (chargers, targets)
    place = charged(battle, unit, target)
    assert (place.aligns is not None) is target_turns
    if target_turns:
        assert pose(battle, unit)[::2] == pytest.approx((24.0, NORTH))  # straight ahead, and not turned
        assert pose(battle, target)[2] % (2 * pi) == pytest.approx(SOUTH % (2 * pi))
        assert pose(battle, target)[1] == pytest.approx(pose(battle, unit)[1])
        assert told(battle, "wap.charge.align.small-target")
    else:
        assert pose(battle, target)[2] == pytest.approx(SOUTH + TURN)
        assert pose(battle, unit)[2] == pytest.approx(NORTH + TURN)


@pytest.mark.rule("wap.charge.align.small-target")
def test_a_small_target_that_fights_already_does_not_turn() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=12, files=6)
    target = scene.unit(1, None, (24, 20), models=4, files=4, facing=SOUTH + TURN)
    other = scene.beside(target, 0, None, side=2, models=4, files=4)
    battle = scene.battle("movement")
    place = charged(battle, unit, target)
    assert place.aligns is None and pose(battle, target)[2] == pytest.approx(SOUTH + TURN)
    assert foes_of(battle, target.row) == sorted([unit.row, other.row])


@pytest.mark.rule("wap.charge.align.small-target")
def test_it_turns_about_where_it_is_touched() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=20, files=5)
    lone = scene.unit(1, square(base_mm=[50.8, 50.8]), (24, 20), models=1, facing=SOUTH + TURN)
    battle = scene.battle("movement")
    before = pose(battle, lone)
    # the corner of its front that is nearest to the charger
    near = front_corner_of_lone(before, -1.0)
    charged(battle, unit, lone)
    after = pose(battle, lone)
    assert front_corner_of_lone(after, -1.0) == pytest.approx(near)
    assert hypot(after[0] - before[0], after[1] - before[1]) > 0.1


def front_corner_of_lone(at: tuple[float, float, float], side: float) -> tuple[float, float]:
    """A front corner of a base of two inches."""
    x, y, f = at
    return x - side * sin(f), y + side * cos(f)
