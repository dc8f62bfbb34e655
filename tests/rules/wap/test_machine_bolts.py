"""Bolt throwers: how they hit, and the ranks that a bolt goes through."""

from __future__ import annotations

from typing import Any

import pytest

from tests.arming import beast
from tests.heroes import rider
from tests.machine_scenes import LENGTH, Range, losses
from wh_env import Battle
from wh_env.content.wap.load import machines
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.shooting.bolts import ranks_from
from wh_env.testing import dice_left, kind, pick, script, slots, told
from wh_env.testing.wap import EAST, NORTH, SOUTH, WEST, UnitHandle, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
BOLT = "wap.machine.bolt-thrower.pierce"
HERO_ON_FOOT: dict[str, Any] = {"character": True, "size": [1, 1], "w": 2}
HERO = square(**HERO_ON_FOOT)
HITS = 6  # a die that hits whatever is needed


def thrower(player: int = 0, **fields: Any) -> Range:
    """A bolt thrower."""
    return Range(player, "bolt thrower", **fields)


def shoot(place: Range, battle: Battle, target: UnitHandle) -> None:
    """The bolt thrower shoots at an enemy."""
    pick(battle, f"{place.machine.regiment.name} shoots")
    if kind(battle) == "shoot-target":
        pick(battle, f"at {target.regiment.name}")


def struck(battle: Battle) -> list[int]:
    """The models that the bolt has struck, in order."""
    return [event["model"] for event in told(battle, BOLT)]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.bolt-thrower.profile")
def test_the_hit_of_a_bolt(player: int) -> None:
    weapon = machines()["bolt thrower"].weapon
    assert (weapon.range, weapon.fixed, weapon.piercing) == (48, 6, 1)
    place = thrower(player)
    knight = square(
        t=4, w=3, equipment=["hand weapon", "full plate armour", "shield"], type="monstrous infantry", base_mm=[40, 40]
    )
    target = place.enemy(knight, (30, 24))
    battle = place.battle([HITS, 2, 1, 3])
    shoot(place, battle, target)
    assert [event["needed"] for event in told(battle, "wap.shoot.wound.roll")] == [2]
    saves = told(battle, "wap.shoot.save.roll")
    assert [event["needed"][0] for event in saves] == [6]  # 2+, less 3 for Strength 6 and 1 for Armour Piercing
    assert losses(battle) == {target.row: 2}  # a die of 3 is two Wounds of a D3
    for far, offered in ((48.0, True), (48.2, False)):
        place = thrower(player)
        place.enemy(None, (10 + far, 24))
        assert (kind(place.battle()) == "select-to-shoot") == offered


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.bolt-thrower.to-hit")
def test_it_is_fired_like_an_ordinary_missile(player: int) -> None:
    """Ballistic Skill 4 hits on 3+, in heavy cover on 5+, at any distance; a miss does nothing."""
    card = square(type="monstrous infantry", base_mm=[25.4, 25.4])
    for cover, far, die, hit in (
        (False, 45.0, 3, True),
        (False, 45.0, 2, False),
        (True, 30.0, 5, True),
        (True, 30.0, 4, False),
    ):
        place = thrower(player, bs=4)
        target = place.enemy(card, (10 + far, 24), models=10, files=5)
        if cover:  # of a lower Line of Sight value
            place.unit(True, square(base_mm=[25.4, 25.4]), (30, 24), models=12, files=12)
        battle = place.battle([die, 1])
        shoot(place, battle, target)
        event = told(battle, "wap.shoot.hit.roll")[-1]
        assert event["needed"] == (5 if cover else 3) and event["result"] == int(hit)
        assert len(struck(battle)) == int(hit) and not losses(battle)
        assert dice_left(battle) == (0 if hit else 1)
    place = thrower(player)  # outside the front arc
    place.enemy(None, (10, 40))
    place.enemy(None, (4, 24))
    assert kind(place.battle()) != "select-to-shoot"
    place = thrower(player)
    first, other = place.enemy(None, (30, 20)), place.enemy(None, (30, 28))
    battle = place.battle()
    pick(battle, f"{place.machine.regiment.name} shoots")
    at = battle.players.first_unit[1 - player]
    assert {at + slot for slot in slots(battle, "enemy")} == {first.row, other.row}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.bolt-thrower.first-model")
def test_the_rank_or_file_that_is_met_first(player: int) -> None:
    """Five wide and four deep: four ranks from front and rear, five files from a flank, the nearest first."""
    for facing, side, count in ((WEST, FRONT, 4), (EAST, REAR, 4), (NORTH, LEFT, 5), (SOUTH, RIGHT, 5)):
        place = thrower(player)
        at = {WEST: (30, 24), EAST: (34, 24), NORTH: (32.5, 26), SOUTH: (32.5, 22)}[facing]
        target = place.enemy(None, at, models=20, files=5, facing=facing)
        battle = place.battle([HITS, 2, 6, 2, 6, 3, 6, 4, 6, 5, 6])
        ranks = ranks_from(battle, target.row, side)
        assert len(ranks) == count
        ahead = [
            min(battle.models.x[k] if player == 0 else LENGTH - battle.models.x[k] for k in rank) for rank in ranks
        ]
        assert ahead == sorted(ahead)
        shoot(place, battle, target)
        m = battle.models
        found = [(m.rank if side in (FRONT, REAR) else m.file)[k] for k in struck(battle)]
        order = list(range(count))
        assert found == (order if side in (FRONT, RIGHT) else order[::-1])
        assert losses(battle) == {target.row: count}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.bolt-thrower.first-model")
def test_a_soldier_is_hit_and_no_hero(player: int) -> None:
    place = thrower(player)
    unit = place.enemy(None, (30, 24), models=9, files=5)
    heroes = [place.hero(False, HERO, unit, post) for post in (0, 4)]
    battle = place.battle([HITS, 2, 1])
    shoot(place, battle, unit)
    assert [battle.models.unit[k] for k in struck(battle)] == [unit.row] * 2
    assert all(battle.models.wounds[hero.first] == 2 for hero in heroes)


@BOTH_PLAYERS
@pytest.mark.rule("wap.character.shooting.different-type")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_bolt_aimed_at_a_rider_hits_him_or_the_unit(player: int, detail: str) -> None:
    """On 4+ the men around him take it, rank by rank; else he alone."""
    for die, slain in ((3, 0), (4, 2)):
        place = thrower(player)
        unit = place.enemy(None, (30, 24), models=9, files=5)
        captain = place.hero(False, rider(w=3, t=4), unit, 2)
        battle = place.battle([HITS, die, *((2, 6, 2, 6, 1) if slain else (2, 1))], detail=detail)
        shoot(place, battle, captain)
        assert (losses(battle), len(struck(battle))) == (({unit.row: slain}, 3) if slain else ({captain.row: 1}, 0))
        assert told(battle, "wap.character.shooting.different-type")[0]["rolls"] == (die,)


@BOTH_PLAYERS
@pytest.mark.rule("wap.character.shooting.different-type")
def test_a_bigger_hero_in_a_building_is_aimed_at_too(player: int) -> None:
    """A bolt goes past nobody there; it hits him alone, or one of the others."""
    for die in (3, 4):
        place = thrower(player)
        place.area("building", 30, 21, 35, 26, storeys=2)
        unit = place.garrison(False)
        ogre = place.hero(False, square(**{**HERO_ON_FOOT, "type": "monstrous infantry", "base_mm": (40, 40)}), unit, 0)
        battle = place.battle([HITS, die, 2, 1])
        shoot(place, battle, ogre)
        assert losses(battle) == ({ogre.row: 1} if die == 3 else {unit.row: 1})


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.bolt-thrower.first-model")
def test_of_units_that_are_not_in_ranks_one_model_is_hit(player: int) -> None:
    for card, models, files in ((square(rules=["Skirmishers"]), 10, 5), (beast("monster", w=5), 1, 1)):
        place = thrower(player)
        target = place.enemy(card, (30, 24), models=models, files=files)
        battle = place.battle([HITS, 6, 1])
        shoot(place, battle, target)
        assert not struck(battle) and losses(battle) == {target.row: 1}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.bolt-thrower.pierce")
def test_each_rank_takes_one_off_its_strength(player: int) -> None:
    for dice, slain in (([2, 2, 2], 2), ([2, 2, 3, 4], 4)):  # a slain model's D3 of Wounds is rolled in between
        place = thrower(player)
        target = place.enemy(None, (30, 24), models=20, files=5)
        battle = place.battle([HITS, *(die for wound in dice for die in (wound, 1))][: 2 * slain + 2])
        shoot(place, battle, target)
        needed = [event["needed"] for event in told(battle, "wap.shoot.wound.roll")]
        assert needed == [2, 2, 3, 4][: len(dice)]
        assert [event["strength"] for event in told(battle, BOLT)] == [6, 5, 4, 3][: len(dice)]
        assert losses(battle) == {target.row: slain} and dice_left(battle) == 0
    place = thrower(player)  # every hit causes multiple wounds: two of three Wounds do not slay
    ogres = place.enemy(square(type="monstrous infantry", base_mm=[40, 40], w=2, t=4), (30, 24), models=9, files=3)
    battle = place.battle([HITS, 2, 3, 3, 1])
    shoot(place, battle, ogres)
    assert len(struck(battle)) == 2 and losses(battle) == {ogres.row: 3}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.bolt-thrower.characters")
def test_of_a_small_unit_a_model_of_the_rank_at_random(player: int) -> None:
    """Three and a hero in one rank: a D6 from left to right, 5 and 6 are rolled again."""
    for die in (1, 2, 3, 4):
        place = thrower(player)
        unit = place.enemy(None, (30, 24), models=3, files=4)
        hero = place.hero(False, HERO, unit, 1)
        battle = place.battle()
        script(battle, [HITS, 5, die, 1])
        (rank,) = ranks_from(battle, unit.row, FRONT)
        assert [battle.models.file[k] for k in rank] == [3, 2, 1, 0]
        shoot(place, battle, unit)
        assert struck(battle) == [rank[die - 1]]
        assert (battle.models.unit[struck(battle)[0]] == hero.row) == (die == 3)
    place = thrower(player)  # a rank of heroes alone before a rank of soldiers
    unit = place.enemy(None, (30, 24), models=5, files=2)
    heroes = [place.hero(False, HERO, unit, post) for post in (0, 1)]
    battle = place.battle()
    script(battle, [HITS, 2, 1])
    shoot(place, battle, unit)
    assert battle.models.unit[struck(battle)[0]] in {hero.row for hero in heroes}
