"""A war machine whose crew are healed."""

from __future__ import annotations

import pytest

from tests.machines import machine
from wh_env.agents.invariants import Invariants
from wh_env.rulesets.wap.battle.restoring import heal
from wh_env.testing.wap import RegimentScene


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("wounds", "left"), [(1, 2), (5, 3)])
def test_a_crew_that_is_healed_counts_in_unit_strength(player: int, wounds: int, left: int) -> None:
    scene = RegimentScene()
    gun = scene.unit(player, machine("cannon"), (24, 20), models=1)
    scene.unit(1 - player, None, (24, 44))
    battle = scene.battle("movement", player=player, run=False)
    battle.models.wounds[gun.model()] = 1
    battle.units.us[gun] = 1
    assert heal(battle, gun.row, wounds) == left - 1
    assert battle.models.wounds[gun.model()] == battle.units.us[gun] == left
    battle.run()
    assert Invariants(battle).after() == []
