"""What types of terrain features do, as data: keywords, who may end moves on them, what they screen, when they give cover (terrain.*)."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.tables import Array
from wh_env.rulesets.w40k.terrain.cover import Trait

# numbers of the parts of a feature (BLOCK["kind"]); a type may add a multiple of ``PARTS``, so that rules on movement can tell its parts
MASS, WALL, FLOOR = 0, 1, 2
PARTS = 4

FEATURE_KEYWORDS = Trait(
    (1 << 16) - 1 | Trait.DEFENCE_LINE | Trait.UNSTABLE_POSITION | Trait.EXPOSED_POSITION | Trait.INSPIRING
)


def impassable(blocks: Array) -> Array:
    """The blocks that objective markers keep off: all solid ones but floors and what hangs in the air."""
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
    """What a type of terrain feature does.

    Attributes:
        title: as the rulebook calls it. traits: its keywords and its part in shooting.
        ends: whether models can end moves on it, as far as its parts are flat.
        parts: added to the numbers of its parts, where rules on movement name them.
        screen: what its footprint does to sight (``core.geometry.sight``), 0 nothing.
        screen_height: inches that a feature must be high for its footprint to do so.
        spares: keywords of models to and from which its footprint does not screen.
        across: inches over which models on opposite sides of it may fight, 0: no such rule.
        engage: inches within which models that its footprint parts are within Engagement Range of each other, 0: no such rule.
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
