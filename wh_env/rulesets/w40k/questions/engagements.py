"""The engagement table, and the answers on targets that are stored until positions change."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.barriers import mark_units_facing_across
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.codes import UNKNOWN
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.targets import engagement_table, forget_after_losses


def forget_targets(g: BattleCore) -> None:
    """Positions changed: discard the engagement table and the target table."""
    g.target_known[1] = 0
    if g.target_known[0]:  # else the target table is empty, too
        g.target_known[0] = 0
        g.targets[:] = UNKNOWN


def forget_unit(g: BattleCore, unit: int) -> None:
    """The unit in this row was replaced by another: discard the row and the column of the target table."""
    g.targets[unit] = UNKNOWN
    g.targets[:, unit] = UNKNOWN


def fill_engagements(g: BattleCore) -> None:
    """Compute the engagement table."""
    setup = g.setup
    fire = setup.statics["fire_rules"]
    g.work.call(engagement_table, g.models.rows, g.units.rows, setup.blocks, setup.corners, fire, g.engaged)


def forget_losses(g: BattleCore, count: int) -> None:
    """The first ``count`` casualties were removed and no model moved: discard only entries that this may have changed.

    Attached units that have come apart must already stand under their own rows.
    """
    g.target_known[1] = 0  # units that face each other across a barricade are found quickly
    if not g.target_known[0]:
        return  # the target table is empty, too
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
    """The engagement table: pairs of units within Engagement Range (uint8, units x units). Stored until positions
    change.
    """
    if not g.target_known[0]:
        edition(g).positions_changed(g)
        fill_engagements(g)
        g.target_known[0] = 1
    return g.engaged


def faces_across(g: BattleCore, unit: int) -> bool:
    """Whether the unit faces an enemy across a barricade. Computed for all units at once and stored until positions
    change.
    """
    if not g.target_known[1]:
        g.work.call(
            mark_units_facing_across, g.models.rows, g.units.rows, g.setup.blocks, g.setup.corners, g.across_array
        )
        g.target_known[1] = 1
    return bool(g.across[unit])
