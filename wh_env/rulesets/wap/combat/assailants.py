"""The choice of the models that assault a war machine, at the start of the Close Combat phase and before a combat that
has come about since (wap.machine.combat.assault-group).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import GO, DecisionKind, Procedure, integer
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.combat.fighters import blocks_against, contacts_within
from wh_env.rulesets.wap.combat.machine_assault import (
    Assailants,
    bits_of_machine,
    choose,
    free_from_others,
    strength_chosen,
    who_can_join,
)
from wh_env.rulesets.wap.troops.war_machines import is_machine

WITHOUT = 8  # added to the number of models if the champion is not among them


def candidates(g: BattleCore, machine: int) -> list[Assailants]:
    """The models that can still be chosen to assault a machine."""
    free = []
    for unit in foes_of(g, machine):
        reach = contacts_within(g, unit, 0)
        bits = bits_of_machine(g, blocks_against(g, unit), machine)
        free.append((unit, free_from_others(g, unit, bits, reach)))
    return list(who_can_join(g, machine, free))


class ChooseAssailants(Procedure):
    """The choices for all machines in close combat against which nobody was chosen. Who assaults one in a building
    forms a party (wap.building.assault.groups).
    """

    MACHINE = integer(row_of("units", none=True))  # that is being chosen for; -1: none yet
    ROW = integer(row_of("units", none=True))  # the unit of which a number is to be named; -1: none
    ALL = integer(flag())  # all machines, else only those of the combat that is being fought
    asks = ("machine-assault", "machine-assault-number")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        machine = stack[f + ChooseAssailants.MACHINE]
        if machine < 0:
            machine = stack[f + ChooseAssailants.MACHINE] = self._next(g, f)
            if machine < 0:
                return g.pop()
        player = 1 - g.units.owner[machine]
        if stack[f + ChooseAssailants.ROW] >= 0:
            return self._number(g, f, player)
        found = candidates(g, machine)
        if not found:
            stack[f + ChooseAssailants.MACHINE] = -1
            return GO
        if len(found) == 1 and not strength_chosen(g, machine):
            stack[f + ChooseAssailants.ROW] = found[0].row
            return self._number(g, f, player)
        return g.ask(MachineAssault, player, machine)

    def _next(self, g: BattleCore, f: int) -> int:
        u, everywhere = g.units, g.stack[f + ChooseAssailants.ALL]
        outside = (unit for unit in range(len(u.owner)) if is_machine(g, unit) and not is_inside(g, unit))
        machines = (unit for unit in outside if u.fights[unit])
        there = (unit for unit in machines if everywhere or u.fighting[unit])
        return next((unit for unit in there if not strength_chosen(g, unit) and candidates(g, unit)), -1)

    def _number(self, g: BattleCore, f: int, player: int) -> int:
        """Ask for the number of models of the unit that was chosen, if there can be several."""
        assailants = row_chosen(g, f)
        if assailants.number > 1 or assailants.led:
            return g.ask(AssailantNumber, player, assailants.row)
        take(g, f, 1, led=False)
        return GO


def row_chosen(g: BattleCore, f: int) -> Assailants:
    """The models of the unit of which a number is to be named."""
    row = g.stack[f + ChooseAssailants.ROW]
    return next(found for found in candidates(g, g.stack[f + ChooseAssailants.MACHINE]) if found.row == row)


def take(g: BattleCore, f: int, number: int, *, led: bool) -> None:
    """So many models of the unit take part."""
    row = g.stack[f + ChooseAssailants.ROW]
    g.stack[f + ChooseAssailants.ROW] = -1
    choose(g, g.stack[f + ChooseAssailants.MACHINE], row, number, led=led)


class MachineAssault(DecisionKind):
    name = "machine-assault"
    what = "Which unit, or which character in one, sends models to assault a war machine next; done: nobody else does."
    keys = ("wap.machine.combat.assault-group", "wap.machine.combat.contact")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        machine = g.stack[f + ChooseAssailants.MACHINE]
        at = g.setup.space.own - g.players.first_unit[1 - g.units.owner[machine]]
        mask[0] = strength_chosen(g, machine) > 0
        for found in candidates(g, machine):
            mask[at + found.row] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        machine = g.stack[f + ChooseAssailants.MACHINE]
        if action == 0:
            g.stack[f + ChooseAssailants.MACHINE] = -1
            return
        first = g.players.first_unit[1 - g.units.owner[machine]]
        g.stack[f + ChooseAssailants.ROW] = first + action - g.setup.space.own

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        machine = g.setup.names["units"][g.stack[f + ChooseAssailants.MACHINE]]
        return f"nobody else assaults {machine}" if action == 0 else f"{g.default_words(action)} assaults {machine}"


class AssailantNumber(DecisionKind):
    name = "machine-assault-number"
    what = "How many models of a unit assault a war machine, and whether its champion is among them."
    policy = "As many as may, with the champion."
    keys = ("wap.machine.combat.assault-group",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        found, number = row_chosen(g, f), g.setup.space.number
        for n in range(1, found.number + 1):
            mask[number + n] = True
            if found.led and n <= others_in(g, f):
                mask[number + n + WITHOUT] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        found, number = row_chosen(g, f), action - g.setup.space.number
        without = number > WITHOUT
        take(g, f, number - WITHOUT * without, led=found.led and not without)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.number + row_chosen(g, f).number

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        found, number = row_chosen(g, f), action - g.setup.space.number
        who = "" if not found.led else ", not the champion" if number > WITHOUT else ", the champion among them"
        return f"{number - WITHOUT * (number > WITHOUT)} of {g.setup.names['units'][found.row]}{who}"


def others_in(g: BattleCore, f: int) -> int:
    """The models of the unit of which a number is named that can be chosen, without its champion."""
    machine, unit = g.stack[f + ChooseAssailants.MACHINE], g.stack[f + ChooseAssailants.ROW]
    bits = bits_of_machine(g, blocks_against(g, unit), machine)
    free = free_from_others(g, unit, bits, contacts_within(g, unit, 0))
    own = range(g.units.first[unit], g.units.first[unit] + g.units.count[unit])
    return sum(k in own for k in free) - 1
