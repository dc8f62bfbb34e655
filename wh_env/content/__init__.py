"""Content: armies, datasheets, battlefields, missions and battles as validated YAML.

The modules here serve every game; each game has a package of its own.
"""

from __future__ import annotations

from wh_env.content.errors import ContentError
from wh_env.content.load import find

__all__ = ["ContentError", "find"]
