"""Which unit has charged which, for weapons that are best in a charge or against one (wap.weapon.melee.lance,
.spear-infantry).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics import declared_charges
from wh_env.rulesets.wap.basics.contacts import block_of, foes_of, row_between, side_towards
from wh_env.rulesets.wap.codes import FRONT, OVERRAN, PURSUED, WAR_MACHINE


def targets_of(g: BattleCore, unit: int) -> set[int]:
    """The enemies in contact with a unit that its charge has reached; empty if it has not charged.

    After a declared charge or a random move these are the enemies it was made on; none once they are gone. After a
    pursuit or an overrun these are the enemies before the unit's front, without those that have just charged it if
    there are others.
    """
    if not g.units.charging[unit]:
        return set()
    foes, named = foes_of(g, unit), set(declared_charges.targets_of(g, unit))
    if named.intersection(foes) or (named and not g.units.did[unit] & (PURSUED | OVERRAN)):
        return named.intersection(foes)
    ahead = [foe for foe in foes if side_towards(g, unit, foe) == FRONT]
    return {foe for foe in ahead if not g.units.charging[foe]} or set(ahead)


def has_charged(g: BattleCore, unit: int, target: int) -> bool:
    """Whether a unit has charged ``target`` and has not fought since."""
    return bool(g.units.charging[unit]) and block_of(g, target) in targets_of(g, unit)


def has_impetus(g: BattleCore, unit: int) -> bool:
    """Whether a unit has charged and gets the bonuses of that: it has not charged a war machine
    (wap.machine.combat.no-charge-bonus).
    """
    u = g.units
    if not u.charging[unit] or u.braked[unit]:
        return False
    return not g.setup.statics["has_machines"] or all(u.kind[foe] != WAR_MACHINE for foe in foes_of(g, unit))


def held_at(g: BattleCore, unit: int, target: int) -> int:
    """The obstacle that ``target`` defends against the charge of a unit, or of the unit that a character is in, in the
    round of the charge: the number of the feature, counted from 1; 0: none (wap.terrain.obstacle.defended.penalty).
    """
    k = row_between(g, unit, target)
    across = int(g.contacts.across[k]) if k >= 0 else 0
    return across if across and has_charged(g, block_of(g, unit), target) else 0


def gains_by_charge(g: BattleCore, unit: int, target: int) -> bool:
    """Whether a unit that has charged in this turn strikes ``target`` with the bonuses of its charge: not across an
    obstacle that the target defends (wap.terrain.obstacle.defended.no-charge-bonus).
    """
    return has_impetus(g, unit) and not held_at(g, unit, target)


def scores_by_charge(g: BattleCore, unit: int) -> bool:
    """Whether a unit that has charged in this turn scores for it: not if all enemies that it has charged defend an
    obstacle (wap.terrain.obstacle.defended.no-charge-bonus).
    """
    if not has_impetus(g, unit):
        return False
    met = targets_of(g, unit)
    return not met or any(not held_at(g, unit, target) for target in met)


def charged_in_front(g: BattleCore, unit: int) -> bool:
    """Whether an enemy that has charged the unit stands at its front."""
    return any(
        g.units.charging[foe] and side_towards(g, unit, foe) == FRONT and has_charged(g, foe, unit)
        for foe in foes_of(g, unit)
    )
