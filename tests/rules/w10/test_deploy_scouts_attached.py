"""How far an Attached unit scouts (w10.deploy.scouts.move, w10.deploy.leader.attach)."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.rulesets.w10.deploy.scouts import own_distance
from wh_env.testing import Scene, sheet


@pytest.mark.rule("w10.deploy.scouts.move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("squad", "hero", "inches"), [(6, 9, 6), (9, 6, 6), (7, 7, 7)])
def test_the_shorter_of_two_distances(player: int, squad: int, hero: int, inches: int) -> None:
    """Bodyguards with Scouts 6" and a Leader with Scouts 9", or the other way round: 6"."""
    scene = Scene()
    unit = scene.unit(player, sheet("Squad", abilities={"scouts": squad}), at=[(20, 8), (21.5, 8)], models=2)
    abilities = {"scouts": hero, "leader": ["Squad"]}
    scene.unit(
        player, sheet("Hero", keywords=("INFANTRY", "CHARACTER"), abilities=abilities), at=(23, 8), models=1, leads=unit
    )
    scene.unit(1 - player, sheet("Theirs"), at=(20, 40), models=1)
    battle: Battle = scene.battle(active=player)
    assert own_distance(battle, unit.row) == inches
