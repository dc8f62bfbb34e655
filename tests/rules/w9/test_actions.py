"""Actions: who starts them, when they are completed, what makes them fail (w9.actions.*, w9.rare.stationary.actions)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w9.actions.data import Action, When, Whose
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.codes import Deed, Moved
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.psychic.data import Affects, Lasts, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.psychic.lasting import leadership
from wh_env.testing import choose, kind, melee, offered, pick, ranged, sheet, told, words

BANNER = Action("Raise the Banner", When(Phase.MOVEMENT), keyword="INFANTRY", marker=3.0, effect="cp", amount=1)
SCAN = Action("Scan", When(Phase.MOVEMENT))
GUARD = Action("Guard", When(Phase.MOVEMENT, Whose.OPPONENTS), When(Phase.MORALE, Whose.OPPONENTS))
LONG = Action("Long Watch", When(Phase.MOVEMENT), When(Phase.COMMAND))
GUNS = {"gun": ranged(24, A=1, BS=4, S=4), "knife": melee(A=1)}


def squad(name="A1", keywords=("INFANTRY",), **fields):
    return sheet(name, keywords=keywords, weapons=GUNS, **fields)


def started(battle):
    """Units that have started an action, by name of the action, in order."""
    events = [e for e in battle.events if e.rule == "w9.actions.definition" and e.kind == "starts an action"]
    return [(battle.setup.names["units"][e.data["unit"]], e.data["name"]) for e in events]


def completed(battle):
    """The same of units that have completed theirs."""
    events = [e for e in battle.events if e.rule == "w9.actions.definition" and e.kind == "completes its action"]
    return [(battle.setup.names["units"][e.data["unit"]], e.data["name"]) for e in events]


def stand_still(battle, limit=40):
    """Remain Stationary with everybody until something else than moving is asked."""
    for _ in range(limit):
        if kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        elif kind(battle) == "select-to-move":
            battle.apply(battle.first_legal())
        else:
            return


def decline_until(battle, player, phase, battle_round=1, limit=300):
    """Decline everything until that phase of the player's turn in that battle round."""
    for _ in range(limit):
        clock = battle.clock
        if (clock.round[0], clock.turn[0], clock.phase[0]) == (battle_round, player, phase) or battle.over:
            return
        if kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        else:
            battle.apply(battle.first_legal())
    raise LookupError("the phase never came")


def duel(*actions, gap=20.0, active=0, mine=None, **columns):
    """A unit of five by a marker and an enemy unit ``gap`` inches away; the scene and both units."""
    scene = NinthScene()
    y = 10 if active == 0 else 34
    scene.marker(24, y)
    for action in actions:
        scene.action(action)
    unit = scene.unit(active, mine or squad(), at=(20, y), models=5, **columns)
    enemy = scene.unit(1 - active, squad("Enemy", W=3), at=(20, y + (1 if active == 0 else -1) * (gap + 1)), models=5)
    return scene, unit, enemy


@pytest.mark.rule("w9.actions.definition")
@pytest.mark.parametrize("active", [0, 1])
def test_started_at_the_end_of_the_movement_phase_completed_at_the_end_of_the_turn(active):
    """By one INFANTRY unit within 3" of a marker; neither by others nor by those farther away."""
    scene, unit, _ = duel(BANNER, active=active)
    y = 10 if active == 0 else 34
    scene.unit(active, squad("Beast", keywords=("BEASTS",)), at=(22, y + 3))
    scene.unit(active, squad("Farther"), at=(29, y))
    near = scene.unit(active, squad("Within"), at=(28, y))
    battle = scene.battle("movement", active=active)
    stand_still(battle)
    assert battle.decision is not None
    assert battle.decision.player == active
    base = battle.players.first_unit[active]
    assert [base + slot for slot in offered(battle, "start-action")] == [unit, near]
    pick(battle, "A1 starts Raise the Banner")
    assert completed(battle) == []
    decline_until(battle, 1 - active, Phase.MOVEMENT, 1 if active == 0 else 2)
    assert completed(battle) == [("A1", "Raise the Banner")]
    assert battle.players.cp_gained[active] + battle.players.cp[active] > 0


@pytest.mark.rule("w9.actions.definition")
def test_nobody_has_to_start_one():
    scene, _, _ = duel(BANNER)
    battle = scene.battle("movement")
    stand_still(battle)
    assert sorted(words(battle).values()) == ["A1 starts Raise the Banner", "nobody starts Raise the Banner"]
    pick(battle, "nobody starts")
    decline_until(battle, 1, Phase.MOVEMENT)
    assert started(battle) == completed(battle) == []


@pytest.mark.rule("w9.actions.definition")
def test_one_that_lasts_until_the_next_command_phase():
    scene, _, _ = duel(LONG)
    battle = scene.battle("movement")
    stand_still(battle)
    pick(battle, "A1 starts Long Watch")
    decline_until(battle, 1, Phase.MOVEMENT)
    assert completed(battle) == []
    decline_until(battle, 0, Phase.MOVEMENT, 2)
    assert completed(battle) == [("A1", "Long Watch")]


@pytest.mark.rule("w9.actions.eligible")
def test_units_near_aircraft_only_may_those_that_advanced_fell_back_or_are_engaged_may_not():
    scene = NinthScene()
    scene.action(Action("Scan", When(Phase.MOVEMENT), several=True))
    normal = scene.unit(0, squad("Normal"), at=(5, 10), moved=Moved.NORMAL)
    by_air = scene.unit(0, squad("By air"), at=(10, 10), moved=Moved.NORMAL)
    scene.unit(1, squad("Flyer", keywords=("AIRCRAFT", "FLY", "VEHICLE")), at=(10, 11.8))
    scene.unit(0, squad("Advanced"), at=(20, 10), moved=Moved.ADVANCE)
    scene.unit(0, squad("Fell back"), at=(25, 10), moved=Moved.FELL_BACK)
    scene.unit(0, squad("Engaged"), at=(30, 10), moved=Moved.STATIONARY)
    scene.unit(1, squad("Foe"), at=(30, 11.8))
    scene.unit(0, squad("Own aircraft", keywords=("AIRCRAFT", "FLY")), at=(40, 10), moved=Moved.NORMAL)
    scene.unit(0, squad("Fort", keywords=("FORTIFICATION",)), at=(45, 10), moved=Moved.STATIONARY)
    scene.unit(0, squad("Reserves"), place="reserves", reserves="deep-strike")

    def all_have_moved(battle):
        battle.units.rows["selected"] = 0

    battle = scene.battle("psychic", set_state=all_have_moved, run=False)
    edition(battle).phase_ended(battle, 0, Phase.MOVEMENT)
    battle.run()
    assert offered(battle, "start-action") == [normal, by_air]


@pytest.mark.rule("w9.actions.eligible")
def test_after_a_normal_move_of_the_turn():
    scene, unit, _ = duel(SCAN, gap=25.0)
    battle = scene.battle("movement")
    pick(battle, "Normal move", kind="move-kind")
    battle.apply(battle.decision.options[-1])
    while kind(battle) != "start-action":
        battle.apply(battle.first_legal())
    assert battle.units.moved[unit] == Moved.NORMAL
    assert offered(battle, "start-action") == [unit]


@pytest.mark.rule("w9.rare.stationary.actions", "w9.actions.eligible")
def test_nor_after_an_advance_of_the_turn():
    scene, unit, _ = duel(SCAN, gap=25.0)
    battle = scene.battle("movement", dice=[2])
    pick(battle, "Advance", kind="move-kind")
    assert battle.units.moved[unit] == Moved.ADVANCE
    while battle.clock.turn[0] == 0:
        assert kind(battle) != "start-action"
        battle.apply(battle.first_legal())
    assert started(battle) == []


@pytest.mark.rule("w9.actions.once")
def test_a_unit_starts_one_action_a_battle_round():
    """It fails in its own turn; in the opponent's turn of that battle round it is not offered, in the next it is."""
    scene, unit, _ = duel(SCAN, GUARD)
    battle = scene.battle("movement", round=2)
    stand_still(battle)
    pick(battle, "A1 starts Scan")
    edition(battle).acts(battle, unit.row, Deed.SHOOT)
    assert battle.acting.now[unit] == 0
    asked = asked_for(battle, "Guard", until_round=3)
    assert asked == [(3, 1, ["A1"])]


def asked_for(battle, name, until_round):
    """Rounds, turns and units for which the start of an action was asked of player 0, all others declined."""
    found = []
    for _ in range(400):
        if battle.over or battle.clock.round[0] > until_round:
            return found
        if kind(battle) == "start-action" and battle.decision.player == 0:
            units = [
                w.split(" starts ")[0] for w in words(battle).values() if f"starts {name}" in w and "nobody" not in w
            ]
            if units:
                found.append((battle.clock.round[0], battle.clock.turn[0], units))
        if kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        else:
            battle.apply(battle.first_legal())
    return found


@pytest.mark.rule("w9.actions.once")
def test_one_that_started_none_is_offered_in_the_opponents_turn():
    scene, _, _ = duel(SCAN, GUARD)
    battle = scene.battle("movement", round=2)
    assert asked_for(battle, "Guard", until_round=2) == [(2, 1, ["A1"])]


@pytest.mark.rule("w9.actions.same")
@pytest.mark.parametrize("several", [False, True])
def test_the_same_action_is_started_by_one_unit_unless_it_says_so(several):
    scene = NinthScene()
    scene.action(Action("Raise the Banner", When(Phase.MOVEMENT), several=several))
    for player, y in ((0, 10), (1, 34)):
        for n in (1, 2):
            scene.unit(player, squad(f"P{player}A{n}"), at=(10 * n, y), models=3)
    battle = scene.battle("movement", round=2)
    stand_still(battle)
    pick(battle, "P0A1 starts")
    if several:
        assert sorted(words(battle).values()) == ["P0A2 starts Raise the Banner", "nobody starts Raise the Banner"]
        pick(battle, "nobody")
    assert kind(battle) != "start-action"
    decline_until(battle, 1, Phase.MOVEMENT, 2)
    stand_still(battle)
    assert len(offered(battle, "start-action")) == 2  # the other army may
    pick(battle, "nobody")
    decline_until(battle, 0, Phase.MOVEMENT, 3)
    stand_still(battle)
    assert len(offered(battle, "start-action")) == 2


def acting(gap=20.0, action=BANNER, mine=None, enemy_turn=False, **options):
    """A unit that performs an action, and an enemy unit."""
    scene, unit, enemy = duel(action, gap=gap, mine=mine)
    battle = scene.battle("movement", **options)
    stand_still(battle)
    pick(battle, "A1 starts")
    return battle, unit, enemy


def failed(battle):
    return [(battle.setup.names["units"][e["unit"]], e["case"]) for e in told(battle, "w9.actions.fail")]


@pytest.mark.rule("w9.actions.fail")
def test_ranged_attacks_make_it_fail_at_once():
    battle, _, _ = acting()
    assert kind(battle) == "select-to-shoot"
    pick(battle, "A1")
    if kind(battle) == "shoot-target":
        pick(battle, "Enemy")
    assert failed(battle) == [("A1", "shoot")]
    decline_until(battle, 1, Phase.MOVEMENT)
    assert completed(battle) == []


@pytest.mark.rule("w9.actions.fail")
def test_a_unit_that_shoots_nobody_goes_on_with_it():
    """Full detail: it is selected to shoot, and every weapon holds its fire."""
    battle, _, _ = acting(detail="full")
    pick(battle, "A1")
    while kind(battle) == "weapon-target":
        choose(battle, "done")
    assert failed(battle) == []
    decline_until(battle, 1, Phase.MOVEMENT)
    assert completed(battle) == [("A1", "Raise the Banner")]


@pytest.mark.rule("w9.actions.fail", "w9.rare.stationary.actions")
@pytest.mark.parametrize("dice", [[6, 6], [1, 1]])
def test_declaring_a_charge_does_whatever_its_roll(dice):
    battle, _, _ = acting(gap=8.0, dice=dice)
    choose(battle, "done")
    pick(battle, "A1", kind="select-to-charge")
    assert failed(battle) == [("A1", "charge")]


@pytest.mark.rule("w9.actions.fail")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("intervenes", [True, False])
def test_a_heroic_intervention_does(intervenes, player):
    """A CHARACTER that performs an action through the opponent's turn: it fails as it intervenes; where it does not it is completed."""
    scene = NinthScene()
    scene.action(Action("Stand Fast", When(Phase.MOVEMENT), When(Phase.MORALE, Whose.OPPONENTS)))
    hero = scene.unit(player, squad("Hero", keywords=("INFANTRY", "CHARACTER")), at=(20, 20), models=1)
    scene.unit(1 - player, squad("Enemy", W=9), at=(20, 23), models=1)

    def performs(battle):
        battle.acting.now[hero] = battle.acting.last[hero] = 1
        battle.acting.round[hero] = 1

    battle = scene.battle("charge", active=1 - player, first_player=player, set_state=performs)
    choose(battle, "done")
    assert kind(battle) == "select-to-intervene"
    pick(battle, "Hero" if intervenes else "done")
    assert failed(battle) == ([("Hero", "heroic_intervention")] if intervenes else [])
    while battle.clock.turn[0] == 1 - player:
        battle.apply(battle.first_legal())
    assert completed(battle) == ([] if intervenes else [("Hero", "Stand Fast")])


@pytest.mark.rule("w9.actions.fail")
def test_a_unit_that_is_charged_and_fights_goes_on_with_it():
    """From its own Movement phase to the end of the opponent's turn: it is charged, piles in, attacks and consolidates."""
    until_then = Action("Stand Fast", When(Phase.MOVEMENT), When(Phase.MORALE, Whose.OPPONENTS))
    battle, unit, enemy = acting(gap=5.0, action=until_then, dice=[], seed=1)
    for _ in range(400):
        if kind(battle) == "select-to-charge" and battle.clock.turn[0] == 1:
            battle.dice.script_at[0] = battle.dice.script_end[0] = 0
            battle.script_array[:2] = (6, 6)
            battle.dice.script_end[0] = 2
            pick(battle, "Enemy")
            pick(battle, "charge A1") if kind(battle) == "charge-target" else None
            if kind(battle) == "charge-target":
                choose(battle, "done")
            break
        if kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        else:
            battle.apply(battle.first_legal())
    assert battle.units.charged[enemy]
    for _ in range(100):
        if battle.clock.turn[0] == 0:
            break
        battle.apply(battle.first_legal())
    assert battle.units.alive[unit] > 0
    assert told(battle, "w9.fight.pile-in") or told(battle, "w9.attack.hit")
    assert failed(battle) == []
    assert completed(battle) == [("A1", "Stand Fast")]


@pytest.mark.rule("w9.actions.fail", "w9.rare.stationary.actions")
@pytest.mark.parametrize(
    ("move", "deed"), [("Normal move", "normal_move"), ("Advance", "advance"), ("Remain Stationary", None)]
)
def test_moving_makes_a_long_one_fail(move, deed):
    long = Action("Long Watch", When(Phase.MOVEMENT), When(Phase.MOVEMENT))
    battle, _, _ = acting(gap=25.0, action=long)
    decline_until(battle, 0, Phase.MOVEMENT, 2)
    while kind(battle) != "move-kind":
        battle.apply(battle.first_legal())
    pick(battle, move)
    assert failed(battle) == ([("A1", deed)] if deed else [])
    for _ in range(20):
        if battle.clock.phase[0] != Phase.MOVEMENT:
            break
        battle.apply(battle.first_legal())
    assert completed(battle) == ([] if deed else [("A1", "Long Watch")])


@pytest.mark.rule("w9.actions.fail")
@pytest.mark.parametrize("player", [0, 1])
def test_falling_back_does(player):
    long = Action("Long Watch", When(Phase.MOVEMENT), When(Phase.COMMAND))
    scene, unit, _ = duel(long, gap=0.8, active=player)

    def performs(battle):
        battle.acting.now[unit] = 1

    battle = scene.battle("movement", active=player, set_state=performs)
    while kind(battle) != "move-kind":
        battle.apply(battle.first_legal())
    pick(battle, "Fall Back")
    assert failed(battle) == [("A1", "fall_back")]


@pytest.mark.rule("w9.actions.fail")
def test_being_destroyed_does():
    scene = NinthScene()
    scene.action(Action("Stand Fast", When(Phase.MOVEMENT), When(Phase.MORALE, Whose.OPPONENTS)))
    scene.unit(1, squad("A1"), at=(20, 20))
    scene.unit(1, squad("Other"), at=(50, 40))
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(48, A=9, BS=2, S=12, AP=-5)}), at=(20, 10))

    def performs(battle):
        battle.acting.now[1] = 1

    battle = scene.battle("shooting", dice=[6] * 18 + [1] * 9, set_state=performs)
    pick(battle, "Guns")
    if kind(battle) == "shoot-target":
        pick(battle, "A1")
    assert battle.units.alive[1] == 0
    assert failed(battle) == [("A1", "leave")]


@pytest.mark.rule("w9.actions.fail")
def test_embarking_does():
    scene = NinthScene()
    scene.action(SCAN)
    truck = sheet(
        "Truck", keywords=("VEHICLE", "TRANSPORT"), W=8, models=(1, 1),
        abilities={"transport": {"capacity": 10, "allowed": ["INFANTRY"]}},
    )  # fmt: skip
    scene.unit(0, truck, at=(20, 14))
    scene.unit(0, squad("A1"), at=(20, 10))
    scene.unit(1, squad("Enemy"), at=(50, 40))
    battle = scene.battle("movement", run=False)
    from wh_env.rulesets.w40k.transport.transports import embark

    battle.acting.now[1] = 1
    embark(battle, 1, 0)
    assert failed(battle) == [("A1", "leave")]


@pytest.mark.rule("w9.actions.fail")
def test_attempting_a_power_does():
    scene = NinthScene()
    scene.action(SCAN)
    scene.unit(0, squad("A1", keywords=("INFANTRY", "PSYKER")), at=(20, 10), psychic=PsychicProfile(1, 1))
    scene.unit(1, squad("Enemy"), at=(20, 20), models=5)
    battle = scene.battle("movement", dice=[1, 2])
    stand_still(battle)
    pick(battle, "A1 starts")
    pick(battle, "A1", kind="select-psyker")
    assert failed(battle) == []
    pick(battle, "Smite (")
    assert failed(battle) == [("A1", "manifest")]


@pytest.mark.rule("w9.actions.aura")
@pytest.mark.parametrize(("keywords", "silent"), [(("INFANTRY", "CHARACTER"), True), (("INFANTRY",), False)])
def test_auras_of_a_character_have_no_effect_until_the_action_fails(keywords, silent):
    """+1 to hit within 6": BS 4+ hits with 3s again after the CHARACTER has shot."""
    aura = {"name": "Lead", "effect": "+1 to hit", "active": True, "range": 6}
    scene = NinthScene()
    scene.action(SCAN)
    leader = sheet("Leader", keywords=keywords, weapons=GUNS, abilities={"auras": [aura]})
    scene.unit(0, leader, at=(20, 10))
    scene.unit(0, squad("First"), at=(16, 10))
    scene.unit(0, squad("Second"), at=(24, 10))
    scene.unit(1, squad("Enemy", W=9), at=(20, 20), models=5)
    battle = scene.battle("movement", dice=[3, 1, 3, 1, 3, 1])
    stand_still(battle)
    pick(battle, "Leader starts Scan")
    hits = []
    for shooter in ("First", "Leader", "Second"):
        battle.script_array[:2] = (3, 1)
        battle.dice.script_at[0], battle.dice.script_end[0] = 0, 2
        pick(battle, shooter)
        if kind(battle) == "shoot-target":
            pick(battle, "Enemy")
        hits.append(told(battle, "w9.attack.hit")[-1]["result"])
    assert hits == [0 if silent else 1, 1, 1]


@pytest.mark.rule("w9.actions.definition")
@pytest.mark.parametrize(("owner", "asked"), [(-1, True), (0, True), (1, False)])
def test_an_action_of_one_player_is_started_by_units_of_that_player(owner, asked):
    scene, _, _ = duel(Action("Scan", When(Phase.MOVEMENT), owner=owner))
    battle = scene.battle("movement")
    stand_still(battle)
    assert (kind(battle) == "start-action") == asked


@pytest.mark.rule("w9.actions.aura")
def test_nor_have_powers_that_are_auras():
    """-1 Leadership within 6" until the next Psychic phase, and an action that starts when this one ends."""
    dread = PsychicPower("Dread", 5, "leadership", Affects.ENEMIES_NEAR, 6, amount=(0, 0, -1), lasts=Lasts.NEXT_PSYCHIC)
    scene = NinthScene()
    scene.action(Action("Watch", When(Phase.PSYCHIC), When(Phase.COMMAND)))
    profile = PsychicProfile(1, 0, (dread,))
    scene.unit(0, squad("A1", keywords=("INFANTRY", "CHARACTER", "PSYKER"), W=3), at=(20, 10), psychic=profile)
    enemy = scene.unit(1, squad("Enemy", Ld=8), at=(20, 15))
    battle = scene.battle("psychic", dice=[4, 4])
    pick(battle, "A1")
    pick(battle, "Dread (5+)")
    assert kind(battle) == "start-action"
    assert leadership(battle, enemy.row) == 7
    pick(battle, "A1 starts Watch")
    assert leadership(battle, enemy.row) == 8
    pick(battle, "A1", kind="select-to-shoot")
    assert leadership(battle, enemy.row) == 7
