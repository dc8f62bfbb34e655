"""How ground slows moves, bars marches and takes ranks away."""

from __future__ import annotations

from typing import Any

import pytest
from charging import HOLD, charge, over, react
from marching import ADVANCE, FORWARD, MARCH, finish, go, leg, limit, manoeuvres, places_to_go
from results import scored, side

from wh_env import Battle
from wh_env.rulesets.wap.basics.ground import features_of, pieces_for, touching
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.movement.going import FLY_FAR
from wh_env.testing import choose, kind, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

BRIDGE = {"polygon": [[17.5, 11], [22.5, 11], [22.5, 17], [17.5, 17]], "wide": 5.0}
FISH = square(rules=["Aquatic"])


def before(
    ground: str, card: Any = None, *, south: float = 12.0, north: float = 14.0, player: int = 0, detail: str = "full",
    models: int = 10, files: int = 5, east: float = 48.0, **fields: Any,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """A unit that stands at y = 10 and looks north, or the same seen from the north by player 1; the ground reaches
    from the west to ``east``.
    """
    scene = RegimentScene()
    y, facing = (10.0, NORTH) if player == 0 else (38.0, SOUTH)
    unit = scene.unit(player, card, (20, y), models=models, files=files, facing=facing)
    scene.unit(player, None, (44, y), models=5)
    scene.unit(1 - player, None, (44, 47 if player == 0 else 1))
    if player:
        south, north = 48 - north, 48 - south
    scene.area(ground, 0, south, east, north, **fields)
    return scene.battle("movement", player=player, detail=detail), unit


def farthest(battle: Battle, unit: UnitHandle, how: int) -> float:
    """Inches straight ahead that a manoeuvre leads to."""
    go(battle, unit, how)
    return limit(battle, FORWARD)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.river.no-march")
def test_a_march_ends_at_the_bank_and_an_advance_leads_through_the_river(player: int) -> None:
    for how, far in ((ADVANCE, 4.0), (MARCH, 2.0)):
        battle, unit = before("river", player=player)
        assert farthest(battle, unit, how) == pytest.approx(far, abs=1e-3)
    battle, unit = before("marsh", player=player)
    assert farthest(battle, unit, MARCH) == 8.0
    battle, unit = before("river", player=player, detail="squad")
    go(battle, unit, MARCH)
    y = places_to_go(battle)[:, 1]
    assert (y.max() <= 12.001) if player == 0 else (y.min() >= 35.999)


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.terrain.river.no-march")
def test_a_unit_in_a_river_or_at_its_edge_does_not_march_through_it(detail: str) -> None:
    for south in (9.5, 10.0):  # it stands in the river; its front touches the bank
        battle, unit = before("river", south=south, north=14.0, detail=detail)
        offered = manoeuvres(battle, unit)
        assert ADVANCE in offered
        if south < 10.0:
            assert MARCH not in offered
        elif MARCH in offered:
            choose(battle, "option", MARCH)
            assert battle.decision is not None and battle.decision.options


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.special.fly.move")
def test_flyers_in_a_river_fly_out_as_far_as_a_march(player: int) -> None:
    battle, unit = before("river", square(rules=["Fly (8)"]), south=8.0, north=14.0, player=player, models=3, files=3)
    offered = manoeuvres(battle, unit)
    assert FLY_FAR in offered and MARCH not in offered
    choose(battle, "option", FLY_FAR)
    assert limit(battle, FORWARD) == pytest.approx(16.0)


@pytest.mark.rule("wap.terrain.river.no-march")
def test_a_charge_through_a_river_goes_its_full_distance() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 10), models=10)
    foe = scene.unit(1, None, (20, 20), models=10)
    scene.unit(0, None, (44, 10), models=5)
    scene.area("river", 0, 12, 48, 18)
    battle = scene.battle("movement", dice=[6, 1])
    charge(battle, unit, foe)
    react(battle, HOLD)
    over(battle)
    assert battle.units.fights[unit] == 1 and battle.units.y[unit] == pytest.approx(20.0)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("files", "march", "bonus"), [(5, 8.0, 3), (6, 2.0, 0)])
@pytest.mark.rule("wap.terrain.river.crossing")
def test_a_narrow_unit_marches_over_a_bridge_and_keeps_its_ranks(
    player: int, files: int, march: float, bonus: int
) -> None:
    """The bridge is five inches wide, as the narrow unit is. Where it fights on the bridge the wide one stands in the
    river with all its models.
    """
    over, under = (BRIDGE["polygon"], [[x, 48 - y] for x, y in BRIDGE["polygon"]])
    bridge = {**BRIDGE, "polygon": under if player else over}
    battle, unit = before("river", models=4 * files, files=files, player=player, crossings=[bridge])
    assert farthest(battle, unit, MARCH) == pytest.approx(march, abs=1e-3)
    scene = RegimentScene()
    bridge = {"polygon": [[17.5, 4], [22.5, 4], [22.5, 17], [17.5, 17]], "wide": 5.0}
    unit = scene.unit(player, None, (20, 10), models=4 * files, files=files, facing=NORTH)
    scene.beside(unit, 1 - player, None, models=5, files=5)
    scene.area("river", 0, 5, 48, 16, crossings=[bridge])
    battle = scored(scene, unit)
    assert side(battle, player)["ranks"] == bonus
    (river,) = features_of(battle)
    assert len(touching(battle, unit.row, river)) == (0 if bonus else 4 * files)


def test_a_wide_unit_on_a_bridge_does_not_march() -> None:
    bridge = {"polygon": [[17.5, 4], [22.5, 4], [22.5, 17], [17.5, 17]], "wide": 5.0}
    for files in (5, 6):
        battle, unit = before("river", models=4 * files, files=files, south=5.0, north=16.0, crossings=[bridge])
        assert (MARCH in manoeuvres(battle, unit)) is (files == 5)


def test_a_river_may_have_many_fords_with_many_corners() -> None:
    """Eight fords cut the river into more pieces than there are units; a march ends at its bank, before them all."""
    ring = [(-1.0, 11.5), (1.0, 11.5), (1.5, 14.0), (1.0, 16.5), (-1.0, 16.5), (-1.5, 14.0)]
    fords = [{"polygon": [[at + x, y] for x, y in ring], "wide": 5.0} for at in range(4, 44, 5)]
    battle, unit = before("river", crossings=fords, south=12.0, north=16.0)
    (river,) = features_of(battle)
    parts = len(battle.parts.rows)
    assert len(pieces_for(battle, unit.row, river)) == 25 and len(battle.work.ways.near) >= parts + 25
    assert farthest(battle, unit, MARCH) == pytest.approx(2.0, abs=1e-3)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("ground", "example"), [("marsh", None), ("forest", "ancient forest")])
@pytest.mark.rule("wap.terrain.marsh.movement")
@pytest.mark.rule("wap.terrain.forest.ancient")
def test_a_unit_partly_in_a_marsh_or_an_ancient_forest_is_an_inch_slower(
    player: int, ground: str, example: str | None
) -> None:
    fields = {"example": example} if example else {}
    for how, far in ((ADVANCE, 3.0), (MARCH, 6.0)):
        for east in (48.0, 17.7):  # the front rank is partly in it, or one model at its end
            battle, unit = before(ground, south=9.7, east=east, player=player, **fields)
            assert farthest(battle, unit, how) == far
    battle, unit = before(ground, south=10.1, player=player, **fields)
    assert movement_of(battle, unit.row) == 4.0 and farthest(battle, unit, ADVANCE) == 4.0


@pytest.mark.rule("wap.terrain.marsh.movement")
def test_a_unit_that_leaves_the_marsh_is_as_fast_as_before() -> None:
    battle, unit = before("marsh", south=9.0, north=11.0)
    assert movement_of(battle, unit.row) == 3.0
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, 5)
    finish(battle)
    assert battle.units.y[unit] == 13.0 and movement_of(battle, unit.row) == 4.0
    for name in ("slowed", "high"):
        assert getattr(battle.units, name)[unit] == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("inside", "bonus"), [(10, 3), (11, 0)])
@pytest.mark.rule("wap.terrain.forest.no-rank-bonus")
def test_a_unit_of_which_most_models_are_in_a_forest_has_no_rank_bonus(player: int, inside: int, bonus: int) -> None:
    """Four ranks of five; two ranks, or one model more, are in the forest."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (20, 20), models=20, files=5, facing=NORTH)
    scene.beside(unit, 1 - player, None, models=10, files=5)
    nook = [(17.4, 18), (17.4, 17.2), (18.1, 17.2), (18.1, 18)] if inside == 11 else []
    scene.feature("forest", [(0, 18), *nook, (48, 18), (48, 30), (0, 30)])
    battle = scored(scene, unit)
    assert side(battle, player)["ranks"] == bonus


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("south", "bonus"), [(19.0, 3), (0.0, 0)])
@pytest.mark.rule("wap.terrain.forest.no-rank-bonus")
def test_models_in_forests_beside_each_other_count_together(player: int, south: float, bonus: int) -> None:
    """Four ranks of five: two files are in one forest, one model or all of the last file in another."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (20, 20), models=20, files=5, facing=NORTH)
    scene.beside(unit, 1 - player, None, models=10, files=5)
    scene.area("forest", 0, 0, 19.4, 40)
    scene.area("forest", 21.4, south, 48, 40, example="haunted forest")
    assert side(scored(scene, unit), player)["ranks"] == bonus


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.river.no-rank-bonus")
@pytest.mark.rule("wap.special.aquatic.water-combat")
def test_a_unit_partly_in_a_river_has_no_rank_bonus_unless_it_is_aquatic(player: int) -> None:
    cases = (
        (None, 19.7, 48, 0), (None, 19.7, 17.7, 0), (None, 19.7, 17.4, 3), (None, 20.1, 48, 3), (None, 0.0, 48, 0),
        (FISH, 19.7, 48, 3), (FISH, 0.0, 48, 3),
    )  # fmt: skip
    for card, south, east, bonus in cases:  # from x = 17.5 on; 17.7: one model is partly in it
        scene = RegimentScene()
        unit = scene.unit(player, card, (20, 20), models=20, files=5, facing=NORTH)
        scene.beside(unit, 1 - player, FISH, models=5, files=5)
        scene.area("river", 0, south, east, 30)
        assert side(scored(scene, unit), player)["ranks"] == bonus


@pytest.mark.rule("wap.special.aquatic.water-combat")
def test_aquatic_models_march_in_and_through_a_river() -> None:
    for south in (12.0, 5.0):
        battle, unit = before("river", FISH, south=south)
        assert farthest(battle, unit, MARCH) == 8.0


def test_wheels_count_on_the_way_to_a_river() -> None:
    """A unit of one model goes round; the river bars its march, whichever way it turns."""
    battle, unit = before("river", models=1, files=1, detail="squad")
    go(battle, unit, MARCH)
    assert places_to_go(battle)[:, 1].max() <= 12.0
    assert kind(battle) == "move-to" and not told(battle, "wap.terrain.dangerous.test")
