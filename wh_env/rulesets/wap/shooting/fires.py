"""The flames of a fire thrower (wap.machine.fire-thrower.*)."""

from __future__ import annotations

from math import atan2, cos, sin

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.scatter import MISFIRE
from wh_env.rulesets.wap.codes import BURNT
from wh_env.rulesets.wap.morale.panic_causes import alarm, has_hurt
from wh_env.rulesets.wap.shooting.firing_points import muzzle_of
from wh_env.rulesets.wap.shooting.hits import deal_hits, hit_of_machine
from wh_env.rulesets.wap.shooting.misfires import misfire
from wh_env.rulesets.wap.shooting.templates import beneath_flame, hits_beneath


def spew_fire(g: BattleCore, unit: int, x: float, y: float, number: int) -> None:
    """A fire thrower fires towards (x, y): the template is moved straight on from its nozzle by the inches of the
    artillery die, ``number`` (wap.machine.fire-thrower.placing, .hits, .misfire).
    """
    if number == MISFIRE:
        misfire(g, unit)
        return
    mx, my = muzzle_of(g, unit)
    f = atan2(y - my, x - mx)
    struck = hits_beneath(g, beneath_flame(g, mx + number * cos(f), my + number * sin(f), f))
    if g.recorder is not None:
        told = {"far": float(number), "targets": tuple(struck), "amount": sum(struck.values())}
        g.note("wap.machine.fire-thrower.hits", "spews fire", unit=unit, **told)
    deal_hits(g, unit, {row: [(hits, hit_of_machine(g, unit, row))] for row, hits in struck.items()})


def frighten_burnt(g: BattleCore, unit: int) -> None:
    """Mark with a cause of panic every unit that has lost a model to a fire thrower in this phase
    (wap.machine.fire-thrower.panic).
    """
    for target in range(len(g.units.owner)):
        if has_hurt(g, target, unit):
            alarm(g, target, BURNT)
