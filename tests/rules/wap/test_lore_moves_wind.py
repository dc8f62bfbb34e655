"""Wind Blast: the push, and what a pushed unit runs into."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, pi
from typing import Any

import pytest

from tests.heroes import hero
from tests.moving_spells import cast, knows, mage
from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.testing import dice_left, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, pose, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
CALM = square(rules=["Immunity (Panic)"])
QUIET = (6, 6, 1, 1)
PUSH, HIT = "wap.lore.heavens.wind-blast", "wap.shoot.wound.roll"


def blown(
    scene: RegimentScene,
    wizard: UnitHandle,
    target: UnitHandle,
    dice: Sequence[int],
    *,
    roll: tuple[int, ...] = (3, 3),
    version: int = 0,
) -> Battle:
    """The battle after Wind Blast was cast on a unit."""
    knowing = knows((wizard, "Wind Blast"), (wizard, "Urannon's Thunderbolt"))
    battle = scene.battle("magic", player=wizard.player, dice=[*QUIET, *roll, *dice], set_state=knowing)
    cast(battle, wizard, "Wind Blast", target, dice=len(roll), version=version)
    return battle


def before(
    player: int, gap: float = 10.0, card: Any = None, **fields: Any
) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A wizard who looks north, and a unit of five that looks at him so far before him."""
    scene = RegimentScene()
    wizard = scene.unit(player, mage("heavens"), (24, 8), models=1, files=1, facing=NORTH)
    fields = {"models": 5, "files": 5, "facing": SOUTH, **fields}
    target = scene.unit(1 - player, CALM if card is None else card, (24, 8 + gap), **fields)
    scene.unit(1 - player, None, (4, 44), models=5)
    return scene, wizard, target


@PLAYERS
@pytest.mark.parametrize(("dice", "far"), [((3, 5), 5), ((1, 2), 2), ((6, 6), 6)])
@pytest.mark.rule("wap.lore.heavens.wind-blast")
def test_a_unit_is_pushed_straight_back_without_turning(player: int, dice: tuple[int, int], far: int) -> None:
    scene, wizard, target = before(player)
    battle = blown(scene, wizard, target, dice)
    assert pose(battle, target) == pytest.approx((24.0, 18.0 + far, SOUTH))
    assert not told(battle, HIT) and dice_left(battle) == 0
    assert battle.units.alive[target.row] == 5
    assert list(Validator(battle.setup).faults(battle)) == []


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.wind-blast")
def test_the_boosted_version_pushes_2d6_inches_and_the_way_leads_from_the_wizard(player: int) -> None:
    scene, wizard, target = before(player, files=5)
    battle = blown(scene, wizard, target, (6, 5), roll=(5, 5, 5), version=1)
    assert pose(battle, target) == pytest.approx((24.0, 29.0, SOUTH))
    scene = RegimentScene()
    wizard = scene.unit(player, mage("heavens"), (20, 8), models=1, files=1, facing=NORTH)
    target = scene.unit(1 - player, CALM, (28.5, 17.5), models=1, files=1, facing=pi)
    scene.unit(1 - player, None, (4, 44), models=5)
    battle = blown(scene, wizard, target, (6, 4))
    x, y, facing = pose(battle, target)
    share = 5 / hypot(9, 10)  # his middle is at (20, 7.5), that of the unit at (29, 17.5)
    assert (x - 28.5, y - 17.5, facing) == pytest.approx((9 * share, 10 * share, pi))


@PLAYERS
@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.rule("wap.lore.heavens.wind-blast.collision")
def test_what_it_runs_into_stops_it_an_inch_away_and_both_take_hits(player: int, owner: int) -> None:
    """Three inches behind it stands another unit, of either side: four hits and two."""
    scene, wizard, target = before(player)
    other = scene.unit(owner, CALM, (24, 22), models=5, files=5, facing=SOUTH)
    battle = blown(scene, wizard, target, (3, 5, 4, 4, 4, 1, 1, 2, 4, 4))
    assert battle.units.y[target.row] == pytest.approx(20.0, abs=0.01)
    assert [(event["target"], event["amount"], event["needed"]) for event in told(battle, HIT)] == [
        (target.row, 4, 4),
        (other.row, 2, 4),
    ]
    assert (battle.units.alive[target.row], battle.units.alive[other.row]) == (3, 3)
    assert dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.wind-blast.collision")
def test_who_stops_before_it_touches_anything_takes_no_hit(player: int) -> None:
    """The other unit is three inches behind it; it keeps an inch from it, but it was pushed two and a half at most."""
    scene, wizard, target = before(player)
    scene.unit(player, CALM, (24, 22), models=5, files=5, facing=SOUTH)
    battle = blown(scene, wizard, target, (1, 1))
    assert battle.units.y[target.row] == pytest.approx(20.0, abs=0.01) and not told(battle, HIT)


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.wind-blast.collision")
def test_impassable_ground_stops_it_and_hurts_it(player: int) -> None:
    scene, wizard, target = before(player)
    scene.area("impassable", 20, 22, 28, 25)
    battle = blown(scene, wizard, target, (3, 5, 3, 4, 4, 1))
    assert battle.units.y[target.row] == pytest.approx(20.0, abs=0.01)
    assert [(event["target"], event["amount"]) for event in told(battle, HIT)] == [(target.row, 3)]
    assert battle.units.alive[target.row] == 3 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.wind-blast.collision")
def test_the_edge_of_the_table_stops_it_without_hits(player: int) -> None:
    scene = RegimentScene()
    wizard = scene.unit(player, mage("heavens"), (24, 36), models=1, files=1, facing=NORTH)
    target = scene.unit(1 - player, CALM, (24, 45), models=5, files=5, facing=SOUTH)
    scene.unit(1 - player, None, (4, 4), models=5)
    battle = blown(scene, wizard, target, (6, 6))
    assert battle.units.y[target.row] == pytest.approx(47.0, abs=0.01) and not told(battle, HIT)


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.wind-blast.collision")
def test_what_cannot_move_is_not_pushed_but_hit(player: int) -> None:
    """A garrison, and a unit without Movement."""
    scene = RegimentScene()
    wizard = scene.unit(player, mage("heavens"), (24, 8), models=1, files=1, facing=NORTH)
    scene.area("building", 22, 18, 27, 23, storeys=2)
    held = scene.unit(1 - player, CALM, garrison=0)
    scene.unit(1 - player, None, (4, 44), models=5)
    battle = blown(scene, wizard, held, (3, 5, 4, 4, 1, 1, 1))
    assert battle.units.garrison[held.row] == 0
    assert [(event["target"], event["amount"]) for event in told(battle, HIT)] == [(held.row, 4)]
    scene, wizard, target = before(player, card=square(m=0, rules=["Immunity (Panic)"]))
    battle = blown(scene, wizard, target, (6, 6, 2, 4, 4))
    assert pose(battle, target) == pytest.approx((24.0, 18.0, SOUTH))
    assert battle.units.alive[target.row] == 3 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.wind-blast")
def test_characters_go_with_their_unit_and_a_dying_unit_hurts_the_other_all_the_same(player: int) -> None:
    scene, wizard, target = before(player, models=4)
    captain = scene.unit(1 - player, hero(), models=1, inside=target)
    battle = blown(scene, wizard, target, (6, 4))
    assert battle.units.y[target.row] == pytest.approx(23.0)
    assert battle.models.y[captain.model()] == pytest.approx(23.5)
    scene, wizard, target = before(player, models=1, files=1)
    other = scene.unit(player, CALM, (24, 21), models=5, files=5, facing=SOUTH)
    battle = blown(scene, wizard, target, (6, 6, 1, 6, 2, 6, 6))
    assert (battle.units.alive[target.row], battle.units.alive[other.row]) == (0, 3)
