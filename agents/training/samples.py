"""Samples of behaviour cloning, in little memory: observations, the teacher's answers, and later rewards."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from wh_env.core.tables import Array

WHOLE = ""  # name of the part if an observation is a single array
NAME, COLUMNS = "seen:", "columns:"


@dataclass
class Samples:
    """The samples of one round.

    Most of an observation is unused in a battle, so only columns that are not always 0 are stored, in half
    precision.

    Attributes:
        seen: for each part of the observation, float16 of shape (samples, stored columns).
        columns: for each part, the numbers of the stored columns in the flattened part.
        masks: legal actions as packed bits, shape (samples, actions / 8).
        actions: the teacher's actions, shape (samples,).
        returns: discounted rewards from each sample on, shape (samples,).
        known: whether the battle's end was seen, so that ``returns`` is complete; shape (samples,).
    """

    seen: dict[str, Array]
    columns: dict[str, Array]
    masks: Array
    actions: Array
    returns: Array
    known: Array

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(self.actions)

    def to_bytes(self) -> bytes:
        """The samples as a file."""
        out = io.BytesIO()
        parts = {NAME + name: part for name, part in self.seen.items()}
        places = {COLUMNS + name: part for name, part in self.columns.items()}
        plain = {"masks": self.masks, "actions": self.actions, "returns": self.returns, "known": self.known}
        np.savez_compressed(out, **parts, **places, **plain)  # type: ignore[arg-type]
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Samples:
        """The samples in a file."""
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        return cls(
            {name.removeprefix(NAME): part for name, part in arrays.items() if name.startswith(NAME)},
            {name.removeprefix(COLUMNS): part for name, part in arrays.items() if name.startswith(COLUMNS)},
            *(arrays[name] for name in ("masks", "actions", "returns", "known")),
        )


class Collected:
    """Collects samples of several battles step by step."""

    def __init__(self) -> None:
        self._seen: list[dict[str, Array]] = []
        self._rest: list[tuple[Array, Array, Array, Array]] = []

    def add(self, observations: Any, masks: Array, actions: Array, rewards: Array, dones: Array) -> None:
        """Add a step of all battles.

        Args:
            observations: what the learner's seats saw before it.
            masks: legal actions, bool of shape (battles, actions).
            actions: the teacher's actions, shape (battles,).
            rewards: rewards of the step, shape (battles,).
            dones: which battles ended, shape (battles,).
        """
        parts = observations if isinstance(observations, dict) else {WHOLE: observations}
        self._seen.append({name: part.reshape(len(part), -1).astype(np.float16) for name, part in parts.items()})
        self._rest.append((np.packbits(masks, axis=1), actions.astype(np.int32), rewards.copy(), dones.copy()))

    def done(self, gamma: float) -> Samples:
        """The collected samples; ``gamma`` discounts rewards."""
        masks, actions, rewards, dones = (np.stack(rows) for rows in zip(*self._rest))
        returns, known = returns_of(rewards, dones, gamma)
        seen, columns = {}, {}
        for name in self._seen[0]:
            used = np.zeros(self._seen[0][name].shape[1], np.bool_)
            for step in self._seen:
                used |= step[name].any(axis=0)
            columns[name] = np.flatnonzero(used).astype(np.int32)
            seen[name] = np.concatenate([step[name][:, columns[name]] for step in self._seen])
        return Samples(
            seen, columns, np.concatenate(masks), actions.reshape(-1), returns.reshape(-1), known.reshape(-1)
        )


def returns_of(rewards: Array, dones: Array, gamma: float) -> tuple[Array, Array]:
    """Discounted sums of rewards until the end of each battle, and whether that end was seen.

    Args:
        rewards, dones: shape (steps, battles).
        gamma: discount a step.

    Returns:
        Two arrays of shape (steps, battles).
    """
    returns, known = np.zeros(rewards.shape, np.float32), np.zeros(rewards.shape, np.bool_)
    later, seen = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1], np.bool_)
    for step in range(len(rewards) - 1, -1, -1):
        later = rewards[step] + gamma * np.where(dones[step], 0.0, later)
        seen = seen | dones[step]
        returns[step], known[step] = later, seen
    return returns, known


class Memory:
    """The samples of all rounds.

    Args:
        shapes: shape of each part of an observation.
        actions: number of actions.
    """

    def __init__(self, shapes: dict[str, tuple[int, ...]], actions: int) -> None:
        self.shapes, self.actions = shapes, actions
        self.rounds: list[Samples] = []

    @property
    def count(self) -> int:
        """Number of samples."""
        return sum(samples.count for samples in self.rounds)

    def batch(self, chosen: Array) -> tuple[Any, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """The samples with the numbers ``chosen``: observations, masks, actions, returns and ``known`` as
        tensors.
        """
        size = len(chosen)
        dense = {name: np.zeros((size, int(np.prod(shape))), np.float32) for name, shape in self.shapes.items()}
        masks = np.zeros((size, -(-self.actions // 8)), np.uint8)
        actions, returns, known = np.zeros(size, np.int64), np.zeros(size, np.float32), np.zeros(size, np.float32)
        first = 0
        for samples in self.rounds:
            places = np.flatnonzero((chosen >= first) & (chosen < first + samples.count))
            rows = chosen[places] - first
            for name, part in samples.seen.items():
                dense[name][places[:, None], samples.columns[name]] = part[rows]
            masks[places], actions[places] = samples.masks[rows], samples.actions[rows]
            returns[places], known[places] = samples.returns[rows], samples.known[rows]
            first += samples.count
        tensors = {name: torch.from_numpy(part).view(size, *self.shapes[name]) for name, part in dense.items()}
        legal = torch.from_numpy(np.unpackbits(masks, axis=1, count=self.actions).astype(np.bool_))
        seen: Any = tensors.get(WHOLE, tensors)
        return seen, legal, torch.from_numpy(actions), torch.from_numpy(returns), torch.from_numpy(known)
