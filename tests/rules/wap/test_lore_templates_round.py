"""Spells with round templates: the Flame Storm, and the Pit of Shades."""

from __future__ import annotations

from math import hypot

import pytest

from tests.heroes import hero
from tests.spell_scenes import ARROW, HIT, WEST_LOT, Circle, hits, losses
from wh_env import Battle
from wh_env.rulesets.wap.shooting.spots import spot_of
from wh_env.testing import dice_left, kind, pick, script, slots, told
from wh_env.testing.wap import UnitHandle, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
STORM, PIT = "Flame Storm", "Pit of Shades"
STORM_RULE, PIT_RULE = "wap.lore.fire.flame-storm", "wap.lore.shadow.pit-of-shades"
CALM = [2, 2]  # dice of a Panic test that is passed
BIG = square(base_mm=[50, 50])


def spots(place: Circle, battle: Battle, target: UnitHandle) -> list[tuple[float, float]]:
    """The spots that are offered, as the wizard's player sees the table."""
    assert kind(battle) == "spell-place"
    return [place.there(*spot_of(battle, target.row, cell)) for cell in slots(battle, "cell")]


def aimed(place: Circle, spell: str) -> Battle:
    """A battle in which the wizard is about to place the template of a spell."""
    battle = place.battle()
    place.begin(battle, spell)
    return battle


# ---------------------------------------------------------------- where it may be placed


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.direct-damage.template")
def test_the_middle_lies_over_an_enemy_in_range(player: int) -> None:
    """A unit whose nearest base is 16" away: the middle lies on a base at 18" at most, the template reaches farther."""
    for spell, lore, far in ((PIT, "shadow", 24.0), (STORM, "fire", 30.0)):
        place = Circle(lore, player)
        x = 10 + far - 2
        target = place.enemy(None, (x, 24), models=25, files=5)
        battle = aimed(place, spell)
        offered = spots(place, battle, target)
        assert offered
        m = battle.models
        for cell in range(battle.setup.space.grid**2):
            px, py = spot_of(battle, target.row, cell)
            vx, vy = place.there(px, py)
            over = any(
                abs(m.x[k] - px) <= 0.5 + 1e-6 and abs(m.y[k] - py) <= 0.5 + 1e-6 for k in battle.members(target.row)
            )
            away = hypot(max(0.0, vx - 10.0), max(0.0, abs(vy - 24) - 0.5))
            assert (cell in slots(battle, "cell")) == (over and away <= far + 1e-6)
        assert max(vx for vx, _ in offered) <= 10 + far + 1e-6 < x + 5


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.direct-damage.template")
def test_the_template_reaches_models_beyond_the_range(player: int) -> None:
    """The middle of the large template lies 24" away; a model 26.4" away is under it, one 26.6" away is not."""
    for gap, struck in ((2.4, True), (2.6, False)):
        place = Circle("shadow", player)
        target = place.enemy(square(base_mm=[25.4, 25.4], i=3), (10 + 24 - 0.5, 24), models=1)
        behind = place.enemy(square(base_mm=[25.4, 25.4], i=3), (10 + 24 + gap, 24), models=1)
        battle = place.battle()
        place.begin(battle, PIT)
        place.aim(battle, target, (34.0, 24.0))
        place.roll(battle, [5, 5, 5], version="17+", then=[HIT, 0, 1, 1, 1, 1])
        tests = [event for event in told(battle, PIT_RULE) if "die" in event]
        assert [event["unit"] for event in tests] == [target.row] + [behind.row] * struck


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.direct-damage.template", "wap.lore.fire.flame-storm", "wap.lore.shadow.pit-of-shades")
def test_the_middle_lies_in_the_front_arc(player: int) -> None:
    for spell, lore in ((PIT, "shadow"), (STORM, "fire")):
        place = Circle(lore, player)
        flank = place.enemy(BIG, (10, 36))
        assert not place.can_cast(place.battle(), spell)
        astride = place.enemy(square(base_mm=[25.4, 25.4]), (20, 34.5), models=10, files=10)
        battle = aimed(place, spell)
        offered = spots(place, battle, astride)
        assert offered and all(x - 10 >= abs(y - 24) - 0.5 - 1e-6 for x, y in offered)
        assert flank.row >= 0 and len(offered) < battle.setup.space.grid**2


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.direct-damage.template", "wap.lore.fire.flame-storm")
def test_the_template_touches_no_friend_and_nobody_in_close_combat(player: int) -> None:
    """No sight is needed. A friend, and an enemy in close combat, stand beside a target."""
    place = Circle("fire", player)
    target = place.enemy(BIG, (30, 24))
    friend = place.friend(BIG, (30, 27))
    fighter = place.enemy(BIG, (30, 21))
    place.scene.beside(fighter, player, BIG, models=1)
    battle = aimed(place, STORM)
    offered = spots(place, battle, target)
    assert offered and friend.row >= 0 and fighter.row >= 0
    reach = 50 / 25.4 / 2
    assert {round(y, 4) for _, y in offered} <= {round(y, 4) for y in ys_within(battle, place, target)}
    assert all(y + 1.5 < 27 - reach and y - 1.5 > 21 + reach for _, y in offered)


def ys_within(battle: Battle, place: Circle, target: UnitHandle) -> set[float]:
    """All rows of the grid over a unit."""
    return {place.there(*spot_of(battle, target.row, cell))[1] for cell in range(battle.setup.space.grid**2)}


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.direct-damage.template")
def test_a_unit_in_close_combat_is_no_target(player: int) -> None:
    place = Circle("fire", player)
    fighter = place.enemy(BIG, (30, 24))
    place.scene.beside(fighter, player, BIG, models=1)
    assert not place.can_cast(place.battle(), STORM)


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.direct-damage.template", "wap.lore.general.boosted-version")
def test_a_larger_template_over_a_friend_is_not_offered(player: int) -> None:
    for gap, offered in ((3.0, True), (2.0, False)):
        place = Circle("shadow", player)
        target = place.enemy(square(), (30, 24), models=1)
        place.friend(square(), (30, 24 + gap), models=1)
        battle = place.battle()
        place.begin(battle, PIT)
        place.aim(battle, target, (30.1, 23.5))
        script(battle, [5, 5, 5, HIT, 0, 1, 1])
        pick(battle, "3 dice (", kind="spell-dice")
        assert (kind(battle) == "spell-version") == offered


# ---------------------------------------------------------------- the storm


def row_of_models(place: Circle, own: bool, x: float, number: int) -> UnitHandle:
    """A unit whose models stand one behind the other along the wizard's line of sight, from ``x`` on."""
    return place.unit(own, square(), (x, 24), models=number, files=1)


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-storm", "wap.magic.type.direct-damage.template")
def test_the_storm_hits_all_from_its_start_to_its_end(player: int) -> None:
    """The template lies over 5 models, then sweeps 4" on over 7 more, of which 2 are friends; with a Hit only the first
    are hit.
    """
    for die, far, others in ((ARROW, 4, True), (HIT, 4, False)):
        place = Circle("fire", player)
        target = place.enemy(square(base_mm=[15, 15]), (30, 24), models=5, files=5)
        friends = place.friend(square(base_mm=[15, 15]), (33, 24), models=2, files=2)
        beyond = place.enemy(square(base_mm=[15, 15]), (34.5, 24), models=5, files=5)
        battle = place.battle()
        number = 12 if others else 5
        place.cast(
            battle, STORM, [5, 5, 4], target=target, at=(30.2, 24), then=[die, 0, far, *[1] * number, *CALM, *CALM]
        )
        everyone = {target.row: 5, friends.row: 2, beyond.row: 5}
        assert hits(battle) == (everyone if others else {target.row: 5})
        landed = told(battle, STORM_RULE)[0]
        assert landed["far"] == (4.0 if others else 0.0) and landed["amount"] == number
        assert {event["needed"] for event in told(battle, "wap.shoot.wound.roll")} == {3}
        assert losses(battle) == {}


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-storm")
def test_a_stronger_storm_is_larger_and_goes_farther(player: int) -> None:
    """26+: the large template, 2D6 inches. Two models stand 2.4" from its middle and 9" on the way."""
    for version in ("13+", "26+"):
        place = Circle("fire", player)
        target = place.enemy(square(), (30, 24), models=1)
        beside = place.enemy(square(), (30.5, 24 + 2.4 + 0.5), models=1)
        along = place.enemy(square(), (30.5 + 9, 24), models=1)
        battle = place.battle(winds=(6, 6))
        dice = [5, 5, 5, 5, 4]
        place.begin(battle, STORM)
        place.aim(battle, target, (30.5, 24))
        large = version == "26+"
        then = [ARROW, 0, *([5, 4] if large else [6]), 1, 1, 1]
        place.roll(battle, dice, version=version, then=then)
        found = {target.row: 1, beside.row: 1, along.row: 1} if large else {target.row: 1}
        assert hits(battle) == found
        assert told(battle, STORM_RULE)[0]["far"] == (9.0 if large else 6.0)


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-storm")
def test_the_storm_is_flaming(player: int) -> None:
    place = Circle("fire", player)
    target = place.enemy(square(), (30, 24), models=9, files=9)
    battle = place.battle()
    place.cast(battle, STORM, [5, 5, 4], target=target, at=(30.5, 24), then=[HIT, 0, 1, 6, 1, 1, 1])
    assert losses(battle) == {target.row: 1} and battle.units.scorched[target] == 1


# ---------------------------------------------------------------- the pit


def faces(battle: Battle) -> list[int]:
    """The dice of Initiative tests."""
    return [event["die"] for event in told(battle, PIT_RULE) if "die" in event]


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.pit-of-shades")
def test_who_fails_an_initiative_test_falls_into_the_pit(player: int) -> None:
    """The template scatters 4" onto five models of Initiative 3, which roll 1 to 5: two fall, without armour saves and
    Regeneration. With a Hit it stays where it is, over the first unit.
    """
    tough = {"i": 3, "base_mm": [15, 15], "equipment": ["full plate armour"], "rules": ["Regeneration (4+)"]}
    for die, moved in ((ARROW, True), (HIT, False)):
        place = Circle("shadow", player)
        near = place.enemy(square(i=3), (30, 24), models=1)
        target = place.enemy(square(**tough), (34.3, 24), models=12, files=5)
        battle = place.battle()
        then = [die, 0, 4, *([1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 2, 2] if moved else [1])]
        place.cast(battle, PIT, [5, 5, 3], target=near, at=(30.4, 24), then=then)
        if moved:
            assert faces(battle)[:5] == [1, 2, 3, 4, 5]
            assert hits(battle, "spell wounds") == {target.row: 2}
            assert not told(battle, "wap.shoot.wound.roll") and not told(battle, "wap.shoot.save.roll")
            assert battle.units.alive[target] == 10
        else:
            assert faces(battle) == [1] and hits(battle, "spell wounds") in ({}, {near.row: 0})


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.pit-of-shades")
def test_ward_saves_help_against_the_pit_and_it_takes_several_wounds(player: int) -> None:
    """The base version D3 Wounds, the stronger one D6; a ward save of 4+ is tried."""
    for version, dice, lost in (("14+", [4, 3, 5], 3), ("14+", [4, 4], 0), ("17+", [4, 3, 5], 5)):
        place = Circle("shadow", player)
        target = place.enemy(square(i=3, w=6, rules=["Ward Save (4+)"]), (30, 24), models=1)
        battle = place.battle()
        scatter = [HIT, 0, 2] if version == "14+" else [HIT, 0, 2, 2]
        place.begin(battle, PIT)
        place.aim(battle, target, (30.5, 24))
        place.roll(battle, [5, 5, 5], version=version, then=[*scatter, *dice])
        assert losses(battle) == ({target.row: lost} if lost else {})
        assert dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.pit-of-shades")
def test_a_character_tests_for_himself_if_no_comrade_takes_his_place(player: int) -> None:
    """With five comrades or more one of them tests in his place (wap.character.look-out-sir.template)."""
    for comrades, alone in ((8, False), (4, True)):
        place = Circle("shadow", player)
        target = place.enemy(square(i=1), (30, 24), models=comrades, files=4)
        him = place.hero(False, hero(i=5, w=1), target, 1)
        battle = place.battle()
        place.begin(battle, PIT)
        place.aim(battle, target, place_of(place, battle, him))
        place.roll(battle, [5, 5, 3], then=[HIT, 0, 1, *[1] * 12])
        units = {event["unit"] for event in told(battle, PIT_RULE) if "die" in event}
        assert (him.row in units) == alone and target.row in units


def place_of(place: Circle, battle: Battle, unit: UnitHandle) -> tuple[float, float]:
    """Where the first model of a unit stands, as the wizard's player sees it."""
    return place.there(battle.models.x[unit.model()], battle.models.y[unit.model()])


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.pit-of-shades")
def test_the_wizard_falls_into_his_own_pit(player: int) -> None:
    """The template scatters back over its caster, who dies; the battle goes on."""
    place = Circle("shadow", player, values={"w": 1, "i": 1})
    place.friend(None, (4, 40))
    target = place.enemy(square(i=6), (14, 24), models=6, files=6)
    battle = place.battle()
    place.cast(battle, PIT, [5, 5, 3], target=target, at=(14.4, 24), then=[ARROW, WEST_LOT, 5, 6, 2])
    assert battle.units.alive[place.wizard] == 0
    assert kind(battle) != "cast-by"


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.shadow.pit-of-shades", "wap.lore.fire.flame-storm", "wap.building.magic.templates")
def test_a_template_over_a_building_strikes_a_die_of_its_garrison(player: int) -> None:
    """The pit: D6 models of the garrison test; the storm: D6 hits. The middle lies over the building."""
    for lore, spell, dice, then in (
        ("shadow", PIT, [5, 5, 3], [HIT, 0, 2, 4, 1, 2, 6, 6, 1, 1]),
        ("fire", STORM, [5, 5, 4], [HIT, 0, 2, 4, 1, 1, 1, 1]),
    ):
        place = Circle(lore, player)
        place.area("building", 26, 22, 30, 26, storeys=2)
        target = place.enemy(square(i=3), None, models=15, garrison=0)
        battle = place.battle()
        place.cast(battle, spell, dice, target=target, at=(28, 24), then=then)
        if spell == PIT:
            assert faces(battle) == [1, 2, 6, 6] and hits(battle, "spell wounds") == {target.row: 2}
        else:
            assert hits(battle) == {target.row: 4}


@BOTH_PLAYERS
@pytest.mark.rule("wap.building.magic.templates")
@pytest.mark.parametrize(("soldiers", "heroes"), [(1, 0), (2, 1), (5, 2)])
def test_a_spell_strikes_no_model_of_a_garrison_twice(player: int, soldiers: int, heroes: int) -> None:
    """D6 models, soldiers before characters: a 6 finds as many models as there are."""
    for lore, spell, dice, then in (
        ("shadow", PIT, [5, 5, 3], [HIT, 0, 2, 6] + [6] * 6),
        ("fire", STORM, [5, 5, 4], [HIT, 0, 2, 6]),
    ):
        place = Circle(lore, player)
        place.area("building", 26, 22, 30, 26, storeys=2)
        target = place.enemy(square(i=3), None, models=soldiers, garrison=0)
        lords = [place.hero(False, hero(w=9), target) for _ in range(heroes)]
        battle = place.battle()
        place.cast(battle, spell, dice, target=target, at=(28, 24), then=then)
        struck = {target.row: soldiers} | {lord.row: 1 for lord in lords[: 6 - soldiers]}
        assert hits(battle, "spell wounds" if spell == PIT else "spell hits") == struck
