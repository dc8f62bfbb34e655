"""Charge phase: what a Charge move must end with, and what makes the charge fail (w10.charge.condition.*, .move.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.core.geometry.engaged import units_engaged
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.move.coherency import in_coherency
from wh_env.testing import Scene, apart, dice_left, kind, pick, ranged, sheet, told
from wh_env.testing.melee_moves import check_charge_move

HORSE = ("MOUNTED",)  # does not pass through the walls of ruins


def charge(battle: Battle, unit: str, *targets: str) -> bool:
    """Declare these targets, play the charge, and tell whether it succeeded."""
    pick(battle, unit, kind="select-to-charge")
    for target in targets:
        if battle.decision is not None and battle.decision.kind == "charge-target":
            pick(battle, f"charge {target}")
    if battle.decision is not None and battle.decision.kind == "charge-target":
        pick(battle, "no more targets")
    row = battle.setup.names["units"].index(unit)
    declared = {battle.setup.names["units"][t] for e in told(battle, "w10.charge.roll") for t in e["targets"]}
    assert declared == set(targets)
    assert dice_left(battle) == 0
    return row in [e["unit"] for e in told(battle, "w10.charge.move")]


def engaged(battle: Battle, a: int, b: int) -> bool:
    """Whether two units are within Engagement Range of each other."""
    return bool(units_engaged(battle.models.rows, battle.units.rows, int(a), int(b), 1.0, 5.0))


# ---------------------------------------------------------------- conditions


def two_targets(dice: list[int]) -> tuple[Battle, int, int, int]:
    """X at 5" and Y at 9" from a unit of two models."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (12, 10)])
    x = scene.unit(1, sheet("X"), at=(10, 16))
    y = scene.unit(1, sheet("Y"), at=(12, 20))
    return scene.battle(phase="charge", dice=dice), unit.row, x.row, y.row


@pytest.mark.rule("w10.charge.condition.all-targets")
def test_the_roll_must_reach_every_target():
    """X needs 4", Y needs 8": a roll of 7 fails against both and succeeds against X alone."""
    both, unit, x, y = two_targets([3, 4])
    assert not charge(both, "Unit", "X", "Y")
    assert (both.models.y[0], both.models.y[1]) == (10.0, 10.0)
    alone, unit, x, y = two_targets([3, 4])
    assert charge(alone, "Unit", "X")
    assert engaged(alone, unit, x)
    assert not engaged(alone, unit, y)


@pytest.mark.rule("w10.charge.condition.all-targets")
def test_a_roll_that_reaches_both_targets():
    """X needs 4", Y needs 6": 5 is too little for both, 6 is enough."""
    for dice, success in (([2, 3], False), ([3, 3], True)):
        scene = Scene()
        unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (12, 10)])
        x = scene.unit(1, sheet("X"), at=(10, 16))
        y = scene.unit(1, sheet("Y"), at=(12, 18))
        battle = scene.battle(phase="charge", dice=dice)
        assert charge(battle, "Unit", "X", "Y") == success
        assert engaged(battle, unit, x) == engaged(battle, unit, y) == success


@pytest.mark.rule("w10.charge.condition.all-targets")
def test_an_explicit_move_that_leaves_out_a_target_is_refused():
    """Ending in base contact with X alone is a charge at X, not one at X and Y."""
    battle, unit, x, y = two_targets([])
    battle.run()
    moves = {0: [(10.0, 14.998)], 1: [(11.0, 16.0)]}
    assert check_charge_move(battle.clone(), unit, [x, y], 8, moves) == Fault.NOT_ENGAGED
    assert check_charge_move(battle.clone(), unit, [x], 8, moves) == Fault.LEGAL


@pytest.mark.rule("w10.charge.condition.all-targets", "w10.charge.move")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("dice", [[3, 3], [4, 4], [6, 6]])
@pytest.mark.parametrize(
    ("models", "x", "y"),
    [(2, (11.0, 14.0), (15.0, 14.5)), (3, (10.5, 13.0), (7.0, 15.0)), (3, (11.5, 15.5), (7.0, 17.0))],
)
def test_what_a_roll_reaches_every_higher_roll_reaches(detail, dice, models, x, y):
    """Two targets a few inches apart that 6" engage, with the unit in coherency between them: so do more inches."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10 + 1.5 * k, 10) for k in range(models)])
    targets = [scene.unit(1, sheet(name), at=at) for name, at in (("X", x), ("Y", y))]
    battle = scene.battle(phase="charge", dice=dice, detail=detail)
    assert charge(battle, "Unit", "X", "Y")
    if detail == "full":
        pick(battle, "leave the move to the engine")
    assert all(engaged(battle, unit, target) for target in targets)
    assert not told(battle, "w10.charge.failed")


def corridor(*, y_near: bool, dice: list[int]) -> tuple[Battle, int, int, int]:
    """X at the end of a corridor of 3" between high walls; Y stands in it, 0.5" (or 1.1") from the straight way."""
    scene = Scene()
    width = 0.0 if y_near else 0.6
    unit = scene.unit(0, sheet("Unit", keywords=HORSE), at=(10, 10))
    scene.box(4, 8, 9.2, 24, 9)
    scene.box(12 + width, 8, 17, 24, 9)
    x = scene.unit(1, sheet("X"), at=(10, 21))
    y = scene.unit(1, sheet("Y"), at=(11.5 + width, 14))
    return scene.battle(phase="charge", dice=dice), unit.row, x.row, y.row


@pytest.mark.rule("w10.charge.condition.no-others")
def test_no_way_to_the_target_but_past_another_unit():
    """The only way to X passes 0.5" from Y: the charge at X alone fails; with 1.1" of room it succeeds."""
    battle, *_ = corridor(y_near=True, dice=[6, 6])
    assert not charge(battle, "Unit", "X")
    battle, unit, x, y = corridor(y_near=False, dice=[6, 6])
    assert charge(battle, "Unit", "X")
    assert engaged(battle, unit, x)
    assert not engaged(battle, unit, y)


@pytest.mark.rule("w10.charge.condition.no-others")
def test_with_the_other_unit_as_a_target_the_way_is_open():
    """Y is a target too and both can be reached (Y stands beside X): the same way is legal."""
    battle, unit, x, y = corridor(y_near=True, dice=[6, 6])
    battle.models.x[battle.units.first[y]] = 11.4
    battle.models.y[battle.units.first[y]] = 20.0
    battle.target_known_array[:] = 0
    one = battle.clone()
    assert check_charge_move(one, unit, [x], 12, {0: [(10.0, 19.998)]}) in (
        Fault.ENGAGES_AT_THE_END,
        Fault.ENGAGES_ON_THE_WAY,
    )
    assert check_charge_move(battle.clone(), unit, [x, y], 12, {0: [(10.0, 19.998)]}) == Fault.LEGAL
    assert charge(battle, "Unit", "X", "Y")
    assert engaged(battle, unit, x)
    assert engaged(battle, unit, y)


@pytest.mark.rule("w10.charge.condition.no-others")
def test_neither_on_the_way_nor_at_the_end():
    """Explicit paths: 0.9" from Y on the way, 0.9" at the end, and 1.1" in both."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=(10, 10))
    x = scene.unit(1, sheet("X"), at=(10, 18))
    scene.unit(1, sheet("Y"), at=(12, 14))
    battle = scene.battle(phase="charge", run=False)
    close_by = {0: [(10.1, 12.0), (10.1, 16.0), (10.0, 16.999)]}
    assert check_charge_move(battle.clone(), unit, [x], 9, close_by) == Fault.ENGAGES_ON_THE_WAY
    clear = {0: [(9.9, 12.0), (9.9, 16.0), (10.0, 16.999)]}
    assert check_charge_move(battle.clone(), unit, [x], 9, clear) == Fault.LEGAL
    battle.models.x[2], battle.models.y[2] = 12.0 - 0.1, 17.0
    end_beside = check_charge_move(battle.clone(), unit, [x], 9, {0: [(10.0, 16.999)]})
    assert end_beside in (Fault.ENGAGES_ON_THE_WAY, Fault.ENGAGES_AT_THE_END)


@pytest.mark.rule("w10.charge.condition.coherency")
def test_a_charge_that_tears_the_unit_apart_fails():
    """Only the model on the near side of a high wall gets to the target; the other four cannot keep up with it."""

    def line(walled: bool) -> Battle:
        scene = Scene()
        scene.unit(0, sheet("Unit", keywords=HORSE), at=[(10, 12), (10, 9.5), (10, 8), (10, 6.5), (10, 5)])
        scene.unit(1, sheet("Enemy"), at=(10, 20))
        if walled:
            scene.box(0, 10.25, 60, 11.25, 8)
        return scene.battle(phase="charge", dice=[3, 4])

    walled = line(True)
    before = walled.models.rows["y"].copy()
    assert not charge(walled, "Unit", "Enemy")
    assert (walled.models.rows["y"] == before).all()
    assert charge(line(False), "Unit", "Enemy")


@pytest.mark.rule("w10.charge.condition.coherency")
def test_an_explicit_move_out_of_coherency_is_refused():
    """The second model ends 2.0" or 2.1" behind the first."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (10, 8.5)])
    enemy = scene.unit(1, sheet("Enemy"), at=(10, 16))
    battle = scene.battle(phase="charge", run=False)
    # roll 4: the first ends 1" from the enemy model, neither can reach contact
    for behind, fault in ((3.1, Fault.NOT_COHERENT), (3.0, Fault.LEGAL)):
        moves = {0: [(10.0, 14.0)], 1: [(10.0, 14.0 - behind)]}
        assert check_charge_move(battle.clone(), unit, [enemy], 4, moves) == fault


# ---------------------------------------------------------------- how each model ends


def chain() -> tuple[Battle, int, int]:
    """Three models in a chain; the last is 6" from the enemy model, and 3" is too little for it to touch anyone."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (10, 7), (10, 6)])
    x = scene.unit(1, sheet("X"), at=(10, 13))
    return scene.battle(phase="charge", run=False), unit.row, x.row


@pytest.mark.rule("w10.charge.move.closer")
def test_each_model_ends_closer_to_a_target():
    """The last model is 6" from X: an end 5" away is legal, 6.5" away is not, nor staying 6" away."""
    for place, fault in (
        ((10.0, 7.0), Fault.LEGAL),  # 5"
        ((10.0, 5.5), Fault.NOT_CLOSER),  # 6.5"
    ):
        battle, unit, x = chain()
        moves = {0: [(10.0, 11.999)], 1: [(10.0, 9.9)], 2: [place]}
        assert check_charge_move(battle, unit, [x], 3, moves) == fault
    battle, unit, x = chain()
    assert check_charge_move(battle, unit, [x], 3, {0: [(10.0, 11.999)], 1: [(10.0, 9.0)]}) == Fault.NOT_CLOSER


@pytest.mark.rule("w10.charge.move.closer")
def test_closer_to_any_one_of_the_targets_is_enough():
    """Farther from X but closer to the second target Y is legal; with X the only target it is not."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (11.5, 10), (13, 10)])
    x = scene.unit(1, sheet("X"), at=(10, 13))
    y = scene.unit(1, sheet("Y"), at=(16.9, 10))
    battle = scene.battle(phase="charge", run=False)
    moves = {0: [(10.0, 11.999)], 2: [(14.9, 10.0)], 1: [(12.3, 10.3)]}
    # roll 2: the third model gets 1" from Y; the second ends farther from X (2.55" instead of 2.35") but closer to Y
    assert check_charge_move(battle.clone(), unit, [x, y], 2, moves) == Fault.LEGAL
    alone = {0: [(10.0, 11.999)], 2: [(13.4, 10.3)], 1: [(12.3, 10.3)]}
    assert check_charge_move(battle.clone(), unit, [x], 2, alone) == Fault.NOT_CLOSER


@pytest.mark.rule("w10.charge.move.closer")
def test_the_engine_brings_every_model_closer():
    """A charge made by the engine: all models of ten end nearer to the target than they started, within the roll."""
    scene = Scene()
    places = [(8 + 1.5 * k, 10 - 1.5 * row) for row in range(2) for k in range(5)]
    unit = scene.unit(0, sheet("Unit"), at=places)
    enemy = scene.unit(1, sheet("Enemy"), at=[(10, 17), (12, 17)])
    battle = scene.battle(phase="charge", dice=[4, 4])

    def nearest(k: int) -> float:
        return min(apart(battle, unit.model(k), enemy.model(n)) for n in range(2))

    before = [nearest(k) for k in range(10)]
    assert charge(battle, "Unit", "Enemy")
    assert all(nearest(k) < before[k] for k in range(10))
    for k, (x, y) in enumerate(places):
        row = unit.model(k)
        assert ((battle.models.x[row] - x) ** 2 + (battle.models.y[row] - y) ** 2) ** 0.5 <= 8.0 + 1e-3


def five_inches(dice: list[int]) -> tuple[Battle, int, int]:
    """A model 5" from a target model, nothing in the way."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=(10, 10))
    enemy = scene.unit(1, sheet("Enemy"), at=(10, 16))
    return scene.battle(phase="charge", dice=dice), unit.row, enemy.row


@pytest.mark.rule("w10.charge.move.base-contact")
def test_base_contact_is_required_where_it_can_be_reached():
    """Roll 7: an end 0.5" from the target is refused, contact is legal. Roll 4: an end 1" from it is legal."""
    battle, unit, enemy = five_inches([])
    assert check_charge_move(battle.clone(), unit, [enemy], 7, {0: [(10.0, 14.5)]}) == Fault.NOT_CONTACT
    assert check_charge_move(battle.clone(), unit, [enemy], 7, {0: [(10.0, 15.0)]}) == Fault.LEGAL
    assert check_charge_move(battle.clone(), unit, [enemy], 4, {0: [(10.0, 14.0)]}) == Fault.LEGAL


@pytest.mark.rule("w10.charge.move.base-contact")
def test_the_engine_moves_into_base_contact():
    """Roll 7: the charge ends in contact. Roll 4: it ends 1" away, which is enough."""
    for dice, most in (([3, 4], 0.01), ([1, 3], 1.0)):
        battle, _unit, _enemy = five_inches(dice)
        assert charge(battle, "Unit", "Enemy")
        assert apart(battle, 0, 1) <= most + 1e-4
    assert apart(battle, 0, 1) > 0.9


def between(dice: list[int]) -> tuple[Battle, int, int, int]:
    """Two targets so far apart that a base of 2.2" can be within 1" of both, but then touches neither."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", base_mm=25.4 * 2.2), at=(20, 10))
    x = scene.unit(1, sheet("X"), at=(17.6, 16))
    y = scene.unit(1, sheet("Y"), at=(22.4, 16))
    return scene.battle(phase="charge", dice=dice), unit.row, x.row, y.row


@pytest.mark.rule("w10.charge.move.base-contact")
def test_contact_is_not_required_where_it_would_break_a_condition():
    """Contact with X would leave Y, the other target, out of reach: an end between them without contact is legal."""
    battle, unit, x, y = between([])
    assert check_charge_move(battle.clone(), unit, [x, y], 7, {0: [(20.0, 16.0)]}) == Fault.LEGAL
    assert check_charge_move(battle.clone(), unit, [x, y], 7, {0: [(19.199, 16.0)]}) == Fault.NOT_ENGAGED


@pytest.mark.rule("w10.charge.condition.all-targets")
def test_one_model_may_charge_two_units_that_it_can_stand_between():
    """A single model ends within 1" of both targets."""
    battle, unit, x, y = between([3, 4])
    assert charge(battle, "Unit", "X", "Y")
    assert engaged(battle, unit, x)
    assert engaged(battle, unit, y)


@pytest.mark.rule("w10.charge.condition.all-targets", "w10.charge.condition.coherency")
@pytest.mark.parametrize(("models", "detail"), [(7, "squad"), (5, "squad"), (5, "full")])
def test_a_unit_in_a_line_charges_two_targets_that_stand_apart(models, detail):
    """A line of models, each 0.5" from the next, 3" in front of two targets 5" apart: it goes as it stands."""
    scene = Scene()
    mine = scene.unit(0, sheet("Line"), at=(18.4, 13), models=models)
    x = scene.unit(1, sheet("X"), at=(19, 17))
    y = scene.unit(1, sheet("Y"), at=(25, 17))
    battle = scene.battle("charge", dice=[5, 5], detail=detail)
    if detail == "full":
        pick(battle, "Line", kind="select-to-charge")
        pick(battle, "charge X")
        pick(battle, "charge Y")
        assert not told(battle, "w10.charge.failed")
        return
    assert charge(battle, "Line", "X", "Y")
    assert engaged(battle, mine, x) and engaged(battle, mine, y)
    assert in_coherency(battle, mine.row)


@pytest.mark.rule("w10.charge.condition.all-targets")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("targets", "made"), [(("Hot", "Cold"), True), (("Hot",), False)])
def test_a_target_that_destroys_itself_in_overwatch_is_none_any_more(targets, made, detail, player):
    """Hot fires a Hazardous weapon as the charge starts and is destroyed by it: the charge goes on to Cold; at Hot alone it fails."""
    scene = Scene()
    charger = scene.unit(player, sheet("Charger"), at=[(10, 10), (11.5, 10)], models=2)
    gun = ranged(24, A=1, BS=3, S=4, abilities=["Hazardous"])
    scene.unit(1 - player, sheet("Hot", weapons={"gun": gun}), at=(8.5, 16), models=1)
    scene.unit(1 - player, sheet("Cold"), at=(11, 16), models=1)
    points = (0, 1) if player == 0 else (1, 0)
    battle = scene.battle("charge", active=player, detail=detail, cp=points, dice=[5, 5, 1, 1])
    pick(battle, "Charger", kind="select-to-charge")
    for target in targets:
        pick(battle, f"charge {target}")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    pick(battle, "Fire Overwatch: Hot")
    while kind(battle) in ("weapon-target", "close-order"):
        pick(battle, "at Charger" if kind(battle) == "weapon-target" else "leave the move to the engine")
    assert dice_left(battle) == 0
    assert [e["unit"] for e in told(battle, "w10.charge.move")] == ([charger.row] if made else [])
    assert len(told(battle, "w10.charge.failed")) == (not made)


@pytest.mark.rule("w10.charge.condition.all-targets", "w10.deploy.leader.split")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_leader_left_alone_in_overwatch_is_the_target(detail, player):
    """The last Bodyguard destroys itself as the charge starts: its Leader, 5" away, is charged instead."""
    scene = Scene()
    charger = scene.unit(player, sheet("Charger"), at=[(10, 10), (11.5, 10)], models=2)
    gun = ranged(24, A=1, BS=3, S=4, abilities=["Hazardous"])
    guards = scene.unit(1 - player, sheet("Hot", weapons={"gun": gun}), at=(9.5, 16), models=1)
    hero = sheet("Hero", keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Hot"]})
    leader = scene.unit(1 - player, hero, at=(11, 16), models=1, leads=guards)
    scene.unit(1 - player, sheet("Rest"), at=(50, 40), models=1)
    points = (0, 1) if player == 0 else (1, 0)
    battle = scene.battle("charge", active=player, detail=detail, cp=points, dice=[5, 5, 1, 1])
    pick(battle, "Charger", kind="select-to-charge")
    pick(battle, "Fire Overwatch: Hot")
    while kind(battle) in ("weapon-target", "close-order"):
        pick(battle, "at Charger" if kind(battle) == "weapon-target" else "leave the move to the engine")
    assert [e["unit"] for e in told(battle, "w10.charge.move")] == [charger.row]
    assert engaged(battle, charger.row, leader.row)
