"""A replay in steps: what is told, and that the shapes at each step are those of the battle."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env.content.errors import ContentError
from wh_env.content.rulebook import catalogue
from wh_env.core.questions import option_words
from wh_env.core.tables import DESTROYED
from wh_env.render.scene import build_scene
from wh_env.render.tape import DECISION, DEFAULTS, END, EVENT, FIELDS, START, record_tape, rule_card, shape_changes


@pytest.fixture(scope="module")
def states(tape) -> list[tuple[dict[str, dict[str, Any]], dict[str, Any]]]:
    """Shapes and what stands beside them at each step."""
    found, shapes, beside = [], {}, {}
    for step in tape.steps:
        shapes, beside = dict(shapes), {**beside, **step.beside}
        for key, change in step.shapes.items():
            if change is None:
                del shapes[key]
            else:
                shapes[key] = {**(shapes.get(key) or DEFAULTS), **change}
        found.append((shapes, {key: value for key, value in beside.items() if value is not None}))
    return found


def bases(shapes: dict[str, dict[str, Any]]) -> dict[int, tuple[float, float, float]]:
    """Place and facing of every model that is drawn."""
    return {int(key[1:]): (s["x"], s["y"], s["r"]) for key, s in shapes.items() if key[0] == "m" and key[1:].isdigit()}


def standing(battle) -> dict[int, tuple[float, float, float]]:
    m = battle.models
    return {k: (round(m.x[k], 3), round(m.y[k], 3), round(m.facing[k], 3)) for k in range(len(m.x)) if m.on_table[k]}


def test_every_event_and_every_decision_is_a_step(tape, replay, outcome):
    *_, battle = replay.play(record=True)
    events = [step for step in tape.steps if step.kind == EVENT]
    assert [step.rule for step in events] == [event.rule for event in battle.events]
    decisions = [step for step in tape.steps if step.kind == DECISION]
    assert [step.action for step in decisions] == list(range(len(replay.actions)))
    assert tape.steps[0].kind == START and tape.steps[-1].kind == END
    assert tape.steps[-1].words == outcome
    assert all(step.words for step in tape.steps)


def test_decisions_show_the_battle_as_it_was_asked(tape, states, replay):
    at = {step.action: n for n, step in enumerate(tape.steps) if step.kind == DECISION}
    for number, battle in enumerate(replay.play()):
        shapes, beside = states[at.get(number, -1)]
        assert bases(shapes) == standing(battle)
        assert [beside[f"seat{p}"][0] for p in (0, 1)] == list(battle.players.vp)
        if number in at:
            step = tape.steps[at[number]]
            assert step.player == battle.decision.player
            assert step.words.endswith(option_words(battle, replay.actions[number]))
        for key, value in beside.items():
            if key.startswith("unit"):
                there = battle.units.place[int(key[4:])] != DESTROYED
                members = [k for k, unit in enumerate(battle.models.unit) if unit == int(key[4:]) and there]
                assert value[2] == sum(battle.models.alive[k] for k in members)
                assert value[4] == sum(battle.models.wounds[k] for k in members if battle.models.alive[k])


def test_shapes_at_a_decision_are_those_of_a_scene(tape, states, replay):
    at = {step.action: n for n, step in enumerate(tape.steps) if step.kind == DECISION}
    for number, battle in enumerate(replay.play()):
        if number % 40 == 5:
            scene, (shapes, _) = build_scene(battle), states[at[number]]
            assert shapes.keys() == scene.shapes.keys()
            for key, shape in scene.shapes.items():
                assert shapes[key]["s"] == shape.style and shapes[key]["t"] == shape.text


def test_models_do_not_fall_before_the_event_that_says_so(tape, states):
    """Within the log of a volley, a model is there until the last event that names it."""
    fallen = 0
    for before, step, (shapes, _) in zip(states, tape.steps[1:], states[1:], strict=False):
        if step.kind == EVENT and step.words.endswith("model destroyed"):
            gone = bases(before[0]).keys() - bases(shapes).keys()
            assert len(gone) == 1
            fallen += 1
        elif step.kind == EVENT and ("hit roll" in step.words or "wound roll" in step.words):
            assert bases(before[0]).keys() == bases(shapes).keys()
    assert fallen > 5


def test_an_attack_is_drawn_with_its_dice(tape, states):
    at = next(n for n, step in enumerate(tape.steps) if step.roll == "hit roll" and len(step.dice) > 3)
    assert tape.steps[at].own
    assert [key for key in states[at][0] if key[0] == "s" and "." in key]  # lines from attackers
    good = {good for step in tape.steps for _, good in step.dice}
    assert good == {-1, 0, 1}


def test_rules_are_told_with_title_and_place(tape):
    known = catalogue("w10")
    assert set(tape.rules) == {step.rule for step in tape.steps if step.rule}
    for rule, card in tape.rules.items():
        entry = known[rule]
        assert card["title"] == entry["title"] and card["text"] == entry["rule"].strip()
        assert str(entry["lines"]) in card["where"] and entry["source"] in card["where"]
    assert rule_card("w10.no.such.rule") == {"title": "w10.no.such.rule", "where": "", "text": ""}


def test_changes_are_only_what_differs():
    base = tuple(DEFAULTS.values())
    one = (*base[:2], 1.0, 2.0, *base[4:])
    two = (*base[:2], 1.5, 2.0, *base[4:])
    assert FIELDS[2:4] == ("x", "y")
    assert shape_changes({}, {"m": one}) == {"m": {"x": 1.0, "y": 2.0}}
    assert shape_changes({"m": one}, {"m": two}) == {"m": {"x": 1.5}}
    assert shape_changes({"m": two}, {"m": base}) == {"m": {"x": 0.0, "y": 0.0}}
    assert shape_changes({"m": one, "n": one}, {"m": one}) == {"n": None}


def test_progress_is_told_and_faults_are_named(replay, beginning):
    heard: list[tuple[int, int]] = []
    record_tape(beginning, lambda done, total: heard.append((done, total)))
    assert heard[-1] == (40, 40) and [done for done, _ in heard] == sorted(done for done, _ in heard)
    battle = replay.new_battle()
    illegal = next(a for a, legal in enumerate(battle.legal()) if not legal)
    wrong = type(replay)(**{**vars(replay), "actions": [illegal]})
    with pytest.raises(ContentError, match=r"actions\[0\].*cannot be replayed"):
        record_tape(wrong)


def test_an_unfinished_replay_says_so(beginning):
    assert record_tape(beginning).steps[-1].words == "The replay ends here"
