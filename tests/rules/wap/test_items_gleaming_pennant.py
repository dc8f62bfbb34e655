"""The Gleaming Pennant: the first failed Leadership test of its unit may be rolled again, whatever it is for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from banners import BEARERS, OWNERS, UNIT, lower, mustered
from charging import HOLD, charge, over
from heroes import hero
from houses import house
from results import play, scored

from wh_env import Battle
from wh_env.core.features import Veil
from wh_env.core.procedures import Procedure
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.changed_dice import is_dazed
from wh_env.rulesets.wap.basics.changed_units import has_failed, may_roll_again
from wh_env.rulesets.wap.basics.garrisons import garrison_in
from wh_env.rulesets.wap.basics.unit_changes import LEADERSHIP
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.charge.reform_after import ReformAfter
from wh_env.rulesets.wap.codes import BROKEN, HEAVY_CASUALTIES, HELD, WON
from wh_env.rulesets.wap.magic.wills import WillTest
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.testing import choose, dice_left, kind, script, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

PENNANT = "wap.item.banner.gleaming-pennant"
PLEASED = pytest.mark.parametrize("again", [True, False])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])


def field(
    owner: int, card: dict[str, Any] | None = None, by: str = UNIT, *, gap: float = 30, foe: Any = None, **fields: Any
) -> tuple[RegimentScene, UnitHandle, UnitHandle, UnitHandle]:
    """(scene, unit of Leadership 7 under the pennant, its carrier, an enemy ``gap`` inches ahead)."""
    scene = RegimentScene()
    y = (10, 10 + gap) if owner == 0 else (38, 38 - gap)
    unit, carrier = mustered(scene, owner, "Gleaming Pennant", card or square(ld=7), (24, y[0]), by, **fields)
    return scene, unit, carrier, scene.unit(1 - owner, foe, (24, y[1]), models=10, files=5)


def panicking(scene: RegimentScene, unit: UnitHandle, dice: Sequence[int], **fields: Any) -> Battle:
    """The battle in which the unit has to take a Panic test, which is rolled."""
    battle = scene.battle("movement", player=unit.player, run=False, **{"detail": "full", **fields})
    return panic(battle, unit, dice)


def panic(battle: Battle, unit: UnitHandle, dice: Sequence[int]) -> Battle:
    """The unit takes a Panic test; the game ends there."""
    while battle.clock.depth[0]:
        battle.pop()
    battle.clock.over[0] = 0
    battle.units.due[unit], battle.units.steeled[unit] = HEAVY_CASUALTIES, 0
    return play(battle, Panic, dice=dice)


def answer(battle: Battle, unit: UnitHandle, again: bool, name: str = "first-failed") -> None:
    """Its player is asked and says whether the test is rolled again."""
    assert (kind(battle), battle.clock.player[0]) == (name, unit.player)
    assert list(Validator(battle.setup).faults(battle)) == []
    choose(battle, "option", 0) if again else choose(battle, "done")


def has_used(battle: Battle) -> tuple[int, int]:
    """(whether the pennant is used up, how often an event said that it was used)."""
    return battle.items.used[0], len([row for row in told(battle, PENNANT) if "name" in row])


# ---------------------------------------------------------------- the first one, once


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_a_unit_that_panics_is_rallied_by_the_gleaming_pennant_once(owner: int, detail: str) -> None:
    """Leadership 7: a 9 fails, a 6 passes; the next 9 is not rolled again."""
    scene, unit, _, _ = field(owner)
    battle = panicking(scene, unit, [4, 5, 2, 4], detail=detail)
    if detail == "full":
        assert list(words(battle).values()) == [
            f"{unit.regiment.name} leaves it at that",
            f"{unit.regiment.name} tests again",
        ]
        answer(battle, unit, True)
    assert not battle.units.fleeing[unit] and has_used(battle) == (1, 1) and dice_left(battle) == 0
    panic(battle, unit, [4, 5, 1, 1, 1, 1])
    assert battle.units.fleeing[unit] and has_used(battle) == (1, 1)


@OWNERS
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_second_result_stands(owner: int) -> None:
    scene, unit, _, _ = field(owner)
    battle = panicking(scene, unit, [4, 5, 4, 4, 1, 1])
    answer(battle, unit, True)
    assert battle.units.fleeing[unit] and has_used(battle) == (1, 1)


@OWNERS
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_use_is_lost_if_the_first_failed_test_is_not_rolled_again(owner: int) -> None:
    scene, unit, _, _ = field(owner)
    battle = panicking(scene, unit, [4, 5, 1, 1])
    answer(battle, unit, False)
    assert battle.units.fleeing[unit] and has_used(battle) == (1, 0)
    battle.units.fleeing[unit] = 0
    panic(battle, unit, [4, 5, 1, 1])
    assert battle.units.fleeing[unit] and has_used(battle) == (1, 0)


@OWNERS
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_a_passed_test_leaves_the_pennant_and_a_fallen_bearer_takes_it(owner: int) -> None:
    scene, unit, carrier, _ = field(owner)
    battle = panicking(scene, unit, [2, 2])
    assert battle.decision is None and has_used(battle) == (0, 0)
    lower(battle, carrier)
    panic(battle, unit, [4, 5, 1, 1])
    assert battle.decision is None and battle.units.fleeing[unit]


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_what_the_army_standard_has_rolled_again_is_not_rolled_a_third_time(owner: int, by: str) -> None:
    """It was the first failed test, so the use is lost."""
    scene, unit, _, _ = field(owner, by=by)
    if by == UNIT:
        scene.unit(owner, hero(), (33, 10 if owner == 0 else 38), models=1, leads=["battle standard"])
    battle = panicking(scene, unit, [4, 5, 2, 4])
    assert battle.decision is None and not battle.units.fleeing[unit] and has_used(battle) == (1, 0)


@OWNERS
def test_in_the_enemy_s_eyes_no_item_that_he_does_not_know_is_used_up(owner: int) -> None:
    """A bearer with the pennant, which the enemy knows, and a potion, which he does not."""
    scene = RegimentScene(rules={"lists": "hidden"})
    unit = scene.unit(owner, None, (24, 24), models=10, files=5)
    scene.unit(
        owner, hero(), inside=unit, models=1, leads=["battle standard"], items=["Potion of Strength"],
        banner="Gleaming Pennant",
    )  # fmt: skip
    scene.unit(1 - owner, None, (4, 24), models=5)
    battle = scene.battle("movement", player=owner, run=False)
    battle.items.seen[1] = 1
    known = Veil().over(battle, 1 - owner)
    assert known.items.item[0] == -1 and may_roll_again(known, unit.row, LEADERSHIP) == PENNANT
    has_failed(known, unit.row)
    assert known.items.used.tolist() == [0, 1] and not may_roll_again(known, unit.row, LEADERSHIP)


# ---------------------------------------------------------------- all tests


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_break_tests(owner: int, again: bool) -> None:
    scene = RegimentScene()
    unit, _ = mustered(scene, owner, "Gleaming Pennant", square(ld=7), (24, 24), models=5)
    foe = scene.beside(unit, 1 - owner, models=5)
    battle = scored(scene, unit, detail="full")
    u = battle.units
    u.outcome[foe], u.outcome[unit], u.penalty[unit], u.steadfast[unit] = WON, HELD, 2, 0
    play(battle, BreakTests, dice=[4, 4, 2, 3])
    answer(battle, unit, again, "break-again")
    assert u.outcome[unit] == (HELD if again else BROKEN) and has_used(battle) == (1, int(again))


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_rallying(owner: int, again: bool) -> None:
    scene, unit, _, _ = field(owner, fleeing=1)
    battle = scene.battle("movement", player=owner, dice=[4, 4, 3, 3], detail="full")
    answer(battle, unit, again, "reroll")
    assert bool(battle.units.fleeing[unit]) is not again and has_used(battle) == (1, int(again))


@OWNERS
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_a_champion_s_or_musician_s_own_roll_costs_the_pennant_too(owner: int) -> None:
    """One question: a musician lets the unit roll again. The pennant is lost, as this was the first failed test."""
    scene = RegimentScene()
    unit = scene.unit(
        owner, square(ld=7), (24, 10 if owner == 0 else 38), models=10, files=5, command=["standard", "musician"],
        banner="Gleaming Pennant", fleeing=1,
    )  # fmt: skip
    scene.unit(1 - owner, None, (24, 45 if owner == 0 else 3), models=10)
    battle = scene.battle("movement", player=owner, dice=[4, 4, 3, 3], detail="full")
    answer(battle, unit, True, "reroll")
    assert not battle.units.fleeing[unit] and has_used(battle) == (1, 0)


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_terror_of_a_charger(owner: int, again: bool) -> None:
    scene, unit, _, foe = field(owner, gap=6, foe=square(rules=["Terror"]))
    scene.unit(1 - owner, None, (44, 24), models=5)
    battle = scene.battle("movement", player=1 - owner, dice=[4, 5, 3, 3], detail="full")
    charge(battle, foe, unit)
    answer(battle, unit, again)
    assert (kind(battle) == "charge-reaction") is again and bool(battle.units.fleeing[unit]) is not again
    assert has_used(battle) == (1, int(again))


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_terror_of_the_charged(owner: int, again: bool) -> None:
    scene, unit, _, foe = field(owner, gap=6, foe=square(rules=["Terror"]))
    scene.unit(owner, None, (44, 24), models=5)
    battle = scene.battle("movement", player=owner, dice=[4, 5, 3, 3], detail="full")
    charge(battle, unit, foe)
    answer(battle, unit, again)
    assert bool(told(battle, "wap.charge.declare")) is again and has_used(battle) == (1, int(again))


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_frenzy(owner: int, again: bool) -> None:
    """A unit that would rather not charge; the test is called for by its player, or when nobody else charges."""
    for asks in (True, False):
        scene, unit, _, foe = field(owner, square(ld=7, rules=["Frenzy"]), gap=6)
        scene.unit(owner, None, (44, 24), models=5)
        battle = scene.battle("movement", player=owner, dice=[4, 5, 3, 3], detail="full")
        if asks:
            choose(battle, "own", unit.number)
            assert kind(battle) == "charge-target"
            choose(battle, "done")
        else:
            over(battle)
        answer(battle, unit, again)
        if not again and kind(battle) == "charge-target":
            choose(battle, "enemy", foe.number)
        assert bool(told(battle, "wap.special.frenzy.must-charge")[1:]) is True or again
        assert bool(battle.charges.unit.tolist().count(unit.row) or battle.units.fights[unit]) is not again
        assert has_used(battle) == (1, int(again))


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_stupidity(owner: int, again: bool) -> None:
    scene, unit, _, _ = field(owner, square(ld=7, rules=["Stupidity"]))
    battle = scene.battle("movement", player=owner, dice=[4, 5, 3, 3], detail="full")
    if kind(battle) == "start-effect":
        choose(battle, "own", unit.number)
    answer(battle, unit, again)
    assert bool(battle.units.stupid[unit]) is not again and has_used(battle) == (1, int(again))


def pushed(
    scene: RegimentScene, procedure: type[Procedure], *values: int, first: Callable[[Battle], None] | None = None
) -> Battle:
    """A battle in which one procedure runs to its first decision."""
    battle = scene.battle("movement", run=False, detail="full")
    while battle.clock.depth[0]:
        battle.pop()
    if first is not None:
        first(battle)
    return play(battle, procedure, *values)


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_a_reform_after_a_charge(owner: int, again: bool) -> None:
    scene, unit, _, _ = field(owner)
    battle = pushed(scene, ReformAfter, unit.row)
    script(battle, [4, 5, 3, 3])
    choose(battle, "option", 1)
    answer(battle, unit, again)
    assert (kind(battle) in ("reform-files", "reform-facing")) is again and has_used(battle) == (1, int(again))


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_the_will_of_a_wizard_in_the_unit(owner: int, again: bool) -> None:
    scene, unit, _, _ = field(owner)
    mage = scene.unit(owner, hero(ld=7, wizard={"level": 2, "lores": ["light"]}), inside=unit, models=1)
    battle = pushed(scene, WillTest, mage.row)
    script(battle, [4, 5, 3, 3])
    choose(battle, "option", 0)
    answer(battle, mage, again)
    assert battle.wizards.will[mage] == (1 if again else -1) and has_used(battle) == (1, int(again))


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_discord(owner: int, again: bool) -> None:
    """A hero in the unit tests because of the enemy's Helm of Discord."""
    scene = RegimentScene()
    unit, _ = mustered(scene, owner, "Gleaming Pennant", square(ld=7), (24, 24))
    rival = scene.unit(owner, hero(ld=7, w=5), inside=unit, models=1)
    scene.beside(unit, 1 - owner, hero(w=5), models=1, files=1, items=["Helm of Discord"])
    battle = scene.battle("combat", player=owner, dice=[4, 5, 3, 3], detail="full")
    answer(battle, rival, again)
    assert is_dazed(battle, rival.row) is not again and has_used(battle) == (1, int(again))


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_a_frenzied_garrison(owner: int, again: bool) -> None:
    scene = RegimentScene()
    house(scene)
    wild = square(ld=7, rules=["Frenzy"])
    unit = scene.unit(owner, wild, models=10, garrison=0, command=["standard"], banner="Gleaming Pennant")
    scene.unit(1 - owner, None, (33, 22.5), facing=3.14159)
    scene.unit(owner, None, (4, 4), models=5, facing=NORTH)
    battle = scene.battle("movement", player=owner, dice=[4, 5, 3, 3], detail="full")
    over(battle)
    answer(battle, unit, again)
    assert (garrison_in(battle, 0) == unit.row) is again and has_used(battle) == (1, int(again))


@OWNERS
@PLEASED
@pytest.mark.rule("wap.item.banner.gleaming-pennant")
def test_the_pennant_and_an_assault_that_is_to_be_made_again(owner: int, again: bool) -> None:
    scene = RegimentScene()
    house(scene)
    unit = scene.unit(
        owner, square(ld=7), (22.5, 19), facing=NORTH, models=10, files=5, stormed=0, stormed_in=2 * 5,
        command=["standard"], banner="Gleaming Pennant",
    )  # fmt: skip
    scene.unit(1 - owner, square(rules=["Terror"]), models=20, garrison=0)
    scene.unit(1 - owner, None, (44, 46), models=5, facing=SOUTH)
    battle = scene.battle("movement", player=1 - owner, turn=5, run=False, detail="full")
    battle.clock.first_player[0] = owner
    battle.run()
    while kind(battle) != "assault-again":
        choose(battle, "done")
    script(battle, [4, 5, 3, 3])
    choose(battle, "own", unit.number)
    answer(battle, unit, again)
    if kind(battle) == "charge-reaction":
        choose(battle, "option", HOLD)
    assert bool(battle.units.fights[unit]) is again and has_used(battle) == (1, int(again))


def test_a_battle_is_stored_while_the_question_waits() -> None:
    scene, unit, _, foe = field(0, gap=6, foe=square(rules=["Terror"]))
    scene.unit(0, None, (44, 24), models=5)
    battle = scene.battle("movement", dice=[4, 5, 3, 3, 6, 6], detail="full")
    charge(battle, unit, foe)
    before = battle.to_bytes()
    answer(battle.clone(), unit, True)
    assert battle.to_bytes() == before
    answer(battle, unit, True)
    if kind(battle) == "charge-reaction":
        choose(battle, "option", HOLD)
    assert battle.charges.unit.tolist().count(unit.row) or battle.units.fights[unit]
