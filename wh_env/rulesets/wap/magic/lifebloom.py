"""The attribute of a lore that gives back a Wound (wap.lore.life.attribute)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import ChooseUnit, OfPlayer, integer
from wh_env.rulesets.wap.basics.contacts import block_of, touches_model
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.battle.restoring import recover
from wh_env.rulesets.wap.casualties.losses import order_of_loss
from wh_env.rulesets.wap.magic.spells import Attribute, Casting
from wh_env.rulesets.wap.magic.targets import are_friends, gap_between, model_of
from wh_env.rulesets.wap.magic.wizards import is_there

RULE = "wap.lore.life.attribute"
INCHES = 12.0


def is_near(g: BattleCore, wizard: int, model: int) -> bool:
    """Whether a model is within 12" of a wizard; one in a building is where the building is."""
    block = block_of(g, g.models.unit[model])
    if is_inside(g, block) or is_inside(g, block_of(g, wizard)):
        return gap_between(g, wizard, block) <= INCHES + EPS
    return bool(g.work.call(touches_model, g.models.rows, model_of(g, wizard), model, INCHES))


def wounded(g: BattleCore, wizard: int, unit: int) -> int:
    """The model of a unit that recovers a Wound if the unit is chosen: the first of those that it would lose, of those
    that are near the wizard and have lost a Wound; -1: none.
    """
    if not is_there(g, unit) or not (unit == wizard or are_friends(g, wizard, unit)):
        return -1
    m = g.models
    hurt = (k for k in order_of_loss(g, unit) if m.wounds[k] < m.max_wounds[k])
    return next((k for k in hurt if unit == wizard or is_near(g, wizard, k)), -1)


def bloom(g: BattleCore, wizard: int, unit: int) -> None:
    """A model of a unit recovers a Wound."""
    model = wounded(g, wizard, unit)
    recover(g, model, 1)
    if g.recorder is not None:
        g.note(RULE, "recovers a Wound", unit=unit, model=model)


class Lifebloom(Attribute):
    """After a spell of the lore a friendly model near the wizard, or he himself, recovers a Wound."""

    def has_cast(self, g: BattleCore, casting: Casting) -> None:
        wizard = casting.caster
        if not is_there(g, wizard):
            return
        units = [unit for unit in g.units_of(casting.player) if wounded(g, wizard, unit) >= 0]
        if len(units) == 1:
            bloom(g, wizard, units[0])
        elif units:
            g.push(Recover, casting.player, wizard)


class Recover(OfPlayer):
    """A player says which model recovers a Wound."""

    WIZARD = integer(row_of("units"))
    asks = ("recover-wound",)

    def advance(self, g: BattleCore, f: int) -> int:
        return g.ask(RecoverWound, g.stack[f + Recover.PLAYER], g.stack[f + Recover.WIZARD])


class RecoverWound(ChooseUnit):
    name = "recover-wound"
    what = "A model of which unit recovers a Wound: the wizard, or one within 12 inches of him."
    policy = "The dearest of those that have the fewest Wounds left."
    keys = (RULE,)
    squad = False

    def may(self, g: BattleCore, unit: int) -> bool:
        return wounded(g, g.stack[g.frame + Recover.WIZARD], unit) >= 0

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        wizard = g.stack[f + Recover.WIZARD]
        g.pop()
        bloom(g, wizard, unit)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        wizard, u = g.stack[f + Recover.WIZARD], g.units
        units = [unit for unit in g.units_of(u.owner[wizard]) if self.may(g, unit)]
        left = {unit: g.models.wounds[wounded(g, wizard, unit)] for unit in units}
        best = min(units, key=lambda unit: (left[unit], -u.points[unit] // max(1, u.count[unit]), unit))
        return int(g.setup.space.own + best - g.players.first_unit[u.owner[wizard]])
