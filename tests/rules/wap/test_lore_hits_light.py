"""Light: its missiles against the unliving, and the will of its wizards."""

from __future__ import annotations

import pytest
from heroes import hero
from lore_hits import PLAYERS, Field, amounts, needed, wizard

from wh_env.testing import choose, dice_left, kind, told
from wh_env.testing.wap import square

GAZE, BANISH = "Shem's", "Banishment"
RULE = "wap.lore.light."


@PLAYERS
@pytest.mark.rule("wap.lore.light.shems-burning-gaze")
@pytest.mark.parametrize("kinds", [["Undead"], ["Daemonic"], ["Vampiric"], []])
def test_the_gaze_on_the_unliving(player: int, kinds: list[str]) -> None:
    """3 and 5 are eight hits of Strength 4; on others 3 is three. They burn."""
    dice = [3, 5] if kinds else [3]
    field = Field(player, wizard("light", 0))
    target = field.enemy(square(ld=10, rules=[*kinds, "Regeneration (2+)"]), models=20)
    battle = field.battle()
    field.cast(battle, GAZE, target, [*dice, *[1] * (sum(dice) - 1), 3])
    assert amounts(battle, RULE + "shems-burning-gaze") == [sum(dice)] and needed(battle) == [3]
    assert battle.units.alive[target] == 19 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.light.shems-burning-gaze")
@pytest.mark.parametrize(("inches", "version", "hits", "score"), [(24, 0, [2], 3), (24.2, 0, [], 0), (47, 1, [2], 2)])
def test_the_boosted_gaze_is_stronger(player: int, inches: float, version: int, hits: list[int], score: int) -> None:
    """Strength 6 wounds Toughness 3 on 2+."""
    field = Field(player, wizard("light", 0), 72.0)
    target = field.enemy(None, (24, 12 + inches))
    battle = field.battle()
    field.cast(battle, GAZE, target, [2, 1, 1], version=version)
    assert amounts(battle, RULE + "shems-burning-gaze") == hits and needed(battle) == ([score] if hits else [])


@pytest.mark.rule("wap.lore.light.shems-burning-gaze", "wap.lore.light.banishment")
@pytest.mark.parametrize(("models", "hits"), [(2, 2), (1, 2), (5, 5)])
def test_most_models_must_be_unliving(models: int, hits: int) -> None:
    """Undead soldiers with two living heroes."""
    field = Field(0, wizard("light", 0))
    target = field.enemy(square(ld=10, rules=["Undead"]), models=models, files=max(3, models))
    for post in (0, 2):
        field.enemy(hero(ld=10), None, inside=target, models=1, post=post)
    battle = field.battle()
    field.cast(battle, GAZE, target, [2, 3, *[1] * 4])
    assert amounts(battle, RULE + "shems-burning-gaze") == [hits]


@PLAYERS
@pytest.mark.rule("wap.lore.light.banishment")
def test_banishment_of_daemons_with_two_others_of_the_lore(player: int) -> None:
    """2, 3, 4 are nine hits of Strength 6; a ward save of 5 that is 4 when rolled again fails."""
    field = Field(player, wizard("light", 5))
    field.own(wizard("light", 0), (30, 12), models=1)
    host = field.own(None, (15, 12), models=5, files=5)
    field.own(wizard("light", 0), None, inside=host, models=1)
    field.own(wizard("fire", 0), (24, 6), models=1)
    target = field.enemy(square(ld=10, t=6, rules=["Daemonic", "Ward Save (5+)"]), models=20)
    battle = field.battle()
    field.cast(battle, BANISH, target, [2, 3, 4, 4, *[3] * 8, 5, 4])
    assert amounts(battle, RULE + "banishment") == [9] and needed(battle) == [4]
    assert battle.units.alive[target] == 19 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.light.banishment")
@pytest.mark.parametrize(("side", "x", "score"), [("own", 36.9, 3), ("own", 37.1, 4), ("enemy", 36.9, 3)])
def test_wizards_of_both_sides_within_twelve_inches_count(player: int, side: str, x: float, score: int) -> None:
    """Bases are an inch wide: from 24.5 to x - 0.5. Strength 4 wounds Toughness 4 on 4+."""
    field = Field(player, wizard("light", 5))
    (field.own if side == "own" else field.enemy)(wizard("light", 2), (x, 12), models=1, files=1)
    target = field.enemy(square(ld=10, t=4), (20, 28), models=20)
    battle = field.battle()
    field.cast(battle, BANISH, target, [1, 1, 1, 1])
    assert amounts(battle, RULE + "banishment") == [2] and needed(battle) == [score]


@PLAYERS
@pytest.mark.rule("wap.lore.light.banishment")
def test_ward_saves_that_fail_are_not_rolled_again_and_the_range_is_boosted(player: int) -> None:
    field = Field(player, wizard("light", 5))
    target = field.enemy(square(ld=10, rules=["Ward Save (4+)"]), (24, 37), models=20)
    for version, hits in ((0, []), (1, [2])):
        battle = field.battle()
        field.cast(battle, BANISH, target, [1, 1, 3, 3, 3, 6, 4], version=version)
        assert amounts(battle, RULE + "banishment") == hits
    assert battle.units.alive[target] == 19 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.light.attribute")
@pytest.mark.parametrize(("test", "total"), [([3, 4], 9), ([4, 5], 7), ([], 8)])
def test_the_will_of_the_wizard(player: int, test: list[int], total: int) -> None:
    """Level 2 and Leadership 8: 3 + 4 + 1, and 1 more or less. The General lends no Leadership."""
    field = Field(player, wizard("light", 0, level=2))
    field.own(hero(ld=10), (30, 12), models=1, leads=["general"])
    target = field.enemy(None)
    battle = field.battle()
    field.cast(battle, GAZE, target, [1, 1], roll=(3, 4), before=test, will=bool(test))
    assert told(battle, "wap.magic.cast.value")[-1]["amount"] == total
    leadership = [event["leadership"] for event in told(battle, RULE + "attribute")]
    assert leadership == ([8] if test else []) and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.light.attribute")
def test_the_will_counts_for_one_spell_and_not_beside_the_leadership_of_the_unit(player: int) -> None:
    """He stands in a unit of Leadership 10; his own is 8."""
    field = Field(player, square())
    host = field.own(square(ld=10), (30, 12), models=5)
    shaman = field.own(wizard("light", 0, 5, level=2), None, inside=host, models=1)
    target = field.enemy(None, (28, 24))
    battle = field.battle()
    field.cast(battle, BANISH, target, roll=(5, 3), before=[4, 5], will=True, caster=shaman)
    assert told(battle, "wap.magic.cast.value")[-1]["amount"] == 8 and kind(battle) == "cast-by"
    field.cast(battle, GAZE, target, [1, 1], roll=(3, 4), caster=shaman)
    assert told(battle, "wap.magic.cast.value")[-1]["amount"] == 8


@pytest.mark.rule("wap.lore.light.attribute")
def test_the_question_and_its_default() -> None:
    field = Field(0, wizard("light", 0))
    field.enemy(None)
    battle = field.battle()
    choose(battle, "own", field.caster.number)
    assert kind(battle) == "test-will" and battle.decision is not None and battle.decision.player == 0
    mask = memoryview(battle.legal())  # type: ignore[arg-type]
    assert battle.setup.ruleset.kind_by_name["test-will"].delegate(battle, battle.frame, mask) == 0


@PLAYERS
@pytest.mark.rule("wap.magic.bound.attribute", "wap.lore.light.attribute")
def test_who_is_no_wizard_has_the_bonus_for_a_bound_spell(player: int) -> None:
    """No level adds to his dice; his will does."""
    bound = [{"lore": "light", "spell": "Shem's Burning Gaze", "power": 4, "item": True}]
    field = Field(player, hero(ld=8, bound=bound))
    target = field.enemy(None)
    battle = field.battle()
    field.cast(battle, GAZE, target, [2, 1, 1], roll=(3, 4), before=[3, 4], will=True)  # the free die shows 2
    assert told(battle, "wap.magic.cast.value")[-1]["amount"] == 10
