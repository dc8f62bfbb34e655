"""A game in play: the connected pages, their messages, and policies that think in worker threads.

The event loop never waits for the game. Everything that reads or changes it runs in worker threads, one call
at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from wh_env import Battle
from wh_env.core.views import SeatView
from wh_env.render.tape import DEFAULTS, DIGITS, rule_card

from ..policies import Policy, make
from ..policies.base import Seated
from .game import PERSON, Game, seat_message
from .hints import Adviser, Bookmaker, advisers, error_words, preview_action
from .messages import Message, Pace, Refused, parse
from .unit_sheets import sheets_of_unit
from .viewpoint import WATCHER

MOST_WAITING = 400  # messages that may wait for a page; with more, it gets the whole state instead
PAUSE, MOST_PAUSE = 0.25, 10.0  # seconds
RATE, BURST = 40.0, 120.0  # number of messages that a page may send a second, and at once
T = TypeVar("T")


class Client:
    """A page that is connected to a seat, with the messages that wait for it.

    Args:
        seat: the seat.
        rate, burst: number of messages that it may send a second, and at once.

    Attributes:
        behind: whether messages were dropped, so that it needs the whole state.
    """

    def __init__(self, seat: int, rate: float = RATE, burst: float = BURST) -> None:
        self.seat = seat
        self.pace = Pace(rate, burst)
        self.waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.behind = False

    def send(self, message: dict[str, Any]) -> None:
        """Add a message. If too many wait, drop all of them; the page will get the whole state."""
        if self.waiting.qsize() >= MOST_WAITING:
            self.behind = True
            while not self.waiting.empty():
                self.waiting.get_nowait()
        if not self.behind:
            self.waiting.put_nowait(message)


class Table:
    """A game with its pages and policies.

    Args:
        game: the game.
        workers: threads for everything that reads or changes the game.

    Attributes:
        guests: pages that count against the limit, from before their connection is accepted until it ends.
        clients: those of them that receive messages.
        failed: why a policy cannot continue; empty if all can.
    """

    def __init__(self, game: Game, workers: ThreadPoolExecutor) -> None:
        self.game, self.failed = game, ""
        self.guests: set[Client] = set()
        self.clients: set[Client] = set()
        self._workers = workers
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._policies: dict[int, Seated] = {}
        self._last_sent: dict[int, dict[str, Any]] = {}  # the last ``seat_message`` to each seat
        self._advisers = [Adviser(name) for name in advisers()]
        self._advising = asyncio.Lock()
        self._bookmaker: Bookmaker | None = None
        self._look = SeatView()
        self._doing: set[asyncio.Task[None]] = set()
        self._pause = PAUSE  # seconds between decisions in games without persons

    # ---- pages

    @property
    def idle(self) -> bool:
        """Whether no page is connected, no message is handled and no policy thinks."""
        return not (self.guests or self._doing or (self._thinking is not None and not self._thinking.done()))

    def enter(self, client: Client, most: int) -> bool:
        """Give a page one of ``most`` places. Returns whether one was free."""
        if len(self.guests) >= most:
            return False
        self.guests.add(client)
        return True

    async def join(self, client: Client) -> None:
        """Send a page the whole state, and from now on all changes."""
        async with self._lock:
            client.send(await self._work(self._state, client.seat))
            self.clients.add(client)
        self.let_policies_play()

    def leave(self, client: Client) -> None:
        """Remove a page."""
        self.clients.discard(client)
        self.guests.discard(client)

    async def catch_up(self, client: Client) -> None:
        """Send the whole state to a page that has not taken its messages."""
        async with self._lock:
            client.behind = False
            client.send(await self._work(self._state, client.seat))

    async def handle(self, client: Client, text: str | bytes) -> None:
        """Carry out a message of a page, or answer with an error. The work is finished even if the page leaves."""
        task = asyncio.get_running_loop().create_task(self._handle(client, text))
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
        await asyncio.shield(task)

    async def _handle(self, client: Client, text: str | bytes) -> None:
        """Carry out a message or send an error."""
        do = ""
        try:
            if not client.pace.allows():
                raise Refused("too many messages; wait a moment")
            message = parse(text)
            do = message.do
            await self._do(client, message)
        except Refused as error:
            client.send({"type": "error", "error": str(error), "do": do, "at": self.game.at(client.seat)})

    async def _do(self, client: Client, message: Message) -> None:
        """Carry out a message.

        Raises:
            Refused: it is not allowed now.
        """
        game, seat = self.game, client.seat
        if message.do == "state":
            await self.catch_up(client)
            return
        if message.do == "pace":
            if seat != WATCHER:
                raise Refused("only a page that watches a game may change its speed")
            self._pause = min(MOST_PAUSE, message.pause / 1000)
            return
        if message.do == "sheet":
            async with self._lock:
                client.send(await self._work(sheets_of_unit, game.views[seat], message.unit))
            return
        if seat == WATCHER:
            raise Refused("you watch this game")
        if message.do == "hint":
            await self._hint(client, message.at)
            return
        async with self._lock:
            if message.do == "look":
                self._check_asked(seat, message.at)
                if not game.battle.legal_bytes()[message.action : message.action + 1] == b"\1":
                    raise Refused(f"action {message.action} is not legal now")
                found = await self._work(preview_action, self._look, game.battle, seat, message.action)
                bookmaker = await self._odds_maker(game.battle)
                odds = await self._work(bookmaker.at_target, game.battle, seat, message.action)
                client.send({"type": "look", "at": message.at, "action": message.action, "odds": odds, **found})
                return
            if message.do == "act":
                await self._work(game.act, seat, message.at, message.action)
                self.failed = ""
                await self._tell_changes()
            elif message.do == "undo":
                await self._work(game.undo, seat, message.at)
                self.failed = ""
                for other in tuple(self.clients):  # pages may leave meanwhile
                    other.send(await self._work(self._state, other.seat))
        self.let_policies_play()

    def _check_asked(self, seat: int, at: int) -> None:
        """Check that it is the seat's turn, and that nothing changed since change ``at``.

        Raises:
            Refused: one of these does not hold.
        """
        self.game.check_current(seat, at)
        if seat != self.game.seat:
            raise Refused("it is not your turn to decide")

    async def _odds_maker(self, battle: Battle) -> Bookmaker:
        """What tells the odds in this game."""
        if self._bookmaker is None:
            self._bookmaker = await self._work(Bookmaker, battle)
        return self._bookmaker

    async def _hint(self, client: Client, at: int) -> None:
        """Send the odds, then what each adviser would do."""
        if self._advising.locked():
            raise Refused("the last hint is still being thought about")
        async with self._advising:
            async with self._lock:
                self._check_asked(client.seat, at)
                battle = await self._work(self.game.battle.clone)
                odds = await self._work(await self._odds_maker(battle), battle, client.seat)
            client.send({"type": "odds", "at": at, "odds": odds})
            for adviser in self._advisers:
                if self.game.at(client.seat) != at:
                    return  # the player has already decided
                hint = await self._work(adviser, battle, client.seat)
                client.send({"type": "hint", "at": at, **hint})

    # ---- policies

    def let_policies_play(self) -> None:
        """Start the policies if it is their turn to decide."""
        if self._thinking is None or self._thinking.done():
            self._thinking = asyncio.get_running_loop().create_task(self._think())

    async def _think(self) -> None:
        """Let policies decide as long as it is their turn."""
        while self.game.waits_for_policy and not self.failed:
            if not self.game.persons:
                await asyncio.sleep(self._pause)
                if not self.clients:
                    return  # continue when a page is connected again
            async with self._lock:
                game, seat = self.game, self.game.seat
                if not game.waits_for_policy:
                    return
                at, battle = game.changes, await self._work(game.battle.clone)
            try:
                action = await self._work(self._answer, seat, battle)
                async with self._lock:
                    if at == game.changes:  # otherwise the decision was undone meanwhile
                        await self._work(game.act, seat, at, action)
                        await self._tell_changes()
            except Exception as error:  # a user's policy may raise anything
                self.failed = f"{game.agents[seat]} cannot go on: {type(error).__name__}: {error_words(error)}"
                for client in self.clients:
                    client.send({"type": "failed", "words": self.failed})

    def _answer(self, seat: int, battle: Battle) -> int:
        """The action of the policy of a seat."""
        if seat not in self._policies:
            policy: Policy = make(self.game.agents[seat], self.game.seeds[seat])
            policy.reset(self.game.seeds[seat])
            self._policies[seat] = Seated(policy)
        return int(self._policies[seat].act(battle, battle.legal()))

    # ---- what is sent

    async def _tell_changes(self) -> None:
        """Send the changes to all pages."""
        changes = await self._work(self._changes)
        for client in self.clients:
            if client.seat in changes:
                client.send(changes[client.seat])

    def _changes(self) -> dict[int, dict[str, Any]]:
        """The message about what changed, by seat. A seat that sees no change gets none, so that it cannot count
        secret decisions.
        """
        return {seat: frame for seat in self.game.views if (frame := self._frame(seat)) is not None}

    def _frame(self, seat: int) -> dict[str, Any] | None:
        """The message about what changed for a seat; ``None`` if nothing did."""
        view = self.game.views[seat]
        lines, changes, seat_data = view.unsent_lines(), view.changes(), seat_message(self.game, seat)
        if not lines and not any(changes.values()) and seat_data == self._last_sent.get(seat):
            return None
        self._last_sent[seat] = seat_data
        rules = {line["r"]: rule_card(line["r"]) for line in lines if "r" in line}
        return {"type": "frame", **seat_data, **changes, "log": lines, "rules": rules}

    def _state(self, seat: int) -> dict[str, Any]:
        """Everything that a page of this seat shows."""
        game, view = self.game, self.game.views[seat]
        setup, lines = game.battle.setup, list(view.log)
        view.unsent_lines()
        self._last_sent[seat] = seat_message(game, seat)
        return {
            "type": "state",
            "seat": seat,
            "players": setup.names["players"],
            "agents": game.agents,
            "persons": [agent == PERSON for agent in game.agents],
            "length": round(setup.length, DIGITS),
            "width": round(setup.width, DIGITS),
            "grain": max(setup.length, setup.width) / 60.0,
            "usual": DEFAULTS,
            "failed": self.failed,
            **self._last_sent[seat],
            **view.whole(),
            "log": lines,
            "rules": {rule: rule_card(rule) for rule in dict.fromkeys(line["r"] for line in lines if "r" in line)},
        }

    async def _work(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run a function in a worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._workers, function, *arguments)

    async def close(self) -> None:
        """Stop the policies."""
        if self._thinking is not None:
            self._thinking.cancel()
