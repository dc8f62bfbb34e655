"""Games over HTTP and WebSocket: pages, keys, connections. What a game is stands in the other modules."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import files
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from wh_env import ContentError
from wh_env.content.load import names, rulesets
from wh_env.envs.registry import environment
from wh_env.render.page import asset, build_page, style_sheet
from wh_env.render.tape import record_tape

from .. import policies
from .access import Guard, cookie, same
from .connections import TimedProtocol
from .game import PERSON, Game
from .hints import ADVISERS
from .house import House, wanted
from .messages import Refused
from .tables import BURST, RATE, Client, Table

THREADS = 4
MOST_CLIENTS = 24  # connections to one game
MOST_CONNECTIONS = 256  # to the server
MOST_FRAME = 1 << 18  # bytes of a message; a longer one ends its connection, one that is only too long is answered
MOST_BODY = 4096  # bytes of a request
OPEN_TABLES = 32  # games that are kept in memory
HOUSE_KEY, SEAT_KEY = "wh-env-house", "wh-env-seat"  # cookies
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@lru_cache(maxsize=8)
def own(name: str) -> str:
    """The text of a file of this page."""
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


ASSETS: dict[str, tuple[str, Callable[[], str]]] = {
    "board.js": ("text/javascript", lambda: asset("board.js")),
    "board.css": ("text/css", lambda: asset("board.css")),
    "theme.css": ("text/css", style_sheet),
    "play.js": ("text/javascript", lambda: own("play.js")),
    "play.css": ("text/css", lambda: own("play.css")),
    "house.js": ("text/javascript", lambda: own("house.js")),
}


class NoKey(Refused):
    """Somebody has not the key that is needed."""


class Guarded:
    """Lets in what a ``Guard`` lets in, with the headers that every answer has."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], str(scope["scheme"]))
        fault = self.guard.fault(headers.get("host"), headers.get("origin"), scheme)
        if fault and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": fault})
        elif fault:
            await PlainTextResponse(f"{fault}\n", 403)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


class Server:
    """The house behind an ASGI application.

    Args:
        house: the games. guard: whom to let in. rate, burst: messages of a page a second, and at once.
    """

    def __init__(self, house: House, guard: Guard, rate: float = RATE, burst: float = BURST) -> None:
        self.house, self.guard = house, guard
        self.rate, self.burst = rate, burst
        self.tables: dict[str, Table] = {}
        self._opening = asyncio.Lock()
        self._workers = ThreadPoolExecutor(THREADS, "game")
        routes = [
            Route("/", self.lobby),
            Route("/games", self.begin, methods=["POST"]),
            Route("/game/{name}", self.game),
            Route("/game/{name}/replay.html", self.replay),
            WebSocketRoute("/game/{name}/play", self.play),
            Route("/assets/{name}", self.asset),
        ]
        handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
            Refused: refused,
            ContentError: refused,
            OSError: not_kept,
        }
        self.app: ASGIApp = Guarded(Starlette(routes=routes, exception_handlers=handlers, lifespan=self._life), guard)

    @contextlib.asynccontextmanager
    async def _life(self, _app: Starlette) -> AsyncIterator[None]:
        yield
        for table in self.tables.values():
            await table.close()
        self._workers.shutdown(cancel_futures=True)

    async def _work(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._workers, function, *arguments)

    # ---- keys

    def _is_host(self, request: Request) -> bool:
        """Whether somebody may begin games: who is at this machine, or has the key of the house."""
        key = request.query_params.get("key") or cookie(request.headers.get("cookie"), HOUSE_KEY)
        return self.guard.alone or same(key, self.house.key)

    def _seat(self, name: str, key: str | None, header: str | None) -> int:
        """The seat of a game that a key opens.

        Raises:
            Refused: it opens none; nothing is said of whether there is such a game.
        """
        given = key or cookie(header, SEAT_KEY)
        for seat, right in self.house.keys_of(name).items():
            if same(given, right):
                return seat
        raise NoKey("the key of this game is missing or not right")

    async def table(self, name: str) -> Table:
        """The table of a game, opened if it is not.

        Raises:
            Refused: there is no such game. ContentError: its file cannot be used.
        """
        async with self._opening:
            if name not in self.tables:
                self._keep_table(name, await self._work(self.house.open, name))
            return self.tables[name]

    def _keep_table(self, name: str, game: Game) -> None:
        """A table more is kept in memory; tables where nothing goes on make room for it."""
        idle = [other for other, table in self.tables.items() if table.idle]
        for other in idle[: max(0, len(self.tables) + 1 - OPEN_TABLES)]:
            self.tables.pop(other)
        self.tables[name] = Table(game, self._workers)

    # ---- pages

    async def lobby(self, request: Request) -> Response:
        """The games that there are, and a new one."""
        if not self._is_host(request):
            raise NoKey("the key of this server is missing or not right")
        if response := keyed(request, "/"):
            return response
        data = {
            "games": await self._work(self.house.list),
            "rulesets": [{"id": name, "game": environment(name).game} for name in rulesets()],
            "battles": names("battles"),
            "policies": [name for name in policies.names() if name != PERSON],
            "person": PERSON,
        }
        return filled("house.html", data)

    async def begin(self, request: Request) -> Response:
        """Begin a game; answers with the addresses of its seats."""
        if not self._is_host(request):
            raise NoKey("the key of this server is missing or not right")
        if request.headers.get("content-type", "") != "application/json":
            raise Refused("expected application/json")
        try:
            said = json.loads(await whole_body(request))
        except (ValueError, RecursionError):
            raise Refused("that is no JSON") from None
        try:
            name, game = await self._work(self.house.begin, wanted(said))
        except policies.UnknownPolicy as error:
            raise Refused(str(error)) from None
        async with self._opening:
            if name not in self.tables:  # who read of it in the lobby may have been faster
                self._keep_table(name, game)
        return JSONResponse({"id": name, "links": self.house.links(name, game.agents)}, 201, HEADERS)

    async def game(self, request: Request) -> Response:
        """The page of a seat."""
        name = request.path_params["name"]
        seat = self._seat(name, request.query_params.get("key"), request.headers.get("cookie"))
        response = filled(
            "play.html",
            {
                "socket": f"/game/{name}/play",
                "replay": f"/game/{name}/replay.html",
                "seat": seat,
                "advisers": len(ADVISERS),
            },
        )
        if key := request.query_params.get("key"):
            response.set_cookie(SEAT_KEY, key, path=f"/game/{name}", httponly=True, samesite="strict")
        return response

    async def replay(self, request: Request) -> Response:
        """The replay page of a battle that is over; before, it would tell secrets."""
        name = request.path_params["name"]
        self._seat(name, request.query_params.get("key"), request.headers.get("cookie"))
        table = await self.table(name)
        if not table.game.battle.over:
            raise Refused("the battle is not over yet")
        text = await self._work(lambda: build_page(record_tape(table.game.replay())))
        headers = {
            key: value for key, value in HEADERS.items() if key != "Content-Security-Policy"
        }  # the page has its own
        return HTMLResponse(text, headers=headers)

    async def asset(self, request: Request) -> Response:
        """A script or a style."""
        name = request.path_params["name"]
        if name not in ASSETS:
            return PlainTextResponse("there is no such thing\n", 404, HEADERS)
        kind, make = ASSETS[name]
        return Response(make(), media_type=kind, headers=HEADERS)

    # ---- connections

    async def play(self, socket: WebSocket) -> None:
        """A page is connected: it is sent what its seat sees, and says what its player does."""
        name = socket.path_params["name"]
        try:
            seat = self._seat(name, socket.query_params.get("key"), socket.headers.get("cookie"))
            table = await self.table(name)
        except (Refused, ContentError, OSError):
            await socket.close(1008, "the key of this game is missing or not right")
            return
        client = Client(seat, self.rate, self.burst)
        if not table.enter(client, MOST_CLIENTS):
            await socket.close(1013, "too many connections to this game")
            return
        writer = asyncio.create_task(write(socket, table, client))
        try:
            await socket.accept()
            await table.join(client)
            while True:
                said = await socket.receive()
                if said["type"] == "websocket.disconnect":
                    break
                await table.handle(client, said.get("text") or said.get("bytes") or "")
        except (WebSocketDisconnect, RuntimeError):
            pass  # the page is gone
        finally:
            table.leave(client)
            writer.cancel()


def configured(house: House, guard: Guard, rate: float = RATE, burst: float = BURST) -> uvicorn.Config:
    """How a house is served."""
    return uvicorn.Config(
        Server(house, guard, rate, burst).app,
        http=TimedProtocol,
        ws="websockets-sansio",
        ws_max_size=MOST_FRAME,
        log_level="warning",
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=2,
        proxy_headers=False,
    )


async def write(socket: WebSocket, table: Table, client: Client) -> None:
    """Send a page what waits for it."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while True:
            message = await client.waiting.get()
            await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
            if client.behind and client.waiting.empty():
                await table.catch_up(client)


async def refused(_request: Request, error: Exception) -> Response:
    """What was asked for is not done."""
    return JSONResponse({"error": str(error)}, 403 if isinstance(error, NoKey) else 400, HEADERS)


async def not_kept(_request: Request, error: Exception) -> Response:
    """The disk is full, or a file cannot be used for another reason that is not the page's."""
    words = f"the server cannot keep or read its games ({getattr(error, 'strerror', None) or error})"
    return JSONResponse({"error": words}, 507, HEADERS)


async def whole_body(request: Request) -> bytes:
    """The body of a request.

    Raises:
        Refused: it is too long, or ends half-way.
    """
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_BODY:
                raise Refused(f"a request of more than {MOST_BODY} bytes")
    except ClientDisconnect:
        raise Refused("the request ended half-way") from None
    return body


def keyed(request: Request, path: str) -> Response | None:
    """Where a key stands in the address: the same page without it, and the key as a cookie."""
    key = request.query_params.get("key")
    if not key:
        return None
    response = RedirectResponse(path, 303, HEADERS)
    response.set_cookie(HOUSE_KEY, key, path=path, httponly=True, samesite="strict")
    return response


def filled(name: str, data: dict[str, Any]) -> HTMLResponse:
    """A page with its data."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return HTMLResponse(own(name).replace("@data@", text), headers=HEADERS)
