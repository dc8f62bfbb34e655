"""Conditions that must hold in a battle of regiments after each action, besides those of all games; for programs that
play at random.
"""

from __future__ import annotations

from itertools import combinations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import Audit
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.rulesets.wap.basics.blocks import block_distance
from wh_env.rulesets.wap.basics.contacts import meet_all, row_between
from wh_env.rulesets.wap.basics.declared_charges import all_charges
from wh_env.rulesets.wap.basics.leaving_by_charge import leaving
from wh_env.rulesets.wap.basics.moved_ground import moves_of
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.room import in_rock
from wh_env.rulesets.wap.casualties.closing import gap_between
from wh_env.rulesets.wap.characters.charging_out import as_if_out
from wh_env.rulesets.wap.charge.declarers import may_declare
from wh_env.rulesets.wap.charge.targets import aims_within_reach, has_place, reach_by_itself
from wh_env.rulesets.wap.codes import CHARGED, CHARGES, COLUMN, ENTERED, EVERYTHING, OVERRAN, PURSUED
from wh_env.rulesets.wap.special.breath import breaths_of
from wh_env.rulesets.wap.special.flying import can_fly, is_grounded
from wh_env.rulesets.wap.troops.war_machines import is_machine
from wh_env.rulesets.wap.validity import underived, unlike_effects
from wh_env.rulesets.wap.view.audit_items import ItemAudit
from wh_env.rulesets.wap.view.audit_magic import MagicAudit
from wh_env.rulesets.wap.view.ledger import Ledger

CONTACT_GAP = 0.01  # inches between units in contact
CLOSES_IN = CHARGED | PURSUED | OVERRAN | ENTERED  # deeds by which a unit may come within an inch of others


def enemies_in_reach(g: BattleCore, unit: int) -> tuple[int, ...]:
    """The enemies in a unit's charge reach, worked out without the cache; none if it may not declare."""
    place = g.units.place[unit]
    return reach_by_itself(g, unit) if place == ON_TABLE or (place == ATTACHED and may_declare(g, unit)) else ()


class RegimentAudit(Audit):
    """Checks of one battle: derived values, formations, distances, and when victory points are scored."""

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        self._near = self._crowded()
        self._facings = g.units.facing.tolist()
        self._ledger, self._magic, self._items = Ledger(g), MagicAudit(g), ItemAudit(g)
        self.before()

    def before(self) -> None:
        self._vp = tuple(self.g.players.vp)

    def after(self) -> list[str]:
        g, u = self.g, self.g.units
        if moves_of(g) != g.setup.moves:
            return ["the ground is not where the state says that it is"]
        faults = [str(fault) for check in (underived, unlike_effects) for fault in check(g)]
        names, margin = g.setup.names["units"], g.setup.rules["one_inch"]
        there = [unit for unit in range(len(u.owner)) if u.place[unit] == ON_TABLE]
        for unit in there:
            ranks = -(-u.block[unit] // u.files[unit])
            if ranks > u.files[unit] and u.shape[unit] != COLUMN:
                faults.append(f"{names[unit]} has {ranks} ranks and {u.files[unit]} files")
            if u.garrison[unit] < 0 and in_rock(
                g.parts.rows, g.units.rows, ground_to_stand_in(g, unit), g.setup.corners, unit
            ):
                faults.append(f"{names[unit]} stands on impassable ground")
            if leaving(g, unit) >= 0 and g.clock.step[0] != CHARGES:
                faults.append(f"{names[unit]} has not come out of {names[u.out_of[unit]]}")
            if u.breaths[unit] >> len(breaths_of(g, unit)):
                faults.append(f"{names[unit]} has used a breath that it has not")
            if u.did[unit] & ~EVERYTHING:
                faults.append(f"{names[unit]} did what there is not")
        c = g.charges
        faults += [
            f"{names[c.unit[k]]} charges through the air without wings"
            for k in all_charges(g)
            if c.aloft[k] and not can_fly(g, c.unit[k]) and not is_grounded(g)  # it was made before
        ]
        faults += self._contacts() + self._gaps() + self._ledger.faults() + self._magic.faults()
        faults += self._items.faults()
        known = g.work.aims.of(g)
        for player, reach in known.reach.items():
            for unit in g.units_of(player):
                if reach[unit] != enemies_in_reach(g, unit):
                    faults.append(f"{names[unit]} is known to reach {reach[unit]}")
        for (unit, met, gone, aloft), fits in list(known.places.items()):
            with as_if_out(g, unit):
                if fits != has_place(g, unit, met, gone, aloft):
                    faults.append(
                        f"{names[unit]} is known to have {'a' if fits else 'no'} place against {met} without {gone}"
                    )
        for (unit, other, aloft), aims in list(known.aims.items()):
            if aims != aims_within_reach(g, unit, other, {}, aloft):
                faults.append(f"{names[unit]} against {names[other]} is known as {aims}")
        near = self._crowded()
        for (unit, other), apart in near.items():
            came = any(
                u.did[k] & CLOSES_IN or u.fights[k] or u.out_of[k] >= 0 or self._has_turned(k) for k in (unit, other)
            )
            if not came and apart < self._near.get((unit, other), margin) - 2 * EPS:
                faults.append(f"{names[unit]} and {names[other]} are {apart:.3f} apart")
        self._near, self._facings = near, u.facing.tolist()
        if tuple(g.players.vp) != self._vp and not g.clock.over[0]:
            faults.append(f"victory points changed from {self._vp} before the end")
        return faults

    def _has_turned(self, unit: int) -> bool:
        """Whether a war machine has turned, which may bring it near others before it fires (wap.machine.fire.pivot)."""
        return is_machine(self.g, unit) and self.g.units.facing[unit] != self._facings[unit]

    def _crowded(self) -> dict[tuple[int, int], float]:
        """Pairs of units on the table that are not in contact and nearer than an inch, with their distance. Units come
        so near only by a charge or in close combat, and stay so until they move (wap.move.one-inch.charge; no unit is
        nudged away, wap.move.one-inch.nudge). Garrisons are left out: their buildings are ground, and may touch.
        """
        g, u, margin = self.g, self.g.units, self.g.setup.rules["one_inch"]
        there = [unit for unit in range(len(u.owner)) if u.place[unit] == ON_TABLE and u.garrison[unit] < 0]
        found = {}
        for unit, other in combinations(there, 2):
            apart = float(block_distance(g.parts.rows, g.units.rows, unit, other))
            if apart < margin - 2 * EPS and row_between(g, unit, other) < 0:
                found[unit, other] = apart
        return found

    def _gaps(self) -> list[str]:
        """Faults in the pairs of ``contacts``: they are apart, do not touch at the sides noted, one flees, or both are
        of one army.
        """
        g, u, c = self.g, self.g.units, self.g.contacts
        names, faults = g.setup.names["units"], []
        for k in range(len(c.a)):
            a, b = c.a[k], c.b[k]
            if a < 0:
                continue
            apart = float(block_distance(g.parts.rows, u.rows, a, b))
            beside, aside = gap_between(u.rows, a, b, c.side_a[k], c.side_b[k])
            closed = u.garrison[a] < 0 and u.garrison[b] < 0  # in an assault nobody closes up
            if closed and apart > CONTACT_GAP + c.apart[k] and max(abs(beside - c.apart[k]), abs(aside)) > CONTACT_GAP:
                faults.append(f"{names[a]} and {names[b]} fight {apart:.3f} apart")
            faults += [f"{names[unit]} flees and fights" for unit in (a, b) if u.fleeing[unit]]
            if u.owner[a] == u.owner[b]:
                faults.append(f"{names[a]} and {names[b]} fight, of one army")
        return faults

    def _contacts(self) -> list[str]:
        """Faults in ``contacts`` that do not match the blocks."""
        g, c = self.g, self.g.contacts
        told = [(c.a[k], c.b[k]) for k in range(len(c.a)) if c.a[k] >= 0]
        fights = list(g.units.fights)
        rows, units = c.rows.copy(), g.units.rows.copy()
        meet_all(g.parts.rows, units, rows)
        found = {(int(row["a"]), int(row["b"])) for row in rows if row["a"] >= 0}
        names = g.setup.names["units"]
        faults = [f"{names[a]} and {names[b]} are told to touch" for a, b in told if (a, b) not in found]
        faults += [f"{names[a]} and {names[b]} touch" for a, b in found if (a, b) not in told]
        if len(set(told)) < len(told):
            faults.append(f"contacts are told twice: {told}")
        if fights != units["fights"].tolist():
            faults.append(f"contacts of units are {units['fights'].tolist()}, told are {fights}")
        return faults
