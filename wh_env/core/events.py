"""Events: what happened, by which rule. Recorded only when asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    ``rule`` is the id of the catalogue's rule that was applied; ``kind`` a short name; ``data`` what is needed to tell it
    (unit and model rows, dice, amounts).
    """

    rule: str
    kind: str
    data: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(f"{key} {value}" for key, value in self.data.items())
        return f"{self.kind}: {told} [{self.rule}]"
