"""The 8th edition as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w8.charge import overwatch
from wh_env.rulesets.w8.classes import KINDS, PROCEDURES
from wh_env.rulesets.w8.deploy.mission import MissionSequence
from wh_env.rulesets.w8.fight.phase import FightPhase
from wh_env.rulesets.w8.morale.phase import MoralePhase
from wh_env.rulesets.w8.numbers import (
    AIRCRAFT,
    ATTACK_NUMBERS,
    CHARGING,
    CORE_RULES,
    DEMISE,
    ESCAPE,
    FIGHTING,
    GUIDELINES,
    INTERVENING,
    MEASURES,
    MOVES,
    PLACING,
    TARGETING,
    TRANSPORTS,
)
from wh_env.rulesets.w8.psychic.rules import EighthPsychic
from wh_env.rulesets.w8.rule_ids import RULE_IDS
from wh_env.rulesets.w8.terrain import TYPES
from wh_env.rulesets.w40k.attack.abilities import Power
from wh_env.rulesets.w40k.charge import declared
from wh_env.rulesets.w40k.charge.heroic import ChargePhase
from wh_env.rulesets.w40k.codes import Deed
from wh_env.rulesets.w40k.morale import toll
from wh_env.rulesets.w40k.move.phase import MovementPhase
from wh_env.rulesets.w40k.played import PlayedEdition
from wh_env.rulesets.w40k.psychic.lasting import forget_lost, psychic_modifiers
from wh_env.rulesets.w40k.psychic.phase import PsychicPhase
from wh_env.rulesets.w40k.psychic.state import psychic_tables
from wh_env.rulesets.w40k.sequence.effects import COMMON
from wh_env.rulesets.w40k.shoot.phase import ShootingPhase


class EighthEdition(PlayedEdition):
    """Warhammer 40,000, 8th edition core rules."""

    id = "w8"
    phases = ("Before the battle", "Movement", "Psychic", "Shooting", "Charge", "Fight", "Morale")
    rule_ids = RULE_IDS
    mission = MissionSequence
    turn = (MovementPhase, PsychicPhase, ShootingPhase, ChargePhase, FightPhase, MoralePhase)
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
    intervening = INTERVENING
    demise = DEMISE
    guidelines = GUIDELINES
    terrain = TYPES
    effects = MappingProxyType({**COMMON, **toll.EFFECTS})
    psychic = EighthPsychic()

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def slain(self, g: BattleCore, models: Array) -> None:
        """They count for Morale tests (w8.morale.slain-count)."""
        toll.count_slain(g, models)

    def turn_begins(self, g: BattleCore) -> None:
        """Losses and charges of the last turn count no more."""
        toll.forget(g)
        declared.forget(g)

    def barred_in_melee(self, g: BattleCore, unit: int) -> Array:
        """w8.fight.targets.chargers."""
        return declared.barred(g, unit)

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """As every edition's, and powers."""
        return {**super().sizes(setup), "psychic_powers": len(setup.statics["psychic_powers"])}

    def acts(self, g: BattleCore, unit: int, deed: Deed) -> None:
        """Powers on units that are destroyed."""
        if deed == Deed.LEAVE:
            forget_lost(g)

    def modifying(self, g: BattleCore) -> bool:
        """Psychic powers may."""
        return any(g.psyche.under)

    def modifiers(self, g: BattleCore, unit: int, hook: str, against: int) -> list[Power]:
        """Psychic powers on the unit."""
        return psychic_modifiers(g, unit, hook, against)

    def tables(self, units: int, models: int) -> Sequence[TableSpec]:
        """What the turn did to the nerves of units; psykers; charges and who has answered them."""
        fought = (*declared.tables(units), *overwatch.tables(units))
        return (*toll.tables(units, models), *psychic_tables(units), *fought)


EIGHTH_EDITION = EighthEdition()
