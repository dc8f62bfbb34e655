"""Files of trained policies. They contain only numbers and plain values, so reading one runs no code from it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from wh_env.core.actions import ActionSpace
from wh_env.core.sealed import Unreadable, engine_version
from wh_env.envs.observation import FORMS, box_space
from wh_env.envs.registry import environment, rulesets

from .network import MOST
from .policies import NETWORKS, make_policy
from .tensors import pack, unpack

MAGIC = b"WHNW"
FORMAT = 2
PARAMETERS = {"entity": ("size",), "mlp": ("layers",)}
MOST_LAYERS = 16


class UnreadableWeights(ValueError):
    """The file contains no policy that can play here. The message says what was expected."""


@dataclass(frozen=True)
class Weights:
    """A trained policy.

    Attributes:
        ruleset: the game that it plays.
        version: version of that game's environment.
        observation: form of the observation.
        network: kind of network.
        parameters: arguments of the policy class.
        state: tensors by name.
        potential: weights of the potentials (see ``worth``) that its values leave out.
        about: how it was made, for people.
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
        """The policy, ready to play."""
        space: spaces.Space = spaces.Discrete(ActionSpace().size)
        # the random initial weights are overwritten; torch's generator must not change
        with torch.random.fork_rng(devices=[]):
            policy = make_policy(self.network, box_space(self.observation), space, self.parameters)
        policy.load_state_dict({name: tensor.float() for name, tensor in self.state.items()})
        return policy


def halved(state: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Copies of the tensors in half precision."""
    return {name: tensor.detach().cpu().half() for name, tensor in state.items()}


def layout_of(observation: str) -> str:
    """A hash of the observation and action spaces, which give the numbers of a network their meaning."""
    text = f"{box_space(observation)!r} {ActionSpace()!r}"
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def to_bytes(weights: Weights) -> bytes:
    """The policy as a file."""
    header = {"ruleset": weights.ruleset, "layout": layout_of(weights.observation)}
    return pack(MAGIC, FORMAT, header, asdict(weights))


def read(file: Path) -> Weights:
    """The policy in a file.

    Raises:
        UnreadableWeights: there is no such file, it contains something else, or it was made for another version
            of the environment.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UnreadableWeights(f"{file}: cannot be read ({error.strerror}); expected a file of weights") from None
    return parse(data, str(file))


def parse(data: bytes, file: str = "<weights>") -> Weights:
    """The policy in ``data``.

    Raises:
        UnreadableWeights: see ``read``.
    """
    try:
        header, raw = unpack(data, MAGIC, FORMAT, "a file of weights")
    except Unreadable as error:
        raise UnreadableWeights(f"{file}: holds no weights that can be read here: {error}") from None
    weights = _checked(raw, file)
    if weights.network not in NETWORKS or weights.observation not in FORMS:
        expected = f"one of {', '.join(NETWORKS)} on one of {', '.join(FORMS)}"
        raise UnreadableWeights(f"{file}: network {weights.network!r} on {weights.observation!r}; expected {expected}")
    if weights.ruleset not in rulesets():
        raise UnreadableWeights(
            f"{file}: ruleset {weights.ruleset!r} is not known; expected one of {', '.join(rulesets())}"
        )
    version = environment(weights.ruleset).version
    if weights.version != version:
        raise UnreadableWeights(
            f"{file}: was trained in {weights.ruleset}-v{weights.version}; expected {weights.ruleset}-v{version}"
        )
    layout = layout_of(weights.observation)
    if header.get("layout") != layout:
        fault = (
            f"layout {header.get('layout')!r} of wh_env {header['version']}; "
            f"expected {layout}, that of wh_env {engine_version()}"
        )
        raise UnreadableWeights(f"{file}: {fault}")
    _fits(weights, file)
    return weights


KINDS: dict[str, type] = {
    "ruleset": str,
    "version": int,
    "observation": str,
    "network": str,
    "parameters": dict,
    "state": dict,
    "potential": dict,
    "about": dict,
}


def _checked(raw: Any, file: str) -> Weights:
    """The fields of a file, after checking their types.

    Raises:
        UnreadableWeights: a field is missing or has another type.
    """
    if not isinstance(raw, dict) or set(raw) != set(KINDS):
        present = sorted(map(str, raw)) if isinstance(raw, dict) else type(raw).__name__
        raise UnreadableWeights(f"{file}: {str(present)[:80]}; expected the fields {', '.join(KINDS)}")
    for name, kind in KINDS.items():
        if type(raw[name]) is not kind:
            raise UnreadableWeights(f"{file}: {name} is {type(raw[name]).__name__}; expected {kind.__name__}")
    for name, tensor in raw["state"].items():
        if not isinstance(name, str) or not isinstance(tensor, torch.Tensor) or not bool(torch.isfinite(tensor).all()):
            raise UnreadableWeights(f"{file}: state.{str(name)[:40]} is not a tensor of finite numbers")
    for name, weight in raw["potential"].items():
        if not isinstance(name, str) or not isinstance(weight, int | float) or not math.isfinite(weight):
            raise UnreadableWeights(
                f"{file}: potential.{str(name)[:40]} is {str(weight)[:40]}; expected a finite number"
            )
    return Weights(**raw)


def _fits(weights: Weights, file: str) -> None:
    """Check that the tensors belong to the network that the parameters describe. That network is laid out
    without memory.

    Raises:
        UnreadableWeights: they do not, or the parameters make no network.
    """
    for name, parameter in weights.parameters.items():
        layers = parameter if name == "layers" and isinstance(parameter, list | tuple) else []
        if not all(type(width) is int and 1 <= width <= MOST for width in layers) or len(layers) > MOST_LAYERS:
            expected = f"at most {MOST_LAYERS} whole numbers from 1 to {MOST}"
            raise UnreadableWeights(f"{file}: parameters.layers is {str(parameter)[:60]}; expected {expected}")
        if name not in PARAMETERS[weights.network]:
            expected = ", ".join(PARAMETERS[weights.network])
            raise UnreadableWeights(f"{file}: parameters.{str(name)[:40]} is not known; expected {expected}")
    space: spaces.Space = spaces.Discrete(ActionSpace().size)
    try:
        try:
            with torch.device("meta"):
                policy = make_policy(weights.network, box_space(weights.observation), space, weights.parameters)
        except NotImplementedError:  # SB3's MLP needs real memory; its layers are limited above
            policy = make_policy(weights.network, box_space(weights.observation), space, weights.parameters)
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        raise UnreadableWeights(
            f"{file}: parameters {str(dict(weights.parameters))[:80]} make no network ({fault})"
        ) from None
    expected_shapes = {name: tuple(tensor.shape) for name, tensor in policy.state_dict().items()}
    shapes = {name: tuple(tensor.shape) for name, tensor in weights.state.items()}
    for name in sorted(expected_shapes.keys() | shapes.keys()):
        if expected_shapes.get(name) != shapes.get(name):
            raise UnreadableWeights(
                f"{file}: state.{name} has shape {shapes.get(name)}; expected {expected_shapes.get(name)}, "
                "by the parameters"
            )


__all__ = ["FORMAT", "UnreadableWeights", "Weights", "halved", "layout_of", "parse", "read", "to_bytes"]
