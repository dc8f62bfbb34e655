"""Blocks that change their form without a move keep an inch from others, or overlap nobody in a fight: they are set up,
become narrower, lose characters, get models back; characters in them change places.
"""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero, rider

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.blocks import blocks_overlap, derive, distance, set_block
from wh_env.rulesets.wap.basics.joined import is_too_wide
from wh_env.rulesets.wap.basics.stomps import halves_stomps
from wh_env.rulesets.wap.battle.restoring import restore
from wh_env.rulesets.wap.casualties.losses import is_uneven
from wh_env.rulesets.wap.casualties.removing import slay, suffer
from wh_env.rulesets.wap.characters.joining import lets_in, takes_in
from wh_env.rulesets.wap.characters.joins import trading_files
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import REAR
from wh_env.rulesets.wap.movement.going import CHANGE_PLACES
from wh_env.rulesets.wap.movement.reform_choices import choices
from wh_env.rulesets.wap.shooting.shots import is_small
from wh_env.rulesets.wap.ways.poses import lone
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import INCH, NORTH, RegimentScene, UnitHandle, ranks, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])


def in_one_rank(
    player: int, left: float, *, post: int = 0, models: int = 9
) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A rider with models on foot in one rank that looks north; its base reaches into a second rank. In two or three
    ranks, 3" deep, they would leave the gap ``left`` to a friend behind them.
    """
    scene = RegimentScene((60, 48))
    host = scene.unit(player, None, (24, 24), models=models, files=models + 1, facing=NORTH)
    lord = scene.unit(player, rider(), inside=host, models=1, post=post)
    scene.unit(player, None, (24.5, 21 - left), models=9, files=9, facing=NORTH)
    scene.unit(1 - player, None, (50, 44), models=5)
    return scene, host, lord


def next_turn(scene: RegimentScene, player: int) -> Battle:
    """The first decision of the player's second turn."""
    battle = scene.battle("combat", player=1 - player, detail="full")
    while battle.clock.turn[0] != player:
        battle.apply(battle.first_legal())
    return battle


def gaps(battle: Battle, unit: UnitHandle) -> float:
    """Inches from a unit to the nearest other one."""
    others = [other for other in range(len(battle.units.owner)) if other != unit.row]
    return min(distance(battle, unit.row, other) for other in others)


@PLAYERS
@pytest.mark.parametrize(("left", "files"), [(1.0, 5), (0.9, 10)])
@pytest.mark.rule("wap.character.base.multiple", "wap.move.manoeuvre.one-inch")
def test_a_unit_becomes_as_narrow_as_a_base_needs_where_that_leaves_an_inch(
    player: int, left: float, files: int
) -> None:
    scene, host, _ = in_one_rank(player, left)
    battle = next_turn(scene, player)
    assert battle.units.files[host] == files
    assert ranks(battle, host) == ([4, 4, 1] if files == 5 else [9, 0])
    assert gaps(battle, host) == pytest.approx(left + (files > 5))


@PLAYERS
@pytest.mark.parametrize(("left", "files"), [(1.0, 4), (0.9, 8)])
@pytest.mark.rule("wap.character.base.multiple", "wap.core.casualties.single-rank")
def test_so_it_does_when_it_loses_models(player: int, left: float, files: int) -> None:
    scene, host, _ = in_one_rank(player, left)
    battle = scene.battle(run=False)
    suffer(battle, host.row, 2)
    assert battle.units.files[host] == files
    assert gaps(battle, host) == pytest.approx(left + (files > 4))


@PLAYERS
@pytest.mark.rule("wap.character.base.multiple", "wap.core.unit.rank-limit")
def test_nobody_stands_in_more_ranks_than_files_for_a_base(player: int) -> None:
    """One on foot beside a rider: three places, in no lawful number of files two full ranks."""
    scene, host, _ = in_one_rank(player, 9.0, models=3)
    battle = scene.battle(run=False)
    suffer(battle, host.row, 2)
    assert (battle.units.block[host], battle.units.files[host]) == (3, 2)


@PLAYERS
@pytest.mark.rule("wap.character.combined.reposition", "wap.move.manoeuvre.one-inch")
def test_a_deep_base_changes_its_place_only_where_its_rank_keeps_an_inch(player: int) -> None:
    """The rank behind goes with the base: files 9 and 10 bring it half an inch from a friend at the left rear."""
    scene, host, lord = in_one_rank(player, 0.5)
    scene.unit(player, None, (17.5, 21.5), models=5, files=5, facing=NORTH)
    battle = next_turn(scene, player)
    assert battle.units.files[host] == 10 and gaps(battle, host) >= 1.0
    choose(battle, "own", lord.number)
    choose(battle, "option", CHANGE_PLACES)
    assert (kind(battle), slots(battle, "number")) == ("hero-place", [1, 2, 3, 4, 5, 6, 7])
    choose(battle, "number", 7)
    assert gaps(battle, host) >= 1.0


def deployed(player: int, **fields: Any) -> tuple[Battle, UnitHandle]:
    """The player is asked for the files of a unit with which a rider and a hero go along."""
    scene = RegimentScene((72, 48), mission="dawn-attack")
    host = scene.unit(player, None, models=12, files=5)
    for card in (rider(), hero()):
        scene.unit(player, card, models=1)
    scene.unit(1 - player, None, models=5)
    battle = scene.battle("deployment", detail="full", **fields)
    while kind(battle) != "deploy-files" or battle.clock.subject[0] != host.row:
        along = kind(battle) == "go-along" and slots(battle, "own")
        battle.apply(battle.setup.space.own + along[0] if along else battle.first_legal())
    return battle, host


@PLAYERS
@pytest.mark.rule("wap.character.base.multiple", "wap.core.unit.formation")
def test_a_unit_is_set_up_no_wider_than_a_base_in_it_needs(player: int) -> None:
    battle, host = deployed(player)
    assert battle.units.block[host] == 15
    assert slots(battle, "number") == [3, 4, 5, 6]  # four to seven files; in eight the second rank is short


@PLAYERS
@pytest.mark.rule("wap.character.leave.remaining-moves", "wap.character.base.multiple")
def test_who_leaves_takes_his_file_along(player: int) -> None:
    """Seven on foot, a hero, and a rider whose base reaches into a second rank; the hero leaves."""
    scene, host, _ = in_one_rank(player, 0.0, models=7)
    lord = scene.unit(player, hero(), inside=host, models=1, post=4)
    battle = scene.battle(run=False)
    battle.units.files[host] = 9
    step_out(battle, lord.row)
    assert battle.units.files[host] == 8
    assert ranks(battle, host) == [7, 0]


@PLAYERS
@pytest.mark.parametrize(("gap", "back"), [(2.0, 1), (1.9, 0)])
@pytest.mark.rule("wap.terrain.monument.wyrding-well")
def test_models_come_back_where_their_rank_keeps_an_inch(player: int, gap: float, back: int) -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(player, None, (24, 24), models=10, files=5, lost=5, facing=NORTH)
    scene.unit(player, None, (24, 22 - gap), models=5, facing=NORTH)
    scene.unit(1 - player, None, (50, 44), models=5)
    battle = scene.battle(run=False)
    assert restore(battle, unit.row, 1, "wap.terrain.monument.wyrding-well") == back
    assert battle.units.alive[unit] == 10 + back and gaps(battle, unit) >= 1.0


def hides(player: int, models: int) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    scene = RegimentScene((60, 48))
    host = scene.unit(player, square(ld=10), (24, 24), models=models, files=5, facing=NORTH)
    knife = scene.unit(player, hero(rules=["Hidden"]), models=1, reserve=True, hides_in=host.row)
    return scene, host, knife


@PLAYERS
@pytest.mark.parametrize(("gap", "asked"), [(2.0, True), (1.9, False)])
@pytest.mark.rule("wap.special.hidden.reveal", "wap.move.one-inch")
def test_who_hides_steps_forward_where_the_unit_has_room_for_one_more(player: int, gap: float, asked: bool) -> None:
    scene = RegimentScene((60, 48))
    other = scene.unit(1 - player, None, (50, 44), models=5) if player else None
    host = scene.unit(player, None, (24, 24), models=10, files=5, facing=NORTH)
    row = 0 if player == 0 else 1
    knife = scene.unit(player, hero(rules=["Hidden"]), models=1, reserve=True, hides_in=row)
    scene.unit(player, None, (24, 22 - gap), models=5, facing=NORTH)
    if other is None:
        scene.unit(1 - player, None, (50, 44), models=5)
    assert host.row == row
    battle = scene.battle(player=player, detail="full")
    assert (kind(battle) == "start-effect") is asked
    if asked:
        choose(battle, "own", knife.number)
        choose(battle, "number", 2)
        assert ranks(battle, host) == [4, 5, 1] and gaps(battle, host) == pytest.approx(1.0)


@pytest.mark.parametrize(("models", "asked"), [(10, False), (9, True)])
@pytest.mark.rule("wap.special.hidden.reveal")
def test_nobody_steps_forward_on_to_an_enemy_behind(models: int, asked: bool) -> None:
    """An enemy stands along the rear: ten in two full ranks have no room for one more, nine have."""
    scene, host, _ = hides(0, models)
    scene.beside(host, 1, square(ld=10), side=REAR, models=10, files=5)
    battle = scene.battle("combat", detail="full")
    assert (kind(battle) == "reveal-hidden") is asked


@PLAYERS
@pytest.mark.rule("wap.character.unit-destroyed.new-unit", "wap.core.unit.rank-limit")
def test_characters_left_on_unlike_bases_stand_abreast(player: int) -> None:
    """A base of two inches counts two files; one that does not fit stands at the right end."""
    for size, files, wider, block in ((2.0, 3, 0.0, 5), (1.5, 1, -1.5, 1)):
        scene = RegimentScene((60, 48))
        host = scene.unit(player, None, (24, 24), models=1, files=5, facing=NORTH)
        big = scene.unit(player, hero(base_mm=[size * INCH, size * INCH]), inside=host, models=1, beside=size == 1.5)
        small = scene.unit(player, hero(), inside=host, models=1)
        scene.unit(1 - player, None, (50, 44), models=5)
        battle = scene.battle(run=False)
        suffer(battle, host.row, 1)
        u = battle.units
        assert u.place[host] == DESTROYED and u.bodyguard[big] == small.row
        assert (u.files[small], u.block[small]) == (files, block) and u.wider[small] == pytest.approx(wider)
        assert -(-block // files) <= files
        assert not list(battle.setup.ruleset.contradictions(battle))


@PLAYERS
@pytest.mark.rule("wap.character.unit-destroyed.new-unit", "wap.move.one-inch")
def test_characters_left_keep_an_inch(player: int) -> None:
    """One on foot, a hero, and a rider at the right end; the base of the rider comes to lie farther left."""
    scene = RegimentScene((60, 48))
    host = scene.unit(player, None, (24, 24), models=2, files=4, facing=NORTH)
    scene.unit(player, hero(), inside=host, models=1, post=3)
    scene.unit(player, rider(), inside=host, models=1, post=0)
    scene.unit(player, None, (21.5, 21.9), models=4, files=4, facing=NORTH)
    scene.unit(1 - player, None, (50, 44), models=5)
    battle = scene.battle(run=False)
    heir = host.row + 1
    assert distance(battle, host.row, heir + 2) >= 1.0
    suffer(battle, host.row, 2)
    assert distance(battle, heir, heir + 2) >= 1.0 - 1e-4


def fights_with_friend_behind(player: int) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A rider at the right end of one rank of ten that fights; a friend stands in the gap to the left of the base that
    reaches into the second rank.
    """
    scene = RegimentScene((60, 48))
    host = scene.unit(player, square(ld=10), (24, 24), models=9, files=10, facing=NORTH)
    lord = scene.unit(player, rider(), inside=host, models=1, post=0)
    friend = scene.unit(player, None, (20, 22.9), models=2, files=2, facing=NORTH)
    scene.beside(host, 1 - player, square(ld=10), along=4.0, models=2, files=2)

    def in_one_rank(battle: Battle) -> None:
        set_block(battle, host.row, 24.0, 24.0, NORTH, 10)

    return scene.battle("combat", player=player, run=False, set_state=in_one_rank), host, lord, friend


@PLAYERS
@pytest.mark.rule("wap.character.make-way.swap")
def test_nobody_makes_way_on_to_a_friend(player: int) -> None:
    """The enemy is touched from files 8 to 10 and by corners; the friend stands behind files 9 to 10."""
    battle, host, lord, friend = fights_with_friend_behind(player)
    files = trading_files(battle, lord.row)
    assert files and not set(files) & {8, 9}
    for file in files:
        other = battle.clone()
        other.models.post[lord.model()] = file
        derive(other, host.row)
        assert not blocks_overlap(other.parts.rows, other.units.rows, host.row, friend.row)


@PLAYERS
@pytest.mark.rule("wap.character.base.multiple", "wap.core.casualties.rear-rank")
def test_a_rank_that_goes_to_the_middle_keeps_an_inch(player: int) -> None:
    """Two riders stand at the left end of one rank; where one falls, the short rank would come nearer to a friend who
    stands an inch to the right of it.
    """
    scene = RegimentScene((60, 48))
    host = scene.unit(player, None, (24, 24), models=20, files=20, facing=NORTH)
    first = scene.unit(player, rider(), inside=host, models=1, post=19)
    scene.unit(player, rider(), inside=host, models=1, post=16)
    # files 16 to 19 are from x = 14 to 18
    friend = scene.unit(player, None, (21, 21.9), models=3, files=3, facing=NORTH)
    scene.unit(1 - player, None, (50, 44), models=5)
    battle = scene.battle(run=False)
    assert is_too_wide(battle, host.row, 20) and distance(battle, host.row, friend.row) > 1.0
    slay(battle, first.model())
    assert battle.units.files[host] == 20
    assert distance(battle, host.row, friend.row) >= 1.0 - 1e-4


def test_nobody_joins_a_unit_that_is_too_wide_for_a_base_in_it() -> None:
    """A hero beside a rank of ten with a rider: with him it is no deeper than before."""
    scene, host, _ = in_one_rank(0, 0.0)
    lord = scene.unit(0, hero(), (34, 24), models=1)
    battle = scene.battle(run=False)
    assert lets_in(battle, lord.row, host.row) and not takes_in(battle, lord.row, host.row)


@PLAYERS
@pytest.mark.rule("wap.character.base.multiple", "wap.character.position.front-rank")
def test_bases_that_do_not_fit_beside_each_other_stand_side_by_side(player: int) -> None:
    """In three files a hero in the middle one leaves no room for a base of two files."""
    scene = RegimentScene((60, 48))
    host = scene.unit(player, None, (24, 24), models=4, files=3, facing=NORTH)
    lord = scene.unit(player, hero(), inside=host, models=1, post=1)
    big = scene.unit(player, hero(base_mm=[2 * INCH, 2 * INCH]), inside=host, models=1)
    scene.unit(1 - player, None, (50, 44), models=5)
    battle = scene.battle(run=False)
    assert (battle.units.files[host], battle.units.block[host]) == (3, 9)
    assert sorted(battle.models.file[unit.model()] for unit in (lord, big)) == [0, 2]
    assert battle.models.file[big.model()] == 0


@PLAYERS
@pytest.mark.rule("wap.character.position.front-rank", "wap.move.reform")
def test_no_reform_leaves_a_character_behind_the_front_rank(player: int) -> None:
    """Four heroes and five on foot: three ranks of three would be lawful but for the heroes."""
    scene = RegimentScene((60, 48))
    host = scene.unit(player, None, (24, 24), models=5, files=5, facing=NORTH)
    for _ in range(4):
        scene.unit(player, hero(), inside=host, models=1)
    scene.unit(1 - player, None, (50, 44), models=5)
    battle = scene.battle(player=player, detail="full")
    assert choices(battle, host.row)[0] == 4


@PLAYERS
@pytest.mark.rule("wap.core.casualties.single-rank", "wap.move.one-inch.charge")
def test_losses_do_not_part_units_that_a_charge_has_left_near(player: int) -> None:
    scene, host, _ = in_one_rank(player, 0.5)
    scene.unit(player, None, (24, 25.5), models=3, files=3, facing=NORTH)
    battle = scene.battle(run=False)
    suffer(battle, host.row, 2)
    assert battle.units.files[host] == 8 and gaps(battle, host) == pytest.approx(0.5)
    assert (battle.units.x[host], battle.units.y[host]) == pytest.approx((24.0, 24.0))


@PLAYERS
@pytest.mark.rule("wap.character.base.misfit", "wap.move.single.pivot", "wap.shoot.hit.single-model")
def test_a_beast_with_a_hero_beside_it_is_no_single_model(player: int) -> None:
    """The hero's base does not fit and stands at the right end: the two pivot as no single model does, and shots at
    them have no penalty for one."""
    scene = RegimentScene((60, 48))
    beast = scene.unit(player, square(t=4, w=3), (24, 24), models=1, facing=NORTH)
    alone = scene.unit(player, square(t=4, w=3), (50, 24), models=1, facing=NORTH)
    scene.unit(player, hero(base_mm=[1.5 * INCH, 1.5 * INCH]), inside=beast, models=1, beside=True)
    scene.unit(1 - player, None, (24, 44 if player == 0 else 4), models=5)
    battle = scene.battle(run=False)
    assert battle.units.block[beast] == 1 and battle.units.wider[beast] != 0
    assert [lone(battle, unit.row) for unit in (beast, alone)] == [False, True]
    assert [is_small(battle, unit.row) for unit in (beast, alone)] == [False, True]
    assert [halves_stomps(battle, unit.row) for unit in (beast, alone)] == [False, True]


@PLAYERS
@pytest.mark.parametrize("gap", [1.0, 1.4])
@pytest.mark.rule("wap.character.base.misfit", "wap.core.casualties.single-rank", "wap.core.casualties.fill-gap")
def test_who_stands_beside_a_rank_that_grows_shorter_keeps_an_inch(player: int, gap: float) -> None:
    """Nine and a hero on a base half an inch deeper at their left end; a friend stands behind the end that falls."""
    scene = RegimentScene((60, 48))
    host = scene.unit(player, None, (24, 24), models=9, files=9, facing=NORTH)
    lord = scene.unit(player, hero(base_mm=[1.5 * INCH, 1.5 * INCH]), inside=host, models=1, beside=2)
    friend = scene.unit(player, None, (21.6, 23 - gap), models=2, files=2, facing=NORTH)
    scene.unit(1 - player, None, (50, 44), models=5)
    battle = scene.battle(run=False)
    assert distance(battle, host.row, friend.row) == pytest.approx(gap)
    suffer(battle, host.row, 4)
    assert battle.units.files[host] == 5 and battle.units.wider[host] and battle.units.alive[lord]
    assert gaps(battle, host) >= 1.0 - 1e-3


@PLAYERS
@pytest.mark.parametrize(("lost", "asked"), [(1, False), (2, True), (3, False), (4, True)])
@pytest.mark.rule("wap.core.casualties.single-rank", "wap.character.position.front-rank")
def test_a_hero_in_the_rank_counts_for_which_end_is_longer(player: int, lost: int, asked: bool) -> None:
    """Nine and a hero in nine files: the first loss is the tenth place, the others come off the ends in turn."""
    scene = RegimentScene((60, 48))
    host = scene.unit(player, None, (24, 24), models=9, files=9, facing=NORTH)
    scene.unit(player, hero(), inside=host, models=1, post=4)
    scene.unit(1 - player, None, (50, 44), models=5)
    battle = scene.battle(run=False)
    assert is_uneven(battle, host.row, lost) is asked
    before = battle.units.x[host]
    suffer(battle, host.row, lost)
    assert ranks(battle, host)[0] == battle.units.files[host] - 1 == 9 - max(0, lost - 1) - 1
    assert (battle.units.x[host] != before) is asked
