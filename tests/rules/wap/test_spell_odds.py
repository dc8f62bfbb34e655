"""The chances of spells, against all dice and against played castings."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from wh_env import ContentError
from wh_env.content.wap.combat_odds import regiment_named
from wh_env.content.wap.spell_odds import UNIT, WIZARD, face_to_face, spell_odds, wizard_named
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.magic.wizards import rows_of, spell_at
from wh_env.rulesets.wap.view.odds_magic import attempt


def throws(dice: int) -> list[tuple[float, int, int]]:
    """Every throw of so many dice with their free ones: chance, total, ones."""
    found = []
    for rolled in product(range(1, 7), repeat=dice):
        sixes = rolled.count(6)
        for free in product(range(1, 7), repeat=sixes):
            chance = 1.0 / 6 ** (dice + sixes)
            found.append((chance, sum(rolled) + sum(free), rolled.count(1) + free.count(1)))
    return found


@pytest.mark.rule(
    "wap.magic.cast.value", "wap.magic.cast.not-enough", "wap.magic.cast.irresistible", "wap.magic.miscast.trigger"
)
@pytest.mark.parametrize("dice", [1, 2, 3])
@pytest.mark.parametrize(("values", "bonus"), [((5, 13, 17), 1), ((10, 13), 2), ((3,), 2)])
def test_the_chances_are_those_of_all_dice(dice: int, values: tuple[int, ...], bonus: int) -> None:
    found, all_throws = attempt(dice, values, bonus, 0, 0), throws(dice)
    for value, chance in zip(values, found.cast, strict=True):
        assert chance == pytest.approx(sum(c for c, total, _ in all_throws if total >= 3 and total + bonus >= value))
    assert found.miscast == pytest.approx(sum(c for c, _, ones in all_throws if ones >= 2))
    assert found.dice == dice and found.dispelled == 0.0


@pytest.mark.rule("wap.magic.dispel.value", "wap.magic.dispel.not-enough", "wap.magic.dispel.bonus")
@pytest.mark.parametrize(("against", "other"), [(1, 0), (2, 1), (2, 2)])
def test_a_spell_that_is_cast_is_dispelled_as_often_as_all_dice_say(against: int, other: int) -> None:
    """The result to reach is that of the casting, bonus included; less than 3 on the dice is never enough."""
    found = attempt(2, (5, 13), 1, against, other)
    cast = dispelled = 0.0
    for chance, total, _ in throws(2):
        if total >= 3 and total + 1 >= 5:
            cast += chance
            enough = sum(c for c, rolled, _ in throws(against) if rolled >= 3 and rolled + other >= total + 1)
            dispelled += chance * enough
    assert found.dispelled == pytest.approx(dispelled / cast)


def test_a_spell_at_a_unit() -> None:
    """A wizard of level 2 has up to 4 dice and adds 1. Fireball: D6, 2D6, 3D6 hits of Strength 4 on Toughness 3."""
    odds = spell_odds("wizard", "archers", "Fireball", level=2, models=30, files=6, against=4, against_level=2)
    assert (odds.level, odds.models, odds.files, odds.values) == (2, 30, 6, (5, 13, 17))
    assert [n.dice for n in odds.attempts] == [1, 2, 3, 4]
    assert odds.attempts[1] == attempt(2, (5, 13, 17), 1, 4, 1)
    assert odds.wounds == pytest.approx([3.5 * 2 / 3 * n for n in (1, 2, 3)])
    augment = spell_odds("wizard", "archers", "Flesh to Stone")
    assert augment.wounds == (0.0,) and augment.level == 1 and len(augment.attempts) == 3


def test_the_wounds_are_those_of_played_castings() -> None:
    odds = spell_odds("shaman", "halberdiers", "Fireball", models=10)
    target = regiment_named("halberdiers", 10, None)
    lost = []
    for seed in range(400):
        g = face_to_face(wizard_named("shaman", None, "Fireball"), target, 12.0)
        g._seed(seed)
        row = rows_of(g, WIZARD)[0]
        spell = spell_at(g, row)
        spell.versions[0].deeds[0].act(g, Casting(0, WIZARD, row, spell, 0, UNIT, 5), UNIT)
        lost.append(10 - wounds_of(g, UNIT))
    assert np.mean(lost) == pytest.approx(odds.wounds[0], abs=0.2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("spearmen", "archers", "Fireball"), "a card of a wizard"),
        (("wizard", "archers", "Firebal"), "did you mean 'Fireball'"),
        (("wizzard", "archers", "Fireball"), "did you mean 'wizard'"),
        (("shaman", "archers", "Flesh to Stone"), "is not known"),
    ],
)
def test_what_is_not_known_is_refused(call: tuple[str, str, str], message: str) -> None:
    with pytest.raises(ContentError, match=message):
        spell_odds(*call)


@pytest.mark.parametrize(("more", "message"), [({"level": 3}, "one of 1, 2"), ({"against_level": 5}, "0 to 4")])
def test_levels_that_there_are_not(more: dict[str, int], message: str) -> None:
    with pytest.raises(ContentError, match=message):
        spell_odds("wizard", "archers", "Fireball", **more)
