"""The interface of policies."""

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

    ``act`` gets a copy of the battle as the seat may see it (``SeatView``), without secrets of the other seat
    and without the dice to come. Changes to the copy do not reach the battle, and the copy is overwritten at
    the next decision. To try actions, use ``battle.clone(seed=...)``.

    One policy plays many battles, with ``reset`` before each. Its answers must depend only on the battle and
    that seed.
    """

    def act(self, battle: Battle, mask: Array) -> int:
        """Return a legal action for the waiting decision; ``mask`` is ``battle.legal()``, bool of shape
        (actions,), read-only.
        """

    def reset(self, seed: int) -> None:
        """Prepare for a new battle. Everything random from now on must follow from ``seed``."""


@runtime_checkable
class ChoosyPolicy(Policy, Protocol):
    """A policy that cannot play every battle; see ``refusal``."""

    def refuses(self, setup: Setup) -> str:
        """Why the policy cannot play battles of this Setup, in words that name what it can play; empty if it
        can.
        """


def refusal(policy: Policy, setup: Setup) -> str:
    """Why a policy cannot play battles of a Setup; empty if it can, or if it does not say."""
    return policy.refuses(setup) if isinstance(policy, ChoosyPolicy) else ""


class Seated:
    """Wraps a policy so that it sees each battle only as the deciding seat may see it."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._views = (SeatView(), SeatView())

    def refuses(self, setup: Setup) -> str:
        """Why the wrapped policy cannot play battles of this Setup; empty if it can."""
        return refusal(self.policy, setup)

    def act(self, battle: Battle, mask: Array) -> int:
        """The wrapped policy's action."""
        seat = battle.clock.player[0]
        return self.policy.act(self._views[seat].of(battle, seat), mask)  # type: ignore[arg-type]

    def reset(self, seed: int) -> None:
        """Prepare for a new battle."""
        self.policy.reset(seed)


@runtime_checkable
class BatchedPolicy(Policy, Protocol):
    """A policy that answers many battles at once faster than one after the other; see ``act_all``.

    The battles are independent of each other and may come in another order at the next call.
    """

    def act_batch(self, battles: Sequence[Battle], masks: Array) -> Sequence[int]:
        """Return a legal action for each battle; ``masks`` is bool of shape (battles, actions)."""


def act_all(policy: Policy, battles: Sequence[Battle], masks: Array) -> list[int]:
    """An action for each battle: in one call if the policy has ``act_batch``, else one after the other."""
    if isinstance(policy, BatchedPolicy):
        return [int(action) for action in policy.act_batch(battles, masks)]
    return [int(policy.act(battle, mask)) for battle, mask in zip(battles, masks, strict=True)]
