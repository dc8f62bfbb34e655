"""Special rules of units as their cards name them, with a parameter where one belongs to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import stands_in

RANDOM_MOVEMENT = "Random Movement"
# dice in place of a Movement value (wap.special.random-movement.dice)
RANDOM_DICE = re.compile(rf"{RANDOM_MOVEMENT} \(([23]?)D6\)")
STUPID_DICE = 1

RULE = re.compile(r"([^()]+?)(?: \(([^()]*)\))?")
FLY = "Fly"
LOSABLE = ("Frenzy", FLY)  # rules that a unit can lose, in the order of their bits in ``units.lost_rules``
# rules that a unit can gain, in the order of their bits in ``units.gained_rules``
GAINABLE = (
    "Hatred", "Frenzy", "Flaming Attacks", "Poisoned Attacks", "Magical Attacks", "Killing Blow", "Devastating Charge", "Always Strikes First",
    "Always Strikes Last", "Fear", "Terror", "Stubborn", "Stupidity", "Unbreakable", "Ethereal",
)  # fmt: skip
_BIT = MappingProxyType({name: 1 << k for k, name in enumerate(GAINABLE)})
# special rules of a rider or of his mount that both have (wap.troop.cavalry.rules-scope)
WHOLE_MODEL = (
    "Vanguard", "Fast Cavalry", "Scouts", "Ambushers", "Ethereal", "Always Strikes Last", "Immunity", "Fear", "Stupidity",
    "Stubborn", "Terror", FLY,
)  # fmt: skip


# rules that others include (wap.special.ethereal.grants, wap.special.animated-construct)
INCLUDED_IN = MappingProxyType(
    {"Unstable": ("Ethereal",), "Magical Attacks": ("Ethereal",), "Unbreakable": ("Animated Construct",)}
)


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


def whole_model(rules: Iterable[str]) -> tuple[str, ...]:
    """Those of some special rules that a rider and his mount share."""
    return tuple(rule for rule in rules if (match := RULE.fullmatch(rule)) is not None and match[1] in WHOLE_MODEL)


def has(g: BattleCore, unit: int, name: str) -> bool:
    """Whether the models of a unit have a special rule now, from their card or their troop type."""
    if name in g.setup.statics["abilities"][unit]:
        return not (name in LOSABLE and g.units.lost_rules[unit] >> LOSABLE.index(name) & 1)
    if g.units.gained_rules[unit] and is_gained(g, unit, name):
        return True
    return name in INCLUDED_IN and any(has(g, unit, other) for other in INCLUDED_IN[name])


def is_gained(g: BattleCore, unit: int, name: str) -> bool:
    """Whether a unit has gained a special rule in the battle."""
    gained = g.units.gained_rules[unit]
    return bool(gained and gained & _BIT.get(name, 0))


def lose(g: BattleCore, unit: int, name: str) -> None:
    """A unit has a special rule of its card no more (wap.special.frenzy.loss), or for as long as a spell says so (wap.special.fly.mixed).

    Raises:
        ValueError: no rule of that name can be lost.
    """
    g.units.lost_rules[unit] |= bit_of_loss("lose", name)


def find_again(g: BattleCore, unit: int, name: str) -> None:
    """What kept a unit from a special rule of its card is over.

    Raises:
        ValueError: no rule of that name can be lost.
    """
    g.units.lost_rules[unit] &= ~bit_of_loss("find_again", name)


def bit_of_loss(caller: str, name: str) -> int:
    """The bit of a rule in ``units.lost_rules``."""
    if name not in LOSABLE:
        raise ValueError(f"{caller}: {name!r}; expected one of {', '.join(LOSABLE)}")
    return 1 << LOSABLE.index(name)


def gain(g: BattleCore, unit: int, name: str) -> None:
    """A unit gains a special rule, from a spell for example; if it is in a combat that has begun, the next round counts as its first for
    that rule (wap.special.hatred.gained-late).

    Raises:
        ValueError: no rule of that name can be gained.
    """
    if name not in GAINABLE:
        raise ValueError(f"gain: {name!r}; expected one of {', '.join(GAINABLE)}")
    bit = 1 << GAINABLE.index(name)
    if not g.units.gained_rules[unit] & bit:
        g.units.gained_rules[unit] |= bit
        g.units.fresh_rules[unit] |= bit


def lose_gained(g: BattleCore, unit: int, name: str) -> None:
    """What gave a unit a special rule is over: it has the rule no more, unless it had it before (wap.special.general.none-by-default).

    Raises:
        ValueError: no rule of that name can be gained.
    """
    bit = 1 << GAINABLE.index(name)
    g.units.gained_rules[unit] &= ~bit
    g.units.fresh_rules[unit] &= ~bit


def parameters(g: BattleCore, unit: int, name: str) -> tuple[str, ...]:
    """What stands in brackets behind a special rule of a unit; empty: nothing, or it has no such rule."""
    found: tuple[str, ...] = g.setup.statics["abilities"][unit].get(name, ())
    return found if found and has(g, unit, name) else ()


def rules_of_line(g: BattleCore, line: int) -> Mapping[str, tuple[str, ...]]:
    """All special rules of a fighting profile as the army sheet and its troop type have them, by name."""
    found: Mapping[str, tuple[str, ...]] = g.setup.statics["line_abilities"][line]
    return found


def line_has(g: BattleCore, line: int, name: str) -> bool:
    """Whether a fighting profile has a special rule now: what is the rider's is not the mount's (wap.troop.cavalry.rules-scope)."""
    if name in g.setup.statics["line_abilities"][line]:
        return not (name in LOSABLE and g.units.lost_rules[g.lines.unit[line]] >> LOSABLE.index(name) & 1)
    unit = g.lines.unit[line]
    if g.units.gained_rules[unit] and is_gained(g, unit, name):
        return True
    return name in INCLUDED_IN and any(line_has(g, line, other) for other in INCLUDED_IN[name])


def line_parameters(g: BattleCore, line: int, name: str) -> tuple[str, ...]:
    """What stands in brackets behind a special rule of a fighting profile."""
    return rules_of_line(g, line).get(name, ()) if line_has(g, line, name) else ()


def model_has(g: BattleCore, model: int, name: str) -> bool:
    """Whether a model has a special rule now: that of its unit, or one of its own."""
    return has(g, g.models.unit[model], name) or line_has(g, g.models.line[model], name)


def is_known(g: BattleCore, name: str) -> bool:
    """Whether anybody in the battle could have a special rule now: a card names it, another one includes it, or somebody has gained any."""
    return name in g.setup.statics["named_rules"] or name in INCLUDED_IN or any(g.units.gained_rules.tolist())


def model_parameters(g: BattleCore, model: int, name: str) -> tuple[str, ...]:
    """What stands in brackets behind a special rule of a model; empty: nothing, or it has no such rule."""
    return line_parameters(g, g.models.line[model], name) or parameters(g, g.models.unit[model], name)


def random_dice(rules: tuple[str, ...]) -> int:
    """How many dice a unit with these rules rolls in place of a Movement value, the fewest of several, 0: it has one."""
    found = (RANDOM_DICE.fullmatch(rule) for rule in rules)
    return min((int(match[1] or 1) for match in found if match), default=0)


@kernel
def find_dice(units: Array, dice: Array, u: int) -> int:
    """``movement_dice``; ``dice``: those of the cards, by unit."""
    if units[u]["stupid"] == 1:
        return STUPID_DICE
    found = 0
    for c in range(len(units)):
        if dice[c] > 0 and (c == u or stands_in(units, c, u)) and (found == 0 or dice[c] < found):
            found = dice[c]
    return found


def movement_dice(g: BattleCore, unit: int) -> int:
    """The same of a unit of the battle (wap.special.random-movement.unit); one that is stupid rolls one die (wap.special.stupidity.until-passed)."""
    found: int = g.work.call(find_dice, g.units.rows, g.setup.statics["dice"], unit)
    return found
