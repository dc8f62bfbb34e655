"""Files of trained policies: numbers and plain values alone, so that reading one runs no code of whoever wrote it."""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.learning.policies import NETWORKS, make_policy
from wh_env.core.actions import ActionSpace
from wh_env.envs.observation import FORMS, box_space
from wh_env.envs.registry import environment

FORMAT = 1


class UnreadableWeights(ValueError):
    """The file holds no policy that can play here; the message says what was expected."""


@dataclass(frozen=True)
class Weights:
    """A trained policy.

    Attributes:
        ruleset: whose battles it plays. version: of that environment.
        observation: form of what it sees.
        network: its kind. parameters: of the kind.
        state: its tensors by name.
        potential: weights of the potentials (``worth``) that its values leave out.
        about: how it came about, for people.
    """

    ruleset: str
    version: int
    observation: str
    network: str
    parameters: Mapping[str, Any]
    state: Mapping[str, torch.Tensor] = field(repr=False)
    potential: Mapping[str, float] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)

    def policy(self) -> MaskableActorCriticPolicy:
        """The policy, ready to answer."""
        space: spaces.Space = spaces.Discrete(ActionSpace().size)
        with torch.random.fork_rng(
            devices=[]
        ):  # what is drawn for it is overwritten; nobody else's chance is to change
            policy = make_policy(self.network, box_space(self.observation), space, self.parameters)
        policy.load_state_dict({name: tensor.float() for name, tensor in self.state.items()})
        return policy


def halved(state: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors in half precision, apart from the network that they came from."""
    return {name: tensor.detach().cpu().half() for name, tensor in state.items()}


def to_bytes(weights: Weights) -> bytes:
    """As a file."""
    out = io.BytesIO()
    torch.save({"format": FORMAT, **asdict(weights)}, out)
    return out.getvalue()


def read(file: Path) -> Weights:
    """The policy in a file.

    Raises:
        UnreadableWeights: there is no such file, it holds something else, or it was made for another version of the environment.
    """
    try:
        raw = torch.load(file, map_location="cpu", weights_only=True)
    except OSError as error:
        raise UnreadableWeights(f"{file}: cannot be read ({error.strerror}); expected a file of weights") from None
    except (RuntimeError, pickle.UnpicklingError, EOFError, ValueError) as error:
        raise UnreadableWeights(f"{file}: holds no weights ({type(error).__name__})") from None
    if not isinstance(raw, dict) or raw.pop("format", None) != FORMAT:
        raise UnreadableWeights(f"{file}: expected weights of format {FORMAT}, as training writes them")
    try:
        weights = Weights(**raw)
    except TypeError as error:
        raise UnreadableWeights(f"{file}: {error}") from None
    if weights.network not in NETWORKS or weights.observation not in FORMS:
        expected = f"one of {', '.join(NETWORKS)} on one of {', '.join(FORMS)}"
        raise UnreadableWeights(f"{file}: network {weights.network!r} on {weights.observation!r}; expected {expected}")
    version = environment(weights.ruleset).version
    if weights.version != version:
        raise UnreadableWeights(
            f"{file}: was trained in {weights.ruleset}-v{weights.version}; expected {weights.ruleset}-v{version}"
        )
    return weights


__all__ = ["FORMAT", "UnreadableWeights", "Weights", "halved", "read", "to_bytes"]
