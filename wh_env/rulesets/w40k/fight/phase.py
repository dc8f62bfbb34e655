"""Fight phase: order of units, Pile-in, melee attacks, Consolidation (fight.*)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, player, row_plus_one
from wh_env.core.procedures import GO, STEP, DecisionKind, OfPlayer, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.attack.casualties import what_is_left
from wh_env.rulesets.w40k.attack.making import Attacks
from wh_env.rulesets.w40k.attack.sequence import MELEE
from wh_env.rulesets.w40k.codes import WITH_BONUS
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.fight.close_moves import (
    TOWARDS_ENEMY,
    TOWARDS_MARKER,
    can_pile_in,
    close_reach,
    consolidate,
    consolidation,
    pile_in,
)
from wh_env.rulesets.w40k.fight.close_order import CONSOLIDATES, PILES_IN, CloseMoves
from wh_env.rulesets.w40k.fight.weapons import MeleeWeapons
from wh_env.rulesets.w40k.phases.timing import end_phase, start_phase
from wh_env.rulesets.w40k.profiles import Ability
from wh_env.rulesets.w40k.questions.aircraft import flyers_near, is_aircraft
from wh_env.rulesets.w40k.questions.engagements import engagements, faces_across, forget_targets
from wh_env.rulesets.w40k.questions.move_limits import CONSOLIDATE as CONSOLIDATION
from wh_env.rulesets.w40k.questions.move_limits import PILE_IN as PILE_IN_MOVE
from wh_env.rulesets.w40k.reaction.windows import Interruptible, open_window
from wh_env.rulesets.w40k.shoot.declare import add_melee_jobs, clear_jobs, melee_targets

FIGHTS_FIRST = int(Ability.FIGHTS_FIRST)
BEGIN, FIRST = 0, 1  # steps of the phase: not begun; the first step of the edition
MOST_STEPS = 8


@dataclass(frozen=True)
class FightStep:
    """A step of the Fight phase. The players alternate in selecting units that belong to it.

    Attributes:
        key: rule id of the step.
        starter: returns the player who selects first.
        holds: returns whether an eligible unit belongs to the step.
    """

    key: str
    starter: Callable[[BattleCore], int]
    holds: Callable[[BattleCore, int], bool]


def turn_player(g: BattleCore) -> int:
    """The player whose turn it is."""
    return g.clock.turn[0]


def opponent(g: BattleCore) -> int:
    """The player whose turn it is not."""
    return 1 - g.clock.turn[0]


class FightPhase(OfPlayer):
    """fight.steps: the steps of the edition in turn; in each step the players alternate in selecting units."""

    # the current step, counted from 1; after the last step the phase ends
    STEPS_BEGUN = integer(between(BEGIN, MOST_STEPS), at=STEP)
    NEXT = integer(player())  # the player who selects next
    order: ClassVar[tuple[FightStep, ...]]
    asks = ("select-to-fight",)

    @staticmethod
    def select(g: BattleCore, f: int, unit: int) -> None:
        """Select the unit to fight, in turn or out of turn. The opponent of its player selects next."""
        g.stack[f + FightPhase.NEXT] = 1 - g.units.owner[unit]
        start_fight(g, unit)

    def advance(self, g: BattleCore, f: int) -> int:
        stack, steps = g.stack, self.order
        step = stack[f + STEP]
        if step == BEGIN:
            start_phase(g, self)
            forget_targets(g)
            g.units.rows["fought"] = 0
            step = stack[f + STEP] = FIRST
            stack[f + FightPhase.NEXT] = steps[0].starter(g)
            if anybody_near(g):
                self.begun(g)
            else:
                step = stack[f + STEP] = len(steps) + 1  # no unit is eligible and none can become eligible
        if step > len(steps):
            end_phase(g)
            return g.pop()
        g.clock.step[0] = step
        side = stack[f + FightPhase.NEXT]
        for chooser in (side, 1 - side):
            if any(self.may_select(g, unit, step) for unit in g.units_of(chooser)):
                stack[f + FightPhase.NEXT] = chooser
                return g.ask(SelectToFight, chooser)
        self.next_step(g, f)
        return GO

    def begun(self, g: BattleCore) -> None:
        """Hook: the phase has begun and some unit charged or has an enemy near."""

    def next_step(self, g: BattleCore, f: int) -> None:
        """Go to the next step: no unit that can be selected is left in this one."""
        step, steps = g.stack[f + STEP], self.order
        g.stack[f + STEP] = step + 1
        g.stack[f + FightPhase.NEXT] = (steps[step] if step < len(steps) else steps[0]).starter(g)

    def may_select(self, g: BattleCore, unit: int, step: int) -> bool:
        """Whether the unit may be selected to fight in this step."""
        return can_fight(g, unit) and self.order[step - 1].holds(g, unit)


def anybody_near(g: BattleCore) -> bool:
    """Whether any unit charged, is engaged, or faces an enemy across a barricade."""
    if 1 in engagements(g).tobytes() or any(g.units.charged):
        return True
    faces_across(g, 0)  # fills the table for all units
    return 1 in g.across_array.tobytes()


def is_engaged(g: BattleCore, unit: int) -> bool:
    """Whether the unit is within Engagement Range of any enemy model, or faces one across a barricade
    (terrain.barricades.fight); an AIRCRAFT only counts units with FLY (aircraft.fight.eligible)."""
    if is_aircraft(g, unit):
        return flyers_near(g, unit)
    return 1 in engagements(g)[unit].tobytes() or faces_across(g, unit)


def has_fights_first(g: BattleCore, unit: int) -> bool:
    """fight.fights-first: every model has the ability, or the unit made a Charge move (charge.bonus)."""
    flags = g.models.flags
    return g.units.charged[unit] == WITH_BONUS or all(flags[k] & FIGHTS_FIRST for k in g.members(unit))


def can_fight(g: BattleCore, unit: int) -> bool:
    """Whether the unit is eligible to fight and has not fought (fight.eligible, .once, .newly-eligible)."""
    u = g.units
    if u.place[unit] != ON_TABLE or u.fought[unit]:
        return False
    return bool(u.charged[unit]) or is_engaged(g, unit)


def phase_of(g: BattleCore) -> FightPhase:
    """The Fight phase procedure of the battle's edition."""
    ruleset = g.setup.ruleset
    return ruleset.procedures[ruleset.number[FightPhase]]  # type: ignore[return-value]


class SelectToFight(DecisionKind):
    name = "select-to-fight"
    what = "Which own eligible unit fights next; nobody can pass."
    keys = ("fight.alternate", "fight.no-pass", "fight.chargers-first", "fight.always-first", "fight.last")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + FightPhase.NEXT]
        at, phase = g.setup.space.own - g.players.first_unit[player], phase_of(g)
        for unit in g.units_of(player):
            if phase.may_select(g, unit, g.stack[f + STEP]):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.stack[f + FightPhase.NEXT]
        unit = g.players.first_unit[player] + action - g.setup.space.own
        FightPhase.select(g, f, unit)


def start_fight(g: BattleCore, unit: int) -> None:
    """Select the unit to fight: mark it as having fought, start ``Fight`` and open the window after the selection."""
    g.units.fought[unit] = 1
    g.tell("fight.alternate", "selected to fight", unit=unit, step=g.clock.step[0])
    g.push(Fight, unit)
    open_window(g, Moment.SELECTED_TO_FIGHT, unit)


class Fight(Interruptible):
    """fight.sequence: the unit piles in, makes its melee attacks and consolidates."""

    class Step(Steps):
        PILE_IN, TARGETS, ATTACKS, CONSOLIDATE, END = range(5)

    LEADER = integer(row_plus_one("units"))  # row + 1 of the Leader in the unit
    asks = ("pile-in", "fight-target", "consolidate")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Fight.Step
        stack = g.stack
        unit, step = stack[f + Fight.UNIT], stack[f + STEP]
        if step == Step.PILE_IN:
            stack[f + Fight.LEADER] = g.units.leader[unit] + 1
        elif g.units.place[unit] != ON_TABLE:
            unit = stack[f + Fight.UNIT] = what_is_left(g, unit, stack[f + Fight.LEADER] - 1)
        owner = g.units.owner[unit]
        if g.units.alive[unit] <= 0 or g.units.place[unit] != ON_TABLE:
            return self.end(g, unit)
        stack[f + STEP] = step + 1
        if step == Step.PILE_IN:
            if can_pile_in(g, unit):
                return g.ask(PileIn, owner, unit)
        elif step == Step.TARGETS:
            clear_jobs(g)
            if melee_targets(g, unit)[1]:
                if g.setup.rules["detail"] == "full":
                    g.push(MeleeWeapons, unit)
                else:
                    return g.ask(FightTarget, owner, unit)
            elif g.recorder is not None:
                g.tell("fight.targets.none", "no melee target", unit=unit)
        elif step == Step.ATTACKS:
            if any(g.jobs.attacks):
                self.declared(g, f)
                g.push(Attacks, unit, MELEE)
        elif step == Step.CONSOLIDATE:
            kind = consolidation(g, unit)
            if kind == TOWARDS_ENEMY:
                return g.ask(Consolidate, owner, unit)
            if kind == TOWARDS_MARKER:
                make_consolidation(g, unit, kind)
        else:
            return self.end(g, unit)
        return GO

    def declared(self, g: BattleCore, f: int) -> None:
        """Hook: attacks were declared and are made next."""

    @staticmethod
    def end(g: BattleCore, unit: int) -> int:
        """End the fight of the unit and open the window ``HAS_FOUGHT``."""
        g.pop()
        open_window(g, Moment.HAS_FOUGHT, unit)
        return GO


class PileIn(DecisionKind):
    name = "pile-in"
    what = "Pile in or stay."
    keys = ("fight.pile-in",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == g.setup.space.option:
            return
        unit = g.stack[f + Fight.UNIT]
        if g.setup.rules["detail"] == "full":
            g.push(CloseMoves, unit, PILES_IN, TOWARDS_ENEMY, int(close_reach(g, PILE_IN_MOVE)))
            return
        moved = pile_in(g, unit)
        forget_targets(g)
        g.tell("fight.pile-in", "piles in", unit=unit, moved=moved)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "do not pile in" if action == g.setup.space.option else "pile in"


class FightTarget(DecisionKind):
    name = "fight-target"
    what = "Squad detail: the unit that every model that can attacks; the others take their best target."
    full = False
    keys = ("fight.targets.all-first", "fight.targets.split", "fight.weapons.one")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Fight.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        row, _ = melee_targets(g, unit)
        for enemy in g.units_of(1 - g.units.owner[unit]):
            if row[enemy]:
                mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Fight.UNIT]
        add_melee_jobs(g, unit, g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy)


def make_consolidation(g: BattleCore, unit: int, kind: int) -> None:
    """Make the Consolidation of the unit towards the enemy, or towards the closest objective marker
    (fight.consolidate.objective). In full detail the player moves its models one by one.
    """
    if g.setup.rules["detail"] == "full":
        g.push(CloseMoves, unit, CONSOLIDATES, kind, int(close_reach(g, CONSOLIDATION)))
        return
    moved = consolidate(g, unit, kind)
    forget_targets(g)
    if g.recorder is not None:
        rule = "fight.consolidate.enemy" if kind == TOWARDS_ENEMY else "fight.consolidate.objective"
        g.tell(rule, "consolidates", unit=unit, moved=moved)


class Consolidate(DecisionKind):
    name = "consolidate"
    what = "Consolidate towards the enemy, or stay."
    keys = ("fight.consolidate",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action != g.setup.space.option:
            make_consolidation(g, g.stack[f + Fight.UNIT], TOWARDS_ENEMY)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "do not consolidate" if action == g.setup.space.option else "consolidate"
