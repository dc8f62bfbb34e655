"""Charging an AIRCRAFT (w9.rare.charge-aircraft)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.core.geometry.paths import Fault
from wh_env.testing import kind, melee, pick, sheet, slots
from wh_env.testing.melee_moves import check_charge_move
from wh_env.testing.moves import check_move

ARMS = {"blade": melee(A=2, WS=2, S=8)}
FLYING, WALKING = ("INFANTRY", "FLY"), ("INFANTRY",)


def charging(player, keywords, roll, detail="squad"):
    """Two units 9" from an AIRCRAFT with claws in the Charge phase: one with these keywords, and one that walks, beside a walking enemy."""
    scene = NinthScene()
    hunter = scene.unit(player, sheet("Hunter", keywords=keywords, weapons=ARMS), at=(20, 22), models=1)
    jet = sheet("Jet", M=60, base_mm=50.8, W=10, models=(1, 1), keywords=("VEHICLE", "AIRCRAFT", "FLY"), weapons=ARMS)
    plane = scene.unit(1 - player, jet, at=(30.5, 22), least_move=20)
    other = scene.unit(player, sheet("Other", weapons=ARMS), at=(50, 10), models=1)
    scene.unit(1 - player, sheet("Foe", weapons=ARMS, W=9), at=(52, 10), models=1)
    return scene.battle("charge", active=player, dice=roll, detail=detail), hunter, plane, other


@pytest.mark.rule("w9.rare.charge-aircraft")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_unit_that_flies_charges_it_fights_first_and_attacks_it(player, detail):
    battle, hunter, plane, other = charging(player, FLYING, [4, 5, 6, 6, 6, 6, 1, 1], detail)
    assert hunter.row - battle.players.first_unit[player] in slots(battle, "own")
    pick(battle, "Hunter", kind="select-to-charge")
    while kind(battle) != "select-to-fight":
        assert battle.decision.player == player
        battle.apply(battle.decision.options[-1])
    # the only one that charged has fought before anybody else is selected
    assert battle.distance(hunter.row, plane.row) <= 1
    assert (battle.units.charged[hunter] > 0, battle.units.fought[hunter], battle.units.fought[other]) == (True, 1, 0)
    assert battle.models.wounds[plane.first] == 8


@pytest.mark.rule("w9.rare.charge-aircraft")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keywords", [FLYING, WALKING])
def test_only_then_does_a_move_end_near_it(player, keywords):
    """A charge of a unit with FLY against it ends 0.5" from it with a roll of 9; one of a unit without, or another move, never does."""
    battle, hunter, plane, _ = charging(player, keywords, [])
    flies = keywords == FLYING
    offered = hunter.row - battle.players.first_unit[player] in slots(battle, "own")
    assert offered == flies
    end = {0: [(28.5, 22)]}
    assert (check_charge_move(battle.clone(), hunter, [plane], 9.0, end) == Fault.LEGAL) == flies
    assert (check_move(battle.clone(), hunter, "charge", end, roll=9.0, targets=[plane]) == Fault.LEGAL) == flies
    assert check_move(battle.clone(), hunter, "charge", end, roll=8.0, targets=[plane]) != Fault.LEGAL
    for move, roll in (("normal", None), ("advance", 6.0)):
        near = {0: [(28.5, 22)]}
        mover = battle.clone()
        mover.models.move[hunter.first] = 12.0
        assert check_move(mover, hunter, move, near, roll=roll) != Fault.LEGAL


@pytest.mark.rule("w9.rare.charge-aircraft")
@pytest.mark.parametrize("player", [0, 1])
def test_not_by_a_charge_against_others(player):
    """A charge with FLY against another unit does not end within 1" of an AIRCRAFT that is no target of it."""
    scene = NinthScene()
    hunter = scene.unit(player, sheet("Hunter", keywords=FLYING, weapons=ARMS), at=(20, 22), models=1)
    jet = sheet("Jet", M=60, base_mm=50.8, W=10, models=(1, 1), keywords=("VEHICLE", "AIRCRAFT", "FLY"), weapons=ARMS)
    plane = scene.unit(1 - player, jet, at=(30.5, 22), least_move=20)
    foe = scene.unit(1 - player, sheet("Foe", weapons=ARMS), at=(28.5, 20.4), models=1)
    battle = scene.battle("charge", active=player)
    end = {0: [(28.5, 22)]}
    assert check_charge_move(battle.clone(), hunter, [foe], 9.0, end) != Fault.LEGAL
    assert check_charge_move(battle.clone(), hunter, [foe, plane], 9.0, end) == Fault.LEGAL
