"""The 9th edition as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Audit, Hidden
from wh_env.core.setup import Setup
from wh_env.core.tables import TableSpec
from wh_env.core.validation import Fault
from wh_env.rulesets.w9.army import whole
from wh_env.rulesets.w9.classes import KINDS, PROCEDURES
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.command.gains import stratagem_cp
from wh_env.rulesets.w9.command.phase import CommandPhase
from wh_env.rulesets.w9.deploy.mission import MissionSequence
from wh_env.rulesets.w9.deploy.redeploy import redeploy, redeploy_or_reserve
from wh_env.rulesets.w9.mission import late, stand
from wh_env.rulesets.w9.mission.scoring import at_the_end
from wh_env.rulesets.w9.morale.phase import MoralePhase
from wh_env.rulesets.w9.numbers import (
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
from wh_env.rulesets.w9.objective import control
from wh_env.rulesets.w9.rule_ids import RULE_IDS
from wh_env.rulesets.w9.terrain import TYPES
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
from wh_env.rulesets.w40k.shoot.phase import ShootingPhase
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser
from wh_env.rulesets.w40k.view.audit import EditionAudit
from wh_env.rulesets.w40k.view.observe import EditionFeatures, secrets
from wh_env.rulesets.w40k.workspace import Workspace

ENTRIES = ("command", "movement", "shooting", "charge", "fight", "morale")


def extra_cp(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """A rule gives its owner Command points."""
    gain_cp(g, owner, amount)


class NinthEdition(Edition):
    """Warhammer 40,000, 9th edition core rules, as amended."""

    id = "w9"
    phases = ("Before the battle", "Command", "Movement", "Shooting", "Charge", "Fight", "Morale")
    features = EditionFeatures()
    event_fields = EVENT_FIELDS
    rule_ids = RULE_IDS
    turn = (CommandPhase, MovementPhase, ShootingPhase, ChargePhase, FightPhase, MoralePhase)
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
    effects = MappingProxyType(
        {
            **COMMON,
            "cp": extra_cp,
            "stratagem-cp": stratagem_cp,
            "redeploy": redeploy,
            "redeploy-or-reserve": redeploy_or_reserve,
        }
    )
    scoring = (int(Phase.COMMAND),)
    scores_at_end = True
    by_players = MappingProxyType({"formations": "choose", "terrain": "players", "markers": "players"})

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """Weapons, moments, answers of the attack machine; see ``validity``."""
        return validity.sizes(setup)

    def contradictions(self, g: BattleCore) -> Iterator[Fault]:
        """Wrecks, casualties; see ``validity``."""
        return validity.contradictions(g)

    def workspace(self, setup: Setup) -> Workspace:
        """Scratch memory of one battle."""
        return Workspace(setup)

    def tables(self, units: int, models: int) -> Sequence[TableSpec]:
        """Control of markers, secondary objectives, who waits in Reserves."""
        return (*control.tables(units, models), *stand.tables(units), *late.tables(units), *whole.tables())

    def count_control(self, g: BattleCore) -> None:
        """w9.objective.control: models, not their characteristics."""
        control.count_control(g)

    def first_round(self, g: BattleCore, strategic: bool) -> int:
        """As the mission says (w9.mission.crusade.reserves-round-one)."""
        rules = g.setup.rules
        said = rules["strategic_reserves_from_round"] if strategic else rules["reinforcements_from_round"]
        return int(said) or super().first_round(g, strategic)

    def battle_ends(self, g: BattleCore) -> None:
        """w9.mission.only-war.bonus, .slay, secondary objectives."""
        at_the_end(g)

    def start(self, g: BattleCore) -> None:
        """From the battlefield on; the armies were mustered when the battle was loaded."""
        g.push(MissionSequence)

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

    def hidden(self, g: BattleCore, seat: int) -> tuple[Hidden, ...]:
        """Reserves and transports until both players have declared theirs."""
        return secrets(g, seat)

    def enter(self, g: BattleCore, phase: str, player: int, battle_round: int) -> None:
        """Put the battle at the start of a phase of ``player`` (``mission``: before the battle)."""
        if phase == "mission":
            self.start(g)
            return
        at = ENTRIES.index(phase)
        clock = g.clock
        clock.round[0], clock.turn[0], clock.phase[0] = battle_round, player, at + 1
        turns.BattleRounds.enter(g, battle_round, player != clock.first_player[0])
        turns.Turn.enter(g, player, at)

    def wiped_out(self, g: BattleCore, player: int) -> bool:
        """w9.mission.only-war.end."""
        return army_destroyed(g, player)

    def winner(self, g: BattleCore) -> int:
        """w9.mission.only-war.victory."""
        lost = (self.wiped_out(g, 0), self.wiped_out(g, 1))
        vp = (g.players.vp[0], g.players.vp[1])
        better = lost if lost[0] != lost[1] else (vp[1], vp[0])
        winner = -1 if better[0] == better[1] else int(better[0] > better[1])
        if g.recorder is not None:
            g.note("w9.mission.only-war.victory", "victor", winner=winner, vp=vp, destroyed=lost)
        return winner


NINTH_EDITION = NinthEdition()
