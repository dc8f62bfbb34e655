"""Initiative counters: the cup, drawing from it, and the player who acts first (epic.initiative.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import player
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.epic.codes import OPTIONS_OF_WHO


class AsksWhoFirst(Procedure):
    """A phase in which the player with the initiative decides who goes first (``WhoFirst``)."""

    FIRST = integer(player())


def cup_of(g: BattleCore) -> tuple[int, int]:
    """Counters of players 0 and 1 in a full cup, by their Strategic Values."""
    lead = g.players.strategic[0] - g.players.strategic[1]
    counters = g.setup.rules["counters"]
    if lead == 0:
        return counters["equal"], counters["equal"]
    high, low = counters["higher"], counters["lower"]
    return (high, low) if lead > 0 else (low, high)


def fill_cup(g: BattleCore) -> None:
    """Put both players' counters in the cup, by their Strategic Values (epic.initiative.counters, .refill)."""
    g.players.counters[0], g.players.counters[1] = cup_of(g)
    if g.recorder is not None:
        g.note("epic.initiative.refill", "counters in the cup", counters=tuple(g.players.counters))


def draw_initiative(g: BattleCore) -> int:
    """Draw a counter and return its player, who has the initiative (epic.initiative.draw). The counter stays out until
    the next turn (.without-replacement).
    """
    counters, first = g.players.counters, g.clock.attacker[0]
    player: int = first if g.draw(counters[0] + counters[1]) < counters[first] else 1 - first
    counters[player] -= 1
    g.clock.initiative[0] = g.clock.turn[0] = player
    if g.recorder is not None:
        g.note("epic.initiative.draw", "initiative", player=player, left=tuple(counters))
    return player


class WhoFirst(DecisionKind):
    """The player with the initiative decides who goes first; a phase that ``AsksWhoFirst`` asks it."""

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.clock.initiative[0]
        g.stack[f + AsksWhoFirst.FIRST] = player if action == g.setup.space.option else 1 - player
        g.note(self.rules[0], "moves first", player=g.stack[f + AsksWhoFirst.FIRST])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return OPTIONS_OF_WHO[action - g.setup.space.option]
