"""Values of effects that are data, and of Command points, in points as in ``appraise``."""

from __future__ import annotations

from typing import cast

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.psychic.data import Amount
from wh_env.rulesets.w40k.reaction.windows import UseStratagem
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser
from wh_env.rulesets.w40k.view.chances import amounts, mean_lost

COMMAND_POINT = 8.0  # points that a Command point is worth at the start of a battle
USEFUL = 3.0  # points of any other effect
NONE, MORTAL, HEAL, RETURN = "none", "mortal", "heal", "return"
COMMAND_POINTS = ("cp", "stratagem-cp")


def command_point(g: BattleCore) -> float:
    """Points that a Command point is worth now: fewer as fewer battle rounds are left."""
    rounds = max(1, g.setup.rules["rounds"])
    return COMMAND_POINT * float(max(0, rounds + 1 - g.clock.round[0]) / rounds)


def cost(g: BattleCore) -> float:
    """The Command points of the Stratagem that is being decided, in points."""
    kind = cast(UseStratagem, g.setup.ruleset.kinds[g.clock.kind[0]])
    return command_point(g) * float(g.setup.statics["stratagem_costs"][g.clock.player[0]][kind.stratagem])


def mortal_worth(values: EditionAppraiser, g: BattleCore, unit: int, amount: Amount) -> float:
    """Points that mortal wounds (``amount``: dice, sides, plus) take from the unit on average."""
    m = g.models
    wounds = sum(m.wounds[k] for k in g.members(unit))
    better = [m.feel_no_pain[k] for k in g.members(unit)]
    ignores = min(better, default=0)  # 0 where a model has none
    return mean_lost(amount, wounds, (7 - ignores) / 6 if ignores else 0.0) * values.price(unit)


def effect_worth(
    values: EditionAppraiser, g: BattleCore, player: int, effect: str, unit: int, owner: int, amount: Amount
) -> float:
    """Points that an effect of ``Edition.effects``, which ``owner`` puts on the unit, is worth to the player on
    average.
    """
    sign = 1.0 if g.units.owner[unit] == player else -1.0
    if effect == NONE:
        return 0.0
    if effect == MORTAL:
        return -sign * mortal_worth(values, g, unit, amount)
    likely, m = amounts(amount), g.models
    if effect == HEAL:
        missing = sum(m.max_wounds[k] - m.wounds[k] for k in g.members(unit))
        return sign * values.price(unit) * float(sum(min(value, missing) * chance for value, chance in likely.items()))
    if effect == RETURN:
        first, u = g.units.first[unit], g.units
        gone = [m.max_wounds[k] for k in range(first, first + u.count[unit]) if not m.alive[k]]
        lives = float(sum(sum(gone[:value]) * chance for value, chance in likely.items()))
        return sign * values.price(unit) * lives
    if effect in COMMAND_POINTS:
        mean = sum(value * chance for value, chance in likely.items())
        return (1.0 if owner == player else -1.0) * command_point(g) * mean
    return USEFUL if owner == player else -USEFUL
