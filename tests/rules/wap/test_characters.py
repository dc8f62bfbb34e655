"""Characters: in whose block they stand, what that makes of it, how they strike and fall (wap.character.*)."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env.content.battle import Battle
from wh_env.core.tables import ATTACHED, DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.strength import rank_bonus, unit_strength
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.challenges.duels import begin_duel
from wh_env.rulesets.wap.characters.make_way import may_come_forward
from wh_env.rulesets.wap.combat.fighters import enemies_of, groups_of
from wh_env.rulesets.wap.morale.leadership import leadership_of
from wh_env.rulesets.wap.movement.going import ADVANCE
from wh_env.rulesets.wap.ways.poses import front_width
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import INCH, RegimentScene, UnitHandle, square

ALL = ("champion", "standard", "musician")


def hero(**values: Any) -> dict[str, Any]:
    """A character on foot on a base of one inch."""
    return square(**{"character": True, "size": [1, 1], "w": 2, "a": 3, "ld": 9, **values})


def rider(**values: Any) -> dict[str, Any]:
    """A character on a horse."""
    mount = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}
    return hero(type="cavalry", base_mm=[INCH, 2 * INCH], mount=mount, **values)


def places(g: Battle, handle: UnitHandle) -> list[tuple[int, int]]:
    """Rank and file of the models of a unit."""
    unit = handle.row
    return sorted((g.models.rank[k], g.models.file[k]) for k in g.members(unit))


def ranks(g: Battle, unit: int) -> list[int]:
    """How many places each rank of a block has."""
    wide, filled = g.units.files[unit], g.units.block[unit]
    return [min(wide, filled - n) for n in range(0, filled, wide)]


@pytest.mark.rule("wap.character.base.same-size")
def test_a_character_takes_the_place_of_one_model():
    scene = RegimentScene()
    host = scene.unit(0, None, (24, 20), models=15, files=5)
    lord = scene.unit(0, hero(), inside=host, models=1, post=4)
    scene.unit(1, None, (24, 40))
    g = scene.battle()
    assert ranks(g, host) == [5, 5, 5, 1]
    assert places(g, lord) == [(0, 4)]
    assert len([p for p in places(g, host) if p[0] == 0]) == 4
    assert len(set(places(g, host) + places(g, lord))) == 16


@pytest.mark.rule("wap.character.base.multiple")
def test_a_rider_takes_the_place_of_two_on_foot():
    scene = RegimentScene()
    host = scene.unit(0, None, (24, 20), models=15, files=5)
    lord = scene.unit(0, rider(), inside=host, models=1, post=1)
    scene.unit(1, None, (24, 40))
    g = scene.battle()
    assert ranks(g, host) == [5, 5, 5, 2]
    assert places(g, lord) == [(0, 1)]
    assert {(0, 1), (1, 1)}.isdisjoint(places(g, host))
    assert len(places(g, host)) == 15 and len(set(places(g, host))) == 15
    k = lord.model()
    assert g.models.y[k] == pytest.approx(19.0) and g.models.half_a[k] == pytest.approx(1.0)


@pytest.mark.rule("wap.character.base.rank-count")
def test_the_space_of_a_rider_counts_for_ranks():
    for joins, bonus in ((True, 2), (False, 1)):
        scene = RegimentScene()
        host = scene.unit(0, None, (24, 20), models=13, files=5)
        if joins:
            scene.unit(0, rider(), inside=host, models=1, post=1)
        scene.unit(1, None, (24, 40))
        assert rank_bonus(scene.battle(), host.row) == bonus


@pytest.mark.rule("wap.character.leadership.best")
def test_the_best_leadership_counts():
    for own, lord, best in ((9, 8, 9), (7, 9, 9)):
        scene = RegimentScene()
        host = scene.unit(0, square(ld=own), (24, 20))
        scene.unit(0, hero(ld=lord), inside=host, models=1)
        scene.unit(1, None, (24, 40))
        assert leadership_of(scene.battle(), host.row) == best


def test_strength_and_movement_of_a_combined_unit():
    scene = RegimentScene()
    host = scene.unit(0, None, (24, 20))
    for _ in range(2):
        scene.unit(0, hero(), inside=host, models=1)
    other = scene.unit(0, None, (10, 20))
    scene.unit(0, rider(m=4), inside=other, models=1)
    scene.unit(1, None, (24, 40))
    g = scene.battle()
    assert unit_strength(g, host.row) == 12 and unit_strength(g, other.row) == 12
    assert movement_of(g, other.row) == 4.0


@pytest.mark.rule("wap.character.unit-destroyed.new-unit")
def test_characters_that_are_left_are_a_unit():
    scene = RegimentScene()
    host = scene.unit(0, None, (24, 20), models=12)
    lords = [scene.unit(0, hero(), inside=host, models=1) for _ in range(2)]
    scene.unit(1, None, (24, 40))
    g = scene.battle()
    suffer(g, host.row, 11)
    assert g.units.place[lords[0].row] == ATTACHED
    suffer(g, host.row, 1)
    first, second = (lord.row for lord in lords)
    assert g.units.place[host.row] == DESTROYED and g.units.place[first] == ON_TABLE
    assert g.units.place[second] == ATTACHED and g.units.bodyguard[second] == first
    assert g.units.block[first] == 2 and unit_strength(g, first) == 2 and g.units.files[first] == 2
    assert not list(g.setup.ruleset.contradictions(g))


def fight(**values: Any) -> tuple[Battle, dict[str, int]]:
    """A unit with a character before three enemies of whom one touches both him and others."""
    scene = RegimentScene()
    host = scene.unit(0, None, (24, 20), models=10, files=5)
    lord = scene.unit(0, hero(**values), inside=host, models=1, post=4)
    enemy = scene.beside(host, 1, square(a=3), models=3, files=3)
    g = scene.battle("combat", run=False)
    return g, {"host": host.row, "lord": lord.row, "enemy": enemy.row, "k": lord.model()}


def test_a_character_strikes_who_touches_him():
    g, at = fight()
    groups = groups_of(g, at["host"], 1)
    own = [group for group in groups if g.lines.unit[group[0]] == at["lord"]]
    assert own == [(g.units.first_line[at["lord"]], 0, 1, 1)]
    assert enemies_of(g, at["enemy"]) == [at["host"], at["lord"]]
    found = {group[2]: group[3] for group in groups_of(g, at["enemy"], 1)}
    assert found == {1: 2, 3: 1}  # two touch the unit alone, one him too


@pytest.mark.rule("wap.character.combat.excess-wounds")
def test_wounds_beyond_the_last_of_a_character_are_lost():
    g, at = fight(w=1)
    before = g.units.alive[at["host"]]
    suffer(g, at["lord"], 3)
    assert g.units.place[at["lord"]] == DESTROYED and g.units.alive[at["host"]] == before
    assert g.units.block[at["host"]] == 10 and not list(g.setup.ruleset.contradictions(g))


# ---------------------------------------------------------------- bases that do not fit

BIG = 40.0 / 25.4  # inches: the base of 40 mm among bases of 25


def big(**values: Any) -> dict[str, Any]:
    """A character on foot on a base that fits no whole number of places."""
    return hero(base_mm=[40, 40], **values)


@pytest.mark.rule("wap.character.base.misfit")
@pytest.mark.parametrize(("models", "files", "bonus"), [(12, 4, 0), (15, 5, 2)])
@pytest.mark.parametrize("end", [0, 1])
def test_who_does_not_fit_stands_at_an_end_of_the_front_rank(models: int, files: int, bonus: int, end: int) -> None:
    scene = RegimentScene((48, 48))
    host = scene.unit(0, None, (24, 20), models=models, files=files)
    lord = scene.unit(0, big(), (24, 24.5), models=1)
    scene.unit(1, None, (24, 46))
    battle = scene.battle(detail="full")
    u, m = battle.units, battle.models
    before = {k: (m.x[k], m.y[k]) for k in battle.members(host.row)}
    choose(battle, "own", lord.number)
    choose(battle, "option", ADVANCE)
    assert host.number in slots(battle, "own")
    choose(battle, "own", host.number)
    assert kind(battle) == "hero-place" and slots(battle, "number") == [0, 1]
    choose(battle, "number", end)
    k, sign = lord.model(), 1.0 if end == 0 else -1.0
    assert (u.place[lord], u.bodyguard[lord], u.block[host]) == (ATTACHED, host.row, models)
    assert m.x[k] == pytest.approx(24 + sign * (0.5 * files + 0.5 * BIG)) and m.y[k] == pytest.approx(20 - 0.5 * BIG)
    assert m.facing[k] == pytest.approx(u.facing[host]) and m.rank[k] == 0
    for n, place in before.items():  # nobody else goes anywhere
        assert (m.x[n], m.y[n]) == pytest.approx(place)
    assert rank_bonus(battle, host.row) == bonus and unit_strength(battle, host.row) == models + 1
    assert not list(battle.setup.ruleset.contradictions(battle))


def aside(**fields: Any) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """Fifteen in five files with a character who does not fit at their left end (the eastern one is their right)."""
    scene = RegimentScene((48, 48))
    host = scene.unit(0, None, (24, 20), models=15, files=5)
    return scene, host, scene.unit(0, big(**fields), inside=host, models=1, beside=2)


@pytest.mark.rule("wap.character.base.misfit")
def test_the_space_of_who_does_not_fit_is_part_of_the_front() -> None:
    scene, host, _ = aside()
    near = scene.unit(1, None, (24 - 2.5 - BIG - 2.0 - 2.5, 20), files=5)
    battle = scene.battle(run=False)
    assert battle.units.x[host] == pytest.approx(24 - 0.5 * BIG)
    assert distance(battle, host.row, near.row) == pytest.approx(2.0)
    assert front_width(battle, host.row) == pytest.approx(5 + BIG)


@pytest.mark.rule("wap.character.base.misfit")
@pytest.mark.rule("wap.character.make-way.limits")
def test_who_stands_aside_fights_whom_he_touches_and_is_not_swapped() -> None:
    for x, files, touched in ((24.0, 3, False), (21.0, 5, True)):
        scene, host, lord = aside()
        scene.unit(1, None, (x, 20.0), files=files, models=files)
        battle = scene.battle("combat", run=False)
        groups = groups_of(battle, host.row, 0)
        own = [group for group in groups if battle.lines.unit[group[0]] == lord.row]
        assert bool(own) is touched
        assert not may_come_forward(battle, lord.row)
    suffer(battle, lord.row, 2)
    assert battle.units.wider[host] == 0.0 and battle.units.x[host] == pytest.approx(24.0)


@pytest.mark.rule("wap.character.base.misfit")
def test_who_stands_aside_leaves_and_the_ranks_stay() -> None:
    scene, host, lord = aside()
    scene.unit(1, None, (24, 46))
    battle = scene.battle()
    m = battle.models
    before = [value for k in battle.members(host.row) for value in (m.x[k], m.y[k])]
    choose(battle, "own", lord.number)
    choose(battle, "option", ADVANCE)
    choose(battle, "cell", slots(battle, "cell")[-1])
    while kind(battle) != "select-to-move":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.place[lord] == ON_TABLE and battle.units.beside[lord] == 0
    assert [value for k in battle.members(host.row) for value in (m.x[k], m.y[k])] == pytest.approx(before)


@pytest.mark.rule("wap.challenge.next-rounds")
def test_a_duel_ends_with_who_leaves_the_table() -> None:
    scene = RegimentScene((48, 48))
    first = scene.unit(0, hero(), (24, 20), models=1)
    second = scene.beside(first, 1, hero(), models=1)
    scene.unit(1, None, (8, 40))
    battle = scene.battle("combat", run=False)
    begin_duel(battle, first.row, second.row)
    remove_unit(battle, first.row)
    assert battle.units.duel[second] == -1 and not list(battle.setup.ruleset.contradictions(battle))
