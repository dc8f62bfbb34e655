"""How many dice the rolls of an edition have is a number of it, which its rolls and what is expected of them read."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import product

import pytest

from wh_env.core.chances import at_least, mean, ways
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION, EighthEdition
from wh_env.rulesets.w9.ruleset import NINTH_EDITION, NinthEdition
from wh_env.rulesets.w10.command.leadership import LeadershipTest
from wh_env.rulesets.w10.command.phase import BattleShockTest
from wh_env.rulesets.w10.ruleset import TENTH_EDITION, TenthEdition
from wh_env.rulesets.w40k.charge.phase import ChargeRoll
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.morale.phase import MoraleTest, rules_of
from wh_env.rulesets.w40k.move.phase import AdvanceRoll
from wh_env.rulesets.w40k.numbers import Dice
from wh_env.rulesets.w40k.view.appraise_morale import flight
from wh_env.testing import Scene, sheet

SHIPPED: dict[str, Edition] = {"w8": EIGHTH_EDITION, "w9": NINTH_EDITION, "w10": TENTH_EDITION}
CLASSES: dict[str, type[Edition]] = {"w8": EighthEdition, "w9": NinthEdition, "w10": TenthEdition}
COMMON = {"advance": (AdvanceRoll,), "charge": (ChargeRoll,)}
ROLLS = {
    "w8": {**COMMON, "leadership": (MoraleTest,)},
    "w9": {**COMMON, "leadership": (MoraleTest,)},
    "w10": {**COMMON, "leadership": (BattleShockTest, LeadershipTest)},
}


def changed(name: str, **dice: int) -> Edition:
    """An edition with other numbers of dice."""
    numbers = CLASSES[name].numbers
    own = {"numbers": replace(numbers, dice=replace(numbers.dice, **dice))}
    return type("Changed", (CLASSES[name],), own)()  # type: ignore[call-arg]


@pytest.mark.parametrize("number", [field.name for field in fields(Dice)])
@pytest.mark.parametrize("name", SHIPPED)
def test_rolls_have_as_many_dice_as_their_edition_says(name: str, number: str) -> None:
    more = getattr(SHIPPED[name].dice, number) + 1
    scene = Scene(edition=changed(name, **{number: more}))
    unit = scene.unit(0, sheet(), at=(10, 10))
    scene.unit(1, sheet(), at=(30, 30))
    battle = scene.battle("movement")
    ruleset = battle.setup.ruleset
    for field in fields(Dice):
        for cls in ROLLS[name][field.name]:
            roll = ruleset.procedures[ruleset.number[cls]]
            expected = more if field.name == number else getattr(SHIPPED[name].dice, field.name)
            assert roll.number(battle, unit.row) == expected
            assert roll.total(battle, unit.row, expected * [6]) == 6 * expected


@pytest.mark.parametrize("dice", [1, 2, 3])
@pytest.mark.parametrize("name", ["w8", "w9"])
def test_models_that_flee_are_counted_with_the_dice_of_the_morale_test(name: str, dice: int) -> None:
    scene = Scene(edition=changed(name, leadership=dice))
    unit = scene.unit(0, sheet("Mob", Ld=7), at=(10, 10), models=8, lost=range(3))
    scene.unit(1, sheet("Foe"), at=(40, 30), models=1)
    slain = [unit.model(k) for k in range(3)]
    battle = scene.battle("morale", set_state=lambda g: g.toll_array.__setitem__(slain, 1), run=False)
    rules, left, gone = rules_of(battle), 5, 0.0
    for rolled in product(range(1, 7), repeat=dice):
        if sum(rolled) + 3 > 7:
            first = min(left, rules.fleeing(battle, unit.row, sum(rolled)))
            gone += first + min(float(left - first), rules.mean_follow(battle, unit.row, left - first))
    assert flight(battle, unit.row) == pytest.approx(gone / 6**dice)


@pytest.mark.parametrize("dice", [0, 1, 2, 3, 4])
def test_chances_are_those_of_all_rolls(dice: int) -> None:
    sums = [sum(rolled) for rolled in product(range(1, 7), repeat=dice)]
    assert list(ways(dice)) == [sums.count(total) for total in range(6 * dice + 1)]
    assert at_least(dice).tolist() == pytest.approx(
        [sum(s >= n for s in sums) / len(sums) for n in range(6 * dice + 2)]
    )
    assert mean(dice) == pytest.approx(sum(sums) / len(sums))
    assert not at_least(dice).flags.writeable
