"""AIRCRAFT and Engagement Range: who passes, who is held, who charges and fights them (w9.aircraft.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.fight.close_moves import can_pile_in
from wh_env.rulesets.w40k.shoot.declare import melee_targets
from wh_env.testing import UnitHandle, cell_nearest, kind, melee, pick, ranged, sheet, slots, words
from wh_env.testing.melee_moves import check_charge_move, check_pile_in_move
from wh_env.testing.moves import check_move

AIRCRAFT = ("VEHICLE", "AIRCRAFT", "FLY")
FLYING, WALKING = ["INFANTRY", "FLY"], ["INFANTRY"]
ARMS = {"rifle": ranged(24), "blade": melee()}


def jet(name: str = "Jet") -> dict[str, object]:
    """An AIRCRAFT on a base of 2"."""
    return sheet(name, M=60, base_mm=50.8, height=3, W=10, models=(1, 1), keywords=AIRCRAFT, weapons=ARMS)


def beside(
    gap: float, phase: str = "movement", player: int = 0, keywords: list[str] | None = None, detail: str = "squad",
    friendly: bool = False, **options: object,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A unit of the player whose base is so far from an AIRCRAFT's in +x; another unit of either side stands far away."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", keywords=keywords or WALKING, weapons=ARMS), at=(20, 22), models=1)
    scene.unit(player, sheet("Watch", weapons=ARMS), at=(57, 22), models=1)
    plane = scene.unit(player if friendly else 1 - player, jet(), at=(21.5 + gap, 22), least_move=20)
    scene.unit(1 - player, sheet("Far"), at=(3, 41), models=1)
    return scene.battle(phase, active=player, detail=detail, **options), squad, plane  # type: ignore[arg-type]


@pytest.mark.rule("w9.aircraft.engagement.pass")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("friendly", [True, False])
@pytest.mark.parametrize("move", ["normal", "advance", "fall back", "charge", "pile in", "consolidate"])
def test_models_move_across_aircraft(move: str, friendly: bool, player: int) -> None:
    """INFANTRY moves through the base of an AIRCRAFT and ends 1.5" beyond; not on it, nor 0.8" beyond an enemy one."""
    battle, squad, _ = beside(0.1, player=player, friendly=friendly)
    roll = 6.0 if move in ("charge", "pile in", "consolidate") else 0 if move == "advance" else None
    far = move in ("pile in", "consolidate")  # 3" of way
    beyond = 21.6 + 1.0 + 0.5
    for gap, legal in ((1.5, True), (0.8, friendly), (-0.4, False)):
        if far and gap > -0.4:
            continue
        verdict = check_move(battle.clone(), squad, move, {0: [(beyond + gap, 22)]}, roll=roll)
        assert (verdict == Fault.LEGAL) == legal
    over = {0: [(20.3, 22), (18.0, 22)]}  # onto its base and back
    assert check_move(battle.clone(), squad, move, over, roll=3.0 if roll == 0 else roll) == Fault.LEGAL
    # on the way: its base lies across the first inches
    if not far:
        assert check_move(battle.clone(), squad, move, {0: [(22.5, 22), (22.5, 25)]}, roll=roll) == Fault.LEGAL


@pytest.mark.rule("w9.aircraft.engagement.pass")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("friendly", [True, False])
def test_a_unit_moved_as_one_passes_aircraft(friendly: bool, player: int) -> None:
    """Squad detail: the cell 6" straight on beyond the AIRCRAFT is offered, one within 1" of an enemy AIRCRAFT is not."""
    battle, _, _ = beside(1.1, player=player, friendly=friendly)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    offered = slots(battle, "cell")
    assert cell_nearest(battle, 6, 0, 6) in offered
    assert cell_nearest(battle, 3, 0, 6) not in offered
    assert cell_nearest(battle, 1.5, 0, 6) not in offered  # its base would stand on the other
    assert (cell_nearest(battle, 0.75, 0, 6) in offered) == friendly


@pytest.mark.rule("w9.aircraft.engagement.own-move")
@pytest.mark.parametrize("player", [0, 1])
def test_an_aircraft_is_not_held(player: int) -> None:
    """0.5" from an enemy: Normal Move and Advance are offered, no Fall Back; both are made."""
    scene = NinthScene()
    plane = scene.unit(player, jet(), at=(20, 22), least_move=20, facing=0.0)
    scene.unit(player, sheet("Watch"), at=(3, 5), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(22, 22), models=1)
    battle = scene.battle(active=player)
    assert battle.distance(plane.row, battle.setup.names["units"].index("Foe")) == pytest.approx(0.5)
    pick(battle, "Jet", kind="select-to-move")
    assert sorted(w.split(": ")[1] for w in words(battle).values()) == ["Advance", "Normal move"]
    pick(battle, "Normal move")
    battle.apply(battle.setup.space.angle)
    battle.apply(battle.setup.space.number)
    assert battle.models.x[plane.first] == pytest.approx(40)


@pytest.mark.rule("w9.aircraft.engagement.own-move")
@pytest.mark.parametrize("player", [0, 1])
def test_an_aircraft_without_a_minimum_move_may_stay(player: int) -> None:
    """0.5" from an enemy: it stays, moves or Advances, and does not Fall Back."""
    scene = NinthScene()
    plane = scene.unit(player, jet(), at=(20, 22), facing=0.0)
    scene.unit(player, sheet("Watch"), at=(3, 5), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(22, 22), models=1)
    battle = scene.battle(active=player)
    pick(battle, "Jet", kind="select-to-move")
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("move-kind", plane.row)
    assert slots(battle, "option") == [0, 1, 2]
    assert "done" not in words(battle).values()


@pytest.mark.rule("w9.aircraft.engagement.only-aircraft")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_who_is_engaged_with_aircraft_only(detail: str, player: int) -> None:
    """0.5" from an AIRCRAFT and from nobody else: all four; with another enemy beside it only Fall Back and staying."""
    battle, squad, _ = beside(0.5, player=player, detail=detail)
    pick(battle, "Squad", kind="select-to-move")
    assert slots(battle, "option") == [0, 1, 2, 3]
    pick(battle, "Squad: Normal move")
    assert kind(battle) in ("move-to", "select-model")
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad"), at=(20, 22), models=1)
    scene.unit(1 - player, jet(), at=(22, 22), least_move=20)
    scene.unit(1 - player, sheet("Foe"), at=(20, 23.8), models=1)
    both = scene.battle(active=player, detail=detail)
    assert both.decision is not None
    assert both.decision.subject == squad.row
    assert slots(both, "option") == [0, 3]


@pytest.mark.rule("w9.aircraft.charge-end", "w9.aircraft.airborne")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keywords", [FLYING, WALKING])
def test_only_units_that_fly_charge_aircraft(keywords: list[str], player: int) -> None:
    """6" away and a roll of 6: a unit with FLY may declare it and ends 0.5" from it; one without may not declare it."""
    battle, squad, plane = beside(6.0, "charge", player, keywords)
    flies = keywords == FLYING
    assert (kind(battle) == "select-to-charge") == flies
    if flies:
        assert squad.row - battle.players.first_unit[player] in slots(battle, "own")
        pick(battle, "Squad", kind="select-to-charge")
        assert any("Jet" in w for w in words(battle).values())
    scene_battle, squad, plane = beside(6.0, "charge", player, keywords, run=False)
    for x in (25.5, 26.0):  # 0.5" from it, in contact with it
        verdict = check_move(scene_battle.clone(), squad, "charge", {0: [(x, 22)]}, roll=6.0, targets=[plane])
        assert (verdict == Fault.LEGAL) == flies
    assert (check_charge_move(scene_battle, squad, [plane], 6.0, {0: [(26.0, 22)]}) == Fault.LEGAL) == flies


@pytest.mark.rule("w9.aircraft.airborne")
@pytest.mark.parametrize("player", [0, 1])
def test_only_units_that_fly_fight_with_aircraft(player: int) -> None:
    """An AIRCRAFT 0.8" from INFANTRY and from a unit with FLY: the first cannot target it, the second can; it can target the
    second only; and it charges nobody."""
    scene = NinthScene()
    plane = scene.unit(player, jet(), at=(20, 22), least_move=20)
    walkers = scene.unit(1 - player, sheet("Walkers", weapons=ARMS), at=(22.3, 22), models=1)
    bats = scene.unit(1 - player, sheet("Bats", keywords=FLYING, weapons=ARMS), at=(17.7, 22), models=1)
    battle = scene.battle("fight", active=player, run=False)

    def may_fight(unit: UnitHandle, other: UnitHandle) -> bool:
        return bool(melee_targets(battle, unit.row)[0][other.row])

    assert not may_fight(walkers, plane)
    assert may_fight(bats, plane)
    assert not may_fight(plane, walkers)
    assert may_fight(plane, bats)
    assert not can_pile_in(battle, plane.row)
    scene = NinthScene()
    scene.unit(player, jet(), at=(20, 22), least_move=20)
    scene.unit(1 - player, sheet("Bats", keywords=FLYING), at=(26, 22), models=1)
    assert kind(scene.battle("charge", active=player)) != "select-to-charge"


@pytest.mark.rule("w9.aircraft.closest")
@pytest.mark.parametrize("player", [0, 1])
def test_aircraft_are_left_out_when_closing_in(player: int) -> None:
    """An AIRCRAFT at 1.5", INFANTRY at 2.5" on the other side: a model without FLY has to pile in towards the INFANTRY; one
    with FLY towards the AIRCRAFT."""
    for keywords in (WALKING, FLYING):
        scene = NinthScene()
        squad = scene.unit(player, sheet("Squad", keywords=keywords, weapons=ARMS), at=(20, 22), models=1, charged=1)
        scene.unit(1 - player, jet(), at=(20 - 3.0, 22), least_move=20)
        scene.unit(1 - player, sheet("Foes", weapons=ARMS), at=(23.5, 22), models=1)
        battle = scene.battle("fight", active=player, run=False)
        towards_infantry = check_pile_in_move(battle.clone(), squad, {0: [(22.5, 22)]})
        towards_plane = check_pile_in_move(battle.clone(), squad, {0: [(19.6, 22)]})
        if keywords == WALKING:
            assert towards_infantry == Fault.LEGAL
            assert towards_plane == Fault.NOT_CLOSER
        else:
            assert towards_infantry == Fault.NOT_CLOSER


@pytest.mark.rule("w9.aircraft.engagement.shooting")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "eligible"), [(0.5, False), (1.5, True)])
def test_who_is_engaged_with_aircraft_neither_shoots_nor_charges(gap: float, eligible: bool, player: int) -> None:
    """INFANTRY 0.5" from an enemy AIRCRAFT is eligible neither to shoot nor to charge; 1.5" from it, it is both."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", weapons=ARMS), at=(20, 22), models=1)
    scene.unit(1 - player, jet(), at=(21.5 + gap, 22), least_move=20)
    scene.unit(1 - player, sheet("Foe"), at=(20, 28), models=1)
    for phase, asked in (("shooting", "select-to-shoot"), ("charge", "select-to-charge")):
        battle = scene.battle(phase, active=player)
        assert (kind(battle) == asked and battle.decision is not None and battle.decision.player == player) == eligible
        if eligible:
            assert squad.row - battle.players.first_unit[player] in slots(battle, "own")
