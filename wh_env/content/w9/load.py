"""Reading the 9th edition's YAML files. Every loader takes a name, a path or a dict of the same schema."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wh_env.content.classic.prices import PricedDatasheets
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.errors import together, unknown
from wh_env.content.load import config_root, from_file
from wh_env.content.w9.muster import Muster, army_faults, muster
from wh_env.content.w9.random_army import Drawing
from wh_env.content.w9.schema import Army, ArmySize, Faction, Mission, Tables
from wh_env.content.w40k import load
from wh_env.content.w40k.edition_content import EditionContent
from wh_env.content.w40k.schema import BattleSize
from wh_env.rulesets.w9.numbers import GUIDELINES

RULESET = "w9"
SHEETS = PricedDatasheets(RULESET, ClassicDatasheet)
LoadedBattle = load.LoadedBattle[Mission, Muster]


class NinthContent(EditionContent[Mission, Army, Muster, Faction, ClassicDatasheet]):
    """The content of the 9th edition."""

    def sizes(self, mission: Mission) -> Sequence[BattleSize]:
        """The sizes of battle of a mission for which the tables have Detachments."""
        return [size for size in mission.sizes if load_tables().size(size.name) is not None]

    def muster(self, army: Army, size: BattleSize) -> Muster:
        """The army checked against the datasheets, its faction and the Detachments of the battle's size."""
        return muster_army(army, load_tables().size(size.name), size.limit)

    def draw_army(
        self, faction: Faction, size: BattleSize, chance: np.random.Generator, room: float, name: str
    ) -> Army:
        """A random army in Detachments."""
        tables = load_tables()
        own = tables.size(size.name)
        if own is None:
            raise unknown("<random>", "size", size.name, [each.name for each in tables.sizes])
        return Drawing(faction, SHEETS.all(faction.name), tables, own, size.limit, room, chance).army(name)


def load_tables() -> Tables:
    """Sizes of battles and Detachments (``configs/w9/rules.yaml``)."""
    return from_file(Tables, config_root() / RULESET / "rules.yaml")


CONTENT = NinthContent(RULESET, SHEETS, Mission, Army, Faction, GUIDELINES, "w9/only-war-patrol")
load_datasheet, load_datasheets = SHEETS.load, SHEETS.all
load_army, load_battle, load_faction = CONTENT.load_army, CONTENT.load_battle, CONTENT.load_faction
load_mission = CONTENT.load_mission


def muster_army(army: Army, size: ArmySize | None = None, limit: int | None = None) -> Muster:
    """The army checked against the datasheets, its faction and the Detachments of the battle's size."""
    sheets = SHEETS.named((unit.datasheet for _, _, unit in army.every_unit), army.datasheets, army.faction)
    tables, faction = load_tables(), CONTENT.faction_named(army.faction)
    if faction is None and not army.datasheets:
        fault = unknown(army.source, "faction", army.faction, CONTENT.faction_names())
        raise together([fault, *army_faults(army, sheets, tables, size, None, limit)])
    return muster(army, sheets, tables, size, faction, limit)
