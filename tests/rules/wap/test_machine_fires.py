"""Fire throwers and grapeshot."""

from __future__ import annotations

from math import pi

import pytest

from tests.machine_scenes import MISFIRE, Range, losses
from wh_env.content.wap.load import machines
from wh_env.rulesets.wap.weapons.machines import CANNON
from wh_env.testing import dice_left, kind, pick, slots, told, words
from wh_env.testing.wap import square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
SPEWS, GRAPES = "wap.machine.fire-thrower.hits", "wap.machine.grapeshot.fire"
ARMOURED = square(equipment=["hand weapon", "heavy armour"])


def thrower(player: int = 0) -> Range:
    """A fire thrower; its nozzle is at (10, 24)."""
    return Range(player, "fire thrower")


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire-thrower.profile")
def test_the_hits_of_flames(player: int) -> None:
    """Strength 5 against Toughness 3, an armour save of 4+ is 6+; there is no range."""
    weapon = machines()["fire thrower"].weapon
    assert (weapon.range, weapon.fixed, "Flaming Attacks" in weapon.rules) == (0, 5, True)
    place = thrower(player)
    target = place.enemy(ARMOURED, (15, 24))
    far = place.enemy(None, (70, 24.6))
    battle = place.battle([1, 2, 6])
    place.fire(battle, target, 15.5, 24)
    assert [event["needed"] for event in told(battle, "wap.shoot.wound.roll")] == [2]
    assert [event["needed"][0] for event in told(battle, "wap.shoot.save.roll")] == [6]
    assert battle.units.alive[target.row] == 1 and battle.units.alive[far.row] == 1
    place = thrower(player)
    wood = place.enemy(square(rules=["Flammable"]), (15, 24))
    battle = place.battle([1, 1, 2])
    place.fire(battle, wood, 15.5, 24)
    assert battle.units.alive[wood.row] == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire-thrower.placing")
def test_the_template_is_moved_on_by_the_artillery_die(player: int) -> None:
    """With a 4 it lies from 14 to 22: a unit that ends at 13.5 is missed, one that begins at 21.9 is not."""
    for face, hit in ((2, {"far"}), (1, {"near"})):
        place = thrower(player)
        near = place.enemy(square(base_mm=[25.4, 25.4]), (12.5, 24))
        far = place.enemy(None, (21.9, 24))
        battle = place.battle([face] + [6] * 4)
        place.fire(battle, near, 13, 24)
        struck = set(told(battle, SPEWS)[-1]["targets"])
        assert struck == {far.row if "far" in hit else near.row}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire-thrower.placing", "wap.shoot.template.friends")
def test_it_is_not_placed_over_friends_or_fights_but_may_be_carried_there(player: int) -> None:
    for own, fights in ((True, False), (False, True)):
        place = thrower(player)
        target = place.enemy(None, (21, 24))
        inside = place.unit(own, None, (15, 24.6), models=2, files=2)
        if fights:
            place.scene.beside(inside, player, models=2, side=2)
        assert place.targets(place.battle()) == set() and target.row >= 0
        place = thrower(player)  # beyond the end of the template as it is first placed
        target = place.enemy(None, (13, 24))
        beyond = place.unit(own, None, (18.3, 24), models=2, files=2)
        if fights:
            place.scene.beside(beyond, player, models=2, side=2)
        battle = place.battle([2] + [6] * 6)
        place.fire(battle, target, 13.5, 24)
        assert beyond.row in told(battle, SPEWS)[-1]["targets"]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire-thrower.placing")
def test_it_is_turned_towards_an_enemy_in_arc_and_sight(player: int) -> None:
    place = thrower(player)
    ahead = place.enemy(None, (20, 30))
    place.enemy(None, (12, 40))  # outside the arc
    behind = place.enemy(None, (40, 24))
    place.unit(True, square(base_mm=[25.4, 101.6], type="cavalry"), (28, 26), facing=pi / 2)
    battle = place.battle()
    assert place.targets(battle) == {ahead.row} and behind.row >= 0
    seen = thrower(player)  # without anybody between them
    behind = seen.enemy(None, (40, 24))
    assert seen.targets(seen.battle()) == {behind.row}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire-thrower.hits")
def test_friend_and_foe_under_the_flames_take_a_hit_each(player: int) -> None:
    place = thrower(player)
    target = place.enemy(None, (18.6, 24), models=6, files=3)
    friend = place.unit(True, None, (20.7, 24))
    battle = place.battle([1] + [1] * 12)
    place.fire(battle, target, 18.7, 24)
    event = told(battle, SPEWS)[-1]
    rolled = {event["target"]: (event["amount"], event["needed"]) for event in told(battle, "wap.shoot.wound.roll")}
    assert rolled == {target.row: (event["amount"], 2)}
    place = thrower(player)
    target = place.enemy(None, (18.6, 24), models=6, files=3)
    friend = place.unit(True, None, (22.1, 24))
    battle = place.battle([3] + [1] * 12)
    place.fire(battle, target, 18.7, 24)
    event = told(battle, SPEWS)[-1]
    rolled = {event["target"]: (event["amount"], event["needed"]) for event in told(battle, "wap.shoot.wound.roll")}
    assert rolled[friend.row] == (1, 2) and sum(number for number, _ in rolled.values()) == event["amount"]
    assert dice_left(battle) == 12 - event["amount"]
    place = thrower(player)  # with a 4 the flames cover 14 to 22: seven in a file, and a friend behind them
    target = place.enemy(None, (14.1, 24), models=7, files=1)
    friend = place.unit(True, None, (21.3, 24))
    battle = place.battle([2] + [1] * 8)
    place.fire(battle, target, 14.6, 24)
    rolled = {event["target"]: (event["amount"], event["needed"]) for event in told(battle, "wap.shoot.wound.roll")}
    assert rolled == {target.row: (7, 2), friend.row: (1, 2)} and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire-thrower.panic")
def test_one_casualty_calls_for_a_panic_test(player: int) -> None:
    """A unit of twenty that loses one model tests at once; if it loses none it does not."""
    for wound, tests in ((2, True), (1, False)):
        place = thrower(player)
        target = place.enemy(None, (18, 24), models=20, files=5)
        battle = place.battle([1] + [wound] + [1] * 20)
        place.fire(battle, target, 18.3, 24)
        event = told(battle, SPEWS)[-1]
        lost = losses(battle).get(target.row, 0)
        assert event["amount"] >= 1 and lost == int(tests)
        found = told(battle, "wap.machine.fire-thrower.panic")
        assert [entry["unit"] for entry in found] == ([target.row] if tests else [])


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire-thrower.misfire")
def test_a_misfire_on_the_black_powder_table(player: int) -> None:
    place = thrower(player)
    target = place.enemy(None, (15, 24))
    battle = place.battle([MISFIRE, 4])
    place.fire(battle, target, 15.5, 24)
    assert not losses(battle) and not told(battle, SPEWS) and dice_left(battle) == 0
    table = told(battle, "wap.machine.misfire.black-powder.malfunction")
    assert [(event["unit"], event["die"]) for event in table] == [(place.machine.row, 4)]
    assert battle.units.jammed[place.machine.row] == 1  # its next turn, as this one is over


# ---------------------------------------------------------------- grapeshot


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.grapeshot.choice")
def test_grapeshot_reaches_twelve_inches_and_a_ball_no_less(player: int) -> None:
    for weapon in ("cannon", "great cannon"):
        machine_of = machines()[weapon]
        (grapeshot,) = machine_of.others
        assert (grapeshot.range, grapeshot.fixed, grapeshot.piercing, machine_of.kind) == (12, 5, 1, CANNON)
        for far, ways in ((10, {"grapeshot"}), (13, {"a cannonball"}), (12, {"grapeshot", "a cannonball"})):
            place = Range(player, weapon)
            target = place.enemy(None, (10 + far, 24), models=10, files=5)
            battle = place.battle([1, 1])
            pick(battle, f"{place.machine.regiment.name} shoots")
            if len(ways) == 2:
                assert {text.split("fires ")[1] for text in words(battle).values()} == ways
                assert len(slots(battle, "option")) == 2
            elif "grapeshot" in ways:
                assert [event["amount"] for event in told(battle, GRAPES)] == [2 + 1]
            else:
                assert kind(battle) == "machine-aim"
            assert target.row >= 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.grapeshot.fire")
def test_as_many_shots_as_both_dice_show(player: int) -> None:
    """A 6 and a 3 are nine shots of Ballistic Skill 3; hits of Strength 5 take 3 off armour saves."""
    place = Range(player)
    place.enemy(ARMOURED, (20, 24), models=20, files=5)
    battle = place.battle([3, 3] + [4] * 5 + [3] * 4 + [2] * 5 + [6] * 5)
    pick(battle, f"{place.machine.regiment.name} shoots")
    shots = told(battle, "wap.shoot.hit.roll")[-1]
    assert (shots["amount"], shots["needed"], shots["result"]) == (9, 4, 5)
    assert told(battle, GRAPES)[-1]["amount"] == 9
    assert [event["needed"] for event in told(battle, "wap.shoot.wound.roll")] == [2]
    assert not told(battle, "wap.shoot.save.roll")  # 4+ becomes 7+: Strength 5 takes 2, Armour Piercing 1
    assert len(losses(battle)) == 1 and set(losses(battle).values()) == {5}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.grapeshot.fire")
def test_grapeshot_that_misfires(player: int) -> None:
    place = Range(player)
    target = place.enemy(None, (20, 24), models=20, files=5)
    battle = place.battle([MISFIRE, 3])
    pick(battle, f"{place.machine.regiment.name} shoots")
    assert not told(battle, "wap.shoot.hit.roll") and dice_left(battle) == 0
    assert battle.units.alive[target.row] == 20 and battle.units.jammed[place.machine.row] == 1
    table = told(battle, "wap.machine.misfire.black-powder.malfunction")
    assert [(event["unit"], event["die"]) for event in table] == [(place.machine.row, 3)]
