"""Dangerous Terrain tests (wap.terrain.dangerous.test)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore

HURT = 1  # what a die shows for a model that is harmed


def dangerous_wounds(g: BattleCore, unit: int, models: int, rule: str = "wap.terrain.dangerous.test") -> int:
    """So many models of a unit test: a D6 each, on a 1 it loses a wound without a save. Returns the wounds; nobody has suffered them yet."""
    dice = [g.d6() for _ in range(models)]
    wounds = dice.count(HURT)
    if g.recorder is not None:
        g.note(rule, "dangerous terrain", unit=unit, dice=tuple(dice), amount=wounds)
    return wounds
