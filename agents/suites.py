"""Suites: battles that are drawn only with seeds whose draws are fair. One policy plays both sides of each draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from wh_env.content.load import raw_battle

from .fairness import NEVER, keep, rows_of
from .matchup import MatchUp, Question, Tally
from .tournament.backends import Backend

FAIR = 0.35, 0.65  # shares of points between which the first list of a draw lies
SETTLED = 8  # games after which a draw may be refused because its interval lies outside


@dataclass(frozen=True)
class Draw:
    """What the games of a draw say.

    Attributes:
        seed: the draw is ``battle?seed=SEED``.
        games: number of games played; fewer than wanted if the draw was refused before.
        share, low, high: share of points of the first list, a draw counting half, with its 95 % interval.
        taken: whether the suite has it.
    """

    seed: int
    games: int
    share: float
    low: float
    high: float
    taken: bool


class Screening(Tally):
    """Counts the games of a draw, pair by pair, until it is refused."""

    @property
    def enough(self) -> bool:
        """Whether the draw is refused."""
        return refused(self.result, self.question.most)


def screen(
    battle: str,
    seed: int,
    games: int,
    pilot: str,
    backend: Backend,
    watch: Callable[[MatchUp], None] | None = None,
) -> Draw:
    """Play mirrored pairs of games of one draw, until it is refused or all are played.

    A draw is refused when its share can no more come to lie between ``FAIR``, or when after ``SETTLED`` games or more
    its 95 % interval lies outside.

    Args:
        battle: name of a battle with random parts, without a seed.
        seed: seed of the draw; the dice follow from it.
        games: number of games; even.
        pilot: the policy that plays both sides.
        backend: where games are played.
        watch: called with the present result after each game.

    Raises:
        ContentError: there is no such battle.
        PilotFailed: the pilot forfeited a game.
    """
    question = Question(f"{battle}?seed={seed}", pilot=pilot, width=NEVER, most=games, seed=seed)
    tally = Screening(question)
    for outcome in backend.play(question.jobs(lambda: not tally.enough)):
        tally.add(outcome)
        if watch is not None:
            watch(tally.result)
    found = tally.result
    return Draw(seed, found.games, found.share, found.low, found.high, not tally.enough)


def refused(found: MatchUp, games: int) -> bool:
    """Whether ``found``, after some of ``games`` games, says that a draw is not fair."""
    points, left = found.share * found.games, games - found.games
    if points > FAIR[1] * games or points + left < FAIR[0] * games:
        return True
    return found.games >= SETTLED and (found.low > FAIR[1] or found.high < FAIR[0])


def screen_draws(
    battle: str,
    wanted: int,
    games: int,
    pilot: str,
    first: int,
    log: Path | None,
    backend: Backend,
    watch: Callable[[MatchUp], None] | None = None,
) -> Iterator[Draw]:
    """Screen the draws with the seeds ``first``, ``first + 1``, ..., until ``wanted`` are taken.

    Args:
        battle, games, pilot, backend: as for ``screen``.
        wanted: number of draws of the suite.
        first: seed of the first draw.
        log: results are kept in this file and taken from it; None: nowhere.
        watch: called with the present result of a draw after each game.

    Yields:
        Each draw, taken or refused.
    """
    settings = {"battle": battle, "wanted_games": games, "pilot": pilot}
    known = {draw.seed: draw for draw in rows_of(log, settings, lambda row: Draw(**row))} if log is not None else {}
    taken, seed = 0, first
    while taken < wanted:
        draw = known.get(seed)
        if draw is None:
            draw = screen(battle, seed, games, pilot, backend, watch)
            if log is not None:
                keep(log, draw, settings)
        taken += draw.taken
        seed += 1
        yield draw


def written(battle: str, name: str, draws: Iterable[Draw], command: str) -> str:
    """The YAML file of a suite: the battle, drawn only with the seeds of the draws that were taken.

    Args:
        battle: name of the battle with random parts.
        name: the suite's own name.
        draws: all draws that were screened.
        command: the command that screened them, for the first line.

    Raises:
        ContentError: there is no such battle.
    """
    raw, _ = raw_battle(battle)
    tried = list(draws)
    drawing = {key: value for key, value in (raw.get("random") or {}).items() if key != "seed"}
    head = {**{key: value for key, value in raw.items() if key != "random"}, "name": name}
    lines = [
        f"# {battle} with draws that are fair: of {len(tried)} draws {sum(d.taken for d in tried)} were taken.",
        f"#   {command}",
        yaml.safe_dump(head, sort_keys=False, default_flow_style=None, width=120).rstrip(),
        "random:",
        *(f"  {line}" for line in yaml.safe_dump(drawing, default_flow_style=None).rstrip().splitlines() if drawing),
        "  among:  # seeds; the share of the first list in greedy games against itself",
        *(f"    - {draw.seed}  # {100 * draw.share:.0f} % of {draw.games} games" for draw in tried if draw.taken),
    ]
    return "\n".join(lines) + "\n"
