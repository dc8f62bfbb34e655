"""Magic banners that let their units roll again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from banners import ARMY, BEARERS, OWNERS, UNIT, beneath, flown, mustered
from charging import HOLD, charge, over, react
from heroes import hero
from results import play, scored

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.contacts import row_between
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.codes import BROKEN, HELD, WON
from wh_env.rulesets.wap.panic.fright import takes_fright
from wh_env.testing import choose, dice_left, kind, slots, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
RAMPAGE, COURAGE = "wap.item.banner.rampagers-standard", "wap.item.banner.banner-of-courage"


# ---------------------------------------------------------------- charges


def charging(
    owner: int, dice: Sequence[int], by: str = UNIT, *, flies: bool = True, idol: bool = False, **fields: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """(battle, unit of Movement 4 under the Rampager's Standard, enemy 9 inches ahead): the charge is rolled."""
    scene = RegimentScene()
    if idol:
        scene.area("monument", 34, 10, 36, 12, example="idol of gork")
    detail = fields.pop("detail", "full")
    unit, carrier = mustered(scene, owner, "Rampager's Standard", square(**fields), (41, 12), by, facing=NORTH)
    foe = scene.unit(1 - owner, None, (41, 21), models=10, files=5, facing=SOUTH)
    for x, y in ((4, 4), (4, 30)):
        scene.beside(scene.unit(owner, None, (x, y), models=5), 1 - owner, models=5)
    battle = scene.battle("movement", player=owner, dice=dice, detail=detail, set_state=flown(carrier, flies))
    charge(battle, unit, foe)
    react(battle, HOLD)
    over(battle)
    if kind(battle) == "charge-order":
        choose(battle, "own", unit.number)
    return battle, unit, foe


def arrives(battle: Battle, unit: UnitHandle, foe: UnitHandle) -> bool:
    """Whether the charge arrives; it is carried out."""
    if kind(battle) == "charge-place":
        choose(battle, "number", 0)
    return row_between(battle, unit.row, foe.row) >= 0


@OWNERS
@BEARERS
@DETAILS
@pytest.mark.rule("wap.item.banner.rampagers-standard")
def test_under_the_rampagers_standard_a_charge_is_rolled_again(owner: int, by: str, detail: str) -> None:
    """3 and 2 reach 7 inches; both dice are rolled again, and 6 and 4 reach 10."""
    battle, unit, foe = charging(owner, [3, 2, 6, 4], by, detail=detail)
    if detail == "full":
        assert (kind(battle), battle.clock.player[0]) == ("charge-again", owner)
        assert list(words(battle).values()) == [
            f"{unit.regiment.name} leaves it at that",
            f"{unit.regiment.name} rolls its charge again",
        ]
        left = battle.clone()
        choose(left, "done")
        assert not arrives(left, unit, foe) and dice_left(left) == 2
        choose(battle, "option", 0)
    assert arrives(battle, unit, foe) and dice_left(battle) == 0
    assert [row["far"] for row in told(battle, "wap.charge.distance")] == [7, 10] and len(told(battle, RAMPAGE)) == 1


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.rampagers-standard")
def test_the_second_roll_stands_even_if_it_is_worse(owner: int, by: str) -> None:
    """6 and 1 reach; 2 and 1 do not."""
    battle, unit, foe = charging(owner, [6, 1, 2, 1], by)
    assert kind(battle) == "charge-again"
    kept = battle.clone()
    choose(kept, "done")
    assert arrives(kept, unit, foe)
    choose(battle, "option", 0)
    assert kind(battle) != "charge-again" and not arrives(battle, unit, foe)


@OWNERS
@pytest.mark.rule("wap.item.banner.rampagers-standard")
def test_by_default_a_charge_that_arrives_is_not_rolled_again(owner: int) -> None:
    battle, unit, foe = charging(owner, [6, 1, 2, 1], detail="squad")
    assert arrives(battle, unit, foe) and dice_left(battle) == 2


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.rampagers-standard")
def test_no_charge_is_rolled_again_once_the_rampagers_standard_has_fallen(owner: int, by: str) -> None:
    battle, unit, foe = charging(owner, [3, 2], by, flies=False)
    assert kind(battle) != "charge-again" and not arrives(battle, unit, foe)


@OWNERS
@pytest.mark.rule("wap.item.banner.rampagers-standard")
def test_near_an_idol_too_a_charge_is_rolled_again_only_once(owner: int) -> None:
    battle, unit, foe = charging(owner, [3, 2, 3, 1], idol=True)
    assert kind(battle) == "charge-again"
    choose(battle, "option", 0)
    assert kind(battle) != "charge-again" and not arrives(battle, unit, foe)


@OWNERS
@pytest.mark.rule("wap.item.banner.rampagers-standard")
def test_skirmishers_close_up_once_the_last_roll_is_made(owner: int) -> None:
    for second, closed in ([2, 1], False), ([6, 5], True):
        battle, unit, _ = charging(owner, [6, 1, *second], rules=["Skirmishers"])
        assert battle.units.spacing[unit] > 0
        choose(battle, "option", 0)
        assert (battle.units.spacing[unit] == 0) is closed


# ---------------------------------------------------------------- break tests


def beaten(
    owner: int, dice: Sequence[int], by: str = UNIT, *, penalty: int = 2, flies: bool = True, near: bool = False,
    detail: str = "full",
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """(battle, unit of Leadership 7 under the Banner of Courage): it has lost by so much, and its break test is rolled.
    ``near``: a Battle Standard Bearer stands near it.
    """
    scene, unit, carrier, foe = beneath(owner, "Banner of Courage", square(ld=7), by=by, models=5, foes=5)
    if near:
        scene.unit(owner, hero(), (34, 20 if owner == 0 else 28), models=1, leads=["battle standard"])
    battle = scored(scene, unit, set_state=flown(carrier, flies), detail=detail)
    u = battle.units
    u.outcome[foe], u.outcome[unit], u.penalty[unit], u.steadfast[unit] = WON, HELD, penalty, 0
    play(battle, BreakTests, dice=dice)
    return battle, unit


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.banner.banner-of-courage")
@pytest.mark.parametrize(("second", "outcome"), [([2, 3], HELD), ([2, 4], BROKEN)])
def test_under_the_banner_of_courage_a_failed_break_test_is_rolled_again(
    owner: int, detail: str, second: list[int], outcome: int
) -> None:
    """Leadership 7 at -2: an 8 fails; a 5 holds, a 6 does not."""
    battle, unit = beaten(owner, [4, 4, *second], detail=detail)
    if detail == "full":
        assert (kind(battle), battle.clock.player[0]) == ("break-again", owner)
        assert list(words(battle).values()) == [
            f"{unit.regiment.name} leaves it at that",
            f"{unit.regiment.name} rolls its break test again",
        ]
        choose(battle, "option", 0)
    assert battle.units.outcome[unit] == outcome and dice_left(battle) == 0 and battle.decision is None
    assert told(battle, COURAGE)[0] == {
        "unit": unit.row, "roll": sum(second), "leadership": 5, "passed": outcome == HELD
    }  # fmt: skip


@OWNERS
@pytest.mark.rule("wap.item.banner.banner-of-courage")
def test_the_player_may_let_the_unit_break(owner: int) -> None:
    battle, unit = beaten(owner, [4, 4, 1, 1])
    assert slots(battle, "option") and slots(battle, "done")
    choose(battle, "done")
    assert battle.units.outcome[unit] == BROKEN and dice_left(battle) == 2
    assert told(battle, "wap.break.test")[-1] == {"unit": unit.row, "penalty": 2} and not told(battle, COURAGE)


@OWNERS
@pytest.mark.rule("wap.item.banner.banner-of-courage")
@pytest.mark.parametrize(
    ("dice", "fields", "outcome"),
    [
        ([1, 4], {}, HELD),  # it passes
        ([4, 4], {"flies": False}, BROKEN),
        ([], {"penalty": 7}, BROKEN),  # nothing is left of its Leadership
        ([4, 4, 1, 4], {"near": True}, HELD),  # the army's standard has it rolled again
        ([4, 4, 4, 4], {"near": True}, BROKEN),
    ],
)
def test_when_the_banner_of_courage_is_of_no_use(
    owner: int, dice: list[int], fields: dict[str, Any], outcome: int
) -> None:
    battle, unit = beaten(owner, [*dice, 1, 1], **fields)
    assert battle.decision is None and battle.units.outcome[unit] == outcome and dice_left(battle) == 2


@OWNERS
@pytest.mark.rule("wap.item.banner.banner-of-courage")
def test_the_army_standard_with_the_banner_of_courage_has_the_test_rolled_again_anyway(owner: int) -> None:
    battle, unit = beaten(owner, [4, 4, 2, 3], ARMY)
    assert battle.decision is None and battle.units.outcome[unit] == HELD and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.item.banner.banner-of-courage")
def test_no_other_test_is_rolled_again_under_the_banner_of_courage(owner: int) -> None:
    """A unit that panics."""
    scene = RegimentScene()
    unit, _ = mustered(scene, owner, "Banner of Courage", square(ld=7), (24, 20 if owner == 0 else 28))
    scene.unit(1 - owner, None, (24, 46 if owner == 0 else 2), models=10)
    battle = scene.battle("movement", player=owner, dice=[4, 4, 1, 1])
    assert takes_fright(battle, unit.row, "wap.panic.heavy-casualties") and dice_left(battle) == 2


@OWNERS
@pytest.mark.rule("wap.item.banner.banner-of-courage", "wap.item.banner.rampagers-standard")
def test_battles_are_stored_while_the_questions_wait(owner: int) -> None:
    for battle, unit in (beaten(owner, [4, 4, 2, 3]), charging(owner, [3, 2, 6, 4])[:2]):
        assert list(Validator(battle.setup).faults(battle)) == []
        before = battle.to_bytes()
        choose(battle.clone(), "option", 0)
        assert battle.to_bytes() == before and battle.units.alive[unit]
