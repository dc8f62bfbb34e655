"""Which units may be chosen for remaining moves, and which characters may leave their unit by one
(wap.move.other.eligible, wap.character.leave.remaining-moves).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, Array
from wh_env.rulesets.wap.basics.profiles import find_movement
from wh_env.rulesets.wap.codes import CHARGED, ENTERED, FAILED, FLED, JOINED, MOVED, RALLIED, STAYED

# a unit that did one of these has had its move, or has none, this turn (wap.move.other.eligible,
# wap.move.phase.one-step)
SPENT = CHARGED | FAILED | MOVED | RALLIED | FLED | STAYED | JOINED


@inner_kernel
def has_moves_left(models: Array, units: Array, lines: Array, profiles: Array, u: int) -> bool:
    """Whether unit ``u`` still has its move of this turn, and a Movement above 0 (wap.profile.zero.m)."""
    return bool(units[u]["did"] & SPENT == 0 and find_movement(models, units, lines, profiles, u) > 0.0)


@kernel
def is_mover(models: Array, units: Array, lines: Array, profiles: Array, u: int) -> bool:
    """Whether unit ``u``, with a block of its own, may be chosen to move (wap.move.other.eligible). A garrison may be
    chosen to leave its building, but not in the turn in which it entered (wap.building.leave.when). A stupid unit does
    nothing of its own will (wap.special.stupidity.failed).
    """
    unit = units[u]
    if unit["garrison"] >= 0 and unit["did"] & ENTERED != 0:
        return False
    free = unit["place"] == ON_TABLE and unit["fleeing"] == 0 and unit["fights"] == 0 and unit["stupid"] == 0
    return free and has_moves_left(models, units, lines, profiles, u)


@kernel
def is_leaver(models: Array, units: Array, lines: Array, profiles: Array, u: int) -> bool:
    """Whether character ``u`` may be chosen to leave his unit, or to change his place in it: only while the unit may
    still move (wap.character.leave.forbidden).
    """
    unit = units[u]
    if unit["place"] != ATTACHED or unit["bodyguard"] < 0 or unit["drives"] == 1:
        return False
    if units[unit["bodyguard"]]["garrison"] >= 0:
        return False
    return has_moves_left(models, units, lines, profiles, u) and is_mover(
        models, units, lines, profiles, unit["bodyguard"]
    )


@inner_kernel
def is_chosen_from(models: Array, units: Array, lines: Array, profiles: Array, u: int) -> bool:
    """Whether unit ``u`` may be chosen, as a unit that moves or as a character that leaves his unit."""
    return is_mover(models, units, lines, profiles, u) or is_leaver(models, units, lines, profiles, u)


@kernel
def is_any_chosen_from(models: Array, units: Array, lines: Array, profiles: Array, first: int, last: int) -> bool:
    """Whether any of the units ``first`` .. ``last`` - 1 may be chosen."""
    for u in range(first, last):
        if is_chosen_from(models, units, lines, profiles, u):
            return True
    return False


@kernel
def mark_chosen_from(
    models: Array, units: Array, lines: Array, profiles: Array, first: int, last: int, mask: Array
) -> None:
    """Write to ``mask`` (bool, slot 0 for unit ``first``) which of the units ``first`` .. ``last`` - 1 may be
    chosen.
    """
    for u in range(first, last):
        mask[u - first] = is_chosen_from(models, units, lines, profiles, u)


def has_mover(g: BattleCore, player: int) -> bool:
    """Whether a player has a unit that may be chosen."""
    units = g.units_of(player)
    found: bool = g.work.call(
        is_any_chosen_from,
        g.models.rows,
        g.units.rows,
        g.lines.rows,
        g.setup.statics["profiles"],
        units.start,
        units.stop,
    )
    return found


def mark_movers(g: BattleCore, player: int, mask: Array) -> None:
    """Mark the units of a player that may be chosen, each in its slot of ``mask``."""
    units = g.units_of(player)
    g.work.call(
        mark_chosen_from,
        g.models.rows,
        g.units.rows,
        g.lines.rows,
        g.setup.statics["profiles"],
        units.start,
        units.stop,
        mask,
    )
