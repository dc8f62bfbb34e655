"""Chromium for tests: a page to play on that is open in it, and scripts that run there."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_chromium = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="chromium and chromedriver are not installed (Debian: chromium, chromium-driver)"
)


@contextmanager
def open_browser(*more: str) -> Iterator[Any]:
    """Chromium without a window, 1440 pixels wide, with ``more`` arguments; the driver of selenium."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1440,900", *more):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    try:
        yield driver
    finally:
        driver.quit()


# Clicks on something that the page offers, again and again: until the battle is over, so many clicks, a question of
# this kind, or places of a kind that is not in a list.
CLICK = """
const [most, kind, seed, places] = arguments, done = arguments[arguments.length - 1];
let state = seed, clicks = 0;
const chance = (n) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; };
const went = { places: 0, units: 0, buttons: 0 };
const tick = () => {
  const game = play.game();
  if (!game || play.busy() || (!game.ask && !game.over)) { setTimeout(tick, 2); return; }
  const asked = places && document.querySelector('#table .cell') && !places.includes(game.ask.kind);
  if (game.over || clicks >= most || game.ask.kind === kind || asked) {
    done({ clicks, went, over: game.over, kind: game.ask?.kind });
    return;
  }
  const offered = [...document.querySelectorAll("#options [data-action]:enabled, #table [data-pick]")];
  const on = offered[chance(offered.length)], at = game.at;
  on.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  if (play.busy() || play.game().at > at) { // else the click brought the table near
    went[on.matches(".cell") ? "places" : on.matches("button") ? "buttons" : "units"]++;
    clicks++;
  }
  setTimeout(tick, 2);
};
tick();
"""
AT_ONCE = 60  # clicks of one script, which a slow machine finishes within the time of a script
WAIT = """
const done = arguments[arguments.length - 1], look = new Function("return " + arguments[0]);
const tick = () => { const found = look(); if (found) done(found); else setTimeout(tick, 10); };
tick();
"""
# What a page must have for everybody: nothing that is to be hit is small, and letters stand out from what is behind
# them.
LARGE = 24  # pixels
LEAST_CONTRAST = 4.5
SCREENS = {"desk": (1366, 768), "phone": (390, 844)}
SMALL = """
const named = "button, select, summary, a[href], input, [role=tab], #events li[data-rule], #units tr";
return [...document.querySelectorAll(named)].filter((one) => one.checkVisibility() && one.getClientRects().length)
    .map((one) => [one.textContent.trim().slice(0, 30), one.getBoundingClientRect()])
    .filter(([, box]) => box.width < arguments[0] || box.height < arguments[0])
    .map(([words, box]) => `${words}: ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`);
"""
FAINT = """
const channel = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const parse = (words) => {
  const numbers = words.match(/[\\d.]+/g).map(Number);
  const most = words.startsWith("color(") ? 1 : 255;
  return [...numbers.slice(0, 3).map((one) => one / most), numbers[3] ?? 1];
};
const behind = (one) => {
  const layers = [];
  for (let at = one; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
  const over = (below, [r, g, b, a]) => [r, g, b].map((top, k) => a * top + (1 - a) * below[k]);
  return layers.reverse().reduce(over, [1, 1, 1]);
};
const found = new Set();
for (const one of document.querySelectorAll("body *:not(svg):not(svg *):not(script):not(option)")) {
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || one.disabled || one.matches(".you") || !one.checkVisibility()) continue;
  const [r, g, b, a] = parse(getComputedStyle(one).color), below = behind(one);
  const ink = [r, g, b].map((top, k) => a * top + (1 - a) * below[k]);
  const [dark, bright] = [light(ink), light(below)].sort((p, q) => p - q), ratio = (bright + 0.05) / (dark + 0.05);
  const told = one.textContent.trim().slice(0, 30);
  if (ratio < arguments[0]) found.add(`${one.tagName} ${one.className} ${told}: ${ratio.toFixed(2)}`);
}
return [...found];
"""


class Browser:
    """A page that is open, and its game."""

    def __init__(self, driver: Any, served: Any, link: str) -> None:
        self.driver, self.served = driver, served
        self.file = served.game_folder.file(re.search(r"/game/([\w-]+)", link)[1])
        driver.get(served.url(f"{link}&pace=0"))
        self.wait("play.game() && !play.busy()")

    def click_through(self, most: int = 10_000, kind: str = "", seed: int = 1) -> dict[str, Any]:
        clicks, went, told = 0, Counter(), {}
        while clicks < most and not (told and (told["over"] or told["kind"] == kind)):
            told = self.driver.execute_async_script(CLICK, min(AT_ONCE, most - clicks), kind, seed + clicks, None)
            clicks += told["clicks"]
            went.update(told["went"])
        return {**told, "clicks": clicks, "went": dict(went)}

    def click_to_places(self, seen: list[str]) -> str:
        """Clicks until places of a kind that was not seen yet are asked for; the kind, empty at the battle's end."""
        return self.driver.execute_async_script(CLICK, 300, "", 1, seen)["kind"] or ""

    def click_at(self, x: float, y: float) -> None:
        """A click of the mouse, in pixels of the page."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            event = {
                "type": kind,
                "x": x,
                "y": y,
                "button": "none" if kind == "mouseMoved" else "left",
                "clickCount": 1,
            }
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def wait(self, what: str) -> Any:
        return self.driver.execute_async_script(WAIT, what)

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def one(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def key(self, key: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(key).perform()

    def press(self, name: str, code: str = "") -> None:
        """A key, as a keyboard sends it."""
        for kind in ("rawKeyDown", "keyUp"):
            self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": kind, "key": name, "code": code or name})

    def enter(self) -> None:
        """The Enter key, which also presses a focused button."""
        for kind in ("keyDown", "keyUp"):
            told = {"type": kind, "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13}
            self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", told)
