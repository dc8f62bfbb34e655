"""Special rules of units as their cards name them, with a parameter where one belongs to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.codes import CHAMPION

RANDOM_MOVEMENT = "Random Movement"
# dice in place of a Movement value (wap.special.random-movement.dice)
RANDOM_DICE = re.compile(rf"{RANDOM_MOVEMENT} \(([23]?)D6\)")


RULE = re.compile(r"([^()]+?)(?: \(([^()]*)\))?")
LOSABLE = ("Frenzy",)  # rules that a unit can lose, in the order of their bits in ``units.lost_rules``


def abilities_of(rules: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Special rules by name, each with the parameters that it has, in the order given: ``{"Impact Hits": ("1",), "Stubborn": ()}``."""
    found: dict[str, tuple[str, ...]] = {}
    for rule in rules:
        match = RULE.fullmatch(rule)
        if match is None:
            continue
        name, parameter = match[1], match[2]
        found[name] = found.get(name, ()) + ((parameter,) if parameter is not None else ())
    return MappingProxyType(found)


def has(g: BattleCore, unit: int, name: str) -> bool:
    """Whether the models of a unit have a special rule now, from their card or their troop type."""
    if name not in g.setup.statics["abilities"][unit]:
        return False
    return not (name in LOSABLE and g.units.lost_rules[unit] >> LOSABLE.index(name) & 1)


def parameters(g: BattleCore, unit: int, name: str) -> tuple[str, ...]:
    """What stands in brackets behind a special rule of a unit; empty: nothing, or it has no such rule."""
    found: tuple[str, ...] = g.setup.statics["abilities"][unit].get(name, ())
    return found if has(g, unit, name) else ()


def bearers(g: BattleCore, unit: int, name: str) -> int:
    """How many models of a unit have a special rule: all of them, or its champion for himself."""
    if has(g, unit, name):
        return int(g.units.alive[unit])
    if name not in g.setup.statics["champion_abilities"][unit]:
        return 0
    return sum(g.models.role[k] == CHAMPION for k in g.members(unit))


def is_majority(some: int, models: int) -> bool:
    """Whether so many of the models of a unit are more than half of them."""
    return 2 * some > models


def random_dice(rules: tuple[str, ...]) -> int:
    """How many dice a unit with these rules rolls in place of a Movement value, 0: it has one."""
    found = (RANDOM_DICE.fullmatch(rule) for rule in rules)
    return next((int(match[1] or 1) for match in found if match), 0)


def movement_dice(g: BattleCore, unit: int) -> int:
    """The same of a unit of the battle."""
    return random_dice(g.setup.statics["special"][unit])
