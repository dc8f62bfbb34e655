"""Wells that units may drink from at the end of their Movement phase (wap.terrain.monument.wyrding-well)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.ground import Ground, distance_to, with_trait
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.special_rules import gain
from wh_env.rulesets.wap.battle.restoring import restore
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.codes import DRANK, POISONED
from wh_env.rulesets.wap.rule_book import STUPIDITY, UNBREAKABLE

RULE = "wap.terrain.monument.wyrding-well"
RESTORES = 2  # D6 of Wounds' worth of models


def well_at(g: BattleCore, unit: int) -> Ground | None:
    """The well that a unit on the table is near enough to; None: there is none."""
    for ground in with_trait(g, "well"):
        well = ground.traits.well
        if well is not None and distance_to(g, unit, ground) <= well.inches + EPS:
            return ground
    return None


def may_drink(g: BattleCore, unit: int) -> bool:
    """Whether a unit may drink: it does not fight, does not flee, is not stupid (wap.special.stupidity.failed), and has
    not drunk in this turn.
    """
    u = g.units
    if u.place[unit] != ON_TABLE or u.fleeing[unit] or u.stupid[unit] or u.did[unit] & DRANK or engaged(g, unit):
        return False
    return well_at(g, unit) is not None


def drink(g: BattleCore, unit: int) -> None:
    """A unit drinks, with all characters in it; a D6 says what comes of it."""
    ground = well_at(g, unit)
    well = ground.traits.well if ground is not None else None
    if well is None:
        return
    g.units.did[unit] |= DRANK
    die = g.d6()
    effect = well.effects[die - 1]
    if g.recorder is not None:
        g.note(RULE, "drinks", unit=unit, die=die, name=effect)
    if effect == "heal":
        restore(g, unit, g.roll(RESTORES), RULE)
        return
    for row in wholly(g, unit):
        if effect == "poison":
            g.units.did[row] |= POISONED
        else:
            gain(g, row, STUPIDITY)
            gain(g, row, UNBREAKABLE)


class Wells(OfPlayer):
    """The units of a player drink one after the other, as many as the player wants."""

    OVER = integer(flag())
    asks = ("drink",)

    def advance(self, g: BattleCore, f: int) -> int:
        if finish_if_left(g):
            return GO
        player = g.stack[f + Wells.PLAYER]
        if not g.stack[f + Wells.OVER] and any(may_drink(g, unit) for unit in g.units_of(player)):
            return g.ask(Drink, player)
        return g.pop()


class Drink(ChooseUnit):
    name = "drink"
    what = "Which unit drinks from a well beside it; done: nobody else does."
    keys = (RULE,)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_drink(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + Wells.OVER] = 1

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        drink(g, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "nobody drinks" if action == 0 else f"{g.default_words(action)} drinks"
