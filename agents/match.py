"""Play one battle between two policies."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import index

from wh_env import Battle, Event, Result
from wh_env.content.replay import Recorder

from .policies.base import Policy, Seated

PROGRESS_EVERY = 64  # decisions between two calls of ``progress``


@dataclass
class Played:
    """The record of a match.

    Attributes:
        result: how the battle ended; ``None`` if it was stopped before its end.
        actions: every action taken, in order; Setup, seed and actions determine the battle.
        seconds: duration of the match.
    """

    result: Result | None = None
    actions: list[int] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return len(self.actions) / self.seconds if self.seconds else 0.0


def play_battle(
    battle: Battle,
    policies: Sequence[Policy],
    on_event: Callable[[Event], None] | None = None,
    progress: Callable[[Battle, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
    recorder: Recorder | None = None,
    max_decisions: int | None = None,
) -> Played:
    """Play ``battle`` to its end. Each policy sees it as its seat may see it (``SeatView``).

    Args:
        battle: the battle to play, in any state; use ``record=True`` for ``on_event``.
        policies: the policies of player 0 and of player 1.
        on_event: called with each recorded event, after the action that caused it.
        progress: called from time to time, and at the end, with the battle and the number of decisions so
            far.
        stop: asked before each decision; true ends the match.
        recorder: receives every action, for a replay.
        max_decisions: end the match after this number of decisions.

    Raises:
        IllegalAction: a policy answered with an action that is not legal.
        TypeError: a policy answered with something that is no integer.
    """
    played = Played()
    actions = played.actions
    reported = 0
    began = time.perf_counter()
    clock = battle.clock
    acts = (Seated(policies[0]).act, Seated(policies[1]).act)
    while not battle.over and (max_decisions is None or len(actions) < max_decisions):
        if stop is not None and stop():
            break
        action = index(acts[clock.player[0]](battle, battle.legal()))
        battle.apply(action)
        actions.append(action)
        if recorder is not None:
            recorder.add(action)
        if on_event is not None:
            events = battle.events
            for event in events[reported:]:
                on_event(event)
            reported = len(events)
        if progress is not None and len(actions) % PROGRESS_EVERY == 0:
            progress(battle, len(actions))
    played.seconds = time.perf_counter() - began
    played.result = battle.result
    if progress is not None:
        progress(battle, len(actions))
    return played
