"""Stone throwers: their targets, how the template scatters, who is beneath it; indirect fire."""

from __future__ import annotations

from math import cos, pi, sin

import pytest

from tests.machine_scenes import ARROW, HIT, MISFIRE, NORTH, SOUTH_LOT, WEST_LOT, Range, losses
from tests.machines import CHASSIS
from wh_env.content.wap.load import machines
from wh_env.rulesets.wap.shooting.spots import spot_of
from wh_env.testing import dice_left, kind, pick, slots, told, words
from wh_env.testing.wap import square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
SCATTER, STRIKES = "wap.machine.stone-thrower.scatter", "wap.machine.stone-thrower.other-hits"
OGRE = square(type="monstrous infantry", base_mm=[25.4, 25.4], t=4, w=3)
LITTLE = square(base_mm=[10, 10])
DIRECTLY, INDIRECTLY = "it sees", "indirectly"
ARM = (8.5, 24.0)  # of the machine: its middle


def catapult(player: int = 0, **fields: int) -> Range:
    """A stone thrower; its arm turns at ``ARM``."""
    return Range(player, "stone thrower", **fields)


def shoot(place: Range, battle: object, target: object, x: float, y: float, *, indirect: bool = False) -> None:
    """Fire at the spot (x, y) on an enemy."""
    place.fire(battle, target, x, y, INDIRECTLY if indirect else DIRECTLY)  # type: ignore[arg-type]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.profile")
def test_range_is_measured_from_the_arm(player: int) -> None:
    weapon = machines()["stone thrower"]
    assert (weapon.least, weapon.weapon.range, weapon.weapon.fixed, weapon.centre) == (12, 60, 4, 10)
    assert weapon.direct == (1, 6, 0) and CHASSIS[1] == 3 * 25.4
    place, targets = catapult(player), {}
    for turn, far in ((-30, 11.9), (-12, 12.0), (0, 60.0), (8, 60.1)):
        angle = turn * pi / 180
        where = ARM[0] + far * cos(angle), ARM[1] + far * sin(angle)
        targets[far] = place.enemy(LITTLE, where, facing=angle + pi)
    battle = place.battle()
    assert place.targets(battle, DIRECTLY) == {targets[12.0].row, targets[60.0].row}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.target", "wap.core.template.placement")
def test_the_middle_of_the_template_lies_on_a_base_in_range(player: int) -> None:
    """Ranks before a model do not hide it; every spot on the bases of the unit is offered, and no other."""
    place = catapult(player)
    target = place.enemy(None, (34, 24), models=18, files=5)
    far = place.enemy(None, (8.5 + 60.2, 24), models=2, files=2)
    battle = place.battle()
    assert place.targets(battle, DIRECTLY) == {target.row} and far.row >= 0
    space, m = battle.setup.space, battle.models
    offered = slots(battle, "cell")
    for cell in range(space.grid**2):
        x, y = spot_of(battle, target.row, cell)
        covered = [k for k in battle.members(target.row) if abs(m.x[k] - x) < 0.5001 and abs(m.y[k] - y) < 0.5001]
        assert (cell in offered) == bool(covered)
    ranks = {m.rank[k] for k in battle.members(target.row) for cell in offered if covers(battle, target, k, cell)}
    assert ranks == {0, 1, 2, 3}


def covers(battle: object, target: object, k: int, cell: int) -> bool:
    """Whether a cell of the grid over a unit lies on the base of a model."""
    x, y = spot_of(battle, target.row, cell)  # type: ignore[arg-type, attr-defined]
    return abs(battle.models.x[k] - x) < 0.5 and abs(battle.models.y[k] - y) < 0.5  # type: ignore[attr-defined]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.target")
def test_other_units_hide_a_target_of_a_direct_shot(player: int) -> None:
    for hidden in (False, True):
        place = catapult(player)
        target = place.enemy(None, (40, 24), models=5)
        if hidden:
            place.unit(True, square(base_mm=[25.4, 25.4]), (30, 24), models=20, files=10)
        battle = place.battle()
        pick(battle, f"{place.machine.regiment.name} shoots")
        assert (kind(battle) == "machine-way") is not hidden  # else it fires indirectly, without a question
        assert place.targets(place.battle(), DIRECTLY if not hidden else INDIRECTLY) == {target.row}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.no-friends", "wap.shoot.template.friends")
def test_the_template_is_not_laid_over_friends_but_may_scatter_there(player: int) -> None:
    for apart, legal in ((1.4, False), (1.6, True)):
        place = catapult(player)
        target = place.enemy(LITTLE, (34, 24))
        middle = 34 + 0.5 * 10 / 25.4
        friend = place.unit(True, LITTLE, (middle + 5 / 25.4, 24 + apart + 5 / 25.4))
        battle = place.battle([ARROW, NORTH, 1, 4, 4, 4])
        if legal:
            shoot(place, battle, target, middle, 24)
            assert place.place(battle, SCATTER) == pytest.approx((middle, 26))
            assert friend.row in losses(battle)
        elif place.targets(battle, DIRECTLY):
            assert place.cell(battle, target, middle, 24) not in slots(battle, "cell")


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.no-friends")
def test_nor_over_enemies_who_fight(player: int) -> None:
    place = catapult(player)
    target = place.enemy(LITTLE, (34, 24))
    fighting = place.enemy(LITTLE, (34, 26), models=2, files=2)
    place.scene.beside(fighting, player, LITTLE, models=2, side=2)
    battle = place.battle()
    assert place.targets(battle, DIRECTLY) <= {target.row}
    if kind(battle) == "machine-aim":
        middle = 34 + 0.5 * 10 / 25.4
        assert place.cell(battle, target, middle, 24) in slots(battle, "cell")
    place = catapult(player)
    target = place.enemy(LITTLE, (34, 24))
    fighting = place.enemy(LITTLE, (34, 25.5), models=2, files=2)
    place.scene.beside(fighting, player, LITTLE, models=2, side=2)
    assert place.targets(place.battle()) == set() and target.row >= 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.scatter", "wap.core.scatter.war-machine")
def test_scatter_of_a_direct_shot(player: int) -> None:
    for dice, expected in (
        ([ARROW, WEST_LOT, 3], (34 - 6, 24)),
        ([HIT, WEST_LOT, 5], (34, 24)),
        ([ARROW, SOUTH_LOT, 3], (34, 18)),
        ([ARROW, NORTH, 5], (34, 34)),
    ):
        place = catapult(player)
        target = place.enemy(None, (33.5, 24))
        battle = place.battle(dice)
        shoot(place, battle, target, 34, 24)
        assert place.place(battle, SCATTER) == pytest.approx(expected)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.misfire", "wap.machine.stone-thrower.indirect.otherwise")
def test_a_misfire_throws_no_stone(player: int) -> None:
    for indirect in (False, True):
        for face in (HIT, ARROW):
            place = catapult(player)
            target = place.enemy(None, (33.5, 24))
            battle = place.battle([face, NORTH, MISFIRE, 5])
            shoot(place, battle, target, 34, 24, indirect=indirect)
            table = told(battle, "wap.machine.misfire.stone-thrower.no-shot")
            assert [(event["unit"], event["die"]) for event in table] == [(place.machine.row, 5)]
            assert not told(battle, SCATTER) and not losses(battle) and dice_left(battle) == 0
            assert battle.models.wounds[place.machine.first] == 3


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.other-hits")
def test_eleven_models_on_small_bases_about_the_second_of_an_outer_file(player: int) -> None:
    place = catapult(player)
    target = place.enemy(square(base_mm=[20, 20]), (34, 24), models=30, files=6)
    base = 20 / 25.4
    battle = place.battle([HIT, 0, 1] + [1] * 11)
    shoot(place, battle, target, 34 + 1.5 * base, 24 + 2.5 * base)
    event = told(battle, STRIKES)[-1]
    assert event["amount"] == 10 and battle.models.rank[event["model"]] == 1
    rolled = {(event["needed"], event["amount"]) for event in told(battle, "wap.shoot.wound.roll")}
    assert rolled == {(2, 1), (3, 10)}  # Strength 10 and 4 against Toughness 3


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.centre-hit")
def test_one_of_four_models_about_the_hole_at_random(player: int) -> None:
    """Four on bases of two inches; the template has scattered to the corner where they meet."""
    for die in (1, 2, 3, 4):
        place = catapult(player)
        marked = place.enemy(LITTLE, (38 - 5 / 25.4, 22))
        units = [place.enemy(square(base_mm=[50.8, 50.8], w=3), at) for at in ((36, 25), (36, 27), (38, 25), (38, 27))]
        battle = place.battle([ARROW, NORTH, 2, 5, 6, die] + [1] * 4)
        shoot(place, battle, marked, 38, 22)
        assert place.place(battle, SCATTER) == pytest.approx((38, 26))
        event = told(battle, STRIKES)[-1]
        rows = sorted(unit.first for unit in units)
        assert event["model"] == rows[die - 1] and event["amount"] == 3
        needed = {event["target"]: event["needed"] for event in told(battle, "wap.shoot.wound.roll")}
        assert needed == {unit.row: 2 if unit.first == rows[die - 1] else 3 for unit in units}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.multiple-wounds")
def test_only_the_hit_under_the_hole_multiplies_wounds(player: int) -> None:
    place = catapult(player)
    target = place.enemy(OGRE, (34, 24), models=3, files=3)
    battle = place.battle([HIT, 0, 1, 2, 4, 4, 5])
    shoot(place, battle, target, 34.5, 24)
    assert told(battle, STRIKES)[-1]["amount"] == 2
    rolled = [(event["needed"], event["amount"]) for event in told(battle, "wap.shoot.wound.roll")]
    assert rolled == [(2, 1), (4, 2)]
    assert losses(battle) == {target.row: 3 + 2}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.indirect.declare")
def test_who_is_hidden_is_a_target_of_indirect_fire_alone(player: int) -> None:
    place = catapult(player)
    place.area("impassable", 30, 18, 32, 30)
    hidden = place.enemy(None, (38.5, 24), models=5)
    seen = place.enemy(None, (30, 34), models=5, facing=pi)
    battle = place.battle()
    assert place.targets(battle, DIRECTLY) == {seen.row}
    battle = place.battle()
    assert place.targets(battle, INDIRECTLY) == {hidden.row, seen.row}
    assert len([text for text in words(battle).values() if hidden.regiment.name in text]) == 1
    place = catapult(player)  # within the arc and the ranges alone
    for at in ((18, 24), (80, 24), (20, 44)):
        place.enemy(LITTLE, at)
    assert place.targets(place.battle()) == set()


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.indirect.scatter")
def test_a_hit_of_an_indirect_shot_still_deviates(player: int) -> None:
    for dice, expected in (
        ([HIT, NORTH, 4], (34, 29)),
        ([HIT, NORTH, 1], (34, 24)),
        ([ARROW, NORTH, 4], (34, 32)),
    ):
        place = catapult(player)
        target = place.enemy(None, (33.5, 24))
        battle = place.battle(dice)
        shoot(place, battle, target, 34, 24, indirect=True)
        assert place.place(battle, SCATTER) == pytest.approx(expected)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.indirect.otherwise")
def test_an_indirect_stone_strikes_like_any_other(player: int) -> None:
    place = catapult(player)
    place.area("impassable", 30, 18, 32, 30)
    target = place.enemy(square(base_mm=[50.8, 50.8], w=4, t=4), (38, 24))
    battle = place.battle([HIT, 0, 1, 2, 4])
    shoot(place, battle, target, 39, 24, indirect=True)
    assert losses(battle) == {target.row: 4}


@BOTH_PLAYERS
@pytest.mark.rule("wap.character.look-out-sir.template")
def test_a_comrade_takes_the_stone_for_a_hero(player: int) -> None:
    """The hole is over the hero, six more are beneath: an ordinary model takes the Strength 10, six more Strength 4."""
    for soldiers, saved in ((20, True), (4, False)):
        place = catapult(player)
        unit = place.enemy(square(base_mm=[25, 25]), (34, 24), models=soldiers, files=5)
        hero = place.hero(False, square(character=True, base_mm=[25, 25], size=[1, 1], w=2), unit, 2)
        battle = place.battle([HIT, 0, 1] + [1] * 20)
        base = 25 / 25.4
        shoot(place, battle, unit, 34 + 0.5 * base, 24)
        event = told(battle, STRIKES)[-1]
        assert event["model"] == hero.first
        rolled = [(event["target"], event["needed"], event["amount"]) for event in told(battle, "wap.shoot.wound.roll")]
        if saved:
            assert rolled == [(unit.row, 2, 1), (unit.row, 3, event["amount"])] and event["amount"] == 10
            looked = told(battle, "wap.character.look-out-sir.template")
            assert [event["target"] for event in looked] == [hero.row]
        else:
            assert (hero.row, 2, 1) in rolled
