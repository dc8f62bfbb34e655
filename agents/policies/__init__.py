"""Policies that play battles, by name.

``make("greedy", seed=3)`` or ``make("my_package.my_module:MyPolicy")``: a class (or function) of your own is called with the
keyword ``seed`` and must return a ``Policy``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

from agents.policies.base import Policy
from agents.policies.greedy import GreedyPolicy
from agents.policies.random import RandomPolicy

POLICIES: dict[str, Callable[..., Policy]] = {"random": RandomPolicy, "greedy": GreedyPolicy}


class UnknownPolicy(ValueError):
    """No policy of this name can be made; the message says what could stand there."""


def make(name: str, seed: int = 0) -> Policy:
    """The policy called ``name``: a registered one or ``module:Class``.

    Raises:
        UnknownPolicy: neither.
    """
    if name in POLICIES:
        return POLICIES[name](seed=seed)
    module, colon, attribute = name.partition(":")
    known = ", ".join(sorted(POLICIES))
    if not colon:
        raise UnknownPolicy(f"policy {name!r} is not known; expected one of {known}, or module:Class")
    try:
        factory = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownPolicy(
            f"policy {name!r} cannot be imported ({error}); expected one of {known}, or module:Class"
        ) from error
    policy = factory(seed=seed)
    if not isinstance(policy, Policy):
        raise UnknownPolicy(f"policy {name!r} is no policy; expected an object with act(battle, mask) and reset(seed)")
    return policy


__all__ = ["POLICIES", "GreedyPolicy", "Policy", "RandomPolicy", "UnknownPolicy", "make"]
