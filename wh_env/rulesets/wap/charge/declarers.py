"""Which units may declare a charge, whether or not an enemy can be charged (wap.charge.declare.barred)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, Array
from wh_env.rulesets.wap.basics.profiles import find_movement
from wh_env.rulesets.wap.basics.special_rules import find_dice
from wh_env.rulesets.wap.codes import (
    ADVANCED,
    BARRED,
    CHARGED,
    FAILED,
    FLED,
    LINGERS,
    MOVED,
    RALLIED,
    SCOUTS,
    WAR_MACHINE,
)

SPENT = CHARGED | FAILED | MOVED | RALLIED | FLED | LINGERS
EARLY = SCOUTS | ADVANCED


@inner_kernel
def has_declared(charges: Array, u: int) -> bool:
    """Whether a unit has declared a charge."""
    for k in range(len(charges)):
        if charges[k]["unit"] == u and charges[k]["reaction"] != BARRED:
            return True
    return False


@inner_kernel
def is_free_to_charge(
    models: Array, units: Array, lines: Array, profiles: Array, dice: Array, charges: Array, u: int, early: int
) -> bool:
    """Whether nothing keeps unit ``u`` from declaring a charge: not its state, not what it has done, not dice in place
    of a Movement. Units of player ``early`` that were deployed as scouts or have made a vanguard move may not; -1: no
    player.
    """
    unit = units[u]
    if unit["fleeing"] == 1 or unit["did"] & SPENT != 0 or unit["fights"] > 0 or unit["let_out"] == 1:
        return False
    if unit["deployed"] & EARLY != 0 and unit["owner"] == early:
        return False
    if find_dice(units, dice, u) > 0 or has_declared(charges, u):
        return False
    return find_movement(models, units, lines, profiles, u) > 0.0


@kernel
def declares(
    models: Array, units: Array, lines: Array, profiles: Array, dice: Array, charges: Array, u: int, early: int
) -> bool:
    """``may_declare`` of unit ``u``, as a kernel."""
    if units[u]["kind"] == WAR_MACHINE:  # wap.machine.no-charge-no-march
        return False
    host = units[u]["bodyguard"] if units[u]["place"] == ATTACHED else -1
    stands = host if host >= 0 else u
    if units[stands]["place"] != ON_TABLE or (host >= 0 and units[u]["drives"] == 1) or units[stands]["garrison"] >= 0:
        return False  # wap.building.leave.no-charge
    if host >= 0 and not is_free_to_charge(models, units, lines, profiles, dice, charges, host, early):
        return False
    return is_free_to_charge(models, units, lines, profiles, dice, charges, u, early)


def too_early(g: BattleCore) -> int:
    """The player that has the first turn, if it is the first round; else -1. Units of that player that were deployed as
    scouts or have made a vanguard move declare no charge (wap.special.scouts.no-first-charge,
    wap.special.vanguard.no-first-charge).
    """
    return -1 if g.clock.round[0] > 1 else g.clock.first_player[0]


def may_declare(g: BattleCore, unit: int) -> bool:
    """Whether a unit may declare a charge, whether or not an enemy can be charged (wap.charge.declare.barred). A unit
    with dice in place of a Movement may not (wap.special.random-movement.procedure, wap.special.stupidity.failed). A
    character in a unit may if he does not drive it and nothing keeps the unit from it (wap.character.leave.charge).
    That a war machine never charges does not keep those who serve it.
    """
    s = g.setup.statics
    may: bool = g.work.call(
        declares,
        g.models.rows,
        g.units.rows,
        g.lines.rows,
        s["profiles"],
        s["dice"],
        g.charges.rows,
        unit,
        too_early(g),
    )
    return may
