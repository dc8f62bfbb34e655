"""The Blood forest, which strikes when magic is used in it."""

from __future__ import annotations

import pytest

from tests.spell_scenes import Circle, losses
from wh_env import Battle
from wh_env.rulesets.wap.basics.forms import other_form
from wh_env.testing import dice_left, kind, pick, script, told
from wh_env.testing.wap import square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
RULE, FIREBALL = "wap.terrain.forest.blood.hits", "Fireball"
CALM = [1, 1]  # dice of a Panic test that is passed


def struck(battle: Battle) -> list[tuple[int, int]]:
    """(unit, hits) of the forest, in order."""
    return [(event["unit"], event["amount"]) for event in told(battle, RULE)]


@BOTH_PLAYERS
@pytest.mark.rule("wap.terrain.forest.blood.hits")
def test_magic_in_a_blood_forest_wakes_it(player: int) -> None:
    """A wizard in the forest casts: his own unit takes 5 hits, an enemy unit partly in it 2, at Strength 4. A unit
    outside takes none; a spell that fails wakes nothing, and one that was dispelled neither.
    """
    for dice, dispelled, woken in (([3, 3], False, True), ([1, 2], False, False), ([3, 3], True, False)):
        place = Circle("fire", player, inside=True, level=1)
        enemy = place.enemy(square(t=4), (12, 24), models=10, files=5)
        outside = place.enemy(square(t=4), (24, 30), models=10, files=5)
        place.area("forest", 8.5, 20, 12.5, 28, example="blood forest")
        battle = place.battle()
        place.begin(battle, FIREBALL)
        place.aim(battle, enemy)
        hits = [1, 1]  # the Fireball: one hit, which wounds nobody
        script(battle, [*dice, *([6, 5, 1] if dispelled else hits), 5, *[3] * 5, 2, *[3, 4], *CALM])
        pick(battle, "2 dice (", kind="spell-dice")
        if dispelled:
            pick(battle, "the army dispels", kind="dispel-by")
            pick(battle, "2 dice (", kind="dispel-dice")
        elif kind(battle) == "dispel-by":
            pick(battle, "let it be")
        assert place.host is not None and outside.row >= 0
        assert struck(battle) == ([(place.host.row, 5), (enemy.row, 2)] if woken else [])
        if woken:
            assert losses(battle) == {place.host.row: 5, enemy.row: 1}  # 3+ against Toughness 3, 4+ against 4
            assert [event["needed"] for event in told(battle, "wap.shoot.wound.roll")][1:] == [3, 4]


@BOTH_PLAYERS
@pytest.mark.rule("wap.terrain.forest.blood.hits")
def test_a_spell_on_a_unit_in_a_blood_forest_wakes_it(player: int) -> None:
    """The wizard stands outside, his target in the forest; a target elsewhere wakes nothing."""
    for inside in (True, False):
        place = Circle("fire", player, level=1)
        there = place.enemy(square(t=4), (30, 24), models=10, files=5)
        elsewhere = place.enemy(square(t=4), (30, 34), models=10, files=5)
        place.area("forest", 29, 20, 36, 28, example="blood forest")
        battle = place.battle()
        then = [1, 1, *([4, 1, 1, 1, 1] if inside else [])]
        place.cast(battle, FIREBALL, [3, 3], target=there if inside else elsewhere, then=then)
        assert struck(battle) == ([(there.row, 4)] if inside else []) and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.terrain.forest.blood.hits", "wap.lore.beasts.transformation-of-kadon")
def test_a_wizard_who_turns_into_a_monster_wakes_a_blood_forest(player: int) -> None:
    """The monster that he is takes the hits: 3 of Strength 4, which wound Toughness 6 on 6+."""
    place = Circle("beasts", player)
    place.enemy(square(t=4), (60, 24), models=10, files=5)
    place.area("forest", 4, 20, 14, 28, example="blood forest")
    battle = place.battle()
    place.begin(battle, "Transformation of Kadon")
    place.roll(battle, [5, 5, 3], then=[3, 6, 5, 5])
    form = other_form(battle, place.wizard.row)
    assert struck(battle) == [(form, 3)] and losses(battle) == {form: 1} and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.terrain.forest.blood.hits")
def test_a_plain_forest_sleeps(player: int) -> None:
    place = Circle("fire", player, level=1)
    target = place.enemy(square(t=4), (30, 24), models=10, files=5)
    place.area("forest", 29.2, 20, 36, 28)
    battle = place.battle()
    place.cast(battle, FIREBALL, [3, 3], target=target, then=[1, 1, 6, 6])
    assert struck(battle) == [] and losses(battle) == {}
