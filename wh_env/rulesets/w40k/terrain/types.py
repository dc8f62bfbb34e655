"""The rules of types of terrain features, as data: keywords, ends of moves, screening of sight, cover (terrain.*)."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.tables import Array
from wh_env.rulesets.w40k.terrain.cover import Trait

# Numbers of the parts of a feature (BLOCK["kind"]). A type may add a multiple of ``PARTS``, so that rules on movement
# can tell its parts from those of other types.
MASS, WALL, FLOOR = 0, 1, 2
PARTS = 4

FEATURE_KEYWORDS = Trait(
    (1 << 16) - 1 | Trait.DEFENCE_LINE | Trait.UNSTABLE_POSITION | Trait.EXPOSED_POSITION | Trait.INSPIRING
)


def impassable(blocks: Array) -> Array:
    """The blocks on which no objective marker can lie: all solid ones except floors and parts in the air."""
    part = blocks["kind"] % PARTS
    hanging = (blocks["z_low"] > 0.0) & (part != MASS)
    kept: Array = blocks[(blocks["solid"] == 1) & (part != FLOOR) & ~hanging]
    return kept


@dataclass(frozen=True)
class PartRules:
    """Keywords of models that pass ``through`` some parts of terrain, and of those that may stand on ``floors``.

    The parts are bits by their numbers (``BLOCK["kind"]``).
    """

    through: int = 0
    through_parts: int = 0
    floors: int = 0
    floor_parts: int = 0


@dataclass(frozen=True)
class TerrainType:
    """The rules of a type of terrain feature.

    Attributes:
        title: its name in the rulebook.
        traits: its keywords and its part in shooting.
        ends: whether models can end moves on its flat parts.
        parts: a number added to the numbers of its parts, if rules on movement name them.
        screen: the effect of its footprint on sight (``core.geometry.sight``), 0: none.
        screen_height: the least height in inches of a feature whose footprint has that effect.
        spares: keywords of models to and from which its footprint does not screen.
        across: inches over which models on opposite sides of it may fight; 0: no such rule.
        engage: inches within which models on opposite sides of its footprint are within Engagement Range; 0: no such
            rule.
    """

    title: str
    traits: Trait
    ends: bool
    parts: int = 0
    screen: int = 0
    across: float = 0.0
    spares: int = 0
    screen_height: float = 0.0
    engage: float = 0.0

    @property
    def keywords(self) -> tuple[str, ...]:
        """Its keywords, in the order of their bits."""
        return tuple(str(bit.name).replace("_", " ") for bit in self.traits & FEATURE_KEYWORDS)
