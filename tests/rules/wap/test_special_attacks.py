"""What attacks are beside their Strength, and what helps against them: fire, ice, lightning, magic, killing blows, several Wounds, Regeneration, Dodge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from charging import chargers

from tests.arming import beast, blow, line_of, man, pair, rider
from wh_env import Battle
from wh_env.rulesets.wap.basics.special_rules import gain, models_have
from wh_env.rulesets.wap.battle.timing import start_phase, start_turn
from wh_env.rulesets.wap.breaking.break_tests import hold_without_test
from wh_env.rulesets.wap.casualties.harm import harmed, roll_to_wound
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import FRONT, HEAVY_CASUALTIES, LEFT, REAR, RIGHT, Phase
from wh_env.rulesets.wap.morale.panic_causes import FRIEND_BROKEN, FRIEND_DESTROYED, has_broken
from wh_env.rulesets.wap.panic.panic import panic_test
from wh_env.rulesets.wap.result.scores import resolve
from wh_env.rulesets.wap.result.scoring import describe
from wh_env.rulesets.wap.rule_book import DEVASTATING_CHARGE, ETHEREAL, MAGICAL_ATTACKS, UNSTABLE
from wh_env.rulesets.wap.shooting.hits import hit_of, take_hits
from wh_env.rulesets.wap.shooting.shots import IN_PHASE
from wh_env.rulesets.wap.shooting.volley import shoot
from wh_env.rulesets.wap.special.psychology import frightened_by
from wh_env.rulesets.wap.weapons.arms import NO_SAVE, outfit_of
from wh_env.rulesets.wap.weapons.blows import FIRST, LAST, ORDINARY, POISON, blow_of
from wh_env.rulesets.wap.weapons.hit import (
    AUTOMATIC,
    FLAMING,
    HEROIC,
    KILLING,
    LIGHTNING,
    MAGICAL,
    MORTAL,
    RANGED,
    SWIFT,
    Hit,
)
from wh_env.rulesets.wap.weapons.saves import (
    Ward,
    armour_save,
    points_against,
    save_of,
    unsaved,
    ward_save,
    wards_against,
)
from wh_env.testing import dice_left, script, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, who_see


def wards(battle: Battle, unit: UnitHandle, nature: int = 0, side: int = FRONT) -> list[int]:
    """The ward saves that a unit has against hits of Strength 3, without a parry."""
    return [ward.save for ward in wards_against(battle, unit.row, 3, side, nature | RANGED)]


def lost_to(
    card: dict[str, Any], hits: int, hit: Hit, dice: Sequence[int], *, toughness: int = 3, models: int = 10
) -> tuple[int, int]:
    """Wounds that so many hits cost a unit of a card, and how many of the dice are left."""
    battle, a, _ = pair(card, man(), dice=dice, models=(models, 5))
    wounds = roll_to_wound(battle, a.row, hits, hit, toughness)
    return harmed(battle, a.row, wounds, hit, REAR, 0).lost, dice_left(battle)


def shots(
    mine: dict[str, Any], theirs: dict[str, Any], dice: Sequence[int] = (), models: tuple[int, int] = (10, 10)
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit that looks at another, 14 inches away."""
    scene = RegimentScene()
    a = scene.unit(0, mine, (24, 12), models=models[0], files=5, facing=NORTH)
    b = scene.unit(1, theirs, (24, 26), models=models[1], files=5, facing=SOUTH)
    return scene.battle("shooting", dice=dice, run=False), a, b


# ---------------------------------------------------------------- armour


@pytest.mark.rule("wap.special.natural-armour")
def test_natural_armour_is_armour() -> None:
    battle, a, b = pair(man("hand weapon", "shield", rules=["Natural Armour (5+)"]), man(rules=["Natural Armour (6+)"]))
    assert armour_save(battle, a.row) == 4
    assert armour_save(battle, a.row, shooting=True, side=REAR) == 4
    assert armour_save(battle, b.row) == 6
    two_hands, *_ = pair(man("great weapon", "shield", rules=["Natural Armour (5+)"]), man())
    assert armour_save(two_hands, 0) == 5


@pytest.mark.rule("wap.special.natural-armour")
def test_natural_armour_of_a_mount_is_added() -> None:
    battle, a, _ = pair(rider("heavy armour", mount_rules=["Natural Armour (6+)"]), man())
    assert armour_save(battle, a.row) == 3


@pytest.mark.parametrize(("rules", "save"), [(["Natural Armour (6+)"], 6), ([], NO_SAVE), (["Natural Armour (3+)"], 3)])
@pytest.mark.rule("wap.special.lightning-attacks")
def test_lightning_meets_natural_armour_alone(rules: list[str], save: int) -> None:
    battle, a, b = pair(man("heavy armour", rules=rules), man(rules=["Lightning Attacks"]))
    found = blow(battle, b, a)
    assert found.nature & LIGHTNING and save_of(points_against(battle, a.row, found, FRONT)) == save
    script(battle, [5, 6])
    assert unsaved(battle, a.row, 2, found, REAR) == (2 if save == NO_SAVE else 1 if save == 6 else 0)


@pytest.mark.rule("wap.special.lightning-attacks")
def test_arrows_of_who_strikes_with_lightning_are_lightning_too() -> None:
    battle, a, b = shots(man("bow", rules=["Lightning Attacks"]), man("heavy armour", rules=["Natural Armour (6+)"]))
    hit = hit_of(battle, line_of(battle, a), outfit_of(battle, a.row).missiles[0], b.row)
    assert save_of(points_against(battle, b.row, hit, FRONT)) == 6


# ---------------------------------------------------------------- attacks


@pytest.mark.rule("wap.special.random-attacks")
def test_every_model_rolls_for_its_attacks() -> None:
    """Two models with D6+1 roll 2 and 5: 9 attacks. In the next round they roll anew."""
    card = man(rules=["Random Attacks (D6+1)"], i=6, a=1)
    battle, a, b = pair(card, man(i=1, a=0), models=(2, 5), dice=[2, 5, *[1] * 9])
    fight(battle, rounds=False) if False else None
    script(battle, [2, 5, *[1] * 9])
    battle.run()
    first = told(battle, "wap.combat.attacks.number")[0]
    assert (first["amount"], first["strikers"]) == (9, 2)
    assert told(battle, "wap.combat.hit.roll")[0]["amount"] == 9
    assert blow(battle, a, b).on_average == pytest.approx(4.5) and blow(battle, a, b).most == 7


@pytest.mark.rule("wap.special.random-attacks")
@pytest.mark.parametrize(
    ("words", "dice", "attacks"), [("D3", [5], 3), ("D6", [4], 4), ("2D6", [4, 3], 7), ("3", [], 3)]
)
def test_numbers_of_attacks(words: str, dice: list[int], attacks: int) -> None:
    battle, _, _ = pair(man(rules=[f"Random Attacks ({words})"], i=6, a=0), man(i=1, a=0), models=(1, 1))
    script(battle, [*dice, *[1] * attacks])
    battle.run()
    assert told(battle, "wap.combat.attacks.number")[0]["amount"] == attacks
    assert told(battle, "wap.combat.hit.roll")[0]["rolls"] == (1,) * attacks


@pytest.mark.rule("wap.special.poisoned-attacks")
def test_poison_wounds_more_easily_and_pierces_no_more() -> None:
    """S3 on T3 with 2, 3, 4: two wounds, and armour of 5+ is saved on a 5."""
    battle, a, b = pair(man(rules=["Poisoned Attacks"]), man("medium armour"), dice=[2, 3, 4, 5, 4])
    found = blow(battle, a, b)
    assert found.wounding == POISON and found.strength == 3
    wounds = roll_to_wound(battle, b.row, 3, found, 3)
    assert wounds.number == 2 and wounds.needed == 3
    assert unsaved(battle, b.row, wounds.number, found, REAR) == 1 and dice_left(battle) == 0


@pytest.mark.parametrize(("charges", "attacks"), [(1, 3), (0, 2)])
@pytest.mark.rule("wap.special.devastating-charge")
def test_a_devastating_charge(charges: int, attacks: int) -> None:
    battle, a, b = pair(man(a=2, rules=["Devastating Charge"]), man(), columns=({"charging": charges}, {}))
    found = blow(battle, a, b)
    assert (found.attacks, found.supports) == (attacks, 1)
    gained, a, b = pair(man(a=2), man(), columns=({"charging": charges}, {}))
    gain(gained, a.row, DEVASTATING_CHARGE)
    assert blow(gained, a, b).attacks == attacks


# ---------------------------------------------------------------- several Wounds


@pytest.mark.parametrize(("card", "models", "lost"), [(man(), 10, 2), (beast("monster", w=4), 1, 4)])
@pytest.mark.rule("wap.special.multiple-wounds")
def test_every_unsaved_wound_takes_two(card: dict[str, Any], models: int, lost: int) -> None:
    """Two single-wound men fall, not four; a monster loses four."""
    assert lost_to(card, 2, Hit(4, takes=(0, 6, 2)), [6, 6], models=models) == (lost, 0)
    battle, a, b = pair(man(rules=["Multiple Wounds (2)"]), man())
    assert blow(battle, a, b).takes == (0, 6, 2)


@pytest.mark.rule("wap.special.multiple-wounds.dice")
def test_a_die_for_each_unsaved_wound() -> None:
    """D3 with 5 and 2: 3 + 1."""
    assert lost_to(beast("monster", w=6), 2, Hit(4, takes=(1, 3, 0)), [6, 6, 5, 2], models=1) == (4, 0)
    battle, a, b = pair(man(rules=["Multiple Wounds (D3)"]), man())
    assert blow(battle, a, b).takes == (1, 3, 0)


@pytest.mark.rule("wap.special.multiple-wounds.scope")
def test_a_sword_s_wounds_and_a_bow_s() -> None:
    bolt = {"weapon": "bolts", "range": 36, "strength": 5, "rules": ["Multiple Wounds (D3)"]}
    card = man("bow", "bolts", rules=["Multiple Wounds (2)"], weapons=[bolt])
    battle, a, b = shots(card, man(w=3))
    line, (bow, bolts) = line_of(battle, a), outfit_of(battle, a.row).missiles
    assert blow(battle, a, b).takes == (0, 6, 2)
    assert hit_of(battle, line, bow, b.row).takes == (0, 6, 1)
    assert hit_of(battle, line, bolts, b.row).takes == (1, 3, 0)


# ---------------------------------------------------------------- killing blows


@pytest.mark.parametrize(("ward", "lost"), [(4, 3), (5, 0)])
@pytest.mark.rule("wap.special.killing-blow")
def test_a_killing_blow_leaves_the_ward_save_alone(ward: int, lost: int) -> None:
    card = rider("full plate armour", "shield", w=3, rules=["Ward Save (5+)", "Regeneration (4+)"])
    assert lost_to(card, 1, Hit(4, nature=KILLING), [6, ward], models=1) == (lost, 0)


@pytest.mark.rule("wap.special.killing-blow")
def test_only_a_six_kills() -> None:
    card = man("full plate armour", w=3)
    assert lost_to(card, 1, Hit(3, nature=KILLING), [5, 3], models=1) == (0, 0)
    assert lost_to(card, 1, Hit(3, nature=KILLING), [5, 2], models=1) == (1, 0)
    assert lost_to(card, 2, Hit(3, nature=KILLING), [6, 4, 2], models=3) == (4, 0)
    battle, a, b = pair(man(rules=["Killing Blow"]), man())
    assert blow(battle, a, b).nature & KILLING


@pytest.mark.parametrize("kind", ["monster", "monstrous infantry", "chariot", "swarm", "monstrous cavalry"])
@pytest.mark.rule("wap.special.killing-blow.types")
def test_other_types_lose_one_wound_without_a_save(kind: str) -> None:
    card = beast(kind, w=5, equipment=["full plate armour"], rules=["Regeneration (4+)"])
    assert lost_to(card, 1, Hit(4, nature=KILLING), [6], models=1) == (1, 0)


@pytest.mark.parametrize("kind", ["infantry", "cavalry", "war beast"])
@pytest.mark.rule("wap.special.killing-blow.types")
def test_these_types_are_slain(kind: str) -> None:
    assert lost_to(beast(kind, w=5), 1, Hit(4, nature=KILLING), [6], models=1) == (5, 0)


@pytest.mark.rule("wap.special.killing-blow.scope")
def test_killing_blows_are_of_dice_to_wound_in_close_combat() -> None:
    """Hits that wound without dice are ordinary, and so are arrows."""
    battle, a, b = shots(man("bow", rules=["Killing Blow"]), man("medium armour", w=3))
    bow = outfit_of(battle, a.row).missiles[0]
    assert not hit_of(battle, line_of(battle, a), bow, b.row).nature & KILLING
    script(battle, [6, 5, 6, 4])
    take_hits(battle, b.row, [(1, hit_of(battle, line_of(battle, a), bow, b.row))], FRONT, a.row)
    assert sum(battle.models.wounds[b.model(n)] for n in range(10)) == 30
    take_hits(battle, b.row, [(1, hit_of(battle, line_of(battle, a), bow, b.row))], FRONT, a.row)
    assert sum(battle.models.wounds[b.model(n)] for n in range(10)) == 29
    battle, a, b = pair(man("medium armour", w=3), man(rules=["Killing Blow"]), dice=[5])
    assert unsaved(battle, a.row, 1, blow(battle, b, a), REAR) == 0  # a wound that nobody has rolled for


@pytest.mark.rule("wap.special.killing-blow.result")
def test_a_killing_blow_scores_what_was_left() -> None:
    """A hero of 3 Wounds with 2 left is slain: the enemy scores 2."""
    battle, _a, b = pair(man(rules=["Killing Blow"], i=6, ws=10), man(w=3, i=1, a=0), models=(1, 1))
    suffer(battle, b.row, 1)
    assert battle.models.wounds[b.first] == 2
    script(battle, [6, 6])
    battle.run()
    tally = told(battle, "wap.combat.casualties.tally")[0]
    assert tally["amount"] == 2 and battle.units.alive[b] == 0
    assert told(battle, "wap.result.sum")[0]["wounds"] == 2


@pytest.mark.rule("wap.special.killing-blow.heroic")
def test_a_heroic_killing_blow_spares_swarms_alone() -> None:
    assert lost_to(beast("monster", w=6), 1, Hit(4, nature=HEROIC), [6], models=1) == (6, 0)
    swarm = beast("swarm", w=5, equipment=["full plate armour"], rules=["Regeneration (4+)"])
    assert lost_to(swarm, 1, Hit(4, nature=HEROIC), [6], models=1) == (1, 0)
    battle, a, b = pair(man(rules=["Heroic Killing Blow"]), man())
    assert blow(battle, a, b).nature & HEROIC


# ---------------------------------------------------------------- fire


@pytest.mark.parametrize(
    ("card", "afraid"),
    [
        (rider(), True),
        (man(), False),
        (beast("war beast"), True),
        (beast("chariot"), True),
        (beast("monster"), False),
        (man(rules=["Flammable"]), True),
        (rider(rules=["Immunity (Fear)"]), False),
    ],
)
@pytest.mark.rule("wap.special.flaming-attacks.fear")
def test_who_is_afraid_of_fire(card: dict[str, Any], afraid: bool) -> None:
    battle, a, b = pair(man(rules=["Flaming Attacks"]), card, models=(20, 3))
    assert frightened_by(battle, b.row, a.row) is afraid
    battle.units.fighting[a] = battle.units.fighting[b] = 1
    sides = resolve(describe(battle)).sides
    assert bool(sides[0].fear) is afraid


@pytest.mark.parametrize(
    ("card", "roll", "flees"),
    [(rider(ld=7), [3, 4], True), (rider(ld=7), [3, 3], False), (man(ld=7), [3, 4], False), (man(ld=7), [4, 4], True)],
)
@pytest.mark.rule("wap.special.flaming-attacks.panic")
def test_fire_makes_who_is_afraid_of_it_panic(card: dict[str, Any], roll: list[int], flees: bool) -> None:
    battle, a, b = shots(man("bow", rules=["Flaming Attacks"]), card)
    start_phase(battle, Phase.SHOOTING)
    script(battle, [6, 6, 6, *roll])
    hit = hit_of(battle, line_of(battle, a), outfit_of(battle, a.row).missiles[0], b.row)
    assert hit.nature & FLAMING
    take_hits(battle, b.row, [(3, hit)], FRONT, a.row)
    assert battle.units.due[b] & HEAVY_CASUALTIES and battle.units.scorched[b]
    panic_test(battle, b.row)
    assert bool(battle.units.fleeing[b]) is flees


@pytest.mark.rule("wap.special.flaming-attacks.panic")
def test_arrows_that_do_not_burn_frighten_nobody_more() -> None:
    battle, a, b = shots(man("bow"), rider(ld=7), dice=[6, 6, 6, 3, 4])
    start_phase(battle, Phase.SHOOTING)
    take_hits(battle, b.row, [(3, Hit(3))], FRONT, a.row)
    panic_test(battle, b.row)
    assert not battle.units.scorched[b] and not battle.units.fleeing[b]


@pytest.mark.rule("wap.special.flammable")
def test_failed_dice_are_rolled_again_against_who_burns_well() -> None:
    """Four flaming hits of S3 on T5: the 2, 3 and 5 are rolled again, once."""
    battle, a, _ = pair(man(rules=["Flammable"]), man(), dice=[2, 3, 5, 6, 6, 1, 5])
    assert roll_to_wound(battle, a.row, 4, Hit(3, nature=FLAMING), 5).number == 2 and dice_left(battle) == 0
    script(battle, [2, 3, 5, 6])
    assert roll_to_wound(battle, a.row, 4, Hit(3), 5).number == 1 and dice_left(battle) == 0
    other, _, b = pair(man(), man(), dice=[2, 3, 5, 6])
    assert roll_to_wound(other, b.row, 4, Hit(3, nature=FLAMING), 5).number == 1


# ---------------------------------------------------------------- ice


@pytest.mark.rule("wap.special.ice-attacks.contact")
def test_who_touches_ice_strikes_last() -> None:
    """An enemy of I5 before an ice model of I2: it strikes after it, and need not roll its hits again."""
    battle, a, b = pair(man(i=5), man(i=2, rules=["Ice Attacks"]), models=(5, 5))
    battle.run()
    order = [row["unit"] for row in told(battle, "wap.combat.hit.roll")]
    assert order[:2] == [b.row, a.row]
    cold = blow_of(battle, a.row, line_of(battle, a), b.row, True)
    assert cold.tier == LAST and cold.rerolls.again == (False, False)
    slower = pair(man(i=1), man(i=2, rules=["Ice Attacks"]))
    assert blow_of(slower[0], slower[1].row, line_of(slower[0], slower[1]), slower[2].row, True).rerolls.passed == 1


@pytest.mark.rule("wap.special.ice-attacks.contact")
def test_who_supports_does_not_touch_ice() -> None:
    battle, a, b = pair(man(i=5), man(i=2, rules=["Ice Attacks"]), models=(10, 5))
    battle.run()
    steps = [(row["unit"], row["amount"]) for row in told(battle, "wap.combat.hit.roll")]
    assert steps[0] == (a.row, 5) and steps[1][0] == b.row and steps[2][0] == a.row


@pytest.mark.rule("wap.special.ice-attacks.contact")
def test_only_who_touches_the_model_with_ice_is_slow() -> None:
    """The champion alone has Ice Attacks: three of the five men opposite touch him."""
    card = man(i=2, champion_rules=["Ice Attacks"])
    battle, a, _b = pair(man(i=5), man(i=2), models=(5, 5))
    scene = RegimentScene()
    a = scene.unit(0, man(i=5), (24, 24), models=5, files=5)
    scene.beside(a, 1, card, models=5, files=5, command=["champion"])
    battle = scene.battle("combat")
    steps = [(row["unit"], row["amount"]) for row in told(battle, "wap.combat.hit.roll")]
    assert steps[0] == (a.row, 2)


@pytest.mark.parametrize(("hits", "chilled"), [(1, 1), (0, 0)])
@pytest.mark.rule("wap.special.ice-attacks.ranged")
def test_arrows_of_ice_slow_whom_they_hit(hits: int, chilled: int) -> None:
    """One that hits and does not wound is enough, until the next turn of who has shot."""
    battle, a, b = shots(man("bow", rules=["Ice Attacks"]), man(i=5))
    shown = [6] * hits + [1] * (10 - hits) + [1] * hits
    script(battle, shown)
    shoot(battle, a.row, b.row, 0, IN_PHASE)
    assert battle.units.chilled[b] == chilled and battle.units.alive[b] == 10
    tier = blow_of(battle, b.row, line_of(battle, b), a.row).tier
    assert tier == (LAST if chilled else ORDINARY)
    start_turn(battle, 1)
    assert battle.units.chilled[b] == chilled
    start_turn(battle, 0)
    assert battle.units.chilled[b] == 0


@pytest.mark.rule("wap.special.ice-attacks.immunity")
def test_ice_does_not_slow_ice() -> None:
    battle, _a, _b = pair(man(i=4, rules=["Ice Attacks"]), man(i=3, rules=["Ice Attacks"]), models=(5, 5))
    battle.run()
    order = [(row["initiative"], row["step"]) for row in told(battle, "wap.combat.order.initiative")]
    assert order[:2] == [(4, "in order"), (3, "in order")]
    proof = pair(man(rules=["Immunity (Ice Attacks)"]), man(rules=["Ice Attacks"]))
    assert blow_of(proof[0], proof[1].row, line_of(proof[0], proof[1]), proof[2].row, True).tier == ORDINARY


# ---------------------------------------------------------------- magic, ether


@pytest.mark.parametrize(("nature", "save"), [(0, 2), (MAGICAL, 5), (MAGICAL | AUTOMATIC, 5), (MAGICAL | RANGED, 5)])
@pytest.mark.rule("wap.special.magical-attacks", "wap.special.ethereal.ward")
def test_what_is_magical_meets_a_worse_ward(nature: int, save: int) -> None:
    """An ordinary sword, a magic one, a fireball or a hit of a miscast, a shot of a magic item."""
    battle, a, _ = pair(man(rules=["Ethereal"]), man())
    assert ward_save(wards_against(battle, a.row, 3, FRONT, nature)).save == save


@pytest.mark.rule("wap.special.magical-attacks")
def test_attacks_with_a_magic_weapon_are_magical() -> None:
    blade = {"weapon": "blade", "strength": "user", "rules": ["magic weapon"]}
    wand = {"weapon": "wand", "range": 12, "strength": 3, "rules": ["Magical Attacks"]}
    battle, a, b = pair(man("blade", weapons=[blade]), man("hand weapon", "wand", weapons=[wand]))
    assert blow(battle, a, b).nature & MAGICAL and not blow(battle, b, a).nature & MAGICAL
    assert hit_of(battle, line_of(battle, b), outfit_of(battle, b.row).missiles[0], a.row).nature & MAGICAL
    described, a, b = pair(man(rules=["Magical Attacks"]), man())
    assert blow(described, a, b).nature & MAGICAL and not blow(described, b, a).nature & MAGICAL


@pytest.mark.parametrize(("nature", "lost"), [(0, 1), (MAGICAL, 4)])
@pytest.mark.rule("wap.special.ethereal.ward")
def test_five_wounds_of_an_ethereal_unit(nature: int, lost: int) -> None:
    battle, a, _ = pair(man("heavy armour", rules=["Ethereal"]), man(), dice=[1, 2, 3, 4, 5])
    hit = Hit(10, nature=nature)
    assert unsaved(battle, a.row, 5, hit, REAR) == lost and dice_left(battle) == 0


@pytest.mark.rule("wap.special.ethereal.grants")
def test_who_is_ethereal_is_unstable_and_strikes_with_magic() -> None:
    battle, a, b = pair(man(rules=["Ethereal"]), man(rules=["Ethereal"]), models=(10, 10))
    assert models_have(battle, a.row, UNSTABLE) and models_have(battle, a.row, MAGICAL_ATTACKS)
    found = blow(battle, a, b)
    assert wards(battle, b, found.nature) == [5]
    battle.units.penalty[a], battle.units.steadfast[a] = 3, 0
    hold_without_test(battle, a.row)
    assert told(battle, "wap.special.unstable")[0]["amount"] == 3
    plain, a, b = pair(man(), man())
    assert not models_have(plain, a.row, UNSTABLE)
    gain(plain, a.row, ETHEREAL)
    assert models_have(plain, a.row, UNSTABLE) and blow(plain, a, b).nature & MAGICAL and wards(plain, a) == [2]


# ---------------------------------------------------------------- Dodge, Regeneration


@pytest.mark.parametrize(("side", "found"), [(FRONT, [5]), (RIGHT, []), (LEFT, []), (REAR, [])])
@pytest.mark.rule("wap.special.dodge")
def test_who_dodges_does_so_in_front(side: int, found: list[int]) -> None:
    battle, _a, b = pair(man("bow"), man(rules=["Dodge (5+)"]))
    assert wards(battle, b, 0, side) == found
    assert wards_against(battle, b.row, 3, side, AUTOMATIC) == [Ward(save) for save in found]


@pytest.mark.parametrize(
    ("nature", "dodges"),
    [(0, True), (AUTOMATIC, True), (MAGICAL, True), (MAGICAL | AUTOMATIC, False), (SWIFT, False)],
)
@pytest.mark.rule("wap.special.dodge.limits")
def test_what_nobody_dodges(nature: int, dodges: bool) -> None:
    battle, a, b = pair(man(rules=["Always Strikes First"]), man(rules=["Dodge (5+)"]))
    assert wards(battle, b, nature) == ([5] if dodges else [])
    assert blow(battle, a, b).nature & SWIFT and blow(battle, a, b).tier == FIRST


@pytest.mark.rule("wap.special.dodge.limits")
def test_who_never_dodges() -> None:
    slow = {"weapon": "hammer", "strength": "+2", "rules": ["Always Strikes Last", "requires two hands"]}
    for card in (
        man("hammer", rules=["Dodge (5+)"], weapons=[slow]),
        man(rules=["Dodge (5+)", "Always Strikes Last"]),
        rider(rules=["Dodge (5+)"]),
    ):
        battle, a, _ = pair(card, man())
        assert wards(battle, a) == []
    battle, a, _ = pair(man(rules=["Dodge (5+)"]), man())
    assert wards(battle, a) == [5]
    battle.units.chilled[a] = 1
    assert wards(battle, a) == []


@pytest.mark.rule("wap.special.regeneration")
def test_regeneration_is_a_ward_save() -> None:
    card = beast("monstrous infantry", w=3, rules=["Regeneration (4+)"])
    battle, a, _ = pair(card, man(), dice=[3, 4, 5], models=(3, 10))
    assert unsaved(battle, a.row, 3, Hit(7), REAR) == 1 and dice_left(battle) == 0


@pytest.mark.parametrize(("saves", "save"), [((6, 5), 4), ((5, 5), 4), ((6, 6), 5), ((4,), 4), ((3,), 3)])
@pytest.mark.rule("wap.special.regeneration.stack")
def test_sources_of_regeneration_add_up(saves: tuple[int, ...], save: int) -> None:
    battle, a, _ = pair(man(rules=[f"Regeneration ({value}+)" for value in saves]), man())
    assert ward_save(wards_against(battle, a.row, 3, REAR, 0)).save == save


@pytest.mark.parametrize(("nature", "found"), [(0, [6, 4]), (FLAMING, [6]), (MORTAL, [6]), (FLAMING | RANGED, [6])])
@pytest.mark.rule("wap.special.regeneration.limits")
def test_what_does_not_grow_back(nature: int, found: list[int]) -> None:
    battle, a, _ = pair(man(rules=["Regeneration (4+)", "Ward Save (6+)"]), man())
    assert wards(battle, a, nature) == found


@pytest.mark.rule("wap.special.regeneration.limits")
def test_wounds_of_instability_do_not_grow_back() -> None:
    battle, a, _ = pair(man(rules=["Regeneration (2+)", "Unstable"]), man(), dice=[6, 6, 6])
    battle.units.penalty[a], battle.units.steadfast[a] = 3, 0
    battle.units.outcome[a] = 3
    hold_without_test(battle, a.row)
    battle.run()
    assert told(battle, "wap.special.unstable")[0]["amount"] == 3


# ---------------------------------------------------------------- Expendable


@pytest.mark.parametrize(("mine", "heeds"), [(["Expendable"], False), ([], True)])
@pytest.mark.rule("wap.special.expendable.panic")
def test_nobody_minds_who_is_expendable(mine: list[str], heeds: bool) -> None:
    """A unit of US 12 is destroyed 4 inches from an ordinary friend and an Expendable one."""
    scene = RegimentScene()
    lost = scene.unit(0, man(rules=mine), (24, 24), models=12, files=6)
    plain = scene.unit(0, man(), (34, 24), models=10, files=5)
    rabble = scene.unit(0, man(rules=["Expendable"]), (14, 24), models=10, files=5)
    foe = scene.unit(1, man(), (24, 44), models=10, files=5)
    battle = scene.battle("shooting", run=False)
    start_phase(battle, Phase.SHOOTING)
    suffer(battle, lost.row, 12, by=foe.row)
    assert battle.units.due[rabble] & FRIEND_DESTROYED
    assert bool(battle.units.due[plain] & FRIEND_DESTROYED) is heeds


@pytest.mark.parametrize(("mine", "heeds"), [(["Expendable"], False), ([], True)])
@pytest.mark.rule("wap.special.expendable.panic")
def test_nobody_minds_when_expendable_ones_break(mine: list[str], heeds: bool) -> None:
    scene = RegimentScene()
    lost = scene.unit(0, man(rules=mine), (24, 24), models=12, files=6)
    plain = scene.unit(0, man(), (34, 24), models=10, files=5)
    scene.unit(1, man(), (24, 44), models=10, files=5)
    battle = scene.battle("combat", run=False)
    has_broken(battle, lost.row)
    assert bool(battle.units.due[plain] & FRIEND_BROKEN) is heeds


@pytest.mark.parametrize("wall", [True, False])
@pytest.mark.rule("wap.special.ethereal.los")
def test_who_is_ethereal_does_not_see_through_a_building(wall: bool) -> None:
    """An enemy 8 inches away behind a house is no target of a charge; without the house it is."""
    scene = RegimentScene()
    ghosts = scene.unit(0, man(m=8, rules=["Ethereal"]), (24, 12), models=10, files=5, facing=NORTH)
    foe = scene.unit(1, man(), (24, 20), models=10, files=5, facing=SOUTH)
    if wall:
        scene.area("impassable", 14, 15, 34, 16)
    battle = scene.battle("movement")
    assert bool(who_see(battle, ghosts.row, foe.row)) is not wall
    assert (chargers(battle) == [ghosts.number]) is not wall


@pytest.mark.parametrize(("rules", "seen"), [(["Ethereal"], False), ([], False)])
@pytest.mark.rule("wap.special.ethereal.los")
def test_who_is_ethereal_hides_others_as_anybody_does(rules: list[str], seen: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(0, man(), (24, 12), models=3, files=3, facing=NORTH)
    scene.unit(0, man(rules=rules), (24, 16), models=20, files=20, facing=NORTH)
    b = scene.unit(1, man(), (24, 24), models=3, files=3, facing=SOUTH)
    battle = scene.battle("movement", run=False)
    assert bool(who_see(battle, a.row, b.row)) is seen
