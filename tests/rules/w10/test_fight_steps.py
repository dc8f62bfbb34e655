"""The steps of the Fight phase as the clock tells them (w10.fight.alternate)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, melee, pick, sheet, told

NO_CP = {"cp_each_command_phase": 0}


@pytest.mark.rule("w10.fight.alternate")
@pytest.mark.parametrize("player", [0, 1])
def test_fights_first_is_step_one_the_rest_step_two_and_other_phases_have_none(player: int) -> None:
    """A unit that charged fights in the first step, its opponent in the second; in the turn that follows the step is 0 again."""
    scene = Scene()
    blade = {"blade": melee(A=1, WS=6)}
    mine = scene.unit(player, sheet("Mine", weapons=blade, W=9), at=(20, 20), models=1, charged=1)
    theirs = scene.unit(1 - player, sheet("Theirs", weapons=blade, W=9), at=(20, 21), models=1)
    battle = scene.battle("fight", active=player, dice=[1, 1], rules=NO_CP)
    seen = set()
    while battle.clock.turn[0] == player:
        assert battle.decision is not None
        assert battle.clock.step[0] in (1, 2)
        seen.add(battle.clock.step[0])
        battle.apply(battle.first_legal())
    fought = [(event["unit"], event["step"]) for event in told(battle, "w10.fight.alternate")]
    assert fought == [(mine.row, 1), (theirs.row, 2)]
    assert battle.clock.step[0] == 0
    pick(battle, "Remain Stationary", kind="move-kind")
    assert battle.clock.step[0] == 0 or battle.clock.phase[0] == 5
