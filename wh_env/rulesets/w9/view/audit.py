"""What must hold in a battle of the 9th edition after every action, besides what holds in every edition."""

from __future__ import annotations

from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w9.actions.performing import NO_ACTIONS
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import Affects, Lasts
from wh_env.rulesets.w40k.psychic.state import numbers_in, power_of
from wh_env.rulesets.w40k.view.audit import EditionAudit


class NinthAudit(EditionAudit):
    """Checks that the tables of charges (w9.charge.declare), actions and psychic powers (w9.psychic.manifest) are
    possible.
    """

    def after(self) -> list[str]:
        actions = sum(1 << number for number in self.g.setup.statics["psychic_actions"])
        own = [*self.charges_of_foes(), *self._actions(), *self.psykers(actions), *self._powers()]
        return [*super().after(), *own]

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

    def _powers(self) -> list[str]:
        """No power outlasts its turn."""
        g, names = self.g, self.g.setup.names["units"]
        faults = []
        for unit, under in enumerate(g.psyche.under):
            for power in (power_of(g, number) for number in numbers_in(under)):
                hostile = power.affects in (Affects.ENEMY, Affects.CLOSEST)
                if power.lasts == Lasts.TURN and (g.units.owner[unit] == g.clock.turn[0]) == hostile:
                    faults.append(f"{names[unit]} is modified by {power.name}, which has ended")
        return faults
