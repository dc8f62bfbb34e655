"""Effects of rules as data: an enumerated effect with a unit and an amount."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w10.command.leadership import LeadershipTest
from wh_env.rulesets.w10.command.points import gain_cp
from wh_env.rulesets.w40k.attack.casualties import heal, mortal_wounds, return_model

EFFECTS = ("mortal", "heal", "return", "cp", "leadership", "none")


def take_effect(g: BattleCore, effect: str, owner: int, unit: int, amount: int) -> None:
    """``mortal`` wounds on a unit, ``heal`` its wounds, ``return`` models to it, extra ``cp`` for the owner, a
    ``leadership`` test, or nothing."""
    if effect == "mortal":
        mortal_wounds(g, unit, amount)
    elif effect == "heal":
        heal(g, unit, amount)
    elif effect == "return":
        return_model(g, unit, amount)
    elif effect == "cp":
        gain_cp(g, owner, amount)
    elif effect == "leadership":
        g.push(LeadershipTest, unit)
    elif effect != "none":
        raise ValueError(f"effect {effect!r}: one of {', '.join(EFFECTS)} was expected")
