"""Panic tests: ``morale.panic_causes`` marks causes on units, and one procedure works them off, so that no flight
starts during another (wap.panic.test, .chain).

A flight is finished before the units that it went through test (wap.panic.fled-through); they may flee through others
in turn. A unit that panics may rally in its player's next turn (wap.panic.rally-next-turn), see
``compulsory.rally.may_rally``.
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import code
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer, Procedure, integer
from wh_env.rulesets.wap.codes import (
    BURNT,
    FLED_THROUGH,
    FRIEND_BROKEN,
    FRIEND_DESTROYED,
    HEAVY_CASUALTIES,
    SPELLBOUND,
)
from wh_env.rulesets.wap.commands.first_failures import TestWaits, ask_again, waits
from wh_env.rulesets.wap.fleeing.flight import Flight, start_to_flee
from wh_env.rulesets.wap.morale.panic_causes import may_panic, shows_calm
from wh_env.rulesets.wap.panic.directions import away_from_enemies, away_from_harm, nearest_first
from wh_env.rulesets.wap.panic.fright import takes_fright
from wh_env.rulesets.wap.special.psychology import fears_fire

# the rule by which a unit tests: if it has several causes, the first of these; losses of its own decide the direction
RULES = {
    HEAVY_CASUALTIES: "wap.panic.heavy-casualties",
    BURNT: "wap.machine.fire-thrower.panic",
    SPELLBOUND: "wap.magic.resolve.panic",
    FRIEND_DESTROYED: "wap.panic.friend-destroyed",
    FRIEND_BROKEN: "wap.panic.friend-broken",
    FLED_THROUGH: "wap.compulsory.flee.friends-panic",
}
OF_LOSSES = (HEAVY_CASUALTIES, BURNT, SPELLBOUND)  # causes that lie in the unit's own losses
SCORCHED = 1  # what fire takes off the Leadership of a unit that fears it


def must_test(g: BattleCore, unit: int) -> bool:
    """Whether a unit has to take a Panic test: it has a cause, and nothing that has happened since exempts it."""
    return bool(g.units.due[unit]) and may_panic(g, unit)


class Panic(Procedure):
    """Panic tests until no unit has one left to take, first those of the player whose turn it is."""

    def advance(self, g: BattleCore, f: int) -> int:
        turn = g.clock.turn[0]
        for player in (turn, 1 - turn):
            if any(must_test(g, unit) for unit in g.units_of(player)):
                g.push(PanicOf, player)
                return GO
        for unit, due in enumerate(g.units.due.tolist()):
            if due:
                shows_calm(g, unit)
        g.units.rows["due"] = 0
        return g.pop()


class PanicOf(OfPlayer):
    """The next Panic test of a player."""

    asks = ("panic-order",)

    def advance(self, g: BattleCore, f: int) -> int:
        return g.ask(PanicOrder, g.stack[f + PanicOf.PLAYER])


class PanicOrder(ChooseUnit):
    name = "panic-order"
    what = "Which unit takes its Panic test next."
    policy = "The unit nearest to an enemy."
    keys = ("wap.panic.order",)
    squad = False

    def may(self, g: BattleCore, unit: int) -> bool:
        return must_test(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.pop()
        panic_test(g, unit)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return nearest_first(g, mask)


def panic_test(g: BattleCore, unit: int) -> None:
    """A unit tests. If it fails, it turns its back on what it flees from and flees at once (wap.panic.test)."""
    due = g.units.due[unit]
    cause = next(cause for cause in RULES if due & cause)
    g.units.due[unit] = 0
    modifier = -SCORCHED if cause in OF_LOSSES and g.units.scorched[unit] and fears_fire(g, unit) else 0
    if takes_fright(g, unit, RULES[cause], modifier) and not waits(g, unit, PanicWaits, cause, modifier=modifier):
        panics(g, unit, cause)


def panics(g: BattleCore, unit: int, cause: int) -> None:
    """A unit has failed its test: it turns its back on what it flees from, and flees."""
    rule, facing = away_from_harm(g, unit) if cause in OF_LOSSES else away_from_enemies(g, unit)
    start_to_flee(g, unit, facing, rule)
    g.push(Flight, unit)


class PanicWaits(TestWaits):
    """A unit that may roll its Panic test again."""

    advance = ask_again
    CAUSE = integer(code(*RULES))

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        if not passed:
            panics(g, unit, more[0])
