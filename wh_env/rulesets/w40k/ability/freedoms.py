"""What units may do although they Advanced or Fell Back, by abilities that are data (shoot.eligible, charge.eligible)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.attack.abilities import FREEDOMS, in_force
from wh_env.rulesets.w40k.codes import Freedom
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.shoot.declare import forget_targets


def asks_for_freedoms(g: BattleCore) -> bool:
    """Whether the phase that begins is one in which units shoot or charge, and abilities say who may."""
    phase = edition(g).phases[g.clock.phase[0]]
    return phase in ("Shooting", "Charge") and bool(g.setup.statics["powers"]["freedoms"])


def settle_freedoms(g: BattleCore) -> None:
    """What units of the player whose turn it is may do all the same in the phase that begins."""
    u = g.units
    changed = False
    for unit in g.units_of(g.clock.turn[0]):
        free = 0
        if u.place[unit] == ON_TABLE:
            for power in in_force(g, unit, "freedoms"):
                free |= FREEDOMS[power.effect]
        marks = u.marks[unit] & ~Freedom.EVERY | free
        changed = changed or marks != u.marks[unit]
        u.marks[unit] = marks
    if changed:
        forget_targets(g)
