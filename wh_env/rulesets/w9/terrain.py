"""Types of terrain features (w9.terrain.*)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.geometry.sight import BLOCKS
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.terrain.cover import Trait
from wh_env.rulesets.w40k.terrain.types import FLOOR, MASS, PARTS, WALL, TerrainType

# numbers of the parts of Ruins (BLOCK["kind"]): those of other features shifted
RUIN_MASS, RUIN_WALL, RUIN_FLOOR = PARTS + MASS, PARTS + WALL, PARTS + FLOOR

HILLS = TerrainType("Hills", Trait.HILL, ends=True)  # w9.terrain.hills
OBSTACLES = TerrainType("Obstacles", Trait.OBSTACLE | Trait.COVER_BEHIND, ends=False)  # w9.terrain.obstacles
AREA = TerrainType("Area Terrain", Trait.AREA_TERRAIN | Trait.COVER_WITHIN, ends=True)  # w9.terrain.area
RUINS = TerrainType(
    "Ruins",
    Trait.AREA_TERRAIN | Trait.RUINS | Trait.COVER_WITHIN,
    ends=True,
    parts=PARTS,
    screen=BLOCKS,
    spares=int(Keyword.AIRCRAFT),
)

# by kind of feature, as battlefields name them (w9.terrain.common)
TYPES: Mapping[str, TerrainType] = MappingProxyType(
    {
        "ruins": RUINS,
        "woods": AREA,
        "crater": AREA,
        "barricade": OBSTACLES,
        "debris": OBSTACLES,
        "statue": OBSTACLES,
        "container": OBSTACLES,
        "hill": HILLS,
        "building": HILLS,
    }
)
