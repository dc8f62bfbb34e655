"""Distances are open to both players, and a model stands at one place (w8.concepts.measuring.any-time, .wobbly-model)."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest
from eighth import EighthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.envs.observation import Observer
from wh_env.testing import in_sight, pick, place, ranged, sheet, told
from wh_env.testing.moves import check_move

GUN = {"gun": ranged(48, A=1, BS=3)}
PLACES = ({"A": (10.0, 10.0), "B": (25.5, 14.25)}, {"C": (31.0, 20.75), "D": (44.0, 37.5)})


@pytest.mark.rule("w8.concepts.measuring.any-time")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("phase", ["movement", "shooting", "charge"])
def test_either_player_knows_the_distances_in_both_turns(active: int, phase: str) -> None:
    """Each seat's observation has the distance from each of its units to each enemy, and any two units can be measured; that changes
    nothing."""
    scene = EighthScene()
    units: dict[str, Any] = {}
    for player, own in enumerate(PLACES):
        for name, at in own.items():
            units[name] = scene.unit(player, sheet(name, weapons=GUN), at=at, models=1)
    battle = scene.battle(phase, active=active)
    state, asked = battle.state_bytes(), battle.decision
    everywhere = {**PLACES[0], **PLACES[1]}

    def apart(one: str, two: str) -> float:
        (x, y), (v, w) = everywhere[one], everywhere[two]
        return hypot(x - v, y - w) - 1.0  # bases of 1"

    for seat in (0, 1):
        seen = Observer(battle.setup, "entities").observe(battle, seat)["relations"]
        for i, own in enumerate(PLACES[seat]):
            for j, enemy in enumerate(PLACES[1 - seat]):
                there, distance = seen[i, j, :2]
                assert (there, 48.0 * distance) == (1.0, pytest.approx(apart(own, enemy), abs=1e-4))
    for one in everywhere:
        for two in everywhere:
            if one != two:
                assert battle.distance(units[one], units[two]) == pytest.approx(apart(one, two))
    assert (battle.state_bytes(), battle.decision) == (state, asked)


def ledge(reach: float, *, on: bool, player: int = 0) -> tuple[Battle, Any, Any]:
    """A model on a ledge 5" up behind a wall of 4", or on the ground below it, and one with a gun of that range 3" from it, on the ground."""
    scene = EighthScene()
    scene.floor(18, 18, 24, 24, 5)
    scene.wall(17.7, 18.0, 17.7, 24.0, 4.0)
    high = scene.unit(player, sheet("High"), at=(19.0, 20.5, 5.0) if on else (19.0, 20.5), models=1)
    low = scene.unit(1 - player, sheet("Low", weapons={"gun": ranged(reach, A=1, BS=3)}), at=(15.0, 20.5), models=1)
    return scene.battle("shooting", active=1 - player), high, low


@pytest.mark.rule("w8.concepts.wobbly-model")
@pytest.mark.parametrize("player", [0, 1])
def test_sight_and_range_are_those_of_the_place_where_a_model_is_recorded(player: int) -> None:
    """3" across and 5" up, less what the shooter is tall: seen over the wall from the ledge, hidden behind it on the ground; and in range of
    a gun that reaches from base to base, not of one that does not."""
    battle, high, low = ledge(48, on=True, player=player)
    assert in_sight(battle, low.first, high.first)
    assert battle.distance(low, high) == pytest.approx(hypot(3.0, 5.0))
    for reach, shots in ((5.9, 1), (5.8, 0)):
        battle, high, low = ledge(reach, on=True, player=player)
        for _ in range(5):
            if battle.clock.phase[0] == 3:
                battle.apply(battle.decision.options[-1])
        assert len(told(battle, "w8.attack.hit")) == shots
    battle, high, low = ledge(48, on=False, player=player)
    assert not in_sight(battle, low.first, high.first)


@pytest.mark.rule("w8.concepts.wobbly-model")
@pytest.mark.parametrize("player", [0, 1])
def test_nothing_displaces_a_model_from_there(player: int) -> None:
    """Whatever is asked and answered, it stands where it stood until its own player moves it, and then at the end of that move alone."""
    battle, high, _ = ledge(48, on=True, player=player)
    model = high.first
    stood = (*place(battle, model), battle.models.z[model])
    assert stood == (19.0, 20.5, 5.0)
    pick(battle, "Low")
    while battle.clock.phase[0] == 3:
        battle.apply(battle.decision.options[-1])
    assert battle.models.alive[model] == 0 or (*place(battle, model), battle.models.z[model]) == stood
    moving, high, _ = ledge(48, on=True, player=player)
    assert check_move(moving, high, "normal", {0: [(21.0, 20.5, 5.0)]}) == Fault.LEGAL
    assert (*place(moving, model), moving.models.z[model]) == (21.0, 20.5, 5.0)
