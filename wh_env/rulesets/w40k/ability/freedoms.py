"""Abilities as data that let units shoot or charge although they Advanced or Fell Back (shoot.eligible,
charge.eligible).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.attack.abilities import FREEDOMS, in_force
from wh_env.rulesets.w40k.attack.powers import affects
from wh_env.rulesets.w40k.codes import Freedom
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.engagements import forget_targets

EVERY = Freedom.EVERY


def asks_for_freedoms(g: BattleCore) -> bool:
    """Whether this is a Shooting or Charge phase and an ability of the battle gives freedoms."""
    asked = bool(g.setup.statics["powers"]["freedoms"])
    return asked and edition(g).phases[g.clock.phase[0]] in ("Shooting", "Charge")


@kernel
def mark_freedoms(
    models: Array, units: Array, powers: Array, bearers: Array, player: int, marks: Array, out: Array
) -> int:
    """Set ``marks[u, p]`` to 1 if power ``p`` affects unit ``u`` of the player, else 0.

    List in ``out`` the player's units that any power affects or that have a freedom now. Returns how many.
    """
    found = 0
    for u in range(len(units)):
        concerned = units[u]["owner"] == player and int(units[u]["marks"]) & EVERY != 0
        for p in range(len(powers)):
            marks[u, p] = 1 if units[u]["owner"] == player and affects(models, units, powers, bearers, p, u) else 0
            concerned = concerned or marks[u, p] != 0
        if concerned:
            out[found] = u
            found += 1
    return found


def settle_freedoms(g: BattleCore) -> None:
    """Set the freedoms (bits of ``units.marks``) of the turn player's units for the phase that begins."""
    u, own, player = g.units, edition(g), g.clock.turn[0]
    marks, found, lasting = g.work.freedoms, g.work.found, own.modifying(g)
    rows, bearers = own.power_rows(g, "freedoms")
    count = g.work.call(mark_freedoms, g.models.rows, u.rows, rows, bearers, player, marks, found)
    if not (count or lasting):
        return
    # if only these powers decide, units under the same powers have the same freedoms: look each combination up once
    known: dict[bytes, int] | None = None if lasting or g.work.stateful["freedoms"] else {}
    affected, width = marks.tobytes(), len(rows)
    changed = False
    for unit in g.units_of(player) if lasting else found[:count].tolist():
        powers = affected[unit * width : (unit + 1) * width]
        free = known.get(powers) if known is not None else None
        if free is None:
            free = 0
            for power in in_force(g, unit, "freedoms") if u.place[unit] == ON_TABLE else ():
                free |= FREEDOMS[power.effect]
            if known is not None:
                known[powers] = free
        before = u.marks[unit]
        if before & EVERY != free:
            u.marks[unit] = before & ~EVERY | free
            changed = True
    if changed:
        forget_targets(g)
