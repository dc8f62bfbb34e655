"""Events: what happened, by which rule. Recorded only when asked for.

Every key of an event's ``data`` is declared: what its value is, the same in every game. ``FIELDS`` holds the keys that any game may use;
a ruleset adds its own with ``extended_fields`` (``Ruleset.event_fields``). Those that draw and tell events find names through the
declaration, and ``check_event`` says what an event gets wrong.
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

    ``rule`` is the id of the catalogue's rule that was applied; ``kind`` a short name; ``data`` what is needed to tell it, under the keys
    that the ruleset declares (``Ruleset.event_fields``).
    """

    rule: str
    kind: str
    data: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(f"{key} {value}" for key, value in self.data.items())
        return f"{self.kind}: {told} [{self.rule}]"


class Value(StrEnum):
    """What a value is."""

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
    """The declaration of a key: what its value is; ``nobody``: ``NONE`` may stand in place of a row."""

    value: Value
    nobody: bool = False


class Tally(NamedTuple):
    """What an event adds to the attacks of one unit at another, which reports sum up in one line.

    Attributes:
        attacker: row of the unit, ``NONE`` where the event does not say. target: row of the unit that is attacked, ``NONE``: nobody.
        counts: how many more, by what is counted.
    """

    attacker: int
    target: int
    counts: Mapping[str, int]


class Harm(NamedTuple):
    """Wounds that an event says somebody has lost.

    Attributes:
        source: row of the unit that did it, ``NONE`` where the event does not say.
        target: row of the unit that is hurt. model: which of its models, ``NONE``: the event does not say.
        amount: so many wounds; of several that hurt one unit together each counts by its part.
    """

    source: int
    target: int
    model: int = NONE
    amount: int = 1


WOUNDS_LOST = "wounds lost"  # what a ``Tally`` counts them as


FIELDS: Mapping[str, Field] = MappingProxyType(
    {
        # who acts, or whom the event is about
        "unit": Field(Value.UNIT, nobody=True),
        "model": Field(Value.MODEL, nobody=True),  # beside an ``attacker``: the one aimed at
        "models": Field(Value.MODELS),
        "player": Field(Value.PLAYER),
        "attacker": Field(Value.MODEL, nobody=True),
        "weapon": Field(Value.WEAPON),
        # at whom
        "target": Field(Value.UNIT, nobody=True),
        "targets": Field(Value.UNITS),
        "target_model": Field(Value.MODEL),  # one of ``target``
        # others that are concerned
        "leader": Field(Value.UNIT),
        "bodyguard": Field(Value.UNIT),
        "carrier": Field(Value.UNIT),
        "owner": Field(Value.PLAYER),
        "holder": Field(Value.PLAYER, nobody=True),
        "winner": Field(Value.PLAYER, nobody=True),
        "first_player": Field(Value.PLAYER),
        "marker": Field(Value.MARKER),
        # dice: ``needed`` the least that is enough, ``passed`` whether it was
        "die": Field(Value.DICE),
        "roll": Field(Value.DICE),
        "rolls": Field(Value.DICE),
        "dice": Field(Value.DICE),
        "needed": Field(Value.NUMBER),
        "passed": Field(Value.FLAG),
        "result": Field(Value.NUMBER),
        # places: ``path`` of a unit that moves as one
        "place": Field(Value.PLACE),
        "path": Field(Value.PATH),
        # the rest
        "amount": Field(Value.NUMBER),
        "moved": Field(Value.NUMBER),  # how many of its models
        "vp": Field(Value.NUMBER),
        "round": Field(Value.NUMBER),
        "phase": Field(Value.TEXT),
        "name": Field(Value.TEXT),
    }
)


def extended_fields(own: Mapping[str, Field]) -> Mapping[str, Field]:
    """The declarations of a ruleset: those of every game and its own.

    Raises:
        ValueError: a key of ``own`` is one of every game, which means the same everywhere.
    """
    known = sorted(own.keys() & FIELDS.keys())
    if known:
        raise ValueError(f"event fields {', '.join(known)}: every game has them; expected other names")
    return MappingProxyType({**FIELDS, **own})


# ---------------------------------------------------------------- checking


def check_event(setup: Setup, event: Event) -> list[str]:
    """What is wrong with an event of a battle of ``setup``, in words; nothing if it is as declared."""
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
    return _whole(value) and 0 <= value < rows


def _whole(value: Any) -> bool:
    # kernels that run as plain Python return numpy's numbers
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return _whole(value) or (isinstance(value, float | np.floating) and isfinite(value))


def _point(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_number, value))


def _length(table: str) -> Callable[[Setup], int]:
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
