"""The Luckstone: its bearer rolls one failed save again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from arcana import duel as duel_of_wizards
from carrying import duel
from guarding import MOUNTED, alone, in_unit, under_spells
from heroes import hero
from wizards import cast, let_be

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.core.views import SeatView
from wh_env.rulesets.wap.casualties.second_saves import stone_of
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.view.tell import sentence
from wh_env.rulesets.wap.weapons.hit import RANGED, Hit
from wh_env.testing import choose, dice_left, kind, script, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
STONE = "wap.item.talisman.luckstone"
ARMOURED = {"equipment": ["heavy armour"], "w": 3}  # 4+
SHOT = Hit(3, nature=RANGED)


def sound(battle: Battle) -> bool:
    """Whether the battle may be stored and loaded again."""
    return list(Validator(battle.setup).faults(battle)) == []


def hurt(battle: Battle, target: UnitHandle, by: UnitHandle, dice: list[int], hits: int = 1, hit: Hit = SHOT) -> None:
    """Shots hit a unit, with these dice; then the battle goes on."""
    battle.events.clear()
    script(battle, dice)
    take_hits(battle, target.row, [(hits, hit)], FRONT, by.row)
    battle.run()


def wounds(battle: Battle, unit: UnitHandle) -> int:
    """The Wounds that a model has left."""
    return int(battle.models.wounds[unit.model()])


# ---------------------------------------------------------------- blows


def blows(owner: int, foe: dict[str, Any] | None = None, **bearer: Any) -> tuple[Battle, UnitHandle]:
    """The bearer in contact with an enemy who strikes first."""
    card = {**ARMOURED, "i": 1, **bearer}
    battle, own, _ = duel(
        owner, ["Luckstone"], bearer=card, foe=square(**{"i": 5, **(foe or {})}), foes=1, detail="full"
    )
    return battle, own


def to_question(battle: Battle, own: UnitHandle, dice: list[int]) -> None:
    """Fight until the bearer's player is asked about his stone."""
    script(battle, dice)
    battle.run()
    for _ in range(20):
        if kind(battle) == "save-again":
            break
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert kind(battle) == "save-again" and battle.clock.player[0] == own.player and sound(battle)
    assert battle.clock.subject[0] == own.row


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone", "wap.item.general.one-use")
@pytest.mark.parametrize(("die", "left"), [(5, 3), (4, 3), (3, 2), (1, 2)])
def test_a_failed_armour_save_is_rolled_again(owner: int, die: int, left: int) -> None:
    """A 2 against a needed 4+; 5 saves the wound, and the enemy has won nothing by it."""
    battle, own = blows(owner)
    to_question(battle, own, [4, 4, 2])
    name = own.regiment.name
    assert list(words(battle).values()) == [f"{name} keeps Luckstone", f"{name} uses Luckstone on its armour save (4+)"]
    script(battle, [die, 1, 1, 1])
    choose(battle, "option", 0)
    assert wounds(battle, own) == left and battle.items.used[0] and sound(battle)
    dealt = [row["amount"] for row in told(battle, "wap.combat.casualties.tally") if row["target"] == own.row]
    assert sum(dealt) == 3 - left
    done = "saves the wound" if left == 3 else "does not save the wound"
    said = [sentence(battle, event) for event in battle.events if event.rule == STONE]
    assert said == [f"{name} uses Luckstone", f"Luckstone of {name} {done}: {die}, 4+ needed"]


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
def test_after_that_no_re_roll_is_offered(owner: int) -> None:
    """He fails a later save, in a later round."""
    battle, own, foe = alone(owner, ["Luckstone"], ARMOURED, "full")
    hurt(battle, own, foe, [4, 2])
    assert kind(battle) == "save-again"
    script(battle, [5])
    choose(battle, "option", 0)
    assert wounds(battle, own) == 3 and stone_of(battle, own.row) == -1
    hurt(battle, own, foe, [4, 2])
    assert kind(battle) != "save-again" and wounds(battle, own) == 2


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
def test_he_may_keep_it(owner: int) -> None:
    battle, own = blows(owner)
    to_question(battle, own, [4, 4, 2])
    script(battle, [1, 1, 1])
    choose(battle, "done")
    assert wounds(battle, own) == 2 and not battle.items.used[0] and stone_of(battle, own.row) == 0


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
def test_a_passed_save_asks_nothing(owner: int) -> None:
    battle, own = blows(owner)
    script(battle, [4, 4, 4, 1, 1, 1])
    fight(battle, own)
    assert wounds(battle, own) == 3 and not battle.items.used[0] and not told(battle, STONE)


# ---------------------------------------------------------------- ward saves, wounds, other hits


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
@pytest.mark.parametrize(("option", "die", "left"), [(0, 4, 3), (1, 4, 2), (1, 5, 3)])
def test_either_save_may_be_rolled_again(owner: int, option: int, die: int, left: int) -> None:
    """Armour 4+ and a ward save of 5+, both failed."""
    battle, own, foe = alone(owner, ["Luckstone"], {**ARMOURED, "rules": ["Ward Save (5+)"]}, "full")
    hurt(battle, own, foe, [4, 2, 4])
    assert slots(battle, "option") == [0, 1] and sound(battle)
    script(battle, [die])
    choose(battle, "option", option)
    assert wounds(battle, own) == left and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
def test_a_save_that_is_not_rolled_is_not_rolled_again(owner: int) -> None:
    """Strength 7 leaves a save of 8+, so the ward save alone is offered; without one nothing is."""
    for rules, asked in ((["Ward Save (5+)"], [1]), ([], [])):
        battle, own, foe = alone(owner, ["Luckstone"], {**ARMOURED, "rules": rules}, "full")
        hurt(battle, own, foe, [4, *([2] if rules else [])], hit=SHOT._replace(strength=7))
        assert (kind(battle) == "save-again") == bool(asked) and (not asked or slots(battle, "option") == asked)


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone", "wap.core.reroll.once")
def test_a_die_that_was_rolled_again_is_not_rolled_a_third_time(owner: int) -> None:
    battle, own, foe = alone(owner, ["Luckstone", "Dawnstone"], ARMOURED, "full")
    hurt(battle, own, foe, [4, 2, 3])
    assert kind(battle) != "save-again" and wounds(battle, own) == 2


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
def test_one_of_several_wounds_is_saved(owner: int) -> None:
    """Three failed saves of D3 Wounds each; one of them is passed after all. Wounds beyond his last count too."""
    battle, own, foe = alone(owner, ["Luckstone"], {**ARMOURED, "w": 9}, "full")
    hurt(battle, own, foe, [4, 4, 4, 2, 2, 2, 1, 3, 5], 3, SHOT._replace(takes=(1, 3, 0)))
    script(battle, [6])
    choose(battle, "option", 0)
    assert wounds(battle, own) == 6
    battle, own, foe = alone(owner, ["Luckstone"], {**ARMOURED, "w": 2}, "full")
    hurt(battle, own, foe, [4, 4, 4, 2, 2, 2], 3)
    script(battle, [6])
    choose(battle, "option", 0)
    assert battle.units.alive[own] == 0 and battle.items.used[0]


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
def test_the_bearer_in_a_unit_and_not_the_unit(owner: int) -> None:
    battle, host, own, foe = in_unit(owner, ["Luckstone"], ARMOURED, "full")
    hurt(battle, host, foe, [4, 4], 2)
    assert kind(battle) != "save-again" and battle.units.alive[host] == 8
    battle, host, own, foe = in_unit(owner, ["Luckstone"], {**ARMOURED, **MOUNTED}, "full")
    hurt(battle, own, foe, [4, 1])
    assert kind(battle) == "save-again" and sound(battle)
    script(battle, [6])
    choose(battle, "option", 0)
    assert wounds(battle, own) == 3


@OWNERS
@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.rule("wap.item.talisman.luckstone")
def test_against_a_spell_the_ward_save_of_its_resistance(owner: int, joined: bool) -> None:
    """A Stroke of two hits on the bearer; joined to a unit of ten he takes none of them."""
    battle, mage, target, own = under_spells(owner, ["Luckstone", "Obsidian Trinket"], joined=joined, detail="full")
    script(battle, [5, 5])
    cast(battle, mage, "Stroke", target, 2)
    script(battle, [6, 1, 2])
    let_be(battle)
    assert (kind(battle) == "save-again") is not joined and sound(battle)
    if not joined:
        script(battle, [6])
        choose(battle, "option", 1)
        assert wounds(battle, own) == 5


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
def test_by_default_it_is_used_if_that_spares_a_wound(owner: int) -> None:
    battle, own, foe = alone(owner, ["Luckstone"], ARMOURED)
    hurt(battle, own, foe, [4, 2, 5])
    assert wounds(battle, own) == 3 and battle.items.used[0]


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone", "wap.army.list.hidden")
def test_the_question_does_not_betray_a_stone_that_is_not_known(owner: int) -> None:
    """With hidden lists the enemy does not see that he is asked, until he uses the stone."""
    scene = RegimentScene(rules={"lists": "hidden"})
    own = scene.unit(owner, hero(**ARMOURED), (24, 20), models=1, files=1, items=["Luckstone"])
    foe = scene.unit(1 - owner, None, (24, 40 if owner == 0 else 4), models=5)
    battle = scene.battle("shooting", player=1 - owner, run=False, detail="full")
    hurt(battle, own, foe, [4, 2])
    assert kind(battle) == "save-again" and sound(battle)
    assert SeatView().of(battle, 1 - owner).decision is None and SeatView().of(battle, owner).decision is not None
    script(battle, [5])
    choose(battle, "option", 0)
    assert battle.items.seen[0] and wounds(battle, own) == 3


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
def test_the_battle_can_be_copied_while_it_is_asked(owner: int) -> None:
    """The copy goes on alike; then it is played on at random."""
    battle, own = blows(owner)
    to_question(battle, own, [4, 4, 2])
    again = battle.clone()
    for one in (battle, again):
        script(one, [5, 1, 1, 1])
        choose(one, "option", 0)
    assert again.buffer.tobytes() == battle.buffer.tobytes()
    rng = np.random.default_rng(owner)
    for _ in range(60):
        if battle.over:
            break
        battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
        assert sound(battle)


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone")
@pytest.mark.parametrize("saved", [True, False])
def test_a_single_model_of_a_spell_and_a_scroll(owner: int, saved: bool) -> None:
    """Wounds of a scroll ignore armour: a wizard with the stone rolls his ward save again."""
    card = {"w": 3, "rules": ["Ward Save (5+)"]}
    d = duel_of_wizards(1 - owner, ["Luckstone"], ["Feedback Scroll"], mage=card)
    script(d.battle, [5, 4])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    script(d.battle, [1, 1, 5, 4, 4])
    choose(d.battle, "number", 0)
    assert kind(d.battle) == "save-again" and slots(d.battle, "option") == [1] and sound(d.battle)
    script(d.battle, [5 if saved else 4])
    choose(d.battle, "option", 1)
    assert wounds(d.battle, d.mage) == (3 if saved else 2)


@OWNERS
@pytest.mark.rule("wap.item.talisman.luckstone", "wap.special.killing-blow.result")
@pytest.mark.parametrize(("die", "left"), [(5, 3), (4, 0)])
def test_the_ward_save_against_a_killing_blow(owner: int, die: int, left: int) -> None:
    """It would cost him all his Wounds."""
    battle, own = blows(owner, {"rules": ["Killing Blow"]}, rules=["Ward Save (5+)"], equipment=[])
    to_question(battle, own, [4, 6, 2])
    assert slots(battle, "option") == [1]
    script(battle, [die, 1, 1, 1])
    choose(battle, "option", 1)
    assert wounds(battle, own) == left
