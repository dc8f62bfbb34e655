"""Characters who are part of a unit before it is on the table: in ambush, sent to an area by a die, or delayed."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ATTACHED
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.basics.effects import renew
from wh_env.rulesets.wap.characters.joining import fits, is_open_to, places_for


def could_stand_in(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a unit that is not on the table can take a character in: it is open to him, his base fits, and it has
    ranks enough for the base.
    """
    if not is_open_to(g, character, unit) or not fits(g, character, unit):
        return False
    u, (wide, deep) = g.units, places_for(g, character, unit)
    return (u.block[unit] + wide * deep) // max(deep, wide, u.wide[unit]) >= deep


def waits_with(g: BattleCore, character: int, unit: int, rule: str) -> None:
    """Attach a character to a unit that is not on the table, so that he comes on with it."""
    u = g.units
    u.place[character], u.bodyguard[character], u.files[character] = ATTACHED, unit, 0
    derive(g, unit)
    renew(g)
    g.note(rule, "joins", unit=character, target=unit, files=0)
