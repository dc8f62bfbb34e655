"""Events: what happened, by which rule. Recorded only when asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    ``rule`` is the id of the catalogue's rule that was applied; ``kind`` a short name; ``data`` what is needed to tell it
    (unit and model rows, dice, amounts).

    Keys of ``data`` mean the same in every game, for those that draw and tell events: ``unit``, ``target``, ``leader``,
    ``bodyguard``, ``carrier`` and each of ``targets`` are rows of units; ``model`` and ``attacker`` rows of models (``model``
    beside an ``attacker`` is who is aimed at, else who acts or suffers); ``player``, ``holder`` and ``winner`` are players;
    ``marker`` is an objective; ``path`` lists displacements of a unit that moves as one; ``die``, ``roll``, ``rolls`` and
    ``dice`` are dice, ``needed`` the least that is enough, ``passed`` whether it was.
    """

    rule: str
    kind: str
    data: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(f"{key} {value}" for key, value in self.data.items())
        return f"{self.kind}: {told} [{self.rule}]"
