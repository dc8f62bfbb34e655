"""Characters who join units, leave them and stand elsewhere in them, and what units may be joined."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero, horse, rider

from tests.machines import machine
from wh_env import Battle
from wh_env.core.tables import ATTACHED, ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.blocks import derive, distance
from wh_env.rulesets.wap.basics.special_rules import gain, models_have
from wh_env.rulesets.wap.characters.joining import is_open_to, may_join
from wh_env.rulesets.wap.codes import FAILED, FLED, JOINED, MOVED, RALLIED
from wh_env.rulesets.wap.movement.going import ADVANCE, CHANGE_PLACES, MARCH
from wh_env.rulesets.wap.movement.move_to import place_of
from wh_env.rulesets.wap.rule_book import ETHEREAL
from wh_env.rulesets.wap.shooting.shots import has_moved
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import INCH, NORTH, SOUTH, RegimentScene, UnitHandle, may_leave, ranks, square

OGRE = square(type="monstrous infantry", base_mm=[1.5 * INCH, 1.5 * INCH], w=3)


def of_type(name: str, **values: Any) -> dict[str, Any]:
    """Models of another troop type on bases of one inch."""
    return square(**{"type": name, "w": 3, **values})


def goes(battle: Battle, unit: UnitHandle, way: int = ADVANCE) -> None:
    """The unit is chosen to move, and how."""
    choose(battle, "own", unit.number)
    choose(battle, "option", way)


def joins(battle: Battle) -> list[int]:
    """Units that who moves is offered to join."""
    return slots(battle, "own")


def open_to(card: dict[str, Any], unit: dict[str, Any], models: int = 5) -> bool:
    """Whether a character may join a unit by what both are."""
    scene = RegimentScene()
    other = scene.unit(0, unit, (24, 20), models=models)
    lord = scene.unit(0, card, (10, 20), models=1)
    scene.unit(1, None, (24, 44))
    return is_open_to(scene.battle(), lord.row, other.row)


# ---------------------------------------------------------------- who may join whom


@pytest.mark.rule("wap.character.definition")
@pytest.mark.rule("wap.battle.deploy.characters")
def test_characters_are_deployed_last_alone_or_in_a_unit() -> None:
    scene = RegimentScene((48, 48))
    units = [scene.unit(0, square(points=10), models=5, name=name) for name in ("one", "two", "three")]
    lords = [scene.unit(0, hero(), models=1, name=name) for name in ("first", "second")]
    foes = [scene.unit(1, square(points=10), models=5) for _ in range(3)]
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    chosen: list[list[int]] = []
    while kind(battle) != "join-unit":
        if kind(battle) == "deploy-unit" and battle.clock.player[0] == 0:
            chosen.append(slots(battle, "own"))
        cells = slots(battle, "cell")  # not at the edge of the table: who joins takes room at the rear
        choose(battle, "cell", cells[len(cells) // 2]) if cells else battle.apply(battle.first_legal())
    assert [len(slot) for slot in chosen] == [3, 2] and all(lord.number not in chosen[0] for lord in lords)
    assert battle.players.drops[0] == 4
    assert battle.clock.subject[0] == lords[0].row
    assert slots(battle, "own") == [unit.number for unit in units] and battle.legal()[0]
    assert not slots(battle, "enemy")
    choose(battle, "own", units[0].number)
    assert battle.units.place[lords[0]] == ATTACHED and battle.units.bodyguard[lords[0]] == units[0].row
    assert kind(battle) == "join-unit" and battle.clock.subject[0] == lords[1].row
    choose(battle, "done")
    assert kind(battle) == "deploy-to" and battle.clock.subject[0] == lords[1].row
    battle.apply(battle.first_legal())
    assert battle.units.place[lords[1]] == ON_TABLE and battle.units.bodyguard[lords[1]] == -1
    assert len(foes) == 3


@pytest.mark.rule("wap.character.join.types")
def test_units_of_which_types_take_characters() -> None:
    assert open_to(hero(), square()) and open_to(hero(rules=["Expendable"]), of_type("war beast", w=1))
    assert open_to(rider(), horse())
    big = hero(type="monstrous infantry", base_mm=[1.5 * INCH, 1.5 * INCH])
    assert open_to(big, OGRE)
    assert not open_to(hero(), of_type("swarm"))
    assert open_to(hero(), hero(), models=1)


@pytest.mark.rule("wap.character.join.types")
def test_two_characters_form_a_unit() -> None:
    scene = RegimentScene((48, 48))
    first, second = scene.unit(0, hero(), (20, 20), models=1), scene.unit(0, hero(), (24, 20), models=1)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle()
    goes(battle, first)
    assert joins(battle) == [second.number]
    choose(battle, "own", second.number)
    u = battle.units
    assert (u.place[first], u.bodyguard[first], u.block[second], u.files[second]) == (ATTACHED, second.row, 2, 2)


@pytest.mark.rule("wap.character.join.unit-strength")
def test_nobody_joins_who_is_bigger() -> None:
    assert not open_to(hero(), horse()) and not open_to(hero(), OGRE)
    assert open_to(rider(), square()) and open_to(rider(), horse()) and not open_to(rider(), OGRE)


@pytest.mark.rule("wap.character.join.forbidden")
def test_machines_monsters_swarms_chariots_and_flyers_take_nobody() -> None:
    assert not open_to(hero(), machine(), models=1)
    for name in ("monster", "swarm", "chariot"):
        assert not open_to(hero(), of_type(name), models=1), name
    flying = {"rules": ["Fly (10)"]}
    assert open_to(rider(**flying), horse(**flying)) and not open_to(rider(), horse(**flying))
    assert not open_to(hero(**flying), horse(**flying))


@pytest.mark.rule("wap.character.join.too-big")
def test_who_rides_a_monster_or_a_chariot_joins_nobody() -> None:
    dragon = hero(type="monster", w=6, base_mm=[2 * INCH, 2 * INCH])
    chariot = hero(type="chariot", w=4, base_mm=[2 * INCH, 4 * INCH])
    assert not open_to(dragon, square()) and not open_to(chariot, square())
    scene = RegimentScene((48, 48))
    scene.unit(0, None, (24, 20), models=15)
    lord = scene.unit(0, dragon, (20, 20), models=1)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle()
    goes(battle, lord)
    assert joins(battle) == [] and slots(battle, "cell")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Unbreakable", marks=pytest.mark.rule("wap.special.unbreakable.characters")),
        pytest.param("Unstable", marks=pytest.mark.rule("wap.special.unstable.characters")),
        pytest.param("Expendable", marks=pytest.mark.rule("wap.special.expendable.characters")),
    ],
)
def test_rules_that_a_unit_and_its_character_both_have(name: str) -> None:
    plain, special = square(), square(rules=[name])
    assert open_to(hero(), plain) and not open_to(hero(), special)
    assert open_to(hero(rules=[name]), special) and not open_to(hero(rules=[name]), plain)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Scouts", marks=pytest.mark.rule("wap.special.scouts.character")),
        pytest.param("Ambushers", marks=pytest.mark.rule("wap.special.ambushers.character")),
    ],
)
def test_who_comes_otherwise_takes_only_his_like(name: str) -> None:
    assert not open_to(hero(), square(rules=[name]))
    assert open_to(hero(rules=[name]), square(rules=[name])) and open_to(hero(rules=[name]), square())


@pytest.mark.rule("wap.special.ethereal.characters")
def test_who_is_ethereal_for_a_while_does_not_join_ghosts() -> None:
    ghosts = square(rules=["Ethereal"])
    assert not open_to(hero(), ghosts) and open_to(hero(rules=["Ethereal"]), ghosts)
    scene = RegimentScene()
    other = scene.unit(0, ghosts, (24, 20), models=5)
    lord = scene.unit(0, hero(), (19, 20), models=1)
    scene.unit(1, None, (24, 44))

    battle = scene.battle(set_state=lambda g: gain(g, lord.row, ETHEREAL))
    assert models_have(battle, lord.row, ETHEREAL)
    goes(battle, lord)
    assert other.number not in joins(battle)


@pytest.mark.rule("wap.character.join.engaged-or-fleeing")
def test_nobody_joins_who_fights_or_flees() -> None:
    for what in ("free", "fights", "flees"):
        scene = RegimentScene((48, 48))
        host = scene.unit(0, None, (24, 20), models=10, files=5, **({"fleeing": 1} if what == "flees" else {}))
        lord = scene.unit(0, hero(), (19, 20), models=1)
        if what == "fights":
            scene.beside(host, 1, models=5)
        else:
            scene.unit(1, None, (24, 46), models=5)
        battle = scene.battle("movement", run=what == "free")
        if what == "free":
            goes(battle, lord)
            assert joins(battle) == [host.number]
        assert may_join(battle, lord.row, host.row) is (what == "free")


# ---------------------------------------------------------------- joining by a move


def beside(apart: float, **values: Any) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A unit of 4" Movement and a hero so far to its right, both facing north."""
    scene = RegimentScene((48, 48))
    host = scene.unit(0, None, (24, 20), models=10, files=5)
    lord = scene.unit(0, hero(**values), (27 + apart, 20), models=1)
    scene.unit(0, None, (8, 8), models=5)
    scene.unit(1, None, (24, 46), models=5)
    return scene, host, lord


@pytest.mark.rule("wap.character.join.procedure")
def test_joining_ends_the_moves_of_both() -> None:
    scene, host, lord = beside(3.0)
    battle = scene.battle()
    assert slots(battle, "own") == [host.number, lord.number, 2]
    goes(battle, lord)
    choose(battle, "own", host.number)
    assert battle.units.bodyguard[lord] == host.row
    assert battle.units.did[host] == JOINED and battle.units.did[lord] & JOINED
    assert told(battle, "wap.character.join.procedure")[0]["far"] == 3.0
    assert slots(battle, "own") == [2]  # neither of them may move


@pytest.mark.rule("wap.character.join.procedure")
def test_who_has_moved_may_still_be_joined() -> None:
    scene, host, lord = beside(3.0)
    scene.unit(0, None, (8, 10), models=5)
    battle = scene.battle()
    goes(battle, host)
    battle.apply(battle.first_legal())
    while kind(battle) != "select-to-move":
        battle.apply(battle.first_legal())
    moved = battle.units.did[host]
    assert moved & MOVED
    battle.units.x[host], battle.units.y[host] = 24.0, 20.0
    battle.units.facing[host] = battle.units.facing[lord]

    derive(battle, host.row)
    goes(battle, lord)
    assert host.number in joins(battle)


@pytest.mark.parametrize(
    ("apart", "way", "reached"), [(4.0, ADVANCE, True), (4.1, ADVANCE, False), (8.0, MARCH, True), (8.1, MARCH, False)]
)
@pytest.mark.rule("wap.character.join.procedure")
def test_a_unit_in_reach_can_be_joined(apart: float, way: int, reached: bool) -> None:
    scene, host, lord = beside(apart)
    battle = scene.battle()
    goes(battle, lord, way)
    assert (host.number in joins(battle)) is reached


def test_a_unit_behind_a_wall_cannot_be_joined() -> None:
    scene, host, lord = beside(3.0)
    scene.area("impassable", 28.2, 10.0, 28.6, 30.0)
    battle = scene.battle()
    goes(battle, lord)
    assert host.number not in joins(battle)


@pytest.mark.rule("wap.character.join.unit-not-moved")
def test_who_is_joined_has_not_moved() -> None:
    scene, host, lord = beside(3.0)
    battle = scene.battle()
    assert not has_moved(battle, host.row)
    goes(battle, lord)
    choose(battle, "own", host.number)
    assert battle.units.did[host] & JOINED and not has_moved(battle, host.row)
    assert has_moved(battle, lord.row)


@pytest.mark.rule("wap.character.position.front-rank")
def test_who_joins_stands_in_front_where_no_command_model_does() -> None:
    scene = RegimentScene((48, 48))
    host = scene.unit(0, None, (24, 20), models=20, files=5, command=("champion", "standard", "musician"))
    lord = scene.unit(0, hero(), (24, 14), models=1)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle(detail="full")
    goes(battle, lord)
    choose(battle, "own", host.number)
    assert kind(battle) == "hero-place" and slots(battle, "number") == [0, 4]
    choose(battle, "number", 4)
    m = battle.models
    assert (m.rank[lord.model()], m.file[lord.model()]) == (0, 4)
    assert [sum(1 for k in battle.members(host.row) if m.rank[k] == n) for n in range(5)] == [4, 5, 5, 5, 1]
    assert sorted(m.file[host.model(n)] for n in range(3)) == [1, 2, 3] and all(
        m.rank[host.model(n)] == 0 for n in range(3)
    )


@pytest.mark.parametrize(("post", "free"), [(0, [1, 2, 3, 4]), (2, [0, 1, 3, 4]), (4, [0, 1, 2, 3])])
@pytest.mark.rule("wap.character.position.front-rank")
def test_who_joins_takes_no_character_s_place(post: int, free: list[int]) -> None:
    """He may take all others, to either side of who was there first."""
    scene = RegimentScene((48, 48))
    host = scene.unit(0, None, (24, 20), models=20, files=5)
    first = scene.unit(0, hero(), inside=host, models=1, post=post)
    lord = scene.unit(0, hero(), (24, 14), models=1)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle(detail="full")
    goes(battle, lord)
    choose(battle, "own", host.number)
    assert (kind(battle), slots(battle, "number")) == ("hero-place", free)
    choose(battle, "number", free[0])
    assert [battle.models.file[unit.model()] for unit in (first, lord)] == [post, free[0]]


# ---------------------------------------------------------------- leaving


def within(
    card: dict[str, Any] | None = None, *, lone_enemy: bool = True, **fields: Any
) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A hero in file 5 of a unit of ten, which has done this in this turn."""
    scene = RegimentScene((60, 48))
    host = scene.unit(0, None, (24, 20), models=10, files=5, **fields)
    lord = scene.unit(0, card or hero(), inside=host, models=1, post=4)
    scene.unit(0, None, (50, 8), models=5)
    if lone_enemy:
        scene.unit(1, None, (24, 46), models=5)
    return scene, host, lord


def far_of(battle: Battle, unit: UnitHandle, x: float, y: float) -> float:
    """Inches from a place to where the middle of a lone model is."""
    k = unit.model()
    return float(((battle.models.x[k] - x) ** 2 + (battle.models.y[k] - y) ** 2) ** 0.5)


@pytest.mark.rule("wap.character.leave.remaining-moves")
@pytest.mark.rule("wap.character.leave.measure")
@pytest.mark.parametrize(
    ("card", "way", "most"), [(hero(), ADVANCE, 4.0), (hero(), MARCH, 8.0), (rider(), ADVANCE, 8.0)]
)
def test_a_character_leaves_his_unit_before_it_moves(card: dict[str, Any], way: int, most: float) -> None:
    scene, host, lord = within(card=card)
    battle = scene.battle()
    k = lord.model()
    x, y = battle.models.x[k], battle.models.y[k]
    assert lord.number in slots(battle, "own")
    goes(battle, lord, way)
    cells = slots(battle, "cell")
    assert cells and battle.legal()[0]
    farthest, states = 0.0, battle.clone()
    for cell in cells:
        copy = states.clone()
        choose(copy, "cell", cell)
        while kind(copy) in ("move-refine", "pivot-to"):
            copy.apply(0 if copy.legal()[0] else copy.first_legal())
        assert copy.units.place[lord] == ON_TABLE and copy.units.bodyguard[lord] == -1

        assert distance(copy, lord.row, host.row) >= 1.0 - 1e-6
        farthest = max(farthest, far_of(copy, lord, x, y))
        assert copy.units.block[host] == 10 and not copy.units.did[host]
        assert host.number in slots(copy, "own")  # the unit may move afterwards
        if cell > cells[0] + 40:
            break
    assert farthest <= most + 1e-6


@pytest.mark.rule("wap.character.leave.measure")
def test_his_move_is_measured_from_his_place() -> None:
    scene, _, lord = within(card=rider())
    battle = scene.battle()
    k = lord.model()
    x, y = battle.models.x[k], battle.models.y[k]
    goes(battle, lord)

    found = max(
        ((px - x) ** 2 + (py - y) ** 2) ** 0.5
        for px, py in (place_of(battle, battle.frame, cell) for cell in slots(battle, "cell"))
    )
    assert 7.0 < found <= 8.0 + 1e-6


def test_who_wants_to_leave_may_stay() -> None:
    scene, host, lord = within()
    battle = scene.battle()
    goes(battle, lord)
    choose(battle, "done")
    assert battle.units.bodyguard[lord] == host.row and lord.number not in slots(battle, "own")
    assert host.number in slots(battle, "own")


@pytest.mark.rule("wap.character.leave.forbidden")
@pytest.mark.parametrize("did", [0, FAILED, RALLIED, FLED, JOINED, MOVED])
def test_who_cannot_move_cannot_be_left(did: int) -> None:
    scene, host, lord = within()
    battle = scene.battle()
    battle.units.did[host] = did
    assert may_leave(battle, lord.row) is (did == 0)


@pytest.mark.rule("wap.character.leave.forbidden")
def test_nobody_leaves_who_fights_or_flees() -> None:

    scene, host, lord = within(lone_enemy=False)
    assert host.at is not None
    scene.beside(host, 1, models=5)
    assert not may_leave(scene.battle("movement", run=False), lord.row)
    scene, host, lord = within(fleeing=1)
    assert not may_leave(scene.battle("movement", run=False), lord.row)
    scene, host, lord = within()
    assert may_leave(scene.battle("movement", run=False), lord.row)


@pytest.mark.rule("wap.character.leave.join-another")
@pytest.mark.parametrize(
    ("apart", "way", "reached"), [(3.0, ADVANCE, True), (4.1, ADVANCE, False), (9.0, MARCH, False), (8.0, MARCH, True)]
)
def test_who_leaves_may_join_another(apart: float, way: int, reached: bool) -> None:
    """He stands at the left end of the front rank, the other unit so far to his left."""
    scene = RegimentScene((60, 48))
    host = scene.unit(0, None, (24, 20), models=10, files=5)
    lord = scene.unit(0, hero(), inside=host, models=1, post=4)
    other = scene.unit(0, None, (24 - 2.5 - apart - 2.5, 20), models=10, files=5)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle()
    goes(battle, lord, way)
    assert (other.number in joins(battle)) is reached
    assert host.number not in joins(battle)
    if reached:
        choose(battle, "own", other.number)
        assert battle.units.bodyguard[lord] == other.row and battle.units.block[host] == 10
        assert battle.units.did[other] & JOINED and not battle.units.did[host]
        assert slots(battle, "own") == [host.number]


# ---------------------------------------------------------------- one unit


@pytest.mark.rule("wap.character.combined.reposition")
def test_who_changes_places_moves_the_unit() -> None:
    scene, host, lord = within()
    battle = scene.battle(detail="full")
    choose(battle, "own", lord.number)
    choose(battle, "option", CHANGE_PLACES)
    assert kind(battle) == "hero-place" and slots(battle, "number") == [0, 1, 2, 3]
    choose(battle, "number", 0)
    m = battle.models
    assert (m.rank[lord.model()], m.file[lord.model()]) == (0, 0)
    assert kind(battle) != "manoeuvre"  # that was the move
    assert has_moved(battle, host.row) and host.number not in slots(battle, "own")
    assert ranks(battle, host) == [4, 5, 1]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "arrives"), [(9.0, True), (9.1, False)])
@pytest.mark.rule("wap.character.combined.slowest")
def test_a_mixed_unit_goes_as_fast_as_its_slowest(gap: float, arrives: bool, player: int) -> None:
    """Infantry of 4 with a rider of 8 who has Swiftstride charges 4" and the 5 of 2 and 5: 9", and no third die is rolled."""
    scene = RegimentScene((60, 48))
    host = scene.unit(player, None, (24, 20), models=10, files=5, facing=NORTH)
    scene.unit(player, rider(rules=["Swiftstride"]), inside=host, models=1, post=4)
    foe = scene.unit(1 - player, None, (24, 20 + gap), models=10, files=5, facing=SOUTH)
    scene.unit(player, None, (50, 8), models=5)  # that has still to move
    battle = scene.battle("movement", player=player, dice=[2, 5, 6])
    choose(battle, "own", host.number)
    if kind(battle) == "charge-target":
        choose(battle, "enemy", foe.number)
    choose(battle, "option", 0)  # the enemy holds
    while kind(battle) == "declare-charge":
        choose(battle, "done")
    assert bool(battle.units.fights[host]) is arrives
    assert dice_left(battle) == 1


# ---------------------------------------------------------------- shrines, ambushers


def shrine(**values: Any) -> dict[str, Any]:
    """A shrine with a base of two files and two ranks of one inch."""
    body = {"m": 4, "ws": 0, "bs": 0, "s": 4, "t": 5, "w": 5, "i": 0, "a": 0, "ld": 0}
    return square(**{"type": "shrine", "base_mm": [2 * INCH, 2 * INCH], "size": [1, 1], "mount": body, **values})


@pytest.mark.rule("wap.troop.shrine.join")
def test_a_shrine_joins_infantry_that_does_not_skirmish() -> None:
    scene = RegimentScene((60, 48))
    host = scene.unit(0, None, (24, 20), models=20, files=6)
    loose = scene.unit(0, square(rules=["Skirmishers"]), (44, 20), models=10, files=5)
    riders = scene.unit(0, horse(), (36, 12), models=5, files=5)
    lord = scene.unit(0, hero(), (30.5, 26), models=1)
    idol = scene.unit(0, shrine(), (31, 20), models=1)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle()
    assert [is_open_to(battle, idol.row, other.row) for other in (host, loose, riders, lord)] == [True, *3 * [False]]
    assert not is_open_to(battle, lord.row, idol.row)
    goes(battle, idol)
    assert joins(battle) == [host.number]
    choose(battle, "own", host.number)
    u = battle.units
    assert (u.place[idol], u.bodyguard[idol], u.block[host], u.us[host]) == (ATTACHED, host.row, 24, 25)
    assert u.did[host] & JOINED and not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.troop.shrine.join")
def test_a_shrine_leaves_infantry_as_a_character_does() -> None:
    scene = RegimentScene((48, 48))
    host = scene.unit(0, None, (24, 20), models=20, files=6)
    idol = scene.unit(0, shrine(), inside=host, models=1)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle()
    assert slots(battle, "own") == [host.number, idol.number]
    goes(battle, idol)
    cells = slots(battle, "cell")
    choose(battle, "cell", cells[-1])
    while kind(battle) != "select-to-move":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.place[idol] == ON_TABLE and battle.units.block[host] == 20


@pytest.mark.rule("wap.special.unbreakable.characters")
@pytest.mark.rule("wap.special.unstable.characters")
def test_rules_that_others_include_count_for_who_may_join() -> None:
    """Who is ethereal is Unstable, who is animated Unbreakable; all who are Unstable are Unbreakable."""
    golems, ghosts, skeletons = (square(rules=[name]) for name in ("Animated Construct", "Ethereal", "Unstable"))
    plain, steady, vampire = hero(), hero(rules=["Unbreakable"]), hero(rules=["Unstable"])
    assert not open_to(plain, golems) and open_to(steady, golems)
    assert not open_to(steady, skeletons) and open_to(vampire, skeletons) and not open_to(plain, skeletons)
    assert not open_to(vampire, ghosts) and open_to(hero(rules=["Ethereal"]), ghosts)
    assert open_to(hero(rules=["Ethereal"]), skeletons)


@pytest.mark.rule("wap.special.ambushers.character")
@pytest.mark.rule("wap.special.scouts.character")
@pytest.mark.parametrize("name", ["Ambushers", "Scouts"])
def test_only_his_like_waits_with_ambushers_and_scouts(name: str) -> None:
    scene = RegimentScene((48, 48))
    band = scene.unit(0, square(rules=[name], category="special"), models=10, files=5)
    plain = scene.unit(0, hero(), models=1, name="plain")
    lurker = scene.unit(0, hero(rules=[name]), models=1, name="lurker")
    scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    assert kind(battle) == "hold-back" and slots(battle, "own") == [band.number, lurker.number]
    choose(battle, "own", band.number)
    if name == "Scouts":
        choose(battle, "own", lurker.number)  # he is deployed when they are
    offered: dict[int, list[int]] = {}
    while battle.clock.phase[0] == 0 and len(offered) < 2:
        if kind(battle) == "join-unit":
            offered[int(battle.clock.subject[0])] = slots(battle, "own")
            own = slots(battle, "own")
            choose(battle, "own", band.number) if band.number in own else choose(battle, "done")
        elif kind(battle) == "deploy-to":
            cells = slots(battle, "cell")
            choose(battle, "cell", cells[len(cells) // 2])
        else:
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
        if plain.row not in offered and battle.units.place[plain] == ON_TABLE:
            offered[plain.row] = []  # nobody to join, so he was not asked
    # the other one stands alone, as somebody whom any character may join
    assert offered == {plain.row: [], lurker.row: [band.number, plain.number]}
    u = battle.units
    assert (u.place[lurker], u.bodyguard[lurker], u.block[band]) == (ATTACHED, band.row, 11)
    assert u.place[band] == (RESERVE if name == "Ambushers" else ON_TABLE)
    assert not list(battle.setup.ruleset.contradictions(battle))
