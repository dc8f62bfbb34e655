"""Declare Battle Formations: Hover mode, Leaders, TRANSPORTS, Reserves (mission.formations.*, deploy.leader.*,
reserves.declare, transport.start-embarked, aircraft.reserves, .hover.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, count_of
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ATTACHED, DEPLOYING, DESTROYED, EMBARKED, RESERVE
from wh_env.rulesets.w40k.attack.casualties import refresh_unit, unit_destroyed
from wh_env.rulesets.w40k.deploy.embark_model import put_aboard
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.profiles import Ability, Keyword
from wh_env.rulesets.w40k.questions.hulls import embarked_in, hulls, passengers_of
from wh_env.rulesets.w40k.questions.parts import points
from wh_env.rulesets.w40k.questions.strength import living

DEEP_STRIKE, STRATEGIC = 1, 2
AIRCRAFT = int(Keyword.AIRCRAFT)
DEDICATED_TRANSPORT = int(Keyword.DEDICATED_TRANSPORT)


# ---------------------------------------------------------------- Leaders


def attach(g: BattleCore, leader: int, bodyguard: int) -> None:
    """Attach a Leader to a Bodyguard unit: one Attached unit (deploy.leader.attach, command.attached.merge)."""
    u, m = g.units, g.models
    u.leader[bodyguard], u.bodyguard[leader] = leader, bodyguard
    u.place[leader] = ATTACHED
    for k in range(u.first[leader], u.first[leader] + u.count[leader]):
        m.unit[k] = bodyguard
    u.alive[bodyguard] += u.alive[leader]
    u.alive[leader] = 0
    u.strength[bodyguard] = u.own_strength[bodyguard] + u.own_strength[leader]
    refresh_unit(g, bodyguard)
    g.tell("deploy.leader.attach", "Leader attached", leader=leader, bodyguard=bodyguard)


def bodyguards(g: BattleCore, leader: int) -> list[int]:
    """Units of the army that the Leader can still be attached to (deploy.leader.units, .one-leader)."""
    can_lead: dict[int, tuple[int, ...]] = g.setup.statics["can_lead"]
    return [unit for unit in can_lead.get(leader, ()) if g.units.leader[unit] < 0 and g.units.place[unit] == DEPLOYING]


# ---------------------------------------------------------------- TRANSPORTS


def places_taken(g: BattleCore, carrier: int, unit: int) -> int:
    """Places that the unit needs in the TRANSPORT; -1 if the TRANSPORT cannot carry such models
    (transport.capacity).
    """
    allowed, one_of, excluded, wide = g.setup.statics["cargo"][carrier]
    keywords, total = g.models.keywords, 0
    for k in living(g, unit):
        if keywords[k] & allowed != allowed or keywords[k] & excluded or (one_of and not keywords[k] & one_of):
            return -1
        total += max((number for bit, number in wide if keywords[k] & bit), default=1)
    return total


def has_room(g: BattleCore, carrier: int, unit: int) -> bool:
    """Whether the whole unit fits in one model of the TRANSPORT (transport.capacity, .whole-units)."""
    return bool(with_room(g, carrier, unit))


def with_room(g: BattleCore, carrier: int, unit: int) -> list[int]:
    """Models of the TRANSPORT in which the whole unit fits beside the units embarked there."""
    u = g.units
    if not u.capacity[carrier] or u.owner[carrier] != u.owner[unit] or carrier == unit:
        return []
    needed = places_taken(g, carrier, unit)
    if needed < 0:
        return []
    return [
        hull
        for hull in hulls(g, carrier)
        if g.models.alive[hull]
        and needed + sum(places_taken(g, carrier, other) for other in passengers_of(g, hull)) <= u.capacity[carrier]
    ]


def waits(g: BattleCore, unit: int) -> bool:
    """Whether the unit is an AIRCRAFT that must start the battle in Reserves (aircraft.reserves)."""
    return bool(g.units.keywords[unit] & AIRCRAFT) and edition(g).aircraft.in_reserves


def embark(g: BattleCore, unit: int, carrier: int, choose: bool) -> None:
    """The unit starts the battle embarked, in the first model with room or the model that its player chooses. In an
    AIRCRAFT it is in Reserves itself (aircraft.transport), by Deep Strike if it can.
    """
    if waits(g, carrier) and not g.units.reserve[unit]:
        g.units.reserve[unit] = min(reserve_kinds(g, unit), default=STRATEGIC)
    open_hulls = with_room(g, carrier, unit)
    put_aboard(g, unit, carrier, open_hulls if choose else open_hulls[:1])
    g.tell("transport.start-embarked", "starts embarked", unit=unit, carrier=carrier)


def transports(g: BattleCore, unit: int) -> list[int]:
    """TRANSPORTS in which the unit could start the battle. A unit that carries others cannot embark itself."""
    u = g.units
    if embarked_in(g, unit):
        return []
    in_reserves = reserve_kinds(g, unit)
    return [
        row
        for row in g.units_of(u.owner[unit])
        if u.place[row] == DEPLOYING and has_room(g, row, unit) and (in_reserves or not waits(g, row))
    ]


# ---------------------------------------------------------------- Reserves


def to_reserves(g: BattleCore, unit: int, kind: int) -> None:
    """The unit starts the battle in Reserves."""
    g.units.place[unit] = RESERVE
    g.units.reserve[unit] = kind
    if g.recorder is not None:
        rule = "deploy.deep-strike.reserves" if kind == DEEP_STRIKE else "reserves.declare"
        g.tell(rule, "placed in Reserves", unit=unit)


def points_of(g: BattleCore, unit: int) -> int:
    """Points of the unit, of the Leader attached to it and of all units embarked in it."""
    u = g.units
    own = points(g, unit) + (points(g, u.leader[unit]) if u.leader[unit] >= 0 else 0)
    return own + sum(points_of(g, other) for other in embarked_in(g, unit))


def reserve_points(g: BattleCore, player: int) -> int:
    """Points of the player's units in Strategic Reserves.

    Units with Deep Strike do not count (deploy.deep-strike.points). AIRCRAFT do not count either, because they are
    Strategic Reserves only after the battle has begun (aircraft.reserves.points).
    """
    u = g.units
    return sum(
        points_of(g, unit)
        for unit in g.units_of(player)
        if u.reserve[unit] == STRATEGIC and not u.keywords[unit] & AIRCRAFT and u.place[unit] in (RESERVE, EMBARKED)
    )


def reserve_kinds(g: BattleCore, unit: int) -> list[int]:
    """The ways in which the unit could start in Reserves: DEEP_STRIKE, STRATEGIC (reserves.*)."""
    u = g.units
    kinds = []
    points = reserve_points(g, u.owner[unit]) + points_of(g, unit)
    own = edition(g)
    if u.flags[unit] & int(Ability.DEEP_STRIKE) and own.may_reserve(g, unit, points, strategic=False):
        kinds.append(DEEP_STRIKE)
    if not u.keywords[unit] & int(Keyword.FORTIFICATION) and own.may_reserve(g, unit, points, strategic=True):
        kinds.append(STRATEGIC)
    return kinds


# ---------------------------------------------------------------- the step


def by_lists(g: BattleCore) -> None:
    """Declare the formations of the army lists."""
    u = g.units
    for unit in g.setup.statics["hover"] if edition(g).aircraft.hover else ():
        hover(g, unit)
    for leader, bodyguard in g.setup.statics["leads"]:
        attach(g, leader, bodyguard)
    inside = {unit for unit, carrier in enumerate(u.carrier) if carrier >= 0 and u.place[unit] == DEPLOYING}
    for unit, kind in g.setup.statics["reserves"]:
        if unit in inside:
            u.reserve[unit] = kind
        else:
            to_reserves(g, unit, kind)
    for unit in sorted(inside):
        embark(g, unit, u.carrier[unit], False)
    for unit, place in enumerate(u.place):
        if place == DEPLOYING and waits(g, unit):
            to_reserves(g, unit, STRATEGIC)


class Formations(Procedure):
    """Each player declares Hover modes, Leaders, embarked units and Reserves, in this order (mission.formations.order).

    With ``formations: lists`` the army lists have the declarations.
    """

    class Step(Steps):
        HOVER, LEADERS, TRANSPORTS, RESERVES, REVEAL = range(5)

    SIDE = integer(between(0, 2))
    UNIT = integer(count_of("units"))
    asks = ("hover-mode", "attach-leader", "start-embarked", "reserves")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        if g.setup.rules["formations"] == "lists":
            by_lists(g)
            return self.reveal(g)
        while stack[f + Formations.SIDE] < 2:
            side = stack[f + Formations.SIDE]
            for unit in g.units_of(side)[stack[f + Formations.UNIT] :]:
                stack[f + Formations.UNIT] += 1
                kind = to_declare(g, stack[f + STEP], unit) if g.units.place[unit] == DEPLOYING else None
                if kind is not None:
                    return g.ask(kind, side, unit)
            stack[f + Formations.UNIT] = 0
            stack[f + STEP] += 1
            if stack[f + STEP] == Formations.Step.REVEAL:
                g.players.ready[side] = 1
                stack[f + STEP] = Formations.Step.HOVER
                stack[f + Formations.SIDE] += 1
        return self.reveal(g)

    @staticmethod
    def reveal(g: BattleCore) -> int:
        """Both players have finished: the declarations become known."""
        g.players.ready[0] = g.players.ready[1] = 1
        leave_empty_behind(g)
        edition(g).reserves_declared(g)
        g.tell("mission.formations.secret", "battle formations are revealed")
        return g.pop()


def leave_empty_behind(g: BattleCore) -> None:
    """army.dedicated-transport: DEDICATED TRANSPORTS in which no unit starts are not deployed. They count as destroyed
    in the first battle round (``count_left_behind``).
    """
    u = g.units
    for unit, place in enumerate(u.place):
        if place in (DEPLOYING, RESERVE) and u.keywords[unit] & DEDICATED_TRANSPORT and not embarked_in(g, unit):
            u.place[unit], u.reserve[unit] = DESTROYED, 0
            g.tell("army.dedicated-transport", "cannot be deployed", unit=unit)


def count_left_behind(g: BattleCore) -> None:
    """The first battle round begins: units that were left behind count as destroyed."""
    u, m = g.units, g.models
    for unit, place in enumerate(u.place):
        if place == DESTROYED and u.alive[unit]:
            for k in living(g, unit):
                m.alive[k] = m.wounds[k] = 0
            unit_destroyed(g, unit)


def to_declare(g: BattleCore, step: int, unit: int) -> type[DecisionKind] | None:
    """The decision on the unit in this step, if there is one. AIRCRAFT go into Reserves without a choice."""
    Step = Formations.Step
    if step == Step.HOVER:
        return HoverMode if may_hover(g, unit) else None
    if step == Step.LEADERS:
        return AttachTo if bodyguards(g, unit) else None
    if step == Step.TRANSPORTS:
        return EmbarkIn if transports(g, unit) else None
    if waits(g, unit):
        to_reserves(g, unit, STRATEGIC)
        return None
    return ReserveChoice if reserve_kinds(g, unit) else None


def may_hover(g: BattleCore, unit: int) -> bool:
    """Whether the unit is an AIRCRAFT with the Hover ability and the edition has Hover mode
    (aircraft.hover.declare).
    """
    able = g.units.flags[unit] & int(Ability.HOVER) and g.units.keywords[unit] & AIRCRAFT
    return bool(able and edition(g).aircraft.hover)


def hover(g: BattleCore, unit: int) -> None:
    """The unit is in Hover mode until the end of the battle (aircraft.hover.effect)."""
    for k in living(g, unit):
        g.models.move[k] = edition(g).aircraft.hover
        g.models.keywords[k] &= ~AIRCRAFT
    refresh_unit(g, unit)
    g.tell("aircraft.hover.declare", "Hover mode", unit=unit)


class HoverMode(DecisionKind):
    name = "hover-mode"
    what = "Whether the AIRCRAFT is in Hover mode."
    keys = ("aircraft.hover.declare", "aircraft.hover.effect")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.clock.subject[0]
        if action == g.setup.space.option:
            return
        hover(g, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return ("no Hover mode", "Hover mode")[action - g.setup.space.option]


class AttachTo(DecisionKind):
    name = "attach-leader"
    what = "Which Bodyguard unit the Leader is attached to (done: none)."
    keys = ("deploy.leader.attach", "mission.formations.order")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        leader = g.clock.subject[0]
        at = g.setup.space.own - g.players.first_unit[g.units.owner[leader]]
        mask[0] = True
        for unit in bodyguards(g, leader):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            leader = g.clock.subject[0]
            first = g.players.first_unit[g.units.owner[leader]]
            attach(g, leader, first + action - g.setup.space.own)


class EmbarkIn(DecisionKind):
    name = "start-embarked"
    what = "Which TRANSPORT the unit starts the battle embarked in (done: none)."
    keys = ("transport.start-embarked", "mission.formations.order")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.clock.subject[0]
        at = g.setup.space.own - g.players.first_unit[g.units.owner[unit]]
        mask[0] = True
        for carrier in transports(g, unit):
            mask[at + carrier] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            unit = g.clock.subject[0]
            embark(g, unit, g.players.first_unit[g.units.owner[unit]] + action - g.setup.space.own, True)


class ReserveChoice(DecisionKind):
    name = "reserves"
    what = "Deploy the unit, put it in Reserves by Deep Strike, or in Strategic Reserves."
    keys = (
        "reserves.declare",
        "reserves.deep-strike-choice",
        "deploy.deep-strike.reserves",
        "aircraft.hover.deployment",
        "mission.formations.order",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = True
        for kind in reserve_kinds(g, g.clock.subject[0]):
            mask[option + kind] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        kind = action - g.setup.space.option
        if kind:
            to_reserves(g, g.clock.subject[0], kind)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return ("deploy", "Reserves (Deep Strike)", "Strategic Reserves")[action - g.setup.space.option]
