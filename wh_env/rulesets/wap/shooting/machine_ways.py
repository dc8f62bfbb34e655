"""How a war machine can fire, and at which enemies (wap.machine.cannon.target, .grapeshot.choice,
.stone-thrower.target, .indirect.declare, .fire-thrower.placing).

What a machine fires like a missile weapon, a bolt or grapeshot, is aimed and resolved as other shots are
(``shooting.Aim``); all else is aimed at a spot on an enemy (``spots``).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.scatter import Scatter, Throw, artillery_die, scatter_die
from wh_env.rulesets.wap.codes import SHOT
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting
from wh_env.rulesets.wap.rule_book import ARTILLERY_AGAIN
from wh_env.rulesets.wap.shooting.blind_shots import leaves_blind
from wh_env.rulesets.wap.shooting.cannonballs import fire_ball
from wh_env.rulesets.wap.shooting.fires import spew_fire
from wh_env.rulesets.wap.shooting.firing_points import engine_of
from wh_env.rulesets.wap.shooting.pivoting import point_at
from wh_env.rulesets.wap.shooting.shots import has_moved, only_pivoted
from wh_env.rulesets.wap.shooting.spots import Sort, spots
from wh_env.rulesets.wap.shooting.stones import TEMPLATE, throw_stone
from wh_env.rulesets.wap.weapons.machines import CANNON, FIRE_THROWER, STONE_THROWER, machine_of

# ways to fire: the machine's own shot at a spot that it sees, at one that it does not see, and other weapons, which are
# aimed as those of other units
DIRECT, INDIRECT, OTHERWISE = WAYS = range(3)
STRAIGHT = Scatter(hit=True, direction=0.0)  # what does not scatter
AT_SPOTS: Mapping[str, Mapping[int, str]] = MappingProxyType(
    {
        CANNON: MappingProxyType({DIRECT: "a cannonball"}),
        STONE_THROWER: MappingProxyType({DIRECT: "a stone at what it sees", INDIRECT: "a stone indirectly"}),
        FIRE_THROWER: MappingProxyType({DIRECT: "flames"}),
    }
)


def sort_of(g: BattleCore, unit: int, way: int) -> Sort:
    """What a machine's shot asks of the spot that it is aimed at."""
    machine = engine_of(g, unit)
    least, far = float(machine.least), float(machine.weapon.range)
    if machine.kind == CANNON:
        return Sort(least, far)
    if machine.kind == STONE_THROWER:
        return Sort(least, far, seen=way != INDIRECT, past_comrades=True, disc=TEMPLATE)
    return Sort(drop=True)


def aims_at_spots(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a war machine whose own shots are aimed at a spot."""
    machine = machine_of(g, unit)
    return machine is not None and machine.kind in AT_SPOTS


def is_ready(g: BattleCore, unit: int) -> bool:
    """Whether a war machine can fire now (wap.machine.fire.default-rules)."""
    u = g.units
    return bool(
        u.place[unit] == ON_TABLE
        and not u.did[unit] & SHOT
        and not u.jammed[unit]
        and not u.ducks[unit]
        and not engaged(g, unit)
        and not barred_from_shooting(g, unit)
        and (not has_moved(g, unit) or only_pivoted(g, unit))
    )


def ways_at(g: BattleCore, unit: int, target: int) -> list[int]:
    """The ways in which a machine that is ready can fire at a spot on an enemy."""
    if g.units.place[target] != ON_TABLE or engaged(g, target):
        return []
    ways = AT_SPOTS[engine_of(g, unit).kind]
    return [way for way in ways if spots(g, unit, target, sort_of(g, unit, way)).any()]


def targets_at_spots(g: BattleCore, unit: int, way: int) -> list[int]:
    """The enemies on which there is a spot that a machine can fire at in a way."""
    return [enemy for enemy in g.units_of(1 - g.units.owner[unit]) if way in ways_at(g, unit, enemy)]


def can_fire_at_spot(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a war machine that can fire at a spot on any enemy now."""
    if not aims_at_spots(g, unit) or not is_ready(g, unit):
        return False
    return any(ways_at(g, unit, enemy) for enemy in g.units_of(1 - g.units.owner[unit]))


def somebody_can_fire(g: BattleCore, player: int) -> bool:
    """Whether any war machine of a player can fire at a spot now."""
    return any(can_fire_at_spot(g, unit) for unit in g.setup.statics["engines"][player])


def takes_aim(g: BattleCore, unit: int, target: int, x: float, y: float) -> bool:
    """A machine turns towards the spot (x, y) on an enemy to fire at it. Returns whether it does."""
    point_at(g, unit, x, y)
    g.units.did[unit] |= SHOT
    return leaves_blind(g, unit, (target,))


def throw_for(g: BattleCore, unit: int) -> Throw:
    """Roll the dice of a machine's shot at a spot; flames do not scatter."""
    flames = engine_of(g, unit).kind == FIRE_THROWER
    die = STRAIGHT if flames else scatter_die(g, g.units.owner[unit])
    return Throw(die, artillery_die(g))


def throws_again(g: BattleCore, unit: int) -> bool:
    """Whether a rule of a machine, or of a character who serves it, names the artillery die, so that its player may
    roll it again (wap.core.dice.special-no-reroll).
    """
    return has(g, unit, ARTILLERY_AGAIN)


def fires(g: BattleCore, unit: int, way: int, x: float, y: float, throw: Throw) -> None:
    """The shot of a machine at the spot (x, y), with the dice that count."""
    kind = engine_of(g, unit).kind
    if kind == CANNON:
        fire_ball(g, unit, x, y, throw)
    elif kind == STONE_THROWER:
        throw_stone(g, unit, x, y, throw, indirect=way == INDIRECT)
    else:
        spew_fire(g, unit, x, y, throw.number)
