"""Catalogues of BattleScribe (``.cat``, ``.gst``).

``tree`` reads a file within limits, ``library`` follows its links, and ``entries`` takes one unit at a time.
"""

from __future__ import annotations

from wh_env.content.catalogues.entries import Entry, unit_entries
from wh_env.content.catalogues.library import Library, read_library

__all__ = ["Entry", "Library", "read_library", "unit_entries"]
