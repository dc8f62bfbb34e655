"""AIRCRAFT in the Charge and Fight phases (w10.aircraft.charge.*, w10.aircraft.fight.*)."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import Scene, UnitHandle, choose, dice_left, melee, pick, sheet, slots, told
from wh_env.testing.melee_moves import check_charge_move, check_pile_in_move

FLYING = ("INFANTRY", "FLY")
WALKING = ("INFANTRY",)
BLADE = {"blade": melee(2, WS=3, S=4)}


def kite(**fields: object) -> dict[str, object]:
    """An AIRCRAFT on a round base of 1"."""
    return sheet(
        "Kite",
        M=20,
        W=10,
        models=(1, 1),
        keywords=("VEHICLE", "AIRCRAFT", "FLY"),
        weapons={"claws": melee(3)},
        **fields,
    )  # type: ignore[arg-type]


def squad(name: str, keywords: tuple[str, ...], **fields: object) -> dict[str, object]:
    return sheet(name, keywords=keywords, weapons=BLADE, **fields)  # type: ignore[arg-type]


def from_place(battle: Battle, unit: UnitHandle, place: tuple[float, float]) -> float:
    """Inches from the first model of the unit to where a base of 1" stood: an AIRCRAFT flies on in its own turn."""
    return hypot(battle.models.x[unit.first] - place[0], battle.models.y[unit.first] - place[1]) - 1.0


@pytest.mark.rule("w10.aircraft.charge.targets")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("flies", [True, False])
def test_only_units_with_fly_charge_aircraft(flies: bool, detail: str) -> None:
    """An AIRCRAFT 5" away and INFANTRY 6" away: a FLY unit may select either, one without FLY only the INFANTRY."""
    scene = Scene()
    unit = scene.unit(0, squad("Squad", FLYING if flies else WALKING), at=(20, 20), models=1)
    air = scene.unit(1, kite(), at=(26, 20))
    foes = scene.unit(1, squad("Foes", WALKING), at=(20, 27), models=1)
    battle = scene.battle("charge", detail=detail, dice=[3, 4])
    assert (battle.distance(unit, air), battle.distance(unit, foes)) == pytest.approx((5, 6))
    choose(battle, "own", unit.number)
    if not flies:
        assert told(battle, "w10.charge.roll")[0]["targets"] == [foes.row]  # the only target there is
        return
    assert slots(battle, "enemy") == [air.number, foes.number]
    pick(battle, "charge Kite")
    choose(battle, "done")
    assert dice_left(battle) == 0
    if detail == "full":
        pick(battle, "leave the move to the engine")
    assert told(battle, "w10.charge.move")[0] == {"unit": unit.row}
    assert from_place(battle, unit, (26, 20)) == pytest.approx(0.0, abs=0.01)  # it ends within Engagement Range of it


@pytest.mark.rule("w10.aircraft.charge.targets")
@pytest.mark.parametrize("flies", [True, False])
def test_the_end_of_a_charge_at_aircraft(flies: bool) -> None:
    """The Charge move into contact with the AIRCRAFT is legal with FLY; nobody else ends within 1" of one."""
    scene = Scene()
    unit = scene.unit(0, squad("Squad", FLYING if flies else WALKING), at=(20, 20), models=1)
    air = scene.unit(1, kite(), at=(26, 20))
    battle = scene.battle("charge", run=False)
    verdict = check_charge_move(battle, unit, [air], 7.0, {0: [(25.0, 20.0)]})
    assert verdict == (Fault.LEGAL if flies else Fault.ENGAGES_AT_THE_END)


@pytest.mark.rule("w10.aircraft.charge.targets")
def test_without_fly_there_is_no_charge_at_an_aircraft_alone() -> None:
    """The only enemy is an AIRCRAFT 5" away: the unit without FLY cannot be selected; the one with FLY can."""
    for flies in (False, True):
        scene = Scene()
        unit = scene.unit(0, squad("Squad", FLYING if flies else WALKING), at=(20, 20), models=1)
        scene.unit(1, kite(), at=(26, 20))
        battle = scene.battle("charge")
        chargers = slots(battle, "own") if battle.decision and battle.decision.kind == "select-to-charge" else []
        assert chargers == ([unit.number] if flies else [])


@pytest.mark.rule("w10.aircraft.charge.targets")
def test_aircraft_do_not_charge() -> None:
    """An enemy FLY unit 5" away: the AIRCRAFT cannot be selected to charge, the unit beside it can."""
    scene = Scene()
    scene.unit(0, kite(), at=(20, 20))
    other = scene.unit(0, squad("Squad", WALKING), at=(20, 23), models=1)
    scene.unit(1, squad("Bats", FLYING), at=(26, 20), models=1)
    battle = scene.battle("charge")
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-charge"
    assert slots(battle, "own") == [other.number]


def fighting(
    enemies: list[tuple[tuple[str, ...], tuple[float, float]]], **options: object
) -> tuple[Battle, UnitHandle]:
    """An AIRCRAFT of player 0 and enemy models, in the Fight phase."""
    scene = Scene()
    air = scene.unit(0, kite(), at=(20, 20))
    for number, (keywords, at) in enumerate(enemies):
        scene.unit(1, sheet(f"Enemy {number}", keywords=keywords, W=3), at=at, models=1)
    return scene.battle("fight", **options), air  # type: ignore[arg-type]


@pytest.mark.rule("w10.aircraft.fight.eligible")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_aircraft_fights_only_units_with_fly(detail: str) -> None:
    """Within 1" of a unit without FLY only it does not fight; with a FLY unit within 1" too it must attack that one."""
    battle, air = fighting([(WALKING, (21.8, 20))], detail=detail)
    assert battle.distance(air, 1) == pytest.approx(0.8)
    selected = [e["unit"] for e in told(battle, "w10.fight.alternate")]
    assert air.row not in selected
    battle, air = fighting([(WALKING, (21.8, 20)), (FLYING, (18.2, 20))], detail=detail, dice=[1, 1, 1])
    selected = [e["unit"] for e in told(battle, "w10.fight.alternate")]
    assert air.row in selected
    rolls = [e for e in told(battle, "w10.attack.hit.roll") if e["attacker"] == air.first]
    assert [e["target"] for e in rolls] == [2, 2, 2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.aircraft.fight.eligible")
def test_fly_beyond_engagement_range_does_not_count() -> None:
    """A FLY unit 1.1" away and one without FLY at 0.8": not eligible; at 1.0" it is."""
    for gap, fights in ((1.1, False), (1.0, True)):
        battle, air = fighting([(WALKING, (21.8, 20)), (FLYING, (19.0 - gap, 20))], dice=[1, 1, 1])
        assert (air.row in [e["unit"] for e in told(battle, "w10.fight.alternate")]) == fights


@pytest.mark.rule("w10.aircraft.fight.against")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("flies", [True, False])
def test_only_models_with_fly_attack_aircraft(flies: bool, detail: str) -> None:
    """Within 1" of an AIRCRAFT and of INFANTRY: without FLY the attacks can only target the INFANTRY, with FLY either."""
    scene = Scene()
    unit = scene.unit(0, squad("Squad", FLYING if flies else WALKING), at=(20, 20), models=1)
    air = scene.unit(1, kite(), at=(21.5, 20))
    foes = scene.unit(1, sheet("Foes", W=3), at=(18.5, 20), models=1)
    battle = scene.battle("fight", detail=detail, dice=[1, 1])
    for _ in range(4):
        if battle.decision is None or battle.decision.kind not in ("pile-in", "select-to-fight"):
            break
        battle.apply(battle.first_legal())
    if flies:
        assert battle.decision is not None
        assert slots(battle, "enemy") == [air.number, foes.number]
    else:
        rolls = [e for e in told(battle, "w10.attack.hit.roll") if e["attacker"] == unit.first]
        assert [e["target"] for e in rolls] == [foes.row] * 2
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.aircraft.fight.against")
def test_without_fly_nobody_attacks_an_aircraft_alone() -> None:
    """A unit without FLY within 1" of an AIRCRAFT only makes no attacks."""
    scene = Scene()
    unit = scene.unit(0, squad("Squad", WALKING), at=(20, 20), models=1)
    scene.unit(1, kite(), at=(21.5, 20))
    battle = scene.battle("fight", dice=[6, 6])
    assert {"unit": unit.row} in told(battle, "w10.fight.targets.none")
    assert dice_left(battle) == 2


@pytest.mark.rule("w10.aircraft.fight.no-pile-in")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_aircraft_does_not_pile_in_or_consolidate(detail: str) -> None:
    """0.8" from an enemy FLY unit: it moves 0" - neither is asked - and makes its attacks."""
    battle, air = fighting([(FLYING, (21.8, 20)), (FLYING, (24.5, 20))], detail=detail, dice=[1, 1, 1])
    kinds = []
    while battle.decision is not None and battle.clock.phase[0] == 5 and battle.clock.turn[0] == 0:
        if battle.decision.subject == air.row:
            kinds.append(battle.decision.kind)
        battle.apply(battle.first_legal())
    assert not {"pile-in", "consolidate", "close-order"} & set(kinds)
    assert (battle.models.x[air.first], battle.models.y[air.first]) == (20.0, 20.0)
    assert len([e for e in told(battle, "w10.attack.hit.roll") if e["attacker"] == air.first]) == 3
    assert dice_left(battle) == 0


def beside_aircraft(flies: bool, infantry: bool) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A model 2" from an enemy AIRCRAFT, a friend of its unit engaged with it, and INFANTRY at 3" if wanted."""
    scene = Scene()
    unit = scene.unit(0, squad("Squad", FLYING if flies else WALKING), at=[(20, 20), (21.8, 21.2)])
    air = scene.unit(1, kite(), at=(23, 20))
    if infantry:
        scene.unit(1, sheet("Foes"), at=(20, 16), models=1)
    return scene.battle("fight", run=False), unit, air


@pytest.mark.rule("w10.aircraft.fight.fly-pile-in", "w10.aircraft.others.move-over")
@pytest.mark.parametrize("flies", [True, False])
def test_no_pile_in_ends_within_engagement_range_of_aircraft(flies: bool) -> None:
    """2" from the AIRCRAFT with a model of its unit engaged: not into contact nor within 1" of it, with FLY or without; only
    Charge moves of units with FLY may end so. With FLY it may come as near as that."""
    battle, unit, air = beside_aircraft(flies, False)
    assert battle.distance(unit, air) <= 1.0001
    assert check_pile_in_move(battle.clone(), unit, {0: [(22.0, 20.0)]}) != Fault.LEGAL
    assert check_pile_in_move(battle.clone(), unit, {0: [(21.1, 20.0)]}) == Fault.ENGAGES_AT_THE_END  # 0.9"
    closer = check_pile_in_move(battle.clone(), unit, {0: [(20.9, 20.0)]})
    assert closer == (Fault.LEGAL if flies else Fault.NOT_CLOSER)


@pytest.mark.rule("w10.aircraft.fight.fly-pile-in")
@pytest.mark.parametrize("flies", [True, False])
def test_the_pile_in_that_is_played(flies: bool) -> None:
    """Asked to pile in, models with FLY end closer to the AIRCRAFT and out of its Engagement Range; those without are not asked."""
    battle, unit, _ = beside_aircraft(flies, False)
    battle.run()
    if not flies:
        assert told(battle, "w10.fight.pile-in") == []
        return
    while battle.decision is not None and battle.decision.kind != "pile-in":
        battle.apply(battle.first_legal())
    pick(battle, "pile in")
    assert 1.0 < from_place(battle, unit, (23, 20)) < 2.0


@pytest.mark.rule("w10.aircraft.fight.ignored")
@pytest.mark.parametrize("flies", [True, False])
def test_aircraft_are_not_the_closest_enemy_for_models_without_fly(flies: bool) -> None:
    """An AIRCRAFT at 2" and INFANTRY at 3": towards the INFANTRY without FLY, with it no move away from the AIRCRAFT is one."""
    scene = Scene()
    unit = scene.unit(0, squad("Squad", FLYING if flies else WALKING), at=(20, 20), models=1, charged=1)
    air = scene.unit(1, kite(), at=(23, 20))
    foes = scene.unit(1, sheet("Foes"), at=(20, 16), models=1)
    battle = scene.battle("fight", dice=[1, 1], run=False)
    assert (battle.distance(unit, air), battle.distance(unit, foes)) == pytest.approx((2, 3))
    straight = check_pile_in_move(battle.clone(), unit, {0: [(20.0, 17.002)]})
    assert straight == (Fault.NOT_CLOSER if flies else Fault.LEGAL)
    battle.run()
    while battle.decision is not None and battle.decision.kind != "pile-in":
        battle.apply(battle.first_legal())
    if not flies:
        pick(battle, "pile in")
        assert from_place(battle, unit, (20, 16)) == pytest.approx(0.0, abs=0.01)
        assert from_place(battle, unit, (23, 20)) > 1.0


@pytest.mark.rule("w10.aircraft.fight.ignored")
def test_in_a_mixed_unit_each_model_ignores_aircraft_or_not() -> None:
    """A model with FLY beside one without: only for the second does the INFANTRY count as the closest enemy."""
    data = squad("Squad", WALKING)
    kind = data["models"][0]  # type: ignore[index]
    data["models"] = [
        {**kind, "name": "Flyer", "min": 1, "max": 1, "keywords": ["FLY"]},
        {**kind, "name": "Walker", "min": 1, "max": 1},
    ]
    data["points"] = [{"models": 2, "points": 100}]
    scene = Scene()
    unit = scene.unit(0, data, at=[(20, 20), (20, 21.5)], charged=1)
    scene.unit(1, kite(), at=(22.9, 20.7))
    scene.unit(1, sheet("Foes", base_mm=76.2), at=[(16, 20.75)])
    battle = scene.battle("fight", run=False)
    flyer = check_pile_in_move(battle.clone(), unit, {0: [(19.0, 20.2)], 1: [(18.9, 21.6)]})
    assert flyer == Fault.NOT_CLOSER
    assert check_pile_in_move(battle.clone(), unit, {1: [(18.2, 21.4)]}) in (Fault.LEGAL, Fault.NOT_CONTACT)
