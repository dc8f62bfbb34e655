"""What a policy is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from wh_env import Battle
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.core.views import SeatView


@runtime_checkable
class Policy(Protocol):
    """Answers the decisions of one player.

    What it is given is a copy of the battle as its seat may see it (``SeatView``), written over at the next decision: secrets of the
    other seat and the dice to come are not in it, and nothing done to it reaches the battle. What it needs to try out it tries on
    ``battle.clone(seed=...)``. It is used for one battle after the other, with ``reset`` before each: how it plays must depend on
    the battle and that seed alone.
    """

    def act(self, battle: Battle, mask: Array) -> int:
        """A legal action for the waiting decision; ``mask`` is ``battle.legal()``, which cannot be written to."""

    def reset(self, seed: int) -> None:
        """A new battle begins; everything random from here on follows from ``seed``."""


@runtime_checkable
class ChoosyPolicy(Policy, Protocol):
    """A policy that does not play every battle; optional, see ``refusal``."""

    def refuses(self, setup: Setup) -> str:
        """Why it cannot play battles of this Setup, in words that name what it plays; empty: it can."""


def refusal(policy: Policy, setup: Setup) -> str:
    """Why a policy cannot play battles of a Setup; empty: it can, or says nothing of it."""
    return policy.refuses(setup) if isinstance(policy, ChoosyPolicy) else ""


class Seated:
    """A policy that is asked about battles as the seat that decides may see them."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._views = (SeatView(), SeatView())

    def refuses(self, setup: Setup) -> str:
        """What the policy refuses."""
        return refusal(self.policy, setup)

    def act(self, battle: Battle, mask: Array) -> int:
        """The policy's answer."""
        seat = battle.clock.player[0]
        return self.policy.act(self._views[seat].of(battle, seat), mask)  # type: ignore[arg-type]

    def reset(self, seed: int) -> None:
        """A new battle begins."""
        self.policy.reset(seed)


@runtime_checkable
class BatchedPolicy(Policy, Protocol):
    """A policy that answers many battles at once faster than one after the other; optional, see ``act_all``.

    The battles are independent of each other and may come in another order at the next call.
    """

    def act_batch(self, battles: Sequence[Battle], masks: Array) -> Sequence[int]:
        """A legal action for each battle; ``masks`` has the shape (battles, ``space.size``)."""


def act_all(policy: Policy, battles: Sequence[Battle], masks: Array) -> list[int]:
    """An action for each battle: in one call if the policy has ``act_batch``, else one after the other."""
    if isinstance(policy, BatchedPolicy):
        return [int(action) for action in policy.act_batch(battles, masks)]
    return [int(policy.act(battle, mask)) for battle, mask in zip(battles, masks, strict=True)]
