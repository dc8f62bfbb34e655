"""The page as a report, in Chromium: charts, datasheets, a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import needs_chromium, open_browser

from wh_env.agents.chances import Chances
from wh_env.render.page import build_page
from wh_env.render.tape import DECISION, Tape, record_tape

selenium = pytest.importorskip("selenium", reason="selenium (extra dev) is not installed")

from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402

pytestmark = needs_chromium
# The base of a model that nothing else lies on, near the middle of the table.
BASE = """
const middle = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
return [...document.querySelectorAll("#table g.base[data-unit]")]
  .filter((base) => base.contains(document.elementFromPoint(...middle(base))))
  .sort((a, b) => Math.abs(middle(a)[0] - 500) - Math.abs(middle(b)[0] - 500))[0];
"""


@pytest.fixture(scope="module")
def judged(replay) -> Tape:
    """The battle with the chance to win."""
    return record_tape(replay, judge=Chances())


@pytest.fixture(scope="module")
def file(judged, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "battle.html"
    path.write_text(build_page(judged), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with open_browser() as driver:
        yield driver


@pytest.fixture
def page(chromium, file) -> Iterator[Any]:
    """The page as it opens; whatever the browser says about it is a fault."""
    chromium.get("about:blank")
    chromium.get(file.as_uri())
    yield chromium
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert chromium.get_log("browser") == []


def test_the_chance_to_win_is_judged_when_somebody_is_asked(judged: Tape) -> None:
    asked = [step for step in judged.steps if "chance" in step.beside]
    assert len(asked) > 20 and all(step.kind == DECISION or step is judged.steps[-1] for step in asked)
    assert all(step.beside["chance"] is None or 0.0 <= step.beside["chance"] <= 1.0 for step in asked)
    assert asked[-1].beside["chance"] in (0.0, 0.5, 1.0)


def test_charts_show_the_battle_and_lead_to_its_steps(page, judged: Tape) -> None:
    page.find_element(By.CSS_SELECTOR, '[data-tab="charts"]').click()
    titles = [figure.text for figure in page.find_elements(By.CSS_SELECTOR, "#charts figcaption")]
    assert [title.split("\n")[0] for title in titles] == ["Victory points", "Strength", "Chance to win"]
    assert judged.judged in page.find_element(By.ID, "charts").text
    page.execute_script("replay.go(replay.steps - 1)")
    page.execute_async_script("setTimeout(arguments[0], 50)")  # what follows a step follows at once, but not within it
    told = [part.text for part in page.find_elements(By.CSS_SELECTOR, "#charts figure:first-child figcaption b")]
    scores = [part.text.split()[0] for part in page.find_elements(By.CSS_SELECTOR, ".seat .score")]
    assert told == scores
    chart = page.find_element(By.CSS_SELECTOR, "#charts svg")
    ActionChains(page).move_to_element(chart).click().perform()
    at = page.execute_script("return replay.at()")
    assert abs(at - len(judged.steps) / 2) < 0.1 * len(judged.steps)


def test_a_click_on_a_unit_shows_its_datasheet(page, judged: Tape) -> None:
    page.execute_script("replay.go(Math.floor(replay.steps / 2))")
    page.find_element(By.CSS_SELECTOR, '[data-tab="units"]').click()
    row = page.find_element(By.CSS_SELECTOR, "#units tr[data-unit]:not(.gone)")
    unit = int(row.get_attribute("data-unit"))
    row.click()
    sheet = page.find_element(By.ID, "sheet")
    assert sheet.is_displayed() and judged.sheets[unit].title in sheet.text
    for weapon in judged.sheets[unit].tables["weapons"]:
        assert weapon["weapon"] in sheet.text
    for name in row.find_element(By.CLASS_NAME, "unit").text.split(" + "):
        assert name in sheet.text, "who is attached to it is told too"
    sheet.find_element(By.TAG_NAME, "button").click()
    assert not sheet.is_displayed()


def test_a_click_on_a_model_shows_its_datasheet_and_dragging_does_not(page) -> None:
    page.execute_script("replay.go(Math.floor(replay.steps / 2))")
    page.execute_async_script("setTimeout(arguments[0], 400)")  # models glide to their places
    base = page.execute_script(BASE)
    sheet = page.find_element(By.ID, "sheet")
    ActionChains(page).move_to_element(base).click_and_hold().move_by_offset(30, 0).release().perform()
    assert not sheet.is_displayed()
    ActionChains(page).move_to_element(base).click().perform()
    assert sheet.is_displayed() and sheet.get_attribute("data-unit") == base.get_attribute("data-unit")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568)])
def test_the_page_fits_a_phone(page, width: int, height: int) -> None:
    shape = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", shape)
    whole = page.execute_script("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert whole == [width, height], "nothing sticks out"
    for name in ("#table", "#words", "#events", "#slider", "#play", ".seat.p0 .score", ".seat.p1 .score"):
        found = page.find_element(By.CSS_SELECTOR, name).rect
        assert found["x"] >= 0 and found["x"] + found["width"] <= width + 1, name
        assert found["height"] > 0 and found["y"] + found["height"] <= height + 1, name
    buttons = page.find_elements(By.CSS_SELECTOR, "#keys button, #zoom button")
    assert all(min(button.size["width"], button.size["height"]) >= 30 for button in buttons), "large enough for thumbs"
