"""The table ``charges``: which unit has declared a charge on which in this turn, and what became of it
(wap.charge.declare, .side.timing).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.rows import rows_in_use, rows_with
from wh_env.rulesets.wap.codes import BARRED, CHARGED, FAILED, FLEES, KEPT, UNANSWERED

BITS = 16  # enemies whose bits fit into one column


def forget_charges(g: BattleCore) -> None:
    """Empty the table, as a charge step begins."""
    for row in rows_in_use(g.charges.unit):
        drop(g, row)


def enter(
    g: BattleCore,
    unit: int,
    target: int,
    side: int,
    reaction: int = UNANSWERED,
    first: int = -1,
    *,
    aloft: bool = False,
) -> int:
    """Enter a charge into the first free row; returns the row.

    Raises:
        LookupError: the table is full.
    """
    c = g.charges
    for k in range(len(c.unit)):
        if c.unit[k] < 0:
            c.unit[k], c.target[k], c.side[k], c.reaction[k], c.first[k] = unit, target, side, reaction, first
            c.reach[k] = c.short[k] = 0
            c.aloft[k] = int(aloft)
            return k
    raise LookupError(f"there is no room for another charge; the table has {len(c.unit)} rows")


def drop(g: BattleCore, row: int) -> None:
    """Free a row of the table."""
    c = g.charges
    c.unit[row] = c.target[row] = c.first[row] = -1
    c.side[row] = c.reaction[row] = c.reach[row] = c.short[row] = c.aloft[row] = 0


def all_charges(g: BattleCore) -> list[int]:
    """Rows of all charges."""
    c = g.charges
    return [k for k in rows_in_use(c.unit) if c.reaction[k] != BARRED]


def charges_of(g: BattleCore, unit: int) -> list[int]:
    """Rows of the charges that a unit has declared: several if it cannot avoid further enemies
    (wap.charge.two-targets).
    """
    c = g.charges
    return [k for k in rows_with(c.unit, unit) if c.reaction[k] != BARRED]


def charges_on(g: BattleCore, target: int) -> list[int]:
    """Rows of the charges that were declared on a unit."""
    return [k for k in all_charges(g) if g.charges.target[k] == target]


def charges_aloft(g: BattleCore, unit: int) -> bool:
    """Whether the charge that a unit has declared is made through the air (wap.special.fly.charge)."""
    return any(g.charges.aloft[k] for k in charges_of(g, unit))


def targets_of(g: BattleCore, unit: int) -> list[int]:
    """The enemies that a unit has declared a charge on."""
    return [g.charges.target[k] for k in charges_of(g, unit)]


def dares_not(g: BattleCore, unit: int, target: int) -> bool:
    """Whether the unit has failed the test to charge this enemy in this turn (wap.special.terror.charging)."""
    c = g.charges
    number = target - g.players.first_unit[g.units.owner[target]]
    kept = c.reach if number < BITS else c.short
    for k in rows_with(c.unit, unit):
        if c.reaction[k] == BARRED:
            return bool(kept[k] >> number % BITS & 1)
    return False


def refuse(g: BattleCore, unit: int, target: int) -> None:
    """Note that the unit does not dare to charge an enemy in this turn. One row (BARRED) keeps all such enemies as bits
    of ``reach`` and ``short``, as there may be more of them than rows.
    """
    c = g.charges
    number = target - g.players.first_unit[g.units.owner[target]]
    rows = (k for k in rows_with(c.unit, unit) if c.reaction[k] == BARRED)
    row = next(rows, -1)
    if row < 0:
        row = enter(g, unit, target, 0, BARRED)
    kept = c.reach if number < BITS else c.short
    kept[row] |= 1 << number % BITS


def is_under_way(g: BattleCore, unit: int) -> bool:
    """Whether a unit has declared a charge that is still to be carried out."""
    u = g.units
    return bool(
        u.place[unit] == ON_TABLE
        and not u.fleeing[unit]
        and not u.did[unit] & (CHARGED | FAILED)
        and charges_of(g, unit)
        and not engaged(g, unit)
    )


def has_fled(g: BattleCore, row: int) -> bool:
    """Whether the target of a charge has answered by flight."""
    return bool(g.charges.reaction[row] in (FLEES, KEPT))
