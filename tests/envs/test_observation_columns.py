"""What is told of single numbers of a vector is what stands there."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.envs.observation import PARTS, SIZE, Observer, column_of, describe, fields_of, split
from wh_env.envs.observation_columns import part_at
from wh_env.envs.registry import environment, rulesets
from wh_env.rulesets.w10.ruleset import TENTH_EDITION


@pytest.mark.parametrize("ruleset", rulesets())
def test_every_number_is_described_and_within_its_range(ruleset):
    battle = Battle.load(environment(ruleset).skirmish, 3)
    for _ in range(20):
        battle.apply(battle.first_legal())
    vector = Observer(battle.setup).observe(battle, battle.decision.player).copy()
    columns = [describe(ruleset, index) for index in range(SIZE)]
    low, high = (np.array([getattr(column, side) for column in columns]) for side in ("low", "high"))
    assert np.all((low - 1e-6 <= vector) & (vector <= high + 1e-6))
    assert [column.index for column in columns] == list(range(SIZE))
    # the flags of the decision that waits are named as it is
    kinds = [c.meaning for c in columns if c.name.startswith("kind_") and vector[c.index] == 1.0]
    assert len(kinds) == 1 and kinds[0].endswith(f": {battle.decision.kind}")
    for part in (part for part in PARTS.values() if part.start >= 0):
        told = {column.name for column in columns if column.part == part.name}
        assert told - {""} == {field.name for field in fields_of(battle.setup.ruleset, part.fields)}


@pytest.mark.parametrize(
    ("part", "name", "place"),
    [("globals", "vp_lead", {}), ("enemy", "points", {"slot": 2}), ("markers", "x", {"marker": 1})],
)
def test_the_index_leads_back_to_the_part(part, name, place):
    numbers = split(np.arange(SIZE))
    index = int(numbers[part][(*place.values(), column_of("w10", part, name))])
    found = describe("w10", index)
    assert (found.part, found.name) == (part, name)
    assert found.place == {**place, "field": column_of("w10", part, name)}
    fields = fields_of(TENTH_EDITION, PARTS[part].fields)
    field = next(field for field in fields if field.name == name)
    assert (found.unit, found.low, found.high, found.meaning) == (field.unit, field.low, field.high, field.meaning)


def test_planes_of_the_terrain_are_told_by_row_and_column():
    numbers = split(np.arange(SIZE))["terrain"]
    found = describe("w10", int(numbers[column_of("w10", "terrain", "own_zone"), 5, 7]))
    assert (found.name, found.place["row"], found.place["column"]) == ("own_zone", 5, 7)


def test_numbers_read_as_a_line():
    assert str(describe("w10", 4)) == "4: globals, own_vp (VP / 100, 0..1): own victory points"
    second = PARTS["own"].start + PARTS["own"].shape[1]
    assert str(describe("epic", second)).startswith(f"{second}: own, slot 1, there (0/1, 0..1): ")
    assert "no field" in str(describe("w10", PARTS["globals"].stop - 1))


@pytest.mark.parametrize("index", [-1, SIZE])
def test_there_is_no_other_number(index):
    with pytest.raises(IndexError, match=f"{index} is no index of the observation; expected 0 to {SIZE - 1}"):
        part_at(index)


def test_what_cannot_be_described():
    with pytest.raises(ContentError, match="w11"):
        describe("w11", 0)
    with pytest.raises(TypeError):
        describe("w10", 0.5)
