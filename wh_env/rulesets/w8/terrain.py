"""Types of terrain features (w8.mission.terrain, w8.attack.cover).

The core rules only say whether features are solid, and give cover on or within any of them (w8.mission.expansions).
Shapes and parts of the features come from the battlefields.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.rulesets.w40k.terrain.cover import Trait
from wh_env.rulesets.w40k.terrain.types import TerrainType

SHELTER = Trait.COVER_WITHIN  # w8.attack.cover

HILLS = TerrainType("Hills", SHELTER | Trait.HILL, ends=True)
RUINS = TerrainType("Ruins", SHELTER | Trait.RUINS, ends=True)
WOODS = TerrainType("Woods", SHELTER | Trait.WOODS, ends=True)
CRATERS = TerrainType("Craters", SHELTER | Trait.CRATER, ends=True)
BARRICADES = TerrainType("Barricades", SHELTER | Trait.BARRICADE, ends=True)
DEBRIS = TerrainType("Debris", SHELTER | Trait.BATTLEFIELD_DEBRIS, ends=True)

# by kind of feature, as battlefields name them
TYPES: Mapping[str, TerrainType] = MappingProxyType(
    {
        "ruins": RUINS,
        "woods": WOODS,
        "crater": CRATERS,
        "barricade": BARRICADES,
        "debris": DEBRIS,
        "statue": DEBRIS,
        "container": DEBRIS,
        "hill": HILLS,
        "building": HILLS,
    }
)
