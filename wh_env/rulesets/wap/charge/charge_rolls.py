"""The dice of charges: how far they reach, which targets that is enough for, and who closes up for a charge that will
arrive (wap.charge.distance, .success).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.changed_units import may_roll_again as may_make_again
from wh_env.rulesets.wap.basics.declared_charges import charges_aloft, charges_of
from wh_env.rulesets.wap.basics.garrisons import assailant_of, is_inside
from wh_env.rulesets.wap.basics.unit_changes import CHARGE
from wh_env.rulesets.wap.casualties.crossings import sets_out
from wh_env.rulesets.wap.charge.reach import gap_to
from wh_env.rulesets.wap.codes import HOLDS, KEPT, MISSED, SPURRED
from wh_env.rulesets.wap.special.skirmishers import close_ranks
from wh_env.rulesets.wap.special.stride import charge_roll

IDOL = "wap.terrain.monument.idol-of-gork"


def roll_together(g: BattleCore, units: Sequence[int]) -> None:
    """Roll the charges of ``units``, then measure all of them before any unit moves (wap.charge.several.together,
    .success). Charges that fall short become MISSED.
    """
    for unit in units:
        roll(g, unit)
    for unit in units:
        mark_missed(g, unit)
    for unit in units:
        if not may_roll_again(g, unit):
            close_for(g, unit, within_reach(g, unit))


def roll_again(g: BattleCore, unit: int) -> None:
    """Roll all dice of the charge of a unit again; the second roll stands."""
    c = g.charges
    for k in charges_of(g, unit):
        if c.reaction[k] == MISSED:
            c.reaction[k] = KEPT if g.units.fleeing[c.target[k]] else HOLDS
    roll(g, unit)
    mark_missed(g, unit)


def may_roll_again(g: BattleCore, unit: int) -> str:
    """The rule that lets a unit re-roll the charge that it has rolled; empty: there is none. Who began the turn near an
    idol does so if its roll reaches none of its targets.
    """
    rows = charges_of(g, unit)
    if rows and g.units.did[unit] & SPURRED and all(g.charges.reaction[k] == MISSED for k in rows):
        return IDOL
    return may_make_again(g, unit, CHARGE) if rows else ""


def roll(g: BattleCore, unit: int) -> None:
    """Roll the charge of a unit and write what it reaches to its rows of ``charges``."""
    sets_out(g, unit)
    c, far = g.charges, charge_roll(g, unit, charges_aloft(g, unit))
    for k in charges_of(g, unit):
        c.reach[k], c.short[k] = int(far.reaches), int(far.falls_short)
    g.note("wap.charge.distance", "charge roll", unit=unit, dice=far.dice, far=far.reaches)


def mark_missed(g: BattleCore, unit: int) -> None:
    """Mark the charges of a unit as MISSED whose targets are farther than its roll (wap.charge.success)."""
    c = g.charges
    for k in charges_of(g, unit):
        gap = gap_to(g, unit, c.target[k], side=c.side[k], aloft=bool(c.aloft[k]))
        missed = gap > c.reach[k] + EPS
        if missed:
            c.reaction[k] = MISSED
        if g.recorder is not None:
            told = {"far": round(min(gap, 999.0), 2), "passed": not missed}
            g.note("wap.charge.success", "charge measured", unit=unit, target=c.target[k], **told)


def close_for(g: BattleCore, unit: int, rows: Sequence[int]) -> None:
    """Close the ranks of skirmishers: of the charger, and of each charged unit that does not flee
    (wap.special.skirmishers.close-up). ``rows``: rows of charges.
    """
    for k in rows:
        target = g.charges.target[k]
        close_ranks(g, unit, target)
        if not g.units.fleeing[target] and not is_inside(g, target):
            close_ranks(g, target, unit)


def within_reach(g: BattleCore, unit: int) -> list[int]:
    """Rows of the charges of a unit whose dice are high enough: those on units that stand, else the first on a unit
    that flees (wap.charge.distance.two-targets).
    """
    c, u = g.charges, g.units
    reached = [k for k in charges_of(g, unit) if u.place[c.target[k]] == ON_TABLE and c.reaction[k] != MISSED]
    reached = [k for k in reached if assailant_of(g, c.target[k]) < 0]  # wap.building.assault.one-unit
    return [k for k in reached if not u.fleeing[c.target[k]]] or reached[:1]
