"""What ground is impassable to a unit: on its way, and where its move ends or it stands.

Ground is impassable to all as it is placed (``PIECE["passage"]``), but for four: deep water is open to units of Aquatic
models (wap.special.aquatic.movement); units of Ethereal models pass through all of it, and only may not end in it
(wap.special.ethereal.movement); to war machines all but open ground and hills is impassable, and a machine that was set
up in such ground only turns on the spot (wap.machine.terrain). A building that a unit holds stops Ethereal units
too, as its garrison does.

Whatever asks for ground that bars a unit takes the pieces from here. A unit with characters in it is asked as one: it
passes only where all its models do.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.ground import Ground, features_of, pieces_for
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.room import in_rock
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.codes import IMPASSABLE, WAR_MACHINE
from wh_env.rulesets.wap.rule_book import AQUATIC, ETHEREAL


def passes_all_ground(g: BattleCore, unit: int) -> bool:
    """Whether impassable ground is no obstacle to a unit on its way."""
    return has(g, unit, ETHEREAL)


def ground_to_stand_in(g: BattleCore, unit: int) -> Array:
    """The pieces of terrain as they are to a unit that stands in them or ends its move there."""
    statics = g.setup.statics
    ground: Array = statics["ground"]
    drained: Array = statics["drained_ground"]
    if drained is ground or not all(models_have(g, row, AQUATIC) for row in wholly(g, unit)):
        return ground
    return drained


def ground_to_cross(g: BattleCore, unit: int) -> Array:
    """The pieces of terrain as the moves of a unit meet them; a machine turns on the spot in any ground."""
    if passes_all_ground(g, unit):
        return held_buildings(g)
    if g.units.kind[unit] != WAR_MACHINE or is_rooted(g, unit):
        return ground_to_stand_in(g, unit)
    return ground_for_machine(g, unit)


def ground_for_machine(g: BattleCore, unit: int) -> Array:
    """The pieces of terrain as the moves of a war machine meet them. A crossing of a river that it is narrow enough to
    pass is open ground (wap.terrain.river.crossing).
    """
    closed: Array = g.setup.statics["machine_ground"]
    beside = {item.row: pieces_for(g, unit, item) for item in features_of(g) if item.fords}
    narrow = [row for row, pieces in beside.items() if pieces is not features_of(g)[row].pieces]
    if not narrow:
        return closed
    banks = np.concatenate([beside[row] for row in narrow])
    banks["passage"] = IMPASSABLE
    return frozen(np.concatenate([closed[~np.isin(closed["feature"], narrow)], banks]))


def ground_to_come_onto(g: BattleCore, unit: int) -> Array:
    """The pieces of terrain as they are to a unit that comes on to the table: a war machine moves on, and so comes on
    to no ground that it cannot enter (wap.machine.terrain).
    """
    return ground_for_machine(g, unit) if g.units.kind[unit] == WAR_MACHINE else ground_to_stand_in(g, unit)


def ground_to_end_off(g: BattleCore, unit: int) -> Array:
    """The pieces of terrain that a unit can cross and may not end its move in."""
    if not passes_all_ground(g, unit):
        return np.zeros(0, g.setup.statics["ground"].dtype)
    ground, held = ground_to_stand_in(g, unit), features_held(g)
    found: Array = ground[(ground["passage"] == IMPASSABLE) & ~np.isin(ground["feature"], held)]
    return found


def features_held(g: BattleCore) -> list[int]:
    """The buildings that units occupy, by their rows among the features."""
    return [feature for feature in g.units.garrison if feature >= 0]


def held_buildings(g: BattleCore) -> Array:
    """The pieces of terrain that are buildings which units occupy."""
    ground: Array = g.setup.statics["ground"]
    held = features_held(g)
    return ground[np.isin(ground["feature"], held)] if held else ground[:0]


def is_free_in(g: BattleCore, row: int, ground: Ground) -> bool:
    """Whether the moves of a unit's own models take impassable ground as open ground."""
    return models_have(g, row, ETHEREAL) or (ground.traits.water and models_have(g, row, AQUATIC))


def is_rooted(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a war machine that stands in ground which it cannot enter, so that it may only turn."""
    statics = g.setup.statics
    if g.units.kind[unit] != WAR_MACHINE or statics["machine_ground"] is statics["ground"]:
        return False
    return bool(in_rock(g.parts.rows, g.units.rows, ground_for_machine(g, unit), g.setup.corners, unit))
