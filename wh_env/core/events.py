"""Events: what happened in a battle and by which rule. A battle records them only if it is asked to.

Every key of an event's ``data`` is declared, with the kind of its value. ``FIELDS`` holds the keys that every game may
use, with the same meaning in all; a ruleset adds its own with ``extended_fields`` (``Ruleset.event_fields``). Code that
draws or tells events finds names through the declarations. ``check_event`` compares an event with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from wh_env.core.setup import Setup

NONE = -1  # a row that stands for nobody, where a field allows it


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        rule: the catalogue id of the rule that was applied. kind: a short name. data: the facts of the event, under
            keys that the ruleset declares (``Ruleset.event_fields``).
    """

    rule: str
    kind: str
    data: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """Kind, data and rule in one line."""
        parts = ", ".join(f"{key} {value}" for key, value in self.data.items())
        return f"{self.kind}: {parts} [{self.rule}]"


class Value(StrEnum):
    """The kinds of values that a key of an event can have."""

    UNIT = "a row of units"
    UNITS = "rows of units"
    MODEL = "a row of models"
    MODELS = "rows of models"
    PLAYER = "0 or 1"
    MARKER = "a row of objectives"
    WEAPON = "the name of a weapon"
    DICE = "a die, the total of several, or a list of dice"
    NUMBER = "a number, or a list of numbers (one for each player)"
    FLAG = "true or false, or a list of them (one for each player)"
    PLACE = "a place: x and y"
    PATH = "displacements: a list of x and y"
    TEXT = "words, or a list of them"


class Field(NamedTuple):
    """The declaration of one key of events.

    Attributes:
        value: what its value is. nobody: whether ``NONE`` may stand in place of a row.
    """

    value: Value
    nobody: bool = False


class Tally(NamedTuple):
    """What an event adds to the count of attacks of one unit at another. Reports sum these up in one line.

    Attributes:
        attacker: row of the attacking unit, ``NONE`` if the event does not say. target: row of the unit that is
            attacked, ``NONE`` if there is none.
        counts: how many are added, by the name of what is counted.
    """

    attacker: int
    target: int
    counts: Mapping[str, int]


class Harm(NamedTuple):
    """Wounds that a unit lost, as an event tells it.

    Attributes:
        source: row of the unit that caused them, ``NONE`` if the event does not say.
        target: row of the unit that lost them. model: row of its model that lost them, ``NONE`` if the event does not
            say.
        amount: how many wounds. If several units caused a loss together, each has its share.
    """

    source: int
    target: int
    model: int = NONE
    amount: int = 1


WOUNDS_LOST = "wounds lost"  # the name under which a ``Tally`` counts lost wounds


FIELDS: Mapping[str, Field] = MappingProxyType(
    {
        # the unit, model or player that acts, or that the event is about
        "unit": Field(Value.UNIT, nobody=True),
        "model": Field(Value.MODEL, nobody=True),  # beside an ``attacker``: the model that is attacked
        "models": Field(Value.MODELS),
        "player": Field(Value.PLAYER),
        "attacker": Field(Value.MODEL, nobody=True),
        "weapon": Field(Value.WEAPON),
        # the units and models that are attacked or affected
        "target": Field(Value.UNIT, nobody=True),
        "targets": Field(Value.UNITS),
        "target_model": Field(Value.MODEL),  # a model of the unit ``target``
        # other units, players and markers of the event
        "leader": Field(Value.UNIT),
        "bodyguard": Field(Value.UNIT),
        "carrier": Field(Value.UNIT),
        "owner": Field(Value.PLAYER),
        "holder": Field(Value.PLAYER, nobody=True),
        "winner": Field(Value.PLAYER, nobody=True),
        "first_player": Field(Value.PLAYER),
        "marker": Field(Value.MARKER),
        # dice: ``needed`` is the lowest result that passes, ``passed`` whether the roll passed
        "die": Field(Value.DICE),
        "roll": Field(Value.DICE),
        "rolls": Field(Value.DICE),
        "dice": Field(Value.DICE),
        "needed": Field(Value.NUMBER),
        "passed": Field(Value.FLAG),
        "result": Field(Value.NUMBER),
        # places: ``path`` is the way of a unit that moves as one body
        "place": Field(Value.PLACE),
        "path": Field(Value.PATH),
        # the rest
        "amount": Field(Value.NUMBER),
        "moved": Field(Value.NUMBER),  # how many models of the unit moved
        "vp": Field(Value.NUMBER),
        "round": Field(Value.NUMBER),
        "phase": Field(Value.TEXT),
        "name": Field(Value.TEXT),
    }
)


def extended_fields(own: Mapping[str, Field]) -> Mapping[str, Field]:
    """The declarations of a ruleset: ``FIELDS`` and its own.

    Raises:
        ValueError: a key of ``own`` is in ``FIELDS``, whose keys mean the same in every game.
    """
    shared = sorted(own.keys() & FIELDS.keys())
    if shared:
        raise ValueError(f"event fields {', '.join(shared)}: every game has them; expected other names")
    return MappingProxyType({**FIELDS, **own})


# ---------------------------------------------------------------- checking


def check_event(setup: Setup, event: Event) -> list[str]:
    """The faults of an event of a battle of ``setup``, in words; an empty list if the event is as declared.

    It tests that every key is declared, that every value is of the declared kind with existing rows, and that a
    ``target_model`` belongs to the owner of ``target``.
    """
    fields = setup.ruleset.event_fields
    faults = []
    for key, value in event.data.items():
        declared = fields.get(key)
        if declared is None:
            faults.append(f"{key} {value!r}: ruleset {setup.ruleset.id!r} declares no such field")
        elif not _fits(setup, declared, value):
            expected = declared.value.value + (f", {NONE} for none" if declared.nobody else "")
            faults.append(f"{key} {value!r}: expected {expected}")
    if not faults and "target_model" in event.data and "target" in event.data:
        target, model = event.data["target"], event.data["target_model"]
        owners = (setup.layout.view(setup.template, table)["owner"] for table in ("units", "models"))
        of_unit, of_model = (int(rows[row]) for rows, row in zip(owners, (target, model), strict=True))
        if of_unit != of_model:
            faults.append(f"target_model {model}: expected a model of target {target}, is player {of_model}'s")
    return [f"event {event.kind!r} [{event.rule}]: {fault}" for fault in faults]


def _fits(setup: Setup, declared: Field, value: Any) -> bool:
    """Whether ``value`` is as declared: of the right type, with rows that exist in the tables of ``setup``."""
    kind = declared.value
    if kind in _ROWS:
        return (declared.nobody and value == NONE) or _row(value, _ROWS[kind](setup))
    if kind in _LISTS:
        rows = _ROWS[_LISTS[kind]](setup)
        return isinstance(value, list | tuple) and all(_row(part, rows) for part in value)
    if kind is Value.PLACE:
        return _point(value)
    if kind is Value.PATH:
        return isinstance(value, list | tuple) and all(_point(part) for part in value)
    if kind is Value.WEAPON:
        return value in setup.names["weapons"]
    fits = _PLAIN[kind]
    return all(fits(part) for part in value) if isinstance(value, list | tuple) else fits(value)


def _row(value: Any, rows: int) -> bool:
    """Whether ``value`` is a whole number from 0 to ``rows - 1``."""
    return _whole(value) and 0 <= value < rows


def _whole(value: Any) -> bool:
    """Whether ``value`` is a whole number and no bool."""
    # kernels that run as plain Python return numpy's numbers
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    """Whether ``value`` is a whole number or a finite float."""
    return _whole(value) or (isinstance(value, float | np.floating) and isfinite(value))


def _point(value: Any) -> bool:
    """Whether ``value`` is a pair of numbers."""
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_number, value))


def _length(table: str) -> Callable[[Setup], int]:
    """A function that returns the number of rows of ``table`` in a Setup."""
    return lambda setup: len(setup.layout.view(setup.template, table))


_ROWS: Mapping[Value, Callable[[Setup], int]] = MappingProxyType(
    {
        Value.UNIT: _length("units"),
        Value.MODEL: _length("models"),
        Value.MARKER: _length("objectives"),
        Value.PLAYER: lambda setup: 2,
    }
)
_LISTS = MappingProxyType({Value.UNITS: Value.UNIT, Value.MODELS: Value.MODEL})
_PLAIN: Mapping[Value, Callable[[Any], bool]] = MappingProxyType(
    {
        Value.DICE: _whole,
        Value.NUMBER: _number,
        Value.FLAG: lambda value: isinstance(value, bool | np.bool_),
        Value.TEXT: lambda value: isinstance(value, str),
    }
)
