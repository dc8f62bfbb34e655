"""What the unit's move of this turn means for its shooting (wap.move.march.no-shooting, .counts, .reform.cost,
.single.pivot-moved, .reinforce.limits).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import is_stupid
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.codes import ARRIVED, CHARGED, FAILED, FLED, MARCHED, MOVED, POISONED, RALLIED, REFORMED
from wh_env.rulesets.wap.special.light_troops import is_loose

# what keeps a unit from using missile weapons for the rest of the turn, each with its rule
NO_SHOOTING = (
    (RALLIED, "wap.compulsory.rally.limits"),
    (MARCHED, "wap.move.march.no-shooting"),
    (REFORMED, "wap.move.reform.cost"),
    (FAILED, "wap.shoot.who"),
    (POISONED, "wap.terrain.monument.wyrding-well"),
)
# of these, moves after which light troops may still shoot (wap.special.skirmishers.march-and-shoot,
# wap.special.fast-cavalry.march-and-shoot)
ON_THE_MOVE = (MARCHED, REFORMED)
MOVING = CHARGED | FAILED | MARCHED | MOVED | REFORMED | RALLIED | FLED | ARRIVED


def barred_from_shooting(g: BattleCore, unit: int) -> str:
    """The rule that forbids the unit its missile weapons for this turn; empty: none."""
    return "wap.special.stupidity.failed" if is_stupid(g, unit) else barred_by_deeds(g, unit)


def barred_by_deeds(g: BattleCore, unit: int) -> str:
    """The rule by which what a unit has done in this turn, or a character before he joined one, forbids its missile
    weapons; empty: none.
    """
    did = g.units.did[unit]
    barred = [(deed, rule) for deed, rule in NO_SHOOTING if did & deed]
    if any(deed in ON_THE_MOVE for deed, _ in barred) and is_loose(g, block_of(g, unit)):
        barred = [(deed, rule) for deed, rule in barred if deed not in ON_THE_MOVE]
    return barred[0][1] if barred else ""


def counts_as_moved(g: BattleCore, unit: int) -> bool:
    """Whether the unit counts as having moved this turn, for shooting and the like. A pivot counts, and so does
    arriving.
    """
    return bool(g.units.did[unit] & MOVING)
