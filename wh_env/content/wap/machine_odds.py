"""The exact distribution of a war machine's shots at a unit straight ahead, by the names of their cards."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from wh_env.content.errors import ContentError
from wh_env.content.wap.combat_odds import SIZE, regiment_named
from wh_env.content.wap.compile import Plan, compile_plan
from wh_env.content.wap.load import load_mission, load_rules
from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.shooting.firing_points import engine_of, reach_ahead
from wh_env.rulesets.wap.shooting.hits import hit_of, hit_of_machine, toughness_of
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, WAYS, chance_to_hit, firings
from wh_env.rulesets.wap.shooting.templates import FLAME
from wh_env.rulesets.wap.troops.war_machines import best_skill
from wh_env.rulesets.wap.view.odds_harm import harm_of
from wh_env.rulesets.wap.view.odds_machines import (
    Costs,
    ShotOdds,
    Target,
    ball_odds,
    bolt_odds,
    costs_of,
    flame_odds,
    grapeshot_odds,
    machine_hits,
    stone_odds,
)
from wh_env.rulesets.wap.weapons.arms import Weapon
from wh_env.rulesets.wap.weapons.machines import BOLT_THROWER, CANNON, STONE_THROWER, Machine

MACHINE, UNIT = 0, 1  # rows of the two units


@dataclass(frozen=True)
class Shelling:
    """A war machine's shots at a unit that faces it, their middles aligned.

    Attributes:
        names: of both. models, files: of the target. away: inches from muzzle or arm to the target's front.
        odds: by way of firing, for those that reach the target.
    """

    names: tuple[str, str]
    models: int
    files: int
    away: float
    odds: dict[str, ShotOdds]


def shelling(
    machine: str, target: str, *, models: int | None = None, files: int | None = None, away: float = 24.0
) -> Shelling:
    """The shots of a war machine at a unit in ranks that it sees, ``away`` inches ahead.

    Raises:
        ContentError: a card is not known, the first is no war machine, the target cannot have so many models or files.
    """
    first, second = regiment_named(machine, None, None), regiment_named(target, models, files)
    if first.card.machine is None:
        raise ContentError("<call>", "attacker", machine, "a card of a war machine", "is none")
    g = BattleCore(
        compile_plan(Plan((SIZE[0] + away, SIZE[1]), ([first], [second]), load_rules(), load_mission("battleline")))
    )
    front = 10.0
    for row, (regiment, at, facing) in enumerate(((first, front, 0.0), (second, front + away, pi))):
        g.units.place[row] = ON_TABLE
        set_block(g, row, at, 0.5 * SIZE[1], facing, regiment.files)
    set_block(g, UNIT, g.models.x[0] + reach_ahead(g, MACHINE) + away, 0.5 * SIZE[1], pi, second.files)
    odds = {name: found for name, found in shots(g, away).items() if found is not None}
    return Shelling((machine, target), second.models, second.files, away, odds)


def bases_of(g: BattleCore) -> Target:
    """The target's bases, as seen from where the machine measures."""
    m, rows = g.models, list(g.members(UNIT))
    x, y = g.models.x[0] + reach_ahead(g, MACHINE), g.models.y[0]
    middles = np.array([(m.x[k] - x, m.y[k] - y) for k in rows])
    return Target(middles, np.array([m.rank[k] for k in rows]), m.half_a[rows[0]], m.half_b[rows[0]])


def shots(g: BattleCore, away: float) -> dict[str, ShotOdds | None]:
    """The distribution of each shot of the machine; None: it does not reach the target."""
    machine, toughness = engine_of(g, MACHINE), toughness_of(g, UNIT)
    found: dict[str, ShotOdds | None] = {
        other.name: of_grapeshot(g, other, toughness) if away <= other.range else None for other in machine.others
    }
    reached = machine.least <= away <= (machine.weapon.range or away)
    if machine.kind == BOLT_THROWER:
        return {machine.weapon.name: of_bolt(g, machine, toughness) if reached else None}
    target, hit = bases_of(g), hit_of_machine(g, MACHINE, UNIT)
    direct, other = machine_hits(hit, machine.centre, machine.direct, machine.bounce)
    costs = costs_of(g, UNIT, direct, other, toughness)
    depth = target.half_a * 2 * (int(target.ranks.max()) + 1)
    if machine.kind == CANNON:
        return {machine.weapon.name: ball_odds(target, front_of(target), costs) if reached else None, **found}
    if machine.kind == STONE_THROWER:
        aim = (away + 0.5 * depth, 0.0)
        skill = best_skill(g, MACHINE)
        return {
            machine.weapon.name: stone_odds(target, aim, costs) if reached else None,
            f"{machine.weapon.name}, indirectly": stone_odds(target, aim, costs, skill) if reached else None,
        }
    return {machine.weapon.name: flame_odds(target, FLAME, costs)}


def front_of(target: Target) -> tuple[float, float]:
    """The middle of the base of the front rank that is nearest to the middle of the unit."""
    front = target.middles[target.ranks == 0]
    x, y = front[np.abs(front[:, 1]).argmin()]
    return float(x), float(y)


def of_grapeshot(g: BattleCore, weapon: Weapon, toughness: int) -> ShotOdds:
    """The distribution of grapeshot."""
    way = [arm.name for arm in g.setup.statics["outfits"][MACHINE].missiles].index(weapon.name)
    (firing,) = firings(g, MACHINE, UNIT, way * WAYS, IN_PHASE)
    hit = hit_of(g, firing.line, weapon, UNIT)
    harm = harm_of(g, UNIT, hit, toughness, FRONT)
    wounds = int(g.models.max_wounds[g.units.first[UNIT]])
    return grapeshot_odds(g.units.alive[UNIT], chance_to_hit(firing.needed, firing.rerolls), Costs(harm, harm, wounds))


def of_bolt(g: BattleCore, machine: Machine, toughness: int) -> ShotOdds:
    """The distribution of a bolt from the front."""
    (firing,) = firings(g, MACHINE, UNIT, 0, IN_PHASE)
    hit = hit_of(g, firing.line, machine.weapon, UNIT)
    ranks = -(-g.units.alive[UNIT] // g.units.files[UNIT])
    harms = [
        harm_of(g, UNIT, hit._replace(strength=hit.strength - passed), toughness, FRONT)
        for passed in range(min(ranks, hit.strength))
    ]
    wounds = int(g.models.max_wounds[g.units.first[UNIT]])
    return bolt_odds(g.units.alive[UNIT], chance_to_hit(firing.needed, firing.rerolls), harms, wounds)
