"""The Epic-scale game is the same game to both sides: with the players swapped everything happens as before."""

from __future__ import annotations

import pytest
from mirror import play_swapped

from wh_env import Battle

ARMIES = ["marine-patrol", "ork-raiders"]


@pytest.mark.parametrize(
    ("battlefield", "detail", "seed", "rules"),
    [
        ("river-crossing", "squad", 1, {}),
        ("broken-country", "squad", 2, {"deployment": "one-army-first"}),
        ("river-crossing", "full", 3, {}),
        ("broken-country", "full", 4, {"deployment": "secret"}),
    ],
)
def test_swapped_players_see_may_do_and_reach_the_same(battlefield, detail, seed, rules):
    def load(armies: list[str], south: int) -> Battle:
        changes = {"armies": armies, "battlefield": battlefield}
        return Battle.load(
            "epic/bridgehead", seed, detail=detail, overrides=changes, rules={**rules, "attacker": south}
        )

    a, b = load(ARMIES, 0), load(ARMIES[::-1], 1)
    play_swapped(a, b, seed, every=5)
