"""Battle rounds, turns, phases and the end of a turn (w10.round.*)."""

from __future__ import annotations

import pytest

from wh_env.rulesets.w40k.fight.phase import has_fights_first
from wh_env.testing import Scene, choose, dice_left, melee, pick, play_until, ranged, sheet, told, words

PHASES = ["Command", "Movement", "Shooting", "Charge", "Fight"]


def quiet(**options):
    """Two lone models that never get near each other."""
    scene = Scene()
    scene.unit(0, sheet("A"), at=(5, 5))
    scene.unit(1, sheet("B"), at=(55, 40))
    return scene.battle(**options)


def idle(battle):
    """Play on to the end of the battle; nobody moves."""
    while not battle.over:
        known = words(battle)
        stay = [action for action, text in known.items() if "Remain Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())


def turns(battle):
    return [(event["player"], event["round"]) for event in told(battle, "w10.round.structure")]


@pytest.mark.rule("w10.round.structure")
def test_both_players_take_one_turn_a_round_for_five_rounds():
    battle = quiet(phase="mission", rules={"first_player": 0})
    idle(battle)
    assert turns(battle) == [(player, number) for number in range(1, 6) for player in (0, 1)]
    assert battle.result.rounds == 5


@pytest.mark.rule("w10.round.structure")
@pytest.mark.parametrize("rounds", [1, 3])
def test_the_battle_ends_after_the_number_of_rounds_of_the_mission(rounds):
    battle = quiet(phase="mission", rules={"first_player": 0, "rounds": rounds})
    idle(battle)
    assert turns(battle) == [(player, number) for number in range(1, rounds + 1) for player in (0, 1)]
    assert battle.result.rounds == rounds


@pytest.mark.rule("w10.round.first-turn-fixed")
@pytest.mark.parametrize(("dice", "first"), [([2, 5], 1), ([5, 2], 0), ([3, 3, 1, 6], 1)])
def test_the_winner_of_the_roll_off_goes_first_in_every_round(dice, first):
    battle = quiet(phase="mission", dice=dice)
    idle(battle)
    assert [event["rolls"] for event in told(battle, "w10.mission.only-war.first-turn") if "rolls" in event][
        -1
    ] == tuple(dice[-2:])
    starters = {number: player for player, number in reversed(turns(battle))}
    assert starters == dict.fromkeys(range(1, 6), first)
    assert len(turns(battle)) == 10
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.round.phases")
def test_a_turn_has_five_phases_in_order():
    """A's five phases of round 1, then B's, then round 2 starts with A's Command phase."""
    battle = quiet(phase="mission", rules={"first_player": 0})
    idle(battle)
    reported = [(event["round"], event["player"], event["phase"]) for event in told(battle, "w10.round.phases")]
    assert reported == [(number, player, phase) for number in range(1, 6) for player in (0, 1) for phase in PHASES]
    assert reported[:5] == [(1, 0, phase) for phase in PHASES]
    assert reported[5:10] == [(1, 1, phase) for phase in PHASES]
    assert reported[10] == (2, 0, "Command")


@pytest.mark.rule("w10.round.phases")
def test_the_turn_player_acts_in_the_first_four_phases_and_both_fight():
    """Units of both players are engaged: only B, whose turn it is, moves, shoots and charges; both units fight."""
    scene = Scene()
    for player, x in ((0, 10), (1, 12)):
        weapons = {"fist": melee(), "gun": ranged(24, abilities=["Pistol"])}
        scene.unit(player, sheet(f"Line {player}", weapons=weapons, W=50), at=(x, 10))
        scene.unit(player, sheet(f"Back {player}", weapons=weapons, W=50), at=(22, 10 + 10 * player))
    battle = scene.battle("command", active=1)
    asked: dict[int, set[int]] = {}
    while not battle.over and (battle.clock.turn[0], battle.clock.round[0]) == (1, 1):
        asked.setdefault(battle.clock.phase[0], set()).add(battle.decision.player)
        battle.apply(battle.first_legal())
    assert {phase: players for phase, players in asked.items() if phase < 5} == {2: {1}, 3: {1}, 4: {1}}
    fought = [event["unit"] for event in told(battle, "w10.fight.alternate")]
    assert {battle.units.owner[unit] for unit in fought} == {0, 1}


def scattered(gaps):
    spots = [(40.0, 30.0)]
    for gap in gaps:
        spots.append((spots[-1][0] + 1.0 + gap, 30.0))
    return spots


@pytest.mark.rule("w10.round.end-of-turn")
def test_the_turn_ends_with_removals_then_expiry_then_the_next_turn():
    """A's charger has Fights First, two of B's five are out of coherency: B removes them, the bonus goes, and only then
    B's Command phase starts with +1 CP each."""
    scene = Scene()
    charger = scene.unit(0, sheet("Charger"), at=(10, 10), charged=1)
    squad = scene.unit(1, sheet("Squad"), at=scattered([0.5, 0.5, 5.0, 0.5]))
    battle = scene.battle("end", active=0, round=2, detail="full", cp=(2, 3))
    for slot in (4, 3):
        assert battle.decision.kind == "coherency-removal"
        assert battle.decision.player == 1
        assert has_fights_first(battle, charger.row)  # not expired yet
        assert tuple(battle.players.cp) == (2, 3)  # nor has the next turn begun
        choose(battle, "model", slot)
    assert battle.units.alive[squad] == 3
    assert not has_fights_first(battle, charger.row)
    assert tuple(battle.players.cp) == (3, 4)
    assert (battle.clock.turn[0], battle.clock.round[0]) == (1, 2)
    order = [event.rule for event in battle.events]
    assert order[:6] == [
        "w10.concepts.coherency.end-of-turn",
        "w10.concepts.coherency.end-of-turn",
        "w10.round.end-of-turn",
        "w10.round.structure",
        "w10.round.phases",
        "w10.command.gain-cp",
    ]


@pytest.mark.rule("w10.round.end-of-turn")
def test_a_turn_ends_when_its_fight_phase_is_over():
    battle = quiet(phase="fight", active=0, round=2)
    order = [event.rule for event in battle.events]
    assert order[:3] == ["w10.round.phases", "w10.round.end-of-turn", "w10.round.structure"]


@pytest.mark.rule("w10.round.end-of-turn")
def test_the_battle_ends_after_the_removals_of_the_last_turn():
    """No next turn begins: B's last turn of round 5 ends with A's removal, and then the battle."""
    scene = Scene()
    scene.unit(0, sheet("Squad"), at=scattered([5.0]))
    scene.unit(1, sheet("B"), at=(5, 5))
    battle = scene.battle("end", active=1, round=5, detail="full")
    assert battle.decision.kind == "coherency-removal"
    choose(battle, "model", 0)
    assert battle.over
    assert turns(battle) == []


@pytest.mark.rule("w10.round.end-of-turn")
def test_the_charge_bonus_lasts_through_the_turn_and_not_into_the_next():
    """A charge that is made in the Charge phase of A; in B's turn the unit fights like any other."""
    scene = Scene()
    charger = scene.unit(0, sheet("Charger"), at=(10, 10))
    scene.unit(0, sheet("Other"), at=(18, 10))  # could charge too, so the phase goes on
    scene.unit(1, sheet("Target", W=30), at=(10, 15))
    battle = scene.battle("charge", dice=[3, 4])
    pick(battle, "Charger")
    assert battle.decision.kind == "select-to-charge"
    assert has_fights_first(battle, charger.row)
    pick(battle, "done")
    play_until(battle, "move-kind")
    assert battle.clock.turn[0] == 1
    assert not has_fights_first(battle, charger.row)
