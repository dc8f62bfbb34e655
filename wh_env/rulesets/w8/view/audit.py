"""What must hold in a battle of the 8th edition after every action, besides what holds in every edition."""

from __future__ import annotations

from wh_env.core.tables import ATTACHED, DESTROYED
from wh_env.rulesets.w8.mission.state import Primary, underdog
from wh_env.rulesets.w8.warlord.state import warlord
from wh_env.rulesets.w40k.psychic.data import NO_PROFILE
from wh_env.rulesets.w40k.psychic.state import profile_of
from wh_env.rulesets.w40k.view.audit import EditionAudit


class EighthAudit(EditionAudit):
    """Checks that the tables of charges, psykers, Warlords and the mission are possible."""

    def after(self) -> list[str]:
        return [*super().after(), *self._charges(), *self._psykers(), *self._mission()]

    def _charges(self) -> list[str]:
        """No unit has declared a charge against a unit of its own army (w8.charge.targets)."""
        g, names = self.g, self.g.setup.names["units"]
        owner = g.units.rows["owner"]
        wrong = (g.charges != 0) & (owner[:, None] == owner[None, :])
        return [
            f"{names[int(a)]} has charged {names[int(b)]} of its own army"
            for a, b in zip(*wrong.nonzero(), strict=True)
        ]

    def _psykers(self) -> list[str]:
        """Units attempt only powers that they know, and deny no more often than their datasheets allow
        (w8.psychic.allowance, .deny).
        """
        g, names, known = self.g, self.g.setup.names["units"], self.g.setup.statics["psychic_known"]
        faults = []
        for unit, (tried, learnt) in enumerate(zip(g.psyche.tried, g.psyche.learnt, strict=True)):
            profile = profile_of(g, unit)
            if tried & ~(known.get(unit, 0) | learnt):
                faults.append(f"{names[unit]} has attempted a power that it does not know")
            if g.psyche.denies[unit] > profile.denies and profile is not NO_PROFILE:
                faults.append(f"{names[unit]} has denied more often than it can")
            if g.psyche.under[unit] and g.units.place[unit] in (DESTROYED, ATTACHED):
                faults.append(f"{names[unit]} is modified by powers although it is not there")
        return faults

    def _mission(self) -> list[str]:
        """Warlords are models of their players' armies, only the Underdog has Command re-rolls, and at most one marker
        is left when it is the relic (w8.warlord.nominate, w8.mission.command-rerolls,
        w8.mission.primary.ancient-relic).
        """
        g, faults = self.g, []
        weaker = underdog(g)
        for player in (0, 1):
            leader = warlord(g, player)
            if leader >= 0 and g.models.owner[leader] != player:
                faults.append(f"the Warlord of player {player} is a model of the other army")
            if g.warlords.trait[player] and leader < 0:
                faults.append(f"player {player} has a Warlord Trait and no Warlord")
            if weaker >= 0 and g.players.cp[player] and player != weaker:
                faults.append(f"player {player} has Command re-rolls and is not the Underdog")
        relics = sum(1 for placed in g.objectives.placed if placed)
        if g.mission.primary[0] == Primary.ANCIENT_RELIC and g.clock.round[0] > 0 and relics > 1:
            faults.append(f"{relics} markers are left where one is the relic")
        return faults
