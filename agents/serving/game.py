"""A game that people and policies play: whose turn it is to decide, what they see, what can be undone, and the file that holds it.

Nothing is lost: an action that was taken is in the file before anybody is told of it, and one that cannot be written was not taken.
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
from wh_env.render.labels import Labels
from wh_env.render.tape import Ear
from wh_env.render.words import sentence

from .messages import Refused
from .viewpoint import WATCHER, Mark, Viewpoint, line_of

PERSON = "human"  # in place of a policy: somebody at the page
SEATS = (0, 1)
MOST_UNDONE = 100  # actions in a row that can be undone


@dataclass(frozen=True)
class Step:
    """What an action is undone by: who took it, the battle before it, and what was hidden from whom."""

    seat: int
    before: Battle
    events: int
    marks: Mapping[int, Mark]
    hidden: frozenset[Hidden]


class Game:
    """A battle and those who play it.

    Args:
        battle: before its first action, with its events recorded.
        seed: of its dice, which nobody is told. agents: for each seat a policy as it is written, or ``PERSON``. seeds: of the policies.
        file: where the replay is written after every action; ``None``: nowhere.

    Attributes:
        changes: how many actions were taken and undone. views: what is seen, by seat; in games that nobody plays that of a
            ``WATCHER``.
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
        early, battle.recorder = battle.events, Ear(battle.events, self._hear)
        for event in early:
            self._hear(event)
        for view in self.views.values():
            view.decided()

    @classmethod
    def resumed(cls, file: Path) -> Game:
        """The game in a replay, as it stood when it was written.

        Raises:
            ContentError: there is none, it is damaged, or another version of wh_env wrote it.
        """
        return cls.replayed(read_replay(file), file)

    @classmethod
    def replayed(cls, replay: Replay, file: Path | None = None) -> Game:
        """The game of a replay.

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

    # ---- who

    @property
    def seat(self) -> int:
        """Who decides now; -1: nobody, the battle is over."""
        return int(self.battle.clock.player[0]) if self.battle.clock.asking[0] else -1

    @property
    def waits_for_policy(self) -> bool:
        """Whether a policy decides now."""
        return self.seat in SEATS and self.seat not in self.persons

    def at(self, seat: int) -> int:
        """The number of the last change that a seat was told of; for one that nobody looks at that of the last change."""
        return self.views[seat].at if seat in self.views else self.changes

    def current(self, seat: int, at: int) -> None:
        """See that somebody answers what he was told last.

        Raises:
            Refused: he does not.
        """
        if at != self.at(seat):
            raise Refused(f"that answers change {at}, but there was change {self.at(seat)} since")

    # ---- what players do

    def act(self, seat: int, at: int, action: int) -> None:
        """Take an action for a seat, and save the game.

        Raises:
            Refused: it is not that seat's turn, not legal, or the answer to an earlier state; or it cannot be saved. Nothing was changed.
        """
        self.current(seat, at)
        if self.battle.over:
            raise Refused("the battle is over")
        if seat != self.seat:
            raise Refused("it is not your turn to decide")
        legal = self.battle.legal_bytes()
        if not 0 <= action < len(legal) or not legal[action]:
            raise Refused(f"action {action} is not legal now")
        before = self._step()
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
            Refused: it cannot be undone; nothing was changed.
        """
        self.current(seat, at)
        if reason := self.stays(seat):
            raise Refused(reason)
        step, action = self._steps.pop(), self._recorder.actions[-1]
        self._recorder.take_back()
        self._restore(step, untold=False)
        try:
            self.save()
        except OSError as error:
            self._take(action)  # no die was rolled in it, so it is what it was
            raise Refused(f"the game cannot be saved ({error.strerror or error})") from error
        self.changes += 1

    def stays(self, seat: int) -> str:
        """Why the last action cannot be undone by a seat; empty: it can.

        It can until somebody else has decided, a die was rolled, or the seat was shown what was hidden from it.
        """
        if not self._steps or seat not in self.persons:
            return "there is nothing to undo"
        if self.battle.over:
            return "the battle is over"  # its replay can be seen, which holds no secrets
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
        """The replay as far as the game has come."""
        return self._recorder.replay(self.agents, self.seeds)

    # ---- how

    def _hear(self, event: Event) -> None:
        line = line_of(self.battle, sentence(Labels(self.battle), event), event)
        for view in self.views.values():
            view.hear(event, line)

    def _hidden(self, seat: int) -> frozenset[Hidden]:
        """What a seat cannot see of units and models; which decision waits is no secret that undoing could use."""
        found: Collection[Hidden] = self.battle.setup.ruleset.hidden(self.battle, seat)
        return frozenset(what for what in found if what.table != "clock")

    def _step(self) -> Step:
        marks = {seat: view.mark() for seat, view in self.views.items()}
        seat = self.seat
        return Step(seat, self.battle.clone(), len(self.battle.events), marks, self._hidden(seat))

    def _take(self, action: int, step: Step | None = None) -> None:
        """Carry out a legal action; everybody sees and hears what they may."""
        battle = self.battle
        step = step or self._step()
        kind = battle.setup.ruleset.kinds[battle.clock.kind[0]]
        words = f"{kind.name.replace('-', ' ').capitalize()}: {battle.describe(action)}"
        line = line_of(battle, words, player=step.seat, rule=kind.rules[0] if kind.rules else "")
        for view in self.views.values():
            view.decides()
        battle.apply(action)
        self._recorder.add(action)
        for view in self.views.values():
            view.decided(line)
        self._steps.append(step)
        self.changes += 1

    def _restore(self, step: Step, untold: bool = True) -> None:
        """Become again what the game was before an action; the record of actions is left to the caller."""
        self.battle.copy_from(step.before)
        del self.battle.events[step.events :]
        for seat, view in self.views.items():
            view.taken_back(step.marks[seat], untold)


def told_of(game: Game, seat: int) -> dict[str, Any]:
    """What the page of a seat is told besides what it draws: the change, the question, whether undoing is possible, who is waited for."""
    view, battle = game.views[seat], game.battle
    asked = view.asked()
    return {
        "at": game.at(seat),
        "ask": asked,
        "undo": not game.stays(seat),
        "stays": game.stays(seat),
        "over": battle.over,
        "waits": "" if asked or battle.over else waited_for(game, seat),
    }


def waited_for(game: Game, seat: int) -> str:
    """Who is waited for, in words."""
    name, agent = game.battle.setup.names["players"][game.seat], game.agents[game.seat]
    return f"{name} ({agent}) decides" if agent != PERSON else f"{name} decides"
