"""Several characters under one spell: when soldiers or a wizard among them fall, and when they part."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from heroes import hero
from wizards import cast, knowing, let_be, wizard

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.effects import On, begin_effect, effects_of, rows_in_use
from wh_env.rulesets.wap.basics.traps import flees_or_pursues
from wh_env.rulesets.wap.casualties.removing import slay, suffer
from wh_env.rulesets.wap.characters.joining import stand_in
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.magic.in_play import end_spell, in_play
from wh_env.rulesets.wap.validity import contradictions
from wh_env.rulesets.wap.weapons.hit import Hit
from wh_env.rulesets.wap.weapons.saves import points_against, save_of
from wh_env.testing import script, told
from wh_env.testing.wap import RegimentScene, UnitHandle

PLAYERS = pytest.mark.parametrize("player", [0, 1])
JOIN = "wap.character.join.types"


def toughness(battle: Battle, units: Sequence[UnitHandle]) -> list[int]:
    """That of units now."""
    return [battle.lines.t[battle.units.first_line[unit]] for unit in units]


def sound(battle: Battle) -> bool:
    """Whether the state is one that a battle may have."""
    return not list(Validator(battle.setup).faults(battle)) and not list(contradictions(battle))


def bless(
    player: int, spell: str, *, soldiers: bool, lore: str = "life", late: bool = False
) -> tuple[Battle, list[UnitHandle], UnitHandle]:
    """A mage of ``player`` has cast a spell on a unit with two heroes, or on two heroes who are a unit. ``late``: the
    second has joined since. Returns the battle, the heroes, and the unit.
    """
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    at = {"inside": scene.unit(player, None, (36, 36), models=10)} if soldiers else {"at": (36.0, 36.0)}
    first = scene.unit(player, hero(t=3), models=1, **at)
    unit = at["inside"] if soldiers else first
    other = scene.unit(player, hero(t=3), (50, 36), models=1)
    mage = scene.unit(player, wizard(2, lore), (20, 36), models=1)
    scene.unit(1 - player, None, (36, 36 + sign * 20), models=10)

    def state(battle: Battle) -> None:
        knowing({mage: spell})(battle)
        if not late:
            stand_in(battle, other.row, unit.row, 0, JOIN)

    battle = scene.battle("magic", player=player, dice=[6, 6, 1, 1], detail="full", set_state=state)
    script(battle, [5, 5])
    cast(battle, mage, spell, unit, 2)
    let_be(battle)
    if late:
        stand_in(battle, other.row, unit.row, 0, JOIN)
    return battle, [first, other], unit


def leave_alone(battle: Battle, heroes: Sequence[UnitHandle], unit: UnitHandle) -> None:
    """The soldiers of their unit fall, if it has any."""
    if unit not in heroes:
        suffer(battle, unit.row, 10)


def part(battle: Battle, heroes: Sequence[UnitHandle]) -> None:
    """One of two characters who are a unit leaves the other."""
    step_out(battle, next(lord.row for lord in heroes if battle.units.bodyguard[lord] >= 0))


@PLAYERS
@pytest.mark.parametrize("soldiers", [True, False])
@pytest.mark.rule("wap.character.spells.unit-affected", "wap.character.unit-destroyed.new-unit")
def test_each_of_two_heroes_whose_unit_was_enchanted_is_under_the_spell(player: int, soldiers: bool) -> None:
    """When they part, and when either of them is slain."""
    battle, heroes, unit = bless(player, "Flesh to Stone", soldiers=soldiers)
    leave_alone(battle, heroes, unit)
    assert toughness(battle, heroes) == [5, 5] and sound(battle)
    for slain, left in (heroes, heroes[::-1]):
        copy = battle.clone()
        slay(copy, slain.model())
        assert toughness(copy, [left]) == [5] and sound(copy)
    part(battle, heroes)
    assert toughness(battle, heroes) == [5, 5] and sound(battle)


@PLAYERS
@pytest.mark.parametrize("soldiers", [True, False])
@pytest.mark.rule("wap.character.spells.unit-affected")
def test_who_has_joined_since_is_not(player: int, soldiers: bool) -> None:
    battle, heroes, unit = bless(player, "Flesh to Stone", soldiers=soldiers, late=True)
    assert toughness(battle, heroes) == [5, 5]
    leave_alone(battle, heroes, unit)
    part(battle, heroes)
    assert toughness(battle, heroes) == [5, 3]


@PLAYERS
@pytest.mark.rule("wap.magic.rip.lasting", "wap.character.unit-destroyed.new-unit")
def test_a_spell_in_play_on_both_ends_on_both(player: int) -> None:
    """It goes on when one is slain, and is over when the wizard ends it."""
    battle, heroes, unit = bless(player, "Shield of Thorns", soldiers=True)
    leave_alone(battle, heroes, unit)
    assert len(in_play(battle)) == 1 and len(list(rows_in_use(battle))) == 2
    ended = battle.clone()
    end_spell(ended, in_play(ended)[0], "wap.magic.rip.end")
    assert not list(rows_in_use(ended))
    slay(battle, heroes[0].model())
    assert len(in_play(battle)) == 1
    slay(battle, heroes[1].model())
    assert not in_play(battle)


@PLAYERS
@pytest.mark.rule("wap.lore.metal.plague-of-rust", "wap.character.unit-destroyed.new-unit")
def test_rust_on_a_unit_takes_one_point_from_two_heroes_who_are_left_of_it(player: int) -> None:
    """It adds up, and so would count twice if both had it."""
    scene = RegimentScene(size=(72, 72))
    unit = scene.unit(player, None, (36, 36), models=10)
    card = hero(equipment=["heavy armour"])
    heroes = [scene.unit(player, card, inside=unit, models=1) for _ in range(2)]
    foe = scene.unit(1 - player, wizard(2, "metal"), (8, 8), models=1)
    battle = scene.battle("magic", player=player, dice=[6, 6, 1, 1], detail="full")
    rust = next(n for n, effect in enumerate(effects_of(battle)) if effect.adds_up)

    def saves() -> list[int]:
        return [save_of(points_against(battle, lord.row, Hit(3), FRONT)) for lord in heroes]

    assert saves() == [4, 4]
    begin_effect(battle, rust, unit.row, 1 - player, foe.row)
    assert saves() == [5, 5]
    suffer(battle, unit.row, 10)
    assert saves() == [5, 5]


@PLAYERS
@pytest.mark.rule("wap.character.unit-destroyed.new-unit", "wap.magic.same-spell")
def test_there_is_room_for_the_spells_of_all_heroes(player: int) -> None:
    """The only wizard knows one spell, of which two castings last: on six heroes of two units."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    units = [scene.unit(player, None, (x, 36), models=10) for x in (24, 48)]
    heroes = [scene.unit(player, hero(t=3), inside=unit, models=1) for unit in units for _ in range(3)]
    mage = scene.unit(player, wizard(1, "beasts", spells=[0]), (36, 36 - sign * 6), models=1)
    scene.unit(1 - player, None, (36, 36 + sign * 20), models=10)
    battle = scene.battle("magic", player=player, dice=[6, 6, 1], detail="full")
    wildform = next(n for n, effect in enumerate(effects_of(battle)) if effect.on is On.UNIT)
    for unit in units:
        begin_effect(battle, wildform, unit.row, player, mage.row)
        suffer(battle, unit.row, 10)
    assert toughness(battle, heroes) == [4] * 6 and len(list(rows_in_use(battle))) == 6 and sound(battle)


# ---------------------------------------------------------------- a wizard and those with him


@PLAYERS
@pytest.mark.parametrize("bases", [(20, 25), (25, 20)])
@pytest.mark.parametrize("late", [True, False])
@pytest.mark.rule("wap.magic.duration.turns", "wap.character.spells.character-affected")
def test_who_was_with_a_wizard_that_is_slain_keeps_the_spell_and_takes_it_along(
    player: int, bases: tuple[int, int], late: bool
) -> None:
    """Wildform on himself and his unit; the soldiers fall, then he. ``bases``: whoever has the smaller one is the unit
    then. The hero who is left gives the spell to a unit that he joins.
    """
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, None, (36, 36), models=10)
    shaman = scene.unit(player, wizard(2, "beasts", base_mm=[bases[0]] * 2), inside=unit, models=1)
    where = {"at": (50, 36)} if late else {"inside": unit}
    lord = scene.unit(player, hero(t=3, base_mm=[bases[1]] * 2), models=1, **where)
    other = scene.unit(player, None, (12, 36), models=10)
    scene.unit(1 - player, None, (36, 36 + sign * 20), models=10)
    battle = scene.battle("magic", player=player, dice=[6, 6, 1, 1], detail="full", set_state=knowing({shaman: ""}))
    script(battle, [5, 5])
    cast(battle, shaman, "Wyssan's Wildform", unit, 2)
    let_be(battle)
    if late:
        stand_in(battle, lord.row, unit.row, 0, JOIN)
    suffer(battle, unit.row, 10)
    assert toughness(battle, [lord]) == [4]
    slay(battle, shaman.model())
    assert toughness(battle, [lord]) == [3 if late else 4]
    stand_in(battle, lord.row, other.row, 0, JOIN)
    assert toughness(battle, [lord, other]) == ([3, 3] if late else [4, 4]) and sound(battle)


@PLAYERS
@pytest.mark.rule("wap.character.spells.character-affected", "wap.magic.duration.turns")
def test_the_spell_of_a_wizard_on_himself_dies_with_him_in_a_unit_that_he_joined(player: int) -> None:
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, None, (36, 36), models=10)
    lord = scene.unit(player, hero(t=3), inside=unit, models=1)
    shaman = scene.unit(player, wizard(2, "beasts"), (50, 36), models=1)
    scene.unit(1 - player, None, (36, 36 + sign * 20), models=10)
    battle = scene.battle("magic", player=player, dice=[6, 6, 1, 1], detail="full", set_state=knowing({shaman: ""}))
    script(battle, [5, 5])
    cast(battle, shaman, "Wyssan's Wildform", shaman, 2)
    let_be(battle)
    stand_in(battle, shaman.row, unit.row, 0, JOIN)
    assert toughness(battle, [unit, lord]) == [4, 4]
    slay(battle, shaman.model())
    assert toughness(battle, [unit, lord]) == [3, 3] and not list(rows_in_use(battle))


@PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap", "wap.magic.same-spell")
def test_two_heroes_in_one_cage_are_burnt_once(player: int) -> None:
    """Each has it for himself when their soldiers have fallen; they move together."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, None, (36, 36), models=10)
    heroes = [scene.unit(player, hero(w=3), inside=unit, models=1) for _ in range(2)]
    mage = scene.unit(1 - player, wizard(4, "fire"), (36, 36 + sign * 20), models=1)
    battle = scene.battle("magic", player=player, dice=[6, 6, *[1] * 4], detail="full")
    cage = next(n for n, effect in enumerate(effects_of(battle)) if effect.trap is not None)
    begin_effect(battle, cage, unit.row, 1 - player, mage.row)
    suffer(battle, unit.row, 10)
    assert len(list(rows_in_use(battle))) == 2
    script(battle, [1] * 8)
    flees_or_pursues(battle, next(lord.row for lord in heroes if battle.units.bodyguard[lord] < 0))
    burnt = [event["unit"] for event in told(battle, "wap.lore.fire.flame-cage") if "target" not in event]
    assert sorted(burnt) == sorted(lord.row for lord in heroes) and not list(rows_in_use(battle))
