"""AIRCRAFT in charges and fights as they are played: who charges, closes in on and attacks them (w9.aircraft.airborne, .charge-end, .closest)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.rulesets.w9.codes import Phase
from wh_env.testing import UnitHandle, apart, choose, kind, melee, pick, sheet, slots, told

FLYING, WALKING = ("INFANTRY", "FLY"), ("INFANTRY",)
QUIET = {"cp_each_command_phase": 0}
JET = (20.0, 22.0)


def jet(attacks: int = 3) -> dict[str, Any]:
    """An AIRCRAFT on a base of 2", with claws."""
    keywords = ("VEHICLE", "AIRCRAFT", "FLY")
    return sheet(
        "Jet", M=60, base_mm=50.8, height=3, W=30, Sv=7, models=(1, 1), keywords=keywords, weapons=claws(attacks)
    )


def claws(attacks: int) -> dict[str, Any]:
    """One weapon whose attacks hit, wound and are not saved on sixes."""
    return {"claws": melee(A=attacks, WS=2, S=9, D=1)}


def squad(name: str, keywords: tuple[str, ...], attacks: int) -> dict[str, Any]:
    """A unit with 30 wounds."""
    return sheet(name, W=30, Sv=7, keywords=keywords, weapons=claws(attacks))


def through_the_phase(battle: Battle, phase: Phase) -> set[str]:
    """Play what is left of the phase, moves by the engine; the enemy units that were offered as targets of melee attacks, by attacker."""
    targets = set()
    names = battle.setup.names["units"]
    while battle.decision is not None and battle.clock.phase[0] == phase:
        if kind(battle) in ("fight-target", "attack-target"):
            first = battle.players.first_unit[1 - battle.decision.player]
            targets |= {f"{names[battle.decision.subject]} at {names[first + k]}" for k in slots(battle, "enemy")}
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    return targets


def lost(battle: Battle, unit: UnitHandle) -> int:
    """Wounds that the first model of a unit has lost."""
    return int(30 - battle.models.wounds[unit.first])


def closes_in(battle: Battle, unit: UnitHandle, goal: UnitHandle) -> None:
    """Full detail: wherever the model may end it is closer to ``goal`` than before; then the engine makes the move."""
    if kind(battle) != "close-order":
        return
    before = apart(battle, unit.first, goal.first)
    ends = battle.clone()
    choose(ends, "model", 0)
    assert kind(ends) == "close-to"
    assert slots(ends, "cell")
    for cell in slots(ends, "cell"):
        end = ends.clone()
        choose(end, "cell", cell)
        assert apart(end, unit.first, goal.first) < before
    pick(battle, "leave the move to the engine")


@pytest.mark.rule("w9.aircraft.airborne")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_only_units_that_fly_and_the_aircraft_attack_each_other(detail: str, player: int, active: int) -> None:
    """0.8" from INFANTRY with five attacks, from a unit with FLY that has two, and beside a friend on foot: the AIRCRAFT loses two wounds,
    the unit with FLY the three of its claws; the INFANTRY attacks the friend alone."""
    scene = NinthScene()
    plane = scene.unit(player, jet(), at=JET, least_move=20)
    friend = scene.unit(player, squad("Friend", WALKING, 1), at=(22.3, 23.8), models=1)
    walkers = scene.unit(1 - player, squad("Walkers", WALKING, 5), at=(22.3, 22), models=1)
    bats = scene.unit(1 - player, squad("Bats", FLYING, 2), at=(17.7, 22), models=1)
    battle = scene.battle("fight", active=active, detail=detail, dice=[6] * 200, rules=QUIET)
    offered = through_the_phase(battle, Phase.FIGHT)
    assert (lost(battle, plane), lost(battle, bats)) == (2, 3)
    assert (lost(battle, friend), lost(battle, walkers)) == (5, 1)
    assert not offered & {"Walkers at Jet", "Jet at Walkers"}


@pytest.mark.rule("w9.aircraft.airborne")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("keywords", "wounds"), [(WALKING, 0), (FLYING, 2)])
def test_an_aircraft_and_one_unit_beside_it(keywords: tuple[str, ...], wounds: int, player: int) -> None:
    """With nobody else near, INFANTRY without FLY and the AIRCRAFT make no attack at all; a unit with FLY is attacked and attacks."""
    scene = NinthScene()
    plane = scene.unit(player, jet(), at=JET, least_move=20)
    unit = scene.unit(1 - player, squad("Unit", keywords, 2), at=(22.3, 22), models=1)
    battle = scene.battle("fight", active=player, dice=[6] * 100, rules=QUIET)
    through_the_phase(battle, Phase.FIGHT)
    assert (lost(battle, plane), lost(battle, unit)) == (wounds, 3 if wounds else 0)
    assert bool(told(battle, "w9.attack.hit")) == bool(wounds)


@pytest.mark.rule("w9.aircraft.charge-end")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("roll", "made"), [((3, 3), True), ((2, 2), False)])
def test_a_unit_that_flies_ends_its_charge_beside_an_aircraft(
    roll: tuple[int, int], made: bool, detail: str, player: int
) -> None:
    """The AIRCRAFT is 6" away: a roll of 6 brings the unit with FLY within Engagement Range, a roll of 4 does not; the unit on foot beside
    it, which another enemy makes eligible, may not declare the AIRCRAFT."""
    scene = NinthScene()
    bats = scene.unit(player, squad("Bats", FLYING, 2), at=(13, 22), models=1)
    walkers = scene.unit(player, squad("Walkers", WALKING, 2), at=(13, 20), models=1)
    plane = scene.unit(1 - player, jet(), at=(20.5, 22), least_move=20)
    foe = scene.unit(1 - player, squad("Foe", WALKING, 1), at=(13, 12), models=1)
    battle = scene.battle("charge", active=player, detail=detail, dice=[*roll, 1, 1], rules=QUIET)
    other = battle.clone()
    first = battle.players.first_unit[1 - player]
    pick(other, "Walkers", kind="select-to-charge")
    assert kind(other) != "charge-target" or slots(other, "enemy") == [foe.row - first]
    assert plane.row not in [row for e in told(other, "w9.charge.declare") for row in e.get("targets", ())]
    pick(battle, "Bats", kind="select-to-charge")
    if kind(battle) == "charge-target":
        pick(battle, "Jet")
    while kind(battle) != "select-to-charge" and battle.clock.phase[0] == Phase.CHARGE:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert (apart(battle, bats.first, plane.first) <= 1.0) == made
    assert bool(battle.units.charged[bats]) == made
    assert apart(battle, walkers.first, plane.first) > 1.0


@pytest.mark.rule("w9.aircraft.closest")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("move", ["pile in", "consolidate"])
@pytest.mark.parametrize("keywords", [WALKING, FLYING])
def test_who_piles_in_and_consolidates_towards_whom(
    keywords: tuple[str, ...], move: str, detail: str, player: int
) -> None:
    """An AIRCRAFT at 1.5" on one side, INFANTRY at 2.5" on the other: a model without FLY ends closer to the INFANTRY, one with FLY does
    not; it goes towards the AIRCRAFT, and not within 1" of it."""
    scene = NinthScene()
    unit = scene.unit(player, squad("Squad", keywords, 1), at=(20, 22), models=1, charged=1)
    plane = scene.unit(1 - player, jet(), at=(17, 22), least_move=20)
    foe = scene.unit(1 - player, squad("Foes", WALKING, 1), at=(23.5, 22), models=1)
    battle = scene.battle("fight", active=player, detail=detail, rules=QUIET)
    if kind(battle) == "pile-in" and move == "consolidate":
        pick(battle, "do not pile in")
    if kind(battle) == move.replace(" ", "-"):
        pick(battle, move)
    closes_in(battle, unit, foe if keywords == WALKING else plane)
    near, far = apart(battle, unit.first, foe.first), apart(battle, unit.first, plane.first)
    if keywords == WALKING:
        assert (near, far) == pytest.approx((0.0, 4.0), abs=0.01)
    else:
        assert near >= 2.5
        assert 1.0 < far <= 1.5


@pytest.mark.rule("w9.aircraft.closest")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("keywords", [WALKING, FLYING])
def test_towards_whom_a_character_intervenes(keywords: tuple[str, ...], detail: str, player: int) -> None:
    """Heroic Interventions leave AIRCRAFT out in the same way."""
    scene = NinthScene()
    hero = scene.unit(player, squad("Hero", (*keywords, "CHARACTER"), 1), at=(20, 22), models=1)
    plane = scene.unit(1 - player, jet(), at=(17, 22), least_move=20)
    foe = scene.unit(1 - player, squad("Foes", WALKING, 1), at=(23.5, 22), models=1)
    battle = scene.battle("charge", active=1 - player, detail=detail, rules=QUIET)
    while kind(battle) == "select-to-charge":
        battle.apply(0)
    pick(battle, "Hero", kind="select-to-intervene")
    closes_in(battle, hero, foe if keywords == WALKING else plane)
    near, far = apart(battle, hero.first, foe.first), apart(battle, hero.first, plane.first)
    if keywords == WALKING:
        assert (near, far) == pytest.approx((0.0, 4.0), abs=0.01)
    else:
        assert near >= 2.5
        assert 1.0 < far <= 1.5
