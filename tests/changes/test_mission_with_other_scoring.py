"""A mission with another way of scoring is content: it is written down, played, and scores by what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from wh_env import Battle

# of the 10th edition: markers score five points each from the first battle round on, at most twelve a turn
GRAB = {
    "name": "Grab",
    "ruleset": "w10",
    "sizes": [{"name": "Skirmish", "points": 500, "min_width_in": 30, "min_length_in": 44}],
    "rounds": 3,
    "primary": [
        {"name": "Grab", "first_scoring_round": 1, "vp_each_marker": 5, "max_vp_per_turn": 12, "max_vp_total": 36}
    ],
    "markers": {
        "number": 4, "from_edges_in": 6, "apart_in": 9, "placed_by": "players", "diameter_mm": 40, "range_in": 6,
        "range_vertical_in": 5,
    },
    "zones": {"from_centre_line_in": 6},
}  # fmt: skip
# of the 9th: nothing is scored while the battle lasts; at its end who holds more markers scores all there is
LAST_STAND = {
    "name": "Last Stand",
    "ruleset": "w9",
    "sizes": [{"name": "Combat Patrol", "points": 500, "min_width_in": 30, "min_length_in": 44}],
    "rounds": 2,
    "vp_each_marker": 0,
    "vp_more_markers": 40,
    "vp_warlord": 0,
    "markers": {
        "number": 4, "from_edges_in": 6, "apart_in": 9, "placed_by": "players", "diameter_mm": 40, "range_in": 3,
        "range_vertical_in": 5,
    },
    "zones": {"from_centre_line_in": 8},
}  # fmt: skip
SEEDS = range(4)


def markers_held(game: Battle) -> tuple[int, int]:
    """How many markers each player controls, as last determined."""
    holders = [holder for placed, holder in zip(game.objectives.placed, game.objectives.holder, strict=True) if placed]
    return holders.count(0), holders.count(1)


def played(
    battle: str, mission: Mapping[str, Any], seed: int
) -> tuple[Battle, list[tuple[int, int, int, tuple[int, int]]]]:
    """Play a battle of this mission at random: what was scored (battle round, player, points, markers of each player)."""
    chance = np.random.default_rng(seed)
    game = Battle.load(battle, seed, overrides={"mission": dict(mission)}, record=True)
    scored, told = [], 0
    while True:
        for event in game.events[told:]:
            if event.kind == "victory points":
                scored.append((game.clock.round[0], event.data["player"], event.data["scored"], markers_held(game)))
        told = len(game.events)
        if game.decision is None:
            return game, scored
        game.apply(int(chance.choice(game.decision.options)))


def test_markers_are_scored_by_the_numbers_of_the_mission() -> None:
    seen, most = set(), 0
    for seed in SEEDS:
        game, scored = played("w10/only-war-skirmish", GRAB, seed)
        totals = [0, 0]
        for battle_round, player, points, held in scored:
            totals[player] += points
            seen.add((battle_round, points))
            most = max(most, points)
            assert points in (0, 5, 10, 12)
            assert points <= 5 * held[player]
        assert list(game.players.vp) == totals
        assert game.clock.round[0] <= 3
        assert {battle_round for battle_round, *_ in scored} >= {1}
        lost = [not any(game.units.alive[u] for u in game.units_of(player)) for player in (0, 1)]
        if not any(lost):
            better = (totals[0] > totals[1]) - (totals[0] < totals[1])
            assert game.clock.winner[0] == {1: 0, -1: 1, 0: -1}[better]
    assert most >= 5  # somebody held a marker
    assert {points for battle_round, points in seen if battle_round == 1} - {
        0
    }  # which only war does not score in the first battle round


def test_only_the_end_of_the_battle_is_scored() -> None:
    ends = set()
    for seed in SEEDS:
        game, scored = played("w9/only-war-patrol", LAST_STAND, seed)
        assert all(points in (0, 40) for _, _, points, _ in scored)
        winners = [player for _, player, points, _ in scored if points]
        ends.add(tuple(winners))
        assert len(winners) <= 1
        held = markers_held(game)
        if held[0] == held[1]:
            assert winners == []
        else:
            assert winners == [int(held[1] > held[0])]
            assert game.players.vp[winners[0]] == 40 and game.players.vp[1 - winners[0]] == 0
    assert ends - {()}  # somebody held more than the other


def test_the_mission_is_checked_like_one_in_a_file() -> None:
    wrong = {**GRAB, "primary": [{**GRAB["primary"][0], "max_vp_total": 10}]}  # type: ignore[dict-item, index]
    with pytest.raises(ValueError, match="max_vp_total"):
        Battle.load("w10/only-war-skirmish", 0, overrides={"mission": wrong})
