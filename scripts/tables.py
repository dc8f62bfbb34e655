"""Write ``wh_env/core/typed_tables.py``: the tables and columns of all rulesets as classes, for the type checker.

    python scripts/tables.py

A test compares the file with what this program would write.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import typer

from wh_env import Battle
from wh_env.content.load import names as battle_names
from wh_env.content.load import rulesets

PROJECT = Path(__file__).resolve().parent.parent
FILE = PROJECT / "wh_env" / "core" / "typed_tables.py"
HEAD = '''"""Tables of a battle and their columns, for the type checker. Written by ``scripts/tables.py``; do not edit.

A column that several rulesets have stands here once; which ruleset has it, its ``tables`` module says.
"""

from __future__ import annotations

from typing import Any

from wh_env.core.columns import Columns
from wh_env.core.tables import Array
'''


def type_of(kind: np.dtype[Any]) -> str:
    """The Python type of a memoryview of numbers of this kind."""
    if kind.shape:
        return "memoryview[Any]"
    return "memoryview[float]" if kind.kind == "f" else "memoryview[int]"


def specs() -> Iterator[tuple[str, np.dtype[Any], int]]:
    """Name, row and dimensions of every table of every ruleset."""
    for ruleset in rulesets():
        layout = Battle.load(battle_names("battles", ruleset)[0], 0).setup.layout
        for spec in layout.specs:
            yield spec.name, spec.dtype, 2 if spec.columns else 1


def written() -> str:
    """The text of the module. What two rulesets give different types is ``Any``."""
    tables: dict[str, dict[str, str]] = {}
    plain: dict[str, str] = {}
    for name, row, dimensions in specs():
        if row.names:
            columns = tables.setdefault(name, {})
            for column in row.names:
                kind = type_of(row[column])
                columns[column] = kind if columns.get(column, kind) == kind else "memoryview[Any]"
        else:
            kind = "Array" if dimensions > 1 else type_of(row)
            plain[name] = kind if plain.get(name, kind) == kind else "Any"
    attributes = {name: class_of(name) if name not in plain else "Any" for name in tables}
    for name, kind in plain.items():
        attributes.setdefault(name, kind)
        attributes[f"{name}_array"] = "Array"
    parts = [HEAD]
    for name, columns in tables.items():
        lines = [f"class {class_of(name)}(Columns):", f'    """Table ``{name}``."""', ""]
        parts.append("\n".join(lines + [f"    {column}: {kind}" for column, kind in columns.items()]) + "\n")
    fields = "\n".join(f"    {name}: {kind}" for name, kind in attributes.items())
    parts.append(f'class Tables:\n    """The tables of a battle, as its attributes."""\n\n{fields}\n')
    return "\n\n".join(parts)


def class_of(table: str) -> str:
    """The name of a table's class."""
    return "".join(part.capitalize() for part in table.split("_"))


def main() -> None:
    """Write the file."""
    FILE.write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
