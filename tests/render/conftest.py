"""A position to draw and a whole battle to replay."""

from __future__ import annotations

import os

import pytest

from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.content.replay import Recorder, Replay
from wh_env.render.tape import Tape, record_tape
from wh_env.testing import Scene, ranged, sheet

# No test opens a window.
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

SKIRMISH = "w10/only-war-skirmish"


@pytest.fixture
def stage() -> Scene:
    """Two squads, a walker on an oval base, a tank, a container, a ruin with a floor, an objective."""
    scene = Scene(size=(60, 44))
    gun = {"gun": ranged(24, A=2, BS=3, S=4)}
    scene.unit(0, sheet("Guns", weapons=gun), at=[(10, 10), (12, 10), (14, 10)])
    scene.unit(0, sheet("Walker", base_mm=(105, 70), W=8, keywords=("VEHICLE",), weapons=gun), at=(30, 12))
    scene.unit(1, sheet("Mob"), at=[(12, 20), (14, 20)])
    scene.unit(1, sheet("Tank", hull_in=(5, 3), W=11, height=3, keywords=("VEHICLE",)), at=(40, 30))
    scene.box(20, 30, 26, 34, 2.5)
    scene.ruins(44, 8, 54, 16, walls=[{"line": [(44, 8.2), (54, 8.2)], "height": 5, "thickness": 0.3}], floors=[3, 6])
    scene.woods(2, 30, 10, 36)
    scene.marker(30, 22)
    return scene


def played(most: int | None = None) -> Replay:
    battle = Battle.load(SKIRMISH, 7)
    recorder = Recorder(battle, 7)
    play_battle(battle, [make("greedy", 7), make("random", 8)], recorder=recorder, max_decisions=most)
    return recorder.replay(("greedy", "random"), (7, 8))


@pytest.fixture(scope="session")
def replay() -> Replay:
    """A whole battle."""
    return played()


@pytest.fixture(scope="session")
def beginning() -> Replay:
    """The battle up to its first moves."""
    return played(40)


@pytest.fixture(scope="session")
def tape(replay) -> Tape:
    """The same battle in steps."""
    return record_tape(replay)


@pytest.fixture(scope="session")
def outcome(replay) -> str:
    """How the whole battle ended."""
    if replay.winner is None:
        return f"Draw after {replay.rounds} rounds"
    *_, end = replay.play()
    first, count = end.players.first_unit[1 - replay.winner], end.players.units[1 - replay.winner]
    left = any(end.units.alive[first : first + count])
    how = "" if left else ": nothing is left of the other army"
    return f"{end.setup.names['players'][replay.winner]} wins after {replay.rounds} rounds{how}"
