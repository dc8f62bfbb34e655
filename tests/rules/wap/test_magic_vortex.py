"""Magical vortices: where they are placed, how they move, where they come to lie, how they end."""

from __future__ import annotations

from math import hypot, pi

import pytest

from tests.marching import ADVANCE, FORWARD, MOST, finish, go, leg
from tests.spell_scenes import ARROW, Circle, end_magic, hits, losses
from wh_env import Battle
from wh_env.rulesets.wap.basics.marks import put_mark, vortices
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import REAR
from wh_env.rulesets.wap.fleeing.flight import Flight, start_to_flee
from wh_env.rulesets.wap.magic.vortices import place_at
from wh_env.rulesets.wap.magic.wizards import spell_at
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told
from wh_env.testing.wap import EAST, WEST, UnitHandle, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
SUN, RULE = "The Purple Sun of Xereus", "wap.lore.death.purple-sun-of-xereus"  # fmt: skip
TWO, FOUR, SIX, EIGHT, TEN, MISFIRE = range(1, 7)  # faces of the artillery die
CAST = [5, 5, 3]


def death(player: int, **fields: object) -> Circle:
    """A wizard, and a friend and an enemy out of the way."""
    place = Circle("death", player, **fields)
    place.friend(square(), (4, 4), models=5)
    place.enemy(square(), (90, 4), models=5)
    return place


def sun(place: Circle, battle: Battle) -> tuple[float, float]:
    """Where the only vortex lies, as the wizard's player sees it."""
    (k,) = vortices(battle)
    x, y = place.there(battle.omens.x[k], battle.omens.y[k])
    return round(x, 4), round(y, 4)


def launch(place: Circle, battle: Battle, then: list[int], *, way: float = 0, version: str = "") -> None:
    """Cast the Purple Sun straight ahead; it moves in a direction (degrees) with the dice ``then``."""
    place.begin(battle, SUN)
    place.roll(battle, CAST if not version else [5, 5, 5, 5, 3], then=then, version=version)
    if kind(battle) == "vortex-place":
        battle.apply(battle.setup.space.angle + place.slot(battle, 0))
    assert kind(battle) == "vortex-way"
    battle.apply(battle.setup.space.angle + place.slot(battle, way))


def to_magic(battle: Battle, player: int) -> None:
    """Play on to the next Magic phase of a player, who is first asked whether the vortex is kept up."""
    while battle.clock.turn[0] != player or kind(battle) != "end-spell":
        script(battle, [1] * 80)
        battle.apply(0 if battle.legal()[0] else battle.first_legal())


def end_of_magic(battle: Battle, player: int, dice: list[int]) -> None:
    """Play on to the end of a player's next Magic phase, with these dice there."""
    to_magic(battle, player)
    script(battle, [*[1] * 6, *dice])  # winds of 2, and a wizard who channels nothing
    while kind(battle) in ("end-spell", "dispel-in-play", "cast-by"):
        battle.apply(0)


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.vortex")
def test_a_vortex_touches_the_wizard_and_its_middle_lies_in_his_front_arc(player: int) -> None:
    """A small template straight ahead has its middle 1.5" before his base."""
    place = death(player)
    battle = place.battle()
    place.begin(battle, SUN)
    place.roll(battle, CAST, then=[])
    assert kind(battle) == "vortex-place"
    angles = battle.setup.space.angles
    turned = 180 if player else 0
    found = {(slot * 360 // angles + turned + 180) % 360 - 180 for slot in slots(battle, "angle")}
    assert found == {-45, -30, -15, 0, 15, 30, 45}
    for slot in slots(battle, "angle"):
        x, y = place.there(*place_at(battle, place.wizard.row, 1.5, slot))
        gap = hypot(max(0.0, x - 10.0), max(0.0, abs(y - 24) - 0.5))
        assert gap == pytest.approx(1.5) and x - 10 >= abs(y - 24) - 0.5 - 1e-6
    x, y = place.there(*place_at(battle, place.wizard.row, 1.5, place.slot(battle, 0)))
    assert (round(x, 4), round(y, 4)) == (11.5, 24.0)


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.vortex")
def test_a_vortex_is_placed_over_no_friend(player: int) -> None:
    place = death(player)
    place.friend(square(base_mm=[25.4, 25.4]), (12, 26.5), models=1)
    battle = place.battle()
    place.begin(battle, SUN)
    place.roll(battle, CAST, then=[])
    turned = 180 if player else 0
    angles = battle.setup.space.angles
    found = {(slot * 360 // angles + turned + 180) % 360 - 180 for slot in slots(battle, "angle")}
    assert found == {-45, -30, -15, 0, 15}
    place = death(player)
    place.friend(square(base_mm=[254, 25.4]), (10.6, 24), models=1)
    assert not place.can_cast(place.battle(), SUN)


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.vortex")
@pytest.mark.parametrize("fights", [False, True])
def test_a_vortex_is_placed_over_nobody_in_close_combat(player: int, fights: bool) -> None:
    """An enemy stands where the template would lie on the wizard's left; it is spared only if it fights."""
    place = death(player)
    enemy = place.enemy(square(base_mm=[25.4, 25.4]), (12, 26.5), models=1)
    if fights:
        place.scene.beside(enemy, player, square(base_mm=[25.4, 25.4]), models=1, side=REAR)
    battle = place.battle()
    place.begin(battle, SUN)
    place.roll(battle, CAST, then=[])
    assert bool(battle.units.fights[enemy]) is fights
    turned, angles = 180 if player else 0, battle.setup.space.angles
    found = {(slot * 360 // angles + turned + 180) % 360 - 180 for slot in slots(battle, "angle")}
    assert found == {-45, -30, -15, 0, 15} | (set() if fights else {30, 45})


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.vortex", "wap.building.magic.casting")
def test_a_wizard_in_a_building_places_a_vortex_on_any_side_of_it(player: int) -> None:
    """The Sun spares the garrison that he is in as it sets out. The building reaches from x = 6 to 12."""
    for degrees, end in ((0, 31.5), (180, -13.5)):
        place = Circle("death", player)
        place.area("building", 6, 20, 12, 28, storeys=2)
        host = place.unit(True, square(i=1), None, models=10, garrison=0)
        place.wizard.at, place.wizard.inside = None, host
        target = place.enemy(square(i=6), (20, 24), models=1)
        place.enemy(square(), (90, 4), models=5)
        battle = place.battle()
        place.begin(battle, SUN)
        place.roll(battle, CAST, then=[SIX, 1])
        assert kind(battle) == "vortex-place" and len(slots(battle, "angle")) == battle.setup.space.angles
        battle.apply(battle.setup.space.angle + place.slot(battle, degrees))
        battle.apply(battle.setup.space.angle + place.slot(battle, degrees))
        tests = [event["unit"] for event in told(battle, RULE) if "die" in event]
        assert tests == ([target.row] if end > 0 else [])
        assert vortices(battle) == [] if end < 0 else sun(place, battle) == (end, 24.0)


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.death.purple-sun-of-xereus")
def test_the_sun_moves_three_times_the_artillery_die(player: int) -> None:
    """6: 18". A model of Initiative 3 that rolls a 4 loses D3 Wounds, without armour saves and Regeneration; one beside
    the way does not test.
    """
    tough = square(i=3, w=4, equipment=["full plate armour"], rules=["Regeneration (4+)"])
    place = death(player)
    target = place.enemy(tough, (20, 24), models=1)
    beside = place.enemy(tough, (22, 24 + 1.5 + 0.6), models=1)
    beyond = place.enemy(tough, (11.5 + 18 + 1.6, 24), models=1)
    battle = place.battle()
    launch(place, battle, [SIX, 4, 3])
    assert losses(battle) == {target.row: 2} and dice_left(battle) == 0
    assert hits(battle, "spell wounds") == {target.row: 1} and beside.row >= 0 and beyond.row >= 0
    assert sun(place, battle) == (29.5, 24.0)
    assert told(battle, "wap.magic.type.vortex.persists")[0]["far"] == 18


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.death.attribute-life-leeching")
@pytest.mark.parametrize(("left", "wounds", "dice"), [(1, 6, [6, 1, 6]), (3, 2, [6]), (3, 6, [6, 6, 6])])
def test_models_that_the_sun_slays_bring_dice_for_all_their_wounds(
    player: int, left: int, wounds: int, dice: list[int]
) -> None:
    """A model of three Wounds that is slain brings three dice, though it had lost two before; one that loses a Wound
    brings one.
    """
    place = death(player)
    target = place.enemy(square(i=3, w=3), (20, 24), models=1)

    def hurt(battle: Battle) -> None:
        battle.models.wounds[target.model()] = left

    battle = place.battle(set_state=hurt)
    before = battle.pools.dice[player] - len(CAST)
    launch(place, battle, [SIX, 4, wounds, *dice])
    (leeched,) = told(battle, "wap.lore.death.attribute-life-leeching")
    assert leeched["rolls"] == tuple(dice) and dice_left(battle) == 0
    assert battle.pools.dice[player] == before + dice.count(6)
    assert battle.units.alive[target] == (wounds < 5)


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.death.purple-sun-of-xereus")
def test_on_a_misfire_the_sun_goes_astray_from_the_wizard(player: int) -> None:
    """Centred on him, 4" along the arrow of the scatter die; he tests first."""
    for face in (ARROW, 5):  # a Hit has a small arrow
        place = death(player, values={"i": 3, "w": 3})
        battle = place.battle()
        launch(place, battle, [MISFIRE, face, 60, 4, 2])
        assert sun(place, battle) == (9.5, 28.0) and losses(battle) == {}
        tests = [event["unit"] for event in told(battle, RULE) if "die" in event]
        assert tests == [place.wizard.row]


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.death.purple-sun-of-xereus", "wap.magic.type.vortex.rip")
def test_a_vortex_ends_with_its_caster(player: int) -> None:
    """He falls to his own Sun, or is slain later: it is removed at once."""
    place = death(player, values={"i": 1, "w": 1})
    battle = place.battle()
    launch(place, battle, [MISFIRE, ARROW, 60, 4, 6, 3])
    assert battle.units.alive[place.wizard] == 0 and vortices(battle) == []
    place = death(player)
    battle = place.battle()
    launch(place, battle, [TWO])
    assert len(vortices(battle)) == 1
    slay(battle, place.wizard.model())
    assert vortices(battle) == []


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.death.purple-sun-of-xereus")
def test_a_stronger_sun_is_larger(player: int) -> None:
    place = death(player)
    beside = place.enemy(square(i=6), (20, 24 + 2.4 + 0.5), models=1)
    battle = place.battle(winds=(6, 6))
    launch(place, battle, [SIX, 6, 1], version="25+")
    assert [event["unit"] for event in told(battle, RULE) if "die" in event] == [beside.row]
    assert battle.omens.radius[vortices(battle)[0]] == 2.5


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.vortex.ends-on-unit")
def test_a_vortex_that_stops_on_a_unit_is_put_an_inch_beyond_it(player: int) -> None:
    """It stops over the second of five ranks, which reach to x = 22.5: its western edge lies at 23.5. The models it has
    passed over test, those farther east do not. Half an inch before a unit it stays where it is.
    """
    place = death(player)
    target = place.enemy(square(i=6), (19.5, 24), models=5, files=1)
    battle = place.battle()
    launch(place, battle, [TWO])  # from 11.5 to 17.5: it touches to 19.0
    assert sun(place, battle) == (17.5, 24.0)
    assert not [event for event in told(battle, RULE) if "die" in event] and target.row >= 0
    place = death(player)
    target = place.enemy(square(i=6), (17.5, 24), models=5, files=1)
    battle = place.battle()
    launch(place, battle, [TWO, 1, 1, 1, 1, 1])
    tests = [event["unit"] for event in told(battle, RULE) if "die" in event]
    assert tests == [target.row] * 2
    assert sun(place, battle) == (22.5 + 1 + 1.5, 24.0)


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.vortex.persists", "wap.lore.death.purple-sun-of-xereus.later-moves")
def test_a_vortex_moves_at_the_end_of_every_later_magic_phase(player: int) -> None:
    """8" along the arrow at the end of the opponent's phase, 2" at the end of the caster's; it is removed once it is
    off the table, or on a misfire.
    """
    place = death(player)
    battle = place.battle()
    launch(place, battle, [SIX])
    end_magic(battle)
    assert sun(place, battle) == (29.5, 24.0)  # not at the end of the phase in which it was cast
    end_of_magic(battle, 1 - player, [EIGHT, ARROW, 60, *[1] * 30])
    assert sun(place, battle) == (29.5, 32.0)
    end_of_magic(battle, player, [TWO, 6, 0, *[1] * 30])
    assert sun(place, battle) == (31.5, 32.0)
    gone = battle.clone()
    end_of_magic(gone, 1 - player, [MISFIRE, *[1] * 30])
    assert vortices(gone) == []
    battle.omens.y[vortices(battle)[0]] = place.there(0, 44)[1]
    end_of_magic(battle, 1 - player, [EIGHT, ARROW, 60, *[1] * 30])
    assert vortices(battle) == []


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.vortex.rip")
def test_a_vortex_may_be_dispelled_later(player: int) -> None:
    """On its casting value, 15, in a later Magic phase."""
    place = death(player)
    battle = place.battle()
    launch(place, battle, [TWO])
    end_magic(battle)
    to_magic(battle, 1 - player)
    script(battle, [6, 5, 1, 1, 1, 1])
    battle.apply(0)
    script(battle, [5, 5, 5])
    pick(battle, f"dispel {SUN}", kind="cast-by")
    if kind(battle) == "dispel-by":
        pick(battle, "the army dispels")
    pick(battle, "3 dice (", kind="dispel-dice")
    assert vortices(battle) == []
    assert told(battle, "wap.magic.dispel.value")[-1]["needed"] == 15


def before_a_vortex(
    player: int, x: float, y: float, *, facing: float, front: tuple[float, float]
) -> tuple[Circle, UnitHandle, Battle]:
    """A unit of the enemy in its Movement phase, and a vortex with its middle at (x, y)."""
    place = death(player)
    unit = place.enemy(square(i=3), front, models=10, files=5, facing=facing)

    def lay(battle: Battle) -> None:
        row = next(row for row in range(len(battle.spellbook.unit)) if spell_at(battle, row).name == SUN)
        put_mark(battle, row, 0, *place.there(x, y), 1.5)

    battle = place.scene.battle("movement", player=1 - player, detail="full", set_state=lay)
    return place, unit, battle


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.vortex.no-entry")
def test_nobody_walks_into_a_vortex(player: int) -> None:
    """Its edge lies 2.5" ahead of a unit of Movement 4: it goes no farther, and no base touches the template."""
    place, unit, battle = before_a_vortex(player, 36, 24, facing=WEST, front=(40, 24))
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, MOST)
    finish(battle)
    x, _ = place.there(battle.units.x[unit], battle.units.y[unit])
    assert 37.5 < x <= 37.6


@BOTH_PLAYERS
@pytest.mark.rule("wap.magic.type.vortex.forced")
def test_whoever_flees_into_a_vortex_suffers_and_ends_beyond_it(player: int) -> None:
    """The unit flees 10" from x = 40 through a vortex from 35 to 32: models on its way test, the two that roll a 4 are
    slain, and its rear ends an inch beyond, at 31.
    """
    place, unit, battle = before_a_vortex(player, 33.5, 24, facing=EAST, front=(41, 24))
    script(battle, [5, 5, 4, 4, *[1] * 20])
    start_to_flee(battle, unit.row, battle.units.facing[unit] + pi, "wap.panic.direction.other")
    battle.push(Flight, unit.row)
    battle.run()
    assert [event["die"] for event in told(battle, RULE) if "die" in event][:3] == [4, 4, 1]
    assert hits(battle, "spell wounds") == {unit.row: 2} and battle.units.alive[unit] == 8
    x, _ = place.there(battle.units.x[unit], battle.units.y[unit])
    assert x == pytest.approx(31.0 - 2.0)


@BOTH_PLAYERS
def test_nobody_rolls_an_artillery_die_or_a_scatter_die_again(player: int) -> None:
    """The wizard may roll a die again in this phase: he is asked after the dice of his casting roll. The artillery die
    that sends the Sun astray stands, and so does the scatter die.
    """
    place = death(player)
    battle = place.battle()
    battle.wizards.fate[place.wizard] = 1
    place.begin(battle, SUN)
    script(battle, [*CAST, MISFIRE, ARROW, 60, 4])
    pick(battle, "3 dice (", kind="spell-dice")
    assert kind(battle) == "fate-die" and battle.wizards.fate[place.wizard] == 1
    choose(battle, "done")
    if kind(battle) == "dispel-by":
        pick(battle, "let it be")
    if kind(battle) == "vortex-place":
        battle.apply(battle.setup.space.angle + place.slot(battle, 0))
    assert kind(battle) == "vortex-way"
    battle.apply(battle.setup.space.angle + place.slot(battle, 0))
    assert kind(battle) != "fate-die" and battle.wizards.fate[place.wizard] == 1
    assert sun(place, battle) == (9.5, 28.0)
