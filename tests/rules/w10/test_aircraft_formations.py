"""AIRCRAFT before the battle: Reserves, Hover mode, what is embarked in them (w10.aircraft.reserves, .transport, .hover.*)."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import pytest

from wh_env import Battle
from wh_env.content.w10 import army_faults, load_army, load_datasheet
from wh_env.core.tables import EMBARKED, ON_TABLE, RESERVE
from wh_env.testing import Scene, UnitHandle, choose, melee, pick, play_until, sheet, slots, told, words

AIRCRAFT = ("VEHICLE", "AIRCRAFT", "FLY")
STRIKE_FORCE = 500  # points in Strategic Reserves


def jet(name: str = "Jet", points: int = 200, hover: bool = False, **fields: object) -> dict[str, object]:
    abilities = {"hover": hover, **fields.pop("abilities", {})}  # type: ignore[dict-item]
    keywords = fields.pop("keywords", AIRCRAFT)
    return sheet(
        name, M=20, hull_in=(4, 2), W=10, models=(1, 1), keywords=keywords, points=points, abilities=abilities, **fields
    )  # type: ignore[arg-type]


def declared(battle: Battle) -> list[tuple[str, int]]:
    """Kinds and subjects of the decisions of player 0 until the formations are revealed; the first option is taken."""
    found = []
    while battle.decision is not None and not battle.players.ready[0]:
        found.append((battle.decision.kind, battle.decision.subject))
        battle.apply(battle.first_legal())
    return found


def formations(scene: Scene, limit: int = STRIKE_FORCE, **rules: object) -> Battle:
    """The battle from Declare Battle Formations on."""
    return scene.battle(
        "mission", rules={"formations": "choose", "strategic_reserves_points": limit, "first_player": 0, **rules}
    )


def field() -> Scene:
    return Scene(size=(60, 60))


@pytest.mark.rule("w10.aircraft.reserves")
def test_aircraft_start_in_reserves_whatever_the_player_wants() -> None:
    """Nothing is asked about it; it cannot arrive in round 1 and can from round 2, like Strategic Reserves."""
    scene = field()
    air = scene.unit(0, jet())
    scene.unit(0, sheet("Squad"), models=1)
    foes = scene.unit(1, sheet("Foes"), models=1)
    battle = formations(scene)
    assert (("reserves", air.row) in declared(battle)) is False
    assert (battle.units.place[air], battle.units.alive[air]) == (RESERVE, 1)
    while battle.clock.round[0] < 2:
        assert battle.decision is not None
        assert battle.decision.kind not in ("select-reserves", "arrive-by")
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.place[air] == RESERVE
    play_until(battle, "select-reserves")
    assert (battle.clock.round[0], battle.clock.turn[0]) == (2, 0)
    assert slots(battle, "done") == [0]  # it may wait
    choose(battle, "own", air.number)
    for option in slots(battle, "option"):
        by = battle.clone()
        choose(by, "option", option)
        for cell in slots(by, "cell")[::5]:
            copy = by.clone()
            choose(copy, "cell", cell)
            x, y, f = copy.models.x[air.first], copy.models.y[air.first], copy.models.facing[air.first]
            dx, dy = (2.0, 1.0) if abs(f) < 0.1 or abs(abs(f) - pi) < 0.1 else (1.0, 2.0)
            assert min(x + dx, 60 - x + dx, y + dy, 60 - y + dy) <= 6.0001
            assert copy.distance(air, foes) > 9.0
    pick(battle, "by the near edge, facing inwards")
    choose(battle, "cell", slots(battle, "cell")[0])
    assert battle.units.place[air] == ON_TABLE


@pytest.mark.rule("w10.aircraft.reserves")
def test_with_formations_of_the_lists_too() -> None:
    scene = field()
    air = scene.unit(0, jet())
    scene.unit(0, sheet("Squad"), models=1)
    scene.unit(1, sheet("Foes"), models=1)
    battle = scene.battle("mission")
    assert battle.units.place[air] == RESERVE
    for slot in slots(battle, "own"):
        assert slot != air.number  # it is not deployed


@pytest.mark.rule("w10.aircraft.reserves.points")
@pytest.mark.parametrize(("points", "offered"), [(500, True), (501, False)])
def test_aircraft_do_not_count_towards_the_limit(points: int, offered: bool) -> None:
    """Strike Force: 500 points in Strategic Reserves beside an AIRCRAFT of 200 are legal, 501 are not."""
    scene = field()
    air = scene.unit(0, jet(points=200))
    squad = scene.unit(0, sheet("Squad", points=points), models=1, points=points)
    scene.unit(0, sheet("Rest"), models=1)
    scene.unit(1, sheet("Foes"), models=1)
    battle = formations(scene)
    seen = {}
    while battle.decision is not None and not battle.players.ready[0]:
        seen[battle.decision.subject] = list(words(battle).values())
        wanted = [a for a, w in words(battle).items() if w == "Strategic Reserves"]
        battle.apply(wanted[0] if wanted and battle.decision.subject == squad.row else battle.first_legal())
    assert ("Strategic Reserves" in seen.get(squad.row, [])) == offered
    assert (battle.units.place[squad] == RESERVE) == offered
    assert battle.units.place[air] == RESERVE


FLEET = {
    s.name: s
    for s in (
        load_datasheet(jet("Jet", 200)),
        load_datasheet(jet("Hoverjet", 180, hover=True)),
        load_datasheet(
            jet(
                "Carrier",
                keywords=(*AIRCRAFT, "TRANSPORT"),
                abilities={"transport": {"capacity": 12, "allowed": ["INFANTRY"]}},
            )
        ),
        load_datasheet(sheet("Hero", keywords=("INFANTRY", "CHARACTER"), points=100, models=(1, 1))),
        load_datasheet(sheet("Divers", points=150, models=(1, 1), abilities={"deep_strike": True})),
        *(load_datasheet(sheet(f"P{n}", points=n, models=(1, 1))) for n in (150, 351, 350, 500, 501)),
    )
}


def faults(*units: dict[str, object] | str, limit: int = 2000) -> list[str]:
    """What is wrong with an army of a Hero and these units."""
    rows = [{"datasheet": unit} if isinstance(unit, str) else unit for unit in units]
    data = {
        "name": "test",
        "faction": "Testers",
        "detachment": "Any",
        "units": [{"datasheet": "Hero", "warlord": True}, *rows],
    }
    return [str(fault) for fault in army_faults(load_army(data), FLEET, None, limit)]


@pytest.mark.rule("w10.aircraft.reserves.points")
def test_army_lists_do_not_count_them_either() -> None:
    """500 points in Strategic Reserves and an AIRCRAFT of 200: legal, whether or not the list says that it is in Reserves."""
    strategic = {"datasheet": "P500", "reserves": "strategic"}
    assert faults(strategic, "Jet") == []
    assert faults(strategic, {"datasheet": "Jet", "reserves": "strategic"}) == []
    assert len(faults({"datasheet": "P501", "reserves": "strategic"}, "Jet")) == 1
    # in Hover mode it is an ordinary unit
    assert len(faults(strategic, {"datasheet": "Hoverjet", "reserves": "strategic", "hover": True})) == 1
    assert len(faults({"datasheet": "Jet", "hover": True})) == 1  # it has no Hover


def carrying(cargo: dict[str, object], points: int, limit: int = STRIKE_FORCE) -> tuple[Battle, UnitHandle, UnitHandle]:
    """The declaration of an AIRCRAFT TRANSPORT, a unit that could start in it and one of 350 points."""
    scene = field()
    data = jet(
        "Carrier",
        keywords=(*AIRCRAFT, "TRANSPORT"),
        abilities={"transport": {"capacity": 12, "allowed": ["INFANTRY"]}},
    )
    carrier = scene.unit(0, data)
    inside = scene.unit(0, cargo, models=1, points=points)
    scene.unit(0, sheet("Others", keywords=["VEHICLE"]), models=1, points=350)
    scene.unit(0, sheet("More", keywords=["VEHICLE"]), models=1, points=1)
    scene.unit(0, sheet("Rest", keywords=["VEHICLE"]), models=1)
    scene.unit(1, sheet("Foes", keywords=["VEHICLE"]), models=1)
    return formations(scene, limit), carrier, inside


@pytest.mark.rule("w10.aircraft.transport")
def test_a_unit_embarked_in_an_aircraft_uses_up_strategic_reserves() -> None:
    """150 points embarked: of the 500 points 350 are left, so 350 more may go and 1 more after those may not."""
    battle, carrier, inside = carrying(sheet("Cargo"), 150)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("start-embarked", inside.row)
    pick(battle, "Carrier")
    asked = []
    while battle.decision is not None and not battle.players.ready[0]:
        subject = battle.setup.names["units"][battle.decision.subject]
        asked.append((battle.decision.kind, subject))
        into = [a for a, w in words(battle).items() if w == "Strategic Reserves"]
        battle.apply(into[0] if into and subject == "Others" else battle.first_legal())
    assert asked == [("reserves", "Others")]  # nothing is left for 1 point more, and the cargo is in Reserves already
    assert (battle.units.place[inside], battle.units.carrier[inside]) == (EMBARKED, carrier.row)
    assert battle.units.reserve[inside] == 2


@pytest.mark.rule("w10.aircraft.transport")
def test_by_deep_strike_it_uses_up_none() -> None:
    battle, _, inside = carrying(sheet("Cargo", abilities={"deep_strike": True}), 150)
    pick(battle, "Carrier", kind="start-embarked")
    asked = []
    while battle.decision is not None and not battle.players.ready[0]:
        subject = battle.setup.names["units"][battle.decision.subject]
        asked.append((battle.decision.kind, subject))
        into = [a for a, w in words(battle).items() if w == "Strategic Reserves"]
        battle.apply(into[0] if into and subject == "Others" else battle.first_legal())
    assert asked == [("reserves", "Others"), ("reserves", "More"), ("reserves", "Rest")]
    assert battle.units.reserve[inside] == 1


@pytest.mark.rule("w10.aircraft.transport")
def test_what_cannot_be_in_reserves_cannot_be_embarked() -> None:
    """149 points of Strategic Reserves for a unit of 150: it cannot start in the AIRCRAFT; with 150 it can."""
    for limit, asked in ((149, False), (150, True)):
        battle, _, inside = carrying(sheet("Cargo"), 150, limit)
        assert battle.decision is not None
        assert ((battle.decision.kind, battle.decision.subject) == ("start-embarked", inside.row)) == asked


@pytest.mark.rule("w10.aircraft.transport")
def test_army_lists_must_say_how_it_is_in_reserves() -> None:
    """The unit in the AIRCRAFT is refused unless it is declared in Reserves too, and its 150 points count."""
    carrier = {"datasheet": "Carrier", "id": "c"}
    cargo = {"datasheet": "P150", "embarked_in": "c"}
    assert len(faults(carrier, cargo)) == 1
    assert "reserves" in faults(carrier, cargo)[0]
    assert faults(carrier, {**cargo, "reserves": "strategic"}) == []
    assert faults(carrier, {**cargo, "reserves": "strategic"}, {"datasheet": "P350", "reserves": "strategic"}) == []
    assert len(faults(carrier, {**cargo, "reserves": "strategic"}, {"datasheet": "P351", "reserves": "strategic"})) == 1
    diver = {"datasheet": "Divers", "embarked_in": "c", "reserves": "deep-strike"}
    assert faults(carrier, diver, {"datasheet": "P351", "reserves": "strategic"}) == []


@pytest.mark.rule("w10.aircraft.hover.declare")
def test_hover_mode_is_declared_first_and_for_good() -> None:
    """Before Leaders, Transports and Reserves; two options; it is never asked again."""
    scene = field()
    leader = scene.unit(
        0, sheet("Boss", keywords=("INFANTRY", "CHARACTER"), models=(1, 1), abilities={"leader": ["Squad"]})
    )
    squad = scene.unit(0, sheet("Squad", models=(1, 5)), models=2)
    air = scene.unit(0, jet(hover=True))
    bus = sheet(
        "Bus", keywords=("VEHICLE", "TRANSPORT"), abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"]}}
    )
    scene.unit(0, bus, models=1)
    scene.unit(1, sheet("Foes"), models=1)
    battle = formations(scene)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("hover-mode", air.row)
    assert list(words(battle).values()) == ["no Hover mode", "Hover mode"]
    kinds = [kind for kind, _ in declared(battle)]
    assert kinds[0] == "hover-mode"
    assert kinds.count("hover-mode") == 1
    assert kinds.index("attach-leader") > 0
    assert kinds.index("attach-leader") < kinds.index("start-embarked") < kinds.index("reserves")
    assert (leader.row, squad.row) == (0, 1)
    while battle.decision is not None:
        assert battle.decision.kind != "hover-mode"
        battle.apply(0 if battle.legal()[0] else battle.first_legal())


@pytest.mark.rule("w10.aircraft.hover.declare")
def test_without_hover_nothing_is_asked() -> None:
    scene = field()
    scene.unit(0, jet())
    scene.unit(0, sheet("Squad"), models=1)
    scene.unit(1, sheet("Foes"), models=1)
    assert "hover-mode" not in [kind for kind, _ in declared(formations(scene))]


def hovering(
    at: tuple[float, float] = (30, 30), phase: str = "movement", **options: object
) -> tuple[Battle, UnitHandle]:
    """A model in Hover mode on the battlefield, an enemy model 1.5" or more away."""
    from wh_env.rulesets.w40k.deploy.formations import hover

    scene = field()
    air = scene.unit(0, jet(hover=True, weapons={"hull": melee(2)}), at=at, facing=pi / 2)
    scene.unit(1, sheet("Foes", W=5), at=options.pop("foes", (5, 55)), models=1)  # type: ignore[arg-type]
    return scene.battle(phase, set_state=lambda battle: hover(battle, air.row), **options), air  # type: ignore[arg-type]


@pytest.mark.rule("w10.aircraft.hover.effect")
def test_in_hover_mode_it_moves_like_a_vehicle() -> None:
    """Move 20" in any direction, Remain Stationary, Normal move and Advance; next to an enemy it may Fall Back."""
    battle, air = hovering()
    assert [w.removeprefix("Jet: ") for w in words(battle).values()] == ["Remain Stationary", "Normal move", "Advance"]
    assert battle.models.move[air.first] == 20.0
    pick(battle, "Normal move")
    grid, step = battle.setup.space.grid, 40 / (battle.setup.space.grid - 1)
    offered = {((c % grid - 8) * step, (c // grid - 8) * step) for c in slots(battle, "cell")}
    assert {(20.0, 0.0), (-20.0, 0.0), (0.0, 20.0), (0.0, -20.0), (2.5, 0.0)} <= offered
    assert all(dx * dx + dy * dy <= 400.001 for dx, dy in offered)
    battle, air = hovering(foes=(32, 30))
    assert battle.distance(air, 1) == pytest.approx(0.5)
    assert [w.removeprefix("Jet: ") for w in words(battle).values()] == ["Remain Stationary", "Fall Back"]


@pytest.mark.rule("w10.aircraft.hover.effect")
def test_in_hover_mode_it_charges_and_fights() -> None:
    """It may charge, pile in, and fight units without FLY."""
    battle, air = hovering(phase="charge", foes=(35, 30), dice=[3, 4, 6, 6])
    assert slots(battle, "own") == [air.number]
    choose(battle, "own", air.number)
    assert told(battle, "w10.charge.move") == [{"unit": air.row}]
    battle, air = hovering(phase="fight", foes=(31.9, 30), dice=[1, 1])
    while battle.decision is not None and battle.clock.turn[0] == 0:
        battle.apply(battle.first_legal())
    assert [e["target"] for e in told(battle, "w10.attack.hit.roll")] == [1, 1]


@pytest.mark.rule("w10.aircraft.hover.effect")
def test_declared_in_play_it_lasts() -> None:
    """Hover mode chosen at Declare Battle Formations: no AIRCRAFT from then on, with its other keywords."""
    for words_, move, is_aircraft in (("Hover mode", 20.0, False), ("no Hover mode", 20.0, True)):
        scene = field()
        air = scene.unit(0, jet(hover=True))
        scene.unit(0, sheet("Squad"), models=1)
        scene.unit(1, sheet("Foes"), models=1)
        battle = formations(scene, 0)
        pick(battle, words_)
        bits = battle.setup.statics["keyword_bits"]
        for keywords in (battle.units.keywords[air], battle.models.keywords[air.first]):
            assert bool(keywords & bits["AIRCRAFT"]) == is_aircraft
            assert keywords & bits["FLY"]
            assert keywords & bits["VEHICLE"]
        assert battle.models.move[air.first] == move
        declared(battle)
        assert (battle.units.place[air] == RESERVE) == is_aircraft


@pytest.mark.rule("w10.aircraft.hover.deployment")
@pytest.mark.parametrize(("points", "offered"), [(180, True), (250, True), (251, False)])
def test_in_hover_mode_it_is_deployed_or_in_strategic_reserves(points: int, offered: bool) -> None:
    """Incursion: deployed, or in Strategic Reserves using 180 of the 250 points; 251 points do not fit."""
    scene = field()
    air = scene.unit(0, jet(hover=True), points=points)
    other = scene.unit(0, sheet("Squad"), models=1, points=71)
    scene.unit(1, sheet("Foes"), models=1)
    battle = formations(scene, 250)
    pick(battle, "Hover mode")
    if not offered:
        assert battle.decision is not None
        assert battle.decision.subject != air.row
        declared(battle)
        assert battle.units.place[air] != RESERVE
        return
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("reserves", air.row)
    assert list(words(battle).values()) == ["deploy", "Strategic Reserves"]
    deployed = battle.clone()
    pick(deployed, "deploy")
    assert ("reserves", other.row) in declared(deployed)
    play_until(deployed, "select-to-move")
    assert deployed.units.place[air] == ON_TABLE
    pick(battle, "Strategic Reserves")
    assert battle.units.place[air] == RESERVE
    # 71 points more would be 251
    assert ("reserves", other.row) not in declared(battle)


@pytest.mark.rule("w10.aircraft.hover.deployment")
def test_army_lists_declare_hover_mode() -> None:
    """``hover: true`` in the list: it is deployed like any other unit."""
    army = {
        "name": "A", "faction": "Testers", "detachment": "Any",
        "units": [{"datasheet": "Hero", "warlord": True}, {"datasheet": "Hoverjet", "hover": True}],
    }  # fmt: skip
    assert army_faults(load_army(army), FLEET, None, 1000) == []
    scene = field()
    air = scene.unit(0, jet(hover=True))
    scene.unit(1, sheet("Foes"), models=1)
    scene.units[0][0]["mustered"] = replace(scene.units[0][0]["mustered"], hover=True)
    battle = scene.battle("mission")
    assert battle.decision is not None
    assert battle.decision.kind == "deploy-to"
    choose(battle, "cell", slots(battle, "cell")[0])
    assert battle.units.place[air] == ON_TABLE
