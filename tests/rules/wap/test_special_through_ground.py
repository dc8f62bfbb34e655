"""Ethereal units, which pass through impassable ground and are never slowed, and Aquatic ones, to which deep water is
open.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.charging import HOLD, charge, over, react, targets
from tests.heroes import hero
from tests.marching import ADVANCE, FINISH, FORWARD, LEFT, MARCH, MOST, ahead, go, leg, limit, manoeuvres, places_to_go
from tests.moving_spells import cast, knows, mage
from wh_env import Battle, ContentError
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.effects import Effect, begin_effect, effects_of, end_effect
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.room import in_rock
from wh_env.rulesets.wap.rule_book import ETHEREAL
from wh_env.rulesets.wap.special.stride import farthest_charge
from wh_env.testing import choose, dice_left, kind, pick, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fought, other_combats, pose, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
CALM = "Immunity (Panic)"
GHOST = square(m=6, rules=["Ethereal"])
FISH = square(rules=["Aquatic", CALM])
ROCK, WATER = {}, {"water": True}
FEAR_NOTHING = {"rules": ["Ethereal", CALM]}


def facing_ground(
    card: Any, *, player: int = 0, deep: float = 4.0, detail: str = "full", ground: dict[str, Any] = ROCK,
    inside: Any = None, effects: Any = (), under: bool = False, kind_of_ground: str = "impassable", dice: Any = (),
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """Ten models in two ranks with impassable ground three inches before them, ``deep`` inches deep; they look
    north, or south as player 1.
    """
    scene = RegimentScene(effects=effects)
    y, facing, sign = (10.0, NORTH, 1.0) if player == 0 else (38.0, SOUTH, -1.0)
    unit = scene.unit(player, card, (20, y), models=10, files=5, facing=facing)
    if inside is not None:
        scene.unit(player, inside, models=1, inside=unit)
    scene.unit(player, None, (44, y), models=5)
    scene.unit(1 - player, None, (44, 45 if player == 0 else 3))
    south, north = sorted((y + sign * 3.0, y + sign * (3.0 + deep)))
    scene.area(kind_of_ground, 10, south, 30, north, **ground)

    def begin(battle: Battle) -> None:
        for number in range(len(effects)):
            begin_effect(battle, number, unit.row, 1 - player)

    return scene.battle("movement", player=player, detail=detail, dice=dice, set_state=begin if under else None), unit


def faults(battle: Battle) -> list[object]:
    """What is wrong with a battle; units in ground that bars them included."""
    found: list[object] = list(Validator(battle.setup).faults(battle))
    tables = battle.parts.rows, battle.units.rows
    for unit in range(len(battle.units.owner)):
        if in_rock(*tables, ground_to_stand_in(battle, unit), battle.setup.corners, unit):
            found.append(unit)
    return found


# ---------------------------------------------------------------- Ethereal: moves


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_a_ghost_marches_straight_through_a_rock_and_never_ends_in_it(player: int) -> None:
    battle, unit = facing_ground(square(m=6), player=player)
    go(battle, unit, MARCH)
    assert limit(battle, FORWARD) == pytest.approx(2.0, abs=1e-3)  # an inch before the rock
    battle, unit = facing_ground(GHOST, player=player)
    go(battle, unit, MARCH)
    assert limit(battle, FORWARD) == 12.0
    leg(battle, FORWARD, ahead(5.0))
    assert FINISH not in slots(battle, "option")  # in the rock
    leg(battle, FORWARD, MOST)
    if kind(battle) == "leg":
        choose(battle, "option", FINISH)
    assert pose(battle, unit)[:2] == pytest.approx((20.0, 22.0 if player == 0 else 26.0))
    assert faults(battle) == []


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_a_move_that_would_end_in_the_rock_ends_before_it(player: int) -> None:
    """The rear of the unit leaves the rock ten inches on; six are not enough."""
    battle, unit = facing_ground(GHOST, player=player)
    go(battle, unit, ADVANCE)
    assert limit(battle, FORWARD) == pytest.approx(2.0, abs=1e-3)
    battle, unit = facing_ground(GHOST, player=player, detail="squad")
    go(battle, unit, ADVANCE)
    far = abs(places_to_go(battle)[:, 1] - (10.0 if player == 0 else 38.0))
    assert far.max() <= 2.001


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_at_squad_detail_the_places_behind_the_rock_are_offered_and_none_in_it(player: int) -> None:
    battle, unit = facing_ground(GHOST, player=player, detail="squad")
    go(battle, unit, MARCH)
    places = places_to_go(battle)
    far = abs(places[:, 1] - (10.0 if player == 0 else 38.0))[abs(places[:, 0] - 20.0) < 1e-6]
    assert far.max() == pytest.approx(12.0) and not ((far > 2.001) & (far < 9.999)).any()
    plain, mortal = facing_ground(square(m=6), player=player, detail="squad")
    go(plain, mortal, MARCH)
    assert (
        abs(places_to_go(plain)[abs(places_to_go(plain)[:, 0] - 20.0) < 1e-6][:, 1] - pose(plain, mortal)[1]).max()
        < 2.01
    )
    at = int(abs(places - [20.0, 22.0 if player == 0 else 26.0]).sum(axis=1).argmin())
    choose(battle, "cell", slots(battle, "cell")[at])
    while kind(battle) in ("move-refine", "end-wheel"):
        if kind(battle) == "move-refine":
            choose(battle, "cell", slots(battle, "cell")[-1 if player == 0 else 0])
        else:
            choose(battle, "number", 0)
    assert faults(battle) == []


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_a_move_aside_and_a_wheel_lead_through_the_rock_too(player: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(player, square(m=10, rules=["Ethereal"]), (20, 20), models=4, files=2, facing=NORTH)
    scene.unit(1 - player, None, (44, 45))
    scene.area("impassable", 17.2, 10, 17.8, 30)  # beside its left flank
    battle = scene.battle("movement", player=player, detail="full")
    go(battle, unit, LEFT)
    assert slots(battle, "number") == [19, MOST]  # five inches; all shorter moves end an inch from the rock or in it
    choose(battle, "number", MOST)
    assert pose(battle, unit)[0] == pytest.approx(15.0) and faults(battle) == []


@pytest.mark.rule("wap.special.ethereal.movement")
def test_other_units_stop_a_ghost_as_ever_and_a_held_building_does() -> None:
    for ground, far in ((False, 4.0), (True, 3.0)):
        scene = RegimentScene()
        unit = scene.unit(0, square(m=6, rules=["Ethereal"]), (20, 10), models=10, files=5)
        scene.unit(1, None, (44, 45))
        if ground:
            scene.feature("building", [(18, 14), (22, 14), (22, 17), (18, 17)], storeys=1)
            scene.unit(0, None, models=5, garrison=0, at=(20, 15))
        else:
            scene.unit(0, None, (20, 16), models=5, files=5)
        battle = scene.battle("movement", detail="full")
        go(battle, unit, MARCH)
        assert limit(battle, FORWARD) == pytest.approx(far, abs=1e-2)


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_a_unit_with_one_living_character_goes_round(player: int) -> None:
    """He cannot join ghosts: a battle begins with him there only in a scene."""
    battle, unit = facing_ground(GHOST, player=player, inside=hero(m=6))
    go(battle, unit, MARCH)
    assert limit(battle, FORWARD) == pytest.approx(2.0, abs=1e-3)
    battle, unit = facing_ground(GHOST, player=player, inside=hero(m=6, rules=["Ethereal"]))
    go(battle, unit, MARCH)
    assert limit(battle, FORWARD) == 12.0


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_a_unit_that_an_effect_makes_ethereal_passes_until_it_ends(player: int) -> None:
    veil = Effect("Veil", grants=(ETHEREAL.of(),))
    battle, unit = facing_ground(square(m=6), player=player, effects=(veil,), under=True)
    copy = battle.clone()
    go(copy, unit, MARCH)
    assert limit(copy, FORWARD) == 12.0
    end_effect(battle, 0)
    go(battle, unit, MARCH)
    assert limit(battle, FORWARD) == pytest.approx(2.0, abs=1e-3)


# ---------------------------------------------------------------- Ethereal: never slowed


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_a_spell_that_lowers_movement_leaves_a_ghost_as_it_is(player: int) -> None:
    hex_ = Effect("Mud", changes=(("m", -3), ("ws", -1)))
    for card, left in ((square(m=6), 3.0), (GHOST, 6.0)):
        battle, unit = facing_ground(card, player=player, effects=(hex_,), under=True)
        assert movement_of(battle, unit.row) == left
        assert farthest_charge(battle, unit.row) == left + 6.0
        assert battle.lines.ws[battle.units.first_line[unit.row]] == 2
    hexed = square(m=6)
    veil = Effect("Veil", grants=(ETHEREAL.of(),))
    battle, unit = facing_ground(hexed, player=player, effects=(hex_, veil), under=True)
    assert movement_of(battle, unit.row) == 6.0
    end_effect(battle, 1)
    assert movement_of(battle, unit.row) == 3.0


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_a_marsh_does_not_slow_who_is_made_ethereal_by_an_effect(player: int) -> None:
    scene = RegimentScene(effects=(Effect("Veil", grants=(ETHEREAL.of(),)),))
    unit = scene.unit(player, square(m=6), (20, 20), models=10, files=5)
    scene.unit(1 - player, None, (44, 45))
    scene.area("marsh", 10, 10, 30, 30)
    battle = scene.battle("movement", player=player)
    assert movement_of(battle, unit.row) == 5.0
    begin_effect(battle, 0, unit.row, player)
    assert movement_of(battle, unit.row) == 6.0
    end_effect(battle, 0)
    assert movement_of(battle, unit.row) == 5.0


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_a_net_keeps_no_ghost_from_moving_and_may_keep_it_from_shooting(player: int) -> None:
    """The only die is rolled for the shot."""
    scene = RegimentScene()
    card = square(equipment=["hand weapon", "short bow"], **FEAR_NOTHING)
    unit = scene.unit(player, card, (24, 20), models=10, files=5, facing=NORTH)
    scene.unit(1 - player, square(rules=[CALM]), (24, 34), models=5, files=5, facing=SOUTH)
    wizard = scene.unit(1 - player, mage("light"), (4, 44), models=1, files=1)

    def cast_it(battle: Battle) -> None:
        number = next(n for n, effect in enumerate(effects_of(battle)) if effect.name == "Net of Amyntok")
        begin_effect(battle, number, unit.row, 1 - player, wizard.row)

    battle = scene.battle("movement", player=player, dice=[4, 1, 1], set_state=cast_it)
    go(battle, unit, ADVANCE)
    assert dice_left(battle) == 3 and not told(battle, "wap.lore.light.net-of-amyntok")


# ---------------------------------------------------------------- Ethereal: charges, flights, pursuits, pushes


def across(card: Any, ground: dict[str, Any], player: int, *, foe_at: float = 19.0) -> tuple[Battle, Any, Any]:
    """An enemy behind ground that hides nothing."""
    scene = RegimentScene()
    unit = scene.unit(player, card, (20, 10), models=10, files=5, facing=NORTH)
    foe = scene.unit(1 - player, None, (20, foe_at), models=10, files=5, facing=SOUTH)
    scene.unit(player, None, (44, 10), models=5)
    scene.area("impassable", 0, 12, 48, 16, **ground)
    return scene.battle("movement", player=player, dice=[6, 5]), unit, foe


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement", "wap.special.aquatic.movement")
def test_they_charge_across_the_ground_that_stops_others(player: int) -> None:
    battle, unit, foe = across(square(m=6), WATER, player)
    assert targets(battle, unit) == []
    for card in (GHOST, square(m=6, rules=["Aquatic"])):
        battle, unit, foe = across(card, WATER, player)
        assert targets(battle, unit) == [foe.number]
        charge(battle, unit, foe)
        react(battle, HOLD)
        over(battle)
        assert battle.units.fights[unit.row] and pose(battle, unit)[1] == pytest.approx(19.0)
        assert faults(battle) == []


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement")
def test_a_charge_that_would_end_in_the_ground_is_none(player: int) -> None:
    """Two ranks need two inches; the enemy stands one and a half behind the water. An Aquatic unit fights from it."""
    battle, unit, _ = across(GHOST, WATER, player, foe_at=17.5)
    assert targets(battle, unit) == []
    battle, unit, foe = across(square(m=6, rules=["Aquatic"]), WATER, player, foe_at=17.5)
    assert targets(battle, unit) == [foe.number]


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement", "wap.special.aquatic.movement")
def test_a_failed_charge_ends_before_the_ground_or_in_water_that_is_open(player: int) -> None:
    for rules, y in ((["Ethereal"], 11.0), (["Aquatic"], 13.0)):
        scene = RegimentScene()
        unit = scene.unit(player, square(m=6, rules=rules), (20, 10), models=10, files=5, facing=NORTH)
        foe = scene.unit(1 - player, None, (20, 21), models=10, files=5, facing=SOUTH)
        scene.unit(player, None, (44, 10), models=5)
        scene.area("impassable", 0, 12, 48, 16, **WATER)
        battle = scene.battle("movement", player=player, dice=[3, 2])
        charge(battle, unit, foe)
        react(battle, HOLD)
        over(battle)
        assert pose(battle, unit)[1] == pytest.approx(y, abs=1e-3) and faults(battle) == []


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement", "wap.special.aquatic.movement")
def test_who_flees_through_takes_no_tests_and_a_ghost_does_not_stop_in_it(player: int) -> None:
    for rules, ground, y in (
        ([], WATER, 18.0), (["Ethereal"], WATER, 18.0), (["Ethereal"], ROCK, 18.0), (["Aquatic"], WATER, 14.0),
    ):  # fmt: skip
        scene = RegimentScene()
        unit = scene.unit(player, square(rules=rules), (20, 10), models=5, files=5, facing=NORTH, fleeing=1)
        scene.unit(player, None, (44, 10), models=5)
        scene.unit(1 - player, None, (4, 45), models=5)
        scene.area("impassable", 0, 12, 48, 16, **ground)
        battle = scene.battle("movement", player=player, dice=[6, 6, 2, 2, *[1] * (0 if rules else 5)])
        if rules:
            assert battle.units.alive[unit.row] == 5
            assert pose(battle, unit)[1] == pytest.approx(y, abs=1e-3)
        else:
            assert battle.units.alive[unit.row] == 0
        assert not rules or not told(battle, "wap.terrain.impassable.flee")


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement", "wap.special.aquatic.movement")
def test_a_pursuit_goes_on_through_it(player: int) -> None:
    """Eight inches lead behind the rock; six would end in it."""
    for rules, roll, goes in (
        ([], (4, 4), 1.0), (["Ethereal"], (4, 4), 8.0), (["Ethereal"], (3, 3), 1.0), (["Aquatic"], (3, 3), 6.0),
    ):  # fmt: skip
        scene = RegimentScene((60, 60))
        a = scene.unit(player, square(rules=rules), (24, 20), models=10, files=5, facing=NORTH)
        b = scene.beside(a, 1 - player, models=4, files=4)
        other_combats(scene)
        scene.area("impassable", 18, 22, 30, 25, **WATER)
        dice = [6, 6, *roll, *([6] * 4)]
        battle = scene.battle("combat", player=player, dice=dice, set_state=fought(won=[a], broken=[b]))
        pick(battle, "pursues")
        assert pose(battle, a)[1] == pytest.approx(20.0 + goes, abs=1e-3), (rules, roll)


@PLAYERS
@pytest.mark.rule("wap.special.ethereal.movement", "wap.special.aquatic.movement")
def test_a_ghost_is_blown_through_a_rock_unharmed(player: int) -> None:
    for rules, ground, far, hits in (
        ([CALM], ROCK, 2.0, True), (["Ethereal"], ROCK, 10.0, False), (["Aquatic", CALM], WATER, 10.0, False),
    ):  # fmt: skip
        scene = RegimentScene()
        wizard = scene.unit(player, mage("heavens"), (24, 8), models=1, files=1, facing=NORTH)
        target = scene.unit(1 - player, square(rules=rules), (24, 18), models=5, files=5, facing=SOUTH)
        scene.unit(1 - player, None, (4, 44), models=5)
        scene.area("impassable", 20, 22, 28, 25, **ground)
        knowing = knows((wizard, "Wind Blast"), (wizard, "Urannon's Thunderbolt"))
        dice = [6, 6, 1, 1, 5, 5, 5, 5, 5, *([1, 1] if hits else [])]
        battle = scene.battle("magic", player=player, dice=dice, set_state=knowing)
        cast(battle, wizard, "Wind Blast", target, dice=3, version=1)
        assert pose(battle, target)[1] == pytest.approx(18.0 + far, abs=0.02)
        assert bool(told(battle, "wap.shoot.wound.roll")) is hits and faults(battle) == []


# ---------------------------------------------------------------- Aquatic


@PLAYERS
@DETAILS
@pytest.mark.rule("wap.special.aquatic.movement")
def test_a_fish_marches_straight_across_deep_water_and_may_stop_in_it(player: int, detail: str) -> None:
    sign = 1.0 if player == 0 else -1.0
    for card, far in ((square(), 2.0), (FISH, 8.0)):
        battle, unit = facing_ground(card, player=player, deep=3.0, ground=WATER, detail=detail)
        start = pose(battle, unit)[1]
        go(battle, unit, MARCH)
        if detail == "squad":
            straight = places_to_go(battle)[abs(places_to_go(battle)[:, 0] - 20.0) < 1e-6]
            assert (sign * (straight[:, 1] - start)).max() == pytest.approx(far, abs=0.51)
            assert ((sign * (straight[:, 1] - start) > 3.5) & (sign * (straight[:, 1] - start) < 6.0)).any() == (
                far > 2
            )
            continue
        assert limit(battle, FORWARD) == pytest.approx(far, abs=1e-3)
        if far > 2.0:
            leg(battle, FORWARD, ahead(5.0))
            choose(battle, "option", FINISH)
            assert pose(battle, unit)[1] == pytest.approx(start + sign * 5.0) and faults(battle) == []


@PLAYERS
@pytest.mark.rule("wap.special.aquatic.movement")
def test_rock_stops_a_fish_and_so_does_a_character_who_cannot_swim(player: int) -> None:
    for ground, inside in ((ROCK, None), (WATER, hero())):
        battle, unit = facing_ground(FISH, player=player, ground=ground, inside=inside)
        go(battle, unit, MARCH)
        assert limit(battle, FORWARD) == pytest.approx(2.0, abs=1e-3)
    battle, unit = facing_ground(FISH, player=player, ground=WATER, inside=hero(rules=["Aquatic"]))
    go(battle, unit, MARCH)
    assert limit(battle, FORWARD) == 8.0


@PLAYERS
@pytest.mark.rule("wap.special.aquatic.movement")
def test_a_marsh_stays_dangerous_to_fish(player: int) -> None:
    """One test for each model, and the one fails."""
    battle, unit = facing_ground(FISH, player=player, kind_of_ground="marsh", dice=[1, *[6] * 9])
    go(battle, unit, MARCH)
    leg(battle, FORWARD, MOST)
    if kind(battle) == "leg":
        choose(battle, "option", FINISH)
    assert battle.units.alive[unit.row] == 9 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.special.aquatic.movement")
def test_a_character_who_cannot_swim_does_not_join_fish_in_deep_water(player: int) -> None:
    for rules, joins in (([], False), (["Aquatic"], True)):
        scene = RegimentScene()
        unit = scene.unit(player, FISH, (20, 20), models=10, files=5, facing=NORTH)
        lord = scene.unit(player, hero(rules=rules), (20, 23), models=1, files=1, facing=SOUTH)
        scene.unit(1 - player, None, (44, 45), models=5)
        scene.area("impassable", 10, 10, 30, 20.5, **WATER)
        battle = scene.battle("movement", player=player)
        manoeuvres(battle, lord)
        choose(battle, "option", ADVANCE)
        assert (unit.number in slots(battle, "own")) is joins


def test_only_impassable_ground_is_deep_water() -> None:
    scene = RegimentScene()
    scene.unit(0, None, (20, 10))
    scene.unit(1, None, (20, 40))
    scene.area("marsh", 10, 20, 30, 24, water=True)
    with pytest.raises(ContentError, match="impassable, as the feature has water"):
        scene.battle()


@PLAYERS
@pytest.mark.parametrize(("own", "left"), [(4, 3.0), (2, 2.0)])
@pytest.mark.rule("wap.special.ethereal.movement", "wap.character.combined.move-modifier")
def test_what_slows_a_unit_does_not_slow_a_ghost_in_it(player: int, own: int, left: float) -> None:
    """A unit of M 6 has 3 inches less; the ghost in it keeps his own Movement, also in the move by which he leaves."""
    for card in (hero(m=own, rules=["Ethereal"]), hero(m=own, rules=["Unstable"])):
        ghostly = "Ethereal" in card["rules"]
        scene = RegimentScene(effects=(Effect("Mud", changes=(("m", -3),)),))
        host = scene.unit(player, square(m=6, rules=["Unstable"]), (20, 20), models=10, files=5)
        lord = scene.unit(player, card, inside=host, models=1, post=2)
        scene.unit(1 - player, None, (44, 45))
        battle = scene.battle("movement", player=player, run=False)
        begin_effect(battle, 0, host.row, 1 - player)
        assert movement_of(battle, host.row) == (left if ghostly else max(0.0, own - 3.0))
        assert movement_of(battle, lord.row) == (own if ghostly else max(0.0, own - 3.0))
