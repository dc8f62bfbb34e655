"""The Movement phase: its steps, who acts in which, in which order."""

from __future__ import annotations

from itertools import permutations

import pytest
from marching import ADVANCE, BACK, FAR_AWAY, FORWARD, ahead, finish, go, leg

from wh_env import Battle
from wh_env.content.wap import compile as compiling
from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.codes import CHARGED, FAILED, FLED, MOVED, OTHER_MOVES, RALLIED, START_OF_TURN, Phase
from wh_env.rulesets.wap.movement.start_of_turn import ON_START_OF_TURN, StartEffect
from wh_env.rulesets.wap.rule_book import SpecialRule
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import SOUTH, RegimentScene, UnitHandle, pose, square


def steps(battle: Battle) -> list[str]:
    """Steps of the phase that began, in order."""
    return [event["step"] for event in told(battle, "wap.battle.turn.phases") if "step" in event]


def three(detail: str = "full") -> tuple[Battle, list[UnitHandle]]:
    scene = RegimentScene()
    units = [scene.unit(0, None, (10 + 12 * n, 10), models=5) for n in range(3)]
    scene.unit(1, None, FAR_AWAY)
    return scene.battle("movement", detail=detail), units


@pytest.mark.rule("wap.move.phase.order", "wap.move.other.one-by-one")
def test_units_act_in_any_order() -> None:
    for order in permutations(range(3)):
        battle, units = three()
        for n, number in enumerate(order):
            assert slots(battle, "own") == sorted(order[n:])
            assert slots(battle, "done") == [0]  # or the step ends
            go(battle, units[number], ADVANCE)
            leg(battle, FORWARD, ahead(1.0))
            finish(battle)
        assert battle.clock.turn[0] == 1


@pytest.mark.rule("wap.move.other.eligible", "wap.move.phase.one-step")
def test_who_did_anything_else_does_not_move() -> None:
    """(a) charged, (b) failed to, (c) rallied, (d) fled, (e) was moved, (f) fights; only (g) moves."""
    scene = RegimentScene()
    deeds = (CHARGED, FAILED, RALLIED, FLED, MOVED)
    for n, did in enumerate(deeds):
        scene.unit(0, None, (4 + 8 * n, 4), models=5, did=did)
    fighting = scene.unit(0, None, (10, 24), models=5)
    free = scene.unit(0, None, (30, 24), models=5)
    fleeing = scene.unit(0, None, (30, 14), models=5)
    scene.unit(0, None, models=5, reserve=True)
    scene.unit(0, square(m=0), (40, 14), models=5)
    enemy = scene.unit(1, None, (10, 40), models=5)
    scene.unit(1, None, FAR_AWAY)

    def fight(battle: Battle) -> None:
        set_block(battle, enemy.row, 10.0, 24.0, SOUTH, 5)

    battle = scene.battle("movement", set_state=fight)
    assert engaged(battle, fighting.row) and not engaged(battle, free.row) and not engaged(battle, fleeing.row)
    battle.units.fleeing[fleeing] = 1
    for n, did in enumerate(deeds):  # what they did in the steps before
        battle.units.did[n] = did
    choose(battle, "own", free.number)
    choose(battle, "option", BACK)
    choose(battle, "number", 0)
    assert (battle.clock.turn[0], battle.clock.phase[0]) != (0, Phase.MOVEMENT)  # nobody else could move
    assert pose(battle, free)[1] == pytest.approx(23.75)


@pytest.mark.rule("wap.move.phase.sequence")
def test_the_steps_in_their_order() -> None:
    """With nobody compelled and no charge the first turn comes to the other moves at once; no step comes back."""
    battle, units = three()
    assert kind(battle) == "select-to-move"
    assert steps(battle) == ["start of turn", "charges", "compulsory moves", "other moves"]
    assert battle.clock.step[0] == OTHER_MOVES
    go(battle, units[0], ADVANCE)
    leg(battle, FORWARD, ahead(1.0))
    finish(battle)
    assert kind(battle) == "select-to-move" and battle.clock.step[0] == OTHER_MOVES
    choose(battle, "done")
    assert battle.clock.turn[0] == 1
    assert steps(battle)[4:] == ["start of turn", "charges", "compulsory moves", "other moves"]
    assert pose(battle, units[1])[1] == 10.0


@pytest.mark.parametrize(("far", "charges"), [(47.0, False), (16.0, True)])
@pytest.mark.rule("wap.move.phase.first-turn")
def test_the_first_turn_comes_to_the_other_moves_at_once_unless_there_is_a_charge(far: float, charges: bool) -> None:
    """Nobody flees and nobody is compelled; an enemy in reach may be charged in the very first turn."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=5)
    scene.unit(0, None, (40, 4), models=5)
    foe = scene.unit(1, None, (24, far), models=5)
    battle = scene.battle("movement", turn=1)
    assert battle.clock.round[0] == 1
    if not charges:
        assert kind(battle) == "select-to-move" and battle.clock.step[0] == OTHER_MOVES
        return
    assert kind(battle) == "declare-charge" and slots(battle, "own") == [unit.number]
    choose(battle, "own", unit.number)
    assert [(e["unit"], e["target"]) for e in told(battle, "wap.charge.declare")] == [(unit.row, foe.row)]


class Omen(StartEffect):
    """At the start of the turn the unit rolls a D6; one that shows a 6 runs (for these tests)."""

    rule = "wap.move.start"

    def due(self, g: BattleCore, unit: int) -> bool:
        return g.units.owner[unit] == 0 and g.units.alive[unit] == 7

    def resolve(self, g: BattleCore, unit: int) -> None:
        g.units.rolled[unit] = g.d6() - 1


class Boon(Omen):
    """The same, if its player likes."""

    optional = True


@pytest.mark.parametrize("effect", [Omen(), Boon()])
@pytest.mark.rule("wap.move.start")
def test_what_is_due_at_the_start_comes_before_anything_else(
    effect: StartEffect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "HANDLERS", (ON_START_OF_TURN.does(SpecialRule("Omen"), effect),))
    scene = RegimentScene()
    for x in (5, 15, 25, 35, 45):
        scene.unit(0, None, (x, 10), models=7 if x < 30 else 5, files=4)
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", dice=[3, 5, 2])
    assert kind(battle) == "start-effect" and battle.clock.step[0] == START_OF_TURN
    assert slots(battle, "own") == [0, 1, 2]
    assert slots(battle, "done") == ([0] if effect.optional else [])
    choose(battle, "own", 1)
    assert slots(battle, "own") == [0, 2]  # not offered again
    choose(battle, "own", 0)
    if effect.optional:
        choose(battle, "done")
        assert dice_left(battle) == 1
    else:
        assert [battle.units.rolled[unit] for unit in range(3)] == [4, 2, 1]  # the last has no choice
    assert kind(battle) == "select-to-move" and battle.clock.step[0] == OTHER_MOVES
    assert steps(battle) == ["start of turn", "charges", "compulsory moves", "other moves"]
