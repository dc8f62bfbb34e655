"""How far units have moved, AIRCRAFT at the edge, and units that no power affects, in moves and attacks as they are played (w9.glossary.*)."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.move.moved import MOVED_OVER
from wh_env.rulesets.w40k.deploy.places import cell_place
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.testing import UnitHandle, choose, kind, melee, pick, ranged, sheet, slots, told
from wh_env.testing.moves import walk

QUIET = {"cp_each_command_phase": 0}
BLESSING = PsychicPower("Blessing", 5, "+1 to hit", Affects.FRIEND, 24)


def counted(
    at: list[tuple[float, float]], inches: float, player: int, detail: str, wall: bool = False, **fields: Any
) -> tuple[Battle, UnitHandle]:
    """A unit whose player gains a Command point when it moves so far, selected to make a Normal Move."""
    scene = NinthScene()
    if wall:
        scene.box(21.4, 18.5, 21.6, 21.5, 9)
    squad = scene.unit(player, sheet("Squad", **fields), at=at, models=len(at), facing=0.0)
    scene.unit(player, sheet("Watch"), at=(50, 3), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(55, 40), models=1)
    row = {"unit": squad.row, "inches": inches, "effect": "cp", "amount": 1}
    battle = scene.battle(detail=detail, active=player, rules={"moved": (row,), **QUIET})
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    return battle, squad


@pytest.mark.rule("w9.glossary.moves-x.requirement", "w9.glossary.moves-x.trigger")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("inches", "met"), [(6.0, False), (3.1, False), (2.9, True)])
def test_a_bent_way_counts_from_its_start_to_its_end(inches: float, met: bool, player: int) -> None:
    """A wall stands between the start and the end, which are 3" apart: the model, M 12", travels more than 5" and has moved 3"."""
    battle, squad = counted([(20, 20)], inches, player, "full", wall=True, M=12)
    x, y = walk(battle, 0, 23, 20)
    assert hypot(x - 20, y - 20) == pytest.approx(3.0, abs=0.09)
    if kind(battle) == "select-model":
        pick(battle, "end the move")
    assert battle.players.cp[player] == met
    assert battle.units.place[squad] == ON_TABLE


@pytest.mark.rule("w9.glossary.moves-x.requirement", "w9.glossary.moves-x.trigger")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("short", [False, True])
def test_each_of_five_models_has_to(short: bool, player: int) -> None:
    """Five models of M 6": all end 6.0" from their start, or the third one 5.9"."""
    battle, squad = counted([(20, 20 + 1.5 * k) for k in range(5)], 6.0 if not short else 5.99, player, "full")
    for k in range(5):
        far = 5.9 if short and k == 2 else 6.0
        x, _ = walk(battle, k, 20 + far, 20 + 1.5 * k)
        assert x - 20 == pytest.approx(far, abs=0.05)
    if kind(battle) == "select-model":
        pick(battle, "end the move")
    away = [battle.models.x[squad.model(k)] - 20 for k in range(5)]
    assert (min(away) < 5.99) == short
    assert battle.players.cp[player] == (not short)


@pytest.mark.rule("w9.glossary.moves-x.part")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("hull", "turn", "ahead", "inches", "met"), [
    (True, 12, 0.0, 1.0, False), (True, 0, 2.5, 2.5, True), (True, 12, 2.5, 1.0, False), (True, 12, 10.0, 3.9, True),
    (True, 12, 10.0, 4.1, False), (False, 0, 2.5, 2.5, True),
])  # fmt: skip
def test_turning_a_hull_is_no_distance(
    hull: bool, turn: int, ahead: float, inches: float, met: bool, player: int
) -> None:
    """A hull of 6" by 2" that turns by 180 degrees about its centre has not moved 1"; one that goes 2.5" ahead has moved so far; of one that
    does both a part ends where it was; of one that turns and goes 10" ahead the nose has moved 4"; a round base moves as its centre does."""
    base: dict[str, Any] = {"hull_in": (6, 2)} if hull else {"base_mm": 50.8}
    battle, squad = counted([(20, 20)], inches, player, "full", M=20, keywords=("VEHICLE",), models=(1, 1), **base)
    if hull:
        walk(battle, 0, 20 + ahead, 20, facing=turn)
    else:
        walk(battle, 0, 20 + ahead, 20)
    if kind(battle) == "select-model":
        pick(battle, "end the move")
    assert battle.models.x[squad.first] == pytest.approx(20 + ahead, abs=0.1)
    assert battle.players.cp[player] == met


@pytest.mark.rule("w9.rare.edge-abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("x", "inches", "hurt"), [(30, 20, True), (30, 28, True), (30, 28.1, False), (48, 20, False)])
def test_its_move_is_as_long_as_the_way_to_the_edge(x: float, inches: float, hurt: bool, player: int) -> None:
    """An AIRCRAFT whose nose is 28", or 10", from the edge leaves: a rule about moves of 20" or 28" is resolved if it came so far. It costs
    the one unit that it moved over, beyond the edge of whose way there is another, D3 mortal wounds."""
    scene = NinthScene(size=(60, 44))
    keywords = ("VEHICLE", "AIRCRAFT", "FLY")
    jet = sheet("Jet", M=60, hull_in=(4, 2), height=3, W=10, models=(1, 1), keywords=keywords)
    plane = scene.unit(player, jet, at=(x, 22), facing=0.0, least_move=20)
    scene.unit(player, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1 - player, sheet("B2", W=5), at=(52, 19), models=1)
    under = scene.unit(1 - player, sheet("B1", W=5), at=(54, 22.5), models=1)
    row = {"unit": plane.row, "inches": inches, "effect": "mortal", "amount": "D3", "on": MOVED_OVER}
    battle = scene.battle(active=player, dice=[6], rules={"moved": (row,)})
    pick(battle, "Jet", kind="select-to-move")
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    if kind(battle) == "aircraft-distance":
        pick(battle, "leave the battlefield")
    assert battle.units.place[plane] == RESERVE
    assert battle.models.wounds[under.first] == (2 if hurt else 5)
    assert battle.models.wounds[under.first - 1] == 5


@pytest.mark.rule("w9.aircraft.reserves.return")
@pytest.mark.parametrize("player", [0, 1])
def test_where_it_comes_back(player: int) -> None:
    """Full detail, round 2: places are offered up to just above 9" from an enemy, none at 9" or nearer; set up there it stands in the
    middle of the battlefield. A unit on foot arrives by an edge; in round 1 neither arrives."""
    scene = NinthScene()
    disc = sheet("Jet", M=60, base_mm=50.8, height=3, W=10, models=(1, 1), keywords=("VEHICLE", "AIRCRAFT", "FLY"))
    plane = scene.unit(player, disc, reserves="strategic", models=1, least_move=20)
    walker = scene.unit(player, sheet("Walkers"), reserves="strategic", models=1)
    scene.unit(player, sheet("Watch"), at=(3, 22), models=1)
    foe = scene.unit(1 - player, sheet("Foe"), at=(40, 22), models=1)
    early = scene.battle(active=player, detail="full")
    pick(early, "Remain Stationary")
    assert kind(early) != "select-reserves"
    battle = scene.battle(round=2, active=player, detail="full")
    pick(battle, "Remain Stationary")
    on_foot = battle.clone()
    pick(battle, "Jet", kind="select-reserves")
    arriving(battle)
    cells = [(cell, *cell_place(battle, plane.row, cell)) for cell in slots(battle, "cell")]
    assert any(hypot(x - 26, y - 22) < 3 for _, x, y in cells)
    beside = min(cells, key=lambda cell: hypot(cell[1] - 40, cell[2] - 22))[0]
    choose(battle, "cell", beside)
    assert kind(battle) == "place-exactly"
    gaps = []
    for action in battle.decision.options if battle.decision else ():
        end = battle.clone()
        end.apply(action)
        assert end.units.place[plane] == ON_TABLE
        gaps.append(end.distance(plane.row, foe.row))
    assert 9.0 < min(gaps) < 9.15
    pick(on_foot, "Walkers", kind="select-reserves")
    arriving(on_foot)
    places = [cell_place(on_foot, walker.row, cell) for cell in slots(on_foot, "cell")]
    assert places
    assert all(min(x, y, 60 - x, 44 - y) <= 6.5 for x, y in places)


def arriving(battle: Battle) -> None:
    """Not by its own edge; then answer what is asked before the place."""
    if kind(battle) == "arrive-by":
        pick(battle, "away from enemies")
    while kind(battle) in ("place-facing", "place-level"):
        battle.apply(battle.first_legal())
    assert kind(battle) == "place-model"


@pytest.mark.rule("w9.glossary.unaffected-by-powers.attacks")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("what", ["shoots", "fights"])
@pytest.mark.parametrize("untouched", [True, False])
def test_powers_on_attackers_count_against_others_only(untouched: bool, what: str, detail: str, active: int) -> None:
    """A unit of BS and WS 4+ under a Blessing that adds 1: 3s miss a unit that no power affects and hit another one, in the Shooting phase
    and in the Fight phase."""
    scene = NinthScene()
    psyker = sheet("Caster", W=9, keywords=("INFANTRY", "CHARACTER", "PSYKER"))
    scene.unit(active, psyker, at=(10, 22), psychic=PsychicProfile(1, 0, (BLESSING,)))
    arms: dict[str, Any] = {"gun": ranged(24, A=2, BS=4, S=9)} if what == "shoots" else {"axe": melee(A=2, WS=4, S=9)}
    gap = 8.0 if what == "shoots" else 0.5
    scene.unit(active, sheet("Killers", W=9, weapons=arms), at=(20, 22), models=1)
    profile = PsychicProfile(unaffected=untouched)
    foe = scene.unit(1 - active, sheet("Foe", W=9, Sv=7), at=(21 + gap, 22), models=1, psychic=profile)
    battle = scene.battle("psychic", active=active, dice=[3] * 60, detail=detail, rules=QUIET)
    pick(battle, "Caster")
    pick(battle, "Blessing (5+)")
    pick(battle, "Blessing: Killers")
    last = Phase.SHOOTING if what == "shoots" else Phase.FIGHT
    while battle.decision is not None and battle.clock.turn[0] == active and battle.clock.phase[0] <= last:
        stays = kind(battle) in ("select-to-charge", "pile-in", "consolidate")
        battle.apply(battle.decision.options[0 if stays else -1])
    assert [e["result"] for e in told(battle, "w9.attack.hit") if e["target"] == foe.row] == [0 if untouched else 1] * 2
    assert 9 - battle.models.wounds[foe.first] == (0 if untouched else 2)
