"""Charge phase: terrain, and models that can FLY (w10.charge.terrain.*, w10.charge.fly.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.core.geometry.engaged import units_engaged
from wh_env.core.geometry.paths import Fault
from wh_env.testing import Scene, dice_left, pick, sheet, told
from wh_env.testing.melee_moves import check_charge_move

FLYER = ("INFANTRY", "FLY")


def charges(scene: Scene, dice: list[int], *targets: str) -> Battle:
    """The first unit of the scene charges these targets (all in reach if none are named)."""
    battle = scene.battle(phase="charge", dice=dice)
    pick(battle, battle.setup.names["units"][0], kind="select-to-charge")
    for target in targets:
        if battle.decision is not None and battle.decision.kind == "charge-target":
            pick(battle, f"charge {target}")
    if battle.decision is not None and battle.decision.kind == "charge-target":
        pick(battle, "no more targets")
    assert dice_left(battle) == 0
    return battle


def made(battle: Battle) -> bool:
    """Whether the first unit made a Charge move."""
    return told(battle, "w10.charge.move") == [{"unit": 0}]


def across(height: float, kind: str, dice: list[int]) -> Battle:
    """A target that takes a model 6" straight across an obstacle that spans the table."""
    scene = Scene()
    scene.unit(0, sheet("Unit", keywords=("MOUNTED",)), at=(30, 10))
    scene.box(0, 12, 60, 13, height, kind=kind)
    scene.unit(1, sheet("Enemy"), at=(30, 18))  # 7" between bases
    return charges(scene, dice)


@pytest.mark.rule("w10.charge.terrain.over")
def test_climbing_counts_and_low_features_do_not():
    """Across a container 3" high a roll of 12 is needed (6 + 3 + 3); across a barrier 2" high 6 is enough."""
    assert not made(across(3.0, "container", [5, 6]))
    assert made(across(3.0, "container", [6, 6]))
    assert not made(across(2.0, "barricade", [2, 3]))
    assert made(across(2.0, "barricade", [3, 3]))


@pytest.mark.rule("w10.charge.terrain.over")
def test_an_explicit_path_over_a_container():
    """The same with an explicit path: 12" of allowance are enough, 11.9" are not, and nobody goes through."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", keywords=("MOUNTED",)), at=(30, 10))
    scene.box(0, 12, 60, 13, 3.0)
    enemy = scene.unit(1, sheet("Enemy"), at=(30, 18))
    battle = scene.battle(phase="charge", run=False)
    straight = {0: [(30.0, 16.0)]}
    assert check_charge_move(battle.clone(), unit, [enemy], 11.9, straight) == Fault.TOO_FAR
    assert check_charge_move(battle.clone(), unit, [enemy], 12, straight) == Fault.LEGAL


@pytest.mark.rule("w10.charge.terrain.no-mid-climb")
def test_no_charge_ends_in_mid_climb():
    """A target on a sheer block 6" high: with 5" at its foot the charge fails, with 10" it succeeds."""

    def block(dice: list[int]) -> Battle:
        scene = Scene()
        scene.unit(0, sheet("Unit", keywords=("MOUNTED",)), at=(30, 11.4))
        scene.box(24, 12, 36, 20, 6.0)
        scene.unit(1, sheet("Enemy"), at=(30, 14.5, 6.0))
        return charges(scene, dice)

    failed = block([2, 3])
    assert not made(failed)
    assert told(failed, "w10.charge.failed") == [{"unit": 0}]
    assert (failed.models.x[0], failed.models.y[0], failed.models.z[0]) == (30.0, 11.4, 0.0)
    succeeded = block([5, 5])
    assert made(succeeded)
    assert succeeded.models.z[0] == 6.0


@pytest.mark.rule("w10.charge.terrain.no-mid-climb")
def test_an_explicit_end_in_mid_climb_is_refused():
    """Half way up, or only half on the roof, no model can end."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", keywords=("MOUNTED",)), at=(30, 11.4))
    scene.box(24, 12, 36, 20, 6.0)
    enemy = scene.unit(1, sheet("Enemy"), at=(30, 14.5, 6.0))
    battle = scene.battle(phase="charge", run=False)
    half_up = check_charge_move(battle.clone(), unit, [enemy], 12, {0: [(30.0, 11.4, 3.0)]})
    assert half_up == Fault.MID_CLIMB
    half_on = check_charge_move(battle.clone(), unit, [enemy], 12, {0: [(30.0, 12.2, 6.0)]})
    assert half_on == Fault.MID_CLIMB
    assert check_charge_move(battle.clone(), unit, [enemy], 12, {0: [(30.0, 13.499, 6.0)]}) == Fault.LEGAL


def roof(keywords: tuple[str, ...]) -> tuple[Scene, int, int]:
    """A model on a roof 6" high whose target stands 9" away on the ground: an end 8" away is 1" from it."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", keywords=keywords), at=(10, 10, 6.0))
    scene.box(6, 6, 11, 14, 6.0)
    enemy = scene.unit(1, sheet("Enemy"), at=(20, 10))
    return scene, unit.row, enemy.row


@pytest.mark.rule("w10.charge.fly.through-the-air")
def test_flying_from_a_roof_is_measured_through_the_air():
    """8" across and 6" down: 10" with FLY, 14" without."""
    scene, unit, enemy = roof(FLYER)
    assert not made(charges(scene, [4, 5]))
    assert made(charges(scene, [5, 5]))
    for keywords, enough, short in ((FLYER, 10.0, 9.9), (("INFANTRY",), 14.0, 13.9)):
        scene, unit, enemy = roof(keywords)
        battle = scene.battle(phase="charge", run=False)
        down = {0: [(18.0, 10.0, 0.0)]}
        assert check_charge_move(battle.clone(), unit, [enemy], short, down) == Fault.TOO_FAR
        assert check_charge_move(battle, unit, [enemy], enough, down) == Fault.LEGAL
    scene, unit, enemy = roof(("INFANTRY",))
    assert not made(charges(scene, [6, 6]))


@pytest.mark.rule("w10.charge.fly.through-the-air")
def test_flying_from_the_ground_to_the_ground_is_measured_along_it():
    """FLY changes nothing about the measure where neither end is on a terrain feature."""
    for keywords in (FLYER, ("MOUNTED",)):
        for dice, success in (([5, 6], False), ([6, 6], True)):
            scene = Scene()
            scene.unit(0, sheet("Unit", keywords=keywords), at=(30, 10))
            scene.box(0, 12, 60, 13, 3.0)
            scene.unit(1, sheet("Enemy"), at=(30, 18))
            assert made(charges(scene, dice)) == success


def in_line(keywords: tuple[str, ...], walled: bool = False) -> tuple[Battle, int, int, int]:
    """X 3" ahead and Y 8" ahead in one line; a base of 2.2" fits between them, within 1" of both."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", keywords=keywords, base_mm=25.4 * 2.2), at=(20, 10))
    x = scene.unit(1, sheet("X"), at=(20, 14.6))
    y = scene.unit(1, sheet("Y"), at=(20, 19.6))
    if walled:
        scene.box(14, 8, 17.4, 24, 9)
        scene.box(22.6, 8, 26, 24, 9)
    return scene.battle(phase="charge", run=False), unit.row, x.row, y.row


@pytest.mark.rule("w10.charge.fly.over-models")
def test_flying_over_the_first_target_to_the_second():
    """Straight over X to a place within 1" of X and Y is legal with FLY and crosses an enemy model without."""
    over = {0: [(20.0, 17.1)]}
    battle, unit, x, y = in_line(FLYER)
    assert check_charge_move(battle, unit, [x, y], 9, over) == Fault.LEGAL
    assert units_engaged(battle.models.rows, battle.units.rows, unit, x, 1.0, 5.0)
    assert units_engaged(battle.models.rows, battle.units.rows, unit, y, 1.0, 5.0)
    battle, unit, x, y = in_line(("INFANTRY",))
    assert check_charge_move(battle.clone(), unit, [x, y], 9, over) == Fault.CROSSES_ENEMY
    around = {0: [(22.0, 13.5), (22.0, 15.5), (20.0, 17.1)]}
    assert check_charge_move(battle, unit, [x, y], 9, around) == Fault.LEGAL


@pytest.mark.rule("w10.charge.fly.over-models")
def test_nobody_ends_on_another_model():
    """FLY lets a model pass over others, friend or foe, never end on top of one."""
    battle, unit, x, y = in_line(FLYER)
    assert check_charge_move(battle, unit, [x, y], 9, {0: [(20.0, 15.2)]}) == Fault.OVERLAPS_MODEL
    for keywords, fault in ((("MONSTER", "FLY"), Fault.LEGAL), (("MONSTER",), Fault.CROSSES_BIG)):
        scene = Scene()
        monster = scene.unit(0, sheet("Monster", keywords=keywords), at=(20, 10))
        scene.unit(0, sheet("Tank", keywords=("VEHICLE",)), at=(20, 12))
        enemy = scene.unit(1, sheet("Enemy"), at=(20, 16))
        battle = scene.battle(phase="charge", run=False)
        assert check_charge_move(battle, monster, [enemy], 5, {0: [(20.0, 14.999)]}) == fault


@pytest.mark.rule("w10.charge.fly.over-models")
def test_the_engine_flies_over_what_it_cannot_go_around():
    """X closes a corridor and Y stands behind it, both targets: a flyer lands between them, a walker cannot get there."""
    for keywords, success in ((FLYER, True), (("MOUNTED",), False)):
        scene = Scene()
        unit = scene.unit(0, sheet("Unit", keywords=keywords), at=(20, 10))
        scene.unit(1, sheet("X", base_mm=50.8), at=(20, 13))
        scene.unit(1, sheet("Y"), at=(20, 16.5))
        scene.box(14, 4, 18.8, 24, 14)
        scene.box(21.2, 4, 26, 24, 14)
        battle = charges(scene, [5, 5], "X", "Y")
        assert made(battle) == success
        assert (battle.models.y[unit.first] > 14.0) == success


def mixed(first: tuple[str, ...] = ("FLY",)) -> dict[str, object]:
    """A unit of a Flyer and a Walker."""
    data = sheet("Unit", keywords=("INFANTRY",))
    kind = data["models"][0]
    data["models"] = [
        {**kind, "name": "Flyer", "min": 1, "max": 1, "keywords": list(first)},
        {**kind, "name": "Walker", "min": 1, "max": 1},
    ]
    data["points"] = [{"models": 2, "points": 100}]
    return data


@pytest.mark.rule("w10.charge.fly.over-models")
def test_in_a_mixed_unit_each_model_charges_by_its_own_rules():
    """Over the first target to the second: the model with FLY may, the one without may not."""
    for flyer, walker, fault in ((20.0, 18.0, Fault.LEGAL), (18.0, 20.0, Fault.CROSSES_ENEMY)):
        scene = Scene()
        unit = scene.unit(0, mixed(), at=[(flyer, 10), (walker, 10)])
        x = scene.unit(1, sheet("X"), at=(20, 13))
        y = scene.unit(1, sheet("Y"), at=(20, 16.8))
        battle = scene.battle(phase="charge", run=False)
        number = 0 if flyer == 20.0 else 1
        paths = {number: [(20.0, 15.798)], 1 - number: [(18.998, 13.0)]}
        assert check_charge_move(battle, unit, [x, y], 12, paths) == fault


@pytest.mark.rule("w10.charge.fly.through-the-air")
def test_in_a_mixed_unit_the_model_with_fly_is_measured_through_the_air():
    """From a roof 6" high to the ground 8" away: 10" with FLY beside a model without, which would need 14"."""
    verdicts = []
    for keywords in (("FLY",), ()):
        scene = Scene()
        scene.box(16, 6, 24, 11, 6)
        unit = scene.unit(0, mixed(keywords), at=[(20, 10, 6), (18, 12)])
        enemy = scene.unit(1, sheet("Enemy"), at=(20, 19))
        battle = scene.battle(phase="charge", run=False)
        verdicts.append(check_charge_move(battle, unit, [enemy], 10.1, {0: [(20.0, 17.998, 0.0)], 1: [(18.998, 19.0)]}))
    assert verdicts[0] == Fault.LEGAL
    assert verdicts[1] == Fault.TOO_FAR


@pytest.mark.rule("w10.charge.fly.over-models")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_mixed_unit_charges_where_only_its_flyer_can(detail: str):
    """X closes a corridor and Y stands behind it, both targets: the Flyer of the unit lands between them, the Walker stays in front."""
    for keywords, success in ((("FLY",), True), ((), False)):
        scene = Scene()
        scene.unit(0, mixed(keywords), at=[(20, 10), (20, 8.8)])
        scene.unit(1, sheet("X", base_mm=40), at=(20, 13))
        scene.unit(1, sheet("Y"), at=(20, 16.0))
        scene.box(14, 4, 18.8, 24, 14)
        scene.box(21.2, 4, 26, 24, 14)
        battle = scene.battle(phase="charge", dice=[6, 6], detail=detail)
        pick(battle, "Unit", kind="select-to-charge")
        for target in ("X", "Y"):
            pick(battle, f"charge {target}")
        if battle.decision is not None and battle.decision.kind == "charge-target":
            pick(battle, "no more targets")
        if success and detail == "full":
            pick(battle, "move Flyer 1", kind="close-order")
            ends = [battle.clone() for _ in battle.decision.options[1:]]
            for branch, action in zip(ends, battle.decision.options[1:], strict=True):
                branch.apply(action)
            assert any(branch.models.y[0] > 14.0 for branch in ends)
            battle.apply(0)
            pick(battle, "take the move back")
            pick(battle, "leave the move to the engine")
        assert made(battle) == success
        assert (battle.models.y[0] > 14.0) == success


def flight(start: tuple[float, ...], end: tuple[float, ...], bystander: tuple[float, ...], block: float = 0.0) -> Fault:
    """The verdict on a straight charge with FLY past a unit that is no target, to contact with one behind ``end``."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", keywords=FLYER), at=start)
    if len(start) > 2:
        scene.box(8, 8, 12, 12, start[2])
        scene.box(8, 18, 12, 22, end[2])
    if block:
        scene.box(8, 14, 12, 16, block)
    enemy = scene.unit(1, sheet("Enemy"), at=(end[0], end[1] + 1.0, *end[2:]))
    scene.unit(1, sheet("Bystander"), at=bystander)
    battle = scene.battle(phase="charge", run=False)
    return check_charge_move(battle, unit, [enemy], 12, {0: [end]})


@pytest.mark.rule("w10.charge.fly.non-targets")
def test_flying_does_not_excuse_passing_a_unit_that_is_no_target():
    """Over Y or 0.9" beside it: refused; 1.1" beside it: legal."""
    start, end = (30.0, 10.0), (30.0, 18.0)
    assert flight(start, end, (30.0, 14.0)) == Fault.ENGAGES_ON_THE_WAY
    assert flight(start, end, (31.9, 14.0)) == Fault.ENGAGES_ON_THE_WAY
    assert flight(start, end, (32.1, 14.0)) == Fault.LEGAL


@pytest.mark.rule("w10.charge.fly.non-targets")
def test_flying_high_above_a_unit_that_is_no_target():
    """From roof to roof 7" up: 7" or 5.1" above a bystander is legal, 5.0" is refused."""
    start, end = (10.0, 11.0, 7.0), (10.0, 19.0, 7.0)
    assert flight(start, end, (10.0, 15.0)) == Fault.LEGAL
    assert flight(start, end, (10.0, 15.0, 1.9), block=1.9) == Fault.LEGAL
    assert flight(start, end, (10.0, 15.0, 2.0), block=2.0) == Fault.ENGAGES_ON_THE_WAY


@pytest.mark.rule("w10.charge.fly.non-targets")
def test_the_engine_fails_a_flying_charge_over_a_bystander():
    """In a closed corridor with a bystander in it, a flyer cannot charge the unit behind."""
    for bystander, success in ((True, False), (False, True)):
        scene = Scene()
        scene.unit(0, sheet("Unit", keywords=FLYER), at=(20, 10))
        scene.unit(1, sheet("Target"), at=(20, 18))
        if bystander:
            scene.unit(1, sheet("Bystander"), at=(20, 14))
        scene.box(14, 4, 18.8, 24, 14)
        scene.box(21.2, 4, 26, 24, 14)
        assert made(charges(scene, [5, 5], "Target")) == success
