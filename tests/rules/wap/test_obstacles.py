"""Obstacles of each kind: cover for those behind, what they do to those who charge across, riders who cross."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.arming import man, rider
from tests.heroes import hero
from tests.marching import ADVANCE, FORWARD, MARCH, MOST, ahead, finish, go, leg
from tests.walls import FAR, NEAR, across, charged_across
from wh_env import Battle
from wh_env.content.rulebook import catalogue
from wh_env.content.wap.load import load_terrain
from wh_env.rulesets.wap.codes import MOVED
from wh_env.rulesets.wap.result.scoring import score_combat
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, firings
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing import dice_left, script, told
from wh_env.testing.wap import EAST, NORTH, SOUTH, WEST, RegimentScene, UnitHandle, fight, fight_again, square

BOWS = man("bow")
KINDS = ("blazing barricade", "blessed bulwark", "fence", "ghost fence", "wall")


def needs(battle: Battle, unit: UnitHandle, target: UnitHandle) -> set[int]:
    """What the shots of a unit need to hit."""
    return {firing.needed for firing in firings(battle, unit.row, target.row, 0, IN_PHASE)}


def shot_at(
    example: str | None = "wall",
    *,
    player: int = 0,
    bs: int = 3,
    far: float = 10.0,
    **fields: Any,
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """Archers that look north over an obstacle at an enemy."""
    scene, unit, target = across(example, man("bow", bs=bs), player=player, gap=far, **fields)
    return scene.battle("shooting", player=player, run=False), unit, target


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.obstacle.cover")
def test_most_models_have_to_stand_behind_it_in_contact(player: int) -> None:
    """A rank of ten, of which the wall covers six; of which it covers five; a rank an inch behind it."""
    for wide, behind, needed in (((18.0, 25.0), 0.0, 6), ((18.0, 24.0), 0.0, 4), ((18.0, 30.0), 1.0, 4)):
        battle, unit, target = shot_at(player=player, models=(10, 10), files=(5, 10), wide=wide, behind=behind)
        found = [sum(abs(battle.models.y[k] - FAR - 0.5) < 0.01 for k in battle.members(target.row))]
        assert found == [10] or behind
        assert needs(battle, unit, target) == {needed}, wide


@pytest.mark.parametrize(("south", "needed"), [(19.7, 6), (20.7, 4)])
@pytest.mark.rule("wap.terrain.obstacle.cover")
def test_behind_a_wall_across_the_table_they_stand_as_behind_one_along_it(south: float, needed: int) -> None:
    """A rank of eleven looks west at a wall that covers six of them, and five of them."""
    scene = RegimentScene()
    scene.area("obstacle", NEAR, south, FAR, 26.0, example="wall")
    unit = scene.unit(0, BOWS, (NEAR - 10, 20), models=10, files=5, facing=EAST)
    target = scene.unit(1, None, (FAR, 20), models=11, files=11, facing=WEST)
    battle = scene.battle("shooting", run=False)
    assert needs(battle, unit, target) == {needed}


@pytest.mark.rule("wap.terrain.obstacle.cover")
def test_ranks_behind_the_one_in_contact_stand_behind_it_too() -> None:
    battle, unit, target = shot_at(models=(10, 20), files=(5, 5))
    assert needs(battle, unit, target) == {6}
    battle, unit, target = shot_at(models=(10, 20), files=(5, 5), wide=(21.0, 23.4))
    assert needs(battle, unit, target) == {4}


@pytest.mark.rule("wap.terrain.obstacle.cover")
@pytest.mark.parametrize("player", [0, 1])
def test_ranks_behind_characters_in_contact_stand_behind_it_too(player: int) -> None:
    """Two of the three files have a hero in front."""
    scene, unit, target = across("wall", BOWS, player=player, gap=10.0, models=(10, 7), files=(5, 3))
    heroes = [scene.unit(1 - player, hero(), models=1, inside=target) for _ in range(2)]
    battle = scene.battle("shooting", player=player, run=False)
    in_front = [battle.models.rank[row] for row in (heroes[0].model(), heroes[1].model())]
    assert in_front == [0, 0]
    assert needs(battle, unit, target) == {6}


def test_who_shoots_from_the_side_without_the_obstacle_has_no_cover_against_him() -> None:
    scene, _, target = across(models=(10, 10))
    archers = scene.unit(0, BOWS, (24, 40), models=5, facing=SOUTH)
    battle = scene.battle("shooting", run=False)
    assert needs(battle, archers, target) == {4}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.obstacle.cover-shooters")
def test_who_touches_the_obstacle_shoots_over_it(player: int) -> None:
    battle, unit, target = shot_at(player=player, far=0.0, behind=1.0)
    assert needs(battle, unit, target) == {4}
    battle, unit, target = shot_at(player=player, far=0.0, behind=0.0)
    assert needs(battle, unit, target) == {4}


@pytest.mark.rule("wap.terrain.obstacle.types")
def test_the_table_of_kinds() -> None:
    table = {
        row["obstacle"].replace(" or hedge", ""): row for row in catalogue("wap")["wap.terrain.obstacle.types"]["table"]
    }
    terrain = load_terrain("obstacle")
    assert set(table) == set(terrain.examples)
    for example, row in table.items():
        barrier = terrain.traits_of(example).obstacle
        assert barrier is not None
        assert barrier.cover == row["cover"]
        assert barrier.hitting == (-1 if "-1" in row["charge_penalty"] else 0)
    needed = [needs(*shot_at(example)) for example in KINDS]
    assert needed == [{5}, {6}, {5}, {5}, {6}]
    assert [first_blows(example) for example in KINDS] == [4, 5, 5, 4, 5]


def first_blows(example: str, theirs: Mapping[str, Any] | None = None, **fields: Any) -> int:
    """What the blows of a unit that has charged across an obstacle need to hit."""
    battle, unit, _ = charged_across(example, [6, 6, *[1] * 5], theirs=theirs, **fields)
    script(battle, [1] * 60)
    fight(battle, unit)
    return needed_by(battle, unit)[0]


def needed_by(battle: Battle, unit: UnitHandle) -> list[int]:
    """What the blows of a unit needed to hit, roll by roll."""
    return [event["needed"] for event in told(battle, "wap.combat.hit.roll") if event["unit"] == unit.row]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.obstacle.blazing-barricade")
def test_models_that_touch_a_blazing_barricade_are_burnt(player: int) -> None:
    """Three of five dice are 3 or more, which S 4 needs against T 3; the second rank takes no hits."""
    battle, unit, target = charged_across("blazing barricade", [6, 6, 1, 3, 3, 6, 2], player=player)
    (burnt,) = told(battle, "wap.terrain.obstacle.blazing-barricade")
    assert (burnt["unit"], burnt["amount"]) == (unit.row, 5)
    (rolled,) = told(battle, "wap.shoot.wound.roll")
    assert (rolled["needed"], rolled["result"]) == (3, 3)
    assert (dice_left(battle), battle.units.alive[unit.row], battle.units.alive[target.row]) == (0, 7, 10)
    assert needs(*shot_at("blazing barricade", player=player)) == {5}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("mine", "theirs"), [("Destruction", "Order"), ("Order", "Destruction")])
@pytest.mark.rule("wap.terrain.obstacle.blessed-bulwark")
def test_a_blessed_bulwark_slows_the_forces_of_destruction(player: int, mine: str, theirs: str) -> None:
    scene = RegimentScene()
    scene.area("obstacle", 14, NEAR, 34, FAR, example="blessed bulwark")
    unit = scene.unit(player, square(i=3), (24, NEAR), files=5, facing=NORTH, book=(mine,))
    target = scene.unit(1 - player, square(i=3), (24, FAR), files=5, facing=SOUTH, book=(theirs,))
    battle = scene.battle("movement", player=player, run=False)
    for handle, foe, alignment in ((unit, target, mine), (target, unit, theirs)):
        blow = blow_of(battle, handle.row, battle.units.first_line[handle.row], foe.row)
        assert blow.initiative == (2 if alignment == "Destruction" else 3)
    assert needs(*shot_at("blessed bulwark", player=player)) == {6}
    assert first_blows("blessed bulwark", player=player) == 5


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("example", "ws", "cover"), [("fence", 4, 5), ("wall", 3, 6)])
@pytest.mark.rule("wap.terrain.obstacle.fence", "wap.terrain.obstacle.wall")
def test_fences_and_walls_hamper_who_charges(player: int, example: str, ws: int, cover: int) -> None:
    battle, unit, _ = charged_across(example, mine=square(ws=ws), theirs=square(ws=ws), player=player)
    script(battle, [1] * 40)
    fight(battle, unit)
    fight_again(battle, unit, [1] * 40)
    assert needed_by(battle, unit) == [5, 4]
    assert needs(*shot_at(example, player=player)) == {cover}
    assert needs(*shot_at(example, player=player, bs=4)) == {cover - 1}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.obstacle.ghost-fence")
def test_who_defends_a_ghost_fence_causes_fear_in_the_first_round(player: int) -> None:
    battle, unit, _ = charged_across("ghost fence", player=player)
    fear = []
    for again in (False, True):
        if again:
            fight_again(battle, unit, [1] * 40)
        else:
            script(battle, [1] * 40)
            fight(battle, unit)
        battle.events.clear()
        score_combat(battle)
        fear.append({event["player"]: event["fear"] for event in told(battle, "wap.result.sum")})
    # both are as strong, so whoever causes Fear is twice as strong as nobody
    assert fear == [{player: 0, 1 - player: 1}, {0: 0, 1: 0}]
    assert needs(*shot_at("ghost fence", player=player)) == {5}


# ---------------------------------------------------------------- crossing


KNIGHTS = rider(ld=10)
TEST = "wap.terrain.dangerous.test"


@pytest.mark.rule("wap.terrain.obstacle.dangerous")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("mine", "models", "tests"), [(KNIGHTS, 5, 1), (KNIGHTS, 10, 1), (square(), 5, 0)])
def test_riders_who_charge_somebody_behind_an_obstacle_test(
    player: int, mine: dict[str, Any], models: int, tests: int
) -> None:
    """Each model rolls a die, in all ranks; a 1 costs a Wound."""
    dice = [6, 6, *[1, 6, 1, 6, 6, 6, 6, 6, 6, 6][: models * tests]]
    battle, unit, _ = charged_across("wall", dice, player=player, mine=mine, models=(models, 10))
    assert [len(event["dice"]) for event in told(battle, TEST)] == [models] * tests
    assert battle.units.alive[unit.row] == models - 2 * tests
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.terrain.obstacle.dangerous")
@pytest.mark.parametrize("player", [0, 1])
def test_riders_who_charge_over_an_obstacle_that_nobody_defends_test(player: int) -> None:
    """Only those who come over it: the second rank does not."""
    dice = [6, 6, 1, 6, 6, 6, 6]
    battle, unit, _ = charged_across("fence", dice, player=player, mine=KNIGHTS, models=(10, 10), behind=0.5, gap=3.0)
    assert [len(event["dice"]) for event in told(battle, TEST)] == [5]
    assert battle.units.alive[unit.row] == 9


def walks(
    card: dict[str, Any], manoeuvre: int, far: float, gap: float = 1.0, dice: tuple[int, ...] = (), player: int = 0
) -> tuple[Battle, UnitHandle]:
    """A unit of ten in two ranks goes straight over an obstacle half an inch thick."""
    scene = RegimentScene()
    scene.area("obstacle", 14, 13, 34, 13.5, example="wall")
    unit = scene.unit(player, card, (24, 13 - gap), models=10, files=5, facing=NORTH)
    scene.unit(1 - player, None, (4, 46), models=5)
    scene.unit(player, None, (44, 2), models=5)
    battle = scene.battle("movement", player=player, detail="full", dice=list(dice))
    go(battle, unit, manoeuvre)
    leg(battle, FORWARD, ahead(far) if far else MOST)
    finish(battle)
    return battle, unit


@pytest.mark.rule("wap.terrain.obstacle.dangerous")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("card", "manoeuvre", "dice", "tests"),
    [
        (KNIGHTS, ADVANCE, (), 0),
        (KNIGHTS, MARCH, (1, 1, *[6] * 9, 1), 1),
        (square(), ADVANCE, (), 0),
        (square(), MARCH, (), 0),
    ],
)
def test_only_riders_who_hurry_over_an_obstacle_test(
    player: int, card: dict[str, Any], manoeuvre: int, dice: tuple[int, ...], tests: int
) -> None:
    battle, unit = walks(card, manoeuvre, 0.0, dice=dice, player=player)
    assert len(told(battle, TEST)) == tests
    assert battle.units.alive[unit.row] >= 8


@pytest.mark.rule("wap.terrain.obstacle.straddle")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_may_end_astride_an_obstacle(player: int) -> None:
    """Two ranks beyond the fence and two behind it: nothing is deducted, no dice are rolled, nobody is hurt."""
    scene = RegimentScene()
    scene.area("obstacle", 14, 12.4, 34, 12.6, example="fence")
    unit = scene.unit(player, None, (24, 10.5), models=20, files=5, facing=NORTH)
    scene.unit(1 - player, None, (4, 46), models=5)
    scene.unit(player, None, (44, 2), models=5)
    battle = scene.battle("movement", player=player, detail="full", dice=[1] * 5)
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, ahead(4.0))
    finish(battle)
    assert battle.units.y[unit.row] == pytest.approx(14.5)
    ys = sorted({round(float(battle.models.y[k]), 3) for k in battle.members(unit.row)})
    assert [y > 12.6 for y in ys] == [False, False, True, True] and ys[1] < 12.4
    assert (dice_left(battle), battle.units.alive[unit.row]) == (5, 20)
    assert battle.units.did[unit.row] & MOVED
