"""Models with FLY: over models, over big ones, where they end, through the air; nothing in Pile-in and Consolidation."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import Scene, UnitHandle, cell_nearest, choose, dice_left, pick, sheet, slots, told
from wh_env.testing.melee_moves import check_consolidation, check_pile_in_move
from wh_env.testing.moves import check_move, judged, walk

FLYING, WALKING = ["INFANTRY", "FLY"], ["INFANTRY"]


def flight(
    keywords: list[str],
    foes: list[tuple[float, float]],
    friend: dict[str, object] | None = None,
    at: tuple[float, float] = (14, 10),
    detail: str = "full",
    dice: list[int] | None = None,
    **fields: object,
) -> tuple[Battle, UnitHandle]:
    """A model with M 12" at (10, 10), enemies, perhaps a friend; the model is selected to move."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", M=12, keywords=keywords, **fields), at=(10, 10), models=1)  # type: ignore[arg-type]
    scene.unit(0, sheet("Friend", **(friend or {})), at=(50, 5) if friend is None else at, models=1)  # type: ignore[arg-type]
    scene.unit(1, sheet("Foes"), at=foes, models=len(foes))
    battle = scene.battle(detail=detail, dice=dice or [])
    pick(battle, "Squad")
    return battle, squad


ROW = [(16, 8), (16, 9.2), (16, 10.4), (16, 11.6), (25, 10)]  # the last one 2" from the goal


@pytest.mark.rule("w10.move.fly.over-models")
def test_flying_over_enemies() -> None:
    """M 12", an enemy unit between: straight over it, ending 2" from an enemy, is legal with FLY only."""
    for kind, dice, pose in (("normal", [], (22, 10)), ("advance", [1], (22, 10))):
        for keywords in (FLYING, WALKING):
            battle, squad = flight(keywords, ROW, dice=dice)
            pick(battle, "Advance" if dice else "Normal move")
            assert (judged(battle, squad, pose, kind=kind) == Fault.LEGAL) == (keywords == FLYING)
            assert judged(battle, squad, (23.1, 10), kind=kind) != Fault.LEGAL  # 0.9" from the last enemy


@pytest.mark.rule("w10.move.fly.over-models")
def test_flying_within_engagement_range_on_the_way() -> None:
    """Passing 0.5" from an enemy is legal with FLY, rejected without."""
    for keywords, verdict in ((FLYING, Fault.LEGAL), (WALKING, Fault.ENGAGES_ON_THE_WAY)):
        battle, squad = flight(keywords, [(16, 11.5)])
        assert judged(battle, squad, (22, 10)) == verdict


@pytest.mark.rule("w10.move.fly.over-models")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_flying_over_enemies_is_played(detail: str) -> None:
    """The place beyond a long line of enemies is offered to the model with FLY and not to the other."""
    line = [(16, 2.0 + 1.3 * k) for k in range(14)]
    for keywords in (FLYING, WALKING):
        battle, _ = flight(keywords, line, detail=detail)
        pick(battle, "Normal move")
        if detail == "full":
            if keywords == FLYING:
                walk(battle, 0, 22, 10)
                assert battle.models.x[0] == pytest.approx(22)
            else:
                with pytest.raises(LookupError):
                    walk(battle, 0, 22, 10)
        else:
            assert (cell_nearest(battle, 12, 0, 12) in slots(battle, "cell")) == (keywords == FLYING)


@pytest.mark.rule("w10.move.fly.over-models")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_falling_back_over_enemies_with_fly_costs_no_test(detail: str) -> None:
    """An engaged model with FLY falls back over the enemies: no die, no declaration."""
    battle, _ = flight(FLYING, [(10 + 1.2 * k, 11.3) for k in range(-4, 5)], detail=detail, dice=[1])
    pick(battle, "Squad: Fall Back")
    if detail == "squad":
        battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, 9, 12))
    else:
        walk(battle, 0, 10, 19)
        choose(battle, "done")
    assert battle.models.y[0] == pytest.approx(19)
    assert dice_left(battle) == 1


@pytest.mark.rule("w10.move.fly.over-models")
def test_each_model_flies_for_itself() -> None:
    """In an Attached unit only the model with FLY passes over the enemies; moved as one the unit does not."""
    for detail in ("full", "squad"):
        scene = Scene()
        guard = scene.unit(0, sheet("Guard", M=12), at=[(10, 10), (10, 11.5)])
        lead = sheet("Lead", M=12, keywords=[*FLYING, "CHARACTER"], abilities={"leader": ["Guard"]})
        scene.unit(0, lead, at=(10, 8.5), models=1, leads=guard)
        scene.unit(1, sheet("Foes"), at=[(13, 2.0 + 1.3 * k) for k in range(14)], models=14)
        battle = scene.battle(detail=detail)
        pick(battle, "Normal move")
        if detail == "full":
            stay = {0: [(10, 10)], 1: [(10, 11.5)]}
            assert check_move(battle.clone(), guard, "normal", {2: [(16, 8.5), (10, 8.5)], **stay}) == Fault.LEGAL
            assert check_move(battle.clone(), guard, "normal", {0: [(16, 10), (10, 10)]}) != Fault.LEGAL
            assert walk(battle.clone(), 2, 16, 8.5)[0] == pytest.approx(16, abs=0.1)
            with pytest.raises(LookupError):
                walk(battle, 0, 16, 10)
        else:
            assert cell_nearest(battle, 9, 0, 12) not in slots(battle, "cell")


@pytest.mark.rule("w10.move.fly.monster-vehicle")
@pytest.mark.parametrize("keywords", [["VEHICLE"], ["MONSTER"]])
def test_flying_over_monsters_and_vehicles(keywords: list[str]) -> None:
    """A friendly MONSTER (or VEHICLE) 4" ahead: straight over it with FLY, rejected without."""
    big = {"base_mm": 50.8, "height": 3}
    other = {"keywords": ["MONSTER" if keywords == ["VEHICLE"] else "VEHICLE"], **big}
    for fly, verdict in (([*keywords, "FLY"], Fault.LEGAL), (keywords, Fault.CROSSES_BIG)):
        battle, squad = flight(fly, [(50, 40)], friend=other, at=(16, 10), **big)
        assert judged(battle, squad, (22, 10)) == verdict
        together, _ = flight(fly, [(50, 40)], friend=other, at=(16, 10), detail="squad", **big)
        pick(together, "Normal move")
        assert (cell_nearest(together, 12, 0, 12) in slots(together, "cell")) == (verdict == Fault.LEGAL)


@pytest.mark.rule("w10.move.fly.end")
def test_flying_does_not_end_on_a_model_or_in_engagement_range() -> None:
    """0.9" from an enemy, on a friendly base or on an enemy one are no ends; 1.1" away and in contact with a friend are."""
    battle, squad = flight(FLYING, [(20, 10)], friend={}, at=(14, 10))
    assert judged(battle, squad, (20, 11.9)) == Fault.ENGAGES_AT_THE_END
    assert judged(battle, squad, (20, 12.1)) == Fault.LEGAL
    assert judged(battle, squad, (20, 10.2)) == Fault.OVERLAPS_MODEL
    assert judged(battle, squad, (14, 10.9)) == Fault.OVERLAPS_MODEL
    assert judged(battle, squad, (14, 11)) == Fault.LEGAL
    pick(battle, "Normal move")
    for x, y in ((20, 11.8), (14, 10.5)):
        with pytest.raises(LookupError):
            walk(battle.clone(), 0, x, y)
    together, _ = flight(FLYING, [(19, 10)], friend={}, at=(14.5, 10), detail="squad")
    pick(together, "Normal move")
    grid = together.setup.space.grid
    for cell in slots(together, "cell"):
        x, y = 10 + (cell % grid - grid // 2) * 1.5, 10 + (cell // grid - grid // 2) * 1.5
        assert hypot(x - 19, y - 10) > 2.0
        assert hypot(x - 14.5, y - 10) >= 1.0


def below_a_floor(
    keywords: list[str], away: float, detail: str = "full", **fields: object
) -> tuple[Battle, UnitHandle, float]:
    """A model with M 12" on the ground and a ruin's floor 6" up; the place ``away`` inches from it on that floor."""
    scene = Scene()
    scene.floor(16, 2, 30, 30, 6)
    squad = scene.unit(0, sheet("Squad", M=12, keywords=keywords, **fields), at=(10, 10), models=1)  # type: ignore[arg-type]
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return scene.battle(detail=detail), squad, 10 + away


@pytest.mark.rule("w10.move.fly.through-the-air")
def test_flying_onto_a_floor_is_measured_through_the_air() -> None:
    """M 12" and a floor 6" up: 10.39" away is legal with FLY, 10.5" is not; on foot it would take 16.39"."""
    for away, verdict in ((10.39, Fault.LEGAL), (10.5, Fault.TOO_FAR)):
        battle, squad, x = below_a_floor(FLYING, away)
        assert judged(battle, squad, (x, 10, 6)) == verdict
    assert hypot(10.39, 6) <= 12 < hypot(10.5, 6)
    battle, squad, x = below_a_floor(WALKING, 10.39)
    assert judged(battle, squad, (x, 10, 6)) == Fault.TOO_FAR
    scene = Scene()
    scene.floor(16, 2, 30, 30, 6)
    scene.unit(0, sheet("Squad", M=10.39, keywords=WALKING), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(detail="full", dice=[6])
    pick(battle, "Advance")  # 16.39"
    assert judged(battle, squad, (20.39, 10, 6), kind="advance") == Fault.LEGAL
    assert judged(battle, squad, (20.41, 10, 6), kind="advance") == Fault.TOO_FAR


@pytest.mark.rule("w10.move.fly.through-the-air")
def test_flying_from_a_floor_and_along_the_ground() -> None:
    """Starting on terrain counts as well; from ground to ground a container in the way is climbed as by others."""
    scene = Scene()
    scene.floor(16, 2, 30, 30, 6)
    squad = scene.unit(0, sheet("Squad", M=12, keywords=FLYING), at=(17, 10, 6), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(detail="full")
    assert judged(battle, squad, (17 - 10.39, 10, 0)) == Fault.LEGAL
    assert judged(battle, squad, (17 - 10.5, 10, 0)) == Fault.TOO_FAR
    scene = Scene()
    scene.box(12, 2, 13, 30, 3)
    squad = scene.unit(0, sheet("Squad", M=12, keywords=FLYING), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(detail="full")
    assert judged(battle, squad, (16, 10)) == Fault.LEGAL  # 6" and 6"
    assert judged(battle, squad, (16.1, 10)) == Fault.TOO_FAR


@pytest.mark.rule("w10.move.fly.through-the-air")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_flying_onto_a_floor_is_played(detail: str) -> None:
    """9" away on the floor 6" up with M 12": open to the model with FLY (10.8"), not on foot (15")."""
    for keywords in (FLYING, WALKING):
        battle, _, x = below_a_floor(keywords, 9, detail)
        pick(battle, "Normal move")
        if detail == "squad":
            battle.apply(battle.setup.space.cell + cell_nearest(battle, 9, 0, 12))
            if keywords == FLYING:
                pick(battle, "climb")
        elif keywords == FLYING:
            walk(battle, 0, x, 10, level=1)
        else:
            assert battle.decision is not None
            assert battle.decision.kind != "model-level"
            walk(battle, 0, x, 10)
        assert battle.models.x[0] == pytest.approx(x, abs=0.1)
        assert battle.models.z[0] == (6 if keywords == FLYING else 0)


@pytest.mark.rule("w10.move.fly.other-moves")
def test_fly_gives_nothing_in_pile_in_and_consolidation_moves() -> None:
    """A FLY model 2" from its closest enemy whose way crosses another enemy base: rejected, as without FLY."""
    for keywords in (FLYING, WALKING):
        scene = Scene()
        squad = scene.unit(0, sheet("Squad", keywords=keywords), at=[(20, 20), (20, 18.5)])
        scene.unit(1, sheet("Foes"), at=[(23, 20), (23, 18.4)])
        scene.unit(1, sheet("Others", base_mm=10), at=(20.9, 21.0), models=1)
        battle = scene.battle("fight", run=False)
        over = {0: [(21.6, 21.6)]}
        assert check_move(battle.clone(), squad, "pile in", over) == Fault.CROSSES_ENEMY
        assert check_move(battle.clone(), squad, "consolidate", over) == Fault.CROSSES_ENEMY
        assert check_pile_in_move(battle.clone(), squad, over) == Fault.CROSSES_ENEMY
        assert check_consolidation(battle.clone(), squad, over) == Fault.CROSSES_ENEMY
        # while a Normal move with FLY would pass over the same base
        beyond = {0: [(21.4, 22), (20, 24)], 1: [(20, 22.5)]}
        assert (check_move(battle, squad, "normal", beyond) == Fault.LEGAL) == (keywords == FLYING)


@pytest.mark.rule("w10.move.fly.other-moves")
def test_pile_in_of_fly_models_is_measured_along_the_ground() -> None:
    """A step of 2.5" up and 2" along is 3.2" through the air and 4.5" on foot: in a Pile-in of 3" neither is legal;
    2.5" up and 1" along, 2.7" through the air, is rejected as well."""
    for keywords in (FLYING, WALKING):
        scene = Scene()
        scene.box(21, 10, 30, 30, 2.5)
        squad = scene.unit(0, sheet("Squad", keywords=keywords), at=(20.5, 20), models=1)
        scene.unit(1, sheet("Foes"), at=[(23.4, 20, 2.5)], models=1)
        battle = scene.battle("fight", run=False)
        assert check_move(battle, squad, "pile in", {0: [(21.5, 20, 2.5)]}) == Fault.TOO_FAR
        assert (check_move(battle, squad, "charge", {0: [(21.5, 20, 2.5)]}, roll=3, targets=[1]) == Fault.LEGAL) == (
            keywords == FLYING
        )
        assert not told(battle, "w10.fight.pile-in")
