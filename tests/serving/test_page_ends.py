"""What a page says of chances before a choice, of a battle that is over, and of the games of a server."""

from __future__ import annotations

import pytest
from browsing import FAINT, LARGE, LEAST_CONTRAST, SCREENS, SMALL, WAIT, needs_chromium

pytestmark = needs_chromium

LISTED = """
return ["running", "over"].map((id) => [...document.querySelectorAll(`#${id} li`)].map((one) => one.innerText));
"""


@pytest.mark.parametrize("battle", ["w10/only-war-skirmish", "w9/only-war-patrol", "epic/bridgehead"])
def test_pointing_at_a_target_tells_the_odds(opened, battle):
    page = opened(battle, "human", "greedy", seed=3)
    target = {"epic/bridgehead": "fire at"}.get(battle, "shoot target")
    told = page.click_through(kind=target, seed=4)
    assert told["kind"] == target
    at = page.run("return play.game().at")
    page.run("document.querySelector('#options .enemy').focus()")
    lines = page.wait("!$('odds').hidden && [...document.querySelectorAll('#odds li')].map((one) => one.textContent)")
    assert any(letter.isdigit() for line in lines for letter in line) and page.run("return play.game().at") == at


def test_a_battle_that_is_over_has_its_panel_and_its_place_in_the_lobby(opened, chromium, served):
    """Who won, both scores, a chart, the replay; the lobby lists it apart from the games that are running."""
    running = opened("w10/only-war-skirmish", "human", "random", seed=3)
    armies = running.run("return play.game().players")
    page = opened("epic/bridgehead", "human", "random", seed=3)
    played = page.run("return play.game().players")
    assert page.click_through()["over"]
    scores = page.run("return [...document.querySelectorAll('#score li')].map((one) => one.textContent)")
    assert [line.partition(":")[0] for line in scores] == played
    assert all("victory points" in line and "% of its wounds left" in line for line in scores)
    assert page.one("#end #charts svg").is_displayed() and "/replay" in page.one("#replay").get_attribute("href")
    assert not page.run("return document.querySelectorAll('#options button').length")
    chromium.get(served.url("/"))
    chromium.execute_async_script(WAIT, "document.querySelectorAll('#over li').length")
    going, ended = chromium.execute_script(LISTED)
    assert any(all(army in line for army in armies) and "a person" in line and "lead" in line for line in going)
    assert any(all(army in line for army in played) and "victory points" in line and "see" in line for line in ended)
    assert not any("player 0" in line or "player 1" in line for line in (*going, *ended))


@pytest.mark.parametrize("screen", SCREENS)
def test_the_lobby_is_for_everybody(served, chromium, sized, screen):
    served.begin("epic/bridgehead", "human", "random")
    sized(*SCREENS[screen])
    chromium.get(served.url("/"))
    chromium.execute_async_script(WAIT, "document.querySelectorAll('#running li').length")
    for theme in ("light", "dark"):
        chromium.execute_script(f"document.documentElement.dataset.theme = '{theme}'")
        assert chromium.execute_script(FAINT, LEAST_CONTRAST) == []
        assert chromium.execute_script(SMALL, LARGE) == []
    assert chromium.execute_script("return document.documentElement.scrollWidth") <= SCREENS[screen][0]
