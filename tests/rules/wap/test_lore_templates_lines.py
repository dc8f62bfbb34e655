"""Spells along a line: the Burning Head, and the Penumbral Pendulum."""

from __future__ import annotations

import pytest

from tests.heroes import hero
from tests.spell_scenes import Circle, hits, losses
from wh_env import Battle
from wh_env.testing import dice_left, kind, pick, script, slots, told
from wh_env.testing.wap import EAST, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
HEAD, PENDULUM = "The Burning Head", "Penumbral Pendulum"
TEST = "wap.magic.resolve.panic"
CALM = [2, 2]  # dice of a Panic test that is passed
OGRE = square(type="monstrous infantry", base_mm=[25.4, 25.4], t=4, w=3, i=3)


def directions(place: Circle, battle: Battle) -> set[int]:
    """The directions that are offered, in degrees as the wizard's player sees them."""
    angles = battle.setup.space.angles
    turned = 180 if place.player else 0
    found = {(slot * 360 // angles + turned) % 360 for slot in slots(battle, "angle")}
    return {degrees - 360 if degrees > 180 else degrees for degrees in found}


def aimed(place: Circle, spell: str) -> Battle:
    """A battle in which the wizard is about to name the direction of a spell."""
    battle = place.battle()
    place.begin(battle, spell)
    return battle


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.burning-head", "wap.core.template.line")
def test_the_head_hits_one_model_of_each_rank(player: int) -> None:
    """The unit panics though it has lost a tenth of itself; a unit that loses nobody does not."""
    for wounds, fallen in (([6, 5, 2, 1], 2), ([2, 2, 2, 1], 0)):
        place = Circle("fire", player)
        target = place.enemy(None, (20, 24), models=20, files=5)
        battle = place.battle()
        place.cast(battle, HEAD, [5, 4], at=0, then=[*wounds, *(CALM if fallen else [])])
        assert hits(battle) == {target.row: 4}
        assert told(battle, "wap.shoot.wound.roll")[-1]["needed"] == 3  # Strength 4 against Toughness 3
        assert losses(battle) == ({target.row: fallen} if fallen else {})
        assert battle.units.alive[target] == 20 - fallen and dice_left(battle) == 0
        assert [event["unit"] for event in told(battle, TEST)] == [target.row] * bool(fallen)


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.burning-head")
def test_the_head_reaches_18_inches_or_36(player: int) -> None:
    """The version is chosen after the roll; the line of 18" of the base version does not come to the second unit."""
    for dice, version, struck in (([5, 5, 3], "10+", False), ([5, 5, 3], "13+", True), ([5, 4], "", False)):
        place = Circle("fire", player)
        near = place.enemy(None, (20, 24), models=5, files=5)
        far = place.enemy(None, (10 + 18.1, 24), models=5, files=5)
        battle = place.battle()
        then = [1] * (2 if struck else 1)
        place.cast(battle, HEAD, dice, at=0, then=then, version=version)
        assert hits(battle) == ({near.row: 1, far.row: 1} if struck else {near.row: 1})
        assert told(battle, "wap.lore.fire.burning-head")[0]["far"] == (36 if struck else 18)
        assert losses(battle) == {}


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.burning-head")
def test_the_hits_of_the_head_are_flaming(player: int) -> None:
    place = Circle("fire", player)
    target = place.enemy(None, (20, 24), models=5, files=5)
    battle = place.battle()
    place.cast(battle, HEAD, [5, 4], at=0, then=[6, *CALM])
    assert losses(battle) == {target.row: 1}
    assert battle.units.scorched[target] == 1


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.burning-head", "wap.magic.type.direct-damage.template")
def test_a_line_goes_over_an_enemy_in_the_front_arc_and_over_no_friend(player: int) -> None:
    """Enemies lie at 0, 30, -30 and 90 degrees; the one at -30 is behind a friend, the one at 90 in the flank."""
    place = Circle("fire", player)
    for degrees in (0, 30, -30, 90):
        x, y = place.spot(10, 24, 14, degrees)
        place.enemy(square(base_mm=[50, 50]), (x, y))
    place.friend(None, place.spot(10, 24, 8, -30))
    battle = aimed(place, HEAD)
    assert kind(battle) == "spell-direction"
    assert directions(place, battle) == {0, 30}


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.direct-damage.template")
def test_a_line_goes_over_nobody_in_close_combat(player: int) -> None:
    place = Circle("fire", player)
    free = place.enemy(None, place.spot(10, 24, 12, 30), models=4, files=4)
    fighter = place.enemy(None, (22, 24), models=5, files=5)
    place.scene.beside(fighter, player, None, models=5)
    battle = aimed(place, HEAD)
    assert directions(place, battle) == {30} or kind(battle) == "spell-dice"
    assert free.row >= 0 and battle.units.fights[fighter] == 1
    place = Circle("fire", player)
    fighter = place.enemy(None, (22, 24), models=5, files=5)
    place.scene.beside(fighter, player, None, models=5)
    assert not place.can_cast(place.battle(), HEAD)


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.direct-damage.template", "wap.lore.general.boosted-version")
def test_a_longer_line_over_a_friend_is_not_offered(player: int) -> None:
    for friend in (False, True):
        place = Circle("fire", player)
        target = place.enemy(None, (20, 24), models=5, files=5)
        if friend:
            place.friend(None, (35, 24), models=5, files=5)
        battle = place.battle()
        place.begin(battle, HEAD)
        place.aim(battle, at=0)
        script(battle, [5, 5, 3, 1])
        pick(battle, "3 dice (", kind="spell-dice")
        assert (kind(battle) == "spell-version") == (not friend)
        assert target.row >= 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.building.magic.casting", "wap.lore.fire.burning-head")
@pytest.mark.parametrize(("degrees", "leaves"), [(0, (12.0, 24.0)), (45, (12.0, 27.0)), (60, (11.309, 28.0))])
def test_from_a_building_the_line_begins_at_its_wall(player: int, degrees: int, leaves: tuple[float, float]) -> None:
    """The building reaches from x = 6 to 12 and from y = 20 to 28; one enemy is at the end of the 18", one beyond
    it.
    """
    place = Circle("fire", player)
    place.area("building", 6, 20, 12, 28, storeys=2)
    host = place.unit(True, None, None, models=10, garrison=0)
    place.wizard.at, place.wizard.inside = None, host
    small = square(base_mm=[10, 10])
    reached = place.enemy(small, place.spot(*leaves, 17.6, degrees), models=1)
    place.enemy(small, place.spot(*leaves, 19, degrees), models=1)
    battle = place.battle()
    place.cast(battle, HEAD, [5, 4], at=degrees, then=[1])
    assert hits(battle) == {reached.row: 1}
    end = told(battle, "wap.lore.fire.burning-head")[0]["place"]
    assert end == pytest.approx(place.there(*place.spot(*leaves, 18, degrees)), abs=0.05)


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.burning-head")
def test_a_wizard_in_a_unit_and_a_character_who_is_spared(player: int) -> None:
    """The wizard stands in the front rank; comrades of a character in the target take his hit."""
    place = Circle("fire", player, inside=True)
    target = place.enemy(None, (20, 24), models=10, files=5)
    champion = place.hero(False, hero(), target, 2)
    battle = place.battle()
    place.cast(battle, HEAD, [5, 4], at=0, then=[6, 6, 1, *CALM])
    assert hits(battle) == {target.row: 3} and battle.units.alive[champion] == 1
    assert losses(battle) == {target.row: 2}


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.burning-head")
def test_nobody_is_hit_by_a_head_that_was_dispelled(player: int) -> None:
    place = Circle("fire", player)
    target = place.enemy(None, (20, 24), models=20, files=5)
    battle = place.battle()
    place.begin(battle, HEAD)
    place.aim(battle, at=0)
    script(battle, [5, 4, 5, 5, 4])
    pick(battle, "2 dice (", kind="spell-dice")
    pick(battle, "the army dispels", kind="dispel-by")
    pick(battle, "3 dice (", kind="dispel-dice")
    assert hits(battle) == {} and battle.units.alive[target] == 20


# ---------------------------------------------------------------- the pendulum


def faces(battle: Battle) -> list[int]:
    """The dice of Initiative tests."""
    return [event["die"] for event in told(battle, "wap.lore.shadow.penumbral-pendulum") if "die" in event]


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.penumbral-pendulum")
def test_who_fails_an_initiative_test_is_struck_by_the_pendulum(player: int) -> None:
    """Three ranks of Initiative 3 roll 2, 4, 6: two hits of Strength 10, each wound D3 Wounds; a save of 3+ cannot be
    made (-7).
    """
    place = Circle("shadow", player)
    target = place.enemy(square(w=2, i=3, equipment=["full plate armour"]), (20, 24), models=15, files=5)
    battle = place.battle()
    place.cast(battle, PENDULUM, [5, 5, 1], at=0, then=[2, 4, 2, 3, 6, 2, 1, *CALM])
    assert faces(battle) == [2, 4, 6] and hits(battle) == {target.row: 2}
    assert [event["needed"] for event in told(battle, "wap.shoot.wound.roll")] == [2, 2]
    assert not told(battle, "wap.shoot.save.roll")
    assert losses(battle) == {target.row: 2 + 1}  # a D3 of 3 (2), and of 1 (1)
    assert dice_left(battle) == 2  # it has lost one model of fifteen, and takes no Panic test


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.penumbral-pendulum")
def test_a_large_model_that_survives_its_hit_ends_the_line(player: int) -> None:
    """An ogre that passes its test is not hit, and the line goes on; so it does if its hit slays it."""
    for dice, far in (([3, 5, 4, 6, *CALM], True), ([5, 1], False), ([5, 6, 6, 4, 5, *CALM, *CALM], True)):
        place = Circle("shadow", player)
        ogre = place.enemy(OGRE, (20, 24))
        behind = place.enemy(square(i=3, base_mm=[40, 40]), (26, 24), models=6, files=6)
        battle = place.battle()
        place.cast(battle, PENDULUM, [5, 5, 1], at=0, then=dice)
        assert (behind.row in hits(battle)) == far
        if not far:
            assert told(battle, "wap.machine.cannon.stopped-by-big")[0]["unit"] == ogre.row
            assert faces(battle) == [5]


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.penumbral-pendulum")
def test_the_pendulum_goes_24_inches_or_48(player: int) -> None:
    for dice, version, struck in (([5, 5, 4, 4], "13+", False), ([5, 5, 4, 4], "18+", True)):
        place = Circle("shadow", player)
        near = place.enemy(None, (20, 24), models=5, files=5)
        far = place.enemy(None, (10 + 24.1, 24), models=5, files=5)
        battle = place.battle()
        place.cast(battle, PENDULUM, dice, at=0, then=[6, 1] * (2 if struck else 1), version=version)
        assert hits(battle) == ({near.row: 1, far.row: 1} if struck else {near.row: 1})


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.penumbral-pendulum")
def test_the_pendulum_strikes_one_of_each_file_from_the_flank(player: int) -> None:
    place = Circle("shadow", player)
    target = place.enemy(None, (20, 24), models=12, files=4, facing=EAST + 1.5707963)
    battle = place.battle()
    place.cast(battle, PENDULUM, [5, 5, 1], at=0, then=[1, 1, 1, 1])
    assert faces(battle) == [1, 1, 1, 1] and target.row not in hits(battle)


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.penumbral-pendulum", "wap.magic.type.direct-damage.template")
def test_the_pendulum_goes_over_no_friend(player: int) -> None:
    place = Circle("shadow", player)
    place.enemy(square(base_mm=[50, 50]), (22, 24))
    assert place.can_cast(place.battle(), PENDULUM)
    place.friend(None, (15, 24))
    assert not place.can_cast(place.battle(), PENDULUM)
