"""Magic banners that give their units a special rule, as long as their bearers stand."""

from __future__ import annotations

from typing import Any

import pytest
from banners import BEARERS, FLIES, OWNERS, beneath, flown, lower, mustered
from carrying import saves
from charging import charge
from heroes import hero, horse
from results import play, scored, side, state
from wizards import cast, dispel, knowing, wizard

from wh_env.rulesets.wap.basics.resistance import resistance_of
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import BROKEN, HELD
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.rule_book import FEAR
from wh_env.rulesets.wap.special.psychology import immune_to
from wh_env.testing import choose, dice_left, kind, script, told
from wh_env.testing.wap import RegimentScene, fight, fight_again, square

CHARGED = "wap.special.terror.charged"
DISPELLED = "wap.magic.dispel.value"


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.wailing-banner")
def test_the_wailing_banner_terrifies_those_whom_its_unit_charges(owner: int, by: str, flies: bool) -> None:
    """Leadership 7: a 12 fails, and the enemy flees in place of any other reaction."""
    scene, unit, carrier, foe = beneath(owner, "Wailing Banner", by=by, foe=square(ld=7), gap=6)
    scene.unit(owner, None, (44, 24), models=5)  # it keeps the phase from going on
    battle = scene.battle("movement", player=owner, dice=[6, 6] * flies, set_state=flown(carrier, flies))
    charge(battle, unit, foe)
    assert [row["passed"] for row in told(battle, CHARGED) if "passed" in row] == [False] * flies
    assert (kind(battle) == "charge-reaction") is not flies and battle.units.fleeing[foe] == flies


@pytest.mark.rule("wap.item.banner.wailing-banner")
def test_those_who_cause_fear_do_not_heed_the_wailing_banner() -> None:
    scene, unit, _, foe = beneath(0, "Wailing Banner", foe=square(rules=["Fear"]), gap=6)
    battle = scene.battle("movement")
    charge(battle, unit, foe)
    assert kind(battle) == "charge-reaction" and not told(battle, CHARGED)


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.banner-of-defiance")
def test_under_the_banner_of_defiance_a_unit_is_steadfast(owner: int, by: str, flies: bool) -> None:
    """Leadership 8, beaten by 5 by twice as many: it holds with an 8; without the banner it needs 3."""
    scene, unit, carrier, foe = beneath(owner, "Banner of Defiance", square(ld=8), by=by, foes=20)
    battle = scored(scene, unit, set_state=flown(carrier, flies))
    own, against = (state(battle, row)["own"] for row in (unit, foe))
    battle = scored(scene, unit, {(foe, unit): 5 - against + own}, set_state=flown(carrier, flies))
    play(battle, BreakTests, dice=[4, 4])
    assert battle.units.penalty[unit] >= 5 and dice_left(battle) == 0
    assert battle.units.outcome[unit] == (HELD if flies else BROKEN)


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.razor-standard")
def test_the_razor_standard_pierces_armour(owner: int, by: str) -> None:
    """Strength 3 against a 4+ save: 5 is needed, and 4 once the bearer has fallen."""
    foes = square(equipment=["heavy armour"], i=1)
    scene, unit, carrier, foe = beneath(owner, "Razor Standard", square(s=3, i=4), foes, by=by, foes=20)
    battle = scene.battle("combat", player=owner, run=False, dice=[6] * 30)
    fight(battle, unit)
    assert {needed for needed, _ in saves(battle, foe)} == {5}
    assert battle.recorder is not None
    battle.recorder.clear()
    lower(battle, carrier)
    fight_again(battle, unit, [6] * 30)
    assert {needed for needed, _ in saves(battle, foe)} == {4}


@OWNERS
@pytest.mark.rule("wap.item.banner.razor-standard")
def test_horses_have_nothing_of_the_razor_standard(owner: int) -> None:
    """Of 5 riders and 5 horses, who strike one after the other, only the riders pierce the armour."""
    foes = square(equipment=["heavy armour"], i=1)
    scene, unit, _, foe = beneath(owner, "Razor Standard", horse(i=4), foes, models=5, foes=20)
    battle = scene.battle("combat", player=owner, run=False, dice=[6] * 40)
    fight(battle, unit)
    assert [needed for needed, _ in saves(battle, foe)] == [5, 4]


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.dread-banner")
def test_the_dread_banner_frightens(owner: int, by: str, flies: bool) -> None:
    """A side with as many models scores 1 for Fear, and does not fear others."""
    scene, unit, carrier, foe = beneath(owner, "Dread Banner", by=by, foes=11)
    battle = scored(scene, unit, set_state=flown(carrier, flies))
    assert side(battle, owner)["fear"] == flies and immune_to(battle, unit.row, FEAR) == flies
    assert not immune_to(battle, foe.row, FEAR)


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.dread-banner")
def test_under_the_dread_banner_a_unit_fears_nobody(owner: int, by: str, flies: bool) -> None:
    """The enemy causes Fear too: neither side scores for it, and the enemy does once the banner has fallen."""
    scene, unit, carrier, _ = beneath(owner, "Dread Banner", by=by, foe=square(rules=["Fear"]), foes=11)
    battle = scored(scene, unit, set_state=flown(carrier, flies))
    assert side(battle, 1 - owner)["fear"] == (not flies) and side(battle, owner)["fear"] == 0


@OWNERS
@pytest.mark.rule("wap.item.banner.dread-banner")
def test_who_is_immune_does_not_fear_the_dread_banner(owner: int) -> None:
    scene, unit, _, _ = beneath(owner, "Dread Banner", foe=square(rules=["Immunity (Fear)"]))
    assert side(scored(scene, unit), owner)["fear"] == 0


def spelled(owner: int, banner: str, by: str, spell: str) -> tuple[Any, ...]:
    """(battle, wizard of the enemy, friendly wizard, unit under a banner, carrier), in the enemy's Magic phase."""
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(1 - owner, wizard(2), (36, 36), models=1)
    unit, carrier = mustered(scene, owner, banner, None, (36.0, 48.0 if owner else 24.0), by, models=20, files=10)
    friend = scene.unit(owner, wizard(1), (6.0, 70.0 if owner else 2.0), models=1)
    battle = scene.battle("magic", player=1 - owner, dice=(6, 6, 1, 1, 1), set_state=knowing({mage: spell}))
    battle.pools.dice[owner] = 6
    return battle, mage, friend, unit, carrier


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.standard-of-arcane-protection")
@pytest.mark.parametrize("dice", [(5, 3), (4, 3)])
def test_the_standard_of_arcane_protection_helps_to_dispel(owner: int, by: str, dice: tuple[int, int]) -> None:
    """8 of two dice, 1 of a wizard and 2 of the banner are enough against 11."""
    battle, mage, friend, unit, _ = spelled(owner, "Standard of Arcane Protection", by, "Spark")
    script(battle, [5, 5])
    cast(battle, mage, "Spark", unit, 2)
    script(battle, [*dice, *[1] * 12])
    dispel(battle, friend, 2)
    cast_at = told(battle, "wap.magic.cast.value")[-1]["amount"]
    assert told(battle, DISPELLED)[-1]["amount"] == sum(dice) + 3 and cast_at == 11
    assert (battle.units.alive[unit] == 20) or sum(dice) < 8


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.standard-of-arcane-protection")
def test_the_standard_of_arcane_protection_saves_on_5(owner: int, by: str, flies: bool) -> None:
    battle, mage, _, unit, carrier = spelled(owner, "Standard of Arcane Protection", by, "Spark")
    if not flies:
        lower(battle, carrier)
    assert resistance_of(battle, unit.row) == 2 * flies
    before = battle.units.alive[unit]
    script(battle, [6, 4, 2, 6, 6, 5, 4])
    cast(battle, mage, "Spark", unit, 1)
    if kind(battle) == "dispel-by":
        battle.apply(0)
    assert saves(battle, unit) == [(7, 5)] * flies and battle.units.alive[unit] == before - (1 if flies else 2)


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.banner-of-bravery")
def test_the_banner_of_bravery_keeps_its_unit_from_panic(owner: int, by: str, flies: bool) -> None:
    """A quarter of its models is shot."""
    scene, unit, carrier, _ = beneath(owner, "Banner of Bravery", by=by, models=20, gap=20)
    battle = scene.battle("shooting", player=1 - owner, set_state=flown(carrier, flies))
    suffer(battle, unit.row, 6)
    assert is_due(battle) is not flies


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.banner-of-eternal-flame")
@pytest.mark.parametrize("afar", [False, True])
def test_under_the_banner_of_eternal_flame_wounds_do_not_heal(owner: int, by: str, flies: bool, afar: bool) -> None:
    """Trolls regenerate with 4 from what does not burn: blows and arrows do."""
    trolls, archers = square(rules=["Regeneration (4+)"], i=1), square(i=4, equipment=["hand weapon", "bow"])
    scene, unit, carrier, foe = beneath(
        owner, "Banner of Eternal Flame", archers, trolls, by=by, foes=20, gap=12 if afar else None
    )
    if afar:
        battle = scene.battle("shooting", player=owner, dice=[6] * 40, set_state=flown(carrier, flies))
        choose(battle, "own", unit.number)
    else:
        battle = scene.battle("combat", player=owner, run=False, dice=[6] * 40, set_state=flown(carrier, flies))
        fight(battle, unit)
    assert {needed for _, needed in saves(battle, foe)} == (set() if flies else {4})
    assert battle.units.alive[foe] < 20 or not flies


@OWNERS
@pytest.mark.rule("wap.item.banner.banner-of-eternal-flame")
def test_a_magic_weapon_does_not_burn_under_the_banner_of_eternal_flame(owner: int) -> None:
    trolls = square(rules=["Regeneration (4+)"], i=1)
    scene = RegimentScene()
    unit, _ = mustered(scene, owner, "Banner of Eternal Flame", square(a=0), (24, 24))
    scene.unit(owner, hero(i=4), inside=unit, models=1, items=["Biting Blade"])
    foe = scene.beside(unit, 1 - owner, trolls, models=20, files=5)
    battle = scene.battle("combat", player=owner, run=False, dice=[6] * 40)
    fight(battle, unit)
    assert [needed for _, needed in saves(battle, foe)] == [4]
