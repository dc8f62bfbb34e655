"""Bytes from elsewhere: saved battles and replays that are damaged, of another version, or say what cannot be."""

from __future__ import annotations

import dataclasses
import json
import tracemalloc
import zlib

import numpy as np
import pytest

from wh_env import Battle, BrokenState, ContentError
from wh_env.agents.fuzzing.replays import Replays
from wh_env.agents.fuzzing.states import States
from wh_env.agents.fuzzing.weights import WeightFiles
from wh_env.content import replay as replays
from wh_env.content.replay import Recorder, parse_replay
from wh_env.core import battle as core
from wh_env.core.battle import FORMAT, MAGIC
from wh_env.core.sealed import engine_version, sealed, unsealed

SKIRMISH = "w10/only-war-skirmish"


def saved(name: str = SKIRMISH, decisions: int = 30) -> Battle:
    battle = Battle.load(name, 1)
    chance = np.random.default_rng(1)
    for _ in range(decisions):
        battle.apply(int(chance.choice(np.flatnonzero(battle.legal()))))
    return battle


@pytest.fixture(scope="module")
def battle() -> Battle:
    return saved()


def parts_of(battle: Battle) -> tuple[dict, list[bytes]]:
    return unsealed(battle.to_bytes(), MAGIC, FORMAT, "a saved battle")


# ---------------------------------------------------------------- saved battles


def test_a_battle_of_another_format_is_refused(battle):
    data = bytearray(battle.to_bytes())
    data[4:6] = (1).to_bytes(2, "little")
    with pytest.raises(ContentError) as error:
        Battle.from_bytes(bytes(data))
    assert str(error.value).startswith("<bytes>: format: 1 is another version of the file format; expected 2")
    assert engine_version() in str(error.value)


def test_a_battle_of_another_version_or_layout_is_refused(battle):
    header, parts = parts_of(battle)
    other = {**header, "version": "0.0.1"}
    with pytest.raises(ContentError, match=r"header.version: '0.0.1' is another version of wh_env; expected"):
        Battle.from_bytes(sealed(MAGIC, FORMAT, other, parts))
    with pytest.raises(ContentError, match=r"header.layout: 'x' is another layout; expected"):
        Battle.from_bytes(sealed(MAGIC, FORMAT, {**header, "layout": "x"}, parts))


def test_a_damaged_battle_is_refused(battle):
    data = battle.to_bytes()
    for at in (20, len(data) // 2, len(data) - 30):
        broken = bytearray(data)
        broken[at] ^= 1
        with pytest.raises(ContentError, match="the file is damaged"):
            Battle.from_bytes(bytes(broken))
    for short in (b"", data[:3], data[:40], data[:-1]):
        with pytest.raises(ContentError):
            Battle.from_bytes(short)


def test_what_cannot_be_is_told_by_table_row_and_column(battle):
    header, (source, _) = parts_of(battle)
    probe = battle.clone()
    probe.models.unit[3] = 4000
    with pytest.raises(ContentError) as error:
        Battle.from_bytes(sealed(MAGIC, FORMAT, header, [source, probe.state_bytes()]))
    assert (error.value.field, error.value.value) == ("state.models[3].unit", 4000)
    assert error.value.expected == f"0 to {len(battle.units.place) - 1}"


@pytest.mark.parametrize(
    "source",
    [
        "[]",
        "{}",
        '{"battle": "w10/only-war-skirmish", "rules": {}}',
        '{"battle": {}, "rules": {}}',
        '{"battle": {"ruleset": "w10", "armies": ["marines", "orks"]}, "rules": {}}',
        "[" * 100_000,
        '{"battle": NaN}',
        "\x00",
    ],
)
def test_sources_that_are_none_are_refused(battle, source):
    header, (_, state) = parts_of(battle)
    with pytest.raises(ContentError):
        Battle.from_bytes(sealed(MAGIC, FORMAT, header, [source.encode(), state]))


def test_lengths_in_a_header_are_checked_against_the_file(battle):
    data = battle.to_bytes()
    lengths = json.dumps(parts_of(battle)[0] and [len(part) for part in parts_of(battle)[1]], separators=(",", ":"))
    changed = data.replace(lengths.encode(), lengths.replace(lengths[1], "9", 1).encode(), 1)
    with pytest.raises(ContentError):
        Battle.from_bytes(changed)


# ---------------------------------------------------------------- what play meets beyond that


def raising(*_: object) -> None:
    raise KeyError("odd")


def test_errors_of_a_battle_from_bytes_are_of_one_kind(battle, monkeypatch):
    loaded = Battle.from_bytes(battle.to_bytes())
    kind = battle.setup.ruleset.kinds[battle.clock.kind[0]]
    monkeypatch.setattr(type(kind), "answer", raising)
    with pytest.raises(BrokenState, match=r"the state contradicts itself .KeyError"):
        loaded.apply(loaded.first_legal())
    with pytest.raises(KeyError):  # a fault of the engine stays what it is
        battle.clone().apply(battle.first_legal())


def test_procedures_come_to_an_end(battle, monkeypatch):
    monkeypatch.setattr(core, "MOST_STEPS", 0)
    with pytest.raises(BrokenState, match="no decision came in 0 steps"):
        battle.clone().apply(battle.first_legal())


def test_a_decision_without_options_ends_the_battle(battle, monkeypatch):
    for kind in battle.setup.ruleset.kinds:
        monkeypatch.setattr(type(kind), "options", lambda self, g, f, mask: None)
    loaded = battle.clone()
    loaded._options = bytes([1]) * loaded.setup.space.size
    with pytest.raises(BrokenState, match="has no option"):
        loaded.apply(battle.first_legal())
    with pytest.raises(ContentError, match="has none; expected a decision with an option"):
        Battle.from_bytes(battle.to_bytes())


# ---------------------------------------------------------------- replays


@pytest.fixture(scope="module")
def replay() -> replays.Replay:
    battle = Battle.load(SKIRMISH, 5)
    recorder, chance = Recorder(battle, 5, 32), np.random.default_rng(5)
    while not battle.over:
        action = int(chance.choice(np.flatnonzero(battle.legal())))
        battle.apply(action)
        recorder.add(action)
    return parse_replay(recorder.replay(("a", "b"), (1, 2)).to_bytes())


def test_the_result_in_the_header_is_verified(replay):
    replay.verify()
    vp, rounds = replay.victory_points, replay.rounds
    for changes in (
        {"winner": 1 if replay.winner != 1 else 0},
        {"victory_points": (vp[0] + 1, vp[1])},
        {"rounds": rounds + 1},
        {"complete": False},
    ):
        name = next(iter(changes))
        with pytest.raises(ContentError, match=rf"header.{name}: .* differs; expected .* as replayed"):
            dataclasses.replace(replay, **changes).verify()


def test_a_final_state_that_inflates_to_gigabytes_is_refused(replay):
    header, parts = unsealed(replay.to_bytes(), replays.MAGIC, replays.FORMAT, "a replay")
    packer = zlib.compressobj(9)
    zeros = bytes(1 << 20)
    bomb = b"".join(packer.compress(zeros) for _ in range(2048)) + packer.flush()
    data = sealed(replays.MAGIC, replays.FORMAT, header, [*parts[:2], bomb])
    tracemalloc.start()
    try:
        with pytest.raises(ContentError, match=f"a zlib stream of {header['state']} bytes"):
            parse_replay(data)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()
    header["state"] = 1 << 33
    with pytest.raises(ContentError, match=r"header.state: 8589934592 is not valid; expected 0 to 16777216"):
        parse_replay(sealed(replays.MAGIC, replays.FORMAT, header, [*parts[:2], bomb]))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("count", 2**40),
        ("count", -1),
        ("interval", 0),
        ("seed", 2**70),
        ("seed", 0.5),
        ("complete", 1),
        ("winner", 2),
        ("agents", ["x" * 1000, "b"]),
        ("agents", ["a"]),
        ("victory_points", [0, None]),
        ("source", 3),
        ("other", 3),
    ],
)
def test_numbers_and_text_in_a_header_have_ranges(replay, name, value):
    header, parts = unsealed(replay.to_bytes(), replays.MAGIC, replays.FORMAT, "a replay")
    with pytest.raises(ContentError) as error:
        parse_replay(sealed(replays.MAGIC, replays.FORMAT, {**header, name: value}, parts), "file")
    assert str(error.value).startswith(("file: header.", "file: actions", "file: checkpoints"))


def test_a_replay_with_other_tables_is_refused(replay):
    with pytest.raises(ContentError, match=r"header.layout: 'x' is another layout"):
        dataclasses.replace(replay, layout="x").new_battle()


# ---------------------------------------------------------------- mutated inputs

SMALL_STATES = States(((SKIRMISH, {"detail": "squad"}), ("epic/bridgehead", {"detail": "full"})), most=30)
REGIMENTS = States((("wap/open-skirmish", {"detail": "squad"}), ("wap/open-skirmish", {"detail": "full"})), most=30)


@pytest.mark.parametrize(
    ("source", "inputs"),
    [(SMALL_STATES, 150), (REGIMENTS, 150), (Replays(), 100), (WeightFiles(), 100)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_mutated_inputs_are_refused_or_used(source, inputs):
    used = [source.feed(source.make(np.random.default_rng((7, number)))) for number in range(inputs)]
    assert any(used)
    assert not all(used)
