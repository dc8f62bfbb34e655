"""What must hold of magic items from one action to the next, for programs that play at random."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import item_at, items_of


class ItemAudit:
    """A used item stays used, and what the other side has seen stays known."""

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        self._look()

    def _look(self) -> None:
        self._used, self._seen = self.g.items.used.tolist(), self.g.items.seen.tolist()

    def faults(self) -> list[str]:
        """What changed since the last call and should not have."""
        g, found = self.g, list[str]()
        if not items_of(g):
            return found
        for k, (used, seen) in enumerate(zip(self._used, self._seen, strict=True)):
            if g.items.used[k] < used or g.items.seen[k] < seen:
                found.append(f"{item_at(g, k).name} of unit {g.items.unit[k]} is as if it had not been used or seen")
        self._look()
        return found
