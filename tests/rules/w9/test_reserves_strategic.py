"""Strategic Reserves: who may use them, what they cost, how much may be held back (w9.reserves.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import EMBARKED, ON_TABLE, RESERVE
from wh_env.testing import kind, pick, sheet, told, words

STRATEGIC = "Strategic Reserves"
DROP = {"deep_strike": True}
NO_CP = {"cp_each_command_phase": 0}  # so that what is left can be read later


def declaring(
    *powers: int, cp: int = 6, player: int = 0, forged: bool = True, half: bool = False, points: int = 100,
    fortress: bool = False, **fields: object,
) -> Battle:  # fmt: skip
    """The player declares Reserves for units of these Power Ratings; the last one is a Fortification where that is said."""
    scene = NinthScene()
    for number, power in enumerate(powers):
        keywords = ["FORTIFICATION"] if fortress and number == len(powers) - 1 else ["INFANTRY"]
        data = sheet(f"U{number}", keywords=keywords, **fields)  # type: ignore[arg-type]
        scene.unit(player, data, models=1, power=power, points=points, place="deploy")
    scene.unit(1 - player, sheet("Theirs", keywords=["FORTIFICATION"]), models=1, place="deploy")
    has_forged = tuple(forged or side != player for side in (0, 1))
    rules = {
        "formations": "choose",
        "first_player": player,
        "battle_forged": has_forged,
        "half_in_reserves": half,
        **NO_CP,
    }
    return scene.battle(phase="mission", cp=(cp, cp), rules=rules)


def place_all(battle: Battle, count: int) -> int:
    """Place up to so many units in Strategic Reserves and deploy the others; how many were offered it."""
    offers = placed = 0
    while kind(battle) == "reserves":
        offered = STRATEGIC in words(battle).values()
        offers += offered
        if offered and placed < count:
            pick(battle, STRATEGIC)
            placed += 1
        else:
            pick(battle, "deploy")
    return offers


@pytest.mark.rule("w9.reserves.strategic")
@pytest.mark.parametrize("player", [0, 1])
def test_any_unit_of_a_battle_forged_army_but_fortifications(player: int) -> None:
    """Eight units, one of them a Fortification: seven have the option; none has if the army is not Battle-forged."""
    battle = declaring(*[0] * 8, player=player, fortress=True)
    assert battle.decision is not None
    assert battle.decision.player == player
    assert sorted(words(battle).values()) == [STRATEGIC, "deploy"]
    assert place_all(battle, 0) == 7
    assert place_all(declaring(*[0] * 8, player=player, fortress=True, forged=False), 0) == 0


@pytest.mark.rule("w9.reserves.strategic")
def test_what_is_embarked_goes_with_its_transport_and_own_rules_may_be_used_instead() -> None:
    """A TRANSPORT in Strategic Reserves takes its passengers along; a unit with a rule of its own has both options."""
    scene = NinthScene()
    abilities = {"transport": {"capacity": 6, "allowed": ["INFANTRY"]}}
    bus = scene.unit(0, sheet("Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=abilities), models=1, place="deploy")
    inside = scene.unit(0, sheet("Inside"), models=5, place="deploy")
    drop = scene.unit(0, sheet("Drop", keywords=["BEAST"], abilities=DROP), models=1, place="deploy")
    scene.unit(1, sheet("Theirs"), models=1, place="deploy")
    battle = scene.battle(phase="mission", rules={"formations": "choose", "first_player": 0})
    pick(battle, "Bus", kind="start-embarked")
    pick(battle, STRATEGIC, kind="reserves")
    assert sorted(words(battle).values()) == ["Reserves (Deep Strike)", STRATEGIC, "deploy"]
    pick(battle, "Reserves (Deep Strike)")
    u = battle.units
    assert (u.place[bus], u.place[inside], u.place[drop]) == (RESERVE, EMBARKED, RESERVE)


@pytest.mark.rule("w9.reserves.strategic.cost")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("powers", "price"),
    [
        ((0,), 0),
        ((1,), 1),
        ((9,), 1),
        ((10,), 2),
        ((5, 6), 2),
        ((19,), 2),
        ((20,), 3),
        ((15, 15), 4),
        ((39,), 4),
        ((25, 20), 5),
    ],
)
def test_command_points_by_combined_power(powers: tuple[int, ...], price: int, player: int) -> None:
    """0: 0 CP, 1-9: 1, 10-19: 2, 20-29: 3, 30-39: 4, each further 10 one more."""
    battle = declaring(*powers, 0, player=player)
    before = battle.players.cp[player]
    assert place_all(battle, len(powers)) == len(powers) + 1
    assert sum(battle.units.place[unit] == RESERVE for unit in battle.units_of(player)) == len(powers)
    assert battle.players.cp[player] == before - price
    assert battle.players.cp[1 - player] == 6
    assert [e["cp"] for e in told(battle, "w9.reserves.strategic.cost")] == [price] * (price > 0)


@pytest.mark.rule("w9.reserves.strategic.cost")
def test_the_command_points_must_be_available() -> None:
    """Power 5 and 6 with 1 CP: the first may be placed there, then the second is refused; with 2 CP both may."""
    for cp, offers in ((0, 0), (1, 1), (2, 2)):
        battle = declaring(5, 6, cp=cp)
        assert place_all(battle, 2) == offers
        assert battle.players.cp[0] == 0


@pytest.mark.rule("w9.reserves.strategic.cost")
@pytest.mark.parametrize(("lists", "power"), [(True, 6), (False, 6), (True, 4)])
def test_the_power_of_what_is_embarked_counts(lists: bool, power: int) -> None:
    """A TRANSPORT of Power 5 with a unit of 6 costs 2 CP, with one of 4 it costs 1; taken from the army lists too."""
    scene = NinthScene()
    abilities = {"transport": {"capacity": 6, "allowed": ["INFANTRY"]}}
    data = sheet("Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=abilities)
    bus = scene.unit(0, data, models=1, place="deploy", power=5, **({"reserves": "strategic"} if lists else {}))  # type: ignore[arg-type]
    inside = scene.unit(0, sheet("Inside"), models=5, power=power, embarked_in=bus if lists else None, place="deploy")
    scene.unit(0, sheet("Rest"), models=1, place="deploy")
    scene.unit(1, sheet("Theirs"), models=1, place="deploy")
    rules = {"formations": "lists" if lists else "choose", "first_player": 0, **NO_CP}
    battle = scene.battle(phase="mission", cp=(6, 6), rules=rules)
    if not lists:
        pick(battle, "Bus", kind="start-embarked")
        pick(battle, "done", kind="start-embarked")
        pick(battle, STRATEGIC, kind="reserves")
        place_all(battle, 0)
    assert (battle.units.place[bus], battle.units.place[inside]) == (RESERVE, EMBARKED)
    assert battle.players.cp[0] == 6 - (2 if power == 6 else 1)


@pytest.mark.rule("w9.reserves.strategic.cost")
def test_an_army_list_pays_as_well() -> None:
    """Lists that place Power 11 there with 1 CP: the last unit is deployed instead and 1 CP is spent."""
    scene = NinthScene()
    kept = scene.unit(0, sheet("Kept"), models=1, power=5, reserves="strategic")
    other = scene.unit(0, sheet("Other"), models=1, power=6, reserves="strategic")
    scene.unit(1, sheet("Theirs"), models=1, place="deploy")
    battle = scene.battle(phase="mission", cp=(1, 0), rules={"first_player": 0})
    while battle.clock.round[0] == 0:
        battle.apply(battle.first_legal())
    assert (battle.units.place[kept], battle.units.place[other]) == (RESERVE, ON_TABLE)
    assert [e["cp"] for e in told(battle, "w9.reserves.strategic.cost") if "cp" in e] == [1]


@pytest.mark.rule("w9.reserves.fortifications")
@pytest.mark.parametrize("player", [0, 1])
def test_fortifications_are_never_placed_there(player: int) -> None:
    """6 CP, a Fortification of Power 4: nothing is asked for it and 6 CP remain; another unit of Power 4 has the option."""
    battle = declaring(4, player=player, fortress=True)
    assert kind(battle) != "reserves"
    assert battle.players.cp[player] == 6
    assert told(battle, "w9.reserves.strategic.cost") == []
    assert STRATEGIC in words(declaring(4, player=player)).values()


@pytest.mark.rule("w9.reserves.half-army")
@pytest.mark.parametrize("player", [0, 1])
def test_at_most_half_of_the_units_in_packs(player: int) -> None:
    """Ten units: a sixth is refused in a pack, in Only War all ten may be placed there; units with their own rule count."""
    assert place_all(declaring(*[0] * 10, player=player, half=True), 10) == 5
    assert place_all(declaring(*[0] * 10, player=player), 10) == 10
    battle = declaring(*[0] * 4, player=player, half=True, abilities=DROP)
    pick(battle, "Reserves (Deep Strike)")
    pick(battle, STRATEGIC)
    assert kind(battle) != "reserves"


@pytest.mark.rule("w9.reserves.half-army")
def test_at_most_half_of_the_points_and_passengers_count() -> None:
    """A unit of 300 points of 500 is refused; a TRANSPORT with its passengers counts as two units and their points."""
    scene = NinthScene()
    for name, points in (("Dear", 300), ("Cheap", 100), ("Last", 100)):
        scene.unit(0, sheet(name), models=1, points=points, place="deploy")
    scene.unit(1, sheet("Theirs", keywords=["FORTIFICATION"]), models=1, place="deploy")
    rules = {"formations": "choose", "half_in_reserves": True, "first_player": 0}
    battle = scene.battle(phase="mission", rules=rules)
    assert battle.decision is not None
    assert (kind(battle), battle.decision.subject) == ("reserves", 1)
    for embarked, offered in ((True, False), (False, True)):
        scene = NinthScene()
        abilities = {"transport": {"capacity": 6, "allowed": ["BEAST"]}}
        bus = scene.unit(0, sheet("Bus", keywords=("TRANSPORT",), abilities=abilities), models=1, place="deploy")
        scene.unit(0, sheet("Inside", keywords=["BEAST", "FORTIFICATION"]), models=1, place="deploy")
        scene.unit(0, sheet("Rest", keywords=["FORTIFICATION"]), models=1, place="deploy")
        scene.unit(1, sheet("Theirs", keywords=["FORTIFICATION"]), models=1, place="deploy")
        battle = scene.battle(phase="mission", rules=rules)
        pick(battle, "Bus" if embarked else "done", kind="start-embarked")
        assert (kind(battle) == "reserves") == offered
        assert not offered or (battle.decision is not None and battle.decision.subject == bus.row)


@pytest.mark.rule("w9.reserves.half-army")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("units", "most"), [(4, 2), (5, 2), (6, 3)])
def test_units_are_counted_where_points_say_nothing(units: int, most: int, player: int) -> None:
    """Units that cost nothing: half of them, rounded down, are placed in Reserves; the option is gone then."""
    battle = declaring(*[0] * units, player=player, half=True, points=0)
    place_all(battle, units)
    waiting = [u for u in battle.units_of(player) if battle.units.place[u] == RESERVE]
    assert len(waiting) == most
