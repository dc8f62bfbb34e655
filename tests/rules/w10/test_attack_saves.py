"""Allocation, saving throws, damage, Feel No Pain as a player meets them (w10.attack.allocate.*, .save.*, .damage.*)."""

from __future__ import annotations

import pytest

from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w40k.codes import Effect
from wh_env.testing import Scene, choose, dice_left, melee, pick, play_until, ranged, sheet, slots, told, words

SAVE = "w10.attack.save.roll"


def shoot(enemy, dice, *, weapon=None, detail="full", models=1, at=(10, 20), rules=None, leader=None, **target):
    """A unit of one gun shoots ``enemy``; the battle at its first decision about the attacks (or after them)."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": weapon or ranged(24, BS=2, S=8)}), at=(10, 10))
    unit = scene.unit(1, enemy, at=at, models=models, **target)
    if leader is not None:
        scene.unit(1, leader, at=(at[0] - 2.0, at[1]), leads=unit)
    scene.unit(1, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", detail=detail, dice=list(dice), rules=rules)
    pick(battle, "Guns")
    if detail == "full":
        pick(battle, f"at {battle.setup.names['units'][1]}", kind="weapon-target")
    return battle


def waits(battle, kind):
    """Whether a decision of this kind waits."""
    return battle.decision is not None and battle.decision.kind == kind


def wounds(battle, count, first=1):
    """Wounds left of the target's models."""
    return [battle.models.wounds[first + k] for k in range(count)]


def saves(battle):
    """(die, needed, result) of the saves."""
    return [(e["die"], e["needed"], e["result"]) for e in told(battle, SAVE)]


# ---------------------------------------------------------------- allocation


@pytest.mark.rule("w10.attack.allocate.choice")
def test_the_owner_of_an_unhurt_unit_allocates_to_any_model():
    for slot in range(5):
        battle = shoot(sheet("X", Sv=6), [2, 2, 1], models=5)
        assert waits(battle, "allocate")
        assert battle.decision.player == 1
        assert slots(battle, "model") == [0, 1, 2, 3, 4]
        choose(battle, "model", slot)
        assert [battle.models.alive[1 + k] for k in range(5)] == [int(k != slot) for k in range(5)]
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.allocate.wounded-first")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_wounded_model_takes_the_next_attacks_until_it_is_destroyed(detail):
    gun = ranged(24, A=2, BS=2, S=8)
    battle = shoot(sheet("X", Sv=6, W=3), [2, 2, 2, 2, 1, 1], weapon=gun, detail=detail, models=3, wounds={1: 1})
    if detail == "full":
        # the first attack had to go to the hurt model; for the second there is a choice again
        assert battle.models.alive[2] == 0
        assert slots(battle, "model") == [0, 1]
        choose(battle, "model", 0)
        assert wounds(battle, 3) == [2, 0, 3]
    else:
        assert sorted(wounds(battle, 3)) == [0, 2, 3]
        assert battle.models.alive[2] == 0
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.allocate.wounded-first")
def test_a_model_that_saved_takes_the_next_attack_of_the_phase():
    gun = ranged(24, A=2, BS=2, S=8)
    battle = shoot(sheet("X", Sv=4, W=3), [2, 2, 2, 2, 4, 1], weapon=gun, models=3)
    choose(battle, "model", 1)
    # saved, unhurt; the second attack is not asked about
    assert not waits(battle, "allocate")
    assert [e["model"] for e in told(battle, SAVE)] == [2, 2]
    assert wounds(battle, 3) == [3, 2, 3]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.allocate.wounded-first")
def test_it_takes_the_attacks_of_another_unit_too():
    scene = Scene()
    for name, x in (("First", 10), ("Second", 14)):
        scene.unit(0, sheet(name, weapons={"gun": ranged(24, BS=2, S=8)}), at=(x, 10))
    target = scene.unit(1, sheet("X", Sv=4, W=3), at=(10, 20), models=3)
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 4, 2, 2, 4])
    pick(battle, "First")
    pick(battle, "at X", kind="weapon-target")
    choose(battle, "model", 1)
    pick(battle, "Second", kind="select-to-shoot")
    pick(battle, "at X", kind="weapon-target")
    assert [e["model"] for e in told(battle, SAVE)] == 2 * [target.model(1)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.allocate.wounded-first")
def test_in_the_next_phase_any_unhurt_model_may_be_chosen_again():
    scene = Scene()
    weapons = {"gun": ranged(24, BS=2, S=8, abilities=["Pistol"]), "fist": melee(WS=2, S=8)}
    scene.unit(0, sheet("First", weapons=weapons), at=(11, 18.5))
    scene.unit(1, sheet("X", Sv=4, W=3), at=(10, 20), models=3)
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 4, 2, 2, 4])
    pick(battle, "First")
    pick(battle, "at X", kind="weapon-target")
    choose(battle, "model", 1)
    assert [e["result"] for e in told(battle, SAVE)] == [1]
    play_until(battle, "allocate")  # the attack of the Fight phase
    assert battle.clock.phase[0] == Phase.FIGHT
    assert slots(battle, "model") == [0, 1, 2]
    choose(battle, "model", 2)
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.allocate.several-candidates")
def test_several_hurt_models_are_chosen_among():
    battle = shoot(sheet("X", Sv=6, W=2), [2, 2, 1], models=4, wounds={0: 1, 2: 1})
    assert slots(battle, "model") == [0, 2]
    choose(battle, "model", 2)
    assert wounds(battle, 4) == [1, 2, 0, 2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.allocate.unseen")
def test_the_attack_may_be_allocated_to_a_hidden_model():
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(16, BS=2, S=8)}), at=(5, 20))
    scene.box(12, 4, 13, 18.8, 8)
    x = scene.unit(1, sheet("X", Sv=6), at=[(20, 18.5), (20, 16.5), (20, 15), (20, 13.5), (20, 12)])
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 1])
    pick(battle, "Guns")
    pick(battle, "at X", kind="weapon-target")
    assert slots(battle, "model") == [0, 1, 2, 3, 4]
    choose(battle, "model", 4)  # neither visible nor within 16"
    assert battle.models.alive[x.model(4)] == 0
    assert dice_left(battle) == 0


CAPTAIN = sheet("Captain", Sv=6, W=4, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["X"]})


@pytest.mark.rule("w10.deploy.leader.no-allocation")
def test_in_an_attached_unit_only_bodyguard_models_are_offered():
    battle = shoot(sheet("X", Sv=6), [2, 2, 1], models=3, leader=CAPTAIN)
    assert slots(battle, "model") == [0, 1, 2]


@pytest.mark.rule("w10.weapon.precision")
def test_precision_lets_the_attacker_pick_the_visible_leader():
    def volley(answer, dice):
        gun = ranged(24, BS=2, S=8, D=2, abilities=["Precision"])
        battle = shoot(sheet("X", Sv=6, W=2), dice, weapon=gun, models=2, leader=CAPTAIN, wounds={0: 1})
        assert waits(battle, "precision")
        assert battle.decision.player == 0
        assert (slots(battle, "done"), slots(battle, "model")) == ([0], [2])
        choose(battle, *answer)
        assert dice_left(battle) == 0
        return wounds(battle, 3)

    assert volley(("model", 2), [2, 2, 1]) == [1, 2, 2]
    assert volley(("done",), [2, 2, 1]) == [0, 2, 4]  # left to the defender: the hurt Bodyguard model


def mixed(name, first, second, *, keywords=("INFANTRY",), counts=(1, 1), **fields):
    """A datasheet of two kinds of models; ``first`` and ``second``: (name, its own keywords)."""
    data = sheet(name, keywords=keywords, **fields)
    kind = data["models"][0]
    data["models"] = [
        {**kind, "name": title, "keywords": list(own), "min": count, "max": count}
        for (title, own), count in zip((first, second), counts, strict=True)
    ]
    data["points"] = [{"models": sum(counts), "points": 100}]
    return data


CHARACTER, NONE = ("CHARACTER",), ()
COURT = mixed("Court", ("Lord", CHARACTER), ("Page", NONE), Sv=6, W=4, abilities={"leader": ["X"]})
SQUAD_WITH_HERO = mixed("X", ("Hero", CHARACTER), ("Man", NONE), counts=(1, 2), Sv=6)


def court(enemy, dice, *, weapon=None, detail="full", wounds=None, models=2, lost=(), leader=COURT):
    """``shoot`` at a unit led by a Lord (CHARACTER) and his Page (none)."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": weapon or ranged(24, BS=2, S=8)}), at=(10, 10))
    unit = scene.unit(1, enemy, at=(10, 20), models=models, wounds=wounds, lost=lost)
    scene.unit(1, leader, at=[(10, 22), (12, 22)], leads=unit)
    battle = scene.battle("shooting", detail=detail, dice=list(dice))
    pick(battle, "Guns")
    if detail == "full":
        pick(battle, "at X", kind="weapon-target")
    return battle


@pytest.mark.rule("w10.deploy.leader.no-allocation", "w10.concepts.keywords.model-or-unit")
def test_only_the_character_of_a_leader_unit_is_spared():
    """The Page of a Lord is no CHARACTER: attacks may be allocated to him beside the Bodyguards, hurt he must take them."""
    battle = court(sheet("X", Sv=6), [2, 2, 1])
    assert slots(battle, "model") == [0, 1, 3]
    choose(battle, "model", 3)
    assert wounds(battle, 4) == [1, 1, 4, 3]
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=8)}), at=(10, 10))
    unit = scene.unit(1, sheet("X", Sv=6), at=(10, 20), models=2)
    scene.unit(1, COURT, at=[(10, 22), (12, 22)], leads=unit, wounds={0: 3, 1: 2})
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 1])
    pick(battle, "Guns")
    pick(battle, "at X", kind="weapon-target")
    assert wounds(battle, 4) == [1, 1, 3, 1]  # nobody was asked
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.mortal.allocate", "w10.concepts.keywords.model-or-unit")
def test_so_it_is_with_mortal_wounds():
    gun = ranged(24, BS=2, S=8, abilities=["Devastating Wounds"])
    battle = court(sheet("X", Sv=6), [2, 6], weapon=gun)
    assert waits(battle, "allocate")
    assert slots(battle, "model") == [0, 1, 3]
    battle = court(SQUAD_WITH_HERO, [2, 6], weapon=gun, models=3)
    assert slots(battle, "model") == [1, 2, 4]


@pytest.mark.rule("w10.deploy.leader.no-allocation", "w10.concepts.keywords.model-or-unit")
def test_a_character_among_the_bodyguards_is_spared_too():
    """While it is part of an Attached unit, even if it is hurt; alone with other CHARACTERS it takes its share."""
    battle = court(SQUAD_WITH_HERO, [2, 2, 1], models=3, wounds={0: 1})
    assert slots(battle, "model") == [1, 2, 4]
    unled = shoot(SQUAD_WITH_HERO, [2, 2, 1], models=3)
    assert slots(unled, "model") == [0, 1, 2]
    battle = court(SQUAD_WITH_HERO, [2, 2, 1], models=3, lost=(1, 2), leader=CAPTAIN_PAIR)
    assert slots(battle, "model") == [0, 1, 2]


CAPTAIN_PAIR = mixed("Pair", ("One", CHARACTER), ("Other", CHARACTER), Sv=6, W=4, abilities={"leader": ["X"]})


@pytest.mark.rule("w10.deploy.leader.last-bodyguard", "w10.concepts.keywords.model-or-unit")
def test_after_the_last_bodyguard_any_model_of_the_leader_unit_takes_attacks():
    """Two wounds: the Page or the Bodyguard takes the first; once the Bodyguard is gone the Lord may take one too."""
    battle = court(sheet("X", Sv=6), [2, 2, 2, 2, 1, 1], models=1, weapon=ranged(24, A=2, BS=2, S=8))
    assert slots(battle, "model") == [0, 2]
    choose(battle, "model", 0)
    assert slots(battle, "model") == [0, 1]  # of the members that are left: Lord and Page
    choose(battle, "model", 0)
    assert wounds(battle, 3) == [0, 3, 4]
    assert dice_left(battle) == 0


SQUAD_WITH_HEALTHY_HERO = mixed("X", ("Hero", CHARACTER), ("Man", NONE), counts=(1, 2), Sv=6, W=3)


def ambush(detail, *, guns=((10, 10),), dice=(2, 2, 1)):
    """Precision rifles shoot an Attached unit; its Leader stands behind a wall, the Hero of its Bodyguards in the open."""
    scene = Scene()
    rifle = {"rifle": ranged(48, BS=2, S=8, abilities=["Precision"])}
    scene.unit(0, sheet("Guns", weapons=rifle), at=list(guns), models=len(guns))
    unit = scene.unit(1, SQUAD_WITH_HEALTHY_HERO, at=[(20, 25), (17.5, 25), (15, 25)])
    boss = sheet("Boss", Sv=6, W=4, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["X"]})
    scene.unit(1, boss, at=(12.8, 25), leads=unit)
    scene.box(2, 20, 13.5, 21, 9)
    battle = scene.battle("shooting", detail=detail, dice=list(dice))
    pick(battle, "Guns")
    while waits(battle, "weapon-target") or waits(battle, "shoot-target"):
        pick(battle, "X" if waits(battle, "shoot-target") else "at X")
    return battle


@pytest.mark.rule("w10.weapon.precision")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_precision_takes_a_character_among_the_bodyguards_and_only_one_that_is_seen(detail):
    """Of two CHARACTERS the Leader is hidden: the attacker can pick the Hero among the Bodyguards, not the Leader."""
    battle = ambush(detail)
    if detail == "full":
        assert waits(battle, "precision")
        assert slots(battle, "model") == [0]
        choose(battle, "model", 0)
    assert battle.models.wounds[1] == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.precision", "w10.attack.fast-dice.similar")
def test_attackers_that_see_different_characters_roll_apart():
    """One rifle sees the Hero only, the other one sees the Leader too: each can pick whom it sees."""
    battle = ambush("full", guns=((3, 10), (24, 10)), dice=(2, 2, 1, 2, 2, 1))
    assert len(told(battle, "w10.attack.hit.roll")) == 1
    offered = []
    for _ in range(2):
        assert waits(battle, "precision")
        offered.append(slots(battle, "model"))
        choose(battle, "model", offered[-1][-1])
        if waits(battle, "profile-order"):
            battle.apply(battle.first_legal())
    assert sorted(offered) == [[0], [0, 3]]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.precision", "w10.deploy.leader.one-unit")
def test_precision_needs_an_attached_unit():
    """The same squad without a Leader: its own player allocates, to whomever."""
    gun = ranged(24, BS=2, S=8, abilities=["Precision"])
    battle = shoot(SQUAD_WITH_HEALTHY_HERO, [2, 2, 1], weapon=gun, models=3)
    assert waits(battle, "allocate")
    assert slots(battle, "model") == [0, 1, 2]


# ---------------------------------------------------------------- saves


@pytest.mark.rule("w10.attack.save.roll")
@pytest.mark.parametrize(
    ("save", "ap", "die", "saved"), [(3, -1, 4, 1), (3, -1, 3, 0), (3, 0, 3, 1), (6, -1, 6, 0), (6, 0, 6, 1)]
)
def test_armour_saves_are_worsened_by_ap(save, ap, die, saved):
    battle = shoot(sheet("X", Sv=save, W=5), [2, 2, die], weapon=ranged(24, BS=2, S=8, AP=ap))
    assert [s[2] for s in saves(battle)] == [saved]
    assert wounds(battle, 1) == [5 - (1 - saved)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.save.one-fails")
def test_a_one_fails_whatever_the_bonus():
    def save(die):
        gun = ranged(24, BS=2, S=8, AP=-1)
        battle = shoot(sheet("X", Sv=2, W=5), [2, 2, die], weapon=gun, cover=Effect.BENEFIT_OF_COVER)
        assert dice_left(battle) == 0
        return saves(battle)

    assert save(1) == [(1, 2, 0)]
    assert save(2) == [(2, 2, 1)]


@pytest.mark.rule("w10.attack.save.invulnerable.choice")
def test_armour_or_invulnerable_save_is_the_owners_choice():
    def save(answer, die):
        gun = ranged(24, BS=2, S=8, AP=-4)
        battle = shoot(sheet("X", Sv=2, W=5, invuln=4), [2, 2, die], weapon=gun)
        assert waits(battle, "save")
        assert battle.decision.player == 1
        assert list(words(battle).values()) == ["armour save", "invulnerable save"]
        pick(battle, answer)
        assert dice_left(battle) == 0  # one die: a failed save is not followed by the other
        return saves(battle)

    assert save("armour save", 6) == [(6, 6, 1)]
    assert save("armour save", 5) == [(5, 6, 0)]
    assert save("invulnerable save", 4) == [(4, 4, 1)]
    assert save("invulnerable save", 3) == [(3, 4, 0)]


@pytest.mark.rule("w10.attack.save.invulnerable.choice")
def test_the_choice_is_made_for_each_attack():
    gun = ranged(24, A=2, BS=2, S=8, AP=-4)
    battle = shoot(sheet("X", Sv=2, W=5, invuln=4), [2, 2, 2, 2, 4, 6], weapon=gun)
    pick(battle, "invulnerable save", kind="save")
    pick(battle, "armour save", kind="save")
    assert saves(battle) == [(4, 4, 1), (6, 6, 1)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.save.invulnerable.choice")
def test_squad_detail_the_better_save_is_used():
    for ap, needed in ((-4, 4), (-1, 3)):
        battle = shoot(
            sheet("X", Sv=2, W=5, invuln=4), [2, 2, needed], weapon=ranged(24, BS=2, S=8, AP=ap), detail="squad"
        )
        assert saves(battle) == [(needed, needed, 1)]
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.save.invulnerable.several")
@pytest.mark.parametrize(("answer", "needed"), [("invulnerable save", 5), ("second invulnerable save", 6)])
def test_one_of_several_invulnerable_saves(answer, needed):
    battle = shoot(sheet("X", Sv=4, W=5, invuln=5, invuln2=6), [2, 2, needed - 1], weapon=ranged(24, BS=2, S=8, AP=-4))
    assert list(words(battle).values()) == ["armour save", "invulnerable save", "second invulnerable save"]
    pick(battle, answer)
    assert saves(battle) == [(needed - 1, needed, 0)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.save.invulnerable.no-ap")
def test_invulnerable_saves_ignore_ap():
    for die, saved in ((4, 1), (3, 0)):
        battle = shoot(sheet("X", Sv=6, W=5, invuln=4), [2, 2, die], weapon=ranged(24, BS=2, S=8, AP=-3))
        pick(battle, "invulnerable save", kind="save")
        assert saves(battle) == [(die, 4, saved)]
        assert dice_left(battle) == 0


# ---------------------------------------------------------------- damage


@pytest.mark.rule("w10.attack.damage.amount")
def test_a_model_loses_a_wound_for_each_point():
    battle = shoot(sheet("X", Sv=6, W=3), [2, 2, 1], weapon=ranged(24, BS=2, S=8, D=2))
    assert wounds(battle, 1) == [1]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.damage.destroyed")
def test_a_model_without_wounds_is_removed():
    battle = shoot(sheet("X", Sv=6, W=3), [2, 2, 1], weapon=ranged(24, BS=2, S=8, D=3), wounds={0: 2})
    assert (battle.models.alive[1], battle.models.on_table[1]) == (0, 0)
    assert battle.units.alive[1] == 0
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.damage.excess-lost")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_excess_damage_of_an_attack_is_lost(detail):
    battle = shoot(sheet("X", Sv=6), [2, 2, 1], weapon=ranged(24, BS=2, S=8, D=6), detail=detail, models=5)
    if detail == "full":
        choose(battle, "model", 0)
    assert battle.units.alive[1] == 4
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.feel-no-pain")
def test_feel_no_pain_is_rolled_for_each_wound():
    battle = shoot(sheet("X", Sv=6, W=5, fnp=5), [2, 2, 1, 5, 4, 6], weapon=ranged(24, BS=2, S=8, D=3))
    assert wounds(battle, 1) == [4]
    assert [(e["die"], e["result"]) for e in told(battle, "w10.attack.feel-no-pain")] == [(5, 1), (4, 0), (6, 1)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.feel-no-pain")
def test_feel_no_pain_works_against_mortal_wounds():
    gun = ranged(24, BS=2, S=8, D=2, abilities=["Devastating Wounds"])
    battle = shoot(sheet("X", Sv=6, W=5, fnp=5), [2, 6, 1, 5], weapon=gun)
    assert wounds(battle, 1) == [4]
    assert saves(battle) == []
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.feel-no-pain.one-only")
def test_one_of_two_feel_no_pain_abilities_is_used():
    def lost(answer, die):
        enemy = sheet("X", Sv=6, W=5, fnp=6, abilities={"feel_no_pain": 5})
        battle = shoot(enemy, [2, 2, 1, die])
        assert waits(battle, "feel-no-pain")
        assert battle.decision.player == 1
        assert len(words(battle)) == 2
        pick(battle, answer)
        assert len(told(battle, "w10.attack.feel-no-pain")) == 1
        assert dice_left(battle) == 0
        return 5 - battle.models.wounds[1]

    assert lost("first Feel No Pain", 5) == 1  # 6+
    assert lost("first Feel No Pain", 6) == 0
    assert lost("second Feel No Pain", 5) == 0  # 5+
    assert lost("second Feel No Pain", 4) == 1


@pytest.mark.rule("w10.attack.feel-no-pain.one-only")
def test_squad_detail_the_better_feel_no_pain_is_used():
    enemy = sheet("X", Sv=6, W=5, fnp=6, abilities={"feel_no_pain": 5})
    battle = shoot(enemy, [2, 2, 1, 5], detail="squad")
    assert wounds(battle, 1) == [5]
    assert dice_left(battle) == 0
