"""Combat reforms (wap.break.reform.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure


class CombatReforms(Procedure):
    """The combat reforms of one combat, after all pursuits."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
