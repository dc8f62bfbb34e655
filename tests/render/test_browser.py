"""The page in Chromium: a whole battle, every step of it, without a complaint of the browser."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import needs_chromium, open_browser

from wh_env.render.page import GRAIN, build_page
from wh_env.render.tape import DECISION, EVENT
from wh_env.render.theme import colour, rgb

selenium = pytest.importorskip("selenium", reason="selenium (extra dev) is not installed")
image = pytest.importorskip("PIL.Image", reason="pillow (extra render) is not installed")

from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

pytestmark = needs_chromium

# What the page shows at each step: words, both scores, the moment, whether every shape has its element, what stands where.
WALK = """
const found = [];
const text = (selector) => document.querySelector(selector).textContent;
for (let at = 0; at < replay.steps; at++) {
  replay.go(at);
  const places = {};
  let missing = 0;
  for (const key of replay.keys()) {
    const element = replay.element(key);
    if (!element || !element.isConnected) missing++;
    else if (/^m\\d+$/.test(key)) places[key.slice(1)] = [element.style.transform, element.firstChild.style.transform];
  }
  found.push({
    words: text("#words"), scores: [text(".p0 .score"), text(".p1 .score")], moment: text("#moment"), asked: text("#asked"),
    rule: document.querySelector("#rule-where").textContent, missing, places,
    drawn: document.querySelectorAll("#table > g > *").length, shapes: replay.keys().length,
    dice: [...document.querySelectorAll("#dice b")].map((die) => die.textContent),
    current: document.querySelector("#events .current").dataset.step,
  });
}
return found;
"""


@pytest.fixture(scope="module")
def file(tape, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "battle.html"
    path.write_text(build_page(tape), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with open_browser("--force-color-profile=srgb") as driver:
        yield driver


@pytest.fixture
def page(chromium, file) -> Iterator[Any]:
    """The page as it opens; whatever the browser says about it is a fault."""
    chromium.get("about:blank")
    chromium.get(file.as_uri())
    yield chromium
    assert chromium.get_log("browser") == []


@pytest.fixture(scope="module")
def walk(chromium, file) -> list[dict[str, Any]]:
    """What is shown at each step."""
    chromium.get(file.as_uri())
    found = chromium.execute_script(WALK)
    assert chromium.get_log("browser") == []
    return found


def numbers(transform: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", transform)]


def test_every_step_is_shown(walk, tape):
    assert len(walk) == len(tape.steps)
    for at, (shown, step) in enumerate(zip(walk, tape.steps, strict=True)):
        assert shown["words"] == step.words
        assert shown["missing"] == 0 and shown["drawn"] == shown["shapes"]
        assert shown["dice"] == [str(value) for value, _ in step.dice]
        assert shown["current"] == str(at)
        assert shown["rule"] == (step.rule + tape.rules[step.rule]["where"] if step.rule else "")
        assert step.rule or step.kind != EVENT


def test_what_is_shown_is_the_battle(walk, tape, replay, outcome):
    """Places, facings and scores at every decision and at the end, read off the page, against the battle itself."""
    at = {step.action: n for n, step in enumerate(tape.steps) if step.kind == DECISION}
    grain = tape.scene.grain
    for number, battle in enumerate(replay.play()):
        shown, m = walk[at.get(number, len(walk) - 1)], battle.models
        assert [int(score.split()[0]) for score in shown["scores"]] == list(battle.players.vp)
        assert {int(k) for k in shown["places"]} == {k for k, on in enumerate(m.on_table) if on}
        for key, (moved, turned) in shown["places"].items():
            k = int(key)
            x, y = (value * grain / GRAIN for value in numbers(moved))
            assert (x, tape.scene.width - y) == pytest.approx((m.x[k], m.y[k]), abs=0.002)
            away = numbers(turned)[0] + math.degrees(m.facing[k])
            assert math.cos(math.radians(away)) == pytest.approx(1.0, abs=1e-4)
    assert walk[-1]["moment"] == "The battle is over" and walk[-1]["asked"] == outcome


def test_going_back_shows_the_same(page, walk):
    chosen = [len(walk) - 1, len(walk) // 2, 7, len(walk) // 3, 0]
    again = page.execute_script(
        "const [walk, chosen] = arguments; const script = walk.replace('for (let at = 0; at < replay.steps; at++)', "
        "'for (const at of chosen)'); return new Function('chosen', script)(chosen);",
        WALK,
        chosen,
    )
    for shown, at in zip(again, chosen, strict=True):
        assert shown == walk[at]


def test_units_terrain_and_score_are_seen(page, tape):
    """Not whether they are beautiful, but that they are there: pixels of both armies, terrain and objectives."""
    page.execute_script(
        "document.documentElement.dataset.theme = 'light'; replay.go(arguments[0])", len(tape.steps) // 2
    )
    page.execute_async_script("setTimeout(arguments[0], 300)")  # models glide to their places
    picture = np.asarray(image.open(io.BytesIO(page.get_screenshot_as_png())).convert("RGB")).astype(int)
    assert picture.shape[0] > 600 and picture.shape[1] > 1200

    def pixels(name: str) -> int:
        return int((np.abs(picture - rgb(colour(name, "light"))).max(axis=2) <= 3).sum())

    for name, least in (("p0-base", 300), ("p1-base", 300), ("felt", 20_000), ("wall", 300), ("card", 100_000)):
        assert pixels(name) > least, name
    table = page.find_element(By.ID, "table").rect
    assert table["width"] > 900 and table["height"] > 500
    texts = page.execute_script(
        "return [...document.querySelectorAll('#table text')].map((t) => [t.textContent, t.getBoundingClientRect().height])"
    )
    names = [height for words, height in texts if "×" in words]
    assert len(names) > 4 and min(names) > 8  # pixels high


def test_keys_and_buttons(page, walk, tape):
    def at() -> int:
        return int(page.execute_script("return replay.at()"))

    def press(*keys: str) -> None:
        chain = ActionChains(page)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in keys[:-1]:
            chain.key_up(key)
        chain.perform()

    assert at() == 0
    press(Keys.ARROW_RIGHT)
    assert at() == 1
    press(Keys.SHIFT, Keys.ARROW_RIGHT)
    decision = at()
    assert tape.steps[decision].kind == DECISION and tape.steps[decision].action == 0
    press(Keys.PAGE_DOWN)
    assert walk[at()]["moment"].startswith("Round 1 ·") and walk[at() - 1]["moment"] == "Before the battle"
    press(Keys.END)
    assert at() == len(walk) - 1
    press(Keys.ARROW_LEFT)
    assert at() == len(walk) - 2
    press(Keys.HOME)
    page.find_element(By.CSS_SELECTOR, "[data-do=play]").click()
    page.execute_async_script("const wait = () => replay.at() > 0 ? arguments[0]() : setTimeout(wait, 20); wait()")
    press(" ")
    stopped = at()
    page.execute_async_script("setTimeout(arguments[0], 400)")
    assert at() == stopped > 0
    line = page.find_element(By.CSS_SELECTOR, "#events li:nth-child(3)")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", line)
    line.click()
    assert at() == int(page.find_element(By.CSS_SELECTOR, "#events .current").get_attribute("data-step"))
    assert page.execute_script("return new URL(location).hash") in ("", f"#step={at()}", f"#step={stopped}")
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0


def test_zoom_units_and_themes(page, replay):
    def view() -> list[float]:
        return [float(part) for part in page.execute_script("return table.getAttribute('viewBox')").split()]

    whole = view()
    page.find_element(By.CSS_SELECTOR, "[data-do=zoom-in]").click()
    assert view()[2] == pytest.approx(whole[2] / 1.4)
    table = page.find_element(By.ID, "table")
    before = view()
    ActionChains(page).move_to_element(table).click_and_hold().move_by_offset(60, 40).release().perform()
    assert view()[0] < before[0] and view()[1] < before[1] and view()[2] == pytest.approx(before[2])
    page.find_element(By.CSS_SELECTOR, "[data-do=fit]").click()
    assert view() == pytest.approx(whole)
    page.execute_script("replay.go(replay.steps - 1)")
    page.find_element(By.CSS_SELECTOR, "[data-tab=units]").click()
    rows = page.find_elements(By.CSS_SELECTOR, "#units tr")
    *_, battle = replay.play()
    gone = [row for row in rows if row.get_attribute("class") == "gone"]
    listed = {int(row.get_attribute("data-unit")) for row in rows}
    assert {int(row.get_attribute("data-unit")) for row in gone} == {u for u in listed if not battle.units.alive[u]}
    standing = next(row for row in rows if battle.units.alive[int(row.get_attribute("data-unit"))])
    standing.click()
    assert view()[2] < whole[2]
    assert standing.find_element(By.CSS_SELECTOR, ".unit").text in standing.text
    theme = page.execute_script("return document.documentElement.dataset.theme")
    page.find_element(By.CSS_SELECTOR, "[data-do=theme]").click()
    assert {theme, page.execute_script("return document.documentElement.dataset.theme")} == {"light", "dark"}
