"""Reading the 10th edition's YAML files. Every loader takes a name, a path or a dict of the same schema."""

from __future__ import annotations

import numpy as np

from wh_env.content.errors import together, unknown
from wh_env.content.w10.muster import Muster, army_faults, muster
from wh_env.content.w10.points import PricedDatasheets
from wh_env.content.w10.random_army import draw_army
from wh_env.content.w10.schema import Army, Datasheet, Faction, Mission
from wh_env.content.w40k import load
from wh_env.content.w40k.edition_content import EditionContent
from wh_env.content.w40k.schema import BattleSize
from wh_env.rulesets.w10.numbers import GUIDELINES

RULESET = "w10"
SHEETS = PricedDatasheets(RULESET, Datasheet)
LoadedBattle = load.LoadedBattle[Mission, Muster]


class TenthContent(EditionContent[Mission, Army, Muster, Faction, Datasheet]):
    """The content of the 10th edition."""

    def muster(self, army: Army, size: BattleSize) -> Muster:
        """The army checked against the datasheets, its faction and the points of the battle's size."""
        return muster_army(army, size.limit)

    def draw_army(
        self, faction: Faction, size: BattleSize, chance: np.random.Generator, room: float, name: str
    ) -> Army:
        """A random army of one of the Detachments of its faction."""
        return draw_army(faction, SHEETS.all(faction.name), size.limit, chance, room, name)


CONTENT = TenthContent(RULESET, SHEETS, Mission, Army, Faction, GUIDELINES, "w10/only-war-skirmish")
load_datasheet, load_datasheets = SHEETS.load, SHEETS.all
load_army, load_battle, load_faction = CONTENT.load_army, CONTENT.load_battle, CONTENT.load_faction
load_mission = CONTENT.load_mission


def muster_army(army: Army, limit: int | None = None) -> Muster:
    """The army checked against the datasheets and its faction."""
    sheets = SHEETS.named((unit.datasheet for unit in army.units), army.datasheets, army.faction)
    faction = CONTENT.faction_named(army.faction)
    if faction is None and not army.datasheets:
        fault = unknown(army.source, "faction", army.faction, CONTENT.faction_names())
        raise together([fault, *army_faults(army, sheets, None, limit, factions=False)])
    return muster(army, sheets, faction, limit)
