"""When greedy play uses a magic item."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import item_at
from wh_env.rulesets.wap.items.windows import USE, UseItems


def best_use(g: BattleCore, mask: Array) -> int:
    """The item is used if its ``Use`` says that this is worth something now."""
    k = UseItems.next_item(g, g.frame)
    use = item_at(g, k).use_at(UseItems.moment(g, g.frame))
    return g.setup.space.option + USE if use is not None and use.worth(g, k) > 0 else 0


SCORERS = {"use-item": best_use}
