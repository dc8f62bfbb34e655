"""Row types: what stands in the core's, and how a ruleset's extend them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wh_env
from wh_env.core import tables
from wh_env.core.bounds import flag
from wh_env.envs.registry import environment, rulesets

PACKAGE = Path(wh_env.__file__).parent
ROWS = {
    "models": tables.MODEL,
    "units": tables.UNIT,
    "players": tables.PLAYER,
    "objectives": tables.OBJECTIVE,
    "clock": tables.CLOCK,
    "dice": tables.DICE,
}


@pytest.mark.parametrize("table", ROWS)
def test_programs_that_know_no_ruleset_read_every_column(table):
    """A column that only one game reads belongs to its ruleset."""
    files = [file for part in ("core", "envs", "render") for file in (PACKAGE / part).rglob("*.py")]
    source = "\n".join(file.read_text(encoding="utf-8") for file in files if file.name != "tables.py")
    unread = [name for name in ROWS[table].names or () if not re.search(rf'"{name}"|\.{name}\b', source)]
    assert unread == []


@pytest.mark.parametrize("ruleset", rulesets())
def test_the_core_reads_no_column_that_only_one_game_has(ruleset):
    """The tests of its kernels use rows of a ruleset, for which they are compiled anyway, and would not notice."""
    battle = wh_env.Battle.load(environment(ruleset).skirmish, 1)
    common = {name for row in ROWS.values() for name in row.names or ()}
    own = {name for table in ROWS for name in getattr(battle, table).rows.dtype.names if name not in common}
    source = "\n".join(file.read_text(encoding="utf-8") for file in (PACKAGE / "core").rglob("*.py"))
    assert own
    assert own & set(re.findall(r'\["(\w+)"\]', source)) == set()


@pytest.mark.parametrize("table", ROWS)
@pytest.mark.parametrize("ruleset", rulesets())
def test_rows_of_a_ruleset_begin_with_the_columns_of_the_core(ruleset, table):
    """So that kernels that know only these work on both."""
    battle = wh_env.Battle.load(environment(ruleset).skirmish, 1)
    row, core = getattr(battle, table).rows.dtype, ROWS[table]
    assert row.names[: len(core.names)] == core.names
    assert [row.fields[name] for name in core.names] == [core.fields[name] for name in core.names]


def test_an_extended_row_keeps_the_bounds_of_all_columns():
    row, bounds = tables.extended(tables.OBJECTIVE, tables.OBJECTIVE_BOUNDS, [("taken", "i4", flag())])
    assert row.names == (*tables.OBJECTIVE.names, "taken") == tuple(bounds)
    assert bounds["taken"] == flag()
    assert bounds["holder"] == tables.OBJECTIVE_BOUNDS["holder"]
    with pytest.raises(TypeError, match="column 'bare' declares no bounds"):
        tables.extended(tables.OBJECTIVE, tables.OBJECTIVE_BOUNDS, [("bare", "i4")])
