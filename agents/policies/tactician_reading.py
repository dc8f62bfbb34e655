"""What a seat sees of a battle, by the names of the observation's fields, in inches and points.

A field that a ruleset does not have reads as zeros, so the same code plays every ruleset: what one edition tells of odds is
used, what another does not tell is not.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from wh_env import Battle
from wh_env.core.chances import Chances
from wh_env.core.procedures import Outlook
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.envs.observation import Observer
from wh_env.envs.observation_fields import FAR, INCH, PARTS, fields_of

from .tactician_weights import weights_of

POINTS, MODELS, WOUNDS, RATING, CONTROL, MOVE, SPREAD, RADIUS = 400.0, 20.0, 40.0, 20.0, 20.0, 24.0, 12.0, 5.0
LONG_SIDE, VP_LEAD = 120.0, 20.0  # what these fields are divided by
DEFAULT_MOVE = 6.0  # inches a unit is taken to move where nothing says
GUESS = 0.2  # of its points that a unit takes from a foe a turn, where the ruleset tells no odds
# fields that differ by the seat that a relation is looked at from
SIDES = {"own": ("ranged", "melee", "in_range"), "enemy": ("enemy_ranged", "enemy_melee", "in_enemy_range")}
# what is taken to hold of charges and markers where the ruleset does not say
GUESSED = Chances(engaged=1.0, charge_reach=12.0, charge_dice=2, marker=3.0)


class Side:
    """The units of one seat: arrays over its slots, places in inches from the middle as the reading seat sees the table."""

    def __init__(self, rows: Array, at: dict[str, int], half: tuple[float, float]) -> None:
        self._rows, self._at, self._half = rows, at, half
        self.known_odds = "ranged" in at

    def column(self, name: str) -> Array:
        """A field of every unit; zeros where the ruleset has none of this name."""
        number = self._at.get(name)
        values: Array = self._rows[:, number] if number is not None else np.zeros(len(self._rows), np.float32)
        return values

    @cached_property
    def here(self) -> Array:
        """It stands on the table."""
        return self.column("on_table") > 0

    @cached_property
    def points(self) -> Array:
        """What is left of it is worth."""
        return self.column("points") * self.column("wounds_left") * POINTS * (self.column("destroyed") == 0)

    @cached_property
    def x(self) -> Array:
        """Of its middle."""
        return self.column("x") * self._half[0]

    @cached_property
    def y(self) -> Array:
        """Of its middle."""
        return self.column("y") * self._half[1]

    @cached_property
    def spread(self) -> Array:
        """How far its models are from its middle."""
        return self.column("spread") * SPREAD

    @cached_property
    def control(self) -> Array:
        """What it counts at objectives: by number of models, where the ruleset has nothing else."""
        if "control" not in self._at:
            return self.column("models") * MODELS
        return self.column("control") * CONTROL * (self.column("shocked") == 0)

    @cached_property
    def move(self) -> Array:
        """Inches that it moves a turn."""
        move = self.column("move")
        return np.where(move > 0, move * MOVE, DEFAULT_MOVE)

    @cached_property
    def reach(self) -> Array:
        """Inches that its longest weapon reaches."""
        return self.column("reach") * FAR

    @cached_property
    def shots(self) -> Array:
        """Wounds that its shooting costs a common model."""
        return self.column("ranged") * RATING

    @cached_property
    def wounds(self) -> Array:
        """Left, at least 1."""
        return np.maximum(1.0, self.column("wounds") * WOUNDS)


class Situation:
    """One observation, read out; valid on its own (nothing of the battle is kept).

    Attributes:
        chances: what holds of charges and markers.
    """

    def __init__(
        self, out: dict[str, Array], columns: dict[str, dict[str, int]], counts: tuple[int, int], chances: Chances
    ) -> None:
        self._out, self._columns, self.chances = out, columns, chances
        overall = self.overall
        self.half = (overall("length") * LONG_SIDE / 2, overall("width") * LONG_SIDE / 2)
        own, enemy = counts
        self.own = Side(out["own"][:own], columns["own"], self.half)
        self.enemy = Side(out["enemy"][:enemy], columns["enemy"], self.half)
        self.vp_lead = overall("vp_lead") * VP_LEAD
        marker, at = out["markers"], columns["markers"]
        self._markers = marker[marker[:, at["there"]] > 0]

    def _marker(self, name: str) -> Array:
        values: Array = self._markers[:, self._columns["markers"][name]]
        return values

    @cached_property
    def marker_x(self) -> Array:
        """Of the markers on the table."""
        return self._marker("x") * self.half[0]

    @cached_property
    def marker_y(self) -> Array:
        """Of the markers on the table."""
        return self._marker("y") * self.half[1]

    @cached_property
    def marker_radius(self) -> Array:
        """Inches."""
        return self._marker("radius") * RADIUS

    @cached_property
    def marker_holder(self) -> Array:
        """1: the seat controls it, -1: the other seat, 0: nobody."""
        return self._marker("own") - self._marker("enemy")

    @cached_property
    def subject(self) -> int:
        """Slot of the own unit that the decision is about, -1: none."""
        slots = np.flatnonzero(self.own.column("subject") > 0)
        return int(slots[0]) if len(slots) else -1

    def overall(self, name: str) -> float:
        """A field of the battle as a whole; 0 where the ruleset has none of this name."""
        at = self._columns["globals"].get(name)
        return float(self._out["globals"][at]) if at is not None else 0.0

    def decision(self, name: str) -> float:
        """A field of the waiting decision."""
        at = self._columns["decision"].get(name)
        return float(self._out["decision"][at]) if at is not None else 0.0

    def relation(self, name: str) -> Array:
        """A field of the relations: own units x enemy units."""
        shape = len(self.own.here), len(self.enemy.here)
        at = self._columns["relations"].get(name)
        rows: Array = self._out["relations"][: shape[0], : shape[1]]
        return rows[:, :, at] if at is not None else np.zeros(shape, np.float32)

    @property
    def sight(self) -> Array:
        """Own units x enemy units: 1 where they seem to see each other."""
        seen: Array = self._out["sight"][: len(self.own.here), : len(self.enemy.here)]
        return seen

    @cached_property
    def both(self) -> Array:
        """Own units x enemy units: both stand on the table."""
        pairs: Array = self.own.here[:, None] & self.enemy.here[None, :]
        return pairs

    @cached_property
    def distances(self) -> Array:
        """Own units x enemy units: inches between the closest models; far where one is not on the table."""
        return np.where(self.both, self.relation("distance") * FAR, 2 * FAR)

    def odds(self, side: str) -> tuple[Array, Array, Array]:
        """What a side's attacks are expected to take from the other side's units, as parts of what is left of them.

        Returns own units x enemy units: by shooting from where it stands, by shooting if it were in range, in melee.
        """
        ranged, melee, in_range = (self.relation(name) for name in SIDES[side])
        acting, other = (self.own, self.enemy) if side == "own" else (self.enemy, self.own)
        if not acting.known_odds:
            guess = np.full(ranged.shape, GUESS)
            return np.where(self.distances <= DEFAULT_MOVE * 2, guess, 0.0), guess, guess
        rating = acting.shots[:, None] / other.wounds[None, :]
        rating = np.minimum(1.0, rating if side == "own" else rating.T)
        return ranged * in_range, np.where(in_range > 0, ranged, rating), melee

    def cells(self, grid: int) -> tuple[Array, Array]:
        """x and y of the centres of all cells of the waiting decision, in inches, counted as the reading seat counts them."""
        x, y = self.decision("x") * self.half[0], self.decision("y") * self.half[1]
        wide, deep = self.decision("span_x") * FAR, self.decision("span_y") * FAR
        xs, ys = np.linspace(x - wide, x + wide, grid), np.linspace(y - deep, y + deep, grid)
        return np.tile(xs, grid), np.repeat(ys, grid)


class Reader:
    """Reads the battles of one Setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.weights = weights_of(setup.ruleset.id)
        self._appraiser = setup.ruleset.appraiser(setup)
        self.chances = setup.ruleset.chances(setup) or GUESSED
        self._observer = Observer(setup, "entities")
        named = ("globals", "decision", "own", "enemy", "markers", "relations")
        self._columns = {
            part: {field.name: n for n, field in enumerate(fields_of(setup.ruleset, PARTS[part].fields))}
            for part in named
        }
        self.inch = INCH[setup.ruleset.length_unit]
        self.rounds = int(setup.rules.get("rounds", 5))

    def outlook(self, battle: Battle, seat: int) -> Outlook | None:
        """What the ruleset itself says that the armies hold."""
        return self._appraiser.outlook(battle, seat)

    def read(self, battle: Battle, seat: int) -> Situation:
        """What ``seat`` sees now; valid until the next call."""
        out: dict[str, Any] = self._observer.observe(battle, seat)
        units = battle.players.units
        return Situation(out, self._columns, (units[seat], units[1 - seat]), self.chances)
