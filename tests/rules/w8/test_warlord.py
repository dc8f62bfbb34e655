"""Warlords and their Traits (w8.warlord.*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w8.warlord.state import Trait
from wh_env.rulesets.w8.warlord.traits import fights_on, survive
from wh_env.testing import choose, dice_left, kind, melee, ranged, sheet, slots, told

LORD = sheet(
    "Lord", W=6, T=5, Ld=9, Sv=2, models=(1, 1), keywords=("CHARACTER", "INFANTRY"),
    weapons={"axe": melee(A=4, WS=2, S=6, AP=-3, D=3)},
)  # fmt: skip
MARINES = sheet("Marines", models=(5, 5))
ORDER = [Trait.LEGENDARY_FIGHTER, Trait.INSPIRING_LEADER, Trait.TENACIOUS_SURVIVOR]


def before(lord=LORD, *, dice=(), choose_warlord=False, named=True, detail="full"):
    """The steps before a battle: player 0 with the Lord and 5 Marines, player 1 with Marines; player 1 divides the battlefield."""
    scene = EighthScene(size=(72, 48))
    scene.unit(0, lord, place="deploy", warlord=named and not choose_warlord, name="Lord")
    scene.unit(0, MARINES, place="deploy", name="Marines")
    scene.unit(1, MARINES, place="deploy", name="Enemies")
    rules = {"division": 0, "warlords": "choose" if choose_warlord else "lists"}
    return scene.battle("mission", dice=dice, rules=rules, detail=detail)


# ---------------------------------------------------------------- nominating


@pytest.mark.rule("w8.warlord.nominate")
@pytest.mark.parametrize("wanted", range(6))
def test_any_model_may_be_nominated_and_exactly_one_is(wanted):
    """A Lord and 5 Marines: 6 models."""
    battle = before(choose_warlord=True, dice=[6, 1, 1])
    assert (kind(battle), battle.decision.player) == ("nominate-unit", 0)
    assert slots(battle, "own") == [0, 1]
    choose(battle, "own", 0 if wanted == 0 else 1)
    if wanted:
        assert kind(battle) == "nominate-model"
        assert slots(battle, "model") == [0, 1, 2, 3, 4]
        choose(battle, "model", wanted - 1)
    assert battle.warlords.model[0] == wanted + 1
    assert battle.decision.player == 1  # who nominates next, one of 5 models of the only unit
    assert kind(battle) == "nominate-model"


@pytest.mark.rule("w8.warlord.nominate")
def test_army_lists_name_their_warlord_and_at_squad_detail_it_is_the_first_of_its_unit():
    assert list(before(dice=[6, 1, 1]).warlords.model) == [1, 0]
    battle = before(choose_warlord=True, dice=[6, 1, 1], detail="squad")
    choose(battle, "own", 1)
    assert list(battle.warlords.model) == [2, 7]


# ---------------------------------------------------------------- the Trait


@pytest.mark.rule("w8.warlord.trait", "w8.warlord.trait.determine")
@pytest.mark.parametrize("chosen", [1, 2, 3])
def test_a_character_has_the_trait_that_is_chosen_before_the_first_unit_is_deployed(chosen):
    battle = before(dice=[6, 1, 1, 5])
    assert (kind(battle), battle.decision.player) == ("warlord-trait", 0)
    assert slots(battle, "option") == [0, 1, 2, 3]
    assert not any(battle.models.on_table)
    choose(battle, "option", chosen)
    assert list(battle.warlords.trait) == [chosen, 0]
    assert dice_left(battle) == 1  # no die is rolled
    assert kind(battle) == "place-model"  # of the first unit that is deployed


@pytest.mark.rule("w8.warlord.trait.determine", "w8.warlord.trait.table")
@pytest.mark.parametrize(("die", "trait"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (6, 2)])
def test_or_a_d3_is_rolled_for_it(die, trait):
    battle = before(dice=[6, 1, 1, die])
    choose(battle, "option", 0)
    assert dice_left(battle) == 0
    assert battle.warlords.trait[0] == ORDER[trait]


@pytest.mark.rule("w8.warlord.trait")
def test_a_warlord_that_is_no_character_has_none():
    battle = before(choose_warlord=True, dice=[6, 1, 1])
    choose(battle, "own", 1)
    choose(battle, "model", 2)
    choose(battle, "model", 0)
    assert list(battle.warlords.model) == [4, 7]
    assert kind(battle) == "place-model"  # of the first unit that is deployed
    assert list(battle.warlords.trait) == [0, 0]


# ---------------------------------------------------------------- what Traits do


def lead(trait, model, player=0):
    """The model is a Warlord with the Trait."""

    def settle(battle):
        battle.warlords.model[player] = model.model(0) + 1
        battle.warlords.trait[player] = trait
        if trait == Trait.TENACIOUS_SURVIVOR:
            survive(battle, model.model(0))

    return settle


def fight(trait, *, charge, roll=(6, 6), player=0, dice=()):
    """The Lord of the player stands 6" from an enemy in that player's Charge phase, or 0.8" from it."""
    scene = EighthScene()
    lord = scene.unit(player, LORD, at=(20, 20))
    scene.unit(1 - player, sheet("Post", T=10, W=30, models=(1, 1)), at=(20, 27.0 if charge else 21.8), name="Post")
    battle = scene.battle(
        "charge" if charge else "fight", active=player, dice=[*roll, *dice] if charge else dice,
        set_state=lead(trait, lord, player),
    )  # fmt: skip
    return battle, lord


@pytest.mark.rule("w8.warlord.legendary-fighter")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("trait", "charge", "attacks"),
    [
        (Trait.LEGENDARY_FIGHTER, True, 5),
        (Trait.LEGENDARY_FIGHTER, False, 4),
        (Trait.INSPIRING_LEADER, True, 4),
        (Trait.TENACIOUS_SURVIVOR, True, 4),
    ],
)
def test_a_legendary_fighter_makes_one_more_attack_after_a_charge(trait, charge, attacks, player):
    battle, _ = fight(trait, charge=charge, player=player)
    while battle.decision is not None and not told(battle, "w8.attack.hit"):
        battle.apply(battle.decision.options[-1])
    assert len(told(battle, "w8.attack.hit")) == attacks


@pytest.mark.rule("w8.warlord.legendary-fighter")
def test_in_the_next_fight_phase_it_has_its_own_attacks_again():
    battle, _ = fight(Trait.LEGENDARY_FIGHTER, charge=True)
    seen = []
    while battle.decision is not None and battle.clock.round[0] < 2:
        battle.apply(battle.decision.options[0] if kind(battle) == "move-kind" else battle.decision.options[-1])
    for event in battle.events:
        if event.kind == "phase" and event.data["phase"] == "Fight":
            seen.append(0)
        elif event.rule == "w8.attack.hit" and seen:
            seen[-1] += 1
    assert seen == [5, 4]  # in its own turn, in the opponent's


@pytest.mark.rule("w8.warlord.legendary-fighter")
def test_a_failed_charge_brings_nothing():
    battle, _ = fight(Trait.LEGENDARY_FIGHTER, charge=True, roll=(1, 1))
    while battle.decision is not None and kind(battle) in ("select-to-charge", "charge-target"):
        battle.apply(battle.decision.options[-1])
    assert not fights_on(battle, 0)


def shaken(away, *, player=0, slain_lord=False, die=5, ld=7, lost=3):
    """A Morale test of a unit of the player, its nearest model so far from its Warlord."""
    scene = EighthScene()
    lord = scene.unit(player, LORD, at=(20, 20))
    places = [(20 + 1 + away + 1.4 * k, 20) for k in range(6)]
    unit = scene.unit(player, sheet("Shaken", Ld=ld), at=places, lost=range(3, 3 + lost), models=6)
    scene.unit(1 - player, MARINES, at=(20, 40))
    settle = lead(Trait.INSPIRING_LEADER, lord, player)

    def strike(battle):
        settle(battle)
        for k in range(3, 3 + lost):
            battle.toll[unit.model(k)] = 1
        if slain_lord:
            battle.models.alive[lord.model(0)] = battle.models.on_table[lord.model(0)] = 0
            battle.units.place[lord], battle.units.alive[lord] = DESTROYED, 0

    battle = scene.battle("morale", dice=[die], set_state=strike)
    while battle.decision is not None and not told(battle, "w8.morale.test"):
        battle.apply(battle.first_legal())
    return told(battle, "w8.morale.test")[0]


@pytest.mark.rule("w8.warlord.inspiring-leader", "w8.concepts.aura")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("away", "passed"), [(6.0, True), (6.1, False), (1.5, True)])
def test_an_inspiring_leader_adds_one_to_the_leadership_of_units_near_it(away, passed, player):
    """Ld 7, 3 slain and a die of 5: 8."""
    event = shaken(away, player=player)
    assert event["passed"] is passed
    assert event["needed"] == (8 if passed else 7)


@pytest.mark.rule("w8.warlord.inspiring-leader")
def test_a_slain_leader_inspires_nobody():
    assert shaken(1.5, slain_lord=True)["passed"] is False


@pytest.mark.rule("w8.warlord.inspiring-leader")
def test_the_warlord_inspires_its_own_unit():
    scene = EighthScene()
    lord = scene.unit(0, LORD, at=(20, 20))
    scene.unit(1, MARINES, at=(20, 40))
    battle = scene.battle("movement", set_state=lead(Trait.INSPIRING_LEADER, lord))
    assert battle.setup.ruleset.more_leadership(battle, lord.row) == 1
    assert battle.setup.ruleset.more_leadership(battle, 1) == 0


def wounded(dice, *, own=None, trait=Trait.TENACIOUS_SURVIVOR, damage=3, player=1):
    """One shot of so much damage at the Warlord of the player, which hits, wounds and is not saved."""
    lord = sheet(
        "Survivor", W=8, T=4, Sv=6, models=(1, 1), keywords=("CHARACTER", "INFANTRY"),
        **({"abilities": {"feel_no_pain": own}} if own else {}),
    )  # fmt: skip
    gun = sheet("Gun", weapons={"gun": ranged(48, A=1, BS=2, S=10, AP=-6, D=damage)}, models=(1, 1))
    scene = EighthScene()
    target = scene.unit(player, lord, at=(30, 30))
    scene.unit(1 - player, gun, at=(30, 15))
    settle = lead(trait, target, player)
    battle = scene.battle("shooting", active=1 - player, dice=[6, 6, *dice], set_state=settle)
    while battle.decision is not None and battle.clock.phase[0] == 3 and not told(battle, "w8.attack.damage"):
        battle.apply(battle.decision.options[-1])
    return battle, 8 - battle.models.wounds[target.model(0)]


@pytest.mark.rule("w8.warlord.tenacious-survivor")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "lost"), [((6, 5, 6), 1), ((5, 5, 5), 3), ((6, 6, 6), 0)])
def test_a_tenacious_survivor_ignores_a_wound_on_each_six(dice, lost, player):
    battle, found = wounded([1, *dice], player=player)
    assert (found, dice_left(battle)) == (lost, 0)


@pytest.mark.rule("w8.warlord.tenacious-survivor")
def test_other_traits_ignore_nothing():
    assert wounded([1, 6, 6, 6], trait=Trait.LEGENDARY_FIGHTER)[1] == 3


@pytest.mark.rule("w8.warlord.tenacious-survivor.stacking")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "lost"), [((4, 6), 0), ((5,), 0), ((4, 5), 1), ((6,), 0)])
def test_with_an_ability_of_its_own_both_are_rolled_and_the_second_only_if_the_first_fails(dice, lost, player):
    battle, found = wounded([1, *dice], own=5, damage=1, player=player)
    assert (found, dice_left(battle)) == (lost, 0)
