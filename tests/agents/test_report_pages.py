"""Reports of tournaments and match-ups in Chromium: one look with the pages that show battles, for everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import FAINT, LARGE, LEAST_CONTRAST, SCREENS, SMALL, needs_chromium, open_browser

from tests.agents.test_tournament_pages import SKIRMISH, row
from wh_env.agents.breakdown import Accounts
from wh_env.agents.ledger import Side
from wh_env.agents.matchup import MatchUp, Shown
from wh_env.agents.matchup_page import game_of, matchup_page
from wh_env.agents.tournament import TournamentConfig
from wh_env.agents.tournament.report import battle_words, game_words, html, winner_words
from wh_env.agents.tournament.standings import summarise
from wh_env.render.page import asset, style_sheet

ARMIES = ("Astartes", "Tyranids")


def tournament() -> str:
    """The report of two games, one of them with a page."""
    rows = [row("1", "replays/one.replay"), row("2", "replays/two.replay")]
    config = TournamentConfig(name="Demo", agents=("random", "greedy"), battles=(SKIRMISH,))
    return html(config, summarise(config, rows), rows, {}, {}, {"replays/one.replay"})


def matchup() -> str:
    """The page of a match-up with one game to watch."""
    pytest.importorskip("matplotlib", reason="matplotlib (extra render) is not installed")
    accounts = Accounts(0.95)
    side = Side(
        ("Scouts", "Rippers"), (100.0, 50.0), (10.0, 0.0), (0.0, 0.0), ((10.0, 0.0), (0.0, 9.0)), (1.0,), (1.0,)
    )
    accounts.add([(side, side)] * 2)
    games = [game_of(Shown(ARMIES, 0, 1, (3, 5), b""), "x-games/1.html")]
    return matchup_page(["It wins."], MatchUp(ARMIES, why=accounts.found(ARMIES)), 0.95, games=games)


PAGES = {"tournament": tournament, "match-up": matchup}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    pytest.importorskip("selenium", reason="selenium (extra dev) is not installed")
    with open_browser() as driver:
        yield driver


@needs_chromium
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", PAGES)
def test_a_report_is_for_everybody(chromium: Any, tmp_path: Path, name: str, screen: str) -> None:
    file = tmp_path / "report.html"
    file.write_text(PAGES[name](), encoding="utf-8")
    width, height = SCREENS[screen]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    chromium.get(file.as_uri())
    themes = set()
    for _ in range(2):
        chromium.find_element("css selector", "header button").click()
        themes.add(chromium.execute_script("return document.documentElement.dataset.theme"))
        assert chromium.execute_script(FAINT, LEAST_CONTRAST) == []
        assert chromium.execute_script(SMALL, LARGE) == []
    assert themes == {"light", "dark"}
    assert chromium.execute_script("return document.documentElement.scrollWidth") <= width
    assert chromium.get_log("browser") == []


@pytest.mark.parametrize("name", PAGES)
def test_colours_and_controls_come_from_one_place(name: str) -> None:
    text = PAGES[name]()
    assert asset("base.css") in text and style_sheet() in text and asset("theme.js") in text
    own = asset("report.css")
    assert not re.search("#[0-9a-f]{3,6}", own) and "font:" not in own


def test_sides_are_named_by_agent_and_army() -> None:
    game = row("1", "replays/one.replay")
    assert game_words(game) == "random (A) against greedy (B)" and winner_words(game) == "random (A)"
    assert (
        battle_words(SKIRMISH) == "only war skirmish (w10)" and battle_words("mine/at-the-mill.yaml") == "at the mill"
    )
    text = tournament()
    assert re.findall(r'<a href="([^"]*)"[^>]*>(\w+)</a>', text) == [
        ("replays/one.html", "watch"),
        ("replays/two.replay", "file"),
    ]


def test_games_of_a_match_up_are_named_by_army_and_armies_of_one_name_by_list() -> None:
    assert game_of(Shown(ARMIES, 0, 1, (3, 5), b""), "x")[:3] == ("Astartes against Tyranids", "Tyranids", "3 : 5")
    mirrored = game_of(Shown(("A", "A"), 1, 0, (3, 5), b""), "x")
    assert mirrored[:2] == ("A (second list) against A (first list)", "A (second list)")
    assert '<a href="x-games/1.html">watch</a>' in matchup()
