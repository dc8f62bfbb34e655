"""Policies for MaskablePPO: the entity network, and a plain MLP to compare with.

``MaskablePPO(EntityPolicy, BattleVecEnv(...), policy_kwargs={"size": {"width": 32}})``
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import CombinedExtractor, FlattenExtractor
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor, nn

from .layout import PARTS, action_layout, is_vector
from .network import EntityNetwork, NetworkSize


def parts_of(observations: Any) -> Mapping[str, Any]:
    """Observations of either form (tensors or arrays) by part, each (batch, ...)."""
    if isinstance(observations, Mapping):
        return observations
    return {
        part.name: observations[:, part.start : part.stop].reshape(-1, *part.vector_shape)
        for part in PARTS.values()
        if part.start >= 0
    }


class EntityPolicy(MaskableActorCriticPolicy):
    """An actor and critic that share an ``EntityNetwork``. Its logits go to sb3-contrib's masked distribution.

    Args:
        observation_space: that of ``observation="vector"`` or ``"entities"``.
        action_space: the flat action space.
        lr_schedule: learning rate by the share of training that is left.
        size: fields of ``NetworkSize``.
        others: arguments of ``MaskableActorCriticPolicy``; those about its own networks have no effect.

    Raises:
        ValueError: the spaces are not those of the environments.
    """

    def __init__(
        self,
        observation_space: spaces.Space,
        action_space: spaces.Space,
        lr_schedule: Schedule,
        size: Mapping[str, int] | None = None,
        **others: Any,
    ) -> None:
        self.size = NetworkSize(**(size or {}))
        super().__init__(observation_space, action_space, lr_schedule, **others)

    def make_features_extractor(self) -> nn.Module:
        """A placeholder, because the network reads the observation itself."""
        return Unread(self.observation_space)

    def _build(self, lr_schedule: Schedule) -> None:
        """Make the network and its optimiser."""
        layout = action_layout(self.action_space)
        self.network = EntityNetwork(layout, not is_vector(self.observation_space), self.size)
        self.optimizer = self.optimizer_class(
            self.network.parameters(),
            lr=lr_schedule(1),
            **self.optimizer_kwargs,
        )

    def _get_constructor_parameters(self) -> dict[str, Any]:
        """The arguments with which the policy can be made again."""
        return {**super()._get_constructor_parameters(), "size": vars(self.size).copy()}

    def _both(self, obs: Any, masks: Any) -> tuple[MaskableDistribution, Tensor]:
        """The masked distribution of actions, and values (batch, 1)."""
        logits, values = self.network(parts_of(obs))
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if masks is not None:
            distribution.apply_masking(masks)
        return distribution, values

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions (batch,), values (batch, 1) and log-probabilities (batch,)."""
        distribution, values = self._both(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: Any, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values (batch, 1), log-probabilities of these actions (batch,) and entropies (batch,)."""
        distribution, values = self._both(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """The masked distribution of actions."""
        return self._both(obs, action_masks)[0]

    def predict_values(self, obs: Any) -> Tensor:
        """Values, (batch, 1)."""
        values: Tensor = self.network(parts_of(obs))[1]
        return values


class Unread(nn.Module):
    """Stands in for the extractor of features that stable-baselines3 expects."""

    def __init__(self, space: spaces.Space) -> None:
        super().__init__()
        self.features_dim = spaces.flatdim(space)


class BaselinePolicy(MaskableActorCriticPolicy):
    """A plain MLP over the flattened observation of either form.

    Args:
        observation_space, action_space, lr_schedule: see ``EntityPolicy``.
        layers: widths of the hidden layers.
        others: arguments of ``MaskableActorCriticPolicy``.
    """

    def __init__(
        self,
        observation_space: spaces.Space,
        action_space: spaces.Space,
        lr_schedule: Schedule,
        layers: tuple[int, ...] = (256, 256),
        **others: Any,
    ) -> None:
        self.layers = tuple(layers)
        extractor = CombinedExtractor if isinstance(observation_space, spaces.Dict) else FlattenExtractor
        others = {"features_extractor_class": extractor, "activation_fn": nn.Tanh, **others}
        super().__init__(
            observation_space,
            action_space,
            lr_schedule,
            net_arch={"pi": list(self.layers), "vf": list(self.layers)},
            **others,
        )

    def _get_constructor_parameters(self) -> dict[str, Any]:
        """The arguments with which the policy can be made again."""
        parameters = super()._get_constructor_parameters()
        del parameters["net_arch"]
        return {**parameters, "layers": self.layers}


NETWORKS: dict[str, type[MaskableActorCriticPolicy]] = {"entity": EntityPolicy, "mlp": BaselinePolicy}


def make_policy(
    network: str, observation_space: spaces.Space, action_space: spaces.Space, parameters: Mapping[str, Any]
) -> MaskableActorCriticPolicy:
    """An untrained policy for loading weights.

    Args:
        network: kind of network (``NETWORKS``).
        observation_space, action_space: spaces of the environment.
        parameters: further arguments of the policy class.
    """

    def constant(_left: float) -> float:
        return 0.0

    policy = NETWORKS[network](observation_space, action_space, constant, **parameters)
    policy.set_training_mode(False)
    return policy


__all__ = ["NETWORKS", "BaselinePolicy", "EntityPolicy", "make_policy", "parts_of"]
