"""What players may say, how often, and who may ask at all: headers, keys, folders."""

from __future__ import annotations

import json
import stat

import pytest

from wh_env.agents.serving.access import Guard, cookie, is_loopback, keys_match, name_of
from wh_env.agents.serving.armies import OwnArmies
from wh_env.agents.serving.game import PERSON
from wh_env.agents.serving.game_folder import GameFolder, NewGame, new_game_of
from wh_env.agents.serving.messages import FIELDS, MOST_LETTERS, Message, Pace, Refused, parse
from wh_env.agents.serving.viewpoint import WATCHER


def test_messages_are_read():
    assert parse('{"do":"act","at":3,"action":17}') == Message("act", 3, 17)
    assert parse(b'{"do":"state"}') == Message("state")
    for do, names in FIELDS.items():
        assert parse(json.dumps({"do": do, **dict.fromkeys(names, 1)})).do == do


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "3", "[]", "{}", '"act"', "{", "\x00", '{"do":"act"}', '{"do":"act","at":1}', '{"do":"act","at":1,"action":1,"more":1}',
        '{"do":"act","at":1,"action":-1}', '{"do":"act","at":1,"action":true}', '{"do":"act","at":1,"action":1.0}',
        '{"do":"act","at":"1","action":1}', '{"do":"act","at":1,"action":null}', '{"do":"act","at":1,"action":9999999999}',
        '{"do":"act","at":1,"action":NaN}', '{"do":["act"],"at":1,"action":1}', '{"do":"sudo"}', '{"do":"state","at":1}',
        "[" * 1000, '{"a":' * 200, "9" * 1000, b"\xff\xfe\x00", "x" * (MOST_LETTERS + 1), '{"do":"state"}' + " " * MOST_LETTERS,
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused(text):
    with pytest.raises(Refused) as caught:
        parse(text)
    assert 0 < len(str(caught.value)) < 200


def test_pace():
    now = [0.0]
    pace = Pace(2.0, 3.0, lambda: now[0])
    assert [pace.allows() for _ in range(5)] == [True, True, True, False, False]
    now[0] = 1.0
    assert [pace.allows() for _ in range(3)] == [True, True, False]
    now[0] = 100.0
    assert sum(pace.allows() for _ in range(10)) == 3
    assert all(Pace(float("inf"), 0.0).allows() for _ in range(1000))


# ---------------------------------------------------------------- headers


@pytest.mark.parametrize("host", ["127.0.0.1:8321", "localhost:8321", "LOCALHOST", "[::1]:80"])
def test_this_machine_is_called_so(host):
    guard = Guard("127.0.0.1")
    assert guard.fault(host, None, "http") == ""
    assert guard.fault(host, f"http://{host}", "http") == ""


@pytest.mark.parametrize(
    "host",
    [None, "", "evil.example", "evil.example:8321", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.1.5", "127.0.0.1:x",
     "user@127.0.0.1", "127.0.0.1/..", "127.0.0.1:8321 evil", "0.0.0.0", "[::2]"],
)  # fmt: skip
def test_other_names_are_refused(host):
    assert "Host" in Guard("127.0.0.1").fault(host, None, "http")


@pytest.mark.parametrize(
    "origin",
    ["null", "", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:8322", "https://127.0.0.1:8321", "http://localhost:8321",
     "http://127.0.0.1:8321.evil.example", "http://127.0.0.1:8321/"],
)  # fmt: skip
def test_pages_of_other_origins_are_refused(origin):
    assert "Origin" in Guard("127.0.0.1").fault("127.0.0.1:8321", origin, "http")


def test_a_server_for_others_is_called_by_addresses_and_given_names():
    guard = Guard("0.0.0.0", ["tower.local"])
    assert not guard.alone
    for host in ("192.168.1.5:8321", "[fe80::1]:8321", "tower.local:8321", "Tower.Local", "127.0.0.1:8321"):
        assert guard.fault(host, None, "http") == "", host
    for host in ("evil.example", "tower.local.evil.example", "tower"):
        assert guard.fault(host, None, "http"), host
    assert Guard("192.168.1.5").fault("evil.example", None, "http")
    assert [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "0.0.0.0", "example.org")] == [True] * 3 + [
        False
    ] * 2


def test_names_keys_and_cookies():
    assert name_of("[::1]:80") == "::1" and name_of("A.b:1") == "a.b" and name_of("a:b:c") == ""
    assert keys_match("abc", "abc") and not keys_match("abc", "abd") and not keys_match("ä", "a")
    assert cookie("a=1; wh-env-seat=k_-3; b=2", "wh-env-seat") == "k_-3"
    assert cookie(None, "a") == cookie("b=1", "a") == cookie("\x00;;=", "a") == ""


# ---------------------------------------------------------------- the folder


@pytest.mark.parametrize(
    "said",
    [None, [], {}, {"battle": "epic/bridgehead"}, {"battle": "../../x", "agents": ["human", "greedy"]},
     {"battle": "/etc/passwd", "agents": ["human", "greedy"]}, {"battle": ["epic/bridgehead"], "agents": ["human", "greedy"]},
     {"battle": "epic/bridgehead", "agents": ["human"]}, {"battle": "epic/bridgehead", "agents": ["human", "os:system"]},
     {"battle": "epic/bridgehead", "agents": ["human", "learned,checkpoint=/x"]}, {"battle": "epic/bridgehead", "agents": "hg"},
     {"battle": "epic/bridgehead", "agents": ["human", "greedy"], "seed": 1},
     {"battle": "epic/bridgehead", "agents": ["human", "greedy"], "detail": "all"},
     {"battle": "epic/bridgehead?seed=1", "agents": ["human", "greedy"]}],
)  # fmt: skip
def test_a_page_begins_only_what_there_is(said):
    with pytest.raises(Refused):
        new_game_of(said, OwnArmies())


def test_games_are_kept_with_their_keys(tmp_path):
    game_folder = GameFolder(tmp_path)
    name, game = game_folder.begin(
        new_game_of({"battle": "epic/bridgehead", "agents": [PERSON, PERSON], "detail": "full"}, OwnArmies())
    )
    keys = game_folder.keys_of(name)
    assert keys.keys() == {0, 1} and len(set(keys.values())) == 2 and all(len(key) > 20 for key in keys.values())
    for file in (f"{name}.keys", "house.keys"):
        assert stat.S_IMODE((tmp_path / file).stat().st_mode) == 0o600
    other, watched = game_folder.begin(NewGame("epic/bridgehead", ("random", "random"), seed=4))
    assert game_folder.keys_of(other).keys() == {WATCHER} and watched.seed == 4 and watched.seeds == (4, 5)
    again = GameFolder(tmp_path)
    assert again.key == game_folder.key and again.keys_of(name) == keys
    assert again.open(name).battle.state_bytes() == game.battle.state_bytes()
    rows = {row["id"]: row for row in again.list()}
    assert rows.keys() == {name, other} and rows[name]["agents"] == (PERSON, PERSON) and "seed" not in json.dumps(rows)
    assert rows[other]["links"] == {WATCHER: f"/game/{other}?key={game_folder.keys_of(other)[WATCHER]}"}
    for nothing in ("", "..", "../x", "house", "no-such-game", f"{name}/../{name}"):
        assert game_folder.keys_of(nothing) == {}
        with pytest.raises(Refused):
            game_folder.open(nothing)


def test_a_damaged_game_is_told_and_the_others_are_there(tmp_path):
    game_folder = GameFolder(tmp_path)
    name, _ = game_folder.begin(NewGame("epic/bridgehead", (PERSON, "random"), seed=4))
    (tmp_path / "broken.replay").write_bytes(b"WHRP")
    rows = {row["id"]: row for row in game_folder.list()}
    assert "fault" in rows["broken"] and "fault" not in rows[name]
    (tmp_path / f"{name}.keys").write_text("[]")
    assert game_folder.keys_of(name) == {}
