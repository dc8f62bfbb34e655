"""Numbers of the 10th edition."""

from __future__ import annotations

from wh_env.rulesets.w10.terrain import RUIN_FLOOR, RUIN_MASS, RUIN_WALL
from wh_env.rulesets.w40k.edition import Measures
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.terrain.types import PartRules

# w10.concepts.engagement-range, w10.concepts.coherency.small, .large
MEASURES = Measures(engagement=1.0, engagement_vertical=5.0, coherency=2.0, coherency_vertical=5.0, large_unit=7)

# who passes through the parts of Ruins (w10.terrain.ruins.through), and who may stand on them (w10.terrain.ruins.floors)
RUIN_PARTS = 1 << RUIN_MASS | 1 << RUIN_WALL | 1 << RUIN_FLOOR
THROUGH_RUINS = int(Keyword.INFANTRY | Keyword.BEASTS)
PART_RULES = PartRules(
    through=THROUGH_RUINS, through_parts=RUIN_PARTS, floors=int(THROUGH_RUINS | Keyword.FLY), floor_parts=RUIN_PARTS
)
