"""Which formations may fire, in the Fire phase and on overwatch (epic.fire.who-may, epic.orders.overwatch)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.epic.fire.aim import fill_aims
from wh_env.rulesets.epic.orders.orders import order_of

ANY = -1


def may_fire(g: BattleCore, unit: int, only: int = ANY) -> bool:
    """Whether the formation may fire now and has a legal target (epic.fire.who-may)."""
    u = g.units
    if u.place[unit] != ON_TABLE or u.fired[unit] or u.retreating[unit]:
        return False
    order = order_of(g, unit)
    if order is None or not order.fires:
        return False
    statics = g.setup.statics
    found = g.work.call(
        fill_aims, g.models.rows, u.rows, statics["ground"], g.setup.corners, statics["weapons"], g.aims, unit, only
    )
    return bool(found)


def reacts(g: BattleCore, unit: int) -> bool:
    """Whether the formation is on overwatch and has not fired this turn."""
    u = g.units
    if u.place[unit] != ON_TABLE or u.fired[unit] or u.retreating[unit]:
        return False
    order = order_of(g, unit)
    return order is not None and order.reaction_to_hit is not None


def anyone_on_overwatch(g: BattleCore, player: int) -> bool:
    """Whether any formation of the player could react to a move."""
    return any(reacts(g, unit) for unit in g.units_of(player))
