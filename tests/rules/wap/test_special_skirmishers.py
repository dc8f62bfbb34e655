"""Skirmishers: their loose formation, how they shoot, close up for combat and spread again."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from charging import charge
from marching import ADVANCE, FORWARD, limit
from results import scored, side

from wh_env import Battle
from wh_env.rulesets.wap.basics.blocks import blocks_overlap, derive, distance, set_block
from wh_env.rulesets.wap.codes import MARCHED, MOVED, RANKS, REFORMED, SKIRMISH
from wh_env.rulesets.wap.deployment.special_deployment import Vanguard
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, firings, ways_of, who_fire
from wh_env.rulesets.wap.special.light_troops import has_vanguard
from wh_env.rulesets.wap.ways.poses import depth_of, front_width
from wh_env.testing import choose, kind, play_until, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, places, pose, square, who_see


def light(*equipment: str, rules: tuple[str, ...] = (), **values: Any) -> dict[str, Any]:
    return square(equipment=["hand weapon", *equipment], rules=["Skirmishers", *rules], **values)


SMALL = {"type": "infantry", "base_mm": [20, 20]}


@pytest.mark.rule("wap.special.skirmishers.formation")
def test_models_stand_half_an_inch_apart() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, {**light(), **SMALL}, (24, 10), models=8, files=4)
    scene.unit(1, None, (24, 40))
    battle = scene.battle()
    side = 20.0 / 25.4
    assert front_width(battle, unit.row) == pytest.approx(4 * side + 3 * 0.5)
    spots = places(battle, unit)
    for rank in (spots[:4], spots[4:]):
        assert [abs(b[0] - a[0]) - side for a, b in pairwise(rank)] == pytest.approx([0.5] * 3)
    assert spots[0][1] - spots[4][1] - side == pytest.approx(0.5)
    assert {battle.models.facing[k] for k in battle.members(unit.row)} == {NORTH}
    assert battle.units.shape[unit] == SKIRMISH


def shooting(
    card: dict[str, Any], *, did: int = 0, models: int = 12, files: int = 4
) -> tuple[Battle, UnitHandle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, card, (24, 10), models=models, files=files, did=did)
    foe = scene.unit(1, None, (24, 20), models=10)
    return scene.battle("shooting", run=False), unit, foe


@pytest.mark.rule("wap.special.skirmishers.line-of-sight")
def test_all_ranks_shoot_past_one_another() -> None:
    battle, unit, foe = shooting(light("bow"))
    way = ways_of(battle, unit.row, foe.row, IN_PHASE)[0]
    assert len(who_fire(battle, unit.row, foe.row, way, IN_PHASE)) == 12
    battle, unit, foe = shooting(square(equipment=["hand weapon", "bow"]))
    way = ways_of(battle, unit.row, foe.row, IN_PHASE)[0]
    assert len(who_fire(battle, unit.row, foe.row, way, IN_PHASE)) == 8


@pytest.mark.rule("wap.special.skirmishers.line-of-sight")
def test_they_hide_what_is_behind_them_from_others() -> None:
    for between in (True, False):
        scene = RegimentScene()
        behind = scene.unit(0, square(equipment=["hand weapon", "bow"]), (24, 6), models=5)
        scene.unit(0, light(), (24, 12) if between else (8, 12), models=24, files=12)
        foe = scene.unit(1, None, (24, 20), models=5)
        battle = scene.battle("shooting")
        assert bool(who_see(battle, behind.row, foe.row)) is not between


@pytest.mark.parametrize(
    ("weapon", "did", "needed"),
    [
        ("sling", MOVED | MARCHED, 5),
        ("sling", MOVED | REFORMED, 5),
        ("sling", 0, 4),
        ("crossbow", MOVED | MARCHED, None),
    ],
)
@pytest.mark.rule("wap.special.skirmishers.march-and-shoot")
def test_they_shoot_after_a_march(weapon: str, did: int, needed: int | None) -> None:
    """Ballistic Skill 3: 4+, and 5+ after a move."""
    battle, unit, foe = shooting(light(weapon), did=did)
    assert barred_from_shooting(battle, unit.row) == ""
    ways = ways_of(battle, unit.row, foe.row, IN_PHASE)
    if needed is None:
        assert not ways
        return
    assert {firing.needed for firing in firings(battle, unit.row, foe.row, ways[0], IN_PHASE)} == {needed}


def test_others_do_not_shoot_after_a_march() -> None:
    battle, unit, _ = shooting(square(equipment=["hand weapon", "sling"]), did=MOVED | MARCHED)
    assert barred_from_shooting(battle, unit.row) == "wap.move.march.no-shooting"


@pytest.mark.parametrize(
    ("foe", "needed"),
    [
        (light(), 4),
        (square(), 3),
        ({**light(), "type": "swarm", "base_mm": [40, 40]}, 3),
        ({**light(), "type": "cavalry", "base_mm": [25, 50]}, 4),
    ],
)
@pytest.mark.rule("wap.special.skirmishers.hard-to-hit")
def test_small_skirmishers_are_hard_to_hit(foe: dict[str, Any], needed: int) -> None:
    """Ballistic Skill 4: 3+."""
    scene = RegimentScene()
    unit = scene.unit(0, square(bs=4, equipment=["hand weapon", "bow"]), (24, 10), models=5)
    target = scene.unit(1, foe, (24, 20), models=5)
    battle = scene.battle("shooting")
    way = ways_of(battle, unit.row, target.row, IN_PHASE)[0]
    assert {firing.needed for firing in firings(battle, unit.row, target.row, way, IN_PHASE)} == {needed}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("card", "fine"), [(light(), True), (light(rules=("Fly (10)",)), False), (square(), False)])
@pytest.mark.rule("wap.special.skirmishers.vanguard")
def test_skirmishers_on_foot_have_vanguard(card: dict[str, Any], fine: bool, player: int) -> None:
    """They are asked for their move before the battle, which leads them 6" ahead."""
    scene = RegimentScene()
    unit = scene.unit(player, card, (24, 10), models=5, facing=NORTH)
    scene.unit(1 - player, None, (24, 46), facing=SOUTH)
    battle = scene.battle("deployment", run=False, detail="full")
    assert has_vanguard(battle, unit.row) is fine
    while battle.clock.depth[0]:
        battle.pop()
    battle.clock.phase[0] = 0
    battle.push(Vanguard, player)
    battle.run()
    assert (kind(battle) == "vanguard-unit" and unit.number in slots(battle, "own")) is fine
    if fine:
        choose(battle, "own", unit.number)
        choose(battle, "option", ADVANCE)
        assert limit(battle, FORWARD) == 6.0


def charging(
    models: int = 10, files: int = 5, *, dice: tuple[int, ...] = (6, 6), foe: dict[str, Any] | None = None
) -> tuple[Battle, UnitHandle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, light(), (24, 10), models=models, files=files)
    scene.unit(0, None, (8, 10), models=5)
    other = scene.unit(1, foe, (24, 16), models=10)
    battle = scene.battle("movement", dice=dice)
    charge(battle, unit, other)
    return battle, unit, other


@pytest.mark.rule("wap.special.skirmishers.close-up")
def test_they_close_up_about_the_middle_of_their_front() -> None:
    battle, unit, foe = charging()
    battle.apply(battle.setup.space.option)  # hold
    play_until(battle, "select-to-move")
    assert battle.units.fights[unit] == 1
    assert (battle.units.spacing[unit], battle.units.shape[unit], battle.units.files[unit]) == (0.0, RANKS, 5)
    spots = places(battle, unit)
    assert [abs(b[0] - a[0]) for a, b in pairwise(spots[:5])] == pytest.approx([1.0] * 4)
    assert spots[0][1] - spots[5][1] == pytest.approx(1.0)
    at = told(battle, "wap.special.skirmishers.close-up")
    assert [(event["unit"], event["place"]) for event in at] == [(unit.row, (24.0, 10.0))]
    assert distance(battle, unit.row, foe.row) < 0.01


@pytest.mark.rule("wap.special.skirmishers.close-up")
def test_who_holds_closes_up_too_and_who_flees_does_not() -> None:
    for option in (0, 2):
        scene = RegimentScene()
        scene.unit(0, None, (8, 12), models=5)
        unit = scene.unit(0, None, (24, 10), models=5)
        foe = scene.unit(1, light(), (24, 15), models=10)
        battle = scene.battle("movement", dice=[6, 6] if option == 0 else [6, 6, 1, 1])
        charge(battle, unit, foe)
        battle.apply(battle.setup.space.option + option)
        play_until(battle, "select-to-move")
        assert (battle.units.spacing[foe] == 0.0) is (option == 0)


@pytest.mark.rule("wap.special.skirmishers.spread-again")
def test_they_spread_out_in_their_other_moves() -> None:
    def closed(battle: Battle) -> None:
        battle.units.spacing[unit.row] = 0.0
        battle.units.shape[unit.row] = RANKS
        derive(battle, unit.row)

    for touching in (False, True):
        scene = RegimentScene()
        unit = scene.unit(0, light(), (24, 10), models=10)
        scene.unit(0, None, (8, 10), models=5)
        if touching:
            scene.unit(1, None, (24, 10), models=10, facing=SOUTH)
        scene.unit(1, None, (24, 40), models=5)
        battle = scene.battle("movement", set_state=closed)
        play_until(battle, "select-to-move")
        assert battle.units.spacing[unit] == (0.0 if touching else 0.5)
        assert pose(battle, unit) == (24.0, 10.0, NORTH)
        assert len(told(battle, "wap.special.skirmishers.spread-again")) == (not touching)
    assert kind(battle) == "select-to-move"


@pytest.mark.rule("wap.special.skirmishers.spread-again")
def test_two_that_stand_in_contact_do_not_spread_out_into_each_other() -> None:
    def closed(battle: Battle) -> None:
        for handle in (ahead, behind):
            battle.units.spacing[handle.row], battle.units.shape[handle.row] = 0.0, RANKS
            derive(battle, handle.row)
        set_block(battle, behind.row, 24.0, 20.0 - depth_of(battle, ahead.row), NORTH, 5)

    scene = RegimentScene()
    ahead = scene.unit(0, light(), (24, 20), models=10, files=5)
    behind = scene.unit(0, light(), (24, 10), models=10, files=5)
    scene.unit(1, None, (24, 44), models=5)
    battle = scene.battle("movement", set_state=closed)
    play_until(battle, "select-to-move")
    assert told(battle, "wap.special.skirmishers.spread-again")
    assert not blocks_overlap(battle.parts.rows, battle.units.rows, ahead.row, behind.row)


@pytest.mark.parametrize(
    ("card", "ranks", "steadfast"), [(light(), 0, False), (square(), 2, True), (light(rules=("Stubborn",)), 0, True)]
)
@pytest.mark.rule("wap.special.skirmishers.no-ranks")
def test_they_have_no_ranks(card: dict[str, Any], ranks: int, steadfast: bool) -> None:
    """15 in three ranks lose by 2 to 9; their second rank strikes as others' does."""
    scene = RegimentScene()
    unit = scene.unit(0, card, (24, 24), models=15, files=5, spacing=0.0)
    foe = scene.beside(unit, 1, models=9, files=9)
    battle = scored(scene, unit, {})
    assert side(battle, 0)["ranks"] == ranks
    wounds = side(battle, 0)["totals"] + 2 - side(battle, 1)["totals"]
    scene = RegimentScene()
    unit = scene.unit(0, card, (24, 24), models=15 + wounds, files=5, spacing=0.0)
    foe = scene.beside(unit, 1, models=9, files=9)
    battle = scored(scene, unit, {(foe, unit): wounds})
    assert (battle.units.penalty[unit], bool(battle.units.steadfast[unit])) == (2, steadfast)
    scene = RegimentScene()
    unit = scene.unit(0, card, (24, 24), models=15, files=5, spacing=0.0)
    scene.beside(unit, 1, models=9, files=9)
    battle = scene.battle("combat", run=False)
    fight(battle, unit)
    supporting = [
        event["amount"] for event in told(battle, "wap.combat.attacks.support.who") if event["unit"] == unit.row
    ]
    assert sum(supporting) == 5
