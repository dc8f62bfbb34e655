"""The tables and columns of all rulesets as classes, for the type checker.

``python tests/typed_tables.py`` writes them.

The classes of tables are ``wh_env/core/typed_columns.py``, that of the largest one ``wh_env/core/typed_units.py``, the
attributes of a battle ``wh_env/core/typed_tables.py``.
``tests/core/test_typed_tables.py`` compares these files with what this would write.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from wh_env import Battle
from wh_env.content.load import names as battle_names
from wh_env.content.load import rulesets

CORE = Path(__file__).resolve().parent.parent / "wh_env" / "core"
COLUMNS, UNITS, TABLES = (CORE / f"typed_{name}.py" for name in ("columns", "units", "tables"))
ABOUT = """

Written by ``tests/typed_tables.py``; do not edit. A column of several rulesets stands here once; the ``tables`` module
of a ruleset says which it has.
\"""

from __future__ import annotations

"""


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


def bundles() -> list[str]:
    """The names under which battles of any ruleset have several tables in one piece, in order."""
    first = [Battle.load(battle_names("battles", ruleset)[0], 0) for ruleset in rulesets()]
    return sorted({name for battle in first for name in battle.setup.ruleset.bundles})


def written() -> dict[Path, str]:
    """The text of each module. What two rulesets give different types is ``Any``."""
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
    units = {"units": tables["units"]}
    others = {name: columns for name, columns in tables.items() if name not in units}
    attributes = {name: f"{module_of(name)}.{class_of(name)}" if name not in plain else "Any" for name in tables}
    for name, kind in plain.items():
        attributes.setdefault(name, kind)
        attributes[f"{name}_array"] = "Array"
    attributes |= dict.fromkeys(bundles(), "Any")
    fields = "\n".join(f"    {name}: {kind}" for name, kind in attributes.items())
    imports = (
        "from typing import Any\n\nimport wh_env.core.typed_columns as columns\n"
        "import wh_env.core.typed_units as units\nfrom wh_env.core.tables import Array"
    )
    head = f'"""Tables of a battle as its attributes, for the type checker.{ABOUT}{imports}'
    text = f'{head}\n\n\nclass Tables:\n    """Each table by its name."""\n\n{fields}\n'
    return {COLUMNS: classes_of(others), UNITS: classes_of(units), TABLES: text}


def classes_of(tables: dict[str, dict[str, str]]) -> str:
    """The text of a module with a class for each of these tables."""
    head = f'"""Columns of tables of a battle, for the type checker.{ABOUT}'
    needs_any = any("Any" in kind for columns in tables.values() for kind in columns.values())
    head += "from typing import Any\n\n" if needs_any else ""
    classes = [f"{head}from wh_env.core.columns import Columns\n"]
    for name, columns in tables.items():
        fields = "\n".join(f"    {column}: {kind}" for column, kind in columns.items())
        classes.append(f'class {class_of(name)}(Columns):\n    """Table ``{name}``."""\n\n{fields}\n')
    return "\n\n".join(classes)


def module_of(table: str) -> str:
    """The name by which the module with a table's class is imported."""
    return "units" if table == "units" else "columns"


def class_of(table: str) -> str:
    """The name of a table's class."""
    return "".join(part.capitalize() for part in table.split("_"))


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
