"""Powers that modify units for a while (psychic.manifest), and units that no power affects
(glossary.unaffected-by-powers.*).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from wh_env.core.battle import BattleCore
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.w40k.attack.abilities import ATTACKS, TARGETED, Power, characteristic
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.psychic.data import AURAS, Affects, Lasts
from wh_env.rulesets.w40k.psychic.state import LEADERSHIP, numbers_in, power_of, profile_of
from wh_env.rulesets.w40k.questions.targets import units_within

OF_ATTACKS = {"attacks": ATTACKS, "targeted": TARGETED}


def unaffected(g: BattleCore, unit: int) -> bool:
    """Whether the unit cannot be affected by psychic powers."""
    return unit >= 0 and profile_of(g, unit).unaffected


def powers_on(g: BattleCore, unit: int) -> Iterator[int]:
    """Yield the number of each power that modifies the unit now, once."""
    under = g.psyche.under
    if not any(under) or unaffected(g, unit):
        return
    found = set()
    for bearer, powers in compress(enumerate(under), under):
        for number in numbers_in(powers):
            if number not in found and reaches(g, bearer, number, unit):
                found.add(number)
                yield number


def reaches(g: BattleCore, bearer: int, number: int, unit: int) -> bool:
    """Whether power ``number`` in force on ``bearer`` modifies ``unit``: the bearer itself, or a unit in range of an
    aura.
    """
    power, u = power_of(g, number), g.units
    if power.affects not in AURAS:
        return bearer == unit
    same = u.owner[bearer] == u.owner[unit]
    if same != (power.affects == Affects.FRIENDS_NEAR) or edition(g).psychic.silent(g, bearer):
        return False
    if u.place[bearer] != ON_TABLE or u.place[unit] != ON_TABLE:
        return False
    reach = range_of(g, bearer, number)
    return bearer == unit or bool(g.work.call(units_within, g.models.rows, u.rows, bearer, unit, reach))


def range_of(g: BattleCore, unit: int, number: int) -> float:
    """The range in inches of a power that the unit manifests."""
    power = power_of(g, number)
    return power.reach + (0.0 if power.alone else profile_of(g, unit).farther)


def psychic_modifiers(g: BattleCore, unit: int, hook: str, against: int) -> list[Power]:
    """The powers on the unit as abilities for the hook ``attacks`` or ``targeted``; empty for other hooks, and for
    attacks against a unit that no power affects.
    """
    wanted = OF_ATTACKS.get(hook)
    if wanted is None or not any(g.psyche.under) or (hook == "attacks" and unaffected(g, against)):
        return []
    modifiers = g.setup.statics["psychic_modifiers"]
    found = [modifiers[number] for number in powers_on(g, unit)]
    return [modifier for modifier in found if modifier is not None and modifier.effect in wanted]


def leadership(g: BattleCore, unit: int) -> int:
    """The highest Leadership in the unit after powers and other modifiers; at least 1."""
    best = max((g.models.leadership[k] for k in g.members(unit)), default=0)
    powers = [power_of(g, number) for number in powers_on(g, unit)]
    more = sum(power.amount[2] for power in powers if power.effect == LEADERSHIP)
    more += int(edition(g).more_leadership(g, unit))
    return max(1, characteristic(g, unit, "Leadership", int(best), None) + more)


def forget_lost(g: BattleCore) -> None:
    """End the powers on units that are destroyed."""
    for unit, place in enumerate(g.units.place):
        if place == DESTROYED:
            g.psyche.under[unit] = 0


def end_powers(g: BattleCore, lasts: Lasts, player: int) -> None:
    """End modifiers of duration ``lasts`` that powers of ``player`` have put on units."""
    under, owner = g.psyche.under, g.units.owner
    if not any(under):
        return
    for bearer, powers in compress(enumerate(under), under):
        for number in numbers_in(powers):
            power = power_of(g, number)
            hostile = power.affects in (Affects.ENEMY, Affects.CLOSEST)
            if power.lasts == lasts and (owner[bearer] == player) != hostile:
                under[bearer] &= ~(1 << number)
