"""Units deployed by special rules: scouts deploy last, vanguards move before the battle, ambushers arrive during it
(wap.special.scouts.*, .vanguard.*, .ambushers.*). ``units.deployed`` holds which of these a unit has used, bit by bit.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import GO, ChooseUnit, DecisionKind, OfPlayer, Procedure, integer
from wh_env.core.tables import DEPLOYING, ON_TABLE, RESERVE
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.allies.relations import is_of_one_army
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.dice import roll_off
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.casualties.crossings import forget
from wh_env.rulesets.wap.codes import ADVANCED, AMBUSHES, ASKED, COMING, MOVED, REFORMED, SCOUTS
from wh_env.rulesets.wap.movement.edge_places import edges_open
from wh_env.rulesets.wap.movement.other_moves import MoveUnit
from wh_env.rulesets.wap.movement.plans import set_out
from wh_env.rulesets.wap.movement.reinforcements import Arrive
from wh_env.rulesets.wap.movement.start_of_turn import StartEffect
from wh_env.rulesets.wap.rule_book import AMBUSHERS, EXPENDABLE
from wh_env.rulesets.wap.special.light_troops import has_vanguard

FIRST_ROLL = 2  # the game turn from which ambushers are rolled for
ARRIVES = 3  # the least die with which they come
EDGES = ("southern", "eastern", "northern", "western")


# ---------------------------------------------------------------- units that stay back


def may_stay_back(g: BattleCore, unit: int) -> bool:
    """Whether a unit may be kept out of the deployment: a scout or ambusher that has not been kept back yet."""
    u = g.units
    if u.place[unit] != DEPLOYING or u.deployed[unit]:
        return False
    return lies_in_ambush(g, unit) or has(g, unit, rule_book.SCOUTS)


def lies_in_ambush(g: BattleCore, unit: int) -> bool:
    """Whether a unit that stays back does so in ambush. Scouts that have Ambushers but may not use
    it wait as scouts.
    """
    return has(g, unit, AMBUSHERS) and may_ambush(g, unit)


def may_ambush(g: BattleCore, unit: int) -> bool:
    """Whether a unit may be kept in ambush. For each Core unit in ambush there must be another Core unit of its army
    that is neither in ambush nor Expendable (wap.special.ambushers.core-limit).
    """
    core = g.setup.statics["core"]
    if not core[unit]:
        return True
    friends = g.units_of(g.units.owner[unit])
    own = [other for other in friends if core[other] and is_of_one_army(g, unit, other)]
    ambush = [other for other in own if other == unit or g.units.deployed[other] & AMBUSHES]
    return len(ambush) <= sum(other not in ambush and not has(g, other, EXPENDABLE) for other in own)


def stay_back(g: BattleCore, unit: int) -> None:
    """Keep a unit out of the deployment: ambushers go into reserve, scouts wait. A unit that is both lies in ambush."""
    if not lies_in_ambush(g, unit):
        wait_as_scouts(g, unit)
        return
    g.units.deployed[unit] |= AMBUSHES
    g.units.place[unit] = RESERVE
    g.note("wap.special.ambushers.roll", "stays back", unit=unit)


def wait_as_scouts(g: BattleCore, unit: int) -> None:
    """Mark a unit to be deployed as scouts, after all others."""
    g.units.deployed[unit] |= SCOUTS
    g.note("wap.special.scouts.deploy", "stays back", unit=unit)


class HoldBack(OfPlayer):
    """Before deployment a player says which scouts and ambushers are not deployed with the other units."""

    OVER = integer(flag())
    asks = ("hold-back",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + HoldBack.PLAYER]
        if not g.stack[f + HoldBack.OVER] and any(may_stay_back(g, unit) for unit in g.units_of(player)):
            return g.ask(HoldBackUnit, player)
        return g.pop()


class HoldBackUnit(ChooseUnit):
    name = "hold-back"
    what = "Which scouts or ambushers are not deployed with the others; done: the rest are."
    keys = ("wap.special.scouts.deploy", "wap.special.ambushers.roll", "wap.special.ambushers.core-limit")
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_stay_back(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        stay_back(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + HoldBack.OVER] = 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "the rest are deployed" if action == 0 else f"{g.default_words(action)} stays back"


# ---------------------------------------------------------------- vanguard


def may_advance(g: BattleCore, unit: int) -> bool:
    """Whether the player is still to be asked about a unit's vanguard move (wap.special.vanguard.move). The garrison of
    the tower stays there (wap.scenario.watchtower.garrison).
    """
    u = g.units
    outside = u.place[unit] == ON_TABLE and not is_inside(g, unit)
    return outside and not u.deployed[unit] & ASKED and has_vanguard(g, unit)


def has_vanguards(g: BattleCore, player: int) -> bool:
    """Whether a player has a unit for which ``may_advance`` holds."""
    return any(may_advance(g, unit) for unit in g.units_of(player))


class Vanguard(OfPlayer):
    """Vanguard moves: the players move one unit each in turn (wap.special.vanguard.roll-off)."""

    BEGUN = integer(flag())
    UNIT = integer(row_of("units", none=True))  # that moves
    asks = ("vanguard-unit",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        if not stack[f + Vanguard.BEGUN]:
            stack[f + Vanguard.BEGUN], stack[f + Vanguard.UNIT] = 1, -1
            if all(has_vanguards(g, player) for player in (0, 1)):
                stack[f + Vanguard.PLAYER] = roll_off(g, "wap.special.vanguard.roll-off")
        has_advanced(g, stack[f + Vanguard.UNIT])
        stack[f + Vanguard.UNIT] = -1
        first = stack[f + Vanguard.PLAYER]
        for player in (first, 1 - first):
            if has_vanguards(g, player):
                stack[f + Vanguard.PLAYER] = g.clock.turn[0] = player
                return g.ask(VanguardUnit, player)
        return g.pop()


def has_advanced(g: BattleCore, unit: int) -> None:
    """End a unit's vanguard move: note it if the unit moved, and clear its deeds, which belong to no turn. -1: no
    unit.
    """
    u = g.units
    if unit < 0:
        return
    if u.did[unit] & (MOVED | REFORMED):
        u.deployed[unit] |= ADVANCED
        if g.recorder is not None:
            place = (round(u.x[unit], 2), round(u.y[unit], 2))
            g.note("wap.special.vanguard.move", "has moved before the battle", unit=unit, place=place)
    u.did[unit] = 0


class VanguardUnit(ChooseUnit):
    name = "vanguard-unit"
    what = "Which vanguard unit moves next, before the battle; done: none of the player's others does."
    keys = ("wap.special.vanguard.move", "wap.special.vanguard.roll-off")
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_advance(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.deployed[unit] |= ASKED
        g.stack[f + Vanguard.UNIT] = unit
        g.stack[f + Vanguard.PLAYER] = 1 - g.stack[f + Vanguard.PLAYER]
        set_out(g, unit)
        forget(g, unit)
        g.push(MoveUnit, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        player = g.stack[f + Vanguard.PLAYER]
        for unit in g.units_of(player):
            if may_advance(g, unit):
                g.units.deployed[unit] |= ASKED
        g.stack[f + Vanguard.PLAYER] = 1 - player

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "no other vanguard moves" if action == 0 else g.default_words(action)


# ---------------------------------------------------------------- ambush


class Ambush(StartEffect):
    """Ambushers roll at the start of their player's turns (wap.special.ambushers.roll)."""

    rule = "wap.special.ambushers.roll"

    def possible(self, g: BattleCore) -> bool:
        return RESERVE in g.units.place.tolist()

    def due(self, g: BattleCore, unit: int) -> bool:
        u = g.units
        waits = u.place[unit] == RESERVE and u.deployed[unit] & AMBUSHES and not u.deployed[unit] & COMING
        return bool(waits and g.clock.round[0] >= FIRST_ROLL)

    def resolve(self, g: BattleCore, unit: int) -> None:
        die = g.d6()
        comes = die >= ARRIVES
        if comes:
            g.units.deployed[unit] |= COMING
        g.note(self.rule, "comes this turn" if comes else "is delayed", unit=unit, die=die)


def is_coming(g: BattleCore, unit: int) -> bool:
    """Whether ambushers arrive this turn and have room at an edge of the table. Those who have been there and pursued
    off it come back as others do (wap.pursuit.off-table.return).
    """
    u = g.units
    comes = u.place[unit] == RESERVE and u.deployed[unit] & COMING and u.left_edge[unit] < 0
    return bool(comes and edges_open(g, unit))


def somebody_waits(g: BattleCore) -> bool:
    """Whether any unit of either player is in reserve."""
    return RESERVE in g.units.place.tolist()


class Ambushes(OfPlayer):
    """The ambushers of a player arrive, before other moves (wap.special.ambushers.arrive)."""

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + Ambushes.PLAYER]
        unit = next((unit for unit in g.units_of(player) if is_coming(g, unit)), -1)
        if unit < 0:
            return g.pop()
        g.push(ComeOn, unit)
        return GO


class ComeOn(Procedure):
    """The player of ambushers chooses the edge over which they arrive."""

    UNIT = integer(row_of("units"))
    asks = ("arrive-edge",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + ComeOn.UNIT]
        return g.ask(ArriveEdge, g.units.owner[unit], unit)


class ArriveEdge(DecisionKind):
    name = "arrive-edge"
    what = "Over which edge of the table ambushers come."
    keys = ("wap.special.ambushers.arrive",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for edge in edges_open(g, g.stack[f + ComeOn.UNIT]):
            mask[g.setup.space.option + edge] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, edge = g.stack[f + ComeOn.UNIT], action - g.setup.space.option
        g.pop()
        if g.recorder is not None:
            g.note("wap.special.ambushers.arrive", f"comes over the {EDGES[edge]} edge", unit=unit)
        g.push(Arrive, unit, edge)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return (
            f"{g.setup.names['units'][g.stack[f + ComeOn.UNIT]]} over the {EDGES[action - g.setup.space.option]} edge"
        )
