"""Imports armies and factions of the 10th edition from other programs' files.

Rosters of list builders: ``texts`` reads lists as text, ``sheets`` fits units to datasheets, ``army`` builds the army.
Catalogues of BattleScribe: ``catalogues`` makes datasheets of units, ``factions``
makes factions.
"""

from __future__ import annotations

from wh_env.content.w10.importing.army import ROSTERS
from wh_env.content.w10.importing.factions import IMPORTING

__all__ = ["IMPORTING", "ROSTERS"]
