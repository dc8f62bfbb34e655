"""Fire: who, at whom, in which order, to-hit rolls, sight, arcs, saves."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from wh_env import Battle, IllegalAction
from wh_env.rulesets.epic.fire.aim import chance_to_hit, in_arc, needed_to_hit
from wh_env.rulesets.epic.terrain.ground import sees
from wh_env.testing import choose, dice_left, pick, slots, told
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, fire_at


def gunner(dice: int = 1, to_hit: int = 4, modifier: int = 0, reach: float = 30.0, **card: object) -> dict[str, object]:
    """A card of infantry with one weapon."""
    weapon = {"name": "gun", "range_cm": reach, "dice": dice, "to_hit": to_hit, "save_modifier": modifier}
    return {"class": "infantry", "move_cm": 5, "save": None, "assault_factor": 0, "weapons": [weapon], **card}


def rows(
    scene: EpicScene, player: int, card: str | dict[str, object], y: float, count: int = 1, **columns: object
) -> FormationHandle:
    return scene.formation(player, card, at=[(30 + 2 * n, y) for n in range(count)], **columns)


def visible(battle: Battle, a: tuple[float, float], b: tuple[float, float]) -> bool:
    ground, corners = battle.setup.statics["ground"], battle.setup.corners
    seen = bool(sees(ground, corners, *a, *b))
    assert seen == bool(sees(ground, corners, *b, *a))  # who sees can be seen
    return seen


# ---------------------------------------------------------------- the phase


def order_of_fire(battle: Battle) -> list[int]:
    asked = []
    while battle.decision is not None and battle.clock.phase[0] == 3:
        if battle.decision.kind == "select-to-fire":
            asked.append(battle.decision.player)
            choose(battle, "own", slots(battle, "own")[0])
        else:
            choose(battle, "done")
    return asked


@pytest.mark.parametrize(("draw", "expected"), [(A, [0, 1, 0, 1, 0]), (B, [1, 0, 1, 0, 0])])
@pytest.mark.rule("epic.fire.alternate")
def test_the_players_fire_in_turn(draw: int, expected: list[int]) -> None:
    """A with 3 formations able to fire, B with 2: A, B, A, B, A."""
    scene = EpicScene()
    for n in range(3):
        scene.formation(0, "Boy", at=(20 + 10 * n, 20), order="advance")
    for n in range(2):
        scene.formation(1, "Boy", at=(20 + 10 * n, 100), order="advance")
    assert order_of_fire(scene.battle("fire", dice=[draw])) == expected


@pytest.mark.rule("epic.fire.alternate")
def test_passing_is_final() -> None:
    """B passes at once: A fires with his 3, one after the other."""
    scene = EpicScene()
    for n in range(3):
        scene.formation(0, "Boy", at=(20 + 10 * n, 20), order="advance")
    for n in range(2):
        scene.formation(1, "Boy", at=(20 + 10 * n, 100), order="advance")
    battle = scene.battle("fire", dice=[B])
    pick(battle, "pass for the rest of the phase")
    assert order_of_fire(battle) == [0, 0, 0]


@pytest.mark.parametrize("order", ["advance", "overwatch"])
@pytest.mark.rule("epic.fire.once-per-weapon", "epic.fire.who-may", "epic.orders.overwatch")
def test_a_formation_fires_once_in_every_turn(order: str) -> None:
    scene = EpicScene()
    marine = scene.formation(0, "Tactical Marine", at=(30, 20), order=order)
    boy = scene.formation(1, "Boy", at=(30, 40), order="march")
    battle = scene.battle("fire", dice=[A, 1])
    fire_at(battle, marine, boy)
    assert battle.units.fired[marine] == 1
    assert battle.clock.phase[0] != 3  # he has nothing more to fire with
    while battle.decision is not None and battle.decision.kind != "give-order":
        battle.apply(battle.first_legal())
    assert battle.clock.round[0] == 2
    while battle.decision is not None and battle.decision.kind == "give-order":
        pick(battle, order if battle.decision.player == 0 else "march")
    while battle.decision is not None and battle.decision.kind != "select-to-fire":
        choose(battle, "done") if slots(battle, "done") else battle.apply(battle.first_legal())
    assert battle.clock.round[0] == 2
    assert slots(battle, "own") == [marine.number]


@pytest.mark.rule("epic.fire.simultaneity")
def test_casualties_do_not_fire_any_more() -> None:
    """A's squad eliminates 2 of B's 5 Boyz: when they fire then, 3 dice are rolled."""
    scene = EpicScene()
    squad = rows(scene, 0, gunner(), 20, 2, order="advance")
    boyz = rows(scene, 1, "Boy", 40, 5, order="advance")
    battle = scene.battle("fire", dice=[A, 4, 1, 4, 1])
    fire_at(battle, squad, boyz)
    assert battle.units.alive[boyz] == 3
    before = len(told(battle, "epic.fire.to-hit"))
    fire_at(battle, boyz, squad)
    assert len(told(battle, "epic.fire.to-hit")) == before + 3


@pytest.mark.rule("epic.fire.simultaneity", "epic.fire.targets", "epic.fire.who-may")
def test_with_the_only_unit_in_sight_gone_nobody_has_a_target() -> None:
    """One of two Boyz stands behind a cliff: when the other is eliminated, the second squad and the mob are not offered to fire."""
    scene = EpicScene()
    scene.area("cliff", 31, 35, 60, 39)
    first = scene.formation(0, gunner(), at=(30, 20), order="advance")
    scene.formation(0, gunner(), at=(32, 20), order="advance")
    mob = scene.formation(1, "Boy", at=[(30, 40), (33, 40)], order="advance")
    for dice, offered in (([4, 1], []), ([3], [1])):
        battle = scene.battle("fire", dice=[A, *dice])
        assert slots(battle, "own") == [0, 1]
        fire_at(battle, first, mob)
        if not offered:
            assert battle.clock.phase[0] > 3
            continue
        assert battle.decision is not None
        assert (battle.decision.kind, battle.decision.player) == ("select-to-fire", 1)
        choose(battle, "done")
        assert slots(battle, "own") == offered


@pytest.mark.rule("epic.fire.who-may")
def test_who_may_fire() -> None:
    """Of formations with Advance, Charge and March, one in retreat, and one in contact, only the first is offered."""
    scene = EpicScene()
    orders: list[str | None] = ["advance", "charge", "march", None, "advance"]
    for n, order in enumerate(orders):
        scene.formation(0, "Boy", at=(20 + 10 * n, 20), order=order, retreating=int(order is None))
    scene.formation(1, "Boy", at=(60, 21), order="march")  # touches the fifth
    scene.formation(1, "Boy", at=(30, 40), order="march")
    battle = scene.battle("fire", dice=[A])
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-fire"
    assert slots(battle, "own") == [0]


@pytest.mark.rule("epic.fire.who-may")
def test_a_unit_in_contact_does_not_fire_the_rest_of_its_formation_does() -> None:
    scene = EpicScene()
    squad = rows(scene, 0, "Tactical Marine", 20, 3, order="advance")
    scene.formation(1, "Boy", at=(30, 21), order="march")
    other = scene.formation(1, "Boy", at=(30, 40), order="march")
    battle = scene.battle("fire", dice=[A, 1, 1, 5])
    fire_at(battle, squad, other)
    assert [event["model"] for event in told(battle, "epic.fire.to-hit")] == [squad.model(1), squad.model(2)]


@pytest.mark.rule("epic.fire.once-per-weapon", "epic.profile.card")
def test_one_die_line_a_weapon_system() -> None:
    """A tank: 1 die of its turret at the first target, 2 of the side weapon at the second; 5 marines roll 5 dice."""
    scene = EpicScene()
    tank = scene.formation(0, "Predator", at=(30, 20), order="advance")
    first = scene.formation(1, "Boy", at=(25, 40), order="march")
    second = scene.formation(1, "Boy", at=(35, 40), order="march")
    battle = scene.battle("fire", dice=[A, 1, 1, 1], detail="full")
    choose(battle, "own", 0)
    choose(battle, "enemy", first.number)
    choose(battle, "enemy", second.number)
    shots = [(event["weapon"], event["target_model"]) for event in told(battle, "epic.fire.to-hit")]
    lascannons = ("lascannons", second.model())
    assert shots == [("twin lascannon", first.model()), lascannons, lascannons]
    assert slots(battle, "own") != [tank.number]
    squad = EpicScene()
    marines = rows(squad, 0, "Tactical Marine", 20, 5, order="advance")
    boy = rows(squad, 1, "Boy", 40, 5, order="march")
    battle = squad.battle("fire", dice=[A, 1, 1, 1, 1, 1])
    fire_at(battle, marines, boy)
    assert len(told(battle, "epic.fire.to-hit")) == 5


@pytest.mark.rule("epic.fire.declare-targets")
def test_targets_are_named_before_any_dice() -> None:
    """Five marines name the same Boy: the first hit eliminates him and the other four shots are lost."""
    scene = EpicScene()
    marines = rows(scene, 0, gunner(), 20, 5, order="advance")
    boyz = rows(scene, 1, "Boy", 40, 5, order="march")
    battle = scene.battle("fire", dice=[A, 4, 1], detail="full")
    choose(battle, "own", 0)
    for n in range(5):
        assert told(battle, "epic.fire.to-hit") == []
        assert battle.decision is not None
        assert battle.decision.kind == "fire-at"
        choose(battle, "enemy", 0)
        assert slots(battle, "model") == [0, 1, 2, 3, 4]
        choose(battle, "model", 2)
        assert n < 5
    assert len(told(battle, "epic.fire.to-hit")) == 1
    assert [event["model"] for event in told(battle, "epic.fire.declare-targets")] == [
        marines.model(n) for n in (1, 2, 3, 4)
    ]
    assert battle.units.alive[boyz] == 4
    assert dice_left(battle) == 0


@pytest.mark.rule("epic.fire.declare-targets")
def test_five_names_five_shots_and_no_fire_at_will() -> None:
    """Naming five Boyz each shot counts; a weapon may also name nobody."""
    scene = EpicScene()
    rows(scene, 0, gunner(), 20, 5, order="advance")
    boyz = rows(scene, 1, "Boy", 40, 5, order="march")
    battle = scene.battle("fire", dice=[A, 4, 1, 4, 1, 4, 1, 4, 1], detail="full")
    choose(battle, "own", 0)
    for n in range(4):
        choose(battle, "enemy", 0)
        choose(battle, "model", n)
    pick(battle, "no fire")
    assert battle.units.alive[boyz] == 1
    assert len(told(battle, "epic.fire.to-hit")) == 4


@pytest.mark.rule("epic.fire.declare-targets", "epic.fire.targets")
def test_squad_detail_spreads_the_shots_of_a_formation() -> None:
    """All that see the formation name a unit of it; what cannot is asked about again."""
    scene = EpicScene()
    scene.area("cliff", 40, 20.5, 42, 45)
    squad = scene.formation(0, gunner(), at=[(36, 20), (38, 20), (44, 20), (46, 20)], order="advance")
    left = scene.formation(1, "Boy", at=[(36, 40), (38, 40)], order="march")
    right = scene.formation(1, "Boy", at=[(45, 40), (47, 40)], order="march")
    battle = scene.battle("fire", dice=[A, *[4, 1] * 4])
    choose(battle, "own", squad.number)
    choose(battle, "enemy", left.number)
    assert slots(battle, "enemy") == [right.number]
    choose(battle, "enemy", right.number)
    targets = [event["target_model"] for event in told(battle, "epic.fire.to-hit")]
    assert set(targets) == {left.model(0), left.model(1), right.model(0), right.model(1)}


@pytest.mark.rule("epic.fire.no-premeasure", "epic.fire.out-of-range")
@pytest.mark.parametrize(("distance", "dice"), [(26.0, 0), (25.5, 0), (25.0, 1)])
def test_targets_out_of_range_are_accepted_and_wasted(distance: float, dice: int) -> None:
    """An enemy 26 cm away in sight: a bolter of 25 cm may name it; the shot misses without a roll. At 25 cm it is rolled."""
    scene = EpicScene()
    marine = rows(scene, 0, "Tactical Marine", 20, order="advance")
    boy = rows(scene, 1, "Boy", 20 + distance, order="march")
    battle = scene.battle("fire", dice=[A, *[5] * dice])
    choose(battle, "own", marine.number)
    assert slots(battle, "enemy") == [boy.number]
    choose(battle, "enemy", boy.number)
    assert len(told(battle, "epic.fire.to-hit")) == dice
    assert len(told(battle, "epic.fire.out-of-range")) == 1 - dice
    assert battle.units.fired[marine] == 1


@pytest.mark.rule("epic.fire.targets")
def test_nobody_fires_into_contact() -> None:
    """A Boy in contact with a marine is no target; a farther one in sight is, and there is no duty to fire at the nearest."""
    scene = EpicScene()
    shooter = scene.formation(0, "Tactical Marine", at=(30, 20), order="advance")
    scene.formation(0, "Tactical Marine", at=(30, 30), order="march")
    scene.formation(1, "Boy", at=(30, 31), order="march")
    near = scene.formation(1, "Boy", at=(35, 35), order="march")
    far = scene.formation(1, "Boy", at=(60, 90), order="march")
    battle = scene.battle("fire", dice=[A, 1])
    choose(battle, "own", shooter.number)
    assert slots(battle, "enemy") == [near.number, far.number]
    with pytest.raises(IllegalAction):
        choose(battle, "enemy", 0)
    choose(battle, "enemy", far.number)
    assert len(told(battle, "epic.fire.out-of-range")) == 1


# ---------------------------------------------------------------- arcs and sight


@pytest.mark.parametrize(
    ("target", "hull", "turret"),
    [
        ((30, 40), True, True),
        ((30, 10), False, True),
        ((50, 25), True, True),
        ((10, 25), True, True),
        ((50, 24.9), False, True),
    ],
)
@pytest.mark.rule("epic.fire.arcs")
def test_arcs_of_a_tank_that_faces_north(target: tuple[float, float], hull: bool, turret: bool) -> None:
    """South only the turret may fire; due east and west, on the border, both."""
    scene = EpicScene()
    tank = scene.formation(0, "Predator", at=(30, 25), facing=pi / 2, order="advance")
    boy = scene.formation(1, "Boy", at=target, order="march")
    battle = scene.battle("fire", dice=[A])
    models, weapons = battle.models.rows, battle.setup.statics["weapons"]
    first = battle.models.first_weapon[tank.model()]
    assert in_arc(models, weapons, tank.model(), first, boy.model()) is turret
    assert in_arc(models, weapons, tank.model(), first + 1, boy.model()) is hull


@pytest.mark.rule("epic.fire.arcs")
def test_infantry_fires_all_round_and_a_weapon_out_of_arc_finds_no_target() -> None:
    scene = EpicScene()
    squad = scene.formation(0, "Tactical Marine", at=(30, 60), facing=pi / 2, order="advance")
    scene.formation(0, "Land Raider", at=(50, 60), facing=pi / 2, order="advance")
    boy = scene.formation(1, "Boy", at=(30, 40), order="march")
    battle = scene.battle("fire", dice=[A, 5, 1])
    assert slots(battle, "own") == [squad.number]
    fire_at(battle, squad, boy)
    assert battle.units.alive[boy] == 0


@pytest.mark.rule("epic.fire.arcs", "epic.move.path")
def test_a_vehicle_that_only_turned_fires_where_it_looks_now() -> None:
    """In turn 1 the enemy is behind it; in turn 2 nothing moves, but it turns round to him: then it may fire at him."""
    scene = EpicScene()
    raider = scene.formation(0, "Land Raider", at=(60, 60), facing=pi / 2, order="advance")
    scene.formation(0, "Boy", at=(90, 60), order="advance")
    boy = scene.formation(1, "Boy", at=(60, 40), order="march")
    battle = scene.battle("fire", dice=[A])
    assert slots(battle, "own") == [1]
    while battle.decision is not None and battle.clock.round[0] == 1:
        choose(battle, "done") if slots(battle, "done") else battle.apply(battle.first_legal())
    while battle.decision is not None and battle.decision.kind == "give-order":
        pick(battle, "advance")
    battle.script_array[:2] = A, A
    battle.dice.script_at[0], battle.dice.script_end[0] = 0, 2
    pick(battle, "own side first")
    while battle.decision is not None and battle.decision.kind == "select-to-move":
        if 0 in slots(battle, "own") and battle.decision.player == 0:
            choose(battle, "own", 0)
            choose(battle, "cell", 144)  # where it is
            choose(battle, "cell", 144)
        else:
            choose(battle, "done")
    assert battle.models.facing[raider.model()] == pytest.approx(1.5 * pi)
    while battle.decision is not None and battle.decision.kind == "select-to-fire" and battle.decision.player == 1:
        choose(battle, "done")
    assert slots(battle, "own") == [0, 1]
    choose(battle, "own", 0)
    assert slots(battle, "enemy") == [boy.number]


@pytest.mark.rule("epic.fire.line-of-sight")
def test_what_blocks_a_line() -> None:
    """A building between two units does; three Boyz do not; one that contains one of the two does not."""
    scene = EpicScene()
    scene.area("buildings", 28, 28, 32, 32)
    scene.area("hill", 48, 28, 52, 32)
    scene.area("ruins", 68, 28, 72, 32)
    scene.formation(1, "Boy", at=[(88, 30), (90, 30), (92, 30)])
    battle = scene.battle("orders")
    assert not visible(battle, (30, 20), (30, 40))
    assert visible(battle, (27.9, 20), (27.9, 40))
    assert visible(battle, (28, 20), (28, 40))  # along its wall
    assert visible(battle, (30, 30), (30, 40))
    assert visible(battle, (30, 29), (30, 31))
    assert not visible(battle, (50, 20), (50, 40))
    assert visible(battle, (50, 30), (50, 40))
    assert visible(battle, (70, 20), (70, 40))
    assert visible(battle, (90, 20), (90, 40))


@pytest.mark.rule("epic.fire.line-of-sight", "epic.fire.targets")
def test_no_fire_without_sight() -> None:
    scene = EpicScene()
    scene.area("buildings", 20, 28, 40, 32)
    rows(scene, 0, "Tactical Marine", 20, order="advance")
    rows(scene, 1, "Boy", 40, order="march")
    battle = scene.battle("fire", dice=[A])
    assert battle.decision is None or battle.decision.kind != "select-to-fire"


@pytest.mark.rule("epic.fire.line-of-sight.woods")
def test_the_edge_of_a_wood() -> None:
    """A wood with its edge at x = 10, marines at 11 and 13 in it, a creature at 0: the first and the creature see each other."""
    scene = EpicScene()
    scene.area("woods", 10, 10, 30, 30)
    scene.formation(0, "Boy", at=(1, 1))
    battle = scene.battle("orders")
    creature = (1.0, 20.0)
    assert visible(battle, (11, 20), creature)
    assert visible(battle, (12, 20), creature)
    assert not visible(battle, (12.1, 20), creature)
    assert not visible(battle, (13, 20), creature)


@pytest.mark.rule("epic.fire.line-of-sight.woods")
def test_within_and_through_a_wood() -> None:
    """Units in one wood see each other within 4 cm; no line passes right through, however thin it is there."""
    scene = EpicScene()
    scene.area("woods", 10, 10, 30, 30)
    scene.area("woods", 50, 10, 51, 30)
    scene.formation(0, "Boy", at=(1, 1))
    battle = scene.battle("orders")
    assert visible(battle, (15, 20), (19, 20))
    assert not visible(battle, (15, 20), (19.1, 20))
    assert not visible(battle, (5, 20), (35, 20))
    assert not visible(battle, (45, 20), (55, 20))
    assert visible(battle, (50.5, 20), (55, 20))


@pytest.mark.rule("epic.fire.line-of-sight.woods", "epic.fire.line-of-sight")
def test_a_wood_and_a_building_that_open_to_one_side() -> None:
    """Both in the form of a U; across the clearing 2 cm count for each unit by itself, and an arm between hides."""
    scene = EpicScene()
    outline = [(10, 10), (40, 10), (40, 40), (30, 40), (30, 20), (20, 20), (20, 40), (10, 40)]
    scene.feature("woods", outline)
    scene.feature("buildings", [(x + 50, y) for x, y in outline])
    scene.formation(0, "Boy", at=(1, 1))
    battle = scene.battle("orders")
    assert visible(battle, (19, 30), (31, 30))
    assert visible(battle, (18, 30), (32, 30))
    assert not visible(battle, (19.5, 30), (33, 30))  # 3.5 cm of wood on the line, but the second is 3 cm deep in it
    assert visible(battle, (25, 30), (32, 30))
    assert not visible(battle, (25, 30), (32.1, 30))
    assert not visible(battle, (25, 30), (45, 30))
    assert not visible(battle, (5, 30), (45, 30))
    assert not visible(battle, (19.5, 30), (45, 30))
    assert visible(battle, (23, 15), (27, 15))  # 4 cm within it, across what it is cut into
    assert visible(battle, (18.5, 15), (22.5, 15))
    assert not visible(battle, (22.9, 15), (27, 15))
    for a, b in (((75, 30), (85, 30)), ((65, 30), (85, 30)), ((65, 30), (95, 30))):
        assert visible(battle, a, b)
    assert not visible(battle, (55, 30), (95, 30))
    assert not visible(battle, (75, 30), (95, 30))


@pytest.mark.rule("epic.fire.line-of-sight.woods")
def test_two_woods_side_by_side_hide_each_others_units() -> None:
    scene = EpicScene()
    scene.area("woods", 10, 10, 20, 30)
    scene.area("woods", 22, 10, 32, 30)
    scene.formation(0, "Boy", at=(1, 1))
    battle = scene.battle("orders")
    assert visible(battle, (18.5, 20), (23.5, 20))
    assert not visible(battle, (17.5, 20), (23.5, 20))
    assert not visible(battle, (18.5, 20), (24.5, 20))


# ---------------------------------------------------------------- to hit


@pytest.mark.parametrize(("roll", "hit"), [(4, False), (5, True), (6, True), (1, False)])
@pytest.mark.rule("epic.fire.to-hit")
def test_a_bolter_hits_on_5(roll: int, hit: bool) -> None:
    scene = EpicScene()
    marine = rows(scene, 0, "Tactical Marine", 20, order="advance")
    boy = rows(scene, 1, "Boy", 40, order="march")
    battle = scene.battle("fire", dice=[A, roll, 1])
    fire_at(battle, marine, boy)
    assert told(battle, "epic.fire.to-hit")[0]["hit"] is hit
    assert battle.units.alive[boy] == int(not hit)


@pytest.mark.parametrize(
    ("kind", "overwatch", "needed"),
    [
        ("open", 0, 5),
        ("woods", 0, 6),
        ("woods", -1, 7),
        ("fortification", 0, 7),
        ("fortification", -1, 8),
        ("open", -1, 6),
    ],
)
@pytest.mark.rule("epic.fire.modifiers")
def test_modifiers_add_up(kind: str, overwatch: int, needed: int) -> None:
    """A marine (5+) on overwatch firing at a Boy in woods that just moved needs 7."""
    scene = EpicScene()
    scene.area(kind, 25, 39, 35, 45)
    rows(scene, 0, "Tactical Marine", 20, order="advance")
    boy = rows(scene, 1, "Boy", 40, order="march")
    battle = scene.battle("fire", dice=[A])
    statics = battle.setup.statics
    tables = battle.models.rows, statics["ground"], battle.setup.corners, statics["weapons"]
    assert needed_to_hit(*tables, 0, boy.model(), overwatch) == needed


@pytest.mark.parametrize(
    ("to_hit", "kind", "dice", "hit"),
    [
        (6, "woods", [6, 4], True),
        (6, "woods", [6, 3], False),
        (6, "woods", [5], False),
        (6, "fortification", [6, 5], True),
        (6, "fortification", [6, 4], False),
        (7, "fortification", [6, 6], True),
        (7, "fortification", [6, 5], False),
        (8, "fortification", [], False),
    ],
)
@pytest.mark.rule("epic.fire.seven-plus")
def test_seven_and_more(to_hit: int, kind: str, dice: list[int], hit: bool) -> None:
    """7 is a 6 followed by 4+, 8 by 5+, 9 by 6; with 10 the shot cannot hit and no die is rolled."""
    scene = EpicScene()
    scene.area(kind, 25, 39, 35, 45)
    gun = rows(scene, 0, gunner(to_hit=to_hit), 20, order="advance")
    target = rows(scene, 1, gunner(), 40, order="march")
    scene.formation(1, "Boy", at=(90, 90), order="advance")
    scene.formation(0, "Boy", at=(90, 60), order="advance")
    battle = scene.battle("fire", dice=[A, *dice])
    fire_at(battle, gun, target)
    assert battle.units.alive[target] == int(not hit)
    assert dice_left(battle) == 0
    assert len([e for e in battle.events if e.kind == "to hit"]) == min(1, len(dice))


@pytest.mark.rule("epic.fire.seven-plus")
def test_chances_of_all_needs() -> None:
    scene = EpicScene()
    scene.formation(0, "Boy", at=(1, 1))
    numbers = scene.battle("orders").setup.statics["numbers"]
    expected = [5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 3 / 36, 2 / 36, 1 / 36, 0.0, 0.0]
    assert np.allclose([chance_to_hit(numbers, needed) for needed in range(2, 12)], expected)


# ---------------------------------------------------------------- saves


def hit_by(
    modifier: int,
    target: str | dict[str, object],
    dice: list[int],
    *,
    kind: str = "open",
    facing: float | None = None,
    at: tuple[float, float] = (30.0, 40.0),
) -> tuple[Battle, FormationHandle]:
    """One shot that hits from (30, 20); ``dice`` come after it."""
    scene = EpicScene()
    scene.area(kind, 25, 39, 35, 45)
    gun = rows(scene, 0, gunner(to_hit=2, modifier=modifier), 20, order="advance")
    unit = scene.formation(1, target, at=at, facing=facing, order="march")
    scene.formation(1, "Boy", at=(90, 90), order="advance")
    scene.formation(0, "Boy", at=(90, 60), order="advance")
    battle = scene.battle("fire", dice=[A, 6, *dice])
    fire_at(battle, gun, unit)
    return battle, unit


@pytest.mark.parametrize(
    ("modifier", "roll", "saved"),
    [(1, 4, False), (1, 5, True), (0, 4, True), (0, 3, False), (2, 6, True), (2, 5, False)],
)
@pytest.mark.rule("epic.save.roll")
def test_a_save_of_4(modifier: int, roll: int, saved: bool) -> None:
    battle, marine = hit_by(modifier, "Tactical Marine", [roll])
    assert battle.units.alive[marine] == int(saved)
    assert told(battle, "epic.save.roll")[0]["needed"] == 4 + modifier


@pytest.mark.rule("epic.save.roll")
def test_a_natural_1_always_fails() -> None:
    card = gunner(save=2)
    for roll, saved in ((1, False), (2, True)):
        battle, unit = hit_by(0, card, [roll])
        assert battle.units.alive[unit] == int(saved)


@pytest.mark.parametrize("kind", ["open", "buildings"])
@pytest.mark.rule("epic.save.none")
def test_no_save_no_die(kind: str) -> None:
    """Eliminated by any hit, in cover too."""
    battle, unit = hit_by(0, gunner(), [], kind=kind)
    assert battle.units.alive[unit] == 0
    assert dice_left(battle) == 0
    assert told(battle, "epic.save.roll") == []
    assert len(told(battle, "epic.save.none")) == 1


@pytest.mark.parametrize(
    ("save", "modifier", "roll", "saved"),
    [(4, 0, 3, True), (4, 0, 2, False), (4, 1, 4, True), (4, 1, 3, False), (2, 0, 2, True), (2, 0, 1, False)],
)
@pytest.mark.rule("epic.save.cover")
def test_cover_improves_the_save_by_1_to_2_at_best(save: int, modifier: int, roll: int, saved: bool) -> None:
    battle, unit = hit_by(modifier, gunner(save=save), [roll], kind="buildings")
    assert battle.units.alive[unit] == int(saved)


@pytest.mark.parametrize(
    ("facing", "roll", "saved"),
    [
        (-pi / 2, 4, True),
        (-pi / 2, 3, False),
        (pi / 2, 4, False),
        (pi / 2, 5, True),
        (0.0, 4, True),
        (pi, 4, True),
        (0.01, 4, False),
    ],
)
@pytest.mark.rule("epic.save.armour", "epic.profile.vehicles")
def test_armour_is_weaker_from_the_rear_half(facing: float, roll: int, saved: bool) -> None:
    """A Predator (3+) hit with modifier 1: from the front 4 saves, from the rear it does not; the border counts as the front."""
    battle, tank = hit_by(1, "Predator", [roll], facing=facing)
    assert battle.units.alive[tank] == int(saved)


@pytest.mark.rule("epic.fire.declare-targets")
def test_shots_after_one_that_is_lost_are_fired() -> None:
    """Two weapons at a unit that the first eliminates, the third at another: the second is lost, the third rolls."""
    scene = EpicScene()
    squad = rows(scene, 0, "Tactical Marine", 20, 3, order="advance")
    first = scene.formation(1, "Boy", at=(30, 40), order="march")
    second = scene.formation(1, "Boy", at=(34, 40), order="march")
    battle = scene.battle("fire", dice=[A, 6, 1, 6, 1], detail="full")
    choose(battle, "own", 0)
    for target in (first, first, second):
        choose(battle, "enemy", target.number)
    assert [event["model"] for event in told(battle, "epic.fire.to-hit")] == [squad.model(0), squad.model(2)]
    assert [event["model"] for event in told(battle, "epic.fire.declare-targets")] == [squad.model(1)]
    assert told(battle, "epic.fire.out-of-range") == []
    assert (battle.units.alive[first], battle.units.alive[second]) == (0, 0)
