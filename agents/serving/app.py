"""Serve games over HTTP and WebSocket: pages, keys, connections."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

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
from .access import Guard, cookie, keys_match
from .armies import MOST_UPLOAD, OwnArmies
from .connections import TimedProtocol
from .game import PERSON, Game
from .game_folder import GameFolder, new_game_of
from .hints import advisers
from .messages import Refused
from .tables import BURST, RATE, Client, Table

THREADS = 4
MOST_CLIENTS = 24  # greatest number of connections to one game
MOST_CONNECTIONS = 256  # greatest number of connections to the server
# Bytes of a WebSocket message: a longer one ends its connection; one above ``MOST_LETTERS`` is answered with an error.
MOST_FRAME = 1 << 18
MOST_BODY = 4096  # greatest length of the body of a request in bytes
MOST_AT_ONCE = 2  # armies that are read at the same time
OPEN_TABLES = 32  # greatest number of games in memory, if idle ones can be closed
SERVER_KEY, SEAT_KEY = "wh-env-house", "wh-env-seat"  # names of cookies
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
def page_file(name: str) -> str:
    """The text of a file in the folder ``page``."""
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


ASSETS: dict[str, tuple[str, Callable[[], str]]] = {
    "base.css": ("text/css", lambda: asset("base.css")),
    "theme.js": ("text/javascript", lambda: asset("theme.js")),
    "board.js": ("text/javascript", lambda: asset("board.js")),
    "board.css": ("text/css", lambda: asset("board.css")),
    "sheets.js": ("text/javascript", lambda: asset("sheets.js")),
    "sheets.css": ("text/css", lambda: asset("sheets.css")),
    "charts.js": ("text/javascript", lambda: asset("charts.js")),
    "charts.css": ("text/css", lambda: asset("charts.css")),
    "theme.css": ("text/css", style_sheet),
    "play.js": ("text/javascript", lambda: page_file("play.js")),
    "play.css": ("text/css", lambda: page_file("play.css")),
    "lobby.js": ("text/javascript", lambda: page_file("lobby.js")),
}


class NoKey(Refused):
    """A request lacks the right key."""


class Guarded:
    """An ASGI application that refuses what its ``Guard`` refuses."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse a request."""
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
    """An ASGI application (``app``) that offers the games of a folder.

    Args:
        game_folder: the games.
        guard: decides which requests are let in.
        rate, burst: number of messages that a page may send a second, and at once.
    """

    def __init__(self, game_folder: GameFolder, guard: Guard, rate: float = RATE, burst: float = BURST) -> None:
        self.game_folder, self.guard = game_folder, guard
        self.rate, self.burst = rate, burst
        self.tables: dict[str, Table] = {}
        self.own_armies = OwnArmies()
        self._bringing = 0  # armies that are being read
        self._opening = asyncio.Lock()
        self._workers = ThreadPoolExecutor(THREADS, "game")
        routes = [
            Route("/", self.lobby),
            Route("/games", self.begin, methods=["POST"]),
            Route("/armies", self.bring, methods=["POST"]),
            Route("/armies/{key}", self.brought),
            Route("/game/{name}", self.game),
            Route("/game/{name}/replay.html", self.replay),
            WebSocketRoute("/game/{name}/play", self.play),
            Route("/assets/{name}", self.asset),
        ]
        handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
            Refused: refused,
            ContentError: refused,
            OSError: storage_error,
        }
        self.app: ASGIApp = Guarded(Starlette(routes=routes, exception_handlers=handlers, lifespan=self._life), guard)

    @contextlib.asynccontextmanager
    async def _life(self, _app: Starlette) -> AsyncIterator[None]:
        """Close all games when the server ends."""
        yield
        for table in self.tables.values():
            await table.close()
        self._workers.shutdown(cancel_futures=True)

    async def _work(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in a worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._workers, function, *arguments)

    # ---- keys

    def _check_host(self, request: Request) -> None:
        """Check that a request may begin games: from this machine, or with the key of the server.

        Raises:
            NoKey: it may not.
        """
        key = request.query_params.get("key") or cookie(request.headers.get("cookie"), SERVER_KEY)
        if not self.guard.alone and not keys_match(key, self.game_folder.key):
            raise NoKey("the key of this server is missing or not right")

    def _seat(self, name: str, key: str | None, header: str | None) -> int:
        """The seat that a key opens.

        Args:
            name: id of the game.
            key: key in the address.
            header: header with cookies.

        Raises:
            NoKey: it opens none. The answer does not tell whether the game exists.
        """
        given = key or cookie(header, SEAT_KEY)
        for seat, right in self.game_folder.keys_of(name).items():
            if keys_match(given, right):
                return seat
        raise NoKey("the key of this game is missing or not right")

    async def table(self, name: str) -> Table:
        """The table of a game, opened if necessary.

        Raises:
            Refused: there is no such game.
            ContentError: its file cannot be used.
        """
        async with self._opening:
            if name not in self.tables:
                self._add_table(name, await self._work(self.game_folder.open, name))
            return self.tables[name]

    def _add_table(self, name: str, game: Game) -> None:
        """Add a table; idle tables are closed if there are too many."""
        idle = [other for other, table in self.tables.items() if table.idle]
        for other in idle[: max(0, len(self.tables) + 1 - OPEN_TABLES)]:
            self.tables.pop(other)
        self.tables[name] = Table(game, self._workers)

    # ---- pages

    async def lobby(self, request: Request) -> Response:
        """The page with the list of games, on which new ones begin."""
        self._check_host(request)
        if response := redirect_with_cookie(request, "/"):
            return response
        data = {
            "games": await self._work(self.game_folder.list),
            "rulesets": [{"id": name, "game": environment(name).game} for name in rulesets()],
            "battles": names("battles"),
            "armies": names("armies"),
            "policies": [name for name in policies.names() if name != PERSON],
            "person": PERSON,
        }
        return page_with_data("lobby.html", data)

    async def begin(self, request: Request) -> Response:
        """Begin a game. The answer contains the addresses of its seats and the names of its armies."""
        self._check_host(request)
        if request.headers.get("content-type", "") != "application/json":
            raise Refused("expected application/json")
        try:
            body = json.loads(await whole_body(request, MOST_BODY))
        except (ValueError, RecursionError):
            raise Refused("that is no JSON") from None
        try:
            name, game = await self._work(self.game_folder.begin, new_game_of(body, self.own_armies))
        except policies.UnknownPolicy as error:
            raise Refused(str(error)) from None
        async with self._opening:
            if name not in self.tables:  # another page may already have opened it from the lobby
                self._add_table(name, game)
        links, armies = self.game_folder.links(name, game.agents), list(game.battle.setup.names["players"])
        return JSONResponse({"id": name, "armies": armies, "links": links}, 201, HEADERS)

    async def bring(self, request: Request) -> Response:
        """Import the roster or list in the body (``?file=`` is its name). The answer contains the id of its army and
        the report.
        """
        self._check_host(request)
        if request.headers.get("content-type", "") != "application/octet-stream":
            raise Refused("expected application/octet-stream")
        if self._bringing >= MOST_AT_ONCE:
            raise Refused(f"{MOST_AT_ONCE} armies are being read now; try again in a moment")
        self._bringing += 1
        try:
            data = await whole_body(request, MOST_UPLOAD)
            key, army = await self._work(self.own_armies.add, data, request.query_params.get("file", ""))
        finally:
            self._bringing -= 1
        return JSONResponse({"id": key, **army.report}, 201, HEADERS)

    async def brought(self, request: Request) -> Response:
        """The report of an army that was brought."""
        self._check_host(request)
        key = request.path_params["key"]
        return JSONResponse({"id": key, **self.own_armies.get(key).report}, 200, HEADERS)

    async def game(self, request: Request) -> Response:
        """The page of a seat."""
        name = request.path_params["name"]
        seat = self._seat(name, request.query_params.get("key"), request.headers.get("cookie"))
        response = page_with_data(
            "play.html",
            {
                "socket": f"/game/{name}/play",
                "replay": f"/game/{name}/replay.html",
                "seat": seat,
                "advisers": len(advisers()),
            },
        )
        if key := request.query_params.get("key"):
            response.set_cookie(SEAT_KEY, key, path=f"/game/{name}", httponly=True, samesite="strict")
        return response

    async def replay(self, request: Request) -> Response:
        """The replay page of a battle that is over. Before its end it would reveal secrets."""
        name = request.path_params["name"]
        self._seat(name, request.query_params.get("key"), request.headers.get("cookie"))
        table = await self.table(name)
        if not table.game.battle.over:
            raise Refused("the battle is not over yet")
        text = await self._work(lambda: build_page(record_tape(table.game.replay())))
        # the replay page has a Content-Security-Policy of its own
        headers = {key: value for key, value in HEADERS.items() if key != "Content-Security-Policy"}
        return HTMLResponse(text, headers=headers)

    async def asset(self, request: Request) -> Response:
        """A script or a style sheet."""
        name = request.path_params["name"]
        if name not in ASSETS:
            return PlainTextResponse("there is no such thing\n", 404, HEADERS)
        kind, make = ASSETS[name]
        return Response(make(), media_type=kind, headers=HEADERS)

    # ---- connections

    async def play(self, socket: WebSocket) -> None:
        """Serve the connection of a page: send what its seat sees, and carry out its messages."""
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
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await table.handle(client, message.get("text") or message.get("bytes") or "")
        except (WebSocketDisconnect, RuntimeError):
            pass  # the page has closed the connection
        finally:
            table.leave(client)
            writer.cancel()


def configured(game_folder: GameFolder, guard: Guard, rate: float = RATE, burst: float = BURST) -> uvicorn.Config:
    """The configuration of a web server for the games of a folder.

    Args:
        game_folder: the games.
        guard: decides which requests are let in.
        rate, burst: number of messages that a page may send a second, and at once.
    """
    return uvicorn.Config(
        Server(game_folder, guard, rate, burst).app,
        http=TimedProtocol,
        ws="websockets-sansio",
        ws_max_size=MOST_FRAME,
        log_config=None,  # a config would close the streams of handlers that others have added
        log_level="warning",
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=2,
        proxy_headers=False,
    )


async def write(socket: WebSocket, table: Table, client: Client) -> None:
    """Send the waiting messages of a page."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while True:
            message = await client.waiting.get()
            await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
            if client.behind and client.waiting.empty():
                await table.catch_up(client)


async def refused(_request: Request, error: Exception) -> Response:
    """The answer to a refused request."""
    return JSONResponse({"error": str(error)}, 403 if isinstance(error, NoKey) else 400, HEADERS)


async def storage_error(_request: Request, error: Exception) -> Response:
    """The answer if the disk is full, or a file cannot be used for another reason that is not the page's fault."""
    words = f"the server cannot keep or read its games ({getattr(error, 'strerror', None) or error})"
    return JSONResponse({"error": words}, 507, HEADERS)


async def whole_body(request: Request, most: int) -> bytes:
    """The body of a request of at most ``most`` bytes.

    Raises:
        Refused: it is too long, or ends too early.
    """
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise Refused(f"a request of more than {most} bytes is too large")
    except ClientDisconnect:
        raise Refused("the request ended half-way") from None
    return bytes(body)


def redirect_with_cookie(request: Request, path: str) -> Response | None:
    """If the address contains a key: a redirection to the same page without it, which sets the key as a cookie. Armies
    in the address stay there.
    """
    key = request.query_params.get("key")
    if not key:
        return None
    armies = urlencode([("army", army) for army in request.query_params.getlist("army")])
    response = RedirectResponse(f"{path}?{armies}" if armies else path, 303, HEADERS)
    response.set_cookie(SERVER_KEY, key, path=path, httponly=True, samesite="strict")
    return response


def page_with_data(name: str, data: dict[str, Any]) -> HTMLResponse:
    """A page with its data filled in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return HTMLResponse(page_file(name).replace("@data@", text), headers=HEADERS)
