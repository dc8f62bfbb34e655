"""Heavens: lightning, and the dice that its wizards roll again."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import horse
from lore_hits import PLAYERS, Field, amounts, needed, wizard

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.magic.chains import Chain
from wh_env.rulesets.wap.magic.fate import packed, unpacked
from wh_env.rulesets.wap.magic.may_cast import castable
from wh_env.rulesets.wap.magic.phase import begin_phase
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import UnitHandle, square

BOLT, CHAIN = "Urannon's", "Chain Lightning"
RULE = "wap.lore.heavens."
PLATE = ["hand weapon", "full plate armour", "shield"]


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.urannons-thunderbolt")
def test_lightning_goes_through_armour(player: int) -> None:
    """Three hits of Strength 6 on knights of Toughness 3 wound on 2+; neither their armour nor Natural Armour of 4+
    saves.
    """
    field = Field(player, wizard("heavens", 4))
    target = field.enemy(horse(equipment=PLATE, ld=10, rules=["Natural Armour (4+)"]), (24, 24), models=8, files=4)
    battle = field.battle()
    field.cast(battle, BOLT, target, [3, 5, 2, 1])
    assert battle.units.alive[target] == 6 and needed(battle) == [2]
    assert amounts(battle, RULE + "urannons-thunderbolt") == [3]


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.urannons-thunderbolt")
@pytest.mark.parametrize(("inches", "version", "hits"), [(24, 0, [2]), (24.2, 0, []), (47, 1, [2])])
def test_ranges_of_the_bolt(player: int, inches: float, version: int, hits: list[int]) -> None:
    field = Field(player, wizard("heavens", 4), 72.0)
    target = field.enemy(None, (24, 12 + inches))
    battle = field.battle()
    field.cast(battle, BOLT, target, [2, 1, 1], version=version)
    assert amounts(battle, RULE + "urannons-thunderbolt") == hits


def three(player: int, **values: Any) -> tuple[Field, UnitHandle, UnitHandle, UnitHandle]:
    """Units A, B 5 inches beside A, and C 5 inches beside B but 15 from A; and one that is too far from them."""
    field = Field(player, wizard("heavens", 6))
    card = square(ld=10, w=9, **values)
    a, b, c = (field.enemy(card, (24 + 10 * n, 24), models=5, files=5, name=f"the {'ABC'[n]}") for n in (-1, 0, 1))
    field.enemy(card, (24, 33), models=5, files=5, name="the distant")
    return field, a, b, c


def targets_struck(battle: Battle) -> list[int]:
    """The rows of the units that lightning has struck, in order."""
    return [event["target"] for event in told(battle, RULE + "chain-lightning") if "target" in event]


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.chain-lightning")
def test_it_leaps_from_unit_to_unit(player: int) -> None:
    """Each is struck once, and the third roll changes nothing."""
    field, a, b, c = three(player)
    battle = field.battle()
    field.cast(battle, CHAIN, a, [2, 1, 1, 3, 1, 1, 6, 3, 2, 1, 1, 5, 1])
    assert targets_struck(battle) == [a.row, b.row, c.row]
    assert amounts(battle, RULE + "chain-lightning") == [2, 1, 3] and needed(battle) == [2, 2, 2]
    assert dice_left(battle) == 0
    assert [event["die"] for event in told(battle, RULE + "chain-lightning") if "die" in event] == [3, 6, 5]


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.chain-lightning")
def test_on_a_two_it_ends(player: int) -> None:
    field, a, *_ = three(player)
    battle = field.battle()
    field.cast(battle, CHAIN, a, [1, 1, 2, 1])
    assert amounts(battle, RULE + "chain-lightning") == [1] and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.chain-lightning")
def test_the_player_chooses_among_units_near_it(player: int) -> None:
    field, a, b, c = three(player)
    battle = field.battle()
    field.cast(battle, CHAIN, b, [1, 1, 3])
    assert kind(battle) == "chain-target" and slots(battle, "enemy") == [a.number, c.number]
    assert Validator(battle.setup).fault(battle) is None
    spoilt = battle.clone()
    spoilt.stack[spoilt.frame + Chain.UNIT] = field.caster.row
    assert Validator(battle.setup).fault(spoilt) is not None
    script(battle, [1, 1, 6, 1])
    choose(battle, "enemy", c.number)
    assert targets_struck(battle) == [b.row, c.row]
    assert dice_left(battle) == 0  # B is not struck again, and A is too far from C


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.chain-lightning")
def test_it_leaps_from_where_a_unit_was_and_never_into_combat(player: int) -> None:
    field, a, b, c = three(player)
    lone = field.enemy(square(ld=10), (14, 30), models=1, files=1)
    field.scene.beside(c, player, models=5)
    battle = field.battle()
    field.cast(battle, CHAIN, lone, [1, 2, 3, 1, 1, 3, 1, 1, 3, 1])
    assert battle.units.alive[lone] == 0 and targets_struck(battle) == [lone.row, a.row, b.row]
    assert dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.chain-lightning")
def test_no_unit_is_struck_twice_in_a_phase_by_whomsoever(player: int) -> None:
    field, a, b, c = three(player)
    other = field.own(wizard("heavens", 6), (20, 12), models=1)
    battle = field.battle()
    field.cast(battle, CHAIN, a, [1, 1, 3, 1, 1, 2, 1])
    choose(battle, "own", other.number)
    assert kind(battle) == "spell-target" and slots(battle, "enemy") == sorted({c.number, 3})
    begin_phase(battle)
    assert castable(battle, field.caster.row) and not any(battle.wizards.chained.tolist())
    assert b.row


@pytest.mark.rule("wap.lore.heavens.chain-lightning")
def test_its_range() -> None:
    for inches, reached in ((24, True), (24.1, False)):
        field = Field(0, wizard("heavens", 6))
        field.enemy(None, (24, 12 + inches))
        assert (kind(field.battle()) == "cast-by") == reached


# ---------------------------------------------------------------- fate


def seer(player: int) -> tuple[Field, UnitHandle]:
    """A wizard of Level 1 who knows both spells, before an enemy of many."""
    field = Field(player, wizard("heavens", 4, 6, level=2))
    return field, field.enemy(square(ld=10, w=9), (24, 24), models=20)


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.attribute")
@pytest.mark.parametrize(("die", "fate"), [(3, 0), (4, 1), (6, 1)])
def test_on_a_four_a_die_may_be_rolled_again(player: int, die: int, fate: int) -> None:
    field, target = seer(player)
    battle = field.battle()
    field.cast(battle, BOLT, target, [1, 1, die], roll=(5, 5))
    assert battle.wizards.fate[field.caster] == fate and dice_left(battle) == 0
    script(battle, [1, 4, 5, 2])
    choose(battle, "own", field.caster.number)
    if kind(battle) == "spell-target":
        choose(battle, "enemy", target.number)
    choose(battle, "number", 2)
    assert (kind(battle) == "fate-die") == bool(fate)


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.attribute")
def test_a_one_becomes_a_six_that_brings_a_free_die(player: int) -> None:
    """1, 4, 5 and a 1 is a miscast that casts nothing; with the 1 made a 6 it is 4 + 5 + 1 + 6 + 2."""
    field, target = seer(player)
    battle = field.battle()
    battle.wizards.fate[field.caster] = 1
    field.cast(battle, CHAIN, target, roll=(1, 4, 5, 1))
    assert kind(battle) == "fate-die"
    assert sorted(words(battle).values()) == [
        "let all dice stand", "roll a die that shows 1 again", "roll a die that shows 4 again",
        "roll a die that shows 5 again",
    ]  # fmt: skip
    assert Validator(battle.setup).fault(battle) is None
    kept = field.battle()
    kept.wizards.fate[field.caster] = 1
    field.cast(kept, CHAIN, target, [2], roll=(1, 4, 5, 1))
    choose(kept, "done")
    assert told(kept, "wap.magic.cast.value")[-1]["amount"] == 12 and kept.wizards.fate[field.caster] == 1
    script(battle, [6, 2, 1, 1, 2, 1])
    pick(battle, "roll a die that shows 1 again")
    event = told(battle, "wap.magic.cast.value")[-1]
    assert event["amount"] == 19 and battle.wizards.fate[field.caster] == 0
    assert amounts(battle, RULE + "chain-lightning") == [1]
    assert not [e for e in battle.events if e.kind == "miscasts"]
    assert [e for e in kept.events if e.kind == "miscasts"]


@PLAYERS
@pytest.mark.rule("wap.magic.miscast.natural")
@pytest.mark.parametrize(
    ("roll", "old", "new", "miscasts"), [((1, 1, 4), 1, 3, False), ((1, 4, 4), 4, 1, True), ((1, 1, 4), 4, 3, True)]
)
def test_a_miscast_is_judged_on_the_second_score(
    player: int, roll: tuple[int, ...], old: int, new: int, miscasts: bool
) -> None:
    """The bonus of the wizard's level changes no die."""
    field, target = seer(player)
    battle = field.battle()
    battle.wizards.fate[field.caster] = 1
    field.cast(battle, BOLT, target, roll=roll)
    script(battle, [new] + [1] * 40)
    pick(battle, f"roll a die that shows {old} again")
    left = list(roll)
    left.remove(old)
    (event,) = told(battle, "wap.magic.cast.value")
    assert sorted(event["rolls"]) == sorted([*left, new]) and event["amount"] > sum(event["rolls"])
    assert bool([event for event in battle.events if event.kind == "miscasts"]) is miscasts


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.attribute")
def test_a_die_of_the_hits_may_be_rolled_again(player: int) -> None:
    """One die, once; the other wizard's spells have none."""
    field, target = seer(player)
    other = field.own(wizard("heavens", 4), (20, 12), models=1)
    battle = field.battle()
    battle.wizards.fate[field.caster] = 2
    field.cast(battle, BOLT, target, roll=(5, 5))
    assert kind(battle) == "fate-die"
    script(battle, [3])
    choose(battle, "done")
    assert kind(battle) == "fate-die" and len(words(battle)) == 2
    assert Validator(battle.setup).fault(battle) is None
    script(battle, [4, 1, 1, 1, 1, 1])
    pick(battle, "roll a die that shows 3 again")
    assert amounts(battle, RULE + "urannons-thunderbolt") == [4] and battle.wizards.fate[field.caster] == 1
    field.cast(battle, BOLT, target, [2, 1, 1, 1], caster=other)
    assert amounts(battle, RULE + "urannons-thunderbolt") == [4, 2]


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.attribute")
def test_hits_of_leaping_lightning_may_be_rolled_again_and_all_ends_with_the_phase(player: int) -> None:
    field, a, b, _ = three(player)
    battle = field.battle()
    battle.wizards.fate[field.caster] = 2
    field.cast(battle, CHAIN, a)
    choose(battle, "done")  # the casting roll stands
    assert kind(battle) == "fate-die"
    script(battle, [1, 3])  # A is hit, and it leaps
    choose(battle, "done")
    while kind(battle) != "fate-die":
        battle.apply(battle.first_legal())
    assert targets_struck(battle) == [a.row]
    script(battle, [2, 1, 1, 2])
    choose(battle, "option", slots(battle, "option")[0])
    assert kind(battle) == "fate-die" or targets_struck(battle) == [a.row, b.row]
    begin_phase(battle)
    assert not any(battle.wizards.fate.tolist())


def test_dice_are_packed_and_unpacked() -> None:
    for faces in ((), (1,), (6, 6, 6), (1, 2, 2, 6), (3,) * 15):
        assert unpacked(packed(faces)) == tuple(sorted(faces))
