"""What the players of units that have beaten their enemies do: pursue, try to restrain, overrun (wap.pursuit.choice, .overrun)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure


class PursueOrRestrain(Procedure):
    """The choices of all victorious units of one combat, before any flee roll."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
