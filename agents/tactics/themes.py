"""Files of the tactics benchmark: themes with sheets and positions, checked against their game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from wh_env import ContentError
from wh_env.content.errors import unknown
from wh_env.content.fields import Content, Name
from wh_env.content.games import GAMES
from wh_env.content.load import config_root, validate
from wh_env.content.reading import read_yaml
from wh_env.content.w10.schema import Datasheet
from wh_env.envs.registry import DEFAULT_RULESET
from wh_env.rulesets.w40k.edition import Edition

from .position import Position, Short, edition_named, full_sheet, number_of
from .regiments import RegimentTheme

REGIMENTS = "wap"


class Theme(Content):
    """A file of positions; ``ruleset`` is their edition."""

    theme: Name
    ruleset: Name = DEFAULT_RULESET
    sheets: dict[Name, dict[str, Any]] = Field(default_factory=dict, max_length=1000)
    positions: Annotated[tuple[Position, ...], Field(min_length=1, max_length=1000)]


def folder_of(ruleset: str = DEFAULT_RULESET) -> Path:
    """The folder of the included positions of a ruleset."""
    return config_root() / "tactics" / ruleset


def load_theme(file: Path) -> list[Position]:
    """The positions of one file.

    Raises:
        ContentError: the file is not valid.
    """
    raw = read_yaml(file)
    if isinstance(raw, dict) and raw.get("ruleset") == REGIMENTS:
        return regiments_of(file, raw)
    theme = validate(Theme, raw, str(file))
    edition = edition_named(theme.ruleset, str(file))
    check_rules = GAMES[theme.ruleset].check_rules
    for name, fields in theme.sheets.items():
        place = f"{file}: sheets.{name}"
        validate(Short, fields, place)
        validate(Datasheet, full_sheet(name, fields), place)
        if fields.get("psychic") is not None and not number_of(edition, "psychic"):
            raise ContentError(place, "psychic", fields["psychic"], "none", f"{edition.id} has no Psychic phase")
    for number, position in enumerate(theme.positions):
        if check_rules is not None:
            check_rules(position.rules, str(file), f"positions[{number}].rules")
        check_edition(theme, edition, position, str(file))
    for position in theme.positions:
        position._theme, position._file, position._sheets = theme.theme, file, theme.sheets
        position._ruleset = theme.ruleset
    return list(theme.positions)


def regiments_of(file: Path, raw: dict[str, Any]) -> list[Position]:
    """The positions of a file of regiments.

    Raises:
        ContentError: the file is not valid.
    """
    theme = validate(RegimentTheme, raw, str(file))
    theme.check(file)
    for position in theme.positions:
        position._theme, position._file, position._sheets = theme.theme, file, theme.sheets
        position._ruleset = theme.ruleset
    return list(theme.positions)


def check_edition(theme: Theme, edition: Edition, position: Position, file: str) -> None:
    """Check that a position uses only what its edition has.

    Raises:
        ContentError: it names a phase or a datasheet that the edition lacks, or losses where the edition does
            not count them.
    """
    names = [name.lower() for name in edition.phases[1:]]
    for field, phase in (("phase", position.phase), ("until.phase", position.until.phase)):
        if phase not in names:
            raise unknown(file, f"{position.name}.{field}", phase, names)
    for unit in position.units:
        if theme.ruleset != DEFAULT_RULESET and unit.sheet not in theme.sheets:
            raise unknown(file, f"{position.name}.{unit.name}.sheet", unit.sheet, theme.sheets)
        if unit.lost and not number_of(edition, "morale"):
            expected = f"0: {edition.id} has no Morale phase"
            raise ContentError(file, f"{position.name}.{unit.name}.lost", unit.lost, expected)


def _positions_in(folder: Path) -> list[Position]:
    """All positions of a folder.

    Raises:
        ContentError: there are none, or two have the same name.
    """
    positions = [position for file in sorted(folder.glob("*.yaml")) for position in load_theme(file)]
    if not positions:
        raise ContentError(str(folder), "", str(folder), "a folder with YAML files of positions", "holds no positions")
    names = [position.name for position in positions]
    for position in positions:
        if names.count(position.name) > 1:
            raise ContentError(str(position.file), "positions", position.name, "a name of its own", "is there twice")
    return positions


def load_positions(
    folder: Path | None = None,
    themes: Sequence[str] = (),
    names: Sequence[str] = (),
    ruleset: str = DEFAULT_RULESET,
) -> list[Position]:
    """The positions of a folder.

    Args:
        folder: the folder; ``None``: the included positions of ``ruleset``.
        themes, names: only positions of these themes or with these names; both empty: all.
        ruleset: the ruleset, if no folder is given.

    Raises:
        ContentError: a file is not valid, or there is no such theme or name.
    """
    folder = folder_of(ruleset) if folder is None else folder
    found = _positions_in(folder)
    for given, field, known in (
        (themes, "theme", {p.theme for p in found}),
        (names, "position", {p.name for p in found}),
    ):
        for name in given:
            if name not in known:
                raise unknown(str(folder), field, name, known)
    if themes or names:
        found = [p for p in found if p.theme in themes or p.name in names]
    return found
