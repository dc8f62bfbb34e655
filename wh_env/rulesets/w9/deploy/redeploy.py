"""Rules that set units up again after both armies are deployed (w9.deploy.after, w9.deploy.redeploy.no-reserve)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of, flag, row_of
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import DEPLOYING, ON_TABLE
from wh_env.rulesets.w40k.deploy.deployment import DeployUnit
from wh_env.rulesets.w40k.deploy.formations import STRATEGIC, to_reserves
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.strength import living


def redeploy(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """A rule lets its owner set up to ``amount`` units up again, on the battlefield only."""
    g.push(Redeploy, owner, amount, 0)


def redeploy_or_reserve(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """A rule lets its owner set up to ``amount`` units up again, on the battlefield or in Strategic Reserves."""
    g.push(Redeploy, owner, amount, 1)


def take_up(g: BattleCore, unit: int) -> None:
    """Take the unit off the battlefield, so that it can be deployed again."""
    for model in living(g, unit):
        g.models.on_table[model] = 0
    g.units.place[unit] = DEPLOYING
    forget_targets(g)


class Redeploy(OfPlayer):
    """The player selects units one after the other; each is set up again at once."""

    LEFT = integer(count_of("units"))
    RESERVES = integer(flag())  # whether they can be placed in Strategic Reserves
    asks = ("redeploy",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + Redeploy.PLAYER]
        if g.stack[f + Redeploy.LEFT] and any(g.units.place[unit] == ON_TABLE for unit in g.units_of(player)):
            return g.ask(SelectToRedeploy, player)
        return g.pop()


class SelectToRedeploy(ChooseUnit):
    name = "redeploy"
    what = "Which own unit is taken up and set up again (done: none)."
    keys = ("w9.deploy.after",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return g.units.place[unit] == ON_TABLE

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + Redeploy.LEFT] = 0

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.stack[f + Redeploy.LEFT] -= 1
        g.note("w9.deploy.after", "unit redeployed", unit=unit)
        take_up(g, unit)
        g.push(Redeployed, unit, g.stack[f + Redeploy.RESERVES])


class Redeployed(Procedure):
    """One unit is set up again: on the battlefield only, unless the rule says otherwise
    (w9.deploy.redeploy.no-reserve).
    """

    class Step(Steps):
        BEGIN, END = range(2)

    UNIT = integer(row_of("units"))
    RESERVES = integer(flag())
    asks = ("redeploy-to",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + Redeployed.UNIT]
        if g.stack[f + STEP] == Redeployed.Step.END:
            return g.pop()
        g.stack[f + STEP] = Redeployed.Step.END
        if g.stack[f + Redeployed.RESERVES]:
            return g.ask(RedeployTo, g.units.owner[unit], unit)
        g.push(DeployUnit, unit)
        return GO


class RedeployTo(DecisionKind):
    name = "redeploy-to"
    what = "Whether a unit that is redeployed is set up on the battlefield or placed in Strategic Reserves."
    keys = ("w9.deploy.after", "w9.deploy.redeploy.no-reserve")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[g.setup.space.option] = mask[g.setup.space.option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Redeployed.UNIT]
        if action == g.setup.space.option:
            g.push(DeployUnit, unit)
        else:
            to_reserves(g, unit, STRATEGIC)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return ("on the battlefield", "in Strategic Reserves")[action - g.setup.space.option]
