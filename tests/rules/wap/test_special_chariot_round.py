"""Beasts of a chariot strike once a round, whoever else fights beside it."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env.testing import kind, told
from wh_env.testing.wap import RegimentScene, fight


@pytest.mark.rule("wap.troop.chariot.attack")
def test_beasts_have_struck_when_they_have() -> None:
    """The chariot stands before two enemies, a friend before one of them: who is looked at last does not say whom its beasts have struck."""
    scene = RegimentScene()
    left = scene.unit(1, None, (19, 20), models=10, files=10)
    right = scene.unit(1, None, (29, 20), models=10, files=10)
    chariot = scene.unit(0, "wolf chariot", (24, 20), models=1)
    friend = scene.unit(0, None, (17, 20), models=5, files=5)
    battle = scene.battle("combat", run=False, detail="full")
    assert battle.units.fights[chariot] == 2 and battle.units.fights[friend] == 1
    fight(battle, chariot)
    asked = 0
    while kind(battle) == "strike-target" or kind(battle) == "strike-share":
        battle.apply(int(np.flatnonzero(battle.legal())[0]))
        asked += 1
        assert asked < 20
    assert asked and told(battle, "wap.combat.order.initiative") and left.row != right.row
