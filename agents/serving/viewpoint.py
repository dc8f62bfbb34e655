"""What one seat sees of a game: the table, the score beside it, and the log, without the other seat's secrets.

The battle itself is never drawn for a seat, only its ``SeatView``, without what ``Ruleset.hidden`` names. An
event that names something hidden is withheld until it is revealed. The log tells the other seat's decisions
only if nothing at all was hidden then.
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

WATCHER = -1  # the seat of a page that plays neither side and sees everything
Rows = Mapping[str, set[int]]


@dataclass(frozen=True)
class WithheldEvent:
    """An event that is not in the log yet.

    Attributes:
        event: the event.
        line: its line in the log; ``None``: it has none.
        secret: whether it named something hidden when it happened.
    """

    event: Event
    line: dict[str, Any] | None
    secret: bool


@dataclass(frozen=True)
class Mark:
    """The state of a log before an action, for undoing it.

    Attributes:
        lines: length of the log.
        at: number of the last change.
        kept: withheld events.
    """

    lines: int
    at: int
    withheld: tuple[WithheldEvent, ...]


class Viewpoint:
    """What a seat (or a ``WATCHER``) sees of a battle, from its beginning on.

    Attributes:
        at: number of lines written to the log or taken back. Secret decisions of the other seat do not change
            it.
        log: lines as the page reads them: ``k`` DECISION or EVENT, ``w`` words, ``p`` the deciding player,
            ``r`` id of the rule, ``d`` dice with 1 for success, 0 for failure and -1 for neither, ``m`` the
            moment, ``t`` the player whose turn it was, ``n`` the round, ``v`` the victory points of both players.
        withheld: events that are not in the log yet.
    """

    def __init__(self, battle: Battle, seat: int) -> None:
        self.battle, self.seat = battle, seat
        self.at = 0
        self.log: list[dict[str, Any]] = []
        self.withheld: list[WithheldEvent] = []
        self._view = SeatView()
        self._artist = Artist()
        self._shown_events: list[Event] = []  # visible events of the last action
        self._before: Standing | None = None
        self._shapes: dict[str, tuple[Any, ...]] = {}
        self._panel: dict[str, Any] = {}
        self._open = True  # whether nothing was hidden before the action
        self._sent = 0  # number of log lines already sent

    def shown(self) -> BattleCore:
        """The battle as the seat may see it, valid until the next call."""
        return self.battle if self.seat == WATCHER else self._view.of(self.battle, self.seat)

    def hidden(self) -> Collection[Hidden]:
        """What is hidden from the seat now."""
        return () if self.seat == WATCHER else self.battle.setup.ruleset.hidden(self.battle, self.seat)

    # ---- what happens

    def before_action(self) -> None:
        """Prepare for an action."""
        self._shown_events = []
        self._before = Standing.of(self.shown())
        self._open = not self.hidden()

    def add_event(self, event: Event, line: dict[str, Any] | None) -> None:
        """Add an event, in the state right after it; ``line`` is its line in the log, ``None`` if it has none."""
        self.withheld.append(WithheldEvent(event, line, is_secret(self.battle, event, self.hidden())))

    def after_action(self, line: dict[str, Any] | None = None) -> None:
        """Write the log after an action: its line, and events that were no secret when they happened or are none
        any more.

        Args:
            line: the line of the action; ``None``: only write events.
        """
        hidden = self.hidden()
        if line is not None and (self.seat in (line["p"], WATCHER) or (self._open and not hidden)):
            self._write(line)
        waiting, self.withheld = self.withheld, []
        for heard in waiting:
            if heard.secret and is_secret(self.battle, heard.event, hidden):
                self.withheld.append(heard)
            else:
                self._shown_events.append(heard.event)
                if heard.line is not None:
                    self._write(heard.line)

    def _write(self, line: dict[str, Any]) -> None:
        """Add a line to the log."""
        self.log.append(line)
        self.at += 1

    def mark(self) -> Mark:
        """The present state of the log, for undoing the next action."""
        return Mark(len(self.log), self.at, tuple(self.withheld))

    def undo_to(self, mark: Mark, untold: bool) -> None:
        """Return the log to a mark.

        Args:
            mark: the state before the action.
            untold: whether no page was told of the action.
        """
        self.at = mark.at if untold else self.at + (len(self.log) > mark.lines)
        del self.log[mark.lines :]
        self._sent = min(self._sent, mark.lines)
        self.withheld = list(mark.withheld)
        self._shown_events, self._before = [], None

    # ---- what is shown

    def scene(self) -> tuple[Scene, dict[str, Any]]:
        """The drawing of the table, and the data beside it."""
        shown = self.shown()
        last = telling(shown, Last(self._shown_events, self._before))
        beside = beside_of(panel(shown, last), shown) | {"moment": Labels(self.battle).moment()}
        return self._artist.draw(shown, last), beside

    def unsent_lines(self) -> list[dict[str, Any]]:
        """The lines of the log since the last call."""
        lines = self.log[self._sent :]
        self._sent = len(self.log)
        return lines

    def whole(self) -> dict[str, Any]:
        """The complete table and the data beside it, for a page that shows nothing yet."""
        scene, beside = self.scene()
        self._shapes = {key: rounded(shape) for key, shape in scene.shapes.items()}
        self._panel = beside
        return {"shapes": shape_changes({}, self._shapes), "beside": beside}

    def changes(self) -> dict[str, Any]:
        """The changes of the table and of the data beside it since the last call."""
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
        """The decision that the seat is asked; ``None`` if it is not its turn."""
        clock = self.battle.clock
        if not clock.asking[0] or clock.player[0] != self.seat:
            return None
        return asked_of(self.shown())


def line_of(
    battle: BattleCore, words: str, event: Event | None = None, player: int = -1, rule: str = ""
) -> dict[str, Any]:
    """A line of the log; see ``Viewpoint``.

    Args:
        battle: the battle right after what the line tells.
        words: the text.
        event: the event; ``None`` for a decision.
        player: the deciding player; -1 for none.
        rule: id of the rule of a decision.
    """
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
    line["n"], line["v"] = battle.clock.round[0], list(battle.players.vp)
    line["t"] = battle.clock.turn[0] if battle.clock.round[0] else -1
    return line


def is_secret(battle: BattleCore, event: Event, hidden: Collection[Hidden]) -> bool:
    """Whether an event names a unit or a model of which something is hidden."""
    if not hidden:
        return False
    fields = battle.setup.ruleset.event_fields
    named = named_by(event, fields)
    for value in hidden:
        rows = set(range(value.first, value.last))
        if value.table == "units":
            owners = {battle.models.unit[model] for model in named["models"]}
            if rows & (named["units"] | owners):
                return True
        elif value.table == "models" and rows & named["models"]:
            return True
    return False


def named_by(event: Event, fields: Mapping[str, Field]) -> Rows:
    """Rows of the units and models that an event names."""
    found: dict[str, set[int]] = {"units": set(), "models": set()}
    for name, value in event.data.items():
        kind = fields[name].value if name in fields else None
        table = (
            "units" if kind in (Value.UNIT, Value.UNITS) else "models" if kind in (Value.MODEL, Value.MODELS) else ""
        )
        if table:
            found[table].update(row for row in (value if isinstance(value, list | tuple) else [value]) if row >= 0)
    return found
