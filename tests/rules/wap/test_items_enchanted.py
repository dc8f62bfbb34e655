"""Enchanted items that are drunk, and what holds for the rest of a turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from heroes import HORSE, hero, rider

from wh_env import Battle
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.view.appraise_items import best_use
from wh_env.testing import choose, dice_left, kind, pick, script, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
NEEDED = "wap.shoot.wound.roll"


def values(battle: Battle, unit: UnitHandle, name: str) -> list[int]:
    """A characteristic of each fighting profile of a unit now."""
    first = battle.units.first_line[unit.row]
    return [getattr(battle.lines, name)[line] for line in range(first, first + battle.units.lines[unit.row])]


def until(battle: Battle, there: Callable[[], bool]) -> set[str | None]:
    """Do nothing until ``there`` holds; returns the kinds of the decisions on the way."""
    asked = set[str | None]()
    while not there():
        asked.add(kind(battle))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
        assert not battle.over
    return asked


def volley(battle: Battle, archers: UnitHandle, bearer: UnitHandle, dice: list[int]) -> list[int]:
    """Archers shoot at the bearer with these dice; returns the scores that their hits needed to wound."""
    script(battle, dice)
    pick(battle, f"{archers.regiment.name} shoots")
    if kind(battle) == "shoot-target":
        choose(battle, "enemy", bearer.number)
    return [row["needed"] for row in told(battle, NEEDED) if row["unit"] == archers.row]


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.enchanted.potion-of-toughness", "wap.item.general.one-use")
def test_the_potion_of_toughness_is_drunk_against_shots(owner: int, detail: str) -> None:
    """Drunk at the start of the enemy's Shooting phase: shots of Strength 4 wound Toughness 7 on 6 until that turn
    ends; then he has Toughness 4, and nothing to drink.
    """
    scene = RegimentScene()
    own = scene.unit(owner, hero(t=4, w=9), (24, 24), models=1, files=1, items=["Potion of Toughness"])
    archers = scene.unit(1 - owner, square(equipment=["crossbow"]), (24, 34 if owner == 0 else 14), models=3)
    scene.unit(1 - owner, square(equipment=["crossbow"]), (34, 34 if owner == 0 else 14), models=3)
    battle = scene.battle("shooting", player=1 - owner, detail=detail)
    assert kind(battle) == "use-item" and battle.decision is not None and battle.decision.player == owner
    assert list(words(battle).values()) == [
        f"{own.regiment.name} {does} Potion of Toughness" for does in ("keeps", "uses")
    ]
    script(battle, [6])
    choose(battle, "option")
    assert told(battle, "wap.item.enchanted.potion-of-toughness") == [
        {"unit": own.row, "name": "Potion of Toughness"},
        {"unit": own.row, "name": "t", "amount": 3},
    ]
    assert volley(battle, archers, own, [6, 6, 6, 5, 5, 6]) == [6]
    assert battle.models.wounds[own.model()] == 8 and values(battle, own, "t")[0] == 7
    asked = until(battle, lambda: battle.clock.turn[0] == owner)
    assert "use-item" not in asked | {kind(battle)} and values(battle, own, "t")[0] == 4


def attacks(battle: Battle, unit: UnitHandle) -> list[int]:
    """The numbers of attacks of a unit's profiles, as they were told."""
    return [row["amount"] for row in told(battle, "wap.combat.attacks.number") if row["unit"] == unit.row]


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.enchanted.potion-of-speed", "wap.item.general.one-use")
def test_the_potion_of_speed_adds_attacks_for_a_turn(owner: int, detail: str) -> None:
    """Drunk at the start of his own Close Combat phase: 4 attacks in that turn, 3 in the enemy's. His Initiative is as
    it was.
    """
    scene = RegimentScene()
    steady = {"t": 10, "w": 10, "rules": ["Unbreakable"]}
    own = scene.unit(owner, hero(i=4, **steady), (24, 24), models=1, files=1, items=["Potion of Speed"])
    scene.beside(own, 1 - owner, square(**steady), models=5, files=5)
    battle = scene.battle("combat", player=owner, detail=detail)
    assert kind(battle) == "use-item" and battle.decision is not None and battle.decision.player == owner
    script(battle, [2])
    choose(battle, "option")
    assert told(battle, "wap.item.enchanted.potion-of-speed")[-1] == {"unit": own.row, "name": "a", "amount": 1}
    assert attacks(battle, own) == [4] and values(battle, own, "i")[0] == 4
    asked = until(battle, lambda: len(attacks(battle, own)) == 2)
    assert attacks(battle, own) == [4, 3] and "use-item" not in asked


@OWNERS
@pytest.mark.rule("wap.item.enchanted.potion-of-toughness", "wap.item.enchanted.potion-of-speed")
@pytest.mark.parametrize(("item", "name", "horse"), [("Potion of Toughness", "t", 3), ("Potion of Speed", "a", 1)])
def test_a_horse_has_nothing_of_a_potion_of_its_rider(owner: int, item: str, name: str, horse: int) -> None:
    """And nothing rises above 10. A potion that is kept is offered at the start of each phase of both turns."""
    scene = RegimentScene()
    own = scene.unit(owner, rider(**{name: 9}), (24, 24), models=1, files=1, items=[item])
    scene.unit(1 - owner, None, (6, 40 if owner == 0 else 8), models=10)
    battle = scene.battle("movement", player=owner)
    offered = []
    while len(offered) < 7:
        if kind(battle) == "use-item":
            offered.append((battle.clock.turn[0] == owner, Phase(battle.clock.phase[0])))
        if len(offered) < 7:
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
    phases = [Phase.MOVEMENT, Phase.SHOOTING, Phase.COMBAT]
    assert offered == [(True, phase) for phase in phases] + [(False, phase) for phase in phases] + [(True, phases[0])]
    script(battle, [6])
    choose(battle, "option")
    assert values(battle, own, name) == [10, 10, horse] and dice_left(battle) == 0


# ---------------------------------------------------------------- healing


HEALED = "wap.item.enchanted.healing-potion"


def hurt(unit: UnitHandle, left: int) -> Callable[[Battle], None]:
    """A ``set_state``: a character has so many Wounds left."""

    def apply(battle: Battle) -> None:
        battle.models.wounds[unit.model()] = left

    return apply


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.enchanted.healing-potion", "wap.item.general.one-use")
@pytest.mark.parametrize(("die", "left"), [(1, 2), (3, 3), (6, 3)])
def test_the_healing_potion_gives_lost_wounds_back(owner: int, detail: str, die: int, left: int) -> None:
    """1 of 3 Wounds is left: D3 come back, but never more than 3 are there. It is drunk once."""
    scene = RegimentScene()
    own = scene.unit(owner, hero(w=3), (24, 24), models=1, files=1, items=["Healing Potion"])
    scene.unit(1 - owner, None, (6, 40 if owner == 0 else 8), models=10)
    battle = scene.battle("movement", player=owner, detail=detail, set_state=hurt(own, 1))
    assert kind(battle) == "use-item" and battle.decision is not None and battle.decision.player == owner
    assert list(words(battle).values()) == [f"{own.regiment.name} {does} Healing Potion" for does in ("keeps", "uses")]
    script(battle, [die])
    choose(battle, "option")
    assert told(battle, HEALED) == [
        {"unit": own.row, "name": "Healing Potion"},
        {"unit": own.row, "amount": left - 1},
    ]
    assert battle.models.wounds[own.model()] == left and dice_left(battle) == 0
    battle.models.wounds[own.model()] = 1
    assert "use-item" not in until(battle, lambda: battle.clock.round[0] == 3) | {kind(battle)}


@OWNERS
@pytest.mark.rule("wap.item.enchanted.healing-potion")
def test_the_healing_potion_is_offered_in_turns_of_its_bearer_s_player(owner: int) -> None:
    """At the start of each, if he has lost Wounds, and at no other moment; he may keep it."""
    scene = RegimentScene()
    host = scene.unit(owner, None, (24, 24), models=10)
    own = scene.unit(owner, hero(w=3), inside=host, models=1, items=["Healing Potion"])
    scene.unit(1 - owner, None, (6, 40 if owner == 0 else 8), models=10)
    battle = scene.battle("movement", player=owner)
    offered = []
    while battle.clock.round[0] < 4:
        if battle.clock.round[0] == 2 and battle.clock.turn[0] != owner:
            battle.models.wounds[own.model()] = 2
        if kind(battle) == "use-item":
            offered.append((battle.clock.round[0], battle.clock.turn[0], Phase(battle.clock.phase[0])))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert offered == [(3, owner, Phase.MOVEMENT)]
    battle = scene.battle("shooting", player=owner, set_state=hurt(own, 1))
    asked = until(battle, lambda: battle.clock.turn[0] == owner and battle.clock.round[0] == 2)
    assert "use-item" not in asked and kind(battle) == "use-item"


@OWNERS
@pytest.mark.rule("wap.item.enchanted.healing-potion")
@pytest.mark.parametrize(("left", "after"), [(1, 2), (2, None), (3, None)])
def test_wounds_of_a_mount_are_not_healed(owner: int, left: int, after: int | None) -> None:
    """A rider of 2 Wounds on a mount of 4: he has at most 2 again, and is offered nothing if so many are left."""
    scene = RegimentScene()
    card = rider(w=2, type="monstrous cavalry", mount={**HORSE, "w": 4})
    own = scene.unit(owner, card, (24, 24), models=1, files=1, items=["Healing Potion"])
    scene.unit(1 - owner, None, (6, 40 if owner == 0 else 8), models=10)
    battle = scene.battle("movement", player=owner, set_state=hurt(own, left), dice=[6])
    assert battle.models.max_wounds[own.model()] == 4
    assert (kind(battle) == "use-item") == (after is not None)
    if after is not None:
        choose(battle, "option")
        assert battle.models.wounds[own.model()] == after


@OWNERS
@pytest.mark.rule("wap.item.enchanted.healing-potion")
def test_greedy_play_heals_who_needs_it(owner: int) -> None:
    """Who has lost two Wounds, or has one left."""
    for most, left, drinks in ((3, 2, False), (3, 1, True), (2, 1, True), (4, 2, True)):
        scene = RegimentScene()
        own = scene.unit(owner, hero(w=most), (24, 24), models=1, files=1, items=["Healing Potion"])
        scene.unit(1 - owner, None, (6, 40 if owner == 0 else 8), models=10)
        battle = scene.battle("movement", player=owner, set_state=hurt(own, left))
        assert (best_use(battle, battle.legal()) > 0) == drinks
