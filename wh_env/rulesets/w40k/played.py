"""An edition whose battles the shared procedures play: everything about a battle as a whole, from its start to the
victor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.chances import Chances
from wh_env.core.events import Event, Harm, Tally
from wh_env.core.procedures import Audit, Hidden, Procedure
from wh_env.core.sentences import told
from wh_env.core.setup import Setup
from wh_env.core.tables import EMBARKED, Array
from wh_env.core.validation import Fault
from wh_env.rulesets.w40k import validity
from wh_env.rulesets.w40k.ability.freedoms import asks_for_freedoms, settle_freedoms
from wh_env.rulesets.w40k.deploy import battlefield
from wh_env.rulesets.w40k.deploy.zones import division_of
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.event_fields import EVENT_FIELDS
from wh_env.rulesets.w40k.phases.timing import army_destroyed
from wh_env.rulesets.w40k.questions import hulls
from wh_env.rulesets.w40k.questions.chances import chances_of
from wh_env.rulesets.w40k.rounds import turns
from wh_env.rulesets.w40k.sequence.objectives import count_control
from wh_env.rulesets.w40k.sequence.points import gain_cp
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser
from wh_env.rulesets.w40k.view.audit import EditionAudit
from wh_env.rulesets.w40k.view.observe import EditionFeatures, Observed, secrets
from wh_env.rulesets.w40k.view.tallies import UNTOLD, harm, tally
from wh_env.rulesets.w40k.view.tell import TEMPLATES
from wh_env.rulesets.w40k.workspace import Workspace


def extra_cp(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """An effect of rules that are data: its owner gains ``amount`` Command points."""
    gain_cp(g, owner, amount)


class PlayedEdition(Edition):
    """Defaults for editions whose battles the shared procedures play. An edition overrides what differs."""

    mission: ClassVar[type[Procedure]]  # the whole battle, from the battlefield to the victor
    features = EditionFeatures()
    bundles = MappingProxyType({"observed": Observed})
    event_fields = EVENT_FIELDS
    untold = UNTOLD
    by_players = MappingProxyType({"formations": "choose", "terrain": "players", "markers": "players"})

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """Weapons, moments, answers of the attack machine; see ``validity``."""
        return validity.sizes(setup)

    def contradictions(self, g: BattleCore) -> Iterator[Fault]:
        """Attached units, wrecks, casualties; see ``validity``."""
        return validity.contradictions(g)

    def count_control(self, g: BattleCore) -> None:
        """Levels of Control within range of each marker; see ``sequence.objectives``."""
        near, far = g.setup.rules["marker_range"], g.setup.rules["marker_vertical"]
        g.work.call(count_control, g.models.rows, g.units.rows, g.objectives.rows, near, far)

    def tally(self, g: BattleCore, event: Event) -> Tally | None:
        """Counts of an event; rows of the attack machine's log are counted."""
        return tally(g, event)

    def sentence(self, g: BattleCore, event: Event) -> str | None:
        """An event as players tell it; None: its kind and fields are enough."""
        return told(g, event, TEMPLATES)

    def harm(self, g: BattleCore, event: Event) -> Sequence[Harm]:
        """The lost wounds of an event, one by one."""
        return harm(g, event)

    def phase_begins(self, g: BattleCore) -> None:
        """Settle which units may act in the phase although they Advanced or Fell Back."""
        if asks_for_freedoms(g):
            settle_freedoms(g)

    def workspace(self, setup: Setup) -> Workspace:
        """Scratch memory of one battle."""
        return Workspace(setup)

    def start(self, g: BattleCore) -> None:
        """Push the mission. Muster and mission were settled when the battle was loaded."""
        g.push(self.mission)

    def resume(self, g: BattleCore) -> None:
        """Put terrain that the players have placed into the Setup."""
        if battlefield.settled(g) and not g.setup.placed:
            battlefield.settle(g)

    def appraiser(self, setup: Setup) -> EditionAppraiser:
        """Expected wounds, markers, chances of charges; see ``appraise``."""
        return EditionAppraiser(setup)

    def chances(self, setup: Setup) -> Chances:
        """Chances of the Charge roll; see ``questions.chances``."""
        return chances_of(setup)

    def audit(self, g: BattleCore) -> Audit:
        """Checks of scoring, ends of moves, and the tables that are kept between calls."""
        return EditionAudit(g)

    def states(self, g: BattleCore, unit: int) -> list[str]:
        """Words for the state of the unit, and the model of a TRANSPORT unit of several models in which it is
        embarked.
        """
        told = super().states(g, unit)
        if len(g.hulls) and g.units.place[unit] == EMBARKED:
            told.append(f"in {g.setup.names['models'][hulls.hull_of(g, unit)]}")
        return told

    def deployment_zones(self, g: BattleCore) -> tuple[Array, Array] | tuple[()]:
        """The two zones of the table's division."""
        return division_of(g).zones

    def hidden(self, g: BattleCore, seat: int) -> tuple[Hidden, ...]:
        """Declarations before the battle, hidden until both players have finished (mission.formations.secret)."""
        return secrets(g, seat)

    def enter(self, g: BattleCore, phase: str, player: int, battle_round: int) -> None:
        """Put the battle at the start of a phase of ``player``.

        ``phase``: a name of ``phases`` in lower case; ``end``: the procedures that end the turn; ``mission``: before
        the battle.
        """
        if phase == "mission":
            self.start(g)
            return
        at = (*(name.lower() for name in self.phases[1:]), "end").index(phase)
        clock = g.clock
        clock.round[0], clock.turn[0], clock.phase[0] = battle_round, player, at + 1
        turns.BattleRounds.enter(g, battle_round, player != clock.first_player[0])
        turns.Turn.enter(g, player, at)

    def wiped_out(self, g: BattleCore, player: int) -> bool:
        """Whether the player's whole army is destroyed (mission.only-war.end)."""
        return army_destroyed(g, player)

    def winner(self, g: BattleCore) -> int:
        """The player whose opponent alone is wiped out, else the player with more victory points; -1: a draw
        (mission.only-war.victor).
        """
        lost = (self.wiped_out(g, 0), self.wiped_out(g, 1))
        vp = (g.players.vp[0], g.players.vp[1])
        better = lost if lost[0] != lost[1] else (vp[1], vp[0])
        winner = -1 if better[0] == better[1] else int(better[0] > better[1])
        g.tell("mission.only-war.victor", "victor", winner=winner, vp=vp, destroyed=lost)
        return winner
