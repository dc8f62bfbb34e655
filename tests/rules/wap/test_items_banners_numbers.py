"""Magic banners that change combat results, dice to hit, saves, fears and Leadership of their units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from banners import BEARERS, FLIES, OWNERS, UNIT, beneath, flown, lower, mustered
from carrying import HIT, saves
from heroes import hero, horse
from results import rescored, scored, side
from wizards import cast, knowing, let_be, wizard

from wh_env import Battle
from wh_env.rulesets.wap.morale.leadership import leadership_test, leadership_value
from wh_env.testing import choose, dice_left, kind, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, fight_again, square

STANDARDS, SHOT = "wap.item.banner.battle-banner", "wap.shoot.hit.roll"
ARROWS = square(equipment=["hand weapon", "bow"], bs=6)


def hits(battle: Battle, unit: UnitHandle) -> bool:
    """Whether the first roll to hit of a unit's blows has hit; decisions of the round are answered."""
    while battle.decision is not None and not battle.over:
        battle.apply(battle.first_legal())
    return bool(next(row["result"] for row in told(battle, HIT) if row["unit"] == unit.row))


def needed_to_hit(battle: Battle, unit: UnitHandle) -> int:
    """The score that the first roll to hit of a unit's blows needed."""
    return int(next(row["needed"] for row in told(battle, HIT) if row["unit"] == unit.row))


# ---------------------------------------------------------------- combat results


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.war-banner")
def test_the_war_banner_adds_one_to_the_result(owner: int, by: str, flies: bool) -> None:
    """2 Wounds, 1 for the standard and 1 for the banner; nothing of these two once it has fallen."""
    scene, unit, carrier, foe = beneath(owner, "War Banner", by=by, models=5, foes=20)
    battle = scored(scene, unit, {(unit, foe): 2}, set_state=flown(carrier, flies))
    assert side(battle, owner)["totals"] == 2 + 2 * flies and side(battle, owner)["standards"] == 2 * flies


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.battle-banner")
def test_the_battle_banner_is_rolled_in_each_round(owner: int, by: str) -> None:
    """3 Wounds and the standard against 6: 9 with a 5, and 5 with a 1 in the next round."""
    scene, unit, _, foe = beneath(owner, "Battle Banner", by=by, models=9, files=9, foes=9)
    battle = scored(scene, unit, {(unit, foe): 3, (foe, unit): 3}, dice=[5])
    one, other = side(battle, owner), side(battle, 1 - owner)
    assert one["standards"] == 6 and dice_left(battle) == 0
    assert told(battle, STANDARDS)[0] == {"unit": unit.row, "name": "Battle Banner", "amount": 5}
    script(battle, [1])
    again = rescored(battle, {})
    assert side(again, owner)["totals"] == one["totals"] - 4 and side(again, 1 - owner)["totals"] == other["totals"]


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.battle-banner")
def test_the_battle_banner_decides_a_combat(owner: int, by: str) -> None:
    """4 points against 6: with a 5 it is 9 to 6. Once the banner has fallen nothing is rolled."""
    scene, unit, carrier, foe = beneath(owner, "Battle Banner", by=by, models=5, foes=6)
    plain = scored(scene, unit, set_state=flown(carrier, False))
    assert not told(plain, STANDARDS)
    base = scored(scene, unit, dice=[5])
    more = {player: side(base, player)["totals"] for player in (0, 1)}
    wounds = {(unit, foe): 9 - more[owner], (foe, unit): 6 - more[1 - owner]}
    script(base, [5])
    battle = rescored(base, wounds)
    assert (side(battle, owner)["totals"], side(battle, 1 - owner)["totals"]) == (9, 6)
    assert told(battle, "wap.result.winner")[-1]["winner"] == owner


@OWNERS
@pytest.mark.rule("wap.item.banner.battle-banner")
def test_the_battle_banner_is_not_rolled_without_an_enemy(owner: int) -> None:
    scene, unit, _, foe = beneath(owner, "Battle Banner", foes=2)
    battle = scored(scene, unit, {(unit, foe): 2}, dice=[5])
    assert side(battle, owner)["standards"] == 0 and dice_left(battle) == 1


# ---------------------------------------------------------------- dice to hit


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.banner-of-might")
def test_the_banner_of_might_helps_in_the_first_round(owner: int, by: str) -> None:
    """Models that hit on 4 hit on 3."""
    scene, unit, _, _ = beneath(owner, "Banner of Might", by=by, foes=30)
    battle = scene.battle("combat", player=owner, run=False, dice=[3] * 40)
    fight(battle, unit)
    assert hits(battle, unit) and needed_to_hit(battle, unit) == 3
    assert battle.recorder is not None
    battle.recorder.clear()
    fight_again(battle, unit, [3] * 40)
    assert not hits(battle, unit) and needed_to_hit(battle, unit) == 4


@OWNERS
@pytest.mark.rule("wap.item.banner.banner-of-might")
def test_the_banner_of_might_does_not_help_shots_and_ends_with_its_bearer(owner: int) -> None:
    scene, unit, carrier, _ = beneath(owner, "Banner of Might", foes=30)
    battle = scene.battle("combat", player=owner, run=False, dice=[3] * 40, set_state=flown(carrier, False))
    fight(battle, unit)
    assert not hits(battle, unit)
    for banner in ("Banner of Might", "War Banner"):
        scene, unit, _, _ = beneath(owner, banner, ARROWS, gap=12)
        battle = scene.battle("shooting", player=owner)
        choose(battle, "own", unit.number)
        assert [row["needed"] for row in told(battle, SHOT)] == [2]


# ---------------------------------------------------------------- saves


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.standard-of-shielding")
def test_the_standard_of_shielding_saves_from_arrows(owner: int, by: str, flies: bool) -> None:
    """Three bows shoot twice: six wounds and 6, 5, 5, 1, 2, 6, so four remain."""
    scene, unit, carrier, foe = beneath(owner, "Standard of Shielding", foe=ARROWS, foes=3, by=by, models=30, gap=12)
    dice = [4] * 6 + [5] * 6
    battle = scene.battle("shooting", player=1 - owner, dice=[*dice, 6, 5, 5, 1, 2, 6], set_state=flown(carrier, flies))
    choose(battle, "own", foe.number)
    assert saves(battle, unit) == [(7, 6)] * flies
    assert next(row["amount"] for row in told(battle, "wap.core.casualties.rear-rank")) == (4 if flies else 6)


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.standard-of-shielding")
def test_the_standard_of_shielding_does_not_save_from_blows(owner: int, by: str) -> None:
    scene, unit, _, foe = beneath(owner, "Standard of Shielding", square(i=1), by=by, foes=5)
    battle = scene.battle("combat", player=owner, run=False, dice=[6] * 10)
    fight(battle, foe)
    assert hits(battle, foe) and saves(battle, unit) == [] and battle.units.alive[unit] < 10


@OWNERS
@pytest.mark.rule("wap.item.banner.standard-of-shielding")
@pytest.mark.parametrize(("spell", "saved"), [("Spark", [(7, 6)]), ("Stroke", [])])
def test_the_standard_of_shielding_saves_from_missiles_but_not_from_other_spells(
    owner: int, spell: str, saved: list[tuple[int, int]]
) -> None:
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(1 - owner, wizard(2), (36, 36), models=1)
    spot = (36.0, 48.0 if owner else 24.0)
    unit, _ = mustered(scene, owner, "Standard of Shielding", None, spot, models=20, files=10)
    battle = scene.battle("magic", player=1 - owner, dice=(6, 6, 1, 1), set_state=knowing({mage: spell}))
    script(battle, [6, 4, 2, 6, 6, 6, 5])
    cast(battle, mage, spell, unit, 1)
    if kind(battle) == "dispel-by":
        let_be(battle)
    assert saves(battle, unit)[:1] == saved


# ---------------------------------------------------------------- fear


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.scarecrow-banner")
def test_the_scarecrow_banner_frightens_flyers(owner: int, by: str, flies: bool) -> None:
    """Pegasus knights, and not horsemen, nor flyers who cause Fear themselves."""
    pegasus = horse(rules=["Fly (10)"])
    for foe, fear in ((pegasus, 1), (horse(), 0), (horse(rules=["Fly (10)", "Fear"]), 0)):
        scene, unit, carrier, _ = beneath(owner, "Scarecrow Banner", foe=foe, by=by, foes=8)
        battle = scored(scene, unit, set_state=flown(carrier, flies))
        assert side(battle, owner)["fear"] == fear * flies and side(battle, 1 - owner)["fear"] == ("Fear" in str(foe))


@OWNERS
@pytest.mark.rule("wap.item.banner.scarecrow-banner")
def test_twice_as_many_beneath_the_scarecrow_banner_score_two(owner: int) -> None:
    for rules, fear in (["Fly (10)"], 2), ([], 0):
        scene, unit, _, _ = beneath(owner, "Scarecrow Banner", foe=square(rules=rules), models=20, foes=10)
        assert side(scored(scene, unit), owner)["fear"] == fear


# ---------------------------------------------------------------- Leadership


def rallied(owner: int, dice: Sequence[int], *, by: str = UNIT, flies: bool = True, ld: int = 7, **fields: Any) -> bool:
    """Whether a fleeing unit under the Banner of Duty rallies."""
    scene = RegimentScene()
    spot = (24, 14 if owner == 0 else 34)
    unit, carrier = mustered(scene, owner, "Banner of Duty", square(ld=ld), spot, by, fleeing=1, **fields)
    scene.unit(1 - owner, None, (24, 46 if owner == 0 else 2), models=10)
    battle = scene.battle("movement", player=owner, dice=dice, set_state=flown(carrier, flies))
    return not battle.units.fleeing[unit]


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.banner-of-duty")
def test_the_banner_of_duty_helps_to_rally(owner: int, by: str) -> None:
    """Leadership 7: an 8 is enough with the banner alone, a 9 is not; of Leadership 10 it makes no 11."""
    assert rallied(owner, [4, 4], by=by)
    assert not rallied(owner, [4, 4, 1, 1], by=by, flies=False)
    assert not rallied(owner, [4, 5, 1, 1], by=by)
    assert not rallied(owner, [5, 6, 1, 1], by=by, ld=10) and rallied(owner, [5, 5], by=by, ld=10)


@OWNERS
@pytest.mark.rule("wap.item.banner.banner-of-duty")
def test_the_banner_of_duty_helps_in_no_other_test(owner: int) -> None:
    scene, unit, _, _ = beneath(owner, "Banner of Duty", square(ld=7), gap=20)
    battle = scene.battle("movement", player=owner, dice=[4, 4])
    assert leadership_value(battle, unit.row) == 7 and not leadership_test(battle, unit.row, "wap.panic.test")


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.standard-of-discipline")
def test_the_standard_of_discipline_takes_the_place_of_the_general(owner: int, by: str, flies: bool) -> None:
    """Leadership 7, within 12 inches of a General of Leadership 9: 8 with the banner, 9 once it has fallen."""
    scene, unit, carrier, _ = beneath(owner, "Standard of Discipline", square(ld=7), by=by, gap=20)
    general = scene.unit(owner, hero(ld=9), (32, 20 if owner == 0 else 28), models=1, leads=["general"])
    other = scene.unit(owner, square(ld=6), (40, 20 if owner == 0 else 28), models=5)
    battle = scene.battle("movement", player=owner, dice=[4, 4, 4, 5, 4, 5], set_state=flown(carrier, flies))
    assert [leadership_value(battle, row.row) for row in (unit, other, general)] == [8 if flies else 9, 9, 9]
    tests = [leadership_test(battle, row.row, "wap.panic.test") for row in (unit, unit, other)]
    assert tests == [True, not flies, True]


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.standard-of-discipline")
@pytest.mark.parametrize(("ld", "there", "lent"), [(9, 10, 9), (10, 10, 10), (6, 8, 7)])
def test_a_general_under_the_standard_of_discipline(owner: int, by: str, ld: int, there: int, lent: int) -> None:
    """In the unit all test on his Leadership and 1, at most 10; other units within 12 inches on his own."""
    scene, unit, carrier, _ = beneath(owner, "Standard of Discipline", square(ld=7), by=by, gap=20)
    general = scene.unit(owner, hero(ld=ld), inside=unit, models=1, leads=["general"])
    other = scene.unit(owner, square(ld=7), (34, 20 if owner == 0 else 28), models=5)
    battle = scene.battle("movement", player=owner)
    assert leadership_value(battle, unit.row) == there and leadership_value(battle, other.row) == lent
    assert battle.lines.ld[battle.units.first_line[general]] == min(10, ld + 1)
    lower(battle, carrier)
    assert leadership_value(battle, unit.row) == max(7, ld) and leadership_value(battle, other.row) == max(7, ld)
