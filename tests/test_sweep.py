"""The sweep of random battles (``golden_sweep``) is played as it was, and what compares it notices when it is not.

If the rules were meant to change: ``python tests/golden_sweep.py --ruleset ID``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace

import golden_sweep
import numpy as np
import pytest
from golden_battles import (
    Outcome,
    Trace,
    column_differences,
    column_digests,
    data_of,
    difference,
    outcome_difference,
    sweep_difference,
)

from wh_env import Battle
from wh_env.core.bounds import anything
from wh_env.core.events import Event
from wh_env.core.tables import Layout, TableSpec

GROUPS = [(ruleset, number) for ruleset, count in golden_sweep.GROUPS.items() for number in range(count)]


@pytest.mark.parametrize(("ruleset", "number"), GROUPS)
def test_the_sweep_is_played_as_it_was(ruleset, number):
    told = golden_sweep.difference(ruleset, number)
    assert told is None, told


def test_every_battle_is_in_one_group_and_kept():
    grouped = [battle.name for ruleset, number in GROUPS for battle in golden_sweep.group(ruleset, number)]
    assert sorted(grouped) == sorted(golden_sweep.BATTLES)
    assert [outcome.name for outcome in golden_sweep.kept_outcomes()] == list(golden_sweep.BATTLES)


# ---------------------------------------------------------------- a change is noticed


@dataclass(frozen=True)
class OneDie(golden_sweep.Played):
    """A battle of the sweep whose dice are one further in their sequence from the beginning of the second round on."""

    def start(self) -> Battle:
        game = super().start()
        run, dice, clock = game.run, game.dice, game.clock

        def running() -> None:
            if clock.round[0] == 2 and dice.seed_high[0] == 0:
                dice.seed_high[0], dice.counter[0] = 1, dice.counter[0] + 1
            run()

        game.run = running  # type: ignore[method-assign]
        return game


def test_another_die_is_noticed_where_it_falls():
    described = next(battle for battle in golden_sweep.BATTLES.values() if battle.most > 1000)
    changed = OneDie(**vars(described))
    kept, kept_columns = golden_sweep.play(described)
    now, now_columns = golden_sweep.play(changed)
    assert golden_sweep.play(described) == (kept, kept_columns)
    told = sweep_difference([kept], [now], kept_columns, now_columns, "see {}")
    assert told is not None and told.startswith(f"{described.name}: ") and f"see {described.name}" in told
    traces = Trace(), Trace()
    for trace, battle in zip(traces, (described, changed), strict=True):
        golden_sweep.play(battle, trace)
    words = difference(traces[0].lines, traces[1].lines)
    assert words is not None
    at = int(words.split()[1]) - 1
    assert traces[0].lines[:at] == traces[1].lines[:at] and traces[0].lines[at] != traces[1].lines[at]
    assert words.splitlines()[-2:] == [f"- {traces[0].lines[at]}", f"+ {traces[1].lines[at]}"]


def test_the_first_line_that_differs_is_told_with_those_before_it():
    kept = [f"line {n}" for n in range(20)]
    assert difference(kept, list(kept)) is None
    now = [*kept[:9], "another", *kept[10:]]
    told = "line 10 is the first that differs (- as kept, + as played now):"
    before = "\n".join(f"  line {n}" for n in range(4, 9))
    assert difference(kept, now) == f"{told}\n{before}\n- line 9\n+ another"
    assert str(difference(kept, kept[:1])).endswith("  line 0\n- line 1\n+ (it ends here)")
    assert str(difference(kept[:1], kept)).endswith("  line 0\n- (it ends here)\n+ line 1")


KEPT = Outcome("fight", 90, "over", 40, ["a b c", "d e f"], ["g", "h", "i"])
COLUMNS = {"units.x": "1", "units.y": "2", "models.z": "3"}


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (replace(KEPT), None),
        (
            replace(KEPT, marks=["a b x", "d y z"]),
            "fight: it first differs after decision 0 and up to 40, in state, later in events too",
        ),
        (replace(KEPT, digests=["g", "x", "i"]), "fight: it first differs after decision 80, in events"),
        (
            replace(KEPT, marks=["a b c"], decisions=70, end="cut"),
            "fight: it first differs after decision 40, in its end, it is cut, kept is over",
        ),
        (replace(KEPT, every=20), "fight: it has a mark every 20 decisions, kept are marks every 40"),
    ],
)
def test_a_battle_that_differs_is_told_by_its_first_mark(now, told):
    found = outcome_difference(KEPT, now)
    assert found == told


def test_what_became_of_columns_is_told():
    assert column_differences(COLUMNS, dict(COLUMNS)) == []
    assert column_differences(COLUMNS, {"effects.x": "1", "units.y": "5", "units.w": "9"}) == [
        "units.x is effects.x now, with the same values",
        "models.z is gone",
        "units.w is new",
        "units.y has other values",
    ]


def test_where_only_the_state_differs_its_columns_are_told():
    now = replace(KEPT, marks=["a b x", "d e x"], digests=["g", "h", "x"])
    moved = {"effects.x": "1", "units.y": "2", "models.z": "3"}
    told = str(sweep_difference([KEPT], [now], COLUMNS, moved, "see {}")).splitlines()
    assert told[1:] == [
        "choices and events are as they were; of the state:",
        "units.x is effects.x now, with the same values",
        "to see it, write the trace before and after the change and compare them: see fight",
    ]
    assert sweep_difference([KEPT], [KEPT], COLUMNS, COLUMNS, "") is None
    assert "nothing is kept of it" in str(sweep_difference([], [KEPT], {}, {}, ""))
    assert "kept, but not played" in str(sweep_difference([KEPT], [], {}, {}, ""))


# ---------------------------------------------------------------- what the digests hang on


def state(**tables):
    """A state of these tables, as far as digests read it; a table is an array, its row type the columns."""
    specs = [TableSpec(name, rows.dtype, len(rows), anything()) for name, rows in tables.items()]
    layout = Layout(specs)
    buffer = np.zeros(layout.size, np.uint8)
    for name, rows in tables.items():
        layout.view(buffer, name)[:] = rows
    return SimpleNamespace(setup=SimpleNamespace(layout=layout), buffer=buffer, clock=SimpleNamespace(depth=[1]))


def rows(columns, *values):
    return np.array(list(values), np.dtype(columns))


def test_a_digest_hangs_on_names_and_values_alone():
    first = state(
        units=rows([("a", "i4"), ("idle", "i4"), ("b", "f8")], (1, 0, 0.5), (-2, 0, -0.0)), flags=np.array([1, 0], "u1")
    )
    other = state(
        flags=np.array([1, 0], "i4"), units=rows([("b", "f4"), ("a", "i8")], (0.5, 1), (0.0, -2)), new=np.zeros(3, "i4")
    )
    assert column_digests(first) == column_digests(other)
    assert sorted(column_digests(first)) == ["flags", "units.a", "units.b"]
    moved = column_digests(state(units=rows([("b", "f8")], (0.5,), (0.0,)), effects=rows([("a", "i4")], (1,), (-2,))))
    assert moved["effects.a"] == column_digests(first)["units.a"] and "units.a" not in moved
    assert column_digests(state(flags=np.array([2, 0], "u1")))["flags"] != column_digests(first)["flags"]


def test_frames_above_the_depth_of_the_stack_mean_nothing():
    frames = np.arange(1, 33, dtype=np.int32)
    other = frames.copy()
    other[16:] = 7
    assert column_digests(state(stack=frames)) == column_digests(state(stack=other))
    other[15] = 7
    assert column_digests(state(stack=frames)) != column_digests(state(stack=other))


def test_numbers_of_an_event_are_plain():
    plain = Event("rule", "kind", {"place": (1.5, 2), "passed": True})
    numpy = Event("rule", "kind", {"place": (np.float64(1.5), np.int32(2)), "passed": np.bool_(True)})
    assert data_of(plain) == data_of(numpy) == '{"place": [1.5, 2], "passed": true}'


# ---------------------------------------------------------------- the program


def test_a_battle_is_told_in_words(capsys):
    name = next(name for name in golden_sweep.BATTLES if "bridgehead" in name)
    assert golden_sweep.main(["--trace", name]) == 0
    lines = capsys.readouterr().out.splitlines()
    marks = [line.removeprefix("---- choices, events, state: ") for line in lines if line.startswith("----")]
    assert marks == next(outcome.marks for outcome in golden_sweep.kept_outcomes() if outcome.name == name)
    assert any("give-order" in line for line in lines)
    assert golden_sweep.main(["--trace", "nothing"]) == 2
    assert "is no battle of the sweep" in capsys.readouterr().err
