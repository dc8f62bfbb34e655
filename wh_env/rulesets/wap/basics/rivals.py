"""Enemy characters in contact with a unit (wap.item.armour.helm-of-discord, wap.item.weapon.sword-of-anti-heroes)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import apart_from, block_of, foes_of, touches_block
from wh_env.rulesets.wap.basics.garrisons import opponent_in_assault
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.parties import rows_in_party
from wh_env.rulesets.wap.basics.profiles import wholly


def rivals_of(g: BattleCore, unit: int) -> list[int]:
    """The enemy characters in contact with the block that a unit stands in, in the order of their rows. In an assault
    of a building they are those in the enemy's party; before the assault is fought there is no party yet, and all in
    the enemy's unit count (wap.building.assault.groups).
    """
    own = block_of(g, unit)
    opponent = opponent_in_assault(g, own)
    if opponent >= 0 and g.units.fighting[own]:
        return [row for row in rows_in_party(g, opponent) if is_character(g, row)]
    heroes = [(row, foe) for foe in foes_of(g, own) for row in wholly(g, foe) if is_character(g, row)]
    return sorted(row for row, foe in heroes if foe == opponent or touches(g, row, foe, own))


def touches(g: BattleCore, character: int, foe: int, unit: int) -> bool:
    """Whether a character in the enemy unit ``foe``, which is in contact with a unit, touches that himself."""
    if len(wholly(g, foe)) == 1:
        return True
    rows = g.models.rows, g.parts.rows, g.units.rows
    return bool(touches_block(*rows, g.units.first[character], unit, apart_from(g, unit, foe)))
