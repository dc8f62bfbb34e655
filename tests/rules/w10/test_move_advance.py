"""Advances: the roll, the move, what a unit that Advanced may not do."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import (
    Scene,
    UnitHandle,
    cell_nearest,
    choose,
    dice_left,
    pick,
    play_until,
    ranged,
    sheet,
    slots,
    told,
)
from wh_env.testing.moves import check_move, walk

GUN = {"gun": ranged(24, A=1, BS=4, S=4)}
CENTRE = 17 * 17 // 2


def line_of(count: int, detail: str, dice: list[int], foe: tuple[float, float] = (30, 40)) -> tuple[Battle, UnitHandle]:
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", M=6), at=[(20, 8 + 1.5 * k) for k in range(count)], models=count)
    scene.unit(1, sheet("Foes"), at=foe, models=1)
    return scene.battle(detail=detail, dice=dice), squad


@pytest.mark.rule("w10.move.advance.roll")
def test_one_die_for_the_unit_before_any_model_moves() -> None:
    """Five models, a roll of 4: one die, rolled before the first model is chosen, gives each of them 10"."""
    battle, squad = line_of(5, "full", [4, 1])
    before = battle.models.rows["x"].tolist()
    pick(battle, "Advance")
    assert dice_left(battle) == 1  # one die, for all of them
    assert told(battle, "w10.move.advance.roll") == [{"unit": squad.row, "roll": 4}]
    assert battle.models.rows["x"].tolist() == before
    assert slots(battle, "model") == [0, 1, 2, 3, 4]
    for number in range(5):
        assert walk(battle, number, 30, 8 + 1.5 * number)[0] == pytest.approx(30)  # M 10" for every model
    pick(battle, "end the move")
    assert dice_left(battle) == 1


@pytest.mark.rule("w10.move.advance.roll")
def test_the_roll_counts_until_the_end_of_the_phase_only() -> None:
    """The next turn's Normal move is of M again."""
    battle, squad = line_of(1, "full", [4])
    pick(battle, "Advance")
    pick(battle, "end the move")
    play_until(battle, "move-kind")
    while battle.decision is not None and battle.decision.player != 0:
        battle.apply(battle.first_legal())
        play_until(battle, "move-kind")
    pick(battle, "Normal move")
    with pytest.raises(LookupError):
        walk(battle.clone(), 0, 26.2, 8)
    assert walk(battle, 0, 26, 8) == pytest.approx((26, 8))
    assert battle.units.moved[squad] == Moved.NORMAL


@pytest.mark.rule("w10.move.advance.move")
def test_an_advance_of_m_plus_the_roll() -> None:
    """M 6" and a 4: a path of 10" is legal, one of 10.1" is not, whichever way it is played."""
    battle, squad = line_of(1, "full", [4])
    pick(battle, "Advance")
    assert check_move(battle.clone(), squad, "advance", {0: [(30, 8)]}) == Fault.LEGAL
    assert check_move(battle.clone(), squad, "advance", {0: [(30.1, 8)]}) == Fault.TOO_FAR
    assert check_move(battle.clone(), squad, "advance", {0: [(20, 14), (24, 14)]}) == Fault.LEGAL
    assert check_move(battle.clone(), squad, "advance", {0: [(20, 14), (24.1, 14)]}) == Fault.TOO_FAR
    assert walk(battle.clone(), 0, 30, 8) == pytest.approx((30, 8))
    with pytest.raises(LookupError):
        walk(battle, 0, 30.2, 8)
    together, _ = line_of(1, "squad", [4])
    pick(together, "Advance")
    together.apply(together.setup.space.cell + cell_nearest(together, 10, 0, 10))
    assert together.models.x[0] == pytest.approx(30)


@pytest.mark.rule("w10.move.advance.move")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_unit_that_advances_without_moving_has_advanced(detail: str) -> None:
    """Moving 0" is legal and the unit still Advanced: it cannot charge an enemy 6" away."""
    battle, _ = line_of(1, detail, [4], foe=(20, 15))
    pick(battle, "Advance")
    if detail == "full":
        pick(battle, "end the move")
    else:
        choose(battle, "cell", CENTRE)
    assert (battle.models.x[0], battle.models.y[0]) == (20, 8)
    assert told(battle, "w10.move.advance.roll")[0]["roll"] == 4
    assert battle.clock.turn[0] == 1  # the turn went on without a decision: nothing to shoot with, no charge
    assert not told(battle, "w10.charge.select-unit")


@pytest.mark.rule("w10.move.advance.engagement")
def test_an_advance_keeps_out_of_engagement_range_on_the_way_and_at_the_end() -> None:
    """A path that passes 0.9" from an enemy is rejected, at 1.1" it is legal; so is an end 0.9" away."""
    for gap, verdict in ((0.9, Fault.ENGAGES_ON_THE_WAY), (1.1, Fault.LEGAL)):
        battle, squad = line_of(1, "full", [4], foe=(25, 9 + gap))
        pick(battle, "Advance")
        assert check_move(battle, squad, "advance", {0: [(30, 8)]}) == verdict
    battle, squad = line_of(1, "full", [4], foe=(29, 8))
    pick(battle, "Advance")
    assert check_move(battle.clone(), squad, "advance", {0: [(26.9, 8)]}) == Fault.LEGAL
    assert check_move(battle.clone(), squad, "advance", {0: [(27.1, 8)]}) == Fault.ENGAGES_ON_THE_WAY
    with pytest.raises(LookupError):
        walk(battle, 0, 27.2, 8)


def advancing(weapons: dict[str, object]) -> Battle:
    """A unit 12" in front of an enemy Advances to 6" from it."""
    scene = Scene()
    scene.unit(0, sheet("Squad", weapons=weapons), at=(20, 10), models=1)
    scene.unit(1, sheet("Foes", W=20), at=(20, 23), models=1)
    battle = scene.battle(dice=[2])
    pick(battle, "Advance")
    battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, 6, 8))
    assert battle.models.y[0] == pytest.approx(16)
    return battle


@pytest.mark.rule("w10.move.advance.restrictions")
def test_no_shooting_and_no_charge_after_an_advance() -> None:
    """6" from an enemy without Assault weapons: eligible neither to shoot nor to charge; the next turn to both."""
    battle = advancing(GUN)
    phases = [event.data["phase"] for event in battle.events if event.rule == "w10.round.phases"]
    assert phases[:4] == ["Movement", "Shooting", "Charge", "Fight"]  # its turn passed without a decision
    assert not told(battle, "w10.shoot.select-unit")
    play_until(battle, "move-kind")
    while battle.decision is not None and battle.decision.player != 0:
        pick(battle, "Remain Stationary")
        play_until(battle, "move-kind")
    pick(battle, "Normal move")
    choose(battle, "cell", CENTRE)
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-shoot"
    assert slots(battle, "own") == [0]
    choose(battle, "done")
    assert battle.decision.kind == "select-to-charge"
    assert slots(battle, "own") == [0]


@pytest.mark.rule("w10.move.advance.restrictions")
def test_assault_weapons_may_be_fired_after_an_advance() -> None:
    """The exception: with an Assault weapon it is eligible to shoot, still not to charge."""
    battle = advancing({"carbine": ranged(24, A=1, BS=4, S=4, abilities=["ASSAULT"])})
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-shoot"
    choose(battle, "done")
    assert battle.decision.player == 1  # no charge in its own turn
    assert not told(battle, "w10.charge.select-unit")
