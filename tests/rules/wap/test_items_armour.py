"""Magic armour that acts all the time."""

from __future__ import annotations

from typing import Any

import pytest
from carrying import HIT, WOUND, duel, saves
from guarding import MOUNTED, alone, in_unit, shot, struck
from heroes import hero
from lore_hits import Field, wizard

from wh_env.rulesets.wap.basics.dice_changes import DiceChanges
from wh_env.rulesets.wap.basics.effects import Effect, On, Until, acting_on, begin_effect, effect_of
from wh_env.rulesets.wap.basics.forms import has_changed, other_form
from wh_env.rulesets.wap.codes import FRONT, LEFT
from wh_env.rulesets.wap.magic.deeds_target import save_worn
from wh_env.rulesets.wap.view.odds_harm import harm_of
from wh_env.rulesets.wap.weapons.arms import NO_SAVE
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.rulesets.wap.weapons.hit import DIRECT, FLAMING, LIGHTNING, MAGICAL, RANGED, Hit
from wh_env.rulesets.wap.weapons.saves import points_against, save_of
from wh_env.testing import choose, kind, script, told
from wh_env.testing.wap import RegimentScene, fight, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
SHOT = Hit(3, nature=RANGED)


# ---------------------------------------------------------------- suits


@OWNERS
@pytest.mark.rule("wap.item.armour.armour-of-destiny")
@pytest.mark.parametrize("worn", [[], ["light armour"], ["full plate armour"]])
def test_the_armour_of_destiny_is_heavy_armour_with_a_ward_save(owner: int, worn: list[str]) -> None:
    """Strength 4: 4+ at -1, then 4+."""
    for ward, lost in ((4, 0), (3, 1)):
        dice = [4, 4, 4, ward]
        assert struck(owner, ["Armour of Destiny"], dice, bearer={"equipment": worn}, foe={"s": 4}) == ([(5, 4)], lost)
    assert struck(owner, ["Armour of Destiny"], [4, 4, 5], foe={"s": 4}) == ([(5, 4)], 0)


@OWNERS
@pytest.mark.rule("wap.item.armour.gamblers-armour")
def test_the_gambler_s_armour_is_light_armour_with_a_ward_save(owner: int) -> None:
    assert struck(owner, ["Gambler's Armour"], [4, 4, 6]) == ([(6, 6)], 0)
    for ward, lost in ((6, 0), (5, 1)):
        foe = {"rules": ["Ignores Armour Saves"]}
        assert struck(owner, ["Gambler's Armour"], [4, 4, ward], foe=foe) == ([(7, 6)], lost)


@OWNERS
@pytest.mark.rule("wap.item.armour.armour-of-destiny", "wap.item.armour.gamblers-armour")
@pytest.mark.parametrize(("item", "save"), [("Armour of Destiny", (4, 4)), ("Gambler's Armour", (6, 6))])
def test_a_suit_protects_its_bearer_and_not_his_unit(owner: int, item: str, save: tuple[int, int]) -> None:
    battle, host, own, foe = in_unit(owner, [item])
    assert shot(battle, host, foe, [4], (1, SHOT)) == [] and battle.units.alive[host] == 9
    assert shot(battle, own, foe, [4, 2, 6], (1, SHOT)) == [save] and battle.models.wounds[own.model()] == 5


@OWNERS
@pytest.mark.rule("wap.item.armour.armour-of-resilience")
def test_the_armour_of_resilience_makes_its_bearer_tougher(owner: int) -> None:
    """Strength 4 against Toughness 4 and 1: 5 is needed; then heavy armour, 5+."""
    for die, rest, expected in ((4, [], ([], 0)), (5, [5], ([(5, 7)], 0)), (5, [4], ([(5, 7)], 1))):
        assert struck(owner, ["Armour of Resilience"], [4, die, *rest], bearer={"t": 4}, foe={"s": 4}) == expected
    battle, own, _ = duel(owner, ["Armour of Resilience"], bearer={"t": 10})
    assert battle.lines.t[battle.units.first_line[own]] == 10
    battle, host, own, _ = in_unit(owner, ["Armour of Resilience"], {"t": 4})
    assert [battle.lines.t[battle.units.first_line[unit]] for unit in (own, host)] == [5, 3]


@OWNERS
@pytest.mark.rule("wap.item.armour.armour-of-silvered-steel")
@pytest.mark.parametrize(
    "worn", [{}, {"equipment": ["shield", "barding", "full plate armour"]}, {"rules": ["Natural Armour (3+)"]}]
)
@pytest.mark.parametrize(("strength", "needed"), [(3, 2), (5, 4)])
def test_silvered_steel_saves_on_two_whatever_is_added(
    owner: int, worn: dict[str, Any], strength: int, needed: int
) -> None:
    for die, lost in ((needed, 0), (needed - 1, 1)):
        dice = [4, 4, die]
        found = struck(owner, ["Armour of Silvered Steel"], dice, bearer={**MOUNTED, **worn}, foe={"s": strength})
        assert found == ([(needed, 7)], lost)
    battle, own, foe = alone(owner, ["Armour of Silvered Steel"], {**MOUNTED, **worn})
    assert shot(battle, own, foe, [4, needed], (1, Hit(strength, nature=RANGED))) == [(needed, 7)]


@OWNERS
@pytest.mark.rule("wap.item.armour.armour-of-silvered-steel")
@pytest.mark.parametrize(("more", "worn", "save"), [(1, 0, 2), (-1, 0, 3), (0, -1, 3), (0, -9, NO_SAVE)])
def test_silvered_steel_gets_worse_and_not_better(owner: int, more: int, worn: int, save: int) -> None:
    """By spells, which also know what he wears. Lightning meets his Natural Armour alone."""
    scene = RegimentScene()
    changed = Effect("Change", On.MODELS, Until.BATTLE, dice=DiceChanges(armour=more, worn_armour=worn))
    scene.effects = (changed,)
    card = square(character=True, size=[1, 1], rules=["Natural Armour (5+)"])
    own = scene.unit(owner, card, (24, 24), models=1, files=1, items=["Armour of Silvered Steel"])
    scene.unit(1 - owner, None, (24, 40 if owner == 0 else 4), models=5)
    battle = scene.battle("movement", player=owner)
    assert save_worn(battle, own.row) == 2
    effects = battle.setup.statics["effects"]
    begin_effect(battle, effects.index(changed), own.row, owner)
    assert save_of(points_against(battle, own.row, Hit(3), FRONT)) == save
    lightning = save_of(points_against(battle, own.row, Hit(3, nature=LIGHTNING), FRONT))
    assert lightning == (5 if not min(more, 0) else 6)


@OWNERS
@pytest.mark.rule("wap.item.armour.glittering-scales")
def test_glittering_scales_dazzle_in_close_combat(owner: int) -> None:
    """5 in place of 4; light armour, 6+, in place of what he wore."""
    worn = {"equipment": ["heavy armour"]}
    assert struck(owner, ["Glittering Scales"], [4], bearer=worn) == ([], 0)
    assert struck(owner, ["Glittering Scales"], [5, 4, 6], bearer=worn) == ([(6, 7)], 0)
    assert struck(owner, ["Glittering Scales"], [5, 4, 5], bearer=worn) == ([(6, 7)], 1)
    assert struck(owner, ["Glittering Scales"], [6, 1], foe={"ws": 1}, bearer={"ws": 10}) == ([], 0)


@OWNERS
@pytest.mark.rule("wap.item.armour.glittering-scales")
def test_glittering_scales_dazzle_who_strikes_their_wearer(owner: int) -> None:
    """The models of his unit are hit as ever, and so is everybody after his death."""
    scene = RegimentScene()
    host = scene.unit(owner, None, (24, 24), models=10)
    own = scene.unit(owner, square(character=True, size=[1, 1]), inside=host, models=1, items=["Glittering Scales"])
    foe = scene.beside(host, 1 - owner, None, models=10)
    battle = scene.battle("combat", player=owner, run=False)
    line = battle.units.first_line[foe]
    assert [blow_of(battle, foe.row, line, unit.row).hitting for unit in (own, host)] == [-1, 0]
    assert blow_of(battle, host.row, battle.units.first_line[host], foe.row).hitting == 0


def volley(owner: int, items: list[str]) -> int:
    """What archers need to hit a bearer of items."""
    scene = RegimentScene()
    bows = scene.unit(1 - owner, square(equipment=["bow"]), (24, 24), models=5)
    spot = (24, 14) if owner == 0 else (24, 34)
    scene.unit(owner, square(character=True, size=[1, 1], w=5), spot, models=1, files=1, items=items)
    battle = scene.battle("shooting", player=1 - owner)
    assert kind(battle) == "select-to-shoot"
    choose(battle, "own", bows.number)
    while kind(battle) == "shoot-target":
        choose(battle, "enemy", 0)
    return int(told(battle, "wap.shoot.hit.roll")[0]["needed"])


@OWNERS
@pytest.mark.rule("wap.item.armour.glittering-scales")
def test_glittering_scales_dazzle_no_archers(owner: int) -> None:
    assert volley(owner, ["Glittering Scales"]) == volley(owner, [])


# ---------------------------------------------------------------- shields


@OWNERS
@pytest.mark.rule("wap.item.armour.shield-of-ptolos")
def test_the_shield_of_ptolos_stops_shots(owner: int) -> None:
    """1+ against shots, 2 at Strength 4, whatever is added; templates and magic missiles are shooting."""
    for worn in ({}, {"equipment": ["full plate armour", "shield"], "rules": ["Natural Armour (4+)"]}):
        for nature in (RANGED, RANGED | DIRECT, RANGED | MAGICAL):
            for die, lost in ((2, 0), (1, 1)):
                battle, own, foe = alone(owner, ["Shield of Ptolos"], worn)
                assert shot(battle, own, foe, [4, die], (1, Hit(4, nature=nature)), side=LEFT) == [(2, 7)]
                assert battle.models.wounds[own.model()] == 5 - lost
    battle, own, foe = alone(owner, ["Shield of Ptolos"])
    assert shot(battle, own, foe, [4, 1], (1, SHOT)) == [(1, 7)] and battle.models.wounds[own.model()] == 4


@OWNERS
@pytest.mark.rule("wap.item.armour.shield-of-ptolos")
def test_the_shield_of_ptolos_is_a_shield_in_close_combat(owner: int) -> None:
    """It adds 1, in place of a mundane one, and parries beside a hand weapon; direct damage is no shooting."""
    worn = {"equipment": ["light armour", "shield"]}
    assert struck(owner, ["Shield of Ptolos"], [4, 4, 5], bearer=worn) == ([(5, 6)], 0)
    assert struck(owner, ["Shield of Ptolos"], [4, 4, 4, 5], bearer=worn) == ([(5, 6)], 1)
    battle, own, foe = alone(owner, ["Shield of Ptolos"], worn)
    assert shot(battle, own, foe, [4, 5], (1, Hit(3, nature=DIRECT | MAGICAL))) == [(5, 7)]
    two_hands = {"equipment": ["great weapon", "light armour"]}
    assert struck(owner, ["Shield of Ptolos"], [4, 4, 5], bearer=two_hands) == ([(6, 7)], 1)


@OWNERS
@pytest.mark.rule("wap.item.armour.enchanted-shield")
def test_the_enchanted_shield_adds_two(owner: int) -> None:
    """Light armour: 4+ in close combat; against shots from the front 3+, of a man on foot."""
    worn = {"equipment": ["light armour", "shield"]}
    assert struck(owner, ["Enchanted Shield"], [4, 4, 4], bearer=worn) == ([(4, 6)], 0)
    assert struck(owner, ["Enchanted Shield"], [4, 4, 3, 5], bearer=worn) == ([(4, 6)], 1)
    for side, needed in ((FRONT, 3), (LEFT, 4)):
        for die, left in ((needed, 5), (needed - 1, 4)):
            battle, own, foe = alone(owner, ["Enchanted Shield"], worn)
            assert shot(battle, own, foe, [4, die], (1, SHOT), side=side) == [(needed, 7)]
            assert battle.models.wounds[own.model()] == left
    battle, host, own, foe = in_unit(owner, ["Enchanted Shield"])
    assert shot(battle, host, foe, [4], (1, SHOT)) == []


# ---------------------------------------------------------------- helms


@OWNERS
@pytest.mark.rule("wap.item.armour.tricksters-helm")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_trickster_s_helm_has_wounds_rolled_again(owner: int, detail: str) -> None:
    """Of 5, 4 and 2 the first two are rolled again, as 3 and 6: one wound, and the helm saves on 6."""
    foe = {"a": 3}
    for save, lost in ((6, 0), (5, 1)):
        dice = [4, 4, 4, 5, 4, 2, 3, 6, save]
        assert struck(owner, ["Trickster's Helm"], dice, foe=foe, detail=detail) == ([(6, 7)], lost)


@OWNERS
@pytest.mark.rule("wap.item.armour.tricksters-helm")
def test_the_trickster_s_helm_helps_its_wearer_against_shots_too(owner: int) -> None:
    """Rules that let failures be rolled again cancel it; his unit has nothing of it."""
    battle, host, own, foe = in_unit(owner, ["Trickster's Helm"], {"rules": ["Flammable"]})
    assert shot(battle, own, foe, [6, 2, 1], (2, SHOT)) == []
    assert shot(battle, host, foe, [6, 2], (2, SHOT)) == [] and battle.units.alive[host] == 9
    burning = Hit(3, nature=RANGED | FLAMING)
    assert shot(battle, own, foe, [4, 2, 6], (2, burning)) == [(6, 7)]
    three = harm_of(battle, own.row, Hit(3), 3, FRONT), harm_of(battle, host.row, Hit(3), 3, FRONT)
    assert [round(1 - chances[0], 4) for chances in three] == [round(0.25 * 5 / 6, 4), 0.5]


@OWNERS
@pytest.mark.rule("wap.item.armour.dragonhelm")
def test_the_dragonhelm_lets_its_wearer_ignore_flames(owner: int) -> None:
    """Light armour and helm, 5+; then Regeneration (5+), from fire too."""
    bearer = {"equipment": ["light armour"], "rules": ["Regeneration (5+)"]}
    foe = {"rules": ["Flaming Attacks"]}
    for die, lost in ((5, 0), (4, 1)):
        assert struck(owner, ["Dragonhelm"], [4, 4, 4, die], bearer=bearer, foe=foe) == ([(5, 5)], lost)
    assert struck(owner, ["Dragonhelm"], [4, 4, 5], bearer=bearer, foe=foe) == ([(5, 5)], 0)
    assert struck(owner, [], [4, 4, 5], bearer=bearer, foe=foe) == ([(6, 7)], 1)
    battle, host, own, shooter = in_unit(owner, ["Dragonhelm"], bearer)
    assert shot(battle, own, shooter, [4, 4, 5], (1, Hit(3, nature=RANGED | FLAMING))) == [(5, 5)]
    assert battle.models.wounds[own.model()] == 5 and host.row != own.row


@OWNERS
@pytest.mark.rule("wap.item.armour.dragonhelm", "wap.item.armour.tricksters-helm")
@pytest.mark.parametrize("helm", ["Dragonhelm", "Trickster's Helm"])
def test_a_helm_adds_to_armour_and_shield(owner: int, helm: str) -> None:
    """Heavy armour, shield and helm: 2+, 4+ at Strength 5."""
    battle, own, _ = duel(owner, [helm], bearer={"equipment": ["heavy armour", "shield"]}, foe=square(i=5, s=5))
    script(battle, [6] * 15)
    fight(battle, own)
    assert saves(battle, own)[0] == (4, 6)


def rolls(battle: Any, rule: str, unit: int) -> list[int]:
    """What the unit of a row needed at rolls by a rule."""
    return [row["needed"] for row in told(battle, rule) if row["unit"] == unit]


@OWNERS
@pytest.mark.rule("wap.item.armour.armour-of-resilience", "wap.item.armour.glittering-scales")
def test_what_blows_need_against_magic_armour(owner: int) -> None:
    for item, needed in (("Armour of Resilience", (4, 5)), ("Glittering Scales", (5, 4))):
        battle, own, foe = duel(owner, [item], foe=square(i=5), foes=1)
        script(battle, [6, 1, 1, 1, 1])
        fight(battle, own)
        assert (rolls(battle, HIT, foe.row), rolls(battle, WOUND, foe.row)) == ([needed[0]], [needed[1]])


@OWNERS
@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon.limits")
def test_as_a_monster_a_wizard_has_nothing_of_what_he_wears(owner: int) -> None:
    """The monster of Weapon Skill 6 is hit on 4 and makes its 5 attacks at Strength 6 against a hero. The wizard has
    his scales and his sword again when he turns back.
    """
    worn = ["Glittering Scales", "Sword of Anti-Heroes", "Dawnstone"]
    field = Field(owner, wizard("fire", 1))
    card = wizard("beasts", 3, 6, equipment=["hand weapon", "light armour"])
    own = field.own(card, (36, 12), models=1, files=1, items=worn)
    foe = field.enemy(hero(ws=4, t=6, w=9, ld=10), (36, 12), models=1, files=1)
    battle = field.battle(detail="full")
    field.cast(battle, "Transformation of Kadon", caster=own)
    form = other_form(battle, own.row)
    while not rolls(battle, WOUND, form):
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert rolls(battle, HIT, foe.row) == [4] and rolls(battle, WOUND, form) == [4]
    blows = [row["amount"] for row in told(battle, "wap.combat.attacks.number") if row["unit"] == form]
    assert blows[0] == 5 and [effect_of(battle, k).name for k in acting_on(battle, own.row)] == worn
    while kind(battle) != "end-spell":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    choose(battle, "option", 0)
    assert not has_changed(battle, own.row) and battle.units.alive[own]
    line = battle.units.first_line[foe]
    assert blow_of(battle, foe.row, line, own.row).hitting == -1
    assert [effect_of(battle, k).name for k in acting_on(battle, own.row)] == worn
