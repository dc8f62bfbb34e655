"""Who is within Engagement Range of whom, and which answers on targets are kept until positions change."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.barriers import mark_units_facing_across
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.codes import UNKNOWN
from wh_env.rulesets.w40k.questions.targets import engagement_table, forget_after_losses


def forget_targets(g: BattleCore) -> None:
    """Positions changed: who is engaged with whom and who may target whom must be asked again."""
    g.target_known[1] = 0
    if g.target_known[0]:  # else nothing is known of targets either
        g.target_known[0] = 0
        g.targets[:] = UNKNOWN


def forget_unit(g: BattleCore, unit: int) -> None:
    """Another unit stands under this row than before: whom it may target and who may target it must be asked again."""
    g.targets[unit] = UNKNOWN
    g.targets[:, unit] = UNKNOWN


def fill_engagements(g: BattleCore) -> None:
    """Ask anew who is within Engagement Range of whom."""
    setup = g.setup
    fire = setup.statics["fire_rules"]
    g.work.call(engagement_table, g.models.rows, g.units.rows, setup.blocks, setup.corners, fire, g.engaged)


def forget_losses(g: BattleCore, count: int) -> None:
    """The first ``count`` casualties were taken off the table, nobody moved: forget only what that may have changed.

    Units that have come apart must stand under their own rows by now.
    """
    g.target_known[1] = 0  # who faces whom across a barricade is quick to ask again
    if not g.target_known[0]:
        return  # nothing is known of targets either
    before = g.engaged.tobytes()  # comparing bytes beats comparing arrays at this size
    fill_engagements(g)
    if before == g.engaged.tobytes():
        g.work.call(
            forget_after_losses,
            g.models.rows,
            g.units.rows,
            g.setup.statics["shooting_rules"],
            g.engaged,
            g.casualties_array,
            count,
            g.targets,
        )
    else:
        g.targets[:] = UNKNOWN


def engagements(g: BattleCore) -> Array:
    """Who is within Engagement Range of whom (uint8, units x units), computed once until positions change."""
    if not g.target_known[0]:
        fill_engagements(g)
        g.target_known[0] = 1
    return g.engaged


def faces_across(g: BattleCore, unit: int) -> bool:
    """Whether the unit faces an enemy across a barricade; asked once for all units until positions change."""
    if not g.target_known[1]:
        g.work.call(
            mark_units_facing_across, g.models.rows, g.units.rows, g.setup.blocks, g.setup.corners, g.across_array
        )
        g.target_known[1] = 1
    return bool(g.across[unit])
