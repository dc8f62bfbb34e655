"""Reading the 8th edition's content: datasheets, factions, armies, missions, battles."""

from __future__ import annotations

import numpy as np

from wh_env.content.classic.prices import PricedDatasheets
from wh_env.content.errors import unknown
from wh_env.content.load import Source, load_content, slug
from wh_env.content.w8.muster import Muster, muster
from wh_env.content.w8.random_army import draw_army
from wh_env.content.w8.schema import Armoury, Army, Datasheet, Faction, Mission
from wh_env.content.w40k import load
from wh_env.content.w40k.edition_content import EditionContent
from wh_env.content.w40k.schema import BattleSize
from wh_env.rulesets.w8.numbers import GUIDELINES

RULESET = "w8"
SHEETS = PricedDatasheets(RULESET, Datasheet)
LoadedBattle = load.LoadedBattle[Mission, Muster]


class EighthContent(EditionContent[Mission, Army, Muster, Faction, Datasheet]):
    """The content of the 8th edition."""

    def muster(self, army: Army, size: BattleSize) -> Muster:
        """The army checked against the datasheets, its faction and the Power of the battle's size."""
        return muster_army(army, size.limit)

    def draw_army(
        self, faction: Faction, size: BattleSize, chance: np.random.Generator, room: float, name: str
    ) -> Army:
        """A random army by Power."""
        return draw_army(faction, SHEETS.all(faction.name), size.limit, room, chance, name)


CONTENT = EighthContent(RULESET, SHEETS, Mission, Army, Faction, GUIDELINES, "w8/only-war-skirmish")
load_datasheet, load_datasheets = SHEETS.load, SHEETS.all
load_army, load_battle, load_faction = CONTENT.load_army, CONTENT.load_battle, CONTENT.load_faction
load_mission = CONTENT.load_mission


def load_armoury(source: Source) -> Armoury:
    """A list of weapons that datasheets refer to."""
    return load_content(Armoury, "armouries", source, RULESET)


def muster_army(army: Army, limit: int | None = None) -> Muster:
    """The army checked against the datasheets and its faction."""
    sheets = SHEETS.named((unit.datasheet for unit in army.units), army.datasheets, army.faction)
    faction = CONTENT.faction_named(army.faction)
    if faction is None and army.faction is not None and not army.datasheets:
        raise unknown(army.source, "faction", army.faction, CONTENT.faction_names())
    if army.faction is None and not army.disciplines:  # its psykers know the powers of their own factions
        shipped = {slug(sheet.faction) for sheet in sheets.values()} & set(CONTENT.faction_names())
        known = {own.name: own for name in sorted(shipped) for own in load_faction(name).disciplines}
        return muster(army, sheets, None, limit, tuple(known.values()))
    return muster(army, sheets, faction, limit)
