"""What units may do although they Advanced or Fell Back, by abilities that are data (shoot.eligible, charge.eligible)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.attack.abilities import FREEDOMS, in_force
from wh_env.rulesets.w40k.attack.powers import affects
from wh_env.rulesets.w40k.codes import Freedom
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.shoot.declare import forget_targets

EVERY = Freedom.EVERY


def asks_for_freedoms(g: BattleCore) -> bool:
    """Whether the phase that begins is one in which units shoot or charge, and abilities say who may."""
    asked = bool(g.setup.statics["powers"]["freedoms"])
    return asked and edition(g).phases[g.clock.phase[0]] in ("Shooting", "Charge")


@kernel
def affected_units(models: Array, units: Array, powers: Array, bearers: Array, player: int, out: Array) -> None:
    """Set ``out[u]`` to how many of the powers are in force on each unit of the player, 0 for other units."""
    for u in range(len(units)):
        out[u] = 0
        if units[u]["owner"] == player:
            for p in range(len(powers)):
                if affects(models, units, powers, bearers, p, u):
                    out[u] += 1


def settle_freedoms(g: BattleCore) -> None:
    """What units of the player whose turn it is may do all the same in the phase that begins."""
    u, own, player = g.units, edition(g), g.clock.turn[0]
    found, lasting = g.work.found, own.modifying(g)
    rows, bearers = own.power_rows(g, "freedoms")
    g.work.call(affected_units, g.models.rows, u.rows, rows, bearers, player, found)
    affected = found.tolist()
    changed = False
    for unit in g.units_of(player):
        before = u.marks[unit]
        if affected[unit] or lasting or before & EVERY:
            free = 0
            for power in in_force(g, unit, "freedoms") if u.place[unit] == ON_TABLE else ():
                free |= FREEDOMS[power.effect]
            if before & EVERY != free:
                u.marks[unit] = before & ~EVERY | free
                changed = True
    if changed:
        forget_targets(g)
