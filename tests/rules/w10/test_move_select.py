"""The Movement phase: its steps, which unit moves next, what it may do, which of its models move."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.core.reports import IllegalAction
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import Scene, UnitHandle, dice_left, pick, play_until, ranged, sheet, slots, told, words
from wh_env.testing.moves import walk

STAY, NORMAL, ADVANCE, FALL_BACK = range(4)  # options of a unit selected to move


def far_enemy(scene: Scene) -> UnitHandle:
    return scene.unit(1, sheet("Foes"), at=(30, 40), models=1)


@pytest.mark.rule("w10.move.steps")
def test_reinforcements_come_after_all_moves_and_nothing_moves_after_them() -> None:
    """Two steps: the Reserves unit cannot be chosen while a unit is to move; when it has arrived the phase is over."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=(10, 5), models=1)
    scene.unit(0, sheet("Others"), at=(20, 5), models=1)
    scene.unit(0, sheet("Drop", abilities={"deep_strike": True}), models=1, reserves="deep-strike")
    far_enemy(scene)
    battle = scene.battle(round=2)
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-move"
    assert slots(battle, "own") == [0, 1]  # not the unit in Reserves
    pick(battle, "Squad")
    pick(battle, "Squad: Remain Stationary")
    pick(battle, "Others: Remain Stationary")  # the last unit needs no choosing
    assert battle.decision.kind == "select-reserves"
    pick(battle, "Drop")
    assert battle.decision.kind == "arrive-at"
    battle.apply(battle.first_legal())
    rules = [event.rule for event in battle.events]
    arrival = rules.index("w10.move.reinforcements.counts-as-normal")
    mine = [event.data["unit"] for event in battle.events[:arrival] if event.rule == "w10.move.select-unit"]
    assert mine == [squad.row, 1]  # all moves came before
    after = next(event for event in battle.events[arrival:] if event.rule == "w10.round.phases")
    assert after.data["phase"] == "Shooting"
    assert "w10.move.select-unit" not in rules[arrival : battle.events.index(after)]


@pytest.mark.rule("w10.move.select-unit")
def test_each_unit_is_selected_once_in_any_order() -> None:
    """Any of three, any of the other two, then the last; the opponent is never asked, none is chosen twice."""
    scene = Scene()
    for number in (1, 2, 3):
        scene.unit(0, sheet(f"U{number}"), at=(10 * number, 5), models=1)
    far_enemy(scene)
    battle = scene.battle()
    asked = []

    def still(decision_kind: str = "select-to-move") -> list[int]:
        assert battle.decision is not None
        assert battle.decision.kind == decision_kind
        asked.append(battle.decision.player)
        return slots(battle, "own")

    assert still() == [0, 1, 2]
    assert slots(battle, "done") == []  # a unit cannot be passed over
    pick(battle, "U2")
    pick(battle, "U2: Remain Stationary")
    assert still() == [0, 2]
    with pytest.raises(IllegalAction):
        battle.apply(battle.setup.space.own + 1)
    pick(battle, "U3")
    pick(battle, "U3: Remain Stationary")
    assert battle.decision is not None
    assert battle.decision.kind == "move-kind"
    assert battle.decision.subject == 0
    pick(battle, "U1: Remain Stationary")
    assert [event["unit"] for event in told(battle, "w10.move.select-unit")][:3] == [1, 2, 0]
    assert asked == [0, 0]
    assert battle.clock.turn[0] == 1


@pytest.mark.rule("w10.move.options.free")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_options_out_of_engagement(detail: str) -> None:
    """1.5" from the enemy, and just beyond 1": exactly Normal move, Advance and Remain Stationary."""
    for gap in (1.5, 1.01):
        scene = Scene()
        scene.unit(0, sheet("Squad"), at=(10, 10), models=1)
        scene.unit(1, sheet("Foes"), at=(10, 11 + gap), models=1)
        battle = scene.battle(detail=detail)
        assert battle.decision is not None
        assert battle.decision.kind == "move-kind"
        assert slots(battle, "option") == [STAY, NORMAL, ADVANCE] == [a - 1 for a in battle.decision.options]


@pytest.mark.rule("w10.move.options.engaged")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_options_in_engagement(detail: str) -> None:
    """One of ten models 0.8" (or exactly 1") from an enemy: exactly Remain Stationary and Fall Back."""
    for gap in (0.8, 1.0):
        scene = Scene()
        spots = [(10 + 1.5 * (k % 5), 10 - 1.5 * (k // 5)) for k in range(10)]
        scene.unit(0, sheet("Squad"), at=spots)
        scene.unit(1, sheet("Foes"), at=(10, 11 + gap), models=1)
        battle = scene.battle(detail=detail)
        assert battle.decision is not None
        assert battle.decision.kind == "move-kind"
        assert slots(battle, "option") == [STAY, FALL_BACK] == [a - 1 for a in battle.decision.options]


def three_abreast(detail: str = "full") -> tuple[Battle, UnitHandle]:
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=[(10, 10), (11.5, 10), (13, 10)])
    far_enemy(scene)
    return scene.battle(detail=detail), squad


def positions(battle: Battle, unit: UnitHandle) -> list[list[float]]:
    return [[round(battle.models.x[k], 1), round(battle.models.y[k], 1)] for k in battle.members(unit.row)]


@pytest.mark.rule("w10.move.models.any-and-order")
def test_some_models_move_in_the_order_chosen() -> None:
    """Models 2 and 1 (of 1, 2, 3) move in that order, 3 stays; each once; the player ends the move."""
    battle, squad = three_abreast()
    pick(battle, "Normal move")
    assert slots(battle, "model") == [0, 1, 2]
    walk(battle, 1, 11.5, 11.5)
    assert slots(battle, "model") == [0, 2]  # the second has moved
    walk(battle, 0, 10, 11.5)
    assert slots(battle, "model") == [2]
    pick(battle, "end the move")
    assert positions(battle, squad) == [[10, 11.5], [11.5, 11.5], [13, 10]]


@pytest.mark.rule("w10.move.models.any-and-order")
def test_a_move_that_breaks_coherency_cannot_be_ended_and_is_taken_back() -> None:
    """The two moved models end 4" from the third: the move cannot end so; taken back, all stand where they stood."""
    battle, squad = three_abreast()
    before = positions(battle, squad)
    pick(battle, "Normal move")
    walk(battle, 0, 10, 15)
    walk(battle, 1, 11.5, 15)
    assert "end the move" not in words(battle).values()
    pick(battle, "take the move back")
    assert positions(battle, squad) == before
    assert slots(battle, "model") == [0, 1, 2]  # and may move again
    walk(battle, 2, 13, 11)
    pick(battle, "end the move")
    assert positions(battle, squad)[2] == [13, 11]


@pytest.mark.rule("w10.move.remain-stationary")
def test_a_unit_that_remains_stationary_does_not_move_and_may_shoot_and_charge() -> None:
    """No model moves or turns, no decision about it comes back in the phase; Heavy hits on 4+ - 1; it may charge."""
    scene = Scene()
    squad = scene.unit(
        0, sheet("Squad", weapons={"gun": ranged(24, A=1, BS=4, S=4, abilities=["HEAVY"])}), at=(10, 10), models=5
    )
    scene.unit(1, sheet("Foes", W=20), at=(12, 20), models=1)
    battle = scene.battle(dice=[3, 3, 3, 3, 3, 1, 1, 1, 1, 1])
    before = battle.models.rows[["x", "y", "z", "facing"]].tolist()
    pick(battle, "Remain Stationary")
    assert battle.units.moved[squad] == Moved.STATIONARY
    assert battle.models.rows[["x", "y", "z", "facing"]].tolist() == before
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-shoot"
    pick(battle, "Squad")
    assert dice_left(battle) == 0  # five hits of 3 (3+ with Heavy, 4+ without) were rolled to wound
    play_until(battle, "select-to-charge")
    assert slots(battle, "own") == [0]
    assert battle.models.rows[["x", "y", "z", "facing"]].tolist() == before
