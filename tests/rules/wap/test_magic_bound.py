"""Bound spells (wap.magic.bound.*)."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero
from wizards import cast, dispel, in_cast, knowing, let_be, offered_spells, pools, ring, row_of, wizard

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.codes import FORGOTTEN, KNOWN
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.spells import Attribute, Casting
from wh_env.rulesets.wap.magic.wizards import dispellers, level_of
from wh_env.testing import choose, dice_left, kind, script, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle

PLAYERS = pytest.mark.parametrize("player", [0, 1])


def bearing(
    player: int = 0, bound: Any = None, *, dice: tuple[int, ...] = (), level: int = 0, enemy: int = 0,
    detail: str = "full", spells: str = "",
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle | None]:  # fmt: skip
    """A hero with bound spells, a wizard if ``level`` is not 0, twelve inches before an enemy unit; 12 power and 6
    dispel dice. ``enemy``: the level of an enemy wizard."""
    scene = RegimentScene(size=(72, 72))
    bound = ring("Spark", 5) if bound is None else bound
    sign = 1 if player == 0 else -1
    lord = scene.unit(player, wizard(level, bound=bound) if level else hero(bound=bound), (36, 36), models=1)
    foe = scene.unit(1 - player, None, (36, 36 + sign * 12), models=20, files=10)
    rival = scene.unit(1 - player, wizard(enemy), (60, 36 + sign * 20), models=1) if enemy else None
    winds = (6, 6, *[1] * (level + enemy))
    battle = scene.battle(
        "magic", player=player, dice=winds, detail=detail, set_state=knowing({lord: spells} if spells else {})
    )
    assert kind(battle) == "cast-by" and dice_left(battle) == 0 and pools(battle)[player] == 12
    script(battle, dice)
    return battle, lord, foe, rival


@pytest.mark.rule("wap.magic.bound.who")
@PLAYERS
def test_a_warrior_with_a_ring_casts_its_spell_and_is_no_wizard(player: int) -> None:
    battle, lord, *_ = bearing(player)
    assert offered_spells(battle, lord) == ["Spark"] and level_of(battle, lord.row) == 0
    assert not told(battle, "wap.magic.winds.channel-power")
    assert lord.row not in dispellers(battle, player)
    assert "knows Spark" in battle.setup.ruleset.states(battle, lord.row)


@pytest.mark.rule("wap.magic.bound.who")
def test_who_has_lost_concentration_still_uses_his_ring() -> None:
    battle, mage, foe, _ = bearing(level=2, bound=ring("Curse", 5), dice=(2,), spells="Stroke")
    cast(battle, mage, "Stroke", foe, 1)
    assert battle.wizards.cannot_cast[mage] and offered_spells(battle, mage) == ["Curse"]


@pytest.mark.rule("wap.magic.bound.cast", "wap.magic.bound.free-die")
@PLAYERS
def test_one_die_of_the_pool_and_the_free_die_reach_the_power_level(player: int) -> None:
    """3 and 2 of 5; with a power level of 6 they fail. The pool loses one die; the spell is used up for this turn."""
    for power, is_cast in ((5, True), (6, False)):
        bound = [*ring("Spark", power), *ring("Curse", 4)]
        battle, lord, foe, _ = bearing(player, bound, dice=(3, 2))
        cast(battle, lord, "Spark", foe, 0, free=True)
        choose(battle, "number", 0)
        assert told(battle, "wap.magic.cast.value")[-1]["rolls"] == (3, 2)
        assert told(battle, "wap.magic.cast.value")[-1]["amount"] == 5
        assert told(battle, "wap.magic.cast.value")[-1]["needed"] == power
        assert (kind(battle) == "dispel-by") == is_cast and pools(battle)[player] == 11
        if is_cast:
            let_be(battle)
        assert offered_spells(battle, lord) == ["Curse"]


@pytest.mark.rule("wap.magic.bound.free-die", "wap.magic.bound.max-dice")
@PLAYERS
def test_three_dice_at_most_with_the_free_one(player: int) -> None:
    """An innate spell has no free die."""
    battle, lord, foe, _ = bearing(player)
    choose(battle, "own", lord.number)
    assert kind(battle) == "bound-die" and battle.legal()[0]
    for free, most in ((True, [0, 1]), (False, [0, 1, 2])):
        copy = battle.clone()
        choose(copy, *(("option", 0) if free else ("done",)))
        assert kind(copy) == "spell-dice" and slots(copy, "number") == most
        script(copy, [2] * 3)
        choose(copy, "number", most[-1])
        assert pools(copy)[player] == 12 - len(most) and dice_left(copy) == 0
    innate, lord, foe, _ = bearing(player, ring("Spark", 5, item=False))
    choose(innate, "own", lord.number)
    assert kind(innate) == "spell-dice" and slots(innate, "number") == [0, 1, 2]
    assert in_cast(innate, Cast.FREE) == 0 and foe.row != lord.row


@pytest.mark.rule("wap.magic.bound.free-die")
def test_the_free_die_alone_casts_nothing() -> None:
    """The pool is empty."""
    battle, lord, foe, _ = bearing(bound=[*ring("Spark", 5), *ring("Curse", 5)])
    battle.pools.dice[0] = 1
    script(battle, [1, 2])
    cast(battle, lord, "Spark", foe, 1, free=True)
    assert pools(battle)[0] == 0 and kind(battle) != "cast-by"


@pytest.mark.rule("wap.magic.bound.no-bonus")
@PLAYERS
def test_no_bonus_is_added_and_no_concentration_lost(player: int) -> None:
    """2 and 3 of a wizard of level 4 are 5 of 6; after 1 and 1 he may cast his other spells."""
    for dice in ((2, 3), (1, 1)):
        battle, mage, foe, _ = bearing(player, ring("Spark", 6), level=4, dice=dice, spells="Stroke")
        cast(battle, mage, "Spark", foe, 2, bound=True)
        assert told(battle, "wap.magic.cast.value")[-1]["amount"] == sum(dice)
        assert kind(battle) == "cast-by" and not battle.wizards.cannot_cast[mage]
        assert offered_spells(battle, mage) == ["Spark", "Stroke"]


@pytest.mark.rule("wap.magic.bound.base-version")
def test_it_is_always_the_base_version() -> None:
    """Spark is boosted with 13 or more, and reaches 36 inches then; with 16 the ring's has D6 hits."""
    battle, lord, foe, _ = bearing(dice=(6, 5, 5, 3, 3, 6, 6))
    cast(battle, lord, "Spark", foe, 2)
    assert kind(battle) == "dispel-by" and in_cast(battle, Cast.RESULT) == 16
    let_be(battle)
    assert told(battle, "wap.magic.type.missile")[-1]["amount"] == 3
    scene = RegimentScene(size=(72, 72))
    far = scene.unit(0, hero(bound=ring("Spark", 5)), (36, 20), models=1)
    scene.unit(1, None, (36, 50), models=10)
    assert kind(scene.battle("magic")) != "cast-by" and far.row == 0


@pytest.mark.rule("wap.magic.bound.attribute")
@PLAYERS
def test_the_attribute_of_its_lore_acts_on_whoever_casts_it(player: int) -> None:
    class Grows(Attribute):
        """The caster gains a Toughness."""

        def has_cast(self, g: Any, casting: Casting) -> None:
            g.lines.t[g.units.first_line[casting.caster]] += 1

    for dice, toughness in (((5,), 4), ((4,), 3)):
        battle, lord, foe, _ = bearing(player, dice=dice)
        object.__setattr__(battle.setup.statics["lores"][0], "attribute", Grows())
        cast(battle, lord, "Spark", foe, 1)
        if kind(battle) == "dispel-by":
            let_be(battle)
        assert battle.lines.t[battle.units.first_line[lord]] == toughness


@pytest.mark.rule("wap.magic.bound.miscast-item")
@PLAYERS
def test_an_item_that_miscasts_is_dust(player: int) -> None:
    """After its spell has been resolved; no die is rolled for the miscast."""
    bound = [*ring("Curse", 5), *ring("Spark", 5)]
    battle, lord, foe, _ = bearing(player, bound, dice=(1, 1, 4))
    cast(battle, lord, "Curse", foe, 3)
    row = row_of(battle, lord, "Curse", bound=True)
    assert battle.spellbook.known[row] == KNOWN
    line = battle.units.first_line[foe]
    let_be(battle)
    assert battle.spellbook.known[row] == FORGOTTEN and dice_left(battle) == 0
    assert told(battle, "wap.magic.bound.miscast-item") == [{"unit": lord.row, "name": "Curse"}]
    assert not any(event.rule.startswith("wap.magic.miscast") for event in battle.events)
    assert battle.lines.t[line] == 3  # the spell that it kept up is over
    assert offered_spells(battle, lord) == ["Spark"]
    assert list(Validator(battle.setup).faults(battle)) == []


@pytest.mark.rule("wap.magic.bound.miscast-innate")
@PLAYERS
def test_who_miscasts_an_innate_spell_casts_no_other_in_this_phase(player: int) -> None:
    bound = [*ring("Curse", 5, item=False), *ring("Spark", 5, item=False)]
    battle, lord, foe, _ = bearing(player, bound, dice=(1, 1, 5), level=2, spells="Stroke")
    cast(battle, lord, "Curse", foe, 3, bound=True)
    let_be(battle)
    assert offered_spells(battle, lord) == ["Spark", "Stroke"]  # his own
    assert battle.lines.t[battle.units.first_line[foe]] == 2 and dice_left(battle) == 0
    assert told(battle, "wap.magic.bound.miscast-innate") == [{"unit": lord.row}]
    assert not any(event.rule.startswith("wap.magic.miscast") for event in battle.events)
    choose(battle, "done")
    while not (kind(battle) == "cast-by" and battle.clock.turn[0] == player):
        battle.apply(battle.first_legal())
    copy = battle.clone()
    choose(copy, "own", lord.number)
    assert "Spark, bound (5+)" in words(copy).values()


@pytest.mark.rule("wap.magic.bound.dispel")
@PLAYERS
def test_bound_spells_are_dispelled_like_others(player: int) -> None:
    """A result of 7: a wizard of level 1 with 6 and a free 1 has 8; the army with 3 and 3 has 6."""
    for by_wizard, alive in ((True, 20), (False, 19)):
        battle, lord, foe, rival = bearing(player, dice=(3, 4), enemy=1)
        cast(battle, lord, "Spark", foe, 2)
        assert in_cast(battle, Cast.RESULT) == 7
        script(battle, [6, 1] if by_wizard else [3, 3, 1, 6])
        dispel(battle, rival if by_wizard else None, 1 if by_wizard else 2)
        assert battle.units.alive[foe] == alive and dice_left(battle) == 0


@pytest.mark.rule("wap.magic.bound.free-die")
def test_at_squad_detail_the_free_die_is_used() -> None:
    battle, lord, foe, _ = bearing(detail="squad", dice=(3, 2))
    cast(battle, lord, "Spark", foe, 1)
    assert told(battle, "wap.magic.cast.value")[-1]["rolls"] == (3, 2)
