"""The 9th edition as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w9.actions.moments import phase_ended
from wh_env.rulesets.w9.actions.performing import action_tables, interrupt, without_silent
from wh_env.rulesets.w9.army import whole
from wh_env.rulesets.w9.attack import generated
from wh_env.rulesets.w9.attack.weighing import weigh
from wh_env.rulesets.w9.charge.defence import stand_down, strike_back
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
from wh_env.rulesets.w9.mission.steps import tell_end
from wh_env.rulesets.w9.morale.inspiring import inspired
from wh_env.rulesets.w9.morale.phase import MoralePhase
from wh_env.rulesets.w9.move import aircraft, ground, moved
from wh_env.rulesets.w9.move.out_of_phase import move_again
from wh_env.rulesets.w9.numbers import NUMBERS
from wh_env.rulesets.w9.objective import control
from wh_env.rulesets.w9.psychic.rules import NinthPsychic
from wh_env.rulesets.w9.psychic.turn_end import PowersEnd
from wh_env.rulesets.w9.rare import open_topped, stationary
from wh_env.rulesets.w9.rare.repositioned import reposition
from wh_env.rulesets.w9.rare.returned import return_models, return_with_one_wound, return_with_some_wounds
from wh_env.rulesets.w9.rare.splitting import split
from wh_env.rulesets.w9.rare.summoned import summon
from wh_env.rulesets.w9.rule_ids import RULE_IDS
from wh_env.rulesets.w9.shoot.cover import settle_cover, take_cover
from wh_env.rulesets.w9.shoot.sheltering import LARGE
from wh_env.rulesets.w9.shoot.waiting import lose_unless_free, put_last, waits
from wh_env.rulesets.w9.stratagems.book import BOOK
from wh_env.rulesets.w9.terrain import TYPES
from wh_env.rulesets.w9.view.appraise import NinthAppraiser
from wh_env.rulesets.w9.view.audit import NinthAudit
from wh_env.rulesets.w9.view.observe import NinthFeatures
from wh_env.rulesets.w40k.ability.common_effects import COMMON
from wh_env.rulesets.w40k.attack.abilities import Power
from wh_env.rulesets.w40k.charge.phase import ChargePhase
from wh_env.rulesets.w40k.codes import FROM_WRECK, Deed, Selected
from wh_env.rulesets.w40k.fight.phase import FightPhase
from wh_env.rulesets.w40k.morale import toll
from wh_env.rulesets.w40k.move.phase import MovementPhase
from wh_env.rulesets.w40k.played import PlayedEdition, extra_cp
from wh_env.rulesets.w40k.psychic.lasting import forget_lost, psychic_modifiers, unaffected
from wh_env.rulesets.w40k.psychic.phase import PsychicPhase
from wh_env.rulesets.w40k.psychic.state import psychic_tables
from wh_env.rulesets.w40k.sequence.sequencing import push_due
from wh_env.rulesets.w40k.shoot.phase import ShootingPhase
from wh_env.rulesets.w40k.view.questions import questions


class NinthEdition(PlayedEdition):
    """Warhammer 40,000, 9th edition core rules, as amended."""

    id = "w9"
    phases = ("Before the battle", "Command", "Movement", "Psychic", "Shooting", "Charge", "Fight", "Morale")
    rule_ids = RULE_IDS
    mission = MissionSequence
    turn = (CommandPhase, MovementPhase, PsychicPhase, ShootingPhase, ChargePhase, FightPhase, MoralePhase)
    turn_ends = (PowersEnd,)
    numbers = NUMBERS
    terrain = TYPES
    ground = ground.DifficultGround()
    huge = LARGE
    effects = MappingProxyType(
        {
            **COMMON,
            **toll.EFFECTS,
            **combat.EFFECTS,
            "cp": extra_cp,
            "move": move_again,
            "reposition": reposition,
            "return": return_models,
            "return, 1 Wound": return_with_one_wound,
            "return, D3 Wounds": return_with_some_wounds,
            "split": split,
            "summon": summon,
            "stratagem-cp": stratagem_cp,
            "redeploy": redeploy,
            "redeploy-or-reserve": redeploy_or_reserve,
            "hard-to-hit": moved.hard_to_hit,
        }
    )
    stratagems = BOOK
    questions = questions(BOOK)
    psychic = NinthPsychic()
    lending = open_topped.OpenTopped()
    scoring = (int(Phase.COMMAND),)
    scores_at_end = True
    marks_damage = True  # w9.glossary.suffer-damage
    features = NinthFeatures()

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def more_move(self, g: BattleCore, unit: int) -> float:
        """Inches that rules about moving normally add to a Normal Move (w9.glossary.move-normally)."""
        return moved.added(g, unit)

    def straight_move(self, g: BattleCore, unit: int) -> tuple[float, float]:
        """The lower and the higher Move value of an AIRCRAFT, inches (w9.aircraft.minimum-move)."""
        return aircraft.distances(g, unit)

    def may_reserve(self, g: BattleCore, unit: int, points: int, *, strategic: bool) -> bool:
        """Whether the unit can start in Reserves (w9.reserves.strategic, .cost, w9.reserves.half-army)."""
        return reserves.may_wait(g, unit, strategic)

    def reserves_declared(self, g: BattleCore) -> None:
        """Take the Command points for Strategic Reserves (w9.reserves.strategic.cost)."""
        reserves.pay(g)

    def arrived(self, g: BattleCore, unit: int) -> None:
        """A unit that arrives within Engagement Range counts as having charged
        (w9.reserves.strategic.own-edge.charged).
        """
        reserves.arrived(g, unit)

    def appraiser(self, setup: Setup) -> NinthAppraiser:
        """Values also powers, Morale, Interventions, actions and the edition's Stratagems."""
        return NinthAppraiser(setup)

    def audit(self, g: BattleCore) -> NinthAudit:
        """Checks also the tables of this edition."""
        return NinthAudit(g)

    def left_transport(self, g: BattleCore, unit: int, carrier: int) -> None:
        """Mark the unit: it cannot embark in this phase. One that left a wreck may still move, unless its TRANSPORT has
        arrived this turn (w9.transport.disembark.after, w9.reserves.transport-disembark).
        """
        g.units.selected[unit] |= Selected.LEFT_TRANSPORT
        if g.units.disembarked[unit] == FROM_WRECK and not g.units.arrived[carrier]:
            g.units.selected[unit] &= ~Selected.MOVE

    def bars_embarking(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit has disembarked in this phase (w9.transport.embark)."""
        return bool(g.units.selected[unit] & Selected.LEFT_TRANSPORT)

    def slain(self, g: BattleCore, models: Array) -> None:
        """The models count for Morale tests (w9.morale.test)."""
        toll.count_slain(g, models)

    def mode_aboard(self, g: BattleCore, unit: int) -> int:
        """Code of the weapons that an embarked unit may fire (w9.rare.shoot-embarked.engaged, .restrictions)."""
        return open_topped.mode_aboard(g, unit)

    def closed(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit may not disembark from its TRANSPORT now (w9.rare.stationary.transport)."""
        return super().closed(g, unit) and not stationary.leaves_after_move(g, unit)

    def turn_begins(self, g: BattleCore) -> None:
        """Forget the losses and charges of the last turn, and effects of moves in the turn player's last turn."""
        toll.forget(g)
        combat.forget(g)
        moved.turn_begins(g)

    def does_nothing_more(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit used Desperate Breakout (w9.stratagem.desperate-breakout, w9.rare.breakout.consequences)."""
        return bool(g.combat.broke_out[unit])

    def may_fall_back(self, g: BattleCore, unit: int) -> bool:
        """Whether no rule forbids the unit to Fall Back."""
        return not g.combat.held[unit]

    def stops_fall_back(self, g: BattleCore, unit: int) -> bool:
        """Whether a roll-off that a rule asks for stops the unit."""
        return combat.loses_contest(g, unit)

    def barred_in_melee(self, g: BattleCore, unit: int) -> Array:
        """Units that a charging unit may not target in melee (w9.fight.targets.charged)."""
        return combat.barred(g, unit)

    def sizes(self, setup: Setup) -> Mapping[str, float]:
        """The sizes of every edition, and the numbers of psychic powers, actions and rules that moves trigger."""
        own = {"psychic_powers": len(setup.statics["psychic_powers"]), "actions": len(setup.statics["actions"])}
        own["moved_rules"] = len(setup.rules["moved"])
        return {**super().sizes(setup), **own}

    def phase_ended(self, g: BattleCore, player: int, phase: int) -> None:
        """End what units in Defensible terrain did, complete and start actions; rules due at the end of the Movement
        phase are resolved first.
        """
        stand_down(g, phase)
        phase_ended(g, player, phase)
        if phase == Phase.MOVEMENT:
            push_due(g, "movement-end", player)

    def acts(self, g: BattleCore, unit: int, deed: Deed) -> None:
        """An action that the unit performs may fail (w9.actions.fail). If the unit leaves, drop powers on units that
        are destroyed.
        """
        interrupt(g, unit, deed)
        if deed == Deed.LEAVE:
            forget_lost(g)

    def modifying(self, g: BattleCore) -> bool:
        """Whether any rule may modify attacks now: psychic powers, open-topped TRANSPORTS, or rules that moves
        trigger.
        """
        return any(g.psyche.under) or bool(g.setup.statics["open_topped"]) or bool(g.setup.rules["moved"])

    def modifiers(self, g: BattleCore, unit: int, hook: str, against: int) -> list[Power]:
        """Psychic powers on the unit and effects of its move; for a unit that shoots from a TRANSPORT its own rules
        instead.
        """
        if open_topped.looks_out(g, unit):
            return open_topped.modifiers_aboard(g, unit, hook, against)
        return psychic_modifiers(g, unit, hook, against) + moved.modifiers(g, unit, hook)

    def more_leadership(self, g: BattleCore, unit: int) -> int:
        """What inspiring terrain adds to the unit's Leadership (w9.terrain.inspiring)."""
        return inspired(g, unit)

    def immune(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit is unaffected by psychic powers (w9.glossary.unaffected-by-powers.attacks)."""
        return unaffected(g, unit)

    def power_rows(self, g: BattleCore, hook: str) -> tuple[Array, Array]:
        """Ability rows in which auras of CHARACTERS that perform an action have no bearers (w9.actions.aura)."""
        return without_silent(g, *super().power_rows(g, hook))

    def declared(self, g: BattleCore, unit: int, melee: bool) -> None:
        """Attacks were declared: apply rules of the target, count generated attacks, sort attacks that wait, settle
        Dense Cover.
        """
        weigh(g, unit)
        generated.begin(g, unit)
        if melee:
            strike_back(g, unit)
        elif g.units.engaged_before[unit]:
            put_last(g)
        if not melee:
            stationary.triggered(g, unit)
        if len(g.setup.features):
            with open_topped.from_hull(g, unit):
                settle_cover(g, melee)

    def heeds(self, g: BattleCore, unit: int) -> bool:
        """Whether abilities generate attacks, so that the log must be read (w9.rare.generated-attacks)."""
        return generated.generates(g, unit)

    def heed(self, g: BattleCore) -> None:
        """Count hit rolls of 6 and attacks that do not reach the Inflict Damage step."""
        generated.heed(g)

    def generates(self, g: BattleCore, unit: int) -> bool:
        """Declare generated attacks; whether there are any to make (w9.rare.generated-attacks)."""
        return generated.more(g, unit)

    def prepares(self, g: BattleCore, unit: int) -> bool:
        """Whether ``prepare`` has to be called for the unit's attacks: there is terrain, or the unit shoots while
        engaged.
        """
        return bool(len(g.setup.features) or g.units.engaged_before[unit])

    def prepare(self, g: BattleCore, group: int, melee: bool) -> None:
        """Before a group of attacks: flag models with the benefits of cover; lose waiting attacks if the unit is still
        engaged.
        """
        if not melee and waits(g.jobs.near[group]):
            lose_unless_free(g, group)
        if len(g.setup.features):
            with open_topped.from_hull(g, g.models.unit[g.jobs.model[group]]):
                take_cover(g, group, melee)

    def tables(self, units: int, models: int) -> Sequence[TableSpec]:
        """Tables of objective markers, secondary objectives, Reserves, losses and Morale, charges and fighting order,
        psykers, actions and moves.
        """
        own = (*control.tables(units, models), *stand.tables(units), *late.tables(units))
        fought = (*toll.tables(units, models), *combat.tables(units), *generated.tables(models))
        more = (*psychic_tables(units), *action_tables(units), *stationary.tables(units), *ground.tables(units))
        return (*own, *whole.tables(), *fought, *more, *moved.tables(units))

    def count_control(self, g: BattleCore) -> None:
        """Control by the number of models (w9.objective.control)."""
        control.count_control(g)

    def first_round(self, g: BattleCore, strategic: bool) -> int:
        """The first battle round in which units may arrive, as the mission says
        (w9.mission.crusade.reserves-round-one).
        """
        rules = g.setup.rules
        said = rules["strategic_reserves_from_round"] if strategic else rules["reinforcements_from_round"]
        return int(said) or super().first_round(g, strategic)

    def battle_ends(self, g: BattleCore) -> None:
        """Score the end of the battle (w9.mission.only-war.bonus, .slay) and secondary objectives."""
        at_the_end(g)
        tell_end(g)
        forget_lost(g)


NINTH_EDITION = NinthEdition()
