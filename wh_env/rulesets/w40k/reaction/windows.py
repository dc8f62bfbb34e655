"""Windows: the moments at which Stratagems can be used (stratagem.same-trigger).

``open_window`` is called at each moment that a rule names. It is cheap if no player can use a Stratagem, or if every
Stratagem offered then needs an occasion that has not come (``UseStratagem.occasion``).

A ``Window`` asks the turn player first, then the opponent, one Stratagem after the other. Each is a ``UseStratagem``;
its legal answers are ``done`` and the units that it can be used on. A Stratagem with no such unit is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of, row_plus_one, zero
from wh_env.core.procedures import FRAME_SIZE, GO, DecisionKind, Procedure, Ruleset, beneath, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.edition import Edition, edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment, usable

STARTS = (Moment.STARTS_MOVE, Moment.STARTS_CHARGE)
MOVES = (*STARTS, Moment.ENDS_MOVE, Moment.ENDS_CHARGE, Moment.SET_UP)
OF_MOVES = tuple(moment in MOVES for moment in Moment)


def may_open(g: BattleCore, moment: Moment) -> bool:
    """Whether a player could use a Stratagem at this moment, judged by CP, phase, turn and earlier uses."""
    for player, could in g.setup.statics["windows"][moment][g.clock.phase[0]][g.clock.turn[0]]:
        if usable(g, player, could):
            return True
    return False


def open_window(g: BattleCore, moment: Moment, unit: int = -1) -> bool:
    """The moment has come (for the unit; -1: for none). Push a ``Window`` if a player could use a Stratagem now.
    Returns whether it was pushed.
    """
    for player, could in g.setup.statics["windows"][moment][g.clock.phase[0]][g.clock.turn[0]]:
        occasion = edition(g).occasions[moment]
        if (occasion is None or occasion(g, unit, player)) and usable(g, player, could):
            g.push(Window, moment, unit, g.units.leader[unit] + 1 if unit >= 0 else 0)
            return True
    return False


class Interruptible(Procedure):
    """An action of one unit during which a window may open.

    A Stratagem can leave a value in ``MARK`` for later, 0: none. Each subclass that uses it explains its meaning.
    """

    UNIT = integer(row_of("units"))
    MARK = integer(zero(), at=FRAME_SIZE - 2)

    @staticmethod
    def mark(g: BattleCore, f: int, value: int = 1) -> None:
        """Set ``MARK`` of the frame."""
        g.stack[f + Interruptible.MARK] = value

    @staticmethod
    def succeed(g: BattleCore, f: int, unit: int, heir: int) -> None:
        """The unit was destroyed. If the frame belongs to it, unit ``heir`` continues its action."""
        procedure = g.setup.ruleset.procedures[g.stack[f]]
        if isinstance(procedure, Interruptible) and g.stack[f + Interruptible.UNIT] == unit:
            g.stack[f + Interruptible.UNIT] = heir


class Window(Procedure):
    """Asks for the Stratagems of one moment, the turn player first."""

    MOMENT = integer(between(0, max(Moment)))
    UNIT = integer(row_of("units", none=True))
    LEADER = integer(row_plus_one("units"))  # row + 1 of the Leader in the unit
    DECLINED = integer(between(0, "every_stratagem"), width=2)  # of the turn player, of the opponent

    def may_ask(self, ruleset: Ruleset) -> Iterable[str]:
        """The names of all decisions on Stratagems."""
        return (kind.name for kind in ruleset.kinds if isinstance(kind, UseStratagem))

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        moment, unit = stack[f + Window.MOMENT], stack[f + Window.UNIT]
        if OF_MOVES[moment] and g.units.place[unit] != ON_TABLE:
            unit = remainder(g, f)
            if unit < 0:
                g.pop()
                if moment in STARTS:
                    g.pop()  # the move does not take place (stratagem.fire-overwatch.start-of-move)
                return GO
        turn = g.clock.turn[0]
        for player, could in g.setup.statics["windows"][moment][g.clock.phase[0]][turn]:
            declined = stack[f + Window.DECLINED + (player != turn)]
            if could[-1] & ~declined and (left := usable(g, player, could) & ~declined):
                own: Edition = g.setup.ruleset  # type: ignore[assignment]
                for stratagem in own.stratagems.offered[moment]:
                    if left >> stratagem & 1:
                        return g.ask(own.uses[stratagem], player, unit)
        return g.pop()


def moment_of(g: BattleCore, f: int) -> int:
    """The moment of a window's frame."""
    return int(g.stack[f + Window.MOMENT])


def unit_of(g: BattleCore, f: int) -> int:
    """The unit whose moment a window is for, -1: no unit."""
    return int(g.stack[f + Window.UNIT])


def remainder(g: BattleCore, f: int) -> int:
    """The unit of the window is destroyed. If its Leader is left, the Leader continues the move. Returns the Leader's
    row, or -1.

    The frames beneath the window, which carry out the move, are changed to the Leader.
    """
    stack = g.stack
    unit, leader = stack[f + Window.UNIT], stack[f + Window.LEADER] - 1
    if leader < 0 or g.units.place[leader] != ON_TABLE:
        return -1
    stack[f + Window.UNIT], stack[f + Window.LEADER] = leader, 0
    if stack[f + Window.MOMENT] in STARTS:
        for frame in (beneath(f), beneath(beneath(f))):
            Interruptible.succeed(g, frame, unit, leader)
    return int(leader)


class UseStratagem(DecisionKind):
    """Whether to use a Stratagem now, and on which unit (``done``: do not use it)."""

    stratagem: ClassVar[int]
    offers: ClassVar[bool] = True  # this class decides on ``stratagem``
    waits: ClassVar[bool] = False  # the Stratagem can be used only on an ``occasion``

    @staticmethod
    def occasion(g: BattleCore, unit: int, player: int) -> bool:
        """Whether the player could use the Stratagem at all, now that its moment has come (for the unit).

        Asked before a window opens. The window stays shut if every Stratagem offered ``waits`` and answers no. A no
        must still be right later, when the window would have asked the player.
        """
        return True

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        """Units of the player that the Stratagem can be used on. ``unit``: the unit whose moment it is."""
        raise NotImplementedError

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        """Carry out the effect of the Stratagem, which was paid for. ``f`` is the frame of the window."""
        raise NotImplementedError

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.clock.player[0]
        at = g.setup.space.own - g.players.first_unit[player]
        mask[0] = True
        book = edition(g).stratagems
        for unit in self.units(g, g.stack[f + Window.UNIT], player):
            if book.affects(g, self.stratagem, unit):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            decline(g, f, self.stratagem)
            return
        player = g.clock.player[0]
        unit = g.players.first_unit[player] + action - g.setup.space.own
        edition(g).stratagems.pay(g, player, self.stratagem, unit)
        self.use(g, f, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        title = edition(g).stratagems.table[self.stratagem].title
        return f"no {title}" if action == 0 else f"{title}: {g.default_words(action)}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        """Use it on the unit that costs most points."""
        own = g.setup.space.own
        first, points = g.players.first_unit[g.clock.player[0]], g.units.points
        slots = [slot for slot in range(g.setup.space.units) if mask[own + slot]]
        return (own + max(slots, key=lambda slot: points[first + slot])) if slots else 0


def decline(g: BattleCore, f: int, stratagem: int) -> None:
    """The player who was asked does not use the Stratagem in this window. The window closes if no other Stratagem is
    left.
    """
    stack, turn = g.stack, g.clock.turn[0]
    stack[f + Window.DECLINED + (g.clock.player[0] != turn)] |= 1 << stratagem
    for player, could in g.setup.statics["windows"][stack[f + Window.MOMENT]][g.clock.phase[0]][turn]:
        if could[-1] & ~stack[f + Window.DECLINED + (player != turn)]:
            return
    g.pop()


def delegated(g: BattleCore, stratagem: int) -> bool:
    """Whether a policy of the battle, not a player, decides on the Stratagem."""
    return g.setup.ruleset.number[edition(g).uses[stratagem]] in g.setup.delegates
