"""Charge phase at full detail: the player places the charging models one by one (w10.charge.move*)."""

from math import hypot

import pytest

from wh_env.content.battle import Battle
from wh_env.testing import Scene, apart, choose, dice_left, pick, sheet, slots, told


def charging(dice: list[int], models: int = 1) -> Battle:
    """A unit in a row whose first model is 5" from its target, and which has rolled."""
    scene = Scene()
    scene.unit(0, sheet("Unit"), at=[(20 + 1.5 * n, 10) for n in range(models)])
    scene.unit(1, sheet("Enemy"), at=(20, 16))
    battle = scene.battle(phase="charge", dice=dice, detail="full")
    pick(battle, "Unit", kind="select-to-charge")
    assert dice_left(battle) == 0
    return battle


def ends(battle: Battle) -> list[tuple[int, float, float]]:
    """Every place offered to the model being moved: action, inches moved, inches left to the enemy model (the last row)."""
    assert battle.decision.kind == "close-to"
    found = []
    for action in battle.decision.options:
        if action == 0:
            continue
        branch = battle.clone()
        branch.apply(action)
        away = hypot(branch.models.x[0] - battle.models.x[0], branch.models.y[0] - battle.models.y[0])
        found.append((action, away, apart(branch, 0, len(battle.models.x) - 1)))
    return found


@pytest.mark.rule("w10.charge.move", "w10.charge.move.closer", "w10.charge.move.base-contact")
def test_each_place_is_within_the_roll_and_closer():
    """Roll 7, target 5" away: places up to 7" away and closer; the move can only end in base contact."""
    battle = charging([3, 4])
    battle.apply(battle.setup.space.model)
    offered = ends(battle)
    assert max(away for _, away, _ in offered) <= 7.0 + 1e-6
    assert all(left < 5.0 for _, _, left in offered)
    in_contact = [action for action, _, left in offered if left <= 0.01]
    assert len(in_contact) > 3  # from several sides
    for action, _, left in offered:
        branch = battle.clone()
        branch.apply(action)
        assert slots(branch, "done") == ([0] if left <= 0.01 else [])
    battle.apply(in_contact[-1])
    pick(battle, "end the move")
    assert told(battle, "w10.charge.move") == [{"unit": 0}]
    first_fight = told(battle, "w10.fight.alternate")[0]
    assert (first_fight["unit"], first_fight["step"]) == (0, 1)  # the charge bonus


@pytest.mark.rule("w10.charge.move.base-contact", "w10.charge.condition.all-targets")
def test_contact_out_of_reach():
    """Roll 4: contact is out of reach; an end within 1" of the target is required and enough."""
    battle = charging([1, 3])
    battle.apply(battle.setup.space.model)
    verdicts = set()
    for action, away, left in ends(battle):
        branch = battle.clone()
        branch.apply(action)
        legal = slots(branch, "done") == [0]
        assert away <= 4.0 + 1e-6
        assert legal == (left <= 1.0 + 1e-4)
        verdicts.add(legal)
    assert verdicts == {True, False}


@pytest.mark.rule("w10.charge.move")
def test_order_of_the_models_and_the_whole_unit():
    """The models move in the order chosen; the move ends when every model is closer and the unit in coherency."""
    battle = charging([3, 4], models=3)
    space = battle.setup.space
    assert slots(battle, "model") == [0, 1, 2]
    before = [(battle.models.x[k], battle.models.y[k]) for k in range(3)]
    battle.apply(space.model + 1)
    choose(battle, "done")  # the second stays
    assert slots(battle, "model") == [0, 2]
    assert slots(battle, "done") == []  # nobody has moved: the target is not reached
    pick(battle, "take the move back")
    pick(battle, "leave the move to the engine")
    assert all((battle.models.x[k], battle.models.y[k]) != before[k] for k in range(3))
    assert apart(battle, 0, 3) <= 0.01


@pytest.mark.rule("w10.charge.failed")
def test_a_failed_charge_asks_nothing():
    """A roll of 3 against 5": no model is placed."""
    battle = charging([1, 2])
    assert told(battle, "w10.charge.failed") == [{"unit": 0}]
    assert battle.decision is None or battle.decision.kind not in ("close-order", "close-to")
    assert battle.models.y[0] == 10.0
