"""Tables in one piece: what a battle hands to kernels as a named tuple is its own state, wherever it came from."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from wh_env import Battle
from wh_env.content.load import names, rulesets
from wh_env.core.geometry.near import Way
from wh_env.core.kernel import _types_of_fields

BATTLES = [names("battles", ruleset)[0] for ruleset in rulesets()]


def overwritten(battle: Battle) -> Battle:
    """A copy that had bundles of its own before it became a copy of ``battle``."""
    other = battle.clone(seed=5)
    touch(other)
    other.copy_from(battle)
    return other


def touch(battle: Battle) -> dict[str, Any]:
    """The bundles of a battle by name."""
    return {name: getattr(battle, name) for name in battle.setup.ruleset.bundles}


SOURCES: dict[str, Callable[[Battle], Battle]] = {
    "itself": lambda battle: battle,
    "clone": lambda battle: battle.clone(),
    "copy": copy.copy,
    "copy_from": overwritten,
    "pickle": lambda battle: pickle.loads(pickle.dumps(battle)),
    "bytes": lambda battle: Battle.from_bytes(battle.to_bytes()),
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", BATTLES)
def test_bundles_are_the_state(name: str, source: str) -> None:
    first = Battle.load(name, 3)
    touch(first)
    battle = SOURCES[source](first)
    for bundle in touch(battle).values():
        for table, rows in zip(bundle._fields, bundle, strict=True):
            own = battle.setup.layout.view(battle.buffer, table)
            assert rows.dtype == own.dtype and rows.shape == own.shape
            assert rows.__array_interface__["data"] == own.__array_interface__["data"], table
            assert battle is first or not np.shares_memory(rows, first.buffer)


def test_some_ruleset_has_bundles() -> None:
    assert any(Battle.load(name, 0).setup.ruleset.bundles for name in BATTLES)


def test_bundles_are_made_once() -> None:
    battle = Battle.load(next(name for name in BATTLES if Battle.load(name, 0).setup.ruleset.bundles), 0)
    assert all(getattr(battle, name) is bundle for name, bundle in touch(battle).items())


def test_numbers_in_a_bundle_are_what_it_declares() -> None:
    empty = np.zeros((2, 2))
    kinds = _types_of_fields(Way(empty, empty, np.int32(3), empty, True))
    assert [str(kind) for kind in kinds[2::2]] == ["int64", "int64"]
