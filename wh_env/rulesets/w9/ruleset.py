"""The 9th edition as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Audit, Hidden
from wh_env.core.setup import Setup
from wh_env.core.tables import Array, TableSpec
from wh_env.core.validation import Fault
from wh_env.rulesets.w9.actions.moments import phase_ended
from wh_env.rulesets.w9.actions.performing import action_tables, interrupt, without_silent
from wh_env.rulesets.w9.army import whole
from wh_env.rulesets.w9.classes import KINDS, PROCEDURES
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.command.gains import stratagem_cp
from wh_env.rulesets.w9.command.phase import CommandPhase
from wh_env.rulesets.w9.deploy import reserves
from wh_env.rulesets.w9.deploy.mission import MissionSequence
from wh_env.rulesets.w9.deploy.redeploy import redeploy, redeploy_or_reserve
from wh_env.rulesets.w9.fight import combat
from wh_env.rulesets.w9.mission import late, stand
from wh_env.rulesets.w9.mission.scoring import at_the_end
from wh_env.rulesets.w9.morale.phase import MoralePhase
from wh_env.rulesets.w9.move import aircraft, moved
from wh_env.rulesets.w9.move.out_of_phase import move_again
from wh_env.rulesets.w9.numbers import (
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
    PART_RULES,
    PLACING,
    TARGETING,
    TRANSPORTS,
)
from wh_env.rulesets.w9.objective import control
from wh_env.rulesets.w9.psychic.rules import NinthPsychic
from wh_env.rulesets.w9.psychic.turn_end import PowersEnd
from wh_env.rulesets.w9.rare.repositioned import reposition
from wh_env.rulesets.w9.rule_ids import RULE_IDS
from wh_env.rulesets.w9.shoot.cover import LARGE, settle_cover, take_cover
from wh_env.rulesets.w9.shoot.waiting import lose_unless_free, put_last, waits
from wh_env.rulesets.w9.stratagems.book import BOOK
from wh_env.rulesets.w9.terrain import TYPES
from wh_env.rulesets.w40k import validity
from wh_env.rulesets.w40k.attack.abilities import Power
from wh_env.rulesets.w40k.charge.phase import ChargePhase
from wh_env.rulesets.w40k.codes import Deed
from wh_env.rulesets.w40k.deploy import battlefield
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.event_fields import EVENT_FIELDS
from wh_env.rulesets.w40k.fight.phase import FightPhase
from wh_env.rulesets.w40k.morale import toll
from wh_env.rulesets.w40k.move.phase import MovementPhase
from wh_env.rulesets.w40k.psychic.lasting import psychic_modifiers, unaffected
from wh_env.rulesets.w40k.psychic.phase import PsychicPhase
from wh_env.rulesets.w40k.psychic.state import psychic_tables
from wh_env.rulesets.w40k.sequence import turns
from wh_env.rulesets.w40k.sequence.effects import COMMON
from wh_env.rulesets.w40k.sequence.points import gain_cp
from wh_env.rulesets.w40k.sequence.sequencing import push_due
from wh_env.rulesets.w40k.sequence.timing import army_destroyed
from wh_env.rulesets.w40k.shoot.phase import ShootingPhase
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser
from wh_env.rulesets.w40k.view.audit import EditionAudit
from wh_env.rulesets.w40k.view.observe import EditionFeatures, secrets
from wh_env.rulesets.w40k.workspace import Workspace

ENTRIES = ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")


def extra_cp(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """A rule gives its owner Command points."""
    gain_cp(g, owner, amount)


class NinthEdition(Edition):
    """Warhammer 40,000, 9th edition core rules, as amended."""

    id = "w9"
    phases = ("Before the battle", "Command", "Movement", "Psychic", "Shooting", "Charge", "Fight", "Morale")
    features = EditionFeatures()
    event_fields = EVENT_FIELDS
    rule_ids = RULE_IDS
    turn = (CommandPhase, MovementPhase, PsychicPhase, ShootingPhase, ChargePhase, FightPhase, MoralePhase)
    turn_ends = (PowersEnd,)
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
    part_rules = PART_RULES
    terrain = TYPES
    huge = LARGE
    effects = MappingProxyType(
        {
            **COMMON,
            **toll.EFFECTS,
            **combat.EFFECTS,
            "cp": extra_cp,
            "move": move_again,
            "reposition": reposition,
            "stratagem-cp": stratagem_cp,
            "redeploy": redeploy,
            "redeploy-or-reserve": redeploy_or_reserve,
        }
    )
    stratagems = BOOK
    psychic = NinthPsychic()
    scoring = (int(Phase.COMMAND),)
    scores_at_end = True
    by_players = MappingProxyType({"formations": "choose", "terrain": "players", "markers": "players"})

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def more_move(self, g: BattleCore, unit: int) -> float:
        """w9.glossary.move-normally."""
        return moved.added(g, unit)

    def straight_move(self, g: BattleCore, unit: int) -> tuple[float, float]:
        """w9.aircraft.minimum-move."""
        return aircraft.distances(g, unit)

    def may_reserve(self, g: BattleCore, unit: int, points: int, *, strategic: bool) -> bool:
        """w9.reserves.strategic, .cost, w9.reserves.half-army."""
        return reserves.may_wait(g, unit, strategic)

    def reserves_declared(self, g: BattleCore) -> None:
        """w9.reserves.strategic.cost."""
        reserves.pay(g)

    def arrived(self, g: BattleCore, unit: int) -> None:
        """w9.reserves.strategic.own-edge.charged."""
        reserves.arrived(g, unit)

    def slain(self, g: BattleCore, models: Array) -> None:
        """They count for Morale tests (w9.morale.test)."""
        toll.count_slain(g, models)

    def turn_begins(self, g: BattleCore) -> None:
        """Losses and charges of the last turn count no more."""
        toll.forget(g)
        combat.forget(g)

    def may_fall_back(self, g: BattleCore, unit: int) -> bool:
        """Whether no rule holds it."""
        return not g.combat.held[unit]

    def stops_fall_back(self, g: BattleCore, unit: int) -> bool:
        """A roll-off that some rule asks for."""
        return combat.loses_contest(g, unit)

    def barred_in_melee(self, g: BattleCore, unit: int) -> Array:
        """w9.fight.targets.charged."""
        return combat.barred(g, unit)

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """Weapons, moments, answers of the attack machine; see ``validity``; powers and actions."""
        own = {"psychic_powers": len(setup.statics["psychic_powers"]), "actions": len(setup.statics["actions"])}
        return {**validity.sizes(setup), **own}

    def phase_ended(self, g: BattleCore, player: int, phase: int) -> None:
        """Actions are completed and started, after what falls due at the end of the Movement phase."""
        phase_ended(g, player, phase)
        if phase == Phase.MOVEMENT:
            push_due(g, "movement-end", player)

    def acts(self, g: BattleCore, unit: int, deed: Deed) -> None:
        """w9.actions.fail."""
        interrupt(g, unit, deed)

    def modifying(self, g: BattleCore) -> bool:
        """Psychic powers may."""
        return any(g.psyche.under)

    def modifiers(self, g: BattleCore, unit: int, hook: str, against: int) -> list[Power]:
        """Psychic powers on the unit."""
        return psychic_modifiers(g, unit, hook, against)

    def immune(self, g: BattleCore, unit: int) -> bool:
        """w9.glossary.unaffected-by-powers.attacks."""
        return unaffected(g, unit)

    def power_rows(self, g: BattleCore, hook: str) -> tuple[Array, Array]:
        """w9.actions.aura: auras of CHARACTERS that perform an action have no bearers meanwhile."""
        return without_silent(g, *super().power_rows(g, hook))

    def contradictions(self, g: BattleCore) -> Iterator[Fault]:
        """Wrecks, casualties; see ``validity``."""
        return validity.contradictions(g)

    def declared(self, g: BattleCore, unit: int, melee: bool) -> None:
        """Dense Cover, and what is made only if the unit is free by then."""
        if not melee and g.units.engaged_before[unit]:
            put_last(g)
        if len(g.setup.features):
            settle_cover(g, melee)

    def prepares(self, g: BattleCore, unit: int) -> bool:
        """Where there is terrain, and for units that shoot while engaged."""
        return bool(len(g.setup.features) or g.units.engaged_before[unit])

    def prepare(self, g: BattleCore, group: int, melee: bool) -> None:
        """Who has the benefits of cover; whether a unit that was engaged is free now."""
        if not melee and waits(g.jobs.near[group]):
            lose_unless_free(g, group)
        if len(g.setup.features):
            take_cover(g, group, melee)

    def workspace(self, setup: Setup) -> Workspace:
        """Scratch memory of one battle."""
        return Workspace(setup)

    def tables(self, units: int, models: int) -> Sequence[TableSpec]:
        """Control of markers, secondary objectives, who waits in Reserves; what the turn did to the nerves of units, who charged whom
        and who fights first or last; psykers, actions."""
        own = (*control.tables(units, models), *stand.tables(units), *late.tables(units))
        fought = (*toll.tables(units, models), *combat.tables(units))
        return (*own, *whole.tables(), *fought, *psychic_tables(units), *action_tables(units))

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
