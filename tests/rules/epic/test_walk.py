"""Planned moves carried out: where units stop, in which order they go, what they test (epic.move.path, epic.terrain.dangerous-*)."""

from __future__ import annotations

from math import pi

import pytest

from wh_env import Battle
from wh_env.testing import choose, pick, told
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, move_by, place_of

RUNNER = {"class": "infantry", "move_cm": 10, "save": 4, "assault_factor": 0}


def far_enemy(scene: EpicScene) -> FormationHandle:
    return scene.formation(1, "Boy", at=(119, 119), order="overwatch", fired=1)


def moved(scene: EpicScene, formation: FormationHandle, dx: float, dy: float, dice: list[int], draw: int = A) -> Battle:
    """The formation makes this move; its player has the initiative and goes first."""
    battle = scene.battle("movement", dice=[draw, *dice])
    pick(battle, "own side first")
    if battle.decision is not None and battle.decision.kind == "select-to-move":
        choose(battle, "own", formation.number)
    move_by(battle, dx, dy)
    return battle


@pytest.mark.rule("epic.terrain.dangerous-test", "epic.move.no-contact")
@pytest.mark.parametrize("player", [0, 1])
def test_who_stops_at_the_edge_of_a_wood_keeps_clear_of_enemies_and_not_of_friends(player: int) -> None:
    """2.5 cm from the place where it enters the wood: beside a friend it stops there, 1 cm short of an enemy it stops before."""
    for other, stops in ((player, 36.0), (1 - player, 36.0 - (3.0**2 - 2.5**2) ** 0.5)):
        scene = EpicScene()
        scene.area("woods", 20, 36, 100, 60)
        rhino = scene.formation(player, "Rhino", at=(60, 30), order="advance")
        scene.formation(other, "Boy", at=(62.5, 36), order="overwatch", fired=1)
        scene.formation(1 - other, "Boy", at=(5, 5), order="overwatch", fired=1)
        battle = moved(scene, rhino, 0, 11, [1, 4], A if player == 0 else B)
        assert told(battle, "epic.terrain.dangerous-test")[0]["immobilised"] is True
        x, y = place_of(battle, rhino.model())
        assert x == pytest.approx(60, abs=0.05)
        assert y == pytest.approx(stops, abs=0.06)
        assert y <= stops + 1e-3


@pytest.mark.rule("epic.terrain.dangerous-test")
def test_a_way_with_a_bend_is_tested_on_every_leg() -> None:
    """Round a cliff and into a wood behind it: one test, where it enters; it stops there on a 1, not at the bend."""
    scene = EpicScene()
    scene.area("cliff", 58, 34, 62, 35)
    scene.area("woods", 50, 38, 70, 50)
    rhino = scene.formation(0, "Rhino", at=(60, 32), order="advance")
    far_enemy(scene)
    battle = moved(scene, rhino, 0, 9, [1, 3])
    assert len(told(battle, "epic.terrain.dangerous-test")) == 1
    x, y = place_of(battle, rhino.model())
    assert y == pytest.approx(38, abs=0.01)
    assert x == pytest.approx(60, abs=2.5)


@pytest.mark.rule("epic.terrain.dangerous-test", "epic.terrain.dangerous-damage")
def test_the_dice_of_a_unit_that_is_hit_by_terrain() -> None:
    """1 and 1: a die for the save; at 4+ a 3 fails, a 4 saves. One that is lost stands nowhere; one that is saved stops."""
    for die, survives in ((3, False), (4, True)):
        scene = EpicScene()
        scene.area("woods", 20, 36, 100, 60)
        pair = scene.formation(0, "Rhino", at=[(60, 30), (63, 30)], order="advance")
        far_enemy(scene)
        battle = moved(scene, pair, 0, 10, [1, 1, die, 6])
        assert battle.models.on_table[pair.model(0)] == int(survives)
        assert battle.units.alive[pair] == 1 + int(survives)
        assert battle.units.lost[pair] == 1 - int(survives)
        if survives:
            assert place_of(battle, pair.model(0))[1] == pytest.approx(36, abs=0.01)
        assert place_of(battle, pair.model(1))[1] == pytest.approx(40, abs=0.1)


@pytest.mark.rule("epic.move.path", "epic.terrain.dangerous-test")
@pytest.mark.parametrize("step", [1, -1])
def test_the_foremost_goes_first(step: int) -> None:
    """Three in column, the last row in front, go north or south into a marsh: they test from the front to the back."""
    scene = EpicScene()
    scene.area("marsh", 0, 60, 120, 90) if step > 0 else scene.area("marsh", 0, 30, 120, 60)
    places = [(60, 60 - step * back) for back in (2.5, 4.5, 0.5)]
    squad = scene.formation(0, RUNNER, at=places, order="advance")
    far_enemy(scene)
    battle = moved(scene, squad, 0, 10 * step, [2, 3, 4])
    tested = [event["model"] for event in told(battle, "epic.terrain.dangerous-test")]
    assert tested == [squad.model(2), squad.model(0), squad.model(1)]


@pytest.mark.rule("epic.move.path", "epic.move.distance")
def test_units_behind_take_the_places_of_those_before_them() -> None:
    """A column of three moves up by one place: each ends where another stood, of either player."""
    for player, step in ((0, 2), (1, -2)):
        scene = EpicScene()
        squad = scene.formation(player, RUNNER, at=[(60, 60), (60, 60 + step), (60, 60 + 2 * step)], order="advance")
        scene.formation(1 - player, "Boy", at=(5, 5), order="overwatch", fired=1)
        battle = moved(scene, squad, 0, step, [], A if player == 0 else B)
        for n in range(3):
            assert place_of(battle, squad.model(n)) == pytest.approx((60, 60 + (n + 1) * step), abs=0.05)


@pytest.mark.rule("epic.move.path")
def test_who_walks_looks_where_it_went_and_who_stays_does_not_turn() -> None:
    """Infantry looks along the last leg of its way; a formation that is left standing keeps its facing and is not told to move."""
    scene = EpicScene()
    squad = scene.formation(0, RUNNER, at=(60, 50), order="advance", facing=0.0)
    far_enemy(scene)
    battle = moved(scene, squad, -6, 0, [])
    assert abs(battle.models.facing[squad.model()]) == pytest.approx(pi, abs=0.05)
    still = moved(scene, squad, 0, 0, [])
    assert still.models.facing[squad.model()] == 0.0
    assert told(still, "epic.move.distance") == []
