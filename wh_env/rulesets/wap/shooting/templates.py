"""Templates: their shapes, the models beneath them, and the hits that these take (wap.core.template.*,
wap.shoot.template.friends, wap.character.look-out-sir.template, .limits, wap.troop.swarm.templates).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.stamps import disc_stamp, drop_stamp
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.joined import host_of, is_character
from wh_env.rulesets.wap.codes import SWARM
from wh_env.rulesets.wap.shooting.looking_out import hits_taken_for, looking_out
from wh_env.rulesets.wap.shooting.templates_on_buildings import as_templates_meet, models_struck, rolled_hits

COMRADES = 5  # living models of a unit that save a character in it from hits of a template
# inches from the middle of a round template to its rim; a hole marks the middle (wap.core.template.shapes)
ROUND: Mapping[str, float] = MappingProxyType({"small": 1.5, "large": 2.5})


class Flame(NamedTuple):
    """The outline of the flame template in inches. It widens evenly from its tip to a round end that its sides
    touch.
    """

    length: float = 8.0  # wap.core.template.shapes
    radius: float = 1.25  # of the round end; inferred, the source gives the length alone


FLAME = Flame()


@kernel
def find_beneath_drop(
    models: Array, x: float, y: float, f: float, length: float, r: float, points: Array, marks: Array
) -> int:
    """Mark in ``marks`` (int8) the models beneath a flame template with its tip at (x, y) in direction ``f`` (radians).
    ``length``, ``r``: of the template, inches. Returns how many models there are.
    """
    return int(drop_stamp(models, 0, len(models), x, y, f, length, r, points, marks))


@kernel
def find_beneath_disc(models: Array, x: float, y: float, r: float, marks: Array) -> int:
    """Mark in ``marks`` (int8) the models beneath a round template with its middle at (x, y). ``r``: its radius, or 0
    for its hole. Returns how many models there are.
    """
    return int(disc_stamp(models, 0, len(models), x, y, r, marks))


def beneath_flame(g: BattleCore, x: float, y: float, direction: float) -> list[int]:
    """The models beneath a flame template with its tip at (x, y) that points in a direction (radians)."""
    models, marks = as_templates_meet(g), np.zeros(len(g.models.x), np.int8)
    g.work.call(find_beneath_drop, models, x, y, direction, FLAME.length, FLAME.radius, np.zeros((4, 2)), marks)
    return np.flatnonzero(marks).tolist()


def beneath_disc(g: BattleCore, x: float, y: float, radius: float) -> list[int]:
    """The models whose bases lie wholly or partly beneath a round template (wap.core.template.hit)."""
    marks = np.zeros(len(g.models.x), np.int8)
    g.work.call(find_beneath_disc, as_templates_meet(g), x, y, radius, marks)
    return np.flatnonzero(marks).tolist()


def may_be_covered(g: BattleCore, unit: int, other: int) -> bool:
    """Whether a unit may lay a template over models of another one: an enemy that is not in close combat."""
    return g.units.owner[other] != g.units.owner[unit] and not engaged(g, block_of(g, other))


def has_comrade(g: BattleCore, character: int) -> bool:
    """Whether another model of his unit takes a template's hit for a character: enough of them are left, of his troop
    type (wap.character.look-out-sir.template, wap.character.look-out-sir.limits).
    """
    u, host = g.units, host_of(g, character)
    return (host >= 0
        and is_character(g, character)
        and u.alive[host] >= COMRADES
        and u.kind[host] == u.kind[character])  # fmt: skip


def who_takes(g: BattleCore, model: int) -> int:
    """The row of the unit that takes a template's hit on a model: its own, or that of a character with comrades for
    him, who need no die for it (``has_comrade``).
    """
    unit: int = g.models.unit[model]
    if not has_comrade(g, unit):
        return unit
    host = host_of(g, unit)
    if g.recorder is not None:
        told = {"amount": 1, "result": 1}
        g.note("wap.character.look-out-sir.template", "looks out", unit=host, target=unit, **told)
    return host


def number_of_hits(g: BattleCore, model: int) -> int:
    """The hits of a template on a model: one, a D6 on a base of a swarm (wap.troop.swarm.templates), or a D6 on the
    garrison that the model stands for.
    """
    unit = g.models.unit[model]
    if is_inside(g, block_of(g, unit)):
        return rolled_hits(g, unit)
    if g.units.kind[unit] != SWARM:
        return 1
    hits = g.d6()
    g.note("wap.troop.swarm.templates", "swarm hit", unit=unit, die=hits)
    return hits


def takers(g: BattleCore, model: int) -> dict[int, int]:
    """The hits of a shot with a template on a model, by the units that take them: for a lone character, units near him
    may (wap.character.lone.look-out-sir).
    """
    hits, row = number_of_hits(g, model), who_takes(g, model)
    warned = hits_taken_for(g, row, hits)
    if warned == 0:
        return {row: hits}
    friend = looking_out(g, row)[0]
    return {friend: warned} if warned == hits else {row: hits - warned, friend: warned}


def hits_beneath(g: BattleCore, models: Iterable[int]) -> dict[int, int]:
    """The hits of a shot with a template on models, by the unit that takes them."""
    found = Counter[int]()
    for k in models:
        found.update(takers(g, k))
    return found


def touched_by_magic(g: BattleCore, model: int) -> dict[int, int]:
    """The hits of a spell or a miscast on a model beneath its template, by the units that take them: as of other
    templates, but in a building D6 models take one each (wap.building.magic.templates).
    """
    unit = g.models.unit[model]
    if is_inside(g, block_of(g, unit)):
        return models_struck(g, unit, rolled_hits(g, unit))
    number = number_of_hits(g, model)
    return {who_takes(g, model): number}


def hits_of_magic(g: BattleCore, models: Iterable[int]) -> dict[int, int]:
    """The hits of a spell or a miscast on models, by the unit that takes them."""
    found = Counter[int]()
    for k in models:
        found.update(touched_by_magic(g, k))
    return found
