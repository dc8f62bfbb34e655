"""Accounts of battles: their sums are those of the states and of the events, in every game."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from wh_env import Battle, Event
from wh_env.agents.ledger import Ledger
from wh_env.agents.policies import make
from wh_env.content.load import names
from wh_env.core.events import NONE, Harm
from wh_env.core.tables import DESTROYED
from wh_env.testing import Scene, pick, ranged, sheet

BATTLES = (
    "w10/only-war-skirmish",
    "w9/only-war-patrol",
    "w8/only-war-skirmish",
    "epic/river-crossing",
    "wap/open-heroes",
    "wap/open-skirmish",
)


def played(name: str, seed: int) -> tuple[Battle, Ledger, list[Event]]:
    """A battle to its end, its ledger, and the events that went into it."""
    battle = Battle.load(name, seed, record=True)
    ledger, told = Ledger(battle), []
    policies = [make("greedy", seed), make("greedy", seed)]
    while not battle.over:
        action = policies[battle.clock.player[0]].act(battle.clone(), battle.legal())
        battle.apply(action)
        told += battle.events
        ledger.step()
    return battle, ledger, told


@pytest.fixture(scope="module", params=BATTLES)
def battle_and_ledger(request):
    return played(request.param, 3)


def mustered(battle: Battle) -> np.ndarray:
    """The unit of its list that each model belongs to."""
    units, of = battle.units.rows, np.zeros(len(battle.models.rows), int)
    for unit, (first, count) in enumerate(zip(units["first"], units["count"], strict=True)):
        of[first : first + count] = unit
    return of


def test_every_game_has_a_battle_here():
    assert {name.partition("/")[0] for name in BATTLES} == {name.partition("/")[0] for name in names("battles")}


def test_what_is_lost_is_what_the_state_lacks(battle_and_ledger):
    battle, ledger, _ = battle_and_ledger
    models, units, of = battle.models.rows, battle.units.rows, mustered(battle)
    left = np.where(models["alive"] > 0, np.maximum(1, models["wounds"]), 0)
    left[units["place"][of] == DESTROYED] = 0
    whole = np.bincount(of, np.maximum(1, models["max_wounds"]), len(units))
    lost = units["points"] * (1 - np.bincount(of, left, len(units)) / whole)
    sides = ledger.sides()
    assert np.concatenate([side.lost for side in sides]) == pytest.approx(lost)
    assert sum(sum(side.lost) for side in sides) > 0


def test_what_is_killed_is_what_the_other_lost(battle_and_ledger):
    _, ledger, _ = battle_and_ledger
    sides = ledger.sides()
    for mine, theirs in (sides, sides[::-1]):
        assert len(mine.names) == len(mine.points) == len(mine.killed)
        assert np.sum(mine.killed, axis=0) + theirs.otherwise == pytest.approx(np.array(theirs.lost))
        assert np.all(np.array(mine.killed) >= 0)
    assert sum(np.sum(side.killed) for side in sides) > 0


def test_rounds_add_up_to_the_result(battle_and_ledger):
    battle, ledger, _ = battle_and_ledger
    for player, side in enumerate(ledger.sides()):
        assert sum(side.vp) == battle.result.victory_points[player]
        assert len(side.vp) == len(side.markers) >= battle.result.rounds
    held = [side.markers[-1] for side in ledger.sides()]
    holders = [] if "objectives" not in battle.setup.layout.offsets else battle.objectives.rows["holder"].tolist()
    assert held == [holders.count(0), holders.count(1)]


@pytest.mark.parametrize("name", [name for name in BATTLES if name.startswith("w") and "/only" in name])
def test_killed_is_what_the_events_of_the_attacks_say(name):
    """Wound by wound, where the event names who attacked; wounds whose event does not are on top."""
    battle, ledger, events = played(name, 7)
    units, of = battle.units.rows, mustered(battle)
    whole = np.bincount(of, battle.models.rows["max_wounds"], len(units))
    said: defaultdict[tuple[int, int], float] = defaultdict(float)
    nameless: set[int] = set()
    for event in events:
        if event.kind == "wound lost":
            target = of[event.data["model"]]
            if event.data["attacker"] == NONE:
                nameless.add(target)
            else:
                said[of[event.data["attacker"]], target] += units["points"][target] / whole[target]
    assert said
    for player, side in enumerate(ledger.sides()):
        mine, theirs = (np.flatnonzero(units["owner"] == seat) for seat in (player, 1 - player))
        for row, column in np.ndindex(len(mine), len(theirs)):
            source, target = mine[row], theirs[column]
            found = side.killed[row][column]
            if target in nameless:
                assert found >= said[source, target] - 1e-6
            else:
                assert found == pytest.approx(said[source, target])


def test_what_nobody_aimed_at_stands_by_itself():
    """One of ten falls to guns, one dies of itself; wounds that come back count against what was lost so."""
    scene = Scene(size=(60, 44))
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A=2, BS=3, S=4)}), at=[(10, 10), (12, 10)])
    scene.unit(1, "Termagants", at=(20, 10), models=10)
    battle = scene.battle(phase="shooting", dice=[3, 4, 5, 1, 3, 4, 2, 6, 1, 1])
    worth = battle.units.points[1] / 10
    assert worth > 0
    ledger = Ledger(battle)
    pick(battle, "Guns")
    fallen = sum(event.kind == "model destroyed" for event in battle.events)
    ledger.step()
    assert fallen == 1 and battle.events == []
    battle.models.alive[5] = 0
    ledger.step()
    assert ledger._taken[0, 1] == pytest.approx(worth)
    assert ledger._taken[NONE, 1] == pytest.approx(worth)
    battle.models.alive[5] = 1
    ledger.step()
    assert ledger._taken[NONE, 1] == pytest.approx(0.0)


def test_losses_without_a_name_go_to_who_aimed_last():
    """Mortal wounds of a Stratagem: the event of the wound names nobody, the one before it does."""
    battle = Battle.load("w10/only-war-skirmish", 1, record=True)
    ledger = Ledger(battle)
    target = battle.players.first_unit[1]
    model = battle.units.first[target]
    row = {"attacker": NONE, "target": target, "model": model, "die": 0, "needed": 0, "result": 1, "extra": 0}
    battle.recorder[:] = [
        Event("w10.stratagem.grenade", "grenades", {"unit": 2, "target": target, "dice": [6], "mortal_wounds": 1}),
        Event("w10.attack.damage.amount", "wound lost", row),
    ]
    battle.models.wounds[model] -= 1
    ledger.step()
    assert ledger._taken[2, target] > 0 == ledger._taken[NONE, target]


def test_the_words_of_other_games():
    """Who is hurt by whom, by the events of games whose attacks are told otherwise."""
    regiments = Battle.load("wap/open-skirmish", 1, record=True)
    harm = regiments.setup.ruleset.harm
    for kind, data, expected in (
        ("caught", {"unit": 1, "units": (3, 4), "amount": 8}, (Harm(3, 1), Harm(4, 1))),
        ("runs down", {"unit": 3, "target": 1, "amount": 8}, (Harm(3, 1, NONE, 8),)),
        ("cut down", {"unit": 1, "target": 4, "amount": 2}, (Harm(4, 1, NONE, 2),)),
        ("wounds", {"unit": 3, "target": 1, "amount": 5}, (Harm(3, 1, NONE, 5),)),
        ("flees", {"unit": 1}, ()),
    ):
        assert tuple(harm(regiments, Event("wap", kind, data))) == expected
    formations = Battle.load("epic/bridgehead", 1, record=True)
    harm = formations.setup.ruleset.harm
    shot = {"unit": 0, "model": 1, "target": 6, "target_model": 20}
    for kind, data, expected in (
        ("save", {**shot, "saved": False}, (Harm(0, 6, 20),)),
        ("save", {**shot, "saved": True}, ()),
        ("eliminated without a save", shot, (Harm(0, 6, 20),)),
        ("combat", {**shot, "loser": 20}, (Harm(0, 6, 20),)),
        ("combat", {**shot, "loser": 1}, (Harm(6, 0, 1),)),
        ("combat", {**shot, "loser": NONE}, ()),
    ):
        assert tuple(harm(formations, Event("epic", kind, data))) == expected
