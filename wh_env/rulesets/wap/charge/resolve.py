"""Charges are carried out: the order, how far each goes, and whether it arrives (wap.charge.resolve.order, .distance,
.success).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, ChooseUnit, DecisionKind, Procedure, integer
from wh_env.core.sentences import counted
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.declared_charges import all_charges, charges_of, charges_on, is_under_way
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.charge.charge_again import ChargeAgain
from wh_env.rulesets.wap.charge.charge_rolls import close_for, may_roll_again, roll_together, within_reach
from wh_env.rulesets.wap.charge.failed import fail_charge, go_straight_on
from wh_env.rulesets.wap.charge.places import Place, move_into_contact, places_of
from wh_env.rulesets.wap.charge.reform_after import offer_reform
from wh_env.rulesets.wap.charge.run_down import run_down
from wh_env.rulesets.wap.charge.sharing import shared_places
from wh_env.rulesets.wap.codes import FAILED
from wh_env.rulesets.wap.panic.directions import nearest_first
from wh_env.rulesets.wap.ways.poses import degrees

MOST_PLACES = 16  # places offered to the player
SAME = 1e-6  # radians


def chargers_left(g: BattleCore, player: int) -> list[int]:
    """The units of a player whose charges are not carried out yet."""
    charging = {g.charges.unit[k] for k in all_charges(g)}
    return [unit for unit in g.units_of(player) if unit in charging and is_under_way(g, unit)] if charging else []


def rolled_for_together(g: BattleCore, unit: int) -> list[int]:
    """The units that are rolled for together with ``unit``, itself included: those that charge the same target, or
    share a target with such a unit (wap.charge.several.together). Only charges not carried out yet count.
    """
    found, left = {unit}, [unit]
    while left:
        for row in charges_of(g, left.pop()):
            for other in charges_on(g, g.charges.target[row]):
                charger = g.charges.unit[other]
                if charger not in found and is_under_way(g, charger):
                    found.add(charger)
                    left.append(charger)
    return sorted(found)


def is_rolled(g: BattleCore, unit: int) -> bool:
    """Whether the dice of the unit's charge have been rolled."""
    return any(g.charges.reach[k] for k in charges_of(g, unit))


def assaults_building(g: BattleCore, unit: int) -> bool:
    """Whether a unit has declared its charge on a garrison."""
    return any(is_inside(g, g.charges.target[k]) for k in charges_of(g, unit))


class ChargeOrder(ChooseUnit):
    name = "charge-order"
    what = (
        "Which charge is carried out next; of units that charge the same target, which were rolled for together, one "
        "after the other."
    )
    policy = "The unit nearest to an enemy."
    keys = (
        "wap.charge.resolve.order",
        "wap.charge.several.together",
        "wap.charge.several.no-room",
        "wap.building.assault.forced",
    )
    squad = False

    def may(self, g: BattleCore, unit: int) -> bool:
        if not is_under_way(g, unit):
            return False
        return is_rolled(g, unit) or not any(is_rolled(g, other) for other in chargers_left(g, g.units.owner[unit]))

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        again: list[int] = []
        if not is_rolled(g, unit):
            together = rolled_for_together(g, unit)
            roll_together(g, together)
            again = [other for other in together if may_roll_again(g, other)]
            if len(together) > 1 and assaults_building(g, unit):
                for other in reversed(again):
                    g.push(ChargeAgain, other)
                return  # the player now says which of them completes its charge (wap.building.assault.forced)
        g.push(CarryOut, unit)
        for other in reversed(again):
            g.push(ChargeAgain, other)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        own, first = g.setup.space.own, g.players.first_unit[g.clock.player[0]]
        for unit in g.units_of(g.clock.player[0]):
            if mask[own + unit - first] and is_rolled(g, unit) and assaults_building(g, unit) and within_reach(g, unit):
                return own + unit - first
        return nearest_first(g, mask)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, names = g.players.first_unit[g.clock.player[0]] + action - g.setup.space.own, g.setup.names["units"]
        return f"{names[unit]} against " + " and ".join(names[g.charges.target[k]] for k in charges_of(g, unit))


class CarryOut(Procedure):
    """One charge whose dice are rolled is carried out: the unit arrives, runs down a fleeing target, or fails."""

    UNIT = integer(row_of("units"))
    asks = ("charge-place",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + CarryOut.UNIT]
        rows = arriving(g, unit, within_reach(g, unit))
        if not rows:
            g.pop()
            fail(g, unit)
            return GO
        if not g.is_answered_by_default(ChargePlace) and len(places(g, unit, rows)) > 1:
            return g.ask(ChargePlace, g.units.owner[unit], unit)
        g.pop()
        arrive(g, unit, rows, places(g, unit, rows, 1)[0])
        return GO


class ChargePlace(DecisionKind):
    name = "charge-place"
    what = "Where a unit whose charge succeeds ends, with as many models in contact as can be: the best place first."
    policy = "The first."
    keys = ("wap.charge.move.wheel", "wap.charge.unusual.avoid", "wap.charge.several.share")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + CarryOut.UNIT]
        for k in range(len(places(g, unit, arriving(g, unit, within_reach(g, unit))))):
            mask[g.setup.space.number + k] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + CarryOut.UNIT]
        rows = arriving(g, unit, within_reach(g, unit))
        g.pop()
        arrive(g, unit, rows, places(g, unit, rows)[action - g.setup.space.number])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, k = g.stack[f + CarryOut.UNIT], action - g.setup.space.number
        place = places(g, unit, arriving(g, unit, within_reach(g, unit)))[k]
        side = "left" if place.way[1] > 0.0 else "right"
        wheel = f"wheels {counted(degrees(abs(place.way[1])), 'degree')} to the {side}"
        told = wheel if abs(place.way[1]) > SAME else "goes straight"
        return f"{g.setup.names['units'][unit]} {told}, ends on {place.x:.2f}, {place.y:.2f} ({k + 1})"


# ---------------------------------------------------------------- arriving, or not


def places(g: BattleCore, unit: int, rows: Sequence[int], most: int = MOST_PLACES) -> list[Place]:
    """The places where the unit can end the charges of ``rows``, at most ``most``. They leave room for other units that
    will arrive at the same target (wap.charge.several.share, .maximise).
    """
    c = g.charges
    beside = arriving_with(g, unit, rows[0]) if len(rows) == 1 else []
    if beside:
        target = c.target[rows[0]]
        return shared_places(g, target, [(c.unit[k], c.side[k]) for k in (rows[0], *beside)])[:most]
    return places_of(g, unit, [(c.target[k], c.side[k]) for k in rows], most=most)


def arriving_with(g: BattleCore, unit: int, row: int) -> list[int]:
    """Rows of the charges of other units that will arrive at the same target and at no other. Empty if that
    target flees.
    """
    target = g.charges.target[row]
    return [] if g.units.fleeing[target] or is_inside(g, target) else others_arriving(g, unit, target)


def others_arriving(g: BattleCore, unit: int, target: int) -> list[int]:
    """Rows of the charges of units other than ``unit`` that will arrive at a target and at no other one."""
    found = []
    for k in charges_on(g, target):
        other = g.charges.unit[k]
        if other != unit and is_under_way(g, other) and is_rolled(g, other) and within_reach(g, other) == [k]:
            found.append(k)
    return found


def arriving(g: BattleCore, unit: int, rows: Sequence[int]) -> Sequence[int]:
    """The charges of ``rows`` that are made together: all of them if there is a place, else the first single one that
    has a place; empty: none has.
    """
    tries = [rows, *([k] for k in rows)] if len(rows) > 1 else [rows]
    return next((chosen for chosen in tries if chosen and places(g, unit, chosen, 1)), [])


def arrive(g: BattleCore, unit: int, rows: Sequence[int], place: Place, rule: str = "wap.charge.move.contact") -> None:
    """Make the charge: move the unit to ``place`` in contact, and run the target down if it flees
    (wap.charge.flee.caught).
    """
    target = g.charges.target[rows[0]]
    flees = g.units.fleeing[target]
    aloft = bool(g.charges.aloft[rows[0]])
    if is_inside(g, target):
        begin_assault(g, unit, target, place, aloft)
        return
    move_into_contact(g, unit, place, "wap.charge.fleeing.contact" if flees else rule, aloft=aloft)
    if flees:
        run_down_together(g, unit, target)


def run_down_together(g: BattleCore, unit: int, target: int) -> None:
    """A unit has come into contact with an enemy that flees. Others whose charges reach it do so too, each at its best
    place, before it is run down; those that find none fail later (wap.charge.fleeing.contact, .several.no-room).
    """
    c, u, chargers, fleers = g.charges, g.units, [unit], wholly(g, target)
    for k in others_arriving(g, unit, target):
        place = next(iter(places(g, c.unit[k], [k], 1)), None)
        if place is not None:
            move_into_contact(g, c.unit[k], place, "wap.charge.fleeing.contact", aloft=bool(c.aloft[k]))
            chargers.append(c.unit[k])
    for charger in chargers:
        left = next((row for row in fleers if u.place[row] == ON_TABLE), -1)  # the unit, or a character who was in it
        if left >= 0:
            run_down(g, charger, left, destroys=True)
    for charger in reversed(chargers):
        offer_reform(g, charger, fleers)


def begin_assault(g: BattleCore, unit: int, target: int, place: Place, aloft: bool) -> None:
    """A unit reaches the building of a garrison and assaults it. It does not count as charging
    (wap.building.assault.distance, .no-charge-bonus).
    """
    g.units.storms[unit] = g.units.garrison[target]
    move_into_contact(g, unit, place, "wap.building.assault.distance", aloft=aloft)
    g.units.charging[unit] = 0


def come_to_blows(g: BattleCore, unit: int, rows: Sequence[int], rule: str) -> bool:
    """Make a charge for which no dice are rolled. Returns whether there is a place for it; else nothing moves but ranks
    that close up.
    """
    close_for(g, unit, rows)
    chosen = arriving(g, unit, rows)
    if chosen:
        arrive(g, unit, chosen, places(g, unit, chosen, 1)[0], rule)
    return bool(chosen)


def fail(g: BattleCore, unit: int) -> None:
    """The charge fails: the unit moves towards its target, or straight on if all targets are gone (wap.charge.failed,
    .unusual.fails).
    """
    c, u = g.charges, g.units
    rows = charges_of(g, unit)
    far, aloft = float(c.short[rows[0]]), bool(c.aloft[rows[0]])
    there = [k for k in rows if u.place[c.target[k]] == ON_TABLE]
    if there:
        fail_charge(g, unit, c.target[there[0]], far, aloft)
        return
    go_straight_on(g, unit, far, aloft)
    u.did[unit] |= FAILED
