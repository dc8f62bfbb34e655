"""Armies and factions from files of others, for the 10th edition.

Rosters of list builders: read with limits (``sniffing``), taken apart (``selections``), fitted to datasheets
(``sheets``), put together (``army``). Catalogues of BattleScribe: units as datasheets (``catalogues``), what a faction
says (``factions``)."""

from __future__ import annotations

from wh_env.content.w10.importing.army import Imported, import_roster
from wh_env.content.w10.importing.factions import IMPORTING

__all__ = ["IMPORTING", "Imported", "import_roster"]
