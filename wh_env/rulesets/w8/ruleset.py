"""The 8th edition as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w8.ability import afflictions
from wh_env.rulesets.w8.charge import overwatch
from wh_env.rulesets.w8.charge.phase import ChargePhase
from wh_env.rulesets.w8.classes import KINDS, PROCEDURES
from wh_env.rulesets.w8.deploy.mission import MissionSequence
from wh_env.rulesets.w8.fight.phase import FightPhase
from wh_env.rulesets.w8.mission import halves, state
from wh_env.rulesets.w8.mission.command_rerolls import BOOK
from wh_env.rulesets.w8.mission.objectives import ScoreTurn, count_models, roll_for_warlords, score_battle
from wh_env.rulesets.w8.morale.phase import MoralePhase
from wh_env.rulesets.w8.move import phase as movement
from wh_env.rulesets.w8.move.phase import MovementPhase
from wh_env.rulesets.w8.numbers import NUMBERS
from wh_env.rulesets.w8.psychic.rules import EighthPsychic
from wh_env.rulesets.w8.rule_ids import RULE_IDS
from wh_env.rulesets.w8.shoot.heavy import settle_heavy
from wh_env.rulesets.w8.terrain import TYPES
from wh_env.rulesets.w8.view.appraise import EighthAppraiser
from wh_env.rulesets.w8.view.audit import EighthAudit
from wh_env.rulesets.w8.view.observe import EighthFeatures
from wh_env.rulesets.w8.warlord import state as warlords
from wh_env.rulesets.w8.warlord import traits
from wh_env.rulesets.w40k.ability.common_effects import COMMON
from wh_env.rulesets.w40k.attack.abilities import Power
from wh_env.rulesets.w40k.charge import declared
from wh_env.rulesets.w40k.codes import Deed, Selected
from wh_env.rulesets.w40k.morale import toll
from wh_env.rulesets.w40k.played import PlayedEdition
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.psychic.lasting import forget_lost, psychic_modifiers
from wh_env.rulesets.w40k.psychic.phase import PsychicPhase
from wh_env.rulesets.w40k.psychic.state import psychic_tables
from wh_env.rulesets.w40k.sequence.sequencing import push_due
from wh_env.rulesets.w40k.shoot.phase import ShootingPhase
from wh_env.rulesets.w40k.view.questions import questions


class EighthEdition(PlayedEdition):
    """Warhammer 40,000, 8th edition core rules."""

    id = "w8"
    phases = ("Before the battle", "Movement", "Psychic", "Shooting", "Charge", "Fight", "Morale")
    rule_ids = RULE_IDS
    mission = MissionSequence
    by_players = MappingProxyType({**PlayedEdition.by_players, "warlords": traits.CHOOSE})
    turn = (MovementPhase, PsychicPhase, ShootingPhase, ChargePhase, FightPhase, MoralePhase)
    turn_ends = (ScoreTurn,)
    scores_at_end = True
    numbers = NUMBERS
    strange_keywords = (Keyword.AIRCRAFT, Keyword.DEDICATED_TRANSPORT, Keyword.FORTIFICATION)
    terrain = TYPES
    stratagems = BOOK
    questions = questions(BOOK)
    attacks_of_models = True  # w8.datasheet.attacks
    least_attacks = 0  # w8.datasheet.minimum-zero
    any_die = True  # w8.mission.command-rerolls.use
    effects = MappingProxyType({**COMMON, **toll.EFFECTS})
    psychic = EighthPsychic()
    features = EighthFeatures()

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def appraiser(self, setup: Setup) -> EighthAppraiser:
        """Values also powers, Morale, Interventions and the mission's objectives."""
        return EighthAppraiser(setup)

    def audit(self, g: BattleCore) -> EighthAudit:
        """Checks also the tables of this edition."""
        return EighthAudit(g)

    def slain(self, g: BattleCore, models: Array) -> None:
        """The models count for Morale tests (w8.morale.slain-count)."""
        toll.count_slain(g, models)

    def declared(self, g: BattleCore, unit: int, melee: bool) -> None:
        """For Heavy weapons it matters whether the model itself has moved, not its unit."""
        if not melee:
            settle_heavy(g)

    def left_transport(self, g: BattleCore, unit: int, carrier: int) -> None:
        """A unit that disembarks in its own turn, for whatever reason, may still move (w8.transport.disembark.act)."""
        if g.units.owner[unit] == g.clock.turn[0]:
            g.units.selected[unit] &= ~Selected.MOVE

    def turn_begins(self, g: BattleCore) -> None:
        """Forget the losses and charges of the last turn."""
        toll.forget(g)
        declared.forget(g)

    def turn_starts(self, g: BattleCore, player: int) -> None:
        """Push the rules that are due at the start of a turn (w8.concepts.sequencing.in-turn). They come before the
        Movement phase and belong to the turn.
        """
        g.clock.phase[0] = self.phase_number[MovementPhase]
        push_due(g, afflictions.AT_THE_START, player)

    def barred_in_melee(self, g: BattleCore, unit: int) -> Array:
        """Units that a charging unit may not target in melee (w8.fight.targets.chargers)."""
        return declared.barred(g, unit)

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """The sizes of every edition, and the numbers of psychic powers and of timed rules."""
        own = {"psychic_powers": len(setup.statics["psychic_powers"]), "timed": len(setup.statics["timed"])}
        return {**super().sizes(setup), **own}

    def acts(self, g: BattleCore, unit: int, deed: Deed) -> None:
        """If the unit leaves, drop psychic powers on units that are destroyed."""
        if deed == Deed.LEAVE:
            forget_lost(g)

    def zones(
        self, zones: tuple[Array, Array], length: float, width: float
    ) -> Sequence[tuple[tuple[Array, Array], bool]]:
        """The zones of each of the four divisions (w8.mission.deploy.halves.lines, w8.mission.deploy.where)."""
        return halves.zones(length, width)

    def division(self, g: BattleCore) -> int:
        """The division that was chosen; 0 before that."""
        return max(0, g.mission.division[0] - 1)

    def deployment_zones(self, g: BattleCore) -> tuple[Array, Array] | tuple[()]:
        """The zones of the chosen division; empty before the battlefield is divided."""
        return super().deployment_zones(g) if g.mission.division[0] else ()

    def count_control(self, g: BattleCore) -> None:
        """Control by the number of models (w8.mission.objectives.control)."""
        count_models(g.models.rows, g.objectives.rows, g.setup.rules["marker_range"])

    def battle_ends(self, g: BattleCore) -> None:
        """Score the primary objective (w8.mission.primary.slay-and-secure, .ancient-relic)."""
        score_battle(g)
        forget_lost(g)

    def last_rolls(self, g: BattleCore) -> None:
        """Roll for the victory points for slain Warlords (w8.mission.primary.slay-and-secure)."""
        roll_for_warlords(g)

    def winner(self, g: BattleCore) -> int:
        """If one army was wiped out, the other player; else the player with more victory points, else the Underdog
        (w8.mission.victory.mutual, .points, .tie).
        """
        lost = (self.wiped_out(g, 0), self.wiped_out(g, 1))
        vp = (g.players.vp[0], g.players.vp[1])
        better = lost if lost[0] != lost[1] else (vp[1], vp[0])
        minor = better[0] == better[1]
        winner = state.underdog(g) if minor else int(better[0] > better[1])
        if g.recorder is not None:
            rule = "w8.mission.victory.tie" if minor else "w8.mission.victory.points"
            rule = "w8.mission.victory.wipe-out" if lost[0] != lost[1] else rule
            g.note(rule, "minor victory" if minor else "major victory", winner=winner, vp=vp, destroyed=lost)
        return winner

    def more_leadership(self, g: BattleCore, unit: int) -> int:
        """What an Inspiring Leader adds to the unit's Leadership (w8.warlord.inspiring-leader)."""
        return traits.inspired(g, unit)

    def modifying(self, g: BattleCore) -> bool:
        """Whether any psychic power or Warlord Trait modifies attacks now."""
        return any(g.psyche.under) or any(traits.fights_on(g, player) for player in (0, 1))

    def modifiers(self, g: BattleCore, unit: int, hook: str, against: int) -> list[Power]:
        """Psychic powers on the unit and the Trait of its Warlord."""
        return [*psychic_modifiers(g, unit, hook, against), *traits.modifiers(g, unit, hook)]

    def tables(self, units: int, models: int) -> Sequence[TableSpec]:
        """Tables of the mission, Warlords, psykers, losses and Morale, units held in combat, charges, Overwatch and
        afflictions.
        """
        own = (*state.tables(), *warlords.tables(), *movement.tables(units))
        fought = (*declared.tables(units), *overwatch.tables(units))
        return (*toll.tables(units, models), *psychic_tables(units), *own, *fought, *afflictions.tables(units))


EIGHTH_EDITION = EighthEdition()
