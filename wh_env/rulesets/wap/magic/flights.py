"""Moves through the air that magic gives to a character, as if made with the remaining moves
(wap.lore.shadow.attribute-smoke-and-mirrors, .steed-of-shadows).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import GO, Procedure, integer
from wh_env.rulesets.wap.basics.contacts import block_of, meet
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.casualties.crossings import forget
from wh_env.rulesets.wap.characters.stepping_out import take_bearings
from wh_env.rulesets.wap.magic.spells import Attribute, Casting
from wh_env.rulesets.wap.magic.wizards import is_fleeing, is_there
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.movement.other_moves import MoveUnit
from wh_env.rulesets.wap.movement.plans import set_out
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.special.flying import is_grounded

MIRRORS = "wap.lore.shadow.attribute-smoke-and-mirrors"


def may_fly_off(g: BattleCore, unit: int, *, fighting: bool) -> bool:
    """Whether magic can carry a character off: not out of a building, out of a combat only if ``fighting``, and only if
    anybody flies.
    """
    block = block_of(g, unit)
    if is_grounded(g) or not is_there(g, unit) or is_fleeing(g, unit) or is_inside(g, block) or g.units.drives[unit]:
        return False
    return fighting or not engaged(g, block)


def fly_off(g: BattleCore, unit: int, inches: int, rule: str) -> None:
    """A character may fly so many inches at once, alone: he leaves the unit that he is in. ``rule``: why."""
    if g.recorder is not None:
        g.note(rule, "may fly", unit=unit, far=inches)
    g.wizards.wings[unit] = inches
    g.push(SpellFlight, unit)


class SpellFlight(Procedure):
    """A character flies, or stays where he is; combats that he leaves are over for him."""

    UNIT = integer(row_of("units"))
    FLOWN = integer(flag())

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + SpellFlight.UNIT]
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        if g.stack[f + SpellFlight.FLOWN]:
            g.wizards.wings[unit] = 0
            meet(g)
            return g.pop()
        g.stack[f + SpellFlight.FLOWN] = 1
        if host_of(g, unit) >= 0:
            take_bearings(g, unit)
        set_out(g, unit)
        forget(g, unit)
        g.push(MoveUnit, unit)
        return GO


class Mirrors(Attribute):
    """After a spell of the lore the wizard may fly, also out of a combat."""

    INCHES = 10

    def has_cast(self, g: BattleCore, casting: Casting) -> None:
        if may_fly_off(g, casting.caster, fighting=True):
            fly_off(g, casting.caster, self.INCHES, MIRRORS)
