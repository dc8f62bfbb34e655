"""Opponents: what plays the other seat inside an environment.

An opponent is given as one of

- a name: of a policy that is installed (``greedy``), with options (``name,key=value``), or ``module:Class``;
- a policy: an object with ``act(battle, mask)`` and ``reset(seed)``; it is copied for each battle of a batch, unless it
  has ``act_batch(battles, masks)``, which answers all at once;
- a function ``f(battle, mask) -> action``;
- a model that sees what the learner sees: an object with ``predict(observations, action_masks=...)`` that answers a
  stack of observations, as trained models of SB3 do. Its observations, masks and actions are those of its own seat.

A policy and a function are given the battle as their seat may see it (``SeatView``), with actions of the battle (see
``Battle.legal``). Whatever they do to it has no effect on the real battle.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError
from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.core.views import SeatView

Masks = Array | Sequence[Array]
GROUP, MAKER = "wh_env.opponents", "by-name"
EXPECTED = (
    "a name such as 'greedy', 'module:Class', an object with act(battle, mask) and reset(seed), an object with "
    "predict(observations, action_masks=...), or a function of (battle, mask)"
)


class Opponents(Protocol):
    """The opponents of N battles.

    Attributes:
        observes: whether ``act`` needs observations, with masks and actions as the seat numbers them, instead of the
            battle's own.
    """

    observes: bool

    def reset(self, at: int, seed: int) -> None:
        """Called when a new battle begins in place ``at``."""

    def act(self, places: Sequence[int], battles: Sequence[Battle], masks: Masks, observations: Any) -> Sequence[int]:
        """An action for each of the ``battles``, which stand in ``places``. ``masks``: one for each. ``observations``:
        stacked, if it ``observes``.
        """


class Shown:
    """Shows battles as the seats that are asked may see them, with a view for each place."""

    def __init__(self) -> None:
        """Start without views."""
        self._views: defaultdict[int, SeatView] = defaultdict(SeatView)

    def of(self, places: Sequence[int], battles: Sequence[Battle]) -> list[BattleCore]:
        """The battles in these places as the seats that are asked may see them, until the next call."""
        views = self._views
        return [views[at].of(battle, battle.clock.player[0]) for at, battle in zip(places, battles, strict=True)]


class EachAlone:
    """One policy for each battle."""

    observes = False

    def __init__(self, policies: Sequence[Any]) -> None:
        """``policies``: by place."""
        self.policies = policies
        self._shown = Shown()

    def reset(self, at: int, seed: int) -> None:
        """See ``Opponents``."""
        self.policies[at].reset(seed)

    def act(self, places: Sequence[int], battles: Sequence[Battle], masks: Masks, observations: Any) -> Sequence[int]:
        """See ``Opponents``."""
        policies, shown = self.policies, self._shown.of(places, battles)
        return [int(policies[at].act(battle, mask)) for at, battle, mask in zip(places, shown, masks, strict=True)]


class AllAtOnce:
    """One policy that answers a batch of battles in one call."""

    observes = False

    def __init__(self, policy: Any) -> None:
        """``policy``: with ``act_batch``."""
        self.policy = policy
        self._shown = Shown()

    def reset(self, at: int, seed: int) -> None:
        """Seed the policy, which is the same for all battles, again."""
        self.policy.reset(seed)

    def act(self, places: Sequence[int], battles: Sequence[Battle], masks: Masks, observations: Any) -> Sequence[int]:
        """See ``Opponents``."""
        return [int(action) for action in self.policy.act_batch(self._shown.of(places, battles), np.stack(list(masks)))]


class Function:
    """A function of battle and mask."""

    observes = False

    def __init__(self, function: Callable[[Any, Array], int]) -> None:
        """``function``: of a battle and a mask."""
        self.function = function
        self._shown = Shown()

    def reset(self, at: int, seed: int) -> None:
        """Does nothing: a function has no memory."""

    def act(self, places: Sequence[int], battles: Sequence[Battle], masks: Masks, observations: Any) -> Sequence[int]:
        """See ``Opponents``."""
        shown = self._shown.of(places, battles)
        return [int(self.function(battle, mask)) for battle, mask in zip(shown, masks, strict=True)]


class Model:
    """A model that answers stacked observations."""

    observes = True

    def __init__(self, model: Any) -> None:
        """``model``: with ``predict``."""
        self.model = model

    def reset(self, at: int, seed: int) -> None:
        """Does nothing: the model has its own random generator."""

    def act(self, places: Sequence[int], battles: Sequence[Battle], masks: Masks, observations: Any) -> Sequence[int]:
        """See ``Opponents``."""
        actions, _ = self.model.predict(observations, action_masks=masks, deterministic=False)
        return [int(action) for action in np.asarray(actions)]


def by_name(name: str) -> Any:
    """The policy that the installed package makes from a name.

    Raises:
        ContentError: no installed package makes policies.
    """
    found = next(iter(entry_points(group=GROUP, name=MAKER)), None)
    if found is None:
        expected = "an opponent that is an object or a function: no installed package knows policies by name"
        raise ContentError("<env>", "opponent", name, expected, "cannot be looked up")
    return found.load()(name, seed=0)


def make_opponents(opponent: Any, count: int) -> Opponents:
    """The opponents of ``count`` battles; the module says what ``opponent`` may be.

    Raises:
        ContentError: it is none of these.
    """
    policy = by_name(opponent) if isinstance(opponent, str) else opponent
    if hasattr(policy, "act_batch"):
        return AllAtOnce(policy)
    if hasattr(policy, "act") and hasattr(policy, "reset"):
        # the copies share nothing, so that one battle's memory cannot reach another
        return EachAlone([policy, *(copy.deepcopy(policy) for _ in range(count - 1))])
    if hasattr(policy, "predict"):
        return Model(policy)
    if callable(policy):
        return Function(policy)
    raise ContentError("<env>", "opponent", opponent, EXPECTED)
