"""Spells that change dice on units with characters in them, and choices within a spell in unusual castings."""

from __future__ import annotations

import pytest
from arming import man, rider
from enchanting import Rite, cast, dice_for, end_magic, until, wizard
from heroes import hero
from heroes import rider as riding_hero

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.changed_dice import changes_of, hitting_under_effects, wounding_under_effects
from wh_env.rulesets.wap.basics.profiles import lines_of
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls
from wh_env.rulesets.wap.basics.special_rules import line_has, line_parameters, parameters
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.characters.joining import stand_in
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import MOUNTS, STOMPS, Phase
from wh_env.rulesets.wap.combat.impact_hits import impact_of
from wh_env.rulesets.wap.magic.casting import FreeCast
from wh_env.rulesets.wap.rule_book import ARMOUR_PIERCING, FLAMING_ATTACKS, REGENERATION
from wh_env.rulesets.wap.special.breath import breath_of
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.rulesets.wap.weapons.hit import Hit
from wh_env.rulesets.wap.weapons.saves import points_against
from wh_env.testing import choose, kind, pick, words
from wh_env.testing.play import script
from wh_env.testing.wap import UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])


def bonus(battle: Battle, *units: UnitHandle) -> list[int]:
    """What is added to the dice to hit of the units' own models."""
    return [hitting_under_effects(battle, battle.units.first_line[unit], 0) for unit in units]


@OWNERS
@pytest.mark.rule("wap.lore.metal.enchanted-blades-of-aiban", "wap.magic.type.augment.leaving")
def test_a_wizard_takes_the_spell_on_his_own_unit_with_him(owner: int) -> None:
    """Cast on the unit that he is in; he leaves: he alone has it. He joins another unit: that has it too."""
    rite = Rite("metal", owner, at=None)
    unit, other = rite.own(None, (18, 12), models=10), rite.own(None, (30, 12), models=10)
    mage = rite.own(wizard("metal"), None, models=1, inside=unit, post=1)
    battle = rite.battle()
    before = battle.state_bytes()
    cast(battle, "Enchanted Blades", unit, 9)
    assert bonus(battle, unit, mage, other) == [1, 1, 0]
    step_out(battle, mage.row)
    assert bonus(battle, unit, mage, other) == [0, 1, 0]
    stand_in(battle, mage.row, other.row, 1, "wap.character.join.types")
    assert bonus(battle, unit, mage, other) == [0, 1, 1]
    assert line_parameters(battle, battle.units.first_line[other], ARMOUR_PIERCING) == ("1",)
    assert battle.state_bytes() != before and list(Validator(battle.setup).faults(battle)) == []


@OWNERS
@pytest.mark.rule("wap.lore.fire.flaming-sword-of-rhuin", "wap.character.spells.character-affected")
def test_characters_in_an_enchanted_unit_have_what_it_has_but_no_mount_has(owner: int) -> None:
    rite = Rite("fire", owner)
    unit = rite.own(rider(), (18, 12), models=5)
    joined = rite.own(riding_hero(), None, models=1, inside=unit, post=1)
    battle = rite.battle()
    cast(battle, "Flaming Sword", unit, 8)
    for row in (unit.row, joined.row):
        found = [
            (
                battle.lines.kind[line] != MOUNTS,
                wounding_under_effects(battle, line),
                line_has(battle, line, FLAMING_ATTACKS),
            )
            for line in lines_of(battle, row)
        ]
        assert {(own, more == 1, burns) for own, more, burns in found} == {(True, True, True), (False, False, False)}
    step_out(battle, joined.row)
    assert [wounding_under_effects(battle, battle.units.first_line[u]) for u in (unit, joined)] == [1, 0]


@OWNERS
@pytest.mark.rule("wap.lore.metal.plague-of-rust", "wap.character.spells.character-affected")
def test_rust_on_a_lone_character_goes_with_him(owner: int) -> None:
    rite = Rite("metal", owner)
    lone = rite.enemy(hero(equipment=["heavy armour"]), (18, 24), models=1, files=1)
    unit = rite.enemy(man("heavy armour"), (26, 24), models=10)
    battle = rite.battle()
    cast(battle, "Plague of Rust", lone, 7)

    def points() -> list[int]:
        return [points_against(battle, row, Hit(3), 0) for row in (lone.row, unit.row)]

    alone, plain = points()
    assert alone == plain - 1
    stand_in(battle, lone.row, unit.row, 1, "wap.character.join.types")
    assert points() == [alone, plain - 1]
    step_out(battle, lone.row)
    assert points() == [alone, plain]
    assert list(Validator(battle.setup).faults(battle)) == []


@pytest.mark.rule("wap.lore.general.until-next-magic-phase", "wap.lore.light.phas-protection")
def test_protection_outlives_its_caster() -> None:
    rite = Rite("light")
    own = rite.own(None, (18, 12), models=5)
    rite.enemy(None, (40, 44), models=5)
    battle = rite.battle()
    cast(battle, "Pha's Protection", own, 6)
    assert rite.wizard is not None
    remove_unit(battle, rite.wizard.row)
    assert [dice.to_hit_against for dice in changes_of(battle, own.row)] == [-1]
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] == 1)
    assert [dice.to_hit_against for dice in changes_of(battle, own.row)] == [-1]
    until(battle, lambda b: b.clock.turn[0] == 0 and b.clock.phase[0] == Phase.MAGIC)
    assert changes_of(battle, own.row) == []


@pytest.mark.rule(
    "wap.magic.type.cumulative", "wap.lore.metal.transmutation-of-lead", "wap.lore.beasts.curse-of-anraheir"
)
def test_hexes_of_two_lores_add_up() -> None:
    rite = Rite("metal")
    other = rite.own(wizard("beasts"), (10, 14), models=1, files=1)
    foes = rite.enemy(None, (18, 24), models=5)
    battle = rite.battle(levels=8)
    cast(battle, "Transmutation of Lead", foes, 12)
    cast(battle, "Anraheir", foes, 9, by=other)
    assert bonus(battle, foes) == [-2]


@pytest.mark.rule("wap.lore.shadow.melkoths-mystifying-miasma")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_choice_is_asked_at_either_detail(detail: str) -> None:
    rite = Rite("shadow")
    foes = rite.enemy(None, (18, 24), models=5)
    battle = rite.battle(detail=detail)
    cast(battle, "Miasma", foes, 7, version="the version of 5+, I", then=[6])
    line = battle.units.first_line[foes]
    assert [battle.lines.ws[line], battle.lines.i[line]] == [3, 1]


@OWNERS
@pytest.mark.rule("wap.lore.shadow.melkoths-mystifying-miasma", "wap.magic.miscast.r4")
def test_the_choice_is_asked_if_the_spell_is_cast_without_dice(owner: int) -> None:
    """The base version, on one characteristic; never the boosted one."""
    rite = Rite("shadow", owner)
    foes = rite.enemy(None, (18, 24), models=5)
    battle = rite.battle()
    script(battle, [3])
    battle.push(FreeCast, owner, 6)
    battle.run()
    choose(battle, "own", 0)
    if kind(battle) == "cast-spell":
        pick(battle, "Miasma")
    assert kind(battle) == "spell-version"
    told = [each.rpartition("the version of 5+, ")[2] for each in words(battle).values()]
    assert told == ["WS", "BS", "I", "M"]
    pick(battle, "the version of 5+, M")
    if kind(battle) == "dispel-by":
        choose(battle, "done")
    assert battle.lines.m[battle.units.first_line[foes]] == 2


@pytest.mark.rule("wap.lore.shadow.melkoths-mystifying-miasma", "wap.magic.bound.base-version")
def test_a_bound_miasma_has_the_choice_and_no_boost() -> None:
    card = square(
        character=True, size=[1, 1], w=2, bound=[{"lore": "shadow", "spell": "Melkoth's Mystifying Miasma", "power": 4}]
    )
    rite = Rite("shadow", card=card)
    rite.enemy(None, (18, 24), models=5)
    battle = rite.battle(levels=0)
    choose(battle, "own", 0)
    dice = dice_for(14)
    script(battle, [*dice, 3])
    choose(battle, "number", len(dice) - 1)
    assert kind(battle) == "spell-version" and len(words(battle)) == 4


@pytest.mark.rule("wap.lore.life.earth-blood", "wap.building.magic.casting")
@pytest.mark.parametrize("own", [True, False])
def test_a_wizard_in_a_building_heals_his_garrison_or_another_unit(own: bool) -> None:
    rite = Rite("life", at=None)
    rite.scene.feature("building", [(14, 10), (22, 10), (22, 16), (14, 16)], storeys=1)
    unit = rite.own(None, (18, 5), models=10, garrison=0)
    other = rite.own(None, (18, 20), models=5)
    mage = rite.own(wizard("life"), None, models=1, inside=unit, post=1)
    battle = rite.battle()
    cast(battle, "Earth Blood", unit if own else other, 8)
    found = [parameters(battle, row.row, REGENERATION) for row in (unit, mage, other)]
    assert found == ([("5+",), ("5+",), ()] if own else [(), (), ("6+",)])


@pytest.mark.rule("wap.lore.heavens.harmonic-convergence")
def test_impact_hits_stomps_and_breath_roll_1s_to_wound_again() -> None:
    rite = Rite("heavens")
    beast = {"type": "monster", "base_mm": [50.8, 101.6], "w": 4}
    dragon = rite.own(square(rules=["Breath Attack (S4)", "Impact Hits (1)"], **beast), (18, 14), models=1, files=1)
    foes = rite.facing(dragon, None, models=5)
    battle = rite.battle()
    lines = list(lines_of(battle, dragon.row))
    stomps = next(line for line in lines if battle.lines.kind[line] == STOMPS)

    def found() -> list[Rerolls]:
        blows = [impact_of(battle, dragon.row, lines[0]), blow_of(battle, dragon.row, stomps, foes.row)]
        return [blow.hit.wound_rerolls for blow in (*blows, breath_of(battle, dragon.row, 0))]

    assert found() == [NONE] * 3
    cast(battle, "Harmonic", dragon, 6)
    assert found() == [Rerolls(ones=True)] * 3
