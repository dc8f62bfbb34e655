"""Cannons: what they may aim at, where the ball comes down, whom it strikes, who stops it."""

from __future__ import annotations

from math import cos, pi, sin

import pytest

from tests.arming import beast, man
from tests.machine_scenes import ARROW, HIT, MISFIRE, NORTH, Range, losses, struck
from tests.machines import machine
from wh_env.content.wap.load import machines
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.shooting.spots import spot_of
from wh_env.testing import dice_left, kind, slots, told
from wh_env.testing.wap import EAST, SOUTH, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
SMALL = square(base_mm=[20, 20])
BEHIND = (37.5, 39.9, 43.9, 44.1)
OGRE = square(type="monstrous infantry", base_mm=[50.8, 50.8], t=4, w=3)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.profile")
def test_ranges_of_both_cannons(player: int) -> None:
    assert (machines()["cannon"].direct, machines()["cannon"].bounce) == ((1, 6, 0), (1, 3, 0))
    assert machines()["great cannon"].direct == machines()["great cannon"].bounce == (1, 6, 0)
    assert {machines()[name].weapon.fixed for name in ("cannon", "great cannon")} == {10}
    for weapon, within in (("cannon", {12, 48}), ("great cannon", {12, 48, 55})):
        place = Range(player, weapon)
        targets = {}
        for turn, far in zip((-30, 30, 0, -12, 12), (11, 12, 48, 55, 61), strict=True):
            angle = turn * pi / 180  # the machine turns on its middle, 1.5" behind its muzzle
            x, y = 10 - 1.5 + (far + 1.5) * cos(angle), 24 + (far + 1.5) * sin(angle)
            targets[far] = place.enemy(SMALL, (x, y), facing=angle + pi)
        battle = place.battle()
        offered = place.targets(battle, "cannonball")
        assert offered == {unit.row for far, unit in targets.items() if far in within} and len(offered) == len(within)


@pytest.mark.rule("wap.machine.cannon.no-bs")
def test_skill_and_cover_do_not_matter() -> None:
    found = []
    for skill, cover in ((1, False), (5, False), (5, True)):
        place = Range(card=machine("cannon", bs=skill))
        target = place.enemy(None, (34, 24), models=20, files=5)
        if cover:
            place.enemy(square(base_mm=[25, 25]), (30, 25.6), models=2, files=2, facing=EAST)
        battle = place.battle([HIT, 0, 1, 2] + [6] * 40)
        place.fire(battle, target, 34.5, 24)
        assert not told(battle, "wap.shoot.hit.roll")
        found.append([battle.models.rank[k] for k in struck(battle)])
    assert found[0] == found[1] == found[2] and found[0]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.target")
def test_only_who_does_not_fight_is_aimed_at(player: int) -> None:
    place = Range(player)
    free = place.enemy(None, (34, 30), models=5)
    fighting = place.enemy(None, (34, 18), models=5)
    place.scene.beside(fighting, player, models=5, side=2)
    friend = place.unit(True, None, (30, 6), models=5)
    battle = place.battle()
    assert place.targets(battle) == {free.row} and friend.row >= 0
    m = battle.models
    for slot in slots(battle, "cell"):  # the marker lies on a base that is in range
        x, y = spot_of(battle, free.row, slot)
        assert any(abs(m.x[k] - x) < 0.501 and abs(m.y[k] - y) < 0.501 for k in battle.members(free.row))
    assert len(slots(battle, "cell")) > 20


@pytest.mark.rule("wap.machine.cannon.target")
def test_who_stands_behind_others_is_not_seen() -> None:
    """Of four ranks straight ahead the ball may be aimed at the first alone, and at nobody whom another unit hides."""
    place = Range()
    target = place.enemy(None, (34, 24), models=20, files=5)
    battle = place.battle()
    assert place.targets(battle) == {target.row}
    xs = {spot_of(battle, target.row, slot)[0] for slot in slots(battle, "cell")}
    assert min(xs) >= 34 and max(xs) <= 35.001
    place = Range()
    place.enemy(None, (34, 24), models=20, files=5)
    place.unit(True, square(type="monster", base_mm=[100, 150]), (26, 24))
    battle = place.battle()
    assert kind(battle) != "machine-target" and kind(battle) != "select-to-shoot"


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.deviation")
def test_an_arrow_moves_the_marker_by_half_the_number(player: int) -> None:
    """The muzzle is at (10, 24) and the marker at (34, 24)."""
    for face, comes_down in ((HIT, (34, 24)), (ARROW, (34, 28))):
        place = Range(player)
        target = place.enemy(None, (33.5, 24))
        beyond = place.enemy(None, (39.5, 24 + 29 / 24 * 4), facing=SOUTH - pi / 2)
        battle = place.battle([face, NORTH, 4, 3] + [6] * 10)
        place.fire(battle, target, 34, 24)
        assert place.place(battle, "wap.machine.cannon.deviation") == pytest.approx(comes_down)
        # from there it bounces 6 inches along the line from the muzzle through the marker
        assert (beyond.first in struck(battle)) == (face == ARROW)
        assert (target.first in struck(battle)) == (face == HIT)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.misfire")
def test_no_ball_leaves_a_cannon_that_misfires(player: int) -> None:
    for face in (HIT, ARROW):
        place = Range(player)
        target = place.enemy(None, (33.5, 24))
        battle = place.battle([face, NORTH, MISFIRE, 6])
        place.fire(battle, target, 34, 24)
        assert not struck(battle) and not told(battle, "wap.machine.cannon.deviation")
        table = told(battle, "wap.machine.misfire.black-powder.no-shot")
        assert [(event["unit"], event["die"]) for event in table] == [(place.machine.row, 6)]
        assert dice_left(battle) == 0 and kind(battle) != "select-to-shoot"
        assert battle.models.wounds[place.machine.first] == 3 and battle.units.alive[target.row] == 1


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.bounce")
def test_the_ball_bounces_by_a_second_die(player: int) -> None:
    for die, far in ((3, 6.0), (5, 10.0), (MISFIRE, 0.0)):
        place = Range(player)
        target = place.enemy(None, (33.5, 24))
        at = [place.enemy(None, (x, y)) for x, y in zip(BEHIND, (24, 24, 23.6, 24.6), strict=True)]
        battle = place.battle([HIT, 0, 1, die] + [1] * 20)
        place.fire(battle, target, 34, 24)
        assert struck(battle) == [target.first] + [
            unit.first for unit, x in zip(at, BEHIND, strict=True) if x <= 34 + far
        ]
        assert battle.models.wounds[place.machine.first] == 3


@pytest.mark.rule("wap.machine.cannon.bounce")
def test_a_ball_that_buries_itself_beside_everybody_strikes_nobody() -> None:
    place = Range()
    target = place.enemy(None, (33.5, 24), models=2, files=1)
    battle = place.battle([ARROW, NORTH, 4, MISFIRE])
    place.fire(battle, target, 34, 24)
    assert not struck(battle) and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.bounce.impassable")
def test_a_cliff_ends_the_bounce(player: int) -> None:
    place = Range(player)
    place.area("impassable", 38, 20, 41, 28)
    target = place.enemy(None, (33.5, 24))
    before, behind = place.enemy(None, (36.5, 24)), place.enemy(None, (41.5, 24))
    battle = place.battle([HIT, 0, 1, 5] + [1] * 20)
    place.fire(battle, target, 34, 24)
    assert struck(battle) == [target.first, before.first] and behind.first not in struck(battle)
    assert told(battle, "wap.machine.cannon.bounce")[-1]["far"] == pytest.approx(4.0)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.path")
def test_friend_and_foe_behind_the_landing_point_are_struck(player: int) -> None:
    """Nobody between the cannon and the place where the ball comes down is."""
    place = Range(player)
    spared = place.unit(True, square(base_mm=[12.7, 12.7]), (29.5, 26), models=1)
    target = place.enemy(None, (34, 24), models=4, files=2)
    friend = place.unit(True, None, (39.5, 24))
    battle = place.battle([HIT, 0, 1, 4] + [1] * 20)
    place.fire(battle, target, 34, 24)
    found = struck(battle)
    assert friend.first in found and spared.first not in found
    assert {battle.models.unit[k] for k in found} == {target.row, friend.row}
    # a drift carries the line over the friend that stands short of the marker: it is spared all the same
    place = Range(player)
    spared = place.unit(True, square(base_mm=[12.7, 12.7]), (29.5, 24 + 20 / 24 * 4))
    target = place.enemy(None, (33.5, 24))
    battle = place.battle([ARROW, NORTH, 4, 4] + [1] * 20)
    place.fire(battle, target, 34, 24)
    assert spared.first not in struck(battle)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.one-per-rank")
def test_one_model_of_each_rank_or_of_each_file(player: int) -> None:
    """Along the seam between two files of four ranks, and across five files from their flank."""
    place = Range(player)
    target = place.enemy(None, (34, 24.5), models=20, files=5)
    battle = place.battle([ARROW, 0, 1, 5] + [1] * 20)
    place.fire(battle, target, 34, 24)
    assert len(struck(battle)) == 3 and len({battle.models.rank[k] for k in struck(battle)}) == 3
    place = Range(player)
    target = place.enemy(None, (34, 24.5), models=20, files=5)
    battle = place.battle([HIT, 0, 1, 5] + [1] * 20)
    place.fire(battle, target, 34, 24)
    assert [battle.models.rank[k] for k in struck(battle)] == [0, 1, 2, 3]
    place = Range(player)
    target = place.enemy(None, (36.5, 26), models=20, files=5, facing=SOUTH + pi)
    battle = place.battle([HIT, 0, 1, 5] + [1] * 20)
    place.fire(battle, target, 34, 24)
    assert len(struck(battle)) == 5 and len({battle.models.file[k] for k in struck(battle)}) == 5


@BOTH_PLAYERS
@pytest.mark.rule("wap.core.template.line")
def test_a_line_that_crosses_two_bases_of_a_rank_takes_one(player: int) -> None:
    """The line rises by one file on its way through four ranks, so it passes over two bases of some of them."""
    place = Range(player)
    target = place.enemy(None, (34, 26.5), models=20, files=5)
    battle = place.battle([HIT, 0, 1, 5] + [1] * 20)
    place.fire(battle, target, 34, 27.75)
    m = battle.models
    slope = 3.75 / 25.5  # about the middle of the machine
    passed = [k for k in battle.members(target.row) if touches(place.there(m.x[k], m.y[k]), 34, 27.75, slope)]
    ranks = [m.rank[k] for k in passed]
    assert len(ranks) > len(set(ranks)) == 4
    assert [m.rank[k] for k in struck(battle)] == [0, 1, 2, 3] and set(struck(battle)) <= set(passed)


def touches(middle: tuple[float, float], x: float, y: float, slope: float) -> bool:
    """Whether a line from (x, y) touches a base of one inch."""
    low, high = middle[0] - 0.5, middle[0] + 0.5
    heights = [y + (at - x) * slope for at in (low, high)]
    return max(heights) >= middle[1] - 0.5 and min(heights) <= middle[1] + 0.5


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.stopped-by-big")
def test_ogres_that_live_stop_the_ball(player: int) -> None:
    """The first of a file takes the direct hit; a survivor of that stops the ball too."""
    for number, files_struck in ((2, 1), (5, 3)):
        place = Range(player, "great cannon")
        target = place.enemy(OGRE, (34, 24), models=9, files=3)
        battle = place.battle([HIT, 0, 1, 5] + [2, number] * 3)
        place.fire(battle, target, 34, 24)
        assert len(struck(battle)) == files_struck
        assert losses(battle) == {target.row: number if number < 3 else 9}
    place = Range(player, "great cannon")  # the bounce alone reaches them
    soldier = place.enemy(None, (33.5, 24))
    target = place.enemy(OGRE, (36, 24), models=9, files=3)
    battle = place.battle([HIT, 0, 1, 5] + [2, 1, 2, 5, 2, 2])
    place.fire(battle, soldier, 34, 24)
    assert struck(battle)[0] == soldier.first and len(struck(battle)) == 3
    assert losses(battle) == {soldier.row: 1, target.row: 5}
    for card in (beast("monster", w=5, t=6), beast("monstrous cavalry"), beast("monstrous beast", w=3)):
        place = Range(player)
        big = place.enemy(card, (34, 24))
        behind = place.enemy(None, (39, 24))
        battle = place.battle([HIT, 0, 1, 5, 1, 1])
        place.fire(battle, big, 34, 24)
        assert struck(battle) == [big.first] and battle.units.alive[behind.row] == 1
    place = Range(player)  # cavalry and others do not
    rider = place.enemy(beast("cavalry"), (34, 24))
    behind = place.enemy(None, (39, 24))
    battle = place.battle([HIT, 0, 1, 5, 1, 1])
    place.fire(battle, rider, 34, 24)
    assert struck(battle) == [rider.first, behind.first]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.damage")
def test_a_direct_hit_takes_more_wounds_than_the_bounce(player: int) -> None:
    monster = beast("monster", t=6, w=5)
    for weapon, aside in (("cannon", 2), ("great cannon", 4)):
        for direct in (True, False):
            place = Range(player, weapon)
            soldier = place.enemy(None, (33.5, 24))
            target = place.enemy(monster, (36, 24))
            middle = 36 + 50 / 25.4  # of its base
            battle = place.battle([HIT, 0, 1, 4] + ([2, 4] if direct else [1, 2, 4]))
            place.fire(battle, *((target, middle, 24) if direct else (soldier, 34, 24)))
            assert losses(battle) == {target.row: 4 if direct else aside}
            assert {event["needed"] for event in told(battle, "wap.shoot.wound.roll")} == {2}


@pytest.mark.rule("wap.character.look-out-sir.template")
def test_a_comrade_is_struck_for_a_hero() -> None:
    for soldiers, saved in ((20, True), (4, False)):
        place = Range()
        unit = place.enemy(man(), (34, 24), models=soldiers, files=5)
        hero = place.hero(False, square(character=True, size=[1, 1], w=2), unit, 2)
        battle = place.battle([HIT, 0, 1, MISFIRE, 6, 6])
        place.fire(battle, unit, 34.5, 24)
        assert struck(battle) == [hero.first]
        assert (hero.row in losses(battle)) != saved
        assert (unit.row in losses(battle)) == saved
        assert battle.units.place[hero.row] != DESTROYED or not saved
