"""Difficult Ground: who moves over it loses 2" (w9.terrain.difficult-ground, .fly, .titanic, w9.charge.difficult-ground)."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.testing import dice_left, kind, pick, place, sheet, slots, told
from wh_env.testing.melee_moves import check_charge_move
from wh_env.testing.moves import check_move, reachable, walk

QUIET = {"cp_each_command_phase": 0}
LINE = [(20, 10), (20, 11.5), (20, 13), (20, 14.5), (20, 16)]
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
PLAYERS = pytest.mark.parametrize("player", [0, 1])


def field(
    *sheets: dict[str, Any],
    at: Any = (20, 13),
    area: tuple[float, ...] = (21, 5, 23, 21),
    ground: str = "crater",
    height: float = 0.0,
    player: int = 0,
    detail: str = "full",
    moved: int = 0,
    foe: tuple[float, float] = (55, 40),
    phase: str = "movement",
    **more: Any,
) -> tuple[Battle, Any]:
    """A unit (of several datasheets: as one with an attached leader) before a crater from x = 21 to 23."""
    scene = NinthScene()
    scene.area(ground, *area, height)
    unit = scene.unit(player, sheets[0] if sheets else sheet("Unit"), at=at, name="Unit", moved=moved)
    scene.unit(1 - player, sheet("Foe"), at=foe, models=1, name="Foe")
    battle: Battle = scene.battle(phase, active=player, detail=detail, rules=QUIET, **more)
    return battle, unit


def farthest(battle: Battle, dx: int = 1, dy: int = 0) -> tuple[float, float]:
    """Squad detail: how far the unit may go along one direction, in inches, and one cell farther."""
    grid = battle.setup.space.grid
    half = grid // 2
    step = 2.0 * battle.pending().region.half_x / (grid - 1)
    offered = set(slots(battle, "cell"))
    far = max(n * step for n in range(half + 1) if (half + n * dy) * grid + half + n * dx in offered)
    return far, far + step


def reaches(battle: Battle, inches: float, dx: int = 1, dy: int = 0) -> bool:
    """Whether that is the last cell within so many inches."""
    far, next_cell = farthest(battle, dx, dy)
    return far <= inches + 1e-3 < next_cell


@pytest.mark.rule("w9.terrain.difficult-ground")
@PLAYERS
def test_if_one_model_crosses_all_lose_two_inches(player: int) -> None:
    """Five models of M 6", one of which crosses: nobody moves more than 4"; nobody crosses: 6" each."""
    battle, unit = field(at=LINE, area=(21, 15.2, 23, 17), player=player)
    assert check_move(battle.clone(), unit, "normal", {k: [(14.0, y)] for k, (_, y) in enumerate(LINE)}) == Fault.LEGAL
    straight = {k: [(24.0, y)] for k, (_, y) in enumerate(LINE)}
    assert check_move(battle.clone(), unit, "normal", straight) == Fault.LEGAL  # the last crosses, all move 4"
    for k in range(5):
        farther = straight | {k: [(24.1, LINE[k][1])]}
        assert check_move(battle.clone(), unit, "normal", farther) == Fault.TOO_FAR, k
    # the last one stays out of it
    away = {k: [(26.0 if k < 4 else 20.5, y if k < 4 else 16.4)] for k, (_, y) in enumerate(LINE)}
    assert check_move(battle.clone(), unit, "normal", away) != Fault.LEGAL  # not coherent
    near = {k: [(22.0, y - 5.5)] for k, (_, y) in enumerate(LINE)}
    assert check_move(battle.clone(), unit, "normal", near) == Fault.LEGAL


@pytest.mark.rule("w9.terrain.difficult-ground")
@PLAYERS
@pytest.mark.parametrize(
    ("move", "roll", "over"), [(6.0, None, 4.0), (6.0, 1, 5.0), (1.0, None, 0.0), (2.5, None, 0.5)]
)
def test_how_far_a_model_goes_across(player: int, move: float, roll: int | None, over: float) -> None:
    """M 6": 4"; with an Advance roll of 1: 5"; M 1": 0"."""
    battle, unit = field(sheet("Unit", M=move), at=[(20, 13)], area=(20.6, 5, 20.8, 21), player=player)
    how = "normal" if roll is None else "advance"
    for far, fault in ((over, Fault.LEGAL), (over + 0.1, Fault.TOO_FAR)):
        path = {0: [(20.0 + far, 13)]}
        verdict = check_move(battle.clone(), unit, how, path, roll=roll)
        if far > 0.1 or fault == Fault.LEGAL:
            assert verdict == fault, far
    # away from it the full distance
    full = move + (roll or 0)
    assert check_move(battle.clone(), unit, how, {0: [(20 - full, 13)]}, roll=roll) == Fault.LEGAL
    assert check_move(battle.clone(), unit, how, {0: [(19.9 - full, 13)]}, roll=roll) == Fault.TOO_FAR


@pytest.mark.rule("w9.terrain.difficult-ground")
@PLAYERS
def test_units_moved_as_one_are_offered_what_either_way_reaches(player: int) -> None:
    """Squad detail: 4" across, 6" away from it; around its end with a bend more than 4"."""
    battle, unit = field(at=LINE, player=player, detail="squad")
    pick(battle, "Normal move")
    assert kind(battle) == "move-to"
    assert reaches(battle, 4.0)
    assert reaches(battle, 6.0, -1)
    x = place(battle, unit.first)[0]
    cell = max(
        slots(battle, "cell"), key=lambda c: (c % battle.setup.space.grid, -abs(c // battle.setup.space.grid - battle.setup.space.grid // 2))
    )  # fmt: skip
    battle.apply(battle.setup.space.cell + cell)
    assert place(battle, unit.first)[0] - x <= 4.0 + 1e-3


@pytest.mark.rule("w9.terrain.difficult-ground")
@pytest.mark.parametrize("ground", ["crater", "woods", "barricade", "ruins", "container"])
def test_only_features_with_the_trait_slow_down(ground: str) -> None:
    slow = ground in ("crater", "woods", "barricade")
    battle, _ = field(at=[(20, 13)], ground=ground, area=(21, 5, 21.2, 21), detail="squad")
    pick(battle, "Normal move")
    assert reaches(battle, 4.0 if slow else 6.0)


@pytest.mark.rule("w9.terrain.difficult-ground")
@DETAILS
def test_who_starts_within_it_loses_them_too(detail: str) -> None:
    battle, unit = field(at=[(22, 13)], detail=detail)
    for end in ((26.1, 13), (17.9, 13), (22, 17.1)):
        assert check_move(battle.clone(), unit, "normal", {0: [end]}) == Fault.TOO_FAR
    assert check_move(battle.clone(), unit, "normal", {0: [(18, 13)]}) == Fault.LEGAL
    if detail == "squad":
        pick(battle, "Normal move")
        for dx, dy in ((1, 0), (-1, 0), (0, 1)):
            assert reaches(battle, 4.0, dx, dy)


@pytest.mark.rule("w9.terrain.difficult-ground")
@PLAYERS
def test_model_by_model_the_first_binds_the_others(player: int) -> None:
    """Two models, one before the crater, one beside it. One crosses: the other has 4". The other has moved 6": the first cannot cross."""
    at = [(20, 13), (20, 11.4)]
    area = (21, 12.5, 23, 21)

    def begun() -> Battle:
        battle, _ = field(at=at, area=area, player=player)
        pick(battle, "Normal move")
        return battle

    battle = begun()
    walk(battle, 0, 24.0, 13)
    with pytest.raises(LookupError):
        walk(battle.clone(), 1, 26.0, 11.4)
    assert walk(battle, 1, 24.0, 11.4) == pytest.approx((24.0, 11.4), abs=0.08)
    battle = begun()
    walk(battle, 1, 26.0, 11.4)
    with pytest.raises(LookupError):
        walk(battle.clone(), 0, 23.9, 13)
    # what was taken back binds nobody
    battle.apply(battle.setup.space.option)
    assert walk(battle, 0, 23.9, 13) == pytest.approx((23.9, 13), abs=0.08)
    # 4" around leave the choice
    battle = begun()
    walk(battle, 1, 23.9, 11.4)
    assert walk(battle, 0, 23.9, 13) == pytest.approx((23.9, 13), abs=0.08)
    battle = begun()
    walk(battle, 1, 23.9, 11.4)
    assert walk(battle, 0, 22.2, 9.2) == pytest.approx((22.2, 9.2), abs=0.08)  # 4.4" around


@pytest.mark.rule("w9.terrain.difficult-ground")
@PLAYERS
def test_advances_and_falling_back_are_slowed_down_too(player: int) -> None:
    """An Advance with a 1: 5" across. Falling Back over it: 4"."""
    battle, unit = field(at=[(20, 13)], detail="squad", player=player, dice=[1])
    pick(battle, "Advance")
    assert reaches(battle, 5.0)
    assert reaches(battle, 7.0, -1)
    battle, unit = field(at=[(20, 13)], detail="squad", player=player, foe=(18.6, 13))
    pick(battle, "Fall Back")
    assert reaches(battle, 4.0)
    assert check_move(battle.clone(), unit, "fall back", {0: [(24.0, 13)]}) == Fault.LEGAL
    assert check_move(battle.clone(), unit, "fall back", {0: [(24.1, 13)]}) == Fault.TOO_FAR


FLY = ("INFANTRY", "FLY")


@pytest.mark.rule("w9.terrain.difficult-ground.fly")
@DETAILS
@PLAYERS
@pytest.mark.parametrize(("keywords", "most"), [(FLY, 12.0), (("INFANTRY",), 10.0)])
def test_units_that_fly_are_not_slowed_down(detail: str, player: int, keywords: tuple[str, ...], most: float) -> None:
    fliers = sheet("Unit", M=12, keywords=keywords)
    battle, unit = field(fliers, at=LINE[:3], detail=detail, player=player)
    for far, fault in ((most, Fault.LEGAL), (most + 0.1, Fault.TOO_FAR)):
        ends = {k: [(20 + far, y)] for k, (_, y) in enumerate(LINE[:3])}
        assert check_move(battle.clone(), unit, "normal", ends) == fault
    if detail == "squad":
        pick(battle, "Normal move")
        assert reaches(battle, most)


@pytest.mark.rule("w9.terrain.difficult-ground.fly")
@DETAILS
@PLAYERS
def test_one_model_that_cannot_fly_slows_all_down(detail: str, player: int) -> None:
    """Three models of M 12", one of them without FLY: 10" across the crater for each, 12" beside it."""
    fliers = sheet("Unit", M=12, keywords=FLY)
    battle, unit = field(fliers, at=LINE[:3], detail=detail, player=player)
    battle.models.keywords[unit.model(1)] &= ~int(Keyword.FLY)
    for k in range(3):
        ends = {n: [(30, y)] for n, (_, y) in enumerate(LINE[:3])}
        assert check_move(battle.clone(), unit, "normal", ends) == Fault.LEGAL
        ends[k] = [(30.1, LINE[k][1])]
        assert check_move(battle.clone(), unit, "normal", ends) == Fault.TOO_FAR
    assert check_move(battle.clone(), unit, "normal", {n: [(8, y)] for n, (_, y) in enumerate(LINE[:3])}) == Fault.LEGAL
    pick(battle, "Normal move")
    if detail == "squad":
        assert reaches(battle, 10.0)
        assert reaches(battle, 12.0, -1)
    else:
        walk(battle, 0, 29.9, 10)
        with pytest.raises(LookupError):
            walk(battle.clone(), 2, 31.0, 13)


def mixed(player: int, crater: tuple[float, ...]) -> Battle:
    """A model with FLY behind a wall 5" high and one without it beside the wall, M 12", move one by one."""
    scene = NinthScene()
    scene.area("crater", *crater, 0.0)
    scene.box(22, 8, 22.5, 11.4, 5)
    unit = scene.unit(player, sheet("Unit", M=12, keywords=FLY), at=[(20, 10), (20, 12)], name="Unit")
    scene.unit(1 - player, sheet("Foe"), at=(8, 42), models=1, name="Foe")
    battle: Battle = scene.battle(active=player, detail="full", rules=QUIET)
    battle.models.keywords[unit.model(1)] &= ~int(Keyword.FLY)
    pick(battle, "Normal move")
    return battle


@pytest.mark.rule("w9.terrain.difficult-ground.fly", "w9.move.fly")
@PLAYERS
@pytest.mark.parametrize(
    ("crater", "most"),
    [((25, 2, 27, 30), 10), ((55, 2, 57, 30), 12), ((1, 2, 3, 30), 12), ((18, 38, 22, 42), 12), ((50, 38, 57, 42), 12)],
)
def test_a_model_that_flies_crosses_a_wall_all_the_same(crater: tuple[float, ...], most: float, player: int) -> None:
    """Behind the wall lies a crater: 10" over both. Where it lies far off, on any side, it slows nobody down: 12"."""
    battle = mixed(player, crater)
    assert walk(battle.clone(), 0, 20 + most, 10) == pytest.approx((20 + most, 10), abs=0.08)
    with pytest.raises(LookupError):
        walk(battle, 0, 20 + most + 0.5, 10)


@pytest.mark.rule("w9.terrain.difficult-ground")
@PLAYERS
def test_what_is_nearer_than_the_full_distance_but_too_far_across_is_reached_around(player: int) -> None:
    """Squad detail, M 6": 5.25" straight on, of which a crater's corner takes a part: the path bends round it."""
    battle, unit = field(at=[(20, 13)], area=(21, 13.3, 22, 20), detail="squad", player=player)
    pick(battle, "Normal move")
    grid = battle.setup.space.grid
    battle.apply(battle.setup.space.cell + grid * (grid // 2) + grid // 2 + 7)
    assert place(battle, unit.first)[:2] == pytest.approx((25.25, 13))
    (path,) = (e["path"] for e in told(battle, "w9.move.normal") if "path" in e)
    (dx, dy), end = path  # from where it stood: a bend, and the end
    assert end == pytest.approx((5.25, 0))
    assert 5.25 < hypot(dx, dy) + hypot(5.25 - dx, dy) <= 6.0
    assert -dy / dx > 0.2  # its base of 1" passes the corner 1" ahead and 0.3" beside its middle


@pytest.mark.rule("w9.terrain.difficult-ground")
@PLAYERS
def test_a_scattered_unit_closes_up_as_far_as_the_ground_lets_it(player: int) -> None:
    """Squad detail: out of coherency on either side of the crater; wherever it is said to regroup it can, nobody farther than 4" across."""
    battle, unit = field(at=[(20, 13), (24, 13), (25.5, 13)], player=player, detail="squad")
    pick(battle, "Normal move")
    assert kind(battle) == "move-to"
    offered = slots(battle, "cell")
    assert offered
    for cell in offered:
        tried = battle.clone()
        tried.apply(battle.setup.space.cell + cell)
        for k in range(3):
            before, after = place(battle, unit.model(k)), place(tried, unit.model(k))
            crosses = (before[0] < 22) != (after[0] < 22)
            assert hypot(after[0] - before[0], after[1] - before[1]) <= (4.001 if crosses else 6.001)


@pytest.mark.rule("w9.terrain.difficult-ground.titanic")
@DETAILS
@PLAYERS
@pytest.mark.parametrize(
    ("keywords", "height", "most"),
    [
        (("VEHICLE", "TITANIC"), 3.0, 10.0),
        (("VEHICLE", "TITANIC"), 3.1, 8.0),
        (("VEHICLE",), 3.0, 8.0),
        (("VEHICLE",), 0.5, 8.0),
    ],
)
def test_titanic_units_are_slowed_down_by_high_features_alone(
    detail: str, player: int, keywords: tuple[str, ...], height: float, most: float
) -> None:
    big = sheet("Unit", M=10, keywords=keywords)
    battle, unit = field(big, at=[(20, 13)], ground="woods", height=height, detail=detail, player=player)
    assert check_move(battle.clone(), unit, "normal", {0: [(20 + most, 13)]}) == Fault.LEGAL
    assert check_move(battle.clone(), unit, "normal", {0: [(20.1 + most, 13)]}) == Fault.TOO_FAR
    if detail == "squad":
        pick(battle, "Normal move")
        assert reaches(battle, most)
    else:
        assert reachable(battle, unit, 0, (20 + most, 13)) is not None
        assert reachable(battle, unit, 0, (20.1 + most, 13)) is None


# ---------------------------------------------------------------- charges


def charge(
    dice: tuple[int, int],
    keywords: tuple[str, ...] = ("INFANTRY",),
    detail: str = "squad",
    player: int = 0,
    area: tuple[float, ...] = (10, 13, 30, 15),
    ground: str = "crater",
    height: float = 0.0,
    gap: float = 8.0,
) -> bool:
    """Whether a charge at a target 8" away across a crater succeeds."""
    scene = NinthScene()
    scene.area(ground, *area, height)
    scene.unit(player, sheet("Unit", keywords=keywords), at=(20, 10), models=1, name="Unit")
    scene.unit(1 - player, sheet("Foe"), at=(20, 11 + gap), models=1, name="Foe")
    battle: Battle = scene.battle("charge", active=player, detail=detail, dice=dice, rules=QUIET)
    if kind(battle) == "select-to-charge":
        pick(battle, "Unit")
    if kind(battle) == "charge-target":
        pick(battle, "charge Foe")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    if kind(battle) == "close-order":
        pick(battle, "leave the move to the engine")
    assert dice_left(battle) == 0
    assert told(battle, "w9.charge.roll")[0]["roll"] == sum(dice)
    return any(e.kind == "charges" for e in battle.events)


@pytest.mark.rule("w9.charge.difficult-ground")
@DETAILS
@PLAYERS
def test_a_charge_across_loses_two(detail: str, player: int) -> None:
    """7" to go: 9 is enough, 8 fails; past a crater that is not in the way 7 is enough."""
    assert charge((4, 5), detail=detail, player=player)
    assert not charge((4, 4), detail=detail, player=player)
    assert charge((3, 4), area=(22, 13, 30, 15), detail=detail, player=player)
    assert not charge((3, 3), area=(22, 13, 30, 15), detail=detail, player=player)


@pytest.mark.rule("w9.charge.difficult-ground", "w9.glossary.charge-distance")
@PLAYERS
@DETAILS
@pytest.mark.parametrize("by_engine", [True, False])
@pytest.mark.parametrize(("area", "distance"), [((22, 0, 30, 40), 7), ((40, 0, 41, 40), 9)])
def test_the_charge_distance_has_it_off(area: Any, distance: int, by_engine: bool, detail: str, player: int) -> None:
    """A roll of 9 across a crater makes a charge distance of 7", elsewhere one of 9"."""
    scene = NinthScene()
    scene.area("crater", *area, 0.0)
    unit = scene.unit(player, sheet("Unit"), at=(20, 13), models=1, name="Unit")
    scene.unit(1 - player, sheet("Foe"), at=(27.5, 13), models=1, name="Foe")
    scene.unit(player, sheet("Other"), at=(50, 30), models=1, name="Other")
    scene.unit(1 - player, sheet("Enemy"), at=(50, 40), models=1, name="Enemy")  # for whom the phase goes on
    battle = scene.battle("charge", active=player, detail=detail, dice=(4, 5), rules=QUIET)
    if kind(battle) == "select-to-charge":
        pick(battle, "Unit")
    if kind(battle) == "charge-target":
        pick(battle, "charge Foe")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    if kind(battle) == "close-order" and by_engine:
        pick(battle, "leave the move to the engine")
    elif detail == "full":
        pick(battle, "move Unit 1", kind="close-order")
        assert kind(battle) == "close-to"
        trials = []
        for action in battle.decision.options:
            trials.append(battle.clone())
            trials[-1].apply(action)
        battle = next(trial for trial in trials if kind(trial) == "close-order" and trial.legal()[0])
        battle.apply(0)
    assert battle.units.charged[unit]
    assert battle.combat.charge_distance[unit] == distance


@pytest.mark.rule("w9.charge.difficult-ground")
def test_a_charge_goes_around_with_the_full_roll() -> None:
    """The target is 7.2" away, the crater ends just beside the straight way: 8 are enough with a small bend, but not across."""
    assert charge((4, 4), area=(20.2, 13, 40, 14), gap=7.2)
    assert not charge((4, 4), area=(0, 13, 40, 14), gap=7.2)
    scene = NinthScene()
    scene.crater(20.2, 13, 40, 14)
    unit = scene.unit(0, sheet("Unit"), at=(20, 10), models=1, name="Unit")
    foe = scene.unit(1, sheet("Foe"), at=(20, 19), models=1, name="Foe")
    battle = scene.battle("charge", rules=QUIET)
    for path, fault in (([(19.6, 13.5), (20, 17)], Fault.LEGAL), ([(20, 17)], Fault.TOO_FAR)):
        assert check_charge_move(battle.clone(), unit, [foe], 8, {0: path}) == fault


@pytest.mark.rule(
    "w9.charge.difficult-ground", "w9.terrain.difficult-ground.fly", "w9.terrain.difficult-ground.titanic"
)
@DETAILS
@pytest.mark.parametrize(
    ("keywords", "ground", "height", "free"),
    [
        (FLY, "crater", 0.0, True),
        (("MONSTER", "TITANIC"), "woods", 3.0, True),
        (("MONSTER", "TITANIC"), "woods", 3.1, False),
        (("MONSTER",), "woods", 3.0, False),
    ],
)
def test_exceptions_hold_for_charges_too(
    detail: str, keywords: tuple[str, ...], ground: str, height: float, free: bool
) -> None:
    assert charge((4, 4), keywords, detail, ground=ground, height=height) == free
    assert charge((4, 5), keywords, detail, ground=ground, height=height)


@pytest.mark.rule("w9.charge.difficult-ground")
@PLAYERS
def test_if_one_model_crosses_it_holds_for_all(player: int) -> None:
    """A charge with a 9: who would move 7.5" is too far when another crosses, and is not when nobody does."""
    scene = NinthScene()
    scene.crater(19, 13, 20.6, 14)
    unit = scene.unit(player, sheet("Unit"), at=[(20, 10), (21.6, 10)], name="Unit")
    foe = scene.unit(1 - player, sheet("Foe"), at=[(20, 19), (21.6, 19)], name="Foe")
    battle = scene.battle("charge", active=player, detail="full", rules=QUIET)
    across, beside = {0: [(20.0, 17.0)]}, {1: [(21.6, 17.5)]}
    assert check_charge_move(battle.clone(), unit, [foe], 9, across | {1: [(21.6, 17.0)]}) == Fault.LEGAL
    assert check_charge_move(battle.clone(), unit, [foe], 9, across | beside) == Fault.TOO_FAR
    assert check_charge_move(battle.clone(), unit, [foe], 9, beside | {0: [(20, 11.5), (21.2, 16)]}) != Fault.LEGAL
    assert check_charge_move(battle.clone(), unit, [foe], 9, {1: [(21.6, 17.5)], 0: [(21.3, 12), (21.2, 16.3)]}) == 0


@pytest.mark.rule("w9.terrain.difficult-ground")
def test_other_moves_are_not_slowed_down() -> None:
    """A Heroic Intervention, a pile-in, a consolidation are none of the moves that it names."""
    battle, unit = field(at=[(20, 13)], area=(20.6, 5, 21, 21), foe=(25, 13), phase="fight", run=False)
    assert check_move(battle.clone(), unit, "pile in", {0: [(23, 13)]}) == Fault.LEGAL
    assert check_move(battle.clone(), unit, "consolidate", {0: [(23, 13)]}) == Fault.LEGAL
