"""Units that fight with a part of their front only slide together (wap.break.reform.slide)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure


class Slides(Procedure):
    """The slides of one combat."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
