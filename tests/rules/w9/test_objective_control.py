"""Objective markers: range, who controls them, Objective Secured (w9.objective.*, w9.rare.objective-secured.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w9.objective.control import DENIES, DOUBLES, GIVES
from wh_env.rulesets.w9.ruleset import NINTH_EDITION
from wh_env.testing import choose, kind, pick, ranged, sheet, slots, told, words
from wh_env.testing.moves import check_move

RADIUS = 20 / 25.4  # of a marker of 40 mm, in inches
AT = (30.0, 22.0)


def levels(battle, marker=0):
    return battle.objectives.level0[marker], battle.objectives.level1[marker]


def row(gap, count, side=-1):
    """Places of 1" bases in a column whose edges are at least ``gap`` inches from the edge of the marker, west or east of it."""
    x = AT[0] + side * (RADIUS + gap + 0.5)
    return [(x, AT[1] + 1.01 * (k - (count - 1) / 2)) for k in range(count)]


def judged(units, *, markers=(AT,), floor=None, rules=None, before=-1):
    """Control at the end of the Command phase of player 0; units as (player, sheet, places)."""
    scene = NinthScene()
    for marker in markers:
        scene.marker(*marker)
    if floor:
        scene.floor(20, 12, 40, 32, floor)
    for player, datasheet, places in units:
        scene.unit(player, datasheet, at=places)
    for player in (0, 1):
        scene.unit(player, sheet(f"Far {player}"), at=(3 + 50 * player, 3))

    def state(battle):
        battle.objectives.holder[0] = before

    return scene.battle("command", rules=rules, set_state=state)


def facing(mine, theirs, *, own=("INFANTRY",), other=("INFANTRY",), rules=None):
    """So many models of either player in range of the marker; returns who controls it."""
    units = [(0, sheet("Mine", keywords=own), row(0, mine)), (1, sheet("Theirs", keywords=other), row(0, theirs, 1))]
    battle = judged([unit for unit in units if unit[2]], rules=rules)
    assert levels(battle)[0] >= mine
    assert levels(battle)[1] >= theirs
    return battle.objectives.holder[0]


# ---------------------------------------------------------------- markers and their range


@pytest.mark.rule("w9.objective.marker")
@pytest.mark.parametrize(("to_centre", "gap"), [(3.78, 2.99), (5.0, 4.21), (0.5, 0.0)])
def test_distances_run_from_the_edge_of_a_disc_of_40_mm(to_centre, gap):
    """The nearest point of a base 3.78" from the centre of the marker is 2.99" from its edge."""
    scene = NinthScene()
    marker = scene.marker(10, 10)
    unit = scene.unit(0, sheet("A"), at=(10 + to_centre + 0.5, 10))
    scene.unit(1, sheet("B"), at=(50, 40))
    battle = scene.battle("movement")
    assert battle.marker_distance(unit, marker) == pytest.approx(gap, abs=0.005)


@pytest.mark.rule("w9.objective.marker")
def test_models_move_over_markers_and_end_on_them():
    scene = NinthScene()
    scene.marker(30, 22)
    unit = scene.unit(0, sheet("A"), at=(27, 22))
    scene.unit(1, sheet("B"), at=(50, 40))
    for x in (30.0, 33.0):
        battle = scene.battle("movement", run=False)
        assert check_move(battle, unit, "normal", {0: [(x, 22)]}) == Fault.LEGAL


@pytest.mark.rule("w9.objective.range")
@pytest.mark.parametrize(
    ("gap", "height", "within"),
    [(3.0, 0, True), (3.1, 0, False), (3.0, 4.0, True), (3.0, 6.0, False), (3.0, 5.0, True), (0.5, 5.1, False)],
)
@pytest.mark.parametrize("player", [0, 1])
def test_within_3_inches_across_and_5_up(gap, height, within, player):
    ((x, y),) = row(gap, 1)
    battle = judged([(player, sheet("A"), [(x, y, height)])], floor=height or None)
    assert battle.objectives.holder[0] == (player if within else -1)
    assert levels(battle)[player] == int(within)


# ---------------------------------------------------------------- control


@pytest.mark.rule("w9.objective.control")
@pytest.mark.parametrize(("mine", "theirs", "holder"), [(5, 4, 0), (4, 4, -1), (4, 5, 1), (1, 0, 0), (0, 1, 1)])
@pytest.mark.parametrize("before", [-1, 0, 1])
def test_the_player_with_more_models_in_range_controls(mine, theirs, holder, before):
    """Whoever controlled it before, and whatever the characteristics of the models."""
    units = [(0, sheet("Mine", W=9, OC=1), row(0, mine)), (1, sheet("Theirs", OC=5), row(0, theirs, 1))]
    battle = judged([unit for unit in units if unit[2]], before=before)
    assert levels(battle) == (mine, theirs)
    assert battle.objectives.holder[0] == holder


@pytest.mark.rule("w9.objective.control")
def test_a_model_without_the_characteristic_of_a_later_edition_counts_all_the_same():
    battle = judged([(0, sheet("Mine", OC=0), row(0, 1))])
    assert battle.objectives.holder[0] == 0


@pytest.mark.rule("w9.objective.control")
def test_control_lasts_only_as_long_as_the_models_are_there():
    """5 to 4: A controls it. Two of the five are shot in B's Shooting phase: 3 to 4 at its end."""
    scene = NinthScene()
    scene.marker(*AT)
    mine = scene.unit(0, sheet("Mine", Sv=6), at=row(0, 5))
    scene.unit(0, sheet("Far"), at=(3, 3))
    scene.unit(1, sheet("Theirs"), at=row(0, 4, 1))
    scene.unit(1, sheet("Guns", weapons={"gun": ranged(24, A=2, BS=2, S=8, AP=-6)}), at=(30, 40))
    battle = scene.battle("shooting", active=1, dice=[2, 2, 2, 2, 1, 1], run=False)
    NINTH_EDITION.count_control(battle)
    assert (levels(battle), battle.objectives.holder[0]) == ((5, 4), 0)
    battle.run()
    pick(battle, "Guns")
    if kind(battle) == "shoot-target":
        pick(battle, "Mine")
    assert battle.units.alive[mine] == 3
    assert (levels(battle), battle.objectives.holder[0]) == ((3, 4), 1)


@pytest.mark.rule("w9.objective.excluded")
@pytest.mark.parametrize("keyword", ["AIRCRAFT", "FORTIFICATION"])
@pytest.mark.parametrize("player", [0, 1])
def test_aircraft_and_fortifications_are_left_out(keyword, player):
    """Two such models 2" from the marker and a model of INFANTRY 3" from it: 0 to 1."""
    big = sheet("Big", keywords=("VEHICLE", keyword, "FLY"))
    units = [(player, big, row(2, 2)), (1 - player, sheet("Foot"), row(3, 1, 1))]
    battle = judged(units)
    assert levels(battle)[player] == 0
    assert battle.objectives.holder[0] == 1 - player
    # without the keyword the two would control it
    battle = judged([(player, sheet("Big", keywords=("VEHICLE", "FLY")), row(2, 2)), units[1]])
    assert battle.objectives.holder[0] == player


@pytest.mark.rule("w9.objective.excluded")
def test_an_aircraft_alone_controls_nothing():
    battle = judged([(0, sheet("Wing", keywords=("VEHICLE", "AIRCRAFT", "FLY")), row(0, 1))])
    assert battle.objectives.holder[0] == -1


# ---------------------------------------------------------------- Objective Secured

TROOPS = ("INFANTRY", "TROOPS")


@pytest.mark.rule("w9.objective.secured")
@pytest.mark.parametrize(
    ("mine", "own", "theirs", "other", "holder"),
    [
        (1, TROOPS, 9, ("INFANTRY",), 0),
        (9, ("INFANTRY",), 1, TROOPS, 1),
        (9, TROOPS, 1, TROOPS, 0),
        (1, TROOPS, 9, TROOPS, 1),
        (3, TROOPS, 3, TROOPS, -1),
        (1, ("INFANTRY",), 9, ("INFANTRY",), 1),
    ],
)
def test_one_model_with_objective_secured_is_enough(mine, own, theirs, other, holder):
    """Unless the opponent has one too: then the numbers decide."""
    assert facing(mine, theirs, own=own, other=other) == holder


@pytest.mark.rule("w9.objective.secured")
def test_where_both_have_it_all_models_count():
    """1 model with the ability against 9 of which 1 has it: the 9 control."""
    units = [
        (0, sheet("Mine", keywords=TROOPS), row(0, 1)),
        (1, sheet("Theirs"), row(0, 8, 1)),
        (1, sheet("Second", keywords=TROOPS), [(30, 25)]),
    ]
    battle = judged(units)
    assert levels(battle) == (1, 9)
    assert battle.objectives.holder[0] == 1
    assert judged(units[:2]).objectives.holder[0] == 0


@pytest.mark.rule("w9.objective.secured")
@pytest.mark.parametrize("player", [0, 1])
def test_troops_have_it_in_a_battle_forged_army_only(player):
    forged = tuple(side != player for side in (0, 1))
    units = [(player, sheet("Mine", keywords=TROOPS), row(0, 1)), (1 - player, sheet("Theirs"), row(0, 2, 1))]
    assert judged(units).objectives.holder[0] == player
    assert judged(units, rules={"battle_forged": forged}).objectives.holder[0] == 1 - player


def gives(keyword, effect=GIVES, **more):
    return {"effect": effect, "keyword": keyword, **more}


@pytest.mark.rule("w9.rare.objective-secured.lost")
def test_losing_it_prevails_however_many_rules_give_it():
    """Five Troops with two further rules that give it and one that takes it, against six."""
    given = [gives("TROOPS"), gives("INFANTRY", player=0)]
    assert facing(5, 6, own=TROOPS, rules={"control": given}) == 0
    assert facing(5, 6, own=TROOPS, rules={"control": [*given, gives("TROOPS", DENIES)]}) == 1
    assert facing(5, 6, own=TROOPS, rules={"control": [gives("TROOPS", DENIES), *given]}) == 1
    # a rule that takes it from the other player's units only changes nothing
    assert facing(5, 6, own=TROOPS, rules={"control": [*given, gives("TROOPS", DENIES, player=1)]}) == 0


@pytest.mark.rule("w9.rare.objective-secured.bonus-lost")
def test_the_bonus_of_having_it_twice_is_lost_with_it():
    """Five Troops that would gain it a second time count as ten; while they lose it they are five and have it not."""
    units = [
        (0, sheet("Mine", keywords=TROOPS), row(0, 5)),
        (1, sheet("Theirs", keywords=("INFANTRY", "ELITES")), row(0, 6, 1)),
    ]
    twice = [gives("TROOPS", DOUBLES), gives("ELITES")]
    battle = judged(units, rules={"control": twice})
    assert (levels(battle), battle.objectives.holder[0]) == ((10, 6), 0)
    battle = judged(units, rules={"control": [*twice, gives("TROOPS", DENIES)]})
    assert (levels(battle), battle.objectives.holder[0]) == ((5, 6), 1)


@pytest.mark.rule("w9.rare.objective-secured.bonus-lost")
def test_without_having_it_already_that_rule_only_gives_it():
    battle = judged(
        [(0, sheet("Mine"), row(0, 5)), (1, sheet("Theirs"), row(0, 6, 1))],
        rules={"control": [gives("INFANTRY", DOUBLES, player=0)]},
    )
    assert (levels(battle), battle.objectives.holder[0]) == ((5, 6), 0)


@pytest.mark.rule("w9.rare.objective-secured.similar")
def test_an_ability_of_another_name_that_does_the_same_is_lost_alike():
    """Three models that are no Troops against five."""
    walls = {"name": "Living Walls", "effect": GIVES, "keyword": "WARDENS", "player": 0}
    wardens = ("INFANTRY", "WARDENS")
    assert facing(3, 5, own=wardens) == 1
    assert facing(3, 5, own=wardens, rules={"control": [walls]}) == 0
    assert facing(3, 5, own=wardens, rules={"control": [walls, gives("WARDENS", DENIES)]}) == 1


# ---------------------------------------------------------------- one marker a turn

WEST, EAST = (26.5, 22.0), (33.5, 22.0)
LONG = sheet("Long", base_mm=(100, 40), keywords=("VEHICLE",), models=(1, 1), M=10)


def between_two(player=0, detail="full", phase="command", **options):
    """A long model within 3" of two markers and one enemy model at each of them; asked at the end of the Command phase."""
    scene = NinthScene()
    for marker in (WEST, EAST):
        scene.marker(*marker)
    scene.unit(player, LONG, at=[(30.2, 22, 0, 0)])
    scene.unit(player, sheet("Far"), at=(3, 3))
    scene.unit(1 - player, sheet("Other"), at=(55, 40))
    return scene.battle(phase, detail=detail, **options)


@pytest.mark.rule("w9.objective.one-marker")
@pytest.mark.parametrize("marker", [0, 1])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("active", [0, 1])
def test_its_player_says_which_marker_a_model_counts_for(marker, player, active):
    battle = between_two(player, active=active)
    assert (kind(battle), battle.decision.player) == ("count-for", player)
    assert slots(battle, "option") == [0, 1]
    choose(battle, "option", marker)
    assert battle.objectives.holder[marker] == player
    assert battle.objectives.holder[1 - marker] == -1
    assert tuple(battle.players.vp)[player] == (1 if active == player else 0)


@pytest.mark.rule("w9.objective.one-marker")
def test_for_the_rest_of_the_turn_it_counts_for_no_other():
    """Counted for the western marker it moves east: it controls neither until the next turn, and is not asked again before."""
    battle = between_two()
    choose(battle, "option", 0)
    battle.models.x[0] = 34.0  # out of the range of the western marker
    NINTH_EDITION.count_control(battle)
    assert list(battle.objectives.holder) == [-1, -1]
    battle.models.x[0] = 30.2
    while (battle.clock.turn[0], battle.clock.phase[0]) != (1, 1) and kind(battle) != "count-for":
        stay = [action for action, text in words(battle).items() if "Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())
    assert (kind(battle), battle.clock.turn[0]) == ("count-for", 1)
    choose(battle, "option", 1)
    assert list(battle.objectives.holder) == [-1, 0]


@pytest.mark.rule("w9.objective.one-marker")
def test_at_squad_detail_it_counts_for_the_nearest():
    battle = between_two(detail="squad")
    assert list(battle.objectives.holder) == [-1, 0]
    assert told(battle, "w9.objective.one-marker") == [{"model": 0, "marker": 1}]


@pytest.mark.rule("w9.objective.one-marker", "w9.mission.only-war.bonus")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("marker", "bonus"), [(0, 1), (1, 0)])
def test_it_is_said_before_the_bonus_at_the_end_of_the_battle_is_scored(marker, bonus, player):
    """Two enemy models stand at the western marker. Counted there the model leaves the enemy one marker more; at the
    other it makes the players equal."""
    scene = NinthScene()
    for spot in (WEST, EAST):
        scene.marker(*spot)
    scene.unit(player, LONG, at=[(30.2, 22, 0, 0)])
    scene.unit(1 - player, sheet("Two"), at=[(WEST[0] - 1, WEST[1] + 1), (WEST[0] - 1, WEST[1] - 1)])
    battle = scene.battle("morale", active=1, round=5, first_player=0, detail="full")
    assert (kind(battle), battle.decision.player) == ("count-for", player)
    choose(battle, "option", marker)
    assert battle.over
    assert battle.players.vp[1 - player] == bonus
    assert battle.players.vp[player] == 0


@pytest.mark.rule("w9.objective.one-marker")
def test_a_model_in_range_of_one_marker_is_not_asked_about():
    scene = NinthScene()
    for marker in ((20, 22), EAST):
        scene.marker(*marker)
    scene.unit(0, LONG, at=[(30.2, 22, 0, 0)])
    scene.unit(1, sheet("Other"), at=(55, 40))
    battle = scene.battle("command", detail="full")
    assert kind(battle) != "count-for"
    assert list(battle.objectives.holder) == [-1, 0]
