"""Sight past buildings, shots out of them and at them, and templates over them."""

from __future__ import annotations

from math import cos, pi, radians, sin
from typing import Any

import pytest
from heroes import hero
from houses import house

from tests.machine_scenes import Range, losses
from tests.machines import machine
from wh_env import Battle
from wh_env.rulesets.wap.shooting.flames import placings
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, ways_of
from wh_env.testing import choose, kind, pick, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, WEST, RegimentScene, UnitHandle, square, who_see

BOWS = square(equipment=["bow"])


def shots(battle: Battle, unit: UnitHandle) -> list[dict[str, Any]]:
    """The events of shots by a unit."""
    return [event for event in told(battle, "wap.shoot.hit.roll") if event["unit"] == unit.row]


@pytest.mark.rule("wap.building.line-of-sight")
@pytest.mark.parametrize(("sight", "storeys", "sees"), [(1, 1, False), (10, 2, False), (10, 1, True)])
def test_a_building_hides_by_five_a_storey(sight: int, storeys: int, sees: bool) -> None:
    scene = RegimentScene()
    scene.area("building", 20, 20, 25, 25, storeys=storeys)
    tall = square(type="monster", rules=[f"Large Target ({sight})"]) if sight > 1 else None
    a = scene.unit(0, tall, (22.5, 18), facing=NORTH, models=1, files=1)
    b = scene.unit(1, None, (22.5, 28), facing=SOUTH, models=1, files=1)
    battle = scene.battle("movement", run=False)
    assert battle.setup.statics["ground"]["sight"].tolist() == [5 * storeys]
    assert bool(who_see(battle, a, b)) is sees


@pytest.mark.rule("wap.building.line-of-sight")
@pytest.mark.parametrize("player", [0, 1])
def test_the_upper_storey_sees_over_a_forest(player: int) -> None:
    for storeys, count in ((2, 5), (1, 0)):
        scene = RegimentScene()
        scene.area("building", 20, 20, 25, 25, storeys=storeys)
        scene.area("forest", 10, 27, 35, 33)  # six inches of wood, more than anybody sees through
        bows = scene.unit(player, BOWS, models=20, garrison=0)
        scene.unit(1 - player, None, (22.5, 36), facing=SOUTH, models=10)
        battle = scene.battle("shooting", player=player)
        heights = [battle.models.lifted[bows.model(n)] for n in range(20)]
        assert heights == [5] * (5 * (storeys - 1)) + [0] * (20 - 5 * (storeys - 1))
        assert (kind(battle) == "select-to-shoot") is bool(count)
        if count:
            choose(battle, "own", bows.number)
            assert sum(event["amount"] for event in shots(battle, bows)) == count


@pytest.mark.rule("wap.building.shooting.from")
@pytest.mark.parametrize("player", [0, 1])
def test_a_garrison_shoots_to_all_sides_from_its_walls(player: int) -> None:
    for far, count in ((24.0, 2), (24.1, 1)):
        scene = RegimentScene((48, 72))
        house(scene, 20, 20)
        bows = scene.unit(player, BOWS, models=10, garrison=0)
        # exactly at the range of a bow from the northern wall, and 10" from the southern one
        north = scene.unit(1 - player, None, (22.5, 25 + far), facing=SOUTH, models=10)
        south = scene.unit(1 - player, None, (22.5, 10), facing=NORTH, models=10)
        battle = scene.battle("shooting", player=player)
        assert kind(battle) == "select-to-shoot"
        choose(battle, "own", bows.number)
        found = [unit.number for unit in (north, south)][2 - count :]
        if count == 2:
            assert kind(battle) == "shoot-target" and slots(battle, "enemy") == found
            choose(battle, "enemy", north.number)
            assert shots(battle, bows)[0]["target"] == north.row
        else:
            assert not ways_of(battle, bows.row, north.row, IN_PHASE)


@pytest.mark.rule("wap.building.shooting.five-per-storey")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("storeys", "shooters", "rules", "dice"), [(2, None, (), 10), (1, None, (), 5), (2, 8, (), 16), (2, None, (2,), 20)]
)  # fmt: skip
def test_five_models_shoot_from_each_storey(
    player: int, storeys: int, shooters: int | None, rules: tuple[int, ...], dice: int
) -> None:
    scene = RegimentScene()
    more = {} if shooters is None else {"shooters": shooters}
    scene.area("building", 20, 20, 25, 25, storeys=storeys, **more)
    card = square(equipment=["bow"], rules=[f"Multiple Shots ({n})" for n in rules])
    bows = scene.unit(player, card, models=20, garrison=0)
    target = scene.unit(1 - player, None, (22.5, 35), facing=SOUTH, models=10)
    battle = scene.battle("shooting", player=player, detail="full")
    choose(battle, "own", bows.number)
    if kind(battle) == "shoot-target":
        choose(battle, "enemy", target.number)
    if kind(battle) == "shoot-way":
        choose(battle, "option", 1 if rules else 0)
    assert sum(event["amount"] for event in shots(battle, bows)) == dice


@pytest.mark.rule("wap.building.shooting.five-per-storey")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("far", "bowmen"), [(12.0, 9), (20.0, 10)])  # a blowpipe reaches 12"
def test_a_character_with_another_weapon_takes_a_place_at_a_window(player: int, far: float, bowmen: int) -> None:
    scene = RegimentScene()
    house(scene)
    bows = scene.unit(player, BOWS, models=20, garrison=0)
    lone = scene.unit(player, hero(equipment=["blowpipe"]), inside=bows, models=1)
    scene.unit(1 - player, None, (22.5, 20 - far), facing=NORTH, models=10)
    battle = scene.battle("shooting", player=player, detail="full")
    choose(battle, "own", bows.number)
    for _ in range(2):
        if kind(battle) == "shoot-way":
            choose(battle, "option", 0)
    assert [event["amount"] for event in shots(battle, bows)] == [bowmen]
    assert len(shots(battle, lone)) == 10 - bowmen


@pytest.mark.rule("wap.building.shooting.at")
@pytest.mark.parametrize("player", [0, 1])
def test_a_garrison_is_in_heavy_cover(player: int) -> None:
    for facing, offered in ((NORTH, True), (SOUTH, False)):
        scene = RegimentScene()
        house(scene)
        bows = scene.unit(player, BOWS, (22.5, 10), facing=facing, models=5)
        held = scene.unit(1 - player, None, models=20, garrison=0)
        battle = scene.battle("shooting", player=player, dice=[6, 6, 5, 5, 5, 6, 6, 6, 6])
        assert bool(shots(battle, bows) or kind(battle) == "select-to-shoot") is offered
        if not offered:
            continue
        choose(battle, "own", bows.number)
        assert [event["needed"] for event in shots(battle, bows)] == [6]
        assert shots(battle, bows)[0]["result"] == 2 and battle.units.alive[held] == 18


def held_before(player: int, weapon: str, card: Any = None) -> tuple[Range, UnitHandle]:
    """A machine, and 20 of the enemy in a building 22" ahead of it, 5" deep and 3.6" wide as the machine sees it."""
    place = Range(player, weapon)
    (ax, ay), (bx, by) = place.there(32, 22.2), place.there(37, 25.8)
    place.scene.area("building", min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), storeys=2)
    return place, place.scene.unit(1 - player, card, models=20, garrison=0)


@pytest.mark.rule("wap.building.shooting.at.many-ranks")
@pytest.mark.parametrize("player", [0, 1])
def test_a_bolt_ends_with_the_first_model(player: int) -> None:
    place, held = held_before(player, "bolt thrower")
    battle = place.battle([6] * 20)
    pick(battle, f"{place.machine.regiment.name} shoots")
    assert losses(battle) == {held.row: 1} and battle.units.alive[held] == 19
    place = Range(player, "bolt thrower")
    free = place.enemy(None, (32, 24), models=20, files=5)
    battle = place.battle([6] * 20)
    pick(battle, f"{place.machine.regiment.name} shoots")
    assert battle.units.alive[free] == 16  # one of each rank


@pytest.mark.rule("wap.building.shooting.at.templates")
@pytest.mark.parametrize("player", [0, 1])
def test_a_cannonball_hits_a_d6_of_the_garrison(player: int) -> None:
    """The example of line 4564: D6 hits of Strength 10, each of which wounds D6 times."""
    place, held = held_before(player, "cannon", square(w=3))
    battle = place.battle([5, 0, 1, 4, 4, *[2] * 4, *[3] * 4])
    place.fire(battle, held, 34.5, 24)
    assert told(battle, "wap.building.shooting.at.templates") == [{"unit": held.row, "die": 4}]
    assert [(event["amount"], event["needed"]) for event in told(battle, "wap.shoot.wound.roll")] == [(4, 2)]
    assert losses(battle) == {held.row: 12} and battle.units.alive[held] == 16


@pytest.mark.rule("wap.building.shooting.at.templates")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "needed"), [((5, 0, 5), 2), ((1, 60, 1), 3)])  # it stays; goes 2" to the side
def test_a_stone_is_as_strong_as_its_rim_unless_its_hole_is_over_the_building(
    player: int, dice: tuple[int, ...], needed: int
) -> None:
    """Two inches to the side its hole is 0.2" from the wall."""
    place, held = held_before(player, "stone thrower")
    battle = place.battle([*dice, 3, *[6] * 20])
    place.fire(battle, held, 34.5, 24, "what it sees")
    assert told(battle, "wap.building.shooting.at.templates") == [{"unit": held.row, "die": 3}]
    assert [(event["amount"], event["needed"]) for event in told(battle, "wap.shoot.wound.roll")] == [(3, needed)]


@pytest.mark.rule("wap.building.shooting.at.templates")
@pytest.mark.parametrize("player", [0, 1])
def test_a_flame_over_a_building_hits_a_d6_of_its_garrison(player: int) -> None:
    drake = {
        "type": "monster", "base_mm": (50, 50), "points": 90, "rules": ["Breath Attack (S4)"],
        "profile": {**square()["profile"], "w": 5, "s": 5, "t": 5},
    }  # fmt: skip
    for gap, touches in ((6.0, True), (8.5, False)):
        scene = RegimentScene()
        house(scene)
        a = scene.unit(player, drake, (22.5, 20 - gap), facing=NORTH, models=1, files=1)
        held = scene.unit(1 - player, None, models=20, garrison=0)
        battle = scene.battle("shooting", player=player)
        assert (kind(battle) == "select-to-shoot") is touches
        if not touches:
            continue
        choose(battle, "own", a.number)
        pick(battle, "breathes (")
        script(battle, [5, 6, 6, 6, 6, 6])
        choose(battle, "angle", 6)
        assert told(battle, "wap.building.shooting.at.templates")[0] == {"unit": held.row, "die": 5}
        assert battle.units.alive[held] == 15


@pytest.mark.rule("wap.building.shooting.war-machines")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("weapon", ["cannon", "bolt thrower", "stone thrower"])
@pytest.mark.parametrize(
    ("degrees", "may"), [(90, True), (133, True), (47, True), (140, False), (40, False), (270, False)]
)
def test_a_machine_in_a_building_fires_within_its_own_front_arc(
    player: int, weapon: str, degrees: int, may: bool
) -> None:
    """It looks north. A base of one inch, 24 inches away, whose middle lies 43 degrees to a side is in its arc; one at
    50 degrees is not, nor is one due south. Other garrisons shoot to all sides.
    """
    for card, models, shoots in ((machine(weapon), 1, may), (BOWS, 5, True)):
        scene = RegimentScene((72, 72))
        scene.area("building", 33.5, 33.5, 38.5, 38.5, storeys=2)
        inside = scene.unit(player, card, models=models, garrison=0)
        x, y = 36 + 24 * cos(radians(degrees)), 36 + 24 * sin(radians(degrees))
        foe = scene.unit(1 - player, None, (x, y), facing=radians(degrees) + pi, models=1, files=1)
        battle = scene.battle("shooting", player=player, detail="full")
        assert battle.models.facing[inside.model()] == pytest.approx(NORTH)
        assert (kind(battle) == "select-to-shoot") is shoots
        if shoots and models == 1:
            choose(battle, "own", inside.number)
            assert kind(battle) in ("machine-way", "machine-aim", "machine-target") or told(
                battle, "wap.shoot.hit.roll"
            )
        assert foe.row != inside.row


@pytest.mark.rule("wap.building.shooting.from", "wap.special.breath.template")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("alone", [True, False])
def test_a_garrison_breathes_to_all_sides_from_its_walls(player: int, alone: bool) -> None:
    """A beast by itself, or a hero of twenty men: each wall has an enemy two inches before it, none hits its own
    men.
    """
    breath = {"rules": ["Breath Attack (S4)"]}
    for n, (x, y, facing) in enumerate(((27, 22.5, 0.0), (22.5, 27, NORTH), (18, 22.5, WEST), (22.5, 18, SOUTH))):
        scene = RegimentScene()
        house(scene)
        beast = square(type="monstrous beast", base_mm=[50, 50], size=[1, 1], w=4, **breath)
        held = scene.unit(player, beast if alone else None, models=1 if alone else 20, garrison=0)
        breather = held if alone else scene.unit(player, hero(**breath), inside=held, models=1)
        foe = scene.unit(1 - player, None, (x, y), facing=facing + pi, models=5, files=5)
        battle = scene.battle("shooting", player=player, run=False)
        found, angles = placings(battle, breather.row), battle.setup.space.angles
        assert n * angles // 4 in found
        assert {battle.models.unit[k] for hit in found.values() for k in hit} == {foe.row}
        assert all(
            min(abs(slot - n * angles // 4), angles - abs(slot - n * angles // 4)) < angles // 6 for slot in found
        )
