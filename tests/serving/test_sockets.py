"""The server: two players with dropped connections and a server that is killed, hostile messages, and who is let in."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving.conftest import Served, play_address
from wh_env import Battle
from wh_env.agents.serving.game import PERSON
from wh_env.agents.serving.messages import MOST_LETTERS
from wh_env.content.replay import read_replay

client = pytest.importorskip("websockets.sync.client", reason="websockets (extra serve) is not installed")
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
EPIC = "epic/bridgehead"


class Page:
    """A seat that is connected: what it knows, and what it says."""

    def __init__(self, address: str, **how: Any) -> None:
        self.address, self.how = address, how
        self.state: dict[str, Any] = {}
        self.connect()

    def connect(self) -> None:
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(client.connect(self.address, max_size=None, **self.how))
        self.state = self.hear("state")

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds; frames bring the state up to date."""
        while True:
            message = json.loads(self.socket.recv(timeout=60))
            if message["type"] == "frame":
                self.state = self.state | {name: message[name] for name in ("at", "ask", "undo", "over")}
                self.state["log"] = self.state["log"] + message["log"]
            if message["type"] in kinds:
                return message

    def say(self, **said: Any) -> None:
        self.socket.send(json.dumps(said))

    def act(self, chance: random.Random) -> int:
        """Answer what is asked, without waiting for what comes of it."""
        action = chance.choice([option["a"] for option in self.state["ask"]["options"]])
        self.say(do="act", at=self.state["at"], action=action)
        return action

    def drop(self) -> None:
        """The connection breaks without a word."""
        with contextlib.suppress(OSError):
            self.socket.socket.shutdown(socket.SHUT_RDWR)


def hear_ctrl_c() -> None:
    """Programs that tests start in the background would ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Program:
    """``scripts/serve.py`` in a process of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, str(ROOT / "scripts" / "serve.py"), "--games", str(folder), "--quiet", *arguments]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            preexec_fn=hear_ctrl_c,
        )
        assert self.process.stdout is not None
        self.here = self.process.stdout.readline().strip().rstrip("/")
        self.seats, self.armies = {}, {}
        if "--battle" in arguments:
            for seat in (0, 1):
                self.seats[seat], self.armies[seat] = self.process.stdout.readline().strip().split("  ")

    def address(self, link: str) -> str:
        return play_address(link).replace("http:", "ws:")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def connected(address: str) -> Page:
    """A page at a server that may still be starting."""
    for _ in range(400):
        with contextlib.suppress(OSError):
            return Page(address)
        time.sleep(0.05)
    raise AssertionError("no connection")


def test_two_play_over_dropped_connections_and_a_killed_server(tmp_path):
    """Every action that was taken is in the end in the replay, in order, and the battle that they lead to is its last state."""
    folder, seed = tmp_path / "games", 31
    program = Program(folder, "--port", "0", "--battle", EPIC, "--agents", PERSON, PERSON, "--seed", str(seed))
    pages = [connected(program.address(program.seats[seat])) for seat in (0, 1)]
    assert program.armies == dict(enumerate(Battle.load(EPIC, seed).setup.names["players"]))
    chance, taken = random.Random(7), []
    drops, kills = [10, 47], [25, 60]  # once so many actions were taken
    try:
        while not pages[0].state["over"]:
            page = pages[0] if pages[0].state["ask"] else pages[1]
            if not page.state["ask"]:
                page.hear("frame")
                continue
            before, action = page.state["at"], page.act(chance)
            troubled = True
            if drops and len(taken) >= drops[0]:  # the connection breaks before anything comes back
                drops.pop(0)
                page.drop()
                page.connect()
            elif kills and len(taken) >= kills[0]:  # the server is killed, at first perhaps before it has heard it
                if kills.pop(0) == 60:
                    page.hear("frame")
                program.kill()
                program = Program(folder, "--port", program.here.rpartition(":")[2])
                for one in pages:
                    one.drop()
                at = pages.index(page)
                pages[:] = [connected(one.address) for one in pages]
                page = pages[at]
            else:
                page.hear("frame")
                troubled = False
            if page.state["at"] != before:
                taken.append(action)
            else:  # it was not taken, so it is asked for again
                assert troubled and page.state["ask"]
            for one in pages:  # what waits is heard
                one.say(do="state")
                one.state = one.hear("state")
    finally:
        program.kill()
    replay = read_replay(next(folder.glob("*.replay")))
    assert not drops and not kills
    assert replay.actions == taken and replay.complete and len(taken) > 80
    battle = Battle.load(EPIC, seed)
    for action in taken:
        battle.apply(action)
    assert battle.state_bytes() == replay.final and battle.over
    assert pages[0].state["over"] and pages[1].state["over"]


# ---------------------------------------------------------------- hostile messages


@pytest.fixture
def table(served) -> Iterator[tuple[Any, list[Page]]]:
    """A game of two, a few actions old, and both pages."""
    links = served.begin(EPIC, PERSON, PERSON)
    pages = [Page(served.url(play_address(links[seat]), "ws")) for seat in (0, 1)]
    chance = random.Random(3)
    for _ in range(6):
        page = pages[0] if pages[0].state["ask"] else pages[1]
        page.act(chance)
        for one in pages:
            one.say(do="state")
            one.state = one.hear("state")
    name = re.search(r"/game/([\w-]+)", links[0])[1]
    yield served.game_folder.file(name), pages
    for page in pages:
        page.stack.close()


def hostile(chance: random.Random, page: Page, mine: bool) -> str | bytes:
    """A message that cannot be obeyed; ``mine``: it is the page's turn."""
    at, size = page.state["at"], 458
    legal = {option["a"] for option in page.state["ask"]["options"]} if mine else set()
    illegal = chance.choice([action for action in range(size) if action not in legal])
    anything = illegal if mine else chance.randrange(size)
    numbers = [-1, 2**31, 2**70, 1.5, True, None, "0", [0], {}, float("nan"), float("inf"), "é" * 20]
    return chance.choice(
        [
            lambda: bytes(chance.randrange(256) for _ in range(chance.randrange(1, 60))),
            lambda: "".join(chr(chance.randrange(1, 0x2FF)) for _ in range(chance.randrange(1, 60))),
            lambda: json.dumps({"do": "act", "at": at, "action": illegal + size * chance.randrange(2)} if mine else {"do": "act", "at": at, "action": anything}),
            lambda: json.dumps({"do": "look", "at": at, "action": anything}),
            lambda: json.dumps({"do": chance.choice(["act", "look"]), "at": at + chance.choice([-3, -1, 1, 9]), "action": 0}),
            lambda: json.dumps({"do": "act", "at": at, "action": chance.choice(numbers)}),
            lambda: json.dumps({"do": "act", "at": chance.choice(numbers), "action": 0}),
            lambda: json.dumps({"do": chance.choice(numbers), "at": at, "action": 0}),
            lambda: json.dumps({"do": chance.choice(["apply", "load", "__init__", "save", "", "ACT"]), "at": at}),
            lambda: json.dumps({"do": "act", "at": at, "action": anything, chance.choice(["seat", "player", "key", "seed"]): 1}),
            lambda: json.dumps({"do": "undo", "at": at + 1}),
            lambda: json.dumps({"do": "hint", "at": at + 1}),
            lambda: json.dumps({"do": "pace", "pause": 0}),
            lambda: json.dumps([{"do": "act", "at": at, "action": anything}]),
            lambda: json.dumps({"do": "act", "at": at, "action": anything})[: chance.randrange(1, 20)],
            lambda: "x" * chance.randrange(MOST_LETTERS + 1, 60_000),
            lambda: json.dumps({"do": "state", "more": "x" * chance.randrange(MOST_LETTERS, 20_000)}),
            lambda: chance.choice(["[", '{"a":', "1e999", "-"]) * chance.randrange(1, 400),
        ]
    )()  # fmt: skip


def test_five_thousand_hostile_messages_are_refused(table):
    """Malformed, out of turn, for the other seat, oversized: each is answered with an error, and the game is what it was."""
    file, pages = table
    before, chance = read_replay(file), random.Random(11)
    states = [json.dumps(page.state, sort_keys=True) for page in pages]
    for number in range(5000):
        page = pages[number % 2]
        page.socket.send(hostile(chance, page, bool(page.state["ask"])))
        answer = json.loads(page.socket.recv(timeout=60))
        assert answer["type"] == "error" and 0 < len(answer["error"]) < 300, answer
    for page, state in zip(pages, states, strict=True):
        page.say(do="state")
        assert json.dumps(page.hear("state"), sort_keys=True) == state
    assert read_replay(file) == before
    page = pages[0] if pages[0].state["ask"] else pages[1]
    action = page.act(chance)
    page.hear("frame")
    assert read_replay(file).actions == [*before.actions, action]


def test_a_message_beyond_all_measure_ends_its_connection_alone(table):
    file, pages = table
    before = read_replay(file)
    pages[0].socket.send("x" * 2_000_000)
    with pytest.raises(ConnectionClosed):
        pages[0].socket.recv(timeout=60)
    pages[1].say(do="state")
    assert pages[1].hear("state")["at"] == pages[1].state["at"]
    pages[0].connect()
    assert read_replay(file) == before


def test_too_many_messages_are_refused(tmp_path):
    served = Served(tmp_path, rate=0.5)
    try:
        page = Page(served.url(play_address(served.begin(EPIC, PERSON, PERSON)[0]), "ws"))
        for _ in range(30):
            page.say(do="undo", at=10**6)
        answers = [json.loads(page.socket.recv(timeout=60))["error"] for _ in range(30)]
        assert sum("too many" in answer for answer in answers) >= 20
        page.stack.close()
    finally:
        served.stop()


# ---------------------------------------------------------------- playing on


def test_undo_and_hints_over_the_wire(served):
    links = served.begin(EPIC, PERSON, PERSON)
    pages = [Page(served.url(play_address(links[seat]), "ws")) for seat in (0, 1)]
    page = pages[0] if pages[0].state["ask"] else pages[1]
    first = page.state
    option = first["ask"]["options"][0]["a"]
    page.say(do="look", at=first["at"], action=option)
    assert page.hear("look")["ask"]["kind"] == "deploy to"
    page.say(do="act", at=first["at"], action=option)
    page.hear("frame")
    assert page.state["undo"] and page.state["ask"]["kind"] == "deploy to"
    page.say(do="undo", at=page.state["at"])
    again = page.hear("state")
    assert again["ask"] == first["ask"] and again["log"] == first["log"] and again["shapes"] == first["shapes"]
    assert again["at"] > first["at"]
    page.say(do="hint", at=again["at"])
    assert page.hear("odds")["odds"] == []
    told = [page.hear("hint") for _ in range(3)]
    assert [one["policy"] for one in told] == ["greedy", "tactician", "learned"]
    assert {one["action"] for one in told} <= {one["a"] for one in first["ask"]["options"]}
    for one in pages:
        one.stack.close()


def test_a_policy_answers_and_a_watcher_only_watches(served):
    page = Page(served.url(play_address(served.begin(EPIC, "random", "random")[-1]), "ws"))
    page.say(do="act", at=page.state["at"], action=0)
    assert "watch" in page.hear("error")["error"]
    page.say(do="pace", pause=0)
    while not page.state["over"]:
        page.hear("frame")
    assert page.state["ask"] is None
    page.stack.close()


def test_a_policy_that_fails_is_told_and_the_game_goes_on_after_an_undo(served, monkeypatch):
    from wh_env.agents.policies.random import RandomPolicy

    chance = random.Random(5)
    with monkeypatch.context() as patch:
        patch.setattr(RandomPolicy, "act", lambda self, battle, mask: 10**6)
        page = Page(served.url(play_address(served.begin(EPIC, PERSON, "random")[0]), "ws"))
        if not page.state["ask"]:
            failed = page.hear("failed")
        else:
            while page.state["ask"]:
                page.act(chance)
                page.hear("frame")
            failed = page.hear("failed")
    assert "random cannot go on" in failed["words"]
    if page.state["undo"]:
        page.say(do="undo", at=page.state["at"])
        page.state = page.hear("state")
        page.act(chance)
        page.hear("frame")
        while not page.state["ask"]:
            page.hear("frame")
    page.stack.close()


# ---------------------------------------------------------------- who is let in


def test_pages_of_others_and_other_names_are_refused(served):
    link = served.begin(EPIC, PERSON, PERSON)[0]
    here = f"127.0.0.1:{served.port}"
    for path, data in (("/", None), (link, None), ("/assets/play.js", None), ("/games", {})):
        assert served.ask(path, data, Origin="http://evil.example")[0] == 403
        assert served.ask(path, data, Origin="null")[0] == 403
        assert served.ask(path, data, Host="evil.example")[0] == 403
        assert (
            served.ask(path, data, Host=f"evil.example:{served.port}", Origin=f"http://evil.example:{served.port}")[0]
            == 403
        )
    assert served.ask(link, Origin=f"http://{here}")[0] == 200
    address = served.url(play_address(link), "ws")
    Page(address, origin=f"http://{here}").stack.close()
    for how in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"additional_headers": {"X": "y"}, "origin": f"https://{here}"},
    ):
        with pytest.raises(InvalidStatus) as caught, client.connect(address, **how):
            pass
        assert caught.value.response.status_code == 403


def test_seats_need_their_keys(served):
    links = served.begin(EPIC, PERSON, PERSON)
    page, _, key = links[0].partition("?key=")
    assert served.ask(page)[0] == served.ask(f"{page}?key={key[:-1]}")[0] == served.ask("/game/nothing?key=x")[0] == 403
    status, text, headers = served.ask(links[0])
    assert status == 200 and '"seat":0' in text
    assert "HttpOnly" in headers["set-cookie"] and "SameSite=strict" in headers["set-cookie"]
    assert served.ask(page, Cookie=f"wh-env-seat={key}")[0] == 200
    assert '"seat":1' in served.ask(links[1], Cookie=f"wh-env-seat={key}")[1], "the address counts more than the cookie"
    for wrong in (f"{page}/play", f"{page}/play?key={key}x", "/game/nothing/play?key=x"):
        with pytest.raises(InvalidStatus), client.connect(served.url(wrong, "ws")):
            pass
    other = Page(served.url(f"{page}/play", "ws"), additional_headers={"Cookie": f"wh-env-seat={key}"})
    assert other.state["seat"] == 0
    other.stack.close()
    assert served.ask(f"{page}/replay.html?key={key}")[0] == 400, "not before the battle is over"


def test_others_need_the_key_of_the_house(tmp_path):
    served = Served(tmp_path, host="0.0.0.0")
    try:
        wish = {"battle": EPIC, "agents": [PERSON, "random"]}
        assert served.ask("/")[0] == served.ask("/?key=x")[0] == served.ask("/games", wish)[0] == 403
        assert served.ask("/games", wish, Cookie=f"wh-env-house={served.game_folder.key}x")[0] == 403
        cookie = f"wh-env-house={served.game_folder.key}"
        assert served.ask("/", Cookie=cookie)[0] == 200
        status, text, _ = served.ask("/games", wish, Cookie=cookie)
        assert status == 201
        page = json.loads(text)["links"]["0"]
        assert served.ask(page)[0] == 200 and served.ask(page.partition("?")[0])[0] == 403
        with pytest.raises(InvalidStatus), client.connect(served.url(play_address(page).partition("?")[0], "ws")):
            pass
    finally:
        served.stop()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{", "application/json"),
        (b"[" * 3000, "application/json"),
        (b"x" * 10_000, "application/json"),
        (b"{}", "text/plain"),
    ],
)
def test_requests_that_are_none(served, body, kind):
    status, text, _ = served.ask("/games", body, content_type=kind)
    assert status == 400 and json.loads(text)["error"]


def test_pages_load_nothing_from_elsewhere(served):
    links = served.begin(EPIC, PERSON, "random")
    for path in ("/", links[0]):
        _, text, headers = served.ask(path)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY" and headers["referrer-policy"] == "no-referrer"
        addresses = re.findall(r'(?:src|href)="([^"]*)"', text)
        assert addresses and all(one.startswith("/assets/") or one == "data:," for one in addresses)
        for asset in addresses:
            if asset.startswith("/"):
                status, text, _ = served.ask(asset)
                assert (
                    status == 200
                    and "http://" not in text.replace("http://www.w3.org/2000/svg", "")
                    and "url(" not in text
                )


def test_seeds_stay_here(served):
    links = served.begin(EPIC, PERSON, PERSON)
    name = re.search(r"/game/([\w-]+)", links[0])[1]
    replay = read_replay(served.game_folder.file(name))
    pages = [served.ask(path)[1] for path in ("/", *links.values())]
    for seat in (0, 1):
        page = Page(served.url(play_address(links[seat]), "ws"))
        pages.append(json.dumps(page.state))
        page.stack.close()
    assert replay.seed > 10**4
    assert not any(str(seed) in text for text in pages for seed in (replay.seed, *replay.seeds))


def test_ctrl_c_ends_the_program(tmp_path):
    program = Program(tmp_path, "--port", "0")
    program.process.send_signal(signal.SIGINT)
    assert program.process.wait(timeout=60) == 130
    program.kill()
