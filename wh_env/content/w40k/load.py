"""Terrain sets and battlefields of the 40k editions: found by name, path or dict, and checked."""

from __future__ import annotations

from wh_env.content.load import Source, load_content
from wh_env.content.w40k.schema import Battlefield, Terrain
from wh_env.content.w40k.terrain import check_battlefield


def load_terrain(source: Source, ruleset: str | None = None, file: str = "<call>", field: str = "") -> Terrain:
    """A set of terrain templates."""
    return load_content(Terrain, "terrain", source, ruleset, file, field)


def load_battlefield(source: Source, ruleset: str | None = None, file: str = "<call>", field: str = "") -> Battlefield:
    """A battlefield with its templates looked up; its terrain is checked.

    Args:
        source: a name, a path or a mapping.
        ruleset: where names without one are looked for; not given: where the file itself lies.
        file, field: where the source stands, for messages.
    """
    found = load_content(Battlefield, "battlefields", source, ruleset, file, field)
    if found.terrain is not None:
        shared = load_content(
            Terrain, "terrain", found.terrain, ruleset or ruleset_in(found.source), found.source, "terrain"
        )
        merged = found.model_copy(update={"templates": {**shared.templates, **found.templates}})
        merged._source = found.source
        found = merged
    check_battlefield(found)
    return found


def ruleset_in(source: str) -> str | None:
    """The ruleset in whose folder of ``configs`` a file lies, as messages show it."""
    parts = source.split("/")
    return parts[1] if parts[0] == "configs" and len(parts) > 2 else None
