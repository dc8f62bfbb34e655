"""The General and the Battle Standard Bearer: whom their presence reaches, what it does for tests and results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.arming import beast, man
from tests.results import play, scored
from wh_env import Battle, ContentError
from wh_env.content.wap import load_army
from wh_env.core.tables import ATTACHED
from wh_env.rulesets.wap.battle.victory import score
from wh_env.rulesets.wap.breaking.break_tests import BreakTests, break_test
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.codes import HELD, WON
from wh_env.rulesets.wap.morale.army_leaders import has_battle_standard, holds_ground, presence
from wh_env.rulesets.wap.morale.leadership import leadership_test, leadership_value
from wh_env.rulesets.wap.panic.fright import takes_fright
from wh_env.rulesets.wap.result.scores import resolve
from wh_env.rulesets.wap.result.scoring import describe
from wh_env.testing import dice_left, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle

GENERAL, BEARER = ("general",), ("battle standard",)
CHIEF = man(ld=9)
DRAGON = beast("monster", ld=9)
PANICS = "wap.panic.heavy-casualties"


def near(
    card: dict[str, Any], leads: Sequence[str], apart: float, *, dice: Sequence[int] = (), ld: int = 7, **fields: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit of ten, and to its right at a distance a leader of its army alone."""
    scene = RegimentScene((72, 48))
    unit = scene.unit(0, man(ld=ld), (20, 20), models=10, files=5)
    half = card["base_mm"][0] / 25.4 / 2
    leader = scene.unit(0, card, (20 + 2.5 + apart + half, 20), models=1, files=1, leads=leads, **fields)
    scene.unit(1, man(), (20, 44))
    return scene.battle("combat", run=False, dice=dice), unit, leader


@pytest.mark.parametrize(
    ("apart", "fields", "passes"), [(12.0, {}, True), (12.1, {}, False), (12.0, {"fleeing": 1}, False), (3.0, {}, True)]
)
@pytest.mark.rule("wap.general.inspiring-presence")
def test_who_is_near_the_general_uses_his_leadership(apart: float, fields: dict[str, Any], passes: bool) -> None:
    battle, unit, _ = near(CHIEF, GENERAL, apart, dice=[4, 5], **fields)
    assert takes_fright(battle, unit.row, PANICS) is not passes


@pytest.mark.rule("wap.general.inspiring-presence")
def test_the_higher_leadership_counts_and_unmodified_tests_are_one_s_own() -> None:
    battle, unit, leader = near(CHIEF, GENERAL, 6.0, ld=10)
    assert leadership_value(battle, unit.row) == 10 and leadership_value(battle, leader.row) == 9
    battle, unit, leader = near(CHIEF, GENERAL, 6.0)
    assert leadership_value(battle, unit.row) == 9 and leadership_value(battle, unit.row, unmodified=True) == 7
    assert leadership_value(battle, unit.row, halved=True) == 5
    assert presence(battle, 2) == 0  # the enemy's unit
    suffer(battle, leader.row, 1)
    assert leadership_value(battle, unit.row) == 7
    battle, unit, _ = near(CHIEF, (), 6.0)
    assert leadership_value(battle, unit.row) == 7


@pytest.mark.parametrize(
    ("card", "apart", "value"),
    [(DRAGON, 18.0, 9), (DRAGON, 18.1, 7), (CHIEF, 12.1, 7), (man(ld=9, type="cavalry", base_mm=[25, 50]), 12.2, 7)],
)
@pytest.mark.rule("wap.general.inspiring-presence.large")
def test_a_large_general_is_seen_from_farther(card: dict[str, Any], apart: float, value: int) -> None:
    battle, unit, leader = near(card, GENERAL, apart)
    assert (battle.units.sight[leader] >= 5) is (card is DRAGON)
    assert leadership_value(battle, unit.row) == value


@pytest.mark.parametrize(("dice", "holds"), [([3, 4], True), ([4, 4], False)])
@pytest.mark.rule("wap.general.modifiers")
def test_modifiers_are_of_the_general_s_leadership_too(dice: list[int], holds: bool) -> None:
    battle, unit, _ = near(CHIEF, GENERAL, 6.0, dice=dice)
    battle.units.penalty[unit] = 2
    assert break_test(battle, unit.row) is holds
    assert told(battle, "wap.break.test")[0]["leadership"] == 7


@pytest.mark.parametrize(("penalty", "value"), [(1, 8), (2, 7), (3, 7), (5, 7)])
@pytest.mark.rule("wap.general.steadfast")
def test_a_steadfast_unit_takes_the_better_of_both(penalty: int, value: int) -> None:
    battle, unit, _ = near(CHIEF, GENERAL, 6.0, dice=[1, 1])
    battle.units.penalty[unit], battle.units.steadfast[unit] = penalty, 1
    assert break_test(battle, unit.row)
    assert told(battle, "wap.break.steadfast.effect")[0]["leadership"] == value


@pytest.mark.rule("wap.general.modifiers", "wap.break.automatic")
def test_nothing_left_of_the_general_s_leadership_either() -> None:
    battle, unit, _ = near(CHIEF, GENERAL, 6.0, dice=[1, 1])
    battle.units.penalty[unit] = 7
    assert break_test(battle, unit.row) is True  # on 9 - 7
    battle, unit, _ = near(CHIEF, GENERAL, 6.0, dice=[1, 1])
    battle.units.penalty[unit] = 9
    assert break_test(battle, unit.row) is False and dice_left(battle) == 2
    assert told(battle, "wap.break.automatic")


# ---------------------------------------------------------------- the battle standard


@pytest.mark.parametrize(
    ("apart", "fields", "again"), [(12.0, {}, True), (12.1, {}, False), (12.0, {"fleeing": 1}, False)]
)
@pytest.mark.rule("wap.general.bsb.hold-your-ground")
def test_failed_break_and_panic_tests_are_rolled_again(apart: float, fields: dict[str, Any], again: bool) -> None:
    battle, unit, _ = near(man(), BEARER, apart, dice=[5, 4, 2, 3], **fields)
    battle.units.penalty[unit] = 1
    assert break_test(battle, unit.row) is again
    assert dice_left(battle) == (0 if again else 2)
    battle, unit, _ = near(man(), BEARER, apart, dice=[5, 4, 2, 3], **fields)
    assert takes_fright(battle, unit.row, PANICS) is not again


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.core.reroll.whole-roll")
def test_both_dice_of_a_test_are_rolled_again(player: int) -> None:
    """On a Leadership of 6, dice of 1 and 6 fail; 3 and 2 pass. Nobody is asked which die he keeps."""
    scene = RegimentScene()
    winner = scene.unit(player, man(), (24, 24), models=5)
    loser = scene.beside(winner, 1 - player, man(ld=8), models=5, files=5)
    scene.unit(1 - player, man(), (34, 26), models=1, leads=BEARER)
    battle = scored(scene, winner)
    battle.units.outcome[winner], battle.units.outcome[loser], battle.units.penalty[loser] = WON, HELD, 2
    play(battle, BreakTests, dice=[1, 6, 3, 2])
    assert [note["roll"] for note in told(battle, "wap.break.test")] == [7]
    assert [note["roll"] for note in told(battle, "wap.general.bsb.hold-your-ground")] == [5]
    assert battle.units.outcome[loser] == HELD and dice_left(battle) == 0


@pytest.mark.rule("wap.general.bsb.hold-your-ground")
def test_the_second_roll_stands_and_other_tests_have_none() -> None:
    battle, unit, leader = near(man(), BEARER, 6.0, dice=[5, 4, 6, 6])
    battle.units.penalty[unit] = 1
    assert not break_test(battle, unit.row) and dice_left(battle) == 0
    script(battle, [6, 6])
    assert not leadership_test(battle, unit.row, "wap.move.march.test") and dice_left(battle) == 0
    assert holds_ground(battle, leader.row) and not holds_ground(battle, 2)
    script(battle, [3, 3])
    assert not takes_fright(battle, unit.row, PANICS) and dice_left(battle) == 0  # passed at once


@pytest.mark.parametrize(("apart", "again"), [(18.0, True), (18.1, False)])
@pytest.mark.rule("wap.general.bsb.hold-your-ground.large")
def test_a_large_bearer_is_seen_from_farther(apart: float, again: bool) -> None:
    battle, unit, _ = near(DRAGON, BEARER, apart)
    assert holds_ground(battle, unit.row) is again


def joined(command: Sequence[str] = ("standard",)) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit in a combat whom the Battle Standard Bearer has joined."""
    scene = RegimentScene()
    unit = scene.unit(0, man(), (24, 24), models=20, files=5, command=command)
    bearer = scene.unit(0, man(w=2), None, models=1, leads=BEARER)
    foe = scene.beside(unit, 1, man(), models=20, files=5)

    def join(battle: Battle) -> None:
        battle.units.place[bearer], battle.units.bodyguard[bearer] = ATTACHED, unit.row
        battle.units.fighting[unit] = battle.units.fighting[foe] = 1

    return scene.battle("combat", run=False, set_state=join), unit, bearer


@pytest.mark.parametrize(("command", "banners"), [(("standard",), 2), ((), 1)])
@pytest.mark.rule("wap.general.bsb.combat-result", "wap.result.battle-standard")
def test_the_battle_standard_adds_to_the_unit_s_own(command: Sequence[str], banners: int) -> None:
    battle, _, _ = joined(command)
    sides = resolve(describe(battle)).sides
    assert (sides[0].standards, sides[1].standards) == (banners, 0)


@pytest.mark.rule("wap.general.bsb.combat-result")
def test_a_bearer_who_fights_alone_brings_it_too() -> None:
    scene = RegimentScene()
    bearer = scene.unit(0, man(), (24, 24), models=1, leads=BEARER)
    foe = scene.beside(bearer, 1, man(), models=5, files=5)
    battle = scene.battle("combat", run=False)
    battle.units.fighting[bearer] = battle.units.fighting[foe] = 1
    assert resolve(describe(battle)).sides[0].standards == 1


@pytest.mark.rule("wap.general.bsb.lost")
def test_the_battle_standard_falls_with_its_bearer() -> None:
    """Nobody of the unit of twenty picks it up."""
    battle, unit, bearer = joined(())
    assert has_battle_standard(battle, unit.row)
    battle.models.alive[bearer.first] = battle.models.wounds[bearer.first] = 0
    battle.units.alive[bearer] = 0
    assert not has_battle_standard(battle, unit.row) and battle.units.alive[unit] == 20
    assert resolve(describe(battle)).sides[0].standards == 0


@pytest.mark.rule("wap.general.bsb.who")
def test_who_has_a_bearer_has_a_general() -> None:
    units: list[dict[str, Any]] = [{"card": "spearmen", "models": 20, "battle_standard": True}]
    with pytest.raises(ContentError, match=r"units\[0\].battle_standard.*General"):
        load_army({"name": "one", "sheet": "free-towns", "units": units})
    units[0]["general"] = True  # nobody is both
    with pytest.raises(ContentError, match=r"units\[0\].battle_standard.*General"):
        load_army({"name": "both", "sheet": "free-towns", "units": units})
    units[0]["general"] = False
    units.append({"card": "spearmen", "models": 20, "general": True})
    assert load_army({"name": "two", "sheet": "free-towns", "units": units}).army.units[1].general


@pytest.mark.parametrize(("gone", "points"), [(True, 300), (False, 100)])
@pytest.mark.rule("wap.victory.king-is-dead")
def test_the_general_s_death_is_worth_more(gone: bool, points: int) -> None:
    scene = RegimentScene()
    general = scene.unit(0, man(), (24, 24), models=1, leads=GENERAL, points=200, fleeing=0 if gone else 1)
    scene.unit(0, man(), (10, 10), points=100)
    scene.unit(1, man(), (24, 44))
    battle = scene.battle("movement", run=False)
    if gone:
        remove_unit(battle, general.row)
    score(battle)
    assert battle.players.vp[1] == points
    assert bool(told(battle, "wap.victory.king-is-dead")) is gone
