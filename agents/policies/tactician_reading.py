"""Read what a seat sees of a battle by the names of the observation's fields, in inches and points.

A field that the ruleset does not have reads as zeros, so the same code plays every ruleset.
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
LONG_SIDE, VP_LEAD = 120.0, 20.0  # the observation divides the fields by these numbers
DEFAULT_MOVE = 6.0  # assumed inches of a move, where the observation does not say
GUESS = 0.2  # assumed share of a target that a unit destroys in a turn, where the ruleset tells no odds
# relation fields for attacks of either side: by shooting, in melee, whether in range
SIDES = {"own": ("ranged", "melee", "in_range"), "enemy": ("enemy_ranged", "enemy_melee", "in_enemy_range")}
# what is taken to hold of charges and markers where the ruleset does not say
GUESSED = Chances(engaged=1.0, charge_reach=12.0, charge_dice=2, marker=3.0)


class Side:
    """The units of one seat as arrays over its slots. Places are in inches from the middle of the table, as the
    reading seat sees it.

    Args:
        rows: rows of the observation, shape (units, fields).
        at: column of each field by name.
        half: half the length and half the width of the table, inches.

    Attributes:
        known_odds: whether the ruleset tells expected damage.
    """

    def __init__(self, rows: Array, at: dict[str, int], half: tuple[float, float]) -> None:
        self._rows, self._at, self._half = rows, at, half
        self.known_odds = "ranged" in at

    def column(self, name: str) -> Array:
        """A field of every unit, shape (units,); zeros if the ruleset has no such field."""
        number = self._at.get(name)
        values: Array = self._rows[:, number] if number is not None else np.zeros(len(self._rows), np.float32)
        return values

    @cached_property
    def here(self) -> Array:
        """Whether each unit is on the table."""
        return self.column("on_table") > 0

    @cached_property
    def points(self) -> Array:
        """Points of each unit, in proportion to the wounds that it has left."""
        return self.column("points") * self.column("wounds_left") * POINTS * (self.column("destroyed") == 0)

    @cached_property
    def x(self) -> Array:
        """x of each unit's middle, inches."""
        return self.column("x") * self._half[0]

    @cached_property
    def y(self) -> Array:
        """y of each unit's middle, inches."""
        return self.column("y") * self._half[1]

    @cached_property
    def spread(self) -> Array:
        """Distance of each unit's models from its middle, inches."""
        return self.column("spread") * SPREAD

    @cached_property
    def control(self) -> Array:
        """How strongly each unit controls an objective: its Objective Control, or its number of models where the
        ruleset has none.
        """
        if "control" not in self._at:
            return self.column("models") * MODELS
        return self.column("control") * CONTROL * (self.column("shocked") == 0)

    @cached_property
    def move(self) -> Array:
        """Inches that each unit moves in a turn."""
        move = self.column("move")
        return np.where(move > 0, move * MOVE, DEFAULT_MOVE)

    @cached_property
    def reach(self) -> Array:
        """Range of each unit's longest weapon, inches."""
        return self.column("reach") * FAR

    @cached_property
    def shots(self) -> Array:
        """Wounds that each unit's shooting is expected to inflict on an average model."""
        return self.column("ranged") * RATING

    @cached_property
    def wounds(self) -> Array:
        """Wounds that each unit has left, at least 1."""
        return np.maximum(1.0, self.column("wounds") * WOUNDS)


class Situation:
    """One observation, read by names. It keeps no reference to the battle.

    Args:
        out: the observation as arrays by part (form ``entities``).
        columns: for each part, the column of each field by name.
        counts: number of own units and of enemy units.
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
        """A field of every marker on the table."""
        values: Array = self._markers[:, self._columns["markers"][name]]
        return values

    @cached_property
    def marker_x(self) -> Array:
        """x of the markers on the table, inches."""
        return self._marker("x") * self.half[0]

    @cached_property
    def marker_y(self) -> Array:
        """y of the markers on the table, inches."""
        return self._marker("y") * self.half[1]

    @cached_property
    def marker_radius(self) -> Array:
        """Radius of the markers on the table, inches."""
        return self._marker("radius") * RADIUS

    @cached_property
    def marker_holder(self) -> Array:
        """1 where the seat controls the marker, -1 where the other seat does, 0 where neither does."""
        return self._marker("own") - self._marker("enemy")

    @cached_property
    def subject(self) -> int:
        """Slot of the own unit that the decision is about; -1 if it is about none."""
        slots = np.flatnonzero(self.own.column("subject") > 0)
        return int(slots[0]) if len(slots) else -1

    def overall(self, name: str) -> float:
        """A field of the battle as a whole; 0 if the ruleset has no such field."""
        at = self._columns["globals"].get(name)
        return float(self._out["globals"][at]) if at is not None else 0.0

    def decision(self, name: str) -> float:
        """A field of the waiting decision; 0 if the ruleset has no such field."""
        at = self._columns["decision"].get(name)
        return float(self._out["decision"][at]) if at is not None else 0.0

    def relation(self, name: str) -> Array:
        """A field of the relations, shape (own units, enemy units); zeros if the ruleset has no such field."""
        shape = len(self.own.here), len(self.enemy.here)
        at = self._columns["relations"].get(name)
        rows: Array = self._out["relations"][: shape[0], : shape[1]]
        return rows[:, :, at] if at is not None else np.zeros(shape, np.float32)

    @property
    def sight(self) -> Array:
        """Shape (own units, enemy units): 1 where two units seem to see each other."""
        seen: Array = self._out["sight"][: len(self.own.here), : len(self.enemy.here)]
        return seen

    @cached_property
    def both_on_table(self) -> Array:
        """Shape (own units, enemy units): whether both units are on the table."""
        pairs: Array = self.own.here[:, None] & self.enemy.here[None, :]
        return pairs

    @cached_property
    def distances(self) -> Array:
        """Shape (own units, enemy units): inches between the closest models; very far if one of the units is not
        on the table.
        """
        return np.where(self.both_on_table, self.relation("distance") * FAR, 2 * FAR)

    def odds(self, side: str) -> tuple[Array, Array, Array]:
        """Expected losses that the attacks of one side cause, as shares of what the targets have left.

        Args:
            side: ``own`` or ``enemy``: the attacking side.

        Returns:
            Three arrays of shape (own units, enemy units): by shooting from where it stands, by shooting if the
            target were in range, in melee.
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
        """The centres of all cells of the waiting decision, in the order of the reading seat.

        Args:
            grid: cells along each side of the grid.

        Returns:
            x and y in inches, shape (grid * grid,) each.
        """
        x, y = self.decision("x") * self.half[0], self.decision("y") * self.half[1]
        wide, deep = self.decision("span_x") * FAR, self.decision("span_y") * FAR
        xs, ys = np.linspace(x - wide, x + wide, grid), np.linspace(y - deep, y + deep, grid)
        return np.tile(xs, grid), np.repeat(ys, grid)


class Reader:
    """Reads battles of one Setup.

    Attributes:
        weights: the tactician's numbers for the ruleset.
        inch: the length of an inch in the ruleset's unit of length.
        rounds: number of battle rounds.
    """

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
        """The ruleset's own summary of a position for a seat; ``None`` if it has none."""
        return self._appraiser.outlook(battle, seat)

    def read(self, battle: Battle, seat: int) -> Situation:
        """What ``seat`` sees now; valid until the next call."""
        out: dict[str, Any] = self._observer.observe(battle, seat)
        units = battle.players.units
        return Situation(out, self._columns, (units[seat], units[1 - seat]), self.chances)
