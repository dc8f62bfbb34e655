"""Positions of the game of regiments: units by front, facing, files and number of models; fleeing units count
too.
"""

from __future__ import annotations

from math import radians
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from wh_env import Battle
from wh_env.content.errors import unknown
from wh_env.content.fields import Content, Count, Few, Inches, Name, Point, Real, Side, Some
from wh_env.content.load import validate
from wh_env.content.w40k.schema import MANY
from wh_env.content.wap.schema_units import Card
from wh_env.core.tables import DESTROYED
from wh_env.testing.wap import RegimentScene, fought

from ..policies.greedy import GreedyPolicy
from .position import Position, Until, Worth

STATE = ("charging", "rounds", "fleeing", "did")  # columns of a unit's row that a position may begin with
PHASES = ("deployment", "movement", "magic", "shooting", "combat")
# The greedy policy answers these decisions for both players, unless the position asks them: they are hardly ever the
# point of a position, and each has dozens of answers, which would have to be tried in every state.
BY_ITSELF = (
    "manoeuvre", "move-to", "move-refine", "end-wheel", "leg", "leg-length", "pivot-to", "reform-files",
    "reform-facing", "combat-reform", "after-victory",
)  # fmt: skip


class RegimentUntil(Until):
    """The horizon, by the phases of regiments."""

    phase: Literal["movement", "magic", "shooting", "combat"]  # type: ignore[assignment]


class RegimentWorth(Worth):
    """What counts at the horizon; ``broken``: value of each point of enemy units that flee, without their lost
    models.
    """

    broken: Inches = 0.0

    @property
    def unit(self) -> str:
        """The unit of values: ``points`` or ``VP``."""
        return "points" if self.broken else super().unit


class RegimentPlaced(Content):
    """A unit.

    Attributes:
        side, card, name: player, card and name of the unit.
        at: the middle of its front edge, inches.
        models, files: numbers of models and files.
        facing: degrees counter-clockwise from +x; ``None``: towards the other side.
        command: members of its command group.
        lost: number of models lost before the position begins.
        state: further columns of its row.
    """

    side: Literal[0, 1]
    card: Name
    name: Name
    at: Point
    models: Some = 10
    files: Some | None = None
    facing: Real | None = None
    command: Annotated[tuple[Literal["champion", "standard", "musician"], ...], Field(max_length=3)] = ()
    lost: Few = 0
    state: dict[Name, Count] = Field(default_factory=dict)  # columns of its row


class Fought(Content):
    """A combat that was fought up to its break tests before the position begins.

    Attributes:
        won: units of the winning side.
        broken: units that are broken.
        by: the difference of the combat results.
    """

    won: Annotated[tuple[Name, ...], Field(min_length=1, max_length=8)]
    broken: Annotated[tuple[Name, ...], Field(max_length=8)] = ()
    by: Few = 1


class RegimentPosition(Position):
    """A position of regiments.

    Attributes:
        units, phase, until, worth: as in ``Position``, in the terms of regiments.
        ground: impassable or dangerous rectangles.
        fought: a combat before the position begins.
        asks: kinds of decisions of ``BY_ITSELF`` that are asked nevertheless.
    """

    phase: Literal["movement", "combat"]  # type: ignore[assignment]
    until: RegimentUntil
    worth: RegimentWorth
    table: tuple[Side, Side] = (48.0, 48.0)
    units: Annotated[tuple[RegimentPlaced, ...], Field(min_length=1, max_length=64)]  # type: ignore[assignment]
    ground: Annotated[
        tuple[dict[Literal["impassable", "dangerous"], tuple[Real, Real, Real, Real]], ...], Field(max_length=MANY)
    ] = ()
    fought: Fought | None = None
    asks: Annotated[tuple[Literal[BY_ITSELF], ...], Field(max_length=len(BY_ITSELF))] = ()  # type: ignore[valid-type]

    @property
    def digest(self) -> str:
        """A hash of everything about the position that values depend on."""
        return self.digest_of({unit.card: self._sheets.get(unit.card) for unit in self.units})

    def _set_up(self) -> Battle:
        """The battle before the opening."""
        scene = RegimentScene(self.table, rules=self.rules or None)
        for piece in self.ground:
            for what, corners in piece.items():
                scene.area(what, *corners)
        handles = {}
        for unit in self.units:
            handles[unit.name] = scene.unit(
                unit.side,
                self._sheets.get(unit.card, unit.card),
                unit.at,
                models=unit.models,
                files=unit.files,
                facing=None if unit.facing is None else radians(unit.facing),
                command=unit.command,
                lost=unit.lost,
                name=unit.name,
                **unit.state,  # type: ignore[arg-type]
            )
        settled: dict[str, Any] = dict.fromkeys(set(BY_ITSELF) - set(self.asks), GreedyPolicy().act)
        after = self.fought
        if after is None:
            return scene.battle(self.phase, turn=self.round, player=self.turn, delegates=settled)
        won, broken = ([handles[name] for name in names] for names in (after.won, after.broken))
        result = fought(won=won, broken=broken, lost_by=after.by)
        return scene.battle(self.phase, turn=self.round, player=self.turn, delegates=settled, set_state=result)

    def number_of(self, phase: str) -> int:
        """The number of a phase."""
        return PHASES.index(phase)

    def _total(self, battle: Battle) -> float:
        """The value of the battle for the player."""
        worth, mine = self.worth, self.player
        units, vp = battle.units.rows, battle.players.vp
        destroyed = units["place"] == DESTROYED
        left = np.where(destroyed, 0.0, units["alive"] / np.maximum(units["strength"], 1))
        lost = worth.wounds * (1.0 - left) + worth.units * destroyed + worth.broken * left * (units["fleeing"] == 1)
        price = units["points"] * lost
        total = worth.vp * (vp[mine] - vp[1 - mine])
        return float(total + np.where(units["owner"] == mine, -price, price).sum())


class RegimentTheme(Content):
    """A file of positions of regiments; ``sheets`` are cards beside the included ones, which are known by name."""

    theme: Name
    ruleset: Literal["wap"]
    sheets: dict[Name, dict[str, Any]] = Field(default_factory=dict, max_length=1000)
    positions: Annotated[tuple[RegimentPosition, ...], Field(min_length=1, max_length=1000)]

    def check(self, file: Path) -> None:
        """Check that cards and columns are known.

        Raises:
            ContentError: one is not.
        """
        for name, fields in self.sheets.items():
            validate(Card, fields, f"{file}: sheets.{name}")
        for position in self.positions:
            for unit in position.units:
                self._check_names(file, position)
                for column in unit.state:
                    if column not in STATE:
                        raise unknown(str(file), f"{position.name}.{unit.name}.state", column, STATE)

    @staticmethod
    def _check_names(file: Path, position: RegimentPosition) -> None:
        """Check that the units of the combat before the position exist.

        Raises:
            ContentError: one does not.
        """
        names = [unit.name for unit in position.units]
        after = position.fought
        for name in () if after is None else (*after.won, *after.broken):
            if name not in names:
                raise unknown(str(file), f"{position.name}.fought", name, names)
