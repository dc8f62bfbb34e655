"""What effects do now to a unit as a whole (``basics.unit_changes``). Battles without effects answer each question at
once.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import item_at, rows_carried, spend
from wh_env.rulesets.wap.basics.dice import rolled_number, times_of
from wh_env.rulesets.wap.basics.effects import acting_on, changed_by, effect_of, effects_of, end_effect, is_any_with
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.basics.unit_changes import AS_EVER, LEADERSHIP, UnitChanges


def changes_of_unit(g: BattleCore, unit: int) -> list[tuple[str, UnitChanges]]:
    """(name of the effect, what it does to the unit as a whole) for each that acts on it."""
    if not is_any_with(g, "whole"):
        return []
    found = (effect_of(g, k) for k in acting_on(g, unit))
    return [(effect.name, effect.whole) for effect in found if effect.whole != AS_EVER]


def result_under_effects(g: BattleCore, unit: int) -> int:
    """What effects add to the combat result of a unit now; dice are rolled for it (wap.item.banner.war-banner,
    .battle-banner).
    """
    total = 0
    for name, changes in changes_of_unit(g, unit):
        dice, _, plus = changes.result[:3]
        if dice or plus:
            amount = rolled_number(g, changes.result)
            g.note(changes.rule, "adds to its result", unit=unit, name=name, amount=amount)
            total += amount
    return total


def average_result(g: BattleCore, unit: int) -> float:
    """What effects add to the combat result of a unit on average."""
    numbers = (changes.result for _, changes in changes_of_unit(g, unit))
    return sum((0.5 * number[0] * (number[1] + 1) + number[2]) * times_of(number) for number in numbers)


def rally_bonus(g: BattleCore, unit: int) -> int:
    """What is added to the Leadership of a unit that tries to rally (wap.item.banner.banner-of-duty)."""
    return sum(changes.rally for _, changes in changes_of_unit(g, unit))


def is_inspired(g: BattleCore, unit: int) -> bool:
    """Whether a unit may use the Leadership of a General who is not in it (wap.item.banner.standard-of-discipline)."""
    return all(changes.is_inspired for _, changes in changes_of_unit(g, unit))


def lent_leadership(g: BattleCore, line: int) -> int:
    """The Leadership that a General's fighting profile lends, without what effects add for his own unit alone
    (wap.item.banner.standard-of-discipline).
    """
    unit = g.lines.unit[line]
    if all(changes.is_lent for _, changes in changes_of_unit(g, unit)):
        return characteristic(g, line, "ld")
    return changed_by(g, line, [k for k in acting_on(g, unit) if effect_of(g, k).whole.is_lent])["ld"]


def shares_leadership(g: BattleCore, unit: int) -> bool:
    """Whether other models may use the Leadership of a unit (wap.item.enchanted.terrifying-mask)."""
    return all(changes.shares_leadership for _, changes in changes_of_unit(g, unit))


def may_roll_again(g: BattleCore, unit: int, roll: str) -> str:
    """The rule of the effect that lets a unit make a roll of ``unit_changes`` again; empty: there is none
    (wap.item.banner.rampagers-standard, .banner-of-courage).
    """
    return next((changes.rule for _, changes in changes_of_unit(g, unit) if roll in changes.again), "")


def has_failed(g: BattleCore, unit: int, *, uses: bool = False) -> None:
    """A unit has failed a Leadership test: it no longer may roll its first one again. ``uses``: it does so now, else
    the item is lost (wap.item.banner.gleaming-pennant).
    """
    if not effects_of(g):
        return
    for k in [k for k in acting_on(g, unit) if LEADERSHIP in effect_of(g, k).whole.again]:
        rule, bearer = effect_of(g, k).whole.rule, g.effects.caster[k]
        end_effect(g, k)
        for row in rows_carried(g):
            if g.items.unit[row] == bearer and item_at(g, row).rule == rule:
                if uses:
                    spend(g, row)
                g.items.used[row] = 1
