"""What a unit's move of this turn means later in it (wap.move.march.no-shooting, .counts, .reform.cost, .single.pivot-moved, .reinforce.limits)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.codes import ARRIVED, CHARGED, FAILED, FLED, MARCHED, MOVED, RALLIED, REFORMED

# who did one of these cannot use missile weapons in this turn, and by which rule
NO_SHOOTING = (
    (RALLIED, "wap.compulsory.rally.limits"),
    (MARCHED, "wap.move.march.no-shooting"),
    (REFORMED, "wap.move.reform.cost"),
    (FAILED, "wap.shoot.who"),
)
MOVING = CHARGED | FAILED | MARCHED | MOVED | REFORMED | RALLIED | FLED | ARRIVED


def barred_from_shooting(g: BattleCore, unit: int) -> str:
    """The rule by which the unit may not use missile weapons in this turn; empty: none."""
    if g.units.stupid[unit]:
        return "wap.special.stupidity.failed"
    did = g.units.did[unit]
    return next((rule for deed, rule in NO_SHOOTING if did & deed), "")


def counts_as_moved(g: BattleCore, unit: int) -> bool:
    """Whether the unit counts as having moved this turn, for shooting and the like: a pivot is a move, and so is arriving."""
    return bool(g.units.did[unit] & MOVING)
