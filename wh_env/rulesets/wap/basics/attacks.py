"""The number of shots of a model (wap.profile.a, .i, .zero)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import characteristic

SHOTS = 1  # shots of a weapon without a rule of its own, whatever the Attacks


def shots_of(g: BattleCore, model: int) -> int:
    """Shots of a model: 0 without a missile weapon or with a Ballistic Skill of 0 (wap.profile.zero)."""
    armed = g.setup.statics["missiles"][g.models.unit[model]]
    return SHOTS if armed and characteristic(g, g.models.line[model], "bs") > 0 else 0
