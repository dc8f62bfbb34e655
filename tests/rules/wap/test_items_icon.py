"""The Ironcurse Icon: a ward save against the shots of war machines alone."""

from __future__ import annotations

from typing import Any

import pytest
from carrying import saves
from heroes import hero, rider
from wizards import cast, knowing, let_be, wizard

from tests.machine_scenes import HIT, Range, losses
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.shooting.hits import hit_of, hit_of_machine
from wh_env.rulesets.wap.weapons.arms import outfit_of
from wh_env.rulesets.wap.weapons.hit import ENGINE, Hit
from wh_env.rulesets.wap.weapons.saves import Ward, wards_against
from wh_env.testing import choose, dice_left, kind, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
ICON = "Ironcurse Icon"
STRIKES = "wap.machine.stone-thrower.other-hits"
ALONE, INSIDE, SLAIN = "alone", "in the unit", "slain"


def shot_at(owner: int, weapon: str, where: str = INSIDE, **fields: Any) -> tuple[Range, UnitHandle, UnitHandle]:
    """A war machine of the enemy, a unit of 20 before it, and a bearer of the icon."""
    place = Range(1 - owner, weapon, **fields)
    unit = place.enemy(None, (34, 24), models=20, files=5)
    at: dict[str, Any] = {"at": place.there(34, 40)} if where == ALONE else {"inside": unit, "post": 0}
    return place, unit, place.scene.unit(owner, hero(w=9), models=1, items=[ICON], **at)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ironcurse-icon")
@pytest.mark.parametrize(("where", "lost"), [(INSIDE, 4), (SLAIN, 6), (ALONE, 6)])
def test_the_ironcurse_icon_saves_from_a_stone(owner: int, where: str, lost: int) -> None:
    """Six wounds of the template, and 6, 6, 1, 2, 3, 4: four remain. Without the bearer all six do."""
    place, unit, bearer = shot_at(owner, "stone thrower", where)
    fallen = (lambda battle: slay(battle, bearer.model())) if where == SLAIN else None
    battle = place.battle(set_state=fallen)
    beneath = 12 if where == INSIDE else 10  # beside the one under the hole, whom a 1 does not wound
    saving = [6, 6, 1, 2, 3, 4] if where == INSIDE else []
    script(battle, [HIT, 0, 1, 1, *[6] * 6, *[1] * (beneath - 6), *saving])
    place.fire(battle, unit, 36.5, 24, "it sees")
    assert told(battle, STRIKES)[-1]["amount"] == beneath and dice_left(battle) == 0
    assert saves(battle, unit) == [(7, 6)] * (where == INSIDE) and losses(battle) == {unit.row: lost}


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ironcurse-icon")
@pytest.mark.parametrize("weapon", ["bolt thrower", "cannon", "stone thrower", "fire thrower"])
def test_the_ironcurse_icon_is_of_use_against_all_war_machines(owner: int, weapon: str) -> None:
    """Whatever they fire, but not what their crew carry; for the bearer, for a hero beside him, and alone."""
    place, unit, bearer = shot_at(owner, weapon, equipment=["short bow"])
    friend = place.scene.unit(owner, hero(), inside=unit, models=1)
    other = place.scene.unit(owner, rider(), place.there(34, 8), models=1, items=[ICON])
    stranger = place.enemy(None, (34, 40), models=5, files=5)
    battle = place.battle(run=False)
    engine, line = place.machine.row, battle.units.first_line[place.machine.row]
    outfit = outfit_of(battle, engine)
    shots = [hit_of(battle, line, arm, unit.row) for arm in outfit.missiles if arm.name != "short bow"]
    arrow = next(hit_of(battle, line, arm, unit.row) for arm in outfit.missiles if arm.name == "short bow")
    template = [] if weapon == "bolt thrower" else [hit_of_machine(battle, engine, unit.row)]
    assert shots + template and all(hit.nature & ENGINE for hit in shots + template)

    def wards(row: UnitHandle, hit: Hit) -> list[Ward]:
        return wards_against(battle, row.row, hit.strength, 0, hit.nature)

    for hit in shots + template:
        assert [wards(row, hit) for row in (unit, bearer, friend, other)] == [[Ward(6)]] * 4
        assert wards(stranger, hit) == []
    assert [wards(row, arrow) for row in (unit, bearer, friend, other)] == [[]] * 4


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ironcurse-icon")
@pytest.mark.parametrize(("spell", "hits"), [("Stroke", []), ("Spark", [2])])
def test_the_ironcurse_icon_does_not_save_from_spells(owner: int, spell: str, hits: list[int]) -> None:
    """Neither from a magic missile nor from direct damage."""
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(1 - owner, wizard(2), (36, 36), models=1)
    unit = scene.unit(owner, None, (36.0, 48.0 if owner else 24.0), models=20, files=10)
    scene.unit(owner, hero(), inside=unit, models=1, items=[ICON])
    battle = scene.battle("magic", player=1 - owner, dice=(6, 6, 1, 1), set_state=knowing({mage: spell}))
    script(battle, [6, 4, *hits, 6, 6, 6, 6])
    cast(battle, mage, spell, unit, 1)
    if kind(battle) == "dispel-by":
        let_be(battle)
    assert saves(battle, unit) == [] and battle.units.alive[unit] == 18


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ironcurse-icon")
def test_the_ironcurse_icon_saves_neither_from_arrows_nor_from_blows(owner: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(owner, square(i=1), (24, 20 if owner == 0 else 28), models=10, files=5)
    scene.unit(owner, hero(i=1), inside=unit, models=1, items=[ICON])
    archers = scene.unit(1 - owner, square(equipment=["bow"]), (24, 34 if owner == 0 else 14), models=5)
    battle = scene.battle("shooting", player=1 - owner, dice=[6] * 10)
    choose(battle, "own", archers.number)
    assert saves(battle, unit) == [] and battle.units.alive[unit] < 10
    scene = RegimentScene()
    unit = scene.unit(owner, square(i=1), (24, 24), models=10, files=5)
    scene.unit(owner, hero(i=1), inside=unit, models=1, items=[ICON])
    foe = scene.beside(unit, 1 - owner, square(i=5), models=5, files=5)
    battle = scene.battle("combat", player=owner, run=False, dice=[6] * 10)
    fight(battle, foe)
    while battle.decision is not None:
        battle.apply(battle.first_legal())
    assert saves(battle, unit) == [] and battle.units.alive[unit] < 10
