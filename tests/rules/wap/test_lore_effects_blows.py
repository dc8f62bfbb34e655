"""Spells that change blows: dice to hit and to wound, Strength, the order of strikes."""

from __future__ import annotations

import pytest
from arming import man, rider
from enchanting import LEVEL, POOL, Rite, cast, end_magic, until, wizard

from wh_env import Battle
from wh_env.rulesets.wap.basics.changed_dice import changes_of, hitting_under_effects
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.weapons.blows import FIRST, ORDINARY, blow_of, tier_of
from wh_env.testing import dice_left, told
from wh_env.testing.play import script
from wh_env.testing.wap import UnitHandle, fight

OWNERS = pytest.mark.parametrize("owner", [0, 1])
HITS, WOUNDS, SAVES = "wap.combat.hit.roll", "wap.combat.wound.roll", "wap.shoot.save.roll"


def strike_round(battle: Battle, unit: UnitHandle, dice: list[int]) -> None:
    """Fight a round of the unit's combat."""
    script(battle, dice)
    battle.events.clear()
    fight(battle, unit)


def rolls(battle: Battle, rule: str, unit: UnitHandle) -> list[tuple[int, int]]:
    """(needed, result) of each roll of a unit."""
    return [(data["needed"], data["result"]) for data in told(battle, rule) if data["unit"] == unit.row]


def armour(battle: Battle, unit: UnitHandle) -> list[int]:
    """What the armour saves of a unit needed."""
    return [data["needed"][0] for data in told(battle, SAVES) if data["unit"] == unit.row]


@OWNERS
@pytest.mark.rule("wap.lore.fire.flaming-sword-of-rhuin")
def test_the_flaming_sword_wounds_more_easily(owner: int) -> None:
    """Strength 3 against Toughness 4: 4+ in place of 5+; a 1 fails. Ether saves on 5+ against its magic."""
    rite = Rite("fire", owner)
    spears = rite.own(man(ws=4, s=3, i=5), models=5)
    foes = rite.facing(spears, man(t=4, i=1, rules=["Ethereal"]), models=5)
    battle = rite.battle()
    cast(battle, "Flaming Sword", spears, 8)
    strike_round(battle, spears, [6, 6, 6, 6, 6, 4, 4, 3, 1, 6, 5, 4, 1])
    assert rolls(battle, WOUNDS, spears) == [(4, 3)]
    assert [data["needed"][1] for data in told(battle, SAVES) if data["unit"] == foes.row] == [5]
    assert battle.units.alive[foes] == 3


@pytest.mark.rule("wap.lore.fire.flaming-sword-of-rhuin")
@pytest.mark.parametrize("enchanted", [False, True])
def test_only_the_enchanted_wound_more_easily_and_burn(enchanted: bool) -> None:
    """Their mounts do neither, nor does anybody without the spell. Fire goes past Regeneration."""
    rite = Rite("fire")
    riders = rite.own(rider(ws=6, s=3, i=5), models=2, files=2)
    foes = rite.facing(riders, man(t=4, i=1, rules=["Regeneration (4+)"]), models=5)
    battle = rite.battle()
    if enchanted:
        cast(battle, "Flaming Sword", riders, 8)
    # riders: two hits, a 4 and a 3 to wound; then mounts: two hits, 6 and 4 to wound
    strike_round(battle, riders, [4, 4, 4, 3, 4, 4, 6, 4, 4])
    assert rolls(battle, WOUNDS, riders) == ([(4, 1), (5, 1)] if enchanted else [(5, 0), (5, 1)])
    # the mount's wound is regenerated on a 4, the rider's cannot be
    assert battle.units.alive[foes] == (4 if enchanted else 5)


@OWNERS
@pytest.mark.rule("wap.lore.metal.enchanted-blades-of-aiban")
def test_enchanted_blades_hit_more_easily_and_pierce(owner: int) -> None:
    """3+ in place of 4+, and a save of 5+ becomes 6+."""
    rite = Rite("metal", owner)
    swords = rite.own(man(i=5), models=5)
    foes = rite.facing(swords, man("light armour", "shield", i=1), models=5)
    battle = rite.battle()
    cast(battle, "Enchanted Blades", swords, 9)
    strike_round(battle, swords, [3, 3, 3, 2, 1, 4, 4, 1, 6, 5])
    assert rolls(battle, HITS, swords) == [(3, 3)]
    assert armour(battle, foes) == [6] and battle.units.alive[foes] == 4


@pytest.mark.rule("wap.lore.metal.enchanted-blades-of-aiban")
def test_mounts_do_not_have_enchanted_blades() -> None:
    rite = Rite("metal")
    riders = rite.own(rider(i=5), models=2, files=2)
    foes = rite.facing(riders, man("light armour", "shield", i=1), models=5)
    battle = rite.battle()
    cast(battle, "Enchanted Blades", riders, 9)
    strike_round(battle, riders, [3, 2, 4, 5, 4, 3, 4, 5])
    assert rolls(battle, HITS, riders) == [(3, 1), (4, 1)] and armour(battle, foes) == [6, 5]


@OWNERS
@pytest.mark.rule("wap.lore.beasts.curse-of-anraheir")
@pytest.mark.parametrize("cursed", [False, True])
def test_the_cursed_hit_less_easily(owner: int, cursed: bool) -> None:
    """Weapon Skill 4 against 4: 5+ in place of 4+; a 6 always hits."""
    rite = Rite("beasts", owner)
    foes = rite.enemy(man(ws=4, i=5), (18, 20), models=5)
    own = rite.facing(foes, man(ws=4, i=1), own=True, models=5)
    battle = rite.battle()
    if cursed:
        cast(battle, "Anraheir", foes, 9)
    strike_round(battle, own, [4, 4, 5, 6, 1])
    assert rolls(battle, HITS, foes) == [(5, 2) if cursed else (4, 4)]


@pytest.mark.rule("wap.lore.beasts.curse-of-anraheir")
def test_a_6_hits_whatever_is_needed() -> None:
    rite = Rite("beasts")
    foes = rite.enemy(man(ws=1, i=5), (18, 20), models=5)
    own = rite.facing(foes, man(ws=9, i=1), own=True, models=5)
    battle = rite.battle()
    cast(battle, "Anraheir", foes, 9)
    strike_round(battle, own, [5, 5, 6, 5, 5])
    assert rolls(battle, HITS, foes) == [(6, 1)]


@pytest.mark.rule("wap.lore.beasts.curse-of-anraheir", "wap.profile.zero.ws")
def test_models_without_skill_are_hit_without_dice_by_the_cursed() -> None:
    rite = Rite("beasts")
    foes = rite.enemy(man(i=5), (18, 20), models=5)
    own = rite.facing(foes, man(ws=0, i=1), own=True, models=5)
    battle = rite.battle()
    cast(battle, "Anraheir", foes, 9)
    strike_round(battle, own, [4, 1, 1, 1, 1])
    assert rolls(battle, WOUNDS, foes) == [(4, 1)]


@OWNERS
@pytest.mark.rule("wap.lore.metal.transmutation-of-lead")
@pytest.mark.parametrize("leaden", [False, True])
def test_lead_makes_a_unit_clumsy_slow_and_unprotected(owner: int, leaden: bool) -> None:
    """It hits on 5+ in place of 4+, strikes at Initiative 2 in place of 3, and saves on 6+ in place of 5+."""
    rite = Rite("metal", owner)
    foes = rite.enemy(man("light armour", "shield", i=3), (18, 20), models=10)
    own = rite.facing(foes, man(i=3), own=True, models=5)
    battle = rite.battle()
    if leaden:
        cast(battle, "Transmutation of Lead", foes, 12)
    strike_round(battle, own, [4] * 40)
    assert [data["initiative"] for data in told(battle, "wap.combat.order.initiative")] == ([3, 2] if leaden else [3])
    assert rolls(battle, HITS, foes)[0][0] == (5 if leaden else 4)
    assert armour(battle, foes) == [6 if leaden else 5]


@OWNERS
@pytest.mark.rule("wap.lore.light.phas-protection")
def test_the_protected_are_hit_less_easily(owner: int) -> None:
    """Weapon Skill 4 against 4 hits on 5+ in place of 4+."""
    rite = Rite("light", owner)
    own = rite.own(man(ws=4, i=1), models=5)
    foes = rite.facing(own, man(ws=4, i=5), models=5)
    battle = rite.battle()
    cast(battle, "Pha's Protection", own, 6)
    strike_round(battle, own, [4, 4, 5, 6, 1])
    assert rolls(battle, HITS, foes) == [(5, 2)]


@pytest.mark.rule("wap.lore.light.phas-protection")
@pytest.mark.parametrize(("total", "far"), [(6, 1), (12, 2)])
def test_all_units_near_the_wizard_are_protected_if_boosted(total: int, far: int) -> None:
    rite = Rite("light")
    own = rite.own(None, (18, 12), models=5)
    other = rite.own(None, (10, 20), models=5)
    away = rite.own(None, (40, 40), models=5)
    battle = rite.battle()
    cast(battle, "Pha's Protection", own, total, version="12+")
    line = battle.units.first_line[away]
    assert [hitting_under_effects(battle, line, unit.row) for unit in (own, other, away)] == [-1, 1 - far, 0]


@OWNERS
@pytest.mark.rule("wap.lore.light.speed-of-light")
@pytest.mark.parametrize(("initiative", "again"), [(3, True), (5, False)])
def test_the_quick_strike_first(owner: int, initiative: int, again: bool) -> None:
    """Initiative 3 under the spell: before Initiative 3 with re-rolls of misses, before Initiative 5 without."""
    rite = Rite("light", owner)
    own = rite.own(man(i=3), models=5)
    rite.facing(own, man(i=initiative), models=5)
    battle = rite.battle()
    cast(battle, "Speed of Light", own, 8)
    strike_round(battle, own, [4, 4, 3, 3, 3, *([4, 3, 3] if again else []), 1, 1, 1])
    first = told(battle, "wap.combat.order.initiative")[0]
    assert (first["step"], first["initiative"]) == ("first", 3)
    assert rolls(battle, HITS, own) == [(4, 3 if again else 2)]


@pytest.mark.rule("wap.lore.light.speed-of-light")
def test_all_units_near_the_wizard_are_quick_if_boosted() -> None:
    rite = Rite("light")
    units = [rite.own(None, at, models=5) for at in ((18, 12), (10, 20), (40, 40))]
    battle = rite.battle()
    cast(battle, "Speed of Light", units[0], 16, version="16+")
    tiers = [tier_of(battle, battle.units.first_line[unit]) for unit in units]
    assert tiers == [FIRST, FIRST, ORDINARY]


@OWNERS
@pytest.mark.rule("wap.lore.shadow.okkams-mindrazor")
def test_minds_cut_deeper_than_halberds(owner: int) -> None:
    """Leadership 8 against Toughness 4 wounds on 2+; the save of 3+ is worsened by 5, so there is none."""
    rite = Rite("shadow", owner)
    own = rite.own(man("halberd (polearm)", i=5, ld=8), models=5)
    foes = rite.facing(own, man("full plate armour", t=4, i=1), models=5)
    battle = rite.battle()
    cast(battle, "Mindrazor", own, 18)
    strike_round(battle, own, [4, 4, 4, 1, 1, 2, 2, 1])
    assert rolls(battle, WOUNDS, own) == [(2, 2)] and armour(battle, foes) == []
    assert battle.units.alive[foes] == 3


@pytest.mark.rule("wap.lore.shadow.okkams-mindrazor")
@pytest.mark.parametrize("cut", [False, True])
def test_the_armour_is_modified_by_the_value_used_and_mounts_have_none(cut: bool) -> None:
    """Leadership 5 takes two off the save where Strength 3 takes nothing; mounts strike with their own Strength."""
    rite = Rite("shadow")
    own = rite.own(rider(i=5, ld=5), models=2, files=2)
    foes = rite.facing(own, man("full plate armour", t=4, i=1), models=5)
    battle = rite.battle()
    if cut:
        cast(battle, "Mindrazor", own, 18)
    strike_round(battle, own, [4, 4, 5, 5, 1, 1, 4, 4, 5, 5, 1, 1])
    assert rolls(battle, WOUNDS, own) == [(3 if cut else 5, 2), (5, 2)]
    plain = armour(battle, foes)
    assert plain[1] == 3 and plain[0] == (5 if cut else 3)


@pytest.mark.rule("wap.lore.shadow.okkams-mindrazor")
def test_each_model_uses_its_own_leadership() -> None:
    """A hero of Leadership 9 in the unit does not lend it to the soldiers of Leadership 6."""
    rite = Rite("shadow")
    own = rite.own(man(ld=6), models=5)
    hero = rite.own(man(ld=9, character=True, size=[1, 1]), None, models=1, inside=own, post=1)
    foes = rite.facing(own, None, models=5)
    battle = rite.battle()
    cast(battle, "Mindrazor", own, 18)
    lines = battle.units.first_line
    found = [blow_of(battle, own.row, lines[unit], foes.row).strength for unit in (own, hero)]
    assert found == [6, 9]


@OWNERS
@pytest.mark.rule("wap.lore.heavens.harmonic-convergence", "wap.core.reroll.once")
def test_ones_to_hit_are_rolled_again(owner: int) -> None:
    """1, 1, 3, 4, 6 on 4+, the 1s again as 5 and 1: three hits. A die is rolled again once."""
    rite = Rite("heavens", owner)
    own = rite.own(man(i=5), models=5)
    rite.facing(own, man(i=1), models=5)
    battle = rite.battle()
    cast(battle, "Harmonic", own, 6)
    strike_round(battle, own, [1, 1, 3, 4, 6, 5, 1, 2, 2, 2])
    assert rolls(battle, HITS, own) == [(4, 3)]


@pytest.mark.rule("wap.lore.heavens.harmonic-convergence")
def test_ones_to_wound_and_of_armour_saves_are_rolled_again() -> None:
    rite = Rite("heavens")
    own = rite.own(man("light armour", i=5), models=5)
    foes = rite.facing(own, man(i=1), models=5)
    battle = rite.battle()
    cast(battle, "Harmonic", own, 6)
    # own: five hits; 1, 2, 4, 4, 4 to wound, the 1 again as a 5; then one foe: a hit, a wound, a save of 1 again as 6
    strike_round(battle, own, [4, 4, 4, 4, 4, 1, 2, 4, 4, 4, 5, 4, 4, 1, 6])
    assert rolls(battle, WOUNDS, own) == [(4, 4)] and battle.units.alive[foes] == 1
    assert battle.units.alive[own] == 5 and not dice_left(battle)


@OWNERS
@pytest.mark.rule("wap.lore.heavens.curse-of-the-midnight-wind")
def test_sixes_to_hit_are_rolled_again(owner: int) -> None:
    """6, 6, 4, 3 on 4+, the sixes again as 5 and 2: two hits. A 6 of the second roll stands."""
    rite = Rite("heavens", owner)
    foes = rite.enemy(man(i=5), (18, 20), models=4, files=4)
    own = rite.facing(foes, man(i=1), own=True, models=5)
    battle = rite.battle()
    cast(battle, "Midnight Wind", foes, 10)
    strike_round(battle, own, [6, 6, 4, 3, 5, 2, 6, 6, 6, 1])
    assert rolls(battle, HITS, foes) == [(4, 2)]
    assert rolls(battle, WOUNDS, foes) == [(4, 1)]  # 6 and 6 again as 6 and 1


@pytest.mark.rule("wap.lore.heavens.curse-of-the-midnight-wind")
def test_sixes_of_armour_saves_are_rolled_again() -> None:
    rite = Rite("heavens")
    foes = rite.enemy(man("light armour", i=1), (18, 20), models=5)
    own = rite.facing(foes, man(i=5), own=True, models=5)
    battle = rite.battle()
    cast(battle, "Midnight Wind", foes, 10)
    strike_round(battle, own, [4, 4, 1, 1, 1, 4, 4, 6, 6, 5, 6])
    assert armour(battle, foes) == [6] and battle.units.alive[foes] == 4


@OWNERS
@pytest.mark.rule("wap.core.reroll.cancel")
def test_the_spells_of_two_seers_on_one_unit_cancel(owner: int) -> None:
    """1s that may be rolled again and 6s that must be: no die is."""
    rite = Rite("heavens", owner)
    other = rite.enemy(wizard("heavens"), (32, 26), models=1, files=1)
    own = rite.own(man(i=5), models=5)
    foes = rite.facing(own, man(a=0, i=1), models=5)
    battle = rite.battle(levels=2 * LEVEL)
    cast(battle, "Harmonic", own, 6)
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] != owner and b.clock.phase[0] == Phase.MOVEMENT)
    script(battle, [*POOL, *[1] * (2 * LEVEL + 1)])
    until(battle, lambda b: b.clock.phase[0] == Phase.MAGIC)
    cast(battle, "Midnight Wind", own, 10, by=other)
    assert len(changes_of(battle, own.row)) == 2
    strike_round(battle, own, [1, 1, 6, 6, 4, 1, 6, 3])
    assert rolls(battle, HITS, own) == [(4, 3)] and rolls(battle, WOUNDS, own) == [(4, 1)]
    assert not dice_left(battle) and battle.units.alive[foes]


@pytest.mark.rule("wap.lore.heavens.harmonic-convergence", "wap.lore.heavens.curse-of-the-midnight-wind")
@pytest.mark.parametrize(("spell", "total", "mine"), [("Harmonic", 12, True), ("Midnight Wind", 20, False)])
def test_boosted_they_act_on_all_units_near_the_wizard(spell: str, total: int, mine: bool) -> None:
    rite = Rite("heavens")
    add = rite.own if mine else rite.enemy
    units = [add(None, at, models=5) for at in ((18, 12), (10, 22), (40, 40))]
    battle = rite.battle()
    cast(battle, spell, units[0], total, version=f"{total}+")
    assert [len(changes_of(battle, unit.row)) for unit in units] == [1, 1, 0]


@OWNERS
@pytest.mark.rule("wap.lore.beasts.wyssans-wildform")
def test_the_wild_are_stronger_and_tougher(owner: int) -> None:
    """Strength and Toughness 4 against 3: they wound on 3+, the save is worsened by one, they are wounded on 5+."""
    rite = Rite("beasts", owner)
    own = rite.own(man(i=5), models=5)
    foes = rite.facing(own, man("light armour", "shield", i=1), models=5)
    battle = rite.battle()
    cast(battle, "Wildform", own, 10)
    strike_round(battle, own, [4, 4, 4, 4, 1, 3, 3, 2, 2, 1, 1, 4, 4, 4, 5, 4, 4])
    assert rolls(battle, WOUNDS, own) == [(3, 2)] and armour(battle, foes) == [6]
    assert [needed for needed, _ in rolls(battle, WOUNDS, foes)] == [5]


@OWNERS
@pytest.mark.rule("wap.lore.life.flesh-to-stone")
def test_stone_is_hard_to_wound(owner: int) -> None:
    """Strength 3 against Toughness 5 wounds on 6+ in place of 4+."""
    rite = Rite("life", owner)
    own = rite.own(man(i=1), models=5)
    foes = rite.facing(own, man(i=5), models=5)
    battle = rite.battle()
    cast(battle, "Flesh to Stone", own, 8)
    strike_round(battle, own, [4, 4, 4, 4, 4, 5, 5, 5, 6, 5])
    assert rolls(battle, WOUNDS, foes) == [(6, 1)]


@OWNERS
@pytest.mark.rule("wap.lore.death.soulblight")
@pytest.mark.parametrize("values", [(4, 4), (1, 4)])
def test_souls_wither(owner: int, values: tuple[int, int]) -> None:
    """Strength and Toughness 4 become 3; Strength 1 stays."""
    rite = Rite("death", owner)
    foes = rite.enemy(man(s=values[0], t=values[1]), (18, 20), models=5)
    own = rite.facing(foes, man(i=5, s=4), own=True, models=5)
    battle = rite.battle()
    cast(battle, "Soulblight", foes, 10)
    line = battle.units.first_line[foes]
    assert (battle.lines.s[line], battle.lines.t[line]) == (max(1, values[0] - 1), 3)
    strike_round(battle, own, [4, 1, 1, 1, 1, 3, 1])
    assert rolls(battle, WOUNDS, own) == [(3, 1)]
