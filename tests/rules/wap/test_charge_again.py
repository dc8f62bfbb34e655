"""A charge that is rolled again near an idol, and what else a charge that arrives does
(wap.terrain.monument.idol-of-gork)."""

from __future__ import annotations

import pytest

from tests.charging import HOLD, charge, over, react
from wh_env.rulesets.wap.basics.contacts import row_between
from wh_env.testing import choose, dice_left, kind, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, square


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("loose", ["charger", "target"])
@pytest.mark.parametrize("dice", [[3, 2, 5, 3], [5, 3]])
def test_skirmishers_close_up_for_a_charge_that_arrives_at_the_second_roll(
    player: int, loose: str, dice: list[int]
) -> None:
    """Movement 4, an enemy 9" away: 3 and 2 reach 7", 5 and 3 reach 9"; the first roll is enough or the second one."""
    scene, light = RegimentScene(), square(rules=["Skirmishers"])
    scene.area("monument", 34, 10, 36, 12, example="idol of gork")
    mine, theirs = (light, None) if loose == "charger" else (None, light)
    unit = scene.unit(player, mine, (41, 12), models=10, files=5, facing=NORTH)
    target = scene.unit(1 - player, theirs, (41, 21), models=10, files=5, facing=SOUTH)
    battle = scene.battle("movement", player=player, dice=dice)
    assert battle.units.spacing[unit if loose == "charger" else target] > 0
    charge(battle, unit, target)
    react(battle, HOLD)
    over(battle)
    if kind(battle) == "charge-order":
        choose(battle, "own", unit.number)
    assert [event["passed"] for event in told(battle, "wap.charge.success")] == [False, True][-len(dice) // 2 :]
    assert row_between(battle, unit.row, target.row) >= 0 and dice_left(battle) == 0
    assert battle.units.spacing[unit] == battle.units.spacing[target] == 0
    closed = {"charger": unit.row, "target": target.row}[loose]
    assert [event["unit"] for event in told(battle, "wap.special.skirmishers.close-up")] == [closed]
