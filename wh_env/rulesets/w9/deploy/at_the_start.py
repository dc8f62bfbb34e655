"""Rules that are used "at the start of deployment" (w9.deploy.at-the-start)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import bits, player
from wh_env.core.procedures import integer
from wh_env.rulesets.w40k.sequence.rolloff import roll_off
from wh_env.rulesets.w40k.sequence.sequencing import BY_ROLL_OFF, DEPLOYMENT_START, DueOrder, DueRules, due


class AtTheStart(DueRules):
    """Each player may use such rules of the own army. If both have some, the winner of a roll-off uses them first."""

    CHOOSER = integer(player(none=True))
    DECLINED = integer(bits(3))  # bits of the players who use no further rule
    asks = ("at-the-start",)

    def advance(self, g: BattleCore, f: int) -> int:
        have = [side for side in (0, 1) if usable(g, f, side)]
        if not have:
            return g.pop()
        first = g.stack[f + AtTheStart.CHOOSER]
        if first == BY_ROLL_OFF:
            first = roll_off(g, "concepts.sequencing.outside-turns") if len(have) == 2 else have[0]
        g.stack[f + AtTheStart.CHOOSER] = first if first in have else have[0]
        return g.ask(UseAtTheStart, g.stack[f + AtTheStart.CHOOSER])


def usable(g: BattleCore, f: int, side: int) -> list[int]:
    """Numbers of the rules that player ``side`` can still use."""
    if g.stack[f + AtTheStart.DECLINED] >> side & 1:
        return []
    found = due(g, DEPLOYMENT_START)
    return [number for number, rule in found if rule.owner == side and not DueRules.resolved(g, f, number)]


class UseAtTheStart(DueOrder):
    name = "at-the-start"
    what = "Which rule the player uses at the start of deployment (done: none)."
    keys = ("w9.deploy.at-the-start",)
    squad = True

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for number in usable(g, f, g.stack[f + AtTheStart.CHOOSER]):
            mask[g.setup.space.option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.stack[f + AtTheStart.DECLINED] |= 1 << g.stack[f + AtTheStart.CHOOSER]
            return
        if g.recorder is not None:
            rule = g.setup.statics["timed"][action - g.setup.space.option]
            g.note("w9.deploy.at-the-start", "rule used", player=rule.owner, name=rule.name, unit=rule.unit)
        super().answer(g, f, action)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "no further rule" if action == 0 else super().describe(g, f, action)
