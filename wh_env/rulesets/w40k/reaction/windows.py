"""Windows: the moments at which Stratagems can be used (w10.stratagem.same-trigger).

``open_window`` is called where a rule names a moment. It costs next to nothing where nobody could use anything. A ``Window``
asks first the player whose turn it is, then the opponent, one Stratagem after the other; each is a ``UseStratagem``, whose
legal answers are ``done`` and what it can be used on. One that can be used on nothing is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import Bounds, between, row_of, row_plus_one
from wh_env.core.procedures import FRAME_SIZE, GO, DecisionKind, Procedure, V
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.stratagems.book import (
    MOST_CP,
    PAYABLE,
    TABLE,
    USABLE,
    Stratagem,
    affects,
    available,
    bits,
    pay,
)

MOMENT, UNIT, LEADER, DECLINED = (
    V,
    V + 1,
    V + 2,
    V + 3,
)  # LEADER: row + 1 of the Leader in the unit; DECLINED: two, by turn
MARK = FRAME_SIZE - 2  # offset in the frame beneath a window where a Stratagem leaves what has to be known later


class Moment(IntEnum):
    """When Stratagems can be used; most are moments of a unit."""

    STARTS_MOVE = 0  # its kind is declared, the Advance roll made, nobody has moved
    STARTS_CHARGE = 1  # the Charge roll is sufficient, nobody has moved
    ENDS_MOVE = 2
    ENDS_CHARGE = 3
    SET_UP = 4  # in the Movement or Charge phase
    TARGETS_SELECTED = 5
    MOVEMENT_ENDS = 6  # of no unit
    BETWEEN_SHOOTERS = 7  # of no unit
    TEST_FAILED = 8  # a Battle-shock test
    SELECTED_TO_FIGHT = 9
    HAS_FOUGHT = 10


OFFERED: dict[int, tuple[Stratagem, ...]] = {
    Moment.STARTS_MOVE: (Stratagem.FIRE_OVERWATCH,),
    Moment.STARTS_CHARGE: (Stratagem.TANK_SHOCK, Stratagem.FIRE_OVERWATCH),
    Moment.ENDS_MOVE: (Stratagem.FIRE_OVERWATCH,),
    Moment.ENDS_CHARGE: (Stratagem.HEROIC_INTERVENTION, Stratagem.FIRE_OVERWATCH),
    Moment.SET_UP: (Stratagem.FIRE_OVERWATCH,),
    Moment.TARGETS_SELECTED: (Stratagem.GO_TO_GROUND, Stratagem.SMOKESCREEN),
    Moment.MOVEMENT_ENDS: (Stratagem.RAPID_INGRESS,),
    Moment.BETWEEN_SHOOTERS: (Stratagem.GRENADE,),
    Moment.TEST_FAILED: (Stratagem.INSANE_BRAVERY,),
    Moment.SELECTED_TO_FIGHT: (Stratagem.EPIC_CHALLENGE,),
    Moment.HAS_FOUGHT: (Stratagem.COUNTER_OFFENSIVE,),
}
MASKS = tuple(bits(OFFERED[moment]) for moment in Moment)
STARTS = (Moment.STARTS_MOVE, Moment.STARTS_CHARGE)
MOVES = (*STARTS, Moment.ENDS_MOVE, Moment.ENDS_CHARGE, Moment.SET_UP)
OF_MOVES = tuple(moment in MOVES for moment in Moment)


def may_open(g: BattleCore, moment: Moment) -> bool:
    """Whether somebody could use something at this moment, as far as CP, phase, turn and earlier uses go."""
    wanted = MASKS[moment] & g.setup.statics["stratagems"]
    if not wanted:
        return False
    players, clock = g.players, g.clock
    turn, usable = clock.turn[0], USABLE[clock.phase[0]]
    for player in (0, 1):
        cp = players.cp[player]
        if cp > 0 and wanted & usable[turn == player] & PAYABLE[cp if cp < MOST_CP else MOST_CP] & ~(
            players.used[player] | players.used_turn[player]
        ):
            return True
    return False


def open_window(g: BattleCore, moment: Moment, unit: int = -1) -> bool:
    """The moment has come (for the unit): let those who could use a Stratagem now decide."""
    if not may_open(g, moment):
        return False
    g.push(Window, moment, unit, g.units.leader[unit] + 1 if unit >= 0 else 0)
    return True


class Window(Procedure):
    """Asks for the Stratagems of one moment, the turn player first."""

    slots: ClassVar[dict[int, Bounds]] = {
        MOMENT: between(0, max(Moment)),
        UNIT: row_of("units", none=True),
        LEADER: row_plus_one("units"),
        DECLINED: between(0, bits(Stratagem)),
        DECLINED + 1: between(0, bits(Stratagem)),
    }
    asks = (
        "insane-bravery",
        "go-to-ground",
        "smokescreen",
        "grenade",
        "tank-shock",
        "epic-challenge",
        "fire-overwatch",
        "rapid-ingress",
        "heroic-intervention",
        "counter-offensive",
    )

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        moment, unit = stack[f + MOMENT], stack[f + UNIT]  # plain ints: members of the enum cost more than the rest
        if OF_MOVES[moment] and g.units.place[unit] != ON_TABLE:
            unit = remainder(g, f)
            if unit < 0:
                g.pop()
                if moment in STARTS:
                    g.pop()  # the move does not take place (w10.stratagem.fire-overwatch.start-of-move)
                return GO
        turn = g.clock.turn[0]
        for side in (0, 1):
            player = turn ^ side
            left = MASKS[moment] & ~stack[f + DECLINED + side]
            if left and (left := left & available(g, player)):
                for stratagem in OFFERED[moment]:
                    if left >> stratagem & 1:
                        return g.ask(USES[stratagem], player, unit)
        return g.pop()


def remainder(g: BattleCore, f: int) -> int:
    """The unit of the window was destroyed, but its Leader may be left and goes on with the move: its row, or -1.

    The frames beneath the window, which carry out the move, now speak of the Leader.
    """
    stack = g.stack
    unit, leader = stack[f + UNIT], stack[f + LEADER] - 1
    if leader < 0 or g.units.place[leader] != ON_TABLE:
        return -1
    stack[f + UNIT], stack[f + LEADER] = leader, 0
    if stack[f + MOMENT] in STARTS:
        for frame in (f - FRAME_SIZE, f - 2 * FRAME_SIZE):
            if stack[frame + V] == unit:
                stack[frame + V] = leader
    return int(leader)


USES: dict[Stratagem, type[UseStratagem]] = {}


class UseStratagem(DecisionKind):
    """Whether to use a Stratagem now, and on which unit (``done``: not)."""

    stratagem: ClassVar[Stratagem]

    def __init_subclass__(cls) -> None:
        """Every Stratagem has one such decision."""
        if "stratagem" in vars(cls):
            USES[cls.stratagem] = cls

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        """Units of the player that it can be used on; ``unit``: the one whose moment it is."""
        raise NotImplementedError

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        """It was paid for: its effect. ``f`` is the frame of the window."""
        raise NotImplementedError

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.clock.player[0]
        at = g.setup.space.own - g.players.first_unit[player]
        mask[0] = True
        for unit in self.units(g, g.stack[f + UNIT], player):
            if affects(g, self.stratagem, unit):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            decline(g, f, self.stratagem)
            return
        player = g.clock.player[0]
        unit = g.players.first_unit[player] + action - g.setup.space.own
        pay(g, player, self.stratagem, unit)
        self.use(g, f, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = TABLE[self.stratagem].name
        return f"no {name}" if action == 0 else f"{name}: {g.default_words(action)}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        """Use it, on the unit that costs most points."""
        own = g.setup.space.own
        first, points = g.players.first_unit[g.clock.player[0]], g.units.points
        slots = [slot for slot in range(g.setup.space.units) if mask[own + slot]]
        return int(own + max(slots, key=lambda slot: points[first + slot])) if slots else 0


def decline(g: BattleCore, f: int, stratagem: Stratagem) -> None:
    """The player who was asked does not use the Stratagem in this window."""
    g.stack[f + DECLINED + (g.clock.player[0] != g.clock.turn[0])] |= 1 << stratagem


def delegated(g: BattleCore, stratagem: Stratagem) -> bool:
    """Whether a policy of the battle, and no player, uses the Stratagem."""
    return USES[stratagem].id in g.setup.delegates
