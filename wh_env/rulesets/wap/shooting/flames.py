"""The flame template: where a breath may place it, which models are beneath it, and the hits that they take
(wap.core.template.placement, wap.special.breath.template, wap.shoot.template.friends,
wap.character.look-out-sir.template, .limits, wap.troop.swarm.templates).
"""

from __future__ import annotations

from math import cos, hypot, sin, sqrt, tau
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.geometry.stamps import drop_stamp
from wh_env.core.kernel import kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, RECT, Array
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import buildings_of, garrison_in, is_inside
from wh_env.rulesets.wap.basics.joined import host_of, is_character
from wh_env.rulesets.wap.codes import SWARM
from wh_env.rulesets.wap.movement.aftermath import NO_SHOOTING, ON_THE_MOVE
from wh_env.rulesets.wap.rule_book import BREATH_ATTACK
from wh_env.rulesets.wap.shooting.aims import block_of
from wh_env.rulesets.wap.shooting.hits import freeze, side_shot, take_hits
from wh_env.rulesets.wap.shooting.templates_on_buildings import rolled_hits
from wh_env.rulesets.wap.special.breath import blow_of_breath, is_spared, may_breathe

COMRADES = 5  # living models of a unit that save a character in it from hits of a template


class Flame(NamedTuple):
    """The outline of the flame template in inches. It widens evenly from its tip to a round end that its sides
    touch.
    """

    length: float = 8.0  # wap.core.template.shapes
    radius: float = 1.25  # of the round end; inferred, the source gives the length alone


FLAME = Flame()


@kernel
def find_beneath(
    models: Array, x: float, y: float, f: float, length: float, r: float, points: Array, marks: Array
) -> int:
    """Mark in ``marks`` (int8) the models beneath a flame template with its tip at (x, y) in direction ``f`` (radians).
    ``length``, ``r``: of the template, inches. Returns how many models there are.
    """
    return int(drop_stamp(models, 0, len(models), x, y, f, length, r, points, marks))


def lies_in_front(half_b: float, turn: float) -> bool:
    """Whether a template that starts at the middle of the front of a base, at ``turn`` radians to its facing, lies
    wholly in its front quarter. ``half_b``: half the width of the base, inches. The round end must not cross the ray
    from the front corner on its side.
    """
    far = FLAME.length - FLAME.radius
    return far * (abs(sin(turn)) - cos(turn)) + sqrt(2.0) * FLAME.radius <= half_b + EPS


def beneath(g: BattleCore, model: int, direction: float) -> list[int]:
    """The models beneath the template of a breathing model in a direction (radians), without that model."""
    m = g.models
    x = m.x[model] + cos(m.facing[model]) * m.half_a[model]
    y = m.y[model] + sin(m.facing[model]) * m.half_a[model]
    marks = np.zeros(len(m.x), np.int8)
    g.work.call(find_beneath, m.rows, x, y, direction, FLAME.length, FLAME.radius, np.zeros((4, 2)), marks)
    found = [k for k in np.flatnonzero(marks).tolist() if k != model]
    return with_garrisons(g, found, x, y, direction) if buildings_of(g) else found


def with_garrisons(g: BattleCore, models: list[int], x: float, y: float, direction: float) -> list[int]:
    """``models`` beneath a flame template, with one model of each garrison whose building the template touches, and no
    other of a garrison (wap.building.shooting.at.templates).
    """
    found = [k for k in models if not is_inside(g, block_of(g, g.models.unit[k]))]
    outline, marks = np.zeros(1, g.models.rows.dtype), np.zeros(1, np.int8)
    for feature, building in buildings_of(g).items():
        unit = garrison_in(g, feature)
        if unit < 0:
            continue
        for name in ("x", "y", "facing", "half_a", "half_b"):
            outline[name] = getattr(building, name)
        outline["radius"] = hypot(building.half_a, building.half_b)
        outline["shape"], outline["on_table"], outline["alive"] = RECT, 1, 1
        if g.work.call(find_beneath, outline, x, y, direction, FLAME.length, FLAME.radius, np.zeros((4, 2)), marks):
            found.append(next(iter(g.members(unit))))
    return found


def placings(g: BattleCore, unit: int) -> dict[int, list[int]]:
    """The directions (slots of angles) in which the model of a unit may breathe, each with the models that it hits. It
    must hit at least one, no friend, and no unit in close combat.
    """
    m, angles, found = g.models, g.setup.space.angles, dict[int, list[int]]()
    model = next(iter(g.members(unit)))
    for slot in range(angles):
        direction = slot * tau / angles
        if lies_in_front(m.half_b[model], direction - m.facing[model]):
            hit = beneath(g, model, direction)
            if hit and all(may_be_covered(g, unit, m.unit[k]) for k in hit):
                found[slot] = hit
    return found


def may_be_covered(g: BattleCore, unit: int, other: int) -> bool:
    """Whether a unit may lay a template over models of another one: an enemy that is not in close combat."""
    return g.units.owner[other] != g.units.owner[unit] and not engaged(g, block_of(g, other))


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


def has_comrade(g: BattleCore, character: int) -> bool:
    """Whether another model of his unit takes a template's hit for a character: enough of them are left, of his troop
    type (wap.character.look-out-sir.template, wap.character.look-out-sir.limits).
    """
    u, host = g.units, host_of(g, character)
    return (host >= 0
        and is_character(g, character)
        and u.alive[host] >= COMRADES
        and u.kind[host] == u.kind[character])  # fmt: skip


def hits_beneath(g: BattleCore, models: list[int]) -> dict[int, int]:
    """The hits of a template, by the unit that takes them: one for each model, a D6 for each base of a swarm
    (wap.troop.swarm.templates). A character with comrades has his hit taken by his unit (``has_comrade``).
    """
    found = dict[int, int]()
    for k in models:
        unit, hits = g.models.unit[k], 1
        if is_inside(g, unit):
            hits = rolled_hits(g, unit)
        elif g.units.kind[unit] == SWARM:
            hits = g.d6()
            g.note("wap.troop.swarm.templates", "swarm hit", unit=unit, die=hits)
        elif has_comrade(g, unit):
            host = host_of(g, unit)
            if g.recorder is not None:
                told = {"amount": 1, "result": 1}
                g.note("wap.character.look-out-sir.template", "looks out", unit=host, target=unit, **told)
            unit = host
        found[unit] = found.get(unit, 0) + hits
    return found


def breathe(g: BattleCore, unit: int, breath: str, slot: int) -> None:
    """Resolve a breath attack of a unit in the direction of a slot: the models beneath the template take the hits."""
    hit, by = blow_of_breath(breath).hit, block_of(g, unit)
    models = placings(g, unit)[slot]
    struck = hits_beneath(g, models)
    if g.recorder is not None:
        told = {"targets": tuple(struck), "amount": sum(struck.values())}
        g.note("wap.special.breath.template", "breathes", unit=unit, **told)
    sides = {target: side_shot(g, unit, block_of(g, target)) for target in struck}
    for target in sorted(struck, key=lambda row: (host_of(g, row) >= 0, row)):
        if not is_spared(g, target, breath):
            hits = [(struck[target], hit)]
            freeze(g, target, hits)
            take_hits(g, target, hits, sides[target], by)
