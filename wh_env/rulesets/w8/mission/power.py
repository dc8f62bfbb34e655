"""Power Levels, the Underdog and the first turn (w8.mission.power-level, .command-rerolls, .first-turn)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import DecisionKind
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w8.mission.state import roller, underdog

STEP_OF_POWER = 10  # difference in Power Level for each Command re-roll


def power_level(g: BattleCore, player: int) -> int:
    """The sum of the Power Ratings of the player's units that are set up, embarked or in reserve. Units that found no
    room do not count (w8.mission.power-level, w8.mission.deploy.left-over).
    """
    power = g.setup.statics["power"]
    return sum(power[unit] for unit in g.units_of(player) if g.units.place[unit] != DESTROYED)


def name_underdog(g: BattleCore) -> None:
    """Determine the Underdog and the number of its Command re-rolls (w8.mission.power-level.tie,
    w8.mission.command-rerolls).
    """
    levels = power_level(g, 0), power_level(g, 1)
    weaker = roller(g) if levels[0] == levels[1] else int(levels[1] < levels[0])
    rerolls = abs(levels[0] - levels[1]) // STEP_OF_POWER
    g.mission.underdog[0] = 1 + weaker
    g.players.cp[weaker] = rerolls
    if g.recorder is not None:
        g.note("w8.mission.power-level", "Underdog", player=weaker, levels=levels)
        g.note("w8.mission.command-rerolls", "Command re-rolls", player=weaker, cp=rerolls)


class FirstTurn(DecisionKind):
    name = "first-turn"
    what = "Which player has the first turn of every battle round: the Underdog (option 0) or the opponent (option 1)."
    keys = ("w8.mission.first-turn",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[g.setup.space.option] = mask[g.setup.space.option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        chooser = underdog(g)
        first = chooser if action == g.setup.space.option else 1 - chooser
        g.clock.first_player[0] = g.clock.turn[0] = first
        g.note("w8.mission.first-turn", "first turn", player=first)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "take the first turn" if action == g.setup.space.option else "let the opponent have the first turn"
