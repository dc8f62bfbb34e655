"""Lines of sight, Line of Sight values, and what needs them."""

from __future__ import annotations

import pytest
from charging import HOLD, charge, react, targets
from heroes import hero, rider

from wh_env import Battle
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square, who_see


def looking(
    sides: tuple[float, float] | None,
    *,
    target: tuple[float, float] = (0, 10),
    values: tuple[int, int, int] = (1, 1, 1),
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A model on (0, 0) of a table moved by 24" faces north; a base of one inch on ``target``; a rank that fills x from .. to .. on y = 5.
    ``values``: Line of Sight values of the viewer, of what is between, of the target."""
    scene = RegimentScene()
    viewer = scene.unit(0, None, (24, 24.5), models=1, files=1, facing=NORTH)
    seen = scene.unit(1, None, (24 + target[0], 24.5 + target[1]), models=1, files=1, facing=NORTH)
    between = None
    if sides is not None:
        wide = sides[1] - sides[0]
        card = square(base_mm=[25.4 * wide / 4, 20])
        between = scene.unit(1, card, (24 + 0.5 * (sides[0] + sides[1]), 29), models=4, files=4, facing=SOUTH)

    def value(battle: Battle) -> None:
        for unit, sight in zip((viewer, between, seen), values, strict=True):
            if unit is not None:
                battle.units.sight[unit] = sight

    return scene.battle("movement", run=False, set_state=value), viewer, seen


@pytest.mark.parametrize(
    ("sides", "target", "sees"),
    [
        (None, (0, 10), True),
        ((-3.0, 0.2), (0, 10), True),
        ((-5.0, 5.0), (0, 10), False),
        (None, (0, -10), False),
        (None, (9, 2), False),
        (None, (9, 12), True),
    ],
)
@pytest.mark.rule("wap.core.los.draw")
def test_an_unbroken_line_from_the_front_of_the_base(
    sides: tuple[float, float] | None, target: tuple[float, float], sees: bool
) -> None:
    battle, viewer, seen = looking(sides, target=target)
    assert bool(who_see(battle, viewer.row, seen.row)) is sees


@pytest.mark.parametrize(("x", "number"), [(20.0, 0), (36.0, 5)])
@pytest.mark.rule("wap.core.los.draw")
def test_friends_are_in_the_way_too_and_so_are_the_own_ranks(x: float, number: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20), models=10, files=5, facing=NORTH)
    scene.unit(0, None, (x, 23), models=16, files=16, facing=NORTH)
    enemy = scene.unit(1, None, (20, 34), models=5, files=5)
    battle = scene.battle("movement", run=False)
    front = [k for k in battle.members(unit.row) if battle.models.rank[k] == 0]
    assert who_see(battle, unit.row, enemy.row) == front[:number]


@pytest.mark.parametrize(
    ("values", "sees"),
    [
        ((2, 1, 1), True),
        ((2, 3, 1), False),
        ((1, 1, 1), False),
        ((1, 1, 2), True),
        ((1, 3, 2), False),
        ((3, 3, 3), False),
    ],
)
@pytest.mark.rule("wap.core.los.value")
def test_what_is_lower_than_one_of_them_hides_nobody(values: tuple[int, int, int], sees: bool) -> None:
    """As far as the middle one goes it is the same the other way round."""
    battle, viewer, seen = looking((-5.0, 5.0), values=values)
    assert bool(who_see(battle, viewer.row, seen.row)) is sees
    battle, viewer, seen = looking((-5.0, 5.0), values=values[::-1])
    assert bool(who_see(battle, viewer.row, seen.row)) is sees


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.core.los.required")
def test_who_sees_nothing_of_a_unit_cannot_attack_it(player: int) -> None:
    """Of three units near by one is hidden behind a rock: no bow is aimed at it, and no charge declared on it."""
    for phase, arms, asked in (("shooting", ["bow"], "shoot-target"), ("movement", ["hand weapon"], "charge-target")):
        scene = RegimentScene()
        own = scene.unit(player, square(m=6, equipment=arms), (20, 10), models=5, files=5, facing=NORTH)
        hidden = scene.unit(1 - player, None, (29, 17), models=2, files=2, facing=SOUTH)
        seen = [scene.unit(1 - player, None, (x, 18), models=2, files=2, facing=SOUTH) for x in (13, 18)]
        for rock in (False, True):
            if rock:
                scene.area("impassable", 22.6, 12.5, 32, 14.5)
            battle = scene.battle(phase, player=player)
            choose(battle, "own", own.number)
            assert kind(battle) == asked
            assert slots(battle, "enemy") == sorted(unit.number for unit in (seen if rock else [hidden, *seen]))


@pytest.mark.parametrize(("value", "sees"), [(1, False), (5, False), (6, True)])
@pytest.mark.rule("wap.terrain.impassable.line-of-sight")
def test_a_rock_hides_all_but_the_tallest(value: int, sees: bool) -> None:
    scene = RegimentScene()
    viewer = scene.unit(0, None, (20, 10), models=1, files=1, facing=NORTH)
    seen = scene.unit(1, None, (20, 30), models=1, files=1, facing=SOUTH)
    scene.area("impassable", 10, 15, 30, 20)

    def values(battle: Battle) -> None:
        battle.units.sight[viewer] = battle.units.sight[seen] = value

    battle = scene.battle("movement", run=False, set_state=values)
    assert bool(who_see(battle, viewer.row, seen.row)) is sees
    assert bool(who_see(battle, seen.row, viewer.row)) is sees


@pytest.mark.rule("wap.troop.infantry.profile")
def test_infantry_hides_infantry() -> None:
    """Riders, whose value is 2, see over the rank in front of them, and are seen."""
    for card, sees in ((None, False), ("knights", True)):
        scene = RegimentScene()
        viewer = scene.unit(0, card, (24, 20), models=5, files=5, facing=NORTH)
        scene.unit(0, None, (24, 25), models=20, files=20, facing=NORTH)
        seen = scene.unit(1, None, (24, 32), models=5, files=5, facing=SOUTH)
        battle = scene.battle("movement", run=False)
        assert bool(who_see(battle, viewer.row, seen.row)) is sees
        assert bool(who_see(battle, seen.row, viewer.row)) is sees


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.rule("wap.charge.declare.sight-and-arc", "wap.character.combined.one-unit")
def test_a_unit_charges_whom_only_the_hero_in_it_sees(player: int, joined: bool) -> None:
    """A wood hides the enemy from all files but the last; whoever stands there sees for the unit."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (24, 10), models=10, files=5, facing=NORTH)
    if joined:
        scene.unit(player, hero(), inside=unit, models=1, post=0)
    scene.area("forest", 10, 12, 26.4, 18)
    foe = scene.unit(1 - player, None, (26, 19), models=1, files=1, facing=SOUTH)
    scene.unit(1 - player, None, (4, 44), models=5)
    battle = scene.battle("movement", player=player)
    assert bool(who_see(battle, unit, foe)) is not joined
    assert targets(battle, unit) == [foe.number]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("card", "sees"), [(hero(), False), (rider(), True)])
@pytest.mark.rule("wap.core.los.value", "wap.charge.declare.sight-and-arc")
def test_a_rider_sees_over_infantry_for_the_infantry_that_he_is_in(player: int, card: dict, sees: bool) -> None:
    """A friend who has declared a charge stands in the way, and hides the enemy from who is no taller."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (24, 10), models=10, files=5, facing=NORTH)
    scene.unit(player, card, inside=unit, models=1, post=2)
    friend = scene.unit(player, None, (24, 13), models=5, files=5, facing=NORTH)
    foe = scene.unit(1 - player, None, (24, 19), models=5, files=5, facing=SOUTH)
    scene.unit(1 - player, None, (4, 44), models=5)
    battle = scene.battle("movement", player=player)
    charge(battle, friend, foe)
    react(battle, HOLD)
    assert targets(battle, unit) == ([foe.number] if sees else [])
