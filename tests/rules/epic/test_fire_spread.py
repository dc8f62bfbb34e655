"""Whom the shots of a formation are named at squad detail, at whom overwatch may fire, and what is hit beside terrain with a slant."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import pi
from typing import Any

import pytest

from wh_env import Battle
from wh_env.rulesets.epic.fire.aim import chance_to_kill
from wh_env.rulesets.epic.terrain.ground import cover_at, passage_at, sees
from wh_env.testing import choose, dice_left, pick, slots, told
from wh_env.testing.epic import A, B, EpicScene, fire_at, move_by

Place = tuple[float, float]


def gunner(to_hit: int = 4, *, dice: int = 1, modifier: int = 0, reach: float = 30.0, **card: Any) -> dict[str, Any]:
    """A card of infantry with one weapon."""
    weapon = {"name": "gun", "range_cm": reach, "dice": dice, "to_hit": to_hit, "save_modifier": modifier}
    return {"class": "infantry", "move_cm": 5, "save": None, "assault_factor": 0, "weapons": [weapon], **card}


def named(
    player: int, card: Any, count: int, target: Any, at: Sequence[Place], kind: str = "", **columns: Any
) -> list[int]:
    """Which units of the second formation of the other side so many shots from around (30, 20) are named at, in order."""
    scene = EpicScene()
    if kind:
        scene.area(kind, 34.5, 30, 60, 50)
    scene.formation(player, "Boy", at=(90, 20), order="march")
    squad = scene.formation(player, card, at=[(29 + 1.1 * n, 20) for n in range(count)], order="advance")
    scene.formation(1 - player, "Boy", at=(90, 100), order="march")
    mob = scene.formation(1 - player, target, at=list(at), order="march", **columns)
    battle = scene.battle("fire", dice=[A if player == 0 else B, *[1] * 40])
    fire_at(battle, squad, mob)
    events = [e for e in battle.events if e.kind in ("to hit", "out of range")]
    return [event.data["target_model"] - mob.first for event in events]


@pytest.mark.rule("epic.fire.declare-targets", "epic.fire.to-hit", "epic.save.roll")
@pytest.mark.parametrize("player", [0, 1])
def test_each_shot_is_named_where_it_adds_most_to_the_chance_to_eliminate(player: int) -> None:
    """A hit on 4+. In the open a Boy that saves on 6+ is lost in 5 of 12 cases (5/12); one in woods (5+ to hit, saved on 5+) in
    2 of 9. Left after one shot: 7/12, so a second adds 35/144 to the first, 2/9 = 32/144 to the other, a third 245/1728 there."""
    boy = {"class": "infantry", "move_cm": 5, "save": 6, "assault_factor": 0}
    at = [(35, 40), (33, 40)]
    assert named(player, gunner(), 5, boy, at, "ruins") == [1, 1, 0, 0, 1]
    assert named(player, gunner(), 5, boy, [at[1], at[0]], "ruins") == [0, 0, 1, 1, 0]
    assert named(player, gunner(), 4, boy, [(33, 40), (32, 40)]) == [0, 1, 0, 1]


@pytest.mark.rule("epic.fire.declare-targets", "epic.save.armour", "epic.save.none")
@pytest.mark.parametrize("player", [0, 1])
def test_shots_are_named_at_the_rear_of_tanks(player: int) -> None:
    """Tanks of save 3: one shows its rear and saves on 4+. One in two against one in three: first the rear, then the front."""
    scene = EpicScene()
    squad = scene.formation(player, gunner(2), at=[(30, 20), (32, 20)], order="advance")
    tanks = scene.formation(1 - player, "Predator", at=[(28, 40), (34, 40)], order="march")

    def turn(battle: Battle) -> None:
        battle.models.facing[tanks.model(0)] = -pi / 2
        battle.models.facing[tanks.model(1)] = pi / 2

    battle = scene.battle("fire", dice=[A if player == 0 else B, 6, 6, 6, 6], set_state=turn)
    fire_at(battle, squad, tanks)
    assert [event["target_model"] - tanks.first for event in told(battle, "epic.fire.to-hit")] == [1, 0]
    saves = [(event["target_model"] - tanks.first, event["needed"]) for event in told(battle, "epic.save.roll")]
    assert saves == [(1, 4), (0, 3)]


@pytest.mark.rule("epic.fire.declare-targets", "epic.fire.out-of-range")
@pytest.mark.parametrize("player", [0, 1])
def test_what_is_within_range_is_named_before_what_is_not(player: int) -> None:
    """One of three is within 20 cm: all shots at it. With none the nearest is named, by each weapon the one nearest to it."""
    boy = {"class": "infantry", "move_cm": 5, "save": 6, "assault_factor": 0}
    assert named(player, gunner(reach=20), 3, boy, [(30, 45), (31, 39), (32, 45)]) == [1, 1, 1]
    assert named(player, gunner(reach=20), 3, boy, [(30, 47), (31, 46), (32, 50)]) == [1, 1, 1]
    assert named(player, gunner(reach=20), 3, boy, [(29, 46), (30.1, 46), (31.2, 46)]) == [0, 1, 2]


@pytest.mark.rule("epic.fire.declare-targets", "epic.fire.seven-plus")
def test_a_weapon_that_cannot_hit_is_fired_at_the_nearest() -> None:
    """10 or more is never hit: in a fortification 8+ becomes 10+, so the one in the open is named though it is farther."""
    boy = {"class": "infantry", "move_cm": 5, "save": 6, "assault_factor": 0}
    assert named(0, gunner(6), 2, boy, [(35, 31), (33, 45)], "fortification") == [1, 1]
    assert named(1, gunner(6), 2, boy, [(33, 45), (35, 31)], "fortification") == [0, 0]


@pytest.mark.rule("epic.fire.seven-plus", "epic.save.roll", "epic.save.none")
@pytest.mark.parametrize(
    ("to_hit", "dice", "save", "modifier", "distance", "chance"),
    [
        (4, 1, 4, 0, 20.0, 1 / 2 * 3 / 6),
        (4, 1, 4, 1, 20.0, 1 / 2 * 4 / 6),
        (4, 1, 6, 0, 20.0, 1 / 2 * 5 / 6),
        (4, 1, 6, 1, 20.0, 1 / 2),
        (4, 1, 4, 3, 20.0, 1 / 2),
        (4, 1, None, 0, 20.0, 1 / 2),
        (2, 1, 2, 0, 20.0, 5 / 6 * 1 / 6),
        (5, 3, 4, 0, 20.0, 1 - (5 / 6) ** 3),
        (6, 2, None, 0, 20.0, 1 - (5 / 6) ** 2),
        (4, 1, 4, 0, 30.0, 1 / 4),
        (4, 1, 4, 0, 30.1, 0.0),
    ],
)
def test_the_chance_that_a_weapon_eliminates(
    to_hit: int, dice: int, save: int | None, modifier: int, distance: float, chance: float
) -> None:
    """Every die hits by itself; every hit is saved by itself; out of range there is none."""
    scene = EpicScene()
    gun = scene.formation(0, gunner(to_hit, dice=dice, modifier=modifier), at=(30, 20), order="advance")
    card = {"class": "infantry", "move_cm": 5, "save": save, "assault_factor": 0}
    other = scene.formation(1, card, at=(30, 20 + distance), order="march")
    battle = scene.battle("fire", dice=[A])
    statics = battle.setup.statics
    tables = battle.models.rows, statics["ground"], battle.setup.corners, statics["weapons"], statics["numbers"]
    assert chance_to_kill(*tables, gun.model(), 0, other.model(), 0) == pytest.approx(chance)


# ---------------------------------------------------------------- overwatch


@pytest.mark.rule("epic.orders.overwatch")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("moves", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_overwatch_fires_at_the_formation_that_moved_and_no_other(player: int, moves: int, detail: str) -> None:
    """Two formations stand in sight; the one that has just moved is the only target, whichever it is."""
    scene = EpicScene()
    watch = [scene.formation(player, gunner(2, reach=40), at=(30 + 20 * n, 30), order="overwatch") for n in (0, 1)]
    mobs = [scene.formation(1 - player, "Boy", at=(30 + 20 * n, 50), order="advance") for n in (0, 1)]
    battle = scene.battle("movement", dice=[A if player == 1 else B, 6, 1], detail=detail)
    pick(battle, "own side first")
    choose(battle, "own", moves)
    move_by(battle, 0, 2.5)
    if battle.decision is not None and battle.decision.kind == "facing":
        choose(battle, "angle", 0)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("overwatch", player)
    assert (slots(battle, "own"), slots(battle, "done")) == ([0, 1], [0])
    choose(battle, "own", 1)
    assert battle.decision is not None
    if battle.decision.kind == "fire-at":
        assert slots(battle, "enemy") == [moves]
        choose(battle, "enemy", moves)
    (shot,) = told(battle, "epic.fire.to-hit")
    assert (shot["model"], shot["target_model"], shot["needed"]) == (watch[1].model(), mobs[moves].model(), 3)
    assert battle.units.alive[mobs[moves]] == 0
    assert (battle.units.fired[watch[0]], battle.units.fired[watch[1]]) == (0, 1)
    assert dice_left(battle) == 0


@pytest.mark.rule("epic.orders.overwatch")
@pytest.mark.parametrize("player", [0, 1])
def test_nobody_on_overwatch_fires_at_a_formation_that_stays(player: int) -> None:
    """Moved by nothing at all it has not moved; a formation that goes on is fired at, and waiting leaves the fire for later."""
    scene = EpicScene()
    watch = scene.formation(player, gunner(2), at=(30, 30), order="overwatch")
    scene.formation(1 - player, "Boy", at=[(30, 50), (32, 50)], order="advance")
    for dx, asked in ((0.0, False), (1.25, True)):
        battle = scene.battle("movement", dice=[A if player == 1 else B])
        pick(battle, "own side first")
        choose(battle, "own", 0)
        move_by(battle, dx, 0)
        assert battle.decision is not None
        assert (battle.decision.kind == "overwatch") is asked
        if asked:
            choose(battle, "done")
            assert battle.decision is not None
            assert battle.decision.kind == "select-to-fire"
        assert battle.units.fired[watch] == 0


@pytest.mark.rule("epic.fire.once-per-weapon")
def test_six_hundred_dice_are_rolled() -> None:
    """Thirty weapons of 20 dice at one unit in a fortification, which 8+ hits: 511 miss, and nothing keeps the others from being rolled."""
    scene = EpicScene()
    squad = scene.formation(
        0, gunner(6, dice=20, reach=60), at=[(20 + 1.1 * n, 20) for n in range(30)], order="advance"
    )
    scene.area("fortification", 30, 38, 40, 44)
    boy = scene.formation(1, {**gunner(), "save": None}, at=(35, 40), order="march")
    other = scene.formation(1, "Boy", at=(90, 90), order="advance")
    scene.formation(0, "Boy", at=(90, 60), order="advance")
    battle = scene.battle("fire", dice=[A, *[5] * 511])
    fire_at(battle, squad, boy)
    assert dice_left(battle) == 0
    assert battle.decision is not None
    assert (battle.decision.player, slots(battle, "own")) == (1, [other.number])


# ---------------------------------------------------------------- terrain with a slant


TRIANGLE = [(40.0, 40.0), (60.0, 40.0), (40.0, 60.0)]


@pytest.mark.rule("epic.terrain.in-cover", "epic.fire.modifiers")
@pytest.mark.parametrize("kind", ["woods", "cliff"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_unit_beside_the_slant_of_a_wood_is_not_in_it(kind: str, turned: bool) -> None:
    """A triangle: what lies in its rectangle beyond the long side is open ground, wherever its outline begins."""
    scene = EpicScene()
    scene.feature(kind, [*TRIANGLE[1:], TRIANGLE[0]] if turned else TRIANGLE)
    scene.formation(0, "Boy", at=(5, 5))
    setup = scene.battle("orders").setup
    ground, corners = setup.statics["ground"], setup.corners
    for x, y, within in (
        (41, 41, True), (49, 49, True), (58, 41, True), (41, 58, True), (49.9, 49.9, True),
        (50.1, 50.1, False), (59, 59, False), (58, 43, False), (43, 58, False), (39.9, 50, False), (50, 39.9, False),
        (61, 41, False), (41, 61, False),
    ):  # fmt: skip
        assert cover_at(ground, corners, x, y) == (1 if within and kind == "woods" else 0)
        vehicle, infantry = passage_at(ground, corners, 2, x, y), passage_at(ground, corners, 1, x, y)
        assert (vehicle, infantry) == (((1, 0) if kind == "woods" else (2, 2)) if within else (0, 0))


@pytest.mark.rule("epic.terrain.effects", "epic.terrain.in-cover")
def test_the_worst_ground_at_a_place_counts() -> None:
    """A river by a wood by a marsh: to a vehicle impassable, dangerous, dangerous; to infantry dangerous, normal, dangerous."""
    scene = EpicScene()
    for n, kind in enumerate(("river", "woods", "marsh", "fortification")):
        scene.area(kind, 10 * n, 0, 10 * n + 10, 20)
    scene.formation(0, "Boy", at=(5, 100))
    setup = scene.battle("orders").setup
    ground, corners = setup.statics["ground"], setup.corners
    places = [5, 15, 25, 35, 45]
    assert [passage_at(ground, corners, 2, x, 10) for x in places] == [2, 1, 1, 2, 0]
    assert [passage_at(ground, corners, 3, x, 10) for x in places] == [2, 1, 1, 2, 0]
    assert [passage_at(ground, corners, 1, x, 10) for x in places] == [1, 0, 1, 0, 0]
    assert [cover_at(ground, corners, x, 10) for x in places] == [0, 1, 0, 2, 0]


@pytest.mark.rule("epic.fire.line-of-sight")
@pytest.mark.parametrize("kind", ["buildings", "woods"])
def test_who_stands_before_a_bent_building_is_not_in_it(kind: str) -> None:
    """Half a thousandth of a centimetre outside of a building of several pieces: what lies behind it is hidden all the same."""
    scene = EpicScene()
    outline = [(40, 40), (60, 40), (60, 44), (44, 44), (44, 60), (40, 60)]
    scene.feature(kind, outline)
    scene.formation(0, "Boy", at=(5, 5))
    setup = scene.battle("orders").setup
    ground, corners = setup.statics["ground"], setup.corners
    for a, b in (((42, 39.9995), (42, 70)), ((42, 39.9), (42, 70)), ((30, 42), (60.0005, 42)), ((30, 42), (70, 42))):
        assert not sees(ground, corners, *a, *b)
        assert not sees(ground, corners, *b, *a)
    for a, b in pairwise([(52, 52), (46, 58), (70, 70), (39, 70), (30, 30), (70, 30)]):
        assert sees(ground, corners, *a, *b)
        assert sees(ground, corners, *b, *a)
    inside = (42, 40.0005)
    assert sees(ground, corners, *inside, 42, 30)
    assert sees(ground, corners, *inside, 42, 70) is (kind == "buildings")
