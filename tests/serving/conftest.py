"""A server of games in a thread, on a port that was free."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Browser, open_browser

from wh_env.agents.serving.access import Guard
from wh_env.agents.serving.game_folder import GameFolder, NewGame


class Served:
    """A server of a folder's games that can be stopped."""

    def __init__(self, folder: Path, port: int = 0, rate: float = float("inf"), host: str = "127.0.0.1") -> None:
        import socket

        import uvicorn

        from wh_env.agents.serving.app import configured

        self.game_folder = GameFolder(folder)
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port = self._socket.getsockname()[1]
        config = configured(self.game_folder, Guard(host), rate, burst=5.0)
        self._server = uvicorn.Server(config)
        self.server = config.app.app.routes[0].endpoint.__self__  # what answers the lobby
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)

    def url(self, path: str, scheme: str = "http") -> str:
        return f"{scheme}://127.0.0.1:{self.port}{path}"

    def ask(self, path: str, data: Any = None, **headers: str) -> tuple[int, str, dict[str, str]]:
        """Status, text and headers of a request."""
        body = None if data is None else json.dumps(data).encode() if not isinstance(data, bytes) else data
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            headers.setdefault("content-type", "application/json")
        request = urllib.request.Request(self.url(path), body, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode(), dict(answer.headers)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), dict(error.headers)

    def begin_seeded(self, battle: str, seed: int, *agents: str) -> dict[int, str]:
        """Begin a game with this seed of the dice and policies; the addresses of its seats."""
        name, game = self.game_folder.begin(NewGame(battle, (agents[0], agents[1]), seed=seed))
        return self.game_folder.links(name, game.agents)

    def begin(self, battle: str, *agents: str) -> dict[int, str]:
        """Begin a game; the addresses of its seats."""
        status, text, _ = self.ask("/games", {"battle": battle, "agents": agents})
        assert status == 201, text
        return {int(seat): link for seat, link in json.loads(text)["links"].items()}


def play_address(link: str) -> str:
    """The address of the socket of a seat, by that of its page."""
    page, _, query = link.partition("?")
    return f"{page}/play?{query}"


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    for needed in ("starlette", "uvicorn", "websockets"):
        pytest.importorskip(needed, reason=f"{needed} (extra serve) is not installed")
    server = Served(tmp_path_factory.mktemp("games"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    pytest.importorskip("selenium", reason="selenium (extra dev) is not installed")
    with open_browser() as driver:
        # after 120 s the connection to the driver is given up, and every test that follows fails too
        driver.set_script_timeout(100)
        yield driver


@pytest.fixture
def opened(chromium, served) -> Iterator[Any]:
    """Opens games; whatever the browser says about the page is a fault."""

    def open_game(battle: str, *agents: str, seat: int = 0, seed: int | None = None) -> Browser:
        links = served.begin(battle, *agents) if seed is None else served.begin_seeded(battle, seed, *agents)
        return Browser(chromium, served, links[seat])

    yield open_game
    assert chromium.get_log("browser") == []


@pytest.fixture
def sized(chromium) -> Iterator[Any]:
    """Sets the size of the screen in pixels; narrow ones are phones."""

    def set_size(width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    yield set_size
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
