"""Strategic Reserves by one edge of the table, for units too large for the grid over all of it (w10.reserves.place.*)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, pick, sheet, words


@pytest.mark.rule("w10.reserves.place.round-2", "w10.reserves.place.round-3")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("battle_round", "edges"), [(2, 3), (3, 4), (4, 4)])
def test_the_enemys_edge_is_open_to_large_units_from_round_three(player: int, battle_round: int, edges: int) -> None:
    """In round 2 not by the edge that lies in the enemy zone, from round 3 on by each edge; facing inwards or along it."""
    scene = Scene()
    large = sheet("Late", hull_in=(5.8, 5.0), keywords=("VEHICLE",))
    late = scene.unit(player, large, models=1, reserves="strategic")
    scene.unit(player, sheet("Own"), at=(30, 20), models=1)
    scene.unit(1 - player, sheet("Enemy"), at=(30, 22), models=1)
    battle = scene.battle(round=battle_round, active=player)
    while battle.decision is None or battle.decision.kind != "arrive-by":
        if battle.decision is not None and battle.decision.kind == "select-reserves":
            pick(battle, "Late")
        else:
            battle.apply(battle.first_legal())
    ways = words(battle)
    assert len(ways) == 2 * edges
    theirs = "far" if player == 0 else "near"
    assert any(theirs in way for way in ways.values()) == (edges == 4)
    depth = 44.0
    for action in ways:
        by = battle.clone()
        by.apply(action)
        while not by.models.on_table[late.first]:
            by.apply(by.first_legal())
        k, m = late.first, by.models
        # the hull turned by a quarter at a time
        along_x = abs(m.facing[k]) < 0.1 or abs(abs(m.facing[k]) - 3.14) < 0.1
        dx, dy = (2.9, 2.5) if along_x else (2.5, 2.9)
        assert min(m.x[k] + dx, 60 - m.x[k] + dx, m.y[k] + dy, depth - m.y[k] + dy) <= 6.0001
        inside = m.y[k] + dy > 34 if player == 0 else m.y[k] - dy < 10
        assert battle_round >= 3 or not inside
