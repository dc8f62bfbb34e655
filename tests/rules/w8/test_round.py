"""Battle rounds, turns and phases (w8.round.*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.testing import kind, melee, ranged, sheet, slots, told, words

PHASES = ["Movement", "Psychic", "Shooting", "Charge", "Fight", "Morale"]


def quiet(**options: object) -> Battle:
    """Two lone models that never get near each other."""
    scene = EighthScene()
    scene.unit(0, sheet("A"), at=(5, 5), models=1)
    scene.unit(1, sheet("B"), at=(55, 40), models=1)
    return scene.battle(**options)  # type: ignore[arg-type]


def idle(battle: Battle) -> None:
    """Play on to the end of the battle; nobody moves."""
    while not battle.over:
        stay = [action for action, text in words(battle).items() if "Remain Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())


def turns(battle: Battle) -> list[tuple[int, int]]:
    return [(event["round"], event["player"]) for event in told(battle, "w8.round.turns")]


@pytest.mark.rule("w8.round.turns", "w8.round.same-first-player")
@pytest.mark.parametrize("first", [0, 1])
def test_both_players_have_a_turn_in_each_of_five_rounds_the_same_one_first(first: int) -> None:
    battle = quiet(active=first, first_player=first)
    idle(battle)
    begun = [(1, first), *turns(battle)] if turns(battle)[:1] != [(1, first)] else turns(battle)
    assert begun == [(number, player) for number in range(1, 6) for player in (first, 1 - first)]


@pytest.mark.rule("w8.round.phase-order")
@pytest.mark.parametrize("first", [0, 1])
def test_six_phases_in_this_order_then_the_opponents(first: int) -> None:
    battle = quiet(active=first, first_player=first)
    idle(battle)
    played = [(e["player"], e["phase"]) for e in told(battle, "w8.round.phase-order") if "phase" in e]
    assert played == [(player, phase) for _ in range(5) for player in (first, 1 - first) for phase in PHASES]


@pytest.mark.rule("w8.round.next-turn")
@pytest.mark.parametrize("first", [0, 1])
def test_the_next_round_begins_when_both_have_had_their_turn(first: int) -> None:
    """After the first player's Morale phase the other's turn begins in the same round, after that one's the next round."""
    battle = quiet(phase="morale", active=first, first_player=first)
    assert (battle.clock.round[0], battle.clock.turn[0], battle.clock.phase[0]) == (1, 1 - first, 1)
    battle = quiet(phase="morale", active=1 - first, first_player=first)
    assert (battle.clock.round[0], battle.clock.turn[0], battle.clock.phase[0]) == (2, first, 1)


@pytest.mark.rule("w8.round.both-players-phases")
@pytest.mark.parametrize("active", [0, 1])
def test_both_fight_and_only_the_active_player_moves_shoots_and_charges(active: int) -> None:
    """Engaged units on either side: whom each player is asked for, by phase, in one turn."""
    arms = {"gun": ranged(48, BS=6, S=1), "blade": melee(A=1, WS=6, S=1)}
    scene = EighthScene()
    for player, x in ((active, 20.0), (1 - active, 21.8)):
        scene.unit(player, sheet(f"Near {player}", weapons=arms, W=9, Sv=2), at=[(x, 20), (x, 21.2)])
        scene.unit(player, sheet(f"Far {player}", weapons=arms, W=9, Sv=2), at=[(x, 30 + 8 * player)], models=1)
    battle = scene.battle(active=active, first_player=active)
    asked: dict[str, set[int]] = {}
    while battle.clock.round[0] == 1 and battle.clock.turn[0] == active and battle.decision is not None:
        if slots(battle, "own") or kind(battle) in ("move-kind", "pile-in"):
            asked.setdefault(battle.decision.kind, set()).add(battle.decision.player)
        battle.apply(battle.first_legal())
    assert asked["move-kind"] == asked["select-to-move"] == {active}
    assert asked.get("select-to-shoot", {active}) == asked.get("select-to-charge", {active}) == {active}
    assert asked["pile-in"] == {0, 1}


@pytest.mark.rule("w8.round.both-players-phases")
@pytest.mark.parametrize("active", [0, 1])
def test_both_test_their_nerves(active: int) -> None:
    scene = EighthScene()
    units = [
        scene.unit(player, sheet(f"Unit {player}", Ld=6), at=[(20 + 20 * player, 20 + k * 1.2) for k in range(6)])
        for player in (0, 1)
    ]

    def slay(battle: Battle) -> None:
        for unit in units:
            model = unit.model(5)
            battle.models.alive[model] = battle.models.wounds[model] = battle.models.on_table[model] = 0
            battle.units.alive[unit] -= 1
            battle.toll_array[model] = 1

    battle = scene.battle("morale", active=active, dice=[6, 6], set_state=slay)
    while kind(battle) == "fleeing-model" or kind(battle) == "select-to-test":
        battle.apply(battle.first_legal())
    assert [e["unit"] for e in told(battle, "w8.morale.test") if "unit" in e] == [
        units[active].row,
        units[1 - active].row,
    ]
