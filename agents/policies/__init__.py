"""Policies that play battles, by name.

A policy is written as ``name``, ``module:Class`` or either with options, ``name,key=value,key=value``. Names are those of
``BUILT_IN`` and of entry points that installed packages declare::

    [project.entry-points."wh_env.policies"]
    my-bot = "my_package.bot:MyPolicy"

Behind a name stands a class (or function) that is called with the keyword ``seed`` and the options and returns a ``Policy``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from wh_env.content.errors import ContentError
from wh_env.content.reading import parse_yaml
from wh_env.core.setup import Setup

from .base import BatchedPolicy, ChoosyPolicy, Policy, act_all, refusal
from .greedy import GreedyPolicy
from .random import RandomPolicy

GROUP = "wh_env.policies"
# As pyproject.toml declares them; here too, so that a checkout plays without being installed.
BUILT_IN = {
    "greedy": "wh_env.agents.policies.greedy:GreedyPolicy",
    "human": "wh_env.agents.policies.human:HumanPolicy",
    "learned": "wh_env.agents.policies.learned:LearnedPolicy",
    "random": "wh_env.agents.policies.random:RandomPolicy",
    "sb3": "wh_env.agents.policies.model:ModelPolicy",
    "search": "wh_env.agents.policies.search:SearchPolicy",
    "tactician": "wh_env.agents.policies.tactician:TacticianPolicy",
}
POLICIES = tuple(BUILT_IN)
_PLACE = re.compile(r"[\w.]+:[\w.]+")


class UnknownPolicy(ValueError):
    """No policy of this name can be made; the message says what could stand there."""


def names() -> list[str]:
    """Every policy that has a name: the built-in ones and those of installed packages."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))})


def parse(spec: str) -> tuple[str, dict[str, Any]]:
    """``learned,checkpoint=out/a.zip,greedy=true`` as its name and options (values are read as YAML).

    Raises:
        UnknownPolicy: an option is not ``key=value``.
    """
    name, *parts = (part.strip() for part in spec.split(","))
    options: dict[str, Any] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise UnknownPolicy(f"policy {spec!r}: option {part!r} is not valid; expected key=value")
        if key in options:
            raise UnknownPolicy(f"policy {spec!r}: option {key!r} stands twice")
        try:
            options[key] = parse_yaml(value, "policy")
        except ContentError as error:
            raise UnknownPolicy(f"policy {spec!r}: option {part!r} is not valid; expected a value in YAML") from error
    return name, options


def _known() -> str:
    return f"expected one of {', '.join(names())}, or module:Class"


def resolve(name: str) -> Callable[..., Policy]:
    """What makes the policy called ``name`` (without options).

    Raises:
        UnknownPolicy: there is none, or it cannot be imported.
    """
    if name in BUILT_IN:
        point: EntryPoint | None = EntryPoint(name, BUILT_IN[name], GROUP)
    elif _PLACE.fullmatch(name):
        point = EntryPoint(name, name, GROUP)
    else:
        point = next(iter(entry_points(group=GROUP, name=name)), None)
    if point is None:
        raise UnknownPolicy(f"policy {name!r} is not known; {_known()}")
    try:
        factory: Callable[..., Policy] = point.load()
    except (ImportError, AttributeError) as error:
        raise UnknownPolicy(
            f"policy {name!r} cannot be imported ({error}; is its folder on PYTHONPATH?); {_known()}"
        ) from error
    return factory


def prepare(spec: str, options: Mapping[str, Any] | None = None) -> Callable[..., Policy]:
    """What makes the policy written as ``spec`` when called with ``seed``; ``options`` are added to those in it.

    Raises:
        UnknownPolicy: nothing of that name can be imported, or it does not have these options.
    """
    name, own = parse(spec)
    factory = resolve(name)
    chosen = {**own, **(options or {})}
    try:
        inspect.signature(factory).bind(seed=0, **chosen)
    except TypeError as error:
        raise UnknownPolicy(
            f"policy {name!r} cannot be made with seed and {chosen or 'no options'}: {error}"
        ) from error
    except ValueError:
        pass  # a callable without a signature, such as a built-in class
    return partial(factory, **chosen)


def make(spec: str, seed: int = 0, options: Mapping[str, Any] | None = None) -> Policy:
    """The policy written as ``spec``.

    Raises:
        UnknownPolicy: see ``prepare``; or what comes of it is no policy.
    """
    policy = prepare(spec, options)(seed=seed)
    if not isinstance(policy, Policy):
        raise UnknownPolicy(f"policy {spec!r} is no policy; expected an object with act(battle, mask) and reset(seed)")
    return policy


def ready(spec: str, seed: int = 0) -> Policy:
    """The policy written as ``spec``, which may be somebody else's.

    Raises:
        UnknownPolicy: see ``make``; or it cannot be made, whatever it says.
    """
    try:
        return make(spec, seed)
    except UnknownPolicy:
        raise
    except Exception as error:
        raise UnknownPolicy(f"policy {spec!r} cannot be made: {type(error).__name__}: {error}") from error


def check_plays(spec: str, policy: Policy, setup: Setup) -> None:
    """See, before a battle, that a policy written as ``spec`` can play it.

    Raises:
        UnknownPolicy: it cannot; the message says what it plays.
    """
    if why := refusal(policy, setup):
        raise UnknownPolicy(f"policy {spec!r} cannot play {setup.ruleset.id} here: {why}")


__all__ = [
    "BUILT_IN",
    "GROUP",
    "POLICIES",
    "BatchedPolicy",
    "ChoosyPolicy",
    "GreedyPolicy",
    "Policy",
    "RandomPolicy",
    "UnknownPolicy",
    "act_all",
    "check_plays",
    "make",
    "names",
    "parse",
    "prepare",
    "ready",
    "refusal",
    "resolve",
]
