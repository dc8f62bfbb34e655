"""Who takes Dangerous Terrain tests on which ground, by which moves, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from arming import HORSE, rider
from charging import HOLD, charge, over, react
from heroes import rider as mounted
from marching import ADVANCE, BACK, FINISH, FORWARD, MARCH, MOST, REFORM, STAY, SWIFT, ahead, finish, go, leg, select

from wh_env import Battle
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.movement.going import FLY, FLY_FAR
from wh_env.rulesets.wap.movement.going import FREE_REFORM as FREE
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

CALM = "Immunity (Psychology)"
RULE = "wap.terrain.dangerous.test"
BIG = {"base_mm": [60, 100]}
MAN, KNIGHT = square(rules=[CALM]), rider(rules=[CALM])
CHARIOT = square(type="chariot", rules=[CALM], w=4, m=7, mount={**HORSE, "m": 7, "w": 4, "t": 5}, **BIG)
SHRINE = square(type="shrine", rules=[CALM], w=4, mount={**HORSE, "m": 4, "w": 4, "t": 5}, **BIG)


def rolled(battle: Battle, unit: UnitHandle) -> list[tuple[int, ...]]:
    """The dice of each feature's tests."""
    return [event["dice"] for event in told(battle, RULE) if event["unit"] == unit.row]


def charged(
    card: dict[str, Any], ground: str | None, rolls: Sequence[int], *, models: int = 10, player: int = 0,
    hurt: int = 0, **fields: Any,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """A charge of a unit through ground of a kind on an enemy six inches ahead; ``rolls``: the dice of the tests,
    ``hurt``: Wounds that its last model has lost before.
    """

    def wounded(battle: Battle) -> None:
        battle.models.wounds[unit.model(models - 1)] -= hurt

    scene = RegimentScene()
    forth = 1.0 if player == 0 else -1.0
    unit = scene.unit(player, card, (24, 24 - 3 * forth), models=models, files=min(5, models))
    foe = scene.unit(1 - player, square(rules=[CALM], m=4), (24, 24 + 3 * forth), models=20, files=5)
    if ground is not None:
        behind = 9.0 if ground == "hill" else 1.5  # a hill between both would hide them from each other
        low, high = sorted((24 - behind * forth, 24 + 1.5 * forth))
        scene.area(ground, 0, low, 48, high, **fields)
    swift = card["type"] != "infantry" and card["type"] != "shrine"
    pace = max(card.get("mount", {}).get("m", 0), card["profile"]["m"])
    roll = [6, 6, 6] if swift and pace >= 7 else [6, 6]
    scene.unit(player, None, (44, 24), models=5)  # it keeps the phase from going on
    battle = scene.battle("movement", player=player, dice=[*roll, *rolls], set_state=wounded)
    charge(battle, unit, foe)
    react(battle, HOLD)
    over(battle)
    assert kind(battle) == "select-to-move"
    return battle, unit


def marched(
    card: dict[str, Any], ground: str, rolls: Sequence[int], how: int = MARCH, *, models: int = 10, **fields: Any
) -> tuple[Battle, UnitHandle]:
    """A move as far as it goes of a unit that stands two inches before ground of a kind."""
    scene = RegimentScene()
    unit = scene.unit(0, card, (20, 10), models=models, files=min(5, models))
    scene.unit(0, None, (44, 10), models=5)
    scene.unit(1, None, (44, 47))
    scene.area(ground, 0, 12, 48, 14, **fields)
    battle = scene.battle("movement", detail="full", dice=list(rolls))
    go(battle, unit, how)
    if kind(battle) == "pivot-to":
        choose(battle, "done")
    if kind(battle) == "leg":
        choose(battle, "option", FORWARD)
    if kind(battle) == "leg-length":
        choose(battle, "number", MOST)
    finish(battle)
    return battle, unit


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.dangerous.mounted")
@pytest.mark.rule("wap.troop.cavalry.terrain")
def test_cavalry_that_charge_through_a_forest_test_and_infantry_do_not(player: int) -> None:
    battle, unit = charged(KNIGHT, "forest", [1, 2, 3, 4, 5], models=5, player=player)
    assert rolled(battle, unit) == [(1, 2, 3, 4, 5)] and battle.units.alive[unit] == 4
    battle, unit = charged(MAN, "forest", [], player=player)
    assert rolled(battle, unit) == [] and battle.units.alive[unit] == 10
    for ground in (None, "hill", "open"):
        battle, unit = charged(KNIGHT, ground, [], models=5, player=player)
        assert rolled(battle, unit) == [] and battle.units.alive[unit] == 5


@pytest.mark.rule("wap.troop.cavalry.terrain")
def test_cavalry_walk_through_a_forest_without_a_test_and_march_with_one() -> None:
    battle, unit = marched(KNIGHT, "forest", [], ADVANCE, models=5)
    assert battle.units.y[unit] == pytest.approx(18.0) and rolled(battle, unit) == []
    battle, unit = marched(KNIGHT, "forest", [1, 1, 2, 2, 2], models=5)
    assert rolled(battle, unit) == [(1, 1, 2, 2, 2)] and battle.units.alive[unit] == 3


@pytest.mark.parametrize("ground", ["river", "marsh", "obstacle"])
@pytest.mark.rule("wap.terrain.dangerous.mounted")
def test_all_ground_that_is_not_open_is_dangerous_to_cavalry(ground: str) -> None:
    battle, unit = charged(KNIGHT, ground, [6, 6, 6, 6, 1], models=5)
    assert rolled(battle, unit) == [(6, 6, 6, 6, 1)] and battle.units.alive[unit] == 4


@pytest.mark.parametrize(("die", "left"), [(3, 1), (4, 0), (5, 0)])
@pytest.mark.rule("wap.troop.chariot.terrain")
def test_a_chariot_that_charges_through_a_forest_and_fails_loses_a_die_of_wounds(die: int, left: int) -> None:
    battle, unit = charged(CHARIOT, "forest", [1, die], models=1)
    assert rolled(battle, unit) == [(1, die)]
    assert battle.units.alive[unit] == (1 if left else 0)
    assert battle.models.wounds[unit.model()] == left


@pytest.mark.rule("wap.troop.shrine.terrain")
def test_a_shrine_that_fails_a_test_loses_a_die_of_wounds() -> None:
    battle, unit = charged(SHRINE, "forest", [1, 3], models=1)
    assert rolled(battle, unit) == [(1, 3)] and battle.models.wounds[unit.model()] == 1


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.hill.movement")
def test_a_chariot_charges_over_a_hill_as_over_open_ground(player: int) -> None:
    """From the hill's one end it charges an enemy 12" ahead; the hill ends 2" before that."""
    scene = RegimentScene()
    forth = 1.0 if player == 0 else -1.0
    unit = scene.unit(player, CHARIOT, (24, 24 - 6 * forth), models=1)
    foe = scene.unit(1 - player, square(rules=[CALM]), (24, 24 + 6 * forth), models=20, files=5)
    low, high = sorted((24 - 9 * forth, 24 + 4 * forth))
    scene.area("hill", 0, low, 48, high)
    scene.unit(player, None, (44, 24), models=5)  # it keeps the phase from going on
    battle = scene.battle("movement", player=player, dice=[1, 2, 3])  # with the two best, 7 + 5 inches
    charge(battle, unit, foe)
    react(battle, HOLD)
    over(battle)
    assert battle.units.y[unit] == pytest.approx(24 + 6 * forth)
    assert battle.units.fights[unit] == 1 and rolled(battle, unit) == []
    battle, unit = marched(KNIGHT, "hill", [], models=5)
    assert battle.units.y[unit] == pytest.approx(26.0) and rolled(battle, unit) == []


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.hill.scree-slope")
def test_all_who_charge_up_a_scree_slope_test(player: int) -> None:
    rolls = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4]
    battle, unit = charged(MAN, "hill", rolls, player=player, example="scree slope")
    assert rolled(battle, unit) == [tuple(rolls)] and battle.units.alive[unit] == 8
    battle, unit = marched(MAN, "hill", [], ADVANCE, example="scree slope")
    assert battle.units.y[unit] == pytest.approx(14.0) and rolled(battle, unit) == []


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.marsh.dangerous")
def test_all_but_skirmishers_test_in_a_marsh(player: int) -> None:
    rolls = [1, 2, 3, 4, 5, 6, 2, 2, 2, 2]
    battle, unit = charged(MAN, "marsh", rolls, player=player)
    assert rolled(battle, unit) == [tuple(rolls)] and battle.units.alive[unit] == 9
    battle, unit = charged(square(rules=[CALM, "Skirmishers"]), "marsh", [], player=player)
    assert battle.units.fights[unit] == 1 and rolled(battle, unit) == []


@pytest.mark.rule("wap.terrain.marsh.mounted")
def test_cavalry_in_a_marsh_fail_on_a_two_as_well() -> None:
    battle, unit = charged(KNIGHT, "marsh", [1, 2, 3, 4, 5], models=5)
    assert rolled(battle, unit) == [(1, 2, 3, 4, 5)] and battle.units.alive[unit] == 3
    battle, unit = charged(CHARIOT, "marsh", [2, 1], models=1)
    assert rolled(battle, unit) == [(2, 1)] and battle.models.wounds[unit.model()] == 3


@pytest.mark.rule("wap.terrain.marsh.quicksand")
def test_quicksand_swallows_great_beasts_that_fail() -> None:
    """No save helps them."""
    dragon = square(type="monster", rules=[CALM, "Ward Save (2+)"], w=6, m=6, **BIG)
    for die, left in ((1, 0), (2, 1)):
        battle, unit = charged(dragon, "marsh", [die, 6], models=1, example="quicksand")
        assert rolled(battle, unit) == [(die,)] and battle.units.alive[unit] == left
    lancers = square(type="monstrous cavalry", rules=[CALM], w=3, m=6, base_mm=[50, 75])
    battle, unit = charged(lancers, "marsh", [1, 2, 3], models=3, example="quicksand")
    assert battle.units.alive[unit] == 1 and battle.models.wounds[unit.model()] == 3
    battle, unit = charged(square(rules=[CALM], w=2), "marsh", [1, *[6] * 9], example="quicksand")
    assert battle.units.alive[unit] == 10 and wounds_of(battle, unit.row) == 19  # an infantry model loses one Wound


@pytest.mark.parametrize("player", [0, 1])
def test_quicksand_that_swallows_a_wounded_model_takes_nothing_from_the_next(player: int) -> None:
    lancers = square(type="monstrous cavalry", rules=[CALM], w=3, m=6, base_mm=[50, 75])
    for rolls, left in (((1, 3, 3), 6), ((1, 2, 3), 3), ((1, 2, 2), 0)):
        battle, unit = charged(lancers, "marsh", rolls, models=3, player=player, hurt=2, example="quicksand")
        assert battle.units.alive[unit] == left // 3 and wounds_of(battle, unit.row) == left


@pytest.mark.parametrize(("example", "lost"), [("necrotic ooze", 1), ("raging torrent", 2)])
@pytest.mark.rule("wap.terrain.river.necrotic-ooze.dangerous")
@pytest.mark.rule("wap.terrain.river.raging-torrent")
def test_some_rivers_are_dangerous_to_all(example: str, lost: int) -> None:
    rolls = [1, 2, 3, 4, 5, 6, 6, 6, 6, 6]
    for player in (0, 1):
        battle, unit = charged(MAN, "river", rolls, player=player, example=example)
        assert rolled(battle, unit) == [tuple(rolls)] and battle.units.alive[unit] == 10 - lost
    battle, unit = charged(MAN, "river", [])
    assert rolled(battle, unit) == []


@pytest.mark.parametrize("how", [ADVANCE, MARCH, BACK])
@pytest.mark.rule("wap.terrain.forest.venom.dangerous")
def test_every_move_in_a_venom_thicket_calls_for_tests(how: int) -> None:
    """Their armour does not help."""
    scene = RegimentScene()
    card = square(rules=[CALM], equipment=["hand weapon", "full plate armour"])
    unit = scene.unit(0, card, (20, 10), models=10, files=5)
    scene.unit(1, None, (44, 47))
    scene.area("forest", 0, 4, 48, 30, example="venom thicket")
    battle = scene.battle("movement", detail="full", dice=[1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6])
    go(battle, unit, how)
    if kind(battle) == "leg":
        leg(battle, FORWARD, ahead(3.0))
    else:
        choose(battle, "number", slots(battle, "number")[0])
    finish(battle)
    assert rolled(battle, unit) == [(1, 1, 2, 3, 4, 5, 6, 6, 6, 6)] and battle.units.alive[unit] == 8
    assert dice_left(battle) == 2


def in_the_thicket(player: int, rules: Sequence[str] = ()) -> tuple[Battle, UnitHandle]:
    """Five models with a musician, and more friends, in a venom thicket; the dice show no 1 and end with a 6."""
    scene = RegimentScene()
    y, facing = (10, NORTH) if player == 0 else (38, SOUTH)
    card = square(rules=[CALM, *rules])
    unit = scene.unit(player, card, (20, y), models=5, files=5, facing=facing, command=("musician",))
    scene.unit(player, None, (44, y), models=5)
    scene.unit(1 - player, None, (4, 47 - y))
    scene.area("forest", 10, 5, 35, 43, example="venom thicket")
    return scene.battle("movement", player=player, detail="full", dice=[2, 3, 4, 5, 1, *[6] * 20]), unit


def reform(battle: Battle, files: int) -> None:
    """Reform into so many files, with the same facing."""
    choose(battle, "number", files - 1)
    if kind(battle) == "reform-facing":
        choose(battle, *(("done",) if slots(battle, "done") else ("angle", slots(battle, "angle")[0])))
    while kind(battle) == "front-place":
        choose(battle, "number", slots(battle, "number")[0])


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.forest.venom.dangerous")
def test_a_reform_in_a_venom_thicket_calls_for_tests_once(player: int) -> None:
    """A reform; a swift reform alone; a swift reform and an advance; a free reform, an advance and another one."""
    battle, unit = in_the_thicket(player)
    go(battle, unit, REFORM)
    reform(battle, 4)
    assert rolled(battle, unit) == [(2, 3, 4, 5, 1)] and battle.units.alive[unit] == 4
    for advances in (False, True):
        battle, unit = in_the_thicket(player)
        go(battle, unit, SWIFT)
        choose(battle, "angle", slots(battle, "angle")[0])
        assert kind(battle) == "manoeuvre" and rolled(battle, unit) == []
        choose(battle, "option", ADVANCE if advances else STAY)
        if advances:
            leg(battle, FORWARD, ahead(2.0))
            finish(battle)
        assert rolled(battle, unit) == [(2, 3, 4, 5, 1)]
    battle, unit = in_the_thicket(player, ["Skirmishers"])
    go(battle, unit, FREE)
    reform(battle, 4)
    choose(battle, "option", ADVANCE)
    leg(battle, FORWARD, ahead(2.0))
    finish(battle)
    assert rolled(battle, unit) == [(2, 3, 4, 5, 1)] and kind(battle) == "manoeuvre"
    choose(battle, "option", FREE)
    reform(battle, 3)
    assert rolled(battle, unit) == [(2, 3, 4, 5, 1)] and kind(battle) == "select-to-move"


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("how", "spot", "dice"), [(MARCH, 1, [(1,)]), (MARCH, 0, [(1,)]), (ADVANCE, 0, []), (MARCH, -1, [])]
)
def test_a_rider_that_marches_through_a_forest_to_join_a_unit_tests(
    player: int, how: int, spot: int, dice: list[tuple[int, ...]]
) -> None:
    """The unit is ten inches ahead. The forest lies before it (0), or on the first leg of the way (1), or nowhere."""
    scene = RegimentScene()
    y, forth, facing = (10, 1, NORTH) if player == 0 else (38, -1, SOUTH)
    lord = scene.unit(player, mounted(rules=[CALM]), (20, y), models=1, facing=facing)
    host = scene.unit(player, square(rules=[CALM]), (20, y + 10 * forth), models=10, files=5, facing=facing)
    scene.unit(player, None, (44, y), models=5)
    scene.unit(1 - player, None, (4, 47 - y))
    if spot >= 0:
        low, high = sorted((y + forth * (5 - 4 * spot), y + forth * (6 - 4 * spot)))
        scene.area("forest", 10, low, 30, high)
    battle = scene.battle("movement", player=player, detail="full", dice=[1])
    go(battle, lord, how)
    leg(battle, FORWARD, ahead(3.5))
    choose(battle, "own", host.number)
    assert kind(battle) == "hero-place"
    choose(battle, "number", 2)
    assert battle.units.bodyguard[lord] == host.row
    assert rolled(battle, lord) == dice and battle.models.wounds[lord.model()] == 2 - len(dice)


def test_a_rider_that_stays_in_his_unit_after_all_does_not_test() -> None:
    scene = RegimentScene()
    host = scene.unit(0, square(rules=[CALM]), (20, 10), models=10, files=5, facing=NORTH)
    lord = scene.unit(0, mounted(rules=[CALM]), models=1, inside=host)
    scene.unit(0, None, (44, 10), models=5)
    scene.unit(1, None, (4, 47))
    scene.area("forest", 10, 12, 30, 13)
    battle = scene.battle("movement", detail="full")
    go(battle, lord, MARCH)
    leg(battle, FORWARD, ahead(4.0))
    choose(battle, "done")
    assert battle.units.bodyguard[lord] == host.row and rolled(battle, lord) == []


@pytest.mark.parametrize(("far", "inside"), [(FLY, 1), (FLY_FAR, 1), (FLY_FAR, 0)])
@pytest.mark.rule("wap.terrain.forest.flyers")
def test_flyers_test_where_they_take_off_or_land_in_a_forest(far: int, inside: int) -> None:
    for lands in (0, 1):
        scene = RegimentScene()
        unit = scene.unit(0, square(rules=["Fly (10)", CALM]), (24, 10), models=3, files=3)
        scene.unit(0, None, (44, 5), models=5)
        scene.unit(1, None, (44, 47))
        reach = 20.0 if far == FLY_FAR else 10.0
        if inside:
            south, north = (10 + reach - 2, 10 + reach + 2) if lands else (8, 11)
        else:
            south, north = 13, 16  # it flies over the forest
        scene.area("forest", 0, south, 48, north)
        battle = scene.battle("movement", detail="full", dice=[1, 5, 6])
        select(battle, unit)
        choose(battle, "option", far)
        choose(battle, "option", FORWARD)
        choose(battle, "number", MOST)
        if kind(battle) == "leg":
            choose(battle, "option", FINISH)
        assert rolled(battle, unit) == ([(1, 5, 6)] if inside else [])
        if kind(battle) == "loss-end":
            choose(battle, "option", slots(battle, "option")[0])
        assert battle.units.alive[unit] == 3 - inside


@pytest.mark.parametrize(("rule", "tests"), [("Strider (Forest)", 0), ("Ethereal", 0), ("Strider (Marsh)", 1)])
def test_flyers_to_whom_the_forest_is_open_ground_do_not_test(rule: str, tests: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(rules=["Fly (10)", CALM, rule]), (24, 10), models=3, files=3)
    scene.unit(0, None, (44, 5), models=5)
    scene.unit(1, None, (44, 47))
    scene.area("forest", 0, 8, 48, 11)
    battle = scene.battle("movement", detail="full", dice=[2, 5, 6])
    select(battle, unit)
    choose(battle, "option", FLY)
    choose(battle, "option", FORWARD)
    choose(battle, "number", MOST)
    finish(battle)
    assert battle.units.y[unit] == pytest.approx(20.0)
    assert rolled(battle, unit) == [(2, 5, 6)] * tests


@pytest.mark.rule("wap.special.strider")
def test_a_marsh_strider_does_not_test_in_marshes_and_is_not_slowed() -> None:
    strider = rider(rules=[CALM, "Strider (Marsh)"])
    battle, unit = charged(strider, "marsh", [], models=5)
    assert battle.units.fights[unit] == 1 and rolled(battle, unit) == []
    battle, unit = charged(strider, "forest", [1, 2, 3, 4, 5], models=5)
    assert rolled(battle, unit) == [(1, 2, 3, 4, 5)]
    for rules, far in (((CALM, "Strider (Marsh)"), 4.0), ((CALM,), 3.0), ((CALM, "Strider (Forest)"), 3.0)):
        scene = RegimentScene()
        walker = scene.unit(1, square(rules=list(rules)), (20, 30), models=10, facing=SOUTH)
        scene.unit(0, None, (44, 3))
        scene.area("marsh", 0, 29, 48, 40)
        battle = scene.battle("movement", player=1, detail="full")
        go(battle, walker, ADVANCE)
        leg(battle, FORWARD, MOST)
        assert battle.units.y[walker] == pytest.approx(30 - far)


@pytest.mark.parametrize("ground", ["marsh", "river", "hill"])
def test_a_flight_through_dangerous_ground_calls_for_tests(ground: str) -> None:
    example = {"marsh": None, "river": "raging torrent", "hill": "scree slope"}[ground]
    scene = RegimentScene()
    unit = scene.unit(0, MAN, (24, 24), models=10, files=5, facing=SOUTH, fleeing=1)
    scene.unit(1, None, (44, 47))
    scene.area(ground, 0, 18, 48, 21, **({"example": example} if example else {}))
    rolls = [2, 1, 3, 3, 3, 3, 3, 3, 3, 3]
    battle = scene.battle("movement", dice=[6, 6, 4, 4, *rolls])
    assert rolled(battle, unit) == [tuple(rolls)]
    assert battle.units.alive[unit] == (8 if ground == "river" else 9)


@pytest.mark.rule("wap.terrain.forest.venom.dangerous")
@pytest.mark.rule("wap.special.random-movement.terrain")
def test_a_random_move_calls_for_tests_in_a_venom_thicket_and_in_no_marsh() -> None:
    for ground, example, rolls in (("forest", "venom thicket", [(1,)]), ("marsh", None, [])):
        scene = RegimentScene()
        unit = scene.unit(0, square(rules=[CALM, "Random Movement (2D6)"], w=3), (24, 10), models=1, facing=NORTH)
        scene.unit(0, None, (44, 5), models=5)
        scene.unit(1, None, (44, 47))
        scene.area(ground, 0, 12, 48, 14, **({"example": example} if example else {}))
        battle = scene.battle("movement", dice=[3, 4, 1])
        if kind(battle) == "random-facing":
            choose(battle, "angle", battle.setup.space.angles // 4)
        assert battle.units.y[unit] == pytest.approx(17.0)
        assert rolled(battle, unit) == rolls and battle.models.wounds[unit.model()] == 3 - len(rolls)
