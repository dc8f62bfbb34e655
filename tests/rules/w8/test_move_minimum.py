"""Models with two Move values (w8.move.minimum.*, w8.move.advance.two-values)."""

from __future__ import annotations

from math import hypot

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w8.move.minimum import far_enough
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import UnitHandle, kind, pick, sheet, slots, told, words

FLYER = sheet("Flyer", M=60, W=9, base_mm=60, keywords=("VEHICLE", "FLY"), models=(1, 1))
STAY, NORMAL, ADVANCE, FALL_BACK = range(4)


def flyer(
    at: tuple[float, float] = (30, 30), size: tuple[float, float] = (180, 180), player: int = 0, detail: str = "squad",
    dice: list[int] | None = None, foe: tuple[float, float] = (3, 3), least: float = 20,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """A flyer with Move 20"-60" is selected to move."""
    scene = EighthScene(size=size)
    unit = scene.unit(player, FLYER, at=at, models=1, least_move=least, facing=0.0)
    scene.unit(player, sheet("Watch"), at=(1, 5), models=1)
    scene.unit(1 - player, sheet("Foe"), at=foe, models=1)
    battle = scene.battle(active=player, detail=detail, dice=dice or [])
    pick(battle, "Flyer", kind="select-to-move")
    return battle, unit


def offered(battle: Battle, reach: float) -> list[float]:
    """How far from where it stands the offered places are."""
    grid = battle.setup.space.grid
    step = 2 * reach / (grid - 1)
    return [hypot(cell % grid - grid // 2, cell // grid - grid // 2) * step for cell in slots(battle, "cell")]


@pytest.mark.rule("w8.move.minimum", "w8.move.minimum.maximum", "w8.move.minimum.must-move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_it_ends_between_its_two_values_and_cannot_stay(detail: str, player: int) -> None:
    """Every place that is offered is 20" to 60" away; neither staying nor ending the phase before it moved is."""
    battle, unit = flyer((90, 90), player=player, detail=detail)
    assert slots(battle, "option") == [NORMAL, ADVANCE]
    pick(battle, "Normal move")
    if detail == "full":
        assert kind(battle) == "model-to"  # its only model, which cannot stay
        assert slots(battle, "done") == []
    found = offered(battle, 60)
    step = 120 / (battle.setup.space.grid - 1)
    assert 20 - 1e-3 <= min(found) < 20 + step
    assert 60 - step < max(found) <= 60 + 1e-3
    grid = battle.setup.space.grid
    near = [c for c in range(grid**2) if hypot(c % grid - grid // 2, c // grid - grid // 2) * step < 20 - 1e-3]
    assert near
    assert not set(near) & set(slots(battle, "cell"))
    assert set(range(grid**2)) - set(near) - set(slots(battle, "cell")) == {
        c for c in range(grid**2) if hypot(c % grid - grid // 2, c // grid - grid // 2) * step > 60 + 1e-3
    }
    if detail == "full":
        for _ in range(3):
            if kind(battle) in ("model-to", "model-refine"):
                assert battle.decision is not None
                battle.apply(next(a for a in battle.decision.options if a >= battle.setup.space.cell))
        pick(battle, "end the move")
        assert 20 - 1e-3 <= hypot(battle.models.x[unit.first] - 90, battle.models.y[unit.first] - 90) <= 60 + 1e-3


@pytest.mark.rule("w8.move.minimum")
@pytest.mark.parametrize(("away", "far"), [(19.9, False), (20.0, True)])
def test_exactly_the_minimum_will_do(away: float, far: bool) -> None:
    battle, unit = flyer((90, 90))
    m = battle.models
    battle.origin.x[unit.first], battle.origin.y[unit.first], battle.origin.facing[unit.first] = 90, 90, 0.0
    m.x[unit.first] = 90 + away
    assert far_enough(battle, unit.row) is far


@pytest.mark.rule("w8.move.advance.two-values")
@pytest.mark.parametrize("player", [0, 1])
def test_an_advance_adds_to_the_higher_value_alone(player: int) -> None:
    """A 3: from 20" to 63"."""
    battle, _ = flyer((90, 90), player=player, dice=[3])
    pick(battle, "Advance")
    found, step = offered(battle, 63), 126 / (battle.setup.space.grid - 1)
    assert 20 - 1e-3 <= min(found) < 20 + step
    assert 60 < max(found) <= 63 + 1e-3


@pytest.mark.rule("w8.move.minimum.destroyed")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("size", "lost"), [((30.0, 30.0), True), ((50.0, 30.0), False)])
def test_who_cannot_move_so_far_is_destroyed(size: tuple[float, float], lost: bool, detail: str, player: int) -> None:
    """In the middle of a table of 30" no place is 20" away; on one of 50" there is. It counts as slain."""
    battle, unit = flyer((15, 15), size, player, detail)
    pick(battle, "Normal move")
    assert (battle.units.place[unit] == DESTROYED) is lost
    assert bool(told(battle, "w8.move.minimum.destroyed")) is lost
    assert battle.toll_array[unit.first] == lost
    if lost:
        assert kind(battle) == "move-kind"  # the other unit's
        assert not battle.over


@pytest.mark.rule("w8.move.minimum.must-move", "w8.move.minimum")
@pytest.mark.parametrize("player", [0, 1])
def test_held_by_an_enemy_it_falls_back_as_far(player: int) -> None:
    """Within 1" of an enemy there is nothing but a Fall Back, of 20" at least."""
    battle, unit = flyer((90, 90), player=player, foe=(92.0, 90))
    assert kind(battle) == "fall-back-to"
    assert battle.units.moved[unit] == Moved.FELL_BACK
    assert min(offered(battle, 60)) >= 20 - 1e-3
    assert words(battle)
