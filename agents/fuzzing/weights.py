"""Mutated files of weights: other parameters, tensors or fields, sealed again."""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from typing import Any

import numpy as np
import torch
from gymnasium import spaces

from wh_env.core.actions import ActionSpace
from wh_env.core.sealed import sealed, unsealed
from wh_env.envs.observation import box_space
from wh_env.envs.registry import DEFAULT_RULESET, environment

from ..learning.policies import make_policy
from ..learning.tensors import pack
from ..learning.weights import FORMAT, MAGIC, UnreadableWeights, Weights, halved, layout_of, parse, to_bytes
from .mutations import Chance, mutated_fields, mutated_file, mutated_value, pick

SMALL = {"size": {"width": 16, "heads": 2, "blocks": 1, "planes": 4, "cell": 8}}
FORM = "vector"


class WeightFiles:
    """Mutated files of a small network."""

    name = "weights"

    @cached_property
    def weights(self) -> Weights:
        """A network that has not been trained."""
        actions: spaces.Space = spaces.Discrete(ActionSpace().size)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            policy = make_policy("entity", box_space(FORM), actions, SMALL)
        return Weights(
            DEFAULT_RULESET, environment(DEFAULT_RULESET).version, FORM, "entity", SMALL, halved(policy.state_dict())
        )

    @cached_property
    def file(self) -> bytes:
        """The network as a file."""
        return to_bytes(self.weights)

    def make(self, rng: Chance) -> bytes:
        """A mutated file of weights; one in twenty is unchanged."""
        share = rng.random()
        if share < 0.05:
            return self.file
        if share < 0.3:
            return mutated_file(self.file, rng)
        if share < 0.4:
            header, parts = unsealed(self.file, MAGIC, FORMAT, "a file of weights")
            return sealed(MAGIC, FORMAT, mutated_fields(header, rng), parts)
        fields: dict[str, Any] = asdict(self.weights)
        if share < 0.7:
            name = pick(rng, [name for name in fields if name != "state"])
            fields[name] = mutated_value(fields[name], rng)
        else:
            name = pick(rng, list(fields["state"]))
            tensor = fields["state"][name].clone()
            if share < 0.8 and tensor.numel():
                at = int(rng.integers(tensor.numel()))
                tensor.reshape(-1)[at] = pick(rng, (float("nan"), float("inf"), 6e4, -6e4))
            elif share < 0.9:
                tensor = pick(
                    rng, (tensor[None], tensor.reshape(-1), tensor[:0], tensor.to(torch.int16), tensor.double())
                )
            fields["state"][pick(rng, (name, name, "other"))] = tensor
        return pack(MAGIC, FORMAT, {"ruleset": DEFAULT_RULESET, "layout": layout_of(FORM)}, fields)

    def feed(self, data: bytes) -> bool:
        """Read the file and ask the network for an action. Returns whether it was accepted."""
        try:
            weights = parse(data)
        except UnreadableWeights:
            return False
        seen: Any = box_space(weights.observation)
        blank = (
            {name: np.zeros(part.shape, np.float32) for name, part in seen.spaces.items()}
            if hasattr(seen, "spaces")
            else np.zeros(seen.shape, np.float32)
        )
        weights.policy().predict(blank, action_masks=np.ones(ActionSpace().size, np.bool_), deterministic=True)
        return True
