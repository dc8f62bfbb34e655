"""Policies that play battles, found by name.

A policy is written as ``name`` or ``module:Class``, with options if wanted: ``name,key=value,key=value``.
Names are those of ``BUILT_IN`` and of entry points that installed packages declare::

    [project.entry-points."wh_env.policies"]
    my-bot = "my_package.bot:MyPolicy"

A name stands for a class or function that takes the keyword ``seed`` and the options, and returns a
``Policy``.
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
# The same names as in pyproject.toml, repeated here so that a checkout works without being installed.
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
    """No policy can be made for this name. The message says what is allowed instead."""


def names() -> list[str]:
    """The names of all policies: the built-in ones and those of installed packages, sorted."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))})


def parse(spec: str) -> tuple[str, dict[str, Any]]:
    """Split a policy with options, such as ``learned,checkpoint=out/a.zip,greedy=true``, into its name and its
    options.

    Values are read as YAML.

    Raises:
        UnknownPolicy: an option is not ``key=value``, or occurs twice.
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
    """The part of an error message that lists the allowed names."""
    return f"expected one of {', '.join(names())}, or module:Class"


def resolve(name: str) -> Callable[..., Policy]:
    """The class or function that makes the policy called ``name`` (without options).

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
    """A function that makes the policy when it is called with ``seed``.

    Args:
        spec: the policy, with options if wanted.
        options: further options; they replace those in ``spec``.

    Raises:
        UnknownPolicy: no policy of this name can be imported, or it does not take these options.
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
    """Make a policy.

    Args:
        spec: the policy, with options if wanted.
        seed: seed of everything random in it.
        options: further options; they replace those in ``spec``.

    Raises:
        UnknownPolicy: see ``prepare``; or the object that was made is no policy.
    """
    policy = prepare(spec, options)(seed=seed)
    if not isinstance(policy, Policy):
        raise UnknownPolicy(f"policy {spec!r} is no policy; expected an object with act(battle, mask) and reset(seed)")
    return policy


def ready(spec: str, seed: int = 0) -> Policy:
    """Make a policy that a user named, which may raise any error.

    Raises:
        UnknownPolicy: the policy could not be made, for whatever reason.
    """
    try:
        return make(spec, seed)
    except UnknownPolicy:
        raise
    except Exception as error:
        raise UnknownPolicy(f"policy {spec!r} cannot be made: {type(error).__name__}: {error}") from error


def check_plays(spec: str, policy: Policy, setup: Setup) -> None:
    """Check, before a battle, that a policy can play battles of this Setup.

    Raises:
        UnknownPolicy: it cannot; the message says what it can play.
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
