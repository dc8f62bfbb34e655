"""Command groups: who is in them, where they stand, who falls last, what they let their unit do again."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.content.wap.load import load_army
from wh_env.content.wap.muster import points_of
from wh_env.core.procedures import STEP
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.casualties.removing import suffer, wound_model
from wh_env.rulesets.wap.codes import CHAMPION, CHARACTERISTICS, MARCHED, MUSICIAN, RANK_AND_FILE, STANDARD
from wh_env.rulesets.wap.commands.follow_me import FAILED, PASSED, REDIRECT, TESTS, take_test
from wh_env.rulesets.wap.commands.roles import leads
from wh_env.rulesets.wap.weapons.blows import arm_of, blow_at, blow_of
from wh_env.rulesets.wap.weapons.saves import armour_save, unsaved
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, square

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
    """A unit of Leadership 7, 6" before an enemy behind it, that wants to march."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 20), models=10, files=5, command=command)
    scene.unit(1, None, (24, 12), models=10, files=5, facing=NORTH)
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
        take_test(battle, unit.row, REDIRECT, Casualties.BY, "wap.charge.redirect")
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


# ---------------------------------------------------------------- who is in a command group


@pytest.mark.rule("wap.command.composition")
def test_command_models_replace_ordinary_ones() -> None:
    battle, unit = lone_unit(20)
    assert battle.units.alive[unit] == 20
    assert sorted(roles(battle, unit)) == [RANK_AND_FILE] * 17 + [CHAMPION, STANDARD, MUSICIAN]


def army_of(command: list[str], offered: list[str]) -> dict[str, Any]:
    sheet = {"name": "sheet", "cards": {"men": square(command=offered, size=(5, 40))}}
    return {"name": "army", "sheet": sheet, "units": [{"card": "men", "models": 20, "command": command}]}


@pytest.mark.parametrize(("offers", "wants", "fine"), [
    (["musician"], ["musician"], True), (["musician"], [], True), (["musician"], ["standard"], False), ([], ["champion"], False),
    (["champion", "standard", "musician"], ["standard", "musician"], True), (["champion", "standard"], ["musician"], False),
    (["musician"], ["musician", "musician"], False),
])  # fmt: skip
@pytest.mark.rule("wap.command.composition")
def test_only_what_the_entry_offers_is_to_be_had(offers: list[str], wants: list[str], fine: bool) -> None:
    if fine:
        assert load_army(army_of(wants, offers)).army.units[0].command == tuple(wants)
        return
    with pytest.raises(ContentError, match="command"):
        load_army(army_of(wants, offers))


@pytest.mark.rule("wap.command.naming")
def test_who_is_called_neither_standard_bearer_nor_musician_is_the_champion() -> None:
    loaded = load_army(army_of(["Prophet", "standard bearer", "musician"], ["Prophet", "standard bearer", "musician"]))
    assert loaded.sheet.cards["men"].command == ("champion", "standard", "musician")
    assert loaded.army.units[0].command == ("champion", "standard", "musician")
    with pytest.raises(ContentError, match="command"):  # two titles are two champions
        load_army(army_of(["Prophet", "Seer"], ["Prophet"]))


@pytest.mark.rule("wap.command.champion.profile", "wap.command.standard.profile", "wap.command.musician.profile")
def test_a_champion_has_his_own_profile_the_others_that_of_the_unit() -> None:
    battle, unit = lone_unit(5)
    profiles = {
        battle.models.role[k]: [getattr(battle.lines, name)[battle.models.line[k]] for name in CHARACTERISTICS]
        for k in battle.members(unit.row)
    }
    plain = profiles[RANK_AND_FILE]
    assert profiles[STANDARD] == profiles[MUSICIAN] == plain
    assert profiles[CHAMPION] == [*plain[:7], plain[7] + 1, plain[8]]


@pytest.mark.rule("wap.command.champion.profile")
def test_the_profile_of_his_own_counts() -> None:
    champion = {"m": 4, "ws": 3, "bs": 4, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 8}
    battle, unit = lone_unit(5, ("champion",), champion=champion)
    line = battle.models.line[unit.model(0)]
    assert (battle.lines.bs[line], battle.lines.a[line], battle.lines.ld[line]) == (4, 1, 8)


# ---------------------------------------------------------------- where they stand


def stand(battle: Battle, unit: UnitHandle) -> dict[int, tuple[int, int]]:
    """Rank and file of the command models, by role."""
    m = battle.models
    return {m.role[k]: (m.rank[k], m.file[k]) for k in battle.members(unit.row) if m.role[k] != RANK_AND_FILE}


def deploying(models: int, files: int, command: tuple[str, ...], detail: str = "full") -> tuple[Battle, UnitHandle]:
    """A unit that has just been set up in so many files."""
    scene = RegimentScene()
    unit = scene.unit(0, None, models=models, files=files, command=command)
    scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1], detail=detail)
    choose(battle, "option", 0)
    if detail == "full":
        choose(battle, "number", files - 1)
        choose(battle, "angle", battle.setup.space.angles // 4)
    choose(battle, "cell", slots(battle, "cell")[0])
    if detail == "full":
        choose(battle, "cell", slots(battle, "cell")[0])
    return battle, unit


@pytest.mark.rule("wap.command.position.front-rank")
def test_those_who_have_no_room_in_front_stand_in_the_next_rank() -> None:
    """Four models, two wide: champion and standard bearer are put in front, the musician has to stand behind."""
    battle, unit = deploying(4, 2, FULL_COMMAND)
    assert (kind(battle), slots(battle, "number"), slots(battle, "done")) == ("front-place", [0, 1], [0])
    assert sorted(words(battle).values()) == [
        "the champion behind the front rank",
        "the champion in file 1",
        "the champion in file 2",
    ]
    pick(battle, "the champion in file 2")
    assert slots(battle, "number") == [0] and slots(battle, "done") == [0]
    pick(battle, "the standard in file 1")
    assert kind(battle) != "front-place"
    found = stand(battle, unit)
    assert found[CHAMPION] == (0, 1) and found[STANDARD] == (0, 0) and found[MUSICIAN][0] == 1


@pytest.mark.rule("wap.command.position.front-rank")
def test_somebody_else_may_stand_behind_but_no_place_in_front_is_left_to_the_rank_and_file() -> None:
    battle, unit = deploying(4, 2, FULL_COMMAND)
    pick(battle, "the champion behind the front rank")
    assert slots(battle, "done") == []  # two are left for two places
    pick(battle, "the standard in file 1")
    found = stand(battle, unit)  # the musician has one place left
    assert (found[STANDARD], found[MUSICIAN], found[CHAMPION][0]) == ((0, 0), (0, 1), 1)


@pytest.mark.rule("wap.command.position.front-rank")
def test_any_place_of_a_wide_front_can_be_chosen() -> None:
    battle, unit = deploying(20, 5, FULL_COMMAND)
    pick(battle, "the champion in file 5")
    assert slots(battle, "number") == [0, 1, 2, 3] and slots(battle, "done") == []
    pick(battle, "the standard in file 1")
    pick(battle, "the musician in file 3")
    assert stand(battle, unit) == {CHAMPION: (0, 4), STANDARD: (0, 0), MUSICIAN: (0, 2)}
    ranks_and_files = [(battle.models.rank[k], battle.models.file[k]) for k in battle.members(unit.row)]
    assert sorted(ranks_and_files) == [(rank, file) for rank in range(4) for file in range(5)]
    suffer(battle, unit.row, 12)
    assert stand(battle, unit) == {CHAMPION: (0, 4), STANDARD: (0, 0), MUSICIAN: (0, 2)}


@pytest.mark.rule("wap.command.position.front-rank")
def test_where_nobody_is_asked_they_stand_in_the_middle_of_the_front() -> None:
    for models, files, front in ((20, 5, {1, 2, 3}), (4, 2, {0, 1}), (9, 3, {0, 1, 2})):
        battle, unit = deploying(models, files, FULL_COMMAND, detail="squad")
        found = stand(battle, unit).values()
        assert {file for rank, file in found if rank == 0} == front
        assert all(rank <= 1 for rank, _ in found)


def about_face(
    models: int, files: int, command: tuple[str, ...], m: int, detail: str = "squad"
) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, square(m=m), (24, 24), models=models, files=files, command=command)
    scene.unit(1, None, (4, 44))
    battle = scene.battle("movement", detail=detail)
    if kind(battle) == "select-to-move":
        choose(battle, "own", unit.row)
    return battle, unit


@pytest.mark.parametrize("command", [(), ("standard",)])
@pytest.mark.rule("wap.command.position.reform")
def test_the_cap_on_displacement_does_not_bind_command_models(command: tuple[str, ...]) -> None:
    """Men of Movement 2 turn about: the standard bearer goes from the old front to the new one, farther than 4"."""
    battle, unit = about_face(25, 5, command, 2, detail="full")
    pick(battle, "reforms")
    choose(battle, "number", 4)  # five files
    back = battle.setup.space.angles * 3 // 4
    assert back in slots(battle, "angle")
    choose(battle, "angle", back)
    if command:
        assert kind(battle) == "front-place"
        pick(battle, "the standard in file 1")
        before = (24.0, 23.5)
        k = unit.model(0)
        assert (battle.models.rank[k], battle.models.file[k]) == (0, 0)
        assert hypot(battle.models.x[k] - before[0], battle.models.y[k] - before[1]) > 2 * 2


@pytest.mark.parametrize(("command", "quarter"), [((), False), (FULL_COMMAND, True)])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.command.position.reform")
def test_a_reform_that_others_could_not_make_is_open_to_command_models(
    command: tuple[str, ...], quarter: bool, detail: str
) -> None:
    """Three of Movement 1 side by side on bases of 2": in a turn by a quarter those at the ends go 2.83", more than 2"; by an eighth 1.53"."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=1, base_mm=[50.8, 50.8]), (24, 24), models=3, files=3, command=command)
    scene.unit(1, None, (4, 44))
    battle = scene.battle("movement", detail=detail)
    if kind(battle) == "select-to-move":
        choose(battle, "own", unit.row)
    pick(battle, "reforms")
    choose(battle, "number", 3 - 1)
    angles = battle.setup.space.angles
    assert (angles // 8 in slots(battle, "angle")) and (0 in slots(battle, "angle")) is quarter
    if quarter:
        before = {k: (battle.models.x[k], battle.models.y[k]) for k in battle.members(unit.row)}
        choose(battle, "angle", 0)
        while kind(battle) == "front-place":
            battle.apply(battle.first_legal())
        far = [hypot(battle.models.x[k] - x, battle.models.y[k] - y) for k, (x, y) in before.items()]
        assert max(far) > 2.0 and all(battle.models.rank[k] == 0 for k in before)


# ---------------------------------------------------------------- what they are armed with, how they fight

SWAPS = {"great weapon": 5}


def armed(option: str | None, **card: Any) -> tuple[Battle, UnitHandle, UnitHandle]:
    """Five with a champion face five; he may have bought a great weapon. Initiative 4 against 3."""
    scene = RegimentScene()
    unit = scene.unit(
        0,
        square(i=4, champion_options=SWAPS, **card),
        (24, 24),
        models=5,
        files=5,
        command=("champion",),
        champion_option=option,
    )
    foe = scene.beside(unit, 1, square(t=4), models=5, files=5)
    return scene.battle("combat", run=False, dice=[6] * 8 + [1] * 60), unit, foe


@pytest.mark.rule("wap.command.champion.equipment")
@pytest.mark.parametrize("option", ["great weapon", None])
def test_only_the_champion_fights_with_what_he_has_bought(option: str | None) -> None:
    """His 2 Attacks: with the great weapon of Strength 5 after all others, else with theirs."""
    battle, unit, foe = armed(option, equipment=["hand weapon"])
    lines = {battle.models.role[k]: battle.models.line[k] for k in battle.members(unit.row)}
    blows = {role: blow_of(battle, unit.row, line, foe.row) for role, line in lines.items()}
    assert blows[RANK_AND_FILE].strength == 3 and blows[CHAMPION].strength == (5 if option else 3)
    fight(battle, unit)
    hits = [data for data in told(battle, "wap.combat.hit.roll") if data["unit"] == unit.row]
    assert sorted(data["amount"] for data in hits) == [2, 4]
    wounds = {
        data["amount"]: data["needed"] for data in told(battle, "wap.combat.wound.roll") if data["unit"] == unit.row
    }
    assert wounds[4] == 5  # Strength 3 against Toughness 4
    if option:
        assert [data["amount"] for data in hits] == [4, 2]  # he strikes last


@pytest.mark.rule("wap.command.champion.equipment")
def test_who_bought_nothing_saves_as_the_others_do() -> None:
    battle, unit, foe = armed(None, equipment=["hand weapon", "light armour", "shield"])
    lines = {battle.models.line[k] for k in battle.members(unit.row)}
    weapons = {arm_of(battle, line).name for line in lines}
    assert len(lines) == 2 and weapons == {"hand weapon"}
    assert armour_save(battle, unit.row) == 5
    assert foe.row != unit.row


ARMY = {
    "name": "army",
    "sheet": {"name": "sheet", "cards": {"men": square(champion_options=SWAPS)}},
}


@pytest.mark.rule("wap.command.champion.equipment")
def test_an_army_buys_it_for_its_champion() -> None:
    def army(**entry: Any) -> Any:
        return load_army({**ARMY, "units": [{"card": "men", "models": 10, **entry}]})

    loaded = army(command=["champion"], champion_option="great weapon")
    entry, card = loaded.army.units[0], loaded.sheet.cards["men"]
    assert points_of(entry, card, 10) == 10 * 5 + 10 + 5
    assert points_of(entry.model_copy(update={"champion_option": None}), card, 10) == 10 * 5 + 10
    for wrong in ({"champion_option": "great weapon"}, {"command": ["champion"], "champion_option": "lance"}):
        with pytest.raises(ContentError, match="champion_option"):
            army(**wrong)
    for item in ("short bow", "lance", "shield"):
        sheet = {"name": "sheet", "cards": {"men": square(champion_options={item: 5})}}
        with pytest.raises(ContentError, match="champion_options"):
            load_army({**ARMY, "sheet": sheet, "units": [{"card": "men", "models": 10}]})


@pytest.mark.rule("wap.command.champion.profile")
@pytest.mark.parametrize(("command", "attacks"), [(("champion",), 6), ((), 5), (("standard", "musician"), 5)])
def test_a_champion_makes_one_attack_more(command: tuple[str, ...], attacks: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 24), models=5, files=5, command=command)
    scene.beside(unit, 1, models=5, files=5)
    battle = scene.battle("combat", run=False, dice=[1] * 40)
    fight(battle, unit)
    made = [data["amount"] for data in told(battle, "wap.combat.hit.roll") if data["unit"] == unit.row]
    assert sum(made) == attacks


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("command", [("musician",), ()])
@pytest.mark.rule("wap.command.musician.profile")
def test_a_musician_shoots_as_the_others(command: tuple[str, ...], player: int) -> None:
    """Ten crossbowmen in one rank are ten who shoot, whatever the miniature of their musician carries."""
    scene = RegimentScene()
    card = square(equipment=["hand weapon", "crossbow"])
    units = [scene.unit(player, card, (x, 24), models=10, files=10, facing=NORTH, command=command) for x in (10, 24)]
    scene.unit(player, None, (38, 24), models=10, files=10, facing=NORTH, command=command)
    scene.unit(1 - player, None, (20, 34), models=20, files=20, facing=SOUTH)
    battle = scene.battle("shooting", player=player)
    assert slots(battle, "own") == [unit.number for unit in units]  # the last have no missile weapon
    choose(battle, "own", units[1].number)
    assert [note["amount"] for note in told(battle, "wap.shoot.hit.roll")] == [10]


@pytest.mark.rule("wap.command.standard.profile", "wap.command.musician.profile")
def test_bearer_and_musician_are_armed_and_fight_as_the_others() -> None:
    """Spears: 5 in front and 10 behind them strike, with bearer and musician in front or without them."""
    for command in (("standard", "musician"), ()):
        scene = RegimentScene()
        card = square(equipment=["hand weapon", "spear (infantry)", "shield"])
        unit = scene.unit(0, card, (24, 24), models=15, files=5, command=command)
        foe = scene.beside(unit, 1, models=5, files=5)
        battle = scene.battle("combat", run=False, dice=[1] * 60)
        assert len({battle.models.line[k] for k in battle.members(unit.row)}) == 1
        fight(battle, unit)
        made = [data["amount"] for data in told(battle, "wap.combat.hit.roll") if data["unit"] == unit.row]
        assert sum(made) == 15
        assert unsaved(battle, unit.row, 0, blow_at(3), 0) == 0 and armour_save(battle, unit.row) == 6
        script(battle, [6, 5, 6, 6])
        assert unsaved(battle, unit.row, 4, blow_at(3), 0) == 1
        assert foe.row != unit.row
