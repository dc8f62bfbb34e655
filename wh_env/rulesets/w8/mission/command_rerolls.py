"""Command re-rolls: the Underdog re-rolls single dice (w8.mission.command-rerolls.*).

They are kept as Command points, and using one is the only Stratagem of the edition.
"""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack import rerolls
from wh_env.rulesets.w40k.attack.rerolls import (
    faces_of,
    pay_reroll,
    reroll_title,
    roll_of,
    roll_one_again,
    rolled,
    roller,
)
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Entry, StratagemBook, Whose

COMMAND_REROLL = 0


@dataclass(frozen=True)
class Rerolls(StratagemBook):
    """The book of this one Stratagem. It may be used as long as re-rolls are left, several times in a phase too."""

    def available(self, g: BattleCore, player: int, among: int = -1) -> int:
        """The bits of ``among`` in play, if the player has re-rolls left; else 0."""
        return int(among & g.setup.statics["stratagems"]) if g.players.cp[player] > 0 else 0


BOOK = Rerolls(
    {COMMAND_REROLL: Entry("command-re-roll", "Command Re-roll", None, 1, Whose.EITHER)}, {}, reroll=COMMAND_REROLL
)


class CommandReroll(rerolls.CommandReroll):
    what = (
        "Whether the Underdog makes one die of a roll again with a Command re-roll, and which, by its face (done: "
        "not); asked again as long as dice and re-rolls are left."
    )
    policy = "Its policy makes the lowest die of a roll of several again that falls short."

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for face in faces_of(g, f):
            mask[g.setup.space.number + face] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            pay_reroll(g, roller(g, f), rolled(g, f)[0])
            roll_one_again(g, f, action - g.setup.space.number)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        what = f"the {roll_of(g, f).name} roll of {rolled(g, f)[1]}"
        return f"{reroll_title(g)}: the {action - g.setup.space.number} of {what}" if action else f"keep {what}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        """Re-roll the lowest die of a roll of several dice that falls short; else no die."""
        roll, (unit, result) = roll_of(g, f), rolled(g, f)
        if roll.number(g, unit) == 1 or roll.good(g, unit, result):
            return 0
        return g.setup.space.number + min(faces_of(g, f))
