"""Types of terrain features: keywords, who may end moves on them, what they screen, when they give cover (w10.terrain.*)."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.geometry.sight import BLOCKS, VEILS
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.terrain.cover import Trait

# numbers of the parts of Ruins (BLOCK["kind"]): those of other features shifted
MASS, FLOOR = 0, 2
RUIN_MASS, RUIN_WALL, RUIN_FLOOR = 4, 5, 6
ACROSS_BARRICADE = 2.0  # inches (w10.terrain.barricades.charge, .fight)
SEEN_NORMALLY = int(
    Keyword.AIRCRAFT | Keyword.TOWERING
)  # w10.terrain.ruins.aircraft-towering, w10.terrain.woods.aircraft-towering

FEATURE_KEYWORDS = Trait((1 << 16) - 1)


def impassable(blocks: Array) -> Array:
    """The blocks that objective markers keep off: all solid ones but floors and what hangs in the air."""
    kind = blocks["kind"]
    floor = (kind == FLOOR) | (kind == RUIN_FLOOR)
    hanging = (blocks["z_low"] > 0.0) & (kind != MASS) & (kind != RUIN_MASS)
    kept: Array = blocks[(blocks["solid"] == 1) & ~floor & ~hanging]
    return kept


@dataclass(frozen=True)
class TerrainType:
    """What a type of terrain feature does.

    Attributes:
        title: as the rulebook calls it. traits: its keywords and its part in shooting.
        ends: whether models can end moves on it, as far as its parts are flat.
        parts: added to the numbers of its parts, where rules on movement name them.
        screen: what its footprint does to sight (``core.geometry.sight``), 0 nothing.
        across: inches over which models on opposite sides of it may fight, 0: no such rule.
    """

    title: str
    traits: Trait
    ends: bool
    parts: int = 0
    screen: int = 0
    across: float = 0.0

    @property
    def keywords(self) -> tuple[str, ...]:
        """Its keywords, in the order of their bits."""
        return tuple(str(bit.name).replace("_", " ") for bit in self.traits & FEATURE_KEYWORDS)

    @property
    def spares(self) -> int:
        """Keywords of models to and from which its footprint does not screen."""
        return SEEN_NORMALLY if self.screen else 0


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
)
RUINS = TerrainType(
    "Ruins",
    Trait.AREA_TERRAIN | Trait.RUINS | Trait.COVER_WITHIN | Trait.COVER_BEHIND | Trait.PLUNGING_FIRE,
    ends=True,
    parts=RUIN_MASS,
    screen=BLOCKS,
)

# by kind of feature, as battlefields name them
TYPES: dict[str, TerrainType] = {
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
