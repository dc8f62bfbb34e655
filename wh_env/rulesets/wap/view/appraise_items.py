"""When greedy play uses a magic item."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import item_at
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.basics.rivals import rivals_of
from wh_env.rulesets.wap.items.rivals import Rivalries
from wh_env.rulesets.wap.items.windows import USE, UseItem, UseItems
from wh_env.rulesets.wap.morale.leadership import LeadershipTest, leadership_value

LOWEST_SURE = 12  # the least Leadership that no test on two dice fails


def best_use(g: BattleCore, mask: Array) -> int:
    """The item is used in the way that is worth most, if its ``Use`` says that this is worth something now."""
    k = UseItems.next_item(g, g.frame)
    use = item_at(g, k).use_at(UseItems.moment(g, g.frame))
    assert use is not None
    worth, way = max((use.worth_in(g, k, n), -n) for n in range(len(UseItem.ways(g, g.frame))))
    return g.setup.space.option + USE - way if worth > 0 else 0


def best_rival(g: BattleCore, mask: Array) -> int:
    """The rival whose blows are the most, by what they are worth and by the chance that the test fails."""
    unit = g.items.unit[Rivalries.next_item(g, g.frame)]
    at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]

    def worth(rival: int) -> float:
        line = g.units.first_line[rival]
        fails = 1.0 - LeadershipTest("").chances[min(LOWEST_SURE, leadership_value(g, rival))]
        return float(fails * characteristic(g, line, "a") * characteristic(g, line, "s"))

    return int(at + max(rivals_of(g, unit), key=worth))


SCORERS = {"use-item": best_use, "name-rival": best_rival}
