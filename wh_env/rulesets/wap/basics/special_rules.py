"""Special rules of units as their cards name them, with a parameter where one belongs to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore

RANDOM_MOVEMENT = "Random Movement"
# dice in place of a Movement value (wap.special.random-movement.dice)
RANDOM_DICE = re.compile(rf"{RANDOM_MOVEMENT} \(([23]?)D6\)")
STUPID_DICE = 1

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


def units_within(g: BattleCore, unit: int) -> list[int]:
    """Rows of the units that the models of a unit belong to: its own, and those that have joined it."""
    u = g.units
    return [unit, *(other for other in range(len(u.owner)) if u.bodyguard[other] == unit and u.alive[other])]


def rules_of_line(g: BattleCore, line: int) -> Mapping[str, tuple[str, ...]]:
    """Special rules of the models with a fighting profile as the army sheet has them, by name."""
    found: Mapping[str, tuple[str, ...]] = g.setup.statics["line_abilities"][line]
    return found


def model_has(g: BattleCore, model: int, name: str) -> bool:
    """Whether a model has a special rule now: that of its unit, or one of its own."""
    return has(g, g.models.unit[model], name) or name in rules_of_line(g, g.models.line[model])


def model_parameters(g: BattleCore, model: int, name: str) -> tuple[str, ...]:
    """What stands in brackets behind a special rule of a model; empty: nothing, or it has no such rule."""
    own: tuple[str, ...] = rules_of_line(g, g.models.line[model]).get(name, ())
    return parameters(g, g.models.unit[model], name) + own


def random_dice(rules: tuple[str, ...]) -> int:
    """How many dice a unit with these rules rolls in place of a Movement value, the fewest of several, 0: it has one."""
    found = (RANDOM_DICE.fullmatch(rule) for rule in rules)
    return min((int(match[1] or 1) for match in found if match), default=0)


def movement_dice(g: BattleCore, unit: int) -> int:
    """The same of a unit of the battle (wap.special.random-movement.unit); one that is stupid rolls one die (wap.special.stupidity.until-passed)."""
    if g.units.stupid[unit]:
        return STUPID_DICE
    found = (random_dice(g.setup.statics["special"][row]) for row in units_within(g, unit))
    return min((dice for dice in found if dice), default=0)
