"""Procedures, decision kinds and rulesets: the vocabulary in which a game is written.

A ``Procedure`` is a rule sequence. Its code is stateless; its frame is a slice of the stack: procedure id, step, and
``FRAME_SIZE - 2`` integers that it names itself. ``advance`` does one step and returns ``GO``; to ask a player it returns
``g.ask(...)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from wh_env.core.battle import BattleCore
    from wh_env.core.setup import Delegate

GO = 0
ASK = 1
FRAME_SIZE = 16
STEP = 1  # offset of the step counter in a frame; a procedure's own integers start at 2
V = 2


class Procedure:
    """A rule sequence; subclasses are registered in their ruleset's table and get their ``id`` there."""

    id: ClassVar[int]

    def advance(self, g: BattleCore, f: int) -> int:
        """Do the next step of the frame at ``f`` (an offset into ``g.stack``); return ``GO`` or the result of ``g.ask``."""
        raise NotImplementedError


class DecisionKind:
    """One kind of decision: what is legal, what an answer does, and how to say it."""

    id: ClassVar[int]
    name: ClassVar[str]
    rules: ClassVar[tuple[str, ...]] = ()
    squad: ClassVar[bool] = True  # asked at detail="squad" too

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        """Set the legal slots of ``mask`` (cleared before). At least one must be set."""
        raise NotImplementedError

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        """Carry out a legal ``action``; ``f`` is the frame that asked."""
        raise NotImplementedError

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        """Words for an action of this decision."""
        return g.default_words(action)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        """The default answer at a detail that does not ask: the first legal slot unless the kind knows better."""
        return g.first_legal()


class Ruleset:
    """A game: its procedures, its decision kinds, how a battle starts and what its result is."""

    id: str = ""

    def __init__(self, procedures: list[type[Procedure]], kinds: list[type[DecisionKind]]) -> None:
        self.procedures = [procedure() for procedure in procedures]
        self.advances = [procedure.advance for procedure in self.procedures]
        self.kinds = [kind() for kind in kinds]
        for number, procedure in enumerate(self.procedures):
            type(procedure).id = number
        for number, kind in enumerate(self.kinds):
            type(kind).id = number
        self.kind_by_name = {kind.name: kind for kind in self.kinds}

    def delegates(self, detail: str, overrides: dict[str, Delegate] | None = None) -> dict[int, Delegate]:
        """Which kinds are answered by whom at ``detail``; ``overrides`` maps kind names to policies of the user."""
        chosen: dict[int, Delegate] = {}
        for kind in self.kinds:
            if detail == "squad" and not kind.squad:
                chosen[kind.id] = Default(kind)
        for name, policy in (overrides or {}).items():
            chosen[self.kind_by_name[name].id] = policy
        return chosen

    def statics(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """What is worked out once from the rules of a battle and kept with its frozen arrays."""
        return {}

    def policies(self, rules: Mapping[str, Any]) -> dict[str, Delegate]:
        """Decision kinds, by name, that the rules of a battle leave to policies."""
        return {}

    def start(self, g: BattleCore) -> None:
        """Push the first procedure."""
        raise NotImplementedError

    def enter(self, g: BattleCore, phase: str, player: int, battle_round: int) -> None:
        """Push what a battle needs that begins with this phase of ``player``; how tests and set pieces start."""
        raise NotImplementedError

    def winner(self, g: BattleCore) -> int:
        """The winning player, -1 for a draw; called when the stack is empty."""
        raise NotImplementedError


class Default:
    """The kind's own default answer as a policy."""

    def __init__(self, kind: DecisionKind) -> None:
        self.kind = kind

    def __call__(self, g: BattleCore, _mask: object) -> int:
        return self.kind.delegate(g, g.frame, g.bits)
