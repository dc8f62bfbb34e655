"""A ``Setup``: everything about a battle that does not change, compiled once and shared by all copies of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wh_env.core.actions import ActionSpace
from wh_env.core.tables import Array, Layout

if TYPE_CHECKING:
    from wh_env.core.battle import BattleCore
    from wh_env.core.procedures import Ruleset

Delegate = Callable[["BattleCore", Array], int]


@dataclass(frozen=True)
class Setup:
    """The frozen part of a battle.

    Attributes:
        ruleset: the game that is played.
        layout: where each table stands in the buffer.
        template: the buffer (uint8) of a battle before its first step.
        space: the action space.
        length, width: of the table, in inches.
        blocks, corners, features: terrain (``core.tables``).
        statics: further frozen arrays of the ruleset by name (``weapons``, ``arsenal``, ``zones``, ...).
        names: names by table: ``units``, ``models``, ``weapons``, ``players``, ...
        rules: numbers and switches of the mission and the ruleset.
        delegates: for each decision kind that is not asked, the policy that answers it.
        source: the battle config this was compiled from, as JSON; digest: its hash.
        outside: it was compiled from what a file says, so states of it may be anything.
    """

    ruleset: Ruleset
    layout: Layout
    template: Array
    space: ActionSpace
    length: float
    width: float
    blocks: Array
    corners: Array
    features: Array
    statics: Mapping[str, Any]
    names: Mapping[str, list[str]]
    rules: Mapping[str, Any]
    delegates: Mapping[int, Delegate]
    source: str = ""
    digest: str = ""
    outside: bool = False
    inactive: tuple[str, ...] = field(default=())  # abilities that are declared and not active yet

    @property
    def layout_digest(self) -> str:
        """What bytes of a state mean: a hash of the tables, of the procedures and of the decision kinds."""
        return f"{self.layout.digest}-{self.ruleset.digest}"
