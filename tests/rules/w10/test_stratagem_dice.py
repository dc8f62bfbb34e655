"""Stratagems on dice: Command Re-roll and Insane Bravery (w10.stratagem.command-re-roll, .insane-bravery)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, choose, dice_left, kind, melee, pick, play_until, ranged, sheet, slots, told, words

POOR = {"cp_each_command_phase": 0}  # so that what was spent can be read after the turn
ASKED = {"stratagems": {"command-re-roll": "ask"}, **POOR}
DELEGATED = {"stratagems": {"command-re-roll": "delegate"}, **POOR}
USE, KEEP = "Command Re-roll", "keep"


def shooting(dice, *, cp=(1, 0), A=1, BS=4, D=1, S=4, AP=0, abilities=(), W=9, Sv=3, fnp=None, rules=None, detail="squad",
             demise=None, **columns):  # fmt: skip
    """A gun has been declared at a unit; what happens next are its dice."""
    scene = Scene()
    gun = {"gun": ranged(24, A=A, BS=BS, S=S, AP=AP, D=D, abilities=abilities)}
    scene.unit(0, sheet("Guns", weapons=gun), at=(10, 10))
    scene.unit(0, sheet("More guns", weapons=gun), at=(14, 10))
    more = {"deadly_demise": demise} if demise is not None else None
    scene.unit(1, sheet("Target", Sv=Sv, W=W, fnp=fnp, abilities=more, keywords=("BEASTS",)), at=(10, 20), **columns)
    rules = {**ASKED, **(rules or {})}
    battle = scene.battle("shooting", cp=cp, dice=dice, rules=rules, detail=detail)
    pick(battle, "More guns", kind="select-to-shoot")
    if kind(battle) == "weapon-target":
        choose(battle, "enemy", 0)
    return battle


def charging(dice, *, cp=(1, 0), away=7.5, detail="squad", rules=ASKED, **columns):
    """A charge of a lone model at a target ``away`` inches off, declared; what happens next is the Charge roll."""
    scene = Scene()
    scene.unit(0, sheet("Charger"), at=(10, 10), **columns)
    scene.unit(1, sheet("Target"), at=(10, 11 + away))
    battle = scene.battle("charge", cp=cp, dice=dice, rules=rules, detail=detail)
    pick(battle, "Charger", kind="select-to-charge")
    while kind(battle) == "charge-target":
        choose(battle, "done" if battle.legal()[0] else "enemy")
    return battle


# ---------------------------------------------------------------- the rolls it can be used on


@pytest.mark.rule("w10.stratagem.command-re-roll", "w10.stratagem.pay")
def test_a_failed_save_is_rolled_again():
    """A save of 2 on 3+ becomes 3: saved, and the defender has 0 CP left."""
    battle = shooting([4, 4, 2, 3], cp=(0, 1))
    assert kind(battle) == "command-re-roll-die" and battle.decision.player == 1
    assert sorted(words(battle).values()) == ["Command Re-roll: a save roll of 2", "keep the save roll"]
    pick(battle, USE)
    assert battle.models.wounds[2] == 9
    assert battle.players.cp[1] == 0 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_a_save_may_be_kept_and_costs_nothing():
    battle = shooting([4, 4, 2], cp=(0, 1))
    pick(battle, KEEP)
    assert battle.models.wounds[2] == 8
    assert battle.players.cp[1] == 1 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll")
@pytest.mark.parametrize(
    ("weapon", "dice", "name", "again", "lost"),
    [
        ({"A": "D6"}, [2, 1, 4, 4, 2], "attacks roll of 2", 2, 1),  # one attack instead of two
        ({"BS": 4}, [3, 4, 4, 2], "hit roll of 3", 1, 1),
        ({"S": 4}, [4, 3, 4, 2], "wound roll of 3", 1, 1),
        ({"D": "D6"}, [4, 4, 2, 1, 5], "damage roll of 1", 1, 5),
    ],
)
def test_the_attackers_rolls(weapon, dice, name, again, lost):
    """Number of attacks, hit, wound and damage rolls, each made again for 1 CP; no other die is offered afterwards."""
    battle = shooting(dice, **weapon)
    while name not in " ".join(words(battle).values()):
        assert kind(battle) == "command-re-roll-die" and battle.decision.player == 0
        pick(battle, KEEP)
    pick(battle, name)
    assert battle.models.wounds[2] == 9 - lost
    assert battle.players.cp[0] == 0 and dice_left(battle) == 0
    assert kind(battle) == "select-to-shoot"


@pytest.mark.rule("w10.stratagem.command-re-roll", "w10.weapon.devastating-wounds")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_damage_roll_of_devastating_wounds(detail):
    """A Critical Wound of Damage D6 inflicts as many mortal wounds: 1 becomes 5, for 1 CP."""
    battle = shooting([4, 6, 1, 5], D="D6", abilities=["Devastating Wounds"], detail=detail)
    while "damage roll" not in " ".join(words(battle).values()):
        assert kind(battle) == "command-re-roll-die" and battle.decision.player == 0
        pick(battle, KEEP)
    assert sorted(words(battle).values()) == ["Command Re-roll: a damage roll of 1", "keep the damage roll"]
    pick(battle, USE)
    assert battle.models.wounds[2] == 9 - 5
    assert battle.players.cp[0] == 0 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_in_a_batch_one_roll_of_it():
    """Three hit rolls 1, 3, 6: by the face of the die, and only that die is rolled again."""
    battle = shooting([1, 3, 6, 5, 1, 1], A=3)
    assert slots(battle, "number") == [1, 3, 6]
    pick(battle, "a hit roll of 3")
    assert [e["result"] for e in told(battle, "w10.attack.hit.roll")] == [0, 0, 2]
    assert len(told(battle, "w10.attack.wound.roll")) == 2
    assert battle.players.cp[0] == 0 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_a_hazardous_test_may_be_rolled_again():
    """1 becomes 2: the model lives. Kept, it is destroyed."""
    battle = shooting([1, 1, 2], abilities=["Hazardous"])
    pick(battle, KEEP, kind="command-re-roll-die")  # the miss
    pick(battle, "hazardous roll of 1")
    assert battle.units.alive[1] == 1 and dice_left(battle) == 0
    lost = shooting([1, 1], abilities=["Hazardous"])
    pick(lost, KEEP)
    pick(lost, KEEP)
    assert lost.units.alive[1] == 0 and lost.players.cp[0] == 1


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_a_charge_roll_is_made_again_with_both_dice():
    """6 and 1 become 2 and 4: the charge of 6.5" fails after all; the CP is gone."""
    battle = charging([6, 1, 2, 4])
    assert kind(battle) == "command-re-roll"
    assert sorted(words(battle).values()) == ["Command Re-roll: the charge roll of 7", "keep the charge roll of 7"]
    pick(battle, USE)
    assert told(battle, "w10.charge.roll")[-1]["roll"] == 6
    assert told(battle, "w10.charge.failed")
    assert battle.players.cp[0] == 0 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_a_charge_roll_may_be_kept():
    battle = charging([6, 1])
    pick(battle, KEEP)
    assert told(battle, "w10.charge.move")
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_an_advance_roll_is_made_again():
    scene = Scene()
    mine = scene.unit(0, sheet("Mine"), at=(10, 10))
    scene.unit(1, sheet("Enemy"), at=(10, 40))
    battle = scene.battle("movement", cp=(1, 0), dice=[1, 5], rules=ASKED)
    pick(battle, "Advance")
    assert kind(battle) == "command-re-roll" and battle.decision.player == 0
    pick(battle, USE)
    assert battle.units.advance[mine] == 5
    assert battle.players.cp[0] == 0 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll")
@pytest.mark.parametrize(
    ("answer", "dice", "alive"),
    [(USE, [2, 1, 5, 6, 6, 3], 4), (USE, [2, 1, 5, 6, 6, 2], 3), (KEEP, [2, 1, 5, 6, 6], 3)],
)
def test_one_desperate_escape_test_is_taken_again(answer, dice, alive):
    """Five models are ringed by enemies and cross them to Fall Back; two of the five tests fail."""
    scene = Scene()
    mine = scene.unit(0, sheet("Mine"), at=(20, 10), models=5)
    for x in (18.5, 20.0, 21.5, 23.0, 24.5, 26.0, 27.5):
        for y in (8.5, 11.5):
            scene.unit(1, sheet("Enemy"), at=(x, y))
    scene.unit(1, sheet("Enemy"), at=(18.5, 10))
    scene.unit(1, sheet("Enemy"), at=(27.5, 10))
    battle = scene.battle("movement", cp=(1, 0), dice=dice, rules=ASKED)
    pick(battle, "Fall Back")
    assert kind(battle) == "fall-back-to"
    battle.apply(battle.first_legal())
    assert kind(battle) == "command-re-roll-test" and battle.decision.player == 0
    pick(battle, answer)
    assert battle.units.alive[mine] == alive
    assert dice_left(battle) == 0
    assert battle.players.cp[0] == (0 if answer == USE else 1)


# ---------------------------------------------------------------- the rolls it cannot be used on


@pytest.mark.rule("w10.stratagem.command-re-roll.not-others")
def test_not_a_battle_shock_test():
    scene = Scene()
    mine = scene.unit(0, sheet("Mine"), at=(10, 10), models=10, lost=range(6))
    scene.unit(1, sheet("Enemy"), at=(10, 40))
    rules = {"stratagems": {"command-re-roll": "ask", "insane-bravery": "off"}}
    battle = scene.battle("command", cp=(3, 3), dice=[1, 2], rules=rules)
    assert kind(battle) == "move-kind"
    assert battle.units.shocked[mine] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll.not-others")
def test_not_feel_no_pain_nor_deadly_demise():
    """Defender with 3 CP: a failed Feel No Pain and then a Deadly Demise of 6 with its D3 pass without a question."""
    rules = {"stratagems": {"command-re-roll": "ask"}}
    # hit, wound, save 1 (asked, kept), Feel No Pain 2, Deadly Demise 6, its D3 for nobody in reach
    battle = shooting([4, 4, 1, 2, 6], cp=(0, 3), W=1, fnp=5, demise="D3", rules=rules)
    assert "save roll of 1" in " ".join(words(battle).values())
    pick(battle, KEEP)
    assert battle.units.alive[2] == 0
    assert told(battle, "w10.attack.deadly-demise")[-1]["roll"] == 6
    assert battle.players.cp[1] == 3 and dice_left(battle) == 0
    assert kind(battle) != "command-re-roll-die"


@pytest.mark.rule("w10.stratagem.command-re-roll.not-others")
def test_not_the_dice_of_other_stratagems_nor_rolls_of_the_opponent():
    """Grenade rolls six D6 with a CP left: nothing is offered. A hit roll is never offered to the target's player."""
    scene = Scene()
    scene.unit(0, sheet("Throwers", keywords=("INFANTRY", "GRENADES")), at=(10, 10))
    scene.unit(1, sheet("Target"), at=(10, 16), models=10)
    battle = scene.battle("shooting", cp=(3, 3), dice=[1] * 6, rules=ASKED)
    pick(battle, "use Grenade")
    assert told(battle, "w10.stratagem.grenade")[-1]["mortal_wounds"] == 0
    assert battle.players.cp[0] == 2 and dice_left(battle) == 0
    assert kind(battle) not in ("command-re-roll", "command-re-roll-die")

    other = shooting([3], cp=(0, 3))
    assert kind(other) == "select-to-shoot" and dice_left(other) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll.not-others", "w10.concepts.roll-off.no-changes")
def test_not_a_roll_off():
    """A loses 2 to 5 with 1 CP and everything asked: the next decision is the deployment of the other player."""
    scene = Scene()
    scene.unit(0, sheet("A one"), place="deploy")
    scene.unit(1, sheet("B one"), place="deploy")
    battle = scene.battle("mission", attacker=None, cp=(1, 1), dice=[2, 5], rules=ASKED, detail="full")
    assert kind(battle) not in ("command-re-roll", "command-re-roll-die", "reroll")
    assert told(battle, "w10.mission.attacker-defender")[-1]["rolls"] == (2, 5)
    assert battle.players.cp[0] == 1 and dice_left(battle) == 0


# ---------------------------------------------------------------- once


@pytest.mark.rule("w10.stratagem.once-per-phase")
def test_once_in_a_phase_and_again_in_the_next():
    """5 CP: used in the Shooting phase, it is not offered again there; the opponent still can; in the Charge phase it is back."""
    scene = Scene()
    gun = {"gun": ranged(24, A=1, BS=4)}
    scene.unit(0, sheet("Guns", weapons=gun), at=(10, 10))
    scene.unit(0, sheet("More guns", weapons=gun), at=(14, 10))
    scene.unit(1, sheet("Target", Sv=3, W=9, keywords=("BEASTS",)), at=(12, 18))
    rules = {"stratagems": {"command-re-roll": "ask", "fire-overwatch": "off"}}
    battle = scene.battle("shooting", cp=(5, 5), dice=[3, 3, 4, 4, 1, 5, 6, 1], rules=rules)
    pick(battle, "More guns")
    pick(battle, "a hit roll of 3", kind="command-re-roll-die")  # 3 again: a miss
    assert battle.players.cp[0] == 4 and kind(battle) == "select-to-shoot"
    pick(battle, "Guns", kind="select-to-shoot")
    # 4 hits, 4 wounds without a question; the save of 1 is asked of the other player
    assert kind(battle) == "command-re-roll-die" and battle.decision.player == 1
    pick(battle, "a save roll of 1")
    assert battle.models.wounds[2] == 9 and tuple(battle.players.cp) == (4, 4)
    pick(battle, "More guns", kind="select-to-charge")
    while kind(battle) == "charge-target":
        choose(battle, "done" if battle.legal()[0] else "enemy")
    assert kind(battle) == "command-re-roll" and battle.decision.player == 0


@pytest.mark.rule("w10.concepts.reroll.once")
def test_a_twin_linked_die_is_not_offered_again():
    """A wound roll of 1 rolled again to 2 by Twin-linked: no Command Re-roll on it; a kept 1 could still be rolled again."""
    battle = shooting([4, 1, 2], abilities=["Twin-linked"], detail="full")
    pick(battle, "keep the hit roll")
    pick(battle, "re-roll", kind="reroll-wound")
    assert kind(battle) == "select-to-shoot"
    assert battle.players.cp[0] == 1 and dice_left(battle) == 0
    kept = shooting([4, 1], abilities=["Twin-linked"], detail="full")
    pick(kept, "keep the hit roll")
    pick(kept, "keep", kind="reroll-wound")
    assert kind(kept) == "command-re-roll-die"
    assert "Command Re-roll: a wound roll of 1" in words(kept).values()


@pytest.mark.rule("w10.concepts.reroll.once")
def test_a_charge_roll_re_rolled_by_a_rule_is_not_offered_again():
    rules = {**ASKED, "rerolls": [{"player": 0, "roll": "charge"}]}
    battle = charging([1, 1, 1, 2], rules=rules, detail="full")
    pick(battle, "re-roll", kind="reroll")
    assert kind(battle) not in ("reroll", "command-re-roll")
    assert battle.players.cp[0] == 1 and dice_left(battle) == 0
    kept = charging([1, 1, 1, 2], rules=rules, detail="full")
    pick(kept, "keep", kind="reroll")
    pick(kept, USE, kind="command-re-roll")
    assert told(kept, "w10.charge.roll")[-1]["roll"] == 3
    assert kept.players.cp[0] == 0 and dice_left(kept) == 0


@pytest.mark.rule("w10.concepts.reroll.once")
def test_a_die_kept_from_a_rule_can_be_re_rolled_for_a_cp_and_is_then_final():
    rules = {"rerolls": [{"player": 0, "roll": "hit"}]}
    battle = shooting([3, 5, 1], rules=rules, detail="full")
    pick(battle, "keep the hit roll", kind="reroll-die")
    pick(battle, "a hit roll of 3", kind="command-re-roll-die")
    assert battle.players.cp[0] == 0
    assert kind(battle) == "select-to-shoot" and dice_left(battle) == 0
    free = shooting([3, 2], rules=rules, detail="full")
    pick(free, "re-roll a hit roll of 3", kind="reroll-die")
    assert kind(free) == "select-to-shoot" and free.players.cp[0] == 1


# ---------------------------------------------------------------- who decides


def test_squad_detail_does_not_ask_unless_told_and_a_policy_can_decide():
    """Off at squad detail; delegated, the policy makes a failed save again and leaves a missed hit."""
    quiet = shooting([4, 4, 2], cp=(1, 1), rules={"stratagems": {}})
    assert quiet.models.wounds[2] == 8 and dice_left(quiet) == 0
    delegated = shooting([3], cp=(1, 1), rules=DELEGATED)
    assert tuple(delegated.players.cp) == (1, 1)
    saved = shooting([4, 4, 2, 3], cp=(1, 1), rules=DELEGATED)
    assert saved.models.wounds[2] == 9 and tuple(saved.players.cp) == (1, 0) and dice_left(saved) == 0
    charge = charging([1, 2, 6, 6], rules=DELEGATED)
    assert told(charge, "w10.charge.move") and charge.players.cp[0] == 0
    asked = shooting([4], cp=(1, 0), detail="full", rules={"stratagems": {}})
    assert kind(asked) == "command-re-roll-die"


# ---------------------------------------------------------------- Insane Bravery


def failing(dice, cp=(1, 0), units=1, active=0):
    scene = Scene()
    for n in range(units):
        scene.unit(0, sheet(f"U{n}", Ld=6), at=(5 + 25 * n, 10), models=10, lost=range(6))
    scene.unit(1, sheet("Enemy"), at=(10, 40))
    return scene.battle("command", cp=cp, dice=dice, rules=POOR, active=active)


@pytest.mark.rule("w10.stratagem.insane-bravery", "w10.command.battle-shock.stratagems")
def test_a_failed_test_counts_as_passed():
    """5 against Ld 6+ fails; for the only CP the unit is not Battle-shocked."""
    battle = failing([2, 3])
    assert kind(battle) == "insane-bravery" and battle.decision.player == 0
    pick(battle, "Insane Bravery: U0")
    assert battle.units.shocked[0] == 0
    assert battle.players.cp[0] == 0 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.insane-bravery")
def test_it_may_be_left_and_is_not_asked_after_a_passed_test_or_without_cp():
    battle = failing([2, 3])
    pick(battle, "no Insane Bravery")
    assert battle.units.shocked[0] == 1 and battle.players.cp[0] == 1
    assert kind(failing([3, 3])) != "insane-bravery"
    poor = failing([2, 3], cp=(0, 5))
    assert kind(poor) != "insane-bravery" and poor.units.shocked[0] == 1


@pytest.mark.rule("w10.stratagem.insane-bravery")
def test_a_second_failed_test_in_the_phase_cannot_be_cancelled():
    battle = failing([2, 3, 1, 1], cp=(5, 0), units=2)
    pick(battle, "Insane Bravery: U0")
    assert kind(battle) != "insane-bravery"
    assert (battle.units.shocked[0], battle.units.shocked[1]) == (0, 1)
    assert battle.players.cp[0] == 4 and dice_left(battle) == 0


# ---------------------------------------------------------------- Battle-shocked units


@pytest.mark.rule("w10.command.battle-shock.stratagems")
def test_no_stratagem_of_its_player_affects_a_battle_shocked_unit():
    """INFANTRY, 1 CP: Go to Ground is not offered and its failed save not either; an enemy Grenade hits it."""
    for shocked in (0, 1):
        scene = Scene()
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=3)}), at=(10, 10))
        scene.unit(0, sheet("Throwers", keywords=("INFANTRY", "GRENADES")), at=(14, 14))
        scene.unit(1, sheet("Target", Sv=3, W=9), at=(12, 20), shocked=shocked)
        battle = scene.battle("shooting", cp=(1, 1), dice=[3, 4, 2, 4, 4, 1, 1, 1, 1], rules=ASKED)
        pick(battle, "Guns", kind="select-to-shoot")
        if not shocked:
            pick(battle, "no Go to Ground", kind="go-to-ground")
        while kind(battle) == "command-re-roll-die" and battle.decision.player == 0:
            pick(battle, KEEP)
        if not shocked:
            assert kind(battle) == "command-re-roll-die" and battle.decision.player == 1
            pick(battle, KEEP)
        assert kind(battle) == "select-to-shoot" and battle.models.wounds[2] == 8
        pick(battle, "use Grenade")
        assert battle.models.wounds[2] == 6 and dice_left(battle) == 0


@pytest.mark.rule("w10.command.battle-shock.stratagems")
def test_a_battle_shocked_unit_charges_and_advances_without_command_re_roll():
    assert kind(charging([1, 1], shocked=1)) != "command-re-roll"
    assert kind(charging([1, 1], shocked=0)) == "command-re-roll"


def test_melee_dice_are_offered_too():
    scene = Scene()
    scene.unit(0, sheet("Fighter", weapons={"blade": melee(A=1, WS=4)}), at=(10, 10))
    scene.unit(1, sheet("Enemy", W=9, weapons={"blade": melee()}), at=(10, 11.5))
    battle = scene.battle("fight", cp=(1, 0), dice=[3, 5, 4, 1], rules=ASKED)
    play_until(battle, "command-re-roll-die")
    pick(battle, "a hit roll of 3")
    assert battle.models.wounds[1] == 8 and battle.players.cp[0] == 0


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_its_policy_leaves_an_advance_roll_alone():
    """An Advance roll of 1 stands, and nothing is paid."""
    scene = Scene()
    scene.unit(0, sheet("Runner"), at=(10, 10))
    scene.unit(1, sheet("Target"), at=(50, 40))
    battle = scene.battle("movement", cp=(1, 0), dice=[1], rules=DELEGATED)
    pick(battle, "Advance")
    assert [event["roll"] for event in told(battle, "w10.move.advance.roll")] == [1]
    assert battle.players.cp[0] == 1 and dice_left(battle) == 0
