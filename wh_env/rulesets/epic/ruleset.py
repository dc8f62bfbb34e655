"""The Epic-scale game as a ``Ruleset``: its procedures, its decision kinds, what is secret, start and winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.events import Event, Harm, Tally
from wh_env.core.procedures import STEP, Audit, Hidden, Ruleset
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.core.validation import Fault
from wh_env.rulesets.epic import validity
from wh_env.rulesets.epic.battle import turns
from wh_env.rulesets.epic.battle.mission import winner_of
from wh_env.rulesets.epic.classes import KINDS, PROCEDURES
from wh_env.rulesets.epic.codes import PHASES, Phase
from wh_env.rulesets.epic.deploy import deployment
from wh_env.rulesets.epic.deploy.deployment import zone
from wh_env.rulesets.epic.event_fields import EVENT_FIELDS
from wh_env.rulesets.epic.orders import orders
from wh_env.rulesets.epic.orders.orders import order_of
from wh_env.rulesets.epic.sequence.initiative import fill_cup
from wh_env.rulesets.epic.sequence.timing import start_turn, wiped_out
from wh_env.rulesets.epic.view.appraise import EpicAppraiser
from wh_env.rulesets.epic.view.audit import EpicAudit
from wh_env.rulesets.epic.view.harm import harm
from wh_env.rulesets.epic.view.observe import EpicFeatures
from wh_env.rulesets.epic.view.questions import QUESTIONS
from wh_env.rulesets.epic.view.tell import sentence, tally
from wh_env.rulesets.epic.workspace import Workspace


class Epic(Ruleset):
    """Epic-scale battles: secret orders, initiative from a cup, alternating fire, assaults."""

    id = "epic"
    phases = ("Deployment", "Orders", "Movement", "Fire", "Assault", "Rally")
    length_unit = "cm"
    features = EpicFeatures()
    event_fields = EVENT_FIELDS
    untold = frozenset({"victor"})
    questions = QUESTIONS
    turn_events = frozenset({"counters in the cup"})

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def harm(self, g: BattleCore, event: Event) -> Sequence[Harm]:
        """The harm of an event: unsaved hits and the losers of combats."""
        return harm(event)

    def tally(self, g: BattleCore, event: Event) -> Tally | None:
        """What an event of fire adds to the line that sums up shots."""
        return tally(event)

    def sentence(self, g: BattleCore, event: Event) -> str | None:
        """An event as players tell it; see ``tell``."""
        return sentence(g, event)

    def workspace(self, setup: Setup) -> Workspace:
        """Scratch memory of one battle."""
        return Workspace(setup)

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """The numbers of weapons and orders; see ``validity``."""
        return validity.sizes(setup)

    def contradictions(self, g: BattleCore) -> Iterator[Fault]:
        """Contradictions about formations and pairs of an assault; see ``validity``."""
        return validity.contradictions(g)

    def start(self, g: BattleCore) -> None:
        """Begin with deployment. Armies and terrain are settled when the battle is loaded."""
        g.push(turns.Turns)
        g.push(deployment.Deployment)

    def enter(self, g: BattleCore, phase: str, player: int, battle_round: int) -> None:
        """Put the battle at the start of a phase of a turn, ``player`` having the initiative until the next draw.

        ``deployment``: the start of the game; ``end``: the end of the turn.
        """
        if phase == "deployment":
            self.start(g)
            return
        clock, at = g.clock, PHASES.index(phase)
        g.push(turns.Turns)
        if at:
            start_turn(g)
            fill_cup(g)
            g.stack[g.frame + STEP] = at
        clock.round[0] = battle_round if at else battle_round - 1
        clock.initiative[0] = clock.turn[0] = player
        clock.revealed[0] = int(at > PHASES.index("movement"))

    def states(self, g: BattleCore, unit: int) -> list[str]:
        """Words on the formation: its order once it is revealed, retreat, fire, contact."""
        u = g.units
        told = []
        order = order_of(g, unit)
        if order is not None and g.clock.revealed[0]:
            told.append(order.name)
        if u.retreating[unit]:
            told.append("retreating")
        if u.fired[unit]:
            told.append("fired")
        if any(g.models.contact[k] for k in g.members(unit)):
            told.append("in contact")
        return told

    def wiped_out(self, g: BattleCore, player: int) -> bool:
        """Whether a player has no unit left on the table (epic.mission.victory)."""
        return wiped_out(g, player)

    def winner(self, g: BattleCore) -> int:
        """The player with more points, unless one player has no units left (epic.mission.victory)."""
        return winner_of(g)

    def appraiser(self, setup: Setup) -> EpicAppraiser:
        """The appraiser of expected losses, combats and objectives; see ``appraise``."""
        return EpicAppraiser(setup)

    def deployment_zones(self, g: BattleCore) -> Sequence[Array]:
        """The zones of the side with the south edge and of the other side (epic.deploy.zone)."""
        length, south = g.setup.length, g.clock.attacker[0]
        if south < 0:
            return ()
        bands = (zone(g, player) for player in (south, 1 - south))
        return [np.array([(0.0, low), (length, low), (length, high), (0.0, high)]) for low, high in bands]

    def audit(self, g: BattleCore) -> Audit:
        """The audit of contacts, terrain, orders and counters; see ``audit``."""
        return EpicAudit(g)

    def hidden(self, g: BattleCore, seat: int) -> Sequence[Hidden]:
        """What is hidden from the seat: the enemy's orders until they are revealed (epic.orders.secret), and the
        enemy's formations during secret deployment (epic.deploy.order); meanwhile also what the enemy is asked.
        """
        clock, enemy = g.clock, 1 - seat
        first, last = g.players.first_unit[enemy], g.players.first_unit[enemy] + g.players.units[enemy]
        if first == last:
            return ()
        secrets = []
        if not clock.revealed[0] and clock.phase[0] == Phase.ORDERS:
            secrets.append(Hidden("units", ("order",), first, last))
        if clock.unseen[0]:
            start, end = g.units.first[first], g.units.first[last - 1] + g.units.count[last - 1]
            secrets.append(Hidden("units", ("place", "alive", "lost"), first, last))
            secrets.append(Hidden("models", (), start, end))
        if secrets and clock.player[0] != seat:
            secrets.append(Hidden("clock", ("asking", "kind", "subject"), 0, 1))
        return tuple(secrets)

    def complete(self, g: BattleCore, seat: int) -> None:
        """Give each enemy formation that needs an order the first of the list, in place of orders that are still secret
        (epic.orders.one-each). Done only while the seat gives its orders after the enemy (epic.orders.declare: the side
        with the south edge is first).
        """
        clock, enemy = g.clock, 1 - seat
        if clock.phase[0] == Phase.ORDERS and not clock.revealed[0] and clock.player[0] == seat != clock.attacker[0]:
            for unit in g.units_of(enemy):
                if orders.needs_order(g, unit):
                    g.units.order[unit] = orders.FIRST_ORDER


EPIC = Epic()
