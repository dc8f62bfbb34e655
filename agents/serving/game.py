"""A game of people and policies: which seat decides, what each seat sees, what can be undone, and the file that
holds the game.

An action is written to the file before any page is told of it. If it cannot be written, it is taken back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wh_env import Battle, ContentError, Event
from wh_env.content.replay import Recorder, Replay, read_replay
from wh_env.core.procedures import Hidden
from wh_env.core.questions import answer_words
from wh_env.render.labels import Labels
from wh_env.render.tape import Ear
from wh_env.render.words import sentence

from .messages import Refused
from .viewpoint import WATCHER, Mark, Viewpoint, line_of

PERSON = "human"  # stands for a person at the page, in place of a policy
SEATS = (0, 1)
MOST_UNDONE = 100  # greatest number of actions in a row that can be undone


@dataclass(frozen=True)
class Step:
    """What is needed to undo an action.

    Attributes:
        seat: the seat that took it.
        before: a copy of the battle before it.
        events: number of events before it.
        marks: state of each view before it.
        hidden: what was hidden from that seat before it.
    """

    seat: int
    before: Battle
    events: int
    marks: Mapping[int, Mark]
    hidden: frozenset[Hidden]


class Game:
    """A battle and its players.

    Args:
        battle: the battle before its first action, recording its events.
        seed: seed of its dice, which no page is told.
        agents: for each seat a policy, or ``PERSON``.
        seeds: seeds of the policies.
        file: the replay file, written after every action; ``None``: none.

    Attributes:
        changes: number of actions taken and undone.
        views: what is seen, by seat of a person; in games without persons, by the seat ``WATCHER``.
        persons: the seats of persons.
    """

    def __init__(
        self, battle: Battle, seed: int, agents: Sequence[str], seeds: Sequence[int] = (0, 0), file: Path | None = None
    ) -> None:
        self.battle, self.seed, self.file = battle, seed, file
        self.agents, self.seeds = (agents[0], agents[1]), (seeds[0], seeds[1])
        self.changes = 0
        self.persons = tuple(seat for seat in SEATS if self.agents[seat] == PERSON)
        self.views = {seat: Viewpoint(battle, seat) for seat in self.persons or (WATCHER,)}
        self._recorder = Recorder(battle, seed)
        self._steps: deque[Step] = deque(maxlen=MOST_UNDONE)
        early, battle.recorder = battle.events, Ear(battle.events, self._record_event)
        for event in early:
            self._record_event(event)
        for view in self.views.values():
            view.after_action()

    @classmethod
    def resumed(cls, file: Path) -> Game:
        """The game in a replay file, as it was when it was written.

        Raises:
            ContentError: there is no such file, it is damaged, or another version of wh_env wrote it.
        """
        return cls.replayed(read_replay(file), file)

    @classmethod
    def replayed(cls, replay: Replay, file: Path | None = None) -> Game:
        """The game of a replay, which is played again.

        Raises:
            ContentError: its actions lead to another state than it says.
        """
        game = cls(replay.new_battle(record=True), replay.seed, replay.agents, replay.seeds, file)
        for number, action in enumerate(replay.actions):
            try:
                game._take(action)
            except Exception as error:
                where = f"actions[{number}]"
                raise ContentError(
                    replay.file, where, action, "a legal action", f"cannot be replayed ({error})"
                ) from error
        if game.battle.state_bytes() != replay.final:
            raise ContentError(replay.file, "final state", "another one", "that to which the actions lead")
        return game

    # ---- whose turn

    @property
    def seat(self) -> int:
        """The seat that decides now; -1 if the battle is over."""
        return self.battle.clock.player[0] if self.battle.clock.asking[0] else -1

    @property
    def waits_for_policy(self) -> bool:
        """Whether a policy decides now."""
        return self.seat in SEATS and self.seat not in self.persons

    def at(self, seat: int) -> int:
        """The number of the last change that a seat was told of; for a seat without a view, the number of the
        last change.
        """
        return self.views[seat].at if seat in self.views else self.changes

    def check_current(self, seat: int, at: int) -> None:
        """Check that a message answers the last change that its seat was told of.

        Raises:
            Refused: it does not.
        """
        if at != self.at(seat):
            raise Refused(f"that answers change {at}, but there was change {self.at(seat)} since")

    # ---- actions of players

    def act(self, seat: int, at: int, action: int) -> None:
        """Take an action for a seat, and save the game.

        Args:
            seat: the seat.
            at: number of the change that the action answers.
            action: the action.

        Raises:
            Refused: it is not that seat's turn, the action is not legal, or it answers an earlier state; or the
                game cannot be saved. Nothing was changed.
        """
        self.check_current(seat, at)
        if self.battle.over:
            raise Refused("the battle is over")
        if seat != self.seat:
            raise Refused("it is not your turn to decide")
        legal = self.battle.legal_bytes()
        if not 0 <= action < len(legal) or not legal[action]:
            raise Refused(f"action {action} is not legal now")
        before = self._step_before()
        try:
            self._take(action, before)
        except Exception:
            self._restore(before)
            raise
        try:
            self.save()
        except OSError as error:
            self._steps.pop()
            self._recorder.take_back()
            self._restore(before)
            self.changes -= 1
            raise Refused(f"the game cannot be saved ({error.strerror or error})") from error

    def undo(self, seat: int, at: int) -> None:
        """Undo the last action of a seat, and save the game.

        Raises:
            Refused: it cannot be undone. Nothing was changed.
        """
        self.check_current(seat, at)
        if reason := self.why_not_undoable(seat):
            raise Refused(reason)
        step, action = self._steps.pop(), self._recorder.actions[-1]
        self._recorder.take_back()
        self._restore(step, untold=False)
        try:
            self.save()
        except OSError as error:
            self._take(action)  # it rolled no die, so repeating it restores the state
            raise Refused(f"the game cannot be saved ({error.strerror or error})") from error
        self.changes += 1

    def why_not_undoable(self, seat: int) -> str:
        """Why a seat cannot undo the last action; empty if it can.

        It can until another seat has decided, a die was rolled, or something hidden was revealed to the seat.
        """
        if not self._steps or seat not in self.persons:
            return "there is nothing to undo"
        if self.battle.over:
            return "the battle is over"  # its replay, which shows all secrets, can already be seen
        step = self._steps[-1]
        if step.seat != seat:
            return "the other side has decided since"
        if step.before.dice.counter[0] != self.battle.dice.counter[0]:
            return "dice were rolled since"
        if not step.hidden <= self._hidden(seat):
            return "you were shown since what was hidden"
        return ""

    def save(self) -> None:
        """Write the replay, whole or not at all.

        Raises:
            OSError: it cannot be written.
        """
        if self.file is not None:
            self.replay().write(self.file)

    def replay(self) -> Replay:
        """The replay of the game so far."""
        return self._recorder.replay(self.agents, self.seeds)

    # ---- details

    def _record_event(self, event: Event) -> None:
        """Add an event to all views."""
        told = event.kind not in self.battle.setup.ruleset.untold
        line = line_of(self.battle, sentence(Labels(self.battle), event), event) if told else None
        for view in self.views.values():
            view.add_event(event, line)

    def _hidden(self, seat: int) -> frozenset[Hidden]:
        """The units and models of which something is hidden from a seat. The waiting decision is left out,
        because undoing cannot exploit it.
        """
        hidden: Collection[Hidden] = self.battle.setup.ruleset.hidden(self.battle, seat)
        return frozenset(value for value in hidden if value.table != "clock")

    def _step_before(self) -> Step:
        """What is needed to undo the next action."""
        marks = {seat: view.mark() for seat, view in self.views.items()}
        seat = self.seat
        return Step(seat, self.battle.clone(), len(self.battle.events), marks, self._hidden(seat))

    def _take(self, action: int, step: Step | None = None) -> None:
        """Carry out a legal action and add it to all views."""
        battle = self.battle
        step = step or self._step_before()
        kind = battle.setup.ruleset.kinds[battle.clock.kind[0]]
        line = line_of(battle, answer_words(battle, action), player=step.seat, rule=kind.rules[0] if kind.rules else "")
        for view in self.views.values():
            view.before_action()
        battle.apply(action)
        self._recorder.add(action)
        for view in self.views.values():
            view.after_action(line)
        self._steps.append(step)
        self.changes += 1

    def _restore(self, step: Step, untold: bool = True) -> None:
        """Return to the state before an action. The caller removes the action from the record."""
        self.battle.copy_from(step.before)
        del self.battle.events[step.events :]
        for seat, view in self.views.items():
            view.undo_to(step.marks[seat], untold)


def seat_message(game: Game, seat: int) -> dict[str, Any]:
    """The message to the page of a seat, without drawings and log: the change, the decision, whether undoing is
    possible, and which player it waits for.
    """
    view, battle = game.views[seat], game.battle
    asked = view.asked()
    return {
        "at": game.at(seat),
        "ask": asked,
        "undo": not game.why_not_undoable(seat),
        "stays": game.why_not_undoable(seat),
        "over": battle.over,
        "waits": "" if asked or battle.over else waited_for(game, seat),
    }


def waited_for(game: Game, seat: int) -> str:
    """The player that the page waits for, in words."""
    name, agent = game.battle.setup.names["players"][game.seat], game.agents[game.seat]
    return f"{name} ({agent}) decides" if agent != PERSON else f"{name} decides"
