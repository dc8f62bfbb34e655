"""Which enemies a unit may charge: front arc, sight, reach, and a place to stand (wap.charge.declare.*, .two-targets).

A charge that must touch further enemies is declared on those too. A charge that has no place while units stand as now
is still possible if the units in its way may go: friends that have declared a charge, enemies that might flee from one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import hypot

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import block_distance, distance, front_span, set_block
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.contacts import TOUCH, gap_to_enemies
from wh_env.rulesets.wap.basics.declared_charges import charges_on, dares_not, is_under_way
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import assailant_of, is_inside, may_assault
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.obstacles import thickest
from wh_env.rulesets.wap.basics.profiles import host_or_left
from wh_env.rulesets.wap.basics.quarters import is_partly_before
from wh_env.rulesets.wap.basics.sight import SightTables, anybody_sees, find_who_see
from wh_env.rulesets.wap.characters.charging_out import as_if_out
from wh_env.rulesets.wap.charge.declarers import may_declare
from wh_env.rulesets.wap.charge.known_aims import Aims, Known, Places, Reach
from wh_env.rulesets.wap.charge.places import Place, best_place, is_reached
from wh_env.rulesets.wap.charge.reach import gap_to, sides_of_charge
from wh_env.rulesets.wap.codes import FLED
from wh_env.rulesets.wap.rule_book import FRENZY
from wh_env.rulesets.wap.special.stride import farthest_charge, farthest_way, farthest_ways, ways_to_charge
from wh_env.rulesets.wap.tables import Troops
from wh_env.rulesets.wap.ways.poses import depth_of, front_width

FURTHER = 2  # enemies, beside the named one, on which a charge may have to be declared

Aim = tuple[int, tuple[int, ...]]  # an enemy, and the sides that may be charged: two if a die decides


@kernel
def in_front_arc(units: Array, parts: Array, u: int, target: int) -> bool:
    """Whether a base of unit ``target`` lies at least partly in the front quarter of unit ``u``
    (wap.charge.declare.sight-and-arc).
    """
    unit = units[u]
    half = 0.5 * front_span(unit, min(unit["files"], unit["block"]))
    return is_partly_before(parts, units[target]["first_part"], unit["x"], unit["y"], unit["facing"], half)


@kernel
def fill_reach(
    troops: Troops, ground: Array, corners: Array, first: int, far: Array, reach: Array, sight: SightTables
) -> int:
    """Mark in ``reach`` (bool, a row for each of the player's units from ``first`` on, a column for each unit) the
    enemies that a unit could charge by distance, front arc and sight. ``far``: inches of each unit's longest charge; a
    unit with less than 0 is left out. Returns how many marks.
    """
    units, parts = troops.units, troops.parts
    found = 0
    for k in range(len(far)):
        u = first + k
        a = parts[units[u]["first_part"]]
        for target in range(len(units)):
            reach[k, target] = False
            if far[k] < 0.0 or units[target]["place"] != ON_TABLE or units[target]["owner"] == units[u]["owner"]:
                continue
            b = parts[units[target]["first_part"]]
            # a rear rank ends at most three times the circle's radius from the middle of the other ranks
            if hypot(a["x"] - b["x"], a["y"] - b["y"]) > far[k] + 3.0 * (a["radius"] + b["radius"]) + 1.0:
                continue
            if block_distance(parts, units, u, target) - EPS > far[k] or not in_front_arc(units, parts, u, target):
                continue
            if anybody_sees(troops, ground, corners, u, target, sight):
                reach[k, target] = True
                found += 1
    return found


def asked_alone(g: BattleCore, player: int) -> tuple[int, ...]:
    """The characters of a player that stand in a unit and may declare a charge out of it. Their reach is worked out for
    themselves.
    """
    place = g.units.place.tolist()
    if ATTACHED not in place:
        return ()
    return tuple(unit for unit in g.units_of(player) if place[unit] == ATTACHED and may_declare(g, unit))


def worked_out_reach(g: BattleCore, player: int, alone: Collection[int]) -> Reach:
    """The enemies that each unit of the player could charge by distance, front arc and sight, whatever is in the way.
    ``alone``: the characters of ``asked_alone``.
    """
    setup, work, units = g.setup, g.work, g.units_of(player)
    far, thick = farthest_ways(g, units), thickest(g, 1 - player)
    if thick:
        far[far >= 0.0] += thick
    found = g.work.call(
        fill_reach, g.troops, setup.statics["ground"], setup.corners, units.start, far, work.reach, work.sights.tables
    )
    reach: Reach = dict.fromkeys(units, ())
    if found:
        rows = work.reach[: len(units)].tolist()
        reach = {unit: tuple(k for k, there in enumerate(row) if there) for unit, row in zip(units, rows, strict=True)}
    out_of = g.units.out_of.tolist()
    if alone or max(out_of) >= 0:
        for unit in units:
            if unit in alone or (out_of[unit] >= 0 and g.units.place[unit] != ATTACHED):
                reach[unit] = reach_by_itself(g, unit)
    return reach


def reach_by_itself(g: BattleCore, unit: int) -> tuple[int, ...]:
    """The enemies that one unit could charge by distance, front arc and sight; a character as if he had left
    his unit.
    """
    far, block = farthest_way(g, unit) + thickest(g, 1 - g.units.owner[unit]) + EPS, block_left_by(g, unit)
    if g.work.call(gap_to_enemies, g.parts.rows, g.units.rows, block) > far:
        return ()  # no enemy is nearer to him than to his unit
    with as_if_out(g, unit):
        return tuple(target for target in enemies_of(g, unit) if is_within_reach(g, unit, target))


def is_within_reach(g: BattleCore, unit: int, target: int) -> bool:
    """Whether a unit on the table could charge an enemy by distance, front arc and sight."""
    return bool(
        distance(g, unit, target) - EPS <= farthest_way(g, unit) + thickest(g, g.units.owner[target])
        and g.work.call(in_front_arc, g.units.rows, g.parts.rows, unit, target)
        and find_who_see(g, unit, target, joined=True)
    )


def known_reach(g: BattleCore, player: int) -> Reach:
    """``worked_out_reach``, from the cache of the state."""
    return reach_in(g, g.work.aims.of(g), player)


def reach_in(g: BattleCore, known: Known, player: int) -> Reach:
    """``worked_out_reach`` from what is ``known`` of the state; what is missing is worked out and added."""
    reach: Reach | None = known.reach.get(player)
    if reach is None:
        alone = asked_alone(g, player)
        reach = known.seen.get((player, alone))
        if reach is None:
            reach = known.seen[player, alone] = worked_out_reach(g, player, alone)
        known.reach[player] = reach
    return reach


def in_reach(g: BattleCore, unit: int) -> tuple[int, ...]:
    """The enemies that a unit could charge by distance, front arc and sight, whatever is in the way."""
    return known_reach(g, g.units.owner[unit])[unit]


def enemies_of(g: BattleCore, unit: int) -> list[int]:
    """The enemy units of ``unit`` on the table."""
    u = g.units
    return [other for other in g.units_of(1 - u.owner[unit]) if u.place[other] == ON_TABLE]


def has_place(g: BattleCore, unit: int, aims: Aims, gone: Collection[int] = (), aloft: bool = False) -> bool:
    """Whether the unit can touch all enemies of ``aims``, each at one of its sides, and no other enemy, if the units
    ``gone`` are taken away.
    """
    chosen: list[tuple[int, int]] = []

    def tried(at: int) -> bool:
        """Whether the aims from index ``at`` on can be added to ``chosen`` so that all are touched."""
        if at == len(aims):
            if at == 1:
                return is_reached(g, unit, chosen[0], ignoring=gone, aloft=aloft)
            place = best_place(g, unit, chosen, ignoring=gone, aloft=aloft)
            return place is not None and meets_all(g, unit, place, chosen)
        target, sides = aims[at]
        for side in sides:
            chosen.append((target, side))
            if tried(at + 1):
                return True
            chosen.pop()
        return False

    return tried(0)


def is_place_known(g: BattleCore, known: Places, unit: int, aims: Aims, gone: tuple[int, ...], aloft: bool) -> bool:
    """``has_place``, from the cache ``known``. A character in a unit must stand as if he had left it."""
    key = (unit, aims, gone, aloft)
    found: bool | None = known.get(key)
    if found is None:
        found = known[key] = has_place(g, unit, aims, gone, aloft)
    return found


def meets_all(g: BattleCore, unit: int, place: Place, charges: Sequence[tuple[int, int]]) -> bool:
    """Whether the unit touches all targets of ``charges`` at a place; the best place may leave some of them out."""
    u = g.units
    before = (u.x[unit], u.y[unit], u.facing[unit], u.files[unit])
    try:
        set_block(g, unit, place.x, place.y, place.facing, before[3])
        return all(distance(g, unit, target) <= TOUCH + place.apart for target, _ in charges)
    finally:
        set_block(g, unit, *before)


def aims_at(g: BattleCore, unit: int, target: int, aloft: bool = False) -> Aims:
    """The enemies on which the unit declares its charge if it names ``target``: that one, and those that it cannot
    avoid (wap.charge.two-targets). Empty: the charge is impossible (wap.charge.declare.impossible).
    """
    known = g.work.aims.of(g)
    if target not in reach_in(g, known, g.units.owner[unit])[unit]:
        return ()
    aims: Aims | None = known.aims.get((unit, target, aloft))
    if aims is None:
        aims = known.aims[unit, target, aloft] = aims_within_reach(g, unit, target, known.places, aloft)
    return aims


def ways_open(g: BattleCore, unit: int, target: int) -> list[bool]:
    """How a unit can charge an enemy: on foot (False), through the air (True), the farther way first; empty: it
    cannot.
    """
    return [aloft for aloft in ways_to_charge(g, unit) if aims_at(g, unit, target, aloft)]


def aims_within_reach(g: BattleCore, unit: int, target: int, places: Places, aloft: bool = False) -> Aims:
    """``aims_at`` for an enemy that is near enough; a character charges as if he had left his unit. ``places``: cache,
    added to.
    """
    if host_of(g, unit) < 0:
        return aims_now(g, unit, target, places, aloft)
    hunted = may_be_charged(g, unit)
    with as_if_out(g, unit):
        return aims_now(g, unit, target, places, aloft, hunted)


def aims_now(
    g: BattleCore, unit: int, target: int, places: Places, aloft: bool = False, hunted: Collection[int] | None = None
) -> Aims:  # fmt: skip
    """``aims_within_reach`` for a unit on the table. ``hunted``: the enemies that other units can still charge; None:
    work them out.
    """
    far = farthest_charge(g, unit, aloft) + EPS
    meant: Aim = (target, sides_of_charge(g, unit, target))
    if gap_to(g, unit, target, enough=far, aloft=aloft) <= far:
        if is_place_known(g, places, unit, (meant,), (), aloft):
            return (meant,)
        # inches: units farther apart are not touched at once
        size = hypot(front_width(g, unit), depth_of(g, unit)) + 3.0 * TOUCH
        near = [
            other
            for other in enemies_of(g, unit)
            if other != target
            and not is_inside(g, target)  # wap.building.assault.exclusive
            and not is_inside(g, other)
            and distance(g, target, other) <= size
            and distance(g, unit, other) <= far
            and not dares_not(g, unit, other)
        ]
        near.sort(key=lambda other: distance(g, target, other))
        for count in range(1, FURTHER + 1):
            for others in combinations(near, count):
                aims = (meant, *((other, sides_of_charge(g, unit, other)) for other in others))
                if is_place_known(g, places, unit, aims, (), aloft):
                    return aims
    hunted = may_be_charged(g, unit) if hunted is None else hunted
    gone = [
        other
        for other in range(len(g.units.owner))
        if other not in (unit, target) and may_clear(g, unit, other, hunted)
    ]
    if not gone or gap_to(g, unit, target, ignoring=gone, enough=far, aloft=aloft) > far:
        return ()
    return (meant,) if is_place_known(g, places, unit, (meant,), tuple(gone), aloft) else ()


def block_left_by(g: BattleCore, unit: int) -> int:
    """The unit in whose block a character stands or that he charges out of; for other units the unit itself."""
    host = host_or_left(g, unit)
    return host if host >= 0 else unit


def may_be_charged(g: BattleCore, unit: int) -> set[int]:
    """The enemies that units other than this one can still charge, whatever is in the way."""
    reach, own = known_reach(g, g.units.owner[unit]), block_left_by(g, unit)
    return {
        target
        for friend, near in reach.items()
        if near and block_left_by(g, friend) != own and may_declare(g, friend)
        for target in near
    }


def may_clear(g: BattleCore, unit: int, other: int, hunted: Collection[int]) -> bool:
    """Whether unit ``other``, in the way of a charge, may be gone before the charge is made
    (wap.charge.declare.may-clear): a friend that has declared a charge; an enemy in ``hunted`` that may flee, or go on
    fleeing.
    """
    u = g.units
    if u.owner[other] == u.owner[unit]:
        return is_under_way(g, other)
    if other not in hunted or u.place[other] != ON_TABLE or engaged(g, other) or u.did[other] & FLED:
        return False
    if is_inside(g, other):
        return False
    return bool(u.fleeing[other]) or not has(g, other, FRENZY)


def may_charge(g: BattleCore, unit: int, target: int, *, forced: bool = False) -> bool:
    """Whether a unit that may declare a charge may declare it on this enemy. ``forced``: it is obliged to charge."""
    return (
        not dares_not(g, unit, target)
        and (not is_inside(g, target) or may_be_assaulted(g, unit, target, forced))
        and bool(ways_open(g, unit, target))
    )


def may_be_assaulted(g: BattleCore, unit: int, target: int, forced: bool) -> bool:
    """Whether a unit may declare an assault on a garrison. No second unit may, unless it is ``forced`` to charge
    (wap.building.assault.one-unit, .forced, .types).
    """
    if not may_assault(g, unit) or assailant_of(g, target) >= 0:
        return False
    return forced or all(g.charges.unit[k] == unit for k in charges_on(g, target))


def possible_targets(g: BattleCore, unit: int, *, forced: bool = False) -> list[int]:
    """The enemies that the unit may charge. ``forced``: as for ``may_charge``."""
    return [target for target in in_reach(g, unit) if may_charge(g, unit, target, forced=forced)]


def has_target(g: BattleCore, unit: int, besides: Collection[int] = (), *, forced: bool = False) -> bool:
    """Whether the unit may charge an enemy that is not in ``besides``. ``forced``: as for ``may_charge``."""
    return any(target not in besides and may_charge(g, unit, target, forced=forced) for target in in_reach(g, unit))


def who_may_declare(g: BattleCore, player: int) -> Iterator[int]:
    """The units of a player that may declare a charge on an enemy. While it is iterated, the battle must not change."""
    for unit, near in known_reach(g, player).items():
        if near and may_declare(g, unit) and any(may_charge(g, unit, target) for target in near):
            yield unit
