"""What units did and suffered this turn that decides whether, when and whom they fight, and whether they can Fall Back
(w9.fight.*, w9.rare.fight-first-last.*, w9.rare.breakout.*).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, declared, flag
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w40k.charge import declared as declared_charges
from wh_env.rulesets.w40k.edition import Effect
from wh_env.rulesets.w40k.fight.phase import has_fights_first
from wh_env.rulesets.w40k.sequence.rolloff import roll_off

COMBAT, COMBAT_BOUNDS = declared(
    [
        ("first", "i4", amount()),  # number of rules that let the unit fight first this turn
        ("last", "i4", amount()),  # number of rules that make it fight last this turn
        ("intervened", "i4", flag()),  # made a Heroic Intervention
        ("broke_out", "i4", flag()),  # used Desperate Breakout and does nothing else
        ("held", "i4", flag()),  # a rule forbids it to Fall Back
        ("tested", "i4", flag()),  # a rule asks for a roll-off when it Falls Back
        ("steady", "i4", flag()),  # Holds Steady
        ("set_to_defend", "i4", flag()),
        ("charge_distance", "i4", amount()),  # of its last charge roll this turn (w9.glossary.charge-distance)
    ]
)


def tables(units: int) -> Sequence[TableSpec]:
    """``combat``: see ``COMBAT``; and the tables of declared charges."""
    return (TableSpec("combat", COMBAT, units, COMBAT_BOUNDS), *declared_charges.tables(units))


def forget(g: BattleCore) -> None:
    """A turn begins: clear ``combat`` and the declared charges."""
    g.combat.rows.view(np.uint8).fill(0)  # as bytes: numpy clears columns one by one, which takes several times as long
    declared_charges.forget(g)


def stance(g: BattleCore, unit: int) -> int:
    """1 if the unit fights first, -1 if it fights last, 0 if neither or both. The number of rules that say so does not
    matter (w9.rare.fight-first-last.both, .rules-first, .rules-last).
    """
    first = g.combat.first[unit] > 0 or has_fights_first(g, unit)
    last = g.combat.last[unit] > 0
    return int(first) - int(last)


def barred(g: BattleCore, unit: int) -> Array:
    """Flags of the enemy units that the unit may not target in melee, by row. A unit that charged may target only the
    units that it charged and those that made a Heroic Intervention (w9.fight.targets.charged).
    """
    uncharged = declared_charges.barred(g, unit)
    return np.where(g.combat.rows["intervened"] != 0, 0, uncharged) if uncharged.any() else uncharged


def fight_first(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """Until the end of the turn one more rule lets the unit fight first."""
    g.combat.first[unit] += 1


def fight_last(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """Until the end of the turn one more rule makes the unit fight last."""
    g.combat.last[unit] += 1


def hold(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """Until the end of the turn the unit cannot Fall Back."""
    g.combat.held[unit] = 1


def contest(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """Until the end of the turn the unit Falls Back only if its player wins a roll-off."""
    g.combat.tested[unit] = 1


def loses_contest(g: BattleCore, unit: int) -> bool:
    """Whether a lost roll-off stops the unit, which was selected to Fall Back (see ``contest``)."""
    return bool(g.combat.tested[unit]) and roll_off(g, "concepts.roll-off") != g.units.owner[unit]


EFFECTS: Mapping[str, Effect] = MappingProxyType(
    {
        "fights-first": fight_first,
        "fights-last": fight_last,
        "cannot-fall-back": hold,
        "roll-off-to-fall-back": contest,
    }
)
