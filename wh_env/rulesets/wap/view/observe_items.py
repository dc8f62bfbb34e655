"""The fields that observations have of magic items: those that the seat knows and that are not used up."""

from __future__ import annotations

from collections.abc import Mapping

from wh_env.core.battle import BattleCore
from wh_env.core.features import UNITS, Field
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import is_left, item_at, rows_carried
from wh_env.rulesets.wap.items.windows import UseItem, UseItems
from wh_env.rulesets.wap.view.observe_magic import EACH, which

FAMILIES = ("weapon", "armour", "talisman", "enchanted", "arcane", "banner")
SECOND = {"enchanted": len(FAMILIES), "arcane": len(FAMILIES) + 1}  # families of which a unit may have two items
UNIT = (
    Field(
        "items",
        "families of the magic items that it has left, as far as they are known: weapon, armour, talisman, enchanted "
        "item, arcane item, banner, a second enchanted item, a second arcane one",
        EACH,
    ),
    Field("which_items", "these items, in the order of the battle's magic items", EACH),
)
DECISION = (Field("item", "the item that is used: its place among the battle's magic items", "/ 32"),)


def fill_items(g: BattleCore, seat: int, own: int, enemy: int, stride: int, out: Array) -> None:
    """Write the fields of the units.

    Args:
        seat: the player who sees. own, enemy: where they begin in ``out`` in the row of slot 0. stride: from one row of
            units to the next.
    """
    found: dict[int, list[int]] = {}
    for k in rows_carried(g):
        if is_left(g, k):
            found.setdefault(g.items.unit[k], []).append(k)
    for unit, rows in found.items():
        side = g.units.owner[unit]
        slot = unit - g.players.first_unit[side]
        if slot < UNITS:
            at = (own if side == seat else enemy) + slot * stride
            out[at], out[at + 1] = which(families_of(g, rows)), which(g.items.item[k] for k in rows)


def families_of(g: BattleCore, rows: list[int]) -> list[int]:
    """The numbers of the families of the items of a unit."""
    found = list[int]()
    for k in rows:
        family = item_at(g, k).family
        number = FAMILIES.index(family)
        found.append(SECOND.get(family, number) if number in found else number)
    return found


def decision_values(g: BattleCore) -> Mapping[str, float]:
    """The value of the field of a waiting decision whether an item is used."""
    if not isinstance(g.setup.ruleset.kinds[g.clock.kind[0]], UseItem):
        return {}
    number: int = g.items.item[UseItems.next_item(g, g.frame)]
    return {"item": min(1.0, (number + 1) / UNITS)}
