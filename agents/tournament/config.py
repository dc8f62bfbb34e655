"""The fields of a tournament, as in ``configs/tournaments/*.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Flag, Name, Positive, Seed, Spec
from wh_env.content.load import check_battle_name, merge, settings_of, shipped_settings, validate

from ..policies import UnknownPolicy, parse

FOLDER = "tournaments"
Even = Annotated[int, Field(strict=True, ge=2, le=100_000, multiple_of=2)]
Seconds = Annotated[float, Field(strict=True, gt=0, le=1e6, allow_inf_nan=False)]
MANY = 200  # greatest number of agents, battles, armies
MOST_GAMES = 5_000_000  # of a tournament; each takes some hundred bytes of memory


class Entrant(Content):
    """An agent that takes part; written as a mapping, or only as its policy."""

    name: Name  # in tables and results; default: the policy as it is written
    policy: Spec  # a policy's name or module:Class, with options if any: learned,checkpoint=out/best.zip
    options: dict[str, Any] = Field(default_factory=dict)  # further options, given to the policy by keyword

    @model_validator(mode="before")
    @classmethod
    def _from_policy(cls, data: Any) -> Any:
        """Accept a policy alone, and use it as the name."""
        if isinstance(data, str):
            return {"name": data, "policy": data}
        if isinstance(data, Mapping) and "name" not in data and "policy" in data:
            return {"name": data["policy"], **data}
        return data

    @field_validator("name")
    @classmethod
    def _printable(cls, name: str) -> str:
        """Refuse names that would break keys or reports."""
        if "|" in name or not name.isprintable():
            raise Expected("a name of printable characters other than |")
        return name

    @field_validator("policy")
    @classmethod
    def _readable(cls, policy: str) -> str:
        """Refuse a policy whose options cannot be read."""
        try:
            parse(policy)
        except UnknownPolicy as error:
            raise Expected("name, module:Class, or either with ,key=value options", str(error)) from error
        return policy


class TournamentConfig(Content):
    """A tournament: agents x tables. A table is a battle with its battlefield and two armies.

    Every pair that meets plays ``games`` games on every table, in mirrored pairs: the same seeds of dice and
    policies are played once with either agent in seat 0.
    """

    name: Name = "tournament"
    agents: Annotated[tuple[Entrant, ...], Field(min_length=2, max_length=MANY)]
    battles: Annotated[tuple[Spec, ...], Field(min_length=1, max_length=MANY)]  # by name or path
    # each replaces the battlefield of each battle; none: the battle's own
    battlefields: Annotated[tuple[Spec, ...], Field(max_length=MANY)] = ()
    # each pair of them replaces the armies of each battle, with seats changed in turn; none: the battle's own two
    armies: Annotated[tuple[Spec, ...], Field(max_length=MANY)] = ()
    same_army: Flag = False  # whether an army also meets itself
    format: Literal["round-robin", "swiss"] = "round-robin"
    rounds: Positive | None = None  # rounds of a Swiss tournament; default: enough for a single winner
    games: Even = 20  # games of each pair that meets, on each table
    seed: Seed = 0  # every game has a seed of its own that follows from this one
    detail: Literal["squad", "full"] | None = None  # which decisions are asked; default: as the battle says
    decision_seconds: Seconds = 30.0  # an agent that thinks longer about one decision forfeits the game
    game_seconds: Seconds = 600.0  # the same for all its decisions in a game, including its start
    memory: Positive | None = None  # MiB; an agent whose processes hold more forfeits the game; default: no limit
    replays: Literal["none", "faults", "all"] = "faults"  # which games leave a replay file
    anchor: Name | None = None  # the agent whose rating is 0; default: the mean of all ratings is 0
    resamples: Positive = 1000  # bootstrap samples for the intervals

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Refuse fields that contradict each other."""
        labels = [agent.name for agent in self.agents]
        for field, values in (
            ("agents", labels),
            ("battles", self.battles),
            ("battlefields", self.battlefields),
            ("armies", self.armies),
        ):
            twice = next((value for at, value in enumerate(values) if value in values[:at]), None)
            if twice is not None:
                raise Expected("each once (agents of the same policy need names)", "stands twice", field, twice)
        if self.anchor is not None and self.anchor not in labels:
            raise Expected("one of " + ", ".join(labels), "is no agent of this tournament", "anchor", self.anchor)
        if self.rounds is not None and self.format != "swiss":
            raise Expected("no rounds, or format: swiss", "rounds are given", "rounds", self.rounds)
        if self.rounds is not None and self.rounds > self.most_rounds:
            expected = f"at most {self.most_rounds}, so that nobody meets twice"
            raise Expected(expected, "rounds are too many", "rounds", self.rounds)
        armies = len(self.armies)
        pairings = armies * (armies - 1) // 2 + (armies if self.same_army else 0) if armies else 1
        tables = len(self.battles) * max(1, len(self.battlefields)) * pairings
        games = len(self.agents) * (len(self.agents) - 1) // 2 * tables * self.games
        if games > MOST_GAMES:
            raise Expected(f"at most {MOST_GAMES} in all", "games are too many", "games", games)
        return self

    @property
    def most_rounds(self) -> int:
        """Number of rounds after which every pair of agents has met."""
        agents = len(self.agents)
        return agents - 1 if agents % 2 == 0 else agents

    @property
    def swiss_rounds(self) -> int:
        """Number of rounds of a Swiss tournament."""
        return self.rounds or min(self.most_rounds, (len(self.agents) - 1).bit_length())


def shipped() -> list[str]:
    """Names of the included tournaments."""
    return shipped_settings(FOLDER)


def load_config(source: str | Path | None, overrides: Mapping[str, Any] | None = None) -> TournamentConfig:
    """A tournament by name or path; the fields of ``overrides`` replace those of the file.

    Raises:
        ContentError: there is no such tournament, or a field is wrong.
    """
    raw: Any = {}
    file = "<command line>"
    if source is not None:
        raw, file = settings_of(FOLDER, source)
    if overrides and isinstance(raw, Mapping):
        raw = merge(raw, overrides)
    config = validate(TournamentConfig, raw, file)
    for at, battle in enumerate(config.battles):
        check_battle_name(battle, file, f"battles[{at}]")
    return config


__all__ = ["Entrant", "TournamentConfig", "load_config", "shipped"]
