"""AIRCRAFT: minimum moves, pivots, leaving the battlefield and coming back (w9.aircraft.*)."""

from __future__ import annotations

from dataclasses import replace
from math import degrees, hypot, pi

import numpy as np
import pytest
from classic import in_phase, raw_army, raw_sheet
from ninth import NinthScene

from wh_env import Battle
from wh_env.agents.invariants import FINE, OVERLAP, Invariants, model_fault
from wh_env.content import w9
from wh_env.core.tables import DESTROYED, EMBARKED, ON_TABLE, RESERVE
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.deploy.places import cell_place
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.testing import UnitHandle, choose, kind, pick, play_until, sheet, slots, told, words

AIRCRAFT = ("VEHICLE", "AIRCRAFT", "FLY")
EAST = 0.0


def jet(**fields: object) -> dict[str, object]:
    """An AIRCRAFT of M 20-60" with a hull of 4" by 2"."""
    return sheet("Jet", M=60, hull_in=(4, 2), height=3, W=10, models=(1, 1), keywords=AIRCRAFT, **fields)  # type: ignore[arg-type]


def flight(
    at: tuple[float, float] = (10, 22), facing: float = EAST, player: int = 0, detail: str = "squad", least: float = 20,
    size: tuple[float, float] = (90, 44), foe: tuple[float, float] = (88, 42), watch: tuple[float, float] = (88, 5),
    passengers: int = 0,
    **options: object,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """An AIRCRAFT of the player that is selected to move, another unit of its side and an enemy."""
    scene = NinthScene(size=size)
    abilities = {"transport": {"capacity": 6, "allowed": ["INFANTRY"]}} if passengers else {}
    unit = scene.unit(player, jet(abilities=abilities), at=at, facing=facing, least_move=least)
    if passengers:
        scene.unit(player, sheet("Inside"), models=passengers, embarked_in=unit)
    scene.unit(player, sheet("Watch"), at=watch, models=1)
    scene.unit(1 - player, sheet("Foe"), at=foe, models=1)
    battle = scene.battle(detail=detail, active=player, **options)  # type: ignore[arg-type]
    if kind(battle) == "select-to-move":
        pick(battle, "Jet", kind="select-to-move")
    return battle, unit


def ahead(battle: Battle, unit: UnitHandle) -> list[float]:
    """Inches of the straight moves that are offered."""
    found = []
    x, y = battle.models.x[unit.first], battle.models.y[unit.first]
    for slot in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", slot)
        if copy.units.place[unit] == ON_TABLE and kind(copy) != "aircraft-distance-exactly":
            found.append(hypot(copy.models.x[unit.first] - x, copy.models.y[unit.first] - y))
    return found


@pytest.mark.rule("w9.aircraft.minimum-move")
@pytest.mark.parametrize("player", [0, 1])
def test_between_the_minimum_and_the_maximum(player: int) -> None:
    """M 20-60": nothing below 20" is offered and nothing above 60" or beyond the edge; 20.0" and 60.0" are."""
    battle, unit = flight(player=player)
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    inches = ahead(battle, unit)
    assert (min(inches), max(inches)) == pytest.approx((20.0, 60.0))
    near, unit = flight((40, 22), player=player)
    pick(near, "Normal move")
    choose(near, "angle", 0)
    assert max(ahead(near, unit)) == pytest.approx(48.0)  # its nose at the edge
    assert battle.units.moved[unit] == Moved.NORMAL


@pytest.mark.rule("w9.aircraft.minimum-move")
@pytest.mark.parametrize("change", [-2.0, 3.0])
def test_a_change_of_m_changes_both(change: float) -> None:
    """M 20-60" under a rule of -2" for Normal Moves: 18-58"; with an Advance roll of 4, which the rule does not change, both values
    are 4" more."""
    slower = {"moves_normally": ({"unit": 0, "inches": change},)}
    battle, unit = flight(rules=slower)
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    inches = ahead(battle, unit)
    assert (min(inches), max(inches)) == pytest.approx((20 + change, 60 + change))
    fast, unit = flight(dice=[4], rules=slower)
    pick(fast, "Advance")
    choose(fast, "angle", 0)
    inches = ahead(fast, unit)
    assert (min(inches), max(inches)) == pytest.approx((24, 64))
    assert fast.units.moved[unit] == Moved.ADVANCE


@pytest.mark.rule("w9.aircraft.minimum-move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("change", [0.0, -2.0])
def test_both_values_of_its_datasheet(change: float, detail: str, player: int) -> None:
    """A datasheet says M 20-35": on a table on which it could go farther 20" to 35" are offered, with -2" 18" to 33", and nothing else."""
    model = {"name": "Jet", "max": 1, "M": "20-35", "W": 12, "weapons": ["gun"]}
    sheet = raw_sheet("Jet", keywords=list(AIRCRAFT), role="Flyers", model=model)
    armies = [raw_army(raw_sheet("Watch"), sheet), raw_army(raw_sheet("Foe"))]
    loaded = w9.GAME.load("w9/only-war-patrol", {"armies": armies if player == 0 else armies[::-1], "detail": detail})
    row = 2 if player else 1
    rules = {"moves_normally": ({"unit": row, "inches": change},)} if change else {}
    spots = {"Watch": (4.0, 2.0), "Jet": (4.0, 15.0), "Foe": (40.0, 28.0)}
    battle = in_phase(loaded, "movement", spots, active=player, **rules)
    first = battle.units.first[row]
    battle.models.facing[first] = EAST
    pick(battle, "Jet", kind="select-to-move")
    pick(battle, "Normal move", kind="move-kind")
    choose(battle, "angle", 0)
    if kind(battle) == "aircraft-pivot-exactly":
        choose(battle, "angle", 0)
    found = []
    for slot in slots(battle, "number"):
        for exact in range(32) if detail == "full" else (None,):
            copy = battle.clone()
            choose(copy, "number", slot)
            if exact is not None and kind(copy) == "aircraft-distance-exactly" and exact in slots(copy, "number"):
                choose(copy, "number", exact)
            found.append(copy.models.x[first] - 4.0)
            assert copy.models.y[first] == pytest.approx(15)
    assert (min(found), max(found)) == pytest.approx((20 + change, 35 + change))


@pytest.mark.rule("w9.aircraft.minimum-move")
def test_the_distance_exactly() -> None:
    """Full detail refines the distances; none is below 20"."""
    battle, unit = flight(detail="full")
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    choose(battle, "angle", 0) if kind(battle) == "aircraft-pivot-exactly" else None
    assert kind(battle) == "aircraft-distance"
    choose(battle, "number", 0)
    assert kind(battle) == "aircraft-distance-exactly"
    inches = ahead(battle, unit)
    assert min(inches) == pytest.approx(20)
    assert max(inches) < 20 + 40 / 31
    choose(battle, "number", 1)
    assert battle.models.x[unit.first] - 10 == pytest.approx(20 + 40 / 31 / 32)


@pytest.mark.rule("w9.aircraft.supersonic")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("move", ["Normal move", "Advance"])
def test_it_pivots_first_by_up_to_90_degrees_and_flies_straight(move: str, player: int) -> None:
    """Heading 0: pivots from 90 degrees right to 90 left are offered, none beyond; then 30" straight on, and no pivot again."""
    battle, unit = flight((20, 10), size=(90, 90), player=player, foe=(88, 88))
    pick(battle, move)
    assert kind(battle) == "aircraft-pivot"
    assert (battle.models.x[unit.first], battle.models.y[unit.first]) == (20, 10)
    turns = []
    for slot in slots(battle, "angle"):
        copy = battle.clone()
        choose(copy, "angle", slot)
        turns.append(round(degrees((copy.models.facing[unit.first] + pi) % (2 * pi) - pi), 3))
    assert sorted(turns) == [15.0 * k for k in range(-6, 7)]
    choose(battle, "angle", 6)  # 90 degrees
    assert kind(battle) == "aircraft-distance"
    inches = ahead(battle, unit)
    assert any(abs(way - 30) < 1.5 for way in inches)
    assert min(inches) == pytest.approx(20 + battle.units.advance[unit])  # the pivot is no distance
    choose(battle, "number", slots(battle, "number")[5])
    assert battle.models.x[unit.first] == pytest.approx(20)
    assert battle.models.y[unit.first] > 30
    assert kind(battle) not in ("aircraft-pivot", "aircraft-distance")


@pytest.mark.rule("w9.aircraft.supersonic")
@pytest.mark.parametrize("player", [0, 1])
def test_it_pivots_over_a_model_beside_it_and_flies_on(player: int) -> None:
    """A friend 0.1" beside its hull forbids no pivot: only its last place must be free, and no invariant is broken."""
    battle, unit = flight((20, 10), size=(90, 90), player=player, foe=(88, 88), watch=(20, 11.73))
    pick(battle, "Normal move")
    choose(battle, "angle", 6)
    assert kind(battle) == "aircraft-distance"
    found = np.zeros(2, np.int64)
    assert model_fault(battle.models.rows, np.zeros(len(battle.units.rows), np.int8), 90.0, 90.0, -1, found) == OVERLAP
    assert Invariants(battle).after() == []
    choose(battle, "number", slots(battle, "number")[0])
    assert battle.models.y[unit.first] > 29
    assert model_fault(battle.models.rows, np.zeros(len(battle.units.rows), np.int8), 90.0, 90.0, -1, found) == FINE


@pytest.mark.rule("w9.aircraft.supersonic")
@pytest.mark.parametrize(("slot", "low", "high"), [(0, 0, 15), (5, 75, 90), (6, 90, 90), (18, -90, -75)])
def test_the_pivot_exactly(slot: int, low: float, high: float) -> None:
    """Full detail: between two of them, never above 90 degrees."""
    battle, unit = flight(detail="full", size=(90, 90), at=(40, 40))
    pick(battle, "Normal move")
    choose(battle, "angle", slot)
    turns = []
    for exact in slots(battle, "angle") if kind(battle) == "aircraft-pivot-exactly" else [None]:
        copy = battle.clone()
        if exact is not None:
            choose(copy, "angle", exact)
        turns.append(degrees((copy.models.facing[unit.first] + pi) % (2 * pi) - pi))
    assert min(turns) == pytest.approx(low)
    assert max(turns) <= high + 1e-6


@pytest.mark.rule("w9.aircraft.reserves.leave")
@pytest.mark.parametrize("player", [0, 1])
def test_it_may_fly_off_the_edge(player: int) -> None:
    """25" from the edge ahead with M 20-60": it may leave, with its passengers, at no cost, and is offered again in its
    player's next Reinforcements step, not in this turn."""
    battle, unit = flight((63, 22), player=player, passengers=3, cp=(2, 2), rules={"cp_each_command_phase": 0})
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    assert slots(battle, "number")  # it may as well stay
    pick(battle, "leave the battlefield")
    assert battle.units.place[unit] == RESERVE
    assert battle.units.place[unit.row + 1] == EMBARKED
    assert not battle.models.on_table[unit.first]
    assert battle.players.cp[player] == 2
    while battle.clock.turn[0] == player:
        assert kind(battle) != "select-reserves"
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    play_until(battle, "select-reserves")
    assert battle.decision is not None
    assert battle.decision.player == player
    assert battle.clock.round[0] == 2
    assert sorted(words(battle).values()) == ["Jet", "done"]  # it may wait


@pytest.mark.rule("w9.aircraft.reserves.leave")
def test_it_cannot_leave_where_its_way_stays_on_the_battlefield() -> None:
    """78" ahead of it with a maximum of 60": leaving is not offered; nor where Strategic Reserves are not in use."""
    battle, _ = flight((10, 22), size=(92, 44), foe=(90, 42))
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    assert "leave the battlefield" not in words(battle).values()
    battle, _ = flight((40, 22), rules={"strategic_reserves": False})
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    assert "leave the battlefield" not in words(battle).values()


@pytest.mark.rule("w9.aircraft.minimum-move.fail")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("in_use", [True, False])
def test_without_room_for_its_minimum_move(in_use: bool, player: int) -> None:
    """10" from the edge that it faces, its pivot declined: with Strategic Reserves in use it goes there, else it is destroyed
    with everybody in it."""
    battle, unit = flight((78, 22), player=player, passengers=3, rules={"strategic_reserves": in_use})
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    inside = unit.row + 1
    if in_use:
        assert (battle.units.place[unit], battle.units.place[inside]) == (RESERVE, EMBARKED)
        assert battle.units.alive[unit] == 1
    else:
        assert (battle.units.place[unit], battle.units.place[inside]) == (DESTROYED, DESTROYED)
        assert told(battle, "w9.aircraft.minimum-move.fail")
        assert battle.units.alive[inside] == 0


@pytest.mark.rule("w9.aircraft.minimum-move.fail", "w9.aircraft.minimum-move")
def test_it_turns_where_there_is_room() -> None:
    """The same AIRCRAFT that turns to fly along the edge stays: 20" of room are enough, 19.9" are not."""
    for y, stays in ((44 - 22.0, True), (44 - 21.9, False)):
        battle, unit = flight((78, y))
        pick(battle, "Normal move")
        choose(battle, "angle", 6)
        assert (kind(battle) == "aircraft-distance") == stays
        assert (battle.units.place[unit] == ON_TABLE) == stays


@pytest.mark.rule("w9.transport.destroyed.off-board")
@pytest.mark.parametrize("player", [0, 1])
def test_passengers_of_an_aircraft_that_is_lost_are_destroyed(player: int) -> None:
    """It cannot make its minimum move, Strategic Reserves are not in use: its passengers are destroyed with it, no die rolled."""
    battle, unit = flight((78, 22), player=player, passengers=6, rules={"strategic_reserves": False}, dice=[6])
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    assert battle.units.place[unit.row + 1] == DESTROYED
    assert not told(battle, "w9.transport.destroyed.roll")


@pytest.mark.rule("w9.aircraft.reserves.return")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_it_arrives_anywhere_more_than_nine_inches_from_enemies(detail: str, player: int) -> None:
    """Round 2: it may be set up in the middle of the battlefield, not within 9" of an enemy; another unit only by an edge."""
    scene = NinthScene()
    unit = scene.unit(player, jet(), reserves="strategic", models=1, least_move=20)
    scene.unit(player, sheet("Watch"), at=(3, 22), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(48, 22), models=1)
    battle = scene.battle(round=2, active=player, detail=detail)
    pick(battle, "Remain Stationary")
    pick(battle, "Jet", kind="select-reserves")
    if kind(battle) == "arrive-by":
        pick(battle, "away from enemies")
    if detail == "full":
        assert len(slots(battle, "angle")) == 24  # and any heading
        choose(battle, "angle", 0)
    places = [cell_place(battle, unit.row, cell) for cell in slots(battle, "cell")]
    assert any(abs(x - 30) < 2 and abs(y - 22) < 2 for x, y in places)
    half = 2.0 if detail == "full" else 1.0
    for x, y in places:
        dx, dy = max(0.0, abs(x - 48) - half), max(0.0, abs(y - 22) - (3.0 - half))
        assert hypot(dx, dy) - 0.5 > 9


@pytest.mark.rule("w9.aircraft.minimum-move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("formations", ["lists", "choose"])
def test_there_is_no_hover_mode(formations: str, player: int) -> None:
    """An AIRCRAFT with an ability that another edition plays as Hover is never asked about it and stays an AIRCRAFT with its two values of
    Move, whatever its list says; nothing of the kind is told."""
    scene = NinthScene(size=(90, 60))
    unit = scene.unit(player, jet(abilities={"hover": True}), place="deploy", models=1, least_move=20)
    scene.unit(player, sheet("Watch"), place="deploy")
    scene.unit(1 - player, sheet("Foe"), place="deploy")
    listed = scene.units[player][0]
    listed["mustered"] = replace(listed["mustered"], hover=True)
    battle = scene.battle("mission", rules={"formations": formations})
    while battle.decision is not None and battle.clock.round[0] == 0:
        assert kind(battle) != "hover-mode"
        battle.apply(battle.first_legal())
    assert battle.models.move[unit.first] == 60
    assert battle.models.keywords[unit.first] & int(Keyword.AIRCRAFT)
    assert not [event for event in battle.events if "Hover" in event.kind]
