"""The average worth of a war machine's shot, in points of the army that it is fired at, less what a misfire costs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.scatter import ARTILLERY, MISFIRE
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.codes import SWARM
from wh_env.rulesets.wap.shooting.aims import quarters_of_models
from wh_env.rulesets.wap.shooting.blind_shots import chance_to_leave
from wh_env.rulesets.wap.shooting.firing_points import engine_of
from wh_env.rulesets.wap.shooting.hits import hit_of_machine, toughness_of
from wh_env.rulesets.wap.shooting.looking_out import shares_of_hits
from wh_env.rulesets.wap.shooting.machine_ways import (
    DIRECT,
    INDIRECT,
    OTHERWISE,
    aims_at_spots,
    is_ready,
    sort_of,
    ways_at,
)
from wh_env.rulesets.wap.shooting.shooting import has_target
from wh_env.rulesets.wap.shooting.spots import best_spot
from wh_env.rulesets.wap.view.appraise_combat import share_of_hit, worth_left
from wh_env.rulesets.wap.weapons.hit import ONE
from wh_env.rulesets.wap.weapons.machines import CANNON, FIRE_THROWER, STONE_THROWER, Machine

DIE = 3.5  # hits on a garrison, or on a base of a swarm, on average
SHOTS = ARTILLERY.count(MISFIRE) / len(ARTILLERY)  # that misfire
# the share of the models struck at the best spot that a shot strikes on average, drift and scatter included
ACCURACY: Mapping[tuple[str, int], float] = MappingProxyType(
    {
        (CANNON, DIRECT): 0.55,
        (STONE_THROWER, DIRECT): 0.5,
        (STONE_THROWER, INDIRECT): 0.35,
        (FIRE_THROWER, DIRECT): 0.6,
    }
)


def cost_of_misfire(g: BattleCore, unit: int, machine: Machine) -> float:
    """Points that misfires cost on average for each shot: the machine, where the table destroys it."""
    if not machine.misfires:
        return 0.0
    lost = sum(result.destroys for result in machine.misfires) / len(machine.misfires)
    return SHOTS * lost * worth_left(g, unit)


def wounds_by(g: BattleCore, unit: int, machine: Machine, target: int, models: int) -> float:
    """Average Wounds that a machine's shot costs a unit of which it strikes so many models."""
    hit, toughness = hit_of_machine(g, unit, target), toughness_of(g, target)
    side = next(iter(quarters_of_models(g, unit, target)))
    direct = hit._replace(strength=machine.centre or hit.strength, takes=machine.direct)
    others = hit._replace(takes=ONE if machine.centre else machine.bounce)
    wounds = share_of_hit(g, direct, target, side, toughness)
    wounds += max(0, models - 1) * share_of_hit(g, others, target, side, toughness)
    return wounds * DIE if is_inside(g, target) or g.units.kind[target] == SWARM else wounds


def worth_of_machine(g: BattleCore, unit: int, way: int, target: int) -> float:
    """Points that a machine's shot at the best spot on an enemy costs it, less those of misfires."""
    machine = engine_of(g, unit)
    cell, models = best_spot(g, unit, target, sort_of(g, unit, way))
    if cell < 0:
        return 0.0
    taken = 0.0
    for row, share in shares_of_hits(g, target).items():
        left = max(1, wounds_of(g, row))
        wounds = share * ACCURACY[machine.kind, way] * wounds_by(g, unit, machine, row, models)
        taken += worth_left(g, row) * min(left, wounds) / left
    return chance_to_leave(g, unit, (target,)) * ((1.0 - SHOTS) * taken - cost_of_misfire(g, unit, machine))


def best_of_machine(g: BattleCore, unit: int) -> tuple[float, int]:
    """What the best shot of a machine at any spot is worth, and its way; 0 and ``OTHERWISE``: it has none."""
    if not aims_at_spots(g, unit) or not is_ready(g, unit):
        return 0.0, OTHERWISE
    found = [
        (worth_of_machine(g, unit, way, enemy), -way)
        for enemy in g.units_of(1 - g.units.owner[unit])
        for way in ways_at(g, unit, enemy)
    ]
    worth, way = max(found, default=(0.0, -OTHERWISE))
    return worth, -way


def is_rash(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a war machine without a shot that is worth more than its misfires cost."""
    return aims_at_spots(g, unit) and not has_target(g, unit) and best_of_machine(g, unit)[0] <= 0.0
