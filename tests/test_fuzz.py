"""Mutated inputs in child processes: a short run of every kind, and that faults of every sort are seen, kept and told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from programs_in_place import in_place

import wh_env
from wh_env import Battle, ContentError
from wh_env.agents.fuzzing.dict_inputs import OddText
from wh_env.agents.fuzzing.run import (
    CLEAN,
    CRASH,
    FOREIGN,
    HANG,
    SOURCES,
    VALID,
    Tally,
    generator,
    input_of,
    places_of,
    run,
    source,
)

ROOT = Path(__file__).resolve().parent.parent
HERE = "tests.test_fuzz"


class Bad:
    """Does everything that no input may do, by its number."""

    name = "bad"

    def make(self, rng: np.random.Generator) -> bytes:
        return bytes([int(rng.integers(6))])

    def feed(self, data: bytes) -> bool:
        what = data[0]
        if what == 0:
            raise KeyError("foreign")
        if what == 1:
            os.abort()
        if what == 2:
            time.sleep(600)
        if what == 3:
            return len(np.ones(2**33)) > 0  # 64 GiB
        if what == 4:
            raise SystemExit("leaves")
        return True


class Good:
    """Refuses and takes."""

    name = "good"

    def make(self, rng: np.random.Generator) -> bytes:
        return rng.bytes(1)

    def feed(self, data: bytes) -> bool:
        return data[0] % 2 == 0


def test_a_short_run_of_every_kind_finds_nothing():
    tally = run(SOURCES, 480, seed=11, workers=2, seconds=300.0)
    assert tally.inputs == 480
    assert tally.clean, tally.findings
    for kind, row in tally.counts.items():
        assert row[CLEAN] and row[VALID], f"{kind}: {row}"


def test_inputs_are_the_same_again():
    for place in SOURCES:
        assert input_of(place, 3, 5) == input_of(place, 3, 5)
        assert len({input_of(place, 3, number) for number in range(8)}) > 4
    name = source(SOURCES[0]).name
    assert places_of([name]) == (SOURCES[0],)
    with pytest.raises(KeyError):
        places_of(["nothing"])
    assert generator(1, "a", 2).bytes(8) != generator(1, "b", 2).bytes(8)


def test_faults_of_every_sort_are_counted_and_the_rest_goes_on():
    places = (f"{HERE}:Bad", f"{HERE}:Good")
    tally = Tally()
    run(places, 24, seed=0, workers=2, seconds=4.0, megabytes=2048, tally=tally)
    assert tally.inputs == 24
    expected = {0: FOREIGN, 1: CRASH, 2: HANG, 3: FOREIGN, 4: FOREIGN, 5: VALID}
    wanted = [expected[input_of(places[0], 0, number)[0]] for number in range(0, 24, 2)]
    assert {verdict: count for verdict, count in tally.counts["bad"].items() if count} == {
        verdict: wanted.count(verdict) for verdict in set(wanted)
    }
    assert set(wanted) == {FOREIGN, CRASH, HANG, VALID}
    assert sum(tally.counts["good"][verdict] for verdict in (CLEAN, VALID)) == 12
    told = {finding.number: finding.details for finding in tally.findings if finding.verdict != HANG}
    assert any("SIGABRT" in words for words in told.values())
    assert any("MemoryError" in words for words in told.values())
    assert all(input_of(places[0], 0, finding.number) for finding in tally.findings)


def test_the_program_tells_and_keeps(tmp_path):
    options = ["--out", str(tmp_path / "kept"), "--quiet"]
    small = [*options, "--inputs", "6", "--kinds", "training", "tournament", "--workers", "1", "--json"]
    command = [sys.executable, str(ROOT / "scripts" / "fuzz.py"), *small]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["inputs"] == 6 and not told["findings"] and set(told["counts"]) == {"training", "tournament"}
    assert in_place("fuzz.py", *small).stdout == done.stdout
    wrong = in_place("fuzz.py", *options, "--kinds", "nothing")
    assert wrong.returncode == 2 and len(wrong.stderr.splitlines()) == 1 and "'nothing' is not known" in wrong.stderr


class Lengthless(dict):
    """A mapping that lies about its length."""

    def __len__(self) -> int:
        return -1


def test_odd_mappings_and_choices_are_read_once_as_what_they_hold():
    assert Battle.load("epic/bridgehead", 1, rules=Lengthless(), overrides=Lengthless()).decision is not None
    with pytest.raises(ContentError, match="rounds"):
        Battle.load("epic/bridgehead", 1, rules=Lengthless(rounds=-1))
    assert Battle.load(OddText("epic/bridgehead"), 1).decision is not None
    with pytest.raises(ContentError, match="nowhere"):
        Battle.load(OddText("epic/nowhere"), 1)
    environment = wh_env.single_env("epic", battle="epic/bridgehead", opponent="random")
    for options in ({"seat": OddText("both")}, {OddText("seat"): 0}, {"seat": [0]}):
        with pytest.raises(ContentError):
            environment.reset(seed=1, options=options)
