"""Fights with an Epic Challenge (w10.stratagem.epic-challenge)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import Bounds, row_plus_one
from wh_env.rulesets.w10.stratagems.effects import give_precision
from wh_env.rulesets.w40k.fight import phase
from wh_env.rulesets.w40k.reaction.windows import MARK


class Fight(phase.Fight):
    """A unit fights. ``MARK``: row + 1 of the model of an Epic Challenge."""

    slots: ClassVar[Mapping[int, Bounds]] = MappingProxyType({**phase.Fight.slots, MARK: row_plus_one("models")})

    def declared(self, g: BattleCore, f: int) -> None:
        if g.stack[f + MARK]:
            give_precision(g, g.stack[f + MARK] - 1)
