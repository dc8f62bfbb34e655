"""The Movement phase: its steps, who acts in which, in which order."""

from __future__ import annotations

from itertools import permutations

import pytest
from marching import ADVANCE, BACK, FAR_AWAY, FORWARD, ahead, finish, go, leg

from wh_env import Battle
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.codes import CHARGED, FAILED, FLED, MOVED, OTHER_MOVES, RALLIED
from wh_env.testing import choose, kind, slots, told
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
    fleeing = scene.unit(0, None, (30, 14), models=5, fleeing=1)
    scene.unit(0, None, models=5, reserve=True)
    scene.unit(0, square(m=0), (40, 14), models=5)
    enemy = scene.unit(1, None, (10, 40), models=5)
    scene.unit(1, None, FAR_AWAY)

    def fight(battle: Battle) -> None:
        set_block(battle, enemy.row, 10.0, 24.0, SOUTH, 5)

    battle = scene.battle("movement", set_state=fight)
    assert engaged(battle, fighting.row) and not engaged(battle, free.row) and not engaged(battle, fleeing.row)
    for n, did in enumerate(deeds):  # what they did in the steps before
        battle.units.did[n] = did
    choose(battle, "own", free.number)
    choose(battle, "option", BACK)
    choose(battle, "number", 0)
    assert battle.clock.turn[0] == 1  # nobody else could move
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
