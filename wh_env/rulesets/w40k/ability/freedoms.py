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
def mark_freedoms(models: Array, units: Array, powers: Array, bearers: Array, player: int, out: Array) -> None:
    """Set ``out[u, p]`` to 1 for each power in force on each unit of the player, else 0."""
    for u in range(len(units)):
        for p in range(len(powers)):
            own = units[u]["owner"] == player and affects(models, units, powers, bearers, p, u)
            out[u, p] = 1 if own else 0


def settle_freedoms(g: BattleCore) -> None:
    """What units of the player whose turn it is may do all the same in the phase that begins."""
    u, own, player = g.units, edition(g), g.clock.turn[0]
    powers, marks, lasting = g.setup.statics["powers"]["freedoms"], g.work.freedoms, own.modifying(g)
    rows, bearers = own.power_rows(g, "freedoms")
    g.work.call(mark_freedoms, g.models.rows, u.rows, rows, bearers, player, marks)
    affected, width = marks.tobytes(), len(powers)
    # where nothing but these powers says what units may do, those under the same powers may do the same
    same: dict[bytes, int] = {}
    by_powers = not lasting and not any(power.states for power in powers)
    changed = False
    for unit in g.units_of(player):
        before, found = u.marks[unit], affected[unit * width : (unit + 1) * width]
        if lasting or before & EVERY or 1 in found:
            free = same.get(found)
            if free is None:
                free = 0
                for power in in_force(g, unit, "freedoms") if u.place[unit] == ON_TABLE else ():
                    free |= FREEDOMS[power.effect]
                if by_powers:
                    same[found] = free
            if before & EVERY != free:
                u.marks[unit] = before & ~EVERY | free
                changed = True
    if changed:
        forget_targets(g)
