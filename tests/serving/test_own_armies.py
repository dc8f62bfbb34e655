"""Armies that players bring to the page: rosters and lists are read, reported and played, hostile ones are refused."""

from __future__ import annotations

import http.client
import io
import json
import shutil
import threading
import time
import zipfile
from typing import Any

import pytest
import yaml
from rosters import as_json, captain, chosen, eel_riders, intercessors, roster, unit_line

from wh_env.agents.serving.armies import MOST_ARMIES, MOST_UPLOAD
from wh_env.content.load import config_root
from wh_env.content.replay import read_replay

LIST = as_json(roster(captain(), intercessors(), eel_riders()))
TEXT = b"My list (90 points)\nSpace Marines\nCaptain (90 points)\n  \xe2\x80\xa2 Warlord\n"


def bring(served: Any, data: bytes, file: str = "list.json") -> tuple[int, dict[str, Any]]:
    status, text, _ = served.ask(f"/armies?file={file}", data, content_type="application/octet-stream")
    return status, json.loads(text)


def zipped(data: bytes, count: int = 1) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for n in range(count):
            made.writestr(f"list{n}.ros", data)
    return packed.getvalue()


def test_an_army_is_brought_reported_and_played(served):
    status, told = bring(served, LIST)
    assert status == 201 and told["ruleset"] == "w10" and told["points"] > 0
    assert any("5 Intercessor Squad" in line for line in told["taken"])
    assert any("Mystery 3" in line for line in told["not_played"])
    wish = {
        "battle": "w10/only-war-skirmish",
        "agents": ["human", "greedy"],
        "armies": [f"own:{told['id']}", "w10/tyranids-skirmish"],
    }
    status, text, _ = served.ask("/games", wish)
    assert status == 201, text
    replay = read_replay(served.game_folder.file(json.loads(text)["id"]))
    first, second = json.loads(replay.source)["battle"]["armies"]
    assert (first["name"], second["name"]) == (told["name"], "Tyranids Skirmish")


def test_a_list_of_games_names_the_armies(served):
    for battle, armies in (("epic/bridgehead", ["Marine patrol", "Ork raiders"]), ("wap/open-skirmish", None)):
        served.begin(battle, "human", "random")
        row = served.game_folder.list()[0]
        assert len(row["armies"]) == 2 and (armies is None or row["armies"] == armies)


def test_an_army_too_large_for_the_battle_is_refused_by_field(served):
    _, told = bring(served, as_json(roster(captain(), intercessors(1000))))
    wish = {"battle": "w10/only-war-skirmish", "agents": ["human", "greedy"], "armies": [f"own:{told['id']}", None]}
    status, text, _ = served.ask("/games", wish)
    assert status == 400 and "points" in text and "500" in text, text


def test_an_army_of_an_unknown_faction_is_played(served):
    line, categories = [unit_line("Eel King")], ["Faction: River Folk", "Character"]
    king = chosen("Eel King", "model", points=90, profiles=line, categories=categories)
    status, told = bring(served, as_json(roster(king, eel_riders(), book="Xenos - River Folk")))
    assert status == 201 and told["faction"] == "River Folk", told
    for battle in ("w10/only-war-skirmish", "w10/random-skirmish"):
        wish = {"battle": battle, "agents": ["greedy", "human"], "armies": [None, f"own:{told['id']}"]}
        status, text, _ = served.ask("/games", wish)
        assert status == 201, text
        again = served.game_folder.open(json.loads(text)["id"])  # as after a restart of the server
        assert again.agents == ("greedy", "human")


def test_a_list_as_text_is_read(served):
    status, told = bring(served, TEXT, "list.txt")
    assert status == 201 and told["form"] == "text" and told["name"]


def test_an_army_is_found_by_its_id_alone(served):
    _, told = bring(served, LIST)
    status, text, _ = served.ask(f"/armies/{told['id']}")
    assert status == 200 and json.loads(text) == told
    assert told["id"] not in served.ask("/")[1]
    status, text, _ = served.ask("/armies/another")
    assert status == 400 and "bring it again" in text


OTHER = json.loads(LIST)
OTHER["roster"]["gameSystemName"] = "Blood Bowl"
REFUSED = {
    "too large": (b" " * (MOST_UPLOAD + 1), f"more than {MOST_UPLOAD} bytes"),
    "a zip bomb": (zipped(b"\0" * (1 << 24)), "packed at most 200 to 1"),
    "two rosters": (zipped(b"<roster/>", 2), "a zip with one roster"),
    "a broken zip": (b"PK\3\4" + b"\0" * 40, "a zip with one roster"),
    "deep JSON": (b'{"a":' * 100_000, "JSON in UTF-8"),
    "entities": (b'<!DOCTYPE a [<!ENTITY b "c">]><roster>&b;</roster>', "XML without a document type"),
    "another encoding": (TEXT.decode().encode("utf-16"), "a list as text in UTF-8"),
    "another game": (json.dumps(OTHER).encode(), "is another game"),
    "nothing": (b" \n", "list.json is empty"),
    "a catalogue": (b"<catalogue/>", "a roster of BattleScribe"),
    "no datasheet": (
        b"My list (90 points)\nSpace Marines\nEel King (90 points)\n",
        "wh-env import CATALOGUE --units 'Eel King'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_one_clear_line(served, name):
    data, expected = REFUSED[name]
    status, told = bring(served, data)
    assert status == 400 and expected in told["error"], told
    assert str(served.game_folder.folder) not in told["error"]


def test_two_at_once_while_a_game_runs(served):
    served.begin("w10/only-war-skirmish", "random", "random")
    found: list[tuple[int, dict[str, Any]]] = []
    threads = [threading.Thread(target=lambda: found.append(bring(served, LIST))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [status for status, _ in found] == [201, 201] and found[0][1]["id"] != found[1][1]["id"]


def test_the_oldest_army_makes_room(served):
    first = bring(served, TEXT)[1]["id"]
    for _ in range(MOST_ARMIES):
        last = bring(served, TEXT)[1]["id"]
    assert served.ask(f"/armies/{first}")[0] == 400 and served.ask(f"/armies/{last}")[0] == 200


@pytest.mark.parametrize(
    ("armies", "expected"),
    [
        ("both", "a list of two"),
        ([None], "a list of two"),
        ([None, 3], "armies[1]: expected null or the name"),
        (["../../etc/passwd", None], "armies[0]: there is no army"),
        (["w9/tyranids-patrol", None], "expected one of w10"),
        (["own:nobody", None], "bring it again"),
    ],
)
def test_a_game_names_only_armies_that_there_are(served, armies, expected):
    wish = {"battle": "w10/only-war-skirmish", "agents": ["human", "greedy"], "armies": armies}
    status, text, _ = served.ask("/games", wish)
    assert status == 400 and expected in json.loads(text)["error"]


def test_the_other_army_of_ones_own_battle_stays_the_one_in_its_file(served, tmp_path, monkeypatch):
    """The battle names its armies by paths beside it."""
    shipped = config_root() / "w10"
    beside = tmp_path / "w10" / "battles"
    beside.mkdir(parents=True)
    shutil.copy(shipped / "armies" / "tyranids-skirmish.yaml", beside / "theirs.yaml")
    battle = (shipped / "battles" / "only-war-skirmish.yaml").read_text(encoding="utf-8")
    fields = yaml.safe_load(battle) | {"armies": ["theirs.yaml", "theirs.yaml"]}
    (beside / "ours.yaml").write_text(yaml.safe_dump(fields), encoding="utf-8")
    (beside / "broken.yaml").write_text("ruleset: w10\narmies: [theirs.yaml]\n", encoding="utf-8")
    monkeypatch.setenv("WH_ENV_CONTENT", str(tmp_path))
    status, told = bring(served, LIST)
    assert status == 201
    wish = {"battle": "w10/ours", "agents": ["human", "greedy"], "armies": [f"own:{told['id']}", None]}
    status, text, _ = served.ask("/games", wish)
    assert status == 201, text
    status, text, _ = served.ask("/games", wish | {"battle": "w10/broken"})
    assert status == 400 and "armies: expected two" in text


def test_an_army_of_another_game_is_refused(served):
    _, told = bring(served, LIST)
    wish = {"battle": "epic/bridgehead", "agents": ["human", "greedy"], "armies": [f"own:{told['id']}", None]}
    status, text, _ = served.ask("/games", wish)
    assert status == 400 and "is an army of w10; expected one of epic" in text


def test_only_an_upload_of_its_own_kind_is_read(served):
    assert served.ask("/armies", LIST, content_type="text/plain")[0] == 400
    assert served.ask("/armies", LIST, content_type="application/octet-stream", Origin="http://other.example")[0] == 403


def test_uploads_that_dawdle_keep_no_room_for_ever(served):
    """While as many as are allowed send, another one is refused at once; when they hang up, it is read."""
    from wh_env.agents.serving.app import MOST_AT_ONCE  # needs the extra serve, as served does

    slow = [http.client.HTTPConnection("127.0.0.1", served.port, timeout=20) for _ in range(MOST_AT_ONCE)]
    for one in slow:
        one.putrequest("POST", "/armies?file=slow")
        one.putheader("content-type", "application/octet-stream")
        one.putheader("content-length", "1000")
        one.endheaders(b"half")
    until = time.monotonic() + 20
    while (answer := bring(served, TEXT))[0] == 201 and time.monotonic() < until:
        pass
    assert answer[0] == 400 and "try again in a moment" in answer[1]["error"]
    for one in slow:
        one.close()
    while (answer := bring(served, TEXT))[0] == 400 and time.monotonic() < until:
        time.sleep(0.05)
    assert answer[0] == 201


def test_armies_need_the_key_of_the_server_and_stay_in_the_address(served, tmp_path):
    others = type(served)(tmp_path, host="0.0.0.0")
    try:
        key = others.game_folder.key
        assert bring(others, TEXT)[0] == others.ask("/armies/x")[0] == 403
        cookie = f"wh-env-house={key}"
        status, text, _ = others.ask("/armies", TEXT, content_type="application/octet-stream", Cookie=cookie)
        assert status == 201
        page = http.client.HTTPConnection("127.0.0.1", others.port, timeout=20)
        page.request("GET", f"/?key={key}&army={json.loads(text)['id']}")
        assert page.getresponse().headers["location"] == f"/?army={json.loads(text)['id']}"
    finally:
        others.stop()
