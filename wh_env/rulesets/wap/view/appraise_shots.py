"""The average worth of a unit's shots, in points of the army that they are fired at."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.shooting.aims import may_shoot, quarters_of_models
from wh_env.rulesets.wap.shooting.hits import hit_of, toughness_of
from wh_env.rulesets.wap.shooting.looking_out import shares_of_hits
from wh_env.rulesets.wap.shooting.machine_ways import aims_at_spots
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, best_way, chance_to_hit, firings, weapon_in
from wh_env.rulesets.wap.view.appraise_combat import share_of_hit, worth_left
from wh_env.rulesets.wap.view.appraise_machines import best_of_machine
from wh_env.rulesets.wap.weapons.machines import machine_of

GRAPES = 5 / 6 * (6.0 + 3.5)  # shots of grapeshot, misfires included
STRAYS = 0.5  # the share of their worth that shots at an engaged target keep


def worth_of_standing(g: BattleCore, unit: int) -> float:
    """Points that the best shots of a unit cost an enemy if the unit stays where it is; 0: it cannot shoot."""
    if aims_at_spots(g, unit):
        return max(best_of_machine(g, unit)[0], worth_of_volley(g, unit))
    return worth_of_volley(g, unit)


def worth_of_volley(g: BattleCore, unit: int) -> float:
    """Points that the best shots of a unit with missile weapons cost an enemy; 0: it cannot shoot."""
    if not may_shoot(g, unit):
        return 0.0
    return max((worth_of_shots(g, unit, enemy) for enemy in g.units_of(1 - g.units.owner[unit])), default=0.0)


def worth_of_shots(g: BattleCore, unit: int, target: int) -> float:
    """Points that the best shots of a unit at a target cost the target; 0: it cannot shoot at it, or the target is a
    character in a unit.
    """
    if g.units.place[target] != ON_TABLE:
        return 0.0
    way = best_way(g, unit, target, IN_PHASE)
    if way < 0:
        return 0.0
    machine, weapon = machine_of(g, unit), weapon_in(g, unit, way)
    grapes = GRAPES if machine is not None and weapon in machine.others else 1.0
    fired, worth = firings(g, unit, target, way, IN_PHASE), 0.0
    for row, share in shares_of_hits(g, target).items():
        stands, wounds = quarters_of_models(g, unit, row), 0.0
        side = max(stands, key=lambda quarter: stands[quarter], default=FRONT)
        for line, needed, shots, rerolls in fired:
            deadly = share_of_hit(g, hit_of(g, line, weapon, row), row, side, toughness_of(g, row))
            wounds += shots * chance_to_hit(needed, rerolls) * deadly
        left = wounds_of(g, row)
        worth += worth_left(g, row) * min(grapes * share * wounds, left) / max(1, left)
    return worth * STRAYS if engaged(g, target) else worth
