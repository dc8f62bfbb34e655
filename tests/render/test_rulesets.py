"""Every game that is shipped can be drawn, told and replayed as a page; nothing here names one."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.content.load import config_root, rulesets
from wh_env.content.replay import Recorder
from wh_env.core.sentences import LENGTH_UNITS
from wh_env.render import Follower, render_ansi
from wh_env.render.last import telling
from wh_env.render.page import build_page
from wh_env.render.scene import build_scene
from wh_env.render.tape import record_tape
from wh_env.render.theme import styles

GAMES = rulesets()
DECISIONS = 150


@pytest.mark.parametrize("game", GAMES)
def test_a_random_battle_is_drawn(game):
    battles = sorted((config_root() / game / "battles").glob("*.yaml"))
    battle = Battle.load(f"{game}/{battles[0].stem}", 3, record=True)
    ruleset = battle.setup.ruleset
    assert ruleset.phases and ruleset.length_unit in LENGTH_UNITS
    generator, recorder, follower = np.random.default_rng(3), Recorder(battle, 3), Follower(battle)
    known, drawn = styles("light").keys(), set()
    for number in range(DECISIONS):
        if battle.over:
            break
        action = int(generator.choice(np.flatnonzero(battle.legal())))
        battle.apply(action)
        recorder.add(action)
        last, state = follower.step(), battle.state_bytes()
        if number % 6 == 0:
            scene = build_scene(battle, telling(battle, last))
            drawn |= {shape.style for shape in scene.shapes.values()}
            assert {int(key[1:]) for key in scene.shapes if key[0] == "m" and key[1:].isdigit()} == {
                k for k, on in enumerate(battle.models.on_table) if on
            }
            if (
                not battle.over and battle.clock.round[0]
            ):  # a turn that has begun is in no phase until its first one begins
                begins = ("phase", *ruleset.turn_events)
                begun = next((event.kind for event in reversed(battle.events) if event.kind in begins), "phase")
                heading = render_ansi(battle, last=last).split("\n")[1]
                assert (ruleset.phases[battle.clock.phase[0]] in heading) is (begun == "phase")
            assert battle.state_bytes() == state
    assert drawn <= known and "model-0" in drawn and "model-1" in drawn
    tape = record_tape(recorder.replay())
    *_, again = recorder.replay().play(record=True)
    assert sum(step.kind == 2 for step in tape.steps) == len(again.events)
    assert again.state_bytes() == battle.state_bytes()
    assert build_page(tape).startswith("<!doctype html>")
