"""Orders: what they allow, the order that a formation obeys, and formations without one (epic.orders.*)."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.epic.codes import NO_ORDER

FIRST_ORDER = 1  # value of ``units.order`` for the first order of the list


@dataclass(frozen=True)
class Order:
    """What an order allows. The rules of a battle have a list of orders (epic.orders.advance, ...)."""

    name: str
    move: float  # times the Movement of each unit
    move_cm: float | None  # if not None, this many cm instead
    fires: bool
    reroll_natural_ones: bool
    reaction_to_hit: int | None  # may fire in the enemy's movement instead, with this modifier; None: may not
    assault_move: bool


def order_of(g: BattleCore, unit: int) -> Order | None:
    """The order that the formation obeys, ``None`` if it has none."""
    number = g.units.order[unit]
    orders: tuple[Order, ...] = g.setup.statics["orders"]
    return None if number == NO_ORDER else orders[number - 1]


def needs_order(g: BattleCore, unit: int) -> bool:
    """Whether the formation must still be given an order. A formation in retreat gets none (epic.orders.declare,
    .one-each).
    """
    u = g.units
    return u.place[unit] == ON_TABLE and not u.retreating[unit] and u.order[unit] == NO_ORDER
