"""Armies, datasheets, battlefields, missions and battles as validated YAML: what every game shares, and a package for each."""

from __future__ import annotations

from wh_env.content.errors import ContentError
from wh_env.content.load import find

__all__ = ["ContentError", "find"]
