"""Using Stratagems of Factions (w9.stratagem.faction, .sub-faction); ``book`` describes their data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w9.stratagems.book import FACTION, MOMENTS, Stratagem
from wh_env.rulesets.w40k.keywords import keyword_bit
from wh_env.rulesets.w40k.reaction.windows import UseStratagem, moment_of
from wh_env.rulesets.w40k.sequence.effects import take_effect


class UseFactionStratagem(UseStratagem):
    """Using one of the Stratagems of Factions in the battle."""

    what = (
        "On which unit a Stratagem of a Faction is used: the own unit whose moment it is, at moments of no own unit "
        "any on the battlefield (done: not)."
    )
    policy = "Its policy: the one that costs most points."
    keys = ("w9.stratagem.faction", "w9.stratagem.sub-faction", "w9.stratagem.use")

    def row(self, g: BattleCore) -> Mapping[str, Any]:
        """The row of ``rules["faction_stratagems"]`` that describes it."""
        row: Mapping[str, Any] = g.setup.rules["faction_stratagems"][self.stratagem - min(FACTION)]
        return row

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        if moment_of(g, f) == MOMENTS[self.row(g)["moment"]]:
            super().options(g, f, mask)

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        own, u = unit >= 0 and g.units.owner[unit] == player, g.units
        keyword, bits = self.row(g)["keyword"], g.setup.statics["keyword_bits"]
        return [
            k
            for k in ((unit,) if own else g.units_of(player))
            if u.place[k] == ON_TABLE and (keyword is None or u.keywords[k] & keyword_bit(bits, keyword))
        ]

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        row = self.row(g)
        if g.recorder is not None:
            rule = "w9.stratagem.sub-faction" if row["sub_faction"] else "w9.stratagem.faction"
            g.note(rule, "Stratagem of a Faction", unit=unit, name=row["name"])
        take_effect(g, row["effect"], g.units.owner[unit], unit, row["amount"])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = self.row(g)["name"]
        return f"no {name}" if action == 0 else f"{name}: {g.default_words(action)}"


class FactionStratagem1(UseFactionStratagem):
    name, stratagem = FACTION[Stratagem.FACTION_1], Stratagem.FACTION_1


class FactionStratagem2(UseFactionStratagem):
    name, stratagem = FACTION[Stratagem.FACTION_2], Stratagem.FACTION_2


class FactionStratagem3(UseFactionStratagem):
    name, stratagem = FACTION[Stratagem.FACTION_3], Stratagem.FACTION_3


class FactionStratagem4(UseFactionStratagem):
    name, stratagem = FACTION[Stratagem.FACTION_4], Stratagem.FACTION_4
