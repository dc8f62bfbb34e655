"""Stratagems of the Charge phase: Tank Shock and Heroic Intervention (w10.stratagem.tank-shock, .heroic-intervention)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, choose, dice_left, kind, melee, pick, play_until, ranged, sheet, told, words

POOR = {"cp_each_command_phase": 0}
QUIET = {**POOR, "stratagems": {"command-re-roll": "off"}}


def charge(battle, name):
    """Declare a charge of the unit against the first enemy unit offered."""
    if kind(battle) == "select-to-charge":
        pick(battle, name)
    while kind(battle) == "charge-target":
        choose(battle, "done") if battle.legal()[0] else battle.apply(battle.first_legal())


def tank(
    dice, *, S=6, T=4, cp=(1, 0), W=20, keywords=("VEHICLE",), weapons=None, detail="squad", rules=POOR, **columns
):
    """A vehicle 8 inches from an enemy unit has declared a charge at it."""
    scene = Scene()
    weapons = {"ram": melee(A=1, S=S)} if weapons is None else weapons
    scene.unit(0, sheet("Tank", weapons=weapons, W=12, keywords=keywords), at=(20, 10), **columns)
    scene.unit(1, sheet("Target", T=T, W=W), at=(20, 19))
    battle = scene.battle("charge", cp=cp, dice=dice, rules=rules, detail=detail)
    charge(battle, "Tank")
    return battle


# ---------------------------------------------------------------- Tank Shock


@pytest.mark.rule("w10.stratagem.tank-shock", "w10.datasheet.random.other")
@pytest.mark.parametrize(
    ("rolled", "dice", "wounds"),
    [([3, 2], [5, 5, 1, 1, 1, 1, 6], 3), ([1, 1], [5, 1], 1)],  # S 5 is above T 4: two dice more; S 2 is not
)
def test_a_random_strength_is_rolled_when_it_rams(rolled, dice, wounds):
    weapons = {"spike": melee(A=1, S=6), "ram": melee(A=1, S="2D6")}
    battle = tank([4, 4, *rolled, *dice], T=4, weapons=weapons)
    pick(battle, "Tank Shock: Tank")
    assert told(battle, "w10.datasheet.random.other")[-1]["amount"] == sum(rolled)
    assert told(battle, "w10.stratagem.tank-shock")[-1]["dice"] == dice
    assert battle.models.wounds[1] == 20 - wounds
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.tank-shock")
@pytest.mark.parametrize(
    ("S", "T", "dice", "wounds"),
    [
        (6, 4, [5, 5, 5, 6, 1, 2, 3, 4], 4),  # S greater than T: 8 dice
        (6, 6, [5, 5, 5, 6, 1, 2], 4),  # 6 dice
        (6, 7, [5, 4, 4, 4, 4, 4], 1),
        (6, 4, [5] * 8, 6),  # at most 6
        (6, 4, [4] * 8, 0),
    ],
)
def test_as_many_dice_as_the_strength(S, T, dice, wounds):
    battle = tank([4, 4, *dice], S=S, T=T)
    assert kind(battle) == "tank-shock"
    assert battle.decision.player == 0
    pick(battle, "Tank Shock: Tank")
    assert battle.models.wounds[1] == 20 - wounds
    assert told(battle, "w10.stratagem.tank-shock")[-1]["dice"] == dice
    assert battle.players.cp[0] == 0
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.tank-shock.window", "w10.stratagem.tank-shock")
def test_a_failed_charge_costs_nothing_and_a_successful_one_is_asked_before_the_move():
    failed = tank([1, 2])
    assert told(failed, "w10.charge.failed")
    assert kind(failed) != "tank-shock"
    assert failed.players.cp[0] == 1
    battle = tank([4, 4])
    assert kind(battle) == "tank-shock"
    assert battle.models.y[0] == 10  # it has not moved
    assert told(battle, "w10.charge.roll")[-1]["roll"] == 8
    pick(battle, "no Tank Shock")
    assert battle.models.y[0] > 16
    assert battle.players.cp[0] == 1
    assert battle.models.wounds[1] == 20


@pytest.mark.rule("w10.stratagem.tank-shock")
def test_only_vehicles_with_a_melee_weapon():
    assert kind(tank([4, 4], keywords=("MONSTER",))) != "tank-shock"
    assert kind(tank([4, 4], weapons={"gun": ranged(24)})) != "tank-shock"
    assert kind(tank([4, 4], shocked=1)) != "tank-shock"


@pytest.mark.rule("w10.stratagem.tank-shock")
def test_the_player_chooses_the_enemy_unit_and_the_weapon():
    """Two enemy units end up within Engagement Range; of two melee weapons the weaker one is picked at full detail."""
    scene = Scene()
    weapons = {"ram": melee(S=8), "claw": melee(S=2)}
    scene.unit(0, sheet("Tank", weapons=weapons, W=12, keywords=("VEHICLE",), base_mm=76.2), at=(20, 10))
    scene.unit(1, sheet("One", W=9), at=(19.2, 19))
    scene.unit(1, sheet("Two", W=9), at=(20.8, 19))
    battle = scene.battle("charge", cp=(1, 0), dice=[6, 6, 5, 5], rules=QUIET, detail="full")
    pick(battle, "Tank", kind="select-to-charge")
    pick(battle, "charge One", kind="charge-target")
    pick(battle, "charge Two", kind="charge-target")
    if kind(battle) == "charge-target":
        choose(battle, "done")
    pick(battle, "Tank Shock: Tank")
    pick(battle, "leave the move to the engine")
    assert kind(battle) == "tank-shock-target"
    assert sorted(words(battle).values()) == ["One", "Two"]
    pick(battle, "Two")
    assert kind(battle) == "tank-shock-weapon"
    assert sorted(words(battle).values()) == ["Tank Shock with claw", "Tank Shock with ram"]
    pick(battle, "Tank Shock with claw")
    assert told(battle, "w10.stratagem.tank-shock")[-1]["dice"] == [5, 5]
    play_until(battle, "select-to-fight")
    assert battle.models.wounds[2] == 7
    assert battle.models.wounds[1] == 9
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.tank-shock")
def test_squad_detail_takes_the_strongest_weapon():
    battle = tank([4, 4, 5, 5, 5, 1, 1], weapons={"claw": melee(S=2), "ram": melee(S=3)})
    pick(battle, "Tank Shock: Tank")
    assert told(battle, "w10.stratagem.tank-shock")[-1]["dice"] == [5, 5, 5]


# ---------------------------------------------------------------- at the same time


def both_want(dice, *, detail="squad", cp=(1, 2)):
    """A vehicle charges a MONSTER; beside it an unengaged unit with a gun that could intervene."""
    scene = Scene()
    scene.unit(0, sheet("Tank", weapons={"ram": melee(A=1, S=4)}, W=12, keywords=("VEHICLE",)), at=(20, 10))
    scene.unit(1, sheet("Target", T=4, W=20, keywords=("MONSTER",)), at=(20, 19))
    scene.unit(1, sheet("Helpers", W=9, weapons={"gun": ranged(24)}), at=(25, 19))
    battle = scene.battle("charge", cp=cp, dice=dice, rules=QUIET, detail=detail)
    if kind(battle) == "select-to-charge":
        pick(battle, "Tank")
    pick(battle, "Target", kind="charge-target")
    if kind(battle) == "charge-target":
        choose(battle, "done")
    return battle


@pytest.mark.rule("w10.stratagem.same-trigger")
def test_the_turn_player_decides_first_and_resolves_tank_shock_first():
    """Start of the Charge move: A is asked about Tank Shock, then B about Overwatch. End of it: A's dice, then B."""
    battle = both_want([4, 4, 5, 5, 1, 1])
    assert (kind(battle), battle.decision.player) == ("tank-shock", 0)
    pick(battle, "Tank Shock: Tank")
    assert (kind(battle), battle.decision.player) == ("fire-overwatch", 1)
    assert battle.models.y[0] == 10
    pick(battle, "no Fire Overwatch")
    # the dice were rolled and the mortal wounds inflicted before B is asked anything
    assert battle.models.wounds[1] == 18
    assert dice_left(battle) == 0
    assert (kind(battle), battle.decision.player) == ("heroic-intervention", 1)
    pick(battle, "no Heroic Intervention")
    assert (kind(battle), battle.decision.player) == ("fire-overwatch", 1)


@pytest.mark.rule("w10.stratagem.same-trigger")
@pytest.mark.parametrize(("answer", "wounds"), [("Tank Shock first", 18), ("the opponent first", 20)])
def test_full_detail_lets_the_turn_player_order(answer, wounds):
    battle = both_want([4, 4, 5, 5, 1, 1], detail="full")
    pick(battle, "Tank Shock: Tank")
    pick(battle, "no Fire Overwatch")
    pick(battle, "leave the move to the engine")
    assert (kind(battle), battle.decision.player) == ("tank-shock-order", 0)
    pick(battle, answer)
    assert (kind(battle), battle.decision.player) == ("heroic-intervention", 1)
    assert battle.models.wounds[1] == wounds
    pick(battle, "no Heroic Intervention")
    pick(battle, "no Fire Overwatch")
    assert battle.models.wounds[1] == 18
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Heroic Intervention


def intervening(dice, *, away=5.0, cp=(0, 2), keywords=("INFANTRY",), rules=POOR, near=None, weapons=None, **columns):
    """A Charger reaches its Target (roll 6 + 6) and ends with Helpers ``away`` inches off (base to base)."""
    scene = Scene()
    scene.unit(0, sheet("Charger", W=20), at=(20, 10))
    target = scene.unit(1, sheet("Target", W=20), at=(20, 18))
    # the Charger ends in base contact below the Target, at (20, 17)
    scene.unit(1, sheet("Helpers", W=9, keywords=keywords, weapons=weapons or {}), at=(21 + away, 17), **columns)
    if near is not None:
        scene.unit(0, sheet("Nuisance"), at=(21 + away + near, 17))
    battle = scene.battle("charge", cp=cp, dice=dice, rules=rules)
    if kind(battle) == "select-to-charge":
        pick(battle, "Charger")
    first = True
    while kind(battle) == "charge-target":
        pick(battle, "charge Target") if first else choose(battle, "done")
        first = False
    assert (battle.models.x[0], battle.models.y[0]) == (20, pytest.approx(17, abs=0.02))
    assert target.row in (1, 2)
    return battle


@pytest.mark.rule("w10.stratagem.heroic-intervention")
def test_an_unengaged_unit_5_inches_away_charges_the_charger():
    """A roll of 6 carries it into Engagement Range of the Charger; 2 CP are spent."""
    battle = intervening([6, 6, 3, 3])
    assert (kind(battle), battle.decision.player, battle.decision.subject) == ("heroic-intervention", 1, 0)
    assert sorted(words(battle).values()) == ["Heroic Intervention: Helpers", "no Heroic Intervention"]
    pick(battle, "Heroic Intervention: Helpers")
    assert dice_left(battle) == 0
    assert battle.distance(2, 0) <= 1.0
    assert told(battle, "w10.charge.roll")[-1] == {"unit": 2, "roll": 6, "targets": [0]}
    assert battle.players.cp[1] == 0


@pytest.mark.rule("w10.stratagem.heroic-intervention")
@pytest.mark.parametrize(("away", "offered"), [(6.0, True), (6.1, False)])
def test_within_6_inches(away, offered):
    battle = intervening([6, 6], away=away - 0.001 if offered else away)
    assert (kind(battle) == "heroic-intervention") == offered


@pytest.mark.rule("w10.stratagem.heroic-intervention")
def test_not_when_already_engaged_nor_with_1_cp_nor_battle_shocked():
    assert kind(intervening([6, 6], near=1.5)) != "heroic-intervention"
    assert kind(intervening([6, 6], cp=(2, 1))) != "heroic-intervention"
    assert kind(intervening([6, 6], shocked=1)) != "heroic-intervention"
    assert kind(intervening([6, 6])) == "heroic-intervention"


@pytest.mark.rule("w10.stratagem.heroic-intervention")
def test_a_failed_roll_still_costs_2_cp():
    battle = intervening([6, 6, 1, 1])
    pick(battle, "Heroic Intervention: Helpers")
    assert told(battle, "w10.charge.failed")[-1] == {"unit": 2}
    assert battle.players.cp[1] == 0
    assert battle.models.x[2] == 26
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.heroic-intervention.vehicle")
@pytest.mark.parametrize(
    ("keywords", "offered"), [(("VEHICLE",), False), (("VEHICLE", "WALKER"), True), (("MONSTER",), True)]
)
def test_of_vehicles_only_walkers(keywords, offered):
    battle = intervening([6, 6], away=3.0, keywords=keywords)
    assert (kind(battle) == "heroic-intervention") == offered


@pytest.mark.rule("w10.stratagem.heroic-intervention.no-bonus")
def test_no_charge_bonus_but_a_charge_move():
    """The Helpers do not fight in the Fights First step but in the Remaining Combats step; Lance gives +1 to wound."""
    lance = {"lance": melee(A=1, WS=3, S=4, abilities=["Lance"])}
    battle = intervening([6, 6, 3, 3, 3, 3, 1], weapons=lance)
    pick(battle, "Heroic Intervention: Helpers")
    play_until(battle, "select-to-move")
    order = [(e["unit"], e["step"]) for e in told(battle, "w10.fight.alternate")]
    assert order[0] == (0, 1)  # the Charger, in the Fights First step
    assert (2, 2) in order  # the Helpers, in the Remaining Combats step
    assert (2, 1) not in order
    # S 4 against T 4: 4+, 3+ with the charge
    assert told(battle, "w10.attack.wound.roll")[-1]["needed"] == 3
    assert battle.models.wounds[0] == 19
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.heroic-intervention.no-bonus")
def test_without_the_stratagem_the_unit_has_no_lance_bonus():
    """The same unit, engaged by a charge instead of charging: 4+ to wound."""
    scene = Scene()
    lance = {"lance": melee(A=1, WS=3, S=4, abilities=["Lance"])}
    scene.unit(0, sheet("Charger", W=20), at=(20, 10))
    scene.unit(1, sheet("Helpers", W=20, weapons=lance), at=(20, 18))
    battle = scene.battle("charge", dice=[6, 6, 3, 3], rules=POOR)
    charge(battle, "Charger")
    play_until(battle, "select-to-move")
    assert told(battle, "w10.attack.wound.roll")[-1]["needed"] == 4


@pytest.mark.rule("w10.stratagem.out-of-phase")
def test_no_tank_shock_in_a_heroic_intervention():
    """3 CP: the VEHICLE WALKER intervenes for 2; with 1 CP left its player is not asked about Tank Shock."""
    ram = {"ram": melee(A=1, S=8)}
    battle = intervening([6, 6, 3, 3], keywords=("VEHICLE", "WALKER"), cp=(0, 3), weapons=ram)
    pick(battle, "Heroic Intervention: Helpers")
    assert battle.players.cp[1] == 1
    assert dice_left(battle) == 0
    assert battle.distance(2, 0) <= 1.0
    assert kind(battle) != "tank-shock"
    assert not told(battle, "w10.stratagem.tank-shock")


@pytest.mark.rule("w10.stratagem.out-of-phase")
def test_nobody_reacts_to_a_heroic_intervention_in_the_own_turn():
    """The turn player has 5 CP and guns: neither Overwatch nor a Heroic Intervention of its own against the Helpers."""
    scene = Scene()
    scene.unit(0, sheet("Charger", W=20), at=(20, 10))
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24)}), at=(30, 14))
    scene.unit(1, sheet("Target", W=20), at=(20, 18))
    scene.unit(1, sheet("Helpers", W=9, keywords=("MONSTER",)), at=(26, 17))
    battle = scene.battle("charge", cp=(5, 2), dice=[6, 6, 3, 3], rules=QUIET)
    pick(battle, "Charger", kind="select-to-charge")
    pick(battle, "charge Target")
    choose(battle, "done")
    pick(battle, "Heroic Intervention: Helpers")
    assert dice_left(battle) == 0
    assert battle.players.cp[0] == 5
    assert kind(battle) == "select-to-charge"
