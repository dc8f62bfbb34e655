"""The environments that exist: one for each ruleset with a file ``environment.yaml`` among its configurations.

``register`` enters them in the registries of Gymnasium and PettingZoo; ``import wh_env`` calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import pettingzoo  # type: ignore[import-untyped]

from wh_env.content.errors import unknown
from wh_env.content.fields import Content
from wh_env.content.load import ENVIRONMENT, config_root, display, read_yaml, validate

NAMESPACE = "wh_env"
DEFAULT_RULESET = "w10"  # the ruleset of environments that are made without one


class Environment(Content):
    """The contents of ``configs/<ruleset>/environment.yaml``.

    Attributes:
        game: the name of the game, for people.
        version: it rises when the same actions and seed no longer mean the same to a trained policy.
        battle: the battle that is played if none is named.
        skirmish: a small battle, for examples, tests and first training runs.
    """

    game: str
    version: int
    battle: str
    skirmish: str


def rulesets() -> list[str]:
    """The ids of the rulesets that have an environment."""
    return sorted(path.parent.name for path in config_root().glob(f"*/{ENVIRONMENT}"))


def environment(ruleset: str) -> Environment:
    """The environment of a ruleset.

    Raises:
        ContentError: there is none, or its file is not valid.
    """
    path = config_root() / ruleset / ENVIRONMENT
    if not path.is_file():
        raise unknown("<env>", "ruleset", ruleset, rulesets())
    return validate(Environment, read_yaml(path), display(path))


def environment_id(ruleset: str) -> str:
    """The id of a ruleset's environment in both registries, ``wh_env/<ruleset>-v<version>``."""
    return f"{NAMESPACE}/{ruleset}-v{environment(ruleset).version}"


def register() -> None:
    """Enter every environment in the registries of Gymnasium (the single-agent environment) and PettingZoo (AEC)."""
    for ruleset in rulesets():
        name, parameters = environment_id(ruleset), {"ruleset": ruleset}
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="wh_env.envs.single:BattleEnv",
                vector_entry_point="wh_env.envs.vector:vector_env",
                kwargs=parameters,
            )
        if hasattr(pettingzoo, "register") and name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, "wh_env.envs.aec:env", kwargs=parameters)


def versioned(ruleset: str, version: int) -> tuple[Callable[..., Any], ...]:
    """``env``, ``raw_env``, ``single_env`` and ``vector_env`` of one ruleset, which its module
    ``wh_env.<ruleset>_v<version>`` offers.

    Raises:
        ContentError: the ruleset has another version.
    """
    current = environment(ruleset).version
    if version != current:
        raise unknown("<env>", "version", f"{ruleset}_v{version}", [f"{ruleset}_v{current}"])

    def env(**parameters: Any) -> Any:
        """The AEC environment with PettingZoo's usual wrappers; see ``wh_env.env`` for the parameters."""
        from wh_env.envs import aec

        return aec.env(ruleset, **parameters)

    def raw_env(**parameters: Any) -> Any:
        """The AEC environment without wrappers; see ``wh_env.raw_env``."""
        from wh_env.envs import aec

        return aec.raw_env(ruleset, **parameters)

    def single_env(**parameters: Any) -> Any:
        """The Gymnasium environment of one learner against an opponent; see ``wh_env.single_env``."""
        from wh_env.envs import single

        return single.BattleEnv(ruleset, **parameters)

    def vector_env(num_envs: int = 1, **parameters: Any) -> Any:
        """Many battles at once as a Gymnasium ``VectorEnv``; see ``wh_env.vector_env``."""
        from wh_env.envs import vector

        return vector.vector_env(num_envs, ruleset, **parameters)

    return env, raw_env, single_env, vector_env
