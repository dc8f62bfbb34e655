"""The stone of a stone thrower: where it comes down, the model under the hole of its template, and the others beneath
it (wap.machine.stone-thrower.*, wap.core.scatter.war-machine).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.dice import one_at_random
from wh_env.rulesets.wap.basics.scatter import MISFIRE, Scatter, Throw
from wh_env.rulesets.wap.shooting.cannonballs import struck_at
from wh_env.rulesets.wap.shooting.firing_points import engine_of
from wh_env.rulesets.wap.shooting.hits import Hits, deal_hits, hit_of_machine
from wh_env.rulesets.wap.shooting.misfires import misfire
from wh_env.rulesets.wap.shooting.templates import ROUND, beneath_disc, hits_beneath
from wh_env.rulesets.wap.troops.war_machines import best_skill
from wh_env.rulesets.wap.weapons.hit import ONE

TEMPLATE = ROUND["small"]
HOLE = 0.0  # inches: a base is under the hole if it is under its middle


def drift(g: BattleCore, unit: int, die: Scatter, number: int, indirect: bool) -> float:
    """Inches that the template scatters. A Hit of an indirect shot takes the crew's Ballistic Skill off the number
    (wap.machine.stone-thrower.indirect.scatter).
    """
    if not die.hit:
        return float(number)
    return float(max(0, number - best_skill(g, unit))) if indirect else 0.0


def throw_stone(g: BattleCore, unit: int, x: float, y: float, throw: Throw, *, indirect: bool) -> None:
    """A stone thrower fires at the spot (x, y) (wap.machine.stone-thrower.scatter, .misfire, .indirect.otherwise)."""
    die, number = throw
    if number == MISFIRE:
        misfire(g, unit)
        return
    far = drift(g, unit, die, number, indirect)
    x, y = die.moved(x, y, far)
    if g.recorder is not None:
        told = {"place": (x, y), "passed": die.hit, "far": far}
        g.note("wap.machine.stone-thrower.scatter", "stone comes down", unit=unit, **told)
    beneath = beneath_disc(g, x, y, TEMPLATE)
    middle = under_hole(g, x, y, moved=far > 0.0)
    struck: Hits = {}
    machine = engine_of(g, unit)
    direct = hits_beneath(g, [] if middle < 0 else [middle])
    others = hits_beneath(g, [k for k in beneath if k != middle])
    for row, number in direct.items():
        hit = hit_of_machine(g, unit, row)._replace(strength=machine.centre, takes=machine.direct)
        struck.setdefault(row, []).append((number, hit))
    for row, number in others.items():
        struck.setdefault(row, []).append((number, hit_of_machine(g, unit, row)._replace(takes=ONE)))
    if g.recorder is not None:
        told = {"targets": tuple(struck), "amount": sum(others.values()), "model": middle}
        g.note("wap.machine.stone-thrower.other-hits", "stone strikes", unit=unit, **told)
    deal_hits(g, unit, struck)


def under_hole(g: BattleCore, x: float, y: float, *, moved: bool) -> int:
    """The model under the hole of a template; -1: none. If the template has ``moved`` and the hole is over several, one
    of them at random, else the one that was named (wap.machine.stone-thrower.centre-hit).
    """
    found = beneath_disc(g, x, y, HOLE)
    if not found:
        return -1
    if len(found) == 1:
        return found[0]
    return found[one_at_random(g, len(found))] if moved else struck_at(g, x, y)
