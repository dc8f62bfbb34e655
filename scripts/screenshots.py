"""Write docs/images/playing-*.webp: the page to play on, a picture for each game, in Chromium."""

from __future__ import annotations

import io
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from wh_env.agents.programs import fail, run
from wh_env.agents.serving.access import Guard
from wh_env.agents.serving.game_folder import GameFolder, NewGame
from wh_env.core.files import replacing

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
SEED = 3
OPPONENT = "greedy"
# for each picture the battle, the decisions that the same policy makes for the person first, and width and height
PICTURES = {
    "playing-w10": ("w10/only-war-skirmish", 60, 1366, 768),
    "playing-w9": ("w9/only-war-patrol", 60, 1366, 768),
    "playing-w8": ("w8/only-war-skirmish", 60, 1366, 768),
    "playing-wap": ("wap/open-skirmish", 60, 1366, 768),
    "playing-epic": ("epic/bridgehead", 60, 1366, 768),
    "playing-phone": ("w10/only-war-skirmish", 60, 390, 844),
}
MOST_BYTES = 150_000
READY = "return window.play && play.game() && !play.busy() && Boolean(play.game().ask)"
WAIT = 60.0  # seconds

Only = Annotated[list[str] | None, typer.Argument(help=f"Pictures to write: {', '.join(PICTURES)}. Default: all.")]


@contextmanager
def serving(folder: Path) -> Iterator[tuple[GameFolder, str]]:
    """A server of the games in a folder, with its address."""
    import uvicorn

    from wh_env.agents.serving.app import configured

    games = GameFolder(folder)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(configured(games, Guard("127.0.0.1")))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield games, f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)


@contextmanager
def browsing() -> Iterator[Any]:
    """Chromium without a window."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        fail("chromium and chromedriver are not installed (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = str(browser)
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    chrome = webdriver.Chrome(options=options, service=Service(str(driver)))
    yield chrome
    chrome.quit()


def begun(games: GameFolder, battle: str, decisions: int) -> str:
    """Begin a game and let the policy make the first decisions for both sides; the address of the person's seat."""
    from wh_env.agents.policies import make

    name, game = games.begin(NewGame(battle, ("human", OPPONENT), seed=SEED))
    policies = [make(OPPONENT, SEED + seat) for seat in (0, 1)]
    while not game.battle.over and (game.changes < decisions or game.seat != 0):
        seat = game.seat
        game.act(seat, game.at(seat), int(policies[seat].act(game.battle, game.battle.legal())))
    return games.links(name, game.agents)[0]


def shot(chrome: Any, address: str, width: int, height: int) -> bytes:
    """A picture of a page, as WebP, once it is this person's turn."""
    from PIL import Image

    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < height}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    chrome.get(f"{address}&pace=0")
    end = time.monotonic() + WAIT
    while not chrome.execute_script(READY):
        if time.monotonic() > end:
            fail(f"the page was not ready after {WAIT:.0f} s")
        time.sleep(0.05)
    chrome.execute_script(
        "document.documentElement.dataset.theme = 'light'; document.querySelector('#options button')?.focus()"
    )
    time.sleep(1.0)  # what an option leads to is shown
    picture = io.BytesIO()
    Image.open(io.BytesIO(chrome.get_screenshot_as_png())).save(picture, "WEBP", quality=82, method=6)
    return picture.getvalue()


def main(only: Only = None) -> None:
    """Write the pictures of the page."""
    wanted = only or [*PICTURES]
    if unknown := [name for name in wanted if name not in PICTURES]:
        fail(f"there is no picture {unknown[0]!r}; expected one of {', '.join(PICTURES)}")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (games, server), browsing() as chrome:
        for name in wanted:
            battle, decisions, width, height = PICTURES[name]
            data = shot(chrome, server + begun(games, battle, decisions), width, height)
            if len(data) > MOST_BYTES:
                fail(f"{name} has {len(data)} bytes, expected at most {MOST_BYTES}")
            file = FOLDER / f"{name}.webp"
            with replacing(file) as part:
                part.write_bytes(data)
            typer.echo(f"{file.name}: {len(data)} bytes")


if __name__ == "__main__":
    run(main)
