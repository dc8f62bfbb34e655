"""A ``Setup``: everything about a battle that does not change, compiled once and shared by all copies of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from wh_env.core.actions import ActionSpace
from wh_env.core.columns import Columns, columns_of
from wh_env.core.frozen import freeze
from wh_env.core.tables import Array, Layout

if TYPE_CHECKING:
    from wh_env.core.battle import BattleCore
    from wh_env.core.procedures import Ruleset

Delegate = Callable[["BattleCore", Array], int]

COMMON = ("clock", "players", "units", "models")  # tables that everything asks for
FROZEN = ("template", "blocks", "corners", "features", "statics", "names", "rules", "delegates", "policies")


@dataclass(frozen=True, eq=False)
class Setup:
    """The frozen part of a battle: arrays are read-only for good, mappings are proxies, lists are tuples (``core.frozen``).

    Copies of it are itself.

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
        policies: those of the delegates that the user passed, by the names of the kinds.
        placed: the terrain is not that of ``source``: the players have placed it.
        idle: workspaces (``Ruleset.workspace``) that no battle holds now; shared by Setups that differ in terrain or delegates.
        common: the tables ``COMMON`` and their classes as Python reads them. stack: the first byte and the end of that table.
        sides: the rows of ``units`` of each player.
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
    names: Mapping[str, Sequence[str]]
    rules: Mapping[str, Any]
    delegates: Mapping[int, Delegate]
    source: str = ""
    digest: str = ""
    outside: bool = False
    inactive: tuple[str, ...] = field(default=())  # abilities that are declared and not active yet
    policies: Mapping[str, Delegate] = field(default_factory=dict)
    placed: bool = False
    idle: deque[Any] = field(default_factory=deque, repr=False)
    common: tuple[tuple[str, type[Columns]], ...] = field(init=False, repr=False)
    stack: tuple[int, int] = field(init=False, repr=False)
    sides: tuple[range, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rows = {spec.name: spec.dtype for spec in self.layout.specs}
        stack, players = (self.layout.view(self.template, name) for name in ("stack", "players"))
        first = self.layout.offsets["stack"]
        sides = zip(players["first_unit"].tolist(), players["units"].tolist(), strict=True)
        object.__setattr__(self, "common", tuple((name, columns_of(rows[name])) for name in COMMON))
        object.__setattr__(self, "stack", (first, first + stack.nbytes))
        object.__setattr__(self, "sides", tuple(range(row, row + units) for row, units in sides))
        for name in FROZEN:
            object.__setattr__(self, name, freeze(getattr(self, name)))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: Any) -> Self:
        return self

    def with_terrain(self, blocks: Array, corners: Array, features: Array) -> Self:
        """This Setup with other terrain, which the players have placed."""
        return replace(self, blocks=blocks, corners=corners, features=features, placed=True)

    def with_policies(self, policies: Mapping[str, Delegate]) -> Self:
        """This Setup, compiled without delegates of the user, with these, by the names of the kinds they answer."""
        delegates = {**self.delegates, **{self.ruleset.kind_number(name): policy for name, policy in policies.items()}}
        return replace(self, delegates=delegates, policies=policies)

    @property
    def layout_digest(self) -> str:
        """What bytes of a state mean: a hash of the tables, of the procedures and of the decision kinds."""
        return f"{self.layout.digest}-{self.ruleset.digest}"


class Lease:
    """What a battle holds its workspace by: taken from those that are idle, or made, and given back when the battle dies.

    A battle that runs in one thread and one that runs in another never share a workspace, so kernels, which release the GIL, cannot
    meet in it. Taking and giving back are one atomic operation of a deque each.
    """

    __slots__ = ("idle", "work")

    def __init__(self, setup: Setup) -> None:
        self.idle = setup.idle
        try:
            self.work = self.idle.pop()
        except IndexError:
            self.work = setup.ruleset.workspace(setup)

    def __del__(self) -> None:
        self.idle.append(self.work)
