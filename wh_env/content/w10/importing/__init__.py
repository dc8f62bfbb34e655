"""Rosters of list builders as armies of the 10th edition: read with limits (``sniffing``), taken apart (``selections``), fitted to datasheets (``sheets``),
put together (``army``)."""

from __future__ import annotations

from wh_env.content.w10.importing.army import Imported, import_roster

__all__ = ["Imported", "import_roster"]
