"""Special rules of units as their cards name them, with a parameter where one belongs to them."""

from __future__ import annotations

import re

from wh_env.core.battle import BattleCore

RANDOM_MOVEMENT = "Random Movement"
# dice in place of a Movement value (wap.special.random-movement.dice)
RANDOM_DICE = re.compile(rf"{RANDOM_MOVEMENT} \(([23]?)D6\)")


def random_dice(rules: tuple[str, ...]) -> int:
    """How many dice a unit with these rules rolls in place of a Movement value, 0: it has one."""
    found = (RANDOM_DICE.fullmatch(rule) for rule in rules)
    return next((int(match[1] or 1) for match in found if match), 0)


def movement_dice(g: BattleCore, unit: int) -> int:
    """The same of a unit of the battle."""
    return random_dice(g.setup.statics["special"][unit])
