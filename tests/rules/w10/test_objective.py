"""Objective markers: place, measuring, moving over them, range, control (w10.objective.*)."""

from __future__ import annotations

import pytest

from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, cell_nearest, choose, pick, play_until, ranged, sheet, slots, told, words
from wh_env.testing.melee_moves import check_charge_move, check_consolidation, check_pile_in_move
from wh_env.testing.moves import check_move

RADIUS = 20 / 25.4  # of a marker of 40 mm, in inches
AT = (30, 22)
FAR = (3, 3)


def levels(battle, marker=0):
    o = battle.objectives
    return (o.level0[marker], o.level1[marker])


def after_movement(units, *, floor=None, before=None):
    """Control of a marker at ``AT`` after a Movement phase in which nobody moves; units as (player, OC, places)."""
    scene = Scene()
    scene.marker(*AT)
    if floor:
        scene.floor(20, 12, 40, 32, floor)
    for number, (player, control, places) in enumerate(units):
        scene.unit(player, sheet(f"Unit {number}", OC=control, weapons={"gun": ranged(60)}), at=places)
    for player in (0, 1):
        scene.unit(player, sheet(f"Far {player}", OC=0), at=(3 + 50 * player, 3))

    def state(battle):
        if before is not None:
            battle.objectives.holder[0] = before

    battle = scene.battle("movement", set_state=state)
    while battle.decision is not None and battle.decision.kind in ("select-to-move", "move-kind"):
        stay = [action for action, text in words(battle).items() if "Remain Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())
    return battle


def at_gap(gap, count=1):
    """Places of 1" bases whose edges are ``gap`` inches from the edge of the marker, west of it."""
    return [(AT[0] - RADIUS - gap - 0.5 - 1.2 * k, AT[1]) for k in range(count)]


# ---------------------------------------------------------------- the marker


@pytest.mark.rule("w10.objective.marker")
def test_a_marker_is_a_disc_of_40_mm():
    """A base edge 3.78" from the centre is within 3" of the edge (0.787" nearer); one 3.80" away is not."""
    scene = Scene()
    marker = scene.marker(*AT)
    scene.unit(0, sheet("A"), at=(10, 10))
    scene.unit(1, sheet("B"), at=(50, 40))
    battle = scene.battle("movement")
    assert battle.objectives.radius[marker] == pytest.approx(0.787, abs=1e-3)
    for edge, holder in ((3.78, 0), (3.80, -1)):
        battle = after_movement([(0, 2, [(AT[0] - edge - 0.5, AT[1])])])
        assert battle.objectives.holder[0] == holder
        assert battle.marker_distance(0, 0) == pytest.approx(edge - RADIUS)


@pytest.mark.rule("w10.objective.centre")
def test_a_marker_is_centred_on_the_point_of_the_mission():
    """At (22", 30"): the distance to its edge is the same from all four sides."""
    scene = Scene(size=(44, 60))
    marker = scene.marker(22, 30)
    units = [scene.unit(0, sheet(f"A{k}"), at=at) for k, at in enumerate([(17, 30), (27, 30), (22, 25), (22, 35)])]
    scene.unit(1, sheet("B"), at=(5, 5))
    battle = scene.battle("movement")
    assert (battle.objectives.x[marker], battle.objectives.y[marker]) == (22, 30)
    assert [battle.marker_distance(unit, marker) for unit in units] == [pytest.approx(4.5 - RADIUS)] * 4


@pytest.mark.rule("w10.objective.centre")
def test_a_marker_that_a_player_places_is_centred_on_the_chosen_point():
    scene = Scene()
    scene.unit(0, sheet("A"), at=(5, 5))
    scene.unit(1, sheet("B"), at=(5, 40))
    battle = scene.battle("mission", rules={"players_place_markers": 1}, dice=[6, 1])
    assert battle.decision.kind == "place-marker"
    cell = slots(battle, "cell")[0]
    grid = battle.setup.space.grid
    choose(battle, "cell", cell)
    if battle.decision.kind.startswith("place-marker"):
        pick(battle, battle.describe(battle.decision.options[0]))
    placed = (battle.objectives.x[0], battle.objectives.y[0])
    assert abs(placed[0] - (cell % grid + 0.5) * 60 / grid) <= 60 / grid / 2
    assert abs(placed[1] - (cell // grid + 0.5) * 44 / grid) <= 44 / grid / 2
    assert told(battle, "w10.mission.only-war.markers")[-1]["place"] == placed


@pytest.mark.rule("w10.objective.measure")
def test_distances_are_measured_to_the_edge():
    """A base edge 3.7" from the centre is 2.91" from the marker and within 3"."""
    battle = after_movement([(0, 1, [(AT[0] - 3.7 - 0.5, AT[1])])])
    assert battle.marker_distance(0, 0) == pytest.approx(2.91, abs=5e-3)
    assert levels(battle) == (1, 0)
    assert battle.objectives.holder[0] == 0


# ---------------------------------------------------------------- moving over it


def mover(phase="movement", *, enemy=FAR, at=(30, 18), marker=(30, 21), **options):
    scene = Scene()
    scene.marker(*marker)
    unit = scene.unit(0, sheet("Mover"), at=at)
    foe = scene.unit(1, sheet("Foe"), at=enemy)
    return scene.battle(phase, **options), unit, foe


@pytest.mark.rule("w10.objective.move-over")
@pytest.mark.parametrize("kind", ["normal", "advance"])
def test_a_marker_may_be_crossed_but_not_stood_on(kind):
    """The marker lies in the middle of a straight path of 6"."""
    for place, fault in (
        ((30, 24), Fault.LEGAL),
        ((30, 21), Fault.ON_MARKER),
        ((30, 21 + RADIUS + 0.49), Fault.ON_MARKER),
        ((30, 21 + RADIUS + 0.51), Fault.LEGAL),
        ((30, 21 - RADIUS - 0.49), Fault.ON_MARKER),
        ((30, 21 - RADIUS - 0.51), Fault.LEGAL),
    ):
        battle, unit, _ = mover()
        assert check_move(battle, unit, kind, {0: [place]}, roll=0) == fault, place


@pytest.mark.rule("w10.objective.move-over")
def test_the_mask_of_a_move_is_closed_on_the_marker_and_open_behind_it():
    battle, _, _ = mover()
    pick(battle, "Normal move")
    cells = slots(battle, "cell")
    assert cell_nearest(battle, 0, 6, 6) in cells
    assert cell_nearest(battle, 0, 3, 6) not in cells
    assert cell_nearest(battle, 3, 3, 6) in cells
    choose(battle, "cell", cell_nearest(battle, 0, 6, 6))
    assert battle.models.y[0] == pytest.approx(24)


@pytest.mark.rule("w10.objective.move-over")
def test_falling_back_ends_on_no_marker():
    battle, unit, _ = mover(enemy=(30, 16.7))
    assert check_move(battle, unit, "fall back", {0: [(30, 21)]}) == Fault.ON_MARKER
    assert check_move(battle, unit, "fall back", {0: [(30, 24)]}) == Fault.LEGAL


@pytest.mark.rule("w10.objective.move-over")
def test_a_charge_ends_on_no_marker():
    """The straight way leads over the marker to the target behind it; ending on it, within 1" of the target, is refused."""
    battle, unit, foe = mover("charge", enemy=(30, 23.2), marker=(30, 21))
    # at y = 21.4 the base is 0.8" from the target and on the marker
    assert check_charge_move(battle, unit, [foe], 3.4, {0: [(30, 21.4)]}) == Fault.ON_MARKER
    battle, unit, foe = mover("charge", enemy=(30, 24), marker=(30, 21))
    assert check_charge_move(battle, unit, [foe], 5, {0: [(30, 23)]}) == Fault.LEGAL


@pytest.mark.rule("w10.objective.move-over")
def test_a_charge_for_which_only_the_marker_is_left_fails():
    """With 3.4" the charger could only come within 1" of the target on the marker; with 4.5" it stands behind it."""
    battle, unit, _ = mover("charge", enemy=(30, 23.2), marker=(30, 21), dice=[1, 2])
    pick(battle, "Mover")
    assert told(battle, "w10.charge.failed") == [{"unit": unit}]
    assert battle.models.y[0] == 18
    battle, unit, _ = mover("charge", enemy=(30, 23.2), marker=(30, 21), dice=[3, 4])
    pick(battle, "Mover")
    assert told(battle, "w10.charge.move") == [{"unit": unit}]
    assert battle.marker_distance(unit, 0) > 0


@pytest.mark.rule("w10.objective.move-over")
@pytest.mark.parametrize("check", [check_pile_in_move, check_consolidation])
def test_pile_ins_and_consolidations_end_on_no_marker(check):
    """A model 2.5" from its enemy with the marker between them: half-way it would stand on it."""
    battle, unit, _ = mover("fight", at=(30, 18), enemy=(30, 21.5), marker=(30, 19.4), run=False)
    assert check(battle, unit, {0: [(30, 19.6)]}) == Fault.ON_MARKER
    # base contact, 20.5, is 1.1" from the centre of the marker: on it (0.787" + 0.5")
    assert check(battle, unit, {0: [(30, 20.5)]}) == Fault.ON_MARKER
    # in base contact beside the marker, 1.5" from its centre, there is room; the way leads over it
    assert check(battle, unit, {0: [(30.661, 20.75)]}) == Fault.LEGAL


# ---------------------------------------------------------------- range, level, control


@pytest.mark.rule("w10.objective.start-contested")
def test_markers_are_contested_until_the_first_phase_ends():
    """Five models of OC 2 beside the marker: nobody controls it before the end of the first Command phase."""
    scene = Scene()
    scene.marker(*AT)
    unit = scene.unit(0, sheet("Squad", OC=2), at=[(27, 19.6 + 1.2 * k) for k in range(5)])
    scene.unit(1, sheet("Far"), at=FAR)
    for name in ("P", "Q"):
        scene.rule(TimedRule(name, "command", 0, "heal", unit.row, 1))
    battle = scene.battle("command", detail="full", run=False)
    assert battle.objectives.holder[0] == -1
    battle.run()
    assert battle.decision.kind == "due-order"  # the Command phase is not over
    assert battle.objectives.holder[0] == -1
    battle.apply(battle.first_legal())
    assert battle.clock.phase[0] == 2  # it is now
    assert battle.objectives.holder[0] == 0
    assert levels(battle) == (10, 0)


@pytest.mark.rule("w10.objective.start-contested")
def test_deployed_beside_a_marker_a_unit_does_not_control_it_yet():
    """From deployment to the end of the first phase."""
    scene = Scene(zone_depth=20)
    scene.marker(30, 18)
    scene.unit(0, sheet("Squad", OC=2), models=5)
    scene.unit(1, sheet("Other", OC=2))
    battle = scene.battle("mission", dice=[6, 1])
    near = min(slots(battle, "cell"), key=lambda c: abs(c % 17 - 8) + abs(c // 17 - 13))
    choose(battle, "cell", near)
    while battle.clock.round[0] == 0:
        assert battle.objectives.holder[0] == -1
        battle.apply(battle.first_legal())
    assert battle.marker_distance(0, 0) <= 3
    assert battle.clock.phase[0] == 2
    assert battle.objectives.holder[0] == 0


@pytest.mark.rule("w10.objective.range")
@pytest.mark.parametrize(
    ("gap", "height", "within"),
    [
        (3.0, 0, True),
        (3.1, 0, False),
        (3.0, 5.0, True),
        (3.1, 5.0, False),
        (3.0, 5.1, False),
        (0.5, 5.1, False),
        (0, 5, True),
    ],
)
def test_within_3_inches_across_and_5_up_or_down(gap, height, within):
    """On a floor over the marker, which lies on the ground."""
    place = (*at_gap(gap)[0], height)
    battle = after_movement([(0, 2, [place])], floor=height or None)
    assert battle.objectives.holder[0] == (0 if within else -1)
    assert levels(battle) == ((2, 0) if within else (0, 0))


@pytest.mark.rule("w10.objective.level")
def test_the_level_of_control_is_the_sum_of_oc_of_the_models_within_range():
    """Five models of OC 2, three of them within range, and one of OC 5: 11."""
    near = [(30 - 3, 20), (30 - 3, 21.2), (30 - 3, 22.4)]
    battle = after_movement([(0, 2, [*near, (27, 15.5), (27, 14.3)]), (0, 5, [(33, 22)])])
    assert levels(battle) == (11, 0)


@pytest.mark.rule("w10.objective.level")
def test_each_army_counts_its_own_models():
    battle = after_movement([(0, 2, at_gap(1.0, 2)), (1, 3, [(33, 22)]), (1, 1, [(30, 25)])])
    assert levels(battle) == (4, 4)


@pytest.mark.rule("w10.objective.control", "w10.objective.contested")
@pytest.mark.parametrize(("a", "b", "holder"), [(5, 4, 0), (4, 5, 1), (4, 4, -1), (0, 0, -1), (1, 0, 0), (0, 1, 1)])
@pytest.mark.parametrize("before", [-1, 0, 1])
def test_the_greater_level_controls_and_equal_levels_contest(a, b, holder, before):
    """Whoever controlled it before."""
    units = [(0, a, [(27, 22)]), (1, b, [(33, 22)])]
    battle = after_movement(units, before=before)
    assert battle.clock.phase[0] >= 3
    assert levels(battle) == (a, b)
    assert battle.objectives.holder[0] == holder


@pytest.mark.rule("w10.objective.contested")
def test_a_marker_that_everybody_left_is_contested():
    """A controlled it at the end of the last phase; now nobody is within range."""
    scene = Scene()
    scene.marker(*AT)
    scene.unit(0, sheet("Holder", OC=2, M=12), at=(27, 22))
    scene.unit(1, sheet("Far"), at=FAR)
    battle = scene.battle("command")
    assert battle.objectives.holder[0] == 0
    pick(battle, "Normal move")
    choose(battle, "cell", cell_nearest(battle, -12, 0, 12))
    assert battle.marker_distance(0, 0) > 3
    assert battle.objectives.holder[0] == -1
    assert told(battle, "w10.objective.contested")[-1]["levels"] == (0, 0)


@pytest.mark.rule("w10.objective.control")
def test_control_changes_at_the_end_of_a_phase_and_not_earlier():
    """5 to 4 after the Movement phase: A controls. A's models are shot in B's Shooting phase: B controls at its end."""
    scene = Scene()
    scene.marker(*AT)
    mine = scene.unit(0, sheet("Mine", OC=5, Sv=6), at=(27, 22))
    scene.unit(0, sheet("Far"), at=FAR)
    scene.unit(1, sheet("Theirs", OC=4, weapons={"gun": ranged(24, A=1, BS=2, S=8, AP=-6)}), at=(33, 22))
    scene.unit(1, sheet("Second", OC=0, weapons={"gun": ranged(60)}), at=(50, 40))
    battle = scene.battle("movement", active=1, dice=[2, 2, 1])
    while battle.decision.kind in ("select-to-move", "move-kind"):
        pick(battle, "Theirs" if battle.decision.kind == "select-to-move" and "Theirs" in words(battle).values() else
             next(text for text in words(battle).values() if "Stationary" in text or text == "Second"))  # fmt: skip
    assert battle.decision.kind == "select-to-shoot"
    assert (levels(battle), battle.objectives.holder[0]) == ((5, 4), 0)
    pick(battle, "Theirs")
    if battle.decision.kind == "shoot-target":
        pick(battle, "Mine")
    assert battle.units.alive[mine] == 0
    assert battle.decision.kind == "select-to-shoot"  # the phase goes on: another unit may shoot
    assert battle.objectives.holder[0] == 0
    pick(battle, "done")
    assert battle.objectives.holder[0] == 1
    assert levels(battle) == (0, 4)


@pytest.mark.rule("w10.objective.control")
def test_control_is_determined_at_the_end_of_every_phase():
    """Also of Command, Charge and Fight phases: a marker without a holder is taken at the end of each."""
    for phase in ("command", "movement", "shooting", "charge", "fight"):
        scene = Scene()
        scene.marker(*AT)
        scene.unit(0, sheet("Holder", OC=1), at=(27, 22))
        scene.unit(1, sheet("Far"), at=FAR)
        battle = scene.battle(phase, active=0, round=1, run=False)
        assert battle.objectives.holder[0] == -1
        battle.run()
        if phase == "movement":
            pick(battle, "Remain Stationary")
        elif battle.objectives.holder[0] == -1:
            play_until(battle, "move-kind")
        assert battle.objectives.holder[0] == 0, phase
