"""The 10th edition as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from types import MappingProxyType

from wh_env.core.battle import BattleCore
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
from wh_env.rulesets.w40k.charge.phase import ChargePhase
from wh_env.rulesets.w40k.fight.phase import FightPhase
from wh_env.rulesets.w40k.move.phase import MovementPhase
from wh_env.rulesets.w40k.played import PlayedEdition, extra_cp
from wh_env.rulesets.w40k.sequence.effects import COMMON
from wh_env.rulesets.w40k.sequence.turns import EndOfTurn


def test_leadership(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """A rule asks a unit for a Leadership test."""
    g.push(LeadershipTest, unit)


class TenthEdition(PlayedEdition):
    """Warhammer 40,000, 10th edition core rules."""

    id = "w10"
    phases = ("Before the battle", "Command", "Movement", "Shooting", "Charge", "Fight")
    rule_ids = RULE_IDS
    mission = mission.MissionSequence
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

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def winner(self, g: BattleCore) -> int:
        """w10.mission.only-war.victor and .victor.both-destroyed: the last two steps of the mission sequence."""
        if g.recorder is not None:
            mission.tell_step(g, mission.MissionSequence.Step.ENDING)
            mission.tell_step(g, mission.MissionSequence.Step.VICTOR)
        return super().winner(g)


TENTH_EDITION = TenthEdition()
