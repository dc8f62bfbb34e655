"""Run a tournament from its config to its files; continue one that was stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.content.load import slug
from wh_env.core.files import write_whole
from wh_env.core.sealed import engine_version

from ..policies import UnknownPolicy, prepare
from ..processes import can_look
from .backends import Backend
from .config import Entrant, TournamentConfig
from .game import ENGINE_SECONDS, PLAYED, Job, Outcome, printable
from .results import Results, Row, csv_of, json_of, row_of
from .schedule import BYE, Game, round_robin, seed_of, swiss_round, tables
from .seats import AgentProcess, Failed, TooSlow
from .standings import Summary, summarise

RESULTS, CSV, JSON, REPLAYS = "results.sqlite", "results.csv", "results.json", "replays"
WARM_SECONDS = 3600.0
MAY_GROW = ("games",)  # fields that may be larger when a round-robin is continued; a Swiss tournament would pair anew


@dataclass
class Progress:
    """How far a tournament has come.

    Attributes:
        total: number of games of the whole tournament.
        done: games played, earlier runs included.
        points: points of each agent so far.
        games: games of each agent so far.
    """

    total: int
    done: int = 0
    points: dict[str, float] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        """Count a finished game."""
        self.done += 1
        if row.counts:
            for name, points in ((row.agent0, row.points), (row.agent1, 1 - row.points)):
                self.points[name] = self.points.get(name, 0.0) + points
                self.games[name] = self.games.get(name, 0) + 1


def total_games(config: TournamentConfig) -> int:
    """Number of games of the whole tournament."""
    agents = len(config.agents)
    meetings = agents * (agents - 1) // 2 if config.format == "round-robin" else config.swiss_rounds * (agents // 2)
    return meetings * len(tables(config)) * config.games


def check(config: TournamentConfig) -> dict[str, str]:
    """Load every table and find every policy before anything is played.

    Returns:
        The hash of the Setup of each table, by label.

    Raises:
        ContentError: the content does not fit together, or the system lacks something that the config needs.
        UnknownPolicy: an agent cannot be imported or made, does not take its options, or cannot play a battle.
    """
    if config.format == "swiss" and find_spec("networkx") is None:
        raise ContentError(
            "<tournament>", "format", "swiss", "round-robin, or pip install 'wh-env[rate]'", "needs networkx"
        )
    if config.memory is not None and not can_look():
        raise ContentError("<tournament>", "memory", config.memory, "none: only Linux says it", "cannot be looked at")
    for agent in config.agents:
        prepare(agent.policy, agent.options)
    digests = {}
    for table in tables(config):
        battle = Battle.load(table.battle, 0, detail=config.detail, overrides=table.overrides(False))
        digests[table.label] = battle.setup.digest
    for agent in config.agents:
        check_agent(config, agent)
    return digests


def check_agent(config: TournamentConfig, agent: Entrant) -> None:
    """Check, in a separate process, that an agent can be made and can play each battle.

    Raises:
        UnknownPolicy: it cannot; the message says why.
    """
    process = AgentProcess(agent.policy, agent.options, config.memory)
    try:
        for battle, table in {table.battle: table for table in tables(config)}.items():
            doing = f"cannot play {battle}"
            process.load_table((battle, repr(table.overrides(False)), config.detail), ENGINE_SECONDS)
            process.begin(0, config.game_seconds)
            process.check_can_play(config.game_seconds)
    except Failed as fault:
        raise UnknownPolicy(f"agent {agent.name!r} {doing}: {printable(str(fault))}") from None
    except TooSlow:
        raise UnknownPolicy(f"agent {agent.name!r} {doing}: was not ready within {config.game_seconds:g} s") from None
    finally:
        process.close()


def job_of(config: TournamentConfig, game: Game) -> Job:
    """The job of a game."""
    entrants = {agent.name: agent for agent in config.agents}
    one, other = (entrants[name] for name in game.agents)
    return Job(
        key=game.key,
        battle=game.table.battle,
        overrides=game.table.overrides(game.turned, game.draw),
        detail=config.detail,
        seed=game.seed,
        seeds=(seed_of(game.seed, "policy", 0), seed_of(game.seed, "policy", 1)),
        names=game.agents,
        policies=((one.policy, one.options), (other.policy, other.options)),
        decision_seconds=config.decision_seconds,
        game_seconds=config.game_seconds,
        replays=config.replays,
        memory=config.memory,
    )


def warm_up(config: TournamentConfig, backend: Backend) -> None:
    """Play one random game of each battle alone, so that kernels are compiled once and not by all processes at
    the same time.
    """
    random: tuple[str, dict[str, Any]] = ("random", {})
    for battle in config.battles:
        job = Job(battle, battle, {}, config.detail, 0, (0, 1), ("", ""), (random, random), WARM_SECONDS, WARM_SECONDS)
        for _ in backend.play([job]):
            pass


class Tournament:
    """A config with its results file: plays missing games and writes the results.

    Args:
        config: the tournament.
        folder: folder of its files.
        results: the open results file in it.
        resume: continue with results that are there.
        retry: continue, and repeat games that were forfeited or did not count.

    Raises:
        ContentError: there are results and neither flag is set; the results belong to another tournament; a row
            is not as it was written (with ``retry`` its game is repeated instead); or ``retry`` of a Swiss
            tournament.
    """

    def __init__(
        self, config: TournamentConfig, folder: Path, results: Results, resume: bool = False, retry: bool = False
    ) -> None:
        if retry and config.format != "round-robin":
            expected = "round-robin: later rounds of a Swiss tournament follow from results as they stand"
            raise ContentError("<tournament>", "format", config.format, expected, "cannot be retried")
        self.config = config
        self.folder = folder
        self.results = results
        damaged: list[object] = []
        self.rows = results.rows(damaged if retry else None)
        self.progress = Progress(total_games(config))
        meta = {
            "config": config.model_dump(mode="json"),
            "tables": check(config),
            "version": engine_version(),
        }
        before = results.meta()
        if before and not (resume or retry):
            expected = "none, or --resume to go on with them"
            raise ContentError(str(results.file), "games", len(self.rows), expected, "are there already")
        if before:
            check_same_tournament(str(results.file), before, meta)
        elif self.rows:
            raise ContentError(str(results.file), "meta", before, "the config of the tournament", "is all there is")
        results.tell(meta)
        if retry:
            results.forget(damaged)
            self._forget_faults()

    def _forget_faults(self) -> None:
        """Delete games that were not played to their end, with their replays."""
        faults = [row for row in self.rows.values() if row.how != PLAYED]
        self.results.forget(row.key for row in faults)
        for row in faults:
            del self.rows[row.key]
            if row.replay:
                (self.folder / row.replay).unlink(missing_ok=True)

    # ---- playing

    def play(self, backend: Backend, watch: Callable[[Progress], None] | None = None) -> None:
        """Play every missing game; each result is on the disk before the program waits for the next."""
        try:
            self._play(backend, watch)
        except KeyboardInterrupt:
            # Ctrl-C may come after a result was written and before it was counted: what is on the disk counts.
            self.rows = self.results.rows()
            raise

    def _play(self, backend: Backend, watch: Callable[[Progress], None] | None) -> None:
        """Play every missing game and report progress."""
        for row in self.rows.values():
            self.progress.add(row)
        if watch is not None:
            watch(self.progress)
        warm = False
        for games in self.rounds():
            missing = {game.key: game for game in games if game.key not in self.rows}
            if missing and not warm:
                warm_up(self.config, backend)
                warm = True
            for outcome in backend.play(job_of(self.config, game) for game in missing.values()):
                row = self.store(missing[outcome.key], outcome)
                self.progress.add(row)
                if watch is not None:
                    watch(self.progress)

    def store(self, game: Game, outcome: Outcome) -> Row:
        """Write the replay of a game, if there is one, and then its result."""
        name = ""
        if outcome.replay is not None:
            teams = "-".join(slug(agent) for agent in game.agents)
            name = f"{REPLAYS}/{teams}-{game.pair}-{seed_of(game.key):08x}.replay"
            write_whole(self.folder / name, outcome.replay)
        row = row_of(game, outcome, name)
        self.results.add(row, outcome)
        self.rows[row.key] = row
        return row

    def rounds(self) -> Iterator[list[Game]]:
        """The games round by round. A Swiss round follows from the results of earlier rounds, so take it only
        when these are played.

        Raises:
            ContentError: a result belongs to another game than its key says.
        """
        if self.config.format == "round-robin":
            games = round_robin(self.config)
            self._check_rows(games)
            yield games
            return
        scores: dict[str, float] = {}
        met: set[frozenset[str]] = set()
        byes: set[str] = set()
        for number in range(self.config.swiss_rounds):
            games, bye = swiss_round(self.config, number, scores, met, byes)
            self._check_rows(games)
            yield games
            if any(game.key not in self.rows for game in games):
                return
            for names in {game.agents for game in games if game.pair == 0}:
                met.add(frozenset(names))
            for name, share in shares(self.rows[game.key] for game in games).items():
                scores[name] = scores.get(name, 0.0) + share
            if bye is not None:
                scores[bye] = scores.get(bye, 0.0) + BYE
                byes.add(bye)

    def _check_rows(self, games: Iterable[Game]) -> None:
        """Check that results belong to the games that their keys name."""
        for game in games:
            row = self.rows.get(game.key)
            if row is None:
                continue
            place = (game.table.battle, game.table.battlefield or "", game.draw)
            due = (game.round, *place, *game.agents, game.pair, game.seed)
            pairing = (row.round, row.battle, row.battlefield, row.draw, row.agent0, row.agent1, row.pair, row.seed)
            if pairing != due:
                where = f"games[{row.key!r}]"
                raise ContentError(
                    str(self.results.file), where, pairing, f"{due}, as its key says", "is of another game"
                )

    # ---- what there is

    def ordered(self) -> list[Row]:
        """The results in the order of the schedule."""
        return [self.rows[game.key] for games in self.rounds() for game in games if game.key in self.rows]

    def summary(self) -> Summary:
        """The summary of the results."""
        rows = self.ordered()
        return summarise(self.config, rows, total_games(self.config) - len(rows))

    def write(self) -> Summary:
        """Write ``results.csv`` and ``results.json``; the same results give the same bytes."""
        rows, summary = self.ordered(), self.summary()
        data = {"config": self.config.model_dump(mode="json"), "version": engine_version(), **summary.data()}
        write_whole(self.folder / CSV, csv_of(rows))
        write_whole(self.folder / JSON, json_of(data, rows))
        return summary


def shares(rows: Iterable[Row]) -> dict[str, float]:
    """The share of points of each agent in these games."""
    progress = Progress(0)
    for row in rows:
        progress.add(row)
    return {name: progress.points[name] / games for name, games in progress.games.items()}


def check_same_tournament(file: str, before: dict[str, Any], now: dict[str, Any]) -> None:
    """Check that results belong to this tournament.

    Args:
        file: name of the results file, for errors.
        before: values stored in the file.
        now: values of this tournament.

    Raises:
        ContentError: they do not; the error names the field that differs.
    """
    if before.get("version") != now["version"]:
        expected = f"{now['version']}, the version that runs"
        raise ContentError(file, "version", before.get("version"), expected, "is another version of wh_env")
    for name in ("config", "tables"):
        if not isinstance(before.get(name), dict):
            raise ContentError(file, f"meta[{name!r}]", before.get(name), "a mapping", "is damaged")
    growing = now["config"]["format"] == "round-robin"
    for name, value in now["config"].items():
        old = before["config"].get(name)
        grown = growing and name in MAY_GROW and isinstance(old, int) and value >= old
        if old != value and not grown:
            raise ContentError(file, f"config.{name}", old, f"{value!r}", "is not as in this tournament")
    for table, digest in now["tables"].items():
        if before["tables"].get(table) != digest:
            raise ContentError(file, f"tables.{table}", before["tables"].get(table), digest, "has changed since")


__all__ = ["CSV", "JSON", "REPLAYS", "RESULTS", "Progress", "Tournament", "check", "total_games"]
