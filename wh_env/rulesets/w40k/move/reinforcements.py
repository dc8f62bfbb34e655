"""Reinforcements step: Reserves units arrive (move.reinforcements.*, deploy.deep-strike.arrive, reserves.arrive)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import RESERVE
from wh_env.rulesets.w40k.codes import Moved, Selected
from wh_env.rulesets.w40k.deploy.places import (
    JUST_LEFT,
    OWN_EDGE,
    RETURNING,
    STRATEGIC,
    STRIPS,
    finds_room,
    strips_with_room,
)
from wh_env.rulesets.w40k.deploy.setting_up import InFormation, finish_set_up, start_set_up
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.questions.aircraft import is_aircraft
from wh_env.rulesets.w40k.reaction.windows import open_window
from wh_env.rulesets.w40k.transport.transports import ArrivedTransport

WITHIN_BAND = OWN_EDGE + 1  # as an answer: its way stays as it is


def may_arrive(g: BattleCore, unit: int) -> bool:
    """Whether the Reserves unit can be set up now. There must be room for it."""
    u = g.units
    if u.place[unit] != RESERVE:
        return False
    if g.clock.round[0] < edition(g).first_round(g, u.reserve[unit] == STRATEGIC):
        return False
    if u.reserve[unit] == JUST_LEFT:
        return False  # its player's next turn is one of the next battle round (aircraft.return)
    if finds_room(g, unit) or by_own_edge(g, unit):
        return True
    return u.reserve[unit] in (STRATEGIC, RETURNING) and bool(strips_with_room(g, unit))


def by_own_edge(g: BattleCore, unit: int) -> bool:
    """Whether a unit of Strategic Reserves can arrive by its own table edge at any distance from enemies."""
    near = edition(g).placing.own_edge > 0.0 and g.units.reserve[unit] == STRATEGIC
    return near and finds_room(g, unit, OWN_EDGE)


def ways_to_arrive(g: BattleCore, unit: int) -> list[int]:
    """The ways among which the player of the unit chooses; empty if there is no choice.

    They are strips along table edges (for AIRCRAFT or large units), ``OWN_EDGE`` (at any distance from enemies) and
    ``WITHIN_BAND`` (anywhere else that the rule allows).
    """
    if g.units.reserve[unit] not in (STRATEGIC, RETURNING):
        return []
    # the facing matters to AIRCRAFT, which fly straight ahead
    strips = is_aircraft(g, unit) and not edition(g).placing.aircraft_anywhere
    room = finds_room(g, unit)
    ways = strips_with_room(g, unit) if strips or not room else []
    own = by_own_edge(g, unit)
    if own and room and not ways:
        ways = [WITHIN_BAND]
    return ways + [OWN_EDGE] * own


class Reinforcements(OfPlayer):
    """The turn player sets up any number of Reserves units, one at a time."""

    class Step(Steps):
        SELECT, END = range(2)

    asks = ("select-reserves",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + Reinforcements.PLAYER]
        units = g.units_of(player)
        if g.stack[f + STEP] == Reinforcements.Step.END or RESERVE not in g.units.place[units.start : units.stop]:
            return g.pop()
        return g.ask(SelectReserves, player)


class SelectReserves(ChooseUnit):
    name = "select-reserves"
    what = "Which Reserves unit is set up next (done: no further one)."
    keys = ("move.reinforcements.arrive", "reserves.arrive", "deploy.deep-strike.arrive")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        at = g.setup.space.own - g.players.first_unit[g.stack[f + Reinforcements.PLAYER]]
        # aircraft.return
        mask[0] = not any(
            mask[at + unit] and g.units.reserve[unit] == RETURNING
            for unit in g.units_of(g.stack[f + Reinforcements.PLAYER])
        )

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_arrive(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + STEP] = Reinforcements.Step.END

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.push(Arrive, unit)


class Arrive(Procedure):
    """Sets up one Reserves unit; it counts as having made a Normal move (move.reinforcements.counts-as-normal)."""

    class Step(Steps):
        BEGIN, SET_UP, END = range(3)

    UNIT = integer(row_of("units"))
    asks = ("arrive-by", "arrive-at")

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + Arrive.UNIT]
        step = g.stack[f + STEP]
        g.stack[f + STEP] = step + 1
        if step == Arrive.Step.BEGIN:
            return g.ask(ArriveBy, g.units.owner[unit], unit) if ways_to_arrive(g, unit) else GO
        if step == Arrive.Step.SET_UP:
            return start_set_up(g, unit, ArriveAt)
        finish_set_up(g, unit)
        g.units.moved[unit] = Moved.NORMAL
        g.units.arrived[unit] = 1
        g.units.selected[unit] |= Selected.MOVE
        g.tell("move.reinforcements.counts-as-normal", "arrives from Reserves", unit=unit)
        edition(g).arrived(g, unit)
        g.pop()
        if g.units.capacity[unit]:
            g.push(ArrivedTransport, unit)
        open_window(g, Moment.SET_UP, unit)
        return GO


class ArriveBy(DecisionKind):
    name = "arrive-by"
    what = "By which table edge, and facing which way, an AIRCRAFT or a large unit of Strategic Reserves arrives."
    keys = ("reserves.arrive", "reserves.strategic.own-edge")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for way in ways_to_arrive(g, g.stack[f + Arrive.UNIT]):
            mask[g.setup.space.option + way - STRIPS.start] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        way = action - g.setup.space.option + STRIPS.start
        if way != WITHIN_BAND:
            g.units.reserve[g.stack[f + Arrive.UNIT]] = way

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        way = action - g.setup.space.option + STRIPS.start
        if way >= OWN_EDGE:
            return "by its own edge, at any distance from enemies" if way == OWN_EDGE else "away from enemies"
        edge, along = divmod(action - g.setup.space.option, 2)
        return f"by the {('near', 'far', 'left', 'right')[edge]} edge, facing {'along it' if along else 'inwards'}"


class ArriveAt(InFormation):
    name = "arrive-at"
    what = "Squad detail: where the Reserves unit is set up in formation, as a cell of the grid over the table."
    full = False
    keys = (
        "move.reinforcements.arrive",
        "reserves.arrive",
        "deploy.deep-strike.arrive",
        "stratagem.rapid-ingress",
        "move.reinforcements.how",
        "move.reinforcements.horizontal",
        "reserves.place.nine-inches",
        "reserves.strategic.own-edge",
        "reserves.strategic.round-three",
        "aircraft.reserves.return",
    )
