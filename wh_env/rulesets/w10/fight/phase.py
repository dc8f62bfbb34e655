"""Fights with an Epic Challenge (w10.stratagem.epic-challenge)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_plus_one
from wh_env.core.procedures import integer
from wh_env.rulesets.w10.stratagems.effects import give_precision
from wh_env.rulesets.w40k.fight import phase


class Fight(phase.Fight):
    """A unit fights. ``MARK``: row + 1 of the model of an Epic Challenge."""

    MARK = integer(row_plus_one("models"))

    def declared(self, g: BattleCore, f: int) -> None:
        if g.stack[f + Fight.MARK]:
            give_precision(g, g.stack[f + Fight.MARK] - 1)
