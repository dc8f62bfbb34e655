"""Types of terrain features (w9.terrain.*)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.geometry.sight import OBSCURES
from wh_env.rulesets.w40k.profiles import HUGE, Keyword
from wh_env.rulesets.w40k.terrain.cover import Trait
from wh_env.rulesets.w40k.terrain.types import FLOOR, MASS, PARTS, WALL, TerrainType

# numbers of the parts of Ruins (BLOCK["kind"]): those of other features shifted
RUIN_MASS, RUIN_WALL, RUIN_FLOOR = PARTS + MASS, PARTS + WALL, PARTS + FLOOR
CONTAINER_MASS = 2 * PARTS + MASS

HILLS = TerrainType("Hills", Trait.HILL, ends=True)  # w9.terrain.hills
BARRICADES = TerrainType(
    "Barricades",
    Trait.OBSTACLE
    | Trait.BARRICADE
    | Trait.DEFENCE_LINE
    | Trait.LIGHT_COVER
    | Trait.HEAVY_COVER
    | Trait.DEFENSIBLE
    | Trait.UNSTABLE_POSITION
    | Trait.DIFFICULT_GROUND
    | Trait.COVER_BEHIND,
    ends=False,
    across=2.0,  # w9.terrain.defence-line
)
CONTAINERS = TerrainType(
    "Armoured Containers",
    Trait.OBSTACLE | Trait.LIGHT_COVER | Trait.SCALEABLE | Trait.EXPOSED_POSITION | Trait.COVER_BEHIND,
    ends=True,
    parts=2 * PARTS,
)
DEBRIS = TerrainType(
    "Battlefield Debris", Trait.OBSTACLE | Trait.LIGHT_COVER | Trait.UNSTABLE_POSITION | Trait.COVER_BEHIND, ends=False
)
CRATERS = TerrainType(
    "Craters",
    Trait.AREA_TERRAIN | Trait.CRATER | Trait.LIGHT_COVER | Trait.DIFFICULT_GROUND | Trait.COVER_WITHIN,
    ends=True,
)
WOODS = TerrainType(
    "Woods",
    Trait.AREA_TERRAIN | Trait.WOODS | Trait.DENSE_COVER | Trait.BREACHABLE | Trait.DEFENSIBLE | Trait.DIFFICULT_GROUND,
    ends=True,
)
RUINS = TerrainType(
    "Ruins",
    Trait.AREA_TERRAIN
    | Trait.RUINS
    | Trait.SCALEABLE
    | Trait.BREACHABLE
    | Trait.LIGHT_COVER
    | Trait.DEFENSIBLE
    | Trait.OBSCURING
    | Trait.COVER_WITHIN,
    ends=True,
    parts=PARTS,
    screen=OBSCURES,  # w9.terrain.obscuring, .within
    screen_height=5.0,
    spares=int(Keyword.AIRCRAFT) | HUGE,  # w9.terrain.obscuring.large, .reverse
    engage=2.0,  # w9.terrain.obscuring.engagement-range
)

# by kind of feature, as battlefields name them (w9.terrain.common)
TYPES: Mapping[str, TerrainType] = MappingProxyType(
    {
        "ruins": RUINS,
        "woods": WOODS,
        "crater": CRATERS,
        "barricade": BARRICADES,
        "debris": DEBRIS,
        "statue": DEBRIS,
        "container": CONTAINERS,
        "hill": HILLS,
        "building": HILLS,
    }
)
