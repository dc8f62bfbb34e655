"""AIRCRAFT in the Movement phase: straight forward, the pivot, leaving the battlefield and coming back (w10.aircraft.*)."""

from __future__ import annotations

from itertools import pairwise
from math import degrees, hypot, pi

import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.core.tables import EMBARKED, ON_TABLE, RESERVE
from wh_env.testing import Scene, UnitHandle, choose, pick, play_until, sheet, slots, told, words
from wh_env.testing.moves import check_move

AIRCRAFT = ("VEHICLE", "AIRCRAFT", "FLY")
NORTH, EAST = pi / 2, 0.0


def jet(name: str = "Jet", keywords: tuple[str, ...] = AIRCRAFT, **fields: object) -> dict[str, object]:
    """An AIRCRAFT with a hull of 4" by 2"."""
    return sheet(name, M=20, hull_in=(4, 2), height=3, W=10, models=(1, 1), keywords=keywords, **fields)  # type: ignore[arg-type]


def flight(
    at: tuple[float, float] = (30, 10),
    facing: float = NORTH,
    size: tuple[float, float] = (60, 60),
    foes: tuple[float, float] = (2, 58),
    detail: str = "squad",
    **options: object,
) -> tuple[Battle, UnitHandle]:
    """An AIRCRAFT of player 0 and one enemy model, in the Movement phase of player 0."""
    scene = Scene(size=size)
    unit = scene.unit(0, jet(), at=at, facing=facing)
    scene.unit(1, sheet("Foes"), at=foes, models=1)
    return scene.battle(detail=detail, **options), unit  # type: ignore[arg-type]


def ends(battle: Battle) -> dict[int, tuple[float, float]]:
    """Where the AIRCRAFT ends by each distance that is offered."""
    found = {}
    for slot in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", slot)
        found[slot] = (copy.models.x[0], copy.models.y[0])
    return found


@pytest.mark.rule("w10.aircraft.move.normal-only")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_aircraft_can_only_make_a_normal_move(detail: str) -> None:
    """An enemy unit with FLY 0.5" away: nothing but the distance of its Normal move is asked, and nobody can go on first."""
    scene = Scene(size=(60, 60))
    unit = scene.unit(0, jet(), at=(30, 10))
    scene.unit(0, sheet("Walkers"), at=(5, 5), models=1)
    scene.unit(1, sheet("Bats", keywords=["INFANTRY", "FLY"]), at=(32, 10), models=1)  # its side is at x = 31
    battle = scene.battle(detail=detail)
    assert battle.distance(unit, 2) == pytest.approx(0.5)
    pick(battle, "Walkers", kind="select-to-move")
    pick(battle, "Remain Stationary", kind="move-kind")
    # the last unit selects itself, and what it does is no choice
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("aircraft-distance", unit.row)
    assert slots(battle, "done") == []
    choose(battle, "number", 0)
    assert battle.units.moved[unit] == 2  # a Normal move


@pytest.mark.rule("w10.aircraft.move.minimum")
def test_it_moves_straight_forward_at_least_20_inches() -> None:
    """Facing north at y = 10 on a field 60" long: it may end at y = 30 and farther with x unchanged, never at 29."""
    battle, _ = flight()
    found = ends(battle)
    assert len(found) == 32
    assert all(x == pytest.approx(30.0, abs=1e-9) for x, _ in found.values())
    assert found[0][1] == pytest.approx(30.0)
    assert all(y >= 30.0 - 1e-6 for _, y in found.values())
    assert [slots(battle, s) for s in ("cell", "angle", "model", "done")] == [[], [], [], []]  # nor anything else
    east, _ = flight((5, 30), EAST)
    found = ends(east)
    assert found[0] == pytest.approx((25.0, 30.0))
    assert all(y == pytest.approx(30.0, abs=1e-9) for _, y in found.values())


@pytest.mark.rule("w10.aircraft.move.minimum")
def test_the_distance_exactly() -> None:
    """Full detail asks for the distance between two neighbouring ones too, never less than 20"."""
    battle, _ = flight(detail="full")
    choose(battle, "number", 0)
    assert battle.decision is not None
    assert battle.decision.kind == "aircraft-distance-exactly"
    y = []
    for slot in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", slot)
        y.append(copy.models.y[0])
    assert min(y) == pytest.approx(30.0)
    assert len(y) == 32
    assert max(y) < 30.0 + 28 / 31
    assert all(b - a < 0.03 for a, b in pairwise(y))


@pytest.mark.rule("w10.aircraft.move.minimum")
def test_it_ends_its_move_out_of_the_way_of_others() -> None:
    """An enemy model straight ahead at y = 40: it flies over it, but ends neither on it nor within 1" of it."""
    battle, _ = flight(foes=(30, 40))
    y = [y for _, y in ends(battle).values()]
    assert min(y) == pytest.approx(30.0)
    assert not any(40 - 3.5 <= end <= 40 + 3.5 for end in y)  # half the hull, half the base, 1"
    assert any(35.5 < end < 36.5 for end in y)
    assert any(43.5 < end < 44.5 for end in y)


@pytest.mark.rule("w10.aircraft.move.no-maximum")
def test_there_is_no_maximum() -> None:
    """45" of free battlefield ahead: 45" is legal."""
    battle, unit = flight((30, 13))  # its nose is at y = 15
    top = slots(battle, "number")[-1]
    choose(battle, "number", top)
    assert battle.models.y[0] == pytest.approx(58.0)  # 45" on, the nose at the edge
    assert battle.units.place[unit] == ON_TABLE
    longer, _ = flight((13, 30), EAST, (90, 60))
    choose(longer, "number", slots(longer, "number")[-1])
    assert longer.models.x[0] == pytest.approx(88.0)


@pytest.mark.rule("w10.aircraft.move.pivot")
def test_it_may_pivot_by_up_to_90_degrees_after_the_move() -> None:
    """From 90 degrees left to 90 degrees right, after the straight move and not before; the centre stays."""
    battle, _ = flight()
    assert slots(battle, "angle") == []  # no pivot before the move
    choose(battle, "number", 0)
    assert battle.decision is not None
    assert battle.decision.kind == "aircraft-pivot"
    turns = []
    for slot in slots(battle, "angle"):
        copy = battle.clone()
        choose(copy, "angle", slot)
        turns.append(round(degrees(copy.models.facing[0] - NORTH + pi) % 360 - 180, 3))
        assert (copy.models.x[0], copy.models.y[0]) == pytest.approx((30.0, 30.0))
    assert sorted(turns) == [15.0 * k for k in range(-6, 7)]


@pytest.mark.rule("w10.aircraft.move.pivot")
def test_the_pivot_exactly() -> None:
    """Full detail asks for the angle between two neighbouring ones; 90 degrees either way are the most."""
    for slot, low, high in ((18, -90.0, -75.0), (0, 0.0, 15.0), (5, 75.0, 90.0), (6, 90.0, 90.0)):
        battle, _ = flight(detail="full")
        choose(battle, "number", 0)
        choose(battle, "number", 0)
        choose(battle, "angle", slot)
        turns = []
        decision = battle.decision
        for exact in slots(battle, "angle") if decision and decision.kind == "aircraft-pivot-exactly" else [None]:
            copy = battle.clone()
            if exact is not None:
                choose(copy, "angle", exact)
            turns.append(round(degrees(copy.models.facing[0] - NORTH + pi) % 360 - 180, 3))
        assert min(turns) == pytest.approx(low)
        assert low <= max(turns) <= high
        assert len(turns) == (1 if slot == 6 else 24)


@pytest.mark.rule("w10.aircraft.move.pivot")
def test_the_pivot_does_not_count_towards_the_distance() -> None:
    """Its Move is 20: after 20" and more it turns by 90 degrees all the same, which moves its corners by 3.5"."""
    battle, unit = flight((30, 17))
    choose(battle, "number", slots(battle, "number")[-2])
    assert battle.models.y[0] == pytest.approx(58 - 21 / 31)
    assert {6, 18} <= set(slots(battle, "angle"))
    choose(battle, "angle", 6)
    assert battle.units.place[unit] == ON_TABLE


@pytest.mark.rule("w10.aircraft.leave-battlefield")
@pytest.mark.parametrize(("room", "leaves"), [(15.0, True), (19.9, True), (20.0, False)])
def test_without_20_inches_of_room_it_leaves(room: float, leaves: bool) -> None:
    """15" from the edge that it faces: selected to move, it goes into Strategic Reserves without a question."""
    battle, unit = flight((30, 60 - 2 - room))
    if leaves:
        assert battle.units.place[unit] == RESERVE
        assert told(battle, "w10.aircraft.leave-battlefield") == [{"unit": unit.row}]
        assert not any(battle.models.on_table[k] for k in (unit.first,))
    else:
        assert battle.units.place[unit] == ON_TABLE
        assert battle.decision is not None
        assert battle.decision.kind == "aircraft-distance"


@pytest.mark.rule("w10.aircraft.leave-battlefield")
def test_it_may_fly_over_the_edge() -> None:
    """There is room for 20", and it flies on over the edge."""
    battle, unit = flight()
    pick(battle, "leave the battlefield")
    assert battle.units.place[unit] == RESERVE


@pytest.mark.rule("w10.aircraft.leave-battlefield")
def test_where_it_cannot_end_it_leaves() -> None:
    """Exactly 20.0" to the edge and an enemy model where it would end: it cannot move at least 20"."""
    battle, unit = flight((30, 38), foes=(30, 57))
    assert battle.units.place[unit] == RESERVE


def carrier_leaves(**options: object) -> tuple[Battle, UnitHandle, UnitHandle]:
    """An AIRCRAFT TRANSPORT 15" from the edge with a unit embarked."""
    scene = Scene(size=(60, 60))
    data = jet("Carrier", (*AIRCRAFT, "TRANSPORT"), abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"]}})
    carrier = scene.unit(0, data, at=(30, 43))
    cargo = scene.unit(0, sheet("Cargo"), models=3, embarked_in=carrier)
    scene.unit(1, sheet("Foes"), at=(2, 58), models=1)
    return scene.battle(**options), carrier, cargo  # type: ignore[arg-type]


@pytest.mark.rule("w10.aircraft.leave-battlefield")
def test_what_is_embarked_goes_with_it() -> None:
    battle, carrier, cargo = carrier_leaves()
    pick(battle, "Carrier", kind="select-to-move")
    assert battle.units.place[carrier] == RESERVE
    assert (battle.units.place[cargo], battle.units.carrier[cargo]) == (EMBARKED, carrier.row)
    assert not battle.models.rows["on_table"][cargo.first : cargo.first + 3].any()


def gone(battle: Battle) -> None:
    """Play on to the Reinforcements step of A's next turn, or past it."""
    start = battle.clock.round[0]
    for _ in range(200):
        assert battle.decision is not None
        if battle.decision.kind in ("select-reserves", "arrive-by", "arrive-at") or battle.clock.round[0] > start + 1:
            return
        if battle.clock.round[0] == start + 1 and battle.clock.turn[0] == 0 and battle.clock.phase[0] > 2:
            return
        battle.apply(0 if battle.legal()[0] else battle.first_legal())


@pytest.mark.rule("w10.aircraft.return")
def test_it_must_come_back_in_the_next_own_turn() -> None:
    """It left in A's round 2; not in that turn, but in A's round 3 Reinforcements step it is set up: nobody can end the
    step before. Wholly within 6" of an edge, more than 9" from enemy models."""
    scene = Scene(size=(60, 60))
    unit = scene.unit(0, jet(), at=(30, 45))
    scene.unit(0, sheet("Walkers"), at=(5, 5), models=1)
    other = scene.unit(0, sheet("Waiting"), models=1, reserves="strategic")
    foes = scene.unit(1, sheet("Foes"), at=(30, 58), models=1)
    battle = scene.battle(round=2)
    pick(battle, "Jet", kind="select-to-move")
    assert battle.units.place[unit] == RESERVE
    pick(battle, "Remain Stationary")
    assert battle.decision is not None
    assert battle.decision.kind == "select-reserves"  # the one that waits may come or not, the AIRCRAFT not now
    assert (slots(battle, "own"), slots(battle, "done")) == ([other.number], [0])
    choose(battle, "done")
    gone(battle)
    assert battle.clock.round[0] == 3
    assert battle.decision is not None
    assert battle.decision.kind == "select-reserves"
    assert slots(battle, "own") == [unit.number, other.number]
    assert slots(battle, "done") == []
    choose(battle, "own", unit.number)
    assert battle.decision.kind == "arrive-by"
    edges = list(words(battle).values())
    assert "by the left edge, facing inwards" in edges
    pick(battle, "by the left edge, facing inwards")
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        choose(copy, "cell", cell)
        x, y = copy.models.x[unit.first], copy.models.y[unit.first]
        assert 2.0 - 1e-6 <= x <= 4.0 + 1e-6
        assert copy.models.facing[unit.first] == 0.0
        assert copy.distance(unit, foes) > 9.0
        assert 1.0 <= y <= 59.0
    choose(battle, "cell", slots(battle, "cell")[0])
    assert battle.units.place[unit] == ON_TABLE
    assert battle.decision.kind == "select-reserves"
    assert slots(battle, "done") == [0]  # the other still need not come


@pytest.mark.rule("w10.aircraft.return", "w10.stratagem.rapid-ingress.round")
@pytest.mark.parametrize("first", [0, 1])
def test_rapid_ingress_does_not_bring_it_back_in_the_round_in_which_it_left(first: int) -> None:
    """It left in A's round 2: not at the end of B's Movement phase of that round, which comes after if A has the first turn; in
    round 3 it may arrive, so if B has the first turn it may do so by Rapid Ingress."""
    scene = Scene(size=(60, 60))
    unit = scene.unit(0, jet(), at=(30, 45))
    scene.unit(0, sheet("Waiting", W=9), models=1, reserves="strategic")
    scene.unit(1, sheet("Foes", W=9), at=(30, 58), models=1)
    rules = {"cp_each_command_phase": 0, "stratagems": {"rapid-ingress": "ask"}}
    battle = scene.battle(round=2, first_player=first, cp=(2, 0), rules=rules)
    if battle.decision is not None and battle.decision.kind == "select-to-move":
        pick(battle, "Jet", kind="select-to-move")
    assert battle.units.place[unit] == RESERVE
    play_until(battle, "rapid-ingress")
    assert battle.clock.round[0] == (2 if first == 0 else 3)
    assert battle.clock.turn[0] == 1
    asked = set(words(battle).values())
    assert "Rapid Ingress: Waiting" in asked
    assert ("Rapid Ingress: Jet" in asked) == (first == 1)


@pytest.mark.rule("w10.aircraft.return")
def test_each_edge_and_facing_is_legal() -> None:
    """Whatever edge it comes by, it stands wholly within 6" of it and more than 9" from the enemy."""
    battle, unit = flight((30, 45), foes=(30, 58), round=2)
    gone(battle)
    assert battle.decision is not None
    assert battle.decision.kind == "arrive-by"
    for option in slots(battle, "option"):
        by = battle.clone()
        choose(by, "option", option)
        for cell in slots(by, "cell"):
            copy = by.clone()
            choose(copy, "cell", cell)
            m, k = copy.models, unit.first
            along = abs(round(degrees(m.facing[k]))) % 180 == 0
            dx, dy = (2.0, 1.0) if along else (1.0, 2.0)
            west, east, south, north = m.x[k] - dx, m.x[k] + dx, m.y[k] - dy, m.y[k] + dy
            assert min(west, 60 - east, south, 60 - north) >= -1e-6
            assert min(east, 60 - west, north, 60 - south) <= 6.0001
            assert hypot(m.x[k] - 30, m.y[k] - 58) > 9


@pytest.mark.rule("w10.aircraft.return.impossible")
def test_where_no_place_is_legal_it_waits_for_the_next_opportunity() -> None:
    """In A's round 3 enemy models are within 9" of every place along the edges; in round 4, when they are gone, it must come."""
    scene = Scene(size=(30, 30))
    unit = scene.unit(0, jet(), at=(15, 15))
    scene.unit(0, sheet("Walkers"), at=(15, 12), models=1)
    ring = [(x, y) for x in (3, 11, 19, 27) for y in (3, 11, 19, 27) if x in (3, 27) or y in (3, 27)]
    guards = [scene.unit(1, sheet("Guards"), at=spot, models=1) for spot in ring]
    scene.unit(1, sheet("Rest"), at=(15, 20), models=1)
    battle = scene.battle(round=2)
    pick(battle, "Jet", kind="select-to-move")
    assert battle.units.place[unit] == RESERVE
    while battle.clock.round[0] < 4:
        assert battle.decision is not None
        assert battle.decision.kind not in ("select-reserves", "arrive-by", "arrive-at")
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    # it has not come back in round 3
    assert battle.units.place[unit] == RESERVE
    for guard in guards:
        battle.models.on_table[guard.first] = 0
    play_until(battle, "arrive-by")
    assert battle.clock.turn[0] == 0
    assert battle.clock.round[0] == 4
    assert battle.decision is not None
    assert battle.decision.subject == unit.row  # the only thing that can be done in this step


@pytest.mark.rule("w10.aircraft.others.may-move")
def test_a_unit_near_aircraft_only_can_move_normally() -> None:
    """Within 1" of an enemy AIRCRAFT: Normal move and Advance are offered beside Fall Back; with another enemy model
    within 1" as well only Fall Back and Remain Stationary."""
    for more in (False, True):
        scene = Scene()
        unit = scene.unit(0, sheet("Squad"), at=(30, 20), models=1)
        scene.unit(1, jet(), at=(32, 20))  # its side is at x = 31
        scene.unit(1, sheet("Foes"), at=(28.5, 20) if more else (5, 40), models=1)
        battle = scene.battle()
        assert battle.distance(unit, 1) == pytest.approx(0.5)
        offered = [text.removeprefix("Squad: ") for text in words(battle).values()]
        engaged_options = ["Remain Stationary", "Fall Back"]
        free = ["Remain Stationary", "Normal move", "Advance", "Fall Back"]
        assert offered == (engaged_options if more else free)
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=(30, 20), models=1)
    scene.unit(1, jet(), at=(32, 20))
    battle = scene.battle()
    pick(battle, "Normal move")
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        choose(copy, "cell", cell)
        assert copy.distance(unit, 1) > 1.0 or cell == 17 * 17 // 2  # where it stood


@pytest.mark.rule("w10.aircraft.others.move-over")
def test_models_move_past_enemy_aircraft() -> None:
    """A straight 6" path over an AIRCRAFT that ends 2" beyond is legal, with an end 0.9" from it it is not; a Pile-in that
    ends within 1" of it is not either."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=(30, 20), models=1)
    scene.unit(1, sheet("Kite", keywords=AIRCRAFT, base_mm=25.4, W=3), at=(32.5, 20), models=1)
    scene.unit(1, sheet("Foes"), at=(30, 21.5), models=1, place="destroyed")
    battle = scene.battle()
    assert check_move(battle.clone(), unit, "normal", {0: [(35.5, 20)]}) == Fault.LEGAL  # 2" beyond its base
    assert check_move(battle.clone(), unit, "normal", {0: [(34.4, 20)]}) == Fault.ENGAGES_AT_THE_END
    assert check_move(battle.clone(), unit, "normal", {0: [(34.51, 20)]}) == Fault.LEGAL
    assert check_move(battle.clone(), unit, "normal", {0: [(32.5, 20)]}) == Fault.OVERLAPS_MODEL
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=(30, 20), models=1)
    scene.unit(1, sheet("Kite", keywords=AIRCRAFT, base_mm=25.4, W=3), at=(32.5, 20), models=1)
    scene.unit(1, sheet("Foes"), at=(30, 21.8), models=1)
    battle = scene.battle("fight", run=False)
    assert check_move(battle.clone(), unit, "pile in", {0: [(30.6, 20.0)]}) == Fault.ENGAGES_AT_THE_END  # 0.9"
    assert check_move(battle.clone(), unit, "pile in", {0: [(30.4, 20.0)]}) == Fault.LEGAL
