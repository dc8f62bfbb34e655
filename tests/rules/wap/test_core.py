"""Measuring, dice, re-rolls, tests, losses, quarters, Unit Strength."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from wh_env import Battle
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.dice import chosen_at_random, number_of, part_of, roll_off, rolled_number
from wh_env.rulesets.wap.basics.quarters import quarter_at, quarter_of
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.casualties.removing import slay, suffer
from wh_env.rulesets.wap.codes import FRONT, LEFT, RANK_AND_FILE, REAR, RIGHT
from wh_env.rulesets.wap.morale.leadership import leadership_test
from wh_env.testing import choose, dice_left, kind, script, slots
from wh_env.testing.wap import EAST, NORTH, PLAIN, RegimentScene, UnitHandle, corners, places, pose, ranks, square

RULE = "wap.core.ldtest.roll"


def two(gap: float = 6.0, **card: object) -> tuple[Battle, UnitHandle, UnitHandle]:
    """Two units on bases of one inch, one behind the other, so far apart."""
    scene = RegimentScene()
    first = scene.unit(0, square(**card), (20, 10), models=10, files=5, facing=NORTH, command=("champion",))
    second = scene.unit(1, None, (20, 10 + gap), models=10, files=5)
    return scene.battle("movement"), first, second


# ---------------------------------------------------------------- measuring


@pytest.mark.rule("wap.core.measure.unit")
def test_a_pace_is_an_inch() -> None:
    scene = RegimentScene()
    one = scene.unit(0, None, (6, 24), models=5, files=5, facing=EAST)
    other = scene.unit(1, square(base_mm=[25, 25]), (12, 24), models=5, files=5, facing=np.pi)
    battle = scene.battle("movement")
    assert battle.distance(one, other) == pytest.approx(6.0)
    ys = [y for _, y in corners(battle, other)]
    assert max(ys) - min(ys) == pytest.approx(125 / 25.4)


@pytest.mark.rule("wap.core.measure.premeasure")
def test_measuring_is_free_and_commits_to_nothing() -> None:
    scene = RegimentScene()
    own = scene.unit(0, None, (10, 10), models=5, files=5)
    others = [scene.unit(1, None, (10, 10 + far), models=5, files=5) for far in (7.5, 11.0, 14.2)]
    battle = scene.battle("movement")
    before, waits = battle.state_bytes(), battle.decision
    assert [battle.distance(own, other) for other in others] == pytest.approx([7.5, 11.0, 14.2])
    assert (battle.state_bytes(), battle.decision) == (before, waits)


@pytest.mark.rule("wap.core.measure.base-to-base")
def test_from_the_nearest_point_of_one_base_to_that_of_the_other() -> None:
    scene = RegimentScene()
    one = scene.unit(0, None, (10.0, 10.5), models=1, files=1, facing=NORTH)
    other = scene.unit(1, None, (13.0, 14.5), models=1, files=1, facing=NORTH)
    battle = scene.battle("movement")
    assert battle.distance(one, other) == pytest.approx(sqrt(13.0))
    assert distance(battle, one.row, other.row) == pytest.approx(sqrt(13.0))


@pytest.mark.rule("wap.core.measure.unit-to-unit")
def test_between_the_closest_models() -> None:
    """The models of a line that stands askew are 6.5" and more away; the block says the same as its models."""
    scene = RegimentScene()
    one = scene.unit(0, None, (20, 20), models=3, files=3, facing=0.7)
    other = scene.unit(1, None, (20 + 8 * np.cos(0.3), 20 + 8 * np.sin(0.3)), models=17, files=5)
    battle = scene.battle("movement")
    assert distance(battle, one.row, other.row) == pytest.approx(battle.distance(one, other), abs=1e-6)


@pytest.mark.parametrize(("gap", "within"), [(6.0, True), (6.01, False)])
@pytest.mark.rule("wap.core.measure.within")
def test_within_if_any_part_of_the_base_is(gap: float, within: bool) -> None:
    scene = RegimentScene()
    one = scene.unit(0, None, (20, 10), models=1, files=1, facing=NORTH)
    other = scene.unit(1, None, (20, 10 + gap), models=1, files=1)
    battle = scene.battle("movement")
    m = battle.models
    assert abs(m.y[other.model()] - m.y[one.model()]) == pytest.approx(gap + 1.0)
    assert (battle.distance(one, other) <= 6.0 + 1e-4) is within


# ---------------------------------------------------------------- dice


@pytest.mark.rule("wap.core.dice.d6")
def test_a_die_has_six_faces() -> None:
    battle = two()[0]
    script(battle, [4])
    assert battle.d6() == 4
    seen = [battle.d6() for _ in range(600)]
    assert set(seen) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize(("die", "result"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
@pytest.mark.rule("wap.core.dice.d3")
def test_a_d3_is_half_a_d6(die: int, result: int) -> None:
    battle = two()[0]
    script(battle, [die])
    assert rolled_number(battle, number_of("D3")) == result


@pytest.mark.rule("wap.core.dice.rounding")
def test_fractions_are_rounded_up() -> None:
    assert part_of(7, 2) == 4
    assert part_of(8, 2) == 4
    assert part_of(51, 100, 10) == 6
    assert part_of(50, 100, 10) == 5


@pytest.mark.rule("wap.core.dice.modifier")
def test_a_number_is_added_to_the_roll() -> None:
    battle = two()[0]
    script(battle, [1, 6])
    assert [battle.roll(1, plus=2), battle.roll(1, plus=2)] == [3, 8]


@pytest.mark.rule("wap.core.dice.sum")
def test_several_dice_are_added() -> None:
    battle = two()[0]
    script(battle, [1, 1, 6, 6, 5, 6, 1, 1, 1])
    assert [battle.roll(2), battle.roll(2), battle.roll(2), battle.roll(3)] == [2, 12, 11, 3]


@pytest.mark.rule("wap.core.roll-off")
def test_ties_are_rolled_again_with_the_same_bonus() -> None:
    battle = two()[0]
    script(battle, [4, 3, 5, 5])
    assert roll_off(battle, "wap.core.roll-off", (0, 1)) == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.core.random-selection")
def test_a_score_without_an_option_is_rolled_again() -> None:
    battle = two()[0]
    script(battle, [6, 5, 3])
    assert chosen_at_random(battle, 4) == 2
    assert dice_left(battle) == 0
    with pytest.raises(ValueError, match="expected 1 to 6"):
        chosen_at_random(battle, 7)


# ---------------------------------------------------------------- tests


@pytest.mark.parametrize(("dice", "passes"), [([3, 4], True), ([4, 4], False)])
@pytest.mark.rule("wap.core.ldtest.roll")
def test_two_dice_of_at_most_the_leadership(dice: list[int], passes: bool) -> None:
    battle, unit, _ = two(ld=7)
    script(battle, dice)
    assert leadership_test(battle, unit.row, RULE) is passes


@pytest.mark.rule("wap.core.ldtest.highest")
def test_the_highest_leadership_counts() -> None:
    battle, unit, _ = two(ld=6, champion={"m": 4, "ws": 3, "bs": 3, "s": 3, "t": 3, "w": 1, "i": 3, "a": 2, "ld": 8})
    script(battle, [4, 4])
    assert leadership_test(battle, unit.row, RULE)
    slay(battle, unit.model())
    script(battle, [4, 4])
    assert not leadership_test(battle, unit.row, RULE)


@pytest.mark.rule("wap.core.ldtest.zero")
def test_without_leadership_it_fails_without_dice() -> None:
    battle, unit, _ = two(ld=5)
    script(battle, [1, 1])
    assert not leadership_test(battle, unit.row, RULE, -5)
    assert dice_left(battle) == 2
    assert leadership_test(battle, unit.row, RULE, -3)


@pytest.mark.parametrize(("dice", "passes"), [([4, 4], True), ([5, 4], False)])
@pytest.mark.rule("wap.core.ldtest.unmodified")
def test_an_unmodified_test_leaves_modifiers_aside(dice: list[int], passes: bool) -> None:
    """The 8 of a champion counts in a unit of 7, the 10 of friends 6" away does not."""
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=7, champion={**PLAIN, "ld": 8}), (20, 10), models=10, files=5, command=("champion",))
    friends = scene.unit(0, square(ld=10), (31, 10), models=10, files=5)
    scene.unit(1, None, (20, 30))
    battle = scene.battle("movement")
    assert battle.distance(unit, friends) == pytest.approx(6.0)
    script(battle, dice)
    assert leadership_test(battle, unit.row, RULE, -3, unmodified=True) is passes
    script(battle, [3, 3])
    assert not leadership_test(battle, unit.row, RULE, -3)


# ---------------------------------------------------------------- losses


@pytest.mark.rule("wap.core.casualties.rear-rank")
def test_losses_are_taken_from_the_rear_rank() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20), models=20, files=5, command=("champion", "standard"))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    before = pose(battle, unit)
    assert suffer(battle, unit.row, 3) == 3
    assert ranks(battle, unit) == [5, 5, 5, 2]
    assert pose(battle, unit) == before
    assert battle.models.alive[unit.model(0)] and battle.models.alive[unit.model(1)]


@pytest.mark.parametrize(("wounds", "end", "expected"), [(4, 0, (2.0, 8.0)), (3, 0, (2.0, 9.0)), (3, 1, (1.0, 8.0))])
@pytest.mark.rule("wap.core.casualties.single-rank")
def test_a_single_rank_is_shortened_at_both_ends(wounds: int, end: int, expected: tuple[float, float]) -> None:
    """Facing north, so its left end is the one with the smaller x; the owner says which end loses one more."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (5, 20), models=10, files=10, facing=NORTH)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement", detail="full", set_state=lambda g: g.push(Casualties, unit.row, wounds))
    if wounds == 3:
        assert kind(battle) == "loss-end" and slots(battle, "option") == [0, 1]
        choose(battle, "option", end)
    xs = [x for x, _ in corners(battle, unit)]
    assert (min(xs), max(xs)) == pytest.approx(expected)
    assert ranks(battle, unit) == [10 - wounds]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.core.casualties.fill-gap")
def test_a_model_from_the_rear_steps_into_the_gap(player: int) -> None:
    """Ten men and a hero in the front rank, who is slain: 5, 5, 1 become 5 and 5. So it is with a champion."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (20, 20), models=10, files=5)
    lord = scene.unit(player, square(character=True, size=[1, 1], w=2), inside=unit, models=1, post=2)
    scene.unit(1 - player, None, (20, 40))
    battle = scene.battle("movement", player=player, run=False)
    own = [*battle.members(unit.row), lord.model()]
    m = battle.models
    assert [sum(m.rank[k] == rank for k in own) for rank in range(3)] == [5, 5, 1] and m.rank[lord.model()] == 0
    front = sorted((m.x[k], m.y[k]) for k in own if m.rank[k] == 0)
    assert suffer(battle, lord.row, 2) == 1
    assert ranks(battle, unit) == [5, 5]
    np.testing.assert_allclose(sorted(places(battle, unit)[:5]), front)
    scene = RegimentScene()
    unit = scene.unit(player, None, (20, 20), models=11, files=5, command=("champion",))
    scene.unit(1 - player, None, (20, 40))
    battle = scene.battle("movement", player=player)
    assert ranks(battle, unit) == [5, 5, 1]
    front = sorted(places(battle, unit)[:5])
    slay(battle, unit.model())
    assert ranks(battle, unit) == [5, 5]
    np.testing.assert_allclose(sorted(places(battle, unit)[:5]), front)
    assert {battle.models.role[k] for k in battle.members(unit.row)} == {RANK_AND_FILE}


# ---------------------------------------------------------------- quarters


@pytest.mark.parametrize(
    ("point", "quarter"),
    [((3, 3.2), FRONT), ((3.2, 3), RIGHT), ((-5, 0), LEFT), ((0, -4), REAR), ((4, 4.01), FRONT), ((4, 3.99), RIGHT)],
)
@pytest.mark.rule("wap.core.facing.arcs")
def test_quarters_of_a_base(point: tuple[float, float], quarter: int) -> None:
    assert quarter_at(0.0, 0.0, NORTH, 0.5, 0.5, *point) == quarter


@pytest.mark.parametrize(("models", "out"), [(20, 2.5), (17, 2.5)])
@pytest.mark.rule("wap.core.facing.unit")
def test_quarters_of_a_unit(models: int, out: float) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20), models=models, files=5, facing=NORTH)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    assert {battle.models.facing[k] for k in battle.members(unit.row)} == {NORTH}
    expected = {
        (5, 3): FRONT,
        (5, 2): RIGHT,
        (-5, 2): LEFT,
        (-5, 3): FRONT,
        (0, -9): REAR,
        (5, -6): RIGHT,
        (5, -7): REAR,
    }
    assert {at: quarter_of(battle, unit.row, 20 + at[0], 20 + at[1]) for at in expected} == expected


@pytest.mark.parametrize(("back", "quarters"), [(4.25, [RIGHT, LEFT]), (4.75, [REAR, REAR])])
@pytest.mark.rule("wap.core.facing.unit", "wap.special.skirmishers.formation")
def test_the_gaps_of_skirmishers_are_part_of_their_formation(back: float, quarters: list[int]) -> None:
    """Two ranks of three, half an inch between bases of one: 4" wide and 2.5" deep. The rays from the rear corners are 2"
    farther out 4.5" behind the front edge.
    """
    scene = RegimentScene()
    unit = scene.unit(0, square(rules=["Skirmishers"]), (20, 20), models=6, files=3, facing=NORTH)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    assert [quarter_of(battle, unit.row, 20 + aside, 20 - back) for aside in (4.0, -4.0)] == quarters


# ---------------------------------------------------------------- Unit Strength


@pytest.mark.rule("wap.core.us.definition")
def test_the_unit_strength_of_infantry_is_its_models() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20), models=12)
    scene.unit(1, None, (20, 40))
    assert unit_strength(scene.battle("movement"), unit.row) == 12


@pytest.mark.rule("wap.core.us.compute")
def test_models_times_the_strength_of_one() -> None:
    scene = RegimentScene()
    riders = scene.unit(0, "knights", (20, 20), models=5)
    men = scene.unit(1, None, (20, 40), models=21)
    battle = scene.battle("movement")
    assert (unit_strength(battle, riders.row), unit_strength(battle, men.row)) == (10, 21)
    suffer(battle, men.row, 4)
    suffer(battle, riders.row, 1)
    assert (unit_strength(battle, riders.row), unit_strength(battle, men.row)) == (8, 17)


@pytest.mark.rule("wap.core.unit.definition")
def test_an_army_is_made_of_units() -> None:
    """A block of twenty and three single models are four units, each with a row of its own."""
    scene = RegimentScene()
    block = scene.unit(0, None, (10, 10), models=20)
    for x in (20, 25, 30):
        scene.unit(0, None, (x, 10), models=1)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    assert battle.players.units[0] == 4
    assert [battle.units.count[unit] for unit in battle.units_of(0)] == [20, 1, 1, 1]
    assert {battle.models.unit[k] for k in range(20)} == {block.row}
