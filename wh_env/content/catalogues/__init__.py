"""Catalogues of BattleScribe (``.cat``, ``.gst``): read with limits (``tree``), their links followed (``library``), one
unit at a time (``entries``).
"""

from __future__ import annotations

from wh_env.content.catalogues.entries import Entry, unit_entries
from wh_env.content.catalogues.library import Library, read_library

__all__ = ["Entry", "Library", "read_library", "unit_entries"]
