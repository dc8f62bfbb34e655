"""How often models attack and shoot, and who strikes first (wap.profile.a, .i, .zero)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import characteristic

SHOTS = 1  # of a weapon whose own rules say nothing else, whatever the Attacks of who fires it


def shots_of(g: BattleCore, model: int) -> int:
    """Shots of a model: none without a missile weapon, nor with a Ballistic Skill of 0 (wap.profile.zero)."""
    armed = g.setup.statics["missiles"][g.models.unit[model]]
    return SHOTS if armed and characteristic(g, g.models.line[model], "bs") > 0 else 0
