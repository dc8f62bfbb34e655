"""Dice of magic against chances that are counted out (``oracles.wap_magic``), and the odds that are told against rolled
castings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from oracles.wap_magic import cast_and_dispelled, miscast, pools, reaches, sums, thrown
from scipy import stats
from wizards import knowing, wizard

from wh_env import Battle
from wh_env.rulesets.wap.basics.effects import rows_in_use
from wh_env.rulesets.wap.magic.spell_dice import chance_of, chance_of_miscast, throw_spell_dice, totals
from wh_env.rulesets.wap.magic.winds import roll_winds
from wh_env.rulesets.wap.view.odds_magic import attempt
from wh_env.testing import choose, kind
from wh_env.testing.wap import RegimentScene

PLAYERS = pytest.mark.parametrize("player", [0, 1])
ROLLS = 100_000
RARE = 1e-4  # a chance that counts as none
CASTINGS = 500


def fits(found: Mapping[Any, int], expected: Mapping[Any, Fraction]) -> bool:
    """Whether counts look like draws from exact chances: nothing impossible fell, and chi-square of what is frequent
    enough.
    """
    number = sum(found.values())
    assert set(found) <= set(expected), set(found) - set(expected)
    frequent = [key for key in expected if expected[key] * number >= 8]
    counts = [found.get(key, 0) for key in frequent] + [number - sum(found.get(key, 0) for key in frequent)]
    shares = [float(expected[key]) * number for key in frequent]
    shares.append(number - sum(shares))
    if shares[-1] < 1e-6:
        counts, shares = counts[:-1], shares[:-1]
    return bool(stats.chisquare(counts, shares).pvalue > RARE)


def is_near(found: int, number: int, chance: Fraction) -> bool:
    """Whether so many of ``number`` draws are what a chance makes likely."""
    return bool(stats.binomtest(found, number, float(chance)).pvalue > RARE)


def still(*levels: int) -> Battle:
    """A battle of wizards of these levels."""
    scene = RegimentScene()
    for n, level in enumerate(levels):
        scene.unit(0, wizard(level), (10 + 4 * n, 10), models=1)
    scene.unit(1, wizard(1), (24, 30), models=1)
    return scene.battle("magic")


@pytest.mark.rule("wap.magic.cast.irresistible", "wap.magic.dispel.irresistible", "wap.magic.miscast.all-dice")
@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5, 6])
def test_dice_fall_as_the_count_of_all_throws_says(dice: int) -> None:
    """Sums and 1s of throws of each number of dice."""
    battle, number = still(4), ROLLS // (2 * dice)
    battle._seed(dice)
    throws = [throw_spell_dice(battle, dice) for _ in range(number)]
    found: Counter[Hashable] = Counter((one.total, one.ones) for one in throws)
    assert fits(found, thrown(dice))
    assert {n: chance for n, chance in enumerate(totals(dice)) if chance} == pytest.approx(
        {total: float(chance) for total, chance in sums(dice).items()}
    )
    for result in range(12 * dice + 2):
        assert chance_of(dice, result) == pytest.approx(float(reaches(dice, result)))
        assert is_near(sum(one.total >= max(3, result) for one in throws), number, reaches(dice, result))


@pytest.mark.rule("wap.magic.miscast.trigger")
@pytest.mark.parametrize(("dice", "told"), [(1, 0.0), (2, 0.0378), (3, 0.0987), (4, 0.1723), (5, 0.2514), (6, 0.3310)])
def test_miscasts_are_as_likely_as_the_book_s_table_says(dice: int, told: float) -> None:
    battle = still(4)
    battle._seed(100 + dice)
    assert float(miscast(dice)) == pytest.approx(told, abs=5e-5)
    assert chance_of_miscast(dice) == pytest.approx(float(miscast(dice)))
    number = ROLLS // 10
    assert is_near(sum(throw_spell_dice(battle, dice).ones >= 2 for _ in range(number)), number, miscast(dice))


@pytest.mark.rule("wap.magic.winds.power-pool", "wap.magic.winds.dispel-pool", "wap.magic.winds.dispel-pool.large")
@pytest.mark.rule("wap.magic.winds.channel-power", "wap.magic.winds.channel-dispel")
@PLAYERS
@pytest.mark.parametrize(("points", "winds"), [(2000, 2), (4000, 4)])
@pytest.mark.parametrize(("own", "enemy"), [((2,), ()), ((1, 3), (4,))])
def test_pools_are_those_of_the_winds_and_of_what_is_channelled(
    player: int, points: int, winds: int, own: tuple[int, ...], enemy: tuple[int, ...]
) -> None:
    scene, y = RegimentScene(points=points), (10, 38)
    for side, levels in ((player, own), (1 - player, enemy)):
        scene.unit(side, None, (40, y[side]), models=5)
        for n, level in enumerate(levels):
            scene.unit(side, wizard(level), (6 + 4 * n, y[side]), models=1)
    battle, found = scene.battle("magic", player=player), Counter[tuple[int, int]]()
    battle._seed(points + player)
    for _ in range(4000):
        battle.pools.dice[0] = battle.pools.dice[1] = 0
        roll_winds(battle, player)
        found[battle.pools.dice[player], battle.pools.dice[1 - player]] += 1
    assert fits(found, pools(winds, own, enemy))


@pytest.mark.rule("wap.magic.cast.value", "wap.magic.cast.bonus", "wap.magic.cast.not-enough")
@pytest.mark.rule("wap.magic.dispel.value", "wap.magic.dispel.bonus", "wap.magic.dispel.not-enough")
@PLAYERS
@pytest.mark.parametrize(
    ("level", "dice", "other", "against"), [(1, 1, 1, 1), (2, 2, 0, 2), (2, 3, 2, 4), (4, 4, 3, 3), (4, 6, 1, 6)]
)
def test_spells_are_cast_and_dispelled_as_often_as_the_odds_say(
    player: int, level: int, dice: int, other: int, against: int
) -> None:
    """A spell of 6 and more on the wizard's own unit, cast in whole battles; the odds that are told, 100,000 rolled
    throws and these castings agree with what is counted out. ``other``: the level of the wizard who dispels, 0: the
    army does.
    """
    value, bonus, help_ = 6, -(-level // 2), -(-other // 2)
    cast, dispelled = cast_and_dispelled(dice, value, bonus, against, help_)
    told = attempt(dice, (value,), bonus, against, help_)
    assert told.cast[0] == pytest.approx(float(cast)) and told.dispelled == pytest.approx(float(dispelled))
    assert told.miscast == pytest.approx(float(miscast(dice)))
    battle = about_to_cast(player, level, dice, other, against)
    battle._seed(level)
    number = ROLLS // 10
    hits = sum(throw_spell_dice(battle, dice).total >= max(3, value - bonus) for _ in range(number))
    assert is_near(hits, number, cast)
    done = undone = 0
    for seed in range(CASTINGS):
        one = battle.clone(seed=seed)
        choose(one, "number", dice - 1)
        if kind(one) != "dispel-by":
            assert not list(rows_in_use(one))
            continue
        done += 1
        choose(one, *(("own", 1) if other else ("option", 0)))
        choose(one, "number", against - 1)
        undone += not list(rows_in_use(one))
    assert is_near(done, CASTINGS, cast)
    assert is_near(undone, done, dispelled)


def about_to_cast(player: int, level: int, dice: int, other: int, against: int) -> Battle:
    """A wizard is to choose the dice for a spell that remains in play on a unit of his side; the enemy has more than
    ``against`` dice.
    """
    scene, y = RegimentScene(), (10, 38)
    mage = scene.unit(player, wizard(level), (24, y[player]), models=1)
    scene.unit(player, None, (34, y[player]), models=5)
    scene.unit(1 - player, None, (10, y[1 - player]), models=5)
    if other:
        scene.unit(1 - player, wizard(other), (44, y[1 - player]), models=1)
    battle = scene.battle("magic", player=player, set_state=knowing({mage: "Cloak"}))
    battle.pools.dice[player], battle.pools.dice[1 - player] = dice + 1, against + 1
    choose(battle, "own", mage.number)
    if kind(battle) == "cast-spell":
        choose(battle, "number", 4)
    if kind(battle) == "spell-target":
        choose(battle, "own", 1)
    assert kind(battle) == "spell-dice"
    return battle
