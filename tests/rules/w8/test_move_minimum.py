"""Models with two Move values (w8.move.minimum.*, w8.move.advance.two-values)."""

from __future__ import annotations

from math import hypot

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.core.tables import DESTROYED, RESERVE
from wh_env.rulesets.w8.move.minimum import far_enough
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import UnitHandle, choose, kind, pick, sheet, slots, told, words
from wh_env.testing.moves import walk

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


@pytest.mark.rule("w8.move.minimum.must-move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("least", [0.5, 1, 1.5])
def test_however_short_its_minimum_move_it_has_to_move(least: float, player: int) -> None:
    battle, _ = flyer((90, 90), player=player, least=least)
    assert slots(battle, "option") == [NORMAL, ADVANCE]


# ---------------------------------------------------------------- units of several models

SWIFT = sheet("Swift", M=12, W=3, base_mm=32, keywords=("INFANTRY", "FLY"), models=(1, 9))


def swift(
    places: list[tuple[float, float]], least: float, player: int, detail: str = "squad",
    foe: tuple[float, float] | None = None,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """Models with Move ``least``-12"; the enemy ``foe`` is there as the phase begins."""
    scene = EighthScene(size=(80, 80))
    scene.unit(player, sheet("Watch"), at=(1, 5), models=1)
    unit = scene.unit(player, SWIFT, at=places, models=len(places), least_move=least)
    enemy = scene.unit(1 - player, sheet("Enemy"), at=foe or (70, 70), models=1)
    scene.unit(1 - player, sheet("Rest"), at=(75, 75), models=1)
    return scene.battle(active=player, detail=detail), unit, enemy


def ends(battle: Battle, unit: UnitHandle) -> list[list[float]]:
    """For each place that is offered: how far from its start each model of the unit is once it was chosen."""
    found = []
    m = battle.models
    stood = [(m.x[k], m.y[k]) for k in battle.members(unit.row)]
    for cell in slots(battle, "cell"):
        tried = battle.clone()
        choose(tried, "cell", cell)
        now = [(tried.models.x[k], tried.models.y[k]) for k in tried.members(unit.row)]
        found.append([hypot(x - u, y - v) for (x, y), (u, v) in zip(now, stood, strict=True)])
    return found


@pytest.mark.rule("w8.move.minimum", "w8.move.minimum.maximum")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("least", [3.0, 9.0])
def test_every_model_of_a_unit_makes_its_minimum_move(least: float, player: int) -> None:
    """Three models that move as one: each ends so far from its start, and places just far enough are offered."""
    battle, unit, _ = swift([(40, 40), (42, 40), (44, 40)], least, player)
    pick(battle, "Swift", kind="select-to-move")
    pick(battle, "Normal move")
    found = ends(battle, unit)
    step = 24 / (battle.setup.space.grid - 1)
    assert least - 1e-3 <= min(min(each) for each in found) < least + step
    assert 12 - step < max(max(each) for each in found) <= 12 + 1e-3


@pytest.mark.rule("w8.move.minimum", "w8.move.fall-back.at-start")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("gone", [True, False])
def test_a_unit_that_falls_back_makes_it_too_whether_or_not_the_enemy_is_still_there(gone: bool, player: int) -> None:
    """Held as the phase began. Each model ends 0.5" from its start or farther: to stay is not offered."""
    battle, unit, foe = swift([(40, 40), (43, 40)], 0.5, player, foe=(40, 41.9))
    if gone:
        battle.models.on_table[foe.first] = 0
        battle.units.place[foe] = RESERVE
    pick(battle, "Swift", kind="select-to-move")
    if kind(battle) == "move-kind":
        pick(battle, "Fall Back")
    assert kind(battle) == "fall-back-to"
    assert battle.setup.space.grid**2 // 2 not in slots(battle, "cell")
    found = ends(battle, unit)
    assert 0.5 - 1e-3 <= min(min(each) for each in found) < 2.0


@pytest.mark.rule("w8.move.minimum", "w8.move.fall-back.end")
@pytest.mark.parametrize("player", [0, 1])
def test_models_that_close_up_have_moved_though_their_unit_stays_about_where_it_is(player: int) -> None:
    """Two models with Move 0.5"-2", 2" apart between enemies on either side, can only close up: by 1.8" each."""
    scene = EighthScene(size=(80, 80))
    scene.unit(player, sheet("Watch"), at=(1, 5), models=1)
    data = sheet("Slow", M=2, W=3, base_mm=32, keywords=("INFANTRY", "FLY"), models=(2, 2))
    slow = scene.unit(player, data, at=[(40 - 1.63, 40), (40 + 1.63, 40)], models=2, least_move=0.5)
    ring = [(40 + side * x, 40 + y) for side in (-1, 1) for x, y in ((3.66, 0), (3.2, 1.6), (3.2, -1.6))]
    scene.unit(1 - player, sheet("Enemy"), at=ring, models=6)
    battle = scene.battle(active=player)
    pick(battle, "Slow", kind="select-to-move")
    if kind(battle) == "move-kind":
        pick(battle, "Fall Back")
    assert kind(battle) == "fall-back-to"
    assert battle.setup.space.grid**2 // 2 in slots(battle, "cell")
    assert all(least >= 0.5 - 1e-3 for each in ends(battle, slow) for least in each)


@pytest.mark.rule("w8.move.minimum", "w8.concepts.measuring.three-dimensional")
@pytest.mark.parametrize("player", [0, 1])
def test_height_counts_towards_the_minimum_move(player: int) -> None:
    """A box 15" high: on top of it a place 15" across is 21" away; on the ground it is too near."""
    scene = EighthScene(size=(180, 180))
    scene.box(98, 80, 120, 100, 15.0)
    unit = scene.unit(player, FLYER, at=(86, 90), models=1, least_move=20, facing=0.0)
    scene.unit(player, sheet("Watch"), at=(1, 5), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(3, 3), models=1)
    battle = scene.battle(active=player)
    pick(battle, "Flyer", kind="select-to-move")
    pick(battle, "Normal move")
    near = []
    for cell in slots(battle, "cell"):
        tried = battle.clone()
        choose(tried, "cell", cell)
        m = tried.models
        across, up = hypot(m.x[unit.first] - 86, m.y[unit.first] - 90), m.z[unit.first]
        assert hypot(across, up) >= 20 - 1e-3
        if across < 20 - 1e-3:
            near.append(up)
    assert near and set(near) == {15.0}


@pytest.mark.rule("w8.move.minimum", "w8.concepts.measuring.three-dimensional")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("level", [0, 1])
def test_so_it_does_for_a_model_moved_alone(level: int, player: int) -> None:
    """15" across and 15" up are enough, 15" on the ground are not; to come down from there counts as much."""
    scene = EighthScene(size=(180, 180))
    scene.box(98, 80, 120, 100, 15.0)
    start, end = ((86.0, 90.0, 0.0), (101.0, 90.0)) if level else ((101.0, 90.0, 15.0), (86.0, 90.0))
    unit = scene.unit(player, FLYER, at=start, models=1, least_move=20, facing=0.0)
    scene.unit(player, sheet("Watch"), at=(1, 5), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(3, 3), models=1)
    battle = scene.battle(active=player, detail="full")
    pick(battle, "Flyer", kind="select-to-move")
    pick(battle, "Normal move")
    level_ground = battle.clone()
    x, y = walk(battle, 0, *end, level=level)
    assert hypot(x - end[0], y - end[1]) < 1.0
    assert battle.models.z[unit.first] == 15.0 * level
    with pytest.raises(LookupError):  # 15" or 9" away at the height at which it stands
        walk(level_ground, 0, start[0], 105 if level else 81, level=1 - level)


@pytest.mark.rule("w8.move.minimum")
@pytest.mark.parametrize("player", [0, 1])
def test_a_model_that_stays_has_not_moved_whatever_lies_above_it(player: int) -> None:
    """A floor 22" above the flyer: on it every place beside is far enough; where the flyer stands it would stay."""
    scene = EighthScene(size=(180, 180))
    scene.floor(60, 60, 120, 120, 22.0)
    scene.unit(player, FLYER, at=(90, 90), models=1, least_move=20, facing=0.0)
    scene.unit(player, sheet("Watch"), at=(1, 5), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(3, 3), models=1)
    battle = scene.battle(active=player, detail="full")
    pick(battle, "Flyer", kind="select-to-move")
    pick(battle, "Normal move")
    pick(battle, "surface 1 from below", kind="model-level")
    cells, centre = slots(battle, "cell"), battle.setup.space.grid**2 // 2
    assert centre + 1 in cells and centre - 1 in cells
    assert centre not in cells


@pytest.mark.rule("w8.move.minimum", "w8.move.minimum.must-move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_the_move_of_a_unit_does_not_end_before_each_model_has_moved(first: int, player: int) -> None:
    """Model by model, once the moves were taken back as well: with one of two moved the move goes on."""
    battle, unit, _ = swift([(40, 40), (42, 40)], 3.0, player, detail="full")
    pick(battle, "Swift", kind="select-to-move")
    pick(battle, "Normal move")
    x = (40, 42)
    for tries in range(2):
        walk(battle, first, x[first], 44)
        assert kind(battle) == "select-model"
        assert slots(battle, "done") == []
        if tries == 0:
            pick(battle, "take the move back")
    walk(battle, 1 - first, x[1 - first], 44)
    if kind(battle) == "select-model":
        pick(battle, "end the move")
    assert [battle.models.y[k] for k in battle.members(unit.row)] == pytest.approx([44, 44], abs=0.2)
    assert not told(battle, "w8.move.minimum.destroyed")
