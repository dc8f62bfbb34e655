"""The venom thicket poisons the attacks in close combat of whoever stands in it."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero, horse

from wh_env import Battle
from wh_env.rulesets.wap.shooting.hits import hit_of
from wh_env.rulesets.wap.weapons.arms import outfit_of
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing import told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])


def fought_in(
    player: int, card: Any = None, *, far: float = 30.0, foe: Any = None, **fields: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit at the southern edge of its enemies, in a thicket that reaches as far north as said."""
    scene = RegimentScene()
    scene.area("forest", 10, 10, 40, far, example="venom thicket")
    unit = scene.unit(player, card, (24, 22), files=5, facing=NORTH, **{"models": 10, **fields})
    other = scene.unit(1 - player, foe, (24, 22), models=10, files=5, facing=SOUTH)
    return scene.battle("combat", player=player, run=False), unit, other


def wounding(battle: Battle, unit: UnitHandle, foe: UnitHandle, line: int = 0) -> int:
    """What is added to dice to wound of a profile of a unit."""
    return blow_of(battle, unit.row, battle.units.first_line[unit] + line, foe.row).wounding


@pytest.mark.rule("wap.terrain.forest.venom.poison")
@PLAYERS
@pytest.mark.parametrize(("far", "needed"), [(30.0, 3), (21.5, 3), (20.5, 4)])
def test_models_in_the_thicket_wound_more_easily(player: int, far: float, needed: int) -> None:
    """Strength 3 on Toughness 3. The middles of the two ranks are half an inch and one and a half from the front: most
    models must be in the thicket."""
    battle, unit, foe = fought_in(player, far=far)
    assert wounding(battle, unit, foe) == 4 - needed
    assert wounding(battle, foe, unit) == (1 if far == 30.0 else 0)
    fight(battle, unit)
    rolls = [event for event in told(battle, "wap.combat.wound.roll") if event["unit"] == unit.row]
    assert {event["needed"] for event in rolls} == {needed}


@pytest.mark.rule("wap.terrain.forest.venom.poison")
@PLAYERS
def test_their_bows_still_wound_as_before(player: int) -> None:
    battle, unit, foe = fought_in(player, square(equipment=["hand weapon", "bow"]))
    bow = outfit_of(battle, unit.row).missiles[0]
    assert wounding(battle, unit, foe) == 1
    assert hit_of(battle, battle.units.first_line[unit], bow, foe.row).wounding == 0


@pytest.mark.rule("wap.terrain.forest.venom.poison")
@PLAYERS
def test_poison_adds_up_with_nothing_and_spares_the_immune(player: int) -> None:
    battle, unit, foe = fought_in(player, square(rules=["Poisoned Attacks"]))
    assert wounding(battle, unit, foe) == 1
    battle, unit, foe = fought_in(player, foe=square(rules=["Immunity (Poisoned Attacks)"]))
    assert wounding(battle, unit, foe) == 0 and wounding(battle, foe, unit) == 1


@pytest.mark.rule("wap.terrain.forest.venom.poison")
@PLAYERS
def test_mounts_and_characters_in_the_thicket_have_it(player: int) -> None:
    battle, riders, foe = fought_in(player, horse(), models=5)
    mount = battle.units.lines[riders] - 1
    assert wounding(battle, riders, foe) == wounding(battle, riders, foe, mount) == 1
    scene = RegimentScene()
    scene.area("forest", 10, 10, 40, 30, example="venom thicket")
    host = scene.unit(player, None, (24, 22), models=10, files=5, facing=NORTH)
    lord = scene.unit(player, hero(), inside=host, models=1)
    other = scene.unit(1 - player, None, (24, 22), models=10, files=5, facing=SOUTH)
    battle = scene.battle("combat", player=player, run=False)
    assert wounding(battle, lord, other) == 1
