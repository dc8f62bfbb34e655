"""Command groups: who is in them, where they stand, who falls last, what they let their unit do again."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.core.procedures import STEP
from wh_env.rulesets.wap.basics.casualties import Casualties, suffer, wound_model
from wh_env.rulesets.wap.codes import CHAMPION, MARCHED, MUSICIAN, RANK_AND_FILE, STANDARD
from wh_env.rulesets.wap.commands.follow_me import FAILED, PASSED, REDIRECT, TESTS, leads, take_test
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import SOUTH, RegimentScene, UnitHandle, square

FULL_COMMAND = ("champion", "standard", "musician")


def roles(battle: Battle, unit: UnitHandle) -> list[int]:
    """Roles of the living models of a unit, in the order of their rows."""
    return [battle.models.role[k] for k in battle.members(unit.row)]


def lone_unit(
    models: int, command: tuple[str, ...] = FULL_COMMAND, detail: str = "squad", **card: object
) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, square(**card), (24, 20), models=models, files=min(5, models), command=command)
    scene.unit(1, None, (6, 44))
    return scene.battle("movement", detail=detail), unit


# ---------------------------------------------------------------- who falls


@pytest.mark.parametrize("role", [CHAMPION, STANDARD, MUSICIAN])
@pytest.mark.rule("wap.command.casualties.last")
def test_somebody_else_falls_in_place_of_a_command_model(role: int) -> None:
    battle, unit = lone_unit(10)
    aimed = next(k for k in battle.members(unit.row) if battle.models.role[k] == role)
    assert wound_model(battle, aimed, 1) == 1
    assert (battle.units.alive[unit], battle.models.alive[aimed]) == (9, 1)
    assert sorted(roles(battle, unit)) == [RANK_AND_FILE] * 6 + [CHAMPION, STANDARD, MUSICIAN]
    suffer(battle, unit.row, 6)
    assert sorted(roles(battle, unit)) == [CHAMPION, STANDARD, MUSICIAN]
    assert wound_model(battle, aimed, 1) == 1  # nobody else is left
    assert role not in roles(battle, unit) and battle.units.alive[unit] == 2


@pytest.mark.rule("wap.command.casualties.last")
def test_a_plain_model_that_is_aimed_at_falls_itself() -> None:
    battle, unit = lone_unit(10)
    aimed = unit.model(4)
    assert wound_model(battle, aimed, 1) == 1 and not battle.models.alive[aimed]


def suffers(battle: Battle, unit: UnitHandle, wounds: int) -> None:
    battle.push(Casualties, unit.row, wounds)
    battle.run()


WORDS = {"the champion falls": CHAMPION, "the standard falls": STANDARD, "the musician falls": MUSICIAN}


@pytest.mark.parametrize("chosen", list(WORDS))
@pytest.mark.rule("wap.command.casualties.order")
def test_the_owner_says_who_of_the_command_group_falls(chosen: str) -> None:
    battle, unit = lone_unit(3, detail="full")
    suffers(battle, unit, 1)
    assert (kind(battle), battle.clock.player[0]) == ("loss-command", 0)
    assert sorted(words(battle).values()) == sorted(WORDS)
    pick(battle, chosen)
    assert sorted(roles(battle, unit)) == sorted({CHAMPION, STANDARD, MUSICIAN} - {WORDS[chosen]})
    assert kind(battle) == "select-to-move"


@pytest.mark.rule("wap.command.casualties.order")
def test_of_several_wounds_the_others_fall_first_then_one_by_one_who_is_named() -> None:
    battle, unit = lone_unit(5, detail="full")
    suffers(battle, unit, 4)
    assert kind(battle) == "loss-command" and battle.units.alive[unit] == 3
    pick(battle, "the champion falls")
    assert kind(battle) == "loss-command" and roles(battle, unit) == [STANDARD, MUSICIAN]
    pick(battle, "the standard falls")
    assert roles(battle, unit) == [MUSICIAN] and kind(battle) == "select-to-move"


@pytest.mark.rule("wap.command.casualties.order")
def test_who_is_wounded_already_falls_before_another_is_named() -> None:
    battle, unit = lone_unit(3, detail="full", w=2)
    suffers(battle, unit, 1)
    pick(battle, "the standard falls")
    assert battle.units.alive[unit] == 3 and roles(battle, unit) == [CHAMPION, STANDARD, MUSICIAN]
    suffers(battle, unit, 2)  # one is his, of the other the owner says whose
    assert kind(battle) == "loss-command" and roles(battle, unit) == [CHAMPION, MUSICIAN]


@pytest.mark.rule("wap.command.casualties.order")
def test_where_all_fall_or_one_is_left_nobody_is_asked() -> None:
    for models, command, wounds in ((3, FULL_COMMAND, 3), (1, ("champion",), 1), (4, FULL_COMMAND, 1)):
        scene = RegimentScene()
        unit = scene.unit(0, None, (24, 20), models=models, files=2 if models > 1 else 1, command=command)
        scene.unit(0, None, (40, 20))
        scene.unit(1, None, (6, 44))
        battle = scene.battle("movement", detail="full")
        suffers(battle, unit, wounds)
        assert kind(battle) == "select-to-move" and battle.units.alive[unit] == models - wounds


# ---------------------------------------------------------------- tests that are rolled again


def before_an_enemy(dice: list[int], command: tuple[str, ...], detail: str = "full") -> tuple[Battle, UnitHandle]:
    """A unit of Leadership 7, 6" from an enemy, that wants to march."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 20), models=10, files=5, command=command)
    scene.unit(1, None, (24, 26), models=10, files=5, facing=SOUTH)
    battle = scene.battle("movement", dice=dice, detail=detail)
    if kind(battle) == "select-to-move":
        choose(battle, "own", unit.row)
    pick(battle, "marches")
    return battle, unit


@pytest.mark.rule("wap.command.champion.follow-me.march")
def test_a_champion_lets_his_unit_test_again_to_march() -> None:
    battle, unit = before_an_enemy([5, 4, 3, 3], ("champion",))
    assert (kind(battle), battle.clock.player[0], dice_left(battle)) == ("reroll", 0, 2)
    choose(battle, "option", 0)
    assert kind(battle) == "leg"  # it marches
    (note,) = told(battle, "wap.command.champion.follow-me.march")
    assert (note["roll"], note["passed"], note["leadership"]) == (6, True, 7)
    assert not battle.units.did[unit] & MARCHED


@pytest.mark.parametrize(("dice", "again"), [([5, 4, 4, 4], True), ([5, 4], False)])
@pytest.mark.rule("wap.command.champion.follow-me.march")
def test_the_second_result_stands_and_the_first_does_if_nobody_rolls(dice: list[int], again: bool) -> None:
    battle, unit = before_an_enemy(dice, ("champion",))
    choose(battle, "option" if again else "done", 0)
    assert kind(battle) == "manoeuvre" and not any("marches" in told_words for told_words in words(battle).values())
    assert battle.units.did[unit] & MARCHED and dice_left(battle) == 0


@pytest.mark.parametrize("command", [(), ("standard", "musician")])
@pytest.mark.rule("wap.command.champion.follow-me.march")
def test_without_a_champion_the_failure_stands(command: tuple[str, ...]) -> None:
    battle, unit = before_an_enemy([5, 4, 3, 3], command)
    assert (kind(battle), dice_left(battle)) == ("manoeuvre", 2)
    assert battle.units.did[unit] & MARCHED


@pytest.mark.rule("wap.command.champion.follow-me.march")
def test_at_the_squad_detail_it_is_rolled_again() -> None:
    battle, _ = before_an_enemy([5, 4, 3, 3], ("champion",), detail="squad")
    assert (kind(battle), dice_left(battle)) == ("move-to", 0)


def fleeing(dice: list[int], command: tuple[str, ...], lost: int = 0) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 20), models=8, files=4, facing=SOUTH, command=command, fleeing=1, lost=lost)
    scene.unit(0, None, (44, 20))
    scene.unit(1, None, (6, 46))
    return scene.battle("movement", dice=dice, detail="full"), unit


@pytest.mark.rule("wap.command.musician.rally")
def test_a_musician_lets_a_fleeing_unit_test_again() -> None:
    battle, unit = fleeing([6, 3, 2, 4], ("musician",))
    assert (kind(battle), battle.clock.subject[0]) == ("reroll", unit.row)
    choose(battle, "option", 0)
    assert not battle.units.fleeing[unit] and dice_left(battle) == 0
    assert [note["passed"] for note in told(battle, "wap.command.musician.rally")] == [True]


@pytest.mark.parametrize("command", [(), ("champion", "standard")])
@pytest.mark.rule("wap.command.musician.rally")
def test_without_a_musician_it_flees_on(command: tuple[str, ...]) -> None:
    battle, unit = fleeing([6, 3, 2, 2], command)
    assert battle.units.fleeing[unit] and kind(battle) == "select-to-move"


@pytest.mark.rule("wap.command.musician.rally")
def test_it_may_do_so_in_a_later_turn_again() -> None:
    battle, unit = fleeing([6, 3, 6, 4, 1, 1], ("musician",))
    choose(battle, "option", 0)
    assert battle.units.fleeing[unit]
    script(battle, [6, 3, 1, 2] * 3)
    while battle.clock.round[0] == 1:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    while kind(battle) != "reroll":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.clock.subject[0] == unit.row
    choose(battle, "option", 0)
    assert not battle.units.fleeing[unit]


@pytest.mark.rule("wap.command.musician.rally")
def test_a_quarter_tests_again_on_half_its_leadership() -> None:
    battle, unit = fleeing([3, 2, 3, 2], ("musician",), lost=24)
    choose(battle, "option", 0)
    assert battle.units.fleeing[unit]
    assert [note["leadership"] for note in told(battle, "wap.command.musician.rally")] == [4]


@pytest.mark.rule("wap.command.champion.follow-me.redirect")
def test_the_result_of_a_test_stands_in_the_frame_of_who_has_it_taken() -> None:
    """What the charge step, pursuits and combat reforms use: 6 and 5 fail, 4 and 3 pass."""
    for command, dice, result in (
        (("champion",), [6, 5, 4, 3], PASSED), (("champion",), [6, 5, 4, 4], FAILED), (("musician",), [6, 5], FAILED),
        ((), [3, 4], PASSED),
    ):  # fmt: skip
        scene = RegimentScene()
        unit = scene.unit(0, None, (24, 20), models=10, files=5, command=command)
        scene.unit(1, None, (6, 44))
        battle = scene.battle("movement", dice=dice, run=False)
        battle.push(Casualties, unit.row, 0)
        frame = battle.frame
        take_test(battle, unit.row, REDIRECT, Casualties.BY, "wap.charge.redirect.test")
        while battle.frame != frame:
            battle.setup.ruleset.advances[battle.stack[battle.frame]](battle, battle.frame)
            asked = battle.setup.ruleset.kinds[battle.clock.kind[0]]
            asked.answer(battle, battle.frame, asked.delegate(battle, battle.frame, battle.bits))
        assert battle.stack[frame + Casualties.BY] == result and dice_left(battle) == 0
        assert len(told(battle, TESTS[REDIRECT].rule)) == int(command == ("champion",))
        assert battle.stack[frame + STEP] == 0


@pytest.mark.rule("wap.command.champion.follow-me.redirect")
def test_a_champion_who_is_dead_helps_nobody() -> None:
    battle, unit = lone_unit(3)
    assert leads(battle, unit.row, CHAMPION)
    wound_model(battle, unit.model(0), 1)
    assert not leads(battle, unit.row, CHAMPION) and leads(battle, unit.row, MUSICIAN)
    assert slots(battle, "done") == [0]
