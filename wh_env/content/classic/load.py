"""Datasheets of an edition of this kind: found by name in its folder, by path, or given as a dict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.errors import ContentError, unknown
from wh_env.content.load import Source, config_root, display, find, from_file, slug, validate

LONGEST_NAME = 200  # of a file


@dataclass(frozen=True)
class Datasheets:
    """The datasheets in the folder of an edition (``configs/<ruleset>/datasheets/<faction>/<name>.yaml``)."""

    ruleset: str

    def load(self, source: Source, faction: str | None = None) -> ClassicDatasheet:
        """One datasheet by name (of a faction), path or dict."""
        if isinstance(source, Mapping):
            return validate(ClassicDatasheet, source, "<datasheet>")
        if isinstance(source, Path) or str(source).endswith((".yaml", ".yml")):
            return from_file(ClassicDatasheet, find("datasheets", source))
        found = self._files(faction, slug(str(source)))
        if not found:
            raise unknown("<call>", "datasheet", source, self.all(faction))
        return from_file(ClassicDatasheet, found[0])

    def all(self, faction: str | None = None) -> dict[str, ClassicDatasheet]:
        """All datasheets of a faction (of all factions when not given), by name."""
        sheets: dict[str, ClassicDatasheet] = {}
        for path in self._files(faction, "*"):
            sheet = from_file(ClassicDatasheet, path)
            if path.stem != slug(sheet.name):
                expected = f"a file named {slug(sheet.name)}.yaml"
                raise ContentError(display(path), "name", sheet.name, expected, "names another")
            sheets[sheet.name] = sheet
        return sheets

    def named(self, names: Iterable[str], own: Iterable[ClassicDatasheet]) -> dict[str, ClassicDatasheet]:
        """The datasheets of these names, ``own`` first; all that are shipped where a name is not found."""
        given = {sheet.name: sheet for sheet in own}
        needed = set(names) - given.keys()
        found: dict[str, ClassicDatasheet] = {}
        for name in sorted(needed):
            for path in self._files(None, slug(name)):
                sheet = from_file(ClassicDatasheet, path)
                if sheet.name == name:
                    found[name] = sheet
        if needed - found.keys():
            found = self.all()
        return {**found, **given}

    def _files(self, faction: str | None, stem: str) -> list[Path]:
        root = config_root() / self.ruleset / "datasheets"
        factions = [path.name for path in root.iterdir() if path.is_dir()]
        if faction is not None and slug(faction) not in factions:
            raise unknown("<call>", "faction", faction, factions)
        if len(stem) > LONGEST_NAME:
            return []
        return sorted(root.glob(f"{slug(faction) if faction else '*'}/{stem}.yaml"))
