"""What must hold in a battle of the 8th edition after every action, besides what holds in every edition."""

from __future__ import annotations

from wh_env.rulesets.w8.mission.state import Primary, underdog
from wh_env.rulesets.w8.warlord.state import warlord
from wh_env.rulesets.w40k.view.audit import EditionAudit


class EighthAudit(EditionAudit):
    """Checks that the tables of charges (w8.charge.targets), psykers (w8.psychic.allowance), Warlords and the mission
    are possible.
    """

    def after(self) -> list[str]:
        return [*super().after(), *self.charges_of_foes(), *self.psykers(), *self._mission()]

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
