"""Moves as if it were the Movement phase, and embarking after them (w9.move.out-of-phase, w9.transport.embark.out-of-phase)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import EMBARKED
from wh_env.rulesets.w9.actions.data import Action, When, Whose
from wh_env.rulesets.w9.actions.performing import start
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import UnitHandle, cell_nearest, choose, kind, pick, sheet, slots, told, words
from wh_env.testing.moves import walk

Spot = tuple[float, float]


def onward(
    spots: list[Spot], foe: Spot = (55, 40), M: float = 6, player: int = 0, detail: str = "squad", dice: list[int] | None = None,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """In its player's Command phase the unit moves as if it were the Movement phase; a bus with room stands at (20, 20)."""
    scene = NinthScene()
    abilities = {"transport": {"capacity": 10, "allowed": ["INFANTRY"]}}
    bus = sheet(
        "Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=abilities, hull_in=(5, 3), height=2.5, models=(1, 1)
    )
    scene.unit(player, bus, at=(20, 20), facing=0.0)
    squad = scene.unit(player, sheet("Squad", M=M), at=spots, models=len(spots))
    scene.unit(1 - player, sheet("Foe"), at=foe, models=1)
    scene.rule(TimedRule("Onward", "command", player, "move", squad, 0))  # type: ignore[arg-type]
    return scene.battle("command", active=player, detail=detail, dice=dice or []), squad


@pytest.mark.rule("w9.move.out-of-phase")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_rules_of_the_movement_phase_hold(detail: str, player: int) -> None:
    """M 6": an end 0.8" from an enemy is refused, one 1.2" from it and 5" from the start is accepted, 6.1" is too far."""
    battle, squad = onward([(40, 30)], foe=(46.2 + 1.0, 30), player=player, detail=detail)
    assert battle.clock.phase[0] == 1
    assert told(battle, "w9.move.out-of-phase") == [{"unit": squad.row}]
    if detail == "squad":
        assert kind(battle) == "move-to"
        offered = slots(battle, "cell")
        assert cell_nearest(battle, 4.5, 0, 6) in offered
        assert cell_nearest(battle, 5.25, 0, 6) not in offered
        choose(battle, "cell", cell_nearest(battle, 4.5, 0, 6))
        assert battle.models.x[squad.first] == pytest.approx(44.5)
    else:
        with pytest.raises(LookupError):
            walk(battle.clone(), 0, 45.4, 30)
        with pytest.raises(LookupError):
            walk(battle.clone(), 0, 33.8, 30)
        assert walk(battle, 0, 45, 30) == pytest.approx((45, 30), abs=0.05)
        pick(battle, "end the move")
    assert battle.clock.turn[0] == player


@pytest.mark.rule("w9.glossary.move-as-if")
@pytest.mark.parametrize("player", [0, 1])
def test_it_is_a_normal_move(player: int) -> None:
    """M 7": up to 7" and no Advance roll; a unit within Engagement Range cannot use it."""
    battle, squad = onward([(40, 30)], M=7, player=player, detail="full", dice=[6])
    assert walk(battle.clone(), 0, 47, 30) == pytest.approx((47, 30))
    with pytest.raises(LookupError):
        walk(battle.clone(), 0, 47.3, 30)
    assert told(battle, "w9.move.advance") == []
    assert battle.dice.script_at[0] == 0
    assert battle.units.moved[squad] == Moved.NORMAL
    held, _ = onward([(40, 30)], foe=(41.9, 30), M=7, player=player)
    assert told(held, "w9.move.out-of-phase") == []
    assert kind(held) not in ("move-to", "select-model")


@pytest.mark.rule("w9.transport.embark.out-of-phase")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "offered"), [(3.0, True), (3.5, False)])
def test_embarking_afterwards(gap: float, offered: bool, player: int) -> None:
    """Every base ends wholly within 3" of the bus: it may embark, and need not; one model 3.5" away: not offered."""
    spots = [(23.2, 18.5 + 1.05 * k) for k in range(4)] + [(22.0 + gap, 20.0)]
    battle, squad = onward([(x + 3, y) for x, y in spots], player=player)
    assert kind(battle) == "move-to"
    choose(battle, "cell", cell_nearest(battle, -3, 0, 6))
    assert (kind(battle) == "embark") == offered
    if offered:
        assert battle.clock.phase[0] == 1
        assert sorted(words(battle).values()) == ["do not embark", "embark in Bus"]
        pick(battle, "embark in Bus")
        assert battle.units.place[squad] == EMBARKED


GUARD = Action("Guard", When(Phase.MOVEMENT, Whose.OPPONENTS), When(Phase.MORALE))


@pytest.mark.rule("w9.actions.fail", "w9.glossary.moves-x.trigger")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_action_of_a_unit_that_moves_so_fails_and_its_move_triggers_rules(detail: str, player: int) -> None:
    """It performs an action in its Command phase and moves 5" by the rule: the action fails, and a rule about moves of 4" or more takes effect."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", M=6, W=3), at=(40, 30), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(5, 5), models=1)
    scene.action(GUARD)
    scene.rule(TimedRule("Onward", "command", player, "move", squad, 0))  # type: ignore[arg-type]
    triggered = {"unit": squad.row, "inches": 4.0, "effect": "mortal", "amount": 1, "on": squad.row}
    battle = scene.battle(
        "command",
        active=player,
        detail=detail,
        set_state=lambda b: start(b, squad.row, 0),
        rules={"moved": (triggered,)},
    )
    if detail == "squad":
        choose(battle, "cell", cell_nearest(battle, 5.25, 0, 6))
    else:
        walk(battle, 0, 45, 30)
        pick(battle, "end the move")
    assert [e["unit"] for e in told(battle, "w9.actions.fail")] == [squad.row]
    assert battle.models.wounds[squad.first] == 2
