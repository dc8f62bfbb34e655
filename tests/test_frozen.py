"""What battles share cannot be changed: no array, mapping or list that can be reached from a Setup takes a write."""

from __future__ import annotations

from collections import deque
from dataclasses import fields, is_dataclass
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType
from typing import Any

import numpy as np
import pytest

from wh_env import Battle
from wh_env.content.load import names, rulesets
from wh_env.core.frozen import Unchanging, freeze, frozen, is_frozen, thawed
from wh_env.core.setup import Setup

BATTLES = [name for ruleset in rulesets() for name in names("battles", ruleset)]
PLAIN = (
    *(type(None), bool, int, float, str, bytes, range, Enum, type),
    *(np.dtype, np.generic, FunctionType, BuiltinFunctionType),
)


def mutable(value: Any, path: str, seen: dict[int, Any]) -> list[str]:
    """Where something can be changed that is reached from the value."""
    if isinstance(value, PLAIN) or id(value) in seen:
        return []
    seen[id(value)] = value
    if isinstance(value, np.ndarray):
        return [] if is_frozen(value) else [f"{path}: array"]
    if isinstance(value, MappingProxyType):
        return [fault for key, item in value.items() for fault in mutable(item, f"{path}[{key!r}]", seen)]
    if isinstance(value, tuple | frozenset):
        return [fault for k, item in enumerate(value) for fault in mutable(item, f"{path}[{k}]", seen)]
    if isinstance(value, MethodType):
        return mutable(value.__self__, f"{path}.__self__", seen)
    if is_dataclass(value):
        own = [] if type(value).__dataclass_params__.frozen else [f"{path}: {type(value).__name__}"]
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
    elif isinstance(value, Unchanging):
        own, parts = [], {**vars(value), "fields": getattr(value, "fields", None)}
    else:
        return [f"{path}: {type(value).__name__}"]
    return own + [fault for name, part in parts.items() for fault in mutable(part, f"{path}.{name}", seen)]


def faults(setup: Setup) -> list[str]:
    """What can be changed in a Setup, but for its idle workspaces."""
    found = mutable(setup, "setup", {id(setup.idle): setup.idle})
    assert isinstance(setup.idle, deque)
    return found


@pytest.mark.parametrize("name", BATTLES)
def test_nothing_in_a_setup_can_be_changed(name):
    assert faults(Battle.load(name, 1, detail="squad").setup) == []


def test_terrain_that_the_players_have_placed_cannot_be_changed():
    battle = Battle.load("w10/only-war-skirmish", 1, rules={"terrain": "players"})
    before = battle.setup
    while not battle.setup.placed:
        battle.apply(battle.first_legal())
    assert faults(battle.setup) == [] and len(battle.setup.features) > len(before.features) == 0
    assert battle.setup.idle is before.idle and battle.setup.statics["weapons"] is before.statics["weapons"]


def test_mutable_parts_are_found():
    """The walk itself: one list, dict, array or writeable view anywhere is told."""
    setup = Battle.load("w10/only-war-skirmish", 1).setup
    for part in ([1], {"a": 1}, np.zeros(3), np.zeros(3).view(), {1, 2}):
        assert mutable(MappingProxyType({**setup.statics, "new": (part,)}), "", {}) == [
            f"['new'][0]: {'array' if isinstance(part, np.ndarray) else type(part).__name__}"
        ]
    flagged = np.zeros(3)
    flagged.flags.writeable = False
    assert mutable(flagged, "", {}) == [": array"]


@pytest.mark.parametrize("ruleset", rulesets())
def test_writes_are_refused(ruleset):
    name = next(name for name in BATTLES if name.startswith(ruleset))
    setup = Battle.load(name, 1).setup
    tables = [value for value in setup.statics.values() if isinstance(value, np.ndarray)]
    assert tables
    for array in (setup.template, setup.blocks, setup.corners, setup.features, *tables):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.view().flags.writeable = True
        with pytest.raises(ValueError, match="read-only"):
            array[:1] = array[-1:]
    for mapping in (setup.statics, setup.names, setup.rules, setup.delegates, setup.ruleset.kind_by_name):
        with pytest.raises(TypeError):
            mapping["new"] = 1
    with pytest.raises(AttributeError):
        setup.names["units"].append("Horde")
    for part in (setup, setup.layout, setup.space, setup.ruleset, setup.ruleset.kinds[0], setup.ruleset.features):
        with pytest.raises(AttributeError):
            part.name = "mine"


def test_frozen_values_keep_shape_type_and_order():
    table = np.zeros((0, 2))
    assert frozen(table).shape == (0, 2) and frozen(table).flags.aligned
    across = np.arange(6).reshape(2, 3).T
    assert (frozen(across) == across).all() and frozen(across).flags.c_contiguous
    once = frozen(across)
    assert frozen(once) is once and is_frozen(once[1:]) and not is_frozen(once.copy())
    value = freeze({"a": [1, {"b": (2, [3])}], "c": {4}})
    assert thawed(value) == {"a": (1, {"b": (2, (3,))}), "c": {4}}
