"""Rules that prevent Reinforcements from being set up somewhere (w9.rare.prevent-reinforcements.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.core.tables import ON_TABLE
from wh_env.testing import kind, pick, sheet, slots, words

RULE = "no Reinforcements within range"
WARDEN = {"auras": [{"name": "Warded ground", "effect": RULE, "active": True, "range": 12, "affects": "enemy"}]}
DEEP_STRIKE = {"deep_strike": True}


def arriving(
    player, reserves, warden, *, other=None, detail="squad", models=1, abilities=WARDEN, battle_round=2, **sheets
):
    """A unit in Reserves whose turn to arrive it is, and a warden of the enemy at this spot; the battle when it is set up."""
    scene = NinthScene(size=(60, 44))
    scene.unit(player, sheet("Watch"), at=(58, 20))
    data = sheet("Late", abilities=DEEP_STRIKE if reserves == "deep-strike" else {}, **sheets)
    late = scene.unit(player, data, models=models, reserves=reserves)
    foe = scene.unit(1 - player, sheet("Warden", abilities=abilities), at=warden)
    if other is not None:
        scene.unit(1 - player, sheet("Other"), at=other)
    battle = scene.battle("movement", active=player, round=battle_round, detail=detail)
    while kind(battle) in ("select-to-move", "move-kind"):
        pick(battle, "Remain Stationary" if kind(battle) == "move-kind" else "Watch")
    return battle, late, foe


def selected(battle):
    pick(battle, "Late", kind="select-reserves")


def reached(battle, late, foe):
    """Distances from the warden at which the unit can be set up, by the waiting decision."""
    found = []
    for action in list(battle.decision.options):
        clone = battle.clone()
        clone.apply(action)
        if kind(clone) == "place-exactly":
            clone.apply(clone.first_legal())
        found.append(clone.distance(late.row, foe.row))
    return found


@pytest.mark.rule("w9.rare.prevent-reinforcements")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("models", [1, 5])
def test_not_within_twelve_inches_of_the_warden(player, detail, models):
    """More than 9" from everybody else is enough, from the warden it takes more than 12"."""
    battle, late, foe = arriving(player, "deep-strike", (30, 22), detail=detail, models=models)
    selected(battle)
    away = reached(battle, late, foe)
    assert 12 < min(away) < 13.5
    battle, late, foe = arriving(player, "deep-strike", (30, 22), detail=detail, models=models, abilities={})
    selected(battle)
    assert 9 < min(reached(battle, late, foe)) < 10.5


@pytest.mark.rule("w9.rare.prevent-reinforcements")
def test_others_still_at_nine_inches():
    battle, late, foe = arriving(0, "deep-strike", (30, 22), other=(8, 22))
    selected(battle)
    other = foe.row + 1
    near = []
    for action in list(battle.decision.options):
        clone = battle.clone()
        clone.apply(action)
        assert clone.distance(late.row, foe.row) > 12
        near.append(clone.distance(late.row, other))
    assert 9 < min(near) < 11


@pytest.mark.rule("w9.rare.prevent-reinforcements")
@pytest.mark.parametrize("player", [0, 1])
def test_only_enemies_are_kept_away(player):
    """A warden of the own army keeps nobody away."""
    scene = NinthScene()
    warden = scene.unit(player, sheet("Warden", abilities=WARDEN), at=(30, 22))
    late = scene.unit(player, sheet("Late", abilities=DEEP_STRIKE), reserves="deep-strike", models=1)
    scene.unit(1 - player, sheet("Other"), at=(58, 20))
    battle = scene.battle("movement", active=player, round=2)
    while kind(battle) in ("select-to-move", "move-kind"):
        pick(battle, "Remain Stationary" if kind(battle) == "move-kind" else "Warden")
    selected(battle)
    assert min(reached(battle, late, warden)) < 5


@pytest.mark.rule("w9.rare.prevent-reinforcements")
def test_where_the_warden_leaves_no_room_the_unit_does_not_arrive():
    """12" round the middle of a table of 20" by 20"."""
    scene = NinthScene(size=(20, 20))
    scene.unit(0, sheet("Late", abilities=DEEP_STRIKE), reserves="deep-strike", models=1)
    scene.unit(0, sheet("Watch", M=1), at=(1, 1))
    far = {"auras": [{**WARDEN["auras"][0], "range": 16}]}
    scene.unit(1, sheet("Warden", abilities=far), at=(10, 10))
    battle = scene.battle("movement", round=2)
    while kind(battle) in ("select-to-move", "move-kind"):
        pick(battle, "Remain Stationary" if kind(battle) == "move-kind" else "Watch")
    assert kind(battle) != "select-reserves" or not slots(battle, "own")


@pytest.mark.rule("w9.rare.prevent-reinforcements.own-edge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_strategic_reserves_by_their_own_edge_arrive_all_the_same(player, detail):
    """The warden 5" from the own edge: a unit within 1" of that edge, wholly in its zone, is set up 3" from it."""
    y = 5.5 if player == 0 else 38.5
    battle, late, foe = arriving(player, "strategic", (30, y), detail=detail)
    selected(battle)
    assert kind(battle) == "arrive-by"
    away = {}
    for action, text in words(battle).items():
        clone = battle.clone()
        clone.apply(action)
        away["own edge" in text] = clone, min(reached(clone, late, foe))
    assert away[True][1] <= 4
    assert away[False][1] > 12
    clone = away[True][0]
    for action in list(clone.decision.options):
        trial = clone.clone()
        trial.apply(action)
        if kind(trial) == "place-exactly":
            trial.apply(trial.first_legal())
        edge = trial.models.y[late.first] - 0.5 if player == 0 else 43.5 - trial.models.y[late.first]
        assert edge <= 1.0001


@pytest.mark.rule("w9.rare.prevent-reinforcements.own-edge")
@pytest.mark.parametrize("player", [0, 1])
def test_other_reserves_do_not(player):
    """Teleport Strike is no Strategic Reserves: by the own edge it is kept 12" away as everywhere."""
    y = 5.5 if player == 0 else 38.5
    battle, late, foe = arriving(player, "deep-strike", (30, y))
    selected(battle)
    assert kind(battle) == "arrive-at"
    assert min(reached(battle, late, foe)) > 12


@pytest.mark.rule("w9.rare.prevent-reinforcements.own-edge")
def test_elsewhere_strategic_reserves_are_kept_away_too():
    """By the left edge, 10" from a warden."""
    battle, late, foe = arriving(0, "strategic", (11, 30))
    selected(battle)
    for action, text in words(battle).items():
        clone = battle.clone()
        clone.apply(action)
        assert "own edge" in text or min(reached(clone, late, foe)) > 12


def tower(player, detail):
    """The warden stands on a floor 8" above the ground; in a straight line a place 9" away from its edge on the ground is 12" away."""
    scene = NinthScene(size=(60, 44))
    scene.floor(28, 20, 32, 24, 8.0)
    scene.unit(player, sheet("Watch"), at=(58, 20))
    late = scene.unit(player, sheet("Late", abilities=DEEP_STRIKE), models=1, reserves="deep-strike")
    scene.unit(1 - player, sheet("Warden", abilities=WARDEN), at=[(30, 22, 8.0)], models=1)
    battle = scene.battle("movement", active=player, round=2, detail=detail)
    while kind(battle) in ("select-to-move", "move-kind"):
        pick(battle, "Remain Stationary" if kind(battle) == "move-kind" else "Watch")
    return battle, late


@pytest.mark.rule("w9.reserves.horizontal-distance", "w9.rare.prevent-reinforcements")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_its_distance_is_horizontal_too(player, detail):
    """From a warden 8" up: no place 12" away or less across, although the straight line to some of these is longer."""
    battle, late = tower(player, detail)
    selected(battle)
    away = []
    for action in list(battle.decision.options):
        clone = battle.clone()
        clone.apply(action)
        if kind(clone) == "place-level":
            clone.apply(clone.first_legal())
        while kind(clone) in ("place-model", "place-exactly"):
            clone.apply(clone.first_legal())
        m = clone.models
        away.append(((m.x[late.first] - 30) ** 2 + (m.y[late.first] - 22) ** 2) ** 0.5 - 1.0)
    assert 12 < min(away) < 13.5


def pod(player, detail, warden, *, abilities=WARDEN, models=5):
    """A pod arrives in the middle of the table, 12.5" from a warden's base at the right place; its passengers have to get out."""
    scene = NinthScene(size=(60, 44))
    carried = {"transport": {"capacity": 10, "allowed": ["INFANTRY"]}, "deep_strike": True}
    data = sheet("Pod", M=1, hull_in=(3, 3), models=(1, 1), keywords=("VEHICLE", "TRANSPORT"), abilities=carried)
    carrier = scene.unit(player, data, models=1, reserves="deep-strike", drops=True)
    squad = scene.unit(player, sheet("Squad"), models=models, embarked_in=carrier)
    scene.unit(player, sheet("Watch"), at=(3, 2), models=1)
    foe = scene.unit(1 - player, sheet("Warden", abilities=abilities), at=warden, models=1)
    battle = scene.battle(round=2, active=player, first_player=player, detail=detail)
    while kind(battle) in ("select-to-move", "move-kind"):
        pick(battle, "Remain Stationary" if kind(battle) == "move-kind" else "Watch")
    pick(battle, "Pod", kind="select-reserves")
    while battle.units.place[carrier] != ON_TABLE:
        options = battle.decision.options
        near = [a for a in options if " at " in battle.describe(a)]
        battle.apply(min(near, key=lambda a: off_centre(battle.describe(a))) if near else options[0])
    return battle, squad, foe, carrier


def off_centre(text):
    x, y = (float(part) for part in text.rsplit(" at ", 1)[1].split(", "))
    return abs(x - 30) + abs(y - 22)


@pytest.mark.rule("w9.reserves.transport-disembark", "w9.rare.prevent-reinforcements")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("models", [1, 5])
def test_who_gets_out_of_an_arriving_pod_keeps_away_as_well(models, detail, player):
    """The pod stands some inches farther away than 12" from the warden: nobody gets out on the near side within 12" of it."""
    for abilities, least in ((WARDEN, 12.0), ({}, 9.0)):
        battle, squad, foe, carrier = pod(player, detail, (45.0, 22.0), abilities=abilities, models=models)
        hull = battle.distance(carrier.row, foe.row)
        assert 12 < hull < 14.5
        reach = set()
        for action in list(battle.decision.options):
            after = battle.clone()
            after.apply(action)
            while kind(after) in ("place-model", "place-exactly"):
                after.apply(after.first_legal())
            reach.add(round(after.distance(squad.row, foe.row), 3))
        assert min(reach) > least
        assert (min(reach) < 12.0) == (not abilities)
