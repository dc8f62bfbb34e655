"""Units that must roll passed ward saves again: near ground, and in contact with the bearer of a magic item
(wap.building.arcane.sigmarite-shrine, wap.item.enchanted.other-tricksters-shard).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.auras import is_doomed
from wh_env.rulesets.wap.basics.carried import item_at, rows_carried, show
from wh_env.rulesets.wap.basics.contacts import apart_from, block_of, touches_block
from wh_env.rulesets.wap.basics.effects import effect_of, rows_with_power
from wh_env.rulesets.wap.basics.garrisons import is_inside, opponent_in_assault
from wh_env.rulesets.wap.basics.powers import SpoilsWards


def spoilers_of(g: BattleCore, unit: int) -> list[int]:
    """Rows of the effects by which a unit must roll passed ward saves again."""
    return [k for k in rows_with_power(g, SpoilsWards) if is_in_contact(g, g.effects.unit[k], unit)]


def is_in_contact(g: BattleCore, bearer: int, unit: int) -> bool:
    """Whether a unit is that of the bearer, or in base contact with his own model. In an assault on a building both
    sides are in contact.
    """
    own, block = block_of(g, bearer), block_of(g, unit)
    if g.units.place[own] != ON_TABLE or g.units.place[block] != ON_TABLE:
        return False
    if block == own or opponent_in_assault(g, own) == block:
        return True
    if is_inside(g, own) or is_inside(g, block):
        return False
    rows, model = (g.models.rows, g.parts.rows, g.units.rows), g.units.first[bearer]
    return bool(g.work.call(touches_block, *rows, model, block, apart_from(g, own, block)))


def must_save_again(g: BattleCore, unit: int) -> bool:
    """Whether a unit's own models must roll passed ward saves again."""
    return is_doomed(g, unit) or bool(spoilers_of(g, unit))


def show_spoilers(g: BattleCore, unit: int) -> None:
    """The items because of which a unit has rolled ward saves again come to light (wap.army.list.hidden), and events
    tell of them.
    """
    for row in spoilers_of(g, unit):
        bearer, name = g.effects.unit[row], effect_of(g, row).name
        for k in rows_carried(g):
            if g.items.unit[k] == bearer and item_at(g, k).name == name:
                show(g, k)
                g.note(item_at(g, k).rule, "spoils saves", unit=bearer, target=unit, name=name)
