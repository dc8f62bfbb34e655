"""Charge phase: which units may declare a charge, at whom, and what the Charge roll settles (w10.charge.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.testing import Scene, choose, dice_left, melee, pick, play_until, sheet, slots, told, words
from wh_env.testing.melee_moves import check_charge_move

CLUB = {"club": melee(A=1)}


def chargers(battle: Battle) -> set[str]:
    """Names of the units that may declare a charge now."""
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-charge"
    assert 0 in battle.decision.options  # charging is optional
    return {text for action, text in words(battle).items() if action != 0}


def steps_of(battle: Battle) -> list[tuple[str, int]]:
    """What the charging units did, in order: declared, rolled, moved or failed."""
    short = {
        "w10.charge.select-unit": "declares",
        "w10.charge.roll": "rolls",
        "w10.charge.move": "moves",
        "w10.charge.failed": "fails",
    }
    return [(short[e.rule], e.data["unit"]) for e in battle.events if e.rule in short]


@pytest.mark.rule("w10.charge.sequence")
def test_each_charge_is_finished_before_the_next_is_declared():
    """The first declares, rolls 7 and moves before the second declares and rolls 10."""
    scene = Scene()
    first = scene.unit(0, sheet("First"), at=(10, 10))
    second = scene.unit(0, sheet("Second"), at=(30, 10))
    scene.unit(1, sheet("Left"), at=(10, 17))  # 6" away
    scene.unit(1, sheet("Right"), at=(30, 20))  # 9" away
    scene.unit(1, sheet("Middle"), at=(20, 15))
    battle = scene.battle(phase="charge", dice=[3, 4, 5, 5])
    assert chargers(battle) == {"First", "Second"}
    pick(battle, "First")
    assert battle.decision.kind == "charge-target"
    assert steps_of(battle) == [("declares", first)]
    assert dice_left(battle) == 4  # targets come before the roll
    pick(battle, "charge Left")
    pick(battle, "no more targets")
    assert steps_of(battle) == [("declares", first), ("rolls", first), ("moves", first)]
    assert dice_left(battle) == 2
    assert chargers(battle) == {"Second"}
    pick(battle, "Second")
    pick(battle, "charge Right")
    pick(battle, "no more targets")
    assert steps_of(battle)[3:] == [("declares", second), ("rolls", second), ("moves", second)]
    assert [e["roll"] for e in told(battle, "w10.charge.roll")] == [7, 10]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.charge.select-unit")
def test_a_unit_declares_one_charge_in_a_phase():
    """A failed charge is a selection: the unit is not offered again, the other is; then the Fight phase begins."""
    scene = Scene()
    first = scene.unit(0, sheet("First"), at=(10, 10))
    second = scene.unit(0, sheet("Second"), at=(20, 10))
    scene.unit(1, sheet("Enemy"), at=(15, 19))
    battle = scene.battle(phase="charge", dice=[1, 1])
    assert chargers(battle) == {"First", "Second"}
    pick(battle, "First")
    assert steps_of(battle)[-1] == ("fails", first)
    assert chargers(battle) == {"Second"}
    choose(battle, "done")  # the second need not charge
    assert ("declares", second) not in steps_of(battle)
    phases = [e["phase"] for e in told(battle, "w10.round.phases")]
    assert phases[:2] == ["Charge", "Fight"]


@pytest.mark.rule("w10.charge.eligible")
def test_within_twelve_inches_at_the_start_of_the_phase():
    """12.0" is eligible, 12.1" is not, not even when an enemy has come within 12" later in the phase."""
    scene = Scene()
    scene.unit(0, sheet("Exactly"), at=(10, 10))
    scene.unit(0, sheet("Beyond"), at=(30, 9.9))
    scene.unit(0, sheet("Near"), at=(50, 10))
    scene.unit(1, sheet("Left"), at=(10, 23))  # bases of 1 inch: 13 - 1 = 12.0
    roamer = scene.unit(1, sheet("Middle"), at=(30, 23))
    scene.unit(1, sheet("Right"), at=(50, 20))
    battle = scene.battle(phase="charge", dice=[1, 1])
    assert chargers(battle) == {"Exactly", "Near"}
    battle.models.y[roamer.first] = 18.0  # no core rule moves an enemy in this phase: it is set there
    pick(battle, "Near")
    assert chargers(battle) == {"Exactly"}


@pytest.mark.rule("w10.charge.eligible")
def test_close_at_the_start_but_out_of_reach_later():
    """Eligible at the start of the phase, but with nobody left within 12" there is no target to declare."""
    scene = Scene()
    scene.unit(0, sheet("One"), at=(10, 10))
    scene.unit(0, sheet("Two"), at=(20, 10))
    scene.unit(0, sheet("Three"), at=(40, 10))
    left = scene.unit(1, sheet("Left"), at=(15, 20))
    scene.unit(1, sheet("Right"), at=(40, 20))
    battle = scene.battle(phase="charge", dice=[1, 1])
    assert chargers(battle) == {"One", "Two", "Three"}
    battle.models.y[left.first] = 43.0
    pick(battle, "Three")
    assert battle.clock.phase[0] != Phase.CHARGE  # nobody could declare any more: the phase is over


@pytest.mark.rule("w10.charge.eligible.moved")
def test_no_charge_after_an_advance_or_fall_back():
    """Of units 8" from an enemy, those that stood still or made a Normal move may charge."""
    scene = Scene()
    for at, (name, moved) in enumerate(
        [
            ("Still", Moved.STATIONARY),
            ("Mover", Moved.NORMAL),
            ("Runner", Moved.ADVANCE),
            ("Retreater", Moved.FELL_BACK),
        ]
    ):
        scene.unit(0, sheet(name), at=(10 + 10 * at, 10), moved=moved)
        scene.unit(1, sheet(f"Enemy {name}"), at=(10 + 10 * at, 19))
    battle = scene.battle(phase="charge")
    assert chargers(battle) == {"Still", "Mover"}


@pytest.mark.rule("w10.charge.eligible.moved")
def test_an_advance_played_in_the_movement_phase_bars_the_charge():
    """The same through the Movement phase: one unit advances, the other makes a Normal move."""
    scene = Scene()
    scene.unit(0, sheet("Runner"), at=(10, 8))
    scene.unit(0, sheet("Mover"), at=(30, 8))
    scene.unit(1, sheet("Left"), at=(10, 13))
    scene.unit(1, sheet("Right"), at=(30, 13))
    battle = scene.battle(dice=[1])
    pick(battle, "Runner", kind="select-to-move")
    pick(battle, "Runner: Advance")
    play_until(battle, "move-kind")
    pick(battle, "Mover: Normal move")
    play_until(battle, "select-to-charge")
    assert chargers(battle) == {"Mover"}
    assert battle.units.moved[0] == Moved.ADVANCE
    assert battle.units.moved[1] == Moved.NORMAL


@pytest.mark.rule("w10.charge.eligible")
def test_no_charge_after_leaving_a_transport_that_moved():
    """Disembarked before the TRANSPORT moved: may charge; after it moved, or from a destroyed one: may not."""
    scene = Scene()
    for at, (name, how) in enumerate([("Before", 1), ("After", 2), ("Wreck", 3)]):
        scene.unit(0, sheet(name), at=(10 + 10 * at, 10), disembarked=how)
        scene.unit(1, sheet(f"Enemy {name}"), at=(10 + 10 * at, 19))
    assert chargers(scene.battle(phase="charge")) == {"Before"}


@pytest.mark.rule("w10.charge.eligible.engaged")
def test_no_charge_while_engaged():
    """0.9" from one enemy unit and 6" from another: not eligible; at 1.1" it is."""
    scene = Scene()
    scene.unit(0, sheet("Engaged"), at=(10, 10))
    scene.unit(0, sheet("Clear"), at=(30, 10))
    scene.unit(1, sheet("Close"), at=(11.9, 10))
    scene.unit(1, sheet("Far"), at=(10, 17))
    scene.unit(1, sheet("Not so close"), at=(32.1, 10))
    assert chargers(scene.battle(phase="charge")) == {"Clear"}


@pytest.mark.rule("w10.charge.eligible.aircraft")
def test_aircraft_do_not_charge_but_hovering_ones_do():
    """An AIRCRAFT 6" from an enemy may not; the same model without the keyword (Hover) may."""
    jet = sheet("Jet", keywords=("VEHICLE", "AIRCRAFT", "FLY"), abilities={"hover": True}, M=20, base_mm=60)
    scene = Scene()
    scene.unit(0, jet, at=(10, 10), name="In flight")
    hovering = scene.unit(0, jet, at=(30, 10), name="Hovering")
    scene.unit(0, sheet("Walker"), at=(50, 10))
    scene.unit(1, sheet("Left"), at=(10, 17.5))
    scene.unit(1, sheet("Right"), at=(30, 17.5))
    scene.unit(1, sheet("Other"), at=(50, 17.5))

    def hover(battle: Battle) -> None:
        battle.units.keywords[hovering] &= ~int(Keyword.AIRCRAFT)
        battle.models.keywords[hovering.first] &= ~int(Keyword.AIRCRAFT)

    assert chargers(scene.battle(phase="charge")) == {"Walker"}
    assert chargers(scene.battle(phase="charge", set_state=hover)) == {"Walker", "Hovering"}


def target_sets(battle: Battle, before: frozenset[str] = frozenset()) -> set[frozenset[str]]:
    """Every set of targets that the waiting declaration can end with."""
    found: set[frozenset[str]] = set()
    for action, text in words(battle).items():
        if action == 0:
            found.add(before)
            continue
        branch = battle.clone()
        branch.apply(action)
        chosen = before | {text.removeprefix("charge ")}
        if branch.decision is not None and branch.decision.kind == "charge-target":
            found |= target_sets(branch, chosen)
        else:
            found.add(chosen)
    return found


@pytest.mark.rule("w10.charge.targets")
def test_targets_are_any_set_of_enemies_within_twelve_inches():
    """At 5", 11.9" (behind a wall) and 12.1": {A}, {B} and {A, B}; never nothing and never the third."""
    scene = Scene()
    scene.unit(0, sheet("Unit"), at=(30, 10))
    scene.unit(1, sheet("A"), at=(30, 16))
    scene.unit(1, sheet("B"), at=(42.9, 10))
    scene.unit(1, sheet("C"), at=(16.9, 10))
    scene.wall(38, 0, 38, 30, 10, thickness=0.5)
    battle = scene.battle(phase="charge")
    pick(battle, "Unit")
    assert battle.decision.kind == "charge-target"
    assert target_sets(battle) == {frozenset("A"), frozenset("B"), frozenset("AB")}
    space = battle.setup.space
    assert slots(battle, "enemy") == [0, 1]
    assert battle.legal()[space.enemy + 2] == 0
    assert slots(battle, "done") == []  # at least one


def straight_charge(distance: float, dice: list[int]) -> Battle:
    """One model charges one enemy model ``distance`` inches away."""
    scene = Scene()
    scene.unit(0, sheet("Unit"), at=(10, 10))
    scene.unit(1, sheet("Enemy"), at=(11 + distance, 10))
    battle = scene.battle(phase="charge", dice=dice)
    pick(battle, "Unit")
    assert dice_left(battle) == 0
    return battle


@pytest.mark.rule("w10.charge.roll")
def test_the_charge_roll_is_two_dice_and_the_most_inches():
    """3 and 4: 7". An enemy 8.0" away (7.0" to move) is reached, one 8.1" away is not."""
    reached, missed = straight_charge(8.0, [3, 4]), straight_charge(8.1, [3, 4])
    assert told(reached, "w10.charge.roll")[0]["roll"] == 7
    assert steps_of(reached)[-1][0] == "moves"
    assert steps_of(missed)[-1][0] == "fails"
    assert reached.models.x[0] == pytest.approx(17.0, abs=0.01)
    assert missed.models.x[0] == 10.0


@pytest.mark.rule("w10.charge.roll")
def test_every_model_has_the_whole_charge_roll():
    """The roll is no sum shared by the models: three models each move 6.5" after a 7."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (12, 10), (14, 10)])
    scene.unit(1, sheet("Enemy"), at=[(10, 17.5), (12, 17.5), (14, 17.5)])
    battle = scene.battle(phase="charge", dice=[3, 4])
    pick(battle, "Unit")
    assert all(battle.models.y[unit.model(n)] == pytest.approx(16.5, abs=0.02) for n in range(3))


@pytest.mark.rule("w10.charge.failed")
def test_a_failed_charge_moves_nobody():
    """A target 9" away and a roll of 5: nobody moves, no charge bonus, not selected again."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (12, 10), (14, 10)])
    scene.unit(0, sheet("Other"), at=(30, 10))
    enemy = scene.unit(1, sheet("Enemy"), at=(12, 20))
    scene.unit(1, sheet("Second"), at=(30, 20))
    battle = scene.battle(phase="charge", dice=[2, 3])
    before = [tuple(row)[:4] for row in battle.models.rows]
    pick(battle, "Unit")
    assert dice_left(battle) == 0
    assert told(battle, "w10.charge.failed") == [{"unit": unit}]
    assert [tuple(row)[:4] for row in battle.models.rows] == before
    assert chargers(battle) == {"Other"}
    choose(battle, "done")
    # without a Charge move it is not eligible to fight, and has no Fights First
    assert all(e["unit"] not in (unit, enemy) for e in told(battle, "w10.fight.alternate"))
    assert not battle.units.charged[unit]


@pytest.mark.rule("w10.charge.bonus")
def test_a_charge_gives_fights_first_until_the_end_of_the_turn():
    """Charged in A's turn of round 2: step 1. Still engaged in B's turn of round 2: step 2."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", W=50, weapons=CLUB), at=(10, 10))
    enemy = scene.unit(1, sheet("Enemy", W=50, weapons=CLUB), at=(10, 16))
    battle = scene.battle(phase="charge", dice=[3, 4], round=2)
    pick(battle, "Unit")
    for _ in range(200):
        if battle.clock.round[0] == 3:
            break
        if battle.decision.kind == "select-unit-to-move" or battle.decision.kind == "select-to-move":
            choose(battle, "done") if slots(battle, "done") else battle.apply(battle.first_legal())
        else:
            battle.apply(battle.first_legal())
    fights = [(e["unit"], e["step"]) for e in told(battle, "w10.fight.alternate")]
    assert fights[:2] == [(unit, 1), (enemy, 2)]  # A's turn of round 2
    assert (unit, 2) in fights[2:4]
    assert (enemy, 2) in fights[2:4]
    assert fights[2] == (enemy, 2)  # the turn player first


@pytest.mark.rule("w10.charge.bonus")
def test_a_failed_charge_gives_no_bonus_to_a_unit_engaged_later():
    """Only a Charge move gives the bonus: an engaged unit that never moved fights in step 2."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", weapons=CLUB, W=9), at=(10, 10))
    scene.unit(1, sheet("Enemy", weapons=CLUB, W=9), at=(11.5, 10))
    battle = scene.battle(phase="fight")
    play_until(battle, "select-to-move")
    assert next((e["unit"], e["step"]) for e in told(battle, "w10.fight.alternate")) == (unit, 2)


@pytest.mark.rule("w10.charge.move")
def test_a_path_may_be_as_long_as_the_roll():
    """A roll of 8: 8.0" is legal and 8.1" is not; bends count in full; the models move in the order that is given."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (12, 10)])
    enemy = scene.unit(1, sheet("Enemy"), at=(10, 20))
    battle = scene.battle(phase="charge", run=False)
    # 9" to the enemy model: an end exactly 8" ahead is 1" from it
    for ahead, fault in ((8.1, Fault.TOO_FAR), (8.0, Fault.LEGAL)):
        moves = {0: [(10.0, 10.0 + ahead)], 1: [(12.0, 17.5)]}
        assert check_charge_move(battle.clone(), unit, [enemy], 8, moves) == fault
    # bent: 3" and then 5" more
    bent = {0: [(13.0, 10.0), (13.0, 15.1)], 1: [(11.0, 17.9)]}
    assert check_charge_move(battle.clone(), unit, [enemy], 8, bent) == Fault.TOO_FAR


@pytest.mark.rule("w10.charge.move")
def test_the_player_chooses_the_order_of_the_models():
    """The second model can only end where the first stood once the first has left."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=[(10, 10), (12, 10)])
    enemy = scene.unit(1, sheet("Enemy"), at=(10, 14))
    battle = scene.battle(phase="charge", run=False)
    first, second = [(10.0, 12.0)], [(10.6, 10.5)]
    assert check_charge_move(battle.clone(), unit, [enemy], 2, {1: second, 0: first}) == Fault.OVERLAPS_MODEL
    assert check_charge_move(battle, unit, [enemy], 2, {0: first, 1: second}) == Fault.LEGAL
    assert (battle.models.x[unit.model(1)], battle.models.y[unit.model(1)]) == (10.6, 10.5)
