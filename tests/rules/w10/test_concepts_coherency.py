"""Unit coherency: single models, set-up, moves, the end of a turn (w10.concepts.coherency.*).

What coherency is, neighbour by neighbour, stands in ``tests/core/test_shapes.py``.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from wh_env.core.geometry.paths import Fault
from wh_env.core.reports import IllegalAction
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.testing import Scene, choose, dice_left, pick, sheet, slots, told, words
from wh_env.testing.moves import check_move, walk

REMOVAL = "w10.concepts.coherency.end-of-turn"
FAR = (50, 40)


def places(battle, unit):
    return [(battle.models.x[k], battle.models.y[k]) for k in battle.members(unit.row)]


def line(gaps, x=10.0, y=10.0):
    """Places of 1" bases in a row along x with these gaps between them."""
    spots = [(x, y)]
    for gap in gaps:
        spots.append((spots[-1][0] + 1.0 + gap, y))
    return spots


def turn_ends(gaps, *, player=0, active=0, detail="full", sheet_of=None, dice=(), **options):
    """The end of a turn with a unit standing in a row with these gaps."""
    scene = Scene()
    squad = sheet_of or sheet("Squad")
    unit = scene.unit(player, squad, at=line(gaps), **options)
    scene.unit(1 - player, sheet("Far"), at=FAR)
    return scene.battle("end", active=active, detail=detail, dice=dice), unit


# ---------------------------------------------------------------- one model


@pytest.mark.rule("w10.concepts.coherency.single-model")
def test_the_last_model_of_a_unit_is_never_removed_for_coherency():
    """Four of five are lost; the one left stands 10" from its nearest friend."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=line([0.5] * 4), lost=(1, 2, 3, 4))
    scene.unit(0, sheet("Friend"), at=(21, 10))
    scene.unit(1, sheet("Far"), at=FAR)
    battle = scene.battle("end", detail="full")
    assert battle.distance(unit, 1) == pytest.approx(10)
    assert told(battle, REMOVAL) == []
    assert battle.units.alive[unit] == 1
    assert battle.decision.kind != "coherency-removal"


@pytest.mark.rule("w10.concepts.coherency.single-model")
@pytest.mark.parametrize(("kind", "way"), [("Normal move", 6), ("Advance", 10)])
def test_the_last_model_may_move_anywhere(kind, way):
    """Every place in reach is open: away from the friend as well as towards it, and the move can end there."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=line([0.5] * 4, x=20.0, y=20.0), lost=(1, 2, 3, 4))
    scene.unit(1, sheet("Far"), at=FAR)
    for dx, dy in ((way, 0), (-way, 0), (0, way), (0, -way)):
        battle = scene.battle("movement", detail="full", dice=[4])
        pick(battle, kind)
        walk(battle, 0, 20 + dx, 20 + dy)
        pick(battle, "end the move")
        assert places(battle, unit) == [pytest.approx((20 + dx, 20 + dy))]


# ---------------------------------------------------------------- set-up


def deployed(length, models=5):
    """A unit deployed in a zone of one rank, ``length`` inches long."""
    scene = Scene(size=(length, 44), zone_depth=1.2)
    unit = scene.unit(0, sheet("Squad"), models=models)
    scene.unit(1, sheet("Foe"))
    return scene.battle("mission"), unit


@pytest.mark.rule("w10.concepts.coherency.set-up")
def test_a_model_without_room_in_coherency_is_destroyed():
    """4.6 inches hold four bases of an inch, not five: four are set up, in coherency, and one is destroyed."""
    battle, unit = deployed(4.6)
    standing = places(battle, unit)
    assert len(standing) == 4
    assert all(b[0] - a[0] <= 3.0 for a, b in pairwise(standing))
    assert battle.units.alive[unit] == 4
    assert battle.units.place[unit] == ON_TABLE
    lost = [k for k in range(5) if not battle.models.alive[k]]
    assert [event["model"] for event in told(battle, "w10.concepts.coherency.set-up")] == lost
    assert len(lost) == 1


@pytest.mark.rule("w10.concepts.coherency.set-up")
def test_with_room_for_all_nobody_is_destroyed():
    battle, unit = deployed(5.6)
    assert len(places(battle, unit)) == 5
    assert told(battle, "w10.concepts.coherency.set-up") == []
    assert battle.units.alive[unit] == 5


@pytest.mark.rule("w10.concepts.coherency.set-up")
def test_a_unit_of_seven_needs_two_neighbours_each():
    """A single rank of seven touching bases gives everybody two within 2"; where only six fit, the seventh is lost."""
    battle, unit = deployed(7.8, models=7)
    assert len(places(battle, unit)) == 7
    battle, unit = deployed(6.7, models=7)
    assert len(places(battle, unit)) == 6


# ---------------------------------------------------------------- moves


@pytest.mark.rule("w10.concepts.coherency.move")
def test_a_move_that_leaves_a_model_3_inches_away_is_rejected():
    """Three in a row 0.5" apart; the third would end 3" from the nearest other. At 2" it may."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=line([0.5, 0.5]))
    scene.unit(1, sheet("Far"), at=FAR)
    battle = scene.battle("movement", detail="full")
    before = places(battle, unit)
    assert check_move(battle, unit, "normal", {0: [(10, 12)], 1: [(11.5, 12)], 2: [(15.5, 12)]}) == Fault.NOT_COHERENT
    assert places(battle, unit) == before
    assert check_move(battle, unit, "normal", {0: [(10, 12)], 1: [(11.5, 12)], 2: [(14.6, 12)]}) == Fault.NOT_COHERENT
    assert places(battle, unit) == before
    assert check_move(battle, unit, "normal", {0: [(10, 12)], 1: [(11.5, 12)], 2: [(14.5, 12)]}) == Fault.LEGAL
    assert places(battle, unit) == [(10, 12), (11.5, 12), (14.5, 12)]


@pytest.mark.rule("w10.concepts.coherency.move")
def test_the_move_cannot_be_ended_so_and_all_models_go_back():
    """Model by model: with the third 3" away there is no "end the move"; taking it back restores all three places."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=line([0.5, 0.5]))
    scene.unit(1, sheet("Far"), at=FAR)
    battle = scene.battle("movement", detail="full")
    before = places(battle, unit)
    pick(battle, "Normal move")
    walk(battle, 0, 10, 11.5)
    walk(battle, 2, 15.5, 10)
    assert "end the move" not in words(battle).values()
    with pytest.raises(IllegalAction):
        battle.apply(0)
    pick(battle, "take the move back")
    assert places(battle, unit) == before


@pytest.mark.rule("w10.concepts.coherency.move")
def test_a_unit_that_cannot_close_up_cannot_move_at_all():
    """Two models 20" apart with a Move of 6": no move can end in coherency, so only Remain Stationary is left (and is
    not asked)."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=line([20.0]))
    scene.unit(1, sheet("Far"), at=FAR)
    battle = scene.battle("movement")
    assert battle.decision.player == 1
    assert told(battle, "w10.move.remain-stationary") == [{"unit": 0}]
    assert told(battle, "w10.move.normal") == []
    # and at the end of the turn one of the two goes
    assert places(battle, unit) == [(10, 10)]


# ---------------------------------------------------------------- end of a turn

SPLIT = [0.5, 0.5, 5.0, 0.5]  # groups of 3 and 2 that stand 5" apart


@pytest.mark.rule("w10.concepts.coherency.end-of-turn")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(("removed", "left"), [([3, 4], 3), ([4, 3], 3), ([0, 1, 2], 2), ([1, 3, 0, 2], 1)])
def test_the_owner_removes_models_until_one_group_is_left(active, removed, left):
    """At the end of either player's turn; one model at a time, any of the unit, as long as it is out of coherency."""
    battle, unit = turn_ends(SPLIT, active=active)
    rows = list(range(5))
    for model in removed:
        assert battle.decision.kind == "coherency-removal"
        assert battle.decision.player == 0
        assert battle.decision.subject == unit
        assert slots(battle, "model") == list(range(len(rows)))
        assert slots(battle, "done") == []  # nobody may stop before
        choose(battle, "model", rows.index(model))
        rows.remove(model)
        assert battle.units.alive[unit] == len(rows)
    assert battle.decision.kind != "coherency-removal"
    assert battle.units.alive[unit] == left
    assert [event["model"] for event in told(battle, REMOVAL)] == removed


@pytest.mark.rule("w10.concepts.coherency.end-of-turn")
def test_a_unit_in_coherency_loses_none():
    battle, unit = turn_ends([2.0] * 4)
    assert battle.units.alive[unit] == 5
    assert told(battle, REMOVAL) == []


@pytest.mark.rule("w10.concepts.coherency.end-of-turn")
def test_a_gap_of_more_than_2_inches_is_enough():
    battle, unit = turn_ends([2.0, 2.0, 2.0, 2.1])
    assert battle.decision.kind == "coherency-removal"
    choose(battle, "model", 4)
    assert battle.units.alive[unit] == 4


@pytest.mark.rule("w10.concepts.coherency.end-of-turn")
def test_casualties_of_the_turn_split_a_unit():
    """Seven in a row; the middle one dies during the battle and the rest is two groups of three."""
    battle, unit = turn_ends([1.0] * 6, lost=(3,))
    assert battle.decision.kind == "coherency-removal"
    for _ in range(3):
        choose(battle, "model", 0)
    assert battle.units.alive[unit] == 3
    assert battle.decision.kind != "coherency-removal"


@pytest.mark.rule("w10.concepts.coherency.end-of-turn")
def test_each_player_sees_to_their_own_units_the_turn_player_first():
    scene = Scene()
    mine = scene.unit(0, sheet("Mine"), at=line([5.0]))
    theirs = scene.unit(1, sheet("Theirs"), at=line([5.0], y=30.0))
    battle = scene.battle("end", active=1, detail="full")
    assert (battle.decision.player, battle.decision.subject) == (1, theirs)
    choose(battle, "model", 0)
    assert (battle.decision.player, battle.decision.subject) == (0, mine)
    choose(battle, "model", 0)
    assert [battle.units.alive[u] for u in (mine, theirs)] == [1, 1]


@pytest.mark.rule("w10.concepts.coherency.end-of-turn")
def test_squad_detail_keeps_the_largest_group():
    battle, unit = turn_ends(SPLIT, detail="squad")
    assert battle.units.alive[unit] == 3
    assert [event["model"] for event in told(battle, REMOVAL)] == [3, 4]


@pytest.mark.rule("w10.concepts.coherency.end-of-turn")
def test_seven_models_need_two_neighbours_each():
    """Seven in a line with gaps of 2": the ends have one neighbour. With one of them gone the six left are coherent."""
    battle, unit = turn_ends([2.0] * 6)
    assert battle.decision.kind == "coherency-removal"
    choose(battle, "model", 0)
    assert battle.units.alive[unit] == 6
    assert battle.decision.kind != "coherency-removal"


@pytest.mark.rule("w10.concepts.coherency.end-of-turn")
@pytest.mark.parametrize("guards", [6, 8])
@pytest.mark.parametrize("end", [0, -1])
def test_squad_detail_keeps_the_leader_of_a_unit_in_a_line(guards, end):
    """Bodyguards in a line with gaps of 2", a Leader at one end of it: Bodyguards go until six models are left."""
    scene = Scene()
    spots = line([2.0] * guards)
    place = spots.pop(end)
    unit = scene.unit(0, sheet("Guards"), at=spots)
    hero = sheet("Hero", keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Guards"]})
    leader = scene.unit(0, hero, at=[place], models=1, leads=unit)
    scene.unit(1, sheet("Theirs"), at=(50, 40))
    battle = scene.battle("end")
    assert battle.units.alive[unit] == 6
    assert battle.models.alive[leader.first] == 1
    assert len(told(battle, REMOVAL)) == guards - 5


# ---------------------------------------------------------------- nothing is triggered


def bombs():
    return sheet("Bombs", W=4, abilities={"deadly_demise": 1})


@pytest.mark.rule("w10.concepts.coherency.removal-no-trigger")
def test_a_model_removed_for_coherency_does_not_explode():
    """Deadly Demise 1: the scripted 6 is not rolled, nobody suffers, and the unit is one model weaker."""
    scene = Scene()
    unit = scene.unit(0, bombs(), at=line([5.0]))
    near = scene.unit(0, sheet("Near", W=2), at=(10, 12))
    scene.unit(1, sheet("Far"), at=FAR)
    battle = scene.battle("end", detail="full", dice=[6])
    choose(battle, "model", 0)
    assert battle.units.alive[unit] == 1
    assert (battle.models.alive[0], battle.models.on_table[0], battle.models.wounds[0]) == (0, 0, 0)
    assert battle.models.wounds[near.first] == 2
    assert told(battle, "w10.attack.deadly-demise") == []
    assert dice_left(battle) == 1


@pytest.mark.rule("w10.concepts.coherency.removal-no-trigger")
def test_models_removed_for_coherency_count_as_destroyed():
    """A unit of three that is left with one has lost two: below Half-strength, it tests for Battle-shock."""
    battle, unit = turn_ends([5.0, 5.0], active=1, sheet_of=sheet("Squad", Ld=7), dice=[2, 2])
    choose(battle, "model", 2)
    choose(battle, "model", 1)
    assert battle.units.alive[unit] == 1
    assert battle.units.place[unit] != DESTROYED
    (test,) = told(battle, "w10.command.battle-shock.test")
    assert (test["unit"], test["passed"]) == (unit, False)
    assert dice_left(battle) == 0
