"""Only War: markers, deployment zones, victory points and victory (w9.mission.only-war.*)."""

from __future__ import annotations

from itertools import combinations
from math import hypot

import pytest
from classic import battle_of, raw_army, raw_sheet
from ninth import NinthScene

from wh_env.content import w9
from wh_env.core.tables import DESTROYED, EMBARKED, RESERVE
from wh_env.rulesets.w40k.deploy.markers import marker_allowed
from wh_env.testing import choose, dice_left, kind, pick, ranged, sheet, slots, told

DIAMETER = 40 / 25.4
PRIMARY, BONUS, SLAY = (f"w9.mission.only-war.{name}" for name in ("primary", "bonus", "slay"))

# ---------------------------------------------------------------- markers


def placing(dice, size=(60, 44)):
    scene = NinthScene(size=size)
    scene.unit(0, sheet("A"))
    scene.unit(1, sheet("B"))
    return scene.battle("mission", dice=dice, rules={"players_place_markers": 4})


@pytest.mark.rule("w9.mission.only-war.setup")
@pytest.mark.parametrize(("dice", "first"), [([5, 2], 0), ([2, 2, 1, 6], 1)])
def test_the_players_alternate_from_the_winner_of_a_roll_off_until_four_are_placed(dice, first):
    battle = placing(dice)
    assert dice_left(battle) == 0
    asked = []
    while kind(battle) == "place-marker":
        asked.append(battle.decision.player)
        battle.apply(battle.first_legal())
    assert asked == [first, 1 - first, first, 1 - first]
    assert kind(battle) != "place-marker"
    places = [event["place"] for event in told(battle, "w9.mission.only-war.setup") if "place" in event]
    assert len(places) == 4
    assert all(min(x, y, 60 - x, 44 - y) - DIAMETER / 2 > 6 for x, y in places)
    assert all(hypot(a[0] - b[0], a[1] - b[1]) - DIAMETER > 9 for a, b in combinations(places, 2))


@pytest.mark.rule("w9.mission.only-war.setup")
@pytest.mark.parametrize(
    ("place", "allowed"),
    [
        ((22, 38), False),  # 6.4" from the first marker, edge to edge
        ((22, 42), True),  # 10.4"
        ((22, 30 + 9 + DIAMETER - 0.01), False),
        ((22, 30 + 9 + DIAMETER + 0.01), True),
        ((6 + DIAMETER / 2 - 0.01, 30), False),
        ((6 + DIAMETER / 2 + 0.01, 30), True),
        ((22, 60 - 6 - DIAMETER / 2 + 0.01), False),
    ],
)
def test_no_marker_near_another_or_an_edge(place, allowed):
    """A battlefield of 44" by 60", the first marker in its middle."""
    battle = placing([6, 1], size=(44, 60))
    battle.objectives.x[0], battle.objectives.y[0], battle.objectives.placed[0] = 22, 30, 1
    assert marker_allowed(battle, *place) is allowed


@pytest.mark.rule("w9.mission.only-war.setup")
def test_a_place_too_near_is_not_offered():
    battle = placing([6, 1])
    grid, middle = battle.setup.space.grid, 8 * 17 + 8
    choose(battle, "cell", middle)
    cells = slots(battle, "cell")
    for cell in cells:
        x, y = (cell % grid + 0.5) * 60 / grid, (cell // grid + 0.5) * 44 / grid
        assert hypot(x - 30, y - 22) - DIAMETER > 9
    assert middle not in cells


# ---------------------------------------------------------------- deployment zones


def zones(dice, zone=None):
    scene = NinthScene()
    scene.unit(0, sheet("A"))
    scene.unit(1, sheet("B"))
    battle = scene.battle("mission", attacker=None, dice=dice)
    if zone is not None:
        choose(battle, "option", zone)
    return battle


@pytest.mark.rule("w9.mission.only-war.zones")
@pytest.mark.parametrize(("dice", "winner"), [([5, 2], 0), ([2, 5], 1), ([3, 3, 2, 5], 1)])
@pytest.mark.parametrize("zone", [0, 1])
def test_the_winner_chooses_a_zone_and_the_other_player_deploys_first(dice, winner, zone):
    battle = zones(dice)
    assert (kind(battle), battle.decision.player) == ("choose-zone", winner)
    assert slots(battle, "option") == [0, 1]
    assert dice_left(battle) == 0
    choose(battle, "option", zone)
    assert (kind(battle), battle.decision.player) == ("deploy-to", 1 - winner)
    battle.apply(battle.first_legal())
    assert (kind(battle), battle.decision.player) == ("deploy-to", winner)
    battle.apply(battle.first_legal())
    y = [battle.models.y[k] for k in (0, 1)]
    low = winner if zone == 0 else 1 - winner
    assert y[low] <= 9.5
    assert y[1 - low] >= 34.5


@pytest.mark.rule("w9.mission.only-war.zones")
def test_zones_of_the_mission_are_ten_inches_deep_along_the_long_edges():
    """A battlefield of 60" by 44": 24" lie between them; on one of 44" by 30" they are 3" deep."""
    for size, limits, depth in (([60, 44], (60, 44), 10), ([44, 30], (44, 30), 3)):
        name = "Strike Force" if size[0] == 60 else "Incursion"
        army = raw_army(raw_sheet("Squad"))
        config = {"battlefield": {"name": "bare", "size": size}, "size": name, "armies": [army, army], "attacker": 1}
        setup = w9.GAME.compile(w9.GAME.load("w9/only-war-incursion", config), {"markers": "players"}, None)
        length, width = limits
        found = [sorted({(float(x), float(y)) for x, y in zone}) for zone in setup.statics["divisions"][0].zones]
        low = [(0.0, 0.0), (0.0, float(depth)), (float(length), 0.0), (float(length), float(depth))]
        high = [(x, width - depth + y) for x, y in low]
        assert sorted(found) == sorted([low, high])
        assert width - 2 * depth == 24
        battle = battle_of(setup)
        while kind(battle) != "deploy-to":
            battle.apply(battle.first_legal())
        battle.apply(battle.first_legal())
        first = battle.units.first[0]
        ys = [battle.models.y[k] for k in range(len(battle.models.x)) if battle.models.on_table[k]]
        assert first == 0
        assert ys
        assert all(y < depth for y in ys) or all(y > width - depth for y in ys)


# ---------------------------------------------------------------- Capture and Control


def ending(phase="morale", *, active=1, round=5, units=(), markers=(), **options):
    """The last turn of a battle: units as (player, sheet, place), each with what else ``Scene.unit`` takes."""
    scene = NinthScene()
    for marker in markers:
        scene.marker(*marker)
    rows = [scene.unit(player, datasheet, at=place, **more) for player, datasheet, place, more in units]
    return scene.battle(phase, active=active, round=round, **options), rows


MARKERS = ((10, 20), (25, 20), (40, 20), (52, 20))


def holders(mine, theirs):
    """Units on so many of the markers, and one of either player far from them."""
    units = [(0, sheet("Far A"), (5, 5), {}), (1, sheet("Far B"), (55, 40), {})]
    units += [(0, sheet("A"), (x, y + 3), {}) for x, y in MARKERS[:mine]]
    return units + [(1, sheet("B"), (x, y + 3), {}) for x, y in MARKERS[mine : mine + theirs]]


@pytest.mark.rule("w9.mission.only-war.primary")
@pytest.mark.parametrize("battle_round", [1, 2, 5])
@pytest.mark.parametrize(("mine", "theirs"), [(2, 1), (0, 2), (4, 0)])
@pytest.mark.parametrize("active", [0, 1])
def test_one_point_for_each_marker_at_the_end_of_the_own_command_phase(battle_round, mine, theirs, active):
    battle, _ = ending("command", active=active, round=battle_round, units=holders(mine, theirs), markers=MARKERS)
    scored = (mine, theirs)[active]
    assert tuple(battle.players.vp) == ((scored, 0) if active == 0 else (0, scored))
    assert told(battle, PRIMARY) == [{"player": active, "scored": scored, "total": scored}]
    assert battle.decision is not None


# ---------------------------------------------------------------- the end of the battle


@pytest.mark.rule("w9.mission.only-war.bonus")
@pytest.mark.parametrize(("mine", "theirs", "vp"), [(2, 1, (1, 0)), (1, 2, (0, 1)), (2, 2, (0, 0)), (0, 0, (0, 0))])
def test_more_markers_at_the_end_are_a_bonus_point(mine, theirs, vp):
    battle, _ = ending(units=holders(mine, theirs), markers=MARKERS)
    assert battle.over
    assert tuple(battle.players.vp) == vp
    assert [event["player"] for event in told(battle, BONUS)] == [player for player in (0, 1) if vp[player]]


@pytest.mark.rule("w9.mission.only-war.bonus")
def test_before_the_end_there_is_none():
    battle, _ = ending(round=4, units=holders(2, 1), markers=MARKERS)
    assert not battle.over
    assert told(battle, BONUS) == []


WARLORD = ("INFANTRY", "CHARACTER", "WARLORD")


def with_warlords(*gone, **options):
    units = [(player, sheet(f"Line {player}"), (5 + 45 * player, 5), {}) for player in (0, 1)]
    for player in (0, 1):
        more = {"place": "destroyed"} if player in gone else {}
        units.append((player, sheet(f"Lord {player}", keywords=WARLORD), (15 + 25 * player, 20), more))
    return ending(units=units, **options)


@pytest.mark.rule("w9.mission.only-war.slay")
@pytest.mark.parametrize(("gone", "vp"), [((1,), (1, 0)), ((0,), (0, 1)), ((0, 1), (1, 1)), ((), (0, 0))])
def test_a_slain_warlord_is_a_point_at_the_end(gone, vp):
    battle, _ = with_warlords(*gone)
    assert battle.over
    assert tuple(battle.players.vp) == vp
    assert sorted(event["player"] for event in told(battle, SLAY)) == [player for player in (0, 1) if vp[player]]


@pytest.mark.rule("w9.mission.only-war.slay")
@pytest.mark.parametrize(("place", "slain"), [(RESERVE, True), (EMBARKED, False), (DESTROYED, True)])
def test_a_warlord_that_never_arrived_counts_as_destroyed(place, slain):
    """An embarked one in a TRANSPORT on the battlefield does not."""
    scene = NinthScene()
    scene.unit(0, sheet("Line 0"), at=(5, 5))
    cargo = {"transport": {"capacity": 5, "allowed": ["INFANTRY"]}}
    bus = scene.unit(1, sheet("Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=cargo), at=(50, 30))
    where = {RESERVE: {"place": "reserves"}, EMBARKED: {"embarked_in": bus}, DESTROYED: {"place": "destroyed"}}
    scene.unit(1, sheet("Lord", keywords=WARLORD), models=1, **where[place])
    battle = scene.battle("morale", active=1, round=5)
    assert battle.over
    assert battle.players.vp[0] == int(slain)


@pytest.mark.rule("w9.mission.only-war.slay")
def test_a_warlord_slain_before_is_scored_when_the_battle_ends_and_not_earlier():
    battle, _ = with_warlords(1, round=4)
    assert not battle.over
    assert told(battle, SLAY) == []


# ---------------------------------------------------------------- victory


@pytest.mark.rule("w9.mission.only-war.victory")
@pytest.mark.parametrize(("vp", "winner"), [((7, 5), 0), ((5, 7), 1), ((6, 6), None), ((0, 1), 1)])
def test_the_higher_score_wins_and_equal_scores_are_a_draw(vp, winner):
    battle, _ = ending(units=holders(0, 0), vp=vp)
    assert battle.over
    assert battle.result.winner == winner


@pytest.mark.rule("w9.mission.only-war.victory")
@pytest.mark.parametrize("winner", [0, 1])
def test_who_has_destroyed_the_other_army_wins_whatever_the_score(winner):
    scene = NinthScene()
    scene.unit(winner, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=8, AP=-6)}), at=(30, 20))
    scene.unit(1 - winner, sheet("Target", Sv=6), at=(30, 28))
    vp = (5, 7) if winner == 0 else (7, 5)
    battle = scene.battle("shooting", active=winner, round=3, vp=vp, dice=[2, 2, 1])
    pick(battle, "Guns")
    assert battle.over
    assert battle.result.winner == winner
    assert tuple(battle.players.vp) == vp
