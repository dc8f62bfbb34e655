"""A game that is being played: who is connected, what they are sent, and policies that think in threads of their own.

The event loop never waits for the game: everything that reads or changes it is done in worker threads, one thing at a time.
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
from .game import PERSON, Game, told_of
from .hints import ADVISERS, Adviser, Bookmaker, look, said
from .messages import Message, Pace, Refused, parse
from .viewpoint import WATCHER

MOST_WAITING = 400  # messages for a page that does not take them; then it is sent the whole state instead
PAUSE, MOST_PAUSE = 0.25, 10.0  # seconds
RATE, BURST = 40.0, 120.0  # messages of a page a second, and at once
T = TypeVar("T")


class Client:
    """A page that is connected to a seat: what is to be sent to it."""

    def __init__(self, seat: int, rate: float = RATE, burst: float = BURST) -> None:
        self.seat = seat
        self.pace = Pace(rate, burst)
        self.waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.behind = False

    def send(self, message: dict[str, Any]) -> None:
        """Send it a message; one that takes none for long is sent the whole state when it does."""
        if self.waiting.qsize() >= MOST_WAITING:
            self.behind = True
            while not self.waiting.empty():
                self.waiting.get_nowait()
        if not self.behind:
            self.waiting.put_nowait(message)


class Table:
    """A game with its pages and policies.

    Attributes:
        guests: pages that take up a place, from before their connection is accepted until it is over.
        clients: those of them that are told what happens.
        failed: why a policy plays no more.
    """

    def __init__(self, game: Game, workers: ThreadPoolExecutor) -> None:
        self.game, self.failed = game, ""
        self.guests: set[Client] = set()
        self.clients: set[Client] = set()
        self._workers = workers
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._policies: dict[int, Seated] = {}
        self._told: dict[int, dict[str, Any]] = {}  # what seats were told last besides drawings
        self._advisers = [Adviser(name) for name in ADVISERS]
        self._advising = asyncio.Lock()
        self._bookmaker: Bookmaker | None = None
        self._look = SeatView()
        self._doing: set[asyncio.Task[None]] = set()
        self._pause = PAUSE  # seconds between decisions where nobody plays

    # ---- pages

    @property
    def idle(self) -> bool:
        """Whether nobody is here, nothing is being done and no policy thinks."""
        return not (self.guests or self._doing or (self._thinking is not None and not self._thinking.done()))

    def enter(self, client: Client, most: int) -> bool:
        """Give a page one of ``most`` places, at once: of many who come together one finds the last one free."""
        if len(self.guests) >= most:
            return False
        self.guests.add(client)
        return True

    async def join(self, client: Client) -> None:
        """A page is there, for the first time or again: it is sent how the game stands."""
        async with self._lock:
            client.send(await self._work(self._state, client.seat))
            self.clients.add(client)
        self.go_on()

    def leave(self, client: Client) -> None:
        """A page is gone; the game is as it was."""
        self.clients.discard(client)
        self.guests.discard(client)

    async def catch_up(self, client: Client) -> None:
        """Send the whole state to a page that has not taken what it was sent."""
        async with self._lock:
            client.behind = False
            client.send(await self._work(self._state, client.seat))

    async def handle(self, client: Client, text: str | bytes) -> None:
        """Do what a page says, or tell it why not. What was begun is done, whether the page is still there or not."""
        task = asyncio.get_running_loop().create_task(self._handle(client, text))
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
        await asyncio.shield(task)

    async def _handle(self, client: Client, text: str | bytes) -> None:
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
        game, seat = self.game, client.seat
        if message.do == "state":
            await self.catch_up(client)
            return
        if message.do == "pace":
            if seat != WATCHER:
                raise Refused("only who watches a game says how fast it goes")
            self._pause = min(MOST_PAUSE, message.pause / 1000)
            return
        if seat == WATCHER:
            raise Refused("you watch this game")
        if message.do == "hint":
            await self._hint(client, message.at)
            return
        async with self._lock:
            if message.do == "look":
                self._asked(seat, message.at)
                if not game.battle.legal_bytes()[message.action : message.action + 1] == b"\1":
                    raise Refused(f"action {message.action} is not legal now")
                found = await self._work(look, self._look, game.battle, seat, message.action)
                client.send({"type": "look", "at": message.at, "action": message.action, **found})
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
        self.go_on()

    def _asked(self, seat: int, at: int) -> None:
        """See that a seat is asked now what it was asked at a change.

        Raises:
            Refused: it is not.
        """
        self.game.current(seat, at)
        if seat != self.game.seat:
            raise Refused("it is not your turn to decide")

    async def _hint(self, client: Client, at: int) -> None:
        if self._advising.locked():
            raise Refused("the last hint is still being thought about")
        async with self._advising:
            async with self._lock:
                self._asked(client.seat, at)
                battle = await self._work(self.game.battle.clone)
                if self._bookmaker is None:
                    self._bookmaker = await self._work(Bookmaker, battle)
                odds = await self._work(self._bookmaker, battle, client.seat)
            client.send({"type": "odds", "at": at, "odds": odds})
            for adviser in self._advisers:
                if self.game.at(client.seat) != at:
                    return  # the player has decided without the rest
                told = await self._work(adviser, battle, client.seat)
                client.send({"type": "hint", "at": at, **told})

    # ---- policies

    def go_on(self) -> None:
        """Let the policies play as long as it is theirs to decide."""
        if self._thinking is None or self._thinking.done():
            self._thinking = asyncio.get_running_loop().create_task(self._think())

    async def _think(self) -> None:
        while self.game.waits_for_policy and not self.failed:
            if not self.game.persons:
                await asyncio.sleep(self._pause)
                if not self.clients:
                    return  # it goes on when somebody looks
            async with self._lock:
                game, seat = self.game, self.game.seat
                if not game.waits_for_policy:
                    return
                at, battle = game.changes, await self._work(game.battle.clone)
            try:
                action = await self._work(self._answer, seat, battle)
                async with self._lock:
                    if at == game.changes:  # else somebody has undone what it answers
                        await self._work(game.act, seat, at, action)
                        await self._tell_changes()
            except Exception as error:  # a policy may be somebody else's
                self.failed = f"{game.agents[seat]} cannot go on: {type(error).__name__}: {said(error)}"
                for client in self.clients:
                    client.send({"type": "failed", "words": self.failed})

    def _answer(self, seat: int, battle: Battle) -> int:
        if seat not in self._policies:
            made: Policy = make(self.game.agents[seat], self.game.seeds[seat])
            made.reset(self.game.seeds[seat])
            self._policies[seat] = Seated(made)
        return int(self._policies[seat].act(battle, battle.legal()))

    # ---- what is sent

    async def _tell_changes(self) -> None:
        told = await self._work(self._changes)
        for client in self.clients:
            if client.seat in told:
                client.send(told[client.seat])

    def _changes(self) -> dict[int, dict[str, Any]]:
        """What has changed, by seat; nothing for a seat that sees no change, so that it cannot count what is done in secret."""
        return {seat: frame for seat in self.game.views if (frame := self._frame(seat)) is not None}

    def _frame(self, seat: int) -> dict[str, Any] | None:
        view = self.game.views[seat]
        lines, changes, told = view.unsent(), view.changes(), told_of(self.game, seat)
        if not lines and not any(changes.values()) and told == self._told.get(seat):
            return None
        self._told[seat] = told
        rules = {line["r"]: rule_card(line["r"]) for line in lines if "r" in line}
        return {"type": "frame", **told, **changes, "log": lines, "rules": rules}

    def _state(self, seat: int) -> dict[str, Any]:
        """Everything that a page of this seat shows."""
        game, view = self.game, self.game.views[seat]
        setup, lines = game.battle.setup, list(view.log)
        view.unsent()
        self._told[seat] = told_of(game, seat)
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
            **self._told[seat],
            **view.whole(),
            "log": lines,
            "rules": {rule: rule_card(rule) for rule in dict.fromkeys(line["r"] for line in lines if "r" in line)},
        }

    async def _work(self, function: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._workers, function, *arguments)

    async def close(self) -> None:
        """End what goes on."""
        if self._thinking is not None:
            self._thinking.cancel()
