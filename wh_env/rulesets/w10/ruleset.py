"""The 10th edition as a ``Ruleset``: its procedures, its decision kinds, start and winner."""

from __future__ import annotations

from functools import reduce
from operator import or_
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.w10.ability.control import halved, hold_on, with_more_control
from wh_env.rulesets.w10.ability.effects import EFFECTS, count_kills, free_units, still_free
from wh_env.rulesets.w10.ability.occasions import (
    Leech,
    bar_tunnellers,
    mark_as_turns_begin,
    refund,
    settle_lone,
    stale_lone,
)
from wh_env.rulesets.w10.classes import KINDS, PROCEDURES
from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w10.command.phase import CommandPhase
from wh_env.rulesets.w10.deploy import mission
from wh_env.rulesets.w10.numbers import NUMBERS
from wh_env.rulesets.w10.rule_ids import RULE_IDS
from wh_env.rulesets.w10.shoot.phase import ShootingPhase
from wh_env.rulesets.w10.stratagems.book import BOOK
from wh_env.rulesets.w10.terrain import TYPES
from wh_env.rulesets.w10.transport.firing_deck import FiringDecks
from wh_env.rulesets.w40k.ability.choices import clear, ends, mark_bereaved, push_choices
from wh_env.rulesets.w40k.ability.common_effects import COMMON
from wh_env.rulesets.w40k.attack.abilities import (
    CARRYING,
    CHARGES_ADVANCED,
    CHARGES_LATER,
    CHARGES_MOVED,
    LEAVES_ADVANCED,
    SHRUGGED,
    in_force,
)
from wh_env.rulesets.w40k.attack.rolls import SHRUGS
from wh_env.rulesets.w40k.charge.phase import ChargePhase
from wh_env.rulesets.w40k.codes import Freedom, Moved
from wh_env.rulesets.w40k.fight.phase import FightPhase
from wh_env.rulesets.w40k.move.phase import MovementPhase
from wh_env.rulesets.w40k.played import PlayedEdition, extra_cp
from wh_env.rulesets.w40k.rounds.turns import EndOfTurn
from wh_env.rulesets.w40k.view.questions import questions


def carrying(g: BattleCore, carrier: int) -> int:
    """Bits of ``CARRYING`` that abilities of a TRANSPORT grant to units that disembark from it; 0 for ``carrier``
    -1.
    """
    if carrier < 0 or not g.setup.statics["powers"]["carrying"]:
        return 0
    return reduce(or_, (CARRYING[power.effect] for power in in_force(g, carrier, "carrying")), 0)


# marks of a unit that last until the end of the turn
TURN_MARKS = Freedom.CHARGE_DISEMBARKED | Freedom.CHARGE_LATER | Freedom.NO_CHARGE | Freedom.REROLLED


class TenthEdition(PlayedEdition):
    """Warhammer 40,000, 10th edition core rules."""

    id = "w10"
    phases = ("Before the battle", "Command", "Movement", "Shooting", "Charge", "Fight")
    rule_ids = RULE_IDS
    mission = mission.MissionSequence
    turn = (CommandPhase, MovementPhase, ShootingPhase, ChargePhase, FightPhase)
    turn_ends = (EndOfTurn,)
    numbers = NUMBERS
    terrain = TYPES
    stratagems = BOOK
    questions = questions(BOOK)
    effects = MappingProxyType({**COMMON, **EFFECTS, "cp": extra_cp})
    lending = FiringDecks()
    scoring = (int(Phase.COMMAND),)

    def __init__(self) -> None:
        super().__init__(PROCEDURES, KINDS)

    def closed(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit cannot disembark now. Units may leave some TRANSPORTS even after an Advance."""
        carrier = g.units.carrier[unit]
        if carrier < 0 or g.units.moved[carrier] != Moved.ADVANCE:
            return super().closed(g, unit)
        return super().closed(g, unit) and not carrying(g, carrier) & LEAVES_ADVANCED

    def left_transport(self, g: BattleCore, unit: int, carrier: int) -> None:
        """Mark a unit that may charge although it has disembarked, by an ability of its TRANSPORT."""
        may, moved = carrying(g, carrier), g.units.moved[carrier]
        if moved == Moved.ADVANCE and may & CHARGES_ADVANCED:
            g.units.marks[unit] |= Freedom.CHARGE_DISEMBARKED
        if moved == Moved.NORMAL and may & CHARGES_MOVED:
            g.units.marks[unit] |= Freedom.CHARGE_DISEMBARKED
        if moved == Moved.NOT_YET and may & CHARGES_LATER:
            g.units.marks[unit] |= Freedom.CHARGE_LATER

    def before_phase(self, g: BattleCore, player: int, phase: int) -> None:
        """Push the choices of abilities that are made before the Command or the Fight phase."""
        if phase == Phase.COMMAND:
            g.clock.phase[0] = Phase.COMMAND
            clear(g, ends(g).command[player])
            push_choices(g, "command")
            if g.clock.round[0] == 1 and player == g.clock.first_player[0]:
                push_choices(g, "battle")  # on top: it comes first
        elif phase == Phase.FIGHT:
            push_choices(g, "fight")

    def phase_ended(self, g: BattleCore, player: int, phase: int) -> None:
        """Clear marks that last until the end of the phase. At the end of a turn, push the choices of abilities for
        that moment.
        """
        clear(g, ends(g).phase)
        if phase == Phase.FIGHT:
            push_choices(g, "turn end")

    def count_control(self, g: BattleCore) -> None:
        """Count control with Objective Control that abilities change (divided before anything is added), then keep
        markers that were secured.
        """
        control = g.models.control
        worse, better = halved(g), with_more_control(g)
        for k in worse:
            control[k] = (control[k] + 1) // 2
        for k, more in better:
            control[k] += more
        super().count_control(g)
        if worse or better:
            mustered = g.setup.layout.view(g.setup.template, "models")["control"]
            for k in (*worse, *(k for k, _ in better)):
                control[k] = int(mustered[k])
        hold_on(g)

    def slain(self, g: BattleCore, models: Array) -> None:
        """Models were destroyed: apply abilities that gain Command points, improve attacks or depend on friends near
        by.
        """
        if g.setup.statics["powers"]["kills"]:
            count_kills(g, models)
        mark_bereaved(g, models)
        settle_lone(g)

    def turn_begins(self, g: BattleCore) -> None:
        """Clear marks that lasted until the end of the turn. Models that ignore one attack each turn can do so
        again.
        """
        clear(g, ends(g).turn | TURN_MARKS)
        if g.clock.turn[0] == g.clock.first_player[0]:
            clear(g, Freedom.STRATAGEM_FREED)
        first = g.clock.round[0] == 1 and g.clock.turn[0] == g.clock.first_player[0]
        for power in g.setup.statics["powers"]["shrugged"]:
            if first or SHRUGGED[power.effect]:
                for k in power.models:
                    g.models.flags[k] |= SHRUGS
        mark_as_turns_begin(g)

    def moved(self, g: BattleCore, unit: int) -> None:
        """The unit has moved: push the choices of abilities for that moment."""
        push_choices(g, "enemy moved", unit)

    def before_attacks(self, g: BattleCore, unit: int, melee: bool) -> bool:
        """Push the choices of abilities for a unit that attacks, and for its targets; returns whether there are any."""
        attacks, targeted = push_choices(g, "attacks", unit, int(melee)), push_choices(g, "targeted", unit, int(melee))
        return attacks or targeted

    def free_among(self, g: BattleCore, player: int, units: list[int]) -> list[int]:
        """The ``units`` on which a Stratagem costs less, by an ability that works once in each battle round."""
        left = still_free(g, player)
        if not any(power.reach for power, _ in left):  # an Aura also reaches units other than that of its bearers
            own = [unit for _, unit in left]
            units = [unit for unit in units if unit in own]
        return [unit for unit in units if free_units(g, left, unit)]

    def freed(self, g: BattleCore, player: int, unit: int) -> None:
        """Mark the unit whose ability made a Stratagem cheaper: it has done so in this battle round."""
        g.units.marks[free_units(g, still_free(g, player), unit)[0]] |= Freedom.STRATAGEM_FREED

    def shocked(self, g: BattleCore, unit: int) -> None:
        """The unit failed a Battle-shock test: enemy abilities may drain its wounds (``Leech``)."""
        g.push(Leech, unit)

    def positions_changed(self, g: BattleCore) -> None:
        """Some models have Lone Operative near friends."""
        settle_lone(g)

    def stale_answers(self, g: BattleCore) -> list[str]:
        """Units that have Lone Operative away from friends, or lack it near them."""
        return stale_lone(g)

    def arrived(self, g: BattleCore, unit: int) -> None:
        """The unit was set up from Reserves: some units cannot charge this turn."""
        super().arrived(g, unit)
        bar_tunnellers(g, unit)

    def stratagem_used(self, g: BattleCore, player: int, unit: int) -> None:
        """Abilities may give back a Command point for a Stratagem used on the unit."""
        refund(g, player, unit)

    def attacked(self, g: BattleCore, unit: int, melee: bool) -> None:
        """Clear marks that last as long as the unit's attacks. Push the choices of abilities among the units that were
        hit.
        """
        clear(g, ends(g).attacks)
        push_choices(g, "fought" if melee else "shot", unit)

    def winner(self, g: BattleCore) -> int:
        """The winner (w10.mission.only-war.victor and .victor.both-destroyed), with the last two steps of the mission
        sequence recorded.
        """
        if g.recorder is not None:
            mission.tell_step(g, mission.MissionSequence.Step.ENDING)
            mission.tell_step(g, mission.MissionSequence.Step.VICTOR)
        return super().winner(g)


TENTH_EDITION = TenthEdition()
