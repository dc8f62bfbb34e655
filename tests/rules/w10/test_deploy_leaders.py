"""Several Leaders (w10.deploy.leader.*), whichever row of the army list they stand in."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.testing import Scene, pick, sheet, words

CHOOSE = {"formations": "choose", "strategic_reserves_points": 0, "first_player": 0}
HERO = sheet("Hero", keywords=("INFANTRY", "CHARACTER"), W=5, abilities={"leader": ["Squad"]}, models=(1, 1))


def asked(battle: Battle) -> list[str]:
    """The options of a Leader who waits, none where no Leader is asked."""
    return sorted(words(battle).values()) if battle.decision and battle.decision.kind == "attach-leader" else []


@pytest.mark.rule("w10.deploy.leader.one-leader")
@pytest.mark.parametrize("player", [0, 1])
def test_the_first_unit_of_the_list_is_a_leader_like_any_other(player: int) -> None:
    """Two Leaders come first in the list, then two units: the second Leader finds only the unit that is left."""
    scene = Scene()
    heroes = [scene.unit(player, HERO, models=1) for _ in range(2)]
    squads = [scene.unit(player, sheet("Squad"), models=3) for _ in range(2)]
    scene.unit(1 - player, sheet("Theirs"), models=3)
    battle = scene.battle(phase="mission", rules=CHOOSE)
    while not asked(battle):
        battle.apply(battle.first_legal())
    assert asked(battle) == ["Squad", "Squad 2", "done"]
    pick(battle, "Squad")
    assert asked(battle) == ["Squad 2", "done"]
    pick(battle, "Squad 2")
    assert [battle.units.leader[squad] for squad in squads] == [hero.row for hero in heroes]
    assert [battle.units.bodyguard[hero] for hero in heroes] == [squad.row for squad in squads]
