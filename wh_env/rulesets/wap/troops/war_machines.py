"""War machines: one model whose Wounds are its crew, with the Toughness of the machine against shots and that of the
crew against blows (wap.machine.profile, .crew.wounds, wap.troop.war-machine.*).

Crew with a profile of their own (``CREW``) fall last.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.basics.profiles import characteristic, lines_of
from wh_env.rulesets.wap.codes import CREW, TROOPERS, WAR_MACHINE
from wh_env.rulesets.wap.troops.cavalry import defence_of


def is_machine(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a war machine."""
    return bool(g.units.kind[unit] == WAR_MACHINE)


def crew_left(g: BattleCore, unit: int) -> int:
    """The number of crew that a war machine has left (wap.machine.crew.wounds)."""
    left: int = g.models.wounds[g.units.first[unit]]
    return left


def chassis_line(g: BattleCore, unit: int) -> int:
    """The row in ``lines`` of the machine itself, of which only the Toughness counts (wap.machine.profile)."""
    return lines_of(g, unit)[-1]


@kernel
def figures_left(models: Array, units: Array, lines: Array, u: int, line: int) -> int:
    """The number of figures with the profile ``line`` on a model of unit ``u``. Of a war machine those are counted that
    are left, and those of ``CREW`` fall last (wap.machine.combat.crew-attacks).
    """
    number = int(lines[line]["number"])
    if units[u]["kind"] != WAR_MACHINE:
        return number
    left = int(models[units[u]["first"]]["wounds"])
    if lines[line]["kind"] == CREW:
        return min(number, left)
    last = int(units[u]["first_line"] + units[u]["lines"]) - 1
    for other in range(int(units[u]["first_line"]), last):
        if lines[other]["kind"] == CREW:
            left -= int(lines[other]["number"])
    return max(0, min(number, left))


def figures_of(g: BattleCore, unit: int, line: int) -> int:
    """The number of figures with the profile ``line`` on a model of a unit; of a war machine those that are left."""
    if not is_machine(g, unit):
        number: int = g.lines.number[line]
        return number
    return int(g.work.call(figures_left, g.models.rows, g.units.rows, g.lines.rows, unit, line))


def best_skill(g: BattleCore, unit: int) -> int:
    """The highest Ballistic Skill among the crew that a war machine has left and the characters who serve it
    (wap.machine.fire.best-bs, .shot-at.mixed-crew).
    """
    crew = [line for line in lines_of(g, unit) if g.lines.kind[line] in (TROOPERS, CREW) and figures_of(g, unit, line)]
    servants = [lines_of(g, row)[0] for row in joined_to(g, unit)]
    return max((characteristic(g, line, "bs") for line in (*crew, *servants)), default=0)


def toughness_against_shots(g: BattleCore, unit: int, line: int) -> int:
    """The Toughness of models of profile ``line`` against shots, templates and spells: that of the machine for a war
    machine and for a character who serves it (wap.machine.shot-at.toughness, .mixed-crew), else the same as against
    blows.
    """
    block = block_of(g, unit)
    if is_machine(g, block):
        return characteristic(g, chassis_line(g, block), "t")
    return defence_of(g, unit, line)[1]
