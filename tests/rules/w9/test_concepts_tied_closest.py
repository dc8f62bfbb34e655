"""Several units or models tied for closest: the player who resolves the rule picks one (w9.concepts.measure.tied-closest)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.move.model_moves import cell_at
from wh_env.testing import UnitHandle, choose, kind, pick, sheet, slots
from wh_env.testing.melee_moves import check_pile_in_move

QUIET = {"cp_each_command_phase": 0}
REACH = 3.0


def between(player: int, second: float = 2.5) -> tuple[NinthScene, UnitHandle]:
    """The second model of a unit stands 2.5" below one enemy model and ``second`` inches above another; the first is engaged with a third
    that is farther away."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Unit"), at=[(32.5, 22), (30, 22)], name="Unit")
    for name, x, y in (("Up", 30.0, 25.5), ("Down", 30.0, 22.0 - 1.0 - second), ("Engaged", 34.0, 22.0)):
        scene.unit(1 - player, sheet(name, W=9), at=(x, y), models=1, name=name)
    return scene, unit


@pytest.mark.rule("w9.concepts.measure.tied-closest")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("second", "end", "fault"),
    [
        (2.5, (30.0, 22.8), Fault.LEGAL),
        (2.5, (30.0, 21.2), Fault.LEGAL),
        (2.5, (30.5, 22.0), Fault.NOT_CLOSER),
        (2.6, (30.0, 22.8), Fault.LEGAL),
        (2.6, (30.0, 21.2), Fault.NOT_CLOSER),
        (2.4, (30.0, 22.8), Fault.NOT_CLOSER),
        (2.4, (30.0, 21.2), Fault.LEGAL),
    ],
)
def test_a_model_that_piles_in_may_end_closer_to_either(
    second: float, end: tuple[float, float], fault: Fault, player: int
) -> None:
    """Both are 2.5" away: up and down are closer to one of them, sideways to none. Where one is closer that one counts."""
    scene, unit = between(player, second)
    battle = scene.battle("fight", active=player, run=False, rules=QUIET)
    assert check_pile_in_move(battle, unit, {1: [end]}) == fault


def piling_in(player: int, second: float) -> tuple[Battle, UnitHandle]:
    """The player has chosen to pile in with the second model, and says where it ends."""
    scene, unit = between(player, second)
    battle = scene.battle("fight", active=1 - player, detail="full", rules=QUIET)
    while battle.decision.player != player or kind(battle) not in ("select-to-fight", "pile-in"):
        battle.apply(battle.first_legal())
    if kind(battle) == "select-to-fight":
        pick(battle, "Unit")
    pick(battle, "pile in")
    assert kind(battle) == "close-order"
    pick(battle, "move Unit 2")
    assert kind(battle) == "close-to"
    return battle, unit


def ways(battle: Battle, unit: UnitHandle) -> dict[int, tuple[float, float]]:
    """By cell how far along and up the offered ends lie."""
    x, y = battle.models.x[unit.model(1)], battle.models.y[unit.model(1)]
    ends = {cell: cell_at(battle, x, y, REACH, cell) for cell in slots(battle, "cell")}
    return {cell: (at[0] - x, at[1] - y) for cell, at in ends.items()}


@pytest.mark.rule("w9.concepts.measure.tied-closest")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("second", "up", "down"), [(2.5, True, True), (2.6, True, False), (2.4, False, True)])
def test_ends_towards_either_are_offered_and_legal(second: float, up: bool, down: bool, player: int) -> None:
    """In full detail its player goes either way, and the move may end there."""
    battle, unit = piling_in(player, second)
    found = ways(battle, unit)
    assert any(abs(dx) < 0.3 and dy > 0.4 for dx, dy in found.values()) == up
    assert any(abs(dx) < 0.3 and dy < -0.4 for dx, dy in found.values()) == down
    for wanted in ([0.8] if up else []) + ([-0.8] if down else []):
        copy: Any = battle.clone()
        choose(copy, "cell", min(found, key=lambda cell: abs(found[cell][0]) + abs(found[cell][1] - wanted)))
        pick(copy, "end the move")
        assert (copy.models.y[unit.model(1)] - 22.0) * wanted > 0.3
