"""Squad detail: a unit that cannot move as it stands closes up where it goes (w10.concepts.coherency.move, w10.move.fall-back.end)."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.rulesets.w40k.move.coherency import in_coherency
from wh_env.testing import Scene, pick, sheet, slots

GRID = 17
MIDDLE = GRID * GRID // 2


def split(player: int, phase_of: str) -> Battle:
    """Three models of which one stands 6.5" from the others; an enemy model within Engagement Range of the first."""
    scene = Scene()
    scene.unit(player, sheet("Squad"), at=[(20, 20), (21.5, 20), (29, 20)], models=3)
    scene.unit(player, sheet("Watch"), at=(50, 22), models=1)
    scene.unit(1 - player, sheet("Foes"), at=(18.4, 21) if phase_of == "fall back" else (20, 40), models=1)
    battle = scene.battle(active=player)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Squad: Fall Back" if phase_of == "fall back" else "Squad: Normal move")
    return battle


@pytest.mark.rule("w10.concepts.coherency.move", "w10.move.fall-back.end")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_out_of_coherency_falls_back_by_closing_up(player: int) -> None:
    """Whichever cell it falls back to, also the one in its middle where that is offered: it ends in coherency, more than 1" from the enemy, and nobody
    moved more than 6"."""
    battle = split(player, "fall back")
    m = battle.models
    rows = [k for k in range(len(m.x)) if m.owner[k] == player][:3]
    foe = next(k for k in range(len(m.x)) if m.owner[k] != player)
    before = [(m.x[k], m.y[k]) for k in rows]
    offered = slots(battle, "cell")
    for cell in {offered[0], offered[len(offered) // 2], offered[-1], *({MIDDLE} & set(offered))}:
        branch = battle.clone()
        branch.apply(battle.setup.space.cell + cell)
        b = branch.models
        for k, (x, y) in zip(rows, before, strict=True):
            assert hypot(b.x[k] - b.x[foe], b.y[k] - b.y[foe]) - 1.0 > 1.0
            assert hypot(b.x[k] - x, b.y[k] - y) <= 6.0 + 1e-3
        assert in_coherency(branch, m.unit[rows[0]])


@pytest.mark.rule("w10.concepts.coherency.move")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_out_of_coherency_closes_up_in_a_normal_move(player: int) -> None:
    """Every end is in coherency; staying just as it stands is no Normal move."""
    battle = split(player, "normal move")
    m = battle.models
    rows = [k for k in range(len(m.x)) if m.owner[k] == player][:3]
    offered = slots(battle, "cell")
    for cell in {offered[0], offered[len(offered) // 2], offered[-1], *({MIDDLE} & set(offered))}:
        branch = battle.clone()
        branch.apply(battle.setup.space.cell + cell)
        assert in_coherency(branch, m.unit[rows[0]])
