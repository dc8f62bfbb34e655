"""What the server limits: connections to a game, connections that wait for nothing, games in memory, a full disk."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPResponse
from pathlib import Path

import pytest

from tests.serving.conftest import Served, play_address
from wh_env.agents.serving.game import PERSON

client = pytest.importorskip("websockets.asyncio.client", reason="websockets (extra serve) is not installed")

from websockets.exceptions import WebSocketException  # noqa: E402

from wh_env.agents.serving import app, connections  # noqa: E402
from wh_env.agents.serving.game_folder import GameFolder  # noqa: E402

EPIC = "epic/bridgehead"
GET = "GET /assets/play.css HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = "POST /games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n"


# ---------------------------------------------------------------- connections to a game


async def let_in(addresses: list[str]) -> int:
    """How many of these pages, who all come at once, are let in."""
    async with contextlib.AsyncExitStack() as open_ones:

        async def hear(address: str) -> bool:
            try:
                page = await open_ones.enter_async_context(client.connect(address, max_size=None))
                return json.loads(await page.recv())["type"] == "state"
            except (OSError, WebSocketException):
                return False

        return sum(await asyncio.gather(*map(hear, addresses)))


@pytest.mark.parametrize("seats", [(0,), (1,), (0, 1)])
def test_of_a_hundred_pages_at_once_as_many_are_let_in_as_there_is_room_for(served, seats):
    """Their places are free again when they are gone."""
    links = served.begin(EPIC, PERSON, PERSON)
    addresses = [served.url(play_address(links[seats[number % len(seats)]]), "ws") for number in range(100)]
    assert asyncio.run(let_in(addresses)) == app.MOST_CLIENTS
    end = time.monotonic() + 20
    while asyncio.run(let_in(addresses[:3])) < 3 and time.monotonic() < end:
        time.sleep(0.05)
    assert asyncio.run(let_in(addresses)) == app.MOST_CLIENTS


def test_games_that_are_begun_take_no_more_memory_than_those_that_are_opened(tmp_path, monkeypatch):
    monkeypatch.setattr(app, "OPEN_TABLES", 3)
    served = Served(tmp_path)
    try:
        links = [served.begin(EPIC, PERSON, PERSON) for _ in range(8)]
        assert len(served.server.tables) <= 3
        assert asyncio.run(let_in([served.url(play_address(link[0]), "ws") for link in links])) == 8
    finally:
        served.stop()


# ---------------------------------------------------------------- requests that do not end


@pytest.fixture
def hasty(tmp_path, monkeypatch):
    """A server that waits for nobody long."""
    monkeypatch.setattr(connections, "PATIENCE", 0.6)
    server = Served(tmp_path)
    yield server
    server.stop()


def said(served: Served, *parts: str) -> socket.socket:
    """A connection on which these parts of requests were sent, each after the answer to the one before."""
    line = socket.create_connection(("127.0.0.1", served.port), timeout=20)
    for number, part in enumerate(parts):
        if number:
            answer(line)
        line.sendall(part.encode())
    return line


def answer(line: socket.socket) -> int:
    """Hear a whole answer; returns its status."""
    said = HTTPResponse(line)
    said.begin()
    said.read()
    return said.status


HALVES = {
    "silent": ("",),
    "half a line": ("GET /",),
    "half the headers": (GET,),
    "half a body": (POST + '{"battle":',),
    "half a second request": (f"{GET}\r\n", GET),
    "one and a half at once": (f"{GET}\r\n{GET}",),
    "half a body of a page": (f"{GET}Content-Length: 50\r\n\r\nxxx",),
}


@pytest.mark.parametrize("parts", HALVES.values(), ids=HALVES.keys())
def test_half_a_request_is_not_waited_for(hasty, parts):
    with said(hasty, *parts) as line:
        began = time.monotonic()
        while line.recv(1 << 20):
            pass
        assert time.monotonic() - began < 8.0


def test_half_a_request_gets_no_more_time_by_trickling(hasty):
    with said(hasty, "GET / HTTP/1.1\r\n") as line:
        end, answer = time.monotonic() + 8.0, b""
        line.settimeout(0.1)
        while b"408" not in answer and time.monotonic() < end:
            with contextlib.suppress(TimeoutError):
                line.sendall(b"X")
                answer += line.recv(1000)
        assert b"408 Request Timeout" in answer


def test_three_hundred_halves_keep_nobody_out_for_long(hasty):
    lines = [said(hasty, (GET, POST, "", f"{POST}{{")[number % 4]) for number in range(300)]
    try:
        end = time.monotonic() + 8.0
        while (status := hasty.ask("/")[0]) == 503 and time.monotonic() < end:
            time.sleep(0.1)
        assert status == 200
        links = hasty.begin(EPIC, PERSON, PERSON)
        assert asyncio.run(let_in([hasty.url(play_address(link), "ws") for link in links.values()])) == 2
    finally:
        for line in lines:
            line.close()


def test_a_page_that_is_played_on_is_not_ended_by_the_time_of_its_request(hasty):
    async def wait(address: str) -> str:
        async with client.connect(address, max_size=None) as page:
            await page.recv()
            await asyncio.sleep(1.5)
            await page.send(json.dumps({"do": "state"}))
            return json.loads(await page.recv())["type"]

    address = hasty.url(play_address(hasty.begin(EPIC, PERSON, PERSON)[0]), "ws")
    assert asyncio.run(wait(address)) == "state"
    with said(hasty, f"{GET}\r\n") as line:
        assert answer(line) == 200
        time.sleep(1.5)
        line.sendall(f"{GET}\r\n".encode())
        assert answer(line) == 200, "who asks again later is answered"


def test_who_takes_no_answers_is_ended(hasty, monkeypatch):
    monkeypatch.setattr(connections, "MOST_TAKING", 0.6)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(1.0)
        line.connect(("127.0.0.1", hasty.port))
        wish = f"{GET}\r\n".replace("play.css", "board.js").encode()

        def ask_on() -> None:
            end = time.monotonic() + 20
            while time.monotonic() < end:
                with contextlib.suppress(TimeoutError):
                    line.sendall(wish)
                    time.sleep(0.002)

        with pytest.raises(ConnectionError):
            ask_on()
    assert hasty.ask("/")[0] == 200


# ---------------------------------------------------------------- a full disk


def full_after(files: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many files whatever is written finds the disk full."""
    left, opened = [files], os.fdopen

    def fdopen(handle: int, *how, **named):
        left[0] -= 1
        if left[0] >= 0:
            return opened(handle, *how, **named)
        os.close(handle)
        return open("/dev/full", *how, **named)

    monkeypatch.setattr(os, "fdopen", fdopen)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux")
@pytest.mark.parametrize("agents", [(PERSON, PERSON), ("random", "random")])
@pytest.mark.parametrize("files", [0, 1])
def test_a_full_disk_is_told_and_leaves_nothing(tmp_path, monkeypatch, files, agents):
    """Whether it is the keys that cannot be written or the game; and games can be begun when there is room again."""
    served = Served(tmp_path)
    try:
        before = sorted(os.listdir(tmp_path))
        with monkeypatch.context() as patch:
            full_after(files, patch)
            status, text, _ = served.ask("/games", {"battle": EPIC, "agents": agents})
        assert status == 507 and "No space left on device" in json.loads(text)["error"]
        assert sorted(os.listdir(tmp_path)) == before
        served.begin(EPIC, *agents)
    finally:
        served.stop()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux")
def test_a_lobby_that_would_make_keys_tells_of_a_full_disk(tmp_path, monkeypatch):
    served = Served(tmp_path)
    try:
        served.begin(EPIC, PERSON, PERSON)
        for keys in tmp_path.glob("epic*.keys"):
            keys.unlink()
        with monkeypatch.context() as patch:
            full_after(0, patch)
            status, text, _ = served.ask("/")
        assert status == 507 and "No space left on device" in text
        assert served.ask("/")[0] == 200
    finally:
        served.stop()


def test_keys_that_many_ask_for_at_once_are_made_once(tmp_path):
    house = GameFolder(tmp_path)
    with ThreadPoolExecutor(16) as pool:
        for number in range(30):
            asked = [pool.submit(house.keys, f"game-{number}", (PERSON, PERSON)) for _ in range(16)]
            assert len({one.result()[0] for one in asked}) == 1
