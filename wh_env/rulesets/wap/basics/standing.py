"""What follows from the ground that a unit stands on, kept in the state because it is asked often: by how much each
model is lifted (``models.lifted``), and what each unit loses of its Movement (``units.slowed``).

``blocks.derive`` brings both up to date whenever the places of models change. Battles without such ground keep zeros.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.geometry.shapes import polygon_overlap_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, Array

STOREY = 5  # added to the Line of Sight value for each storey above the ground floor (wap.building.line-of-sight)


class Standing(NamedTuple):
    """``statics["standing"]``: the ground that lifts or slows units, buildings included; None if a battle has none.

    Attributes:
        hills: pieces that lift models by their Line of Sight value. bogs: pieces that slow units.
        losses: inches of Movement that each of ``bogs`` costs (int64).
        spared: bool, units x features: the features that do not slow a unit (wap.special.strider, .ethereal.movement).
        storeys: int64, by feature: the storeys of buildings. windows: the models that each of them has room for.
    """

    hills: Array
    bogs: Array
    losses: Array
    spared: Array
    storeys: Array
    windows: Array


@inner_kernel
def is_in_piece(corners: Array, piece: Array, x: float, y: float) -> bool:
    """Whether a point lies in a convex piece of ground, its edge included."""
    if x < piece["min_x"] or x > piece["max_x"] or y < piece["min_y"] or y > piece["max_y"]:
        return False
    last = piece["first"] + piece["count"] - 1
    for c in range(piece["first"], piece["first"] + piece["count"]):
        px = corners[last, 0]
        py = corners[last, 1]
        if (corners[c, 0] - px) * (y - py) - (corners[c, 1] - py) * (x - px) < 0.0:
            return False
        last = c
    return True


@inner_kernel
def touches_piece(models: Array, k: int, corners: Array, piece: Array) -> bool:
    """Whether the base of model ``k`` overlaps a convex piece of ground."""
    m = models[k]
    x = m["x"]
    y = m["y"]
    reach = m["radius"]
    if x < piece["min_x"] - reach or x > piece["max_x"] + reach:
        return False
    if y < piece["min_y"] - reach or y > piece["max_y"] + reach:
        return False
    return bool(polygon_overlap_at(models, k, x, y, m["facing"], corners, int(piece["first"]), int(piece["count"])))


@inner_kernel
def is_of_block(units: Array, c: int, u: int) -> bool:
    """Whether unit ``c`` is unit ``u`` or a character in it."""
    return c == u or (units[c]["place"] == ATTACHED and units[c]["bodyguard"] == u)


@kernel
def stand_on(
    models: Array, units: Array, u: int, hills: Array, bogs: Array, losses: Array, spared: Array, storeys: Array,
    windows: Array, corners: Array,
) -> None:  # fmt: skip
    """Write ``lifted`` of the models of a block and ``slowed`` of its units. A model stands on a hill if the middle of
    its base does; a unit is slowed as soon as one base of its block is partly in a bog (wap.terrain.marsh.movement).
    Models of a garrison stand on the storeys of the building, those that come first on the highest
    (wap.building.line-of-sight).
    """
    if units[u]["place"] == ATTACHED:
        u = units[u]["bodyguard"]
    building = units[u]["garrison"]
    for c in range(len(units)):
        if not is_of_block(units, c, u):
            continue
        units[c]["slowed"] = 0
        for k in range(units[c]["first"], units[c]["first"] + units[c]["count"]):
            m = models[k]
            m["lifted"] = 0
            if m["on_table"] == 0:
                continue
            if building >= 0:
                m["lifted"] = STOREY * max(0, storeys[building] - 1 - m["file"] // windows[building])
                continue
            for b in range(len(hills)):
                if hills[b]["sight"] > m["lifted"] and is_in_piece(corners, hills[b], m["x"], m["y"]):
                    m["lifted"] = hills[b]["sight"]
    if building >= 0:
        return
    done = -1
    for b in range(len(bogs)):
        feature = bogs[b]["feature"]
        if feature == done:
            continue
        for c in range(len(units)):
            if not is_of_block(units, c, u) or feature == done:
                continue
            for k in range(units[c]["first"], units[c]["first"] + units[c]["count"]):
                if models[k]["on_table"] == 1 and touches_piece(models, k, corners, bogs[b]):
                    done = feature
                    break
        if feature == done:
            for c in range(len(units)):
                if is_of_block(units, c, u) and not spared[c, feature]:
                    units[c]["slowed"] += losses[b]


def standing_now(g: BattleCore) -> Standing | None:
    """The ground that lifts or slows units, as effects change it that make all ground open ground to units
    (``statics["open_ground"]``: whether each of them does so for all who stand in the unit;
    wap.item.banner.rangers-standard), and those that take equipment (``statics["baring"]``). It is read before any rule
    can be asked.
    """
    ground: Standing | None = g.setup.statics["standing"]
    free: Mapping[int, bool] = g.setup.statics["open_ground"]
    baring: Collection[int] = g.setup.statics["baring"]
    if ground is None or not (free or baring):
        return ground
    u, e, spared = g.units, g.effects, ground.spared.copy()
    bare = [unit for number, unit in zip(e.effect, e.unit, strict=True) if number in baring]
    if bare:
        spared[bare] = g.setup.statics["spared_bare"][bare]
    stands = enumerate(zip(u.place, u.bodyguard, strict=True))
    hosts = [bodyguard if place == ATTACHED else row for row, (place, bodyguard) in stands]
    for number, unit, caster, cast in zip(e.effect, e.unit, e.caster, e.cast, strict=True):
        if number in free and not (unit in bare and caster == unit and not cast):
            spared[[row for row, host in enumerate(hosts) if host == hosts[unit]] if free[number] else unit] = True
    return ground._replace(spared=frozen(spared))


def settle(g: BattleCore, unit: int) -> None:
    """Bring up to date what follows from the ground that the block of a unit stands on."""
    ground = standing_now(g)
    if ground is not None:
        g.work.call(stand_on, g.models.rows, g.units.rows, unit, *ground, g.setup.corners)


def settle_all(g: BattleCore) -> None:
    """``settle`` for all units."""
    if g.setup.statics["standing"] is not None:
        for unit in range(len(g.units.owner)):
            settle(g, unit)


def height_of_most(g: BattleCore, models: list[int]) -> int:
    """The greatest height at which, or above which, more than half of some models stand; 0: on the plain."""
    heights = sorted((int(g.models.lifted[k]) for k in models), reverse=True)
    return heights[len(heights) // 2] if heights else 0
