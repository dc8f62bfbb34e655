"""Talismans that act all the time, and shields against spells."""

from __future__ import annotations

from typing import Any

import pytest
from carrying import saves
from guarding import MOUNTED, alone, in_unit, shot, struck, under_spells
from wizards import cast, dispel, let_be

from wh_env.rulesets.wap.basics.resistance import resistance_of
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import HEAVY_CASUALTIES, Phase
from wh_env.rulesets.wap.panic.panic import panic_test
from wh_env.rulesets.wap.weapons.hit import FLAMING, RANGED, Hit
from wh_env.testing import kind, script, told

OWNERS = pytest.mark.parametrize("owner", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
SHOT = Hit(3, nature=RANGED)
WARDS = pytest.mark.parametrize(
    ("item", "needed"),
    [
        pytest.param(
            "Talisman of Preservation", 4, marks=pytest.mark.rule("wap.item.talisman.talisman-of-preservation")
        ),
        pytest.param("Talisman of Endurance", 5, marks=pytest.mark.rule("wap.item.talisman.talisman-of-endurance")),
        pytest.param("Talisman of Protection", 6, marks=pytest.mark.rule("wap.item.talisman.talisman-of-protection")),
        pytest.param("Seed of Rebirth", 6, marks=pytest.mark.rule("wap.item.talisman.seed-of-rebirth")),
    ],
)
RESISTANCES = pytest.mark.parametrize(
    ("item", "resistance"),
    [
        pytest.param("Obsidian Lodestone", 3, marks=pytest.mark.rule("wap.item.talisman.obsidian-lodestone")),
        pytest.param("Obsidian Amulet", 2, marks=pytest.mark.rule("wap.item.talisman.obsidian-amulet")),
        pytest.param("Obsidian Trinket", 1, marks=pytest.mark.rule("wap.item.talisman.obsidian-trinket")),
        pytest.param("Spellshield", 1, marks=pytest.mark.rule("wap.item.armour.spellshield")),
    ],
)


# ---------------------------------------------------------------- ward saves


@OWNERS
@WARDS
def test_a_talisman_saves_what_armour_does_not(owner: int, item: str, needed: int) -> None:
    """Heavy armour, 4+: then the talisman. Two of three wounds that pass the armour are saved."""
    worn = {"equipment": ["heavy armour"]}
    for die, lost in ((needed, 0), (needed - 1, 1)):
        assert struck(owner, [item], [4, 4, 3, die], bearer=worn) == ([(4, needed)], lost)
    assert struck(owner, [item], [4, 4, 4], bearer=worn) == ([(4, needed)], 0)
    dice = [4, 4, 4, 4, 4, 4, needed, needed - 1, needed]
    assert struck(owner, [item], dice, foe={"a": 3}) == ([(7, needed)], 1)


@OWNERS
@WARDS
def test_a_talisman_saves_its_bearer_and_not_his_unit(owner: int, item: str, needed: int) -> None:
    battle, host, own, foe = in_unit(owner, [item])
    assert shot(battle, host, foe, [4], (1, SHOT)) == [] and battle.units.alive[host] == 9
    assert shot(battle, own, foe, [4, needed], (1, SHOT)) == [(7, needed)]
    assert battle.models.wounds[own.model()] == 5


@OWNERS
@pytest.mark.rule("wap.item.talisman.seed-of-rebirth")
def test_nobody_regenerates_from_fire(owner: int) -> None:
    assert struck(owner, ["Seed of Rebirth"], [4, 4], foe={"rules": ["Flaming Attacks"]}) == ([], 1)


# ---------------------------------------------------------------- resistance to spells


@OWNERS
@RESISTANCES
@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize("holds", [True, False])
def test_obsidian_helps_to_dispel(owner: int, item: str, resistance: int, joined: bool, holds: bool) -> None:
    """A spell cast with 9, and one die less for each point of resistance: 9 in all dispels it, 8 does not."""
    battle, mage, target, _ = under_spells(owner, [item], joined=joined)
    script(battle, [3, 5])
    cast(battle, mage, "Stroke", target, 2)
    value = told(battle, "wap.magic.cast.value")[-1]["amount"]
    assert value == 9
    short = value - resistance - (not holds)
    dice = [min(5, short - 1), short - min(5, short - 1)]
    script(battle, [*dice, 1, 1, 1, 1, 1, 1])
    dispel(battle, None, 2)
    found = told(battle, "wap.magic.dispel.value")[-1]
    assert (found["amount"], bool(told(battle, "wap.shoot.wound.roll"))) == (short + resistance, not holds)


@OWNERS
@DETAILS
@RESISTANCES
@pytest.mark.parametrize("joined", [False, True])
def test_obsidian_saves_from_spells(owner: int, item: str, resistance: int, joined: bool, detail: str) -> None:
    """Of two wounds of a spell one is saved; other wounds are not."""
    needed = 7 - resistance
    battle, mage, target, own = under_spells(owner, [item], joined=joined, detail=detail)
    script(battle, [4, 5, 4, 4, needed, needed - 1])
    cast(battle, mage, "Stroke", target, 2)
    if kind(battle) == "dispel-by":
        let_be(battle)
    assert saves(battle, target)[0][1] == needed
    left = battle.units.alive[target] if joined else battle.models.wounds[own.model()]
    assert left == (9 if joined else 4)
    assert shot(battle, target, mage, [4] if item != "Spellshield" or joined else [4, 4], (1, SHOT)) in ([], [(5, 7)])


@OWNERS
@RESISTANCES
def test_obsidian_shields_its_bearer_s_unit_while_he_lives(owner: int, item: str, resistance: int) -> None:
    battle, _, target, own = under_spells(owner, [item], joined=True)
    assert resistance_of(battle, target.row) == resistance_of(battle, own.row) == resistance
    slay(battle, own.model())
    assert resistance_of(battle, target.row) == 0


# ---------------------------------------------------------------- flames


@OWNERS
@pytest.mark.rule("wap.item.talisman.dragonbane-gem", "wap.item.armour.dragonhelm")
@pytest.mark.parametrize("card", [MOUNTED, {"type": "chariot", "base_mm": [60, 100]}])
@pytest.mark.parametrize(("items", "roll", "flees"), [
    ([], [3, 4], True), ([], [3, 3], False), (["Dragonbane Gem"], [3, 4], False), (["Dragonbane Gem"], [4, 4], True),
    (["Dragonhelm"], [3, 4], False),
])  # fmt: skip
def test_flames_do_not_frighten_the_bearer_of_the_gem(
    owner: int, card: dict[str, Any], items: list[str], roll: list[int], flees: bool
) -> None:
    """Leadership 7, and 1 less for who fears fire: horses and chariots do."""
    battle, own, foe = alone(owner, items, {**card, "ld": 7, "w": 4})
    start_phase(battle, Phase.SHOOTING)
    saving = [1, 1] if "Dragonhelm" in items else []
    shot(battle, own, foe, [6, 6, *saving], (2, Hit(3, nature=RANGED | FLAMING)))
    assert battle.units.scorched[own]
    battle.units.due[own] = HEAVY_CASUALTIES
    script(battle, roll)
    panic_test(battle, own.row)
    assert bool(battle.units.fleeing[own]) is flees


@OWNERS
@pytest.mark.rule("wap.item.talisman.dragonbane-gem")
def test_the_gem_lets_its_bearer_regenerate_from_fire(owner: int) -> None:
    """The harm of the attack itself remains."""
    bearer, foe = {"rules": ["Regeneration (5+)"]}, {"rules": ["Flaming Attacks"]}
    for die, lost in ((5, 0), (4, 1)):
        assert struck(owner, ["Dragonbane Gem"], [4, 4, die], bearer=bearer, foe=foe) == ([(7, 5)], lost)
    assert struck(owner, ["Dragonbane Gem"], [4, 4], foe=foe) == ([], 1)


# ---------------------------------------------------------------- second saves


@OWNERS
@pytest.mark.rule("wap.item.talisman.dawnstone")
@pytest.mark.parametrize(("second", "lost"), [(4, 0), (2, 1), (1, 1)])
def test_the_dawnstone_gives_a_second_armour_save(owner: int, second: int, lost: int) -> None:
    """Full plate, 3+: a failed 2 or 1 is rolled again, once; a save that holds is not."""
    worn = {"equipment": ["full plate armour"]}
    for first in (1, 2):
        assert struck(owner, ["Dawnstone"], [4, 4, first, second], bearer=worn) == ([(3, 7)], lost)
    assert struck(owner, ["Dawnstone"], [4, 4, 3], bearer=worn) == ([(3, 7)], 0)
    dice = [4, 4, 4, 4, 3, 2, second]
    assert struck(owner, ["Dawnstone"], dice, bearer=worn, foe={"a": 2}) == ([(3, 7)], lost)


@OWNERS
@pytest.mark.rule("wap.item.talisman.dawnstone")
def test_the_dawnstone_gives_no_second_ward_save(owner: int) -> None:
    """Nor any save to a bearer without armour, or to his unit."""
    assert struck(owner, ["Dawnstone"], [4, 4, 4], bearer={"rules": ["Ward Save (5+)"]}) == ([(7, 5)], 1)
    assert struck(owner, ["Dawnstone"], [4, 4]) == ([], 1)
    battle, host, own, foe = in_unit(owner, ["Dawnstone"], {"equipment": ["full plate armour"]})
    assert shot(battle, host, foe, [4], (1, SHOT)) == []
    assert shot(battle, own, foe, [4, 2, 3], (1, SHOT)) == [(3, 7)]
