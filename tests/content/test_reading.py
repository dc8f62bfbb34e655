"""The one reader of YAML and plain data: what it takes, what it refuses and how."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import yaml

from wh_env import Battle, ContentError
from wh_env.content.load import config_root
from wh_env.content.plain import MOST_DEPTH, MOST_TEXT, MOST_VALUES, plain
from wh_env.content.reading import MOST_BYTES, parse_yaml, read_yaml
from wh_env.content.w10 import load_army, load_battle, load_datasheet

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = "w10/only-war-skirmish"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{c}: &{c} [{', '.join([f'*{b}'] * 9)}]\n" for b, c in zip("abcdefgh", "bcdefghi", strict=True)
)


def fault(call, *arguments, **named) -> ContentError:
    with pytest.raises(ContentError) as caught:
        call(*arguments, **named)
    assert str(caught.value)
    return caught.value


def test_every_file_of_the_project_reads_as_before():
    files = [*config_root().rglob("*.yaml"), ROOT / "docs/rules/epic.yaml", ROOT / "docs/rules/waivers.yaml"]
    assert len(files) > 90
    for file in files:
        assert read_yaml(file) == yaml.load(
            file.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &x [1, 2]\nb: *x\nc: {<<: {d: 1, e: 1}, e: 2}", {"a": [1, 2], "b": [1, 2], "c": {"e": 2, "d": 1}}),
        (
            "[017, 0x1f, 0b11, 1_000, -5, 1.5, 1.0e+3, ~, yes, No]",
            [15, 31, 3, 1000, -5, 1.5, 1000.0, None, True, False],
        ),
        (
            "[2024-05-01, 1:30, 1e3, '5', \"6\", !!str 7, ! 8, =]",
            ["2024-05-01", "1:30", "1e3", "5", "6", "7", "8", "="],
        ),
        ("\ufeffa: 1", {"a": 1}),
        ("7: {8: x}", {7: {8: "x"}}),
        ("", None),
    ],
)
def test_what_yaml_means(text, value):
    found = parse_yaml(text.encode(), "f")
    assert found == value
    assert repr(found) == repr(value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[" * 30_000, "stands too deep"),
        ("{a: " * 30_000, "stands too deep"),
        ("- " * 500, "stands too deep"),
        (BOMB, f"at most {MOST_VALUES} values"),
        ("&a [*a]", "stands within itself"),
        ("[*nobody]", "is not known"),
        ("? [1]\n: 2", "is no key"),
        ("? {a: 1}\n: 2", "is no key"),
        ("1.5: 2", "is no key"),
        ("~: 2", "is no key"),
        ("on: 2", "is no key"),
        ("a: 1\na: 2", "'a' stands twice"),
        ("!!python/object/apply:os.getcwd []", "'!!python/object/apply:os.getcwd' is not read"),
        ("!!binary aGk=", "is not read"),
        ("!!set {a}", "is not read"),
        ("!mine x", "is not read"),
        ("a: .inf", "finite"),
        ("a: .NaN", "finite"),
        ("a: 1.0e+999", "finite"),
        ("a: " + "9" * 5000, "63"),
        ("a: 0x" + "f" * 5000, "63"),
        ('a: "\\ud800"', "makes it unreadable"),
        ("a: \x00", "makes it unreadable"),
        ("a: \x01", "makes it unreadable"),
        ("--- 1\n--- 2", "begins a second one"),
        ("x" * (MOST_TEXT + 1), "is too long"),
        ("<<: 1", "cannot be merged"),
        ("!!float x", "does not"),
        ("a: b: c", "makes it unreadable"),
    ],
)
def test_what_is_refused(text, shown):
    assert shown in str(fault(parse_yaml, text, "f"))


def test_bytes_that_are_no_utf_8():
    assert "valid YAML in UTF-8" in str(fault(parse_yaml, b"a: \xff", "f"))
    assert "valid YAML" in str(fault(parse_yaml, "a: 1".encode("utf-16"), "f"))


# ---------------------------------------------------------------- files


def test_what_is_no_ordinary_file(tmp_path):
    os.mkfifo(tmp_path / "fifo.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    (tmp_path / "null.yaml").symlink_to("/dev/null")
    (tmp_path / "endless.yaml").symlink_to("/dev/zero")
    (tmp_path / "long.yaml").write_bytes(b"# " + b"x" * MOST_BYTES)
    (tmp_path / "latin.yaml").write_bytes("name: Bät".encode("latin-1"))
    for name in ("fifo", "folder", "loop", "null", "endless", "long", "latin", "missing", "x" * 300, "below/" * 900):
        for door in (load_army, load_battle, load_datasheet):
            fault(door, tmp_path / f"{name}.yaml")
            fault(door, str(tmp_path / f"{name}.yaml"))
    assert "device" in str(fault(read_yaml, tmp_path / "endless.yaml"))
    assert "too many" in str(fault(read_yaml, tmp_path / "long.yaml"))


@pytest.mark.parametrize(
    "name", ["a\0b", "a\0b.yaml", "x" * 5000, "w10/../../../etc/passwd", "../w10/only-war-skirmish", "", "/", "w10/"]
)
def test_names_that_are_no_names(name):
    for door in (load_army, load_battle, load_datasheet, Battle.load):
        fault(door, name)


@pytest.mark.parametrize(
    "query",
    ["seed=x", "seed=-1", "seed=99999999999999999999", "seed=[", "seed=1&seed=2", "layout=odd", "factions=[a, b]", "terrain=../x",
     "seed=&a [*a]", "a" * 5000, "seed=!!python/name:os", "=&="],
)  # fmt: skip
def test_odd_queries_behind_a_battle(query):
    fault(Battle.load, f"w10/random-skirmish?{query}")
    fault(Battle.load, f"epic/bridgehead?{query}&seed=")


# ---------------------------------------------------------------- inline


class Lying(Mapping):
    """A mapping without end."""

    def __getitem__(self, key):
        return self

    def __iter__(self):
        number = 0
        while True:
            yield f"key {number}"
            number += 1

    def __len__(self):
        return 1


class Text(str):
    """Text that cannot be compared."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


class Number(int):
    """A number that lies."""

    def __index__(self):
        return 10**9

    def __lt__(self, other):
        raise RuntimeError


def cycle():
    made = {}
    made["again"] = [made]
    return made


def nested(levels):
    made = 1
    for _ in range(levels):
        made = [made]
    return made


def test_plain_data_comes_out_in_built_in_types():
    given = {
        "a": np.int64(3),
        "b": np.float32(0.5),
        "c": np.bool_(True),
        "d": (1, Text("x")),
        "e": Number(4),
        np.uint8(7): None,
    }
    found = plain(given, "f")
    assert found == {"a": 3, "b": 0.5, "c": True, "d": [1, "x"], "e": 4, 7: None}
    assert [type(value) for value in found.values()] == [int, float, bool, list, int, type(None)]
    assert type(found["d"][1]) is str
    assert plain(nested(MOST_DEPTH), "f") == nested(MOST_DEPTH)


@pytest.mark.parametrize(
    "value",
    [cycle(), nested(MOST_DEPTH + 1), nested(50_000), Lying(), {1.5: 1}, {None: 1}, {True: 1}, {("a",): 1}, {1, 2}, b"x", 1j, np.zeros(3),
     np.datetime64("2024-01-01"), object(), "\ud800", float("nan"), float("inf"), 10**30, [1] * (MOST_VALUES + 1), "x" * (MOST_TEXT + 1),
     {np.int64(1): 1, 1: 2, "1": 3} | {Number(5): 1, 5: 2}, Path("x")],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_is_no_plain_data(value):
    if isinstance(value, dict) and "1" in value:
        assert plain(value, "f")  # equal keys are one key before they come here
        return
    fault(plain, value, "f", "field")
    fault(Battle.load, {"name": value})
    fault(Battle.load, SKIRMISH, overrides={"name": value})
    fault(Battle.load, SKIRMISH, overrides=value)
    fault(Battle.load, SKIRMISH, rules={"stratagems": value})
    fault(Battle.load, SKIRMISH, rules=value)
    fault(Battle.load, "epic/bridgehead", rules={"turns": value})


def test_numpy_numbers_are_numbers():
    battle = Battle.load(SKIRMISH, np.int64(3), rules={"rounds": np.int32(2), "marker_range": np.float64(4)})
    assert battle.setup.rules["rounds"] == 2
    assert type(battle.setup.rules["marker_range"]) is float


@pytest.mark.parametrize(
    "rules",
    [{"rounds": -1}, {"rounds": 0}, {"rounds": 21}, {"rounds": 2**31}, {"marker_range": float("nan")}, {"marker_range": float("inf")},
     {"marker_vertical": -1}, {"first_player": 2}, {"attacker": -2}, {"cp_each_command_phase": 10**9}, {"vp_each_marker": -1},
     {"rerolls": [1]}, {"rerolls": [{"player": 0}]}, {"rerolls": [{"player": 2, "roll": "hit"}]}, {"rerolls": [{"player": 0, "roll": "hits"}]},
     {"modifiers": [{"effect": "+9 to hit", "keyword": "x"}]}, {"disputes": [{"name": "x", "outcomes": []}]}, {5: 1}, {"rerolls": [{}] * 65}],
)  # fmt: skip
def test_rules_out_of_range(rules):
    error = fault(Battle.load, SKIRMISH, rules=rules)
    assert error.field.startswith("rules.")


@pytest.mark.parametrize("seed", ["1", 1.5, float("nan"), 2**63, True, [1], object()])
def test_seeds_that_are_none(seed):
    assert fault(Battle.load, SKIRMISH, seed).field == "seed"


# ---------------------------------------------------------------- numbers and names

SHEET = {
    "name": "Squad", "faction": "X", "faction_keywords": ["X"], "keywords": ["INFANTRY"],
    "models": [{"name": "Model", "min": 1, "max": 10, "M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 1,
                "base": {"circle_mm": 32}, "height_in": 1.5, "weapons": ["Gun"]}],
    "weapons": {"Gun": {"range": 24, "A": 2, "skill": 3, "S": 4, "AP": 0, "D": 1}},
    "points": [{"models": 10, "points": 100}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["weapons", "Gun", "A"], 2**31 - 1),
        (["weapons", "Gun", "A"], "99D6"),
        (["weapons", "Gun", "A"], "D6+999"),
        (["weapons", "Gun", "A"], {"dice": 3, "sides": 0}),
        (["weapons", "Gun", "A"], "9" * 5000),
        (["weapons", "Gun", "D"], 10**6),
        (["weapons", "Gun", "S"], 101),
        (["weapons", "Gun", "range"], float("nan")),
        (["weapons", "Gun", "range"], 10**9),
        (["weapons", "Gun", "abilities"], ["Sustained Hits 21"]),
        (["weapons", "Gun", "abilities"], [{"ability": "NOTHING"}]),
        (["weapons", "Gun", "abilities"], [{"ability": "ANTI"}]),
        (["weapons", "Gun", "abilities"], ["Lethal Hits"] * 33),
        (["models", 0, "W"], 501),
        (["models", 0, "T"], 101),
        (["models", 0, "max"], 101),
        (["models", 0, "M"], 101),
        (["models", 0, "M"], "99999999999999999999+"),
        (["models", 0, "OC"], 10**9),
        (["models", 0, "base"], {"circle_mm": 0.001}),
        (["models", 0, "base"], {"hull_in": [1e9, 1]}),
        (["models", 0, "height_in"], 1e9),
        (["models", 0, "weapons"], ["Gun"] * 33),
        (["name"], "x" * 121),
        (["name"], "a\nb"),
        (["name"], "a\x1b[2J"),
        (["name"], "a\u202eb"),
        (["keywords"], ["K"] * 101),
    ],
)
def test_numbers_names_and_lists_have_limits(path, value):
    def changed(data, rest):
        if not rest:
            return value
        copy = dict(data) if isinstance(data, dict) else list(data)
        copy[rest[0]] = changed(copy[rest[0]] if isinstance(copy, list) else copy.get(rest[0]), rest[1:])
        return copy

    load_datasheet(SHEET)
    error = fault(load_datasheet, changed(SHEET, path))
    assert str(path[0]) in error.field
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", str(error)), "nothing that a terminal obeys"


def test_a_model_has_at_most_64_weapon_profiles():
    many = {f"Gun {n}": {"profiles": [SHEET["weapons"]["Gun"]] * 3} for n in range(30)}
    sheet = {
        **SHEET,
        "weapons": many,
        "models": [{**SHEET["models"][0], "weapons": list(many)}],
        "keywords": ["INFANTRY", "CHARACTER"],
    }
    army = {
        "name": "A",
        "faction": "X",
        "detachment": "D",
        "units": [{"datasheet": "Squad", "warlord": True}],
        "datasheets": [sheet],
    }
    error = fault(Battle.load, SKIRMISH, overrides={"armies": [army, army]})
    assert "at most 64 weapon profiles" in str(error)


def test_so_many_faults_are_told_and_no_more():
    error = fault(load_army, {"name": "A", "faction": "X", "units": [{f"key {n}": 1} for n in range(99)]})
    assert 10 < len(error.others) <= 100
