"""Terrain: effects by class, impassable and dangerous terrain, cover."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle, ContentError
from wh_env.content.epic import load_rules
from wh_env.rulesets.epic.fire.aim import needed_to_hit, needed_to_save
from wh_env.rulesets.epic.terrain.ground import cover_at, passage_at, sees
from wh_env.testing import choose, dice_left, pick, told
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, fire_at, may_move, move_by, place_of

INFANTRY, VEHICLE = 1, 3
# what the catalogue says: infantry, vehicle, cover, whether a line right through is blocked
TABLE = {
    "open": (0, 0, 0, False),
    "road": (0, 0, 0, False),
    "hill": (0, 0, 0, True),
    "woods": (0, 1, -1, True),
    "buildings": (0, 2, -1, True),
    "ruins": (0, 1, -1, False),
    "fortification": (0, 2, -2, False),
    "marsh": (1, 1, 0, False),
    "river": (1, 2, 0, False),
    "cliff": (2, 2, 0, True),
}


def driving(
    kind: str, card: str = "Predator", dice: list[int] | None = None, *, detail: str = "squad", y: float = 30.0
) -> tuple[Battle, FormationHandle]:
    """A unit at (60, y) with a stretch of terrain ahead from y = 36 to 46, on Advance; the dice after the draw are given."""
    scene = EpicScene()
    scene.area(kind, 40, 36, 80, 46)
    unit = scene.formation(0, card, at=(60, y), order="advance")
    scene.formation(1, "Boy", at=(119, 1), order="march")
    battle = scene.battle("movement", dice=[A, *(dice or [])], detail=detail)
    pick(battle, "own side first")
    return battle, unit


@pytest.mark.parametrize("kind", TABLE)
@pytest.mark.rule("epic.terrain.effects")
def test_the_table(kind: str) -> None:
    infantry, vehicle, cover, blocks = TABLE[kind]
    scene = EpicScene()
    scene.area(kind, 10, 10, 20, 20)
    scene.formation(0, "Boy", at=(1, 1))
    setup = scene.battle("orders").setup
    ground = setup.statics["ground"]
    assert passage_at(ground, setup.corners, INFANTRY, 15, 15) == infantry
    assert passage_at(ground, setup.corners, VEHICLE, 15, 15) == passage_at(ground, setup.corners, 2, 15, 15) == vehicle
    assert cover_at(ground, setup.corners, 15, 15) == -cover
    assert sees(ground, setup.corners, 5, 15, 25, 15) is not blocks


@pytest.mark.rule("epic.terrain.effects", "epic.terrain.dangerous-test")
def test_woods_are_dangerous_to_a_light_vehicle_and_not_to_infantry() -> None:
    battle, _ = driving("woods", "Rhino", [2])
    choose(battle, "own", 0)
    move_by(battle, 0, 12)
    assert [event["roll"] for event in told(battle, "epic.terrain.dangerous-test")] == [2]
    walking, boy = driving("woods", "Boy", y=34.0)
    choose(walking, "own", 0)
    move_by(walking, 0, 5)
    assert told(walking, "epic.terrain.dangerous-test") == []
    assert place_of(walking, boy.model())[1] == pytest.approx(39)


@pytest.mark.rule("epic.terrain.effects", "epic.fire.modifiers", "epic.fire.seven-plus")
def test_a_boy_in_a_fortification_needs_7() -> None:
    """A marine (5+) needs 7: 6 followed by 4+."""
    scene = EpicScene()
    scene.area("fortification", 50, 40, 60, 50)
    marine = scene.formation(0, "Tactical Marine", at=(55, 30), order="advance")
    boy = scene.formation(1, "Boy", at=(55, 45), order="march")
    battle = scene.battle("fire", dice=[A, 6, 4, 1])
    fire_at(battle, marine, boy)
    assert [(event["needed"], event["hit"]) for event in told(battle, "epic.fire.seven-plus")] == [(7, True)]
    assert battle.units.alive[boy] == 0


# ---------------------------------------------------------------- impassable


@pytest.mark.rule("epic.terrain.impassable")
def test_a_tank_may_not_cross_or_enter_a_building_infantry_may_enter() -> None:
    battle, tank = driving("buildings")
    assert may_move(battle, tank, 0, 5.9)
    assert not may_move(battle, tank, 0, 6.1)
    assert not may_move(battle, tank, 0, 10)
    walking, boy = driving("buildings", "Boy", y=34)
    assert may_move(walking, boy, 0, 5)


@pytest.mark.rule("epic.terrain.impassable")
def test_nothing_crosses_a_thin_cliff() -> None:
    scene = EpicScene()
    scene.area("cliff", 0, 32, 120, 32.5)
    squad = scene.formation(0, "Boy", at=[(60, 30), (62, 30)], order="advance")
    tank = scene.formation(0, "Predator", at=(30, 30), order="advance")
    scene.formation(1, "Boy", at=(119, 119), order="march")
    battle = scene.battle("movement", dice=[A])
    pick(battle, "own side first")
    assert not may_move(battle, squad, 0, 5)
    assert not may_move(battle, tank, 0, 10)
    assert may_move(battle, squad, 0, 1.9)


@pytest.mark.parametrize("traits", [["aerial"], ["anti-grav"]])
@pytest.mark.rule("epic.terrain.impassable")
def test_aerial_units_fly_over_but_do_not_end_there(traits: list[str]) -> None:
    scene = EpicScene()
    scene.area("cliff", 0, 33, 120, 36)
    card = {"class": "light-vehicle", "traits": traits, "move_cm": 12, "save": 5, "assault_factor": 0}
    flyer = scene.formation(0, card, at=(60, 30), order="advance")
    scene.formation(1, "Boy", at=(119, 119), order="march")
    battle = scene.battle("movement", dice=[A])
    pick(battle, "own side first")
    assert may_move(battle, flyer, 0, 12) is (traits == ["aerial"])
    assert not may_move(battle, flyer, 0, 5)


# ---------------------------------------------------------------- dangerous


@pytest.mark.rule("epic.terrain.dangerous-test")
def test_on_a_1_it_stops_at_the_edge_on_anything_else_it_goes_on() -> None:
    """Woods 6 cm along a 10 cm move: 1 (and no damage) stops the tank there; with a 2 it completes its move."""
    for dice, y in (([1, 2], 36.0), ([2], 40.0)):
        battle, tank = driving("woods", dice=dice)
        choose(battle, "own", 0)
        move_by(battle, 0, 10)
        assert place_of(battle, tank.model()) == pytest.approx((60, y))
        assert [event["immobilised"] for event in told(battle, "epic.terrain.dangerous-test")] == [y == 36.0]
        assert dice_left(battle) == 0
        assert battle.units.alive[tank] == 1


@pytest.mark.rule("epic.terrain.dangerous-test")
def test_a_unit_that_starts_in_it_tests_once_and_one_that_does_not_move_never() -> None:
    stuck, tank = driving("woods", dice=[1, 6], y=40.0)
    choose(stuck, "own", 0)
    move_by(stuck, 0, 10)
    assert place_of(stuck, tank.model()) == (60, 40)
    out, tank = driving("woods", dice=[3], y=40.0)
    choose(out, "own", 0)
    move_by(out, 0, 10)
    assert place_of(out, tank.model())[1] == pytest.approx(50)
    assert dice_left(out) == 0
    still, tank = driving("woods", dice=[1, 1, 1], y=40.0)
    choose(still, "own", 0)
    move_by(still, 0, 0)
    assert dice_left(still) == 3
    assert still.units.alive[tank] == 1


@pytest.mark.rule("epic.terrain.dangerous-test")
def test_each_entry_is_a_test_of_its_own() -> None:
    """Two stretches of marsh: two tests; a 1 on the second stops there."""
    scene = EpicScene()
    scene.area("marsh", 0, 32, 120, 34)
    scene.area("marsh", 0, 36, 120, 38)
    tank = scene.formation(0, "Predator", at=(60, 30), order="advance")
    scene.formation(1, "Boy", at=(119, 119), order="march")
    battle = scene.battle("movement", dice=[A, 5, 1, 3])
    pick(battle, "own side first")
    choose(battle, "own", 0)
    move_by(battle, 0, 10)
    assert place_of(battle, tank.model()) == pytest.approx((60, 36))
    assert [event["roll"] for event in told(battle, "epic.terrain.dangerous-test")] == [5, 1]


@pytest.mark.rule("epic.terrain.dangerous-test")
def test_the_pieces_of_one_wood_are_one_terrain() -> None:
    """A wood with a bend is cut into convex pieces; going from one to the next is no entering."""
    scene = EpicScene()
    scene.feature("woods", [(50, 32), (70, 32), (70, 50), (62, 50), (62, 36), (50, 36)])
    tank = scene.formation(0, "Predator", at=(66, 30), order="advance")
    scene.formation(1, "Boy", at=(119, 119), order="march")
    battle = scene.battle("movement", dice=[A, 4, 1, 1])
    pick(battle, "own side first")
    choose(battle, "own", 0)
    move_by(battle, 0, 10)
    assert len(battle.setup.statics["ground"]) > 1
    assert place_of(battle, tank.model()) == pytest.approx((66, 40))
    assert dice_left(battle) == 2


@pytest.mark.parametrize("card", ["Land Speeder", "flyer"])
@pytest.mark.rule("epic.terrain.dangerous-test")
def test_anti_grav_and_aerial_units_never_test(card: str) -> None:
    scene = EpicScene()
    scene.area("woods", 40, 36, 80, 46)
    flyer = {"class": "light-vehicle", "traits": ["aerial"], "move_cm": 17, "save": 5, "assault_factor": 0}
    unit = scene.formation(0, flyer if card == "flyer" else card, at=(60, 30), order="advance")
    scene.formation(1, "Boy", at=(119, 119), order="march")
    battle = scene.battle("movement", dice=[A, 1, 1, 1])
    pick(battle, "own side first")
    choose(battle, "own", 0)
    move_by(battle, 0, 10.625)
    assert place_of(battle, unit.model())[1] > 36
    assert dice_left(battle) == 3


@pytest.mark.parametrize(
    ("dice", "survives", "stopped"),
    [
        ([1, 2], True, True),
        ([1, 1, 3], False, True),
        ([1, 1, 4], True, True),
        ([1, 1, 1], False, True),
        ([2], True, False),
    ],
)
@pytest.mark.rule("epic.terrain.dangerous-damage")
def test_a_second_1_is_a_hit_that_may_be_saved(dice: list[int], survives: bool, stopped: bool) -> None:
    """1 and 1 by a tank with save 4+: 3 eliminates it, 4 leaves it immobilised; 1 and 2 only immobilises."""
    battle, tank = driving("woods", "Rhino", dice)
    choose(battle, "own", 0)
    move_by(battle, 0, 12)
    assert battle.units.alive[tank] == int(survives)
    if survives:
        assert place_of(battle, tank.model())[1] == pytest.approx(36.0 if stopped else 42.0)
    assert dice_left(battle) == 0
    damage = told(battle, "epic.terrain.dangerous-damage")
    assert len(damage) == (len(dice) == 3)
    assert battle.units.lost[tank] == int(not survives)


@pytest.mark.rule("epic.terrain.dangerous-damage")
def test_terrain_gives_no_cover_against_itself() -> None:
    """Infantry in a marsh saves at its own value, with a natural 1 always failing."""
    for save, survives in ((3, False), (4, True)):
        battle, boy = driving("marsh", "Boy", [1, 1, save], y=34)
        choose(battle, "own", 0)
        move_by(battle, 0, 5)
        assert battle.units.alive[boy] == int(survives)


@pytest.mark.rule("epic.terrain.dangerous-test", "epic.move.distance")
def test_the_player_may_go_round_where_that_is_not_too_far() -> None:
    """Straight on through a small ruin, or round it: asked at full detail, at squad detail a vehicle goes round."""
    scene = EpicScene()
    scene.area("ruins", 59, 33, 61, 35)
    tank = scene.formation(0, "Predator", at=(60, 30), order="advance")
    scene.formation(1, "Boy", at=(119, 119), order="march")
    for way, dice, rolled in (("straight on", [6], 1), ("round", [1, 1, 1], 0)):
        battle = scene.battle("movement", dice=[A, *dice], detail="full")
        pick(battle, "own side first")
        choose(battle, "own", 0)
        move_by(battle, 0, 8.75)
        assert battle.decision is not None
        assert battle.decision.kind == "way-round"
        pick(battle, way)
        assert len(told(battle, "epic.terrain.dangerous-test")) == rolled
        assert place_of(battle, tank.model()) == pytest.approx((60, 38.75))
    squad = scene.battle("movement", dice=[A, 1, 1, 1])
    pick(squad, "own side first")
    choose(squad, "own", 0)
    move_by(squad, 0, 8.75)
    assert told(squad, "epic.terrain.dangerous-test") == []
    far = scene.battle("movement", dice=[A, 6], detail="full")
    pick(far, "own side first")
    choose(far, "own", 0)
    assert hypot(1, 3) + 2 + hypot(1, 5) > 10
    move_by(far, 0, 10)  # round it is too far: straight on without a question
    assert len(told(far, "epic.terrain.dangerous-test")) == 1


@pytest.mark.rule("epic.terrain.dangerous-test", "epic.move.coherency")
def test_units_behind_one_that_is_stuck_stop_short_of_it() -> None:
    """The foremost of a column sticks at the edge of a marsh; the one behind was to end where it stands now."""
    scene = EpicScene()
    scene.area("marsh", 0, 32, 120, 60)
    squad = scene.formation(0, "Boy", at=[(60, 31.5), (60, 29)], order="advance")
    scene.formation(1, "Boy", at=(119, 119), order="march")
    battle = scene.battle("movement", dice=[A, 1, 6])
    pick(battle, "own side first")
    choose(battle, "own", 0)
    move_by(battle, 0, 2.5)
    first, second = place_of(battle, squad.model(0)), place_of(battle, squad.model(1))
    assert first == pytest.approx((60, 32))
    assert second[1] <= 31 + 1e-2
    assert first[1] - second[1] >= 1 - 2e-3


# ---------------------------------------------------------------- cover


@pytest.mark.parametrize(("x", "inside"), [(10.5, True), (9.5, False), (10.0, False), (19.9, True), (20.5, False)])
@pytest.mark.rule("epic.terrain.in-cover")
def test_a_unit_is_in_terrain_when_its_centre_is(x: float, inside: bool) -> None:
    scene = EpicScene()
    scene.area("woods", 10, 10, 20, 20)
    scene.formation(0, "Boy", at=(x, 15))
    setup = scene.battle("orders").setup
    assert (cover_at(setup.statics["ground"], setup.corners, x, 15) > 0) is inside


@pytest.mark.parametrize("turned", [1, -1])
@pytest.mark.rule("epic.terrain.in-cover", "epic.terrain.impassable", "epic.fire.line-of-sight")
def test_terrain_with_a_bend_has_no_gaps(turned: int) -> None:
    """A building and a wood in the form of an L: all of the diagonal between both arms is inside, whatever it is cut into."""
    scene = EpicScene()
    for kind, y0 in (("buildings", 40), ("woods", 80)):
        angle = [(40, 0), (60, 0), (60, 10), (50, 10), (50, 20), (40, 20)]
        scene.feature(kind, [(x if turned > 0 else 120 - x, y0 + y) for x, y in angle])
    tank = scene.formation(0, "Predator", at=(35 if turned > 0 else 85, 35), order="charge")
    scene.formation(1, "Boy", at=(119, 1), order="march")
    battle = scene.battle("movement", dice=[A])
    ground, corners = battle.setup.statics["ground"], battle.setup.corners
    for n in range(1, 40):
        x = 40 + n / 4
        x, y = (x if turned > 0 else 120 - x), n / 4
        assert cover_at(ground, corners, x, 40 + y) == cover_at(ground, corners, x, 80 + y) == 1
        assert passage_at(ground, corners, VEHICLE, x, 40 + y) == 2
        assert passage_at(ground, corners, VEHICLE, x, 80 + y) == 1
    # on its outline, and right outside at the bend
    for x, y in ((50, 50), (50, 55), (55, 50), (40, 45), (45, 40), (50.01, 50.01)):
        assert cover_at(ground, corners, x if turned > 0 else 120 - x, y) == 0
    far, near = (56, 36) if turned > 0 else (64, 84)
    assert not sees(ground, corners, near, 36, far, 56)
    assert not sees(ground, corners, near, 76, far, 96)
    assert sees(ground, corners, 50.0 if turned > 0 else 70.0, 50, 50.0 if turned > 0 else 70.0, 60)  # along its wall
    pick(battle, "own side first")
    assert not may_move(battle, tank, 13 * turned, 13)
    assert may_move(battle, tank, 5 * turned, 5)  # to the corner


@pytest.mark.parametrize(("roll", "hit"), [(5, False), (6, True)])
@pytest.mark.parametrize(("save", "saved"), [(2, False), (3, True)])
@pytest.mark.rule("epic.terrain.infantry-cover", "epic.save.cover", "epic.profile.ork-boy")
def test_a_boy_in_a_building(roll: int, hit: bool, save: int, saved: bool) -> None:
    """A marine (5+) misses him with 5 and hits with 6; his save of 4+ is a 3+."""
    scene = EpicScene()
    scene.area("buildings", 50, 40, 60, 50)
    marine = scene.formation(0, "Tactical Marine", at=(55, 30), order="advance")
    boy = scene.formation(1, "Boy", at=(55, 45), order="march")
    battle = scene.battle("fire", dice=[A, roll, save])
    fire_at(battle, marine, boy)
    assert [event["hit"] for event in told(battle, "epic.fire.to-hit")] == [hit]
    assert [(event["needed"], event["saved"]) for event in told(battle, "epic.save.roll")] == [(3, saved)] * hit
    assert battle.units.alive[boy] == int(not hit or saved)


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("roll", "hit"), [(5, False), (6, True)])
@pytest.mark.parametrize(("save", "saved"), [(3, False), (4, True)])
@pytest.mark.rule("epic.terrain.infantry-cover", "epic.terrain.effects", "epic.fire.modifiers")
def test_a_vehicle_in_ruins(roll: int, hit: bool, save: int, saved: bool, player: int, detail: str) -> None:
    """A marine (5+) misses it with 5 and hits with 6; its save stays a 4+."""
    scene = EpicScene()
    scene.area("ruins", 50, 40, 60, 50)
    rhino = scene.formation(1 - player, "Rhino", at=(55, 45), facing=-90, order="march")
    marine = scene.formation(player, "Tactical Marine", at=(55, 30), order="advance")
    battle = scene.battle("fire", dice=[(A, B)[player], roll, save], detail=detail)
    fire_at(battle, marine, rhino)
    assert [event["hit"] for event in told(battle, "epic.fire.to-hit")] == [hit]
    assert [(event["needed"], event["saved"]) for event in told(battle, "epic.save.roll")] == [(4, saved)] * hit
    assert battle.units.alive[rhino] == int(not hit or saved)


@pytest.mark.parametrize("kind", ["Rhino", "Predator", "Land Speeder"])
@pytest.mark.parametrize(("terrain", "needed"), [("open", 5), ("ruins", 6), ("woods", 6), ("fortification", 7)])
@pytest.mark.rule("epic.terrain.infantry-cover", "epic.terrain.effects")
def test_all_vehicles_are_harder_to_hit_in_cover(kind: str, terrain: str, needed: int) -> None:
    """By the row of the table; their save does not change."""
    scene = EpicScene()
    if terrain != "open":
        scene.area(terrain, 50, 40, 60, 50)
    marine = scene.formation(0, "Tactical Marine", at=(55, 30), order="advance")
    tank = scene.formation(1, kind, at=(55, 45), facing=-90, order="march")
    setup, models = (battle := scene.battle("fire", dice=[A])).setup, battle.models.rows
    tables = setup.statics["ground"], setup.corners
    weapon = int(battle.models.first_weapon[marine.model()])
    assert needed_to_hit(models, *tables, setup.statics["weapons"], weapon, tank.model(), 0) == needed
    printed = int(battle.models.save[tank.model()])
    assert needed_to_save(models, *tables, setup.statics["numbers"], tank.model(), 55, 30, 0) == printed


def test_a_terrain_table_must_be_valid() -> None:
    with pytest.raises(ContentError, match=r"terrain\.woods.vehicle: 'hard'.*normal"):
        load_rules({"terrain": {"woods": {"vehicle": "hard"}}})
