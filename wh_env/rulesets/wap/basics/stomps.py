"""Which units a stomp hits less often (wap.special.stomp)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.contacts import is_one_model
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.codes import INFANTRY
from wh_env.rulesets.wap.rule_book import SKIRMISHERS


def halves_stomps(g: BattleCore, target: int) -> bool:
    """Whether a stomp makes D3 hits on a unit: it is a lone model of infantry or skirmishers."""
    stands = g.units.place[target] == ON_TABLE and g.units.kind[target] == INFANTRY
    alone = stands and is_one_model(g, target) and not is_inside(g, target)
    return alone or has(g, target, SKIRMISHERS)
