"""The page for everybody: what must be hit is large, letters are no banners, text has contrast, hints move nothing,
keys do what a mouse does, and datasheets are at hand. On a desk and on a phone, for every game."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import FAINT, LARGE, LEAST_CONTRAST, SCREENS, SMALL, needs_chromium

from wh_env.envs.registry import environment, rulesets

pytestmark = needs_chromium

SEED = 3
BATTLES = {name: environment(name).skirmish for name in rulesets()}
TALLEST = 24  # pixels, of a line of letters

CELLS = """
return [...document.querySelectorAll("#table .cell")].map((cell) => cell.getBoundingClientRect())
    .map((box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2, side: Math.min(box.width, box.height) }));
"""
VISIBLE = """
const board = document.getElementById("board").getBoundingClientRect();
const across = (box) => box.x > board.x + 45 && box.right < board.right - 45;
const inside = (box) => across(box) && box.y > board.y + 40 && box.bottom < board.bottom - 90;
const seen = [...document.querySelectorAll("#table .cell")].find((cell) => inside(cell.getBoundingClientRect()));
const box = seen.getBoundingClientRect();
return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
"""
LETTERS = """
return [...document.querySelectorAll("#table text")].filter((one) => !one.closest(".base"))
    .map((one) => [one.textContent, one.getBoundingClientRect().height]);
"""
# a line of the log with more dice than there is room for
MANY_DICE = """
const dice = document.createElement("span");
dice.className = "dice";
for (let k = 0; k < 40; k++) dice.append(Object.assign(document.createElement("b"), { textContent: "6" }));
document.querySelector("#events li:last-child").append(dice);
"""
BOXES = """
const boxes = "#head, #board, #question, #options button, #tools button, nav button, #events, footer";
return [...document.querySelectorAll(boxes)]
    .map((one) => one.getBoundingClientRect()).map((box) => [box.x, box.y, box.width, box.height]);
"""
INTO_VIEW = """
const box = document.getElementById("advice").getBoundingClientRect();
return box.y >= 0 && box.bottom <= innerHeight + 1 && box.x >= 0 && box.right <= innerWidth + 1 && box.height > 60;
"""


@pytest.fixture(params=SCREENS)
def screen(request, sized) -> tuple[int, int]:
    sized(*SCREENS[request.param])
    return SCREENS[request.param]


@pytest.fixture(params=BATTLES)
def page(request, screen, opened) -> Any:
    return opened(BATTLES[request.param], "human", "random", seed=SEED)


def check_places(page: Any) -> None:
    """The places that are asked for are large, or a click makes them large; then a click on one chooses it."""
    cells, at = page.run(CELLS), page.run("return play.game().at")
    if min(cell["side"] for cell in cells) < LARGE:
        board = page.run(
            "const box = document.getElementById('board').getBoundingClientRect(); return [box.x + 60, box.right - 60]"
        )
        seen = [cell for cell in cells if board[0] < cell["x"] < board[1]]
        page.click_at(seen[len(seen) // 2]["x"], seen[len(seen) // 2]["y"])
        page.wait("!document.getElementById('go').hidden")
        assert page.run("return play.game().at") == at, "the first click only brings the table near"
        assert min(cell["side"] for cell in page.run(CELLS)) >= LARGE
    assert not [words for words, tall in page.run(LETTERS) if tall > TALLEST]
    place = page.run(VISIBLE)
    page.click_at(place["x"], place["y"])
    page.wait(f"play.busy() || play.game().at > {at}")


def test_places_are_large_enough_to_hit(page):
    """Where the unit is set up, and where it moves."""
    seen: list[str] = []
    for _ in range(2):
        seen.append(page.click_to_places(seen))
        check_places(page)
        page.wait("!play.busy() && (play.game().ask || play.game().over)")
    assert all(seen)


def test_what_is_to_be_hit_is_large_and_text_has_contrast(page, screen):
    page.click_through(most=25, seed=4)
    faults = {}
    for theme in ("light", "dark"):
        page.run(f"document.documentElement.dataset.theme = '{theme}'")
        for tab in ("units", "events"):
            page.run(f"document.querySelector('[data-tab={tab}]').click()")
            faults[theme, tab] = page.driver.execute_script(FAINT, LEAST_CONTRAST)
            assert page.driver.execute_script(SMALL, LARGE) == []
    assert not any(faults.values()), faults
    page.run(MANY_DICE)
    assert page.run("return document.documentElement.scrollWidth") <= screen[0]


def test_a_hint_moves_nothing_and_is_in_sight(page):
    page.click_through(most=25, seed=4)
    before = page.run(BOXES)
    page.run("document.getElementById('hint').click()")
    assert page.run(BOXES) == before
    page.wait("document.querySelectorAll('#advice .one').length")
    assert page.run(BOXES) == before
    assert page.run(INTO_VIEW)
    page.run("document.querySelector('#advice .one button')?.click()")
    assert page.run(BOXES) == before, "what is advised is chosen without moving anything"
    page.run("document.querySelector('#advice [data-do=close]').click()")
    assert page.run("return document.getElementById('advice').hidden")


def test_datasheets_are_a_click_away(page):
    page.click_through(most=25, seed=4)
    page.run("document.querySelector('[data-tab=units]').click()")
    for player in ("first", "last"):
        page.run(f"document.querySelector('#units table:{player}-of-type tr:not(.gone) button').click()")
        unit = page.run(f"return document.querySelector('#units table:{player}-of-type tr:not(.gone)').dataset.unit")
        page.wait(
            f"document.getElementById('sheet').dataset.unit === '{unit}' && document.getElementById('sheet').open"
        )
        columns = page.run(
            "return [...document.querySelectorAll('#sheet th')].map((one) => one.textContent.toLowerCase())"
        )
        assert {"m", "move (cm)"} & {*columns}
    inside = page.run(
        "const box = document.getElementById('sheet').getBoundingClientRect();"
        "return box.x >= 0 && box.right <= innerWidth"
    )
    assert inside
    page.press("Escape")
    assert not page.run("return document.getElementById('sheet').open")
