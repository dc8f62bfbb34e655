"""The artillery die, the scatter die, objects that scatter, and what lies beneath templates."""

from __future__ import annotations

from collections import Counter
from math import pi

import pytest

from wh_env import Battle
from wh_env.rulesets.wap.basics.scatter import ARTILLERY, DIRECTIONS, MISFIRE, Scatter, artillery_die, scatter_die
from wh_env.rulesets.wap.shooting.templates import FLAME, ROUND, beneath_disc, beneath_flame
from wh_env.testing import dice_left, script
from wh_env.testing.wap import EAST, RegimentScene, square

QUARTER = DIRECTIONS // 4  # lots from one point of the compass to the next


def empty(seed: int = 0, attacker: int = 0) -> Battle:
    """A battle in which dice can be rolled."""
    scene = RegimentScene()
    scene.unit(0, None, (4, 4), models=1)
    scene.unit(1, None, (44, 44), models=1)
    battle = scene.battle("movement", seed=seed)
    battle.clock.attacker[0] = attacker
    return battle


@pytest.mark.rule("wap.core.dice.artillery")
def test_faces_of_the_artillery_die() -> None:
    battle, shown = empty(), []
    for face in range(1, 7):
        script(battle, [face])
        shown.append(artillery_die(battle))
    assert shown == [2, 4, 6, 8, 10, MISFIRE] == list(ARTILLERY)
    script(battle, [])
    rolled = Counter(artillery_die(battle) for _ in range(6000))
    assert set(rolled) == {2, 4, 6, 8, 10, MISFIRE} and all(850 < number < 1150 for number in rolled.values())


@pytest.mark.rule("wap.core.dice.scatter")
def test_a_third_of_the_faces_are_hits_and_all_directions_are_alike() -> None:
    battle = empty()
    for face in range(1, 7):
        script(battle, [face, QUARTER])
        assert scatter_die(battle, 0) == Scatter(face >= 5, pytest.approx(pi / 2))
    script(battle, [])
    rolled = [scatter_die(battle, 0) for _ in range(6000)]
    assert 1880 < sum(die.hit for die in rolled) < 2120
    for hit in (True, False):
        eighths = Counter(int(die.direction / (pi / 4)) for die in rolled if die.hit == hit)
        mean = sum(eighths.values()) / 8
        assert set(eighths) == set(range(8)) and all(0.8 * mean < number < 1.2 * mean for number in eighths.values())


@pytest.mark.rule("wap.core.dice.scatter")
def test_directions_are_counted_from_the_edge_of_the_player_who_rolls() -> None:
    """The same lot is towards the enemy for both players, whichever of them has the southern edge."""
    for attacker in (0, 1):
        battle = empty(attacker=attacker)
        for player in (0, 1):
            script(battle, [1, QUARTER])
            _, y = scatter_die(battle, player).moved(24, 24, 4)
            assert y == pytest.approx(28 if player == attacker else 20)


@pytest.mark.rule("wap.core.scatter.procedure", "wap.core.scatter.arrow")
def test_an_arrow_moves_the_object_by_all_that_was_rolled() -> None:
    battle = empty()
    script(battle, [2, 0, 3, 4])
    die = scatter_die(battle, 0)
    assert die.scattered(10, 10, battle.roll(2)) == pytest.approx((17, 10))
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.core.scatter.arrow")
def test_what_lies_on_the_way_does_not_matter() -> None:
    scene = RegimentScene()
    scene.area("impassable", 21, 20, 22, 28)
    scene.unit(0, None, (22.6, 22), models=1)
    scene.unit(1, None, (23.7, 26), models=1)
    under = scene.unit(1, None, (25, 24), models=1, facing=EAST)
    battle = scene.battle("movement")
    script(battle, [4, 0, 5])
    place = scatter_die(battle, 0).scattered(20, 24, battle.d6())
    assert place == pytest.approx((25, 24))
    assert beneath_disc(battle, *place, 0.4) == [under.first]


@pytest.mark.rule("wap.core.scatter.hit")
def test_a_hit_leaves_it_in_place() -> None:
    battle = empty()
    script(battle, [5, 17, 6, 6])
    assert scatter_die(battle, 0).scattered(10, 10, battle.roll(2)) == (10, 10)


@pytest.mark.rule("wap.core.scatter.random-direction")
def test_the_small_arrow_of_a_hit_shows_a_direction() -> None:
    battle = empty()
    script(battle, [6, 2 * QUARTER])
    assert scatter_die(battle, 0).moved(0, 0, 4) == pytest.approx((-4, 0))


# ---------------------------------------------------------------- templates


def bases(*places: tuple[float, float], size: float = 25.4) -> tuple[Battle, list[int]]:
    """Single models of player 1 on square bases with their middles at these places, and their rows."""
    scene = RegimentScene()
    card = square(base_mm=[size, size])
    found = [scene.unit(1, card, (x + 0.5 * size / 25.4, y), models=1, facing=EAST) for x, y in places]
    scene.unit(0, None, (4, 4), models=1)
    battle = scene.battle("movement")
    return battle, [unit.first for unit in found]


@pytest.mark.rule("wap.core.template.shapes")
def test_rims_of_the_round_templates() -> None:
    for name, diameter in (("small", 3.0), ("large", 5.0)):
        rim = diameter / 2
        assert ROUND[name] == rim
        battle, (near, far) = bases((24 + rim + 0.5, 24), (24 - rim - 0.51, 24))
        assert beneath_disc(battle, 24, 24, ROUND[name]) == [near] != [far]


@pytest.mark.rule("wap.core.template.shapes")
def test_the_flame_is_eight_inches_long_and_widens() -> None:
    """A narrow tip, a round end: bases beside its axis are touched only far from the tip."""
    assert FLAME.length == 8.0
    battle, (tip, end, beyond, near, wide) = bases(
        (20.3, 24), (28.24, 24), (28.26, 20), (22, 25.2), (26.5, 25.2), size=12.7
    )
    found = beneath_flame(battle, 20, 24, 0.0)
    assert found == sorted([tip, end, wide]) and not {beyond, near} & set(found)
    battle, _ = bases((28.26, 24), size=12.7)
    assert beneath_flame(battle, 20, 24, 0.0) == []


@pytest.mark.rule("wap.core.template.hit")
def test_bases_wholly_or_partly_beneath_are_hit() -> None:
    battle, (middle, beside, partly, outside) = bases((24, 24), (25.01, 24), (24, 25.9), (24 - 2.1, 24))
    assert beneath_disc(battle, 24, 24, 1.5) == sorted([middle, beside, partly]) != [outside]
