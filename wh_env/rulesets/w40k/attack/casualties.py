"""Destroyed models and units: Deadly Demise, Attached units that split, mortal wounds of rules, healing.

While attacks are resolved, destroyed models are only listed (tables ``casualties`` and ``queue``). ``Demises`` rolls
Deadly Demise as soon as such a model is destroyed. ``settle`` handles the consequences for units when the attacking
unit has finished.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, flag, row_of
from wh_env.core.geometry.shapes import EPS, straight_distance
from wh_env.core.kernel import kernel
from wh_env.core.procedures import GO, STEP, DecisionKind, Steps, integer
from wh_env.core.setup import Setup
from wh_env.core.tables import DESTROYED, ON_TABLE, Array
from wh_env.rulesets.w40k.attack.brackets import refresh_moves
from wh_env.rulesets.w40k.attack.decisions import MACHINE_ASKS, RunsMachine, ask_machine, run_machine
from wh_env.rulesets.w40k.attack.machine import begin_mortal, begin_volley
from wh_env.rulesets.w40k.attack.rerolls import Thrown, command_reroll
from wh_env.rulesets.w40k.attack.sequence import DEMISED, LOST
from wh_env.rulesets.w40k.attack_row import DONE, LOSS, Asks, Window
from wh_env.rulesets.w40k.codes import Deed
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.phases.timing import end_if_army_destroyed
from wh_env.rulesets.w40k.questions.engagements import forget_losses, forget_targets, forget_unit
from wh_env.rulesets.w40k.questions.hulls import passengers_of
from wh_env.rulesets.w40k.tables import MARKS

STOP_LOSS, STOP_DEMISE = int(Asks.STOP_LOSS), int(Asks.STOP_DEMISE)
EACH_IGNORED = int(Window.EACH | Window.IGNORE)


def remove_model(g: BattleCore, model: int) -> None:
    """Remove a model without triggering any rule; it counts as destroyed (concepts.coherency.removal-no-trigger)."""
    m = g.models
    m.wounds[model] = m.alive[model] = m.on_table[model] = 0
    g.units.alive[m.unit[model]] -= 1
    drop_keywords(g, (model,))
    forget_targets(g)
    if g.units.capacity[m.unit[model]]:
        lose_passengers(g, model)
    settle_units(g)


def lose_passengers(g: BattleCore, hull: int) -> None:
    """Destroy the units embarked in a model that is removed without a trigger: they cannot disembark."""
    u, m = g.units, g.models
    for unit in passengers_of(g, hull):
        for row in (unit, u.leader[unit]):
            for k in range(u.first[row], u.first[row] + u.count[row]) if row >= 0 else ():
                if m.unit[k] == unit:
                    m.wounds[k] = m.alive[k] = 0
        if u.leader[unit] >= 0:
            part_left(g, unit, u.leader[unit])
        else:
            unit_destroyed(g, unit)


def settle(g: BattleCore) -> None:
    """After attacks or mortal wounds: destroy units without models and split Attached units."""
    queue = g.queue
    if g.setup.statics["degrading"]:
        refresh_moves(g)
    if queue[LOST] == 0:
        return
    settle_units(g)
    drop_keywords(g, g.casualties_array[: queue[LOST]].tolist())
    forget_losses(g, queue[LOST])
    edition(g).slain(g, g.casualties_array[: queue[LOST]])
    queue[LOST] = queue[DEMISED] = 0
    end_if_army_destroyed(g)


@kernel
def lost_or_led(units: Array, out: Array) -> int:
    """List in ``out`` the units on the battlefield without living models, and the Attached units. Returns how many."""
    found = 0
    for u in range(len(units)):
        if units[u]["place"] == ON_TABLE and (units[u]["leader"] >= 0 or units[u]["alive"] <= 0):
            out[found] = u
            found += 1
    return found


def settle_units(g: BattleCore) -> None:
    """Destroy units whose last model is gone; if one component of an Attached unit is gone, the other becomes an
    ordinary unit.
    """
    u = g.units
    found = g.work.found
    count = g.work.call(lost_or_led, u.rows, found)
    for unit in found[:count].tolist():
        if u.leader[unit] >= 0:
            part_left(g, unit, u.leader[unit])
        else:
            unit_destroyed(g, unit)


def models_left(g: BattleCore, unit: int) -> int:
    """The number of living models mustered in this unit row."""
    alive = g.models.alive
    first = g.units.first[unit]
    return sum(alive[first : first + g.units.count[unit]])


def unit_destroyed(g: BattleCore, unit: int) -> None:
    """command.destroyed.unit: mark the unit as destroyed and score it. Each component of an Attached unit counts on its
    own (.attached.destroyed-triggers).
    """
    g.units.place[unit] = DESTROYED
    g.units.alive[unit] = 0
    edition(g).acts(g, unit, Deed.LEAVE)
    victor = 1 - g.units.owner[unit]
    g.players.vp[victor] += g.setup.rules["vp_each_unit_destroyed"]
    g.tell("command.destroyed.unit", "unit destroyed", unit=unit)


def part_left(g: BattleCore, bodyguard: int, leader: int) -> None:
    """If one component of an Attached unit is gone, make the other a unit of its own, which keeps its state of the turn
    (command.attached.revert, deploy.leader.split).
    """
    u, m = g.units, g.models
    guards, leaders = models_left(g, bodyguard), models_left(g, leader)
    if guards and leaders:
        return
    for row in (bodyguard, leader):
        forget_unit(g, row)
    u.leader[bodyguard] = u.bodyguard[leader] = -1
    u.strength[bodyguard] = u.own_strength[bodyguard]
    if guards == 0:
        for column in ("moved", "advance", "selected", "charged", "can_charge", "fought", "fights_first", "arrived",
                       "disembarked", "engaged_before", "cover", "shocked", "marks"):  # fmt: skip
            getattr(u, column)[leader] = getattr(u, column)[bodyguard]
        g.charge_targets[leader] = g.charge_targets[bodyguard]
        first = u.first[leader]
        for k in range(first, first + u.count[leader]):
            m.unit[k] = leader
        u.alive[leader] = leaders
        u.strength[leader] = u.own_strength[leader]
        u.place[leader] = ON_TABLE
        unit_destroyed(g, bodyguard)
        if leaders == 0:
            unit_destroyed(g, leader)
    else:
        u.alive[bodyguard] = guards
        refresh_unit(g, bodyguard)
        unit_destroyed(g, leader)


def what_is_left(g: BattleCore, unit: int, leader: int) -> int:
    """The unit that goes on with what ``unit`` was doing: its former Leader (-1: none) if only that is left, else
    ``unit`` (deploy.leader.split).
    """
    place = g.units.place
    return leader if leader >= 0 and place[unit] == DESTROYED and place[leader] == ON_TABLE else unit


def refresh_unit(g: BattleCore, unit: int) -> None:
    """Set keywords and flags of a unit from its living models: the keywords of any model, the flags that all share
    (concepts.keywords.model-or-unit).
    """
    m, u = g.models, g.units
    keywords, flags, first = 0, 0, True
    for k in (
        k
        for row in (unit, u.leader[unit])
        if row >= 0
        for k in range(u.first[row], u.first[row] + u.count[row])
        if m.alive[k] and m.unit[k] == unit
    ):
        keywords |= m.keywords[k]
        flags = m.flags[k] if first else flags & m.flags[k]
        first = False
    if not first:
        g.units.keywords[unit] = keywords
        g.units.flags[unit] = flags & ~MARKS


def of_mixed_units(setup: Setup) -> frozenset[int]:
    """Rows of the models that were mustered in a unit whose models have different keywords."""
    models = setup.layout.view(setup.template, "models")
    kinds: dict[int, set[int]] = {}
    for row in models:
        kinds.setdefault(int(row["datasheet"]), set()).add(int(row["keywords"]))
    return frozenset(k for k, row in enumerate(models) if len(kinds[int(row["datasheet"])]) > 1)


def drop_keywords(g: BattleCore, lost: Iterable[int]) -> None:
    """These models were destroyed: their units have only the keywords of the models that are left
    (concepts.keywords.model-or-unit).
    """
    mixed = g.work.about(g.setup, of_mixed_units)
    m, keywords = g.models, g.units.keywords
    for unit in {m.unit[k] for k in lost if k in mixed} if mixed else ():
        left = 0
        for row in (unit, g.units.leader[unit]):
            first = g.units.first[row]
            for k in range(first, first + g.units.count[row]) if row >= 0 else ():
                left |= m.keywords[k] if m.alive[k] and m.unit[k] == unit else 0
        if left and left != keywords[unit]:
            keywords[unit] = left
            forget_targets(g)


def mortal_wounds(g: BattleCore, unit: int, amount: int) -> None:
    """Start inflicting mortal wounds on a unit (attack.mortal.*)."""
    g.push(MortalWounds, -1, unit, amount)


def begin_suffering(g: BattleCore, machine: Any, unit: int, amount: int, model: int = -1) -> None:
    """Set up the attack machine for ``amount`` mortal wounds on a unit; ``model`` (-1: none) suffers them first. In
    editions where every die can be re-rolled, dice that ignore wounds can be too.
    """
    g.work.call(begin_volley, machine.rows, unit)
    machine.asks[0] = machine_asks(g)
    again = edition(g).any_die and command_reroll(g, g.units.owner[unit], unit)
    machine.offer[0] = EACH_IGNORED if again else 0
    g.work.call(begin_mortal, machine.rows, unit, amount, model)


def heal(g: BattleCore, unit: int, amount: int) -> None:
    """Give back ``amount`` lost wounds to the wounded models of a unit, never above W; destroyed models stay
    destroyed.
    """
    m = g.models
    for k in g.members(unit):
        gain = min(amount, m.max_wounds[k] - m.wounds[k])
        m.wounds[k] += gain
        amount -= gain
    if g.setup.statics["degrading"]:
        refresh_moves(g)


class MortalWounds(RunsMachine):
    """Mortal wounds of a rule that is not an attack."""

    class Step(Steps):
        BEGIN, WOUNDS, END = range(3)

    MODEL = integer(row_of("models", none=True))  # the model that suffers them; -1: the unit does
    UNIT = integer(row_of("units"))
    AMOUNT = integer(amount())
    asks = (*MACHINE_ASKS,)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MortalWounds.Step
        stack = g.stack
        step, model = stack[f + STEP], stack[f + MortalWounds.MODEL]
        if step == Step.BEGIN:
            begin_suffering(g, g.attack, stack[f + MortalWounds.UNIT], stack[f + MortalWounds.AMOUNT], model)
            if model >= 0:
                g.attack.asks[0] |= STOP_LOSS
            stack[f + STEP] = step = Step.WOUNDS
        if step == Step.WOUNDS:
            code = run_machine(g, 0)
            if code == LOSS:
                if model >= 0:
                    g.attack.mortal[0] = 0  # the remaining mortal wounds are lost
                g.push(Demises)
                return GO
            if code != DONE:
                return ask_machine(g, code, 0)
            stack[f + STEP] = Step.END
            g.push(Demises)
            return GO
        g.pop()
        settle(g)
        return GO


def machine_asks(g: BattleCore) -> int:
    """Bits of ``Asks`` at which the attack machine stops in this battle."""
    # passengers of one of several models get out at once, while its unit is still under attack
    stops = STOP_LOSS if len(g.hulls) else STOP_DEMISE
    if edition(g).marks_damage:
        stops |= int(Asks.MARK_DAMAGE)
    if g.setup.rules["detail"] == "full":
        stops |= int(Asks.ALLOCATE | Asks.SAVE | Asks.FNP | Asks.TWIN | Asks.PRECISION)
    return stops


class Wrecked(RunsMachine):
    """Passengers of a destroyed TRANSPORT model disembark. Pushed with its unit, 0 and the model (see
    ``transport.losses``).
    """


class Demises(RunsMachine):
    """Deadly Demise of the models destroyed since the procedure last ran (attack.deadly-demise, .chain)."""

    class Step(Steps):
        NEXT, UNITS, WOUNDS = range(3)

    MODEL = integer(row_of("models"))
    VICTIM = integer(row_of("units"))  # the unit that suffers next
    MACHINE = integer(flag())
    asks = (*MACHINE_ASKS, "demise-order", "demise-unit")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Demises.Step
        stack, queue = g.stack, g.queue
        stack[f + Demises.MACHINE] = 1
        step = stack[f + STEP]
        if step == Step.NEXT:
            if waiting_demises(g):
                return g.ask(DemiseOrder, g.clock.turn[0])
            wrecks = loaded_wrecks(g)
            if wrecks:
                # no wreck is removed before its passengers are out
                for hull in wrecks:
                    g.models.on_table[hull] = 1
                forget_targets(g)
                g.push(Wrecked, g.models.unit[wrecks[0]], 0, wrecks[0])
                return GO
            queue[DEMISED] = queue[LOST]
            return g.pop()
        if step == Step.UNITS:
            if any(g.affected):
                return g.ask(DemiseUnit, g.clock.turn[0])
            stack[f + STEP] = Step.NEXT
            return GO
        code = run_machine(g, 1)
        if code in (DONE, LOSS):
            # other models with Deadly Demise that die now wait until this one is done
            stack[f + STEP] = Step.UNITS if code == DONE else Step.WOUNDS
            return GO
        return ask_machine(g, code, 1)

    @staticmethod
    def start(g: BattleCore, f: int, at: int) -> None:
        """Roll for the casualty at index ``at`` of the list and move it to the front."""
        queue, lost, m = g.queue, g.casualties, g.models
        model = lost[at]
        lost[at] = lost[queue[DEMISED]]
        lost[queue[DEMISED]] = model
        queue[DEMISED] += 1
        g.stack[f + Demises.MODEL] = model
        DemiseRoll.begin(g, m.owner[model], m.unit[model])

    @staticmethod
    def burst(g: BattleCore, f: int, roll: int) -> None:
        """If ``roll`` is high enough the model explodes: mark the units in reach of it."""
        m, model = g.models, g.stack[f + Demises.MODEL]
        g.tell("attack.deadly-demise", "Deadly Demise", model=model, roll=roll)
        demise = g.setup.statics["explosions"].get(m.datasheet[model], edition(g).demise)
        if roll < demise.needed:
            return
        g.stack[f + STEP] = Demises.Step.UNITS
        if demise.closest_enemy:
            enemies = [k for k in range(len(m.x)) if m.on_table[k] and m.owner[k] != m.owner[model]]
            near = min(((straight_distance(m.rows, model, k), k) for k in enemies), default=(math.inf, -1))
            if near[0] <= demise.reach + EPS:
                g.affected[m.unit[near[1]]] = 1
            return
        for other in range(len(m.x)):
            if m.on_table[other] and straight_distance(m.rows, model, other) <= demise.reach + EPS:
                g.affected[m.unit[other]] = 1

    def amount(self, g: BattleCore, model: int) -> tuple[int, int, int]:
        """The mortal wounds that each unit in reach of the destroyed model suffers: dice, sides, and what is added."""
        m = g.models
        return m.demise_dice[model], m.demise_sides[model], m.demise_plus[model]

    @staticmethod
    def wound(g: BattleCore, f: int, unit: int) -> None:
        """Roll the mortal wounds of one unit in reach; each unit has a roll of its own
        (attack.deadly-demise.random).
        """
        model = g.stack[f + Demises.MODEL]
        g.stack[f + Demises.VICTIM] = unit
        own: Any = g.setup.ruleset.procedures[g.stack[f]]
        DemiseWounds.begin(g, g.models.owner[model], g.models.unit[model], own.amount(g, model))

    @staticmethod
    def suffer(g: BattleCore, f: int, amount: int) -> None:
        """Start inflicting ``amount`` mortal wounds on the unit that suffers now."""
        model, unit = g.stack[f + Demises.MODEL], g.stack[f + Demises.VICTIM]
        g.tell("attack.deadly-demise.random", "mortal wounds", model=model, unit=unit, amount=amount)
        begin_suffering(g, g.attack2, unit, amount)
        g.stack[f + STEP] = Demises.Step.WOUNDS


class DemiseRoll(Thrown):
    """The die for the Deadly Demise of a destroyed model, rolled by its player; ``Demises`` begins it."""

    name = "Deadly Demise"

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Demises.burst(g, g.frame, result)


class DemiseWounds(Thrown):
    """The number of mortal wounds of a Deadly Demise; ``Demises`` begins it."""

    name = "Deadly Demise wounds"

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Demises.suffer(g, g.frame, result)


def waiting_demises(g: BattleCore) -> list[int]:
    """Indices in the list of casualties of models whose Deadly Demise is still to be rolled."""
    m, lost = g.models, g.casualties
    return [at for at in range(g.queue[DEMISED], g.queue[LOST]) if m.demise_dice[lost[at]] or m.demise_plus[lost[at]]]


def loaded_wrecks(g: BattleCore) -> list[int]:
    """TRANSPORT models among the casualties that still hold passengers; Deadly Demise comes before these disembark
    (attack.deadly-demise.transport-first).
    """
    if not g.setup.statics["cargo"]:
        return []
    lost = [g.casualties[at] for at in range(g.queue[LOST])]
    return [hull for hull in lost if g.units.capacity[g.models.unit[hull]] and passengers_of(g, hull)]


class DemiseUnit(DecisionKind):
    name = "demise-unit"
    what = "Which unit in reach of a Deadly Demise suffers its mortal wounds next."
    keys = ("attack.deadly-demise.chain", "attack.deadly-demise.random", "psychic.perils.explosion.per-unit")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        turn = g.clock.turn[0]
        for player, segment in ((turn, g.setup.space.own), (1 - turn, g.setup.space.enemy)):
            for unit in g.units_of(player):
                if g.affected[unit]:
                    mask[segment + unit - g.players.first_unit[player]] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        turn, space = g.clock.turn[0], g.setup.space
        own = action < space.enemy
        unit = g.players.first_unit[turn if own else 1 - turn] + action - (space.own if own else space.enemy)
        g.affected[unit] = 0
        Demises.wound(g, f, unit)


class DemiseOrder(DecisionKind):
    name = "demise-order"
    what = "Which destroyed model's Deadly Demise is resolved next."
    keys = ("attack.deadly-demise.chain",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number, _ in enumerate(waiting_demises(g)[: g.setup.space.options]):
            mask[g.setup.space.option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Demises.start(g, f, waiting_demises(g)[action - g.setup.space.option])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        model = g.casualties[waiting_demises(g)[action - g.setup.space.option]]
        return f"Deadly Demise of {g.setup.names['models'][model]}"
