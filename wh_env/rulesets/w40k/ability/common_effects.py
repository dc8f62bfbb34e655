"""The effects of rules as data that every edition knows; editions add theirs (``Edition.effects``)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack.casualties import heal, mortal_wounds
from wh_env.rulesets.w40k.attack.rerolls import Thrown
from wh_env.rulesets.w40k.deploy.loose import return_model
from wh_env.rulesets.w40k.edition import Effect


class RepairRoll(Thrown):
    """The roll for the number of wounds that are healed."""

    name = "repair"

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        heal(g, unit, result)


def nothing(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """Nothing happens."""


# ``mortal`` wounds on a unit, ``heal`` its wounds (``repair``: D3 of them), ``return`` models to it, or nothing
COMMON: Mapping[str, Effect] = MappingProxyType(
    {
        "mortal": lambda g, owner, unit, amount: mortal_wounds(g, unit, amount),
        "heal": lambda g, owner, unit, amount: heal(g, unit, amount),
        "repair": lambda g, owner, unit, amount: RepairRoll.begin(g, owner, unit, (1, 3, 0)),
        "return": lambda g, owner, unit, amount: return_model(g, unit, amount),
        "none": nothing,
    }
)
