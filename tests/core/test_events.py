"""Events say what they are declared to say."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.core.events import FIELDS, Event, Field, Value, check_event, extended_fields
from wh_env.envs.registry import environment, rulesets

SKIRMISHES = [environment(ruleset).skirmish for ruleset in rulesets()]


@pytest.fixture(scope="module")
def setup():
    return Battle.load("epic/bridgehead", 1).setup


def sizes(setup) -> tuple[int, int]:
    layout = setup.layout
    return len(layout.view(setup.template, "units")), len(layout.view(setup.template, "models"))


def test_an_event_that_is_as_declared_has_no_fault(setup):
    units, models = sizes(setup)
    data = {
        "unit": units - 1, "model": models - 1, "models": [0, models - 1], "targets": (0, units - 1), "player": 1, "holder": -1,
        "weapon": setup.names["weapons"][0], "die": 6, "dice": [1, 6], "needed": 4, "passed": True, "place": (1.5, 2),
        "path": [(0.0, 1.0), (2.0, 3.0)], "vp": (0, 3), "phase": "Fire", "loser": -1, "order": "advance",
    }  # fmt: skip
    assert check_event(setup, Event("epic.fire.to-hit", "to hit", data)) == []


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("shooter", 1, "declares no such field"),
        ("unit", "Boyz", "a row of units, -1 for none"),
        ("unit", -2, "a row of units"),
        ("unit", True, "a row of units"),
        ("leader", -1, "a row of units"),
        ("targets", 1, "rows of units"),
        ("targets", [0, -1], "rows of units"),
        ("model", 1.0, "a row of models"),
        ("models", [[1]], "rows of models"),
        ("player", 2, "0 or 1"),
        ("player", -1, "0 or 1"),
        ("marker", 99, "a row of objectives"),
        ("weapon", "spoon", "the name of a weapon"),
        ("die", "6", "a die"),
        ("dice", [1, 2.5], "a die"),
        ("needed", "4+", "a number"),
        ("amount", float("nan"), "a number"),
        ("passed", 1, "true or false"),
        ("place", (1.0, 2.0, 3.0), "a place"),
        ("path", [1.0, 2.0], "displacements"),
        ("name", 3, "words"),
    ],
)
def test_what_is_not_as_declared_is_said_in_words(setup, key, value, expected):
    (fault,) = check_event(setup, Event("epic.fire.to-hit", "to hit", {key: value}))
    assert fault.startswith(f"event 'to hit' [epic.fire.to-hit]: {key} {value!r}: ") and expected in fault


def test_a_row_of_models_is_no_row_of_units(setup):
    units, models = sizes(setup)
    assert models > units
    assert check_event(setup, Event("r", "engages", {"target": units})) != []
    assert check_event(setup, Event("r", "engages", {"target_model": units})) == []
    assert check_event(setup, Event("r", "engages", {"target_model": models})) != []


def test_the_model_that_is_aimed_at_is_one_of_the_target(setup):
    units, models = sizes(setup)
    (fault,) = check_event(setup, Event("r", "shot", {"target": units - 1, "target_model": 0}))
    assert "target_model 0: expected a model of target" in fault
    assert check_event(setup, Event("r", "shot", {"target": units - 1, "target_model": models - 1})) == []


def test_a_ruleset_adds_fields_and_cannot_change_those_of_every_game():
    fields = extended_fields({"rank": Field(Value.NUMBER)})
    assert fields["rank"].value is Value.NUMBER and fields["unit"] is FIELDS["unit"]
    with pytest.raises(ValueError, match=r"event fields target: .*expected other names"):
        extended_fields({"target": Field(Value.MODEL)})


def test_an_event_that_means_something_else_fails_the_test_that_records_it(setup):
    battle = Battle(setup, 1, record=True)
    with pytest.raises(AssertionError, match="expected a row of units"):
        battle.note("epic.fire.to-hit", "to hit", target=sizes(setup)[0])
    assert Battle(setup, 1).note("epic.fire.to-hit", "to hit", target=-5) is None  # nothing is recorded


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("name", SKIRMISHES)
def test_random_battles_record_what_is_declared(name, detail):
    kinds = set()
    for seed in range(3):
        battle, chance = Battle.load(name, seed, detail=detail, record=True), np.random.default_rng(seed)
        while not battle.over:
            battle.apply(int(chance.choice(battle.legal().nonzero()[0])))
        assert [fault for event in battle.events for fault in check_event(battle.setup, event)] == []
        kinds |= {event.kind for event in battle.events}
    assert len(kinds) > 12
