"""States that no battle can have are found, and told by table, row, column, value and what was expected."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.core.bounds import between, declared, row_of
from wh_env.core.procedures import FRAME_SIZE
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.core.validation import Validator
from wh_env.rulesets.w10.deploy.scouts import Scouts, own_distance
from wh_env.rulesets.w40k.move.unit_moves import fill_cells
from wh_env.rulesets.w40k.questions.move_limits import SCOUT, limits_for

W10, EPIC = "w10/only-war-skirmish", "epic/bridgehead"


def played(name: str, decisions: int = 40, **how) -> Battle:
    battle = Battle.load(name, 2, **how)
    chance = np.random.default_rng(2)
    for _ in range(decisions):
        battle.apply(int(chance.choice(np.flatnonzero(battle.legal()))))
    return battle


@pytest.fixture(params=[W10, EPIC])
def battle(request) -> Battle:
    return played(request.param)


def told(battle: Battle) -> list[str]:
    return [str(fault) for fault in Validator(battle.setup).faults(battle)]


def test_a_column_without_bounds_is_an_error():
    with pytest.raises(TypeError, match="column 'other' declares no bounds"):
        declared([("one", "i4", between(0, 1)), ("other", "f8")])


def test_every_column_of_every_table_has_bounds(battle):
    for spec in battle.setup.layout.specs:
        if spec.dtype.names:
            assert tuple(spec.bounds) == spec.dtype.names, spec.name


def test_a_state_of_play_is_sound(battle):
    assert told(battle) == []
    while not battle.over:
        battle.apply(battle.first_legal())
    assert told(battle) == []


@pytest.mark.parametrize(
    ("table", "column", "value", "expected"),
    [
        ("models", "unit", 999, "0 to {units}"),
        ("models", "unit", -1, "0 to {units}"),
        ("models", "x", np.nan, "-60.0 to {length}"),
        ("models", "y", np.inf, "-60.0 to {width}"),
        ("models", "facing", 1e9, "-100.0 to 100.0"),
        ("models", "on_table", 2, "0 to 1"),
        ("models", "radius", 30.0, "as in the Setup"),
        ("models", "max_wounds", 99, "as in the Setup"),
        ("models", "first_weapon", 1, "as in the Setup"),
        ("units", "first", 2, "as in the Setup"),
        ("units", "place", 6, "0 to 5"),
        ("units", "leader", 999, "-1 to {units}"),
        ("players", "units", 9, "as in the Setup"),
        ("players", "vp", -1, "0 to 1000000"),
        ("objectives", "holder", 2, "-1 to 1"),
        ("clock", "kind", 500, "0 to"),
        ("clock", "depth", 99, "0 to"),
        ("clock", "subject", 4000, "-1 to {units}"),
        ("dice", "script_at", 2, "0 to 1"),
    ],
)
def test_a_number_out_of_its_bounds(battle, table, column, value, expected):
    battle.setup.layout.view(battle.buffer, table)[column][0] = value
    length, width = battle.setup.length + 60, battle.setup.width + 60
    wanted = expected.format(units=len(battle.units.place) - 1, length=length, width=width)
    first = told(battle)[0]
    assert first.startswith(f"{table}[0].{column}: {value}")
    assert wanted in first


@pytest.mark.parametrize(
    ("name", "table", "column", "value", "expected"),
    [
        (W10, "models", "toughness", 99, "as in the Setup"),
        (W10, "units", "shocked", 2, "0 to 1"),
        (W10, "players", "cp", -1, "0 to 1000000"),
        (EPIC, "models", "save", 9, "as in the Setup"),
        (EPIC, "units", "selected", 32, "0 to 31"),
        (EPIC, "players", "counters", -1, "0 to 1000000"),
    ],
)
def test_a_number_out_of_its_bounds_in_a_column_of_one_game(name, table, column, value, expected):
    battle = played(name)
    battle.setup.layout.view(battle.buffer, table)[column][0] = value
    first = told(battle)[0]
    assert first.startswith(f"{table}[0].{column}: {value}")
    assert expected in first


def test_bits_that_no_datasheet_has(battle):
    battle.models.rows["keywords"][1] |= np.uint64(1 << 63)
    assert "models[1].keywords" in told(battle)[0]
    assert "bits of 0x" in told(battle)[0]


def test_plain_tables_and_matrices():
    battle = played(W10)
    battle.targets[1, 2] = 9
    battle.casualties_array[3] = 5000
    found = told(battle)
    assert found[0].startswith("casualties[3]: 5000")
    assert found[1].startswith("targets[1, 2]: 9 where 0 to 3 was expected")


def test_frames_of_the_stack(battle):
    depth = battle.clock.depth[0]
    stack = battle.stack_array.reshape(-1, FRAME_SIZE)
    before = stack.copy()
    stack[0, 0] = 1000
    assert told(battle)[0].startswith("stack[0].procedure: 1000 where the number of a procedure")
    stack[:] = before
    stack[depth - 1, 1] = 77
    assert f"stack[{depth - 1}], " in told(battle)[0]
    assert "step: 77 where 0 to" in told(battle)[0]
    stack[:] = before
    stack[depth - 1, FRAME_SIZE - 3] = 5
    assert "slot 11: 5 where 0 to 0 was expected" in told(battle)[0]


def test_a_decision_that_the_procedure_on_top_does_not_ask(battle):
    battle.clock.kind[0] = (battle.clock.kind[0] + 1) % len(battle.setup.ruleset.kinds)
    assert "clock.kind" in told(battle)[0]
    assert "where a decision that" in told(battle)[0]


def test_every_kind_is_asked_by_some_procedure(battle):
    ruleset = battle.setup.ruleset
    asked = {name for procedure in ruleset.procedures for name in procedure.may_ask(ruleset)}
    assert asked == {kind.name for kind in ruleset.kinds}


# ---------------------------------------------------------------- what tables say of each other


def test_wounds_and_lives(battle):
    model = int(np.flatnonzero(battle.models.rows["alive"])[0])
    battle.models.wounds[model] = battle.models.max_wounds[model] + 1
    assert told(battle) == [
        f"models[{model}].wounds: {battle.models.wounds[model]} where no more than its Wounds was expected"
    ]
    battle.models.wounds[model] = 0
    assert f"models[{model}].alive: 1 where 1 with wounds left" in told(battle)[0]


def test_living_models_of_a_unit_are_counted(battle):
    unit = int(np.flatnonzero(battle.units.rows["alive"])[0])
    battle.units.alive[unit] -= 1
    assert told(battle)[0].startswith(f"units[{unit}].alive")


def test_a_model_fights_in_a_unit_of_its_player(battle):
    battle.models.unit[0] = len(battle.units.place) - 1
    assert any(fault.startswith("models[0].unit") for fault in told(battle))


def test_leaders_and_bodyguards_know_of_each_other():
    battle = played(W10)
    battle.units.leader[0] = 1
    assert "units[0].leader: 1 where a unit of the same player whose bodyguard is 0 was expected" in told(battle)


def test_nothing_is_carried_by_what_carries_nothing():
    battle = played(W10)
    battle.units.place[0], battle.units.carrier[0] = EMBARKED, 0
    assert any(
        fault.startswith("units[0].carrier: 0 where a unit of its player that carries others") for fault in told(battle)
    )


def test_a_battle_goes_on_or_is_over(battle):
    battle.clock.asking[0] = 0
    assert "clock.asking: 0" in told(battle)[0]
    battle.clock.asking[0] = battle.clock.over[0] = 1
    assert "clock.over: 1" in told(battle)[0]


def test_models_stand_on_the_table(battle):
    model = int(np.flatnonzero(battle.models.rows["on_table"])[0])
    battle.models.x[model] = -1.0
    assert f"models[{model}].x: -1.0 where a place on the table was expected" in told(battle)


def test_bounds_name_sizes_of_the_battle():
    assert row_of("units", none=True).resolved({"units": 7}) == (-1, 6)
    assert row_of("units", after=True).resolved({"units": 7}) == (0, 7)
    assert between(0, "width", 2).resolved({"width": 30.0}) == (0, 32.0)


# ---------------------------------------------------------------- what kernels do with numbers that are odd


def test_a_window_without_extent_has_no_cell_but_its_centre():
    """A reach of 0 used to divide by 0 and to write outside the table of cells."""
    battle = played(W10, 60)
    unit = next(u for u in range(len(battle.units.place)) if battle.units.place[u] == ON_TABLE)
    cells = np.zeros(battle.setup.space.grid**2, np.bool_)
    limits = limits_for(battle, unit, SCOUT, 0.0)
    assert fill_cells(battle, unit, limits, cells) == 1
    assert np.flatnonzero(cells).tolist() == [len(cells) // 2]


def test_a_model_that_can_move_has_a_move():
    battle = played(W10)
    battle.models.move[0] = 0.0
    assert "models[0].move: 0.0 where more than 0 for a model that can move was expected" in told(battle)


def test_only_a_unit_with_scouts_makes_a_scouts_move():
    battle = played(W10)
    ruleset, stack = battle.setup.ruleset, battle.stack_array.reshape(-1, FRAME_SIZE)
    depth = battle.clock.depth[0] = 1
    stack[depth - 1] = 0
    stack[depth - 1, :4] = ruleset.number[Scouts], 1, 0, 0
    battle.clock.kind[0] = ruleset.kind_number("scout-move")
    assert own_distance(battle, 0) == 0.0
    assert told(battle)[0].startswith("stack[0], Scouts: ")
