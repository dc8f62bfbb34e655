"""The auras of ground (wap.terrain.monument.*, wap.building.arcane.*) and of units (wap.special.general.same-army):
what they do to units near them. Nothing of it is stored: it is asked whenever it matters, so that a unit is free of
it as soon as it leaves.

A unit is near if any part of its block is; a character in a unit is where the unit is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.ground import Ground, distance_to, with_trait
from wh_env.rulesets.wap.basics.powers import Aura
from wh_env.rulesets.wap.rule_book import SpecialRule


def is_of(g: BattleCore, unit: int, name: str) -> bool:
    """Whether a unit is of an army book, an alignment or a card; "": every unit is."""
    return not name or name.lower() in g.setup.statics["outfits"][unit].names


def auras_on(g: BattleCore, unit: int, matters: Callable[[Aura], bool]) -> Iterator[Aura]:
    """The auras that act on a unit's own models now, of those that ``matters`` is true of. Alike auras of several units
    act once.
    """
    for ground in with_trait(g, "auras"):
        for aura in ground.traits.auras:
            if matters(aura) and is_of(g, unit, aura.only) and is_reached(g, block_of(g, unit), ground, aura):
                yield aura
    bearers = auras_of_units(g)
    if bearers:
        found = [aura for bearer, auras in bearers for aura in auras if matters(aura) and helps(g, bearer, unit, aura)]
        yield from dict.fromkeys(found)


def auras_of_units(g: BattleCore) -> tuple[tuple[int, tuple[Aura, ...]], ...]:
    """The units of the battle that have auras, by row, with these."""
    found: tuple[tuple[int, tuple[Aura, ...]], ...] = g.setup.statics["unit_auras"]
    return found


def has_auras(g: BattleCore) -> bool:
    """A quick look whether anything in this battle has an aura."""
    return bool(with_trait(g, "auras") or auras_of_units(g))


def helps(g: BattleCore, bearer: int, unit: int, aura: Aura) -> bool:
    """Whether an aura of a unit acts on another one: a friend of the same army that it names, near enough. Enemies and
    allies have nothing of it, even if they come from the same army book (wap.special.general.same-army).
    """
    u = g.units
    if u.owner[bearer] != u.owner[unit] or u.contingent[bearer] != u.contingent[unit] or not u.alive[bearer]:
        return False
    where, there = block_of(g, bearer), block_of(g, unit)
    if u.place[where] != ON_TABLE or u.place[there] != ON_TABLE or not is_of(g, unit, aura.only):
        return False
    return where == there or distance(g, where, there) <= aura.inches + EPS


def is_reached(g: BattleCore, block: int, ground: Ground, aura: Aura) -> bool:
    """Whether a unit with a block of its own is near enough to ground, or inside it, for an aura of it."""
    if g.units.place[block] != ON_TABLE:
        return False
    if aura.inside:
        return bool(g.units.garrison[block] == ground.row)
    return distance_to(g, block, ground) <= aura.inches + EPS


def lent(g: BattleCore, unit: int, rule: SpecialRule) -> tuple[str, ...]:
    """For each aura that gives a unit's own models a special rule now: what stands in the rule's brackets, "" for
    nothing.
    """
    if rule not in g.setup.statics["gifts"]:
        return ()
    near = auras_on(g, unit, lambda aura: any(given is rule for given, _ in aura.grants))
    return tuple(parameter for aura in near for given, parameter in aura.grants if given is rule)


def change_near(g: BattleCore, unit: int, name: str) -> int:
    """What auras add to a characteristic of a unit's own models now."""
    near = auras_on(g, unit, lambda aura: any(changed == name for changed, _ in aura.changes))
    return sum(amount for aura in near for changed, amount in aura.changes if changed == name)


def wounding_near(g: BattleCore, target: int) -> int:
    """What auras add to dice to wound of hits on a unit (wap.terrain.monument.bane-stone)."""
    return sum(aura.wounding for aura in auras_on(g, target, lambda aura: aura.wounding != 0))


def attacks_near(g: BattleCore, unit: int, rule: SpecialRule) -> int:
    """The Attacks that auras let a rule add for a unit that has it anyway; 0: no aura does
    (wap.terrain.monument.altar-of-khaine).
    """
    near = auras_on(g, unit, lambda aura: aura.attacks != 0 and any(given is rule for given, _ in aura.grants))
    return max((aura.attacks for aura in near), default=0)


def is_restless_near(g: BattleCore, unit: int) -> bool:
    """Whether an aura makes a unit re-roll a passed test not to charge, if it is frenzied anyway
    (wap.terrain.monument.altar-of-khaine).
    """
    return any(True for _ in auras_on(g, unit, lambda aura: aura.restless))


def is_spurred(g: BattleCore, unit: int) -> bool:
    """Whether a unit stands where an aura lets it re-roll a failed charge roll (wap.terrain.monument.idol-of-gork)."""
    return any(True for _ in auras_on(g, unit, lambda aura: aura.spurs))


def hitting_near(g: BattleCore, unit: int) -> int:
    """What auras add to a unit's dice to hit in close combat (wap.building.arcane.acropolis)."""
    return sum(aura.hitting for aura in auras_on(g, unit, lambda aura: aura.hitting != 0))


def is_doomed(g: BattleCore, unit: int) -> bool:
    """Whether an aura makes a unit's own models roll passed ward saves again (wap.building.arcane.sigmarite-shrine)."""
    return any(True for _ in auras_on(g, unit, lambda aura: aura.dooms))


def channelling_near(g: BattleCore, unit: int) -> int:
    """What auras add to a wizard's dice for channelling (wap.terrain.monument.elven-waystone)."""
    return sum(aura.channelling for aura in auras_on(g, unit, lambda aura: aura.channelling != 0))


def channels_again(g: BattleCore, unit: int) -> bool:
    """Whether an aura lets a wizard roll failed dice for channelling again (wap.terrain.monument.arcane-ruins)."""
    return any(True for _ in auras_on(g, unit, lambda aura: aura.channels_again))
