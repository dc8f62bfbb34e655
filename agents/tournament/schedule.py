"""The schedule: which agents meet, on which table and with which seeds. It follows from the config and, in Swiss
rounds, from results.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from typing import Any

from wh_env.content.load import is_drawn_anew

from .config import TournamentConfig

SEED_BITS = 31
BYE = 0.5  # share of points for a round without games; it counts only for pairing


@dataclass(frozen=True)
class Table:
    """A battle in which pairs meet, perhaps with another battlefield and other armies.

    Attributes:
        battle: name or path.
        battlefield, armies: they replace those of the battle.
        drawn: whether parts of it are ``random``: they are drawn anew for each mirrored pair of games.
    """

    battle: str
    battlefield: str | None = None
    armies: tuple[str, str] | None = None
    drawn: bool = False

    @property
    def label(self) -> str:
        """A name that is unique in a tournament."""
        parts = [self.battle, self.battlefield or "", " v ".join(self.armies or ())]
        return " / ".join(part for part in parts if part)

    def overrides(self, turned: bool, draw: int | None = None) -> dict[str, Any]:
        """The changed fields of the battle.

        Args:
            turned: whether the armies change seats.
            draw: seed for its random parts; None: that of the file.
        """
        fields: dict[str, Any] = {} if draw is None else {"random": {"seed": draw}}
        if self.battlefield is not None:
            fields["battlefield"] = self.battlefield
        if self.armies is not None:
            fields["armies"] = list(reversed(self.armies) if turned else self.armies)
        return fields


@dataclass(frozen=True)
class Game:
    """One game.

    Attributes:
        round: number of the round, from 0.
        table: where it is played.
        agents: names of the agents, by seat.
        pair: number of its mirrored pair, among the games of these agents on this table.
        seed: seed of the dice.
        draw: seed of the random parts of the battle, the same for all agents; None: nothing is drawn.
    """

    round: int
    table: Table
    agents: tuple[str, str]
    pair: int
    seed: int
    draw: int | None = None

    @property
    def key(self) -> str:
        """The key of the game in the results file, unique in a tournament."""
        return f"{self.round}|{self.table.label}|{self.agents[0]}|{self.agents[1]}|{self.pair}"

    @property
    def turned(self) -> bool:
        """Whether the armies of the table change seats; they do in every other mirrored pair."""
        return self.table.armies is not None and self.pair % 2 == 1


def tables(config: TournamentConfig) -> list[Table]:
    """All tables of a tournament."""
    fields: Sequence[str | None] = config.battlefields or (None,)
    pairs: list[tuple[str, str] | None] = [None]
    if config.armies:
        both = combinations_with_replacement if config.same_army or len(config.armies) == 1 else combinations
        pairs = list(both(config.armies, 2))
    places = [Table(battle, field, pairs[0]) for battle in config.battles for field in fields]
    # no army of the config is random, so all pairs of armies leave the same parts to draw
    drawn = [replace(place, drawn=is_drawn_anew(place.battle, place.overrides(False))) for place in places]
    return [replace(place, armies=pair) for place in drawn for pair in pairs]


def seed_of(*parts: object) -> int:
    """A seed that follows from ``parts`` alone, the same on every machine."""
    digest = hashlib.blake2b("|".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - SEED_BITS)


def meeting(config: TournamentConfig, places: Sequence[Table], number: int, a: str, b: str) -> Iterator[Game]:
    """All games of two agents at the tables in round ``number``, mirrored pair by mirrored pair."""
    one, other = sorted((a, b))
    for table in places:
        for pair in range(config.games // 2):
            seed = seed_of(config.seed, number, table.label, one, other, pair)
            draw = seed_of(config.seed, "draw", number, table.label, pair) if table.drawn else None
            yield Game(number, table, (a, b), pair, seed, draw)
            yield Game(number, table, (b, a), pair, seed, draw)


def round_robin(config: TournamentConfig) -> list[Game]:
    """All games of a round-robin, ordered by the number of their mirrored pair, so that any beginning of the
    schedule is balanced.
    """
    places = tables(config)
    meetings = [list(meeting(config, places, 0, a.name, b.name)) for a, b in combinations(config.agents, 2)]
    return [game for pair in range(config.games // 2) for games in meetings for game in games if game.pair == pair]


def swiss_round(
    config: TournamentConfig, number: int, scores: Mapping[str, float], met: set[frozenset[str]], byes: set[str]
) -> tuple[list[Game], str | None]:
    """Pair agents with similar scores for one Swiss round; no two meet twice while that can be avoided.

    Needs networkx.

    Args:
        config: the tournament.
        number: number of the round, from 0.
        scores: scores of the agents so far.
        met: pairs that have met.
        byes: agents that have had a round without games.

    Returns:
        The games, and the agent without a game (``None`` if the number of agents is even).
    """
    order = [agent.name for agent in config.agents]
    bye = None
    if len(order) % 2:
        # the lowest ranked agent that has played in every round
        ranked = sorted(order, key=lambda name: -scores.get(name, 0.0))
        bye = next((name for name in reversed(ranked) if name not in byes), ranked[-1])
    playing = [name for name in order if name != bye]
    pairs = pair_up(playing, scores, met)
    places = tables(config)
    return [game for a, b in pairs for game in meeting(config, places, number, a, b)], bye


def pair_up(playing: Sequence[str], scores: Mapping[str, float], met: set[frozenset[str]]) -> list[tuple[str, str]]:
    """The perfect matching with the fewest rematches and, among those, the smallest sum of squared score
    differences.
    """
    import networkx

    # Whole numbers keep the matching exact. Among equal matchings, prefer agents that are near in the ranking.
    ranked = sorted(playing, key=lambda name: -scores.get(name, 0.0))
    place = {name: at for at, name in enumerate(ranked)}
    graph = networkx.Graph()
    for a, b in combinations(ranked, 2):
        apart = round(1000 * (scores.get(a, 0.0) - scores.get(b, 0.0)))
        cost = apart * apart * len(ranked) ** 2 + abs(place[a] - place[b])
        rematch = 10**15 if frozenset((a, b)) in met else 0
        graph.add_edge(a, b, weight=-(cost + rematch))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = (tuple(sorted(pair, key=place.__getitem__)) for pair in matching)
    return sorted(((a, b) for a, b in pairs), key=lambda pair: place[pair[0]])
