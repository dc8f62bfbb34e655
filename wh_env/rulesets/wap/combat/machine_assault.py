"""Who takes part in the assault of a war machine (wap.machine.combat.assault-group, .contact, .step-up).

A contact with a machine says how many models of the attacking unit take part (``contacts.group``), and whether its
champion is among them (``.led``). A character in the unit takes part by himself (``units.assaults``). Models are not
named, so others step up in place of the fallen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.contacts import foes_of, row_between
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.basics.parties import MOST_AT_A_MACHINE
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.touching import SUPPORTS, TOUCHES
from wh_env.rulesets.wap.codes import CHAMPION
from wh_env.rulesets.wap.troops.war_machines import is_machine


class Assailants(NamedTuple):
    """Models of a unit, or a character in it, that can still be chosen: the row, the Unit Strength of each of them, how
    many there are, whether the unit's champion is one of them.
    """

    row: int
    each: int
    number: int
    led: bool = False


def has_machines(g: BattleCore) -> bool:
    """Whether a war machine takes part in the battle."""
    found: bool = g.setup.statics["has_machines"]
    return found


def bits_of_machine(g: BattleCore, foes: Sequence[int], machine: int) -> int:
    """The bits of a machine and of the characters who serve it: they are one unit (wap.character.combined.one-unit).
    ``foes``: the enemy units in contact, in the order of their bits, which those of the characters in them follow.
    """
    rows = [*foes, *(joined for foe in foes for joined in joined_to(g, foe))]
    served = wholly(g, machine)
    return sum(1 << n for n, row in enumerate(rows) if row in served)


def free_from_others(g: BattleCore, unit: int, machine_bits: int, reach: Array) -> list[int]:
    """The models of a unit, and of characters in it, that touch no enemy but a machine (wap.machine.combat.contact).
    ``machine_bits``: as of ``bits_of_machine``. ``reach``: which enemies each model touches.
    """
    rows = (k for row in wholly(g, unit) for k in g.members(row) if g.models.on_table[k])
    return [k for k in rows if not int(reach[k, TOUCHES]) & ~machine_bits]


def taking_part(g: BattleCore, unit: int, machine: int, free: Sequence[int]) -> list[int]:
    """The models among ``free`` that take part in the assault of a machine: the champion if he was chosen, then others
    from the front, and characters who were chosen.
    """
    k, m, u = row_between(g, unit, machine), g.models, g.units
    number, led = (g.contacts.group[k], g.contacts.led[k]) if k >= 0 else (0, 0)
    own = [model for model in free if m.line[model] in range(u.first_line[unit], u.first_line[unit] + u.lines[unit])]
    leaders = [model for model in own if m.role[model] == CHAMPION]
    others = [model for model in own if m.role[model] != CHAMPION]
    heroes = [model for model in free if model not in own and u.assaults[g.lines.unit[m.line[model]]] == machine]
    return [*((leaders if led else []) + others)[:number], *heroes]


def restrict(g: BattleCore, unit: int, foes: Sequence[int], reach: Array) -> None:
    """Change ``reach`` of a unit that assaults machines, or of a machine: only models that take part are in contact
    (wap.machine.combat.contact), also with who serves it. ``foes``: the enemy units in contact, in the order of their
    bits.
    """
    if not has_machines(g):
        return
    if is_machine(g, unit):
        attackers = [1 << n for n, foe in enumerate(foes) if chosen_of(g, foe, unit)]
        heroes = [joined for foe in foes for joined in joined_to(g, foe)]
        attackers += [1 << n for n, hero in enumerate(heroes, len(foes)) if g.units.assaults[hero] == unit]
        for row in wholly(g, unit):
            reach[g.units.first[row], TOUCHES] = sum(attackers)
        return
    for machine in foes:
        if not is_machine(g, machine):
            continue
        bits = bits_of_machine(g, foes, machine)
        free = free_from_others(g, unit, bits, reach)
        for row in wholly(g, unit):
            rows = slice(g.units.first[row], g.units.first[row] + g.units.count[row])
            reach[rows, TOUCHES] &= ~bits
            reach[rows, SUPPORTS] &= ~bits
        for k in taking_part(g, unit, machine, free):
            reach[k, TOUCHES] |= bits


# ---------------------------------------------------------------- the choice


def chosen_of(g: BattleCore, unit: int, machine: int) -> int:
    """The number of models of a unit itself that were chosen to assault a machine."""
    k = row_between(g, unit, machine)
    return int(g.contacts.group[k]) if k >= 0 else 0


def strength_chosen(g: BattleCore, machine: int) -> int:
    """Unit Strength of all models chosen to assault a machine."""
    u, found = g.units, 0
    for foe in foes_of(g, machine):
        found += chosen_of(g, foe, machine) * u.each[foe]
        found += sum(u.each[hero] for hero in joined_to(g, foe) if u.assaults[hero] == machine)
    return int(found)


def room_for(g: BattleCore, machine: int, each: int) -> int:
    """How many more models of a Unit Strength can be chosen; one at least can be if nobody is chosen yet
    (wap.machine.combat.assault-group).
    """
    strength = strength_chosen(g, machine)
    return (MOST_AT_A_MACHINE - strength) // max(1, each) or int(strength == 0)


def who_can_join(g: BattleCore, machine: int, free: Sequence[tuple[int, Sequence[int]]]) -> Iterator[Assailants]:
    """The models that can still be chosen to assault a machine. ``free``: the attacking units, each with its models
    that touch no other enemy.
    """
    u, m = g.units, g.models
    for unit, models in free:
        lines = range(u.first_line[unit], u.first_line[unit] + u.lines[unit])
        own = [k for k in models if m.line[k] in lines]
        room = min(room_for(g, machine, u.each[unit]), len(own))
        if room > 0 and not chosen_of(g, unit, machine):
            led = any(m.role[k] == CHAMPION for k in own)
            yield Assailants(unit, u.each[unit], room, led)
        for k in models:
            row = g.lines.unit[m.line[k]]
            if row != unit and u.assaults[row] != machine and room_for(g, machine, u.each[row]) > 0:
                yield Assailants(row, u.each[row], 1)


def choose(g: BattleCore, machine: int, row: int, number: int, *, led: bool) -> None:
    """Models of a unit, or a character, take part in the assault of a machine."""
    if g.units.bodyguard[row] >= 0:
        g.units.assaults[row] = machine
    else:
        k = row_between(g, row, machine)
        g.contacts.group[k], g.contacts.led[k] = number, led
    if g.recorder is not None:
        g.note("wap.machine.combat.assault-group", "assaults", unit=row, target=machine, amount=number)


def forget_choices(g: BattleCore) -> None:
    """A Close Combat phase begins: nobody has been chosen yet."""
    g.units.rows["assaults"] = -1
    g.contacts.rows["group"] = g.contacts.rows["led"] = 0
