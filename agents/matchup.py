"""Measure the win rate between two army lists: one policy (the pilot) plays both sides until the rate
is known precisely.

Games come in mirrored pairs: the lists change seats, with the same seeds. Pairs are counted in
their order, so the result does not depend on how many games run at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from wh_env import Battle
from wh_env.content.load import RANDOM, is_drawn_anew, merge, raw_battle

from .breakdown import Accounts, Breakdown
from .intervals import LEVEL, clustered
from .tournament.backends import Backend
from .tournament.game import PLAYED, Job, Outcome
from .tournament.schedule import seed_of

FEWEST = 40  # games before the interval counts, because an early interval may be narrow by chance
NAMES = ("first list", "second list")


class PilotFailed(RuntimeError):
    """The pilot forfeited a game, or a game could not be played. The message says why."""


@dataclass(frozen=True)
class MatchUp:
    """The present result of a match-up.

    Attributes:
        armies: names of the two lists.
        games, wins, draws, losses: counts for the first list.
        share, low, high: share of points of the first list, a draw counting half, with its limits.
        first_turn: share of points of the player who moved first; ``None`` if no game had a first player.
        vp: mean victory points of both lists.
        enough: whether the interval is as narrow as the question asks.
        why: where the difference comes from; ``None`` if the games were not accounted for.
    """

    armies: tuple[str, str]
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    share: float = 0.5
    low: float = 0.0
    high: float = 1.0
    first_turn: float | None = None
    vp: tuple[float, float] = (0.0, 0.0)
    enough: bool = False
    why: Breakdown | None = None


@dataclass(frozen=True)
class Question:
    """What a match-up shall measure.

    Attributes:
        battle: name or path of the battle.
        armies: names or paths of the two lists; ``None``: the armies of the battle.
        battlefield: replaces the battlefield of the battle.
        pilot: the policy that plays both sides.
        options: options of the pilot.
        width: wanted width of the interval (0.1: for example from 45 % to 55 %).
        level: confidence level of the interval.
        most: greatest number of games.
        seed: all seeds of dice and policies follow from it.
        detail: level of detail of the decisions; ``None``: that of the battle.
        decision_seconds, game_seconds: time limits of the pilot.
        replays: how many games leave a replay, the first ones.
    """

    battle: str
    armies: tuple[str, str] | None = None
    battlefield: str | None = None
    pilot: str = "greedy"
    options: Mapping[str, Any] | None = None
    width: float = 0.1
    level: float = LEVEL
    most: int = 4000
    seed: int = 0
    detail: str | None = None
    decision_seconds: float = 30.0
    game_seconds: float = 600.0
    replays: int = 0

    def overrides(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The changed fields of the battle for the two games of a pair: the first list in seat 0, then
        in seat 1.

        Raises:
            ContentError: a name is not known, or an army may not be played.
        """
        fields: dict[str, Any] = {"battlefield": self.battlefield} if self.battlefield else {}
        one, other = self.armies or raw_battle(self.battle)[0]["armies"]
        swap = {"random": {"swapped": True}} if RANDOM in (one, other) else {}
        sides = {**fields, "armies": [one, other]}, {**fields, "armies": [other, one], **swap}
        Battle.load(self.battle, 0, detail=self.detail, overrides=sides[0])
        return sides

    def jobs(self, more_wanted: Callable[[], bool]) -> Iterator[Job]:
        """The games, pair after pair, while ``more_wanted()`` is true; at most ``most`` games.

        Random parts of the battle are drawn anew for each pair.
        """
        sides = self.overrides()
        drawn = is_drawn_anew(self.battle, sides[0])
        same_lists = not drawn or RANDOM not in sides[0]["armies"]
        pilot = (self.pilot, dict(self.options or {}))
        for pair in range(self.most // 2):
            seed = seed_of(self.seed, "match-up", pair)
            draw = {"random": {"seed": seed_of(seed, "draw")}} if drawn else {}
            for turned, fields in enumerate(sides):
                if not more_wanted():
                    return
                names = (NAMES[turned], NAMES[1 - turned])
                yield Job(
                    key=f"{pair}|{turned}",
                    battle=self.battle,
                    overrides=merge(fields, draw),
                    detail=self.detail,
                    seed=seed,
                    seeds=(seed_of(seed, "policy", 0), seed_of(seed, "policy", 1)),
                    names=names,
                    policies=(pilot, pilot),
                    decision_seconds=self.decision_seconds,
                    game_seconds=self.game_seconds,
                    replays="all" if 2 * pair + turned < self.replays else "none",
                    account=same_lists,  # lists that are drawn anew have other units in each pair
                )


@dataclass(frozen=True)
class Shown:
    """A game of a match-up that left a replay.

    Attributes:
        armies: names of the armies by seat. first_list: the seat of the first list. winner: the seat that won;
            ``None``: a draw. vp: victory points by seat. replay: content of the replay file.
    """

    armies: tuple[str, str]
    first_list: int
    winner: int | None
    vp: tuple[int, int]
    replay: bytes


class Tally:
    """Counts the games of a match-up, mirrored pair by mirrored pair, in their order.

    Attributes:
        result: the present result. shown: the games that left a replay.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self.result = MatchUp(("", ""))
        self.shown: list[Shown] = []
        self._waiting: dict[int, dict[int, Outcome]] = {}
        self._next = 0
        self._points: list[float] = []  # points of the first list in each pair
        self._counts = [0, 0, 0]  # won, drawn, lost
        self._vp = [0, 0]
        self._first = [0.0, 0]  # points of the players who moved first, number of games
        self._accounts = Accounts(question.level)

    @property
    def enough(self) -> bool:
        """Whether no more games are needed."""
        return self.result.enough

    def add(self, outcome: Outcome) -> None:
        """Add a finished game. It counts as soon as all pairs before its own are complete.

        Raises:
            PilotFailed: the game was not played to its end.
        """
        if outcome.how != PLAYED:
            raise PilotFailed(outcome.fault)
        pair, turned = map(int, outcome.key.split("|"))
        self._waiting.setdefault(pair, {})[turned] = outcome
        while not self.enough and len(self._waiting.get(self._next, ())) == 2:
            both = self._waiting.pop(self._next)
            self._next += 1
            self._count(both[0], both[1])

    def _count(self, *both: Outcome) -> None:
        """Count the two games of a pair; the first list sat in seat 0, then in seat 1."""
        points = 0.0
        accounts = [(o.sides[mine], o.sides[1 - mine]) for mine, o in enumerate(both) if o.sides is not None]
        if len(accounts) == len(both):
            self._accounts.add(accounts)
        for mine, outcome in enumerate(both):  # ``mine``: the seat of the first list
            result = 1 if outcome.winner is None else 0 if outcome.winner == mine else 2
            self._counts[result] += 1
            points += 1 - result / 2
            if outcome.replay is not None:
                self.shown.append(Shown(outcome.armies, mine, outcome.winner, outcome.vp, outcome.replay))
            self._vp[0] += outcome.vp[mine]
            self._vp[1] += outcome.vp[1 - mine]
            if outcome.first_player is not None:
                score = 0.5 if outcome.winner is None else float(outcome.winner == outcome.first_player)
                self._first = [self._first[0] + score, self._first[1] + 1]
        self._points.append(points)
        games = 2 * len(self._points)
        share, low, high = clustered(self._points, [2] * len(self._points), self.question.level)
        self.result = MatchUp(
            armies=both[0].armies,
            games=games,
            wins=self._counts[0],
            draws=self._counts[1],
            losses=self._counts[2],
            share=share,
            low=low,
            high=high,
            first_turn=self._first[0] / self._first[1] if self._first[1] else None,
            vp=(self._vp[0] / games, self._vp[1] / games),
            enough=games >= FEWEST and high - low <= self.question.width,
        )

    def explained(self) -> MatchUp:
        """The present result, with the explanation of the difference."""
        return replace(self.result, why=self._accounts.found(self.result.armies))


def estimate(
    question: Question,
    backend: Backend,
    watch: Callable[[MatchUp], None] | None = None,
    tally: Tally | None = None,
) -> MatchUp:
    """Play until the interval is as narrow as the question asks.

    Args:
        question: what to measure.
        backend: where games are played.
        watch: called with the present result after each game.
        tally: counts the games; default: a new one.

    Raises:
        ContentError: a name is not known, or an army may not be played.
        PilotFailed: the pilot forfeited a game.
    """
    tally = tally or Tally(question)
    for outcome in backend.play(question.jobs(lambda: not tally.enough)):
        tally.add(outcome)
        if watch is not None:
            watch(tally.result)
        if tally.enough:
            break
    return tally.explained()
