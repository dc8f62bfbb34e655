"""The mission sequence before the battle (w9.deploy.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import choose, dice_left, kind, pick, place, sheet, slots, told, words

DEEP_STRIKE = {"deep_strike": True}
INFILTRATORS = {"infiltrators": True}


def step_of(battle):
    """The step of the mission sequence that is being played."""
    return [event["name"] for event in told(battle, "w9.deploy.sequence") if "step" in event][-1]


def before_battle(scene, **options):
    """The kinds of decision asked before the first battle round, each with its unit and the step; first answers are given."""
    battle = scene.battle("mission", **options)
    asked = []
    while battle.clock.round[0] == 0 and not battle.over:
        asked.append((kind(battle), battle.decision.subject, step_of(battle)))
        battle.apply(battle.first_legal())
    return battle, asked


@pytest.mark.rule("w9.deploy.sequence")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_steps_are_passed_in_order_each_exactly_once(detail):
    scene = NinthScene()
    for player in (0, 1):
        scene.unit(player, sheet(f"Unit {player}"))
    battle, _ = before_battle(scene, detail=detail, attacker=None)
    steps = [event["name"] for event in told(battle, "w9.deploy.sequence") if "name" in event]
    named = [
        "Muster Armies",
        "Declare Reserves and Transports",
        "Deploy Armies",
        "Determine First Turn",
        "Resolve Pre-battle Abilities",
        "Begin the Battle",
    ]
    assert [step for step in steps if step in named] == named
    # what belongs to them happens in them
    order = [event.rule for event in battle.events]
    chosen, deployed, first = (
        order.index(f"w9.{rule}") for rule in ("mission.only-war.zones", "deploy.alternate", "deploy.first-turn")
    )
    assert chosen < deployed < first < order.index("w9.round.structure")


@pytest.mark.rule("w9.deploy.alternate")
@pytest.mark.parametrize("chooser", [0, 1])
@pytest.mark.parametrize(("others", "order"), [(1, "ABAA"), (4, "ABABABB"), (3, "ABABAB")])
def test_the_players_alternate_and_who_did_not_choose_the_zones_begins(chooser, others, order):
    """A with three units; B, who has chosen the zones, with so many: one that is left over sets up the rest."""
    scene = NinthScene()
    for number in range(3):
        scene.unit(1 - chooser, sheet(f"A{number}"))
    for number in range(others):
        scene.unit(chooser, sheet(f"B{number}"))
    battle, _ = before_battle(scene, attacker=chooser)
    units = [event["unit"] for event in told(battle, "w9.deploy.alternate") if "unit" in event]
    assert "".join(battle.setup.names["units"][unit][0] for unit in units) == order


@pytest.mark.rule("w9.deploy.alternate")
@pytest.mark.parametrize("player", [0, 1])
def test_each_is_set_up_wholly_within_the_own_zone(player):
    """A base of 2" never sticks out of the 10" of the zone."""
    scene = NinthScene()
    scene.unit(player, sheet("Round", base_mm=50.8), models=2)
    battle = scene.battle("mission")
    for cell in slots(battle, "cell"):
        trial = battle.clone()
        choose(trial, "cell", cell)
        for k in (0, 1):
            x, y = place(trial, k)
            edge = y if player == 0 else 44 - y
            assert 1.0 - 1e-3 <= edge <= 9.0 + 1e-3
            assert 1.0 - 1e-3 <= x <= 59.0 + 1e-3


@pytest.mark.rule("w9.deploy.zone.battlefield-edge")
@pytest.mark.parametrize("facing", [0, 6, 12])
def test_no_part_of_a_model_sticks_out_over_the_edge_of_the_battlefield(facing):
    """A model with wings of 14" and a length of 3": wherever it may stand in a zone as deep as half the table."""
    scene = NinthScene(zone_depth=20)
    wings = sheet("Wings", hull_in=(3, 14), base_mm=None, keywords=("VEHICLE", "FLY"))
    scene.unit(0, wings, models=1)
    scene.unit(1, sheet("Other"))
    battle = scene.battle("mission", attacker=1, detail="full")
    assert kind(battle) == "place-facing"
    choose(battle, "angle", facing)
    across = facing == 6  # along y
    half_x, half_y = (7.0, 1.5) if across else (1.5, 7.0)
    cells = slots(battle, "cell")
    assert cells
    for cell in cells:
        trial = battle.clone()
        choose(trial, "cell", cell)
        if kind(trial) == "place-exactly":
            trial.apply(trial.first_legal())
        x, y = place(trial, 0)
        assert half_x - 0.01 <= x <= 60 - half_x + 0.01
        assert half_y - 0.01 <= y <= 44 - half_y + 0.01
    assert battle.setup.length == 60


# ---------------------------------------------------------------- during deployment


@pytest.mark.rule("w9.deploy.during")
@pytest.mark.parametrize("player", [0, 1])
def test_a_place_beyond_the_battlefield_is_asked_about_with_reserves_others_when_the_unit_is_set_up(player):
    """Teleport Strike in Declare Reserves and Transports, Concealed Positions in Deploy Armies."""
    scene = NinthScene()
    strikers = scene.unit(player, sheet("Strikers", abilities=DEEP_STRIKE))
    hidden = scene.unit(player, sheet("Hidden", abilities=INFILTRATORS))
    scene.unit(1 - player, sheet("Other"))
    _, asked = before_battle(scene, rules={"formations": "choose", "attacker": 1 - player})
    assert ("reserves", strikers.row, "Declare Reserves and Transports") in asked
    assert {step for what, _, step in asked if what == "reserves"} == {"Declare Reserves and Transports"}
    assert [entry for entry in asked if entry[0] == "deploy-by"] == [("deploy-by", hidden.row, "Deploy Armies")]


@pytest.mark.rule("w9.deploy.during")
@pytest.mark.parametrize(("answer", "where"), [("deploy", ON_TABLE), ("Reserves (Deep Strike)", RESERVE)])
def test_the_owner_uses_it_or_not(answer, where):
    scene = NinthScene()
    unit = scene.unit(0, sheet("Strikers", abilities=DEEP_STRIKE))
    scene.unit(1, sheet("Other"))
    battle = scene.battle("mission", rules={"formations": "choose"})
    pick(battle, answer, kind="reserves")
    while battle.clock.round[0] == 0:
        battle.apply(battle.first_legal())
    assert battle.units.place[unit] == where


@pytest.mark.rule("w9.deploy.during")
def test_concealed_positions_are_more_than_9_inches_from_the_enemy_zone_and_models():
    scene = NinthScene()
    hidden = scene.unit(0, sheet("Hidden", abilities=INFILTRATORS))
    scene.unit(1, sheet("Other"))
    battle = scene.battle("mission", attacker=0)
    battle.apply(battle.first_legal())
    pick(battle, "Infiltrators", kind="deploy-by")
    beyond = False
    for cell in slots(battle, "cell"):
        trial = battle.clone()
        choose(trial, "cell", cell)
        _, y = place(trial, hidden.first)
        assert 34 - (y + 0.5) > 9
        assert trial.distance(0, 1) > 9
        beyond = beyond or y > 10
    assert beyond


# ---------------------------------------------------------------- after the others, after deployment


def last_units(dice, both=True):
    scene = NinthScene()
    for player in (0, 1):
        scene.unit(player, sheet(f"Line {player}"))
        if both or player == 0:
            late = scene.unit(player, sheet(f"Late {player}"))
            scene.rule(TimedRule(f"last {player}", "after-deployment", player, "set-up", late.row, 0))
    battle, _ = before_battle(scene, attacker=0, dice=dice, rules={"first_player": 0})
    units = [event["unit"] for event in battle_events(battle, "unit deployed")]
    return battle, [battle.setup.names["units"][unit] for unit in units]


def battle_events(battle, what):
    return [event.data for event in battle.events if event.kind == what]


@pytest.mark.rule("w9.deploy.after-others")
@pytest.mark.parametrize(("dice", "first"), [([5, 3], 0), ([3, 5], 1), ([2, 2, 1, 6], 1)])
def test_units_set_up_after_all_others_alternate_from_the_winner_of_a_roll_off(dice, first):
    battle, order = last_units(dice)
    assert order == ["Line 1", "Line 0", f"Late {first}", f"Late {1 - first}"]
    assert dice_left(battle) == 0
    assert told(battle, "w9.deploy.after-others")[0] == {"rolls": tuple(dice[:2])}


@pytest.mark.rule("w9.deploy.after-others")
def test_if_one_player_has_such_units_there_is_no_roll_off():
    battle, order = last_units([6, 1], both=False)
    assert order == ["Line 1", "Line 0", "Late 0"]
    assert dice_left(battle) == 2


def redeploying(effect="redeploy", amount=3, units=4, player=0, **more):
    scene = NinthScene()
    for number in range(units):
        scene.unit(player, sheet(f"Unit {number}", **more))
    scene.unit(1 - player, sheet("Other"))
    scene.rule(TimedRule("again", "before-battle", player, effect, -1, amount))
    scene.rule(TimedRule("bonus", "round-start", player, "cp", -1, 1, round=1))
    battle = scene.battle("mission", rules={"cp_each_command_phase": 0})
    while kind(battle) != "redeploy":
        battle.apply(battle.first_legal())
    return battle


@pytest.mark.rule("w9.deploy.after")
@pytest.mark.parametrize("player", [0, 1])
def test_rules_after_deployment_come_after_the_first_turn_is_determined_and_before_the_first_round(player):
    """Up to three units are redeployed, and only then a rule of the first battle round gives 1 CP."""
    battle = redeploying(player=player)
    assert battle.decision.player == player
    assert told(battle, "w9.deploy.first-turn")
    for number in range(3):
        assert kind(battle) == "redeploy"
        assert battle.players.cp[player] == 0
        before = place(battle, battle.units.first[battle.units_of(player)[number]])
        pick(battle, f"Unit {number}")
        cells = slots(battle, "cell")
        choose(battle, "cell", cells[-1 - number])
        assert place(battle, battle.units.first[battle.units_of(player)[number]]) != before
    assert kind(battle) not in ("redeploy", "deploy-to")
    assert battle.players.cp[player] == 1
    order = [event.kind for event in battle.events]
    assert order.index("extra CP") > len(order) - 1 - order[::-1].index("unit redeployed")


@pytest.mark.rule("w9.deploy.after")
def test_its_owner_may_redeploy_fewer():
    battle = redeploying()
    pick(battle, "Unit 0")
    choose(battle, "cell", slots(battle, "cell")[-1])
    choose(battle, "done")
    assert [event["unit"] for event in battle_events(battle, "unit redeployed")] == [0]
    assert battle.clock.round[0] == 1


@pytest.mark.rule("w9.deploy.redeploy.no-reserve")
def test_a_unit_with_teleport_strike_is_redeployed_on_the_battlefield_only():
    battle = redeploying(abilities=DEEP_STRIKE)
    pick(battle, "Unit 0")
    assert kind(battle) == "deploy-to"
    assert all("Reserves" not in text for text in words(battle).values())
    choose(battle, "cell", slots(battle, "cell")[-1])
    assert battle.units.place[0] == ON_TABLE


@pytest.mark.rule("w9.deploy.redeploy.no-reserve")
@pytest.mark.parametrize(("answer", "where"), [("on the battlefield", ON_TABLE), ("in Strategic Reserves", RESERVE)])
def test_unless_the_rule_says_that_it_can_be_placed_in_strategic_reserves(answer, where):
    battle = redeploying("redeploy-or-reserve", abilities=DEEP_STRIKE)
    pick(battle, "Unit 0")
    assert sorted(words(battle).values()) == ["in Strategic Reserves", "on the battlefield"]
    pick(battle, answer)
    if kind(battle) == "deploy-to":
        choose(battle, "cell", slots(battle, "cell")[-1])
    assert battle.units.place[0] == where


@pytest.mark.rule("w9.deploy.sequence")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("dice", "order"), [((5, 2), [0, 1, 0]), ((1, 6), [1, 0, 1])])
def test_features_that_the_players_place_stand_before_the_zones_are_chosen(dice, order, detail):
    """Three containers: the players place them in turn, the winner of a roll-off first, before the zones."""
    scene = NinthScene()
    for k in range(3):
        scene.box(1, 3 * k + 1, 5, 3 * k + 3, 3, kind="container")
    for player in (0, 1):
        scene.unit(player, sheet(f"Unit {player}"))
    battle = scene.battle("mission", dice=dice, detail=detail, rules={"terrain": "players"})
    assert len(battle.setup.features) == 0
    placed = []
    while kind(battle) in ("select-feature", "turn-feature", "place-feature", "place-feature-exactly"):
        assert step_of(battle) == "Create the Battlefield"
        before, mover = sum(battle.sites.placed), battle.decision.player
        battle.apply(battle.first_legal())
        placed += [mover] * (sum(battle.sites.placed) - before)
    assert placed == order
    assert len(battle.setup.features) == 3


@pytest.mark.rule("w9.deploy.sequence", "w9.mission.only-war.end")
@pytest.mark.parametrize("player", [0, 1])
def test_who_has_no_army_when_the_battle_begins_has_lost_in_the_first_round(player):
    """All that one army has is an empty Dedicated Transport, which is not deployed and counts as destroyed."""
    carried = {"transport": {"capacity": 5, "allowed": ["INFANTRY"]}}
    empty = sheet("Empty", keywords=("VEHICLE", "TRANSPORT", "DEDICATED TRANSPORT"), models=(1, 1), abilities=carried)
    scene = NinthScene()
    carrier = scene.unit(player, empty)
    scene.unit(1 - player, sheet("Unit"))
    battle, _ = before_battle(scene)
    assert battle.over
    assert battle.units.alive[carrier] == 0
    assert (battle.result.winner, battle.result.rounds) == (1 - player, 1)
    assert told(battle, "w9.round.structure") == []
