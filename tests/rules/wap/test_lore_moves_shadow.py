"""Flights that magic gives: the attribute of the Lore of Shadow, and a spell on a character."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import pytest

from tests.heroes import hero
from tests.moving_spells import cast, knows, mage
from wh_env import Battle
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.weapons.hit import FROM_AFAR, MAGICAL, RANGED, SPELL, Hit
from wh_env.rulesets.wap.weapons.saves import unsaved, wards_against
from wh_env.testing import choose, kind, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, pose

PLAYERS = pytest.mark.parametrize("player", [0, 1])
QUIET = (6, 6, 1, 1)
RULE = "wap.lore.shadow.attribute-smoke-and-mirrors"
ADVANCE, MARCH, FLY = 1, 2, 10


def cast_shadow(
    scene: RegimentScene, wizard: UnitHandle, target: UnitHandle, *, roll: Sequence[int] = (5, 5), detail: str = "squad"
) -> Battle:
    """The battle after Enfeebling Foe was cast; a D3 follows the dice."""
    knowing = knows((wizard, "Enfeebling Foe"), (wizard, "The Withering"))
    battle = scene.battle("magic", player=wizard.player, dice=[*QUIET, *roll, 1], set_state=knowing, detail=detail)
    cast(battle, wizard, "Enfeebling Foe", target)
    return battle


def lone(player: int) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A wizard by himself, and an enemy twelve inches away."""
    scene = RegimentScene()
    wizard = scene.unit(player, mage("shadow"), (24, 20), models=1, files=1, facing=NORTH)
    foe = scene.unit(1 - player, None, (24, 32), models=5, files=5, facing=SOUTH)
    return scene, wizard, foe


def landings(battle: Battle, wizard: UnitHandle) -> list[tuple[float, float]]:
    """The places that the wizard may fly to; the question where he goes waits."""
    found = []
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        choose(copy, "cell", cell)
        if kind(copy) == "move-refine":
            choose(copy, "cell", slots(copy, "cell")[0])
        if kind(copy) == "pivot-to":
            choose(copy, "done") if slots(copy, "done") else choose(copy, "angle", slots(copy, "angle")[0])
        found.append((copy.units.x[wizard.row], copy.units.y[wizard.row]))
    return found


@PLAYERS
@pytest.mark.rule("wap.lore.shadow.attribute-smoke-and-mirrors")
def test_after_a_spell_of_shadow_the_wizard_may_fly_ten_inches_or_stay(player: int) -> None:
    scene, wizard, foe = lone(player)
    battle = cast_shadow(scene, wizard, foe)
    assert (kind(battle), battle.clock.player[0]) == ("manoeuvre", player)
    assert slots(battle, "option") == [0, FLY]
    stays = battle.clone()
    choose(stays, "option", 0)
    assert pose(stays, wizard) == (24.0, 20.0, NORTH) and kind(stays) in ("dispel-in-play", "cast-by")
    choose(battle, "option", FLY)
    found = landings(battle, wizard)
    far = max(hypot(x - 24, y - 20) for x, y in found)
    assert 9.0 < far <= 10.0 + 1.5  # front edges: he may turn as he lands
    assert list(Validator(battle.setup).faults(battle)) == []


@PLAYERS
@pytest.mark.rule("wap.lore.shadow.attribute-smoke-and-mirrors")
def test_he_may_leave_a_combat_and_lands_an_inch_from_enemies(player: int) -> None:
    scene = RegimentScene()
    wizard = scene.unit(player, mage("shadow"), (24, 20), models=1, files=1, facing=NORTH)
    foe = scene.beside(wizard, 1 - player, models=5)
    battle = cast_shadow(scene, wizard, foe)
    assert foes_of(battle, wizard.row) == [foe.row] and slots(battle, "option") == [0, FLY]
    choose(battle, "option", FLY)
    for cell in slots(battle, "cell")[::7]:
        copy = battle.clone()
        choose(copy, "cell", cell)
        while kind(copy) in ("move-refine", "pivot-to", "end-wheel"):
            name = next(name for name in ("cell", "done", "number", "angle") if slots(copy, name))
            choose(copy, name, *([] if name == "done" else [slots(copy, name)[0]]))
        assert distance(copy, wizard.row, foe.row) >= 1.0 - 1e-6
        assert not foes_of(copy, wizard.row) and not copy.units.fights[foe.row] and not copy.wizards.wings[wizard.row]
        assert list(Validator(copy.setup).faults(copy)) == []


@PLAYERS
@pytest.mark.parametrize("fights", [False, True])
@pytest.mark.rule("wap.lore.shadow.attribute-smoke-and-mirrors")
def test_a_wizard_in_a_unit_leaves_it(player: int, fights: bool) -> None:
    scene = RegimentScene()
    unit = scene.unit(player, None, (24, 20), models=9, files=5, facing=NORTH)
    wizard = scene.unit(player, mage("shadow"), models=1, inside=unit)
    foe = scene.beside(unit, 1 - player, models=5) if fights else scene.unit(1 - player, None, (24, 32), models=5)
    battle = cast_shadow(scene, wizard, foe)
    assert slots(battle, "option") == [0, FLY]
    choose(battle, "option", FLY)
    choose(battle, "cell", slots(battle, "cell")[0])
    while kind(battle) in ("move-refine", "pivot-to", "end-wheel"):
        name = next(name for name in ("cell", "done", "number", "angle") if slots(battle, name))
        choose(battle, name, *([] if name == "done" else [slots(battle, name)[0]]))
    assert battle.units.place[wizard.row] == ON_TABLE
    assert bool(foes_of(battle, unit.row)) is fights and not foes_of(battle, wizard.row)
    assert list(Validator(battle.setup).faults(battle)) == []
    again = cast_shadow(scene, wizard, foe)
    choose(again, "option", 0)
    assert again.units.place[wizard.row] == ATTACHED


@PLAYERS
@pytest.mark.rule("wap.lore.shadow.attribute-smoke-and-mirrors")
def test_a_spell_that_fails_gives_no_flight(player: int) -> None:
    scene, wizard, foe = lone(player)
    battle = cast_shadow(scene, wizard, foe, roll=(3, 4))
    assert kind(battle) == "cast-by" and not told(battle, RULE)


@PLAYERS
@pytest.mark.rule("wap.lore.shadow.attribute-smoke-and-mirrors")
def test_nobody_flies_out_of_a_building(player: int) -> None:
    scene = RegimentScene()
    scene.area("building", 20, 18, 25, 23, storeys=2)
    unit = scene.unit(player, None, garrison=0, models=5)
    wizard = scene.unit(player, mage("shadow"), models=1, inside=unit)
    foe = scene.unit(1 - player, None, (24, 32), models=5, files=5, facing=SOUTH)
    battle = cast_shadow(scene, wizard, foe)
    assert kind(battle) != "manoeuvre" and not told(battle, RULE)


@PLAYERS
@pytest.mark.rule("wap.lore.shadow.attribute-smoke-and-mirrors")
def test_at_full_detail_the_flight_is_of_legs(player: int) -> None:
    scene, wizard, foe = lone(player)
    battle = cast_shadow(scene, wizard, foe, detail="full")
    assert kind(battle) == "manoeuvre"
    choose(battle, "option", FLY)
    assert kind(battle) == "leg"


# ---------------------------------------------------------------- a steed


def mounted(scene: RegimentScene, wizard: UnitHandle, rider: UnitHandle) -> Battle:
    """The battle after a wizard has cast a steed on himself or on another one."""
    knowing = knows((wizard, "Steed of Shadows"), (wizard, "The Withering"))
    battle = scene.battle("magic", player=wizard.player, dice=[*QUIET, 4, 4], set_state=knowing)
    cast(battle, wizard, "Steed of Shadows", rider)
    return battle


def fly_far(battle: Battle, unit: UnitHandle) -> None:
    """Take the first cell of those that are offered, and let the unit land."""
    choose(battle, "option", FLY)
    x, y, _ = pose(battle, unit)
    choose(battle, "cell", slots(battle, "cell")[0])
    while kind(battle) in ("move-refine", "pivot-to", "end-wheel"):
        name = next(name for name in ("cell", "done", "number", "angle") if slots(battle, name))
        choose(battle, name, *([] if name == "done" else [slots(battle, name)[0]]))
    landed = pose(battle, unit)
    assert 0.0 < hypot(landed[0] - x, landed[1] - y) <= 11.5


def ward_saves(battle: Battle, unit: UnitHandle, nature: int) -> list[int]:
    """The ward saves of a unit against hits of a nature."""
    return [ward.save for ward in wards_against(battle, unit.row, 3, FRONT, nature)]


@PLAYERS
@pytest.mark.rule("wap.lore.shadow.steed-of-shadows")
def test_a_steed_carries_its_rider_ten_inches_and_shields_him_from_arrows(player: int) -> None:
    """A 2 saves from an arrow, magic wounds unless a 5 is rolled; nothing helps in combat."""
    scene, wizard, _ = lone(player)
    battle = mounted(scene, wizard, wizard)
    assert slots(battle, "option") == [0, FLY]
    fly_far(battle, wizard)
    for nature, saves in (
        (FROM_AFAR["missile weapon"], [2]),
        (FROM_AFAR["magic missile"], [5]),
        (RANGED | FROM_AFAR["direct damage"] | SPELL, []),
        (0, []),
        (MAGICAL, []),
    ):
        assert ward_saves(battle, wizard, nature) == saves
    script(battle, [2])
    assert unsaved(battle, wizard.row, 1, Hit(3, nature=FROM_AFAR["missile weapon"]), FRONT) == 0


@PLAYERS
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.rule("wap.lore.shadow.steed-of-shadows")
def test_a_steed_may_carry_a_hero_on_foot_within_twelve_inches(player: int, inside: bool) -> None:
    """He is shielded where he lands, however far that is; then the wizard may fly by the attribute of the lore."""
    scene, wizard, _ = lone(player)
    host = scene.unit(player, None, (34, 20), models=9, files=5, facing=NORTH) if inside else None
    rider = scene.unit(player, hero(), **({"inside": host} if host else {"at": (33.5, 20)}), models=1)
    battle = mounted(scene, wizard, host or rider)
    assert slots(battle, "option") == [0, FLY]
    assert ward_saves(battle, rider, FROM_AFAR["missile weapon"]) == [2]
    fly_far(battle, rider)
    assert battle.units.place[rider.row] == ON_TABLE and not ward_saves(battle, wizard, FROM_AFAR["missile weapon"])
    assert ward_saves(battle, rider, FROM_AFAR["missile weapon"]) == [2]
    assert host is None or not ward_saves(battle, host, FROM_AFAR["missile weapon"])
    assert slots(battle, "option") == [0, FLY] and told(battle, RULE)[-1]["unit"] == wizard.row
    choose(battle, "option", 0)
    assert pose(battle, wizard)[:2] == (24.0, 20.0) and list(Validator(battle.setup).faults(battle)) == []


@PLAYERS
@pytest.mark.rule("wap.lore.shadow.steed-of-shadows")
def test_a_steed_does_not_carry_its_rider_out_of_a_combat(player: int) -> None:
    scene = RegimentScene()
    wizard = scene.unit(player, mage("shadow"), (24, 20), models=1, files=1, facing=NORTH)
    foe = scene.beside(wizard, 1 - player, models=5)
    battle = mounted(scene, wizard, wizard)
    assert not told(battle, "wap.lore.shadow.steed-of-shadows") and foes_of(battle, wizard.row) == [foe.row]
    assert ward_saves(battle, wizard, RANGED) == [2]
