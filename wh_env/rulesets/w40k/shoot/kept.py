"""Checks of the stored target and engagement tables against freshly computed ones, for programs that play at random."""

from __future__ import annotations

from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.codes import BARRED, UNKNOWN
from wh_env.rulesets.w40k.questions.targets import engagement_table, pair_target
from wh_env.rulesets.w40k.shoot.overwatch import firing_mode


@kernel
def stale_engagement(
    models: Array, units: Array, blocks: Array, corners: Array, fire: Array, kept: Array, fresh: Array, found: Array
) -> bool:
    """Whether the engagement table ``kept`` is wrong. ``found`` receives the pair of units; ``fresh`` is overwritten
    with the right table.
    """
    engagement_table(models, units, blocks, corners, fire, fresh)
    for a in range(len(units)):
        for e in range(len(units)):
            if (kept[a, e] != 0) != (fresh[a, e] != 0):
                found[0] = a
                found[1] = e
                return True
    return False


@kernel
def stale_target(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    arsenal: Array,
    kept: Array,
    engaged: Array,
    fire: Array,
    advanced: int,
    fell_back: int,
    reaches: Array,
    found: Array,
) -> bool:
    """Whether an entry of the target table ``kept`` is wrong. ``found`` receives the pair of units and the right value.

    ``engaged`` is the right engagement table; ``advanced`` and ``fell_back`` are the codes of ``units.moved``;
    ``reaches`` is scratch. Rows of units that may not shoot are skipped, because no code reads them.
    """
    for a in range(len(units)):
        mode = firing_mode(units, engaged, fire, a, advanced, fell_back)
        if mode < 0 or units[a]["place"] != ON_TABLE:
            continue
        for e in range(len(units)):
            if kept[a, e] == UNKNOWN:
                continue
            right = BARRED
            if units[a]["owner"] != units[e]["owner"] and units[e]["place"] == ON_TABLE and units[e]["alive"] > 0:
                right = pair_target(
                    models, units, blocks, corners, weapons, arsenal, engaged, fire, a, e, mode, reaches
                )
            if kept[a, e] != right:
                found[0] = a
                found[1] = e
                found[2] = right
                return True
    return False
