"""Declare Battle Formations: Leaders, Reserves (w10.mission.formations.*, w10.deploy.leader.*, w10.reserves.declare)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import STEP, DecisionKind, Procedure, V
from wh_env.core.tables import ATTACHED, DEPLOYING, RESERVE
from wh_env.rulesets.w10.casualties import refresh_unit
from wh_env.rulesets.w40k.profiles import Ability, Keyword

SIDE, UNIT = V, V + 1
DEEP_STRIKE, STRATEGIC = 1, 2
LEADERS, RESERVES = 0, 1  # steps for each side


def attach(g: BattleCore, leader: int, bodyguard: int) -> None:
    """Attach a Leader to a Bodyguard unit: one Attached unit (w10.deploy.leader.attach, w10.command.attached.merge)."""
    u, m = g.units, g.models
    u.leader[bodyguard], u.bodyguard[leader] = leader, bodyguard
    u.place[leader] = ATTACHED
    for k in range(u.first[leader], u.first[leader] + u.count[leader]):
        m.unit[k] = bodyguard
    u.alive[bodyguard] += u.alive[leader]
    u.alive[leader] = 0
    u.strength[bodyguard] = u.own_strength[bodyguard] + u.own_strength[leader]
    refresh_unit(g, bodyguard)
    if g.recorder is not None:
        g.note("w10.deploy.leader.attach", "Leader attached", leader=leader, bodyguard=bodyguard)


def to_reserves(g: BattleCore, unit: int, kind: int) -> None:
    """The unit starts the battle in Reserves."""
    g.units.place[unit] = RESERVE
    g.units.reserve[unit] = kind
    if g.recorder is not None:
        rule = "w10.deploy.deep-strike.reserves" if kind == DEEP_STRIKE else "w10.reserves.declare"
        g.note(rule, "placed in Reserves", unit=unit)


def bodyguards(g: BattleCore, leader: int) -> list[int]:
    """Units of the army that the Leader can still be attached to (w10.deploy.leader.units, .one-leader)."""
    can_lead: dict[int, tuple[int, ...]] = g.setup.statics["can_lead"]
    return [
        unit
        for unit in can_lead.get(leader, ())
        if g.units.leader[unit] < 0 and g.units.place[unit] == DEPLOYING
    ]


def reserve_points(g: BattleCore, player: int) -> int:
    """Points in Strategic Reserves (Deep Strike does not count, w10.deploy.deep-strike.points)."""
    u = g.units
    return sum(
        u.points[unit] + (u.points[u.leader[unit]] if u.leader[unit] >= 0 else 0)
        for unit in g.units_of(player)
        if u.place[unit] == RESERVE and u.reserve[unit] == STRATEGIC
    )


def reserve_kinds(g: BattleCore, unit: int) -> list[int]:
    """How the unit could start in Reserves: by Deep Strike, in Strategic Reserves (w10.reserves.*)."""
    u = g.units
    kinds = []
    if u.flags[unit] & int(Ability.DEEP_STRIKE):
        kinds.append(DEEP_STRIKE)
    points = u.points[unit] + (u.points[u.leader[unit]] if u.leader[unit] >= 0 else 0)
    limit = g.setup.rules["strategic_reserves_points"]
    if not u.keywords[unit] & int(Keyword.FORTIFICATION) and reserve_points(g, u.owner[unit]) + points <= limit:
        kinds.append(STRATEGIC)
    return kinds


class Formations(Procedure):
    """Each player notes Leaders, then Reserves; with ``formations: lists`` they are those of the army lists."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack, u = g.stack, g.units
        if g.setup.rules["formations"] == "lists":
            for leader, bodyguard in g.setup.statics["leads"]:
                attach(g, leader, bodyguard)
            for unit, kind in g.setup.statics["reserves"]:
                to_reserves(g, unit, kind)
            return g.pop()
        while stack[f + SIDE] < 2:
            side, step = stack[f + SIDE], stack[f + STEP]
            units = list(g.units_of(side))
            for unit in units[stack[f + UNIT] :]:
                stack[f + UNIT] += 1
                if u.place[unit] != DEPLOYING:
                    continue
                if step == LEADERS and bodyguards(g, unit):
                    return g.ask(AttachTo, side, unit)
                if step == RESERVES and reserve_kinds(g, unit):
                    return g.ask(ReserveChoice, side, unit)
            stack[f + UNIT] = 0
            stack[f + STEP] = RESERVES if step == LEADERS else LEADERS
            stack[f + SIDE] += step == RESERVES
            g.players.ready[side] = step == RESERVES
        if g.recorder is not None:
            g.note("w10.mission.formations.secret", "battle formations are revealed")
        return g.pop()


class AttachTo(DecisionKind):
    """Which Bodyguard unit the Leader is attached to, or none (done)."""

    name = "attach-leader"
    rules = ("w10.deploy.leader.attach", "w10.mission.formations.order")

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


class ReserveChoice(DecisionKind):
    """Deploy the unit, put it in Reserves by Deep Strike, or in Strategic Reserves."""

    name = "reserves"
    rules = ("w10.reserves.declare", "w10.reserves.deep-strike-choice", "w10.deploy.deep-strike.reserves")

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


