"""A whole replay as pictures: one step for each decision and each event, with what changed on the table and beside it.

A step shows the battle as it stood when the event was recorded. Several events may be recorded in one and the same
state (the log of a volley). Then a change to a model is shown only at the last of these events that names the model, so
that models do not fall before the dice roll; after the last of these events the step shows the state exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from wh_env.content.replay import Replay
from wh_env.content.rulebook import catalogue
from wh_env.content.sheets import Sheet, sheets
from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE, Event, Value
from wh_env.core.questions import option_words
from wh_env.core.tables import Array
from wh_env.render.labels import Labels
from wh_env.render.last import Last, Standing
from wh_env.render.panel import Panel, panel
from wh_env.render.scene import Artist, Scene
from wh_env.render.shapes import Shape
from wh_env.render.words import dice_of, sentence

START, DECISION, EVENT, END = range(4)  # kinds of steps
DIGITS = 3  # digits after the point, for places and sizes
# names of a shape's fields in the data, in the order of Shape
FIELDS = ("k", "s", "x", "y", "a", "b", "r", "p", "t", "l", "u", "h", "n")
DEFAULTS = dict(zip(FIELDS, Shape("", ""), strict=True))
Progress = Callable[[int, int], None]


@dataclass
class Step:
    """One step.

    Attributes:
        kind: START, DECISION, EVENT or END.
        words: what happened. rule: the id of the rule that was applied, empty for none.
        player: the player who decided, -1: none. action: number of the decision that this belongs to, -1 before the
            first.
        roll: name of the last roll of this action. dice: its dice, each a number with 1 for passed, 0 for failed, -1
            for neither.
        own: whether these dice are of the event itself.
        shapes: shapes that changed, by key: their new fields, ``None`` for a shape that is gone.
        beside: the same for what stands beside the table.
    """

    kind: int
    words: str
    rule: str = ""
    player: int = -1
    action: int = -1
    roll: str = ""
    dice: list[tuple[int, int]] = field(default_factory=list)
    own: bool = False
    shapes: dict[str, dict[str, Any] | None] = field(default_factory=dict)
    beside: dict[str, Any] = field(default_factory=dict)


@dataclass
class Tape:
    """A battle in steps.

    Attributes:
        title: of the page. players: names of the armies. agents: names of the policies. seed: of the battle.
        scene: the last scene. steps: in order.
        rules: title, source and wording of every rule that was applied, by id.
        sheets: the datasheets of the units, by row.
        judged: what the chance to win means (``Judge.words``); empty if no judge was asked.
    """

    title: str
    players: tuple[str, str]
    agents: tuple[str, str]
    seed: int
    scene: Scene
    steps: list[Step]
    rules: dict[str, dict[str, str]]
    sheets: list[Sheet] = field(default_factory=list)
    judged: str = ""


class Judge(Protocol):
    """Says how likely player 0 is to win."""

    words: str  # what the number means, for readers

    def __call__(self, battle: BattleCore) -> float | None:
        """The chance that player 0 wins, 0 to 1; None if it cannot say."""


class Ear(list[Event]):
    """A list of events that calls a function with each event that is appended."""

    def __init__(self, events: Iterable[Event], hear: Callable[[Event], None]) -> None:
        """``events``: those so far. ``hear``: the function."""
        super().__init__(events)
        self.hear = hear

    def append(self, event: Event) -> None:
        """Record an event and call the function with it."""
        super().append(event)
        self.hear(event)


@dataclass
class _Heard:
    """An event that waits to be drawn. Its words, and round, player and phase, are those of when it was recorded."""

    event: Event
    words: str
    moment: str


class _Writer:
    """Draws the steps of one battle as differences from each to the next."""

    def __init__(self, battle: BattleCore, judge: Judge | None = None) -> None:
        """Begin with the battle as it stands. ``judge``: asked for the chance to win, if given."""
        self.battle, self.judge = battle, judge
        self.stage = battle.clone()  # the copy that is drawn
        self.artist = Artist()
        self.steps: list[Step] = []
        self.shapes: dict[str, tuple[Any, ...]] = {}
        self.beside: dict[str, Any] = {}
        self.shown: Array = battle.buffer.copy()  # the state of the last step
        self.state: Array = self.shown  # the state in which the waiting events were recorded
        self.heard: list[_Heard] = []
        self.told: list[Event] = []  # events of this action that are drawn already
        self.before = Standing.of(battle)
        self.action = -1
        self.scene: Scene | None = None

    def hear(self, event: Event) -> None:
        """Take an event that was just recorded; if the state has changed since the events that wait, draw those
        first.
        """
        buffer = self.battle.buffer
        if self.heard and not (buffer == self.state).all():
            self.flush()
        if not self.heard:
            self.state = buffer.copy()
        labels = Labels(self.battle)
        self.heard.append(_Heard(event, sentence(labels, event), labels.moment()))

    def flush(self) -> None:
        """Draw the events that wait."""
        heard, self.heard = self.heard, []
        if not heard:
            return
        later = self._later([entry.event for entry in heard])
        old = self.battle.setup.layout.view(self.shown, "models").copy()
        for entry, held in zip(heard, later, strict=True):
            self.told.append(entry.event)
            self._stage(self.state)
            for model in held:
                self.stage.models.rows[model] = old[model]
            own = bool(dice_of(entry.event))
            self._step(EVENT, entry.words, entry.moment, rule=entry.event.rule, own=own)
        self.shown = self.state

    def _later(self, events: list[Event]) -> list[set[int]]:
        """For each event, the rows of the models that a later one of these events names."""
        fields = self.battle.setup.ruleset.event_fields
        found: list[set[int]] = []
        held: set[int] = set()
        for event in reversed(events):
            found.append(set(held))
            for name, value in event.data.items():
                if name in fields and fields[name].value is Value.MODEL and value != NONE:
                    held.add(value)
        return found[::-1]

    def decide(self, words: str, rule: str) -> None:
        """A step for the answer to a decision; the state is the one in which it was asked."""
        self.flush()
        self.action += 1
        self.told, self.before = [], Standing.of(self.battle)
        self.shown = self.battle.buffer.copy()
        self._stage(self.shown)
        self._step(DECISION, words, Labels(self.battle).moment(), rule=rule, player=self.battle.clock.player[0])

    def plain(self, kind: int, words: str) -> None:
        """A step without an event."""
        self.flush()
        self.told, self.before = [], Standing.of(self.battle)
        self.shown = self.battle.buffer.copy()
        self._stage(self.shown)
        self._step(kind, words, Labels(self.battle).moment())

    def _stage(self, state: Array) -> None:
        """Put a state into the copy that is drawn."""
        self.stage.setup = self.battle.setup
        self.stage.buffer[:] = state
        self.stage._options = None
        self.stage.setup.ruleset.resume(self.stage)

    def _step(self, kind: int, words: str, moment: str, **fields: Any) -> None:
        """Draw the copy, and append a step with the differences from the last step. ``moment``: round, player and
        phase.
        """
        last = Last(self.told, self.before)
        scene, shown_panel = self.artist.draw(self.stage, last), panel(self.stage, last)
        self.scene = scene
        step = Step(kind, words, action=self.action, roll=shown_panel.roll, **fields)
        step.dice = [(die.value, -1 if die.good is None else int(die.good)) for die in shown_panel.dice]
        shapes = {key: rounded(shape) for key, shape in scene.shapes.items()}
        step.shapes = shape_changes(self.shapes, shapes)
        beside = beside_of(shown_panel, self.stage) | {"moment": moment}
        if self.judge is not None:  # asked only at decisions: states between them cannot be judged
            beside["chance"] = self.beside.get("chance") if kind == EVENT else self._chance(self.judge)
        step.beside = {key: value for key, value in beside.items() if self.beside.get(key) != value}
        step.beside |= dict.fromkeys(self.beside.keys() - beside.keys())
        self.shapes, self.beside = shapes, beside
        self.steps.append(step)

    def _chance(self, judge: Judge) -> float | None:
        """The judge's answer for the battle, rounded."""
        chance = judge(self.battle)
        return None if chance is None else round(chance, DIGITS)


def record_tape(replay: Replay, progress: Progress | None = None, judge: Judge | None = None) -> Tape:
    """Play a replay and draw every decision and event of it.

    Args:
        replay: the battle that was played.
        progress: called now and then with the number of actions played and the number of all.
        judge: asked at every decision and at the end.

    Raises:
        ContentError: an action of the replay is not legal.
    """
    writer: _Writer | None = None
    battle: BattleCore | None = None
    for number, battle in enumerate(replay.play(record=True)):
        if writer is None:
            writer = _Writer(battle, judge)
            early, battle.recorder = battle.events, Ear([], writer.hear)
            writer.plain(START, "The battle is set up")
            for event in early:
                writer.hear(event)
        if number < len(replay.actions):
            words = f"{Labels(battle).asked()} → {option_words(battle, replay.actions[number])}"
            kind = battle.setup.ruleset.kinds[battle.clock.kind[0]]
            writer.decide(words, kind.rules[0] if kind.rules else "")
        if progress is not None and number % 8 == 0:
            progress(number, len(replay.actions))
    assert writer is not None
    assert battle is not None
    writer.plain(END, Labels(battle).outcome() or "The replay ends here")
    if progress is not None:
        progress(len(replay.actions), len(replay.actions))
    assert writer.scene is not None
    names = battle.setup.names["players"]
    used = dict.fromkeys(step.rule for step in writer.steps if step.rule)
    return Tape(
        title=f"{names[0]} against {names[1]}",
        players=(names[0], names[1]),
        agents=replay.agents,
        seed=replay.seed,
        scene=writer.scene,
        steps=writer.steps,
        rules={rule: rule_card(rule) for rule in used},
        sheets=sheets(battle.setup),
        judged=judge.words if judge is not None else "",
    )


def rule_card(rule: str) -> dict[str, str]:
    """Title, place in the source and wording of a rule of the catalogue; for a rule that it lacks, the id as title."""
    entry = catalogue(rule.split(".")[0]).get(rule)
    if entry is None:
        return {"title": rule, "where": "", "text": ""}
    lines = str(entry["lines"])
    where = f"line{'' if lines.isdigit() else 's'} {lines} of {entry['source']}"
    return {"title": str(entry["title"]), "where": where, "text": str(entry["rule"]).strip()}


def beside_of(shown: Panel, battle: BattleCore) -> dict[str, Any]:
    """What stands beside the table, by key: the moment, what is asked, each seat, each unit."""
    found: dict[str, Any] = {"moment": shown.moment, "asked": shown.asked, "round": battle.clock.round[0]}
    found["turn"] = battle.clock.turn[0] if battle.clock.round[0] else -1
    for player, seat in enumerate(shown.seats):
        found[f"seat{player}"] = [seat.score, seat.command]
    for row in shown.units:
        state = [row.name, row.player, row.alive, row.strength, row.wounds, row.most, row.place, list(row.states)]
        found[f"unit{row.unit}"] = [*state, int(row.standing)]
    return found


def rounded(shape: Shape) -> tuple[Any, ...]:
    """The fields of a shape, with numbers rounded to ``DIGITS``."""
    kind, style, x, y, a, b, turn, points, *rest = shape
    numbers = (round(x, DIGITS), round(y, DIGITS), round(a, DIGITS), round(b, DIGITS), round(turn, DIGITS))
    return (kind, style, *numbers, tuple(round(value, DIGITS) for value in points), *rest)


def shape_changes(
    before: dict[str, tuple[Any, ...]], after: dict[str, tuple[Any, ...]]
) -> dict[str, dict[str, Any] | None]:
    """The changes that turn the shapes ``before`` into the shapes ``after``, by key: the new fields of a changed shape,
    the fields of a new shape that differ from ``DEFAULTS``, ``None`` for a shape that is gone.
    """
    changes: dict[str, dict[str, Any] | None] = {key: None for key in before if key not in after}
    for key, shape in after.items():
        old = before.get(key)
        if old == shape:
            continue
        if old is None:
            changes[key] = {name: value for name, value in zip(FIELDS, shape, strict=True) if value != DEFAULTS[name]}
        else:
            fields = zip(FIELDS, old, shape, strict=True)
            changes[key] = {name: value for name, was, value in fields if was != value}
    return changes
