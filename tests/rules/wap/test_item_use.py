"""Magic weapons and armour beside mundane ones (wap.item.general.*)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from carrying import HIT, WOUND, duel, saves
from heroes import hero, rider

from wh_env import Battle
from wh_env.rulesets.wap.basics.carried import Moment, usable
from wh_env.rulesets.wap.codes import OFF_HAND, TROOPERS
from wh_env.rulesets.wap.weapons.arms import outfit_of, weapon_of
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.rulesets.wap.weapons.hit import MAGICAL
from wh_env.rulesets.wap.weapons.saves import Ward, armour_save, parries_of
from wh_env.testing import choose, kind, script, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
MAIL = {
    "name": "Scales", "rule": "wap.item.test", "family": "armour", "points": 25, "as": "light-armour",
    "effects": [{"grant": ["fear"]}],
}  # fmt: skip
RUNES = {"weapon": "rune axe", "strength": "+2", "rules": ["magic weapon"]}


def line_of(battle: Battle, unit: UnitHandle, kind_: int) -> int:
    """The fighting profile of a kind of a unit, -1: it has none."""
    first = battle.units.first_line[unit.row]
    lines = range(first, first + battle.units.lines[unit.row])
    return next((line for line in lines if battle.lines.kind[line] == kind_), -1)


# ---------------------------------------------------------------- beside mundane weapons


@OWNERS
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.item.general.weapon-is-hand-weapon")
def test_the_attack_of_a_second_weapon_is_mundane(owner: int, detail: str) -> None:
    """3 attacks at Strength 5 and one at Strength 4, against Toughness 4."""
    card = {"s": 4, "equipment": ["additional hand weapon"]}
    battle, own, enemy = duel(owner, ["Sword of Might"], bearer=card, foe=square(t=4), detail=detail)
    script(battle, [4, 4, 4, 3, 3, 2, 4, 4])
    fight(battle, own)
    rolls = [
        [(row["amount"], row["needed"]) for row in told(battle, rule) if row["unit"] == own.row]
        for rule in (HIT, WOUND)
    ]
    assert rolls == [[(3, 4), (1, 4)], [(3, 3), (1, 4)]] and battle.units.alive[enemy] == 7
    assert [row["amount"] for row in told(battle, "wap.combat.attacks.number") if row["unit"] == own.row] == [3, 1]


@OWNERS
@pytest.mark.rule("wap.item.general.weapon-is-hand-weapon")
@pytest.mark.parametrize("second", ["additional hand weapon", "pistol"])
def test_the_second_weapon_has_no_rule_of_the_magic_one(owner: int, second: str) -> None:
    """The Biting Blade's Armour Piercing and its magic; what the bearer has by himself counts for both."""
    card = {"equipment": [second], "rules": ["Hatred"]}
    battle, own, enemy = duel(owner, ["Biting Blade"], bearer=card)
    blows = [blow_of(battle, own.row, line_of(battle, own, which), enemy.row) for which in (TROOPERS, OFF_HAND)]
    assert [blow.attacks for blow in blows] == [3, 1] and [blow.piercing for blow in blows] == [1, 0]
    assert [bool(blow.nature & MAGICAL) for blow in blows] == [True, False]
    assert blows[0].rerolls == blows[1].rerolls and blows[0].rerolls.failed == 1


@OWNERS
@pytest.mark.rule("wap.item.general.weapon-is-hand-weapon")
def test_more_attacks_of_the_bearer_are_made_with_the_magic_weapon(owner: int) -> None:
    """Frenzy adds one Attack, not one for each hand."""
    card = {"equipment": ["additional hand weapon"], "rules": ["Frenzy"]}
    battle, own, enemy = duel(owner, ["Sword of Might"], bearer=card)
    blows = [blow_of(battle, own.row, line_of(battle, own, which), enemy.row) for which in (TROOPERS, OFF_HAND)]
    assert [blow.attacks for blow in blows] == [4, 1] and [blow.strength for blow in blows] == [4, 3]


@OWNERS
@pytest.mark.rule("wap.item.general.weapon-is-hand-weapon")
@pytest.mark.parametrize(
    ("kit", "wards", "save"),
    [
        ([], [], 7),
        (["shield"], [Ward(6)], 6),
        (["additional hand weapon"], [Ward(6)], 7),
        (["additional hand weapon", "shield"], [Ward(6)], 7),
    ],
)
def test_a_magic_weapon_parries_as_a_hand_weapon_does(owner: int, kit: list[str], wards: list[Ward], save: int) -> None:
    """With a shield or a second weapon, which leaves no hand for a shield."""
    battle, own, _ = duel(owner, ["Sword of Might"], bearer={"equipment": kit}, foe=square(i=5), foes=1)
    assert parries_of(battle, own.row) == wards and armour_save(battle, own.row) == save
    script(battle, [4, 4, 6])
    fight(battle, own)
    assert saves(battle, own)[:1] == ([(save, 6)] if wards else [])


@pytest.mark.rule("wap.item.general.weapon-is-hand-weapon")
def test_a_mundane_hand_weapon_has_no_second_profile() -> None:
    for items in ([], ["Talisman of Protection"]):
        battle, own, _ = duel(0, items, bearer={"equipment": ["additional hand weapon"]})
        assert line_of(battle, own, OFF_HAND) == -1 and weapon_of(battle, own.row).attacks == 1


# ---------------------------------------------------------------- in place of others


@OWNERS
@pytest.mark.rule("wap.item.general.weapon-use")
def test_a_magic_weapon_is_used_in_place_of_a_lance(owner: int) -> None:
    """He has charged: +1 Strength of the sword, nothing of the lance."""
    for items, found in ((["Sword of Might"], (5, 5)), ([], (6, 7))):
        scene = RegimentScene()
        own = scene.unit(
            owner, rider(s=4, i=4, equipment=["lance"]), (24, 24), models=1, files=1, items=items, charging=1
        )
        enemy = scene.beside(own, 1 - owner, None, models=10)
        battle = scene.battle("combat", player=owner, run=False)
        blow = blow_of(battle, own.row, line_of(battle, own, TROOPERS), enemy.row)
        assert (blow.strength, blow.initiative) == found, items
    assert kind(battle) != "choose-weapon"


@OWNERS
@pytest.mark.rule("wap.item.general.weapon-use")
def test_of_several_magic_weapons_one_is_chosen_for_the_combat(owner: int) -> None:
    """At its start, and no mundane weapon is offered; in the next round nobody is asked, in a new combat he is."""
    kit = ["rune axe", "great weapon", "additional hand weapon"]
    card = hero(s=4, w=9, t=9, weapons=[RUNES], equipment=kit, rules=["Unbreakable"])
    scene = RegimentScene()
    own = scene.unit(owner, card, (24, 24), models=1, files=1, items=["Sword of Might"])
    enemy = scene.beside(own, 1 - owner, square(t=10, ld=10, rules=["Unbreakable"]), models=20)
    battle = scene.battle("combat", player=owner)
    assert kind(battle) == "choose-weapon" and battle.decision is not None and battle.decision.player == owner
    offered = ["Sword of Might and additional hand weapon", "rune axe and additional hand weapon"]
    assert list(words(battle).values()) == offered
    choose(battle, "option", 1)
    assert told(battle, "wap.weapon.general.choose") == [{"unit": own.row, "name": offered[1]}]
    blow = blow_of(battle, own.row, line_of(battle, own, TROOPERS), enemy.row)
    assert blow.strength == 6 and battle.units.fights[own.row]
    asked = set[str]()
    while battle.clock.round[0] < 3 and not battle.over:
        asked.add(kind(battle))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.rounds[own.row] >= 2 and "choose-weapon" not in asked
    assert weapon_of(battle, own.row).name == offered[1]
    battle.units.rounds[own.row] = 0  # a new combat
    battle.units.weapon[own.row] = 0
    while kind(battle) != "choose-weapon":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.decision is not None and battle.decision.player == owner


@pytest.mark.rule("wap.item.general.weapon-names")
def test_a_hero_with_an_axe_fights_with_a_sword_s_strength() -> None:
    axe: dict[str, Any] = {"weapons": [{"weapon": "axe", "strength": "user"}], "equipment": ["axe"], "s": 4}
    battle, own, enemy = duel(0, ["Sword of Might"], bearer=axe)
    assert blow_of(battle, own.row, line_of(battle, own, TROOPERS), enemy.row).strength == 5
    assert [weapon.name for weapon in outfit_of(battle, own.row).weapons] == ["Sword of Might"]


@OWNERS
@pytest.mark.rule("wap.item.general.armour-replaces")
@pytest.mark.parametrize(
    ("kit", "save"), [(["heavy armour"], 6), (["heavy armour", "shield"], 5), (["light armour"], 6), ([], 6)]
)
def test_magic_armour_is_worn_in_place_of_mundane(owner: int, kit: list[str], save: int) -> None:
    """A magic suit in place of the suit, a magic shield in place of the shield; the other stays."""
    foe = square(i=5)
    battle, own, _ = duel(owner, [MAIL], bearer={"equipment": kit}, foe=foe, foes=1)
    assert armour_save(battle, own.row) == save
    script(battle, [4, 4, 6, 6])
    fight(battle, own)
    assert saves(battle, own)[0][0] == save
    shield = {**MAIL, "as": "shield"}
    battle, own, _ = duel(owner, [shield], bearer={"equipment": kit}, foe=foe, foes=1)
    suit = 3 if "heavy armour" in kit else 1 if kit else 0
    assert armour_save(battle, own.row) == 7 - suit - 1 and parries_of(battle, own.row) == [Ward(6)]


@OWNERS
@pytest.mark.rule("wap.item.general.arcane-access")
def test_a_wizard_who_has_lost_his_level_uses_no_arcane_item(owner: int) -> None:
    scene = RegimentScene()
    card = hero(wizard={"level": 1, "lores": ["fire"]})
    own = scene.unit(owner, card, (24, 24), models=1, files=1, items=["Potion of Strength"])
    scene.unit(1 - owner, None, (6, 40 if owner == 0 else 8), models=10)
    battle = scene.battle("movement", player=owner, run=False)
    statics = battle.setup.statics
    arcane = {**statics, "items": tuple(replace(item, family="arcane") for item in statics["items"])}
    battle.setup = replace(battle.setup, statics=arcane)
    assert usable(battle, owner, Moment.START_OF_PHASE) == [0]
    battle.wizards.level[own.row] = 0
    assert usable(battle, owner, Moment.START_OF_PHASE) == []
