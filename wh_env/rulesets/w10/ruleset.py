"""The 10th edition as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Audit, Hidden
from wh_env.core.setup import Setup
from wh_env.core.tables import EMBARKED
from wh_env.core.validation import Fault
from wh_env.rulesets.w10.classes import KINDS, PROCEDURES
from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w10.command.leadership import LeadershipTest
from wh_env.rulesets.w10.command.phase import CommandPhase
from wh_env.rulesets.w10.deploy import mission
from wh_env.rulesets.w10.numbers import (
    AIRCRAFT,
    ATTACK_NUMBERS,
    CHARGING,
    CORE_RULES,
    DEMISE,
    ESCAPE,
    FIGHTING,
    GUIDELINES,
    MEASURES,
    MOVES,
    PART_RULES,
    PLACING,
    TARGETING,
    TRANSPORTS,
)
from wh_env.rulesets.w10.rule_ids import RULE_IDS
from wh_env.rulesets.w10.shoot.phase import ShootingPhase
from wh_env.rulesets.w10.stratagems.book import BOOK
from wh_env.rulesets.w10.terrain import TYPES
from wh_env.rulesets.w10.transport.firing_deck import FiringDecks
from wh_env.rulesets.w40k import validity
from wh_env.rulesets.w40k.charge.phase import ChargePhase
from wh_env.rulesets.w40k.deploy import battlefield
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.event_fields import EVENT_FIELDS
from wh_env.rulesets.w40k.fight.phase import FightPhase
from wh_env.rulesets.w40k.move.phase import MovementPhase
from wh_env.rulesets.w40k.sequence import turns
from wh_env.rulesets.w40k.sequence.effects import COMMON
from wh_env.rulesets.w40k.sequence.points import gain_cp
from wh_env.rulesets.w40k.sequence.timing import army_destroyed
from wh_env.rulesets.w40k.sequence.turns import EndOfTurn
from wh_env.rulesets.w40k.transport import hulls
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser
from wh_env.rulesets.w40k.view.audit import EditionAudit
from wh_env.rulesets.w40k.view.observe import EditionFeatures, secrets
from wh_env.rulesets.w40k.workspace import Workspace

ENTRIES = ("command", "movement", "shooting", "charge", "fight", "end")


def test_leadership(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """A rule asks a unit for a Leadership test."""
    g.push(LeadershipTest, unit)


def extra_cp(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """A rule gives its owner Command points."""
    gain_cp(g, owner, amount)


class TenthEdition(Edition):
    """Warhammer 40,000, 10th edition core rules."""

    id = "w10"
    phases = ("Before the battle", "Command", "Movement", "Shooting", "Charge", "Fight")
    features = EditionFeatures()
    event_fields = EVENT_FIELDS
    rule_ids = RULE_IDS
    turn = (CommandPhase, MovementPhase, ShootingPhase, ChargePhase, FightPhase)
    turn_ends = (EndOfTurn,)
    core_rules = CORE_RULES
    measures = MEASURES
    attack_rules = ATTACK_NUMBERS
    targeting = TARGETING
    moves = MOVES
    aircraft = AIRCRAFT
    escape = ESCAPE
    placing = PLACING
    transports = TRANSPORTS
    charging = CHARGING
    fighting = FIGHTING
    demise = DEMISE
    guidelines = GUIDELINES
    part_rules = PART_RULES
    terrain = TYPES
    stratagems = BOOK
    effects = MappingProxyType({**COMMON, "cp": extra_cp, "leadership": test_leadership})
    lending = FiringDecks()
    scoring = (int(Phase.COMMAND),)
    by_players = MappingProxyType({"formations": "choose", "terrain": "players", "markers": "players"})

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """Weapons, moments, answers of the attack machine; see ``validity``."""
        return validity.sizes(setup)

    def contradictions(self, g: BattleCore) -> Iterator[Fault]:
        """Attached units, wrecks, casualties; see ``validity``."""
        return validity.contradictions(g)

    def workspace(self, setup: Setup) -> Workspace:
        """Scratch memory of one battle."""
        return Workspace(setup)

    def start(self, g: BattleCore) -> None:
        """From the markers on; muster and mission were settled when the battle was loaded."""
        g.push(mission.MissionSequence)

    def resume(self, g: BattleCore) -> None:
        """Terrain that the players have placed stands in the Setup."""
        if battlefield.settled(g):
            battlefield.settle(g)

    def appraiser(self, setup: Setup) -> EditionAppraiser:
        """Expected wounds, markers, chances of charges; see ``appraise``."""
        return EditionAppraiser(setup)

    def audit(self, g: BattleCore) -> Audit:
        """When points are scored, how moves end, whether what is kept still holds."""
        return EditionAudit(g)

    def states(self, g: BattleCore, unit: int) -> list[str]:
        """What every edition tells, and the model of a TRANSPORT unit of several that the unit is embarked in."""
        told = super().states(g, unit)
        if len(g.hulls) and g.units.place[unit] == EMBARKED:
            told.append(f"in {g.setup.names['models'][hulls.hull_of(g, unit)]}")
        return told

    def hidden(self, g: BattleCore, seat: int) -> tuple[Hidden, ...]:
        """w10.mission.formations.secret: battle formations until both players have finished."""
        return secrets(g, seat)

    def enter(self, g: BattleCore, phase: str, player: int, battle_round: int) -> None:
        """Put the battle at the start of a phase of ``player`` (``end``: the end of the turn, ``mission``: step 3)."""
        if phase == "mission":
            self.start(g)
            return
        at = ENTRIES.index(phase)
        clock = g.clock
        clock.round[0], clock.turn[0], clock.phase[0] = battle_round, player, at + 1
        second = player != clock.first_player[0]
        turns.BattleRounds.enter(g, battle_round, second)
        turns.Turn.enter(g, player, at)

    def wiped_out(self, g: BattleCore, player: int) -> bool:
        """w10.mission.only-war.end."""
        return army_destroyed(g, player)

    def winner(self, g: BattleCore) -> int:
        """w10.mission.only-war.victor and .victor.both-destroyed."""
        lost = (self.wiped_out(g, 0), self.wiped_out(g, 1))
        vp = (g.players.vp[0], g.players.vp[1])
        better = lost if lost[0] != lost[1] else (vp[1], vp[0])
        winner = -1 if better[0] == better[1] else int(better[0] > better[1])
        if g.recorder is not None:
            mission.tell_step(g, mission.MissionSequence.Step.ENDING)
            mission.tell_step(g, mission.MissionSequence.Step.VICTOR)
            g.note("w10.mission.only-war.victor", "victor", winner=winner, vp=vp, destroyed=lost)
        return winner


TENTH_EDITION = TenthEdition()
