"""The armies of a side divide the dice that the winds of magic have brought (wap.ally.magic.sharing,
wap.ally.desperate.magic).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of
from wh_env.core.procedures import DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.allies.relations import Relation, alliances_of, relation_of_armies
from wh_env.rulesets.wap.basics.dice import FACES, one_at_random
from wh_env.rulesets.wap.magic.shares import armies_of, first_of
from wh_env.rulesets.wap.magic.wizards import level_of

DESPERATE = "wap.ally.desperate.magic"


def common_dice(g: BattleCore, player: int) -> int:
    """The dice of a player's pool that all armies of his side may still use."""
    return int(g.pools.dice[player]) - sum(g.armies.dice[row] for row in armies_of(g, player))


def give(g: BattleCore, player: int, army: int, number: int, rule: str) -> None:
    """An army gets dice that all might use before."""
    g.armies.dice[army] += number
    alliances = alliances_of(g)
    if g.recorder is not None and alliances is not None:
        g.note(rule, "shares dice", player=player, name=alliances.names[army], amount=number)


def divide_winds(g: BattleCore, player: int) -> None:
    """Divide the dice that the winds have brought to a player among the armies of his side: evenly if any of these are
    desperate allies, else as he likes (wap.ally.magic.sharing, wap.ally.desperate.magic).
    """
    rows = armies_of(g, player)
    if not rows or not common_dice(g, player):
        return
    if any(relation_of_armies(g, one, two) == Relation.DESPERATE for one in rows for two in rows):
        divide_evenly(g, player, [row for row in rows if has_wizard(g, row)])
    elif len(living_armies(g, player)) > 1:
        g.push(ShareDice, player)


def divide_evenly(g: BattleCore, player: int, rows: list[int]) -> None:
    """Divide the dice of the winds among armies that have wizards; each die left over goes to one at random."""
    if not rows:
        return
    each, rest = divmod(common_dice(g, player), len(rows))
    shares, open_rows = dict.fromkeys(rows, each), list(rows)
    for _ in range(rest):
        shares[open_rows.pop(drawn(g, len(open_rows)))] += 1
    for row, number in shares.items():
        give(g, player, row, number, DESPERATE)


def drawn(g: BattleCore, count: int) -> int:
    """One of ``count`` at random: of two or three by one D6, 1 to 3 for the first of two."""
    return (g.d6() - 1) * count // FACES if FACES % count == 0 else one_at_random(g, count)


def units_in(g: BattleCore, army: int) -> list[int]:
    """The living units of an army and of those bound to it by blood."""
    return [
        unit
        for unit in g.units_of(g.armies.player[army])
        if g.units.alive[unit] and first_of(g, g.units.contingent[unit]) == army
    ]


def has_wizard(g: BattleCore, army: int) -> bool:
    """Whether an army contains a wizard who lives."""
    return any(level_of(g, unit) for unit in units_in(g, army))


def living_armies(g: BattleCore, player: int) -> list[int]:
    """The armies of a player that use dice of their own and have a unit left."""
    return [army for army in armies_of(g, player) if units_in(g, army)]


class ShareDice(OfPlayer):
    """A player divides the dice of the winds among the armies of his side, one army after the other; the last gets
    what is left.
    """

    NEXT = integer(count_of("armies"))  # the next army, by its place among ``living_armies``
    asks = ("share-dice",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether there are dice to divide, and another army after the one that is asked about."""
        player, at = g.stack[f + ShareDice.PLAYER], g.stack[f + ShareDice.NEXT]
        return common_dice(g, player) > 0 and at < len(living_armies(g, player)) - 1

    def advance(self, g: BattleCore, f: int) -> int:
        player, at = g.stack[f + ShareDice.PLAYER], g.stack[f + ShareDice.NEXT]
        rows, left = living_armies(g, player), common_dice(g, player)
        if left and at < len(rows) - 1:
            return g.ask(ShareOfDice, player)
        if left:
            give(g, player, rows[-1], left, "wap.ally.magic.sharing")
        return g.pop()


class ShareOfDice(DecisionKind):
    name = "share-dice"
    what = "How many dice of the winds of magic the next army of a side gets; done: none. The last one gets the rest."
    policy = "By the levels of its wizards, among those armies that are still to get some."
    keys = ("wap.ally.magic.sharing",)

    @staticmethod
    def armies(g: BattleCore, f: int) -> list[int]:
        """The army that is asked about, and those after it."""
        return living_armies(g, g.stack[f + ShareDice.PLAYER])[g.stack[f + ShareDice.NEXT] :]

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for n in range(min(common_dice(g, g.stack[f + ShareDice.PLAYER]), g.setup.space.numbers)):
            mask[g.setup.space.number + n] = True

    @staticmethod
    def number(g: BattleCore, action: int) -> int:
        """The dice that an action stands for."""
        return int(action - g.setup.space.number + 1) if action else 0

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        give(g, g.stack[f + ShareDice.PLAYER], ShareOfDice.armies(g, f)[0], ShareOfDice.number(g, action), self.keys[0])
        g.stack[f + ShareDice.NEXT] += 1

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        rows, left = ShareOfDice.armies(g, f), common_dice(g, g.stack[f + ShareDice.PLAYER])
        levels = [sum(level_of(g, unit) for unit in units_in(g, row)) for row in rows]
        if not sum(levels):
            levels = [1] * len(rows)
        number = min(round(left * levels[0] / sum(levels)), g.setup.space.numbers)
        return int(g.setup.space.number + number - 1) if number else 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        alliances, number = alliances_of(g), ShareOfDice.number(g, action)
        assert alliances is not None
        return f"{number} {'die' if number == 1 else 'dice'} for {alliances.names[ShareOfDice.armies(g, f)[0]]}"
