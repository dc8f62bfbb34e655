"""The page in Chromium: whole skirmishes by clicks on what it offers, undoing, hints, looking ahead, keys, a lost
connection, an army of one's own."""

from __future__ import annotations

import json
import re

import pytest
from browsing import CLICK, WAIT, needs_chromium
from rosters import as_json, captain, eel_riders, intercessors, roster

from wh_env.content.replay import read_replay

selenium = pytest.importorskip("selenium", reason="selenium (extra dev) is not installed")

from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402

pytestmark = needs_chromium


@pytest.mark.parametrize("battle", ["w10/only-war-skirmish", "epic/bridgehead", "wap/open-skirmish"])
def test_a_whole_battle_by_clicks(opened, battle):
    """Every decision of a seat is a click on a unit, a place or a button; at the end the page shows the battle that the replay holds."""
    page = opened(battle, "human", "random", seed=3)
    told = page.click_through(seed=len(battle))
    assert told["over"] and all(told["went"].values()), told
    replay = read_replay(page.file)
    assert replay.complete and replay.agents == ("human", "random")
    ended = replay.verify()
    mine = 0
    for game, _ in zip(replay.play(), replay.actions, strict=False):
        mine += game.clock.player[0] == 0
    assert told["clicks"] == mine
    shown = page.run(
        """return {scores: [...document.querySelectorAll(".score")].map((one) => one.textContent), moment: document.querySelector("#moment").textContent,
        question: document.querySelector("#question").textContent, lines: document.querySelectorAll("#events li").length,
        models: [...Array(400).keys()].filter((k) => play.shape("m" + k))}"""
    )
    assert [int(score.split()[0]) for score in shown["scores"]] == list(ended.players.vp)
    assert shown["moment"] == "The battle is over" and ("wins" in shown["question"] or "Draw" in shown["question"])
    assert shown["models"] == [k for k, on in enumerate(ended.models.on_table) if on] and shown["lines"] > 50
    address = page.one("#replay").get_attribute("href")
    page.driver.get(address)
    assert page.wait("replay.steps") > mine  # it is there when the page has unpacked its data


def test_pointing_shows_what_an_option_leads_to(opened):
    page = opened("w10/only-war-skirmish", "human", "random", seed=3)
    page.click_through(kind="move to")
    before = page.run("return play.game().at")
    cell = page.driver.find_elements(By.CSS_SELECTOR, "#table .cell")[0]
    ActionChains(page.driver).move_to_element(cell).perform()
    ghosts = page.wait("document.querySelectorAll('#table .ghosts .base').length")
    assert ghosts >= 1 and page.one("#tip").text
    assert page.run("return play.game().at") == before, "looking is not doing"
    ActionChains(page.driver).click(cell).perform()
    page.wait(f"play.game().at > {before}")
    assert page.run("return document.querySelectorAll('#table .ghosts').length") <= 1


COVER = """
const cell = document.querySelector("#table .cell");
const lid = document.createElementNS("http://www.w3.org/2000/svg", "rect");
for (const name of ["x", "y", "width", "height"]) lid.setAttribute(name, cell.getAttribute(name));
cell.parentNode.append(lid);
const at = cell.getBoundingClientRect();
return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2) === lid;
"""


def test_a_place_below_a_base_can_be_pointed_at_and_clicked(opened):
    """Models stand on places that their unit may move to."""
    page = opened("w10/only-war-skirmish", "human", "random", seed=3)
    page.click_through(kind="move to")
    before = page.run("return play.game().at")
    assert page.run(COVER)
    cell = page.driver.find_elements(By.CSS_SELECTOR, "#table .cell")[0]
    ActionChains(page.driver).move_to_element(cell).perform()
    assert page.wait("document.querySelectorAll('#table .ghosts .base').length") >= 1
    assert page.run("return document.querySelector('#table .cell').classList.contains('chosen')")
    ActionChains(page.driver).click(cell).perform()
    page.wait(f"play.game().at > {before}")


def test_choosing_a_unit_shows_where_it_can_be_set_up(opened):
    page = opened("epic/bridgehead", "human", "random", seed=3)
    page.click_through(kind="select to deploy")
    ActionChains(page.driver).move_to_element(page.one("#options button")).perform()
    assert page.wait("document.querySelectorAll('#table .ghosts .then').length") > 50


def test_undo_and_hint_and_keys(opened):
    page = opened("w10/only-war-skirmish", "human", "random", seed=3)
    page.click_through(kind="select to deploy")
    log = page.run("return document.querySelectorAll('#events li').length")
    at = page.run("return play.game().at")
    page.key("1")
    page.wait(f"play.game().at > {at} && play.game().ask.kind === 'deploy to'")
    page.key("u")
    page.wait("play.game().ask.kind === 'select to deploy'")
    assert page.run("return document.querySelectorAll('#events li').length") == log
    page.one("#hint").click()
    page.wait("document.querySelectorAll('#advice .one').length === 3")
    assert [one.text for one in page.driver.find_elements(By.CSS_SELECTOR, "#advice .one b")] == [
        "greedy",
        "tactician",
        "learned",
    ]
    page.one("#advice .one button").click()
    at, words = page.run("return play.game().at"), page.one("#go").text
    assert words == page.one("#advice .one button").text
    page.one("#go").click()
    page.wait(f"play.game().at > {at}")
    page.click_through(kind="deploy to")
    page.key("\ue014")  # to the right
    first = page.run("return document.querySelector('#table .cell.chosen').dataset.pick")
    page.key("\ue014")
    assert page.run("return document.querySelector('#table .cell.chosen').dataset.pick") != first
    at = page.run("return play.game().at")
    page.key("\ue007")
    page.wait(f"play.game().at > {at}")
    line = page.driver.find_elements(By.CSS_SELECTOR, "#events li[data-rule]")[-1]
    page.run("document.querySelector('#events').scrollTop = 1e6")
    line.click()
    assert "w10." in line.find_element(By.CSS_SELECTOR, ".card code").text


def test_a_lost_connection_comes_back_to_the_same_game(opened):
    page = opened("epic/bridgehead", "human", "random", seed=3)
    page.click_through(most=5)
    before = page.run("const g = play.game(); return [g.at, g.ask && g.ask.options.length]")
    page.run("play.drop()")
    page.wait("document.querySelector('#connection').className === ''")
    page.wait("document.querySelector('#connection').className === 'on' && !play.busy()")
    assert page.run("const g = play.game(); return [g.at, g.ask && g.ask.options.length]") == before
    assert page.click_through(most=3, seed=5)["clicks"] == 3


def test_it_fits_a_phone(opened):
    page = opened("w10/only-war-skirmish", "human", "random", seed=3)
    page.click_through(kind="move to")
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    )
    try:
        wide, table, ask = page.run(
            """const box = (id) => document.getElementById(id).getBoundingClientRect();
            return [document.documentElement.scrollWidth, box("table").height, box("ask").top]"""
        )
        assert wide <= 360 and 200 < table < 600 and ask < 740, "the table and the question are seen together"
        assert page.one("#asked").is_displayed() is False
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_game_is_begun_by_the_form(chromium, served):
    chromium.get(served.url("/"))
    chromium.execute_async_script(WAIT, "document.querySelectorAll('#ruleset option').length")
    chromium.execute_script(
        """const set = (id, value) => { const one = document.getElementById(id); one.value = value; one.dispatchEvent(new Event("change")); };
        set("ruleset", "epic"); set("battle", "epic/bridgehead"); set("seat1", "random");"""
    )
    chromium.find_element(By.CSS_SELECTOR, "#new button").click()
    assert (
        chromium.execute_async_script(WAIT, "window.play && play.game() && play.game().agents.join()") == "human,random"
    )
    assert chromium.get_log("browser") == []


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_a_roster_is_brought_and_played(chromium, served, tmp_path, width, height):
    """A roster is chosen, its report read before the game, and the army takes ten decisions."""
    file = tmp_path / "my list.json"
    file.write_bytes(as_json(roster(captain(), intercessors(), eel_riders())))
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        chromium.get(served.url("/"))
        chromium.find_element(By.CSS_SELECTOR, "#bring summary").click()
        chromium.find_element(By.ID, "list").send_keys("no list at all")
        chromium.find_element(By.ID, "read").click()
        assert "expected a roster" in chromium.execute_async_script(WAIT, "$('wrong').textContent")
        chromium.find_element(By.ID, "file").send_keys(str(file))
        told = chromium.execute_async_script(WAIT, "document.querySelector('.report')?.textContent")
        assert "5 Intercessor Squad" in told and "Mystery 3" in told and "Not played" in told
        assert not chromium.find_element(By.ID, "wrong").is_displayed()
        chromium.refresh()  # the address has the army
        chromium.execute_async_script(WAIT, "document.querySelector('.report')")
        assert chromium.execute_script("return document.documentElement.scrollWidth") <= width
        chromium.execute_script(
            """const set = (id, value) => {
                const one = $(id);
                one.value = value;
                one.dispatchEvent(new Event("change"));
            };
            set("battle", "w10/only-war-skirmish"); set("army0", $("army0").options[1].value);
            set("army1", "w10/tyranids-skirmish"); set("seat1", "random");"""
        )
        chromium.find_element(By.CSS_SELECTOR, "#new button").click()
        chromium.execute_async_script(WAIT, "window.play && play.game() && !play.busy()")
        assert chromium.execute_async_script(CLICK, 10, "", 3, None)["clicks"] == 10
        name = re.search(r"/game/([\w-]+)", chromium.current_url)[1]
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    replay = read_replay(served.game_folder.file(name))
    army = json.loads(replay.source)["battle"]["armies"][0]
    assert len(replay.actions) >= 10 and "Eel Riders" in [unit["datasheet"] for unit in army["units"]]
    refused = [one for one in chromium.get_log("browser") if "/armies" not in one["message"]]
    assert refused == [], "the browser itself tells of the answer 400"
