"""Obstacles of each kind: cover for those behind, what they do to those who charge across, riders who cross."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.arming import man
from tests.walls import FAR, NEAR, across, charged_across
from wh_env import Battle
from wh_env.content.rulebook import catalogue
from wh_env.content.wap.load import load_terrain
from wh_env.rulesets.wap.result.scoring import score_combat
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, firings
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing import dice_left, script, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, fight_again, square

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


@pytest.mark.rule("wap.terrain.obstacle.cover")
def test_ranks_behind_the_one_in_contact_stand_behind_it_too() -> None:
    battle, unit, target = shot_at(models=(10, 20), files=(5, 5))
    assert needs(battle, unit, target) == {6}
    battle, unit, target = shot_at(models=(10, 20), files=(5, 5), wide=(21.0, 23.4))
    assert needs(battle, unit, target) == {4}


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
