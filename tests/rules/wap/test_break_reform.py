"""Combat reforms: who may, who tests, who goes first; where they end."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Any

import numpy as np
import pytest
from oracles.regiments import bases, least_displacement
from results import play, scored

from wh_env import Battle
from wh_env.core.procedures import STEP
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards, sides_engaged
from wh_env.rulesets.wap.breaking.combat_reform import CombatReforms, may_reform
from wh_env.rulesets.wap.codes import BROKEN, DREW, FRONT, HELD, LEFT, PURSUED, PURSUES, REAR, RIGHT, WON
from wh_env.rulesets.wap.combat.close_combat import FightCombat
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.play import dice_left, script
from wh_env.testing.wap import RegimentScene, UnitHandle, places, pose, ranks, square

STAY, REFORM = 0, 1


def meeting(
    models: int = 20, files: int = 5, others: int = 5, wide: int = 5, *, side: int = FRONT, along: float = 0.0,
    outcomes: tuple[int, int] = (WON, HELD), card: Any = None, foe: Any = None, dice: Sequence[int] = (), facing: float = pi / 2,
    detail: str = "full", **fields: Any,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A unit of player 0 and an enemy at one of its sides after the break tests, at the wish of the first who may reform."""
    scene = RegimentScene()
    a = scene.unit(0, card, (24, 24), models=models, files=files, facing=facing, **fields)
    b = scene.beside(a, 1, foe, side=side, along=along, models=others, files=wide)
    battle = scored(scene, a, detail=detail)
    battle.units.outcome[a], battle.units.outcome[b] = outcomes
    return play(battle, CombatReforms, dice=dice), a, b


def wish(battle: Battle, *wishes: int) -> None:
    """Answer for each unit that is asked whether it reforms."""
    for answer in wishes:
        assert kind(battle) == "combat-reform" and slots(battle, "option") == [STAY, REFORM]
        choose(battle, "option", answer)


def only(battle: Battle, unit: UnitHandle) -> bool:
    """Let this unit alone reform; False: it is not asked."""
    found = False
    while kind(battle) == "combat-reform" and slots(battle, "option"):
        mine = battle.decision is not None and battle.decision.subject == unit.row
        found = found or mine
        choose(battle, "option", REFORM if mine else STAY)
    return found


def formations(battle: Battle) -> list[tuple[int, int, int]]:
    """All that the waiting unit may reform into: files, slot of the facing (-1: there is one), place."""
    found = []
    for files in slots(battle, "number"):
        other = battle.clone()
        choose(other, "number", files)
        turns = slots(other, "angle") if kind(other) == "combat-reform" and slots(other, "angle") else [-1]
        for turn in turns:
            turned = other.clone()
            if turn >= 0:
                choose(turned, "angle", turn)
            count = len(slots(turned, "number")) if kind(turned) == "combat-reform-place" else 1
            found += [(files + 1, turn, n) for n in range(count)]
    return found


def into(battle: Battle, formation: tuple[int, int, int]) -> Battle:
    """A copy of the battle after such a reform."""
    files, turn, n = formation
    other = battle.clone()
    choose(other, "number", files - 1)
    if turn >= 0:
        choose(other, "angle", turn)
    if kind(other) == "combat-reform-place":
        choose(other, "number", n)
    return other


def touching(battle: Battle, one: UnitHandle, other: UnitHandle) -> set[int]:
    """Models of a unit on square bases of an inch that touch another unit: by points of their outlines."""
    found = set()
    theirs = np.array(places(battle, other))
    f = pose(battle, other)[2]
    turn = np.array([[np.cos(f), np.sin(f)], [-np.sin(f), np.cos(f)]])
    mine = pose(battle, one)[2]
    for k in battle.members(one.row):
        for s in np.linspace(-0.5, 0.5, 21):
            for u, v in ((0.5, s), (-0.5, s), (s, 0.5), (s, -0.5)):
                x = battle.models.x[k] + np.cos(mine) * u - np.sin(mine) * v
                y = battle.models.y[k] + np.sin(mine) * u + np.cos(mine) * v
                away = np.abs((np.array([x, y]) - theirs) @ turn.T) - 0.5
                if (away.max(axis=1) < 0.001).any():
                    found.add(k)
    return found


@pytest.mark.rule("wap.break.reform.winner")
def test_a_winner_widens_his_front_without_a_test() -> None:
    battle, a, b = meeting(others=16, wide=8, dice=[6, 6])
    assert only(battle, a) and kind(battle) == "combat-reform"
    assert dice_left(battle) == 2
    choose(battle, "number", 7)
    choose(battle, "number", 0)
    assert ranks(battle, a) == [8, 8, 4] and kind(battle) is None
    assert len(touching(battle, a, b)) == 8 and len(touching(battle, b, a)) == 8
    assert told(battle, "wap.break.reform.how")[0]["files"] == 8


@pytest.mark.rule("wap.break.reform.winner")
def test_after_a_draw_both_may_without_a_test() -> None:
    battle, _a, _b = meeting(others=20, outcomes=(DREW, DREW), dice=[5, 3])
    wish(battle, REFORM, REFORM)
    assert not told(battle, "wap.break.reform.loser") and kind(battle) == "reform-first"
    assert told(battle, "wap.break.reform.order")[0]["rolls"] == (5, 3)
    assert battle.decision is not None and battle.decision.player == 0


def test_who_pursues_or_has_nobody_to_fight_does_not_reform() -> None:
    for column, value in (("intent", PURSUES), ("fleeing", 1), ("fights", 0), ("fighting", 0)):
        scene = RegimentScene()
        a = scene.unit(0, None, (24, 24), models=20, files=5)
        scene.beside(a, 1, models=16, files=8)
        battle = scored(scene, a)
        getattr(battle.units, column)[a] = value
        assert not only(play(battle, CombatReforms), a), column


def turns(movement: int) -> tuple[set[tuple[int, ...]], float]:
    """Formations, with their poses, in which 20 models attacked in the right flank may face the enemy; how far their middle moves at most."""
    battle, a, b = meeting(side=RIGHT, others=9, card=square(m=movement))
    before = bases(20, 5, 0.5, 0.5, 0.0, *pose(battle, a))
    found, farthest = set(), 0.0
    for formation in formations(battle) if only(battle, a) else []:
        other = into(battle, formation)
        after = bases(20, formation[0], 0.5, 0.5, 0.0, *pose(other, a))
        assert least_displacement(before, after) <= 2 * movement + 1e-6
        assert side_towards(other, a.row, b.row) == side_towards(other, b.row, a.row) == FRONT
        farthest = max(farthest, float(np.abs(after.mean(axis=0) - before.mean(axis=0)).max()))
        found.add((formation[0], *(round(1000 * value) for value in pose(other, a))))
    return found, farthest


@pytest.mark.rule("wap.break.reform.how")
def test_a_reform_to_face_a_flanker_moves_no_model_too_far() -> None:
    """The centre moves, no model more than twice its Movement: who moves farther has more formations."""
    slow, middling, fast = (turns(movement) for movement in (1, 2, 4))
    assert slow[0] < middling[0] < fast[0]
    assert fast[1] > 1.0


@pytest.mark.rule("wap.break.reform.keep-contact")
@pytest.mark.rule("wap.break.reform.no-new-arc")
@pytest.mark.rule("wap.break.reform.front-in-contact")
@pytest.mark.parametrize(
    ("side", "along"), [(FRONT, 0.0), (FRONT, 1.5), (FRONT, -2.5), (RIGHT, 0.0), (LEFT, 0.5), (REAR, 0.0), (REAR, 2.0)]
)
@pytest.mark.parametrize(("models", "files", "others", "wide"), [(20, 5, 5, 5), (13, 5, 12, 4), (9, 3, 16, 8)])
def test_nobody_leaves_contact(side: int, along: float, models: int, files: int, others: int, wide: int) -> None:
    battle, a, b = meeting(models, files, others, wide, side=side, along=along, facing=0.7)
    own, theirs = touching(battle, a, b), touching(battle, b, a)
    arc = side_towards(battle, b.row, a.row)
    if not only(battle, a):
        return
    found = formations(battle)
    for formation in found[:: max(1, len(found) // 8)]:
        other = into(battle, formation)
        assert theirs <= touching(other, b, a), formation
        assert len(touching(other, a, b)) >= len(own), formation
        assert side_towards(other, a.row, b.row) == FRONT
        assert side_towards(other, b.row, a.row) == arc
    assert found


@pytest.mark.rule("wap.break.reform.keep-contact")
def test_narrower_fronts_are_refused() -> None:
    battle, a, _ = meeting(card=square(m=9))
    assert only(battle, a)
    assert slots(battle, "number") == list(range(4, 20))  # 5 files and more: all of the ten stay in contact
    for at in (0, 1, 2):  # a shorter rank at both sides leaves fewer to keep
        battle, a, b = meeting(10, 5, 2, 2, along=0.0 + at, card=square(m=9))
        assert only(battle, a)
        assert (3 in slots(battle, "number")) == (len(touching(battle, a, b)) <= 4)


@pytest.mark.rule("wap.break.reform.no-new-arc")
def test_models_may_stand_beside_the_enemy_without_touching_it() -> None:
    battle, a, b = meeting()
    assert only(battle, a)
    choose(battle, "number", 6)
    assert kind(battle) == "combat-reform-place"
    at = sorted(round(pose(into_place(battle, n), a)[0], 3) for n in slots(battle, "number"))
    assert at == [22.0, 23.0, 24.0, 25.0, 26.0]  # from corner to corner
    choose(battle, "number", 0)
    assert ranks(battle, a) == [7, 7, 6] and len(touching(battle, a, b)) == 7  # corners touch
    assert sides_engaged(battle, b.row) == {FRONT}


def into_place(battle: Battle, n: int) -> Battle:
    """A copy of the battle with the unit at such a place."""
    other = battle.clone()
    choose(other, "number", n)
    return other


@pytest.mark.rule("wap.break.reform.no-new-arc")
@pytest.mark.parametrize("gap", [1.0, 2.0])
def test_the_side_of_another_enemy_is_not_touched(gap: float) -> None:
    """Beside the enemy stands another one, its flank in line with that one's front: files go to the other end."""
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=20, files=5)
    scene.beside(a, 1, models=5, files=5)
    other = scene.unit(1, None, (26.5 + gap, 26.5), models=5, files=5, facing=pi)  # its left flank at y = 24
    battle = play(scored(scene, a, detail="full"), CombatReforms)
    assert battle.units.outcome[a] == WON
    assert only(battle, a)
    choose(battle, "number", 6)
    at = [round(pose(into_place(battle, n), a)[0], 3) for n in slots(battle, "number")] or [
        round(pose(battle, a)[0], 3)
    ]
    assert 25.0 not in at and 23.0 in at
    assert (24.0 in at) == (gap == 2.0)  # one more at that end leaves an inch
    for n in slots(battle, "number"):
        assert foes_of(into_place(battle, n), other.row) == []


@pytest.mark.rule("wap.break.reform.front-in-contact")
def test_who_is_attacked_in_the_rear_turns_about() -> None:
    battle, a, b = meeting(side=REAR)
    assert only(battle, a)
    found = formations(battle)
    turns = {round(np.degrees(pose(into(battle, formation), a)[2])) % 360 for formation in found}
    assert turns == {270} and 5 in {formation[0] for formation in found}
    other = into(battle, next(formation for formation in found if formation[0] == 5))
    assert touching(other, b, a) == set(battle.members(b.row)) and side_towards(other, a.row, b.row) == FRONT


@pytest.mark.rule("wap.break.reform.loser")
@pytest.mark.parametrize(
    ("firm", "dice", "passed"), [(0, (3, 4), False), (0, (3, 3), True), (1, (3, 4), True), (1, (4, 5), False)]
)
def test_the_beaten_test_on_what_they_broke_on(firm: int, dice: tuple[int, int], passed: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(ld=8), (24, 24), models=20, files=5)
    b = scene.beside(a, 1, models=16, files=8)
    battle = scored(scene, a)
    u = battle.units
    u.outcome[a], u.penalty[a], u.steadfast[a], u.outcome[b] = HELD, 2, firm, WON
    play(battle, CombatReforms, dice=dice)
    wish(battle, REFORM, STAY)
    test = told(battle, "wap.break.reform.loser")[0]
    assert (test["leadership"], test["passed"]) == (8 if firm else 6, passed)
    assert (kind(battle) == "combat-reform") == passed


@pytest.mark.rule("wap.break.modifier-scope")
def test_the_penalty_is_that_of_the_break_test() -> None:
    from wh_env.rulesets.wap.morale.leadership import leadership_test

    scene = RegimentScene()
    a = scene.unit(0, square(ld=8), (24, 24), models=20, files=5)
    b = scene.beside(a, 1, models=16, files=8)
    battle = scored(scene, a)
    u = battle.units
    u.outcome[a], u.penalty[a], u.outcome[b] = HELD, 3, WON
    play(battle, CombatReforms, dice=[3, 3, 4, 4])
    wish(battle, REFORM, STAY)
    assert told(battle, "wap.break.reform.loser")[0]["leadership"] == 5
    assert leadership_test(battle, a.row, "wap.pursuit.choice")
    assert told(battle, "wap.pursuit.choice")[0]["leadership"] == 8


@pytest.mark.rule("wap.command.champion.follow-me.combat-reform")
@pytest.mark.parametrize(("command", "again"), [(("champion",), True), (("standard", "musician"), False)])
def test_a_champion_lets_the_test_be_rolled_again(command: tuple[str, ...], again: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(0, square(ld=8), (24, 24), models=20, files=5, command=command)
    b = scene.beside(a, 1, models=16, files=8)
    battle = scored(scene, a, detail="full")
    u = battle.units
    u.outcome[a], u.penalty[a], u.steadfast[a], u.outcome[b] = HELD, 2, 0, WON
    play(battle, CombatReforms, dice=[5, 4, 2, 3])
    wish(battle, REFORM, STAY)
    assert (kind(battle) == "reroll") == again
    if again:
        stays = battle.clone()
        choose(stays, "done")
        assert kind(stays) is None and dice_left(stays) == 2
        choose(battle, "option", 0)
        assert told(battle, "wap.command.champion.follow-me.combat-reform")[0]["passed"]
    assert (kind(battle) == "combat-reform") == again


@pytest.mark.rule("wap.break.reform.order")
@pytest.mark.parametrize("mine", [True, False])
def test_tests_come_before_the_roll_off(mine: bool) -> None:
    battle, a, b = meeting(others=20, foe=square(ld=8), dice=[1, 2, 5, 3])
    battle.units.penalty[b] = 1
    wish(battle, REFORM, REFORM)
    order = [
        event.rule for event in battle.events if event.rule in ("wap.break.reform.loser", "wap.break.reform.order")
    ]
    assert order == ["wap.break.reform.loser", "wap.break.reform.order"]
    assert kind(battle) == "reform-first" and battle.decision is not None and battle.decision.player == 0
    choose(battle, "option", 0 if mine else 1)
    assert battle.decision is not None and battle.decision.subject == (a.row if mine else b.row)
    choose(battle, "done")
    assert battle.decision is not None and battle.decision.subject == (b.row if mine else a.row)
    choose(battle, "done")
    assert kind(battle) is None and not told(battle, "wap.break.reform.how")


@pytest.mark.rule("wap.break.reform.order")
def test_without_two_sides_nobody_rolls_off() -> None:
    battle, a, _b = meeting(others=20, foe=square(ld=5), dice=[6, 6])
    wish(battle, REFORM, REFORM)  # the beaten fail
    assert not told(battle, "wap.break.reform.order")
    assert battle.decision is not None and battle.decision.subject == a.row


@pytest.mark.rule("wap.break.reform.several-sides")
def test_who_is_engaged_on_two_sides_stays() -> None:
    for flanked in (True, False):
        scene = RegimentScene()
        a = scene.unit(0, None, (24, 24), models=20, files=5)
        scene.beside(a, 1, models=12, files=6)
        if flanked:
            scene.beside(a, 1, side=LEFT, models=5, files=4)
        battle = scored(scene, a, detail="full")
        battle.units.outcome[a] = WON
        assert len(sides_engaged(battle, a.row)) == 1 + flanked
        assert may_reform(battle, a.row) != flanked  # by the rule itself, whatever places there would be
        assert only(play(battle, CombatReforms), a) != flanked


@pytest.mark.parametrize("flanker", [5, 1])
@pytest.mark.rule("wap.break.reform.several-sides")
def test_so_do_who_has_lost_and_who_is_flanked_by_a_few(flanker: int) -> None:
    """The winner's 12 at the front and a flanker who is too few to disorganise: no option, no test of Leadership."""
    scene = RegimentScene()
    a = scene.unit(0, square(ld=10), (24, 24), models=20, files=5)
    front = scene.beside(a, 1, models=12, files=5)
    side_on = scene.beside(a, 1, side=LEFT, models=flanker, files=min(4, flanker))
    battle = scored(scene, a, detail="full")
    battle.units.outcome[a] = HELD
    for foe in (front, side_on):
        battle.units.outcome[foe] = WON
    assert not may_reform(battle, a.row) and may_reform(battle, front.row)
    play(battle, CombatReforms, dice=[1, 1])
    assert not only(battle, a) and dice_left(battle) == 2


@pytest.mark.rule("wap.break.reform.how")
def test_the_default_place_has_most_contact() -> None:
    for detail in ("squad", "full"):
        battle, a, b = meeting(others=16, wide=8, along=1.0, detail=detail)
        assert only(battle, a)
        choose(battle, "number", 7)
        assert kind(battle) == (None if detail == "squad" else "combat-reform-place")
        if detail == "full":
            best = [len(touching(into_place(battle, n), a, b)) for n in slots(battle, "number")]
            assert best[0] == max(best) and len(best) > 1
        else:
            assert len(touching(battle, a, b)) == 8


def test_sides_swapped_reform_alike() -> None:
    """The same scene turned by half a turn, with the players swapped, offers the same formations."""

    def offers(player: int) -> list[tuple[int, ...]]:
        scene = RegimentScene()
        turned = pi if player else 0.0
        first = scene.unit(player, None, (24, 24), models=20, files=5, facing=0.7 + turned)
        scene.beside(first, 1 - player, along=1.5, models=12, files=6)
        battle = scored(scene, first, player=player, detail="full")
        battle.units.outcome[first] = WON
        play(battle, CombatReforms)
        assert only(battle, first)
        found = []
        for formation in formations(battle):
            x, y, _ = pose(into(battle, formation), first)
            away = (x - 24, y - 24) if player == 0 else (24 - x, 24 - y)
            found.append((formation[0], formation[2], round(away[0], 4), round(away[1], 4)))
        return found

    assert offers(0) == offers(1)


@pytest.mark.rule("wap.break.reform.after-pursuits")
def test_reforms_wait_for_the_pursuits() -> None:
    """b flees from a and c holds against d: a has gone after b before anybody is asked about reforms."""
    scene = RegimentScene(size=(60, 60))
    a = scene.unit(0, None, (24, 30), models=20, files=5, name="a")
    b = scene.beside(a, 1, along=-1.5, models=20, files=5, name="b")
    d = scene.unit(0, None, (29.5, 30), models=20, files=5, name="d")
    c = scene.beside(d, 1, along=-2.5, models=20, files=5, name="c")
    battle = scored(scene, a, detail="full")
    u = battle.units
    assert foes_of(battle, a.row) == [b.row] and set(foes_of(battle, d.row)) == {b.row, c.row}
    u.outcome[a], u.outcome[d], u.outcome[b], u.outcome[c] = WON, WON, BROKEN, HELD
    u.penalty[c] = 1
    battle.push(FightCombat, a.row)
    battle.stack[battle.frame + STEP] = FightCombat.Step.CHOOSE
    script(battle, [2, 4, 4, 4])
    battle.run()
    before = pose(battle, a)
    asked = []
    while battle.decision is not None:
        asked.append((kind(battle), battle.decision.subject))
        if kind(battle) == "combat-reform" and slots(battle, "option"):
            assert u.did[a] & PURSUED and pose(battle, a) != before
            assert u.fleeing[b] or u.alive[b] == 0
        if kind(battle) == "pursue":
            choose(battle, "enemy", slots(battle, "enemy")[0])
        else:
            battle.apply(battle.first_legal())
    wishes = [subject for what, subject in asked if what == "combat-reform"]
    assert wishes == [d.row, c.row], asked
    assert asked.index(("pursue", a.row)) < asked.index(("combat-reform", d.row))
