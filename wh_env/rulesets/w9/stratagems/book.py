"""The core Stratagems (w9.stratagem.*)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.tables import EMBARKED
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.reaction.book import Entry, Moment, StratagemBook, Whose


class Stratagem(IntEnum):
    """Core Stratagems; bit ``1 << stratagem`` of ``players.used`` and ``players.used_battle``."""

    COMMAND_REROLL = 0
    CUT_THEM_DOWN = 1
    DESPERATE_BREAKOUT = 2
    EMERGENCY_DISEMBARKATION = 3
    FIRE_OVERWATCH = 4
    COUNTER_OFFENSIVE = 5
    INSANE_BRAVERY = 6


TABLE: Mapping[int, Entry] = MappingProxyType(
    {
        Stratagem.COMMAND_REROLL: Entry("command-re-roll", None, 1, Whose.EITHER),
        Stratagem.CUT_THEM_DOWN: Entry("cut-them-down", None, 1, Whose.OPPONENTS, (Phase.MOVEMENT,)),
        Stratagem.DESPERATE_BREAKOUT: Entry("desperate-breakout", None, 2, Whose.OWN, (Phase.MOVEMENT,)),
        Stratagem.EMERGENCY_DISEMBARKATION: Entry("emergency-disembarkation", None, 1, Whose.EITHER),
        Stratagem.FIRE_OVERWATCH: Entry("fire-overwatch", None, 1, Whose.OPPONENTS, (Phase.CHARGE,)),
        Stratagem.COUNTER_OFFENSIVE: Entry("counter-offensive", None, 2, Whose.EITHER, (Phase.FIGHT,)),
        Stratagem.INSANE_BRAVERY: Entry("insane-bravery", None, 2, Whose.EITHER, (Phase.MORALE,), once_per_battle=True),
    }
)
OFFERED: Mapping[Moment, tuple[Stratagem, ...]] = MappingProxyType(
    {
        Moment.SELECTED_TO_MOVE: (Stratagem.DESPERATE_BREAKOUT,),
        Moment.STARTS_MOVE: (Stratagem.CUT_THEM_DOWN,),
        Moment.DECLARES_CHARGE: (Stratagem.FIRE_OVERWATCH,),
        Moment.WRECKED: (Stratagem.EMERGENCY_DISEMBARKATION,),
        Moment.HAS_FOUGHT: (Stratagem.COUNTER_OFFENSIVE,),
        Moment.BEFORE_MORALE_TEST: (Stratagem.INSANE_BRAVERY,),
    }
)


class NinthBook(StratagemBook):
    """w9.transport.embarked.no-effects, w9.rare.shoot-embarked.stratagems: none affects a unit while it is embarked."""

    def affects(self, g: BattleCore, stratagem: int, unit: int) -> bool:
        return g.units.place[unit] != EMBARKED and super().affects(g, stratagem, unit)


BOOK = NinthBook(TABLE, OFFERED, reroll=Stratagem.COMMAND_REROLL)
