"""Types of terrain features (w10.terrain.*)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.geometry.sight import BLOCKS, VEILS
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.terrain.cover import Trait
from wh_env.rulesets.w40k.terrain.types import FLOOR, MASS, PARTS, WALL, TerrainType

# numbers of the parts of Ruins (BLOCK["kind"]): those of other features shifted
RUIN_MASS, RUIN_WALL, RUIN_FLOOR = PARTS + MASS, PARTS + WALL, PARTS + FLOOR
ACROSS_BARRICADE = 2.0  # inches (w10.terrain.barricades.charge, .fight)
# w10.terrain.ruins.aircraft-towering, w10.terrain.woods.aircraft-towering
SEEN_NORMALLY = int(Keyword.AIRCRAFT | Keyword.TOWERING)

CRATERS = TerrainType(
    "Craters and Rubble", Trait.AREA_TERRAIN | Trait.CRATER | Trait.COVER_WITHIN | Trait.ONLY_INFANTRY, ends=True
)
BARRICADES = TerrainType(
    "Barricades and Fuel Pipes",
    Trait.OBSTACLE | Trait.BARRICADE | Trait.COVER_BEHIND | Trait.ONLY_INFANTRY | Trait.ONLY_NEAR,
    ends=False,
    across=ACROSS_BARRICADE,
)
DEBRIS = TerrainType(
    "Battlefield Debris and Statuary",
    Trait.BATTLEFIELD_DEBRIS | Trait.OBSTACLE | Trait.COVER_BEHIND,
    ends=False,
)
HILLS = TerrainType(
    "Hills, Industrial Structures, Sealed Buildings and Armoured Containers",
    Trait.HILL | Trait.COVER_BEHIND,
    ends=True,
)
WOODS = TerrainType(
    "Woods",
    Trait.AREA_TERRAIN | Trait.WOODS | Trait.COVER_WITHIN | Trait.COVER_BEHIND,
    ends=True,
    screen=VEILS,
    spares=SEEN_NORMALLY,
)
RUINS = TerrainType(
    "Ruins",
    Trait.AREA_TERRAIN | Trait.RUINS | Trait.COVER_WITHIN | Trait.COVER_BEHIND | Trait.PLUNGING_FIRE,
    ends=True,
    parts=PARTS,
    screen=BLOCKS,
    spares=SEEN_NORMALLY,
)

# by kind of feature, as battlefields name them
TYPES: Mapping[str, TerrainType] = MappingProxyType(
    {
        "ruins": RUINS,
        "woods": WOODS,
        "crater": CRATERS,
        "barricade": BARRICADES,
        "debris": DEBRIS,
        "statue": DEBRIS,
        "container": HILLS,
        "hill": HILLS,
        "building": HILLS,
    }
)
