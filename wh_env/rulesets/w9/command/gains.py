"""Command points gained through Stratagems (w9.rare.cp-stratagems)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import FRAME_SIZE
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.sequence.points import gain_cp


def in_a_phase(g: BattleCore) -> bool:
    """Whether a phase of a turn is being played; False before, between and after turns."""
    own = edition(g)
    phases = {own.number[phase] for phase in own.turn}
    return any(g.stack[depth * FRAME_SIZE] in phases for depth in range(g.clock.depth[0]))


def stratagem_cp(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """A Stratagem gives its owner ``amount`` Command points, or refunds them. During a phase there is no limit, else
    the limit for a battle round applies (w9.rare.cp-stratagems.outside-phase).
    """
    if not in_a_phase(g):
        gain_cp(g, owner, amount)
        return
    g.players.cp[owner] += amount
    g.note("w9.rare.cp-stratagems", "CP by a Stratagem", player=owner, gained=amount, cp=g.players.cp[owner])
