"""Roll-offs (concepts.roll-off)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, player
from wh_env.core.procedures import GO, STEP, Procedure, Steps, integer
from wh_env.rulesets.w40k.attack.rerolls import Thrown, command_reroll

# rules that ask for a roll-off in the course of a battle
RULES = ("concepts.sequencing.outside-turns", "concepts.disputes")


def roll_off(g: BattleCore, rule: str) -> int:
    """Both players roll a D6, player 0 first, until one die is higher. Returns the winner.

    Only for moments at which no rule can change these dice (concepts.roll-off.no-changes); otherwise push ``RollOff``.
    """
    while True:
        rolls = (g.d6(), g.d6())
        if won := told(g, rule, rolls):
            return won - 1


def told(g: BattleCore, rule: str, rolls: tuple[int, int]) -> int:
    """The winner of these two dice plus 1, or 0 for a tie. Records the roll-off as an event."""
    g.tell(rule, "roll-off", rolls=rolls)
    return 0 if rolls[0] == rolls[1] else 1 if rolls[0] > rolls[1] else 2


class RollsOff(Procedure):
    """A procedure that pushes ``RollOff`` and is told the winner."""

    def won(self, g: BattleCore, f: int, player: int) -> None:
        """The player has won the roll-off."""
        raise NotImplementedError


class RollOff(Procedure):
    """Both players roll a D6 until one die is higher. A ``RollsOff`` pushes it, with an index into ``RULES``.

    Player 0 rolls first, unless only player 0 could use a Command Re-roll on the die. Then player 1 rolls first, so
    that player 0 knows both dice.
    """

    class Step(Steps):
        FIRST, SECOND, END = range(3)

    RULE = integer(between(0, len(RULES) - 1))
    NEXT = integer(player())  # the player who rolls next
    DICE = integer(between(0, 6), width=2)  # by player

    def advance(self, g: BattleCore, f: int) -> int:
        stack, step = g.stack, g.stack[f + STEP]
        if step == RollOff.Step.END:
            rolls = stack[f + RollOff.DICE], stack[f + RollOff.DICE + 1]
            stack[f + STEP] = RollOff.Step.FIRST
            if won := told(g, RULES[stack[f + RollOff.RULE]], rolls):
                g.pop()
                asks: RollsOff = g.setup.ruleset.procedures[g.stack[g.frame]]
                asks.won(g, g.frame, won - 1)
            return GO
        if step == RollOff.Step.FIRST:
            stack[f + RollOff.NEXT] = int(command_reroll(g, 0, -1) and not command_reroll(g, 1, -1))
        stack[f + STEP] = step + 1
        RollOffDie.begin(g, stack[f + RollOff.NEXT], -1)
        return GO

    @classmethod
    def rolled(cls, g: BattleCore, f: int, player: int, die: int) -> None:
        """Store the die of a player; the other player rolls next."""
        g.stack[f + cls.DICE + player] = die
        g.stack[f + cls.NEXT] = 1 - player


class RollOffDie(Thrown):
    """The die of one player in a roll-off. ``RollOff`` begins it."""

    name = "roll-off"

    def use(self, g: BattleCore, player: int, unit: int, faces: list[int], sides: int, plus: int) -> None:
        RollOff.rolled(g, g.frame, player, faces[0])
