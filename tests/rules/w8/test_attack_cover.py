"""Cover: of whole units, at each save, against shooting (w8.attack.cover*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene
from eighth_shooting import SAVE, declare, gunners, rolls, shoot, waits, wounds

from wh_env.rulesets.w40k.shoot.snap import Overwatch
from wh_env.testing import choose, dice_left, melee, pick, ranged, sheet, told

PIERCING = ranged(24, BS=2, S=8, AP=-1)
# a unit of one model at (10, 21) in the middle of it, or beside it
WITHIN, BESIDE = (8, 19, 14, 25), (30, 19, 34, 25)


@pytest.mark.rule("w8.attack.cover")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("outline", "needed"), [(WITHIN, 3), (BESIDE, 4)])
def test_a_unit_within_terrain_saves_better(player, detail, outline, needed):
    battle, unit = shoot(
        PIERCING, [2, 2, 3], player=player, detail=detail, enemy=sheet("X", Sv=3, W=9), terrain=[outline]
    )
    assert rolls(battle, SAVE) == [(3, needed, int(needed == 3))]
    assert wounds(battle, unit) == [9 - (needed == 4)]


KINDS = {
    "woods": lambda scene: scene.woods(8, 19, 14, 25),
    "ruins": lambda scene: scene.ruins(8, 19, 14, 25),
    "ruined floor": lambda scene: scene.ruins(8, 19, 14, 25, floors=[3.0]),
    "hill": lambda scene: scene.box(8, 19, 14, 25, 2.0, kind="hill"),
    "container": lambda scene: scene.box(8, 19, 14, 25, 2.0),
}


@pytest.mark.rule("w8.attack.cover")
@pytest.mark.parametrize(
    ("kind", "height"), [("woods", 0), ("ruins", 0), ("ruined floor", 3.0), ("hill", 2.0), ("container", 2.0)]
)
def test_any_feature_on_or_in_which_it_stands(kind, height):
    scene = EighthScene()
    KINDS[kind](scene)
    scene.unit(0, gunners(weapon=PIERCING), at=(10, 10))
    scene.unit(1, sheet("X", Sv=3, W=9), at=[(10, 22, height)])
    battle = scene.battle("shooting", dice=[2, 2, 3])
    pick(battle, "Guns")
    assert rolls(battle, SAVE) == [(3, 3, 1)]


@pytest.mark.rule("w8.attack.cover")
def test_to_stand_behind_terrain_or_half_within_it_is_not_enough():
    for outline in ((8, 15, 14, 19), (10, 19, 14, 25)):
        battle, _ = shoot(PIERCING, [2, 2, 3], enemy=sheet("X", Sv=3, W=9), terrain=[outline])
        assert rolls(battle, SAVE) == [(3, 4, 0)]


@pytest.mark.rule("w8.attack.cover.entirely")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_one_model_outside_takes_it_from_all(player, detail):
    """Four of five in a crater: no save is better, and when the fifth is slain, those against the next unit's attacks are."""
    scene = EighthScene()
    scene.crater(8, 19, 15, 23)
    gun = ranged(24, BS=2, S=8, AP=-1)
    for x in (8, 12):
        scene.unit(player, gunners(weapon=gun), at=(x, 5), name=f"Guns {x}")
    spots = [(9, 21), (10.5, 21), (12, 21), (13.5, 21), (16.5, 21)]
    unit = scene.unit(1 - player, sheet("X", Sv=3), at=spots)
    battle = scene.battle("shooting", active=player, detail=detail, dice=[2, 2, 3, 2, 2, 3])
    pick(battle, "Guns 8")
    if waits(battle, "allocate"):
        choose(battle, "model", 4)
    assert rolls(battle, SAVE) == [(3, 4, 0)]
    if waits(battle, "select-to-shoot"):
        pick(battle, "Guns 12")
    if waits(battle, "allocate"):
        choose(battle, "model", 0)
    # at squad detail the last row, the one outside, has fallen too
    assert wounds(battle, unit) == [1, 1, 1, 1, 0]
    assert rolls(battle, SAVE)[1:] == [(3, 3, 1)]


@pytest.mark.rule("w8.attack.cover.entirely")
def test_models_may_stand_in_several_features():
    for second, needed in ((WITHIN[0] + 8, 3), (40, 4)):
        scene = EighthScene()
        scene.crater(8, 19, 14, 25)
        scene.crater(second, 19, second + 6, 25)
        scene.unit(0, gunners(weapon=PIERCING), at=(10, 10))
        scene.unit(1, sheet("X", Sv=3), at=[(13, 21), (17, 21)])
        battle = scene.battle("shooting", dice=[2, 2, 3])
        pick(battle, "Guns")
        assert rolls(battle, SAVE) == [(3, needed, int(needed == 3))]


@pytest.mark.rule("w8.attack.cover.timing", "w8.attack.cover.entirely")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("count", [1, 2])
def test_it_is_judged_at_each_save(player, detail, count):
    """One model outside: two wounding attacks of one batch, or of two models; the first slays it, the second is saved at +1."""
    scene = EighthScene()
    scene.crater(8, 19, 15, 23)
    gun = ranged(24, A=2 // count, BS=2, S=8, AP=-1)
    scene.unit(player, gunners(weapon=gun), at=(10, 5), models=count)
    unit = scene.unit(1 - player, sheet("X", Sv=3), at=[(9, 21), (10.5, 21), (12, 21), (13.5, 21), (16.5, 21)])
    battle = scene.battle("shooting", active=player, detail=detail, dice=[2, 2, 2, 2, 3, 3])
    pick(battle, "Guns")
    for model in (4, 0):
        if waits(battle, "allocate"):
            choose(battle, "model", model)
    assert rolls(battle, SAVE) == [(3, 4, 0), (3, 3, 1)]
    assert wounds(battle, unit) == [1, 1, 1, 1, 0]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.attack.cover.timing")
def test_as_long_as_the_model_outside_stands_nobody_has_it():
    scene = EighthScene()
    scene.crater(8, 19, 15, 23)
    scene.unit(0, gunners(weapon=ranged(24, A=2, BS=2, S=8, AP=-1)), at=(10, 5))
    scene.unit(1, sheet("X", Sv=3), at=[(9, 21), (10.5, 21), (12, 21), (13.5, 21), (16.5, 21)])
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 2, 2, 3, 3])
    pick(battle, "Guns")
    for _ in range(2):
        choose(battle, "model", 0)
    assert rolls(battle, SAVE) == [(3, 4, 0), (3, 4, 0)]


@pytest.mark.rule("w8.attack.cover.not-invulnerable")
@pytest.mark.parametrize("player", [0, 1])
def test_invulnerable_saves_are_no_better(player):
    battle, unit = shoot(
        ranged(24, BS=2, S=8, AP=-4), [2, 2, 3], player=player, enemy=sheet("X", Sv=6, W=9, invuln=4), terrain=[WITHIN]
    )
    assert rolls(battle, SAVE) == [(3, 4, 0)]
    assert wounds(battle, unit) == [8]


@pytest.mark.rule("w8.attack.cover.not-fight")
@pytest.mark.parametrize("player", [0, 1])
def test_there_is_none_in_the_fight_phase(player):
    scene = EighthScene()
    scene.ruins(8, 17, 14, 25)
    scene.unit(player, sheet("Fists", weapons={"fist": melee(WS=2, S=8, AP=-1)}), at=(10, 19.5), charged=1)
    scene.unit(1 - player, sheet("X", Sv=3, W=9), at=(10, 21))
    battle = scene.battle("fight", active=player, dice=[2, 2, 3])
    for _ in range(30):
        if told(battle, SAVE) or battle.decision is None:
            break
        battle.apply(battle.first_legal())
    assert rolls(battle, SAVE) == [(3, 4, 0)]


@pytest.mark.rule("w8.attack.cover.overwatch")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("outline", "needed"), [((8, 17, 14, 23), 3), ((30, 17, 34, 23), 4)])
def test_a_charging_unit_has_it_against_overwatch(player, detail, outline, needed):
    scene = EighthScene()
    scene.crater(*outline)
    guns = scene.unit(1 - player, gunners(weapon=ranged(24, BS=3, S=8, AP=-1)), at=(10, 10))
    unit = scene.unit(player, sheet("X", Sv=3, W=9, weapons={"fist": melee()}), at=(10, 20))
    battle = scene.battle("charge", active=player, detail=detail, dice=[6, 2, 3], run=False)
    Overwatch.at(battle, guns.row, unit.row)
    battle.run()
    declare(battle, "at X")
    assert rolls(battle, SAVE) == [(3, needed, int(needed == 3))]


@pytest.mark.rule("w8.attack.cover")
def test_it_does_not_outlast_the_attacks():
    battle, unit = shoot(PIERCING, [2, 2, 3], enemy=sheet("X", Sv=3, W=9), terrain=[WITHIN])
    assert int(battle.models.flags[unit.first]) >> 56 & 1 == 0
