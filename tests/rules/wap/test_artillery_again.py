"""The artillery die is rolled again only by a rule that names it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.heroes import hero
from tests.machine_scenes import ARROW, HIT, MISFIRE, NORTH, Range, struck
from tests.spell_scenes import Circle
from wh_env import Battle
from wh_env.agents.invariants import Invariants
from wh_env.testing import choose, dice_left, kind, script, slots, told, words
from wh_env.testing.wap import square

RULE = "wap.core.dice.special-no-reroll"
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
AGAIN = {"rules": ["Artillery Die Again"]}
NO_SHOT = "wap.machine.misfire.black-powder.no-shot"


def misfired(player: int, dice: tuple[int, ...], *, detail: str = "full", **fields: Any) -> tuple[Battle, Range]:
    """A cannon has fired at a man 24 inches away; its artillery die shows a misfire."""
    place = Range(player, **fields)
    target = place.enemy(None, (33.5, 24))
    battle = place.battle([HIT, NORTH, MISFIRE, *dice], detail=detail)
    place.fire(battle, target, 34, 24)
    return battle, place


@pytest.mark.rule("wap.core.dice.special-no-reroll")
@BOTH_PLAYERS
@pytest.mark.parametrize("detail", ["full", "squad"])
def test_who_may_roll_an_artillery_die_again_is_asked_after_a_misfire(player: int, detail: str) -> None:
    """A misfire becomes a 6, and the ball comes down where it was aimed; then it bounces 2 inches."""
    battle, place = misfired(player, (3, 1, 1, 1, 1), **AGAIN)
    assert (kind(battle), battle.clock.player[0]) == ("artillery-again", player)
    assert slots(battle, "option") == [0] and battle.legal()[0] and Invariants(battle).after() == []
    assert sorted(words(battle).values()) == [
        "let a misfire stand",
        "roll the artillery die again, which shows a misfire",
    ]
    stands = battle.clone()
    choose(battle, "option", 0)
    assert told(battle, RULE) == [{"unit": place.machine.row, "rolls": (0, 6)}]
    assert struck(battle) and not told(battle, NO_SHOT)
    choose(stands, "done")
    assert not struck(stands)


@pytest.mark.rule("wap.core.dice.special-no-reroll")
@BOTH_PLAYERS
def test_the_second_artillery_die_stands(player: int) -> None:
    battle, place = misfired(player, (MISFIRE, 6), **AGAIN)
    choose(battle, "option", 0)
    assert kind(battle) != "artillery-again" and not struck(battle)
    assert [event["unit"] for event in told(battle, NO_SHOT)] == [place.machine.row] and dice_left(battle) == 0


@pytest.mark.rule("wap.core.dice.special-no-reroll")
@BOTH_PLAYERS
def test_an_engineer_who_serves_the_machine_may_have_the_rule(player: int) -> None:
    place = Range(player)
    engineer = hero(rules=["Serves War Machines", "Artillery Die Again"])
    place.scene.unit(player, engineer, inside=place.machine, models=1, beside=1)
    target = place.enemy(None, (33.5, 24))
    battle = place.battle([HIT, NORTH, MISFIRE])
    place.fire(battle, target, 34, 24)
    assert kind(battle) == "artillery-again"


@pytest.mark.rule("wap.core.dice.special-no-reroll")
@BOTH_PLAYERS
@pytest.mark.parametrize("weapon", ["stone thrower", "fire thrower"])
def test_it_names_the_dice_of_other_machines_too(player: int, weapon: str) -> None:
    place = Range(player, weapon, **AGAIN)
    away = 24.0 if weapon == "stone thrower" else 6.0
    target = place.enemy(None, (10 + away, 24), models=1)
    dice = [ARROW, NORTH, MISFIRE, 1] if weapon == "stone thrower" else [MISFIRE, 1]
    battle = place.battle([*dice, 1, 1])
    place.fire(battle, target, 10.5 + away, 24, "a stone at what it sees")
    assert kind(battle) == "artillery-again"
    choose(battle, "option", 0)
    rule = "wap.machine.stone-thrower.scatter" if weapon == "stone thrower" else "wap.machine.fire-thrower.hits"
    assert told(battle, rule)[-1]["far"] == 2.0 and told(battle, RULE)[0]["rolls"] == (0, 2)
    if weapon == "stone thrower":  # the arrow of the first throw counts
        assert place.place(battle, rule) == pytest.approx((10.5 + away, 26.0), abs=0.5)


@pytest.mark.rule("wap.core.dice.special-no-reroll")
@BOTH_PLAYERS
def test_no_other_machine_is_asked(player: int) -> None:
    battle, place = misfired(player, (6,))
    assert kind(battle) != "artillery-again" and told(battle, RULE) == []
    assert [event["unit"] for event in told(battle, NO_SHOT)] == [place.machine.row] and dice_left(battle) == 0


@pytest.mark.rule("wap.core.dice.special-no-reroll")
@BOTH_PLAYERS
def test_a_permission_for_any_die_of_the_phase_is_none_for_an_artillery_die(player: int) -> None:
    """A wizard who may roll a die of his spells again is asked about those with which he casts the Purple Sun, but not
    about the artillery die that shows a misfire, nor about the arrow.
    """
    place = Circle("death", player)
    place.enemy(square(t=6), (60, 40), models=5)
    battle = place.battle()
    battle.wizards.fate[place.wizard.row] = 1
    place.cast(battle, "The Purple Sun of Xereus", [5, 5, 5, 4])
    assert kind(battle) == "fate-die"
    choose(battle, "done")
    asked = set[str]()
    script(battle, [MISFIRE, ARROW, NORTH, 1, 1, 1, *[1] * 12])
    while kind(battle) in ("vortex-place", "vortex-way", "dispel-by", "spell-version"):
        asked.add(str(kind(battle)))
        battle.apply(int(battle.legal().nonzero()[0][0]))
    assert "vortex-way" in asked and kind(battle) != "fate-die"
    assert battle.wizards.fate[place.wizard.row] == 1 and told(battle, "wap.lore.heavens.attribute") == []
