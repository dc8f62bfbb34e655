"""A whole battle by keys alone."""

from __future__ import annotations

import pytest
from browsing import needs_chromium

from wh_env.content.replay import read_replay

pytestmark = needs_chromium

ASKED = "play.game().ask && (document.querySelector('#table .cell') ? 'places' : 'options')"
STATE = f"!play.busy() && (play.game().over ? 'over' : {ASKED})"
MOST = 600  # decisions


@pytest.mark.parametrize("battle", ["epic/bridgehead", "w10/only-war-skirmish"])
def test_a_whole_battle_by_keys(opened, battle):
    """Arrows choose a place or an option, Enter takes it."""
    page = opened(battle, "human", "greedy", seed=5)
    taken = {"places": 0, "options": 0}
    while (asked := page.wait(STATE)) != "over":
        at = page.run("return play.game().at")
        page.press("ArrowRight" if asked == "places" else "ArrowDown")
        page.enter()
        page.wait(f"play.busy() || play.game().at > {at}")
        taken[asked] += 1
        assert sum(taken.values()) < MOST
    assert all(taken.values())
    assert read_replay(page.file).complete
    assert "wins" in page.one("#question").text or "Draw" in page.one("#question").text


def test_the_log_is_read_by_keys(opened):
    page = opened("w10/only-war-skirmish", "human", "greedy", seed=5)
    page.click_through(most=8)
    log = page.one("#events")
    assert log.get_attribute("role") == "log" and log.get_attribute("aria-live") == "polite"
    page.run("document.getElementById('events').focus()")
    page.press("ArrowUp")
    page.press("ArrowUp")
    page.enter()
    assert "w10." in page.one("#events .current .card code").text
