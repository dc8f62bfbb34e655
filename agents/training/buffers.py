"""Rollout buffers of stable-baselines3 whose arrays keep their place in memory.

No rollout needs new memory or a copy before learning, and processes can share the memory. Samples are drawn
in the order of sb3-contrib's own buffers, so training gives the same result to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import (
    MaskableDictRolloutBuffer,
    MaskableDictRolloutBufferSamples,
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)

from wh_env.core.tables import Array

PARTS = ("actions", "rewards", "returns", "episode_starts", "values", "log_probs", "advantages", "action_masks")
LINE = 64  # alignment of arrays in bytes


class FixedPlaceBuffer:
    """What both buffers do differently from those of sb3-contrib. Every array has the shape (steps, battles,
    ...).
    """

    action_masks: Array
    returns: Array
    values: Array

    def reset(self) -> None:
        """Empty the buffer; memory is allocated only the first time."""
        if not hasattr(self, "action_masks"):
            super().reset()  # type: ignore[misc]
            self.action_masks = np.zeros(self.action_masks.shape, np.bool_)
        self.pos, self.full, self.generator_ready = 0, False, False

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: Array) -> None:
        """Compute returns as stable-baselines3 does, but in place."""
        returns = self.returns
        super().compute_returns_and_advantage(last_values, dones)  # type: ignore[misc]
        returns[:] = self.returns
        self.returns = returns

    def get(self, batch_size: int | None = None) -> Iterator[Any]:
        """Minibatches, in an order drawn by NumPy's global generator."""
        steps, battles = self.values.shape
        drawn = np.random.permutation(steps * battles)  # noqa: NPY002 -- SB3 draws from it
        rows = drawn % steps * battles + drawn // steps  # SB3 counts battle by battle, the arrays lie step by step
        size = batch_size or len(rows)
        for first in range(0, len(rows), size):
            yield self._samples(rows[first : first + size])

    def _samples(self, rows: Array) -> Any:
        """The samples with these numbers (row of the flattened arrays) as tensors."""

        def selected(part: Array) -> torch.Tensor:
            flat = part.reshape(part.shape[0] * part.shape[1], *part.shape[2:])
            return torch.as_tensor(flat[rows], device=self.device)  # type: ignore[attr-defined]

        seen = self.observations  # type: ignore[attr-defined]
        several = isinstance(seen, dict)
        kind = MaskableDictRolloutBufferSamples if several else MaskableRolloutBufferSamples
        return kind(
            observations={name: selected(part) for name, part in seen.items()} if several else selected(seen),
            actions=selected(self.actions),  # type: ignore[attr-defined]
            old_values=selected(self.values),
            old_log_prob=selected(self.log_probs),  # type: ignore[attr-defined]
            advantages=selected(self.advantages),  # type: ignore[attr-defined]
            returns=selected(self.returns),
            action_masks=selected(self.action_masks),
        )

    # ---- memory that is shared

    def _arrays(self) -> list[tuple[dict[str, Any], str]]:
        """The container and the name of each array, in the same order for all buffers of a run."""
        seen = self.observations  # type: ignore[attr-defined]
        parts = [(seen, name) for name in sorted(seen)] if isinstance(seen, dict) else [(vars(self), "observations")]
        return parts + [(vars(self), name) for name in PARTS]

    @property
    def room(self) -> int:
        """Number of bytes that ``move`` needs."""
        return sum(-(-container[name].nbytes // LINE) * LINE for container, name in self._arrays())

    def move(self, memory: Any) -> None:
        """Move all arrays, with their content, into this memory of at least ``room`` bytes."""
        at = 0
        for container, name in self._arrays():
            before = container[name]
            count = prod(before.shape)
            container[name] = np.frombuffer(memory, before.dtype, count, at).reshape(before.shape)
            at += -(-before.nbytes // LINE) * LINE

    def filled(self) -> None:
        """Mark the buffer as full, after another process has filled the shared memory."""
        self.pos, self.full = len(self.values), True


class StandingRolloutBuffer(FixedPlaceBuffer, MaskableRolloutBuffer):
    """A buffer for observations that are one array."""


class StandingDictRolloutBuffer(FixedPlaceBuffer, MaskableDictRolloutBuffer):
    """A buffer for observations in parts."""
