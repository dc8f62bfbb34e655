"""Tables as Python reads them: every column is that of the table, and what binds them is gone afterwards."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.content.load import names, rulesets
from wh_env.core.battle import EVERYWHERE
from wh_env.core.columns import columns_of
from wh_env.core.tables import Layout, TableSpec

BATTLES = [names("battles", ruleset)[0] for ruleset in rulesets()]
ODD = np.dtype([("one", "i1"), ("many", "f8", (3,)), ("last", "u2")])  # packed: no column stands where its size says


def structured(battle: Battle) -> list[str]:
    return [spec.name for spec in battle.setup.layout.specs if spec.dtype.names]


@pytest.mark.parametrize("name", BATTLES)
def test_every_column_is_that_of_the_table_and_writes_to_it(name):
    battle = Battle.load(name, 1)
    chance = np.random.default_rng(1)
    battle.buffer[:] = chance.integers(0, 100, battle.buffer.size)
    for table in structured(battle):
        rows = battle.setup.layout.view(battle.buffer, table)
        columns = getattr(battle, table)
        assert columns.rows.dtype == rows.dtype and len(columns.rows) == len(rows)
        for column in rows.dtype.names:
            view, field = getattr(columns, column), rows[column]
            assert view.format == memoryview(field).format and not view.readonly
            assert np.array_equal(np.asarray(view), field, equal_nan=True) and len(view) == len(rows)
            if len(rows) and field.ndim == 1:
                view[-1] = 7
                assert field[-1] == 7
    assert battle.stack.tolist() == battle.stack_array.tolist()


def test_columns_that_are_no_numbers_in_a_row_and_tables_without_rows():
    layout = Layout((TableSpec("odd", ODD, 4, {}), TableSpec("none", ODD, 0, {})))
    state = np.arange(layout.size, dtype=np.uint8)
    for name, rows in (("odd", 4), ("none", 0)):
        table = object.__new__(columns_of(ODD))
        table.origin = layout, name, memoryview(state)
        for column in ODD.names:
            found = np.asarray(getattr(table, column))
            assert len(found) == rows and np.array_equal(found, layout.view(state, name)[column], equal_nan=True)


@pytest.mark.parametrize("name", BATTLES)
def test_what_binds_tables_and_columns_is_gone_once_they_are_bound(name):
    """The interpreter remembers where an attribute stands if the class says nothing of it or has a slot for it."""
    battle = Battle.load(name, 1)
    assert vars(battle).keys() >= EVERYWHERE and not any(hasattr(Battle, table) for table in EVERYWHERE)
    waiting = battle.clone()
    assert hasattr(type(waiting.units), "__getattr__") and vars(waiting).keys() >= EVERYWHERE
    units = waiting.units
    assert units.alive.tolist() == battle.units.alive.tolist() and units is waiting.units
    assert not hasattr(type(units), "__getattr__") and type(units) is type(battle.units)
    assert type(vars(type(units))["alive"]).__name__ == "member_descriptor"


def test_a_column_that_a_table_lacks_is_an_error():
    battle = Battle.load("w10/only-war-skirmish", 1)
    for copy in (battle, battle.clone()):
        assert not hasattr(copy.units, "no_such_column")
        with pytest.raises(AttributeError, match="no_such_column"):
            copy.units.no_such_column  # noqa: B018
        assert copy.units.count[0] > 0


def test_a_copy_has_tables_of_its_own():
    battle = Battle.load("epic/bridgehead", 1)
    copy = battle.clone()
    copy.clock.round[0] += 3
    copy.stack[1] += 1
    assert battle.clock.round[0] != copy.clock.round[0] and battle.stack[1] != copy.stack[1]
    battle.copy_from(copy)
    assert battle.clock.round[0] == copy.clock.round[0] and battle.stack[1] == copy.stack[1]
