"""Buildings: what they are, who enters them and how, who leaves them."""

from __future__ import annotations

from math import pi
from typing import Any

import pytest
from heroes import hero
from houses import HORSE, OGRES

from tests.machines import machine
from wh_env import Battle
from wh_env.agents.invariants import Invariants
from wh_env.content.errors import ContentError
from wh_env.core.tables import ATTACHED, DEPLOYING, ON_TABLE
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.blocks import block_distance
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.garrisons import garrison_in
from wh_env.rulesets.wap.codes import ENTERED, MOVED
from wh_env.rulesets.wap.rule_book import FEAR
from wh_env.testing import choose, kind, pick, slots, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, corners, may_leave, may_move, pose, square


def house(scene: RegimentScene, x: float = 22, y: float = 20, size: float = 5, **fields: Any) -> None:
    """A building of two storeys with its south-western corner at (x, y)."""
    scene.area("building", x, y, x + size, y + size, **{"storeys": 2, **fields})


def beside(
    gap: float, card: Any = None, player: int = 0, detail: str = "squad", **fields: Any
) -> tuple[Battle, UnitHandle]:
    """A unit whose front is ``gap`` inches south of a building, in its remaining moves."""
    scene = RegimentScene()
    house(scene)
    unit = scene.unit(player, card, (24.5, 20 - gap), facing=NORTH, **{"models": 10, "files": 5, **fields})
    scene.unit(1 - player, None, (4, 46), models=5, facing=SOUTH)
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)
    battle = scene.battle("movement", player=player, detail=detail)
    if kind(battle) == "declare-charge":
        choose(battle, "done")
    return battle, unit


def select(battle: Battle, unit: UnitHandle) -> None:
    """Choose a unit for its move."""
    assert kind(battle) == "select-to-move"
    choose(battle, "own", unit.number)


def enters(battle: Battle, unit: UnitHandle) -> bool:
    """Choose a unit for its move; whether it is offered to enter a building."""
    select(battle, unit)
    return kind(battle) == "enter-building"


@pytest.mark.rule("wap.building.agreement")
@pytest.mark.parametrize("player", [0, 1])
def test_only_what_is_declared_a_building_can_be_entered(player: int) -> None:
    for what, offered in (({"kind": "impassable"}, False), ({"kind": "building", "storeys": 1}, True)):
        scene = RegimentScene()
        scene.area(what["kind"], 22, 20, 26, 24, **{k: v for k, v in what.items() if k != "kind"})
        unit = scene.unit(player, None, (24, 17), facing=NORTH)
        scene.unit(1 - player, None, (4, 46), models=5, facing=SOUTH)
        battle = scene.battle("movement", player=player)
        assert enters(battle, unit) is offered


@pytest.mark.rule("wap.building.agreement")
@pytest.mark.rule("wap.building.complex")
def test_a_building_is_a_rectangle_or_has_several_parts() -> None:
    scene = RegimentScene()
    scene.feature("building", [(10, 10), (16, 10), (16, 16)], storeys=1)
    with pytest.raises(ContentError, match="a rectangle, or several that are its parts"):
        scene.battle()
    scene = RegimentScene()
    scene.area("building", 10, 10, 15, 15)
    with pytest.raises(ContentError, match="a number of storeys"):
        scene.battle()


@pytest.mark.rule("wap.building.complex")
def test_each_part_has_its_own_garrison_and_its_own_assault() -> None:
    scene = RegimentScene()
    house(scene, 20, 20)
    house(scene, 25, 20)
    one = scene.unit(0, None, (22.5, 17), facing=NORTH)
    two = scene.unit(0, None, (28.5, 17), facing=NORTH)
    scene.unit(1, None, (4, 46), models=5, facing=SOUTH)
    battle = scene.battle("movement")
    select(battle, one)
    pick(battle, "enters the building at 22.5, 22.5")
    select(battle, two)
    pick(battle, "enters the building at 27.5, 22.5")
    assert (garrison_in(battle, 0), garrison_in(battle, 1)) == (one.row, two.row)
    scene = RegimentScene()
    house(scene, 20, 20)
    house(scene, 25, 20)
    for n in range(2):
        scene.unit(1, None, models=10, garrison=n)
    both = [scene.unit(0, None, (x, 12), facing=NORTH) for x in (21, 29)]
    battle = scene.battle("movement")
    for unit, at in ((both[0], 0), (both[1], 1)):
        choose(battle, "own", unit.number)
        if kind(battle) == "charge-target":
            choose(battle, "enemy", at)
    declared = told(battle, "wap.charge.declare")
    assert [(event["unit"], event["target"]) for event in declared] == [(0, 2), (1, 3)]


@pytest.mark.rule("wap.building.impassable")
@pytest.mark.parametrize("player", [0, 1])
def test_who_does_not_enter_keeps_an_inch_away(player: int) -> None:
    battle, unit = beside(3.0, player=player)
    assert enters(battle, unit)
    pick(battle, "enters no building")
    pick(battle, "advances")
    for _ in range(4):
        if kind(battle) != "move-to":
            break
        choose(battle, "cell", max(slots(battle, "cell"), key=lambda cell: cell // 17))
    assert 0.99 <= 20.0 - max(y for _, y in corners(battle, unit)) <= 2.0


@pytest.mark.rule("wap.building.enter")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "offered"), [(4.0, True), (4.1, False)])
def test_a_normal_move_into_contact_makes_a_garrison(player: int, gap: float, offered: bool) -> None:
    battle, unit = beside(gap, player=player)
    assert enters(battle, unit) is offered
    if not offered:
        return
    pick(battle, "enters the building")
    u = battle.units
    assert garrison_in(battle, 0) == unit.row and u.place[unit] == ON_TABLE and u.us[unit] == 10
    outline = [(22, 20), (22, 25), (27, 20), (27, 25)]
    assert sorted((round(x), round(y)) for x, y in corners(battle, unit)) == outline
    assert u.did[unit] & MOVED and u.did[unit] & ENTERED and not may_move(battle, unit)
    assert told(battle, "wap.building.enter")[0]["building"] == 0


@pytest.mark.rule("wap.building.enter.no-march")
def test_no_march_leads_into_a_building() -> None:
    battle, unit = beside(6.0)
    assert not enters(battle, unit)
    pick(battle, "marches")
    while kind(battle) == "move-to" or kind(battle) == "move-refine":
        choose(battle, "cell", max(slots(battle, "cell"), key=lambda cell: cell // 17))
    if kind(battle) == "end-wheel":
        pick(battle, "as it is") if any("as it is" in w for w in words(battle).values()) else choose(battle, "done")
    assert garrison_in(battle, 0) == -1 and max(y for _, y in corners(battle, unit)) <= 19.001


@pytest.mark.rule("wap.building.enter.types")
def test_only_some_troop_types_enter() -> None:
    found = {}
    cards = {"ogres": (OGRES, 3), "cavalry": (HORSE, 5)}
    for name, (card, models) in cards.items():
        battle, unit = beside(3.0, card, models=models, files=3)
        found[name] = enters(battle, unit)
    for name in ("war beast", "monstrous beast", "swarm", "monster", "chariot"):
        card = {"type": name, "base_mm": (50, 50), "points": 30, "profile": {**square()["profile"], "w": 3}}
        battle, unit = beside(3.0, card, models=1, files=1)
        found[name] = enters(battle, unit)
    battle, unit = beside(3.0, machine("cannon"), models=1, files=1)
    found["cannon"] = enters(battle, unit)
    allowed = {"ogres", "war beast", "monstrous beast", "swarm"}
    assert {name for name, offered in found.items() if offered} == allowed


@pytest.mark.rule("wap.building.capacity")
@pytest.mark.parametrize("player", [0, 1])
def test_a_building_holds_one_unit(player: int) -> None:
    scene = RegimentScene()
    house(scene)
    held = scene.unit(player, None, models=5, garrison=0)
    unit = scene.unit(player, None, (24.5, 17), facing=NORTH)
    scene.unit(1 - player, None, (4, 46), models=5, facing=SOUTH)
    battle = scene.battle("movement", player=player)
    before = battle.clone()
    assert not enters(before, unit)
    select(battle, held)
    choose(battle, "option", 0)  # out of the northern side
    assert garrison_in(battle, 0) == -1
    assert enters(battle, unit)
    pick(battle, "enters the building")
    assert garrison_in(battle, 0) == unit.row


@pytest.mark.rule("wap.building.enter.character")
@pytest.mark.parametrize("player", [0, 1])
def test_a_character_joins_a_garrison_by_moving_to_the_building(player: int) -> None:
    for far, offered in ((3.0, True), (4.2, False)):
        scene = RegimentScene()
        house(scene)
        held = scene.unit(player, None, models=5, garrison=0)
        lone = scene.unit(player, hero(), (24.5, 20 - far), facing=NORTH, models=1)
        scene.unit(1 - player, None, (4, 46), models=5, facing=SOUTH)
        battle = scene.battle("movement", player=player)
        assert enters(battle, lone) is offered
        if not offered:
            continue
        pick(battle, "joins")
        u = battle.units
        assert u.place[lone] == ATTACHED and u.bodyguard[lone] == held.row and u.us[held] == 6
        assert not may_leave(battle, lone)


# ---------------------------------------------------------------- leaving


def inside(
    models: int = 20, player: int = 0, detail: str = "squad", card: Any = None, **fields: Any
) -> tuple[Battle, UnitHandle]:
    """A garrison in its remaining moves."""
    scene = RegimentScene()
    house(scene)
    held = scene.unit(player, card, models=models, garrison=0, **fields)
    scene.unit(1 - player, None, (4, 46), models=5, facing=SOUTH)
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)
    battle = scene.battle("movement", player=player, detail=detail)
    if kind(battle) == "declare-charge":
        choose(battle, "done")
    return battle, held


@pytest.mark.rule("wap.building.leave.when")
@pytest.mark.parametrize("player", [0, 1])
def test_a_garrison_leaves_in_a_turn_after_that_in_which_it_entered(player: int) -> None:
    battle, unit = beside(3.0, player=player)
    assert enters(battle, unit)
    pick(battle, "enters the building")
    assert not may_move(battle, unit)
    for _ in range(200):
        if battle.clock.turn[0] == player and battle.clock.round[0] == 2 and kind(battle) == "select-to-move":
            break
        choose(battle, "done") if 0 in words(battle) else battle.apply(min(words(battle)))
    assert may_move(battle, unit)
    select(battle, unit)
    assert kind(battle) == "leave-building"


@pytest.mark.rule("wap.building.leave.placing")
def test_a_garrison_is_set_up_with_its_rear_at_a_wall() -> None:
    battle, unit = inside(detail="full")
    select(battle, unit)
    assert kind(battle) == "leave-building"
    choose(battle, "option", 0)
    assert kind(battle) == "leave-files" and 4 in slots(battle, "number")
    assert 9 - 1 in slots(battle, "number")
    choose(battle, "number", 4)
    assert kind(battle) == "leave-place"
    choose(battle, "number", 0)
    x, y, facing = pose(battle, unit)
    assert (round(x, 3), round(y, 3), round(facing, 3)) == (24.5, 29.0, round(NORTH, 3))
    assert battle.units.files[unit] == 5 and battle.units.base_a[unit] == 0.5 and garrison_in(battle, 0) == -1
    assert not may_move(battle, unit) and battle.units.did[unit] & MOVED


@pytest.mark.rule("wap.building.leave.placing")
def test_no_model_may_be_farther_than_twice_its_movement() -> None:
    slow = square(m=2)
    battle, unit = inside(30, detail="full", card=slow)
    select(battle, unit)
    choose(battle, "option", 0)
    # in 5 files the front rank of 6 is 5" from the wall, more than twice 2"; in 6 files it is 4" away
    assert 5 - 1 not in slots(battle, "number") and 6 - 1 in slots(battle, "number")
    # 14 files: the models at the ends of the front are beyond the wall by 4", and 2" ahead: 4.5"
    assert 14 - 1 not in slots(battle, "number")


@pytest.mark.rule("wap.building.leave.placing")
def test_where_others_stand_there_is_no_room() -> None:
    scene = RegimentScene()
    house(scene)
    held = scene.unit(0, None, models=10, garrison=0)
    scene.unit(0, None, (24.5, 28), facing=NORTH, models=10)
    scene.unit(1, None, (4, 46), models=5, facing=SOUTH)
    battle = scene.battle("movement")
    select(battle, held)
    assert 0 not in slots(battle, "option") and 3 in slots(battle, "option")
    pick(battle, "stays in its building")
    assert garrison_in(battle, 0) == held.row and not may_move(battle, held)


@pytest.mark.rule("wap.building.leave.placing")
@pytest.mark.parametrize("player", [0, 1])
def test_a_garrison_comes_out_an_inch_from_units_at_its_walls(player: int) -> None:
    """An enemy that has left the building before stands at its wall."""
    scene = RegimentScene()
    house(scene)
    held = scene.unit(player, None, models=4, garrison=0, files=2)
    foe = scene.unit(1 - player, None, (23, 27), facing=NORTH, models=4, files=2)
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)
    battle = scene.battle("movement", player=player)
    if kind(battle) == "declare-charge":
        choose(battle, "done")
    select(battle, held)
    ways = slots(battle, "option")
    assert 0 in ways
    for way in ways:
        out = battle.clone()
        choose(out, "option", way)
        assert block_distance(out.parts.rows, out.units.rows, held.row, foe.row) > 0.999
        assert not out.units.fights[held] and garrison_in(out, 0) == -1


@pytest.mark.rule("wap.building.leave.no-charge")
@pytest.mark.parametrize("player", [0, 1])
def test_no_garrison_declares_a_charge(player: int) -> None:
    scene = RegimentScene()
    house(scene)
    scene.unit(player, None, models=10, garrison=0)
    scene.unit(1 - player, None, (24.5, 28), facing=SOUTH)
    other = scene.unit(player, None, (24.5, 36), facing=SOUTH)
    battle = scene.battle("movement", player=player)
    assert kind(battle) == "declare-charge" and slots(battle, "own") == [other.number]


@pytest.mark.rule("wap.building.leave.forced-charge")
@pytest.mark.parametrize("player", [0, 1])
def test_a_frenzied_garrison_comes_out_and_does_not_charge(player: int) -> None:
    for dice, stays in (([6, 6], False), ([1, 1], True)):
        scene = RegimentScene()
        house(scene)
        wild = scene.unit(player, square(rules=["Frenzy"]), models=10, garrison=0)
        foe = scene.unit(1 - player, None, (33, 22.5), facing=3.14159)
        scene.unit(player, None, (4, 4), models=5, facing=NORTH)
        battle = scene.battle("movement", player=player, dice=dice)
        if stays:
            assert garrison_in(battle, 0) == wild.row
            continue
        assert garrison_in(battle, 0) == -1 and not battle.units.fights[wild]
        assert min(x for x, _ in corners(battle, wild)) >= 26.99  # on the eastern side
        apart = 33 - max(x for x, _ in corners(battle, wild))
        assert abs(apart - 1.0) < 1e-3  # five files that look along the wall come as near as may be
        assert not told(battle, "wap.charge.declare") and not may_move(battle, wild)
        assert battle.units.fights[foe] == 0


@pytest.mark.rule("wap.building.leave.placing", "wap.terrain.forest.venom.dangerous", "wap.terrain.river.blood")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("forced", [False, True])
def test_a_garrison_that_leaves_comes_into_the_ground_outside(player: int, forced: bool) -> None:
    """East of the building is a thicket, in which each of ten men tests, or a river of which they are feared."""
    for kind_of, example, tests in (("forest", "venom thicket", 10), ("river", "river of blood", 0)):
        scene = RegimentScene()
        house(scene)
        scene.area(kind_of, 27.0, 14, 40, 31, example=example)
        rules = ["Frenzy"] if forced else []
        inside = scene.unit(player, square(rules=rules), models=10, garrison=0)
        scene.unit(1 - player, None, (34, 22.5), facing=3.14159, models=5)
        scene.unit(player, None, (4, 4), models=5, facing=NORTH)
        battle = scene.battle("movement", player=player, dice=[6, 6] * forced + [2] * 9 + [1] + [2] * 10)
        if not forced:
            choose(battle, "own", inside.number)
            ways = [action for action, text in words(battle).items() if "leaves to 29" in text]
            battle.apply(ways[0])
        assert garrison_in(battle, 0) == -1
        rolled = [len(event["dice"]) for event in told(battle, "wap.terrain.dangerous.test")]
        assert rolled == [tests] * (tests > 0) and battle.units.alive[inside] == (9 if tests else 10)
        assert has(battle, inside.row, FEAR) is (not tests)


@pytest.mark.rule("wap.special.stupidity.failed", "wap.building.leave.when", "wap.building.leave.forced-charge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("rules", [["Stupidity"], ["Stupidity", "Frenzy"]])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_stupid_garrison_stays(player: int, rules: list[str], detail: str) -> None:
    """It does nothing if it fails its test, and its frenzy makes it charge nobody; on a 2 it is as any other."""
    for dice, is_stupid in (([6, 6, 6, 6], True), ([1, 1, 1, 1], False)):
        scene = RegimentScene()
        house(scene)
        inside = scene.unit(player, square(rules=rules, ld=2), models=10, garrison=0)
        scene.unit(1 - player, None, (33, 22.5), facing=3.14159)
        scene.unit(player, None, (4, 4), models=5, facing=NORTH)
        battle = scene.battle("movement", player=player, dice=dice, detail=detail)
        assert garrison_in(battle, 0) == inside.row and bool(battle.units.stupid[inside]) is is_stupid
        assert kind(battle) == "select-to-move" and may_move(battle, inside) is not is_stupid
        assert bool(told(battle, "wap.special.frenzy.must-charge")) is (len(rules) == 2 and not is_stupid)


@pytest.mark.rule("wap.building.enter.types")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_machine_may_be_deployed_in_a_building_of_its_zone(player: int, detail: str) -> None:
    """It looks out of the wall that its player names. Cavalry is not asked, nor is a machine about a building in the
    enemy's zone."""
    scene = RegimentScene((72, 48))
    for y in (4, 39):
        house(scene, 22, y)
    cannon = scene.unit(player, machine("cannon"), models=1)
    scene.unit(player, HORSE, models=5)
    scene.unit(1 - player, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1] if player == 0 else [1, 6], detail=detail)
    while kind(battle) != "deploy-inside":
        assert battle.units.place[cannon] != ON_TABLE
        battle.apply(battle.first_legal())
    assert battle.clock.player[0] == player and slots(battle, "option") == [0, 1, 2, 3]
    out = battle.clone()
    choose(out, "done")
    while out.units.place[cannon] != ON_TABLE:
        assert kind(out) != "deploy-inside"
        out.apply(out.first_legal())
    assert garrison_in(out, 0) == garrison_in(out, 1) == -1
    pick(battle, "facing 270" if player else "facing 90")
    held = next(row for row in (0, 1) if garrison_in(battle, row) == cannon.row)
    assert held == (1 if min(y for _, y in corners(battle, cannon)) > 24 else 0)
    assert battle.models.facing[cannon.model()] == pytest.approx(NORTH if player == 0 else SOUTH)
    assert Validator(battle.setup).fault(battle) is None
    while kind(battle) in ("deploy-unit", "deploy-to", "deploy-refine", "deploy-files", "deploy-facing"):
        battle.apply(battle.first_legal())
    assert battle.units.place[cannon] == ON_TABLE and garrison_in(battle, held) == cannon.row


@pytest.mark.rule("wap.battle.deploy.characters", "wap.building.enter.character")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("card", "may"), [(hero(rules=["Serves War Machines"]), True), (hero(), False)])
def test_an_engineer_is_deployed_with_a_machine_in_a_building(player: int, card: dict[str, Any], may: bool) -> None:
    scene = RegimentScene((72, 48))
    for y in (4, 39):
        house(scene, 22, y)
    cannon = scene.unit(player, machine("cannon"), models=1)
    engineer = scene.unit(player, card, models=1)
    scene.unit(1 - player, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1] if player == 0 else [1, 6], detail="full")
    while kind(battle) != "deploy-inside":
        battle.apply(battle.first_legal())
    choose(battle, "option", slots(battle, "option")[0])
    while battle.units.place[engineer] == DEPLOYING and kind(battle) != "join-unit":
        battle.apply(battle.first_legal())
    assert (kind(battle) == "join-unit") is may
    if may:
        assert slots(battle, "own") == [cannon.number] and slots(battle, "done")
        choose(battle, "own", cannon.number)
        assert battle.units.bodyguard[engineer] == cannon.row and battle.units.beside[engineer] == 0
        assert Validator(battle.setup).fault(battle) is None and Invariants(battle).after() == []


@pytest.mark.rule("wap.building.shooting.war-machines")
@pytest.mark.parametrize("player", [0, 1])
def test_a_machine_in_a_building_turns_on_the_spot(player: int) -> None:
    """It looks north, and the enemy is due south: it fires at him only if it has turned in its move, which counts as no
    move for a machine that only turns. It never leaves the building.
    """
    scene = RegimentScene((72, 72))
    scene.area("building", 33, 33, 39, 37, storeys=2)
    cannon = scene.unit(player, machine("cannon"), models=1, garrison=0)
    scene.unit(1 - player, None, (36, 10), facing=NORTH, models=10)
    scene.unit(player, None, (68, 68), facing=SOUTH, models=5)
    battle = scene.battle("movement", player=player)
    before = sorted((round(x, 3), round(y, 3)) for x, y in corners(battle, cannon))
    if kind(battle) == "declare-charge":
        choose(battle, "done")
    select(battle, cannon)
    assert kind(battle) == "turn-inside" and slots(battle, "option") == [1, 2, 3] and battle.legal()[0]
    assert Validator(battle.setup).fault(battle) is None
    for turns in (False, True):
        copy = battle.clone()
        pick(copy, "turns to face 270" if turns else "stays as it is")
        assert copy.models.facing[cannon.model()] % (2 * pi) == pytest.approx((1.5 if turns else 0.5) * pi)
        assert sorted((round(x, 3), round(y, 3)) for x, y in corners(copy, cannon)) == before
        assert garrison_in(copy, 0) == cannon.row and not may_move(copy, cannon)
        assert Validator(copy.setup).fault(copy) is None
        choose(copy, "done")
        assert (kind(copy) == "select-to-shoot") is turns
