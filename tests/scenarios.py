"""What tests of several missions of regiments do alike."""

from __future__ import annotations

import random

from wh_env import Battle
from wh_env.rulesets.wap.turns.turns import Turns
from wh_env.testing import kind
from wh_env.testing.wap import RegimentScene


def deploy_all(battle: Battle, seed: int = 0) -> None:
    """Deploy everything at random, up to who plays first, where that is chosen."""
    chance = random.Random(seed)
    while battle.clock.phase[0] == 0 and kind(battle) != "choose-first":
        assert battle.decision is not None
        battle.apply(chance.choice(battle.decision.options))


def at_the_end(mission: str, points: int, turn: int, vp: tuple[int, int] = (0, 0)) -> Battle:
    """The end of the second player's turn."""
    scene = RegimentScene((72, 48), mission=mission, points=points)
    scene.unit(0, None, (10, 10))
    scene.unit(1, None, (60, 40))
    battle = scene.battle("end", turn=turn, player=1, run=False)
    battle.players.vp[0], battle.players.vp[1] = vp
    battle.stack[battle.frame + Turns.SECOND] = 1
    battle.run()
    return battle
