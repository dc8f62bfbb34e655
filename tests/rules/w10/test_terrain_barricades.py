"""Terrain: charging and fighting across a barricade (w10.terrain.barricades.charge, .fight, .other-phases)."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import Scene, UnitHandle, dice_left, melee, pick, ranged, sheet, told, words
from wh_env.testing.melee_moves import check_charge_move

BLADE = {"blade": melee(A=1, WS=2, S=8, AP=0), "gun": ranged(24, BS=2, S=8)}


def barrier(scene: Scene, kind: str = "barricade", thick: float = 0.8) -> None:
    """A barrier at y = 20 .. 20 + thick, 1" high."""
    scene.box(20, 20, 40, 20 + thick, 1, kind=kind)


def stay(battle: Battle) -> None:
    """Nobody piles in or consolidates until the Fight phase is over."""
    while battle.decision is not None and battle.decision.kind in ("pile-in", "consolidate"):
        pick(battle, "do not")


def charge(
    dice: list[int], kind: str = "barricade", enemy: float = 0.5, start: float = 15.5, models: int = 1, **more: Any
) -> Battle:
    """Chargers with their front edge at ``start`` + 0.5, a barrier at y = 20 .. 20.8, an enemy ``enemy`` behind it."""
    scene = Scene()
    barrier(scene, kind)
    scene.unit(0, sheet("Chargers", weapons=BLADE), at=[(30 + 1.5 * k, start) for k in range(models)])
    scene.unit(1, sheet("Foes", weapons=BLADE, W=9), at=(30, 20.8 + enemy + 0.5))
    battle = scene.battle("charge", dice=dice, **more)
    pick(battle, "Chargers", kind="select-to-charge")
    if battle.decision is not None and battle.decision.kind == "charge-target":
        pick(battle, "charge Foes")
    return battle


def made(battle: Battle) -> bool:
    """Whether the Chargers made their Charge move."""
    return told(battle, "w10.charge.move") == [{"unit": 0}]


@pytest.mark.rule("w10.terrain.barricades.charge")
def test_charging_across_a_barricade() -> None:
    """An enemy 0.5" behind a barricade 0.8" thick: the charge succeeds with the models at its near side, 1.3" away."""
    battle = charge([2, 2])  # 4" to the barricade
    assert made(battle)
    assert battle.models.y[0] == pytest.approx(19.5, abs=0.01)
    assert battle.distance(0, 1) == pytest.approx(1.3, abs=0.01)
    assert battle.models.y[1] == pytest.approx(21.8)
    # an inch short of it the charge fails; so it does where the barrier is no barricade
    assert not made(charge([1, 2]))
    assert not made(charge([2, 2], kind="debris"))
    # reaching around or over it into Engagement Range is not ruled out, but there is no room behind it here
    assert made(charge([6, 6]))


@pytest.mark.rule("w10.terrain.barricades.charge")
def test_the_enemy_must_be_near_the_barricade() -> None:
    """An enemy 1" behind it can be charged across it, one 1.1" behind not (and 2" must be enough to reach it)."""
    assert made(charge([2, 2], enemy=1.0))
    assert not made(charge([2, 2], enemy=1.1))
    assert not made(charge([2, 2], enemy=1.25))


def judged(y: float, x: float = 30, roll: float = 6, enemy: float = 0.5, kind: str = "barricade") -> Fault:
    """The verdict on one charging model ending with its centre at (x, y)."""
    scene = Scene()
    barrier(scene, kind)
    unit = scene.unit(0, sheet("Chargers"), at=(30, 14))
    foes = scene.unit(1, sheet("Foes"), at=(30, 20.8 + enemy + 0.5))
    battle = scene.battle("charge", run=False)
    return check_charge_move(battle, unit, [foes], roll, {0: [(x, y)]})


@pytest.mark.rule("w10.terrain.barricades.charge")
def test_the_charge_ends_as_close_to_the_barricade_as_can_be() -> None:
    """Touching it and within 2" is a charge; ending off it is none, nor touching it more than 2" away."""
    assert judged(19.5) == Fault.LEGAL
    assert judged(19.4) == Fault.NOT_ENGAGED  # 1.4" away, but not as close as it could
    assert judged(18.7) == Fault.NOT_ENGAGED  # 2.1" away
    assert judged(19.5, enemy=0.9) == Fault.LEGAL
    # along the barricade: 2.0" between the bases, and 2.1"
    across = 21.8 - 19.5
    reach = (3.0**2 - across**2) ** 0.5
    assert judged(19.5, x=30 + reach - 0.001) == Fault.LEGAL
    far = (3.1**2 - across**2) ** 0.5
    assert judged(19.5, x=30 + far) == Fault.NOT_ENGAGED
    assert judged(19.5, kind="debris") == Fault.NOT_ENGAGED


@pytest.mark.rule("w10.terrain.barricades.charge")
def test_a_unit_charges_across_together() -> None:
    """Of three models the two with the enemy in reach across it end at the barricade, the third closer than it was."""
    battle = charge([2, 3], models=3)
    assert made(battle)
    assert [battle.models.y[k] for k in range(2)] == pytest.approx([19.5] * 2, abs=0.01)
    assert 15.5 < battle.models.y[2] <= 19.5
    assert dice_left(battle) == 0


def facing(kind: str | None, apart: float = 1.6, phase: str = "fight", **more: Any) -> tuple[Battle, UnitHandle]:
    """Two units ``apart`` with a feature 0.6" thick half way between them."""
    scene = Scene()
    unit = scene.unit(0, sheet("Chargers", weapons=BLADE, W=9), at=(30, 19.5 - (apart - 0.6) / 2))
    if kind is not None:
        barrier(scene, kind, thick=0.6)
    scene.unit(1, sheet("Foes", weapons=BLADE, W=9), at=(30, 21.1 + (apart - 0.6) / 2))
    return scene.battle(phase, **more), unit


@pytest.mark.rule("w10.terrain.barricades.fight")
def test_fighting_across_a_barricade() -> None:
    """1.6" apart with a barricade between: both units fight, both models attack; without the barricade neither does."""
    battle, _ = facing("barricade", dice=[6, 6, 1, 6, 6, 1])
    stay(battle)
    assert [event["unit"] for event in told(battle, "w10.fight.alternate")] == [0, 1]
    assert [battle.models.wounds[k] for k in (0, 1)] == [8, 8]
    assert dice_left(battle) == 0
    for kind in (None, "debris", "container"):
        battle, _ = facing(kind, dice=[6, 6, 1, 6, 6, 1])
        assert told(battle, "w10.fight.alternate") == []
        assert [battle.models.wounds[k] for k in (0, 1)] == [9, 9]


@pytest.mark.rule("w10.terrain.barricades.fight")
def test_the_reach_across_is_two_inches() -> None:
    """2.0" apart they fight, 2.1" apart they do not; nor past the end of the barricade."""
    for apart, fights in ((2.0, True), (2.1, False), (1.1, True)):
        battle, _ = facing("barricade", apart=apart, dice=[6, 6, 1, 6, 6, 1])
        assert bool(told(battle, "w10.fight.alternate")) == fights
    for end, fights in ((30.1, True), (29.9, False)):
        scene = Scene()
        scene.unit(0, sheet("Chargers", weapons=BLADE, W=9), at=(30, 19))
        scene.box(20, 20, end, 20.6, 1, kind="barricade")
        scene.unit(1, sheet("Foes", weapons=BLADE, W=9), at=(30, 21.6))
        battle = scene.battle("fight", dice=[6, 6, 1, 6, 6, 1])
        assert bool(told(battle, "w10.fight.alternate")) == fights


@pytest.mark.rule("w10.terrain.barricades.fight")
def test_each_model_needs_a_target_across() -> None:
    """Full detail: of three models the two within 2" of the enemy across the barricade choose a weapon, the third not."""
    scene = Scene()
    barrier(scene, thick=0.6)
    scene.unit(0, sheet("Chargers", weapons=BLADE, W=9), at=[(30, 19), (31.05, 19), (34, 19)])
    scene.unit(1, sheet("Foes", W=9), at=(30, 21.6))
    battle = scene.battle("fight", dice=[6, 6, 6, 6, 1, 1], detail="full")
    stay(battle)
    while battle.decision is not None and battle.decision.kind in ("melee-weapon", "pile-in", "consolidate"):
        battle.apply(battle.first_legal())
    assert len(told(battle, "w10.attack.hit.roll")) == 2
    assert battle.models.wounds[3] == 7


@pytest.mark.rule("w10.terrain.barricades.fight", "w10.terrain.barricades.charge")
def test_who_charged_across_fights_across() -> None:
    """After the charge the Chargers strike first, with Fights First, then the enemy."""
    battle = charge([2, 2, 6, 6, 1, 6, 6, 1])
    assert made(battle)
    stay(battle)
    assert [(e["unit"], e["step"]) for e in told(battle, "w10.fight.alternate")] == [(0, 1), (1, 2)]
    assert [battle.models.wounds[1], battle.units.alive[0]] == [8, 0]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.terrain.barricades.other-phases")
def test_engagement_range_is_not_extended_otherwise() -> None:
    """1.6" apart across a barricade: either may shoot, be shot at, make a Normal move and declare a charge."""
    battle, unit = facing("barricade", phase="shooting", detail="full")
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-shoot"
    pick(battle, "Chargers")
    assert any("gun: at Foes" in text for text in words(battle).values())
    battle, _ = facing("barricade", phase="shooting", active=1)
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-shoot"
    assert "Foes" in words(battle).values()
    for active, name in ((0, "Chargers"), (1, "Foes")):
        battle, _ = facing("barricade", phase="movement", active=active)
        if battle.decision is not None and battle.decision.kind == "select-to-move":
            pick(battle, name)
        assert any("Normal move" in text for text in words(battle).values())
        assert not any("Fall Back" in text for text in words(battle).values())
    battle, _ = facing("barricade", phase="charge")
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-charge"
    assert int(unit) == 0


@pytest.mark.rule("w10.terrain.barricades.fight")
def test_nobody_fights_an_enemy_that_is_gone() -> None:
    """The only enemy across the barricade is lost to its own Hazardous weapon: the unit is not eligible to fight any more."""
    for test, fought in ((1, [0]), (2, [0, 1])):
        scene = Scene()
        barrier(scene, thick=0.6)
        hazardous = {"blade": melee(A=1, WS=3, S=4, abilities=["Hazardous"])}
        scene.unit(0, sheet("Chargers", weapons=hazardous), at=(30, 19))
        foes = scene.unit(1, sheet("Foes", weapons=BLADE, W=9), at=(30, 21.6))
        scene.unit(0, sheet("Others"), at=(5, 5))
        battle = scene.battle("fight", dice=[1, test, 1, 1, 1, 1])
        stay(battle)
        units = [event["unit"] for event in told(battle, "w10.fight.alternate")]
        assert units == [0 if k == 0 else foes.row for k in fought]
