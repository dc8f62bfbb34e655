"""Account for the losses of a battle in points: which unit took how much from which, other losses, and
the objectives round by round.

Losses are read from the state after each decision: the points of a unit, by the wounds that it no
longer has. The unit that caused a loss comes from the events (``Ruleset.harm``). Losses that no
event explains (flight, tests, mishaps) are counted separately, so that the sums are always
complete.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from wh_env import Battle, Event
from wh_env.core.events import NONE
from wh_env.core.tables import DESTROYED, Array

Numbers = tuple[float, ...]
ROUNDS = ("rounds", "turns")  # names under which rules state the number of battle rounds


@dataclass(frozen=True)
class Side:
    """The result of a battle for one army; units are in the order of its list.

    Attributes:
        names, points: names and points values of the units.
        lost: points that each unit lost, by the wounds that it no longer has.
        otherwise: the part of ``lost`` that no enemy took: flight, tests, own weapons; recovered wounds count
            negative.
        killed: points that each unit took from each enemy unit, one row for each own unit.
        vp: victory points scored in each battle round.
        markers: objective markers held at the end of each round; after a battle that ends early the last
            values stay.
    """

    names: tuple[str, ...]
    points: Numbers
    lost: Numbers
    otherwise: Numbers
    killed: tuple[Numbers, ...]
    vp: Numbers
    markers: Numbers


class Ledger:
    """Keeps the accounts of a battle that records its events. Reading events removes them from the
    battle.

    Call ``step`` after every action.

    Args:
        battle: a battle before its first action, loaded with ``record=True``.
    """

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        units, models = battle.units.rows, battle.models.rows
        count = len(units)
        self._mustered: Array = np.zeros(len(models), np.int64)  # unit of the army list of each model
        for unit in range(count):
            first = units["first"][unit]
            self._mustered[first : first + units["count"][unit]] = unit
        self._owner: Array = units["owner"].copy()
        self._points: Array = units["points"].astype(float)
        wounds = np.maximum(1, models["max_wounds"])
        whole = np.bincount(self._mustered, wounds, count)
        self._worth: Array = (self._points / np.maximum(1, whole))[self._mustered]  # points of one wound of each model
        # points taken: by the unit that took them (last row: no unit) and the unit that lost them
        self._taken: Array = np.zeros((count + 1, count))
        self._last_wounds = self._wounds_left()
        self._within: Array = models["unit"].copy()
        self._claims: defaultdict[int, Counter[int]] = defaultdict(Counter)  # of each hurt unit: wounds by source
        self._wounds: defaultdict[int, Counter[int]] = defaultdict(Counter)  # of each hurt model: wounds by source
        self._aimed: dict[int, int] = {}  # of each unit: the unit that targeted it last
        self._moment = self._now()
        self._vp: list[list[int]] = []  # victory points of both players when each round ended
        self._held: list[list[int]] = []

    # ---- watching

    def step(self) -> None:
        """Account for the action that was just carried out."""
        recorder = self.battle.recorder
        assert recorder is not None
        for event in recorder:
            self._read_event(event)
        recorder.clear()
        self._book_losses()
        moment = self._now()
        if moment != self._moment:  # attacks of an earlier phase have no further effect
            self._claims.clear()
            self._wounds.clear()
            self._aimed.clear()
            if moment[0] > max(1, self._moment[0]):
                self._close_rounds(self._moment[0])
        self._moment = moment

    def _now(self) -> tuple[int, int, int]:
        """Battle round, player whose turn it is, phase."""
        clock = self.battle.clock
        return clock.round[0], clock.turn[0], clock.phase[0]

    def _wounds_left(self) -> Array:
        """Wounds left of each model; 0 for models of destroyed units."""
        models, units = self.battle.models.rows, self.battle.units.rows
        left: Array = np.where(models["alive"] > 0, np.maximum(1, models["wounds"]), 0)
        left[units["place"][self._mustered] == DESTROYED] = 0
        return left

    def _read_event(self, event: Event) -> None:
        """Remember which unit targeted which, and which wounds an event attributes to which unit."""
        data = event.data
        model = data.get("attacker", NONE)
        actor = int(self._mustered[model]) if model != NONE else data.get("unit", NONE)
        targets = [data["target"]] if "target" in data else data.get("targets", ())
        if actor != NONE:
            for target in targets:
                self._aimed[target] = actor
        for harm in self.battle.setup.ruleset.harm(self.battle, event):
            source = harm.source if harm.source != NONE else self._aimed.get(harm.target, NONE)
            claims = self._wounds[harm.model] if harm.model != NONE else self._claims[harm.target]
            claims[source] += harm.amount

    def _book_losses(self) -> None:
        """Attribute the wounds that models lost since the last action to the units that caused them."""
        left = self._wounds_left()
        settled: set[int] = set()
        for model in np.flatnonzero(left != self._last_wounds).tolist():
            unit, within = int(self._mustered[model]), int(self._within[model])
            points = float(self._last_wounds[model] - left[model]) * self._worth[model]
            claims = self._wounds.pop(model, None) or self._claims.get(within) or self._claims.get(unit)
            settled.update((unit, within))
            if points < 0 or not claims:
                self._taken[NONE, unit] += points
                continue
            whole = sum(claims.values())
            for source, wounds in claims.items():
                self._taken[source, unit] += points * wounds / whole
        for unit in settled:
            self._claims.pop(unit, None)
        self._last_wounds = left
        self._within[:] = self.battle.models.rows["unit"]

    def _close_rounds(self, number: int) -> None:
        """Record points and markers for round ``number`` and all earlier rounds that are not recorded
        yet.
        """
        battle = self.battle
        held = battle.objectives.rows["holder"] if "objectives" in battle.setup.layout.offsets else np.zeros(0, int)
        while len(self._vp) < number:
            self._vp.append([int(vp) for vp in battle.players.vp])
            self._held.append([int(np.sum(held == player)) for player in (0, 1)])

    # ---- telling

    def sides(self) -> tuple[Side, Side]:
        """The accounts of both players. Call it when the battle is over."""
        rules = self.battle.setup.rules
        most = next((int(rules[name]) for name in ROUNDS if name in rules), 1)
        # the present round, and rounds that will not be played
        self._close_rounds(max(most, self.battle.clock.round[0]))
        return self._side(0), self._side(1)

    def _side(self, player: int) -> Side:
        """The account of one player."""
        battle = self.battle
        mine, theirs = (np.flatnonzero(self._owner == side) for side in (player, 1 - player))
        lost = self._taken[:, mine].sum(axis=0)
        names: Any = battle.setup.names["units"]
        scored = np.diff([0, *(row[player] for row in self._vp)])
        return Side(
            names=tuple(str(names[unit]) for unit in mine),
            points=tuple(self._points[mine].tolist()),
            lost=tuple(lost.tolist()),
            otherwise=tuple((lost - self._taken[np.ix_(theirs, mine)].sum(axis=0)).tolist()),
            killed=tuple(tuple(row) for row in self._taken[np.ix_(mine, theirs)].tolist()),
            vp=tuple(scored.astype(float).tolist()),
            markers=tuple(float(row[player]) for row in self._held),
        )
