"""Limits of Scouts moves: x inches, ending more than 9" from every enemy model; on the way they may come closer."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.move.unit_moves import fill_cells
from wh_env.rulesets.w40k.questions.move_limits import SCOUT, limits_for
from wh_env.testing import Scene, UnitHandle, sheet
from wh_env.testing.moves import check_move, reachable


def scouts(*foes: tuple[float, ...], **fields: object) -> tuple[Battle, UnitHandle]:
    """A unit with M 9" and Scouts 6" at (20, 10)."""
    scene = Scene()
    for number in range(len(foes)):
        scene.floor(foes[number][0] - 2, foes[number][1] - 2, foes[number][0] + 2, foes[number][1] + 2, 7)
    data = sheet("Scouts", M=9, abilities={"scouts": 6}, **fields)  # type: ignore[arg-type]
    squad = scene.unit(0, data, at=[(20, 10), (21.5, 10)] if not fields else [(20, 10), (20, 7)])
    for number, foe in enumerate(foes):
        scene.unit(1, sheet(f"Foes {number}"), at=foe, models=1)
    return scene.battle(run=False), squad


@pytest.mark.rule("w10.deploy.scouts.distance")
def test_a_scouts_move_ends_more_than_nine_inches_from_enemies() -> None:
    """An end 9.0" from an enemy model is rejected, 9.1" is legal; horizontally, whatever its height."""
    for z in (0, 7):
        for gap, verdict in ((9.0, Fault.TOO_CLOSE), (9.1, Fault.LEGAL)):
            battle, squad = scouts((20, 14 + 1 + gap, z))
            assert check_move(battle.clone(), squad, "scout", {0: [(20, 14)], 1: [(21.5, 13)]}) == verdict
            found = reachable(battle, squad, 0, (20, 14), "scout")
            assert (found is not None) == (verdict == Fault.LEGAL)


@pytest.mark.rule("w10.deploy.scouts.distance")
def test_only_the_end_of_a_scouts_move_keeps_away() -> None:
    """A path that comes within 9" of an enemy and ends beyond is legal; one within 1" is not."""
    battle, squad = scouts((20, 22))
    there_and_back = {0: [(20, 13), (20, 10)]}
    assert check_move(battle, squad, "scout", there_and_back) == Fault.LEGAL
    battle, squad = scouts((20, 12.9))
    assert check_move(battle, squad, "scout", {0: [(20, 11), (20, 6)]}) == Fault.ENGAGES_ON_THE_WAY


@pytest.mark.rule("w10.deploy.scouts.move")
def test_a_scouts_move_is_of_x_inches() -> None:
    """Scouts 6" and M 9": 6.0" are legal, 6.1" are not."""
    battle, squad = scouts((50, 40))
    for along, verdict in ((6.0, Fault.LEGAL), (6.1, Fault.TOO_FAR)):
        path = {0: [(20, 10 + along)], 1: [(21.5, 10 + along)]}
        assert check_move(battle.clone(), squad, "scout", path) == verdict


@pytest.mark.rule("w10.deploy.scouts.distance")
@pytest.mark.parametrize("fields", [{}, {"base_mm": (75.0, 42.0)}])
def test_the_cells_of_a_unit_moved_as_one(fields: dict[str, object]) -> None:
    """Every cell on open ground is marked if and only if all models end more than 9" from the enemy."""
    battle, squad = scouts((24, 24), **fields)
    cells = np.zeros(battle.setup.space.grid**2, np.bool_)
    fill_cells(battle, squad.row, limits_for(battle, squad.row, SCOUT, 6.0), cells)
    grid = battle.setup.space.grid
    verdicts = set()
    for cell in range(grid * grid):
        dx, dy = (cell % grid - grid // 2) * 0.75, (cell // grid - grid // 2) * 0.75
        if cell == grid * grid // 2 or hypot(dx, dy) > 6:
            continue
        starts = [(battle.models.x[k], battle.models.y[k]) for k in battle.members(squad.row)]
        # the hindmost first where they go back, the foremost where they go on, so that nobody ends on another
        paths = {
            k: [(x + dx, y + dy)] for k, (x, y) in sorted(enumerate(starts), key=lambda s: -s[1][0] * dx - s[1][1] * dy)
        }
        verdict = check_move(battle.clone(), squad, "scout", paths)
        assert cells[cell] == (verdict == Fault.LEGAL)
        verdicts.add(verdict)
    assert verdicts >= {Fault.LEGAL, Fault.TOO_CLOSE}
