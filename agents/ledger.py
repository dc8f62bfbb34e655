"""What a battle cost whom, in points: who took what from whom, what else was lost, how the objectives stood round by round.

What a unit has lost the state says, after each decision: its points by the wounds that it has left. Who did it the events say
(``Ruleset.harm``); what no event lays at anybody's door (flight, tests, mishaps) stands by itself, so that sums are always whole.
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
ROUNDS = ("rounds", "turns")  # how rules call the number of battle rounds


@dataclass(frozen=True)
class Side:
    """What came of a battle for one army; units in the order of its list.

    Attributes:
        names, points: of its units.
        lost: points that each has lost, by the wounds that it no longer has.
        otherwise: the part of them that no enemy took: flight, tests, its own weapons, wounds that came back (less than zero).
        killed: points that each took from each enemy unit, a row for each own unit.
        vp: victory points scored in each battle round.
        markers: objective markers held as each round ended; a battle that ends early leaves them as they are.
    """

    names: tuple[str, ...]
    points: Numbers
    lost: Numbers
    otherwise: Numbers
    killed: tuple[Numbers, ...]
    vp: Numbers
    markers: Numbers


class Ledger:
    """Keeps the accounts of a battle that records its events; they are taken out of it as they are read.

    Args:
        battle: before its first action, with ``record=True``. ``step`` is to be called after every action.
    """

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        units, models = battle.units.rows, battle.models.rows
        count = len(units)
        self._mustered: Array = np.zeros(len(models), np.int64)  # unit of the list that each model belongs to
        for unit in range(count):
            first = units["first"][unit]
            self._mustered[first : first + units["count"][unit]] = unit
        self._owner: Array = units["owner"].copy()
        self._points: Array = units["points"].astype(float)
        wounds = np.maximum(1, models["max_wounds"])
        whole = np.bincount(self._mustered, wounds, count)
        self._worth: Array = (self._points / np.maximum(1, whole))[self._mustered]  # of a wound of each model
        self._taken: Array = np.zeros(
            (count + 1, count)
        )  # points, by who did it (the last row: nobody) and who lost them
        self._unhurt = self._standing()
        self._within: Array = models["unit"].copy()
        self._claims: defaultdict[int, Counter[int]] = defaultdict(Counter)  # wounds by source, of a unit that is hurt
        self._wounds: defaultdict[int, Counter[int]] = defaultdict(Counter)  # the same of a model
        self._aimed: dict[int, int] = {}  # who last did something to a unit
        self._moment = self._now()
        self._vp: list[list[int]] = []  # as they stood when each round ended
        self._held: list[list[int]] = []

    # ---- watching

    def step(self) -> None:
        """An action was carried out."""
        recorder = self.battle.recorder
        assert recorder is not None
        for event in recorder:
            self._hear(event)
        recorder.clear()
        self._settle()
        moment = self._now()
        if moment != self._moment:  # what was aimed at in another phase has had its effect
            self._claims.clear()
            self._wounds.clear()
            self._aimed.clear()
            if moment[0] > max(1, self._moment[0]):
                self._close(self._moment[0])
        self._moment = moment

    def _now(self) -> tuple[int, int, int]:
        clock = self.battle.clock
        return clock.round[0], clock.turn[0], clock.phase[0]

    def _standing(self) -> Array:
        """Wounds left of each model; none of units that are destroyed."""
        models, units = self.battle.models.rows, self.battle.units.rows
        left: Array = np.where(models["alive"] > 0, np.maximum(1, models["wounds"]), 0)
        left[units["place"][self._mustered] == DESTROYED] = 0
        return left

    def _hear(self, event: Event) -> None:
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

    def _settle(self) -> None:
        """Lay what models have lost since the last action at somebody's door."""
        left = self._standing()
        settled: set[int] = set()
        for model in np.flatnonzero(left != self._unhurt).tolist():
            unit, within = int(self._mustered[model]), int(self._within[model])
            points = float(self._unhurt[model] - left[model]) * self._worth[model]
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
        self._unhurt = left
        self._within[:] = self.battle.models.rows["unit"]

    def _close(self, number: int) -> None:
        """Round ``number`` has ended, and all before it."""
        battle = self.battle
        held = battle.objectives.rows["holder"] if "objectives" in battle.setup.layout.offsets else np.zeros(0, int)
        while len(self._vp) < number:
            self._vp.append([int(vp) for vp in battle.players.vp])
            self._held.append([int(np.sum(held == player)) for player in (0, 1)])

    # ---- telling

    def sides(self) -> tuple[Side, Side]:
        """The accounts of both players; the battle is over."""
        rules = self.battle.setup.rules
        most = next((int(rules[name]) for name in ROUNDS if name in rules), 1)
        self._close(max(most, self.battle.clock.round[0]))  # the round that goes on, and those that do not come
        return self._side(0), self._side(1)

    def _side(self, player: int) -> Side:
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
