"""Unit coherency (w9.concepts.coherency.*)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from ninth import NinthScene

from wh_env.core.geometry.paths import Fault
from wh_env.core.reports import IllegalAction
from wh_env.rulesets.w40k.move.coherency import in_coherency
from wh_env.testing import pick, sheet, told, words
from wh_env.testing.moves import check_move, walk

FAR = (50, 40)


def line(gaps, x=10.0, y=10.0):
    """Places of 1" bases in a row along x with these gaps between them."""
    spots = [(x, y)]
    for gap in gaps:
        spots.append((spots[-1][0] + 1.0 + gap, y))
    return spots


def holds(spots, **options):
    scene = NinthScene()
    unit = scene.unit(0, sheet("Squad"), at=spots, **options)
    scene.unit(1, sheet("Far"), at=FAR)
    return in_coherency(scene.battle("movement", run=False), unit.row)


@pytest.mark.rule("w9.concepts.coherency")
@pytest.mark.parametrize(
    ("gaps", "coherent"),
    [([2.0] * 4, True), ([2.0, 2.0, 2.1, 2.0], False), ([2.1], False), ([2.0], True), ([0.5, 0.5, 9.0, 0.5], False)],
)
def test_one_group_in_which_each_has_another_within_2_inches(gaps, coherent):
    """A gap of 2.1" makes two groups of three and two, in which each model has a neighbour all the same."""
    assert holds(line(gaps)) is coherent


@pytest.mark.rule("w9.concepts.coherency")
@pytest.mark.parametrize(("height", "coherent"), [(5.0, True), (5.1, False)])
def test_and_5_inches_up_or_down(height, coherent):
    scene = NinthScene()
    scene.floor(11, 5, 20, 15, height)
    unit = scene.unit(0, sheet("Squad"), at=[(10, 10), (12.5, 10, height)])
    scene.unit(1, sheet("Far"), at=FAR)
    assert in_coherency(scene.battle("movement", run=False), unit.row) is coherent


@pytest.mark.rule("w9.concepts.coherency")
def test_a_unit_of_one_model_is_always_in_coherency():
    assert holds(line([9.0]), lost=(1,))


@pytest.mark.rule("w9.concepts.coherency.six")
@pytest.mark.parametrize(
    ("models", "lost", "coherent"),
    [(6, (), False), (6, (5,), True), (5, (), True), (7, (0,), False), (7, (0, 1), True)],
)
def test_from_six_models_on_each_needs_two_neighbours(models, lost, coherent):
    """A line with gaps of 1.5": the second along is 4" away. The number of models that are left counts."""
    assert holds(line([1.5] * (models - 1)), lost=lost) is coherent


@pytest.mark.rule("w9.concepts.coherency.six")
def test_six_in_two_ranks_hold():
    assert holds([(10 + 2.5 * k, 10) for k in range(3)] + [(10 + 2.5 * k, 12) for k in range(3)])


@pytest.mark.rule("w9.concepts.coherency.six")
def test_six_in_two_groups_of_three_do_not():
    """Each has two neighbours, but they are no single group."""
    spots = [(10, 10), (11.5, 10), (10.75, 11.4)]
    assert not holds(spots + [(x + 10, y) for x, y in spots])


# ---------------------------------------------------------------- moves and set-up


def three(player=0):
    scene = NinthScene()
    unit = scene.unit(player, sheet("Squad"), at=line([0.5, 0.5]))
    scene.unit(1 - player, sheet("Far"), at=FAR)
    return scene.battle("movement", active=player, detail="full"), unit


def places(battle, unit):
    return [(battle.models.x[k], battle.models.y[k]) for k in battle.members(unit.row)]


@pytest.mark.rule("w9.concepts.coherency.move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("x", "legal"), [(16.5, False), (14.6, False), (14.5, True)])
def test_a_move_that_ends_out_of_coherency_is_refused_and_nobody_has_moved(player, x, legal):
    """The third model would end 4" (2.1", 2") from the others."""
    battle, unit = three(player)
    before = places(battle, unit)
    ends = [(10, 12), (11.5, 12), (x, 12)]
    fault = check_move(battle, unit, "normal", {k: [end] for k, end in enumerate(ends)})
    assert fault == (Fault.LEGAL if legal else Fault.NOT_COHERENT)
    assert places(battle, unit) == (ends if legal else before)


@pytest.mark.rule("w9.concepts.coherency.move")
def test_model_by_model_the_move_cannot_be_ended_so():
    """It can be taken back: all stand where they stood."""
    battle, unit = three()
    before = places(battle, unit)
    pick(battle, "Normal move")
    walk(battle, 2, 16.5, 10)
    assert "end the move" not in words(battle).values()
    with pytest.raises(IllegalAction):
        battle.apply(0)
    pick(battle, "take the move back")
    assert places(battle, unit) == before


@pytest.mark.rule("w9.concepts.coherency.move")
def test_a_unit_that_no_move_can_mend_stays_where_it_is():
    """Two models 20" apart with a Move of 6": only Remain Stationary is left, and is not asked."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Squad"), at=line([20.0]))
    scene.unit(1, sheet("Far"), at=FAR)
    battle = scene.battle("movement", run=False)
    battle.run()
    assert told(battle, "w9.move.stationary")[0]["unit"] == unit.row
    assert told(battle, "w9.move.normal") == []
    assert set(places(battle, unit)) <= set(line([20.0]))


@pytest.mark.rule("w9.concepts.coherency.move")
@pytest.mark.parametrize(("models", "size", "standing"), [(5, 5.6, 5), (5, 4.6, 4), (6, 6.7, 6)])
def test_no_unit_is_set_up_out_of_coherency(models, size, standing):
    """A zone of one rank: those for whom there is no room in coherency are not set up apart from the others."""
    scene = NinthScene(size=(size, 44), zone_depth=1.2)
    unit = scene.unit(0, sheet("Squad"), models=models)
    scene.unit(1, sheet("Foe"))
    battle = scene.battle("mission", attacker=1)
    found = sorted(places(battle, unit))
    assert len(found) == standing
    assert all(b[0] - a[0] <= 3.0 for a, b in pairwise(found))
    assert in_coherency(battle, unit.row)
