"""Models that may overhang their deployment zone (w9.deploy.zone.large-models)."""

from __future__ import annotations

from math import cos, sin

import pytest
from ninth import NinthScene

from wh_env.testing import choose, kind, place, sheet, slots

BASE = 76.2  # mm: 3"


def deploying(span, player=0, detail="squad", depth=10, models=1, **scene_fields):
    """A unit of models with parts of this length and width on bases of 3", waiting to be set up."""
    scene = NinthScene(zone_depth=depth, **scene_fields)
    wings = sheet("Wings", base_mm=BASE, height=3, keywords=("VEHICLE", "FLY"), span_in=span)
    unit = scene.unit(player, wings, models=models, place="deploy")
    scene.unit(1 - player, sheet("Other"), place="deploy")
    return scene.battle("mission", attacker=1 - player, detail=detail), unit


def poses(battle, unit):
    """Every pose in which the first model of the unit can be set up, by the waiting decisions."""
    if kind(battle) == "place-facing":
        for angle in slots(battle, "angle"):
            turned = battle.clone()
            choose(turned, "angle", angle)
            yield from poses(turned, unit)
        return
    for cell in slots(battle, "cell"):
        trial = battle.clone()
        choose(trial, "cell", cell)
        if kind(trial) == "place-exactly":
            trial.apply(trial.first_legal())
        yield (*place(trial, unit.first), float(trial.models.facing[unit.first]))


def reach(span, facing):
    """How far a box of this length and width reaches along x and y."""
    along, across = span[0] / 2, span[1] / 2
    return (
        along * abs(cos(facing)) + across * abs(sin(facing)),
        along * abs(sin(facing)) + across * abs(cos(facing)),
    )


def in_depth(player, y):
    """How deep in the zone a place is, whose own side is the nearer long edge."""
    return min(y, 44 - y)


@pytest.mark.rule("w9.deploy.zone.large-models", "w9.deploy.zone.battlefield-edge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_what_does_not_fit_may_overhang_with_its_base_in_the_zone(player, detail):
    """14" by 14" in a zone 10" deep."""
    battle, unit = deploying((14, 14), player, detail)
    found = list(poses(battle, unit))
    assert found
    deep = [in_depth(player, y) for _, y, _ in found]
    assert max(deep) > 7.5
    if detail == "squad":
        assert all(7 - 1e-3 <= d <= 8.5 + 1e-3 for d in deep)  # nor does it overhang the edge of the battlefield
    else:
        for x, y, facing in found:
            rx, ry = reach((14, 14), facing)
            assert ry - 1e-3 <= in_depth(player, y) <= 8.5 + 1e-3
            assert rx - 1e-3 <= x <= 60 - rx + 1e-3


@pytest.mark.rule("w9.deploy.zone.large-models")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("span", [(3, 14), (8, 8), (6, 14)])
def test_what_would_fit_in_another_position_may_not(player, detail, span):
    """Wings of 14" and a length of 3": they fit along the zone, so they never overhang it."""
    battle, unit = deploying(span, player, detail)
    found = list(poses(battle, unit))
    assert found
    for x, y, facing in found:
        rx, ry = reach(span, facing)
        assert ry - 1e-3 <= in_depth(player, y) <= 10 - ry + 1e-3
        assert rx - 1e-3 <= x <= 60 - rx + 1e-3


@pytest.mark.rule("w9.deploy.zone.large-models")
@pytest.mark.parametrize("player", [0, 1])
def test_one_that_fits_turned_only_is_turned(player):
    """14" long and 3" wide: facing the enemy it would overhang, along the zone it does not."""
    battle, unit = deploying((14, 3), player)
    found = list(poses(battle, unit))
    assert found
    for _, y, facing in found:
        ry = reach((14, 3), facing)[1]
        assert ry <= 5
        assert ry - 1e-3 <= in_depth(player, y) <= 10 - ry + 1e-3


@pytest.mark.rule("w9.deploy.zone.large-models")
def test_where_others_take_the_room_it_may_overhang():
    """Terrain fills the depth of the zone but for a strip along its front: wings of 8" have no other place there, the base has."""
    scene = NinthScene(zone_depth=10)
    wings = sheet("Wings", base_mm=BASE, height=3, keywords=("VEHICLE", "FLY"), models=(1, 1), span_in=(8, 8))
    unit = scene.unit(0, wings, place="deploy")
    scene.unit(1, sheet("Other"), place="deploy")
    scene.box(0, 38, 60, 44, 8)
    battle = scene.battle("mission", attacker=1)
    found = list(poses(battle, unit))
    assert found
    assert all(35.5 - 1e-3 <= y <= 36.5 + 1e-3 for _, y, _ in found)


@pytest.mark.rule("w9.deploy.zone.large-models")
def test_bases_that_do_not_fit_are_not_set_up():
    """A base of 3" in a zone 2" deep: no part beyond the base, nothing to overhang."""
    battle, unit = deploying((14, 14), depth=2)
    assert battle.units.alive[unit] == 0
