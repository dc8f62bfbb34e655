"""The last action as pictures show it: which unit acted, where its models came from, its targets, distances, and fallen
models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.events import Event
from wh_env.core.tables import Array
from wh_env.render.labels import column
from wh_env.render.words import dice_of, is_attack

LOOK_BACK = 400  # events that are looked at, counted from the last one


@dataclass(frozen=True)
class Standing:
    """Where every model stood at some moment: arrays by model row, lengths as in the tables."""

    x: Array
    y: Array
    facing: Array
    on_table: Array

    @classmethod
    def of(cls, battle: BattleCore) -> Standing:
        """Where the models stand now."""
        rows = battle.models.rows
        return cls(*(np.array(rows[name]) for name in ("x", "y", "facing", "on_table")))


@dataclass(frozen=True)
class Last:
    """The last action.

    Attributes:
        events: the events that it caused, in order. before: where the models stood before it; ``None`` if that is not
            known.
    """

    events: Sequence[Event] = ()
    before: Standing | None = None


class Follower:
    """Follows a battle from outside and says after each action what it did.

    ``step`` copies the places of the models, and reads events only if the battle records them.
    """

    def __init__(self, battle: BattleCore) -> None:
        """Follow ``battle`` from now on."""
        self.start(battle)

    def start(self, battle: BattleCore) -> None:
        """Follow ``battle`` from now on; earlier events are forgotten."""
        self.battle = battle
        self.before = Standing.of(battle)
        self.told = len(battle.events)

    def look(self) -> Last:
        """What happened since the last ``step``."""
        return Last(self.battle.events[self.told :], self.before)

    def step(self) -> Last:
        """What happened since the last ``step``; the next call begins after it."""
        last = self.look()
        self.start(self.battle)
        return last


@dataclass
class Story:
    """The parts of the last action that are drawn.

    Attributes:
        unit: row of the unit that acted, -1: none. targets: rows of the units that it attacked or named.
        attackers: rows of the models that attacked. model: row of the model that was attacked, -1: none.
        reach: a length that was rolled or is moved, drawn round ``unit``; 0: none.
        moved: (model, x, y, facing) for each model that moved, with its place before. fallen: by row of a model that
            fell, x and y of its place before.
        aims: whether something goes from ``unit`` to its targets, such as shots or a charge.
    """

    unit: int = -1
    targets: list[int] = field(default_factory=list)
    attackers: list[int] = field(default_factory=list)
    model: int = -1
    reach: float = 0.0
    moved: list[tuple[int, float, float, float]] = field(default_factory=list)
    fallen: dict[int, tuple[float, float]] = field(default_factory=dict)
    aims: bool = False


def actor(battle: BattleCore, event: Event) -> int:
    """The row of the unit that an event is about: the attacking unit, else the named unit, else the one that suffers;
    -1 if none.
    """
    data = event.data
    models = battle.models
    for key, owners in (("attacker", models.unit), ("unit", None), ("model", models.unit), ("target", None)):
        row = data.get(key)
        if isinstance(row, int) and 0 <= row < len(battle.units.owner if owners is None else owners):
            return row if owners is None else owners[row]
    return -1


def tell(battle: BattleCore, last: Last) -> Story:
    """The story of the last event and of the events before it with the same unit and targets."""
    story = Story()
    if not last.events:
        return story
    events = last.events[-LOOK_BACK:]
    final = events[-1]
    story.unit = actor(battle, final)
    if story.unit < 0:
        return story
    _targets(battle, story, final)
    story.aims = final.kind not in battle.setup.ruleset.unaimed
    if is_attack(final):
        story.model = final.data.get("model", -1)
        for event in reversed(events):
            if not is_attack(event) or actor(battle, event) != story.unit or event.data["target"] not in story.targets:
                break
            attacker = event.data["attacker"]
            if attacker >= 0 and attacker not in story.attackers:
                story.attackers.append(attacker)
    elif story.targets and isinstance(final.data.get("model"), int):
        story.attackers.append(final.data["model"])
        story.model = final.data.get("target_model", -1)
    roll = final.data.get("roll")
    if story.targets and isinstance(roll, int) and not is_attack(final):
        story.reach = float(roll)
    _movements(battle, last, story)
    return story


def telling(battle: BattleCore, last: Last) -> Last:
    """The last action up to its last event that can be seen: a roll, an attack, a move, an arrival.

    Later events (a unit is selected, a phase begins) would hide it in a picture of the whole action.
    """
    for end in range(len(last.events), max(0, len(last.events) - LOOK_BACK), -1):
        event = last.events[end - 1]
        if (
            is_attack(event)
            or "path" in event.data
            or dice_of(event)
            or _some_model_moved(battle, last, actor(battle, event))
        ):
            return Last(last.events[:end], last.before)
    return last


def _some_model_moved(battle: BattleCore, last: Last, unit: int) -> bool:
    """Whether models of the unit stand where they did not stand before the action."""
    if last.before is None or unit < 0:
        return False
    m = battle.models.rows
    of_unit = (m["unit"] == unit) & (m["on_table"] == 1)
    unmoved = (last.before.x == m["x"]) & (last.before.y == m["y"]) & (last.before.on_table == 1)
    return bool((of_unit & ~unmoved).any())


def _targets(battle: BattleCore, story: Story, event: Event) -> None:
    """Add the targets that an event names to the story."""
    target, targets = event.data.get("target"), event.data.get("targets")
    named = [target, *(targets if isinstance(targets, list | tuple) else ())]
    units = len(battle.units.owner)
    story.targets += [row for row in named if isinstance(row, int) and 0 <= row < units and row != story.unit]


def _movements(battle: BattleCore, last: Last, story: Story) -> None:
    """Add to the story the models of the acting unit that moved, and the models of it and of its targets that fell."""
    before = last.before
    if before is None:
        before = _origins(battle, last, story.unit)
        if before is None:
            return
    m = battle.models
    for k in np.flatnonzero(before.on_table).tolist():
        unit = m.unit[k]
        if unit == story.unit and m.on_table[k]:
            x, y = float(before.x[k]), float(before.y[k])
            if abs(x - m.x[k]) + abs(y - m.y[k]) > 1e-6:
                story.moved.append((k, x, y, float(before.facing[k])))
        elif not m.on_table[k] and not m.alive[k] and unit in (story.unit, *story.targets):
            story.fallen[k] = float(before.x[k]), float(before.y[k])


def _origins(battle: BattleCore, last: Last, unit: int) -> Standing | None:
    """Where the models of the unit stood, if the last event reports the path by which all of them were displaced; else
    ``None``.
    """
    path = last.events[-1].data.get("path")
    if not path:
        return None
    rows, (dx, dy) = battle.models.rows, path[-1]
    of_unit = (rows["unit"] == unit) & (rows["on_table"] == 1)
    return Standing(rows["x"] - dx, rows["y"] - dy, rows["facing"], of_unit)


def longest_range(battle: BattleCore, model: int) -> float:
    """The longest range of the weapons that a model carries; 0 if the battle has no table of weapons."""
    statics = battle.setup.statics
    weapons, arsenal = statics.get("weapons"), statics.get("arsenal")
    first, count = column(battle.models, "first_weapon"), column(battle.models, "weapons")
    if weapons is None or arsenal is None or first is None or "range" not in (weapons.dtype.names or ()):
        return 0.0
    rows = arsenal["weapon"][first[model] : first[model] + count[model]]
    return float(weapons["range"][rows].max(initial=0.0))
