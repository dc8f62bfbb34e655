"""A ``Setup``: everything about a battle that does not change, compiled once and shared by all its copies."""

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

COMMON = ("clock", "players", "units", "models")  # tables that a battle binds at once, as all code uses them
FROZEN = ("template", "blocks", "corners", "features", "statics", "names", "rules", "delegates", "policies")


@dataclass(frozen=True, eq=False)
class Setup:
    """The part of a battle that does not change. Arrays are read-only for good, mappings are proxies, lists are tuples
    (``core.frozen``). A copy of a Setup is the Setup itself.

    Attributes:
        ruleset: the game that is played.
        layout: where each table stands in the buffer.
        template: the buffer (uint8) of a battle before its first step.
        space: the action space.
        length, width: of the table, in inches (or in the ruleset's ``length_unit``).
        blocks, corners, features: terrain (``core.tables``).
        statics: further frozen arrays and values of the ruleset by name (``weapons``, ``arsenal``, ``zones``, ...).
        names: names of rows by table: ``units``, ``models``, ``weapons``, ``players``, ...
        rules: numbers and switches of the mission and the ruleset.
        delegates: for each decision kind that is not asked, by its number, the policy that answers it.
        source: the battle config from which it was compiled, as JSON. digest: a hash of it.
        outside: it was compiled from what a saved file says, so its states may contain anything.
        inactive: names of abilities that are declared but not active yet.
        policies: the delegates that the user passed, by names of the kinds.
        placed: the players have placed the terrain, so it is not that of ``source``.
        unmoved: the Setup from which this one was derived because terrain moved in a battle; ``None``: it was compiled.
        moves: what the state said about the terrain when it was derived.
        idle: workspaces (``Ruleset.workspace``) that no battle uses now; shared by Setups that differ in terrain or
            delegates.
        common: the tables ``COMMON`` with their classes (``core.columns``).
        stack: the first byte of the table ``stack`` and the byte after its last one.
        sides: the range of the rows of ``units`` of each player.
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
    inactive: tuple[str, ...] = field(default=())
    policies: Mapping[str, Delegate] = field(default_factory=dict)
    placed: bool = False
    unmoved: Self | None = field(default=None, repr=False)
    moves: bytes = b""
    idle: deque[Any] = field(default_factory=deque, repr=False)
    common: tuple[tuple[str, type[Columns]], ...] = field(init=False, repr=False)
    stack: tuple[int, int] = field(init=False, repr=False)
    sides: tuple[range, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Derive ``common``, ``stack`` and ``sides``, and freeze all values."""
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
        """The Setup itself."""
        return self

    def __deepcopy__(self, _memo: Any) -> Self:
        """The Setup itself."""
        return self

    def with_terrain(self, blocks: Array, corners: Array, features: Array) -> Self:
        """A Setup with this terrain, which the players have placed, and everything else shared with this one."""
        return replace(self, blocks=blocks, corners=corners, features=features, placed=True)

    def with_moved_terrain(
        self, moves: bytes, blocks: Array, corners: Array, features: Array, statics: Mapping[str, Any]
    ) -> Self:
        """A Setup whose terrain has moved in a battle as ``moves``, a part of the state, says. ``statics`` replace
        those of the same names; everything else is shared with this one.
        """
        moved = {**self.statics, **statics}
        terrain = self.with_terrain(blocks, corners, features)
        return replace(terrain, placed=self.placed, statics=moved, unmoved=self, moves=moves)

    def with_policies(self, policies: Mapping[str, Delegate]) -> Self:
        """A Setup with the user's ``policies``, by names of the kinds that they answer, and everything else shared with
        this one, which must have none.

        Raises:
            KeyError: a name is none of a decision kind of the ruleset.
        """
        delegates = {**self.delegates, **{self.ruleset.kind_number(name): policy for name, policy in policies.items()}}
        return replace(self, delegates=delegates, policies=policies)

    @property
    def layout_digest(self) -> str:
        """A hash of what the bytes of a state mean: the tables, the procedures and the decision kinds."""
        return f"{self.layout.digest}-{self.ruleset.digest}"


class Lease:
    """A battle's hold on its workspace. It takes an idle workspace of the Setup, or a new one, and gives it back when
    the battle dies.

    Battles in different threads never share a workspace, and so kernels, which release the GIL, cannot write to the
    same one. Taking and giving back are one atomic operation of a deque each.
    """

    __slots__ = ("idle", "work")

    def __init__(self, setup: Setup) -> None:
        """Take a workspace for a battle of ``setup``."""
        self.idle = setup.idle
        try:
            self.work = self.idle.pop()
        except IndexError:
            self.work = setup.ruleset.workspace(setup)

    def __del__(self) -> None:
        """Give the workspace back."""
        self.idle.append(self.work)
