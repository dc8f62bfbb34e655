"""Break tests of the side that has lost (wap.break.test, wap.multi.break.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure


class BreakTests(Procedure):
    """The break tests of one combat."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
