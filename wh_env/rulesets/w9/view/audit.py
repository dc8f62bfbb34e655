"""What must hold in a battle of the 9th edition after every action, besides what holds in every edition."""

from __future__ import annotations

from wh_env.core.tables import ATTACHED, DESTROYED, ON_TABLE
from wh_env.rulesets.w9.actions.performing import NO_ACTIONS
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import NO_PROFILE, Affects, Lasts
from wh_env.rulesets.w40k.psychic.state import numbers_in, power_of, profile_of
from wh_env.rulesets.w40k.view.audit import EditionAudit


class NinthAudit(EditionAudit):
    """Checks that the tables of charges, actions and psychic powers are possible."""

    def after(self) -> list[str]:
        return [*super().after(), *self._charges(), *self._actions(), *self._psykers()]

    def _charges(self) -> list[str]:
        """No unit has declared a charge against a unit of its own army (w9.charge.declare)."""
        g, names = self.g, self.g.setup.names["units"]
        owner = g.units.rows["owner"]
        wrong = (g.charges != 0) & (owner[:, None] == owner[None, :])
        return [
            f"{names[int(a)]} has charged {names[int(b)]} of its own army"
            for a, b in zip(*wrong.nonzero(), strict=True)
        ]

    def _actions(self) -> list[str]:
        """A unit that performs an action is on the battlefield, started the action in a round that has begun, and did
        nothing that ends it.
        """
        g, u, names = self.g, self.g.units, self.g.setup.names["units"]
        faults = []
        for unit, now in enumerate(g.acting.now):
            if not now:
                continue
            if u.alive[unit] and u.place[unit] != ON_TABLE:
                faults.append(f"{names[unit]} performs an action off the battlefield")
            if u.keywords[unit] & NO_ACTIONS:
                faults.append(f"{names[unit]} performs an action, which none of its kind can")
            if g.acting.last[unit] != now or not 0 < g.acting.round[unit] <= g.clock.round[0]:
                faults.append(f"{names[unit]} performs an action that it has not started")
            if u.moved[unit] in (Moved.ADVANCE, Moved.FELL_BACK) and u.owner[unit] == g.clock.turn[0]:
                faults.append(f"{names[unit]} performs an action although it has Advanced or Fallen Back")
        return faults

    def _psykers(self) -> list[str]:
        """Units attempt only powers that they know, and deny no more often than their datasheets allow
        (w9.psychic.manifest, .deny). No power outlasts its turn.
        """
        g, names, known = self.g, self.g.setup.names["units"], self.g.setup.statics["psychic_known"]
        actions = sum(1 << number for number in g.setup.statics["psychic_actions"])
        faults = []
        for unit, (tried, learnt) in enumerate(zip(g.psyche.tried, g.psyche.learnt, strict=True)):
            if tried & ~(known.get(unit, 0) | learnt | actions):
                faults.append(f"{names[unit]} has attempted a power that it does not know")
            profile = profile_of(g, unit)
            if g.psyche.denies[unit] > profile.denies and profile is not NO_PROFILE:
                faults.append(f"{names[unit]} has denied more often than it can")
            if g.psyche.under[unit] and g.units.place[unit] in (DESTROYED, ATTACHED):
                faults.append(f"{names[unit]} is modified by powers although it is not there")
            for power in (power_of(g, number) for number in numbers_in(g.psyche.under[unit])):
                hostile = power.affects in (Affects.ENEMY, Affects.CLOSEST)
                if power.lasts == Lasts.TURN and (g.units.owner[unit] == g.clock.turn[0]) == hostile:
                    faults.append(f"{names[unit]} is modified by {power.name}, which has ended")
        return faults
