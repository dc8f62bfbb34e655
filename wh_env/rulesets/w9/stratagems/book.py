"""The Stratagems: those of the core rules, and those of Factions, which are data (w9.stratagem.*).

Rows of ``rules["faction_stratagems"]`` are Stratagems of Factions: mappings with ``name``, ``faction`` (its Faction
keyword), ``sub_faction`` (a keyword or ``None``), ``cp``, ``moment`` (of ``MOMENTS``), ``turn`` (of ``Whose``),
``effect`` (of ``FACTION_EFFECTS``) with its ``amount``, ``keyword`` (of units that it can be used on, or ``None``) and
``access`` (by player, w9.stratagem.faction, .sub-faction).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.tables import EMBARKED
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.edition_parts.stratagem_book import OFF, Entry, Moment, StratagemBook, Whose, bits


class Stratagem(IntEnum):
    """Core Stratagems; bit ``1 << stratagem`` of ``players.used`` and ``players.used_battle``."""

    COMMAND_REROLL = 0
    CUT_THEM_DOWN = 1
    DESPERATE_BREAKOUT = 2
    EMERGENCY_DISEMBARKATION = 3
    FIRE_OVERWATCH = 4
    COUNTER_OFFENSIVE = 5
    INSANE_BRAVERY = 6
    FACTION_1 = 7
    FACTION_2 = 8
    FACTION_3 = 9
    FACTION_4 = 10


# numbers that Stratagems of Factions can take
FACTION: Mapping[int, str] = MappingProxyType({int(Stratagem.FACTION_1) + at: f"faction-{at + 1}" for at in range(4)})
# moments at which they can be used; below: effects that they may have
MOMENTS: Mapping[str, Moment] = MappingProxyType(
    {
        "ends-move": Moment.ENDS_MOVE,
        "movement-ends": Moment.MOVEMENT_ENDS,
        "targets-selected": Moment.TARGETS_SELECTED,
        "ends-charge": Moment.ENDS_CHARGE,
        "has-fought": Moment.HAS_FOUGHT,
        "before-morale-test": Moment.BEFORE_MORALE_TEST,
        "before-battle": Moment.BEFORE_BATTLE,
        "round-ends": Moment.ROUND_ENDS,
    }
)
FACTION_EFFECTS = (
    "none", "heal", "return", "return, 1 Wound", "return, D3 Wounds", "stratagem-cp", "passes-morale",
)  # fmt: skip
TABLE: Mapping[int, Entry] = MappingProxyType(
    {
        Stratagem.COMMAND_REROLL: Entry("command-re-roll", "Command Re-roll", None, 1, Whose.EITHER),
        Stratagem.CUT_THEM_DOWN: Entry("cut-them-down", "Cut Them Down", None, 1, Whose.OPPONENTS, (Phase.MOVEMENT,)),
        Stratagem.DESPERATE_BREAKOUT: Entry(
            "desperate-breakout", "Desperate Breakout", None, 2, Whose.OWN, (Phase.MOVEMENT,)
        ),
        Stratagem.EMERGENCY_DISEMBARKATION: Entry(
            "emergency-disembarkation", "Emergency Disembarkation", None, 1, Whose.EITHER
        ),
        Stratagem.FIRE_OVERWATCH: Entry("fire-overwatch", "Fire Overwatch", None, 1, Whose.OPPONENTS, (Phase.CHARGE,)),
        Stratagem.COUNTER_OFFENSIVE: Entry(
            "counter-offensive", "Counter-Offensive", None, 2, Whose.EITHER, (Phase.FIGHT,)
        ),
        Stratagem.INSANE_BRAVERY: Entry(
            "insane-bravery", "Insane Bravery", None, 2, Whose.EITHER, (Phase.MORALE,), once_per_battle=True
        ),
        **{number: Entry(name, name, None, 0, Whose.EITHER) for number, name in FACTION.items()},
    }
)
CORE: Mapping[Moment, tuple[int, ...]] = MappingProxyType(
    {
        Moment.SELECTED_TO_MOVE: (Stratagem.DESPERATE_BREAKOUT,),
        Moment.STARTS_MOVE: (Stratagem.CUT_THEM_DOWN,),
        Moment.DECLARES_CHARGE: (Stratagem.FIRE_OVERWATCH,),
        Moment.WRECKED: (Stratagem.EMERGENCY_DISEMBARKATION,),
        Moment.HAS_FOUGHT: (Stratagem.COUNTER_OFFENSIVE,),
        Moment.BEFORE_MORALE_TEST: (Stratagem.INSANE_BRAVERY,),
    }
)
OFFERED: Mapping[Moment, tuple[int, ...]] = MappingProxyType(
    {**CORE, **{moment: (*CORE.get(moment, ()), *FACTION) for moment in MOMENTS.values()}}
)


@dataclass(frozen=True)
class NinthBook(StratagemBook):
    """Adds the Stratagems of the Factions in a battle. No Stratagem affects an embarked unit."""

    def entries(self, rules: Mapping[str, Any]) -> Mapping[int, Entry]:
        """The core Stratagems and those of the Factions in the battle. A Stratagem of a sub-faction is also one of its
        Faction (w9.stratagem.sub-faction).
        """
        own = {}
        for number, row in zip(FACTION, rules.get("faction_stratagems", ()), strict=False):
            factions = (row["faction"], *([row["sub_faction"]] if row["sub_faction"] else []))
            own[number] = Entry(row["name"], row["name"], None, row["cp"], Whose(row["turn"]), factions=factions)
        return {**self.table, **own}

    def denied(self, rules: Mapping[str, Any], player: int) -> int:
        """Bits of the Stratagems of Factions that none of the player's Detachments belongs to
        (w9.stratagem.faction).
        """
        rows = zip(FACTION, rules.get("faction_stratagems", ()), strict=False)
        return bits(number for number, row in rows if not row["access"][player])

    def mode(self, rules: Mapping[str, Any], stratagem: int) -> str:
        """``OFF`` for numbers of Faction Stratagems that the battle does not use, else as usual."""
        empty = stratagem in FACTION and stratagem - min(FACTION) >= len(rules.get("faction_stratagems", ()))
        return OFF if empty else super().mode(rules, stratagem)

    def affects(self, g: BattleCore, stratagem: int, unit: int) -> bool:
        """False for an embarked unit (w9.transport.embarked.no-effects, w9.rare.shoot-embarked.stratagems), else as
        usual.
        """
        return g.units.place[unit] != EMBARKED and super().affects(g, stratagem, unit)


BOOK = NinthBook(TABLE, OFFERED, reroll=Stratagem.COMMAND_REROLL)
