"""Shots at characters: in units, alone, and who takes the hits in their place."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero, horse, rider

from tests.machine_scenes import HIT, Range, losses
from tests.machines import machine
from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.shooting.aims import shooters_at
from wh_env.rulesets.wap.shooting.allotting import Struck, deal, singled_out
from wh_env.rulesets.wap.shooting.flames import breathe
from wh_env.rulesets.wap.shooting.hits import hit_of
from wh_env.rulesets.wap.shooting.looking_out import looking_out
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, expected_hits, penalties, ways_of, weapon_in
from wh_env.rulesets.wap.shooting.sniping import marks_in
from wh_env.rulesets.wap.view.appraise_shots import worth_of_shots
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import INCH, NORTH, SOUTH, RegimentScene, UnitHandle, square

ARCHERS = {"equipment": ["hand weapon", "bow"]}
SURE = [6]  # wounds


def archers(**values: Any) -> dict[str, Any]:
    return square(**{**ARCHERS, **values})


def shot_at(
    soldiers: int,
    card: dict[str, Any],
    *,
    dice: tuple[int, ...] = (),
    detail: str = "squad",
    scene_of: dict[str, Any] | None = None,
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A unit with a character ahead of archers."""
    scene = RegimentScene((48, 48))
    bows = scene.unit(0, archers(), (24, 10), models=10, files=5)
    host = scene.unit(1, square(**(scene_of or {})), (24, 22), models=soldiers, files=min(5, soldiers))
    lord = scene.unit(1, card, inside=host, models=1)
    battle = scene.battle("shooting", run=False, dice=dice, detail=detail)
    return battle, bows, host, lord


def struck_by(battle: Battle, bows: UnitHandle, target: int, hits: int) -> list[Struck]:
    """Hits of the archers."""
    way = ways_of(battle, bows.row, target, IN_PHASE)[0]
    line = battle.units.first_line[bows]
    return [Struck(line, hits, hit_of(battle, line, weapon_in(battle, bows.row, way), target))]


def hit(battle: Battle, bows: UnitHandle, target: UnitHandle, hits: int, at: int = -1) -> None:
    """The target takes hits of the archers from its front; stops where somebody is asked."""
    battle.clock.depth[0] = battle.clock.over[0] = 0
    deal(
        battle,
        bows.row,
        target.row,
        ways_of(battle, bows.row, target.row, IN_PHASE)[0],
        struck_by(battle, bows, target.row, hits),
        0,
        at,
    )
    if battle.clock.depth[0]:
        battle.run()


def wounded(battle: Battle, unit: UnitHandle) -> list[tuple[int, int]]:
    """Hits that a unit was rolled to be wounded by, and wounds."""
    return [
        (event["amount"], event["result"])
        for event in told(battle, "wap.shoot.wound.roll")
        if event["target"] == unit.row
    ]


@pytest.mark.rule("wap.character.shooting.protected")
def test_five_soldiers_hide_a_character() -> None:
    battle, bows, host, lord = shot_at(5, hero(), dice=(6,) * 7)
    hit(battle, bows, host, 7)
    assert wounded(battle, host) == [(7, 7)] and wounded(battle, lord) == []
    assert battle.units.place[host] == DESTROYED and battle.units.alive[lord] == 1
    assert battle.models.wounds[lord.model()] == 2 and battle.units.place[lord] == ON_TABLE


@pytest.mark.rule("wap.character.shooting.different-type")
def test_a_rider_among_infantry_may_be_aimed_at() -> None:
    battle, bows, host, lord = shot_at(15, rider(), dice=(1, 3, 4, 6, 6, 6, 6, 6))
    assert singled_out(battle, host.row) == [lord.row]
    hit(battle, bows, host, 4, lord.row)
    assert wounded(battle, lord)[0][0] == 2 and wounded(battle, host)[0][0] == 2
    battle, _, host, lord = shot_at(15, hero())
    assert singled_out(battle, host.row) == [] and joined_to(battle, host.row) == [lord.row]


@pytest.mark.rule("wap.character.shooting.different-type")
def test_the_rider_is_offered_as_a_target() -> None:
    for card, offers in ((rider(), True), (hero(), False)):
        scene = RegimentScene((48, 48))
        scene.unit(0, archers(), (24, 10), models=10, files=5)
        host = scene.unit(1, square(), (24, 22), models=15, files=5)
        lord = scene.unit(1, card, inside=host, models=1)
        battle = scene.battle("shooting")
        choose(battle, "own", 0)
        if not offers:
            assert kind(battle) != "shoot-target" or slots(battle, "enemy") == [0]
            continue
        assert slots(battle, "enemy") == [0, 1]
        choose(battle, "enemy", lord.number)
        aimed = told(battle, "wap.character.shooting.different-type")
        shots = told(battle, "wap.shoot.hit.roll")[0]
        assert (aimed[0]["amount"] == shots["result"]) if shots["result"] else not aimed


@pytest.mark.rule("wap.character.shooting.few-left")
def test_hits_on_a_few_are_shared_evenly() -> None:
    battle, bows, host, lord = shot_at(3, hero(), detail="full", dice=(1,) * 6)
    hit(battle, bows, host, 6)
    given: list[list[int]] = []
    while kind(battle) == "take-hit":
        given.append(slots(battle, "own"))
        choose(battle, "own", host.number if host.number in given[-1] else lord.number)
    # the soldiers take three before he takes one, and then may take all the rest
    assert given == [[0, 1]] * 3 + [[0, 1]] * 2 and [
        event[0] for event in (wounded(battle, host)[0], wounded(battle, lord)[0])
    ] == [5, 1]


@pytest.mark.rule("wap.character.shooting.few-left")
def test_nobody_takes_a_third_before_all_have_two() -> None:
    battle, bows, host, lord = shot_at(3, hero(), detail="full", dice=(1,) * 6)
    hit(battle, bows, host, 6)
    choose(battle, "own", lord.number)
    assert kind(battle) == "take-hit" and not battle.legal()[0]  # the soldiers have to take three now, one by one
    choose(battle, "own", lord.number)
    assert (wounded(battle, host)[0][0], wounded(battle, lord)[0][0]) == (4, 2)


@pytest.mark.rule("wap.character.shooting.few-left")
def test_whom_few_soldiers_do_not_hide() -> None:
    """At squad detail the soldiers take what is left over."""
    battle, bows, host, lord = shot_at(4, hero(), dice=(1,) * 6)
    hit(battle, bows, host, 6)
    assert (wounded(battle, host)[0][0], wounded(battle, lord)[0][0]) == (5, 1)


OGRE = {"type": "monstrous infantry", "base_mm": [50.8, 50.8], "w": 4}
HOUND = {"type": "monstrous beast", "base_mm": [50.8, 50.8], "w": 3}


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("beasts", "card", "hits", "his"), [(6, OGRE, 8, 1), (6, HOUND, 8, 0), (4, HOUND, 6, 1)])
@pytest.mark.rule("wap.character.shooting.few-left", "wap.character.shooting.protected")
def test_who_is_of_another_type_and_as_strong_is_hit_with_the_unit(
    detail: str, beasts: int, card: dict[str, Any], hits: int, his: int
) -> None:
    """Six beasts hide a character of their type; an ogre among them, who cannot be aimed at, takes one hit of eight."""
    battle, bows, host, lord = shot_at(beasts, hero(**card), dice=(1,) * 20, detail=detail, scene_of=HOUND)
    assert not singled_out(battle, host.row)
    hit(battle, bows, host, hits)
    while kind(battle) == "take-hit":
        choose(battle, "own", slots(battle, "own")[0])
    found = [sum(event[0] for event in wounded(battle, who)) for who in (host, lord)]
    assert found == [hits - his, his]


# ---------------------------------------------------------------- alone


def alone(
    apart: float,
    soldiers: int,
    card: dict[str, Any] | None = None,
    *,
    dice: tuple[int, ...] = (),
    detail: str = "squad",
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A lone character, a unit of his army so far to his left, archers ahead."""
    scene = RegimentScene((48, 48))
    bows = scene.unit(0, archers(), (24, 10), models=10, files=5)
    lord = scene.unit(1, card or hero(), (24, 22), models=1)
    friends = scene.unit(1, None, (24.5 + apart + 2.5, 22), models=soldiers, files=5)
    return scene.battle("shooting", run=False, dice=dice, detail=detail), bows, lord, friends


@pytest.mark.rule("wap.character.lone.look-out-sir")
@pytest.mark.parametrize(
    ("apart", "soldiers", "card", "helped"),
    [
        (2.0, 5, hero(), True),
        (3.0, 5, hero(), True),
        (3.5, 5, hero(), False),
        (2.0, 4, hero(), False),
        (2.0, 5, rider(), False),
    ],
)
def test_who_looks_out_for_a_lone_character(apart: float, soldiers: int, card: dict[str, Any], helped: bool) -> None:
    battle, bows, lord, friends = alone(apart, soldiers, card)
    assert looking_out(battle, lord.row) == ([friends.row] if helped else [])
    script(battle, (3, 4, 6, 1, 1, 1) if helped else (1, 1, 1))
    hit(battle, bows, lord, 3)
    assert [event[0] for event in wounded(battle, lord)] == ([1] if helped else [3])
    assert [event[0] for event in wounded(battle, friends)] == ([2] if helped else [])
    assert dice_left(battle) == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("soldiers", "card", "helped"), [(4, hero(), True), (4, rider(), False), (3, hero(), False)])
@pytest.mark.rule("wap.character.lone.look-out-sir", "wap.character.combined.one-unit")
def test_a_hero_of_his_type_is_one_of_those_who_look_out(
    player: int, soldiers: int, card: dict[str, Any], helped: bool
) -> None:
    """Four soldiers and a hero among them are five models of his troop type."""
    scene = RegimentScene((48, 48))
    lord = scene.unit(player, hero(), (24, 22), models=1)
    friends = scene.unit(player, None, (29, 22), models=soldiers, files=5)
    scene.unit(player, card, inside=friends, models=1, post=0)
    battle = scene.battle("shooting", run=False)
    assert looking_out(battle, lord.row) == ([friends.row] if helped else [])


@pytest.mark.rule("wap.character.lone.look-out-sir")
def test_the_worth_of_shots_knows_who_looks_out() -> None:
    """Half of the hits on a lone character cost him, half of them soldiers, who are worth less."""
    worth = []
    for apart in (9.0, 2.0):
        battle, bows, lord, _ = alone(apart, 10, hero(w=9, points=90))
        worth.append(worth_of_shots(battle, bows.row, lord.row))
    hits = expected_hits(battle, bows.row, lord.row, 0, IN_PHASE)
    assert worth[0] == pytest.approx(hits * 0.5 * 10)  # a Wound of his is worth 10 points; S 3 wounds T 3 on 4+
    assert worth[1] == pytest.approx(0.5 * worth[0] + 0.5 * hits * 0.5 * 5)


@pytest.mark.rule("wap.character.lone.look-out-sir")
def test_his_player_decides_hit_by_hit() -> None:
    battle, bows, lord, friends = alone(2.0, 5, detail="full", dice=(4, 1, 1))
    hit(battle, bows, lord, 2)
    assert kind(battle) == "take-hit" and slots(battle, "own") == [friends.number] and battle.legal()[0]
    choose(battle, "done")
    choose(battle, "own", friends.number)
    assert wounded(battle, lord)[0][0] == 1 and wounded(battle, friends)[0][0] == 1


@pytest.mark.rule("wap.character.lone.look-out-sir")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("weapon", ["cannon", "stone thrower", "fire thrower", "breath"])
@pytest.mark.parametrize(("die", "apart", "warned"), [(4, 3.0, True), (3, 3.0, False), (None, 3.5, False)])
def test_units_look_out_for_templates_and_balls_too(
    player: int, weapon: str, die: int | None, apart: float, warned: bool
) -> None:
    """The friends stand beside the line of fire. Each shot comes down on him."""
    breathes = square(type="monstrous beast", base_mm=[25.4, 25.4], size=[1, 1], rules=["Breath Attack (S4)"])
    place = Range(player, "cannon", card=breathes if weapon == "breath" else machine(weapon))
    x = 34.0 if weapon in ("cannon", "stone thrower") else 15.0
    lord = place.enemy(hero(w=9, t=3), (x, 24), models=1)
    friends = place.enemy(None, (x, 24.5 + apart + 2.5), models=5, files=5)
    before = {"cannon": [HIT, 0, 2, 1], "stone thrower": [HIT, 0, 2], "fire thrower": [1], "breath": []}[weapon]
    battle = place.battle([*before, *([] if die is None else [die]), *[6] * 8])
    if weapon == "breath":
        breathe(battle, place.machine.row, 0, 0 if player == 0 else battle.setup.space.angles // 2)
    else:
        way = {"cannon": "ball", "stone thrower": "sees", "fire thrower": ""}[weapon]
        place.fire(battle, lord, x + 0.5, 24, way)
    looked = [event["result"] for event in told(battle, "wap.character.lone.look-out-sir")]
    assert looked == ([] if die is None else [int(warned)])
    assert set(losses(battle)) == {friends.row if warned else lord.row}


@pytest.mark.rule("wap.character.lone.unit")
def test_a_lone_character_is_a_unit_of_one() -> None:
    battle, bows, lord, _ = alone(9.0, 5)
    u = battle.units
    assert (u.us[lord], u.sight[lord], u.block[lord], u.kind[lord]) == (1, 1, 1, 0)
    assert penalties(battle, bows.row, lord.row, ways_of(battle, bows.row, lord.row, IN_PHASE)[0], IN_PHASE) == {
        "wap.shoot.hit.single-model": 1
    }
    big, bows, ogre, _ = alone(9.0, 5, hero(type="monstrous infantry", base_mm=[1.5 * INCH, 1.5 * INCH], w=3))
    assert "wap.shoot.hit.single-model" not in penalties(
        big, bows.row, ogre.row, ways_of(big, bows.row, ogre.row, IN_PHASE)[0], IN_PHASE
    )


@pytest.mark.rule("wap.special.sniper.target")
def test_snipers_may_name_a_character_in_a_unit() -> None:
    battle, _, host, lord = shot_at(10, hero())
    assert lord.model() in marks_in(battle, host.row) and len(marks_in(battle, host.row)) == 2


@pytest.mark.rule("wap.character.unit-destroyed.panic")
def test_the_end_of_a_unit_frightens_friends_and_its_character() -> None:
    scene = RegimentScene((60, 48))
    bows = scene.unit(0, archers(), (24, 10), models=10, files=5)
    host = scene.unit(1, None, (24, 22), models=12, files=5)
    lord = scene.unit(1, hero(), inside=host, models=1)
    near, far = scene.unit(1, None, (24 + 2.5 + 6 + 2.5, 22), models=5), scene.unit(1, None, (47, 22), models=5)
    battle = scene.battle("shooting", run=False, dice=(6,) * 12)
    battle.units.rows["us_phase"], battle.units.rows["alive_phase"] = (
        battle.units.rows["us"],
        battle.units.rows["alive"],
    )
    hit(battle, bows, host, 12)
    due = battle.units.due
    assert is_due(battle) and due[near] and due[lord] and not due[far] and not due[bows]
    assert battle.units.place[lord] == ON_TABLE


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.rule("wap.character.shooting.different-type", "wap.core.los.value")
def test_a_rider_is_seen_and_shot_at_over_who_hides_his_unit(player: int, detail: str, before: bool) -> None:
    """Infantry hides infantry, not the rider among it: he alone may be aimed at, and a 4+ gives his unit the hit."""
    scene = RegimentScene()
    bows = scene.unit(player, archers(), (24, 10), models=10, files=5, facing=NORTH)
    if before:
        scene.unit(player, None, (24, 14), models=9, files=9, facing=NORTH)
    host = scene.unit(1 - player, None, (24, 22), models=15, files=5, facing=SOUTH)
    lord = scene.unit(1 - player, rider(), inside=host, models=1, post=2)
    dice = [6] * 10 + [4] * 5 + [1] * 20
    battle = scene.battle("shooting", player=player, detail=detail, dice=dice)
    choose(battle, "own", bows.number)
    if before:
        assert kind(battle) != "shoot-target"  # there is no other target
    else:
        assert slots(battle, "enemy") == [host.number, lord.number]
        choose(battle, "enemy", lord.number)
    while kind(battle) == "shoot-way":
        choose(battle, "option", 0)
    aimed = told(battle, "wap.character.shooting.different-type")
    assert len(aimed) == 1 and (aimed[0]["unit"], aimed[0]["target"]) == (host.row, lord.row)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.character.shooting.different-type", "wap.shoot.some-cannot")
def test_only_those_who_see_the_rider_shoot_at_him(player: int) -> None:
    """Tall friends hide his unit from all but the files at both ends, and him from all but the nearer of these."""
    scene = RegimentScene()
    bows = scene.unit(player, archers(), (24, 10), models=10, files=5, facing=NORTH)
    scene.unit(player, horse(), (24, 13), models=4, files=4, facing=NORTH)
    host = scene.unit(1 - player, None, (24, 20), models=25, files=9, facing=SOUTH)
    lord = scene.unit(1 - player, rider(), inside=host, models=1, post=8)
    battle = scene.battle("shooting", player=player, run=False)
    bow = weapon_in(battle, bows.row, 0)
    at_host, at_lord = (len(shooters_at(battle, bows.row, who.row, 30.0, bow)) for who in (host, lord))
    assert (at_host, at_lord) == (4, 2)
