"""What counts as shooting, and who in a unit shoots once or several times."""

from __future__ import annotations

from collections import Counter

import pytest
from heroes import hero

from wh_env import Battle
from wh_env.rulesets.wap.codes import FRONT, REAR
from wh_env.rulesets.wap.shooting.shots import APART, IN_PHASE, MULTIPLE, best_way, firings, ways_of
from wh_env.rulesets.wap.weapons.hit import FROM_AFAR, Hit
from wh_env.rulesets.wap.weapons.saves import points_against, wards_against
from wh_env.testing import choose, kind, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square


@pytest.mark.rule("wap.shoot.what-is")
@pytest.mark.parametrize(
    ("attack", "front", "rear"),
    [
        ("missile weapon", 3, 2),
        ("template weapon", 4, 3),
        ("magic missile", 3, 2),
        ("direct damage", 3, 3),
        ("vortex", 3, 3),
    ],
)
def test_a_point_more_against_shooting_helps_against_arrows_templates_and_missiles_of_magic(
    attack: str, front: int, rear: int
) -> None:
    """Infantry shields have it from the front. A buckler helps against blows, templates and direct damage alone."""
    scene = RegimentScene()
    unit = scene.unit(0, square(equipment=["hand weapon", "light armour", "shield", "buckler"]), (24, 10))
    scene.unit(1, None, (24, 40))
    battle, hit = scene.battle(run=False), Hit(3, nature=FROM_AFAR[attack])
    assert points_against(battle, unit.row, hit, FRONT) == front
    assert points_against(battle, unit.row, hit, REAR) == rear
    assert wards_against(battle, unit.row, 3, FRONT, hit.nature) == []  # nothing from afar is parried


def archers(*, own: list[str], lord: list[str] | None) -> tuple[Battle, UnitHandle, UnitHandle]:
    """Ten archers in two ranks and a hero in front, and their target."""
    scene = RegimentScene()
    bow = ["hand weapon", "crossbow"]
    unit = scene.unit(0, square(equipment=bow, rules=own), (24, 10), models=11 if lord is None else 10, files=6)
    if lord is not None:
        scene.unit(0, hero(equipment=bow, rules=lord, bs=4), inside=unit, models=1, post=3)
    foe = scene.unit(1, None, (24, 20), models=20, files=10)
    return scene.battle("shooting", detail="full", run=False), unit, foe


def shots(battle: Battle, unit: UnitHandle, foe: UnitHandle, way: int) -> Counter[tuple[bool, int]]:
    """How many shots need what: of the hero, of the others."""
    first = battle.units.first_line[unit]
    own = range(first, first + battle.units.lines[unit])
    found: Counter[tuple[bool, int]] = Counter()
    for firing in firings(battle, unit.row, foe.row, way, IN_PHASE):
        found[firing.line not in own, firing.needed] += firing.shots
    return found


TWICE = ["Multiple Shots (2)"]


@pytest.mark.rule("wap.special.multiple-shots.uniform")
def test_all_but_characters_make_the_same_choice() -> None:
    """Ballistic Skill 3 and 4: 4+ and 3+, one more for two shots each."""
    battle, unit, foe = archers(own=TWICE, lord=TWICE)
    assert ways_of(battle, unit.row, foe.row, IN_PHASE) == [0, MULTIPLE, APART, MULTIPLE + APART]
    assert shots(battle, unit, foe, 0) == {(False, 4): 10, (True, 3): 1}
    assert shots(battle, unit, foe, MULTIPLE) == {(False, 5): 20, (True, 4): 2}
    assert shots(battle, unit, foe, APART) == {(False, 4): 10, (True, 4): 2}
    assert shots(battle, unit, foe, MULTIPLE + APART) == {(False, 5): 20, (True, 3): 1}


@pytest.mark.rule("wap.special.multiple-shots.uniform")
@pytest.mark.parametrize(
    ("own", "lord", "ways"),
    [(TWICE, None, [0, MULTIPLE]), (TWICE, [], [0, MULTIPLE]), ([], TWICE, [0, APART]), ([], [], [0])],
)
def test_who_has_a_choice(own: list[str], lord: list[str] | None, ways: list[int]) -> None:
    battle, unit, foe = archers(own=own, lord=lord)
    assert ways_of(battle, unit.row, foe.row, IN_PHASE) == ways
    if lord == []:
        assert (True, 3) in shots(battle, unit, foe, ways[-1])  # one shot, and none the worse for it


@pytest.mark.rule("wap.special.multiple-shots.uniform")
def test_the_hero_shoots_otherwise() -> None:
    battle, unit, foe = archers(own=TWICE, lord=TWICE)
    battle.run()
    choose(battle, "own", unit.number)
    if kind(battle) == "shoot-target":
        choose(battle, "enemy", foe.number)
    assert kind(battle) == "shoot-way"
    option = battle.setup.space.option + 3
    assert words(battle)[option] == "crossbow, 2 shots each, characters otherwise"
    battle.apply(option)
    assert sorted(event["amount"] for event in told(battle, "wap.shoot.hit.roll")) == [1, 20]


@pytest.mark.rule("wap.special.multiple-shots.uniform")
def test_unasked_they_do_what_hits_most() -> None:
    """Twice on 5+ is better than once on 4+, twice on 4+ better than once on 3+."""
    battle, unit, foe = archers(own=TWICE, lord=TWICE)
    assert best_way(battle, unit.row, foe.row, IN_PHASE) == MULTIPLE
