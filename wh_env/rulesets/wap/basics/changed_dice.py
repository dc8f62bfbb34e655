"""What effects do now to the dice of a unit's own models, and to the dice rolled at them (``basics.dice_changes``).

Battles without effects answer each question at once.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.dice_changes import UNCHANGED, DiceChanges
from wh_env.rulesets.wap.basics.effects import UNDER_RIDERS, acting_on, effect_of, is_any_with, times_of
from wh_env.rulesets.wap.basics.profiles import lines_of
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls
from wh_env.rulesets.wap.codes import MOUNTS, STOMPS


def changes_of(g: BattleCore, unit: int, *, mounts: bool = False) -> list[DiceChanges]:
    """The changes of dice that act on a unit's own models, once for each time; ``mounts``: on their mounts."""
    if not is_any_with(g, "dice"):
        return []
    found = ((effect_of(g, k), k) for k in acting_on(g, unit))
    rows = [(effect.dice, k) for effect, k in found if not (mounts and effect.spares_mounts)]
    return [dice for dice, k in rows if dice != UNCHANGED for _ in range(times_of(g, k))]


def changes_of_line(g: BattleCore, line: int) -> list[DiceChanges]:
    """The changes of dice that act on a fighting profile."""
    return changes_of(g, g.lines.unit[line], mounts=g.lines.kind[line] == MOUNTS)


def hitting_under_effects(g: BattleCore, line: int, target: int) -> int:
    """What is added to the dice to hit of a fighting profile at unit ``target``, with shots and with blows."""
    own = sum(dice.to_hit for dice in changes_of_line(g, line))
    return own + sum(dice.to_hit_against for dice in changes_of(g, target))


def striking_under_effects(g: BattleCore, line: int, target: int) -> int:
    """What is added to the dice to hit of a fighting profile at unit ``target`` with blows."""
    against = sum(dice.to_strike_against for dice in changes_of(g, target))
    return hitting_under_effects(g, line, target) + against


def hitting_first_under_effects(g: BattleCore, line: int) -> int:
    """What is added to the dice to hit of blows of a fighting profile in the first round of a combat."""
    return sum(dice.to_hit_first for dice in changes_of_line(g, line))


def wounding_under_effects(g: BattleCore, line: int) -> int:
    """What is added to the dice to wound of a fighting profile, with shots and with blows."""
    return sum(dice.to_wound for dice in changes_of_line(g, line))


def rerolls_under_effects(g: BattleCore, unit: int, roll: str) -> Rerolls:
    """The faces that a unit's own models roll again at a roll of ``dice_changes.ROLLS``."""
    changes = changes_of(g, unit)
    if not changes:
        return NONE
    return Rerolls(
        failed=sum(roll in dice.failed for dice in changes),
        ones=any(roll in dice.ones for dice in changes),
        sixes=any(roll in dice.sixes for dice in changes),
    )


def wound_rerolls_against(g: BattleCore, unit: int) -> Rerolls:
    """The dice to wound a unit's own models that are rolled again because of effects on them."""
    again = sum(dice.wounds_again for dice in changes_of(g, unit))
    return Rerolls(passed=again) if again else NONE


def is_dazed(g: BattleCore, unit: int) -> bool:
    """Whether an effect keeps a unit's own models from attacking, and lets blows at them hit without dice
    (wap.item.armour.helm-of-discord).
    """
    return is_any_with(g, "dazes") and any(effect_of(g, k).dazes for k in acting_on(g, unit))


def is_idle(g: BattleCore, line: int) -> bool:
    """Whether a fighting profile cannot attack because its models are dazed. What they ride attacks, and stomps."""
    unit, kind = g.lines.unit[line], g.lines.kind[line]
    if kind in UNDER_RIDERS or not is_any_with(g, "dazes"):
        return False
    ridden = any(g.lines.kind[row] == MOUNTS for row in lines_of(g, unit))
    return not (kind == STOMPS and ridden) and is_dazed(g, unit)


def strength_under_effects(g: BattleCore, line: int) -> str:
    """The characteristic that a fighting profile uses in place of Strength when it wounds in close combat; empty: its
    Strength.
    """
    return next((dice.strength for dice in changes_of_line(g, line) if dice.strength), "")


def blind_shot_needs(g: BattleCore, unit: int, targets: tuple[int, ...]) -> list[int]:
    """The dice that a shot of a unit needs for which Ballistic Skill does not count, one for each effect on the unit
    and on ``targets``, the units that it is aimed at.
    """
    own = [dice.blind_shots for dice in changes_of(g, unit) if dice.blind_shots]
    theirs = (dice.blind_shots_against for target in targets for dice in changes_of(g, target))
    return own + [needed for needed in theirs if needed]
