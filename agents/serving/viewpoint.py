"""What one seat sees of a game: the table, what stands beside it, and the log of what happened, without the other seat's secrets.

The battle itself is never drawn for a seat: what is drawn is ``SeatView``, in which what ``Ruleset.hidden`` names is not. An event that
names what is hidden when it happens is kept back until it is hidden no more. What the other seat answered is told in
words where nothing at all was hidden then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from wh_env import Battle, Event
from wh_env.core.battle import BattleCore
from wh_env.core.events import Field, Value
from wh_env.core.procedures import Hidden
from wh_env.core.views import SeatView
from wh_env.render.labels import Labels
from wh_env.render.last import Last, Standing, telling
from wh_env.render.panel import panel
from wh_env.render.scene import Artist, Scene
from wh_env.render.tape import DECISION, EVENT, beside_of, rounded, shape_changes
from wh_env.render.words import dice_of

from .choices import asked_of

WATCHER = -1  # the seat of somebody who plays neither side, and sees everything
Rows = Mapping[str, set[int]]


@dataclass(frozen=True)
class Heard:
    """An event that is not told yet, with the line that tells it; ``secret``: it was one when it happened."""

    event: Event
    line: dict[str, Any]
    secret: bool


@dataclass(frozen=True)
class Mark:
    """How long a log was, what its last change was, and what was kept back."""

    lines: int
    at: int
    kept: tuple[Heard, ...]


class Viewpoint:
    """What ``seat`` (``WATCHER``: nobody) sees of a battle, followed from its beginning.

    Attributes:
        at: how often something was told or taken back. It does not count what the other seat does in secret.
        log: lines as the page reads them: ``k`` DECISION or EVENT, ``w`` words, ``p`` who decided, ``r`` the rule's id, ``d`` dice with 1 for
            enough, 0 for not enough and -1 for neither, ``m`` the moment and ``t`` whose turn it was.
    """

    def __init__(self, battle: Battle, seat: int) -> None:
        self.battle, self.seat = battle, seat
        self.at = 0
        self.log: list[dict[str, Any]] = []
        self.kept: list[Heard] = []
        self._view = SeatView()
        self._artist = Artist()
        self._told: list[Event] = []  # of the last action
        self._before: Standing | None = None
        self._shapes: dict[str, tuple[Any, ...]] = {}
        self._panel: dict[str, Any] = {}
        self._open = True  # whether nothing was hidden when the action was taken
        self._sent = 0  # lines of the log

    def shown(self) -> BattleCore:
        """The battle as the seat may see it, valid until the next call."""
        return self.battle if self.seat == WATCHER else self._view.of(self.battle, self.seat)

    def hidden(self) -> Collection[Hidden]:
        """What the seat cannot see now."""
        return () if self.seat == WATCHER else self.battle.setup.ruleset.hidden(self.battle, self.seat)

    # ---- what happens

    def decides(self) -> None:
        """An action will be taken now."""
        self._told = []
        self._before = Standing.of(self.shown())
        self._open = not self.hidden()

    def hear(self, event: Event, line: dict[str, Any]) -> None:
        """An event was recorded, in the state in which it left the battle."""
        self.kept.append(Heard(event, line, is_secret(self.battle, event, self.hidden())))

    def decided(self, line: dict[str, Any] | None = None) -> None:
        """The action was taken, of which ``line`` tells; events that were no secret when they happened, or are none now, go into the log."""
        hidden = self.hidden()
        if line is not None and (self.seat in (line["p"], WATCHER) or (self._open and not hidden)):
            self._write(line)
        kept, self.kept = self.kept, []
        for heard in kept:
            if heard.secret and is_secret(self.battle, heard.event, hidden):
                self.kept.append(heard)
            else:
                self._told.append(heard.event)
                self._write(heard.line)

    def _write(self, line: dict[str, Any]) -> None:
        self.log.append(line)
        self.at += 1

    def mark(self) -> Mark:
        """What an action that is undone leaves behind."""
        return Mark(len(self.log), self.at, tuple(self.kept))

    def taken_back(self, mark: Mark, untold: bool) -> None:
        """An action was undone: the log is again as it was. ``untold``: nobody was told of the action."""
        self.at = mark.at if untold else self.at + (len(self.log) > mark.lines)
        del self.log[mark.lines :]
        self._sent = min(self._sent, mark.lines)
        self.kept = list(mark.kept)
        self._told, self._before = [], None

    # ---- what is shown

    def scene(self) -> tuple[Scene, dict[str, Any]]:
        """The table and what stands beside it."""
        shown = self.shown()
        last = telling(shown, Last(self._told, self._before))
        scene, beside = self._artist.draw(shown, last), beside_of(panel(shown, last), shown)
        return scene, beside

    def unsent(self) -> list[dict[str, Any]]:
        """Lines of the log that were not asked for yet."""
        lines = self.log[self._sent :]
        self._sent = len(self.log)
        return lines

    def whole(self) -> dict[str, Any]:
        """The table and what stands beside it, as a page needs them that shows nothing yet."""
        scene, beside = self.scene()
        self._shapes = {key: rounded(shape) for key, shape in scene.shapes.items()}
        self._panel = beside
        return {"shapes": shape_changes({}, self._shapes), "beside": beside}

    def changes(self) -> dict[str, Any]:
        """What has changed since the last look."""
        scene, beside = self.scene()
        shapes = {key: rounded(shape) for key, shape in scene.shapes.items()}
        told = {
            "shapes": shape_changes(self._shapes, shapes),
            "beside": {key: value for key, value in beside.items() if self._panel.get(key) != value}
            | dict.fromkeys(self._panel.keys() - beside.keys()),
        }
        self._shapes, self._panel = shapes, beside
        return told

    def asked(self) -> dict[str, Any] | None:
        """What the seat is asked; ``None``: it is not its turn to decide."""
        clock = self.battle.clock
        if not clock.asking[0] or clock.player[0] != self.seat:
            return None
        return asked_of(self.shown())


def line_of(
    battle: BattleCore, words: str, event: Event | None = None, player: int = -1, rule: str = ""
) -> dict[str, Any]:
    """A line of the log; see ``Viewpoint``."""
    line: dict[str, Any] = {"k": DECISION if event is None else EVENT, "w": words}
    if player >= 0:
        line["p"] = player
    if event is not None:
        rule = event.rule
        if dice := dice_of(event):
            line["d"] = [[die.value, -1 if die.good is None else int(die.good)] for die in dice]
    if rule:
        line["r"] = rule
    line["m"] = Labels(battle).moment()
    line["t"] = int(battle.clock.turn[0]) if battle.clock.round[0] else -1
    return line


def is_secret(battle: BattleCore, event: Event, hidden: Collection[Hidden]) -> bool:
    """Whether an event names a unit or a model of which something is hidden."""
    if not hidden:
        return False
    fields = battle.setup.ruleset.event_fields
    named = named_by(event, fields)
    for what in hidden:
        rows = set(range(what.first, what.last))
        if what.table == "units":
            owners = {int(battle.models.unit[model]) for model in named["models"]}
            if rows & (named["units"] | owners):
                return True
        elif what.table == "models" and rows & named["models"]:
            return True
    return False


def named_by(event: Event, fields: Mapping[str, Field]) -> Rows:
    """Rows of the units and of the models that an event names."""
    found: dict[str, set[int]] = {"units": set(), "models": set()}
    for name, value in event.data.items():
        kind = fields[name].value if name in fields else None
        table = (
            "units" if kind in (Value.UNIT, Value.UNITS) else "models" if kind in (Value.MODEL, Value.MODELS) else ""
        )
        if table:
            found[table].update(row for row in (value if isinstance(value, list | tuple) else [value]) if row >= 0)
    return found
