"""The Combat Familiar: an attack beside those of its master."""

from __future__ import annotations

from typing import Any

import pytest
from carrying import HIT, WOUND, duel
from heroes import HORSE, hero, rider

from wh_env import Battle
from wh_env.content.wap import load_army, load_rules
from wh_env.content.wap.limits import Muster
from wh_env.content.wap.load import troop_types
from wh_env.core.views import SeatView
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import EXTRA, OFF_HAND, TROOPERS
from wh_env.rulesets.wap.weapons.blows import FIRST, ORDINARY, Blow, blow_of
from wh_env.rulesets.wap.weapons.hit import MAGICAL
from wh_env.testing import choose, kind, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
FAMILIAR = "Combat Familiar"
NUMBER = "wap.combat.attacks.number"


def blows(battle: Battle, unit: UnitHandle, foe: UnitHandle) -> dict[int, Blow]:
    """The blow of each fighting profile of a unit but the champion's, by its kind."""
    first, count = battle.units.first_line[unit.row], battle.units.lines[unit.row]
    lines = [line for line in range(first, first + count) if line != first + 1]
    return {battle.lines.kind[line]: blow_of(battle, unit.row, line, foe.row) for line in lines}


def rolls(battle: Battle, rule: str, unit: UnitHandle) -> list[tuple[int, int]]:
    """(dice, score needed) of each roll of a unit by a rule."""
    return [(row["amount"], row["needed"]) for row in told(battle, rule) if row["unit"] == unit.row]


@OWNERS
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.item.enchanted.combat-familiar")
def test_the_familiar_makes_one_attack_of_strength_3(owner: int, detail: str) -> None:
    """A hero of Strength 4 with 3 Attacks and the Ogre Blade: 3 at Strength 6 and one at 3 against Toughness 4."""
    foe = square(t=4)
    battle, own, enemy = duel(owner, ["Ogre Blade", FAMILIAR], bearer={"s": 4}, foe=foe, detail=detail)
    script(battle, [4, 4, 4, 2, 2, 1, 4, 5])
    fight(battle, own)
    assert rolls(battle, HIT, own) == [(3, 4), (1, 4)] and rolls(battle, WOUND, own) == [(3, 2), (1, 5)]
    assert [row["amount"] for row in told(battle, NUMBER) if row["unit"] == own.row] == [3, 1]
    assert battle.units.alive[enemy] == 7


@OWNERS
@pytest.mark.rule("wap.item.enchanted.combat-familiar")
@pytest.mark.parametrize(
    ("items", "kit", "tier", "attacks", "strength", "initiative"),
    [
        ([], ["great weapon"], ORDINARY, 3, 6, 3),
        ([], ["additional hand weapon"], ORDINARY, 4, 4, 5),
        (["Biting Blade"], [], ORDINARY, 3, 4, 5),
        (["Sword of Swift Slaying"], [], FIRST, 3, 4, 5),
    ],
)
def test_the_familiar_has_nothing_of_a_weapon(
    owner: int, items: list[str], kit: list[str], tier: int, attacks: int, strength: int, initiative: int
) -> None:
    """No Strength, no Attack, no rule, no magic and no place in the order of strikes; its master's skill and Initiative
    are its own.
    """
    card = {"s": 4, "ws": 6, "i": 5, "equipment": kit}
    battle, own, enemy = duel(owner, [*items, FAMILIAR], bearer=card)
    found = blows(battle, own, enemy)
    master = found[TROOPERS]
    assert (master.tier, master.attacks, master.strength, master.initiative) == (tier, attacks, strength, initiative)
    extra = found[EXTRA]
    assert (extra.tier, extra.attacks, extra.supports, extra.strength) == (ORDINARY, 1, 0, 3)
    assert (extra.weapon_skill, extra.initiative, extra.piercing) == (6, 5, 0)
    assert not extra.nature & MAGICAL


@OWNERS
@pytest.mark.rule("wap.item.enchanted.combat-familiar")
def test_the_familiar_strikes_beside_a_second_weapon_and_a_horse(owner: int) -> None:
    """4 profiles of one model, each with its own blow; what the master has by himself counts for the familiar too."""
    card = rider(s=4, i=4, rules=["Hatred", "Frenzy"], equipment=["additional hand weapon"])
    scene = RegimentScene()
    own = scene.unit(owner, card, (24, 24), models=1, files=1, items=["Sword of Might", FAMILIAR])
    enemy = scene.beside(own, 1 - owner, square(t=4, ws=3, i=1), models=10, files=5)
    battle = scene.battle("combat", player=owner, run=False)
    found = blows(battle, own, enemy)
    assert [(which, blow.attacks, blow.strength) for which, blow in found.items()] == [
        (TROOPERS, 4, 5), (OFF_HAND, 1, 4), (EXTRA, 1, 3), (2, 1, HORSE["s"]),
    ]  # fmt: skip
    assert found[EXTRA].rerolls.failed == 1
    fight(battle, own)
    assert sorted(row["amount"] for row in told(battle, NUMBER) if row["unit"] == own.row) == [1, 1, 1, 4]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.combat-familiar")
def test_potions_of_its_master_do_nothing_for_the_familiar(owner: int) -> None:
    """Its Strength is 3, and it makes one attack."""
    for drinks, made in ((True, 6), (False, 3)):
        scene = RegimentScene()
        items = ["Potion of Strength", "Potion of Speed", FAMILIAR]
        own = scene.unit(owner, hero(s=4, i=4), (24, 24), models=1, files=1, items=items)
        enemy = scene.beside(own, 1 - owner, square(t=4, w=9), models=10, files=5)
        battle = scene.battle("combat", player=owner, dice=[6, 6] * drinks)
        while kind(battle) == "use-item":
            choose(battle, "option" if drinks else "done")
        assert [row["amount"] for row in told(battle, NUMBER) if row["unit"] == own.row][:2] == [made, 1]
        assert told(battle, WOUND)[0]["needed"] == (2 if drinks else 4)
        assert blows(battle, own, enemy)[EXTRA].strength == 3


@OWNERS
@pytest.mark.rule("wap.item.enchanted.combat-familiar")
def test_the_familiar_falls_with_its_master(owner: int) -> None:
    """In a unit it makes its attack as long as he lives."""
    for lives in (True, False):
        scene = RegimentScene()
        host = scene.unit(owner, square(i=3), (24, 24), models=10, files=5)
        own = scene.unit(owner, hero(i=5), inside=host, models=1, items=[FAMILIAR])
        scene.beside(host, 1 - owner, square(ws=1, i=1), models=20, files=5)
        battle = scene.battle("combat", player=owner, run=False)
        if not lives:
            slay(battle, own.model())
        fight(battle, host)
        found = [row["amount"] for row in told(battle, NUMBER) if row["unit"] == host.row]
        assert found == [3, 1, 4] if lives else found == [5]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.combat-familiar", "wap.army.list.hidden")
def test_a_familiar_is_secret_until_it_strikes(owner: int) -> None:
    scene = RegimentScene(rules={"lists": "hidden"})
    own = scene.unit(owner, hero(i=4), (24, 24), models=1, files=1, items=[FAMILIAR])
    enemy = scene.beside(own, 1 - owner, square(t=4), models=10, files=5)
    battle = scene.battle("combat", player=owner, run=False)
    battle.clock.round[0] = 1

    def attacks(seat: int) -> int:
        return blows(SeatView().of(battle, seat), own, enemy)[EXTRA].attacks

    assert (attacks(owner), attacks(1 - owner)) == (1, 0)
    fight(battle, own)
    assert [row["amount"] for row in told(battle, NUMBER) if row["unit"] == own.row] == [3, 1]
    assert (attacks(owner), attacks(1 - owner)) == (1, 1)


# ---------------------------------------------------------------- army lists


def army(items: list[str]) -> dict[str, Any]:
    """A list whose hero may have 100 points of items."""
    cards = {"leader": hero(category="lord", equipment=["heavy armour"], items={"points": 100}), "men": square()}
    units = [{"card": "leader", "models": 1, "items": items}]
    return {"name": "list", "sheet": {"name": "sheet", "cards": cards}, "units": units}


@pytest.mark.rule("wap.item.enchanted.combat-familiar")
def test_the_familiar_stands_beside_another_enchanted_item_and_counts_in_no_allowance() -> None:
    """The Crown of Command for 40 and 60 points of others; the 5 of the familiar count in the army's total alone."""
    worn = ["Crown of Command", "Armour of Fortune", "Sword of Striking"]
    loaded = [load_army(army(items)) for items in (worn, [*worn, FAMILIAR])]
    costs = [Muster(one.army, one.sheet, load_rules(), troop_types()).cost for one in loaded]
    assert costs[1] - costs[0] == 5
