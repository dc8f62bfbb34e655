"""Breath attacks with the flame template: where a breath may place it, and the hits of those beneath it
(wap.special.breath.template, wap.shoot.template.friends).
"""

from __future__ import annotations

from math import cos, sin, sqrt, tau

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.rulesets.wap.allies.relations import Relation, relation_between
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import buildings_of, is_inside
from wh_env.rulesets.wap.movement.aftermath import NO_SHOOTING, ON_THE_MOVE
from wh_env.rulesets.wap.rule_book import BREATH_ATTACK
from wh_env.rulesets.wap.shooting.aims import block_of
from wh_env.rulesets.wap.shooting.blind_shots import leaves_blind
from wh_env.rulesets.wap.shooting.hits import deal_hits
from wh_env.rulesets.wap.shooting.templates import FLAME, beneath_flame, hits_beneath, may_be_covered
from wh_env.rulesets.wap.special.breath import breath_of, breaths_of, is_spared, may_breathe


def lies_in_front(half_b: float, turn: float) -> bool:
    """Whether a template that starts at the middle of the front of a base, at ``turn`` radians to its facing, lies
    wholly in its front quarter. ``half_b``: half the width of the base, inches. The round end must not cross the ray
    from the front corner on its side.
    """
    far = FLAME.length - FLAME.radius
    return far * (abs(sin(turn)) - cos(turn)) + sqrt(2.0) * FLAME.radius <= half_b + EPS


def mouth_of(g: BattleCore, model: int, direction: float) -> tuple[float, float]:
    """Where a template in a direction (radians) begins: (x, y) of the middle of the front of the model's base, or of
    the point at which the direction leaves the building that it is in (wap.building.shooting.from).
    """
    m, block = g.models, block_of(g, g.models.unit[model])
    if is_inside(g, block):
        return buildings_of(g)[g.units.garrison[block]].way_out(direction)
    return m.x[model] + cos(m.facing[model]) * m.half_a[model], m.y[model] + sin(m.facing[model]) * m.half_a[model]


def beneath(g: BattleCore, model: int, direction: float) -> list[int]:
    """The models beneath the template of a breathing model in a direction (radians), without that model, and without
    the garrison that it is in.
    """
    block = block_of(g, g.models.unit[model])
    inside = is_inside(g, block)
    found = beneath_flame(g, *mouth_of(g, model, direction), direction)
    return [k for k in found if k != model and not (inside and block_of(g, g.models.unit[k]) == block)]


def may_be_breathed_on(g: BattleCore, unit: int, other: int) -> bool:
    """Whether a unit may breathe over models of another one, as far as that one matters."""
    if g.units.owner[other] != g.units.owner[unit]:
        return may_be_covered(g, unit, other)
    return relation_between(g, unit, other) == Relation.DESPERATE and not engaged(g, block_of(g, other))


def placings(g: BattleCore, unit: int) -> dict[int, list[int]]:
    """The directions (slots of angles) in which the model of a unit may breathe, each with the models that it hits. It
    must hit at least one, no friend, and no unit in close combat. Out of a building it breathes in all directions.
    Desperate allies are no friends for this (wap.ally.desperate.spells).
    """
    m, angles, found = g.models, g.setup.space.angles, dict[int, list[int]]()
    model = next(iter(g.members(unit)))
    all_round = is_inside(g, block_of(g, unit))
    for slot in range(angles):
        direction = slot * tau / angles
        if all_round or lies_in_front(m.half_b[model], direction - m.facing[model]):
            hit = beneath(g, model, direction)
            if hit and all(may_be_breathed_on(g, unit, m.unit[k]) for k in hit):
                found[slot] = hit
    return found


def can_breathe(g: BattleCore, unit: int) -> bool:
    """Whether a unit can use a breath attack now in the Shooting phase. It may even if it has marched, reformed or shot
    (wap.special.breath.shooting).
    """
    u = g.units
    if BREATH_ATTACK not in g.setup.statics["named_rules"] or not may_breathe(g, unit):
        return False
    if u.place[unit] not in (ON_TABLE, ATTACHED):
        return False
    block = block_of(g, unit)
    barred = any(u.did[block] & deed for deed, _ in NO_SHOOTING if deed not in ON_THE_MOVE)
    if barred or u.fleeing[block] or u.stupid[block] or engaged(g, block):
        return False
    return bool(placings(g, unit))


def somebody_breathes(g: BattleCore, player: int) -> bool:
    """Whether any unit of a player can use a breath attack now."""
    return BREATH_ATTACK in g.setup.statics["named_rules"] and any(can_breathe(g, unit) for unit in g.units_of(player))


def breathe(g: BattleCore, unit: int, number: int, slot: int) -> None:
    """Resolve a breath attack of a unit, by its number, in the direction of a slot: the models beneath the
    template take the hits.
    """
    breath, hit, models = breaths_of(g, unit)[number], breath_of(g, unit, number).hit, placings(g, unit)[slot]
    if not leaves_blind(g, unit, tuple(dict.fromkeys(g.models.unit[k] for k in models))):
        return
    struck = hits_beneath(g, models)
    if g.recorder is not None:
        told = {"targets": tuple(struck), "amount": sum(struck.values())}
        g.note("wap.special.breath.template", "breathes", unit=unit, **told)
    deal_hits(g, unit, {row: [(number, hit)] for row, number in struck.items() if not is_spared(g, row, breath)})
