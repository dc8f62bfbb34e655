"""What common terrain features do (w9.terrain.common)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.core.geometry.paths import Fault
from wh_env.testing import dice_left, in_sight, kind, pick, ranged, sheet, told
from wh_env.testing.moves import check_move, reachable

GUN = {"gun": ranged(48, BS=3, S=8)}


@pytest.mark.rule("w9.terrain.common")
@pytest.mark.parametrize("player", [0, 1])
def test_craters_slow_down_and_shelter_and_hide_nobody(player: int) -> None:
    """INFANTRY of Sv 4+ and M 6" moves at most 4" into it and saves with a 3 there; who shoots over it sees all and hits as ever."""
    scene = NinthScene()
    scene.crater(22, 15, 30, 25)
    unit = scene.unit(player, sheet("Unit", Sv=4, keywords=("INFANTRY",)), at=(20, 20), models=1)
    foe = scene.unit(1 - player, sheet("Foe"), at=(40, 20), models=1)
    battle = scene.battle(detail="full", active=player)
    assert check_move(battle.clone(), unit, "normal", {0: [(24, 20)]}) == Fault.LEGAL
    assert check_move(battle.clone(), unit, "normal", {0: [(24.1, 20)]}) == Fault.TOO_FAR
    assert reachable(battle, unit, 0, (24.1, 20)) is None
    assert in_sight(battle, unit.first, foe.first)
    for at, saves in (((24, 20), 3), ((20, 20), 4)):
        for die in (2, 3, 4):
            scene = NinthScene()
            scene.crater(22, 15, 30, 25)
            scene.unit(player, sheet("Unit", W=9, Sv=4, keywords=("INFANTRY",)), at=at, models=1)
            scene.unit(1 - player, sheet("Foe", weapons=GUN), at=(40, 20), models=1)
            battle = scene.battle("shooting", active=1 - player, dice=[3, 2, die])
            if kind(battle) == "select-to-shoot":
                pick(battle, "Foe")
            assert dice_left(battle) == 0
            (hit,) = told(battle, "w9.attack.hit")
            assert hit["needed"] == 3
            (save,) = told(battle, "w9.attack.save")
            assert save["needed"] == saves
            assert save["result"] == (die >= saves)
